#pragma once

#include <span>
#include <string_view>

#include "core/anim/playback.h"
#include "core/anim/root_way.h"

namespace ck {

// The position in its clip at which the target of a fade is shown.
enum class FadePhase {
  Own,     // as if it had played since time 0, with the offset of the first clip
  Synced,  // at the fade's start, the position of the first clip, so that two walks stay in step
  Start,   // at the fade's start, the first pose; the last pose if the rate is negative
};
inline constexpr std::string_view kFadePhaseNames[] = {"own", "synced", "start"};
inline std::string_view fadePhaseName(FadePhase phase) {
  return nameOf(kFadePhaseNames, phase);
}

// The parameters of a fade.
struct FadeRequest {
  int clip = 0;          // target clip
  double seconds = 0.5;  // length of the fade; 0: immediate
  FadePhase phase = FadePhase::Own;
  bool eased = false;  // smoothstep instead of linear
};

// One of the two clips of a timed fade, with the actor's settings.
struct FadeSide {
  int clip = 0;  // into the crowd's clips
  LoopMode loop = LoopMode::Loop;
  double durationSeconds = 0.0;
  double offset = 0.0;          // cycles at time 0; for LoopMode::Once it may be outside [0, 1]
  double metersPerCycle = 0.0;  // distance that the actor walks per cycle
  // The clip's way (CrowdClip::rootMotion), if the actor walks by it; metersPerCycle is then 0. A
  // view into the crowd's clips. `wayScale` is the size of the actor.
  std::span<const RootPlace> way = {};
  double wayScale = 1.0;
};

// A fade of an actor from one clip to another. Its state is a function of the time alone, so that
// seeking and advancing give the same result.
struct TimedFade {
  FadeSide from;
  FadeSide to;
  double rate = 1.0;          // rate of the actor, in both clips
  double startSeconds = 0.0;  // in the crowd's time
  double seconds = 0.0;       // > 0, or 0 for an immediate change
  bool eased = false;
};

// Cycles since the clip's first pose at `seconds`, not wrapped and not clamped.
double cyclesAt(const FadeSide& side, double rate, double seconds);
// The position in the clip, in [0, 1], bit-identical to that of a crowd seeked to `seconds`.
double unitAt(const FadeSide& side, double rate, double seconds);

// Metres that an actor has walked since time 0 if it plays nothing but this clip.
double metersOf(const FadeSide& side, double rate, double seconds);

// The blend weight of `to`, in [0, 1].
double blendAt(const TimedFade& fade, double seconds);
bool isOver(const TimedFade& fade, double seconds);
// Metres walked since time 0. During the fade, the speeds of both clips are weighted by the blend.
// The integral uses 32 steps; its error is below 0.1 % of a stride.
double metersAt(const TimedFade& fade, double seconds);

// Whether an actor follows a clip's way in either clip.
bool followsWay(const TimedFade& fade);
// Where an actor has come to since time 0 if it plays nothing but this clip: by its way, or the
// metres of metersOf() along +Z, on a circle of `turnRadius` metres as Actor::turnRadius says.
GroundMotion movedBy(const FadeSide& side, double rate, double seconds, double turnRadius);
// The same during a fade and after it. While it fades, both clips' movements are weighted by the
// blend, each as it is seen from the actor; the sum has 32 steps, as that of metersAt().
GroundMotion movedBy(const TimedFade& fade, double seconds, double turnRadius);

// Starts a fade at `startSeconds` for an actor that plays `from`. `to` is the target with the
// actor's own offset.
TimedFade startedFade(const FadeSide& from, FadeSide to, double rate, double startSeconds,
                      const FadeRequest& request);

}  // namespace ck
