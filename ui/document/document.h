#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>

#include "core/project/project.h"

namespace ck::ui {

// The open project, its file and its undo history. All edits go through edit().
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);

  const Project& project() const { return project_; }

  // Makes one undo step called `text`. Consecutive steps with the same non-empty `mergeKey` are
  // merged until endMerge(), e.g. while a slider is dragged. A change that changes nothing makes no
  // step.
  void edit(const QString& text, const std::function<void(Project&)>& change,
            const QString& mergeKey = {});

  // The next edit starts a new step, whatever its key.
  void endMerge() { ++gesture_; }

  // Replaces the project and clears the undo history. `path` is its file, or empty if it was never
  // saved. A sample was read from `path` but is not saved there.
  void replace(Project project, const QString& path, bool sample = false);

  void markSaved(const QString& path);
  QString path() const { return path_; }
  // The file that the project was last read from or saved to, including samples.
  QString readFrom() const { return readFrom_; }
  QString displayName() const;  // "a.crowd", "plaza (sample)", "fox (not saved)" or "Untitled"
  bool isModified() const { return !undoStack_.isClean(); }

  QUndoStack& undoStack() { return undoStack_; }

 signals:
  // Emitted after every edit, undo, redo and replace().
  void changed(const ck::Project& before, const ck::Project& now);
  // Emitted after changed() if replace() was called.
  void replaced();
  // The path or isModified() may have changed.
  void titleChanged();

 private:
  friend class ProjectEdit;
  void install(const Project& project);

  Project project_;
  QString path_;
  QString readFrom_;
  QUndoStack undoStack_;
  int gesture_ = 0;
};

}  // namespace ck::ui
