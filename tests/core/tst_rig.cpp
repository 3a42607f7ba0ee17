#include <QTest>

#include "core/scene/rig.h"
#include "tests/support/test_program.h"

class tst_rig : public QObject {
  Q_OBJECT

  // hips > spine > head, bound as hips, head and head once more by a second mesh.
  static ck::Rig rig() {
    ck::Rig rig;
    rig.joints = {{"hips", -1, glm::dmat4(1.0), {}},
                  {"spine", 0, glm::dmat4(1.0), {}},
                  {"head", 1, glm::dmat4(1.0), {}}};
    const glm::dmat4 down = ck::toMatrix({.translation = {0.0, -1.5, 0.0}});
    rig.skinJoints = {{0, glm::dmat4(1.0)}, {2, down}, {2, glm::dmat4(1.0)}};
    return rig;
  }

 private slots:
  void unknownNameIsNotFound() { QVERIFY(!ck::findJoint(rig(), "tail").has_value()); }
  void nameIsFound() { QCOMPARE(ck::findJoint(rig(), "head"), std::optional<int>(2)); }

  void parentsSkipJointsThatAreNotBound() {
    QCOMPARE(ck::skinJointParents(rig()), (std::vector<int>{-1, 0, 0}));
  }

  void furtherBindPosesGetNumberedNames() {
    const std::vector<std::string> expected = {"hips", "head", "head (2)"};
    QCOMPARE(ck::skinJointNames(rig()), expected);
  }

  void pivotIsWhereTheJointLayAtBindTime() {
    const glm::dvec3 pivot = ck::pivotOf(rig().skinJoints[1]);
    QVERIFY(glm::distance(pivot, glm::dvec3(0.0, 1.5, 0.0)) < 1e-12);
  }

  void pivotOfASingularBindMatrixIsTheOrigin() {
    QCOMPARE(ck::pivotOf({0, glm::dmat4(0.0)}), glm::dvec3(0.0));
  }
};

CK_TEST(tst_rig)
#include "tst_rig.moc"
