#include "ui/parts/fold.h"

#include <QBoxLayout>
#include <QSettings>
#include <QToolButton>

#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {

Fold::Fold(const QString& title, const QString& tip, const QString& key, QWidget* content,
           QWidget* parent)
    : QWidget(parent), heading_(named(new QToolButton, title, tip)), content_(content) {
  heading_->setText(title);
  heading_->setCheckable(true);
  heading_->setObjectName(QStringLiteral("fold"));
  heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heading_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  layOutColumn(*this, {}, 4, {heading_, content});
  setFocusProxy(heading_);
  connect(heading_, &QToolButton::toggled, this, [this, key](bool open) {
    show(open);
    QSettings().setValue(key, open);
  });
  const bool open = QSettings().value(key, false).toBool();
  show(open);
  const QSignalBlocker quiet(heading_);
  heading_->setChecked(open);
}

bool Fold::isOpen() const {
  return heading_->isChecked();
}
void Fold::setOpen(bool open) {
  heading_->setChecked(open);
}

void Fold::show(bool open) {
  heading_->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
  content_->setVisible(open);
}

}  // namespace ck::ui
