#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/anim/playback.h"
#include "core/atlas/atlas.h"
#include "core/bake/lane_keys.h"

namespace ck {

// How an atlas draws a joint at eight moments.
struct alignas(32) LaneDrawn {
  float rotation[4][kLaneCount];  // x, y, z, w
  float place[3][kLaneCount];
  float scale[3][kLaneCount];
};

// Draws the poses of a clip at eight moments side by side, in float, each between two stored frames
// of its own (posesBetween()). For atlases of poses, not of matrices. Holds scratch memory, so each
// thread needs its own.
class LaneFrames {
 public:
  // The atlas must outlive it.
  LaneFrames(const Atlas& atlas, int clip);

  // Takes for each lane the two stored frames around a position in the clip, in [0, 1]: up to
  // eight, at least one; lanes beyond take the last. Fastest where they ascend, because frames are
  // decoded once.
  void choose(std::span<const double> units);

  // Draws all joints at positions between the frames of their lanes, and at the nearer of both
  // frames outside.
  void draw(std::span<const double, kLaneCount> units, Reading reading,
            std::span<LaneDrawn> joints) const;

 private:
  // A pose of a joint in a frame: rotation, place and scale, each filled up to four.
  struct alignas(16) Pose {
    float at[3][4];
  };
  struct Frame {
    int index = -1;
    std::uint64_t lastUse = 0;  // by which choose()
    std::vector<Pose> poses;
  };
  // A joint in both frames of all lanes, in model space or as its parent sees it.
  struct alignas(32) Ends {
    float rotation[2][4][kLaneCount];
    float place[2][3][kLaneCount];
    float scale[2][3][kLaneCount];
  };
  // The first of two frames, and the way to the second: rotations along the shorter arc.
  struct alignas(32) Way {
    float rotation[2][4][kLaneCount];
    float place[2][3][kLaneCount];
  };
  struct alignas(32) Joint {
    Way own;
    Way link;  // as its parent sees it (ck_poseSeenFrom())
    float scale[2][3][kLaneCount];
    std::int32_t hasLink[kLaneCount];  // all bits, or none: whether the parent has a size
  };
  struct Work;

  const Pose* posesOf(int frame);

  const Atlas& atlas_;
  int clip_;
  FrameGrid grid_;
  std::array<FrameGap, kLaneCount> gaps_;
  std::array<Frame, 2 * kLaneCount> frames_;  // that were decoded last
  std::uint64_t uses_ = 0;
  std::vector<Ends> ends_;
  std::vector<Joint> joints_;
};

}  // namespace ck
