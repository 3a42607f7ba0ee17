#include "ui/bake/error_fields.h"

#include <QDoubleSpinBox>
#include <QLabel>

#include "core/project/project.h"
#include "core/view/drawn_as.h"
#include "ui/bake/bake_panel.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/text.h"
#include "ui/parts/bind.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kFarthestBox = 10000.0;  // metres
constexpr double kLargestBox = 100000.0;  // pixels
constexpr double kLargestLimit = 10000.0;
constexpr int kNarrowestBox = 40;  // pixels
constexpr int kPadding = 8;        // of a box, beside its text, in pixels

QString tr(const char* text) {
  return BakePanel::tr(text);
}

// Three boxes fit into a row of a narrow panel without their buttons. Arrow keys and the wheel
// step.
QDoubleSpinBox* narrowBox(double low, double high, double step, int decimals, const QString& unit) {
  auto* box = numberBox(low, high, step, unit);
  box->setDecimals(decimals);
  box->setRange(low, high);  // which decimals have rounded
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  box->setMinimumWidth(kNarrowestBox);
  return box;
}

QDoubleSpinBox* screenBox(Document& document, QDoubleSpinBox* box, double ScreenView::*value,
                          const QString& name, const QString& what) {
  named(box, name,
        tr("For the error in pixels: %1. It does not move the camera, and nothing is baked anew")
            .arg(what));
  bindNumber(
      *box, document, name, [value](const Project& project) { return project.view.screen.*value; },
      [value](Project& project, double number) { project.view.screen.*value = number; });
  return box;
}

// A box without a limit shows `where`.
QDoubleSpinBox* limitBox(Document& document, double ErrorLimits::*value, const QString& unit,
                         const QString& name, const QString& where, const QString& what) {
  auto* box = named(narrowBox(0.0, kLargestLimit, 0.1, 2, unit), name,
                    tr("The largest error to accept %1; 0: any. Where the reading that is drawn "
                       "has more, it is shown in red")
                        .arg(what));
  box->setSpecialValueText(where);
  bindNumber(
      *box, document, name, [value](const Project& project) { return project.errorLimits.*value; },
      [value](Project& project, double number) { project.errorLimits.*value = number; });
  return box;
}

// The maximum of a figure, red above its limit.
QString maximumText(double value, const QString& unit, double limit) {
  QString text = QStringLiteral("%1&nbsp;%2").arg(figureText(value).toHtmlEscaped(), unit);
  if (limit <= 0.0 || value <= limit) return text;
  return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colors::kError.name(), text);
}

// Links of errorText().
constexpr QLatin1String kPaletteLink("worst:palette");
constexpr QLatin1String kDirectLink("worst:direct");

QString readingText(const QString& title, const ErrorFigures& figures, const ErrorLimits& limits,
                    QLatin1String link) {
  const ErrorFigure& vertices = figures.vertices;
  return tr("%1: <b>%2</b> at&nbsp;vertices, 99&nbsp;%&nbsp;below&nbsp;%3<br>"
            "&nbsp; <a href=\"%10\" style=\"color:%11\">%4, %5, at&nbsp;%6&nbsp;s</a><br>&nbsp; %7 "
            "at&nbsp;the shell (%8&nbsp;cm), %9")
      .arg(title, maximumText(vertices.max, tr("mm"), limits.vertexMm),
           figureText(vertices.p99).toHtmlEscaped(), nameText(vertices.worstClip).toHtmlEscaped(),
           nameText(vertices.worstJoint).toHtmlEscaped(), fixedText(vertices.worstTimeSeconds, 2),
           maximumText(figures.shell.max, tr("mm"), limits.shellMm),
           fixedText(100.0 * kShellMeters, 0),
           maximumText(figures.screen.max, tr("px"), limits.pixels), link, colors::kFocus.name());
}

}  // namespace

QWidget* makeScreenRow(Document& document) {
  auto* distance = screenBox(document, narrowBox(0.1, kFarthestBox, 1.0, 1, tr(" m")),
                             &ScreenView::distanceMeters, tr("Distance of view"),
                             tr("how far away the characters are"));
  auto* height = screenBox(document, narrowBox(1.0, kLargestBox, 120.0, 0, tr(" px")),
                           &ScreenView::imageHeightPixels, tr("Height of the picture"),
                           tr("how many pixels the picture is high"));
  auto* angle = screenBox(document, narrowBox(1.0, kWidestView, 5.0, 0, tr("\u00b0")),
                          &ScreenView::verticalFieldOfViewDegrees, tr("Field of view"),
                          tr("the vertical field of view of the picture"));
  return rowWidget({{distance, 5}, {height, 7}, {angle, 5}});
}

QWidget* makeLimitRow(Document& document) {
  const QString cm = fixedText(100.0 * kShellMeters, 0);
  auto* vertex = limitBox(document, &ErrorLimits::vertexMm, tr(" mm"), tr("Limit at vertices"),
                          tr("Vertex"), tr("at the vertices"));
  auto* shell = limitBox(document, &ErrorLimits::shellMm, tr(" mm"), tr("Limit at the shell"),
                         tr("Shell"), tr("at the shell, %1 cm from joints").arg(cm));
  auto* screen = limitBox(document, &ErrorLimits::pixels, tr(" px"), tr("Limit on the screen"),
                          tr("Screen"), tr("on the screen, seen as is set above"));
  // Limits of hundreds of millimetres occur beside coarse bakes.
  for (QDoubleSpinBox* box : {vertex, shell, screen}) {
    box->setMinimumWidth(box->fontMetrics().horizontalAdvance(tr("250.00 mm")) + kPadding);
  }
  return rowWidget({{vertex, 1}, {shell, 1}, {screen, 1}});
}

QString errorText(const BakeError& error, const Project& project) {
  const bool isDirect = drawnReading(project.view) == Reading::Direct;
  const auto title = [](const QString& name, bool isDrawn) {
    return isDrawn ? tr("%1, as drawn").arg(name) : name;
  };
  const auto limits = [&project](bool isDrawn) {
    return isDrawn ? project.errorLimits : ErrorLimits();
  };
  return readingText(title(tr("Palette"), !isDirect), error.palette, limits(!isDirect),
                     kPaletteLink) +
         QStringLiteral("<br>") +
         readingText(title(tr("Joint by joint"), isDirect), error.direct, limits(isDirect),
                     kDirectLink);
}

QString worstLink(bool isDirect) {
  return isDirect ? kDirectLink : kPaletteLink;
}

const ErrorFigure* worstOfLink(const BakeError& error, const QString& link) {
  if (link == kPaletteLink) return &error.palette.vertices;
  return link == kDirectLink ? &error.direct.vertices : nullptr;
}

}  // namespace ck::ui
