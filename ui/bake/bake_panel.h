#pragma once

#include <QWidget>

#include "core/atlas/error_figures.h"
#include "ui/bake/bake_fields.h"
#include "ui/playback/shown_character.h"

class QFormLayout;
class QLabel;
class QPushButton;

namespace ck::ui {

class Document;
class FiguresLabel;
class Playback;
class PresetFigures;
class Session;
class VerdictLine;

// The cost and the error of the shown character's bake, then its settings: the presets, and all
// others under Details. Where the project has several characters, its title comes first.
class BakePanel : public QWidget {
  Q_OBJECT

 public:
  BakePanel(Document& document, Session& session, const Playback& playback,
            QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
 signals:
  // The worst place of a character's error was clicked.
  void worstAsked(const ck::ErrorFigure& figure, int character);
  // The smallest atlas is to be found.
  void finderAsked();

 private:
  void onErrorLink(const QString& link);
  QWidget* makePage();
  QWidget* makeDetails();
  void showCost();
  void showError();
  void showVerdicts();
  // Which bake the shown figures are of: the present settings', the last one's with other settings,
  // or that of a measured preset which is not baked yet.
  enum class Shown { Baked, Before, Ahead };
  void showFigures(const ErrorFigures& figures, Shown shown);
  void showCharacter();
  void showState();

  Document& document_;
  Session& session_;
  ShownCharacter shown_;
  BakeBoxes boxes_ = {};
  PresetFigures* presets_;
  VerdictLine* costLine_;
  VerdictLine* vertexLine_;
  VerdictLine* screenLine_;
  FiguresLabel* cost_;
  FiguresLabel* error_;
  FiguresLabel* whose_;  // the title of the character
  QFormLayout* form_ = nullptr;
  QComboBox* preset_ = nullptr;
  QLabel* stateIcon_;
  QLabel* stateText_;
  QPushButton* bake_;
};

// "1.9 MB", "260 KB".
QString sizeText(std::size_t bytes);

}  // namespace ck::ui
