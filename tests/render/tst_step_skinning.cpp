#include <QTest>
#include <cmath>

#include "core/error/bake_error.h"
#include "render/gl/handle.h"
#include "render/reference/book_timing.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/gl_stage.h"
#include "tests/support/made_clips.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::rendererFor;

namespace {

// As in tst_skinners_agree.
constexpr double kLiveTolerance = 3e-4;

// Whether any actor is near a key now, where rounding decides on which side of a step it is.
bool isNearStep(const BakedRig& rig, const ck::Crowd& crowd) {
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    const auto index = static_cast<std::size_t>(crowd.clipOf(i));
    const ck::AtlasClip& baked = rig.atlas->clips[index];
    const double seconds = baked.startSeconds + crowd.unitOf(i) * baked.durationSeconds;
    if (ck::test::isNearKey(rig.character->clips[index], seconds)) return true;
  }
  return false;
}

// The crowd at random times.
std::vector<ck::test::Moment> randomMoments(const BakedRig& rig, std::size_t count) {
  const int clips = static_cast<int>(rig.clips.size());
  const std::vector<ck::Actor> actors = ck::test::variedActors(2 * clips, clips);
  std::vector<ck::test::Moment> moments;
  for (const double share : ck::test::randomUnits(count, 31)) {
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(9.0 * share);
    if (isNearStep(rig, crowd)) continue;
    moments.push_back({"at " + std::to_string(9.0 * share) + " s", std::move(crowd)});
  }
  return moments;
}

}  // namespace

// Steps stay steps on the GPU: in every method and encoding, at random moments, every vertex is
// where the source has it, and no prop is between two sizes.
class tst_step_skinning : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void everyMethodKeepsSteps_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<bool>("interpolate");
    QTest::addColumn<double>("reduceMm");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      // R32 refuses scales that change, as props have that are shown and hidden.
      if (ck::isLocal(info) && info.scaleInRange) continue;
      for (const bool interpolate : {true, false}) {
        QTest::addRow("%s %s", std::string(info.name).c_str(), interpolate ? "between" : "nearest")
            << static_cast<int>(info.encoding) << interpolate << 0.0;
      }
      QTest::addRow("%s reduced", std::string(info.name).c_str())
          << static_cast<int>(info.encoding) << true << 6.0;
    }
  }
  void everyMethodKeepsSteps() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, encoding);
    QFETCH(bool, interpolate);
    QFETCH(double, reduceMm);
    ck::BakeSettings settings = ck::test::steppingSettings();
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.reduceMm = reduceMm;
    const BakedRig rig = bakedRig(ck::test::steppingLimb(reduceMm > 0.0 ? 0.06 : 0.6), settings);
    QVERIFY(!rig.atlas->clips[0].stepFrames.empty());
    QCOMPARE(rig.atlas->clips[0].keptMoments.empty(), reduceMm == 0.0);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const auto error = ck::measureBakeError(*rig.character, *rig.atlas);
    QVERIFY(error.has_value());
    ck::render::RenderSettings asked = ck::test::plainSettings();
    asked.view.pose.sampling = ck::samplingFor(interpolate);
    std::vector<ck::test::Moment> moments = randomMoments(rig, interpolate ? 24 : 8);
    for (ck::test::Moment& moment : ck::test::momentsOf(rig, 7)) {
      if (moment.fades) moments.push_back(std::move(moment));
    }
    const auto agreement = ck::test::agreementOf(*renderer, rig, moments, asked);
    QVERIFY2(agreement.problem.empty(), agreement.problem.c_str());
    QVERIFY2(agreement.worstMeters < kLiveTolerance,
             qPrintable(QString("%1 m: %2")
                            .arg(agreement.worstMeters)
                            .arg(QString::fromStdString(agreement.where))));
    if (!interpolate) return;
    const double bound =
        0.002 * std::max(error->palette.vertices.max, error->direct.vertices.max) + kLiveTolerance;
    // An encoding that cannot hold the scales of the limb is off by the error that it states.
    const ck::EncodingInfo& info = ck::encodingInfo(rig.atlas->recipe);
    if (!info.dual && !info.scaleInRange) {
      QVERIFY2(bound < 0.05, qPrintable(QString::number(bound)));
    }
    QVERIFY2(agreement.worstOfSourceMeters < bound,
             qPrintable(QString("%1 m from the source, %2 m measured")
                            .arg(agreement.worstOfSourceMeters)
                            .arg(bound)));
  }

  void theTextureUnitKeepsSteps() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::steppingLimb(), ck::test::steppingSettings());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = ck::Method::Atlas;
    settings.view.pose.sampling = ck::Sampling::HardwareLinear;
    ck::DrawnAs drawn;
    drawn.hardwareLinear = true;
    const auto error = ck::measureBakeError(*rig.character, *rig.atlas, drawn);
    QVERIFY(error.has_value());
    const double bound = 0.002 * error->direct.vertices.max + 1e-3;
    QVERIFY2(bound < 0.03, qPrintable(QString::number(bound)));
    for (const ck::test::Moment& moment : randomMoments(rig, 40)) {
      const auto positions = readBackPositions(*renderer, moment.crowd, settings);
      QVERIFY2(positions.has_value(), positions ? "" : positions.error().message.c_str());
      const double distance = ck::test::largestDistance(
          *positions, ck::render::referencePositions(*rig.character, rig.atlas.get(), moment.crowd,
                                                     settings, true));
      QVERIFY2(distance >= 0.0 && distance < bound, qPrintable(QString::number(distance)));
    }
  }

  void theBookReadsStoredFrames() {
    const BakedRig rig = bakedRig(ck::test::steppingLimb(), ck::test::steppingSettings());
    const int clips = static_cast<int>(rig.clips.size());
    ck::Crowd crowd(ck::test::variedActors(16, clips), rig.clips);
    for (const double share : ck::test::randomUnits(60, 5)) {
      crowd.seek(9.0 * share);
      const ck::OwnedActorRecords still = ck::render::bookRecords(crowd, crowd.instances(), -1.0);
      for (const ck::gpu::CkFrames& shown : still.frames) {
        QCOMPARE(shown.frameB, shown.frameA + 1);
      }
      const ck::OwnedActorRecords timed =
          ck::render::bookRecords(crowd, crowd.instances(), 1.0 / 24.0);
      for (std::size_t i = 0; i < crowd.size(); ++i) {
        const ck::CrowdClip& clip = crowd.clips()[static_cast<std::size_t>(crowd.clipOf(i))];
        const int frameA = timed.frames[i].frameA - clip.firstFrame;
        const int frameB = timed.frames[i].frameB - clip.firstFrame;
        const int moment = ck::momentOfFrame(frameA, ck::frameGridOf(clip));
        const int next = ck::momentOfFrame(frameB, ck::frameGridOf(clip));
        // It leaves a moment by its last frame, and comes to a later one by its first.
        QCOMPARE(frameA, ck::frameOfMoment(moment, ck::frameGridOf(clip)));
        if (next <= moment) continue;
        const bool steps = std::ranges::binary_search(clip.stepFrames, next);
        QCOMPARE(frameB, ck::frameOfMoment(next, ck::frameGridOf(clip)) - (steps ? 1 : 0));
      }
    }
  }

 private:
  ck::test::GlStage stage_;
};

CK_TEST(tst_step_skinning)
#include "tst_step_skinning.moc"
