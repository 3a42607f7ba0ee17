#include "ui/document/cast_session.h"

#include <spdlog/spdlog.h>

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/anim/pose.h"
#include "core/base/files.h"
#include "core/base/log.h"
#include "core/project/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

const QString kTag = QStringLiteral("cast/");
const QString kMeasureTag = QStringLiteral("measure cast/");

QString fileName(const std::string& path) {
  return QFileInfo(textOf(path)).fileName();
}

// The first member of a source; those of one rig file are baked alike.
const CastMember* memberWith(const Project& project, const std::string& path) {
  const auto found =
      std::find_if(project.cast.begin(), project.cast.end(),
                   [&path](const CastMember& member) { return member.source.path == path; });
  return found == project.cast.end() ? nullptr : &*found;
}

// What decides how a rig file is baked.
BakeSettings askedBy(const CastMember* member) {
  Project project;
  if (member) project.bake = member->bake;
  if (member) project.clips = member->clips;
  return bakeInputs(project);
}

const CastMember* memberOf(const Project& project, int number) {
  const bool known = number >= 1 && number < characterCount(project);
  return known ? &project.cast[std::size_t(number - 1)] : nullptr;
}

}  // namespace

bool shareRig(const Project& project, int a, int b) {
  if (isOwnRig(project, a) || isOwnRig(project, b)) {
    return isOwnRig(project, a) && isOwnRig(project, b);
  }
  return memberOf(project, a)->source == memberOf(project, b)->source;
}

double heightOf(const Character& character) {
  const Bounds box = bindBounds(character);
  return double(box.high.y) - double(box.low.y);
}

CastSession::CastSession(Document& document, const Session& own, TaskRunner& tasks, QObject* parent)
    : QObject(parent), document_(document), own_(own), tasks_(tasks) {
  connect(&document, &Document::changed, this, &CastSession::onChanged);
  connect(&document, &Document::replaced, this, &CastSession::onReplaced);
  connect(&tasks, &TaskRunner::finished, this, [this](const QString& tag, bool cancelled) {
    if (cancelled && tag.startsWith(kMeasureTag)) emit errorChanged();
    if (!cancelled || !tag.startsWith(kTag)) return;
    const auto found = loaded_.find(utf8Of(tag.mid(kTag.size())));
    if (found == loaded_.end() || found->second.state != CastState::Reading) return;
    found->second.state = CastState::Refused;
    found->second.problem = tr("Reading it was cancelled");
    emit changed();
  });
}

const CastSession::Loaded* CastSession::loadedOf(int number) const {
  const CastMember* member = memberOf(document_.project(), number);
  const auto found = member ? loaded_.find(member->source.path) : loaded_.end();
  return found == loaded_.end() ? nullptr : &found->second;
}

CharacterPtr CastSession::character(int number) const {
  if (number < 0 || number >= characterCount(document_.project())) return nullptr;
  if (isOwnRig(document_.project(), number)) return own_.character();
  const Loaded* loaded = loadedOf(number);
  return loaded ? loaded->source.character : nullptr;
}

AtlasPtr CastSession::atlas(int number) const {
  if (number < 0 || number >= characterCount(document_.project())) return nullptr;
  if (isOwnRig(document_.project(), number)) return own_.atlas();
  const Loaded* loaded = loadedOf(number);
  return loaded ? loaded->atlas : nullptr;
}

CastState CastSession::state(int number) const {
  if (isOwnRig(document_.project(), number)) {
    return own_.character() ? CastState::Ready : CastState::Reading;
  }
  const Loaded* loaded = loadedOf(number);
  return loaded ? loaded->state : CastState::Reading;
}

QString CastSession::problem(int number) const {
  const Loaded* loaded = loadedOf(number);
  return loaded ? loaded->problem : QString();
}

std::vector<CharacterPtr> CastSession::characters() const {
  std::vector<CharacterPtr> all;
  for (int c = 0; c < characterCount(document_.project()); ++c) all.push_back(character(c));
  return all;
}

std::vector<render::CastEntry> CastSession::entries() const {
  std::vector<render::CastEntry> all;
  for (int c = 0; c < characterCount(document_.project()); ++c) {
    render::CastEntry& entry = all.emplace_back();
    entry.character = character(c);
    if (!entry.character) continue;
    entry.atlas = atlas(c);
    const CastMember* member = memberOf(document_.project(), c);
    if (member) entry.hiddenMeshes = meshesNamed(*entry.character, member->hiddenMeshes);
  }
  return all;
}

std::vector<CastAtlas> CastSession::atlases() const {
  std::vector<CastAtlas> all;
  for (int c = 1; c < characterCount(document_.project()); ++c) {
    const Loaded* loaded = loadedOf(c);
    if (!loaded || !loaded->atlas) continue;
    const bool known = std::any_of(all.begin(), all.end(), [loaded](const CastAtlas& one) {
      return one.atlas == loaded->atlas;
    });
    if (known) continue;
    CastAtlas& one = all.emplace_back();
    one.title = characterTitle(document_.project(), c);
    one.atlas = loaded->atlas;
    for (const SourceFile& file : loaded->source.project.sources) one.files.push_back(file.path);
    const bool ofProject = !loaded->source.projectFile.empty();
    one.clips = ofProject ? loaded->source.project.clips : clipsOf(document_.project(), c);
    one.error = loaded->error;
  }
  return all;
}

// Into the source's own list; -1 where the source has no clip of that name any more.
int CastSession::placeOf(const Loaded& loaded, int number, int clip) const {
  const std::string& name = clipsOf(document_.project(), number)[std::size_t(clip)].name;
  const std::vector<ProjectClip>& all = loaded.source.project.clips;
  const auto at = std::find_if(all.begin(), all.end(),
                               [&name](const ProjectClip& each) { return each.name == name; });
  return at == all.end() ? -1 : int(at - all.begin());
}

const ProjectClip& CastSession::sourceClip(int number, int clip) const {
  const ProjectClip& ours = clipsOf(document_.project(), number)[std::size_t(clip)];
  const Loaded* loaded = loadedOf(number);
  // Those of a rig file are settings of this project.
  const bool ofProject = loaded && !loaded->source.projectFile.empty();
  const int place = ofProject ? placeOf(*loaded, number, clip) : -1;
  return place < 0 ? ours : loaded->source.project.clips[std::size_t(place)];
}

const BakeWindow* CastSession::window(int number, int clip) const {
  const bool own = isOwnRig(document_.project(), number);
  const Loaded* loaded = loadedOf(number);
  if (!own && !loaded) return nullptr;
  const auto place = std::size_t(own ? clip : placeOf(*loaded, number, clip));
  const auto& windows = own ? own_.windows() : loaded->windows;
  // Those of the own rig come later than its clips.
  if (own && windows.size() != document_.project().clips.size()) return nullptr;
  return place < windows.size() && windows[place] ? &*windows[place] : nullptr;
}

const BakeCost* CastSession::cost(int number) const {
  if (isOwnRig(document_.project(), number)) {
    return own_.cost() && *own_.cost() ? &**own_.cost() : nullptr;
  }
  const Loaded* loaded = loadedOf(number);
  return loaded && loaded->cost ? &*loaded->cost : nullptr;
}

std::size_t CastSession::bytes(int number, int clip) const {
  const BakeCost* whole = cost(number);
  const ProjectClip& wanted = sourceClip(number, clip);
  if (!whole || !wanted.ticked) return 0;
  for (const BakeCost::ClipCost& one : whole->clips) {
    if (one.sourceName == wanted.name) return one.bytes;
  }
  return 0;
}

const BakeError* CastSession::error(int number) const {
  if (isOwnRig(document_.project(), number)) {
    return own_.bakeError() ? &*own_.bakeError() : nullptr;
  }
  const Loaded* loaded = loadedOf(number);
  return loaded && loaded->error ? &*loaded->error : nullptr;
}

bool CastSession::isMeasuring(int number) const {
  if (isOwnRig(document_.project(), number)) return own_.isMeasuring();
  const std::string& path = memberOf(document_.project(), number)->source.path;
  return tasks_.isBusy(kMeasureTag + textOf(path)) ||
         std::find(held_.begin(), held_.end(), path) != held_.end();
}

void CastSession::measureAgain(int number) {
  const CastMember* member = memberOf(document_.project(), number);
  const Loaded* loaded = loadedOf(number);
  if (!member || !loaded || !loaded->atlas || isMeasuring(number)) return;
  measure(std::string(member->source.path));
  emit errorChanged();
}

void CastSession::holdMeasuring() {
  for (const auto& [path, loaded] : loaded_) {
    const QString tag = kMeasureTag + textOf(path);
    if (!tasks_.isBusy(tag)) continue;
    held_.push_back(path);
    tasks_.cancel(tag);
  }
}

void CastSession::resumeMeasuring() {
  for (const std::string& path : std::exchange(held_, {})) {
    const auto found = loaded_.find(path);
    if (found != loaded_.end() && found->second.atlas && !found->second.error) measure(path);
  }
}

std::vector<CrowdClip> CastSession::clips(int number) const {
  const std::vector<ProjectClip>& ours = clipsOf(document_.project(), number);
  std::vector<std::string> names;
  for (const ProjectClip& clip : ours) names.push_back(clip.name);
  std::vector<CrowdClip> known;
  const Loaded* loaded = loadedOf(number);
  if (const AtlasPtr baked = atlas(number)) {
    known = crowdClips(*baked, names);
    std::vector<std::vector<ClipEvent>> events(names.size());
    const bool ofProject = loaded && !loaded->source.projectFile.empty();
    for (const ProjectClip& clip : ofProject ? loaded->source.project.clips : ours) {
      const auto at = std::find(names.begin(), names.end(), clip.name);
      if (at != names.end()) events[std::size_t(at - names.begin())] = clip.events;
    }
    setEvents(known, *baked, events);
  } else if (const CharacterPtr source = character(number)) {
    known = sourceCrowdClips(*source, names);
    const bool own = isOwnRig(document_.project(), number);
    for (std::size_t i = 0; own && i < known.size(); ++i) {
      const auto& windows = own_.windows();
      const double start = i < windows.size() && windows[i] ? windows[i]->startSeconds : 0.0;
      known[i].events = crowdEvents(ours[i].events, {start, known[i].durationSeconds, 1.0});
    }
  }
  // A rig without clips stands at rest.
  if (known.empty()) known.emplace_back();
  return known;
}

void CastSession::onChanged(const Project& before, const Project& now) {
  if (before.cast == now.cast) return;
  for (const CastMember& member : now.cast) {
    const std::string& path = member.source.path;
    if (!path.empty() && loaded_.find(path) == loaded_.end()) start(path, false);
  }
  bakeStale();
  emit changed();
  emit clipsChanged();
}

// Undo may bring members back, so sources stay until another project takes the place of this one.
// What is being read was begun for that one, and what was refused may be mended by now; what is
// there already is looked at as if it was new.
void CastSession::onReplaced() {
  const std::vector<CastMember>& cast = document_.project().cast;
  std::erase_if(loaded_, [&](const auto& one) {
    const bool used = std::any_of(cast.begin(), cast.end(), [&one](const CastMember& member) {
      return member.source.path == one.first;
    });
    if (!used) {
      tasks_.cancel(kTag + textOf(one.first));
      tasks_.cancel(kMeasureTag + textOf(one.first));
    }
    return !used;
  });
  std::erase_if(held_, [this](const std::string& path) { return loaded_.count(path) == 0; });
  std::vector<std::string> unread;
  std::vector<std::string> ready;
  for (auto& [path, loaded] : loaded_) {
    loaded.joins = false;
    (loaded.state == CastState::Ready ? ready : unread).push_back(path);
  }
  for (const std::string& path : unread) start(path, false);
  for (const std::string& path : ready) adopt(path);
}

void CastSession::start(const std::string& path, bool joins, std::optional<CastSource> known) {
  Loaded& loaded = loaded_[path];
  loaded.state = CastState::Reading;
  loaded.problem.clear();
  // Reading the file again in the meantime does not take back what was asked for.
  joins = loaded.joins = loaded.joins || joins;
  const CastMember* first = memberWith(document_.project(), path);
  loaded.asked = askedBy(first);
  const QString title = known ? tr("Baking %1") : tr("Reading %1");
  const auto work = [this, path, joins, member = first ? std::optional(*first) : std::nullopt,
                     known = std::move(known)](JobContext job) -> TaskRunner::Deliver {
    Result<CastSource> source =
        known ? Result<CastSource>(*known) : readCastSource({path}, job.part(0.0f, 0.5f));
    if (!source) {
      return [this, path, joins, error = source.error()] { refuse(path, error, joins); };
    }
    if (member) bakeAs(*source, *member);
    Notes notes = source->character->notes;
    const Result<AtlasPtr> atlas = atlasOfCastSource(*source, notes, job.part(0.5f, 1.0f));
    if (!atlas) {
      return [this, path, joins, error = atlas.error()] { refuse(path, error, joins); };
    }
    return [this, path, joins, loaded = readyOf(*source, *atlas, job), notes] {
      for (const Note& note : notes) {
        log().log(note.level == Note::Level::Warning ? spdlog::level::warn : spdlog::level::info,
                  "{}: {}", loaded.source.character->name, note.message);
      }
      install(path, loaded);
      if (joins) {
        join(path);
        offerScaling(path);
      }
      measure(path);
    };
  };
  tasks_.start(kTag + textOf(path), title.arg(fileName(path)), work);
  emit changed();
}

CastSession::Loaded CastSession::readyOf(const CastSource& source, const AtlasPtr& atlas,
                                         const JobContext& job) {
  Loaded ready;
  ready.state = CastState::Ready;
  ready.source = source;
  ready.atlas = atlas;
  BakeSettings settings = bakeInputs(source.project);
  if (auto cost = bakeCost(*source.character, settings)) ready.cost = std::move(*cost);
  settings.clips.clear();
  for (const ProjectClip& clip : source.project.clips) {
    if (job.stopRequested()) break;
    auto window = planWindow(*source.character, bakeClipOf(clip), settings);
    auto& known = ready.windows.emplace_back();
    if (window) known = std::move(*window);
  }
  return ready;
}

void CastSession::bakeStale() {
  std::vector<std::string> stale;
  for (auto& [path, loaded] : loaded_) {
    const CastMember* member = memberWith(document_.project(), path);
    if (!member || loaded.state == CastState::Reading) continue;
    const bool refused = loaded.state == CastState::Refused;
    // What was refused would be again.
    if (refused && askedBy(member) == loaded.asked) continue;
    if (!loaded.atlas || bakesOtherwise(loaded.source, *member)) {
      stale.push_back(path);
    } else if (refused) {
      loaded.state = CastState::Ready;
      loaded.problem.clear();
    }
  }
  for (const std::string& path : stale) {
    const CastSource& source = loaded_[path].source;
    start(path, false, source.character ? std::optional(source) : std::nullopt);
  }
}

void CastSession::install(const std::string& path, Loaded loaded) {
  const auto clips = qlonglong(loaded.source.project.clips.size());
  loaded.asked = std::move(loaded_[path].asked);
  loaded_[path] = std::move(loaded);
  // First the character, then the edit: the document's change then finds its source known.
  emit changed();
  adopt(path);
  emit reported(
      tr("%1 is read, with %2").arg(fileName(path), counted(clips, tr("clip"), tr("clips"))));
  emit clipsChanged();
  emit errorChanged();
}

// Members get what the file has by now; what they say themselves stays, also what they say since
// the reading began. Where nothing is new, that is no step.
void CastSession::adopt(const std::string& path) {
  const CastMember* member = memberWith(document_.project(), path);
  const auto found = loaded_.find(path);
  if (!member || found == loaded_.end() || !found->second.source.character) return;
  CastSource asked = found->second.source;
  bakeAs(asked, *member);
  document_.edit(tr("Take over clips"),
                 [&](Project& project) { adoptCastClips(project, {path}, asked.project.clips); });
  bakeStale();
}

// Behind the reading, so that nobody waits for a figure.
void CastSession::measure(const std::string& path) {
  const auto work = [this, path, character = loaded_[path].source.character,
                     atlas = loaded_[path].atlas](JobContext job) -> TaskRunner::Deliver {
    const Result<BakeError> error = measureBakeError(*character, *atlas, job);
    return [this, path, atlas, error] {
      const auto found = loaded_.find(path);
      if (found == loaded_.end() || found->second.atlas != atlas) return;
      if (error) {
        found->second.error = *error;
      } else {
        log().error("{}: {}", path, error.error().message);
      }
      emit errorChanged();
    };
  };
  tasks_.start(kMeasureTag + textOf(path), tr("Measuring the error"), work);
}

void CastSession::refuse(const std::string& path, const Error& error, bool joins) {
  if (error.code == ErrorCode::Cancelled) return;
  log().error("{}", error.message);
  Loaded& loaded = loaded_[path];
  loaded.joins = false;
  loaded.state = CastState::Refused;
  loaded.problem = textOf(error.message);
  // The sentence of the import names the file of a rig, but within a project that is another one.
  const QString within = isProjectPath(path) && error.file != path
                             ? tr("%1: %2").arg(fileName(path), loaded.problem)
                             : loaded.problem;
  Notice notice{Notice::Level::Error, within, {}};
  notice.actions.push_back({tr("Try again"), [this, path, joins] { start(path, joins); }});
  emit changed();
  emit noticed(notice);
}

void CastSession::addFiles(const QStringList& paths) {
  for (const QString& each : paths) {
    const std::string path = utf8Of(QFileInfo(each).absoluteFilePath());
    const auto found = loaded_.find(path);
    if (found != loaded_.end() && found->second.state == CastState::Ready) {
      join(path);
    } else {
      start(path, true);
    }
  }
}

void CastSession::join(const std::string& path) {
  const CastSource& source = loaded_[path].source;
  CastMember member;
  member.title = utf8Of(QFileInfo(textOf(path)).completeBaseName());
  member.source = {path};
  member.clips = source.project.clips;
  if (const CastMember* other = memberWith(document_.project(), path)) {
    member.clips = other->clips;
    member.bake = other->bake;
  } else if (!isProjectPath(path)) {
    member.bake = source.project.bake;
  } else {
    for (ProjectClip& clip : member.clips) clip = {.name = clip.name, .title = clip.title};
  }
  addMember(tr("Add %1").arg(textOf(member.title)), std::move(member));
}

// The file stays as it is, so its actors are what can be made smaller.
void CastSession::offerScaling(const std::string& path) {
  const double height = heightOf(*loaded_[path].source.character);
  if (height < kTallestMeters) return;
  constexpr double kPersonMeters = 1.75;
  // By a power of ten: units differ by those.
  const double scale = std::pow(10.0, std::round(std::log10(kPersonMeters / height)));
  const QLocale locale;
  Notice notice{Notice::Level::Hint,
                tr("%1 is %2 m tall; its unit is hardly metres.")
                    .arg(fileName(path), locale.toString(height, 'f', 0)),
                {}};
  const auto shrink = [this, path, scale] {
    document_.edit(tr("Scale of %1").arg(fileName(path)), [&](Project& project) {
      for (std::size_t i = 0; i < project.actors.size(); ++i) {
        Actor actor = project.actors[i];
        const CastMember* member = memberOf(project, actor.character);
        if (!member || member->source.path != path) continue;
        actor.scale *= static_cast<float>(scale);
        project.actors.set(i, actor);
      }
    });
  };
  notice.actions.push_back({tr("Scale its actors by %1").arg(locale.toString(scale)), shrink});
  notice.actions.push_back({tr("Keep"), [] {}});
  emit noticed(notice);
}

void CastSession::addVariant(int of, const QString& title,
                             const std::vector<std::string>& hiddenMeshes) {
  const CastMember* original = memberOf(document_.project(), of);
  CastMember member = original ? *original : CastMember{};
  member.title = utf8Of(title);
  member.hiddenMeshes = hiddenMeshes;
  addMember(tr("Add %1").arg(title), std::move(member));
}

void CastSession::addMember(const QString& undoText, CastMember member) {
  document_.edit(undoText, [&](Project& project) {
    const int number = addCastMember(project, std::move(member));
    std::vector<CharacterPtr> known = characters();
    const std::string& path = project.cast.back().source.path;
    known.push_back(path.empty() ? own_.character() : loaded_[path].source.character);
    mixIn(project, number, spawnParts(project, known));
  });
}

void CastSession::remove(int number) {
  const CastMember* member = memberOf(document_.project(), number);
  if (!member) return;
  document_.edit(tr("Remove %1").arg(textOf(member->title)),
                 [number](Project& project) { removeCastMember(project, number); });
}

void CastSession::reload(int number) {
  const CastMember* member = memberOf(document_.project(), number);
  if (member && !member->source.path.empty()) start(std::string(member->source.path), false);
}

}  // namespace ck::ui
