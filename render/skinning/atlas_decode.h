#pragma once

#include <vector>

#include "core/view/pose_settings.h"
#include "render/gl/shader_library.h"
#include "render/scene/atlas_gpu.h"

namespace ck::render {

// The defines that shaders/crowd/atlas_joint.glsl is compiled with for an atlas.
std::vector<ShaderDefine> decodeDefines(const AtlasGpu& atlas);

// Sets the uniforms of that file and binds its textures. The atlas texture is filtered only for
// Sampling::HardwareLinear. The program must be in use.
void bindAtlas(const Program& program, const AtlasGpu& atlas, Sampling sampling);

}  // namespace ck::render
