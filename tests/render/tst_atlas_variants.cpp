#include <QTest>
#include <algorithm>
#include <map>
#include <set>

#include "render/gl/handle.h"
#include "render/reference/crowd_bounds.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/steady_crowds.h"
#include "tests/support/test_program.h"

using namespace ck::render;
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

// Twelve actors of three clips, two of three of them on the way to another.
std::vector<ck::Actor> fadingActors() {
  std::vector<ck::Actor> actors = variedActors(12, 3);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    if (i % 3 == 0) continue;
    actors[i].fadeClip = (actors[i].clip + 1 + static_cast<int>(i) % 2) % 3;
    actors[i].fade = 0.1f * static_cast<float>(i % 11);
  }
  return actors;
}

// How far the GPU may be from the reference.
double toleranceFor(const BakedRig& rig, ck::Sampling sampling) {
  double tolerance = kFloats;
  // Texture units have 256 places between two rows.
  if (sampling == ck::Sampling::HardwareLinear) tolerance += longestStep(rig) / 256.0;
  // Quaternions of 8 bits are up to a hundredth off unit length; mixing them before they are
  // brought to it moves the mixture by as much of a step. Texture units mix 8 bits to 8 bits.
  if (ck::texelFormatOf(*rig.atlas) == ck::TexelFormat::Rgba8 && ck::isBetweenFrames(sampling)) {
    tolerance += longestStep(rig) / 100.0;
    if (sampling == ck::Sampling::HardwareLinear) tolerance += 0.02;
  }
  return tolerance;
}

// An atlas to be laid out.
struct Form {
  const char* name;
  ck::LayoutKind layout;
  std::optional<ck::Components> components = {};
  std::optional<ck::RangeMode> rangeMode = {};
  int maxTextureSize = 16384;
};
const Form kForms[] = {
    {"in rows", ck::LayoutKind::Rows, {}, ck::RangeMode::Joint},
    {"in columns", ck::LayoutKind::Rows, {}, ck::RangeMode::JointClip, 64},
    {"in tiles", ck::LayoutKind::Tiles, {}, ck::RangeMode::Atlas},
    {"in a line", ck::LayoutKind::Linear},
    {"with all components", ck::LayoutKind::Rows, ck::Components::Trs},
    {"without scale, in tiles", ck::LayoutKind::Tiles, ck::Components::Tr},
    {"with rotations alone, in a line", ck::LayoutKind::Linear, ck::Components::R},
};

double distanceToReference(CrowdRenderer& renderer, const BakedRig& rig, const ck::Crowd& crowd,
                           const RenderSettings& settings, bool fromSource = false) {
  const auto drawn = readBackPositions(renderer, crowd, settings);
  if (!drawn) {
    qWarning("%s", drawn.error().message.c_str());
    return -1.0;
  }
  return largestDistance(
      *drawn, referencePositions(*rig.character, rig.atlas.get(), crowd, settings, fromSource));
}

Camera cameraFor(const ck::Crowd& crowd, const BakedRig& rig) {
  Camera camera;
  camera.yaw = 0.0;
  camera.pitch = 0.2;
  frameBox(camera, ck::render::crowdBounds(crowd, rig.character), double{kWidth} / kHeight);
  return camera;
}

// Which pixels the shadows change.
std::vector<bool> shadowOf(CrowdRenderer& renderer, const ck::Crowd& crowd, const Camera& camera,
                           RenderSettings settings) {
  settings.view.shadows = ck::Shadows::Off;
  const auto bare = renderer.drawToFrame(crowd, camera, settings, kWidth, kHeight);
  settings.view.shadows = ck::Shadows::Soft;
  const auto shadowed = renderer.drawToFrame(crowd, camera, settings, kWidth, kHeight);
  std::vector<bool> mask(static_cast<std::size_t>(kWidth * kHeight));
  if (!bare || !shadowed) return mask;
  for (std::size_t p = 0; p < mask.size(); ++p) {
    for (std::size_t c = p * 4; c < p * 4 + 3; ++c) {
      if (bare->rgba[c] != shadowed->rgba[c]) mask[p] = true;
    }
  }
  return mask;
}

RenderSettings settingsOf(const AtlasVariant& variant) {
  RenderSettings settings = plainSettings();
  settings.view.pose.sampling = variant.sampling;
  settings.view.pose.influences = variant.influences;
  settings.view.pose.fades = variant.blend;
  return settings;
}

}  // namespace

class tst_atlas_variants : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { rig_ = bakedRig(ck::test::swingingLimb()); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(liveGlObjects(), 0); }

  void rejectsWhatTheAtlasDoesNotAllow() {
    CK_NEEDS_GL(stage_);
    // Clips that are cut in two by the height limit.
    ck::Atlas cut = *rig_.atlas;
    cut.shape.block.z = cut.clips[0].frameCount - 2;
    const AtlasVariant filtered{ck::Sampling::HardwareLinear, 4, false};
    QVERIFY(whyNotSampled(*rig_.atlas, filtered).empty());
    QVERIFY(whyNotSampled(cut, filtered).find("one column") != std::string::npos);
    ck::Atlas line = *rig_.atlas;
    line.shape.extent.w = 1;
    QVERIFY(whyNotSampled(line, filtered).find("linear layout") != std::string::npos);
    ck::Atlas tall = *rig_.atlas;
    tall.shape.extent.y = 16384;
    QVERIFY(whyNotSampled(tall, filtered).find("16384 rows") != std::string::npos);
    QVERIFY(!whyNotSampled(*rig_.atlas, {ck::Sampling::Nearest, 3, false}).empty());
    QVERIFY(!whyNotSampled(*rig_.atlas, {ck::Sampling::Compact, 4, true}).empty());
  }

  void rejectsFadesInTheCompactRecord() {
    CK_NEEDS_GL(stage_);
    auto renderer = rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    RenderSettings settings = plainSettings();
    settings.view.pose.sampling = ck::Sampling::Compact;
    const ck::Crowd fading(fadingActors(), rig_.clips);
    const auto refused = readBackPositions(*renderer, fading, settings);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::Unsupported);
    QVERIFY(refused.error().message.find("switch fades off") != std::string::npos);
    const ck::Crowd plain(variedActors(3, 3), rig_.clips);
    QVERIFY(readBackPositions(*renderer, plain, settings).has_value());
  }

  void rejectsSamplingsThatOtherMethodsDoNotHave() {
    CK_NEEDS_GL(stage_);
    auto renderer = rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(variedActors(3, 3), rig_.clips);
    for (const int way : {static_cast<int>(ck::Method::Cpu), ck::test::kBook}) {
      for (const ck::Sampling sampling : {ck::Sampling::Compact, ck::Sampling::HardwareLinear}) {
        RenderSettings settings = plainSettings();
        ck::test::drawBy(way, settings);
        settings.view.pose.sampling = sampling;
        const auto refused = readBackPositions(*renderer, crowd, settings);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ck::ErrorCode::Unsupported);
      }
    }
    RenderSettings nearest = plainSettings();
    ck::test::drawBy(ck::test::kBook, nearest);
    nearest.view.pose.sampling = ck::Sampling::Nearest;
    QCOMPARE(readBackPositions(*renderer, crowd, nearest).error().code, ck::ErrorCode::Unsupported);
  }

  void everyVariantIsListedOnceWithItsCost() {
    const auto offers = atlasVariants(*rig_.atlas);
    QCOMPARE(offers.size(), std::size_t{24});
    std::set<std::string> names;
    for (const VariantOffer& offer : offers) names.insert(offer.name);
    QCOMPARE(names.size(), offers.size());
    // Two texels a joint: 4 influences of two frames in two clips, down to one of one.
    QCOMPARE(offers.front().fetchesPerVertex, 32);
    QCOMPARE(offers.back().fetchesPerVertex, 2);
    const auto refused = std::count_if(offers.begin(), offers.end(),
                                       [](const VariantOffer& o) { return !o.refusal.empty(); });
    // Only the compact record with two clips.
    QCOMPARE(refused, 3);
    for (const VariantOffer& offer : offers) {
      QCOMPARE(ck::samplingFromName(ck::samplingName(offer.variant.sampling)),
               offer.variant.sampling);
    }
    QVERIFY(!ck::samplingFromName("cubic").has_value());
  }

  void agrees_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("variant");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      if (ck::isLocal(info)) continue;  // whatCannotBeDrawnIsListedWithTheReason()
      const auto offers = atlasVariants(*rig_.atlas);
      for (std::size_t i = 0; i < offers.size(); ++i) {
        // Refused, see rejectsFadesInTheCompactRecord().
        const ck::Sampling sampling = offers[i].variant.sampling;
        if (sampling == ck::Sampling::Compact && offers[i].variant.blend) continue;
        // Refused, see onlyWhatMixesAsStoredIsFiltered().
        if (sampling == ck::Sampling::HardwareLinear && !ck::mixesAsStored(info)) continue;
        QTest::addRow("%s %s", info.name.data(), offers[i].name.c_str())
            << static_cast<int>(info.encoding) << static_cast<int>(i);
      }
    }
  }
  void agrees() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, encoding);
    QFETCH(int, variant);
    const BakedRig& rig = rigIn(static_cast<ck::Encoding>(encoding));
    const AtlasVariant wanted =
        atlasVariants(*rig_.atlas)[static_cast<std::size_t>(variant)].variant;
    QCOMPARE(whyNotSampled(*rig.atlas, wanted), std::string());
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    const RenderSettings settings = settingsOf(wanted);
    const double tolerance = toleranceFor(rig, wanted.sampling);
    ck::Crowd crowd(fadingActors(), rig.clips);
    for (const double seconds : {0.0, 0.41, 7.3}) {
      crowd.seek(seconds);
      const double distance = distanceToReference(*renderer, rig, crowd, settings);
      QVERIFY2(distance >= 0.0 && distance < tolerance,
               qPrintable(QString("%1 m, %2 allowed").arg(distance).arg(tolerance)));
    }
    QVERIFY(renderer->drawAndFinish(crowd, cameraFor(crowd, rig), settings, 8, 8, true));
    QCOMPARE(renderer->stats().fetchesPerVertex, fetchesPerVertex(*rig.atlas, wanted));
  }

  void onlyWhatMixesAsStoredIsFiltered() {
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      const std::string refusal =
          whyNotSampled(*rigIn(info.encoding).atlas, {ck::Sampling::HardwareLinear, 4, false});
      QCOMPARE(refusal.empty(), ck::mixesAsStored(info));
      if (!refusal.empty()) QVERIFY(refusal.find("no texture unit mixes") != std::string::npos);
    }
  }

  void agreesInEveryLayout_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("form");
    QTest::addColumn<int>("sampling");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      if (ck::isLocal(info)) continue;
      for (std::size_t form = 0; form < std::size(kForms); ++form) {
        if (info.form != ck::PoseForm::Trs && kForms[form].components) continue;
        for (const ck::Sampling sampling :
             {ck::Sampling::Nearest, ck::Sampling::Interpolated, ck::Sampling::HardwareLinear}) {
          QTest::addRow("%s %s %s", info.name.data(), kForms[form].name,
                        ck::samplingName(sampling).data())
              << static_cast<int>(info.encoding) << static_cast<int>(form)
              << static_cast<int>(sampling);
        }
      }
    }
  }
  void agreesInEveryLayout() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, encoding);
    QFETCH(int, form);
    QFETCH(int, sampling);
    const Form& wanted = kForms[form];
    ck::BakeSettings bake;
    bake.encoding = static_cast<ck::Encoding>(encoding);
    bake.layout = wanted.layout;
    bake.tile = 64;
    bake.components = wanted.components;
    if (wanted.rangeMode) bake.rangeMode = *wanted.rangeMode;
    bake.maxTextureSize = wanted.maxTextureSize;
    const BakedRig rig = bakedRig(ck::test::swingingLimb(), bake);
    QVERIFY(rig.atlas->recipe.layout == wanted.layout);
    auto renderer = rendererFor(rig);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(fadingActors(), rig.clips);
    crowd.seek(0.41);
    RenderSettings settings = plainSettings();
    settings.view.pose.sampling = static_cast<ck::Sampling>(sampling);
    const std::string refusal = whyNotSampled(*rig.atlas, {settings.view.pose.sampling, 4, true});
    if (!refusal.empty()) {
      QCOMPARE(settings.view.pose.sampling, ck::Sampling::HardwareLinear);
      const auto refused = readBackPositions(*renderer, crowd, settings);
      QVERIFY(!refused.has_value());
      QCOMPARE(refused.error().message, refusal);
      return;
    }
    const double distance = distanceToReference(*renderer, rig, crowd, settings);
    const double tolerance = toleranceFor(rig, settings.view.pose.sampling);
    QVERIFY2(distance >= 0.0 && distance < tolerance,
             qPrintable(QString("%1 m, %2 allowed").arg(distance).arg(tolerance)));
  }

  void fadesChangeWhatIsDrawn() {
    CK_NEEDS_GL(stage_);
    auto renderer = rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(fadingActors(), rig_.clips);
    crowd.seek(0.41);
    RenderSettings settings = plainSettings();
    const auto fading = readBackPositions(*renderer, crowd, settings);
    QCOMPARE(renderer->stats().fetchesPerVertex, 0);  // nothing has been painted
    settings.view.pose.fades = false;
    const auto plain =
        referencePositions(*rig_.character, rig_.atlas.get(), crowd, settings, false);
    QVERIFY(fading.has_value() && largestDistance(*fading, plain) > 0.05);
    QVERIFY(distanceToReference(*renderer, rig_, crowd, settings) < kFloats);
  }

  void unfadedCrowdsPayForOneClip() {
    CK_NEEDS_GL(stage_);
    auto renderer = rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const ck::Crowd plain(variedActors(2, 2), rig_.clips);
    const ck::Crowd fading(fadingActors(), rig_.clips);
    for (const auto& [crowd, fetches] : {std::pair{&plain, 16}, std::pair{&fading, 32}}) {
      QVERIFY(renderer->drawAndFinish(*crowd, cameraFor(*crowd, rig_), plainSettings(), 8, 8)
                  .has_value());
      QCOMPARE(renderer->stats().fetchesPerVertex, fetches);
    }
  }

  void compactRecordIsSmallAndShowsTheNearestFrame() {
    CK_NEEDS_GL(stage_);
    auto renderer = rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(variedActors(10, 3), rig_.clips);
    crowd.seek(0.3);
    const Camera camera = cameraFor(crowd, rig_);
    RenderSettings settings = plainSettings();
    settings.view.pose.sampling = ck::Sampling::Compact;
    const auto compact = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    // The crowd's records and its table of clips, and a mark each.
    QCOMPARE(renderer->stats().uploadedBytes, 10 * (68 + 1) + ck::test::clipTableBytes(rig_.clips));
    settings.view.pose.sampling = ck::Sampling::Nearest;
    const auto nearest = renderer->drawToFrame(crowd, camera, settings, kWidth, kHeight);
    QCOMPARE(renderer->stats().uploadedBytes, std::size_t{10});
    QVERIFY(compact.has_value() && nearest.has_value());
    QVERIFY(compact->rgba == nearest->rgba);
  }

  void everyVariantIsPickedAndCastsAShadow_data() {
    QTest::addColumn<int>("sampling");
    QTest::addColumn<bool>("fades");
    for (const ck::Sampling sampling : {ck::Sampling::Nearest, ck::Sampling::Compact,
                                        ck::Sampling::Interpolated, ck::Sampling::HardwareLinear}) {
      for (const bool fades : {false, true}) {
        if (fades && sampling == ck::Sampling::Compact) continue;
        QTest::addRow("%s%s", ck::samplingName(sampling).data(), fades ? ", two clips" : "")
            << static_cast<int>(sampling) << fades;
      }
    }
  }
  void everyVariantIsPickedAndCastsAShadow() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, sampling);
    QFETCH(bool, fades);
    auto renderer = rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    ck::Crowd crowd(fadingActors(), rig_.clips);
    crowd.seek(0.41);
    const Camera camera = cameraFor(crowd, rig_);
    RenderSettings settings = settingsOf({static_cast<ck::Sampling>(sampling), 4, fades});
    // The reference: actors that the CPU has skinned, where the id of each pixel is known.
    RenderSettings reference = settings;
    reference.view.pose.method = ck::Method::Cpu;
    reference.view.pose.sampling =
        ck::samplingFor(ck::isBetweenFrames(settings.view.pose.sampling));
    int actors = 0;
    int wrong = 0;
    for (int y = 3; y < kHeight; y += 9) {
      for (int x = 3; x < kWidth; x += 9) {
        const auto found = renderer->pick(crowd, camera, settings, kWidth, kHeight, x, y);
        const auto expected = renderer->pick(crowd, camera, reference, kWidth, kHeight, x, y);
        QVERIFY(found.has_value() && expected.has_value());
        actors += *expected >= 0 ? 1 : 0;
        wrong += *found != *expected ? 1 : 0;
      }
    }
    QVERIFY2(actors > 10, qPrintable(QString::number(actors)));
    QVERIFY2(wrong <= 1, qPrintable(QString("%1 of %2").arg(wrong).arg(actors)));
    const std::vector<bool> shadow = shadowOf(*renderer, crowd, camera, settings);
    const std::vector<bool> expected = shadowOf(*renderer, crowd, camera, reference);
    const auto cast = std::count(shadow.begin(), shadow.end(), true);
    QVERIFY(cast > 1000);
    int apart = 0;
    for (std::size_t p = 0; p < shadow.size(); ++p) apart += shadow[p] != expected[p] ? 1 : 0;
    // The shadow of the compact record is that of a stored frame, others move on between frames.
    const auto allowed =
        settings.view.pose.sampling == ck::Sampling::Compact ? cast / 8 : cast / 50;
    QVERIFY2(apart < allowed, qPrintable(QString("%1 of %2").arg(apart).arg(cast)));
  }

  void variantsAreCompiledOnceAndKept() {
    CK_NEEDS_GL(stage_);
    auto renderer = rendererFor(rig_);
    QVERIFY(renderer != nullptr);
    const ck::Crowd crowd(variedActors(4, 3), rig_.clips);
    const Camera camera = cameraFor(crowd, rig_);
    int most = 0;
    for (int round = 0; round < 2; ++round) {
      for (const ck::Sampling sampling :
           {ck::Sampling::Nearest, ck::Sampling::Compact, ck::Sampling::Interpolated,
            ck::Sampling::HardwareLinear}) {
        RenderSettings settings = plainSettings();
        settings.view.pose.sampling = sampling;
        QVERIFY(renderer->drawAndFinish(crowd, camera, settings, 64, 64).has_value());
      }
      if (round == 0) most = liveGlObjects();
    }
    QCOMPARE(liveGlObjects(), most);
  }

 private:
  const BakedRig& rigIn(ck::Encoding encoding) {
    const auto found = rigs_.find(encoding);
    if (found != rigs_.end()) return found->second;
    ck::BakeSettings bake;
    bake.encoding = encoding;
    return rigs_.emplace(encoding, bakedRig(ck::test::swingingLimb(), bake)).first->second;
  }

  ck::test::GlStage stage_;
  std::map<ck::Encoding, BakedRig> rigs_;
  BakedRig rig_;
};

CK_TEST(tst_atlas_variants)
#include "tst_atlas_variants.moc"
