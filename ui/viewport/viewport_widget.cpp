#include "ui/viewport/viewport_widget.h"

#include <spdlog/spdlog.h>

#include <QMouseEvent>
#include <QOpenGLContext>
#include <QPainter>
#include <QRubberBand>
#include <QWheelEvent>
#include <cmath>

#include "core/anim/pose.h"
#include "core/base/log.h"
#include "core/project/characters.h"
#include "render/skinning/method_offers.h"
#include "ui/document/document.h"
#include "ui/document/playback.h"
#include "ui/document/prop_session.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr double kOrbitRadiansPerPixel = 0.008;
constexpr double kDollyStepsPerPixel = 0.02;
// A press that moves less than this is a click.
constexpr int kClickPixels = 4;

// The corners of every actor that is there, however it is turned, roughly.
std::vector<glm::vec3> cornersOf(const MixedCrowd& crowd,
                                 const std::vector<CharacterPtr>& characters) {
  std::vector<glm::vec3> corners;
  for (std::size_t c = 0; c < std::min(crowd.crowds().size(), characters.size()); ++c) {
    if (!characters[c]) continue;
    const Bounds box = bindBounds(*characters[c]);
    const float half = float(std::max(box.high.x - box.low.x, box.high.z - box.low.z)) * 0.6f;
    const ActorRecords records = crowd.crowds()[c].instances();
    for (const gpu::CkPlace& actor : records.places()) {
      const glm::vec3 place = actor.position;
      const float scale = actor.scale.x;
      for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 own((corner & 1) != 0 ? half : -half,
                            float((corner & 2) != 0 ? box.high.y : box.low.y),
                            (corner & 4) != 0 ? half : -half);
        corners.push_back(place + own * scale);
      }
    }
  }
  return corners;
}

}  // namespace

ViewportWidget::ViewportWidget(Document& document, const Session& session, Playback& playback,
                               Selection& selection, QWidget* parent)
    : QOpenGLWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Viewport"));
  setMinimumSize(200, 150);
  connect(&session, &Session::characterChanged, this, &ViewportWidget::onCharacter);
  const auto restage = [this] {
    castStale_ = true;
    update();
  };
  connect(&session, &Session::changed, this, [this, restage] {
    frameAllPending_ = frameAllPending_ || framesNewcomers_;
    restage();
  });
  connect(&session.props(), &PropSession::changed, this, [this] {
    propsStale_ = true;
    update();
  });
  connect(&playback, &Playback::timeChanged, this, qOverload<>(&QWidget::update));
  const auto reselect = [this] {
    selectedVisible_ = playback_.visibleOf(selection_.actors());
    update();
  };
  connect(&playback, &Playback::crowdChanged, this, reselect);
  connect(&selection, &Selection::changed, this, reselect);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.view != now.view) ceiling_ = SIZE_MAX;
    update();
  });
  connect(&document, &Document::replaced, this, [this] { frameAllPending_ = true; });
  onCharacter();
}

ViewportWidget::~ViewportWidget() {
  // The base class destroys the context when this part of the object is gone.
  if (context()) disconnect(context(), nullptr, this, nullptr);
  makeCurrent();
  release();
  doneCurrent();
}

void ViewportWidget::onCharacter() {
  ceiling_ = SIZE_MAX;
  castStale_ = true;
  // The camera stays when the same rig is read again in the same size. Without a rig it starts
  // anew, so that undoing an import and doing another shows that.
  const CharacterPtr character = session_.character();
  const std::string source = character ? character->source.path : std::string();
  const double scale = character ? character->source.unitScale : 0.0;
  if (source != framedSource_ || scale != framedScale_) {
    framedSource_ = source;
    framedScale_ = scale;
    frameAllPending_ = character != nullptr;
  }
  update();
}

void ViewportWidget::initializeGL() {
  // Qt may hand out another context when the widget moves between windows.
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] {
    makeCurrent();
    release();
    doneCurrent();
  });
  auto made = render::CrowdRenderer::make();
  if (!made) {
    log().error("{}", made.error().message);
    emit ready(textOf(made.error().message));
    return;
  }
  renderer_ = std::move(*made);
  castStale_ = true;
  propsStale_ = true;
  const render::ContextFacts& facts = renderer_->facts();
  log().info("OpenGL {} on {}", facts.version, facts.renderer);
  emit ready({});
}

void ViewportWidget::release() {
  renderer_.reset();
}

void ViewportWidget::uploadProps() {
  if (!propsStale_) return;
  propsStale_ = false;
  const Result<void> placed = renderer_->setProps(session_.props().placed());
  if (placed) return;
  log().error("{}", placed.error().message);
  emit drawRefused(textOf(placed.error().message));
}

void ViewportWidget::upload() {
  if (!castStale_) return;
  castStale_ = false;
  std::vector<render::CastEntry> cast = session_.entries();
  const Result<void> uploaded = renderer_->setCast(cast);
  if (uploaded) return;
  log().error("{}", uploaded.error().message);
  emit drawRefused(textOf(uploaded.error().message));
  // What the driver cannot take is most likely an atlas.
  for (render::CastEntry& entry : cast) entry.atlas = nullptr;
  if (const auto bare = renderer_->setCast(cast); !bare) log().error("{}", bare.error().message);
}

ViewVariant ViewportWidget::variant() const {
  const bool fading = playback_.crowd() && playback_.crowd()->fadingActors() > 0;
  return viewVariant(document_.project(), session_.atlas().get(), fading);
}

// One atlas that cannot be drawn so would leave the whole picture empty.
void ViewportWidget::fallBackForCast(render::RenderSettings& settings) const {
  for (const render::CastEntry& entry : session_.entries()) {
    if (!entry.atlas) continue;
    if (!render::whyNotDrawn(settings.method, entry.atlas->encoding).empty()) {
      settings.method = Method::Palette;
    }
    const render::AtlasVariant asked{.sampling = settings.sampling};
    const bool ofAtlas = methodInfo(settings.method).reads == VertexReads::Atlas;
    if (ofAtlas && !render::whyNotSampled(*entry.atlas, asked).empty()) {
      settings.sampledAsBaked = true;
    }
  }
  if (!render::whyNotSampled(settings.method, settings.sampling).empty()) {
    settings.sampledAsBaked = true;
    settings.sampling = render::samplingFor(settings.sampling == render::Sampling::HardwareLinear);
  }
}

render::RenderSettings ViewportWidget::settings() const {
  const Project& project = document_.project();
  render::RenderSettings settings;
  settings.skinOn = project.view.skinOn;
  settings.updateEvery = project.view.updateEvery;
  const ViewVariant view = variant();
  settings.method = view.method;
  settings.sampling = view.variant.sampling;
  settings.influences = view.variant.influences;
  if (characterCount(project) > 1) {
    settings.sampledAsBaked = project.view.sampling == ViewSampling::AsBaked;
    settings.influences = project.view.influences;
    fallBackForCast(settings);
  }
  settings.grid = project.view.grid;
  settings.shadows = project.view.shadows;
  settings.tickRateHz = project.view.tickRateHz;
  settings.paletteRead = project.view.paletteRead;
  settings.packedInfluences = project.view.packedInfluences;
  settings.shown = shown_;
  settings.reference = reference();
  settings.morphs = morphs_;
  settings.morphs.nearMeters = project.view.facesWithinMeters;
  if (shown_ == render::Shown::Source || !session_.atlas()) {
    // Where live is the method, its masks hold for the source as well.
    if (!methodInfo(settings.method).posesClips) settings.method = Method::Cpu;
    settings.shown = render::Shown::Source;
  }
  return settings;
}

render::ReferencePtr ViewportWidget::reference() const {
  const std::vector<render::ReferencePtr>& all = render::comparedReferences();
  return shown_ == render::Shown::Compared && !all.empty() ? all.front() : nullptr;
}

double ViewportWidget::tickRateHz() const {
  return document_.project().view.tickRateHz;
}

double ViewportWidget::aspect() const {
  return double(width()) / std::max(1, height());
}

void ViewportWidget::paintGL() {
  if (!renderer_ || !session_.character()) {
    QPainter(this).fillRect(rect(), colors::kBase);
    return;
  }
  upload();
  uploadProps();
  if (frameAllPending_ && playback_.crowd() && playback_.crowd()->size() > 0) {
    frameAllPending_ = false;
    frameAll();
    framesNewcomers_ = isCastReading();
  }
  const double scale = devicePixelRatioF();
  const int wide = int(std::lround(width() * scale));
  const int high = int(std::lround(height() * scale));
  QElapsedTimer timer;
  timer.start();
  static const MixedCrowd kNobody{{}, std::vector<std::vector<CrowdClip>>(1)};
  const MixedCrowd& crowd = playback_.crowd() ? *playback_.crowd() : kNobody;
  const Result<void> drawn = renderer_->draw(crowd, camera_, settings(), defaultFramebufferObject(),
                                             wide, high, selectedVisible_);
  report(drawn);
  // The software renderer draws while it is asked; a driver only takes notes, and then this is
  // short.
  frameMs_ = double(timer.nsecsElapsed()) / 1e6;
  ++framesPainted_;
  emit framePainted();
  keepPace(!drawn);
}

// Fewer actors may well be drawn; only what is refused then is worth a message.
void ViewportWidget::report(const Result<void>& drawn) {
  const bool fewerMay = playback_.fixedStep() <= 0.0 && playback_.crowd() &&
                        playback_.crowd()->size() > FrameBudget::kFewest;
  if (!drawn && fewerMay) return;
  const QString refused = drawn ? QString() : textOf(drawn.error().message);
  if (refused == refused_) return;
  refused_ = refused;
  if (!refused.isEmpty()) emit drawRefused(refused);
}

void ViewportWidget::keepPace(bool refused) {
  if (playback_.fixedStep() > 0.0 || !playback_.crowd()) return;
  const std::size_t shown = playback_.crowd()->size();
  const std::size_t wanted = playback_.wantedActors();
  if (refused) ceiling_ = std::max(FrameBudget::kFewest, shown / 2);
  const std::size_t paced = playback_.isPlaying() ? budget_.next(frameMs_, shown, wanted)
                                                  : FrameBudget::resting(frameMs_, shown, wanted);
  const std::size_t limit = std::min(paced, ceiling_);
  if (limit == shown || limit == playback_.shownLimit()) return;
  // Rebuilding the crowd is not for the middle of a frame.
  QMetaObject::invokeMethod(
      &playback_, [this, limit] { playback_.setShownLimit(limit); }, Qt::QueuedConnection);
}

void ViewportWidget::setMorphs(const render::MorphView& morphs) {
  morphs_ = morphs;
  ceiling_ = SIZE_MAX;
  update();
}

void ViewportWidget::setShown(render::Shown shown) {
  shown_ = shown;
  ceiling_ = SIZE_MAX;
  playback_.restrain();
  update();
}

bool ViewportWidget::isCastReading() const {
  for (int c = 0; c < characterCount(document_.project()); ++c) {
    if (session_.state(c) == CharacterState::Reading) return true;
  }
  return false;
}

void ViewportWidget::frameAll() {
  if (!playback_.crowd() || !session_.character()) return;
  render::frameBox(camera_, render::crowdBounds(*playback_.crowd(), session_.characters()),
                   aspect());
  comeCloser();
  update();
}

// The box of a crowd is mostly empty corners: goes nearer while every actor stays in the picture.
void ViewportWidget::comeCloser() {
  const std::vector<glm::vec3> corners = cornersOf(*playback_.crowd(), session_.characters());
  constexpr double kStep = 0.25;
  constexpr int kMostSteps = 40;
  for (int step = 0; step < kMostSteps; ++step) {
    render::Camera nearer = camera_;
    render::dolly(nearer, kStep);
    const glm::mat4 toClip =
        render::projectionMatrix(nearer, aspect()) * render::viewMatrix(nearer);
    for (const glm::vec3& corner : corners) {
      const glm::vec4 clip = toClip * glm::vec4(corner, 1.0f);
      const float edge = clip.w * 0.93f;
      if (clip.w <= 0.0f || std::abs(clip.x) > edge || std::abs(clip.y) > edge) return;
    }
    camera_ = nearer;
  }
}

void ViewportWidget::frameSelected() {
  if (selectedVisible_.empty() || !session_.character()) {
    frameAll();
    return;
  }
  const MixedCrowd& crowd = *playback_.crowd();
  Bounds box{glm::dvec3(1e30), glm::dvec3(-1e30)};
  for (const std::uint32_t visible : selectedVisible_) {
    const ActorPlace where = crowd.placeOf(visible);
    const CharacterPtr character = session_.character(int(where.character));
    if (!character) continue;
    const Bounds one = bindBounds(*character);
    const gpu::CkActor record = crowd.crowds()[where.character].instances()[where.index];
    const glm::dvec3 place(record.positionAlphaA);
    const double scale = record.scaleAlphaB.x;
    // Turned any way, the actor stays within its widest half-extent.
    const double wide = std::max(
        {std::abs(one.low.x), std::abs(one.high.x), std::abs(one.low.z), std::abs(one.high.z)});
    box.low = glm::min(box.low, place + glm::dvec3(-wide, one.low.y, -wide) * scale);
    box.high = glm::max(box.high, place + glm::dvec3(wide, one.high.y, wide) * scale);
  }
  framesNewcomers_ = false;
  if (box.low.x <= box.high.x) render::frameBox(camera_, box, aspect());
  update();
}

void ViewportWidget::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->pos();
  const bool alt = event->modifiers() & Qt::AltModifier;
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  const bool control = event->modifiers() & Qt::ControlModifier;
  drag_ = Drag::None;
  if (event->button() == Qt::MiddleButton) {
    drag_ = shift || alt ? Drag::Pan : control ? Drag::Dolly : Drag::Orbit;
  } else if (event->button() == Qt::LeftButton) {
    drag_ = alt ? Drag::Orbit : Drag::Select;
  } else if (event->button() == Qt::RightButton && alt) {
    drag_ = Drag::Dolly;
  }
}

void ViewportWidget::mouseMoveEvent(QMouseEvent* event) {
  const QPoint moved = event->pos() - last_;
  last_ = event->pos();
  switch (drag_) {
    case Drag::Orbit:
      render::orbit(camera_, -moved.x() * kOrbitRadiansPerPixel, moved.y() * kOrbitRadiansPerPixel);
      break;
    case Drag::Pan:
      render::pan(camera_, moved.x(), moved.y(), height());
      break;
    case Drag::Dolly:
      render::dolly(camera_, -moved.y() * kDollyStepsPerPixel);
      break;
    case Drag::Select:
      if (!band_ && (event->pos() - pressed_).manhattanLength() > kClickPixels) {
        band_ = new QRubberBand(QRubberBand::Rectangle, this);
        band_->show();
      }
      if (band_) band_->setGeometry(QRect(pressed_, event->pos()).normalized());
      return;
    case Drag::None:
      return;
  }
  framesNewcomers_ = false;
  update();
}

void ViewportWidget::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = std::exchange(drag_, Drag::None);
  if (drag != Drag::Select || event->button() != Qt::LeftButton) return;
  if (!band_) {
    clickAt(event->pos(), event->modifiers());
    return;
  }
  const QRect box = band_->geometry();
  delete std::exchange(band_, nullptr);
  selectBox(box, event->modifiers());
}

void ViewportWidget::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) frameSelected();
}

void ViewportWidget::wheelEvent(QWheelEvent* event) {
  render::dolly(camera_, event->angleDelta().y() / 120.0);
  framesNewcomers_ = false;
  update();
  event->accept();
}

void ViewportWidget::clickAt(const QPoint& place, Qt::KeyboardModifiers modifiers) {
  if (!renderer_ || !playback_.crowd()) return;
  const double scale = devicePixelRatioF();
  makeCurrent();
  const Result<int> hit = renderer_->pick(
      *playback_.crowd(), camera_, settings(), int(std::lround(width() * scale)),
      int(std::lround(height() * scale)), int(place.x() * scale), int(place.y() * scale));
  doneCurrent();
  if (!hit) return;
  const bool add = modifiers & Qt::ShiftModifier;
  const bool toggle = modifiers & Qt::ControlModifier;
  if (*hit < 0) {
    if (!add && !toggle) selection_.clear();
    return;
  }
  const int actor = playback_.actorOf(std::size_t(*hit));
  if (toggle) {
    selection_.toggle(actor);
  } else if (add) {
    selection_.add({actor});
  } else {
    selection_.set({actor});
  }
}

void ViewportWidget::selectBox(const QRect& box, Qt::KeyboardModifiers modifiers) {
  if (!renderer_ || !playback_.crowd()) return;
  const double scale = devicePixelRatioF();
  const auto pixels = [scale](int length) { return int(std::lround(length * scale)); };
  makeCurrent();
  const auto hit = renderer_->pickBox(
      *playback_.crowd(), camera_, settings(), pixels(width()), pixels(height()),
      {pixels(box.x()), pixels(box.y()), pixels(box.width()), pixels(box.height())});
  doneCurrent();
  if (!hit) return;
  std::vector<int> inside;
  for (const std::uint32_t visible : *hit) inside.push_back(playback_.actorOf(visible));
  if (modifiers & Qt::ShiftModifier) {
    selection_.add(inside);
  } else if (modifiers & Qt::ControlModifier) {
    selection_.remove(std::move(inside));
  } else {
    selection_.set(std::move(inside));
  }
}

}  // namespace ck::ui
