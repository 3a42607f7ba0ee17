#pragma once

#include <string>
#include <vector>

#include "core/export/targets/export_target.h"

namespace ck {

// The target "web": NAME.html, one page without a network that plays the crowd with WebGL 2
// (players/web). Mesh, texels, shaders and scripts are in the page.
Result<std::vector<TargetFile>> webFiles(const TargetInput& input, const JobContext& job);
std::vector<std::string> webLosses(const TargetInput& input);

}  // namespace ck
