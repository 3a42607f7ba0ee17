#pragma once

#include <vector>

#include "core/atlas/atlas.h"
#include "render/gl/buffer.h"
#include "render/gl/handle.h"

namespace ck::render {

// An atlas on the GPU.
struct AtlasGpu {
  AtlasPtr atlas;
  GlHandle texture;  // in the format of the encoding
  // What never changes of every joint, clip-major in JointClip, `jointVectors` texels each: the
  // pivot, before it in the trs form the rows of the inverse bind matrix, after it low and size of
  // each range.
  BufferTexture joints;
  int jointVectors = 0;
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
