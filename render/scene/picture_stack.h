#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/character.h"
#include "render/gl/handle.h"

namespace ck::render {

// What pictures hold: colours (sRGB), or directions (linear).
enum class PictureUse { Color, Normal };

// All base-colour pictures of a character, or all its normal maps, as layers of one texture, so
// that the whole character can be drawn at once. Every picture is brought to one size: the largest
// of them, at most 1024 pixels, less where the stack would pass 256 MB.
struct PictureStack {
  GlHandle texture;
  std::vector<int> layerOf;  // for every picture of the character its layer, or -1 where unused
  std::size_t bytes = 0;     // smaller sizes included
};

// The pictures that the meshes use: of normal maps those on meshes with tangents and uvs.
std::vector<bool> usedPictures(const Character& character, PictureUse use);

// Uploads these; one white layer where there are no colours, nothing where there are no normal
// maps. Fails with LimitExceeded where the driver cannot take so many layers or has no memory.
Result<PictureStack> uploadPictures(const Character& character, PictureUse use);

// `picture` at another size, each new pixel the mean of what it covers (or between the nearest
// where it grows).
Picture resized(const Picture& picture, int width, int height);

}  // namespace ck::render
