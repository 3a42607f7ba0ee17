#pragma once

#include <QStandardItemModel>

#include "core/base/log.h"

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

}  // namespace ck::ui
