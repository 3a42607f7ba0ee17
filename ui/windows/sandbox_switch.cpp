#include "ui/windows/sandbox_switch.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

#include "core/import/host/sandbox.h"
#include "ui/actions/action_table.h"

namespace ck::ui {

void addSandboxSwitch(ActionTable& actions, QMenu& menu) {
  const QString key = QStringLiteral("requireSandbox");
  QAction* action = actions.addSwitch(
      menu, {"file.sandbox",
             QMenu::tr("Require the sand&box"),
             QMenu::tr("Read no file of others where this system cannot confine its reader"),
             {},
             nullptr,
             {},
             [] {
               return isSandboxRequiredForGood()
                          ? QMenu::tr("Crowdkiln was started with --require-sandbox")
                          : QString();
             }});
  setSandboxRequired(QSettings().value(key, false).toBool());
  action->setChecked(isSandboxRequired());
  QObject::connect(action, &QAction::toggled, action, [key](bool on) {
    setSandboxRequired(on);
    QSettings().setValue(key, on);
  });
}

}  // namespace ck::ui
