#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace ck {

// Translation, rotation and scale, applied to a point as T * R * S. Lengths have the unit of the
// space that the transform belongs to. The rotation is a unit quaternion.
struct Trs {
  glm::dvec3 translation{0.0, 0.0, 0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  glm::dvec3 scale{1.0, 1.0, 1.0};
  bool operator==(const Trs&) const = default;
};

glm::dmat4 toMatrix(const Trs& trs);

struct Decomposed {
  Trs trs;
  double shear = 0.0;  // largest |cosine| between two columns; 0 for an exact T * R * S
};

// Splits an affine matrix. A mirrored matrix (negative determinant) gets a negative scale on all
// three axes. Columns of zero length get scale 0; the rotation stays a unit quaternion. Shear is
// dropped and reported in `shear`.
Decomposed decompose(const glm::dmat4& matrix);

// The rotation nearest to the linear part `linear`, as a unit quaternion, by Gram-Schmidt in
// double. A mirrored matrix is negated first. Gives identity where columns are zero.
glm::dquat rotationOf(const glm::dmat3& linear);

// The inverse of an affine matrix. A singular matrix gives identity and sets `*singular`.
glm::dmat4 affineInverse(const glm::dmat4& matrix, bool* singular = nullptr);

glm::dvec3 transformPoint(const glm::dmat4& matrix, const glm::dvec3& point);

// Spherical interpolation along the shorter arc, `t` in [0, 1]. Very small angles use normalised
// lerp. This is what glTF defines as LINEAR for rotations.
glm::dquat slerpShortest(const glm::dquat& a, glm::dquat b, double t);

}  // namespace ck
