#pragma once

#include "core/atlas/atlas_morphs.h"
#include "core/bake/bake_window.h"

namespace ck {

// Bakes the morph weights on the frames of every window. If a clip moves more than kMorphSlots
// morphs, those with the largest displacement energy are kept (docs/techniques.md 5.2);
// displacements are measured in the rest pose. Empty for a character without morphs. The work grows
// linearly with the number of frames; every frame, and every moment halfway between two, is
// reported when it has been measured. Fails with InvalidInput if a weight is not finite or too
// large, and with Cancelled.
Result<AtlasMorphs> bakeMorphs(const Character& character, const std::vector<BakeWindow>& windows,
                               const JobContext& job);

}  // namespace ck
