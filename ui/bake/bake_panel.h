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
class Playback;
class Session;

// The bake settings of the project's own rig, the cost before baking, and the error after it. For
// another shown character, only the cost and the error.
class BakePanel : public QWidget {
  Q_OBJECT

 public:
  BakePanel(Document& document, Session& session, const Playback& playback,
            QWidget* parent = nullptr);

 signals:
  // The worst place of a character's error was clicked.
  void worstAsked(const ck::ErrorFigure& figure, int character);

 private:
  void onErrorLink(const QString& link, int character);
  QWidget* makePage();
  void showCost();
  void showError();
  void showMember();
  void makeMemberBake();
  void showMemberBake(const BakeSettings& bake);
  void showState();

  Document& document_;
  Session& session_;
  const Playback& playback_;
  BakeBoxes boxes_ = {};
  QLabel* cost_;
  QLabel* error_;
  QLabel* member_;  // figures of the shown character, if it is not the own rig
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
