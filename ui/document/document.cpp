#include "ui/document/document.h"

#include <QFileInfo>
#include <QUndoCommand>

#include "core/project/characters.h"
#include "ui/document/text.h"

namespace ck::ui {

// The only undo command: the project before and after. Projects share chunks of actors, so the
// command stores only the difference.
class ProjectEdit : public QUndoCommand {
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
    setObsolete(before_ == after_);
    return true;
  }

  void redo() override { document_.install(after_); }
  void undo() override { document_.install(before_); }

 private:
  Document& document_;
  Project before_;
  Project after_;
  QString key_;
};

Document::Document(QObject* parent) : QObject(parent) {
  connect(&undoStack_, &QUndoStack::cleanChanged, this, &Document::titleChanged);
}

void Document::edit(const QString& text, const std::function<void(Project&)>& change,
                    const QString& mergeKey) {
  Project after = project_;
  change(after);
  if (after == project_) return;
  const QString key =
      mergeKey.isEmpty() ? QString() : QStringLiteral("%1#%2").arg(mergeKey).arg(gesture_);
  undoStack_.push(new ProjectEdit(*this, text, project_, std::move(after), key));
}

// By value, because an edit that is cleared may own the argument.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void Document::replace(Project project, const QString& path, bool sample) {
  undoStack_.clear();
  path_ = sample ? QString() : path;
  readFrom_ = path;
  install(project);
  emit replaced();
  emit titleChanged();
}

void Document::markSaved(const QString& path) {
  path_ = path;
  readFrom_ = path;
  undoStack_.setClean();
  emit titleChanged();
}

QString Document::displayName() const {
  if (!path_.isEmpty()) return QFileInfo(path_).fileName();
  if (readFrom_.isEmpty()) {
    if (project_.characters.front().sources.empty()) return tr("Untitled");
    return tr("%1 (not saved)").arg(textOf(characterTitle(project_, 0)));
  }
  return tr("%1 (sample)").arg(QFileInfo(readFrom_).completeBaseName());
}

void Document::install(const Project& project) {
  const Project before = std::exchange(project_, project);
  emit changed(before, project_);
}

}  // namespace ck::ui
