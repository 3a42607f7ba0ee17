#include "core/bake/reduced_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/atlas/pose_reading.h"
#include "core/bake/joint_poses.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/step_frames.h"
#include "core/bake/vertex_error.h"
#include "core/base/parallel_for.h"
#include "core/morph/morph_set.h"

namespace ck {
namespace {

// How what is between two frames is drawn. Pools mix skin matrices (docs/techniques.md 4.1), as
// texture units do with matrix forms.
enum class Way { Relative, Direct, Mixed };

// The inputs that all windows share.
struct Inputs {
  const Character& character;
  PoseForm form = PoseForm::Pivot;
  double meters = 0.0;
  std::vector<Way> ways;
  std::vector<AtlasJoint> joints;
  MorphSet morphs;
  VertexModel vertices;
  Shell shell;
  std::vector<std::size_t> byShell;  // joints whose shell counts, because no vertex tells of them
};

// Both drawings have the same influences, so that nothing is lost between them.
VertexModel comparedVertices(const Character& character, const MorphSet& morphs, int influences,
                             const JobContext& job) {
  VertexModel model = vertexModelOf(character, morphs, influences, job);
  for (VertexModel::Influence& influence : model.influences) influence.lost = 0.0f;
  for (VertexModel::Cluster& cluster : model.clusters) {
    for (VertexModel::JointBound& joint : cluster.joints) joint.lost = 0.0f;
    cluster.losesInfluences = false;
    cluster.lostSum = 0.0f;
  }
  return model;
}

Inputs inputsOf(const Character& character, const BakeSettings& settings, const JobContext& job) {
  const EncodingInfo& info = encodingInfo(settings);
  Inputs inputs{.character = character,
                .form = info.form,
                .meters = settings.reduceMm / 1000.0,
                .ways = {Way::Relative},
                .joints = atlasJointsOf(character.rig),
                .morphs = morphSetOf(character),
                .vertices = {},
                .shell = makeShell(character),
                .byShell = {}};
  // Parent-relative encodings have one reading only.
  if (settings.reading == Reading::Direct && !isLocal(info)) {
    inputs.ways = {Way::Direct, Way::Mixed};
  }
  inputs.vertices = comparedVertices(character, inputs.morphs, settings.influences, job);
  for (std::size_t joint = 0; joint < inputs.joints.size(); ++joint) {
    if (inputs.joints[joint].isSocket || inputs.vertices.places.empty()) {
      inputs.byShell.push_back(joint);
    }
  }
  return inputs;
}

// Decides whether the moments between two others need frames.
class GapJudge {
 public:
  GapJudge(const Inputs& inputs, const BakeWindow& window, const JointPoses& poses, std::size_t w)
      : inputs_(inputs), window_(window), grid_(frameGridOf(window)), comparison_(inputs.vertices) {
    const WindowWeights weights(inputs.morphs, *window.motion, window.closingSeconds);
    for (const StoredFrame& stored : storedFrames(window)) {
      Frame& frame = frames_.emplace_back();
      const std::size_t at = poses.firstFrames[w] + frames_.size() - 1;
      for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
        frame.poses.push_back(poses.of(joint, at, 1).front());
      }
      frame.morphs = weights.at(stored.seconds, stored.heldSeconds);
    }
    const bool closes = window.loop == LoopMode::Loop && window.seam != Seam::None;
    if (closes) frames_.back().morphs = frames_.front().morphs;
  }

  bool isStep(int moment) const { return std::ranges::binary_search(window_.stepFrames, moment); }

  // Whether interpolation between two moments gives back all between, none of which is a step
  // frame.
  bool holds(int from, int to) {
    const int parts = 2 * (to - from);
    // The middle is mostly worst.
    if (!holdsAt(from, to, parts / 2)) return false;
    for (int part = 1; part < parts; ++part) {
      if (part != parts / 2 && !holdsAt(from, to, part)) return false;
    }
    return true;
  }

 private:
  struct Frame {
    std::vector<JointPose> poses;
    std::vector<float> morphs;
  };

  // The frame of a moment from which, or to which a gap leads.
  const Frame& leaving(int moment) const {
    return frames_[static_cast<std::size_t>(frameOfMoment(moment, grid_))];
  }
  const Frame& arriving(int moment) const {
    return frames_[static_cast<std::size_t>(frameOfMoment(moment, grid_) -
                                            (isStep(moment) ? 1 : 0))];
  }

  struct Drawn {
    std::vector<glm::dmat4> skins;
    std::vector<float> morphs;
  };

  Drawn drawn(std::span<const JointPose> poses, std::vector<float> morphs) const {
    Drawn drawn{{}, std::move(morphs)};
    drawn.skins.reserve(poses.size());
    for (std::size_t joint = 0; joint < poses.size(); ++joint) {
      drawn.skins.push_back(skinMatrixOf(inputs_.form, poses[joint], inputs_.joints[joint]));
    }
    return drawn;
  }
  Drawn drawn(const Frame& frame) const { return drawn(frame.poses, frame.morphs); }

  Drawn between(const Frame& a, const Frame& b, double alpha, Way way) const {
    std::vector<float> morphs = a.morphs;
    for (std::size_t m = 0; m < morphs.size(); ++m) {
      morphs[m] += static_cast<float>(alpha) * (b.morphs[m] - a.morphs[m]);
    }
    if (way != Way::Mixed) {
      const Reading reading = way == Way::Direct ? Reading::Direct : Reading::Palette;
      return drawn(
          posesBetween(inputs_.joints, a.poses, b.poses, static_cast<float>(alpha), reading),
          std::move(morphs));
    }
    Drawn mixed = drawn(a.poses, std::move(morphs));
    const Drawn other = drawn(b.poses, {});
    for (std::size_t joint = 0; joint < mixed.skins.size(); ++joint) {
      mixed.skins[joint] = mixed.skins[joint] * (1.0 - alpha) + other.skins[joint] * alpha;
    }
    return mixed;
  }

  // `part` counts halves of intervals from `from` on.
  bool holdsAt(int from, int to, int part) {
    const Frame& first = leaving(from);
    const Frame& last = arriving(to);
    const double alpha = static_cast<double>(part) / (2 * (to - from));
    const int moment = from + part / 2;
    return std::ranges::all_of(inputs_.ways, [&](Way way) {
      const Drawn due = part % 2 == 0 ? drawn(leaving(moment))
                                      : between(leaving(moment), arriving(moment + 1), 0.5, way);
      return isNear(due, between(first, last, alpha, way));
    });
  }

  bool isNear(const Drawn& due, const Drawn& shown) {
    for (const std::size_t joint : inputs_.byShell) {
      const double meters =
          shellDistance(inputs_.shell, joint, due.skins[joint], shown.skins[joint]);
      if (!(meters <= inputs_.meters)) return false;
    }
    if (inputs_.vertices.places.empty()) return true;
    return comparison_.worst({due.skins, shown.skins, due.morphs, shown.morphs}).meters <=
           inputs_.meters;
  }

  const Inputs& inputs_;
  const BakeWindow& window_;
  FrameGrid grid_;
  std::vector<Frame> frames_;
  VertexComparison comparison_;
};

// The farthest moment up to `end` that a gap from a moment can lead to: the search doubles the gap
// while it holds, and then halves what is unknown.
int farthestFrom(GapJudge& judge, int from, int end) {
  const int most = std::min(end, from + kLongestGap);
  int good = from + 1;
  int bad = most + 1;
  for (int step = 2; good < most; step *= 2) {
    const int next = std::min(from + step, most);
    if (!judge.holds(from, next)) {
      bad = next;
      break;
    }
    good = next;
  }
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (judge.holds(from, middle) ? good : bad) = middle;
  }
  return good;
}

// Whether so many fewer frames are worth a table, and the packing of moments that lie evenly.
bool saves(std::size_t kept, int moments) {
  constexpr int kLeastShare = 16;
  return moments - static_cast<int>(kept) >= std::max(1, moments / kLeastShare);
}

// The moments of a window that need frames.
std::vector<int> keptMoments(const BakeWindow& window, GapJudge& judge, const JobContext& job) {
  const int last = momentCount(frameGridOf(window)) - 1;
  std::vector<int> ends = window.stepFrames;
  if (ends.empty() || ends.back() != last) ends.push_back(last);
  std::vector<int> kept = {0};
  for (const int end : ends) {
    while (kept.back() < end && !job.stopRequested()) {
      kept.push_back(farthestFrom(judge, kept.back(), end));
    }
  }
  return kept;
}

}  // namespace

Result<std::vector<Bounds>> reduceFrames(const Character& character, const BakeSettings& settings,
                                         std::vector<BakeWindow>& windows, const JobContext& job) {
  auto evaluated =
      evaluatePoses(character, windows, {encodingInfo(settings).form, settings.influences}, job);
  if (!evaluated) return tl::unexpected(evaluated.error());
  const Inputs inputs = inputsOf(character, settings, job);
  const bool done = parallelFor(windows.size(), job, [&](std::size_t w) {
    BakeWindow& window = windows[w];
    if (momentCount(frameGridOf(window)) < 3) return;
    GapJudge judge(inputs, window, evaluated->poses, w);
    std::vector<int> kept = keptMoments(window, judge, job);
    if (job.stopRequested() || !saves(kept.size(), momentCount(frameGridOf(window)))) return;
    window.frameCount = static_cast<int>(kept.size() + window.stepFrames.size());
    window.keptMoments = std::move(kept);
  });
  if (!done || job.stopRequested()) return fail(ErrorCode::Cancelled, "the bake was stopped");
  return std::move(evaluated->facts.bounds);
}

Notes reductionNotes(const std::vector<BakeWindow>& windows, double mm) {
  std::size_t clips = 0;
  std::size_t stored = 0;
  std::size_t moments = 0;
  for (const BakeWindow& window : windows) {
    if (window.keptMoments.empty()) continue;
    ++clips;
    stored += window.keptMoments.size();
    moments += static_cast<std::size_t>(momentCount(frameGridOf(window)));
  }
  if (clips == 0) return {};
  return {{Note::Level::Info, "FramesLeftOut",
           fmt::format("frames that interpolation gives back within {} mm are left out: {} of {} "
                       "are stored in {} {}",
                       mm, stored, moments, clips, clips == 1 ? "clip" : "clips")}};
}

}  // namespace ck
