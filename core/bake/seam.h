#pragma once

#include <cstddef>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

class LanePoser;

// How a clip closes, measured on its key poses (docs/techniques.md 1.3): by its joints, and where
// they stand still by what its morph targets move.
struct SeamVerdict {
  Seam seam = Seam::None;
  double seamMm = 0.0;  // largest shell distance between the last and the first key pose
  double stepMm = 0.0;  // mean distance between neighbouring key poses
};

// How a clip closes whose last key pose is `seamMm` away from its first, where `keyCount` key poses
// lie `stepSeconds` and `stepMm` apart on average.
Seam classifySeam(double seamMm, double stepMm, std::size_t keyCount, double stepSeconds);

// Whether a clip with so many key times is measured on all of its keys. Of a longer clip, 128 steps
// in windows from its start to its end give the mean distance, because that takes no poser.
constexpr bool posesAllKeys(std::size_t keyCount) {
  return keyCount <= 2048;
}

// `times` are keyTimes() of the clip. `poser` poses it without a closing step, if there is one
// already. The result is of no use if the job is stopped.
SeamVerdict measureSeam(const Character& character, const Clip& clip,
                        const std::vector<double>& times, const LanePoser* poser,
                        const JobContext& job = {});
// As above.
SeamVerdict measureSeam(const Character& character, const Clip& clip, const JobContext& job = {});

}  // namespace ck
