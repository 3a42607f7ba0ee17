#include "ui/actors/actor_commands.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include "core/project/actors/actor_edits.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"

namespace ck::ui {

ActorCommands::ActorCommands(Document& document, Selection& selection, QObject* parent)
    : QObject(parent), document_(document), selection_(selection) {
  connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, this, [this] {
    ++clipboards_;
    emit clipboardChanged();
  });
}

QString ActorCommands::needsSelection() const {
  return selection_.actors().empty() ? tr("Select actors first (Ctrl+A selects all)") : QString();
}

QString ActorCommands::counted(std::size_t actors) const {
  return ui::counted(qlonglong(actors), tr("actor"), tr("actors"));
}

void ActorCommands::say(const Error& error) {
  const QUndoStack& steps = document_.undoStack();
  emit noticed({Notice::Level::Warning,
                sentenceOf(error.message),
                {},
                [this, &steps, step = steps.index(), clipboard = clipboards_] {
                  return steps.index() == step && clipboards_ == clipboard;
                }});
}

void ActorCommands::duplicate() {
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  Project after = document_.project();
  const auto copies = duplicateActors(after, actors);
  if (!copies) return say(copies.error());
  document_.edit(tr("Duplicate %1").arg(counted(actors.size())),
                 [&after](Project& project) { project = after; });
  selection_.set(*copies);
}

void ActorCommands::remove() {
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  takeAway(tr("Delete %1").arg(counted(actors.size())), actors);
  emit reported(tr("Deleted %1 (Ctrl+Z brings them back)").arg(counted(actors.size())));
}

// Clears the selection; an undo selects the same actors again.
void ActorCommands::takeAway(const QString& step, const std::vector<int>& actors) {
  document_.edit(step, [&](Project& project) {
    selection_.carry(project, actors, [&](Project& left) { removeActors(left, actors); });
  });
}

void ActorCommands::hide() {
  const std::vector<int> actors = selection_.actors();
  document_.edit(tr("Hide %1").arg(counted(actors.size())),
                 [&actors](Project& project) { showActors(project, actors, false); });
}

void ActorCommands::showAll() {
  const std::vector<int> hidden =
      actorsWhere(document_.project(), [](const Actor& actor) { return !actor.on; });
  document_.edit(tr("Show %1").arg(counted(hidden.size())),
                 [&hidden](Project& project) { showActors(project, hidden, true); });
  emit reported(tr("%1 shown again").arg(counted(hidden.size())));
}

void ActorCommands::copy() {
  const std::vector<int>& actors = selection_.actors();
  if (actors.empty()) return;
  const QByteArray text = QByteArray::fromStdString(ck::clipboardText(document_.project(), actors));
  auto* data = new QMimeData;
  data->setData(QLatin1String(kActorsMime), text);
  data->setText(QString::fromUtf8(text));
  QGuiApplication::clipboard()->setMimeData(data);
  emit reported(tr("Copied %1").arg(counted(actors.size())));
}

void ActorCommands::cut() {
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  copy();
  takeAway(tr("Cut %1").arg(counted(actors.size())), actors);
}

QString ActorCommands::clipboardText() {
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  if (!data) return {};
  const QByteArray own = data->data(QLatin1String(kActorsMime));
  return own.isEmpty() ? data->text() : QString::fromUtf8(own);
}

void ActorCommands::pasteBy(
    const QString& text, const std::function<Result<Pasted>(Project&, const std::string&)>& paste) {
  Project after = document_.project();
  const auto pasted = paste(after, utf8Of(clipboardText()));
  if (!pasted) return say(pasted.error());
  document_.edit(text.arg(counted(pasted->actors.size())),
                 [&after](Project& project) { project = after; });
  selection_.set(pasted->actors);
  if (!pasted->remark.empty()) {
    // Until the step is undone.
    const QUndoStack& steps = document_.undoStack();
    const int step = steps.index() - 1;
    emit noticed({Notice::Level::Warning,
                  sentenceOf(pasted->remark),
                  {},
                  [&steps, step, edit = steps.command(step)] {
                    return steps.index() > step && steps.command(step) == edit;
                  }});
  }
}

void ActorCommands::paste() {
  pasteBy(tr("Paste %1"),
          [](Project& project, const std::string& text) { return pasteActors(project, text); });
}

void ActorCommands::pasteSettings() {
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  pasteBy(tr("Settings of %1"), [&actors](Project& project, const std::string& text) {
    return ck::pasteSettings(project, actors, text);
  });
}

void ActorCommands::group() {
  const std::vector<int> actors = selection_.actors();
  if (actors.empty()) return;
  Project after = document_.project();
  const auto group = addGroup(after, utf8Of(tr("Group")), actors);
  if (!group) return say(group.error());
  // A group that has lost its last actor to the new one is of no use.
  removeEmptyGroups(after);
  const QString name = nameText(after.groups.back());
  document_.edit(tr("Group %1").arg(counted(actors.size())),
                 [&after](Project& project) { project = after; });
  emit reported(tr("%1 are '%2' (Edit > Groups... renames it)").arg(counted(actors.size()), name));
}

void ActorCommands::ungroup() {
  const std::vector<int> actors = selection_.actors();
  document_.edit(tr("Ungroup %1").arg(counted(actors.size())), [&actors](Project& project) {
    setGroup(project, actors, -1);
    removeEmptyGroups(project);
  });
}

void ActorCommands::putInGroup(int group) {
  const std::vector<int> actors = selection_.actors();
  document_.edit(tr("Group of %1").arg(counted(actors.size())),
                 [&](Project& project) { setGroup(project, actors, group); });
}

void ActorCommands::selectLikeThese(const ActorColumn& column) {
  selection_.set(actorsLike(document_.project(), selection_.actors(), column));
}

void ActorCommands::selectGroup(int group) {
  selection_.set(actorsWhere(document_.project(),
                             [group](const Actor& actor) { return actor.group == group; }));
}

void ActorCommands::selectHidden() {
  selection_.set(actorsWhere(document_.project(), [](const Actor& actor) { return !actor.on; }));
}

void ActorCommands::selectByHand() {
  selection_.set(actorsWhere(document_.project(), [](const Actor& actor) { return actor.byHand; }));
}

}  // namespace ck::ui
