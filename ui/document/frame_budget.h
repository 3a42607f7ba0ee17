#pragma once

#include <QString>
#include <cstdint>

#include "core/base/result.h"

namespace ck::ui {

class Playback;

// Limits the number of drawn actors so that frames stay short on slow graphics. It gets the time of
// every frame while playing, and changes the number rarely, so that the crowd does not flicker.
class FrameBudget {
 public:
  static constexpr double kMostMs = 90.0;  // above this, the window feels blocked
  static constexpr double kAimMs = 55.0;
  static constexpr std::size_t kFewest = 48;
  // The number of actors at first, while the cost per actor is unknown, and then the maximum factor
  // per step. Drawing a hundred thousand actors at once would block a software renderer for
  // minutes.
  static constexpr std::size_t kFirst = 512;
  static constexpr std::size_t kGrowth = 4;

  // `shown` of `wanted` actors took `ms`. Returns the number of actors for the next frames.
  std::size_t next(double ms, std::size_t shown, std::size_t wanted);

  // The number of actors while the crowd is paused, when a frame may take longer.
  static std::size_t resting(double ms, std::size_t shown, std::size_t wanted);
  static constexpr double kRestingMs = 600.0;

 private:
  double smoothMs_ = 0.0;
  int framesSinceChange_ = 0;
};

// Keeps the actors of a playback within a budget, and below a number that the renderer has refused.
// Does nothing while the playback has a fixed step.
class FramePacer {
 public:
  explicit FramePacer(Playback& playback) : playback_(playback) {}  // must outlive the pacer

  // Allows more actors again, because the view is drawn in another way.
  void lift() { ceiling_ = SIZE_MAX; }

  // Called after each frame with its duration. Returns an error message, once per reason; empty if
  // there is no error or fewer actors may be drawable.
  QString follow(const Result<void>& drawn, double frameMs);

 private:
  void limit(bool refused, double frameMs);

  Playback& playback_;
  FrameBudget budget_;
  QString refusal_;
  std::size_t ceiling_ = SIZE_MAX;
};

}  // namespace ck::ui
