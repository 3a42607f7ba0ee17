#include "core/bake/pose/lane_poser.h"

#include <algorithm>
#include <cmath>

#include "core/bake/pose/lane_math.h"
#include "core/base/assert.h"
#include "core/base/transform.h"

namespace ck {
namespace {

using namespace lanes;

template <class Wide>
void put(const Wide& value, float* to) {
  for (int c = 0; c < Wide::length(); ++c) to[c] = static_cast<float>(value[c]);
}

void putRows(const glm::dmat4& m, float (&rows)[3][4]) {
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      rows[row][column] = static_cast<float>(m[column][row]);
    }
  }
}

CK_LANES_INLINE Quat quatOf(const float (&q)[4]) {
  return {all(q[0]), all(q[1]), all(q[2]), all(q[3])};
}

// Whether a rotation is one by more than rounding.
bool doesTurn(const glm::dquat& q) {
  constexpr double kRounding = 1e-9;
  return glm::length(glm::dvec3(q.x, q.y, q.z)) > kRounding;
}

// How much the scales of a matrix differ between directions, as a share of the smallest, and at
// least what shears; infinite if it is mirrored or has no size.
double strainOf(const glm::dmat3& m) {
  const glm::dvec3 lengths(glm::length(m[0]), glm::length(m[1]), glm::length(m[2]));
  const double least = std::min({lengths.x, lengths.y, lengths.z});
  if (!(least > 1e-9) || !(glm::determinant(m) > 0.0)) return INFINITY;
  const double shear = std::abs(glm::dot(m[0], m[1])) + std::abs(glm::dot(m[1], m[2])) +
                       std::abs(glm::dot(m[2], m[0]));
  return std::max({lengths.x, lengths.y, lengths.z}) / least - 1.0 + shear / (least * least);
}

// The same for the scales of one local transform.
double strainOf(const glm::dvec3& scale) {
  const double least = std::min({scale.x, scale.y, scale.z});
  return least > 1e-6 ? std::max({scale.x, scale.y, scale.z}) / least - 1.0 : INFINITY;
}

// Between keys scales are mixtures of them, and so are no farther apart.
double strainOf(const Track<glm::vec3>& track) {
  if (track.interpolation == Interpolation::Cubic) return INFINITY;
  float most = 1.0f;
  bool hasSize = true;
  for (const glm::vec3& scale : track.values) {
    const float least = std::min({scale.x, scale.y, scale.z});
    hasSize = hasSize && least > 1e-6f;
    most = std::max(most, std::max({scale.x, scale.y, scale.z}) / least);
  }
  return hasSize ? static_cast<double>(most) - 1.0 : static_cast<double>(INFINITY);
}

// How far every joint is from keeping its shape, its parents left aside.
std::vector<double> strainsOf(const Rig& rig, const Clip& clip) {
  std::vector<double> strains;
  for (const Joint& joint : rig.joints) strains.push_back(strainOf(joint.rest.scale));
  for (const JointTracks& tracks : clip.jointTracks) {
    if (tracks.scale.empty()) continue;
    strains[static_cast<std::size_t>(tracks.joint)] = strainOf(tracks.scale);
  }
  for (std::size_t j = 0; j < strains.size(); ++j) {
    const glm::dmat4& pre = rig.joints[j].preTransform;
    if (pre != glm::dmat4(1.0)) strains[j] += strainOf(glm::dmat3(pre));
  }
  return strains;
}

}  // namespace

bool isNearlyRigid(const Rig& rig, const Clip& clip) {
  constexpr double kNearly = 1e-3;
  std::vector<double> strains = strainsOf(rig, clip);
  for (std::size_t j = 0; j < strains.size(); ++j) {
    const int parent = rig.joints[j].parent;
    if (parent >= 0) strains[j] += strains[static_cast<std::size_t>(parent)];
  }
  const auto isNearly = [](double strain) { return strain < kNearly; };
  return std::ranges::all_of(strains, isNearly) &&
         std::ranges::all_of(rig.skinJoints, [&](const SkinJoint& skinJoint) {
           return isNearly(strainOf(glm::dmat3(skinJoint.inverseBind)));
         });
}

LanePoser::LanePoser(const Rig& rig, const Clip& clip, double closingSeconds, int threads)
    : keys_(clip, closingSeconds), nearlyRigid_(ck::isNearlyRigid(rig, clip)) {
  nodes_.reserve(rig.joints.size());
  for (const Joint& joint : rig.joints) {
    Node& node = nodes_.emplace_back();
    node.parent = joint.parent;
    node.hasPre = joint.preTransform != glm::dmat4(1.0);
    putRows(joint.preTransform, node.pre);
    put(joint.rest.translation, node.translation.still);
    put(glm::normalize(joint.rest.rotation), node.rotation.still);
    put(joint.rest.scale, node.scale.still);
  }
  addTracks(rig, clip);
  keys_.write(threads);
  addSkins(rig);
}

void LanePoser::addTracks(const Rig& rig, const Clip& clip) {
  const std::vector<double> strains = strainsOf(rig, clip);
  for (const JointTracks& tracks : clip.jointTracks) {
    const auto joint = static_cast<std::size_t>(tracks.joint);
    Node& node = nodes_[joint];
    const Trs& rest = rig.joints[joint].rest;
    keys_.add(tracks.translation, rest.translation, node.translation);
    keys_.add(tracks.rotation, rest.rotation, node.rotation);
    keys_.add(tracks.scale, rest.scale, node.scale);
  }
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    Node& node = nodes_[j];
    const float* s = node.scale.still;
    node.unitScale =
        node.scale.kind == LaneChannel::Kind::Still && s[0] == 1.0f && s[1] == 1.0f && s[2] == 1.0f;
    if (!node.hasPre) continue;
    const glm::dquat turn = std::isfinite(strains[j])
                                ? rotationOf(glm::dmat3(rig.joints[j].preTransform))
                                : glm::dquat(1, 0, 0, 0);
    node.turnsPre = doesTurn(turn);
    put(turn, node.preTurn);
  }
}

void LanePoser::addSkins(const Rig& rig) {
  constexpr double kSamePlace = 1e-7;
  // The volume that every joint gives to what follows it; 0 where it changes.
  std::vector<double> volumes;
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    const Node& node = nodes_[j];
    const float* s = node.scale.still;
    double volume =
        node.scale.kind == LaneChannel::Kind::Still
            ? static_cast<double>(s[0]) * static_cast<double>(s[1]) * static_cast<double>(s[2])
            : 0.0;
    volume *= glm::determinant(glm::dmat3(rig.joints[j].preTransform));
    if (node.parent >= 0) volume *= volumes[static_cast<std::size_t>(node.parent)];
    volumes.push_back(volume);
  }
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    Skin& skin = skins_.emplace_back();
    skin.joint = static_cast<std::size_t>(skinJoint.joint);
    putRows(skinJoint.inverseBind, skin.inverseBind);
    // The pivot that the atlas stores is rounded to float.
    const glm::dvec3 exact = pivotOf(skinJoint);
    const glm::dvec3 pivot{glm::vec3(exact)};
    skin.pivotIsOrigin = glm::distance(pivot, exact) <= kSamePlace &&
                         glm::length(transformPoint(skinJoint.inverseBind, exact)) <= kSamePlace;
    put(transformPoint(skinJoint.inverseBind, pivot), skin.pivot);
    const glm::dmat3 linear(skinJoint.inverseBind);
    if (!nearlyRigid_) continue;
    const glm::dquat turn = rotationOf(linear);
    skin.turns = doesTurn(turn);
    put(turn, skin.turn);
    const double determinant = glm::determinant(linear);
    skin.determinant = static_cast<float>(determinant);
    skin.stillScale = static_cast<float>(std::cbrt(volumes[skin.joint] * determinant));
  }
}

void LanePoser::prepare(std::span<const StoredFrame> moments, Run& run) const {
  run.globals_.resize(nodes_.size());
  run.turns_.resize(nodes_.size());
  keys_.prepare(moments, run.keys_);
}

// Reads the channels of joints at the eight moments of a batch.
struct LanePoser::ChannelReader {
  const LaneKeys& prepared;
  const LaneRun& keys;
  std::size_t batch;

  CK_LANES_INLINE F8 along(const LaneRun::Places& axis) const {
    return load<F8>(axis.along.data() + batch * kLaneCount);
  }

  // Reads the components of a channel at the keys of eight moments.
  struct FewSteps {
    const float* first;
    I8 index;
    CK_LANES_INLINE F8 operator()(std::size_t offset) const {
      return permuted(load<F8>(first + offset), index);
    }
  };
  struct ManySteps {
    const float* first;
    I8 index;
    CK_LANES_INLINE F8 operator()(std::size_t offset) const {
      F8 v;
      for (int lane = 0; lane < kCount; ++lane)
        v[lane] = first[offset + static_cast<std::size_t>(index[lane])];
      return v;
    }
  };

  // Calls `use` with a reader of the keys before the moments; those after them are one further.
  template <class Use>
  CK_LANES_INLINE auto withKeys(const LaneChannel& channel, const LaneRun::Places& axis,
                                const Use& use) const {
    const float* first = prepared.values() + channel.values + axis.first[batch];
    const I8 index = load<I8>(axis.keys.data() + batch * kLaneCount);
    if ((axis.state[batch] & LaneRun::kFewSteps) != 0) return use(FewSteps{first, index});
    return use(ManySteps{first, index});
  }

  CK_LANES_INLINE const float* denseOf(const LaneChannel& channel) const {
    return keys.dense.data() + batch * prepared.densePerBatch() + channel.values;
  }

  CK_LANES_INLINE Vec readVec(const LaneChannel& channel) const {
    if (channel.kind == LaneChannel::Kind::Still) {
      return {all(channel.still[0]), all(channel.still[1]), all(channel.still[2])};
    }
    if (channel.kind == LaneChannel::Kind::Dense) {
      const float* at = denseOf(channel);
      return {load<F8>(at), load<F8>(at + kLaneCount), load<F8>(at + 2 * kLaneCount)};
    }
    const LaneRun::Places& axis = keys.places[channel.axis];
    const std::size_t row = channel.row;
    return withKeys(
        channel, axis, [&](const auto& key) __attribute__((always_inline)) {
          const Vec a{key(0), key(row), key(2 * row)};
          if ((axis.state[batch] & LaneRun::kOnKeys) != 0) return a;
          return mix(a, {key(1), key(row + 1), key(2 * row + 1)}, along(axis));
        });
  }

  // sin(t a) / sin(a), from the terms of `a`.
  template <std::size_t Terms>
  static CK_LANES_INLINE F8 share(const F8& t, const F8 (&terms)[Terms]) {
    const F8 square = t * t;
    F8 sum = terms[Terms - 1];
    for (std::size_t i = Terms - 1; i-- > 0;) sum = terms[i] + square * sum;
    return t * sum;
  }

  template <std::size_t Terms, class Key>
  CK_LANES_INLINE Quat between(const F8& t, const Key& key, std::size_t row, const Quat& a) const {
    F8 terms[Terms];
    for (std::size_t i = 0; i < Terms; ++i) terms[i] = key((4 + i) * row);
    // On a key the value is the key's, whatever the other moments are.
    const F8 before = t == 0.0f ? all(1.0f) : share(1.0f - t, terms);
    const F8 after = share(t, terms);
    return {a.x * before + key(1) * after, a.y * before + key(row + 1) * after,
            a.z * before + key(2 * row + 1) * after, a.w * before + key(3 * row + 1) * after};
  }

  CK_LANES_INLINE Quat readQuat(const LaneChannel& channel) const {
    if (channel.kind == LaneChannel::Kind::Still) return quatOf(channel.still);
    if (channel.kind == LaneChannel::Kind::Dense) {
      const float* at = denseOf(channel);
      return {load<F8>(at), load<F8>(at + kLaneCount), load<F8>(at + 2 * kLaneCount),
              load<F8>(at + 3 * kLaneCount)};
    }
    const LaneRun::Places& axis = keys.places[channel.axis];
    const std::size_t row = channel.row;
    return withKeys(
        channel, axis, [&](const auto& key) __attribute__((always_inline)) {
          const Quat a{key(0), key(row), key(2 * row), key(3 * row)};
          if ((axis.state[batch] & LaneRun::kOnKeys) != 0) return a;
          if (channel.wide) return between<LaneKeys::kWideArcTerms>(along(axis), key, row, a);
          return between<LaneKeys::kArcTerms>(along(axis), key, row, a);
        });
  }
};

// The evaluation itself, inlined into one function for each instruction set.
struct LanePoser::Kernel {
  const LanePoser& poser;
  ChannelReader channels;
  std::span<LaneRows> globals;
  std::span<Run::Turn> turns;

  static CK_LANES_INLINE Rows rowsOf(const LaneRows& global) {
    Rows rows;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        rows.at[row][column] = load<F8>(global.at[row][column]);
      }
    }
    return rows;
  }

  static CK_LANES_INLINE Quat turnOf(const Run::Turn& turn) {
    return {load<F8>(turn.at[0]), load<F8>(turn.at[1]), load<F8>(turn.at[2]), load<F8>(turn.at[3])};
  }

  // The matrices of all joints in model space, and their rotations if `WithTurns`.
  template <bool WithTurns>
  CK_LANES_INLINE void poseJoints() const {
    for (std::size_t j = 0; j < poser.nodes_.size(); ++j) {
      const Node& node = poser.nodes_[j];
      Local local{channels.readVec(node.translation), channels.readQuat(node.rotation), {}};
      if (WithTurns) {
        Quat turn = local.rotation;
        if (node.turnsPre) turn = multiplied(quatOf(node.preTurn), turn);
        if (node.parent >= 0) {
          turn = multiplied(turnOf(turns[static_cast<std::size_t>(node.parent)]), turn);
        }
        store(turns[j].at[0], turn.x);
        store(turns[j].at[1], turn.y);
        store(turns[j].at[2], turn.z);
        store(turns[j].at[3], turn.w);
      }
      Rows rows;
      if (node.unitScale) {
        local.scale = {all(1.0f), all(1.0f), all(1.0f)};
        rows = toRows(local);
      } else {
        local.scale = channels.readVec(node.scale);
        rows = toRows(local);
      }
      if (node.hasPre) rows = multiplied(node.pre, rows);
      if (node.parent >= 0) {
        const Rows parent = rowsOf(globals[static_cast<std::size_t>(node.parent)]);
        rows = multiplied(parent.at, rows);
      }
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
          store(globals[j].at[row][column], rows.at[row][column]);
        }
      }
    }
  }

  // The place of a skin joint's pivot.
  CK_LANES_INLINE void placeOf(const Skin& skin, F8 (&place)[3]) const {
    const LaneRows& g = globals[skin.joint];
    for (int row = 0; row < 3; ++row) {
      place[row] = load<F8>(g.at[row][3]);
      if (skin.pivotIsOrigin) continue;
      place[row] += load<F8>(g.at[row][0]) * skin.pivot[0] +
                    load<F8>(g.at[row][1]) * skin.pivot[1] + load<F8>(g.at[row][2]) * skin.pivot[2];
    }
  }

  CK_LANES_INLINE void skinOf(const Skin& skin, LanePose& pose) const {
    const Rows g = rowsOf(globals[skin.joint]);
    const float(&b)[3][4] = skin.inverseBind;
    F8 place[3];
    placeOf(skin, place);
    for (int row = 0; row < 3; ++row) {
      const F8& x = g.at[row][0];
      const F8& y = g.at[row][1];
      const F8& z = g.at[row][2];
      for (int column = 0; column < 4; ++column) {
        F8 sum = x * b[0][column] + y * b[1][column] + z * b[2][column];
        if (column == 3) sum += g.at[row][3];
        store(pose.rows[row][column], sum);
      }
      store(pose.place[row], place[row]);
    }
  }

  CK_LANES_INLINE void pose(std::span<LanePose> poses) const {
    poseJoints<false>();
    for (std::size_t i = 0; i < poser.skins_.size(); ++i) skinOf(poser.skins_[i], poses[i]);
  }

  CK_LANES_INLINE F8 scaleOf(const Skin& skin) const {
    if (skin.stillScale != 0.0f) return all(skin.stillScale);
    const Rows g = rowsOf(globals[skin.joint]);
    const auto& m = g.at;
    const F8 determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                           m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return cubeRoot(determinant * skin.determinant);
  }

  CK_LANES_INLINE bool pivots(std::span<LanePivot> poses) const {
    constexpr float kLeastScale = 1e-5f;
    poseJoints<true>();
    I8 usual = ~I8{};
    for (std::size_t i = 0; i < poser.skins_.size(); ++i) {
      const Skin& skin = poser.skins_[i];
      LanePivot& pose = poses[i];
      Quat turn = turnOf(turns[skin.joint]);
      if (skin.turns) turn = multiplied(turn, quatOf(skin.turn));
      store(pose.rotation[0], turn.x);
      store(pose.rotation[1], turn.y);
      store(pose.rotation[2], turn.z);
      store(pose.rotation[3], turn.w);
      F8 place[3];
      placeOf(skin, place);
      for (int axis = 0; axis < 3; ++axis) store(pose.place[axis], place[axis]);
      const F8 scale = scaleOf(skin);
      store(pose.scale, scale);
      // Written so that NaN and infinity fail.
      const F8 sum = place[0] + place[1] + place[2] + scale + (turn.x + turn.y + turn.z + turn.w);
      usual &= (scale > kLeastScale) & (sum - sum == 0.0f);
    }
    return !anyTrue(~usual);
  }

  CK_LANES_CLONES static void jointsBest(const Kernel& kernel) { kernel.poseJoints<false>(); }
  static void jointsPlain(const Kernel& kernel) { kernel.poseJoints<false>(); }
  CK_LANES_CLONES static void poseBest(const Kernel& kernel, std::span<LanePose> poses) {
    kernel.pose(poses);
  }
  static void posePlain(const Kernel& kernel, std::span<LanePose> poses) { kernel.pose(poses); }
  CK_LANES_CLONES static bool pivotsBest(const Kernel& kernel, std::span<LanePivot> poses) {
    return kernel.pivots(poses);
  }
  static bool pivotsPlain(const Kernel& kernel, std::span<LanePivot> poses) {
    return kernel.pivots(poses);
  }
  CK_LANES_CLONES static void skinBest(const Kernel& kernel, const Skin& skin, LanePose& pose) {
    kernel.skinOf(skin, pose);
  }
  static void skinPlain(const Kernel& kernel, const Skin& skin, LanePose& pose) {
    kernel.skinOf(skin, pose);
  }
};

void LanePoser::joints(Run& run, std::size_t batch, LanePath path) const {
  CK_ASSERT(batch < run.batchCount());
  const Kernel kernel{*this, {keys_, run.keys_, batch}, run.globals_, run.turns_};
  (path == LanePath::Best ? Kernel::jointsBest : Kernel::jointsPlain)(kernel);
}

void LanePoser::pose(Run& run, std::size_t batch, std::span<LanePose> poses, LanePath path) const {
  CK_ASSERT(batch < run.batchCount() && poses.size() == skins_.size());
  const Kernel kernel{*this, {keys_, run.keys_, batch}, run.globals_, run.turns_};
  (path == LanePath::Best ? Kernel::poseBest : Kernel::posePlain)(kernel, poses);
}

bool LanePoser::pivots(Run& run, std::size_t batch, std::span<LanePivot> poses,
                       LanePath path) const {
  CK_ASSERT(nearlyRigid_ && batch < run.batchCount() && poses.size() == skins_.size());
  const Kernel kernel{*this, {keys_, run.keys_, batch}, run.globals_, run.turns_};
  return (path == LanePath::Best ? Kernel::pivotsBest : Kernel::pivotsPlain)(kernel, poses);
}

void LanePoser::poseOf(Run& run, std::size_t skinJoint, LanePose& pose, LanePath path) const {
  const Kernel kernel{*this, {keys_, run.keys_, 0}, run.globals_, run.turns_};
  (path == LanePath::Best ? Kernel::skinBest : Kernel::skinPlain)(kernel, skins_[skinJoint], pose);
}

}  // namespace ck
