#include "ui/windows/window_layout.h"

#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QLayout>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <QTabBar>

namespace ck::ui {
namespace {

// The version of the saved layout. Increase it when the set of panels or the saved state changes;
// older layouts are then ignored.
constexpr int kLayoutVersion = 7;

// Width in pixels that three columns need, with Formation unfolded.
constexpr int kNarrow = 1280;
constexpr int kNarrowColumn = 330;
// The room that a window manager's frame takes, which is not known before the window is shown.
constexpr QSize kFrame(16, 48);
// The smallest window, where the screen has room for it.
constexpr QSize kSmallest(1024, 640);
// Height in pixels at the bottom for a time line with thumbnails and its error graph, and what is
// left of it in narrow and in low windows.
constexpr int kBottom = 320;
constexpr int kLowBottom = 270;
constexpr int kNarrowBottom = 190;
// Height in pixels that the two panels of the right column need one above the other.
constexpr int kLow = 890;

}  // namespace

WindowLayout::WindowLayout(QMainWindow& window) : QObject(&window), window_(window) {
  window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks |
                        QMainWindow::AllowNestedDocks);
  window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  window.installEventFilter(this);
}

WindowLayout::~WindowLayout() {
  qDeleteAll(docks_);
}

QDockWidget& WindowLayout::add(const QString& name, const QString& title, PanelPlace place,
                               QWidget* panel) {
  auto* dock = new QDockWidget(title, &window_);
  dock->setObjectName(name);
  dock->setWidget(panel);
  dock->setAccessibleName(title);
  docks_ << dock;
  places_ << place;
  for (const auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged}) {
    connect(dock, signal, this, &WindowLayout::hideDoubleTitles, Qt::QueuedConnection);
  }
  connect(dock, &QDockWidget::dockLocationChanged, this, &WindowLayout::hideDoubleTitles,
          Qt::QueuedConnection);
  // If the user moves a panel that the program made a tab, it stays where the user puts it.
  connect(dock, &QDockWidget::topLevelChanged, this, [this, place](bool floating) {
    if (floating && place == PanelPlace::RightBelow) tucked_ = false;
  });
  // A panel that floats where it was has no visible edge.
  connect(dock, &QDockWidget::topLevelChanged, dock, [dock](bool floating) {
    constexpr QPoint kAway(28, 28);
    const bool isDragged = QGuiApplication::mouseButtons() != Qt::NoButton;
    if (floating && !isDragged) dock->move(dock->pos() + kAway);
  });
  return *dock;
}

void WindowLayout::raise(const QWidget& panel) {
  for (QDockWidget* dock : docks_) {
    if (dock->widget() != &panel) continue;
    dock->show();
    dock->raise();
  }
}

QList<QDockWidget*> WindowLayout::allAt(PanelPlace place) const {
  QList<QDockWidget*> all;
  for (qsizetype i = 0; i < docks_.size(); ++i) {
    if (places_[i] == place) all << docks_[i];
  }
  return all;
}

bool WindowLayout::isIn(QDockWidget* dock, Qt::DockWidgetArea area) const {
  return !dock->isFloating() && window_.dockWidgetArea(dock) == area;
}

bool WindowLayout::isTabOf(QDockWidget* dock, QDockWidget* other) const {
  return window_.tabifiedDockWidgets(other).contains(dock);
}

void WindowLayout::setNarrow(bool narrow) {
  narrow_ = narrow;
  emit narrowChanged(narrow);
}

void WindowLayout::layOut() {
  for (QDockWidget* dock : docks_) {
    dock->setFloating(false);
    dock->show();
  }
  setNarrow(window_.width() < kNarrow);
  low_ = window_.height() < kLow;
  tucked_ = narrow_ || low_;
  window_.addDockWidget(Qt::LeftDockWidgetArea, left());
  window_.addDockWidget(Qt::LeftDockWidgetArea, leftBelow());
  window_.addDockWidget(Qt::BottomDockWidgetArea, bottom());
  for (QDockWidget* tab : allAt(PanelPlace::BottomTab)) window_.tabifyDockWidget(bottom(), tab);
  if (tucked_) window_.tabifyDockWidget(bottom(), below());
  if (narrow_) {
    window_.tabifyDockWidget(left(), leftBelow());
    window_.tabifyDockWidget(left(), right());
    window_.resizeDocks({left()}, {kNarrowColumn}, Qt::Horizontal);
  } else {
    window_.splitDockWidget(left(), leftBelow(), Qt::Vertical);
    window_.addDockWidget(Qt::RightDockWidgetArea, right());
    if (!low_) window_.splitDockWidget(right(), below(), Qt::Vertical);
    shareColumns();
  }
  for (QDockWidget* tab : allAt(PanelPlace::RightTab)) window_.tabifyDockWidget(right(), tab);
  (narrow_ ? left() : right())->raise();
  bottom()->raise();
  const int wide = low_ ? kLowBottom : kBottom;
  window_.resizeDocks({bottom()}, {narrow_ ? kNarrowBottom : wide}, Qt::Vertical);
}

// If there is no room for three columns, the right column becomes tabs of the left one; it becomes
// a column again if there is.
void WindowLayout::adaptToWidth() {
  const bool narrow = window_.width() < kNarrow;
  if (narrow == narrow_) return;
  setNarrow(narrow);
  if (narrow) {
    lowerBottom();
    const bool usual = isIn(left(), Qt::LeftDockWidgetArea) &&
                       isIn(leftBelow(), Qt::LeftDockWidgetArea) &&
                       isIn(right(), Qt::RightDockWidgetArea);
    if (usual) {
      window_.tabifyDockWidget(left(), leftBelow());
      QList<QDockWidget*> tabs = allAt(PanelPlace::RightTab);
      tabs.removeIf([&](QDockWidget* tab) { return !isTabOf(tab, right()); });
      window_.tabifyDockWidget(leftBelow(), right());
      for (QDockWidget* tab : tabs) window_.tabifyDockWidget(right(), tab);
      left()->raise();
      window_.resizeDocks({left()}, {kNarrowColumn}, Qt::Horizontal);
    }
    if (isIn(below(), Qt::RightDockWidgetArea) && isIn(bottom(), Qt::BottomDockWidgetArea)) {
      tuckBelow();
    }
    return;
  }
  if (!isTabOf(right(), left())) return;
  window_.addDockWidget(Qt::RightDockWidgetArea, right());
  for (QDockWidget* tab : allAt(PanelPlace::RightTab)) {
    if (isTabOf(tab, left())) window_.tabifyDockWidget(right(), tab);
  }
  right()->raise();
  if (!low_ && tucked_ && isTabOf(below(), bottom())) untuckBelow();
  if (isTabOf(leftBelow(), left())) {
    window_.addDockWidget(Qt::LeftDockWidgetArea, leftBelow(), Qt::Vertical);
  }
  shareColumns();
}

// A window that has become small leaves its place to the view.
void WindowLayout::lowerBottom() {
  const int most = narrow_ ? kNarrowBottom : kLowBottom;
  if (!isIn(bottom(), Qt::BottomDockWidgetArea) || bottom()->height() <= most) return;
  window_.resizeDocks({bottom()}, {most}, Qt::Vertical);
}

void WindowLayout::tuckBelow() {
  window_.tabifyDockWidget(bottom(), below());
  bottom()->raise();
  tucked_ = true;
}

void WindowLayout::untuckBelow() {
  // Not splitDockWidget(), which would add another tab beside a tab.
  window_.addDockWidget(Qt::RightDockWidgetArea, below(), Qt::Vertical);
  tucked_ = false;
}

// If there is no room below the right column, the panel there becomes a tab at the bottom; in
// narrow windows it always is one. A tab made by the user is kept.
void WindowLayout::adaptToHeight() {
  const bool low = window_.height() < kLow;
  if (low == low_) return;
  low_ = low;
  if (low) lowerBottom();
  if (narrow_ || below()->isFloating() || !isIn(bottom(), Qt::BottomDockWidgetArea) ||
      !isIn(right(), Qt::RightDockWidgetArea)) {
    return;
  }
  const bool tabbed = isTabOf(below(), bottom());
  if (low && !tabbed && isIn(below(), Qt::RightDockWidgetArea)) {
    tuckBelow();
  } else if (!low && tabbed && tucked_) {
    untuckBelow();
    shareColumns();
  }
}

void WindowLayout::shareColumns() {
  const int height = window_.height();
  window_.resizeDocks({left(), right()}, {364, 412}, Qt::Horizontal);
  window_.resizeDocks({left(), leftBelow()}, {height * 42 / 100, height * 48 / 100}, Qt::Vertical);
  window_.resizeDocks({right(), below()}, {height * 68 / 100, height * 23 / 100}, Qt::Vertical);
  // A small window has made it lower than its graphs need.
  const int least = low_ ? kLowBottom : kBottom;
  if (bottom()->height() < least) window_.resizeDocks({bottom()}, {least}, Qt::Vertical);
  // A panel that was a tab would otherwise appear outside the window until the next event.
  window_.layout()->activate();
}

bool WindowLayout::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_ && event->type() == QEvent::Resize) {
    // Panels are not moved during layout.
    QMetaObject::invokeMethod(this, &WindowLayout::adaptToWidth, Qt::QueuedConnection);
    QMetaObject::invokeMethod(this, &WindowLayout::adaptToHeight, Qt::QueuedConnection);
  }
  return QObject::eventFilter(watched, event);
}

// Panels outside the screen are unreachable, and only a window of its final size adapts its panels.
// Without a saved position, the window manager chooses one.
void WindowLayout::fitOnScreen() {
  if (window_.isMaximized() || window_.isFullScreen()) return;
  const QScreen* under = QGuiApplication::screenAt(window_.geometry().center());
  const QRect room = (under ? under : window_.screen())->availableGeometry();
  const QSize most = room.size() - kFrame;
  window_.setMinimumSize(kSmallest.boundedTo(most));
  window_.resize(window_.size().boundedTo(most));
  if (!window_.testAttribute(Qt::WA_Moved)) return;
  QRect place = window_.geometry();
  place.moveRight(qMin(place.right(), room.right()));
  place.moveBottom(qMin(place.bottom(), room.bottom()));
  place.moveLeft(qMax(place.left(), room.left()));
  place.moveTop(qMax(place.top(), room.top()));
  window_.setGeometry(place);
}

void WindowLayout::restore() {
  const QSettings settings;
  const QByteArray geometry = settings.value(QStringLiteral("window/geometry")).toByteArray();
  const QByteArray panels = settings.value(QStringLiteral("window/panels")).toByteArray();
  fitOnScreen();
  // A layout of another version, or one that does not fit, would stack the panels.
  layOut();
  if (geometry.isEmpty() || !window_.restoreGeometry(geometry)) return;
  fitOnScreen();
  if (!window_.restoreState(panels, kLayoutVersion)) return layOut();
  // The size for which the layout was saved; the window's first resize adapts it.
  setNarrow(isTabOf(right(), left()));
  tucked_ = settings.value(QStringLiteral("window/atlasTucked")).toBool();
  low_ = tucked_;
}

void WindowLayout::keep() const {
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), window_.saveGeometry());
  settings.setValue(QStringLiteral("window/panels"), window_.saveState(kLayoutVersion));
  settings.setValue(QStringLiteral("window/atlasTucked"), tucked_);
}

// Panels behind one another show their title in the tab.
void WindowLayout::hideDoubleTitles() {
  for (QDockWidget* dock : docks_) {
    const bool tabbed = !dock->isFloating() && !window_.tabifiedDockWidgets(dock).isEmpty();
    const bool hidden = dock->titleBarWidget() != nullptr;
    if (tabbed && !hidden) {
      dock->setTitleBarWidget(new QWidget(dock));
    } else if (!tabbed && hidden) {
      QWidget* empty = dock->titleBarWidget();
      dock->setTitleBarWidget(nullptr);
      delete empty;
    }
  }
  // Qt 6.4 can leave a bar that has lost its tabs over the one that has them.
  for (QTabBar* bar : window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    if (bar->count() == 0) bar->hide();
    // Names are readable; what there is no room for is scrolled to.
    bar->setElideMode(Qt::ElideNone);
    bar->setUsesScrollButtons(true);
  }
}

}  // namespace ck::ui
