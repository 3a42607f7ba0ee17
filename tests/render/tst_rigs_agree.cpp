#include <QTest>

#include "core/import/import_process.h"
#include "core/system/files.h"
#include "render/gl/handle.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/rig_files.h"
#include "tests/support/test_program.h"

using ck::test::BakedRig;
using ck::test::largestDistance;

namespace {

// For an actor of 2 m, metres.
constexpr double kTolerance = 5e-5;
// The error that the polynomial of the live poser's arcs may add on rigs with few keys
// (core/base/lanes.h).
constexpr double kLiveTolerance = 3e-4;

}  // namespace

// Real rigs, two metres tall: what the GPU makes of the atlas is what the reference makes of it.
class tst_rigs_agree : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void gpuAndReferenceAgree_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("notBaked");
    for (const ck::test::RigFile& rig : ck::test::rigFiles()) {
      QTest::newRow(rig.name.c_str())
          << QString::fromStdString(ck::pathText(rig.path))
          << QString::fromUtf8(rig.whyNotBaked.data(), qsizetype(rig.whyNotBaked.size()));
    }
  }

  void gpuAndReferenceAgree() {
    CK_NEEDS_GL(stage_);
    QFETCH(QString, file);
    QFETCH(QString, notBaked);
    auto character =
        ck::importCharacter(ck::pathFromText(file.toStdString()), {.heightMeters = 2.0});
    QVERIFY2(character, character ? "" : character.error().message.c_str());
    QCOMPARE(QString::fromStdString(std::string(ck::test::whyNotBaked(*character))), notBaked);
    if (!notBaked.isEmpty()) return;
    const BakedRig rig = ck::test::bakedRig(std::move(*character));
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value());
    QVERIFY((*renderer)->setCharacter(rig.character).has_value());
    QVERIFY((*renderer)->setAtlas(rig.atlas).has_value());
    ck::BakeSettings matrices;
    matrices.encoding = ck::Encoding::M16;
    matrices.layout = ck::LayoutKind::Linear;
    auto baked = ck::bake(*rig.character, matrices);
    QVERIFY(baked.has_value());
    const BakedRig matrixRig{rig.character,
                             std::make_shared<const ck::Atlas>(std::move(baked->atlas)), rig.clips};
    const int clips = static_cast<int>(rig.clips.size());
    const auto actors = ck::test::variedActors(std::min(6, 2 * clips), clips, 2.0f);
    ck::Crowd crowd(actors, rig.clips);
    for (const double seconds : {0.0, 0.7331}) {
      crowd.seek(seconds);
      compareAll(**renderer, rig, crowd);
    }
    QVERIFY((*renderer)->setAtlas(matrixRig.atlas).has_value());
    ck::render::RenderSettings settings = ck::test::plainSettings();
    for (const auto method : {ck::Method::Matrix, ck::Method::Palette}) {
      settings.view.pose.method = method;
      compare(**renderer, matrixRig, crowd, settings);
    }
    for (const auto encoding : {ck::Encoding::R64, ck::Encoding::R32}) {
      compareLocal(**renderer, rig, encoding, crowd);
    }
  }

 private:
  // Encodings of which readers walk from the roots, where the rig has one.
  void compareLocal(ck::render::CrowdRenderer& renderer, const BakedRig& rig, ck::Encoding encoding,
                    const ck::Crowd& crowd) {
    ck::BakeSettings bake;
    bake.encoding = encoding;
    auto baked = ck::bake(*rig.character, bake);
    if (!baked && baked.error().code == ck::ErrorCode::InvalidInput) return;
    QVERIFY2(baked, baked ? "" : baked.error().message.c_str());
    const BakedRig own{rig.character, std::make_shared<const ck::Atlas>(std::move(baked->atlas)),
                       rig.clips};
    QVERIFY(renderer.setAtlas(own.atlas).has_value());
    ck::render::RenderSettings settings = ck::test::plainSettings();
    for (const auto sampling : {ck::Sampling::Interpolated, ck::Sampling::Nearest}) {
      settings.view.pose.sampling = sampling;
      for (const auto method : {ck::Method::Palette, ck::Method::Prepass, ck::Method::Cpu}) {
        settings.view.pose.method = method;
        compare(renderer, own, crowd, settings);
      }
    }
    settings.view.pose.method = ck::Method::Pool;
    compare(renderer, own, crowd, settings);
    settings.view.pose.method = ck::Method::Atlas;
    const auto refused = readBackPositions(renderer, crowd, settings);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::Unsupported);
  }

  void compareAll(ck::render::CrowdRenderer& renderer, const BakedRig& rig,
                  const ck::Crowd& crowd) {
    for (const int influences : {1, 4}) {
      for (const bool interpolate : {false, true}) {
        ck::render::RenderSettings settings = ck::test::plainSettings();
        settings.view.pose.influences = influences;
        settings.view.pose.sampling = ck::samplingFor(interpolate);
        compare(renderer, rig, crowd, settings);
      }
    }
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.influences = 2;
    for (const auto method :
         {ck::Method::Palette, ck::Method::Prepass, ck::Method::Live, ck::Method::Cpu}) {
      settings.view.pose.method = method;
      compare(renderer, rig, crowd, settings);
    }
    settings.view.pose.method = ck::Method::Prepass;
    settings.view.pose.skinOn = ck::SkinOn::Cpu;
    compare(renderer, rig, crowd, settings);
    settings.view.pose.method = ck::Method::Pool;
    settings.view.pose.sampling = ck::Sampling::Nearest;
    compare(renderer, rig, crowd, settings);
    settings.view.pose.method = ck::Method::Cpu;
    settings.view.pose.viewMode = ck::ViewMode::Source;
    compare(renderer, rig, crowd, settings);
  }

  void compare(ck::render::CrowdRenderer& renderer, const BakedRig& rig, const ck::Crowd& crowd,
               const ck::render::RenderSettings& settings) {
    const auto drawn = readBackPositions(renderer, crowd, settings);
    QVERIFY2(drawn.has_value(), drawn ? "" : drawn.error().message.c_str());
    const bool source = settings.view.pose.viewMode == ck::ViewMode::Source;
    const auto expected =
        ck::render::referencePositions(*rig.character, rig.atlas.get(), crowd, settings, source);
    const double distance = largestDistance(*drawn, expected);
    const bool live = settings.view.pose.method == ck::Method::Live;
    QVERIFY2(distance >= 0.0 && distance < (live ? kLiveTolerance : kTolerance),
             qPrintable(QString("%1 m with %2 influences, method %3")
                            .arg(distance)
                            .arg(settings.view.pose.influences)
                            .arg(static_cast<int>(settings.view.pose.method))));
  }

  ck::test::GlStage stage_;
};

CK_TEST(tst_rigs_agree)
#include "tst_rigs_agree.moc"
