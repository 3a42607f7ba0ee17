#include "ui/parts/figures_label.h"

#include <QResizeEvent>
#include <QStyle>

namespace ck::ui {

FiguresLabel::FiguresLabel() {
  setWordWrap(true);
  setObjectName(QStringLiteral("figures"));
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setAlignment(Qt::AlignTop | Qt::AlignLeft);
}

void FiguresLabel::showText(const QString& text) {
  Qt::TextInteractionFlags flags = Qt::TextSelectableByMouse;
  if (text.contains(QLatin1String("<a "))) {
    flags |= Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard;
  }
  setTextInteractionFlags(flags);
  setText(text);
}

void FiguresLabel::setStyle(const QString& style) {
  if (objectName() == style) return;
  setObjectName(style);
  this->style()->polish(this);
}

void FiguresLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  if (event->oldSize().width() != width()) updateGeometry();
}

}  // namespace ck::ui
