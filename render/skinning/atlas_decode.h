#pragma once

#include <vector>

#include "render/gl/shader_library.h"
#include "render/scene/atlas_gpu.h"
#include "render/skinning/atlas_variants.h"

namespace ck::render {

// How the shader finds a frame in the atlas.
enum class ShaderLayout {
  Column,  // all frames in one block of rows
  Blocks,  // several
  Linear,
};

// What shaders/crowd/atlas_joint.glsl must know of an atlas before it is compiled.
struct AtlasDecode {
  ShaderLayout layout = ShaderLayout::Column;
  int lineShift = -1;  // linear: the width is 2 to this power; -1 where it is another number
  PoseForm form = PoseForm::Pivot;
  int texels = 2;         // a joint has
  int ranged = 0;         // how many of them, from the first on, have a range of their own
  bool isSigned = false;  // the texels without one hold whole numbers that span -1..1
  bool atOrigin = false;  // matrices without a pivot
  int jointVectors = 3;   // AtlasGpu::jointVectors
  bool rangePerClip = false;
};
AtlasDecode decodeOf(const AtlasGpu& atlas);
void define(const AtlasDecode& decode, std::vector<ShaderDefine>& defines);

// Sets the uniforms of that file and binds what it reads, the atlas to be read texel by texel or
// mixed between the rows. The program must be in use.
void bindAtlas(const Program& program, const AtlasGpu& atlas, Sampling sampling);

}  // namespace ck::render
