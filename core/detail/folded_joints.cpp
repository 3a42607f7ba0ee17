#include "core/detail/folded_joints.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ck {
namespace {

// A point that a skin joint influences.
struct Reached {
  std::uint32_t point = 0;
  float weight = 0.0f;
};

std::vector<std::vector<Reached>> reachedBy(const PointSet& points, std::size_t skinJoints) {
  std::vector<std::vector<Reached>> reached(skinJoints);
  for (std::uint32_t p = 0; p < points.size(); ++p) {
    const LimitedInfluences& influences = points.influences[p];
    for (std::size_t i = 0; i < influences.weights.size(); ++i) {
      if (influences.weights[i] <= 0.0f) continue;
      reached[static_cast<std::size_t>(influences.skinJoints[i])].push_back(
          {p, influences.weights[i]});
    }
  }
  return reached;
}

bool fits(std::span<const Reached> reached, const PointSet& points, std::span<const KeyPose> poses,
          std::size_t from, std::size_t to, double meters) {
  return std::ranges::all_of(poses, [&](const KeyPose& pose) {
    const SkinMatrix difference = pose.skins[from] - pose.skins[to];
    return std::ranges::all_of(reached, [&](const Reached& each) {
      const glm::vec3 moved = difference * glm::vec4(points.positions[each.point], 1.0f);
      return static_cast<double>(each.weight * glm::length(moved)) <= meters;
    });
  });
}

// Skin joints in the order of their joints, so that what an ancestor is folded into is known.
std::vector<std::size_t> parentsFirst(const Rig& rig) {
  std::vector<std::size_t> order(rig.skinJoints.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&rig](std::size_t a, std::size_t b) {
    return rig.skinJoints[a].joint < rig.skinJoints[b].joint;
  });
  return order;
}

}  // namespace

std::vector<int> foldedJoints(const Rig& rig, const PointSet& points,
                              std::span<const KeyPose> poses, double meters) {
  const std::size_t count = rig.skinJoints.size();
  std::vector<int> into(count);
  std::iota(into.begin(), into.end(), 0);
  std::vector<std::vector<int>> skinJointsOf(rig.joints.size());
  for (std::size_t s = 0; s < count; ++s) {
    if (rig.skinJoints[s].isSocket) continue;
    skinJointsOf[static_cast<std::size_t>(rig.skinJoints[s].joint)].push_back(static_cast<int>(s));
  }
  const std::vector<std::vector<Reached>> reached = reachedBy(points, count);
  for (const std::size_t s : parentsFirst(rig)) {
    if (reached[s].empty()) continue;
    int joint = rig.joints[static_cast<std::size_t>(rig.skinJoints[s].joint)].parent;
    while (joint >= 0 && skinJointsOf[static_cast<std::size_t>(joint)].empty()) {
      joint = rig.joints[static_cast<std::size_t>(joint)].parent;
    }
    if (joint < 0) continue;
    for (const int ancestor : skinJointsOf[static_cast<std::size_t>(joint)]) {
      const int to = into[static_cast<std::size_t>(ancestor)];
      if (!fits(reached[s], points, poses, s, static_cast<std::size_t>(to), meters)) continue;
      into[s] = to;
      break;
    }
  }
  return into;
}

LimitedInfluences folded(const LimitedInfluences& influences, std::span<const int> into) {
  std::vector<std::pair<float, int>> sums;  // weight, skin joint
  for (std::size_t i = 0; i < influences.weights.size(); ++i) {
    if (influences.weights[i] <= 0.0f) continue;
    const int joint = into[static_cast<std::size_t>(influences.skinJoints[i])];
    const auto same = std::ranges::find(sums, joint, [](const auto& sum) { return sum.second; });
    if (same == sums.end()) {
      sums.emplace_back(influences.weights[i], joint);
    } else {
      same->first += influences.weights[i];
    }
  }
  std::ranges::stable_sort(sums, std::greater<>(), [](const auto& sum) { return sum.first; });
  LimitedInfluences result;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    result.weights[i] = sums[i].first;
    result.skinJoints[i] = sums[i].second;
  }
  return result;
}

}  // namespace ck
