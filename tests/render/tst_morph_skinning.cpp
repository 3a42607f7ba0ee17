#include <QTest>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/morph/actor_morphs.h"
#include "core/skinning/cpu_skinning.h"
#include "render/gl/handle.h"
#include "render/skinning/actor_poses.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"

using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;
using ck::test::largestDistance;

namespace {

constexpr double kTolerance = 4e-5;

// The bar with two shapes; one follows the clip "Bend", one only shows where an actor wants it.
ck::Character bulgingBar() {
  ck::Character bar = ck::test::barCharacter();
  ck::Mesh& mesh = bar.meshes[0];
  for (int t = 0; t < 2; ++t) {
    ck::MorphTarget target;
    target.name = t == 0 ? "bulge" : "lean";
    for (std::uint32_t v = 0; v < mesh.positions.size(); v += 2) {
      target.vertices.push_back(v);
      target.positionDeltas.push_back(t == 0 ? mesh.normals[v] * 0.3f
                                             : glm::vec3(0.2f * mesh.positions[v].y, 0.0f, 0.1f));
      target.normalDeltas.emplace_back(0.0f, 0.2f, 0.0f);
    }
    mesh.morphTargets.push_back(std::move(target));
  }
  mesh.defaultMorphWeights = {0.0f, 0.25f};
  bar.clips[0].morphTracks.push_back(
      {0, 0, {ck::Interpolation::Linear, {0.0, 0.5, 1.0}, {0.0f, 1.0f, 0.0f}}});
  return bar;
}

std::vector<ck::Actor> expressiveActors() {
  std::vector<ck::Actor> actors = ck::test::variedActors(8, 2);
  ck::setMorph(actors[1], "lean", 0.9f);
  ck::setMorph(actors[2], "bulge", -0.4f);
  ck::setMorph(actors[2], "lean", 0.0f);
  ck::setMorph(actors[5], "a shape that is not there", 1.0f);
  actors[6].scale = -0.8f;
  actors[7].fadeClip = 0;
  actors[7].fade = 0.5f;
  return actors;
}

// Where the vertices are by the oracle of skinning with weights that are worked out here: `exact`
// ones of the clip, then the actor's own.
std::vector<glm::dvec3> expected(const BakedRig& rig, const ck::Crowd& crowd,
                                 const std::vector<ck::Actor>& actors, ck::Reading reading) {
  const ck::Character& bar = *rig.character;
  const ck::Mesh& mesh = bar.meshes[0];
  const ck::render::ActorPoses poses(bar, rig.atlas.get(), crowd, {true, true, reading});
  std::vector<ck::gpu::CkActor> records(crowd.size());
  crowd.writeInstances(records);
  const auto bulgeAt = [](int clip, double unit) {
    return clip == 0 ? 1.0 - std::abs(2.0 * unit - 1.0) : 0.0;
  };
  std::vector<glm::dvec3> all;
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    double bulge = bulgeAt(crowd.clipOf(i), crowd.unitOf(i));
    if (const auto fade = crowd.fadeOf(i)) {
      bulge += fade->blend * (bulgeAt(fade->clip, fade->unit) - bulge);
    }
    std::vector<float> weights = {static_cast<float>(bulge), 0.25f};
    if (const auto own = ck::morphOf(actors[i], "bulge")) weights[0] = *own;
    if (const auto own = ck::morphOf(actors[i], "lean")) weights[1] = *own;
    const auto posed =
        ck::skinMesh(mesh, poses.baked(i), {.influenceLimit = 4, .morphWeights = weights});
    const glm::dmat4 world = ck::render::actorMatrix(records[i]);
    for (const glm::dvec3& p : posed.positions) all.emplace_back(world * glm::dvec4(p, 1.0));
  }
  return all;
}

}  // namespace

class tst_morph_skinning : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void everyMethodShowsTheShapes_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("hero");
    QTest::addColumn<bool>("floats");
    QTest::addColumn<int>("skinOn");
    for (const auto method : {ck::Method::Palette, ck::Method::Atlas, ck::Method::Live,
                              ck::Method::Cpu, ck::Method::Prepass, ck::Method::Pool}) {
      for (const bool hero : {false, true}) {
        QTest::newRow(qPrintable(
            QString("%1%2").arg(ck::methodName(method).data()).arg(hero ? " with a hero" : "")))
            << int(method) << hero << false << int(ck::SkinOn::Gpu);
      }
    }
    QTest::newRow("palette with a hero of floats")
        << int(ck::Method::Palette) << true << true << int(ck::SkinOn::Gpu);
    QTest::newRow("palette on the processor")
        << int(ck::Method::Palette) << true << false << int(ck::SkinOn::Cpu);
    QTest::newRow("palette on software")
        << int(ck::Method::Palette) << false << false << int(ck::SkinOn::Auto);
  }
  void everyMethodShowsTheShapes() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    QFETCH(bool, hero);
    QFETCH(bool, floats);
    QFETCH(int, skinOn);
    const BakedRig rig = bakedRig(bulgingBar());
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer);
    QVERIFY((*renderer)->setCharacter(rig.character));
    QVERIFY((*renderer)->setAtlas(rig.atlas));
    std::vector<ck::Actor> actors = expressiveActors();
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.method = static_cast<ck::Method>(method);
    settings.influences = 4;
    settings.skinOn = static_cast<ck::SkinOn>(skinOn);
    if (floats) settings.morphs.accumulator.sums = ck::MorphSums::Float;
    ck::Crowd crowd(actors, rig.clips);
    const std::vector<std::uint32_t> selected(hero ? 1 : 0, 0u);
    ck::render::Camera camera;
    // On key frames the bytes of the atlas are the only difference to the source.
    for (const double seconds : {0.0, 0.3, 1.7}) {
      crowd.seek(seconds);
      QVERIFY((*renderer)->drawToFrame(crowd, camera, settings, 64, 64, selected));
      const auto drawn = (*renderer)->readBackPositions(crowd, settings);
      QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
      const ck::Reading reading = ck::methodReading(settings.method);
      const double distance = largestDistance(*drawn, expected(rig, crowd, actors, reading));
      // Half of a 255th of the weight, times the largest difference, on a body of size 1.5.
      const double step = 0.3 / 510.0 * 1.5;
      // Live poses come from the clips, and the pool mixes matrices.
      const bool live = settings.method == ck::Method::Live || settings.method == ck::Method::Pool;
      QVERIFY2(distance >= 0.0 && distance < step + (live ? 4e-3 : kTolerance),
               qPrintable(QString::number(distance)));
      if (hero) QVERIFY((*renderer)->stats().morphs.hero);
    }
    if (!hero) return;
    // The hero has all of its weight.
    const auto drawn = (*renderer)->readBackPositions(crowd, settings);
    const auto due = expected(rig, crowd, actors, ck::methodReading(settings.method));
    const std::size_t count = rig.character->meshes[0].positions.size();
    double most = 0.0;
    for (std::size_t v = 0; v < count; ++v) {
      most = std::max(most, glm::distance(glm::dvec3((*drawn)[v]), due[v]));
    }
    const bool live = settings.method == ck::Method::Live || settings.method == ck::Method::Pool;
    QVERIFY2(most < (live ? 4e-3 : kTolerance), qPrintable(QString::number(most)));
  }

  void theOracleAgreesWithTheRenderer_data() {
    QTest::addColumn<int>("method");
    for (const auto method : {ck::Method::Palette, ck::Method::Atlas, ck::Method::Cpu}) {
      QTest::newRow(ck::methodName(method).data()) << int(method);
    }
  }
  void theOracleAgreesWithTheRenderer() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    const BakedRig rig = bakedRig(bulgingBar());
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer && (*renderer)->setCharacter(rig.character) &&
            (*renderer)->setAtlas(rig.atlas));
    ck::Crowd crowd(expressiveActors(), rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.method = static_cast<ck::Method>(method);
    crowd.seek(0.77);
    const auto drawn = (*renderer)->readBackPositions(crowd, settings);
    QVERIFY(drawn);
    const auto judge =
        ck::render::oraclePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
    const double distance = largestDistance(*drawn, judge);
    QVERIFY2(distance >= 0.0 && distance < kTolerance, qPrintable(QString::number(distance)));
  }

  void farActorsKeepTheDefaultShape() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(bulgingBar());
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer && (*renderer)->setCharacter(rig.character) &&
            (*renderer)->setAtlas(rig.atlas));
    std::vector<ck::Actor> actors(2);
    for (ck::Actor& actor : actors) ck::setMorph(actor, "lean", 1.0f);
    actors[1].position.x = 100.0f;
    const ck::Crowd crowd(actors, rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    const auto camera = ck::render::lookFrom({0.0, 1.0, 5.0}, {0.0, 1.0, 0.0});
    QVERIFY((*renderer)->drawToFrame(crowd, camera, settings, 64, 64));
    QCOMPARE((*renderer)->stats().morphs.nearActors, std::size_t{1});
    settings.morphs.nearMeters = 200.0;
    QVERIFY((*renderer)->drawToFrame(crowd, camera, settings, 64, 64));
    QCOMPARE((*renderer)->stats().morphs.nearActors, std::size_t{2});
    settings.morphs.on = false;
    QVERIFY((*renderer)->drawToFrame(crowd, camera, settings, 64, 64));
    QCOMPARE((*renderer)->stats().morphs.nearActors, std::size_t{0});
  }

 private:
  GlStage stage_;
};

QTEST_APPLESS_MAIN(tst_morph_skinning)
#include "tst_morph_skinning.moc"
