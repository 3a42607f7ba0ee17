#include <QTest>
#include <array>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <map>
#include <random>
#include <set>

#include "core/anim/pose.h"
#include "core/detail/detail_levels.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/rigs.h"
#include "tests/support/surface_witness.h"
#include "tests/support/test_program.h"

namespace {

using Key = std::array<float, 3>;

Key keyOf(const glm::vec3& position) {
  return {position.x, position.y, position.z};
}

constexpr int kRings = 40;  // from pole to pole
constexpr int kSides = 24;

// A closed, uneven tube of 2 m along +Y with a seam of texture coordinates, smoothly bound to two
// joints. The clip bends it to both sides.
struct Tube {
  // Splits the triangles into two meshes with materials of their own, at this ring; 0: one mesh.
  int materialBorder = 0;
};

glm::vec3 tubePlace(int ring, int side) {
  const float along = static_cast<float>(ring) / kRings;
  const float angle = glm::two_pi<float>() * static_cast<float>(side % kSides) / kSides;
  const float bumps = 1.0f + 0.15f * std::sin(17.0f * along) + 0.05f * std::cos(3.0f * angle);
  const float radius = 0.2f * bumps * std::sqrt(std::sin(glm::pi<float>() * along));
  const bool isPole = ring == 0 || ring == kRings;
  const float x = isPole ? 0.0f : radius * std::cos(angle);
  const float z = isPole ? 0.0f : radius * std::sin(angle);
  return {x, 2.0f * along, z};
}

void addVertex(ck::Mesh& mesh, int ring, int side) {
  const glm::vec3 place = tubePlace(ring, side);
  mesh.positions.push_back(place);
  const glm::vec3 outwards(place.x, 0.5f * (place.y - 1.0f), place.z);
  mesh.normals.push_back(glm::normalize(outwards));
  mesh.uvs.emplace_back(static_cast<float>(side) / kSides, static_cast<float>(ring) / kRings);
  const float upper = glm::smoothstep(0.7f, 1.3f, place.y);
  if (upper < 1.0f) mesh.influences.push_back({0, 1.0f - upper});
  if (upper > 0.0f) mesh.influences.push_back({1, upper});
  if (upper > 0.5f && upper < 1.0f) std::swap(*(mesh.influences.end() - 2), mesh.influences.back());
  mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
}

ck::Mesh tubeMesh(const char* name, int fromRing, int toRing) {
  ck::Mesh mesh;
  mesh.name = name;
  mesh.influenceStarts.push_back(0);
  for (int ring = fromRing; ring <= toRing; ++ring) {
    for (int side = 0; side <= kSides; ++side) addVertex(mesh, ring, side);
  }
  for (int ring = fromRing; ring < toRing; ++ring) {
    for (int side = 0; side < kSides; ++side) {
      const auto a = static_cast<std::uint32_t>((ring - fromRing) * (kSides + 1) + side);
      const std::uint32_t b = a + kSides + 1;
      if (ring > 0) mesh.indices.insert(mesh.indices.end(), {a, b, a + 1});
      if (ring + 1 < kRings) mesh.indices.insert(mesh.indices.end(), {a + 1, b, b + 1});
    }
  }
  return mesh;
}

ck::Clip swing(int joint, const char* name, float radians, const ck::Trs& rest) {
  ck::Clip clip;
  clip.name = name;
  clip.durationSeconds = 1.0;
  ck::JointTracks tracks;
  tracks.joint = joint;
  for (int key = 0; key <= 20; ++key) {
    const float angle = radians * std::sin(glm::two_pi<float>() * static_cast<float>(key) / 20.0f);
    tracks.rotation.times.push_back(key / 20.0);
    tracks.rotation.values.push_back(glm::quat(rest.rotation) *
                                     glm::angleAxis(angle, glm::vec3(0.0f, 0.0f, 1.0f)));
  }
  clip.jointTracks.push_back(tracks);
  return clip;
}

ck::Character tube(const Tube& options = {}) {
  ck::Character tube;
  tube.name = "tube";
  ck::Joint root;
  root.name = "root";
  ck::Joint upper;
  upper.name = "upper";
  upper.parent = 0;
  upper.rest.translation = {0.0, 1.0, 0.0};
  tube.rig.joints = {root, upper};
  tube.rig.skinJoints = {{0, glm::dmat4(1.0)},
                         {1, ck::toMatrix({.translation = {0.0, -1.0, 0.0}})}};
  if (options.materialBorder > 0) {
    tube.materials = {{.name = "Lower"}, {.name = "Upper"}};
    tube.meshes = {tubeMesh("Lower", 0, options.materialBorder),
                   tubeMesh("Upper", options.materialBorder, kRings)};
    tube.meshes[0].material = 0;
    tube.meshes[1].material = 1;
  } else {
    tube.meshes = {tubeMesh("Tube", 0, kRings)};
  }
  tube.clips = {swing(1, "Bend", 1.2f, upper.rest)};
  return tube;
}

constexpr double kFingerRadians = 0.01;

// The tube with a ball of a finger at its top, bound to a joint that turns by a hundredth radian.
// `bindScale` is the size of the ball's vertices in bind space, undone by the inverse bind.
ck::Character withFinger(double bindScale) {
  ck::Character character = tube();
  ck::Joint finger;
  finger.name = "finger";
  finger.parent = 1;
  finger.rest.translation = {0.0, 1.0, 0.0};
  character.rig.joints.push_back(finger);
  const glm::dmat4 shrink = ck::toMatrix({.scale = glm::dvec3(1.0 / bindScale)});
  const glm::dmat4 down = ck::toMatrix({.translation = {0.0, -2.0, 0.0}});
  character.rig.skinJoints.push_back({2, down * shrink});
  ck::Mesh ball = tubeMesh("Finger", 0, kRings);
  ball.influences.assign(ball.positions.size(), {2, 1.0f});
  for (std::uint32_t v = 0; v <= ball.positions.size(); ++v) ball.influenceStarts[v] = v;
  const auto scale = static_cast<float>(bindScale);
  for (glm::vec3& place : ball.positions) {
    place = scale * (0.1f * place + glm::vec3(0.0f, 2.0f, 0.0f));
  }
  character.meshes.push_back(ball);
  const ck::Clip wag = swing(2, "Wag", static_cast<float>(kFingerRadians), finger.rest);
  character.clips[0].jointTracks.push_back(wag.jointTracks[0]);
  return character;
}

ck::DetailLevels levelsOf(const ck::Character& character, int threads = 0) {
  const auto shared = std::make_shared<const ck::Character>(character);
  ck::JobContext job;
  job.threadCount = threads;
  auto levels = ck::makeDetailLevels(shared, job);
  Q_ASSERT(levels.has_value());
  return *levels;
}

// How often each way along an edge is walked by triangles of all meshes, places being one where
// bind positions are equal.
std::map<std::pair<Key, Key>, int> walks(const ck::Character& character) {
  std::map<std::pair<Key, Key>, int> counts;
  for (const ck::Mesh& mesh : character.meshes) {
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const std::uint32_t from = mesh.indices[i + corner];
        const std::uint32_t to = mesh.indices[i + (corner + 1) % 3];
        ++counts[{keyOf(mesh.positions[from]), keyOf(mesh.positions[to])}];
      }
    }
  }
  return counts;
}

// Whether every edge is walked once in each direction.
bool isClosed(const ck::Character& character) {
  const auto counts = walks(character);
  return std::ranges::all_of(counts, [&](const auto& entry) {
    const auto back = counts.find({entry.first.second, entry.first.first});
    return entry.second == 1 && back != counts.end() && back->second == 1;
  });
}

// The influences of a vertex as they are compared.
std::map<int, float> weightsOf(const ck::Mesh& mesh, std::size_t vertex) {
  std::map<int, float> weights;
  for (const ck::Influence& influence : ck::influencesOf(mesh, vertex)) {
    weights[influence.skinJoint] += influence.weight;
  }
  return weights;
}

}  // namespace

class tst_detail_levels : public QObject {
  Q_OBJECT
 private slots:
  void levelsSaveTrianglesAndErrorsAscend() {
    const ck::Character whole = tube();
    const ck::DetailLevels detail = levelsOf(whole);
    QVERIFY(detail.levels.size() >= 4);
    QVERIFY(*detail.levels.front().character == whole);
    QCOMPARE(detail.levels.front().errorMeters, 0.0);
    for (std::size_t i = 0; i < detail.levels.size(); ++i) {
      const ck::DetailLevel& level = detail.levels[i];
      std::size_t triangles = 0;
      std::size_t vertices = 0;
      for (const ck::Mesh& mesh : level.character->meshes) {
        triangles += mesh.indices.size() / 3;
        vertices += mesh.positions.size();
        QVERIFY(ck::maxInfluences(mesh) <= level.influences);
      }
      QCOMPARE(level.triangles, triangles);
      QCOMPARE(level.vertices, vertices);
      QVERIFY(level.influences == 1 || level.influences == 2 || level.influences == 4);
      const auto verdict = ck::validate(*level.character);
      QVERIFY2(verdict, verdict ? "" : verdict.error().message.c_str());
      qInfo("level %zu: %zu triangles, %.2f mm, %d influences", i, triangles,
            level.errorMeters * 1000.0, level.influences);
      if (i == 0) continue;
      QVERIFY(level.errorMeters > detail.levels[i - 1].errorMeters);
      QVERIFY(4 * level.triangles <= 3 * detail.levels[i - 1].triangles);
      QVERIFY(level.character->rig == whole.rig);
      QVERIFY(level.character->clips.empty());
    }
  }

  void verticesAreThoseOfTheWhole() {
    const ck::Character whole = tube({.materialBorder = 16});
    using Look = std::array<float, 8>;
    std::set<Look> looks[2];
    const auto lookOf = [](const ck::Mesh& mesh, std::size_t v) {
      const glm::vec3& p = mesh.positions[v];
      const glm::vec3& n = mesh.normals[v];
      return Look{p.x, p.y, p.z, n.x, n.y, n.z, mesh.uvs[v].x, mesh.uvs[v].y};
    };
    for (std::size_t m = 0; m < 2; ++m) {
      const ck::Mesh& mesh = whole.meshes[m];
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) looks[m].insert(lookOf(mesh, v));
    }
    for (const ck::DetailLevel& level : levelsOf(whole).levels) {
      QCOMPARE(level.character->meshes.size(), whole.meshes.size());
      for (std::size_t m = 0; m < 2; ++m) {
        const ck::Mesh& mesh = level.character->meshes[m];
        QCOMPARE(mesh.name, whole.meshes[m].name);
        QCOMPARE(mesh.material, whole.meshes[m].material);
        QVERIFY(!mesh.indices.empty());
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
          QVERIFY(looks[m].contains(lookOf(mesh, v)));
          double sum = 0.0;
          for (const auto& [joint, weight] : weightsOf(mesh, v)) sum += weight;
          QVERIFY(std::abs(sum - 1.0) < 1e-6);
        }
      }
    }
  }

  // The witness tries every vertex against every triangle, in double, at moments of its own.
  void errorIsThatOfAWitness_data() {
    QTest::addColumn<ck::Character>("character");
    QTest::newRow("tube") << tube();
    QTest::newRow("two materials") << tube({.materialBorder = 16});
    QTest::newRow("finger") << withFinger(1.0);
    QTest::newRow("finger bound in centimetres") << withFinger(100.0);
  }
  void errorIsThatOfAWitness() {
    QFETCH(ck::Character, character);
    const ck::DetailLevels detail = levelsOf(character);
    for (std::size_t i = 1; i < detail.levels.size(); ++i) {
      const ck::DetailLevel& level = detail.levels[i];
      // Few moments where there are many triangles, so that this ends soon.
      const int moments = level.triangles > 400 ? 12 : 60;
      const double seen = ck::test::farthestFrom(*level.character, character, moments);
      qInfo("level %zu: stated %.3f mm, seen %.3f mm", i, level.errorMeters * 1000.0,
            seen * 1000.0);
      QVERIFY(seen <= 1.03 * level.errorMeters);
      QVERIFY(seen >= 0.7 * level.errorMeters);
    }
  }

  void aClosedSurfaceStaysClosed_data() {
    QTest::addColumn<int>("materialBorder");
    QTest::newRow("seam of texture coordinates") << 0;
    QTest::newRow("border of materials") << 16;
  }
  void aClosedSurfaceStaysClosed() {
    QFETCH(int, materialBorder);
    const ck::Character whole = tube({.materialBorder = materialBorder});
    QVERIFY(isClosed(whole));
    ck::Character torn = whole;
    torn.meshes[0].indices.resize(torn.meshes[0].indices.size() - 3);
    QVERIFY(!isClosed(torn));
    for (const ck::DetailLevel& level : levelsOf(whole).levels) {
      QVERIFY(isClosed(*level.character));
      // A surface that is closed in bind space stays so in poses if both sides are bound alike.
      std::map<Key, std::map<int, float>> bound;
      for (const ck::Mesh& mesh : level.character->meshes) {
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
          const auto weights = weightsOf(mesh, v);
          QVERIFY(bound.emplace(keyOf(mesh.positions[v]), weights).first->second == weights);
        }
      }
    }
  }

  void trianglesStayOnTheirSideOfASeam() {
    const ck::DetailLevels detail = levelsOf(tube());
    int tried = 0;
    for (const ck::DetailLevel& level : detail.levels) {
      // With fewer triangles, smoothing the seam over can be the better choice.
      if (level.triangles < 200) continue;
      ++tried;
      const ck::Mesh& mesh = level.character->meshes[0];
      for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        float low = 1.0f;
        float high = 0.0f;
        bool hasPole = false;
        for (std::size_t corner = 0; corner < 3; ++corner) {
          const glm::vec2& uv = mesh.uvs[mesh.indices[i + corner]];
          low = std::min(low, uv.x);
          high = std::max(high, uv.x);
          hasPole = hasPole || uv.y <= 0.0f || uv.y >= 1.0f;
        }
        // A triangle with corners on both sides of the seam spans nearly the whole texture.
        QVERIFY(hasPole || high - low < 0.7f);
      }
    }
    QVERIFY(tried >= 4);
  }

  void aJointThatHardlyMovesIsCollapsed() {
    const ck::DetailLevels detail = levelsOf(withFinger(1.0));
    const double moves = kFingerRadians * 0.2;  // the height of the ball above its joint
    QCOMPARE(detail.levels.front().collapsedJoints, 0);
    QVERIFY(detail.levels.back().errorMeters > 2.0 * moves);
    for (const ck::DetailLevel& level : detail.levels) {
      const ck::Mesh& ball = level.character->meshes.back();
      const bool follows = std::ranges::any_of(
          ball.influences, [](const ck::Influence& each) { return each.skinJoint == 2; });
      QCOMPARE(level.collapsedJoints, follows ? 0 : 1);
      QCOMPARE(level.character->rig.skinJoints.size(), std::size_t{3});
      if (level.errorMeters > 2.0 * moves) QVERIFY(!follows);
    }
  }

  void aJointCollapsesOnlyIntoABindPoseThatFits() {
    ck::Character character = withFinger(100.0);
    for (const ck::DetailLevel& level : levelsOf(character).levels) {
      QCOMPARE(level.collapsedJoints, 0);
    }
    // A second bind pose of the parent, in the ball's units.
    const glm::dmat4 shrink = ck::toMatrix({.scale = glm::dvec3(0.01)});
    character.rig.skinJoints.push_back({1, character.rig.skinJoints[1].inverseBind * shrink});
    QVERIFY(ck::validate(character));
    const ck::DetailLevel coarsest = levelsOf(character).levels.back();
    QCOMPARE(coarsest.collapsedJoints, 1);
    for (const ck::Influence& each : coarsest.character->meshes.back().influences) {
      QCOMPARE(each.skinJoint, 3);
    }
  }

  void rigidVerticesNeedOneInfluence() {
    ck::Character character = tube();
    ck::Mesh& mesh = character.meshes[0];
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      mesh.influenceStarts[v + 1] = static_cast<std::uint32_t>(v + 1);
    }
    mesh.influences.assign(mesh.positions.size(), {1, 1.0f});
    const ck::DetailLevels detail = levelsOf(character);
    QVERIFY(detail.levels.size() > 1);
    for (const ck::DetailLevel& level : detail.levels) QCOMPARE(level.influences, 1);
  }

  // Many weak influences, none of which bends anything far.
  void weakInfluencesAreDropped() {
    ck::Character character = tube();
    for (int j = 0; j < 3; ++j) {
      ck::Joint joint;
      joint.name = "weak" + std::to_string(j);
      joint.parent = 0;
      character.rig.joints.push_back(joint);
      character.rig.skinJoints.push_back({2 + j, glm::dmat4(1.0)});
    }
    ck::Mesh& mesh = character.meshes[0];
    mesh.influences.clear();
    mesh.influenceStarts = {0};
    for (const glm::vec3& place : mesh.positions) {
      const int main = place.y > 1.0f ? 1 : 0;
      mesh.influences.push_back({main, 0.97f});
      for (int j = 0; j < 3; ++j) mesh.influences.push_back({2 + j, 0.01f});
      mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    }
    character.clips[0] = swing(1, "Sway", 0.02f, character.rig.joints[1].rest);
    QVERIFY(ck::validate(character));
    const ck::DetailLevels detail = levelsOf(character);
    QCOMPARE(detail.levels.front().influences, 4);
    QCOMPARE(detail.levels.back().influences, 1);
    QVERIFY(ck::test::farthestFrom(*detail.levels.back().character, character, 40) <=
            1.03 * detail.levels.back().errorMeters);
  }

  void resultsDoNotDependOnThreads() {
    const ck::Character character = withFinger(1.0);
    const ck::DetailLevels one = levelsOf(character, 1);
    const ck::DetailLevels four = levelsOf(character, 4);
    QCOMPARE(one.levels.size(), four.levels.size());
    for (std::size_t i = 0; i < one.levels.size(); ++i) {
      QVERIFY(*one.levels[i].character == *four.levels[i].character);
      QCOMPARE(one.levels[i].errorMeters, four.levels[i].errorMeters);
    }
  }

  void defaultMorphWeightsAreApplied() {
    ck::Character character = tube();
    ck::Mesh& mesh = character.meshes[0];
    ck::MorphTarget wide;
    wide.name = "Aside";
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
      wide.vertices.push_back(v);
      wide.positionDeltas.emplace_back(0.5f, 0.0f, 0.0f);
    }
    mesh.morphTargets = {wide};
    mesh.defaultMorphWeights = {0.5f};
    const ck::DetailLevels plain = levelsOf(tube());
    const ck::DetailLevels morphed = levelsOf(character);
    QCOMPARE(morphed.levels[0].character->meshes[0].morphTargets.size(), std::size_t{1});
    std::set<Key> moved;
    for (const glm::vec3& place : mesh.positions)
      moved.insert(keyOf(place + glm::vec3(0.25f, 0, 0)));
    for (std::size_t i = 1; i < morphed.levels.size(); ++i) {
      const ck::Mesh& level = morphed.levels[i].character->meshes[0];
      QVERIFY(level.morphTargets.empty());
      QVERIFY(level.defaultMorphWeights.empty());
      for (const glm::vec3& place : level.positions) QVERIFY(moved.contains(keyOf(place)));
    }
    QVERIFY(morphed.levels.size() + 1 >= plain.levels.size());
  }

  void whatCannotBeSimplifiedHasItselfAlone() {
    const auto bar = std::make_shared<const ck::Character>(ck::test::barCharacter());
    const auto detail = ck::makeDetailLevels(bar);
    QVERIFY(detail);
    QCOMPARE(detail->levels.size(), std::size_t{1});
    QCOMPARE(detail->levels.front().character, bar);
    const auto nothing = ck::makeDetailLevels(std::make_shared<const ck::Character>());
    QVERIFY(nothing);
    QCOMPARE(nothing->levels.size(), std::size_t{1});
    QCOMPARE(nothing->levels.front().triangles, std::size_t{0});
  }

  void aCharacterWithoutClipsHasLevelsOfItsRest() {
    ck::Character still = tube();
    still.clips.clear();
    const ck::DetailLevels detail = levelsOf(still);
    QVERIFY(detail.levels.size() > 2);
    const ck::DetailLevels bending = levelsOf(tube());
    QVERIFY(detail.levels.back().errorMeters < bending.levels.back().errorMeters);
  }

  void aStoppedJobLeavesNothing() {
    std::stop_source source;
    ck::JobContext job;
    job.stop = source.get_token();
    const auto character = std::make_shared<const ck::Character>(tube());
    job.report = [&source](float fraction, std::string_view) {
      if (fraction > 0.3f) source.request_stop();
    };
    const auto stopped = ck::makeDetailLevels(character, job);
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().code, ck::ErrorCode::Cancelled);
  }

  void aPoseThatIsNotFiniteIsNamed() {
    ck::Character character = tube();
    character.rig.joints[0].preTransform = ck::toMatrix({.scale = glm::dvec3(100.0)});
    ck::JointTracks far;
    far.joint = 0;
    far.translation.times = {0.5};
    far.translation.values = {glm::vec3(3e38f, 0.0f, 0.0f)};
    character.clips[0].jointTracks.push_back(far);
    QVERIFY(ck::validate(character));
    const auto levels = ck::makeDetailLevels(std::make_shared<const ck::Character>(character));
    QVERIFY(!levels);
    QCOMPARE(levels.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY(levels.error().message.find("'Bend'") != std::string::npos);
  }
};

CK_TEST(tst_detail_levels)
#include "tst_detail_levels.moc"
