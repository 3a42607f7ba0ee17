#pragma once

#include "core/base/result.h"

namespace pugi {
class xml_node;
}

namespace ck::worker {

// Refuses instances of nodes that Assimp would copy without end or beyond measure: InvalidInput for
// a node within itself, LimitExceeded for more than a million nodes or 4,096 levels. `root` is
// <COLLADA>.
Result<void> checkInstances(const pugi::xml_node& root);

}  // namespace ck::worker
