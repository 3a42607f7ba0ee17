#include <QTest>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

class tst_pose : public QObject {
  Q_OBJECT
 private slots:
  void barIsValid() { QVERIFY(ck::validate(ck::test::barCharacter()).has_value()); }

  void restPoseLeavesTheMeshInPlace() {
    const ck::Character bar = ck::test::barCharacter();
    const auto skins = ck::skinMatrices(bar.rig, ck::restMatrices(bar.rig));
    const auto posed = ck::skinMesh(bar.meshes[0], skins);
    for (std::size_t v = 0; v < posed.positions.size(); ++v) {
      QVERIFY(glm::distance(posed.positions[v], glm::dvec3(bar.meshes[0].positions[v])) < 1e-6);
    }
  }

  void bentTipIsWhereTheFormulaSays() {
    const ck::Character bar = ck::test::barCharacter();
    const auto skins = ck::skinMatricesAt(bar.rig, bar.clips[0], 0.5);
    const auto posed = ck::skinMesh(bar.meshes[0], skins);
    // (x, 2, z) turns by 90 degrees about +Z at (0, 1, 0): (-1, 1 + x, z).
    const glm::dvec3 bind(bar.meshes[0].positions.back());
    QVERIFY(glm::distance(posed.positions.back(), glm::dvec3(-1.0, 1.0 + bind.x, bind.z)) < 1e-6);
  }
};

CK_TEST(tst_pose)
#include "tst_pose.moc"
