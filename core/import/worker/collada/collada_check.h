#pragma once

#include "core/base/result.h"

namespace pugi {
class xml_node;
}

namespace ck::worker {

// Assimp's reader trusts the counts, indices and references of a Collada file. Where they do not
// fit what is there, it reads beyond its arrays, calls itself without end, or takes all memory.
// Refuses such files: InvalidInput with a sentence that names the element, Unsupported where the
// file is valid, or LimitExceeded where instances of nodes multiply to more than a million nodes.
// Skins that nothing shows are held only to what reading them needs. `root` is the <COLLADA>
// element, nested less deep than recursion allows.
Result<void> checkCollada(const pugi::xml_node& root);

}  // namespace ck::worker
