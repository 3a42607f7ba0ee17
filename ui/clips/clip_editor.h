#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/project/project.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;

namespace ck::ui {

class ClipModel;
class ClipSelection;
class NumberEdit;

// Edits the common fields of all selected clips: trim, rate, loop mode, seam, in place. A change
// applies to all of them in one undo step.
class ClipEditor : public QWidget {
  Q_OBJECT

 public:
  ClipEditor(ClipModel& model, ClipSelection& selection, QWidget* parent = nullptr);

  // Allows a narrow panel, in which both halves are one below the other.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Get = std::function<double(int row)>;
  NumberEdit* addNumber(const QString& title, const QString& name, const QString& tip);
  void addChoices();
  void connectNumbers();
  // Applies a typed expression to each clip's value. Shows an error in the field if it is invalid.
  bool enter(NumberEdit& edit, const QString& text, const QString& step, const Get& get,
             const std::function<void(ProjectClip&, int row, double)>& set);
  void setTrim(ProjectClip& clip, int row, double start, double end) const;
  void show();
  void showNumber(NumberEdit& edit, const Get& get, int decimals) const;
  void showSeam();
  void showVerdict();
  double startOf(int row) const;
  double endOf(int row) const;

  ClipModel& model_;
  ClipSelection& selection_;
  QBoxLayout* halves_;
  QWidget* numbers_;
  QWidget* choices_;
  NumberEdit* start_;
  NumberEdit* end_;
  NumberEdit* rate_;
  QComboBox* ends_;
  QComboBox* seam_;
  QLabel* verdict_;
  QString seamTip_;
  QString measured_;
  QCheckBox* inPlace_;
};

// Clamps a trim to the clip. Ends near a key snap to the key; a trim at both ends of the clip
// becomes none. `source` is the clip in the file.
std::optional<Trim> trimWithin(const Clip& source, double startSeconds, double endSeconds);

}  // namespace ck::ui
