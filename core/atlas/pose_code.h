#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/atlas/encoding.h"

namespace ck {

// Everything needed to interpret the texels of one joint.
struct TexelCode {
  Encoding encoding = Encoding::P16;
  Components components = Components::Trs;
  bool operator==(const TexelCode&) const = default;
};
bool isPossible(TexelCode code);  // whether the encoding can leave out the other components
int texelsPerJoint(TexelCode code);
int valuesPerJoint(TexelCode code);  // of four numbers each; as many as texels where unpacked
std::size_t bytesPerJoint(TexelCode code);  // size of a joint's texels in one frame
int rangesPerJoint(TexelCode code);         // see RangedTexels
std::size_t bytesPerTrack(TexelCode code);  // size of a track in one frame; 0 without any

// The texels that a vertex with so many influences fetches: of stored poses, at two frames if they
// are interpolated; of local poses (isLocal()) the three rows of each matrix of a palette.
int fetchesOf(TexelCode code, int influences, bool interpolate);

// The pose of one skin joint, in its encoding's form.
struct JointPose {
  glm::vec3 position{0.0f};
  glm::vec3 scale{1.0f};  // pivot form: three equal values
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
  // The matrix form has this instead of scale and rotation; `position` is the position of the
  // pivot.
  std::optional<glm::mat3> linear = {};
};

// The range of a texel: value = low + t * size for t in 0..1.
struct TexelRange {
  glm::vec4 low{0.0f};
  glm::vec4 size{1.0f};
  bool operator==(const TexelRange&) const = default;
};

// The smallest ranges that contain all of `poses`: rangesPerJoint entries. Of scales that the
// texels do not hold, the middle (EncodingInfo::scaleInRange). `rest` is the bind pose of the
// poses' joint; dual quaternions need its position, the pivot.
std::vector<TexelRange> rangesOf(TexelCode code, std::span<const JointPose> poses,
                                 const JointPose& rest = {});

// Writes the texels of one pose: bytesPerJoint bytes, little-endian. `ranges` has rangesPerJoint
// entries. `rest` is the bind pose; matrices at the origin and dual quaternions need its position,
// the pivot.
void encodePose(TexelCode code, const JointPose& pose, std::span<const TexelRange> ranges,
                std::span<std::byte> texels, const JointPose& rest = {});

// Reads the texels with the shader's arithmetic (float, shaders/shared). The rotation is
// normalised. Components that are not stored are taken from `rest`, the bind pose. The position of
// a local pose (isLocal()) is the low value of its range.
JointPose decodePose(TexelCode code, std::span<const std::byte> texels,
                     std::span<const TexelRange> ranges, const JointPose& rest);

// Writes and reads the track of a joint in one frame: EncodingInfo::trackTexels texels of local
// poses. `range` is that of the joint's pose.
void encodeTrack(TexelCode code, const glm::vec3& position, const TexelRange& range,
                 std::span<std::byte> texels);
glm::vec3 decodeTrack(TexelCode code, std::span<const std::byte> texels, const TexelRange& range);

}  // namespace ck
