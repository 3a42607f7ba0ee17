#include "core/import/worker/fbx/fbx_transform.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ck::worker {
namespace {

// The axes in the order in which they turn; indexed by FbxOrder.
constexpr std::array<std::array<int, 3>, 7> kAxes = {
    {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}, {0, 1, 2}}};

template <class Choice>
Choice choiceOf(const FbxObject& model, std::string_view property, int count, Choice otherwise) {
  const auto value = fbxNumber(model, property);
  const bool known = value && *value >= 0.0 && *value < count;
  return known ? static_cast<Choice>(static_cast<int>(*value)) : otherwise;
}

glm::dvec3 vectorOr(const FbxObject& model, std::string_view property, double otherwise = 0.0) {
  return fbxVector(model, property).value_or(glm::dvec3(otherwise));
}

}  // namespace

glm::dquat fbxRotation(const glm::dvec3& degrees, FbxOrder order) {
  glm::dquat rotation(1.0, 0.0, 0.0, 0.0);
  for (const int axis : kAxes[static_cast<std::size_t>(order)]) {
    const double half = glm::radians(degrees[axis]) * 0.5;
    glm::dquat turn(std::cos(half), 0.0, 0.0, 0.0);
    turn[axis] = std::sin(half);
    rotation = turn * rotation;
  }
  return rotation;
}

// For axes i (first), j, k (last): R = Rk Rj Ri. With e = +1 for an even permutation, the entries
// of R are: R(k,i) = -e sin(aj), R(k,j) = e cos(aj) sin(ai) e, ... (K. Shoemake, "Euler Angle
// Conversion", Graphics Gems IV, 1994).
glm::dvec3 fbxAngles(const glm::dquat& rotation, FbxOrder order) {
  const auto [i, j, k] = kAxes[static_cast<std::size_t>(order)];
  const double even = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
  const glm::dmat3 m = glm::mat3_cast(rotation);  // m[column][row]
  const double sine = std::clamp(-even * m[i][k], -1.0, 1.0);
  glm::dvec3 radians(0.0);
  radians[j] = std::asin(sine);
  if (std::abs(sine) < 1.0 - 1e-12) {
    radians[i] = std::atan2(even * m[j][k], m[k][k]);
    radians[k] = std::atan2(even * m[i][j], m[i][i]);
  } else {
    radians[i] = std::atan2(-even * m[k][j], m[j][j]);
  }
  return glm::degrees(radians);
}

bool FbxTransform::hasPivots() const {
  const glm::dvec3 none(0.0);
  return rotationOffset != none || rotationPivot != none || scalingOffset != none ||
         scalingPivot != none;
}

glm::dquat FbxTransform::rotation(const glm::dvec3& r) const {
  return glm::normalize(before * fbxRotation(r, order) * after);
}

glm::dvec3 FbxTransform::origin(const glm::dvec3& t, const glm::dquat& turn,
                                const glm::dvec3& s) const {
  // From the right: Sp^-1, S, Sp, Soff, Rp^-1, the rotation, Rp, Roff, T.
  const glm::dvec3 scaled = scalingPivot - s * scalingPivot + scalingOffset - rotationPivot;
  return t + rotationOffset + rotationPivot + turn * scaled;
}

FbxTransform fbxTransformOf(const FbxObject& model) {
  FbxTransform transform;
  transform.translation = vectorOr(model, "Lcl Translation");
  transform.degrees = vectorOr(model, "Lcl Rotation");
  transform.scale = vectorOr(model, "Lcl Scaling", 1.0);
  transform.rotationOffset = vectorOr(model, "RotationOffset");
  transform.rotationPivot = vectorOr(model, "RotationPivot");
  transform.scalingOffset = vectorOr(model, "ScalingOffset");
  transform.scalingPivot = vectorOr(model, "ScalingPivot");
  // These switches make of a node's rotation the plain angles about x, y and z.
  const bool hasSpace = fbxNumber(model, "RotationActive").value_or(1.0) != 0.0 &&
                        fbxNumber(model, "RotationSpaceForLimitOnly").value_or(0.0) == 0.0;
  if (hasSpace) {
    transform.before = fbxRotation(vectorOr(model, "PreRotation"));
    transform.after = glm::conjugate(fbxRotation(vectorOr(model, "PostRotation")));
    transform.order = choiceOf(model, "RotationOrder", 7, FbxOrder::XYZ);
  }
  transform.inherit = choiceOf(model, "InheritType", 3, FbxInherit::Rotated);
  return transform;
}

glm::dmat4 fbxGeometricTransform(const FbxObject& model) {
  return toMatrix({.translation = vectorOr(model, "GeometricTranslation"),
                   .rotation = fbxRotation(vectorOr(model, "GeometricRotation")),
                   .scale = vectorOr(model, "GeometricScaling", 1.0)});
}

}  // namespace ck::worker
