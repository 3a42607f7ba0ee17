#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ck {

// How the pose of one joint becomes texels (TECHNIQUES 7.2). A new one is an enumerator, an entry
// of the table in encoding.cpp and a decoder in shaders/shared.
enum class Encoding {
  P16,  // pivot form, position + scale and quaternion as two RGBA16 texels; the default
  T32,  // trs form, position, quaternion and scale as three RGBA32F texels; no ranges
  T16,  // the same as RGBA16 texels with ranges; quaternions over -1..1
  T8,   // the same as RGBA8 texels with ranges, quaternions included
};

// What a pose means (shaders/shared/pose.glsl).
enum class PoseForm {
  Pivot,  // v' = scale * rotation * (v - pivot) + position
  Trs,    // v' = rotation * scale * (inverseBind * v) + position: the joint's own place
};

// How a texel is stored: four channels each.
enum class TexelFormat { Rgba16, Rgba32F, Rgba8 };

// What of a pose in trs form is stored, one texel each in this order: position, rotation, scale.
// What is left out is that of the bind pose: scales of 1, or the pivot for the position as well.
// The pivot form keeps everything and knows Trs alone.
enum class Components {
  Trs,
  Tr,
  R,
};
std::string_view componentsName(Components components);  // "trs", "tr", "r"
std::optional<Components> componentsFromName(std::string_view name);

struct EncodingInfo {
  Encoding encoding;
  std::string_view name;     // "P16"
  std::string_view summary;  // one line for people
  TexelFormat format;
  PoseForm form;
  int texelsPerJoint;  // with all components
  bool filterable;     // may the hardware interpolate between frames?
};

std::span<const EncodingInfo> allEncodings();
const EncodingInfo& encodingInfo(Encoding encoding);
std::optional<Encoding> encodingFromName(std::string_view name);

std::string_view texelFormatName(TexelFormat format);  // "RGBA16"
int bytesPerTexel(TexelFormat format);

// How the texels of one joint are to be read.
struct TexelCode {
  Encoding encoding = Encoding::P16;
  Components components = Components::Trs;
  bool operator==(const TexelCode&) const = default;
};
bool isPossible(TexelCode code);  // are these components something that the encoding can leave out?
int texelsPerJoint(TexelCode code);
std::size_t bytesPerJoint(TexelCode code);  // of all texels of one joint at one frame
int rangesPerJoint(TexelCode code);         // 1 for P16, none for T32, else one per texel

// The pose of one skin joint, in the form of its encoding.
struct JointPose {
  glm::vec3 position{0.0f};
  glm::vec3 scale{1.0f};  // pivot form: three times the same
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
};

// What a channel's 0..1 stands for, for a texel that has a range: value = low + t * size. P16 gives
// one to texel 0 (position x, y, z and scale); T16 and T8 give one to each texel.
struct TexelRange {
  glm::vec4 low{0.0f};
  glm::vec4 size{1.0f};
  bool operator==(const TexelRange&) const = default;
};

// The smallest ranges that hold all of `poses`: rangesPerJoint of them.
std::vector<TexelRange> rangesOf(TexelCode code, std::span<const JointPose> poses);

// Writes the texels of one pose: bytesPerJoint bytes, little-endian. `ranges`: rangesPerJoint.
void encodePose(TexelCode code, const JointPose& pose, std::span<const TexelRange> ranges,
                std::span<std::byte> texels);

// Reads them back with the shader's arithmetic (float, shaders/shared/pose.glsl); the rotation is
// normalised. Components that are not stored are those of `rest`: the bind pose.
JointPose decodePose(TexelCode code, std::span<const std::byte> texels,
                     std::span<const TexelRange> ranges, const JointPose& rest);

}  // namespace ck
