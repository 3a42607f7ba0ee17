#include "core/import/worker/assembly/webp_decode.h"

#include <fmt/format.h>
#include <webp/decode.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace ck::worker {
namespace {

constexpr int kMostPixels = 8'192;  // on a side

}  // namespace

bool isWebp(std::span<const std::byte> bytes) {
  return bytes.size() >= 12 && std::memcmp(bytes.data(), "RIFF", 4) == 0 &&
         std::memcmp(bytes.data() + 8, "WEBP", 4) == 0;
}

Result<Image> decodeWebp(std::span<const std::byte> bytes, std::string name) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  WebPBitstreamFeatures features = {};
  if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK) {
    return fail(ErrorCode::InvalidInput, fmt::format("picture '{}' is a damaged WebP", name));
  }
  if (features.has_animation != 0) {
    return fail(ErrorCode::Unsupported,
                fmt::format("picture '{}' is an animated WebP; only still ones are read", name));
  }
  if (features.width <= 0 || features.height <= 0 || features.width > kMostPixels ||
      features.height > kMostPixels) {
    return fail(ErrorCode::LimitExceeded,
                fmt::format("picture '{}' has {} x {} pixels, more than 8192 x 8192", name,
                            features.width, features.height));
  }
  Image image;
  image.width = features.width;
  image.height = features.height;
  image.rgba.resize(std::size_t(image.width) * std::size_t(image.height) * 4);
  if (WebPDecodeRGBAInto(data, bytes.size(), image.rgba.data(), image.rgba.size(),
                         image.width * 4) == nullptr) {
    return fail(ErrorCode::InvalidInput, fmt::format("picture '{}' is a damaged WebP", name));
  }
  image.name = std::move(name);
  return image;
}

}  // namespace ck::worker
