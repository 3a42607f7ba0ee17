#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/bake/bake_settings.h"

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QToolButton;
class QTreeView;

namespace ck::ui {

class ClipModel;
class ClipPictures;
class ClipSelection;
class Document;
class Playback;
class Session;

// The clips: search, tick, solo, rename, order, and what the ticked ones cost together. What is
// chosen from the context menu goes to all selected clips.
class ClipsPanel : public QWidget {
  Q_OBJECT

 public:
  ClipsPanel(Document& document, Session& session, Playback& playback, ClipSelection& selection,
             ClipPictures* pictures, QWidget* parent = nullptr);

  QLineEdit& search() { return *search_; }
  ClipModel& model() { return *model_; }
  QTreeView& view() { return *view_; }
  // The context menu's actions on the selected clips; the caller shows and deletes the menu.
  QMenu* makeMenu();

 signals:
  void addClipsAsked();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeView();
  QWidget* makeBottom();
  void addKeys();
  void showTotal();
  void showCharacter();
  void offerClips();
  void showMenu(const QPoint& place);
  void addEndsMenu(QMenu& menu, const std::vector<int>& rows);
  void addSeamMenu(QMenu& menu, const std::vector<int>& rows);
  void takeSelection();
  void restoreSelection();
  void followShownClip();
  void moveSelected(int by);
  void toggleTicks();
  int currentRow() const;

  Document& document_;
  Session& session_;
  Playback& playback_;
  ClipSelection& selection_;
  ClipModel* model_;
  QSortFilterProxyModel* shown_;
  QLineEdit* search_;
  QTreeView* view_;
  QLabel* total_;
  QLabel* whose_;
  QToolButton* add_ = nullptr;
  // Names of the selected clips and the current one, to find them again in another order.
  std::vector<std::string> selectedNames_;
  std::string currentName_;
  bool restoring_ = false;
};

}  // namespace ck::ui
