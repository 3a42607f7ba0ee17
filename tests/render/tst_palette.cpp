#include <QTest>

#include "render/gl/handle.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::render::RenderSettings;
using ck::test::bakedRig;
using ck::test::BakedRig;
using ck::test::GlStage;
using ck::test::largestDistance;
using ck::test::plainSettings;
using ck::test::rendererFor;
using ck::test::variedActors;

namespace {

// The rounding of a chain of seven joints in float, far below what an eye can see.
constexpr double kFloats = 3e-5;

// Few frames, so that the readings between them differ.
BakedRig coarseLimb() {
  ck::BakeSettings settings;
  settings.frames = 7;
  return bakedRig(ck::test::swingingLimb(), settings);
}

std::vector<ck::Actor> fadingActors(int count) {
  std::vector<ck::Actor> actors = variedActors(count, 3);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (i % 3 == 0) continue;
    actors[i].fadeClip = (actors[i].clip + 1 + static_cast<int>(i) % 2) % 3;
    actors[i].fade = 0.1f * static_cast<float>(i % 11);
  }
  return actors;
}

// How far what is drawn is from the reference that reads as `reading` says, metres; -1 on failure.
double distanceTo(const BakedRig& rig, const ck::Crowd& crowd, const RenderSettings& settings,
                  ck::Method reading) {
  auto renderer = rendererFor(rig);
  if (renderer == nullptr) return -1.0;
  const auto drawn = readBackPositions(*renderer, crowd, settings);
  if (!drawn) {
    qWarning("%s", drawn.error().message.c_str());
    return -1.0;
  }
  RenderSettings expected = settings;
  expected.view.pose.method = reading;
  return largestDistance(
      *drawn, referencePositions(*rig.character, rig.atlas.get(), crowd, expected, false));
}

}  // namespace

class tst_palette : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsSamplingsOfOtherMethods() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(variedActors(2, 3), rig.clips);
    RenderSettings settings = paletteSettings();
    settings.view.pose.sampling = ck::Sampling::HardwareLinear;
    const auto refused = readBackPositions(*renderer, crowd, settings);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::Unsupported);
  }

  void drawsNobody() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const auto drawn = readBackPositions(*renderer, ck::Crowd({}, rig.clips), paletteSettings());
    QVERIFY(drawn.has_value());
    QVERIFY(drawn->empty());
  }

  // The witness is the relative reading in core; the other reading is far off, so that the test
  // could fail.
  void readsRelativeToTheParent() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    ck::Crowd crowd(variedActors(20, 3), rig.clips);
    for (const double seconds : {0.0, 0.37, 0.999, 4.2}) {
      crowd.seek(seconds);
      const double near = distanceTo(rig, crowd, paletteSettings(), ck::Method::Palette);
      QVERIFY2(near >= 0.0 && near < kFloats, qPrintable(QString::number(near)));
    }
    QVERIFY(distanceTo(rig, crowd, paletteSettings(), ck::Method::Atlas) > 1e-3);
  }

  void readsEveryEncodingAndLayout_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("layout");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      for (const auto layout :
           {ck::LayoutKind::Rows, ck::LayoutKind::Tiles, ck::LayoutKind::Linear}) {
        QTest::addRow("%s %s", info.name.data(), ck::layoutKindName(layout).data())
            << static_cast<int>(info.encoding) << static_cast<int>(layout);
      }
    }
  }
  void readsEveryEncodingAndLayout() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, encoding);
    QFETCH(int, layout);
    ck::BakeSettings bake;
    bake.frames = 7;
    bake.encoding = static_cast<ck::Encoding>(encoding);
    bake.layout = static_cast<ck::LayoutKind>(layout);
    bake.tile = 32;
    const BakedRig rig = bakedRig(ck::test::swingingLimb(), bake);
    ck::Crowd crowd(fadingActors(12), rig.clips);
    crowd.seek(0.37);
    const double near = distanceTo(rig, crowd, paletteSettings(), ck::Method::Palette);
    QVERIFY2(near >= 0.0 && near < kFloats, qPrintable(QString::number(near)));
  }

  void fadesRelativeToTheParent() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    ck::Crowd crowd(fadingActors(20), rig.clips);
    for (const double seconds : {0.0, 0.37, 0.999, 4.2}) {
      crowd.seek(seconds);
      for (const auto sampling : {ck::Sampling::Interpolated, ck::Sampling::Nearest}) {
        RenderSettings settings = paletteSettings();
        settings.view.pose.sampling = sampling;
        const double near = distanceTo(rig, crowd, settings, ck::Method::Palette);
        QVERIFY2(near >= 0.0 && near < kFloats, qPrintable(QString::number(near)));
      }
    }
    QVERIFY(distanceTo(rig, crowd, paletteSettings(), ck::Method::Atlas) > 1e-3);
  }

  // The source fades in the joints' own spaces, too, so that nothing but the atlas's error is left.
  void fadesStayNearTheSource() {
    const BakedRig rig = bakedRig(ck::test::swingingLimb());
    ck::Crowd crowd(fadingActors(20), rig.clips);
    crowd.seek(0.37);
    const auto distanceBy = [&](ck::Method method) {
      RenderSettings settings = paletteSettings();
      settings.view.pose.method = method;
      const ck::Atlas* atlas = rig.atlas.get();
      const auto baked = referencePositions(*rig.character, atlas, crowd, settings, false);
      RenderSettings truth = paletteSettings();
      const auto source = referencePositions(*rig.character, atlas, crowd, truth, true);
      double farthest = 0.0;
      for (std::size_t i = 0; i < baked.size(); ++i) {
        farthest = std::max(farthest, glm::distance(baked[i], source[i]));
      }
      return farthest;
    };
    QVERIFY2(distanceBy(ck::Method::Palette) < 2e-3,
             qPrintable(QString::number(distanceBy(ck::Method::Palette))));
    QVERIFY2(distanceBy(ck::Method::Atlas) > 1e-2,
             "limbs shorten while clips are mixed in the world");
  }

  // Live poses come from the clips, whatever was baked, and fade in the joints' own spaces. What
  // the arc's polynomial costs on this limb is below a tenth of a millimetre.
  void liveStandsWhereTheClipsSay() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    RenderSettings settings = paletteSettings();
    settings.view.pose.method = ck::Method::Live;
    ck::Crowd crowd(fadingActors(20), rig.clips);
    for (const double seconds : {0.0, 0.37, 0.999, 4.2}) {
      crowd.seek(seconds);
      for (const int influences : {1, 2, 4}) {
        settings.view.pose.influences = influences;
        const double near = distanceTo(rig, crowd, settings, ck::Method::Live);
        QVERIFY2(near >= 0.0 && near < 1e-4, qPrintable(QString::number(near)));
      }
    }
    QVERIFY2(distanceTo(rig, crowd, settings, ck::Method::Palette) > 1e-3, "the atlas is coarse");
  }

  void fadesCanBeSwitchedOff() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    const ck::Crowd crowd(fadingActors(20), rig.clips);
    RenderSettings settings = paletteSettings();
    settings.view.pose.fades = false;
    const double near = distanceTo(rig, crowd, settings, ck::Method::Palette);
    QVERIFY2(near >= 0.0 && near < kFloats, qPrintable(QString::number(near)));
  }

  void sharedPosesStandWhereTheyShould() {
    CK_NEEDS_GL(stage_);
    const BakedRig rig = coarseLimb();
    // Three moments for sixty actors, which differ in everything else.
    std::vector<ck::Actor> actors = variedActors(60, 3);
    for (ck::Actor& actor : actors) {
      actor.offset = 0.1f * static_cast<float>(actor.clip);
      actor.rate = 1.0f;
    }
    ck::Crowd crowd(actors, rig.clips);
    crowd.seek(0.37);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const auto drawn = readBackPositions(*renderer, crowd, paletteSettings());
    QVERIFY(drawn.has_value());
    const auto expected =
        referencePositions(*rig.character, rig.atlas.get(), crowd, paletteSettings(), false);
    const double near = largestDistance(*drawn, expected);
    QVERIFY2(near >= 0.0 && near < kFloats, qPrintable(QString::number(near)));
  }

 private:
  static RenderSettings paletteSettings() {
    RenderSettings settings = plainSettings();
    settings.view.pose.method = ck::Method::Palette;
    return settings;
  }

  GlStage stage_;
};

CK_TEST(tst_palette)
#include "tst_palette.moc"
