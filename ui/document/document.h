#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>

#include "core/project/project.h"

namespace ck::ui {

// The open project, its file and its undo history. Everything the artist edits goes through edit().
class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(QObject* parent = nullptr);

  const Project& project() const { return project_; }

  // One undo step called `text`. Steps in a row with the same non-empty `mergeKey` become one (a
  // slider being dragged) until endMerge(). A change that changes nothing leaves no step.
  void edit(const QString& text, const std::function<void(Project&)>& change,
            const QString& mergeKey = {});

  // The next edit starts a step of its own, whatever its key.
  void endMerge() { ++gesture_; }

  // Another project takes the place of this one: no way back by undo. `path` is its file, or empty
  // for one that was never saved. A sample was read from `path` but is not saved there.
  void replace(Project project, const QString& path, bool sample = false);

  void markSaved(const QString& path);
  QString path() const { return path_; }
  // The file the project was read from or saved to last, samples included.
  QString readFrom() const { return readFrom_; }
  QString displayName() const;  // the file's name, "plaza (sample)" or "Untitled"
  bool isModified() const { return !undoStack_.isClean(); }

  QUndoStack& undoStack() { return undoStack_; }

 signals:
  // After every edit, undo, redo and replace().
  void changed(const ck::Project& before, const ck::Project& now);
  // After replace() too, once changed() has been sent.
  void replaced();
  // The path or isModified() may be another.
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
