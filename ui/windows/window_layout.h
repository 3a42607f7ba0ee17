#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace ck::ui {

// The initial place of a panel. Every place except the tabs has exactly one panel.
enum class PanelPlace {
  Left,        // the left column
  LeftBelow,   // below the left column; in narrow windows a tab of it
  Right,       // the right column; in narrow windows a tab of the left one
  RightTab,    // a tab of Right
  RightBelow,  // below Right; in narrow or low windows a tab at the bottom
  Bottom,      // below the view
  BottomTab,   // a tab of Bottom
};

// The panels around a window's view. Arranges them, moves panels that a small window has no room
// for, and saves the layout and the window's geometry.
class WindowLayout : public QObject {
  Q_OBJECT

 public:
  // Becomes a child of the window.
  explicit WindowLayout(QMainWindow& window);
  ~WindowLayout() override;  // deletes the panels

  // Adds a panel. Saved layouts refer to it by `name`, which must not change.
  QDockWidget& add(const QString& name, const QString& title, PanelPlace place, QWidget* panel);
  // In the order in which they were added.
  const QList<QDockWidget*>& docks() const { return docks_; }
  // Brings the dock of a panel to the front.
  void raise(const QWidget& panel);

  // Moves all panels to their initial places, for the current size of the window.
  void layOut();
  // Restores the geometry and the layout that keep() saved last.
  void restore();
  void keep() const;

 signals:
  // Whether the window is too narrow for three columns.
  void narrowChanged(bool narrow);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QDockWidget* at(PanelPlace place) const { return docks_[places_.indexOf(place)]; }
  QDockWidget* left() const { return at(PanelPlace::Left); }
  QDockWidget* leftBelow() const { return at(PanelPlace::LeftBelow); }
  QDockWidget* right() const { return at(PanelPlace::Right); }
  QDockWidget* below() const { return at(PanelPlace::RightBelow); }
  QDockWidget* bottom() const { return at(PanelPlace::Bottom); }
  QList<QDockWidget*> allAt(PanelPlace place) const;
  void lowerBottom();
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
  QList<PanelPlace> places_;  // one per dock
  bool narrow_ = false;
  bool low_ = false;
  bool tucked_ = false;  // whether the program itself made the panel below the right column a tab
};

}  // namespace ck::ui
