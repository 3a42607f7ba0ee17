#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/crowd/formations.h"
#include "core/project/actors/actor_clipboard.h"
#include "core/project/actors/crowd_edits.h"
#include "core/project/actors/placement.h"
#include "core/project/actors/respawn.h"
#include "core/project/project_json.h"
#include "core/stage/pipeline.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Project;
using ck::SpawnSettings;

namespace {

constexpr double kPi = 3.14159265358979323846;

// Two crowds of the bar: "Crowd", a grid, and "North", a disc elsewhere.
struct TwoCrowds {
  ck::Character bar = ck::test::barCharacter();
  std::vector<ck::CharacterPtr> cast = {std::make_shared<ck::Character>(bar)};
  Project project = ck::newProjectFor(bar, {{"/show/bar.glb"}});
  int north = 0;

  TwoCrowds() {
    deal(0, {.count = 9, .seed = 1});
    north = ck::addCrowd(project, "North").value();
    SpawnSettings settings = project.crowds[1].spawn;
    settings.count = 12;
    settings.formation = ck::Formation::Disc;
    settings.centerMeters = {30.0, -8.0};
    deal(north, settings);
  }

  void deal(int crowd, SpawnSettings settings) {
    ck::respawn(project, crowd, std::move(settings), ck::spawnParts(project, cast), nullptr);
  }
  std::vector<Actor> of(int crowd) const {
    std::vector<Actor> theirs;
    for (const Actor& actor : project.actors.toVector()) {
      if (actor.crowd == crowd) theirs.push_back(actor);
    }
    return theirs;
  }
};

// Whether an actor stands and looks where the other one does as a mirror shows it, by vectors.
bool isMirror(const Actor& one, const Actor& other, bool alongX) {
  const auto look = [](const Actor& actor) {
    const double turn = static_cast<double>(actor.rotationDegrees.y) * kPi / 180.0;
    return glm::dvec2(std::sin(turn), std::cos(turn));
  };
  const glm::dvec2 sign(alongX ? -1.0 : 1.0, alongX ? 1.0 : -1.0);
  const glm::dvec2 place(one.position.x, one.position.z);
  const glm::dvec2 otherPlace(other.position.x, other.position.z);
  return glm::length(place * sign - otherPlace) < 1e-4 &&
         glm::length(look(one) * sign - look(other)) < 1e-4;
}

}  // namespace

class tst_project_crowds : public QObject {
  Q_OBJECT

 private slots:
  void dealingOneLeavesTheOthersAlone() {
    TwoCrowds crowds;
    QCOMPARE(ck::crowdSizes(crowds.project), (std::vector{9, 12}));
    const std::vector<Actor> others = crowds.of(0);
    // One of the north is placed by hand.
    Actor placed = crowds.project.actors[10];
    QCOMPARE(placed.crowd, crowds.north);
    placed.position = {1.0f, 2.0f, 3.0f};
    placed.byHand = true;
    crowds.project.actors.set(10, placed);
    SpawnSettings settings = crowds.project.crowds[1].spawn;
    settings.seed += 5;
    settings.count = 40;
    crowds.deal(crowds.north, settings);
    QCOMPARE(ck::crowdSizes(crowds.project), (std::vector{9, 40}));
    QVERIFY(crowds.of(0) == others);
    QVERIFY(std::ranges::count(crowds.of(crowds.north), placed) == 1);
    settings.count = 3;
    crowds.deal(crowds.north, settings);
    QVERIFY(crowds.of(0) == others);
    QVERIFY(std::ranges::count(crowds.of(crowds.north), placed) == 1);
    QCOMPARE(ck::crowdSizes(crowds.project), (std::vector{9, 3}));
    // The first one does not reach the second either.
    const std::vector<Actor> north = crowds.of(crowds.north);
    SpawnSettings first = crowds.project.crowds[0].spawn;
    first.count = 100;
    crowds.deal(0, first);
    QVERIFY(crowds.of(crowds.north) == north);
  }

  void newCrowdsHaveNamesAndSeedsOfTheirOwn() {
    TwoCrowds crowds;
    for (int i = 0; i < 3; ++i) QVERIFY(ck::addCrowd(crowds.project, "North").has_value());
    std::set<std::string> names;
    std::set<std::uint64_t> seeds;
    for (const ck::ProjectCrowd& crowd : crowds.project.crowds) {
      names.insert(crowd.name);
      seeds.insert(crowd.spawn.seed);
    }
    QCOMPARE(names.size(), std::size_t{5});
    QCOMPARE(seeds.size(), std::size_t{5});
    QVERIFY(names.contains("North 2"));
    QCOMPARE(ck::chosenCrowd(crowds.project), 4);
    QVERIFY(!ck::isFreeCrowdName(crowds.project, 0, "North"));
    QVERIFY(ck::isFreeCrowdName(crowds.project, crowds.north, "North"));
    QVERIFY(!ck::isFreeCrowdName(crowds.project, 0, "two\nlines"));
    QVERIFY(!ck::isFreeCrowdName(crowds.project, 0, ""));
  }

  void copiesStandWhereTheFirstStands() {
    TwoCrowds crowds;
    const int copy = ck::duplicateCrowd(crowds.project, crowds.north).value();
    std::vector<Actor> copied = crowds.of(copy);
    for (Actor& actor : copied) actor.crowd = crowds.north;
    QVERIFY(copied == crowds.of(crowds.north));
    QCOMPARE(crowds.project.crowds[2].name, std::string("North 2"));
    ck::removeCrowd(crowds.project, crowds.north);
    QCOMPARE(ck::crowdSizes(crowds.project), (std::vector{9, 12}));
    QCOMPARE(crowds.project.crowds[1].name, std::string("North 2"));
  }

  void mirroredCrowdsFaceTheFirst_data() {
    QTest::addColumn<bool>("alongX");
    QTest::addRow("x") << true;
    QTest::addRow("z") << false;
  }
  void mirroredCrowdsFaceTheFirst() {
    QFETCH(bool, alongX);
    TwoCrowds crowds;
    // Half of them are placed by hand, and one walks on a circle.
    for (std::size_t i = 9; i < 15; ++i) {
      Actor actor = crowds.project.actors[i];
      actor.byHand = true;
      actor.rotationDegrees = {10.0f, 33.0f * static_cast<float>(i), 5.0f};
      actor.turnRadius = 2.0f;
      crowds.project.actors.set(i, actor);
    }
    const std::vector<Actor> before = crowds.of(crowds.north);
    const std::vector<Actor> first = crowds.of(0);
    const auto axis = alongX ? ck::MirrorAxis::X : ck::MirrorAxis::Z;
    ck::mirrorCrowd(crowds.project, crowds.north, axis);
    std::vector<Actor> after = crowds.of(crowds.north);
    for (std::size_t i = 0; i < after.size(); ++i) QVERIFY(isMirror(before[i], after[i], alongX));
    QCOMPARE(after[0].turnRadius, -2.0f);
    QCOMPARE(after[0].rotationDegrees.x, 10.0f);
    QCOMPARE(after[0].rotationDegrees.z, -5.0f);
    QVERIFY(crowds.of(0) == first);
    // Dealt anew, all stay on the other side: as the same crowd that is not mirrored.
    SpawnSettings settings = crowds.project.crowds[1].spawn;
    settings.count = 30;
    TwoCrowds plain;
    SpawnSettings usual = plain.project.crowds[1].spawn;
    usual.count = 24;
    plain.deal(plain.north, usual);
    crowds.deal(crowds.north, settings);
    std::vector<Actor> dealt = crowds.of(crowds.north);
    std::erase_if(dealt, [](const Actor& actor) { return actor.byHand; });
    const std::vector<Actor> wanted = plain.of(plain.north);
    QCOMPARE(dealt.size(), wanted.size());
    for (std::size_t i = 0; i < dealt.size(); ++i) QVERIFY(isMirror(wanted[i], dealt[i], alongX));
    // Twice is none.
    TwoCrowds twice;
    const std::vector<Actor> asTheyWere = twice.of(twice.north);
    ck::mirrorCrowd(twice.project, twice.north, axis);
    ck::mirrorCrowd(twice.project, twice.north, axis);
    const std::vector<Actor> back = twice.of(twice.north);
    for (std::size_t i = 0; i < back.size(); ++i) {
      QVERIFY(glm::distance(back[i].position, asTheyWere[i].position) < 1e-5f);
    }
    QVERIFY(!twice.project.crowds[1].spawn.mirrorX && !twice.project.crowds[1].spawn.mirrorZ);
  }

  void actorsFollowTheirCrowdsThroughTheList() {
    TwoCrowds crowds;
    QVERIFY(ck::addCrowd(crowds.project, "South").has_value());
    const std::vector<Actor> all = crowds.project.actors.toVector();
    std::vector<std::string> names;
    for (const Actor& actor : all) {
      names.push_back(crowds.project.crowds[std::size_t(actor.crowd)].name);
    }
    for (const auto& [from, to] : {std::pair(0, 2), std::pair(2, 0), std::pair(1, 2)}) {
      ck::moveCrowd(crowds.project, from, to);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const int crowd = crowds.project.actors[i].crowd;
        QCOMPARE(crowds.project.crowds[std::size_t(crowd)].name, names[i]);
      }
    }
    crowds.project.desk.selected = {2, 12};
    const Actor kept = crowds.project.actors[12];
    const int crowd = ck::crowdNamed(crowds.project, "Crowd").value();
    ck::removeCrowd(crowds.project, crowd);
    QCOMPARE(crowds.project.actors.size(), std::size_t{12});
    QCOMPARE(crowds.project.desk.selected, std::vector{3});
    QCOMPARE(crowds.project.actors[3].position, kept.position);
    for (const Actor& actor : crowds.project.actors.toVector()) {
      QCOMPARE(crowds.project.crowds[std::size_t(actor.crowd)].name, std::string("North"));
    }
    ck::removeCrowd(crowds.project, ck::crowdNamed(crowds.project, "South").value());
    ck::removeCrowd(crowds.project, 0);  // the last one stays
    QCOMPARE(crowds.project.crowds.size(), std::size_t{1});
    QCOMPARE(crowds.project.actors.size(), std::size_t{12});
  }

  void namesAndNumbersFindThem() {
    const TwoCrowds crowds;
    QCOMPARE(ck::crowdNamed(crowds.project, "North").value(), 1);
    QCOMPARE(ck::crowdNamed(crowds.project, "#0").value(), 0);
    for (const char* none : {"#2", "#", "#x", "#-1", "north", ""}) {
      const auto found = ck::crowdNamed(crowds.project, none);
      QVERIFY2(!found, none);
      QVERIFY(found.error().message.find("'Crowd', 'North'") != std::string::npos);
    }
  }

  void crowdsThatAreOffAreLeftOut() {
    TwoCrowds crowds;
    Project shown = crowds.project;
    ck::leaveHiddenOut(shown);
    QVERIFY(shown == crowds.project);
    crowds.project.crowds[0].on = false;
    shown = crowds.project;
    ck::leaveHiddenOut(shown);
    QVERIFY(shown.actors.toVector() == crowds.of(crowds.north));
    QVERIFY(!ck::isShown(crowds.project, crowds.project.actors[0]));
    QVERIFY(ck::isShown(crowds.project, crowds.project.actors[9]));
  }

  void projectFilesHoldThem() {
    TwoCrowds crowds;
    crowds.project.crowds[0].on = false;
    crowds.project.crowds[1].spawn.mirrorZ = true;
    crowds.project.crowds[1].spawn.formation = ck::Formation::Arcs;
    crowds.project.crowds[1].spawn.arcs = {.innerMeters = 3.5,
                                           .fromDegrees = -20.0,
                                           .toDegrees = 95.5,
                                           .stepMeters = 0.7,
                                           .riseMeters = 0.3,
                                           .aisles = 4,
                                           .aisleMeters = 1.1};
    crowds.project.desk.crowd = 1;
    const std::string text = ck::projectToJson(crowds.project, "/show");
    const auto read = ck::projectFromJson(text, "/show");
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QVERIFY(*read == crowds.project);
    QCOMPARE(ck::projectToJson(*read, "/show"), text);
    const auto refused = [&](const std::string& from, const std::string& to, const char* says) {
      std::string bad = text;
      const std::size_t at = bad.find(from);
      QVERIFY2(at != std::string::npos, from.c_str());
      const auto result = ck::projectFromJson(bad.replace(at, from.size(), to), "/show");
      QVERIFY2(!result && result.error().message.find(says) != std::string::npos,
               result ? to.c_str() : result.error().message.c_str());
    };
    refused("\"North\"", "\"Crowd\"", "twice");
    refused("\"North\"", "\"\"", "empty");
    refused("\"aisles\": 4", "\"aisles\": -4", "aisles");
    refused("\"stepMeters\": 0.7", "\"stepMeters\": 0", "stepMeters");
    refused("\"crowd\": [0", "\"crowd\": [2", "crowd");
  }

  void filesOfActorsNameThem() {
    TwoCrowds crowds;
    crowds.project.crowds[1].name = "North, \"far\"";
    const std::vector<std::string> sets = ck::setNamesOf(crowds.project, {});
    for (const std::string& text :
         {ck::placementJson(crowds.project, sets), ck::placementCsv(crowds.project, sets)}) {
      const auto read = ck::placementFromText(text, crowds.project);
      QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
      QVERIFY(*read == crowds.project.actors);
      // Crowds are found by their names, whatever their places.
      Project moved = crowds.project;
      ck::moveCrowd(moved, 1, 0);
      QVERIFY(ck::placementFromText(text, moved).value() == moved.actors);
      // Actors of one that is not there come into the one that is edited.
      Project other = crowds.project;
      other.crowds[1].name = "South";
      other.desk.crowd = 0;
      const auto fallen = ck::placementFromText(text, other);
      QVERIFY(fallen.has_value());
      for (std::size_t i = 0; i < fallen->size(); ++i) QCOMPARE((*fallen)[i].crowd, 0);
    }
  }

  void pastedActorsComeIntoTheirCrowdOrTheChosenOne() {
    TwoCrowds crowds;
    const int actors[] = {0, 10};
    const std::string text = ck::clipboardText(crowds.project, actors);
    QVERIFY(ck::pasteActors(crowds.project, text).has_value());
    QCOMPARE(ck::crowdSizes(crowds.project), (std::vector{10, 13}));
    QCOMPARE(crowds.project.crowds[1].spawn.count, 13);
    Project other = ck::newProjectFor(crowds.bar, {{"/show/bar.glb"}});
    QVERIFY(ck::addCrowd(other, "Elsewhere").has_value());
    const std::vector<int> before = ck::crowdSizes(other);
    QVERIFY(ck::pasteActors(other, text).has_value());
    QCOMPARE(ck::crowdSizes(other), (std::vector{before[0] + 1, before[1] + 1}));
  }

  void seatsAreInRowsAroundTheCentre_data() {
    QTest::addColumn<int>("aisles");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addRow("a stand") << 2 << 120.0 << 240.0;
    QTest::addRow("without aisles") << 0 << -30.0 << 30.0;
    QTest::addRow("all around") << 5 << 0.0 << 360.0;
    QTest::addRow("a wedge") << 1 << 350.0 << 380.0;
  }
  // By angles and radii of the places, computed with the C library.
  void seatsAreInRowsAroundTheCentre() {
    QFETCH(int, aisles);
    QFETCH(double, from);
    QFETCH(double, to);
    const SpawnSettings settings{.formation = ck::Formation::Arcs,
                                 .spacingMeters = 0.6,
                                 .centerMeters = {4.0, -2.0},
                                 .arcs = {.innerMeters = 10.0,
                                          .fromDegrees = from,
                                          .toDegrees = to,
                                          .stepMeters = 0.8,
                                          .riseMeters = 0.4,
                                          .aisles = aisles,
                                          .aisleMeters = 1.5}};
    const auto places = ck::formationPlaces(settings, 700);
    QCOMPARE(places.size(), std::size_t{700});
    int rows = 0;
    int gaps = 0;
    double last = 0.0;  // along the row
    int lastRow = -1;
    for (const ck::FormationPlace& place : places) {
      const glm::dvec2 at = place.meters - settings.centerMeters;
      const double radius = std::hypot(at.x, at.y);
      const double exact = (radius - 10.0) / 0.8;
      const int row = static_cast<int>(std::lround(exact));
      QVERIFY(std::abs(exact - row) < 1e-9 && row >= lastRow);
      QVERIFY(std::abs(place.riseMeters - 0.4 * row) < 1e-12);
      double degrees = std::atan2(at.x, at.y) * 180.0 / kPi;
      while (degrees < from - 1e-9) degrees += 360.0;
      QVERIFY2(degrees <= to + 1e-9, qPrintable(QString::number(degrees)));
      // Half a seat at both ends of a row at least.
      const double along = (degrees - from) * kPi / 180.0 * radius;
      const double whole = (to - from) * kPi / 180.0 * radius;
      QVERIFY(along > 0.3 - 1e-6 && along < whole - 0.3 + 1e-6);
      // It looks at the centre.
      const double heading = place.headingDegrees * kPi / 180.0;
      const double across = std::sin(heading) * at.y - std::cos(heading) * at.x;
      QVERIFY(std::abs(across) < 2e-4 * radius);
      QVERIFY(std::sin(heading) * at.x + std::cos(heading) * at.y < 0.0);
      if (row != lastRow) {
        ++rows;
        if (lastRow >= 0) QVERIFY(row == lastRow + 1);
        if (lastRow == 0) QCOMPARE(gaps, aisles);
        gaps = 0;
      } else {
        QVERIFY(along - last > 0.6 - 1e-6);
        if (along - last > 1.5)
          ++gaps;
        else
          QVERIFY(along - last < 0.6 + 1e-6);
      }
      last = along;
      lastRow = row;
    }
    QVERIFY(rows > 3);
    // Seats that are there stay when there are more.
    const auto more = ck::formationPlaces(settings, 900);
    for (std::size_t i = 0; i < places.size(); ++i) {
      QCOMPARE(more[i].meters, places[i].meters);
    }
  }

  void rowsWithoutRoomForASeatAreSkipped() {
    SpawnSettings settings{.formation = ck::Formation::Arcs,
                           .spacingMeters = 1e5,
                           .arcs = {.innerMeters = 0.0,
                                    .fromDegrees = 0.0,
                                    .toDegrees = 0.0,
                                    .stepMeters = 0.01,
                                    .aisles = 1000}};
    const auto places = ck::formationPlaces(settings, 5000);
    QCOMPARE(places.size(), std::size_t{5000});
    for (const ck::FormationPlace& place : places) {
      QVERIFY(std::isfinite(place.meters.x) && std::isfinite(place.riseMeters));
    }
  }

  void pathsAndCentresAreThoseThatAreSeen() {
    TwoCrowds crowds;
    SpawnSettings settings = crowds.project.crowds[1].spawn;
    settings.formation = ck::Formation::Path;
    settings.path = {{2.0f, 1.0f}, {9.0f, 5.0f}, {14.0f, 1.0f}};
    settings.count = 8;
    settings.varied = false;
    crowds.deal(crowds.north, settings);
    ck::mirrorCrowd(crowds.project, crowds.north, ck::MirrorAxis::X);
    const SpawnSettings& seen = crowds.project.crowds[1].spawn;
    QCOMPARE(seen.path[1], glm::vec2(-9.0f, 5.0f));
    QCOMPARE(seen.centerMeters, glm::dvec2(-30.0, -8.0));
    crowds.deal(crowds.north, seen);
    const std::vector<Actor> walkers = crowds.of(crowds.north);
    QVERIFY(std::abs(walkers[0].position.x + 2.0f) < 1e-4f);
    QVERIFY(std::abs(walkers[0].position.z - 1.0f) < 1e-4f);
    QVERIFY(walkers[1].rotationDegrees.y < 0.0f);  // to the left
    QCOMPARE(ck::crowdCenters(crowds.project)[0], crowds.project.crowds[0].spawn.centerMeters);
  }

  void allCrowdsTogetherStayWithinTheLimit() {
    TwoCrowds crowds;
    SpawnSettings settings = crowds.project.crowds[1].spawn;
    settings.count = 1'000'000;
    settings.formation = ck::Formation::Grid;
    crowds.deal(crowds.north, settings);
    QCOMPARE(ck::crowdSizes(crowds.project), (std::vector{9, 1'000'000 - 9}));
    const auto added = ck::addCrowd(crowds.project, "More");
    QVERIFY(added.has_value());
    crowds.deal(*added, crowds.project.crowds[2].spawn);
    QCOMPARE(ck::crowdSizes(crowds.project)[2], 0);
    QVERIFY(!ck::duplicateCrowd(crowds.project, crowds.north));
  }

  void seatsRiseAboveTheirGround() {
    TwoCrowds crowds;
    SpawnSettings settings = crowds.project.crowds[0].spawn;
    settings.formation = ck::Formation::Arcs;
    settings.count = 200;
    crowds.deal(0, settings);
    const auto places = ck::formationPlaces(settings, 200);
    const std::vector<Actor> seated = crowds.of(0);
    QVERIFY(places.back().riseMeters > 0.4);
    for (std::size_t i = 0; i < seated.size(); ++i) {
      QCOMPARE(seated[i].position.y, static_cast<float>(places[i].riseMeters));
    }
    // Without ground again, they keep their seats.
    QCOMPARE(ck::settleOnGround(crowds.project, 0, nullptr), 0);
    QVERIFY(crowds.of(0) == seated);
    // Also where one of them has left: the rows are told by the places.
    Actor gone = crowds.project.actors[0];
    gone.byHand = true;
    crowds.project.actors.set(0, gone);
    ck::settleOnGround(crowds.project, 0, nullptr);
    for (std::size_t i = 1; i < seated.size(); ++i) {
      QCOMPARE(crowds.of(0)[i].position.y, seated[i].position.y);
    }
  }
};

CK_TEST(tst_project_crowds)
#include "tst_project_crowds.moc"
