#include "ui/document/session.h"

#include <spdlog/spdlog.h>

#include <QElapsedTimer>
#include <QLocale>
#include <algorithm>
#include <utility>

#include "core/base/files.h"
#include "core/base/log.h"
#include "core/project/characters.h"
#include "core/project/scene.h"
#include "core/project/spawn.h"
#include "core/view/drawn_as.h"
#include "render/view/drawable_view.h"
#include "ui/document/document.h"
#include "ui/document/live_bake.h"
#include "ui/document/new_project.h"
#include "ui/document/notice_causes.h"
#include "ui/document/prop_session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

// Maximum number of removed characters that are kept for undo.
constexpr std::size_t kKeptCharacters = 8;

// Kinds of tasks. The tag of a task is its kind, followed by the key of its character.
const QString kImport = QLatin1String(Session::kReadingTask);
const QString kBake = QStringLiteral("bake");
const QString kMeasure = QStringLiteral("measure");
const QString kCount = QStringLiteral("count");

}  // namespace

Session::Session(Document& document, TaskRunner& tasks, QObject* parent)
    : QObject(parent),
      document_(document),
      tasks_(tasks),
      props_(new PropSession(document, tasks, this)),
      live_(new LiveBake(document, *this)) {
  connect(props_, &PropSession::noticed, this, &Session::noticed);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (before.view != now.view) {
      followView();
      emit errorChanged();  // the method decides which reading is shown
    }
    if (before.characters == now.characters) return;
    follow();
    constexpr auto kMeshes = &ProjectCharacter::hiddenMeshes;
    if (!std::ranges::equal(before.characters, now.characters, {}, kMeshes, kMeshes)) {
      emit changed();
    }
  });
  connect(&document, &Document::replaced, this, &Session::restart);
  connect(&tasks, &TaskRunner::started, this, &Session::bakeStateChanged);
  connect(&tasks, &TaskRunner::finished, this, &Session::onFinished);
  connect(&tasks, &TaskRunner::failed, this, &Session::notify);
  connect(&quick_, &TaskRunner::failed, this, &Session::notify);
  follow();
}

const LoadedCharacter& Session::of(int number) const {
  static const LoadedCharacter kNone;
  const LoadedPtr there = loaded(number);
  return there ? *there : kNone;
}

LoadedPtr Session::loaded(int number) const {
  return number >= 0 && std::size_t(number) < now_.size() ? now_[std::size_t(number)] : nullptr;
}

int Session::numberOf(const LoadedPtr& loaded) const {
  const auto at = std::ranges::find(now_, loaded);
  return at == now_.end() ? -1 : int(at - now_.begin());
}

const BakeWindow* Session::window(int number, int clip) const {
  const CharacterFigures& figures = of(number).figures;
  if (figures.windows.empty()) return nullptr;
  const std::string& name = this->clip(number, clip).name;
  for (std::size_t i = 0; i < figures.windows.size(); ++i) {
    if (figures.settings.clips[i].name == name) return pointerTo(figures.windows[i]);
  }
  return nullptr;
}

std::size_t Session::bytes(int number, int clip) const {
  const Result<BakeCost>* cost = this->cost(number);
  if (!cost || !*cost) return 0;
  const ProjectClip& asked = this->clip(number, clip);
  for (const BakeCost::ClipCost& one : (*cost)->clips) {
    if (asked.ticked && one.sourceName == asked.name) return one.bytes;
  }
  return 0;
}

bool Session::isMeasuring(int number) const {
  const LoadedCharacter& loaded = of(number);
  return loaded.waits || tasks_.isBusy(loaded.tag(kMeasure));
}

void Session::measureAgain(int number) {
  if (atlas(number) && !isMeasuring(number)) measure(now_[std::size_t(number)]);
  emit errorChanged();
}

void Session::measureMissing(int number) {
  if (atlas(number) && !isMeasured(of(number)) && !isMeasuring(number)) {
    measure(now_[std::size_t(number)]);
  }
}

const BakeError* Session::error(int number, const DrawnAs& drawn) const {
  const LoadedCharacter& loaded = of(number);
  return loaded.atlas ? loaded.errors.find(drawn, *loaded.atlas) : nullptr;
}

bool Session::isMeasured(const LoadedCharacter& loaded) const {
  return loaded.atlas && loaded.errors.missing(drawn_, *loaded.atlas).empty();
}

// Measures what the view draws now, where that was not measured before. Another screen needs no
// measurement.
void Session::followView() {
  ViewSettings view = document_.project().view;
  view.pose.viewMode = ViewMode::Baked;
  view.pose = render::renderSettingsFor(view, entries(), false, {}).settings.pose;
  const DrawnAs before = std::exchange(drawn_, drawnAs(view));
  for (const LoadedPtr& loaded : now_) {
    if (!loaded) continue;
    loaded->errors.setScreen(drawn_.screen);
    if (drawn_ == before || !loaded->atlas || isMeasured(*loaded)) continue;
    if (tasks_.isBusy(kBake)) {
      loaded->waits = true;
    } else {
      measure(loaded);
    }
  }
}

// Another project may have changed since its clips were stored in the document, so clips are
// matched by name.
const ProjectClip& Session::clip(int number, int clip) const {
  const ProjectClip& ours = clipsOf(document_.project(), number)[std::size_t(clip)];
  const LoadedCharacter& loaded = of(number);
  if (!loaded.source || loaded.source->projectFile.empty()) return ours;
  const std::vector<ProjectClip>& all = loaded.source->fromProject.clips;
  const auto found = std::ranges::find(all, ours.name, &ProjectClip::name);
  return found == all.end() ? ours : *found;
}

std::vector<std::vector<CrowdClip>> Session::clips() const {
  std::vector<std::vector<CrowdClip>> all;
  for (int c = 0; c < characterCount(document_.project()); ++c) {
    std::vector<ProjectClip> settings;
    const int count = int(clipsOf(document_.project(), c).size());
    settings.reserve(std::size_t(count));
    for (int i = 0; i < count; ++i) settings.push_back(clip(c, i));
    const CharacterPtr rig = character(c);
    all.push_back(rig ? playableClips(settings, *rig, atlas(c).get()) : std::vector<CrowdClip>(1));
  }
  return all;
}

std::vector<CharacterPtr> Session::characters() const {
  const int count = characterCount(document_.project());
  std::vector<CharacterPtr> all;
  all.reserve(std::size_t(count));
  for (int c = 0; c < count; ++c) all.push_back(character(c));
  return all;
}

// The first character is drawn from its source until it is baked. The others appear when they have
// an atlas.
std::vector<render::CharacterEntry> Session::entries() const {
  std::vector<render::CharacterEntry> all;
  for (int c = 0; c < characterCount(document_.project()); ++c) {
    render::CharacterEntry& entry = all.emplace_back();
    const LoadedCharacter& loaded = of(c);
    if (!loaded.source || (!loaded.atlas && !loaded.isFirst())) continue;
    entry.character = loaded.source->character;
    entry.atlas = loaded.atlas;
    entry.hiddenMeshes =
        hiddenMeshesOf(document_.project().characters[std::size_t(c)], *entry.character);
  }
  return all;
}

BakeState Session::bakeState() const {
  const ProjectCharacter& first = document_.project().characters.front();
  if (!character(0)) return BakeState::NoRig;
  if (first.clips.empty()) return BakeState::NoClips;
  const ProjectCharacter there = withoutMissingClips(first, *character(0));
  if (!anyClipTicked(there)) return BakeState::NothingTicked;
  if (tasks_.isBusy(kBake)) return BakeState::Baking;
  if (!atlas(0)) return BakeState::Missing;
  return bakeInputs(there) == of(0).bakedBy ? BakeState::UpToDate : BakeState::Outdated;
}

std::vector<MissingClip> Session::missing(int number) const {
  const CharacterPtr rig = character(number);
  return rig ? missingClips(document_.project(), number, *rig) : std::vector<MissingClip>();
}

QString Session::refusal() const {
  const Result<BakeCost>* cost = this->cost(0);
  return cost && !*cost ? textOf(cost->error().message) : QString();
}

LoadedPtr Session::makeLoaded(const ImportInputs& inputs, bool first) {
  auto loaded = std::make_shared<LoadedCharacter>();
  loaded->inputs = inputs;
  if (!first) loaded->key = QString::number(++made_);
  return loaded;
}

// Existing results for these sources, for the character of this number.
LoadedPtr Session::known(const ImportInputs& inputs, int number,
                         const std::vector<LoadedPtr>& before) {
  const auto fits = [&](const LoadedPtr& one) {
    return one && one->isFirst() == (number == 0) && one->inputs == inputs && numberOf(one) < 0;
  };
  std::vector<LoadedPtr> all = before;
  all.insert(all.end(), earlier_.begin(), earlier_.end());
  // The same number is the best match.
  if (std::size_t(number) < before.size()) all.insert(all.begin(), before[std::size_t(number)]);
  const auto found = std::ranges::find_if(all, fits);
  if (found == all.end()) return nullptr;
  std::erase(earlier_, *found);
  return *found;
}

// Assigns known results to the document's current characters, and reads the others.
void Session::follow() {
  const std::vector<LoadedPtr> before = std::exchange(now_, {});
  const Project& project = document_.project();
  std::vector<LoadedPtr> unread;
  for (int c = 0; c < characterCount(project); ++c) {
    const ProjectCharacter& asked = project.characters[std::size_t(c)];
    if (asked.variantOf) {
      now_.push_back(now_[std::size_t(*asked.variantOf)]);
      continue;
    }
    const ImportInputs inputs = importInputs(asked);
    LoadedPtr loaded = asked.sources.empty() ? nullptr : known(inputs, c, before);
    if (!loaded && !asked.sources.empty()) {
      unread.push_back(loaded = makeLoaded(inputs, c == 0));
    }
    now_.push_back(loaded);
  }
  for (const LoadedPtr& left : before) {
    if (!left || numberOf(left) >= 0) continue;
    stop(*left);
    if (left->source && std::ranges::find(earlier_, left) == earlier_.end()) {
      earlier_.push_front(left);
    }
  }
  if (earlier_.size() > kKeptCharacters) earlier_.resize(kKeptCharacters);
  for (const LoadedPtr& loaded : unread) read(loaded, Purpose::OfProject);
  if (now_ != before) {
    followView();
    announce();
  }
  for (int c = 0; c < characterCount(project); ++c) {
    const LoadedPtr& loaded = now_[std::size_t(c)];
    if (std::ranges::find(before, loaded) == before.end()) measureMissing(c);
    update(c);
  }
  emit bakeStateChanged();
}

void Session::stop(const LoadedCharacter& loaded) {
  for (const QString& kind : {kImport, kBake, kMeasure}) tasks_.cancel(loaded.tag(kind));
  quick_.cancel(loaded.tag(kCount));
}

// The document was replaced: running reads belong to the previous one, and refused files may have
// been repaired.
void Session::restart() {
  ++imports_;
  earlier_.clear();
  const std::vector<LoadedPtr> all = now_;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!all[c] || numberOf(all[c]) != int(c)) continue;
    if (all[c]->state == CharacterState::Ready) {
      enter(all[c], Purpose::OfProject);
    } else {
      read(all[c], Purpose::OfProject);
    }
  }
}

void Session::announce() {
  if (announced_ != character(0)) {
    announced_ = character(0);
    emit characterChanged();
  }
  emit changed();
  emit costChanged();
  emit errorChanged();
}

// Computes costs and bakes for characters whose settings have changed.
void Session::update(int number) {
  const ProjectCharacter& asked = document_.project().characters[std::size_t(number)];
  const LoadedPtr loaded = now_[std::size_t(number)];
  if (asked.variantOf || !loaded || !loaded->source) return;
  const ProjectCharacter settings = settingsFor(asked, *loaded->source);
  if (loaded->counted != settings) count(loaded, settings);
  if (loaded->isFirst()) return;
  const BakeSettings inputs = bakeInputs(settings);
  // Settings that were refused would be refused again.
  if (inputs == loaded->asked) return;
  if (!loaded->atlas || inputs != loaded->bakedBy) {
    bake(loaded, settings, Purpose::OfProject);
    return;
  }
  loaded->asked = inputs;
  loaded->state = CharacterState::Ready;
  loaded->problem.clear();
  tasks_.cancel(loaded->tag(kBake));
  emit changed();
}

void Session::onFinished(const QString& tag, bool cancelled) {
  const QString kind = tag.section(u'/', 0, 0);
  const QString key = tag.section(u'/', 1);
  const auto at =
      std::ranges::find_if(now_, [&key](const LoadedPtr& one) { return one && one->key == key; });
  const LoadedPtr loaded = at == now_.end() ? nullptr : *at;
  if (cancelled && loaded && loaded->state == CharacterState::Reading &&
      (kind == kImport || kind == kBake)) {
    const bool drawn = loaded->isFirst() && loaded->source;
    loaded->state = drawn ? CharacterState::Ready : CharacterState::Refused;
    if (!drawn) loaded->problem = tr("Reading it was cancelled");
    emit changed();
  }
  if (kind == kBake) {
    if (cancelled && loaded && loaded->atlas && !isMeasured(*loaded)) loaded->waits = true;
    for (const LoadedPtr& one : now_) {
      if (!one || !std::exchange(one->waits, false)) continue;
      if (one->atlas && !isMeasured(*one)) measure(one);
    }
  }
  if (cancelled && kind == kMeasure) emit errorChanged();
  if (cancelled && kind != kMeasure) {
    log().info("Cancelled ({}); everything is as before", tag.toStdString());
    emit reported(tr("Cancelled; everything is as before"));
  }
  emit bakeStateChanged();
}

void Session::read(const LoadedPtr& loaded, Purpose purpose) {
  if (purpose != Purpose::OfProject) ++imports_;
  loaded->purpose = purpose;
  loaded->state = CharacterState::Reading;
  loaded->problem.clear();
  const int number = numberOf(loaded);
  ProjectCharacter asked;
  std::filesystem::path beside;
  if (purpose == Purpose::OfProject && number >= 0) {
    asked = document_.project().characters[std::size_t(number)];
    const QString file = document_.readFrom();
    if (number == 0 && !file.isEmpty()) beside = atlasBeside(pathFromText(utf8Of(file)));
  }
  asked.sources = loaded->inputs.sources;
  asked.import = loaded->inputs.settings;
  // Only the task uses it before it has ended.
  const auto fits = std::make_shared<FitReports>();
  const auto work = [asked, beside, fits](const JobContext& job) {
    return readCharacterStage(asked, beside, job, fits.get());
  };
  const auto take = [=, this](const Result<CharacterStage>& stage) {
    loaded->fits = *fits;
    if (!stage) return refuse(loaded, stage.error(), purpose);
    logNotes(stage->source.character->name, stage->notes);
    install(loaded, purpose, *stage);
  };
  const QString title = tr("Reading %1").arg(fileNameOf(loaded->inputs.sources.back().path));
  tasks_.run(loaded->tag(kImport), title, work, take);
  if (number >= 0) emit changed();
}

void Session::install(const LoadedPtr& loaded, Purpose purpose, const CharacterStage& stage) {
  const bool isFirstReading = !loaded->source;
  loaded->source = stage.source;
  loaded->atlas = stage.atlas;
  loaded->bakedBy = bakeInputs(stage.settings);
  loaded->asked = stage.atlas ? std::optional(loaded->bakedBy) : std::nullopt;
  loaded->errors.clear();
  loaded->counted.reset();
  const bool ready = stage.atlas || loaded->isFirst();
  loaded->state = ready ? CharacterState::Ready : CharacterState::Reading;
  for (const QString& kind : {kBake, kMeasure}) tasks_.cancel(loaded->tag(kind));
  if (purpose == Purpose::Joins) {
    return stage.atlas ? join(loaded) : bake(loaded, stage.settings, purpose);
  }
  enter(loaded, purpose);
  report(loaded, purpose);
  const bool opens = isFirstReading && purpose == Purpose::OfProject;
  for (const Notice& notice : changeNotices(document_, *this, loaded, opens)) emit noticed(notice);
  if (loaded->isFirst() && !loaded->atlas) bakeNow();
}

// The only place where the result of reading changes the document.
void Session::enter(const LoadedPtr& loaded, Purpose purpose) {
  // Reading again with the same inputs replaces the result.
  for (LoadedPtr& one : now_) {
    if (one && one->isFirst() && loaded->isFirst() && one->inputs == loaded->inputs) one = loaded;
  }
  if (numberOf(loaded) < 0) earlier_.push_front(loaded);
  announce();
  const Character& rig = *loaded->source->character;
  const ImportInputs& inputs = loaded->inputs;
  if (purpose == Purpose::NewRig) {
    startProject(document_, rig, inputs);
  } else if (purpose == Purpose::MoreClips || purpose == Purpose::Refit) {
    const bool more = purpose == Purpose::MoreClips;
    document_.edit(more ? tr("Add clips") : tr("Fit files"), [&](Project& project) {
      const auto at = std::ranges::find(project.characters, loaded->replaces, &importInputs);
      if (!more && at == project.characters.end()) return;  // it was removed meanwhile
      const auto number = more ? 0 : at - project.characters.begin();
      project.characters[std::size_t(number)].sources = inputs.sources;
      project.characters[std::size_t(number)].import = inputs.settings;
      adoptClips(project, int(number), *loaded->source);
    });
  } else if (const int number = numberOf(loaded); number >= 0) {
    document_.edit(tr("Take over clips"),
                   [&](Project& project) { adoptClips(project, number, *loaded->source); });
  }
  if (const int number = numberOf(loaded); number >= 0) {
    measureMissing(number);
    update(number);
  }
  emit bakeStateChanged();
}

void Session::bakeNow() {
  const BakeState state = bakeState();
  if (state < BakeState::Missing) return;
  const ProjectCharacter settings =
      withoutMissingClips(document_.project().characters.front(), *character(0));
  if (state == BakeState::Baking && bakeInputs(settings) == of(0).asked) return;
  bake(now_.front(), settings, Purpose::OfProject);
}

void Session::bake(const LoadedPtr& loaded, const ProjectCharacter& settings, Purpose purpose) {
  loaded->asked = bakeInputs(settings);
  loaded->problem.clear();
  if (!loaded->isFirst()) loaded->state = CharacterState::Reading;
  // Measuring starts later, so that the artist waits for the bake only.
  for (const LoadedPtr& one : now_) {
    if (!one || one == loaded || !tasks_.isBusy(one->tag(kMeasure))) continue;
    one->waits = true;
    tasks_.cancel(one->tag(kMeasure));
  }
  tasks_.cancel(loaded->tag(kMeasure));
  struct Baked {
    AtlasPtr atlas;
    Notes notes;
    double seconds;
  };
  const auto work = [settings, source = *loaded->source](const JobContext& job) -> Result<Baked> {
    QElapsedTimer timer;
    timer.start();
    Notes notes;
    const Result<AtlasPtr> atlas = bakeCharacter(source, settings, notes, job);
    if (!atlas) return tl::unexpected(atlas.error());
    return Baked{*atlas, notes, double(timer.elapsed()) / 1000.0};
  };
  const auto take = [=, this](const Result<Baked>& baked) {
    if (!baked && !loaded->isFirst()) return refuse(loaded, baked.error(), purpose);
    if (!baked) return notify(baked.error());  // the first character keeps its atlas
    logNotes(loaded->character()->name, baked->notes);
    installAtlas(loaded, baked->atlas, purpose, baked->seconds);
  };
  const QString title = loaded->isFirst()
                            ? tr("Baking")
                            : tr("Baking %1").arg(fileNameOf(loaded->inputs.sources.front().path));
  tasks_.run(loaded->tag(kBake), title, work, take);
  if (!loaded->isFirst()) emit changed();
}

void Session::installAtlas(const LoadedPtr& loaded, const AtlasPtr& atlas, Purpose purpose,
                           double seconds) {
  loaded->atlas = atlas;
  loaded->bakedBy = *loaded->asked;
  loaded->bakeSeconds = seconds;
  loaded->errors.clear();
  loaded->state = CharacterState::Ready;
  if (purpose == Purpose::Joins) {
    join(loaded);
    return;
  }
  followView();  // what can be drawn depends on the atlases
  emit changed();
  emit errorChanged();
  emit bakeStateChanged();
  if (loaded->isFirst()) {
    const QString text = tr("Baked %1 in %2 s")
                             .arg(counted(qlonglong(atlas->clips.size()), tr("clip"), tr("clips")),
                                  QLocale().toString(seconds, 'f', 2));
    log().info("{}", utf8Of(text));
    emit reported(text);
  }
  measure(loaded);
}

void Session::measure(const LoadedPtr& loaded) {
  using Errors = std::vector<BakeError>;
  const std::vector<DrawnAs> ways = loaded->errors.missing(drawn_, *loaded->atlas);
  const auto work = [ways, character = loaded->character(),
                     atlas = loaded->atlas](const JobContext& job) -> Result<Errors> {
    Errors errors;
    const auto count = static_cast<float>(ways.size());
    for (const DrawnAs& drawn : ways) {
      const auto done = static_cast<float>(errors.size());
      auto error = measureBakeError(*character, *atlas, drawn,
                                    job.part(done / count, (done + 1.0f) / count));
      if (!error) return tl::unexpected(error.error());
      errors.push_back(std::move(*error));
    }
    return errors;
  };
  const auto take = [this, loaded, ways, atlas = loaded->atlas](const Result<Errors>& errors) {
    if (loaded->atlas != atlas) return;
    if (!errors) {
      notify({errors.error().code, loaded->character()->name + ": " + errors.error().message});
    }
    for (std::size_t i = 0; errors && i < errors->size(); ++i) {
      loaded->errors.add(ways[i], *atlas, (*errors)[i]);
    }
    loaded->errors.setScreen(drawn_.screen);
    emit errorChanged();
  };
  tasks_.run(loaded->tag(kMeasure), tr("Measuring the error"), work, take);
}

void Session::count(const LoadedPtr& loaded, const ProjectCharacter& settings) {
  loaded->counted = settings;
  if (!anyClipTicked(settings)) {
    loaded->figures.cost.reset();
    emit costChanged();
  }
  const auto work = [settings, character = loaded->character(),
                     known = loaded->figures](const JobContext& job) -> Result<CharacterFigures> {
    return figuresOf(character, settings, known, job);
  };
  const auto take = [this, loaded](const Result<CharacterFigures>& figures) {
    if (figures) {
      loaded->figures = *figures;
    } else {
      loaded->figures.cost = tl::unexpected(figures.error());
      notify(figures.error());
    }
    emit costChanged();
  };
  quick_.run(loaded->tag(kCount), tr("Counting"), work, take);
}

void Session::notify(const Error& error) {
  emit noticed(aboutCharacters(document_, errorNotice(error)));
}

void Session::refuse(const LoadedPtr& loaded, const Error& error, Purpose purpose) {
  if (error.code == ErrorCode::Cancelled) return;
  loaded->state = CharacterState::Refused;
  loaded->problem = textOf(error.message);
  const auto& sources = loaded->inputs.sources;
  Notice notice = refusalNotice(loaded->inputs, error);
  const bool unfit = !isProjectPath(sources.front().path) &&
                     std::ranges::any_of(loaded->fits.files, &ClipFitReport::refused);
  if (unfit)
    notice.actions.push_back({tr("Match joints..."), [=, this] { emit fitAsked(loaded); }});
  notice.actions.push_back({tr("Try again"), [this, loaded, purpose] { read(loaded, purpose); }});
  const bool inProject = numberOf(loaded) == 0;
  for (std::size_t i = 0; inProject && i < sources.size(); ++i) {
    if (sources[i].path != error.file || error.code != ErrorCode::FileNotFound) continue;
    notice.actions.push_back({tr("Locate..."), [this, i] { emit locateAsked(int(i)); }});
  }
  emit changed();
  emit noticed(aboutFiles(*this, loaded, notice));
}

void Session::report(const LoadedPtr& loaded, Purpose purpose) {
  const Character& rig = *loaded->source->character;
  const QString file = fileNameOf(loaded->inputs.sources.front().path);
  const QString text =
      loaded->isFirst()
          ? summaryOf(rig)
          : tr("%1 is read, with %2")
                .arg(file, counted(qlonglong(rig.clips.size()), tr("clip"), tr("clips")));
  log().info("{}", utf8Of(text));
  emit reported(text);
  std::optional<Notice> notice;
  if (loaded->isFirst()) notice = importNotice(rig, purpose != Purpose::OfProject);
  if (notice && leavesJointsOut(loaded->fits)) {
    notice->actions.push_back({tr("Match joints..."), [=, this] { emit fitAsked(loaded); }});
  }
  if (notice) emit noticed(aboutFiles(*this, loaded, *notice));
  std::optional<Notice> offer;
  if (purpose == Purpose::NewRig) {
    offer = offerSmallerRig(rig, loaded->inputs.settings, [=, this](const ImportSettings& smaller) {
      read(makeLoaded({loaded->inputs.sources, smaller}, true), Purpose::NewRig);
    });
  } else if (purpose == Purpose::Joins) {
    offer = offerSmallerActors(rig, file, [=, this](double scale) {
      document_.edit(tr("Scale of %1").arg(file), [&](Project& project) {
        for (std::size_t i = 0; i < project.actors.size(); ++i) {
          Actor actor = project.actors[i];
          if (&of(actor.character) != loaded.get()) continue;
          actor.scale *= static_cast<float>(scale);
          project.actors.set(i, actor);
        }
      });
    });
  }
  if (offer) emit noticed(aboutFiles(*this, loaded, *offer));
}

void Session::importRig(const QStringList& paths) {
  read(makeLoaded({sourcesOf(paths), {}}, true), Purpose::NewRig);
}

void Session::addClips(const QStringList& paths) {
  ImportInputs inputs = importInputs(document_.project().characters.front());
  const std::vector<SourceFile> more = sourcesOf(paths);
  inputs.sources.insert(inputs.sources.end(), more.begin(), more.end());
  read(makeLoaded(inputs, true), Purpose::MoreClips);
}

LoadedPtr Session::fit(const LoadedPtr& loaded, const ImportInputs& inputs) {
  const bool inProject = numberOf(loaded) >= 0;
  if (!inProject) stop(*loaded);
  LoadedPtr again = makeLoaded(inputs, loaded->isFirst());
  again->replaces = inProject ? loaded->inputs : loaded->replaces;
  read(again, inProject ? Purpose::Refit : loaded->purpose);
  return again;
}

void Session::reload(int number) {
  if (!of(number).inputs.sources.empty()) read(now_[std::size_t(number)], Purpose::OfProject);
}

// A file that is already a character is added as its variant.
void Session::addCharacters(const QStringList& paths) {
  for (const SourceFile& source : sourcesOf(paths)) {
    const LoadedPtr loaded = makeLoaded({{source}, {}}, false);
    const std::optional<int> same = characterFrom(document_.project(), source).variantOf;
    if (!same) {
      read(loaded, Purpose::Joins);
    } else {
      if (state(*same) == CharacterState::Refused) reload(*same);
      join(loaded);
    }
  }
}

void Session::join(const LoadedPtr& loaded) {
  const SourceFile& file = loaded->inputs.sources.front();
  ProjectCharacter added = characterFrom(document_.project(), file);
  const bool variant = added.variantOf.has_value();
  const CharacterPtr rig = variant ? character(*added.variantOf) : loaded->character();
  if (!variant) {
    added.clips = clipsAfterReading(added, *loaded->source);
    earlier_.push_front(loaded);
  }
  const QString edit = tr("Add %1").arg(textOf(added.title));
  addToProject(edit, std::move(added), rig);
  if (!variant) report(loaded, Purpose::Joins);
}

void Session::addVariant(int of, const QString& title,
                         const std::vector<std::string>& hiddenMeshes) {
  ProjectCharacter added{.title = utf8Of(title), .hiddenMeshes = hiddenMeshes};
  added.variantOf = baseOf(document_.project(), of);
  addToProject(tr("Add %1").arg(title), std::move(added), character(of));
}

void Session::addToProject(const QString& undoText, ProjectCharacter added,
                           const CharacterPtr& rig) {
  std::vector<CharacterPtr> rigs = characters();
  rigs.push_back(rig);
  document_.edit(undoText, [&](Project& project) {
    const int number = addCharacter(project, std::move(added));
    mixIn(project, number, spawnParts(project, rigs));
  });
}

void Session::remove(int number) {
  if (number < 1 || number >= characterCount(document_.project())) return;
  document_.edit(tr("Remove %1").arg(textOf(characterTitle(document_.project(), number))),
                 [number](Project& project) { removeCharacter(project, number); });
}

}  // namespace ck::ui
