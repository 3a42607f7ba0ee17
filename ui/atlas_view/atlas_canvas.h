#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/atlas/atlas.h"
#include "ui/atlas_view/atlas_image.h"

namespace ck {
struct TexelRect;
}

namespace ck::ui {

// A playback position to mark in the atlas: a frame number of the atlas, with a fraction towards
// the next frame of the clip.
struct AtlasMarker {
  double frame = 0.0;
  bool actor = false;  // of a selected actor; else of the timeline
  bool operator==(const AtlasMarker&) const = default;
};

// Shows the texture of an atlas. Wheel and +/- zoom, dragging pans, arrow keys move the texel
// cursor, F shows the whole texture. Only the visible part is drawn, whatever the size of the
// atlas.
class AtlasCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit AtlasCanvas(QWidget* parent = nullptr);

  // Keeps zoom and position if the texture size is unchanged.
  void setAtlas(AtlasPtr atlas);
  const AtlasPtr& atlas() const { return atlas_; }
  void setLook(const AtlasLook& look);
  const AtlasLook& look() const { return look_; }
  void setMarkers(std::vector<AtlasMarker> markers);
  const std::vector<AtlasMarker>& markers() const { return markers_; }
  void setClipsVisible(bool shown);

  // Logical pixels per texel, horizontally and vertically. When the whole atlas is shown, rows are
  // stretched to the view, because an atlas is often a hundred times as tall as wide. When zoomed
  // in, texels are square.
  QPointF scale() const;
  // Zooms so that the texel under `at` (widget coordinates) keeps its position.
  void zoomAbout(const QPointF& at, double factor);
  void showAll();
  QPointF toTexels(const QPointF& widget) const;  // texel coordinates, fractional
  QPointF fromTexels(const QPointF& texels) const;

  // The texel whose values are shown: under the mouse, or moved to with the arrow keys.
  std::optional<QPoint> cursorTexel() const { return cursor_; }
  // Scrolls the texel into view.
  void setCursorTexel(const QPoint& texel);

  // Number of pixels in the cached image. It is at most that of the view.
  qint64 convertedPixels() const { return qint64(image_.width()) * image_.height(); }

  QSize sizeHint() const override { return {360, 180}; }
  QSize minimumSizeHint() const override { return {120, 60}; }

 signals:
  void cursorMoved();
  // With the left button, on an atlas.
  void doubleClicked();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRect allTexels() const;  // empty without an atlas
  std::optional<QPoint> texelAt(const QPointF& widget) const;
  QPointF wholeScale() const;
  double smallestZoom() const;
  void keepInReach();
  void moveCursor(std::optional<QPoint> texel);
  void nameForReaders();
  void convert();
  QRectF toWidget(const QRectF& texels) const;
  void paintGrid(QPainter& painter, const QRect& texels) const;
  void paintFigures(QPainter& painter, const QRect& texels) const;
  void paintClips(QPainter& painter) const;
  QRectF labelPlace(const TexelRect& part, double wide) const;
  void paintMarkers(QPainter& painter) const;
  void paintCursor(QPainter& painter) const;
  QRect visibleTexels() const;

  AtlasPtr atlas_;
  AtlasLook look_;
  std::vector<AtlasMarker> markers_;
  bool clipsVisible_ = true;
  double zoom_ = 1.0;  // pixels per texel, if larger than the scale that shows the whole texture
  QPointF corner_;     // texel coordinates of the widget's top left
  bool whole_ = true;  // whether showAll() is kept when the widget is resized
  std::optional<QPoint> cursor_;
  // Set by the keyboard or a click: the cursor stays when the mouse leaves.
  bool cursorKept_ = false;
  QPointF pressedAt_;
  QPointF draggedTo_;
  bool dragging_ = false;
  // The cached image of the visible part; null if it must be rendered again.
  QImage image_;
  QRectF imageOf_;
};

}  // namespace ck::ui
