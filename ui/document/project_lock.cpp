#include "ui/document/project_lock.h"

#include <QFileInfo>
#include <utility>

namespace ck::ui {

bool ProjectLock::take(const QString& project) {
  const QFileInfo file(project);
  const QString path = file.absoluteFilePath();
  if (lock_ && path == project_) return true;
  release();
  auto lock = std::make_unique<QLockFile>(
      QStringLiteral("%1/.%2.lock").arg(file.absolutePath(), file.fileName()));
  // A mark is stale only if its program has ended, however long it was open.
  lock->setStaleLockTime(0);
  if (!lock->tryLock(0)) return lock->error() != QLockFile::LockFailedError;
  project_ = path;
  lock_ = std::move(lock);
  return true;
}

void ProjectLock::release() {
  lock_.reset();
  project_.clear();
}

}  // namespace ck::ui
