#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/add_clips.h"
#include "core/import/humanoid_names.h"
#include "core/import/joint_map_file.h"
#include "core/import/joint_names.h"
#include "core/import/settle_rig.h"
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

// The same figure and motion with other axes in every joint.
Character withOtherAxes(Character character) {
  std::vector<glm::dquat> turns;
  for (std::size_t j = 0; j < character.rig.joints.size(); ++j) {
    const glm::dvec3 axis = glm::normalize(glm::dvec3(1.0, 0.3 * double(j), -0.7));
    turns.push_back(glm::angleAxis(1.3 + 0.4 * double(j), axis));
  }
  const auto above = [&](std::size_t j) {
    const int parent = character.rig.joints[j].parent;
    return parent < 0 ? glm::dquat(1, 0, 0, 0) : glm::conjugate(turns[std::size_t(parent)]);
  };
  for (std::size_t j = 0; j < turns.size(); ++j) {
    ck::Trs& rest = character.rig.joints[j].rest;
    rest.rotation = above(j) * rest.rotation * turns[j];
    rest.translation = above(j) * rest.translation;
  }
  for (ck::Clip& clip : character.clips) {
    for (ck::JointTracks& tracks : clip.jointTracks) {
      const auto j = std::size_t(tracks.joint);
      for (glm::quat& q : tracks.rotation.values)
        q = glm::quat(above(j) * glm::dquat(q) * turns[j]);
      for (glm::vec3& t : tracks.translation.values) t = glm::vec3(above(j) * glm::dvec3(t));
      if (!tracks.rotation.empty()) continue;
      const glm::dquat& rest = character.rig.joints[j].rest.rotation;
      tracks.rotation.times = {0.0};
      tracks.rotation.values = {glm::quat(rest)};
    }
  }
  return character;
}

// The character with a mesh whose skin is bound where its joints rest, in centimetres and with Z
// up.
Character bound(Character character) {
  ck::Mesh& mesh = character.meshes.emplace_back();
  const glm::dmat4 toModel =
      ck::toMatrix({.rotation = glm::angleAxis(-glm::half_pi<double>(), glm::dvec3(1, 0, 0)),
                    .scale = glm::dvec3(0.01)});
  for (const glm::dmat4& rest : ck::restMatrices(character.rig)) {
    const auto joint = static_cast<int>(character.rig.skinJoints.size());
    character.rig.skinJoints.push_back({joint, ck::affineInverse(rest) * toModel});
    mesh.influences.push_back({joint, 0.25f});
  }
  return character;
}

// A figure of named parts, of which the left ones lie to the left, with one clip that turns the
// head. Y up, facing +Z, 1.7 m.
Character person(const std::vector<std::pair<std::string, glm::dvec3>>& joints,
                 const std::vector<int>& parents) {
  Character character;
  character.name = "person";
  for (std::size_t j = 0; j < joints.size(); ++j) {
    ck::Joint joint;
    joint.name = joints[j].first;
    joint.parent = parents[j];
    const glm::dvec3 above =
        parents[j] < 0 ? glm::dvec3(0.0) : joints[std::size_t(parents[j])].second;
    joint.rest.translation = joints[j].second - above;
    character.rig.joints.push_back(joint);
  }
  ck::Clip clip;
  clip.name = "look";
  clip.durationSeconds = 1.0;
  ck::JointTracks head;
  head.joint = 1;
  head.rotation.times = {0.0, 1.0};
  head.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(0.8f, 0, 0.6f, 0)};
  clip.jointTracks.push_back(head);
  character.clips.push_back(clip);
  return character;
}

Character mixamoPerson() {
  return person({{"mixamorig:Hips", {0, 1, 0}},
                 {"mixamorig:Head", {0, 1.6, 0}},
                 {"mixamorig:LeftHand", {0.7, 1.4, 0}},
                 {"mixamorig:RightHand", {-0.7, 1.4, 0}},
                 {"mixamorig:LeftFoot", {0.1, 0.1, 0}},
                 {"mixamorig:RightFoot", {-0.1, 0.1, 0}}},
                {-1, 0, 0, 0, 0, 0});
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

  void restsInOtherAxesAreCarriedOver() {
    const Character rig = figure(kNames, 1.0, 1.0);
    const Character other = withOtherAxes(rig);
    compare(endPlaces(other), endPlaces(rig));
    ck::ClipFitReport report;
    const auto both = ck::addClips(rig, other, {}, &report);
    QVERIFY(both.has_value());
    compare(endPlaces(*both), endPlaces(rig));
    QVERIFY(report.offset && hasNote(both->notes, "RestPoseFitted"));
    // The second joint was turned by 1.7 radians.
    QVERIFY(std::abs(report.rows[1].restDegrees - glm::degrees(1.7)) < 1e-6);
    // Used as they are, the same keys turn the head elsewhere: its axes are 2.5 radians apart.
    const auto kept = ck::addClips(rig, other, {.rest = ck::RestFit::KeepRotations});
    const auto headOf = [](const Character& character) {
      const ck::Rig& joints = character.rig;
      return ck::globalMatrices(joints, ck::sampleClip(joints, character.clips.back(), 1.0)).back();
    };
    QVERIFY(glm::distance(headOf(*both)[1], headOf(rig)[1]) < 1e-5);
    QVERIFY(glm::distance(headOf(*kept)[1], headOf(rig)[1]) > 0.5);
  }

  // A file that rests in another pose than its skin is bound in, with keys for one joint only.
  void restsAreThoseThatTheSkinIsBoundIn() {
    const Character rig = figure(kNames, 1.0, 1.0);
    Character other = bound(withOtherAxes(rig));
    for (ck::JointTracks& tracks : other.clips[0].jointTracks) {
      if (tracks.joint != 2) tracks.rotation = {};
    }
    other.clips[0].jointTracks[0].translation = {};
    for (const std::size_t j : {std::size_t(1), std::size_t(2), std::size_t(3)}) {
      ck::Trs& rest = other.rig.joints[j].rest;
      rest.rotation =
          rest.rotation * glm::angleAxis(0.4 + 0.2 * double(j), glm::dvec3(0.6, 0, 0.8));
    }
    const auto both = ck::addClips(rig, other);
    QVERIFY(both.has_value());
    QVERIFY(hasNote(both->notes, "RestPoseFitted"));
    compare(endPlaces(*both), endPlaces(other));
  }

  // A rig that rests otherwise than bound gets its motion from the bind pose, too.
  void rigsMayRestInAnyPose() {
    const Character plain = figure(kNames, 1.0, 1.0);
    Character rig = bound(plain);
    rig.rig.joints[1].rest.rotation = glm::angleAxis(0.7, glm::dvec3(1, 0, 0));
    const auto both = ck::addClips(rig, withOtherAxes(plain));
    QVERIFY(both.has_value());
    compare(endPlaces(*both), endPlaces(plain));
  }

  // One skeleton whose second file faces elsewhere, with an arm that hangs down.
  void oneSkeletonKeepsItsKeysWhateverItsRest() {
    const auto joints = [](double degrees, double arm) {
      Character character = person({{"Hips", {0, 1, 0}},
                                    {"Head", {0, 1.6, 0}},
                                    {"LeftUpperArm", {0.2, 1.4, 0}},
                                    {"LeftLowerArm", {0.5, 1.4, 0}},
                                    {"LeftHand", {0.8, 1.4, 0}},
                                    {"RightFoot", {-0.1, 0.1, 0}}},
                                   {-1, 0, 0, 2, 3, 0});
      std::vector<ck::Joint>& all = character.rig.joints;
      all[0].rest.rotation = glm::angleAxis(glm::radians(degrees), glm::dvec3(0, 1, 0));
      all[2].rest.rotation = glm::angleAxis(glm::radians(-arm), glm::dvec3(0, 0, 1));
      ck::JointTracks hips;
      hips.rotation.times = {0.0};
      hips.rotation.values = {glm::quat(all[0].rest.rotation)};
      ck::JointTracks upper = hips;
      upper.joint = 2;
      upper.rotation.values = {glm::quat(all[2].rest.rotation)};
      character.clips[0].jointTracks.insert(character.clips[0].jointTracks.begin(), hips);
      character.clips[0].jointTracks.push_back(upper);
      return character;
    };
    for (const double degrees : {0.0, 47.0, 180.0}) {
      const Character file = joints(degrees, 80.0);
      ck::ClipFitReport report;
      const auto both = ck::addClips(joints(0.0, 10.0), file, {}, &report);
      QVERIFY(both.has_value() && !report.offset);
      compare(endPlaces(*both), endPlaces(file));
      QVERIFY(hasNote(both->notes, "RestPoseDiffers"));
    }
  }

  // A node above the hips carries the figure, also where the rig has its name for something else.
  void nodesAboveTheHipsCarryTheFigure() {
    const std::vector<std::string> names = {"Figure", "Hips", "Spine", "Chest"};
    Character file = figure(names, 1.0, 1.0);
    file.clips[0].jointTracks.erase(file.clips[0].jointTracks.begin() + 1);
    Character rig = figure({"Ground", "Hips", "Spine", "Chest", "Figure"}, 1.0, 1.0);
    rig.rig.joints[4].parent = 0;
    rig.socketCandidates = {"Figure"};
    const auto both = ck::addClips(rig, file);
    QVERIFY(both.has_value());
    const std::vector<glm::dvec3> places = endPlaces(*both);
    compare({places.begin() + 1, places.begin() + 4}, [&] {
      const std::vector<glm::dvec3> wanted = endPlaces(file);
      return std::vector<glm::dvec3>(wanted.begin() + 1, wanted.end());
    }());
  }

  // A joint that one file splits because its scale moves and its child leaves that out.
  void jointsAreSplitInBothFiles() {
    const Character rig = figure({"a:Hips", "a:Spine", "a:Chest", "a:Head"}, 1.0, 1.0);
    Character file = figure({"Hips", "Spine (unscaled)", "Spine", "Chest", "Head"}, 1.0, 1.0);
    file.rig.joints[2].rest.translation = {0, 0, 0};
    file.rig.joints[3].parent = 1;
    std::vector<ck::JointTracks>& tracks = file.clips[0].jointTracks;
    std::swap(tracks[1].rotation, tracks[2].rotation);
    tracks[2].translation = {};
    tracks[2].scale.times = {0.0, 1.0};
    tracks[2].scale.values = {glm::vec3(1), glm::vec3(1.4f, 0.8f, 1)};
    const auto both = ck::addClips(rig, file);
    QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
    QCOMPARE(both->rig.joints.size(), std::size_t{5});
    QVERIFY(!hasNote(both->notes, "JointsUnmatched") && !hasNote(both->notes, "ClipResampled"));
    compare(endPlaces(*both), endPlaces(file));
    // The other way round the file is split.
    const auto split = ck::addClips(*both, rig);
    QVERIFY(split.has_value() && split->rig == both->rig);
    compare(endPlaces(*split), [&] {
      std::vector<glm::dvec3> places = endPlaces(rig);
      places.insert(places.begin() + 1, places[1]);
      return places;
    }());
  }

  void otherAxesAndProportionsKeepTheBones() {
    const Character rig = figure(kNames, 1.0, 1.0);
    const auto both = ck::addClips(rig, withOtherAxes(figure(kNames, 2.0, 1.0)));
    QVERIFY(both.has_value());
    // Twice as large a figure rises twice as far.
    compare(endPlaces(*both), endPlaces(rig));
    // A unit that is chosen says how far: half of what that file means by 1.
    const auto chosen =
        ck::addClips(rig, withOtherAxes(figure(kNames, 2.0, 1.0)), {.metersPerUnit = 1.0});
    QVERIFY(std::abs(endPlaces(*chosen)[0].y - 2.0) < 1e-5);
  }

  void limbsPointWhereThoseOfTheFilePoint() {
    const auto arm = [](const glm::dvec3& along) {
      const glm::dvec3 shoulder(0.2, 1.4, 0);
      return person({{"Hips", {0, 1, 0}},
                     {"Head", {0, 1.6, 0}},
                     {"LeftUpperArm", shoulder},
                     {"LeftLowerArm", shoulder + 0.3 * along},
                     {"LeftHand", shoulder + 0.6 * along},
                     {"LeftFoot", {0.1, 0.1, 0}}},
                    {-1, 0, 0, 2, 3, 0});
    };
    const Character rig = arm(glm::normalize(glm::dvec3(1, -1, 0)));
    Character held = withOtherAxes(arm({1, 0, 0}));
    const auto both = ck::addClips(rig, held);
    QVERIFY(both.has_value());
    // The clip leaves the arm at its rest, which is held out to the side.
    QVERIFY(glm::distance(endPlaces(*both)[4], glm::dvec3(0.8, 1.4, 0)) < 1e-5);
  }

  void motionOfMissingJointsReachesThoseBelow() {
    const Character rig = figure({"Hips", "Spine", "Chest"}, 1.0, 1.0);
    // "Root" lifts everything by half a metre and turns it by 90 degrees about Z.
    Character more = figure({"Root", "Hips", "Spine", "Chest"}, 1.0, 1.0);
    more.rig.joints[0].rest.translation = {0, 0, 0};
    more.clips[0].jointTracks.resize(1);
    more.clips[0].jointTracks[0] = {};
    ck::JointTracks& root = more.clips[0].jointTracks[0];
    const float half = std::sqrt(0.5f);
    root.translation.times = root.rotation.times = {0.0, 1.0};
    root.translation.values = {glm::vec3(0), glm::vec3(0, 0.5f, 0)};
    root.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(half, 0, 0, half)};
    const auto both = ck::addClips(rig, more);
    QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
    compare(endPlaces(*both), {{-1, 0.5, 0}, {-2, 0.5, 0}, {-3, 0.5, 0}});
    QVERIFY(hasNote(both->notes, "ClipResampled") && !hasNote(both->notes, "JointsUnmatched"));
  }

  void nodesThatAClipMovesStayJoints() {
    Character rig = figure({"Root", "Hips", "Spine"}, 1.0, 1.0);
    rig.rig.skinJoints = {{1, glm::dmat4(1.0)}, {2, glm::dmat4(1.0)}};
    rig.clips.clear();
    rig.socketCandidates = {"Root"};
    // Nothing moves the root: its place goes to the hips.
    const Character alone = ck::settled(rig);
    QCOMPARE(alone.rig.joints.size(), std::size_t{2});
    QCOMPARE(alone.rig.joints[0].name, std::string("Hips"));
    QVERIFY(glm::distance(glm::dvec3(ck::restMatrices(alone.rig)[1][3]), glm::dvec3(0, 3, 0)) <
            1e-12);
    QCOMPARE(alone.socketCandidates, std::vector<std::string>{"Root"});
    // A clip of another file does.
    const auto both = ck::addClips(rig, figure({"Root", "Hips", "Spine"}, 1.0, 1.0));
    QVERIFY(both.has_value());
    const Character moved = ck::settled(*both);
    QCOMPARE(moved.rig.joints.size(), std::size_t{3});
    compare(endPlaces(moved), endPlaces(figure({"Root", "Hips", "Spine"}, 1.0, 1.0)));
    // A socket is baked where it rests.
    const Character socket = ck::settled(rig, {"Root", "Nowhere", "Hips", "Root"});
    QCOMPARE(socket.rig.skinJoints.size(), std::size_t{3});
    QVERIFY(socket.rig.skinJoints[0].isSocket && socket.rig.skinJoints[0].joint == 0);
    QVERIFY(glm::distance(ck::pivotOf(socket.rig.skinJoints[0]), glm::dvec3(0, 1, 0)) < 1e-12);
    QVERIFY(hasNote(socket.notes, "SocketMissing", "'Nowhere'"));
    QVERIFY(hasNote(socket.notes, "SocketHasWeights", "'Hips'"));
    QVERIFY(!hasNote(socket.notes, "SocketHasWeights", "'Root'"));
    QVERIFY(ck::validate(socket).has_value());
  }

  void partsOfFiguresAreKnownByTheirNames() {
    const Character unreal = person({{"pelvis", {0, 1, 0}},
                                     {"head", {0, 1.6, 0}},
                                     {"hand_l", {0.7, 1.4, 0}},
                                     {"hand_r", {-0.7, 1.4, 0}},
                                     {"foot_l", {0.1, 0.1, 0}},
                                     {"foot_r", {-0.1, 0.1, 0}}},
                                    {-1, 0, 0, 0, 0, 0});
    const ck::JointMatches matches = ck::matchJoints(mixamoPerson().rig, unreal.rig);
    QCOMPARE(matches.rigJoints, (std::vector<int>{0, 1, 2, 3, 4, 5}));
    QVERIFY(matches.rules[2] == ck::MatchRule::Synonym);
    // Two left hands are none.
    Character twice = unreal;
    twice.rig.joints[3].name = "Hand_L";
    QCOMPARE(ck::matchJoints(mixamoPerson().rig, twice.rig).rigJoints[2], -1);
    // Choices by hand go before all rules.
    const std::map<std::string, std::string> byHand = {
        {"hand_l", "mixamorig:RightHand"}, {"foot_l", ""}, {"foot_r", "nowhere"}};
    const ck::JointMatches chosen = ck::matchJoints(mixamoPerson().rig, unreal.rig, byHand);
    QCOMPARE(chosen.rigJoints, (std::vector<int>{0, 1, 3, -1, -1, 5}));
    QCOMPARE(chosen.unusable.size(), std::size_t{1});
  }

  void conventionsNameTheSameParts_data() {
    QTest::addColumn<QString>("names");
    const auto row = [](const char* title, const char* names) {
      QTest::newRow(title) << QString(names);
    };
    row("VRoid",
        "J_Bip_C_Hips,J_Bip_C_Spine,J_Bip_C_Head,J_Bip_L_UpperArm,J_Bip_L_LowerArm,J_Bip_L_Hand,"
        "J_Bip_R_UpperLeg,J_Bip_R_LowerLeg,J_Bip_R_Foot");
    row("CATS", "Hips,Spine,Head,Left arm,Left elbow,Left wrist,Right leg,Right knee,Right ankle");
    row("Sketchfab",
        "Hips_20,Spine_19,Head_6,LeftArm_12,LeftForeArm_11,LeftHand_10,RightUpLeg_3,RightLeg_2,"
        "RightFoot_1");
    row("Sketchfab, Unreal",
        "pelvis_01,spine_01_02,head_03,upperarm_l_04,lowerarm_l_05,hand_l_06,thigh_r_07,calf_r_08,"
        "foot_r_09");
    row("Reallusion",
        "CC_Base_Hip,CC_Base_Waist,CC_Base_Head,CC_Base_L_Upperarm,CC_Base_L_Forearm,CC_Base_L_"
        "Hand,"
        "CC_Base_R_Thigh,CC_Base_R_Calf,CC_Base_R_Foot");
    row("Daz, Genesis 8",
        "hip,abdomenLower,head,lShldrBend,lForearmBend,lHand,rThighBend,rShin,rFoot");
    row("Daz, Genesis 9", "hip,spine1,head,l_upperarm,l_forearm,l_hand,r_thigh,r_shin,r_foot");
    row("Biped",
        "Bip001 Pelvis,Bip001 Spine,Bip001 Head,Bip001 L UpperArm,Bip001 L Forearm,Bip001 L Hand,"
        "Bip001 R Thigh,Bip001 R Calf,Bip001 R Foot");
    row("Rigify",
        "DEF-spine,DEF-spine.001,DEF-spine.006,DEF-upper_arm.L,DEF-forearm.L,DEF-hand.L,"
        "DEF-thigh.R,DEF-shin.R,DEF-foot.R");
    row("MakeHuman",
        "root,spine05,head,upperarm01.L,lowerarm01.L,wrist.L,upperleg01.R,lowerleg01.R,foot.R");
  }
  void conventionsNameTheSameParts() {
    QFETCH(QString, names);
    const auto rigOf = [](const QStringList& list) {
      ck::Rig rig;
      for (const QString& name : list) rig.joints.emplace_back().name = name.toStdString();
      return rig;
    };
    const ck::Rig mixamo =
        rigOf({"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Head", "mixamorig:LeftArm",
               "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:RightUpLeg",
               "mixamorig:RightLeg", "mixamorig:RightFoot"});
    const ck::Rig other = rigOf(names.split(','));
    QCOMPARE(ck::matchJoints(mixamo, other).rigJoints,
             (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    // Half an arm that the other file has in full is not matched.
    ck::Rig half = other;
    half.joints[4].name = "unknown";
    const ck::JointMatches halved = ck::matchJoints(mixamo, half);
    QVERIFY(halved.rules[3] == ck::MatchRule::Prefix || halved.rigJoints[3] == -1);
    QCOMPARE(halved.rigJoints[7], 7);
  }

  void axesAreThoseOfTheRig_data() {
    QTest::addColumn<int>("up");
    QTest::addColumn<int>("turns");
    QTest::addColumn<double>("unit");
    QTest::addRow("Y up, metres") << 0 << 0 << 1.0;
    QTest::addRow("Z up, centimetres") << 1 << 0 << 0.01;
    QTest::addRow("Z up, facing right, inches") << 1 << 1 << 0.0254;
    QTest::addRow("X up, facing back, millimetres") << 2 << 2 << 0.001;
  }
  void axesAreThoseOfTheRig() {
    QFETCH(int, up);
    QFETCH(int, turns);
    QFETCH(double, unit);
    const Character rig = mixamoPerson();
    Character file = rig;
    file.source.format = "BVH";
    glm::dmat3 axes(1.0);  // model space to the file's
    if (up == 1) axes = glm::dmat3(glm::dvec3(1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0, -1, 0));
    if (up == 2) axes = glm::dmat3(glm::dvec3(0, -1, 0), glm::dvec3(1, 0, 0), glm::dvec3(0, 0, 1));
    axes =
        axes * glm::mat3_cast(glm::angleAxis(turns * glm::half_pi<double>(), glm::dvec3(0, 1, 0)));
    const glm::dquat turn = glm::quat_cast(axes);
    for (ck::Joint& joint : file.rig.joints) {
      joint.rest.translation = axes * joint.rest.translation / unit;
    }
    for (glm::quat& q : file.clips[0].jointTracks[0].rotation.values) {
      q = glm::quat(turn * glm::dquat(q) * glm::conjugate(turn));
    }
    ck::ClipFitReport report;
    const auto both = ck::addClips(rig, file, {}, &report);
    QVERIFY2(both.has_value(), both ? "" : both.error().message.c_str());
    QCOMPARE(report.metersPerUnit, unit);
    QVERIFY(report.up == (up == 0 ? ck::UpAxis::Y : up == 1 ? ck::UpAxis::Z : ck::UpAxis::X));
    const auto wanted = ck::globalMatrices(rig.rig, ck::sampleClip(rig.rig, rig.clips[0], 1.0));
    const auto found =
        ck::globalMatrices(both->rig, ck::sampleClip(both->rig, both->clips.back(), 1.0));
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      for (int c = 0; c < 4; ++c) QVERIFY(glm::distance(wanted[j][c], found[j][c]) < 1e-5);
    }
  }

  void refusalsCountTheJoints() {
    const Character rig = figure(kNames, 1.0, 1.0);
    Character other = figure({"Head", "a", "b", "c"}, 1.0, 1.0);
    other.clips[0].jointTracks.erase(other.clips[0].jointTracks.begin());
    ck::ClipFitReport report;
    const auto refused = ck::addClips(rig, other, {}, &report);
    QVERIFY(!refused.has_value());
    const QString why = QString::fromStdString(refused.error().message);
    QVERIFY2(why.contains("1 of 4 joints") && why.contains("'a', 'b', 'c'") &&
                 why.contains("--map of kiln, Match joints of the editor"),
             qPrintable(why));
    QVERIFY(report.refused);
    QCOMPARE(report.rows.size(), std::size_t{4});
    QCOMPARE(report.rows[0].joint, 3);
  }

  void jointMapsAreReadAsTheyWereWritten() {
    ck::JointMap map;
    map.fit.joints = {{"Bone.012", "upperarm_l"}, {"Camera", ""}};
    map.fit.rest = ck::RestFit::ApplyOffset;
    map.files["Walk.bvh"] = {.up = ck::UpAxis::Z, .metersPerUnit = 0.01};
    const auto back = ck::jointMapFromText(ck::jointMapText(map));
    QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
    QVERIFY(*back == map);
    QCOMPARE(back->fitOf("somewhere/walk.BVH").metersPerUnit, 0.01);
    QVERIFY(back->fitOf("run.bvh").rest == ck::RestFit::ApplyOffset);
    for (const char* wrong :
         {"{\"joint\": {}}", "{\"rest\": \"bend\"}", "[]", "{\"joints\": {\"a\": 1}}",
          "{\"metersPerUnit\": -1}", "{\"files\": {\"a.bvh\": {\"files\": {}}}}"}) {
      QVERIFY2(!ck::jointMapFromText(wrong).has_value(), wrong);
    }
  }
};

CK_TEST(tst_add_clips)
#include "tst_add_clips.moc"
