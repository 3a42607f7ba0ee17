#include "ui/document/play_clock.h"

#include <algorithm>

namespace ck::ui {
namespace {

constexpr int kTickMilliseconds = 16;
// After a long stall (a slow frame, a dialog of the system) the crowd goes on where it was instead
// of jumping.
constexpr double kLongestTickSeconds = 1.0;

}  // namespace

PlayClock::PlayClock(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(kTickMilliseconds);
  connect(&timer_, &QTimer::timeout, this, [this] {
    emit ticked(std::min(double(sinceTick_.restart()) / 1000.0, kLongestTickSeconds));
  });
}

void PlayClock::setPlaying(bool playing) {
  if (playing == isPlaying()) return;
  if (playing) {
    sinceTick_.start();
    timer_.start();
  } else {
    timer_.stop();
  }
  emit playingChanged(playing);
}

}  // namespace ck::ui
