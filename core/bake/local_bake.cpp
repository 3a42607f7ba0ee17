#include "core/bake/local_bake.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/atlas/local_poses.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose_ranges.h"
#include "core/bake/texel_ranges.h"

namespace ck {
namespace {

// Positions that stray by less, as a share of the character's size, are constant: 0.02 mm on 2 m,
// and 0.2 mm where rotations have 10 bits.
constexpr double kStillShare = 1e-5;
constexpr double kStillShareOf10Bits = 1e-4;
// A change of scale that moves a vertex, or a joint that hangs there, by less is none.
constexpr double kNoScaleMm = 0.1;

double stillMeters(const Character& character, TexelCode code) {
  const Bounds bounds = bindBounds(character);
  const bool isCoarse = encodingInfo(code.encoding).packing == Packing::Turn10;
  return (isCoarse ? kStillShareOf10Bits : kStillShare) * glm::length(bounds.high - bounds.low);
}

bool hasSpace(const JointPose& parent) {
  return std::abs(parent.scale.x) > 1e-6f;
}

// The largest scale that the parent of each joint has in any frame: by that positions are longer in
// the model than they are stored.
std::vector<double> parentScales(std::span<const AtlasJoint> joints, const JointPoses& seen) {
  std::vector<double> largest(joints.size(), 0.0);
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    for (const JointPose& pose : seen.of(joint, 0, seen.frameCount)) {
      largest[joint] = std::max(largest[joint], std::abs(static_cast<double>(pose.scale.x)));
    }
  }
  std::vector<double> scales(joints.size(), 1.0);
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    if (joints[joint].parent < 0) continue;
    scales[joint] = largest[static_cast<std::size_t>(joints[joint].parent)];
  }
  return scales;
}

// Makes positions constant that hardly change.
void settleStill(std::span<const AtlasJoint> joints, const JointPoses& seen, double stillMeters,
                 std::vector<TexelRange>& ranges) {
  const std::vector<double> scales = parentScales(joints, seen);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    TexelRange& range = ranges[i];
    const double strays =
        0.5 * scales[i % joints.size()] * static_cast<double>(glm::length(glm::vec3(range.size)));
    if (strays >= stillMeters) continue;
    for (int axis = 0; axis < 3; ++axis) {
      range.low[axis] += 0.5f * range.size[axis];
      range.size[axis] = 0.0f;
    }
  }
}

Result<void> checkMoving(std::span<const AtlasJoint> joints, TexelCode code,
                         std::span<const TexelRange> ranges) {
  const std::vector<int> tracks = tracksOf(ranges, joints.size());
  std::vector<int> moving;
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    if (tracks[joint] >= 0 && joints[joint].parent >= 0) moving.push_back(static_cast<int>(joint));
  }
  if (2 * moving.size() <= joints.size()) return {};
  return fail(ErrorCode::InvalidInput,
              fmt::format("{} of {} move against their parents, and {} stores how joints turn, and "
                          "the places of at most half of them; bake as {}, which store the place "
                          "of every joint",
                          jointsInWords(joints, moving), joints.size(),
                          encodingInfo(code.encoding).name, encodingNames(standsAlone, "or")));
}

// How far what a joint scales is away: its shell, and the joints that hang on it.
std::vector<double> leversOf(const Character& character, std::span<const AtlasJoint> joints,
                             std::span<const TexelRange> ranges) {
  std::vector<double> levers = makeShell(character).radii;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const int parent = joints[i % joints.size()].parent;
    if (parent < 0) continue;
    const glm::vec3 low(ranges[i].low);
    const glm::vec3 high = low + glm::vec3(ranges[i].size);
    double& lever = levers[static_cast<std::size_t>(parent)];
    lever = std::max(
        {lever, static_cast<double>(glm::length(low)), static_cast<double>(glm::length(high))});
  }
  return levers;
}

// Whether all scales are those of their ranges, where texels have none.
Result<void> checkScales(const Character& character, TexelCode code, RangeMode mode,
                         const JointPoses& seen, std::span<const std::string> clipNames,
                         std::span<const AtlasJoint> joints, std::span<const TexelRange> ranges) {
  const EncodingInfo& info = encodingInfo(code.encoding);
  if (!info.scaleInRange) return {};
  const std::vector<double> levers = leversOf(character, joints, ranges);
  std::vector<int> changing;
  std::string clipName;
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    bool changes = false;
    for (std::size_t clip = 0; clip < seen.firstFrames.size() && !changes; ++clip) {
      const std::size_t first = seen.firstFrames[clip];
      const bool isLast = clip + 1 == seen.firstFrames.size();
      const std::size_t end = isLast ? seen.frameCount : seen.firstFrames[clip + 1];
      const std::size_t set = mode == RangeMode::JointClip ? clip * joints.size() + joint : joint;
      for (const JointPose& pose : seen.of(joint, first, end - first)) {
        const double off =
            static_cast<double>(pose.scale.x) - static_cast<double>(ranges[set].low.w);
        if (1000.0 * levers[joint] * std::abs(off) <= kNoScaleMm) continue;
        changes = true;
        if (clipName.empty()) clipName = clipNames[clip];
        break;
      }
    }
    if (changes) changing.push_back(static_cast<int>(joint));
  }
  if (changing.empty()) return {};
  return fail(
      ErrorCode::InvalidInput,
      fmt::format(
          "{} {} scale{}, in clip '{}' for one, and {} has a lasting scale per joint{}; bake "
          "as R64, which has room for scales",
          jointsInWords(joints, changing), changing.size() == 1 ? "changes its" : "change their",
          changing.size() == 1 ? "" : "s", clipName, info.name,
          mode == RangeMode::JointClip ? " and clip" : ""));
}

}  // namespace

std::string jointsInWords(std::span<const AtlasJoint> joints, std::span<const int> which) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const int joint : which.first(std::min(which.size(), kNamed))) {
    names.push_back(fmt::format("'{}'", joints[static_cast<std::size_t>(joint)].name));
  }
  std::string last;
  if (which.size() > kNamed) {
    last = fmt::format(" and {} more", which.size() - kNamed);
  } else if (names.size() > 1) {
    last = " and " + names.back();
    names.pop_back();
  }
  return fmt::format("{} {}{}", which.size() == 1 ? "joint" : "joints", fmt::join(names, ", "),
                     last);
}

void seeFromParents(std::span<const AtlasJoint> joints, std::span<const int> frameCounts,
                    JointPoses& poses) {
  // Parents come first, so that from the end on they are as they were.
  for (std::size_t joint = joints.size(); joint-- > 0;) {
    const int parent = joints[joint].parent;
    if (parent < 0) continue;
    const AtlasJoint& above = joints[static_cast<std::size_t>(parent)];
    for (std::size_t clip = 0; clip < frameCounts.size(); ++clip) {
      const auto count = static_cast<std::size_t>(frameCounts[clip]);
      const auto own = poses.of(joint, poses.firstFrames[clip], count);
      const auto parents =
          poses.of(static_cast<std::size_t>(parent), poses.firstFrames[clip], count);
      const auto seenAt = [&](std::size_t frame) {
        const glm::dquat back = glm::conjugate(glm::dquat(parents[frame].rotation));
        const glm::dvec3 away =
            glm::dvec3(own[frame].position) - glm::dvec3(parents[frame].position);
        return glm::vec3(back * away / static_cast<double>(parents[frame].scale.x));
      };
      const auto firstSized = std::ranges::find_if(parents, hasSpace);
      glm::vec3 place = firstSized == parents.end()
                            ? joints[joint].pivot - above.pivot
                            : seenAt(static_cast<std::size_t>(firstSized - parents.begin()));
      for (std::size_t frame = 0; frame < count; ++frame) {
        if (hasSpace(parents[frame])) place = seenAt(frame);
        own[frame].position = place;
        own[frame].rotation = glm::quat(glm::conjugate(glm::dquat(parents[frame].rotation)) *
                                        glm::dquat(own[frame].rotation));
      }
    }
  }
}

void aimFrame(const Atlas& atlas, std::span<const int> tracks, int clip,
              std::span<JointPose> seen) {
  const TexelCode code = codeOf(atlas);
  std::vector<JointPose> exact(seen.begin(), seen.end());
  walkFromRoots(atlas.joints, exact);
  std::vector<JointPose> drawn(seen.size());
  std::vector<std::byte> texels(bytesPerJoint(code));
  std::vector<std::byte> track(bytesPerTrack(code));
  for (std::size_t joint = 0; joint < seen.size(); ++joint) {
    const int parent = atlas.joints[joint].parent;
    const JointPose* above = parent < 0 ? nullptr : &drawn[static_cast<std::size_t>(parent)];
    if (above != nullptr) {
      seen[joint].rotation = glm::conjugate(above->rotation) * exact[joint].rotation;
    }
    const auto ranges = rangesFor(atlas, clip, static_cast<int>(joint));
    encodePose(code, seen[joint], ranges, texels);
    drawn[joint] = decodePose(code, texels, ranges, {});
    if (tracks[joint] >= 0) {
      encodeTrack(code, seen[joint].position, ranges.front(), track);
      drawn[joint].position = decodeTrack(code, track, ranges.front());
    }
    if (above != nullptr) drawn[joint] = poseUnder(*above, drawn[joint]);
  }
}

Result<std::vector<TexelRange>> localRanges(const Character& character, TexelCode code,
                                            RangeMode mode, const JointPoses& seen,
                                            std::span<const int> frameCounts,
                                            std::span<const std::string> clipNames,
                                            std::span<const AtlasJoint> joints) {
  if (mode == RangeMode::Atlas) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{} keeps the place of each joint in its range, so that one range for "
                            "the whole atlas is not enough; choose ranges per joint, or per joint "
                            "and clip",
                            encodingInfo(code.encoding).name));
  }
  std::vector<TexelRange> ranges = rangesOf(code, mode, seen, frameCounts, joints);
  settleStill(joints, seen, stillMeters(character, code), ranges);
  // So that nothing is narrowed when tracks have been counted.
  Atlas narrowed;
  narrowed.recipe.encoding = code.encoding;
  narrowed.recipe.rangeMode = mode;
  narrowed.joints.assign(joints.begin(), joints.end());
  narrowed.ranges = std::move(ranges);
  narrowRanges(character, narrowed);
  if (auto ok = checkMoving(joints, code, narrowed.ranges); !ok) {
    return tl::unexpected(ok.error());
  }
  if (auto ok = checkScales(character, code, mode, seen, clipNames, joints, narrowed.ranges); !ok) {
    return tl::unexpected(ok.error());
  }
  return std::move(narrowed.ranges);
}

}  // namespace ck
