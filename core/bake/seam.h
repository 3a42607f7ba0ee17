#pragma once

#include <cstddef>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

class LanePoser;

// How a clip closes, measured on its key poses (docs/techniques.md 1.3).
struct SeamVerdict {
  Seam seam = Seam::None;
  double seamMm = 0.0;  // largest shell distance between the last and the first key pose
  double stepMm = 0.0;  // mean distance between neighbouring key poses
};

// How a clip closes whose last key pose is `seamMm` away from its first, where `keyCount` key poses
// lie `stepSeconds` and `stepMm` apart on average.
Seam classifySeam(double seamMm, double stepMm, std::size_t keyCount, double stepSeconds);

// Poses every key once, by a poser of the clip without a closing step. The result is of no use if
// the job is stopped.
SeamVerdict measureSeam(const Character& character, const Clip& clip, const LanePoser& poser,
                        const JobContext& job = {});
SeamVerdict measureSeam(const Character& character, const Clip& clip, const JobContext& job = {});

}  // namespace ck
