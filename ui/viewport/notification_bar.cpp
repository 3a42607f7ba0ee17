#include "ui/viewport/notification_bar.h"

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

#include "ui/document/text.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kLeastText = 320;  // pixels

}  // namespace

NotificationBar::NotificationBar(QWidget* parent)
    : QFrame(parent),
      icon_(plainLabel()),
      text_(plainLabel()),
      more_(plainLabel()),
      body_(new QHBoxLayout),
      actions_(new QHBoxLayout) {
  setObjectName(QStringLiteral("notice"));
  setAttribute(Qt::WA_StyledBackground);
  text_->setObjectName(QStringLiteral("noticeText"));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  more_->setObjectName(QStringLiteral("muted"));
  auto* close = new QToolButton;
  close->setIcon(icon("x"));
  close->setToolTip(tr("Close this message"));
  close->setAccessibleName(tr("Close this message"));
  connect(close, &QToolButton::clicked, this, &NotificationBar::closeCurrent);
  actions_->setSpacing(6);
  actions_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  body_->setSpacing(10);
  body_->addWidget(text_, 1);
  body_->addLayout(actions_);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 7, 7, 7);
  layout->setSpacing(10);
  layout->addWidget(icon_);
  layout->addLayout(body_, 1);
  layout->addWidget(more_);
  layout->addWidget(close);
  hide();
}

void NotificationBar::push(const Notice& notice) {
  // Its cause and what its buttons do may be others now.
  std::erase_if(waiting_, [&](const Notice& one) { return one.text == notice.text; });
  // The latest message is shown first.
  waiting_.push_front(notice);
  showCurrent();
}

void NotificationBar::closeCurrent() {
  if (!waiting_.empty()) waiting_.pop_front();
  showCurrent();
}

void NotificationBar::review() {
  drop([](const Notice& one) { return one.cause && !one.cause(); });
}

void NotificationBar::leaveProject() {
  drop([](const Notice& one) { return !one.cause || !one.cause(); });
}

void NotificationBar::setRoom(int width) {
  const int others = sizeHint().width() - body_->sizeHint().width();
  const int buttons = actions_->count() > 0 ? actions_->sizeHint().width() + body_->spacing() : 0;
  const bool fits = width - others - buttons >= kLeastText;
  const auto direction = fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
  if (body_->direction() != direction) body_->setDirection(direction);
}

template <class IsGone>
void NotificationBar::drop(IsGone isGone) {
  const QString shown = waiting_.empty() ? QString() : waiting_.front().text;
  const auto gone = std::erase_if(waiting_, isGone);
  // Buttons that stay are not made anew: one of them may be pressed now.
  if (gone == 0) return;
  if (!waiting_.empty() && waiting_.front().text == shown) return showCount();
  showCurrent();
}

void NotificationBar::showCount() {
  more_->setText(waiting_.size() > 1 ? tr("+%1").arg(waiting_.size() - 1) : QString());
}

void NotificationBar::addField(const Notice::Field& field) {
  constexpr double kStep = 0.05;
  auto* box = named(numberBox(field.least, field.most, kStep, field.unit), field.name);
  box->setDecimals(3);
  box->setValue(field.value);
  auto* button = new QPushButton(field.label);
  connect(button, &QPushButton::clicked, this, [this, box, use = field.use] {
    const double value = box->value();
    closeCurrent();
    use(value);
  });
  actions_->addWidget(box);
  actions_->addWidget(button);
}

void NotificationBar::showCurrent() {
  while (QLayoutItem* item = actions_->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  setVisible(!waiting_.empty());
  if (waiting_.empty()) return;
  const Notice& notice = waiting_.front();
  const bool error = notice.level == Notice::Level::Error;
  const bool warning = notice.level == Notice::Level::Warning;
  setProperty("level", error ? "error" : warning ? "warning" : "hint");
  style()->unpolish(this);
  style()->polish(this);
  const QIcon picture = error     ? icon("circle-alert", colors::kError)
                        : warning ? icon("triangle-alert", colors::kWarning)
                                  : icon("info", colors::kFocus);
  icon_->setPixmap(picture.pixmap(QSize(18, 18), devicePixelRatioF()));
  text_->setText(shownText(notice.text));
  setAccessibleName(notice.text);
  if (notice.field) addField(*notice.field);
  for (const Notice::Action& action : notice.actions) {
    auto* button = new QPushButton(action.label);
    connect(button, &QPushButton::clicked, this, [this, run = action.run] {
      closeCurrent();
      run();
    });
    actions_->addWidget(button);
  }
  showCount();
}

}  // namespace ck::ui
