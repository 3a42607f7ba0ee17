#include "ui/document/playback.h"

#include <algorithm>
#include <cmath>

#include "core/project/characters.h"
#include "core/project/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/frame_budget.h"
#include "ui/document/session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

// Title and first source of every character.
using CharacterNames = std::vector<std::pair<std::string, std::string>>;

CharacterNames namesOf(const Project& project) {
  CharacterNames names;
  for (int c = 0; c < characterCount(project); ++c) {
    const std::vector<SourceFile>& sources = baseCharacter(project, c).sources;
    names.emplace_back(characterTitle(project, c),
                       sources.empty() ? std::string() : sources.front().path);
  }
  return names;
}

// The number by which a character of one project goes in another; -1 where it is gone.
int placeIn(const CharacterNames& now, const CharacterNames& before, int character) {
  if (character == 0) return 0;
  const auto index = std::size_t(character);
  if (index >= before.size()) return -1;
  const auto at = std::find(now.begin(), now.end(), before[index]);
  if (at != now.end()) return int(at - now.begin());
  // Among as many characters it has got another title, or its file another place.
  const bool same = now.size() == before.size() && (now[index].first == before[index].first ||
                                                    now[index].second == before[index].second);
  return same ? character : -1;
}

}  // namespace

Playback::Playback(Document& document, const Session& session, QObject* parent)
    : QObject(parent), document_(document), session_(session), names_(namesOf(document.project())) {
  connect(&clock_, &PlayClock::ticked, this, &Playback::tick);
  connect(&clock_, &PlayClock::playingChanged, this, &Playback::playingChanged);
  connect(&session, &Session::characterChanged, this, [this] {
    solo_ = -1;
    crowd_.clear();
    emit soloChanged(solo_);
    rebuild();
  });
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

void Playback::restrain() {
  if (fixedStep() > 0.0 || !crowd() || crowd()->size() <= FrameBudget::kFirst) return;
  setShownLimit(FrameBudget::kFirst);
}

void Playback::setFixedStep(double seconds) {
  clock_.setFixedStep(seconds);
  crowd_.setAllAtOnce(seconds > 0.0);
  if (seconds > 0.0) setShownLimit(SIZE_MAX);
}

void Playback::rebuild() {
  keepShown();
  if (!session_.character()) {
    crowd_.clear();
  } else {
    const Project& project = document_.project();
    std::vector<std::vector<CrowdClip>> clips;
    for (int c = 0; c < characterCount(project); ++c) clips.push_back(session_.clips(c));
    crowd_.build(project, clips, {solo_, soloCharacter_}, timeSeconds_);
  }
  emit crowdChanged();
  emit shownClipChanged();
}

// Numbers stand for the same characters when others have left or come back. Returns
// whether another number is shown.
bool Playback::followCharacters() {
  CharacterNames now = namesOf(document_.project());
  if (now == names_) return false;
  std::vector<int> clips(now.size(), 0);
  for (std::size_t c = 0; c < shownClips_.size(); ++c) {
    const int place = placeIn(now, names_, int(c));
    if (place >= 0) clips[std::size_t(place)] = shownClips_[c];
  }
  shownClips_ = std::move(clips);
  soloCharacter_ = soloCharacter_ < 0 ? -1 : placeIn(now, names_, soloCharacter_);
  const int shown = std::max(0, placeIn(now, names_, shownCharacter_));
  names_ = std::move(now);
  return std::exchange(shownCharacter_, shown) != shown;
}

// Characters and clips that are gone cannot stay shown, nor play alone.
void Playback::keepShown() {
  const bool moved = followCharacters();
  const Project& project = document_.project();
  const int characters = characterCount(project);
  shownClips_.resize(std::size_t(characters), 0);
  for (int c = 0; c < characters; ++c) {
    const int last = std::max(0, int(clipsOf(project, c).size()) - 1);
    shownClips_[std::size_t(c)] = std::clamp(shownClips_[std::size_t(c)], 0, last);
  }
  const bool soloGone =
      solo_ >= 0 && (soloCharacter_ < 0 || solo_ >= int(clipsOf(project, soloCharacter_).size()) ||
                     !shareRig(project, soloCharacter_, shownCharacter_));
  if (soloGone) setSolo(-1);
  if (!moved) return;
  emit shownCharacterChanged();
  emit shownClipChanged();
}

void Playback::setPreferred(const std::vector<int>& actors) {
  if (crowd_.setPreferred(actors)) rebuild();
}

void Playback::tick(double realSeconds) {
  const Project& project = document_.project();
  const double seconds = fixedStep() > 0.0 ? fixedStep() : realSeconds * project.playbackSpeed;
  if (!looping_) {
    const auto clip = shownClip();
    if (clip && clip->durationSeconds > 0.0) {
      const double end =
          (std::floor(timeSeconds_ / clip->durationSeconds + 1e-9) + 1.0) * clip->durationSeconds;
      if (timeSeconds_ + seconds >= end) {
        seek(end - clip->durationSeconds * 1e-9);
        setPlaying(false);
        return;
      }
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

void Playback::fade(const std::vector<int>& actors, const FadeRequest& request, int of) {
  if (!crowd() || actors.empty() || of >= characterCount(document_.project())) return;
  std::vector<std::vector<CrowdClip>> known;
  std::vector<FadeRequest> requests;
  for (int c = 0; c < characterCount(document_.project()); ++c) {
    known.push_back(session_.clips(c));
    requests.push_back(request);
    requests.back().clip = sameClip(document_.project(), of, request.clip, c);
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

void Playback::seek(double seconds) {
  timeSeconds_ = std::max(0.0, seconds);
  crowd_.seek(timeSeconds_);
  emit timeChanged();
}

int Playback::shownCharacter() const {
  return shownCharacter_ < characterCount(document_.project()) ? shownCharacter_ : 0;
}

int Playback::shownIndex() const {
  const auto character = std::size_t(shownCharacter());
  return character < shownClips_.size() ? shownClips_[character] : 0;
}

std::optional<ShownClip> Playback::shownClip() const {
  const int character = shownCharacter();
  const int shown = shownIndex();
  const std::vector<ProjectClip>& clips = clipsOf(document_.project(), character);
  if (!session_.character(character) || shown >= int(clips.size())) return std::nullopt;
  const ProjectClip& wanted = session_.clip(character, shown);
  const QString title = textOf(titleOf(clips[std::size_t(shown)]));
  if (const AtlasPtr atlas = session_.atlas(character)) {
    for (const AtlasClip& clip : atlas->clips) {
      if (sourceNameOf(clip) != wanted.name) continue;
      return ShownClip{title, clip.frameCount,   clip.durationSeconds, clip.loop,
                       true,  clip.startSeconds, clip.shape.rate};
    }
  }
  const BakeWindow* window = session_.window(character, shown);
  if (window == nullptr) return std::nullopt;
  return ShownClip{title, window->frameCount,   window->durationSeconds, window->loop,
                   false, window->startSeconds, wanted.shape.rate};
}

double Playback::shownFrame() const {
  const auto clip = shownClip();
  if (!clip) return 0.0;
  const double cycles = phaseAfter(timeSeconds_, 1.0, clip->durationSeconds);
  return unitTime(cycles, clip->loop) * (clip->frameCount - 1);
}

void Playback::setShownCharacter(int character) {
  const Project& project = document_.project();
  const int before = shownCharacter();
  if (character == before || character < 0 || character >= characterCount(project)) return;
  shownCharacter_ = character;
  shownClips_.resize(std::size_t(characterCount(project)), 0);
  emit shownCharacterChanged();
  emit shownClipChanged();
  if (!shareRig(project, character, before)) setSolo(-1);
}

void Playback::setShownClip(int clip) {
  const int character = shownCharacter();
  const int count = int(clipsOf(document_.project(), character).size());
  if (clip == shownIndex() || clip < 0 || clip >= count) return;
  keepShown();
  shownClips_[std::size_t(character)] = clip;
  emit shownClipChanged();
}

void Playback::setSolo(int clip) {
  if (clip == solo_ && (clip < 0 || soloCharacter_ == shownCharacter())) return;
  solo_ = clip;
  if (clip >= 0) {
    soloCharacter_ = shownCharacter();
    shownClips_.resize(std::size_t(characterCount(document_.project())), 0);
    shownClips_[std::size_t(soloCharacter_)] = clip;
  }
  rebuild();
  emit soloChanged(solo_);
}

void Playback::setShownLimit(std::size_t limit) {
  if (crowd_.setLimit(limit)) rebuild();
}

}  // namespace ck::ui
