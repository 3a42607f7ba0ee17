#pragma once

#include <memory>
#include <vector>

#include "core/anim/root_way.h"
#include "core/bake/bake_settings.h"
#include "core/bake/key_steps.h"
#include "core/base/job.h"
#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

class LanePoser;

// The part of one clip that is baked: uniform moments over [startSeconds, startSeconds +
// durationSeconds], including both ends, each with one stored frame, or two where something jumps,
// or none where interpolation gives it back (core/anim/playback.h).
struct BakeWindow {
  int clip = 0;  // into Character::clips
  // The clip as baked: with its clip edit and its name in the atlas, or that of the character,
  // which must then outlive the window, if the bake takes it as it is. Times of this window are on
  // its timeline.
  std::shared_ptr<const Clip> motion;
  std::vector<double> keySeconds = {};  // keyTimes() of `motion`
  // Poses `motion` in this window, if planning has made it already.
  std::shared_ptr<const LanePoser> poser = {};
  RootWay way;  // that was taken out of the clip (RootMotion::Extract), else empty
  LoopMode loop = LoopMode::Once;
  Seam seam = Seam::None;
  double startSeconds = 0.0;
  double durationSeconds = 0.0;       // includes the closing step of an exclusive loop
  double closingSeconds = 0.0;        // length of the closing step, 0 if there is none
  int frameCount = 2;                 // stored frames
  KeySteps keySteps = {};             // that the frames follow, if they do
  std::vector<int> stepFrames = {};   // moments with two frames, ascending
  std::vector<int> keptMoments = {};  // as AtlasClip::keptMoments
  Seam measured = Seam::None;         // the measured seam; `seam` unless the artist chose another
  double seamMm = 0.0;                // SeamVerdict::seamMm
};

// The window of one clip. Fails with InvalidInput (an unknown name, a clip edit that does not fit
// the clip) and Cancelled.
Result<BakeWindow> planWindow(const Character& character, const BakeClip& wish,
                              const BakeSettings& settings, const JobContext& job = {});

// The window that a clip of an atlas was baked from, with the clip edit and the recipe that the
// atlas records.
// `measured` and `seamMm` are not set. Fails with InvalidInput if the character has no such clip,
// if the clip edit does not fit it, or if the atlas records another start or length than the clip
// has, the closing step of an exclusive loop included.
Result<BakeWindow> bakedWindow(const Character& character, const BakeRecipe& recipe,
                               const AtlasClip& baked);

// The windows of the clips in the settings, in their order, or of all clips if the settings have
// none. Fails with InvalidInput (no clips, an unknown or repeated name, values out of range) and
// Cancelled.
Result<std::vector<BakeWindow>> planWindows(const Character& character,
                                            const BakeSettings& settings, JobContext job = {});

// The sample times of a window, one per moment. A moment that coincides with a key, up to rounding,
// is sampled one nanosecond after the key, so that all step tracks have their new value.
std::vector<double> frameTimes(const BakeWindow& window);

// The way of a window at its moments (AtlasClip::rootMotion); empty if it has none.
std::vector<RootPlace> placesOf(const BakeWindow& window);

// Notes about clips whose frames do not include all keys (OffKeyGrid), and about those that have
// several times the frames because of a few key steps (FastKeySteps).
Notes keyGridNotes(const std::vector<BakeWindow>& windows);

}  // namespace ck
