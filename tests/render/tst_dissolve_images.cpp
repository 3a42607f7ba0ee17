#include <epoxy/gl.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <optional>

#include "render/far/far_dots.h"
#include "render/gl/framebuffer.h"
#include "render/gl/handle.h"
#include "render/view/crowd_detail.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::Method;
using ck::render::Camera;
using ck::render::CrowdRenderer;
using ck::render::DetailStats;
using ck::render::Frame;
using ck::render::RenderSettings;
using ck::test::bakedHumanoid;
using ck::test::BakedRig;

namespace {

constexpr int kWidth = 480;
constexpr int kHeight = 270;
constexpr int kActors = 400;
constexpr float kSpacingMeters = 8.0f;
// Colours that differ by less are the same; drivers round differently in other programs.
constexpr int kSame = 3;

Frame drawn(CrowdRenderer& renderer, const Crowd& crowd, const Camera& camera,
            const RenderSettings& settings) {
  auto frame = renderer.drawToFrame(crowd, camera, settings, kWidth, kHeight);
  if (!frame) qFatal("%s", frame.error().message.c_str());
  return std::move(*frame);
}

// The ordered pattern of the literature (Bayer 1973), not the formula of the shader.
constexpr int kBayer[8][8] = {{0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
                              {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
                              {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
                              {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21}};

// Frames have their first row at the top, the pattern begins at the lower left corner.
bool isComing(std::size_t pixel, int step) {
  const int x = int(pixel) % kWidth;
  const int y = kHeight - 1 - int(pixel) / kWidth;
  return kBayer[y % 8][x % 8] < 2 * step;
}

int apart(const Frame& a, const Frame& b, std::size_t pixel) {
  int most = 0;
  for (std::size_t c = pixel * 4; c < pixel * 4 + 3; ++c) {
    most = std::max(most, std::abs(int(a.rgba[c]) - int(b.rgba[c])));
  }
  return most;
}

// How a picture in the middle of a dissolve consists of the one before and the one after.
struct Mixture {
  std::size_t differing = 0;  // pixels in which the two differ
  std::size_t coming = 0;     // of these, pixels that show the one after
  std::size_t neither = 0;    // pixels that show neither of them
  std::size_t misplaced = 0;  // pixels that are not those of the pattern
};

Mixture mixtureOf(const Frame& before, const Frame& after, const Frame& middle, int step) {
  Mixture mixture;
  for (std::size_t pixel = 0; pixel < std::size_t(kWidth) * kHeight; ++pixel) {
    const bool isBefore = apart(middle, before, pixel) <= kSame;
    const bool isAfter = apart(middle, after, pixel) <= kSame;
    mixture.neither += isBefore || isAfter ? 0u : 1u;
    mixture.misplaced += (isComing(pixel, step) ? isAfter : isBefore) ? 0u : 1u;
    if (apart(before, after, pixel) <= 2 * kSame) continue;
    ++mixture.differing;
    mixture.coming += isAfter ? 1u : 0u;
  }
  return mixture;
}

// Nothing but actors, lit in the same way by whatever draws them.
RenderSettings settingsFor(Method method, double pixels, std::optional<double> seconds) {
  RenderSettings settings = ck::test::plainSettings();
  settings.view.pose.method = method;
  settings.lightAt = ck::render::LightAt::Pixels;
  settings.view.detail = {.mode = ck::DetailMode::Auto, .pixels = pixels};
  settings.detailRemembers = false;  // what a test before has drawn
  settings.detailSeconds = seconds;
  return settings;
}

}  // namespace

class tst_dissolve_images : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;
  std::unique_ptr<CrowdRenderer> renderer_;  // with all that far actors are drawn with
  std::vector<Actor> actors_;
  std::unique_ptr<Crowd> crowd_;
  Camera camera_;

  // The pictures before and after a change of the allowed pixels, which changes most actors.
  static constexpr double kFine = 0.5;
  static constexpr double kCoarse = 4.0;

  // Draws `coarse` at a time after it was asked for; before that, `fine`.
  Frame after(RenderSettings fine, RenderSettings coarse, double seconds) {
    fine.detailSeconds = std::nullopt;
    drawn(*renderer_, *crowd_, camera_, fine);
    fine.detailSeconds = 100.0;
    drawn(*renderer_, *crowd_, camera_, fine);
    coarse.detailSeconds = 100.1;
    drawn(*renderer_, *crowd_, camera_, coarse);
    coarse.detailSeconds = 100.1 + seconds;
    return drawn(*renderer_, *crowd_, camera_, coarse);
  }

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    if (renderer_) return;
    const BakedRig& rig = bakedHumanoid();
    actors_ = ck::test::variedActors(kActors, int(rig.clips.size()), kSpacingMeters);
    crowd_ = std::make_unique<Crowd>(actors_, rig.clips);
    glm::dvec3 middle(0.0);
    for (const Actor& actor : actors_)
      middle += glm::dvec3(actor.position) / double(actors_.size());
    camera_ = ck::render::lookFrom(glm::dvec3(middle.x, 6.0, middle.z - 100.0), middle);
    renderer_ = ck::test::rendererFor(rig);
    QVERIFY(renderer_);
    drawn(*renderer_, *crowd_, camera_, settingsFor(Method::Atlas, 1.0, {}));
    QVERIFY(renderer_->stats().detail && renderer_->stats().detail->isPending);
    renderer_->completeDetail();
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() {
    renderer_.reset();
    QCOMPARE(ck::render::liveGlObjects(), 0);
  }

  void everyPixelIsThatOfOneOfBothPictures_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("atVertices");
    QTest::newRow("atlas") << int(Method::Atlas) << false;
    QTest::newRow("atlas, light at vertices") << int(Method::Atlas) << true;
    QTest::newRow("palette") << int(Method::Palette) << false;
    QTest::newRow("prepass") << int(Method::Prepass) << false;
    QTest::newRow("pool") << int(Method::Pool) << false;
    QTest::newRow("live") << int(Method::Live) << false;
  }
  void everyPixelIsThatOfOneOfBothPictures() {
    QFETCH(int, method);
    QFETCH(bool, atVertices);
    RenderSettings fine = settingsFor(Method(method), kFine, {});
    RenderSettings coarse = settingsFor(Method(method), kCoarse, {});
    if (atVertices) fine.lightAt = coarse.lightAt = ck::render::LightAt::Vertices;
    const Frame before = drawn(*renderer_, *crowd_, camera_, fine);
    const DetailStats finer = *renderer_->stats().detail;
    const Frame end = drawn(*renderer_, *crowd_, camera_, coarse);
    const DetailStats coarser = *renderer_->stats().detail;
    QVERIFY(coarser.pictures > finer.pictures);
    QVERIFY(coarser.points > finer.points);
    std::size_t coming = 0;
    for (const int step : {1, 8, 16, 24, 31}) {
      const Frame frame = after(fine, coarse, 0.25 * (step + 0.5) / 32.0);
      const DetailStats stats = *renderer_->stats().detail;
      QVERIFY2(stats.dissolving > 100, qPrintable(QString::number(stats.dissolving)));
      // Counted in the ways that come in.
      QCOMPARE(stats.pictures, coarser.pictures);
      QCOMPARE(stats.points, coarser.points);
      QCOMPARE(stats.inView, coarser.inView);
      const Mixture mixture = mixtureOf(before, end, frame, step);
      qInfo("step %d: %zu of %zu changed pixels are new, %zu neither, %zu misplaced", step,
            mixture.coming, mixture.differing, mixture.neither, mixture.misplaced);
      QVERIFY(mixture.differing > 500);
      QVERIFY(mixture.neither * 500 <= mixture.differing);
      QVERIFY(mixture.misplaced * 500 <= mixture.differing);
      const double share = double(mixture.coming) / double(mixture.differing);
      QVERIFY2(std::abs(share - step / 32.0) < 0.04, qPrintable(QString::number(share)));
      QVERIFY(mixture.coming > coming);
      coming = mixture.coming;
    }
  }

  void nothingIsLeftAfterwards() {
    const RenderSettings coarse = settingsFor(Method::Atlas, kCoarse, {});
    const RenderSettings fine = settingsFor(Method::Atlas, kFine, {});
    drawn(*renderer_, *crowd_, camera_, fine);
    const Frame end = drawn(*renderer_, *crowd_, camera_, coarse);
    const int draws = renderer_->stats().drawCalls;
    after(fine, coarse, 0.2);
    QVERIFY(renderer_->stats().drawCalls > draws);
    const Frame frame = after(fine, coarse, 0.26);
    QCOMPARE(renderer_->stats().detail->dissolving, std::size_t(0));
    QCOMPARE(renderer_->stats().drawCalls, draws);
    QCOMPARE(frame.rgba, end.rgba);
    // Nor is more uploaded then.
    RenderSettings later = coarse;
    later.detailSeconds = 101.0;
    drawn(*renderer_, *crowd_, camera_, later);
    QVERIFY(!renderer_->stats().ticked);
  }

  void withoutAClockNothingDissolves() {
    const RenderSettings coarse = settingsFor(Method::Atlas, kCoarse, {});
    RenderSettings fine = settingsFor(Method::Atlas, kFine, {});
    drawn(*renderer_, *crowd_, camera_, fine);
    const Frame end = drawn(*renderer_, *crowd_, camera_, coarse);
    QCOMPARE(renderer_->stats().detail->dissolving, std::size_t(0));
    // A picture without the time ends what has begun.
    after(fine, coarse, 0.1);
    QVERIFY(renderer_->stats().detail->dissolving > 100);
    QCOMPARE(drawn(*renderer_, *crowd_, camera_, coarse).rgba, end.rgba);
    // After a view at full detail all actors are new.
    fine.detailSeconds = 200.0;
    drawn(*renderer_, *crowd_, camera_, fine);
    QVERIFY(renderer_->pose(*crowd_, fine));
    RenderSettings timed = coarse;
    timed.detailSeconds = 200.1;
    QCOMPARE(drawn(*renderer_, *crowd_, camera_, timed).rgba, end.rgba);
  }

  // Pointers meet the way that comes in, whole.
  void dissolvingActorsArePickedAsTheyWillBe() {
    const RenderSettings fine = settingsFor(Method::Atlas, kFine, {});
    RenderSettings coarse = settingsFor(Method::Atlas, kCoarse, {});
    const ck::render::PixelBox box{0, 0, kWidth, kHeight};
    drawn(*renderer_, *crowd_, camera_, fine);
    const auto finer = renderer_->countCovered(*crowd_, camera_, fine, kWidth, kHeight);
    const auto seen = renderer_->pickBox(*crowd_, camera_, coarse, kWidth, kHeight, box);
    const auto covered = renderer_->countCovered(*crowd_, camera_, coarse, kWidth, kHeight);
    QVERIFY(seen && covered && finer && *finer != *covered);
    after(fine, coarse, 0.1);
    coarse.detailSeconds = 100.2;
    const auto during = renderer_->pickBox(*crowd_, camera_, coarse, kWidth, kHeight, box);
    QVERIFY(renderer_->stats().detail->dissolving > 100);
    QVERIFY(during);
    QCOMPARE(*during, *seen);
    const auto half = renderer_->countCovered(*crowd_, camera_, coarse, kWidth, kHeight);
    QVERIFY(half);
    QCOMPARE(*half, *covered);
  }

  // Shadows, on the ground and in maps, are those of the way that comes in.
  void shadowsAreDrawnOnce_data() {
    QTest::addColumn<int>("shadows");
    QTest::newRow("soft") << int(ck::Shadows::Soft);
    QTest::newRow("cascades") << int(ck::Shadows::Cascades);
  }
  void shadowsAreDrawnOnce() {
    QFETCH(int, shadows);
    RenderSettings fine = settingsFor(Method::Atlas, kFine, {});
    RenderSettings coarse = settingsFor(Method::Atlas, kCoarse, {});
    fine.view.shadows = coarse.view.shadows = ck::Shadows(shadows);
    const Frame end = drawn(*renderer_, *crowd_, camera_, coarse);
    const Frame begun = after(fine, coarse, 0.0);
    QVERIFY(renderer_->stats().detail->dissolving > 100);
    // The ground, where neither picture has an actor.
    RenderSettings bare = coarse;
    bare.view.shadows = ck::Shadows::Off;
    const Frame actors = drawn(*renderer_, *crowd_, camera_, bare);
    bare.view.detail.mode = ck::DetailMode::Full;
    const Frame whole = drawn(*renderer_, *crowd_, camera_, bare);
    const Crowd emptyCrowd({}, bakedHumanoid().clips);
    const Frame ground = drawn(*renderer_, emptyCrowd, camera_, bare);
    std::size_t shaded = 0;
    std::size_t others = 0;
    for (std::size_t pixel = 0; pixel < std::size_t(kWidth) * kHeight; ++pixel) {
      if (apart(actors, ground, pixel) > 0 || apart(whole, ground, pixel) > 0) continue;
      if (apart(end, ground, pixel) < 8) continue;
      ++shaded;
      others += apart(begun, end, pixel) > kSame ? 1u : 0u;
    }
    qInfo("%zu of %zu shaded pixels are others", others, shaded);
    QVERIFY(shaded > 300);
    // Maps reach as far as what is drawn, so edges of shadows lie a little elsewhere.
    QVERIFY(others * (ck::Shadows(shadows) == ck::Shadows::Soft ? 50 : 5) <= shaded);
  }

  // While pictures are made, grey squares stand for actors.
  void squaresComplement() {
    const Crowd& crowd = *crowd_;
    ck::render::ShaderLibrary shaders;
    std::vector<std::uint32_t> all(crowd.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::uint32_t(i);
    const auto squares = [&](std::optional<ck::ActorShare> share) {
      const ck::render::KeptFramebuffer kept;
      auto target = ck::render::Target::make(kWidth, kHeight, ck::render::TargetFormat::Rgba8);
      if (!target) qFatal("no target");
      ck::render::resetGlState();
      glBindFramebuffer(GL_FRAMEBUFFER, target->name());
      glViewport(0, 0, kWidth, kHeight);
      glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
      ck::render::DrawPass pass;
      pass.dissolves = share.has_value();
      const double aspect = double(kWidth) / kHeight;
      pass.look.viewProjection = projectionMatrix(camera_, aspect) * viewMatrix(camera_);
      pass.look.eye = glm::vec3(eyeOf(camera_));
      pass.look.fogMeters = 1e6f;
      const std::vector<ck::ActorShare> shares(share ? crowd.size() : 0, share.value_or(0));
      ck::render::FarActors far;
      if (!far.upload(crowd.instances(), all, {}, shares) ||
          !drawFarDots(shaders, far, pass, {}, kWidth, kHeight)) {
        qFatal("no squares");
      }
      return Frame{kWidth, kHeight, target->readRgba()};
    };
    const Frame whole = squares({});
    for (const int step : {1, 11, 31}) {
      const Frame coming = squares(ck::comingShare(step));
      const Frame going = squares(ck::goingShare(step));
      std::size_t covered = 0;
      for (std::size_t pixel = 0; pixel < std::size_t(kWidth) * kHeight; ++pixel) {
        if (whole.rgba[pixel * 4 + 3] == 0) continue;
        ++covered;
        const bool comes = isComing(pixel, step);
        QCOMPARE(coming.rgba[pixel * 4 + 3] != 0, comes);
        QCOMPARE(going.rgba[pixel * 4 + 3] != 0, !comes);
        QCOMPARE(apart(comes ? coming : going, whole, pixel), 0);
      }
      QVERIFY(covered > 1000);
    }
  }
};

CK_TEST(tst_dissolve_images)
#include "tst_dissolve_images.moc"
