#pragma once

#include <cstddef>

namespace ck::ui {

// Decides how many actors are drawn so that a frame stays short on slow graphics. Feed it every
// frame while playing; it changes its mind rarely, so that the crowd does not flicker.
class FrameBudget {
 public:
  static constexpr double kMostMs = 90.0;  // above this the window feels stuck
  static constexpr double kAimMs = 55.0;
  static constexpr std::size_t kFewest = 48;
  // Shown at first where nothing is known of what an actor costs; and from then on, how many times
  // as many at once. A hundred thousand at once would hold a software renderer for minutes.
  static constexpr std::size_t kFirst = 512;
  static constexpr std::size_t kGrowth = 4;

  // `shown` of `wanted` actors took `ms`. Returns how many to show from now on.
  std::size_t next(double ms, std::size_t shown, std::size_t wanted);

  // How many to show while the crowd stands still, where a single frame may take its time.
  static std::size_t resting(double ms, std::size_t shown, std::size_t wanted);
  static constexpr double kRestingMs = 600.0;

 private:
  double smoothMs_ = 0.0;
  int framesSinceChange_ = 0;
};

}  // namespace ck::ui
