#include "ui/windows/keeping_menu.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

#include "core/project/source_files.h"
#include "ui/history/history_panel.h"
#include "ui/windows/main_menus.h"
#include "ui/windows/main_window.h"

namespace ck::ui {
namespace {

const QString kWatch = QStringLiteral("watchSources");

}  // namespace

void addKeepingActions(MainMenus& menus, MainWindow& window, QMenu& menu) {
  menus.add(
      menu, MainMenus::tr("&Collect project..."),
      MainMenus::tr("Copy the project with all rigs, clips, props and pictures that it uses into a "
                    "folder"),
      {}, "package-open", [&window] { window.files().askCollect(); },
      [&window] {
        const bool any = !sourcePaths(window.document().project()).empty();
        return any ? QString() : MainMenus::tr("The project uses no files yet");
      });
  QAction* watch = menus.add(
      menu, MainMenus::tr("&Watch sources"),
      MainMenus::tr("Read rigs, clips and props again as soon as another program changes them"), {},
      nullptr, {});
  watch->setCheckable(true);
  watch->setChecked(QSettings().value(kWatch, true).toBool());
  window.sourceWatch().setOn(watch->isChecked());
  QObject::connect(watch, &QAction::toggled, &window, [&window](bool on) {
    window.sourceWatch().setOn(on);
    QSettings().setValue(kWatch, on);
  });
}

void addHistoryAction(MainMenus& menus, MainWindow& window, QMenu& menu) {
  menus.add(menu, MainMenus::tr("Undo &history"),
            MainMenus::tr("Show every step, and go back or forward to one"), {}, "list",
            [&window] { window.panels().raise(window.panel<HistoryPanel>()); });
}

}  // namespace ck::ui
