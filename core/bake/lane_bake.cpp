#include "core/bake/lane_bake.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/pose_codec.h"
#include "core/bake/pose/lane_box.h"
#include "core/bake/pose/shell.h"
#include "core/bake/single_poses.h"
#include "core/bake/step_frames.h"
#include "core/bake/texel_ranges.h"
#include "core/base/assert.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

constexpr std::size_t kFramesPerRun = 128;

// Clips up to this long are baked in one go, so that what is measured of their frames is still near
// when it is quantised.
constexpr int kMostFramesAtOnce = 1024;

// Consecutive frames of one window, evaluated by one thread, with what was measured there.
struct FrameRun {
  std::size_t window = 0;
  std::size_t firstFrame = 0;  // within the window
  std::size_t frameCount = 0;
  LaneValue* kept = nullptr;         // of all batches, joint by joint
  std::vector<PoseSpan> spans = {};  // one per joint
  double limitedMeters = 0.0;
  std::optional<std::size_t> brokenJoint = {};  // the first joint whose pose is not finite

  std::size_t batchCount() const { return (frameCount + kLaneCount - 1) / kLaneCount; }
};

// The state of one window.
struct Window {
  std::vector<StoredFrame> frames;
  std::shared_ptr<const LanePoser> poser;
  std::unique_ptr<RotationsBefore> before;
  PosedBox box;
  std::vector<LaneMost> lostSquares;  // one per joint
};

// The data that all runs read or share.
struct Bake {
  std::span<const BakeWindow> planned;
  Atlas& atlas;
  LanePath path;
  TexelPlan plan;
  std::vector<JointConstants> constants;
  LimitedVertices limited;
  LaneVertices vertices;
  RangeNarrowing narrowing;
  std::vector<Window> windows;
  std::mutex windowsMutex = {};

  std::size_t jointCount() const { return atlas.joints.size(); }
  std::size_t keptPerBatch() const { return plan.keptCount * jointCount(); }
  bool isPivot() const { return formOf(atlas) == PoseForm::Pivot; }
};

// The runs of a window.
std::vector<FrameRun> runsOf(const Bake& bake, std::size_t window) {
  std::vector<FrameRun> runs;
  const std::size_t count = bake.windows[window].frames.size();
  for (std::size_t first = 0; first < count; first += kFramesPerRun) {
    runs.push_back({window, first, std::min(kFramesPerRun, count - first)});
  }
  return runs;
}

// Gives the runs memory for what they keep.
std::unique_ptr<LaneValue[]> roomFor(const Bake& bake, std::span<FrameRun> runs) {
  std::size_t batches = 0;
  for (const FrameRun& run : runs) batches += run.batchCount();
  auto room = std::make_unique_for_overwrite<LaneValue[]>(batches * bake.keptPerBatch());
  LaneValue* next = room.get();
  for (FrameRun& run : runs) {
    run.kept = next;
    next += run.batchCount() * bake.keptPerBatch();
  }
  return room;
}

LaneTexels texelsOf(Bake& bake, const FrameRun& run, std::size_t batch) {
  const std::size_t first = run.firstFrame + batch * kLaneCount;
  return laneTexels(bake.atlas, bake.atlas.clips[run.window].firstFrame + static_cast<int>(first),
                    run.firstFrame + run.frameCount - first);
}

// The box of a window so far. Whatever is in it already saves work and changes no result.
PosedBox boxSoFar(Bake& bake, std::size_t window) {
  const std::lock_guard lock(bake.windowsMutex);
  return bake.windows[window].box;
}

// Adds what a run has found to what is known of its window.
void add(Bake& bake, std::size_t window, const PosedBox& box, std::span<const LaneMost> lost) {
  const std::lock_guard lock(bake.windowsMutex);
  Window& known = bake.windows[window];
  for (std::size_t joint = 0; joint < lost.size(); ++joint) {
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      float& most = known.lostSquares[joint].at[lane];
      most = std::max(most, lost[joint].at[lane]);
    }
  }
  if (box.empty) return;
  PosedBox& all = known.box;
  all.low = all.empty ? box.low : glm::min(all.low, box.low);
  all.high = all.empty ? box.high : glm::max(all.high, box.high);
  all.empty = false;
}

// Finds the frames of a window, and poses eight of them that are far apart: a box around these
// contains most of the others already. The loss of one scale per joint in clips that are nearly
// rigid is measured there only, because it is at most a few hundredths of a millimetre, 3 cm from a
// joint.
void prepare(Bake& bake, const Character& character, std::size_t w, const JobContext& job) {
  const BakeWindow& planned = bake.planned[w];
  Window& window = bake.windows[w];
  window.frames = posedFrames(planned);
  CK_ASSERT(bake.atlas.clips[w].frameCount == static_cast<int>(window.frames.size()));
  // Several windows are prepared side by side; a single one gets all threads.
  window.poser = poserOf(character.rig, planned, bake.windows.size() > 1 ? 1 : job.threadCount);
  window.before = std::make_unique<RotationsBefore>(*window.poser, formOf(bake.atlas),
                                                    bake.constants, window.frames, kFramesPerRun);
  window.lostSquares.resize(bake.jointCount());
  std::vector<StoredFrame> apart;
  const std::size_t last = window.frames.size() - 1;
  for (std::size_t i = 0; i < kLaneCount; ++i) {
    apart.push_back(window.frames[i * last / (kLaneCount - 1)]);
  }
  LanePoser::Run moments;
  window.poser->prepare(apart, moments);
  std::vector<LanePose> poses(bake.jointCount());
  std::vector<LanePivot> pivots(bake.jointCount());
  window.poser->pose(moments, 0, poses, bake.path);
  if (bake.isPivot()) pivotsOf(poses, pivots, window.lostSquares, bake.path);
  bake.vertices.grow(poses, window.box, bake.path);
}

// Evaluates the frames of a run: stores what needs no range, keeps and measures the rest, and grows
// the box of the vertices.
class Evaluation {
 public:
  Evaluation(Bake& bake, FrameRun& run)
      : bake_(bake),
        run_(run),
        poser_(*bake.windows[run.window].poser),
        lost_(bake.jointCount()),
        trails_(bake.jointCount()),
        mender_(bake.constants, *bake.windows[run.window].before, run.firstFrame / kFramesPerRun),
        skins_(poser_, moments_, bake.path),
        box_(boxSoFar(bake, run.window)) {}

  void evaluate() {
    poser_.prepare(
        std::span(bake_.windows[run_.window].frames).subspan(run_.firstFrame, run_.frameCount),
        moments_);
    for (std::size_t batch = 0; batch < moments_.batchCount(); ++batch) {
      const LaneTexels texels = texelsOf(bake_, run_, batch);
      const LaneStore store{
          bake_.plan, bake_.constants, texels, trails_, run_.kept + batch * bake_.keptPerBatch(),
          &mender_};
      if (!pose(batch, store)) {
        poseAll(batch);
        run_.brokenJoint = brokenJoint(poses_);
        return;
      }
    }
    for (const PoseTrail& trail : trails_) run_.spans.push_back(spanOf(trail));
    add(bake_, run_.window, box_, lost_);
  }

 private:
  bool pose(std::size_t batch, const LaneStore& store) {
    switch (formOf(bake_.atlas)) {
      case PoseForm::Pivot:
        return poser_.isNearlyRigid() ? poseRigid(batch, store) : poseFreely(batch, store);
      case PoseForm::Trs:
        return poseComponents(batch, store);
      case PoseForm::Matrix:
        break;
    }
    return poseMatrices(batch, store);
  }

  bool poseRigid(std::size_t batch, const LaneStore& store) {
    pivots_.resize(bake_.jointCount());
    if (!poser_.pivots(moments_, batch, pivots_, bake_.path)) return poseFreely(batch, store);
    growBySkins();
    storePivots(store, pivots_, bake_.path);
    return true;
  }

  bool poseFreely(std::size_t batch, const LaneStore& store) {
    pivots_.resize(bake_.jointCount());
    poseAll(batch);
    if (!pivotsOf(poses_, pivots_, lost_, bake_.path) &&
        !mender_.mend(poses_, trails_, pivots_, lost_)) {
      return false;
    }
    storePivots(store, pivots_, bake_.path);
    return true;
  }

  bool poseComponents(std::size_t batch, const LaneStore& store) {
    poser_.joints(moments_, batch, bake_.path);
    globals_.clear();
    for (std::size_t joint = 0; joint < bake_.jointCount(); ++joint) {
      globals_.push_back(&poser_.jointOf(moments_, joint));
    }
    if (!storeTrs(store, globals_, bake_.path)) return false;
    growBySkins();
    return true;
  }

  bool poseMatrices(std::size_t batch, const LaneStore& store) {
    poseAll(batch);
    return storeMatrices(store, poses_, bake_.path);
  }

  void poseAll(std::size_t batch) {
    poses_.resize(bake_.jointCount());
    poser_.pose(moments_, batch, poses_, bake_.path);
    bake_.vertices.grow(poses_, box_, bake_.path);
    limit(poses_);
  }

  void growBySkins() {
    skins_.restart();
    bake_.vertices.grow(skins_, box_, bake_.path);
    if (bake_.vertices.limits()) limit(skins_.all());
  }

  void limit(std::span<const LanePose> poses) {
    run_.limitedMeters = std::max(
        run_.limitedMeters, static_cast<double>(bake_.vertices.worstLimited(poses, bake_.path)));
  }

  Bake& bake_;
  FrameRun& run_;
  const LanePoser& poser_;
  LanePoser::Run moments_;
  std::vector<LanePose> poses_;
  std::vector<LanePivot> pivots_;
  std::vector<const LaneRows*> globals_;
  std::vector<LaneMost> lost_;
  std::vector<PoseTrail> trails_;
  PoseMender mender_;
  LaneSkins skins_;
  PosedBox box_;
};

void encode(Bake& bake, const FrameRun& run) {
  std::vector<KeptScale> scales;
  bool turns = false;
  for (std::size_t joint = 0; joint < bake.jointCount(); ++joint) {
    const int clip = static_cast<int>(run.window);
    scales.push_back(keptScaleOf(bake.plan, rangesFor(bake.atlas, clip, static_cast<int>(joint)),
                                 run.spans[joint].turned));
    turns = turns || run.spans[joint].turned;
  }
  if (bake.plan.keptCount == 0 && !turns) return;
  for (std::size_t batch = 0; batch < run.batchCount(); ++batch) {
    encodeKept(bake.plan, run.kept + batch * bake.keptPerBatch(), scales,
               texelsOf(bake, run, batch), bake.path);
  }
}

// Lets the rotations of every run go on with the sign that the run before ends with. In the first
// run of a window the largest component of the first rotation is positive.
void alignSigns(const Bake& bake, std::span<FrameRun> runs) {
  if (!bake.plan.hasRotation) return;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t joint = 0; joint < runs[r].spans.size(); ++joint) {
      PoseSpan& span = runs[r].spans[joint];
      const auto& first = span.first;
      if (runs[r].firstFrame == 0) {
        const float largest = *std::max_element(
            first, first + 4, [](float a, float b) { return std::abs(a) < std::abs(b); });
        span.turned = largest < 0.0f;
        continue;
      }
      const PoseSpan& before = runs[r - 1].spans[joint];
      const float along = before.last[0] * first[0] + before.last[1] * first[1] +
                          before.last[2] * first[2] + before.last[3] * first[3];
      span.turned = (along < 0.0f) != before.turned;
    }
  }
}

// The smallest range of a part over some runs, of one joint or, without any, of all.
TexelRange rangeOf(const Bake& bake, const TexelPlan::Part& part, std::span<const FrameRun> runs,
                   std::optional<std::size_t> joint) {
  glm::vec4 low(INFINITY);
  glm::vec4 high(-INFINITY);
  for (const FrameRun& run : runs) {
    for (std::size_t j = joint.value_or(0); j < (joint ? *joint + 1 : bake.jointCount()); ++j) {
      const PoseSpan& span = run.spans[j];
      const bool turns = part.turns && span.turned;
      low = glm::min(low, turns ? -span.high[part.value] : span.low[part.value]);
      high = glm::max(high, turns ? -span.low[part.value] : span.high[part.value]);
    }
  }
  return {low, high - low};
}

// Sets the ranges of the atlas that some runs determine: of one window if every window has its own,
// else all runs and all ranges.
void setRanges(Bake& bake, std::span<const FrameRun> runs) {
  const EncodingInfo& info = encodingInfo(bake.atlas.recipe);
  const auto each = static_cast<std::size_t>(rangesPerJoint(bake.plan.code));
  if (each == 0) return;
  const RangeMode mode = *bake.atlas.recipe.rangeMode;
  const std::size_t sets = mode == RangeMode::Atlas ? 1 : bake.jointCount();
  const std::size_t first =
      mode == RangeMode::JointClip ? runs.front().window * bake.jointCount() : 0;
  for (std::size_t set = 0; set < sets; ++set) {
    for (std::size_t p = 0; p < each; ++p) {
      const TexelPlan::Part& part = bake.plan.parts[p];
      TexelRange& range = bake.atlas.ranges[(first + set) * each + p];
      // Only rotations over -1..1 are not measured.
      range = {.low = glm::vec4(-1.0f), .size = glm::vec4(2.0f)};
      if (part.range < 0) continue;
      range =
          rangeOf(bake, part, runs, mode == RangeMode::Atlas ? std::nullopt : std::optional(set));
      if (!info.scaleInRange || p != 0) continue;
      range.low.w += 0.5f * range.size.w;
      range.size.w = 0.0f;
    }
  }
  bake.narrowing.narrow(bake.atlas, first, sets);
}

// The runs whose frames have their ranges in common, one after the other.
std::vector<std::vector<FrameRun>> groupsOf(const Bake& bake) {
  std::vector<std::vector<FrameRun>> groups;
  // Without ranges the frames of a window have nothing but the sign of its rotations in common.
  const bool apart =
      bake.atlas.recipe.rangeMode == RangeMode::JointClip || rangesPerJoint(bake.plan.code) == 0;
  for (std::size_t w = 0; w < bake.windows.size(); ++w) {
    const std::vector<FrameRun> runs = runsOf(bake, w);
    if (apart || groups.empty()) groups.emplace_back();
    groups.back().insert(groups.back().end(), runs.begin(), runs.end());
  }
  return groups;
}

// Bakes groups of runs, each by one thread or by all.
class GroupBake {
 public:
  GroupBake(Bake& bake, const JobContext& job) : bake_(bake), job_(job) {}

  // Returns false if the job was stopped; done() is meaningless then.
  bool run(std::vector<std::vector<FrameRun>>& groups) {
    std::vector<std::vector<FrameRun>*> small;
    for (std::vector<FrameRun>& group : groups) {
      for (const FrameRun& frames : group) total_ += frames.frameCount;
    }
    for (std::vector<FrameRun>& group : groups) {
      std::size_t frames = 0;
      for (const FrameRun& part : group) frames += part.frameCount;
      // A group of more than a fair share of all frames would keep the other threads waiting.
      if (frames <= kMostFramesAtOnce && 4 * frames <= total_) {
        small.push_back(&group);
      } else if (!bakeTogether(group)) {
        return false;
      }
    }
    return parallelFor(small.size(), job_, [&](std::size_t i) { bakeAlone(*small[i]); });
  }

 private:
  void bakeAlone(std::vector<FrameRun>& group) {
    const auto room = roomFor(bake_, group);
    for (FrameRun& run : group) evaluate(run);
    if (broken_ || job_.stopRequested()) return;
    finish(group);
    for (const FrameRun& run : group) encode(bake_, run);
  }

  bool bakeTogether(std::vector<FrameRun>& group) {
    const auto room = roomFor(bake_, group);
    if (!parallelFor(group.size(), job_, [&](std::size_t i) { evaluate(group[i]); })) return false;
    if (broken_) return true;
    finish(group);
    return parallelFor(group.size(), job_, [&](std::size_t i) { encode(bake_, group[i]); });
  }

  void evaluate(FrameRun& run) {
    if (broken_ || job_.stopRequested()) return;
    Evaluation(bake_, run).evaluate();
    if (run.brokenJoint) broken_ = true;
    const std::size_t count = finished_.fetch_add(run.frameCount) + run.frameCount;
    job_.report(static_cast<float>(count) / static_cast<float>(total_), "Evaluating poses");
  }

  void finish(std::vector<FrameRun>& group) {
    if (job_.stopRequested()) return;
    alignSigns(bake_, group);
    setRanges(bake_, group);
  }

  Bake& bake_;
  const JobContext& job_;
  std::size_t total_ = 0;
  std::atomic<std::size_t> finished_ = 0;
  std::atomic<bool> broken_ = false;
};

// The most by which the scales of a joint in a run differ from what its texels hold.
double lostScale(const Bake& bake, const FrameRun& run, std::size_t joint) {
  const EncodingInfo& info = encodingInfo(bake.atlas.recipe);
  const bool hasScale = codecOf(info).hasScale;
  if (!info.scaleInRange && hasScale) return 0.0;
  const int clip = static_cast<int>(run.window);
  const PoseSpan& span = run.spans[joint];
  const std::size_t value = hasScale ? 0 : 2;
  const float held =
      hasScale ? rangesFor(bake.atlas, clip, static_cast<int>(joint)).front().low.w : 1.0f;
  return static_cast<double>(
      std::max(std::abs(span.low[value].w - held), std::abs(span.high[value].w - held)));
}

void addLost(const Shell& shell, std::size_t window, std::size_t joint, double lost,
             PoseFacts& facts) {
  const double mm = 1000.0 * shell.radii[joint] * lost;
  if (shell.hasVertices[joint] == 0 || !(mm > facts.scaleDroppedMm)) return;
  facts.scaleDroppedMm = mm;
  facts.scaleDroppedJoint = static_cast<int>(joint);
  facts.scaleDroppedWindow = static_cast<int>(window);
}

PoseFacts factsOf(const Bake& bake, const Shell& shell,
                  std::span<const std::vector<FrameRun>> groups) {
  PoseFacts facts;
  for (std::size_t w = 0; w < bake.windows.size(); ++w) {
    const Window& window = bake.windows[w];
    facts.bounds.push_back({glm::dvec3(window.box.low), glm::dvec3(window.box.high)});
    for (std::size_t joint = 0; joint < bake.jointCount(); ++joint) {
      const auto square = static_cast<double>(largestOf(window.lostSquares[joint]));
      addLost(shell, w, joint, std::sqrt(square), facts);
    }
  }
  facts.limitedVertices = static_cast<int>(bake.limited.all.size());
  facts.mostInfluences = bake.limited.mostInfluences;
  for (const std::vector<FrameRun>& group : groups) {
    for (const FrameRun& run : group) {
      facts.limitedMm = std::max(facts.limitedMm, 1000.0 * run.limitedMeters);
      for (std::size_t joint = 0; joint < bake.jointCount(); ++joint) {
        addLost(shell, run.window, joint, lostScale(bake, run, joint), facts);
      }
    }
  }
  return facts;
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the bake was stopped");
}

}  // namespace

LaneTexels laneTexels(Atlas& atlas, int atlasFrame, std::size_t count) {
  LaneTexels texels;
  texels.count = std::min(kLaneCount, count);
  const int lastJoint = static_cast<int>(atlas.joints.size()) - 1;
  for (std::size_t lane = 0; lane < texels.count; ++lane) {
    const int frame = atlasFrame + static_cast<int>(lane);
    const std::size_t offset = texelOffset(atlas, frame, 0);
    // A joint's texels follow those of the joint before.
    CK_ASSERT(texelOffset(atlas, frame, lastJoint) ==
              offset + static_cast<std::size_t>(lastJoint) * bytesPerJoint(codeOf(atlas)));
    texels.at[lane] = atlas.texels.data() + offset;
  }
  return texels;
}

Result<PoseFacts> bakeInLanes(const Character& character, std::span<const BakeWindow> windows,
                              Atlas& atlas, JobContext job, LanePath path) {
  CK_ASSERT(atlas.clips.size() == windows.size());
  const Shell shell = makeShell(character);
  LimitedVertices limited = overLimit(character, atlas.recipe.influences);
  Bake bake{.planned = windows,
            .atlas = atlas,
            .path = path,
            .plan = texelPlanOf(codeOf(atlas)),
            .constants = constantsOf(character.rig),
            .limited = std::move(limited),
            .vertices = {distinctVertices(character), bake.limited, character.rig.skinJoints},
            .narrowing = {character, atlas},
            .windows = std::vector<Window>(windows.size())};
  const bool prepared =
      parallelFor(windows.size(), job, [&](std::size_t w) { prepare(bake, character, w, job); });
  if (!prepared) return stopped();
  std::size_t sets = atlas.recipe.rangeMode == RangeMode::Atlas ? 1 : bake.jointCount();
  if (atlas.recipe.rangeMode == RangeMode::JointClip) sets *= windows.size();
  atlas.ranges.assign(sets * static_cast<std::size_t>(rangesPerJoint(bake.plan.code)), {});
  std::vector<std::vector<FrameRun>> groups = groupsOf(bake);
  GroupBake work(bake, job);
  if (!work.run(groups) || job.stopRequested()) return stopped();
  for (const std::vector<FrameRun>& group : groups) {
    for (const FrameRun& run : group) {
      if (run.brokenJoint) return brokenPose(character, windows[run.window], *run.brokenJoint);
    }
  }
  return factsOf(bake, shell, groups);
}

}  // namespace ck
