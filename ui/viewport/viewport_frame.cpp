#include "ui/viewport/viewport_frame.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/import/rig_format.h"
#include "render/skinning/method_offers.h"
#include "render/view/blend_errors.h"
#include "ui/bake/bake_panel.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/playback/playback.h"
#include "ui/start/drop_overlay.h"
#include "ui/start/first_steps.h"
#include "ui/start/start_page.h"
#include "ui/viewport/error_legend.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/view_cube.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/viewport/what_draws.h"

namespace ck::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kWithDetails = 280;  // height of a view with all figures
// Figures that change more often cannot be read.
constexpr qint64 kFiguresEveryMs = 250;

}  // namespace

QString samplingTitle(Sampling sampling) {
  static const char* const kTitles[] = {"As baked", "Interpolated", "Linear by hardware",
                                        "Nearest frame", "Nearest frame, compact"};
  return ViewportFrame::tr(kTitles[int(sampling)]);
}

ViewportFrame::ViewportFrame(Document& document, Session& session, Playback& playback,
                             Selection& selection, const QString& whyNoGl, QWidget* parent)
    : QWidget(parent),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      notifications_(new NotificationBar(this)),
      figures_(richLabel({}, this)),
      badge_(plainLabel({}, this)),
      empty_(richLabel({}, this)),
      start_(new StartPage(this)),
      steps_(new FirstSteps(document, session, this)),
      drop_(new DropOverlay(this)),
      left_(richLabel({}, this)),
      right_(richLabel({}, this)),
      legend_(new ErrorLegend(document, this)),
      scale_{plainLabel({}, this), plainLabel({}, this), plainLabel({}, this)} {
  empty_->setObjectName(QStringLiteral("empty"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  figures_->setObjectName(QStringLiteral("hud"));
  badge_->setObjectName(QStringLiteral("badge"));
  badge_->setText(tr("Software renderer: times are not those of a graphics card"));
  for (QLabel* label : {left_, right_, scale_[0], scale_[1], scale_[2]}) {
    label->setObjectName(QStringLiteral("hud"));
  }
  for (QLabel* label : {figures_, badge_, left_, right_, scale_[0], scale_[1], scale_[2]}) {
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    label->hide();
  }
  notifications_->installEventFilter(this);
  if (!whyNoGl.isEmpty()) {
    empty_->setText(tr("<h3>No preview</h3><p>%1</p><p>Importing, baking and exporting work. For "
                       "a preview install a driver with OpenGL 3.3, or Mesa's software renderer "
                       "(package libgl1-mesa-dri).</p>")
                        .arg(whyNoGl.toHtmlEscaped()));
    start_->hide();
    return;
  }
  viewport_ = new ViewportWidget(document, session, playback, selection, this);
  viewport_->lower();
  cube_ = new ViewCube(*viewport_, this);
  connect(viewport_, &ViewportWidget::framePainted, this, &ViewportFrame::showFigures);
  laterFigures_.setSingleShot(true);
  laterFigures_.setTimerType(Qt::PreciseTimer);
  connect(&laterFigures_, &QTimer::timeout, this, &ViewportFrame::showFigures);
  connect(viewport_, &ViewportWidget::drawRefused, this, [this](const QString& reason) {
    notifications_->push({Notice::Level::Error, reason, {}});
  });
  connect(viewport_, &ViewportWidget::ready, this, [this](const QString& reason) {
    if (!reason.isEmpty()) {
      // Whatever is open, it cannot be drawn.
      notifications_->push({Notice::Level::Error, reason, {}, [] { return true; }});
      return;
    }
    const render::ContextFacts& facts = viewport_->renderer()->facts();
    badge_->setVisible(facts.software);
    badge_->adjustSize();
    placeOverlays();
    emit rendererNamed(textOf("OpenGL " + facts.version.substr(0, 3) + ", " + facts.renderer));
  });
  empty_->setAttribute(Qt::WA_TransparentForMouseEvents);
  connect(&session, &Session::changed, this, &ViewportFrame::showWithoutRig);
  connect(&session, &Session::rigsChanged, this, &ViewportFrame::showWithoutRig);
  connect(&document, &Document::changed, this, &ViewportFrame::showWithoutRig);
  connect(steps_, &FirstSteps::resized, this, &ViewportFrame::placeOverlays);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.view.wipe != now.view.wipe) placeOverlays();
  });
  showWithoutRig();
}

void ViewportFrame::setReading(const QString& words) {
  reading_ = words;
  if (viewport_) showWithoutRig();
}

void ViewportFrame::showWithoutRig() {
  const LoadedPtr first = session_.loaded(0);
  const bool isMissing = first && first->state == CharacterState::Refused && !first->source;
  const bool hasWords = !session_.hasRig() && (isMissing || !reading_.isEmpty());
  if (!reading_.isEmpty()) {
    empty_->setText(QStringLiteral("<h3>%1...</h3>").arg(reading_.toHtmlEscaped()));
  } else if (isMissing) {
    empty_->setText(tr("<h3>%1 cannot be shown</h3><p>%2</p><p>The actors and all settings are "
                       "kept.</p>")
                        .arg(fileNameOf(first->inputs.sources.front().path).toHtmlEscaped(),
                             first->problem.toHtmlEscaped()));
  }
  empty_->setVisible(hasWords);
  start_->setVisible(!session_.hasRig() && !hasWords);
  if (!session_.hasRig()) figures_->hide();
  placeOverlays();
}

void ViewportFrame::setFiguresVisible(bool shown) {
  figuresVisible_ = shown;
  figures_->setVisible(shown && viewport_ && viewport_->renderer());
}

void ViewportFrame::showFigures() {
  if (!viewport_->renderer()) return;
  // A view that stands still paints no further frame: its last one is told late, not never.
  const qint64 since = sinceFigures_.isValid() ? sinceFigures_.elapsed() : kFiguresEveryMs;
  if (since < kFiguresEveryMs) {
    if (!laterFigures_.isActive()) laterFigures_.start(int(kFiguresEveryMs - since));
    return;
  }
  laterFigures_.stop();
  sinceFigures_.start();
  showSides();
  showScale();
  if (!figuresVisible_) return;
  const render::FrameStats& stats = viewport_->renderer()->stats();
  const QLocale locale;
  const std::size_t wanted = playback_.wantedActors();
  const QString actors =
      stats.actors < wanted
          ? tr("<b>%1 of %2</b> actors shown to keep up")
                .arg(locale.toString(qulonglong(stats.actors)), locale.toString(qulonglong(wanted)))
          : tr("<b>%1</b> actors").arg(locale.toString(qulonglong(stats.actors)));
  QString text = tr("%1 &nbsp; %2")
                     .arg(actors, counted(qlonglong(stats.drawCalls) * stats.crowdPasses(),
                                          tr("draw"), tr("draws")));
  if (stats.shadowMaps > 0) {
    text += tr(" &nbsp; %1").arg(counted(stats.shadowMaps, tr("shadow map"), tr("shadow maps")));
  }
  // In a low view they would cover what they are about.
  if (height() >= kWithDetails) text += drawingText();
  text += detailText();
  text += tr("<br>%1 ms a frame").arg(locale.toString(viewport_->frameMs(), 'f', 1));
  if (const double hertz = document_.project().view.tickRateHz; hertz > 0.0) {
    text += tr(", posed at most %1 times a second").arg(locale.toString(hertz, 'g', 4));
  }
  if (viewport_->viewMode() == ViewMode::Motion && shownAtlas()) {
    text += tr("<br>hue: direction on the screen &nbsp; brightest: %1 m/s or more")
                .arg(locale.toString(render::RenderSettings().motionScaleMetersPerSecond, 'f', 0));
  }
  if (stats.linedActors < stats.linedActorsWanted) {
    text += tr("<br>lines over the %1 nearest of %2 actors: select the ones you want")
                .arg(locale.toString(qulonglong(stats.linedActors)),
                     locale.toString(qulonglong(stats.linedActorsWanted)));
  }
  if (viewport_->viewMode() == ViewMode::Error) {
    text += tr("<br>colours: distance from the source") + worstVertexText();
  }
  setLabel(*figures_, text);
  figures_->setVisible(stats.actors > 0);
}

// How much of far actors is drawn, and why it is no more.
QString ViewportFrame::detailText() const {
  const std::optional<render::DetailStats>& detail = viewport_->renderer()->stats().detail;
  if (!detail) return {};
  const QLocale locale;
  const auto number = [&locale](std::size_t count) { return locale.toString(qulonglong(count)); };
  std::size_t meshed = 0;
  for (const render::DetailStats::Mesh& mesh : detail->meshes) meshed += mesh.actors;
  QString text = tr("<br>%1 in view: %2 as meshes, %3 as pictures, %4 as points")
                     .arg(number(detail->inView), number(meshed), number(detail->pictures),
                          number(detail->points));
  const double asked = document_.project().view.detail.pixels;
  const QString off = about(detail->pixels, tr("pixel"), tr("pixels"));
  text += detail->pixels > asked ? tr("<br>off by up to %1 to keep up").arg(off)
                                 : tr("<br>off by up to %1").arg(off);
  if (detail->isPending) text += tr(" &nbsp; simpler meshes are being made");
  return text;
}

// How the crowd is drawn.
QString ViewportFrame::drawingText() const {
  const render::FrameStats& stats = viewport_->renderer()->stats();
  QString text;
  text += stats.fetchesPerVertex > 0
              ? tr("<br>%1 per vertex &nbsp; atlas %2")
                    .arg(counted(stats.fetchesPerVertex, tr("fetch"), tr("fetches")))
                    .arg(sizeText(stats.atlasBytes))
              : tr("<br>%1").arg(cpuWords(stats));
  if (stats.fetchesPerVertex > 0) {
    const render::DrawableView view = viewport_->drawable();
    const PoseSettings pose = render::settledFor(view.settings.view.pose, shownAtlas().get());
    text += tr("<br>%1, %2")
                .arg(samplingTitle(pose.sampling).toLower(),
                     counted(pose.influences, tr("influence"), tr("influences")));
    if (!view.methodRefusal.empty()) text += tr("<br>by Palette: see the list of methods");
    if (!view.samplingRefusal.empty()) text += tr(" &nbsp; (not as asked: see View)");
  }
  if (stats.fetchesPerVertex > 0 && stats.skinnedOnCpu) {
    text += tr("<br>vertices skinned on the processor");
    if (const int inShader = shaderFetches(); inShader != stats.fetchesPerVertex) {
      text += tr(", %1 in a shader").arg(counted(inShader, tr("fetch"), tr("fetches")));
    }
  }
  return text;
}

void ViewportFrame::setLabel(QLabel& label, const QString& text) {
  if (text == label.text()) return;
  label.setText(text);
  label.adjustSize();
  placeOverlays();
}

void ViewportFrame::showScale() {
  const std::optional<render::ErrorViewStats>& shown = viewport_->renderer()->stats().errorView;
  const double most = shown ? shown->scaleMm : 0.0;
  const QLocale locale;
  const bool beyond = shown && shown->maxMm > most;
  const QString top = tr("%1 mm").arg(locale.toString(most));
  const QString figures[] = {beyond ? tr("%1 or more").arg(top) : top,
                             tr("%1 mm").arg(locale.toString(most * 0.5)), tr("0 mm")};
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    scale_[i]->setVisible(shown.has_value());
    if (shown) setLabel(*scale_[i], figures[i]);
  }
  legend_->setVisible(shown.has_value());
  if (shown) legend_->setShownScale(most);
}

AtlasPtr ViewportFrame::shownAtlas() const {
  return session_.atlas(playback_.shownCharacter());
}

// The texels that a vertex would fetch if the graphics card skinned it as the view does.
int ViewportFrame::shaderFetches() const {
  const AtlasPtr atlas = shownAtlas();
  if (!atlas) return 0;
  const PoseSettings pose =
      render::settledFor(viewport_->drawable().settings.view.pose, atlas.get());
  return render::fetchesPerVertex(
      pose.method, *atlas,
      {.sampling = pose.sampling, .influences = pose.influences, .blend = playback_.isFading()});
}

QString ViewportFrame::worstVertexText() const {
  const std::optional<render::ErrorViewStats>& shown = viewport_->renderer()->stats().errorView;
  const CharacterPtr character = shown ? session_.character(int(shown->character)) : nullptr;
  const MixedCrowd* crowd = playback_.crowd();
  if (!character || !crowd || shown->character >= crowd->crowds().size()) return {};
  const ActorPlace place{std::uint32_t(shown->character), std::uint32_t(shown->actor)};
  if (place.index >= crowd->crowds()[place.character].size()) return {};
  std::size_t vertex = shown->vertex;
  QString mesh;
  for (const Mesh& one : character->meshes) {
    mesh = nameText(one.name);
    if (vertex < one.positions.size()) break;
    vertex -= one.positions.size();
  }
  const QLocale locale;
  // As all other figures of errors, without the size of the actor, in which it is drawn.
  const double scale = crowd->crowds()[place.character].instances().places()[place.index].scale.x;
  const double mm = shown->maxMm / std::max(scale, 1e-9);
  const QString sized = std::abs(scale - 1.0) < 0.005
                            ? QString()
                            : tr(" (%1 in its size)").arg(locale.toString(shown->maxMm, 'g', 3));
  return tr("<br>at most <b>%1 mm</b>%5 from the source: actor %2, %3, vertex %4")
      .arg(locale.toString(mm, 'g', 3),
           locale.toString(playback_.actorOf(crowd->visibleOf(place)) + 1), mesh.toHtmlEscaped(),
           locale.toString(qulonglong(vertex)), sized);
}

void ViewportFrame::showSides() {
  const ViewMode mode = viewport_->viewMode();
  const render::ReferencePtr reference = viewport_->reference();
  const bool blends = mode == ViewMode::Blends;
  left_->setVisible(viewport_->isDivided());
  right_->setVisible(left_->isVisible());
  const Project& project = document_.project();
  const Method method = viewport_->drawable().settings.view.pose.method;
  QString left =
      (reference ? textOf(reference->beside) : sourceWords(project, session_)).toHtmlEscaped();
  QString right = (reference ? textOf(reference->title) : bakedWords(project, session_, method))
                      .toHtmlEscaped();
  if (blends) {
    left = tr("Relative to the parent, as Palette and Live");
    right = tr("In the world, as Atlas and Matrix");
    addBlendErrors(left, right);
  }
  setLabel(*left_, left);
  setLabel(*right_, right);
  placeSide(*left_, 0, render::dividerOf(project.view.wipe, width()), true);
  placeSide(*right_, render::dividerOf(project.view.wipe, width()), width(), false);
}

std::optional<ActorPlace> ViewportFrame::shownFade() const {
  const MixedCrowd& all = *playback_.crowd();
  const auto fades = [&](ActorPlace place) {
    const std::uint32_t wanted[] = {place.index};
    return render::fadingActor(all.crowds()[place.character], wanted) == place.index;
  };
  for (const std::uint32_t visible : viewport_->selectedVisible()) {
    if (visible < all.size() && fades(all.placeOf(visible))) return all.placeOf(visible);
  }
  const auto shown = std::uint32_t(playback_.shownCharacter());
  std::optional<ActorPlace> found;
  for (std::uint32_t c = 0; c < all.crowds().size(); ++c) {
    if (found && c != shown) continue;
    const auto actor = render::fadingActor(all.crowds()[c], {});
    if (actor) found = ActorPlace{c, std::uint32_t(*actor)};
  }
  return found;
}

// The nearest timed fade of the selected actors, or else of all actors.
QString ViewportFrame::nextFade() const {
  const ActorList& actors = document_.project().actors;
  const double now = playback_.timeSeconds();
  std::optional<std::size_t> nearest;
  const auto away = [&](std::size_t i) {
    return std::abs(double(actors[i].fadeAtSeconds) + 0.5 * double(actors[i].fadeSeconds) - now);
  };
  const auto ask = [&](std::size_t i) {
    if (i >= actors.size() || actors[i].fadeClip < 0 || actors[i].fadeSeconds <= 0.0f) return;
    if (!actors[i].commands.empty()) return;  // it fades by its own clock, perhaps never
    if (!nearest || away(i) < away(*nearest)) nearest = i;
  };
  for (const int actor : selection_.actors()) ask(std::size_t(actor));
  const bool chosen = nearest.has_value();
  for (std::size_t i = 0; !chosen && i < actors.size(); ++i) ask(i);
  if (!nearest) return tr("select actors, then Edit > Fade");
  const Actor& actor = actors[*nearest];
  const QLocale locale;
  return tr("actor %1 does from %2 to %3 s")
      .arg(locale.toString(qulonglong(*nearest) + 1),
           locale.toString(double(actor.fadeAtSeconds), 'f', 2),
           locale.toString(double(actor.fadeAtSeconds + actor.fadeSeconds), 'f', 2));
}

void ViewportFrame::addBlendErrors(QString& left, QString& right) const {
  if (!playback_.crowd()) return;
  const auto place = shownFade();
  if (!place) {
    for (QString* text : {&left, &right}) *text += tr("<br>nobody fades now: ") + nextFade();
    return;
  }
  const int character = int(place->character);
  const CharacterPtr rig = session_.character(character);
  const AtlasPtr atlas = session_.atlas(character);
  if (!rig || !atlas) return;
  const MixedCrowd* all = playback_.crowd();
  const render::BlendErrors errors =
      render::blendErrors(*rig, *atlas, all->crowds()[place->character], place->index);
  const QLocale locale;
  const int number = playback_.actorOf(all->visibleOf(*place)) + 1;
  const auto add = [&](QString& text, const render::BlendFigures& figures) {
    text += tr("<br>actor %1: %2 mm off at worst, %3 mm on average")
                .arg(locale.toString(number), locale.toString(figures.worstMm, 'f', 2),
                     locale.toString(figures.meanMm, 'f', 2));
  };
  add(left, errors.relative);
  add(right, errors.world);
}

// Puts the label of a half above the badge, beside the line, on lines as short as the half needs.
void ViewportFrame::placeSide(QLabel& label, int from, int to, bool atEnd) {
  constexpr int kNarrowest = 90;
  const int room = to - from - 2 * kMargin;
  label.setWordWrap(false);
  label.setMinimumWidth(0);
  const bool wraps = label.sizeHint().width() > room;
  label.setWordWrap(wraps);
  const int wide = wraps ? std::max(room, 1) : label.sizeHint().width();
  label.resize(wide, wraps ? label.heightForWidth(wide) : label.sizeHint().height());
  label.move(atEnd ? to - wide - kMargin : from + kMargin, badge_->y() - label.height() - kMargin);
  label.setVisible(room >= kNarrowest && viewport_ && viewport_->isDivided());
}

// The source of the poses that the CPU skins, where no vertex shader does.
QString ViewportFrame::cpuWords(const render::FrameStats& stats) const {
  const bool source = viewport_->viewMode() == ViewMode::Source || stats.atlasBytes == 0;
  return source ? sourceWords(document_.project(), session_).toHtmlEscaped()
                : tr("skinned on the CPU from the atlas");
}

void ViewportFrame::placeOverlays() {
  if (viewport_) viewport_->setGeometry(rect());
  empty_->setGeometry(rect().adjusted(40, 40, -40, -40));
  drop_->setGeometry(rect());
  const QSize steps = steps_->sizeHint().boundedTo(size() - QSize(2 * kMargin, 2 * kMargin));
  const int above = badge_->isHidden() ? kMargin : badge_->height() + 2 * kMargin;
  // A low view shows the crowd; the card waits below its edge for a larger one.
  const bool fits = 3 * steps_->sizeHint().height() <= 2 * (height() - above);
  steps_->setGeometry({{kMargin, fits ? height() - above - steps.height() : height()}, steps});
  figures_->move(kMargin, kMargin);
  badge_->move(kMargin, height() - badge_->height() - kMargin);
  const int divider = render::dividerOf(document_.project().view.wipe, width());
  placeSide(*left_, 0, divider, true);
  placeSide(*right_, divider, width(), false);
  // The legend is at the right edge, in the middle two fifths of the height.
  constexpr int kBarPixels = 40;
  for (int i = 0; i < int(scale_.size()); ++i) {
    const int middle = height() * (30 + 20 * i) / 100;
    scale_[std::size_t(i)]->move(width() - kBarPixels - scale_[std::size_t(i)]->width(),
                                 middle - scale_[std::size_t(i)]->height() / 2);
  }
  legend_->setGeometry(scale_[0]->x(), height() * 27 / 100, width() - scale_[0]->x(),
                       height() * 46 / 100);
  legend_->raise();
  // Small views have no room for a cube beside what they show.
  const bool hasCube = cube_ && session_.hasRig() && width() >= 420 && height() >= 150;
  if (cube_) cube_->setVisible(hasCube);
  if (cube_) cube_->move(width() - cube_->width() - kMargin, kMargin);
  const int free = hasCube ? cube_->x() : width();
  // Beside the figures if there is room, else below them.
  const QSize figures = figures_->isHidden() ? QSize(0, 0) : figures_->size();
  const bool narrow = free - figures.width() < 420;
  const int left = narrow || figures.isEmpty() ? kMargin : figures.width() + 2 * kMargin;
  const int wide = std::min(760, free - left - kMargin);
  notifications_->setRoom(wide);
  const int high = notifications_->heightForWidth(wide);
  const int top = narrow && !figures.isEmpty() ? figures.height() + 2 * kMargin : kMargin;
  notifications_->setGeometry(left, top, wide, high);
  // The page without a rig stands below the message.
  const int below = notifications_->isHidden() ? 0 : top + high;
  start_->setGeometry(rect().adjusted(0, below, 0, 0));
  notifications_->raise();
  drop_->raise();
}

void ViewportFrame::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeOverlays();
}

bool ViewportFrame::eventFilter(QObject* watched, QEvent* event) {
  if (watched == notifications_ &&
      (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show ||
       event->type() == QEvent::Hide)) {
    placeOverlays();
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace ck::ui
