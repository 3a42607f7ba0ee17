#include <QTest>

#include "core/bake/seam.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Seam;
using ck::test::Swing;

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

  void aTenthOfAStepStillClosesInclusively() {
    const ck::Character limb = ck::test::limbCharacter();
    const auto clip = ck::test::swingClip(limb, {.cyclesPerStep = (1.0 - 1.0 / 300) / 30});
    QCOMPARE(ck::measureSeam(limb, clip).seam, Seam::Inclusive);
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
    // Beside a body that moves, the body decides.
    clip.jointTracks = ck::test::swingClip(limb, Swing{}).jointTracks;
    QCOMPARE(ck::measureSeam(limb, clip).seam, Seam::Inclusive);
  }

  void distancesAreThoseOfTheFormula() {
    // The bar's upper joint turns from 0 to 90 degrees about Y: points 3 cm off the axis move by
    // 2 r sin(45 degrees), those on it not at all.
    const ck::Character bar = ck::test::barCharacter();
    const auto verdict = ck::measureSeam(bar, bar.clips[1]);
    QCOMPARE(verdict.seam, Seam::None);
    QVERIFY(std::abs(verdict.seamMm - 60.0 * std::sqrt(0.5)) < 1e-3);
    QVERIFY(std::abs(verdict.stepMm - 60.0 * std::sin(glm::radians(1.5))) < 1e-3);
  }
};

CK_TEST(tst_seam)
#include "tst_seam.moc"
