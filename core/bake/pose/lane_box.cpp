#include "core/bake/pose/lane_box.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/bake/pose/lane_math.h"

namespace ck {
namespace {

using namespace lanes;

// Directions in which something may extend a box: bit 2 * axis for low, bit 2 * axis + 1 for high.
using Directions = unsigned;
constexpr Directions kAllDirections = 63;

constexpr std::size_t kVerticesPerCluster = 8;

// Orders vertices so that neighbours come together: halves them along their longest side, until
// few are left.
void orderBySpace(const VertexSet& set, std::span<std::uint32_t> vertices) {
  if (vertices.size() <= kVerticesPerCluster) return;
  glm::vec3 low = set.positions[vertices.front()];
  glm::vec3 high = low;
  for (const std::uint32_t v : vertices) {
    low = glm::min(low, set.positions[v]);
    high = glm::max(high, set.positions[v]);
  }
  const glm::vec3 size = high - low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
  const std::size_t clusters = (vertices.size() + kVerticesPerCluster - 1) / kVerticesPerCluster;
  const std::size_t half = clusters / 2 * kVerticesPerCluster;
  std::nth_element(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(half),
                   vertices.end(), [&](std::uint32_t a, std::uint32_t b) {
                     return set.positions[a][axis] < set.positions[b][axis];
                   });
  orderBySpace(set, vertices.first(half));
  orderBySpace(set, vertices.subspan(half));
}

// The same vertices, those of one heaviest joint together and then by space.
VertexSet inOrder(const VertexSet& set) {
  std::vector<std::uint32_t> order(set.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto jointOf = [&set](std::size_t v) { return set.skinJoints[set.starts[v]]; };
  for (std::size_t first = 0; first < set.size();) {
    std::size_t end = first;
    while (end < set.size() && jointOf(end) == jointOf(first)) ++end;
    orderBySpace(set, std::span(order).subspan(first, end - first));
    first = end;
  }
  VertexSet ordered;
  ordered.starts.push_back(0);
  for (const std::uint32_t v : order) {
    ordered.positions.push_back(set.positions[v]);
    for (std::uint32_t i = set.starts[v]; i < set.starts[v + 1]; ++i) {
      ordered.skinJoints.push_back(set.skinJoints[i]);
      ordered.weights.push_back(set.weights[i]);
    }
    ordered.starts.push_back(static_cast<std::uint32_t>(ordered.weights.size()));
  }
  return ordered;
}

struct Corners {
  glm::vec3 low{INFINITY};
  glm::vec3 high{-INFINITY};

  void add(const glm::vec3& point) {
    low = glm::min(low, point);
    high = glm::max(high, point);
  }
  glm::vec3 center() const { return 0.5f * (low + high); }
  glm::vec3 half() const { return 0.5f * (high - low); }
};

}  // namespace

struct LaneVertices::Kernel {
  const LaneVertices& all;
  const LanePose* poses;
  LaneSkins* skins = nullptr;  // makes the poses, if they are not made yet

  // The range of one coordinate of a box under a joint.
  struct Range {
    F8 low;
    F8 high;
  };
  static CK_LANES_INLINE Range rangeOf(const float (&row)[4][kLaneCount], const float (&center)[3],
                                       const float (&half)[3]) {
    const F8 x = load<F8>(row[0]);
    const F8 y = load<F8>(row[1]);
    const F8 z = load<F8>(row[2]);
    const F8 middle = x * center[0] + y * center[1] + z * center[2] + load<F8>(row[3]);
    const F8 reach = magnitude(x) * half[0] + magnitude(y) * half[1] + magnitude(z) * half[2];
    return {middle - reach, middle + reach};
  }

  // The directions, among `asked`, in which a box under a joint leaves `low` .. `high`.
  static CK_LANES_INLINE Directions outside(const float (&rows)[3][4][kLaneCount],
                                            const float (&center)[3], const float (&half)[3],
                                            const float (&low)[3], const float (&high)[3],
                                            Directions asked) {
    Directions found = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if ((asked >> (2 * axis) & 3u) == 0) continue;
      const Range range = rangeOf(rows[axis], center, half);
      // Written so that NaN counts as outside.
      const I8 below = ~(range.low >= low[axis]);
      const I8 above = ~(range.high <= high[axis]);
      if (!anyTrue(below | above)) continue;
      found |= (anyTrue(below) ? 1u : 0u) << (2 * axis);
      found |= (anyTrue(above) ? 2u : 0u) << (2 * axis);
    }
    return found & asked;
  }

  CK_LANES_INLINE F8 posed(const VertexSet& set, std::size_t v, int axis) const {
    const glm::vec3& p = set.positions[v];
    F8 sum = {};
    for (std::uint32_t i = set.starts[v]; i < set.starts[v + 1]; ++i) {
      const auto& row = poses[set.skinJoints[i]].rows[axis];
      sum += set.weights[i] * (load<F8>(row[0]) * p.x + load<F8>(row[1]) * p.y +
                               load<F8>(row[2]) * p.z + load<F8>(row[3]));
    }
    return sum;
  }

  CK_LANES_INLINE void include(const VertexCluster& cluster, int axis, PosedBox& box) const {
    if (skins != nullptr) {
      for (const std::uint32_t joint : cluster.skinJoints) skins->of(joint);
    }
    F8 low = posed(all.vertices_, cluster.first, axis);
    F8 high = low;
    for (std::size_t v = cluster.first + 1; v < cluster.first + cluster.count; ++v) {
      const F8 place = posed(all.vertices_, v, axis);
      low = smaller(low, place);
      high = larger(high, place);
    }
    const float lowest = -largest(-low);
    const float highest = largest(high);
    box.low[axis] = box.empty ? lowest : std::min(box.low[axis], lowest);
    box.high[axis] = box.empty ? highest : std::max(box.high[axis], highest);
  }

  // The box a little smaller, by more than rounding can move a bound.
  struct Inside {
    float low[3];
    float high[3];
  };
  static CK_LANES_INLINE Inside insideOf(const PosedBox& box) {
    constexpr float kRounding = 4e-6f;
    Inside inside;
    for (int axis = 0; axis < 3; ++axis) {
      const float slack = kRounding * (1.0f + std::abs(box.low[axis]) + std::abs(box.high[axis]));
      inside.low[axis] = box.low[axis] + slack;
      inside.high[axis] = box.high[axis] - slack;
    }
    return inside;
  }

  // Extends the box where `joint` may move vertices of a cluster out of it. `done` has a bit for
  // each axis in which the cluster was included.
  CK_LANES_INLINE void growBy(const VertexCluster& cluster, const LanePose& joint, Directions asked,
                              unsigned& done, PosedBox& box, Inside& inside) const {
    constexpr Directions kOfAxes[8] = {0, 3, 12, 15, 48, 51, 60, 63};
    asked &= ~kOfAxes[done];
    if (asked == 0) return;
    const float center[3] = {cluster.center.x, cluster.center.y, cluster.center.z};
    const float half[3] = {cluster.halfExtent.x, cluster.halfExtent.y, cluster.halfExtent.z};
    const Directions found = outside(joint.rows, center, half, inside.low, inside.high, asked);
    if (found == 0) return;
    for (int axis = 0; axis < 3; ++axis) {
      if ((found >> (2 * axis) & 3u) == 0) continue;
      include(cluster, axis, box);
      done |= 1u << axis;
    }
    inside = insideOf(box);
  }

  // A first estimate, by which the other clusters are judged.
  CK_LANES_INLINE void start(PosedBox& box) const {
    if (!box.empty || all.clusters_.empty()) return;
    for (int axis = 0; axis < 3; ++axis) include(all.clusters_.front(), axis, box);
    box.empty = false;
  }

  CK_LANES_INLINE void grow(PosedBox& box) const {
    start(box);
    Inside inside = insideOf(box);
    std::vector<unsigned> done;  // per cluster: the axes in which it was included
    for (std::size_t joint = 0; joint < all.parts_.size(); ++joint) {
      if (all.clustersOf_[joint].empty()) continue;
      const Part& part = skins != nullptr ? all.jointParts_[joint] : all.parts_[joint];
      const auto& rows = skins != nullptr ? skins->jointOf(joint).at : poses[joint].rows;
      const Directions found =
          outside(rows, part.center, part.half, inside.low, inside.high, kAllDirections);
      if (found == 0) continue;
      const LanePose& pose = skins != nullptr ? skins->of(joint) : poses[joint];
      done.resize(all.clusters_.size());
      for (const std::uint32_t cluster : all.clustersOf_[joint]) {
        growBy(all.clusters_[cluster], pose, found, done[cluster], box, inside);
      }
    }
  }

  CK_LANES_INLINE float worstLimited() const {
    F8 worst = {};
    const LimitedVertices& limited = all.limited_;
    for (std::size_t v = 0; v < limited.all.size(); ++v) {
      F8 square = {};
      for (int axis = 0; axis < 3; ++axis) {
        const F8 d = posed(limited.all, v, axis) - posed(limited.limited, v, axis);
        square += d * d;
      }
      worst = larger(worst, square);
    }
    return std::sqrt(largest(worst));
  }

  CK_LANES_CLONES static void growBest(const Kernel& kernel, PosedBox& box) { kernel.grow(box); }
  static void growPlain(const Kernel& kernel, PosedBox& box) { kernel.grow(box); }
  CK_LANES_CLONES static float limitedBest(const Kernel& kernel) { return kernel.worstLimited(); }
  static float limitedPlain(const Kernel& kernel) { return kernel.worstLimited(); }
};

LaneSkins::LaneSkins(const LanePoser& poser, LanePoser::Run& run, LanePath path)
    : poser_(poser),
      run_(run),
      path_(path),
      poses_(poser.skinJointCount()),
      posedIn_(poser.skinJointCount(), 0) {}

const LanePose& LaneSkins::of(std::size_t skinJoint) {
  if (posedIn_[skinJoint] != batch_) {
    poser_.poseOf(run_, skinJoint, poses_[skinJoint], path_);
    posedIn_[skinJoint] = batch_;
  }
  return poses_[skinJoint];
}

std::span<const LanePose> LaneSkins::all() {
  for (std::size_t joint = 0; joint < poses_.size(); ++joint) of(joint);
  return poses_;
}

LaneVertices::LaneVertices(const VertexSet& vertices, const LimitedVertices& limited,
                           std::span<const SkinJoint> skinJoints)
    : vertices_(inOrder(vertices)),
      limited_(limited),
      clusters_(clustersOf(vertices_, kVerticesPerCluster)),
      parts_(skinJoints.size()),
      jointParts_(skinJoints.size()),
      clustersOf_(skinJoints.size()) {
  std::vector<Corners> bind(skinJoints.size());
  std::vector<Corners> local(skinJoints.size());
  std::vector<glm::mat4> toJoint;
  for (const SkinJoint& skinJoint : skinJoints) toJoint.emplace_back(skinJoint.inverseBind);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const glm::vec3& position = vertices.positions[v];
    for (std::uint32_t i = vertices.starts[v]; i < vertices.starts[v + 1]; ++i) {
      const std::uint32_t joint = vertices.skinJoints[i];
      bind[joint].add(position);
      local[joint].add(glm::vec3(toJoint[joint] * glm::vec4(position, 1.0f)));
    }
  }
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    for (const std::uint32_t joint : clusters_[c].skinJoints) {
      clustersOf_[joint].push_back(static_cast<std::uint32_t>(c));
    }
  }
  for (std::size_t joint = 0; joint < skinJoints.size(); ++joint) {
    if (clustersOf_[joint].empty()) continue;
    for (int axis = 0; axis < 3; ++axis) {
      parts_[joint].center[axis] = bind[joint].center()[axis];
      parts_[joint].half[axis] = bind[joint].half()[axis];
      jointParts_[joint].center[axis] = local[joint].center()[axis];
      jointParts_[joint].half[axis] = local[joint].half()[axis];
    }
  }
}

void LaneVertices::grow(std::span<const LanePose> poses, PosedBox& box, LanePath path) const {
  (path == LanePath::Best ? Kernel::growBest : Kernel::growPlain)({*this, poses.data()}, box);
}

void LaneVertices::grow(LaneSkins& skins, PosedBox& box, LanePath path) const {
  (path == LanePath::Best ? Kernel::growBest : Kernel::growPlain)({*this, skins.poses(), &skins},
                                                                  box);
}

float LaneVertices::worstLimited(std::span<const LanePose> poses, LanePath path) const {
  if (!limits()) return 0.0f;
  return (path == LanePath::Best ? Kernel::limitedBest
                                 : Kernel::limitedPlain)({*this, poses.data()});
}

}  // namespace ck
