#include <QTest>

#include "render/gl/handle.h"
#include "render/reference/crowd_bounds.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/view/blend_errors.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::BakedRig;
using ck::test::bakedRig;
using ck::test::GlStage;
using ck::test::plainSettings;

namespace {

ck::Crowd fadingCrowd(const BakedRig& rig, double blend) {
  std::vector<ck::Actor> actors(3);
  for (ck::Actor& actor : actors) actor.scale = 1.2f;
  actors[1].clip = 0;
  actors[1].fadeClip = static_cast<int>(rig.clips.size()) - 1;
  actors[1].fade = static_cast<float>(blend);
  ck::Crowd crowd(actors, rig.clips);
  crowd.seek(0.41);
  return crowd;
}

// The worst distance between what a method draws of an actor and the clips blended joint by joint.
double worstMm(const std::vector<glm::vec3>& drawn, const std::vector<glm::dvec3>& expected,
               std::size_t actor, std::size_t actors) {
  const std::size_t vertices = drawn.size() / actors;
  double worst = 0.0;
  for (std::size_t i = actor * vertices; i < (actor + 1) * vertices; ++i) {
    worst = std::max(worst, glm::distance(glm::dvec3(drawn[i]), expected[i]));
  }
  return worst * 1000.0;
}

}  // namespace

class tst_blends : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsCrowdsWithoutFades() {
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    QVERIFY(!ck::render::fadingActor(fadingCrowd(rig, 0.0), {}));
    const ck::Crowd crowd = fadingCrowd(rig, 0.5);
    QCOMPARE(ck::render::fadingActor(crowd, {}).value_or(9), std::size_t{1});
    const std::vector<std::uint32_t> wanted{77, 0, 1};
    QCOMPARE(ck::render::fadingActor(crowd, wanted).value_or(9), std::size_t{1});
  }

  // The figures of a method are those of its picture: the figures are taken from the CPU, the
  // picture from the GPU.
  void figuresAreThoseOfThePicture() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value());
    QVERIFY((*renderer)->setCharacter(rig.character) && (*renderer)->setAtlas(rig.atlas));
    const ck::Crowd crowd = fadingCrowd(rig, 0.5);
    const auto errors = ck::render::blendErrors(*rig.character, *rig.atlas, crowd, 1);
    ck::render::RenderSettings settings = plainSettings();
    settings.view.pose.method = ck::Method::Live;  // the reference of clips blended joint by joint
    const auto expected =
        ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
    settings.view.pose.method = ck::Method::Palette;
    const auto relative = readBackPositions(**renderer, crowd, settings);
    settings.view.pose.method = ck::Method::Atlas;
    const auto world = readBackPositions(**renderer, crowd, settings);
    QVERIFY(relative && world);
    const double relativeMm = worstMm(*relative, expected, 1, 3);
    const double worldMm = worstMm(*world, expected, 1, 3);
    QVERIFY2(std::abs(relativeMm - errors.relative.worstMm) < 0.05,
             qPrintable(QString("%1 %2").arg(relativeMm).arg(errors.relative.worstMm)));
    QVERIFY2(std::abs(worldMm - errors.world.worstMm) < 0.05,
             qPrintable(QString("%1 %2").arg(worldMm).arg(errors.world.worstMm)));
    QVERIFY(errors.relative.meanMm <= errors.relative.worstMm);
    // Half way between two poses a long limb shrinks where its ends are mixed in the world.
    QVERIFY(errors.world.worstMm > 5.0 * errors.relative.worstMm);
  }

  void eachHalfBlendsItsOwnWay() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value());
    QVERIFY((*renderer)->setCharacter(rig.character) && (*renderer)->setAtlas(rig.atlas));
    const ck::Crowd crowd = fadingCrowd(rig, 0.5);
    ck::render::Camera camera;
    ck::render::frameBox(camera, ck::render::crowdBounds(crowd, rig.character), 1.0);
    const auto pictureOf = [&](ck::ViewMode shown, ck::Method method) {
      ck::render::RenderSettings settings = plainSettings();
      settings.view.pose.viewMode = shown;
      settings.view.pose.method = method;
      return (*renderer)->drawToFrame(crowd, camera, settings, 128, 128);
    };
    const auto both = pictureOf(ck::ViewMode::Blends, ck::Method::Live);
    const auto relative = pictureOf(ck::ViewMode::Baked, ck::Method::Palette);
    const auto world = pictureOf(ck::ViewMode::Baked, ck::Method::Atlas);
    QVERIFY(both && relative && world);
    QVERIFY(ck::test::differentPixels(*relative, *world) > 20);
    for (std::size_t i = 0; i < both->rgba.size(); ++i) {
      const std::size_t column = i / 4 % 128;
      if (column > 60 && column < 67) continue;  // the line between the halves
      const bool left = column < 64;
      const auto& expected = left ? relative->rgba : world->rgba;
      QVERIFY(std::abs(int(both->rgba[i]) - int(expected[i])) <= 2);
    }
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_blends)
#include "tst_blends.moc"
