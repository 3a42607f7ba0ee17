#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "core/import/import_process.h"
#include "core/project/props.h"
#include "tests/support/rigs.h"

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
};

QTEST_APPLESS_MAIN(tst_prop_shapes)
#include "tst_prop_shapes.moc"
