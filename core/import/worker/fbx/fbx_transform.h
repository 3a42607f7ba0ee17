#pragma once

#include <glm/glm.hpp>

#include "core/base/transform.h"
#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {

// How a node takes over its parent's scale (Autodesk, FBX SDK, FbxTransform::EInheritType).
enum class FbxInherit {
  Rotated = 0,  // RrSs: parent rotation, rotation, parent scale, scale
  Plain = 1,    // RSrs: parent rotation, parent scale, rotation, scale
  None = 2,     // Rrs: as Rotated without the parent's own scale (segment scale compensate)
};

// The order in which a rotation's angles are applied: "XYZ" turns about x first. Spheric angles are
// taken as XYZ.
enum class FbxOrder { XYZ, XZY, YZX, YXZ, ZXY, ZYX, Spheric };

// The rotation of angles in degrees.
glm::dquat fbxRotation(const glm::dvec3& degrees, FbxOrder order = FbxOrder::XYZ);
// Angles in degrees of a rotation: the inverse of fbxRotation().
glm::dvec3 fbxAngles(const glm::dquat& rotation, FbxOrder order);

// The constant parts of a node's local transform:
//   T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1
// (Autodesk, FBX SDK, "Computing transformation matrices"). T, R and S may be animated.
struct FbxTransform {
  glm::dvec3 translation{0.0};
  glm::dvec3 degrees{0.0};
  glm::dvec3 scale{1.0};
  glm::dvec3 rotationOffset{0.0};
  glm::dvec3 rotationPivot{0.0};
  glm::dvec3 scalingOffset{0.0};
  glm::dvec3 scalingPivot{0.0};
  glm::dquat before{1.0, 0.0, 0.0, 0.0};  // Rpre
  glm::dquat after{1.0, 0.0, 0.0, 0.0};   // Rpost^-1
  FbxOrder order = FbxOrder::XYZ;
  FbxInherit inherit = FbxInherit::Plain;

  // Whether the local transform's translation is T, whatever R and S are.
  bool hasPivots() const;
  // The rotation of the local transform.
  glm::dquat rotation(const glm::dvec3& r) const;
  // The translation of the local transform, which is always exactly a translation, rotation and
  // scale; `turn` is rotation(r).
  glm::dvec3 origin(const glm::dvec3& t, const glm::dquat& turn, const glm::dvec3& s) const;
};
FbxTransform fbxTransformOf(const FbxObject& model);

// The transform of a node's geometry in the node; children do not inherit it.
glm::dmat4 fbxGeometricTransform(const FbxObject& model);

}  // namespace ck::worker
