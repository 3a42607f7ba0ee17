#pragma once

#include <optional>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// What lies where in the texture of an atlas: the way back from ck_atlasTexel
// (shaders/shared/atlas_address.glsl), for all layouts.

// What the four channels of a texel hold.
enum class TexelKind {
  PositionScale,  // position x, y, z in metres and the uniform scale
  Rotation,       // a quaternion x, y, z, w
  Position,       // x, y, z in metres
  Scale,          // along the joint's x, y and z
  MatrixRow,      // three numbers of a matrix and where it moves to along that axis, in metres
};

// The texel `texel` of a joint at frame `frame` of a clip (0 is the clip's first).
struct TexelPlace {
  int clip = 0;
  int frame = 0;
  int joint = 0;
  int texel = 0;
  bool operator==(const TexelPlace&) const = default;
};

// Nothing where the texel is outside of the texture or holds no pose.
std::optional<TexelPlace> texelPlaceAt(const Atlas& atlas, int x, int y);

TexelKind texelKind(const Atlas& atlas, int texel);

// A rectangle of texels.
struct TexelRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  bool operator==(const TexelRect&) const = default;
};

// The rectangles that together hold the frames [first, first + count) of the whole atlas and
// nothing else, in the order of the frames.
std::vector<TexelRect> frameRects(const Atlas& atlas, int first, int count);
std::vector<TexelRect> clipRects(const Atlas& atlas, int clip);

// What a sampler returns for a texel of the texture: 0..1 for whole-number formats.
glm::vec4 texelValue(const Atlas& atlas, int x, int y);

// The bits of the four channels as stored.
glm::uvec4 texelBits(const Atlas& atlas, int x, int y);

// The smallest and largest value of every channel over all texels that hold poses.
struct ChannelBounds {
  glm::vec4 low{0.0f};
  glm::vec4 high{0.0f};
};
ChannelBounds channelBounds(const Atlas& atlas);

}  // namespace ck
