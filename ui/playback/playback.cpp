#include "ui/playback/playback.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/session.h"
#include "ui/document/text.h"
#include "ui/playback/actor_clock.h"
#include "ui/playback/frame_budget.h"

namespace ck::ui {
namespace {

constexpr int kTickMilliseconds = 16;
// After a long stall (a slow frame, a dialog of the system) the crowd goes on where it was instead
// of jumping.
constexpr double kLongestTickSeconds = 1.0;

QString commandText(PlayAction action) {
  switch (action) {
    case PlayAction::Play:
      return Playback::tr("Playing of %1");
    case PlayAction::Pause:
      return Playback::tr("Pause of %1");
    case PlayAction::Reverse:
      return Playback::tr("Reversal of %1");
    case PlayAction::Restart:
      return Playback::tr("Restart of %1");
    case PlayAction::Retrace:
      return Playback::tr("Retracing of %1");
  }
  return {};
}

}  // namespace

PlayClock::PlayClock(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(kTickMilliseconds);
  connect(&timer_, &QTimer::timeout, this, [this] {
    emit ticked(std::min(double(sinceTick_.restart()) / 1000.0, kLongestTickSeconds));
  });
}

void PlayClock::setPlaying(bool playing) {
  if (playing == isPlaying()) return;
  if (playing) {
    sinceTick_.start();
    timer_.start();
  } else {
    timer_.stop();
  }
  emit playingChanged(playing);
}

Playback::Playback(Document& document, const Session& session, QObject* parent)
    : QObject(parent),
      document_(document),
      session_(session),
      clips_(document.project()),
      rigs_(session.characters()) {
  connect(&clock_, &PlayClock::ticked, this, &Playback::tick);
  connect(&clock_, &PlayClock::playingChanged, this, &Playback::playingChanged);
  connect(&session, &Session::rigsChanged, this, &Playback::followRigs);
  connect(&session, &Session::changed, this, &Playback::rebuild);
  connect(&session, &Session::costChanged, this, &Playback::shownClipChanged);
  connect(&document, &Document::replaced, this, [this] { setShownCharacter(0); });
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    const bool dearer =
        before.view.pose.method != now.view.pose.method ||
        (before.view.shadows != now.view.shadows && now.view.shadows == Shadows::Cascades);
    if (dearer) restrain();
    keepShown();
    constexpr auto kClips = &ProjectCharacter::clips;
    if (!std::ranges::equal(before.characters, now.characters, {}, kClips, kClips) ||
        !(crowdInputs(before) == crowdInputs(now)))
      rebuild();
  });
}

void Playback::setDetailed(bool detailed) {
  if (std::exchange(detailed_, detailed) == detailed) return;
  crowd_.setAllAtOnce(detailed_ || fixedStep() > 0.0);
  if (detailed_) {
    setVisibleLimit(SIZE_MAX);
  } else {
    restrain();
  }
}

void Playback::restrain() {
  if (detailed_ || fixedStep() > 0.0 || !crowd() || crowd()->size() <= FrameBudget::kFirst) return;
  setVisibleLimit(FrameBudget::kFirst);
}

void Playback::setFixedStep(double seconds) {
  clock_.setFixedStep(seconds);
  crowd_.setAllAtOnce(detailed_ || seconds > 0.0);
  if (seconds > 0.0) setVisibleLimit(SIZE_MAX);
}

void Playback::rebuild() {
  keepShown();
  if (!session_.hasRig()) {
    crowd_.clear();
  } else {
    crowd_.build(document_.project(), session_.clips(), clips_.solo(), timeSeconds_);
  }
  emit crowdChanged();
  emit shownClipChanged();
}

// A clip of a rig that was replaced cannot play alone. A crowd of other rigs than before is new.
void Playback::followRigs() {
  const std::vector<CharacterPtr> before = std::exchange(rigs_, session_.characters());
  keepShown();
  const auto isKept = [this](const CharacterPtr& rig) {
    return rig && std::ranges::find(rigs_, rig) != rigs_.end();
  };
  if (solo() >= 0 && !isKept(soloRig_)) setSolo(-1);
  if (std::ranges::none_of(before, isKept)) crowd_.clear();
  rebuild();
}

// Characters and clips that are gone cannot stay shown, nor play alone.
void Playback::keepShown() {
  const bool moved = clips_.follow(document_.project());
  if (clips_.isSoloGone(document_.project())) setSolo(-1);
  if (!moved) return;
  emit shownCharacterChanged();
  emit shownClipChanged();
}

void Playback::setPreferred(const std::vector<int>& actors) {
  if (crowd_.setPreferred(actors)) rebuild();
}

void Playback::tick(double realSeconds) {
  // The clock stays on for the rig to come; until then nothing moves and nothing is drawn anew.
  if (!crowd()) return;
  const Project& project = document_.project();
  const double seconds = fixedStep() > 0.0 ? fixedStep() : realSeconds * project.playbackSpeed;
  if (!looping_) {
    if (const auto left = secondsToEnd(); left && seconds >= *left) {
      seek(timeSeconds_ + *left);
      setPlaying(false);
      return;
    }
  }
  timeSeconds_ += seconds;
  std::vector<FiredEvent> events = crowd_.advance(seconds, project.actors);
  // The time line shows the clips of one rig.
  std::erase_if(events, [&](const FiredEvent& event) {
    return !shareRig(project, int(crowd()->placeOf(event.actor).character), shownCharacter());
  });
  if (!events.empty()) emit eventsFired(events);
  emit timeChanged();
}

// The last moment before the end, as the end of a loop is its start.
std::optional<double> Playback::secondsToEnd() const {
  const auto clip = shownClip();
  if (!clip || clip->durationSeconds <= 0.0) return std::nullopt;
  if (const auto visible = followed(); visible && clip->loop == LoopMode::Loop) {
    const ActorPlace place = crowd()->placeOf(*visible);
    const Crowd& own = crowd()->crowds()[place.character];
    const double rate = own.rateOf(place.index) * own.paceOf(place.index);
    constexpr double kBefore = 1e-6;  // of the clip; phases of actors are no finer
    if (rate <= 0.0) return std::nullopt;
    return std::max(0.0, 1.0 - kBefore - own.unitOf(place.index)) * clip->durationSeconds / rate;
  }
  const double end =
      (std::floor(timeSeconds_ / clip->durationSeconds + 1e-9) + 1.0) * clip->durationSeconds;
  return end - clip->durationSeconds * 1e-9 - timeSeconds_;
}

void Playback::fade(const std::vector<int>& actors, const FadeRequest& request, int of) {
  const int count = characterCount(document_.project());
  if (!crowd() || actors.empty() || of >= count) return;
  const std::vector<std::vector<CrowdClip>> known = session_.clips();
  std::vector<FadeRequest> requests(std::size_t(count), request);
  for (int c = 0; c < count; ++c) {
    requests[std::size_t(c)].clip = sameClip(document_.project(), of, request.clip, c);
  }
  document_.edit(tr("Fade of %1").arg(counted(qlonglong(actors.size()), tr("actor"), tr("actors"))),
                 [&](Project& project) {
                   for (const int actor : actors) {
                     const auto index = std::size_t(actor);
                     if (index >= project.actors.size()) continue;
                     const Actor& one = project.actors[index];
                     const auto c = std::size_t(one.character);
                     if (requests[c].clip < 0) continue;
                     project.actors.set(index,
                                        fadingFrom(one, known[c], timeSeconds_, requests[c]));
                   }
                 });
}

void Playback::command(const std::vector<int>& actors, PlayAction action) {
  if (!crowd() || actors.empty()) return;
  const std::vector<std::vector<CrowdClip>> known = session_.clips();
  const QString who = counted(qlonglong(actors.size()), tr("actor"), tr("actors"));
  document_.edit(commandText(action).arg(who), [&](Project& project) {
    for (const int actor : actors) {
      const auto index = std::size_t(actor);
      if (index >= project.actors.size()) continue;
      const Actor& one = project.actors[index];
      const auto character = std::size_t(one.character);
      if (character >= known.size()) continue;
      project.actors.set(index, commandedFrom(one, known[character], timeSeconds_, action));
    }
  });
}

void Playback::seek(double seconds) {
  timeSeconds_ = std::max(0.0, seconds);
  crowd_.seek(timeSeconds_);
  emit timeChanged();
}

// The project may have changed before clips_ follows.
int Playback::shownCharacter() const {
  return clips_.character() < characterCount(document_.project()) ? clips_.character() : 0;
}

int Playback::shownIndex() const {
  return clips_.clipOf(shownCharacter());
}

std::optional<ShownClip> Playback::shownClip() const {
  const int character = shownCharacter();
  const int shown = shownIndex();
  const std::vector<ProjectClip>& clips = clipsOf(document_.project(), character);
  if (!session_.character(character) || shown >= int(clips.size())) return std::nullopt;
  const ProjectClip& wanted = session_.clip(character, shown);
  const QString title = nameText(titleOf(clips[std::size_t(shown)]));
  if (const AtlasPtr atlas = session_.atlas(character)) {
    for (const AtlasClip& clip : atlas->clips) {
      if (sourceNameOf(clip) != wanted.name) continue;
      return ShownClip{title, momentCount(clip), clip.durationSeconds, clip.loop,
                       true,  clip.startSeconds, clip.edit.rate,       !clip.stepFrames.empty()};
    }
  }
  const BakeWindow* window = session_.window(character, shown);
  if (window == nullptr) return std::nullopt;
  const int moments = momentCount(frameGridOf(*window));
  return ShownClip{title,
                   moments,
                   window->durationSeconds,
                   window->loop,
                   false,
                   window->startSeconds,
                   wanted.edit.rate,
                   !window->stepFrames.empty()};
}

double Playback::shownFrame() const {
  const auto clip = shownClip();
  if (!clip) return 0.0;
  if (const auto visible = followed()) {
    const ActorPlace place = crowd()->placeOf(*visible);
    return crowd()->crowds()[place.character].unitOf(place.index) * (clip->frameCount - 1);
  }
  const double cycles = phaseAfter(timeSeconds_, 1.0, clip->durationSeconds);
  return unitTime(cycles, clip->loop) * (clip->frameCount - 1);
}

void Playback::seekShown(double unit) {
  const auto clip = shownClip();
  if (!clip || clip->durationSeconds <= 0.0) return;
  const Project& project = document_.project();
  if (const auto visible = followed()) {
    const Actor& actor = project.actors[std::size_t(followed_)];
    return seek(timeAtUnit(project, *crowd(), *visible, actor, unit, timeSeconds_));
  }
  // The last frame of a loop is the first of the next cycle, so stay just before it.
  const double before = std::min(unit, 1.0 - 1e-7);
  double cycle = std::floor(timeSeconds_ / clip->durationSeconds + 1e-6);
  if (clip->loop == LoopMode::Once) cycle = 0.0;
  if (clip->loop == LoopMode::PingPong) cycle -= std::fmod(cycle, 2.0);
  seek((cycle + before) * clip->durationSeconds);
}

void Playback::setFollowed(int actor) {
  if (actor == followed_) return;
  followed_ = actor;
  emit timeChanged();
}

int Playback::followedActor() const {
  return followed() ? followed_ : -1;
}

std::optional<std::size_t> Playback::followed() const {
  if (followed_ < 0 || !crowd()) return std::nullopt;
  const std::vector<std::uint32_t> visible = crowd_.visibleOf({followed_});
  const Project& project = document_.project();
  if (visible.empty() || visible.front() >= crowd()->size() ||
      std::size_t(followed_) >= project.actors.size()) {
    return std::nullopt;
  }
  const ActorPlace place = crowd()->placeOf(visible.front());
  // Until it is built anew, the crowd has characters that have just left the project.
  if (int(place.character) >= characterCount(project)) return std::nullopt;
  const Crowd& own = crowd()->crowds()[place.character];
  const bool shows = shareRig(project, int(place.character), shownCharacter()) &&
                     own.clipOf(place.index) == shownIndex();
  return shows ? std::optional<std::size_t>(visible.front()) : std::nullopt;
}

void Playback::setShownCharacter(int character) {
  keepShown();
  const Project& project = document_.project();
  const int before = shownCharacter();
  if (character == before || character < 0 || character >= characterCount(project)) return;
  clips_.setCharacter(character);
  emit shownCharacterChanged();
  emit shownClipChanged();
  if (!shareRig(project, character, before)) setSolo(-1);
}

void Playback::setShownClip(int clip) {
  const int count = int(clipsOf(document_.project(), shownCharacter()).size());
  if (clip == shownIndex() || clip < 0 || clip >= count) return;
  keepShown();
  clips_.setClip(clip);
  emit shownClipChanged();
}

void Playback::setSolo(int clip) {
  if (clip == solo() && (clip < 0 || clips_.solo().character == shownCharacter())) return;
  if (clip >= 0) keepShown();
  clips_.setSolo(clip);
  soloRig_ = clip >= 0 ? session_.character(shownCharacter()) : nullptr;
  rebuild();
  emit soloChanged(clip);
}

void Playback::setVisibleLimit(std::size_t limit) {
  if (crowd_.setLimit(limit)) rebuild();
}

}  // namespace ck::ui
