#pragma once

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
class ColumnEdits;
class Document;
class Selection;
class Session;
class SpawnBar;

// The actors panel: the table first. Above it are the formation, folded away, and the fields of the
// selected actors, a line without a selection.
class ActorsPanel : public QWidget {
  Q_OBJECT

 public:
  ActorsPanel(Document& document, const Session& session, Selection& selection,
              QWidget* parent = nullptr);

  ActorModel& model() { return *model_; }
  SpawnBar& spawnBar() { return *spawn_; }
  ActorTable& table() { return *table_; }
  QLineEdit& filterField() { return *filter_; }
  // What the menu of rows begins with: edits of actors as a whole.
  void setRowActions(std::function<void(QMenu&)> fill) { fillRowMenu_ = std::move(fill); }
  // The menus of rows and of headers for a column, or -1. The caller shows and deletes them.
  QMenu* makeRowMenu(int section);
  QMenu* makeHeaderMenu(int section);

 private:
  QLayout* makeHeading(Document& document);
  void applyFilter();
  void showCount();
  ColumnEdits editsOf(int section) const;

  Document& document_;
  Selection& selection_;
  ActorModel* model_;
  ActorFilter* shown_;
  SpawnBar* spawn_;
  QLineEdit* filter_;
  QLabel* wrong_;
  QLabel* count_;
  QLabel* total_;
  QWidget* seed_;
  QWidget* fields_;
  ActorTable* table_;
  std::function<void(QMenu&)> fillRowMenu_;
};

}  // namespace ck::ui
