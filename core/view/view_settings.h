#pragma once

#include <optional>
#include <string_view>

#include "core/atlas/error_figures.h"
#include "core/view/detail_settings.h"
#include "core/view/pose_settings.h"

namespace ck {

// The shadows of actors. Auto: cascades if a GPU is fast enough, else soft shadows.
enum class Shadows {
  Auto,
  Off,
  Soft,      // ellipses on the ground from the joints' distribution: two quads per actor
  Cascades,  // shadow maps of the key light, on the ground and on actors
};
inline constexpr std::string_view kShadowsNames[] = {"auto", "off", "soft", "cascades"};

// Lines that are drawn over the selected actors, or over all without a selection.
struct LineSettings {
  bool skeleton = false;
  bool jointAxes = false;
  bool bounds = false;
  bool operator==(const LineSettings&) const = default;
};

// The settings of the view. A tick depends on `pose`, `lines` and `detail` alone. Of `pose`, a
// project file stores what the artist can undo: not the view mode and not the accumulator.
struct ViewSettings {
  PoseSettings pose = {};
  bool grid = true;
  bool sockets = false;  // whether sockets have stand-ins (core/view/stand_ins.h)
  Shadows shadows = Shadows::Auto;
  double tickRateHz = 0.0;  // maximum number of ticks per second; 0: one per frame
  ScreenView screen = {};   // that errors on the screen are stated for; the camera ignores it
  // The distance from the source that ViewMode::Error shows in its last colour, millimetres; 0:
  // chosen by the largest distance that is shown.
  double errorScaleMm = 0.0;
  LineSettings lines = {};
  bool wireframe = false;      // as `lines`: over the selected actors, or over all
  DetailSettings detail = {};  // how much of far actors is drawn
  double wipe = 0.5;           // where a halved view is divided: share of the width, in [0, 1]
  bool operator==(const ViewSettings&) const = default;
};

}  // namespace ck
