#pragma once

#include <QStandardItemModel>
#include <QWidget>

#include "core/base/log.h"

class QListView;

namespace ck::ui {

// The program's log as a list, newest line last. Lines from other threads are delivered to the GUI
// thread.
class LogModel : public QStandardItemModel {
  Q_OBJECT

 public:
  static constexpr int kIsProblemRole = Qt::UserRole;  // bool: a warning or an error
  static constexpr int kMostLines = 5000;

  // Receives the program's log until it is destroyed.
  LogModel();
  ~LogModel() override;

  // Warnings and errors since markRead().
  int unreadWarnings() const { return unread_; }
  void markRead();
  void clear();

 signals:
  void unreadChanged(int warnings);

 private:
  void append(const LogLine& line);

  int unread_ = 0;
};

// The log with a filter for warnings and errors. Showing it marks warnings as read.
class LogPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LogPanel(LogModel& model, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  LogModel& model_;
  QListView* view_;
};

}  // namespace ck::ui
