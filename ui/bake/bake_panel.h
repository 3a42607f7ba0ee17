#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

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

 private:
  // How the frames of a clip are chosen.
  enum Timing { KeyGrid, Rate, Frames };

  QWidget* makePage();
  QWidget* makeLayout();
  QWidget* makeSize();
  QWidget* makeTiming();
  void showFields();
  void showCost();
  void showError();
  void showMember();
  void makeMemberBake();
  void showMemberBake(const BakeSettings& bake);
  void showState();

  Document& document_;
  Session& session_;
  const Playback& playback_;
  QComboBox* components_;
  QComboBox* ranges_;
  QSpinBox* tile_;
  QCheckBox* powerOfTwo_;
  QComboBox* timing_ = nullptr;
  QDoubleSpinBox* rate_ = nullptr;
  QSpinBox* frames_ = nullptr;
  QCheckBox* interpolate_;
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
