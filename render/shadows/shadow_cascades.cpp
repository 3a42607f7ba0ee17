#include "render/shadows/shadow_cascades.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/assert.h"

namespace ck::render {
namespace {

using glm::vec3;
#include "shaders/crowd/light_direction.glsl"

// Weight between uniform (0) and logarithmic (1) split distances.
constexpr double kLogarithmic = 0.85;
// The nearest split distance is at least this share of the farthest.
constexpr double kNearestShare = 0.02;
// A map is left out if its area exceeds this share of the next map's area.
constexpr double kWorthwhile = 0.6;
// Finer shadow edges would look too sharp: the sun is not a point light.
constexpr double kFinestTexelMeters = 0.004;
// Sizes are rounded up to powers of 2^(1/kStepsPerOctave).
constexpr double kStepsPerOctave = 4.0;
// Border in texels for filtering and snapping.
constexpr double kBorderTexels = 8.0;

// Right, up and back (towards the light). Right is the world's X projected along the light: crowds
// are aligned with X and Z, so their boxes stay small.
glm::dmat3 lightAxes() {
  const glm::dvec3 back = towardsKeyLight();
  const glm::dvec3 x(1.0, 0.0, 0.0);
  const glm::dvec3 right = glm::normalize(x - back * glm::dot(x, back));
  return {right, glm::cross(back, right), back};
}

// A rectangle in the plane across the light, in metres.
struct Box {
  glm::dvec2 low{0.0};
  glm::dvec2 high{0.0};
  double area() const { return (high.x - low.x) * (high.y - low.y); }
  bool isEmpty() const { return high.x <= low.x || high.y <= low.y; }
};

Box meet(const Box& a, const Box& b) {
  return {glm::max(a.low, b.low), glm::min(a.high, b.high)};
}

// The bounding square of the smallest sphere around the view between two depths, seen along the
// light. Its size does not change when the camera turns.
Box sphereBox(const Camera& camera, double aspect, double near, double far,
              const glm::dmat3& axes) {
  if (camera.orthographic) {
    const double half = metersHigh(camera) * 0.5;
    const double reach =
        std::sqrt(half * half * (1.0 + aspect * aspect) + 0.25 * (far - near) * (far - near));
    const glm::dvec3 middle = eyeOf(camera) - towardsEye(camera) * (0.5 * (near + far));
    const glm::dvec2 at(glm::dot(axes[0], middle), glm::dot(axes[1], middle));
    return {at - reach, at + reach};
  }
  const double high = std::tan(camera.fieldOfViewY * 0.5);
  const double slope2 = high * high * (1.0 + aspect * aspect);
  double depth = 0.5 * (near + far) * (1.0 + slope2);
  double radius = far * std::sqrt(slope2);
  if (depth < far) {
    radius = std::sqrt((far - depth) * (far - depth) + far * far * slope2);
  } else {
    depth = far;
  }
  const glm::dvec3 eye = eyeOf(camera);
  const glm::dvec3 center = eye + glm::normalize(camera.target - eye) * depth;
  const glm::dvec2 across(glm::dot(axes[0], center), glm::dot(axes[1], center));
  return {across - radius, across + radius};
}

double steppedSize(double wanted) {
  const double least = kFinestTexelMeters * kShadowMapTexels;
  const double padded = std::max(wanted, 1e-6) * (1.0 + kBorderTexels / kShadowMapTexels);
  const double stepped =
      std::exp2(std::ceil(std::log2(padded) * kStepsPerOctave) / kStepsPerOctave);
  return std::max(stepped, least);
}

Box snapped(const Box& box) {
  Box result;
  for (int i = 0; i < 2; ++i) {
    const double size = steppedSize(box.high[i] - box.low[i]);
    const double texel = size / kShadowMapTexels;
    const double middle = (box.low[i] + box.high[i]) * 0.5;
    result.low[i] = std::round((middle - size * 0.5) / texel) * texel;
    result.high[i] = result.low[i] + size;
  }
  return result;
}

// The range of depths of the casters along the view direction.
struct DepthRange {
  double near = 0.0;
  double far = 0.0;
};

DepthRange depthsOf(const Camera& camera, const std::array<glm::dvec3, 8>& corners) {
  const glm::dvec3 eye = eyeOf(camera);
  const glm::dvec3 forward = glm::normalize(camera.target - eye);
  DepthRange range{1e300, camera.orthographic ? -1e300 : 0.0};
  for (const glm::dvec3& corner : corners) {
    const double depth = glm::dot(corner - eye, forward);
    range.near = std::min(range.near, depth);
    range.far = std::max(range.far, depth);
  }
  if (!camera.orthographic) range.near = std::max(range.near, 0.0);
  return range;
}

// The boxes from the finest to the largest, without those that are not worth a pass.
std::vector<Box> boxesFor(const Camera& camera, double aspect, const DepthRange& depths,
                          const Box& all, int most) {
  const glm::dmat3 axes = lightAxes();
  // Parallel lines of sight see every depth equally fine.
  if (camera.orthographic) most = 1;
  const double from = std::max(depths.near, depths.far * kNearestShare);
  std::vector<Box> boxes;
  for (int i = 0; i < most; ++i) {
    const double share = double(i + 1) / most;
    const double logarithmic = from * std::pow(depths.far / from, share);
    const double even = from + (depths.far - from) * share;
    const double border =
        i + 1 == most ? depths.far : kLogarithmic * logarithmic + (1.0 - kLogarithmic) * even;
    const Box seen = meet(all, sphereBox(camera, aspect, depths.near, border, axes));
    if (!seen.isEmpty()) boxes.push_back(snapped(seen));
  }
  for (std::size_t i = boxes.size(); i-- > 1;) {
    if (boxes[i - 1].area() <= boxes[i].area() * kWorthwhile) continue;
    boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(i) - 1);
  }
  return boxes;
}

}  // namespace

glm::dvec3 towardsKeyLight() {
  return glm::normalize(glm::dvec3(kToLight));
}

ShadowCascades planCascades(const Camera& camera, double aspect, const Bounds& casters, int most) {
  CK_ASSERT(most >= 1 && most <= ShadowLook::kMost);
  ShadowCascades plan;
  const auto corners = cornersOf(casters);
  const DepthRange depths = depthsOf(camera, corners);
  if (!(depths.far > depths.near)) return plan;

  const glm::dmat3 axes = lightAxes();
  Box all{glm::dvec2(1e300), glm::dvec2(-1e300)};
  double nearest = -1e300;  // along the light, towards it
  double farthest = 1e300;
  for (const glm::dvec3& corner : corners) {
    const glm::dvec3 seen = glm::transpose(axes) * corner;
    all.low = glm::min(all.low, glm::dvec2(seen));
    all.high = glm::max(all.high, glm::dvec2(seen));
    nearest = std::max(nearest, seen.z);
    farthest = std::min(farthest, seen.z);
  }
  const double range = std::max(nearest - farthest, 1e-3);
  glm::dmat4 fromWorld(1.0);
  for (int axis = 0; axis < 3; ++axis) {
    fromWorld[axis][0] = axes[0][axis];
    fromWorld[axis][1] = axes[1][axis];
    fromWorld[axis][2] = -axes[2][axis] / range;
  }
  fromWorld[3][2] = nearest / range;
  plan.look.fromWorld = glm::mat4(fromWorld);

  for (const Box& box : boxesFor(camera, aspect, depths, all, most)) {
    const glm::dvec2 size = box.high - box.low;
    const auto at = plan.look.count++;
    plan.look.boxes[at] = glm::vec4(glm::vec2(1.0 / size), glm::vec2(-box.low / size));
    plan.look.texelMeters[at] = static_cast<float>(std::max(size.x, size.y) / kShadowMapTexels);
    glm::dmat4 toClip(1.0);
    for (int i = 0; i < 2; ++i) {
      toClip[i][i] = 2.0 / size[i];
      toClip[3][i] = -2.0 * box.low[i] / size[i] - 1.0;
    }
    toClip[2][2] = 2.0;
    toClip[3][2] = -1.0;
    plan.toClip[at] = glm::mat4(toClip * fromWorld);
  }
  return plan;
}

}  // namespace ck::render
