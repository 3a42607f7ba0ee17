#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "core/base/job.h"

namespace ck {

// The input vertex of FastSkin.
struct BindVertex {
  glm::vec3 position{0.0f};
  glm::vec3 normal{0.0f};                        // unit
  std::array<std::uint16_t, 4> skinJoints = {};  // heaviest first
  std::array<float, 4> weights = {};             // sum 1; 0 where unused
};

// The influences of a vertex that are used.
struct VertexPull {
  std::array<std::uint32_t, 4> joints = {};
  std::array<float, 4> weights = {};
  std::uint32_t count = 0;
  bool operator==(const VertexPull&) const = default;
};
// The heaviest influences, at most `limit` (1, 2 or 4), with their weights as they are.
VertexPull heaviest(const BindVertex& vertex, int limit);
// As above, renormalised.
VertexPull renormalised(VertexPull pull);

// A skinned vertex in its storage format, 16 bytes. shaders/prepass/skin_vertex.glsl writes the
// same format.
struct PackedVertex {
  glm::vec3 position{0.0f};
  std::uint32_t normal = 0;  // packNormal()
};
static_assert(sizeof(PackedVertex) == 16);

// Packs a unit vector into three signed components of 10 bits, in steps of 1/511, x lowest. The
// error is at most 0.1 degrees.
std::uint32_t packNormal(const glm::vec3& normal);
glm::vec3 unpackNormal(std::uint32_t packed);  // unit

// One pose to skin, with its output.
struct SkinPose {
  std::span<const glm::vec4> rows;        // three rows of the matrix of each skin joint
  glm::vec3 place{0.0f};                  // where vertices without joints are placed
  std::span<PackedVertex> vertices = {};  // output, vertexCount() entries
};

// Linear blend skinning in float, on the CPU: of many poses of one mesh eight at once, so that each
// vertex is loaded once for eight poses; of few poses eight vertices at once. Vertices are sorted
// by their number of influences, so that no vertex processes unused influences. Normals use the
// cofactor matrix of the blended matrix, as in skinMesh(), and have unit length.
class FastSkin {
 public:
  // `influences`: 1, 2 or 4. The heaviest are kept and renormalised.
  FastSkin(std::span<const BindVertex> vertices, int influences);

  std::size_t vertexCount() const { return vertexCount_; }

  // Skins any number of poses. Each must have rows for every joint that the vertices use. The
  // result depends neither on the number of threads nor on how poses are grouped.
  void skin(std::span<const SkinPose> poses, const JobContext& job = {}) const;

 private:
  // Eight vertices side by side.
  struct Eight {
    static constexpr std::size_t kSize = 8;
    float position[3][kSize];
    float normal[3][kSize];
    float weights[4][kSize];
    std::uint32_t matrices[4]
                          [kSize];  // where those of the joints begin, in floats of SkinPose::rows
    std::uint32_t places[kSize];    // indices in the output
  };
  // The vertices with one number of influences. The last eight are filled up with the last vertex.
  struct Group {
    std::size_t count = 0;
    std::vector<Eight> eights;
  };
  struct Batch;

  std::size_t vertexCount_ = 0;
  std::size_t jointCount_ = 0;  // highest joint index in use + 1
  std::array<Group, 5> byInfluences_;
};

}  // namespace ck
