#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/result.h"

namespace ck::render {

// An 8-bit RGBA image, top row first.
struct Frame {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
};

// Writes an RGBA PNG (libpng), atomically.
Result<void> writePng(const Frame& frame, const std::filesystem::path& path);

}  // namespace ck::render
