#include <QTest>

#include "render/gl/handle.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/scene/welded_character.h"
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
    settings.pose.method = static_cast<ck::Method>(method);
    settings.pose.paletteRead = static_cast<ck::PaletteRead>(read);
    settings.pose.packedInfluences = packed;
    ck::Crowd crowd(maskedActors(rig.clips.size()), rig.clips);
    const double distance = distanceOf(rig, crowd, settings);
    QVERIFY2(distance < kLiveTolerance, qPrintable(QString::number(distance)));
  }

  void masksHoldTheSecondClipBack() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    const auto& joints = rig.character->rig.joints;
    const std::vector<ck::JointMask> masks{{"upper", {{joints[joints.size() / 2].name}}},
                                           {"most", {{joints[0].name, 0.6f}}}};
    ck::Crowd crowd(maskedActors(rig.clips.size()), rig.clips, masks);
    QVERIFY(distanceOf(rig, crowd) < kLiveTolerance);
    // What stands beside it, and what judges it, does the same.
    for (const auto shown : {ck::ViewMode::Source, ck::ViewMode::Error}) {
      ck::render::RenderSettings settings = live();
      settings.pose.viewMode = shown;
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
    settings.pose.method = ck::Method::Live;
    return settings;
  }

  // Between what the GPU and the oracle make of a crowd; -1 where nothing was drawn.
  static double distanceOf(const BakedRig& rig, ck::Crowd& crowd,
                           const ck::render::RenderSettings& settings = live()) {
    auto renderer = ck::render::CrowdRenderer::make();
    if (!renderer || !(*renderer)->setCharacter(rig.character)) return 1e9;
    if (!(*renderer)->setAtlas(rig.atlas)) return 1e9;
    crowd.seek(0.7);
    const auto drawn = readBackPositions(**renderer, crowd, settings);
    if (!drawn) return 1e9;
    const double distance = largestDistance(
        *drawn, ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings,
                                               settings.pose.viewMode == ck::ViewMode::Source));
    return distance < 0.0 ? 1e9 : distance;
  }

  GlStage stage_;
};

CK_TEST(tst_live_options)
#include "tst_live_options.moc"
