#include "ui/document/project_lock.h"

#include <QFileInfo>
#include <utility>

namespace ck::ui {

namespace {

std::unique_ptr<QLockFile> markOf(const QFileInfo& project) {
  auto lock = std::make_unique<QLockFile>(
      QStringLiteral("%1/.%2.lock").arg(project.absolutePath(), project.fileName()));
  // A mark is stale only if its program has ended, however long it was open.
  lock->setStaleLockTime(0);
  return lock;
}

}  // namespace

bool ProjectLock::take(const QString& project) {
  const QFileInfo file(project);
  const QString path = file.absoluteFilePath();
  if (lock_ && path == project_) return true;
  release();
  auto lock = markOf(file);
  if (!lock->tryLock(0)) return lock->error() != QLockFile::LockFailedError;
  project_ = path;
  lock_ = std::move(lock);
  return true;
}

void ProjectLock::release() {
  lock_.reset();
  project_.clear();
}

bool ProjectLock::isTaken(const QString& project) {
  const auto lock = markOf(QFileInfo(project));
  return !lock->tryLock(0) && lock->error() == QLockFile::LockFailedError;
}

}  // namespace ck::ui
