#include "ui/viewport/spot_guide.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/project/characters.h"
#include "core/view/drawn_as.h"
#include "render/scene/camera.h"
#include "render/view/framing.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/actor_clock.h"
#include "ui/playback/playback.h"
#include "ui/playback/worst_moment.h"
#include "ui/theme/theme.h"
#include "ui/viewport/tool_label.h"
#include "ui/viewport/view_projection.h"
#include "ui/viewport/viewport_widget.h"

namespace ck::ui {
namespace {

constexpr double kRingPixels = 15.0;  // radius

const QColor kMark(0xff, 0x6b, 0xd6);  // no colour of the error view, nor of lines over actors

QString words(double mm, const QString& where, const AtlasClip& clip, double unit) {
  const QLocale locale;
  const double frame = unit * (momentCount(clip) - 1);
  return SpotGuide::tr("%1 mm: %2, %3 frame %4")
      .arg(locale.toString(mm, 'g', 3), where, nameText(clip.name), locale.toString(frame, 'f', 1));
}

}  // namespace

SpotGuide::SpotGuide(Document& document, const Session& session, Playback& playback,
                     Selection& selection, ViewportWidget* viewport, QObject* parent)
    : QObject(parent),
      document_(document),
      session_(session),
      playback_(playback),
      selection_(selection),
      viewport_(viewport) {
  const auto leave = [this] {
    if (!going_) clearMark();
  };
  connect(&selection, &Selection::changed, this, [this, leave] {
    if (!mark_ || selection_.actors() != std::vector{mark_->actor}) leave();
  });
  connect(&document, &Document::replaced, this, leave);
  connect(&session, &Session::rigsChanged, this, leave);
  connect(&playback, &Playback::playingChanged, this, [this](bool playing) {
    if (playing) clearMark();
  });
}

void SpotGuide::clearMark() {
  if (!mark_) return;
  mark_.reset();
  seen_.reset();
  if (viewport_) viewport_->update();
}

QString SpotGuide::whyNoWorst() const {
  const int shown = playback_.shownCharacter();
  if (!session_.atlas(shown)) return tr("Bake first");
  if (!session_.error(shown)) return tr("The error is not measured yet");
  return {};
}

void SpotGuide::goToWorst() {
  const int shown = playback_.shownCharacter();
  const BakeError* error = session_.error(shown);
  if (!error) return;
  const bool direct = drawnReading(document_.project().view) == Reading::Direct;
  goToWorst((direct ? error->direct : error->palette).vertices, shown);
}

void SpotGuide::goToWorst(const ErrorFigure& figure, int character) {
  const AtlasPtr atlas = session_.atlas(character);
  const CharacterPtr rig = session_.character(character);
  if (!atlas || !rig) return;
  const auto worst = worstMomentOf(figure, *atlas, *rig);
  if (!worst) return;
  const ErrorMoment& moment = worst->moment;
  Goal goal{
      character, worst->atlasClip, moment.unit, {moment.mesh, moment.vertex, moment.joint}, {}};
  goal.label = words(figure.max, nameText(figure.worstJoint),
                     atlas->clips[std::size_t(worst->atlasClip)], moment.unit);
  go(goal);
}

void SpotGuide::goToMoment(const ErrorMoment& moment, int character, int atlasClip) {
  const AtlasPtr atlas = session_.atlas(character);
  if (!atlas || atlasClip < 0 || std::size_t(atlasClip) >= atlas->clips.size()) return;
  Goal goal{character, atlasClip, moment.unit, {moment.mesh, moment.vertex, moment.joint}, {}};
  const bool named = moment.joint >= 0 && std::size_t(moment.joint) < atlas->joints.size();
  goal.label =
      words(moment.mm, named ? nameText(atlas->joints[std::size_t(moment.joint)].name) : QString(),
            atlas->clips[std::size_t(atlasClip)], moment.unit);
  go(goal);
}

std::optional<std::size_t> SpotGuide::playerOf(int character, int clip) const {
  const MixedCrowd* crowd = playback_.crowd();
  if (!crowd) return std::nullopt;
  const auto plays = [&](std::size_t visible) {
    const ActorPlace place = crowd->placeOf(visible);
    const Crowd& own = crowd->crowds()[place.character];
    return shareRig(document_.project(), int(place.character), character) &&
           own.clipOf(place.index) == clip && !own.fadeOf(place.index);
  };
  for (const std::uint32_t visible : playback_.visibleOf(selection_.actors())) {
    if (visible < crowd->size() && plays(visible)) return visible;
  }
  for (std::size_t visible = 0; visible < crowd->size(); ++visible) {
    if (plays(visible)) return visible;
  }
  return std::nullopt;
}

void SpotGuide::go(const Goal& goal) {
  const AtlasPtr atlas = session_.atlas(goal.character);
  const std::string& source = sourceNameOf(atlas->clips[std::size_t(goal.atlasClip)]);
  const std::vector<ProjectClip>& clips = clipsOf(document_.project(), goal.character);
  int clip = -1;
  for (int i = 0; i < int(clips.size()) && clip < 0; ++i) {
    if (session_.clip(goal.character, i).name == source) clip = i;
  }
  if (clip < 0) return;
  going_ = true;
  mark_.reset();
  playback_.setPlaying(false);
  playback_.setShownCharacter(goal.character);
  std::optional<std::size_t> visible = playerOf(goal.character, clip);
  if (!visible) {
    playback_.setSolo(clip);
    visible = playerOf(goal.character, clip);
  }
  if (visible) {
    const int actor = playback_.actorOf(*visible);
    const Project& project = document_.project();
    const double seconds =
        timeAtUnit(project, *playback_.crowd(), *visible, project.actors[std::size_t(actor)],
                   goal.unit, playback_.timeSeconds());
    selection_.set({actor});
    playback_.seek(seconds);
    mark_ = Mark{actor, goal.spot, goal.label};
    seen_.reset();
    if (viewport_) frameFreely(*visible);
  }
  // The window shows the own clip of an actor that is selected.
  playback_.setShownClip(clip);
  going_ = false;
  if (viewport_) viewport_->update();
  emit arrived();
}

// Frames the actor from the camera's present direction, or else from the first of the directions
// below in which no other actor's box hides the spot; if all hide it, from the one with the fewest.
void SpotGuide::frameFreely(std::size_t visible) {
  const std::optional<glm::dvec3> spot = worldOf(visible);
  const render::Camera now = viewport_->framedFrom(viewport_->destination(), visible);
  render::Camera best = now;
  int fewest = spot ? bodiesBefore(now, *spot, visible) : 0;
  for (const double pitch : {now.pitch, 0.35, 0.8, 1.2}) {
    for (const double turn : {0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 2.4, -2.4, 3.1}) {
      if (fewest == 0) return viewport_->goTo(best);
      render::Camera other = now;
      render::orbit(other, turn, pitch - now.pitch);
      other = viewport_->framedFrom(other, visible);
      const int before = bodiesBefore(other, *spot, visible);
      if (before >= fewest) continue;
      fewest = before;
      best = other;
    }
  }
  viewport_->goTo(best);
}

int SpotGuide::bodiesBefore(const render::Camera& camera, const glm::dvec3& spot,
                            std::size_t visible) const {
  return render::actorsBetween(render::eyeOf(camera), spot, *playback_.crowd(), session_.entries(),
                               std::uint32_t(visible));
}

std::optional<glm::dvec3> SpotGuide::worldOf(std::size_t visible) const {
  const MixedCrowd& crowd = *playback_.crowd();
  const ActorPlace place = crowd.placeOf(visible);
  const std::vector<render::CharacterEntry> cast = session_.entries();
  if (!mark_ || !viewport_->renderer() || place.character >= cast.size()) return std::nullopt;
  return render::placeOf(mark_->spot, cast[place.character], crowd.crowds()[place.character],
                         place.index, viewport_->drawable().settings.view.pose);
}

std::optional<QPointF> SpotGuide::markedPlace() const {
  const MixedCrowd* crowd = playback_.crowd();
  if (!mark_ || !viewport_ || !viewport_->renderer() || !crowd) return std::nullopt;
  const std::vector<std::uint32_t> visible = playback_.visibleOf({mark_->actor});
  if (visible.empty() || visible.front() >= crowd->size()) return std::nullopt;
  const ActorPlace place = crowd->placeOf(visible.front());
  const std::vector<render::CharacterEntry> cast = session_.entries();
  if (place.character >= cast.size()) return std::nullopt;
  const render::CharacterEntry& entry = cast[place.character];
  const Crowd& own = crowd->crowds()[place.character];
  const PoseSettings pose = viewport_->drawable().settings.view.pose;
  // The actor is not posed again for every picture of a crowd that stands still.
  Seen seen{entry.character, entry.atlas, own.stamp(), place.index, pose, {}};
  if (!seen_ || !seen_->isOf(seen)) {
    seen.world = render::placeOf(mark_->spot, entry, own, place.index, pose);
    seen_ = std::move(seen);
  }
  return seen_->world ? viewport_->projection().at(*seen_->world) : std::nullopt;
}

bool SpotGuide::Seen::isOf(const Seen& other) const {
  return character == other.character && atlas == other.atlas && stamp == other.stamp &&
         index == other.index && pose == other.pose;
}

void SpotGuide::paint(QPainter& painter) const {
  const std::optional<QPointF> at = markedPlace();
  if (!at) return;
  painter.setBrush(Qt::NoBrush);
  for (const bool dark : {true, false}) {
    painter.setPen(QPen(dark ? QColor(12, 13, 15, 190) : kMark, dark ? 5.0 : 2.5));
    painter.drawEllipse(*at, kRingPixels, kRingPixels);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(kMark);
  painter.drawEllipse(*at, 2.5, 2.5);
  paintLabel(painter, viewport_->size(), *at, mark_->label, viewport_->font(), colors::kText);
}

}  // namespace ck::ui
