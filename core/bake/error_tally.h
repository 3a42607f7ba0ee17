#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ck {

// Collects distances (millimetres) and angles. Merging partial tallies in a fixed order gives the
// same result for any number of threads.
class ErrorTally {
 public:
  ErrorTally();

  void add(double mm, int joint, double seconds);
  void addAngle(double radians);
  void addVertex(double mm);
  void merge(const ErrorTally& other);

  double maxMm() const { return maxMm_; }
  int worstJoint() const { return worstJoint_; }
  double worstSeconds() const { return worstSeconds_; }
  double maxDegrees() const;
  double vertexMaxMm() const { return vertexMaxMm_; }
  double rmsMm() const;

  // The smallest distance that at least `share` of all distances do not exceed; at most 0.6 % too
  // large.
  double quantileMm(double share) const;

 private:
  double maxMm_ = 0.0;
  int worstJoint_ = 0;
  double worstSeconds_ = 0.0;
  double maxRadians_ = 0.0;
  double vertexMaxMm_ = 0.0;
  double sumOfSquares_ = 0.0;
  std::uint64_t count_ = 0;
  std::vector<std::uint32_t> bins_;  // bins of equal width in log2(mm)
};

}  // namespace ck
