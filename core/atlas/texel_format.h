#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ck {

// How a texel is stored: channels R, G, B and A of equal size, or the first of them. RGB10_A2UI is
// one channel here: a word with R in the lowest 10 bits, then G and B, and A in the highest 2.
enum class TexelFormat { Rgba16, Rgba32F, Rgba8, Rgba16F, Rgba32Ui, Rg32Ui, Rgb10A2Ui };

struct TexelFormatInfo {
  TexelFormat format;
  std::string_view name;  // "RGBA16"
  int channels;           // 4, or 2: R and G, or 1: a word of all
  int bytesPerChannel;
  // The largest value of an integer channel, which decodes to 1; 0 for floats.
  float top;
};

// Indexed by TexelFormat.
inline constexpr TexelFormatInfo kTexelFormats[] = {
    {TexelFormat::Rgba16, "RGBA16", 4, 2, 65535.0f},
    {TexelFormat::Rgba32F, "RGBA32F", 4, 4, 0.0f},
    {TexelFormat::Rgba8, "RGBA8", 4, 1, 255.0f},
    {TexelFormat::Rgba16F, "RGBA16F", 4, 2, 0.0f},
    {TexelFormat::Rgba32Ui, "RGBA32UI", 4, 4, 4294967295.0f},
    {TexelFormat::Rg32Ui, "RG32UI", 2, 4, 4294967295.0f},
    {TexelFormat::Rgb10A2Ui, "RGB10_A2UI", 1, 4, 4294967295.0f}};

constexpr const TexelFormatInfo& texelFormatInfo(TexelFormat format) {
  return kTexelFormats[static_cast<std::size_t>(format)];
}
constexpr std::string_view texelFormatName(TexelFormat format) {
  return texelFormatInfo(format).name;
}
constexpr int bytesPerTexel(TexelFormat format) {
  return texelFormatInfo(format).channels * texelFormatInfo(format).bytesPerChannel;
}
constexpr bool isFloat(TexelFormat format) {
  return texelFormatInfo(format).top == 0.0f;
}
// Whether channels are words of 32 bits, each of which holds several numbers (Packing).
constexpr bool isWords(TexelFormat format) {
  return texelFormatInfo(format).top > 65535.0f;
}

// The bits of channel `index`, counted through consecutive texels. Each channel is little-endian.
// The span must contain that channel.
std::uint32_t channelBits(TexelFormat format, std::span<const std::byte> texels, std::size_t index);
void setChannelBits(TexelFormat format, std::span<std::byte> texels, std::size_t index,
                    std::uint32_t bits);

// The value that a texture unit returns for a channel: bits / top, or the float. Of a word it is a
// share of the largest one.
float channelValue(TexelFormat format, std::uint32_t bits);

// The bits whose value is nearest to `value`, in a format of 8 or 16 bits or of floats. Values are
// clamped to 0..1 for integers and to -65504..65504 for RGBA16F.
std::uint32_t nearestBits(TexelFormat format, double value);

}  // namespace ck
