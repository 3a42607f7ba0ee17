#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/bake/bake_settings.h"
#include "core/bake/bake_window.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// An invisible loss: the automatic choice of components loses less than this.
inline constexpr double kAutoLossMm = 0.1;

// The largest displacement, 3 cm from a joint, that results from storing only some components of a
// pose in trs form. In millimetres, over all frames of all windows and all joints with weights.
struct ComponentsLoss {
  double trsMm = 0.0;  // all components stored: shear is lost
  double trMm = 0.0;   // without scale: scales that differ from the bind pose are lost as well
  double rMm = 0.0;    // rotation only: every joint stays at its position of the bind pose
};
double lossMm(const ComponentsLoss& loss, Components components);

// The result does not depend on the number of threads. Fails with Cancelled.
Result<ComponentsLoss> measureComponentsLoss(const Character& character,
                                             std::span<const BakeWindow> windows, JobContext job);

// The reason why an encoding cannot leave components out, e.g. "packs position, rotation and scale
// into 2 texels together".
std::string whyAllTogether(Encoding encoding);

// The components that a bake stores.
struct ChosenComponents {
  Components components = Components::Trs;
  std::optional<ComponentsLoss> loss;  // unset if the encoding cannot leave components out
};

// The components of the settings, or the fewest whose loss is below kAutoLossMm. Fails with
// InvalidInput if the encoding cannot leave out what the settings ask for.
Result<ChosenComponents> chooseComponents(const Character& character, const BakeSettings& settings,
                                          std::span<const BakeWindow> windows, JobContext job);

}  // namespace ck
