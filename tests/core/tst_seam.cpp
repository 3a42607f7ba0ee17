#include <QTest>

#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/bake/seam.h"
#include "core/error/bake_error.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Seam;
using ck::test::Swing;

namespace {

// A box that follows one joint, which hangs on the root.
struct Part {
  const char* name;
  glm::dvec3 pivot;
  glm::vec3 low;
  glm::vec3 high;
};

// Joint 0 is the root, joint 1 the first part's.
ck::Character parts(const std::vector<Part>& all) {
  ck::Character figure;
  figure.name = "parts";
  figure.rig.joints.resize(1);
  figure.rig.joints[0].name = "root";
  figure.rig.skinJoints = {{0, glm::dmat4(1.0)}};
  for (const Part& part : all) {
    const auto joint = int(figure.rig.joints.size());
    ck::Joint& made = figure.rig.joints.emplace_back();
    made.name = part.name;
    made.parent = 0;
    made.rest.translation = part.pivot;
    figure.rig.skinJoints.push_back({joint, ck::toMatrix({.translation = -part.pivot})});
    ck::Mesh& mesh = figure.meshes.emplace_back();
    mesh.name = part.name;
    mesh.influenceStarts = {0};
    for (int corner = 0; corner < 8; ++corner) {
      mesh.positions.emplace_back(corner & 1 ? part.high.x : part.low.x,
                                  corner & 2 ? part.high.y : part.low.y,
                                  corner & 4 ? part.high.z : part.low.z);
      mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
      mesh.influences.push_back({joint, 1.0f});
      mesh.influenceStarts.push_back(std::uint32_t(corner) + 1);
    }
    mesh.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6};
  }
  return figure;
}

// One second of keys.
template <class DegreesAt>
ck::JointTracks turned(int joint, const glm::dvec3& axis, int keys, DegreesAt degreesAt) {
  ck::JointTracks tracks;
  tracks.joint = joint;
  for (int key = 0; key < keys; ++key) {
    const double t = double(key) / (keys - 1);
    tracks.rotation.times.push_back(t);
    tracks.rotation.values.emplace_back(glm::angleAxis(glm::radians(degreesAt(t)), axis));
  }
  return tracks;
}

template <class PlaceAt>
ck::JointTracks moved(int joint, int keys, PlaceAt placeAt) {
  ck::JointTracks tracks;
  tracks.joint = joint;
  const glm::dvec3 start(0.0, joint == 1 ? 0.5 : 0.0, 0.0);  // where the joints of these tests rest
  for (int key = 0; key < keys; ++key) {
    const double t = double(key) / (keys - 1);
    tracks.translation.times.push_back(t);
    tracks.translation.values.emplace_back(start + placeAt(t));
  }
  return tracks;
}

ck::Clip clipOf(const std::vector<ck::JointTracks>& tracks) {
  ck::Clip clip;
  clip.name = "Clip";
  clip.durationSeconds = 1.0;
  clip.jointTracks = tracks;
  return clip;
}

ck::BakeSettings settingsWith(std::optional<double> seamMm) {
  ck::BakeSettings settings;
  settings.seamMm = seamMm;
  return settings;
}

}  // namespace

class tst_seam : public QObject {
  Q_OBJECT
 private slots:
  void rejectsClipsThatEndElsewhere_data() {
    QTest::addColumn<int>("keys");
    QTest::addColumn<double>("cyclesPerStep");
    QTest::newRow("a third of a cycle") << 31 << 1.0 / 90;
    QTest::newRow("half a cycle") << 31 << 1.0 / 60;
    QTest::newRow("two keys say nothing about the way back") << 2 << 1.0 / 30;
    QTest::newRow("three neither") << 3 << 1.0 / 30;
  }
  void rejectsClipsThatEndElsewhere() {
    QFETCH(int, keys);
    QFETCH(double, cyclesPerStep);
    const ck::Character limb = ck::test::limbCharacter();
    const ck::Clip clip =
        ck::test::swingClip(limb, {.keyCount = keys, .cyclesPerStep = cyclesPerStep});
    QCOMPARE(ck::measureSeam(limb, clip).seam, Seam::None);
  }

  void wholeCyclesCloseInclusively() {
    const ck::Character limb = ck::test::limbCharacter();
    const auto verdict = ck::measureSeam(limb, ck::test::swingClip(limb, Swing{}));
    QCOMPARE(verdict.seam, Seam::Inclusive);
    QVERIFY(verdict.seamMm < 0.01);
    QVERIFY(verdict.stepMm > 1.0);
  }

  void oneStepShortClosesExclusively() {
    const ck::Character limb = ck::test::limbCharacter();
    const auto verdict = ck::measureSeam(limb, ck::test::swingClip(limb, {.keyCount = 30}));
    QCOMPARE(verdict.seam, Seam::Exclusive);
    QVERIFY(verdict.seamMm > 0.5 * verdict.stepMm && verdict.seamMm < 2.0 * verdict.stepMm);
  }

  void keysFarApartMustMeetMoreClosely() {
    // Four keys a second long that end a tenth of a step off: a jump in a loop, not a seam.
    const ck::Character limb = ck::test::limbCharacter();
    const Swing slow{.keyCount = 5, .hz = 1.0, .cyclesPerStep = (1.0 - 1.0 / 40) / 4};
    const auto verdict = ck::measureSeam(limb, ck::test::swingClip(limb, slow));
    QVERIFY(verdict.seamMm < 0.25 * verdict.stepMm);
    QCOMPARE(verdict.seam, Seam::None);
    const Swing apart{.keyCount = 4, .hz = 1.0, .cyclesPerStep = 0.25};
    QCOMPARE(ck::measureSeam(limb, ck::test::swingClip(limb, apart)).seam, Seam::None);
  }

  void aSmallMissStillClosesInclusively() {
    const ck::Character limb = ck::test::limbCharacter();
    const auto clip = ck::test::swingClip(limb, {.cyclesPerStep = (1.0 - 1.0 / 3000) / 30});
    const auto verdict = ck::measureSeam(limb, clip);
    QVERIFY(verdict.seamMm > 0.5 && verdict.seamMm < ck::seamLimitMm(limb, {}));
    QCOMPARE(verdict.seam, Seam::Inclusive);
  }

  void aClipThatStandsStillIsALoop() {
    const ck::Character limb = ck::test::limbCharacter();
    QCOMPARE(ck::measureSeam(limb, ck::test::swingClip(limb, {.amplitudeRadians = 0.0})).seam,
             Seam::Inclusive);
    QCOMPARE(ck::measureSeam(limb, ck::test::swingClip(limb, {.keyCount = 1})).seam,
             Seam::Inclusive);
  }

  // A long clip is measured by some of its steps. One cycle has the mean of all.
  void longClipsCloseAsTheirCyclesDo_data() {
    QTest::addColumn<int>("keysOfCycle");
    for (const int keys : {24, 30, 31, 32, 96, 512}) QTest::addRow("%d", keys) << keys;
  }
  void longClipsCloseAsTheirCyclesDo() {
    QFETCH(int, keysOfCycle);
    const ck::Character limb = ck::test::limbCharacter();
    const int keys = keysOfCycle * (3000 / keysOfCycle + 1);
    QVERIFY(!ck::posesAllKeys(std::size_t(keys)));
    const auto of = [&](int keyCount) {
      return ck::measureSeam(limb, ck::test::swingClip(limb, {.keyCount = keyCount,
                                                              .cyclesPerStep = 1.0 / keysOfCycle}));
    };
    const ck::SeamVerdict cycle = of(keysOfCycle + 1);
    const ck::SeamVerdict closed = of(keys + 1);
    QVERIFY(std::abs(closed.stepMm - cycle.stepMm) < 0.15 * cycle.stepMm);
    QVERIFY(std::abs(closed.seamMm - cycle.seamMm) < 0.01);
    QCOMPARE(closed.seam, Seam::Inclusive);
    QCOMPARE(of(keys).seam, of(keysOfCycle).seam);
    QCOMPARE(of(keys - keysOfCycle / 4).seam, Seam::None);
  }

  // 30 steps of a weight that goes around from 0 by so many cycles; a vertex moves 50 mm.
  void facesDecideWhereJointsStandStill_data() {
    QTest::addColumn<double>("cycles");
    QTest::addColumn<Seam>("seam");
    QTest::newRow("a cycle") << 1.0 << Seam::Inclusive;
    QTest::newRow("a step less") << 29.0 / 30 << Seam::Exclusive;
    QTest::newRow("half a cycle") << 0.5 << Seam::None;
    QTest::newRow("stands still") << 0.0 << Seam::Inclusive;
  }
  void facesDecideWhereJointsStandStill() {
    QFETCH(double, cycles);
    QFETCH(Seam, seam);
    ck::Character limb = ck::test::limbCharacter();
    ck::Clip clip = ck::test::swingClip(limb, Swing{});
    clip.jointTracks.clear();
    const auto weightAt = [cycles](double share) {
      constexpr double kCircle = 6.283185307179586;
      return static_cast<float>(0.5 - 0.5 * std::cos(kCircle * cycles * share) +
                                0.5 * std::sin(kCircle * cycles * share));
    };
    auto& targets = limb.meshes[0].morphTargets;
    targets.resize(2);
    targets[0].vertices = {0};
    targets[0].positionDeltas = {glm::vec3(0.01f, 0.0f, 0.0f)};
    targets[1].vertices = {1, 2};
    targets[1].positionDeltas = {glm::vec3(0.0f), glm::vec3(0.0f, 0.0f, 0.05f)};
    limb.meshes[0].defaultMorphWeights = {0.0f, 0.0f};
    ck::MorphTrack& track = clip.morphTracks.emplace_back();
    track.target = 1;
    for (int key = 0; key <= 30; ++key) {
      track.weight.times.push_back(clip.startSeconds + clip.durationSeconds * key / 30.0);
      track.weight.values.push_back(weightAt(key / 30.0));
    }
    const auto verdict = ck::measureSeam(limb, clip);
    QCOMPARE(verdict.seam, seam);
    const double expected = 50.0 * std::abs(double(weightAt(1.0)) - double(weightAt(0.0)));
    QVERIFY(std::abs(verdict.seamMm - expected) < 1e-3);
    // Beside a body that closes, a face that ends elsewhere is no loop, nor one step short of one.
    clip.jointTracks = ck::test::swingClip(limb, Swing{}).jointTracks;
    const auto both = ck::measureSeam(limb, clip);
    QCOMPARE(both.seam, seam == Seam::Inclusive ? Seam::Inclusive : Seam::None);
    // Blended matrices of joints that turn shorten what the target adds.
    QVERIFY(both.seamMm <= expected + 0.011 && both.seamMm >= 0.5 * expected - 0.011);
  }

  void distancesAreThoseOfTheFormula() {
    // The bar's upper joint turns from 0 to 90 degrees about Y. Its corners are 15 cm from the axis
    // on both sides.
    const double diagonalMm = 300.0 * std::sqrt(0.5);
    const ck::Character bar = ck::test::barCharacter();
    const auto verdict = ck::measureSeam(bar, bar.clips[1]);
    QCOMPARE(verdict.seam, Seam::None);
    QVERIFY(std::abs(verdict.seamMm - 2.0 * diagonalMm * std::sin(glm::radians(45.0))) < 1e-3);
    QVERIFY(std::abs(verdict.stepMm - 2.0 * diagonalMm * std::sin(glm::radians(1.5))) < 1e-3);
  }

  // A wheel that turns far in every step closes. An arm of 1 m ends some degrees from its start:
  // its end has moved by 2 r sin(half of that), whatever the wheel does.
  void aLimbThatEndsElsewhereIsNotClosed_data() {
    QTest::addColumn<double>("degrees");
    QTest::addColumn<int>("turns");
    QTest::addColumn<int>("keys");
    QTest::addColumn<Seam>("seam");
    QTest::newRow("far beside a fast wheel") << 15.0 << 7 << 31 << Seam::None;
    QTest::newRow("far beside a slow wheel") << 15.0 << 1 << 31 << Seam::None;
    QTest::newRow("as far as the wheel in a step") << 2.4 << 1 << 31 << Seam::None;
    QTest::newRow("far, keys far apart") << 15.0 << 1 << 5 << Seam::None;
    QTest::newRow("just too far") << 0.2 << 7 << 31 << Seam::None;
    QTest::newRow("not seen") << 0.1 << 7 << 31 << Seam::Inclusive;
    QTest::newRow("closed") << 0.0 << 7 << 31 << Seam::Inclusive;
  }
  void aLimbThatEndsElsewhereIsNotClosed() {
    QFETCH(double, degrees);
    QFETCH(int, turns);
    QFETCH(int, keys);
    QFETCH(Seam, seam);
    const ck::Character figure =
        parts({{"wheel", {-0.5, 0.2, 0.0}, {-0.56, 0.1, -0.1}, {-0.44, 0.3, 0.1}},
               {"arm", {0.5, 0.0, 0.0}, {0.45, 0.0, -0.05}, {0.55, 1.0, 0.05}}});
    const auto clip =
        clipOf({turned(1, {1, 0, 0}, keys, [turns](double t) { return 360.0 * turns * t; }),
                turned(2, {0, 0, 1}, keys, [degrees](double t) { return degrees * t; })});
    const auto verdict = ck::measureSeam(figure, clip);
    // The longest side of the box is 1.11 m, from the wheel to the arm, and 1/500 of it the limit.
    const double limitMm = 1110.0 / 500.0;
    QVERIFY(std::abs(ck::seamLimitMm(figure, {}) - limitMm) < 1e-3);
    const double radiusMm = 1000.0 * std::sqrt(1.0 + 0.05 * 0.05);
    const double apartMm = 2.0 * radiusMm * std::sin(0.5 * glm::radians(degrees));
    QVERIFY(std::abs(verdict.seamMm - apartMm) < 0.011);
    QCOMPARE(verdict.seam, seam);
    ck::Character whole = figure;
    whole.clips = {clip};
    const auto baked = ck::bake(whole, {});
    QVERIFY(baked);
    QCOMPARE(baked->atlas.clips[0].seam, seam);
    QCOMPARE(baked->atlas.clips[0].loop,
             seam == Seam::None ? ck::LoopMode::Once : ck::LoopMode::Loop);
    // The last frame is that of the source, or less than the limit away.
    const auto error = ck::measureBakeError(whole, baked->atlas);
    QVERIFY(error && error->palette.vertices.max < limitMm + 1.0);
  }

  // A joint 1.5 m from the root that moves vertices 2 m from itself: at 3 cm from the joint nothing
  // could be seen.
  void aSmallJointWithALargeReachCounts() {
    const ck::Character figure =
        parts({{"body", {0.0, 0.5, 0.0}, {-0.3, 0.0, -0.3}, {0.3, 1.0, 0.3}},
               {"flag", {0.0, 1.5, 0.0}, {0.0, 1.5, 0.0}, {2.0, 1.6, 0.0}}});
    const double degrees = 0.3;
    const auto clip = clipOf({turned(1, {0, 1, 0}, 31, [](double t) { return 360.0 * t; }),
                              turned(2, {0, 0, 1}, 31, [degrees](double t) {
                                return 20.0 * std::sin(6.283185307179586 * t) + degrees * t;
                              })});
    const auto verdict = ck::measureSeam(figure, clip);
    const double apartMm = 2000.0 * std::hypot(2.0, 0.1) * std::sin(0.5 * glm::radians(degrees));
    QVERIFY(apartMm > 10.0 && 30.0 * glm::radians(degrees) < 0.2);
    QVERIFY(std::abs(verdict.seamMm - apartMm) < 0.011);
    QCOMPARE(verdict.seam, Seam::None);
  }

  // A body slides 40 mm a step and back, and ends so far from its start.
  void theLimitSaysHowFarALoopIsClosed_data() {
    QTest::addColumn<double>("offMm");
    QTest::addColumn<double>("limitMm");  // below 0: by size
    QTest::addColumn<Seam>("seam");
    QTest::newRow("within the usual limit") << 1.5 << -1.0 << Seam::Inclusive;
    QTest::newRow("beyond it") << 2.5 << -1.0 << Seam::None;
    QTest::newRow("within a chosen one") << 2.5 << 3.0 << Seam::Inclusive;
    QTest::newRow("within a large one") << 300.0 << 310.0 << Seam::Inclusive;
    QTest::newRow("beyond a small one") << 1.5 << 1.0 << Seam::None;
    QTest::newRow("nothing may move") << 0.1 << 0.0 << Seam::None;
    QTest::newRow("nothing moves") << 0.0 << 0.0 << Seam::Inclusive;
  }
  void theLimitSaysHowFarALoopIsClosed() {
    QFETCH(double, offMm);
    QFETCH(double, limitMm);
    QFETCH(Seam, seam);
    const ck::Character figure =
        parts({{"body", {0.0, 0.5, 0.0}, {-0.2, 0.0, -0.2}, {0.2, 1.0, 0.2}}});
    const auto chosen = limitMm < 0.0 ? std::optional<double>() : std::optional(limitMm);
    const auto clip = clipOf({moved(1, 31, [offMm](double t) {
      const double along = 0.6 * (1.0 - std::abs(2.0 * t - 1.0));
      return glm::dvec3(along, 0.001 * offMm * t, 0.0);
    })});
    const auto verdict = ck::measureSeam(figure, clip, chosen);
    QVERIFY(std::abs(verdict.seamMm - offMm) < 0.011);
    QCOMPARE(verdict.seam, seam);
    ck::Character whole = figure;
    whole.clips = {clip};
    const auto window = ck::planWindow(whole, {.name = "Clip"}, settingsWith(chosen));
    QVERIFY(window);
    QCOMPARE(window->measured, seam);
    // A loop that closes by so much may start elsewhere, and no other.
    const ck::BakeClip later{.name = "Clip", .edit = {.loopOffset = 0.5}};
    QCOMPARE(ck::planWindow(whole, later, settingsWith(chosen)).has_value(), seam != Seam::None);
  }

  // The joint above both parts travels 2 m. In place the clip closes, unless the arm does not.
  void theWayOverTheGroundIsNoSeam_data() {
    QTest::addColumn<double>("degrees");
    QTest::addColumn<ck::RootMotion>("motion");
    QTest::addColumn<Seam>("seam");
    QTest::newRow("kept") << 0.0 << ck::RootMotion::Keep << Seam::None;
    QTest::newRow("stripped") << 0.0 << ck::RootMotion::Strip << Seam::Inclusive;
    QTest::newRow("extracted") << 0.0 << ck::RootMotion::Extract << Seam::Inclusive;
    QTest::newRow("stripped, and the arm ends elsewhere")
        << 15.0 << ck::RootMotion::Strip << Seam::None;
    QTest::newRow("extracted, and it does") << 15.0 << ck::RootMotion::Extract << Seam::None;
  }
  void theWayOverTheGroundIsNoSeam() {
    QFETCH(double, degrees);
    QFETCH(ck::RootMotion, motion);
    QFETCH(Seam, seam);
    ck::Character figure =
        parts({{"legs", {0.0, 1.0, 0.0}, {-0.1, 0.0, -0.1}, {0.1, 1.0, 0.1}},
               {"arm", {0.0, 1.0, 0.0}, {-0.05, 1.0, -0.05}, {0.05, 1.8, 0.05}}});
    figure.clips = {clipOf(
        {moved(0, 31, [](double t) { return glm::dvec3(0.0, 0.0, 2.0 * t); }),
         turned(1, {1, 0, 0}, 31, [](double t) { return 40.0 * std::sin(6.283185307179586 * t); }),
         turned(2, {0, 0, 1}, 31, [degrees](double t) { return degrees * t; })})};
    const auto window = ck::planWindow(
        figure, {.name = "Clip", .edit = {.root = {.motion = motion, .joint = "root"}}}, {});
    QVERIFY(window);
    QCOMPARE(window->seam, seam);
    const double armMm = 2000.0 * std::hypot(0.8, 0.05) * std::sin(0.5 * glm::radians(degrees));
    const double dueMm = motion == ck::RootMotion::Keep ? 2000.0 : armMm;
    QVERIFY(std::abs(window->seamMm - dueMm) < 0.02);
  }

  // The lanes measure what the reference in double does.
  void lanesMeasureTheReference() {
    const ck::Character limb = ck::test::swingingLimb();
    for (const ck::Clip& clip : limb.clips) {
      const ck::LoopFigures due = ck::loopFigures(limb, clip);
      const auto is = ck::measureSeam(limb, clip);
      QVERIFY(std::abs(is.seamMm - due.seamMm) < 0.011);
      QVERIFY(std::abs(is.stepMm - due.stepMm) < 1e-3 * due.stepMm);
      QCOMPARE(is.seam, ck::classifySeam(due, ck::seamLimitMm(limb, {})));
    }
  }
};

CK_TEST(tst_seam)
#include "tst_seam.moc"
