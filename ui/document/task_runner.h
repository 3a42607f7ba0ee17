#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <stop_token>
#include <type_traits>

#include "core/base/job.h"
#include "core/base/result.h"

namespace ck::ui {

// Runs tasks in the background, one at a time. A task captures its inputs by value (shared pointers
// to const) and returns a function that applies the result on the GUI thread, so no mutable data is
// shared. A task that throws fails, and the program continues.
class TaskRunner : public QObject {
  Q_OBJECT

 public:
  using Deliver = std::function<void()>;  // runs on the GUI thread
  using Work = std::function<Deliver(JobContext job)>;

  // Background is for figures and thumbnails: its threads have a lower priority
  // (lowerThreadPriority()), so that bakes and drawing get the cores first.
  enum class Priority { Usual, Background };
  explicit TaskRunner(QObject* parent = nullptr, Priority priority = Priority::Usual);
  // Cancels the running task and waits for it. Nothing is delivered after that.
  ~TaskRunner() override;

  // Queues `work`. A newer task with the same tag removes the queued one, cancels the running one
  // and discards its result. `title` is shown to the user ("Baking").
  void start(const QString& tag, const QString& title, Work work);

  // Queues a task that passes the result of `work` to `take`, on the GUI thread. If `work` returns
  // a Result, its exceptions arrive there as errors whose message begins with the title.
  template <class Work, class Take>
  void run(const QString& tag, const QString& title, Work work, Take take) {
    start(tag, title, [title, work, take](const JobContext& job) -> Deliver {
      return [take, result = resultOf(title, work, job)] { take(result); };
    });
  }

  // Cancels the task. Its result is not delivered; finished() reports the cancellation.
  void cancel(const QString& tag);
  void cancelAll();

  bool isBusy(const QString& tag) const;
  bool isBusy() const;

 signals:
  void started(const QString& tag, const QString& title);
  // At most 20 times per second.
  void progressed(const QString& tag, double fraction, const QString& step);
  // The work has thrown, and there is nothing to deliver. finished() follows. The message begins
  // with the task's title.
  void failed(const ck::Error& error);
  // Emitted after delivery, once for every started task that was not replaced by a newer one.
  void finished(const QString& tag, bool cancelled);

 private:
  struct Task;
  struct Shared;
  // errorOfException() with a title.
  static Error failureOf(const QString& title);
  template <class Work>
  static auto resultOf(const QString& title, const Work& work, const JobContext& job)
      -> decltype(work(job)) {
    if constexpr (std::is_convertible_v<tl::unexpected<Error>, decltype(work(job))>) {
      try {
        return work(job);
      } catch (...) {
        return tl::unexpected(failureOf(title));
      }
    } else {
      return work(job);
    }
  }
  void runWorker(const std::stop_token& closing);
  void runTask(const std::shared_ptr<Task>& task);
  void finish(const std::shared_ptr<Task>& task, const Deliver& deliver);

  std::unique_ptr<Shared> shared_;
};

}  // namespace ck::ui
