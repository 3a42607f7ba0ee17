#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/scene/character.h"

namespace ck::render {

// A vertex in the vertex buffer: 56 bytes.
struct GpuVertex {
  glm::vec3 position{0.0f};  // bind pose with default morph weights
  // 16-bit signed normalised; w: whether the vertex morphs.
  std::array<std::int16_t, 4> normal = {};
  glm::vec2 uv{0.0f};
  std::array<std::uint16_t, 4> skinJoints = {};  // heaviest first
  std::array<float, 4> weights = {};             // sum 1; 0 where unused
  std::uint32_t material = 0;  // into Character::materials; materials.size() for none
};
static_assert(sizeof(GpuVertex) == 56);

// All meshes of a character as one list of vertices and triangles. Vertices are merged only if all
// attributes are equal: position, normal, tangent, uvs, colour, material, influences and morph
// deltas.
// Meshes are consecutive. Triangles are ordered for the vertex cache, vertices by first use.
struct WeldedCharacter {
  std::vector<GpuVertex> vertices;
  // packTangent() of every vertex; empty if no mesh has tangents.
  std::vector<std::uint32_t> tangents;
  // The colour of every vertex, linear, 16 bits unsigned normalised; empty if no mesh has colours.
  std::vector<std::array<std::uint16_t, 4>> colors;
  // The second texture coordinates of every vertex, or the first where a mesh has one set; empty if
  // no mesh has two.
  std::vector<glm::vec2> secondUvs;
  std::vector<std::uint32_t> indices;
  // The first index of each mesh in `indices`, and the end of the last mesh.
  std::vector<std::uint32_t> meshStarts;
  // For every vertex of the character (meshes in order), the index of its merged vertex.
  std::vector<std::uint32_t> weldedOf;
  // For every merged vertex, one vertex of the character that it stands for.
  std::vector<std::uint32_t> originalOf;
  bool frontsOnly = false;  // showsFrontsOnly()
};

WeldedCharacter weldCharacter(const Character& character);

// Influences of vertices as one float each: skin joint index + weight / 2. A vertex so has 16 bytes
// instead of 24. The precision of the weight is what the index leaves of a float's 24 bits.
struct PackedInfluences {
  std::vector<glm::vec4> vertices;
  double worstWeightError = 0.0;  // largest absolute error of a weight
};
PackedInfluences packInfluences(std::span<const GpuVertex> vertices);
// The weight of such a float, as the vertex shader decodes it.
float weightOfPacked(float packed);

}  // namespace ck::render
