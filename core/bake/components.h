#pragma once

#include <functional>
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
// A loss that is worth a note.
inline constexpr double kNotedLossMm = 0.01;
// The same for a character that is so large that floats round to more.
double notedLossMm(const Character& character);

// The largest displacement of a vertex that results from storing only some components of a pose in
// trs form, and where it is.
struct ComponentLoss {
  double mm = 0.0;
  int skinJoint = -1;      // the heaviest influence of the vertex; -1: no vertex is displaced
  std::size_t window = 0;  // index of the clip's window
  double seconds = 0.0;    // on the timeline of the window
};

// The largest losses of all vertices, with all influences and the morphs of the source, over all
// windows (docs/techniques.md 3.2). Vertices are measured in 24 frames of each window, those
// whose bounds at joints are the largest. Losses that are not worth a note (notedLossMm()) may be
// told as less than they are.
struct ComponentsLoss {
  ComponentLoss trs = {};  // all components stored: shear is lost
  ComponentLoss tr = {};   // without scale: scales that differ from the bind pose are lost as well
  ComponentLoss r = {};    // rotation only: every joint stays at its position of the bind pose
};
const ComponentLoss& lossOf(const ComponentsLoss& loss, Components components);
double lossMm(const ComponentsLoss& loss, Components components);

// The result does not depend on the number of threads. Fails with Cancelled.
Result<ComponentsLoss> measureComponentsLoss(const Character& character,
                                             std::span<const BakeWindow> windows, JobContext job);

// The scale that texels hold in place of the scale of a pose in pivot form, for a skin joint in a
// window. Empty: that scale itself.
using HeldScale = std::function<float(std::size_t skinJoint, std::size_t window, float scale)>;

// The same for poses in pivot form, which have one scale: stretches and shear are lost, and what
// `held` leaves out. Where it is empty, windows that are nearly rigid (isNearlyRigid()) are
// skipped.
Result<ComponentLoss> measurePivotLoss(const Character& character,
                                       std::span<const BakeWindow> windows, const HeldScale& held,
                                       JobContext job);

// The encoding of a bake.
struct ChosenEncoding {
  Encoding encoding = Encoding::P16;
  std::optional<ComponentLoss> pivotLoss;  // of P16; unset if the settings name an encoding
};
// That of the settings, or P16, unless it loses more than half a thousandth of the character's
// size, which is 1 mm of 2 m: then M16, which holds all that joints do. Fails with Cancelled.
Result<ChosenEncoding> chooseEncoding(const Character& character, const BakeSettings& settings,
                                      std::span<const BakeWindow> windows, JobContext job);

// The reason why an encoding cannot leave components out, e.g. "packs position, rotation and scale
// into 2 texels together".
std::string whyAllTogether(Encoding encoding);

// The components that a bake stores.
struct ChosenComponents {
  Components components = Components::Trs;
  std::optional<ComponentsLoss> loss;  // unset if the encoding cannot leave components out
  bool chosen = false;                 // whether the settings left the choice to the program
};

// The components of the settings, or the fewest whose loss is below kAutoLossMm. Fails with
// InvalidInput if the encoding cannot leave out what the settings ask for.
Result<ChosenComponents> chooseComponents(const Character& character, const BakeSettings& settings,
                                          std::span<const BakeWindow> windows, JobContext job);

}  // namespace ck
