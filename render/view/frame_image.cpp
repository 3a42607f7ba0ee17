#include "render/view/frame_image.h"

#include <fmt/format.h>
#include <png.h>

#include <cstddef>

#include "core/system/files.h"

namespace ck::render {

Result<void> writePng(const Frame& frame, const std::filesystem::path& path) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(frame.width);
  image.height = static_cast<png_uint_32>(frame.height);
  image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  const auto refused = [&] {
    const std::string name = pathText(path);
    return fail(ErrorCode::CannotWrite,
                fmt::format("{}: the picture cannot be coded: {}", name, image.message), name);
  };
  if (png_image_write_get_memory_size(image, size, 0, frame.rgba.data(), 0, nullptr) == 0) {
    return refused();
  }
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, frame.rgba.data(), 0, nullptr) ==
      0) {
    return refused();
  }
  return writeFileAtomically(path, std::span(bytes).first(size), Links::Follow);
}

}  // namespace ck::render
