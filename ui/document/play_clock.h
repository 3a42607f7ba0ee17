#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace ck::ui {

// Ticks while it plays, about sixty times a second.
class PlayClock : public QObject {
  Q_OBJECT

 public:
  explicit PlayClock(QObject* parent = nullptr);

  bool isPlaying() const { return timer_.isActive(); }
  void setPlaying(bool playing);
  // Every tick takes this long, for pictures that are to come out the same; 0 goes back to real
  // time.
  void setFixedStep(double seconds) { fixedStepSeconds_ = seconds; }
  double fixedStep() const { return fixedStepSeconds_; }

 signals:
  void playingChanged(bool playing);
  // `realSeconds` have passed since the tick before.
  void ticked(double realSeconds);

 private:
  QTimer timer_;
  QElapsedTimer sinceTick_;
  double fixedStepSeconds_ = 0.0;
};

}  // namespace ck::ui
