#include "core/atlas/encoding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/base/assert.h"
#include "core/base/shared_glsl.h"
#include "core/base/words.h"

namespace ck {
namespace {

constexpr bool rowsAreInOrder() {
  for (std::size_t i = 0; i < std::size(kEncodings); ++i) {
    if (kEncodings[i].encoding != static_cast<Encoding>(i)) return false;
  }
  return true;
}
static_assert(rowsAreInOrder(), "kEncodings has one row for each Encoding, in their order");

constexpr bool rangesMakeSense() {
  for (const EncodingInfo& info : kEncodings) {
    if (isFloat(info.format) != (info.ranged == RangedTexels::None)) return false;
    // Ranges are measured about the pivot.
    if (info.atOrigin && info.ranged != RangedTexels::None) return false;
    if (info.scaleInRange && info.ranged == RangedTexels::None) return false;
  }
  return true;
}
static_assert(rangesMakeSense(), "whole numbers need ranges, floats and atOrigin have none");

constexpr bool packingMakesSense() {
  for (const EncodingInfo& info : kEncodings) {
    if (isPacked(info) != isWords(info.format)) return false;
    if (isPacked(info) && (info.form != PoseForm::Pivot || info.texelsPerJoint != 1 ||
                           info.ranged != RangedTexels::First)) {
      return false;
    }
  }
  return true;
}
static_assert(packingMakesSense(), "one texel of words holds a pose in pivot form");

constexpr bool dualMakesSense() {
  for (const EncodingInfo& info : kEncodings) {
    if (info.dual && (info.form != PoseForm::Pivot || isPacked(info) || info.scaleInRange ||
                      info.ranged != RangedTexels::First)) {
      return false;
    }
  }
  return true;
}
static_assert(dualMakesSense(), "a dual quaternion has a range for its dual part alone");

constexpr std::string_view kComponents[] = {"trs", "tr", "r"};

// The values of one joint, a texel each where they are not packed, with or without their range
// applied.
using Texels = std::array<glm::vec4, 3>;

// The range of integer texels without a stored range.
const TexelRange kSigned{.low = glm::vec4(-1.0f), .size = glm::vec4(2.0f)};

void putTexel(TexelFormat format, const glm::dvec4& texel, std::span<std::byte> bytes) {
  for (int i = 0; i < 4; ++i) {
    setChannelBits(format, bytes, static_cast<std::size_t>(i), nearestBits(format, texel[i]));
  }
}

// A number in 0..1 in 10 bits.
std::uint32_t tenBits(double unit) {
  return static_cast<std::uint32_t>(std::lround(std::clamp(unit, 0.0, 1.0) * 1023.0));
}

// The words of ck_place64 and ck_turn64 (shaders/shared/packed.glsl).
std::array<std::uint32_t, 2> bits10(const glm::dvec4& place, const glm::vec4& turn) {
  int largest = 3;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(turn[i]) > std::abs(turn[largest])) largest = i;
  }
  const std::uint32_t isNegative = turn[largest] < 0.0f ? 1 : 0;
  std::array<std::uint32_t, 2> words = {isNegative << 30, static_cast<std::uint32_t>(largest)
                                                              << 30};
  int shift = 0;
  for (int i = 0; i < 4; ++i) {
    if (i < 3) words[0] |= tenBits(place[i]) << (10 * i);
    if (i == largest) continue;
    const double share = std::clamp(static_cast<double>(turn[i]) * std::sqrt(2.0), -1.0, 1.0);
    words[1] |= static_cast<std::uint32_t>(std::lround(511.0 * share) + 511) << shift;
    shift += 10;
  }
  return words;
}

void putPacked(const EncodingInfo& info, const glm::dvec4& place, const glm::vec4& turn,
               std::span<std::byte> bytes) {
  if (info.packing == Packing::Bits16) {
    // Little-endian words of two numbers are these numbers one after the other.
    putTexel(TexelFormat::Rgba16, place, bytes.first(8));
    putTexel(TexelFormat::Rgba16, 0.5 + 0.5 * glm::dvec4(turn), bytes.last(8));
    return;
  }
  const auto words = bits10(place, turn);
  for (std::size_t i = 0; i < words.size(); ++i) setChannelBits(info.format, bytes, i, words[i]);
}

// The place, before its range, and the rotation.
Texels unpacked(const EncodingInfo& info, std::span<const std::byte> bytes) {
  glm::ivec4 words(0);
  for (int i = 0; i < texelFormatInfo(info.format).channels; ++i) {
    words[i] =
        static_cast<std::int32_t>(channelBits(info.format, bytes, static_cast<std::size_t>(i)));
  }
  if (info.packing == Packing::Bits16) return {gpu::ck_place128(words), gpu::ck_turn128(words)};
  return {gpu::ck_place64(words), gpu::ck_turn64(words)};
}

// The value that a texture sampler returns for this format.
glm::vec4 sampled(TexelFormat format, std::span<const std::byte> bytes) {
  glm::vec4 value(0.0f);
  for (int i = 0; i < 4; ++i) {
    value[i] = channelValue(format, channelBits(format, bytes, static_cast<std::size_t>(i)));
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

// The rows of a pose in matrix form: about the pivot, or about the model's origin for M32.
Texels rowsOf(TexelCode code, const JointPose& pose, const JointPose& rest) {
  const glm::dmat3 linear(pose.linear.value_or(glm::mat3(1.0f)));
  glm::dvec3 moved(pose.position);
  if (encodingInfo(code.encoding).atOrigin) moved -= linear * glm::dvec3(rest.position);
  Texels rows = {};
  for (int row = 0; row < 3; ++row) {
    rows[static_cast<std::size_t>(row)] =
        glm::dvec4(linear[0][row], linear[1][row], linear[2][row], moved[row]);
  }
  return rows;
}

// The dual part of the dual quaternion of v' = R v + t, which is t R / 2.
glm::vec4 dualPart(const JointPose& pose, const JointPose& rest) {
  const glm::dquat turn(unitOrIdentity(pose.rotation));
  const glm::dvec3 moved = glm::dvec3(pose.position) - turn * glm::dvec3(rest.position);
  const glm::dquat dual = 0.5 * (glm::dquat(0.0, moved.x, moved.y, moved.z) * turn);
  return glm::vec4(glm::dvec4(dual.x, dual.y, dual.z, dual.w));
}

// The values of a pose's texels before quantising.
Texels texelsOf(TexelCode code, const JointPose& pose, const JointPose& rest) {
  if (encodingInfo(code.encoding).form == PoseForm::Matrix) return rowsOf(code, pose, rest);
  const glm::vec4 rotation = rotationTexel(pose);
  if (encodingInfo(code.encoding).dual) return {dualPart(pose, rest), rotation, glm::vec4(0.0f)};
  if (encodingInfo(code.encoding).form == PoseForm::Pivot) {
    return {glm::vec4(pose.position, pose.scale.x), rotation, glm::vec4(0.0f)};
  }
  if (code.components == Components::R) return {rotation, glm::vec4(0.0f), glm::vec4(0.0f)};
  return {glm::vec4(pose.position, 0.0f), rotation, glm::vec4(pose.scale, 0.0f)};
}

int rotationAt(TexelCode code) {
  return code.components == Components::R ? 0 : 1;
}

// The range of a texel: its own or kSigned; nothing for floats.
const TexelRange* rangeAt(TexelCode code, std::span<const TexelRange> ranges, std::size_t texel) {
  if (texel < ranges.size()) return &ranges[texel];
  return isFloat(encodingInfo(code.encoding).format) ? nullptr : &kSigned;
}

// A constant channel has size 0; the value 0 then decodes exactly to `low`.
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
  if (encodingInfo(code.encoding).atOrigin) m = gpu::ck_matrixToPivot(m, rest.position);
  JointPose pose;
  pose.position = glm::vec3(m.x.w, m.y.w, m.z.w);
  pose.linear = glm::transpose(glm::mat3(glm::vec3(m.x), glm::vec3(m.y), glm::vec3(m.z)));
  return pose;
}

JointPose poseFrom(TexelCode code, const Texels& texels, const JointPose& rest) {
  const PoseForm form = encodingInfo(code.encoding).form;
  if (form == PoseForm::Matrix) return matrixPose(code, texels, rest);
  gpu::CkPose pose = {};
  if (encodingInfo(code.encoding).dual) {
    pose = gpu::ck_decodeDual(texels[0], texels[1], rest.position);
  } else if (form == PoseForm::Pivot) {
    pose = gpu::ck_decodePivot(texels[0], texels[1]);
  } else {
    const bool all = code.components == Components::Trs;
    const bool rotationOnly = code.components == Components::R;
    pose = gpu::ck_decodeTrs(rotationOnly ? glm::vec4(rest.position, 0.0f) : texels[0],
                             texels[static_cast<std::size_t>(rotationAt(code))],
                             all ? texels[2] : glm::vec4(rest.scale, 0.0f));
  }
  const glm::vec4& q = pose.rotation;
  return {.position = pose.position,
          .scale = pose.scale,
          .rotation = unitOrIdentity(glm::quat(q.w, q.x, q.y, q.z))};
}

}  // namespace

std::string_view componentsName(Components components) {
  return kComponents[static_cast<std::size_t>(components)];
}
std::optional<Components> componentsFromName(std::string_view name) {
  return fromWord<Components>(kComponents, name);
}

std::span<const EncodingInfo> allEncodings() {
  return kEncodings;
}

const EncodingInfo& encodingInfo(Encoding encoding) {
  const auto index = static_cast<std::size_t>(encoding);
  CK_ASSERT(index < std::size(kEncodings));
  return kEncodings[index];
}

std::string_view encodingName(Encoding encoding) {
  return encodingInfo(encoding).name;
}

std::optional<Encoding> encodingFromName(std::string_view name) {
  for (const EncodingInfo& info : kEncodings) {
    if (info.name == name) return info.encoding;
  }
  return std::nullopt;
}

std::string encodingNames(bool (*which)(const EncodingInfo&), std::string_view last) {
  std::vector<std::string_view> names;
  for (const EncodingInfo& info : kEncodings) {
    if (which(info)) names.push_back(info.name);
  }
  return inWords(names, last);
}

bool isPossible(TexelCode code) {
  return code.components == Components::Trs || storesComponents(encodingInfo(code.encoding));
}

int texelsPerJoint(TexelCode code) {
  CK_ASSERT(isPossible(code));
  return encodingInfo(code.encoding).texelsPerJoint - static_cast<int>(code.components);
}

std::size_t bytesPerJoint(TexelCode code) {
  return static_cast<std::size_t>(texelsPerJoint(code)) *
         static_cast<std::size_t>(bytesPerTexel(encodingInfo(code.encoding).format));
}

int valuesPerJoint(TexelCode code) {
  return isPacked(encodingInfo(code.encoding)) ? 2 : texelsPerJoint(code);
}

int rangesPerJoint(TexelCode code) {
  switch (encodingInfo(code.encoding).ranged) {
    case RangedTexels::None:
      return 0;
    case RangedTexels::First:
      return 1;
    case RangedTexels::Each:
      return texelsPerJoint(code);
  }
  return 0;
}

std::vector<TexelRange> rangesOf(TexelCode code, std::span<const JointPose> poses,
                                 const JointPose& rest) {
  const auto count = static_cast<std::size_t>(rangesPerJoint(code));
  std::vector<TexelRange> ranges(count, {.low = glm::vec4(0.0f), .size = glm::vec4(0.0f)});
  if (poses.empty()) return ranges;
  Texels low = texelsOf(code, poses.front(), rest);
  Texels high = low;
  for (const JointPose& pose : poses) {
    const Texels texels = texelsOf(code, pose, rest);
    for (std::size_t i = 0; i < texels.size(); ++i) {
      low[i] = glm::min(low[i], texels[i]);
      high[i] = glm::max(high[i], texels[i]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) ranges[i] = {low[i], high[i] - low[i]};
  if (encodingInfo(code.encoding).scaleInRange) {
    ranges[0].low.w += 0.5f * ranges[0].size.w;
    ranges[0].size.w = 0.0f;
  }
  if (encodingInfo(code.encoding).fixedRotation) {
    ranges[static_cast<std::size_t>(rotationAt(code))] = kSigned;
  }
  return ranges;
}

void encodePose(TexelCode code, const JointPose& pose, std::span<const TexelRange> ranges,
                std::span<std::byte> texels, const JointPose& rest) {
  CK_ASSERT(texels.size() == bytesPerJoint(code));
  CK_ASSERT(ranges.size() == static_cast<std::size_t>(rangesPerJoint(code)));
  const TexelFormat format = encodingInfo(code.encoding).format;
  const auto size = static_cast<std::size_t>(bytesPerTexel(format));
  const Texels values = texelsOf(code, pose, rest);
  if (isPacked(encodingInfo(code.encoding))) {
    putPacked(encodingInfo(code.encoding), inRange(values[0], ranges[0]), values[1], texels);
    return;
  }
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
  if (isPacked(encodingInfo(code.encoding))) {
    Texels values = unpacked(encodingInfo(code.encoding), texels);
    values[0] = gpu::ck_ranged(values[0], ranges[0].low, ranges[0].size);
    return poseFrom(code, values, rest);
  }
  Texels values = {};
  for (std::size_t i = 0; i * size < texels.size(); ++i) {
    values[i] = sampled(format, texels.subspan(i * size, size));
    const TexelRange* range = rangeAt(code, ranges, i);
    if (range != nullptr) values[i] = gpu::ck_ranged(values[i], range->low, range->size);
  }
  return poseFrom(code, values, rest);
}

}  // namespace ck
