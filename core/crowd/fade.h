#pragma once

#include <string_view>

#include "core/anim/playback.h"

namespace ck {

// Where in its clip an actor is that fades to it.
enum class FadePhase {
  Own,     // where it would be had it played since time 0, with the offset of the first clip
  Synced,  // when the fade starts, where the first clip is then: two walks keep step
  Start,   // when the fade starts, at its first pose; at its last where the actor runs backwards
};
std::string_view fadePhaseName(FadePhase phase);  // "own", "synced", "start"

// A fade that is to begin.
struct FadeRequest {
  int clip = 0;          // to fade to
  double seconds = 0.5;  // how long the fade lasts; 0: at once
  FadePhase phase = FadePhase::Own;
  bool eased = false;  // slow at both ends instead of even
};

// One of the two clips of a timed fade, as one actor plays it.
struct FadeSide {
  int clip = 0;  // into the crowd's clips
  LoopMode loop = LoopMode::Loop;
  double durationSeconds = 0.0;
  double offset = 0.0;  // cycles at time 0, which LoopMode::Once may wait for or have passed
  double metersPerCycle = 0.0;  // that the actor walks
};

// An actor that passes from one clip to another. Everything follows from the time alone, so that
// seeking and advancing, in any order, come to the same.
struct TimedFade {
  FadeSide from;
  FadeSide to;
  double rate = 1.0;          // of the actor, in both clips
  double startSeconds = 0.0;  // of the crowd's time
  double seconds = 0.0;       // > 0, or 0 for a switch
  bool eased = false;
  double metersBefore = 0.0;  // added to all that it has walked: of clips before `from`
};

// Cycles since the clip's first pose at `seconds`, neither wrapped nor clamped.
double cyclesAt(const FadeSide& side, double rate, double seconds);
// Where in its clip a side is, in [0, 1]: to the bit as an actor that was seeked there.
double unitAt(const FadeSide& side, double rate, double seconds);

// How much of `to` is seen, in [0, 1].
double blendAt(const TimedFade& fade, double seconds);
bool isOver(const TimedFade& fade, double seconds);
// Metres that the actor has walked since time 0. During the fade each clip carries it as much as it
// is seen; summed in 32 steps, off by less than 0.1 % of a step of the walk.
double metersAt(const TimedFade& fade, double seconds);
// Of these, what it has walked from the end of the fade to `seconds`, which lies behind it.
double metersSinceEnd(const TimedFade& fade, double seconds);

// The fade by `request` of an actor that plays `from`, starting at `startSeconds`. `to` holds the
// target with the actor's own offset.
TimedFade startedFade(const FadeSide& from, FadeSide to, double rate, double startSeconds,
                      const FadeRequest& request);

// The side that carries an actor on when yet another fade starts at `seconds`: the one that is seen
// most, and what it has walked until then is kept in `metersBefore`.
struct FadeRest {
  FadeSide side;
  double metersBefore = 0.0;
};
FadeRest restOf(const TimedFade& fade, double seconds);

}  // namespace ck
