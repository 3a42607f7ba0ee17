#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace ck::ui {

class ClipModel;
class Document;
class Playback;
class Session;

// The clips: search, tick, solo, and what the ticked ones cost together.
class ClipsPanel : public QWidget {
  Q_OBJECT

 public:
  ClipsPanel(Document& document, Session& session, Playback& playback, QWidget* parent = nullptr);

  QLineEdit& search() { return *search_; }
  ClipModel& model() { return *model_; }

 signals:
  void addClipsAsked();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showTotal();
  void showMenu(const QPoint& place);
  int currentRow() const;

  Document& document_;
  Session& session_;
  Playback& playback_;
  ClipModel* model_;
  QSortFilterProxyModel* shown_;
  QLineEdit* search_;
  QTreeView* view_;
  QLabel* total_;
};

}  // namespace ck::ui
