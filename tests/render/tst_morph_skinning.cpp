#include <QTest>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/crowd/actor.h"
#include "core/skinning/cpu_skinning.h"
#include "render/gl/handle.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/skinning/actor_poses.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

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

constexpr std::size_t kFar = 3;  // the actor that stands too far off for its face to be seen
constexpr float kFarMeters = 100.0f;

std::vector<ck::Actor> expressiveActors() {
  std::vector<ck::Actor> actors = ck::test::variedActors(8, 2);
  ck::setMorph(actors[1], "lean", 0.9f);
  ck::setMorph(actors[2], "bulge", -0.4f);
  ck::setMorph(actors[2], "lean", 0.0f);
  ck::setMorph(actors[kFar], "lean", 1.0f);
  actors[kFar].position.x = kFarMeters;
  ck::setMorph(actors[5], "a shape that is not there", 1.0f);
  actors[6].scale = -0.8f;
  actors[7].fadeClip = 0;
  actors[7].fade = 0.5f;
  return actors;
}

// Where the vertices are by the reference of skinning with weights that are worked out here:
// `exact` ones of the clip, then the actor's own; far actors have the default shape.
std::vector<glm::dvec3> expected(const BakedRig& rig, const ck::Crowd& crowd,
                                 const std::vector<ck::Actor>& actors, ck::Reading reading) {
  const ck::Character& bar = *rig.character;
  const ck::Mesh& mesh = bar.meshes[0];
  const ck::render::ActorPoses poses(bar, rig.atlas.get(), crowd, {true, true, reading});
  const ck::ActorRecords records = crowd.instances();
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
    if (actors[i].position.x >= kFarMeters) weights = {0.0f, 0.25f};
    const auto posed =
        ck::skinMesh(mesh, poses.baked(i), {.influenceLimit = 4, .morphWeights = weights});
    const glm::dmat4 world = ck::render::actorMatrix(records[i]);
    for (const glm::dvec3& p : posed.positions) all.emplace_back(world * glm::dvec4(p, 1.0));
  }
  return all;
}

// Half of a 255th of a weight, times the largest difference, on a body of size 1.5.
constexpr double kRowStep = 0.3 / 510.0 * 1.5;

// In a row, each with its own lean.
std::vector<ck::Actor> leaningActors() {
  std::vector<ck::Actor> actors(7);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].position.x = static_cast<float>(i) * 2.0f;
    ck::setMorph(actors[i], "lean", static_cast<float>(i) * 0.1f);
  }
  return actors;
}

ck::render::RenderSettings inTurn(ck::SkinOn skinOn) {
  ck::render::RenderSettings settings = ck::test::plainSettings();
  settings.view.pose.method = ck::Method::Prepass;
  settings.view.pose.influences = 4;
  settings.view.pose.skinOn = skinOn;
  settings.view.pose.updateEvery = 3;
  return settings;
}

// A way to draw.
struct Way {
  const char* name = "";
  ck::Method method = ck::Method::Palette;
  ck::SkinOn skinOn = ck::SkinOn::Gpu;
  ck::Encoding encoding = ck::Encoding::P16;
  double tolerance = kTolerance;
  int every = 1;
  bool floats = false;
};

// Live poses come from the clips, and the pool mixes matrices.
constexpr double kOtherPoses = 4e-3;
const Way kWays[] = {
    {"palette", ck::Method::Palette},
    {"palette on the processor", ck::Method::Palette, ck::SkinOn::Cpu},
    {"palette on software", ck::Method::Palette, ck::SkinOn::Auto},
    {"atlas", ck::Method::Atlas},
    {"matrix of M32", ck::Method::Matrix, ck::SkinOn::Gpu, ck::Encoding::M32},
    {"matrix of M16", ck::Method::Matrix, ck::SkinOn::Gpu, ck::Encoding::M16},
    {"atlas of M32", ck::Method::Atlas, ck::SkinOn::Gpu, ck::Encoding::M32},
    {"live", ck::Method::Live, ck::SkinOn::Gpu, ck::Encoding::P16, kOtherPoses},
    {"cpu", ck::Method::Cpu},
    {"prepass", ck::Method::Prepass},
    {"prepass on the processor", ck::Method::Prepass, ck::SkinOn::Cpu},
    {"prepass in turn", ck::Method::Prepass, ck::SkinOn::Gpu, ck::Encoding::P16, kTolerance, 3},
    {"prepass in turn on the processor", ck::Method::Prepass, ck::SkinOn::Cpu, ck::Encoding::P16,
     kTolerance, 3},
    {"pool", ck::Method::Pool, ck::SkinOn::Gpu, ck::Encoding::P16, kOtherPoses},
    {"pool of M32", ck::Method::Pool, ck::SkinOn::Gpu, ck::Encoding::M32},
};

ck::render::RenderSettings settingsOf(const Way& way) {
  ck::render::RenderSettings settings = ck::test::plainSettings();
  settings.view.pose.method = way.method;
  settings.view.pose.influences = 4;
  settings.view.pose.skinOn = way.skinOn;
  settings.view.pose.updateEvery = way.every;
  if (way.floats) settings.view.pose.morphs.accumulator.sums = ck::MorphSums::Float;
  return settings;
}

}  // namespace

Q_DECLARE_METATYPE(Way)

class tst_morph_skinning : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void everyMethodShowsTheShapes_data() {
    QTest::addColumn<Way>("way");
    QTest::addColumn<bool>("selectedActor");
    for (const Way& way : kWays) {
      QTest::newRow(way.name) << way << false;
      QTest::addRow("%s with a hero", way.name) << way << true;
    }
    Way floats = kWays[0];
    floats.floats = true;
    QTest::newRow("palette with a hero of floats") << floats << true;
  }
  // a selected actor, actors near with weights of their clips and of their own, and one far off.
  void everyMethodShowsTheShapes() {
    CK_NEEDS_GL(stage_);
    QFETCH(Way, way);
    QFETCH(bool, selectedActor);
    ck::BakeSettings bake;
    bake.encoding = way.encoding;
    const BakedRig rig = bakedRig(bulgingBar(), bake);
    const auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const std::vector<ck::Actor> actors = expressiveActors();
    const ck::render::RenderSettings settings = settingsOf(way);
    ck::Crowd crowd(actors, rig.clips);
    const std::vector<std::uint32_t> selected(selectedActor ? 1 : 0, 0u);
    const auto camera = ck::render::lookFrom({0.0, 1.0, 5.0}, {0.0, 1.0, 0.0});
    const glm::vec3 eye(0.0f, 1.0f, 5.0f);
    for (const double seconds : {0.0, 0.3, 1.7}) {
      crowd.seek(seconds);
      QVERIFY(renderer->drawToFrame(crowd, camera, settings, 64, 64, selected));
      QCOMPARE(renderer->stats().morphs.selectedActor, selectedActor);
      QVERIFY(renderer->stats().morphs.nearActors > 0);
      const auto drawn = readBackPositions(*renderer, crowd, settings, eye);
      QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
      const auto due = expected(rig, crowd, actors, ck::methodInfo(way.method).reading);
      const double distance = largestDistance(*drawn, due);
      QVERIFY2(distance >= 0.0 && distance < kRowStep + way.tolerance,
               qPrintable(QString::number(distance)));
      // The selected actor has all of its weight.
      const std::size_t count = rig.character->meshes[0].positions.size();
      double most = 0.0;
      for (std::size_t v = 0; v < count; ++v) {
        most = std::max(most, glm::distance(glm::dvec3((*drawn)[v]), due[v]));
      }
      QVERIFY2(!selectedActor || most < way.tolerance, qPrintable(QString::number(most)));
    }
  }

  // A clip moves twenty shapes, all of which are kept, in steps far below the tolerance.
  void clipsShowAllShapesThatAreKept_data() { aThousandActorsHaveFacesOfTheirOwn_data(); }
  void clipsShowAllShapesThatAreKept() {
    CK_NEEDS_GL(stage_);
    QFETCH(Way, way);
    constexpr int kShapes = 20;
    const auto weightAt = [](int shape, double unit) {
      return (0.5 + 0.05 * shape) * (1.0 - std::abs(2.0 * unit - 1.0));
    };
    ck::Character bar = ck::test::barCharacter();
    ck::Mesh& mesh = bar.meshes[0];
    for (int t = 0; t < kShapes; ++t) {
      ck::MorphTarget target;
      target.name = "shape " + std::to_string(t);
      for (std::uint32_t v = static_cast<std::uint32_t>(t) % 4; v < mesh.positions.size(); v += 4) {
        target.vertices.push_back(v);
        target.positionDeltas.emplace_back(0.02f, 0.003f * static_cast<float>(t % 7), 0.01f);
        target.normalDeltas.emplace_back(0.0f);
      }
      mesh.morphTargets.push_back(std::move(target));
      mesh.defaultMorphWeights.push_back(0.0f);
      const auto most = static_cast<float>(weightAt(t, 0.5));
      bar.clips[0].morphTracks.push_back(
          {0, t, {ck::Interpolation::Linear, {0.0, 0.5, 1.0}, {0.0f, most, 0.0f}}});
    }
    ck::BakeSettings bake;
    bake.encoding = way.encoding;
    bake.morphs = {kShapes, 16};
    const BakedRig rig = bakedRig(std::move(bar), bake);
    const auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const std::vector<ck::Actor> actors = ck::test::variedActors(6, 1);
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(0.3);
    const ck::render::RenderSettings settings = settingsOf(way);
    const auto drawn = readBackPositions(*renderer, crowd, settings);
    QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
    const ck::Reading reading = ck::methodInfo(way.method).reading;
    const ck::render::ActorPoses poses(*rig.character, rig.atlas.get(), crowd,
                                       {true, true, reading});
    const ck::ActorRecords records = crowd.instances();
    std::vector<glm::dvec3> due;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      std::vector<float> weights;
      for (int t = 0; t < kShapes; ++t) {
        weights.push_back(static_cast<float>(weightAt(t, crowd.unitOf(i))));
      }
      const auto posed = ck::skinMesh(rig.character->meshes[0], poses.baked(i),
                                      {.influenceLimit = 4, .morphWeights = weights});
      const glm::dmat4 world = ck::render::actorMatrix(records[i]);
      for (const glm::dvec3& p : posed.positions) due.emplace_back(world * glm::dvec4(p, 1.0));
    }
    const double distance = largestDistance(*drawn, due);
    QVERIFY2(distance >= 0.0 && distance < way.tolerance, qPrintable(QString::number(distance)));
  }

  // The write-up's timing differs, so only the movement of vertices by a shape is compared: actors
  // that stand at a stored frame show the same pose by either timing.
  void theBookShowsTheShapes() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(bulgingBar());
    const auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    std::vector<ck::Actor> actors(3);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].rate = 0.0f;
      actors[i].position.x = static_cast<float>(i) * 3.0f;
    }
    ck::setMorph(actors[1], "lean", 0.9f);
    ck::setMorph(actors[2], "bulge", 1.0f);
    const ck::Crowd crowd(actors, rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.influences = 4;
    ck::test::drawBy(ck::test::kBook, settings);
    const auto book = readBackPositions(*renderer, crowd, settings);
    QVERIFY2(book, book ? "" : book.error().message.c_str());
    const auto due = expected(rig, crowd, actors, ck::Reading::Direct);
    const double distance = largestDistance(*book, due);
    QVERIFY2(distance >= 0.0 && distance < 1e-4, qPrintable(QString::number(distance)));
  }

  // By the reference, which reads weights by the clips' time; each method but live has baked poses.
  void aThousandActorsHaveFacesOfTheirOwn_data() {
    QTest::addColumn<Way>("way");
    for (const Way& way : kWays) {
      const bool others = way.tolerance > kTolerance;
      if (!others && way.every == 1) QTest::newRow(way.name) << way;
    }
  }
  void aThousandActorsHaveFacesOfTheirOwn() {
    CK_NEEDS_GL(stage_);
    QFETCH(Way, way);
    ck::BakeSettings bake;
    bake.encoding = way.encoding;
    const BakedRig rig = bakedRig(bulgingBar(), bake);
    const auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    std::vector<ck::Actor> actors = ck::test::variedActors(1000, 2, 0.4f);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      ck::setMorph(actors[i], "lean", 0.001f * static_cast<float>(i));
      if (i % 3 == 0) ck::setMorph(actors[i], "bulge", 1.0f - 0.001f * static_cast<float>(i));
    }
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(0.77);
    const ck::render::RenderSettings settings = settingsOf(way);
    const auto drawn = readBackPositions(*renderer, crowd, settings);
    QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
    const auto reference =
        ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
    const double distance = largestDistance(*drawn, reference);
    QVERIFY2(distance >= 0.0 && distance < 2.0 * kTolerance, qPrintable(QString::number(distance)));
  }

  void fiveHundredTargetsAreShown_data() { aThousandActorsHaveFacesOfTheirOwn_data(); }
  void fiveHundredTargetsAreShown() {
    CK_NEEDS_GL(stage_);
    QFETCH(Way, way);
    ck::Character bar = ck::test::barCharacter();
    ck::Mesh& mesh = bar.meshes[0];
    std::vector<ck::Actor> actors = ck::test::variedActors(3, 2);
    for (int t = 0; t < 500; ++t) {
      ck::MorphTarget target;
      target.name = "shape " + std::to_string(t);
      target.vertices = {static_cast<std::uint32_t>(t) %
                         static_cast<std::uint32_t>(mesh.positions.size())};
      target.positionDeltas = {glm::vec3(0.01f, 0.001f * static_cast<float>(t % 7), 0.0f)};
      target.normalDeltas = {glm::vec3(0.0f)};
      for (std::size_t i = 0; i < actors.size(); ++i) {
        ck::setMorph(actors[i], target.name, 0.002f * static_cast<float>((t * 7 + i) % 500));
      }
      mesh.morphTargets.push_back(std::move(target));
      mesh.defaultMorphWeights.push_back(0.0f);
    }
    ck::BakeSettings bake;
    bake.encoding = way.encoding;
    const BakedRig rig = bakedRig(std::move(bar), bake);
    const auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(0.4);
    ck::render::RenderSettings settings = settingsOf(way);
    const auto drawn = readBackPositions(*renderer, crowd, settings);
    QVERIFY2(drawn, drawn ? "" : drawn.error().message.c_str());
    const double distance = largestDistance(
        *drawn,
        ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false));
    QVERIFY2(distance >= 0.0 && distance < kTolerance, qPrintable(QString::number(distance)));
    settings.view.pose.morphs.on = false;
    const auto plain = readBackPositions(*renderer, crowd, settings);
    QVERIFY(plain);
    QVERIFY(largestDistance(*plain, {drawn->begin(), drawn->end()}) > 0.02);
  }

  void facesCountInTheMemory() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(bulgingBar());
    ck::Crowd crowd(expressiveActors(), rig.clips);
    crowd.seek(0.3);
    for (const Way& way : kWays) {
      if (way.encoding != ck::Encoding::P16) continue;
      const auto renderer = ck::test::rendererFor(rig);
      ck::render::RenderSettings settings = settingsOf(way);
      const ck::render::Camera camera;
      settings.view.pose.morphs.on = false;
      QVERIFY(renderer->drawToFrame(crowd, camera, settings, 16, 16));
      const std::size_t without = renderer->stats().skinningBytes;
      settings.view.pose.morphs.on = true;
      settings.view.pose.morphs.nearMeters = 1000.0;
      QVERIFY(renderer->drawToFrame(crowd, camera, settings, 16, 16));
      // Two shapes of half of the vertices, two texels each.
      const std::size_t half = rig.character->meshes[0].positions.size() / 2;
      const std::size_t with = renderer->stats().skinningBytes;
      QVERIFY2(with >= without + 2 * half * 32, way.name);
      // Nothing is given back while nobody looks.
      settings.view.pose.morphs.nearMeters = 1e-3;
      QVERIFY(renderer->drawToFrame(crowd, camera, settings, 16, 16));
      QVERIFY2(renderer->stats().skinningBytes >= without + 2 * half * 32, way.name);
    }
  }

  // Actors skinned on the processor need no rows of weights on the GPU, which might not fit.
  void theProcessorMakesNoRows() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(bulgingBar());
    const auto bytesOf = [&](int count) {
      const auto renderer = ck::test::rendererFor(rig);
      std::vector<ck::Actor> actors = ck::test::variedActors(count, 2);
      for (ck::Actor& actor : actors) ck::setMorph(actor, "lean", 0.7f);
      const ck::Crowd crowd(actors, rig.clips);
      ck::render::RenderSettings settings = ck::test::plainSettings();
      settings.view.pose.method = ck::Method::Cpu;
      settings.view.pose.morphs.nearMeters = 1000.0;
      settings.view.pose.morphs.on = false;
      if (!renderer->drawToFrame(crowd, {}, settings, 16, 16)) return std::size_t{0};
      const std::size_t without = renderer->stats().skinningBytes;
      settings.view.pose.morphs.on = true;
      if (!renderer->drawToFrame(crowd, {}, settings, 16, 16)) return std::size_t{0};
      return renderer->stats().skinningBytes - without;
    };
    QVERIFY(bytesOf(10) > 0);
    QCOMPARE(bytesOf(50), bytesOf(10));
  }

  // It has weights of its own making.
  void theSelectedActorIsNotAmongTheNear() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(bulgingBar());
    const auto renderer = ck::test::rendererFor(rig);
    const std::vector<ck::Actor> actors = leaningActors();
    const ck::Crowd crowd(actors, rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.morphs.nearMeters = 1000.0;
    QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16));
    const std::size_t all = renderer->stats().morphs.nearActors;
    const std::uint32_t selected[] = {5};
    QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16, selected));
    QVERIFY(renderer->stats().morphs.selectedActor);
    QCOMPARE(renderer->stats().morphs.nearActors + 1, all);
  }

  void facesAreSkinnedInTurn_data() {
    QTest::addColumn<int>("skinOn");
    QTest::newRow("on the GPU") << static_cast<int>(ck::SkinOn::Gpu);
    QTest::newRow("on the processor") << static_cast<int>(ck::SkinOn::Cpu);
  }
  // A face that is switched on shows at once; then each actor is skinned once in a round of turns,
  // as it is at that moment, and keeps its face in between.
  void facesAreSkinnedInTurn() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, skinOn);
    const BakedRig rig = bakedRig(bulgingBar());
    const auto renderer = ck::test::rendererFor(rig);
    const std::vector<ck::Actor> actors = leaningActors();
    ck::Crowd crowd(actors, rig.clips);
    ck::render::RenderSettings settings = inTurn(static_cast<ck::SkinOn>(skinOn));
    settings.view.pose.morphs.on = false;
    QVERIFY(readBackPositions(*renderer, crowd, settings));
    settings.view.pose.morphs.on = true;
    auto drawn = readBackPositions(*renderer, crowd, settings);
    QVERIFY(drawn);
    const auto reading = ck::methodInfo(settings.view.pose.method).reading;
    QVERIFY(largestDistance(*drawn, expected(rig, crowd, actors, reading)) < kRowStep + kTolerance);
    const std::size_t each = drawn->size() / actors.size();
    std::vector<int> skinned(actors.size(), 0);
    for (int tick = 0; tick < settings.view.pose.updateEvery; ++tick) {
      const std::vector<glm::vec3> before = *drawn;
      crowd.advance(0.05);
      drawn = readBackPositions(*renderer, crowd, settings);
      QVERIFY(drawn);
      const auto due = expected(rig, crowd, actors, reading);
      for (std::size_t actor = 0; actor < actors.size(); ++actor) {
        const auto at = static_cast<std::ptrdiff_t>(actor * each);
        const auto end = static_cast<std::ptrdiff_t>((actor + 1) * each);
        const std::vector<glm::vec3> now(drawn->begin() + at, drawn->begin() + end);
        if (std::equal(now.begin(), now.end(), before.begin() + at)) continue;
        ++skinned[actor];
        const double distance = largestDistance(now, {due.begin() + at, due.begin() + end});
        QVERIFY2(distance < kRowStep + kTolerance, qPrintable(QString::number(distance)));
      }
    }
    QCOMPARE(skinned, std::vector<int>(actors.size(), 1));
  }

  void facesFollowTheEyeWhileTheCrowdRests_data() { facesAreSkinnedInTurn_data(); }
  // No actor waits for its turn to get a face, or to lose it.
  void facesFollowTheEyeWhileTheCrowdRests() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, skinOn);
    const BakedRig rig = bakedRig(bulgingBar());
    const auto renderer = ck::test::rendererFor(rig);
    const std::vector<ck::Actor> actors = leaningActors();
    const ck::Crowd crowd(actors, rig.clips);
    const ck::render::RenderSettings settings = inTurn(static_cast<ck::SkinOn>(skinOn));
    std::vector<ck::Actor> faceless = actors;
    for (ck::Actor& actor : faceless) actor.position.x = kFarMeters;
    const auto reading = ck::methodInfo(settings.view.pose.method).reading;
    const auto shows = [&](const glm::vec3& eye, const std::vector<ck::Actor>& faces) {
      const auto drawn = readBackPositions(*renderer, crowd, settings, eye);
      const double distance =
          drawn ? largestDistance(*drawn, expected(rig, crowd, faces, reading)) : -1.0;
      return distance >= 0.0 && distance < kRowStep + kTolerance;
    };
    const glm::dvec3 far(0.0, 1.0, 500.0);
    const glm::vec3 near(0.0f, 1.0f, 5.0f);
    QVERIFY(shows(near, actors));
    QVERIFY(shows(glm::vec3(far), faceless));
    // The one that is selected has its face from any distance.
    const auto camera = ck::render::lookFrom(far, {0.0, 1.0, 0.0});
    std::vector<ck::Actor> one = faceless;
    one[5] = actors[5];
    const std::uint32_t selected[] = {5};
    QVERIFY(renderer->drawToFrame(crowd, camera, settings, 16, 16, selected));
    QVERIFY(shows(glm::vec3(far), one));
    QVERIFY(renderer->drawToFrame(crowd, camera, settings, 16, 16));
    QVERIFY(shows(glm::vec3(far), faceless));
    QVERIFY(shows(near, actors));
  }

  // Blends are compared whether fades are switched on or not, and so are faces.
  void theSelectedActorFadesWhereBlendsAreCompared() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(bulgingBar());
    const auto renderer = ck::test::rendererFor(rig);
    std::vector<ck::Actor> actors(1);
    actors[0].fadeClip = 1;
    actors[0].fade = 0.5f;
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(0.5);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Blends;
    settings.view.pose.fades = false;
    const std::uint32_t selected[] = {0};
    QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16, selected));
    const std::vector<float>& weights = renderer->stats().morphs.weights;
    QCOMPARE(weights.size(), std::size_t{2});
    // The first clip has all of the shape at its middle, the second none.
    QVERIFY2(std::abs(weights[0] - 0.5f) < 1e-3f, qPrintable(QString::number(weights[0])));
  }
  // A loop that ends before its first pose gets a step back to it, in the file as in the bake.
  void facesCloseTheirLoopsAsTheBakeDoes() {
    ck::Character bar = bulgingBar();
    bar.clips[0].morphTracks[0].weight.values = {0.0f, 1.0f, 0.6f};
    ck::BakeSettings settings;
    settings.clips = {
        {.name = bar.clips[0].name, .loop = ck::LoopMode::Loop, .seam = ck::SeamChoice::Exclusive}};
    const auto baked = ck::bake(bar, settings);
    QVERIFY(baked.has_value());
    const ck::AtlasClip& clip = baked->atlas.clips[0];
    const double step = clip.durationSeconds - 1.0;
    QVERIFY2(step > 0.01, qPrintable(QString::number(step)));
    const std::vector<std::string> names{bar.clips[0].name};
    ck::Crowd crowd(std::vector<ck::Actor>(1), ck::crowdClips(baked->atlas, names));
    const ck::render::ActorPoses poses(bar, &baked->atlas, crowd, {});
    for (const double part : {0.25, 0.5, 1.0, 1.0 + 0.25 * step, 1.0 + 0.75 * step}) {
      crowd.seek(part);
      double due = part <= 0.5 ? 2.0 * part : 1.0 - 0.8 * (part - 0.5);
      if (part > 1.0) due = 0.6 * (1.0 - (part - 1.0) / step);
      QVERIFY(std::abs(static_cast<double>(poses.sourceMorphWeights(0, 0)[0]) - due) < 1e-5);
      const auto weights =
          ck::bakedMorphWeights(baked->atlas.morphs, 0, crowd.unitOf(0), ck::frameGridOf(clip));
      QVERIFY(std::abs(static_cast<double>(weights[0]) - due) < 1.0 / 255.0);
    }
  }

  void theReferenceAgreesWithTheRenderer_data() {
    QTest::addColumn<int>("method");
    for (const auto method : {ck::Method::Palette, ck::Method::Atlas, ck::Method::Cpu}) {
      QTest::newRow(ck::methodName(method).data()) << int(method);
    }
  }
  void theReferenceAgreesWithTheRenderer() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    const BakedRig rig = bakedRig(bulgingBar());
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer && (*renderer)->setCharacter(rig.character) &&
            (*renderer)->setAtlas(rig.atlas));
    ck::Crowd crowd(expressiveActors(), rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    crowd.seek(0.77);
    const auto drawn = readBackPositions(**renderer, crowd, settings);
    QVERIFY(drawn);
    const auto reference =
        ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
    const double distance = largestDistance(*drawn, reference);
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
    settings.view.pose.morphs.nearMeters = 200.0;
    QVERIFY((*renderer)->drawToFrame(crowd, camera, settings, 64, 64));
    QCOMPARE((*renderer)->stats().morphs.nearActors, std::size_t{2});
    settings.view.pose.morphs.on = false;
    QVERIFY((*renderer)->drawToFrame(crowd, camera, settings, 64, 64));
    QCOMPARE((*renderer)->stats().morphs.nearActors, std::size_t{0});
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_morph_skinning)
#include "tst_morph_skinning.moc"
