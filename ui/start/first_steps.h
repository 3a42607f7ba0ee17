#pragma once

#include <QFrame>
#include <array>

class QLabel;

namespace ck {
struct Project;
}

namespace ck::ui {

class Document;
class Session;

// A card over the view of a bundled sample: three things to do for the first time, each ticked when
// it was done. It is gone for good once all are done or it was closed.
class FirstSteps : public QFrame {
  Q_OBJECT

 public:
  FirstSteps(Document& document, const Session& session, QWidget* parent = nullptr);

  // A sample was opened. Another project hides the card.
  void begin();

 signals:
  void resized();  // it was shown, hidden, or has another size

 private:
  enum Step { kTick, kBake, kOffset, kSteps };

  void done(Step step);
  void close();
  void compare(const Project& before, const Project& now);
  void showSteps();

  std::array<QLabel*, kSteps> marks_;
  std::array<bool, kSteps> isDone_ = {};
  bool isBaking_ = false;
};

}  // namespace ck::ui
