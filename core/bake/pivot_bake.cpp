#include "core/bake/pivot_bake.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>

#include "core/atlas/atlas_layout.h"
#include "core/bake/lane_box.h"
#include "core/bake/pivot_lanes.h"
#include "core/bake/shell.h"
#include "core/bake/step_frames.h"
#include "core/bake/texel_ranges.h"
#include "core/base/assert.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

constexpr std::size_t kFramesPerRun = 128;
constexpr std::size_t kBatchesPerRun = kFramesPerRun / kLaneCount;

// Consecutive frames of one window, evaluated by one thread, with what was measured there.
struct FrameRun {
  std::size_t window = 0;
  std::size_t firstFrame = 0;  // within the window
  std::size_t frameCount = 0;
  std::size_t firstBatch = 0;         // into Places
  std::vector<PivotSpan> spans = {};  // one per joint
  double limitedMeters = 0.0;
  bool unusual = false;
};

// What all runs read or share.
struct Bake {
  const Character& character;
  std::span<const BakeWindow> windows;
  Atlas& atlas;
  LanePath path;
  std::vector<std::vector<StoredFrame>> frames = {};          // per window
  std::vector<std::unique_ptr<const LanePoser>> posers = {};  // per window
  VertexSet vertices;
  LimitedVertices limited;
  std::vector<PosedBox> boxes = {};  // per window
  std::mutex boxesMutex = {};
  // Places and scales of all batches, joint by joint: PivotPlaces each.
  std::unique_ptr<PivotPlaces[]> places = {};

  std::size_t jointCount() const { return atlas.joints.size(); }
  PivotPlaces* placesOf(const FrameRun& run, std::size_t batch) {
    return places.get() + (run.firstBatch + batch) * jointCount();
  }
};

std::vector<FrameRun> makeRuns(std::span<const BakeWindow> windows) {
  std::vector<FrameRun> runs;
  std::size_t batches = 0;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const auto count = static_cast<std::size_t>(windows[w].frameCount);
    for (std::size_t first = 0; first < count; first += kFramesPerRun) {
      runs.push_back({w, first, std::min(kFramesPerRun, count - first), batches});
      batches += kBatchesPerRun;
    }
  }
  return runs;
}

// Where the texels of the frames of a batch begin. A joint's texels follow those of the joint
// before.
PivotRows rowsOf(Bake& bake, const FrameRun& run, std::size_t batch) {
  const std::size_t first = run.firstFrame + batch * kLaneCount;
  PivotRows rows;
  rows.count = std::min(kLaneCount, run.firstFrame + run.frameCount - first);
  const std::size_t lastJoint = bake.jointCount() - 1;
  for (std::size_t lane = 0; lane < rows.count; ++lane) {
    const int frame = bake.atlas.clips[run.window].firstFrame + static_cast<int>(first + lane);
    const std::size_t offset = texelOffset(bake.atlas, frame, 0);
    CK_ASSERT(texelOffset(bake.atlas, frame, static_cast<int>(lastJoint)) ==
              offset + lastJoint * kPivotBytes);
    rows.at[lane] = bake.atlas.texels.data() + offset;
  }
  return rows;
}

// The box of a window so far. Whatever is in it already saves work and changes no result.
PosedBox boxSoFar(Bake& bake, std::size_t window) {
  const std::lock_guard lock(bake.boxesMutex);
  return bake.boxes[window];
}

void growTo(Bake& bake, std::size_t window, const PosedBox& box) {
  if (box.empty) return;
  const std::lock_guard lock(bake.boxesMutex);
  PosedBox& all = bake.boxes[window];
  all.low = all.empty ? box.low : glm::min(all.low, box.low);
  all.high = all.empty ? box.high : glm::max(all.high, box.high);
  all.empty = false;
}

void evaluate(Bake& bake, const LaneVertices& vertices, FrameRun& run) {
  const LanePoser& poser = *bake.posers[run.window];
  LanePoser::Run moments;
  poser.prepare(std::span(bake.frames[run.window]).subspan(run.firstFrame, run.frameCount),
                moments);
  std::vector<PivotTrail> trails(bake.jointCount());
  PosedBox box = boxSoFar(bake, run.window);
  std::vector<LanePose> poses(bake.jointCount());
  for (std::size_t batch = 0; batch < moments.batchCount(); ++batch) {
    poser.pose(moments, batch, poses, bake.path);
    if (!storePivots(poses, rowsOf(bake, run, batch), trails, bake.placesOf(run, batch),
                     bake.path)) {
      run.unusual = true;
      return;
    }
    vertices.grow(poses, box, bake.path);
    run.limitedMeters =
        std::max(run.limitedMeters, static_cast<double>(vertices.worstLimited(poses, bake.path)));
  }
  for (const PivotTrail& trail : trails) run.spans.push_back(spanOf(trail));
  growTo(bake, run.window, box);
}

void encode(Bake& bake, const FrameRun& run) {
  std::vector<PivotScale> scales;
  for (std::size_t joint = 0; joint < bake.jointCount(); ++joint) {
    const int clip = static_cast<int>(run.window);
    const TexelRange& range = rangesFor(bake.atlas, clip, static_cast<int>(joint)).front();
    scales.push_back(scaleOf(range, run.spans[joint].turned));
  }
  const std::size_t batches = (run.frameCount + kLaneCount - 1) / kLaneCount;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    encodePlaces(bake.placesOf(run, batch), scales, rowsOf(bake, run, batch), bake.path);
  }
}

// Lets the rotations of every run go on with the sign that the run before ends with.
void alignSigns(std::span<FrameRun> runs) {
  for (std::size_t r = 1; r < runs.size(); ++r) {
    if (runs[r].firstFrame == 0) continue;
    for (std::size_t joint = 0; joint < runs[r].spans.size(); ++joint) {
      const PivotSpan& before = runs[r - 1].spans[joint];
      PivotSpan& span = runs[r].spans[joint];
      const float along = before.last[0] * span.first[0] + before.last[1] * span.first[1] +
                          before.last[2] * span.first[2] + before.last[3] * span.first[3];
      span.turned = (along < 0.0f) != before.turned;
    }
  }
}

// The ranges of the atlas, from those of the runs.
void setRanges(Bake& bake, std::span<const FrameRun> runs) {
  const std::size_t joints = bake.jointCount();
  const RangeMode mode = bake.atlas.rangeMode;
  std::size_t sets = mode == RangeMode::Atlas ? 1 : joints;
  if (mode == RangeMode::JointClip) sets *= bake.windows.size();
  std::vector<glm::vec4> lows(sets, glm::vec4(INFINITY));
  std::vector<glm::vec4> highs(sets, glm::vec4(-INFINITY));
  for (const FrameRun& run : runs) {
    for (std::size_t joint = 0; joint < joints; ++joint) {
      std::size_t set = mode == RangeMode::Atlas ? 0 : joint;
      if (mode == RangeMode::JointClip) set += run.window * joints;
      lows[set] = glm::min(lows[set], run.spans[joint].low);
      highs[set] = glm::max(highs[set], run.spans[joint].high);
    }
  }
  bake.atlas.ranges.clear();
  for (std::size_t set = 0; set < sets; ++set) {
    bake.atlas.ranges.push_back({lows[set], highs[set] - lows[set]});
  }
  narrowRanges(bake.character, bake.atlas);
}

PoseFacts factsOf(const Bake& bake, const Shell& shell, std::span<const FrameRun> runs) {
  PoseFacts facts;
  for (const PosedBox& box : bake.boxes) {
    facts.bounds.push_back({glm::dvec3(box.low), glm::dvec3(box.high)});
  }
  facts.limitedVertices = static_cast<int>(bake.limited.all.size());
  facts.mostInfluences = bake.limited.mostInfluences;
  for (const FrameRun& run : runs) {
    facts.limitedMm = std::max(facts.limitedMm, 1000.0 * run.limitedMeters);
    for (std::size_t joint = 0; joint < run.spans.size(); ++joint) {
      const double lost =
          1000.0 * shell.radii[joint] * std::sqrt(static_cast<double>(run.spans[joint].lostSquare));
      if (shell.hasVertices[joint] == 0 || !(lost > facts.scaleDroppedMm)) continue;
      facts.scaleDroppedMm = lost;
      facts.scaleDroppedJoint = static_cast<int>(joint);
      facts.scaleDroppedWindow = static_cast<int>(run.window);
    }
  }
  return facts;
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the bake was stopped");
}

}  // namespace

bool bakesInLanes(Encoding encoding) {
  const EncodingInfo& info = encodingInfo(encoding);
  return info.form == PoseForm::Pivot && info.format == TexelFormat::Rgba16 &&
         info.ranged == RangedTexels::First;
}

Result<std::optional<PoseFacts>> bakePivots(const Character& character,
                                            std::span<const BakeWindow> windows, int influences,
                                            Atlas& atlas, JobContext job, LanePath path) {
  CK_ASSERT(bakesInLanes(atlas.encoding) && atlas.clips.size() == windows.size());
  for (std::size_t w = 0; w < windows.size(); ++w) {
    CK_ASSERT(atlas.clips[w].frameCount == windows[w].frameCount);
  }
  Bake bake{.character = character,
            .windows = windows,
            .atlas = atlas,
            .path = path,
            .vertices = distinctVertices(character),
            .limited = overLimit(character, influences)};
  const LaneVertices vertices(bake.vertices, bake.limited, bake.jointCount());
  bake.boxes.resize(windows.size());
  bake.frames.resize(windows.size());
  bake.posers.resize(windows.size());
  const bool prepared = parallelFor(windows.size(), job, [&](std::size_t w) {
    bake.frames[w] = storedFrames(windows[w]);
    // A loop ends on its first frame.
    const bool closes = windows[w].loop == LoopMode::Loop && windows[w].seam != Seam::None;
    if (closes) bake.frames[w].back() = bake.frames[w].front();
    bake.posers[w] = std::make_unique<const LanePoser>(character.rig, *windows[w].motion,
                                                       windows[w].closingSeconds);
  });
  if (!prepared) return stopped();

  std::vector<FrameRun> runs = makeRuns(windows);
  bake.places = std::make_unique_for_overwrite<PivotPlaces[]>(runs.size() * kBatchesPerRun *
                                                              bake.jointCount());
  std::atomic<std::size_t> finished = 0;
  std::atomic<bool> unusual = false;
  const bool evaluated = parallelFor(runs.size(), job, [&](std::size_t i) {
    if (unusual) return;
    evaluate(bake, vertices, runs[i]);
    if (runs[i].unusual) unusual = true;
    const std::size_t count = finished.fetch_add(1) + 1;
    job.report(0.8f * static_cast<float>(count) / static_cast<float>(runs.size()),
               "Evaluating poses");
  });
  if (!evaluated) return stopped();
  if (unusual) return std::nullopt;

  setRanges(bake, runs);
  alignSigns(runs);
  if (!parallelFor(runs.size(), job, [&](std::size_t i) { encode(bake, runs[i]); })) {
    return stopped();
  }
  return factsOf(bake, makeShell(character), runs);
}

}  // namespace ck
