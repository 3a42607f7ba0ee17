#include "core/import/worker/fbx/fbx_curves.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

namespace ck::worker {
namespace {

// Flags of a key (Autodesk, FBX SDK, FbxAnimCurveDef).
constexpr std::int64_t kConstant = 0x2;
constexpr std::int64_t kCubic = 0x8;
constexpr std::int64_t kHoldNext = 0x100;
constexpr std::int64_t kTcb = 0x200;
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

// The facts in the file about the segment behind a key.
struct Segment {
  std::int64_t flags = kCubic;
  double slopeRight = 0.0;
  double slopeNextLeft = 0.0;
  double tcbBias = 0.0;  // of a key with kTcb, whose tension and continuity lie in the slopes
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
  if (segment.flags & kTcb) {
    segment.tcbBias = static_cast<double>(attribute(data, run * 4 + 2));
    return segment;
  }
  // Two weights, in ten thousandths, share the bits of one float.
  const auto weights = std::bit_cast<std::uint32_t>(attribute(data, run * 4 + 2));
  if (segment.flags & kWeightedRight) segment.weightRight = (weights & 0xffff) * 1e-4;
  if (segment.flags & kWeightedNextLeft) segment.weightNextLeft = (weights >> 16) * 1e-4;
  return segment;
}

// The slope of an automatic tangent at the first or last key: that of the line to the neighbour, or
// flat where the flags limit it.
double endSlope(const KeyCurve::Key& a, const KeyCurve::Key& b, std::int64_t flags) {
  const double rise = b.value - a.value;
  const bool isFlat =
      (flags & kClampProgressive) != 0 || ((flags & kClamp) != 0 && std::abs(rise) <= kSameValue);
  return isFlat ? 0.0 : rise / (b.seconds - a.seconds);
}

// The slopes to the left and right of a key by tension, continuity and bias (D. Kochanek, R.
// Bartels, "Interpolating Splines with Local Tension, Continuity, and Bias Control", 1984), from
// those of the lines to its neighbours. The curve's ends have one neighbour.
std::pair<double, double> tcbSlopes(const Segment& key, double before, double after, bool isEnd) {
  const double tension = (isEnd ? 1.0 : 0.5) * (1.0 - key.slopeRight);
  const double continuity = key.slopeNextLeft;
  const double in = tension * (1.0 + key.tcbBias);
  const double out = tension * (1.0 - key.tcbBias);
  return {in * (1.0 - continuity) * before + out * (1.0 + continuity) * after,
          in * (1.0 + continuity) * before + out * (1.0 - continuity) * after};
}

// The slope of a key with automatic tangents: that of the line between its neighbours, blended with
// the slopes to both of them, turned to one of them by the bias, and limited where the flags say
// so.
double automaticSlope(const KeyCurve::Key& a, const KeyCurve::Key& b, const KeyCurve::Key& c,
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
  // The bias is in percent, towards the left neighbour below 0.
  const double bias = std::clamp(right.slopeRight * 0.01, -1.0, 1.0);
  const double aim = bias < 0.0 ? (b.value - a.value) / before : (c.value - b.value) / after;
  slope += std::abs(bias) * (aim - slope);
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
void setHandles(KeyCurve& curve, const std::vector<Segment>& segments) {
  auto& keys = curve.keys;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const bool hasLeft = k > 0;
    const bool hasRight = k + 1 < keys.size();
    double left = hasLeft ? segments[k - 1].slopeNextLeft : 0.0;
    double right = segments[k].slopeRight;
    const std::int64_t flags = segments[k].flags;
    const auto lineTo = [&keys](std::size_t to) {
      return (keys[to].value - keys[to - 1].value) / (keys[to].seconds - keys[to - 1].seconds);
    };
    if ((flags & kCubic) && (flags & kTcb)) {
      std::tie(left, right) = tcbSlopes(segments[k], hasLeft ? lineTo(k) : 0.0,
                                        hasRight ? lineTo(k + 1) : 0.0, !hasLeft || !hasRight);
    } else if ((flags & kCubic) && !(flags & (kUser | kBreak))) {
      left = right = hasLeft && hasRight ? automaticSlope(keys[k - 1], keys[k], keys[k + 1],
                                                          segments[k - 1], segments[k])
                     : hasLeft           ? endSlope(keys[k - 1], keys[k], flags)
                     : hasRight          ? endSlope(keys[k], keys[k + 1], flags)
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

Beyond beyond(const FbxNode* node, int& times) {
  if (node == nullptr) return Beyond::Constant;
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
      return Beyond::KeepSlope;
    case 'R':
      return Beyond::Repeat;
    case 'A':
      return Beyond::RepeatRelative;
    case 'M':
      return Beyond::Mirror;
    default:
      return Beyond::Constant;
  }
}

}  // namespace

KeyCurve readFbxCurve(const FbxNode& node, double ticksPerSecond, int& badKeys) {
  const FbxArray& times = node.array("KeyTime");
  const FbxArray& values = node.array("KeyValueFloat");
  const FbxArray& flags = node.array("KeyAttrFlags");
  const FbxArray& data = node.array("KeyAttrDataFloat");
  const FbxArray& runs = node.array("KeyAttrRefCount");
  KeyCurve curve;
  std::vector<Segment> segments;
  std::size_t run = 0;
  std::int64_t left = runs.whole(0);
  const std::size_t count = std::min(times.size(), values.size());
  curve.keys.reserve(count);
  segments.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    while (left <= 0 && run + 1 < runs.size()) left = runs.whole(++run);
    --left;
    KeyCurve::Key key;
    key.seconds = static_cast<double>(times.whole(k)) / ticksPerSecond;
    key.value = values.number(k);
    const bool late = curve.keys.empty() || key.seconds > curve.keys.back().seconds;
    if (!std::isfinite(key.value) || std::abs(key.value) > 1e9 || !late) {
      ++badKeys;
      continue;
    }
    Segment segment = flags.size() == 0 ? Segment{.flags = kCubic} : segmentAt(flags, data, run);
    for (double* number : {&segment.slopeRight, &segment.slopeNextLeft, &segment.tcbBias}) {
      if (!std::isfinite(*number)) *number = 0.0;
    }
    for (double* weight : {&segment.weightRight, &segment.weightNextLeft}) {
      *weight = std::clamp(*weight, 1e-4, 1.0);
    }
    using Between = KeyCurve::Between;
    key.after = segment.flags & kConstant
                    ? segment.flags & kHoldNext ? Between::HoldNext : Between::HoldThis
                : segment.flags & kCubic ? Between::Cubic
                                         : Between::Linear;
    curve.keys.push_back(key);
    segments.push_back(segment);
  }
  // The slopes of constant and linear segments; an automatic tangent beside them reads them.
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (curve.keys[k].after == KeyCurve::Between::Cubic) continue;
    double slope = 0.0;
    if (curve.keys[k].after == KeyCurve::Between::Linear && k + 1 < segments.size()) {
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
