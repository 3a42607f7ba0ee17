#pragma once

#include "core/error/bake_error.h"
#include "core/view/view_settings.h"

namespace ck {

// How an atlas is drawn by a view, for measuring its error. Window and command line both use this
// function. `view` is the view as it can be drawn (render::renderSettingsFor()); what it leaves to
// the atlas, such as Sampling::AsBaked, is left to the atlas. A method that poses the clips itself
// leaves everything to it. Morphs count where the view shows them at its distance.
DrawnAs drawnAs(const ViewSettings& view);

// The reading of the method that draws.
Reading drawnReading(const ViewSettings& view);

}  // namespace ck
