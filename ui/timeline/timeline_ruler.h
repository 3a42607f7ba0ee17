#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "core/project/project.h"

namespace ck::ui {

class ClipModel;
class ClipPictures;
class Playback;

// The shown clip from its first to its last key in the file, with the frames of what is baked of
// it, a play head, its poses, its events, and two handles that cut it: click and drag scrubs,
// dragging a handle below the band moves that end, dragging the mark of an event moves that.
class TimelineRuler : public QWidget {
  Q_OBJECT

 public:
  // Without `pictures` there are no poses.
  TimelineRuler(Playback& playback, ClipModel& clips, ClipPictures* pictures,
                QWidget* parent = nullptr);

  // The play head in frames of the shown clip, fractional; 0 without one.
  double frame() const;
  // Puts the crowd's clock where the shown clip is at that frame, within the cycle it is in.
  void scrubTo(double frame);
  void step(int frames);  // by whole frames, from the nearest one
  void toFirst();
  void toLast();

  // Cuts the shown clip there, in seconds of its file; one undo step for a whole drag.
  void trimTo(double startSeconds, double endSeconds);
  // The events of the shown clip, in seconds of its file; one undo step each. Indices are those of
  // ProjectClip::events.
  void addEvent(const QString& name, double seconds);
  void renameEvent(int event, const QString& name);
  void moveEvent(int event, double seconds);  // one step for a whole drag
  void removeEvent(int event);
  // Asks for a name and adds an event where the play head is.
  void askEvent();

  // Where a moment of the file is, in pixels from the left.
  double xOfSeconds(double seconds) const;

  QSize sizeHint() const override { return {400, 104}; }
  QSize minimumSizeHint() const override { return {160, 66}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

 private:
  // Seconds on the file's timeline.
  struct Span {
    double start = 0.0;
    double end = 0.0;
  };
  enum class Drag { None, Scrub, Start, End, Event };

  Span axis() const;    // what the width shows
  Span wished() const;  // the cut as the project has it
  double secondsAt(double x) const;
  Drag dragAt(const QPointF& place) const;
  void paintPoses(QPainter& painter, const QRectF& lane) const;
  void paintHandles(QPainter& painter, const QRectF& band) const;
  // timeline_events.cpp
  const std::vector<ClipEvent>& events() const;
  int eventAt(const QPointF& place) const;  // or -1
  void paintEvents(QPainter& painter, const QRectF& band) const;
  void askName(int event);
  void lightPassed();
  void editEvents(const QString& text, const std::function<void(std::vector<ClipEvent>&)>& change,
                  const QString& mergeKey = {});
  double snapped(double seconds, Qt::KeyboardModifiers modifiers) const;
  int frameCount() const;
  double xOf(double frame) const;
  void scrubToPixel(double x);
  void paintTicks(QPainter& painter, const QRectF& band) const;
  void paintHead(QPainter& painter, const QRectF& band) const;
  void nameForReaders();

  Playback& playback_;
  ClipModel& clips_;
  ClipPictures* pictures_;
  Drag drag_ = Drag::None;
  int dragged_ = -1;               // the event
  double lastSeconds_ = 0.0;       // of the crowd's clock, when events were lit last
  QHash<int, qint64> litUntilMs_;  // by event
  QElapsedTimer clock_;
};

// Makes screen readers meet a TimelineRuler as a slider that says its frame. Call once.
void installTimelineAccessibility();

}  // namespace ck::ui
