#include "ui/document/session.h"

#include <spdlog/spdlog.h>

#include <QLocale>
#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "core/project/actors/spawn.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"
#include "core/stage/scene.h"
#include "core/system/files.h"
#include "core/view/drawn_as.h"
#include "render/view/drawable_view.h"
#include "ui/document/document.h"
#include "ui/document/live_bake.h"
#include "ui/document/name_text.h"
#include "ui/document/new_project.h"
#include "ui/document/notice_causes.h"
#include "ui/document/prop_session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

// Maximum number of removed characters that are kept for undo.
constexpr std::size_t kKeptCharacters = 8;

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

// Loaders cancel their tasks when they are destroyed, which must not reach a session that is gone.
Session::~Session() {
  tasks_.disconnect(this);
}

const LoadedCharacter& Session::of(int number) const {
  static const LoadedCharacter kNone;
  const LoadedPtr there = loaded(number);
  return there ? *there : kNone;
}

Session::LoaderPtr Session::loader(int number) const {
  return number >= 0 && std::size_t(number) < now_.size() ? now_[std::size_t(number)] : nullptr;
}

LoadedPtr Session::loaded(int number) const {
  return loader(number);
}

int Session::numberOf(const LoadedPtr& loaded) const {
  const auto at = std::ranges::find(now_, loaded);
  return at == now_.end() ? -1 : int(at - now_.begin());
}

bool Session::hasRig() const {
  return std::ranges::any_of(now_, [](const LoaderPtr& one) { return one && one->source; });
}

bool Session::hasClips() const {
  return std::ranges::any_of(document_.project().characters,
                             [](const ProjectCharacter& one) { return !one.clips.empty(); });
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
  const LoaderPtr loader = this->loader(number);
  return loader && loader->isMeasuring();
}

void Session::measureAgain(int number) {
  if (atlas(number) && !isMeasuring(number)) loader(number)->measure();
  emit errorChanged();
}

void Session::measureMissing(CharacterLoader& loader) {
  if (!loader.atlas || loader.isMeasured() || loader.isMeasuring()) return;
  isBaking() ? loader.holdMeasuring(true) : loader.measure();
}

const BakeError* Session::error(int number, const DrawnAs& drawn) const {
  const LoaderPtr loader = this->loader(number);
  return loader ? loader->error(drawn) : nullptr;
}

// Measures what the view draws now, where that was not measured before. Another screen needs no
// measurement.
void Session::followView() {
  ViewSettings view = document_.project().view;
  view.pose.viewMode = ViewMode::Baked;
  view.pose = render::renderSettingsFor(view, entries(), false, {}).settings.view.pose;
  const DrawnAs before = std::exchange(drawn_, drawnAs(view));
  for (const LoaderPtr& loader : now_) {
    if (!loader) continue;
    loader->setDrawn(drawn_);
    if (drawn_ == before || !loader->atlas || loader->isMeasured()) continue;
    isBaking() ? loader->holdMeasuring(true) : loader->measure();
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

// A character is drawn from its source until it is baked.
std::vector<render::CharacterEntry> Session::entries() const {
  std::vector<render::CharacterEntry> all;
  for (int c = 0; c < characterCount(document_.project()); ++c) {
    render::CharacterEntry& entry = all.emplace_back();
    const LoadedCharacter& loaded = of(c);
    if (!loaded.source) continue;
    entry.character = loaded.source->character;
    entry.atlas = loaded.atlas;
    entry.hiddenMeshes =
        hiddenMeshesOf(document_.project().characters[std::size_t(c)], *entry.character);
  }
  return all;
}

ProjectCharacter Session::settings(int number) const {
  const CharacterSource& source = *of(number).source;
  if (!source.projectFile.empty()) return source.fromProject;
  return withoutMissingClips(baseCharacter(document_.project(), number), *source.character);
}

BakeState Session::bakeState(int number) const {
  const LoaderPtr loader = this->loader(number);
  if (!loader || !loader->source) return BakeState::NoRig;
  if (clipsOf(document_.project(), number).empty()) return BakeState::NoClips;
  const ProjectCharacter settings = this->settings(number);
  if (!anyClipTicked(settings)) return BakeState::NothingTicked;
  if (loader->isBaking()) return BakeState::Baking;
  if (!loader->atlas) return BakeState::Missing;
  return bakeInputs(settings) == loader->bakedBy ? BakeState::UpToDate : BakeState::Outdated;
}

bool Session::isBaking() const {
  return std::ranges::any_of(now_, [](const LoaderPtr& one) { return one && one->isBaking(); });
}

std::vector<MissingClip> Session::missing(int number) const {
  const CharacterPtr rig = character(number);
  return rig ? missingClips(document_.project(), number, *rig) : std::vector<MissingClip>();
}

QString Session::refusal(int number) const {
  const Result<BakeCost>* cost = this->cost(number);
  return cost && !*cost ? textOf(cost->error().message) : QString();
}

Session::LoaderPtr Session::makeLoader(const ImportInputs& inputs) {
  const auto loader = std::make_shared<CharacterLoader>(inputs, tasks_, quick_);
  loader->setDrawn(drawn_);
  CharacterLoader* from = loader.get();
  connect(from, &CharacterLoader::wasRead, this,
          [this, from](const CharacterStage& stage, bool first) {
            onRead(from->shared_from_this(), stage, first);
          });
  connect(from, &CharacterLoader::refused, this,
          [this, from](const Error& error) { onRefused(from->shared_from_this(), error); });
  connect(from, &CharacterLoader::baked, this, [this, from] { onBaked(from->shared_from_this()); });
  connect(from, &CharacterLoader::bakeEnded, this,
          [this, from] { onBakeEnded(from->shared_from_this()); });
  connect(from, &CharacterLoader::failed, this, &Session::notify);
  connect(from, &CharacterLoader::counted, this, &Session::costChanged);
  connect(from, &CharacterLoader::measured, this, &Session::errorChanged);
  connect(from, &CharacterLoader::changed, this, &Session::changed);
  return loader;
}

// Existing results for these sources, for the character of this number.
Session::LoaderPtr Session::known(const ImportInputs& inputs, int number,
                                  const std::vector<LoaderPtr>& before) {
  const auto fits = [&](const LoaderPtr& one) {
    return one && one->inputs == inputs && numberOf(one) < 0;
  };
  std::vector<LoaderPtr> all = before;
  all.insert(all.end(), earlier_.begin(), earlier_.end());
  // The same number is the best match.
  if (std::size_t(number) < before.size()) all.insert(all.begin(), before[std::size_t(number)]);
  const auto found = std::ranges::find_if(all, fits);
  if (found == all.end()) return nullptr;
  const LoaderPtr one = *found;
  std::erase(earlier_, one);
  return one;
}

// Assigns known results to the document's current characters, and reads the others.
void Session::follow() {
  const std::vector<LoaderPtr> before = std::exchange(now_, {});
  const Project& project = document_.project();
  std::vector<LoaderPtr> unread;
  for (int c = 0; c < characterCount(project); ++c) {
    const ProjectCharacter& asked = project.characters[std::size_t(c)];
    if (asked.variantOf) {
      now_.push_back(now_[std::size_t(*asked.variantOf)]);
      continue;
    }
    const ImportInputs inputs = importInputs(asked);
    LoaderPtr loader = asked.sources.empty() ? nullptr : known(inputs, c, before);
    if (!loader && !asked.sources.empty()) unread.push_back(loader = makeLoader(inputs));
    now_.push_back(loader);
  }
  for (const LoaderPtr& left : before) {
    if (!left || numberOf(left) >= 0) continue;
    left->stop();
    if (left->source && std::ranges::find(earlier_, left) == earlier_.end()) {
      earlier_.push_front(left);
    }
  }
  if (earlier_.size() > kKeptCharacters) earlier_.resize(kKeptCharacters);
  for (const LoaderPtr& loader : unread) read(loader, Purpose::OfProject);
  if (now_ != before) {
    followView();
    announce();
  }
  for (int c = 0; c < characterCount(project); ++c) {
    const LoaderPtr& loader = now_[std::size_t(c)];
    if (loader && std::ranges::find(before, loader) == before.end()) measureMissing(*loader);
    countCost(c);
  }
  emit bakeStateChanged();
}

// The document was replaced: running reads belong to the previous one, and refused files may have
// been repaired.
void Session::restart() {
  ++imports_;
  earlier_.clear();
  arriving_.clear();
  const std::vector<LoaderPtr> all = now_;
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!all[c] || numberOf(all[c]) != int(c)) continue;
    if (all[c]->state != CharacterState::Ready) {
      read(all[c], Purpose::OfProject);
      continue;
    }
    enter(all[c], Purpose::OfProject);
    if (bakeState(int(c)) != BakeState::UpToDate) bakeNow(int(c));
  }
}

void Session::announce() {
  if (std::vector<CharacterPtr> rigs = characters(); announced_ != rigs) {
    announced_ = std::move(rigs);
    emit rigsChanged();
  }
  emit changed();
  emit costChanged();
  emit errorChanged();
}

void Session::countCost(int number) {
  const LoaderPtr loader = this->loader(number);
  const bool isVariant = document_.project().characters[std::size_t(number)].variantOf.has_value();
  if (!isVariant && loader && loader->source) loader->count(settings(number));
}

void Session::onFinished(const QString& tag, bool cancelled) {
  if (cancelled && !tag.startsWith(CharacterLoader::kMeasuringTask)) {
    log().info("Cancelled ({}); everything is as before", tag.toStdString());
    emit reported(tr("Cancelled; everything is as before"));
  }
  emit bakeStateChanged();
}

void Session::read(const LoaderPtr& loader, Purpose purpose) {
  if (purpose != Purpose::OfProject) ++imports_;
  loader->purpose = purpose;
  const int number = numberOf(loader);
  ProjectCharacter asked;
  std::filesystem::path beside;
  if (number < 0) {
    // The newest reading for the same place counts. Any number of characters may join.
    std::erase_if(arriving_, [&](const LoaderPtr& one) {
      return one == loader || (purpose != Purpose::Joins && one->purpose != Purpose::Joins &&
                               one->replaces == loader->replaces);
    });
    arriving_.push_back(loader);
  } else if (purpose == Purpose::OfProject) {
    asked = document_.project().characters[std::size_t(number)];
    const QString file = document_.readFrom();
    if (number == 0 && !file.isEmpty()) beside = atlasBeside(pathFromText(utf8Of(file)));
  }
  loader->read(std::move(asked), beside);
  if (number >= 0) emit changed();
}

void Session::onRead(const LoaderPtr& loader, const CharacterStage& stage, bool first) {
  const Purpose purpose = loader->purpose;
  if (purpose == Purpose::Joins) {
    return stage.atlas ? join(loader) : loader->bake(stage.settings);
  }
  enter(loader, purpose);
  report(loader, purpose);
  const bool opens = first && purpose == Purpose::OfProject;
  for (const Notice& notice : changeNotices(document_, *this, loader, opens)) emit noticed(notice);
  if (!loader->atlas) bakeNow(numberOf(loader));
}

// The only place where the result of reading changes the document.
void Session::enter(const LoaderPtr& loader, Purpose purpose) {
  std::erase(arriving_, loader);
  // Reading again with the same inputs replaces the result.
  for (LoaderPtr& one : now_) {
    if (purpose == Purpose::NewRig && one && one->inputs == loader->inputs) one = loader;
  }
  if (numberOf(loader) < 0) earlier_.push_front(loader);
  announce();
  const Character& rig = *loader->source->character;
  const ImportInputs& inputs = loader->inputs;
  if (purpose == Purpose::NewRig) {
    startProject(document_, rig, inputs);
  } else if (purpose == Purpose::MoreClips || purpose == Purpose::Refit) {
    const bool more = purpose == Purpose::MoreClips;
    document_.edit(more ? tr("Add clips") : tr("Fit files"), [&](Project& project) {
      const auto at = std::ranges::find(project.characters, loader->replaces, &importInputs);
      if (at == project.characters.end()) return;  // it was removed meanwhile
      at->sources = inputs.sources;
      at->import = inputs.settings;
      adoptClips(project, int(at - project.characters.begin()), *loader->source);
    });
  } else if (const int number = numberOf(loader); number >= 0) {
    document_.edit(tr("Take over clips"),
                   [&](Project& project) { adoptClips(project, number, *loader->source); });
  }
  if (const int number = numberOf(loader); number >= 0) {
    measureMissing(*loader);
    countCost(number);
  }
  emit bakeStateChanged();
}

void Session::bakeNow(int number) {
  const BakeState state = bakeState(number);
  if (state < BakeState::Missing) return;
  const ProjectCharacter settings = this->settings(number);
  const LoaderPtr loader = this->loader(number);
  if (state == BakeState::Baking && bakeInputs(settings) == loader->asked) return;
  // Measuring starts later, so that the artist waits for the bake only.
  for (const LoaderPtr& one : now_) {
    if (one && one != loader) one->holdMeasuring(false);
  }
  loader->bake(settings);
}

void Session::onBaked(const LoaderPtr& loader) {
  if (loader->purpose == Purpose::Joins) return join(loader);
  followView();  // what can be drawn depends on the atlases
  emit changed();
  emit errorChanged();
  emit bakeStateChanged();
  const std::size_t count = loader->atlas->clips.size();
  QString what = counted(qlonglong(count), tr("clip"), tr("clips"));
  if (characterCount(document_.project()) > 1) {
    what = tr("%1 of %2").arg(what, fileNameOf(loader->inputs.sources.front().path));
  }
  const QString text =
      tr("Baked %1 in %2 s").arg(what, QLocale().toString(loader->bakeSeconds, 'f', 2));
  log().info("{}", utf8Of(text));
  emit reported(text);
  loader->measure();
}

// Resumes measurements that the bake has put off, and measures the rest for an atlas that stays.
void Session::onBakeEnded(const LoaderPtr& loader) {
  for (const LoaderPtr& one : now_) {
    if (one) one->resumeMeasuring();
  }
  if (numberOf(loader) >= 0) measureMissing(*loader);
  emit bakeStateChanged();
}

void Session::notify(const Error& error) {
  emit noticed(aboutCharacters(document_, errorNotice(error)));
}

void Session::onRefused(const LoaderPtr& loader, const Error& error) {
  std::erase(arriving_, loader);
  if (const auto walls = sandboxNotice()) emit noticed(*walls);
  const auto& sources = loader->inputs.sources;
  Notice notice = refusalNotice(loader->inputs, error);
  const bool unfit = !isProjectPath(sources.front().path) &&
                     std::ranges::any_of(loader->fits.files, &ClipFitReport::refused);
  if (unfit)
    notice.actions.push_back({tr("Match joints..."), [=, this] { emit fitAsked(loader); }});
  notice.actions.push_back({tr("Try again"), [this, loader] { read(loader, loader->purpose); }});
  for (const SourceFile& source : sources) {
    const bool isMissing = source.path == error.file && error.code == ErrorCode::FileNotFound;
    if (!isMissing || numberOf(loader) < 0) continue;
    notice.actions.push_back(
        {tr("Locate..."), [this, path = textOf(source.path)] { emit locateAsked(path); }});
  }
  emit changed();
  emit noticed(aboutFiles(*this, loader, notice));
}

void Session::report(const LoaderPtr& loader, Purpose purpose) {
  const Character& rig = *loader->source->character;
  const QString file = fileNameOf(loader->inputs.sources.front().path);
  const QString text =
      purpose == Purpose::Joins
          ? tr("%1 is read, with %2")
                .arg(file, counted(qlonglong(rig.clips.size()), tr("clip"), tr("clips")))
          : summaryOf(rig);
  log().info("{}", utf8Of(text));
  emit reported(text);
  // The bar shows the latest message first: those with something to do come after this one.
  if (const auto walls = sandboxNotice()) emit noticed(*walls);
  std::optional<Notice> notice = importNotice(rig, purpose != Purpose::OfProject);
  if (notice && leavesJointsOut(loader->fits)) {
    notice->actions.push_back({tr("Match joints..."), [=, this] { emit fitAsked(loader); }});
  }
  if (notice) emit noticed(aboutFiles(*this, loader, *notice));
  std::optional<Notice> offer;
  if (purpose == Purpose::NewRig) {
    const auto again = [=, this](const ImportSettings& sized) {
      read(makeLoader({loader->inputs.sources, sized}), Purpose::NewRig);
    };
    offer = offerSmallerRig(rig, loader->inputs.settings, again);
    if (!offer) offer = offerHeight(rig, loader->inputs.settings, again);
  } else if (purpose == Purpose::Joins) {
    offer = offerSmallerActors(rig, file, [=, this](double scale) {
      document_.edit(tr("Scale of %1").arg(file), [&](Project& project) {
        for (std::size_t i = 0; i < project.actors.size(); ++i) {
          Actor actor = project.actors[i];
          if (&of(actor.character) != loader.get()) continue;
          actor.scale *= static_cast<float>(scale);
          project.actors.set(i, actor);
        }
      });
    });
  }
  if (offer) emit noticed(aboutFiles(*this, loader, *offer));
}

void Session::importRig(const QStringList& paths) {
  read(makeLoader({sourcesOf(paths), {}}), Purpose::NewRig);
}

void Session::addClips(int number, const QStringList& paths) {
  ImportInputs inputs = importInputs(baseCharacter(document_.project(), number));
  const LoaderPtr loader = makeLoader(inputs);
  loader->replaces = inputs;
  const std::vector<SourceFile> more = sourcesOf(paths);
  loader->inputs.sources.insert(loader->inputs.sources.end(), more.begin(), more.end());
  read(loader, Purpose::MoreClips);
}

LoadedPtr Session::fit(const LoadedPtr& loaded, const ImportInputs& inputs) {
  const bool inProject = numberOf(loaded) >= 0;
  std::erase(arriving_, loaded);
  const LoaderPtr again = makeLoader(inputs);
  again->replaces = inProject ? loaded->inputs : loaded->replaces;
  read(again, inProject ? Purpose::Refit : loaded->purpose);
  return again;
}

void Session::reload(int number) {
  if (const LoaderPtr loader = this->loader(number)) read(loader, Purpose::OfProject);
}

// A file that is already a character is added as its variant.
void Session::addCharacters(const QStringList& paths) {
  for (const SourceFile& source : sourcesOf(paths)) {
    const LoaderPtr loader = makeLoader({{source}, {}});
    const std::optional<int> same = characterFrom(document_.project(), source).variantOf;
    if (!same) {
      read(loader, Purpose::Joins);
    } else {
      if (state(*same) == CharacterState::Refused) reload(*same);
      join(loader);
    }
  }
}

void Session::join(const LoaderPtr& loader) {
  std::erase(arriving_, loader);
  loader->purpose = Purpose::OfProject;
  const SourceFile& file = loader->inputs.sources.front();
  ProjectCharacter added = characterFrom(document_.project(), file);
  const bool variant = added.variantOf.has_value();
  const CharacterPtr rig = variant ? character(*added.variantOf) : loader->character();
  if (!variant) {
    added.clips = clipsAfterReading(added, *loader->source);
    earlier_.push_front(loader);
  }
  const QString edit = tr("Add %1").arg(nameText(added.title));
  addToProject(edit, std::move(added), rig);
  if (!variant) report(loader, Purpose::Joins);
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
    mixIn(project, chosenCrowd(project), number, spawnParts(project, rigs));
  });
}

void Session::remove(int number) {
  if (number < 1 || number >= characterCount(document_.project())) return;
  document_.edit(tr("Remove %1").arg(nameText(characterTitle(document_.project(), number))),
                 [number](Project& project) { removeCharacter(project, number); });
}

}  // namespace ck::ui
