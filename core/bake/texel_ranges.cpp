#include "core/bake/texel_ranges.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/anim/pose.h"
#include "core/atlas/pose_codec.h"
#include "core/bake/pose/shell.h"

namespace ck {
namespace {

// How far a point of the bind pose is from the one that a joint turns and scales it about, in the
// space that the encoding's form scales.
double reachTo(const Atlas& atlas, std::size_t joint, const glm::vec3& at) {
  const AtlasJoint& own = atlas.joints[joint];
  const bool fromPivot = formOf(atlas) != PoseForm::Trs;
  const glm::vec3 away =
      fromPivot ? at - own.pivot : glm::vec3(own.inverseBind * glm::vec4(at, 1.0f));
  return static_cast<double>(glm::length(away));
}

// The same of the points of the shell, for each joint.
std::vector<double> shellReach(const Atlas& atlas, const Character& character) {
  std::vector<double> reach = makeShell(character).radii;
  if (formOf(atlas) == PoseForm::Trs) std::ranges::fill(reach, kShellMeters);
  return reach;
}

// How far the vertices of each joint are (reachTo()), at least as far as the points of the shell.
std::vector<double> reachOf(const Atlas& atlas, const Character& character) {
  std::vector<double> reach = shellReach(atlas, character);
  for (const Mesh& mesh : character.meshes) {
    for (std::size_t vertex = 0; vertex < mesh.positions.size(); ++vertex) {
      for (const Influence& influence : influencesOf(mesh, vertex)) {
        const auto joint = static_cast<std::size_t>(influence.skinJoint);
        reach[joint] = std::max(reach[joint], reachTo(atlas, joint, mesh.positions[vertex]));
      }
    }
  }
  return reach;
}

// The largest displacement, in metres, by one unit of a channel; 0 where it is not known.
double leverOf(TexelCode code, std::size_t texel, int channel, double reach) {
  const TexelKind kind = valueKind(code, static_cast<int>(texel));
  if (kind == TexelKind::Rotation) return 0.0;
  if (kind == TexelKind::DualPart) return 2.0;  // twice the dual part, turned back, is the way
  if (kind == TexelKind::MatrixRow) return channel == 3 ? 1.0 : reach;
  return kind != TexelKind::Scale && channel < 3 ? 1.0 : reach;
}

// The displacement, in millimetres, that is nothing.
double nothingMm(const Character& character) {
  const Bounds bounds = bindBounds(character);
  const double sizeMm = 1000.0 * glm::length(bounds.high - bounds.low);
  return std::max(kNarrowestRangeMm, kNarrowestRangeShare * sizeMm);
}

// Makes channels of a set of ranges constant that move vertices by less than `mostMm`.
void narrowSet(TexelCode code, double reach, double mostMm, std::span<TexelRange> set) {
  for (std::size_t texel = 0; texel < set.size(); ++texel) {
    TexelRange& range = set[texel];
    for (int channel = 0; channel < 4; ++channel) {
      const double lever = leverOf(code, texel, channel, reach);
      const double movedMm = 500.0 * lever * static_cast<double>(range.size[channel]);
      if (lever == 0.0 || movedMm >= mostMm) continue;
      range.low[channel] += 0.5f * range.size[channel];
      range.size[channel] = 0.0f;
    }
  }
}

}  // namespace

RangeNarrowing::RangeNarrowing(const Character& character, const Atlas& atlas)
    : reach_(reachOf(atlas, character)), mostMm_(nothingMm(character)) {}

void RangeNarrowing::narrow(Atlas& atlas, std::size_t firstSet, std::size_t setCount) const {
  const TexelCode code = codeOf(atlas);
  const auto each = static_cast<std::size_t>(rangesPerJoint(code));
  const std::span<TexelRange> ranges = atlas.ranges;
  for (std::size_t set = firstSet; set < firstSet + setCount; ++set) {
    const double farthest = atlas.recipe.rangeMode == RangeMode::Atlas
                                ? *std::ranges::max_element(reach_)
                                : reach_[set % atlas.joints.size()];
    narrowSet(code, farthest, mostMm_, ranges.subspan(set * each, each));
  }
}

void narrowRanges(const Character& character, Atlas& atlas) {
  const auto each = static_cast<std::size_t>(rangesPerJoint(codeOf(atlas)));
  if (each == 0) return;
  RangeNarrowing(character, atlas).narrow(atlas, 0, atlas.ranges.size() / each);
}

}  // namespace ck
