#pragma once

#include <QPixmap>
#include <QPolygonF>
#include <QWidget>
#include <optional>

#include "core/error/bake_error.h"

namespace ck::ui {

class Document;
class ErrorCurves;
class Playback;
class TimelineRuler;

// The points of a line from left to right that its picture needs: of those within one column of
// pixels the first, the highest, the lowest and the last.
QPolygonF thinnedLine(const QPolygonF& line);

// The largest error of a vertex over the time of the shown clip, below the ruler and with its
// scale. Shows the limit of the project and the worst moment; the pointer reads out millimetres,
// joint and frame. A click goes to that frame; a double click shows the vertex as well.
class ErrorGraph : public QWidget {
  Q_OBJECT

 public:
  // All must outlive it. `curves` is watched while the graph is visible.
  ErrorGraph(const Document& document, Playback& playback, ErrorCurves& curves,
             TimelineRuler& ruler, QWidget* parent = nullptr);

  // The distance at the top edge of the graph.
  double topMm() const;
  // Where a moment is, in pixels of the widget; nothing without a curve.
  std::optional<QPointF> placeOf(const ErrorMoment& moment) const;
  // The text at the pointer, empty while it is elsewhere.
  QString readout() const;

  QSize sizeHint() const override { return {400, 54}; }
  // In a small window it leaves its place to the view.
  QSize minimumSizeHint() const override { return {160, 0}; }

 signals:
  // To be shown with its vertex.
  void momentAsked(const ck::ErrorMoment& moment, int character, int atlasClip);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  double xOf(double unit) const;
  QFont smallFont() const;
  QRectF plot() const;  // where the curve is
  const ErrorMoment* momentAt(double x) const;
  double frameOf(const ErrorMoment& moment) const;
  QString words(const ErrorMoment& moment) const;
  QString stateText() const;
  void describe();
  // Where the curve is drawn: all that its picture depends on, besides its moments.
  struct Axes {
    QRectF plot;
    QSize pixels;         // of the widget
    double firstX = 0.0;  // of the start of the clip
    double lastX = 0.0;   // of its end
    double topMm = 0.0;
    QPointF placeOf(const ErrorMoment& moment) const;
    bool operator==(const Axes&) const = default;
  };
  Axes axes() const;
  QPixmap pictureOf(const std::vector<ErrorMoment>& all, const Axes& axes) const;

  const Document& document_;
  Playback& playback_;
  ErrorCurves& curves_;
  TimelineRuler& ruler_;
  std::optional<double> pointer_;  // x
  // The picture of the curve, which is painted at every tick of a playing crowd; null: to be drawn.
  QPixmap curve_;
  Axes curveAxes_;  // of that picture
};

}  // namespace ck::ui
