#pragma once

#include <vector>

#include "core/export/targets/export_target.h"

namespace ck {

// The files of the target "shaders", in the folder `name`.shaders: README.md, the joint table as
// `name`.joints.raw, and for every dialect a folder with the parts of crowd_shader.h and the pass
// that fills a palette. Never fails.
Result<std::vector<TargetFile>> shaderFiles(const TargetInput& input, const JobContext& job);

}  // namespace ck
