#include "ui/document/source_watch.h"

#include <spdlog/spdlog.h>

#include <QFileInfo>
#include <QSet>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/log.h"
#include "core/project/characters.h"
#include "core/project/source_files.h"
#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

constexpr int kPauseMs = 300;

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
  connect(&pause_, &QTimer::timeout, this, &SourceWatch::compare);
  const auto touched = [this] { pause_.start(); };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, touched);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, touched);
  connect(&document, &Document::changed, this, [this](const Project& before, const Project& now) {
    if (sourcePaths(before) != sourcePaths(now)) watch();
  });
  connect(&document, &Document::replaced, this, [this] {
    known_.clear();
    missing_.clear();
    watch();
  });
  watch();
}

void SourceWatch::setOn(bool on) {
  if (on == on_) return;
  on_ = on;
  // What changes meanwhile is not read; what changes from now on is.
  known_.clear();
  watch();
}

// Tells the system which paths to watch: those that are there.
void SourceWatch::watch() {
  QSet<QString> wanted;
  if (on_) {
    for (const std::string& path : sourcePaths(document_.project())) {
      const QFileInfo file(textOf(path));
      if (file.exists()) wanted.insert(file.absoluteFilePath());
      if (QFileInfo::exists(file.absolutePath())) wanted.insert(file.absolutePath());
    }
  }
  const QStringList all = watcher_.files() + watcher_.directories();
  const QSet<QString> watched(all.begin(), all.end());
  const QSet<QString> old = watched - wanted;
  const QSet<QString> fresh = wanted - watched;
  if (!old.isEmpty()) watcher_.removePaths(old.values());
  if (!fresh.isEmpty()) watcher_.addPaths(fresh.values());
  // Files of which nothing is known yet.
  if (on_ && !wanted.isEmpty()) pause_.start();
}

void SourceWatch::compare() {
  if (!on_) return;
  const auto work = [paths = sourcePaths(document_.project())](const JobContext& job) {
    std::map<std::string, std::uint64_t> hashes;
    for (const std::string& path : paths) {
      if (job.stopRequested()) break;
      if (const auto hash = hashOfSource(pathFromText(path))) hashes[path] = *hash;
    }
    return hashes;
  };
  tasks_.run(QStringLiteral("watch"), tr("Looking at sources"), work,
             [this](const std::map<std::string, std::uint64_t>& now) { take(now); });
}

void SourceWatch::take(const std::map<std::string, std::uint64_t>& now) {
  const Project& project = document_.project();
  std::vector<std::string> different;
  for (const auto& [path, hash] : now) {
    std::uint64_t before = hash;
    if (const auto seen = known_.find(path); seen != known_.end()) {
      before = seen->second;
    } else {
      // What was read may be older than what is there now.
      for (int c = 0; c < characterCount(project); ++c) {
        const LoadedCharacter& loaded = session_.of(c);
        if (loaded.source && loaded.source->hashes.contains(path)) {
          before = loaded.source->hashes.at(path);
        }
      }
    }
    known_[path] = hash;
    if (before != hash || missing_.contains(path)) different.push_back(path);
  }
  missing_.clear();
  for (const std::string& path : sourcePaths(project)) {
    if (!now.contains(path)) missing_.insert(path);
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
  // A file that was replaced is not watched any more.
  const QStringList watched = watcher_.files();
  for (const auto& [path, hash] : now) {
    const QString file = QFileInfo(textOf(path)).absoluteFilePath();
    if (!watched.contains(file)) watcher_.addPath(file);
  }
}

}  // namespace ck::ui
