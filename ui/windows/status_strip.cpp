#include "ui/windows/status_strip.h"

#include <QEvent>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "ui/document/task_runner.h"
#include "ui/document/text.h"
#include "ui/log/log_panel.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

namespace ck::ui {
namespace {

constexpr int kReportMs = 9000;
// A task that finishes sooner shows no progress bar.
constexpr int kLateMs = 120;

void keepSpace(QWidget& widget) {
  QSizePolicy policy = widget.sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  widget.setSizePolicy(policy);
  widget.hide();
}

}  // namespace

StatusStrip::StatusStrip(TaskRunner& tasks, LogModel& logLines, QWidget* parent)
    : QStatusBar(parent),
      tasks_(tasks),
      text_(plainLabel()),
      progress_(new QProgressBar),
      cancel_(new QToolButton),
      warnings_(new QToolButton),
      renderer_(plainLabel()) {
  hints_ = QStringList{tr("Middle mouse, Alt+left or Space+left: orbit"),
                       tr("Shift+middle: pan"),
                       tr("Wheel: zoom"),
                       tr("Right + WASD: fly"),
                       tr("Left: select"),
                       tr("F: frame"),
                       tr("Space: play")};
  text_->setMinimumWidth(60);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  text_->installEventFilter(this);
  progress_->setRange(0, 1000);
  progress_->setFixedWidth(250);
  progress_->setAccessibleName(tr("Progress"));
  keepSpace(*progress_);
  cancel_->setIcon(icon("circle-x"));
  cancel_->setAccessibleName(tr("Cancel the running task"));
  cancel_->setToolTip(tr("Cancel; everything stays as it was"));
  keepSpace(*cancel_);
  connect(cancel_, &QToolButton::clicked, this, [this] { tasks_.cancel(shownTag_); });
  warnings_->setIcon(icon("triangle-alert", colors::kWarning));
  warnings_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  warnings_->setObjectName(QStringLiteral("textTool"));
  warnings_->setToolTip(tr("Unread warnings and errors; opens the log"));
  warnings_->setAccessibleName(tr("Unread warnings and errors"));
  keepSpace(*warnings_);
  connect(warnings_, &QToolButton::clicked, this, &StatusStrip::logAsked);
  connect(&logLines, &LogModel::unreadChanged, this, [this](int count) {
    warnings_->setText(counted(count, tr("problem"), tr("problems")));
    warnings_->setVisible(count > 0);
  });
  addWidget(text_, 1);
  addPermanentWidget(progress_);
  addPermanentWidget(cancel_);
  addPermanentWidget(warnings_);
  addPermanentWidget(renderer_);
  setSizeGripEnabled(false);

  backToHints_.setSingleShot(true);
  connect(&backToHints_, &QTimer::timeout, this, [this] {
    report_.clear();
    showText();
  });
  showLate_.setSingleShot(true);
  connect(&showLate_, &QTimer::timeout, this, [this] {
    if (shownTag_.isEmpty()) return;
    progress_->show();
    cancel_->show();
  });
  connect(&tasks, &TaskRunner::started, this, &StatusStrip::showTask);
  connect(&tasks, &TaskRunner::progressed, this, &StatusStrip::showProgress);
  connect(&tasks, &TaskRunner::finished, this, &StatusStrip::endTask);
}

void StatusStrip::report(const QString& text) {
  report_ = text;
  backToHints_.stop();
  showText();
  text_->update();  // the same words again have their time anew
}

void StatusStrip::withdraw(const QString& text) {
  if (report_ != text) return;
  backToHints_.stop();
  report_.clear();
  showText();
}

QString StatusStrip::reported() const {
  return report_.isEmpty() ? text_->text() : report_;
}

// A message is elided, with the full text in the tool tip. Only hints that fit completely are
// shown.
void StatusStrip::showText() {
  const QFontMetrics metrics(text_->font());
  const int room = text_->contentsRect().width() - 14;  // padding in the style sheet
  if (!report_.isEmpty()) {
    text_->setText(metrics.elidedText(shownText(report_), Qt::ElideRight, room));
    text_->setToolTip(report_);
    return;
  }
  const QString gap = QStringLiteral("    ");
  QString shown;
  for (const QString& hint : hints_) {
    const QString longer = shown.isEmpty() ? hint : shown + gap + hint;
    if (metrics.horizontalAdvance(longer) > room) break;
    shown = longer;
  }
  text_->setText(shown);
  text_->setToolTip(hints_.join(QLatin1Char('\n')));
}

bool StatusStrip::eventFilter(QObject* watched, QEvent* event) {
  if (watched == text_ && event->type() == QEvent::Resize) showText();
  // A message has its time from when it is first painted: a crowd that takes seconds to appear
  // would else use it up unseen.
  const bool isPainted = watched == text_ && event->type() == QEvent::Paint;
  if (isPainted && !report_.isEmpty() && !backToHints_.isActive()) backToHints_.start(kReportMs);
  return QStatusBar::eventFilter(watched, event);
}

void StatusStrip::setRenderer(const QString& text) {
  renderer_->setText(fontMetrics().elidedText(text, Qt::ElideRight, 300));
  renderer_->setToolTip(text);
}

void StatusStrip::showTask(const QString& tag, const QString& title) {
  shownTag_ = tag;
  shownTitle_ = title;
  progress_->setValue(0);
  progress_->setFormat(title);
  showLate_.start(kLateMs);
}

void StatusStrip::showProgress(const QString& tag, double fraction, const QString& step) {
  shownTag_ = tag;
  progress_->setValue(int(fraction * 1000.0));
  const QString words = step.isEmpty() ? shownTitle_ : step;
  progress_->setFormat(fontMetrics().elidedText(words, Qt::ElideMiddle, 190) +
                       QStringLiteral("  %p %"));
}

void StatusStrip::endTask(const QString& tag) {
  if (tag != shownTag_) return;
  shownTag_.clear();
  showLate_.stop();
  progress_->hide();
  cancel_->hide();
}

}  // namespace ck::ui
