#include "core/atlas/atlas_map.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/atlas/local_poses.h"
#include "core/atlas/pose_codec.h"
#include "core/base/assert.h"

namespace ck {
namespace {

// A frame of the atlas, and an offset into its texels.
struct FramePlace {
  std::int64_t frame = -1;
  int along = 0;
};

std::optional<FramePlace> framePlaceAt(const gpu::CkAtlasShape& shape, int x, int y) {
  if (shape.extent.w == 1) {
    const std::int64_t index = std::int64_t{y} * shape.extent.x + x;
    return FramePlace{index / shape.block.y, static_cast<int>(index % shape.block.y)};
  }
  const int column = x / shape.extent.z;
  const int along = x % shape.extent.z;
  if (column >= shape.block.w || along >= shape.block.y) return std::nullopt;
  const std::int64_t block = std::int64_t{y / shape.block.z} * shape.block.w + column;
  return FramePlace{block * shape.block.z + y % shape.block.z, along};
}

std::size_t byteOf(const Atlas& atlas, int x, int y) {
  CK_ASSERT(x >= 0 && y >= 0 && x < atlasWidth(atlas) && y < atlasHeight(atlas));
  const std::size_t index =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(atlasWidth(atlas)) +
      static_cast<std::size_t>(x);
  return index * static_cast<std::size_t>(bytesPerTexel(encodingInfo(atlas.recipe).format));
}

// A part of a frame in the linear layout, split at line ends: the first part, whole lines, the last
// part.
std::vector<TexelRect> lineRects(const gpu::CkAtlasShape& shape, std::int64_t begin,
                                 std::int64_t end) {
  const std::int64_t width = shape.extent.x;
  std::vector<TexelRect> rects;
  while (begin < end) {
    const std::int64_t x = begin % width;
    const std::int64_t lines = x == 0 ? (end - begin) / width : 0;
    const std::int64_t length = lines > 0 ? lines * width : std::min(end - begin, width - x);
    rects.push_back({static_cast<int>(x), static_cast<int>(begin / width),
                     static_cast<int>(lines > 0 ? width : length),
                     static_cast<int>(std::max<std::int64_t>(lines, 1))});
    begin += length;
  }
  return rects;
}

}  // namespace

std::optional<TexelPlace> texelPlaceAt(const Atlas& atlas, int x, int y) {
  if (x < 0 || y < 0 || x >= atlasWidth(atlas) || y >= atlasHeight(atlas)) return std::nullopt;
  const auto at = framePlaceAt(atlas.shape, x, y);
  if (!at) return std::nullopt;
  const auto after =
      std::find_if(atlas.clips.begin(), atlas.clips.end(),
                   [&](const AtlasClip& clip) { return clip.firstFrame > at->frame; });
  if (after == atlas.clips.begin()) return std::nullopt;
  const AtlasClip& clip = *(after - 1);
  const std::int64_t frame = at->frame - clip.firstFrame;
  if (frame >= clip.frameCount) return std::nullopt;
  const int perJoint = atlas.shape.block.x;
  const int number = static_cast<int>(after - atlas.clips.begin()) - 1;
  const int beyond = at->along - perJoint * static_cast<int>(atlas.joints.size());
  if (beyond < 0) {
    return TexelPlace{number, static_cast<int>(frame), at->along / perJoint, at->along % perJoint};
  }
  const int perTrack = encodingInfo(atlas.recipe).trackTexels;
  const std::vector<int> tracks = tracksOf(atlas);
  const auto owner = std::ranges::find(tracks, beyond / perTrack);
  return TexelPlace{number, static_cast<int>(frame), static_cast<int>(owner - tracks.begin()),
                    perJoint + beyond % perTrack};
}

TexelKind texelKind(const Atlas& atlas, int texel) {
  const EncodingInfo& info = encodingInfo(atlas.recipe);
  CK_ASSERT(texel >= 0 && texel < atlas.shape.block.x + info.trackTexels);
  if (texel >= atlas.shape.block.x) return TexelKind::Track;
  return isPacked(info) ? wordsOf(info.packing).kind : valueKind(codeOf(atlas), texel);
}

std::vector<TexelRect> frameRects(const Atlas& atlas, int first, int count) {
  const gpu::CkAtlasShape& shape = atlas.shape;
  const std::int64_t perFrame = shape.block.y;
  if (shape.extent.w == 1) {
    return lineRects(shape, perFrame * first, perFrame * (std::int64_t{first} + count));
  }
  std::vector<TexelRect> rects;
  const int end = first + count;
  while (first < end) {
    const glm::ivec2 corner = gpu::ck_atlasTexel(shape, first, 0, 0);
    const int rows = std::min(end - first, shape.block.z - first % shape.block.z);
    rects.push_back({corner.x, corner.y, shape.block.y, rows});
    first += rows;
  }
  return rects;
}

std::vector<TexelRect> clipRects(const Atlas& atlas, int clip) {
  const AtlasClip& of = atlas.clips[static_cast<std::size_t>(clip)];
  return frameRects(atlas, of.firstFrame, of.frameCount);
}

glm::uvec4 texelBits(const Atlas& atlas, int x, int y) {
  const std::size_t at = byteOf(atlas, x, y);
  const std::span<const std::byte> texel = std::span(atlas.texels).subspan(at);
  const TexelFormat format = texelFormatOf(atlas);
  glm::uvec4 bits(0u);
  for (int channel = 0; channel < texelFormatInfo(format).channels; ++channel) {
    bits[channel] = channelBits(format, texel, static_cast<std::size_t>(channel));
  }
  return bits;
}

glm::vec4 texelValue(const Atlas& atlas, int x, int y) {
  const glm::uvec4 bits = texelBits(atlas, x, y);
  glm::vec4 value(0.0f);
  for (int i = 0; i < 4; ++i) {
    value[i] = channelValue(encodingInfo(atlas.recipe).format, bits[i]);
  }
  return value;
}

ChannelBounds channelBounds(const Atlas& atlas) {
  CK_ASSERT(!atlas.clips.empty());
  const glm::ivec2 first = gpu::ck_atlasTexel(atlas.shape, atlas.clips.front().firstFrame, 0, 0);
  const glm::vec4 start = texelValue(atlas, first.x, first.y);
  ChannelBounds bounds{start, start};
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    for (const TexelRect& rect : clipRects(atlas, static_cast<int>(clip))) {
      for (int y = rect.y; y < rect.y + rect.height; ++y) {
        for (int x = rect.x; x < rect.x + rect.width; ++x) {
          const glm::vec4 value = texelValue(atlas, x, y);
          bounds.low = glm::min(bounds.low, value);
          bounds.high = glm::max(bounds.high, value);
        }
      }
    }
  }
  return bounds;
}

}  // namespace ck
