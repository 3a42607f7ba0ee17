#include "ui/document/task_runner.h"

#include <QHash>
#include <QMetaObject>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "core/base/parallel_for.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {
constexpr auto kProgressInterval = std::chrono::milliseconds(50);
}

struct TaskRunner::Task {
  QString tag;
  QString title;
  Work work;
  std::stop_source stop;
  std::atomic<std::int64_t> lastReport{0};  // ticks of the steady clock
};

struct TaskRunner::Shared {
  std::mutex mutex;  // protects the queue
  std::condition_variable_any wake;
  std::deque<std::shared_ptr<Task>> queue;
  // GUI thread only: the newest task of each tag that is not delivered yet.
  QHash<QString, std::shared_ptr<Task>> newest;
  std::jthread thread;
};

TaskRunner::TaskRunner(QObject* parent, Priority priority)
    : QObject(parent), shared_(std::make_unique<Shared>()) {
  shared_->thread = std::jthread([this, priority](const std::stop_token& closing) {
    if (priority == Priority::Background) lowerThreadPriority();
    runWorker(closing);
  });
}

TaskRunner::~TaskRunner() {
  shared_->thread.request_stop();
  for (const auto& task : std::as_const(shared_->newest)) task->stop.request_stop();
  shared_->thread.join();
}

void TaskRunner::start(const QString& tag, const QString& title, Work work) {
  auto task = std::make_shared<Task>();
  task->tag = tag;
  task->title = title;
  task->work = std::move(work);
  if (const auto old = shared_->newest.value(tag)) old->stop.request_stop();
  shared_->newest.insert(tag, task);
  {
    const std::lock_guard lock(shared_->mutex);
    std::erase_if(shared_->queue, [&](const auto& queued) { return queued->tag == tag; });
    shared_->queue.push_back(task);
  }
  shared_->wake.notify_one();
  emit started(tag, title);
}

void TaskRunner::cancel(const QString& tag) {
  const auto task = shared_->newest.take(tag);
  if (!task) return;
  task->stop.request_stop();
  {
    const std::lock_guard lock(shared_->mutex);
    std::erase(shared_->queue, task);
  }
  emit finished(tag, true);
}

void TaskRunner::cancelAll() {
  for (const QString& tag : shared_->newest.keys()) cancel(tag);
}

bool TaskRunner::isBusy(const QString& tag) const {
  return shared_->newest.contains(tag);
}
bool TaskRunner::isBusy() const {
  return !shared_->newest.isEmpty();
}

void TaskRunner::runWorker(const std::stop_token& closing) {
  for (;;) {
    std::shared_ptr<Task> task;
    {
      std::unique_lock lock(shared_->mutex);
      shared_->wake.wait(lock, closing, [this] { return !shared_->queue.empty(); });
      if (closing.stop_requested()) return;
      task = shared_->queue.front();
      shared_->queue.pop_front();
    }
    runTask(task);
  }
}

void TaskRunner::runTask(const std::shared_ptr<Task>& task) {
  JobContext job;
  job.stop = task->stop.get_token();
  job.report = [this, task](float fraction, std::string_view step) {
    using Clock = std::chrono::steady_clock;
    const auto now = Clock::now().time_since_epoch().count();
    auto last = task->lastReport.load();
    if (now - last < Clock::duration(kProgressInterval).count()) return;
    if (!task->lastReport.compare_exchange_strong(last, now)) return;
    const QString text = QString::fromUtf8(step.data(), static_cast<qsizetype>(step.size()));
    const auto show = [this, task, fraction, text] {
      if (shared_->newest.value(task->tag) == task) emit progressed(task->tag, fraction, text);
    };
    QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
  };
  Deliver deliver;
  try {
    deliver = task->work(job);
  } catch (...) {
    deliver = [this, error = failureOf(task->title)] { emit failed(error); };
  }
  const auto end = [this, task, deliver] { finish(task, deliver); };
  QMetaObject::invokeMethod(this, end, Qt::QueuedConnection);
}

Error TaskRunner::failureOf(const QString& title) {
  Error error = errorOfException();
  error.message = utf8Of(title) + ": " + error.message;
  return error;
}

void TaskRunner::finish(const std::shared_ptr<Task>& task, const Deliver& deliver) {
  if (shared_->newest.value(task->tag) != task) return;
  // Removed from the table first: delivering may start a task with the same tag.
  shared_->newest.remove(task->tag);
  if (deliver) deliver();
  emit finished(task->tag, false);
}

}  // namespace ck::ui
