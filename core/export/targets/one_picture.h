#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "core/scene/character.h"

namespace ck {

// The colours of all materials in one picture, for engines that draw a character with one material.
struct OnePicture {
  // Opaque. Empty if no material has a picture and all are white.
  std::optional<Image> image;
  std::vector<std::vector<glm::vec2>> uvs;  // of every mesh, one per vertex
  bool cutsRepeats = false;                 // a picture that repeats over a surface does so no more
  bool isShrunk = false;                    // pictures have fewer texels than in the character
};

// A single picture stays as it is. Several stand side by side, with a border that keeps them apart
// in smaller mip levels, and plain colours get a small square. Colours of materials are multiplied
// into their pictures. The picture has at most `mostTexels` on a side.
OnePicture onePictureOf(const Character& character, int mostTexels = 4096);

}  // namespace ck
