#include <QTest>

#include "core/crowd/actor_morphs.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"
#include "core/skinning/tangent_skinning.h"
#include "render/reference/read_back.h"
#include "render/scene/welded_character.h"
#include "render/skinning/actor_poses.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::addTangents;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;

namespace {

// Ten bits for each component, twice: as bound and as skinned.
constexpr double kPackedDegrees = 0.35;
// The pool mixes matrices of frames.
constexpr double kPoolDegrees = 2.0;

// Two targets that move vertices and turn tangents about their normals by up to a radian; "twist"
// also by default.
void addTurningMorphs(ck::Character& character) {
  for (ck::Mesh& mesh : character.meshes) {
    for (int t = 0; t < 2; ++t) {
      ck::MorphTarget target;
      target.name = t == 0 ? "twist" : "lean";
      target.channel = t;
      for (std::uint32_t v = 0; v < mesh.positions.size(); v += 2) {
        const glm::vec3 along(mesh.tangents[v]);
        const glm::vec3 across = glm::cross(mesh.normals[v], along);
        target.vertices.push_back(v);
        target.positionDeltas.emplace_back(0.01f, 0.0f, 0.02f);
        target.normalDeltas.push_back(t == 0 ? glm::vec3(0.0f) : 0.2f * along);
        target.tangentDeltas.push_back(t == 0 ? across : -0.7f * across);
      }
      mesh.morphTargets.push_back(std::move(target));
    }
    mesh.defaultMorphWeights = {0.25f, 0.0f};
  }
}

// The default weights, and the actor's own.
std::vector<float> weightsOf(const ck::Character& character, const ck::Mesh& mesh,
                             const ck::Crowd& crowd, std::size_t actor) {
  const ck::MorphSet set = ck::morphSetOf(character);
  std::vector<float> weights = ck::defaultWeights(set);
  ck::setOwnMorphs(set, crowd, actor, weights);
  return ck::weightsOfMesh(set, character, static_cast<int>(&mesh - character.meshes.data()),
                           weights);
}

struct Comparison {
  double worstDegrees = 0.0;
  int sides = 0;  // that differ
  int compared = 0;
  int mirrored = 0;  // whose side is not that of the bound tangent
};

// Against the processor in double, which has poses and vertices from elsewhere.
Comparison compare(const std::vector<glm::vec4>& drawn, const BakedRig& rig, const ck::Crowd& crowd,
                   const ck::render::RenderSettings& settings) {
  const bool live = settings.view.pose.method == ck::Method::Live;
  const ck::render::ActorPoses poses(
      *rig.character, rig.atlas.get(), crowd,
      {.reading = ck::methodInfo(settings.view.pose.method).reading, .masks = live});
  const ck::ActorRecords records = crowd.instances();
  Comparison comparison;
  std::size_t at = 0;
  for (std::size_t actor = 0; actor < crowd.size(); ++actor) {
    std::vector<glm::dmat4> matrices = live ? poses.source(actor) : poses.baked(actor);
    for (glm::dmat4& m : matrices) m = ck::render::actorMatrix(records[actor]) * m;
    for (const ck::Mesh& mesh : rig.character->meshes) {
      const ck::SkinnedMesh posed =
          ck::skinMesh(mesh, matrices,
                       {.influenceLimit = settings.view.pose.influences,
                        .morphWeights = weightsOf(*rig.character, mesh, crowd, actor)});
      for (std::size_t v = 0; v < mesh.positions.size(); ++v, ++at) {
        if (at >= drawn.size()) continue;
        ++comparison.compared;
        const glm::dvec3 got(drawn[at]);
        if (mesh.tangents.empty()) {
          comparison.sides += drawn[at] == glm::vec4(0.0f) ? 0 : 1;
          continue;
        }
        const glm::dvec3 wanted(posed.tangents[v]);
        const double angle =
            glm::degrees(std::atan2(glm::length(glm::cross(got, wanted)), glm::dot(got, wanted)));
        comparison.worstDegrees =
            std::max(comparison.worstDegrees, std::isnan(angle) ? 180.0 : angle);
        comparison.sides += drawn[at].w == static_cast<float>(posed.tangents[v].w) ? 0 : 1;
        comparison.mirrored +=
            posed.tangents[v].w == static_cast<double>(mesh.tangents[v].w) ? 0 : 1;
      }
    }
  }
  return comparison;
}

}  // namespace

class tst_tangents : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }

  void rejectsTangentsWithoutASide() {
    QCOMPARE(ck::packTangent({1.0f, 0.0f, 0.0f, 0.0f}), 0u);
    QCOMPARE(ck::unpackTangent(0), glm::vec4(0.0f));
  }

  void packedTangentsKeepTheirSide() {
    for (const float side : {-1.0f, 1.0f}) {
      const glm::vec4 tangent(glm::normalize(glm::vec3(-0.3f, 0.5f, 0.8f)), side);
      const glm::vec4 back = ck::unpackTangent(ck::packTangent(tangent));
      QCOMPARE(back.w, side);
      QVERIFY(glm::distance(glm::vec3(back), glm::vec3(tangent)) < 0.003f);
    }
  }

  void charactersWithoutTangentsStoreNone() {
    QVERIFY(ck::render::weldCharacter(ck::test::barCharacter()).tangents.empty());
    ck::Character bar = ck::test::barCharacter();
    addTangents(bar);
    const auto welded = ck::render::weldCharacter(bar);
    QCOMPARE(welded.tangents.size(), welded.vertices.size());
  }

  void agreeWithTheProcessor_data() {
    QTest::addColumn<int>("rig");
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("skinOn");
    QTest::addColumn<int>("every");
    const char* rigs[] = {"a limb", "uneven scales", "a mirrored joint", "one mesh without"};
    for (int rig = 0; rig < 4; ++rig) {
      const auto add = [&](const char* name, ck::Method method, ck::Encoding encoding,
                           ck::SkinOn skinOn, int every) {
        QTest::addRow("%s by %s", rigs[rig], name)
            << rig << static_cast<int>(method) << static_cast<int>(encoding)
            << static_cast<int>(skinOn) << every;
      };
      using ck::Encoding;
      using ck::Method;
      using ck::SkinOn;
      add("palette", Method::Palette, Encoding::T32, SkinOn::Gpu, 1);
      add("palette on the processor", Method::Palette, Encoding::T32, SkinOn::Cpu, 1);
      add("live", Method::Live, Encoding::T32, SkinOn::Gpu, 1);
      add("prepass", Method::Prepass, Encoding::T32, SkinOn::Gpu, 1);
      add("prepass on the processor", Method::Prepass, Encoding::T32, SkinOn::Cpu, 1);
      add("prepass in turn", Method::Prepass, Encoding::T32, SkinOn::Gpu, 3);
      add("matrix", Method::Matrix, Encoding::M32, SkinOn::Gpu, 1);
      add("cpu", Method::Cpu, Encoding::T32, SkinOn::Gpu, 1);
      add("atlas", Method::Atlas, Encoding::T32, SkinOn::Gpu, 1);
    }
  }
  void agreeWithTheProcessor() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, rig);
    QFETCH(int, method);
    QFETCH(int, encoding);
    QFETCH(int, skinOn);
    QFETCH(int, every);
    ck::Character character = rig == 0   ? ck::test::swingingLimb()
                              : rig == 1 ? ck::test::stretchedLimb()
                              : rig == 2 ? ck::test::mirroredLimb()
                                         : ck::test::twoMeshesOnOneSkeleton();
    addTangents(character);
    if (rig == 3) character.meshes[1].tangents.clear();
    ck::BakeSettings bake;
    bake.encoding = static_cast<ck::Encoding>(encoding);
    const BakedRig baked = bakedRig(std::move(character), bake);
    auto renderer = ck::test::rendererFor(baked);
    QVERIFY(renderer != nullptr);
    std::vector<ck::Actor> actors =
        ck::test::variedActors(11, static_cast<int>(baked.clips.size()));
    actors[2].scale = -actors[2].scale;
    ck::Crowd crowd(actors, baked.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    settings.view.pose.skinOn = static_cast<ck::SkinOn>(skinOn);
    settings.view.pose.updateEvery = every;
    settings.view.pose.viewMode = ck::ViewMode::Tangents;
    for (const double seconds : {0.0, 0.4137}) {
      crowd.seek(seconds);
      const auto drawn = readBackTangents(*renderer, crowd, settings);
      QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
      const Comparison comparison = compare(*drawn, baked, crowd, settings);
      QCOMPARE(static_cast<std::size_t>(comparison.compared), drawn->size());
      QVERIFY2(comparison.worstDegrees < kPackedDegrees,
               qPrintable(QString::number(comparison.worstDegrees)));
      QCOMPARE(comparison.sides, 0);
      // One of the actors is mirrored, so that the test has something to see.
      QVERIFY(comparison.mirrored > 0);
    }
  }

  void morphsTurnTangents_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("skinOn");
    QTest::addColumn<bool>("selected");
    QTest::addColumn<double>("bound");
    for (const bool selected : {false, true}) {
      const auto add = [&](const char* name, ck::Method method, ck::Encoding encoding,
                           ck::SkinOn skinOn, double bound) {
        QTest::addRow("%s%s", name, selected ? ", one actor selected" : "")
            << static_cast<int>(method) << static_cast<int>(encoding) << static_cast<int>(skinOn)
            << selected << bound;
      };
      using ck::Encoding;
      using ck::Method;
      using ck::SkinOn;
      add("palette", Method::Palette, Encoding::T32, SkinOn::Gpu, kPackedDegrees);
      add("palette on the processor", Method::Palette, Encoding::T32, SkinOn::Cpu, kPackedDegrees);
      add("live", Method::Live, Encoding::T32, SkinOn::Gpu, kPackedDegrees);
      add("prepass", Method::Prepass, Encoding::T32, SkinOn::Gpu, kPackedDegrees);
      add("prepass on the processor", Method::Prepass, Encoding::T32, SkinOn::Cpu, kPackedDegrees);
      add("matrix", Method::Matrix, Encoding::M32, SkinOn::Gpu, kPackedDegrees);
      add("pool", Method::Pool, Encoding::M32, SkinOn::Gpu, kPoolDegrees);
      add("cpu", Method::Cpu, Encoding::T32, SkinOn::Gpu, kPackedDegrees);
      add("atlas", Method::Atlas, Encoding::T32, SkinOn::Gpu, kPackedDegrees);
    }
  }
  void morphsTurnTangents() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    QFETCH(int, encoding);
    QFETCH(int, skinOn);
    QFETCH(bool, selected);
    QFETCH(double, bound);
    ck::Character character = ck::test::swingingLimb();
    addTangents(character);
    addTurningMorphs(character);
    ck::BakeSettings bake;
    bake.encoding = static_cast<ck::Encoding>(encoding);
    const BakedRig baked = bakedRig(std::move(character), bake);
    auto renderer = ck::test::rendererFor(baked);
    QVERIFY(renderer != nullptr);
    std::vector<ck::Actor> actors = ck::test::variedActors(6, static_cast<int>(baked.clips.size()));
    ck::setMorph(actors[1], "twist", 1.0f);
    ck::setMorph(actors[2], "lean", 0.8f);
    ck::setMorph(actors[3], "twist", -0.6f);
    ck::setMorph(actors[3], "lean", 0.5f);
    const ck::Crowd crowd(actors, baked.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    settings.view.pose.skinOn = static_cast<ck::SkinOn>(skinOn);
    settings.view.pose.viewMode = ck::ViewMode::Tangents;
    // Reading back makes no other tick where the crowd stays, and so keeps the selected actor.
    const std::vector<std::uint32_t> marked(selected ? 1 : 0, 3u);
    QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16, marked));
    QCOMPARE(renderer->stats().morphs.selectedActor, selected);
    const auto drawn = readBackTangents(*renderer, crowd, settings);
    QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
    const Comparison comparison = compare(*drawn, baked, crowd, settings);
    QVERIFY2(comparison.worstDegrees < bound, qPrintable(QString::number(comparison.worstDegrees)));
    QCOMPARE(comparison.sides, 0);
  }

  void skinnedTangentsAreCountedAndRefusedBeyondTheBudget() {
    CK_NEEDS_GL(stage_);
    ck::Character character = ck::test::swingingLimb();
    addTangents(character);
    const BakedRig rig = bakedRig(std::move(character));
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(ck::test::variedActors(40, 2), rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = ck::Method::Prepass;
    settings.view.pose.viewMode = ck::ViewMode::Tangents;
    const std::size_t each = ck::render::weldCharacter(*rig.character).vertices.size();
    settings.view.pose.skinnedBudgetBytes =
        each * 30 * 20;  // thirty actors of twenty bytes a vertex
    const auto refused = readBackTangents(*renderer, crowd, settings);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY2(refused.error().message.find("room for 30 actors") != std::string::npos,
             refused.error().message.c_str());
    // No view shows tangents here, so they take no room.
    settings.view.pose.viewMode = ck::ViewMode::Baked;
    settings.view.pose.skinnedBudgetBytes = each * 40 * 16;
    QVERIFY(readBackPositions(*renderer, crowd, settings).has_value());
  }

  void theViewPaintsTangents() {
    CK_NEEDS_GL(stage_);
    ck::Character character = ck::test::barCharacter();
    addTangents(character);
    for (glm::vec4& tangent : character.meshes[0].tangents) tangent = glm::vec4(0, 1, 0, 1);
    const BakedRig rig = bakedRig(std::move(character));
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(std::vector<ck::Actor>(1), rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.viewMode = ck::ViewMode::Tangents;
    ck::render::Camera camera;
    ck::render::frameBox(camera, {glm::dvec3(-0.3, 0.2, -0.3), glm::dvec3(0.3, 0.8, 0.3)}, 1.0);
    const auto frame = renderer->drawToFrame(crowd, camera, settings, 64, 64);
    QVERIFY(frame.has_value());
    // Up is green, and neither red nor blue.
    const std::uint8_t* middle = &frame->rgba[(32 * 64 + 32) * 4];
    QVERIFY(middle[1] > middle[0] + 40);
    QVERIFY(std::abs(middle[0] - middle[2]) < 8);
    // The same as a thing that stands.
    const auto shape = std::make_shared<const ck::Character>(ck::restShape(*rig.character));
    const std::vector<ck::render::PlacedProp> props{{shape}};
    QVERIFY(renderer->setProps(props).has_value());
    const ck::Crowd nobody(std::vector<ck::Actor>{}, rig.clips);
    const auto standing = renderer->drawToFrame(nobody, camera, settings, 64, 64);
    QVERIFY(standing.has_value());
    const std::uint8_t* same = &standing->rgba[(32 * 64 + 32) * 4];
    QVERIFY(same[1] > same[0] + 40);
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_tangents)
#include "tst_tangents.moc"
