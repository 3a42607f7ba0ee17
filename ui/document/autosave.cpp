#include "ui/document/autosave.h"

#include <spdlog/spdlog.h>

#include <QDateTime>
#include <QDir>
#include <QStandardPaths>
#include <QUuid>
#include <algorithm>

#include "core/base/log.h"
#include "core/system/files.h"
#include "ui/document/document.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

const QString kTag = QStringLiteral("autosave");

QString lockOf(const std::filesystem::path& folder) {
  return textOf(pathText(folder / kRecoveryLock));
}

}  // namespace

std::filesystem::path Autosave::usualRoot() {
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  return pathFromText(utf8Of(data)) / "recovery";
}

Autosave::Autosave(Document& document, std::filesystem::path root, QObject* parent)
    : QObject(parent),
      document_(document),
      root_(std::move(root)),
      task_(std::make_unique<TaskRunner>()) {
  folder_ = root_ / utf8Of(QUuid::createUuid().toString(QUuid::WithoutBraces));
  QDir().mkpath(textOf(pathText(folder_)));
  lock_ = std::make_unique<QLockFile>(lockOf(folder_));
  // A lock is stale only if its program has ended.
  lock_->setStaleLockTime(0);
  if (!lock_->tryLock(0)) log().warn("{}: cannot be locked", pathText(folder_));
  connect(&document_, &Document::changed, this, &Autosave::noteChange);
  connect(&document_, &Document::replaced, this, &Autosave::forget);
  connect(&document_, &Document::titleChanged, this, [this] {
    document_.isModified() ? noteChange() : forget();  // what is saved needs no keeping
  });
  connect(&timer_, &QTimer::timeout, this, &Autosave::tick);
  timer_.start(1000);
  removeEmptyFolders();
}

// A file that is being written is removed once it is there.
void Autosave::forget() {
  ++round_;
  sinceFirst_.invalidate();
  removeRecovery(folder_);
}

Autosave::~Autosave() {
  task_.reset();
  lock_->unlock();
  removeRecovery(folder_);
}

void Autosave::setTimes(int everyMs, int idleMs) {
  everyMs_ = everyMs;
  idleMs_ = idleMs;
  timer_.start(std::clamp(idleMs / 2, 20, 1000));
}

void Autosave::noteChange() {
  if (!document_.isModified()) return;
  if (!sinceFirst_.isValid()) sinceFirst_.start();
  sinceLast_.start();
}

void Autosave::tick() {
  if (!sinceFirst_.isValid() || sinceFirst_.elapsed() < everyMs_) return;
  if (sinceLast_.elapsed() < idleMs_ && sinceFirst_.elapsed() < 2 * qint64(everyMs_)) return;
  write();
}

void Autosave::write() {
  sinceFirst_.invalidate();
  if (!document_.isModified()) return;
  const RecoveredWork work{folder_, utf8Of(document_.path()), utf8Of(document_.displayName()),
                           QDateTime::currentSecsSinceEpoch()};
  const auto task = [work, project = keptProject_ ? keptProject_() : document_.project()](
                        const JobContext& job) -> Result<void> {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the autosave was stopped");
    return writeRecovery(work, project);
  };
  const auto take = [this, round = round_](const Result<void>& done) {
    if (round != round_) return removeRecovery(folder_);
    if (!done) {
      log().warn("{}", done.error().message);
      const QString problem = textOf(done.error().message);
      if (std::exchange(problem_, problem) != problem) emit failed(done.error());
      return;
    }
    problem_.clear();
    emit written();
  };
  task_->run(kTag, tr("Keeping unsaved work"), task, take);
}

bool Autosave::isLocked(const std::filesystem::path& folder) const {
  if (folder == folder_) return true;
  QLockFile lock(lockOf(folder));
  lock.setStaleLockTime(0);
  return !lock.tryLock(0) && lock.error() == QLockFile::LockFailedError;
}

std::vector<RecoveredWork> Autosave::orphans() const {
  std::vector<RecoveredWork> all = listRecoveries(root_);
  std::erase_if(all, [this](const RecoveredWork& work) { return isLocked(work.folder); });
  return all;
}

// A window that had nothing unsaved when its program was killed leaves its mark alone.
void Autosave::removeEmptyFolders() const {
  std::error_code failed;
  std::vector<std::filesystem::path> left;
  for (auto at = std::filesystem::directory_iterator(root_, failed);
       !failed && at != std::filesystem::directory_iterator(); at.increment(failed)) {
    std::error_code unknown;
    auto inside = std::filesystem::directory_iterator(at->path(), unknown);
    const auto end = std::filesystem::directory_iterator();
    const bool isMark = !unknown && inside != end && inside->path().filename() == kRecoveryLock;
    if (isMark && inside.increment(unknown) == end) left.push_back(at->path());
  }
  // isLocked() removes the lock file of a process that has ended.
  for (const auto& folder : left) {
    if (!isLocked(folder)) removeRecovery(folder);
  }
}

void Autosave::discard(const RecoveredWork& work) {
  removeRecovery(work.folder);
}

}  // namespace ck::ui
