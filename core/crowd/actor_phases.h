#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/anim/playback.h"
#include "core/base/shared_glsl.h"

namespace ck {

// What all actors have in common that play one clip in one way.
struct PhaseKind {
  LoopMode loop = LoopMode::Loop;
  double durationSeconds = 0.0;
  int firstFrame = 0;     // of the atlas
  int lastInterval = -1;  // the clip's frameCount - 2; -1 where its actors hold one frame
};

// How one actor sets out.
struct PhaseStart {
  std::size_t kind = 0;  // into the kinds
  double rate = 1.0;     // as Actor::rate
  double offset = 0.0;   // cycles
};

// The phases of many actors by the formulae of playback.h, to the bit, for eight actors at once:
// kept together by kind, so that what they have in common is read once.
class ActorPhases {
 public:
  ActorPhases() = default;
  ActorPhases(std::span<const PhaseKind> kinds, std::span<const PhaseStart> actors);

  // Moves every actor on by `seconds` (any sign). The same `seconds` again costs less.
  void advance(double seconds);
  // Puts every actor where it is `seconds` after the start.
  void seek(double seconds);

  // Where an actor is in its clip, in [0, 1].
  double unitOf(std::size_t actor) const;

  // Writes frame A and its fraction of the actors [begin, end) that do not hold one frame, and of a
  // few behind them that go with the last eight; nothing else. `frames` has one entry per actor of
  // the crowd. Ranges that cover all actors write each of them once.
  void writeFrames(std::span<gpu::CkFrames> frames, std::size_t begin, std::size_t end) const;

 private:
  // Actors of one kind, in ascending order: slots [first, first + count). Every run begins at a
  // whole number of eights; the slots between belong to nobody and run along.
  struct Run {
    PhaseKind kind;
    std::size_t first = 0;
    std::size_t count = 0;
    double mostRate = 0.0;    // the largest of either sign
    double mostOffset = 0.0;  // the same
  };
  void prepareSteps(double seconds);
  void writeOneByOne(const Run& run, std::size_t first, std::size_t count,
                     std::span<gpu::CkFrames> frames) const;

  double stepSeconds_ = 0.0;  // that the steps are of
  std::vector<Run> runs_;
  std::vector<std::uint32_t> slotOf_;  // by actor
  std::vector<std::uint32_t> runOf_;   // by actor
  // By slot.
  std::vector<std::uint32_t> actor_;
  std::vector<double> rate_;
  std::vector<double> offset_;
  std::vector<std::uint32_t> startPlace_;  // offset_ as a fraction of 2^32
  std::vector<std::uint32_t> place_;       // phase plus offset of looping actors, likewise
  std::vector<std::uint32_t> placeStep_;
  std::vector<double> phase_;  // of the others, wrapped
  std::vector<double> phaseStep_;
};

}  // namespace ck
