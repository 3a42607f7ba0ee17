#pragma once

#include <QMenu>
#include <QPointer>
#include <functional>
#include <glm/glm.hpp>

#include "core/project/desk.h"

class QInputDialog;

namespace ck::ui {

class ActionTable;
class Document;
class ViewportWidget;

// The views of the camera: perspective or orthographic, along the axes (keypad), and the project's
// bookmarks. Every change of a bookmark is one undo step.
class CameraMenu : public QMenu {
  Q_OBJECT

 public:
  // All arguments must outlive the menu.
  CameraMenu(ActionTable& actions, Document& document, ViewportWidget& viewport, QWidget* parent);

  // Asks for a name, with a dialog that does not block.
  void askBookmark();
  void goToBookmark(int number);
  void setBookmark(int number);  // gives it the view of now
  void renameBookmark(int number, const QString& title);
  void deleteBookmark(int number);

 protected:
  // Filters the window's events: Ctrl and the keypad mean a view everywhere, and never a panel.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addViews(ActionTable& actions);
  void addBookmarks(ActionTable& actions);
  void addOptions(ActionTable& actions);
  void useTopRow(bool use);
  void fillBookmarks();
  void askTitle(const QString& heading, const QString& title,
                const std::function<void(const QString&)>& use);
  const std::vector<CameraBookmark>& bookmarks() const;
  void edit(const QString& text, const std::function<void(std::vector<CameraBookmark>&)>& change);

  Document& document_;
  ViewportWidget& viewport_;
  QList<QAction*> views_;  // each with its key as data, without the keypad
  QMenu* go_;
  QMenu* set_;
  QMenu* rename_;
  QMenu* delete_;
  QPointer<QInputDialog> dialog_;
};

}  // namespace ck::ui
