#pragma once

#include <QWidget>

namespace ck::ui {

class Playback;

// The frames of the shown clip with a play head: click and drag scrubs.
class TimelineRuler : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineRuler(Playback& playback, QWidget* parent = nullptr);

  // The play head in frames of the shown clip, fractional; 0 without one.
  double frame() const;
  // Puts the crowd's clock where the shown clip is at that frame, within the cycle it is in.
  void scrubTo(double frame);
  void step(int frames);  // by whole frames, from the nearest one
  void toFirst();
  void toLast();

  QSize sizeHint() const override { return {400, 62}; }
  QSize minimumSizeHint() const override { return {160, 58}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  int frameCount() const;
  double xOf(double frame) const;
  void scrubToPixel(double x);
  void paintTicks(QPainter& painter, const QRectF& band) const;
  void paintHead(QPainter& painter, const QRectF& band) const;
  void nameForReaders();

  Playback& playback_;
};

// Makes screen readers meet a TimelineRuler as a slider that says its frame. Call once.
void installTimelineAccessibility();

}  // namespace ck::ui
