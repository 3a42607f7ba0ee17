#pragma once

#include <vector>

#include "render/skinning/skinner.h"

namespace ck::render {

// The reference methods that the editor shows beside the project's method (ViewMode::Compared).
// Empty if the program was built without render/reference; only this file knows that folder.
const std::vector<ReferencePtr>& comparedReferences();

}  // namespace ck::render
