#pragma once

#include <QList>
#include <QObject>

class QAction;
class QKeyEvent;
class QMenu;
class QWidget;

namespace ck::ui {

class MainMenus;
class MainWindow;
class ViewportWidget;

// The entries of the View menu for comparing what is baked with its source: the key that flips
// between both, the divided view, the error view with its scale, the way to the worst vertex, and
// lines over the actors.
class CompareMenu : public QObject {
  Q_OBJECT

 public:
  // Adds the entries. The window has a viewport.
  CompareMenu(QMenu& menu, MainMenus& menus, MainWindow& window, QMenu& errorScale);

  // The actions whose keys work in the viewport alone.
  const QList<QAction*>& viewportKeys() const { return viewportKeys_; }

 protected:
  // The key that flips acts while it is held, so it is no shortcut. Both keys come here from panels
  // too, whose text fields keep them for themselves.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void flip(bool on);
  // Shows the mode, or what was shown before it.
  void toggle(int mode);
  void addModes(QMenu& menu, MainMenus& menus);
  void addLines(QMenu& menu, MainMenus& menus, MainWindow& window);

  ViewportWidget& viewport_;
  bool isSplitKey(const QKeyEvent& key) const;

  QWidget& window_;
  QAction* flip_ = nullptr;
  QAction* split_ = nullptr;
  int flippedFrom_ = -1;  // a view mode while the key is held
  bool flipping_ = false;
  int before_ = -1;  // the mode before a toggled one
  QList<QAction*> viewportKeys_;
};

// Adds "Fit to what is seen now" and "Set to..." to the menu of the error view's scale.
void addErrorScaleEntries(QMenu& menu, MainMenus& menus, MainWindow& window);

}  // namespace ck::ui
