#include <QTest>

#include "render/gl/handle.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using ck::render::RenderSettings;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;
using ck::test::largestDistance;

namespace {

constexpr double kFloats = 3e-5;

RenderSettings poolSettings(bool interpolate) {
  RenderSettings settings = ck::test::plainSettings();
  settings.view.pose.method = ck::Method::Pool;
  settings.view.pose.sampling = ck::samplingFor(interpolate);
  return settings;
}

BakedRig coarseLimb() {
  ck::BakeSettings settings;
  settings.frames = 7;
  return bakedRig(ck::test::swingingLimb(), settings);
}

}  // namespace

class tst_pool : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsTheSource() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value() && (*renderer)->setCharacter(rig.character).has_value());
    QVERIFY((*renderer)->setAtlas(rig.atlas).has_value());
    RenderSettings settings = poolSettings(true);
    settings.view.pose.sampling = ck::Sampling::HardwareLinear;
    const auto refused =
        readBackPositions(**renderer, ck::Crowd(ck::test::variedActors(2, 3), rig.clips), settings);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::Unsupported);
  }

  // Mixing the matrices of two frames mixes the places of vertices, so the reference at both frames
  // knows where they are.
  void mixesTwoFrames() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value() && (*renderer)->setCharacter(rig.character).has_value());
    QVERIFY((*renderer)->setAtlas(rig.atlas).has_value());
    ck::Actor actor;
    actor.position = {1.0f, 0.5f, -2.0f};
    actor.rotationDegrees = {0.0f, 40.0f, 0.0f};
    ck::Crowd crowd(std::vector{actor}, rig.clips);
    const ck::CrowdClip& clip = rig.clips.front();
    const int steps = clip.frameCount - 1;
    const auto at = [&](double unit) {
      crowd.seek(unit * clip.durationSeconds);
      return ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd,
                                            poolSettings(false), false);
    };
    const auto early = at(2.0 / steps);
    const auto late = at(3.0 / steps);
    crowd.seek((2.25 / steps) * clip.durationSeconds);
    const auto drawn = readBackPositions(**renderer, crowd, poolSettings(true));
    QVERIFY(drawn.has_value());
    std::vector<glm::dvec3> expected;
    for (std::size_t v = 0; v < early.size(); ++v) {
      expected.push_back(glm::mix(early[v], late[v], 0.25));
    }
    const double distance = largestDistance(*drawn, expected);
    QVERIFY2(distance >= 0.0 && distance < kFloats, qPrintable(QString::number(distance)));
    QVERIFY((*renderer)->drawToFrame(crowd, {}, poolSettings(true), 32, 32).has_value());
    QCOMPARE((*renderer)->stats().fetchesPerVertex, 3 * 4 * 2);
    QVERIFY((*renderer)->drawToFrame(crowd, {}, poolSettings(false), 32, 32).has_value());
    QCOMPARE((*renderer)->stats().fetchesPerVertex, 3 * 4);
    const std::size_t frames = static_cast<std::size_t>(steps + 1) * rig.clips.size();
    QVERIFY((*renderer)->stats().skinningBytes >= frames * rig.atlas->joints.size() * 48);
  }

  void mixesTwoClipsInTheWorld() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value() && (*renderer)->setCharacter(rig.character).has_value());
    QVERIFY((*renderer)->setAtlas(rig.atlas).has_value());
    std::vector<ck::Actor> actors = ck::test::variedActors(9, 3);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].fadeClip = (actors[i].clip + 1) % 3;
      actors[i].fade = 0.1f * static_cast<float>(i);
    }
    ck::Crowd crowd(actors, rig.clips);
    for (const double seconds : {0.0, 0.61, 3.3}) {
      crowd.seek(seconds);
      const auto drawn = readBackPositions(**renderer, crowd, poolSettings(false));
      QVERIFY(drawn.has_value());
      const double distance = largestDistance(
          *drawn, ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd,
                                                 poolSettings(false), false));
      QVERIFY2(distance >= 0.0 && distance < kFloats, qPrintable(QString::number(distance)));
    }
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_pool)
#include "tst_pool.moc"
