#include <fmt/format.h>

#include <QDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "tests/support/fbx_text.h"
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

  // Files that artists sent, made anew as small ones; the positions are those of ufbx and Blender
  // for the clip's file alone (README.md of that folder).
  void fieldClipsMoveTheRigAsTheirOwnFile_data() {
    QTest::addColumn<QString>("rig");
    QTest::addColumn<QString>("clip");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("joint");
    QTest::addColumn<std::vector<double>>("position");
    QTest::newRow("scale keys of one") << "01_rig.fbx"
                                       << "01_clip_scale_keys_of_one.fbx" << 0.6 << "Head"
                                       << std::vector<double>{-0.5298, 0.8817, 0.0};
    QTest::newRow("facing away") << "03_rig.fbx"
                                 << "03_clip_faces_away.fbx" << 0.3 << "RightHand"
                                 << std::vector<double>{0.0060, 0.9840, 0.0912};
    QTest::newRow("resting in its first frame")
        << "04_rig_blender_axes.fbx"
        << "04_clip_rests_in_its_first_frame.fbx" << 0.3 << "Head"
        << std::vector<double>{-0.4854, 0.9527, 0.0};
  }
  void fieldClipsMoveTheRigAsTheirOwnFile() {
    QFETCH(QString, rig);
    QFETCH(QString, clip);
    QFETCH(double, seconds);
    QFETCH(QString, joint);
    QFETCH(std::vector<double>, position);
    const auto folder = std::filesystem::path(CK_SHARED_DIR) / "field" / "fbx";
    if (!std::filesystem::exists(folder)) QSKIP("the folder of field cases is not there");
    const auto both =
        ck::importWithClips({folder / rig.toStdString(), folder / clip.toStdString()});
    QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
    const auto found = ck::findJoint(both->rig, joint.toStdString());
    QVERIFY(found);
    const glm::dvec3 at(posed(*both, both->clips.back(), seconds)[std::size_t(*found)][3]);
    const glm::dvec3 wanted(position[0], position[1], position[2]);
    QVERIFY2(glm::distance(at, wanted) < 2e-4,
             qPrintable(QString("%1, %2, %3").arg(at.x).arg(at.y).arg(at.z)));
  }

  // A figure without a mesh that rests in its first frame; its bind pose is in the file.
  void motionOnlyFbxRestsInItsBindPose() {
    const auto folder = std::filesystem::path(QDir::tempPath().toStdString());
    const auto written = [](bool isClip) {
      ck::test::FbxText fbx;
      const glm::dvec3 up = isClip ? glm::dvec3(0, 0, 0.5) : glm::dvec3(0, 0.5, 0);
      const auto limb = [&](const char* title, int parent, const glm::dvec3& degrees) {
        return fbx.limb(title, parent,
                        ck::test::fbxProperty("Lcl Translation", up) +
                            ck::test::fbxProperty("Lcl Rotation", degrees));
      };
      // The bones of the clip's file lie along Z, of which the hips are rotated to stand upright.
      const glm::dvec3 first(isClip ? 40.0 : 0.0, 0, 0);
      const int hips = fbx.limb(
          "Hips", 0,
          ck::test::fbxProperty("Lcl Rotation", isClip ? glm::dvec3(-90, 0, 0) : glm::dvec3(0.0)));
      const int spine = limb("Spine", hips, first);
      const int head = limb("Head", spine, glm::dvec3(0.0));
      std::string pose;
      double height = 0.0;
      for (const int joint : {hips, spine, head}) {
        const double upright = isClip ? 0.0 : 1.0;
        const std::vector<double> matrix = {1, 0,           0,       0, 0, upright, upright - 1, 0,
                                            0, 1 - upright, upright, 0, 0, height,  0,           1};
        pose += fmt::format("  PoseNode: {{\n   Node: {}\n{} }}\n", joint,
                            ck::test::fbxArray("Matrix", matrix));
        height += 0.5;
      }
      fbx.object("Pose", "bind", "BindPose", pose);
      if (!isClip) return fbx.text();
      fbx.stack(1.0);
      fbx.curve(spine, "Lcl Rotation", 'X', {0.0, 1.0}, {40.0, 100.0});
      return fbx.text();
    };
    const auto rig = folder / "ck_fitting_rig.fbx";
    const auto clip = folder / "ck_fitting_clip.fbx";
    std::ofstream(rig) << written(false);
    std::ofstream(clip) << written(true);
    const auto alone = ck::importCharacter(clip);
    const auto both = ck::importWithClips({rig, clip});
    std::filesystem::remove(rig);
    std::filesystem::remove(clip);
    QVERIFY2(alone && both, alone ? both.error().message.c_str() : alone.error().message.c_str());
    for (const double time : {0.0, 0.3, 1.0}) {
      const auto found = posed(*both, both->clips.back(), time);
      const auto wanted = posed(*alone, alone->clips.back(), time);
      QCOMPARE(found.size(), wanted.size());
      for (std::size_t j = 0; j < found.size(); ++j) {
        QVERIFY(glm::distance(found[j][3], wanted[j][3]) < 1e-5);
      }
    }
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
