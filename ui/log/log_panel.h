#pragma once

#include <QWidget>

class QListView;

namespace ck::ui {

class LogModel;

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
