#pragma once

#include <QWidget>

#include "core/crowd/crowd_spawn.h"

class QComboBox;
class QSpinBox;
class QDoubleSpinBox;

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;
class Session;

// Creates the crowd: number of actors, formation and spacing.
class SpawnBar : public QWidget {
  Q_OBJECT

 public:
  SpawnBar(Document& document, const Session& session, QWidget* parent = nullptr);

  // Changes the seed and keeps count and formation.
  void reseed();
  void setFormation(Formation formation);
  void focusCount();

 private:
  // Changes the settings and the actors. A new seed replaces all actors; other changes keep their
  // settings and only move them.
  template <class Value>
  void spawn(Project& project, Value SpawnSettings::*setting, Value value) const;
  void layOut(QWidget* dice);
  void showState();

  Document& document_;
  const Session& session_;
  QSpinBox* count_;
  QComboBox* formation_;
  QDoubleSpinBox* spacing_;
  QSpinBox* seed_;
};

// "Grid", "Disc", "Scatter".
QString formationTitle(Formation formation);

}  // namespace ck::ui
