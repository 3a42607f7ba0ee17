#pragma once

#include <string>
#include <vector>

#include "core/export/targets/export_target.h"

namespace ck {

// The target "three": a folder NAME.three with an ES module for three.js (players/three/crowd.js),
// the mesh, the texels, a document that the module reads, a scene and a README.
Result<std::vector<TargetFile>> threeFiles(const TargetInput& input, const JobContext& job);
std::vector<std::string> threeLosses(const TargetInput& input);

}  // namespace ck
