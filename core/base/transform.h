#pragma once

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace ck {

// Translation, rotation, scale, applied to a point as T * R * S. Lengths are whatever the space
// they live in says; the rotation is a unit quaternion.
struct Trs {
  glm::dvec3 translation{0.0, 0.0, 0.0};
  glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
  glm::dvec3 scale{1.0, 1.0, 1.0};
  bool operator==(const Trs&) const = default;
};

glm::dmat4 toMatrix(const Trs& trs);

struct Decomposed {
  Trs trs;
  double shear = 0.0;  // largest |cosine| between two columns; 0 for a clean T * R * S
};

// Splits an affine matrix. A mirrored matrix (negative determinant) gets a negative scale on all
// three axes. Columns of zero length get scale 0 and keep the rotation defined. Shear is dropped
// and reported.
Decomposed decompose(const glm::dmat4& matrix);

// The rotation nearest to the linear part of `matrix` by Gram-Schmidt in double, as a unit
// quaternion; identity where columns vanish. Mirroring is taken out first.
glm::dquat rotationOf(const glm::dmat3& linear);

// The inverse of an affine matrix. A matrix that has none gives identity and sets `*singular`.
glm::dmat4 affineInverse(const glm::dmat4& matrix, bool* singular = nullptr);

glm::dvec3 transformPoint(const glm::dmat4& matrix, const glm::dvec3& point);

// Shortest-arc spherical interpolation, `t` in [0, 1]; falls back to normalised lerp for tiny
// angles. This is what glTF LINEAR rotation means.
glm::dquat slerpShortest(const glm::dquat& a, glm::dquat b, double t);

}  // namespace ck
