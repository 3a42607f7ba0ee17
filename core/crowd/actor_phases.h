#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/shared_glsl.h"
#include "core/crowd/crowd_clip.h"
#include "core/crowd/steady_record.h"

namespace ck {

// How an actor plays a clip.
struct ClipPlay {
  int clip = 0;  // into the crowd's clips
  LoopMode loop = LoopMode::Loop;
  double rate = 1.0;    // as Actor::rate
  double offset = 0.0;  // cycles
};

// The positions of many actors in their clips, computed eight at a time, bit-identical to the
// formulae of clip_place.h. They are functions of the time alone, so a tick costs nothing until
// frames are written. Actors that play one clip in one loop mode are neighbours, so that shared
// properties are read once.
class ActorPhases {
 public:
  ActorPhases() = default;
  ActorPhases(std::span<const CrowdClip> clips, std::span<const ClipPlay> plays);

  // Sets every actor to `seconds` after the start, of any sign.
  void seek(double seconds) { seconds_ = seconds; }

  const ClipPlay& playOf(std::size_t actor) const { return plays_[actor]; }
  // The position of an actor in its clip, in [0, 1].
  double unitOf(std::size_t actor) const { return unitAt(actor, seconds_); }
  double unitAt(std::size_t actor, double seconds) const;

  // Whether an actor's frames follow from the time by themselves: those of a clip of at most 65,535
  // intervals, or one frame for ever. If they are a clip's, `play` is set.
  bool isSteady(std::size_t actor, std::optional<gpu::CkPlay>& play) const;

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
    int firstFrame = 0;                          // of the atlas
    int lastInterval = -1;                       // as CrowdClip::lastInterval()
    std::vector<IntervalFrames> intervals = {};  // intervalFrames()
    std::size_t first = 0;
    std::size_t count = 0;
  };

  double seconds_ = 0.0;
  std::vector<Run> runs_;
  std::vector<ClipPlay> plays_;        // by actor
  std::vector<std::uint32_t> slotOf_;  // by actor
  // By slot.
  std::vector<std::uint32_t> actor_;
  std::vector<std::uint32_t> start_;    // clipStart()
  std::vector<std::uint32_t> paceLow_;  // clipPace() in halves
  std::vector<std::uint32_t> paceHigh_;
};

}  // namespace ck
