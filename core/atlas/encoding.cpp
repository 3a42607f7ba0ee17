#include "core/atlas/encoding.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/atlas/shared_glsl.h"
#include "core/base/assert.h"

namespace ck {
namespace {

constexpr double kUnorm16Top = 65535.0;

std::uint16_t toUnorm16(double unit) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(unit, 0.0, 1.0) * kUnorm16Top));
}

void putUnorm16(std::span<std::byte> texels, std::size_t index, std::uint16_t value) {
  texels[2 * index] = static_cast<std::byte>(value & 0xff);
  texels[2 * index + 1] = static_cast<std::byte>(value >> 8);
}

// What a sampler of an RGBA16 texture returns.
glm::vec4 unorm16Texel(std::span<const std::byte> texels, std::size_t texel) {
  glm::vec4 value(0.0f);
  for (int channel = 0; channel < 4; ++channel) {
    const std::size_t at = texel * 8 + static_cast<std::size_t>(channel) * 2;
    const unsigned q =
        std::to_integer<unsigned>(texels[at]) | (std::to_integer<unsigned>(texels[at + 1]) << 8);
    value[channel] = static_cast<float>(q) / static_cast<float>(kUnorm16Top);
  }
  return value;
}

// A channel that never changes has size 0; 0 then decodes to exactly `low`.
double unitInRange(double value, double low, double size) {
  return size > 0.0 ? (value - low) / size : 0.0;
}

glm::vec4 rangedChannels(const PivotPose& pose) {
  return glm::vec4(pose.position, pose.scale);
}

glm::quat unitOrIdentity(const glm::quat& q) {
  const float length = glm::length(q);
  return length > 1e-6f ? q / length : glm::quat(1.0f, 0.0f, 0.0f, 0.0f);
}

void encodeP16(const PivotPose& pose, const TexelRange& range, std::span<std::byte> texels) {
  const glm::vec4 ranged = rangedChannels(pose);
  const glm::quat q = unitOrIdentity(pose.rotation);
  const glm::vec4 rotation(q.x, q.y, q.z, q.w);
  for (int channel = 0; channel < 4; ++channel) {
    const auto at = static_cast<std::size_t>(channel);
    const double unit = unitInRange(ranged[channel], range.low[channel], range.size[channel]);
    putUnorm16(texels, at, toUnorm16(unit));
    putUnorm16(texels, 4 + at, toUnorm16(static_cast<double>(rotation[channel]) * 0.5 + 0.5));
  }
}

PivotPose decodeP16(std::span<const std::byte> texels, const TexelRange& range) {
  const gpu::CkPose pose =
      gpu::ck_decodeP16(unorm16Texel(texels, 0), unorm16Texel(texels, 1), range.low, range.size);
  const glm::vec4& q = pose.rotation;
  return {.position = glm::vec3(pose.positionScale),
          .scale = pose.positionScale.w,
          .rotation = unitOrIdentity(glm::quat(q.w, q.x, q.y, q.z))};
}

struct Codec {
  void (*encode)(const PivotPose&, const TexelRange&, std::span<std::byte>);
  PivotPose (*decode)(std::span<const std::byte>, const TexelRange&);
};

// Both tables are indexed by Encoding.
constexpr EncodingInfo kInfos[] = {
    {Encoding::P16, "P16", "position + scale and rotation about the pivot, two 16-bit texels",
     TexelFormat::Rgba16, 2, true},
};
constexpr Codec kCodecs[] = {
    {encodeP16, decodeP16},
};
static_assert(std::size(kInfos) == std::size(kCodecs));

std::size_t poseBytes(Encoding encoding) {
  const EncodingInfo& info = encodingInfo(encoding);
  return static_cast<std::size_t>(info.texelsPerJoint) *
         static_cast<std::size_t>(bytesPerTexel(info.format));
}

}  // namespace

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

std::string_view texelFormatName(TexelFormat format) {
  switch (format) {
    case TexelFormat::Rgba16:
      return "RGBA16";
  }
  return {};
}

int bytesPerTexel(TexelFormat format) {
  switch (format) {
    case TexelFormat::Rgba16:
      return 8;
  }
  return 0;
}

TexelRange rangeOf(Encoding encoding, std::span<const PivotPose> poses) {
  // Every encoding so far gives its range to position and scale.
  CK_ASSERT(encoding == Encoding::P16);
  if (poses.empty()) return {.low = glm::vec4(0.0f), .size = glm::vec4(0.0f)};
  glm::vec4 low = rangedChannels(poses.front());
  glm::vec4 high = low;
  for (const PivotPose& pose : poses) {
    low = glm::min(low, rangedChannels(pose));
    high = glm::max(high, rangedChannels(pose));
  }
  return {.low = low, .size = high - low};
}

void encodePose(Encoding encoding, const PivotPose& pose, const TexelRange& range,
                std::span<std::byte> texels) {
  CK_ASSERT(texels.size() == poseBytes(encoding));
  kCodecs[static_cast<std::size_t>(encoding)].encode(pose, range, texels);
}

PivotPose decodePose(Encoding encoding, std::span<const std::byte> texels,
                     const TexelRange& range) {
  CK_ASSERT(texels.size() == poseBytes(encoding));
  return kCodecs[static_cast<std::size_t>(encoding)].decode(texels, range);
}

}  // namespace ck
