#include "core/atlas/encoding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/gtc/packing.hpp>

#include "core/base/assert.h"
#include "core/base/shared_glsl.h"

namespace ck {
namespace {

// Indexed by Encoding.
constexpr EncodingInfo kInfos[] = {
    {Encoding::P16, "P16", "position + scale and rotation about the pivot, two 16-bit texels",
     TexelFormat::Rgba16, PoseForm::Pivot, 2, true},
    {Encoding::T32, "T32", "the joint's position, rotation and scale, three float texels",
     TexelFormat::Rgba32F, PoseForm::Trs, 3, true},
    {Encoding::T16, "T16", "the joint's position, rotation and scale, three 16-bit texels",
     TexelFormat::Rgba16, PoseForm::Trs, 3, true},
    {Encoding::T8, "T8", "the joint's position, rotation and scale, three 8-bit texels",
     TexelFormat::Rgba8, PoseForm::Trs, 3, true},
    {Encoding::M32, "M32", "any matrix: the rows of the skin matrix, three float texels",
     TexelFormat::Rgba32F, PoseForm::Matrix, 3, true},
    {Encoding::M16, "M16", "any matrix about the pivot, three 16-bit texels", TexelFormat::Rgba16,
     PoseForm::Matrix, 3, true},
    {Encoding::M16F, "M16F", "any matrix about the pivot, three texels of 16-bit floats",
     TexelFormat::Rgba16F, PoseForm::Matrix, 3, true},
};

// The texels of one joint as numbers, before or after the range.
using Texels = std::array<glm::vec4, 3>;

// A quaternion's channels where it has no range of its own.
const TexelRange kSigned{.low = glm::vec4(-1.0f), .size = glm::vec4(2.0f)};

double topOf(TexelFormat format) {
  return format == TexelFormat::Rgba8 ? 255.0 : 65535.0;
}

template <std::unsigned_integral Value>
void putChannel(std::span<std::byte> bytes, std::size_t channel, Value value) {
  for (std::size_t i = 0; i < sizeof(Value); ++i) {
    bytes[channel * sizeof(Value) + i] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
  }
}

template <std::unsigned_integral Value>
Value channelOf(std::span<const std::byte> bytes, std::size_t channel) {
  Value value = 0;
  for (std::size_t i = 0; i < sizeof(Value); ++i) {
    const auto byte = std::to_integer<Value>(bytes[channel * sizeof(Value) + i]);
    value = static_cast<Value>(value | (byte << (8 * i)));
  }
  return value;
}

bool isFloat(TexelFormat format) {
  return format == TexelFormat::Rgba32F || format == TexelFormat::Rgba16F;
}

// The largest number that 16 bits of float hold.
constexpr double kLargestHalf = 65504.0;

// `texel` as floats, or as 0..1.
void putTexel(TexelFormat format, const glm::dvec4& texel, std::span<std::byte> bytes) {
  for (int i = 0; i < 4; ++i) {
    const auto channel = static_cast<std::size_t>(i);
    if (format == TexelFormat::Rgba32F) {
      putChannel(bytes, channel, std::bit_cast<std::uint32_t>(static_cast<float>(texel[i])));
      continue;
    }
    if (format == TexelFormat::Rgba16F) {
      const double held = std::clamp(texel[i], -kLargestHalf, kLargestHalf);
      putChannel(bytes, channel, glm::packHalf1x16(static_cast<float>(held)));
      continue;
    }
    const auto q = std::lround(std::clamp(texel[i], 0.0, 1.0) * topOf(format));
    if (format == TexelFormat::Rgba16) putChannel(bytes, channel, static_cast<std::uint16_t>(q));
    if (format == TexelFormat::Rgba8) putChannel(bytes, channel, static_cast<std::uint8_t>(q));
  }
}

// What a sampler of a texture of this format returns.
glm::vec4 sampled(TexelFormat format, std::span<const std::byte> bytes) {
  const auto top = static_cast<float>(topOf(format));
  glm::vec4 value(0.0f);
  for (int i = 0; i < 4; ++i) {
    const auto channel = static_cast<std::size_t>(i);
    switch (format) {
      case TexelFormat::Rgba16:
        value[i] = static_cast<float>(channelOf<std::uint16_t>(bytes, channel)) / top;
        break;
      case TexelFormat::Rgba32F:
        value[i] = std::bit_cast<float>(channelOf<std::uint32_t>(bytes, channel));
        break;
      case TexelFormat::Rgba16F:
        value[i] = glm::unpackHalf1x16(channelOf<std::uint16_t>(bytes, channel));
        break;
      case TexelFormat::Rgba8:
        value[i] = static_cast<float>(channelOf<std::uint8_t>(bytes, channel)) / top;
        break;
    }
  }
  return value;
}

glm::quat unitOrIdentity(const glm::quat& q) {
  const float length = glm::length(q);
  return length > 1e-6f && std::isfinite(length) ? q / length : glm::quat(1.0f, 0.0f, 0.0f, 0.0f);
}

glm::vec4 rotationTexel(const JointPose& pose) {
  const glm::quat q = unitOrIdentity(pose.rotation);
  return glm::vec4(q.x, q.y, q.z, q.w);
}

// The rows of a pose in matrix form, about the pivot or about the model's origin.
Texels rowsOf(TexelCode code, const JointPose& pose, const JointPose& rest) {
  const glm::dmat3 linear(pose.linear.value_or(glm::mat3(1.0f)));
  glm::dvec3 moved(pose.position);
  if (isAtOrigin(code.encoding)) moved -= linear * glm::dvec3(rest.position);
  Texels rows = {};
  for (int row = 0; row < 3; ++row) {
    rows[static_cast<std::size_t>(row)] =
        glm::dvec4(linear[0][row], linear[1][row], linear[2][row], moved[row]);
  }
  return rows;
}

// What the texels of a pose are to hold, in units.
Texels texelsOf(TexelCode code, const JointPose& pose, const JointPose& rest = {}) {
  if (encodingInfo(code.encoding).form == PoseForm::Matrix) return rowsOf(code, pose, rest);
  const glm::vec4 rotation = rotationTexel(pose);
  if (encodingInfo(code.encoding).form == PoseForm::Pivot) {
    return {glm::vec4(pose.position, pose.scale.x), rotation, glm::vec4(0.0f)};
  }
  if (code.components == Components::R) return {rotation, glm::vec4(0.0f), glm::vec4(0.0f)};
  return {glm::vec4(pose.position, 0.0f), rotation, glm::vec4(pose.scale, 0.0f)};
}

int rotationAt(TexelCode code) {
  return code.components == Components::R ? 0 : 1;
}

// The range of a texel: its own, or that of a quaternion; nothing for floats.
const TexelRange* rangeAt(TexelCode code, std::span<const TexelRange> ranges, std::size_t texel) {
  if (texel < ranges.size()) return &ranges[texel];
  return code.encoding == Encoding::P16 ? &kSigned : nullptr;
}

// A channel that never changes has size 0; 0 then decodes to exactly `low`.
glm::dvec4 inRange(const glm::vec4& value, const TexelRange& range) {
  glm::dvec4 unit(0.0);
  for (int i = 0; i < 4; ++i) {
    const double size = static_cast<double>(range.size[i]);
    const double low = static_cast<double>(range.low[i]);
    if (size > 0.0) unit[i] = (static_cast<double>(value[i]) - low) / size;
  }
  return unit;
}

JointPose matrixPose(TexelCode code, const Texels& rows, const JointPose& rest) {
  gpu::CkMatrix m = gpu::ck_decodeMatrix(rows[0], rows[1], rows[2]);
  if (isAtOrigin(code.encoding)) m = gpu::ck_matrixToPivot(m, rest.position);
  JointPose pose;
  pose.position = glm::vec3(m.x.w, m.y.w, m.z.w);
  pose.linear = glm::transpose(glm::mat3(glm::vec3(m.x), glm::vec3(m.y), glm::vec3(m.z)));
  return pose;
}

JointPose poseFrom(TexelCode code, const Texels& texels, std::span<const TexelRange> ranges,
                   const JointPose& rest) {
  gpu::CkPose pose = {};
  if (code.encoding == Encoding::P16) {
    pose = gpu::ck_decodeP16(texels[0], texels[1], ranges[0].low, ranges[0].size);
  } else {
    Texels ranged = texels;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      ranged[i] = gpu::ck_ranged(texels[i], ranges[i].low, ranges[i].size);
    }
    if (encodingInfo(code.encoding).form == PoseForm::Matrix) return matrixPose(code, ranged, rest);
    const bool all = code.components == Components::Trs;
    const bool rotationOnly = code.components == Components::R;
    pose = gpu::ck_decodeTrs(rotationOnly ? glm::vec4(rest.position, 0.0f) : ranged[0],
                             ranged[static_cast<std::size_t>(rotationAt(code))],
                             all ? ranged[2] : glm::vec4(rest.scale, 0.0f));
  }
  const glm::vec4& q = pose.rotation;
  return {.position = pose.position,
          .scale = pose.scale,
          .rotation = unitOrIdentity(glm::quat(q.w, q.x, q.y, q.z))};
}

}  // namespace

std::string_view componentsName(Components components) {
  switch (components) {
    case Components::Trs:
      return "trs";
    case Components::Tr:
      return "tr";
    case Components::R:
      return "r";
  }
  return {};
}

std::optional<Components> componentsFromName(std::string_view name) {
  for (const Components components : {Components::Trs, Components::Tr, Components::R}) {
    if (componentsName(components) == name) return components;
  }
  return std::nullopt;
}

std::span<const EncodingInfo> allEncodings() {
  return kInfos;
}

const EncodingInfo& encodingInfo(Encoding encoding) {
  const auto index = static_cast<std::size_t>(encoding);
  CK_ASSERT(index < std::size(kInfos));
  return kInfos[index];
}

std::optional<Encoding> encodingFromName(std::string_view name) {
  for (const EncodingInfo& info : kInfos) {
    if (info.name == name) return info.encoding;
  }
  return std::nullopt;
}

bool isAtOrigin(Encoding encoding) {
  return encoding == Encoding::M32;
}

std::string_view texelFormatName(TexelFormat format) {
  switch (format) {
    case TexelFormat::Rgba16F:
      return "RGBA16F";
    case TexelFormat::Rgba16:
      return "RGBA16";
    case TexelFormat::Rgba32F:
      return "RGBA32F";
    case TexelFormat::Rgba8:
      return "RGBA8";
  }
  return {};
}

int bytesPerTexel(TexelFormat format) {
  switch (format) {
    case TexelFormat::Rgba16:
    case TexelFormat::Rgba16F:
      return 8;
    case TexelFormat::Rgba32F:
      return 16;
    case TexelFormat::Rgba8:
      return 4;
  }
  return 0;
}

bool isPossible(TexelCode code) {
  return code.components == Components::Trs || encodingInfo(code.encoding).form == PoseForm::Trs;
}

int texelsPerJoint(TexelCode code) {
  CK_ASSERT(isPossible(code));
  return encodingInfo(code.encoding).texelsPerJoint - static_cast<int>(code.components);
}

std::size_t bytesPerJoint(TexelCode code) {
  return static_cast<std::size_t>(texelsPerJoint(code)) *
         static_cast<std::size_t>(bytesPerTexel(encodingInfo(code.encoding).format));
}

int rangesPerJoint(TexelCode code) {
  if (code.encoding == Encoding::P16) return 1;
  return isFloat(encodingInfo(code.encoding).format) ? 0 : texelsPerJoint(code);
}

std::vector<TexelRange> rangesOf(TexelCode code, std::span<const JointPose> poses) {
  const auto count = static_cast<std::size_t>(rangesPerJoint(code));
  std::vector<TexelRange> ranges(count, {.low = glm::vec4(0.0f), .size = glm::vec4(0.0f)});
  if (poses.empty()) return ranges;
  Texels low = texelsOf(code, poses.front());
  Texels high = low;
  for (const JointPose& pose : poses) {
    const Texels texels = texelsOf(code, pose);
    for (std::size_t i = 0; i < texels.size(); ++i) {
      low[i] = glm::min(low[i], texels[i]);
      high[i] = glm::max(high[i], texels[i]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) ranges[i] = {low[i], high[i] - low[i]};
  // 16 bits are plenty for a quaternion as it is.
  if (code.encoding == Encoding::T16) ranges[static_cast<std::size_t>(rotationAt(code))] = kSigned;
  return ranges;
}

void encodePose(TexelCode code, const JointPose& pose, std::span<const TexelRange> ranges,
                std::span<std::byte> texels, const JointPose& rest) {
  CK_ASSERT(texels.size() == bytesPerJoint(code));
  CK_ASSERT(ranges.size() == static_cast<std::size_t>(rangesPerJoint(code)));
  const TexelFormat format = encodingInfo(code.encoding).format;
  const auto size = static_cast<std::size_t>(bytesPerTexel(format));
  const Texels values = texelsOf(code, pose, rest);
  for (std::size_t i = 0; i * size < texels.size(); ++i) {
    const TexelRange* range = rangeAt(code, ranges, i);
    putTexel(format, range != nullptr ? inRange(values[i], *range) : glm::dvec4(values[i]),
             texels.subspan(i * size, size));
  }
}

JointPose decodePose(TexelCode code, std::span<const std::byte> texels,
                     std::span<const TexelRange> ranges, const JointPose& rest) {
  CK_ASSERT(texels.size() == bytesPerJoint(code));
  CK_ASSERT(ranges.size() == static_cast<std::size_t>(rangesPerJoint(code)));
  const TexelFormat format = encodingInfo(code.encoding).format;
  const auto size = static_cast<std::size_t>(bytesPerTexel(format));
  Texels values = {};
  for (std::size_t i = 0; i * size < texels.size(); ++i) {
    values[i] = sampled(format, texels.subspan(i * size, size));
  }
  return poseFrom(code, values, ranges, rest);
}

}  // namespace ck
