#include "core/bake/bake.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/atlas/atlas_layout.h"
#include "core/bake/bake_window.h"
#include "core/bake/pivot_poses.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

// What is known before any pose is evaluated.
struct Plan {
  std::vector<BakeWindow> windows;
  AtlasLayout layout;
};

Result<Plan> makePlan(const Character& character, const BakeSettings& settings, JobContext job) {
  if (character.rig.skinJoints.empty()) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("{}: there is no skin, so there are no joints to bake; a rig needs a "
                            "mesh that follows its joints",
                            character.name));
  }
  auto windows = planWindows(character, settings, std::move(job));
  if (!windows) return tl::unexpected(windows.error());
  std::vector<int> frameCounts;
  for (const BakeWindow& window : *windows) frameCounts.push_back(window.frameCount);
  auto layout = layOutAtlas(settings.layout, settings.encoding,
                            static_cast<int>(character.rig.skinJoints.size()), frameCounts,
                            settings.maxTextureSize);
  if (!layout) {
    return fail(layout.error().code, fmt::format("{}: {}", character.name, layout.error().message));
  }
  return Plan{std::move(*windows), std::move(*layout)};
}

std::vector<AtlasClip> atlasClips(const Character& character, const BakeSettings& settings,
                                  const Plan& plan, const PoseFacts& facts) {
  std::vector<AtlasClip> clips;
  for (std::size_t w = 0; w < plan.windows.size(); ++w) {
    const BakeWindow& window = plan.windows[w];
    const Clip& clip = *window.motion;
    clips.push_back({.name = clip.name,
                     .sourceName = character.clips[static_cast<std::size_t>(window.clip)].name,
                     .shape = settings.clips.empty() ? ClipShape{} : settings.clips[w].shape,
                     .firstFrame = plan.layout.firstFrames[w],
                     .frameCount = window.frameCount,
                     .startSeconds = window.startSeconds,
                     .durationSeconds = window.durationSeconds,
                     .loop = window.loop,
                     .seam = window.seam,
                     .groundSpeedMetersPerSecond = clip.groundSpeedMetersPerSecond,
                     .bounds = facts.bounds[w]});
  }
  return clips;
}

std::vector<TexelRange> makeRanges(const Atlas& atlas, const PivotPoses& poses) {
  std::vector<TexelRange> ranges;
  if (atlas.rangeMode == RangeMode::Atlas) {
    ranges.push_back(rangeOf(atlas.encoding, poses.poses));
  } else if (atlas.rangeMode == RangeMode::Joint) {
    for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
      ranges.push_back(rangeOf(atlas.encoding, poses.of(joint, 0, poses.frameCount)));
    }
  } else {
    for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
      const auto count = static_cast<std::size_t>(atlas.clips[clip].frameCount);
      for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
        ranges.push_back(rangeOf(atlas.encoding, poses.of(joint, poses.firstFrames[clip], count)));
      }
    }
  }
  return ranges;
}

void encodeFrame(Atlas& atlas, const PivotPoses& poses, int clip, int frame) {
  const EncodingInfo& info = encodingInfo(atlas.encoding);
  const std::size_t size = static_cast<std::size_t>(info.texelsPerJoint) *
                           static_cast<std::size_t>(bytesPerTexel(info.format));
  const int firstFrame = atlas.clips[static_cast<std::size_t>(clip)].firstFrame;
  const std::size_t compact =
      poses.firstFrames[static_cast<std::size_t>(clip)] + static_cast<std::size_t>(frame);
  for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
    const int j = static_cast<int>(joint);
    encodePose(atlas.encoding, poses.of(joint, compact, 1).front(), rangeFor(atlas, clip, j),
               std::span(atlas.texels).subspan(texelOffset(atlas, firstFrame + frame, j), size));
  }
}

bool encodeAll(Atlas& atlas, const PivotPoses& poses, const JobContext& job) {
  constexpr int kFramesPerTask = 64;
  struct Task {
    int clip;
    int firstFrame;
  };
  std::vector<Task> tasks;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    for (int first = 0; first < atlas.clips[clip].frameCount; first += kFramesPerTask) {
      tasks.push_back({static_cast<int>(clip), first});
    }
  }
  return parallelFor(tasks.size(), job, [&](std::size_t i) {
    const auto [clip, first] = tasks[i];
    const int count = atlas.clips[static_cast<std::size_t>(clip)].frameCount;
    for (int frame = first; frame < std::min(first + kFramesPerTask, count); ++frame) {
      encodeFrame(atlas, poses, clip, frame);
    }
  });
}

void addInfluenceNote(const PoseFacts& facts, int influences, Notes& notes) {
  if (facts.limitedVertices == 0) return;
  notes.push_back(
      {Note::Level::Warning, "InfluencesLimited",
       fmt::format("{} vertices had up to {} influences; the {} largest were kept (up to "
                   "{:.1f} mm)",
                   facts.limitedVertices, facts.mostInfluences, influences, facts.limitedMm)});
}

void addScaleNote(const Character& character, const Plan& plan, const PoseFacts& facts,
                  Notes& notes) {
  constexpr double kWorthSayingMm = 0.1;
  if (facts.scaleDroppedMm <= kWorthSayingMm) return;
  const BakeWindow& window = plan.windows[static_cast<std::size_t>(facts.scaleDroppedWindow)];
  notes.push_back(
      {Note::Level::Warning, "ScaleDropped",
       fmt::format("joint '{}' stretches or shears in clip '{}' in a way that one scale per joint "
                   "cannot hold; it is up to {:.1f} mm off, 3 cm from the joint",
                   skinJointNames(character.rig)[static_cast<std::size_t>(facts.scaleDroppedJoint)],
                   window.motion->name, facts.scaleDroppedMm)});
}

void addSeamNote(const Plan& plan, Notes& notes) {
  constexpr double kWorthSayingMm = 0.5;
  std::vector<std::string> closed;
  for (const BakeWindow& window : plan.windows) {
    if (window.loop != LoopMode::Loop || window.seam != Seam::Inclusive) continue;
    if (window.seamMm <= kWorthSayingMm) continue;
    closed.push_back(fmt::format("'{}' ({:.1f} mm)", window.motion->name, window.seamMm));
  }
  if (closed.empty()) return;
  notes.push_back({Note::Level::Info, "SeamClosed",
                   fmt::format("the last frame was set to the first, to close the loop, in {}",
                               fmt::join(closed, ", "))});
}

// The atlas holds joints; shapes that a clip moves are not in it.
void addMorphNote(const Plan& plan, Notes& notes) {
  std::vector<std::string> moving;
  for (const BakeWindow& window : plan.windows) {
    const Clip& clip = *window.motion;
    if (!clip.morphTracks.empty()) moving.push_back(fmt::format("'{}'", clip.name));
  }
  if (moving.empty()) return;
  notes.push_back({Note::Level::Warning, "MorphsNotBaked",
                   fmt::format("{} move morph targets, which this atlas does not hold: its actors "
                               "keep the default weights, and the error is that of the joints",
                               fmt::join(moving, ", "))});
}

Notes bakeNotes(const Character& character, const Plan& plan, const PoseFacts& facts,
                int influences) {
  Notes notes = keyGridNotes(plan.windows);
  addInfluenceNote(facts, influences, notes);
  addScaleNote(character, plan, facts, notes);
  addSeamNote(plan, notes);
  addMorphNote(plan, notes);
  return notes;
}

}  // namespace

Result<BakeCost> bakeCost(const Character& character, const BakeSettings& settings) {
  const auto plan = makePlan(character, settings, {});
  if (!plan) return tl::unexpected(plan.error());
  const EncodingInfo& info = encodingInfo(settings.encoding);
  const auto bytesPerFrame = static_cast<std::size_t>(plan->layout.shape.block.y) *
                             static_cast<std::size_t>(bytesPerTexel(info.format));
  BakeCost cost;
  for (const BakeWindow& window : plan->windows) {
    cost.clips.push_back(
        {window.motion->name, character.clips[static_cast<std::size_t>(window.clip)].name,
         window.frameCount, static_cast<std::size_t>(window.frameCount) * bytesPerFrame});
  }
  cost.width = plan->layout.shape.extent.x;
  cost.height = plan->layout.shape.extent.y;
  cost.bytes = plan->layout.bytes;
  cost.fetchesNearest = info.texelsPerJoint * settings.influences;
  cost.fetchesInterpolated = 2 * cost.fetchesNearest;
  return cost;
}

Result<BakeResult> bake(const Character& character, const BakeSettings& settings, JobContext job) {
  auto plan = makePlan(character, settings, job);
  if (!plan) return tl::unexpected(plan.error());
  auto evaluated =
      evaluatePoses(character, plan->windows, settings.influences, job.part(0.0f, 0.9f));
  if (!evaluated) return tl::unexpected(evaluated.error());

  BakeResult result;
  Atlas& atlas = result.atlas;
  atlas.encoding = settings.encoding;
  atlas.layout = settings.layout;
  atlas.shape = plan->layout.shape;
  atlas.rangeMode = settings.rangeMode;
  atlas.joints = atlasJointsOf(character.rig);
  atlas.clips = atlasClips(character, settings, *plan, evaluated->facts);
  atlas.ranges = makeRanges(atlas, evaluated->poses);
  atlas.texels.resize(plan->layout.bytes);
  atlas.sourcePath = character.source.path;
  atlas.sourceHash = character.source.hash;
  atlas.unitScale = character.source.unitScale;
  atlas.influences = settings.influences;
  atlas.interpolate = settings.interpolate;
  if (!encodeAll(atlas, evaluated->poses, job)) {
    return fail(ErrorCode::Cancelled, "the bake was stopped");
  }
  result.notes = bakeNotes(character, *plan, evaluated->facts, settings.influences);
  job.report(1.0f, "Baked");
  return result;
}

}  // namespace ck
