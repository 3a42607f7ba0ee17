#include "core/base/transform.h"

#include <algorithm>
#include <cmath>

namespace ck {

glm::dmat4 toMatrix(const Trs& trs) {
  const glm::dmat3 rotation = glm::mat3_cast(trs.rotation);
  return glm::dmat4(glm::dvec4(rotation[0] * trs.scale.x, 0.0),
                    glm::dvec4(rotation[1] * trs.scale.y, 0.0),
                    glm::dvec4(rotation[2] * trs.scale.z, 0.0), glm::dvec4(trs.translation, 1.0));
}

glm::dquat rotationOf(const glm::dmat3& linear) {
  constexpr double kTiny = 1e-150;
  glm::dvec3 x = linear[0];
  glm::dvec3 y = linear[1];
  if (glm::determinant(linear) < 0.0) {
    x = -x;
    y = -y;
  }
  if (glm::length(x) < kTiny) {
    // If the first column is zero, the other two still define an orthogonal frame.
    x = glm::cross(y, glm::determinant(linear) < 0.0 ? -linear[2] : linear[2]);
  }
  if (glm::length(x) < kTiny) return glm::dquat(1.0, 0.0, 0.0, 0.0);
  x = glm::normalize(x);
  y -= x * glm::dot(x, y);
  if (glm::length(y) < kTiny) {
    const glm::dvec3 z = linear[2] - x * glm::dot(x, linear[2]);
    y = glm::length(z) < kTiny
            ? glm::cross(x, std::abs(x.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0))
            : glm::cross(z, x);
  }
  y = glm::normalize(y);
  return glm::normalize(glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y))));
}

Decomposed decompose(const glm::dmat4& matrix) {
  const glm::dmat3 linear(matrix);
  Decomposed result;
  result.trs.translation = glm::dvec3(matrix[3]);
  const double sign = glm::determinant(linear) < 0.0 ? -1.0 : 1.0;
  const glm::dvec3 lengths(glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2]));
  result.trs.scale = lengths * sign;
  result.trs.rotation = rotationOf(linear);
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    const double product = lengths[a] * lengths[b];
    if (product <= 0.0) continue;
    result.shear = std::max(result.shear, std::abs(glm::dot(linear[a], linear[b])) / product);
  }
  return result;
}

glm::dmat4 affineInverse(const glm::dmat4& matrix, bool* singular) {
  const glm::dmat3 linear(matrix);
  const double determinant = glm::determinant(linear);
  const bool bad = !std::isfinite(determinant) || std::abs(determinant) < 1e-60;
  if (singular != nullptr) *singular = bad;
  if (bad) return glm::dmat4(1.0);
  const glm::dmat3 inverse = glm::inverse(linear);
  glm::dmat4 result(inverse);
  result[3] = glm::dvec4(-(inverse * glm::dvec3(matrix[3])), 1.0);
  return result;
}

glm::dvec3 transformPoint(const glm::dmat4& matrix, const glm::dvec3& point) {
  return glm::dvec3(matrix * glm::dvec4(point, 1.0));
}

glm::dquat slerpShortest(const glm::dquat& a, glm::dquat b, double t) {
  double cosine = glm::dot(a, b);
  if (cosine < 0.0) {
    b = -b;
    cosine = -cosine;
  }
  if (cosine > 0.9999995) return glm::normalize(a * (1.0 - t) + b * t);
  const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
  const double scale = 1.0 / std::sin(angle);
  return glm::normalize(a * (std::sin((1.0 - t) * angle) * scale) +
                        b * (std::sin(t * angle) * scale));
}

}  // namespace ck
