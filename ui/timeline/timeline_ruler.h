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
class ClipThumbnails;
class Playback;

// Shows the shown clip from its first to its last key in the file, with baked frames, playhead,
// thumbnails of poses, events, and two trim handles. Clicking and dragging scrubs. Dragging a
// handle below the band moves that end of the trim; dragging an event mark moves the event.
class TimelineRuler : public QWidget {
  Q_OBJECT

 public:
  // Without `thumbnails` there are no thumbnails.
  TimelineRuler(Playback& playback, ClipModel& clips, ClipThumbnails* thumbnails,
                QWidget* parent = nullptr);

  // The playhead in frames of the shown clip, with a fraction; 0 without a clip. It is where the
  // selected actor is, if one alone is selected and shows that clip, else where the clock is.
  double frame() const;
  // Sets the crowd's clock to the time at which the selected actor, else the shown clip by itself,
  // has that frame, within the current cycle (Playback::seekShown()).
  void scrubTo(double frame);
  void step(int frames);  // by whole frames, starting at the nearest one
  int lastFrame() const;

  // Trims the shown clip, in seconds of its file. A whole drag is one undo step.
  void trimTo(double startSeconds, double endSeconds);
  // Edits the events of the shown clip, in seconds of its file; one undo step each. Indices refer
  // to ProjectClip::events.
  void addClipEvent(const QString& name, double seconds);
  void renameClipEvent(int event, const QString& name);
  void moveClipEvent(int event, double seconds);  // a whole drag is one undo step
  void removeClipEvent(int event);
  // Asks for a name and adds an event at the playhead.
  void askEvent();

  // The position of a time of the file, in pixels from the left.
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
  enum class Drag { None, Scrub, Start, End, Event };

  // In seconds of the file.
  Trim axis() const;  // the range that the widget shows
  Trim cut() const;   // the clip as the project cuts it; empty without its rig
  const Clip* source() const;
  double secondsAt(double x) const;
  Drag dragAt(const QPointF& place) const;
  void paintPoses(QPainter& painter, const QRectF& lane) const;
  void paintHandles(QPainter& painter, const QRectF& band) const;
  const std::vector<ClipEvent>& events() const;
  int eventAt(const QPointF& place) const;  // or -1
  void paintEvents(QPainter& painter, const QRectF& band) const;
  void askNewName(int event);
  QString askName(const QString& title, const QString& label, const QString& now);  // or empty
  void lightPassed();
  void editEvents(const QString& text, const std::function<void(std::vector<ClipEvent>&)>& change,
                  const QString& mergeKey = {});
  void editEvent(int event, const QString& text, const std::function<void(ClipEvent&)>& change,
                 const QString& mergeKey = {});
  // The position of an event in a cycle of the shown clip; nothing if it is not in the clip.
  std::optional<double> unitOf(const ClipEvent& event) const;
  double snapped(double seconds, Qt::KeyboardModifiers modifiers) const;
  double xOf(double frame) const;
  void scrubToPixel(double x);
  void paintTicks(QPainter& painter, const QRectF& band) const;
  void paintHead(QPainter& painter, const QRectF& band) const;
  void nameForReaders();

  Playback& playback_;
  ClipModel& clips_;
  ClipThumbnails* thumbnails_;
  Drag drag_ = Drag::None;
  int dragged_ = -1;               // the event
  double lastSeconds_ = 0.0;       // the crowd's time when events were last highlighted
  double lastUnit_ = 0.0;          // and where the playhead was in the clip
  QHash<int, qint64> litUntilMs_;  // by event
  QElapsedTimer clock_;
};

// Lets screen readers present a TimelineRuler as a slider with its frame as value. Called once.
void installTimelineAccessibility();

}  // namespace ck::ui
