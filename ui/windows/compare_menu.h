#pragma once

#include <QObject>

class QAction;
class QKeyEvent;
class QMenu;
class QWidget;

namespace ck::ui {

class ActionTable;
class Document;
class SpotGuide;
class ViewportWidget;

// The entries of the View menu for comparing what is baked with its source: the key that flips
// between both, the divided view, the error view with its scale, the way to the worst vertex, and
// lines over the actors.
class CompareMenu : public QObject {
  Q_OBJECT

 public:
  // Adds the entries and becomes a child of the window. All arguments must outlive it.
  CompareMenu(ActionTable& actions, QMenu& menu, Document& document, SpotGuide& guide,
              ViewportWidget& viewport, QWidget& window);

 protected:
  // The key that flips acts while it is held, so it is no shortcut. Both keys come here from panels
  // too, whose text fields keep them for themselves.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void flip(bool on);
  // Shows the mode, or what was shown before it.
  void toggle(int mode);
  void addModes(ActionTable& actions, QMenu& menu);
  bool isSplitKey(const QKeyEvent& key) const;

  ViewportWidget& viewport_;
  QWidget& window_;
  QAction* flip_ = nullptr;
  QAction* split_ = nullptr;
  int flippedFrom_ = -1;  // a view mode while the key is held
  bool flipping_ = false;
  int before_ = -1;  // the mode before a toggled one
};

// Adds "Fit to what is seen now" and "Set to..." to the menu of the error view's scale.
void addErrorScaleEntries(ActionTable& actions, QMenu& menu, Document& document,
                          ViewportWidget& viewport);

}  // namespace ck::ui
