#include <QTest>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "core/base/parallel_for.h"
#include "tests/support/test_program.h"

class tst_parallel_for : public QObject {
  Q_OBJECT
 private slots:
  void everyIndexIsVisitedOnce_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 7}) QTest::addRow("%d threads", threads) << threads;
  }
  void everyIndexIsVisitedOnce() {
    QFETCH(int, threads);
    std::vector<int> visits(1000, 0);
    ck::JobContext job;
    job.threadCount = threads;
    QVERIFY(ck::parallelFor(visits.size(), job, [&](std::size_t i) { ++visits[i]; }));
    QCOMPARE(visits, std::vector<int>(1000, 1));
  }

  void stopEndsItEarly() {
    std::stop_source source;
    ck::JobContext job;
    job.stop = source.get_token();
    std::atomic<int> done = 0;
    const bool whole = ck::parallelFor(1'000'000, job, [&](std::size_t) {
      if (++done == 10) source.request_stop();
    });
    QVERIFY(!whole);
    QVERIFY(done < 1000);
  }

  void anExceptionReachesTheCaller() {
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, ck::parallelFor(100, {}, [](std::size_t i) {
                               if (i == 50) throw std::runtime_error("fifty");
                             }));
  }

  void partsOfAJobReportTheirSlice() {
    float seen = 0.0f;
    ck::JobContext job;
    job.report = [&seen](float fraction, std::string_view) { seen = fraction; };
    job.part(0.5f, 1.0f).part(0.0f, 0.5f).report(1.0f, "half of the second half");
    QCOMPARE(seen, 0.75f);
  }
};

CK_TEST(tst_parallel_for)
#include "tst_parallel_for.moc"
