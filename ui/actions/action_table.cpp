#include "ui/actions/action_table.h"

#include <QMenu>

#include "core/base/assert.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

const char* const kOwnTip = "ownTip";

}  // namespace

void setOwnTip(QAction& action, const QString& tip) {
  action.setProperty(kOwnTip, tip);
  setEnabledBecause(action, true, {});
}

void setEnabledBecause(QAction& action, bool enabled, const QString& reason) {
  action.setEnabled(enabled);
  const QString own = action.property(kOwnTip).toString();
  action.setToolTip(enabled ? own : QStringLiteral("%1\n%2").arg(own, reason));
  action.setStatusTip(enabled ? own : reason);
}

QString whyDisabled(const QAction& action) {
  return action.isEnabled() ? QString() : action.statusTip();
}

QString plainText(const QAction& action) {
  QString text = action.text().section(u'\t', 0, 0);
  text.replace(QLatin1String("&&"), QLatin1String("\1")).remove(u'&');
  return text.replace(u'\1', u'&');
}

ActionTable::ActionTable(QWidget* view, QObject* parent) : QObject(parent), view_(view) {}

QAction* ActionTable::add(QMenu& menu, const ActionRow& row) {
  auto* action = new QAction(row.text, this);
  action->setObjectName(row.id);
  if (row.icon) action->setIcon(icon(QLatin1String(row.icon)));
  QList<QKeySequence> given = row.keys.all;
  given.removeAll(QKeySequence());
  action->setShortcuts(given);
  const QString keys = action->shortcut().toString(QKeySequence::NativeText);
  setOwnTip(*action, keys.isEmpty() ? row.tip : QStringLiteral("%1 (%2)").arg(row.tip, keys));
  action->setStatusTip(row.tip);
  if (row.run) connect(action, &QAction::triggered, this, row.run);
  if (row.keys.inView) {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setVisible(view_ != nullptr);
    if (view_) view_->addAction(action);
  }
  menu.addAction(action);
  take(*action, row.whyNot);
  return action;
}

QAction* ActionTable::addSwitch(QMenu& menu, const ActionRow& row) {
  QAction* action = add(menu, row);
  action->setCheckable(true);
  action->setIconVisibleInMenu(false);
  return action;
}

void ActionTable::take(QAction& action, const Reason& whyNot) {
  CK_ASSERT(!action.objectName().isEmpty() && !actions_.contains(&action));
  actions_ << &action;
  if (whyNot) conditions_.emplace_back(&action, whyNot);
}

void ActionTable::refresh() {
  for (const auto& [action, whyNot] : conditions_) {
    const QString reason = whyNot();
    setEnabledBecause(*action, reason.isEmpty(), reason);
  }
}

}  // namespace ck::ui
