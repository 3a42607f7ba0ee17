#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <utility>

class QLabel;
class QLayout;
class QLineEdit;
class QMenu;

namespace ck::ui {

class ActorFilter;
class ActorModel;
class ActorTable;
class CrowdBar;
class CrowdCommands;
class ColumnEdits;
class Document;
class Selection;
class Session;
class SpawnBar;

// The actors panel: the table first. Above it are the crowds and the formation of the chosen one,
// folded away; below it are the
// fields of the selected actors, a line without a selection. The fields take room from the table's
// lower end, and only when a click on a row can no longer become a double click, so that no row
// moves under the pointer. They scroll where the table would have less than twelve rows.
class ActorsPanel : public QWidget {
  Q_OBJECT

 public:
  ActorsPanel(Document& document, const Session& session, Selection& selection,
              QWidget* parent = nullptr);

  ActorModel& model() { return *model_; }
  SpawnBar& spawnBar() { return *spawn_; }
  CrowdBar& crowdBar() { return *crowds_; }
  CrowdCommands& crowdCommands() { return *commands_; }
  ActorTable& table() { return *table_; }
  QLineEdit& filterField() { return *filter_; }
  // Sets the first entries of the menu of rows: edits of actors as a group.
  void setRowActions(std::function<void(QMenu&)> fill) { fillRowMenu_ = std::move(fill); }
  // The menus of rows and of headers for a column, or -1. The caller shows and deletes them.
  QMenu* makeRowMenu(int section);
  QMenu* makeHeaderMenu(int section);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLayout* makeHeading(Document& document);
  void applyFilter();
  void showCount();
  void showFields();
  void shareHeight();
  ColumnEdits editsOf(int section) const;

  Document& document_;
  Selection& selection_;
  ActorModel* model_;
  ActorFilter* shown_;
  CrowdCommands* commands_;
  CrowdBar* crowds_;
  SpawnBar* spawn_;
  QLineEdit* filter_;
  QLabel* wrong_;
  QLabel* count_;
  QLabel* total_;
  QWidget* seed_;
  QWidget* fields_;
  ActorTable* table_;
  QTimer unfold_;
  std::function<void(QMenu&)> fillRowMenu_;
};

}  // namespace ck::ui
