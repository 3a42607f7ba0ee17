#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/transform.h"

namespace ck {

// One node of the hierarchy that moves vertices or lies between such nodes.
struct Joint {
  std::string name;  // unique in the rig, UTF-8
  int parent = -1;   // index of an earlier joint; -1 for a root
  // What lies between the parent joint and this joint's own transform and never moves: folded
  // static nodes, shear that a Trs cannot hold, and for roots the file's units and axes.
  glm::dmat4 preTransform{1.0};
  Trs rest;  // the local transform where no clip keys it
  bool operator==(const Joint&) const = default;
};

// A joint as one bind pose sees it. Two meshes that bind one joint differently have two of these.
// Vertex influences, baked atlases and palettes are indexed by skin joint, not by joint.
struct SkinJoint {
  int joint = 0;                // into Rig::joints
  glm::dmat4 inverseBind{1.0};  // model space at bind time -> the joint's space
  bool operator==(const SkinJoint&) const = default;
};

// The hierarchy: joints parents-first, and the ways they are bound.
// global(j) = global(parent) * preTransform * local(j), in metres, Y up (model space).
struct Rig {
  std::vector<Joint> joints;
  std::vector<SkinJoint> skinJoints;  // ordered so that a skin joint's parent comes before it
  bool operator==(const Rig&) const = default;
};

// The joint of that name, if any. Linear in the number of joints.
std::optional<int> findJoint(const Rig& rig, std::string_view name);

// For every skin joint: the nearest ancestor that is a skin joint too (its index), or -1. Where an
// ancestor is bound several times the first of these counts.
std::vector<int> skinJointParents(const Rig& rig);

// Where the joint's origin lay at bind time, in model space: the `b` of the pivot form
// v' = A (v - b) + p (TECHNIQUES 1.6). The model origin where the bind matrix has no inverse.
glm::dvec3 pivotOf(const SkinJoint& skinJoint);

// Shown names of the skin joints: the joint's name, with " (2)", " (3)" for further bind poses.
std::vector<std::string> skinJointNames(const Rig& rig);

}  // namespace ck
