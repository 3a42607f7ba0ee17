#pragma once

#include <QWidget>
#include <vector>

#include "core/project/project.h"

class QLabel;
class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QToolButton;
class QTreeView;

namespace ck::ui {

class ClipModel;
class ClipThumbnails;
class ClipSelection;
class Document;
class Examination;
class Playback;
class Session;

// The clip list: search, tick, solo, rename, reorder, and the total cost of the ticked clips.
// Actions of the context menu apply to all selected clips.
class ClipsPanel : public QWidget {
  Q_OBJECT

 public:
  ClipsPanel(Document& document, Session& session, Playback& playback, ClipSelection& selection,
             ClipThumbnails* thumbnails, QWidget* parent = nullptr);

  QLineEdit& search() { return *search_; }
  ClipModel& model() { return *model_; }
  QTreeView& view() { return *view_; }
  // A context menu with the actions for the selected clips. The caller shows and deletes it.
  QMenu* makeMenu();
  // Marks clips with what it finds, and offers to show that.
  void setExamination(const Examination& examination);
  QToolButton& doctorButton() { return *doctor_; }

 signals:
  void addClipsAsked();
  // The user wants to see what the doctor has found about a clip; -1: about all.
  void doctorAsked(int clip);
  // The user wants to see how the files of the shown character fit.
  void fitAsked();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeView();
  void widenNumbers();
  void addKeys();
  void showTotal();
  void showFindings();
  void showColumns();
  void showCharacter();
  void offerClips();
  void showMenu(const QPoint& place);
  // Adds a menu that sets a member of the selected clips. The value that all have is checked.
  template <class Value>
  void addChoices(QMenu& menu, const QString& title, Value ProjectClip::*member,
                  void (ClipModel::*set)(const std::vector<int>& rows, Value value),
                  const QList<std::pair<QString, Value>>& choices);
  void takeSelection();
  void restoreSelection();
  void followPlayback();
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
  QToolButton* add_;
  QToolButton* doctor_;
  const Examination* examination_ = nullptr;
  // Names of the selected clips and the current clip, to restore both after reordering.
  std::vector<std::string> selectedNames_;
  std::string currentName_;
  bool restoring_ = false;
};

}  // namespace ck::ui
