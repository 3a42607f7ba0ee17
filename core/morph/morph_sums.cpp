#include "core/morph/morph_sums.h"

#include "core/base/shared_glsl.h"

namespace ck {
namespace {

template <class Number, class Make>
std::vector<Number> baseNumbers(const DifferenceSet& set, Make&& make) {
  std::vector<Number> numbers;
  numbers.reserve(set.positions.size() * 6);
  for (std::size_t place = 0; place < set.positions.size(); ++place) {
    for (int i = 0; i < 3; ++i)
      numbers.push_back(make(set.positions[place][i], set.scale.position));
    for (int i = 0; i < 3; ++i) numbers.push_back(make(set.normals[place][i], set.scale.normal));
  }
  return numbers;
}

}  // namespace

FixedSums::FixedSums(const DifferenceSet& set)
    : set_(set),
      base_(baseNumbers<std::int32_t>(
          set, [](float value, float scale) { return gpu::ck_morphStep(1.0f, value * scale); })),
      numbers_(base_) {}

void FixedSums::apply(const MorphPlan& plan) {
  if (plan.rebase) numbers_ = base_;
  for (const MorphChange& change : plan.changes) {
    const DifferenceMesh& morph = set_.morphs[static_cast<std::size_t>(change.morph)];
    const auto step = [&change](float delta, float scale) {
      const float steps = delta * scale;
      return gpu::ck_morphStep(change.now, steps) - gpu::ck_morphStep(change.before, steps);
    };
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      std::int32_t* at = numbers_.data() + std::size_t{morph.places[i]} * 6;
      for (int k = 0; k < 3; ++k) at[k] += step(morph.positions[i][k], set_.scale.position);
      for (int k = 0; k < 3; ++k) at[3 + k] += step(morph.normals[i][k], set_.scale.normal);
    }
  }
}

FloatSums::FloatSums(const DifferenceSet& set)
    : set_(set),
      base_(baseNumbers<float>(set, [](float value, float) { return value; })),
      numbers_(base_) {}

void FloatSums::apply(const MorphPlan& plan) {
  if (plan.rebase) numbers_ = base_;
  for (const MorphChange& change : plan.changes) {
    const DifferenceMesh& morph = set_.morphs[static_cast<std::size_t>(change.morph)];
    const float step = change.now - change.before;
    for (std::size_t i = 0; i < morph.places.size(); ++i) {
      float* at = numbers_.data() + std::size_t{morph.places[i]} * 6;
      for (int k = 0; k < 3; ++k) at[k] += step * morph.positions[i][k];
      for (int k = 0; k < 3; ++k) at[3 + k] += step * morph.normals[i][k];
    }
  }
}

}  // namespace ck
