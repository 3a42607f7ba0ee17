#include "core/bake/bake.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/anim/pose.h"
#include "core/atlas/atlas_layout.h"
#include "core/atlas/local_poses.h"
#include "core/atlas/pose_codec.h"
#include "core/bake/bake_window.h"
#include "core/bake/joint_poses.h"
#include "core/bake/lane_bake.h"
#include "core/bake/local_bake.h"
#include "core/bake/local_lanes.h"
#include "core/bake/morph_bake.h"
#include "core/bake/reduced_frames.h"
#include "core/bake/step_frames.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

// A clip with more frames than a tile has rows.
struct Resampled {
  std::size_t window = 0;
  int framesBefore = 0;
};

// The poses relative to the parents in all frames, for an encoding that stores these.
struct SeenPoses {
  EvaluatedPoses evaluated;
  std::vector<TexelRange> ranges;
  std::vector<int> tracks;  // by joint
};

// The part of a bake that is known before any pose is evaluated. Which joints have tracks depends
// on the poses, and the layout on the tracks.
struct Plan {
  BakeSettings settings;  // with the encoding that was chosen
  ChosenEncoding encoding;
  std::vector<BakeWindow> windows;
  std::vector<Resampled> resampled;
  std::vector<Bounds>
      boxes;  // of windows over all moments, where frames may be left out; else none
  ChosenComponents components;
  std::optional<SeenPoses> seen;
  AtlasLayout layout;
};

int trackTexelsOf(const Plan& plan, Encoding encoding) {
  return plan.seen ? trackCount(plan.seen->tracks) * encodingInfo(encoding).trackTexels : 0;
}

// The bytes of all joints and tracks in one frame.
std::size_t frameBytes(const Character& character, const Plan& plan, Encoding encoding) {
  const TexelCode code{encoding, plan.components.components};
  const std::size_t tracks =
      plan.seen ? static_cast<std::size_t>(trackCount(plan.seen->tracks)) : 0;
  return character.rig.skinJoints.size() * bytesPerJoint(code) + tracks * bytesPerTrack(code);
}

// Gives a window the most moments with which it has at most `most` stored frames. How many step
// frames there are depends on the moments.
void resample(const Character& character, int most, BakeWindow& window) {
  int moments = std::min(momentCount(frameGridOf(window)), most);
  for (setMoments(character, moments, window); window.frameCount > most && moments > 2;) {
    moments = std::max(moments - (window.frameCount - most + 1) / 2, 2);
    setMoments(character, moments, window);
  }
  if (window.frameCount <= most) return;
  // Two rows have no room for a step.
  window.frameCount = 2;
  window.stepFrames.clear();
  window.keptMoments.clear();
}

// Limits clips that are longer than their tile to as many frames as the tile has rows.
std::vector<Resampled> fitIntoTiles(const Character& character, const BakeSettings& settings,
                                    std::vector<BakeWindow>& windows) {
  std::vector<Resampled> resampled;
  const int most = std::max(settings.tile, 2);
  for (std::size_t w = 0; settings.layout == LayoutKind::Tiles && w < windows.size(); ++w) {
    if (windows[w].frameCount <= most) continue;
    resampled.push_back({w, windows[w].frameCount});
    resample(character, most, windows[w]);
  }
  return resampled;
}

std::vector<int> frameCounts(std::span<const BakeWindow> windows) {
  std::vector<int> counts;
  for (const BakeWindow& window : windows) counts.push_back(window.frameCount);
  return counts;
}

Result<AtlasLayout> layOut(const Character& character, const BakeSettings& settings,
                           const Plan& plan) {
  const std::vector<int> counts = frameCounts(plan.windows);
  auto layout = layOutAtlas({.kind = settings.layout,
                             .code = {encodingOf(settings), plan.components.components},
                             .jointCount = static_cast<int>(character.rig.skinJoints.size()),
                             .trackTexels = trackTexelsOf(plan, encodingOf(settings)),
                             .frameCounts = counts,
                             .maxTextureSize = settings.maxTextureSize,
                             .tile = settings.tile,
                             .powerOfTwo = settings.powerOfTwo,
                             .width = settings.textureWidth,
                             .height = settings.textureHeight});
  if (layout) return layout;
  return fail(layout.error().code, fmt::format("{}: {}", character.name, layout.error().message));
}

Result<SeenPoses> seenPoses(const Character& character, const BakeSettings& settings,
                            std::span<const BakeWindow> windows, const JobContext& job) {
  auto evaluated = evaluatePoses(character, windows, {PoseForm::Pivot, settings.influences}, job);
  if (!evaluated) return tl::unexpected(evaluated.error());
  SeenPoses seen;
  seen.evaluated = std::move(*evaluated);
  const std::vector<AtlasJoint> joints = atlasJointsOf(character.rig);
  const std::vector<int> counts = frameCounts(windows);
  std::vector<std::string> names;
  for (const BakeWindow& window : windows) names.push_back(window.motion->name);
  seeFromParents(joints, counts, seen.evaluated.poses);
  auto ranges = localRanges(character, {encodingOf(settings)}, rangeModeFor(settings),
                            seen.evaluated.poses, counts, names, joints);
  if (!ranges) {
    return fail(ranges.error().code, fmt::format("{}: {}", character.name, ranges.error().message));
  }
  seen.ranges = std::move(*ranges);
  seen.tracks = tracksOf(seen.ranges, joints.size());
  return seen;
}

// The windows with frames for all moments: what components lose must not hide where none are.
std::vector<BakeWindow> wholeWindows(std::vector<BakeWindow> windows) {
  for (BakeWindow& window : windows) {
    window.frameCount =
        momentCount(frameGridOf(window)) + static_cast<int>(window.stepFrames.size());
    window.keptMoments.clear();
  }
  return windows;
}

Result<Plan> makePlan(const Character& character, const BakeSettings& asked, JobContext job) {
  if (auto ok = checkSkin(character); !ok) return tl::unexpected(ok.error());
  auto windows = planWindows(character, asked, job);
  if (!windows) return tl::unexpected(windows.error());
  const auto encoding = chooseEncoding(character, asked, *windows, job);
  if (!encoding) return tl::unexpected(encoding.error());
  Plan plan;
  plan.settings = asked;
  plan.settings.encoding = encoding->encoding;
  plan.encoding = *encoding;
  plan.windows = std::move(*windows);
  const BakeSettings& settings = plan.settings;
  if (reduceMmFor(settings) > 0.0) {
    auto boxes = reduceFrames(character, settings, plan.windows, job);
    if (!boxes) return tl::unexpected(boxes.error());
    plan.boxes = std::move(*boxes);
  }
  plan.resampled = fitIntoTiles(character, settings, plan.windows);
  auto components = chooseComponents(character, settings, wholeWindows(plan.windows), job);
  if (!components) return tl::unexpected(components.error());
  plan.components = *components;
  if (isLocal(encodingInfo(settings))) {
    auto seen = seenPoses(character, settings, plan.windows, job);
    if (!seen) return tl::unexpected(seen.error());
    plan.seen = std::move(*seen);
  }
  auto layout = layOut(character, settings, plan);
  if (!layout) return tl::unexpected(layout.error());
  plan.layout = std::move(*layout);
  return plan;
}

std::vector<AtlasClip> atlasClips(const Character& character, const BakeSettings& settings,
                                  const Plan& plan) {
  std::vector<AtlasClip> clips;
  for (std::size_t w = 0; w < plan.windows.size(); ++w) {
    const BakeWindow& window = plan.windows[w];
    const Clip& clip = *window.motion;
    clips.push_back({.name = clip.name,
                     .sourceName = character.clips[static_cast<std::size_t>(window.clip)].name,
                     .edit = settings.clips.empty() ? ClipEdit{} : settings.clips[w].edit,
                     .firstFrame = plan.layout.firstFrames[w],
                     .frameCount = window.frameCount,
                     .stepFrames = window.stepFrames,
                     .keptMoments = window.keptMoments,
                     .startSeconds = window.startSeconds,
                     .durationSeconds = window.durationSeconds,
                     .loop = window.loop,
                     .seam = window.seam,
                     .groundSpeedMetersPerSecond = clip.groundSpeedMetersPerSecond,
                     .rootMotion = placesOf(window)});
  }
  return clips;
}

// Frames of one clip that are encoded by one thread.
struct FrameTask {
  int clip = 0;
  int firstFrame = 0;
  int frameCount = 0;
};
std::vector<FrameTask> frameTasks(const Atlas& atlas) {
  constexpr int kFramesPerTask = 64;
  std::vector<FrameTask> tasks;
  for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
    const int count = atlas.clips[clip].frameCount;
    for (int first = 0; first < count; first += kFramesPerTask) {
      tasks.push_back({static_cast<int>(clip), first, std::min(kFramesPerTask, count - first)});
    }
  }
  return tasks;
}

void encodeTracks(Atlas& atlas, const SeenPoses& seen, const FrameTask& task, std::size_t joint) {
  const TexelCode code = codeOf(atlas);
  const JointPoses& poses = seen.evaluated.poses;
  const auto clip = static_cast<std::size_t>(task.clip);
  const auto first = static_cast<std::size_t>(task.firstFrame);
  const auto own =
      poses.of(joint, poses.firstFrames[clip] + first, static_cast<std::size_t>(task.frameCount));
  const int column = trackColumn(atlas, seen.tracks[joint]);
  const TexelRange& range = rangesFor(atlas, task.clip, static_cast<int>(joint)).front();
  for (int frame = 0; frame < task.frameCount; ++frame) {
    const int atlasFrame = atlas.clips[clip].firstFrame + task.firstFrame + frame;
    encodeTrack(code, own[static_cast<std::size_t>(frame)].position, range,
                std::span(atlas.texels)
                    .subspan(texelOffset(atlas, atlasFrame, column), bytesPerTrack(code)));
  }
}

bool encodeSeen(Atlas& atlas, const SeenPoses& seen, const JobContext& job) {
  const JointPoses& poses = seen.evaluated.poses;
  const std::vector<FrameTask> tasks = frameTasks(atlas);
  return parallelFor(tasks.size(), job, [&](std::size_t i) {
    const FrameTask& task = tasks[i];
    const auto clip = static_cast<std::size_t>(task.clip);
    LocalEncoder encoder(atlas);
    for (int frame = 0; frame < task.frameCount; frame += static_cast<int>(kLaneCount)) {
      const int at = task.firstFrame + frame;
      encoder.encode(poses, task.clip, poses.firstFrames[clip] + static_cast<std::size_t>(at),
                     laneTexels(atlas, atlas.clips[clip].firstFrame + at,
                                static_cast<std::size_t>(task.frameCount - frame)));
    }
    for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
      if (seen.tracks[joint] >= 0) encodeTracks(atlas, seen, task, joint);
    }
  });
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the bake was stopped");
}

// Makes a box of frames contain what interpolation shows at moments without frames: it is at most
// so far from the poses of these, whose box is known.
void addMoments(const Bounds& box, double meters, Bounds& bounds) {
  bounds.low = glm::min(bounds.low, box.low - meters);
  bounds.high = glm::max(bounds.high, box.high + meters);
}

// Fills in the texels and ranges of an atlas that stores what parents see.
Result<PoseFacts> bakeSeen(SeenPoses& seen, Atlas& atlas, const JobContext& job) {
  atlas.ranges = std::move(seen.ranges);
  if (!encodeSeen(atlas, seen, job)) return stopped();
  return std::move(seen.evaluated.facts);
}

void addInfluenceNote(const PoseFacts& facts, int influences, Notes& notes) {
  if (facts.limitedVertices == 0) return;
  notes.push_back(
      {Note::Level::Warning, "InfluencesLimited",
       fmt::format("{} vertices had up to {} influences; the {} largest were kept (up to "
                   "{:.1f} mm)",
                   facts.limitedVertices, facts.mostInfluences, influences, facts.limitedMm)});
}

// With two digits where the second one counts.
std::string millimetres(double mm) {
  return mm < 1.0 ? fmt::format("{:.2f}", mm) : fmt::format("{:.1f}", mm);
}

// Notes the shear that three scales cannot hold, at vertices.
void addShearNote(const Character& character, const Plan& plan, Notes& notes) {
  const ComponentLoss& lost = plan.components.loss->trs;
  if (lost.mm <= notedLossMm(character)) return;
  notes.push_back(
      {Note::Level::Warning, "ScaleDropped",
       fmt::format("joint '{}' shears in clip '{}' in a way that three scales per joint cannot "
                   "hold; its vertices are up to {} mm off",
                   skinJointNames(character.rig)[static_cast<std::size_t>(lost.skinJoint)],
                   plan.windows[lost.window].motion->name, millimetres(lost.mm))});
}

// The words for what a joint loses, what the encoding holds of it, and which one holds more.
std::array<std::string_view, 3> lossWords(const EncodingInfo& info) {
  if (!info.scaleInRange) return {codecOf(info).lost, codecOf(info).held, codecOf(info).instead};
  return {"stretches, shears or changes its scale", "one lasting scale per joint", "P16"};
}

// Measures the loss of the poses of an atlas in pivot form, at vertices.
Result<ComponentLoss> pivotLoss(const Character& character, const Plan& plan,
                                const PoseFacts& facts, const Atlas& atlas, const JobContext& job) {
  // At 3 cm: less is nothing within the reach of a character's joints.
  constexpr double kNothingMm = 0.001;
  const EncodingInfo& info = encodingInfo(atlas.recipe);
  if (info.form != PoseForm::Pivot || facts.scaleDroppedMm <= kNothingMm) return ComponentLoss{};
  HeldScale held;
  if (info.dual) {
    held = [](std::size_t, std::size_t, float) { return 1.0f; };
  } else if (info.scaleInRange && standsAlone(info)) {
    held = [&atlas](std::size_t joint, std::size_t window, float) {
      return rangesFor(atlas, static_cast<int>(window), static_cast<int>(joint)).front().low.w;
    };
  } else if (plan.encoding.pivotLoss) {
    return *plan.encoding.pivotLoss;
  }
  JobContext quiet = job;
  quiet.report = [](float, std::string_view) {};
  return measurePivotLoss(character, wholeWindows(plan.windows), held, std::move(quiet));
}

// Notes an encoding that is not the usual one, with what the usual one would lose.
void addEncodingNote(const Character& character, const Plan& plan, Notes& notes) {
  const ChosenEncoding& chosen = plan.encoding;
  if (!chosen.pivotLoss || chosen.encoding == Encoding::P16) return;
  const ComponentLoss& lost = *chosen.pivotLoss;
  notes.push_back(
      {Note::Level::Info, "EncodingChosen",
       fmt::format("baked as {}, because joint '{}' stretches or shears in clip '{}': with P16, "
                   "which has one scale per joint, its vertices would be up to {} mm off",
                   encodingName(chosen.encoding),
                   skinJointNames(character.rig)[static_cast<std::size_t>(lost.skinJoint)],
                   plan.windows[lost.window].motion->name, millimetres(lost.mm))});
}

void addScaleNote(const Character& character, const Plan& plan, const ComponentLoss& lost,
                  Notes& notes) {
  constexpr double kWorthSayingMm = 0.1;
  if (plan.components.loss) return addShearNote(character, plan, notes);
  if (lost.mm <= kWorthSayingMm) return;
  const auto [does, held, instead] = lossWords(encodingInfo(plan.settings));
  notes.push_back(
      {Note::Level::Warning, "ScaleDropped",
       fmt::format("joint '{}' {} in clip '{}' in a way that {} cannot hold; its vertices are up "
                   "to {} mm off: {} holds it better",
                   skinJointNames(character.rig)[static_cast<std::size_t>(lost.skinJoint)], does,
                   plan.windows[lost.window].motion->name, held, millimetres(lost.mm), instead)});
}

void addComponentsNote(const Character& character, const Plan& plan, Notes& notes) {
  const ChosenComponents& chosen = plan.components;
  if (!chosen.loss || chosen.components == Components::Trs) return;
  const ComponentLoss& lost = lossOf(*chosen.loss, chosen.components);
  if (lost.mm <= chosen.loss->trs.mm || lost.mm <= notedLossMm(character)) return;
  const bool rotationOnly = chosen.components == Components::R;
  const Components next = rotationOnly ? Components::Tr : Components::Trs;
  const std::string where =
      fmt::format("vertices of joint '{}' are up to {} mm off in clip '{}'; '{}' loses {} mm",
                  skinJointNames(character.rig)[static_cast<std::size_t>(lost.skinJoint)],
                  millimetres(lost.mm), plan.windows[lost.window].motion->name,
                  componentsName(next), millimetres(lossMm(*chosen.loss, next)));
  if (chosen.chosen) {
    notes.push_back(
        {Note::Level::Info, "ComponentsLossy",
         fmt::format("components '{}' were chosen because they lose less than {} mm: {}",
                     componentsName(chosen.components), kAutoLossMm, where)});
    return;
  }
  notes.push_back(
      {Note::Level::Warning, "ComponentsDropped",
       fmt::format("components '{}' leave out {}: {}", componentsName(chosen.components),
                   rotationOnly ? "positions and scales, so that every joint stays "
                                  "where it was at bind time"
                                : "scales, so that every joint keeps its bind size",
                   where)});
}

// Joints below others whose place needs a track.
void addTrackNote(const Character& character, const Plan& plan, Encoding encoding, Notes& notes) {
  if (!plan.seen) return;
  const std::vector<AtlasJoint> joints = atlasJointsOf(character.rig);
  std::vector<int> moving;
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    const bool moves = plan.seen->tracks[joint] >= 0 && joints[joint].parent >= 0;
    if (moves) moving.push_back(static_cast<int>(joint));
  }
  if (moving.empty()) return;
  notes.push_back({Note::Level::Info, "PlacesTracked",
                   fmt::format("{} move{} against {} parent{}, so {} stores their places in every "
                               "frame, {} bytes each",
                               jointsInWords(joints, moving), moving.size() == 1 ? "s" : "",
                               moving.size() == 1 ? "its" : "their", moving.size() == 1 ? "" : "s",
                               encodingName(encoding), bytesPerTrack({encoding}))});
}

void addTileNote(const Plan& plan, int tile, Notes& notes) {
  std::vector<std::string> clips;
  for (const Resampled& resampled : plan.resampled) {
    const BakeWindow& window = plan.windows[resampled.window];
    clips.push_back(fmt::format("'{}' ({} frames before, {} now)", window.motion->name,
                                resampled.framesBefore, window.frameCount));
  }
  if (clips.empty()) return;
  notes.push_back({Note::Level::Warning, "ResampledToTile",
                   fmt::format("clips longer than a tile of {} rows were resampled to fit: {}; a "
                               "larger tile keeps their frames",
                               tile, fmt::join(clips, ", "))});
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
  notes.push_back(
      {Note::Level::Info, "SeamClosed",
       fmt::format("the last frame was set to the first, to close the loop, which moves "
                   "vertices by up to so much in {}",
                   fmt::join(closed, ", "))});
}

// Notes about clips whose morph weights lose accuracy in the atlas. `moved` is that of BakedMorphs.
void addMorphNote(const Atlas& atlas, const std::vector<int>& moved, Notes& notes) {
  constexpr double kWorthSayingMm = 0.5;
  const MorphForm& form = atlas.morphs.form;
  std::vector<std::string> full;  // clips that move more targets than are kept
  std::vector<std::string> coarse;
  for (std::size_t c = 0; c < atlas.morphs.clips.size(); ++c) {
    const double loss = atlas.morphs.clips[c].lossMm;
    if (loss <= kWorthSayingMm) continue;
    const std::string& name = atlas.clips[c].name;
    if (moved[c] > form.slotCount) {
      full.push_back(fmt::format("'{}' ({:.1f} mm; moves {})", name, loss, moved[c]));
    } else {
      coarse.push_back(fmt::format("'{}' ({:.1f} mm)", name, loss));
    }
  }
  const auto add = [&notes](std::string message) {
    notes.push_back({Note::Level::Warning, "MorphsReduced", std::move(message)});
  };
  if (!full.empty()) {
    add(
        fmt::format("a clip keeps the {} morph targets that move most, {} bits each; vertices of "
                    "{} are up to that far from where the source has them",
                    form.slotCount, form.bits, fmt::join(full, ", ")));
  }
  if (!coarse.empty()) {
    add(
        fmt::format("weights of morph targets have {} bits at the stored frames; vertices of {} "
                    "are up to that far from where the source has them, which more frames or "
                    "more bits make less",
                    form.bits, fmt::join(coarse, ", ")));
  }
}

Notes bakeNotes(const Character& character, const Plan& plan, const PoseFacts& facts,
                const ComponentLoss& pivotLoss) {
  const BakeSettings& settings = plan.settings;
  Notes notes = keyGridNotes(plan.windows);
  const Notes steps = stepNotes(plan.windows, frameBytes(character, plan, encodingOf(settings)));
  notes.insert(notes.end(), steps.begin(), steps.end());
  const Notes reduced = reductionNotes(plan.windows, reduceMmFor(settings));
  notes.insert(notes.end(), reduced.begin(), reduced.end());
  addTrackNote(character, plan, encodingOf(settings), notes);
  addTileNote(plan, settings.tile, notes);
  addInfluenceNote(facts, settings.influences, notes);
  addEncodingNote(character, plan, notes);
  addScaleNote(character, plan, pivotLoss, notes);
  addComponentsNote(character, plan, notes);
  addSeamNote(plan, notes);
  return notes;
}

}  // namespace

BakeRecipe statedRecipe(const BakeSettings& settings, Components components) {
  BakeRecipe recipe = settings;
  recipe.encoding = encodingOf(settings);
  recipe.components = components;
  recipe.rangeMode = rangeModeFor(settings);
  recipe.reduceMm = reduceMmFor(settings);
  return recipe;
}

LayoutKind usualLayout(Encoding encoding) {
  return storesMatrices(encodingInfo(encoding)) ? LayoutKind::Linear : LayoutKind::Rows;
}

Result<BakeCost> bakeCost(const Character& character, const BakeSettings& asked, JobContext job) {
  const auto plan = makePlan(character, asked, std::move(job));
  if (!plan) return tl::unexpected(plan.error());
  const BakeSettings& settings = plan->settings;
  const AtlasLayout& layout = plan->layout;
  const TexelCode code{encodingOf(settings), plan->components.components};
  const std::size_t bytesPerFrame = frameBytes(character, *plan, encodingOf(settings));
  BakeCost cost;
  for (const BakeWindow& window : plan->windows) {
    cost.clips.push_back({window.motion->name,
                          character.clips[static_cast<std::size_t>(window.clip)].name,
                          window.frameCount, static_cast<int>(window.stepFrames.size()),
                          static_cast<std::size_t>(window.frameCount) * bytesPerFrame});
  }
  cost.width = layout.shape.extent.x;
  cost.height = layout.shape.extent.y;
  cost.bytes = layout.bytes;
  cost.texels = layout.texels;
  cost.unusedShare =
      1.0 - static_cast<double>(layout.usedTexels) / static_cast<double>(layout.texels);
  cost.fetchesNearest = fetchesOf(code, settings.influences, false);
  cost.fetchesInterpolated = fetchesOf(code, settings.influences, true);
  cost.joints = static_cast<int>(character.rig.skinJoints.size());
  cost.jointsThatFit = layout.jointsThatFit;
  cost.encoding = plan->encoding.encoding;
  cost.components = plan->components;
  return cost;
}

Result<BakeResult> bake(const Character& character, const BakeSettings& asked, JobContext job) {
  auto plan = makePlan(character, asked, job);
  if (!plan) return tl::unexpected(plan.error());
  const BakeSettings& settings = plan->settings;
  BakeResult result;
  Atlas& atlas = result.atlas;
  atlas.recipe = statedRecipe(settings, plan->components.components);
  atlas.shape = plan->layout.shape;
  atlas.joints = atlasJointsOf(character.rig);
  atlas.clips = atlasClips(character, settings, *plan);
  atlas.texels.resize(plan->layout.bytes);
  atlas.sourcePath = character.source.path;
  atlas.sourceHash = character.source.hash;
  atlas.clipsHash = character.source.clipsHash;
  atlas.unitScale = character.source.unitScale;
  auto facts = plan->seen ? bakeSeen(*plan->seen, atlas, job.part(0.0f, 0.9f))
                          : bakeInLanes(character, plan->windows, atlas, job.part(0.0f, 0.9f));
  if (!facts) return tl::unexpected(facts.error());
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    Bounds& bounds = atlas.clips[c].bounds;
    bounds = facts->bounds[c];
    if (!atlas.clips[c].keptMoments.empty()) {
      addMoments(plan->boxes[c], atlas.recipe.reduceMm / 1000.0, bounds);
    }
  }
  auto morphs = bakeMorphs(character, plan->windows, settings.morphs, job.part(0.9f, 1.0f));
  if (!morphs) return tl::unexpected(morphs.error());
  atlas.morphs = std::move(morphs->atlas);
  result.components = plan->components;
  auto lost = pivotLoss(character, *plan, *facts, atlas, job);
  if (!lost) return tl::unexpected(lost.error());
  if (!result.components.loss) result.components.loss = {.trs = *lost};
  result.notes = bakeNotes(character, *plan, *facts, *lost);
  addMorphNote(atlas, morphs->moved, result.notes);
  job.report(1.0f, "Baked");
  return result;
}

}  // namespace ck
