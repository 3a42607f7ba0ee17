#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>
#include <optional>
#include <vector>

#include "core/project/project.h"

namespace ck::ui {

// The open project, its file and its undo history. All edits go through edit().
class Document : public QObject {
  Q_OBJECT

 public:
  using Value = Project;  // for ui/parts/bind.h

  explicit Document(QObject* parent = nullptr);

  const Project& project() const { return project_; }

  // Makes one undo step called `text`. Consecutive steps with the same non-empty `mergeKey` are
  // merged until endMerge(), e.g. while a slider is dragged. A change that changes nothing makes no
  // step, and one that changes only what setView() does is made by that.
  void edit(const QString& text, const std::function<void(Project&)>& change,
            const QString& mergeKey = {});

  // Changes how the project is looked at: `view`, `playbackSpeed`, and of the
  // desk camera, selection and chosen crowd; nothing else may be changed here. It is saved with the
  // project and makes it modified, but it is no undo step, and undoing other steps leaves it as it
  // is.
  void setView(const std::function<void(Project&)>& change);

  // The next edit starts a new step, whatever its key.
  void endMerge();
  // Takes back what edits with this key have changed since endMerge(): the project is as it was
  // before them, and so is the undo history, with the steps that could be made again. Ends the
  // merging. Returns false if there is nothing of the kind, or if other steps came meanwhile.
  bool takeBack(const QString& mergeKey);

  // Replaces the project and clears the undo history. `path` is its file, or empty if it was never
  // saved. A project that is a "sample", "read only" or the like was read from `path` but is not
  // saved there; the word follows its name.
  void replace(Project project, const QString& path, const QString& standing = {});

  // The project is not what is in its file, although nothing was edited: a backup, recovered work.
  void markModified();

  void markSaved(const QString& path) { markSaved(path, project_); }
  // The file holds `written`. If the project is another by now, it is modified.
  void markSaved(const QString& path, const Project& written);
  QString path() const { return path_; }
  // The file that the project was last read from or saved to, including samples.
  QString readFrom() const { return readFrom_; }
  QString displayName() const;  // "a.crowd", "plaza (sample)", "fox (not saved)" or "Untitled"
  bool isModified() const { return unsaved_ || !undoStack_.isClean(); }

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
  // An undo step as it can be made anew.
  struct Step {
    QString text;
    Project before;
    Project after;
    QString key;
  };
  // Edits that are being merged, and what takeBack() needs.
  struct Gesture {
    QString key;
    Project before;
    bool unsaved = false;
    int index = 0;  // of the undo history
    int cleanIndex = -1;
    std::vector<Step> undone;  // what could be made again
    bool looks = false;        // it has changed how the project is looked at
  };
  QString keyOf(const QString& mergeKey) const;
  void begin(const QString& key);
  void restoreUndone(const Gesture& gesture);
  void install(Project project);
  // The project as it is looked at now.
  Project seen(Project project) const;

  Project project_;
  QString path_;
  QString readFrom_;
  QString standing_;
  bool unsaved_ = false;  // besides what the undo history knows
  QUndoStack undoStack_;
  int gesture_ = 0;
  std::optional<Gesture> begun_;
  bool isTakingBack_ = false;  // undo() discards the step
  bool isStill_ = false;       // undo steps change, the project does not
};

}  // namespace ck::ui
