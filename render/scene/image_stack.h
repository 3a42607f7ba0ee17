#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/character.h"
#include "render/gl/handle.h"

namespace ck::render {

// The content of images: colours (sRGB; base colour and emission) or numbers (linear; normals,
// metal and roughness).
enum class ImageUse { Color, Data };

// All images of one use of a character as layers of one array texture, so that the whole character
// can be drawn in one call. All images are resized to the size of the largest: at most 1024 pixels,
// less if the texture would exceed 256 MB. The texture repeats.
struct ImageStack {
  GlHandle texture;
  std::vector<int> layerOf;  // for every image of the character, its layer or -1 if unused
  std::size_t bytes = 0;     // including mipmaps
};

// Uploads the images that the meshes use; normal maps count on meshes with tangents and uvs only,
// other maps beside the base colour on meshes with the uvs that they read. Without images it is one
// white layer if there are no colours, nothing if there are no numbers. Fails with LimitExceeded if
// the driver does not allow so many layers or has no memory.
Result<ImageStack> uploadImages(const Character& character, ImageUse use);

}  // namespace ck::render
