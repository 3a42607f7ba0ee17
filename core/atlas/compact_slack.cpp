#include "core/atlas/compact_slack.h"

#include <algorithm>
#include <cmath>

#include "core/base/assert.h"

namespace ck {
namespace {

// What the numbers of a texel are.
enum class NumberKind { Place, Rotation, Scale };

NumberKind kindOfNumber(TexelCode code, std::size_t texel) {
  if (code.components == Components::R) return NumberKind::Rotation;
  return texel == 0 ? NumberKind::Place : texel == 1 ? NumberKind::Rotation : NumberKind::Scale;
}

// How far values may be off that together move no vertex by more than the tolerance.
struct Slack {
  double place = 0.0;
  double rotation = 0.0;
  double scale = 0.0;
};

// Three values of a place move by at most sqrt(3) of what one is off. Four of a quaternion are off
// by at most twice that in their space, which turns by twice as much in radians. A scale moves by
// its distance from the joint.
Slack slackFor(double meters, double reach, double largestScale, bool scales) {
  constexpr double kLength = 0.999;  // stored quaternions are not quite of length 1
  const double scaleShare = scales ? 0.1 : 0.0;
  const double share = 0.5 * (1.0 - scaleShare);
  return {.place = share * meters / std::sqrt(3.0),
          .rotation = kLength * share * meters / (4.0 * (reach * largestScale)),
          .scale = scaleShare * meters / reach};
}

// The same in whole numbers, where values span `size`. None where the slack is no number, which a
// file can bring about by tolerances and scales of nothing.
int numbersIn(double slack, double size) {
  if (!(size > 0.0) || !(slack > 0.0)) return 0;
  return static_cast<int>(std::min(slack / (size / 65535.0), 32767.0));
}

}  // namespace

std::array<int, kMostNumbers> compactSlack(const Atlas& atlas, int clip, int joint) {
  CK_ASSERT(atlas.compactReach.size() == atlas.joints.size());
  const TexelCode code = codeOf(atlas);
  const std::span<const TexelRange> ranges = rangesFor(atlas, clip, joint);
  const std::size_t texels = bytesPerJoint(code) / (4 * sizeof(std::uint16_t));
  // The pivot form has the scale beside the place.
  const bool inPlace = formOf(atlas) == PoseForm::Pivot;
  double largestScale = inPlace || texels == 3 ? 0.0 : 1.0;
  bool scales = false;
  for (std::size_t channel = 0; channel < 4 * texels; ++channel) {
    const NumberKind kind = kindOfNumber(code, channel / 4);
    const bool isScale = inPlace ? kind == NumberKind::Place && channel % 4 == 3
                                 : kind == NumberKind::Scale && channel % 4 < 3;
    if (!isScale) continue;
    const auto axis = static_cast<glm::length_t>(channel % 4);
    const TexelRange& range = ranges[channel / 4];
    scales = scales || range.size[axis] > 0.0f;
    const auto low = static_cast<double>(range.low[axis]);
    const double high = low + static_cast<double>(range.size[axis]);
    largestScale = std::max({largestScale, std::abs(low), std::abs(high)});
  }
  const auto reach = static_cast<double>(atlas.compactReach[static_cast<std::size_t>(joint)]);
  const Slack slack = slackFor(atlas.compactMm / 1000.0, reach, largestScale, scales);
  std::array<int, kMostNumbers> numbers = {};
  for (std::size_t channel = 0; channel < 4 * texels; ++channel) {
    const std::size_t texel = channel / 4;
    const NumberKind kind = kindOfNumber(code, texel);
    // Quaternions without a range span -1 to 1.
    const double size =
        texel < ranges.size()
            ? static_cast<double>(ranges[texel].size[static_cast<glm::length_t>(channel % 4)])
            : 2.0;
    const bool isScale =
        kind == NumberKind::Scale || (kind == NumberKind::Place && channel % 4 == 3);
    const double own = kind == NumberKind::Rotation ? slack.rotation
                       : isScale                    ? slack.scale
                                                    : slack.place;
    numbers[channel] = numbersIn(own, size);
  }
  return numbers;
}

}  // namespace ck
