#pragma once

#include <vector>

#include "core/atlas/atlas.h"
#include "render/gl/buffer.h"
#include "render/gl/handle.h"

namespace ck::render {

// An atlas on the GPU.
struct AtlasGpu {
  AtlasPtr atlas;
  GlHandle texture;  // in the encoding's texel format
  // Constants of every joint, `jointVectors` texels each, clip-major with RangeMode::JointClip. A
  // joint has: the rows of the inverse bind matrix (trs form only), the pivot, then low and size of
  // each range.
  BufferTexture joints;
  int jointVectors = 0;
  // The clip of every frame; only with RangeMode::JointClip.
  BufferTexture frameClips{TexelKind::R32I};
  bool rangePerClip = false;
  int frameCount = 0;  // over all clips
};

// Fails with LimitExceeded if the texture exceeds the context's limits or there is no memory.
Result<AtlasGpu> uploadAtlas(AtlasPtr atlas);

// The clip of every frame of the atlas.
std::vector<int> clipOfFrames(const Atlas& atlas);

}  // namespace ck::render
