#include "core/bake/pose/lane_keys.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/anim/clip_sampler.h"
#include "core/bake/pose/lane_math.h"
#include "core/base/assert.h"
#include "core/base/parallel_for.h"
#include "core/base/transform.h"

namespace ck {
namespace {

using namespace lanes;
static_assert(kLaneCount == static_cast<std::size_t>(kCount));

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

template <class Wide>
void put(const Wide& value, float* to) {
  for (int c = 0; c < Wide::length(); ++c) to[c] = static_cast<float>(value[c]);
}

// Whether all values are the same to the bit.
template <class Value>
bool areSame(const std::vector<Value>& values) {
  return std::memcmp(values.data(), values.data() + 1, (values.size() - 1) * sizeof(Value)) == 0;
}

// The floats of a component of `count` keys. Eight keys are read at once from any key on, and the
// ones after them.
std::size_t rowOf(std::size_t count) {
  return count + kLaneCount;
}

constexpr std::size_t componentsOf(const glm::vec3&) {
  return 3;
}
constexpr std::size_t componentsOf(const glm::quat&) {
  return 4 + LaneKeys::kWideArcTerms;
}

// Writes the keys of a track component by component. The last key is repeated to the end of a row.
void write(std::span<const glm::vec3> keys, std::size_t row, float* to) {
  for (std::size_t i = 0; i < row; ++i) {
    const glm::vec3& key = keys[std::min(i, keys.size() - 1)];
    for (std::size_t c = 0; c < 3; ++c) to[c * row + i] = key[static_cast<int>(c)];
  }
}

// The squared sine of half an angle between quaternions up to which four terms are exact to 5e-7.
constexpr float kWideSquare = 0.15f;

// Writes unit quaternions along the shorter arc.
struct Turns {
  std::span<const glm::quat> keys;
  std::size_t row;
  float* to;

  CK_LANES_INLINE float* component(std::size_t index) const { return to + index * row; }

  CK_LANES_INLINE Quat read(std::size_t first) const {
    const auto key = [&](std::size_t i) __attribute__((always_inline)) {
      return load<F4>(&keys[std::min(first + i, keys.size() - 1)]);
    };
    F8 v[4];
    for (std::size_t k = 0; k < 4; ++k) v[k] = joined(key(k), key(k + 4));
    transpose(v);
    return {v[0], v[1], v[2], v[3]};
  }

  // The quaternion with length 1 within 1e-7.
  static CK_LANES_INLINE Quat unit(const Quat& q) {
    constexpr float kClose = 1e-3f;  // as keys in files are
    const F8 e = lanes::dot(q, q) - 1.0f;
    F8 size = 1.0f - e * (0.5f - 0.375f * e);
    const I8 isFar = ~((e < kClose) & (e > -kClose));
    if (anyTrue(isFar)) size = isFar ? inverseRoot(e + 1.0f + 1e-30f) : size;
    return {q.x * size, q.y * size, q.z * size, q.w * size};
  }

  CK_LANES_INLINE void writeKeys() const {
    float last[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (std::size_t first = 0; first < row; first += kLaneCount) {
      Quat q = unit(read(first));
      if (first == 0) {
        const float own[4] = {q.x[0], q.y[0], q.z[0], q.w[0]};
        std::copy(own, own + 4, last);
      }
      alignAlong(q, last);
      const F8 values[4] = {q.x, q.y, q.z, q.w};
      for (std::size_t c = 0; c < 4; ++c) {
        // The rows have room for whole batches only up to the next component.
        std::memcpy(component(c) + first, &values[c],
                    std::min(kLaneCount, row - first) * sizeof(float));
      }
    }
  }

  // The terms by their series in the squared sine u of half the angle: asin(x)^2 = 1/2 sum (2x)^2n
  // / (n^2 C(2n, n)), and asin(x) / (x sqrt(1 - x^2)) = sum (2x)^2n (n!)^2 / (2n + 1)!. Returns the
  // largest u.
  CK_LANES_INLINE float writeTerms() const {
    F8 most = {};
    for (std::size_t first = 0; first < keys.size(); first += kLaneCount) {
      F8 u = {};
      for (std::size_t c = 0; c < 4; ++c) {
        const F8 d = load<F8>(component(c) + first + 1) - load<F8>(component(c) + first);
        u += d * d;
      }
      u = 0.25f * u;
      most = larger(most, u);
      const F8 square =
          4.0f * u *
          (1.0f +
           u * (1.0f / 3.0f +
                u * (8.0f / 45.0f +
                     u * (4.0f / 35.0f + u * (0.0812698f + u * (0.0615680f + u * 0.0487148f))))));
      const F8 c0 =
          1.0f + u * (2.0f / 3.0f +
                      u * (8.0f / 15.0f +
                           u * (16.0f / 35.0f +
                                u * (0.4063492f +
                                     u * (0.3694084f +
                                          u * (0.3409924f + u * (0.3182596f + u * 0.2995384f)))))));
      const F8 c1 = c0 * square * (-1.0f / 6.0f);
      const F8 c2 = c1 * square * (-1.0f / 20.0f);
      const F8 terms[LaneKeys::kArcTerms] = {c0, c1, c2, c2 * square * (-1.0f / 42.0f)};
      for (std::size_t t = 0; t < LaneKeys::kArcTerms; ++t)
        store(component(4 + t) + first, terms[t]);
    }
    const std::size_t written = (keys.size() + kLaneCount - 1) / kLaneCount * kLaneCount;
    for (std::size_t t = 0; t < LaneKeys::kArcTerms; ++t) {
      std::fill(component(4 + t) + written, component(5 + t), 0.0f);
    }
    return largest(most);
  }

  CK_LANES_CLONES static float writeAll(const Turns& turns) {
    turns.writeKeys();
    return turns.writeTerms();
  }

  // The six terms of a track with wide angles.
  void writeWideTerms() const {
    for (std::size_t i = 0; i < row; ++i) {
      double u = 0.0;
      for (std::size_t c = 0; c < 4 && i + 1 < row; ++c) {
        const double d =
            static_cast<double>(component(c)[i + 1]) - static_cast<double>(component(c)[i]);
        u += 0.25 * d * d;
      }
      const double angle = 2.0 * std::asin(std::sqrt(std::min(u, 0.5)));
      double term = angle > 1e-6 ? angle / std::sin(angle) : 1.0;
      for (std::size_t t = 0; t < LaneKeys::kWideArcTerms; ++t) {
        component(4 + t)[i] = static_cast<float>(term);
        const auto n = static_cast<double>(2 * t);
        term *= -angle * angle / ((n + 2.0) * (n + 3.0));
      }
    }
  }
};

// Returns whether six terms are needed.
bool write(std::span<const glm::quat> keys, std::size_t row, float* to) {
  const Turns turns{keys, row, to};
  if (!(Turns::writeAll(turns) > kWideSquare)) return false;
  turns.writeWideTerms();
  return true;
}

}  // namespace

LaneKeys::LaneKeys(const Clip& clip, double closingSeconds)
    : clip_(&clip),
      closingSeconds_(closingSeconds),
      values_(std::make_unique_for_overwrite<float[]>(mostValues())) {}

// How many floats the keys of all tracks need at most, with two more for a closing step.
std::size_t LaneKeys::mostValues() const {
  std::size_t count = 0;
  for (const JointTracks& tracks : clip_->jointTracks) {
    count += (rowOf(tracks.translation.times.size() + 2) + rowOf(tracks.scale.times.size() + 2)) *
                 componentsOf(glm::vec3()) +
             rowOf(tracks.rotation.times.size() + 2) * componentsOf(glm::quat());
  }
  return count;
}

// The key times that a linear track has with its closing step.
std::vector<double> LaneKeys::closedTimes(const std::vector<double>& times) const {
  std::vector<double> closed = times;
  if (!closes()) return closed;
  if (closed.back() < lastKeySeconds()) closed.push_back(lastKeySeconds());
  closed.push_back(lastKeySeconds() + closingSeconds_);
  return closed;
}

std::uint32_t LaneKeys::axisOf(const std::vector<double>& times) {
  constexpr std::size_t kCompared = 4;  // see keyTimes()
  for (std::size_t i = axes_.size() - std::min(axes_.size(), kCompared); i < axes_.size(); ++i) {
    if (sameTimes(*axes_[i].source, times)) return static_cast<std::uint32_t>(i);
  }
  axes_.push_back({&times, closedTimes(times)});
  return static_cast<std::uint32_t>(axes_.size() - 1);
}

template <class Value>
void LaneKeys::writeLinear(const Linear<Value>& linear) {
  const Track<Value>& track = *linear.track;
  LaneChannel& channel = *linear.channel;
  std::vector<Value> closed;
  std::span<const Value> keys = track.values;
  if (closes()) {
    closed = track.values;
    if (track.times.back() < lastKeySeconds()) closed.push_back(closed.back());
    closed.emplace_back(sampleTrack(track, clip_->startSeconds));
    keys = closed;
  }
  CK_ASSERT(channel.row == rowOf(keys.size()));
  float* to = values_.get() + channel.values;
  if constexpr (std::is_same_v<Value, glm::quat>) {
    channel.wide = ck::write(keys, channel.row, to);
  } else {
    ck::write(keys, channel.row, to);
  }
}

void LaneKeys::write(int threads) {
  constexpr std::size_t kMany = std::size_t{1} << 18;  // below, starting threads takes longer
  JobContext job;
  job.threadCount = valueCount_ < kMany ? 1 : threads;
  parallelFor(linearVectors_.size() + linearTurns_.size(), job, [this](std::size_t i) {
    const std::size_t turns = linearTurns_.size();
    i < turns ? writeLinear(linearTurns_[i]) : writeLinear(linearVectors_[i - turns]);
  });
  linearVectors_ = {};
  linearTurns_ = {};
}

template <class Value, class Wide>
void LaneKeys::addAny(const Track<Value>& track, const Wide& rest, std::vector<Dense<Value>>& dense,
                      std::vector<Linear<Value>>& linear, LaneChannel& channel) {
  channel = {};
  if (track.empty()) return put(rest, channel.still);
  const bool cubic = track.interpolation == Interpolation::Cubic;
  if (track.times.size() == 1 || (!cubic && areSame(track.values))) {
    put(sampleTrack(track, track.times.front()), channel.still);
  } else if (track.interpolation == Interpolation::Linear &&
             (!closes() || track.times.back() <= lastKeySeconds())) {
    channel.kind = LaneChannel::Kind::Linear;
    channel.axis = axisOf(track.times);
    channel.values = valueCount_;
    channel.row = rowOf(axes_[channel.axis].times.size());
    valueCount_ += channel.row * componentsOf(Value{});
    linear.push_back({&track, &channel});
  } else {
    channel.kind = LaneChannel::Kind::Dense;
    channel.values = densePerBatch_;
    dense.push_back({&track, densePerBatch_});
    densePerBatch_ += static_cast<std::size_t>(Value::length()) * kLaneCount;
  }
}

void LaneKeys::add(const Track<glm::vec3>& track, const glm::dvec3& rest, LaneChannel& channel) {
  addAny(track, rest, denseVectors_, linearVectors_, channel);
}

void LaneKeys::add(const Track<glm::quat>& track, const glm::dquat& rest, LaneChannel& channel) {
  addAny(track, rest, denseTurns_, linearTurns_, channel);
}

// Finds the moments of a run in the clip.
struct LaneKeys::Sampling {
  const LaneKeys& keys;
  std::span<const StoredFrame> moments;
  std::size_t batchCount;

  const StoredFrame& moment(std::size_t i) const {
    return moments[std::min(i, moments.size() - 1)];
  }

  void place(const std::vector<double>& times, LaneRun::Places& places) const {
    const std::size_t padded = batchCount * kLaneCount;
    places.keys.resize(padded);
    places.along.resize(padded);
    places.first.resize(batchCount);
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
      const auto [least, most] = std::ranges::minmax(keys);
      const bool onKeys = std::ranges::all_of(along, [](float a) { return a == 0.0f; });
      places.first[batch] = least;
      places.state[batch] = static_cast<std::uint8_t>(
          (most - least < static_cast<int>(kLaneCount) ? LaneRun::kFewSteps : 0) |
          (onKeys ? LaneRun::kOnKeys : 0));
      for (std::int32_t& k : keys) k -= places.first[batch];
    }
  }

  // The value of a property at a moment, as WindowSampler has it.
  template <class Value>
  auto valueAt(const Track<Value>& track, const StoredFrame& at) const {
    const bool steps = track.interpolation == Interpolation::Step;
    if (steps && at.heldSeconds) return sampleTrack(track, *at.heldSeconds);
    const auto value = sampleTrack(track, at.seconds);
    const double passed = at.seconds - keys.lastKeySeconds();
    if (!keys.closes() || passed <= 0.0) return value;
    const double t = closedShare(passed / keys.closingSeconds_);
    if (steps && t < 1.0) return value;
    const auto first = sampleTrack(track, keys.clip_->startSeconds);
    return t >= 1.0 ? first : closedBetween(value, first, t);
  }

  template <class Value>
  void fill(const Dense<Value>& channel, std::vector<float>& dense) const {
    for (std::size_t i = 0; i < batchCount * kLaneCount; ++i) {
      float value[4];
      put(valueAt(*channel.track, moment(i)), value);
      float* to = dense.data() + (i / kLaneCount) * keys.densePerBatch_ + channel.at;
      for (std::size_t c = 0; c < static_cast<std::size_t>(Value::length()); ++c) {
        to[c * kLaneCount + i % kLaneCount] = value[c];
      }
    }
  }
};

void LaneKeys::prepare(std::span<const StoredFrame> moments, LaneRun& run) const {
  CK_ASSERT(!moments.empty());
  run.batchCount = (moments.size() + kLaneCount - 1) / kLaneCount;
  run.places.resize(axes_.size());
  run.dense.resize(run.batchCount * densePerBatch_);
  const Sampling sampling{*this, moments, run.batchCount};
  for (std::size_t i = 0; i < axes_.size(); ++i) sampling.place(axes_[i].times, run.places[i]);
  for (const auto& channel : denseVectors_) sampling.fill(channel, run.dense);
  for (const auto& channel : denseTurns_) sampling.fill(channel, run.dense);
}

}  // namespace ck
