#include "ui/viewport/view_cube.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QTransform>
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "ui/theme/theme.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

constexpr int kSide = 96;
constexpr int kWordHigh = 18;
constexpr double kHalf = 27.0;   // pixels: half an edge of the cube
constexpr double kInner = 0.56;  // of a face's half: what is nearer to the border is an edge
constexpr double kSeen = 0.02;   // cosine: a face that is seen flatter is not
constexpr double kRadiansPerPixel = 0.012;
constexpr double kThere = 1e-3;  // radians: a camera nearer to a view than this has it
constexpr int kClickPixels = 3;

struct Face {
  const char* word;
  glm::dvec3 normal;
  glm::dvec3 across;  // to the right and up as its word is read
  glm::dvec3 up;
};
const std::array<Face, 6> kFaces = {{
    {QT_TRANSLATE_NOOP("ck::ui::ViewCube", "Front"), {0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
    {QT_TRANSLATE_NOOP("ck::ui::ViewCube", "Back"), {0, 0, -1}, {-1, 0, 0}, {0, 1, 0}},
    {QT_TRANSLATE_NOOP("ck::ui::ViewCube", "Right"), {1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
    {QT_TRANSLATE_NOOP("ck::ui::ViewCube", "Left"), {-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
    {QT_TRANSLATE_NOOP("ck::ui::ViewCube", "Top"), {0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
    {QT_TRANSLATE_NOOP("ck::ui::ViewCube", "Bottom"), {0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
}};

// The cube as a camera sees it, without perspective.
struct Seen {
  explicit Seen(const render::Camera& camera) : turn(glm::mat3(render::viewMatrix(camera))) {}

  QPointF vector(const glm::dvec3& way) const {
    const glm::dvec3 seen = turn * way;
    return {seen.x * kHalf, -seen.y * kHalf};
  }
  double facing(const Face& face) const { return (turn * face.normal).z; }
  // From a face's square, -1 to 1 to the right and up, to the widget.
  QTransform of(const Face& face) const {
    const QPointF right = vector(face.across);
    const QPointF up = vector(face.up);
    const QPointF middle = QPointF(kSide, kSide) * 0.5 + vector(face.normal);
    return {right.x(), right.y(), up.x(), up.y(), middle.x(), middle.y()};
  }

  glm::dmat3 turn;
};

int third(double place) {
  return place > kInner ? 1 : place < -kInner ? -1 : 0;
}

// The part of a face's square in the third -1, 0 or 1.
QPair<double, double> spanOf(double part) {
  if (part > 0.5) return {kInner, 1.0};
  if (part < -0.5) return {-1.0, -kInner};
  return {-kInner, kInner};
}

QRectF wordBox() {
  return {0.0, double(kSide), double(kSide), double(kWordHigh)};
}

}  // namespace

render::Camera viewFrom(const render::Camera& camera, const glm::ivec3& direction) {
  constexpr double kQuarter = glm::half_pi<double>();
  const double yaw = std::round(camera.yaw / kQuarter) * kQuarter;
  render::Camera there = camera;
  render::lookAlong(there, glm::dvec3(direction), yaw);
  const bool isThere = std::abs(std::remainder(there.yaw - camera.yaw, 4.0 * kQuarter)) < kThere &&
                       std::abs(there.pitch - camera.pitch) < kThere;
  if (isThere) render::lookAlong(there, -glm::dvec3(direction), yaw);
  return there;
}

ViewCube::ViewCube(ViewportWidget& viewport, QWidget* parent)
    : QWidget(parent), viewport_(viewport) {
  setFixedSize(kSide, kSide + kWordHigh);
  setMouseTracking(true);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("View cube"));
  setAccessibleDescription(tr("The menu View > Camera has the same views"));
  connect(&viewport, &ViewportWidget::cameraMoved, this, qOverload<>(&QWidget::update));
}

std::optional<glm::ivec3> ViewCube::directionAt(const QPointF& place) const {
  const Seen seen(viewport_.camera());
  for (const Face& face : kFaces) {
    if (seen.facing(face) < kSeen) continue;
    bool any = false;
    const QTransform back = seen.of(face).inverted(&any);
    const QPointF at = back.map(place);
    if (!any || std::abs(at.x()) > 1.0 || std::abs(at.y()) > 1.0) continue;
    return glm::ivec3(face.normal + face.across * double(third(at.x())) +
                      face.up * double(third(at.y())));
  }
  return std::nullopt;
}

bool ViewCube::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const bool onWord = wordBox().contains(help->pos());
  QToolTip::showText(help->globalPos(),
                     onWord ? tr("Change between perspective and orthographic (keypad 5)")
                            : tr("Click: this view, and again the opposite. Drag: orbit"),
                     this);
  return true;
}

void ViewCube::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Seen seen(viewport_.camera());
  for (const Face& face : kFaces) {
    const double facing = seen.facing(face);
    if (facing < kSeen) continue;
    const QTransform onFace = seen.of(face);
    const auto quad = [&](double left, double low, double right, double high) {
      return QPolygonF({onFace.map(QPointF(left, low)), onFace.map(QPointF(right, low)),
                        onFace.map(QPointF(right, high)), onFace.map(QPointF(left, high))});
    };
    // Brighter where it faces the eye, and on top.
    const int light = int(52.0 + 26.0 * facing + 14.0 * face.normal.y);
    painter.setPen(QPen(QColor(0x8e, 0x94, 0x9c), 1.0));
    painter.setBrush(QColor(light, light + 2, light + 6, 235));
    painter.drawPolygon(quad(-1.0, -1.0, 1.0, 1.0));
    const bool isLit = hovered_ && glm::dot(glm::dvec3(*hovered_), face.normal) > 0.5;
    if (isLit) {
      const auto [left, right] = spanOf(glm::dot(glm::dvec3(*hovered_), face.across));
      const auto [low, high] = spanOf(glm::dot(glm::dvec3(*hovered_), face.up));
      QColor lit = colors::kFocus;
      lit.setAlpha(150);
      painter.setPen(Qt::NoPen);
      painter.setBrush(lit);
      painter.drawPolygon(quad(left, low, right, high));
    }
    if (facing < 0.25) continue;
    painter.save();
    QFont font = this->font();
    font.setPixelSize(13);
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    QColor ink = colors::kText;
    ink.setAlphaF(float(std::clamp((facing - 0.2) * 2.0, 0.0, 1.0)));
    painter.setPen(ink);
    // The word is laid out in pixels, y down, and drawn on the face.
    painter.setTransform(QTransform::fromScale(1.0 / kHalf, -1.0 / kHalf) * onFace, true);
    painter.drawText(QRectF(-kHalf, -kHalf, 2.0 * kHalf, 2.0 * kHalf), Qt::AlignCenter,
                     tr(face.word));
    painter.restore();
  }
  QFont small = font();
  small.setPixelSize(11);
  painter.setFont(small);
  const bool flat = viewport_.camera().orthographic;
  QColor ground = colors::kBase;
  ground.setAlpha(wordHovered_ ? 230 : 150);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(wordBox().adjusted(4.0, 0.5, -4.0, -0.5), 4.0, 4.0);
  painter.setPen(wordHovered_ ? colors::kFocus : colors::kText);
  painter.drawText(wordBox(), Qt::AlignCenter, flat ? tr("Orthographic") : tr("Perspective"));
}

void ViewCube::hover(const QPointF& place) {
  hovered_ = directionAt(place);
  wordHovered_ = wordBox().contains(place);
  update();
}

void ViewCube::mousePressEvent(QMouseEvent* event) {
  isPressed_ = event->button() == Qt::LeftButton;
  isDragged_ = false;
  pressed_ = last_ = event->position();
}

void ViewCube::mouseMoveEvent(QMouseEvent* event) {
  if (!isPressed_) return hover(event->position());
  isDragged_ = isDragged_ || (event->position() - pressed_).manhattanLength() > kClickPixels;
  if (!isDragged_) return;
  const QPointF way = event->position() - last_;
  last_ = event->position();
  viewport_.orbit(-way.x() * kRadiansPerPixel, way.y() * kRadiansPerPixel);
}

void ViewCube::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !std::exchange(isPressed_, false)) return;
  if (!isDragged_) {
    if (const auto direction = directionAt(event->position())) {
      viewport_.goTo(viewFrom(viewport_.destination(), *direction));
    } else if (wordBox().contains(event->position())) {
      toggleOrthographic();
    }
  }
  hover(event->position());
}

void ViewCube::leaveEvent(QEvent*) {
  hovered_.reset();
  wordHovered_ = false;
  update();
}

void ViewCube::toggleOrthographic() {
  render::Camera camera = viewport_.destination();
  camera.orthographic = !camera.orthographic;
  viewport_.goTo(camera);
}

}  // namespace ck::ui
