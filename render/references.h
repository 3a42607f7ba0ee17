#pragma once

#include <vector>

#include "render/skinning/skinner.h"

namespace ck::render {

// The reference methods that an editor shows beside the project's method (Shown::Compared). Empty
// in a program that was built without render/reference, which only this file knows of.
const std::vector<ReferencePtr>& comparedReferences();

}  // namespace ck::render
