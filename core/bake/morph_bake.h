#pragma once

#include "core/atlas/atlas_morphs.h"
#include "core/bake/bake_window.h"

namespace ck {

struct BakedMorphs {
  AtlasMorphs atlas;
  std::vector<int> moved;  // for each window, how many morphs leave their defaults on its frames
};

// Bakes the morph weights on the frames of every window. If a clip moves more than `form.slotCount`
// morphs, those with the largest displacement energy are kept (docs/techniques.md 5.2);
// displacements are measured in the rest pose. Empty for a character without morphs. The work grows
// linearly with the number of frames; every frame, and every moment halfway between two, is
// reported when it has been measured. Fails with InvalidInput if a weight is not finite or too
// large, and with Cancelled.
Result<BakedMorphs> bakeMorphs(const Character& character, const std::vector<BakeWindow>& windows,
                               const MorphForm& form, const JobContext& job);

// Checks that decoded weights are those of the source: on every frame of every window within the
// rounding to MorphForm::bits, and `lossMm` within 0.001 mm. Targets without a slot must keep their
// default unless the clip keeps as many others as it can. `windows` are those that the weights were
// baked from (bakedWindow()). Targets that only the rig has must keep their default in all clips.
// Fails with InvalidInput and the first difference (clip, target, time), and with Cancelled.
Result<void> checkBakedMorphs(const Character& character, const std::vector<BakeWindow>& windows,
                              const AtlasMorphs& baked, const JobContext& job);

}  // namespace ck
