#pragma once

#include <span>
#include <vector>

namespace ck {

// The distribution of errors, each with a weight: how long it lasts. Merging partial tallies in a
// fixed order gives the same result for any number of threads.
class ErrorTally {
 public:
  ErrorTally();

  // Adds errors of as many groups as there are weights (at least one), one of each group after the
  // other. The errors of a group have its weight together; groups with none are left out. All are
  // finite and >= 0.
  void add(std::span<const float> errors, std::span<const double> weights);
  void merge(const ErrorTally& other);

  // The root of the weighted mean of squares; 0 if nothing was added.
  double rms() const;

  // The smallest error that at least `share` of the weight does not exceed; at most 0.6 % too
  // large.
  double quantile(double share) const;

 private:
  double max_ = 0.0;
  double sumOfSquares_ = 0.0;
  double weight_ = 0.0;
  std::vector<double> bins_;  // weights; 128 bins for each factor of two
};

}  // namespace ck
