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
#include <cstring>
#include <exception>

namespace ck {
namespace {

constexpr std::array<const char*, 4> kChannels = {"R", "G", "B", "A"};
constexpr float kTop = 65535.0f;

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

// Nothing where a value is not one of the 65536.
bool toTexels(const std::vector<float>& pixels, std::vector<std::byte>& texels) {
  texels.resize(pixels.size() * 2);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const float scaled = std::round(pixels[i] * kTop);
    if (!(scaled >= 0.0f && scaled <= kTop)) return false;
    const auto q = static_cast<unsigned>(scaled);
    if (static_cast<float>(q) / kTop != pixels[i]) return false;
    texels[2 * i] = static_cast<std::byte>(q & 0xff);
    texels[2 * i + 1] = static_cast<std::byte>(q >> 8);
  }
  return true;
}

}  // namespace

Result<std::vector<std::byte>> exrBytes(int width, int height, std::span<const std::byte> texels) {
  std::vector<float> pixels(texels.size() / 2);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const unsigned q = std::to_integer<unsigned>(texels[2 * i]) |
                       (std::to_integer<unsigned>(texels[2 * i + 1]) << 8);
    pixels[i] = static_cast<float>(q) / kTop;
  }
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

Result<Picture16> pictureFromExr(std::span<const std::byte> bytes, int width, int height) {
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
                              4);
    file.setFrameBuffer(frameBuffer(pixels, width));
    file.readPixels(0, height - 1);
    Picture16 picture{width, height, {}};
    if (!toTexels(pixels, picture.texels)) {
      return fail(ErrorCode::InvalidInput,
                  "the EXR picture has values that are not multiples of 1/65535");
    }
    return picture;
  } catch (const std::exception& error) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("the EXR picture cannot be read: {}", error.what()));
  }
}

}  // namespace ck
