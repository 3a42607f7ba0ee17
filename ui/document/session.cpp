#include "ui/document/session.h"

#include <fmt/format.h>

#include <QSet>

#include <spdlog/spdlog.h>

#include <QElapsedTimer>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "core/atlas/atlas_file.h"
#include "core/base/files.h"
#include "core/base/log.h"
#include "core/project/cast.h"
#include "ui/document/cast_session.h"
#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

constexpr std::size_t kKeptCharacters = 3;
// Made a hundred times smaller, a figure is at least this tall if centimetres were meant.
constexpr double kShortestMeters = 0.5;
constexpr double kPersonMeters = 1.75;

const QString kImport = QStringLiteral("import");
const QString kBake = QStringLiteral("bake");
const QString kMeasure = QStringLiteral("measure");
const QString kExport = QStringLiteral("export");
const QString kCost = QStringLiteral("cost");
const QString kWindows = QStringLiteral("windows");
const QString kKeep = QStringLiteral("keep");

std::vector<std::filesystem::path> pathsOf(const ImportInputs& inputs) {
  std::vector<std::filesystem::path> paths;
  for (const SourceFile& source : inputs.sources) paths.push_back(pathFromText(source.path));
  return paths;
}

QString fileNameOf(const SourceFile& source) {
  return QFileInfo(textOf(source.path)).fileName();
}

}  // namespace

Session::Session(Document& document, TaskRunner& tasks, QObject* parent)
    : QObject(parent),
      document_(document),
      tasks_(tasks),
      cast_(new CastSession(document, *this, tasks, this)),
      props_(new PropSession(document, tasks, this)) {
  connect(props_, &PropSession::noticed, this, &Session::noticed);
  connect(cast_, &CastSession::noticed, this, &Session::noticed);
  connect(cast_, &CastSession::reported, this, &Session::reported);
  connect(&document, &Document::changed, this, &Session::onChanged);
  connect(&tasks, &TaskRunner::started, this, &Session::bakeStateChanged);
  connect(&tasks, &TaskRunner::finished, this, [this](const QString& tag, bool cancelled) {
    if (cancelled && tag == kBake && now_.atlas && !now_.error) startMeasuring();
    if (tag == kBake) cast_->resumeMeasuring();
    if (cancelled && tag == kMeasure) emit bakeErrorChanged();
    if (cancelled && !tag.startsWith(kMeasure)) {
      log().info("Cancelled ({}); everything is as before", tag.toStdString());
      emit reported(tr("Cancelled; everything is as before"));
    }
    emit bakeStateChanged();
  });
}

BakeState Session::bakeState() const {
  const Project& project = document_.project();
  if (!now_.character) return BakeState::NoRig;
  if (project.clips.empty()) return BakeState::NoClips;
  if (!anyClipTicked(project)) return BakeState::NothingTicked;
  if (tasks_.isBusy(kBake)) return BakeState::Baking;
  if (!now_.atlas) return BakeState::Missing;
  return bakeInputs(project) == now_.atlasSettings ? BakeState::UpToDate : BakeState::Outdated;
}

bool Session::isMeasuring() const {
  return tasks_.isBusy(kMeasure);
}

void Session::measureAgain() {
  if (now_.atlas && !isMeasuring()) startMeasuring();
  emit bakeErrorChanged();
}

void Session::onChanged(const Project& before, const Project& now) {
  const ImportInputs inputs = importInputs(now);
  if (inputs != now_.inputs) {
    const auto kept = std::find_if(earlier_.begin(), earlier_.end(),
                                   [&](const Loaded& one) { return one.inputs == inputs; });
    if (inputs.sources.empty()) {
      tasks_.cancel(kImport);
      install({});
    } else if (kept != earlier_.end()) {
      Loaded loaded = *kept;
      earlier_.erase(kept);
      install(std::move(loaded));
    } else {
      startImport(inputs, Adopt::SameClips);
    }
    return;
  }
  if (bakeInputs(before) != bakeInputs(now) || before.clips != now.clips) {
    startCost();
    emit bakeStateChanged();
  }
}

void Session::importRig(const QStringList& paths) {
  ImportInputs inputs;
  for (const QString& path : paths) {
    inputs.sources.push_back({utf8Of(QFileInfo(path).absoluteFilePath())});
  }
  startImport(inputs, Adopt::NewRig);
}

void Session::addClips(const QStringList& paths) {
  ImportInputs inputs = importInputs(document_.project());
  for (const QString& path : paths) {
    inputs.sources.push_back({utf8Of(QFileInfo(path).absoluteFilePath())});
  }
  startImport(inputs, Adopt::MoreClips);
}

void Session::reimport() {
  const ImportInputs inputs = importInputs(document_.project());
  if (!inputs.sources.empty()) startImport(inputs, Adopt::SameClips);
}

void Session::startImport(const ImportInputs& inputs, Adopt adopt) {
  const QString title = tr("Reading %1").arg(fileNameOf(inputs.sources.back()));
  tasks_.start(kImport, title, [this, inputs, adopt](JobContext job) -> TaskRunner::Deliver {
    Result<Character> character = importWithClips(pathsOf(inputs), inputs.settings, {}, job);
    if (!character) {
      return [this, error = character.error(), inputs] { importRefused(error, inputs); };
    }
    Loaded loaded{inputs, std::make_shared<Character>(std::move(*character)), {}, {}, {}, {}};
    for (const Clip& clip : loaded.character->clips) {
      loaded.seams.push_back(measureSeam(*loaded.character, clip));
    }
    return [this, loaded, adopt] { installImport(loaded, adopt); };
  });
}

void Session::importRefused(const Error& error, const ImportInputs& inputs) {
  if (error.code == ErrorCode::Cancelled) return;
  log().error("{}", error.message);
  Notice notice{Notice::Level::Error, textOf(error.message), {}};
  notice.actions.push_back({tr("Try again"), [this, inputs] {
                              const bool open = inputs == importInputs(document_.project());
                              startImport(inputs, open ? Adopt::SameClips : Adopt::NewRig);
                            }});
  const bool ours = inputs == importInputs(document_.project());
  for (std::size_t i = 0; ours && i < inputs.sources.size(); ++i) {
    if (inputs.sources[i].path != error.file || error.code != ErrorCode::FileNotFound) continue;
    notice.actions.push_back({tr("Locate..."), [this, i] { emit locateAsked(int(i)); }});
  }
  emit noticed(notice);
}

void Session::installImport(Loaded loaded, Adopt adopt) {
  const CharacterPtr character = loaded.character;
  const ImportInputs inputs = loaded.inputs;
  // First the character, then the edit: the document's change then finds its inputs satisfied.
  install(std::move(loaded));
  if (adopt == Adopt::NewRig) {
    document_.edit(tr("Import %1").arg(textOf(character->name)), [&](Project& project) {
      Project fresh = newProjectFor(*character, inputs.sources);
      fresh.import = inputs.settings;
      fresh.view = project.view;
      project = std::move(fresh);
    });
  } else if (adopt == Adopt::MoreClips) {
    document_.edit(tr("Add clips"), [&](Project& project) {
      project.sources = inputs.sources;
      adoptClips(project, *character);
    });
  } else {
    document_.edit(tr("Take over clips"),
                   [&](Project& project) { adoptClips(project, *character); });
  }
  reportNotes(*character, adopt);
  if (adopt == Adopt::NewRig) offerScaling(*character, inputs);
  if (!now_.atlas) bakeNow();
}

void Session::install(Loaded loaded) {
  tasks_.cancel(kBake);
  tasks_.cancel(kMeasure);
  if (now_.character) {
    earlier_.push_front(std::move(now_));
    if (earlier_.size() > kKeptCharacters) earlier_.pop_back();
  }
  now_ = std::move(loaded);
  if (now_.character && !now_.atlas && !document_.readFrom().isEmpty()) {
    const auto file = atlasBeside(pathFromText(utf8Of(document_.readFrom())));
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
      const BakeSettings settings = bakeInputs(document_.project());
      Result<Atlas> atlas = readAtlasFile(file);
      if (!atlas) {
        log().warn("{}; the clips are baked again", atlas.error().message);
      } else if (atlasFits(*atlas, *now_.character, settings)) {
        now_.atlas = std::make_shared<Atlas>(std::move(*atlas));
        now_.atlasSettings = settings;
      }
    }
  }
  emit characterChanged();
  emit atlasChanged();
  emit bakeErrorChanged();
  startCost();
  if (now_.atlas && !now_.error) startMeasuring();
  emit bakeStateChanged();
}

void Session::reportNotes(const Character& character, Adopt adopt) {
  std::size_t vertices = 0;
  for (const Mesh& mesh : character.meshes) vertices += mesh.positions.size();
  const QLocale locale;
  const QString summary =
      tr("%1: %2 vertices, %3 joints, %4")
          .arg(textOf(character.name), locale.toString(qulonglong(vertices)),
               locale.toString(qulonglong(character.rig.joints.size())),
               counted(qlonglong(character.clips.size()), tr("clip"), tr("clips")));
  log().info("{}", utf8Of(summary));
  emit reported(summary);
  QStringList warnings;
  for (const Note& note : character.notes) {
    if (note.level == Note::Level::Warning) {
      log().warn("{}: {}", character.name, note.message);
      warnings << textOf(note.message);
    } else {
      log().info("{}: {}", character.name, note.message);
    }
  }
  if (character.clips.empty()) {
    emit noticed({Notice::Level::Warning,
                  tr("%1 has a rig but no clips. Add clips from another file (Ctrl+Shift+I).")
                      .arg(textOf(character.name)),
                  {}});
  } else if (!warnings.isEmpty() && adopt != Adopt::SameClips) {
    const QString more =
        warnings.size() > 1 ? tr(" (%1 more in the log)").arg(warnings.size() - 1) : QString();
    emit noticed({Notice::Level::Warning, warnings.first() + more, {}});
  }
}

// A character as tall as a house was most likely made in centimetres by a program that did not say
// so.
void Session::offerScaling(const Character& character, const ImportInputs& inputs) {
  if (inputs.settings.unitScale > 0.0 || inputs.settings.heightMeters > 0.0) return;
  const double height = heightOf(character);
  if (height < kTallestMeters) return;
  const bool centimeters = height * 0.01 >= kShortestMeters;
  const QLocale locale;
  ImportInputs smaller = inputs;
  if (centimeters) {
    smaller.settings.unitScale = character.source.unitScale * 0.01;
  } else {
    smaller.settings.heightMeters = kPersonMeters;
  }
  Notice notice{Notice::Level::Hint,
                (centimeters ? tr("%1 is %2 m tall; it looks like centimetres.")
                             : tr("%1 is %2 m tall; its unit is hardly metres."))
                    .arg(textOf(character.name), locale.toString(height, 'f', 0)),
                {}};
  notice.actions.push_back(
      {centimeters ? tr("Scale by 0.01") : tr("Make it %1 m").arg(locale.toString(kPersonMeters)),
       [this, smaller] { startImport(smaller, Adopt::NewRig); }});
  notice.actions.push_back({tr("Keep"), [] {}});
  emit noticed(notice);
}

// Looks only at those clips again that were changed.
void Session::startWindows() {
  const Project& project = document_.project();
  std::vector<BakeClip> clips;
  for (const ProjectClip& clip : project.clips) clips.push_back(bakeClipOf(clip));
  BakeSettings settings = project.bake;
  settings.clips.clear();
  std::vector<std::optional<BakeWindow>> known(clips.size());
  const bool sameRig = windowCharacter_ == now_.character && windowSettings_ == settings;
  for (std::size_t i = 0; i < clips.size() && sameRig; ++i) {
    const auto at = std::find(windowClips_.begin(), windowClips_.end(), clips[i]);
    if (at != windowClips_.end()) known[i] = windows_[std::size_t(at - windowClips_.begin())];
  }
  const auto work = [=, this, character = now_.character](JobContext job) -> TaskRunner::Deliver {
    std::vector<std::optional<BakeWindow>> windows = known;
    for (std::size_t i = 0; i < clips.size() && character; ++i) {
      if (windows[i] || job.stopRequested()) continue;
      auto window = planWindow(*character, clips[i], settings);
      if (window) windows[i] = std::move(*window);
    }
    return [=, this] {
      windowClips_ = clips;
      windowSettings_ = settings;
      windowCharacter_ = character;
      windows_ = windows;
      emit windowsChanged();
    };
  };
  quick_.start(kWindows, tr("Looking at the clips"), work);
}

void Session::startCost() {
  startWindows();
  if (!now_.character || !anyClipTicked(document_.project())) {
    quick_.cancel(kCost);
    cost_.reset();
    emit costChanged();
    return;
  }
  const auto work = [this, character = now_.character, settings = bakeInputs(document_.project())](
                        JobContext) -> TaskRunner::Deliver {
    return [this, cost = bakeCost(*character, settings)] {
      cost_ = cost;
      emit costChanged();
    };
  };
  quick_.start(kCost, tr("Counting"), work);
}

QString Session::refusal() const {
  return cost_ && !*cost_ ? textOf(cost_->error().message) : QString();
}

void Session::bakeNow() {
  const BakeState state = bakeState();
  if (state != BakeState::Missing && state != BakeState::Outdated && state != BakeState::UpToDate) {
    return;
  }
  const CharacterPtr character = now_.character;
  const BakeSettings settings = bakeInputs(document_.project());
  tasks_.cancel(kMeasure);
  cast_->holdMeasuring();
  tasks_.start(kBake, tr("Baking"), [=, this](JobContext job) -> TaskRunner::Deliver {
    QElapsedTimer timer;
    timer.start();
    Result<BakeResult> baked = bake(*character, settings, job);
    if (!baked) {
      return [this, error = baked.error()] {
        if (error.code == ErrorCode::Cancelled) return;
        log().error("{}", error.message);
        emit noticed({Notice::Level::Error, textOf(error.message), {}});
      };
    }
    const double seconds = double(timer.elapsed()) / 1000.0;
    const AtlasPtr atlas = std::make_shared<Atlas>(std::move(baked->atlas));
    return [this, atlas, notes = baked->notes, settings, seconds] {
      for (const Note& note : notes) {
        log().log(note.level == Note::Level::Warning ? spdlog::level::warn : spdlog::level::info,
                  "{}", note.message);
      }
      installAtlas(atlas, settings, true, seconds);
    };
  });
}

void Session::installAtlas(AtlasPtr atlas, const BakeSettings& settings, bool fresh,
                           double seconds) {
  now_.atlas = std::move(atlas);
  now_.atlasSettings = settings;
  now_.error.reset();
  emit atlasChanged();
  emit bakeErrorChanged();
  emit bakeStateChanged();
  if (fresh) {
    const QString text =
        tr("Baked %1 in %2 s")
            .arg(counted(qlonglong(now_.atlas->clips.size()), tr("clip"), tr("clips")),
                 QLocale().toString(seconds, 'f', 2));
    log().info("{}", utf8Of(text));
    emit reported(text);
  }
  startMeasuring();
}

void Session::startMeasuring() {
  tasks_.start(kMeasure, tr("Measuring the error"),
               [this, character = now_.character,
                atlas = now_.atlas](JobContext job) -> TaskRunner::Deliver {
                 Result<BakeError> error = measureBakeError(*character, *atlas, job);
                 return [this, atlas, error] {
                   if (atlas != now_.atlas) return;
                   if (error) {
                     now_.error = *error;
                   } else {
                     log().error("{}", error.error().message);
                   }
                   emit bakeErrorChanged();
                 };
               });
}

// Titles that differ may have one name as files, and some file systems take no notice of case.
static std::string freeName(const std::string& wanted, QSet<QString>& taken) {
  std::string name = wanted;
  for (int number = 2; taken.contains(textOf(name).toLower()); ++number) {
    name = fmt::format("{}-{}", wanted, number);
  }
  taken.insert(textOf(name).toLower());
  return name;
}

// The own atlas is called `name`; those of further characters have their titles behind it.
void Session::exportTo(const QString& folder, const QString& name, const ExportSettings& settings) {
  if (!now_.atlas) return;
  std::vector<CastAtlas> atlases = cast_->atlases();
  atlases.insert(atlases.begin(),
                 CastAtlas{{}, now_.atlas, {}, document_.project().clips, now_.error});
  for (const SourceFile& source : now_.inputs.sources) {
    atlases.front().files.push_back(source.path);
  }
  const auto work = [this, atlases, name = utf8Of(name), path = pathFromText(utf8Of(folder)),
                     settings](JobContext job) -> TaskRunner::Deliver {
    std::vector<ExportedFile> written;
    QSet<QString> taken{textOf(name).toLower()};
    for (std::size_t i = 0; i < atlases.size(); ++i) {
      const CastAtlas& one = atlases[i];
      const std::string called =
          i == 0 ? name : freeName(name + "-" + safeFileName(one.title), taken);
      ExportSettings recorded = settings;
      recorded.clipSources = clipSourcesOf(one.files);
      recorded.clipEvents = atlasEvents(*one.atlas, one.clips);
      const BakeError* measured = one.error ? &*one.error : nullptr;
      const float steps = static_cast<float>(atlases.size());
      const auto files =
          exportAtlas(*one.atlas, called, path, recorded, measured,
                      job.part(static_cast<float>(i) / steps, static_cast<float>(i + 1) / steps));
      if (!files) {
        return [this, failure = files.error()] {
          if (failure.code == ErrorCode::Cancelled) return;
          log().error("{}", failure.message);
          emit noticed({Notice::Level::Error, textOf(failure.message), {}});
        };
      }
      written.insert(written.end(), files->begin(), files->end());
    }
    return [this, written, path] {
      for (const ExportedFile& file : written) {
        log().info("Exported {} ({} bytes, xxh3 {})", file.name, file.bytes, file.xxh3);
      }
      emit reported(tr("Verified: %1 in %2 read back the same as the bake")
                        .arg(counted(qlonglong(written.size()), tr("file"), tr("files")),
                             textOf(pathText(path))));
    };
  };
  tasks_.start(kExport, tr("Exporting"), work);
}

void Session::keepAtlasBeside(const QString& projectPath) {
  if (bakeState() != BakeState::UpToDate) return;
  const auto file = atlasBeside(pathFromText(utf8Of(projectPath)));
  tasks_.start(kKeep, tr("Saving"), [atlas = now_.atlas, file](JobContext) -> TaskRunner::Deliver {
    const Result<void> written = writeAtlasFile(*atlas, file);
    if (!written) log().warn("{}", written.error().message);
    return {};
  });
}

}  // namespace ck::ui
