#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/crowd/crowd_spawn.h"
#include "tests/support/test_program.h"

using ck::Formation;
using ck::SpawnSettings;

namespace {

double nearestGap(const std::vector<ck::Actor>& actors) {
  double nearest = 1e9;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    for (std::size_t j = i + 1; j < actors.size(); ++j) {
      const glm::vec3 d = actors[i].position - actors[j].position;
      nearest = std::min(nearest, std::hypot(static_cast<double>(d.x), static_cast<double>(d.z)));
    }
  }
  return nearest;
}

bool near(float a, double b) {
  return std::abs(static_cast<double>(a) - b) < 1e-6;
}

}  // namespace

class tst_crowd_spawn : public QObject {
  Q_OBJECT
 private slots:
  void rejectsImpossibleCounts() {
    QCOMPARE(ck::spawnActors({.count = -5}).size(), std::size_t{0});
    QCOMPARE(ck::spawnActors({.count = 0}).size(), std::size_t{0});
    QCOMPARE(ck::spawnActors({.count = 2'000'000, .varied = false}).size(), std::size_t{1'000'000});
    for (const ck::Actor& actor : ck::spawnActors({.count = 9, .clipCount = 0})) {
      QCOMPARE(actor.clip, 0);
    }
  }

  // The values below come from a second implementation in Python.
  void randomIsTheSameEverywhere() {
    QCOMPARE(ck::randomUnit(1, 0, 1), 0.42321144819582723);
    QCOMPARE(ck::randomUnit(1, 1, 1), 0.4743786567858288);
    QCOMPARE(ck::randomUnit(7, 123456, 3), 0.2192177372315237);
    QCOMPARE(ck::randomUnit(~0ull, ~0ull, 8), 0.6738565088844861);
  }

  void actorsAreTheSameEverywhere() {
    const auto grid = ck::spawnActors({.count = 20, .clipCount = 7});
    const std::vector<int> dealt{3, 6, 0, 1, 2, 5, 4, 2, 4, 1, 3, 0, 5, 6, 3, 6, 2, 5, 4, 1};
    for (std::size_t i = 0; i < dealt.size(); ++i) QCOMPARE(grid[i].clip, dealt[i]);
    QVERIFY(near(grid[3].offset, 0.020491043105721474));
    QVERIFY(near(grid[3].rate, 1.0950897932052612));
    QVERIFY(near(grid[3].rotationDegrees.y, -17.028079986572266));
    QVERIFY(near(grid[19].offset, 0.5990272760391235));
    // 20 actors stand in 5 columns and 4 rows.
    QVERIFY(near(grid[0].position.x, -2.0 * 1.6));
    QVERIFY(near(grid[0].position.z, -1.5 * 1.6));
    QVERIFY(near(grid[19].position.x, 2.0 * 1.6));

    const auto scatter = ck::spawnActors(
        {.count = 5, .formation = Formation::Scatter, .seed = 9, .spacingMeters = 2.0});
    const double places[5][2] = {{0.7047613859176636, -2.820918560028076},
                                 {-1.7632697820663452, 0.7177732586860657},
                                 {0.23719605803489685, 1.1675782203674316},
                                 {-0.7758547067642212, 2.5708680152893066},
                                 {1.7598899602890015, 2.294008493423462}};
    for (std::size_t i = 0; i < 5; ++i) {
      QVERIFY(near(scatter[i].position.x, places[i][0]));
      QVERIFY(near(scatter[i].position.z, places[i][1]));
    }

    const auto disc = ck::spawnActors({.count = 51, .formation = Formation::Disc});
    QVERIFY(near(disc[0].position.x, 0.7014499269370552));
    QVERIFY(near(disc[1].position.z, 0.8206848473830238));
    QVERIFY(near(disc[50].position.x, 5.747071497470397));
    QVERIFY(near(disc[50].position.z, 4.0824503919782495));
  }

  void neighboursKeepTheirDistance_data() {
    QTest::addColumn<int>("formation");
    QTest::addColumn<double>("least");
    QTest::newRow("a grid keeps the spacing") << 0 << 1.0;
    QTest::newRow("a disc keeps nearly all of it") << 1 << 0.95;
    QTest::newRow("scatter keeps at least 0.6 of it") << 2 << 0.6;
  }
  void neighboursKeepTheirDistance() {
    QFETCH(int, formation);
    QFETCH(double, least);
    const auto actors = ck::spawnActors({.count = 1500,
                                         .formation = static_cast<Formation>(formation),
                                         .seed = 4,
                                         .spacingMeters = 3.0});
    const double gap = nearestGap(actors) / 3.0;
    QVERIFY2(gap > least - 1e-6, qPrintable(QString::number(gap)));
    QVERIFY(gap < 1.3);
    // About the origin.
    glm::dvec3 sum(0.0);
    for (const ck::Actor& actor : actors) sum += glm::dvec3(actor.position);
    QVERIFY(glm::length(sum / 1500.0) < 3.0);
  }

  void everyHandHoldsEveryClip() {
    const auto actors = ck::spawnActors({.count = 70, .seed = 3, .clipCount = 7});
    for (std::size_t first = 0; first < 70; first += 7) {
      std::set<int> hand;
      for (std::size_t i = first; i < first + 7; ++i) hand.insert(actors[i].clip);
      QCOMPARE(hand.size(), std::size_t{7});
    }
  }

  void unvariedActorsAreAlike() {
    const auto actors = ck::spawnActors({.count = 30, .varied = false});
    for (ck::Actor actor : actors) {
      actor.position = {};
      QVERIFY(actor == ck::Actor{});
    }
  }

  void variedActorsDifferWithinBounds() {
    const auto actors = ck::spawnActors({.count = 2000, .formation = Formation::Disc});
    std::set<float> offsets;
    std::set<std::uint32_t> tints;
    for (const ck::Actor& actor : actors) {
      QVERIFY(actor.offset >= 0.0f && actor.offset < 1.0f);
      QVERIFY(actor.rate >= 0.9f && actor.rate <= 1.1f);
      QVERIFY(std::abs(actor.rotationDegrees.y) <= 180.0f);
      offsets.insert(actor.offset);
      tints.insert(actor.tint);
    }
    QVERIFY(offsets.size() > 1990);
    QVERIFY(tints.size() >= 8);
    QVERIFY(
        !(ck::spawnActors({.count = 20, .seed = 1}) == ck::spawnActors({.count = 20, .seed = 2})));
  }
};

CK_TEST(tst_crowd_spawn)
#include "tst_crowd_spawn.moc"
