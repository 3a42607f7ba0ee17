#pragma once

#include <QPoint>
#include <QString>
#include <QStringList>

#include "core/atlas/atlas.h"

namespace ck::ui {

// The content of a texel as text.
struct AtlasReadout {
  QString where;  // "idle, frame 43 (1.43 s), hand_L, position and scale"
  QString value;  // decoded, in units: "x 0.310 m  y 1.020 m  z -0.044 m  scale 1.000"
  QString raw;    // the channels as stored: "0x1f02 0x88a1 0x7fff 0xffff"
};

// For a texel without a pose, `where` says so and `value` is empty. Outside the texture all strings
// are empty.
AtlasReadout atlasReadout(const Atlas& atlas, const QPoint& texel);

// The channels as a sampler returns them, words of packed texels as stored, formatted to fit inside
// a texel.
QStringList texelFigures(const Atlas& atlas, const QPoint& texel);

}  // namespace ck::ui
