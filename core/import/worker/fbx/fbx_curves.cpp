#include "core/import/worker/fbx/fbx_curves.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/import/worker/fbx/fbx_scene.h"

namespace ck::worker {
namespace {

// Flags of a key (Autodesk, FBX SDK, FbxAnimCurveDef).
constexpr std::int64_t kConstant = 0x2;
constexpr std::int64_t kCubic = 0x8;
constexpr std::int64_t kHoldNext = 0x100;
constexpr std::int64_t kUser = 0x400;
constexpr std::int64_t kBreak = 0x800;
constexpr std::int64_t kClamp = 0x1000;
constexpr std::int64_t kTimeIndependent = 0x2000;
constexpr std::int64_t kClampProgressive = 0x4000;
constexpr std::int64_t kWeightedRight = 0x01000000;
constexpr std::int64_t kWeightedNextLeft = 0x02000000;

constexpr double kThird = 1.0 / 3.0;
// Values this near to a neighbour count as equal for clamped tangents.
constexpr double kSameValue = 1e-6;

// What the file says about the segment behind a key.
struct Segment {
  std::int64_t flags = kCubic;
  double slopeRight = 0.0;
  double slopeNextLeft = 0.0;
  double weightRight = kThird;
  double weightNextLeft = kThird;
};

// A number of KeyAttrDataFloat. Text files write the bits of a float as a whole number.
float attribute(const FbxArray& data, std::size_t index) {
  if (data.type == 'l' || data.type == 'i') {
    return std::bit_cast<float>(static_cast<std::int32_t>(data.whole(index)));
  }
  return static_cast<float>(data.number(index));
}

Segment segmentAt(const FbxArray& flags, const FbxArray& data, std::size_t run) {
  Segment segment;
  segment.flags = flags.whole(run);
  segment.slopeRight = static_cast<double>(attribute(data, run * 4));
  segment.slopeNextLeft = static_cast<double>(attribute(data, run * 4 + 1));
  // Two weights, in ten thousandths, share the bits of one float.
  const auto weights = std::bit_cast<std::uint32_t>(attribute(data, run * 4 + 2));
  if (segment.flags & kWeightedRight) segment.weightRight = (weights & 0xffff) * 1e-4;
  if (segment.flags & kWeightedNextLeft) segment.weightNextLeft = (weights >> 16) * 1e-4;
  return segment;
}

// The slope of a key with automatic tangents: that of the line between its neighbours, blended with
// the slopes to both of them, and limited where the flags say so.
double automaticSlope(const FbxCurve::Key& a, const FbxCurve::Key& b, const FbxCurve::Key& c,
                      const Segment& left, const Segment& right) {
  const double before = b.seconds - a.seconds;
  const double after = c.seconds - b.seconds;
  if ((right.flags & kClamp) &&
      std::min(std::abs(a.value - b.value), std::abs(c.value - b.value)) <= kSameValue) {
    return 0.0;
  }
  double slope = (c.value - a.value) / (before + after);
  if (!(right.flags & kTimeIndependent)) {
    const double share = before / (before + after);
    const double sides =
        (1.0 - share) * (b.value - a.value) / before + share * (c.value - b.value) / after;
    slope = 0.5 * (slope + sides);
  }
  if (right.flags & kClampProgressive) {
    // The handles must not overshoot the neighbours.
    const double sign = slope < 0.0 ? -1.0 : 1.0;
    const auto most = [sign](double rise, double handle) {
      return handle > 0.0 ? std::max(0.0, sign * rise / handle) : 0.0;
    };
    slope = sign * std::min({std::abs(slope), most(b.value - a.value, left.weightNextLeft * before),
                             most(c.value - b.value, right.weightRight * after)});
  }
  return slope;
}

// Sets the handles of all keys. segments[k] is behind key k.
void setHandles(FbxCurve& curve, const std::vector<Segment>& segments) {
  auto& keys = curve.keys;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool hasLeft = k > 0;
    const bool hasRight = k + 1 < keys.size();
    double left = hasLeft ? segments[k - 1].slopeNextLeft : 0.0;
    double right = segments[k].slopeRight;
    if ((segments[k].flags & kCubic) && !(segments[k].flags & (kUser | kBreak))) {
      left = right = hasLeft && hasRight ? automaticSlope(keys[k - 1], keys[k], keys[k + 1],
                                                          segments[k - 1], segments[k])
                                         : 0.0;
    }
    if (hasRight) {
      const double step = keys[k + 1].seconds - keys[k].seconds;
      keys[k].rightSeconds = segments[k].weightRight * step;
      keys[k].rightValue = keys[k].rightSeconds * right;
    }
    if (hasLeft) {
      const double step = keys[k].seconds - keys[k - 1].seconds;
      keys[k].leftSeconds = segments[k - 1].weightNextLeft * step;
      keys[k].leftValue = keys[k].leftSeconds * left;
    }
  }
}

FbxBeyond beyond(const FbxNode* node, int& times) {
  if (node == nullptr) return FbxBeyond::Constant;
  const FbxNode* type = node->find("Type");
  const FbxNode* repetition = node->find("Repetition");
  if (repetition != nullptr) {
    times = static_cast<int>(std::clamp<std::int64_t>(repetition->whole(0, -1), -1, 1'000'000));
  }
  const std::string_view text = type == nullptr ? std::string_view() : type->text(0);
  const char letter = type == nullptr ? 'C'
                      : !text.empty() ? text[0]
                                      : static_cast<char>(type->whole(0));
  switch (letter) {
    case 'K':
      return FbxBeyond::KeepSlope;
    case 'R':
      return FbxBeyond::Repeat;
    case 'A':
      return FbxBeyond::RepeatRelative;
    case 'M':
      return FbxBeyond::Mirror;
    default:
      return FbxBeyond::Constant;
  }
}

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

double within(const FbxCurve::Key& a, const FbxCurve::Key& b, double seconds) {
  const double step = b.seconds - a.seconds;
  const double x = (seconds - a.seconds) / step;
  switch (a.after) {
    case FbxCurve::Between::HoldThis:
      return a.value;
    case FbxCurve::Between::HoldNext:
      return b.value;
    case FbxCurve::Between::Linear:
      return a.value + x * (b.value - a.value);
    case FbxCurve::Between::Cubic:
      break;
  }
  const double t = bezierParameter(a.rightSeconds / step, 1.0 - b.leftSeconds / step, x);
  const double u = 1.0 - t;
  return u * u * u * a.value + 3.0 * u * u * t * (a.value + a.rightValue) +
         3.0 * u * t * t * (b.value - b.leftValue) + t * t * t * b.value;
}

}  // namespace

double FbxCurve::at(double seconds, int side) const {
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
  const bool isBefore = seconds < first.seconds;
  if (isBefore || seconds > last.seconds) {
    const FbxBeyond how = isBefore ? before : after;
    const Key& end = isBefore ? first : last;
    if (how == FbxBeyond::Constant || keys.size() < 2) return end.value;
    if (how == FbxBeyond::KeepSlope) {
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
    const bool turned = how == FbxBeyond::Mirror && std::fmod(std::abs(round), 2.0) == 1.0;
    seconds = turned ? first.seconds + last.seconds - inside : inside;
    seconds = std::clamp(seconds, first.seconds, last.seconds);
    if (how == FbxBeyond::RepeatRelative) offset = round * (last.value - first.value);
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

bool FbxCurve::isStraight() const {
  return before == FbxBeyond::Constant && after == FbxBeyond::Constant &&
         std::all_of(keys.begin(), keys.end(),
                     [](const Key& key) { return key.after == Between::Linear; });
}

void FbxCurve::addTimes(double from, double to, std::vector<double>& seconds) const {
  constexpr double kMostTimes = 1e6;
  const double span = keys.back().seconds - keys.front().seconds;
  const auto rounds = [&](FbxBeyond how, double time) {
    if (how == FbxBeyond::Constant || how == FbxBeyond::KeepSlope || !(span > 0.0)) return 0.0;
    const double most = std::ceil(kMostTimes / static_cast<double>(keys.size()));
    return std::clamp(std::floor((time - keys.front().seconds) / span), -most, most);
  };
  const double low = std::min(0.0, rounds(before, from));
  const double high = std::max(0.0, rounds(after, to));
  for (double round = low; round <= high; round += 1.0) {
    const FbxBeyond how = round < 0.0 ? before : after;
    const bool turned = how == FbxBeyond::Mirror && std::fmod(std::abs(round), 2.0) == 1.0;
    for (const Key& key : keys) {
      const double inside =
          turned ? keys.front().seconds + keys.back().seconds - key.seconds : key.seconds;
      const double time = inside + round * span;
      if (time >= from && time <= to) seconds.push_back(time);
    }
  }
}

FbxCurve readFbxCurve(const FbxNode& node, int& badKeys) {
  const FbxArray& times = node.array("KeyTime");
  const FbxArray& values = node.array("KeyValueFloat");
  const FbxArray& flags = node.array("KeyAttrFlags");
  const FbxArray& data = node.array("KeyAttrDataFloat");
  const FbxArray& runs = node.array("KeyAttrRefCount");
  FbxCurve curve;
  std::vector<Segment> segments;
  std::size_t run = 0;
  std::int64_t left = runs.whole(0);
  const std::size_t count = std::min(times.size(), values.size());
  curve.keys.reserve(count);
  segments.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    while (left <= 0 && run + 1 < runs.size()) left = runs.whole(++run);
    --left;
    FbxCurve::Key key;
    key.seconds = fbxSeconds(static_cast<double>(times.whole(k)));
    key.value = values.number(k);
    const bool late = curve.keys.empty() || key.seconds > curve.keys.back().seconds;
    if (!std::isfinite(key.value) || std::abs(key.value) > 1e9 || !late) {
      ++badKeys;
      continue;
    }
    Segment segment = flags.size() == 0 ? Segment{.flags = kCubic} : segmentAt(flags, data, run);
    for (double* number : {&segment.slopeRight, &segment.slopeNextLeft}) {
      if (!std::isfinite(*number)) *number = 0.0;
    }
    for (double* weight : {&segment.weightRight, &segment.weightNextLeft}) {
      *weight = std::clamp(*weight, 1e-4, 1.0);
    }
    using Between = FbxCurve::Between;
    key.after = segment.flags & kConstant
                    ? segment.flags & kHoldNext ? Between::HoldNext : Between::HoldThis
                : segment.flags & kCubic ? Between::Cubic
                                         : Between::Linear;
    curve.keys.push_back(key);
    segments.push_back(segment);
  }
  // The slopes of constant and linear segments; an automatic tangent beside them reads them.
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (curve.keys[k].after == FbxCurve::Between::Cubic) continue;
    double slope = 0.0;
    if (curve.keys[k].after == FbxCurve::Between::Linear && k + 1 < segments.size()) {
      slope = (curve.keys[k + 1].value - curve.keys[k].value) /
              (curve.keys[k + 1].seconds - curve.keys[k].seconds);
    }
    segments[k].slopeRight = segments[k].slopeNextLeft = slope;
    segments[k].weightRight = segments[k].weightNextLeft = kThird;
  }
  if (!curve.keys.empty()) setHandles(curve, segments);
  curve.before = beyond(node.find("Pre-Extrapolation"), curve.timesBefore);
  curve.after = beyond(node.find("Post-Extrapolation"), curve.timesAfter);
  return curve;
}

}  // namespace ck::worker
