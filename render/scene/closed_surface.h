#pragma once

#include "core/scene/character.h"

namespace ck::render {

// Whether the meshes are skins without holes that wind outwards everywhere, so that no eye outside
// ever sees a back face and drawing may leave them out (a third of the time on a CPU). Corners are
// the same where their bind positions are; every edge must be walked as often one way as the other,
// and every connected piece must enclose a positive volume.
bool isClosedSurface(const Character& character);

}  // namespace ck::render
