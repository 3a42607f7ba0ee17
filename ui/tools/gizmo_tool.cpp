#include "ui/tools/gizmo_tool.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/project/actors/actor_moves.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/field_units.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"
#include "ui/viewport/tool_label.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

constexpr int kClickPixels = 4;  // a press of a body that moves less is a click
constexpr double kFine = 0.1;    // share of the way with Shift
constexpr double kSnapMeters = 0.5;
constexpr double kSnapDegrees = 15.0;
constexpr double kSnapFactor = 0.1;
// A ground that is seen flatter than this (cosine) is not dragged on but along.
constexpr double kFlatGround = 0.1;
constexpr double kTallestBody = 4.0;  // metres: where on an actor it can be grabbed

const QString kDragKey = QStringLiteral("gizmo");

const QColor kAxisColors[] = {QColor(0xff, 0x5f, 0x67), QColor(0x8b, 0xd4, 0x50),
                              QColor(0x5a, 0xa5, 0xff)};
const QColor kShade(0x10, 0x11, 0x13, 150);

QColor colorOf(GizmoHandle handle) {
  const int axis = axisOf(handle);
  return axis >= 0 ? kAxisColors[axis] : QColor(0xe6, 0xe8, 0xeb);
}

double snapped(double value, double step) {
  return std::round(value / step) * step;
}

QString signedText(double value, int decimals) {
  const QString text = QLocale().toString(value, 'f', decimals);
  return value > 0.0 ? QLatin1Char('+') + text : text;
}

QPolygonF polygonOf(const std::vector<QPointF>& points) {
  return QPolygonF(QList<QPointF>(points.begin(), points.end()));
}

QString titleOf(GizmoMode mode, const QString& actors) {
  switch (mode) {
    case GizmoMode::Turn:
      return GizmoTool::tr("Rotate %1").arg(actors);
    case GizmoMode::Scale:
      return GizmoTool::tr("Scale %1").arg(actors);
    default:
      return GizmoTool::tr("Move %1").arg(actors);
  }
}

}  // namespace

GizmoTool::GizmoTool(Document& document, const Playback& playback, Selection& selection,
                     ViewportWidget& view, QObject* parent)
    : ViewportTool(parent),
      document_(document),
      playback_(playback),
      selection_(selection),
      view_(view) {}

void GizmoTool::setMode(GizmoMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  hovered_ = GizmoHandle::None;
  emit changed();
}

void GizmoTool::setLocal(bool local) {
  local_ = local;
  emit changed();
}

std::optional<GizmoFrame> GizmoTool::frame() const {
  const MixedCrowd* crowd = playback_.crowd();
  if (!crowd) return std::nullopt;
  GizmoFrame frame;
  glm::dvec3 sum(0.0);
  int count = 0;
  for (const std::uint32_t visible : view_.selectedVisible()) {
    if (visible >= crowd->size()) continue;
    const ActorPlace at = crowd->placeOf(visible);
    const gpu::CkPlace& place = crowd->crowds()[at.character].instances().places()[at.index];
    if (count++ == 0 && local_) {
      const glm::vec4& turn = place.rotation;
      frame.axes = glm::mat3_cast(glm::normalize(glm::dquat(turn.w, turn.x, turn.y, turn.z)));
    }
    sum += glm::dvec3(place.position);
  }
  if (count == 0) return std::nullopt;
  frame.pivot = sum / double(count);
  return frame;
}

GizmoHandle GizmoTool::handleAt(const QPointF& place, const ViewProjection& view) const {
  // Without handles nothing asks where they would be.
  const auto frame = mode_ == GizmoMode::Select ? std::nullopt : this->frame();
  if (!frame) return GizmoHandle::None;
  return GizmoShape(mode_, *frame, view, selection_.actors().size() > 1).at(place);
}

bool GizmoTool::press(const QMouseEvent& event, const ViewProjection& view) {
  if (event.button() != Qt::LeftButton || selection_.actors().empty()) return false;
  const GizmoHandle handle = handleAt(event.position(), view);
  if (handle == GizmoHandle::None) return pressBody(event, view);
  begin(mode_, handle, *frame(), event);
  drag_->hasMoved = true;
  drag_->axis = axisOfTurn(handle, drag_->frame, view);
  emit changed();
  return true;
}

bool GizmoTool::pressBody(const QMouseEvent& event, const ViewProjection& view) {
  if (mode_ != GizmoMode::Select && mode_ != GizmoMode::Move) return false;
  if (event.modifiers() != Qt::NoModifier) return false;
  const int actor = view_.actorAt(event.pos());
  if (actor < 0 || !selection_.contains(actor)) return false;
  const auto visible = playback_.visibleOf({actor});
  if (visible.empty()) return false;
  const MixedCrowd& crowd = *playback_.crowd();
  const ActorPlace at = crowd.placeOf(visible.front());
  GizmoFrame frame;
  frame.pivot = crowd.crowds()[at.character].instances().places()[at.index].position;
  // It moves at the height where it was grabbed, so that it stays under the pointer.
  const glm::dvec3 up(0.0, 1.0, 0.0);
  const auto height = view.alongLine(event.position(), frame.pivot, up);
  frame.pivot.y += std::clamp(height.value_or(0.0), 0.0, kTallestBody);
  const bool flat = std::abs(view.ray(event.position()).direction.y) < kFlatGround;
  begin(GizmoMode::Move, flat ? GizmoHandle::View : GizmoHandle::ZX, frame, event);
  drag_->body = actor;
  return true;
}

void GizmoTool::begin(GizmoMode mode, GizmoHandle handle, const GizmoFrame& frame,
                      const QMouseEvent& event) {
  drag_.emplace();
  drag_->mode = mode;
  drag_->handle = handle;
  drag_->frame = frame;
  drag_->pressed = drag_->last = event.position();
  drag_->modifiers = event.modifiers();
  const ActorList& actors = document_.project().actors;
  for (const int actor : selection_.actors()) {
    drag_->before.emplace_back(actor, actors[std::size_t(actor)]);
  }
  document_.endMerge();
}

void GizmoTool::move(const QMouseEvent& event, const ViewProjection& view) {
  if (!drag_) {
    if (event.buttons() != Qt::NoButton) return;  // a press that was taken back
    const GizmoHandle handle = handleAt(event.position(), view);
    if (std::exchange(hovered_, handle) != handle) emit changed();
    return;
  }
  Drag& drag = *drag_;
  if (!drag.hasMoved) {
    const QPointF way = event.position() - drag.pressed;
    if (std::abs(way.x()) + std::abs(way.y()) <= kClickPixels) return;
    drag.hasMoved = true;
  }
  const GizmoStep step =
      gizmoStep(drag.mode, drag.handle, drag.frame, view, drag.last, event.position());
  const double share = event.modifiers() & Qt::ShiftModifier ? kFine : 1.0;
  drag.sum.meters += step.meters * share;
  if (drag.body >= 0) drag.sum.meters.y = 0.0;
  drag.sum.radians += step.radians * share;
  drag.sum.factor *= std::pow(step.factor, share);
  drag.last = event.position();
  drag.modifiers = event.modifiers();
  apply();
}

bool GizmoTool::wantsSecondPress(const QMouseEvent& event, const ViewProjection& view) const {
  return handleAt(event.position(), view) != GizmoHandle::None;
}

void GizmoTool::leave() {
  if (std::exchange(hovered_, GizmoHandle::None) != GizmoHandle::None) emit changed();
}

void GizmoTool::release(const QMouseEvent&, const ViewProjection&) {
  if (!drag_) return;
  // A click on one of many selected actors means this one.
  const int clicked = drag_->hasMoved ? -1 : drag_->body;
  drag_.reset();
  document_.endMerge();
  if (clicked >= 0) selection_.set({clicked});
  emit changed();
}

bool GizmoTool::key(const QKeyEvent& event) {
  if (!drag_) return false;
  switch (event.key()) {
    case Qt::Key_Escape:
      cancel();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      drag_.reset();
      document_.endMerge();
      emit changed();
      return true;
    case Qt::Key_Backspace:
      drag_->typed.chop(1);
      break;
    default: {
      // A unit follows a number; a letter alone is a key that was missed.
      const QString text = event.text();
      const bool begins = text.size() == 1 && QStringLiteral("0123456789.,-+(").contains(text);
      if (text.size() != 1 || !text[0].isPrint()) return true;
      if (drag_->typed.isEmpty() && !begins) return true;
      drag_->typed += text;
    }
  }
  readTyped();
  drag_->hasMoved = true;
  apply();
  return true;
}

// As a number field of the same unit does. A point is one in every language.
void GizmoTool::readTyped() {
  Drag& drag = *drag_;
  drag.isWrong = false;
  if (drag.typed.isEmpty()) return drag.number.reset();
  const QString unit = drag.mode == GizmoMode::Turn    ? QStringLiteral("°")
                       : drag.mode == GizmoMode::Scale ? QString()
                                                       : QStringLiteral(" m");
  QString text = drag.typed;
  text.replace(QLatin1Char(','), QLatin1Char('.'));
  text.replace(QLatin1Char('.'), QLocale().decimalPoint());
  const auto read = Expression::read(expressionText(text), unitsOf(unit));
  drag.isWrong = !read;
  if (read) drag.number = read->value();
}

void GizmoTool::setModifiers(Qt::KeyboardModifiers held) {
  if (!drag_ || held == drag_->modifiers) return;
  drag_->modifiers = held;
  if (drag_->hasMoved) apply();
}

void GizmoTool::cancel() {
  if (!drag_) return;
  drag_.reset();
  document_.takeBack(kDragKey);
  emit changed();
}

GizmoStep GizmoTool::amount() const {
  const Drag& drag = *drag_;
  GizmoStep step = drag.sum;
  if (drag.number) {
    const double number = *drag.number;
    step.radians = glm::radians(number);
    if (number > 0.0) step.factor = number;
    const bool isAxis = drag.handle == GizmoHandle::X || drag.handle == GizmoHandle::Y ||
                        drag.handle == GizmoHandle::Z;
    // On a plane it is the length of the way that the pointer has shown.
    glm::dvec3 way(0.0);
    if (drag.body >= 0) {
      way.x = 1.0;  // never up: a body stays on the ground
    } else {
      way[isAxis ? axisOf(drag.handle) : (std::max(0, axisOf(drag.handle)) + 1) % 3] = 1.0;
    }
    const double length = glm::length(drag.sum.meters);
    if (!isAxis && length > 0.0) way = drag.sum.meters / length;
    step.meters = way * number;
    return step;
  }
  if (!(drag.modifiers & Qt::ControlModifier)) return step;
  for (int axis = 0; axis < 3; ++axis) {
    step.meters[axis] = snapped(step.meters[axis], kSnapMeters);
  }
  step.radians = glm::radians(snapped(glm::degrees(step.radians), kSnapDegrees));
  step.factor = std::max(kSnapFactor, snapped(step.factor, kSnapFactor));
  return step;
}

Actor GizmoTool::after(const Actor& actor, const GizmoStep& step) const {
  const Drag& drag = *drag_;
  switch (drag.mode) {
    case GizmoMode::Select:
    case GizmoMode::Move:
      return moved(actor, drag.frame.axes * step.meters);
    case GizmoMode::Turn:
      return turned(actor, drag.frame.pivot, glm::angleAxis(step.radians, drag.axis));
    case GizmoMode::Scale: {
      ActorScaling scaling;
      scaling.axes = drag.frame.axes;
      const int axis = axisOf(drag.handle);
      if (axis >= 0) {
        scaling.places[axis] = step.factor;
      } else {
        scaling.size = step.factor;
        if (!(drag.modifiers & Qt::AltModifier)) scaling.places = glm::dvec3(step.factor);
      }
      // A single actor grows where it is, also where it has walked to.
      if (drag.before.size() == 1) scaling.places = glm::dvec3(1.0);
      return scaled(actor, drag.frame.pivot, scaling);
    }
  }
  return actor;
}

void GizmoTool::apply() {
  const QString actors = counted(qlonglong(drag_->before.size()), tr("actor"), tr("actors"));
  document_.edit(
      titleOf(drag_->mode, actors),
      [this, step = amount()](Project& project) {
        for (const auto& [number, actor] : drag_->before) {
          if (std::size_t(number) < project.actors.size())
            project.actors.set(std::size_t(number), after(actor, step));
        }
      },
      kDragKey);
  emit changed();
}

QString GizmoTool::readout() const {
  if (!drag_ || !drag_->hasMoved) return {};
  const QString text = stepText();
  return drag_->isWrong ? tr("%1   '%2' is no number").arg(text, drag_->typed) : text;
}

QString GizmoTool::stepText() const {
  const GizmoStep step = amount();
  switch (drag_->mode) {
    case GizmoMode::Turn:
      return tr("%1°").arg(QLocale().toString(glm::degrees(step.radians), 'f', 1));
    case GizmoMode::Scale:
      return tr("× %1").arg(QLocale().toString(step.factor, 'f', 2));
    default:
      break;
  }
  const int own = axisOf(drag_->handle);
  const bool isAxis = drag_->handle == GizmoHandle::X || drag_->handle == GizmoHandle::Y ||
                      drag_->handle == GizmoHandle::Z;
  QStringList parts;
  for (int axis = 0; axis < 3; ++axis) {
    const bool shown = isAxis ? axis == own : axis != own && !(drag_->body >= 0 && axis == 1);
    if (!shown) continue;
    parts << QStringLiteral("%1 %2").arg(QChar('X' + axis)).arg(signedText(step.meters[axis], 2));
  }
  return tr("%1 m").arg(parts.join(QStringLiteral("  ")));
}

void GizmoTool::paint(QPainter& painter, const ViewProjection& view) {
  const bool hasHandles = mode_ != GizmoMode::Select && !(drag_ && drag_->body >= 0);
  const auto frame = hasHandles ? this->frame() : std::nullopt;
  if (frame) {
    const GizmoHandle lit = drag_                ? drag_->handle
                            : view_.underMouse() ? hovered_
                                                 : GizmoHandle::None;
    const GizmoShape shape(mode_, *frame, view, selection_.actors().size() > 1);
    for (const GizmoPart& part : shape.parts()) {
      const bool isLit = part.handle == lit;
      QColor color = isLit ? colors::kWarning : colorOf(part.handle);
      if (drag_ && !isLit) color.setAlphaF(0.3F);
      const double width = isLit ? 3.0 : 2.2;
      const auto stroke = [&](const std::vector<QPointF>& line, const QColor& ink) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(kShade, width + 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        if (ink.alphaF() > 0.5F) painter.drawPolyline(polygonOf(line));
        painter.setPen(QPen(ink, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(polygonOf(line));
      };
      QColor faint = color;
      faint.setAlphaF(color.alphaF() * 0.22F);
      if (!part.back.empty()) stroke(part.back, faint);
      if (part.filled) {
        QColor fill = color;
        fill.setAlphaF(color.alphaF() * (isLit ? 0.6F : 0.35F));
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawPolygon(polygonOf(part.line));
      }
      stroke(part.line, color);
      if (part.head.empty()) continue;
      painter.setPen(QPen(kShade, 0.8));
      painter.setBrush(color);
      painter.drawPolygon(polygonOf(part.head));
    }
  }
  const QString text = readout();
  if (text.isEmpty()) return;
  paintLabel(painter, view_.size(), drag_->last, text, view_.font(),
             drag_->typed.isEmpty() ? colors::kText
             : drag_->isWrong       ? colors::kError
                                    : colors::kWarning);
}

}  // namespace ck::ui
