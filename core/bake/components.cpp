#include "core/bake/components.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "core/atlas/pose_reading.h"
#include "core/bake/joint_poses.h"
#include "core/bake/shell.h"
#include "core/bake/step_frames.h"
#include "core/bake/vertex_error.h"
#include "core/bake/window_sampler.h"
#include "core/base/parallel_for.h"
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
};

// Measures what the frames of a window lose.
class LossMeter {
 public:
  LossMeter(const Inputs& inputs, const BakeWindow& window)
      : inputs_(inputs),
        window_(window),
        sampler_(inputs.character.rig, *window.motion, window.closingSeconds),
        weights_(inputs.morphs, *window.motion, window.closingSeconds),
        comparisons_{VertexComparison(inputs.vertices), VertexComparison(inputs.vertices),
                     VertexComparison(inputs.vertices)} {
    for (std::vector<glm::dmat4>& kept : kept_) kept.resize(inputs.joints.size());
  }

  ComponentsLoss measure(std::size_t windowIndex, const JobContext& job) {
    ComponentsLoss loss;
    for (const StoredFrame& frame : storedFrames(window_)) {
      if (job.stopRequested()) break;
      const std::span<const glm::dmat4> skins =
          sampler_.skinMatrices(frame.seconds, frame.heldSeconds);
      keep(sampler_.globals());
      const std::vector<float> weights = weights_.at(frame.seconds, frame.heldSeconds);
      ComponentLoss* losses[] = {&loss.trs, &loss.tr, &loss.r};
      for (std::size_t c = 0; c < comparisons_.size(); ++c) {
        const auto worst = comparisons_[c].worst({skins, kept_[c], weights, weights});
        const double mm = 1000.0 * worst.meters;
        if (!(mm > losses[c]->mm)) continue;
        *losses[c] = {mm, heaviestJoint(worst.vertex), windowIndex, frame.seconds};
      }
      for (std::size_t joint = 0; joint < inputs_.joints.size(); ++joint) {
        if (!inputs_.joints[joint].isSocket) continue;
        for (std::size_t c = 0; c < comparisons_.size(); ++c) {
          const double mm =
              1000.0 * shellDistance(inputs_.shell, joint, skins[joint], kept_[c][joint]);
          if (!(mm > losses[c]->mm)) continue;
          *losses[c] = {mm, static_cast<int>(joint), windowIndex, frame.seconds};
        }
      }
    }
    return loss;
  }

 private:
  // The skin matrices of the pose with all components, without scale, and without position too.
  void keep(std::span<const glm::dmat4> globals) {
    for (std::size_t joint = 0; joint < inputs_.joints.size(); ++joint) {
      const auto node = static_cast<std::size_t>(inputs_.character.rig.skinJoints[joint].joint);
      JointPose pose = trsPoseOf(globals[node], inputs_.bindScales[joint]);
      kept_[0][joint] = skinMatrixOf(PoseForm::Trs, pose, inputs_.joints[joint]);
      pose.scale = glm::vec3(1.0f);
      kept_[1][joint] = skinMatrixOf(PoseForm::Trs, pose, inputs_.joints[joint]);
      pose.position = inputs_.joints[joint].pivot;
      kept_[2][joint] = skinMatrixOf(PoseForm::Trs, pose, inputs_.joints[joint]);
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
  std::array<std::vector<glm::dmat4>, 3> kept_;
};

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

double lossMm(const ComponentsLoss& loss, Components components) {
  return lossOf(loss, components).mm;
}

Result<ComponentsLoss> measureComponentsLoss(const Character& character,
                                             std::span<const BakeWindow> windows, JobContext job) {
  // All influences count: what a limit of them loses is not a matter of components.
  constexpr int kAllInfluences = std::numeric_limits<int>::max();
  MorphSet morphs = morphSetOf(character);
  VertexModel vertices = vertexModelOf(character, morphs, kAllInfluences, job);
  Inputs inputs{character, std::move(morphs),   atlasJointsOf(character.rig),
                {},        std::move(vertices), makeShell(character)};
  if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the bake was stopped");
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    inputs.bindScales.push_back(bindScaleOf(skinJoint));
  }
  ComponentsLoss worst;
  if (inputs.vertices.places.empty()) return worst;
  std::vector<ComponentsLoss> losses(windows.size());
  const bool done = parallelFor(windows.size(), job, [&](std::size_t i) {
    losses[i] = LossMeter(inputs, windows[i]).measure(i, job);
  });
  if (!done) return fail(ErrorCode::Cancelled, "the bake was stopped");
  for (const ComponentsLoss& loss : losses) {
    improve(worst.trs, loss.trs);
    improve(worst.tr, loss.tr);
    improve(worst.r, loss.r);
  }
  return worst;
}

Result<ChosenComponents> chooseComponents(const Character& character, const BakeSettings& settings,
                                          std::span<const BakeWindow> windows, JobContext job) {
  const EncodingInfo& info = encodingInfo(settings.encoding);
  ChosenComponents choice{settings.components.value_or(Components::Trs), std::nullopt, false};
  if (!isPossible({settings.encoding, choice.components})) {
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
