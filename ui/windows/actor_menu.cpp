#include "ui/windows/actor_menu.h"

#include <QAction>
#include <QMenu>
#include <algorithm>

#include "core/project/actor_columns.h"
#include "ui/actors/actor_commands.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/groups_dialog.h"
#include "ui/document/text.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/viewport/viewport_widget.h"
#include "ui/windows/main_menus.h"
#include "ui/windows/main_window.h"
#include "ui/windows/playback_menu.h"
#include "ui/windows/status_strip.h"

namespace ck::ui {
namespace {

const ActorColumn& columnOf(std::string_view title) {
  return *std::ranges::find(actorColumns(), title, &ActorColumn::title);
}

}  // namespace

ActorMenu::ActorMenu(MainMenus& menus, QMenu& edit, MainWindow& window)
    : QObject(&window),
      window_(window),
      commands_(new ActorCommands(window.document(), window.selection(), this)) {
  connect(commands_, &ActorCommands::noticed, this,
          [&window](const Notice& notice) { window.viewportFrame().notifications().push(notice); });
  connect(commands_, &ActorCommands::clipboardChanged, this,
          [&window] { window.viewportFrame().notifications().review(); });
  connect(commands_, &ActorCommands::reported, this, [&window](const QString& text) {
    StatusStrip& status = window.panel<StatusStrip>();
    status.report(text);
    // After the next edit, an undo above all, it is no longer so.
    QObject::connect(
        &window.document(), &Document::changed, &status, [&status, text] { status.withdraw(text); },
        Qt::SingleShotConnection);
  });
  edit.setToolTipsVisible(true);
  const auto whyNot = [this] { return commands_->needsSelection(); };
  const auto needsActors = [this] {
    return window_.document().project().actors.size() > 0 ? QString() : tr("There are no actors");
  };
  using Command = void (ActorCommands::*)();
  const auto add = [&](const QString& text, const QString& tip, const QKeySequence& key,
                       const char* iconName, Command run, const MainMenus::Reason& reason = {}) {
    QAction* action = menus.add(
        edit, text, tip, key, iconName, [this, run] { (commands_->*run)(); }, reason);
    actions_ << action;
    return action;
  };
  QList<QAction*> keys;  // that fields have as well
  edit.addSeparator();
  keys << add(tr("Cu&t actors"), tr("Take the selected actors to the clipboard"), QKeySequence::Cut,
              nullptr, &ActorCommands::cut, whyNot);
  keys << add(tr("&Copy actors"), tr("Copy the selected actors, for this or another project"),
              QKeySequence::Copy, "copy", &ActorCommands::copy, whyNot);
  keys << add(tr("&Paste actors"), tr("Add the actors of the clipboard"), QKeySequence::Paste,
              nullptr, &ActorCommands::paste);
  keys << add(tr("Paste &settings"),
              tr("Give the selected actors the clip, timing and look of those on the clipboard"),
              tr("Ctrl+Shift+V"), nullptr, &ActorCommands::pasteSettings, whyNot);
  actions_ << nullptr;
  add(tr("&Duplicate"), tr("Copies of the selected actors beside them"), tr("Ctrl+D"), nullptr,
      &ActorCommands::duplicate, whyNot);
  keys << add(tr("De&lete"), tr("Remove the selected actors"), QKeySequence::Delete, "trash-2",
              &ActorCommands::remove, whyNot);
  edit.addSeparator();
  actions_ << nullptr;
  add(tr("&Hide selected"), tr("Switch the selected actors off; they keep their places"),
      tr("Ctrl+H"), nullptr, &ActorCommands::hide, whyNot);
  add(tr("Sho&w all"), tr("Switch all actors on"), tr("Ctrl+Shift+H"), nullptr,
      &ActorCommands::showAll, needsActors);
  edit.addSeparator();
  actions_ << nullptr;
  add(tr("&Group"), tr("Make a group of the selected actors"), tr("Ctrl+G"), nullptr,
      &ActorCommands::group, whyNot);
  add(tr("&Ungroup"), tr("Take the selected actors out of their groups"), tr("Ctrl+Shift+G"),
      nullptr, &ActorCommands::ungroup, whyNot);
  actions_ << menus.add(edit, tr("Gr&oups..."), tr("Names, order and actors of the groups"), {},
                        nullptr, [this] { showGroups(); });
  addSelectMenu(menus, edit);

  ActorsPanel& panel = window.panel<ActorsPanel>();
  for (QAction* action : keys) action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  panel.table().addActions(keys);
  if (QWidget* viewport = window.viewportFrame().viewport()) viewport->addActions(keys);
  panel.setRowActions([this](QMenu& menu) { fill(menu); });
}

void ActorMenu::addSelectMenu(MainMenus& menus, QMenu& edit) {
  const auto whyNot = [this] { return commands_->needsSelection(); };
  select_ = edit.addMenu(tr("S&elect"));
  select_->setToolTipsVisible(true);
  const auto addLike = [&](const QString& text, const QString& tip, std::string_view column) {
    menus.add(
        *select_, text, tip, {}, nullptr,
        [this, column] { commands_->selectLikeThese(columnOf(column)); }, whyNot);
  };
  addLike(tr("Same &clip"), tr("All that play a clip of the selected actors"), "Clip");
  addLike(tr("Same c&haracter"), tr("All of the characters of the selected actors"), "Character");
  addLike(tr("Same &group"), tr("All in the groups of the selected actors"), "Group");
  select_->addSeparator();
  menus.add(*select_, tr("H&idden"), tr("All that are switched off"), {}, nullptr,
            [this] { commands_->selectHidden(); });
  menus.add(*select_, tr("Placed by h&and"), tr("All that no formation moves"), {}, nullptr,
            [this] { commands_->selectByHand(); });
  selectGroup_ = select_->addMenu(tr("G&roup"));
  connect(selectGroup_, &QMenu::aboutToShow, this, &ActorMenu::fillSelectGroup);
}

void ActorMenu::fillSelectGroup() {
  selectGroup_->clear();
  int group = 0;
  for (const std::string& name : window_.document().project().groups) {
    QString text = textOf(name);
    // An ampersand would mark a key.
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    selectGroup_->addAction(text, this, [this, group] { commands_->selectGroup(group); });
    ++group;
  }
  if (group == 0) selectGroup_->addAction(tr("There are no groups (Ctrl+G)"))->setEnabled(false);
}

void ActorMenu::showGroups() {
  auto* dialog = new GroupsDialog(window_.document(), window_.selection(), *commands_, &window_);
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
  if (auto* playback = window_.findChild<QMenu*>(QLatin1String(kPlaybackMenu))) {
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
  Selection& selection = window_.selection();
  if (actor >= 0 && !selection.contains(actor)) selection.set({actor});
  QMenu* menu = makeMenu(&window_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(place);
}

}  // namespace ck::ui
