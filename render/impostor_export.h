#pragma once

#include <cstddef>

#include "core/export/impostors.h"

namespace ck::render {

// The most bytes that exported pictures take, in memory and with their smaller levels of detail,
// where nothing else is asked for.
inline constexpr std::size_t kExportedImpostorBytes = std::size_t{16} << 20;

// Makes ExportSettings::drawImpostors: pictures of all meshes within a budget, drawn in an OpenGL
// context without a window, which is made for each character on the thread that calls. Drawing
// fails with NoGraphics without OpenGL, with LimitExceeded (the budget is too small for the clips,
// or memory), Internal and Cancelled.
DrawImpostors impostorsWithin(std::size_t budgetBytes);

}  // namespace ck::render
