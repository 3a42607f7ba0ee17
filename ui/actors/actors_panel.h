#pragma once

#include <QWidget>

class QLabel;
class QLayout;
class QLineEdit;

namespace ck::ui {

class ActorFilter;
class ActorModel;
class ActorTable;
class Document;
class Selection;
class Session;
class SpawnBar;

// The actors panel: spawn settings, the common values of the selected actors, and the table.
class ActorsPanel : public QWidget {
  Q_OBJECT

 public:
  ActorsPanel(Document& document, const Session& session, Selection& selection,
              QWidget* parent = nullptr);

  ActorModel& model() { return *model_; }
  SpawnBar& spawnBar() { return *spawn_; }
  ActorTable& table() { return *table_; }
  QLineEdit& filterField() { return *filter_; }

 private:
  QLayout* makeHeading(Document& document);
  void applyFilter();
  void showCount();

  Selection& selection_;
  ActorModel* model_;
  ActorFilter* shown_;
  SpawnBar* spawn_;
  QLineEdit* filter_;
  QLabel* wrong_;
  QLabel* count_;
  ActorTable* table_;
};

}  // namespace ck::ui
