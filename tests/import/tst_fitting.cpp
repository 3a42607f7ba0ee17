#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

const ck::Clip& clipOf(const ck::Character& character, const std::string& name) {
  const auto found = std::ranges::find(character.clips, name, &ck::Clip::name);
  if (found == character.clips.end()) throw std::runtime_error("no clip " + name);
  return *found;
}

std::vector<glm::dmat4> posed(const ck::Character& character, const ck::Clip& clip,
                              double seconds) {
  return ck::globalMatrices(character.rig, ck::sampleClip(character.rig, clip, seconds));
}

// The largest distance between joints of one name in two clips, at moments that are no keys, as a
// share of the height of the first character.
double farthestApart(const ck::Character& a, const ck::Clip& clipOfA, const ck::Character& b,
                     const ck::Clip& clipOfB, const std::vector<std::string>& without = {}) {
  const ck::Bounds bounds = ck::bindBounds(a);
  double worst = 0.0;
  std::string where;
  for (int moment = 0; moment < 40; ++moment) {
    const double share = (moment + 0.37) / 40.0;
    const auto ours = posed(a, clipOfA, clipOfA.startSeconds + share * clipOfA.durationSeconds);
    const auto theirs = posed(b, clipOfB, clipOfB.startSeconds + share * clipOfB.durationSeconds);
    for (std::size_t j = 0; j < ours.size(); ++j) {
      const std::string& name = a.rig.joints[j].name;
      const auto other = ck::findJoint(b.rig, name);
      if (!other || std::ranges::find(without, name) != without.end()) continue;
      const double apart =
          glm::distance(glm::dvec3(ours[j][3]), glm::dvec3(theirs[std::size_t(*other)][3]));
      if (apart > worst) where = name;
      worst = std::max(worst, apart);
    }
  }
  worst /= bounds.high.y - bounds.low.y;
  qInfo("%s: %.2e of the height at '%s'", clipOfA.name.c_str(), worst, where.c_str());
  return worst;
}

}  // namespace

// Clips of other files on shared rigs, against the same motion from elsewhere.
class tst_fitting : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // The walk of pilgrim.glb and the same walk as BVH: other axes of every joint, Z up, no unit.
  void bvhWalksLikeTheClipOfTheRig() {
    const auto rig = ck::test::sharedModel("own_pilgrim/pilgrim.glb");
    const auto bvh = ck::test::sharedModel("own_pilgrim/pilgrim_walk.bvh");
    if (!rig || !bvh) QSKIP("the folder of shared models is not there");
    std::vector<ck::ClipFitReport> reports;
    const auto both = ck::importWithClips({*rig, *bvh}, {}, {}, {}, &reports);
    QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
    for (const ck::Note& note : both->notes)
      qInfo("%s %s", note.code.c_str(), note.message.c_str());
    const double apart = farthestApart(*both, clipOf(*both, "walk"), *both, both->clips.back());
    QVERIFY(apart < 0.01);
    QCOMPARE(reports.size(), std::size_t{1});
    QVERIFY(reports[0].offset && reports[0].foundAxes && !reports[0].refused);
    QVERIFY(reports[0].up == ck::UpAxis::Z);
    QCOMPARE(reports[0].metersPerUnit, 1.0);
  }

  void filesBeforeOneThatIsNotThereAreReported() {
    const std::filesystem::path rig = ck::test::sampleHumanoid();
    std::vector<ck::ClipFitReport> reports;
    const auto none = ck::importWithClips({rig, rig, {"not-there.glb"}}, {}, {}, {}, &reports);
    QVERIFY(!none && none.error().code == ck::ErrorCode::FileNotFound);
    QCOMPARE(reports.size(), std::size_t{1});
    QVERIFY(!reports[0].refused && !reports[0].rows.empty());
  }

  // A rig that moves its pelvis by a joint that no skin holds.
  void clipsMoveJointsThatNoSkinHolds() {
    const auto rig = ck::test::sharedModel("ozz_pab/arnaud.fbx");
    if (!rig) QSKIP("the folder of shared models is not there");
    for (const char* name : {"run", "walk", "jog"}) {
      const auto file = rig->parent_path() / (std::string(name) + ".fbx");
      const auto both = ck::importWithClips({*rig, file});
      QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
      for (const ck::Note& note : both->notes) {
        qInfo("%s %s", note.code.c_str(), note.message.c_str());
      }
      const auto alone = ck::importCharacter(file);
      QVERIFY2(alone.has_value(), alone ? "" : alone.error().message.c_str());
      QVERIFY(farthestApart(*both, both->clips.back(), *alone, alone->clips.back()) < 0.01);
    }
  }

  void mocapStandsOnTheGround() {
    const auto rig = ck::test::sharedModel("own_pilgrim/pilgrim.glb");
    const auto bvh = ck::test::sharedModel("bvh_cmu/01_01.bvh");
    if (!rig || !bvh) QSKIP("the folder of shared models is not there");
    const auto both = ck::importWithClips({*rig, *bvh});
    QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
    for (const ck::Note& note : both->notes)
      qInfo("%s %s", note.code.c_str(), note.message.c_str());
    const auto hips = ck::findJoint(both->rig, "Hips");
    const auto head = ck::findJoint(both->rig, "Head");
    QVERIFY(hips && head);
    const ck::Bounds bounds = ck::bindBounds(*both);
    const double height = bounds.high.y - bounds.low.y;
    const auto lowestOf = [](const std::vector<glm::dmat4>& pose) {
      const auto lower = [](const glm::dmat4& a, const glm::dmat4& b) { return a[3].y < b[3].y; };
      return std::ranges::min_element(pose, lower)->operator[](3).y;
    };
    const double atRest = lowestOf(ck::restMatrices(both->rig));
    const ck::Clip& clip = both->clips.back();
    double lowest = height;
    for (int moment = 0; moment < 100; ++moment) {
      const double share = (moment + 0.37) / 100.0;
      const auto pose = posed(*both, clip, clip.startSeconds + share * clip.durationSeconds);
      lowest = std::min(lowest, lowestOf(pose));
      // A jump bends the figure, and it stays upright.
      QVERIFY(pose[std::size_t(*head)][3].y > pose[std::size_t(*hips)][3].y + 0.15 * height);
    }
    qInfo("lowest joint at %.3f of the height, at rest %.3f", lowest / height, atRest / height);
    QVERIFY(std::abs(lowest - atRest) < 0.03 * height);
  }
};

CK_TEST(tst_fitting)
#include "tst_fitting.moc"
