#include "core/skinning/fast_skinning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/assert.h"
#include "core/base/lanes.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

using namespace lanes;
constexpr std::size_t kMatrix = 12;

// The dot product of a vector with the cross product of rows `first` and `first` + 1. This is one
// row of the cofactor matrix of the linear part of `m`.
CK_LANES_INLINE F8 cofactorRow(const F8 (&m)[kMatrix], std::size_t first, const glm::vec3& n) {
  const F8* r = &m[first * 4];
  const F8* s = &m[(first + 1) % 3 * 4];
  return (r[1] * s[2] - r[2] * s[1]) * n[0] + (r[2] * s[0] - r[0] * s[2]) * n[1] +
         (r[0] * s[1] - r[1] * s[0]) * n[2];
}

// The outputs of eight poses. Unused lanes write to spare memory.
struct Outputs {
  PackedVertex* at[kCount];
};

CK_LANES_INLINE void storeAll(F8 (&v)[4], const Outputs& outputs, std::uint32_t place) {
  transpose(v);
  for (int k = 0; k < 4; ++k) {
    store(outputs.at[k] + place, lowHalf(v[k]));
    store(outputs.at[k + 4] + place, lowHalf(highHalves(v[k], v[k])));
  }
}

}  // namespace

std::uint32_t packNormal(const glm::vec3& normal) {
  const auto fraction = [](float value) {
    const long steps = std::lround(std::clamp(value, -1.0f, 1.0f) * kNormalSteps);
    return static_cast<std::uint32_t>(steps) & 1023u;
  };
  return fraction(normal.x) | (fraction(normal.y) << 10) | (fraction(normal.z) << 20);
}

glm::vec3 unpackNormal(std::uint32_t packed) {
  const auto fraction = [packed](int shift) {
    return static_cast<float>(static_cast<std::int32_t>(packed << shift) >> 22);
  };
  return glm::normalize(glm::vec3(fraction(22), fraction(12), fraction(2)));
}

VertexPull heaviest(const BindVertex& vertex, int limit) {
  CK_ASSERT(limit == 1 || limit == 2 || limit == 4);
  VertexPull pull;
  while (pull.count < static_cast<std::uint32_t>(limit) && vertex.weights[pull.count] > 0.0f) {
    pull.joints[pull.count] = vertex.skinJoints[pull.count];
    pull.weights[pull.count] = vertex.weights[pull.count];
    ++pull.count;
  }
  return pull;
}

VertexPull renormalised(VertexPull pull) {
  const float sum = std::accumulate(pull.weights.begin(), pull.weights.end(), 0.0f);
  for (std::uint32_t i = 0; i < pull.count; ++i) pull.weights[i] /= sum;
  return pull;
}

// Scratch memory for eight poses.
struct FastSkin::Batch {
  // The matrices of all joints. Each element is stored for eight poses side by side.
  std::vector<float> lanes;
  std::vector<PackedVertex> spare;
  alignas(32) float places[3][kCount];
  Outputs outputs;

  void run(const FastSkin& skin, std::span<const SkinPose> poses);

 private:
  template <std::size_t Influences>
  CK_LANES_INLINE void skinAll(const std::vector<Vertex>& vertices) const;
  CK_LANES_INLINE void placeAll(const std::vector<Vertex>& vertices) const;
};

template <std::size_t Influences>
CK_LANES_INLINE void FastSkin::Batch::skinAll(const std::vector<Vertex>& vertices) const {
  for (const Vertex& vertex : vertices) {
    const VertexPull& pull = vertex.pull;
    F8 m[kMatrix];
    for (std::size_t i = 0; i < Influences; ++i) {
      const float* joint = lanes.data() + pull.joints[i] * kMatrix * kCount;
      for (std::size_t c = 0; c < kMatrix; ++c) {
        const F8 part = load<F8>(joint + c * kCount);
        if (Influences == 1) {
          m[c] = part;
        } else {
          m[c] = i == 0 ? part * pull.weights[0] : m[c] + part * pull.weights[i];
        }
      }
    }
    const glm::vec3& p = vertex.position;
    const glm::vec3& n = vertex.normal;
    F8 v[4];
    for (std::size_t row = 0; row < 3; ++row) {
      const F8* r = &m[row * 4];
      v[row] = r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3];
    }
    v[3] = packedNormals(cofactorRow(m, 1, n), cofactorRow(m, 2, n), cofactorRow(m, 0, n));
    storeAll(v, outputs, vertex.place);
  }
}

CK_LANES_INLINE void FastSkin::Batch::placeAll(const std::vector<Vertex>& vertices) const {
  for (const Vertex& vertex : vertices) {
    F8 v[4] = {load<F8>(places[0]), load<F8>(places[1]), load<F8>(places[2]),
               packedNormals(all(vertex.normal[0]), all(vertex.normal[1]), all(vertex.normal[2]))};
    storeAll(v, outputs, vertex.place);
  }
}

CK_LANES_CLONES
void FastSkin::Batch::run(const FastSkin& skin, std::span<const SkinPose> poses) {
  const glm::vec4* rows[kCount];
  lanes.resize(skin.jointCount_ * kMatrix * kCount);
  if (poses.size() < kCount) spare.resize(skin.vertexCount_);
  for (std::size_t lane = 0; lane < kCount; ++lane) {
    const bool there = lane < poses.size();
    const SkinPose& pose = poses[there ? lane : 0];
    rows[lane] = pose.rows.data();
    outputs.at[lane] = there ? poses[lane].vertices.data() : spare.data();
    for (int axis = 0; axis < 3; ++axis) places[axis][lane] = pose.place[axis];
  }
  gatherRows(rows, skin.jointCount_ * 3, lanes.data());
  placeAll(skin.byInfluences_[0]);
  skinAll<1>(skin.byInfluences_[1]);
  skinAll<2>(skin.byInfluences_[2]);
  skinAll<3>(skin.byInfluences_[3]);
  skinAll<4>(skin.byInfluences_[4]);
}

FastSkin::FastSkin(std::span<const BindVertex> vertices, int influences)
    : vertexCount_(vertices.size()) {
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const BindVertex& bind = vertices[v];
    const VertexPull pull = renormalised(heaviest(bind, influences));
    for (std::uint32_t i = 0; i < pull.count; ++i) {
      jointCount_ = std::max(jointCount_, pull.joints[i] + std::size_t{1});
    }
    byInfluences_[pull.count].push_back(
        {bind.position, bind.normal, pull, static_cast<std::uint32_t>(v)});
  }
}

void FastSkin::skin(std::span<const SkinPose> poses, const JobContext& job) const {
  for (const SkinPose& pose : poses) {
    CK_ASSERT(pose.rows.size() >= jointCount_ * 3 && pose.vertices.size() >= vertexCount_);
  }
  const std::size_t batches = (poses.size() + kCount - 1) / kCount;
  parallelFor(batches, job, [&](std::size_t index) {
    thread_local Batch batch;
    const std::size_t first = index * kCount;
    batch.run(*this, poses.subspan(first, std::min<std::size_t>(kCount, poses.size() - first)));
  });
}

}  // namespace ck
