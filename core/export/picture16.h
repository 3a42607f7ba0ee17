#pragma once

#include <cstddef>
#include <vector>

namespace ck {

// A picture of four 16-bit channels, top row first, R G B A, each value little-endian: what the
// texels of an RGBA16 atlas are.
struct Picture16 {
  int width = 0;
  int height = 0;
  std::vector<std::byte> texels;  // width * height * 8
};

}  // namespace ck
