#include "core/import/worker/collada/collada_curve.h"

#include <algorithm>
#include <cmath>

namespace ck::worker {
namespace {

double cubic(double p0, double c0, double c1, double p1, double s) {
  const double r = 1.0 - s;
  return r * r * r * p0 + 3.0 * r * r * s * c0 + 3.0 * r * s * s * c1 + s * s * s * p1;
}

// The spline parameter at which the curve's time is `seconds`. Control points that run backwards in
// time are clamped, so that the curve has one value per time.
double bezierPlace(double t0, double c0, double c1, double t1, double seconds) {
  c0 = std::clamp(c0, t0, t1);
  c1 = std::clamp(c1, t0, t1);
  double low = 0.0;
  double high = 1.0;
  for (int step = 0; step < 50; ++step) {
    const double middle = 0.5 * (low + high);
    (cubic(t0, c0, c1, t1, middle) < seconds ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

double ColladaCurve::at(double seconds, int part) const {
  const auto value = [this, part](std::size_t key) {
    return values[key * static_cast<std::size_t>(width) + static_cast<std::size_t>(part)];
  };
  const auto after = std::upper_bound(times.begin(), times.end(), seconds);
  if (after == times.begin()) return value(0);
  if (after == times.end()) return value(times.size() - 1);
  const std::size_t next = static_cast<std::size_t>(after - times.begin());
  const std::size_t key = next - 1;
  const double t0 = times[key];
  const double t1 = times[next];
  const double unit = (seconds - t0) / (t1 - t0);
  Kind kind = kinds[key];
  if (inTangents.empty() && kind != Kind::Step) kind = Kind::Linear;
  if (kind == Kind::Step) return value(key);
  if (kind == Kind::Linear) return value(key) + (value(next) - value(key)) * unit;
  const std::size_t w = static_cast<std::size_t>(width);
  const glm::dvec2 out = outTangents[key * w + static_cast<std::size_t>(part)];
  const glm::dvec2 in = inTangents[next * w + static_cast<std::size_t>(part)];
  if (kind == Kind::Hermite) {
    return cubic(value(key), value(key) + out.y / 3.0, value(next) - in.y / 3.0, value(next), unit);
  }
  return cubic(value(key), out.y, in.y, value(next), bezierPlace(t0, out.x, in.x, t1, seconds));
}

}  // namespace ck::worker
