#pragma once

#include <cstddef>

namespace ck::ui {

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

}  // namespace ck::ui
