#pragma once

#include "core/base/result.h"
#include "core/scene/character.h"

namespace ck {

// Adds the clips of `from` to a copy of `rig`, as importWithClips() does.
Result<Character> addClips(const Character& rig, const Character& from);

}  // namespace ck
