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

// A number that nobody in the program was given before; above 0.
std::uint64_t nextStamp();

// A second clip that is held over the first.
struct HeldFade {
  std::size_t actor = 0;
  int clip = 0;
  LoopMode loop = LoopMode::Loop;
  double duration = 0.0;
  int firstFrame = 0;
  int lastInterval = -1;  // frameCount - 2; -1 where the clip is held at one frame
  int blend = 0;          // 1 .. 1023
  std::uint32_t fraction = 0;
  double phase = 0.0;
};

// An actor that passes to another clip at a time of its own.
struct ActorFade {
  std::size_t actor = 0;
  TimedFade fade;
  std::size_t travel = kNoTravel;  // into the crowd's travels
  double metersAtEnd = 0.0;        // that it has walked when the fade is over

  static constexpr std::size_t kNoTravel = SIZE_MAX;
};

inline int lastIntervalOf(const CrowdClip& clip) {
  return clip.atlasClip >= 0 && clip.frameCount >= 2 ? clip.frameCount - 2 : -1;
}

inline int firstFrameOf(const CrowdClip& clip) {
  return clip.atlasClip >= 0 ? clip.firstFrame : 0;
}

// How many steps of blending the record has.
inline constexpr double kBlendSteps = 1023.0;
inline int blendSteps(double fade) {
  return static_cast<int>(std::lround(std::clamp(fade, 0.0, 1.0) * kBlendSteps));
}

// A clip as an actor plays it with values of its own.
FadeSide fadeSideOf(std::span<const CrowdClip> clips, int clip, const Actor& actor);
// The fade of an actor that has a timed one to a clip that is there.
std::optional<TimedFade> timedFadeOf(std::span<const CrowdClip> clips, const Actor& actor);

// What of an actor is needed when it is to play another clip.
struct ActorWays {
  std::int8_t ownLoop = -1;  // a LoopMode, or -1: as the clip says
  bool travels = false;
  std::int16_t mask = -1;
};

// One entry per visible actor, except where it says otherwise.
struct Crowd::Arrays {
  double seconds = 0.0;
  std::vector<std::size_t> source;
  std::vector<int> clip;
  std::vector<LoopMode> loop;
  std::vector<PhaseStart> starts;  // rate and offset in cycles
  std::vector<std::uint32_t> offsetFraction;
  ActorPhases phases;
  OwnedActorRecords records;      // as they were when they were last asked for
  bool stale = true;              // time has gone on since
  CrowdStamp stamp;               // of the records
  std::uint64_t placesStamp = 0;  // of their places
  Travels travels;
  std::vector<HeldFade> fades;   // by actor, ascending
  std::vector<ActorFade> timed;  // by actor, ascending
  std::vector<ActorWays> ways;
  std::vector<JointMask> masks;
  std::vector<std::string> morphNames;
  std::vector<CrowdMorph> morphs;        // of all actors, one after another
  std::vector<std::uint32_t> morphEnds;  // where each actor's end in it
  std::vector<CrowdClip> clips;
  std::size_t given = 0;  // clips before the one without a name

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
  // What an actor with a timed fade plays now, which is not its first clip where that is over;
  // nullptr for other actors.
  const FadeSide* timedSide(std::size_t actor) const;
  // One of the clips as an actor plays it.
  FadeSide sideOf(std::size_t actor, int clipIndex) const;
  std::size_t travelOf(std::size_t actor) const;  // into `travels`, or ActorFade::kNoTravel

  // Adds a visible actor that plays clips[clipIndex].
  void add(const Actor& actor, std::size_t sourceIndex, std::size_t clipIndex);
  void addFade(const Actor& actor, std::size_t index);
  void addMorphs(const Actor& actor);
  void addTravel(const Actor& actor, std::size_t index, const glm::dquat& turn);
  // To be called once, when all actors are there.
  void startPhases();
  void bringRecordsUpToDate();
  void writeTimed(const ActorFade& fade);
  // Instead of what the actor faded to before.
  void setTimed(std::size_t actor, const TimedFade& fade);
};

}  // namespace ck
