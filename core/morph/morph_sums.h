#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/morph/difference_set.h"

namespace ck {

// A morph whose weight has changed.
struct MorphChange {
  int morph = 0;  // into the set
  float before = 0.0f;
  float now = 0.0f;
};

// The work that an accumulator must do to reach new weights.
struct MorphPlan {
  bool rebase = false;               // restart from the vertices without morphs
  std::vector<MorphChange> changes;  // ascending by morph; after a rebase `before` is 0
};

// The number type of accumulators. Fixed (integer) sums do not drift. Float sums drift, so they
// restart on every jump, when all weights are zero, and after kFloatUpdates changes. This keeps
// them within 0.01 mm even if a third of 16 morphs changes in every frame.
enum class MorphSums { Fixed, Float };
inline constexpr int kFloatUpdates = 240;

// Tracks the weights that an accumulator holds, and plans updates.
class MorphPlanner {
 public:
  MorphPlanner(std::size_t morphCount, MorphSums sums);

  // `jumped` is true after a seek, a change of clip or a reset. If `onlyChanged` is false, every
  // plan restarts and contains every morph, as a renderer without accumulators would do.
  MorphPlan next(std::span<const float> weights, bool jumped, bool onlyChanged = true);

 private:
  MorphSums sums_;
  std::vector<float> held_;
  bool holds_ = false;
  int updates_ = 0;
};

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
