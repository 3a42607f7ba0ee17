#include "ui/document/document.h"

#include <QFileInfo>
#include <QScopedValueRollback>
#include <QUndoCommand>

#include "core/project/characters.h"
#include "ui/document/text.h"

namespace ck::ui {

// The only undo command: the project before and after. Projects share chunks of actors, so the
// command stores only the difference.
class ProjectEdit final : public QUndoCommand {
 public:
  ProjectEdit(Document& document, const QString& text, Project before, Project after, QString key)
      : QUndoCommand(text),
        document_(document),
        before_(std::move(before)),
        after_(std::move(after)),
        key_(std::move(key)) {}

  int id() const override { return key_.isEmpty() ? -1 : 1; }

  Document::Step step() const { return {text(), before_, after_, key_}; }
  const QString& key() const { return key_; }

  bool mergeWith(const QUndoCommand* other) override {
    if (document_.isStill_) return false;
    const auto* next = static_cast<const ProjectEdit*>(other);
    if (next->key_ != key_) return false;
    after_ = next->after_;
    // A drag that returned to its start leaves no undo step.
    setObsolete(document_.seen(before_) == document_.seen(after_));
    return true;
  }

  // The edit itself may look at the project anew; a redo may not.
  void redo() override {
    const bool isDone = std::exchange(isDone_, true);
    if (!document_.isStill_) document_.install(isDone ? document_.seen(after_) : after_);
  }
  void undo() override {
    if (document_.isStill_) return;
    document_.install(document_.seen(before_));
    setObsolete(document_.isTakingBack_);
  }

 private:
  Document& document_;
  Project before_;
  Project after_;
  QString key_;
  bool isDone_ = false;
};

Document::Document(QObject* parent) : QObject(parent) {
  connect(&undoStack_, &QUndoStack::cleanChanged, this, [this] {
    if (!isStill_) emit titleChanged();
  });
}

void Document::edit(const QString& text, const std::function<void(Project&)>& change,
                    const QString& mergeKey) {
  Project after = project_;
  change(after);
  if (after == project_) return;
  const QString key = keyOf(mergeKey);
  if (!key.isEmpty() && (!begun_ || begun_->key != key)) begin(key);
  // Nothing but the look.
  if (seen(after) == project_) {
    if (!key.isEmpty()) begun_->looks = true;
    return setView([&after](Project& project) { project = std::move(after); });
  }
  undoStack_.push(new ProjectEdit(*this, text, project_, std::move(after), key));
}

QString Document::keyOf(const QString& mergeKey) const {
  return mergeKey.isEmpty() ? QString() : QStringLiteral("%1#%2").arg(mergeKey).arg(gesture_);
}

void Document::begin(const QString& key) {
  begun_ = Gesture{key, project_, unsaved_, undoStack_.index(), undoStack_.cleanIndex(), {}};
  for (int i = undoStack_.index(); i < undoStack_.count(); ++i) {
    begun_->undone.push_back(static_cast<const ProjectEdit*>(undoStack_.command(i))->step());
  }
}

void Document::endMerge() {
  ++gesture_;
  begun_.reset();
}

bool Document::takeBack(const QString& mergeKey) {
  const QString key = keyOf(mergeKey);
  const std::optional<Gesture> begun = std::exchange(begun_, std::nullopt);
  endMerge();
  if (!begun || begun->key != key) return false;
  // Merged edits may have come back to their start, which leaves no step.
  const int steps = undoStack_.index() - begun->index;
  if (undoStack_.count() > undoStack_.index() && steps != 0) return false;
  if (steps == 1) {
    const auto* last = static_cast<const ProjectEdit*>(undoStack_.command(begun->index));
    if (last->key() != key) return false;
    const QScopedValueRollback takingBack(isTakingBack_, true);
    undoStack_.undo();
  } else if (steps != 0) {
    return false;
  }
  if (undoStack_.count() == begun->index) restoreUndone(*begun);
  if (begun->looks && !(project_ == begun->before)) install(begun->before);
  if (begun->looks) unsaved_ = begun->unsaved;
  emit titleChanged();
  return true;
}

// Restores the redo steps that the first edit of the gesture has dropped.
void Document::restoreUndone(const Gesture& gesture) {
  if (gesture.undone.empty()) return;
  const QScopedValueRollback still(isStill_, true);
  for (const Step& step : gesture.undone) {
    undoStack_.push(new ProjectEdit(*this, step.text, step.before, step.after, step.key));
  }
  if (gesture.cleanIndex > gesture.index) {
    undoStack_.setIndex(gesture.cleanIndex);
    undoStack_.setClean();
  }
  undoStack_.setIndex(gesture.index);
}

void Document::setView(const std::function<void(Project&)>& change) {
  Project changed = project_;
  change(changed);
  Project after = project_;
  after.view = changed.view;
  after.playbackSpeed = changed.playbackSpeed;
  after.desk.camera = changed.desk.camera;
  after.desk.selected = changed.desk.selected;
  after.desk.crowd = changed.desk.crowd;
  if (after == project_) return;
  install(std::move(after));
  markModified();
}

Project Document::seen(Project project) const {
  project.view = project_.view;
  project.playbackSpeed = project_.playbackSpeed;
  project.desk.camera = project_.desk.camera;
  project.desk.selected = project_.desk.selected;
  project.desk.crowd = project_.desk.crowd;
  return project;
}

// By value, because an edit that is cleared may own the argument.
void Document::replace(Project project, const QString& path, const QString& standing) {
  undoStack_.clear();
  begun_.reset();
  path_ = standing.isEmpty() ? path : QString();
  readFrom_ = path;
  standing_ = standing;
  unsaved_ = false;
  install(std::move(project));
  emit replaced();
  emit titleChanged();
}

void Document::markSaved(const QString& path, const Project& written) {
  path_ = path;
  readFrom_ = path;
  standing_.clear();
  unsaved_ = false;
  project_ == written ? undoStack_.setClean() : undoStack_.resetClean();
  emit titleChanged();
}

void Document::markModified() {
  if (std::exchange(unsaved_, true)) return;
  emit titleChanged();
}

QString Document::displayName() const {
  if (!path_.isEmpty()) return QFileInfo(path_).fileName();
  if (readFrom_.isEmpty()) {
    const std::string title = characterTitle(project_, 0);
    return title.empty() ? tr("Untitled") : tr("%1 (not saved)").arg(textOf(title));
  }
  return tr("%1 (%2)").arg(QFileInfo(readFrom_).completeBaseName(), standing_);
}

void Document::install(Project project) {
  const Project before = std::exchange(project_, std::move(project));
  emit changed(before, project_);
}

}  // namespace ck::ui
