#pragma once

#include <QObject>
#include <cstdint>
#include <optional>

#include "ui/document/project_lock.h"
#include "ui/document/project_watch.h"

class QWidget;

namespace ck::ui {

class Document;
class NotificationBar;

// Guards the file of the open project (Document::path()) against being overwritten unseen: marks it
// for other windows, tells when another program writes it or another window opens it, and asks
// before a save replaces what this window has not seen.
class ProjectGuard : public QObject {
  Q_OBJECT

 public:
  enum class Answer { Save, SaveAs, Reload, Cancel };

  // All arguments must outlive it.
  ProjectGuard(QWidget& window, Document& document, NotificationBar& notices, QObject* parent);

  ProjectLock& lock() { return lock_; }
  // The document's file holds what this window has: bytes of this hash, or those that are there.
  void follow();
  void follow(std::optional<std::uint64_t> known);
  // Looks away while this window writes the file: until follow(), or until wake() where nothing was
  // written.
  void rest() { watch_.setResting(true); }
  void wake() { watch_.setResting(false); }
  // Asks what to do if the document's file was changed by another program; Save if it was not.
  Answer askBeforeSave();

 signals:
  void reloadAsked();
  void saveAsAsked();

 private:
  void tellChanged();
  void tellShared();

  QWidget& window_;
  Document& document_;
  NotificationBar& notices_;
  ProjectLock lock_;
  ProjectWatch watch_;
  int told_ = 0;  // counts what makes earlier messages void
  bool shared_ = false;
};

}  // namespace ck::ui
