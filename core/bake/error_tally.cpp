#include "core/bake/error_tally.h"

#include <algorithm>
#include <cmath>

namespace ck {
namespace {

// 128 bins per factor of two, from 2^-20 to 2^12 mm.
constexpr float kLowestLog2 = -20.0f;
constexpr float kBinsPerDoubling = 128.0f;
constexpr std::size_t kBins = 32 * 128;

std::size_t binOf(float error) {
  if (!(error > 0.0f)) return 0;
  const float bin = (std::log2(error) - kLowestLog2) * kBinsPerDoubling;
  return static_cast<std::size_t>(std::clamp(bin, 0.0f, static_cast<float>(kBins - 1)));
}

double upperEdge(std::size_t bin) {
  return std::exp2(double{kLowestLog2} + static_cast<double>(bin + 1) / double{kBinsPerDoubling});
}

}  // namespace

ErrorTally::ErrorTally() : bins_(kBins, 0.0) {}

void ErrorTally::add(std::span<const float> errors, double weight) {
  const double each = weight / static_cast<double>(errors.size());
  for (const float single : errors) {
    const auto error = static_cast<double>(single);
    max_ = std::max(max_, error);
    sumOfSquares_ += each * error * error;
    bins_[binOf(single)] += each;
  }
  if (!errors.empty()) weight_ += weight;
}

void ErrorTally::merge(const ErrorTally& other) {
  max_ = std::max(max_, other.max_);
  sumOfSquares_ += other.sumOfSquares_;
  weight_ += other.weight_;
  for (std::size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
}

double ErrorTally::rms() const {
  return weight_ > 0.0 ? std::sqrt(sumOfSquares_ / weight_) : 0.0;
}

double ErrorTally::quantile(double share) const {
  const double wanted = share * weight_;
  double reached = 0.0;
  for (std::size_t bin = 0; bin + 1 < kBins; ++bin) {
    reached += bins_[bin];
    if (reached >= wanted) return std::min(upperEdge(bin), max_);
  }
  return max_;
}

}  // namespace ck
