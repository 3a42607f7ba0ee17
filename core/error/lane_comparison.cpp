#include "core/error/lane_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

#include "core/bake/pose/lane_math.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose_lanes.h"
#include "core/base/assert.h"
#include "core/error/lane_frames.h"

namespace ck {

struct LaneComparison::Work {
  static constexpr std::size_t kTurned = 3;  // the source, and two readings
  using F8 = lanes::F8;
  using I8 = lanes::I8;
  using Quat = lanes::Quat;
  using Rows = lanes::Rows;

  // How far a reading draws a joint from the source.
  struct alignas(32) Off {
    float rows[3][4][kLaneCount];    // of the source's skin matrix less those of the drawn one
    float linear[3][3][kLaneCount];  // rows of the drawn one, if the character has morphs
  };
  struct alignas(32) Turn {
    float at[4][kLaneCount];
  };
  // The results of one reading.
  struct alignas(32) OfReading {
    std::vector<float> shellMm;   // joints with vertices, kLaneCount each
    std::vector<float> vertexMm;  // some of VertexModel::samples, kLaneCount each
    std::array<Spots::value_type, kLaneCount> spots;
    std::uint32_t lastWorst = 0;
    float leastSquare = 0.0f;  // up to this, vertices need not be searched
  };

  const ComparisonInputs& inputs;
  const ComparedClip& clip;
  const PoseForm form = formOf(inputs.atlas);
  // Whether rotations and shells are found in skin matrices, because poses hold something else.
  const bool bySkins = form != PoseForm::Pivot;
  const bool loses =  // influences of some vertices
      std::ranges::any_of(inputs.vertices.clusters, &VertexModel::Cluster::losesInfluences);
  LaneFrames frames{inputs.atlas, clip.atlasClip, inputs.interpolate};
  std::vector<double> units = {};  // of the moments that are prepared
  LanePoser::Run run = {};
  std::vector<LanePose> source = {};
  std::vector<LanePivot> pivots = {};  // of the source
  // The drawn poses of the reading that is compared, by joint.
  std::vector<LaneDrawn> drawn = {};
  std::vector<LaneRows> matrices = {};  // in place of `drawn`, in the matrix form
  std::vector<Off> offs = {};
  std::vector<float> reachSquares = {};  // kLaneCount each
  // As drawn, where bySkins; else empty.
  std::vector<LanePose> skins = {};
  std::vector<LanePivot> skinPivots = {};
  std::vector<LaneMost> unused = {};
  std::array<OfReading, 2> readings = {};
  // By slot, of joints with vertices: the rotations of the source, and of both readings.
  std::array<std::vector<Turn>, kSlots> turns = {};
  // kLaneCount for each morph: the weights of the source, and those less the drawn ones.
  std::vector<float> morphWeights = {};
  std::vector<float> morphOffs = {};
  bool morphing = false;  // whether any of them is not zero
  std::size_t sampleStep = 1;
  std::size_t firstSample = 0;

  // The weights of one moment, as PoseComparison::setMorphs() gives them.
  void setMorphs(std::size_t lane, std::span<const float> weights, std::span<const float> shown) {
    if (lane == 0) morphing = false;
    morphWeights.resize(weights.size() * kLaneCount);
    morphOffs.resize(weights.size() * kLaneCount);
    for (std::size_t m = 0; m < weights.size(); ++m) {
      const float off = weights[m] - shown[m];
      morphWeights[m * kLaneCount + lane] = weights[m];
      morphOffs[m * kLaneCount + lane] = off;
      morphing = morphing || weights[m] != 0.0f || off != 0.0f;
    }
  }

  void prepare(std::span<const double> moments) {
    const AtlasClip& baked = inputs.atlas.clips[static_cast<std::size_t>(clip.atlasClip)];
    std::vector<StoredFrame> sampled;
    units.clear();
    for (const double at : moments) {
      sampled.push_back({at, {}});
      units.push_back(unitInClip(baked, at));
    }
    units.resize((units.size() + kLaneCount - 1) / kLaneCount * kLaneCount, units.back());
    clip.poser->prepare(sampled, run);
    const std::size_t joints = clip.poser->skinJointCount();
    source.resize(joints);
    pivots.resize(joints);
    unused.assign(joints, {});
    if (bySkins) skins.resize(joints);
    if (form == PoseForm::Matrix) matrices.resize(joints);
    skinPivots.resize(skins.size());
    const auto weighted =
        static_cast<std::size_t>(std::ranges::count_if(inputs.shell.hasVertices, std::identity()));
    for (std::vector<Turn>& slot : turns) slot.resize(kTurned * weighted);
    const std::size_t samples = inputs.vertices.samples.size();
    drawn.resize(joints);
    offs.resize(joints);
    reachSquares.resize(joints * kLaneCount);
    for (OfReading& own : readings) {
      own.shellMm.resize(weighted * kLaneCount);
      own.vertexMm.resize(firstSample < samples
                              ? (samples - firstSample - 1) / sampleStep * kLaneCount + kLaneCount
                              : 0);
    }
  }

  // Compares the moments of a batch, whose morphs are set. False, with undefined results, if one is
  // not finite.
  bool compare(std::size_t batch, std::size_t slot) {
    clip.poser->pose(run, batch, source);
    if (!pivotsOf(source, pivots, unused, LanePath::Best)) return false;
    for (std::size_t r = 0; r < readings.size(); ++r) {
      const auto moments = std::span(units).subspan(batch * kLaneCount).first<kLaneCount>();
      if (form == PoseForm::Matrix) {
        frames.drawMatrices(moments, static_cast<Reading>(r), matrices);
      } else {
        frames.draw(moments, static_cast<Reading>(r), drawn);
      }
      if (!subtractBest(*this) || !pivotsOf(skins, skinPivots, unused, LanePath::Best)) {
        return false;
      }
      compareBest(*this, readings[r], r, turns[slot]);
    }
    return true;
  }

  // The rows of the skin matrix as drawn (skinMatrixOf()).
  CK_LANES_INLINE Rows skinRows(std::size_t j) const {
    using namespace lanes;
    const AtlasJoint& joint = inputs.atlas.joints[j];
    Rows own;
    if (form == PoseForm::Matrix) {
      for (int i = 0; i < 12; ++i) own.at[i / 4][i % 4] = load<F8>(matrices[j].at[i / 4][i % 4]);
    } else {
      const LaneDrawn& pose = drawn[j];
      own = toRows({{load<F8>(pose.place[0]), load<F8>(pose.place[1]), load<F8>(pose.place[2])},
                    lanes::readQuat(pose.rotation),
                    {load<F8>(pose.scale[0]), load<F8>(pose.scale[1]), load<F8>(pose.scale[2])}});
    }
    Rows rows = own;
    const glm::mat4& bind = joint.inverseBind;
    for (int row = 0; row < 3; ++row) {
      const auto& m = own.at[row];
      if (form == PoseForm::Trs) {
        for (int c = 0; c < 4; ++c) {
          rows.at[row][c] = m[0] * bind[c][0] + m[1] * bind[c][1] + m[2] * bind[c][2];
        }
        rows.at[row][3] += m[3];
      } else {
        rows.at[row][3] -= m[0] * joint.pivot.x + m[1] * joint.pivot.y + m[2] * joint.pivot.z;
      }
    }
    return rows;
  }

  // The difference of the skin matrices.
  CK_LANES_INLINE void subtract(std::size_t j, Off& off) {
    using namespace lanes;
    const Rows rows = skinRows(j);
    for (int row = 0; row < 3; ++row) {
      const auto& m = rows.at[row];
      for (int c = 0; c < 4; ++c) {
        store(off.rows[row][c], load<F8>(source[j].rows[row][c]) - m[c]);
        if (bySkins) store(skins[j].rows[row][c], m[c]);
      }
      if (bySkins) store(skins[j].place[row], m[3]);
      if (!morphing) continue;
      for (int c = 0; c < 3; ++c) store(off.linear[row][c], m[c]);
    }
  }

  // The square of the largest distance of three points around the pivot (shellDistance()).
  CK_LANES_INLINE F8 shellSquare(std::size_t j) const {
    using namespace lanes;
    const auto radius = static_cast<float>(inputs.shell.radii[j]);
    const glm::vec3& pivot = inputs.atlas.joints[j].pivot;
    F8 squares[3] = {};
    for (int row = 0; row < 3; ++row) {
      const auto& off = offs[j].rows[row];
      const F8 moved = bySkins ? load<F8>(off[0]) * pivot.x + load<F8>(off[1]) * pivot.y +
                                     load<F8>(off[2]) * pivot.z + load<F8>(off[3])
                               : load<F8>(source[j].place[row]) - load<F8>(drawn[j].place[row]);
      for (int axis = 0; axis < 3; ++axis) {
        const F8 d = moved + radius * load<F8>(off[axis]);
        squares[axis] += d * d;
      }
    }
    return larger(larger(squares[0], squares[1]), squares[2]);
  }

  // The square of a length that no point of a box exceeds under a matrix. `wider` is how much
  // further the box reaches to all sides.
  static CK_LANES_INLINE F8 reachSquare(const float (&rows)[3][4][kLaneCount],
                                        const VertexModel::Box& box, const F8& wider = F8{}) {
    using namespace lanes;
    F8 sum = {};
    for (int row = 0; row < 3; ++row) {
      const auto& m = rows[row];
      const F8 x = load<F8>(m[0]);
      const F8 y = load<F8>(m[1]);
      const F8 z = load<F8>(m[2]);
      const F8 most =
          magnitude(x * box.center.x + y * box.center.y + z * box.center.z + load<F8>(m[3])) +
          magnitude(x) * (box.half.x + wider) + magnitude(y) * (box.half.y + wider) +
          magnitude(z) * (box.half.z + wider);
      sum += most * most;
    }
    return sum;
  }
  static CK_LANES_INLINE F8 root(const F8& square) {
    return square * lanes::inverseRoot(square + 1e-30f);
  }

  // The morphs that move vertices of a cluster, if any is not at rest.
  std::span<const VertexModel::MorphBound> movedBy(const VertexModel::Cluster& cluster) const {
    if (!morphing) return {};
    return cluster.morphs;
  }

  // The most that influences which are not drawn move a vertex (VertexComparison::lostBound()).
  CK_LANES_INLINE F8 lostBound(const VertexModel::Cluster& cluster, const F8& wider) const {
    using namespace lanes;
    const LanePose& first = source[cluster.joints.front().skinJoint];
    F8 bound = cluster.lostSum * root(reachSquare(first.rows, cluster.box, wider));
    for (const VertexModel::JointBound& joint : cluster.joints) {
      if (joint.lost == 0.0f) continue;
      const LanePose& own = source[joint.skinJoint];
      alignas(32) float apart[3][4][kLaneCount];
      for (int i = 0; i < 12; ++i) {
        store(apart[i / 4][i % 4],
              load<F8>(own.rows[i / 4][i % 4]) - load<F8>(first.rows[i / 4][i % 4]));
      }
      bound += joint.lost * root(reachSquare(apart, cluster.box, wider));
    }
    return bound;
  }

  // The square of a length that no difference of a joint of a cluster exceeds.
  CK_LANES_INLINE F8 widestSquare(const VertexModel::Cluster& cluster, const F8& wider) const {
    using namespace lanes;
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
    using namespace lanes;
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
    using namespace lanes;
    F8 moved = {};
    F8 apart = {};
    for (const VertexModel::MorphBound& morph : movedBy(cluster)) {
      moved += magnitude(load<F8>(morphWeights.data() + morph.morph * kLaneCount)) * morph.length;
      apart += magnitude(load<F8>(morphOffs.data() + morph.morph * kLaneCount)) * morph.length;
    }
    const F8 reach = closely ? mixedSquare(cluster, moved) : widestSquare(cluster, moved);
    if (movedBy(cluster).empty() && !cluster.losesInfluences) return reach;
    F8 stretch = {};
    for (const VertexModel::JointBound& joint : cluster.joints) {
      F8 size = {};
      for (int i = 0; morphing && i < 9; ++i) {
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
    using namespace lanes;
    const VertexModel& model = inputs.vertices;
    F8 at[3];
    F8 apart[3] = {};
    for (int c = 0; c < 3; ++c) at[c] = all(model.positions[v][c]);
    for (std::uint32_t i = model.deltaStarts[v]; i < model.deltaStarts[v + 1]; ++i) {
      const VertexModel::Delta& delta = model.deltas[i];
      const F8 weight = load<F8>(morphWeights.data() + delta.morph * kLaneCount);
      const F8 off = load<F8>(morphOffs.data() + delta.morph * kLaneCount);
      for (int c = 0; c < 3; ++c) {
        at[c] += weight * delta.position[c];
        apart[c] += off * delta.position[c];
      }
    }
    F8 error[3] = {};
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      const VertexModel::Influence& influence = model.influences[i];
      const Off& off = offs[influence.skinJoint];
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
    using namespace lanes;
    const auto& m = source[influence.skinJoint].rows;
    for (int row = 0; row < 3; ++row) {
      error[row] += influence.lost * (load<F8>(m[row][0]) * at[0] + load<F8>(m[row][1]) * at[1] +
                                      load<F8>(m[row][2]) * at[2] + load<F8>(m[row][3]));
    }
  }

  CK_LANES_INLINE F8 vertexSquare(std::size_t v) const {
    using namespace lanes;
    const VertexModel& model = inputs.vertices;
    if (morphing && model.deltaStarts[v] != model.deltaStarts[v + 1]) return morphedSquare(v);
    const glm::vec3& p = model.positions[v];
    F8 error[3] = {};
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      const VertexModel::Influence& influence = model.influences[i];
      const auto& m = offs[influence.skinJoint].rows;
      const float w = influence.drawn;
      if (loses && influence.lost != 0.0f) {
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

  // The largest squares, and where they are.
  struct Top {
    F8 square;
    I8 index;
    CK_LANES_INLINE void take(const F8& other, int which) {
      const I8 more = (other > square) | ((other == square) & (which < index));
      square = more ? other : square;
      index = more ? I8{} + which : index;
    }
  };

  // The vertices that are farthest off (VertexComparison::worst()); `top` has some already.
  CK_LANES_INLINE Top worstVertices(float leastSquare, Top top) const {
    using namespace lanes;
    // Bounds are computed in float, and weights sum to 1 within 1e-5.
    constexpr float kSlack = 1.0002f;
    constexpr std::size_t kVerticesPerJoint = 3;
    const VertexModel& model = inputs.vertices;
    const auto mayBeWorse = [&](const F8& square) __attribute__((always_inline)) {
      return anyTrue(square * kSlack >= larger(top.square, all(leastSquare)));
    };
    for (const VertexModel::Cluster& cluster : model.clusters) {
      F8 reach = {};
      for (const VertexModel::JointBound& joint : cluster.joints) {
        reach = larger(reach, load<F8>(reachSquares.data() + joint.skinJoint * kLaneCount));
      }
      const bool isPlain = movedBy(cluster).empty() && !cluster.losesInfluences;
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

  static CK_LANES_INLINE void storeMm(const F8& square, float* to) {
    using namespace lanes;
    store(to, 1000.0f * root(square));
  }

  // Subtracts the source from the drawn poses. False if something is not finite.
  CK_LANES_INLINE bool subtractAll() {
    using namespace lanes;
    F8 sum = {};
    for (std::size_t j = 0; j < source.size(); ++j) {
      Off& off = offs[j];
      subtract(j, off);
      const VertexModel::Box& box = inputs.vertices.jointBoxes[j];
      store(reachSquares.data() + j * kLaneCount,
            box.half.x < 0.0f ? F8{} : reachSquare(off.rows, box));
      for (int row = 0; row < 3; ++row) {
        for (int c = 0; c < 4; ++c) sum += load<F8>(off.rows[row][c]);
      }
    }
    // Vertices are compared in float, which holds squares up to 1e38. Written so that NaN fails.
    return !anyTrue(~(magnitude(sum) < 1e15f));
  }

  static CK_LANES_INLINE void storeTurn(const Quat& q, Turn& turn) {
    using namespace lanes;
    store(turn.at[0], q.x);
    store(turn.at[1], q.y);
    store(turn.at[2], q.z);
    store(turn.at[3], q.w);
  }

  CK_LANES_INLINE void compareReading(OfReading& own, std::size_t reading,
                                      std::span<Turn> turned) const {
    using namespace lanes;
    Top shell{all(-1.0f), I8{} - 1};
    Top sines{all(-1.0f), I8{} - 1};
    F8 cosines = {};  // of the same
    std::size_t weighted = 0;
    for (std::size_t j = 0; j < source.size(); ++j) {
      if (inputs.shell.hasVertices[j] == 0) continue;
      const F8 square = shellSquare(j);
      shell.take(square, static_cast<int>(j));
      storeMm(square, own.shellMm.data() + weighted * kLaneCount);
      const Quat s = lanes::readQuat(pivots[j].rotation);
      const Quat q = lanes::readQuat(bySkins ? skinPivots[j].rotation : drawn[j].rotation);
      const Quat off = multiplied({-s.x, -s.y, -s.z, s.w}, q);
      sines.take(off.x * off.x + off.y * off.y + off.z * off.z, static_cast<int>(j));
      cosines = sines.index == static_cast<int>(j) ? magnitude(off.w) : cosines;
      if (reading == 0) storeTurn(s, turned[kTurned * weighted]);
      storeTurn(q, turned[kTurned * weighted + 1 + reading]);
      ++weighted;
    }
    const std::span<const std::uint32_t> samples = inputs.vertices.samples;
    float* mm = own.vertexMm.data();
    Top some{vertexSquare(own.lastWorst), I8{} + static_cast<int>(own.lastWorst)};
    for (std::size_t i = firstSample; i < samples.size(); i += sampleStep) {
      const F8 square = vertexSquare(samples[i]);
      storeMm(square, mm);
      mm += kLaneCount;
      some.take(square, static_cast<int>(samples[i]));
    }
    const Top vertices = worstVertices(own.leastSquare, some);
    own.lastWorst = static_cast<std::uint32_t>(vertices.index[0]);
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const auto k = static_cast<int>(lane);
      const auto inMm = [](float square) {
        return 1000.0 * std::sqrt(static_cast<double>(square));
      };
      const double sine = std::sqrt(static_cast<double>(sines.square[k]));
      auto& spots = own.spots[lane];
      spots = {};
      spots[static_cast<std::size_t>(Measure::Vertices)] = {inMm(vertices.square[k]),
                                                            vertices.index[k]};
      if (shell.index[k] < 0) continue;
      constexpr double kDegrees = 57.29577951308232;
      spots[static_cast<std::size_t>(Measure::Shell)] = {inMm(shell.square[k]), shell.index[k]};
      spots[static_cast<std::size_t>(Measure::Degrees)] = {
          kDegrees * 2.0 * std::atan2(sine, static_cast<double>(cosines[k])), sines.index[k]};
    }
  }

  // The cosine of half the largest angle between two rotations of a joint.
  static CK_LANES_INLINE void leastCosine(std::span<const Turn> from, std::span<const Turn> to,
                                          float (&cosines)[kLaneCount]) {
    using namespace lanes;
    F8 least = all(1.0f);
    for (std::size_t i = 0; i < from.size(); ++i) {
      least = smaller(
          least, magnitude(lanes::dot(lanes::readQuat(from[i].at), lanes::readQuat(to[i].at))));
    }
    store(cosines, least);
  }

  CK_LANES_CLONES static bool subtractBest(Work& self) { return self.subtractAll(); }
  CK_LANES_CLONES static void compareBest(const Work& self, OfReading& own, std::size_t reading,
                                          std::span<Turn> turned) {
    self.compareReading(own, reading, turned);
  }
  CK_LANES_CLONES static void leastCosineBest(std::span<const Turn> from, std::span<const Turn> to,
                                              float (&cosines)[kLaneCount]) {
    leastCosine(from, to, cosines);
  }
};

bool LaneComparison::canCompare(const ComparisonInputs& inputs) {
  return !(inputs.interpolate && inputs.hardwareLinear) && !inputs.vertices.places.empty();
}

LaneComparison::LaneComparison(const ComparisonInputs& inputs, const ComparedClip& clip)
    : work_(std::make_unique<Work>(Work{inputs, clip})) {}
LaneComparison::~LaneComparison() = default;

void LaneComparison::setMorphs(std::size_t lane, std::span<const float> weights,
                               std::span<const float> shown) {
  work_->setMorphs(lane, weights, shown);
}

void LaneComparison::skipVerticesBelow(Reading reading, double mm) {
  const auto meters = static_cast<float>(mm * 1e-3);
  work_->readings[static_cast<std::size_t>(reading)].leastSquare = meters * meters;
}

void LaneComparison::sampleEvery(std::size_t step, std::size_t first) {
  work_->sampleStep = step;
  work_->firstSample = first;
}

void LaneComparison::setFrames(std::span<const double> inside) {
  const auto& clips = work_->inputs.atlas.clips;
  const AtlasClip& baked = clips[static_cast<std::size_t>(work_->clip.atlasClip)];
  std::vector<double> units;
  for (const double seconds : inside) units.push_back(unitInClip(baked, seconds));
  work_->frames.choose(units);
}

void LaneComparison::prepare(std::span<const double> moments) {
  CK_ASSERT(!moments.empty());
  work_->prepare(moments);
}

bool LaneComparison::compare(std::size_t batch, std::size_t slot) {
  return work_->compare(batch, slot);
}

Spots LaneComparison::spots(std::size_t lane) const {
  return {work_->readings[0].spots[lane], work_->readings[1].spots[lane]};
}

std::span<const float> LaneComparison::shell(Reading reading) const {
  return work_->readings[static_cast<std::size_t>(reading)].shellMm;
}

std::span<const float> LaneComparison::vertices(Reading reading) const {
  return work_->readings[static_cast<std::size_t>(reading)].vertexMm;
}

std::array<double, kLaneCount> LaneComparison::turnBetween(std::size_t from, std::size_t to) const {
  float cosines[kLaneCount];
  Work::leastCosineBest(work_->turns[from], work_->turns[to], cosines);
  std::array<double, kLaneCount> turns;
  for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
    turns[lane] = static_cast<double>(2.0f * std::acos(std::clamp(cosines[lane], 0.0f, 1.0f)));
  }
  return turns;
}

void LaneComparison::moveOn(std::size_t from, std::size_t before, std::size_t to) {
  const std::vector<Work::Turn>& turns = work_->turns[from];
  for (std::size_t i = 0; i < turns.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) {
      moveLanesOn(turns[i].at[c], work_->turns[before][i].at[c], work_->turns[to][i].at[c]);
    }
  }
}

}  // namespace ck
