#include "core/container/clip_model.h"

#include "core/atlas/pose_codec.h"
#include "core/container/clip_block.h"

namespace ck {
namespace {

std::array<TexelRole, kMostChannels / 4> rolesOf(TexelCode code) {
  std::array<TexelRole, kMostChannels / 4> roles;
  roles.fill(TexelRole::Plain);
  if (isFloat(encodingInfo(code.encoding).format)) return roles;
  for (int value = 0; value < valuesPerJoint(code); ++value) {
    const TexelKind kind = valueKind(code, value);
    TexelRole& role = roles[static_cast<std::size_t>(value)];
    if (kind == TexelKind::Rotation) role = TexelRole::Rotation;
    if (kind == TexelKind::Position || kind == TexelKind::PositionScale) role = TexelRole::Place;
  }
  return roles;
}

// In the pivot form rotations are those since bind time; in the trs form they are the joint's own.
std::array<double, 3> offsetOf(const Atlas& atlas, std::size_t joint) {
  const AtlasJoint& own = atlas.joints[joint];
  const glm::dvec3 at(own.pivot);
  glm::dvec3 offset = at;
  if (own.parent >= 0) {
    const AtlasJoint& parent = atlas.joints[static_cast<std::size_t>(own.parent)];
    if (formOf(atlas) == PoseForm::Pivot) {
      offset = at - glm::dvec3(parent.pivot);
    } else {
      for (int row = 0; row < 3; ++row) {
        const auto entry = [&](int column) {
          return static_cast<double>(parent.inverseBind[column][row]);
        };
        offset[row] = entry(0) * at.x + entry(1) * at.y + entry(2) * at.z + entry(3);
      }
    }
  }
  return {offset.x, offset.y, offset.z};
}

}  // namespace

ClipModel clipModel(const Atlas& atlas, std::size_t clip) {
  const TexelCode code = codeOf(atlas);
  ClipModel model;
  model.frames = static_cast<std::size_t>(atlas.clips[clip].frameCount);
  model.channels = blockShape(atlas, clip).channels;
  model.bits = 8 * texelFormatInfo(numberFormat(atlas)).bytesPerChannel;
  model.roles = rolesOf(code);
  model.joints.resize(atlas.joints.size());
  for (std::size_t joint = 0; joint < model.joints.size(); ++joint) {
    ModelJoint& entry = model.joints[joint];
    entry.parent = atlas.joints[joint].parent;
    entry.offset = offsetOf(atlas, joint);
    const auto ranges = rangesFor(atlas, static_cast<int>(clip), static_cast<int>(joint));
    for (std::size_t channel = 0; channel < model.channels; ++channel) {
      const std::size_t texel = channel / 4;
      const auto axis = static_cast<int>(channel % 4);
      // Whole numbers without a range span -1 to 1; those of floats have no meaning here.
      entry.ranges[channel] = {-1.0, 2.0};
      if (texel >= ranges.size()) continue;
      entry.ranges[channel] = {static_cast<double>(ranges[texel].low[axis]),
                               static_cast<double>(ranges[texel].size[axis])};
    }
  }
  return model;
}

}  // namespace ck
