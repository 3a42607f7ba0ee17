#include "core/morph/morph_sums.h"

#include <algorithm>

#include "core/base/assert.h"
#include "core/base/shared_glsl.h"

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

FixedSums::FixedSums(const DifferenceSet& set) : set_(set) {
  for (std::size_t place = 0; place < set.positions.size(); ++place) {
    const glm::vec3 position = set.positions[place] * set.scale.position;
    const glm::vec3 normal = set.normals[place] * set.scale.normal;
    for (int k = 0; k < 3; ++k) base_.push_back(gpu::ck_morphStep(1.0f, position[k]));
    for (int k = 0; k < 3; ++k) base_.push_back(gpu::ck_morphStep(1.0f, normal[k]));
  }
  numbers_ = base_;
}

void FixedSums::apply(const MorphPlan& plan) {
  if (plan.rebase) numbers_ = base_;
  for (const MorphChange& change : plan.changes) {
    const DifferenceMesh& morph = set_.morphs[static_cast<std::size_t>(change.morph)];
    const auto step = [&change](float steps) {
      return gpu::ck_morphStep(change.now, steps) - gpu::ck_morphStep(change.before, steps);
    };
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      std::int32_t* at = numbers_.data() + std::size_t{morph.places[i]} * 6;
      for (int k = 0; k < 3; ++k) at[k] += step(morph.positions[i][k] * set_.scale.position);
      for (int k = 0; k < 3; ++k) at[3 + k] += step(morph.normals[i][k] * set_.scale.normal);
    }
  }
}

}  // namespace ck
