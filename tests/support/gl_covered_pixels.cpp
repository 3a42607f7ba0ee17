#include "tests/support/gl_covered_pixels.h"

#include <algorithm>

namespace ck::test {

bool isCovered(const render::Frame& frame, std::size_t pixel) {
  return frame.rgba[pixel * 4 + 3] != 0;
}

std::size_t pixels(const render::Frame& frame) {
  return frame.rgba.size() / 4;
}

Comparison compare(const render::Frame& a, const render::Frame& b) {
  double both = 0.0, any = 0.0, inA = 0.0, inB = 0.0;
  Comparison result;
  for (std::size_t i = 0; i < pixels(a); ++i) {
    const bool hasA = isCovered(a, i);
    const bool hasB = isCovered(b, i);
    both += hasA && hasB ? 1.0 : 0.0;
    any += hasA || hasB ? 1.0 : 0.0;
    inA += hasA ? 1.0 : 0.0;
    inB += hasB ? 1.0 : 0.0;
    for (int c = 0; c < 3; ++c) {
      result.meanA[c] += hasA ? a.rgba[i * 4 + static_cast<std::size_t>(c)] : 0;
      result.meanB[c] += hasB ? b.rgba[i * 4 + static_cast<std::size_t>(c)] : 0;
    }
  }
  result.overlap = both / std::max(any, 1.0);
  result.meanA /= std::max(inA, 1.0);
  result.meanB /= std::max(inB, 1.0);
  result.area = inB / std::max(inA, 1.0);
  return result;
}

std::string textOf(const Comparison& same) {
  const auto three = [](const glm::dvec3& v) {
    return std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z);
  };
  return "overlap " + std::to_string(same.overlap) + ", area " + std::to_string(same.area) +
         ", means " + three(same.meanA) + " and " + three(same.meanB);
}

double farthest(const glm::dvec3& a, const glm::dvec3& b) {
  const glm::dvec3 apart = glm::abs(a - b);
  return std::max({apart.x, apart.y, apart.z});
}

}  // namespace ck::test
