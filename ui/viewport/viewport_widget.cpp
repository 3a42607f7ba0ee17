#include "ui/viewport/viewport_widget.h"

#include <spdlog/spdlog.h>

#include <QAction>
#include <QContextMenuEvent>
#include <QCursor>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QOpenGLContext>
#include <QOpenGLPaintDevice>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/log.h"
#include "core/project/characters.h"
#include "render/gl/framebuffer.h"
#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"
#include "ui/viewport/spot_guide.h"
#include "ui/viewport/tool_label.h"
#include "ui/viewport/view_projection.h"
#include "ui/viewport/viewport_tool.h"

namespace ck::ui {
namespace {

// The crowd as it is shown; nobody without a rig.
const MixedCrowd& crowdOf(const Playback& playback) {
  static const MixedCrowd kNobody{{}, std::vector<std::vector<CrowdClip>>(1)};
  return playback.crowd() ? *playback.crowd() : kNobody;
}

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ViewportWidget::ViewportWidget(Document& document, const Session& session, Playback& playback,
                               Selection& selection, QWidget* parent)
    : QOpenGLWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      controller_(*this),
      picker_(*this, playback, selection, [this](const QRect& box) { return pick(box); }),
      wipe_(document, *this),
      pacer_(playback) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Viewport"));
  setMinimumSize(200, 150);
  connect(&controller_, &CameraController::moved, this, qOverload<>(&QWidget::update));
  connect(&controller_, &CameraController::moved, this, &ViewportWidget::cameraMoved);
  connect(&controller_, &CameraController::spaceTapped, this, &ViewportWidget::tapSpace);
  connect(&wipe_, &WipeHandle::changed, this, [this] {
    showCursor();
    update();
  });
  connectScene();
  onCharacter();
}

void ViewportWidget::connectScene() {
  const auto restage = [this] {
    castStale_ = true;
    update();
  };
  connect(&session_, &Session::rigsChanged, this, &ViewportWidget::onCharacter);
  connect(&session_, &Session::changed, this, [this, restage] {
    // A scene that was too slow without an atlas may draw all actors with one.
    std::vector<render::CharacterEntry> cast = session_.entries();
    if (std::exchange(paced_, cast) != cast) pacer_.lift();
    followWipe();
    controller_.followNewcomers();
    restage();
  });
  connect(&session_.props(), &PropSession::changed, this, [this] {
    propsStale_ = true;
    update();
  });
  connect(&playback_, &Playback::timeChanged, this, qOverload<>(&QWidget::update));
  const auto reselect = [this] {
    selectedVisible_ = playback_.visibleOf(selection_.actors());
    update();
  };
  connect(&playback_, &Playback::crowdChanged, this, reselect);
  connect(&playback_, &Playback::crowdChanged, this, [this] {
    const std::size_t now = playback_.crowd() ? playback_.crowd()->size() : 0;
    if (now > 2 * std::exchange(knownActors_, now)) pacer_.restart();
  });
  connect(&selection_, &Selection::changed, this, reselect);
  connect(&document_, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.view != now.view) pacer_.lift();
    if (before.view.sockets != now.view.sockets) castStale_ = true;
    update();
  });
  connect(&document_, &Document::replaced, &controller_, &CameraController::frameSoon);
}

ViewportWidget::~ViewportWidget() {
  // The base class destroys the context after this destructor.
  if (context()) disconnect(context(), nullptr, this, nullptr);
  release();
}

void ViewportWidget::onCharacter() {
  pacer_.lift();
  castStale_ = true;
  // The first one that is not refused, so that a camera that is kept is kept for it.
  int framed = 0;
  while (session_.state(framed) == CharacterState::Refused) ++framed;
  controller_.followRig(session_.character(framed).get());
  update();
}

void ViewportWidget::initializeGL() {
  // Qt may create a new context when the widget moves to another window.
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &ViewportWidget::release);
  auto made = render::CrowdRenderer::make();
  if (!made) {
    log().error("{}", made.error().message);
    emit ready(textOf(made.error().message));
    return;
  }
  renderer_ = std::move(*made);
  castStale_ = propsStale_ = true;
  const render::ContextFacts& facts = renderer_->facts();
  log().info("OpenGL {} on {}", facts.version, facts.renderer);
  emit ready({});
}

void ViewportWidget::release() {
  makeCurrent();
  renderer_.reset();
  doneCurrent();
}

void ViewportWidget::complain(const Error& error) {
  log().error("{}", error.message);
  emit drawRefused(textOf(error.message));
}

void ViewportWidget::uploadProps() {
  if (!std::exchange(propsStale_, false)) return;
  const Result<void> placed = renderer_->setProps(session_.props().placed());
  if (!placed) complain(placed.error());
}

void ViewportWidget::upload() {
  if (!std::exchange(castStale_, false)) return;
  std::vector<render::CharacterEntry> cast = session_.entries();
  if (document_.project().view.sockets) {
    for (render::CharacterEntry& entry : cast) entry.character = standIns_.of(entry.character);
  }
  const Result<void> uploaded = renderer_->setCharacters(cast);
  if (uploaded) return;
  complain(uploaded.error());
  // If the driver refuses something, it is most likely an atlas.
  for (render::CharacterEntry& entry : cast) entry.atlas = nullptr;
  if (const auto bare = renderer_->setCharacters(cast); !bare)
    log().error("{}", bare.error().message);
}

render::DrawableView ViewportWidget::drawable() const {
  ViewSettings view = document_.project().view;
  view.pose.viewMode = viewMode_;
  view.pose.morphs.accumulator = accumulator_;
  render::DrawableView drawable =
      render::renderSettingsFor(view, session_.entries(), playback_.isFading(), renderer_->facts());
  drawable.settings.reference = reference();
  drawable.settings.view.detail = pacer_.paced(view.detail);
  const bool isLive = playback_.fixedStep() <= 0.0;
  drawable.settings.detailRemembers = isLive;
  if (isLive && dissolves_) drawable.settings.detailSeconds = steadySeconds();
  return drawable;
}

QImage ViewportWidget::shownPicture() {
  const QSize size(pixels(width()), pixels(height()));
  if (castStale_ || paintedPixels_ != size) return grabFramebuffer();
  makeCurrent();
  const std::vector<std::uint8_t> rgba =
      render::readRgba(defaultFramebufferObject(), size.width(), size.height());
  doneCurrent();
  return QImage(rgba.data(), size.width(), size.height(), QImage::Format_RGBX8888).copy();
}

// The crowd is not rebuilt in the middle of a frame.
void ViewportWidget::followDetail() {
  const bool detailed = render::hasDetail(drawable().settings, session_.entries());
  if (detailed == playback_.isDetailed()) return;
  QMetaObject::invokeMethod(
      &playback_, [&playback = playback_, detailed] { playback.setDetailed(detailed); },
      Qt::QueuedConnection);
}

render::ReferencePtr ViewportWidget::reference() const {
  const std::vector<render::ReferencePtr>& all = render::comparedReferences();
  return viewMode_ == ViewMode::Compared && !all.empty() ? all.front() : nullptr;
}

int ViewportWidget::pixels(int length) const {
  return int(std::lround(length * devicePixelRatioF()));
}

void ViewportWidget::paintGL() {
  if (!renderer_ || !session_.hasRig()) {
    // On a device of its own, as paintTool().
    QOpenGLPaintDevice device(pixels(width()), pixels(height()));
    QPainter(&device).fillRect(0, 0, pixels(width()), pixels(height()), colors::kBase);
    return;
  }
  upload();
  uploadProps();
  const MixedCrowd& crowd = crowdOf(playback_);
  followDetail();
  controller_.frameIfDue(crowd, session_.entries(), isCastReading());
  QElapsedTimer timer;
  timer.start();
  const Result<void> drawn = drawCrowd(crowd);
  // A software renderer draws during the call; a GPU driver only queues commands, and the call is
  // short.
  frameMs_ = double(timer.nsecsElapsed()) / 1e6;
  const QString refusal = pacer_.follow(drawn, frameMs_, document_.project().view.detail);
  const std::optional<render::DetailStats>& detail = renderer_->stats().detail;
  if (pacer_.isRefining() || (detail && detail->dissolving > 0)) update();
  if (detail && detail->isPending && !playback_.isPlaying()) {
    constexpr int kSoonMs = 50;
    QTimer::singleShot(kSoonMs, this, qOverload<>(&QWidget::update));
  }
  if (!refusal.isEmpty()) emit drawRefused(refusal);
  paintOver();
  paintedPixels_ = QSize(pixels(width()), pixels(height()));
  emit framePainted();
}

// With a fixed step pictures are to come out the same, so nothing is left to be made later.
Result<void> ViewportWidget::drawCrowd(const MixedCrowd& crowd) {
  const auto draw = [&] {
    return renderer_->draw(crowd, camera(), drawable().settings, defaultFramebufferObject(),
                           pixels(width()), pixels(height()), selectedVisible_);
  };
  auto drawn = draw();
  const std::optional<render::DetailStats>& detail = renderer_->stats().detail;
  if (!drawn || playback_.fixedStep() <= 0.0 || !detail || !detail->isPending) return drawn;
  renderer_->completeDetail();
  return draw();
}

// On a paint device of its own, because what QPainter(this) draws is missing in QWidget::grab().
void ViewportWidget::paintOver() {
  const bool marked = guide_ && guide_->isMarked();
  const auto speed = controller_.flightSpeed();
  if (!tool_ && !marked && !speed && !isDivided()) return;
  QOpenGLPaintDevice device(pixels(width()), pixels(height()));
  device.setDevicePixelRatio(devicePixelRatioF());
  QPainter painter(&device);
  painter.setRenderHint(QPainter::Antialiasing);
  wipe_.paint(painter);
  if (marked) guide_->paint(painter);
  if (tool_) tool_->paint(painter, projection());
  if (speed) {
    paintLabel(painter, size(), mapFromGlobal(QCursor::pos()),
               tr("%1 m/s").arg(QLocale().toString(*speed, 'g', 3)), font(), colors::kText);
  }
}

bool ViewportWidget::isDivided() const {
  if (!isHalved(viewMode_)) return false;
  const std::vector<render::CharacterEntry> cast = session_.entries();
  return std::ranges::any_of(
      cast, [](const render::CharacterEntry& entry) { return entry.atlas != nullptr; });
}

void ViewportWidget::followWipe() {
  wipe_.setShown(isDivided());
  // Tools and the line of a divided view show what is under the pointer.
  setMouseTracking(tool_ != nullptr || isDivided());
}

void ViewportWidget::showCursor() {
  const Qt::CursorShape shape = wipe_.isUnderPointer() ? Qt::SplitHCursor
                                : tool_                ? tool_->cursor()
                                                       : Qt::ArrowCursor;
  if (shape == Qt::ArrowCursor) {
    unsetCursor();
  } else {
    setCursor(shape);
  }
}

ViewProjection ViewportWidget::projection() const {
  return ViewProjection(camera(), size());
}

void ViewportWidget::setTool(ViewportTool* tool) {
  if (tool == tool_) return;
  cancelTool();
  if (tool_) disconnect(tool_, nullptr, this, nullptr);
  tool_ = tool;
  followWipe();
  if (tool_) connect(tool_, &ViewportTool::changed, this, qOverload<>(&QWidget::update));
  showCursor();
  update();
  emit toolChanged();
}

void ViewportWidget::cancelTool() {
  if (std::exchange(toolHasPress_, false)) tool_->cancel();
}

void ViewportWidget::setAccumulator(const AccumulatorSettings& accumulator) {
  accumulator_ = accumulator;
  pacer_.lift();
  update();
}

void ViewportWidget::setViewMode(ViewMode mode) {
  if (mode == viewMode_) return;
  viewMode_ = mode;
  followWipe();
  pacer_.lift();
  playback_.restrain();
  update();
  emit viewModeChanged();
}

bool ViewportWidget::isCastReading() const {
  for (int c = 0; c < characterCount(document_.project()); ++c) {
    if (session_.state(c) == CharacterState::Reading) return true;
  }
  return false;
}

void ViewportWidget::frameAll() {
  controller_.setGliding(playback_.fixedStep() <= 0.0);
  controller_.frame(crowdOf(playback_), session_.entries());
}

void ViewportWidget::frameSelected() {
  controller_.setGliding(playback_.fixedStep() <= 0.0);
  controller_.frame(crowdOf(playback_), session_.entries(), selectedVisible_);
}

render::Camera ViewportWidget::framedFrom(const render::Camera& camera, std::size_t visible) const {
  const std::uint32_t only[] = {std::uint32_t(visible)};
  return controller_.framed(camera, crowdOf(playback_), session_.entries(), only);
}

void ViewportWidget::goTo(const render::Camera& camera) {
  controller_.setGliding(playback_.fixedStep() <= 0.0);
  controller_.go(camera);
}

void ViewportWidget::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::RightButton && wipe_.cancel()) return;
  if (toolHasPress_ && event->button() == Qt::RightButton) return cancelTool();
  if (controller_.press(*event) || wipe_.press(*event)) return;
  toolHasPress_ = tool_ && tool_->press(*event, projection());
  if (!toolHasPress_) picker_.press(*event);
}

void ViewportWidget::mouseMoveEvent(QMouseEvent* event) {
  controller_.move(*event);
  // The release has gone elsewhere.
  const bool held = event->buttons() & Qt::LeftButton;
  if (!held) wipe_.end();
  if (!held && std::exchange(toolHasPress_, false)) tool_->release(*event, projection());
  if (wipe_.move(*event)) return;
  if (tool_ && (toolHasPress_ || event->buttons() == Qt::NoButton)) {
    tool_->move(*event, projection());
  }
  if (!toolHasPress_) picker_.move(*event);
}

void ViewportWidget::mouseReleaseEvent(QMouseEvent* event) {
  if (controller_.release(*event)) return askContextMenu(event->pos());
  if (wipe_.release(*event)) return;
  if (toolHasPress_ && event->button() == Qt::LeftButton) {
    toolHasPress_ = false;
    return tool_->release(*event, projection());
  }
  picker_.release(*event);
}

void ViewportWidget::mouseDoubleClickEvent(QMouseEvent* event) {
  // Two clicks of other buttons, or with other keys, are two presses.
  if (event->button() != Qt::LeftButton || event->modifiers() != Qt::NoModifier) {
    return mousePressEvent(event);
  }
  if (controller_.press(*event) || wipe_.doubleClick(*event)) return;
  if (tool_ && tool_->wantsSecondPress(*event, projection())) return mousePressEvent(event);
  frameSelected();
}

void ViewportWidget::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && (wipe_.cancel() || picker_.cancel())) return;
  if (tool_) tool_->setModifiers(event->modifiers());
  if (tool_ && tool_->key(*event)) return;
  if (controller_.keyPress(*event)) return;
  if (QAction* action = keypadAction(*event)) return action->trigger();
  QOpenGLWidget::keyPressEvent(event);
}

void ViewportWidget::keyReleaseEvent(QKeyEvent* event) {
  if (tool_) tool_->setModifiers(event->modifiers());
  if (!controller_.keyRelease(*event)) QOpenGLWidget::keyReleaseEvent(event);
}

void ViewportWidget::focusOutEvent(QFocusEvent* event) {
  controller_.letGo();
  cancelTool();
  if (tool_) tool_->setModifiers({});
  wipe_.cancel();
  picker_.cancel();
  QOpenGLWidget::focusOutEvent(event);
}

void ViewportWidget::leaveEvent(QEvent* event) {
  wipe_.leave();
  if (tool_ && !toolHasPress_) tool_->leave();
  QOpenGLWidget::leaveEvent(event);
}

// Keys go, in this order, to a tool that is dragging, to the camera while it flies or waits for a
// combination with Space, and then to shortcuts.
bool ViewportWidget::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && (wipe_.isDragged() || picker_.hasBox()) &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (toolHasPress_ || controller_.wantsKey(key) || keypadAction(key)) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::NativeGesture &&
      controller_.gesture(*static_cast<QNativeGestureEvent*>(event))) {
    return true;
  }
  return QOpenGLWidget::event(event);
}

QAction* ViewportWidget::keypadAction(const QKeyEvent& key) const {
  if (!(key.modifiers() & Qt::KeypadModifier)) return nullptr;
  const QKeySequence wanted(key.keyCombination());
  for (QAction* action : actions()) {
    if (action->isEnabled() && action->shortcuts().contains(wanted)) return action;
  }
  return nullptr;
}

// The key's own action does it, as in other panels.
void ViewportWidget::tapSpace() {
  for (QAction* action : actions()) {
    if (action->shortcuts().contains(QKeySequence(Qt::Key_Space))) action->trigger();
  }
}

void ViewportWidget::contextMenuEvent(QContextMenuEvent* event) {
  // A click of the mouse is told by its release: held, the button flies.
  if (event->reason() == QContextMenuEvent::Keyboard) {
    const std::vector<int>& selected = selection_.actors();
    emit contextMenuAsked(mapToGlobal(rect().center()), selected.empty() ? -1 : selected.front());
  }
  event->accept();
}

void ViewportWidget::askContextMenu(const QPoint& place) {
  const int actor = actorAt(place);
  if (actor >= 0 && !selection_.contains(actor)) selection_.set({actor});
  emit contextMenuAsked(mapToGlobal(place), actor);
}

int ViewportWidget::actorAt(const QPoint& place) {
  const auto hit = pick({place, QSize(1, 1)});
  return hit && !hit->empty() ? playback_.actorOf(hit->front()) : -1;
}

void ViewportWidget::wheelEvent(QWheelEvent* event) {
  controller_.wheel(*event);
  event->accept();
}

Result<std::vector<std::uint32_t>> ViewportWidget::pick(const QRect& box) {
  if (!renderer_ || !playback_.crowd()) return fail(ErrorCode::NoGraphics, "nothing is drawn yet");
  makeCurrent();
  auto hit = renderer_->pickBox(
      *playback_.crowd(), camera(), drawable().settings, pixels(width()), pixels(height()),
      {pixels(box.x()), pixels(box.y()), pixels(box.width()), pixels(box.height())});
  doneCurrent();
  return hit;
}

}  // namespace ck::ui
