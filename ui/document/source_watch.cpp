#include "ui/document/source_watch.h"

#include <spdlog/spdlog.h>

#include <QDateTime>
#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <filesystem>

#include "core/base/log.h"
#include "core/project/characters.h"
#include "core/project/source_files.h"
#include "core/system/files.h"
#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

constexpr int kPauseMs = 300;
constexpr int kSearchMs = 2000;
constexpr int kFreshMs = 2000;
const QString kTag = QStringLiteral("watch");

}  // namespace

std::map<std::string, std::uint64_t> sourceHashesOf(const Project& project,
                                                    const Session& session) {
  std::map<std::string, std::uint64_t> known = project.file.sourceHashes;
  for (int c = 0; c < characterCount(project); ++c) {
    const LoadedPtr loaded = session.loaded(c);
    if (!loaded || !loaded->source) continue;
    for (const auto& [path, hash] : loaded->source->hashes) known[path] = hash;
  }
  for (const Prop& prop : project.props) {
    const auto hash = hashOfSource(pathFromText(prop.source.path));
    if (hash) known[prop.source.path] = *hash;
  }
  std::map<std::string, std::uint64_t> used;
  for (const std::string& path : sourcePaths(project)) {
    const auto found = known.find(path);
    if (found != known.end()) used.insert(*found);
  }
  return used;
}

SourceWatch::SourceWatch(const Document& document, Session& session, QObject* parent)
    : QObject(parent), document_(document), session_(session) {
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  search_.setInterval(kSearchMs);
  connect(&pause_, &QTimer::timeout, this, &SourceWatch::compare);
  connect(&search_, &QTimer::timeout, this, &SourceWatch::compare);
  const auto touched = [this] { pause_.start(); };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, touched);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, touched);
  const auto restart = [this] {
    watch();
    if (on_) pause_.start();  // of the new files nothing is known yet
  };
  connect(&document, &Document::changed, this,
          [restart](const Project& before, const Project& now) {
            if (sourcePaths(before) != sourcePaths(now)) restart();
          });
  connect(&document, &Document::replaced, this, [this, restart] {
    known_.clear();
    looks_.clear();
    tasks_.cancel(kTag);
    restart();
  });
  restart();
}

void SourceWatch::setOn(bool on) {
  if (on == on_) return;
  on_ = on;
  watch();
  if (on_) return pause_.start();
  pause_.stop();
  search_.stop();
  tasks_.cancel(kTag);
}

// Tells the system which paths to watch: those that are there.
void SourceWatch::watch() {
  QSet<QString> wanted;
  const auto want = [&wanted](const std::string& path) {
    const QFileInfo file(textOf(path));
    if (file.exists()) wanted.insert(file.absoluteFilePath());
    QString folder = file.absolutePath();
    while (!QFileInfo::exists(folder)) {
      const QString above = QFileInfo(folder).absolutePath();
      if (above == folder) return;
      folder = above;
    }
    wanted.insert(folder);
  };
  if (on_) {
    for (const std::string& path : sourcePaths(document_.project())) {
      want(path);
      const auto seen = looks_.find(path);
      if (seen != looks_.end() && seen->second)
        std::ranges::for_each(seen->second->companions, want);
    }
  }
  const QStringList all = watcher_.files() + watcher_.directories();
  const QSet<QString> watched(all.begin(), all.end());
  const QSet<QString> old = watched - wanted;
  const QSet<QString> fresh = wanted - watched;
  if (!old.isEmpty()) watcher_.removePaths(old.values());
  if (!fresh.isEmpty()) watcher_.addPaths(fresh.values());
}

// Large files are hashed only where their sizes or times have changed.
std::optional<SourceWatch::Look> SourceWatch::lookAt(const std::string& path,
                                                     const std::optional<Look>& before) {
  const std::filesystem::path file = pathFromText(path);
  const QDateTime now = QDateTime::currentDateTime();
  Look look;
  bool isOld = true;
  const auto stamp = [&](const std::string& one) {
    const QFileInfo info(textOf(one));
    const QDateTime time = info.lastModified();
    // A file that is being written may change again within the step of its clock.
    isOld = isOld && time.isValid() && time.msecsTo(now) > kFreshMs;
    look.stamp += one + ' ' + std::to_string(info.size()) + ' ' +
                  std::to_string(time.toMSecsSinceEpoch()) + '\n';
  };
  stamp(path);
  if (QFileInfo(textOf(path)).suffix().compare(QLatin1String("gltf"), Qt::CaseInsensitive) == 0) {
    for (const auto& companion : companionsOf(file)) look.companions.push_back(pathText(companion));
    std::ranges::for_each(look.companions, stamp);
  }
  if (before && !before->stamp.empty() && before->stamp == look.stamp) return before;
  const auto hash = hashOfSource(file);
  if (!hash) return std::nullopt;
  look.hash = *hash;
  if (!isOld) look.stamp.clear();
  return look;
}

void SourceWatch::compare() {
  if (!on_) return;
  const auto work = [paths = sourcePaths(document_.project()),
                     looks = looks_](const JobContext& job) {
    Looks now;
    for (const std::string& path : paths) {
      if (job.stopRequested()) break;
      const auto before = looks.find(path);
      now[path] = lookAt(path, before == looks.end() ? std::nullopt : before->second);
    }
    return now;
  };
  tasks_.run(kTag, tr("Looking at sources"), work, [this](const Looks& now) { take(now); });
}

void SourceWatch::take(const Looks& now) {
  if (!on_) return;
  const Project& project = document_.project();
  std::vector<std::string> different;
  for (const auto& [path, look] : now) {
    const auto last = looks_.find(path);
    const bool wasMissing = last != looks_.end() && !last->second;
    const bool wasThere = last != looks_.end() && last->second;
    looks_[path] = look;
    if (!look && wasThere) emit gone(textOf(path));
    if (!look) continue;
    std::uint64_t before = look->hash;
    if (const auto seen = known_.find(path); seen != known_.end()) {
      before = seen->second;
    } else {
      // The sources that were read may be older than the files that are there now.
      for (int c = 0; c < characterCount(project); ++c) {
        const LoadedCharacter& loaded = session_.of(c);
        if (loaded.source && loaded.source->hashes.contains(path)) {
          before = loaded.source->hashes.at(path);
        }
      }
    }
    known_[path] = look->hash;
    if (before != look->hash || wasMissing) different.push_back(path);
  }
  for (const std::string& path : different) {
    log().info("{} has changed and is read again", path);
    emit changed(textOf(path));
    session_.props().reload(path);
  }
  for (int c = 0; c < characterCount(project); ++c) {
    const auto& sources = project.characters[std::size_t(c)].sources;
    const bool touched = std::ranges::any_of(sources, [&](const SourceFile& source) {
      return std::ranges::find(different, source.path) != different.end();
    });
    if (touched) session_.reload(c);
  }
  // A file that was replaced is not watched any more, nor is a folder that was made anew.
  watch();
  const bool isAnyMissing =
      std::ranges::any_of(now, [](const auto& one) { return !one.second.has_value(); });
  if (!isAnyMissing) {
    search_.stop();
  } else if (!search_.isActive()) {
    search_.start();
  }
}

}  // namespace ck::ui
