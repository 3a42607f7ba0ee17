#pragma once

#include "core/atlas/atlas_morphs.h"
#include "core/bake/bake_window.h"

namespace ck {

// The weights of the character's shapes on the frames of every window. A clip that moves more than
// kMorphSlots shapes keeps those of the largest displacement energy: the sum over its frames of
// (weight - default)^2 times the sum over vertices of |delta|^2, as large as the rest pose shows
// them. Empty for a character without shapes. Fails with InvalidInput where a weight is not a
// number or too large.
Result<AtlasMorphs> bakeMorphs(const Character& character, const std::vector<BakeWindow>& windows);

}  // namespace ck
