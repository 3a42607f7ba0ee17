#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/fit/fit.h"

namespace ck::ui {

// The rows of a search as points: bytes to the right, error at the vertices upwards, both as
// logarithms. The front is a line, its knee a ring, the best row filled; limits are dashed.
class FrontPlot : public QWidget {
  Q_OBJECT

 public:
  explicit FrontPlot(QWidget* parent = nullptr);

  void show(const FitResult& result, const FitLimits& limits);
  // -1: none.
  void select(int row);
  // The centre of a row's point, in the widget.
  QPointF pointOf(int row) const;

  QSize sizeHint() const override { return {300, 150}; }
  QSize minimumSizeHint() const override { return {160, 90}; }

 signals:
  void rowPicked(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  QRectF field() const;
  QPointF at(double bytes, double mm) const;
  double limitMm() const;
  void paintLimits(QPainter& painter) const;
  void paintAxes(QPainter& painter) const;

  std::vector<FitRow> rows_;
  std::optional<std::size_t> best_;
  FitLimits limits_;
  int selected_ = -1;
  // Logarithms of what the field shows.
  double lowBytes_ = 0.0;
  double highBytes_ = 1.0;
  double lowMm_ = 0.0;
  double highMm_ = 1.0;
};

}  // namespace ck::ui
