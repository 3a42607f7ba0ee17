#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "core/base/job.h"

namespace ck::ui {

// Runs work away from the GUI thread, one piece at a time. Work takes its inputs by value (shared
// pointers to const) and returns what is to be done with the result on the GUI thread, so nothing
// is shared and mutable.
class TaskRunner : public QObject {
  Q_OBJECT

 public:
  using Deliver = std::function<void()>;  // runs on the GUI thread
  using Work = std::function<Deliver(JobContext job)>;

  explicit TaskRunner(QObject* parent = nullptr);
  // Asks the running work to stop and waits for it; nothing is delivered any more.
  ~TaskRunner() override;

  // Queues `work`. A newer task with the same tag drops the queued one, stops the running one and
  // makes its result stale: only the newest is ever delivered. `title` is for people ("Baking").
  void start(const QString& tag, const QString& title, Work work);

  // Stops the task; its result is not delivered, finished() says that it was cancelled.
  void cancel(const QString& tag);
  void cancelAll();

  bool isBusy(const QString& tag) const;
  bool isBusy() const;

 signals:
  void started(const QString& tag, const QString& title);
  // At most 20 times a second.
  void progressed(const QString& tag, double fraction, const QString& step);
  // Once for every task that was started and not replaced by a newer one, after its delivery.
  void finished(const QString& tag, bool cancelled);

 private:
  struct Task;
  struct Shared;
  void runWorker();
  void runTask(const std::shared_ptr<Task>& task);
  void finish(const std::shared_ptr<Task>& task, const Deliver& deliver);

  std::unique_ptr<Shared> shared_;
};

}  // namespace ck::ui
