#pragma once

#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Global matrices of all joints (joint space -> model space) from their local transforms.
std::vector<glm::dmat4> globalMatrices(const Rig& rig, std::span<const Trs> locals);

// As above, into `globals`, which must have one entry per joint. Allocates nothing.
void globalMatrices(const Rig& rig, std::span<const Trs> locals, std::span<glm::dmat4> globals);

// Global matrices with every joint at rest.
std::vector<glm::dmat4> restMatrices(const Rig& rig);

// Skin matrices: global * inverseBind, one per skin joint, model space -> model space.
std::vector<glm::dmat4> skinMatrices(const Rig& rig, std::span<const glm::dmat4> globals);

// Skin matrices of a clip at `seconds` on the file's timeline.
std::vector<glm::dmat4> skinMatricesAt(const Rig& rig, const Clip& clip, double seconds);

// The box of all bind-pose vertices, with each mesh placed by its topmost joint at rest. The
// placement is needed because files may store meshes in centimetres, or each part around its own
// origin. All zero if there are no vertices.
Bounds bindBounds(const Character& character);

}  // namespace ck
