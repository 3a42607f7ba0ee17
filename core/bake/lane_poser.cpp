#include "core/bake/lane_poser.h"

#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/base/assert.h"
#include "core/base/lanes.h"
#include "core/base/transform.h"

namespace ck {
namespace {

using namespace lanes;
static_assert(kLaneCount == static_cast<std::size_t>(kCount));

// Floats per key. A rotation is followed by the angle to the next key and 1 / sin of it.
constexpr std::size_t kVecApart = 4;
constexpr std::size_t kQuatApart = 8;

// A moment this close to a key, as a share of the step, is on it.
constexpr double kOnKeyShare = 1e-6;

// How much of a closing step has passed. A rounding error must not hold back its end.
double closedShare(double share) {
  constexpr double kRounding = 1e-9;
  return share > 1.0 - kRounding ? 1.0 : share;
}

glm::dvec3 closedBetween(const glm::dvec3& a, const glm::dvec3& b, double t) {
  return a + (b - a) * t;
}
glm::dquat closedBetween(const glm::dquat& a, const glm::dquat& b, double t) {
  return slerpShortest(a, b, t);
}

constexpr std::size_t apartOf(const glm::vec3&) {
  return kVecApart;
}
constexpr std::size_t apartOf(const glm::quat&) {
  return kQuatApart;
}

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

}  // namespace

struct LanePoser::Preparation {
  LanePoser& poser;

  double lastKeySeconds() const { return poser.clip_->startSeconds + poser.clip_->durationSeconds; }
  bool closes() const { return poser.closingSeconds_ > 0.0; }

  // How many floats the keys of all tracks need at most, with two more for a closing step.
  std::size_t mostValues() const {
    std::size_t count = 0;
    for (const JointTracks& tracks : poser.clip_->jointTracks) {
      count += (tracks.translation.times.size() + tracks.scale.times.size() + 4) * kVecApart +
               (tracks.rotation.times.size() + 2) * kQuatApart;
    }
    return count;
  }

  // The key times that a linear track has with its closing step.
  std::vector<double> closedTimes(const std::vector<double>& times) const {
    std::vector<double> closed = times;
    if (!closes()) return closed;
    if (closed.back() < lastKeySeconds()) closed.push_back(lastKeySeconds());
    closed.push_back(lastKeySeconds() + poser.closingSeconds_);
    return closed;
  }

  std::uint32_t axisOf(const std::vector<double>& times) {
    constexpr std::size_t kCompared = 4;  // see keyTimes()
    std::vector<Axis>& axes = poser.axes_;
    for (std::size_t i = axes.size() - std::min(axes.size(), kCompared); i < axes.size(); ++i) {
      if (sameTimes(*axes[i].source, times)) return static_cast<std::uint32_t>(i);
    }
    axes.push_back({&times, closedTimes(times)});
    return static_cast<std::uint32_t>(axes.size() - 1);
  }

  template <class Value>
  void addLinear(const Track<Value>& track, Channel& channel) {
    channel.kind = Kind::Linear;
    channel.axis = axisOf(track.times);
    channel.values = poser.values_.size();
    std::vector<Value> closed;
    std::span<const Value> keys = track.values;
    if (closes()) {
      closed = track.values;
      if (track.times.back() < lastKeySeconds()) closed.push_back(closed.back());
      closed.emplace_back(sampleTrack(track, poser.clip_->startSeconds));
      keys = closed;
    }
    poser.values_.resize(poser.values_.size() + keys.size() * apartOf(Value{}));
    write(keys, poser.values_.data() + channel.values);
  }

  static void write(std::span<const glm::vec3> keys, float* to) {
    for (std::size_t i = 0; i < keys.size(); ++i) put(keys[i], to + i * kVecApart);
  }

  // The angle between two unit quaternions and 1 / sin of it, from half their distance, which is
  // the sine of half the angle. Without the cost of asin() and sin() where the angle is small.
  static void writeArc(double sine, float* to) {
    constexpr double kLeast = 5e-7;  // below it the sine of an angle is the angle
    constexpr double kSmall = 0.1;
    const double s = std::clamp(sine, kLeast, 1.0);
    const double s2 = s * s;
    const double half = s < kSmall
                            ? s * (1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * (15.0 / 336.0))))
                            : std::asin(s);
    to[0] = static_cast<float>(2.0 * half);
    to[1] = static_cast<float>(1.0 / std::max(2.0 * s * std::sqrt(1.0 - s2), kLeast));
  }

  // Unit quaternions along the shorter arc, each with what its interpolation needs.
  static void write(std::span<const glm::quat> keys, float* to) {
    glm::dquat before(1.0, 0.0, 0.0, 0.0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      glm::dquat q = glm::normalize(glm::dquat(keys[i]));
      if (i > 0 && glm::dot(before, q) < 0.0) q = -q;
      put(q, to + i * kQuatApart);
      if (i > 0) {
        writeArc(0.5 * glm::length(q - before), to + (i - 1) * kQuatApart + 4);
      }
      before = q;
    }
  }

  template <class Value>
  void add(const Track<Value>& track, Channel& channel) {
    if (track.empty()) return;
    const bool cubic = track.interpolation == Interpolation::Cubic;
    const auto same = [&](const Value& value) { return value == track.values.front(); };
    if (track.times.size() == 1 || (!cubic && std::ranges::all_of(track.values, same))) {
      put(sampleTrack(track, track.times.front()), channel.still);
    } else if (track.interpolation == Interpolation::Linear &&
               (!closes() || track.times.back() <= lastKeySeconds())) {
      addLinear(track, channel);
    } else {
      channel.kind = Kind::Dense;
      channel.track = &track;
      channel.values = poser.densePerBatch_;
      poser.densePerBatch_ += static_cast<std::size_t>(Value::length()) * kLaneCount;
    }
  }
};

LanePoser::LanePoser(const Rig& rig, const Clip& clip, double closingSeconds)
    : clip_(&clip), closingSeconds_(closingSeconds) {
  nodes_.reserve(rig.joints.size());
  for (const Joint& joint : rig.joints) {
    Node& node = nodes_.emplace_back();
    node.parent = joint.parent;
    node.hasPre = joint.preTransform != glm::dmat4(1.0);
    putRows(joint.preTransform, node.pre);
    put(joint.rest.translation, node.translation.still);
    put(joint.rest.rotation, node.rotation.still);
    put(joint.rest.scale, node.scale.still);
  }
  Preparation preparation{*this};
  values_.reserve(preparation.mostValues());
  for (const JointTracks& tracks : clip.jointTracks) {
    Node& node = nodes_[static_cast<std::size_t>(tracks.joint)];
    preparation.add(tracks.translation, node.translation);
    preparation.add(tracks.rotation, node.rotation);
    preparation.add(tracks.scale, node.scale);
  }
  for (Node& node : nodes_) {
    const float* s = node.scale.still;
    node.unitScale = node.scale.kind == Kind::Still && s[0] == 1.0f && s[1] == 1.0f && s[2] == 1.0f;
  }
  for (const SkinJoint& skinJoint : rig.skinJoints) {
    constexpr double kSamePlace = 1e-7;
    Skin& skin = skins_.emplace_back();
    skin.joint = static_cast<std::size_t>(skinJoint.joint);
    putRows(skinJoint.inverseBind, skin.inverseBind);
    // The pivot that the atlas stores is rounded to float.
    const glm::dvec3 exact = pivotOf(skinJoint);
    const glm::dvec3 pivot{glm::vec3(exact)};
    skin.pivotIsOrigin = glm::distance(pivot, exact) <= kSamePlace &&
                         glm::length(transformPoint(skinJoint.inverseBind, exact)) <= kSamePlace;
    put(transformPoint(skinJoint.inverseBind, pivot), skin.pivot);
  }
}

// Finds the moments of a run in the clip.
struct LanePoser::Sampling {
  const LanePoser& poser;
  std::span<const StoredFrame> moments;
  std::size_t batchCount;

  const StoredFrame& moment(std::size_t i) const {
    return moments[std::min(i, moments.size() - 1)];
  }

  void place(const std::vector<double>& times, Run::Places& places) const {
    const std::size_t padded = batchCount * kLaneCount;
    places.keys.resize(padded);
    places.along.resize(padded);
    places.state.resize(batchCount);
    const auto keyBefore = [&](double seconds) {
      const auto after = std::upper_bound(times.begin(), times.end(), seconds);
      const auto index = std::max<std::ptrdiff_t>(after - times.begin() - 1, 0);
      return std::min(static_cast<std::size_t>(index), times.size() - 2);
    };
    std::size_t key = keyBefore(moment(0).seconds);
    for (std::size_t i = 0; i < padded; ++i) {
      const double seconds = moment(i).seconds;
      if (seconds < times[key]) key = keyBefore(seconds);
      while (key + 2 < times.size() && times[key + 1] <= seconds) ++key;
      const double share = (seconds - times[key]) / (times[key + 1] - times[key]);
      const double along = closedShare(std::clamp(share, 0.0, 1.0));
      places.keys[i] = static_cast<std::int32_t>(key);
      places.along[i] = along < kOnKeyShare ? 0.0f : static_cast<float>(along);
    }
    for (std::size_t batch = 0; batch < batchCount; ++batch) {
      const auto keys = std::span(places.keys).subspan(batch * kLaneCount, kLaneCount);
      const auto along = std::span(places.along).subspan(batch * kLaneCount, kLaneCount);
      const bool shared = std::ranges::all_of(keys, [&](int k) { return k == keys[0]; });
      const bool onKeys = std::ranges::all_of(along, [](float a) { return a == 0.0f; });
      const bool pair =
          std::ranges::all_of(keys, [&](int k) { return k == keys[0] || k == keys[0] + 1; });
      places.state[batch] = static_cast<std::uint8_t>((shared ? kShared : 0) | (pair ? kPair : 0) |
                                                      (onKeys ? kOnKeys : 0));
    }
  }

  // The value of a property at a moment, as WindowSampler has it.
  template <class Value>
  auto valueAt(const Track<Value>& track, const StoredFrame& at) const {
    const bool steps = track.interpolation == Interpolation::Step;
    if (steps && at.heldSeconds) return sampleTrack(track, *at.heldSeconds);
    const auto value = sampleTrack(track, at.seconds);
    const double passed = at.seconds - (poser.clip_->startSeconds + poser.clip_->durationSeconds);
    if (poser.closingSeconds_ <= 0.0 || passed <= 0.0) return value;
    const double t = closedShare(passed / poser.closingSeconds_);
    if (steps && t < 1.0) return value;
    const auto first = sampleTrack(track, poser.clip_->startSeconds);
    return t >= 1.0 ? first : closedBetween(value, first, t);
  }

  template <class Value>
  void fill(const Channel& channel, std::vector<float>& dense) const {
    if (channel.kind != Kind::Dense) return;
    const auto& track = *static_cast<const Track<Value>*>(channel.track);
    for (std::size_t i = 0; i < batchCount * kLaneCount; ++i) {
      float value[4];
      put(valueAt(track, moment(i)), value);
      float* to = dense.data() + (i / kLaneCount) * poser.densePerBatch_ + channel.values;
      for (std::size_t c = 0; c < static_cast<std::size_t>(Value::length()); ++c) {
        to[c * kLaneCount + i % kLaneCount] = value[c];
      }
    }
  }
};

void LanePoser::prepare(std::span<const StoredFrame> moments, Run& run) const {
  CK_ASSERT(!moments.empty());
  run.batchCount_ = (moments.size() + kLaneCount - 1) / kLaneCount;
  run.globals_.resize(nodes_.size());
  run.places_.resize(axes_.size());
  run.dense_.resize(run.batchCount_ * densePerBatch_);
  const Sampling sampling{*this, moments, run.batchCount_};
  for (std::size_t i = 0; i < axes_.size(); ++i) sampling.place(axes_[i].times, run.places_[i]);
  if (densePerBatch_ == 0) return;
  for (const Node& node : nodes_) {
    sampling.fill<glm::vec3>(node.translation, run.dense_);
    sampling.fill<glm::quat>(node.rotation, run.dense_);
    sampling.fill<glm::vec3>(node.scale, run.dense_);
  }
}

// The evaluation itself, inlined into one function for each instruction set.
struct LanePoser::Work {
  const LanePoser& poser;
  Run& run;
  std::size_t batch;

  CK_LANES_INLINE F8 along(const Run::Places& axis) const {
    return load<F8>(axis.along.data() + batch * kLaneCount);
  }

  // Four channels of eight keys, `offset` floats after each.
  CK_LANES_INLINE void gather(const Run::Places& axis, const float* values, std::size_t apart,
                              std::size_t offset, F8 (&v)[4]) const {
    const std::int32_t* keys = axis.keys.data() + batch * kLaneCount;
    if ((axis.state[batch] & kShared) != 0) {
      const float* at = values + static_cast<std::size_t>(keys[0]) * apart + offset;
      for (int c = 0; c < 4; ++c) v[c] = all(at[c]);
      return;
    }
    if ((axis.state[batch] & kPair) != 0) {
      const float* at = values + static_cast<std::size_t>(keys[0]) * apart + offset;
      const I8 second = load<I8>(keys) != keys[0];
      for (int c = 0; c < 4; ++c)
        v[c] = second ? all(at[apart + static_cast<std::size_t>(c)]) : all(at[c]);
      return;
    }
    for (int k = 0; k < 4; ++k) {
      const float* low = values + static_cast<std::size_t>(keys[k]) * apart + offset;
      const float* high = values + static_cast<std::size_t>(keys[k + 4]) * apart + offset;
      v[k] = joined(load<F4>(low), load<F4>(high));
    }
    transpose(v);
  }

  CK_LANES_INLINE Vec readVec(const Channel& channel) const {
    if (channel.kind == Kind::Still) {
      return {all(channel.still[0]), all(channel.still[1]), all(channel.still[2])};
    }
    if (channel.kind == Kind::Dense) {
      const float* at = run.dense_.data() + batch * poser.densePerBatch_ + channel.values;
      return {load<F8>(at), load<F8>(at + kLaneCount), load<F8>(at + 2 * kLaneCount)};
    }
    const float* values = poser.values_.data() + channel.values;
    const Run::Places& axis = run.places_[channel.axis];
    F8 a[4];
    gather(axis, values, kVecApart, 0, a);
    if ((axis.state[batch] & kOnKeys) != 0) return {a[0], a[1], a[2]};
    F8 b[4];
    gather(axis, values, kVecApart, kVecApart, b);
    return mix({a[0], a[1], a[2]}, {b[0], b[1], b[2]}, along(axis));
  }

  // The sine of an angle in [0, pi / 2], within 1e-7.
  static CK_LANES_INLINE F8 sine(const F8& x) {
    const F8 x2 = x * x;
    return x + x * x2 *
                   (-1.6666666641e-1f +
                    x2 * (8.3333293048e-3f +
                          x2 * (-1.9839334836e-4f + x2 * (2.7521557770e-6f - x2 * 2.3889859e-8f))));
  }

  CK_LANES_INLINE Quat readQuat(const Channel& channel) const {
    if (channel.kind == Kind::Still) {
      return {all(channel.still[0]), all(channel.still[1]), all(channel.still[2]),
              all(channel.still[3])};
    }
    if (channel.kind == Kind::Dense) {
      const float* at = run.dense_.data() + batch * poser.densePerBatch_ + channel.values;
      return {load<F8>(at), load<F8>(at + kLaneCount), load<F8>(at + 2 * kLaneCount),
              load<F8>(at + 3 * kLaneCount)};
    }
    const float* values = poser.values_.data() + channel.values;
    const Run::Places& axis = run.places_[channel.axis];
    F8 a[4];
    gather(axis, values, kQuatApart, 0, a);
    if ((axis.state[batch] & kOnKeys) != 0) return {a[0], a[1], a[2], a[3]};
    F8 b[4];
    F8 arc[4];
    gather(axis, values, kQuatApart, kQuatApart, b);
    gather(axis, values, kQuatApart, 4, arc);
    const F8 t = along(axis);
    // On a key the value is the key's, whatever the other moments are.
    const F8 before = t == 0.0f ? all(1.0f) : sine((1.0f - t) * arc[0]) * arc[1];
    const F8 after = sine(t * arc[0]) * arc[1];
    return {a[0] * before + b[0] * after, a[1] * before + b[1] * after,
            a[2] * before + b[2] * after, a[3] * before + b[3] * after};
  }

  static CK_LANES_INLINE Rows rowsOf(const Run::Global& global) {
    Rows rows;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        rows.at[row][column] = load<F8>(global.rows[row][column]);
      }
    }
    return rows;
  }

  CK_LANES_INLINE void pose(std::span<LanePose> poses) const {
    std::vector<Run::Global>& globals = run.globals_;
    for (std::size_t j = 0; j < poser.nodes_.size(); ++j) {
      const Node& node = poser.nodes_[j];
      Local local{readVec(node.translation), readQuat(node.rotation), {}};
      Rows rows;
      if (node.unitScale) {
        local.scale = {all(1.0f), all(1.0f), all(1.0f)};
        rows = toRows(local);
      } else {
        local.scale = readVec(node.scale);
        rows = toRows(local);
      }
      if (node.hasPre) rows = multiplied(node.pre, rows);
      if (node.parent >= 0) {
        const Rows parent = rowsOf(globals[static_cast<std::size_t>(node.parent)]);
        rows = multiplied(parent.at, rows);
      }
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
          store(globals[j].rows[row][column], rows.at[row][column]);
        }
      }
    }
    for (std::size_t i = 0; i < poser.skins_.size(); ++i) {
      const Skin& skin = poser.skins_[i];
      const Rows g = rowsOf(globals[skin.joint]);
      LanePose& pose = poses[i];
      const float(&b)[3][4] = skin.inverseBind;
      for (int row = 0; row < 3; ++row) {
        const F8& x = g.at[row][0];
        const F8& y = g.at[row][1];
        const F8& z = g.at[row][2];
        for (int column = 0; column < 4; ++column) {
          F8 sum = x * b[0][column] + y * b[1][column] + z * b[2][column];
          if (column == 3) sum += g.at[row][3];
          store(pose.rows[row][column], sum);
        }
        F8 place = g.at[row][3];
        if (!skin.pivotIsOrigin) {
          place += x * skin.pivot[0] + y * skin.pivot[1] + z * skin.pivot[2];
        }
        store(pose.place[row], place);
      }
    }
  }

  CK_LANES_CLONES static void best(const Work& work, std::span<LanePose> poses) {
    work.pose(poses);
  }
  static void plain(const Work& work, std::span<LanePose> poses) { work.pose(poses); }
};

void LanePoser::pose(Run& run, std::size_t batch, std::span<LanePose> poses, LanePath path) const {
  CK_ASSERT(batch < run.batchCount_ && poses.size() == skins_.size());
  const Work work{*this, run, batch};
  (path == LanePath::Best ? Work::best : Work::plain)(work, poses);
}

}  // namespace ck
