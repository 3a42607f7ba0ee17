#include "core/bake/components.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/anim/pose.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/joint_poses.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/shell.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/pose_lanes.h"
#include "core/bake/single_poses.h"
#include "core/bake/step_frames.h"
#include "core/bake/vertex_error.h"
#include "core/base/parallel_for.h"
#include "core/base/transform.h"
#include "core/morph/morph_set.h"

namespace ck {
namespace {

struct Inputs {
  const Character& character;
  MorphSet morphs;
  std::vector<AtlasJoint> joints;
  std::vector<glm::dvec3> bindScales;
  VertexModel vertices;
  Shell shell;  // of sockets, which have no vertices
  std::vector<ComponentReach> reaches = {};
  // How far the vertices of each joint, or its shell, are from its pivot along the axes at most,
  // taken together.
  std::vector<double> pivotReaches = {};
  double ignoredMm = 0.0;  // frames that lose at most this are not measured (notedLossMm())
};

// A lasting shear makes all frames of a clip lose nearly the same: more of them tell nothing new.
constexpr std::size_t kMeasuredFrames = 24;
constexpr std::size_t kFramesAtOnce = 1024;

// Measures what the frames of a window lose: at vertices in those that can lose most.
class LossMeter {
 public:
  LossMeter(const Inputs& inputs, const BakeWindow& window)
      : inputs_(inputs),
        window_(window),
        sampler_(inputs.character.rig, *window.motion, window.closingSeconds),
        weights_(inputs.morphs, *window.motion, window.closingSeconds),
        comparisons_{VertexComparison(inputs.vertices), VertexComparison(inputs.vertices),
                     VertexComparison(inputs.vertices)},
        kept_(inputs.joints.size()),
        frames_(storedFrames(window)) {}

  ComponentsLoss measure(std::size_t windowIndex, const JobContext& job) {
    bound(job);
    ComponentsLoss loss;
    for (std::size_t c = 0; c < comparisons_.size(); ++c) {
      measureWorst(c, windowIndex, job, *losses(loss)[c],
                   [&](const auto&, const auto& globals) { keep(globals, c); });
    }
    return loss;
  }

  // The same for what poses in pivot form lose.
  ComponentLoss measurePivots(std::size_t windowIndex, const HeldScale& held,
                              const JobContext& job) {
    boundPivots(windowIndex, held, job);
    ComponentLoss loss;
    measureWorst(0, windowIndex, job, loss, [&](const auto& skins, const auto&) {
      for (std::size_t joint = 0; joint < kept_.size(); ++joint) {
        const glm::vec3& pivot = inputs_.joints[joint].pivot;
        JointPose pose = pivotPoseOf(skins[joint], glm::dvec3(pivot));
        if (held) pose.scale = glm::vec3(held(joint, windowIndex, pose.scale.x));
        kept_[joint] = poseMatrix(pose, pivot);
      }
    });
    return loss;
  }

 private:
  static std::array<ComponentLoss*, 3> losses(ComponentsLoss& loss) {
    return {&loss.trs, &loss.tr, &loss.r};
  }

  // Measures the frames whose bounds are the largest. `keep` sets the skin matrices that are kept
  // of those of a frame and of its joints.
  void measureWorst(std::size_t c, std::size_t windowIndex, const JobContext& job,
                    ComponentLoss& worst, const auto& keep) {
    std::vector<std::size_t> order(frames_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t frame) { return bounds_[frame][c]; });
    order.resize(std::min(order.size(), kMeasuredFrames));
    for (const std::size_t frame : order) {
      const double mostMm = std::max(worst.mm, inputs_.ignoredMm);
      if (1000.0 * bounds_[frame][c] <= mostMm || job.stopRequested()) break;
      const std::span<const glm::dmat4> skins =
          sampler_.skinMatrices(frames_[frame].seconds, frames_[frame].heldSeconds);
      keep(skins, sampler_.globals());
      measureAt(frames_[frame], skins, c, windowIndex, worst);
    }
  }

  // As bound(), for what poses in pivot form lose: at most the distance between the axes of a pose
  // and its matrix, times the vertex in these axes.
  void boundPivots(std::size_t windowIndex, const HeldScale& held, const JobContext& job) {
    const auto poser = poserOf(inputs_.character.rig, window_, 1);
    std::vector<LanePose> poses(inputs_.joints.size());
    LanePoser::Run moments;
    for (std::size_t first = 0; first < frames_.size(); first += kFramesAtOnce) {
      const std::size_t count = std::min(kFramesAtOnce, frames_.size() - first);
      poser->prepare(std::span(frames_).subspan(first, count), moments);
      for (std::size_t batch = 0; batch < moments.batchCount() && !job.stopRequested(); ++batch) {
        poser->pose(moments, batch, poses);
        for (std::size_t lane = 0; lane < kLaneCount && bounds_.size() < first + count; ++lane) {
          const double most = pivotBound(poses, lane, windowIndex, held);
          bounds_.push_back({most, most, most});
        }
      }
    }
    bounds_.resize(frames_.size());
  }

  double pivotBound(std::span<const LanePose> poses, std::size_t lane, std::size_t windowIndex,
                    const HeldScale& held) const {
    // Poses are in float.
    constexpr double kSlack = 1.0001;
    double most = 0.0;
    for (std::size_t joint = 0; joint < poses.size(); ++joint) {
      if (inputs_.pivotReaches[joint] <= 0.0) continue;
      glm::dmat4 skin(1.0);
      for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
          skin[column][row] = static_cast<double>(poses[joint].rows[row][column][lane]);
        }
      }
      JointPose pose = pivotPoseOf(skin, glm::dvec3(0.0));
      if (held) pose.scale = glm::vec3(held(joint, windowIndex, pose.scale.x));
      const glm::dmat4 kept = poseMatrix(pose, glm::vec3(0.0f));
      for (int axis = 0; axis < 3; ++axis) {
        most = std::max(most, inputs_.pivotReaches[joint] * glm::distance(skin[axis], kept[axis]));
      }
    }
    return kSlack * most;
  }

  // Finds the most that each frame can lose, in metres, so that only a few have to be measured.
  // Frames after a stop have none.
  void bound(const JobContext& job) {
    // Bounds are computed in float: this much more is on the safe side.
    constexpr double kSlack = 1.0001;
    const auto poser = poserOf(inputs_.character.rig, window_, 1);
    LanePoser::Run moments;
    std::vector<const LaneRows*> globals;
    for (std::size_t first = 0; first < frames_.size(); first += kFramesAtOnce) {
      const std::size_t count = std::min(kFramesAtOnce, frames_.size() - first);
      poser->prepare(std::span(frames_).subspan(first, count), moments);
      globals.clear();
      for (std::size_t joint = 0; joint < inputs_.joints.size(); ++joint) {
        globals.push_back(&poser->jointOf(moments, joint));
      }
      for (std::size_t batch = 0; batch < moments.batchCount() && !job.stopRequested(); ++batch) {
        poser->joints(moments, batch);
        const ComponentBounds most = componentBounds(inputs_.reaches, globals, LanePath::Best);
        for (std::size_t lane = 0; lane < kLaneCount && bounds_.size() < first + count; ++lane) {
          std::array<double, 3>& bound = bounds_.emplace_back();
          for (std::size_t c = 0; c < bound.size(); ++c) {
            const double meters = kSlack * static_cast<double>(most.at[c][lane]);
            bound[c] = std::isfinite(meters) ? meters : INFINITY;
          }
        }
      }
    }
    bounds_.resize(frames_.size());
  }

  void measureAt(const StoredFrame& frame, std::span<const glm::dmat4> skins, std::size_t component,
                 std::size_t windowIndex, ComponentLoss& worst) {
    const std::vector<float> weights = weights_.at(frame.seconds, frame.heldSeconds);
    const auto take = [&](double mm, int joint) {
      const bool earlier = mm == worst.mm && mm > 0.0 && frame.seconds < worst.seconds;
      if (mm > worst.mm || earlier) worst = {mm, joint, windowIndex, frame.seconds};
    };
    const auto vertex = comparisons_[component].worst({skins, kept_, weights, weights});
    if (vertex.vertex >= 0) take(1000.0 * vertex.meters, heaviestJoint(vertex.vertex));
    for (std::size_t joint = 0; joint < inputs_.joints.size(); ++joint) {
      if (!inputs_.joints[joint].isSocket) continue;
      take(1000.0 * shellDistance(inputs_.shell, joint, skins[joint], kept_[joint]),
           static_cast<int>(joint));
    }
  }

  // The skin matrices of the pose with all components, without scale, or without position too.
  void keep(std::span<const glm::dmat4> globals, std::size_t component) {
    for (std::size_t joint = 0; joint < inputs_.joints.size(); ++joint) {
      const auto node = static_cast<std::size_t>(inputs_.character.rig.skinJoints[joint].joint);
      JointPose pose = trsPoseOf(globals[node], inputs_.bindScales[joint]);
      if (component > 0) pose.scale = glm::vec3(1.0f);
      if (component > 1) pose.position = inputs_.joints[joint].pivot;
      kept_[joint] = skinMatrixOf(PoseForm::Trs, pose, inputs_.joints[joint]);
    }
  }

  int heaviestJoint(int vertex) const {
    const VertexModel& model = inputs_.vertices;
    const std::uint32_t first = model.influenceStarts[static_cast<std::size_t>(vertex)];
    return static_cast<int>(model.influences[first].skinJoint);
  }

  const Inputs& inputs_;
  const BakeWindow& window_;
  WindowSampler sampler_;
  WindowWeights weights_;
  std::array<VertexComparison, 3> comparisons_;
  std::vector<glm::dmat4> kept_;
  std::vector<StoredFrame> frames_;
  std::vector<std::array<double, 3>> bounds_;  // per frame
};

// The box of the vertices of each joint, wherever morphs move them.
std::vector<ComponentReach> reachesOf(const Inputs& inputs, double mostWeight) {
  const std::size_t count = inputs.joints.size();
  std::vector<glm::dvec3> low(count, glm::dvec3(INFINITY));
  std::vector<glm::dvec3> high(count, glm::dvec3(-INFINITY));
  const auto reach = [&](std::size_t joint, const glm::vec3& at, double further) {
    const glm::dmat4& inverseBind = inputs.character.rig.skinJoints[joint].inverseBind;
    const glm::dmat3 linear(inverseBind);
    const double stretch =
        std::sqrt(glm::dot(linear[0], linear[0]) + glm::dot(linear[1], linear[1]) +
                  glm::dot(linear[2], linear[2]));
    const glm::dvec3 own = transformPoint(inverseBind, glm::dvec3(at));
    low[joint] = glm::min(low[joint], own - stretch * further);
    high[joint] = glm::max(high[joint], own + stretch * further);
  };
  const VertexModel& model = inputs.vertices;
  for (std::size_t v = 0; v < model.positions.size(); ++v) {
    double moved = 0.0;
    for (std::uint32_t i = model.deltaStarts[v]; i < model.deltaStarts[v + 1]; ++i) {
      moved += static_cast<double>(glm::length(model.deltas[i].position)) * mostWeight;
    }
    for (std::uint32_t i = model.influenceStarts[v]; i < model.influenceStarts[v + 1]; ++i) {
      reach(model.influences[i].skinJoint, model.positions[v], moved);
    }
  }
  std::vector<ComponentReach> reaches(count);
  for (std::size_t joint = 0; joint < count; ++joint) {
    if (inputs.joints[joint].isSocket) {
      reach(joint, inputs.shell.pivots[joint], inputs.shell.radii[joint]);
    }
    ComponentReach& own = reaches[joint];
    own.hasVertices = low[joint].x <= high[joint].x;
    for (int axis = 0; axis < 3; ++axis) {
      own.bindScale[axis] = static_cast<float>(inputs.bindScales[joint][axis]);
      own.pivot[axis] = inputs.joints[joint].pivot[axis];
      if (!own.hasVertices) continue;
      own.center[axis] = static_cast<float>(0.5 * (low[joint][axis] + high[joint][axis]));
      own.half[axis] = static_cast<float>(0.5 * (high[joint][axis] - low[joint][axis]));
    }
  }
  return reaches;
}

// Inputs::pivotReaches, wherever morphs move the vertices.
std::vector<double> pivotReachesOf(const Inputs& inputs, double mostWeight) {
  const VertexModel& model = inputs.vertices;
  double moved = 0.0;
  for (std::size_t v = 0; v < model.positions.size(); ++v) {
    double own = 0.0;
    for (std::uint32_t i = model.deltaStarts[v]; i < model.deltaStarts[v + 1]; ++i) {
      own += static_cast<double>(glm::length(model.deltas[i].position)) * mostWeight;
    }
    moved = std::max(moved, own);
  }
  std::vector<double> reaches;
  for (std::size_t joint = 0; joint < inputs.joints.size(); ++joint) {
    const VertexModel::Box& box = model.jointBoxes[joint];
    const glm::vec3 far = glm::abs(box.center - inputs.joints[joint].pivot) + box.half;
    const double ofVertices =
        box.half.x < 0.0f ? 0.0 : static_cast<double>(far.x + far.y + far.z) + 2.0 * moved;
    const double ofShell = inputs.joints[joint].isSocket ? inputs.shell.radii[joint] : 0.0;
    reaches.push_back(std::max(ofVertices, ofShell));
  }
  return reaches;
}

// The largest weight of any morph in the frames of the windows; 0 if no morph moves a vertex.
double mostWeightOf(const Inputs& inputs, std::span<const BakeWindow> windows) {
  if (inputs.vertices.deltas.empty()) return 0.0;
  const MorphSet& morphs = inputs.morphs;
  float most = 0.0f;
  for (const BakeWindow& window : windows) {
    const WindowWeights weights(morphs, *window.motion, window.closingSeconds);
    for (const StoredFrame& frame : storedFrames(window)) {
      for (const float weight : weights.at(frame.seconds, frame.heldSeconds)) {
        most = std::max(most, std::abs(weight));
      }
    }
  }
  return static_cast<double>(most);
}

// Of no use if the job is stopped.
Inputs inputsOf(const Character& character, const JobContext& job) {
  // All influences count: what a limit of them loses is not a matter of poses.
  constexpr int kAllInfluences = std::numeric_limits<int>::max();
  MorphSet set = morphSetOf(character);
  VertexModel vertices = vertexModelOf(character, set, kAllInfluences, job);
  Inputs inputs{character, std::move(set),      atlasJointsOf(character.rig),
                {},        std::move(vertices), makeShell(character)};
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    inputs.bindScales.push_back(bindScaleOf(skinJoint));
  }
  inputs.ignoredMm = notedLossMm(character);
  return inputs;
}

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::Cancelled, "the bake was stopped");
}

void improve(ComponentLoss& worst, const ComponentLoss& other) {
  if (other.mm > worst.mm) worst = other;
}

}  // namespace

std::string whyAllTogether(Encoding encoding) {
  const EncodingInfo& info = encodingInfo(encoding);
  if (storesMatrices(info)) {
    return fmt::format("keeps whole matrices in {} texels, all components together",
                       info.texelsPerJoint);
  }
  return fmt::format("packs position, rotation and scale into {} texels together",
                     info.texelsPerJoint);
}

const ComponentLoss& lossOf(const ComponentsLoss& loss, Components components) {
  if (components == Components::R) return loss.r;
  return components == Components::Tr ? loss.tr : loss.trs;
}

double notedLossMm(const Character& character) {
  constexpr double kRounding = 1e-6;  // floats round to 1e-7 of the size of a character
  const Bounds bounds = bindBounds(character);
  return std::max(kNotedLossMm, 1000.0 * kRounding * glm::length(bounds.high - bounds.low));
}

double lossMm(const ComponentsLoss& loss, Components components) {
  return lossOf(loss, components).mm;
}

Result<ComponentsLoss> measureComponentsLoss(const Character& character,
                                             std::span<const BakeWindow> windows, JobContext job) {
  Inputs inputs = inputsOf(character, job);
  if (job.stopRequested()) return stopped();
  ComponentsLoss worst;
  if (inputs.vertices.places.empty()) return worst;
  inputs.reaches = reachesOf(inputs, mostWeightOf(inputs, windows));
  std::vector<ComponentsLoss> losses(windows.size());
  const bool done = parallelFor(windows.size(), job, [&](std::size_t i) {
    losses[i] = LossMeter(inputs, windows[i]).measure(i, job);
  });
  if (!done) return stopped();
  for (const ComponentsLoss& loss : losses) {
    improve(worst.trs, loss.trs);
    improve(worst.tr, loss.tr);
    improve(worst.r, loss.r);
  }
  return worst;
}

Result<ComponentLoss> measurePivotLoss(const Character& character,
                                       std::span<const BakeWindow> windows, const HeldScale& held,
                                       JobContext job) {
  std::vector<std::size_t> measured;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    if (held || !isNearlyRigid(character.rig, *windows[w].motion)) measured.push_back(w);
  }
  ComponentLoss worst;
  if (measured.empty()) return worst;
  Inputs inputs = inputsOf(character, job);
  if (job.stopRequested()) return stopped();
  if (inputs.vertices.places.empty()) return worst;
  inputs.pivotReaches = pivotReachesOf(inputs, mostWeightOf(inputs, windows));
  std::vector<ComponentLoss> losses(measured.size());
  const bool done = parallelFor(measured.size(), job, [&](std::size_t i) {
    const std::size_t w = measured[i];
    losses[i] = LossMeter(inputs, windows[w]).measurePivots(w, held, job);
  });
  if (!done) return stopped();
  for (const ComponentLoss& loss : losses) improve(worst, loss);
  return worst;
}

Result<ChosenEncoding> chooseEncoding(const Character& character, const BakeSettings& settings,
                                      std::span<const BakeWindow> windows, JobContext job) {
  constexpr double kMostShare = 0.0005;
  if (settings.encoding) return ChosenEncoding{*settings.encoding, std::nullopt};
  const auto loss = measurePivotLoss(character, windows, {}, std::move(job));
  if (!loss) return tl::unexpected(loss.error());
  const Bounds bounds = bindBounds(character);
  const glm::dvec3 size = bounds.high - bounds.low;
  const double mostMm = 1000.0 * kMostShare * std::max({size.x, size.y, size.z});
  return ChosenEncoding{loss->mm > mostMm ? Encoding::M16 : Encoding::P16, *loss};
}

Result<ChosenComponents> chooseComponents(const Character& character, const BakeSettings& settings,
                                          std::span<const BakeWindow> windows, JobContext job) {
  const EncodingInfo& info = encodingInfo(settings);
  ChosenComponents choice{settings.components.value_or(Components::Trs), std::nullopt, false};
  if (!isPossible({encodingOf(settings), choice.components})) {
    return fail(
        ErrorCode::InvalidInput,
        fmt::format("components '{}' cannot be baked as {}, which {}; {} can leave some out",
                    componentsName(choice.components), info.name, whyAllTogether(info.encoding),
                    encodingNames(storesComponents)));
  }
  if (!storesComponents(info)) return choice;
  auto loss = measureComponentsLoss(character, windows, std::move(job));
  if (!loss) return tl::unexpected(loss.error());
  choice.loss = *loss;
  if (settings.components) return choice;
  choice.chosen = true;
  for (const Components components : {Components::R, Components::Tr}) {
    if (lossMm(*loss, components) >= kAutoLossMm) continue;
    choice.components = components;
    break;
  }
  return choice;
}

}  // namespace ck
