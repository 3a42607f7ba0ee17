#include "core/atlas/atlas_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/local_poses.h"
#include "core/atlas/recipe_settings.h"
#include "core/base/utf8.h"

namespace ck {
namespace {

constexpr int kLargestExtent = 1 << 16;

tl::unexpected<Error> bad(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

template <class Vector>
bool finite(const Vector& v) {
  return !glm::any(glm::isnan(v)) && !glm::any(glm::isinf(v));
}

// The number of frames that the layout has room for.
std::int64_t capacityOf(const Atlas& atlas) {
  const glm::ivec4& block = atlas.shape.block;
  if (atlas.recipe.layout == LayoutKind::Linear) return block.z;
  return std::int64_t{block.w} * (atlas.shape.extent.y / block.z) * block.z;
}

// Whether the numbers of the shape are consistent with the layout.
bool makesSense(const Atlas& atlas) {
  const glm::ivec4& block = atlas.shape.block;
  const glm::ivec4& extent = atlas.shape.extent;
  const bool linear = atlas.recipe.layout == LayoutKind::Linear;
  if (block.z < 1 || block.w < 1 || extent.w != (linear ? 1 : 0) || extent.x < 1 || extent.y < 1 ||
      extent.x > kLargestExtent || extent.y > kLargestExtent) {
    return false;
  }
  const std::int64_t places = std::int64_t{extent.x} * extent.y;
  if (linear) {
    const std::int64_t most = std::min<std::int64_t>(places, std::numeric_limits<int>::max());
    return extent.z == block.y && block.w == 1 && block.z == most / block.y;
  }
  if (block.w != extent.x / extent.z || block.z > extent.y) return false;
  if (atlas.recipe.layout == LayoutKind::Tiles) return extent.z == block.z && extent.z >= block.y;
  return extent.z == block.y && extent.y % block.z == 0;
}

Result<void> checkShape(const Atlas& atlas, std::uint64_t texelBytes) {
  const EncodingInfo& info = encodingInfo(atlas.recipe);
  const glm::ivec4& block = atlas.shape.block;
  const glm::ivec4& extent = atlas.shape.extent;
  if (!isPossible(codeOf(atlas))) {
    return bad(fmt::format("the atlas has components '{}', which {} does not know",
                           componentsName(*atlas.recipe.components), info.name));
  }
  const int perJoint = texelsPerJoint(codeOf(atlas));
  const std::int64_t ofTracks = std::int64_t{trackCount(tracksOf(atlas))} * info.trackTexels;
  const std::int64_t perFrame =
      static_cast<std::int64_t>(atlas.joints.size()) * perJoint + ofTracks;
  if (block.x != perJoint || block.y != perFrame || extent.z < 1) {
    return bad(fmt::format("the atlas has {} joints, which are {} texels a frame, but says {}",
                           atlas.joints.size(), perFrame, block.y));
  }
  if (!makesSense(atlas)) {
    return bad(fmt::format("the atlas has a shape that makes no sense: {} x {} texels", extent.x,
                           extent.y));
  }
  const std::uint64_t bytes = static_cast<std::uint64_t>(extent.x) *
                              static_cast<std::uint64_t>(extent.y) *
                              static_cast<std::uint64_t>(bytesPerTexel(info.format));
  if (bytes != texelBytes) {
    return bad(fmt::format("the atlas of {} x {} texels needs {} bytes and has {}", extent.x,
                           extent.y, bytes, texelBytes));
  }
  return {};
}

bool makesSense(const ClipEdit& edit) {
  if (!(edit.rate >= kSlowestClipRate && edit.rate <= kFastestClipRate)) return false;
  if (!(edit.loopOffset >= 0.0 && edit.loopOffset < 1.0) || !isUtf8(edit.root.joint)) return false;
  if (!(edit.smallestKeyGapSeconds >= 0.0) || !std::isfinite(edit.smallestKeyGapSeconds)) {
    return false;
  }
  if (!edit.trim) return true;
  return std::isfinite(edit.trim->startSeconds) && std::isfinite(edit.trim->endSeconds) &&
         edit.trim->startSeconds <= edit.trim->endSeconds;
}

// Whether the step frames are moments after the first, in ascending order, and all kept.
bool stepFramesMakeSense(const AtlasClip& clip) {
  if (clip.stepFrames.size() > static_cast<std::size_t>(clip.frameCount / 2)) return false;
  const std::vector<int>& kept = clip.keptMoments;
  int before = 0;
  for (const int moment : clip.stepFrames) {
    if (moment <= before || moment >= momentCount(clip)) return false;
    if (!kept.empty() && !std::ranges::binary_search(kept, moment)) return false;
    before = moment;
  }
  return true;
}

// Whether the kept moments, if not all are, begin with the first and are as many as have frames.
bool keptMomentsMakeSense(const AtlasClip& clip) {
  const std::vector<int>& kept = clip.keptMoments;
  if (kept.empty()) return true;
  const std::size_t due = static_cast<std::size_t>(clip.frameCount) - clip.stepFrames.size();
  if (kept.size() != due || due < 2 || kept.front() != 0) return false;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    const std::int64_t gap = std::int64_t{kept[i]} - kept[i - 1];
    if (gap < 1 || gap > kLongestGap) return false;
  }
  return kept.back() >= static_cast<int>(kept.size()) &&
         kept.back() < std::numeric_limits<int>::max();
}

// Whether a clip has one place for each moment, the first one zero, if its way is extracted.
bool rootMotionMakesSense(const AtlasClip& clip) {
  const bool extracted = clip.edit.root.motion == RootMotion::Extract;
  if (extracted == clip.rootMotion.empty()) return false;
  if (!extracted) return true;
  const auto isPlace = [](const RootPlace& place) {
    return finite(place.position) && std::isfinite(place.yaw);
  };
  return clip.rootMotion.size() == static_cast<std::size_t>(momentCount(clip)) &&
         clip.rootMotion.front() == RootPlace{} && std::ranges::all_of(clip.rootMotion, isPlace);
}

Result<void> checkClips(const Atlas& atlas) {
  const std::int64_t capacity = capacityOf(atlas);
  if (atlas.clips.empty()) return bad("the atlas has no clips");
  std::int64_t next = 0;
  for (const AtlasClip& clip : atlas.clips) {
    if (!isUtf8(clip.name) || !isUtf8(clip.sourceName)) {
      return bad("a clip of the atlas has a name that is not UTF-8");
    }
    if (!makesSense(clip.edit)) {
      return bad(
          fmt::format("clip '{}' has a cut, rate or other edit that makes no sense", clip.name));
    }
    const std::int64_t end = std::int64_t{clip.firstFrame} + clip.frameCount;
    if (clip.firstFrame < next || clip.frameCount < 2 || end > capacity) {
      return bad(fmt::format("clip '{}' lies at frames {} to {} of an atlas of {}", clip.name,
                             clip.firstFrame, end - 1, capacity));
    }
    if (!keptMomentsMakeSense(clip)) {
      return bad(fmt::format("clip '{}' keeps moments that make no sense", clip.name));
    }
    if (!clip.keptMoments.empty() && atlas.recipe.reduceMm == 0.0) {
      return bad(
          fmt::format("clip '{}' has moments without frames, and the atlas says that none "
                      "were left out",
                      clip.name));
    }
    if (!stepFramesMakeSense(clip)) {
      return bad(fmt::format("clip '{}' has step frames that make no sense", clip.name));
    }
    if (!rootMotionMakesSense(clip)) {
      return bad(fmt::format("clip '{}' has root motion that makes no sense", clip.name));
    }
    next = end;
    const int perTile = atlas.shape.block.z;
    if (atlas.recipe.layout == LayoutKind::Tiles &&
        (clip.firstFrame % perTile != 0 || clip.frameCount > perTile)) {
      return bad(fmt::format("clip '{}' does not lie in a tile of its own", clip.name));
    }
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
    const glm::mat4& bind = entry.inverseBind;
    const glm::vec4 lastRow(bind[0].w, bind[1].w, bind[2].w, bind[3].w);
    if (!finite(bind[0]) || !finite(bind[1]) || !finite(bind[2]) || !finite(bind[3]) ||
        lastRow != glm::vec4(0.0f, 0.0f, 0.0f, 1.0f)) {
      return bad(
          fmt::format("joint '{}' has an inverse bind matrix that makes no sense", entry.name));
    }
  }
  return {};
}

Result<void> checkRanges(const Atlas& atlas) {
  std::size_t wanted = 1;
  if (atlas.recipe.rangeMode != RangeMode::Atlas) wanted = atlas.joints.size();
  if (atlas.recipe.rangeMode == RangeMode::JointClip) wanted *= atlas.clips.size();
  const auto perJoint = static_cast<std::size_t>(rangesPerJoint(codeOf(atlas)));
  if (perJoint == 0 && atlas.recipe.rangeMode != RangeMode::Joint) {
    return bad("the atlas speaks of ranges, and its encoding has none");
  }
  if (atlas.recipe.rangeMode == RangeMode::Atlas && isLocal(encodingInfo(atlas.recipe))) {
    return bad(fmt::format("the atlas has one range for all joints, and {} needs one for each",
                           encodingInfo(atlas.recipe).name));
  }
  wanted *= perJoint;
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

// Whether the numbers of the recipe are possible, and frames can have been left out as it says.
Result<void> checkRecipe(const BakeRecipe& recipe) {
  Result<void> ok;
  forEachSetting([&]<class Member>(const RecipeSetting<Member>& setting) {
    if constexpr (!kIsChoice<Member>) {
      using Value = typename RecipeSetting<Member>::Value;
      if constexpr (kIsAutomaticNumber<Member>) {
        if (!(recipe.*setting.member)) return;
      }
      const Value value = SettingValue<Member>::of(recipe.*setting.member);
      if (ok && !setting.isPossible(value)) {
        ok = bad(fmt::format(fmt::runtime(setting.wrong), value));
      }
    }
  });
  if (!ok || recipe.reduceMm == 0.0 || recipe.interpolate) return ok;
  return bad("the atlas leaves frames out, and is meant to be shown without interpolation");
}

}  // namespace

// Float texels must be finite.
Result<void> checkTexels(const Atlas& atlas) {
  const TexelFormat format = encodingInfo(atlas.recipe).format;
  if (format == TexelFormat::Rgba16F) {
    constexpr std::byte kHalfExponent{0x7c};
    for (std::size_t i = 1; i < atlas.texels.size(); i += 2) {
      if ((atlas.texels[i] & kHalfExponent) != kHalfExponent) continue;
      return bad(fmt::format("value {} of the atlas's texels is not a finite number", i / 2));
    }
  }
  if (format != TexelFormat::Rgba32F) return {};
  constexpr std::byte kExponent{0x7f};
  for (std::size_t i = 0; i + 4 <= atlas.texels.size(); i += 4) {
    // All exponent bits are set: infinity or NaN.
    if ((atlas.texels[i + 3] & kExponent) == kExponent &&
        (atlas.texels[i + 2] & std::byte{0x80}) != std::byte{0}) {
      return bad(fmt::format("value {} of the atlas's texels is not a finite number", i / 4));
    }
  }
  return {};
}

Result<void> checkAtlas(const Atlas& atlas) {
  if (auto ok = checkDescription(atlas, atlas.texels.size()); !ok) return ok;
  return checkTexels(atlas);
}

Result<void> checkDescription(const Atlas& atlas, std::uint64_t texelBytes) {
  if (auto ok = checkJoints(atlas); !ok) return ok;
  if (auto ok = checkShape(atlas, texelBytes); !ok) return ok;
  if (auto ok = checkClips(atlas); !ok) return ok;
  if (auto ok = checkRanges(atlas); !ok) return ok;
  std::vector<int> frameCounts;
  for (const AtlasClip& clip : atlas.clips) frameCounts.push_back(clip.frameCount);
  if (auto ok = checkMorphs(atlas.morphs, frameCounts); !ok) return ok;
  if (auto ok = checkRecipe(atlas.recipe); !ok) return ok;
  if (!isUtf8(atlas.sourcePath)) return bad("the atlas names a source whose path is not UTF-8");
  if (!std::isfinite(atlas.unitScale) || !(atlas.unitScale > 0.0)) {
    return bad(fmt::format("the atlas has a unit scale of {}", atlas.unitScale));
  }
  return {};
}

}  // namespace ck
