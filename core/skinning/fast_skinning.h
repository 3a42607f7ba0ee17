#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/base/job.h"

namespace ck {

// A vertex as FastSkin takes it.
struct BindVertex {
  glm::vec3 position{0.0f};
  glm::vec3 normal{0.0f};                        // unit
  std::array<std::uint16_t, 4> skinJoints = {};  // heaviest first
  std::array<float, 4> weights = {};             // sum 1; 0 where unused
};

// A skinned vertex as it is drawn, 16 bytes: shaders/prepass/skin_vertex.glsl writes the same.
struct PackedVertex {
  glm::vec3 position{0.0f};
  std::uint32_t normal = 0;  // packNormal()
};
static_assert(sizeof(PackedVertex) == 16);

// A unit vector as three signed fractions of 511ths, ten bits each, x lowest: off by 0.1 degrees at
// most.
std::uint32_t packNormal(const glm::vec3& normal);
glm::vec3 unpackNormal(std::uint32_t packed);  // unit

// One pose to skin.
struct SkinPose {
  std::span<const glm::vec4> rows;        // three rows of the matrix of each skin joint
  glm::vec3 place{0.0f};                  // where vertices go that no joint pulls on
  std::span<PackedVertex> vertices = {};  // to be written, vertexCount() of them
};

// Linear blend skinning in float for many poses of one mesh, where there is no GPU to do it: eight
// poses side by side, so that one load of a vertex serves eight and every lane does the same.
// Vertices are sorted by their number of influences, so that none pays for what it lacks. Normals
// take the cofactors of the blended matrix, as skinMesh() does, and are stored with unit length.
class FastSkin {
 public:
  // `influences`: 1, 2 or 4 heaviest, renormalised.
  FastSkin(std::span<const BindVertex> vertices, int influences);

  std::size_t vertexCount() const { return vertexCount_; }

  // Any number of poses, which must have rows for every joint that the vertices name. The result
  // depends neither on the number of threads nor on which poses are skinned together.
  void skin(std::span<const SkinPose> poses, const JobContext& job = {}) const;

 private:
  struct Vertex {
    float position[3];
    float normal[3];
    float weights[4];
    std::uint32_t joints[4];
    std::uint32_t place;  // in the output
  };
  struct Batch;
  friend struct Batch;

  std::size_t vertexCount_ = 0;
  std::size_t jointCount_ = 0;  // that are named
  std::array<std::vector<Vertex>, 5> byInfluences_;
};

}  // namespace ck
