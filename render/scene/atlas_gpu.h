#pragma once

#include <vector>

#include "core/atlas/atlas.h"
#include "render/gl/buffer.h"
#include "render/gl/handle.h"

namespace ck::render {

// An atlas on the GPU.
struct AtlasGpu {
  AtlasPtr atlas;
  GlHandle texture;      // RGBA16, never filtered by the hardware
  BufferTexture joints;  // three texels each: pivot, range low, range size; clip-major in JointClip
  BufferTexture frameClips{TexelKind::R32I};  // the clip of every frame; JointClip ranges only
  bool rangePerClip = false;
  int frameCount = 0;  // of all clips together
};

// Fails with LimitExceeded where the texture is larger than the context takes or there is no
// memory for it.
Result<AtlasGpu> uploadAtlas(AtlasPtr atlas);

// The clip that every frame of the atlas belongs to.
std::vector<int> clipOfFrames(const Atlas& atlas);

}  // namespace ck::render
