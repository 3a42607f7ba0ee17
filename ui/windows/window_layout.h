#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace ck::ui {

// Where a panel stands at first. Every place but the tabs has exactly one panel.
enum class PanelPlace {
  Left,        // the left column
  LeftBelow,   // below it; in narrow windows a tab of it
  Right,       // the right column; in narrow windows a tab of the left one
  RightTab,    // a tab of that, wherever it is
  RightBelow,  // below it; in narrow or low windows a tab at the bottom
  Bottom,      // below the view
  BottomTab,   // a tab of that
};

// The panels around the view of a window: lays them out, moves those that a small window has no
// room for, and keeps the layout and the window's place from one start to the next.
class WindowLayout : public QObject {
  Q_OBJECT

 public:
  // A child of the window.
  explicit WindowLayout(QMainWindow& window);
  ~WindowLayout() override;  // deletes the panels

  // Adds a panel. Kept layouts know it by its name, which never changes.
  QDockWidget& add(const QString& name, const QString& title, PanelPlace place, QWidget* panel);
  // In the order in which they were added.
  const QList<QDockWidget*>& docks() const { return docks_; }
  // Shows the dock of a panel in front of others.
  void raise(const QWidget& panel);

  // Puts all panels where they stand at first, for the size that the window has.
  void layOut();
  // Puts window and panels where they were when keep() was called last.
  void restore();
  void keep() const;

 signals:
  // Whether the window has no room for three columns.
  void narrowChanged(bool narrow);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QDockWidget* at(PanelPlace place) const { return docks_[places_.indexOf(place)]; }
  QList<QDockWidget*> allAt(PanelPlace place) const;
  bool isIn(QDockWidget* dock, Qt::DockWidgetArea area) const;
  bool isTabOf(QDockWidget* dock, QDockWidget* other) const;
  void setNarrow(bool narrow);
  void adaptToWidth();
  void adaptToHeight();
  void tuckBelow();
  void untuckBelow();
  void shareColumns();
  void fitOnScreen();
  void hideDoubleTitles();

  QMainWindow& window_;
  QList<QDockWidget*> docks_;
  QList<PanelPlace> places_;  // of the docks
  bool narrow_ = false;
  bool low_ = false;
  bool tucked_ = false;  // the program itself made the panel below the right column a tab
};

}  // namespace ck::ui
