#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/transform.h"

namespace ck {

// One node of the hierarchy that moves vertices, or that lies between such nodes.
struct Joint {
  std::string name;  // unique in the rig, UTF-8
  int parent = -1;   // index of an earlier joint; -1 for a root
  // The constant transform between the parent joint and this joint's local transform. It holds
  // folded static nodes, shear that a Trs cannot represent, and, for roots, the conversion of the
  // file's units and axes.
  glm::dmat4 preTransform{1.0};
  Trs rest;  // the local transform where no clip has keys
  bool operator==(const Joint&) const = default;
};

// A joint together with one of its bind poses. If two meshes bind one joint differently, there are
// two skin joints for it. Vertex influences, baked atlases and palettes are indexed by skin joint,
// not by joint.
struct SkinJoint {
  int joint = 0;                // into Rig::joints
  glm::dmat4 inverseBind{1.0};  // model space at bind time -> the joint's space
  // Whether it moves no vertex and is baked because the artist wants to hang something on it
  // (ImportSettings::sockets).
  bool isSocket = false;
  bool operator==(const SkinJoint&) const = default;
};

// The hierarchy: joints, parents first, and their bind poses. global(j) = global(parent) *
// preTransform * local(j), in metres, Y up (model space).
struct Rig {
  std::vector<Joint> joints;
  std::vector<SkinJoint> skinJoints;  // a skin joint's parent comes before it
  bool operator==(const Rig&) const = default;
};

// The index of the joint of that name, if any. Linear in the number of joints.
std::optional<int> findJoint(const Rig& rig, std::string_view name);

// For every skin joint, the index of its nearest ancestor that is also a skin joint, or -1. If that
// ancestor has several bind poses, the first one is used.
std::vector<int> skinJointParents(const Rig& rig);

// The joint's origin at bind time, in model space: `b` of the pivot form v' = A (v - b) + p
// (docs/techniques.md 2.1). Gives the model origin if the bind matrix is singular.
glm::dvec3 pivotOf(const SkinJoint& skinJoint);

// Display names of the skin joints: the joint's name, with " (2)", " (3)" for further bind poses.
std::vector<std::string> skinJointNames(const Rig& rig);

}  // namespace ck
