#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/actor.h"
#include "core/crowd/actor_phases.h"
#include "core/crowd/actor_records.h"
#include "core/crowd/actor_times.h"
#include "core/crowd/crowd_clip.h"
#include "core/crowd/fade.h"
#include "core/crowd/travels.h"
#include "core/crowd/way_walkers.h"

namespace ck {

// The second clip of an actor at a time.
struct CrowdFade {
  int clip = 0;        // into Crowd::clips()
  double unit = 0.0;   // position in that clip, in [0, 1]
  double blend = 0.0;  // weight of that clip, in (0, 1], a multiple of 1/1023
};

// A second clip that is blended with a constant weight.
struct HeldFade {
  std::size_t actor = 0;
  FadeSide side;
  double blend = 0.0;       // as CrowdFade::blend
  std::uint32_t start = 0;  // clipStart()
  std::uint64_t pace = 0;   // clipPace()
};

// An actor with a timed fade.
struct ActorFade {
  std::size_t actor = 0;
  TimedFade fade;
  double metersAtEnd = 0.0;  // metres walked when the fade ends, if it walks
};

// The second clips of a crowd's actors. Few actors have one, so these are stored apart from the
// arrays that advance eight at a time. Times are the actors' own (ActorTimes).
class CrowdFades {
 public:
  // Sets or removes the second clip of the crowd's actor `index`. An actor that may walk is added
  // to `travels`, or, if a clip has a way, to `walkers`; it must not be there yet. `clips` must
  // outlive this.
  void set(std::size_t index, const Actor& actor, std::span<const CrowdClip> clips,
           Travels& travels, WayWalkers& walkers);

  // The clip that an actor with a timed fade plays now: the fade's target once the fade is over.
  // nullptr for other actors.
  const FadeSide* sideOf(std::size_t actor, double seconds) const;
  // The second clip of an actor, if it has one now.
  std::optional<CrowdFade> at(std::size_t actor, const ActorTimes& times) const;
  std::size_t count(const ActorTimes& times) const;  // number of actors with a second clip now
  // nullptr for actors without.
  const TimedFade* timedOf(std::size_t actor) const;
  const FadeSide* heldOf(std::size_t actor) const;

  std::span<const HeldFade> held() const { return held_; }     // by actor, ascending
  std::span<const ActorFade> timed() const { return timed_; }  // by actor, ascending

  // Sets the distances of travelling actors.
  void setMeters(const ActorTimes& times, Travels& travels) const;
  // Writes the frames and the blend of the actors with a fade. Returns whether a blend has changed.
  bool write(const ActorTimes& times, std::span<const CrowdClip> clips,
             OwnedActorRecords& records) const;

 private:
  double unitOf(const HeldFade& held, const ActorTimes& times) const;

  std::vector<HeldFade> held_;
  std::vector<ActorFade> timed_;
};

// How the actor plays one of the clips.
ClipPlay playOf(const Actor& actor, std::span<const CrowdClip> clips, int clip);

// One of the clips, as an actor plays it. `strides` is the actor's scale if it travels, else 0. The
// way of the clip is a view into `clips`.
FadeSide fadeSide(const ClipPlay& play, std::span<const CrowdClip> clips, float strides = 0.0f);

// Writes the frames that a clip shows at a position in [0, 1].
void writeFrame(const CrowdClip& clip, double unit, int& frame, float& alpha);

// The actor that does what `actor` does until `seconds` of the crowd's time and then fades as
// asked. While it fades already, the clip that is seen most is the first of the new fade, and the
// other is gone. An actor whose earlier fade is over plays on from there; a clip that plays once
// and is under way counts as ended. An actor that stands still or plays backwards by command plays
// on forwards. `actor` itself where the crowd has no such clip, and where the command to play on
// would be one too many.
Actor fadingFrom(const Actor& actor, std::span<const CrowdClip> clips, double seconds,
                 const FadeRequest& request);

// A copy of `actor` with `action` added at `seconds` of the crowd's time, as withCommand() says. An
// unchanged copy if files would not hold that many commands (kMostPlayCommands), or none that late.
Actor commandedFrom(const Actor& actor, std::span<const CrowdClip> clips, double seconds,
                    PlayAction action);

}  // namespace ck
