#include <QTest>

#include "render/gl/handle.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"

using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;
using ck::test::largestDistance;
using ck::test::plainSettings;
using ck::test::variedActors;

namespace {

// What a crowd of a few metres costs in float, far below what an eye can see.
constexpr double kTolerance = 2e-5;

std::unique_ptr<ck::render::CrowdRenderer> rendererFor(const BakedRig& rig) {
  auto renderer = ck::render::CrowdRenderer::make();
  if (!renderer || !(*renderer)->setCharacter(rig.character)) return nullptr;
  if (!(*renderer)->setAtlas(rig.atlas)) return nullptr;
  return std::move(*renderer);
}

}  // namespace

class tst_skinners_agree : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsAnAtlasOfAnotherRig() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = bakedRig(ck::test::barCharacter());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Atlas other = *rig.atlas;
    other.joints.push_back(other.joints.back());
    const auto refused = renderer->setAtlas(std::make_shared<const ck::Atlas>(other));
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::InvalidInput);
  }

  void agree_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("influences");
    QTest::addColumn<bool>("interpolate");
    QTest::addColumn<int>("rangeMode");
    for (const auto method : {ck::Method::Palette, ck::Method::Prepass, ck::Method::Pool,
                              ck::Method::Atlas, ck::Method::Matrix, ck::Method::Cpu}) {
      for (const int influences : {1, 2, 4}) {
        for (const bool interpolate : {false, true}) {
          // Between frames the pool mixes matrices: tst_pool.
          if (interpolate && method == ck::Method::Pool) continue;
          for (const auto range :
               {ck::RangeMode::Joint, ck::RangeMode::Atlas, ck::RangeMode::JointClip}) {
            const std::string name = std::string(ck::methodName(method)) + " with " +
                                     std::to_string(influences) +
                                     (interpolate ? " between frames " : " nearest frame ") +
                                     std::string(ck::rangeModeName(range));
            QTest::newRow(name.c_str())
                << static_cast<int>(method) << influences << interpolate << static_cast<int>(range);
          }
        }
      }
    }
  }
  void agree() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, method);
    QFETCH(int, influences);
    QFETCH(bool, interpolate);
    QFETCH(int, rangeMode);
    ck::BakeSettings bakeSettings;
    bakeSettings.rangeMode = static_cast<ck::RangeMode>(rangeMode);
    // The method matrix reads no other form.
    if (method == static_cast<int>(ck::Method::Matrix)) bakeSettings.encoding = ck::Encoding::M16;
    const BakedRig rig = bakedRig(ck::test::barCharacter(), bakeSettings);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const auto actors = variedActors(12, 2);
    ck::Crowd crowd(actors, rig.clips);
    ck::render::RenderSettings settings = plainSettings();
    settings.method = static_cast<ck::Method>(method);
    settings.influences = influences;
    settings.sampling = ck::render::samplingFor(interpolate);
    for (const double seconds : {0.0, 0.41, 0.9999, 7.3}) {
      crowd.seek(seconds);
      const auto drawn = renderer->readBackPositions(crowd, settings);
      QVERIFY(drawn.has_value());
      const auto expected =
          ck::render::oraclePositions(*rig.character, rig.atlas.get(), crowd, settings, false);
      const double distance = largestDistance(*drawn, expected);
      QVERIFY2(distance >= 0.0 && distance < kTolerance, qPrintable(QString::number(distance)));
    }
  }

 private:
  GlStage stage_;
};

QTEST_APPLESS_MAIN(tst_skinners_agree)
#include "tst_skinners_agree.moc"
