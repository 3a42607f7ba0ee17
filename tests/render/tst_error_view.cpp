#include <QTest>

#include "core/error/bake_error.h"
#include "render/view/error_scale.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/gl_stage.h"
#include "tests/support/made_clips.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::render::ErrorViewStats;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;

namespace {

constexpr int kSide = 200;

ck::render::RenderSettings errorSettings() {
  ck::render::RenderSettings settings = ck::test::plainSettings();
  settings.view.pose.viewMode = ck::ViewMode::Error;
  return settings;
}

// A square of 1 m in front of the eye. Its last vertex follows two joints by halves; the second one
// goes `meters` to the right in the clip. Drawn with one influence it stays, or goes all the way.
ck::Character slidingSquare(float meters) {
  ck::Character square;
  square.name = "square";
  square.rig.joints.resize(2);
  square.rig.joints[0].name = "still";
  square.rig.joints[1].name = "slider";
  square.rig.joints[1].parent = 0;
  square.rig.skinJoints = {{0, glm::dmat4(1.0)}, {1, glm::dmat4(1.0)}};
  ck::Mesh mesh;
  mesh.name = "Square";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  mesh.normals.assign(4, {0, 0, 1});
  mesh.indices = {0, 1, 2, 2, 1, 3};
  mesh.influenceStarts = {0, 1, 2, 3, 5};
  mesh.influences = {{0, 1.0f}, {0, 1.0f}, {0, 1.0f}, {0, 0.6f}, {1, 0.4f}};
  square.meshes = {mesh};
  ck::Clip clip;
  clip.name = "Slide";
  clip.durationSeconds = 1.0;
  ck::Track<glm::vec3> track;
  track.times = {0.0, 1.0};
  track.values = {{0, 0, 0}, {meters, 0, 0}};
  clip.jointTracks = {{.joint = 1, .translation = track, .rotation = {}, .scale = {}}};
  square.clips = {clip};
  return square;
}

// Bakes without rounding.
BakedRig exactly(ck::Character character) {
  ck::BakeSettings settings;
  settings.encoding = ck::Encoding::T32;
  return bakedRig(std::move(character), settings);
}

// A camera that sees the square's plane along -z, x and y from -0.5 to 1.5 across the image.
ck::render::Camera squareCamera() {
  ck::render::Camera camera;
  ck::render::frameBox(camera, {glm::dvec3(-0.5, -0.5, -0.01), glm::dvec3(1.5, 1.5, 0.01)}, 1.0);
  const glm::dvec3 target(0.5, 0.5, 0.0);
  return ck::render::lookFrom(target + glm::dvec3(0.0, 0.0, 6.0), target);
}

// The colours of the map (shaders/crowd/viridis.glsl) from the paper that names them: Stéfan van
// der Walt and Nathaniel Smith, "A Better Default Colormap for Matplotlib", SciPy 2015.
struct Sample {
  double share;
  int red, green, blue;
};
constexpr Sample kViridis[] = {{0.0, 68, 1, 84},
                               {0.25, 59, 82, 139},
                               {0.5, 33, 145, 140},
                               {0.75, 94, 201, 98},
                               {1.0, 253, 231, 37}};

}  // namespace

class tst_error_view : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }

  void scalesAreRound() {
    const std::pair<double, double> known[] = {
        {0.0, 0.01},    {0.0099, 0.01}, {0.011, 0.02}, {0.3, 0.5},      {0.5, 0.5},
        {0.50001, 1.0}, {1.0, 1.0},     {17.0, 20.0},  {912.0, 1000.0}, {2000.0, 2e3}};
    for (const auto& [worst, scale] : known) {
      QVERIFY2(std::abs(ck::render::errorScaleFor(worst) - scale) < 1e-9 * scale,
               qPrintable(QString::number(ck::render::errorScaleFor(worst))));
    }
    QVERIFY(ck::render::errorScaleFor(std::numeric_limits<double>::quiet_NaN()) >= 1e9);
    QCOMPARE(ck::render::errorScaleText(0.05), std::string("0.05 mm"));
  }

  void aVertexHasTheColourOfItsDistance_data() {
    QTest::addColumn<double>("share");
    for (const Sample& one : kViridis) QTest::addRow("%g of the scale", one.share) << one.share;
  }
  void aVertexHasTheColourOfItsDistance() {
    CK_NEEDS_GL(stage_);
    QFETCH(double, share);
    // Without its second influence the last vertex stays, 0.4 of the slide from the source.
    constexpr double kSlideMeters = 0.05;
    const BakedRig rig = exactly(slidingSquare(static_cast<float>(kSlideMeters)));
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(std::vector<ck::Actor>(1), rig.clips);
    crowd.seek(0.5);
    const double offMm = 0.5 * 0.4 * kSlideMeters * 1000.0;
    ck::render::RenderSettings settings = errorSettings();
    settings.view.pose.influences = 1;
    settings.view.errorScaleMm = share > 0.0 ? offMm / share : 1e6;
    constexpr int kLarge = 1000;
    const auto frame = renderer->drawToFrame(crowd, squareCamera(), settings, kLarge, kLarge);
    QVERIFY(frame.has_value());
    const std::optional<ErrorViewStats> shown = renderer->stats().errorView;
    QVERIFY(shown.has_value());
    QCOMPARE(shown->vertex, 3u);
    QVERIFY2(std::abs(shown->maxMm - offMm) < 1e-3, qPrintable(QString::number(shown->maxMm)));
    QCOMPARE(shown->scaleMm, settings.view.errorScaleMm);
    // The pixel just inside the corner, upper right.
    const glm::dmat4 look(projectionMatrix(squareCamera(), 1.0) * viewMatrix(squareCamera()));
    const glm::dvec4 corner = look * glm::dvec4(1.0, 1.0, 0.0, 1.0);
    const int x = static_cast<int>((corner.x / corner.w * 0.5 + 0.5) * kLarge) - 1;
    const int y = static_cast<int>((0.5 - corner.y / corner.w * 0.5) * kLarge) + 1;
    const std::uint8_t* pixel = frame->rgba.data() + (y * kLarge + x) * 4;
    const auto* expected = std::ranges::find(kViridis, share, &Sample::share);
    const QString said = QString("%1 %2 %3").arg(pixel[0]).arg(pixel[1]).arg(pixel[2]);
    // The polynomial is off by a few steps, the pixel's place by 1 % of the distance.
    QVERIFY2(std::abs(pixel[0] - expected->red) < 14, qPrintable(said));
    QVERIFY2(std::abs(pixel[1] - expected->green) < 14, qPrintable(said));
    QVERIFY2(std::abs(pixel[2] - expected->blue) < 14, qPrintable(said));
  }

  // The figure of the view at the moment that the measurement names is that of the measurement.
  void theWorstVertexIsThatOfTheMeasurement_data() {
    QTest::addColumn<int>("rig");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("influences");
    QTest::addColumn<bool>("interpolate");
    const char* rigs[] = {"an arm", "uneven scales", "a mirrored joint"};
    for (int rig = 0; rig < 3; ++rig) {
      for (const auto encoding : {ck::Encoding::P16, ck::Encoding::T8, ck::Encoding::M16}) {
        for (const int influences : {1, 4}) {
          for (const bool interpolate : {true, false}) {
            QTest::addRow("%s, %s, %d influences, %s", rigs[rig],
                          std::string(ck::encodingName(encoding)).c_str(), influences,
                          interpolate ? "interpolated" : "nearest")
                << rig << static_cast<int>(encoding) << influences << interpolate;
          }
        }
      }
    }
  }
  void theWorstVertexIsThatOfTheMeasurement() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, rig);
    QFETCH(int, encoding);
    QFETCH(int, influences);
    QFETCH(bool, interpolate);
    ck::BakeSettings bake;
    bake.encoding = static_cast<ck::Encoding>(encoding);
    bake.frames = 9;  // off the keys
    const BakedRig baked = bakedRig(rig == 0   ? ck::test::swingingLimb()
                                    : rig == 1 ? ck::test::stretchedLimb()
                                               : ck::test::mirroredLimb(),
                                    bake);
    auto renderer = ck::test::rendererFor(baked);
    QVERIFY(renderer != nullptr);
    const auto error = ck::measureBakeError(*baked.character, *baked.atlas,
                                            {.influences = influences, .interpolate = interpolate});
    QVERIFY2(error.has_value(), error ? "" : error.error().message.c_str());
    for (const ck::Method method : {ck::Method::Palette, ck::Method::Atlas}) {
      const bool relative = ck::methodInfo(method).reading == ck::Reading::Palette;
      const ck::ErrorFigure& stated = (relative ? error->palette : error->direct).vertices;
      ck::Actor actor;
      actor.scale = 2.0f;  // errors are those of the world
      std::optional<double> seconds;
      for (std::size_t c = 0; c < baked.clips.size(); ++c) {
        if (baked.clips[c].name != stated.worstClip) continue;
        actor.clip = static_cast<int>(c);
        for (const ck::Clip& clip : baked.character->clips) {
          if (clip.name == stated.worstClip) seconds = stated.worstTimeSeconds - clip.startSeconds;
        }
      }
      QVERIFY(seconds.has_value());
      actor.loop = ck::LoopMode::Once;
      ck::Crowd crowd(std::vector{actor}, baked.clips);
      crowd.seek(*seconds);
      ck::render::RenderSettings settings = errorSettings();
      settings.view.pose.method = method;
      settings.view.pose.influences = influences;
      settings.view.pose.sampling = ck::samplingFor(interpolate);
      const auto frame = renderer->drawToFrame(crowd, squareCamera(), settings, kSide, kSide);
      QVERIFY2(frame.has_value(), frame ? "" : frame.error().message.c_str());
      const std::optional<ErrorViewStats> shown = renderer->stats().errorView;
      QVERIFY(shown.has_value());
      const double mm = shown->maxMm / 2.0;
      const QString said = QString("%1: %2 mm shown, %3 stated at %4 s")
                               .arg(textOf(method))
                               .arg(mm)
                               .arg(stated.max)
                               .arg(stated.worstTimeSeconds);
      QVERIFY2(std::abs(mm - stated.max) < 0.03 * stated.max + 1e-3, qPrintable(said));
      QVERIFY(shown->scaleMm >= shown->maxMm && shown->scaleMm <= 2.5 * shown->maxMm + 0.01);
    }
  }

  // Where the texture unit interpolates, the measurement counts the worst fraction of 8 bits at
  // every moment, and the view shows the nearest one.
  void fractionsOfTheTextureUnitAreSeen() {
    CK_NEEDS_GL(stage_);
    ck::BakeSettings bake;
    bake.frames = 3;
    const BakedRig rig = bakedRig(slidingSquare(50.0f), bake);
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::render::RenderSettings settings = errorSettings();
    settings.view.pose.method = ck::Method::Atlas;
    ck::Crowd crowd(std::vector<ck::Actor>(1), rig.clips);
    // A quarter of a 256th of 25 m a frame, of a vertex that follows by 0.4; and half of it.
    for (const double part : {0.25, 0.5 - 1e-3}) {
      crowd.seek((3.0 + part) / 512.0);
      for (const bool filters : {false, true}) {
        settings.view.pose.sampling =
            filters ? ck::Sampling::HardwareLinear : ck::Sampling::Interpolated;
        QVERIFY(renderer->drawToFrame(crowd, squareCamera(), settings, 8, 8).has_value());
        const double mm = renderer->stats().errorView->maxMm;
        const double wanted = filters ? part / 256.0 * 25'000.0 * 0.4 : 0.0;
        QVERIFY2(std::abs(mm - wanted) < 1.0, qPrintable(QString::number(mm)));
      }
    }
  }

  void theScaleOnlyGrowsWhileTimeGoesOn() {
    CK_NEEDS_GL(stage_);
    ck::BakeSettings bake;
    bake.frames = 5;
    const BakedRig rig = bakedRig(ck::test::swingingLimb(), bake);
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(std::vector<ck::Actor>(1), rig.clips);
    const auto scale = [&] {
      const bool drawn =
          renderer->drawToFrame(crowd, squareCamera(), errorSettings(), 8, 8).has_value();
      return drawn ? renderer->stats().errorView->scaleMm : -1.0;
    };
    double before = scale();
    const double atStart = before;
    for (int i = 0; i < 120; ++i) {
      crowd.advance(1.0 / 60.0);
      const double now = scale();
      QVERIFY(now >= before);
      before = now;
    }
    QVERIFY(before > atStart);
    crowd.seek(0.0);
    QCOMPARE(scale(), atStart);
  }

  void hiddenMeshesDoNotCount() {
    CK_NEEDS_GL(stage_);
    ck::Character square = slidingSquare(0.1f);
    ck::Mesh still = square.meshes[0];
    still.name = "Still";
    still.influenceStarts = {0, 1, 2, 3, 4};
    still.influences.assign(4, {0, 1.0f});
    square.meshes.push_back(still);
    const BakedRig rig = exactly(std::move(square));
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value());
    ck::Crowd crowd(std::vector<ck::Actor>(1), rig.clips);
    crowd.seek(1.0 - 1e-6);
    ck::render::RenderSettings settings = errorSettings();
    settings.view.pose.influences = 1;
    for (const bool hidden : {false, true}) {
      ck::render::CharacterEntry entry{rig.character, rig.atlas, {}};
      if (hidden) entry.hiddenMeshes = {0};
      QVERIFY((*renderer)->setCharacters(std::span(&entry, 1)).has_value());
      QVERIFY((*renderer)->drawToFrame(crowd, squareCamera(), settings, 8, 8).has_value());
      const double mm = (*renderer)->stats().errorView->maxMm;
      QVERIFY2(hidden ? mm < 0.01 : std::abs(mm - 40.0) < 0.01, qPrintable(QString::number(mm)));
    }
  }

  void figuresArePrintedBesideTheLegend() {
    ck::render::Frame frame{300, 400, std::vector<std::uint8_t>(300 * 400 * 4, 90)};
    const ck::render::Frame before = frame;
    ck::render::printErrorScale(frame, 0.05, true);
    const auto bright = [&frame](int row) {
      int count = 0;
      for (int y = row - 4; y <= row + 4; ++y) {
        for (int x = 0; x < frame.width; ++x) count += frame.rgba[(y * 300 + x) * 4] > 200 ? 1 : 0;
      }
      return count;
    };
    // At the top, the middle and the bottom of the legend, and nowhere else.
    for (const int row : {120, 200, 280})
      QVERIFY2(bright(row) > 20, qPrintable(QString::number(row)));
    for (const int row : {40, 160, 240, 360}) QCOMPARE(bright(row), 0);
    ck::render::Frame small{60, 80, std::vector<std::uint8_t>(60 * 80 * 4, 90)};
    const auto kept = small.rgba;
    ck::render::printErrorScale(small, 0.05, true);
    QVERIFY(small.rgba == kept);
  }

 private:
  static QString textOf(ck::Method method) {
    return QString::fromStdString(std::string(ck::methodName(method)));
  }
  GlStage stage_;
};

CK_TEST(tst_error_view)
#include "tst_error_view.moc"
