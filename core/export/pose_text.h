#pragma once

#include <string>

#include "core/atlas/atlas.h"

namespace ck {

// The rules of docs/atlas-json.md sections 3 and 4 for one atlas, in a sentence each, as its
// sidecar has them under `decode`.

// How the texels of a joint become its pose.
std::string poseText(const Atlas& atlas);
// How the poses of its joints move a vertex.
std::string vertexText(Encoding encoding);
// How poses are read between two frames, joint by joint, and relative to the parent.
std::string directText(Encoding encoding);
std::string relativeText(Encoding encoding);

}  // namespace ck
