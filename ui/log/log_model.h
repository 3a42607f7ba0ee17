#pragma once

#include <QAbstractListModel>
#include <QTime>
#include <deque>

#include "core/base/log.h"

namespace ck::ui {

// The program's log as a list, newest line last. Lines from other threads are delivered to the GUI
// thread.
class LogModel : public QAbstractListModel {
  Q_OBJECT

 public:
  static constexpr int kLevelRole = Qt::UserRole;  // int of LogLine::Level
  static constexpr int kMostLines = 5000;

  // Receives the program's log until it is destroyed.
  explicit LogModel(QObject* parent = nullptr);
  ~LogModel() override;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

  // Warnings and errors since markRead().
  int unreadWarnings() const { return unread_; }
  void markRead();
  void clear();

 signals:
  void unreadChanged(int warnings);

 private:
  struct Line {
    QTime time;
    LogLine line;
  };
  void append(const LogLine& line);

  std::deque<Line> lines_;
  int unread_ = 0;
};

}  // namespace ck::ui
