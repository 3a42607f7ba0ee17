#pragma once

#include <cstddef>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// The format of the numbers that the packed forms of a container hold: that of the texels, but
// RGBA16 where words are pairs of 16 bits (U128), whose bytes are those of P16.
TexelFormat numberFormat(const Atlas& atlas);

// Where the texels of each frame of a clip begin. Those of a frame lie in a row.
std::vector<std::size_t> frameOffsets(const Atlas& atlas, std::size_t clip);

// The texels of one clip without the places between them: joint by joint, frame by frame, channel
// by channel, little-endian. It is what the packed forms of a container hold.
struct ClipBlock {
  std::size_t joints = 0;  // and behind them the texels of tracks (local_poses.h)
  std::size_t frames = 0;
  std::size_t channels = 0;      // of a joint in one frame
  std::size_t channelBytes = 0;  // 1, 2 or 4
  std::vector<std::byte> bytes;

  std::size_t size() const { return joints * frames * channels * channelBytes; }
};

// The measures of a clip's block, without bytes. The atlas's texels are not looked at.
ClipBlock blockShape(const Atlas& atlas, std::size_t clip);

// The block of a clip; the atlas must have its texels.
ClipBlock takeBlock(const Atlas& atlas, std::size_t clip);

// Writes the bytes of a block to the texels of the atlas, which must be there. Clips have texels of
// their own, so that several may be written at once.
void putBlock(const ClipBlock& block, std::size_t clip, Atlas& atlas);

// Whether all texels that hold no pose are zero, so that blocks hold everything.
bool blocksHoldAll(const Atlas& atlas);

}  // namespace ck
