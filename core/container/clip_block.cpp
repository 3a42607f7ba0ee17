#include "core/container/clip_block.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/local_poses.h"

namespace ck {
namespace {

// Calls `visit(texels of a joint in the atlas, the same in the block)` for all poses of a clip. A
// texel of a track is as a joint.
template <class Visit>
void eachPose(const Atlas& atlas, std::size_t clip, const Visit& visit) {
  const std::size_t size = bytesPerJoint(codeOf(atlas));
  const std::vector<std::size_t> frames = frameOffsets(atlas, clip);
  std::size_t at = 0;
  for (std::size_t column = 0; column < columnCount(atlas); ++column) {
    for (const std::size_t frame : frames) {
      visit(frame + column * size, at, size);
      at += size;
    }
  }
}

}  // namespace

std::vector<std::size_t> frameOffsets(const Atlas& atlas, std::size_t clip) {
  const AtlasClip& entry = atlas.clips[clip];
  std::vector<std::size_t> offsets;
  for (int frame = 0; frame < entry.frameCount; ++frame) {
    offsets.push_back(texelOffset(atlas, entry.firstFrame + frame, 0));
  }
  return offsets;
}

TexelFormat numberFormat(const Atlas& atlas) {
  const EncodingInfo& info = encodingInfo(atlas.recipe);
  return info.packing == Packing::Bits16 ? TexelFormat::Rgba16 : info.format;
}

ClipBlock blockShape(const Atlas& atlas, std::size_t clip) {
  ClipBlock block;
  block.joints = columnCount(atlas);
  block.frames = static_cast<std::size_t>(atlas.clips[clip].frameCount);
  block.channelBytes =
      static_cast<std::size_t>(texelFormatInfo(numberFormat(atlas)).bytesPerChannel);
  block.channels = bytesPerJoint(codeOf(atlas)) / block.channelBytes;
  return block;
}

ClipBlock takeBlock(const Atlas& atlas, std::size_t clip) {
  ClipBlock block = blockShape(atlas, clip);
  block.bytes.resize(block.size());
  eachPose(atlas, clip, [&](std::size_t from, std::size_t to, std::size_t size) {
    std::copy_n(atlas.texels.data() + from, size, block.bytes.data() + to);
  });
  return block;
}

void putBlock(const ClipBlock& block, std::size_t clip, Atlas& atlas) {
  eachPose(atlas, clip, [&](std::size_t to, std::size_t from, std::size_t size) {
    std::copy_n(block.bytes.data() + from, size, atlas.texels.data() + to);
  });
}

bool blocksHoldAll(const Atlas& atlas) {
  std::vector<std::byte> rest = atlas.texels;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    eachPose(atlas, clip, [&](std::size_t at, std::size_t, std::size_t size) {
      std::fill_n(rest.data() + at, size, std::byte{0});
    });
  }
  return std::ranges::all_of(rest, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace ck
