#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/morph/difference_set.h"
#include "core/morph/morph_planner.h"

namespace ck {

// The accumulators of render/morph on the CPU, step for step: what they are compared with, and the
// way where there is no other. Per place six numbers: position x, y, z, then normal x, y, z.

// 32-bit integers in steps of DifferenceSet::scale. A contribution is rounded once, so that taking
// it out takes out exactly what was put in: sums never drift (TECHNIQUES 4).
class FixedSums {
 public:
  // `set` must outlive it.
  explicit FixedSums(const DifferenceSet& set);
  void apply(const MorphPlan& plan);
  std::span<const std::int32_t> numbers() const { return numbers_; }

 private:
  const DifferenceSet& set_;
  std::vector<std::int32_t> base_;
  std::vector<std::int32_t> numbers_;
};

// Floats, to which (now - before) * difference is added.
class FloatSums {
 public:
  explicit FloatSums(const DifferenceSet& set);
  void apply(const MorphPlan& plan);
  std::span<const float> numbers() const { return numbers_; }

 private:
  const DifferenceSet& set_;
  std::vector<float> base_;
  std::vector<float> numbers_;
};

}  // namespace ck
