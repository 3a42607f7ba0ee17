#include <QTest>
#include <cmath>

#include "render/frame/tick_clock.h"
#include "tests/support/test_program.h"

using ck::CrowdStamp;
using ck::render::TickClock;

class tst_tick_clock : public QObject {
  Q_OBJECT

 private slots:
  void rejectsATickWhereNothingHasChanged() {
    const std::vector<CrowdStamp> stamps{{3, 1}, {4, 1}};
    TickClock clock;
    QVERIFY(clock.isDue(stamps, 0.0, 0.0));
    clock.made(stamps, 0.0);
    QVERIFY(!clock.isDue(stamps, 0.0, 0.0));
    QVERIFY(!clock.isDue(stamps, 5.0, 30.0));
  }

  void everyChangeTicksWithoutARate() {
    TickClock clock;
    clock.made(std::vector<CrowdStamp>{{3, 1}, {4, 1}}, 0.0);
    QVERIFY(clock.isDue(std::vector<CrowdStamp>{{3, 1}, {4, 2}}, 0.0001, 0.0));
  }

  void aSecondHasAsManyTicksAsTheRateSays_data() {
    QTest::addColumn<double>("rateHz");
    QTest::addColumn<double>("stepSeconds");
    QTest::addColumn<int>("expected");
    QTest::newRow("ten of sixty pictures") << 10.0 << 1.0 / 60.0 << 10;
    QTest::newRow("thirty backwards") << 30.0 << -1.0 / 60.0 << 30;
    QTest::newRow("no more than pictures") << 1000.0 << 1.0 / 20.0 << 20;
  }
  void aSecondHasAsManyTicksAsTheRateSays() {
    QFETCH(double, rateHz);
    QFETCH(double, stepSeconds);
    QFETCH(int, expected);
    TickClock clock;
    // Begins between two borders.
    double seconds = 7.003;
    std::uint64_t moment = 1;
    clock.made(std::vector<CrowdStamp>{{3, moment}}, seconds);
    int ticks = 0;
    const int pictures = static_cast<int>(std::lround(1.0 / std::abs(stepSeconds)));
    for (int i = 0; i < pictures; ++i) {
      seconds += stepSeconds;
      const std::vector<CrowdStamp> stamps{{3, ++moment}};
      if (!clock.isDue(stamps, seconds, rateHz)) continue;
      clock.made(stamps, seconds);
      ++ticks;
    }
    QCOMPARE(ticks, expected);
  }

  void soughtAndNewCrowdsDoNotWait() {
    TickClock clock;
    clock.made(std::vector<CrowdStamp>{{3, 1}}, 1.0);
    QVERIFY(clock.isDue(std::vector<CrowdStamp>{{5, 1}}, 1.0, 1.0));
    QVERIFY(!clock.goesOn(std::vector<CrowdStamp>{{5, 1}}));
    QVERIFY(clock.isDue(std::vector<CrowdStamp>{{3, 1}, {4, 1}}, 1.0, 1.0));
    QVERIFY(clock.isAt(std::vector<CrowdStamp>{{3, 1}}));
    QVERIFY(!clock.isAt(std::vector<CrowdStamp>{{3, 2}}));
  }

  void theTimeSinceTheTickBeforeIsKnownWhereTheCrowdMovedOn() {
    TickClock clock;
    QCOMPARE(clock.made(std::vector<CrowdStamp>{{3, 1}}, 1.0), 0.0);
    QCOMPARE(clock.made(std::vector<CrowdStamp>{{3, 2}}, 1.25), 0.25);
    QCOMPARE(clock.made(std::vector<CrowdStamp>{{8, 1}}, 9.0), 0.0);
  }
};

CK_TEST(tst_tick_clock)
#include "tst_tick_clock.moc"
