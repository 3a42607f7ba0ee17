#include <QTest>
#include <algorithm>
#include <random>

#include "render/gl/handle.h"
#include "render/reference/reference_positions.h"
#include "render/shadows/shadow_cascades.h"
#include "render/shadows/shadow_reach.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::render::ActorRun;
using ck::render::Camera;
using ck::render::CrowdRenderer;
using ck::render::Frame;
using ck::render::RenderSettings;
using ck::test::BakedRig;

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 180;

std::vector<char> marksOf(const std::vector<ActorRun>& runs, std::size_t actors) {
  std::vector<char> marks(actors, 0);
  for (const ActorRun& run : runs) {
    for (std::size_t i = run.first; i < run.first + run.count; ++i) ++marks[i];
  }
  return marks;
}

}  // namespace

class tst_shadow_reach : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    ck::render::resetGlState();
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  // The witness are the vertices of the reference: every actor with one where a map is read is
  // drawn into it.
  void allThatReachIntoAMapAreDrawn() {
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    std::vector<Actor> actors = ck::test::variedActors(400, int(rig.clips.size()), 4.0f);
    for (std::size_t i = 0; i < actors.size(); i += 7) actors[i].rotationDegrees.x = 70.0f;
    Crowd crowd(actors, rig.clips);
    crowd.seek(0.4);
    const auto vertices = ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd,
                                                         ck::test::plainSettings(), false);
    const std::size_t each = vertices.size() / crowd.size();
    // Of all poses, from the reference as well.
    ck::ActorReach reach{.low = 1e9, .high = -1e9, .side = 0.0};
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      const ck::gpu::CkActor actor = crowd.instances()[v / each];
      const glm::vec4 back(-glm::vec3(actor.rotation), actor.rotation.w);
      const glm::dvec3 own = glm::dvec3(ck::gpu::ck_rotate(
                                 back, glm::vec3(vertices[v]) - glm::vec3(actor.positionAlphaA))) /
                             double(actor.scaleAlphaB.x);
      reach.low = std::min(reach.low, own.y);
      reach.high = std::max(reach.high, own.y);
      reach.side = std::max(reach.side, glm::length(glm::dvec2(own.x, own.z)));
    }
    std::mt19937 random(5);
    std::uniform_real_distribution<double> spread(-30.0, 30.0);
    std::size_t leftOut = 0;
    for (int view = 0; view < 20; ++view) {
      Camera camera;
      camera.target = {spread(random), 0.5, spread(random)};
      camera.yaw = spread(random);
      camera.pitch = 0.3;
      camera.distance = 6.0;
      const ck::Bounds box{{-50.0, 0.0, -50.0}, {50.0, 2.0, 50.0}};
      const auto plan = ck::render::planCascades(camera, 1.6, box);
      QVERIFY(plan.look.count > 0);
      for (int map = 0; map < plan.look.count; ++map) {
        const auto runs = ck::render::castersIn(plan, map, crowd.instances().places(), reach);
        const std::vector<char> marks = marksOf(runs, crowd.size());
        QVERIFY(std::ranges::all_of(marks, [](char mark) { return mark <= 1; }));
        for (std::size_t v = 0; v < vertices.size(); ++v) {
          const glm::vec4 clip = plan.toClip[map] * glm::vec4(glm::vec3(vertices[v]), 1.0f);
          if (std::abs(clip.x) > 1.0f || std::abs(clip.y) > 1.0f) continue;
          // Pixels there read the finer map.
          const glm::vec4 finer =
              plan.toClip[std::max(map - 1, 0)] * glm::vec4(glm::vec3(vertices[v]), 1.0f);
          if (map > 0 && std::max(std::abs(finer.x), std::abs(finer.y)) < 0.885f) continue;
          QVERIFY(marks[v / each] == 1);
        }
        leftOut += std::size_t(std::ranges::count(marks, 0));
      }
    }
    QVERIFY2(leftOut > 20 * crowd.size() / 2, qPrintable(QString::number(leftOut)));
  }

  // By a method that draws parts, and by one that draws all into every map.
  void shadowsAreTheSameByFewerTriangles() {
    const BakedRig& rig = ck::test::bakedHumanoid();
    const std::vector<Actor> actors = ck::test::variedActors(900, int(rig.clips.size()), 2.0f);
    const Crowd crowd(actors, rig.clips);
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    Camera camera;
    camera.target = {0.0, 0.8, 0.0};
    camera.yaw = 0.6;
    camera.pitch = 0.35;
    camera.distance = 9.0;
    RenderSettings settings;
    settings.view.grid = false;
    settings.view.pose.skinOn = ck::SkinOn::Gpu;
    settings.view.pose.morphs.on = false;
    settings.view.detail = {.mode = ck::DetailMode::Auto, .pixels = 0.25};
    settings.view.shadows = ck::Shadows::Cascades;
    const auto drawn = [&](ck::Method method, ck::Shadows shadows) {
      settings.view.pose.method = method;
      settings.view.shadows = shadows;
      auto frame = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
      if (!frame) qFatal("%s", frame.error().message.c_str());
      return *frame;
    };
    drawn(ck::Method::Palette, ck::Shadows::Cascades);
    renderer->completeDetail();
    const Frame parts = drawn(ck::Method::Palette, ck::Shadows::Cascades);
    const ck::render::FrameStats few = renderer->stats();
    const Frame whole = drawn(ck::Method::Prepass, ck::Shadows::Cascades);
    const ck::render::FrameStats many = renderer->stats();
    const Frame lit = drawn(ck::Method::Palette, ck::Shadows::Off);
    QCOMPARE(renderer->stats().shadowTriangles, std::size_t{0});
    QVERIFY(few.detail && few.detail->meshes.size() > 1);
    QCOMPARE(few.triangles, many.triangles);
    QCOMPARE(many.shadowTriangles, many.triangles * std::size_t(many.shadowMaps));
    QVERIFY2(few.shadowTriangles > 0 && few.shadowTriangles * 2 < many.shadowTriangles,
             qPrintable(QString("%1 of %2").arg(few.shadowTriangles).arg(many.shadowTriangles)));
    const int changed = ck::test::differentPixels(parts, whole, 24);
    const int shaded = ck::test::differentPixels(whole, lit, 24);
    QVERIFY2(shaded > 1000 && changed * 50 < shaded,
             qPrintable(QString("%1 of %2").arg(changed).arg(shaded)));
  }
};

CK_TEST(tst_shadow_reach)
#include "tst_shadow_reach.moc"
