#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "core/atlas/atlas_layout.h"
#include "core/base/utf8.h"

namespace ck {
namespace {

constexpr int kLargestExtent = 1 << 16;

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

bool finite(const glm::vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool finite(const glm::dvec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool finite(const glm::vec4& v) {
  return finite(glm::vec3(v)) && std::isfinite(v.w);
}

Result<void> checkShape(const Atlas& atlas) {
  const EncodingInfo& info = encodingInfo(atlas.encoding);
  const glm::ivec4& block = atlas.shape.block;
  const glm::ivec4& extent = atlas.shape.extent;
  const std::int64_t perFrame =
      static_cast<std::int64_t>(atlas.joints.size()) * info.texelsPerJoint;
  if (block.x != info.texelsPerJoint || block.y != perFrame || extent.z != perFrame) {
    return bad(fmt::format("the atlas has {} joints, which are {} texels a frame, but says {}",
                           atlas.joints.size(), perFrame, block.y));
  }
  if (block.z < 1 || block.w < 1 || extent.w != 0 || extent.x < 1 || extent.y < 1 ||
      extent.x > kLargestExtent || extent.y > kLargestExtent ||
      std::int64_t{block.w} * extent.z != extent.x || extent.y % block.z != 0) {
    return bad(fmt::format("the atlas has a shape that makes no sense: {} x {} texels", extent.x,
                           extent.y));
  }
  const std::uint64_t bytes = static_cast<std::uint64_t>(extent.x) *
                              static_cast<std::uint64_t>(extent.y) *
                              static_cast<std::uint64_t>(bytesPerTexel(info.format));
  if (bytes != atlas.texels.size()) {
    return bad(fmt::format("the atlas of {} x {} texels needs {} bytes and has {}", extent.x,
                           extent.y, bytes, atlas.texels.size()));
  }
  return {};
}

bool makesSense(const ClipShape& shape) {
  if (!(shape.rate >= kSlowestClipRate && shape.rate <= kFastestClipRate)) return false;
  if (!shape.trim) return true;
  return std::isfinite(shape.trim->startSeconds) && std::isfinite(shape.trim->endSeconds) &&
         shape.trim->startSeconds <= shape.trim->endSeconds;
}

Result<void> checkClips(const Atlas& atlas) {
  const glm::ivec4& block = atlas.shape.block;
  const std::int64_t capacity = std::int64_t{block.w} * (atlas.shape.extent.y / block.z) * block.z;
  if (atlas.clips.empty()) return bad("the atlas has no clips");
  std::int64_t next = 0;
  for (const AtlasClip& clip : atlas.clips) {
    if (!isUtf8(clip.name) || !isUtf8(clip.sourceName)) {
      return bad("a clip of the atlas has a name that is not UTF-8");
    }
    if (!makesSense(clip.shape)) {
      return bad(fmt::format("clip '{}' has a cut or rate that makes no sense", clip.name));
    }
    const std::int64_t end = std::int64_t{clip.firstFrame} + clip.frameCount;
    if (clip.firstFrame < next || clip.frameCount < 2 || end > capacity) {
      return bad(fmt::format("clip '{}' lies at frames {} to {} of an atlas of {}", clip.name,
                             clip.firstFrame, end - 1, capacity));
    }
    next = end;
    if (!std::isfinite(clip.startSeconds) || !std::isfinite(clip.durationSeconds) ||
        clip.durationSeconds < 0.0 || !std::isfinite(clip.groundSpeedMetersPerSecond) ||
        !finite(clip.bounds.low) || !finite(clip.bounds.high)) {
      return bad(fmt::format("clip '{}' has a time, speed or box that makes no sense", clip.name));
    }
  }
  return {};
}

Result<void> checkJoints(const Atlas& atlas) {
  if (atlas.joints.empty()) return bad("the atlas has no joints");
  for (std::size_t joint = 0; joint < atlas.joints.size(); ++joint) {
    const AtlasJoint& entry = atlas.joints[joint];
    if (!isUtf8(entry.name)) return bad("a joint of the atlas has a name that is not UTF-8");
    if (entry.parent < -1 || entry.parent >= static_cast<int>(joint)) {
      return bad(
          fmt::format("joint '{}' names joint {} as its parent, which does not come before it",
                      entry.name, entry.parent));
    }
    if (!finite(entry.pivot)) {
      return bad(fmt::format("joint '{}' has a pivot that is not a place", entry.name));
    }
  }
  return {};
}

Result<void> checkRanges(const Atlas& atlas) {
  std::size_t wanted = 1;
  if (atlas.rangeMode != RangeMode::Atlas) wanted = atlas.joints.size();
  if (atlas.rangeMode == RangeMode::JointClip) wanted *= atlas.clips.size();
  if (atlas.ranges.size() != wanted) {
    return bad(fmt::format("the atlas needs {} ranges and has {}", wanted, atlas.ranges.size()));
  }
  for (const TexelRange& range : atlas.ranges) {
    if (!finite(range.low) || !finite(range.size) ||
        glm::any(glm::lessThan(range.size, glm::vec4(0.0f)))) {
      return bad("the atlas has a range that makes no sense");
    }
  }
  return {};
}

}  // namespace

Result<void> checkAtlas(const Atlas& atlas) {
  if (auto ok = checkJoints(atlas); !ok) return ok;
  if (auto ok = checkShape(atlas); !ok) return ok;
  if (auto ok = checkClips(atlas); !ok) return ok;
  if (auto ok = checkRanges(atlas); !ok) return ok;
  if (!isUtf8(atlas.sourcePath)) return bad("the atlas names a source whose path is not UTF-8");
  if (!std::isfinite(atlas.unitScale) || !(atlas.unitScale > 0.0)) {
    return bad(fmt::format("the atlas has a unit scale of {}", atlas.unitScale));
  }
  if (atlas.influences != 1 && atlas.influences != 2 && atlas.influences != 4) {
    return bad(
        fmt::format("the atlas is for {} influences; 1, 2 and 4 make sense", atlas.influences));
  }
  return {};
}

}  // namespace ck
