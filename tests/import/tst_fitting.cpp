#include <fmt/format.h>

#include <QDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>

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

// A walking figure as a BVH whose OFFSETs are no pose: all bones lie along one axis of their
// joints, which rotations of `order` raise and spread in every frame.
struct BonesAlongAxis {
  int along;          // axis of the joints along which the bones lie
  int up;             // axis of the file
  int left;           // axis of the file that is the figure's left
  std::string order;  // of the rotations, e.g. "ZYX"
  double perMeter;

  static glm::dvec3 axis(int number) {
    glm::dvec3 direction(0.0);
    direction[number] = 1.0;
    return direction;
  }

  std::string text() const {
    struct Part {
      const char* name;
      int parent;
      double length;  // along the bone of the parent
      double aside;
      double degrees;  // of the bone against the vertical, forward
      double swing;
    };
    const std::vector<Part> parts = {{"Hips", -1, 0, 0, 0, 0},
                                     {"Spine", 0, 0.15, 0, 0, 0},
                                     {"Head", 1, 0.5, 0, 0, 10},
                                     {"LeftArm", 1, 0.4, 0.2, 160, 25},
                                     {"LeftForeArm", 3, 0.3, 0, 140, 20},
                                     {"LeftHand", 4, 0.25, 0, 140, 0},
                                     {"RightArm", 1, 0.4, -0.2, 160, -25},
                                     {"RightForeArm", 6, 0.3, 0, 140, -20},
                                     {"RightHand", 7, 0.25, 0, 140, 0},
                                     {"LeftUpLeg", 0, 0, 0.1, 180, -20},
                                     {"LeftLeg", 9, 0.45, 0, 190, -20},
                                     {"LeftFoot", 10, 0.42, 0, 100, 0},
                                     {"RightUpLeg", 0, 0, -0.1, 180, 20},
                                     {"RightLeg", 12, 0.45, 0, 190, 20},
                                     {"RightFoot", 13, 0.42, 0, 100, 0}};
    const glm::dvec3 forward = glm::cross(axis(left), axis(up));
    const int side = (along + 1) % 3;
    // The joints' axes to the file's: bones up, their next axis to the left.
    glm::dmat3 upright;
    upright[along] = axis(up);
    upright[side] = axis(left);
    upright[3 - along - side] = glm::cross(upright[along], upright[side]);
    std::string hierarchy = "HIERARCHY\n";
    const std::function<void(std::size_t)> add = [&](std::size_t p) {
      const glm::dvec3 offset =
          perMeter * (parts[p].length * axis(along) + parts[p].aside * axis(side));
      hierarchy += fmt::format("{} {}\n{{\nOFFSET {} {} {}\nCHANNELS {}", p == 0 ? "ROOT" : "JOINT",
                               parts[p].name, offset.x, offset.y, offset.z,
                               p == 0 ? "6 Xposition Yposition Zposition" : "3");
      for (const char letter : order) hierarchy += fmt::format(" {}rotation", letter);
      hierarchy += "\n";
      bool isEnd = true;
      for (std::size_t child = 0; child < parts.size(); ++child) {
        if (parts[child].parent != static_cast<int>(p)) continue;
        isEnd = false;
        add(child);
      }
      hierarchy += isEnd ? "End Site\n{\nOFFSET 0 0 0\n}\n}\n" : "}\n";
    };
    add(0);
    // Channels come in the order of the hierarchy, which is that of `parts`.
    std::string motion = "MOTION\nFrames: 21\nFrame Time: 0.05\n";
    for (int frame = 0; frame < 21; ++frame) {
      const double phase = std::sin(frame * 0.6);
      const glm::dvec3 hips = perMeter * (0.93 * axis(up) + (0.05 * frame) * forward);
      motion += fmt::format("{} {} {}", hips.x, hips.y, hips.z);
      std::vector<glm::dmat3> globals;
      for (const Part& part : parts) {
        const double angle = glm::radians(part.degrees + phase * part.swing);
        globals.push_back(glm::mat3_cast(glm::angleAxis(angle, axis(left))) * upright);
        const glm::dmat3 local =
            part.parent < 0 ? globals.back()
                            : glm::transpose(globals[std::size_t(part.parent)]) * globals.back();
        const int i = order[0] - 'X';
        const int j = order[1] - 'X';
        const int k = order[2] - 'X';
        const double sign = (i + 1) % 3 == j ? 1.0 : -1.0;
        const double first = std::atan2(-sign * local[k][j], local[k][k]);
        const double second = std::asin(std::clamp(sign * local[k][i], -1.0, 1.0));
        const double third = std::atan2(-sign * local[j][i], local[i][i]);
        for (const double value : {first, second, third}) {
          motion += fmt::format(" {:.6f}", glm::degrees(value));
        }
      }
      motion += "\n";
    }
    return hierarchy + motion;
  }
};

glm::dvec3 placeOf(const ck::Character& character, const std::vector<glm::dmat4>& pose,
                   const std::string& joint) {
  const auto found = ck::findJoint(character.rig, joint);
  if (!found) throw std::runtime_error("no joint " + joint);
  return glm::dvec3(pose[std::size_t(*found)][3]);
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

  void figuresStandAsTheirFramesSay_data() {
    QTest::addColumn<int>("along");
    QTest::addColumn<int>("up");
    QTest::addColumn<int>("left");
    QTest::addColumn<QString>("order");
    QTest::addColumn<double>("perMeter");
    QTest::newRow("along X, Y up, cm") << 0 << 1 << 0 << "ZYX" << 100.0;
    QTest::newRow("along Y, Z up, inches") << 1 << 2 << 0 << "YXZ" << 39.37;
    QTest::newRow("along Z, Y up, mm") << 2 << 1 << 2 << "XYZ" << 1000.0;
    QTest::newRow("along X, Z up, m") << 0 << 2 << 1 << "ZXY" << 1.0;
    QTest::newRow("along Y, Y up, cm") << 1 << 1 << 0 << "XZY" << 100.0;
  }
  // Alone and on a rig the figure walks upright with the limbs of its frames.
  void figuresStandAsTheirFramesSay() {
    QFETCH(int, along);
    QFETCH(int, up);
    QFETCH(int, left);
    QFETCH(QString, order);
    QFETCH(double, perMeter);
    const auto file = std::filesystem::path(QDir::tempPath().toStdString()) / "ck_fitting.bvh";
    std::ofstream(file) << BonesAlongAxis{along, up, left, order.toStdString(), perMeter}.text();
    const auto alone = ck::importCharacter(file);
    const auto both = ck::importWithClips({ck::test::sampleHumanoid(), file});
    std::filesystem::remove(file);
    QVERIFY2(alone && both, alone ? both.error().message.c_str() : alone.error().message.c_str());
    QVERIFY(!hasNote(both->notes, "FigureTorn"));
    for (const double time : {0.0, 0.32, 0.71, 1.0}) {
      const auto pose = posed(*alone, alone->clips[0], time);
      const auto placed = posed(*both, both->clips.back(), time);
      const auto at = [&](const char* joint) { return placeOf(*alone, pose, joint); };
      QVERIFY(std::abs(at("Hips").y - 0.93) < 0.01);
      QVERIFY(at("Head").y > at("Hips").y + 0.6);
      QVERIFY(at("LeftFoot").y < 0.15 && at("RightFoot").y < 0.15);
      // It walks forward, its left side to the left.
      QVERIFY(at("LeftUpLeg").x > at("RightUpLeg").x + 0.19);
      QVERIFY(std::abs(at("Hips").z - time) < 0.01);
      const std::vector<std::array<const char*, 4>> bones = {
          {"Hips", "Head", "hips", "head"},
          {"LeftArm", "LeftForeArm", "upper_arm_L", "lower_arm_L"},
          {"RightForeArm", "RightHand", "lower_arm_R", "hand_R"},
          {"LeftUpLeg", "LeftLeg", "upper_leg_L", "lower_leg_L"},
          {"RightLeg", "RightFoot", "lower_leg_R", "foot_R"}};
      for (const auto& bone : bones) {
        const glm::dvec3 wanted = glm::normalize(at(bone[1]) - at(bone[0]));
        const glm::dvec3 found =
            glm::normalize(placeOf(*both, placed, bone[3]) - placeOf(*both, placed, bone[2]));
        QVERIFY2(glm::dot(wanted, found) > std::cos(glm::radians(4.0)), bone[0]);
      }
    }
  }

  void fieldBvhStandsAloneAndOnRigs() {
    const auto folder = std::filesystem::path(CK_SHARED_DIR) / "field" / "fbx";
    if (!std::filesystem::exists(folder)) QSKIP("the folder of field cases is not there");
    const auto bvh = folder / "02_bones_along_x.bvh";
    const auto alone = ck::importCharacter(bvh);
    const auto onRig = ck::importWithClips({folder / "03_rig.fbx", bvh});
    const auto onSample = ck::importWithClips({ck::test::sampleHumanoid(), bvh});
    QVERIFY(alone && onRig && onSample);
    for (const ck::Character* character : {&*alone, &*onRig, &*onSample}) {
      const ck::Clip& clip = character->clips.back();
      for (int moment = 0; moment <= 20; ++moment) {
        const auto pose =
            posed(*character, clip, clip.startSeconds + clip.durationSeconds * moment / 20);
        const bool isSample = character == &*onSample;
        const auto height = [&](const char* joint, const char* ofSample) {
          return placeOf(*character, pose, isSample ? ofSample : joint).y;
        };
        const double hips = height("Hips", "hips");
        QVERIFY(height("Head", "head") > hips + 0.3);
        QVERIFY(height("LeftFoot", "foot_L") < 0.5 * hips);
        QVERIFY(height("RightFoot", "foot_R") < 0.5 * hips);
        if (character == &*alone) QVERIFY(std::abs(hips - 0.92) < 0.01);
      }
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
