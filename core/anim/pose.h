#pragma once

#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// Global matrices of all joints (joint space -> model space) from their local transforms.
std::vector<glm::dmat4> globalMatrices(const Rig& rig, std::span<const Trs> locals);

// The same into `globals`, one entry per joint; allocates nothing.
void globalMatrices(const Rig& rig, std::span<const Trs> locals, std::span<glm::dmat4> globals);

// Global matrices with every joint at rest.
std::vector<glm::dmat4> restMatrices(const Rig& rig);

// What moves a vertex: global * inverseBind, one per skin joint, model space -> model space.
std::vector<glm::dmat4> skinMatrices(const Rig& rig, std::span<const glm::dmat4> globals);

// Skin matrices of a clip at a time of the file's timeline.
std::vector<glm::dmat4> skinMatricesAt(const Rig& rig, const Clip& clip, double seconds);

// The box of all vertices as they were bound, each mesh placed by its topmost joint at rest: files
// may store meshes in centimetres, or each part around its own origin, and leave it to the joints
// to put them right. All zero where there are no vertices.
Bounds bindBounds(const Character& character);

}  // namespace ck
