#include "core/import/skin_joints.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ck {
namespace {

// Equality with a tolerance of 2e-6 of the largest element, separately for the linear part and the
// translation.
bool nearlyEqual(const glm::dmat4& a, const glm::dmat4& b) {
  double linear = 0.0;
  double whole = 0.0;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) {
      double& largest = c < 3 ? linear : whole;
      largest = std::max({largest, std::abs(a[c][r]), std::abs(b[c][r])});
    }
  }
  whole = std::max(whole, linear);
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 3; ++r) {
      if (std::abs(a[c][r] - b[c][r]) > 2e-6 * (c < 3 ? linear : whole)) return false;
    }
  }
  return true;
}

}  // namespace

int SkinJoints::add(const SkinJoint& skinJoint) {
  std::vector<int>& known = entriesOfJoint_[skinJoint.joint];
  for (const int entry : known) {
    if (nearlyEqual(entries_[static_cast<std::size_t>(entry)].inverseBind, skinJoint.inverseBind)) {
      return entry;
    }
  }
  known.push_back(static_cast<int>(entries_.size()));
  entries_.push_back(skinJoint);
  return known.back();
}

std::vector<int> SkinJoints::finish(Rig& rig) {
  std::vector<int> order(entries_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](int a, int b) {
    return entries_[static_cast<std::size_t>(a)].joint <
           entries_[static_cast<std::size_t>(b)].joint;
  });
  std::vector<int> places(entries_.size());
  rig.skinJoints.clear();
  for (const int entry : order) {
    places[static_cast<std::size_t>(entry)] = static_cast<int>(rig.skinJoints.size());
    rig.skinJoints.push_back(entries_[static_cast<std::size_t>(entry)]);
  }
  return places;
}

}  // namespace ck
