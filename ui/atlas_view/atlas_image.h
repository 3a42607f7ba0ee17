#pragma once

#include <QImage>
#include <QRectF>
#include <QSize>
#include <array>

#include "core/atlas/atlas.h"

namespace ck::ui {

// How texel values are converted to colours.
struct AtlasLook {
  // Red, green, blue, alpha. A single channel is shown as grey. Alpha is shown alone only.
  std::array<bool, 4> channels{true, true, true, false};
  // The values, as a sampler returns them, that become black and full brightness.
  float low = 0.0f;
  float high = 1.0f;
  bool operator==(const AtlasLook&) const = default;
};

// Shows only channel `channel`, 0 to 3.
AtlasLook soloed(AtlasLook look, int channel);
// Toggles a channel. Alpha and colours exclude each other, and at least one channel stays on.
AtlasLook toggled(AtlasLook look, int channel);

// Renders the part `texels` of the atlas (texel coordinates, y down) to an image of `size` pixels.
// Each pixel shows the texel at its centre; pixels outside the texture are transparent. The cost
// depends on the number of pixels only.
QImage atlasImage(const Atlas& atlas, const AtlasLook& look, const QRectF& texels,
                  const QSize& size);

}  // namespace ck::ui
