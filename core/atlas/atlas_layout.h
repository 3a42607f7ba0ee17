#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// What is to be laid out, and into which texture.
struct LayoutRequest {
  LayoutKind kind = LayoutKind::Rows;
  TexelCode code = {};
  int jointCount = 1;                     // >= 1
  std::span<const int> frameCounts = {};  // one per clip, at least one; tiles: none above `tile`
  int maxTextureSize = 16384;
  int tile = 256;           // tiles: their side in texels, >= 2
  bool powerOfTwo = false;  // rows: width and height are powers of two; the others' are anyway
  int width = 0;            // the texture's size by hand; 0: as is needed
  int height = 0;
};

// Where every clip of an atlas lies, before any texel is written.
struct AtlasLayout {
  gpu::CkAtlasShape shape = {};
  std::vector<int> firstFrames;  // one per clip, ascending; frame numbers of the whole atlas
  std::size_t bytes = 0;         // of all texels, unused ones included
  std::size_t texels = 0;        // width * height
  std::size_t usedTexels = 0;    // those that hold poses
  int jointsThatFit = 0;         // as many joints would fit these frames in such a layout
};

// Lays the clips out in their order.
//   Rows: one column of frames as long as that fits, then columns side by side; a clip is moved to
//     the next column where it would be cut and fits there whole.
//   Tiles: a square texture with a power of two for its side, one clip per tile.
//   Linear: the smallest square texture with a power of two for its side that holds the line.
// A size by hand replaces the one that is needed. Fails with LimitExceeded and says what would fit,
// and with InvalidInput for sizes that make no sense.
Result<AtlasLayout> layOutAtlas(const LayoutRequest& request);

// The byte offset of the first texel of a joint at a frame; its texels follow one another.
std::size_t texelOffset(const Atlas& atlas, int frame, int joint);

// Checks everything that the comments of atlas.h promise, as readers must: sizes, indices, order,
// finite numbers, UTF-8. What is wrong first comes back as InvalidInput.
Result<void> checkAtlas(const Atlas& atlas);

}  // namespace ck
