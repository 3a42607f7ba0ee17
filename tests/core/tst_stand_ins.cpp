#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/view/stand_ins.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

// The bar with a socket on its upper joint that is bound at another scale, as a node of a file in
// centimetres is.
ck::Character bar() {
  ck::Character bar = ck::test::barCharacter();
  ck::SkinJoint socket = bar.rig.skinJoints[1];
  socket.inverseBind = glm::dmat4(glm::dmat3(100.0)) * socket.inverseBind;
  socket.isSocket = true;
  bar.rig.skinJoints.push_back(socket);
  return bar;
}

}  // namespace

class tst_stand_ins : public QObject {
  Q_OBJECT
 private slots:
  void standInsAreRigidAndNothingElseChanges() {
    const ck::Character plain = bar();
    const ck::Character shown = ck::withStandIns(plain);
    QVERIFY(ck::validate(shown).has_value());
    QVERIFY(shown.rig == plain.rig && shown.clips == plain.clips);
    QCOMPARE(shown.meshes.size(), plain.meshes.size() + 3);
    QVERIFY(std::equal(plain.meshes.begin(), plain.meshes.end(), shown.meshes.begin()));
    const glm::dvec3 pivot = ck::pivotOf(plain.rig.skinJoints[2]);
    for (std::size_t m = plain.meshes.size(); m < shown.meshes.size(); ++m) {
      const ck::Mesh& mesh = shown.meshes[m];
      QVERIFY(mesh.material >= int(plain.materials.size()));
      glm::dvec3 farthest(0.0);
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const auto influences = ck::influencesOf(mesh, v);
        QCOMPARE(influences.size(), std::size_t(1));
        QVERIFY(influences[0].skinJoint == 2 && influences[0].weight == 1.0f);
        const glm::dvec3 away = glm::dvec3(mesh.positions[v]) - pivot;
        farthest = glm::max(farthest, glm::abs(away));
        // Outwards, as lights see it.
        QVERIFY(std::abs(glm::length(mesh.normals[v]) - 1.0f) < 1e-5f);
      }
      // Metres of the figure, whatever the scale of the node is: the bar is 2 m tall.
      const double longest = std::max({farthest.x, farthest.y, farthest.z});
      QVERIFY(longest > 0.1 && longest < 1.0);
      for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const auto at = [&](std::size_t k) { return mesh.positions[mesh.indices[i + k]]; };
        const glm::vec3 out = glm::cross(at(1) - at(0), at(2) - at(0));
        QVERIFY(glm::dot(out, mesh.normals[mesh.indices[i]]) > 0.0f);
      }
    }
  }

  void aRendererKeepsWhatItKnows() {
    ck::StandIns standIns;
    const auto plain = std::make_shared<const ck::Character>(ck::test::barCharacter());
    QVERIFY(standIns.of(plain) == plain);
    QVERIFY(standIns.of(nullptr) == nullptr);
    const auto armed = std::make_shared<const ck::Character>(bar());
    const ck::CharacterPtr shown = standIns.of(armed);
    QVERIFY(shown != armed && standIns.of(armed) == shown);
  }
};

CK_TEST(tst_stand_ins)
#include "tst_stand_ins.moc"
