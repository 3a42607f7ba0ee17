#include "ui/start/drop_overlay.h"

#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/import/rig_format.h"
#include "ui/document/text.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kMargin = 24;
constexpr int kGap = 14;
constexpr int kHeading = 44;  // height of the line with the files' names
constexpr int kIcon = 32;

// The kinds of files that can be dropped: "Rigs and clips (gltf, glb), ...".
QString readableText() {
  QStringList endings;
  for (const RigFormat& format : kRigFormats) endings << textOf(format.ending);
  return DropOverlay::tr(
             "Rigs and clips (%1), projects (crowd) and lists of actors (actors.json, "
             "csv) can be dropped.")
      .arg(endings.join(QStringLiteral(", ")));
}

}  // namespace

DropOverlay::DropOverlay(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAccessibleName(tr("What happens to dropped files"));
  hide();
}

void DropOverlay::showChoices(const QString& files, std::vector<DropChoice> choices) {
  files_ = files;
  setChoices(std::move(choices));
  show();
  raise();
}

void DropOverlay::setChoices(std::vector<DropChoice> choices) {
  choices_ = std::move(choices);
  at_ = 0;
  update();
}

// Beside each other, or in two rows where that leaves room for the words.
QRect DropOverlay::fieldOf(int choice) const {
  const int count = int(choices_.size());
  const QRect all = rect().adjusted(kMargin, kMargin + kHeading, -kMargin, -kMargin);
  const int columns = count > 2 && all.width() < 220 * count ? (count + 1) / 2 : std::max(count, 1);
  const int rows = (count + columns - 1) / std::max(columns, 1);
  const int width = (all.width() - kGap * (columns - 1)) / columns;
  const int height = (all.height() - kGap * (rows - 1)) / std::max(rows, 1);
  return {all.x() + choice % columns * (width + kGap), all.y() + choice / columns * (height + kGap),
          width, height};
}

void DropOverlay::point(const QPoint& place) {
  int now = 0;
  for (int i = 0; i < int(choices_.size()); ++i) {
    if (fieldOf(i).contains(place)) now = i;
  }
  if (std::exchange(at_, now) != now) update();
}

void DropOverlay::take() {
  hide();
  if (at_ < int(choices_.size())) QTimer::singleShot(0, this, choices_[std::size_t(at_)].run);
}

void DropOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor shade = colors::kBase;
  shade.setAlpha(225);
  painter.fillRect(rect(), shade);
  QFont heading = font();
  heading.setPointSizeF(heading.pointSizeF() * 1.35);
  heading.setBold(true);
  painter.setFont(heading);
  painter.setPen(colors::kText);
  const QRect line(kMargin, kMargin / 2, width() - 2 * kMargin, kHeading);
  painter.drawText(line, Qt::AlignCenter,
                   painter.fontMetrics().elidedText(files_, Qt::ElideMiddle, line.width()));
  if (choices_.empty()) {
    painter.setFont(font());
    painter.setPen(colors::kMuted);
    painter.drawText(rect().adjusted(kMargin, kMargin + kHeading, -kMargin, -kMargin),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, readableText());
  }
  for (int i = 0; i < int(choices_.size()); ++i) {
    const DropChoice& choice = choices_[std::size_t(i)];
    const QRect field = fieldOf(i);
    const bool chosen = i == at_;
    QColor fill = chosen ? colors::kAccent : colors::kWindow;
    fill.setAlpha(chosen ? 210 : 235);
    painter.setPen(QPen(chosen ? colors::kFocus : colors::kMuted, chosen ? 2.0 : 1.0,
                        chosen ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(field).adjusted(1, 1, -1, -1), 8, 8);
    const QRect inside = field.adjusted(14, 10, -14, -10);
    QFont title = font();
    title.setPointSizeF(title.pointSizeF() * 1.15);
    title.setBold(true);
    const QFontMetrics titled(title);
    const QRect titleBox =
        titled.boundingRect(QRect(0, 0, inside.width(), 1000), Qt::TextWordWrap, choice.title);
    QRect tipBox =
        fontMetrics().boundingRect(QRect(0, 0, inside.width(), 1000), Qt::TextWordWrap, choice.tip);
    // A low field has room for the words on the button alone.
    if (titleBox.height() + tipBox.height() > inside.height()) tipBox = {};
    const bool hasIcon = inside.height() > titleBox.height() + tipBox.height() + kIcon + 20;
    int y = inside.y() + (inside.height() - titleBox.height() - tipBox.height() - 6 -
                          (hasIcon ? kIcon + 10 : 0)) /
                             2;
    if (hasIcon) {
      icon(QLatin1String(choice.iconName), chosen ? Qt::white : colors::kText)
          .paint(&painter, inside.center().x() - kIcon / 2, y, kIcon, kIcon);
      y += kIcon + 10;
    }
    painter.setFont(title);
    painter.setPen(chosen ? QColor(Qt::white) : colors::kText);
    painter.drawText(QRect(inside.x(), y, inside.width(), titleBox.height()),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, choice.title);
    if (tipBox.isEmpty()) continue;
    y += titleBox.height() + 6;
    painter.setFont(font());
    painter.setPen(chosen ? QColor(Qt::white) : colors::kMuted);
    painter.drawText(QRect(inside.x(), y, inside.width(), inside.bottom() - y),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, choice.tip);
  }
}

}  // namespace ck::ui
