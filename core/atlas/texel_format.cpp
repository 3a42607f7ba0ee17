#include "core/atlas/texel_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/gtc/packing.hpp>

#include "core/base/assert.h"

namespace ck {
namespace {

constexpr bool rowsAreInOrder() {
  for (std::size_t i = 0; i < std::size(kTexelFormats); ++i) {
    if (kTexelFormats[i].format != static_cast<TexelFormat>(i)) return false;
  }
  return true;
}
static_assert(rowsAreInOrder(), "kTexelFormats has one row for each TexelFormat, in their order");

std::size_t channelSize(TexelFormat format) {
  return static_cast<std::size_t>(texelFormatInfo(format).bytesPerChannel);
}

}  // namespace

std::uint32_t channelBits(TexelFormat format, std::span<const std::byte> texels,
                          std::size_t index) {
  const auto size = channelSize(format);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    bits |= std::to_integer<std::uint32_t>(texels[index * size + i]) << (8 * i);
  }
  return bits;
}

void setChannelBits(TexelFormat format, std::span<std::byte> texels, std::size_t index,
                    std::uint32_t bits) {
  const auto size = channelSize(format);
  for (std::size_t i = 0; i < size; ++i) {
    texels[index * size + i] = static_cast<std::byte>((bits >> (8 * i)) & 0xff);
  }
}

float channelValue(TexelFormat format, std::uint32_t bits) {
  if (!isFloat(format)) return static_cast<float>(bits) / texelFormatInfo(format).top;
  return channelSize(format) == 4 ? std::bit_cast<float>(bits)
                                  : glm::unpackHalf1x16(static_cast<std::uint16_t>(bits));
}

std::uint32_t nearestBits(TexelFormat format, double value) {
  constexpr double kLargestHalf = 65504.0;
  CK_ASSERT(!isWords(format));
  if (!isFloat(format)) {
    const double top = static_cast<double>(texelFormatInfo(format).top);
    return static_cast<std::uint32_t>(std::lround(std::clamp(value, 0.0, 1.0) * top));
  }
  if (channelSize(format) == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return glm::packHalf1x16(static_cast<float>(std::clamp(value, -kLargestHalf, kLargestHalf)));
}

}  // namespace ck
