#pragma once

#include <optional>
#include <vector>

#include "core/atlas/atlas.h"

namespace ck {

// Maps texels of an atlas back to frames and joints, for all layouts. This is the inverse of
// ck_atlasTexel (shaders/shared/atlas_address.glsl).

// The content of a texel's channels.
enum class TexelKind {
  PositionScale,  // position x, y, z in metres and the uniform scale
  Rotation,       // a quaternion x, y, z, w
  Position,       // x, y, z in metres; w is unused
  Scale,          // along the joint's x, y and z axes; w is unused
  MatrixRow,      // three elements of a matrix row, and the translation along that axis in metres
  DualPart,       // that of a dual quaternion x, y, z, w
  Packed,         // words that hold the position, the scale and the rotation
  Turn,           // words that hold the rotation, and of R64 the scale, as the parent sees them
  Track,          // words that hold the position as the parent sees it
};

// Texel number `texel` of a joint, at frame `frame` of a clip (0 is the clip's first frame). Those
// of its track count on behind the others.
struct TexelPlace {
  int clip = 0;
  int frame = 0;
  int joint = 0;
  int texel = 0;
  bool operator==(const TexelPlace&) const = default;
};

// Nothing if the texel is outside the texture or holds no pose.
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

// Rectangles that together cover exactly the frames [first, first + count) of the atlas, in frame
// order.
std::vector<TexelRect> frameRects(const Atlas& atlas, int first, int count);
std::vector<TexelRect> clipRects(const Atlas& atlas, int clip);

// The value that a texture sampler returns for a texel; 0..1 for integer formats. Of packed words
// it is the share of the largest word; channels that the format lacks are 0.
glm::vec4 texelValue(const Atlas& atlas, int x, int y);

// The bits of the channels as stored; 0 for those that the format lacks.
glm::uvec4 texelBits(const Atlas& atlas, int x, int y);

// The minimum and maximum of every channel over all texels that hold poses.
struct ChannelBounds {
  glm::vec4 low{0.0f};
  glm::vec4 high{0.0f};
};
ChannelBounds channelBounds(const Atlas& atlas);

}  // namespace ck
