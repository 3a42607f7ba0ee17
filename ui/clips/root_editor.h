#pragma once

#include <QWidget>
#include <array>
#include <functional>

#include "core/project/project.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QSlider;

namespace ck::ui {

class ClipModel;
class ClipSelection;
class NumberEdit;

// Edits the root motion and the loop offset of all selected clips: what becomes of the way over the
// ground, which joint has it, what of it is taken, and where the loop starts. A change applies to
// all of them in one undo step; while the slider is dragged, the bake follows.
class RootEditor : public QWidget {
  Q_OBJECT

 public:
  RootEditor(ClipModel& model, ClipSelection& selection, QWidget* parent = nullptr);

  // Allows a narrow panel, in which both halves are one below the other.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addWay();
  void addLoopOffset();
  void show();
  // The joints of the rig, if another one is shown.
  void fillJoints();
  void edit(const QString& text, const std::function<void(ClipEdit&)>& change,
            const QString& mergeKey = {});
  void setLoopOffset(double share, const QString& mergeKey);

  ClipModel& model_;
  ClipSelection& selection_;
  QBoxLayout* halves_;
  QWidget* way_;
  QWidget* loop_;
  QComboBox* motion_;
  QComboBox* joint_;
  std::array<QCheckBox*, 4> axes_;  // x, y, z, turn
  QSlider* slider_;
  NumberEdit* offset_;
  CharacterPtr rig_;  // whose joints are listed
};

}  // namespace ck::ui
