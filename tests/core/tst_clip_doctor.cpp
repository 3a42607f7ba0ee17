#include <fmt/format.h>

#include <QTest>

#include "core/anim/clip_sampler.h"
#include "core/anim/edited_clip.h"
#include "core/anim/pose.h"
#include "core/project/clip_doctor.h"
#include "core/skinning/cpu_skinning.h"
#include "core/stage/pipeline.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/test_program.h"

using ck::FindingKind;
using ck::FindingLevel;
using ck::LoopMode;
using Findings = std::vector<ck::ClipFinding>;

namespace {

// A character with one clip, and the project's settings for it.
struct Patient {
  ck::Character character;
  ck::ProjectCharacter settings;

  explicit Patient(ck::Clip clip, ck::Character rig = ck::test::limbCharacter())
      : character(std::move(rig)) {
    character.clips = {std::move(clip)};
    settings.clips = ck::adoptedClips({}, character);
  }
  ck::ProjectClip& clip() { return settings.clips.front(); }
  Findings findings() const { return ck::examineClips(character, settings); }
};

ck::Clip swing(const ck::test::Swing& how = {}) {
  return ck::test::swingClip(ck::test::limbCharacter(), how);
}

// Keys at the joints' rest, but that joint 2 is turned by `radians`.
ck::Clip standing(int keys, double radians, const char* name) {
  const ck::Character limb = ck::test::limbCharacter();
  ck::Clip clip;
  clip.name = name;
  clip.durationSeconds = (keys - 1) / 30.0;
  for (std::size_t j = 0; j < limb.rig.joints.size(); ++j) {
    ck::JointTracks tracks;
    tracks.joint = static_cast<int>(j);
    glm::dquat rotation = limb.rig.joints[j].rest.rotation;
    if (j == 2) rotation = rotation * glm::angleAxis(radians, glm::dvec3(1.0, 0.0, 0.0));
    for (int key = 0; key < keys; ++key) {
      tracks.rotation.times.push_back(key / 30.0);
      tracks.rotation.values.emplace_back(rotation);
    }
    clip.jointTracks.push_back(tracks);
  }
  return clip;
}

// A swing whose root goes this way, in metres from its first to its last key.
ck::Clip going(const glm::vec3& way, const ck::test::Swing& how = {}) {
  ck::Clip clip = swing(how);
  ck::Track<glm::vec3>& root = clip.jointTracks[0].translation;
  for (std::size_t key = 0; key < root.times.size(); ++key) {
    root.values[key] += way * float(key) / float(root.times.size() - 1);
  }
  return clip;
}

// The largest distance of a vertex between two moments, in millimetres, by the reference skinning.
double verticesApartMm(const ck::Character& character, double a, double b) {
  double largest = 0.0;
  for (const ck::Mesh& mesh : character.meshes) {
    const auto at = [&](double time) {
      return ck::skinMesh(mesh, ck::skinMatricesAt(character.rig, character.clips[0], time))
          .positions;
    };
    const auto first = at(a);
    const auto last = at(b);
    for (std::size_t v = 0; v < first.size(); ++v) {
      largest = std::max(largest, 1000.0 * glm::distance(first[v], last[v]));
    }
  }
  return largest;
}

bool says(const ck::ClipFinding& finding, const std::string& words) {
  return finding.message.find(words) != std::string::npos;
}

bool finds(const Patient& patient, FindingKind kind) {
  return std::ranges::count(patient.findings(), kind, &ck::ClipFinding::kind) > 0;
}

std::string messages(const Findings& findings) {
  std::string text;
  for (const ck::ClipFinding& finding : findings) {
    text += std::string(ck::findingInfo(finding.kind).code) + ": " + finding.message + "; ";
  }
  return text;
}

// Fixes the only finding, of that kind, and looks whether that was all.
bool isMended(Patient& patient, FindingKind kind) {
  const Findings found = patient.findings();
  if (found.size() != 1 || found[0].kind != kind) {
    qWarning("found %s", messages(found).c_str());
    return false;
  }
  if (!ck::applyFix(patient.settings, found[0])) return false;
  const Findings left = patient.findings();
  if (!left.empty()) qWarning("left %s", messages(left).c_str());
  return left.empty();
}

}  // namespace

class tst_clip_doctor : public QObject {
  Q_OBJECT
 private slots:
  void soundClipsHaveNoFindings() {
    ck::Character limb = ck::test::swingingLimb();
    ck::ProjectCharacter settings;
    settings.clips = ck::adoptedClips({}, limb);
    const Findings found = ck::examineClips(limb, settings);
    QVERIFY2(found.empty(), messages(found).c_str());
  }

  void emptyTakesAreLeftOut() {
    Patient named(standing(31, 0.0, "Idle"));
    QCOMPARE(named.findings()[0].level, FindingLevel::Look);
    Patient take(standing(31, 0.0, "Take 001"));
    QCOMPARE(take.findings()[0].level, FindingLevel::Bad);
    QVERIFY(says(take.findings()[0], "31 keys"));
    QVERIFY(says(take.findings()[0], "1.000 s"));
    QVERIFY(isMended(take, FindingKind::EmptyTake));
    QVERIFY(!take.clip().ticked);
  }

  void posesOfRestAndBindAreTold() {
    Patient rest(standing(1, 0.0, "TPose"));
    QVERIFY(isMended(rest, FindingKind::RestClip));
    // The rig rests otherwise than it was bound, and the clip shows it as it was bound.
    ck::Character relaxed = ck::test::limbCharacter();
    ck::Trs& elbow = relaxed.rig.joints[3].rest;
    elbow.rotation = elbow.rotation * glm::angleAxis(0.7, glm::dvec3(0.0, 0.0, 1.0));
    Patient bind(standing(31, 0.0, "TPose"), relaxed);
    QVERIFY(says(bind.findings()[0], "bound"));
    QVERIFY(isMended(bind, FindingKind::RestClip));
    QVERIFY(!bind.clip().ticked);
  }

  void aMorphIsNoRest() {
    ck::Character limb = ck::test::limbCharacter();
    ck::Mesh& mesh = limb.meshes[0];
    mesh.morphTargets = {{"smile", {0}, {glm::vec3(0.1f)}, {}, {}}};
    mesh.defaultMorphWeights = {0.0f};
    ck::Clip clip = standing(3, 0.0, "Smile");
    clip.morphTracks = {{0, 0, {ck::Interpolation::Linear, {0.0, 1.0 / 30, 2.0 / 30}, {0, 1, 0}}}};
    QVERIFY(!finds(Patient(clip, limb), FindingKind::EmptyTake));
    clip.morphTracks[0].weight.values = {0, 0, 0};
    QCOMPARE(Patient(clip, limb).findings()[0].kind, FindingKind::EmptyTake);
  }

  void posesAreHeld() {
    Patient one(standing(1, 0.5, "Sit"));
    QVERIFY(isMended(one, FindingKind::PosePlayed));
    QCOMPARE(one.clip().loop, std::optional(LoopMode::Once));
    QVERIFY(!one.clip().edit.trim);
    Patient many(standing(31, 0.5, "Sit"));
    QVERIFY(isMended(many, FindingKind::PosePlayed));
    QVERIFY(std::abs(many.clip().edit.trim->endSeconds - 1.0 / 30) < 1e-9);
  }

  void anEndPoseIsPlayedOnce() {
    Patient exclusive(swing());
    exclusive.clip().seam = ck::SeamChoice::Exclusive;
    QVERIFY(says(exclusive.findings()[0], "33.3 ms"));
    QVERIFY(isMended(exclusive, FindingKind::DoubledEnd));
    QCOMPARE(exclusive.clip().seam, ck::SeamChoice::Auto);
    ck::Clip repeated = swing();
    for (ck::JointTracks& tracks : repeated.jointTracks) {
      tracks.rotation.times.push_back(31 / 30.0);
      tracks.rotation.values.push_back(tracks.rotation.values.back());
    }
    repeated.durationSeconds = 31 / 30.0;
    Patient twice(repeated);
    QVERIFY(isMended(twice, FindingKind::DoubledEnd));
    QVERIFY(std::abs(twice.clip().edit.trim->endSeconds - 1.0) < 1e-9);
  }

  void openSeamsAreMeasuredAtVertices() {
    // A cycle and a quarter: the ends are as far apart as the reference skinning says, and the
    // first cycle closes.
    const ck::Clip clip = swing({.keyCount = 39});
    Patient patient(clip);
    const Findings once = patient.findings();
    QCOMPARE(once.size(), std::size_t{1});
    QCOMPARE(once[0].level, FindingLevel::Look);
    const double apart = verticesApartMm(patient.character, 0.0, 38 / 30.0);
    QVERIFY(apart > 50.0);
    QVERIFY2(says(once[0], fmt::format("{:.3g} mm apart at vertices (Tube)", apart)),
             once[0].message.c_str());
    patient.clip().loop = LoopMode::Loop;
    QCOMPARE(patient.findings()[0].level, FindingLevel::Bad);
    QVERIFY(isMended(patient, FindingKind::OpenSeam));
    QVERIFY(std::abs(patient.clip().edit.trim->endSeconds - 1.0) < 1e-9);
    QCOMPARE(patient.clip().loop, std::optional(LoopMode::Loop));
  }

  void whatNeverComesBackIsPlayedOnce() {
    const ck::Clip clip = swing({.keyCount = 20});
    QVERIFY(Patient(clip).findings().empty());
    Patient patient(clip);
    patient.clip().loop = LoopMode::Loop;
    QVERIFY(isMended(patient, FindingKind::OpenSeam));
    QCOMPARE(patient.clip().loop, std::optional(LoopMode::Once));
  }

  void driftIsTakenOut() {
    Patient walk(going({0.3f, 0.0f, 1.2f}));
    const Findings found = walk.findings();
    QVERIFY(!found.empty());
    QVERIFY2(says(found[0], "joint0 travels 1.24 m"), found[0].message.c_str());
    QVERIFY(says(found[0], "(0.3, 1.2)"));
    QCOMPARE(found[0].level, FindingLevel::Look);
    QVERIFY(!found[0].fixesHeight);
    QVERIFY(isMended(walk, FindingKind::RootDrift));
    QCOMPARE(walk.clip().edit.root.motion, ck::RootMotion::Strip);
    Patient looped(going({0.0f, 0.0f, 1.2f}));
    looped.clip().loop = LoopMode::Loop;
    QCOMPARE(looped.findings()[0].level, FindingLevel::Bad);
    Patient sinking(going({0.0f, -0.25f, 0.0f}));
    const Findings sinks = sinking.findings();
    QVERIFY(!sinks.empty());
    QVERIFY2(says(sinks[0], "joint0 sinks by 0.25 m"), messages(sinks).c_str());
    QVERIFY(ck::applyFix(sinking.settings, sinks[0]));
    QVERIFY(sinking.clip().edit.root.y);
  }

  void aWayWithoutACycleIsNoDrift() {
    const Findings found = Patient(going({0.0f, 0.0f, 1.0f}, {.keyCount = 20})).findings();
    QVERIFY2(found.empty(), messages(found).c_str());
    // A thing that only slides.
    ck::Clip slide = standing(31, 0.0, "Slide");
    slide.jointTracks[0].translation = {
        ck::Interpolation::Linear, {0.0, 1.0}, {{0, 0, 0}, {0, 0, 1}}};
    QVERIFY(!finds(Patient(slide), FindingKind::RootDrift));
  }

  void ratesThatMissKeysAreTold() {
    // Of 31 keys at 30 a second, a rate of 24 meets every fifth.
    Patient patient(swing());
    patient.settings.bake.rateHz = 60.0;
    QVERIFY(patient.findings().empty());
    patient.settings.bake.rateHz = 24.0;
    const Findings found = patient.findings();
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].clip, -1);
    QVERIFY2(
        says(found[0], "30 keys a second") && says(found[0], "24 frames a second miss 24 of 31"),
        found[0].message.c_str());
    QVERIFY(isMended(patient, FindingKind::KeyRate));
    QCOMPARE(patient.settings.bake.rateHz, 0.0);
    patient.settings.bake.frames = 20;
    QVERIFY(isMended(patient, FindingKind::KeyRate));
    QCOMPARE(patient.settings.bake.frames, 0);
  }

  void idleScaleKeysAreDropped_data() {
    QTest::addColumn<float>("share");
    QTest::addColumn<bool>("told");
    QTest::newRow("none") << 0.0f << false;
    QTest::newRow("float noise") << 1e-6f << false;
    QTest::newRow("a thousandth") << 1e-3f << true;
    QTest::newRow("seen") << 0.2f << false;
  }
  void idleScaleKeysAreDropped() {
    QFETCH(float, share);
    QFETCH(bool, told);
    ck::Clip clip = swing();
    for (std::size_t key = 0; key < 31; ++key) {
      clip.jointTracks[1].scale.times.push_back(double(key) / 30.0);
      clip.jointTracks[1].scale.values.emplace_back(1.0f + share * float(key % 2));
    }
    Patient patient(clip);
    if (!told) {
      QVERIFY(!finds(patient, FindingKind::IdleScale));
    } else {
      QVERIFY(says(patient.findings()[0], "1 joint stay within 0.1 %"));
      QVERIFY(isMended(patient, FindingKind::IdleScale));
      QVERIFY(patient.clip().edit.dropScale);
    }
  }

  void nearKeysAreToldFromJumps() {
    ck::Clip clip = swing();
    ck::Track<glm::quat>& track = clip.jointTracks[2].rotation;
    const auto insert = [&track](const glm::quat& value) {
      track.times.insert(track.times.begin() + 11, 10 / 30.0 + 0.0004);
      track.values.insert(track.values.begin() + 11, value);
    };
    const glm::dquat between = ck::sampleTrack(track, 10 / 30.0 + 0.0004);
    ck::Clip jump = clip;
    insert(glm::quat(between));
    Patient patient(clip);
    const Findings found = patient.findings();
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].kind, FindingKind::NearKeys);
    QVERIFY2(says(found[0], "1 key") && says(found[0], "0.4 ms") && says(found[0], "33.3 ms"),
             found[0].message.c_str());
    QVERIFY(isMended(patient, FindingKind::NearKeys));
    const double gap = patient.clip().edit.smallestKeyGapSeconds;
    QVERIFY(gap > 0.0004 && gap < 0.001);
    ck::Track<glm::quat>& leap = jump.jointTracks[2].rotation;
    leap.times.insert(leap.times.begin() + 11, 10 / 30.0 + 0.0004);
    leap.values.insert(leap.values.begin() + 11,
                       glm::quat(between * glm::angleAxis(1.0, glm::dvec3(0.0, 1.0, 0.0))));
    for (const ck::ClipFinding& finding : Patient(jump).findings()) {
      QVERIFY(finding.kind != FindingKind::NearKeys);
    }
  }

  // A joint turns slowly; between two keys Euler angles jump by 358 degrees, and the file was
  // sampled on the way.
  void flipsAreFoundAndTakeTheShortWay() {
    ck::Clip clip = swing({.amplitudeRadians = 0.2});
    ck::Track<glm::quat>& track = clip.jointTracks[2].rotation;
    const ck::Clip smooth = clip;
    const glm::dquat from(track.values[10]);
    for (int part = 1; part < 36; ++part) {
      const double share = part / 36.0;
      const auto at = track.times.begin() + 10 + part;
      track.times.insert(at, (10.0 + share) / 30.0);
      track.values.insert(
          track.values.begin() + 10 + part,
          glm::quat(from * glm::angleAxis(-share * glm::radians(358.0), glm::dvec3(0, 1, 0))));
    }
    Patient patient(clip);
    QVERIFY2(finds(patient, FindingKind::RotationFlip), messages(patient.findings()).c_str());
    QVERIFY2(says(patient.findings()[0], "joint2 flips: at 0.333 s"),
             messages(patient.findings()).c_str());
    QCOMPARE(patient.findings()[0].level, FindingLevel::Bad);
    QVERIFY(ck::applyFix(patient.settings, patient.findings()[0]));
    QVERIFY(!finds(patient, FindingKind::RotationFlip));
    const auto mended =
        ck::editedClip(patient.character, clip, patient.clip().edit)->jointTracks[2].rotation;
    for (double seconds = 0.0; seconds < 1.0; seconds += 0.01) {
      const glm::dquat a = ck::sampleTrack(mended, seconds);
      const glm::dquat b = ck::sampleTrack(smooth.jointTracks[2].rotation, seconds);
      QVERIFY(std::abs(glm::dot(a, b)) > 0.999);
    }
    // Of a file of 120 keys a second every fourth key would stay, and one of them lies in the flip.
    ck::Clip dense = smooth;
    ck::Track<glm::quat>& keys = dense.jointTracks[2].rotation;
    keys = {};
    for (int key = 0; key <= 120; ++key) {
      const double share = std::clamp((key - 13) / 4.0, 0.0, 1.0);
      keys.times.push_back(key / 120.0);
      keys.values.push_back(
          glm::angleAxis(glm::radians(358.0f * float(share)), glm::vec3(0, 1, 0)));
    }
    const Findings unaligned = Patient(dense).findings();
    const auto flip =
        std::ranges::find(unaligned, FindingKind::RotationFlip, &ck::ClipFinding::kind);
    QVERIFY2(flip != unaligned.end(), messages(unaligned).c_str());
    QVERIFY(flip->fix.empty());
    // A rotor turns so all the time.
    ck::Clip rotor = smooth;
    ck::Track<glm::quat>& spin = rotor.jointTracks[2].rotation;
    spin = {};
    for (int key = 0; key <= 360; ++key) {
      spin.times.push_back(key / 360.0);
      spin.values.push_back(glm::angleAxis(glm::radians(30.0f * float(key)), glm::vec3(0, 1, 0)));
    }
    QVERIFY(!finds(Patient(rotor), FindingKind::RotationFlip));
    QVERIFY(!finds(Patient(smooth), FindingKind::RotationFlip));
  }

  void clipsThatOutlastTheirMotionAreCut() {
    ck::Clip clip = swing();
    // The last pose is held for nine seconds, with a key at each second.
    for (ck::JointTracks& tracks : clip.jointTracks) {
      for (int second = 1; second <= 9; ++second) {
        tracks.rotation.times.push_back(1.0 + second);
        tracks.rotation.values.push_back(tracks.rotation.values.back());
      }
    }
    clip.durationSeconds = 10.0;
    Patient patient(clip);
    QVERIFY2(finds(patient, FindingKind::LongSpan), messages(patient.findings()).c_str());
    QVERIFY(isMended(patient, FindingKind::LongSpan));
    QVERIFY(patient.clip().edit.trim.has_value());
    QVERIFY(std::abs(patient.clip().edit.trim->startSeconds) < 1e-9);
    QVERIFY(std::abs(patient.clip().edit.trim->endSeconds - 1.0) < 1e-9);
    QVERIFY(!finds(Patient(swing()), FindingKind::LongSpan));
  }

  void verticesBelowTheGroundAreTold() {
    const ck::Character limb = ck::test::limbCharacter();
    const ck::Bounds bounds = ck::bindBounds(limb);
    ck::Character standing = limb;  // so that its lowest vertex lies on the ground
    for (ck::Mesh& mesh : standing.meshes) {
      for (glm::vec3& position : mesh.positions) position.y -= float(bounds.low.y);
    }
    for (ck::SkinJoint& joint : standing.rig.skinJoints) {
      joint.inverseBind[3] += joint.inverseBind * glm::dvec4(0, bounds.low.y, 0, 0);
    }
    ck::Clip clip = swing();
    const float height = float(bounds.high.y - bounds.low.y);
    for (glm::vec3& place : clip.jointTracks[0].translation.values) {
      place.y -= float(bounds.low.y) + 0.1f + 0.1f * height;
    }
    const Patient patient(clip, standing);
    QVERIFY2(finds(patient, FindingKind::BelowGround), messages(patient.findings()).c_str());
    for (glm::vec3& place : clip.jointTracks[0].translation.values) place.y += 2.0f * height + 1.0f;
    QVERIFY(!finds(Patient(clip, standing), FindingKind::BelowGround));
  }

  void clipsUnderASecondNameAreLeftOut() {
    Patient patient(swing());
    ck::Clip again = patient.character.clips[0];
    again.name = "Again";
    ck::Clip other = swing({.amplitudeRadians = 0.5});
    other.name = "Other";
    patient.character.clips.push_back(other);
    patient.character.clips.push_back(again);
    patient.settings.clips = ck::adoptedClips({}, patient.character);
    const Findings found = patient.findings();
    QCOMPARE(std::ranges::count(found, FindingKind::SameClip, &ck::ClipFinding::kind), 1);
    const auto same = std::ranges::find(found, FindingKind::SameClip, &ck::ClipFinding::kind);
    QCOMPARE(same->clip, 2);
    QVERIFY(says(*same, "it is 'Swing' under a second name"));
    QVERIFY(ck::applyFix(patient.settings, *same));
    QVERIFY(!patient.settings.clips[2].ticked);
    QVERIFY(patient.settings.clips[0].ticked);
    QVERIFY(!finds(patient, FindingKind::SameClip));
  }

  void spansOfTheSceneAreCutAtOnce() {
    Patient patient(swing());
    patient.character.clips.clear();
    for (const float radians : {0.3f, 0.4f, 0.5f}) {
      ck::Clip clip = swing({.amplitudeRadians = double(radians)});
      clip.name = fmt::format("Take {}", radians);
      for (ck::JointTracks& tracks : clip.jointTracks) {
        tracks.rotation.times.push_back(20.0);
        tracks.rotation.values.push_back(tracks.rotation.values.back());
      }
      clip.durationSeconds = 20.0;
      patient.character.clips.push_back(clip);
    }
    patient.settings.clips = ck::adoptedClips({}, patient.character);
    const Findings found = patient.findings();
    const auto spans = std::ranges::find(found, FindingKind::SpansAlike, &ck::ClipFinding::kind);
    QVERIFY2(spans != found.end(), messages(found).c_str());
    QVERIFY(ck::applyFix(patient.settings, *spans));
    for (const ck::ProjectClip& clip : patient.settings.clips) {
      QVERIFY(clip.edit.trim.has_value());
      QVERIFY(std::abs(clip.edit.trim->endSeconds - 1.0) < 1e-9);
    }
    QVERIFY(!finds(patient, FindingKind::SpansAlike));
  }

  void stillJointsAreCounted() {
    // Joints 3 and 4 end the chain, 5 and 6 are the branch: all but 5 stand still.
    ck::Clip clip = swing();
    std::erase_if(clip.jointTracks, [](const ck::JointTracks& tracks) {
      return tracks.joint == 3 || tracks.joint == 4 || tracks.joint == 6;
    });
    Patient patient(clip);
    QVERIFY2(says(patient.findings()[0], "3 of 7 skin joints"),
             messages(patient.findings()).c_str());
    QVERIFY(says(patient.findings()[0], "43 % smaller"));
    QVERIFY(isMended(patient, FindingKind::StillJoints));
    QVERIFY(patient.settings.import.mergeStillJoints);
  }

  void untickedAndMissingClipsAreLeftAlone() {
    Patient patient(standing(31, 0.0, "Idle"));
    patient.clip().ticked = false;
    QVERIFY(patient.findings().empty());
    patient.clip().ticked = true;
    patient.clip().name = "Gone";
    QVERIFY(patient.findings().empty());
  }

  void aFixWithoutItsClipChangesNothing() {
    Patient patient(standing(31, 0.0, "Idle"));
    ck::ClipFinding finding = patient.findings()[0];
    const ck::ProjectCharacter before = patient.settings;
    finding.clip = 7;
    QVERIFY(!ck::applyFix(patient.settings, finding));
    finding.clip = 0;
    finding.fix.clear();
    QVERIFY(!ck::applyFix(patient.settings, finding));
    QVERIFY(patient.settings == before);
  }

  void aStoppedExaminationFindsNothing() {
    Patient patient(standing(31, 0.0, "Idle"));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(
        ck::examineClips(patient.character, patient.settings, {.stop = stop.get_token()}).empty());
  }

  void rigsWithoutASkinAreMeasuredAtJoints() {
    ck::Character bones = ck::test::limbCharacter();
    bones.rig.skinJoints.clear();
    bones.meshes.clear();
    QVERIFY(Patient(swing(), bones).findings().empty());
    QCOMPARE(Patient(standing(31, 0.0, "Idle"), bones).findings()[0].kind, FindingKind::EmptyTake);
  }
};

CK_TEST(tst_clip_doctor)
#include "tst_clip_doctor.moc"
