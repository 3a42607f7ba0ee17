#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/lane_path.h"
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
// frames are written. The data for that lie in the order of actors, so that memory is read and
// written from its beginning to its end.
class ActorPhases {
 public:
  ActorPhases() = default;
  ActorPhases(std::span<const CrowdClip> clips, std::span<const ClipPlay> plays);

  // Lets an actor play another clip, or otherwise. `play` names one of the given clips.
  void set(std::size_t actor, const ClipPlay& play);

  // Sets every actor to `seconds` after the start, of any sign.
  void seek(double seconds) { seconds_ = seconds; }

  const ClipPlay& playOf(std::size_t actor) const { return plays_[actor]; }
  // The position of an actor in its clip, in [0, 1].
  double unitOf(std::size_t actor) const { return unitAt(actor, seconds_); }
  double unitAt(std::size_t actor, double seconds) const;

  // Whether an actor's frames follow from the time by themselves: those of a clip of at most 65,535
  // intervals, or one frame for ever. If they are a clip's, `play` is set.
  bool isSteady(std::size_t actor, std::optional<gpu::CkPlay>& play) const;

  // Writes frame A and its fraction of every actor. `frames` has one entry for each.
  void writeFrames(std::span<gpu::CkFrames> frames, LanePath path = LanePath::Best) const;

 private:
  struct Clip {
    double durationSeconds = 0.0;
    int firstFrame = 0;                          // of the atlas
    int lastInterval = -1;                       // as CrowdClip::lastInterval()
    std::vector<IntervalFrames> intervals = {};  // intervalFrames()
  };
  // The numbers by which actors are moved on. Seven more entries than actors, so that every group
  // of eight can be read as a whole.
  struct Columns {
    std::vector<std::uint32_t> start;    // clipStart()
    std::vector<std::uint32_t> paceLow;  // clipPace() in halves
    std::vector<std::uint32_t> paceHigh;
    std::vector<std::uint32_t> firstFrame;
    std::vector<std::uint32_t> intervals;  // their number; 0 where searched_ finds the frame
  };
  // Actors that are written again after all were written as if they looped.
  struct Again {
    std::vector<std::uint32_t> actors;  // ascending
    Columns columns;                    // by entry of `actors`
  };
  struct Writing;
  static void resize(Columns& columns, std::size_t count);
  void readPlay(std::size_t actor);
  void copyColumns(Again& again, std::size_t first, std::size_t end) const;

  double seconds_ = 0.0;
  std::vector<Clip> clips_;
  std::vector<ClipPlay> plays_;  // by actor
  Columns columns_;              // by actor
  Again once_;
  Again thereAndBack_;
  // Actors whose clips have moments that are not their frames, or more than 65,535 intervals.
  std::vector<std::uint32_t> searched_;
};

}  // namespace ck
