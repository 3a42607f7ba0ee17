#include "core/error/error_tally.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/base/assert.h"

namespace ck {
namespace {

// 128 bins per factor of two, from 2^-20 to 2^12 mm: the exponent of a float and the first seven
// bits of its mantissa.
constexpr std::uint32_t kMantissaShift = 16;
constexpr std::uint32_t kBins = 32 * 128;
constexpr std::uint32_t kLowest = (127 - 20) * 128;

std::size_t binOf(float error) {
  if (!(error > 0.0f)) return 0;
  const std::uint32_t bin = std::bit_cast<std::uint32_t>(error) >> kMantissaShift;
  return std::clamp(bin, kLowest, kLowest + kBins - 1) - kLowest;
}

double upperEdge(std::size_t bin) {
  const auto edge = static_cast<std::uint32_t>(kLowest + bin + 1) << kMantissaShift;
  return static_cast<double>(std::bit_cast<float>(edge));
}

}  // namespace

ErrorTally::ErrorTally() : bins_(kBins, 0.0) {}

void ErrorTally::add(std::span<const float> errors, std::span<const double> weights) {
  CK_ASSERT(!weights.empty());
  const std::size_t groups = weights.size();
  const std::size_t count = errors.size() / groups;
  double* const bins = bins_.data();
  for (std::size_t group = 0; group < groups && count > 0; ++group) {
    if (!(weights[group] > 0.0)) continue;
    const double each = weights[group] / static_cast<double>(count);
    // Sums of their own, which the compiler need not write to memory after every bin.
    float most = 0.0f;
    double sum = 0.0;
    for (std::size_t i = group; i < errors.size(); i += groups) {
      const float error = errors[i];
      most = std::max(most, error);
      sum += static_cast<double>(error) * static_cast<double>(error);
      bins[binOf(error)] += each;
    }
    max_ = std::max(max_, static_cast<double>(most));
    sumOfSquares_ += each * sum;
    weight_ += weights[group];
  }
}

void ErrorTally::merge(const ErrorTally& other) {
  max_ = std::max(max_, other.max_);
  sumOfSquares_ += other.sumOfSquares_;
  weight_ += other.weight_;
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
}

double ErrorTally::rms() const {
  return weight_ > 0.0 ? std::sqrt(sumOfSquares_ / weight_) : 0.0;
}

double ErrorTally::quantile(double share) const {
  const double wanted = share * weight_;
  double reached = 0.0;
  for (std::size_t bin = 0; bin + 1 < bins_.size(); ++bin) {
    reached += bins_[bin];
    if (reached >= wanted) return std::min(upperEdge(bin), max_);
  }
  return max_;
}

}  // namespace ck
