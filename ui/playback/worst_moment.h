#pragma once

#include <optional>

#include "core/atlas/atlas.h"
#include "core/atlas/error_figures.h"
#include "core/error/bake_error.h"
#include "core/scene/character.h"

namespace ck::ui {

// Where a figure of an error is worst.
struct WorstMoment {
  int atlasClip = 0;
  ErrorMoment moment;
};

// Nothing if the figure has no place or the atlas no such clip. A joint or mesh that is not known
// is -1.
std::optional<WorstMoment> worstMomentOf(const ErrorFigure& figure, const Atlas& atlas,
                                         const Character& character);

}  // namespace ck::ui
