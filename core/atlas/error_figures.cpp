#include "core/atlas/error_figures.h"

#include <cmath>
#include <numbers>

namespace ck {

double pixelsPerMeter(const ScreenView& view) {
  const double half = view.verticalFieldOfViewDegrees * std::numbers::pi / 360.0;
  return 0.5 * view.imageHeightPixels / (view.distanceMeters * std::tan(half));
}

BakeError seenFrom(BakeError error, const ScreenView& view) {
  constexpr double kMetersPerMillimeter = 0.001;
  const double pixels = kMetersPerMillimeter * pixelsPerMeter(view);
  for (ErrorFigures* figures : {&error.palette, &error.direct}) {
    figures->screen = figures->vertices;
    figures->screen.max *= pixels;
    figures->screen.p99 *= pixels;
    figures->screen.rms *= pixels;
  }
  error.view = view;
  return error;
}

}  // namespace ck
