#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/add_clips.h"
#include "core/import/joint_names.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

using ck::Character;

// A chain Hips - Spine - Chest - Head, each bone `bone` file units long, `unit` metres each, and a
// clip that lifts the hips by 1.5 bones and turns the chest by 90 degrees about Z.
Character figure(const std::vector<std::string>& names, double bone, double unit) {
  Character character;
  character.name = "walk";
  character.source.unitScale = unit;
  character.source.sourceToModel = ck::toMatrix({.scale = glm::dvec3(unit)});
  for (std::size_t j = 0; j < names.size(); ++j) {
    ck::Joint joint;
    joint.name = names[j];
    joint.parent = static_cast<int>(j) - 1;
    joint.rest.translation = {0, bone, 0};
    if (j == 0) joint.preTransform = character.source.sourceToModel;
    character.rig.joints.push_back(joint);
  }
  ck::Clip clip;
  clip.name = "Clip 1";
  clip.durationSeconds = 1.0;
  const float b = static_cast<float>(bone);
  for (std::size_t j = 0; j < names.size(); ++j) {
    ck::JointTracks tracks;
    tracks.joint = static_cast<int>(j);
    tracks.translation.times = {0.0, 1.0};
    tracks.translation.values = {glm::vec3(0, b, 0), glm::vec3(0, j == 0 ? 1.5f * b : b, 0)};
    if (j == 2) {
      const float half = std::sqrt(0.5f);
      tracks.rotation.times = {0.0, 1.0};
      tracks.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(half, 0, 0, half)};
    }
    clip.jointTracks.push_back(tracks);
  }
  character.clips.push_back(clip);
  return character;
}

const std::vector<std::string> kNames = {"Hips", "Spine", "Chest", "Head"};

// Where the joints are at the end of the last clip.
std::vector<glm::dvec3> endPlaces(const Character& character) {
  const auto globals =
      ck::globalMatrices(character.rig, ck::sampleClip(character.rig, character.clips.back(), 1.0));
  std::vector<glm::dvec3> places;
  for (const glm::dmat4& global : globals) places.emplace_back(global[3]);
  return places;
}

void compare(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
  QCOMPARE(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (glm::distance(a[i], b[i]) > 1e-5) {
      QFAIL(qPrintable(QString("joint %1: (%2, %3, %4) is not (%5, %6, %7)")
                           .arg(i)
                           .arg(a[i].x)
                           .arg(a[i].y)
                           .arg(a[i].z)
                           .arg(b[i].x)
                           .arg(b[i].y)
                           .arg(b[i].z)));
    }
  }
}

}  // namespace

// Clips of other files: which joints they move, and where these then are.
class tst_add_clips : public QObject {
  Q_OBJECT
 private slots:
  void rejectsFilesThatShareNoName() {
    const Character rig = figure(kNames, 1.0, 1.0);
    const auto other = ck::addClips(rig, figure({"a", "b", "c", "d"}, 1.0, 1.0));
    QVERIFY(!other.has_value());
    Character still = figure(kNames, 1.0, 1.0);
    still.clips.clear();
    QVERIFY(!ck::addClips(rig, still).has_value());
  }

  void namesAreMatchedByRule_data() {
    QTest::addColumn<QString>("rig");
    QTest::addColumn<QString>("clip");
    QTest::addColumn<bool>("same");
    const auto row = [](const char* rig, const char* clip, bool same) {
      QTest::addRow("%s and %s", rig, clip) << QString(rig) << QString(clip) << same;
    };
    row("Hips", "Hips", true);
    row("Hips", "hips", true);
    row("mixamorig:Hips", "Hips", true);
    row("mixamorig:Hips", "mixamorig12:hips", true);
    row("Hips", "Armature|Hips", true);
    row("scene|Armature|Hips", "ns:Hips", true);
    row("Head", "Bip01 Head", true);
    row("Bip001_Head", "Bip01 Head", true);
    row("ValveBiped.Bip01_Head", "head", true);
    row("Bip01", "Bip01", true);
    row("Bip01", "Head", false);
    row("Bipod", "od", false);
    row("Hips", "Hip", false);
    row("arm_L", "arm_R", false);
    row("ns:", "other:", false);
  }
  void namesAreMatchedByRule() {
    QFETCH(QString, rig);
    QFETCH(QString, clip);
    QFETCH(bool, same);
    ck::Rig ours;
    ck::Rig theirs;
    ours.joints.resize(1);
    theirs.joints.resize(1);
    ours.joints[0].name = rig.toStdString();
    theirs.joints[0].name = clip.toStdString();
    QCOMPARE(ck::matchJoints(ours, theirs).rigJoints[0] == 0, same);
  }

  void equalNamesComeFirstAndDoubtsStayOpen() {
    ck::Rig ours;
    ours.joints.resize(3);
    ours.joints[0].name = "a:Hand";
    ours.joints[1].name = "Hand";
    ours.joints[2].name = "b:Foot";
    ck::Rig theirs;
    theirs.joints.resize(4);
    theirs.joints[0].name = "HAND";
    theirs.joints[1].name = "Hand";
    theirs.joints[2].name = "x:Foot";
    theirs.joints[3].name = "y:Foot";
    // "HAND" may no longer have "Hand"; what is left of its name is "a:Hand". Two feet fit one:
    // none.
    QCOMPARE(ck::matchJoints(ours, theirs).rigJoints, (std::vector<int>{0, 1, -1, -1}));
  }

  void theSameFigureMovesTheSame() {
    const Character rig = figure(kNames, 1.0, 1.0);
    const auto both = ck::addClips(rig, figure(kNames, 1.0, 1.0));
    QVERIFY(both.has_value());
    QCOMPARE(both->clips.size(), std::size_t{2});
    QCOMPARE(both->clips[1].name, std::string("walk"));
    compare(endPlaces(*both), endPlaces(rig));
    QVERIFY(both->notes.empty());
    QCOMPARE(both->clips[1].jointTracks, rig.clips[0].jointTracks);
  }

  void otherUnitsAreBroughtToTheRigs() {
    const Character rig = figure(kNames, 1.0, 1.0);
    const auto both = ck::addClips(rig, figure(kNames, 100.0, 0.01));
    QVERIFY(both.has_value());
    compare(endPlaces(*both), endPlaces(rig));
    QVERIFY(hasNote(both->notes, "ClipScaled") && !hasNote(both->notes, "ClipProportions"));
  }

  void otherAxesKeepTheModelUpright() {
    const Character rig = figure(kNames, 1.0, 1.0);
    Character lying = figure(kNames, 1.0, 1.0);
    // Z up: what is (0, y, 0) in the rig is (0, 0, y) in that file, for the root alone; below it
    // the joints' own axes are the same.
    glm::dmat4 zUp(1.0);
    zUp[1] = glm::dvec4(0, 0, -1, 0);
    zUp[2] = glm::dvec4(0, 1, 0, 0);
    lying.rig.joints[0].preTransform = zUp;
    const glm::dquat back = glm::conjugate(ck::rotationOf(glm::dmat3(zUp)));
    lying.rig.joints[0].rest = {{0, 0, 1}, back, glm::dvec3(1)};
    ck::JointTracks& hips = lying.clips[0].jointTracks[0];
    hips.translation.values = {glm::vec3(0, 0, 1), glm::vec3(0, 0, 1.5f)};
    hips.rotation.times = {0.0};
    hips.rotation.values = {glm::quat(float(back.w), float(back.x), float(back.y), float(back.z))};
    compare(endPlaces(lying), endPlaces(rig));
    const auto both = ck::addClips(rig, lying);
    QVERIFY(both.has_value());
    compare(endPlaces(*both), endPlaces(rig));
    QVERIFY(hasNote(both->notes, "ClipTurned"));
  }

  void anotherFigureKeepsItsBones() {
    const Character rig = figure(kNames, 1.0, 1.0);
    const auto both = ck::addClips(rig, figure(kNames, 2.0, 1.0));
    QVERIFY(both.has_value());
    compare(endPlaces(*both), endPlaces(rig));
    QVERIFY(hasNote(both->notes, "ClipProportions"));
    // Only the hips move along; the other bones are the rig's own.
    QVERIFY(both->clips[1].jointTracks[1].translation.empty());
  }

  void jointsWithoutPartnerAreListed() {
    const Character rig = figure({"Hips", "Spine", "Chest"}, 1.0, 1.0);
    Character more = figure(kNames, 1.0, 1.0);
    more.clips[0].jointTracks[3].translation.values[1].x = 1.0f;
    const auto both = ck::addClips(rig, more);
    QVERIFY(both.has_value());
    QVERIFY(hasNote(both->notes, "JointsUnmatched"));
    QVERIFY(both->notes.back().message.find("'Head'") != std::string::npos);
  }

  void onlyClipOfAFileIsCalledLikeItWhereItsNameIsTaken() {
    Character rig = figure(kNames, 1.0, 1.0);
    rig.clips[0].name = "Scene";
    Character walk = rig;
    walk.name = "walk";
    Character jump = rig;
    jump.name = "jump";
    jump.clips[0].name = "Jump up";
    Character pair = rig;
    pair.name = "pair";
    pair.clips.push_back(pair.clips[0]);
    pair.clips[1].name = "Other";
    Character all = rig;
    for (const Character& more : {walk, walk, jump, pair}) {
      auto both = ck::addClips(all, more);
      QVERIFY(both.has_value());
      all = std::move(*both);
    }
    QStringList names;
    for (const ck::Clip& clip : all.clips) names << QString::fromStdString(clip.name);
    const QStringList wanted{"Scene", "walk", "walk (2)", "Jump up", "Scene (2)", "Other"};
    QCOMPARE(names, wanted);
  }

  void turnedRestsAreNamed() {
    const Character rig = figure(kNames, 1.0, 1.0);
    Character turned = figure(kNames, 1.0, 1.0);
    turned.rig.joints[2].rest.rotation = glm::angleAxis(0.5, glm::dvec3(1, 0, 0));
    QVERIFY(
        !hasNote(ck::addClips(rig, turned)->notes, "RestPoseDiffers"));  // motion only: any pose
    turned.meshes.resize(1);
    QVERIFY(hasNote(ck::addClips(rig, turned)->notes, "RestPoseDiffers"));
  }
};

CK_TEST(tst_add_clips)
#include "tst_add_clips.moc"
