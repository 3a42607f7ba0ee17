#include "core/import/worker/assembly/key_curve.h"

#include <algorithm>
#include <cmath>

namespace ck::worker {
namespace {

// The parameter of a Bezier curve at which its first coordinate, with the ends 0 and 1 and the
// handles x1 and x2, is x. The coordinate rises with the parameter for handles in [0, 1].
double bezierParameter(double x1, double x2, double x) {
  double low = 0.0;
  double high = 1.0;
  double t = x;
  for (int round = 0; round < 60; ++round) {
    const double u = 1.0 - t;
    const double value = 3.0 * u * u * t * x1 + 3.0 * u * t * t * x2 + t * t * t - x;
    if (std::abs(value) < 1e-15) break;
    (value > 0.0 ? high : low) = t;
    const double slope = 3.0 * u * u * x1 + 6.0 * u * t * (x2 - x1) + 3.0 * t * t * (1.0 - x2);
    const double next = slope > 1e-9 ? t - value / slope : -1.0;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return t;
}

double within(const KeyCurve::Key& a, const KeyCurve::Key& b, double seconds) {
  const double step = b.seconds - a.seconds;
  const double x = (seconds - a.seconds) / step;
  switch (a.after) {
    case KeyCurve::Between::HoldThis:
      return a.value;
    case KeyCurve::Between::HoldNext:
      return b.value;
    case KeyCurve::Between::Linear:
      return a.value + x * (b.value - a.value);
    case KeyCurve::Between::Cubic:
      break;
  }
  const double t = bezierParameter(a.rightSeconds / step, 1.0 - b.leftSeconds / step, x);
  const double u = 1.0 - t;
  return u * u * u * a.value + 3.0 * u * u * t * (a.value + a.rightValue) +
         3.0 * u * t * t * (b.value - b.leftValue) + t * t * t * b.value;
}

}  // namespace

double KeyCurve::at(double seconds, int side) const {
  for (std::size_t k = lastKey_; k + 1 < keys.size() && k < lastKey_ + 2; ++k) {
    const Key& a = keys[k];
    const Key& b = keys[k + 1];
    const bool isBehind = side < 0 ? a.seconds < seconds && seconds <= b.seconds
                                   : a.seconds <= seconds && seconds < b.seconds;
    if (!isBehind) continue;
    lastKey_ = k;
    return side == 0 && a.seconds == seconds ? a.value : within(a, b, seconds);
  }
  const Key& first = keys.front();
  const Key& last = keys.back();
  const double span = last.seconds - first.seconds;
  double offset = 0.0;
  // The limits beyond the ends are those of the repetitions, which may begin elsewhere.
  const bool isBefore = side < 0 ? seconds <= first.seconds : seconds < first.seconds;
  const bool isAfter = side > 0 ? seconds >= last.seconds : seconds > last.seconds;
  if (isBefore || isAfter) {
    const Beyond how = isBefore ? before : after;
    const Key& end = isBefore ? first : last;
    if (how == Beyond::Constant || keys.size() < 2) return end.value;
    if (how == Beyond::KeepSlope) {
      const double run = isBefore ? end.rightSeconds : end.leftSeconds;
      const double rise = isBefore ? end.rightValue : end.leftValue;
      return run > 0.0 ? end.value + (seconds - end.seconds) * rise / run : end.value;
    }
    double round = std::floor((seconds - first.seconds) / span);
    // The end of a repetition belongs to it when the limit from earlier times is asked for.
    if (side < 0 && first.seconds + round * span == seconds) round -= 1.0;
    const int times = isBefore ? timesBefore : timesAfter;
    const double most = isBefore ? -static_cast<double>(times) : static_cast<double>(times);
    double inside = seconds - round * span;
    if (times >= 0 && (isBefore ? round < most : round > most)) {
      round = most;
      inside = isBefore ? first.seconds : last.seconds;
    }
    const bool turned = how == Beyond::Mirror && std::fmod(std::abs(round), 2.0) == 1.0;
    seconds = turned ? first.seconds + last.seconds - inside : inside;
    seconds = std::clamp(seconds, first.seconds, last.seconds);
    if (how == Beyond::RepeatRelative) offset = round * (last.value - first.value);
  }
  const auto after =
      side < 0 ? std::lower_bound(keys.begin(), keys.end(), seconds,
                                  [](const Key& key, double time) { return key.seconds < time; })
               : std::upper_bound(keys.begin(), keys.end(), seconds,
                                  [](double time, const Key& key) { return time < key.seconds; });
  if (after == keys.begin()) return offset + first.value;
  if (after == keys.end()) return offset + last.value;
  const Key& key = *std::prev(after);
  lastKey_ = static_cast<std::size_t>(&key - keys.data());
  return offset + (side == 0 && key.seconds == seconds ? key.value : within(key, *after, seconds));
}

bool KeyCurve::isStraight() const {
  return before == Beyond::Constant && after == Beyond::Constant &&
         std::all_of(keys.begin(), keys.end(),
                     [](const Key& key) { return key.after == Between::Linear; });
}

void KeyCurve::addTimes(double from, double to, std::vector<double>& seconds) const {
  constexpr double kMostTimes = 1e6;
  const double span = keys.back().seconds - keys.front().seconds;
  const auto rounds = [&](Beyond how, double time) {
    if (how == Beyond::Constant || how == Beyond::KeepSlope || !(span > 0.0)) return 0.0;
    const double most = std::ceil(kMostTimes / static_cast<double>(keys.size()));
    return std::clamp(std::floor((time - keys.front().seconds) / span), -most, most);
  };
  const double low = std::min(0.0, rounds(before, from));
  const double high = std::max(0.0, rounds(after, to));
  for (double round = low; round <= high; round += 1.0) {
    const Beyond how = round < 0.0 ? before : after;
    const bool turned = how == Beyond::Mirror && std::fmod(std::abs(round), 2.0) == 1.0;
    for (const Key& key : keys) {
      const double inside =
          turned ? keys.front().seconds + keys.back().seconds - key.seconds : key.seconds;
      const double time = inside + round * span;
      if (time >= from && time <= to) seconds.push_back(time);
    }
  }
}

}  // namespace ck::worker
