#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace ck::worker {

// The curve of one or more numbers over time in seconds (COLLADA 1.4.1, chapter 4, "Curve
// Interpolation").
struct ColladaCurve {
  enum class Kind { Linear, Step, Bezier, Hermite };
  std::vector<double> times;
  int width = 1;               // numbers per key
  std::vector<double> values;  // times.size() * width
  std::vector<Kind> kinds;     // interpolation of the segment that starts at each key
  // One per number and key: (seconds, value) for Bezier; slopes for Hermite, where seconds are
  // unused.
  std::vector<glm::dvec2> inTangents;
  std::vector<glm::dvec2> outTangents;

  // The value of number `part` at a time. Constant before the first and after the last key.
  double at(double seconds, int part) const;
};

}  // namespace ck::worker
