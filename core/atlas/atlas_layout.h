#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/atlas/atlas.h"
#include "core/base/result.h"

namespace ck {

// The input of layOutAtlas().
struct LayoutRequest {
  LayoutKind kind = LayoutKind::Rows;
  TexelCode code = {};
  int jointCount = 1;                     // >= 1
  int trackTexels = 0;                    // of all tracks of a frame (core/atlas/local_poses.h)
  std::span<const int> frameCounts = {};  // one per clip, at least one; Tiles: at most `tile` each
  int maxTextureSize = 16384;
  int tile = 256;           // Tiles: their side in texels, >= 2
  bool powerOfTwo = false;  // Rows: make width and height powers of two; other layouts always do
  int width = 0;            // a fixed texture size; 0: as needed
  int height = 0;
};

// The position of every clip in an atlas.
struct AtlasLayout {
  gpu::CkAtlasShape shape = {};
  std::vector<int> firstFrames;  // one per clip, ascending; numbered through the whole atlas
  std::size_t bytes = 0;         // size of all texels, including unused ones
  std::size_t texels = 0;        // width * height
  std::size_t usedTexels = 0;    // texels that hold poses
  int jointsThatFit = 0;  // number of joints that would fit into this layout with these frames
};

// Lays out the clips in order.
//   Rows: one column of frames if it fits the height limit, else several columns side by side. A
//     clip moves to the next column if it would be split and fits there as a whole.
//   Tiles: a square power-of-two texture, one clip per tile.
//   Linear: the smallest square power-of-two texture that holds the line.
// A fixed size replaces the computed one. Fails with LimitExceeded, saying what would fit, and with
// InvalidInput for invalid sizes.
Result<AtlasLayout> layOutAtlas(const LayoutRequest& request);

// The byte offset of the first texel of a joint at a frame. The joint's texels are contiguous. A
// column behind the joints (trackColumn()) may be given as well.
std::size_t texelOffset(const Atlas& atlas, int frame, int joint);

}  // namespace ck
