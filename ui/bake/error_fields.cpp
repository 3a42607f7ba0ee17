#include "ui/bake/error_fields.h"

#include <QDoubleSpinBox>
#include <QLabel>

#include "core/project/project.h"
#include "core/view/drawn_as.h"
#include "ui/bake/bake_panel.h"
#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kFarthestBox = 10000.0;  // metres
constexpr double kLargestBox = 100000.0;  // pixels
constexpr double kLargestLimit = 10000.0;

QString tr(const char* text) {
  return BakePanel::tr(text);
}

QDoubleSpinBox* screenBox(Document& document, const QString& name, double ScreenView::*value,
                          QDoubleSpinBox* box, int decimals) {
  box->setDecimals(decimals);
  bindNumber(
      *box, document, name, [value](const Project& project) { return project.view.screen.*value; },
      [value](Project& project, double number) { project.view.screen.*value = number; });
  return box;
}

QDoubleSpinBox* limitBox(Document& document, const QString& name, double ErrorLimits::*value,
                         const QString& unit, const QString& tip) {
  auto* box = named(numberBox(0.0, kLargestLimit, 0.1, unit), name, tip);
  box->setSpecialValueText(tr("Any"));
  bindNumber(
      *box, document, name, [value](const Project& project) { return project.errorLimits.*value; },
      [value](Project& project, double number) { project.errorLimits.*value = number; });
  return box;
}

// The maximum of a figure, red above its limit.
QString maximumText(double value, const QString& unit, double limit) {
  const QString text = QStringLiteral("%1 %2").arg(fixedText(value, 2), unit);
  if (limit <= 0.0 || value <= limit) return text;
  return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colors::kError.name(), text);
}

QString readingText(const QString& title, const ErrorFigures& figures, const ErrorLimits& limits) {
  const ErrorFigure& vertices = figures.vertices;
  return tr("%1: <b>%2</b> at vertices, 99 % below %3<br>&nbsp; %4, %5, at %6 s<br>"
            "&nbsp; %7 at the shell (%8 cm), %9")
      .arg(title, maximumText(vertices.max, tr("mm"), limits.vertexMm), fixedText(vertices.p99, 2),
           textOf(vertices.worstClip).toHtmlEscaped(), textOf(vertices.worstJoint).toHtmlEscaped(),
           fixedText(vertices.worstTimeSeconds, 2),
           maximumText(figures.shell.max, tr("mm"), limits.shellMm),
           fixedText(100.0 * kShellMeters, 0),
           maximumText(figures.screen.max, tr("px"), limits.pixels));
}

}  // namespace

QWidget* makeScreenRow(Document& document) {
  const QString tip =
      tr("For the error in pixels: %1. It does not move the camera, and nothing is baked anew");
  auto* distance = named(numberBox(0.1, kFarthestBox, 1.0, tr(" m")), tr("Distance of view"),
                         tip.arg(tr("how far away characters are looked at")));
  auto* height = named(numberBox(1.0, kLargestBox, 120.0, tr(" px")), tr("Height of the picture"),
                       tip.arg(tr("how many pixels the picture is high")));
  auto* angle = named(numberBox(1.0, kWidestView, 5.0, tr("\u00b0")), tr("Field of view"),
                      tip.arg(tr("the vertical field of view of the picture")));
  return rowWidget(
      {{screenBox(document, tr("Distance of view"), &ScreenView::distanceMeters, distance, 1), 1},
       {screenBox(document, tr("Height of the picture"), &ScreenView::imageHeightPixels, height, 0),
        1},
       {screenBox(document, tr("Field of view"), &ScreenView::verticalFieldOfViewDegrees, angle, 0),
        1}});
}

QWidget* makeLimitRow(Document& document) {
  const QString tip =
      tr("Errors of the drawn reading above it are shown in red: %1. Any: no limit");
  return rowWidget(
      {{limitBox(document, tr("Limit at vertices"), &ErrorLimits::vertexMm, tr(" mm"),
                 tip.arg(tr("the farthest that a vertex is off"))),
        1},
       {limitBox(
            document, tr("Limit at the shell"), &ErrorLimits::shellMm, tr(" mm"),
            tip.arg(tr("the error %1 cm from joints").arg(fixedText(100.0 * kShellMeters, 0)))),
        1},
       {limitBox(document, tr("Limit on the screen"), &ErrorLimits::pixels, tr(" px"),
                 tip.arg(tr("the farthest that a vertex is off on the screen"))),
        1}});
}

QString errorText(const BakeError& error, const Project& project) {
  const bool isDirect = drawnReading(project.view) == Reading::Direct;
  const auto title = [](const QString& name, bool isDrawn) {
    return isDrawn ? tr("%1, as drawn").arg(name) : name;
  };
  const auto limits = [&project](bool isDrawn) {
    return isDrawn ? project.errorLimits : ErrorLimits();
  };
  return readingText(title(tr("Palette"), !isDirect), error.palette, limits(!isDirect)) +
         QStringLiteral("<br>") +
         readingText(title(tr("Joint by joint"), isDirect), error.direct, limits(isDirect));
}

}  // namespace ck::ui
