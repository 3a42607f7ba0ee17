#pragma once

#include <QWidget>

#include "core/atlas/error_figures.h"
#include "ui/bake/bake_fields.h"

class QFormLayout;
class QLabel;
class QPushButton;

namespace ck {
struct BakeSettings;
}

namespace ck::ui {

class Document;
class FiguresLabel;
class Playback;
class PresetFigures;
class Session;
class VerdictLine;

// What the bake of the project's own rig costs and how far off it is, then its settings: the
// presets, and all others under Details. For another shown character, only the cost and the error.
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

 private:
  void onErrorLink(const QString& link, int character);
  QWidget* makePage();
  QWidget* makeDetails();
  void showCost();
  void showError();
  void showVerdicts();
  // Which bake the shown figures are of: the present settings', the last one's with other settings,
  // or that of a measured preset which is not baked yet.
  enum class Shown { Baked, Before, Ahead };
  void showFigures(const ErrorFigures& figures, Shown shown);
  void showMember();
  void makeMemberBake();
  void showMemberBake(const BakeSettings& bake);
  void showState();

  Document& document_;
  Session& session_;
  const Playback& playback_;
  BakeBoxes boxes_ = {};
  PresetFigures* presets_;
  VerdictLine* costLine_;
  VerdictLine* vertexLine_;
  VerdictLine* screenLine_;
  FiguresLabel* cost_;
  FiguresLabel* error_;
  FiguresLabel* member_;  // figures of the shown character, if it is not the own rig
  // the bake preset of the shown character, if it is a rig file
  QComboBox* memberBake_ = nullptr;
  QFormLayout* form_ = nullptr;
  QLabel* stateIcon_;
  QLabel* stateText_;
  QPushButton* bake_;
};

// "1.9 MB", "260 KB".
QString sizeText(std::size_t bytes);

}  // namespace ck::ui
