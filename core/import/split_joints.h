#pragma once

#include <string_view>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Readers split a joint into two where children leave out its scale: "X (unscaled)" has the
// translation and rotation, and "X" below it the scale (worker/fbx/fbx_nodes.h). The name of the
// upper one is this suffix behind that of the lower one.
inline constexpr std::string_view kUnscaled = " (unscaled)";

// For every joint that is the lower one of two, the upper one; else -1.
std::vector<int> unscaledJoints(const Rig& rig);

// Splits joints of `character` whose partners in `other` are split, so that clips of one fit the
// other. `partners` has the joint of `other` or -1 for every joint. Children go below the upper
// joint where their partners do. No pose changes.
void splitLike(const Rig& other, std::vector<int> partners, Character& character);

}  // namespace ck
