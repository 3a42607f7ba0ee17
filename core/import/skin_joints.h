#pragma once

#include <map>
#include <vector>

#include "core/scene/rig.h"

namespace ck {

// Collects pairs of joint and inverse bind matrix without duplicates (matrices that differ by
// rounding count as equal). finish() sorts them, parents first.
class SkinJoints {
 public:
  // Adds a pair and returns its number, which is valid until finish(). The joint's index in
  // SkinJoint::joint must be final.
  int add(const SkinJoint& skinJoint);
  // Stores the skin joints in the rig, in place of those that it has. The result maps numbers of
  // add() to skin joint indices.
  std::vector<int> finish(Rig& rig);

 private:
  std::vector<SkinJoint> entries_;
  std::map<int, std::vector<int>> entriesOfJoint_;
};

}  // namespace ck
