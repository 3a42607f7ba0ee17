#include "ui/actors/groups_dialog.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QScopedValueRollback>
#include <QToolButton>
#include <algorithm>
#include <vector>

#include "core/project/actors/actor_edits.h"
#include "ui/actors/actor_commands.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/text.h"
#include "ui/parts/name_views.h"
#include "ui/parts/panel_parts.h"

namespace ck::ui {

GroupsDialog::GroupsDialog(Document& document, Selection& selection, ActorCommands& commands,
                           QWidget* parent)
    : QDialog(parent),
      document_(document),
      selection_(selection),
      list_(named(new QListWidget, tr("Groups"))),
      up_(iconButton("chevron-up", tr("Move the group up"))),
      down_(iconButton("chevron-down", tr("Move the group down"))),
      remove_(iconButton("trash-2", tr("Remove the group; its actors stay"))),
      select_(iconButton("focus", tr("Select the actors of the group"))),
      put_(iconButton("import", tr("Put the selected actors into the group"))),
      wrong_(styledLabel("wrong")) {
  setWindowTitle(tr("Groups"));
  resize(380, 420);
  QToolButton* add = iconButton("plus", tr("Make a group of the selected actors (Ctrl+G)"));
  QLabel* hint = styledLabel("muted");
  hint->setText(tr("An actor is in one group or in none. Double-click a name to change it."));
  hint->setWordWrap(true);
  wrong_->setWordWrap(true);
  wrong_->hide();
  auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
  layOutColumn(
      *this, {12, 12, 12, 12}, 8,
      {rowOf({add, put_, select_, up_, down_, remove_, {}}, 2), {list_, 1}, wrong_, hint, close});
  list_->setAlternatingRowColors(true);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(add, &QToolButton::clicked, &commands, &ActorCommands::group);
  connect(put_, &QToolButton::clicked, &commands,
          [this, &commands] { commands.putInGroup(current()); });
  connect(select_, &QToolButton::clicked, &commands,
          [this, &commands] { commands.selectGroup(current()); });
  connect(up_, &QToolButton::clicked, this, [this] { move(-1); });
  connect(down_, &QToolButton::clicked, this, [this] { move(1); });
  connect(remove_, &QToolButton::clicked, this, &GroupsDialog::removeCurrent);
  showNames(*list_);
  connect(list_, &QListWidget::currentRowChanged, this, &GroupsDialog::showButtons);
  connect(list_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
    if (!filling_) rename(list_->row(item), item->data(Qt::EditRole).toString().trimmed());
  });
  connect(&document, &Document::changed, this, &GroupsDialog::showGroups);
  connect(&selection, &Selection::changed, this, &GroupsDialog::showButtons);
  showGroups();
}

int GroupsDialog::current() const {
  const int row = list_->currentRow();
  return std::size_t(row) < document_.project().groups.size() ? row : -1;
}

void GroupsDialog::showGroups() {
  const Project& project = document_.project();
  std::vector<int> sizes(project.groups.size(), 0);
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const int group = project.actors[i].group;
    if (group >= 0) ++sizes[std::size_t(group)];
  }
  {
    const QScopedValueRollback<bool> filling(filling_, true);
    const int before = list_->currentRow();
    list_->clear();
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      auto* item = new QListWidgetItem(textOf(project.groups[g]), list_);
      item->setFlags(item->flags() | Qt::ItemIsEditable);
      item->setToolTip(counted(sizes[g], tr("actor"), tr("actors")));
    }
    list_->setCurrentRow(std::min(before, list_->count() - 1));
  }
  showButtons();
}

void GroupsDialog::showButtons() {
  const int group = current();
  const QString none = tr("Choose a group first");
  const auto offer = [](QToolButton* button, const QString& whyNot) {
    button->setEnabled(whyNot.isEmpty());
    button->setToolTip(whyNot.isEmpty() ? button->accessibleName() : whyNot);
  };
  const int last = int(document_.project().groups.size()) - 1;
  offer(select_, group < 0 ? none : QString());
  offer(remove_, group < 0 ? none : QString());
  offer(put_, group < 0                     ? none
              : selection_.actors().empty() ? tr("Select actors first")
                                            : QString());
  offer(up_, group < 0 ? none : group == 0 ? tr("It is the first") : QString());
  offer(down_, group < 0 ? none : group == last ? tr("It is the last") : QString());
}

void GroupsDialog::rename(int group, const QString& name) {
  const std::string utf8 = utf8Of(name);
  const bool isFree = isFreeGroupName(document_.project(), group, utf8);
  wrong_->setVisible(!isFree);
  if (isFree) {
    document_.edit(tr("Name of a group"),
                   [&](Project& project) { project.groups[std::size_t(group)] = utf8; });
    return;
  }
  wrong_->setText(name.isEmpty()
                      ? tr("A group needs a name")
                      : tr("Another group is called '%1': choose another name").arg(name));
  showGroups();
}

void GroupsDialog::move(int by) {
  const int group = current();
  if (group < 0) return;
  list_->setCurrentRow(group + by);
  document_.edit(tr("Order of groups"),
                 [&](Project& project) { moveGroup(project, group, group + by); });
}

void GroupsDialog::removeCurrent() {
  const int group = current();
  if (group < 0) return;
  document_.edit(tr("Group removed"), [group](Project& project) { removeGroup(project, group); });
}

}  // namespace ck::ui
