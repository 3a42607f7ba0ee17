#include "ui/document/project_lock.h"

#include <QFileInfo>
#include <utility>

namespace ck::ui {

namespace {

constexpr int kMarks = 2;

QString pathOf(const QFileInfo& project, int number) {
  const QString suffix = number == 0 ? QString() : QString::number(number + 1);
  return QStringLiteral("%1/.%2.lock%3").arg(project.absolutePath(), project.fileName(), suffix);
}

std::unique_ptr<QLockFile> markOf(const QFileInfo& project, int number) {
  auto lock = std::make_unique<QLockFile>(pathOf(project, number));
  // A mark is stale only if its program has ended, however long it was open.
  lock->setStaleLockTime(0);
  return lock;
}

// Whether another window holds this mark. Creates no file where there is none: that would wake the
// watchers of the folder.
bool isMarked(const QFileInfo& project, int number) {
  if (!QFileInfo::exists(pathOf(project, number))) return false;
  const auto lock = markOf(project, number);
  return !lock->tryLock(0) && lock->error() == QLockFile::LockFailedError;
}

}  // namespace

// False if another window has this mark.
bool ProjectLock::tryMark(const QString& project, int number) {
  auto lock = markOf(QFileInfo(project), number);
  if (!lock->tryLock(0)) return lock->error() != QLockFile::LockFailedError;
  project_ = QFileInfo(project).absoluteFilePath();
  number_ = number;
  lock_ = std::move(lock);
  return true;
}

bool ProjectLock::take(const QString& project) {
  if (lock_ && QFileInfo(project).absoluteFilePath() == project_) return true;
  release();
  return !isMarked(QFileInfo(project), 1) && tryMark(project, 0);
}

void ProjectLock::takeBeside(const QString& project) {
  if (!take(project)) tryMark(project, isMarked(QFileInfo(project), 0) ? 1 : 0);
}

void ProjectLock::release() {
  lock_.reset();
  project_.clear();
}

bool ProjectLock::isShared() const {
  return lock_ && isMarked(QFileInfo(project_), kMarks - 1 - number_);
}

bool ProjectLock::isTaken(const QString& project) {
  return isMarked(QFileInfo(project), 0) || isMarked(QFileInfo(project), 1);
}

}  // namespace ck::ui
