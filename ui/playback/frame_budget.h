#pragma once

#include <QString>
#include <cstdint>

#include "core/base/result.h"
#include "core/view/detail_settings.h"

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

// Lets far actors be off by more pixels while frames are slow, so that a crowd with levels of
// detail keeps all of its actors. It begins with little detail, because nothing is known of a new
// crowd.
class DetailBudget {
 public:
  static constexpr double kMost = 64.0;  // times as many pixels as the artist allows
  // And so many pixels at most: by then nearly all actors are points, which is the least.
  static constexpr double kMostPixels = 64.0;
  static constexpr double kFirst = 8.0;

  void restart();
  // A frame of a playing crowd took `ms`.
  void next(double ms);
  // A frame of a paused crowd was drawn: the next one has more detail, from near to far.
  void rest();
  double factor() const { return factor_; }

 private:
  double factor_ = kFirst;
  double smoothMs_ = 0.0;
  int framesSinceChange_ = 0;
};

// Keeps the frames of a playback short: by the detail of far actors where the view has levels of
// detail, where every actor in view stays a point at least, otherwise by the number of actors. That
// also stays below one that the renderer has refused. Does nothing while the playback has a fixed
// step.
class FramePacer {
 public:
  explicit FramePacer(Playback& playback) : playback_(playback) {}  // must outlive the pacer

  // Allows more actors again, because the view is drawn in another way.
  void lift() { ceiling_ = SIZE_MAX; }
  // The crowd is another, and nothing is known of its cost.
  void restart() { detail_.restart(); }

  // The settings to draw the next frame with: those of the view, with more pixels if that is needed
  // to keep up.
  DetailSettings paced(DetailSettings detail) const;
  // Whether a paused crowd has more detail in a further frame.
  bool isRefining() const;

  // Called after each frame with its duration; `detail` are the view's settings. Returns an error
  // message, once per reason; empty if there is no error or fewer actors may be drawable.
  QString follow(const Result<void>& drawn, double frameMs, const DetailSettings& detail);

 private:
  void limit(bool refused, double frameMs);

  Playback& playback_;
  DetailBudget detail_;
  bool keepsUp_ = true;
  FrameBudget budget_;
  QString refusal_;
  std::size_t ceiling_ = SIZE_MAX;
};

}  // namespace ck::ui
