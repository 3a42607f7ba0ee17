#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/anim/playback.h"
#include "core/atlas/atlas.h"
#include "core/bake/pose/lane_keys.h"
#include "core/bake/pose/lane_poser.h"

namespace ck {

// How an atlas draws a joint at eight moments.
struct alignas(32) LaneDrawn {
  float rotation[4][kLaneCount];  // x, y, z, w
  float place[3][kLaneCount];
  float scale[3][kLaneCount];
};

// Draws the poses of a clip at eight moments side by side, in float, each between two stored frames
// of its own (posesBetween()) or at the nearer of both. Holds scratch memory, so each thread needs
// its own.
class LaneFrames {
 public:
  // The atlas must outlive it.
  LaneFrames(const Atlas& atlas, int clip, bool interpolate);

  // Takes for each lane the two stored frames around a position in the clip, in [0, 1]: up to
  // eight, at least one; lanes beyond take the last. Fastest where they ascend, because frames are
  // decoded once.
  void choose(std::span<const double> units);

  // Draws all joints at positions between the frames of their lanes, and at the nearer of both
  // frames outside: draw() in the pivot and trs forms, drawMatrices() in the matrix form, about the
  // pivot.
  void draw(std::span<const double, kLaneCount> units, Reading reading,
            std::span<LaneDrawn> joints) const;
  void drawMatrices(std::span<const double, kLaneCount> units, Reading reading,
                    std::span<LaneRows> joints) const;

 private:
  // A pose of a joint in a frame: rotation, place and scale, each filled up to four, or the rows of
  // a matrix.
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
  // A matrix in both frames of all lanes.
  struct alignas(32) Matrices {
    float at[2][3][4][kLaneCount];
  };
  // A joint in matrix form. `kept` is the matrix that keeps its lengths and cosines
  // (ck_matrixKept()): as the parent sees it where the parent has a size in both frames, else in
  // model space.
  struct alignas(32) MatrixJoint {
    Matrices own;
    Matrices kept;
    float lengths[2][3][kLaneCount];
    float cosines[2][3][kLaneCount];
    std::int32_t hasLink[kLaneCount];  // as in Joint
  };
  struct PoseKernel;
  struct MatrixKernel;

  const Pose* posesOf(int frame);
  struct Alphas {
    float at[kLaneCount];
  };
  Alphas alphasOf(std::span<const double, kLaneCount> units) const;

  const Atlas& atlas_;
  int clip_;
  FrameGrid grid_;
  std::array<FrameGap, kLaneCount> gaps_;
  std::array<Frame, 2 * kLaneCount> frames_;  // that were decoded last
  std::uint64_t uses_ = 0;
  std::vector<Ends> ends_;
  std::vector<Joint> joints_;
  std::vector<MatrixJoint> matrices_;  // of the matrix form, which has no joints_
  bool interpolate_;
};

}  // namespace ck
