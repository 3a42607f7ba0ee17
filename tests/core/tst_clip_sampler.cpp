#include <QTest>

#include "core/anim/clip_sampler.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

class tst_clip_sampler : public QObject {
  Q_OBJECT

  static ck::Track<float> ramp(ck::Interpolation interpolation) {
    ck::Track<float> track;
    track.interpolation = interpolation;
    track.times = {1.0, 2.0, 4.0};
    track.values = {10.0f, 20.0f, 0.0f};
    return track;
  }

 private slots:
  void endValuesHoldOutsideTheKeys() {
    for (const auto kind : {ck::Interpolation::Step, ck::Interpolation::Linear}) {
      QCOMPARE(ck::sampleTrack(ramp(kind), 0.0), 10.0);
      QCOMPARE(ck::sampleTrack(ramp(kind), 9.0), 0.0);
    }
  }

  void stepHoldsUntilTheVeryKey() {
    QCOMPARE(ck::sampleTrack(ramp(ck::Interpolation::Step), 1.999999), 10.0);
    QCOMPARE(ck::sampleTrack(ramp(ck::Interpolation::Step), 2.0), 20.0);
  }

  void linearIsStraight() {
    QCOMPARE(ck::sampleTrack(ramp(ck::Interpolation::Linear), 3.0), 10.0);
    QCOMPARE(ck::sampleTrack(ramp(ck::Interpolation::Linear), 1.25), 12.5);
  }

  // A Hermite spline through samples of a cubic with its true derivatives is that cubic.
  void cubicReproducesACubic() {
    const auto f = [](double t) { return 0.5 * t * t * t - 2.0 * t * t + 3.0 * t - 1.0; };
    const auto derivative = [](double t) { return 1.5 * t * t - 4.0 * t + 3.0; };
    ck::Track<float> track;
    track.interpolation = ck::Interpolation::Cubic;
    for (const double t : {0.0, 0.5, 2.0, 3.0}) {
      track.times.push_back(t);
      track.values.push_back(static_cast<float>(derivative(t)));
      track.values.push_back(static_cast<float>(f(t)));
      track.values.push_back(static_cast<float>(derivative(t)));
    }
    for (double t = 0.0; t <= 3.0; t += 0.01) {
      QVERIFY(std::abs(ck::sampleTrack(track, t) - f(t)) < 1e-5);
    }
  }

  void rotationsComeOutAsUnitQuaternions() {
    ck::Track<glm::quat> track;
    track.interpolation = ck::Interpolation::Cubic;
    track.times = {0.0, 1.0};
    const glm::quat zero(0, 0, 0, 0);
    track.values = {zero, glm::quat(1, 0, 0, 0), zero, zero, glm::quat(0, 0, 1, 0), zero};
    QVERIFY(std::abs(glm::length(ck::sampleTrack(track, 0.4)) - 1.0) < 1e-12);
  }

  void jointsWithoutTracksStayAtRest() {
    const ck::Character bar = ck::test::barCharacter();
    const auto locals = ck::sampleClip(bar.rig, bar.clips[0], 0.3);
    QCOMPARE(locals[0], bar.rig.joints[0].rest);
    QCOMPARE(locals[1].translation, bar.rig.joints[1].rest.translation);
  }

  void keyGridOfEvenKeysIsFound() {
    const auto grid = ck::keyGrid(ck::test::barCharacter().clips[0]);
    QVERIFY(grid.has_value());
    QCOMPARE(grid->keyCount, 31);
    QVERIFY(std::abs(grid->stepSeconds - 1.0 / 30.0) < 1e-12);
  }

  void unevenKeysHaveNoGrid() {
    ck::Clip uneven = ck::test::barCharacter().clips[0];
    uneven.jointTracks[0].rotation.times[7] += 0.013;
    QVERIFY(!ck::keyGrid(uneven).has_value());
  }

  void missingKeysKeepTheGrid() {
    ck::Clip sparse = ck::test::barCharacter().clips[0];
    auto& rotation = sparse.jointTracks[0].rotation;
    rotation.times.erase(rotation.times.begin() + 10);
    rotation.values.erase(rotation.values.begin() + 10);
    const auto grid = ck::keyGrid(sparse);
    QVERIFY(grid.has_value());
    QCOMPARE(grid->keyCount, 31);
  }
};

CK_TEST(tst_clip_sampler)
#include "tst_clip_sampler.moc"
