#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/project/project.h"

class QBoxLayout;
class QComboBox;
class QLabel;

namespace ck::ui {

class ClipModel;
class ClipSelection;

// Edits the common fields of all selected clips: trim, rate, loop mode, seam. A change applies to
// all of them in one undo step.
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
  // Sets the number that is nearest to the given one. Returns why it is another, or nothing.
  using Set = std::function<QString(ProjectClip&, int row, double)>;
  // Adds a field whose expressions apply to each clip's own value. `step` is the undo step.
  void addNumber(const QString& title, const QString& name, const QString& tip, const QString& step,
                 int decimals, const Get& get, const Set& set);
  void addDrag(QWidget* handle, const QString& step, const Get& get, const Set& set);
  // Adds a box; `get` returns the item data of a clip.
  QComboBox* addChoice(const QString& title, const QString& name, const QString& tip,
                       const std::function<int(const ProjectClip&)>& get);
  void addNumbers();
  void addChoices();
  void show();
  void showVerdict();

  ClipModel& model_;
  ClipSelection& selection_;
  QBoxLayout* halves_;
  QWidget* numbers_;
  QWidget* choices_;
  std::vector<std::function<void()>> fields_;  // each shows the values of its field
  QComboBox* seam_;
  QLabel* verdict_;
  QString measured_;
  std::vector<int> dragged_;    // the clips whose number is dragged
  std::vector<double> before_;  // their numbers at the start of the drag
};

// Clamps a trim to the clip. Ends near a key snap to the key; a trim at both ends of the clip
// becomes none. `source` is the clip in the file.
std::optional<Trim> trimWithin(const Clip& source, double startSeconds, double endSeconds);
// Why trimWithin() keeps another start or end, in a sentence about the clip of that title; empty if
// it keeps what is asked.
QString whyTrimmed(const QString& title, const Clip& source, const Trim& asked);

}  // namespace ck::ui
