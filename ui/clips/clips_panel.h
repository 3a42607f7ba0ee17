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

// The clip list: search, tick, solo, rename, reorder, and the total cost of the ticked clips.
// Actions of the context menu apply to all selected clips.
class ClipsPanel : public QWidget {
  Q_OBJECT

 public:
  ClipsPanel(Document& document, Session& session, Playback& playback, ClipSelection& selection,
             ClipPictures* pictures, QWidget* parent = nullptr);

  QLineEdit& search() { return *search_; }
  ClipModel& model() { return *model_; }
  QTreeView& view() { return *view_; }
  // A context menu with the actions for the selected clips. The caller shows and deletes it.
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
  // Names of the selected clips and the current clip, to restore both after reordering.
  std::vector<std::string> selectedNames_;
  std::string currentName_;
  bool restoring_ = false;
};

}  // namespace ck::ui
