#include <QDockWidget>
#include <QSettings>
#include <tuple>

#include "ui/panels/actors_panel.h"
#include "ui/panels/atlas_panel.h"
#include "ui/panels/bake_panel.h"
#include "ui/panels/clips_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/timeline_panel.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/windows/main_window.h"

namespace ck::ui {
namespace {

// Another number whenever the set of panels changes: an older layout is then not restored.
constexpr int kLayoutVersion = 2;

}  // namespace

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* panel) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(panel);
  dock->setAccessibleName(title);
  docks_ << dock;
  for (const auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged}) {
    connect(dock, signal, this, &MainWindow::hideDoubleTitles, Qt::QueuedConnection);
  }
  connect(dock, &QDockWidget::dockLocationChanged, this, &MainWindow::hideDoubleTitles,
          Qt::QueuedConnection);
  return dock;
}

void MainWindow::makeDocks() {
  addDock(QStringLiteral("clips"), tr("Clips"), clips_);
  addDock(QStringLiteral("bake"), tr("Bake"), bake_);
  addDock(QStringLiteral("actors"), tr("Actors"), actors_);
  addDock(QStringLiteral("timeline"), tr("Timeline"), timeline_);
  addDock(QStringLiteral("log"), tr("Log"), logPanel_);
  addDock(QStringLiteral("atlas"), tr("Atlas"), atlas_);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  connect(&log_, &LogModel::unreadChanged, this, [dock = docks_[4]](int count) {
    dock->setWindowTitle(count > 0 ? tr("Log (%1)").arg(count) : tr("Log"));
  });
}

void MainWindow::layOutPanels() {
  const auto [clips, bake, actors, timeline, log, atlas] =
      std::tuple{docks_[0], docks_[1], docks_[2], docks_[3], docks_[4], docks_[5]};
  for (QDockWidget* dock : docks_) {
    dock->setFloating(false);
    dock->show();
  }
  addDockWidget(Qt::LeftDockWidgetArea, clips);
  addDockWidget(Qt::LeftDockWidgetArea, bake);
  splitDockWidget(clips, bake, Qt::Vertical);
  addDockWidget(Qt::RightDockWidgetArea, actors);
  splitDockWidget(actors, atlas, Qt::Vertical);
  addDockWidget(Qt::BottomDockWidgetArea, timeline);
  tabifyDockWidget(timeline, log);
  timeline->raise();
  const bool small = width() < 1300;
  resizeDocks({clips, actors}, {small ? 280 : 345, small ? 310 : 384}, Qt::Horizontal);
  resizeDocks({clips, bake}, {height() * 45 / 100, height() * 45 / 100}, Qt::Vertical);
  resizeDocks({actors, atlas}, {height() * 53 / 100, height() * 35 / 100}, Qt::Vertical);
  resizeDocks({timeline}, {small ? 190 : 236}, Qt::Vertical);
}

void MainWindow::restoreLayout() {
  const QSettings settings;
  const QByteArray geometry = settings.value(QStringLiteral("window/geometry")).toByteArray();
  const QByteArray panels = settings.value(QStringLiteral("window/panels")).toByteArray();
  // A layout of another version, or one that does not fit, would stack the panels.
  layOutPanels();
  if (!geometry.isEmpty() && restoreGeometry(geometry)) {
    if (!restoreState(panels, kLayoutVersion)) layOutPanels();
  }
}

void MainWindow::keepLayout() const {
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings.setValue(QStringLiteral("window/panels"), saveState(kLayoutVersion));
}

// Panels behind each other have their title in the tab already.
void MainWindow::hideDoubleTitles() {
  for (QDockWidget* dock : docks_) {
    const bool tabbed = !dock->isFloating() && !tabifiedDockWidgets(dock).isEmpty();
    const bool hidden = dock->titleBarWidget() != nullptr;
    if (tabbed && !hidden) {
      dock->setTitleBarWidget(new QWidget(dock));
    } else if (!tabbed && hidden) {
      QWidget* empty = dock->titleBarWidget();
      dock->setTitleBarWidget(nullptr);
      delete empty;
    }
  }
}

}  // namespace ck::ui
