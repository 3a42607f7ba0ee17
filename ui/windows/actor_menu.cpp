#include "ui/windows/actor_menu.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <algorithm>

#include "core/project/actor_columns.h"
#include "ui/actions/action_table.h"
#include "ui/actors/actor_commands.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/groups_dialog.h"
#include "ui/document/document.h"
#include "ui/document/name_text.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/playback_menu.h"
#include "ui/windows/status_strip.h"

namespace ck::ui {
namespace {

const ActorColumn& columnOf(std::string_view title) {
  return *std::ranges::find(actorColumns(), title, &ActorColumn::title);
}

}  // namespace

ActorMenu::ActorMenu(ActionTable& actions, QMenu& edit, const AppContext& app)
    : QObject(&app.window),
      app_(app),
      commands_(new ActorCommands(app.document, app.selection, this)) {
  NotificationBar& notifications = app.view.notifications();
  connect(commands_, &ActorCommands::noticed, &notifications, &NotificationBar::push);
  connect(commands_, &ActorCommands::clipboardChanged, &notifications, &NotificationBar::review);
  connect(commands_, &ActorCommands::reported, &app.status, [this](const QString& text) {
    app_.status.report(text);
    // After the next edit, an undo above all, it is no longer so.
    connect(
        &app_.document, &Document::changed, &app_.status,
        [this, text] { app_.status.withdraw(text); }, Qt::SingleShotConnection);
  });
  edit.setToolTipsVisible(true);
  const auto whyNot = [this] { return commands_->needsSelection(); };
  const auto needsActors = [this] {
    return app_.document.project().actors.size() > 0 ? QString() : tr("There are no actors");
  };
  using Command = void (ActorCommands::*)();
  const auto add = [&](Command run, const Reason& reason, ActionRow row) {
    row.run = [this, run] { (commands_->*run)(); };
    row.whyNot = reason;
    actions_ << actions.add(edit, row);
    return actions_.last();
  };
  QList<QAction*> keys;  // that fields have as well
  edit.addSeparator();
  keys << add(&ActorCommands::cut, whyNot,
              {"actors.cut", tr("Cu&t actors"), tr("Take the selected actors to the clipboard"),
               inView(QKeySequence::Cut)});
  keys << add(&ActorCommands::copy, whyNot,
              {"actors.copy", tr("&Copy actors"),
               tr("Copy the selected actors, for this or another project"),
               inView(QKeySequence::Copy), "copy"});
  keys << add(&ActorCommands::paste, nullptr,
              {"actors.paste", tr("&Paste actors"), tr("Add the actors of the clipboard"),
               inView(QKeySequence::Paste)});
  keys << add(&ActorCommands::pasteSettings, whyNot,
              {"actors.pasteSettings", tr("Paste &settings"),
               tr("Give the selected actors the clip, timing and look of those on the clipboard"),
               inView(tr("Ctrl+Shift+V"))});
  actions_ << nullptr;
  add(&ActorCommands::duplicate, whyNot,
      {"actors.duplicate", tr("&Duplicate"), tr("Copies of the selected actors beside them"),
       tr("Ctrl+D")});
  keys << add(&ActorCommands::remove, whyNot,
              {"actors.delete", tr("De&lete"), tr("Remove the selected actors"),
               inView(QKeySequence::Delete), "trash-2"});
  edit.addSeparator();
  actions_ << nullptr;
  add(&ActorCommands::hide, whyNot,
      {"actors.hide", tr("&Hide selected"),
       tr("Switch the selected actors off; they keep their places"), tr("Ctrl+H")});
  add(&ActorCommands::showAll, needsActors,
      {"actors.showAll", tr("Sho&w all"), tr("Switch all actors on"), tr("Ctrl+Shift+H")});
  edit.addSeparator();
  actions_ << nullptr;
  add(&ActorCommands::group, whyNot,
      {"actors.group", tr("&Group"), tr("Make a group of the selected actors"), tr("Ctrl+G")});
  add(&ActorCommands::ungroup, whyNot,
      {"actors.ungroup", tr("&Ungroup"), tr("Take the selected actors out of their groups"),
       tr("Ctrl+Shift+G")});
  actions_ << actions.add(
      edit, {"actors.groups", tr("Gr&oups..."), tr("Names, order and actors of the groups"), kNoKey,
             nullptr, [this] { showGroups(); }});
  addSelectMenu(actions, edit);

  ActorsPanel& panel = app.actors;
  panel.table().addActions(keys);
  // They work there without a view as well.
  for (QAction* action : keys) action->setVisible(true);
  panel.setRowActions([this](QMenu& menu) { fill(menu); });
}

void ActorMenu::addSelectMenu(ActionTable& actions, QMenu& edit) {
  select_ = edit.addMenu(tr("S&elect"));
  select_->setToolTipsVisible(true);
  const auto addLike = [&](std::string_view column, ActionRow row) {
    row.run = [this, column] { commands_->selectLikeThese(columnOf(column)); };
    row.whyNot = [this] { return commands_->needsSelection(); };
    actions.add(*select_, row);
  };
  addLike("Clip",
          {"select.clip", tr("Same &clip"), tr("All that play a clip of the selected actors")});
  addLike("Character", {"select.character", tr("Same c&haracter"),
                        tr("All of the characters of the selected actors")});
  addLike("Group",
          {"select.group", tr("Same &group"), tr("All in the groups of the selected actors")});
  select_->addSeparator();
  actions.add(*select_, {"select.hidden", tr("H&idden"), tr("All that are switched off"), kNoKey,
                         nullptr, [this] { commands_->selectHidden(); }});
  actions.add(*select_, {"select.byHand", tr("Placed by h&and"), tr("All that no formation moves"),
                         kNoKey, nullptr, [this] { commands_->selectByHand(); }});
  selectGroup_ = select_->addMenu(tr("G&roup"));
  connect(selectGroup_, &QMenu::aboutToShow, this, &ActorMenu::fillSelectGroup);
}

void ActorMenu::fillSelectGroup() {
  selectGroup_->clear();
  int group = 0;
  for (const std::string& name : app_.document.project().groups) {
    QString text = nameText(name);
    // An ampersand would mark a key.
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    selectGroup_->addAction(text, this, [this, group] { commands_->selectGroup(group); });
    ++group;
  }
  if (group == 0) selectGroup_->addAction(tr("There are no groups (Ctrl+G)"))->setEnabled(false);
}

void ActorMenu::showGroups() {
  auto* dialog = new GroupsDialog(app_.document, app_.selection, *commands_, &app_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void ActorMenu::fill(QMenu& menu) {
  for (QAction* action : actions_) {
    if (action) {
      menu.addAction(action);
    } else {
      menu.addSeparator();
    }
  }
  menu.addMenu(select_);
  if (auto* playback = app_.window.findChild<QMenu*>(QLatin1String(kPlaybackMenu))) {
    menu.addMenu(playback);
  }
}

QMenu* ActorMenu::makeMenu(QWidget* parent) {
  auto* menu = new QMenu(parent);
  menu->setToolTipsVisible(true);
  fill(*menu);
  return menu;
}

void ActorMenu::showMenu(const QPoint& place, int actor) {
  Selection& selection = app_.selection;
  if (actor >= 0 && !selection.contains(actor)) selection.set({actor});
  QMenu* menu = makeMenu(&app_.window);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(place);
}

}  // namespace ck::ui
