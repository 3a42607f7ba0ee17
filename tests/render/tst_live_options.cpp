#include <QTest>

#include "render/gl/handle.h"
#include "render/methods/palette/palette_pass.h"
#include "render/methods/palette/palette_read.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/scene/welded_character.h"
#include "render/view/drawable_view.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using ck::test::BakedRig;
using ck::test::bakedRig;
using ck::test::GlStage;
using ck::test::largestDistance;
using ck::test::plainSettings;

namespace {

// Live poses are float, with rotations along a polynomial of the arc.
constexpr double kLiveTolerance = 3e-4;

// Every actor fades to another clip, the halves with and without a mask.
std::vector<ck::Actor> maskedActors(std::size_t clips) {
  std::vector<ck::Actor> actors = ck::test::variedActors(24, static_cast<int>(clips));
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].fadeClip = static_cast<int>((i + 1) % clips);
    actors[i].fade = 0.2f + 0.03f * static_cast<float>(i);
    actors[i].mask = static_cast<int>(i % 3) - 1;
  }
  return actors;
}

}  // namespace

class tst_live_options : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsMasksThatAreNotThere() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    // With no masks in the crowd they move everything.
    ck::Crowd crowd(maskedActors(rig.clips.size()), rig.clips);
    QVERIFY(distanceOf(rig, crowd) < kLiveTolerance);
  }

  void packedInfluencesKeepWhatTheyMay() {
    std::vector<ck::render::GpuVertex> vertices(3);
    vertices[0].skinJoints = {0, 1, 2, 0};
    vertices[0].weights = {0.5f, 0.25f, 0.25f, 0.0f};
    vertices[1].skinJoints = {255, 3, 0, 0};
    vertices[1].weights = {1.0f, 0.0f, 0.0f, 0.0f};
    vertices[2].skinJoints = {60'000, 1, 0, 0};
    vertices[2].weights = {0.7f, 0.3f, 0.0f, 0.0f};
    const auto packed = ck::render::packInfluences(vertices);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      // A number of n bits leaves 24 - n for half of the weight, rounded.
      const double allowed = v == 2 ? std::ldexp(1.0, -8) : std::ldexp(1.0, -16);
      for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<std::size_t>(i);
        QCOMPARE(static_cast<std::uint32_t>(packed.vertices[v][i]),
                 std::uint32_t(vertices[v].skinJoints[at]));
        const double lost = std::abs(double(ck::render::weightOfPacked(packed.vertices[v][i])) -
                                     double(vertices[v].weights[at]));
        QVERIFY(lost <= allowed);
        QVERIFY(lost <= packed.worstWeightError);
      }
    }
    QVERIFY(packed.worstWeightError > 0.0);
  }

  void everyWayToReadAgrees_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("read");
    QTest::addColumn<bool>("packed");
    for (const auto method : {ck::Method::Palette, ck::Method::Live}) {
      for (const auto read : {ck::PaletteRead::TextureBuffer, ck::PaletteRead::StorageBuffer,
                              ck::PaletteRead::Auto}) {
        for (const bool packed : {false, true}) {
          QTest::addRow("%s by way %d%s", ck::methodName(method).data(), int(read),
                        packed ? " packed" : "")
              << int(method) << int(read) << packed;
        }
      }
    }
  }
  void everyWayToReadAgrees() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    QFETCH(int, read);
    QFETCH(bool, packed);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    ck::render::RenderSettings settings = live();
    settings.view.pose.method = static_cast<ck::Method>(method);
    settings.view.pose.paletteRead = static_cast<ck::PaletteRead>(read);
    settings.view.pose.packedInfluences = packed;
    ck::Crowd crowd(maskedActors(rig.clips.size()), rig.clips);
    const double distance = distanceOf(rig, crowd, settings);
    QVERIFY2(distance < kLiveTolerance, qPrintable(QString::number(distance)));
  }

  // A driver may have compute shaders and yet no storage buffers in vertex shaders.
  void storageThatTheDriverLacksFallsBackToATexture_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("view");
    QTest::addColumn<int>("skinOn");
    QTest::addColumn<bool>("reads");
    const auto row = [](const char* name, ck::Method method, ck::ViewMode view, bool reads,
                        ck::SkinOn skinOn = ck::SkinOn::Gpu) {
      QTest::newRow(name) << int(method) << int(view) << int(skinOn) << reads;
    };
    row("palette", ck::Method::Palette, ck::ViewMode::Baked, true);
    row("live", ck::Method::Live, ck::ViewMode::Split, true);
    row("blends beside atlas", ck::Method::Atlas, ck::ViewMode::Blends, true);
    row("atlas", ck::Method::Atlas, ck::ViewMode::Baked, false);
    row("errors", ck::Method::Palette, ck::ViewMode::Error, false);
    row("processor", ck::Method::Palette, ck::ViewMode::Baked, false, ck::SkinOn::Cpu);
  }
  void storageThatTheDriverLacksFallsBackToATexture() {
    QFETCH(int, method);
    QFETCH(int, view);
    QFETCH(int, skinOn);
    QFETCH(bool, reads);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    const ck::render::CharacterEntry entry{rig.character, rig.atlas, {}};
    ck::ViewSettings asked;
    asked.pose.method = static_cast<ck::Method>(method);
    asked.pose.viewMode = static_cast<ck::ViewMode>(view);
    asked.pose.skinOn = static_cast<ck::SkinOn>(skinOn);
    asked.pose.paletteRead = ck::PaletteRead::StorageBuffer;
    ck::render::ContextFacts facts{.version = "4.3 of a driver", .compute = true};
    const auto lacking = ck::render::renderSettingsFor(asked, {&entry, 1}, false, facts);
    QCOMPARE(lacking.settings.view.pose.paletteRead, ck::PaletteRead::TextureBuffer);
    QCOMPARE(lacking.notes.size(), std::size_t{reads ? 1u : 0u});
    if (reads) {
      QCOMPARE(lacking.notes[0].code, std::string("OptionUnused"));
      QVERIFY(lacking.notes[0].message.find("4.3 of a driver") != std::string::npos);
    }
    facts.vertexStorage = true;
    const auto able = ck::render::renderSettingsFor(asked, {&entry, 1}, false, facts);
    QCOMPARE(able.settings.view.pose.paletteRead, ck::PaletteRead::StorageBuffer);
    QVERIFY(able.notes.empty());
  }

  void palettesIgnoreARequestForStorageThatTheDriverLacks() {
    ck::render::ShaderLibrary shaders;
    for (const bool able : {false, true}) {
      const ck::render::ContextFacts facts{.compute = true, .vertexStorage = able};
      ck::render::PalettePass palette(facts, 4, shaders);
      const ck::render::ActorStream none;
      QVERIFY(palette.run({.actors = none, .readAsStorage = true}, {}));
      QCOMPARE(palette.readsStorage(), able);
    }
  }

  void masksHoldTheSecondClipBack() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    const auto& joints = rig.character->rig.joints;
    const std::vector<ck::JointMask> masks{{"upper", {{joints[joints.size() / 2].name}}},
                                           {"most", {{joints[0].name, 0.6f}}}};
    ck::Crowd crowd(maskedActors(rig.clips.size()), rig.clips, masks);
    QVERIFY(distanceOf(rig, crowd) < kLiveTolerance);
    // The views beside it and those that check it do the same.
    for (const auto shown : {ck::ViewMode::Source, ck::ViewMode::Error}) {
      ck::render::RenderSettings settings = live();
      settings.view.pose.viewMode = shown;
      QVERIFY(distanceOf(rig, crowd, settings) < kLiveTolerance);
    }
    // The same without masks looks otherwise, or nothing was tested.
    ck::Crowd whole(maskedActors(rig.clips.size()), rig.clips);
    crowd.seek(0.7);
    whole.seek(0.7);
    const auto masked =
        ck::render::referencePositions(*rig.character, nullptr, crowd, live(), false);
    const auto unmasked =
        ck::render::referencePositions(*rig.character, nullptr, whole, live(), false);
    double most = 0.0;
    for (std::size_t i = 0; i < masked.size(); ++i) {
      most = std::max(most, glm::distance(masked[i], unmasked[i]));
    }
    QVERIFY(most > 0.02);
  }

 private:
  static ck::render::RenderSettings live() {
    ck::render::RenderSettings settings = plainSettings();
    settings.view.pose.method = ck::Method::Live;
    return settings;
  }

  // Between what the GPU and the reference make of a crowd; -1 where nothing was drawn.
  static double distanceOf(const BakedRig& rig, ck::Crowd& crowd,
                           const ck::render::RenderSettings& settings = live()) {
    auto renderer = ck::render::CrowdRenderer::make();
    if (!renderer || !(*renderer)->setCharacter(rig.character)) return 1e9;
    if (!(*renderer)->setAtlas(rig.atlas)) return 1e9;
    crowd.seek(0.7);
    const auto drawn = readBackPositions(**renderer, crowd, settings);
    if (!drawn) return 1e9;
    const double distance = largestDistance(
        *drawn,
        ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings,
                                       settings.view.pose.viewMode == ck::ViewMode::Source));
    return distance < 0.0 ? 1e9 : distance;
  }

  GlStage stage_;
};

CK_TEST(tst_live_options)
#include "tst_live_options.moc"
