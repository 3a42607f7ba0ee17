#pragma once

#include <QWidget>
#include <array>
#include <deque>
#include <vector>

#include "render/frame/pass_timers.h"

namespace ck::ui {

// How a pass is shown.
struct PassLook {
  QString title;
  QColor color;
};
PassLook passLook(const std::string& name);  // render::pass_name

// Recent frames as stacked bars of their passes, with lines at 60 and 30 frames per second, 100 ms
// and 250 ms where these are in range.
class FrameGraph : public QWidget {
  Q_OBJECT

 public:
  static constexpr std::size_t kFrames = 120;

  explicit FrameGraph(QWidget* parent = nullptr);
  void add(const std::vector<render::PassCost>& passes);  // drawn with the next update()
  void clear();
  QSize sizeHint() const override { return {260, 120}; }
  QSize minimumSizeHint() const override { return {120, 60}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  double scaleMs() const;
  void paintLines(QPainter& painter, const QRectF& field, double scaleMs) const;

  struct Part {
    QColor color;
    double ms = 0.0;
  };
  std::deque<std::vector<Part>> frames_;
};

}  // namespace ck::ui
