#include <sys/resource.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

#include "tests/support/test_program.h"
#include "ui/document/task_runner.h"

using ck::JobContext;
using ck::ui::TaskRunner;
using namespace std::chrono_literals;

namespace {

// Works until it is asked to stop, then counts that.
TaskRunner::Work untilStopped(std::atomic<int>& stopped) {
  return [&stopped](JobContext job) -> TaskRunner::Deliver {
    while (!job.stopRequested()) std::this_thread::sleep_for(1ms);
    ++stopped;
    return [] {};
  };
}

// Throws an exception of a kind by its number; 3 is none of std::exception.
void throwSomething(int kind) {
  if (kind == 0) throw std::bad_alloc();
  if (kind == 1) throw std::length_error("too long");
  if (kind == 2) throw std::runtime_error("the roof is on fire");
  throw 7;
}

}  // namespace

class tst_task_runner : public QObject {
  Q_OBJECT

 private slots:
  void rejectsTheResultOfACancelledTask() {
    TaskRunner tasks;
    QSignalSpy finished(&tasks, &TaskRunner::finished);
    std::atomic<int> stopped = 0;
    bool delivered = false;
    tasks.start("bake", "Baking", [&](JobContext job) -> TaskRunner::Deliver {
      while (!job.stopRequested()) std::this_thread::sleep_for(1ms);
      ++stopped;
      return [&] { delivered = true; };
    });
    tasks.cancel("bake");
    QCOMPARE(finished.count(), 1);
    QCOMPARE(finished[0][1].toBool(), true);
    QVERIFY(!tasks.isBusy());
    QTest::qWait(60);
    QVERIFY(!delivered);
  }

  // On Linux every thread has a nice value of its own.
  void workInTheBackgroundHasALowerPriorityOnAllItsThreads() {
    const auto niceValuesIn = [](TaskRunner& tasks) {
      std::pair<int, int> found{-100, -100};
      tasks.start("look", "Looking", [&found](const JobContext&) -> TaskRunner::Deliver {
        const auto own = [] { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); };
        int helper = -100;
        std::thread([&] { helper = own(); }).join();
        return [&found, now = std::pair(own(), helper)] { found = now; };
      });
      const bool isDone = QTest::qWaitFor([&] { return !tasks.isBusy(); });
      return isDone ? found : std::pair(-100, -100);
    };
    TaskRunner usual;
    TaskRunner background(nullptr, TaskRunner::Priority::Background);
    const auto [own, helper] = niceValuesIn(usual);
    QVERIFY(own > -100 && own == helper);
    QCOMPARE(niceValuesIn(background), (std::pair{std::min(own + 10, 19), std::min(own + 10, 19)}));
  }

  void deliversOnTheGuiThread() {
    TaskRunner tasks;
    QSignalSpy finished(&tasks, &TaskRunner::finished);
    std::thread::id worked;
    std::thread::id delivered;
    tasks.start("import", "Reading", [&](JobContext) -> TaskRunner::Deliver {
      worked = std::this_thread::get_id();
      return [&] { delivered = std::this_thread::get_id(); };
    });
    QVERIFY(tasks.isBusy("import"));
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(delivered == std::this_thread::get_id());
    QVERIFY(worked != delivered);
    QVERIFY(!tasks.isBusy("import"));
  }

  void onlyTheNewestOfATagIsDelivered() {
    TaskRunner tasks;
    QSignalSpy finished(&tasks, &TaskRunner::finished);
    std::vector<int> delivered;
    for (int i = 0; i < 40; ++i) {
      tasks.start("bake", "Baking", [&delivered, i](JobContext job) -> TaskRunner::Deliver {
        for (int step = 0; step < 20 && !job.stopRequested(); ++step) {
          std::this_thread::sleep_for(1ms);
        }
        return [&delivered, i] { delivered.push_back(i); };
      });
      if (i % 7 == 0) QTest::qWait(3);
    }
    QTRY_COMPARE(finished.count(), 1);
    QTest::qWait(30);
    QCOMPARE(delivered, std::vector<int>{39});
  }

  void tagsDoNotDisturbEachOther() {
    TaskRunner tasks;
    QSignalSpy finished(&tasks, &TaskRunner::finished);
    QStringList delivered;
    for (const QString& tag : {QString("a"), QString("b"), QString("c")}) {
      tasks.start(tag, tag, [&delivered, tag](JobContext) -> TaskRunner::Deliver {
        return [&delivered, tag] { delivered << tag; };
      });
    }
    QTRY_COMPARE(finished.count(), 3);
    QCOMPARE(delivered, QStringList({"a", "b", "c"}));
  }

  void progressIsThinnedOut() {
    TaskRunner tasks;
    QSignalSpy finished(&tasks, &TaskRunner::finished);
    QSignalSpy progressed(&tasks, &TaskRunner::progressed);
    QElapsedTimer timer;
    timer.start();
    tasks.start("bake", "Baking", [](JobContext job) -> TaskRunner::Deliver {
      for (int i = 0; i < 3000; ++i) {
        job.report(float(i) / 3000.0f, "step");
        if (i % 10 == 0) std::this_thread::sleep_for(1ms);
      }
      return {};
    });
    QTRY_COMPARE(finished.count(), 1);
    QVERIFY(progressed.count() >= 2);
    // One at the start, then one every 50 ms of however long it took.
    QVERIFY(progressed.count() <= timer.elapsed() / 50 + 2);
  }

  void deliveryMayStartTheNextTask() {
    TaskRunner tasks;
    int rounds = 0;
    std::function<void()> startNext = [&] {
      tasks.start("bake", "Baking", [&](JobContext) -> TaskRunner::Deliver {
        return [&] {
          if (++rounds < 5) startNext();
        };
      });
    };
    startNext();
    QTRY_COMPARE(rounds, 5);
    QTRY_VERIFY(!tasks.isBusy());
  }

  void workThatThrowsFailsAndTheNextOneRuns_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    const int limit = int(ck::ErrorCode::LimitExceeded);
    const int internal = int(ck::ErrorCode::Internal);
    const QString memory = "Baking: the machine has not enough memory for this";
    QTest::newRow("no memory") << 0 << limit << memory;
    QTest::newRow("a length beyond all memory") << 1 << limit << memory;
    QTest::newRow("a fault") << 2 << internal << "Baking: internal fault: the roof is on fire";
    QTest::newRow("a number") << 3 << internal << "Baking: internal fault";
  }
  void workThatThrowsFailsAndTheNextOneRuns() {
    QFETCH(int, kind);
    QFETCH(int, code);
    QFETCH(QString, message);
    TaskRunner tasks;
    QSignalSpy failed(&tasks, &TaskRunner::failed);
    QSignalSpy finished(&tasks, &TaskRunner::finished);
    tasks.start("bake", "Baking", [kind](JobContext) -> TaskRunner::Deliver {
      throwSomething(kind);
      return {};
    });
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(finished[0][1].toBool(), false);
    QCOMPARE(failed.count(), 1);
    const auto error = failed[0][0].value<ck::Error>();
    QCOMPARE(int(error.code), code);
    QCOMPARE(QString::fromStdString(error.message), message);
    QVERIFY(!tasks.isBusy());
    bool delivered = false;
    tasks.start("bake", "Baking",
                [&](JobContext) -> TaskRunner::Deliver { return [&] { delivered = true; }; });
    QTRY_VERIFY(delivered);
    QCOMPARE(failed.count(), 1);
  }

  void resultsCarryExceptionsAsErrors() {
    TaskRunner tasks;
    QSignalSpy failed(&tasks, &TaskRunner::failed);
    ck::Result<int> taken = 0;
    tasks.run(
        "bake", "Baking",
        [](const JobContext&) -> ck::Result<int> {
          throwSomething(0);
          return 1;
        },
        [&](const ck::Result<int>& result) { taken = result; });
    QTRY_VERIFY(!taken);
    QCOMPARE(taken.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(taken.error().message.starts_with("Baking: "));
    QCOMPARE(failed.count(), 0);
  }

  void failuresOfReplacedTasksAreNotReported() {
    TaskRunner tasks;
    QSignalSpy failed(&tasks, &TaskRunner::failed);
    QSignalSpy finished(&tasks, &TaskRunner::finished);
    tasks.start("bake", "Baking", [](JobContext job) -> TaskRunner::Deliver {
      while (!job.stopRequested()) std::this_thread::sleep_for(1ms);
      throw std::bad_alloc();
    });
    tasks.start("bake", "Baking", [](JobContext) -> TaskRunner::Deliver { return {}; });
    QTRY_COMPARE(finished.count(), 1);
    QTest::qWait(30);
    QCOMPARE(failed.count(), 0);
  }

  void destructionStopsWhatRuns() {
    std::atomic<int> stopped = 0;
    {
      TaskRunner tasks;
      tasks.start("one", "One", untilStopped(stopped));
      tasks.start("two", "Two", untilStopped(stopped));
      QTest::qWait(10);
    }
    // The second never began.
    QCOMPARE(stopped.load(), 1);
  }
};

CK_TEST(tst_task_runner, QCoreApplication)
#include "tst_task_runner.moc"
