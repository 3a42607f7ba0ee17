#include "core/error/lane_vertex_errors.h"

#include <algorithm>
#include <cmath>

#include "core/error/lane_kernels.h"

namespace ck {

using namespace lanes;

LaneVertexErrors::LaneVertexErrors(const VertexModel& model)
    : model_(model),
      loses_(std::ranges::any_of(model.clusters, &VertexModel::Cluster::losesInfluences)) {}

void LaneVertexErrors::skipBelow(Reading reading, double mm) {
  const auto meters = static_cast<float>(mm * 1e-3);
  readings_[static_cast<std::size_t>(reading)].leastSquare = meters * meters;
}

void LaneVertexErrors::sampleEvery(std::size_t step, std::size_t first) {
  sampleStep_ = step;
  firstSample_ = first;
}

void LaneVertexErrors::prepare() {
  const std::size_t samples = model_.samples.size();
  const std::size_t count =
      firstSample_ < samples ? (samples - firstSample_ - 1) / sampleStep_ + 1 : 0;
  for (OfReading& own : readings_) own.mm.resize(count * kLaneCount);
}

void LaneVertexErrors::setMorphs(std::size_t lane, std::span<const float> weights,
                                 std::span<const float> shown) {
  if (lane == 0) morphing_ = false;
  morphWeights_.resize(weights.size() * kLaneCount);
  morphOffs_.resize(weights.size() * kLaneCount);
  for (std::size_t m = 0; m < weights.size(); ++m) {
    const float off = weights[m] - shown[m];
    morphWeights_[m * kLaneCount + lane] = weights[m];
    morphOffs_[m * kLaneCount + lane] = off;
    morphing_ = morphing_ || weights[m] != 0.0f || off != 0.0f;
  }
}

// The arithmetic, inlined into one function for each instruction set.
struct LaneVertexErrors::Kernel {
  const LaneVertexErrors& own;
  std::span<const LanePose> source;
  std::span<const LaneOff> offs;
  std::span<const float> reachSquares;

  // The most that influences which are not drawn move a vertex (VertexComparison::lostBound()).
  CK_LANES_INLINE F8 lostBound(const VertexModel::Cluster& cluster, const F8& wider) const {
    const LanePose& first = source[cluster.joints.front().skinJoint];
    F8 bound = cluster.lostSum * root(reachSquare(first.rows, cluster.box, wider));
    for (const VertexModel::JointBound& joint : cluster.joints) {
      if (joint.lost == 0.0f) continue;
      const LanePose& other = source[joint.skinJoint];
      alignas(32) float apart[3][4][kLaneCount];
      for (int i = 0; i < 12; ++i) {
        store(apart[i / 4][i % 4],
              load<F8>(other.rows[i / 4][i % 4]) - load<F8>(first.rows[i / 4][i % 4]));
      }
      bound += joint.lost * root(reachSquare(apart, cluster.box, wider));
    }
    return bound;
  }

  // The square of a length that no difference of a joint of a cluster exceeds.
  CK_LANES_INLINE F8 widestSquare(const VertexModel::Cluster& cluster, const F8& wider) const {
    F8 most = {};
    for (const VertexModel::JointBound& joint : cluster.joints) {
      if (joint.drawn <= 0.0f) continue;
      most = larger(most, reachSquare(offs[joint.skinJoint].rows, cluster.box, wider));
    }
    return most;
  }

  // The same for their mixtures by the weights of a vertex, which are seldom far from their mean in
  // the cluster: D_i = M + (D_i - M), with M the mixture by the means.
  CK_LANES_INLINE F8 mixedSquare(const VertexModel::Cluster& cluster, const F8& wider) const {
    alignas(32) float mean[3][4][kLaneCount] = {};
    for (const VertexModel::JointBound& joint : cluster.joints) {
      for (int i = 0; i < 12; ++i) {
        float* to = mean[i / 4][i % 4];
        store(to, load<F8>(to) + joint.mean * load<F8>(offs[joint.skinJoint].rows[i / 4][i % 4]));
      }
    }
    F8 sum = root(reachSquare(mean, cluster.box, wider));
    for (const VertexModel::JointBound& joint : cluster.joints) {
      if (joint.spread == 0.0f) continue;
      alignas(32) float apart[3][4][kLaneCount];
      for (int i = 0; i < 12; ++i) {
        store(apart[i / 4][i % 4],
              load<F8>(offs[joint.skinJoint].rows[i / 4][i % 4]) - load<F8>(mean[i / 4][i % 4]));
      }
      sum += joint.spread * root(reachSquare(apart, cluster.box, wider));
    }
    return sum * sum;
  }

  // The square of an error that no vertex of a cluster exceeds (VertexComparison::boundOf()):
  // quickly, or closely.
  template <bool closely>
  CK_LANES_INLINE F8 boundSquare(const VertexModel::Cluster& cluster) const {
    F8 moved = {};
    F8 apart = {};
    for (const VertexModel::MorphBound& morph : own.movedBy(cluster)) {
      moved +=
          magnitude(load<F8>(own.morphWeights_.data() + morph.morph * kLaneCount)) * morph.length;
      apart += magnitude(load<F8>(own.morphOffs_.data() + morph.morph * kLaneCount)) * morph.length;
    }
    const F8 reach = closely ? mixedSquare(cluster, moved) : widestSquare(cluster, moved);
    if (own.movedBy(cluster).empty() && !cluster.losesInfluences) return reach;
    F8 stretch = {};
    for (const VertexModel::JointBound& joint : cluster.joints) {
      F8 size = {};
      for (int i = 0; own.morphing_ && i < 9; ++i) {
        const F8 entry = load<F8>(offs[joint.skinJoint].linear[i / 3][i % 3]);
        size += entry * entry;
      }
      stretch = larger(stretch, size);
    }
    F8 bound = root(reach) + apart * root(stretch);
    if (cluster.losesInfluences) bound += lostBound(cluster, moved);
    return bound * bound;
  }

  // The squared error of a vertex that morphs move.
  CK_LANES_INLINE F8 morphedSquare(std::size_t v) const {
    const VertexModel& model = own.model_;
    F8 at[3];
    F8 apart[3] = {};
    for (int c = 0; c < 3; ++c) at[c] = all(model.positions[v][c]);
    for (std::uint32_t i = model.deltaStarts[v]; i < model.deltaStarts[v + 1]; ++i) {
      const VertexModel::Delta& delta = model.deltas[i];
      const F8 weight = load<F8>(own.morphWeights_.data() + delta.morph * kLaneCount);
      const F8 off = load<F8>(own.morphOffs_.data() + delta.morph * kLaneCount);
      for (int c = 0; c < 3; ++c) {
        at[c] += weight * delta.position[c];
        apart[c] += off * delta.position[c];
      }
    }
    F8 error[3] = {};
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      const VertexModel::Influence& influence = model.influences[i];
      const LaneOff& off = offs[influence.skinJoint];
      for (int row = 0; row < 3; ++row) {
        const auto& m = off.rows[row];
        const auto& s = off.linear[row];
        F8 sum = load<F8>(m[3]);
        for (int c = 0; c < 3; ++c) sum += load<F8>(m[c]) * at[c] + load<F8>(s[c]) * apart[c];
        error[row] += influence.drawn * sum;
      }
      if (influence.lost != 0.0f) addLost(influence, at, error);
    }
    return error[0] * error[0] + error[1] * error[1] + error[2] * error[2];
  }

  // Where the source draws a vertex by an influence that the atlas's player leaves out.
  CK_LANES_INLINE void addLost(const VertexModel::Influence& influence, const F8 (&at)[3],
                               F8 (&error)[3]) const {
    const auto& m = source[influence.skinJoint].rows;
    for (int row = 0; row < 3; ++row) {
      error[row] += influence.lost * (load<F8>(m[row][0]) * at[0] + load<F8>(m[row][1]) * at[1] +
                                      load<F8>(m[row][2]) * at[2] + load<F8>(m[row][3]));
    }
  }

  CK_LANES_INLINE F8 vertexSquare(std::size_t v) const {
    const VertexModel& model = own.model_;
    if (own.morphing_ && model.deltaStarts[v] != model.deltaStarts[v + 1]) return morphedSquare(v);
    const glm::vec3& p = model.positions[v];
    F8 error[3] = {};
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      const VertexModel::Influence& influence = model.influences[i];
      const auto& m = offs[influence.skinJoint].rows;
      const float w = influence.drawn;
      if (own.loses_ && influence.lost != 0.0f) {
        const F8 at[3] = {all(p.x), all(p.y), all(p.z)};
        addLost(influence, at, error);
      }
      for (int row = 0; row < 3; ++row) {
        error[row] += load<F8>(m[row][0]) * (w * p.x) + load<F8>(m[row][1]) * (w * p.y) +
                      load<F8>(m[row][2]) * (w * p.z) + load<F8>(m[row][3]) * w;
      }
    }
    return error[0] * error[0] + error[1] * error[1] + error[2] * error[2];
  }

  // The vertices that are farthest off (VertexComparison::worst()); `top` has some already.
  CK_LANES_INLINE Top worstVertices(float leastSquare, Top top) const {
    // Bounds are computed in float, and weights sum to 1 within 1e-5.
    constexpr float kSlack = 1.0002f;
    constexpr std::size_t kVerticesPerJoint = 3;
    const VertexModel& model = own.model_;
    const auto mayBeWorse = [&](const F8& square) __attribute__((always_inline)) {
      return anyTrue(square * kSlack >= larger(top.square, all(leastSquare)));
    };
    for (const VertexModel::Cluster& cluster : model.clusters) {
      F8 reach = {};
      for (const VertexModel::JointBound& joint : cluster.joints) {
        reach = larger(reach, load<F8>(reachSquares.data() + joint.skinJoint * kLaneCount));
      }
      const bool isPlain = own.movedBy(cluster).empty() && !cluster.losesInfluences;
      if (isPlain && !mayBeWorse(reach)) continue;
      if (!mayBeWorse(boundSquare<false>(cluster))) continue;
      // For few vertices with many joints, looking closely takes longer than comparing them.
      const bool looksClosely =
          cluster.joints.size() > 1 && kVerticesPerJoint * cluster.joints.size() <= cluster.count;
      if (looksClosely && !mayBeWorse(boundSquare<true>(cluster))) continue;
      for (std::uint32_t v = cluster.first; v < cluster.first + cluster.count; ++v) {
        top.take(vertexSquare(v), static_cast<int>(v));
      }
    }
    return top;
  }

  CK_LANES_INLINE void compare(OfReading& reading) const {
    const std::span<const std::uint32_t> samples = own.model_.samples;
    float* mm = reading.mm.data();
    Top some{vertexSquare(reading.lastWorst), I8{} + static_cast<int>(reading.lastWorst)};
    for (std::size_t i = own.firstSample_; i < samples.size(); i += own.sampleStep_) {
      const F8 square = vertexSquare(samples[i]);
      storeMm(square, mm);
      mm += kLaneCount;
      some.take(square, static_cast<int>(samples[i]));
    }
    const Top worst = worstVertices(reading.leastSquare, some);
    reading.lastWorst = static_cast<std::uint32_t>(worst.index[0]);
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const auto k = static_cast<int>(lane);
      reading.worst[lane] = {1000.0 * std::sqrt(static_cast<double>(worst.square[k])),
                             worst.index[k]};
    }
  }

  CK_LANES_CLONES static void compareBest(const Kernel& kernel, OfReading& reading) {
    kernel.compare(reading);
  }
};

void LaneVertexErrors::compare(Reading reading, std::span<const LanePose> source,
                               const LaneOffs& offs) {
  Kernel::compareBest({*this, source, offs.joints(), offs.reachSquares()},
                      readings_[static_cast<std::size_t>(reading)]);
}

}  // namespace ck
