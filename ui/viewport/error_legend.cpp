#include "ui/viewport/error_legend.h"

#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QInputDialog>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "render/view/error_scale.h"
#include "ui/document/document.h"

namespace ck::ui {
namespace {

constexpr double kLeastMm = 0.001;
constexpr double kMostMm = 1e6;
constexpr int kStepOfWheel = 120;  // fine wheels and trackpads turn by less

// The next larger, or smaller, of 1, 2 and 5 times a power of ten.
double stepped(double mm, bool up) {
  if (up) return render::errorScaleFor(mm * 1.01);
  // The largest one whose next one is not below the value.
  for (double lower = mm / 1.9; lower > kLeastMm; lower /= 1.3) {
    const double step = render::errorScaleFor(lower);
    if (step < mm * 0.999) return step;
  }
  return render::errorScaleFor(kLeastMm);
}

}  // namespace

void setErrorScale(Document& document, double mm) {
  document.edit(
      {}, [mm](Project& project) { project.view.errorScaleMm = mm; },
      QStringLiteral("view/errorScale"));
}

void askErrorScale(Document& document, QWidget* parent, double shownMm) {
  auto* dialog = new QInputDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::DoubleInput);
  dialog->setWindowTitle(ErrorLegend::tr("Scale of the error view"));
  dialog->setLabelText(ErrorLegend::tr("The last colour stands for"));
  dialog->setDoubleDecimals(3);
  dialog->setDoubleRange(kLeastMm, kMostMm);
  dialog->setDoubleValue(shownMm);
  if (auto* field = dialog->findChild<QDoubleSpinBox*>()) field->setSuffix(ErrorLegend::tr(" mm"));
  // Window managers put buttons beside the title.
  constexpr int kTitleButtons = 140;
  dialog->setMinimumWidth(dialog->fontMetrics().horizontalAdvance(dialog->windowTitle()) +
                          kTitleButtons);
  QObject::connect(dialog, &QInputDialog::doubleValueSelected, &document,
                   [&document](double mm) { setErrorScale(document, mm); });
  dialog->open();
}

ErrorLegend::ErrorLegend(Document& document, QWidget* parent)
    : QWidget(parent), document_(document) {
  setAccessibleName(tr("Scale of the error colours"));
  setToolTip(
      tr("Wheel: a larger or smaller scale. Double click: set a number. Right button: fit, "
         "or a fixed scale"));
  setCursor(Qt::PointingHandCursor);
  hide();
}

void ErrorLegend::setShownScale(double mm) {
  shownMm_ = mm;
  setAccessibleDescription(tr("%1 mm").arg(QLocale().toString(mm)));
}

void ErrorLegend::wheelEvent(QWheelEvent* event) {
  turned_ += event->angleDelta().y();
  for (; std::abs(turned_) >= kStepOfWheel; turned_ -= turned_ > 0 ? kStepOfWheel : -kStepOfWheel) {
    setErrorScale(document_, stepped(shownMm_, turned_ > 0));
    setShownScale(document_.project().view.errorScaleMm);
  }
  event->accept();
}

// The viewport must not select what is behind the legend.
void ErrorLegend::mousePressEvent(QMouseEvent* event) {
  event->accept();
}

void ErrorLegend::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
  if (event->button() == Qt::LeftButton) askErrorScale(document_, this, shownMm_);
}

void ErrorLegend::contextMenuEvent(QContextMenuEvent* event) {
  emit menuAsked(event->globalPos());
}

}  // namespace ck::ui
