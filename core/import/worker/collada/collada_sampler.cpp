#include "core/import/worker/collada/collada_sampler.h"

#include <algorithm>

namespace ck::worker {
namespace {

// The handles of the segment between two keys of number `part`, as KeyCurve has them.
void setHandles(const ColladaSampler& sampler, std::size_t from, std::size_t to, std::size_t part,
                KeyCurve::Key& a, KeyCurve::Key& b) {
  const double step = b.seconds - a.seconds;
  const double rise = b.value - a.value;
  a.rightSeconds = b.leftSeconds = step / 3.0;
  a.rightValue = b.leftValue = rise / 3.0;
  ColladaSampler::Kind kind = sampler.kinds[from];
  if (kind == ColladaSampler::Kind::Step) a.rightValue = b.leftValue = 0.0;
  if (sampler.inTangents.empty() && kind != ColladaSampler::Kind::Step)
    kind = ColladaSampler::Kind::Linear;
  a.after = kind == ColladaSampler::Kind::Step     ? KeyCurve::Between::HoldThis
            : kind == ColladaSampler::Kind::Linear ? KeyCurve::Between::Linear
                                                   : KeyCurve::Between::Cubic;
  if (a.after != KeyCurve::Between::Cubic) return;
  const glm::dvec2 out = sampler.outTangents[from * sampler.width + part];
  const glm::dvec2 in = sampler.inTangents[to * sampler.width + part];
  if (kind == ColladaSampler::Kind::Hermite) {
    a.rightValue = out.y / 3.0;
    b.leftValue = in.y / 3.0;
    return;
  }
  // Handles that run backwards in time are cut, so that the curve has one value per time.
  a.rightSeconds = std::clamp(out.x, a.seconds, b.seconds) - a.seconds;
  a.rightValue = out.y - a.value;
  b.leftSeconds = b.seconds - std::clamp(in.x, a.seconds, b.seconds);
  b.leftValue = b.value - in.y;
}

}  // namespace

KeyCurve curveOf(const ColladaSampler& sampler, std::size_t part,
                 const std::map<double, std::size_t>& keyAtTime) {
  KeyCurve curve;
  curve.before = sampler.before;
  curve.after = sampler.after;
  std::size_t last = 0;
  for (const auto& [time, key] : keyAtTime) {
    KeyCurve::Key next;
    next.seconds = time;
    next.value = sampler.values[key * sampler.width + part];
    next.after = KeyCurve::Between::Linear;
    if (!curve.keys.empty()) setHandles(sampler, last, key, part, curve.keys.back(), next);
    curve.keys.push_back(next);
    last = key;
  }
  return curve;
}

}  // namespace ck::worker
