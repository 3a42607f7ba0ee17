#include <QTest>
#include <algorithm>

#include "core/import/import_process.h"
#include "render/reference/crowd_bounds.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using namespace ck::render;
using ck::test::BakedRig;
using ck::test::bakedRig;
using ck::test::differentPixels;

namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 360;

// The bar with flat sides: every triangle has corners of its own.
ck::Character facetedBar() {
  ck::Character bar = ck::test::barCharacter();
  const ck::Mesh smooth = bar.meshes[0];
  ck::Mesh& mesh = bar.meshes[0];
  mesh.positions.clear();
  mesh.normals.clear();
  mesh.uvs.clear();
  mesh.influences.clear();
  mesh.influenceStarts = {0};
  for (std::size_t i = 0; i < smooth.indices.size(); ++i) {
    const std::size_t from = smooth.indices[i];
    const std::size_t first = i - i % 3;
    const auto at = [&smooth, first](std::size_t corner) {
      return smooth.positions[smooth.indices[first + corner]];
    };
    mesh.positions.push_back(smooth.positions[from]);
    mesh.normals.push_back(glm::normalize(glm::cross(at(1) - at(0), at(2) - at(0))));
    if (!smooth.uvs.empty()) mesh.uvs.push_back(smooth.uvs[from]);
    for (const ck::Influence& influence : ck::influencesOf(smooth, from)) {
      mesh.influences.push_back(influence);
    }
    mesh.influenceStarts.push_back(static_cast<std::uint32_t>(mesh.influences.size()));
    mesh.indices[i] = static_cast<std::uint32_t>(i);
  }
  return bar;
}

ck::Result<ck::Character> rigCalled(const QString& name) {
  if (name != "townsperson") return facetedBar();
  ck::test::useBuiltImportWorker();
  return ck::importCharacter(ck::test::sampleHumanoid());
}

std::vector<ck::Actor> tintedActors(int count, const BakedRig& rig, bool mirrored) {
  std::vector<ck::Actor> actors = ck::test::variedActors(count, static_cast<int>(rig.clips.size()));
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].tint = 0x3080c0u + 0x170b05u * static_cast<std::uint32_t>(i % 8);
    if (!mirrored) continue;
    actors[i].scale = -actors[i].scale;
    actors[i].position.y += 3.0f;  // they hang from their feet
  }
  return actors;
}

// Pixels that show an actor.
int shownPixels(const Frame& frame, const Frame& nobody) {
  return differentPixels(frame, nobody, 4);
}

}  // namespace

// Light that is made at the vertices against the same light made at every pixel.
class tst_light_at_vertices : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

  struct Scene {
    BakedRig rig;
    std::unique_ptr<CrowdRenderer> renderer;
    std::optional<ck::Crowd> crowd;
    Camera camera;
  };

  Scene sceneOf(const QString& name, bool mirrored) {
    Scene scene;
    auto character = rigCalled(name);
    if (!character) return scene;
    scene.rig = bakedRig(std::move(*character));
    scene.renderer = ck::test::rendererFor(scene.rig);
    scene.crowd.emplace(tintedActors(36, scene.rig, mirrored), scene.rig.clips);
    scene.crowd->seek(0.7);
    frameBox(scene.camera, ck::render::crowdBounds(*scene.crowd, scene.rig.character),
             double{kWidth} / kHeight);
    return scene;
  }

  static Frame pictureOf(Scene& scene, LightAt lightAt, int way = 0) {
    RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = ck::Method::Palette;
    ck::test::drawBy(way, settings);
    settings.lightAt = lightAt;
    const std::vector<std::uint32_t> selected{3, 7};
    auto frame = scene.renderer->drawToFrame(*scene.crowd, scene.camera, settings, kWidth, kHeight,
                                             selected);
    if (!frame) qFatal("%s", frame.error().message.c_str());
    return std::move(*frame);
  }

 private slots:
  void smallTrianglesLookTheSame_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("mirrored");
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("a body without pictures") << "bar" << false << false;
    QTest::newRow("mirrored actors") << "bar" << true << false;
    QTest::newRow("pictures with masks of the tint") << "townsperson" << false << false;
    QTest::newRow("without perspective") << "townsperson" << false << true;
  }

  void smallTrianglesLookTheSame() {
    CK_NEEDS_GL(stage_);
    QFETCH(QString, name);
    QFETCH(bool, mirrored);
    QFETCH(bool, orthographic);
    Scene scene = sceneOf(name, mirrored);
    QVERIFY(scene.renderer != nullptr);
    scene.camera.distance *= 2.5;
    scene.camera.orthographic = orthographic;
    const ck::Crowd nobody({}, scene.rig.clips);
    const auto empty = scene.renderer->drawToFrame(nobody, scene.camera, ck::test::plainSettings(),
                                                   kWidth, kHeight);
    QVERIFY(empty.has_value());
    for (const int way : {int(ck::Method::Palette), int(ck::Method::Prepass),
                          int(ck::Method::Atlas), ck::test::kBook, int(ck::Method::Cpu)}) {
      const Frame pixels = pictureOf(scene, LightAt::Pixels, way);
      const Frame vertices = pictureOf(scene, LightAt::Vertices, way);
      const int shown = shownPixels(pixels, *empty);
      QVERIFY2(shown > 1'000, qPrintable(QString("only %1 pixels").arg(shown)));
      // Edges of a body, where the normal is that of a pixel in one and of a corner in the other.
      const int unlike = differentPixels(pixels, vertices, 16);
      QVERIFY2(unlike * 50 < shown, qPrintable(QString("%1 of %2").arg(unlike).arg(shown)));
      QVERIFY2(differentPixels(pixels, vertices, 0) > 0, "the same light has been drawn twice");
    }
    QVERIFY2(stage_.complaints().empty(), "the driver complains");
  }

  void sizeDecidesWhereLightIsMade() {
    CK_NEEDS_GL(stage_);
    Scene scene = sceneOf("townsperson", false);
    QVERIFY(scene.renderer != nullptr);
    const bool software = scene.renderer->facts().software;
    scene.camera.distance *= 3.0;
    const Frame far = pictureOf(scene, LightAt::Auto);
    const LightAt expected = software ? LightAt::Vertices : LightAt::Pixels;
    QCOMPARE(differentPixels(far, pictureOf(scene, expected), 0), 0);
    QVERIFY(differentPixels(far, pictureOf(scene, software ? LightAt::Pixels : LightAt::Vertices),
                            0) > 0);
    scene.camera.distance /= 30.0;
    const Frame near = pictureOf(scene, LightAt::Auto);
    QCOMPARE(differentPixels(near, pictureOf(scene, LightAt::Pixels), 0), 0);
  }

  void manyActorsOnFewPixelsAreLitAtThePixels() {
    CK_NEEDS_GL(stage_);
    Scene scene = sceneOf("townsperson", false);
    QVERIFY(scene.renderer != nullptr);
    scene.camera.distance *= 10.0;
    std::vector<ck::Actor> actors = tintedActors(36, scene.rig, false);
    while (actors.size() < 600) actors.push_back(actors[actors.size() - 36]);
    scene.crowd.emplace(actors, scene.rig.clips);
    const Frame crowded = pictureOf(scene, LightAt::Auto);
    QCOMPARE(differentPixels(crowded, pictureOf(scene, LightAt::Pixels), 0), 0);
    QVERIFY(differentPixels(crowded, pictureOf(scene, LightAt::Vertices), 0) > 0);
  }

  void shadowMapsAndErrorsAreReadAtThePixels() {
    CK_NEEDS_GL(stage_);
    Scene scene = sceneOf("townsperson", false);
    QVERIFY(scene.renderer != nullptr);
    RenderSettings settings = ck::test::plainSettings();
    for (const bool error : {false, true}) {
      settings.view.shadows = error ? ck::Shadows::Off : ck::Shadows::Cascades;
      settings.view.pose.viewMode = error ? ck::ViewMode::Error : ck::ViewMode::Baked;
      settings.lightAt = LightAt::Pixels;
      const auto pixels =
          scene.renderer->drawToFrame(*scene.crowd, scene.camera, settings, kWidth, kHeight);
      settings.lightAt = LightAt::Vertices;
      const auto vertices =
          scene.renderer->drawToFrame(*scene.crowd, scene.camera, settings, kWidth, kHeight);
      QVERIFY(pixels.has_value() && vertices.has_value());
      QCOMPARE(differentPixels(*pixels, *vertices, 0), 0);
      QVERIFY2(!scene.renderer->stats().ticked, "light alone has posed everybody anew");
    }
  }
};

CK_TEST(tst_light_at_vertices)
#include "tst_light_at_vertices.moc"
