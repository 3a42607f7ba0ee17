#pragma once

#include <glm/glm.hpp>
#include <map>
#include <vector>

#include "core/import/worker/assembly/key_curve.h"

namespace ck::worker {

// The columns of a sampler: keys in the order of the file.
struct ColladaSampler {
  enum class Kind { Linear, Step, Bezier, Hermite };
  std::vector<double> times;
  std::size_t width = 1;       // numbers per key
  std::vector<double> values;  // times.size() * width
  std::vector<Kind> kinds;     // of the segment that starts at each key
  // One per number and key: (seconds, value) for Bezier; slopes for Hermite, where seconds are
  // unused. Empty where the file has none.
  std::vector<glm::dvec2> inTangents;
  std::vector<glm::dvec2> outTangents;
  Beyond before = Beyond::Constant;
  Beyond after = Beyond::Constant;
};

// The curve of number `part`, with the keys of the sampler in the order given: key by time.
KeyCurve curveOf(const ColladaSampler& sampler, std::size_t part,
                 const std::map<double, std::size_t>& keyAtTime);

}  // namespace ck::worker
