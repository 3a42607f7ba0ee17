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
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>

namespace ck {
namespace {

constexpr std::array<const char*, 4> kChannels = {"R", "G", "B", "A"};

// OpenEXR reads and writes memory, so that files are written in one place only and names may
// contain any Unicode.
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

std::vector<float> toPixels(TexelFormat format, std::span<const std::byte> texels) {
  std::vector<float> pixels(texels.size() /
                            static_cast<std::size_t>(texelFormatInfo(format).bytesPerChannel));
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = channelValue(format, channelBits(format, texels, i));
  }
  return pixels;
}

// Returns false if a texel cannot have one of the values.
bool toTexels(TexelFormat format, const std::vector<float>& pixels,
              std::vector<std::byte>& texels) {
  texels.resize(pixels.size() * static_cast<std::size_t>(texelFormatInfo(format).bytesPerChannel));
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (!std::isfinite(pixels[i])) return false;
    const std::uint32_t bits = nearestBits(format, static_cast<double>(pixels[i]));
    if (channelValue(format, bits) != pixels[i]) return false;
    setChannelBits(format, texels, i, bits);
  }
  return true;
}

}  // namespace

std::string storedInExr(TexelFormat format) {
  return isFloat(format) ? "floats" : fmt::format("q / {:.0f}", texelFormatInfo(format).top);
}

Result<std::vector<std::byte>> exrBytes(const Atlas& atlas) {
  const int width = atlasWidth(atlas);
  const int height = atlasHeight(atlas);
  std::vector<float> pixels = toPixels(texelFormatOf(atlas), atlas.texels);
  try {
    Imf::Header header(width, height);
    header.compression() = Imf::ZIP_COMPRESSION;
    for (const char* name : kChannels) header.channels().insert(name, Imf::Channel(Imf::FLOAT));
    MemoryOut stream;
    {
      Imf::OutputFile file(stream, header, 0);
      file.setFrameBuffer(frameBuffer(pixels, width));
      file.writePixels(height);
    }
    return stream.take();
  } catch (const std::exception& error) {
    return fail(ErrorCode::Internal, fmt::format("the EXR picture was not made: {}", error.what()));
  }
}

Result<std::vector<std::byte>> texelsFromExr(std::span<const std::byte> bytes,
                                             const Atlas& described) {
  const int width = atlasWidth(described);
  const int height = atlasHeight(described);
  const TexelFormat format = texelFormatOf(described);
  try {
    MemoryIn stream(bytes);
    Imf::InputFile file(stream, 0);
    const Imath::Box2i& window = file.header().dataWindow();
    const bool sameSize = window.min.x == 0 && window.min.y == 0 && window.max.x == width - 1 &&
                          window.max.y == height - 1;
    if (!sameSize || !hasOurChannels(file.header())) {
      return fail(
          ErrorCode::InvalidInput,
          fmt::format("the EXR picture is not one of {} x {} with float channels R, G, B, A", width,
                      height));
    }
    std::vector<float> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                              kChannels.size());
    file.setFrameBuffer(frameBuffer(pixels, width));
    file.readPixels(0, height - 1);
    std::vector<std::byte> texels;
    if (toTexels(format, pixels, texels)) return texels;
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("the EXR picture has values that no {} texel has", texelFormatName(format)));
  } catch (const std::exception& error) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("the EXR picture cannot be read: {}", error.what()));
  }
}

}  // namespace ck
