#include "core/atlas/pose_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/base/assert.h"
#include "core/base/shared_glsl.h"

namespace ck {
namespace {

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

// A number in 0..1 as one in 0..most.
std::uint32_t ofMost(double unit, std::uint32_t most) {
  return static_cast<std::uint32_t>(std::lround(std::clamp(unit, 0.0, 1.0) * most));
}

// The number of a unit quaternion that is left out, and the others: q in 0..2 * middle means
// (q - middle) / (middle * sqrt(2)), because none but the largest exceeds sqrt(1/2).
struct SmallestThree {
  int largest = 3;
  std::array<std::uint32_t, 3> others = {};
};
std::uint32_t numberOf(double value, int middle) {
  const double share = std::clamp(value * std::sqrt(2.0), -1.0, 1.0);
  return static_cast<std::uint32_t>(std::lround(middle * share) + middle);
}
SmallestThree smallestThree(const glm::vec4& turn, int middle) {
  SmallestThree three;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(turn[i]) > std::abs(turn[three.largest])) three.largest = i;
  }
  std::size_t next = 0;
  for (int i = 0; i < 4; ++i) {
    if (i == three.largest) continue;
    three.others[next++] = numberOf(static_cast<double>(turn[i]), middle);
  }
  return three;
}

// The same of q or -q, which are the same turn, with the largest number positive, and the numbers
// whose turn is nearest: the one that is left out strays with the others, so that rounding each by
// itself is up to two thirds farther off.
SmallestThree nearestThree(const glm::vec4& turn, int middle) {
  SmallestThree three = smallestThree(turn, middle);
  const auto largest = static_cast<double>(turn[three.largest]);
  const double sign = largest < 0.0 ? -1.0 : 1.0;
  std::array<double, 3> exact = {};
  std::size_t next = 0;
  for (int i = 0; i < 4; ++i) {
    if (i != three.largest) exact[next++] = sign * static_cast<double>(turn[i]);
  }
  std::array<int, 3> rounded = {};
  for (std::size_t i = 0; i < 3; ++i) {
    rounded[i] = static_cast<int>(numberOf(exact[i], middle)) - middle;
    three.others[i] = static_cast<std::uint32_t>(rounded[i] + middle);
  }
  const double step = 1.0 / (middle * std::sqrt(2.0));
  double nearest = -1.0;
  // From the middle on, which wins where others are as near.
  for (const int place : {13, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                          14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26}) {
    const std::array<int, 3> numbers = {rounded[0] + place % 3 - 1, rounded[1] + place / 3 % 3 - 1,
                                        rounded[2] + place / 9 - 1};
    double off = 0.0;
    double squares = 0.0;
    bool fits = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double value = numbers[i] * step;
      off += (value - exact[i]) * (value - exact[i]);
      squares += value * value;
      fits = fits && std::abs(numbers[i]) <= middle;
    }
    const double left = std::sqrt(std::max(1.0 - squares, 0.0)) - sign * largest;
    off += left * left;
    if (!fits || (nearest >= 0.0 && off >= nearest)) continue;
    nearest = off;
    for (std::size_t i = 0; i < 3; ++i) {
      three.others[i] = static_cast<std::uint32_t>(numbers[i] + middle);
    }
  }
  return three;
}

using Words = std::array<std::uint32_t, 2>;

// The words of ck_place64 and ck_turn64 (shaders/shared/packed.glsl).
Words bits10(const glm::dvec4& place, const glm::vec4& turn) {
  const auto [largest, others] = smallestThree(turn, 511);
  const std::uint32_t isNegative = turn[largest] < 0.0f ? 1 : 0;
  Words words = {isNegative << 30, static_cast<std::uint32_t>(largest) << 30};
  for (int i = 0; i < 3; ++i) {
    words[0] |= ofMost(place[i], 1023) << (10 * i);
    words[1] |= others[static_cast<std::size_t>(i)] << (10 * i);
  }
  return words;
}

// The words of ck_seenScale64 and ck_seenTurn64.
Words turn15(double scale, const glm::vec4& turn) {
  const auto [largest, others] = nearestThree(turn, 16383);
  return {others[0] | others[1] << 15 | static_cast<std::uint32_t>(largest) << 30,
          others[2] | ofMost(scale, 131071) << 15};
}

// The word of ck_seenTurn32.
Words turn10(const glm::vec4& turn) {
  const auto [largest, others] = nearestThree(turn, 511);
  return {others[0] | others[1] << 10 | others[2] << 20 | static_cast<std::uint32_t>(largest) << 30,
          0};
}

void putWords(TexelFormat format, std::span<const std::uint32_t> words,
              std::span<std::byte> bytes) {
  const auto size = static_cast<std::size_t>(texelFormatInfo(format).bytesPerChannel);
  for (std::size_t i = 0; i * size < bytes.size(); ++i) setChannelBits(format, bytes, i, words[i]);
}

void putPacked(const EncodingInfo& info, const glm::dvec4& place, const glm::vec4& turn,
               std::span<std::byte> bytes) {
  switch (info.packing) {
    case Packing::Bits16:
      // Little-endian words of two numbers are these numbers one after the other.
      putTexel(TexelFormat::Rgba16, place, bytes.first(8));
      return putTexel(TexelFormat::Rgba16, 0.5 + 0.5 * glm::dvec4(turn), bytes.last(8));
    case Packing::Bits10:
      return putWords(info.format, bits10(place, turn), bytes);
    case Packing::Turn15:
      return putWords(info.format, turn15(place.w, turn), bytes);
    case Packing::Turn10:
      return putWords(info.format, turn10(turn), bytes);
    case Packing::None:
      return;
  }
}

// A texel of words as a shader gets it: RGB10_A2UI as its four numbers.
glm::ivec4 wordsOf(TexelFormat format, std::span<const std::byte> bytes) {
  glm::ivec4 words(0);
  for (int i = 0; i < texelFormatInfo(format).channels; ++i) {
    words[i] = static_cast<std::int32_t>(channelBits(format, bytes, static_cast<std::size_t>(i)));
  }
  if (format != TexelFormat::Rgb10A2Ui) return words;
  const auto word = static_cast<std::uint32_t>(words.x);
  return glm::ivec4(word & 1023, word >> 10 & 1023, word >> 20 & 1023, word >> 30);
}

// The place, before its range, and the rotation.
Texels unpacked(const EncodingInfo& info, std::span<const std::byte> bytes) {
  const glm::ivec4 words = wordsOf(info.format, bytes);
  switch (info.packing) {
    case Packing::Bits16:
      return {gpu::ck_place128(words), gpu::ck_turn128(words)};
    case Packing::Turn15:
      return {gpu::ck_seenScale64(words), gpu::ck_seenTurn64(words)};
    case Packing::Turn10:
      return {glm::vec4(0.0f), gpu::ck_seenTurn32(words)};
    case Packing::Bits10:
    case Packing::None:
      break;
  }
  return {gpu::ck_place64(words), gpu::ck_turn64(words)};
}

// The four numbers of a texel, as they are stored.
template <class Number>
glm::vec4 numbersOf(std::span<const std::byte> bytes) {
  std::array<Number, 4> numbers;
  CK_ASSERT(bytes.size() == sizeof numbers);
  std::memcpy(numbers.data(), bytes.data(), sizeof numbers);
  return glm::vec4(numbers[0], numbers[1], numbers[2], numbers[3]);
}

// The value that a texture sampler returns for this format: channelValue() of each channel. The
// usual formats are read whole, because a call for each channel takes twice as long for a frame.
glm::vec4 sampled(TexelFormat format, std::span<const std::byte> bytes) {
  switch (format) {
    case TexelFormat::Rgba16:
      return numbersOf<std::uint16_t>(bytes) / texelFormatInfo(format).top;
    case TexelFormat::Rgba8:
      return numbersOf<std::uint8_t>(bytes) / texelFormatInfo(format).top;
    case TexelFormat::Rgba32F:
      return numbersOf<float>(bytes);
    default:
      break;
  }
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
const TexelRange* rangeAt(TexelFormat format, std::span<const TexelRange> ranges,
                          std::size_t texel) {
  if (texel < ranges.size()) return &ranges[texel];
  return isFloat(format) ? nullptr : &kSigned;
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
  const EncodingInfo& info = encodingInfo(code.encoding);
  if (info.form == PoseForm::Matrix) return matrixPose(code, texels, rest);
  gpu::CkPose pose = {};
  if (info.dual) {
    pose = gpu::ck_decodeDual(texels[0], texels[1], rest.position);
  } else if (info.form == PoseForm::Pivot) {
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

std::size_t bytesPerTrack(TexelCode code) {
  const EncodingInfo& info = encodingInfo(code.encoding);
  return static_cast<std::size_t>(info.trackTexels * bytesPerTexel(info.format));
}

int fetchesOf(TexelCode code, int influences, bool interpolate) {
  constexpr int kRows = 3;
  if (isLocal(encodingInfo(code.encoding))) return kRows * influences;
  return texelsPerJoint(code) * influences * (interpolate ? 2 : 1);
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
    const TexelRange* range = rangeAt(format, ranges, i);
    putTexel(format, range != nullptr ? inRange(values[i], *range) : glm::dvec4(values[i]),
             texels.subspan(i * size, size));
  }
}

JointPose decodePose(TexelCode code, std::span<const std::byte> texels,
                     std::span<const TexelRange> ranges, const JointPose& rest) {
  CK_ASSERT(texels.size() == bytesPerJoint(code));
  CK_ASSERT(ranges.size() == static_cast<std::size_t>(rangesPerJoint(code)));
  const EncodingInfo& info = encodingInfo(code.encoding);
  const auto size = static_cast<std::size_t>(bytesPerTexel(info.format));
  if (isPacked(info)) {
    Texels values = unpacked(info, texels);
    values[0] = gpu::ck_ranged(values[0], ranges[0].low, ranges[0].size);
    return poseFrom(code, values, rest);
  }
  Texels values = {};
  for (std::size_t i = 0; i * size < texels.size(); ++i) {
    values[i] = sampled(info.format, texels.subspan(i * size, size));
    const TexelRange* range = rangeAt(info.format, ranges, i);
    if (range != nullptr) values[i] = gpu::ck_ranged(values[i], range->low, range->size);
  }
  return poseFrom(code, values, rest);
}

void encodeTrack(TexelCode code, const glm::vec3& position, const TexelRange& range,
                 std::span<std::byte> texels) {
  CK_ASSERT(texels.size() == bytesPerTrack(code) && !texels.empty());
  const glm::dvec4 unit = inRange(glm::vec4(position, 0.0f), range);
  const TexelFormat format = encodingInfo(code.encoding).format;
  Words words = {};
  if (encodingInfo(code.encoding).trackTexels == 1) {
    constexpr std::uint32_t kMost = (1u << 21) - 1;
    const std::uint32_t y = ofMost(unit.y, kMost);
    words = {ofMost(unit.x, kMost) | y << 21, y >> 11 | ofMost(unit.z, kMost) << 10};
  } else {
    constexpr std::uint32_t kMost = (1u << 20) - 1;
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t number = ofMost(unit[i], kMost);
      words[0] |= (number >> 10) << (10 * i);
      words[1] |= (number & 1023) << (10 * i);
    }
  }
  putWords(format, words, texels);
}

glm::vec3 decodeTrack(TexelCode code, std::span<const std::byte> texels, const TexelRange& range) {
  CK_ASSERT(texels.size() == bytesPerTrack(code) && !texels.empty());
  const EncodingInfo& info = encodingInfo(code.encoding);
  const auto size = static_cast<std::size_t>(bytesPerTexel(info.format));
  const glm::ivec4 first = wordsOf(info.format, texels.first(size));
  const glm::vec4 unit = info.trackTexels == 1
                             ? gpu::ck_track64(first)
                             : gpu::ck_track32(first, wordsOf(info.format, texels.last(size)));
  return glm::vec3(gpu::ck_ranged(unit, range.low, range.size));
}

}  // namespace ck
