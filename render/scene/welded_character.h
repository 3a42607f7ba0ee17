#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "core/scene/character.h"

namespace ck::render {

// One vertex as the vertex shader gets it: 56 bytes.
struct GpuVertex {
  glm::vec3 position{0.0f};                 // bind pose, default morph weights applied
  std::array<std::int16_t, 4> normal = {};  // 16-bit signed fractions; w: whether it morphs
  glm::vec2 uv{0.0f};
  std::array<std::uint16_t, 4> skinJoints = {};  // heaviest first
  std::array<float, 4> weights = {};             // sum 1; 0 where unused
  std::uint32_t material = 0;  // into Character::materials; materials.size() for none
};
static_assert(sizeof(GpuVertex) == 56);

// All meshes of a character as one list of vertices and triangles. Vertices are one only where they
// agree in every attribute: place, normal, tangent, uv, material, every influence and every morph
// delta. Meshes follow one another; their triangles are ordered for the vertex cache, vertices by
// first use.
struct WeldedCharacter {
  std::vector<GpuVertex> vertices;
  // packTangent() of every vertex; empty where no mesh has tangents.
  std::vector<std::uint32_t> tangents;
  std::vector<std::uint32_t> indices;
  // Where the triangles of each mesh begin in `indices`; one entry more for the end of the last.
  std::vector<std::uint32_t> meshStarts;
  // For every vertex of the character (meshes one after another) the vertex here that stands for
  // it.
  std::vector<std::uint32_t> weldedOf;
  // For every vertex here one vertex of the character that it stands for, in the same numbering.
  std::vector<std::uint32_t> originalOf;
  bool frontsOnly = false;  // showsFrontsOnly()
};

WeldedCharacter weldCharacter(const Character& character);

// The bind vertices of a mesh with its default morph weights applied.
struct BindShape {
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<glm::vec4> tangents;  // unit, as the mesh has them; or empty
};
BindShape defaultShape(const Mesh& mesh);

}  // namespace ck::render
