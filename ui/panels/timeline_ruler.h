#pragma once

#include <QWidget>
#include <optional>

namespace ck::ui {

class ClipModel;
class ClipPictures;
class Playback;

// The shown clip from its first to its last key in the file, with the frames of what is baked of
// it, a play head, its poses, and two handles that cut it: click and drag scrubs, dragging a handle
// below the band moves that end.
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
  // Where a moment of the file is, in pixels from the left.
  double xOfSeconds(double seconds) const;

  QSize sizeHint() const override { return {400, 104}; }
  QSize minimumSizeHint() const override { return {160, 66}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  // Seconds on the file's timeline.
  struct Span {
    double start = 0.0;
    double end = 0.0;
  };
  enum class Drag { None, Scrub, Start, End };

  Span axis() const;    // what the width shows
  Span wished() const;  // the cut as the project has it
  double secondsAt(double x) const;
  Drag dragAt(const QPointF& place) const;
  void paintPoses(QPainter& painter, const QRectF& lane) const;
  void paintHandles(QPainter& painter, const QRectF& band) const;
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
};

// Makes screen readers meet a TimelineRuler as a slider that says its frame. Call once.
void installTimelineAccessibility();

}  // namespace ck::ui
