#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/bake/pose/lane_keys.h"
#include "core/error/lane_offs.h"
#include "core/error/lane_vertex_errors.h"
#include "core/error/pose_comparison.h"

namespace ck {

// Moves eight values by a lane; the first one becomes the last one of those before.
inline void moveLanesOn(const float* values, const float* before, float* to) {
  to[0] = before[kLaneCount - 1];
  std::copy(values, values + kLaneCount - 1, to + 1);
}

// Compares eight moments of a clip side by side, each between two stored frames of its own, in
// float: what PoseComparison, which asks for it, measures in double one moment at a time. Off by
// about 1e-7 of the size of the character. Holds scratch memory, so each thread needs its own.
class LaneComparison {
 public:
  // Atlases that are not interpolated by texture units, whose fractions have few bits.
  static bool canCompare(const ComparisonInputs& inputs);

  // For inputs that can be compared, and a clip with a poser. Both must outlive it.
  LaneComparison(const ComparisonInputs& inputs, const ComparedClip& clip);

  // As PoseComparison has them; sampleEvery() counts from the next prepare() on.
  void skipVerticesBelow(Reading reading, double mm) { vertices_.skipBelow(reading, mm); }
  void sampleEvery(std::size_t step, std::size_t first) { vertices_.sampleEvery(step, first); }

  // Says for each lane between which stored frames it compares: those around a moment in seconds.
  // Up to eight, at least one; lanes beyond take the last.
  void setFrames(std::span<const double> inside);

  // Announces moments, eight for each batch; the last batch repeats the last one. At least one.
  void prepare(std::span<const double> moments);

  // The weights of the morphs of moment `lane` of the next comparison, in the source and as drawn;
  // needed, for all eight lanes, if the character has morphs.
  void setMorphs(std::size_t lane, std::span<const float> weights, std::span<const float> shown) {
    vertices_.setMorphs(lane, weights, shown);
  }

  // Compares the moments of a batch, and keeps how joints are turned in one of kSlots. False if
  // something is not finite or has no size; then nothing is known of these moments.
  static constexpr std::size_t kSlots = 4;
  bool compare(std::size_t batch, std::size_t slot);

  // The results of PoseComparison::at(), shell() and vertices() for the moments compared last:
  // eight values for each joint and vertex.
  Spots spots(std::size_t lane) const;
  std::span<const float> shell(Reading reading) const {
    return joints_[static_cast<std::size_t>(reading)].shellMm;
  }
  std::span<const float> vertices(Reading reading) const { return vertices_.mm(reading); }

  // By lane, what PoseComparison::turn() gives from the moments of a slot to those of another one.
  std::array<double, kLaneCount> turnBetween(std::size_t from, std::size_t to) const;
  // Gives each lane of the slot `to` what the lane before has in the slot `from`, and the first one
  // what the last one has in the slot `before`.
  void moveOn(std::size_t from, std::size_t before, std::size_t to);

 private:
  static constexpr std::size_t kTurned = 3;  // the source, and two readings
  struct alignas(32) Turn {
    float at[4][kLaneCount];
  };
  // The results of one reading.
  struct JointErrors {
    std::vector<float> shellMm;  // joints with vertices, kLaneCount each
    std::array<Spot, kLaneCount> shell;
    std::array<Spot, kLaneCount> degrees;
  };
  struct Kernel;

  double unitOf(double seconds) const;

  const ComparisonInputs& inputs_;
  const ComparedClip& clip_;
  LaneOffs offs_;
  LaneVertexErrors vertices_;
  std::vector<double> units_;  // of the moments that are prepared
  LanePoser::Run run_;
  std::vector<LanePose> source_;
  std::vector<LanePivot> pivots_;  // of the source
  std::vector<LaneMost> unused_;
  std::array<JointErrors, 2> joints_;
  // By slot, of joints with vertices: the rotations of the source, and of both readings.
  std::array<std::vector<Turn>, kSlots> turns_;
};

}  // namespace ck
