#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/bake/step_frames.h"
#include "core/scene/character.h"

namespace ck {

// Moments that are processed side by side.
inline constexpr std::size_t kLaneCount = 8;

// Which instructions evaluate lanes. Both give the same bytes; tests compare them.
enum class LanePath { Best, Plain };

// The pose of one skin joint at eight moments, side by side.
struct alignas(32) LanePose {
  float rows[3][4][kLaneCount];  // of the skin matrix
  float place[3][kLaneCount];    // of the joint's pivot, in model space
};

// Poses many moments of one clip, eight at a time, in float: for bakes and whatever else evaluates
// a clip at more than a few moments. Times are double until they are a fraction of a key step; the
// keys are prepared once, and channels that stay as they are cost nothing. WindowSampler is the
// reference, in double and one moment at a time; poses differ by its rounding to float, about 1e-7
// of the size of the rig for each joint of a chain.
class LanePoser {
 public:
  // The window continues after the last key as WindowSampler says. The clip must outlive the poser.
  LanePoser(const Rig& rig, const Clip& clip, double closingSeconds);

  // A run of moments, prepared for posing, with scratch memory; each thread needs its own.
  class Run {
   public:
    // Eight moments each; the last batch repeats the last moment.
    std::size_t batchCount() const { return batchCount_; }

   private:
    friend class LanePoser;
    // Where the moments lie between the key times of one or more tracks.
    struct Places {
      std::vector<std::int32_t> keys;   // the key before each moment
      std::vector<float> along;         // in [0, 1]
      std::vector<std::uint8_t> state;  // per batch: kShared, kPair, kOnKeys
    };
    struct alignas(32) Global {
      float rows[3][4][kLaneCount];
    };
    std::size_t batchCount_ = 0;
    std::vector<Places> places_;  // one per axis
    std::vector<float> dense_;
    std::vector<Global> globals_;
  };

  // The moments need not ascend. At least one.
  void prepare(std::span<const StoredFrame> moments, Run& run) const;

  // The poses of the moments from kLaneCount * batch on, one per skin joint.
  void pose(Run& run, std::size_t batch, std::span<LanePose> poses,
            LanePath path = LanePath::Best) const;

  std::size_t skinJointCount() const { return skins_.size(); }

 private:
  // How a property gets its values.
  enum class Kind {
    Still,   // one value
    Linear,  // between the keys of a linear track
    Dense,   // one value per moment, sampled in double: steps and splines
  };
  struct Channel {
    Kind kind = Kind::Still;
    std::uint32_t axis = 0;       // Linear: into axes_
    std::size_t values = 0;       // Linear: into values_; Dense: into Run::dense_, in batches
    const void* track = nullptr;  // Dense
    float still[4] = {};
  };
  struct Node {
    int parent = -1;
    bool hasPre = false;
    bool unitScale = false;  // the scale is 1 at all moments
    float pre[3][4] = {};
    Channel translation, rotation, scale;
  };
  struct Skin {
    std::size_t joint = 0;
    float inverseBind[3][4] = {};
    bool pivotIsOrigin = true;  // the joint's own place is that of the pivot
    float pivot[3] = {};        // in the joint's space
  };
  // Key times of one or more linear tracks, with the closing step.
  struct Axis {
    const std::vector<double>* source = nullptr;  // of the first track
    std::vector<double> times;
  };
  static constexpr std::uint8_t kShared = 1;  // all moments are in the same key step
  static constexpr std::uint8_t kPair = 2;    // all are in the first moment's step or the next
  static constexpr std::uint8_t kOnKeys = 4;  // all moments are on keys

  struct Preparation;
  struct Sampling;
  struct Work;

  const Clip* clip_;
  double closingSeconds_;
  std::vector<Node> nodes_;
  std::vector<Skin> skins_;
  std::vector<Axis> axes_;
  std::vector<float> values_;
  std::size_t densePerBatch_ = 0;  // floats
};

}  // namespace ck
