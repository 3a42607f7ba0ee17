#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/anim/playback.h"
#include "core/base/shared_glsl.h"

namespace ck {

// Properties shared by all actors that play one clip in one loop mode.
struct PhaseKind {
  LoopMode loop = LoopMode::Loop;
  double durationSeconds = 0.0;
  int firstFrame = 0;     // of the atlas
  int lastInterval = -1;  // the clip's frameCount - 2; -1 if its actors stay at one frame
};

// The initial state of one actor.
struct PhaseStart {
  std::size_t kind = 0;  // into the kinds
  double rate = 1.0;     // as Actor::rate
  double offset = 0.0;   // cycles
};

// The phases of many actors, computed eight at a time, bit-identical to the formulae of playback.h.
// Actors are grouped by kind, so that shared properties are read once.
class ActorPhases {
 public:
  ActorPhases() = default;
  ActorPhases(std::span<const PhaseKind> kinds, std::span<const PhaseStart> actors);

  // Advances every actor by `seconds` (any sign). Calls with the same `seconds` are faster.
  void advance(double seconds);
  // Sets every actor to `seconds` after the start.
  void seek(double seconds);

  // The position of an actor in its clip, in [0, 1].
  double unitOf(std::size_t actor) const;

  // Writes frame A and its fraction for the actors [begin, end), except actors that stay at one
  // frame. Actors after `end` in the last group of eight are written as well. `frames` has one
  // entry per actor of the crowd. Calls whose ranges cover all actors write each of them once.
  void writeFrames(std::span<gpu::CkFrames> frames, std::size_t begin, std::size_t end) const;

 private:
  // Actors of one kind, ascending: slots [first, first + count). Every run starts at a multiple of
  // eight; the slots between runs are padding.
  struct Run {
    PhaseKind kind;
    std::size_t first = 0;
    std::size_t count = 0;
    double mostRate = 0.0;    // the largest magnitude
    double mostOffset = 0.0;  // the largest magnitude
  };
  void prepareSteps(double seconds);
  void writeOneByOne(const Run& run, std::size_t first, std::size_t count,
                     std::span<gpu::CkFrames> frames) const;

  double stepSeconds_ = 0.0;  // the time that placeStep_ and phaseStep_ belong to
  std::vector<Run> runs_;
  std::vector<std::uint32_t> slotOf_;  // by actor
  std::vector<std::uint32_t> runOf_;   // by actor
  // By slot.
  std::vector<std::uint32_t> actor_;
  std::vector<double> rate_;
  std::vector<double> offset_;
  std::vector<std::uint32_t> startPlace_;  // offset_ as a fraction of 2^32
  std::vector<std::uint32_t> place_;  // phase plus offset of looping actors, as a fraction of 2^32
  std::vector<std::uint32_t> placeStep_;
  std::vector<double> phase_;  // wrapped phase of actors that do not loop
  std::vector<double> phaseStep_;
};

}  // namespace ck
