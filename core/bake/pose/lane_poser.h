#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/bake/pose/lane_keys.h"
#include "core/base/lane_path.h"
#include "core/scene/character.h"

namespace ck {

// The pose of one skin joint at eight moments, side by side.
struct alignas(32) LanePose {
  float rows[3][4][kLaneCount];  // of the skin matrix
  float place[3][kLaneCount];    // of the joint's pivot, in model space
};

// Three rows of the matrix of a joint in model space at eight moments.
struct alignas(32) LaneRows {
  float at[3][4][kLaneCount];
};

// A pose in pivot form: v' = scale * rotation * (v - pivot) + place.
struct alignas(32) LanePivot {
  float rotation[4][kLaneCount];  // x, y, z, w; of length 1 up to rounding, of either sign
  float place[3][kLaneCount];
  float scale[kLaneCount];
};

// Whether joints nearly keep their shape in a clip: along no chain do scales differ between axes by
// more than a thousandth, bind matrices by no more than another, nothing is mirrored, and nothing
// loses its size. The product of the joints' rotations is then the rotation nearest to the skin
// matrix up to the square of this, and that of pivotPoseOf() up to this itself, where matrices
// shear.
bool isNearlyRigid(const Rig& rig, const Clip& clip);

// Poses many moments of one clip, eight at a time, in float: for bakes and whatever else evaluates
// a clip at more than a few moments. Times are double until they are a fraction of a key step; the
// keys are prepared once, and channels that stay as they are cost nothing. WindowSampler is the
// reference, in double and one moment at a time; poses differ by its rounding to float, about 1e-7
// of the size of the rig for each joint of a chain.
class LanePoser {
 public:
  // The window continues after the last key as WindowSampler says. The clip must outlive the poser.
  // `threads`: how many prepare the keys; 0: one per core.
  LanePoser(const Rig& rig, const Clip& clip, double closingSeconds, int threads = 1);

  // A run of moments, prepared for posing, with scratch memory; each thread needs its own.
  class Run {
   public:
    // Eight moments each; the last batch repeats the last moment.
    std::size_t batchCount() const { return keys_.batchCount; }

   private:
    friend class LanePoser;
    struct alignas(32) Turn {
      float at[4][kLaneCount];
    };
    LaneRun keys_;
    // The matrices of the last batch, one per joint.
    std::vector<LaneRows> globals_;
    std::vector<Turn> turns_;  // pivots() only
  };

  // The moments need not ascend. At least one.
  void prepare(std::span<const StoredFrame> moments, Run& run) const;

  // The poses of the moments from kLaneCount * batch on, one per skin joint.
  void pose(Run& run, std::size_t batch, std::span<LanePose> poses,
            LanePath path = LanePath::Best) const;

  // Poses the joints alone, for jointOf() and poseOf().
  void joints(Run& run, std::size_t batch, LanePath path = LanePath::Best) const;

  // ck::isNearlyRigid() of the rig and the clip.
  bool isNearlyRigid() const { return nearlyRigid_; }

  // The poses in pivot form, for clips that are nearly rigid: without the matrices of skin joints
  // and what it takes to find rotations in them. False if a pose is not finite or has no size.
  bool pivots(Run& run, std::size_t batch, std::span<LanePivot> poses,
              LanePath path = LanePath::Best) const;

  // The joint of a skin joint, in the batch that was posed last.
  const LaneRows& jointOf(const Run& run, std::size_t skinJoint) const {
    return run.globals_[skins_[skinJoint].joint];
  }
  // The pose of one skin joint in that batch.
  void poseOf(Run& run, std::size_t skinJoint, LanePose& pose,
              LanePath path = LanePath::Best) const;

  std::size_t skinJointCount() const { return skins_.size(); }

 private:
  struct Node {
    int parent = -1;
    bool hasPre = false;
    bool turnsPre = false;   // whether preTurn is more than nothing
    bool unitScale = false;  // the scale is 1 at all moments
    float pre[3][4] = {};
    float preTurn[4] = {};
    LaneChannel translation, rotation, scale;
  };
  struct Skin {
    std::size_t joint = 0;
    float inverseBind[3][4] = {};
    bool pivotIsOrigin = true;  // the joint's own place is that of the pivot
    float pivot[3] = {};        // in the joint's space
    bool turns = false;         // whether `turn` is more than nothing
    float turn[4] = {};         // the rotation of inverseBind
    float determinant = 1.0f;   // of inverseBind
    float stillScale = 0.0f;    // the scale at all moments; 0: it changes
  };
  struct ChannelReader;
  struct Kernel;

  void addTracks(const Rig& rig, const Clip& clip);
  void addSkins(const Rig& rig);

  LaneKeys keys_;
  std::vector<Node> nodes_;
  std::vector<Skin> skins_;
  bool nearlyRigid_ = false;
};

}  // namespace ck
