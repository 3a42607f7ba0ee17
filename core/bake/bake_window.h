#pragma once

#include <memory>
#include <vector>

#include "core/bake/bake_settings.h"
#include "core/base/job.h"
#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// What is baked of one clip: `frameCount` even frames over [startSeconds, startSeconds +
// durationSeconds], both ends included.
struct BakeWindow {
  int clip = 0;  // into Character::clips
  // That clip as it is baked: in its shape and under its name in the atlas. Times of this window
  // are on its timeline.
  std::shared_ptr<const Clip> motion;
  LoopMode loop = LoopMode::Once;
  Seam seam = Seam::None;
  double startSeconds = 0.0;
  double durationSeconds = 0.0;  // the closing step of an exclusive loop included
  double closingSeconds = 0.0;   // 0 where there is none
  int frameCount = 2;
  Seam measured = Seam::None;  // what `seam` is unless the artist chose
  double seamMm = 0.0;         // how far the last key pose is from the first
};

// The closing step of an exclusive loop: the usual time between two keys.
double closingStepSeconds(const Clip& clip);

// The window of one clip. Fails with InvalidInput (an unknown name, a shape that does not fit).
Result<BakeWindow> planWindow(const Character& character, const BakeClip& wish,
                              const BakeSettings& settings);

// The windows of the clips that the settings name, in their order; all clips where they name none.
// Fails with InvalidInput (no clips, an unknown or doubled name, numbers that make no sense) and
// Cancelled.
Result<std::vector<BakeWindow>> planWindows(const Character& character,
                                            const BakeSettings& settings, JobContext job = {});

// Times to sample a window at, one per frame. A frame that lies on a key but for rounding is taken
// a nanosecond after that key, so that every step track has switched to its new value.
std::vector<double> frameTimes(const Clip& clip, const BakeWindow& window);

// Clips whose frames miss keys, for the note OffKeyGrid.
Notes keyGridNotes(const std::vector<BakeWindow>& windows);

}  // namespace ck
