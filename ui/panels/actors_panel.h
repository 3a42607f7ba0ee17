#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace ck::ui {

class ActorFilter;
class ActorModel;
class Document;
class Selection;
class Session;
class SpawnBar;

// The actors: how many and where, the common values of the selected ones, and the table.
class ActorsPanel : public QWidget {
  Q_OBJECT

 public:
  ActorsPanel(Document& document, const Session& session, Selection& selection,
              QWidget* parent = nullptr);

  ActorModel& model() { return *model_; }
  SpawnBar& spawnBar() { return *spawn_; }
  QTableView& table() { return *table_; }
  QLineEdit& filterField() { return *filter_; }
  // Selects what the filter lets through.
  void selectShown();

 private:
  void makeTable();
  void applyFilter();
  void showSelection();
  void takeSelection();
  void enterValue(const QModelIndex& index, const QVariant& value);
  void showCount();

  Document& document_;
  Selection& selection_;
  ActorModel* model_;
  ActorFilter* shown_;
  SpawnBar* spawn_;
  QLineEdit* filter_;
  QLabel* wrong_;
  QLabel* count_;
  QTableView* table_;
  bool syncing_ = false;
};

}  // namespace ck::ui
