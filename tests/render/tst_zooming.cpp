#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/import/import_process.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::render::Camera;
using ck::render::CrowdRenderer;
using ck::render::Frame;
using ck::render::RenderSettings;
using ck::test::BakedRig;

namespace {

constexpr int kWidth = 480;
constexpr int kHeight = 270;
constexpr int kActors = 300;
constexpr int kSteps = 120;
constexpr double kStepSeconds = 1.0 / 30.0;
constexpr double kNearMeters = 8.0;
constexpr double kFarMeters = 80.0;

// How far a picture is from the one before.
struct Step {
  double mean = 0.0;    // of 255
  double over24 = 0.0;  // share of the pixels with a channel that differs by more than 24
};

Step between(const Frame& a, const Frame& b) {
  double sum = 0.0;
  std::size_t over = 0;
  const std::size_t pixels = a.rgba.size() / 4;
  for (std::size_t p = 0; p < a.rgba.size(); p += 4) {
    int most = 0;
    for (std::size_t c = p; c < p + 3; ++c) {
      const int apart = std::abs(int(a.rgba[c]) - int(b.rgba[c]));
      sum += apart / 3.0;
      most = std::max(most, apart);
    }
    over += most > 24 ? 1u : 0u;
  }
  return {sum / double(pixels), double(over) / double(pixels)};
}

Step largestOf(const std::vector<Step>& steps) {
  Step largest;
  for (const Step& step : steps) {
    largest.mean = std::max(largest.mean, step.mean);
    largest.over24 = std::max(largest.over24, step.over24);
  }
  return largest;
}

// By how much the steps exceed those of full detail, at most.
Step excessOf(const std::vector<Step>& steps, const std::vector<Step>& whole) {
  std::vector<Step> excess;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    excess.push_back({steps[i].mean - whole[i].mean, steps[i].over24 - whole[i].over24});
  }
  return largestOf(excess);
}

}  // namespace

// Levels of detail must not be seen to change: a camera goes away from a crowd that stands still,
// and no step may be larger than at full detail, but for a small margin.
class tst_zooming : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;
  std::unique_ptr<CrowdRenderer> renderer_;
  std::unique_ptr<Crowd> crowd_;
  glm::dvec3 middle_{0.0};

  // The camera's steps, by meters of the zoom's length.
  std::vector<Step> zoom(const RenderSettings& asked, bool dissolves) {
    RenderSettings settings = asked;
    std::vector<Step> steps;
    std::optional<Frame> before;
    for (int i = 0; i <= kSteps; ++i) {
      const double meters = kNearMeters * std::pow(kFarMeters / kNearMeters, double(i) / kSteps);
      const Camera camera = ck::render::lookFrom(middle_ + glm::dvec3(0.0, 0.25 * meters, -meters),
                                                 middle_ + glm::dvec3(0.0, 1.0, 0.0));
      if (dissolves) settings.detailSeconds = 10.0 + i * kStepSeconds;
      auto frame = renderer_->drawToFrame(*crowd_, camera, settings, kWidth, kHeight);
      if (!frame) qFatal("%s", frame.error().message.c_str());
      if (before) steps.push_back(between(*before, *frame));
      before = std::move(*frame);
    }
    return steps;
  }

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    ck::test::useBuiltImportWorker();
    auto imported = ck::importCharacter(ck::test::sampleHumanoid());
    QVERIFY(imported);
    const BakedRig rig = ck::test::bakedRig(std::move(*imported));
    const std::vector<Actor> actors = ck::test::variedActors(kActors, int(rig.clips.size()), 2.5f);
    for (const Actor& actor : actors) middle_ += glm::dvec3(actor.position) / double(kActors);
    crowd_ = std::make_unique<Crowd>(actors, rig.clips);
    renderer_ = ck::test::rendererFor(rig);
    QVERIFY(renderer_);
  }
  void cleanup() {
    renderer_.reset();
    QCOMPARE(stage_.complaints(), std::string());
  }

  void noStepIsMuchLargerThanAtFullDetail() {
    RenderSettings settings;
    settings.lightAt = ck::render::LightAt::Pixels;
    const std::vector<Step> whole = zoom(settings, false);
    settings.detail = {.mode = ck::DetailMode::Auto, .pixels = 1.0};
    const Camera anywhere = ck::render::lookFrom({0.0, 5.0, -20.0}, {0.0, 1.0, 0.0});
    QVERIFY(renderer_->drawToFrame(*crowd_, anywhere, settings, kWidth, kHeight));
    QVERIFY(renderer_->completeDetail());
    const std::vector<Step> switching = zoom(settings, false);
    const std::vector<Step> dissolving = zoom(settings, true);
    const auto tell = [&whole](const char* name, const std::vector<Step>& steps) {
      const Step largest = largestOf(steps);
      const Step excess = excessOf(steps, whole);
      qInfo(
          "%s: largest step %.3f of 255, %.2f %% of the pixels over 24; beyond full detail by "
          "%.3f and %.2f %%",
          name, largest.mean, 100.0 * largest.over24, excess.mean, 100.0 * excess.over24);
    };
    tell("full detail", whole);
    tell("levels that switch", switching);
    tell("levels that dissolve", dissolving);
    const Step limit = largestOf(whole);
    const Step largest = largestOf(dissolving);
    QVERIFY(limit.mean > 0.1 && limit.over24 > 0.001);
    QVERIFY(largest.mean <= 1.05 * limit.mean);
    QVERIFY(largest.over24 <= 1.05 * limit.over24);
  }
};

CK_TEST(tst_zooming)
#include "tst_zooming.moc"
