#include "ui/document/project_watch.h"

#include <QFileInfo>

#include <utility>

#include "core/project/project_json.h"
#include "core/system/files.h"
#include "ui/document/text.h"

namespace ck::ui {

constexpr int kPauseMs = 300;

ProjectWatch::ProjectWatch(QObject* parent) : QObject(parent) {
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  connect(&pause_, &QTimer::timeout, this, &ProjectWatch::look);
  const auto touched = [this] { pause_.start(); };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, touched);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, touched);
}

std::optional<std::uint64_t> ProjectWatch::hashOf(const QString& path) {
  const auto hash = hashOfFile(pathFromText(utf8Of(path)), kLargestProject);
  return hash ? std::optional(*hash) : std::nullopt;
}

void ProjectWatch::follow(const QString& path, std::optional<std::uint64_t> known) {
  path_ = path;
  known_ = known;
  rests_ = false;
  told_.reset();
  pause_.stop();
  const QStringList watched = watcher_.files() + watcher_.directories();
  if (!watched.isEmpty()) watcher_.removePaths(watched);
  watch();
}

// A file that is replaced by another one is not watched any more, so its folder is watched as well.
void ProjectWatch::watch() {
  if (path_.isEmpty()) return;
  const QString folder = QFileInfo(path_).absolutePath();
  for (const QString& path : {path_, folder}) {
    const bool known = watcher_.files().contains(path) || watcher_.directories().contains(path);
    if (!known && QFileInfo::exists(path)) watcher_.addPath(path);
  }
}

bool ProjectWatch::isForeign() const {
  const auto now = path_.isEmpty() ? std::nullopt : hashOf(path_);
  return now && now != known_;
}

void ProjectWatch::accept() {
  if (!path_.isEmpty()) known_ = hashOf(path_);
}

// A file that was touched meanwhile is looked at when the watch wakes.
void ProjectWatch::setResting(bool rests) {
  if (std::exchange(rests_, rests) && !rests) pause_.start();
}

void ProjectWatch::look() {
  if (rests_) return;
  watch();
  emit folderTouched();
  const auto now = hashOf(path_);
  if (!now || now == known_ || now == told_) return;
  told_ = now;
  emit changed();
}

}  // namespace ck::ui
