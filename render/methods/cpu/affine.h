#pragma once

#include <glm/glm.hpp>

namespace ck::render {

// The first three rows of an affine matrix in float, one column per vector.
struct Affine {
  glm::vec3 columns[3] = {glm::vec3(0.0f), glm::vec3(0.0f), glm::vec3(0.0f)};
  glm::vec3 offset{0.0f};
};

inline Affine toAffine(const glm::dmat4& m) {
  return {{glm::vec3(m[0]), glm::vec3(m[1]), glm::vec3(m[2])}, glm::vec3(m[3])};
}

inline void addWeighted(Affine& sum, const Affine& matrix, float weight) {
  for (int c = 0; c < 3; ++c) sum.columns[c] += weight * matrix.columns[c];
  sum.offset += weight * matrix.offset;
}

inline glm::vec3 movedPoint(const Affine& matrix, const glm::vec3& p) {
  return matrix.columns[0] * p.x + matrix.columns[1] * p.y + matrix.columns[2] * p.z +
         matrix.offset;
}

}  // namespace ck::render
