#pragma once

#include <initializer_list>
#include <string>

#include "core/atlas/atlas.h"
#include "core/export/targets/crowd_shader_part.h"
#include "core/export/targets/shader_dialect.h"

namespace ck {

// The text of parts, which are given in their order.
std::string crowdShader(const Atlas& atlas, ShaderDialect dialect,
                        std::initializer_list<CrowdShaderPart> parts);

// The vertex shader of the filling pass, complete: one triangle (three vertices without attributes)
// over the whole target. GLSL 3.30 and ES 3.00 only.
std::string fillVertexShader(ShaderDialect dialect);

// The pass that fills a palette, complete: #version and precision, Common, Atlas, Actors, Fill. A
// fragment shader in GLSL 3.30 and ES 3.00, else a compute shader.
std::string fillShader(const Atlas& atlas, ShaderDialect dialect);

}  // namespace ck
