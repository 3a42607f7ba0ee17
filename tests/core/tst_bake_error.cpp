#include <QTest>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/bake/bake_error.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Reading;

namespace {

struct Sample {
  double mm = 0.0;
  std::string joint;
  double seconds = 0.0;
};

// The definition of docs/techniques.md 3.4, written out for a clip whose frames are its keys: all
// times are keys and four points inside every interval.
std::vector<Sample> bruteForce(const ck::Character& character, const ck::Atlas& atlas,
                               Reading reading) {
  std::vector<Sample> samples;
  const ck::Clip& clip = character.clips[0];
  const int steps = atlas.clips[0].frameCount - 1;
  for (int i = 0; i <= steps * 5; ++i) {
    const double unit = i / (steps * 5.0);
    const double seconds = clip.startSeconds + unit * clip.durationSeconds;
    const auto source = ck::skinMatricesAt(character.rig, clip, seconds);
    const auto baked = ck::atlasSkinMatrices(atlas, 0, unit, reading);
    for (std::size_t j = 0; j < source.size(); ++j) {
      const glm::dvec3 pivot = ck::pivotOf(character.rig.skinJoints[j]);
      Sample sample{0.0, atlas.joints[j].name, seconds};
      for (const glm::dvec3 off :
           {glm::dvec3(0.03, 0, 0), glm::dvec3(0, 0.03, 0), glm::dvec3(0, 0, 0.03)}) {
        const glm::dvec4 at(pivot + off, 1.0);
        sample.mm = std::max(sample.mm, 1000.0 * glm::distance(glm::dvec3(source[j] * at),
                                                               glm::dvec3(baked[j] * at)));
      }
      samples.push_back(sample);
    }
  }
  return samples;
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance;
}

}  // namespace

class tst_bake_error : public QObject {
  Q_OBJECT
 private slots:
  void rejectsAnAtlasOfAnotherRig_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("another number of joints") << 0 << "2 joints there and 7 here";
    QTest::newRow("another name of a joint") << 1 << "joint 3 is 'joint3' there and 'elbow' here";
    QTest::newRow("a clip that is gone") << 2 << "no clip 'Closed'";
    QTest::newRow("a clip of another length") << 3 << "'Closed' is 1.0000 s long";
  }
  void rejectsAnAtlasOfAnotherRig() {
    QFETCH(int, which);
    QFETCH(QString, says);
    ck::Character limb = ck::test::swingingLimb();
    ck::Atlas atlas = ck::bake(which == 0 ? ck::test::barCharacter() : limb, {})->atlas;
    if (which == 1) limb.rig.joints[3].name = "elbow";
    if (which == 2) limb.clips[0].name = "Other";
    if (which == 3) limb.clips[0].durationSeconds = 0.9;
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(!error);
    QCOMPARE(error.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(error.error().message.find(says.toStdString()) != std::string::npos,
             error.error().message.c_str());
  }

  void agreesWithBruteForce_data() {
    QTest::addColumn<int>("reading");
    QTest::newRow("relative to the parent") << static_cast<int>(Reading::Palette);
    QTest::newRow("each joint by itself") << static_cast<int>(Reading::Direct);
  }
  void agreesWithBruteForce() {
    QFETCH(int, reading);
    ck::Character limb = ck::test::swingingLimb();
    limb.clips.resize(1);
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    const auto measured = ck::measureBakeError(limb, atlas);
    QVERIFY(measured);
    const ck::ErrorFigures& figures =
        static_cast<Reading>(reading) == Reading::Palette ? measured->palette : measured->direct;
    auto samples = bruteForce(limb, atlas, static_cast<Reading>(reading));
    double squares = 0.0;
    for (const Sample& sample : samples) squares += sample.mm * sample.mm;
    std::sort(samples.begin(), samples.end(),
              [](const Sample& a, const Sample& b) { return a.mm < b.mm; });
    const Sample& worst = samples.back();
    QVERIFY(near(figures.maxMm, worst.mm, 1e-3));
    QCOMPARE(figures.worstJoint, worst.joint);
    QCOMPARE(figures.worstClip, std::string("Closed"));
    QVERIFY(near(figures.worstTimeSeconds, worst.seconds, 1e-6));
    QVERIFY(near(figures.rmsMm, std::sqrt(squares / static_cast<double>(samples.size())), 1e-3));
    const double p99 = samples[samples.size() * 99 / 100].mm;
    QVERIFY(near(figures.p99Mm, p99, 0.02 * p99 + 1e-3));
  }

  void theDirectReadingIsTheWorseOne() {
    const ck::Character limb = ck::test::swingingLimb();
    const auto error = ck::measureBakeError(limb, ck::bake(limb, {})->atlas);
    QVERIFY(error);
    QVERIFY(error->palette.maxMm < 0.5);
    QVERIFY(error->direct.maxMm > 2.0 * error->palette.maxMm);
    QVERIFY(error->palette.maxDegrees > 0.0 && error->palette.maxDegrees < 0.1);
  }

  void framesBetweenKeysAreMeasuredToo() {
    // One frame for ten keys: what lies between is lost, and the figure says how much.
    const ck::Character bar = ck::test::barCharacter();
    ck::BakeSettings coarse;
    coarse.frames = 4;
    const auto error = ck::measureBakeError(bar, ck::bake(bar, coarse)->atlas);
    QVERIFY(error);
    QVERIFY(error->palette.maxMm > 5.0);
    QVERIFY(error->palette.maxDegrees > 10.0);
  }

  void aPivotPutWrongIsMeasuredInFull() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::Atlas atlas = ck::bake(limb, {})->atlas;
    // Every position of the last joint 10 mm further along x.
    atlas.ranges.back().low.x += 0.01f;
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(error);
    QVERIFY(near(error->palette.maxMm, 10.0, 0.5));
    QCOMPARE(error->palette.worstJoint, std::string("joint6"));
  }

  void jointsThatMoveNothingAreNotJudged() {
    ck::Character limb = ck::test::swingingLimb();
    for (ck::Influence& influence : limb.meshes[0].influences) {
      if (influence.skinJoint == 6) influence.skinJoint = 5;
    }
    ck::Atlas atlas = ck::bake(limb, {})->atlas;
    atlas.ranges.back().low.x += 0.01f;
    QVERIFY(ck::measureBakeError(limb, atlas)->palette.maxMm < 0.5);
  }

  void verticesAreComparedWithAllInfluencesOfTheSource() {
    ck::Character limb = ck::test::limbCharacter(6);
    limb.clips.push_back(ck::test::swingClip(limb, {}));
    ck::BakeSettings settings;
    settings.influences = 1;
    const ck::Atlas atlas = ck::bake(limb, settings)->atlas;
    double worst = 0.0;
    for (int i = 0; i <= 150; ++i) {
      const auto source = ck::skinMatricesAt(limb.rig, limb.clips[0], i / 150.0);
      const auto baked = ck::atlasSkinMatrices(atlas, 0, i / 150.0, Reading::Palette);
      const auto all = ck::skinMesh(limb.meshes[0], source);
      const auto kept = ck::skinMesh(limb.meshes[0], baked, {.influenceLimit = 1});
      for (std::size_t v = 0; v < all.positions.size(); v += 7) {
        worst = std::max(worst, glm::distance(all.positions[v], kept.positions[v]) * 1000.0);
      }
    }
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(error);
    QVERIFY(near(error->palette.vertexMaxMm, worst, 0.01));
    QVERIFY(error->palette.vertexMaxMm > error->palette.maxMm);
  }

  void withoutInterpolationBothReadingsAreTheNearestFrame() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::BakeSettings settings;
    settings.interpolate = false;
    const auto error = ck::measureBakeError(limb, ck::bake(limb, settings)->atlas);
    QVERIFY(error);
    QCOMPARE(error->palette.maxMm, error->direct.maxMm);
    QVERIFY(error->palette.maxMm > 5.0);
  }

  void sameFiguresOnAnyNumberOfThreads() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = ck::bake(limb, {})->atlas;
    ck::JobContext one;
    one.threadCount = 1;
    ck::JobContext five;
    five.threadCount = 5;
    const auto a = ck::measureBakeError(limb, atlas, one);
    const auto b = ck::measureBakeError(limb, atlas, five);
    QVERIFY(a && b);
    QCOMPARE(a->palette.maxMm, b->palette.maxMm);
    QCOMPARE(a->palette.rmsMm, b->palette.rmsMm);
    QCOMPARE(a->direct.p99Mm, b->direct.p99Mm);
    QCOMPARE(a->direct.worstJoint, b->direct.worstJoint);
  }

  void stoppingIsHeard() {
    const ck::Character limb = ck::test::swingingLimb();
    std::stop_source source;
    source.request_stop();
    ck::JobContext job;
    job.stop = source.get_token();
    const auto error = ck::measureBakeError(limb, ck::bake(limb, {})->atlas, job);
    QCOMPARE(error.error().code, ck::ErrorCode::Cancelled);
  }
};

CK_TEST(tst_bake_error)
#include "tst_bake_error.moc"
