#include "core/atlas/atlas_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

#include "core/base/assert.h"

namespace ck {
namespace {

constexpr int kLargestTexture = 1 << 16;

tl::unexpected<Error> tooMuch(std::string sentence) {
  return fail(ErrorCode::LimitExceeded, std::move(sentence));
}

std::int64_t powerOfTwoAbove(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value)));
}

int mostOf(const LayoutRequest& request) {
  return std::min(request.maxTextureSize, kLargestTexture);
}

// The request in 64-bit numbers, which cannot overflow.
struct Needs {
  explicit Needs(const LayoutRequest& request)
      : perJoint(texelsPerJoint(request.code)),
        ofTracks(request.trackTexels),
        perFrame(std::int64_t{request.jointCount} * perJoint + ofTracks),
        frames(std::accumulate(request.frameCounts.begin(), request.frameCounts.end(),
                               std::int64_t{0})),
        texelBytes(bytesPerTexel(encodingInfo(request.code.encoding).format)),
        mostWide(request.width > 0 ? request.width : mostOf(request)),
        mostHigh(request.height > 0 ? request.height : mostOf(request)) {}

  // The joints for whose texels, beside those of tracks, so many texels are enough.
  std::int64_t jointsIn(std::int64_t texels) const {
    return std::max<std::int64_t>(texels - ofTracks, 0) / perJoint;
  }

  std::int64_t perJoint;
  std::int64_t ofTracks;
  std::int64_t perFrame;
  std::int64_t frames;
  std::int64_t texelBytes;
  std::int64_t mostWide;
  std::int64_t mostHigh;
};

AtlasLayout layoutOf(const Needs& needs, const gpu::CkAtlasShape& shape,
                     std::span<const std::int64_t> firstFrames) {
  AtlasLayout layout;
  layout.shape = shape;
  for (const std::int64_t first : firstFrames)
    layout.firstFrames.push_back(static_cast<int>(first));
  layout.texels =
      static_cast<std::size_t>(shape.extent.x) * static_cast<std::size_t>(shape.extent.y);
  layout.bytes = layout.texels * static_cast<std::size_t>(needs.texelBytes);
  layout.usedTexels = static_cast<std::size_t>(needs.frames * needs.perFrame);
  return layout;
}

// A message like "3 joints need 9 texels side by side ...". `holds` names the available space.
std::string tooManyJoints(const Needs& needs, std::int64_t jointCount, std::string_view holds,
                          std::int64_t wide) {
  return fmt::format("{} joints need {} texels side by side, and {}; at most {} joints fit",
                     jointCount, needs.perFrame, holds, needs.jointsIn(wide));
}

// `needed` counts rows that stay empty at the ends of columns, too.
std::string tooManyFrames(const Needs& needs, std::int64_t needed, std::int64_t held) {
  const double mebibytes =
      static_cast<double>(needs.frames * needs.perFrame * needs.texelBytes) / 1048576;
  // One column, or a line, has no ends.
  const bool hasEnds = held > needs.mostHigh;
  const double share =
      100.0 * static_cast<double>(held) / static_cast<double>(hasEnds ? needed : needs.frames);
  return fmt::format(
      "the clips need {} frames ({:.1f} MiB), and a texture of {} x {} holds {}; bake fewer clips "
      "or lower the rate to {:.0f} % of what it is",
      needs.frames, mebibytes, needs.mostWide, needs.mostHigh, held, std::max(1.0, share - 0.5));
}

Result<void> checkSizes(const LayoutRequest& request) {
  const int most = mostOf(request);
  for (const int size : {request.width, request.height}) {
    if (size < 0) {
      return fail(ErrorCode::InvalidInput, fmt::format("a texture cannot be {} texels wide or "
                                                       "high; 0 stands for as many as are needed",
                                                       size));
    }
    if (size > most) {
      return tooMuch(
          fmt::format("the texture is to be {} texels wide or high, and textures may be "
                      "{} at most",
                      size, most));
    }
    if (size > 0 && request.powerOfTwo && !std::has_single_bit(static_cast<unsigned>(size))) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("a texture of {} texels is no power of two; {} and {} are", size,
                              std::bit_floor(static_cast<unsigned>(size)),
                              std::bit_ceil(static_cast<unsigned>(size))));
    }
  }
  return {};
}

// First frames, and the frame after the last, for columns of `columnFrames` frames.
std::int64_t place(std::span<const int> frameCounts, std::int64_t columnFrames,
                   std::vector<std::int64_t>& firstFrames) {
  std::int64_t next = 0;
  firstFrames.clear();
  for (const int count : frameCounts) {
    const std::int64_t left = columnFrames - next % columnFrames;
    if (count > left && count <= columnFrames) next += left;
    firstFrames.push_back(next);
    next += count;
  }
  return next;
}

// A layout with columns of equal height.
struct Rows {
  std::int64_t height = 0;
  std::int64_t columns = 0;
  std::int64_t width = 0;
  std::int64_t end = 0;  // the frame after the last one
  std::vector<std::int64_t> firstFrames;
};

Rows rowsOfHeight(const LayoutRequest& request, const Needs& needs, std::int64_t height) {
  Rows rows;
  rows.height = height;
  rows.end = place(request.frameCounts, height, rows.firstFrames);
  rows.columns = (rows.end + height - 1) / height;
  rows.width = rows.columns * needs.perFrame;
  if (request.powerOfTwo) rows.width = powerOfTwoAbove(rows.width);
  if (request.width > 0 && rows.width <= request.width) rows.width = request.width;
  return rows;
}

// The column heights to try, in order of preference.
std::vector<std::int64_t> heightsToTry(const LayoutRequest& request, const Needs& needs) {
  if (request.height > 0) return {needs.mostHigh};
  std::vector<std::int64_t> heights;
  if (request.powerOfTwo) {
    // Prefer a height at which no clip is split.
    const int longest = *std::max_element(request.frameCounts.begin(), request.frameCounts.end());
    const auto highest =
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(needs.mostHigh)));
    std::int64_t height = std::min(powerOfTwoAbove(longest), highest);
    for (; height <= highest; height *= 2) heights.push_back(height);
    return heights;
  }
  if (request.width == 0) return {std::min(needs.frames, needs.mostHigh)};
  const std::int64_t columns = needs.mostWide / needs.perFrame;
  for (std::int64_t height = (needs.frames + columns - 1) / columns; height <= needs.mostHigh;
       ++height) {
    heights.push_back(height);
  }
  return heights;
}

Result<AtlasLayout> layOutRows(const LayoutRequest& request, const Needs& needs) {
  if (needs.perFrame > needs.mostWide) {
    return tooMuch(tooManyJoints(needs, request.jointCount,
                                 fmt::format("the texture may be {} wide", needs.mostWide),
                                 needs.mostWide));
  }
  std::optional<Rows> best;
  for (const std::int64_t height : heightsToTry(request, needs)) {
    Rows rows = rowsOfHeight(request, needs, height);
    if (rows.width > needs.mostWide || rows.end > std::numeric_limits<std::int32_t>::max())
      continue;
    // Prefer the taller of two equal areas: fewer clips are split over two columns.
    if (!best || rows.width * rows.height <= best->width * best->height) best = std::move(rows);
    if (!request.powerOfTwo) break;
  }
  if (!best) {
    const std::int64_t held = needs.mostWide / needs.perFrame * needs.mostHigh;
    const Rows rows = rowsOfHeight(request, needs, needs.mostHigh);
    return tooMuch(tooManyFrames(needs, std::max(needs.frames, rows.end), held));
  }
  gpu::CkAtlasShape shape = {};
  const std::int64_t columns = std::max(best->columns, best->width / needs.perFrame);
  shape.block = glm::ivec4(needs.perJoint, needs.perFrame, best->height, columns);
  shape.extent = glm::ivec4(best->width, best->height, needs.perFrame, 0);
  AtlasLayout layout = layoutOf(needs, shape, best->firstFrames);
  layout.jointsThatFit = static_cast<int>(needs.jointsIn(needs.mostWide / best->columns));
  return layout;
}

// A suggestion how the joints would fit into a tile.
std::string widerTile(const Needs& needs, const LayoutRequest& request) {
  const std::int64_t tile = powerOfTwoAbove(needs.perFrame);
  const std::int64_t texels = request.tile / request.jointCount;
  std::string text = fmt::format("; tiles of {} would hold them", tile);
  if (texels > 0) {
    text += fmt::format(
        ", or {} texel{} per joint instead of {} (another encoding or fewer "
        "components)",
        texels, texels == 1 ? "" : "s", needs.perJoint);
  }
  return text;
}

// The smallest power of two whose square holds that many tiles.
std::int64_t squareOfTiles(std::int64_t clips, std::int64_t tile) {
  std::int64_t side = powerOfTwoAbove(tile);
  while ((side / tile) * (side / tile) < clips) side *= 2;
  return side;
}

// "1024 x 1024 would hold them; ", if textures may be that large.
std::string squareThatHolds(const LayoutRequest& request, std::int64_t clips) {
  const std::int64_t side = squareOfTiles(clips, request.tile);
  if (side > mostOf(request)) return {};
  return fmt::format("{} x {} would hold them; ", side, side);
}

Result<AtlasLayout> layOutTiles(const LayoutRequest& request, const Needs& needs) {
  const std::int64_t tile = request.tile;
  const auto clips = static_cast<std::int64_t>(request.frameCounts.size());
  if (tile < 2) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("tiles of {} texels hold nothing; 2 is the least", tile));
  }
  if (needs.perFrame > tile) {
    return tooMuch(
        tooManyJoints(needs, request.jointCount, fmt::format("a tile is {} wide", tile), tile) +
        widerTile(needs, request));
  }
  std::int64_t width = request.width;
  std::int64_t height = request.height;
  if (width == 0 && height == 0) {
    width = squareOfTiles(clips, tile);
    height = width;
  } else if (width == 0) {
    const std::int64_t down = std::max<std::int64_t>(height / tile, 1);
    width = powerOfTwoAbove(tile * ((clips + down - 1) / down));
  } else if (height == 0) {
    const std::int64_t across = std::max<std::int64_t>(width / tile, 1);
    height = powerOfTwoAbove(tile * ((clips + across - 1) / across));
  }
  const std::int64_t wide = std::min(width, needs.mostWide);
  const std::int64_t high = std::min(height, needs.mostHigh);
  if (width > wide || height > high || (wide / tile) * (high / tile) < clips) {
    return tooMuch(fmt::format(
        "{} clips need as many tiles of {} x {} texels, and a texture of {} x {} holds {}; {}bake "
        "fewer clips, or smaller tiles or a larger texture",
        clips, tile, tile, wide, high, (wide / tile) * (high / tile),
        squareThatHolds(request, clips)));
  }
  std::vector<std::int64_t> firstFrames;
  for (std::int64_t clip = 0; clip < clips; ++clip) {
    CK_ASSERT(request.frameCounts[static_cast<std::size_t>(clip)] <= tile);
    firstFrames.push_back(clip * tile);
  }
  gpu::CkAtlasShape shape = {};
  shape.block = glm::ivec4(needs.perJoint, needs.perFrame, tile, width / tile);
  shape.extent = glm::ivec4(width, height, tile, 0);
  AtlasLayout layout = layoutOf(needs, shape, firstFrames);
  layout.jointsThatFit = static_cast<int>(needs.jointsIn(tile));
  return layout;
}

Result<AtlasLayout> layOutLinear(const LayoutRequest& request, const Needs& needs) {
  const std::int64_t most = needs.mostWide * needs.mostHigh;
  // Shaders compute positions along the line in 32 bits.
  const std::int64_t held =
      std::min<std::int64_t>(most, std::numeric_limits<std::int32_t>::max()) / needs.perFrame;
  if (needs.frames > held) {
    return tooMuch(needs.perFrame > most
                       ? fmt::format("{} joints need {} texels a frame, and a texture of {} x {} "
                                     "has {}; at most {} joints fit",
                                     request.jointCount, needs.perFrame, needs.mostWide,
                                     needs.mostHigh, most, needs.jointsIn(most / needs.frames))
                       : tooManyFrames(needs, needs.frames, held));
  }
  const std::int64_t texels = needs.frames * needs.perFrame;
  std::int64_t width = request.width;
  std::int64_t height = request.height;
  if (width == 0 && height == 0) {
    width = 1;
    while (width * width < texels) width *= 2;
    height = width;
  } else if (width == 0) {
    width = powerOfTwoAbove((texels + height - 1) / height);
  } else if (height == 0) {
    height = powerOfTwoAbove((texels + width - 1) / width);
  }
  if (width > needs.mostWide || height > needs.mostHigh) {
    return tooMuch(
        fmt::format("the clips need {} texels, which are a texture of {} x {}, and it "
                    "may be {} x {}; bake fewer clips or lower the rate",
                    texels, width, height, needs.mostWide, needs.mostHigh));
  }
  std::vector<std::int64_t> firstFrames;
  std::int64_t next = 0;
  for (const int count : request.frameCounts) {
    firstFrames.push_back(next);
    next += count;
  }
  const std::int64_t capacity =
      std::min(width * height, static_cast<std::int64_t>(std::numeric_limits<std::int32_t>::max()));
  gpu::CkAtlasShape shape = {};
  shape.block = glm::ivec4(needs.perJoint, needs.perFrame, capacity / needs.perFrame, 1);
  shape.extent = glm::ivec4(width, height, needs.perFrame, 1);
  AtlasLayout layout = layoutOf(needs, shape, firstFrames);
  layout.jointsThatFit = static_cast<int>(needs.jointsIn(capacity / needs.frames));
  return layout;
}

Result<AtlasLayout> layOut(const LayoutRequest& request) {
  const Needs needs(request);
  switch (request.kind) {
    case LayoutKind::Rows:
      return layOutRows(request, needs);
    case LayoutKind::Tiles:
      return layOutTiles(request, needs);
    case LayoutKind::Linear:
      return layOutLinear(request, needs);
  }
  return fail(ErrorCode::Internal, "a layout of no kind");
}

// A larger texture that holds what the one asked for does not, as the end of a sentence; empty if
// none does.
std::string sizeThatHolds(LayoutRequest request) {
  const int most = mostOf(request);
  while (request.width > 0 || request.height > 0) {
    const bool wider = request.height == 0 || (request.width > 0 && request.width < request.height);
    int& side = wider ? request.width : request.height;
    if (side > most / 2) return {};
    side *= 2;
    if (const auto layout = layOut(request)) {
      const auto& extent = layout->shape.extent;
      return fmt::format("; {} x {} texels would hold them", extent.x, extent.y);
    }
  }
  return {};
}

}  // namespace

Result<AtlasLayout> layOutAtlas(const LayoutRequest& request) {
  CK_ASSERT(request.jointCount > 0 && !request.frameCounts.empty());
  if (auto ok = checkSizes(request); !ok) return tl::unexpected(ok.error());
  auto layout = layOut(request);
  // Tiles say so themselves.
  if (layout || request.kind == LayoutKind::Tiles) return layout;
  return tooMuch(layout.error().message + sizeThatHolds(request));
}

std::size_t texelOffset(const Atlas& atlas, int frame, int joint) {
  const glm::ivec2 texel = gpu::ck_atlasTexel(atlas.shape, frame, joint, 0);
  const std::size_t index =
      static_cast<std::size_t>(texel.y) * static_cast<std::size_t>(atlasWidth(atlas)) +
      static_cast<std::size_t>(texel.x);
  return index * static_cast<std::size_t>(bytesPerTexel(encodingInfo(atlas.recipe).format));
}

}  // namespace ck
