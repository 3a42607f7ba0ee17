#include "core/import/worker/assembly/image_decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_GIF
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_NO_PIC
#define STBI_NO_PNM
#define STBI_MAX_DIMENSIONS 8192
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#include "core/import/worker/assembly/image_file_kept.h"
#include "core/import/worker/assembly/ktx2_decode.h"
#include "core/import/worker/assembly/webp_decode.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {

Result<Image> decodeImage(std::span<const std::byte> bytes, std::string name) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return fail(ErrorCode::LimitExceeded, fmt::format("picture '{}' is larger than 2 GB", name));
  }
  if (isWebp(bytes)) return decodeWebp(bytes, std::move(name));
  if (isKtx2(bytes)) return decodeKtx2(bytes, std::move(name));
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0;
  int height = 0;
  int channels = 0;
  if (stbi_info_from_memory(data, size, &width, &height, &channels) == 0) {
    const std::string reason = stbi_failure_reason();
    const bool tooLarge = reason == "too large";
    return fail(
        tooLarge ? ErrorCode::LimitExceeded : ErrorCode::Unsupported,
        fmt::format("picture '{}' {}", name,
                    tooLarge ? "is larger than 8192 x 8192"
                             : "is not a PNG, JPEG, WebP, BMP, TGA or KTX2 that can be read"));
  }
  if (width <= 0 || height <= 0 || width > 8192 || height > 8192) {
    return fail(
        ErrorCode::LimitExceeded,
        fmt::format("picture '{}' has {} x {} pixels, more than 8192 x 8192", name, width, height));
  }
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(data, size, &width, &height, &channels, 4), stbi_image_free);
  if (!pixels) {
    return fail(ErrorCode::InvalidInput, fmt::format("picture '{}' is damaged", name));
  }
  Image image;
  image.name = std::move(name);
  image.width = width;
  image.height = height;
  image.rgba.assign(pixels.get(), pixels.get() + std::size_t(width) * std::size_t(height) * 4);
  image.file = fileToKeep(bytes);
  if (image.file.size() > image.rgba.size()) image.file.clear();
  return image;
}

Result<Image> imageInFolder(std::span<const std::string> paths, SourceFolder& folder) {
  std::optional<Error> why;
  for (std::string path : paths) {
    std::replace(path.begin(), path.end(), '\\', '/');
    while (path.starts_with("./")) path.erase(0, 2);
    const std::string name = path.substr(path.rfind('/') + 1);
    auto bytes = folder.read(path);
    if (!bytes && !why) why = bytes.error();
    if (!bytes) bytes = folder.read(name);
    if (!bytes) {
      if (const auto found = folder.findByName(name)) bytes = folder.read(*found);
    }
    if (bytes) return decodeImage(*bytes, cleanText(name));
  }
  return tl::unexpected(why.value_or(Error{ErrorCode::InvalidInput, "a texture names no file"}));
}

bool isGrey(const Image& image) {
  for (std::size_t at = 0; at + 3 < image.rgba.size(); at += 4) {
    const std::uint8_t* texel = &image.rgba[at];
    if (texel[0] != texel[1] || texel[1] != texel[2]) return false;
  }
  return true;
}

int addImage(Result<Image> image, SourceScene& scene) {
  if (!image) {
    warn(scene.notes, "PictureUnreadable", image.error().message);
    return -1;
  }
  scene.images.push_back(std::move(*image));
  return static_cast<int>(scene.images.size()) - 1;
}

}  // namespace ck::worker
