#include "core/anim/live_poser.h"

#include <algorithm>
#include <numeric>

#include "core/base/assert.h"
#include "core/base/lanes.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

using namespace lanes;

constexpr std::size_t kBatchesPerTask = 8;
constexpr std::size_t kApart = 4;

// Eight times on one axis: the key before each, and the fraction to the next key.
struct alignas(32) Interval {
  std::int32_t key[kCount];
  F8 along;
  F8 step;  // seconds between the two keys
};

CK_LANES_INLINE void find(const LiveClip::Axis& axis, const double* seconds, Interval& interval) {
  const int last = static_cast<int>(axis.times.size()) - 2;
  const double* times = axis.times.data();
  for (int lane = 0; lane < kCount; ++lane) {
    int key = 0;
    if (axis.perSecond > 0.0) {
      const double place = (seconds[lane] - axis.first) * axis.perSecond;
      key = static_cast<int>(std::clamp(place, 0.0, static_cast<double>(last)));
    } else {
      const auto after = std::upper_bound(axis.times.begin(), axis.times.end(), seconds[lane]);
      key = static_cast<int>(after - axis.times.begin()) - 1;
    }
    key = std::clamp(key, 0, last);
    interval.key[lane] = key;
    const double step = times[key + 1] - times[key];
    interval.step[lane] = static_cast<float>(step);
    const double along = (seconds[lane] - times[key]) / step;
    interval.along[lane] = static_cast<float>(std::clamp(along, 0.0, 1.0));
  }
}

// Channel `c` of the value `offset` entries after each lane's key.
CK_LANES_INLINE void gather(const float* values, const Interval& interval, std::size_t perKey,
                            std::size_t offset, F8 (&channels)[4]) {
  for (int lane = 0; lane < kCount; ++lane) {
    const float* at =
        values + (static_cast<std::size_t>(interval.key[lane]) * perKey + offset) * kApart;
    for (int c = 0; c < 4; ++c) channels[c][lane] = at[c];
  }
}

CK_LANES_INLINE void spline(const float* values, const Interval& interval, F8 (&result)[4]) {
  const F8 t = interval.along;
  const F8 t2 = t * t;
  const F8 t3 = t2 * t;
  const F8 weights[4] = {2.0f * t3 - 3.0f * t2 + 1.0f, interval.step * (t3 - 2.0f * t2 + t),
                         3.0f * t2 - 2.0f * t3, interval.step * (t3 - t2)};
  // The value and out-tangent of this key, the value and in-tangent of the next key.
  constexpr std::size_t kOffsets[4] = {1, 2, 4, 3};
  for (int c = 0; c < 4; ++c) result[c] = all(0.0f);
  for (int part = 0; part < 4; ++part) {
    F8 channels[4];
    gather(values, interval, 3, kOffsets[part], channels);
    for (int c = 0; c < 4; ++c) result[c] += weights[part] * channels[c];
  }
}

CK_LANES_INLINE void stepped(const float* values, const Interval& interval, F8 (&result)[4]) {
  Interval held = interval;
  for (int lane = 0; lane < kCount; ++lane) held.key[lane] += interval.along[lane] >= 1.0f ? 1 : 0;
  gather(values, held, 1, 0, result);
}

CK_LANES_INLINE Vec between(const Vec& a, const Vec& b, const F8& t) {
  return mix(a, b, t);
}
CK_LANES_INLINE Quat between(const Quat& a, const Quat& b, const F8& t) {
  return alongArc(a, b, t);
}
CK_LANES_INLINE Vec normalized(const Vec& v) {
  return v;
}

template <class Value>
CK_LANES_INLINE Value valueOf(const F8 (&channels)[4]) {
  Value value;
  std::memcpy(&value, channels, sizeof value);
  return value;
}

template <class Value>
CK_LANES_INLINE Value read(const LiveClip& clip, const LiveClip::Track& track,
                           const Interval* intervals) {
  F8 value[4];
  if (track.axis < 0) {
    for (int c = 0; c < 4; ++c) value[c] = all(track.still[c]);
    return valueOf<Value>(value);
  }
  const Interval& interval = intervals[track.axis];
  const float* values = clip.values.data() + track.values;
  if (track.interpolation == Interpolation::Linear) {
    F8 next[4];
    gather(values, interval, 1, 0, value);
    gather(values, interval, 1, 1, next);
    return between(valueOf<Value>(value), valueOf<Value>(next), interval.along);
  }
  if (track.interpolation == Interpolation::Cubic) {
    spline(values, interval, value);
  } else {
    stepped(values, interval, value);
  }
  return normalized(valueOf<Value>(value));
}

// Scratch memory for posing eight actors.
struct Scratch {
  std::vector<Interval> intervals;
  std::vector<Local> locals;
  std::vector<Local> others;  // of the second clip
  std::vector<Local> firsts;  // the clip's first pose
  std::vector<Rows> globals;
};

CK_LANES_INLINE void readClip(const LiveClip& clip, const double* seconds, Scratch& scratch,
                              std::vector<Local>& locals) {
  if (scratch.intervals.size() < clip.axes.size()) scratch.intervals.resize(clip.axes.size());
  for (std::size_t i = 0; i < clip.axes.size(); ++i) {
    find(clip.axes[i], seconds, scratch.intervals[i]);
  }
  const Interval* intervals = scratch.intervals.data();
  for (std::size_t joint = 0; joint < locals.size(); ++joint) {
    const LiveClip::Joint& tracks = clip.joints[joint];
    locals[joint] = {read<Vec>(clip, tracks.translation, intervals),
                     read<Quat>(clip, tracks.rotation, intervals),
                     read<Vec>(clip, tracks.scale, intervals)};
  }
}

// The closing step of a loop: one more step after the last key. Step tracks jump at its end.
CK_LANES_INLINE void closeWith(const LiveClip& clip, std::vector<Local>& locals,
                               const std::vector<Local>& first, const F8& closing) {
  const F8 jumps = closing >= 1.0f ? F8{} + 1.0f : F8{};
  for (std::size_t joint = 0; joint < locals.size(); ++joint) {
    Local& a = locals[joint];
    const Local& b = first[joint];
    const LiveClip::Joint& tracks = clip.joints[joint];
    const auto shareOf = [&](const LiveClip::Track& track) -> const F8& {
      return track.interpolation == Interpolation::Step ? jumps : closing;
    };
    a.translation = mix(a.translation, b.translation, shareOf(tracks.translation));
    a.rotation = alongArc(a.rotation, agreeing(a.rotation, b.rotation), shareOf(tracks.rotation));
    a.scale = mix(a.scale, b.scale, shareOf(tracks.scale));
  }
}

// The second clip: its blend in each lane, and each lane's mask (nullptr: none).
struct Over {
  F8 weight;
  const float* masks[kCount] = {};
  bool masked = false;  // whether any lane has a mask
};

CK_LANES_INLINE void fadeTo(std::vector<Local>& locals, const std::vector<Local>& others,
                            const Over& over) {
  for (std::size_t joint = 0; joint < locals.size(); ++joint) {
    Local& a = locals[joint];
    const Local& b = others[joint];
    F8 t = over.weight;
    for (int lane = 0; over.masked && lane < kCount; ++lane) {
      if (over.masks[lane] != nullptr) t[lane] *= over.masks[lane][joint];
    }
    a.translation = mix(a.translation, b.translation, t);
    a.rotation = nlerpShort(a.rotation, b.rotation, t);
    a.scale = mix(a.scale, b.scale, t);
  }
}

CK_LANES_INLINE void readMoment(const LiveClip& live, int clip,
                                const LiveMoment* const (&moments)[kCount], Scratch& scratch,
                                std::vector<Local>& locals) {
  double seconds[kCount];
  F8 closing;
  bool closes = false;
  for (int lane = 0; lane < kCount; ++lane) {
    const bool here = moments[lane]->clip == clip;
    seconds[lane] = here ? moments[lane]->seconds : 0.0;
    closing[lane] = here ? moments[lane]->closing : 0.0f;
    closes = closes || closing[lane] > 0.0f;
  }
  readClip(live, seconds, scratch, locals);
  if (!closes) return;
  for (double& start : seconds) start = 0.0;
  readClip(live, seconds, scratch, scratch.firsts);
  closeWith(live, locals, scratch.firsts, closing);
}

}  // namespace

// Poses eight actors with the same first clip.
class LiveBatch {
 public:
  static void run(const LivePoser& poser, const LivePose* const (&poses)[kCount],
                  float* const (&outputs)[kCount], Scratch& scratch);
};

CK_LANES_CLONES
void LiveBatch::run(const LivePoser& poser, const LivePose* const (&poses)[kCount],
                    float* const (&outputs)[kCount], Scratch& scratch) {
  const LiveMoment* moments[kCount];
  for (int lane = 0; lane < kCount; ++lane) moments[lane] = &poses[lane]->first;
  const int first = moments[0]->clip;
  readMoment(poser.clipOf(first), first, moments, scratch, scratch.locals);

  // Apply each second clip of the eight lanes in turn. Lanes that do not show it get a blend of 0.
  for (int lane = 0; lane < kCount; ++lane) {
    const int clip = poses[lane]->second.clip;
    if (poses[lane]->blend <= 0.0f || clip < 0) continue;
    bool done = false;
    for (int before = 0; before < lane; ++before) {
      done = done || (poses[before]->second.clip == clip && poses[before]->blend > 0.0f);
    }
    if (done) continue;
    Over over;
    for (int other = 0; other < kCount; ++other) {
      moments[other] = &poses[other]->second;
      over.weight[other] = moments[other]->clip == clip ? poses[other]->blend : 0.0f;
      const auto mask = static_cast<std::size_t>(poses[other]->mask);
      over.masks[other] = mask < poser.masks_.size() ? poser.masks_[mask].data() : nullptr;
      over.masked = over.masked || over.masks[other] != nullptr;
    }
    readMoment(poser.clipOf(clip), clip, moments, scratch, scratch.others);
    fadeTo(scratch.locals, scratch.others, over);
  }

  for (std::size_t joint = 0; joint < poser.nodes_.size(); ++joint) {
    const LivePoser::Node& node = poser.nodes_[joint];
    Rows& global = scratch.globals[joint];
    global = toRows(scratch.locals[joint]);
    if (!node.plain) global = multiplied(node.before, global);
    if (node.parent >= 0) {
      global = multiplied(scratch.globals[static_cast<std::size_t>(node.parent)].at, global);
    }
    if (node.output < 0) continue;
    for (int lane = 0; lane < kCount; ++lane) {
      if (outputs[lane] == nullptr) continue;
      float* at = outputs[lane] + static_cast<std::size_t>(node.output) * 12;
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
          at[row * 4 + column] = global.at[row][column][lane];
        }
      }
    }
  }
}

LivePoser::LivePoser(const Rig& rig, std::span<const Clip> clips) : rest_(makeLiveClip(rig, {})) {
  for (const Clip& clip : clips) clips_.push_back(makeLiveClip(rig, clip));
  for (const SkinJoint& skinJoint : rig.skinJoints) posed_.push_back(skinJoint.joint);
  std::sort(posed_.begin(), posed_.end());
  posed_.erase(std::unique(posed_.begin(), posed_.end()), posed_.end());
  for (const Joint& joint : rig.joints) {
    Node node;
    node.parent = joint.parent;
    node.plain = joint.preTransform == glm::dmat4(1.0);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        node.before[row][column] = static_cast<float>(joint.preTransform[column][row]);
      }
    }
    const int index = static_cast<int>(nodes_.size());
    const auto found = std::lower_bound(posed_.begin(), posed_.end(), index);
    if (found != posed_.end() && *found == index) {
      node.output = static_cast<int>(found - posed_.begin());
    }
    nodes_.push_back(node);
  }
}

void LivePoser::setMasks(std::vector<std::vector<float>> masks) {
  for (const std::vector<float>& mask : masks) CK_ASSERT(mask.size() == nodes_.size());
  masks_ = std::move(masks);
}

void LivePoser::pose(std::span<const LivePose> poses, std::span<glm::vec4> rows,
                     JobContext job) const {
  CK_ASSERT(rows.size() == poses.size() * posed_.size() * 3);
  // Actors are sorted by clip. A batch contains one clip only.
  std::vector<std::uint32_t> order(poses.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto clipAt = [&](std::uint32_t actor) { return poses[actor].first.clip; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return clipAt(a) < clipAt(b); });
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < order.size();) {
    starts.push_back(at);
    const int clip = clipAt(order[at]);
    const std::size_t end = std::min(at + kCount, order.size());
    while (at < end && clipAt(order[at]) == clip) ++at;
  }
  starts.push_back(order.size());

  const std::size_t batches = starts.size() - 1;
  const std::size_t tasks = (batches + kBatchesPerTask - 1) / kBatchesPerTask;
  parallelFor(tasks, job, [&](std::size_t task) {
    Scratch scratch;
    scratch.locals.resize(nodes_.size());
    scratch.others.resize(nodes_.size());
    scratch.firsts.resize(nodes_.size());
    scratch.globals.resize(nodes_.size());
    const std::size_t end = std::min(batches, (task + 1) * kBatchesPerTask);
    for (std::size_t batch = task * kBatchesPerTask; batch < end; ++batch) {
      const LivePose* members[kCount];
      float* outputs[kCount];
      const std::size_t size = starts[batch + 1] - starts[batch];
      for (std::size_t lane = 0; lane < kCount; ++lane) {
        const std::uint32_t actor = order[starts[batch] + std::min(lane, size - 1)];
        members[lane] = &poses[actor];
        outputs[lane] = lane < size ? &rows[actor * posed_.size() * 3].x : nullptr;
      }
      LiveBatch::run(*this, members, outputs, scratch);
    }
  });
}

}  // namespace ck
