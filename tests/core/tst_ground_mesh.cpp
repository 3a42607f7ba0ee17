#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/project/actors/respawn.h"
#include "core/project/ground_mesh.h"
#include "core/stage/pipeline.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::GroundMesh;

namespace {

using Height = std::function<double(double x, double z)>;

// A square of 2 * `half` metres a side with `cells` cells, as high as a function says.
ck::Character surface(const Height& height, double half, int cells) {
  ck::Mesh mesh;
  const auto at = [&](int i) { return (2.0 * i / cells - 1.0) * half; };
  for (int z = 0; z <= cells; ++z) {
    for (int x = 0; x <= cells; ++x) {
      mesh.positions.emplace_back(at(x), height(at(x), at(z)), at(z));
    }
  }
  const auto index = [cells](int x, int z) { return std::uint32_t(z * (cells + 1) + x); };
  for (int z = 0; z < cells; ++z) {
    for (int x = 0; x < cells; ++x) {
      for (const std::uint32_t corner : {index(x, z), index(x, z + 1), index(x + 1, z),
                                         index(x + 1, z), index(x, z + 1), index(x + 1, z + 1)}) {
        mesh.indices.push_back(corner);
      }
    }
  }
  ck::Character character;
  character.meshes.push_back(mesh);
  return character;
}

double slope(double x, double z) {
  return 0.3 * x - 0.2 * z + 1.0;
}

double wave(double x, double z) {
  return std::sin(x * 0.7) * std::cos(z * 0.5);
}

}  // namespace

class tst_ground_mesh : public QObject {
  Q_OBJECT

 private slots:
  // A plane is met exactly wherever its triangles meet.
  void planesAreExactEverywhere() {
    const GroundMesh ground(surface(slope, 10.0, 20), {});
    for (double z = -10.0; z <= 10.0; z += 0.25) {
      for (double x = -10.0; x <= 10.0; x += 0.25) {
        const auto height = ground.heightAt({x, z});
        QVERIFY2(height, qPrintable(QString("%1 %2").arg(x).arg(z)));
        QVERIFY(std::abs(*height - slope(x, z)) < 1e-5);
      }
    }
    QVERIFY(!ground.heightAt({10.01, 0.0}));
    QVERIFY(!ground.heightAt({0.0, -1e9}));
  }

  void wavesAreAsHighAsTheirFormula() {
    const GroundMesh ground(surface(wave, 10.0, 200), {});
    for (int i = 0; i < 500; ++i) {
      const double x = std::sin(i * 1.7) * 9.9;
      const double z = std::cos(i * 2.3) * 9.9;
      // Cells of 0.1 m bend by less than curvature * size^2 / 8.
      QVERIFY(std::abs(*ground.heightAt({x, z}) - wave(x, z)) < 0.002);
    }
  }

  void propsArePlacedAsTheyAreDrawn() {
    const ck::Prop prop{
        .source = {}, .position = {5.0f, 2.0f, -3.0f}, .yawDegrees = 90.0f, .scale = 2.0f};
    const GroundMesh ground(surface(slope, 1.0, 4), prop);
    // By 90 degrees about y, +Z comes to +X and +X to -Z.
    for (const glm::dvec2 own : {glm::dvec2(0.0), {0.7, 0.1}, {-0.4, 0.9}, {0.99, -0.99}}) {
      const glm::dvec2 world(5.0 + 2.0 * own.y, -3.0 - 2.0 * own.x);
      QVERIFY(std::abs(*ground.heightAt(world) - (2.0 + 2.0 * slope(own.x, own.y))) < 1e-5);
    }
    QVERIFY(!ground.heightAt({5.0 + 2.1, -3.0}));
  }

  void theHighestSurfaceCountsAndWallsDoNot() {
    ck::Character floors = surface([](double, double) { return 0.0; }, 4.0, 2);
    const ck::Character upper = surface([](double, double) { return 3.0; }, 1.0, 1);
    floors.meshes.push_back(upper.meshes[0]);
    ck::Mesh wall;
    wall.positions = {{2, 0, -1}, {2, 9, -1}, {2, 9, 1}};
    wall.indices = {0, 1, 2};
    floors.meshes.push_back(wall);
    const GroundMesh ground(floors, {});
    QCOMPARE(*ground.heightAt({0.5, 0.5}), 3.0);
    QCOMPARE(*ground.heightAt({1.5, 0.5}), 0.0);
    QCOMPARE(*ground.heightAt({2.0, 0.0}), 0.0);
  }

  void beside_ItsNearestEdgeCounts() {
    const GroundMesh ground(surface(slope, 10.0, 13), {});
    for (const glm::dvec2 place :
         {glm::dvec2(14.0, 3.0), {-12.0, -30.0}, {0.0, 11.0}, {500, 500}}) {
      const glm::dvec2 edge = glm::clamp(place, glm::dvec2(-10.0), glm::dvec2(10.0));
      QVERIFY(std::abs(ground.nearestHeight(place) - slope(edge.x, edge.y)) < 1e-4);
    }
    QCOMPARE(GroundMesh(ck::Character{}, {}).nearestHeight({1.0, 1.0}), 0.0);
    QVERIFY(!GroundMesh(ck::Character{}, {}).heightAt({0.0, 0.0}));
    QVERIFY(!GroundMesh(ck::Character{}, {}).hit({0, 5, 0}, {0, -1, 0}));
  }

  // In holes, too: two strips with a gap of 6 m between.
  void holesTakeTheNearestSide() {
    ck::Character strips = surface([](double, double) { return 1.0; }, 1.0, 30);
    ck::Mesh other = surface([](double, double) { return 5.0; }, 1.0, 30).meshes[0];
    for (glm::vec3& position : other.positions) position.x += 8.0f;
    strips.meshes.push_back(other);
    const GroundMesh ground(strips, {});
    QVERIFY(!ground.heightAt({4.0, 0.0}));
    QCOMPARE(ground.nearestHeight({3.5, 0.2}), 1.0);
    QCOMPARE(ground.nearestHeight({4.5, 0.2}), 5.0);
  }

  // Every one of them lies over the whole ground.
  void stacksOfLargeTrianglesAreSorted() {
    ck::Mesh mesh;
    for (int i = 0; i < 100'000; ++i) {
      const float y = 1e-3f * static_cast<float>(i % 50'000);
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      mesh.positions.insert(mesh.positions.end(), {{-50, y, -50}, {50, y, -50}, {-50, y, 50}});
      for (const std::uint32_t corner : {0u, 1u, 2u}) mesh.indices.push_back(first + corner);
    }
    ck::Character stack;
    stack.meshes.push_back(mesh);
    const GroundMesh ground(stack, {});
    const double top = static_cast<double>(1e-3f * 49'999.0f);
    QCOMPARE(*ground.heightAt({-10.0, 3.0}), top);
    QVERIFY(!ground.heightAt({30.0, 30.0}));
    QCOMPARE(ground.nearestHeight({30.0, 30.0}), top);
    QVERIFY(std::abs(ground.hit({-10.0, 90.0, 3.0}, {0.0, -1.0, 0.0})->y - top) < 1e-9);
  }

  // The witness looks at finely divided edges of all cells.
  void placesFarOutsideTakeTheNearestPoint() {
    const int cells = 60;
    const double half = 10.0;
    const GroundMesh ground(surface(wave, half, cells), {});
    std::vector<glm::dvec3> edge;  // the outer one, which is nearest from outside
    for (int i = 0; i < cells; ++i) {
      for (int part = 0; part <= 20; ++part) {
        const auto at = [&](int cell) { return (2.0 * cell / cells - 1.0) * half; };
        const double along = at(i) + (at(i + 1) - at(i)) * part / 20.0;
        for (const double side : {-half, half}) {
          const auto between = [&](auto height) {
            return height(at(i)) + (height(at(i + 1)) - height(at(i))) * part / 20.0;
          };
          edge.emplace_back(along, between([&](double x) { return wave(x, side); }), side);
          edge.emplace_back(side, between([&](double z) { return wave(side, z); }), along);
        }
      }
    }
    for (int i = 0; i < 300; ++i) {
      const double far = std::pow(10.0, 1.2 + 0.01 * i);
      const glm::dvec2 place(std::sin(i * 1.3) * far * 1.5, std::cos(i * 0.9) * far * 1.5);
      if (std::max(std::abs(place.x), std::abs(place.y)) <= half) continue;
      const auto apart = [&](const glm::dvec3& point) {
        return glm::distance(glm::dvec2(point.x, point.z), place);
      };
      const glm::dvec3 nearest = *std::ranges::min_element(edge, {}, apart);
      // The witness' points are 1/60 m apart, and the surface is not steeper than 1.
      QVERIFY2(std::abs(ground.nearestHeight(place) - nearest.y) < 0.02,
               qPrintable(QString("%1 %2").arg(place.x).arg(place.y)));
    }
  }

  void raysMeetThePlaneWhereTheFormulaSays() {
    const GroundMesh ground(surface(slope, 10.0, 17), {});
    for (int i = 0; i < 400; ++i) {
      const glm::dvec3 origin(std::sin(i * 1.1) * 20.0, 12.0, std::cos(i * 0.7) * 20.0);
      const glm::dvec3 aim(std::sin(i * 2.9) * 9.5, 0.0, std::cos(i * 3.7) * 9.5);
      const glm::dvec3 target(aim.x, slope(aim.x, aim.z), aim.z);
      const auto hit = ground.hit(origin, (target - origin) * 0.37);
      // The plane is met once, from above.
      if (origin.y <= slope(origin.x, origin.z)) continue;
      QVERIFY(hit);
      QVERIFY(glm::length(*hit - target) < 1e-3);
    }
    QVERIFY(ground.hit({3.0, 50.0, 4.0}, {0.0, -2.0, 0.0}));
    QVERIFY(std::abs(ground.hit({3.0, 50.0, 4.0}, {0.0, -2.0, 0.0})->y - slope(3.0, 4.0)) < 1e-5);
    QVERIFY(!ground.hit({30.0, 50.0, 4.0}, {0.0, -2.0, 0.0}));
    QVERIFY(!ground.hit({0.0, 50.0, 0.0}, {0.0, 1.0, 0.0}));
    QVERIFY(!ground.hit({0.0, 50.0, 0.0}, {1.0, 1.0, 0.0}));
  }

  void theNearestOfTwoHitsCounts() {
    ck::Character floors = surface([](double, double) { return 0.0; }, 8.0, 9);
    floors.meshes.push_back(surface([](double, double) { return 2.0; }, 1.0, 3).meshes[0]);
    const GroundMesh ground(floors, {});
    QCOMPARE(ground.hit({0.0, 5.0, 0.0}, {0.0, -1.0, 0.0})->y, 2.0);
    QCOMPARE(ground.hit({-6.0, 6.0, 0.0}, {1.5, -1.0, 0.0})->y, 2.0);
    QCOMPARE(ground.hit({-6.0, 3.0, 0.0}, {1.0, -1.0, 0.0})->y, 0.0);
  }

  void dealtActorsStandOnTheSurface() {
    const ck::Character bar = ck::test::barCharacter();
    const std::vector<ck::CharacterPtr> cast = {std::make_shared<ck::Character>(bar)};
    ck::Project project = ck::newProjectFor(bar, {{"/show/bar.glb"}});
    const GroundMesh ground(surface(wave, 6.0, 120), {});
    ck::SpawnSettings settings = project.crowds.front().spawn;
    settings.count = 160;
    settings.formation = ck::Formation::Disc;
    settings.spacingMeters = 1.0;
    settings.groundProp = 0;
    const auto result = ck::respawn(project, 0, settings, ck::spawnParts(project, cast), &ground);
    int beside = 0;
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      const glm::dvec3 at(project.actors[i].position);
      if (std::max(std::abs(at.x), std::abs(at.z)) > 6.0) {
        ++beside;
        const double x = std::clamp(at.x, -6.0, 6.0);
        QVERIFY(std::abs(at.y - wave(x, std::clamp(at.z, -6.0, 6.0))) < 0.01);
      } else {
        QVERIFY(std::abs(at.y - wave(at.x, at.z)) < 0.01);
      }
      QCOMPARE(project.actors[i].rotationDegrees.x, 0.0f);
    }
    QVERIFY(beside > 0);
    QCOMPARE(result.beside, beside);
    // The prop sinks; who is placed by hand does not.
    ck::Actor mine = project.actors[0];
    mine.byHand = true;
    project.actors.set(0, mine);
    const GroundMesh lower(surface(wave, 6.0, 120),
                           {.source = {}, .position = {0.0f, -2.0f, 0.0f}});
    const float before = project.actors[1].position.y;
    QCOMPARE(ck::settleOnGround(project, 0, &lower), beside);
    QVERIFY(project.actors[0] == mine);
    QVERIFY(std::abs(project.actors[1].position.y - (before - 2.0f)) < 1e-5f);
  }

  void theGroundFollowsWhatIsRemovedBeforeIt() {
    ck::Project project;
    project.props.resize(3);
    project.crowds.front().spawn.groundProp = 2;
    ck::removeProp(project, 0);
    QCOMPARE(project.crowds.front().spawn.groundProp, 1);
    QCOMPARE(project.props.size(), std::size_t{2});
    ck::removeProp(project, 1);
    QCOMPARE(project.crowds.front().spawn.groundProp, -1);
  }
};

CK_TEST(tst_ground_mesh)
#include "tst_ground_mesh.moc"
