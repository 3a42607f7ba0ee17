#include "core/atlas/atlas_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/base/assert.h"

namespace ck {
namespace {

// Room for the frames of one atlas under a texture limit.
struct Room {
  std::int64_t texelsPerFrame = 0;
  std::int64_t columns = 0;  // how many columns of frames fit side by side
  std::int64_t frames = 0;   // in all of them
};

Room roomFor(std::int64_t texelsPerFrame, std::int64_t limit) {
  const std::int64_t columns = limit / texelsPerFrame;
  return {texelsPerFrame, columns, columns * limit};
}

// First frames, and the frame after the last one, for columns of `columnFrames` frames.
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

std::string tooManyJoints(int jointCount, std::int64_t texelsPerFrame, std::int64_t limit,
                          std::int64_t texelsPerJoint) {
  return fmt::format(
      "{} joints need {} texels side by side, and the texture may be {} wide; at most {} joints "
      "fit",
      jointCount, texelsPerFrame, limit, limit / texelsPerJoint);
}

std::string tooManyFrames(std::int64_t frames, const Room& room, std::int64_t limit,
                          std::int64_t bytesPerFrame) {
  const double mebibytes =
      static_cast<double>(frames) * static_cast<double>(bytesPerFrame) / 1048576;
  return fmt::format(
      "the clips need {} frames ({:.1f} MiB), and a texture of {} x {} holds {}; bake fewer clips "
      "or "
      "lower the rate to {:.0f} % of what it is",
      frames, mebibytes, limit, limit, room.frames,
      std::max(1.0, 100.0 * static_cast<double>(room.frames) / static_cast<double>(frames) - 0.5));
}

}  // namespace

Result<AtlasLayout> layOutAtlas(LayoutKind kind, Encoding encoding, int jointCount,
                                std::span<const int> frameCounts, int maxTextureSize) {
  CK_ASSERT(kind == LayoutKind::Rows);
  CK_ASSERT(jointCount > 0 && !frameCounts.empty());
  const EncodingInfo& info = encodingInfo(encoding);
  const std::int64_t limit = maxTextureSize;
  const std::int64_t width = std::int64_t{jointCount} * info.texelsPerJoint;
  if (width > limit) {
    return fail(ErrorCode::LimitExceeded,
                tooManyJoints(jointCount, width, limit, info.texelsPerJoint));
  }
  std::int64_t frames = 0;
  for (const int count : frameCounts) frames += count;

  const Room room = roomFor(width, limit);
  const std::int64_t columnFrames = std::min(frames, limit);
  std::vector<std::int64_t> firstFrames;
  const std::int64_t end = place(frameCounts, columnFrames, firstFrames);
  const std::int64_t columns = (end + columnFrames - 1) / columnFrames;
  const std::int64_t texelBytes = bytesPerTexel(info.format);
  if (columns > room.columns) {
    return fail(ErrorCode::LimitExceeded,
                tooManyFrames(std::max(frames, end), room, limit, width * texelBytes));
  }

  AtlasLayout layout;
  layout.shape.block = glm::ivec4(info.texelsPerJoint, width, columnFrames, columns);
  layout.shape.extent = glm::ivec4(columns * width, columnFrames, width, 0);
  for (const std::int64_t first : firstFrames)
    layout.firstFrames.push_back(static_cast<int>(first));
  layout.bytes = static_cast<std::size_t>(columns * width * columnFrames * texelBytes);
  return layout;
}

std::size_t texelOffset(const Atlas& atlas, int frame, int joint) {
  const glm::ivec2 texel = gpu::ck_atlasTexel(atlas.shape, frame, joint, 0);
  const std::size_t index =
      static_cast<std::size_t>(texel.y) * static_cast<std::size_t>(atlasWidth(atlas)) +
      static_cast<std::size_t>(texel.x);
  return index * static_cast<std::size_t>(bytesPerTexel(encodingInfo(atlas.encoding).format));
}

}  // namespace ck
