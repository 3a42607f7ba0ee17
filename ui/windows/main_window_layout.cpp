#include <QDockWidget>
#include <QGuiApplication>
#include <QLayout>
#include <QScreen>
#include <QSettings>
#include <tuple>

#include "ui/actors/actors_panel.h"
#include "ui/atlas_view/atlas_panel.h"
#include "ui/bake/bake_panel.h"
#include "ui/characters/characters_panel.h"
#include "ui/clips/clips_panel.h"
#include "ui/log/log_panel.h"
#include "ui/morphs/morphs_panel.h"
#include "ui/stats/stats_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/windows/main_window.h"

namespace ck::ui {
namespace {

// Another number whenever the set of panels changes, or what is kept of them: an older layout is
// then not restored.
constexpr int kLayoutVersion = 6;

// Three columns need this many pixels.
constexpr int kNarrow = 1200;
constexpr int kNarrowColumn = 330;
// Actors and the atlas above each other need this many.
constexpr int kLow = 890;

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
  addDock(QStringLiteral("stats"), tr("Stats"), stats_);
  addDock(QStringLiteral("morphs"), tr("Morphs"), morphs_);
  addDock(QStringLiteral("characters"), tr("Characters"), characters_);
  // Where somebody takes hold of the atlas, its place is theirs from then on.
  connect(docks_[5], &QDockWidget::topLevelChanged, this, [this](bool floating) {
    if (floating) atlasTucked_ = false;
  });
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  connect(&log_, &LogModel::unreadChanged, this, [dock = docks_[4]](int count) {
    dock->setWindowTitle(count > 0 ? tr("Log (%1)").arg(count) : tr("Log"));
  });
}

void MainWindow::layOutPanels() {
  const auto [clips, bake, actors, timeline, log, atlas, stats] =
      std::tuple{docks_[0], docks_[1], docks_[2], docks_[3], docks_[4], docks_[5], docks_[6]};
  QDockWidget* const characters = docks_[8];
  for (QDockWidget* dock : docks_) {
    dock->setFloating(false);
    dock->show();
  }
  narrow_ = width() < kNarrow;
  low_ = height() < kLow;
  atlasTucked_ = narrow_ || low_;
  showBarLabels();
  addDockWidget(Qt::LeftDockWidgetArea, clips);
  addDockWidget(Qt::LeftDockWidgetArea, bake);
  addDockWidget(Qt::BottomDockWidgetArea, timeline);
  tabifyDockWidget(timeline, log);
  tabifyDockWidget(log, stats);
  tabifyDockWidget(stats, findChild<QDockWidget*>(QStringLiteral("morphs")));
  if (narrow_) {
    tabifyDockWidget(clips, bake);
    tabifyDockWidget(bake, actors);
    tabifyDockWidget(stats, atlas);
    clips->raise();
    resizeDocks({clips}, {kNarrowColumn}, Qt::Horizontal);
  } else {
    splitDockWidget(clips, bake, Qt::Vertical);
    addDockWidget(Qt::RightDockWidgetArea, actors);
    if (low_) {
      tabifyDockWidget(stats, atlas);
    } else {
      splitDockWidget(actors, atlas, Qt::Vertical);
    }
    shareColumns();
  }
  tabifyDockWidget(actors, characters);
  (narrow_ ? clips : actors)->raise();
  timeline->raise();
  resizeDocks({timeline}, {narrow_ ? 190 : 236}, Qt::Vertical);
}

// Where there is no room for three columns, the right one becomes tabs of the others, and a column
// again where there is.
void MainWindow::adaptToWidth() {
  const bool narrow = width() < kNarrow;
  if (narrow == narrow_) return;
  narrow_ = narrow;
  showBarLabels();
  const auto [clips, bake, actors, timeline, atlas] =
      std::tuple{docks_[0], docks_[1], docks_[2], docks_[3], docks_[5]};
  const auto isIn = [this](QDockWidget* dock, Qt::DockWidgetArea area) {
    return !dock->isFloating() && dockWidgetArea(dock) == area;
  };
  if (narrow) {
    const bool bakeBelow = isIn(clips, Qt::LeftDockWidgetArea) &&
                           isIn(bake, Qt::LeftDockWidgetArea) &&
                           isIn(actors, Qt::RightDockWidgetArea);
    if (bakeBelow) {
      tabifyDockWidget(clips, bake);
      const bool together = tabifiedDockWidgets(actors).contains(docks_[8]);
      tabifyDockWidget(bake, actors);
      if (together) tabifyDockWidget(actors, docks_[8]);
      clips->raise();
      resizeDocks({clips}, {kNarrowColumn}, Qt::Horizontal);
    }
    if (isIn(atlas, Qt::RightDockWidgetArea) && isIn(timeline, Qt::BottomDockWidgetArea)) {
      tuckAtlas();
    }
    return;
  }
  if (!tabifiedDockWidgets(clips).contains(actors)) return;
  addDockWidget(Qt::RightDockWidgetArea, actors);
  if (tabifiedDockWidgets(clips).contains(docks_[8])) tabifyDockWidget(actors, docks_[8]);
  actors->raise();
  if (!low_ && atlasTucked_ && tabifiedDockWidgets(timeline).contains(atlas)) untuckAtlas();
  if (tabifiedDockWidgets(clips).contains(bake)) {
    addDockWidget(Qt::LeftDockWidgetArea, bake, Qt::Vertical);
  }
  shareColumns();
}

void MainWindow::tuckAtlas() {
  QDockWidget* const timeline = docks_[3];
  tabifyDockWidget(timeline, docks_[5]);
  timeline->raise();
  atlasTucked_ = true;
}

void MainWindow::untuckAtlas() {
  // Not splitDockWidget(): beside a tab it makes one more.
  addDockWidget(Qt::RightDockWidgetArea, docks_[5], Qt::Vertical);
  atlasTucked_ = false;
}

// Where the atlas has no room below the actors, it becomes a tab beside the time line; of narrow
// windows it is one anyway. A tab that somebody made of it stays one.
void MainWindow::adaptToHeight() {
  const bool low = height() < kLow;
  if (low == low_) return;
  low_ = low;
  if (narrow_) return;
  const auto [actors, timeline, atlas] = std::tuple{docks_[2], docks_[3], docks_[5]};
  const bool actorsRight =
      !actors->isFloating() && dockWidgetArea(actors) == Qt::RightDockWidgetArea;
  const bool timelineBelow =
      !timeline->isFloating() && dockWidgetArea(timeline) == Qt::BottomDockWidgetArea;
  if (!actorsRight || !timelineBelow || atlas->isFloating()) return;
  const bool tabbed = tabifiedDockWidgets(timeline).contains(atlas);
  if (low && !tabbed && dockWidgetArea(atlas) == Qt::RightDockWidgetArea) {
    tuckAtlas();
  } else if (!low && tabbed && atlasTucked_) {
    untuckAtlas();
    shareColumns();
  }
}

void MainWindow::shareColumns() {
  const auto [clips, bake, actors, atlas] = std::tuple{docks_[0], docks_[1], docks_[2], docks_[5]};
  resizeDocks({clips, actors}, {364, 412}, Qt::Horizontal);
  resizeDocks({clips, bake}, {height() * 42 / 100, height() * 48 / 100}, Qt::Vertical);
  resizeDocks({actors, atlas}, {height() * 66 / 100, height() * 25 / 100}, Qt::Vertical);
  // A panel that came out of tabs would wait for the next event outside the window.
  layout()->activate();
}

// What the boxes are for stands in their tool tips too.
void MainWindow::showBarLabels() {
  for (QAction* label : barLabels_) label->setVisible(!narrow_);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  // Panels are not moved while they are being laid out.
  QMetaObject::invokeMethod(this, &MainWindow::adaptToWidth, Qt::QueuedConnection);
  QMetaObject::invokeMethod(this, &MainWindow::adaptToHeight, Qt::QueuedConnection);
}

// Panels off the screen cannot be reached, and only a window of its true size has them adapted.
// Where no place was kept, the window manager chooses one.
void MainWindow::fitOnScreen() {
  if (isMaximized() || isFullScreen()) return;
  const QScreen* under = QGuiApplication::screenAt(geometry().center());
  const QRect room = (under ? under : screen())->availableGeometry();
  resize(size().boundedTo(room.size()));
  if (!testAttribute(Qt::WA_Moved)) return;
  QRect place = geometry();
  place.moveRight(qMin(place.right(), room.right()));
  place.moveBottom(qMin(place.bottom(), room.bottom()));
  place.moveLeft(qMax(place.left(), room.left()));
  place.moveTop(qMax(place.top(), room.top()));
  setGeometry(place);
}

void MainWindow::restoreLayout() {
  const QSettings settings;
  const QByteArray geometry = settings.value(QStringLiteral("window/geometry")).toByteArray();
  const QByteArray panels = settings.value(QStringLiteral("window/panels")).toByteArray();
  fitOnScreen();
  // A layout of another version, or one that does not fit, would stack the panels.
  layOutPanels();
  if (!geometry.isEmpty() && restoreGeometry(geometry)) {
    fitOnScreen();
    if (!restoreState(panels, kLayoutVersion)) return layOutPanels();
    // What the kept layout is made for; the window's first size adapts it where it differs.
    narrow_ = tabifiedDockWidgets(docks_[0]).contains(docks_[2]);
    atlasTucked_ = settings.value(QStringLiteral("window/atlasTucked")).toBool();
    low_ = atlasTucked_;
    showBarLabels();
  }
}

void MainWindow::keepLayout() const {
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings.setValue(QStringLiteral("window/panels"), saveState(kLayoutVersion));
  settings.setValue(QStringLiteral("window/atlasTucked"), atlasTucked_);
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
