#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <utility>
#include <vector>

#include "core/scene/character.h"
#include "core/skinning/fast_skinning.h"

namespace ck {

// Whether any mesh has tangents.
bool hasTangents(const Character& character);

// Packs a tangent (unit xyz; w = -1 or 1, the sign of the bitangent). xyz are packed as by
// packNormal(), w goes into the two bits above, signed. 0, or a w of 0, means no tangent.
std::uint32_t packTangent(const glm::vec4& tangent);
glm::vec4 unpackTangent(std::uint32_t packed);  // unit xyz; all 0 if there is no tangent

// One pose whose tangents are to be skinned.
struct TangentPose {
  std::span<const glm::vec4> rows;         // three rows of the matrix of each skin joint
  std::span<std::uint32_t> tangents = {};  // output, packed, one per vertex
};

// Skins the tangents of many poses of one mesh, with the result of skinMesh(). A tangent is
// multiplied by the linear part of the blended matrix and made orthogonal to the normal; its w
// changes sign where the matrix mirrors. Runs on the CPU in float, eight poses at once, like
// FastSkin. shaders/prepass/skin_vertex.glsl computes the same.
class FastTangents {
 public:
  // `tangents`: packed, one per vertex. `influences`: 1, 2 or 4; the heaviest are kept.
  FastTangents(std::span<const BindVertex> vertices, std::span<const std::uint32_t> tangents,
               int influences);

  // Skins any number of poses. Each must have rows for every joint that the vertices use. Vertices
  // without a tangent or a joint keep their tangent. The result depends neither on the number of
  // threads nor on how poses are grouped.
  void turn(std::span<const TangentPose> poses) const;

 private:
  struct Vertex {
    glm::vec3 normal;
    glm::vec3 along;
    VertexPull pull;
    std::uint32_t side;   // the sign bit is set where the tangent's w is -1
    std::uint32_t place;  // index in the output
  };
  struct Batch;
  friend struct Batch;

  std::vector<Vertex> vertices_;  // vertices with a tangent and a joint
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      still_;  // index in the output and constant packed tangent
  std::size_t vertexCount_ = 0;
  std::size_t jointCount_ = 0;  // highest joint index in use + 1
};

}  // namespace ck
