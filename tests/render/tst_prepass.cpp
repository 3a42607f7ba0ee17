#include <QTest>

#include "render/gl/handle.h"
#include "render/reference/crowd_bounds.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/scene/skinned_store.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::render::RenderSettings;
using ck::render::SkinnedStore;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;
using ck::test::largestDistance;
using ck::test::rendererFor;
using ck::test::variedActors;

namespace {

constexpr double kFloats = 3e-5;

RenderSettings prepassSettings() {
  RenderSettings settings = ck::test::plainSettings();
  settings.view.pose.method = ck::Method::Prepass;
  return settings;
}

BakedRig limb() {
  ck::BakeSettings settings;
  settings.frames = 7;
  return bakedRig(ck::test::swingingLimb(), settings);
}

// How far the picture's vertices are from the reference, metres; -1 on failure.
double distanceTo(ck::render::CrowdRenderer& renderer, const BakedRig& rig, const ck::Crowd& crowd,
                  const RenderSettings& settings) {
  const auto drawn = readBackPositions(renderer, crowd, settings);
  if (!drawn) {
    qWarning("%s", drawn.error().message.c_str());
    return -1.0;
  }
  return largestDistance(*drawn, ck::render::referencePositions(*rig.character, rig.atlas.get(),
                                                                crowd, settings, false));
}

#define CK_AGREES(distance)                                                  \
  do {                                                                       \
    const double off = (distance);                                           \
    QVERIFY2(off >= 0.0 && off < kFloats, qPrintable(QString::number(off))); \
  } while (false)

}  // namespace

class tst_prepass : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsMoreThanTheBudgetAndSaysHowManyFit() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = limb();
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(variedActors(50, 3), rig.clips);
    RenderSettings settings = prepassSettings();
    QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16).has_value());
    const std::size_t bytes = renderer->stats().verticesPerActor * SkinnedStore::kVertexBytes;
    settings.view.pose.skinnedBudgetBytes = 37 * bytes + bytes / 2;
    auto other = rendererFor(rig);
    const auto refused = readBackPositions(*other, crowd, settings);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY2(refused.error().message.find("room for 37 actors") != std::string::npos,
             refused.error().message.c_str());
    CK_AGREES(distanceTo(*other, rig, ck::Crowd(variedActors(37, 3), rig.clips), settings));
    // The method palette, which skins on the processor only where it pays, has its shader left.
    settings.view.pose.method = ck::Method::Palette;
    settings.view.pose.skinOn = ck::SkinOn::Auto;
    CK_AGREES(distanceTo(*other, rig, crowd, settings));
    QVERIFY(other->drawToFrame(crowd, {}, settings, 16, 16).has_value());
    QVERIFY(!other->stats().skinnedOnCpu);
  }

  void agreesWhoeverSkins_data() {
    QTest::addColumn<int>("skinOn");
    QTest::addColumn<int>("influences");
    for (const auto skinOn : {ck::SkinOn::Gpu, ck::SkinOn::Cpu}) {
      for (const int influences : {1, 2, 4}) {
        QTest::addRow("%s with %d influences", ck::skinOnName(skinOn).data(), influences)
            << static_cast<int>(skinOn) << influences;
      }
    }
  }
  void agreesWhoeverSkins() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, skinOn);
    QFETCH(int, influences);
    const BakedRig rig = limb();
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    RenderSettings settings = prepassSettings();
    settings.view.pose.skinOn = static_cast<ck::SkinOn>(skinOn);
    settings.view.pose.influences = influences;
    std::vector<ck::Actor> actors = variedActors(21, 3);
    for (std::size_t i = 0; i < actors.size(); i += 3) {
      actors[i].fadeClip = (actors[i].clip + 1) % 3;
      actors[i].fade = 0.05f * static_cast<float>(i);
    }
    ck::Crowd crowd(actors, rig.clips);
    for (const double seconds : {0.0, 0.37, 0.999, 4.2}) {
      crowd.seek(seconds);
      CK_AGREES(distanceTo(*renderer, rig, crowd, settings));
    }
    // And by the method palette, where it skins on the processor.
    settings.view.pose.method = ck::Method::Palette;
    settings.view.pose.skinOn =
        skinOn == static_cast<int>(ck::SkinOn::Cpu) ? ck::SkinOn::Auto : ck::SkinOn::Gpu;
    CK_AGREES(distanceTo(*renderer, rig, crowd, settings));
    QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16).has_value());
    QCOMPARE(renderer->stats().skinnedOnCpu,
             renderer->facts().software && settings.view.pose.skinOn == ck::SkinOn::Auto);
  }

  // Actors at the same moment share vertices and stand in different places.
  void sharesVertices() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = limb();
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    std::vector<ck::Actor> actors = variedActors(40, 3);
    for (ck::Actor& actor : actors) {
      actor.offset = actor.clip * 0.1f;
      actor.rate = 1.0f;
    }
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(0.43);
    for (const auto skinOn : {ck::SkinOn::Gpu, ck::SkinOn::Cpu}) {
      RenderSettings settings = prepassSettings();
      settings.view.pose.skinOn = skinOn;
      CK_AGREES(distanceTo(*renderer, rig, crowd, settings));
      QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16).has_value());
      QCOMPARE(renderer->stats().fetchesPerVertex, 2);
    }
  }

  // With two clips that never stand still. In three ticks everybody is posed once; who is not
  // stands in the pose of before, where he is now.
  void posesActorsInTurn_data() {
    QTest::addColumn<int>("skinOn");
    QTest::newRow("on the GPU") << static_cast<int>(ck::SkinOn::Gpu);
    QTest::newRow("on the CPU") << static_cast<int>(ck::SkinOn::Cpu);
  }
  void posesActorsInTurn() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, skinOn);
    const BakedRig rig = limb();
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    RenderSettings settings = prepassSettings();
    settings.view.pose.skinOn = static_cast<ck::SkinOn>(skinOn);
    settings.view.pose.updateEvery = 3;
    constexpr std::size_t kActors = 9;
    ck::Crowd crowd(variedActors(kActors, 2), rig.clips);
    crowd.seek(0.2);
    CK_AGREES(distanceTo(*renderer, rig, crowd, settings));
    std::vector<int> posed(kActors, 0);
    const auto before =
        ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
    const std::size_t each = before.size() / kActors;
    for (int tick = 0; tick < 3; ++tick) {
      crowd.advance(0.11);
      const auto drawn = readBackPositions(*renderer, crowd, settings);
      QVERIFY(drawn.has_value());
      const auto now =
          ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
      for (std::size_t actor = 0; actor < kActors; ++actor) {
        double off = 0.0;
        for (std::size_t v = actor * each; v < (actor + 1) * each; ++v) {
          off = std::max(off, glm::distance(glm::dvec3((*drawn)[v]), now[v]));
        }
        if (off < kFloats) ++posed[actor];
      }
    }
    QCOMPARE(posed, std::vector<int>(kActors, 1));
    crowd.seek(0.9);
    CK_AGREES(distanceTo(*renderer, rig, crowd, settings));
  }

  // Pages that hold seven actors each, of three crowds with different bodies.
  void leasesRoomInPages() {
    CK_NEEDS_GL(stage_);
    SkinnedStore store({.pageVertices = 70, .budgetBytes = 280 * 16, .smallestPageVertices = 70});
    SkinnedStore::Lease first(store);
    SkinnedStore::Lease second(store);
    SkinnedStore::Lease third(store);
    QVERIFY(first.reserve(4, 10).has_value());
    QVERIFY(second.reserve(9, 5).has_value());
    QVERIFY(third.reserve(11, 7).has_value());
    std::vector<std::vector<int>> owners;
    int name = 0;
    for (const auto& [lease, each, actors] :
         {std::tuple{&first, 10, 4}, std::tuple{&second, 5, 9}, std::tuple{&third, 7, 11}}) {
      ++name;
      int next = 0;
      for (const SkinnedStore::Run& run : lease->runs()) {
        QCOMPARE(run.firstActor, static_cast<std::size_t>(next));
        next += static_cast<int>(run.actors);
        owners.resize(std::max(owners.size(), run.page + 1));
        owners[run.page].resize(70);
        const std::size_t end = run.firstVertex + run.actors * static_cast<std::size_t>(each);
        QVERIFY(end <= 70);
        for (std::size_t v = run.firstVertex; v < end; ++v) {
          QCOMPARE(owners[run.page][v], 0);
          owners[run.page][v] = name;
        }
      }
      QCOMPARE(next, actors);
    }
    const auto again = second.reserve(9, 5);
    QVERIFY(again.has_value() && *again);
    const auto tooMany = second.reserve(90, 5);
    QVERIFY(!tooMany.has_value());
    QCOMPARE(tooMany.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(second.runs().empty());
    QVERIFY(second.reserve(9, 5).has_value());
  }

  // As leasesRoomInPages, drawn: a crowd whose vertices need several pages.
  void drawsFromSeveralPages() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = limb();
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(variedActors(40, 3), rig.clips);
    crowd.seek(0.3);
    RenderSettings settings = prepassSettings();
    QVERIFY(renderer->drawToFrame(crowd, {}, settings, 16, 16).has_value());
    const std::size_t page = renderer->stats().verticesPerActor * 7 + 3;
    for (const auto skinOn : {ck::SkinOn::Gpu, ck::SkinOn::Cpu}) {
      settings.view.pose.skinOn = skinOn;
      for (const int every : {1, 3}) {
        settings.view.pose.updateEvery = every;
        auto paged = rendererFor(rig, page);
        CK_AGREES(distanceTo(*paged, rig, crowd, settings));
        ck::render::Camera camera;
        ck::render::frameBox(camera, ck::render::crowdBounds(crowd, rig.character), 1.0);
        const auto picture = paged->drawToFrame(crowd, camera, settings, 96, 96);
        QVERIFY(picture.has_value());
        QVERIFY(paged->stats().drawCalls >= 6);
        RenderSettings plain = prepassSettings();
        const auto whole = rendererFor(rig)->drawToFrame(crowd, camera, plain, 96, 96);
        QVERIFY(whole.has_value());
        QCOMPARE(ck::test::differentPixels(*picture, *whole), 0);
        for (const int x : {20, 48, 70}) {
          QCOMPARE(*paged->pick(crowd, camera, settings, 96, 96, x, 50),
                   *renderer->pick(crowd, camera, plain, 96, 96, x, 50));
        }
      }
    }
  }

 private:
  GlStage stage_;
};

CK_TEST(tst_prepass)
#include "tst_prepass.moc"
