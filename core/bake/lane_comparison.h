#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/bake/pose_comparison.h"

namespace ck {

class LanePoser;

// Compares up to eight moments between two stored frames side by side, in float: what
// PoseComparison, which asks for it, measures in double one moment at a time. Off by about 1e-7 of
// the size of the character. Holds scratch memory, so each thread needs its own.
class LaneComparison {
 public:
  // Atlases of poses, not of matrices, that are interpolated outside texture units.
  static bool canCompare(const ComparisonInputs& inputs);

  // For inputs that can be compared. Both must outlive it.
  LaneComparison(const ComparisonInputs& inputs, const LanePoser& poser);
  ~LaneComparison();

  // The weights of the morphs of moment `lane` of the next comparison, in the source and as drawn;
  // needed, for all eight lanes, if the character has morphs.
  void setMorphs(std::size_t lane, std::span<const float> weights, std::span<const float> shown);

  // As PoseComparison has them.
  void skipVerticesBelow(Reading reading, double mm);
  void sampleEvery(std::size_t step, std::size_t first);

  // Compares ascending moments, at least one. False if something is not finite or has no size;
  // then nothing is known of these moments.
  bool compare(const ComparedClip& clip, std::span<const double> moments);
  void forget();

  // The lane of a moment that was compared last, or -1.
  int laneOf(double seconds) const;

  // Of a lane: what PoseComparison::at(), turn(), shell() and vertices() give.
  Spots spots(int lane) const;
  double turn(int lane) const;
  void shell(Reading reading, int lane, std::vector<float>& mm) const;
  void vertices(Reading reading, int lane, std::vector<float>& mm) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace ck
