#pragma once

#include <string>

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// How far the decoded atlas is from the source (TECHNIQUES 2.2). Distances are those of three
// points 3 cm from the joint (in the posed model) along the axes, over all joints with weights, at
// key times, at four times inside every key interval and at the baked times.
struct ErrorFigures {
  double maxMm = 0.0;
  double p99Mm = 0.0;
  double rmsMm = 0.0;
  double maxDegrees = 0.0;
  double vertexMaxMm =
      0.0;  // of every 7th vertex, all influences in the source, limited in the atlas
  std::string worstClip;
  std::string worstJoint;
  double worstTimeSeconds = 0.0;  // on the file's timeline
};

struct BakeError {
  ErrorFigures palette;  // frames interpolated relative to the parent joint: "error"
  ErrorFigures direct;   // each joint by itself: "errorDirect"
};

// Measures both readings on decoded texels. The clips are matched by name and the joints by order;
// fails with InvalidInput where they do not fit, and with Cancelled.
Result<BakeError> measureBakeError(const Character& character, const Atlas& atlas,
                                   JobContext job = {});

}  // namespace ck
