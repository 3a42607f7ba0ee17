#include "app/commands/error_report.h"

#include <fmt/format.h>

#include "core/base/json_text.h"
#include "core/export/error_json.h"

namespace ck::cli {
namespace {

std::string numbersText(const ErrorFigure& figure, const char* unit) {
  return fmt::format("{:.3f} {} at most, p99 {:.3f}, rms {:.3f}", figure.max, unit, figure.p99,
                     figure.rms);
}

std::string worstText(const ErrorFigure& figure) {
  if (figure.worstClip.empty()) return {};
  const std::string vertex =
      figure.worstVertex < 0
          ? std::string()
          : fmt::format("vertex {} of {}, joint ", figure.worstVertex, figure.worstMesh);
  return fmt::format("; worst in {} at {}{} ({:.3f} s)", figure.worstClip, vertex,
                     figure.worstJoint, figure.worstTimeSeconds);
}

std::string readingLines(const char* reading, const ErrorFigures& figures, const ScreenView& view) {
  std::string text = fmt::format("  {}:\n", reading);
  text += fmt::format("    vertices: {}{}\n", numbersText(figures.vertices, "mm"),
                      worstText(figures.vertices));
  text +=
      fmt::format("    shell, {:g} cm from joints: {}, {:.3f} degrees{}\n", 100.0 * kShellMeters,
                  numbersText(figures.shell, "mm"), figures.maxDegrees, worstText(figures.shell));
  text += fmt::format("    screen, {:g} m away, {:g} pixels high, {:g} degrees: {}\n",
                      view.distanceMeters, view.imageHeightPixels, view.verticalFieldOfViewDegrees,
                      numbersText(figures.screen, "px"));
  return text;
}

}  // namespace

Json errorJson(const BakeError& error) {
  return *parseJson(errorText(error));
}

std::string errorLines(const BakeError& error) {
  return readingLines("error, through a palette", error.palette, error.view) +
         readingLines("error, joint by joint", error.direct, error.view);
}

}  // namespace ck::cli
