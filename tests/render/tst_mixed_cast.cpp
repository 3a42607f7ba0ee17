#include <QTest>

#include "core/crowd/actor.h"
#include "render/gl/handle.h"
#include "render/reference/crowd_bounds.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::CrowdClip;
using ck::MixedCrowd;
using ck::render::CharacterEntry;
using ck::test::BakedRig;

namespace {

constexpr double kTolerance = 2e-5;

// The bar twice: one mesh as it is, and one beside it.
ck::Character twoMeshes() {
  ck::Character character = ck::test::barCharacter();
  ck::Mesh second = character.meshes[0];
  second.name = "Beside";
  for (glm::vec3& position : second.positions) position.x += 1.0f;
  character.meshes.push_back(second);
  return character;
}

ck::Character wideBar() {
  ck::Character character = ck::test::barCharacter();
  character.name = "wide";
  for (ck::Mesh& mesh : character.meshes) {
    for (glm::vec3& position : mesh.positions) position.x *= 2.0f;
  }
  return character;
}

// The bar with a shape of its whole body.
ck::Character leaningBar() {
  ck::Character character = ck::test::barCharacter();
  ck::Mesh& mesh = character.meshes[0];
  ck::MorphTarget target;
  target.name = "lean";
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    target.vertices.push_back(v);
    target.positionDeltas.emplace_back(0.0f, 0.0f, 0.3f);
    target.normalDeltas.emplace_back(0.0f);
  }
  mesh.morphTargets.push_back(std::move(target));
  mesh.defaultMorphWeights = {0.0f};
  return character;
}

// The actors of three characters, dealt out in turn.
std::vector<Actor> mixedActors(int count) {
  std::vector<Actor> actors = ck::test::variedActors(count, 2);
  for (int i = 0; i < count; ++i) actors[static_cast<std::size_t>(i)].character = i % 3;
  return actors;
}

struct ThreeRigs {
  BakedRig bar = ck::test::bakedRig(ck::test::barCharacter());
  BakedRig two = ck::test::bakedRig(twoMeshes());
  BakedRig wide = ck::test::bakedRig(wideBar());

  std::vector<CharacterEntry> cast() const {
    return {{bar.character, bar.atlas, {}},
            {two.character, two.atlas, {}},
            {wide.character, wide.atlas, {}}};
  }
  std::vector<std::vector<CrowdClip>> clips() const { return {bar.clips, two.clips, wide.clips}; }
  const BakedRig& operator[](std::size_t i) const { return i == 0 ? bar : i == 1 ? two : wide; }
};

ck::render::Camera cameraFor(const MixedCrowd& crowd, const ThreeRigs& rigs) {
  ck::render::Camera camera;
  const std::vector<ck::CharacterPtr> characters{rigs.bar.character, rigs.two.character,
                                                 rigs.wide.character};
  ck::render::frameBox(camera, ck::render::crowdBounds(crowd, characters), 1.5);
  return camera;
}

}  // namespace

class tst_mixed_cast : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsMoreCharactersThanTheCastHas() {
    CK_NEEDS_GL(stage_);
    const ThreeRigs rigs;
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY((*renderer)->setCharacter(rigs.bar.character).has_value());
    const MixedCrowd crowd(mixedActors(6), rigs.clips());
    const auto refused = (*renderer)->drawToFrame(crowd, {}, ck::test::plainSettings(), 60, 40);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY(refused.error().message.find("3 characters") != std::string::npos);
  }

  void rejectsACastWithAForeignAtlasAndKeepsTheOld() {
    CK_NEEDS_GL(stage_);
    const ThreeRigs rigs;
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY((*renderer)->setCharacters(rigs.cast()).has_value());
    ck::Atlas foreign = *rigs.bar.atlas;
    foreign.joints.push_back(foreign.joints.back());
    auto cast = rigs.cast();
    cast[2].atlas = std::make_shared<const ck::Atlas>(foreign);
    cast.erase(cast.begin());
    QVERIFY(!(*renderer)->setCharacters(cast).has_value());
    const MixedCrowd crowd(mixedActors(6), rigs.clips());
    QVERIFY(readBackPositions(**renderer, crowd, ck::test::plainSettings()).has_value());
  }

  void everyCharacterIsWhereItsReferenceSays_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("skinOn");
    for (const ck::MethodInfo& info : ck::kMethods) {
      // Between frames the pool mixes matrices: tst_pool.
      if (info.matricesOnly || info.method == ck::Method::Pool) continue;
      QTest::newRow(info.name.data())
          << static_cast<int>(info.method) << static_cast<int>(ck::SkinOn::Gpu);
    }
    QTest::newRow("prepass on the processor")
        << static_cast<int>(ck::Method::Prepass) << static_cast<int>(ck::SkinOn::Cpu);
  }
  void everyCharacterIsWhereItsReferenceSays() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    const ThreeRigs rigs;
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY((*renderer)->setCharacters(rigs.cast()).has_value());
    MixedCrowd crowd(mixedActors(14), rigs.clips());
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    QFETCH(int, skinOn);
    settings.view.pose.skinOn = static_cast<ck::SkinOn>(skinOn);
    for (const double seconds : {0.0, 0.41}) {
      crowd.seek(seconds);
      const auto drawn = readBackPositions(**renderer, crowd, settings);
      QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
      compareWithReferences(rigs, crowd, settings, *drawn);
    }
  }

  void charactersWithoutAtlasPlayTheirSourceBesideBakedOnes() {
    CK_NEEDS_GL(stage_);
    const ThreeRigs rigs;
    auto renderer = ck::render::CrowdRenderer::make();
    auto cast = rigs.cast();
    cast[1].atlas = nullptr;
    cast[2].character = nullptr;  // not there yet
    cast[2].atlas = nullptr;
    QVERIFY((*renderer)->setCharacters(cast).has_value());
    const MixedCrowd crowd(mixedActors(9), rigs.clips());
    const auto settings = ck::test::plainSettings();
    const auto camera = cameraFor(crowd, rigs);
    QVERIFY((*renderer)->drawToFrame(crowd, camera, settings, 96, 64).has_value());
    QCOMPARE((*renderer)->stats().actors, std::size_t{6});
    QCOMPARE((*renderer)->stats().characters, std::size_t{2});
  }

  void everyVisibleActorIsPickedByItsNumber() {
    CK_NEEDS_GL(stage_);
    const ThreeRigs rigs;
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY((*renderer)->setCharacters(rigs.cast()).has_value());
    constexpr int kActors = 9;
    // In a row, so that none hides another; the one in the middle is off.
    std::vector<Actor> actors = mixedActors(kActors);
    for (int i = 0; i < kActors; ++i) {
      Actor& actor = actors[static_cast<std::size_t>(i)];
      actor.position = glm::vec3(static_cast<float>(i) * 6.0f, 0.0f, 0.0f);
      actor.rotationDegrees = glm::vec3(0.0f);
    }
    actors[4].on = false;
    const MixedCrowd crowd(actors, rigs.clips());
    ck::render::Camera camera;
    camera.target = {24.0, 1.0, 0.0};
    camera.yaw = 0.0;
    camera.pitch = 0.0;
    camera.distance = 60.0;
    const auto all =
        (*renderer)->pickBox(crowd, camera, ck::test::plainSettings(), 900, 300, {0, 0, 900, 300});
    QVERIFY(all.has_value());
    const std::vector<std::uint32_t> everybody{0, 1, 2, 3, 4, 5, 6, 7};
    QVERIFY(*all == everybody);
    const glm::mat4 toClip =
        ck::render::projectionMatrix(camera, 3.0) * ck::render::viewMatrix(camera);
    for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
      const auto place = actors[crowd.sourceIndexOf(visible)].position;
      const glm::vec4 clip = toClip * glm::vec4(place.x, 0.5f, place.z, 1.0f);
      const int x = static_cast<int>((clip.x / clip.w * 0.5f + 0.5f) * 900.0f);
      const int y = static_cast<int>((0.5f - clip.y / clip.w * 0.5f) * 300.0f);
      const auto under =
          (*renderer)->pick(crowd, camera, ck::test::plainSettings(), 900, 300, x, y);
      QVERIFY(under.has_value());
      QCOMPARE(*under, static_cast<int>(visible));
    }
  }

  void aVariantHidesItsMeshesAndSharesTheRest() {
    CK_NEEDS_GL(stage_);
    const BakedRig two = ck::test::bakedRig(twoMeshes());
    const int before = ck::render::liveGlObjects();
    auto renderer = ck::render::CrowdRenderer::make();
    const CharacterEntry whole{two.character, two.atlas, {}};
    const CharacterEntry half{two.character, two.atlas, {1}};
    Actor actor;
    ck::render::Camera camera;
    camera.target = {0.5, 1.0, 0.0};
    camera.yaw = 0.0;
    camera.pitch = 0.2;
    const auto draw = [&](const std::vector<CharacterEntry>& cast, int character) {
      if (!(*renderer)->setCharacters(cast)) return ck::render::Frame{};
      actor.character = character;
      const std::vector<std::vector<CrowdClip>> clips(cast.size(), two.clips);
      const MixedCrowd crowd(std::vector<Actor>{actor}, clips);
      auto frame = (*renderer)->drawToFrame(crowd, camera, ck::test::plainSettings(), 120, 80);
      return frame ? *frame : ck::render::Frame{};
    };
    const auto both = draw({whole, half}, 0);
    const std::size_t triangles = (*renderer)->stats().triangles;
    const auto one = draw({whole, half}, 1);
    QCOMPARE((*renderer)->stats().triangles * 2, triangles);
    QVERIFY(ck::test::differentPixels(both, one) > 50);
    // The picture of the bar alone.
    const BakedRig bar = ck::test::bakedRig(ck::test::barCharacter());
    const auto alone = draw({{bar.character, bar.atlas, {}}}, 0);
    QCOMPARE(ck::test::differentPixels(one, alone), 0);
    // All hidden: nothing but the ground.
    QVERIFY(draw({{two.character, two.atlas, {0, 1}}}, 0).width > 0);
    QCOMPARE((*renderer)->stats().triangles, std::size_t{0});
    renderer->reset();
    QCOMPARE(ck::render::liveGlObjects(), before);
  }

  // The actor that is selected first, of whichever character, is the one whose face is edited.
  void onlyTheFirstSelectedActorIsMorphedByTheAccumulator() {
    CK_NEEDS_GL(stage_);
    const BakedRig rigs[] = {ck::test::bakedRig(leaningBar()), ck::test::bakedRig(leaningBar())};
    auto renderer = ck::render::CrowdRenderer::make();
    const std::vector<CharacterEntry> cast = {{rigs[0].character, rigs[0].atlas, {}},
                                              {rigs[1].character, rigs[1].atlas, {}}};
    QVERIFY(renderer.has_value() && (*renderer)->setCharacters(cast).has_value());
    std::vector<Actor> actors(2);
    for (int i = 0; i < 2; ++i) {
      Actor& actor = actors[static_cast<std::size_t>(i)];
      actor.character = i;
      ck::setMorph(actor, "lean", 1.0f);
    }
    const MixedCrowd crowd(actors,
                           std::vector<std::vector<CrowdClip>>{rigs[0].clips, rigs[1].clips});
    const auto settings = ck::test::plainSettings();
    // From where only the selected actor's face is shown.
    const glm::dvec3 eye(0.0, 1.0, 500.0);
    const auto camera = ck::render::lookFrom(eye, {0.0, 1.0, 0.0});
    const auto shown = [&](const std::vector<std::uint32_t>& selected) {
      const bool drawn =
          (*renderer)->drawToFrame(crowd, camera, settings, 16, 16, selected).has_value();
      const auto positions = readBackPositions(**renderer, crowd, settings, glm::vec3(eye));
      return drawn && positions ? *positions : std::vector<glm::vec3>();
    };
    const auto nobody = shown({});
    const std::size_t half = nobody.size() / 2;
    QVERIFY(half > 0);
    for (const std::vector<std::uint32_t>& selected :
         {std::vector<std::uint32_t>{0, 1}, std::vector<std::uint32_t>{1, 0}}) {
      const auto places = shown(selected);
      QCOMPARE(places.size(), nobody.size());
      for (std::size_t actor = 0; actor < 2; ++actor) {
        float farthest = 0.0f;
        for (std::size_t v = actor * half; v < (actor + 1) * half; ++v) {
          farthest = std::max(farthest, glm::distance(places[v], nobody[v]));
        }
        QCOMPARE(farthest > 0.1f, actor == selected.front());
        QVERIFY(actor == selected.front() || farthest == 0.0f);
      }
    }
  }

  void everyCharacterHasItsOwnMotion() {
    CK_NEEDS_GL(stage_);
    const ThreeRigs rigs;
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value() && (*renderer)->setCharacters(rigs.cast()).has_value());
    MixedCrowd crowd(mixedActors(11), rigs.clips());
    crowd.seek(0.93);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Motion;
    QVERIFY(readBackMotion(**renderer, crowd, settings).has_value());
    const auto before = readBackPositions(**renderer, crowd, settings);
    crowd.advance(0.11);
    const auto motion = readBackMotion(**renderer, crowd, settings);
    const auto after = readBackPositions(**renderer, crowd, settings);
    QVERIFY(before.has_value() && motion.has_value() && after.has_value());
    QCOMPARE(motion->size(), after->size());
    float farthest = 0.0f;
    for (std::size_t v = 0; v < motion->size(); ++v) {
      const glm::vec3 way = (*after)[v] - (*before)[v];
      QVERIFY(glm::distance((*motion)[v], way) < 1e-5f);
      farthest = std::max(farthest, glm::length(way));
    }
    QVERIFY(farthest > 1e-2f);
  }

 private:
  void compareWithReferences(const ThreeRigs& rigs, const MixedCrowd& crowd,
                             const ck::render::RenderSettings& settings,
                             const std::vector<glm::vec3>& drawn) {
    std::vector<std::vector<glm::dvec3>> expected;
    for (std::size_t c = 0; c < 3; ++c) {
      expected.push_back(ck::render::referencePositions(*rigs[c].character, rigs[c].atlas.get(),
                                                        crowd.crowds()[c], settings, false));
    }
    std::size_t at = 0;
    for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
      const ck::ActorPlace place = crowd.placeOf(visible);
      const auto& ofCharacter = expected[place.character];
      const std::size_t vertices = ofCharacter.size() / crowd.crowds()[place.character].size();
      QVERIFY(at + vertices <= drawn.size());
      for (std::size_t v = 0; v < vertices; ++v, ++at) {
        const double distance =
            glm::distance(glm::dvec3(drawn[at]), ofCharacter[place.index * vertices + v]);
        QVERIFY2(
            distance < kTolerance,
            qPrintable(QString("%1 m, actor %2, vertex %3").arg(distance).arg(visible).arg(v)));
      }
    }
    QCOMPARE(at, drawn.size());
  }

  ck::test::GlStage stage_;
};

CK_TEST(tst_mixed_cast)
#include "tst_mixed_cast.moc"
