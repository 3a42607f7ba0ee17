#include "core/bake/error_tally.h"

#include <algorithm>
#include <cmath>

namespace ck {
namespace {

// 128 bins per factor of two, from 2^-20 mm to 2^12 mm.
constexpr double kLowestLog2 = -20.0;
constexpr double kBinsPerDoubling = 128.0;
constexpr std::size_t kBins = 32 * 128;

std::size_t binOf(double mm) {
  if (!(mm > 0.0)) return 0;
  const double bin = (std::log2(mm) - kLowestLog2) * kBinsPerDoubling;
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(kBins - 1)));
}

double upperEdge(std::size_t bin) {
  return std::exp2(kLowestLog2 + static_cast<double>(bin + 1) / kBinsPerDoubling);
}

}  // namespace

ErrorTally::ErrorTally() : bins_(kBins, 0) {}

void ErrorTally::add(double mm, int joint, double seconds) {
  if (count_ == 0 || mm > maxMm_) {
    maxMm_ = mm;
    worstJoint_ = joint;
    worstSeconds_ = seconds;
  }
  sumOfSquares_ += mm * mm;
  ++count_;
  ++bins_[binOf(mm)];
}

void ErrorTally::addAngle(double radians) {
  maxRadians_ = std::max(maxRadians_, radians);
}

void ErrorTally::addVertex(double mm) {
  vertexMaxMm_ = std::max(vertexMaxMm_, mm);
}

void ErrorTally::merge(const ErrorTally& other) {
  if (other.count_ > 0 && (count_ == 0 || other.maxMm_ > maxMm_)) {
    maxMm_ = other.maxMm_;
    worstJoint_ = other.worstJoint_;
    worstSeconds_ = other.worstSeconds_;
  }
  maxRadians_ = std::max(maxRadians_, other.maxRadians_);
  vertexMaxMm_ = std::max(vertexMaxMm_, other.vertexMaxMm_);
  sumOfSquares_ += other.sumOfSquares_;
  count_ += other.count_;
  for (std::size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
}

double ErrorTally::maxDegrees() const {
  return maxRadians_ * 57.29577951308232;
}

double ErrorTally::rmsMm() const {
  return count_ > 0 ? std::sqrt(sumOfSquares_ / static_cast<double>(count_)) : 0.0;
}

double ErrorTally::quantileMm(double share) const {
  if (count_ == 0) return 0.0;
  const double wanted = share * static_cast<double>(count_);
  double reached = 0.0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    reached += bins_[bin];
    if (reached >= wanted) return std::min(upperEdge(bin), maxMm_);
  }
  return maxMm_;
}

}  // namespace ck
