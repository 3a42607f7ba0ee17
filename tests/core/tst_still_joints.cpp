#include <QTest>
#include <random>

#include "core/anim/pose.h"
#include "core/import/still_joints.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

namespace {

// The limb with a swing of which only these joints have keys.
ck::Character swingingAt(const std::vector<int>& joints) {
  ck::Character limb = ck::test::limbCharacter();
  ck::Clip clip = ck::test::swingClip(limb, {});
  std::erase_if(clip.jointTracks, [&](const ck::JointTracks& tracks) {
    return std::ranges::find(joints, tracks.joint) == joints.end();
  });
  limb.clips = {clip};
  return limb;
}

// The largest distance of a vertex between two characters at random moments, in metres.
double apart(const ck::Character& a, const ck::Character& b) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> moment(-0.2, 1.2);
  double largest = 0.0;
  for (int i = 0; i < 40; ++i) {
    const double time = moment(random);
    const auto posed = [time](const ck::Character& character) {
      return ck::skinMesh(character.meshes[0],
                          ck::skinMatricesAt(character.rig, character.clips[0], time))
          .positions;
    };
    const auto one = posed(a);
    const auto other = posed(b);
    for (std::size_t v = 0; v < one.size(); ++v) {
      largest = std::max(largest, glm::distance(one[v], other[v]));
    }
  }
  return largest;
}

}  // namespace

class tst_still_joints : public QObject {
  Q_OBJECT
 private slots:
  void weightsGoToTheNearestJointThatMoves() {
    // The chain is 0 1 2 3 4, the branch 1 5 6.
    const ck::Character limb = swingingAt({0, 1, 3, 5});
    QCOMPARE(ck::stillJoints(limb), (std::vector<int>{-1, -1, 1, -1, 3, -1, 5}));
    ck::Character merged = limb;
    ck::mergeStillJoints(merged);
    QCOMPARE(merged.rig.skinJoints.size(), std::size_t{4});
    QCOMPARE(merged.rig.joints.size(), limb.rig.joints.size());
    QVERIFY(merged.clips == limb.clips);
    QVERIFY(ck::validate(merged));
    QVERIFY(ck::test::hasNote(merged.notes, "StillJointsMerged", "3 of 7"));
    QVERIFY(apart(limb, merged) < 1e-6);
    QCOMPARE(ck::stillJointCount(merged), 0);
  }

  void aWholeChainGoesToItsRoot() {
    const ck::Character limb = swingingAt({0});
    ck::Character merged = limb;
    ck::mergeStillJoints(merged);
    QCOMPARE(merged.rig.skinJoints.size(), std::size_t{1});
    QVERIFY(ck::validate(merged));
    QVERIFY(apart(limb, merged) < 1e-6);
    for (std::size_t v = 0; v < merged.meshes[0].positions.size(); ++v) {
      QCOMPARE(ck::influencesOf(merged.meshes[0], v).size(), std::size_t{1});
    }
  }

  void keysThatHoldTheRestAreStill() {
    ck::Character limb = swingingAt({0, 1, 2});
    ck::JointTracks held;
    held.joint = 3;
    const ck::Trs rest = limb.rig.joints[3].rest;
    held.rotation = {ck::Interpolation::Linear,
                     {0.0, 1.0},
                     {glm::quat(rest.rotation), glm::quat(-rest.rotation)}};
    held.translation = {ck::Interpolation::Step, {0.5}, {glm::vec3(rest.translation)}};
    limb.clips[0].jointTracks.push_back(held);
    QCOMPARE(ck::stillJoints(limb)[3], 2);
    // A constant pose that is not that of rest has another bind pose.
    limb.clips[0].jointTracks.back().translation.values[0].x += 0.001f;
    QCOMPARE(ck::stillJoints(limb)[3], -1);
    QCOMPARE(ck::stillJoints(limb)[4], 3);
  }

  void splinesThatBendBetweenEqualKeysMove() {
    ck::Character limb = swingingAt({0, 1, 2});
    const glm::vec3 rest(limb.rig.joints[3].rest.translation);
    const glm::vec3 slope(0.5f, 0.0f, 0.0f);
    ck::JointTracks bent;
    bent.joint = 3;
    bent.translation = {ck::Interpolation::Cubic, {0.0, 1.0}, {{}, rest, slope, slope, rest, {}}};
    limb.clips[0].jointTracks.push_back(bent);
    QCOMPARE(ck::stillJoints(limb)[3], -1);
    limb.clips[0].jointTracks.back().translation.values = {{}, rest, {}, {}, rest, {}};
    QCOMPARE(ck::stillJoints(limb)[3], 2);
  }

  void aJointOfOneClipIsStillInNone() {
    ck::Character limb = swingingAt({0, 1});
    limb.clips.push_back(swingingAt({0, 4}).clips[0]);
    limb.clips.back().name = "Other";
    QCOMPARE(ck::stillJoints(limb), (std::vector<int>{-1, -1, 1, 1, -1, 1, 1}));
  }

  void otherBindPosesAndSocketsStay() {
    ck::Character limb = swingingAt({0, 1, 2});
    limb.rig.skinJoints[3].inverseBind =
        glm::translate(glm::dmat4(1.0), glm::dvec3(0.01, 0.0, 0.0)) *
        limb.rig.skinJoints[3].inverseBind;
    limb.rig.skinJoints[6].isSocket = true;
    QCOMPARE(ck::stillJoints(limb), (std::vector<int>{-1, -1, -1, -1, 2, 1, -1}));
    ck::Character merged = limb;
    ck::mergeStillJoints(merged);
    QVERIFY(merged.rig.skinJoints.back().isSocket);
    QVERIFY(apart(limb, merged) < 1e-6);
  }

  void withoutClipsNothingIsKnown() {
    ck::Character limb = ck::test::limbCharacter();
    ck::mergeStillJoints(limb);
    QVERIFY(limb == ck::test::limbCharacter());
  }
};

CK_TEST(tst_still_joints)
#include "tst_still_joints.moc"
