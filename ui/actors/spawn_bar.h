#pragma once

#include <QIcon>
#include <QList>
#include <QWidget>
#include <optional>

#include "core/crowd/crowd_spawn.h"
#include "ui/document/crowd_dealer.h"

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace ck::ui {

// Creates the crowd: number of actors, formation, and the settings that the formation has. All of
// them stay live. Says how many actors were placed by hand, which formations leave alone.
class SpawnBar : public QWidget {
  Q_OBJECT

 public:
  SpawnBar(Document& document, const Session& session, Selection& selection,
           QWidget* parent = nullptr);

  // Changes the seed and keeps count and formation.
  void reseed();
  void setFormation(Formation formation);
  void focusCount();
  // Shows the action of a tool that edits the crowd in the view as a button. Without `formation`
  // it is always shown.
  void addTool(QAction* action, std::optional<Formation> formation = {});

 signals:
  // The formation has become Path, and no path is drawn yet.
  void pathWanted();

 private:
  // A field that some formations alone have.
  struct Field {
    QWidget* widget;
    QList<Formation> formations;
  };
  template <class Box, class Get, class Set>
  Box* bound(Box* box, const QString& text, Get get, Set set);
  void makeFields();
  void makeArcFields();
  void layOut(QWidget* dice);
  void fillGroundMenu();
  void setGround(int prop);
  void showState();
  void showGround(const Project& project);
  void showNote(const Project& project);

  CrowdDealer dealer_;
  QSpinBox* count_;
  QComboBox* formation_;
  QDoubleSpinBox* spacing_;
  QSpinBox* seed_;
  QToolButton* ground_;
  QMenu* grounds_;
  QList<Field> fields_;
  QHBoxLayout* fieldRow_;  // what a formation has for itself
  QHBoxLayout* toolRow_;   // what all have, beside the seed
  QWidget* arcs_;
  QWidget* note_;
  QLabel* noteText_;
  QPushButton* release_;
};

// "Grid", "Disc", "Circle", "Scatter", "Poisson scatter", "Path".
QString formationTitle(Formation formation);
// Actors of the formation as dots, seen from above.
QIcon formationIcon(Formation formation);

}  // namespace ck::ui
