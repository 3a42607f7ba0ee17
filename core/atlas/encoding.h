#pragma once

#include <array>
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
};

// How a texel is stored.
enum class TexelFormat { Rgba16 };

struct EncodingInfo {
  Encoding encoding;
  std::string_view name;  // "P16"
  std::string_view summary;  // one line for people
  TexelFormat format;
  int texelsPerJoint;
  bool filterable;  // may the hardware interpolate between frames?
};

std::span<const EncodingInfo> allEncodings();
const EncodingInfo& encodingInfo(Encoding encoding);
std::optional<Encoding> encodingFromName(std::string_view name);

std::string_view texelFormatName(TexelFormat format);  // "RGBA16"
int bytesPerTexel(TexelFormat format);

// The pose of one skin joint in pivot form: v' = scale * rotation * (v - pivot) + position.
struct PivotPose {
  glm::vec3 position{0.0f};
  float scale = 1.0f;
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
};

// What a channel's 0..1 stands for, for the texels of one joint that have a range: for P16 texel 0
// (position x, y, z and scale). value = low + t * size.
struct TexelRange {
  glm::vec4 low{0.0f};
  glm::vec4 size{1.0f};
  bool operator==(const TexelRange&) const = default;
};

// The smallest range that holds all of `poses`.
TexelRange rangeOf(Encoding encoding, std::span<const PivotPose> poses);

// Writes the texels of one pose: texelsPerJoint * bytesPerTexel bytes, little-endian.
void encodePose(Encoding encoding, const PivotPose& pose, const TexelRange& range,
                std::span<std::byte> texels);

// Reads them back with the shader's arithmetic (float, shaders/shared/pivot_pose.glsl); the
// rotation is normalised.
PivotPose decodePose(Encoding encoding, std::span<const std::byte> texels, const TexelRange& range);

}  // namespace ck
