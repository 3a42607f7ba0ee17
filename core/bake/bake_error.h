#pragma once

#include <string>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// The error of the decoded atlas against the source (docs/techniques.md 3.4). It is measured at
// three points 3 cm from the joint along the axes (in the posed model), over all joints with
// weights. The times are the key times, four times inside every key interval, and the baked times.
struct ErrorFigures {
  double maxMm = 0.0;
  double p99Mm = 0.0;
  double rmsMm = 0.0;
  double maxDegrees = 0.0;
  double vertexMaxMm = 0.0;  // every 7th vertex: all influences in the source, limited in the atlas
  std::string worstClip;
  std::string worstJoint;
  double worstTimeSeconds = 0.0;  // on the file's timeline
};

struct BakeError {
  ErrorFigures palette;  // each joint interpolated relative to its parent ("error")
  ErrorFigures direct;   // each joint interpolated by itself ("errorDirect")
};

// Measures both readings on decoded texels. Clips are matched by name, joints by index. Fails with
// InvalidInput if they do not match, and with Cancelled.
Result<BakeError> measureBakeError(const Character& character, const Atlas& atlas,
                                   JobContext job = {});

}  // namespace ck
