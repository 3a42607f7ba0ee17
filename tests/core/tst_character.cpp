#include <QTest>
#include <functional>
#include <limits>

#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using Spoil = std::function<void(ck::Character&)>;
Q_DECLARE_METATYPE(Spoil)

class tst_character : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWhatBreaksAPromise_data() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    QTest::addColumn<Spoil>("spoil");
    const auto row = [](const char* name, Spoil spoil) { QTest::newRow(name) << spoil; };
    row("parent after child", [](auto& c) { c.rig.joints[0].parent = 1; });
    row("parent of itself", [](auto& c) { c.rig.joints[1].parent = 1; });
    row("joint names twice", [](auto& c) { c.rig.joints[1].name = c.rig.joints[0].name; });
    row("rest rotation not unit", [](auto& c) { c.rig.joints[1].rest.rotation *= 2.0; });
    row("skin joint out of range", [](auto& c) { c.rig.skinJoints[1].joint = 2; });
    row("skin joints not parents-first",
        [](auto& c) { std::swap(c.rig.skinJoints[0], c.rig.skinJoints[1]); });
    row("position not finite", [nan](auto& c) { c.meshes[0].positions[3].y = nan; });
    row("streams of unequal length", [](auto& c) { c.meshes[0].normals.pop_back(); });
    row("index out of range", [](auto& c) { c.meshes[0].indices[5] = 999; });
    row("half a triangle", [](auto& c) { c.meshes[0].indices.pop_back(); });
    row("influence of no joint", [](auto& c) { c.meshes[0].influences[0].skinJoint = 2; });
    row("weights that do not sum to 1", [](auto& c) { c.meshes[0].influences[0].weight = 0.5f; });
    row("vertex without influence", [](auto& c) { c.meshes[0].influenceStarts[1] = 0; });
    row("influences beyond the end", [](auto& c) { c.meshes[0].influenceStarts.back() += 1; });
    row("material out of range", [](auto& c) { c.meshes[0].material = 0; });
    row("keys not increasing", [](auto& c) { c.clips[0].jointTracks[0].rotation.times[1] = 0.0; });
    row("fewer values than keys",
        [](auto& c) { c.clips[0].jointTracks[0].rotation.values.pop_back(); });
    row("clip names twice", [](auto& c) { c.clips[1].name = c.clips[0].name; });
    row("negative length", [](auto& c) { c.clips[0].durationSeconds = -1.0; });
    row("track of no joint", [](auto& c) { c.clips[0].jointTracks[0].joint = 7; });
    row("morph track of no target", [](auto& c) { c.clips[0].morphTracks.push_back({}); });
    row("target with unsorted vertices", [](auto& c) {
      ck::MorphTarget target{"Smile", {3, 2}, {{}, {}}, {}, {}};
      c.meshes[0].morphTargets.push_back(target);
      c.meshes[0].defaultMorphWeights.push_back(0.0f);
    });
    row("picture of the wrong size", [](auto& c) { c.images.push_back({"p", 2, 2, {0}}); });
  }
  void rejectsWhatBreaksAPromise() {
    QFETCH(Spoil, spoil);
    ck::Character character = ck::test::barCharacter();
    QVERIFY(ck::validate(character).has_value());
    spoil(character);
    const auto verdict = ck::validate(character);
    QVERIFY(!verdict.has_value());
    QVERIFY(!verdict.error().message.empty());
    QCOMPARE(verdict.error().code, ck::ErrorCode::InvalidInput);
  }

  void scaledPosesAreScaledPoses() {
    const ck::Character bar = ck::test::barCharacter();
    const ck::Character tall = ck::scaled(bar, 2.5);
    QVERIFY(ck::validate(tall).has_value());
    const auto small = ck::skinMesh(bar.meshes[0], ck::skinMatricesAt(bar.rig, bar.clips[0], 0.4));
    const auto large =
        ck::skinMesh(tall.meshes[0], ck::skinMatricesAt(tall.rig, tall.clips[0], 0.4));
    for (std::size_t v = 0; v < small.positions.size(); ++v) {
      QVERIFY(glm::distance(small.positions[v] * 2.5, large.positions[v]) < 1e-6);
      QVERIFY(glm::distance(small.normals[v], large.normals[v]) < 1e-6);
    }
  }

  void boundsHoldEveryVertex() {
    const ck::Bounds bounds = ck::bindBounds(ck::test::barCharacter());
    QVERIFY(glm::distance(bounds.low, glm::dvec3(-0.15, 0.0, -0.15)) < 1e-6);
    QVERIFY(glm::distance(bounds.high, glm::dvec3(0.15, 2.0, 0.15)) < 1e-6);
  }

  void normalsFollowTheInverseTransposeUnderStretch() {
    const ck::Character bar = ck::test::barCharacter();
    const glm::dmat4 stretch = ck::toMatrix({.scale = {3.0, 1.0, 0.5}});
    const std::vector<glm::dmat4> skins(2, stretch);
    const auto posed = ck::skinMesh(bar.meshes[0], skins);
    for (std::size_t v = 0; v < posed.normals.size(); ++v) {
      const glm::dvec3 n(bar.meshes[0].normals[v]);
      const glm::dvec3 expected = glm::normalize(glm::dvec3(n.x / 3.0, n.y, n.z / 0.5));
      QVERIFY(glm::distance(posed.normals[v], expected) < 1e-6);
    }
  }

  void mirroredNormalsPointToTheFrontsOfTheFaces() {
    const ck::Character bar = ck::test::barCharacter();
    const std::vector<glm::dmat4> skins(2, ck::toMatrix({.scale = {-1.0, 1.0, 1.0}}));
    const auto posed = ck::skinMesh(bar.meshes[0], skins);
    const glm::dvec3 n(bar.meshes[0].normals[0]);
    // Mirroring turns the winding too, so the fronts of the faces look to the inside of the bar.
    QVERIFY(glm::distance(posed.normals[0], -glm::dvec3(-n.x, n.y, n.z)) < 1e-6);
  }

  void limitedInfluencesSumToOne() {
    const std::vector<ck::Influence> five = {
        {4, 0.4f}, {1, 0.3f}, {2, 0.15f}, {0, 0.1f}, {3, 0.05f}};
    for (const int limit : {1, 2, 4}) {
      const ck::LimitedInfluences kept = ck::limitInfluences(five, limit);
      float sum = 0.0f;
      int used = 0;
      for (const float weight : kept.weights) {
        sum += weight;
        used += weight > 0.0f ? 1 : 0;
      }
      QVERIFY(std::abs(sum - 1.0f) < 1e-6f);
      QCOMPARE(used, limit);
      QCOMPARE(kept.skinJoints[0], 4);
    }
  }

  void morphTargetsMoveBeforeSkinning() {
    ck::Character bar = ck::test::barCharacter();
    const std::uint32_t last = static_cast<std::uint32_t>(bar.meshes[0].positions.size() - 1);
    bar.meshes[0].morphTargets.push_back({"Up", {last}, {{0.0f, 0.5f, 0.0f}}, {}, {}});
    bar.meshes[0].defaultMorphWeights.push_back(0.0f);
    const std::vector<float> half = {0.5f};
    const auto skins = ck::skinMatricesAt(bar.rig, bar.clips[0], 0.5);
    const auto posed = ck::skinMesh(bar.meshes[0], skins, {.morphWeights = half});
    const glm::dvec3 bind(bar.meshes[0].positions.back());
    // 0.25 m further along the bar, which points to -X when bent.
    QVERIFY(glm::distance(posed.positions.back(), glm::dvec3(-1.25, 1.0 + bind.x, bind.z)) < 1e-6);
  }
};

CK_TEST(tst_character)
#include "tst_character.moc"
