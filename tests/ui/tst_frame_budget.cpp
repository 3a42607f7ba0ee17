#include <QTest>
#include <algorithm>

#include "tests/support/test_program.h"
#include "ui/playback/frame_budget.h"

using ck::ui::DetailBudget;
using ck::ui::FrameBudget;

namespace {

// Plays frames whose cost grows with the actors, and returns how many are shown in the end.
// `changes` counts how often the number changed after the first 60 frames.
std::size_t settled(double msPerActor, double fixedMs, std::size_t wanted, int& changes) {
  FrameBudget budget;
  std::size_t shown = wanted;
  changes = 0;
  for (int frame = 0; frame < 400; ++frame) {
    const double ms = fixedMs + msPerActor * double(shown) * (frame % 3 == 0 ? 1.1 : 1.0);
    const std::size_t next = std::min(budget.next(ms, shown, wanted), wanted);
    if (frame > 200 && next != shown) ++changes;
    shown = next;
  }
  return shown;
}

// Plays frames whose cost falls with the factor, and returns the factor in the end. `changes`
// counts how often it changed after the first 200 frames, `largest` is the largest ever.
double factorFor(double msAtFullDetail, double fixedMs, int& changes, double& largest) {
  DetailBudget budget;
  changes = 0;
  largest = 0.0;
  for (int frame = 0; frame < 500; ++frame) {
    const double before = budget.factor();
    budget.next(fixedMs + msAtFullDetail / before);
    if (frame > 200 && budget.factor() != before) ++changes;
    largest = std::max(largest, budget.factor());
  }
  return budget.factor();
}

}  // namespace

class tst_frame_budget : public QObject {
  Q_OBJECT

 private slots:
  void rejectsTouchingACrowdThatIsFastEnough() {
    int changes = 0;
    QCOMPARE(settled(0.01, 2.0, 2000, changes), std::size_t(2000));
    QCOMPARE(changes, 0);
  }

  void aSlowCrowdSettlesOnASubsetThatIsFastEnough() {
    int changes = 0;
    const std::size_t shown = settled(0.5, 3.0, 10000, changes);
    QVERIFY(shown < 10000);
    QVERIFY(0.5 * double(shown) + 3.0 <= FrameBudget::kMostMs);
    QVERIFY(0.5 * double(shown) + 3.0 >= FrameBudget::kAimMs * 0.5);
    QCOMPARE(changes, 0);
  }

  void aCrowdThatBecameFastComesBackWhole() {
    FrameBudget budget;
    std::size_t shown = 500;
    for (int frame = 0; frame < 200; ++frame) {
      shown = std::min<std::size_t>(budget.next(0.05 * double(shown), shown, 900), 900);
    }
    QCOMPARE(shown, std::size_t(900));
  }

  void aCrowdAtRestIsShownWholeWhereAFrameMayTakeItsTime() {
    QCOMPARE(FrameBudget::resting(60.0, 50, 128), std::size_t(128));
    const std::size_t some = FrameBudget::resting(60.0, 50, 100000);
    QVERIFY(some >= 50 && some <= 1000);
    QCOMPARE(FrameBudget::resting(5000.0, 50, 100000), std::size_t(50));
    QCOMPARE(FrameBudget::resting(60.0, 128, 128), std::size_t(128));
  }

  void somethingIsAlwaysShown() {
    int changes = 0;
    QCOMPARE(settled(1000.0, 0.0, 500, changes), FrameBudget::kFewest);
  }

  void aQuickCrowdGetsAllDetail() {
    int changes = 0;
    double largest = 0.0;
    QCOMPARE(factorFor(20.0, 5.0, changes, largest), 1.0);
    QCOMPARE(changes, 0);
    QCOMPARE(largest, DetailBudget::kFirst);
  }

  void aSlowCrowdSettlesOnLessDetail() {
    int changes = 0;
    double largest = 0.0;
    const double factor = factorFor(300.0, 10.0, changes, largest);
    QVERIFY(10.0 + 300.0 / factor <= FrameBudget::kMostMs);
    QVERIFY(factor > 2.0 && factor < DetailBudget::kMost);
    QCOMPARE(changes, 0);
  }

  void detailHasALimit() {
    int changes = 0;
    double largest = 0.0;
    QCOMPARE(factorFor(10.0, 500.0, changes, largest), DetailBudget::kMost);
    QCOMPARE(largest, DetailBudget::kMost);
    QCOMPARE(changes, 0);
  }

  void aPausedCrowdGetsDetailWithinAFewFrames() {
    DetailBudget budget;
    for (int frame = 0; frame < 100; ++frame) budget.next(500.0);
    QCOMPARE(budget.factor(), DetailBudget::kMost);
    for (const double expected : {32.0, 16.0, 8.0, 4.0, 2.0, 1.0, 1.0}) {
      budget.rest();
      QCOMPARE(budget.factor(), expected);
    }
    // Nothing is known of another crowd.
    budget.restart();
    QCOMPARE(budget.factor(), DetailBudget::kFirst);
    for (int frame = 0; frame < 100; ++frame) budget.next(500.0);
    budget.restart();
    QCOMPARE(budget.factor(), DetailBudget::kMost);
  }

  void oneSlowFrameIsNoReason() {
    DetailBudget budget;
    for (int frame = 0; frame < 100; ++frame) budget.next(45.0);
    const double before = budget.factor();
    budget.next(150.0);
    QCOMPARE(budget.factor(), before);
  }
};

CK_TEST(tst_frame_budget)
#include "tst_frame_budget.moc"
