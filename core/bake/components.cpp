#include "core/bake/components.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/atlas/pose_reading.h"
#include "core/bake/joint_poses.h"
#include "core/bake/shell.h"
#include "core/bake/step_frames.h"
#include "core/bake/window_sampler.h"
#include "core/base/parallel_for.h"

namespace ck {
namespace {

struct Inputs {
  const Character& character;
  Shell shell;
  std::vector<AtlasJoint> joints;
  std::vector<glm::dvec3> bindScales;
};

// Adds the loss of one frame.
void addFrame(const Inputs& inputs, std::span<const glm::dmat4> skins,
              std::span<const glm::dmat4> globals, ComponentsLoss& loss) {
  for (std::size_t joint = 0; joint < skins.size(); ++joint) {
    if (inputs.shell.hasVertices[joint] == 0) continue;
    const auto node = static_cast<std::size_t>(inputs.character.rig.skinJoints[joint].joint);
    JointPose pose = trsPoseOf(globals[node], inputs.bindScales[joint]);
    const auto lost = [&] {
      const glm::dmat4 kept = skinMatrixOf(PoseForm::Trs, pose, inputs.joints[joint]);
      return 1000.0 * shellDistance(inputs.shell, joint, skins[joint], kept);
    };
    loss.trsMm = std::max(loss.trsMm, lost());
    pose.scale = glm::vec3(1.0f);
    loss.trMm = std::max(loss.trMm, lost());
    pose.position = inputs.joints[joint].pivot;
    loss.rMm = std::max(loss.rMm, lost());
  }
}

ComponentsLoss lossOf(const Inputs& inputs, const BakeWindow& window, const JobContext& job) {
  const Clip& clip = *window.motion;
  WindowSampler sampler(inputs.character.rig, clip, window.closingSeconds);
  ComponentsLoss loss;
  for (const StoredFrame& frame : storedFrames(window)) {
    if (job.stopRequested()) break;
    const std::span<const glm::dmat4> skins =
        sampler.skinMatrices(frame.seconds, frame.heldSeconds);
    addFrame(inputs, skins, sampler.globals(), loss);
  }
  return loss;
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

double lossMm(const ComponentsLoss& loss, Components components) {
  switch (components) {
    case Components::Trs:
      return loss.trsMm;
    case Components::Tr:
      return loss.trMm;
    case Components::R:
      return loss.rMm;
  }
  return 0.0;
}

Result<ComponentsLoss> measureComponentsLoss(const Character& character,
                                             std::span<const BakeWindow> windows, JobContext job) {
  Inputs inputs{character, makeShell(character), atlasJointsOf(character.rig), {}};
  for (const SkinJoint& skinJoint : character.rig.skinJoints) {
    inputs.bindScales.push_back(bindScaleOf(skinJoint));
  }
  std::vector<ComponentsLoss> losses(windows.size());
  const bool done = parallelFor(
      windows.size(), job, [&](std::size_t i) { losses[i] = lossOf(inputs, windows[i], job); });
  if (!done) return fail(ErrorCode::Cancelled, "the bake was stopped");
  ComponentsLoss worst;
  for (const ComponentsLoss& loss : losses) {
    worst.trsMm = std::max(worst.trsMm, loss.trsMm);
    worst.trMm = std::max(worst.trMm, loss.trMm);
    worst.rMm = std::max(worst.rMm, loss.rMm);
  }
  return worst;
}

Result<ChosenComponents> chooseComponents(const Character& character, const BakeSettings& settings,
                                          std::span<const BakeWindow> windows, JobContext job) {
  const EncodingInfo& info = encodingInfo(settings.encoding);
  ChosenComponents choice{settings.components.value_or(Components::Trs), std::nullopt};
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
  for (const Components components : {Components::R, Components::Tr}) {
    if (lossMm(*loss, components) >= kAutoLossMm) continue;
    choice.components = components;
    break;
  }
  return choice;
}

}  // namespace ck
