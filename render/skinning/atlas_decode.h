#pragma once

#include <vector>

#include "render/gl/shader_library.h"
#include "render/scene/atlas_gpu.h"
#include "render/skinning/atlas_variants.h"

namespace ck::render {

// How the shader computes the texel address of a frame.
enum class ShaderLayout {
  Column,  // all frames in one column block
  Blocks,  // several column blocks
  Linear,
};

// The properties of an atlas that shaders/crowd/atlas_joint.glsl is compiled for.
struct AtlasDecode {
  ShaderLayout layout = ShaderLayout::Column;
  int lineShift = -1;  // linear layout: log2 of the width, or -1 if it is not a power of two
  PoseForm form = PoseForm::Pivot;
  int texels = 2;         // per joint
  int ranged = 0;         // number of texels with a range; they are the first ones
  bool isSigned = false;  // integer texels without a range span -1..1
  bool atOrigin = false;  // matrices are stored as A v + t
  int jointVectors = 3;   // AtlasGpu::jointVectors
  bool rangePerClip = false;
};
AtlasDecode decodeOf(const AtlasGpu& atlas);
void define(const AtlasDecode& decode, std::vector<ShaderDefine>& defines);

// Sets the uniforms of that file and binds its textures. The atlas texture is filtered only for
// Sampling::HardwareLinear. The program must be in use.
void bindAtlas(const Program& program, const AtlasGpu& atlas, Sampling sampling);

}  // namespace ck::render
