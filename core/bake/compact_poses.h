#pragma once

#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// Rounds the numbers of a baked atlas to what the container's small form predicts of them, as far
// as no vertex of the character moves by more than `mm` > 0 in a stored frame, drawn with the
// atlas's influences and morph weights from -1 to 1. Sets compactMm and compactReach. The encoding
// can be compact (core/atlas/compact_slack.h), and the atlas has its texels and ranges. A clip
// whose small form would not shrink stays as it is. Clips are rounded side by side. False if the
// job was stopped; the atlas is of no use then.
bool makeCompact(const Character& character, double mm, Atlas& atlas, const JobContext& job);

}  // namespace ck
