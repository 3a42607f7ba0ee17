#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/morph/difference_set.h"
#include "core/morph/morph_planner.h"

namespace ck {

// The integer accumulators of render/morph on the CPU, with the same steps. Six numbers per place:
// position x, y, z, then normal x, y, z. They are sums in steps of DifferenceSet::scale. Each
// contribution is rounded once, so removing it removes exactly what was added, and sums do not
// drift (docs/techniques.md 5.1).
class FixedSums {
 public:
  // `set` must outlive this object.
  explicit FixedSums(const DifferenceSet& set);
  void apply(const MorphPlan& plan);
  std::span<const std::int32_t> numbers() const { return numbers_; }

 private:
  const DifferenceSet& set_;
  std::vector<std::int32_t> base_;
  std::vector<std::int32_t> numbers_;
};

}  // namespace ck
