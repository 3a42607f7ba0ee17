#include <QTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "tests/support/gl_stage.h"
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
constexpr int kActors = 200;
constexpr int kSteps = 40;
constexpr double kStepSeconds = 1.0 / 30.0;

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

RenderSettings settingsFor(double pixels, std::optional<double> seconds) {
  RenderSettings settings;
  settings.lightAt = ck::render::LightAt::Pixels;
  settings.view.detail = {.mode = ck::DetailMode::Auto, .pixels = pixels};
  settings.detailSeconds = seconds;
  return settings;
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

  Frame drawn(double meters, const RenderSettings& settings) {
    const Camera camera = ck::render::lookFrom(middle_ + glm::dvec3(0.0, 0.25 * meters, -meters),
                                               middle_ + glm::dvec3(0.0, 1.0, 0.0));
    auto frame = renderer_->drawToFrame(*crowd_, camera, settings, kWidth, kHeight);
    if (!frame) qFatal("%s", frame.error().message.c_str());
    return std::move(*frame);
  }

  // The steps of a camera that goes from one distance to another.
  std::vector<Step> zoom(double from, double to, RenderSettings settings, bool dissolves) {
    std::vector<Step> steps;
    std::optional<Frame> before;
    for (int i = 0; i <= kSteps; ++i) {
      if (dissolves) settings.detailSeconds = 10.0 + i * kStepSeconds;
      Frame frame = drawn(from * std::pow(to / from, double(i) / kSteps), settings);
      if (before) steps.push_back(between(*before, frame));
      before = std::move(frame);
    }
    return steps;
  }

  // The steps of a still camera after the allowed pixels have become fewer.
  std::vector<Step> refine(double from, double to, bool dissolves) {
    const auto at = [&](double pixels, int step) {
      std::optional<double> seconds;
      if (dissolves) seconds = 10.0 + step * kStepSeconds;
      return drawn(30.0, settingsFor(pixels, seconds));
    };
    std::vector<Step> steps;
    Frame before = drawn(30.0, settingsFor(from, {}));
    for (int step = 1; step < 12; ++step) {
      Frame frame = at(to, step);
      steps.push_back(between(before, frame));
      before = std::move(frame);
    }
    return steps;
  }

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    if (renderer_) return;
    const BakedRig& rig = ck::test::bakedHumanoid();
    const std::vector<Actor> actors = ck::test::variedActors(kActors, int(rig.clips.size()), 2.5f);
    for (const Actor& actor : actors) middle_ += glm::dvec3(actor.position) / double(kActors);
    crowd_ = std::make_unique<Crowd>(actors, rig.clips);
    renderer_ = ck::test::rendererFor(rig);
    QVERIFY(renderer_);
    drawn(30.0, settingsFor(1.0, {}));
    renderer_->completeDetail();
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { renderer_.reset(); }

  void noStepIsMuchLargerThanAtFullDetail_data() {
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addColumn<double>("pixels");
    QTest::addColumn<double>("margin");
    QTest::newRow("quick, 1 pixel") << 8.0 << 80.0 << 1.0 << 1.03;
    QTest::newRow("slow, 1 pixel") << 30.0 << 31.0 << 1.0 << 1.03;
    // Pictures of actors turn in steps, too.
    QTest::newRow("slow, 8 pixels") << 30.0 << 31.0 << 8.0 << 1.1;
  }
  void noStepIsMuchLargerThanAtFullDetail() {
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(double, pixels);
    QFETCH(double, margin);
    RenderSettings full = settingsFor(pixels, {});
    full.view.detail.mode = ck::DetailMode::Full;
    const std::vector<Step> whole = zoom(from, to, full, false);
    const std::vector<Step> switching = zoom(from, to, settingsFor(pixels, {}), false);
    drawn(from, settingsFor(pixels, {}));
    const std::vector<Step> dissolving = zoom(from, to, settingsFor(pixels, {}), true);
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
    QVERIFY(largest.mean <= margin * limit.mean);
    QVERIFY(largest.over24 <= margin * limit.over24);
  }

  // As when a crowd that was too slow is paused.
  void moreDetailComesInSmallSteps() {
    const Step switching = largestOf(refine(8.0, 1.0, false));
    const Step dissolving = largestOf(refine(8.0, 1.0, true));
    qInfo(
        "largest step: %.3f of 255 and %.2f %% of the pixels over 24 where actors switch, %.3f "
        "and %.2f %% where they dissolve",
        switching.mean, 100.0 * switching.over24, dissolving.mean, 100.0 * dissolving.over24);
    QVERIFY(switching.over24 > 0.001);
    // 0.25 s are seven and a half pictures.
    QVERIFY(dissolving.mean <= 0.25 * switching.mean);
    QVERIFY(dissolving.over24 <= 0.25 * switching.over24);
  }
};

CK_TEST(tst_zooming)
#include "tst_zooming.moc"
