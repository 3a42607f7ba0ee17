#pragma once

#include <vector>

#include "core/atlas/atlas.h"
#include "core/view/pose_settings.h"
#include "render/gl/buffer.h"
#include "render/gl/shader_library.h"

namespace ck::render {

// An atlas on the GPU.
struct AtlasGpu {
  AtlasPtr atlas;
  GlHandle texture;  // in the encoding's texel format
  // Constants of every joint, `jointVectors` texels each, clip-major with RangeMode::JointClip. A
  // joint has: the rows of the inverse bind matrix (trs form only), the pivot and the column of its
  // track or -1 (core/atlas/local_poses.h), then low and size of each range.
  BufferTexture joints;
  int jointVectors = 0;
  // The clip of every frame; only with RangeMode::JointClip.
  BufferTexture frameClips{TexelKind::R32I};
  bool rangePerClip = false;
  int frameCount = 0;  // over all clips
};

// Fails with LimitExceeded if the texture exceeds the context's limits or there is no memory.
Result<AtlasGpu> uploadAtlas(AtlasPtr atlas);

// The defines that shaders/pose/atlas_joint.glsl is compiled with for an atlas.
std::vector<ShaderDefine> decodeDefines(const AtlasGpu& atlas);

// Sets the uniforms of that file and binds its textures. The atlas texture is filtered only for
// Sampling::HardwareLinear. The program must be in use.
void bindAtlas(const Program& program, const AtlasGpu& atlas, Sampling sampling);

}  // namespace ck::render
