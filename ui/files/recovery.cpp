#include "ui/files/recovery.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "core/system/files.h"
#include "ui/document/document.h"
#include "ui/document/text.h"
#include "ui/files/project_files.h"
#include "ui/viewport/notification_bar.h"

namespace ck::ui {
namespace {

// "17:58", and the day if it was another one.
QString timeOf(const RecoveredWork& work) {
  const QDateTime time = QDateTime::fromSecsSinceEpoch(work.savedAt);
  const QLocale locale;
  if (time.date() == QDate::currentDate())
    return locale.toString(time.time(), QLocale::ShortFormat);
  return locale.toString(time, QLocale::ShortFormat);
}

}  // namespace

Recovery::Recovery(Document& document, ProjectFiles& files, NotificationBar& notices,
                   const std::filesystem::path& root, QObject* parent)
    : QObject(parent),
      document_(document),
      files_(files),
      notices_(notices),
      autosave_(document, root) {
  autosave_.setProject([this] { return files_.projectOnDesk(); });
  connect(&autosave_, &Autosave::failed, this, [this](const Error& error) {
    notices_.push({Notice::Level::Warning,
                   tr("Unsaved work cannot be kept: %1").arg(textOf(error.message)),
                   {{tr("Save"), [this] { files_.save(); }}},
                   [this] { return document_.isModified(); }});
  });
  connect(&autosave_, &Autosave::written, this, &Recovery::discardOpened);
  connect(&document_, &Document::replaced, this, [this] { opened_.reset(); });
  connect(&document_, &Document::titleChanged, this, [this] {
    if (!document_.isModified()) discardOpened();
  });
}

void Recovery::offer() {
  const std::vector<RecoveredWork> all = autosave_.orphans();
  // The latest message is shown first.
  for (auto work = all.rbegin(); work != all.rend(); ++work) offer(*work);
}

void Recovery::offer(const RecoveredWork& work) {
  const auto isThere = [folder = work.folder] {
    std::error_code failed;
    return std::filesystem::exists(folder, failed);
  };
  notices_.push({Notice::Level::Warning,
                 tr("Recovered unsaved work of %1 from %2").arg(textOf(work.title), timeOf(work)),
                 {{tr("Open"), [this, work] { open(work, [this, work] { offer(work); }); }},
                  {tr("Discard"), [work] { Autosave::discard(work); }},
                  {tr("Later"), [] {}}},
                 isThere});
}

void Recovery::open(const RecoveredWork& work, const std::function<void()>& offerAgain) {
  if (!files_.askToKeepChanges()) return offerAgain();
  if (!files_.openRecovered(work)) return;
  opened_ = work;
  autosave_.write();
}

void Recovery::discardOpened() {
  if (opened_) Autosave::discard(*opened_);
  opened_.reset();
}

std::optional<RecoveredWork> Recovery::lastOf(const QString& project) const {
  const std::string origin = utf8Of(QFileInfo(project).absoluteFilePath());
  for (const RecoveredWork& work : autosave_.orphans()) {
    if (work.origin == origin) return work;
  }
  return std::nullopt;
}

}  // namespace ck::ui
