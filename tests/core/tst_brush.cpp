#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/project/actors/brush.h"
#include "core/stage/pipeline.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::BrushMode;
using ck::BrushSettings;
using ck::BrushStroke;
using ck::Project;

namespace {

double distance(const Actor& actor, const glm::dvec2& place) {
  return std::hypot(double(actor.position.x) - place.x, double(actor.position.z) - place.y);
}

// The bar with clips "Bend" and "Twist", `count` actors in a grid of 1 m.
struct Crowd {
  explicit Crowd(int count) {
    project.crowds.front().spawn.count = count;
    project.crowds.front().spawn.spacingMeters = 1.0;
    project.actors = ck::ActorList(ck::spawnCrowd(parts(), project.crowds.front().spawn));
  }
  std::vector<ck::SpawnPart> parts() const { return ck::spawnParts(project, cast); }
  BrushStroke stroke(const BrushSettings& settings, std::uint64_t number = 1,
                     const ck::GroundMeshPtr& ground = nullptr) const {
    return {project, settings, parts(), ground, number};
  }
  std::size_t inside(const glm::dvec2& place, double radius) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      count += distance(project.actors[i], place) <= radius ? 1 : 0;
    }
    return count;
  }

  ck::Character bar = ck::test::barCharacter();
  std::vector<ck::CharacterPtr> cast = {std::make_shared<ck::Character>(bar)};
  Project project = ck::newProjectFor(bar, {{"/show/bar.glb"}});
};

double nearestPair(const Project& project) {
  double nearest = 1e9;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    for (std::size_t j = i + 1; j < project.actors.size(); ++j) {
      const glm::vec3& other = project.actors[j].position;
      nearest = std::min(nearest, distance(project.actors[i], {other.x, other.z}));
    }
  }
  return nearest;
}

}  // namespace

class tst_brush : public QObject {
  Q_OBJECT

 private slots:
  void placesWhereThereIsRoom() {
    Crowd crowd(16);
    const std::vector<Actor> before = crowd.project.actors.toVector();
    BrushStroke stroke = crowd.stroke({.radiusMeters = 4.0, .spacingMeters = 0.9});
    for (int i = 0; i < 10; ++i) stroke.dab({i * 1.5, 0.0}, {1.0, 0.0});
    stroke.apply(crowd.project);
    const std::size_t count = crowd.project.actors.size();
    QCOMPARE(int(count), 16 + stroke.changed());
    QCOMPARE(crowd.project.crowds.front().spawn.count, int(count));
    QVERIFY(count > 100);
    for (std::size_t i = 0; i < 16; ++i) QVERIFY(crowd.project.actors[i] == before[i]);
    // Floats of some 10 m.
    QVERIFY(nearestPair(crowd.project) > 0.9 - 1e-5);
    for (std::size_t i = 16; i < count; ++i) {
      const Actor& actor = crowd.project.actors[i];
      QVERIFY(actor.byHand);
      QVERIFY(actor.clip == 0 || actor.clip == 1);
      QCOMPARE(actor.position.y, 0.0f);
      const double x = std::clamp(double(actor.position.x), 0.0, 13.5);
      QVERIFY(distance(actor, {x, 0.0}) <= 4.0 + 1e-5);
    }
    // Again over the same ground: it is full.
    BrushStroke again = crowd.stroke({.radiusMeters = 4.0, .spacingMeters = 0.9}, 2);
    for (int i = 0; i < 10; ++i) again.dab({i * 1.5, 0.0}, {1.0, 0.0});
    QVERIFY(again.changed() < stroke.changed() / 4);
  }

  void theSameStrokeGivesTheSameActorsAndAnotherNumberOthers() {
    const Crowd crowd(4);
    const BrushSettings settings{.radiusMeters = 3.0, .spacingMeters = 1.0};
    Project results[3] = {crowd.project, crowd.project, crowd.project};
    for (int i = 0; i < 3; ++i) {
      BrushStroke stroke = crowd.stroke(settings, i == 2 ? 8 : 7);
      stroke.dab({20.0, 20.0}, {});
      stroke.apply(results[i]);
    }
    QVERIFY(results[0].actors.size() > 10);
    QVERIFY(results[0] == results[1]);
    QVERIFY(!(results[0].actors == results[2].actors));
  }

  void strengthIsHowFullTheCircleBecomes() {
    std::size_t counts[2] = {};
    for (const int half : {0, 1}) {
      Crowd crowd(0);
      BrushStroke stroke = crowd.stroke(
          {.radiusMeters = 8.0, .strength = half == 1 ? 0.25 : 1.0, .spacingMeters = 1.0});
      for (int i = 0; i < 6; ++i) stroke.dab({0.0, 0.0}, {});
      stroke.apply(crowd.project);
      counts[half] = crowd.inside({0.0, 0.0}, 8.0);
    }
    // A square of the spacing for each actor would be 201.
    QVERIFY2(counts[0] > 110 && counts[0] < 201, qPrintable(QString::number(counts[0])));
    QVERIFY(std::abs(double(counts[1]) / double(counts[0]) - 0.25) < 0.12);
  }

  void aSmallBrushPlacesSingleActorsExactly() {
    Crowd crowd(0);
    BrushStroke stroke = crowd.stroke({.radiusMeters = 0.5, .spacingMeters = 1.6});
    stroke.dab({3.25, -7.5}, {});
    stroke.dab({3.5, -7.5}, {});
    stroke.apply(crowd.project);
    QCOMPARE(crowd.project.actors.size(), std::size_t{1});
    QCOMPARE(crowd.project.actors[0].position, glm::vec3(3.25f, 0.0f, -7.5f));
  }

  void placesTheChosenClipAndTheShares() {
    Crowd crowd(0);
    crowd.project.characters.push_back({.title = "other", .variantOf = 0});
    crowd.project.crowds.front().spawn.shares = {1.0, 3.0};
    const auto place = [&crowd](BrushSettings settings) {
      settings.radiusMeters = 12.0;
      settings.spacingMeters = 0.8;
      Project project = crowd.project;
      BrushStroke stroke = crowd.stroke(settings);
      stroke.dab({0.0, 0.0}, {});
      stroke.apply(project);
      return project.actors.toVector();
    };
    const auto byShares = place({});
    const auto others = std::ranges::count(byShares, 1, &Actor::character);
    QVERIFY(byShares.size() > 200);
    QVERIFY(std::abs(double(others) / double(byShares.size()) - 0.75) < 0.08);
    QVERIFY(std::ranges::count(byShares, 0, &Actor::clip) > 50);
    QVERIFY(std::ranges::count(byShares, 1, &Actor::clip) > 50);
    for (const Actor& actor : place({.character = 1, .clip = 1})) {
      QCOMPARE(actor.character, 1);
      QCOMPARE(actor.clip, 1);
    }
  }

  void erasesWhatIsInsideAndSelectionFollows() {
    Crowd crowd(100);
    crowd.project.desk.selected = {0, 44, 55, 99};
    const std::vector<Actor> before = crowd.project.actors.toVector();
    const std::size_t inside = crowd.inside({0.0, 0.0}, 2.2);
    QVERIFY(inside > 8);
    BrushStroke stroke = crowd.stroke({.mode = BrushMode::Erase, .radiusMeters = 2.2});
    stroke.dab({0.0, 0.0}, {});
    stroke.dab({0.1, 0.0}, {});
    stroke.dab({0.0, 0.0}, {});
    stroke.apply(crowd.project);
    QCOMPARE(crowd.inside({0.0, 0.0}, 2.2), std::size_t{0});
    std::vector<Actor> rest;
    for (const Actor& actor : before) {
      if (distance(actor, {0.0, 0.0}) > 2.2 && distance(actor, {0.1, 0.0}) > 2.2) {
        rest.push_back(actor);
      }
    }
    QVERIFY(crowd.project.actors.toVector() == rest);
    // 44 and 55 stand in the middle of the grid; the first and the last are corners.
    QCOMPARE(crowd.project.desk.selected, (std::vector<int>{0, int(rest.size()) - 1}));
    // A weaker brush leaves some, however often a stroke comes back.
    Crowd weak(400);
    BrushStroke thin =
        weak.stroke({.mode = BrushMode::Erase, .radiusMeters = 50.0, .strength = 0.3});
    for (int i = 0; i < 20; ++i) thin.dab({0.0, 0.0}, {});
    QVERIFY2(std::abs(thin.changed() - 120) < 30, qPrintable(QString::number(thin.changed())));
  }

  void turnsActorsTheWayOfTheStroke() {
    Crowd crowd(25);
    const std::vector<Actor> before = crowd.project.actors.toVector();
    BrushStroke stroke = crowd.stroke({.mode = BrushMode::Turn, .radiusMeters = 1.2});
    stroke.dab({0.0, 0.0}, {});  // no way yet
    QCOMPARE(stroke.changed(), 0);
    stroke.dab({0.0, 0.0}, {-3.0, 0.0});
    stroke.apply(crowd.project);
    int turned = 0;
    for (std::size_t i = 0; i < 25; ++i) {
      const Actor& actor = crowd.project.actors[i];
      QCOMPARE(actor.position, before[i].position);
      if (distance(actor, {0.0, 0.0}) > 1.2) {
        QVERIFY(actor == before[i]);
        continue;
      }
      // -X is a quarter to the right of +Z.
      QVERIFY(std::abs(actor.rotationDegrees.y + 90.0f) < 1e-4f);
      QVERIFY(actor.byHand);
      ++turned;
    }
    QCOMPARE(turned, 5);
    QCOMPARE(stroke.changed(), 5);
    // At half the strength, half the way, over the shorter side.
    Actor one;
    one.rotationDegrees.y = 170.0f;
    crowd.project.actors = ck::ActorList({one});
    BrushStroke half = crowd.stroke({.mode = BrushMode::Turn, .strength = 0.5});
    half.dab({0.0, 0.0}, {-1.0, -1.0});  // -135, which is 55 degrees on
    half.apply(crowd.project);
    QVERIFY(std::abs(crowd.project.actors[0].rotationDegrees.y - (197.5f - 360.0f)) < 1e-3f);
  }

  void variesWhatIsAskedAndNothingElse() {
    Crowd crowd(100);
    const std::vector<Actor> before = crowd.project.actors.toVector();
    BrushStroke stroke = crowd.stroke({.mode = BrushMode::Vary,
                                       .radiusMeters = 100.0,
                                       .varyOffset = true,
                                       .varyTint = false,
                                       .rateSpread = 0.0,
                                       .sizeSpread = 0.2});
    stroke.dab({0.0, 0.0}, {});
    stroke.dab({0.0, 0.0}, {});
    stroke.apply(crowd.project);
    QCOMPARE(stroke.changed(), 100);
    std::set<float> offsets;
    float least = 2.0f;
    float most = 0.0f;
    for (std::size_t i = 0; i < 100; ++i) {
      Actor actor = crowd.project.actors[i];
      offsets.insert(actor.offset);
      least = std::min(least, actor.scale);
      most = std::max(most, actor.scale);
      QVERIFY(actor.offset >= 0.0f && actor.offset < 1.0f);
      actor.offset = before[i].offset;
      actor.scale = before[i].scale;
      QVERIFY(actor == before[i]);
    }
    QVERIFY(offsets.size() > 95);
    QVERIFY(least >= 0.8f && least < 0.85f && most <= 1.2f && most > 1.15f);
  }

  void actorsArePlacedOnTheGroundMeshOnly() {
    ck::Mesh mesh;
    mesh.positions = {{0, 0, -5}, {0, 0, 5}, {5, 5, -5}, {5, 5, 5}};
    mesh.indices = {0, 1, 2, 2, 1, 3};
    ck::Character ramp;
    ramp.meshes.push_back(mesh);
    Crowd crowd(0);
    BrushStroke stroke = crowd.stroke({.radiusMeters = 4.0, .spacingMeters = 0.7}, 1,
                                      std::make_shared<ck::GroundMesh>(ramp, ck::Prop{}));
    for (int i = 0; i < 5; ++i) stroke.dab({0.0, 0.0}, {});
    stroke.apply(crowd.project);
    QVERIFY(crowd.project.actors.size() > 20);
    for (std::size_t i = 0; i < crowd.project.actors.size(); ++i) {
      const glm::vec3& at = crowd.project.actors[i].position;
      QVERIFY(at.x >= 0.0f);
      QVERIFY(std::abs(at.y - at.x) < 1e-5f);
    }
  }

  void erasesWhereActorsAreShown() {
    Crowd crowd(9);
    std::vector<glm::dvec2> shown(9, glm::dvec2(50.0, 0.0));
    shown[4] = {80.0, 0.0};
    BrushStroke stroke(crowd.project, {.mode = BrushMode::Erase, .radiusMeters = 5.0},
                       crowd.parts(), nullptr, 1, shown);
    stroke.dab({80.0, 0.0}, {});
    const Actor first = crowd.project.actors[0];
    const Actor last = crowd.project.actors[8];
    stroke.apply(crowd.project);
    QCOMPARE(crowd.project.actors.size(), std::size_t{8});
    QVERIFY(crowd.project.actors[0] == first);
    QVERIFY(crowd.project.actors[7] == last);
  }
};

CK_TEST(tst_brush)
#include "tst_brush.moc"
