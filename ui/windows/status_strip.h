#pragma once

#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QToolButton;

namespace ck::ui {

class LogModel;
class TaskRunner;

// The status bar: mouse hints or the last success message, the running task with a cancel button,
// unread warnings, and the renderer.
class StatusStrip : public QStatusBar {
  Q_OBJECT

 public:
  StatusStrip(TaskRunner& tasks, LogModel& logLines, QWidget* parent = nullptr);

  // Shows a message for some time instead of the mouse hints.
  void report(const QString& text);
  // Goes back to the hints if this message is shown.
  void withdraw(const QString& text);
  void setRenderer(const QString& text);
  QString reported() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  void logAsked();

 private:
  void showText();
  void showTask(const QString& tag, const QString& title);
  void showProgress(const QString& tag, double fraction, const QString& step);
  void endTask(const QString& tag);

  TaskRunner& tasks_;
  QLabel* text_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QToolButton* warnings_;
  QLabel* renderer_;
  QTimer backToHints_;
  QTimer showLate_;
  QStringList hints_;
  QString report_;  // empty while the hints are shown
  QString shownTag_;
  QString shownTitle_;
};

}  // namespace ck::ui
