#include <QTest>
#include <algorithm>
#include <set>

#include "render/gl/handle.h"
#include "render/reference/crowd_bounds.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/skinning/method_offers.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using namespace ck::render;
using ck::Encoding;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::largestDistance;
using ck::test::longestStep;
using ck::test::plainSettings;
using ck::test::rendererFor;
using ck::test::variedActors;

namespace {

constexpr int kWidth = 320;
constexpr int kHeight = 200;

// The rounding of a crowd of a few metres in float, far below what an eye can see.
constexpr double kFloats = 2e-5;
// Inverses and polar steps along a chain of joints add to that.
constexpr double kChains = 1e-4;

// The limb twice, side by side, in two materials; one joint stretches above others that turn.
ck::Character twoShearedTubes() {
  ck::Character limb = ck::test::swingingLimb();
  limb.materials.resize(2);
  limb.materials[1].baseColor = glm::vec4(0.9f, 0.2f, 0.1f, 1.0f);
  limb.meshes.push_back(limb.meshes.front());
  limb.meshes[0].material = 0;
  limb.meshes[1].material = 1;
  for (glm::vec3& position : limb.meshes[1].positions) position.x += 0.35f;
  auto& scale = limb.clips[0].jointTracks[1].scale;
  scale.times = {0.0, 0.5, 1.0};
  scale.values = {glm::vec3(1.0f), glm::vec3(1.0f, 1.6f, 0.7f), glm::vec3(1.0f)};
  return limb;
}

BakedRig rigOf(Encoding encoding, ck::LayoutKind layout) {
  ck::BakeSettings bake;
  bake.encoding = encoding;
  bake.layout = layout;
  return bakedRig(twoShearedTubes(), bake);
}

std::vector<ck::Actor> fadingActors() {
  std::vector<ck::Actor> actors = variedActors(9, 3);
  for (std::size_t i = 0; i < actors.size(); i += 2) {
    actors[i].fadeClip = (actors[i].clip + 1) % 3;
    actors[i].fade = 0.1f * static_cast<float>(i);
  }
  return actors;
}

RenderSettings settingsOf(ck::Method method) {
  RenderSettings settings = plainSettings();
  settings.view.pose.method = method;
  return settings;
}

// Texture units have 256 places between two rows: as much of the longest step of a vertex.
double filterError(const BakedRig& rig) {
  return longestStep(rig) / 256.0;
}

constexpr Encoding kMatrices[] = {Encoding::M32, Encoding::M16, Encoding::M16F};

}  // namespace

class tst_matrix_method : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(liveGlObjects(), 0); }

  void rejectsAtlasesWithoutMatrices() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = rigOf(Encoding::P16, ck::LayoutKind::Rows);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(variedActors(3, 3), rig.clips);
    const auto refused = readBackPositions(*renderer, crowd, settingsOf(ck::Method::Matrix));
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::Unsupported);
    QVERIFY(refused.error().message.find("the atlas is P16; bake with M32, M16 or M16F") !=
            std::string::npos);
    // Another method draws it the next moment.
    QVERIFY(readBackPositions(*renderer, crowd, settingsOf(ck::Method::Palette)).has_value());
  }

  void rejectsCompactRecords() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = rigOf(Encoding::M16, ck::LayoutKind::Rows);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(variedActors(3, 3), rig.clips);
    RenderSettings settings = settingsOf(ck::Method::Matrix);
    settings.view.pose.sampling = ck::Sampling::Compact;
    QCOMPARE(readBackPositions(*renderer, crowd, settings).error().code,
             ck::ErrorCode::Unsupported);
  }

  void whatCannotBeDrawnIsListedWithTheReason() {
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      std::set<ck::Method> refused;
      for (const ck::MethodInfo& method : ck::kMethods) {
        if (!whyNotDrawn(method.method, info.encoding).empty()) refused.insert(method.method);
      }
      std::set<ck::Method> due;
      if (!ck::storesMatrices(info)) due.insert(ck::Method::Matrix);
      if (ck::isLocal(info)) due.insert(ck::Method::Atlas);
      QCOMPARE(refused, due);
    }
    const std::string refusal = whyNotDrawn(ck::Method::Atlas, Encoding::R32);
    QVERIFY2(refusal.find("R32 has how joints turn against their parents; choose palette, live, "
                          "prepass, pool or cpu, or bake with P16, P16F,") != std::string::npos,
             refusal.c_str());
    QVERIFY(whyNotSampled(ck::Method::Matrix, ck::Sampling::HardwareLinear).empty());
    QVERIFY(!whyNotSampled(ck::Method::Palette, ck::Sampling::HardwareLinear).empty());
    QVERIFY(!whyNotSampled(ck::Method::Matrix, ck::Sampling::Compact).empty());
  }

  void agreesWithTheJudge_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("layout");
    for (const Encoding encoding : kMatrices) {
      for (const auto layout :
           {ck::LayoutKind::Rows, ck::LayoutKind::Tiles, ck::LayoutKind::Linear}) {
        QTest::addRow("%s %s", ck::encodingInfo(encoding).name.data(),
                      ck::layoutKindName(layout).data())
            << static_cast<int>(encoding) << static_cast<int>(layout);
      }
    }
  }
  void agreesWithTheJudge() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, encoding);
    QFETCH(int, layout);
    const BakedRig rig =
        rigOf(static_cast<Encoding>(encoding), static_cast<ck::LayoutKind>(layout));
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(fadingActors(), rig.clips);
    for (const ck::Sampling sampling :
         {ck::Sampling::Nearest, ck::Sampling::Interpolated, ck::Sampling::HardwareLinear}) {
      if (!whyNotSampled(*rig.atlas, {sampling, 4, true}).empty()) continue;
      const double tolerance =
          kFloats + (sampling == ck::Sampling::HardwareLinear ? filterError(rig) : 0.0);
      for (const int influences : {1, 2, 4}) {
        RenderSettings settings = settingsOf(ck::Method::Matrix);
        settings.view.pose.sampling = sampling;
        settings.view.pose.influences = influences;
        for (const double seconds : {0.0, 0.41, 0.999, 7.3}) {
          crowd.seek(seconds);
          const double distance = distanceToReference(*renderer, rig, crowd, settings);
          QVERIFY2(distance >= 0.0 && distance < tolerance,
                   qPrintable(QString("%1 m, %2 allowed").arg(distance).arg(tolerance)));
        }
        QVERIFY(renderer->drawAndFinish(crowd, {}, settings, 8, 8, true));
        const int frames = sampling == ck::Sampling::Interpolated ? 2 : 1;
        QCOMPARE(renderer->stats().fetchesPerVertex, 3 * influences * frames * 2);
      }
    }
  }

  // The palette reads matrices relative to the parent, as its reference does, and by itself agrees
  // with the source to what the frames allow.
  void thePaletteReadsMatricesToo_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<bool>("interpolate");
    for (const Encoding encoding : kMatrices) {
      for (const bool interpolate : {false, true}) {
        QTest::addRow("%s%s", ck::encodingInfo(encoding).name.data(),
                      interpolate ? "" : " nearest frame")
            << static_cast<int>(encoding) << interpolate;
      }
    }
  }
  void thePaletteReadsMatricesToo() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, encoding);
    QFETCH(bool, interpolate);
    const BakedRig rig = rigOf(static_cast<Encoding>(encoding), ck::LayoutKind::Rows);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    RenderSettings settings = settingsOf(ck::Method::Palette);
    settings.view.pose.sampling = ck::samplingFor(interpolate);
    ck::Crowd crowd(fadingActors(), rig.clips);
    for (const double seconds : {0.0, 0.41, 7.3}) {
      crowd.seek(seconds);
      const double distance = distanceToReference(*renderer, rig, crowd, settings);
      QVERIFY2(distance >= 0.0 && distance < kChains, qPrintable(QString::number(distance)));
    }
  }

  void oneCallDrawsAllMeshes() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = rigOf(Encoding::M32, ck::LayoutKind::Linear);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(variedActors(10, 3), rig.clips);
    crowd.seek(0.3);
    Camera camera;
    frameBox(camera, ck::render::crowdBounds(crowd, rig.character), double{kWidth} / kHeight);
    const auto ours =
        renderer->drawToFrame(crowd, camera, settingsOf(ck::Method::Matrix), kWidth, kHeight);
    QVERIFY(ours.has_value());
    QCOMPARE(renderer->stats().drawCalls, renderer->facts().multiDrawIndirect ? 1 : 2);
    QVERIFY(renderer->facts().multiDrawIndirect == renderer->facts().compute);
    const auto noActors = renderer->drawToFrame(ck::Crowd({}, rig.clips), camera,
                                                settingsOf(ck::Method::Matrix), kWidth, kHeight);
    const auto byCpu =
        renderer->drawToFrame(crowd, camera, settingsOf(ck::Method::Cpu), kWidth, kHeight);
    QVERIFY(noActors.has_value() && byCpu.has_value());
    const int covered = ck::test::differentPixels(*noActors, *byCpu);
    QVERIFY2(covered > 1500, qPrintable(QString::number(covered)));
    const int apart = ck::test::differentPixels(*ours, *byCpu);
    QVERIFY2(apart < covered / 100, qPrintable(QString("%1 of %2").arg(apart).arg(covered)));
    // More actors and then fewer: the calls follow.
    const ck::Crowd more(variedActors(20, 3), rig.clips);
    for (const ck::Crowd* now : {&more, &std::as_const(crowd)}) {
      const auto a =
          renderer->drawToFrame(*now, camera, settingsOf(ck::Method::Matrix), kWidth, kHeight);
      const auto b =
          renderer->drawToFrame(*now, camera, settingsOf(ck::Method::Cpu), kWidth, kHeight);
      QVERIFY(a.has_value() && b.has_value());
      QVERIFY(ck::test::differentPixels(*a, *b) < covered / 50);
    }
  }

  void hiddenMeshesAreNotDrawn() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = rigOf(Encoding::M32, ck::LayoutKind::Linear);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(variedActors(4, 3), rig.clips);
    Camera camera;
    frameBox(camera, ck::render::crowdBounds(crowd, rig.character), double{kWidth} / kHeight);
    const auto draw = [&](ck::Method method) {
      return renderer->drawToFrame(crowd, camera, settingsOf(method), kWidth, kHeight);
    };
    const auto whole = draw(ck::Method::Matrix);
    for (const int hidden : {0, 1}) {
      CharacterEntry entry;
      entry.character = rig.character;
      entry.atlas = rig.atlas;
      entry.hiddenMeshes = {hidden};
      QVERIFY(renderer->setCharacters(std::span(&entry, 1)).has_value());
      const auto ours = draw(ck::Method::Matrix);
      const auto byCpu = draw(ck::Method::Cpu);
      QVERIFY(ours.has_value() && byCpu.has_value() && whole.has_value());
      QVERIFY(ck::test::differentPixels(*ours, *byCpu) < 30);
      QVERIFY(ck::test::differentPixels(*ours, *whole) > 300);
    }
  }

 private:
  double distanceToReference(CrowdRenderer& renderer, const BakedRig& rig, const ck::Crowd& crowd,
                             const RenderSettings& settings) {
    const auto drawn = readBackPositions(renderer, crowd, settings);
    if (!drawn) {
      qWarning("%s", drawn.error().message.c_str());
      return -1.0;
    }
    return largestDistance(
        *drawn, referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false));
  }

  ck::test::GlStage stage_;
};

CK_TEST(tst_matrix_method)
#include "tst_matrix_method.moc"
