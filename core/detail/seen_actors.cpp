#include "core/detail/seen_actors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/assert.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

using lanes::F8;
using lanes::I8;

constexpr std::size_t kLanes = lanes::kCount;
// The rounding of products and sums of floats, with room, as a share of how far the actor and the
// eye are from the origin.
constexpr float kRoundedOff = 4e-6f;

// Where SeenActors keeps its numbers.
struct Columns {
  const float* x;
  const float* y;
  const float* z;
  const float* scale;
  float radius;
};

// x > 0.
CK_LANES_INLINE F8 rootOf(const F8& x) {
  return x * lanes::inverseRoot(x);
}

CK_LANES_INLINE void findWith(const Columns& actors, std::size_t first, std::size_t count,
                              bool isInside, const SeenActors::Look& look,
                              const std::int32_t* before, SeenActors::Found& found) {
  const float eyeAway = std::abs(look.eye.x) + std::abs(look.eye.y) + std::abs(look.eye.z);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const F8 x = lanes::load<F8>(actors.x + first + i);
    const F8 y = lanes::load<F8>(actors.y + first + i);
    const F8 z = lanes::load<F8>(actors.z + first + i);
    const F8 scale = lanes::load<F8>(actors.scale + first + i);
    const F8 away = lanes::magnitude(x) + lanes::magnitude(y) + lanes::magnitude(z) + eyeAway;
    const F8 radius = scale * actors.radius + away * kRoundedOff;
    I8 seen = lanes::all(0.0f) == lanes::all(0.0f);
    if (!isInside) {
      F8 depth = lanes::all(std::numeric_limits<float>::max());
      for (const glm::vec4& plane : look.planes) {
        depth = lanes::smaller(depth, plane.x * x + plane.y * y + plane.z * z + plane.w);
      }
      seen = depth + look.marginMeters >= -radius;
    }
    const F8 dx = x - look.eye.x;
    const F8 dy = y - look.eye.y;
    const F8 dz = z - look.eye.z;
    const F8 distance = rootOf(dx * dx + dy * dy + dz * dz + 1e-20f);
    const F8 nearest =
        look.isParallel ? lanes::all(1.0f) : lanes::larger(distance - radius, lanes::all(1e-6f));
    const F8 pixels = scale * look.pixelsAtMeter / nearest;
    const I8 had = lanes::load<I8>(before + i);
    I8 way = {};
    for (std::size_t coarser = 1; coarser < look.limits.size(); ++coarser) {
      const auto number = static_cast<std::int32_t>(coarser);
      const F8 limit = had < number ? lanes::all(look.stricterLimits[coarser])
                                    : lanes::all(look.limits[coarser]);
      way = pixels <= limit ? I8{} + number : way;
    }
    const I8 isNear = distance - radius < look.wholeMeters;
    way = isNear ? I8{} : way;
    way = seen ? way : I8{} + std::int32_t{SeenActors::kUnseen};
    lanes::store(found.ways.data() + i, way);
    lanes::store(found.pixels.data() + i, pixels);
    lanes::store(found.distances.data() + i, distance);
    lanes::store(found.near.data() + i, isNear);
  }
}

CK_LANES_CLONES void findBest(const Columns& actors, std::size_t first, std::size_t count,
                              bool isInside, const SeenActors::Look& look,
                              const std::int32_t* before, SeenActors::Found& found) {
  findWith(actors, first, count, isInside, look, before, found);
}

}  // namespace

void SeenActors::set(std::span<const gpu::CkPlace> places, std::span<const std::uint32_t> order,
                     double height, double radius) {
  count_ = order.size();
  const std::size_t padded = (count_ + kLanes - 1) / kLanes * kLanes;
  for (std::vector<float>* column : {&x_, &y_, &z_, &scale_}) column->resize(padded);
  const auto up = static_cast<float>(height);
  for (std::size_t i = 0; i < count_; ++i) {
    const gpu::CkPlace& place = places[order[i]];
    // Along the actor's own vertical axis, which is the second column of the rotation.
    const glm::vec4& q = place.rotation;
    const float high = up * place.scale.x;
    x_[i] = place.position.x + 2.0f * (q.x * q.y - q.w * q.z) * high;
    y_[i] = place.position.y + (1.0f - 2.0f * (q.x * q.x + q.z * q.z)) * high;
    z_[i] = place.position.z + 2.0f * (q.y * q.z + q.w * q.x) * high;
    scale_[i] = std::abs(place.scale.x);
  }
  radius_ = static_cast<float>(radius);
}

SeenActors::Reach SeenActors::reachOf(std::size_t first, std::size_t count) const {
  CK_ASSERT(count > 0 && first + count <= count_);
  Reach reach{glm::vec3(std::numeric_limits<float>::max()),
              glm::vec3(std::numeric_limits<float>::lowest()), 0.0f};
  for (std::size_t i = first; i < first + count; ++i) {
    const glm::vec3 middle(x_[i], y_[i], z_[i]);
    reach.low = glm::min(reach.low, middle);
    reach.high = glm::max(reach.high, middle);
    const float away = std::abs(x_[i]) + std::abs(y_[i]) + std::abs(z_[i]);
    reach.radius = std::max(reach.radius, scale_[i] * radius_ + kRoundedOff * away);
  }
  return reach;
}

void SeenActors::find(std::size_t first, std::size_t count, bool isInside, const Look& look,
                      const Ways& before, Found& found) const {
  CK_ASSERT(count <= kAtOnce && first % kAtOnce == 0 && first + count <= count_);
  const Columns columns{x_.data(), y_.data(), z_.data(), scale_.data(), radius_};
  findBest(columns, first, count, isInside, look, before.data(), found);
}

}  // namespace ck
