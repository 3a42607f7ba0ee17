#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/bake/bake_settings.h"
#include "core/bake/bake_window.h"
#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

// A loss that nobody sees: the components that are chosen by themselves lose less.
inline constexpr double kAutoLossMm = 0.1;

// How far the joints are off at most, 3 cm from them, where a pose in trs form keeps some of its
// components: over all frames of all windows and all joints that vertices follow, in millimetres.
struct ComponentsLoss {
  double trsMm = 0.0;  // shear
  double trMm = 0.0;   // and scales that are not those of the bind pose
  double rMm = 0.0;    // and positions: with every joint where it was at bind time
};
double lossMm(const ComponentsLoss& loss, Components components);

// The same result on any number of threads. Fails with Cancelled.
Result<ComponentsLoss> measureComponentsLoss(const Character& character,
                                             std::span<const BakeWindow> windows, JobContext job);

// "packs position, rotation and scale into 2 texels together": why an encoding that is not possible
// with fewer components cannot leave any out.
std::string whyAllTogether(Encoding encoding);

// What a bake stores of a pose.
struct ChosenComponents {
  Components components = Components::Trs;
  std::optional<ComponentsLoss> loss;  // unset for encodings that cannot leave anything out
};

// The components of the settings, or the fewest whose loss is below kAutoLossMm. Fails with
// InvalidInput where the encoding cannot leave out what the settings want left out.
Result<ChosenComponents> chooseComponents(const Character& character, const BakeSettings& settings,
                                          std::span<const BakeWindow> windows, JobContext job);

}  // namespace ck
