#include "core/bake/pose_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/atlas/pose_reading.h"
#include "core/bake/lane_poser.h"
#include "core/bake/pivot_bake.h"
#include "core/bake/pivot_lanes.h"
#include "core/base/assert.h"
#include "core/base/lanes.h"

namespace ck {
namespace {

// The position in a baked clip, in [0, 1].
double unitOf(const AtlasClip& clip, double seconds) {
  const double share =
      clip.durationSeconds > 0.0 ? (seconds - clip.startSeconds) / clip.durationSeconds : 0.0;
  return std::clamp(share, 0.0, 1.0);
}

bool isFinite(const glm::dmat4& m) {
  double sum = 0.0;
  for (int column = 0; column < 4; ++column) sum += m[column].x + m[column].y + m[column].z;
  // Vertices are compared in float, which holds squares up to 1e38.
  return std::abs(sum) < 1e15;
}

double squaredSize(const glm::dmat3& m) {
  return glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]);
}

}  // namespace

// Moments that are compared side by side.
struct PoseComparison::Lanes {
  using F8 = lanes::F8;
  using I8 = lanes::I8;
  using Quat = lanes::Quat;

  // A stored frame, and every joint as its parent sees it (ck_poseSeenFrom()).
  struct Frame {
    struct Link {
      float rotation[4];
      float position[3];
      bool fromParent;  // whether the parent has a size
    };
    int index = -1;
    std::vector<JointPose> poses;
    std::vector<Link> links;
  };
  // How a reading draws a joint, and how far that is from the source.
  struct alignas(32) Drawn {
    float rotation[4][kLaneCount];
    float position[3][kLaneCount];
    float scale[kLaneCount];
    float off[3][4][kLaneCount];     // rows of the source's skin matrix less those of the drawn one
    float linear[3][3][kLaneCount];  // rows of the drawn one, if the character has morphs
  };
  // What one reading gives.
  struct alignas(32) OfReading {
    std::vector<Drawn> drawn;         // per joint
    std::vector<float> shellMm;       // joints with vertices, kLaneCount each
    std::vector<float> vertexMm;      // VertexModel::samples, kLaneCount each
    std::vector<float> reachSquares;  // per joint, kLaneCount each
    std::array<Spots::value_type, kLaneCount> spots;
    std::uint32_t lastWorst = 0;
  };

  const ComparisonInputs& inputs;
  const LanePoser& poser;
  LanePoser::Run run = {};
  std::vector<LanePose> source = {};
  std::vector<LanePivot> pivots = {};  // of the source
  std::vector<LaneMost> unused = {};
  std::array<Frame, 2> frames = {};
  std::array<OfReading, 2> readings = {};
  std::array<float, kLaneCount> turns = {};  // from the moment before, in radians
  std::vector<double> seconds = {};          // that were compared
  // kLaneCount for each morph: the weights of the source, and those less the drawn ones.
  std::vector<float> morphWeights = {};
  std::vector<float> morphOffs = {};
  bool morphing = false;  // whether any of them is not zero

  static bool canCompare(const ComparisonInputs& inputs) {
    const auto& clusters = inputs.vertices.clusters;
    return bakesInLanes(inputs.atlas.encoding) && inputs.interpolate && !inputs.hardwareLinear &&
           !inputs.vertices.places.empty() &&
           std::ranges::none_of(clusters, [](const auto& c) { return c.losesInfluences; });
  }

  void readFrame(int clip, int index) {
    Frame& frame = frames[static_cast<std::size_t>(index % 2)];
    if (frame.index == index) return;
    const std::span<const AtlasJoint> joints = inputs.atlas.joints;
    frame.index = index;
    frame.poses = storedFrame(inputs.atlas, clip, index);
    frame.links.resize(joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
      Frame::Link& link = frame.links[j];
      const JointPose& pose = frame.poses[j];
      glm::quat turn = pose.rotation;
      glm::vec3 place = pose.position;
      link.fromParent = false;
      if (joints[j].parent >= 0) {
        const JointPose& parent = frame.poses[static_cast<std::size_t>(joints[j].parent)];
        link.fromParent = parent.scale.x * parent.scale.x > 1e-12f;
        if (link.fromParent) {
          const glm::quat back = glm::conjugate(parent.rotation);
          turn = back * pose.rotation;
          place = (back * (pose.position - parent.position)) / parent.scale;
        }
      }
      for (int c = 0; c < 4; ++c) link.rotation[c] = turn[c];
      for (int c = 0; c < 3; ++c) link.position[c] = place[c];
    }
  }

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

  // Compares moments, whose morphs are set. False, with undefined results, if one is not finite.
  bool compare(const ComparedClip& clip, std::span<const double> moments) {
    CK_ASSERT(!moments.empty() && moments.size() <= kLaneCount);
    const AtlasClip& baked = inputs.atlas.clips[static_cast<std::size_t>(clip.atlasClip)];
    const int last = momentCount(baked.frameCount, baked.stepFrames) - 1;
    const double middle = unitOf(baked, 0.5 * (moments.front() + moments.back()));
    const FramePair pair = framesAt(baked, middle);
    const double moment = std::round(middle * last - pair.alpha);
    std::vector<StoredFrame> sampled;
    float alphas[kLaneCount];
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const double at = moments[std::min(lane, moments.size() - 1)];
      sampled.push_back({at, {}});
      alphas[lane] = static_cast<float>(std::clamp(unitOf(baked, at) * last - moment, 0.0, 1.0));
    }
    poser.prepare(sampled, run);
    source.resize(poser.skinJointCount());
    pivots.resize(poser.skinJointCount());
    unused.assign(poser.skinJointCount(), {});
    poser.pose(run, 0, source);
    if (!pivotsOf(source, pivots, unused, LanePath::Best)) return false;
    readFrame(clip.atlasClip, pair.frame0);
    readFrame(clip.atlasClip, pair.frame1);
    const Frame& frame0 = frames[static_cast<std::size_t>(pair.frame0 % 2)];
    const Frame& frame1 = frames[static_cast<std::size_t>(pair.frame1 % 2)];
    float least[kLaneCount];
    bool finite = true;
    for (std::size_t r = 0; r < readings.size() && finite; ++r) {
      readings[r].drawn.resize(source.size());
      readings[r].reachSquares.resize(source.size() * kLaneCount);
      readings[r].vertexMm.resize(inputs.vertices.samples.size() * kLaneCount);
      finite = compareBest(*this, readings[r], static_cast<Reading>(r), frame0, frame1, alphas,
                           r == 0, least);
    }
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      turns[lane] = 2.0f * std::acos(std::clamp(least[lane], 0.0f, 1.0f));
    }
    seconds.assign(moments.begin(), moments.end());
    return finite;
  }

  static CK_LANES_INLINE Quat readQuat(const float (&q)[4][kLaneCount]) {
    using namespace lanes;
    return {load<F8>(q[0]), load<F8>(q[1]), load<F8>(q[2]), load<F8>(q[3])};
  }

  static CK_LANES_INLINE Quat between(const float (&a)[4], const float (&b)[4], float sign,
                                      const F8& alpha) {
    using namespace lanes;
    F8 q[4];
    for (int c = 0; c < 4; ++c) q[c] = a[c] + (sign * b[c] - a[c]) * alpha;
    return normalized({q[0], q[1], q[2], q[3]});
  }

  // The pose of a joint between two frames (posesBetween()).
  CK_LANES_INLINE void draw(OfReading& own, Reading reading, std::size_t j, const Frame& frame0,
                            const Frame& frame1, const F8& alpha) const {
    using namespace lanes;
    Drawn& drawn = own.drawn[j];
    const Frame::Link& a = frame0.links[j];
    const Frame::Link& b = frame1.links[j];
    const JointPose& pose0 = frame0.poses[j];
    const JointPose& pose1 = frame1.poses[j];
    Quat turn;
    F8 place[3];
    if (reading == Reading::Palette && a.fromParent && b.fromParent) {
      const Drawn& parent = own.drawn[static_cast<std::size_t>(inputs.atlas.joints[j].parent)];
      const float along = a.rotation[0] * b.rotation[0] + a.rotation[1] * b.rotation[1] +
                          a.rotation[2] * b.rotation[2] + a.rotation[3] * b.rotation[3];
      const Quat q = readQuat(parent.rotation);
      turn = normalized(
          multiplied(q, between(a.rotation, b.rotation, along < 0.0f ? -1.0f : 1.0f, alpha)));
      F8 v[3];
      for (int c = 0; c < 3; ++c) {
        v[c] = load<F8>(parent.scale) * (a.position[c] + (b.position[c] - a.position[c]) * alpha);
      }
      // v + 2 w (q x v) + 2 q x (q x v)
      const F8 x = 2.0f * (q.y * v[2] - q.z * v[1]);
      const F8 y = 2.0f * (q.z * v[0] - q.x * v[2]);
      const F8 z = 2.0f * (q.x * v[1] - q.y * v[0]);
      place[0] = load<F8>(parent.position[0]) + v[0] + q.w * x + q.y * z - q.z * y;
      place[1] = load<F8>(parent.position[1]) + v[1] + q.w * y + q.z * x - q.x * z;
      place[2] = load<F8>(parent.position[2]) + v[2] + q.w * z + q.x * y - q.y * x;
    } else {
      float from[4];
      float to[4];
      for (int c = 0; c < 4; ++c) {
        from[c] = pose0.rotation[c];
        to[c] = pose1.rotation[c];
      }
      // The palette reading takes the shorter arc only where joints have a parent.
      turn = between(from, to, 1.0f, alpha);
      for (int c = 0; c < 3; ++c) {
        place[c] = pose0.position[c] + (pose1.position[c] - pose0.position[c]) * alpha;
      }
    }
    const F8 rotation[4] = {turn.x, turn.y, turn.z, turn.w};
    std::memcpy(drawn.rotation, rotation, sizeof rotation);
    std::memcpy(drawn.position, place, sizeof place);
    store(drawn.scale, pose0.scale.x + (pose1.scale.x - pose0.scale.x) * alpha);
  }

  // The difference of the skin matrices.
  CK_LANES_INLINE void subtract(Drawn& drawn, std::size_t j) const {
    using namespace lanes;
    const glm::vec3& pivot = inputs.atlas.joints[j].pivot;
    const F8 scale = load<F8>(drawn.scale);
    Local local{
        {load<F8>(drawn.position[0]), load<F8>(drawn.position[1]), load<F8>(drawn.position[2])},
        readQuat(drawn.rotation),
        {scale, scale, scale}};
    const Rows rows = toRows(local);
    for (int row = 0; row < 3; ++row) {
      const auto& m = rows.at[row];
      const F8 shift = m[3] - (m[0] * pivot.x + m[1] * pivot.y + m[2] * pivot.z);
      for (int c = 0; c < 4; ++c) {
        store(drawn.off[row][c], load<F8>(source[j].rows[row][c]) - (c == 3 ? shift : m[c]));
      }
      if (!morphing) continue;
      for (int c = 0; c < 3; ++c) store(drawn.linear[row][c], m[c]);
    }
  }

  // The square of the largest distance of three points around the pivot (shellDistance()).
  CK_LANES_INLINE F8 shellSquare(const Drawn& drawn, std::size_t j) const {
    using namespace lanes;
    const auto radius = static_cast<float>(inputs.shell.radii[j]);
    F8 squares[3] = {};
    for (int row = 0; row < 3; ++row) {
      const F8 moved = load<F8>(source[j].place[row]) - load<F8>(drawn.position[row]);
      for (int axis = 0; axis < 3; ++axis) {
        const F8 d = moved + radius * load<F8>(drawn.off[row][axis]);
        squares[axis] += d * d;
      }
    }
    return larger(larger(squares[0], squares[1]), squares[2]);
  }

  // The square of a length that no point of a box exceeds under a difference of matrices. `wider`
  // is how much further the box reaches to all sides.
  static CK_LANES_INLINE F8 reachSquare(const Drawn& drawn, const VertexModel::Box& box,
                                        const F8& wider = F8{}) {
    using namespace lanes;
    F8 sum = {};
    for (int row = 0; row < 3; ++row) {
      const auto& m = drawn.off[row];
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
  static CK_LANES_INLINE F8 magnitude(const F8& v) {
    return std::bit_cast<F8>(std::bit_cast<I8>(v) & 0x7fffffff);
  }

  static CK_LANES_INLINE F8 root(const F8& square) {
    return square * lanes::inverseRoot(square + 1e-30f);
  }

  // The morphs that move vertices of a cluster, if any is not at rest.
  std::span<const VertexModel::MorphBound> movedBy(const VertexModel::Cluster& cluster) const {
    if (!morphing) return {};
    return cluster.morphs;
  }

  // The square of an error that no vertex of a cluster exceeds (VertexComparison::boundOf()).
  CK_LANES_INLINE F8 boundSquare(const OfReading& own, const VertexModel::Cluster& cluster) const {
    using namespace lanes;
    F8 moved = {};
    F8 apart = {};
    for (const VertexModel::MorphBound& morph : movedBy(cluster)) {
      moved += magnitude(load<F8>(morphWeights.data() + morph.morph * kLaneCount)) * morph.length;
      apart += magnitude(load<F8>(morphOffs.data() + morph.morph * kLaneCount)) * morph.length;
    }
    F8 reach = {};
    F8 stretch = {};
    for (const auto& joint : cluster.joints) {
      const Drawn& drawn = own.drawn[joint.skinJoint];
      reach = larger(reach, reachSquare(drawn, cluster.box, moved));
      F8 size = {};
      for (int i = 0; morphing && i < 9; ++i) {
        const F8 entry = load<F8>(drawn.linear[i / 3][i % 3]);
        size += entry * entry;
      }
      stretch = larger(stretch, size);
    }
    if (movedBy(cluster).empty()) return reach;
    const F8 bound = root(reach) + apart * root(stretch);
    return bound * bound;
  }

  // The squared error of a vertex that morphs move.
  CK_LANES_INLINE F8 morphedSquare(const OfReading& own, std::size_t v) const {
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
      const Drawn& drawn = own.drawn[influence.skinJoint];
      for (int row = 0; row < 3; ++row) {
        const auto& m = drawn.off[row];
        const auto& s = drawn.linear[row];
        F8 sum = load<F8>(m[3]);
        for (int c = 0; c < 3; ++c) sum += load<F8>(m[c]) * at[c] + load<F8>(s[c]) * apart[c];
        error[row] += influence.drawn * sum;
      }
    }
    return error[0] * error[0] + error[1] * error[1] + error[2] * error[2];
  }

  CK_LANES_INLINE F8 vertexSquare(const OfReading& own, std::size_t v) const {
    using namespace lanes;
    const VertexModel& model = inputs.vertices;
    if (morphing && model.deltaStarts[v] != model.deltaStarts[v + 1]) return morphedSquare(own, v);
    const glm::vec3& p = model.positions[v];
    F8 error[3] = {};
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      const VertexModel::Influence& influence = model.influences[i];
      const auto& m = own.drawn[influence.skinJoint].off;
      const float w = influence.drawn;
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
  CK_LANES_INLINE Top worstVertices(const OfReading& own, Top top) const {
    using namespace lanes;
    constexpr float kSlack = 1.0002f;  // bounds are computed in float
    const VertexModel& model = inputs.vertices;
    const auto mayBeWorse = [&](const F8& square) __attribute__((always_inline)) {
      return anyTrue(square * kSlack >= top.square);
    };
    for (const VertexModel::Cluster& cluster : model.clusters) {
      F8 reach = {};
      for (const auto& joint : cluster.joints) {
        reach = larger(reach, load<F8>(own.reachSquares.data() + joint.skinJoint * kLaneCount));
      }
      if (movedBy(cluster).empty() && !mayBeWorse(reach)) continue;
      if (!mayBeWorse(boundSquare(own, cluster))) continue;
      for (std::uint32_t v = cluster.first; v < cluster.first + cluster.count; ++v) {
        top.take(vertexSquare(own, v), static_cast<int>(v));
      }
    }
    return top;
  }

  static CK_LANES_INLINE void storeMm(const F8& square, float* to) {
    using namespace lanes;
    store(to, 1000.0f * root(square));
  }

  // `least` gets the smallest cosine of half the angle between a moment and the one before.
  CK_LANES_INLINE bool compareReading(OfReading& own, Reading reading, const Frame& frame0,
                                      const Frame& frame1, const float (&alphas)[kLaneCount],
                                      bool isFirst, float (&least)[kLaneCount]) const {
    using namespace lanes;
    const F8 alpha = load<F8>(alphas);
    F8 leastCosine = isFirst ? all(1.0f) : load<F8>(least);
    Top shell{all(-1.0f), I8{} - 1};
    Top sines{all(-1.0f), I8{} - 1};
    F8 sum = {};
    own.shellMm.clear();
    const auto turned = [&](const Quat& q) __attribute__((always_inline)) {
      const auto before = [](const F8& v) __attribute__((always_inline)) {
        return __builtin_shufflevector(v, v, 0, 0, 1, 2, 3, 4, 5, 6);
      };
      const F8 cosine =
          magnitude(lanes::dot(q, Quat{before(q.x), before(q.y), before(q.z), before(q.w)}));
      leastCosine = smaller(leastCosine, cosine);
    };
    for (std::size_t j = 0; j < source.size(); ++j) {
      draw(own, reading, j, frame0, frame1, alpha);
      Drawn& drawn = own.drawn[j];
      subtract(drawn, j);
      const VertexModel::Box& box = inputs.vertices.jointBoxes[j];
      store(own.reachSquares.data() + j * kLaneCount,
            box.half.x < 0.0f ? F8{} : reachSquare(drawn, box));
      for (int row = 0; row < 3; ++row) {
        for (int c = 0; c < 4; ++c) sum += load<F8>(drawn.off[row][c]);
      }
      if (inputs.shell.hasVertices[j] == 0) continue;
      const F8 square = shellSquare(drawn, j);
      shell.take(square, static_cast<int>(j));
      own.shellMm.resize(own.shellMm.size() + kLaneCount);
      storeMm(square, own.shellMm.data() + own.shellMm.size() - kLaneCount);
      const Quat s = readQuat(pivots[j].rotation);
      const Quat q = readQuat(drawn.rotation);
      const Quat off = multiplied({-s.x, -s.y, -s.z, s.w}, q);
      sines.take(off.x * off.x + off.y * off.y + off.z * off.z, static_cast<int>(j));
      turned(q);
      if (isFirst) turned(s);
    }
    store(least, leastCosine);
    // Vertices are compared in float, which holds squares up to 1e38. Written so that NaN fails.
    if (anyTrue(~(magnitude(sum) < 1e15f))) return false;
    const std::span<const std::uint32_t> samples = inputs.vertices.samples;
    Top some{vertexSquare(own, own.lastWorst), I8{} + static_cast<int>(own.lastWorst)};
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const F8 square = vertexSquare(own, samples[i]);
      storeMm(square, own.vertexMm.data() + i * kLaneCount);
      some.take(square, static_cast<int>(samples[i]));
    }
    const Top vertices = worstVertices(own, some);
    own.lastWorst = static_cast<std::uint32_t>(vertices.index[0]);
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const auto k = static_cast<int>(lane);
      const auto mm = [](float square) { return 1000.0 * std::sqrt(static_cast<double>(square)); };
      const double sine = std::sqrt(static_cast<double>(sines.square[k]));
      auto& spots = own.spots[lane];
      spots = {};
      spots[static_cast<std::size_t>(Measure::Vertices)] = {mm(vertices.square[k]),
                                                            vertices.index[k]};
      if (shell.index[k] < 0) continue;
      constexpr double kDegrees = 57.29577951308232;
      spots[static_cast<std::size_t>(Measure::Shell)] = {mm(shell.square[k]), shell.index[k]};
      spots[static_cast<std::size_t>(Measure::Degrees)] = {
          kDegrees * 2.0 * std::asin(std::min(sine, 1.0)), sines.index[k]};
    }
    return true;
  }

  CK_LANES_CLONES static bool compareBest(const Lanes& self, OfReading& own, Reading reading,
                                          const Frame& frame0, const Frame& frame1,
                                          const float (&alphas)[kLaneCount], bool isFirst,
                                          float (&least)[kLaneCount]) {
    return self.compareReading(own, reading, frame0, frame1, alphas, isFirst, least);
  }

  static void pick(std::span<const float> all, int lane, std::vector<float>& mm) {
    mm.clear();
    for (std::size_t i = static_cast<std::size_t>(lane); i < all.size(); i += kLaneCount) {
      mm.push_back(all[i]);
    }
  }
};

PoseComparison::PoseComparison(const ComparisonInputs& inputs, const ComparedClip& clip)
    : inputs_(inputs),
      clip_(clip),
      baked_(inputs.atlas.clips[static_cast<std::size_t>(clip.atlasClip)]),
      sampler_(inputs.character.rig, *clip.source, clip.closingSeconds),
      weights_(inputs.morphs, *clip.source, clip.closingSeconds),
      readings_{OfReading(inputs.vertices), OfReading(inputs.vertices)} {
  if (clip.poser != nullptr && Lanes::canCompare(inputs)) {
    lanes_ = std::make_unique<Lanes>(Lanes{inputs, *clip.poser});
  }
}

PoseComparison::~PoseComparison() = default;

void PoseComparison::prepare(std::span<const double> seconds) {
  if (lanes_ == nullptr) return;
  lanes_->seconds.clear();
  if (seconds.empty()) return;
  broken_.clear();
  for (std::size_t lane = 0; lane < kLaneCount && !inputs_.morphs.empty(); ++lane) {
    if (lane < seconds.size()) setMorphs(seconds[lane], unitOf(baked_, seconds[lane]));
    lanes_->setMorphs(lane, sourceMorphs_, drawnMorphs_);
  }
  // What is not finite is found, and named, moment by moment.
  if (!broken_.empty() || !lanes_->compare(clip_, seconds)) {
    lanes_->seconds.clear();
    return;
  }
  for (std::vector<glm::dmat3>& before : before_) before.clear();
}

const Spots& PoseComparison::at(double seconds) {
  broken_.clear();
  lane_ = -1;
  if (lanes_ != nullptr) {
    const std::vector<double>& known = lanes_->seconds;
    const auto found = std::ranges::find(known, seconds);
    if (found != known.end()) {
      lane_ = static_cast<int>(found - known.begin());
      const auto lane = static_cast<std::size_t>(lane_);
      for (std::size_t r = 0; r < spots_.size(); ++r) spots_[r] = lanes_->readings[r].spots[lane];
      turn_ = static_cast<double>(lanes_->turns[lane]);
      return spots_;
    }
  }
  spots_ = {};
  const double unit = unitOf(baked_, seconds);
  setMorphs(seconds, unit);
  const std::span<const glm::dmat4> source = sampler_.skinMatrices(seconds);
  turn_ = turnOf(source, before_[2]);
  for (const Reading reading : {Reading::Palette, Reading::Direct}) {
    if (broken_.empty()) compare(reading, source, unit);
  }
  return spots_;
}

void PoseComparison::setMorphs(double seconds, double unit) {
  sourceMorphs_ = weights_.at(seconds);
  drawnMorphs_ = defaultWeights(inputs_.morphs);
  for (std::size_t m = 0; m < sourceMorphs_.size(); ++m) {
    if (std::isfinite(sourceMorphs_[m])) continue;
    broken_ = fmt::format("gives morph target '{}' a weight that is not a number",
                          inputs_.morphs[m].name);
  }
  if (!inputs_.drawsMorphs || inputs_.atlas.morphs.empty()) return;
  const std::vector<float> stored =
      bakedMorphWeights(inputs_.atlas.morphs, clip_.atlasClip, unit, baked_.stepFrames);
  for (std::size_t m = 0; m < drawnMorphs_.size(); ++m) {
    const int index = inputs_.storedMorphs[m];
    if (index >= 0) drawnMorphs_[m] = stored[static_cast<std::size_t>(index)];
  }
}

void PoseComparison::compare(Reading reading, std::span<const glm::dmat4> source, double unit) {
  // The fractions of texture units have 8 bits, and a moment is at most this far from one.
  constexpr double kHalfFraction = 1.0 / 512.0;
  const auto r = static_cast<std::size_t>(reading);
  OfReading& own = readings_[r];
  if (inputs_.hardwareLinear && inputs_.interpolate && reading == Reading::Direct) {
    own.joints = compareJoints(reading, source, unit, -kHalfFraction);
    JointErrors later = compareJoints(reading, source, unit, kHalfFraction);
    const auto shell = static_cast<std::size_t>(Measure::Shell);
    if (later.spots[shell].value > own.joints.spots[shell].value) own.joints = std::move(later);
  } else {
    own.joints = compareJoints(reading, source, unit, 0.0);
  }
  spots_[r] = own.joints.spots;
  if (!broken_.empty()) return;
  const auto worst = own.vertices.worst({source, own.joints.skins, sourceMorphs_, drawnMorphs_});
  spots_[r][static_cast<std::size_t>(Measure::Vertices)] = {1000.0 * worst.meters, worst.vertex};
  turn_ = std::max(turn_, turnOf(own.joints.skins, before_[r]));
}

PoseComparison::JointErrors PoseComparison::compareJoints(Reading reading,
                                                          std::span<const glm::dmat4> source,
                                                          double unit, double fractionOff) {
  const std::vector<JointPose> poses = posesAt(unit, reading, fractionOff);
  JointErrors errors;
  errors.skins.reserve(poses.size());
  errors.shellMm.reserve(poses.size());
  for (std::size_t joint = 0; joint < poses.size(); ++joint) {
    compareJoint(source[joint], poses[joint], joint, errors);
  }
  return errors;
}

void PoseComparison::shell(Reading reading, std::vector<float>& mm) const {
  if (lane_ >= 0) {
    return Lanes::pick(lanes_->readings[static_cast<std::size_t>(reading)].shellMm, lane_, mm);
  }
  mm = readings_[static_cast<std::size_t>(reading)].joints.shellMm;
}

void PoseComparison::vertices(Reading reading, std::vector<float>& mm) const {
  if (lane_ >= 0) {
    return Lanes::pick(lanes_->readings[static_cast<std::size_t>(reading)].vertexMm, lane_, mm);
  }
  readings_[static_cast<std::size_t>(reading)].vertices.sample(mm);
}

const std::vector<JointPose>& PoseComparison::frame(int index) {
  Decoded& slot = decoded_[static_cast<std::size_t>(index % 2)];
  if (slot.frame != index) {
    slot.poses = storedFrame(inputs_.atlas, clip_.atlasClip, index);
    slot.frame = index;
  }
  return slot.poses;
}

std::vector<JointPose> PoseComparison::posesAt(double unit, Reading reading, double fractionOff) {
  if (!inputs_.interpolate) return frame(nearestFrame(baked_, unit));
  const FramePair pair = framesAt(baked_, unit);
  const double alpha = std::clamp(pair.alpha + fractionOff, 0.0, 1.0);
  const std::vector<JointPose>& frame0 = frame(pair.frame0);
  const std::vector<JointPose>& frame1 = frame(pair.frame1);
  return posesBetween(inputs_.atlas.joints, frame0, frame1, static_cast<float>(alpha), reading);
}

void PoseComparison::compareJoint(const glm::dmat4& source, const JointPose& pose,
                                  std::size_t joint, JointErrors& errors) {
  constexpr double kNoSize = 1e-18;
  constexpr double kDegrees = 57.29577951308232;
  const PoseForm form = formOf(inputs_.atlas);
  const glm::dmat4 decoded = skinMatrixOf(form, pose, inputs_.atlas.joints[joint]);
  errors.skins.push_back(decoded);
  if (!isFinite(source) || !isFinite(decoded)) {
    if (broken_.empty()) {
      broken_ = fmt::format("moves joint '{}' to a place that is not a number",
                            inputs_.atlas.joints[joint].name);
    }
    return;
  }
  if (inputs_.shell.hasVertices[joint] == 0) return;
  const int index = static_cast<int>(joint);
  const auto keep = [&](Measure measure, double value) {
    Spot& spot = errors.spots[static_cast<std::size_t>(measure)];
    if (value > spot.value) spot = {value, index};
  };
  const glm::dvec3 pivot(inputs_.atlas.joints[joint].pivot);
  const double mm = 1000.0 * shellDistance(source, decoded, pivot, inputs_.shell.radii[joint]);
  errors.shellMm.push_back(static_cast<float>(mm));
  keep(Measure::Shell, mm);
  const glm::dmat3 linear(source);
  const glm::dmat3 shownLinear(decoded);
  if (std::abs(glm::determinant(linear)) < kNoSize ||
      std::abs(glm::determinant(shownLinear)) < kNoSize) {
    return;
  }
  const glm::dquat shown =
      form == PoseForm::Pivot ? glm::dquat(pose.rotation) : rotationOf(shownLinear);
  const glm::dquat between = glm::conjugate(rotationOf(linear)) * shown;
  const double sine = glm::length(glm::dvec3(between.x, between.y, between.z));
  keep(Measure::Degrees, kDegrees * 2.0 * std::atan2(sine, std::abs(between.w)));
}

// The largest angle between the linear parts of `skins` and `before`, which they replace. For
// rotations with one scale each, trace(A^T B) = |A| |B| (1 + 2 cos(angle)) / 3.
double PoseComparison::turnOf(std::span<const glm::dmat4> skins,
                              std::vector<glm::dmat3>& before) const {
  double least = 1.0;
  const bool isFirst = before.empty();
  before.resize(skins.size());
  for (std::size_t joint = 0; joint < skins.size(); ++joint) {
    const glm::dmat3 now(skins[joint]);
    const glm::dmat3 then = std::exchange(before[joint], now);
    if (isFirst || inputs_.shell.hasVertices[joint] == 0) continue;
    const double sizes = std::sqrt(squaredSize(now) * squaredSize(then));
    if (!(sizes > 1e-12)) continue;
    const double trace =
        glm::dot(now[0], then[0]) + glm::dot(now[1], then[1]) + glm::dot(now[2], then[2]);
    least = std::min(least, 1.5 * trace / sizes - 0.5);
  }
  return std::acos(std::clamp(least, -1.0, 1.0));
}

}  // namespace ck
