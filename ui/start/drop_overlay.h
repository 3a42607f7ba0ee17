#pragma once

#include <QWidget>
#include <functional>
#include <vector>

namespace ck::ui {

// One of the things that can be done with files that are dragged over the window.
struct DropChoice {
  QString title;  // "Add as another character"
  QString tip;    // a sentence about what will happen
  const char* iconName = "import";
  std::function<void()> run;
};

// Shown over the view while files are dragged over the window: a field for every choice, of which
// the one under the pointer is highlighted. The first one is taken where the pointer is elsewhere.
class DropOverlay : public QWidget {
  Q_OBJECT

 public:
  explicit DropOverlay(QWidget* parent);

  // Without choices `files` says why there are none, and below it which files can be dropped.
  void showChoices(const QString& files, std::vector<DropChoice> choices);
  // Other choices for the same files.
  void setChoices(std::vector<DropChoice> choices);
  // The pointer is at this place of the overlay.
  void point(const QPoint& place);
  // Hides it, and does what is highlighted as soon as the drop has ended: a question would hold up
  // the program that the files come from.
  void take();
  const QString& heading() const { return files_; }
  int highlighted() const { return at_; }
  const std::vector<DropChoice>& choices() const { return choices_; }
  QRect fieldOf(int choice) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString files_;
  std::vector<DropChoice> choices_;
  int at_ = 0;
};

}  // namespace ck::ui
