#include "core/export/exr_picture.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <glm/gtc/packing.hpp>
#include <optional>

namespace ck {
namespace {

constexpr std::array<const char*, 4> kChannels = {"R", "G", "B", "A"};

// OpenEXR writes to and reads from memory, so that files are written in one place only and their
// names may hold any Unicode.
class MemoryOut : public Imf::OStream {
 public:
  MemoryOut() : Imf::OStream("atlas") {}
  void write(const char c[], int n) override {
    const auto count = static_cast<std::size_t>(n);
    if (bytes_.size() < at_ + count) bytes_.resize(at_ + count);
    std::memcpy(bytes_.data() + at_, c, count);
    at_ += count;
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t position) override { at_ = static_cast<std::size_t>(position); }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

class MemoryIn : public Imf::IStream {
 public:
  explicit MemoryIn(std::span<const std::byte> bytes) : Imf::IStream("atlas"), bytes_(bytes) {}
  bool read(char c[], int n) override {
    const auto count = static_cast<std::size_t>(n);
    if (n < 0 || at_ > bytes_.size() || count > bytes_.size() - at_) {
      throw std::runtime_error("the file ends too early");
    }
    std::memcpy(c, bytes_.data() + at_, count);
    at_ += count;
    return at_ < bytes_.size();
  }
  std::uint64_t tellg() override { return at_; }
  void seekg(std::uint64_t position) override { at_ = static_cast<std::size_t>(position); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

Imf::FrameBuffer frameBuffer(std::vector<float>& pixels, int width) {
  Imf::FrameBuffer buffer;
  const std::size_t pixelBytes = 4 * sizeof(float);
  for (std::size_t channel = 0; channel < kChannels.size(); ++channel) {
    buffer.insert(kChannels[channel],
                  Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(pixels.data() + channel),
                             pixelBytes, pixelBytes * static_cast<std::size_t>(width)));
  }
  return buffer;
}

bool hasOurChannels(const Imf::Header& header) {
  return std::all_of(kChannels.begin(), kChannels.end(), [&](const char* name) {
    const Imf::Channel* channel = header.channels().findChannel(name);
    return channel != nullptr && channel->type == Imf::FLOAT && channel->xSampling == 1 &&
           channel->ySampling == 1;
  });
}

// What a whole texel of this format counts to.
float topOf(TexelFormat format) {
  return format == TexelFormat::Rgba8 ? 255.0f : 65535.0f;
}

std::size_t channelBytes(TexelFormat format) {
  return static_cast<std::size_t>(bytesPerTexel(format)) / kChannels.size();
}

std::vector<float> toPixels(TexelFormat format, std::span<const std::byte> texels) {
  const std::size_t size = channelBytes(format);
  std::vector<float> pixels(texels.size() / size);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    std::uint32_t q = 0;
    for (std::size_t b = 0; b < size; ++b) {
      q |= std::to_integer<std::uint32_t>(texels[i * size + b]) << (8 * b);
    }
    switch (format) {
      case TexelFormat::Rgba32F:
        pixels[i] = std::bit_cast<float>(q);
        break;
      case TexelFormat::Rgba16F:
        pixels[i] = glm::unpackHalf1x16(static_cast<std::uint16_t>(q));
        break;
      case TexelFormat::Rgba16:
      case TexelFormat::Rgba8:
        pixels[i] = static_cast<float>(q) / topOf(format);
        break;
    }
  }
  return pixels;
}

// The bits of a channel, or nothing where a texel cannot have that value.
std::optional<std::uint32_t> bitsOf(TexelFormat format, float pixel) {
  if (format == TexelFormat::Rgba32F) return std::bit_cast<std::uint32_t>(pixel);
  if (format == TexelFormat::Rgba16F) {
    const std::uint16_t half = glm::packHalf1x16(pixel);
    if (glm::unpackHalf1x16(half) != pixel) return std::nullopt;
    return half;
  }
  const float scaled = std::round(pixel * topOf(format));
  if (!(scaled >= 0.0f && scaled <= topOf(format))) return std::nullopt;
  const auto q = static_cast<std::uint32_t>(scaled);
  if (static_cast<float>(q) / topOf(format) != pixel) return std::nullopt;
  return q;
}

// Nothing where a value is not one that a texel can have.
bool toTexels(TexelFormat format, const std::vector<float>& pixels,
              std::vector<std::byte>& texels) {
  const std::size_t size = channelBytes(format);
  texels.resize(pixels.size() * size);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto q = bitsOf(format, pixels[i]);
    if (!q) return false;
    for (std::size_t b = 0; b < size; ++b) {
      texels[i * size + b] = static_cast<std::byte>((*q >> (8 * b)) & 0xff);
    }
  }
  return true;
}

}  // namespace

Result<std::vector<std::byte>> exrBytes(const PictureShape& shape,
                                        std::span<const std::byte> texels) {
  std::vector<float> pixels = toPixels(shape.format, texels);
  try {
    Imf::Header header(shape.width, shape.height);
    header.compression() = Imf::ZIP_COMPRESSION;
    for (const char* name : kChannels) header.channels().insert(name, Imf::Channel(Imf::FLOAT));
    MemoryOut stream;
    {
      Imf::OutputFile file(stream, header, 0);
      file.setFrameBuffer(frameBuffer(pixels, shape.width));
      file.writePixels(shape.height);
    }
    return stream.take();
  } catch (const std::exception& error) {
    return fail(ErrorCode::Internal, fmt::format("the EXR picture was not made: {}", error.what()));
  }
}

Result<std::vector<std::byte>> texelsFromExr(std::span<const std::byte> bytes,
                                             const PictureShape& shape) {
  try {
    MemoryIn stream(bytes);
    Imf::InputFile file(stream, 0);
    const Imath::Box2i& window = file.header().dataWindow();
    const bool sameSize = window.min.x == 0 && window.min.y == 0 &&
                          window.max.x == shape.width - 1 && window.max.y == shape.height - 1;
    if (!sameSize || !hasOurChannels(file.header())) {
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("the EXR picture is not one of {} x {} with float channels R, G, B, A",
                      shape.width, shape.height));
    }
    std::vector<float> pixels(static_cast<std::size_t>(shape.width) *
                              static_cast<std::size_t>(shape.height) * kChannels.size());
    file.setFrameBuffer(frameBuffer(pixels, shape.width));
    file.readPixels(0, shape.height - 1);
    std::vector<std::byte> texels;
    if (!toTexels(shape.format, pixels, texels)) {
      if (shape.format == TexelFormat::Rgba16F) {
        return fail(ErrorCode::InvalidInput,
                    "the EXR picture has values that are not those of 16-bit floats");
      }
      return fail(ErrorCode::InvalidInput,
                  fmt::format("the EXR picture has values that are not multiples of 1/{:.0f}",
                              topOf(shape.format)));
    }
    return texels;
  } catch (const std::exception& error) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("the EXR picture cannot be read: {}", error.what()));
  }
}

}  // namespace ck
