#pragma once

#include <QObject>
#include <filesystem>
#include <functional>
#include <optional>

#include "ui/document/autosave.h"

namespace ck::ui {

class Document;
class NotificationBar;
class ProjectFiles;

// Keeps unsaved work, and offers what was left by windows that ended without leave.
class Recovery : public QObject {
  Q_OBJECT

 public:
  // `root` as in Autosave. All arguments must outlive it.
  Recovery(Document& document, ProjectFiles& files, NotificationBar& notices,
           const std::filesystem::path& root, QObject* parent);

  Autosave& autosave() { return autosave_; }
  // Shows a message for every work that was left: open it, discard it, or later.
  void offer();
  // Opens work that was left, after asking to keep changes; `offerAgain` is called if the user
  // cancels that. It stays where it is until this window has kept or saved it itself.
  void open(const RecoveredWork& work, const std::function<void()>& offerAgain);
  // The last work on this project that was left.
  std::optional<RecoveredWork> lastOf(const QString& project) const;

 private:
  void offer(const RecoveredWork& work);
  void discardOpened();

  Document& document_;
  ProjectFiles& files_;
  NotificationBar& notices_;
  Autosave autosave_;
  std::optional<RecoveredWork> opened_;  // while the document is this and it is kept nowhere else
};

}  // namespace ck::ui
