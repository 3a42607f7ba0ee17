#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/crowd/actor_phases.h"
#include "core/crowd/actor_records.h"
#include "core/crowd/crowd.h"
#include "core/crowd/travels.h"

namespace ck {

// A number > 0 that is unique in the program.
std::uint64_t nextStamp();

// A second clip that is blended with a constant weight.
struct HeldFade {
  std::size_t actor = 0;
  int clip = 0;
  LoopMode loop = LoopMode::Loop;
  double duration = 0.0;
  int firstFrame = 0;
  int lastInterval = -1;  // frameCount - 2; -1 if the clip stays at one frame
  int blend = 0;          // 1 .. 1023
  std::uint32_t fraction = 0;
  double phase = 0.0;
};

// An actor with a timed fade.
struct ActorFade {
  std::size_t actor = 0;
  TimedFade fade;
  std::size_t travel = kNoTravel;  // index into the crowd's travels
  double metersAtEnd = 0.0;        // metres walked when the fade ends

  static constexpr std::size_t kNoTravel = SIZE_MAX;
};

inline int lastIntervalOf(const CrowdClip& clip) {
  return clip.atlasClip >= 0 && clip.frameCount >= 2 ? clip.frameCount - 2 : -1;
}

inline int firstFrameOf(const CrowdClip& clip) {
  return clip.atlasClip >= 0 ? clip.firstFrame : 0;
}

// The number of blend steps that a record can hold.
inline constexpr double kBlendSteps = 1023.0;
inline int blendSteps(double fade) {
  return static_cast<int>(std::lround(std::clamp(fade, 0.0, 1.0) * kBlendSteps));
}

// A clip with the actor's own loop mode and offset.
FadeSide fadeSideOf(std::span<const CrowdClip> clips, int clip, const Actor& actor);
// The actor's timed fade, if it has one to an existing clip.
std::optional<TimedFade> timedFadeOf(std::span<const CrowdClip> clips, const Actor& actor);

// The actor properties that are needed when the actor changes to another clip.
struct ActorWays {
  std::int8_t ownLoop = -1;  // a LoopMode, or -1: the clip's own
  bool travels = false;
  std::int16_t mask = -1;
};

// One entry per visible actor, unless noted otherwise.
struct Crowd::Arrays {
  double seconds = 0.0;
  std::vector<std::size_t> source;
  std::vector<int> clip;
  std::vector<LoopMode> loop;
  std::vector<PhaseStart> starts;  // rate and offset in cycles
  std::vector<std::uint32_t> offsetFraction;
  ActorPhases phases;
  OwnedActorRecords records;      // as of the last request
  bool stale = true;              // whether the time has changed since
  CrowdStamp stamp;               // of the records
  std::uint64_t placesStamp = 0;  // stamp of the places in `records`
  Travels travels;
  std::vector<HeldFade> fades;   // by actor, ascending
  std::vector<ActorFade> timed;  // by actor, ascending
  std::vector<ActorWays> ways;
  std::vector<JointMask> masks;
  std::vector<std::string> morphNames;
  std::vector<CrowdMorph> morphs;        // of all actors, consecutively
  std::vector<std::uint32_t> morphEnds;  // end of each actor's entries in `morphs`
  std::vector<CrowdClip> clips;
  std::size_t given = 0;  // number of clips without the unnamed last one

  double rate(std::size_t i) const { return starts[i].rate; }
  double offset(std::size_t i) const { return starts[i].offset; }

  double unit(const HeldFade& fade) const {
    if (fade.loop == LoopMode::Loop) {
      return phaseFromFraction(fade.fraction + offsetFraction[fade.actor]);
    }
    return unitTime(fade.phase + offset(fade.actor), fade.loop);
  }

  const HeldFade* heldFade(std::size_t actor) const;
  const ActorFade* timedFade(std::size_t actor) const;
  // The clip that an actor with a timed fade plays now: the fade's target once the fade is over.
  // nullptr for other actors.
  const FadeSide* timedSide(std::size_t actor) const;
  // One of the clips with the actor's settings.
  FadeSide sideOf(std::size_t actor, int clipIndex) const;
  std::size_t travelOf(std::size_t actor) const;  // index into `travels`, or ActorFade::kNoTravel

  // Adds a visible actor that plays clips[clipIndex].
  void add(const Actor& actor, std::size_t sourceIndex, std::size_t clipIndex);
  void addFade(const Actor& actor, std::size_t index);
  void addMorphs(const Actor& actor);
  void addTravel(const Actor& actor, std::size_t index, const glm::dquat& turn);
  // Called once, after all actors were added.
  void startPhases();
  void bringRecordsUpToDate();
  void writeTimed(const ActorFade& fade);
  // Replaces the actor's fade.
  void setTimed(std::size_t actor, const TimedFade& fade);
};

}  // namespace ck
