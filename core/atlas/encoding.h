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
  P16,   // pivot form, position + scale and quaternion as two RGBA16 texels; the default
  T32,   // trs form, position, quaternion and scale as three RGBA32F texels; no ranges
  T16,   // the same as RGBA16 texels with ranges; quaternions over -1..1
  T8,    // the same as RGBA8 texels with ranges, quaternions included
  M32,   // matrix form, the rows of the skin matrix at the model's origin as RGBA32F texels
  M16,   // matrix form about the pivot, its rows as RGBA16 texels with ranges
  M16F,  // the same as RGBA16F texels; no ranges
};

// What a pose means (shaders/shared/pose.glsl).
enum class PoseForm {
  Pivot,   // v' = scale * rotation * (v - pivot) + position
  Trs,     // v' = rotation * scale * (inverseBind * v) + position: the joint's own place
  Matrix,  // v' = linear * (v - pivot) + position; any matrix (shaders/shared/matrix_pose.glsl)
};

// How a texel is stored: four channels each.
enum class TexelFormat { Rgba16, Rgba32F, Rgba8, Rgba16F };

// What of a pose in trs form is stored, one texel each in this order: position, rotation, scale.
// What is left out is that of the bind pose: scales of 1, or the pivot for the position as well.
// The pivot and the matrix form keep everything and know Trs alone.
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

// Whether the texels of a matrix say v' = linear * v + t, without the pivot: M32, as the write-up
// has them.
bool isAtOrigin(Encoding encoding);

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
int rangesPerJoint(TexelCode code);         // 1 for P16, none for floats, else one per texel

// The pose of one skin joint, in the form of its encoding.
struct JointPose {
  glm::vec3 position{0.0f};
  glm::vec3 scale{1.0f};  // pivot form: three times the same
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
  // The matrix form has this in place of scale and rotation; `position` is where the pivot is.
  std::optional<glm::mat3> linear = {};
};

// What a channel's 0..1 stands for, for a texel that has a range: value = low + t * size. P16 gives
// one to texel 0 (position x, y, z and scale); T16, T8 and M16 give one to each texel.
struct TexelRange {
  glm::vec4 low{0.0f};
  glm::vec4 size{1.0f};
  bool operator==(const TexelRange&) const = default;
};

// The smallest ranges that hold all of `poses`: rangesPerJoint of them.
std::vector<TexelRange> rangesOf(TexelCode code, std::span<const JointPose> poses);

// Writes the texels of one pose: bytesPerJoint bytes, little-endian. `ranges`: rangesPerJoint.
// `rest` is the bind pose, whose position M32 needs: the pivot.
void encodePose(TexelCode code, const JointPose& pose, std::span<const TexelRange> ranges,
                std::span<std::byte> texels, const JointPose& rest = {});

// Reads them back with the shader's arithmetic (float, shaders/shared); the rotation is
// normalised. Components that are not stored are those of `rest`: the bind pose.
JointPose decodePose(TexelCode code, std::span<const std::byte> texels,
                     std::span<const TexelRange> ranges, const JointPose& rest);

}  // namespace ck
