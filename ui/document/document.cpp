#include "ui/document/document.h"

#include <QFileInfo>
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

  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const ProjectEdit*>(other);
    if (next->key_ != key_) return false;
    after_ = next->after_;
    // A drag that returned to its start leaves no undo step.
    setObsolete(document_.seen(before_) == document_.seen(after_));
    return true;
  }

  // The edit itself may look at the project anew; a redo may not.
  void redo() override {
    document_.install(std::exchange(isDone_, true) ? document_.seen(after_) : after_);
  }
  void undo() override { document_.install(document_.seen(before_)); }

 private:
  Document& document_;
  Project before_;
  Project after_;
  QString key_;
  bool isDone_ = false;
};

Document::Document(QObject* parent) : QObject(parent) {
  connect(&undoStack_, &QUndoStack::cleanChanged, this, &Document::titleChanged);
}

void Document::edit(const QString& text, const std::function<void(Project&)>& change,
                    const QString& mergeKey) {
  Project after = project_;
  change(after);
  if (after == project_) return;
  // Nothing but the look.
  if (seen(after) == project_) {
    return setView([&after](Project& project) { project = std::move(after); });
  }
  const QString key =
      mergeKey.isEmpty() ? QString() : QStringLiteral("%1#%2").arg(mergeKey).arg(gesture_);
  undoStack_.push(new ProjectEdit(*this, text, project_, std::move(after), key));
}

void Document::setView(const std::function<void(Project&)>& change) {
  Project changed = project_;
  change(changed);
  Project after = project_;
  after.view = changed.view;
  after.playbackSpeed = changed.playbackSpeed;
  after.desk.camera = changed.desk.camera;
  after.desk.selected = changed.desk.selected;
  if (after == project_) return;
  install(std::move(after));
  markModified();
}

Project Document::seen(Project project) const {
  project.view = project_.view;
  project.playbackSpeed = project_.playbackSpeed;
  project.desk.camera = project_.desk.camera;
  project.desk.selected = project_.desk.selected;
  return project;
}

// By value, because an edit that is cleared may own the argument.
void Document::replace(Project project, const QString& path, const QString& standing) {
  undoStack_.clear();
  path_ = standing.isEmpty() ? path : QString();
  readFrom_ = path;
  standing_ = standing;
  unsaved_ = false;
  install(std::move(project));
  emit replaced();
  emit titleChanged();
}

void Document::markSaved(const QString& path) {
  path_ = path;
  readFrom_ = path;
  standing_.clear();
  unsaved_ = false;
  undoStack_.setClean();
  emit titleChanged();
}

void Document::markModified() {
  if (std::exchange(unsaved_, true)) return;
  emit titleChanged();
}

QString Document::displayName() const {
  if (!path_.isEmpty()) return QFileInfo(path_).fileName();
  if (readFrom_.isEmpty()) {
    if (project_.characters.front().sources.empty()) return tr("Untitled");
    return tr("%1 (not saved)").arg(textOf(characterTitle(project_, 0)));
  }
  return tr("%1 (%2)").arg(QFileInfo(readFrom_).completeBaseName(), standing_);
}

void Document::install(Project project) {
  const Project before = std::exchange(project_, std::move(project));
  emit changed(before, project_);
}

}  // namespace ck::ui
