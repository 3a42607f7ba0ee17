#include <QTest>
#include <algorithm>

#include "render/gl/handle.h"
#include "render/reference/book_skinner.h"
#include "render/reference/book_timing_skinner.h"
#include "render/reference/crowd_bounds.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using namespace ck::render;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::largestDistance;
using ck::test::plainSettings;

namespace {

constexpr double kFloats = 2e-5;

BakedRig coarseRig() {
  ck::BakeSettings settings;
  settings.frames = 16;
  return bakedRig(ck::test::swingingLimb(), settings);
}

// Actors of the inclusive loop, at own moments of it.
std::vector<ck::Actor> actorsInTime(int count) {
  std::vector<ck::Actor> actors = ck::test::variedActors(count, 1);
  for (ck::Actor& actor : actors) actor.rate = 1.0f;
  return actors;
}

}  // namespace

// The write-up's formulation, which benches compare with: the same picture where its timing is
// right, and the flaw of its timing.
class tst_book_method : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { rig_ = coarseRig(); }
  void init() {
    CK_NEEDS_GL(stage_);
    auto renderer = CrowdRenderer::make();
    QVERIFY(renderer.has_value());
    renderer_ = std::move(*renderer);
    QVERIFY(renderer_->setCharacter(rig_.character).has_value());
    QVERIFY(renderer_->setAtlas(rig_.atlas).has_value());
  }
  void cleanup() {
    renderer_.reset();
    QCOMPARE(stage_.complaints(), std::string());
    QCOMPARE(liveGlObjects(), 0);
  }

  void rejectsWhatItDoesNotHave() {
    CK_NEEDS_GL(stage_);
    const ck::Crowd crowd(actorsInTime(3), rig_.clips);
    RenderSettings settings = bookSettings(1.0 / 60.0);
    settings.view.pose.influences = 2;
    QCOMPARE(readBackPositions(*renderer_, crowd, settings).error().code,
             ck::ErrorCode::Unsupported);
    settings = bookSettings(1.0 / 60.0);
    settings.view.pose.sampling = ck::Sampling::Nearest;
    QCOMPARE(readBackPositions(*renderer_, crowd, settings).error().code,
             ck::ErrorCode::Unsupported);
  }

  void agreesWhereATickIsAFrame() {
    CK_NEEDS_GL(stage_);
    ck::Crowd crowd(actorsInTime(9), rig_.clips);
    for (const double seconds : {0.013, 0.41, 3.7}) {
      crowd.seek(seconds);
      const RenderSettings settings = bookSettings(frameSeconds());
      const auto drawn = readBackPositions(*renderer_, crowd, settings);
      QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
      const double apart = largestDistance(*drawn, reference(crowd, false));
      QVERIFY2(apart >= 0.0 && apart < kFloats, qPrintable(QString::number(apart)));
    }
  }

  // docs/techniques.md 1.4: with ticks shorter than a frame it mostly holds frames, with a coarse
  // texture several times further from the clip than reading between frames is.
  void isFarOffWhereATickIsShorterThanAFrame() {
    CK_NEEDS_GL(stage_);
    ck::Crowd crowd(actorsInTime(9), rig_.clips);
    double ours = 0.0;
    double theirs = 0.0;
    for (int tick = 0; tick < 40; ++tick) {
      crowd.seek(0.0137 + tick / 60.0);
      const auto expected = reference(crowd, true);
      const auto read = readBackPositions(*renderer_, crowd, plainSettings());
      const auto book = readBackPositions(*renderer_, crowd, bookSettings(1.0 / 60.0));
      QVERIFY(read.has_value() && book.has_value());
      ours = std::max(ours, largestDistance(*read, expected));
      theirs = std::max(theirs, largestDistance(*book, expected));
    }
    QVERIFY2(theirs > 4.0 * ours, qPrintable(QString("%1 m and %2 m").arg(theirs).arg(ours)));
  }

  void aPauseSnapsToTheFrameBefore() {
    CK_NEEDS_GL(stage_);
    ck::Actor actor;
    // Nine tenths of the way to frame 4.
    actor.offset = static_cast<float>(3.9 / (rig_.clips[0].frameCount - 1));
    const ck::Crowd late(std::vector{actor}, rig_.clips);
    actor.offset = static_cast<float>(3.0 / (rig_.clips[0].frameCount - 1));
    const ck::Crowd held(std::vector{actor}, rig_.clips);
    const auto paused = readBackPositions(*renderer_, late, bookSettings(0.0));
    QVERIFY(paused.has_value());
    QVERIFY(largestDistance(*paused, reference(held, false)) < 1e-4);
    QVERIFY(largestDistance(*paused, reference(late, false)) > 1e-3);
  }

  void drawsEightyActorsAtATime() {
    CK_NEEDS_GL(stage_);
    ck::Crowd crowd(actorsInTime(200), rig_.clips);
    crowd.seek(0.41);
    Camera camera;
    camera.yaw = 0.0;
    camera.pitch = 0.9;
    frameBox(camera, ck::render::crowdBounds(crowd, rig_.character), 1.6);
    RenderSettings ours = plainSettings();
    RenderSettings book = bookSettings(frameSeconds());
    const auto read = renderer_->drawToFrame(crowd, camera, ours, 320, 200, kSelected);
    QCOMPARE(renderer_->stats().drawCalls, 1);
    const auto drawn = renderer_->drawToFrame(crowd, camera, book, 320, 200, kSelected);
    QVERIFY(read.has_value() && drawn.has_value());
    QCOMPARE(renderer_->stats().drawCalls, 3);
    QCOMPARE(renderer_->stats().fetchesPerVertex, 24);
    QVERIFY(ck::test::differentPixels(*read, *drawn) < 320 * 200 / 500);
    int furthest = -1;
    for (int x = 5; x < 320; x += 12) {
      for (int y = 5; y < 200; y += 12) {
        const auto a = renderer_->pick(crowd, camera, ours, 320, 200, x, y);
        const auto b = renderer_->pick(crowd, camera, book, 320, 200, x, y);
        QVERIFY(a.has_value() && b.has_value());
        QCOMPARE(*b, *a);
        furthest = std::max(furthest, *b);
      }
    }
    QVERIFY(furthest >= 160);
  }

  void bookTimingShowsTheSameFramesOnAnyAtlas() {
    CK_NEEDS_GL(stage_);
    ck::Crowd crowd(actorsInTime(9), rig_.clips);
    for (const double tick : {1.0 / 60.0, frameSeconds(), 0.2, -1.0 / 60.0}) {
      crowd.seek(1.234);
      const auto book = readBackPositions(*renderer_, crowd, bookSettings(tick));
      RenderSettings settings = plainSettings();
      settings.view.pose.viewMode = ck::ViewMode::Compared;
      settings.reference = bookTimingMethod(tick);
      const auto timed = readBackPositions(*renderer_, crowd, settings);
      QVERIFY(book.has_value() && timed.has_value());
      const std::vector<glm::dvec3> expected(book->begin(), book->end());
      const double apart = largestDistance(*timed, expected);
      QVERIFY2(apart >= 0.0 && apart < kFloats, qPrintable(QString::number(apart)));
    }
  }

  void bookTimingStandsRightOfOurs() {
    CK_NEEDS_GL(stage_);
    ck::Crowd crowd(actorsInTime(16), rig_.clips);
    crowd.seek(0.41);
    Camera camera;
    frameBox(camera, ck::render::crowdBounds(crowd, rig_.character), 1.6);
    RenderSettings settings = plainSettings();
    const auto ours = renderer_->drawToFrame(crowd, camera, settings, 320, 200);
    settings.view.pose.viewMode = ck::ViewMode::Compared;
    settings.reference = bookTimingMethod();
    const auto both = renderer_->drawToFrame(crowd, camera, settings, 320, 200);
    QVERIFY(ours.has_value() && both.has_value());
    QCOMPARE(renderer_->stats().drawCalls, 2);
    int left = 0;
    int right = 0;
    for (std::size_t p = 0; p < ours->rgba.size(); ++p) {
      const std::size_t x = p / 4 % 320;
      if (x >= 159 && x <= 161) continue;
      (x < 160 ? left : right) += ours->rgba[p] != both->rgba[p] ? 1 : 0;
    }
    QCOMPARE(left, 0);
    QVERIFY(right > 50);
  }

  // Checks the reference that pictures are compared with.
  void toldTheRightFramesItIsRight() {
    CK_NEEDS_GL(stage_);
    ck::Crowd crowd(ck::test::variedActors(12, static_cast<int>(rig_.clips.size())), rig_.clips);
    crowd.seek(0.377);
    const auto expected = reference(crowd, false);
    const auto drawn = readBackPositions(*renderer_, crowd, bookSettings(-1.0));
    QVERIFY(drawn.has_value());
    const double right = largestDistance(*drawn, expected);
    QVERIFY2(right >= 0.0 && right < 1e-4, qPrintable(QString::number(right)));
    const auto guessed = readBackPositions(*renderer_, crowd, bookSettings(1.0 / 144.0));
    QVERIFY(guessed.has_value() && largestDistance(*guessed, expected) > 1e-3);
  }

 private:
  static constexpr std::uint32_t kSelected[] = {3, 150};

  double frameSeconds() const {
    return rig_.clips[0].durationSeconds / (rig_.clips[0].frameCount - 1);
  }
  RenderSettings bookSettings(double tickSeconds) const {
    RenderSettings settings = plainSettings();
    settings.reference = bookMethod(tickSeconds);
    return settings;
  }
  std::vector<glm::dvec3> reference(const ck::Crowd& crowd, bool fromSource) const {
    return referencePositions(*rig_.character, rig_.atlas.get(), crowd, plainSettings(),
                              fromSource);
  }

  ck::test::GlStage stage_;
  BakedRig rig_;
  std::unique_ptr<CrowdRenderer> renderer_;
};

CK_TEST(tst_book_method)
#include "tst_book_method.moc"
