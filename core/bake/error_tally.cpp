#include "core/bake/error_tally.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

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

void ErrorTally::add(std::span<const float> errors, double weight) {
  if (errors.empty()) return;
  const double each = weight / static_cast<double>(errors.size());
  // Sums of their own, which the compiler need not write to memory after every bin.
  float most = 0.0f;
  double sum = sumOfSquares_;
  double* const bins = bins_.data();
  for (const float error : errors) {
    most = std::max(most, error);
    sum += each * static_cast<double>(error) * static_cast<double>(error);
    bins[binOf(error)] += each;
  }
  max_ = std::max(max_, static_cast<double>(most));
  sumOfSquares_ = sum;
  weight_ += weight;
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
