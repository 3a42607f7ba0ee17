#include <QTest>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/import/skin_scale.h"
#include "core/skinning/cpu_skinning.h"
#include "core/stage/character_stage.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

namespace {

// The mesh and its bind matrices in units that are `factor` metres: the same picture, by the
// definition of skinning.
void bindInUnits(ck::Character& character, double factor) {
  for (ck::SkinJoint& skinJoint : character.rig.skinJoints) {
    skinJoint.inverseBind = skinJoint.inverseBind * ck::toMatrix({.scale = glm::dvec3(factor)});
  }
  for (ck::Mesh& mesh : character.meshes) {
    for (glm::vec3& position : mesh.positions) position /= static_cast<float>(factor);
    for (ck::MorphTarget& target : mesh.morphTargets) {
      for (glm::vec3& delta : target.positionDeltas) delta /= static_cast<float>(factor);
    }
  }
}

// The swinging limb with a morph target.
ck::Character limb() {
  ck::Character character = ck::test::swingingLimb();
  ck::Mesh& mesh = character.meshes[0];
  mesh.morphTargets.push_back({"Swell", {3, 40}, {{0.1f, 0, 0}, {0, 0.05f, 0.2f}}, {}, {}});
  mesh.defaultMorphWeights = {0.0f};
  return character;
}

// A second mesh of one vertex for each of the skin joints, which are bound in units of `factor`.
void addMesh(ck::Character& character, const std::vector<int>& joints, double factor) {
  ck::Mesh mesh;
  mesh.name = "Mesh " + std::to_string(character.meshes.size());
  mesh.influenceStarts = {0};
  for (const int joint : joints) {
    ck::SkinJoint own = character.rig.skinJoints[static_cast<std::size_t>(joint)];
    own.inverseBind = own.inverseBind * ck::toMatrix({.scale = glm::dvec3(factor)});
    const glm::dvec3 place = ck::pivotOf(own) + glm::dvec3(0.1 / factor, 0.0, 0.0);
    mesh.positions.emplace_back(place);
    mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
    mesh.influences.push_back({static_cast<int>(character.rig.skinJoints.size()), 1.0f});
    mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    character.rig.skinJoints.push_back(own);
  }
  character.meshes.push_back(mesh);
}

ck::Character folded(ck::Character character) {
  ck::foldSkinScale(character);
  return character;
}

// The largest distance of a vertex, in metres, and of a normal between two characters over moments
// of all clips, morphed.
struct Apart {
  double positions = 0.0;
  double normals = 0.0;
};
Apart apart(const ck::Character& a, const ck::Character& b) {
  Apart most;
  for (std::size_t clip = 0; clip < a.clips.size(); ++clip) {
    for (int step = 0; step <= 20; ++step) {
      const double time = a.clips[clip].startSeconds + a.clips[clip].durationSeconds * step / 20.0;
      for (std::size_t m = 0; m < a.meshes.size(); ++m) {
        const auto posed = [&](const ck::Character& character) {
          const std::vector<float> weights(character.meshes[m].morphTargets.size(), 0.7f);
          return ck::skinMesh(character.meshes[m],
                              ck::skinMatricesAt(character.rig, character.clips[clip], time),
                              {.morphWeights = weights});
        };
        const ck::SkinnedMesh one = posed(a);
        const ck::SkinnedMesh other = posed(b);
        for (std::size_t v = 0; v < one.positions.size(); ++v) {
          most.positions =
              std::max(most.positions, glm::distance(one.positions[v], other.positions[v]));
          most.normals = std::max(most.normals, glm::distance(one.normals[v], other.normals[v]));
        }
      }
    }
  }
  return most;
}

// The largest difference from 1 of an axis of a skin matrix at rest.
double scaleLeft(const ck::Character& character) {
  double most = 0.0;
  for (const glm::dmat4& skin : ck::skinMatrices(character.rig, ck::restMatrices(character.rig))) {
    for (int axis = 0; axis < 3; ++axis) {
      most = std::max(most, std::abs(glm::length(glm::dvec3(skin[axis])) - 1.0));
    }
  }
  return most;
}

double bakedErrorMm(const ck::Character& character, ck::Encoding encoding) {
  ck::BakeSettings settings;
  settings.encoding = encoding;
  const auto baked = ck::bake(character, settings);
  return baked ? ck::measureBakeError(character, baked->atlas)->palette.vertices.max : 1e9;
}

}  // namespace

class tst_skin_scale : public QObject {
  Q_OBJECT
 private slots:
  void everyPoseStaysWhereItIs_data() {
    QTest::addColumn<double>("factor");
    QTest::newRow("a mesh in metres on an armature in centimetres") << 100.0;
    QTest::newRow("the other way round") << 0.01;
    QTest::newRow("inches") << 0.0254;
  }
  void everyPoseStaysWhereItIs() {
    QFETCH(double, factor);
    ck::Character before = limb();
    bindInUnits(before, factor);
    QVERIFY(scaleLeft(before) > 0.5);
    const ck::Character after = folded(before);
    QVERIFY(ck::validate(after));
    QVERIFY(scaleLeft(after) < 1e-9);
    QVERIFY(std::abs(after.meshes[0].bindScale - factor) < 1e-9 * factor);
    QVERIFY(ck::test::hasNote(after.notes, "MeshesRescaled", "1 of 1 meshes"));
    const Apart moved = apart(before, after);
    QVERIFY2(moved.positions < 1e-6, qPrintable(QString::number(moved.positions)));
    QVERIFY(moved.normals < 1e-6);
    // All else is the file's.
    QVERIFY(after.clips == before.clips);
    QVERIFY(after.rig.joints == before.rig.joints);
    QVERIFY(after.meshes[0].normals == before.meshes[0].normals);
    QVERIFY(after.meshes[0].influences == before.meshes[0].influences);
    // Once is enough.
    QVERIFY(folded(after) == after);
  }

  void encodingsWithoutScaleHoldIt() {
    ck::Character before = limb();
    before.meshes[0].morphTargets.clear();
    before.meshes[0].defaultMorphWeights.clear();
    const double wanted = bakedErrorMm(before, ck::Encoding::D16);
    bindInUnits(before, 0.01);
    QVERIFY(bakedErrorMm(before, ck::Encoding::D16) > 100.0);
    const double found = bakedErrorMm(folded(before), ck::Encoding::D16);
    QVERIFY2(std::abs(found - wanted) < 0.001, qPrintable(QString::number(found)));
  }

  void rigsWithoutScaleStayTheSameToTheBit() {
    ck::Character character = limb();
    QVERIFY(folded(character) == character);
    // Rounding, as files have it.
    bindInUnits(character, 1.00003);
    QVERIFY(folded(character) == character);
  }

  void whatHasNoScaleOfItsOwnStays_data() {
    QTest::addColumn<glm::dmat4>("atOneJoint");
    const glm::dmat4 none(1.0);
    glm::dmat4 sheared = none;
    sheared[1].x = 0.001;
    QTest::newRow("shear") << sheared;
    QTest::newRow("one longer axis") << ck::toMatrix({.scale = {1.0, 1.0005, 1.0}});
    QTest::newRow("one larger joint") << ck::toMatrix({.scale = glm::dvec3(1.0005)});
    QTest::newRow("a flat joint") << ck::toMatrix({.scale = {1.0, 0.0, 1.0}});
    QTest::newRow("a joint of no size") << ck::toMatrix({.scale = glm::dvec3(0.0)});
  }
  void whatHasNoScaleOfItsOwnStays() {
    QFETCH(glm::dmat4, atOneJoint);
    ck::Character character = limb();
    bindInUnits(character, 100.0);
    glm::dmat4& bind = character.rig.skinJoints[4].inverseBind;
    bind = bind * atOneJoint;
    QVERIFY(folded(character) == character);
  }

  void turnedAndMirroredJointsKeepThat() {
    ck::Character character = limb();
    bindInUnits(character, 100.0);
    for (ck::Joint& joint : character.rig.joints) {
      if (joint.parent >= 0) continue;
      const glm::dquat turn = glm::angleAxis(0.7, glm::normalize(glm::dvec3(1, 2, 3)));
      joint.preTransform =
          ck::toMatrix({.rotation = turn, .scale = {1, 1, -1}}) * joint.preTransform;
    }
    const ck::Character after = folded(character);
    QVERIFY(after.meshes[0].bindScale != 1.0);
    const Apart moved = apart(character, after);
    QVERIFY(moved.positions < 1e-6 && moved.normals < 1e-6);
  }

  // A part that hangs on one joint is often in another unit than the skin.
  void meshesHaveScalesOfTheirOwn() {
    ck::Character character = limb();
    addMesh(character, {2, 4}, 100.0);
    addMesh(character, {3}, 22.7);
    const ck::Character after = folded(character);
    QVERIFY(after.meshes[0] == character.meshes[0]);
    QVERIFY(std::abs(after.meshes[1].bindScale - 100.0) < 1e-6);
    QVERIFY(std::abs(after.meshes[2].bindScale - 22.7) < 1e-6);
    QVERIFY(ck::test::hasNote(after.notes, "MeshesRescaled", "2 of 3 meshes"));
    QVERIFY(ck::test::hasNote(after.notes, "MeshesRescaled", "22.7 to 100"));
    QVERIFY(scaleLeft(after) < 1e-9);
    QVERIFY(apart(character, after).positions < 1e-6);
  }

  // Two meshes with one skin: what forbids it for one forbids it for both.
  void meshesThatShareAJointHaveOneScale() {
    ck::Character character = limb();
    bindInUnits(character, 100.0);
    addMesh(character, {2}, 1.0);  // bound as the skin is
    addMesh(character, {3}, 0.5);
    character.meshes[1].influences[0].skinJoint = 2;
    QVERIFY(folded(character).meshes[1].bindScale > 99.0);
    // Its vertex follows a joint of another scale as well.
    character.meshes[1].influences = {{2, 0.5f}, {8, 0.5f}};
    character.meshes[1].influenceStarts = {0, 2};
    const ck::Character after = folded(character);
    QVERIFY(after.meshes[0] == character.meshes[0]);
    QVERIFY(after.meshes[1] == character.meshes[1]);
  }

  // Joints that move no vertex cannot forbid it.
  void unusedJointsAreTreatedByThemselves() {
    ck::Character character = limb();
    bindInUnits(character, 100.0);
    ck::SkinJoint flat = character.rig.skinJoints[1];
    flat.inverseBind = flat.inverseBind * ck::toMatrix({.scale = {1.0, 2.0, 1.0}});
    ck::SkinJoint socket = character.rig.skinJoints[1];
    socket.inverseBind = ck::affineInverse(ck::restMatrices(character.rig)[1]);
    socket.isSocket = true;
    character.rig.skinJoints.push_back(flat);
    character.rig.skinJoints.push_back(socket);
    const ck::Character after = folded(character);
    QVERIFY(after.meshes[0].bindScale > 99.0);
    QVERIFY(after.rig.skinJoints[7] == flat);
    QVERIFY(after.rig.skinJoints[8] == socket);
  }

  // The rest pose decides, and clips keep their ratio to it.
  void clipsThatScaleJointsKeepTheirPoses() {
    ck::Character character = limb();
    bindInUnits(character, 100.0);
    ck::JointTracks& tracks = character.clips[0].jointTracks[0];
    const double start = character.clips[0].startSeconds;
    tracks.scale = {ck::Interpolation::Linear, {start, start + 0.5}, {{1, 1, 1}, {2, 3, 2}}};
    const ck::Character after = folded(character);
    QVERIFY(after.meshes[0].bindScale > 99.0);
    QVERIFY(apart(character, after).positions < 1e-5);
  }

  void numbersThatAreNoUnitsStay() {
    ck::Character character = limb();
    bindInUnits(character, 1e7);
    QVERIFY(folded(character) == character);
    character = limb();
    bindInUnits(character, 100.0);
    character.meshes[0].positions[0].x = 1e37f;
    QVERIFY(folded(character) == character);
  }

  // An atlas that was baked when the scale was still in the joints draws the mesh at another size.
  void anAtlasOfTheUnfoldedRigIsBakedAgain() {
    ck::Character character = limb();
    character.meshes[0].morphTargets.clear();
    character.meshes[0].defaultMorphWeights.clear();
    bindInUnits(character, 100.0);
    const ck::BakeSettings settings;
    const auto old = ck::bake(character, settings);
    QVERIFY(old);
    QVERIFY(ck::atlasFits(old->atlas, character, settings));
    const ck::Character after = folded(character);
    QVERIFY(!ck::atlasFits(old->atlas, after, settings));
    const auto now = ck::bake(after, settings);
    QVERIFY(now && ck::atlasFits(now->atlas, after, settings));
  }
};

CK_TEST(tst_skin_scale)
#include "tst_skin_scale.moc"
