#pragma once

#include "core/scene/character.h"

namespace ck::render {

// Whether a mesh is a skin without holes that winds outwards everywhere, so that no eye outside
// ever sees a back face and drawing may leave them out (a third of the time on a CPU). Corners are
// the same where their bind positions are; every edge must be walked as often one way as the other,
// and every connected piece must enclose a positive volume.
bool isClosedSurface(const Mesh& mesh);

// Whether back faces may be left out for the whole character: every mesh is closed or has a
// material that is meant to be seen from the front alone, and no joint turns what hangs on it
// inside out, at rest or by a key of a clip.
bool showsFrontsOnly(const Character& character);

}  // namespace ck::render
