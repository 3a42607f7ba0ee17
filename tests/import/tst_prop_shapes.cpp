#include <QTemporaryDir>
#include <QTest>

#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/project/props.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

class tst_prop_shapes : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("CROWDKILN_IMPORT_WORKER", CK_BIN_DIR "/kiln-import"); }

  void rejectsAFileThatIsNotThere() {
    const auto refused = ck::readPropShape({"/nowhere/bench.glb"}, {});
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::FileNotFound);
    QVERIFY(refused.error().message.find("bench.glb") != std::string::npos);
  }

  void aRigBecomesARigidThingOfTheSameSize() {
    const std::string path = ck::pathText(ck::test::sampleHumanoid());
    const auto character = ck::importCharacter(ck::test::sampleHumanoid());
    const auto shape = ck::readPropShape({path}, {});
    QVERIFY(character.has_value() && shape.has_value());
    QVERIFY(ck::validate(**shape).has_value());
    QVERIFY((*shape)->clips.empty());
    QCOMPARE((*shape)->rig.joints.size(), std::size_t{1});
    QCOMPARE((*shape)->meshes.size(), character->meshes.size());
    const ck::Bounds before = ck::bindBounds(*character);
    const ck::Bounds after = ck::bindBounds(**shape);
    QVERIFY(glm::distance(before.low, after.low) < 0.05);
    QVERIFY(glm::distance(before.high, after.high) < 0.05);
  }

  // Under a joint that mirrors, every triangle must still be seen from where its normals point, and
  // that must be away from the middle of the bar.
  void mirroredPartsStandOutsideOut_data() {
    QTest::addColumn<double>("along");  // scale along x of the joint at the root
    QTest::newRow("as it is") << 1.0;
    QTest::newRow("mirrored") << -1.0;
  }
  void mirroredPartsStandOutsideOut() {
    QFETCH(double, along);
    ck::Character bar = ck::test::barCharacter();
    bar.rig.joints[0].rest.scale.x = along;
    const ck::Character shape = ck::restShape(bar);
    const ck::Mesh& mesh = shape.meshes.at(0);
    QVERIFY(!mesh.indices.empty());
    for (std::size_t first = 0; first < mesh.indices.size(); first += 3) {
      const std::uint32_t* corners = mesh.indices.data() + first;
      const auto at = [&](int corner) { return mesh.positions[corners[corner]]; };
      const glm::vec3 facet = glm::cross(at(1) - at(0), at(2) - at(0));
      for (int corner = 0; corner < 3; ++corner) {
        const glm::vec3 normal = mesh.normals[corners[corner]];
        QVERIFY(glm::dot(normal, facet) > 0.0f);
        QVERIFY(normal.x * at(corner).x + normal.z * at(corner).z > 0.0f);
      }
    }
  }
};

CK_TEST(tst_prop_shapes)
#include "tst_prop_shapes.moc"
