#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QToolButton;

namespace ck::ui {

class Document;
class ClipModel;
class ClipPictures;
class ClipSelection;
class Playback;
class TimelineRuler;

// The actions of the timeline's buttons. Their keys work in the timeline and the viewport only.
struct TransportActions {
  QAction* first;
  QAction* back;
  QAction* play;
  QAction* forward;
  QAction* last;
  QAction* loop;
  QAction* mark;
};

// Controls of the crowd's clock: play, step, scrub and speed.
class TimelinePanel : public QWidget {
  Q_OBJECT

 public:
  TimelinePanel(Document& document, Playback& playback, ClipModel& clips, ClipSelection& selected,
                ClipPictures* pictures, QWidget* parent = nullptr);

  const TransportActions& actions() const { return actions_; }
  TimelineRuler& ruler() { return *ruler_; }

 private:
  QAction* addTransport(const QString& iconName, const QString& text, const QKeySequence& key);
  void connectTransport();
  QWidget* makeBar();
  void showReading();

  Document& document_;
  Playback& playback_;
  TimelineRuler* ruler_;
  QLabel* reading_;
  QLabel* clock_;
  TransportActions actions_;
};

}  // namespace ck::ui
