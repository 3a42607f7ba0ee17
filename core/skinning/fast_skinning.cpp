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
template <class Component>
CK_LANES_INLINE F8 cofactorRow(const F8 (&m)[kMatrix], std::size_t first, const Component (&n)[3]) {
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

// Eight vertices of one pose.
CK_LANES_INLINE void storeEight(F8 (&v)[4], PackedVertex* to,
                                const std::uint32_t (&places)[kCount]) {
  transpose(v);
  for (int k = 0; k < 4; ++k) {
    store(to + places[k], lowHalf(v[k]));
    store(to + places[k + 4], lowHalf(highHalves(v[k], v[k])));
  }
}

// Skins eight vertices by the blended matrices `m`: `v` gets their positions and packed normals.
// `p` and `n` are numbers where eight poses of one vertex are skinned, and eight lanes each for
// eight vertices of one pose.
template <class Component>
CK_LANES_INLINE void skinBy(const F8 (&m)[kMatrix], const Component (&p)[3],
                            const Component (&n)[3], F8 (&v)[4]) {
  for (std::size_t row = 0; row < 3; ++row) {
    const F8* r = &m[row * 4];
    v[row] = r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3];
  }
  v[3] = packedNormals(cofactorRow(m, 1, n), cofactorRow(m, 2, n), cofactorRow(m, 0, n));
}

// The element `Of` of either half, four times.
template <int Of>
CK_LANES_INLINE F8 spread(const F8& v) {
  return __builtin_shufflevector(v, v, Of, Of, Of, Of, Of + 4, Of + 4, Of + 4, Of + 4);
}

// The blended matrices of the vertices K and K + 4, side by side: rows[row][K] gets a row of each.
template <std::size_t Influences, int K, class Eight>
CK_LANES_INLINE void addRows(const Eight& eight, const float* matrices,
                             const F8 (&weights)[Influences], F8 (&rows)[3][4]) {
  F8 sum[3];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Influences; ++i) {
    const float* low = matrices + eight.matrices[i][K];
    const float* high = matrices + eight.matrices[i][K + 4];
    const F8 weight = spread<K>(weights[i]);
    for (std::size_t row = 0; row < 3; ++row) {
      const F8 part = joined(load<F4>(low + 4 * row), load<F4>(high + 4 * row));
      if (Influences == 1) {
        sum[row] = part;
      } else {
        sum[row] = i == 0 ? part * weight : sum[row] + part * weight;
      }
    }
  }
  for (std::size_t row = 0; row < 3; ++row) rows[row][K] = sum[row];
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

// The skinning itself, with scratch memory for eight poses.
struct FastSkin::Batch {
  static_assert(Eight::kSize == static_cast<std::size_t>(kCount));
  // The matrices of all joints. Each element is stored for eight poses side by side.
  std::vector<float> lanes;
  std::vector<PackedVertex> spare;
  alignas(32) float places[3][kCount];
  Outputs outputs;

  // Up to eight poses side by side.
  void run(const FastSkin& skin, std::span<const SkinPose> poses);
  // One pose, with eight vertices side by side.
  static void runOne(const FastSkin& skin, const SkinPose& pose);

 private:
  template <std::size_t Influences>
  CK_LANES_INLINE void skinAll(const Group& group) const;
  CK_LANES_INLINE void placeAll(const Group& group) const;
  template <std::size_t Influences>
  static CK_LANES_INLINE void skinEights(const Group& group, const SkinPose& pose);
  static CK_LANES_INLINE void placeEights(const Group& group, const SkinPose& pose);
};

template <std::size_t Influences>
CK_LANES_INLINE void FastSkin::Batch::skinAll(const Group& group) const {
  for (std::size_t vertex = 0; vertex < group.count; ++vertex) {
    const Eight& eight = group.eights[vertex / kCount];
    const std::size_t at = vertex % kCount;
    F8 m[kMatrix];
    for (std::size_t i = 0; i < Influences; ++i) {
      const float* joint = lanes.data() + eight.matrices[i][at] * std::size_t{kCount};
      const float weight = eight.weights[i][at];
      for (std::size_t c = 0; c < kMatrix; ++c) {
        const F8 part = load<F8>(joint + c * kCount);
        if (Influences == 1) {
          m[c] = part;
        } else {
          m[c] = i == 0 ? part * weight : m[c] + part * weight;
        }
      }
    }
    const float p[3] = {eight.position[0][at], eight.position[1][at], eight.position[2][at]};
    const float n[3] = {eight.normal[0][at], eight.normal[1][at], eight.normal[2][at]};
    F8 v[4];
    skinBy(m, p, n, v);
    storeAll(v, outputs, eight.places[at]);
  }
}

CK_LANES_INLINE void FastSkin::Batch::placeAll(const Group& group) const {
  for (std::size_t vertex = 0; vertex < group.count; ++vertex) {
    const Eight& eight = group.eights[vertex / kCount];
    const std::size_t at = vertex % kCount;
    F8 v[4] = {load<F8>(places[0]), load<F8>(places[1]), load<F8>(places[2]),
               packedNormals(all(eight.normal[0][at]), all(eight.normal[1][at]),
                             all(eight.normal[2][at]))};
    storeAll(v, outputs, eight.places[at]);
  }
}

// The operations are those of skinAll() in their order, so that the results are the same.
template <std::size_t Influences>
CK_LANES_INLINE void FastSkin::Batch::skinEights(const Group& group, const SkinPose& pose) {
  const auto* matrices = reinterpret_cast<const float*>(pose.rows.data());
  for (const Eight& eight : group.eights) {
    // Blended first and transposed then, which is fewer operations than the other way round.
    F8 rows[3][4];
    F8 weights[Influences];
    for (std::size_t i = 0; i < Influences; ++i) weights[i] = load<F8>(eight.weights[i]);
    addRows<Influences, 0>(eight, matrices, weights, rows);
    addRows<Influences, 1>(eight, matrices, weights, rows);
    addRows<Influences, 2>(eight, matrices, weights, rows);
    addRows<Influences, 3>(eight, matrices, weights, rows);
    F8 m[kMatrix];
    for (std::size_t row = 0; row < 3; ++row) {
      transpose(rows[row]);
      for (std::size_t c = 0; c < 4; ++c) m[row * 4 + c] = rows[row][c];
    }
    const F8 p[3] = {load<F8>(eight.position[0]), load<F8>(eight.position[1]),
                     load<F8>(eight.position[2])};
    const F8 n[3] = {load<F8>(eight.normal[0]), load<F8>(eight.normal[1]),
                     load<F8>(eight.normal[2])};
    F8 v[4];
    skinBy(m, p, n, v);
    storeEight(v, pose.vertices.data(), eight.places);
  }
}

CK_LANES_INLINE void FastSkin::Batch::placeEights(const Group& group, const SkinPose& pose) {
  for (const Eight& eight : group.eights) {
    F8 v[4] = {all(pose.place.x), all(pose.place.y), all(pose.place.z),
               packedNormals(load<F8>(eight.normal[0]), load<F8>(eight.normal[1]),
                             load<F8>(eight.normal[2]))};
    storeEight(v, pose.vertices.data(), eight.places);
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

CK_LANES_CLONES
void FastSkin::Batch::runOne(const FastSkin& skin, const SkinPose& pose) {
  placeEights(skin.byInfluences_[0], pose);
  skinEights<1>(skin.byInfluences_[1], pose);
  skinEights<2>(skin.byInfluences_[2], pose);
  skinEights<3>(skin.byInfluences_[3], pose);
  skinEights<4>(skin.byInfluences_[4], pose);
}

FastSkin::FastSkin(std::span<const BindVertex> vertices, int influences)
    : vertexCount_(vertices.size()) {
  const auto put = [](Eight& eight, std::size_t at, const BindVertex& bind, const VertexPull& pull,
                      std::size_t place) {
    for (int axis = 0; axis < 3; ++axis) {
      eight.position[axis][at] = bind.position[axis];
      eight.normal[axis][at] = bind.normal[axis];
    }
    for (std::size_t i = 0; i < pull.joints.size(); ++i) {
      eight.weights[i][at] = pull.weights[i];
      eight.matrices[i][at] = static_cast<std::uint32_t>(kMatrix) * pull.joints[i];
    }
    eight.places[at] = static_cast<std::uint32_t>(place);
  };
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const BindVertex& bind = vertices[v];
    const VertexPull pull = renormalised(heaviest(bind, influences));
    for (std::uint32_t i = 0; i < pull.count; ++i) {
      jointCount_ = std::max(jointCount_, pull.joints[i] + std::size_t{1});
    }
    Group& group = byInfluences_[pull.count];
    const std::size_t first = group.count % kCount;
    if (first == 0) group.eights.emplace_back();
    for (std::size_t at = first; at < kCount; ++at) put(group.eights.back(), at, bind, pull, v);
    ++group.count;
  }
}

void FastSkin::skin(std::span<const SkinPose> poses, const JobContext& job) const {
  for (const SkinPose& pose : poses) {
    CK_ASSERT(pose.rows.size() >= jointCount_ * 3 && pose.vertices.size() >= vertexCount_);
  }
  // So many poses take less time one after the other than with lanes that stay idle.
  constexpr std::size_t kFewPoses = 5;
  const std::size_t batches = (poses.size() + kCount - 1) / kCount;
  parallelFor(batches, job, [&](std::size_t index) {
    thread_local Batch batch;
    const std::size_t first = index * kCount;
    const auto some = poses.subspan(first, std::min<std::size_t>(kCount, poses.size() - first));
    if (some.size() > kFewPoses) return batch.run(*this, some);
    for (const SkinPose& pose : some) Batch::runOne(*this, pose);
  });
}

}  // namespace ck
