#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"
#include "core/crowd/crowd_clip.h"

namespace ck {

// How an actor plays a clip.
struct ClipPlay {
  int clip = 0;  // into the crowd's clips
  LoopMode loop = LoopMode::Loop;
  double rate = 1.0;    // as Actor::rate
  double offset = 0.0;  // cycles
};

// The phases of many actors, computed eight at a time, bit-identical to the formulae of playback.h.
// Actors that play one clip in one loop mode are neighbours, so that shared properties are read
// once.
class ActorPhases {
 public:
  ActorPhases() = default;
  ActorPhases(std::span<const CrowdClip> clips, std::span<const ClipPlay> plays);

  // Advances every actor by `seconds` (any sign). Calls with the same `seconds` are faster.
  void advance(double seconds);
  // Sets every actor to `seconds` after the start.
  void seek(double seconds);

  const ClipPlay& playOf(std::size_t actor) const { return plays_[actor]; }
  // The position of an actor in its clip, in [0, 1].
  double unitOf(std::size_t actor) const;

  // Writes frame A and its fraction for the actors [begin, end), except actors that stay at one
  // frame. Actors after `end` in the last group of eight are written as well. `frames` has one
  // entry per actor of the crowd. Calls whose ranges cover all actors write each of them once.
  void writeFrames(std::span<gpu::CkFrames> frames, std::size_t begin, std::size_t end) const;

 private:
  // The actors of one clip and loop mode, ascending: slots [first, first + count). Every run starts
  // at a multiple of eight; the slots between runs are padding.
  struct Run {
    LoopMode loop = LoopMode::Loop;
    double durationSeconds = 0.0;
    int firstFrame = 0;     // of the atlas
    int lastInterval = -1;  // as CrowdClip::lastInterval()
    // Of a clip with step frames: the stored frame before each moment but the last, and the frame
    // before the last stored one. Empty for other clips, whose moments are their frames.
    std::vector<std::int32_t> frames = {};
    std::size_t first = 0;
    std::size_t count = 0;
    double mostRate = 0.0;    // the largest magnitude
    double mostOffset = 0.0;  // the largest magnitude
  };
  void prepareSteps(double seconds);

  double stepSeconds_ = 0.0;  // the time that placeStep_ and phaseStep_ belong to
  std::vector<Run> runs_;
  std::vector<ClipPlay> plays_;        // by actor
  std::vector<std::uint32_t> slotOf_;  // by actor
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
