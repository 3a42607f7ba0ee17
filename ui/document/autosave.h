#pragma once

#include <QElapsedTimer>
#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/project/recovery.h"
#include "ui/document/task_runner.h"

namespace ck::ui {

class Document;

// Keeps unsaved work in a folder of this window, for the case that the program ends without leave
// (core/project/recovery.h). A clean end, a save and undoing back to what is saved remove it.
class Autosave : public QObject {
  Q_OBJECT

 public:
  // Where all windows keep their work, in the user's data.
  static std::filesystem::path usualRoot();

  // The document must outlive it.
  Autosave(Document& document, std::filesystem::path root, QObject* parent = nullptr);
  ~Autosave() override;  // the clean end

  // Work is written `everyMs` after the first change that is not kept yet, as soon as nothing was
  // changed for `idleMs`, and at the latest after twice that time.
  void setTimes(int everyMs, int idleMs);
  // Sets the function that makes the project to write; without one it is the document's.
  void setProject(std::function<Project()> project) { keptProject_ = std::move(project); }
  // Writes now, in the background, if anything is unsaved.
  void write();

  // Work of windows that have ended without leave, the latest first.
  std::vector<RecoveredWork> orphans() const;
  static void discard(const RecoveredWork& work);

 signals:
  // The work is kept as it was when write() was called; not for what was saved or replaced since.
  void written();
  // Once for every reason, until writing succeeds.
  void failed(const ck::Error& error);

 private:
  bool isLocked(const std::filesystem::path& folder) const;
  void removeEmptyFolders() const;
  void forget();
  void noteChange();
  void tick();

  Document& document_;
  std::function<Project()> keptProject_;
  std::filesystem::path root_;
  std::filesystem::path folder_;
  std::unique_ptr<QLockFile> lock_;
  std::unique_ptr<TaskRunner> task_;  // of its own, so that a long bake does not delay it
  QTimer timer_;
  QElapsedTimer sinceFirst_;  // valid while a change is not kept
  QElapsedTimer sinceLast_;
  int round_ = 0;  // grows when what is being written is not wanted any more
  int everyMs_ = 120'000;
  int idleMs_ = 5'000;
  QString problem_;
};

}  // namespace ck::ui
