#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/anim/playback.h"
#include "core/base/shared_glsl.h"
#include "tests/support/test_program.h"

using ck::LoopMode;

namespace {

// The triangle and saw waves by repeated subtraction, the slow but obvious way.
double slowUnit(double cycles, LoopMode mode) {
  if (mode == LoopMode::Once) return cycles < 0.0 ? 0.0 : (cycles > 1.0 ? 1.0 : cycles);
  const double period = mode == LoopMode::Loop ? 1.0 : 2.0;
  double rest = std::fmod(cycles, period);
  if (rest < 0.0) rest += period;
  if (rest >= period) rest = 0.0;
  return rest > 1.0 ? 2.0 - rest : rest;
}

}  // namespace

class tst_playback : public QObject {
  Q_OBJECT
 private slots:
  void rejectsNoFiniteInput_data() {
    QTest::addColumn<double>("cycles");
    for (const double cycles : {0.0, -0.0, 1.0, -1.0, 1e-300, -1e-300, -1e-17, 1e17, -1e17, 1e300,
                                -1e300, 4294967295.5, -4294967295.5}) {
      QTest::addRow("%g cycles are within the clip", cycles) << cycles;
    }
  }
  void rejectsNoFiniteInput() {
    QFETCH(double, cycles);
    for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
      const double unit = ck::unitTime(cycles, mode);
      QVERIFY(unit >= 0.0 && unit <= 1.0);
      for (const int frameCount : {1, 2, 3, 1000}) {
        const ck::FramePair pair = ck::framesAt(unit, {frameCount});
        QVERIFY(pair.frame0 >= 0 && pair.frame1 < frameCount);
        QCOMPARE(pair.frame1, frameCount == 1 ? 0 : pair.frame0 + 1);
        QVERIFY(pair.alpha >= 0.0 && pair.alpha <= 1.0);
        const int nearest = ck::nearestFrame(unit, {frameCount});
        QVERIFY(nearest >= 0 && nearest < frameCount);
      }
    }
  }

  void unitIsTheWave_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<double>("cycles");
    QTest::addColumn<double>("unit");
    QTest::newRow("a loop starts again") << 0 << 1.25 << 0.25;
    QTest::newRow("a loop run backwards wraps to the end") << 0 << -0.25 << 0.75;
    QTest::newRow("a whole cycle is the start") << 0 << 3.0 << 0.0;
    QTest::newRow("once holds its end") << 1 << 7.5 << 1.0;
    QTest::newRow("once run backwards holds its start") << 1 << -0.5 << 0.0;
    QTest::newRow("ping-pong turns at the end") << 2 << 1.25 << 0.75;
    QTest::newRow("ping-pong turns at the start") << 2 << -0.25 << 0.25;
    QTest::newRow("ping-pong stands at its end after one cycle") << 2 << 1.0 << 1.0;
    QTest::newRow("ping-pong is back after two cycles") << 2 << 2.0 << 0.0;
  }
  void unitIsTheWave() {
    QFETCH(int, mode);
    QFETCH(double, cycles);
    QFETCH(double, unit);
    QCOMPARE(ck::unitTime(cycles, static_cast<LoopMode>(mode)), unit);
  }

  void randomCasesAgreeWithSlowWaves() {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> cycles(-1000.0, 1000.0);
    for (int i = 0; i < 200'000; ++i) {
      const double q = cycles(random);
      for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
        QVERIFY(std::abs(ck::unitTime(q, mode) - slowUnit(q, mode)) < 1e-9);
      }
      const int frameCount = 1 + i % 300;
      const double unit = slowUnit(q, LoopMode::Loop);
      const ck::FramePair pair = ck::framesAt(unit, {frameCount});
      const double x = unit * (frameCount - 1);
      QVERIFY(std::abs(pair.frame0 + pair.alpha - x) < 1e-9);
      QCOMPARE(ck::nearestFrame(unit, {frameCount}),
               std::min(static_cast<int>(std::floor(x + 0.5)), frameCount - 1));
    }
  }

  void lastRowIsReached() {
    const ck::FramePair pair = ck::framesAt(1.0, {37});
    QCOMPARE(pair.frame0, 35);
    QCOMPARE(pair.frame1, 36);
    QCOMPARE(pair.alpha, 1.0);
    QCOMPARE(ck::nearestFrame(1.0, {37}), 36);
  }

  void clipOfNoLengthStandsStill() {
    QCOMPARE(ck::phaseAfter(5.0, 1.0, 0.0), 0.0);
    QCOMPARE(ck::phaseAfter(5.0, 1.0, -1.0), 0.0);
    QCOMPARE(ck::loopPace(1.0, 0.0), std::uint64_t{0});
  }

  void phaseFollowsRateAndLength() {
    QCOMPARE(ck::phaseAfter(3.0, 0.5, 2.0), 0.75);
    QCOMPARE(ck::phaseAfter(3.0, -2.0, 1.5), -4.0);
    QCOMPARE(ck::phaseAfter(3.0, 0.0, 1.5), 0.0);
  }

  void storedPhaseGivesTheSamePose() {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> range(-50.0, 50.0);
    for (int i = 0; i < 100'000; ++i) {
      const double phase = range(random);
      const double offset = range(random) * 0.05;
      for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
        const double stored = ck::wrapPhase(phase, offset, mode);
        const double expected = slowUnit(phase + offset, mode);
        const double gap = std::abs(ck::unitTime(stored + offset, mode) - expected);
        // On a loop 0 and 1 are one place.
        QVERIFY(std::min(gap, mode == LoopMode::Loop ? 1.0 - gap : gap) < 1e-9);
      }
      QVERIFY(ck::wrapPhase(phase, offset, LoopMode::Loop) >= 0.0);
      QVERIFY(ck::wrapPhase(phase, offset, LoopMode::Loop) < 1.0);
      QVERIFY(ck::wrapPhase(phase, offset, LoopMode::PingPong) < 2.0);
    }
  }

  void loopsStayInPlaceForHours_data() {
    QTest::addColumn<double>("rate");
    QTest::addColumn<double>("duration");
    QTest::newRow("as authored") << 1.0 << 1.2;
    QTest::newRow("backwards") << -1.0 << 0.7;
    QTest::newRow("odd rate") << 1.0371 << 2.4333333;
    QTest::newRow("long clip") << 0.93 << 61.7;
    QTest::newRow("clip of 8 hours") << 1.0 << 28'801.7;
    QTest::newRow("as fast as files allow") << 100.0 << 0.01;
    QTest::newRow("standing still") << 0.0 << 1.0;
  }
  void loopsStayInPlaceForHours() {
    QFETCH(double, rate);
    QFETCH(double, duration);
    const std::uint64_t pace = ck::loopPace(rate, duration);
    for (const double seconds : {0.0, 1.0 / 60.0, 600.0, 8.0 * 3600.0, -8.0 * 3600.0, -0.3}) {
      const auto cyclesPerSecond =
          static_cast<long double>(rate) / static_cast<long double>(duration);
      const long double cycles = static_cast<long double>(seconds) * cyclesPerSecond + 0.25L;
      const auto exact = static_cast<double>(cycles - std::floor(cycles));
      const std::uint32_t place = ck::loopPlace(ck::loopStart(0.25), ck::loopTime(seconds), pace);
      double gap = std::abs(ck::loopUnit(place) - exact);
      gap = std::min(gap, 1.0 - gap);
      // The pace is rounded, the time is rounded, and so is the place (docs/techniques.md 1.2); the
      // pace was a double before.
      const double cyclesMoved = std::abs(seconds * rate / duration);
      const double limit = std::abs(seconds) * 0x1p-41 + std::abs(rate / duration) * 0x1p-25 +
                           0x1p-32 + cyclesMoved * 0x1p-52;
      QVERIFY2(gap <= limit, qPrintable(QString("%1 s: %2").arg(seconds).arg(gap)));
    }
  }

  // Products of 64 bits wrap, so that no time and no rate is out of range.
  void loopsHaveNoLastMoment() {
    QCOMPARE(ck::loopTime(-1.0), std::uint64_t{0} - ck::loopTime(1.0));
    QCOMPARE(ck::loopTime(0x1p40 + 3.0), ck::loopTime(3.0));
    QCOMPARE(ck::loopTime(-0x1p40 - 3.0), ck::loopTime(-3.0));
    QCOMPARE(ck::loopTime(1e300), std::uint64_t{0});
    QCOMPARE(ck::loopTime(std::numeric_limits<double>::infinity()), std::uint64_t{0});
    QCOMPARE(ck::loopPace(0x1p24 + 0.5, 1.0), ck::loopPace(0.5, 1.0));
    QCOMPARE(ck::loopStart(-0.25), 0xc0000000u);
    QCOMPARE(ck::loopStart(7.0), 0u);
  }

  void shaderTextSaysTheSame() {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> range(-1000.0, 1000.0);
    for (int i = 0; i < 200'000; ++i) {
      const auto cycles = static_cast<float>(range(random));
      for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
        const double unit = ck::unitTime(static_cast<double>(cycles), mode);
        const auto shaderUnit =
            static_cast<double>(ck::gpu::ck_unitTime(cycles, static_cast<int>(mode)));
        QVERIFY(shaderUnit >= 0.0 && shaderUnit <= 1.0);
        QVERIFY(std::abs(shaderUnit - unit) < 1e-4);
        const int frameCount = 1 + i % 300;
        const ck::gpu::CkFrame frame =
            ck::gpu::ck_frameAt(static_cast<float>(shaderUnit), frameCount);
        QVERIFY(frame.frame >= 0 && frame.frame <= std::max(0, frameCount - 2));
        const double x = shaderUnit * (frameCount - 1);
        QVERIFY(std::abs(frame.frame + static_cast<double>(frame.alpha) - x) < 1e-3);
      }
    }
  }
};

CK_TEST(tst_playback)
#include "tst_playback.moc"
