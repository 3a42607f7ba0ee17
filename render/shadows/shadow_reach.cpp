#include "render/shadows/shadow_reach.h"

#include <algorithm>
#include <cmath>

namespace ck::render {
namespace {

#include "shaders/crowd/shadow_border.glsl"

// A run costs about as much as drawing so many actors coarsely.
constexpr std::size_t kMostBetween = 8;
// A pixel reads a map as far as this from its place: filter and offset along the normal.
constexpr float kReadTexels = 8.0f;

// A sphere around all that an actor's poses reach.
struct ReachSphere {
  glm::vec3 center{0.0f};
  float radius = 0.0f;
};

ReachSphere sphereOf(const gpu::CkPlace& place, const ActorReach& reach) {
  const auto middle = static_cast<float>(0.5 * (reach.low + reach.high));
  const double radius = std::hypot(reach.side, 0.5 * (reach.high - reach.low));
  const glm::vec3 up = glm::vec3(0.0f, middle, 0.0f) * place.scale;
  const glm::vec3 sizes = glm::abs(place.scale);
  return {place.position + gpu::ck_rotate(place.rotation, up),
          static_cast<float>(radius) * std::max({sizes.x, sizes.y, sizes.z})};
}

// A map's box across the light; the projection is parallel.
class MapBox {
 public:
  explicit MapBox(const glm::mat4& toClip)
      : axes_{{toClip[0][0], toClip[1][0], toClip[2][0]},
              {toClip[0][1], toClip[1][1], toClip[2][1]}},
        offset_(toClip[3]) {}

  bool meets(const ReachSphere& sphere) const {
    return std::abs(at(sphere, 0)) <= 1.0f + in(sphere.radius, 0) &&
           std::abs(at(sphere, 1)) <= 1.0f + in(sphere.radius, 1);
  }
  // Whether the sphere and a margin of so many metres lie within a share of the box.
  bool holds(const ReachSphere& sphere, float margin, float share) const {
    return std::abs(at(sphere, 0)) + in(sphere.radius + margin, 0) <= share &&
           std::abs(at(sphere, 1)) + in(sphere.radius + margin, 1) <= share;
  }

 private:
  float at(const ReachSphere& sphere, int axis) const {
    return glm::dot(axes_[axis], sphere.center) + offset_[axis];
  }
  float in(float meters, int axis) const { return meters * glm::length(axes_[axis]); }

  glm::vec3 axes_[2];
  glm::vec2 offset_;
};

}  // namespace

std::vector<ActorRun> castersIn(const ShadowCascades& cascades, int map,
                                std::span<const gpu::CkPlace> places, const ActorReach& reach) {
  const MapBox box(cascades.toClip[map]);
  const MapBox finer(cascades.toClip[std::max(map - 1, 0)]);
  const float margin = kReadTexels * cascades.look.texelMeters[map];
  std::vector<ActorRun> runs;
  for (std::size_t actor = 0; actor < places.size(); ++actor) {
    const ReachSphere sphere = sphereOf(places[actor], reach);
    if (!box.meets(sphere)) continue;
    if (map > 0 && finer.holds(sphere, margin, kShadowBorder - kShadowBand)) continue;
    if (!runs.empty() && actor - (runs.back().first + runs.back().count) <= kMostBetween) {
      runs.back().count = actor + 1 - runs.back().first;
    } else {
      runs.push_back({actor, 1});
    }
  }
  return runs;
}

}  // namespace ck::render
