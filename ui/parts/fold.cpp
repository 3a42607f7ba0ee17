#include "ui/parts/fold.h"

#include <QSettings>
#include <QToolButton>

#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {

Fold::Fold(const QString& key, const QString& title, QWidget* content, bool open, QWidget* parent)
    : QWidget(parent),
      key_(QStringLiteral("folds/") + key),
      title_(title),
      heading_(named(new QToolButton, title, tr("Show or hide %1").arg(title))),
      content_(content) {
  heading_->setObjectName(QStringLiteral("fold"));
  heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  heading_->setIconSize(QSize(14, 14));
  heading_->setCheckable(true);
  // As wide as the panel, whatever its text.
  heading_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  heading_->setText(title);
  layOutColumn(*this, {}, 4, {heading_, content});
  heading_->setChecked(QSettings().value(key_, open).toBool());
  show(heading_->isChecked());
  connect(heading_, &QToolButton::toggled, this, [this](bool opened) {
    QSettings().setValue(key_, opened);
    show(opened);
  });
}

bool Fold::isOpen() const {
  return heading_->isChecked();
}

void Fold::setOpen(bool open) {
  heading_->setChecked(open);
}

void Fold::setSummary(const QString& summary) {
  heading_->setText(summary.isEmpty() ? title_ : QStringLiteral("%1: %2").arg(title_, summary));
}

void Fold::reveal(const QWidget& widget) {
  for (QWidget* up = widget.parentWidget(); up; up = up->parentWidget()) {
    if (auto* fold = qobject_cast<Fold*>(up)) fold->setOpen(true);
  }
}

void Fold::show(bool open) {
  heading_->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
                         colors::kMuted));
  content_->setVisible(open);
}

}  // namespace ck::ui
