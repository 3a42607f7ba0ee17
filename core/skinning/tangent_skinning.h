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

// A tangent (unit xyz, w the side of the bitangent, -1 or 1) as packNormal() packs xyz, with w in
// the two bits above, signed. 0 stands for none; so does a w of 0.
std::uint32_t packTangent(const glm::vec4& tangent);
glm::vec4 unpackTangent(std::uint32_t packed);  // unit xyz; all 0 for none

// One pose whose tangents are to be turned.
struct TangentPose {
  std::span<const glm::vec4> rows;         // three rows of the matrix of each skin joint
  std::span<std::uint32_t> tangents = {};  // to be written, packed, one per vertex
};

// The tangents of many poses of one mesh, as skinMesh() has them: turned by the linear part of the
// blended matrix, brought to right angles with the normal (its cofactors), their side changed where
// the matrix mirrors. In float on the processor, eight poses side by side, as FastSkin skins the
// vertices. shaders/prepass/skin_vertex.glsl writes the same.
class FastTangents {
 public:
  // `tangents`: packed, one per vertex. `influences`: 1, 2 or 4 heaviest.
  FastTangents(std::span<const BindVertex> vertices, std::span<const std::uint32_t> tangents,
               int influences);

  // Any number of poses, with rows for every joint that the vertices name. Vertices without a
  // tangent or a joint keep what they have. The result depends neither on the number of threads nor
  // on which poses are turned together.
  void turn(std::span<const TangentPose> poses) const;

 private:
  struct Vertex {
    float normal[3];
    float along[3];
    float weights[4];
    std::uint32_t joints[4];
    std::uint32_t influences;
    std::uint32_t side;   // the highest bit where the tangent's w is -1, else 0
    std::uint32_t place;  // in the output
  };
  struct Batch;
  friend struct Batch;

  std::vector<Vertex> vertices_;                                // that turn
  std::vector<std::pair<std::uint32_t, std::uint32_t>> still_;  // place and packed tangent
  std::size_t vertexCount_ = 0;
  std::size_t jointCount_ = 0;  // that are named
};

}  // namespace ck
