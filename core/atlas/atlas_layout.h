#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// Where every clip of an atlas lies, before any texel is written.
struct AtlasLayout {
  gpu::CkAtlasShape shape = {};
  std::vector<int> firstFrames;  // one per clip, ascending; frame numbers of the whole atlas
  std::size_t bytes = 0;         // of all texels, unused frames at the end of blocks included
};

// Lays clips of `frameCounts` frames out, in their order. Rows: one column of frames as long as
// that fits `maxTextureSize`, then columns side by side; a clip is moved to the next column where
// it would be cut and fits there whole. Fails with LimitExceeded and says what would fit.
Result<AtlasLayout> layOutAtlas(LayoutKind kind, Encoding encoding, int jointCount,
                                std::span<const int> frameCounts, int maxTextureSize);

// The byte offset of the first texel of a joint at a frame; its texels follow one another.
std::size_t texelOffset(const Atlas& atlas, int frame, int joint);

// Checks everything that the comments of atlas.h promise, as readers must: sizes, indices, order,
// finite numbers, UTF-8. What is wrong first comes back as InvalidInput.
Result<void> checkAtlas(const Atlas& atlas);

}  // namespace ck
