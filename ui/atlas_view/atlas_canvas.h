#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/atlas/atlas.h"
#include "ui/atlas_view/atlas_picture.h"

namespace ck::ui {

// A moment of playback to be marked in the atlas: a frame of the whole atlas, fractional between
// two frames of one clip.
struct AtlasMarker {
  double frame = 0.0;
  bool actor = false;  // a selected actor's, else the time line's
  bool operator==(const AtlasMarker&) const = default;
};

// The picture of an atlas under a lens: wheel and +/- zoom, dragging pans, arrow keys move the
// texel cursor, F shows the whole. Draws only what is in view, whatever the size of the atlas.
class AtlasCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit AtlasCanvas(QWidget* parent = nullptr);

  // The lens stays where the size of the texture does.
  void setAtlas(AtlasPtr atlas);
  const AtlasPtr& atlas() const { return atlas_; }
  void setLook(const AtlasLook& look);
  const AtlasLook& look() const { return look_; }
  void setMarkers(std::vector<AtlasMarker> markers);
  void setClipsShown(bool shown);

  // Logical pixels per texel across and down. Whole rows of frames are stretched over the view, as
  // they are often a hundred times as tall as wide; nearer, texels are square.
  QPointF scale() const;
  // Zooms with the texel place under `at` (widget coordinates) staying where it is.
  void zoomAbout(const QPointF& at, double factor);
  void showAll();
  QPointF toTexels(const QPointF& widget) const;  // texel coordinates, fractional
  QPointF fromTexels(const QPointF& texels) const;

  // The texel that is read out: under the mouse, or where the arrow keys have led.
  std::optional<QPoint> cursorTexel() const { return cursor_; }
  // Brings it into view.
  void setCursorTexel(const QPoint& texel);

  // Pixels of the last conversion: no more than the view has.
  qint64 convertedPixels() const { return qint64(picture_.width()) * picture_.height(); }

  QSize sizeHint() const override { return {360, 180}; }
  QSize minimumSizeHint() const override { return {120, 60}; }

 signals:
  void cursorMoved();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  // atlas_canvas.cpp
  bool inside(const QPoint& texel) const;
  QPointF wholeScale() const;
  double smallestZoom() const;
  void keepInReach();
  void moveCursor(std::optional<QPoint> texel);
  void nameForReaders();
  // atlas_canvas_paint.cpp
  void convert();
  QRectF toWidget(double x, double y, double width, double height) const;
  void paintGrid(QPainter& painter, const QRect& texels) const;
  void paintFigures(QPainter& painter, const QRect& texels) const;
  void paintClips(QPainter& painter) const;
  void paintMarkers(QPainter& painter) const;
  void paintCursor(QPainter& painter) const;
  QRect visibleTexels() const;

  AtlasPtr atlas_;
  AtlasLook look_;
  std::vector<AtlasMarker> markers_;
  bool clipsShown_ = true;
  double zoom_ = 1.0;  // pixels per texel where that is more than the whole view needs
  QPointF corner_;     // texel coordinates of the widget's top left
  bool whole_ = true;  // showAll() holds through resizing
  std::optional<QPoint> cursor_;
  bool cursorKept_ = false;  // set by the keyboard or a click: stays when the mouse leaves
  QPointF pressedAt_;
  QPointF draggedTo_;
  bool dragging_ = false;
  // What is on the screen, and of which part it was converted; null when it is to be made anew.
  QImage picture_;
  QRectF pictureOf_;
};

// The colour that stands for a clip in the atlas, by its place in the list.
QColor clipColor(int clip);

}  // namespace ck::ui
