#include "core/skinning/tangent_skinning.h"

#include <algorithm>
#include <bit>

#include "core/base/assert.h"
#include "core/base/lanes.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

using namespace lanes;

constexpr std::uint32_t kPlus = 1u << 30;
constexpr std::uint32_t kMinus = 3u << 30;

CK_LANES_INLINE Vec cross(const Vec& a, const Vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

CK_LANES_INLINE F8 dot(const Vec& a, const Vec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

CK_LANES_INLINE F8 dot(const Vec& a, const glm::vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace

bool hasTangents(const Character& character) {
  return std::any_of(character.meshes.begin(), character.meshes.end(),
                     [](const Mesh& mesh) { return !mesh.tangents.empty(); });
}

std::uint32_t packTangent(const glm::vec4& tangent) {
  if (tangent.w == 0.0f) return 0;
  return packNormal(glm::vec3(tangent)) | (tangent.w < 0.0f ? kMinus : kPlus);
}

glm::vec4 unpackTangent(std::uint32_t packed) {
  if (packed >> 30 == 0) return glm::vec4(0.0f);
  return {unpackNormal(packed), packed >= kMinus ? -1.0f : 1.0f};
}

// Scratch memory for eight poses.
struct FastTangents::Batch {
  // The matrices of all joints. Each element is stored for eight poses side by side.
  std::vector<float> lanes;
  std::vector<std::uint32_t> spare;
  std::uint32_t* outputs[kCount];

  void run(const FastTangents& tangents, std::span<const TangentPose> poses);

 private:
  CK_LANES_INLINE void turnOne(const Vertex& vertex) const;
};

CK_LANES_INLINE void FastTangents::Batch::turnOne(const Vertex& vertex) const {
  Vec m[3] = {};
  for (std::uint32_t i = 0; i < vertex.pull.count; ++i) {
    const float weight = vertex.pull.weights[i];
    const float* row = lanes.data() + std::size_t{vertex.pull.joints[i]} * 12 * kCount;
    for (int r = 0; r < 3; ++r, row += std::ptrdiff_t{4} * kCount) {
      m[r].x += load<F8>(row) * weight;
      m[r].y += load<F8>(row + kCount) * weight;
      m[r].z += load<F8>(row + std::ptrdiff_t{2} * kCount) * weight;
    }
  }
  const Vec cofactors[3] = {cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])};
  const Vec along = {dot(m[0], vertex.along), dot(m[1], vertex.along), dot(m[2], vertex.along)};
  const Vec normal = {dot(cofactors[0], vertex.normal), dot(cofactors[1], vertex.normal),
                      dot(cofactors[2], vertex.normal)};
  const F8 share = dot(normal, along) / (dot(normal, normal) + 1e-30f);
  const I8 packed = std::bit_cast<I8>(packedNormals(
      along.x - normal.x * share, along.y - normal.y * share, along.z - normal.z * share));
  // All bits set where the matrix mirrors.
  const I8 mirrored = dot(m[0], cofactors[0]) < 0.0f;
  const I8 side = (mirrored ^ static_cast<std::int32_t>(vertex.side)) &
                  std::bit_cast<std::int32_t>(0x80000000u);
  const I8 all = packed | side | static_cast<std::int32_t>(kPlus);
  for (int lane = 0; lane < kCount; ++lane) {
    outputs[lane][vertex.place] = static_cast<std::uint32_t>(all[lane]);
  }
}

CK_LANES_CLONES
void FastTangents::Batch::run(const FastTangents& tangents, std::span<const TangentPose> poses) {
  const glm::vec4* rows[kCount];
  lanes.resize(tangents.jointCount_ * 12 * kCount);
  if (poses.size() < kCount) spare.resize(tangents.vertexCount_);
  for (std::size_t lane = 0; lane < kCount; ++lane) {
    const bool there = lane < poses.size();
    rows[lane] = poses[there ? lane : 0].rows.data();
    outputs[lane] = there ? poses[lane].tangents.data() : spare.data();
  }
  gatherRows(rows, tangents.jointCount_ * 3, lanes.data());
  for (const Vertex& vertex : tangents.vertices_) turnOne(vertex);
  for (const auto& [place, packed] : tangents.still_) {
    for (std::uint32_t* output : outputs) output[place] = packed;
  }
}

FastTangents::FastTangents(std::span<const BindVertex> vertices,
                           std::span<const std::uint32_t> tangents, int influences)
    : vertexCount_(vertices.size()) {
  CK_ASSERT(tangents.size() == vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const BindVertex& bind = vertices[v];
    const glm::vec4 bound = unpackTangent(tangents[v]);
    const auto place = static_cast<std::uint32_t>(v);
    if (bound.w == 0.0f || bind.weights[0] <= 0.0f) {
      still_.emplace_back(place, tangents[v]);
      continue;
    }
    const VertexPull pull = heaviest(bind, influences);
    for (std::uint32_t i = 0; i < pull.count; ++i) {
      jointCount_ = std::max(jointCount_, pull.joints[i] + std::size_t{1});
    }
    vertices_.push_back(
        {bind.normal, glm::vec3(bound), pull, bound.w < 0.0f ? 0x80000000u : 0u, place});
  }
}

void FastTangents::turn(std::span<const TangentPose> poses) const {
  for (const TangentPose& pose : poses) {
    CK_ASSERT(pose.rows.size() >= jointCount_ * 3 && pose.tangents.size() >= vertexCount_);
  }
  const std::size_t batches = (poses.size() + kCount - 1) / kCount;
  parallelFor(batches, {}, [&](std::size_t index) {
    thread_local Batch batch;
    const std::size_t first = index * kCount;
    batch.run(*this, poses.subspan(first, std::min<std::size_t>(kCount, poses.size() - first)));
  });
}

}  // namespace ck
