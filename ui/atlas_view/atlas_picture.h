#pragma once

#include <QImage>
#include <QRectF>
#include <QSize>
#include <array>

#include "core/atlas/atlas.h"

namespace ck::ui {

// How values of texels become colours.
struct AtlasLook {
  // Red, green, blue, alpha. One channel alone is shown as grey; alpha is shown only alone.
  std::array<bool, 4> channels{true, true, true, false};
  // Black and full brightness, in values as a sampler returns them.
  float low = 0.0f;
  float high = 1.0f;
  bool operator==(const AtlasLook&) const = default;
};

// Only channel `channel`, 0 to 3.
AtlasLook soloed(AtlasLook look, int channel);
// Switches a channel; alpha and the colours exclude each other, and one always stays on.
AtlasLook toggled(AtlasLook look, int channel);

// `size` pixels of the part `texels` of the atlas (texel coordinates, y down), each the texel under
// its centre. Transparent outside of the texture. Costs as much as it has pixels, whatever the size
// of the atlas.
QImage atlasPicture(const Atlas& atlas, const AtlasLook& look, const QRectF& texels,
                    const QSize& size);

}  // namespace ck::ui
