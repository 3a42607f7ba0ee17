#include "ui/stats/frame_graph.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <map>

#include "render/frame/frame_stats.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

struct Line {
  double ms = 0.0;
  int framesPerSecond = 0;  // label of the line; 0: its time is the label
};
constexpr Line kLines[] = {{1000.0 / 60.0, 60}, {1000.0 / 30.0, 30}, {100.0}, {250.0}};
constexpr int kRound = 5;

}  // namespace

PassLook passLook(const std::string& name) {
  static const std::map<std::string, PassLook> kLooks = {
      {render::pass_name::kTick, {FrameGraph::tr("Tick"), QColor(0x6d, 0xb3, 0xff)}},
      {render::pass_name::kShadows, {FrameGraph::tr("Shadows"), QColor(0xa8, 0x8b, 0xf0)}},
      {render::pass_name::kCrowd, {FrameGraph::tr("Crowd"), QColor(0x5f, 0xcf, 0xa0)}},
      {render::pass_name::kGround, {FrameGraph::tr("Ground"), QColor(0x8b, 0x91, 0x98)}}};
  const auto known = kLooks.find(name);
  return known != kLooks.end() ? known->second : PassLook{textOf(name), QColor(0xff, 0xc8, 0x57)};
}

FrameGraph::FrameGraph(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Times of the last frames"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FrameGraph::add(const std::vector<render::PassCost>& passes) {
  std::vector<Part> parts;
  parts.reserve(passes.size());
  for (const render::PassCost& pass : passes) {
    parts.push_back({passLook(pass.name).color, pass.gpuMs.value_or(pass.cpuMs)});
  }
  frames_.push_back(std::move(parts));
  while (frames_.size() > kFrames) frames_.pop_front();
}

void FrameGraph::clear() {
  frames_.clear();
  update();
}

// The smallest of the lines that exceeds nearly all frames.
double FrameGraph::scaleMs() const {
  std::vector<double> sums;
  for (const auto& frame : frames_) {
    double sum = 0.0;
    for (const Part& part : frame) sum += part.ms;
    sums.push_back(sum);
  }
  if (sums.empty()) return kLines[0].ms * 1.15;
  std::sort(sums.begin(), sums.end());
  const double most = sums[sums.size() * 19 / 20];
  for (const Line& line : kLines) {
    if (most <= line.ms) return line.ms * 1.15;
  }
  return most * 1.15;
}

void FrameGraph::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colors::kBase);
  painter.drawRoundedRect(QRectF(rect()), kRound, kRound);
  const QRectF field = QRectF(rect()).adjusted(6, 6, -6, -6);
  const double scale = scaleMs();
  const double step = field.width() / double(kFrames);
  double left = field.right() - step * double(frames_.size());
  for (const auto& frame : frames_) {
    double low = field.bottom();
    for (const Part& part : frame) {
      const double high = std::max(low - part.ms / scale * field.height(), field.top());
      painter.fillRect(QRectF(left, high, std::max(step - 0.5, 0.75), low - high), part.color);
      low = high;
    }
    left += step;
  }
  paintLines(painter, field, scale);
}

// Labels are below their lines. Where lines are close, labels are above or side by side.
void FrameGraph::paintLines(QPainter& painter, const QRectF& field, double scaleMs) const {
  constexpr double kGap = 8.0;
  QFont small = font();
  small.setPointSizeF(font().pointSizeF() * 0.85);
  painter.setFont(small);
  std::vector<QRectF> taken;
  for (const Line& line : kLines) {
    if (line.ms > scaleMs) break;
    const double y = field.bottom() - line.ms / scaleMs * field.height();
    painter.setPen(QPen(QColor(255, 255, 255, 60), 1, Qt::DashLine));
    painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y));
    const QString text = line.framesPerSecond > 0 ? tr("%1 fps").arg(line.framesPerSecond)
                                                  : tr("%1 ms").arg(QLocale().toString(line.ms));
    QRectF box = painter.boundingRect(QRectF(field.left(), y + 1, 80, 20), 0, text);
    box.moveBottom(std::min(box.bottom(), field.bottom()));
    const auto meets = [&box](const QRectF& other) { return box.intersects(other); };
    if (std::any_of(taken.begin(), taken.end(), meets)) box.moveBottom(y - 1);
    for (const QRectF& other : taken) {
      if (box.intersects(other)) box.moveLeft(other.right() + kGap);
    }
    taken.push_back(box);
    painter.fillRect(box.adjusted(-2, 0, 2, 0), QColor(0x1b, 0x1c, 0x1f, 190));
    painter.setPen(colors::kMuted);
    painter.drawText(box, text);
  }
}

}  // namespace ck::ui
