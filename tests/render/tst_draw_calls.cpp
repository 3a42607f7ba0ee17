#include <QTest>
#include <set>

#include "render/gl/handle.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_draw_count.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using ck::render::CharacterEntry;
using ck::render::CrowdRenderer;
using ck::render::RenderSettings;
using ck::test::BakedRig;
using ck::test::DrawCount;

namespace {

constexpr int kSide = 48;

// The limb five times, side by side.
BakedRig fiveTubes() {
  ck::Character limb = ck::test::swingingLimb();
  for (int copy = 1; copy < 5; ++copy) {
    limb.meshes.push_back(limb.meshes.front());
    for (glm::vec3& position : limb.meshes.back().positions) {
      position.x += 0.35f * static_cast<float>(copy);
    }
  }
  ck::BakeSettings bake;
  bake.encoding = ck::Encoding::M16;
  return ck::test::bakedRig(std::move(limb), bake);
}

struct Case {
  const char* name;
  ck::Method method;
  ck::ViewMode shown = ck::ViewMode::Baked;
  std::size_t pageActors = 0;  // 0: all skinned vertices lie in one page
  bool byBook = false;         // by the write-up's formulation, not by `method`
};
const Case kCases[] = {
    {"palette", ck::Method::Palette},
    {"atlas", ck::Method::Atlas},
    {"matrix", ck::Method::Matrix},
    {"live", ck::Method::Live},
    {"prepass", ck::Method::Prepass},
    {"prepass in pages", ck::Method::Prepass, ck::ViewMode::Baked, 4},
    {"pool", ck::Method::Pool},
    {"cpu", ck::Method::Cpu},
    {"source", ck::Method::Cpu, ck::ViewMode::Source},
    {"matrix beside the source", ck::Method::Matrix, ck::ViewMode::Split},
    {"book", ck::Method::Atlas, ck::ViewMode::Baked, 0, true},
};

}  // namespace

// The calls that FrameStats counts, against those that arrive at the driver.
class tst_draw_calls : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() {
    renderer_.reset();
    QCOMPARE(ck::render::liveGlObjects(), 0);
  }

  void areThoseThatReachTheDriver_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QList<int>>("hidden");
    for (std::size_t i = 0; i < std::size(kCases); ++i) {
      const auto row = [i](const char* what, const QList<int>& hidden) {
        QTest::addRow("%s, %s", kCases[i].name, what) << static_cast<int>(i) << hidden;
      };
      row("all shown", {});
      row("the first hidden", {0});
      row("one in the middle hidden", {2});
      row("every other hidden", {1, 3});
      row("all hidden", {0, 1, 2, 3, 4});
    }
  }
  void areThoseThatReachTheDriver() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, which);
    QFETCH(QList<int>, hidden);
    const Case& one = kCases[which];
    if (!renderer_ || paged_) renderer_ = ck::test::rendererFor(rig_);
    paged_ = one.pageActors > 0;
    QVERIFY(renderer_ != nullptr);
    CharacterEntry entry;
    entry.character = rig_.character;
    entry.atlas = rig_.atlas;
    entry.hiddenMeshes.assign(hidden.begin(), hidden.end());
    QVERIFY(renderer_->setCharacters(std::span(&entry, 1)).has_value());
    RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = one.method;
    settings.view.pose.viewMode = one.shown;
    if (one.byBook) ck::test::drawBy(ck::test::kBook, settings);
    const ck::Crowd crowd(ck::test::variedActors(10, 3), rig_.clips);
    if (one.pageActors > 0) {
      QVERIFY(issued(crowd, settings) >= 0);
      const std::size_t actorVertices = renderer_->stats().verticesPerActor;
      renderer_ = ck::test::rendererFor(rig_, actorVertices * one.pageActors);
      QVERIFY(renderer_->setCharacters(std::span(&entry, 1)).has_value());
    }
    // The ground is drawn by such calls, too.
    const int ground = issued(ck::Crowd({}, rig_.clips), settings);
    QVERIFY(ground >= 0);
    QCOMPARE(renderer_->stats().drawCalls, 0);
    const int all = issued(crowd, settings);
    QVERIFY(all > ground || hidden.size() == 5);
    QCOMPARE(renderer_->stats().drawCalls, all - ground);
  }

 private:
  // The calls of one picture; -1 where it fails.
  int issued(const ck::Crowd& crowd, const RenderSettings& settings) {
    const DrawCount count;
    const auto drawn = renderer_->drawToFrame(crowd, {}, settings, kSide, kSide);
    if (!drawn) qWarning("%s", drawn.error().message.c_str());
    return drawn ? count.calls() : -1;
  }

  ck::test::GlStage stage_;
  BakedRig rig_ = fiveTubes();
  std::unique_ptr<CrowdRenderer> renderer_;
  bool paged_ = false;  // whether `renderer_` has small pages
};

CK_TEST(tst_draw_calls)
#include "tst_draw_calls.moc"
