#pragma once

#include <string>

#include "core/atlas/texel_format.h"
#include "core/export/targets/crowd_shader_part.h"
#include "core/export/targets/shader_dialect.h"

namespace ck {

// The declarations of the textures and buffers that a part reads, and the functions that read
// them, which shaders/export calls (shaders/export/README.md).
std::string resourceText(CrowdShaderPart part, ShaderDialect dialect, TexelFormat format);

// The beginning of a complete shader: #version and precision, where the dialect has them.
std::string versionText(ShaderDialect dialect);

}  // namespace ck
