#include "core/morph/morph_planner.h"

#include <algorithm>

#include "core/base/assert.h"

namespace ck {

MorphPlanner::MorphPlanner(std::size_t morphCount, MorphSums sums)
    : sums_(sums), held_(morphCount, 0.0f) {}

MorphPlan MorphPlanner::next(std::span<const float> weights, bool jumped, bool onlyChanged) {
  CK_ASSERT(weights.size() == held_.size());
  const bool changed = !std::equal(weights.begin(), weights.end(), held_.begin());
  MorphPlan plan;
  plan.rebase = !holds_ || jumped || !onlyChanged;
  if (sums_ == MorphSums::Float && changed) {
    const bool rest =
        std::all_of(weights.begin(), weights.end(), [](float weight) { return weight == 0.0f; });
    plan.rebase = plan.rebase || rest || ++updates_ >= kFloatUpdates;
  }
  if (plan.rebase) {
    std::fill(held_.begin(), held_.end(), 0.0f);
    updates_ = 0;
  }
  for (std::size_t m = 0; m < held_.size(); ++m) {
    if (weights[m] == held_[m] && onlyChanged) continue;
    plan.changes.push_back({static_cast<int>(m), held_[m], weights[m]});
    held_[m] = weights[m];
  }
  holds_ = true;
  return plan;
}

}  // namespace ck
