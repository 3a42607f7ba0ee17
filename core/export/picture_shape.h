#pragma once

#include "core/atlas/encoding.h"

namespace ck {

// A picture of an atlas's texels: four channels R, G, B, A, top row first, each value little-endian
// in the format of the texels.
struct PictureShape {
  TexelFormat format = TexelFormat::Rgba16;
  int width = 0;
  int height = 0;
};

inline std::size_t pictureBytes(const PictureShape& shape) {
  return static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.height) *
         static_cast<std::size_t>(bytesPerTexel(shape.format));
}

}  // namespace ck
