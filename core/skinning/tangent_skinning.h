#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/character.h"
#include "core/skinning/fast_skinning.h"

namespace ck {

// Whether any mesh has tangents.
bool hasTangents(const Character& character);

// A tangent (unit xyz, w the side of the bitangent, -1 or 1) as packNormal() packs xyz, with w in
// the two bits above, signed. 0 stands for none; so does a w of 0.
std::uint32_t packTangent(const glm::vec4& tangent);
glm::vec4 unpackTangent(std::uint32_t packed);  // unit xyz; all 0 for none

// Vertices with tangents, to be skinned in float on the processor.
struct TangentMesh {
  std::vector<BindVertex> vertices;
  std::vector<std::uint32_t> tangents;  // packed, one per vertex
  int influences = 4;                   // 1, 2 or 4 heaviest
};

// The packed tangents of one pose, as skinMesh() has them: turned by the linear part of the blended
// matrix, brought to right angles with the normal (its cofactors), their side changed where the
// matrix mirrors. `rows`: three rows of the matrix of each skin joint; `out`: one per vertex.
// shaders/prepass/skin_vertex.glsl writes the same.
void skinTangents(const TangentMesh& mesh, std::span<const glm::vec4> rows,
                  std::span<std::uint32_t> out);

}  // namespace ck
