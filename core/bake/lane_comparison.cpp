#include "core/bake/lane_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/atlas/pose_reading.h"
#include "core/bake/lane_math.h"
#include "core/bake/lane_poser.h"
#include "core/bake/pivot_lanes.h"
#include "core/base/assert.h"

namespace ck {

struct LaneComparison::Work {
  using F8 = lanes::F8;
  using I8 = lanes::I8;
  using Quat = lanes::Quat;
  using Rows = lanes::Rows;

  // A stored frame, and every joint as its parent sees it (ck_poseSeenFrom()).
  struct Frame {
    struct Link {
      float rotation[4];
      float position[3];
      bool fromParent;  // whether the parent has a size along all axes
    };
    int index = -1;
    std::vector<JointPose> poses;
    std::vector<Link> links;
  };
  // How a reading draws a joint, and how far that is from the source.
  struct alignas(32) Drawn {
    float rotation[4][kLaneCount];
    float position[3][kLaneCount];
    float scale[3][kLaneCount];
    float off[3][4][kLaneCount];     // rows of the source's skin matrix less those of the drawn one
    float linear[3][3][kLaneCount];  // rows of the drawn one, if the character has morphs
  };
  // What one reading gives.
  struct alignas(32) OfReading {
    std::vector<Drawn> drawn;         // per joint
    std::vector<float> shellMm;       // joints with vertices, kLaneCount each
    std::vector<float> vertexMm;      // some of VertexModel::samples, kLaneCount each
    std::vector<float> reachSquares;  // per joint, kLaneCount each
    std::array<Spots::value_type, kLaneCount> spots;
    std::uint32_t lastWorst = 0;
    float leastSquare = 0.0f;  // up to this, vertices need not be searched
  };

  const ComparisonInputs& inputs;
  const LanePoser& poser;
  const bool isTrs = formOf(inputs.atlas) == PoseForm::Trs;
  const bool loses =  // influences of some vertices
      std::ranges::any_of(inputs.vertices.clusters, &VertexModel::Cluster::losesInfluences);
  LanePoser::Run run = {};
  std::vector<LanePose> source = {};
  std::vector<LanePivot> pivots = {};  // of the source
  // Of the reading that is compared, in trs form: there `drawn` has the rotations of joints, not
  // those of the skin. Else empty.
  std::vector<LanePose> skins = {};
  std::vector<LanePivot> skinPivots = {};
  std::vector<LaneMost> unused = {};
  std::array<Frame, 2> frames = {};
  std::array<OfReading, 2> readings = {};
  std::array<float, kLaneCount> turns = {};  // from the moment before, in radians
  std::vector<double> seconds = {};          // that were compared
  // kLaneCount for each morph: the weights of the source, and those less the drawn ones.
  std::vector<float> morphWeights = {};
  std::vector<float> morphOffs = {};
  bool morphing = false;  // whether any of them is not zero
  std::size_t sampleStep = 1;
  std::size_t firstSample = 0;

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
        const glm::vec3 squares = parent.scale * parent.scale;
        link.fromParent = std::min({squares.x, squares.y, squares.z}) > 1e-12f;
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
    const int last = momentCount(baked) - 1;
    const double middle = unitInClip(baked, 0.5 * (moments.front() + moments.back()));
    const FrameGap gap = gapAt(middle, frameGridOf(baked));
    std::vector<StoredFrame> sampled;
    float alphas[kLaneCount];
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      const double at = moments[std::min(lane, moments.size() - 1)];
      sampled.push_back({at, {}});
      alphas[lane] = static_cast<float>(
          std::clamp((unitInClip(baked, at) * last - gap.moment) / gap.moments, 0.0, 1.0));
    }
    poser.prepare(sampled, run);
    source.resize(poser.skinJointCount());
    pivots.resize(poser.skinJointCount());
    unused.assign(poser.skinJointCount(), {});
    if (isTrs) skins.resize(poser.skinJointCount());
    skinPivots.resize(skins.size());
    poser.pose(run, 0, source);
    if (!pivotsOf(source, pivots, unused, LanePath::Best)) return false;
    readFrame(clip.atlasClip, gap.frame);
    readFrame(clip.atlasClip, gap.frame + 1);
    const Frame& frame0 = frames[static_cast<std::size_t>(gap.frame % 2)];
    const Frame& frame1 = frames[static_cast<std::size_t>((gap.frame + 1) % 2)];
    float least[kLaneCount];
    for (std::size_t r = 0; r < readings.size(); ++r) {
      readings[r].drawn.resize(source.size());
      readings[r].reachSquares.resize(source.size() * kLaneCount);
      if (!drawBest(*this, readings[r], static_cast<Reading>(r), frame0, frame1, alphas) ||
          !pivotsOf(skins, skinPivots, unused, LanePath::Best)) {
        return false;
      }
      compareBest(*this, readings[r], r == 0, least);
    }
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      turns[lane] = 2.0f * std::acos(std::clamp(least[lane], 0.0f, 1.0f));
    }
    seconds.assign(moments.begin(), moments.end());
    return true;
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
        v[c] =
            load<F8>(parent.scale[c]) * (a.position[c] + (b.position[c] - a.position[c]) * alpha);
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
      // R32 has no room for signs.
      const float along = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
      turn = between(from, to, along < 0.0f ? -1.0f : 1.0f, alpha);
      for (int c = 0; c < 3; ++c) {
        place[c] = pose0.position[c] + (pose1.position[c] - pose0.position[c]) * alpha;
      }
    }
    const F8 rotation[4] = {turn.x, turn.y, turn.z, turn.w};
    std::memcpy(drawn.rotation, rotation, sizeof rotation);
    std::memcpy(drawn.position, place, sizeof place);
    for (int c = 0; c < 3; ++c) {
      const auto at = static_cast<glm::length_t>(c);
      store(drawn.scale[c], pose0.scale[at] + (pose1.scale[at] - pose0.scale[at]) * alpha);
    }
  }

  // The rows of the skin matrix as drawn (skinMatrixOf()).
  CK_LANES_INLINE Rows skinRows(const Drawn& drawn, std::size_t j) const {
    using namespace lanes;
    const AtlasJoint& joint = inputs.atlas.joints[j];
    const Rows own = toRows(
        {{load<F8>(drawn.position[0]), load<F8>(drawn.position[1]), load<F8>(drawn.position[2])},
         readQuat(drawn.rotation),
         {load<F8>(drawn.scale[0]), load<F8>(drawn.scale[1]), load<F8>(drawn.scale[2])}});
    Rows rows = own;
    const glm::mat4& bind = joint.inverseBind;
    for (int row = 0; row < 3; ++row) {
      const auto& m = own.at[row];
      if (isTrs) {
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
  CK_LANES_INLINE void subtract(Drawn& drawn, std::size_t j) {
    using namespace lanes;
    const Rows rows = skinRows(drawn, j);
    for (int row = 0; row < 3; ++row) {
      const auto& m = rows.at[row];
      for (int c = 0; c < 4; ++c) {
        store(drawn.off[row][c], load<F8>(source[j].rows[row][c]) - m[c]);
        if (isTrs) store(skins[j].rows[row][c], m[c]);
      }
      if (isTrs) store(skins[j].place[row], m[3]);
      if (!morphing) continue;
      for (int c = 0; c < 3; ++c) store(drawn.linear[row][c], m[c]);
    }
  }

  // The square of the largest distance of three points around the pivot (shellDistance()).
  CK_LANES_INLINE F8 shellSquare(const Drawn& drawn, std::size_t j) const {
    using namespace lanes;
    const auto radius = static_cast<float>(inputs.shell.radii[j]);
    const glm::vec3& pivot = inputs.atlas.joints[j].pivot;
    F8 squares[3] = {};
    for (int row = 0; row < 3; ++row) {
      const auto& off = drawn.off[row];
      const F8 moved = isTrs ? load<F8>(off[0]) * pivot.x + load<F8>(off[1]) * pivot.y +
                                   load<F8>(off[2]) * pivot.z + load<F8>(off[3])
                             : load<F8>(source[j].place[row]) - load<F8>(drawn.position[row]);
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

  // What influences that are not drawn move at most (VertexComparison::lostBound()).
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
      if (joint.drawn <= 0.0f) continue;
      const Drawn& drawn = own.drawn[joint.skinJoint];
      reach = larger(reach, reachSquare(drawn.off, cluster.box, moved));
      F8 size = {};
      for (int i = 0; morphing && i < 9; ++i) {
        const F8 entry = load<F8>(drawn.linear[i / 3][i % 3]);
        size += entry * entry;
      }
      stretch = larger(stretch, size);
    }
    if (movedBy(cluster).empty() && !cluster.losesInfluences) return reach;
    F8 bound = root(reach) + apart * root(stretch);
    if (cluster.losesInfluences) bound += lostBound(cluster, moved);
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
  CK_LANES_INLINE Top worstVertices(const OfReading& own, Top top) const {
    using namespace lanes;
    constexpr float kSlack = 1.0002f;  // bounds are computed in float
    const VertexModel& model = inputs.vertices;
    const auto mayBeWorse = [&](const F8& square) __attribute__((always_inline)) {
      return anyTrue(square * kSlack >= larger(top.square, all(own.leastSquare)));
    };
    for (const VertexModel::Cluster& cluster : model.clusters) {
      F8 reach = {};
      for (const auto& joint : cluster.joints) {
        reach = larger(reach, load<F8>(own.reachSquares.data() + joint.skinJoint * kLaneCount));
      }
      const bool isPlain = movedBy(cluster).empty() && !cluster.losesInfluences;
      if (isPlain && !mayBeWorse(reach)) continue;
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

  // Draws all joints. False if something is not finite.
  CK_LANES_INLINE bool drawAll(OfReading& own, Reading reading, const Frame& frame0,
                               const Frame& frame1, const float (&alphas)[kLaneCount]) {
    using namespace lanes;
    const F8 alpha = load<F8>(alphas);
    F8 sum = {};
    for (std::size_t j = 0; j < source.size(); ++j) {
      draw(own, reading, j, frame0, frame1, alpha);
      Drawn& drawn = own.drawn[j];
      subtract(drawn, j);
      const VertexModel::Box& box = inputs.vertices.jointBoxes[j];
      store(own.reachSquares.data() + j * kLaneCount,
            box.half.x < 0.0f ? F8{} : reachSquare(drawn.off, box));
      for (int row = 0; row < 3; ++row) {
        for (int c = 0; c < 4; ++c) sum += load<F8>(drawn.off[row][c]);
      }
    }
    // Vertices are compared in float, which holds squares up to 1e38. Written so that NaN fails.
    return !anyTrue(~(magnitude(sum) < 1e15f));
  }

  // `least` gets the smallest cosine of half the angle between a moment and the one before.
  CK_LANES_INLINE void compareReading(OfReading& own, bool isFirst,
                                      float (&least)[kLaneCount]) const {
    using namespace lanes;
    F8 leastCosine = isFirst ? all(1.0f) : load<F8>(least);
    Top shell{all(-1.0f), I8{} - 1};
    Top sines{all(-1.0f), I8{} - 1};
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
      if (inputs.shell.hasVertices[j] == 0) continue;
      const Drawn& drawn = own.drawn[j];
      const F8 square = shellSquare(drawn, j);
      shell.take(square, static_cast<int>(j));
      own.shellMm.resize(own.shellMm.size() + kLaneCount);
      storeMm(square, own.shellMm.data() + own.shellMm.size() - kLaneCount);
      const Quat s = readQuat(pivots[j].rotation);
      const Quat q = readQuat(isTrs ? skinPivots[j].rotation : drawn.rotation);
      const Quat off = multiplied({-s.x, -s.y, -s.z, s.w}, q);
      sines.take(off.x * off.x + off.y * off.y + off.z * off.z, static_cast<int>(j));
      turned(q);
      if (isFirst) turned(s);
    }
    store(least, leastCosine);
    const std::span<const std::uint32_t> samples = inputs.vertices.samples;
    own.vertexMm.clear();
    Top some{vertexSquare(own, own.lastWorst), I8{} + static_cast<int>(own.lastWorst)};
    for (std::size_t i = firstSample; i < samples.size(); i += sampleStep) {
      const F8 square = vertexSquare(own, samples[i]);
      own.vertexMm.resize(own.vertexMm.size() + kLaneCount);
      storeMm(square, own.vertexMm.data() + own.vertexMm.size() - kLaneCount);
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
  }

  CK_LANES_CLONES static bool drawBest(Work& self, OfReading& own, Reading reading,
                                       const Frame& frame0, const Frame& frame1,
                                       const float (&alphas)[kLaneCount]) {
    return self.drawAll(own, reading, frame0, frame1, alphas);
  }
  CK_LANES_CLONES static void compareBest(const Work& self, OfReading& own, bool isFirst,
                                          float (&least)[kLaneCount]) {
    self.compareReading(own, isFirst, least);
  }
};

bool LaneComparison::canCompare(const ComparisonInputs& inputs) {
  return formOf(inputs.atlas) != PoseForm::Matrix && inputs.interpolate && !inputs.hardwareLinear &&
         !inputs.vertices.places.empty();
}

LaneComparison::LaneComparison(const ComparisonInputs& inputs, const LanePoser& poser)
    : work_(std::make_unique<Work>(Work{inputs, poser})) {}
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

bool LaneComparison::compare(const ComparedClip& clip, std::span<const double> moments) {
  const bool finite = work_->compare(clip, moments);
  if (!finite) forget();
  return finite;
}

void LaneComparison::forget() {
  work_->seconds.clear();
}

int LaneComparison::laneOf(double seconds) const {
  const auto found = std::ranges::find(work_->seconds, seconds);
  return found == work_->seconds.end() ? -1 : static_cast<int>(found - work_->seconds.begin());
}

Spots LaneComparison::spots(int lane) const {
  const auto at = static_cast<std::size_t>(lane);
  return {work_->readings[0].spots[at], work_->readings[1].spots[at]};
}

double LaneComparison::turn(int lane) const {
  return static_cast<double>(work_->turns[static_cast<std::size_t>(lane)]);
}

namespace {

void pick(std::span<const float> all, int lane, std::vector<float>& mm) {
  mm.clear();
  for (std::size_t i = static_cast<std::size_t>(lane); i < all.size(); i += kLaneCount) {
    mm.push_back(all[i]);
  }
}

}  // namespace

void LaneComparison::shell(Reading reading, int lane, std::vector<float>& mm) const {
  pick(work_->readings[static_cast<std::size_t>(reading)].shellMm, lane, mm);
}

void LaneComparison::vertices(Reading reading, int lane, std::vector<float>& mm) const {
  pick(work_->readings[static_cast<std::size_t>(reading)].vertexMm, lane, mm);
}

}  // namespace ck
