#include "core/import/worker/assembly/motion_tracks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/transform.h"

namespace ck::worker {
namespace {

constexpr int kMostHalvings = 10;
constexpr std::size_t kMostSegments = 1'000'000;  // beyond it nothing is halved any more
// Where a segment is compared with its motion: shares that halving and grids of keys do not hit.
constexpr std::array<double, 4> kShares = {0.17, 0.39, 0.61, 0.83};

double difference(double a, double b) {
  return std::abs(a - b);
}
double difference(const glm::dvec3& a, const glm::dvec3& b) {
  return glm::distance(a, b);
}
// The angle of the rotation from one to the other.
double difference(const glm::dquat& a, const glm::dquat& b) {
  const glm::dquat turn = glm::conjugate(a) * b;
  return 2.0 * std::atan2(glm::length(glm::dvec3(turn.x, turn.y, turn.z)), std::abs(turn.w));
}

// The second of two values as it is nearest to the first: a rotation has two quaternions.
template <class Value>
Value nearest(const Value&, const Value& value) {
  return value;
}
glm::dquat nearest(const glm::dquat& to, const glm::dquat& value) {
  return glm::dot(to, value) < 0.0 ? -value : value;
}

template <class Value>
Value straight(const Value& a, const Value& b, double share) {
  return a + (b - a) * share;
}
glm::dquat straight(const glm::dquat& a, const glm::dquat& b, double share) {
  return slerpShortest(a, b, share);
}

template <class Value>
Value unit(const Value& value) {
  return value;
}
glm::dquat unit(const glm::dquat& value) {
  return glm::normalize(value);
}

glm::vec3 narrow(const glm::dvec3& v) {
  return glm::vec3(v);
}
glm::quat narrow(const glm::dquat& q) {
  return {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y),
          static_cast<float>(q.z)};
}
float narrow(double v) {
  return static_cast<float>(v);
}

// A segment between two times at which the motion may have keys, with limits at its ends.
template <class Value>
struct Segment {
  double from;
  double to;
  Value first;
  Value last;
  Value slopeFirst{};  // per second; set for cubic tracks
  Value slopeLast{};

  Value cubic(double share) const {
    const double step = to - from;
    const double s2 = share * share;
    const double s3 = s2 * share;
    return unit(first * (2.0 * s3 - 3.0 * s2 + 1.0) +
                slopeFirst * (step * (s3 - 2.0 * s2 + share)) + last * (3.0 * s2 - 2.0 * s3) +
                slopeLast * (step * (s3 - s2)));
  }
};

template <class Value>
class TrackMaker {
 public:
  TrackMaker(const Motion<Value>& motion, double tolerance, bool isStraight = false)
      : motion_(motion), tolerance_(tolerance), isStraight_(isStraight) {}

  auto make(const std::vector<double>& seconds) {
    using Narrow = decltype(narrow(std::declval<Value>()));
    std::vector<Segment<Value>> segments;
    segments.reserve(seconds.size());
    for (std::size_t i = 0; i + 1 < seconds.size(); ++i) {
      segments.push_back(segment(seconds[i], seconds[i + 1]));
    }
    Track<Narrow> track;
    if (holds(segments)) {
      track.interpolation = Interpolation::Step;
    } else if (isStraight_ || follows(segments, [](const auto& s, double share) {
                 return straight(s.first, s.last, share);
               })) {
      track.interpolation = Interpolation::Linear;
    } else {
      track.interpolation = Interpolation::Cubic;
      for (Segment<Value>& s : segments) setSlopes(s);
      segments = halved(segments);
    }
    fill(segments, seconds, track);
    return track;
  }

 private:
  Segment<Value> segment(double from, double to) const {
    Segment<Value> s{from, to, motion_(from, 1), motion_(to, -1)};
    s.last = nearest(s.first, s.last);
    return s;
  }

  // One-sided differences of second order.
  void setSlopes(Segment<Value>& s) const {
    const double h = (s.to - s.from) * 1e-3;
    const auto at = [&](double time) { return nearest(s.first, motion_(time, 0)); };
    s.slopeFirst = (at(s.from + h) * 4.0 - s.first * 3.0 - at(s.from + 2.0 * h)) * (0.5 / h);
    s.slopeLast = (s.last * 3.0 - at(s.to - h) * 4.0 + at(s.to - 2.0 * h)) * (0.5 / h);
  }

  bool holds(const std::vector<Segment<Value>>& segments) const {
    const auto isStill = [this](const Segment<Value>& s) {
      return difference(s.first, s.last) <= tolerance_ * 1e-3;
    };
    return std::all_of(segments.begin(), segments.end(), isStill) &&
           (isStraight_ || follows(segments, [](const auto& held, double) { return held.first; }));
  }

  template <class Model>
  bool follows(const Segment<Value>& s, Model&& model) const {
    return std::all_of(kShares.begin(), kShares.end(), [&](double share) {
      const double off = difference(model(s, share), motion_(s.from + share * (s.to - s.from), 0));
      // Numbers that overflow are not approached by more keys; they are left out later.
      return off <= tolerance_ || !std::isfinite(off);
    });
  }
  template <class Model>
  bool follows(const std::vector<Segment<Value>>& segments, Model&& model) const {
    return std::all_of(segments.begin(), segments.end(),
                       [&](const Segment<Value>& s) { return follows(s, model); });
  }

  std::vector<Segment<Value>> halved(const std::vector<Segment<Value>>& segments) const {
    std::vector<Segment<Value>> fine;
    fine.reserve(segments.size());
    std::vector<std::pair<Segment<Value>, int>> open;
    for (const Segment<Value>& whole : segments) {
      open.emplace_back(whole, 0);
      while (!open.empty()) {
        const auto [s, depth] = open.back();
        open.pop_back();
        const bool good = follows(s, [](const auto& c, double share) { return c.cubic(share); });
        if (good || depth == kMostHalvings || fine.size() > kMostSegments) {
          fine.push_back(s);
          continue;
        }
        const double middle = 0.5 * (s.from + s.to);
        for (const auto& [from, to] : {std::pair(middle, s.to), std::pair(s.from, middle)}) {
          open.emplace_back(segment(from, to), depth + 1);
          setSlopes(open.back().first);
        }
      }
    }
    return fine;
  }

  template <class Narrow>
  void fill(const std::vector<Segment<Value>>& segments, const std::vector<double>& seconds,
            Track<Narrow>& track) const {
    Value last = motion_(seconds.front(), segments.empty() ? 0 : 1);
    const auto add = [&](double time, const Value& in, const Value& value, const Value& out) {
      // Rotations keep to one of their two quaternions from key to key.
      const double sign = nearest(last, value) == value ? 1.0 : -1.0;
      last = value * sign;
      track.times.push_back(time);
      if (track.interpolation == Interpolation::Cubic) {
        track.values.push_back(narrow(in * sign));
        track.values.push_back(narrow(last));
        track.values.push_back(narrow(out * sign));
      } else {
        track.values.push_back(narrow(last));
      }
    };
    const Value still = last * 0.0;
    const std::size_t keyCount = segments.size() + 1;  // more where the motion jumps
    track.times.reserve(keyCount);
    track.values.reserve(track.interpolation == Interpolation::Cubic ? 3 * keyCount : keyCount);
    if (segments.empty()) return add(seconds.front(), still, last, still);
    add(segments.front().from, still, segments.front().first, segments.front().slopeFirst);
    for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
      const Segment<Value>& a = segments[i];
      const Segment<Value>& b = segments[i + 1];
      // The value at the time itself decides which of two keys lies there.
      const Value here = motion_(b.from, 0);
      const bool isFirst = difference(here, b.first) <= tolerance_ * 1e-2;
      const bool isLast = difference(here, a.last) <= tolerance_ * 1e-2;
      if (isFirst && (isLast || track.interpolation == Interpolation::Step)) {
        const double sign = nearest(a.last, b.first) == b.first ? 1.0 : -1.0;
        add(b.from, a.slopeLast * sign, b.first, b.slopeFirst);
        continue;
      }
      add(isFirst ? b.from - kJumpSeconds : b.from, a.slopeLast, a.last, still);
      add(isFirst ? b.from : b.from + kJumpSeconds, still, b.first, b.slopeFirst);
    }
    // The motion may jump at the last time, and ends with the value there.
    const Segment<Value>& end = segments.back();
    const Value here = nearest(end.last, motion_(end.to, 0));
    const bool jumps = track.interpolation != Interpolation::Step &&
                       difference(here, end.last) > tolerance_ * 1e-2;
    if (jumps) add(end.to - kJumpSeconds, end.slopeLast, end.last, still);
    add(end.to, jumps ? still : end.slopeLast, here, still);
  }

  const Motion<Value>& motion_;
  double tolerance_;
  bool isStraight_;
};

}  // namespace

Track<glm::vec3> motionTrack(const std::vector<double>& seconds, const Motion<glm::dvec3>& motion,
                             double tolerance, bool isStraight) {
  return TrackMaker<glm::dvec3>(motion, tolerance, isStraight).make(seconds);
}
Track<glm::quat> motionTrack(const std::vector<double>& seconds, const Motion<glm::dquat>& motion,
                             double tolerance) {
  return TrackMaker<glm::dquat>(motion, tolerance).make(seconds);
}
Track<float> motionTrack(const std::vector<double>& seconds, const Motion<double>& motion,
                         double tolerance) {
  return TrackMaker<double>(motion, tolerance).make(seconds);
}

double placeTolerance(const std::vector<double>& seconds, const Motion<glm::dvec3>& motion,
                      double unitMeters) {
  constexpr double kMeters = 1e-5;
  const glm::dvec3 first = motion(seconds.front(), 0);
  double way = 0.0;
  double farthest = 0.0;
  for (const double time : seconds) {
    const glm::dvec3 place = motion(time, 0);
    way = std::max(way, glm::distance(first, place));
    farthest = std::max(farthest, glm::length(place));
  }
  const double most = kMeters / unitMeters;
  const double rounding = most * 1e-5 + farthest * 1e-7;
  return way > rounding ? std::max(std::min(most, way * kShareTolerance), rounding) : most;
}

std::vector<double> distinctTimes(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto same = [](double a, double b) { return b - a < 4.0 * kJumpSeconds; };
  seconds.erase(std::unique(seconds.begin(), seconds.end(), same), seconds.end());
  return seconds;
}

}  // namespace ck::worker
