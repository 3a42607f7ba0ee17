#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/crowd/formations.h"
#include "core/project/actors/respawn.h"
#include "core/stage/pipeline.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Formation;
using ck::FormationPlace;
using ck::Project;
using ck::SpawnSettings;

namespace {

constexpr double kPi = 3.14159265358979323846;

double length(const glm::dvec2& way) {
  return std::hypot(way.x, way.y);
}

// Of two of the places, by all pairs.
double nearestPair(const std::vector<FormationPlace>& places) {
  double nearest = 1e9;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      nearest = std::min(nearest, length(places[i].meters - places[j].meters));
    }
  }
  return nearest;
}

double farthest(const std::vector<FormationPlace>& places) {
  double most = 0.0;
  for (const FormationPlace& place : places) most = std::max(most, length(place.meters));
  return most;
}

glm::dvec2 lookOf(const FormationPlace& place) {
  return {std::sin(place.headingDegrees * kPi / 180.0),
          std::cos(place.headingDegrees * kPi / 180.0)};
}

// A crowd of the bar with clips "Bend" and "Twist".
struct PlacedActors {
  ck::Character bar = ck::test::barCharacter();
  std::vector<ck::CharacterPtr> cast = {std::make_shared<ck::Character>(bar)};
  Project project = ck::newProjectFor(bar, {{"/show/bar.glb"}});

  ck::Respawned respawn(SpawnSettings settings, const ck::GroundMesh* ground = nullptr) {
    return ck::respawn(project, 0, std::move(settings), ck::spawnParts(project, cast), ground);
  }
  void take(std::size_t i) {
    Actor actor = project.actors[i];
    actor.byHand = true;
    actor.position = {100.0f + static_cast<float>(i), 3.0f, -50.0f};
    project.actors.set(i, actor);
  }
};

}  // namespace

class tst_formations : public QObject {
  Q_OBJECT

 private slots:
  void theUnitCircleIsThatOfTheLibrary() {
    for (int i = -400; i <= 400; ++i) {
      const double turns = i / 173.0;
      const glm::dvec2 point = ck::onCircle(turns);
      QVERIFY(std::abs(point.x - std::sin(turns * 2.0 * kPi)) < 1e-14);
      QVERIFY(std::abs(point.y - std::cos(turns * 2.0 * kPi)) < 1e-14);
    }
    QCOMPARE(ck::onCircle(0.25).x, 1.0);
    QCOMPARE(ck::onCircle(0.0).y, 1.0);
  }

  void gridsHaveTheirColumnsCentreAndHeading() {
    const SpawnSettings settings{.spacingMeters = 2.0, .centerMeters = {10.0, -4.0}, .columns = 3};
    const auto places = ck::formationPlaces(settings, 12);
    for (int i = 0; i < 12; ++i) {
      const glm::dvec2 wanted(10.0 + (i % 3 - 1.0) * 2.0, -4.0 + (i / 3 - 1.5) * 2.0);
      QVERIFY(length(places[std::size_t(i)].meters - wanted) < 1e-12);
    }
    // A quarter to the left: what was ahead (+Z) is at +X, what was at +X is behind (-Z).
    SpawnSettings turned = settings;
    turned.centerMeters = {};
    turned.headingDegrees = 90.0;
    const auto rotated = ck::formationPlaces(turned, 12);
    for (std::size_t i = 0; i < 12; ++i) {
      const glm::dvec2 before = places[i].meters - settings.centerMeters;
      QVERIFY(length(rotated[i].meters - glm::dvec2(before.y, -before.x)) < 1e-12);
      QCOMPARE(rotated[i].headingDegrees, 90.0);
    }
  }

  void circlesAreRoundAndLookAtTheCentre_data() {
    QTest::addColumn<int>("rings");
    QTest::addColumn<int>("count");
    QTest::addRow("one") << 1 << 24;
    QTest::addRow("three") << 3 << 100;
    QTest::addRow("more rings than actors") << 9 << 4;
  }
  void circlesAreRoundAndLookAtTheCentre() {
    QFETCH(int, rings);
    QFETCH(int, count);
    SpawnSettings settings{.formation = Formation::Circle, .spacingMeters = 1.5, .rings = rings};
    const auto places = ck::formationPlaces(settings, count);
    QCOMPARE(places.size(), std::size_t(count));
    std::set<long> radii;
    for (const FormationPlace& place : places) {
      const double radius = length(place.meters);
      radii.insert(std::lround(radius * 1e6));
      const glm::dvec2 inwards = -place.meters / radius;
      QVERIFY(length(lookOf(place) - inwards) < 1e-3);
    }
    if (rings > count) {
      // Inner circles are too short for anybody then.
      QVERIFY(int(radii.size()) <= count);
      return;
    }
    QCOMPARE(int(radii.size()), rings);
    for (auto it = radii.begin(); std::next(it) != radii.end(); ++it) {
      QVERIFY(std::abs(double(*std::next(it) - *it) - 1.5e6) < 2.0);
    }
    // Along the circles neighbours are as far apart as asked, so that all circles together are as
    // long as the actors need.
    double all = 0.0;
    for (const long radius : radii) all += double(radius) * 1e-6 * 2.0 * kPi;
    QVERIFY(std::abs(all - count * 1.5) < 1e-3);
    QVERIFY(nearestPair(places) > 1.5 * 0.9);
    settings.headingDegrees = 180.0;
    const auto outwards = ck::formationPlaces(settings, count);
    QVERIFY(length(lookOf(outwards[5]) + lookOf(places[5])) < 1e-9);
  }

  void poissonKeepsItsDistanceAndFillsTheGround() {
    const SpawnSettings settings{.formation = Formation::Poisson, .seed = 5, .spacingMeters = 2.0};
    const auto places = ck::formationPlaces(settings, 1500);
    QCOMPARE(places.size(), std::size_t{1500});
    QVERIFY(nearestPair(places) >= 2.0);
    // As dense as Poisson discs are: 0.6 to 0.8 actors in a square of the spacing.
    const double reach = farthest(places);
    const double density = 1500.0 * 4.0 / (kPi * reach * reach);
    QVERIFY2(density > 0.5 && density < 0.85, qPrintable(QString::number(density)));
    // No hole in the middle part: no further actor has room there.
    for (double z = -0.5 * reach; z < 0.5 * reach; z += 0.7) {
      for (double x = -0.5 * reach; x < 0.5 * reach; x += 0.7) {
        double nearest = 1e9;
        for (const FormationPlace& place : places) {
          nearest = std::min(nearest, length(place.meters - glm::dvec2(x, z)));
        }
        QVERIFY(nearest < 4.0);
      }
    }
    // Not a lattice: the ways to the nearest neighbour go anywhere.
    std::vector<int> sectors(8, 0);
    for (std::size_t i = 0; i < 400; ++i) {
      std::size_t best = i == 0 ? 1 : 0;
      for (std::size_t j = 0; j < places.size(); ++j) {
        if (j != i && length(places[j].meters - places[i].meters) <
                          length(places[best].meters - places[i].meters)) {
          best = j;
        }
      }
      const glm::dvec2 way = places[best].meters - places[i].meters;
      ++sectors[std::size_t(std::floor((std::atan2(way.y, way.x) + kPi) / (2.0 * kPi) * 7.999))];
    }
    QVERIFY(*std::ranges::min_element(sectors) > 25);
  }

  void poissonGrowsAtItsEdge() {
    SpawnSettings settings{.formation = Formation::Poisson, .seed = 3};
    const auto few = ck::formationPlaces(settings, 200);
    const auto many = ck::formationPlaces(settings, 100'000);
    QCOMPARE(many.size(), std::size_t{100'000});
    for (std::size_t i = 0; i < few.size(); ++i) QCOMPARE(few[i].meters, many[i].meters);
    settings.seed = 4;
    QVERIFY(ck::formationPlaces(settings, 200)[150].meters != few[150].meters);
    for (const int count : {0, 1, 2, 3}) {
      QCOMPARE(ck::formationPlaces(settings, count).size(), std::size_t(count));
    }
  }

  void pathsAreWalkedAtTheSpacing() {
    // 10 m along +X, then 5 m along +Z.
    SpawnSettings settings{.formation = Formation::Path,
                           .spacingMeters = 1.5,
                           .path = {{0.0f, 0.0f}, {10.0f, 0.0f}, {10.0f, 0.0f}, {10.0f, 5.0f}}};
    QCOMPARE(ck::roomOnPath(settings), 11);
    const auto places = ck::formationPlaces(settings, 11);
    for (int i = 0; i < 11; ++i) {
      const double along = i * 1.5;
      const glm::dvec2 wanted =
          along <= 10.0 ? glm::dvec2(along, 0.0) : glm::dvec2(10.0, along - 10.0);
      QVERIFY(length(places[std::size_t(i)].meters - wanted) < 1e-9);
      QCOMPARE(places[std::size_t(i)].headingDegrees, along <= 10.0 ? 90.0 : 0.0);
    }
    // More than there is room for come closer to each other, from end to end.
    const auto crowded = ck::formationPlaces(settings, 31);
    QVERIFY(length(crowded.front().meters) < 1e-9);
    QVERIFY(length(crowded.back().meters - glm::dvec2(10.0, 5.0)) < 1e-9);
    QVERIFY(length(crowded[20].meters - glm::dvec2(10.0, 0.0)) < 1e-9);
    settings.headingDegrees = 180.0;
    QCOMPARE(std::abs(ck::formationPlaces(settings, 31)[30].headingDegrees), 180.0);
    // The centre moves what stands around it, and no path.
    settings.centerMeters = {50.0, 50.0};
    QVERIFY(length(ck::formationPlaces(settings, 31).front().meters) < 1e-9);
  }

  void closedPathsLeadBackAndRowsStandBeside() {
    SpawnSettings settings{.formation = Formation::Path,
                           .spacingMeters = 9.0,
                           .path = {{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 4.0f}, {0.0f, 4.0f}},
                           .pathClosed = true};
    QCOMPARE(ck::roomOnPath(settings), 1);
    const auto loop = ck::formationPlaces(settings, 8);
    const glm::dvec2 corners[] = {{0, 0}, {2, 0}, {4, 0}, {4, 2}, {4, 4}, {2, 4}, {0, 4}, {0, 2}};
    for (std::size_t i = 0; i < 8; ++i) QVERIFY(length(loop[i].meters - corners[i]) < 1e-9);
    settings = {.formation = Formation::Path,
                .spacingMeters = 1.0,
                .path = {{0.0f, 0.0f}, {0.0f, 20.0f}},
                .pathRows = 3};
    const auto rows = ck::formationPlaces(settings, 9);
    std::set<std::pair<long, long>> seen;
    for (const FormationPlace& place : rows) {
      seen.insert({std::lround(place.meters.x), std::lround(place.meters.y)});
    }
    std::set<std::pair<long, long>> wanted;
    for (long z = 0; z < 3; ++z) {
      for (long x = -1; x <= 1; ++x) wanted.insert({x, z});
    }
    QVERIFY(seen == wanted);
  }

  void withoutAPathActorsStandAsADisc() {
    for (const std::vector<glm::vec2>& path :
         {std::vector<glm::vec2>{}, {{3.0f, 3.0f}}, {{3.0f, 3.0f}, {3.0f, 3.0f}}}) {
      const SpawnSettings settings{.formation = Formation::Path, .path = path};
      QVERIFY(!ck::hasPath(settings));
      QCOMPARE(ck::roomOnPath(settings), 0);
      const auto places = ck::formationPlaces(settings, 30);
      const auto disc = ck::formationPlaces({.formation = Formation::Disc}, 30);
      for (std::size_t i = 0; i < 30; ++i) QCOMPARE(places[i].meters, disc[i].meters);
    }
  }

  void linesDrawnByHandBecomeFewPoints() {
    std::vector<glm::vec2> points;
    for (int i = 0; i <= 100; ++i) {
      const float x = 0.1f * static_cast<float>(i);
      points.emplace_back(x, x < 5.0f ? 0.01f * static_cast<float>(i % 2) : 2.0f * (x - 5.0f));
    }
    const auto simple = ck::simplifiedPath(points, 0.05);
    QVERIFY2(simple.size() >= 3 && simple.size() <= 4, qPrintable(QString::number(simple.size())));
    QCOMPARE(simple.front(), points.front());
    QCOMPARE(simple.back(), points.back());
    QVERIFY(std::abs(simple[1].x - 5.0f) < 0.3f);
    QCOMPARE(ck::simplifiedPath(points, 0.0001).size() > 50, true);
  }

  // The prop's file may be missing, or not be read yet.
  void anUnknownGroundLeavesHeights() {
    PlacedActors crowd;
    crowd.project.props.resize(1);
    SpawnSettings settings = crowd.project.crowds.front().spawn;
    settings.count = 12;
    crowd.respawn(settings);
    for (std::size_t i = 0; i < 12; ++i) {
      Actor actor = crowd.project.actors[i];
      actor.position.y = 0.5f + static_cast<float>(i);
      crowd.project.actors.set(i, actor);
    }
    settings.groundProp = 0;
    const auto rise = [&] {
      for (std::size_t i = 0; i < 12; ++i) {
        if (crowd.project.actors[i].position.y != 0.5f + static_cast<float>(i)) return false;
      }
      return true;
    };
    settings.spacingMeters *= 2.0;
    settings.count = 15;
    const float before = crowd.project.actors[11].position.x;
    QCOMPARE(crowd.respawn(settings).beside, 0);
    QVERIFY(rise());
    QVERIFY(crowd.project.actors[11].position.x != before);
    QCOMPARE(crowd.project.actors[14].position.y, 0.0f);
    ++settings.seed;
    crowd.respawn(settings);
    QVERIFY(rise());
    QCOMPARE(ck::settleOnGround(crowd.project, 0, nullptr), 0);
    QVERIFY(rise());
    // Flat ground is known.
    settings.groundProp = -1;
    crowd.respawn(settings);
    QVERIFY(!rise());
  }

  void whatIsPlacedByHandStays() {
    PlacedActors crowd;
    SpawnSettings settings = crowd.project.crowds.front().spawn;
    settings.count = 20;
    crowd.respawn(settings);
    for (const std::size_t i : {3u, 7u, 19u}) crowd.take(i);
    crowd.project.desk.selected = {2, 7, 18, 19};
    const std::vector<Actor> before = crowd.project.actors.toVector();

    // Another spacing moves the dealt actors only.
    settings.spacingMeters *= 2.0;
    QCOMPARE(crowd.respawn(settings).byHand, 3);
    QCOMPARE(crowd.project.actors.size(), std::size_t{20});
    for (std::size_t i = 0; i < 20; ++i) {
      const Actor& actor = crowd.project.actors[i];
      QCOMPARE(actor.clip, before[i].clip);
      QCOMPARE(actor.offset, before[i].offset);
      if (before[i].byHand) QVERIFY(actor == before[i]);
    }
    // The seventeen that are dealt stand as seventeen of the formation do.
    SpawnSettings alone = settings;
    alone.count = 17;
    const auto places = ck::formationPlaces(alone, 17);
    std::size_t next = 0;
    for (std::size_t i = 0; i < 20; ++i) {
      const Actor& actor = crowd.project.actors[i];
      if (actor.byHand) continue;
      const glm::dvec2 at(actor.position.x, actor.position.z);
      QVERIFY(length(at - places[next++].meters) < 1e-5);
    }
    QCOMPARE(crowd.project.desk.selected, (std::vector<int>{2, 7, 18, 19}));

    // More come behind.
    settings.count = 25;
    crowd.respawn(settings);
    QCOMPARE(crowd.project.actors.size(), std::size_t{25});
    for (const std::size_t i : {3u, 7u, 19u}) QVERIFY(crowd.project.actors[i] == before[i]);
    // Fewer: the last dealt ones go, and those by hand move up, selected as they were.
    settings.count = 8;
    crowd.respawn(settings);
    QCOMPARE(crowd.project.actors.size(), std::size_t{8});
    QVERIFY(crowd.project.actors[3] == before[3]);
    QVERIFY(crowd.project.actors[6] == before[7]);
    QVERIFY(crowd.project.actors[7] == before[19]);
    QCOMPARE(crowd.project.desk.selected, (std::vector<int>{2, 6, 7}));
    // Never fewer than those by hand; the number says so.
    settings.count = 1;
    crowd.respawn(settings);
    QCOMPARE(crowd.project.actors.size(), std::size_t{3});
    QCOMPARE(crowd.project.crowds.front().spawn.count, 3);
    QCOMPARE(ck::countByHand(crowd.project, 0), 3);
    // Another seed does not reach them either.
    settings.count = 10;
    settings.seed = 99;
    crowd.respawn(settings);
    QVERIFY(crowd.project.actors[0] == before[3]);
    ck::releaseByHand(crowd.project, 0);
    QCOMPARE(ck::countByHand(crowd.project, 0), 0);
    crowd.respawn(settings);
    QVERIFY(std::abs(crowd.project.actors[0].position.x) < 50.0f);
  }

  void anotherSeedDealsFromScratchAndTheSameKeepsClips() {
    PlacedActors crowd;
    SpawnSettings settings = crowd.project.crowds.front().spawn;
    settings.count = 40;
    crowd.respawn(settings);
    Actor mine = crowd.project.actors[5];
    mine.offset = 0.125f;
    mine.tint = 0x123456;
    crowd.project.actors.set(5, mine);
    settings.formation = Formation::Poisson;
    crowd.respawn(settings);
    QCOMPARE(crowd.project.actors[5].tint, 0x123456u);
    settings.seed += 1;
    crowd.respawn(settings);
    QVERIFY(crowd.project.actors[5].tint != 0x123456u);
  }

  void movingOrTurningIsByHandAndNothingElseIs() {
    const Actor before;
    Actor after = before;
    after.offset = 0.5f;
    after.tint = 0;
    after.scale = 2.0f;
    ck::markMoved(before, after);
    QVERIFY(!after.byHand);
    after.rotationDegrees.y = 1.0f;
    ck::markMoved(before, after);
    QVERIFY(after.byHand);
    Actor moved = before;
    moved.position.x = 0.01f;
    ck::markMoved(before, moved);
    QVERIFY(moved.byHand);
  }
};

CK_TEST(tst_formations)
#include "tst_formations.moc"
