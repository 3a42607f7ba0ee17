#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/bake/pose_lanes.h"
#include "core/error/lane_frames.h"
#include "core/error/pose_comparison.h"

namespace ck {

// How far a reading draws a joint from the source at eight moments.
struct alignas(32) LaneOff {
  float rows[3][4][kLaneCount];    // of the source's skin matrix less those of the drawn one
  float linear[3][3][kLaneCount];  // rows of the drawn one, if morphs move vertices
};

// Draws the poses of a clip at eight moments side by side, and subtracts them from those of the
// source. Holds scratch memory, so each thread needs its own.
class LaneOffs {
 public:
  // The inputs must outlive it.
  LaneOffs(const ComparisonInputs& inputs, int atlasClip);

  // As LaneFrames has it.
  void choose(std::span<const double> units) { frames_.choose(units); }

  // Draws all joints at positions in the clip, and subtracts them from `source` and its `pivots`.
  // `morphing`: whether LaneOff::linear is needed. False, with undefined results, if something is
  // not finite or has no size.
  bool draw(std::span<const double, kLaneCount> units, Reading reading,
            std::span<const LanePose> source, bool morphing);

  // Those of the last draw().
  std::span<const LaneOff> joints() const { return offs_; }
  // kLaneCount for each joint: the squares of lengths that none of the joint's vertices exceeds.
  std::span<const float> reachSquares() const { return reachSquares_; }
  // The squares of the largest distance of three points around the pivot of a joint
  // (shellDistance()).
  const float (&shellSquares(std::size_t joint) const)[kLaneCount] {
    return shells_[joint].squares;
  }
  // The rotations as drawn.
  const float (&rotations(std::size_t joint) const)[4][kLaneCount] {
    return skins_.empty() ? drawn_[joint].rotation : skinPivots_[joint].rotation;
  }

 private:
  struct alignas(32) ShellSquares {
    float squares[kLaneCount];
  };
  struct Kernel;

  const ComparisonInputs& inputs_;
  PoseForm form_;
  LaneFrames frames_;
  // The drawn poses by joint, and in their place matrices in the matrix form.
  std::vector<LaneDrawn> drawn_;
  std::vector<LaneRows> matrices_;
  // The skin matrices as drawn, in which rotations and shells are found where poses hold something
  // else than pivots.
  std::vector<LanePose> skins_;
  std::vector<LanePivot> skinPivots_;
  std::vector<LaneMost> unused_;
  std::vector<LaneOff> offs_;
  std::vector<float> reachSquares_;
  std::vector<ShellSquares> shells_;
};

}  // namespace ck
