#include <QTest>
#include <cmath>

#include "core/detail/triangle_budget.h"
#include "tests/support/test_program.h"

using ck::TriangleBudget;

namespace {

// Actors at all distances: the triangles in view fall with the square of what may be off.
std::size_t falling(double factor) {
  return static_cast<std::size_t>(1e6 / (factor * factor));
}

}  // namespace

class tst_triangle_budget : public QObject {
  Q_OBJECT

 private slots:
  void rejectsToCoarsenWithoutABudget() {
    TriangleBudget budget;
    QVERIFY(!budget.update(0, falling, true));
    QCOMPARE(budget.factor(), 1.0);
    QVERIFY(budget.isKept());
  }

  void theFactorIsTheSmallestThatKeepsTheBudget() {
    for (const std::size_t most : {999'999u, 500'000u, 123'456u, 1'000u, 300u}) {
      TriangleBudget budget;
      QVERIFY(budget.update(most, falling, true));
      QVERIFY(budget.isKept() && falling(budget.factor()) <= most);
      // An eighth of an octave less does not.
      QVERIFY(falling(budget.factor() / std::exp2(0.125) * 0.999) > most);
    }
  }

  void whatMustBeWholeCanBeTooMuch() {
    TriangleBudget budget;
    budget.update(
        100, [](double) { return std::size_t{5000}; }, true);
    QVERIFY(!budget.isKept());
    QCOMPARE(budget.factor(), TriangleBudget::kMost);
    budget.update(0, falling, true);
    QVERIFY(budget.isKept() && budget.factor() == 1.0);
  }

  // A crowd whose triangles go up and down by a tenth keeps its detail.
  void atTheLimitItDoesNotChangeBackAndForth() {
    TriangleBudget budget;
    const auto times = [](double share) {
      return [share](double factor) {
        return static_cast<std::size_t>(share * static_cast<double>(falling(factor)));
      };
    };
    budget.update(200'000, times(1.05), true);
    const double factor = budget.factor();
    for (int tick = 0; tick < 20; ++tick) {
      QVERIFY(!budget.update(200'000, times(tick % 2 == 0 ? 0.95 : 1.05), true));
    }
    QCOMPARE(budget.factor(), factor);
    // With much room it falls, and a picture that is made once knows nothing of before.
    QVERIFY(budget.update(200'000, times(0.3), true));
    QVERIFY(budget.factor() < factor);
    TriangleBudget fresh;
    fresh.update(200'000, times(0.95), false);
    budget.update(200'000, times(1.05), true);
    budget.update(200'000, times(0.95), false);
    QCOMPARE(budget.factor(), fresh.factor());
  }
};

CK_TEST(tst_triangle_budget)
#include "tst_triangle_budget.moc"
