#pragma once

#include <optional>
#include <string_view>

#include "core/view/pose_settings.h"

namespace ck {

// What actors cast. Auto: cascades where a graphics card can well afford them, else soft ones.
enum class Shadows {
  Auto,
  Off,
  Soft,      // the spread of their joints on the ground: two quads an actor
  Cascades,  // shadow maps of the key light, on the ground and on each other
};
std::string_view shadowsName(Shadows shadows);  // "auto", "off", "soft", "cascades"
std::optional<Shadows> shadowsFromName(std::string_view name);

// What the view shows. Of `pose` a project file keeps what the artist can undo: not the view mode
// and the accumulator of morph targets.
struct ViewSettings {
  PoseSettings pose = {};
  bool grid = true;
  Shadows shadows = Shadows::Auto;
  double tickRateHz = 0.0;  // how often actors are posed anew, at most; 0: for every picture
  bool operator==(const ViewSettings&) const = default;
};

}  // namespace ck
