#include <QTest>
#include <bit>
#include <numeric>

#include "render/gl/handle.h"
#include "render/gl/shader_library.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/skinning/actor_stream.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/gl_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/steady_crowds.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::render::ActorStream;
using ck::render::CrowdRecords;
using ck::render::RenderSettings;
using ck::test::BakedRig;
using ck::test::bakedRig;

namespace {

constexpr double kTenMinutes = 600.0;
constexpr int kSize = 64;  // of pictures, pixels

// Frames and looks to the bit; places to a fifth of a millimetre, because circles are computed in
// float.
void compare(const std::vector<ck::gpu::CkActor>& drawn, const Crowd& crowd,
             std::span<const std::uint32_t> actors) {
  QCOMPARE(drawn.size(), actors.size());
  const auto bits = [](float x) { return std::bit_cast<int>(x); };
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const ck::gpu::CkActor expected = crowd.instances()[actors[i]];
    const ck::gpu::CkActor& one = drawn[i];
    QCOMPARE(one.frames, expected.frames);
    QCOMPARE(bits(one.positionAlphaA.w), bits(expected.positionAlphaA.w));
    QCOMPARE(bits(one.scaleAlphaB.w), bits(expected.scaleAlphaB.w));
    QCOMPARE(one.look, expected.look);
    QCOMPARE(glm::vec3(one.scaleAlphaB), glm::vec3(expected.scaleAlphaB));
    QVERIFY(glm::distance(glm::vec3(one.positionAlphaA), glm::vec3(expected.positionAlphaA)) <
            2e-4f);
    QVERIFY(glm::distance(one.rotation, expected.rotation) < 2e-6f);
  }
}

std::vector<std::uint32_t> allOf(const Crowd& crowd) {
  std::vector<std::uint32_t> all(crowd.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

// With the rig's own clips, which all loop or none do.
std::vector<Actor> actorsOf(const BakedRig& rig, std::vector<Actor> actors) {
  for (Actor& actor : actors) {
    actor.clip %= static_cast<int>(rig.clips.size());
    actor.position *= 0.05f;
  }
  return actors;
}

// A rig whose clips are of all loop modes and walk.
BakedRig walkingLimb(ck::Encoding encoding = ck::Encoding::P16) {
  ck::BakeSettings bake;
  bake.frames = 9;
  bake.encoding = encoding;
  BakedRig rig = bakedRig(ck::test::swingingLimb(), bake);
  for (std::size_t c = 0; c < rig.clips.size(); ++c) {
    rig.clips[c].loop = c % 3 == 2 ? ck::LoopMode::PingPong : ck::LoopMode::Loop;
    rig.clips[c].groundSpeedMetersPerSecond = 0.6;
  }
  return rig;
}

}  // namespace

class tst_steady_meshes : public QObject {
  Q_OBJECT

  ck::test::GlStage stage_;

 private slots:
  void init() {
    CK_NEEDS_GL(stage_);
    ck::render::resetGlState();
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void recordsAreTheCrowdsAfterTenMinutes_data() {
    QTest::addColumn<bool>("steady");
    QTest::newRow("loops and circles") << true;
    QTest::newRow("all that actors do") << false;
  }
  void recordsAreTheCrowdsAfterTenMinutes() {
    QFETCH(bool, steady);
    const auto clips = ck::test::clipsOfAllKinds();
    Crowd crowd(steady ? ck::test::steadyActors(3000) : ck::test::actorsOfAllKinds(3000), clips);
    CrowdRecords records;
    ActorStream whole;
    ActorStream some;
    ck::render::ShaderLibrary shaders;
    const std::vector<std::uint32_t> all = allOf(crowd);
    const std::vector<std::uint32_t> chosen = {7, 3, 2999, 1200, 1201};
    std::size_t uploaded = 0;
    const auto play = [&] {
      if (!records.upload(crowd) || !whole.compute({records}, {}, shaders) ||
          !some.compute({records, {chosen, 1}}, {}, shaders)) {
        qFatal("no memory");
      }
      uploaded += records.uploadedBytes() + whole.uploadedBytes() + some.uploadedBytes();
    };
    play();
    compare(whole.read(), crowd, all);
    // A mark for each, and the list.
    const std::size_t others = 3000 + chosen.size() * 5;
    QCOMPARE(uploaded, crowd.size() * 68 + ck::test::clipTableBytes(clips) + others);
    uploaded = 0;
    ck::test::playTo(crowd, kTenMinutes, play);
    QCOMPARE(uploaded == 0, steady);
    compare(whole.read(), crowd, all);
    compare(some.read(), crowd, chosen);
    crowd.seek(-12.3);
    play();
    compare(whole.read(), crowd, all);
  }

  void anEditUploadsItsBlock() {
    const auto clips = ck::test::clipsOfAllKinds();
    const std::size_t table = ck::test::clipTableBytes(clips);
    std::vector<Actor> actors = ck::test::steadyActors(1000);
    Crowd crowd(actors, clips);
    CrowdRecords records;
    ActorStream stream;
    ck::render::ShaderLibrary shaders;
    const auto bytes = [&](const Crowd& now) {
      if (!records.upload(now) || !stream.compute({records}, {}, shaders)) qFatal("no memory");
      compare(stream.read(), now, allOf(now));
      return records.uploadedBytes() + stream.uploadedBytes();
    };
    QVERIFY(bytes(crowd) > 0);
    crowd.advance(3.1);
    QCOMPARE(bytes(crowd), std::size_t{0});
    crowd.setTint(321, 0xff8800);
    QCOMPARE(bytes(crowd), std::size_t{64 * 52});
    // The editor makes its crowd anew: one actor has another clip, one another place.
    actors[70].clip = 1 - actors[70].clip % 2;
    actors[999].position.z += 2.0f;
    Crowd edited(actors, clips);
    edited.setTint(321, 0xff8800);
    edited.seek(crowd.timeSeconds());
    const std::size_t uploaded = bytes(edited);
    QVERIFY(uploaded >= 64 * 16 + 40 * 52 + table && uploaded <= 64 * 68 + 40 * 52 + table);
  }

  // The part that is not steady is as it was at the last edit, though it has changed in between.
  void anEditComparesWithWhatWasUploadedLast() {
    const auto clips = ck::test::clipsOfAllKinds();
    Crowd crowd(ck::test::actorsOfAllKinds(300), clips);
    CrowdRecords records;
    ActorStream stream;
    ck::render::ShaderLibrary shaders;
    for (const double seconds : {1.0, 460.0, 1.0}) {
      crowd.seek(seconds);
      if (seconds == 1.0) crowd.setTint(299, 0x123456);
      QVERIFY(records.upload(crowd));
      QVERIFY(records.uploadedBytes() > 0);
      QVERIFY(stream.compute({records}, {}, shaders));
      compare(stream.read(), crowd, allOf(crowd));
    }
  }

  // As the processor's records are uploaded.
  void looksAndSelectionsAreThoseOfUploads() {
    const auto clips = ck::test::clipsOfAllKinds();
    std::vector<Actor> actors = ck::test::actorsOfAllKinds(200);
    actors[5].scale = -1.0f;
    Crowd crowd(actors, clips);
    crowd.seek(460.0);
    CrowdRecords records;
    ck::render::ShaderLibrary shaders;
    const std::vector<std::uint32_t> selected = {0, 9, 199, 4000};
    QVERIFY(records.upload(crowd));
    ActorStream computed;
    QVERIFY(
        computed.compute({records, {}, {.tint565 = 0x1234, .fades = false}}, selected, shaders));
    ActorStream uploaded;
    QVERIFY(uploaded.upload(crowd.instances(), selected));
    QVERIFY(computed.anyMirrored() && uploaded.anyMirrored());
    const auto plain = computed.read();
    const auto own = uploaded.read();
    QCOMPARE(plain.size(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      QCOMPARE(computed.isSelected(i), uploaded.isSelected(i));
      QCOMPARE(computed.isSelected(i), i == 0 || i == 9 || i == 199);
      QCOMPARE(plain[i].look, 0x1234 << 16);
      QCOMPARE(own[i].look, crowd.instances()[i].look);
    }
    // None are chosen, and all again.
    QVERIFY(computed.compute({records, {{}, 9}}, {}, shaders));
    QVERIFY(computed.read().empty());
    QVERIFY(computed.compute({records}, {}, shaders));
    compare(computed.read(), crowd, allOf(crowd));
  }

  // Pictures of a crowd that has played for ten minutes are those of one that was put there, and
  // nothing has been uploaded for them but what the method poses on the processor.
  void steadyCrowdsUploadNothing_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("sampling");
    QTest::addColumn<bool>("ranks");  // actors at few moments, which share palettes
    const auto row = [](const char* name, ck::Method method, ck::Sampling sampling, bool ranks) {
      QTest::newRow(name) << static_cast<int>(method) << static_cast<int>(sampling) << ranks;
    };
    row("palette", ck::Method::Palette, ck::Sampling::Interpolated, false);
    row("palette in ranks", ck::Method::Palette, ck::Sampling::Interpolated, true);
    row("atlas", ck::Method::Atlas, ck::Sampling::Interpolated, false);
    row("compact atlas", ck::Method::Atlas, ck::Sampling::Compact, false);
    row("matrix", ck::Method::Matrix, ck::Sampling::Interpolated, false);
    row("pool", ck::Method::Pool, ck::Sampling::Interpolated, false);
    row("prepass", ck::Method::Prepass, ck::Sampling::Interpolated, false);
    row("prepass in ranks", ck::Method::Prepass, ck::Sampling::Interpolated, true);
  }
  void steadyCrowdsUploadNothing() {
    QFETCH(int, method);
    QFETCH(int, sampling);
    QFETCH(bool, ranks);
    const bool matrix = method == static_cast<int>(ck::Method::Matrix);
    const BakedRig rig = walkingLimb(matrix ? ck::Encoding::M32 : ck::Encoding::P16);
    std::vector<Actor> actors = actorsOf(rig, ck::test::steadyActors(150));
    for (std::size_t i = 0; ranks && i < actors.size(); ++i) {
      actors[i].offset = 0.1f * static_cast<float>(actors[i].clip);
      actors[i].rate = 1.0f;
    }
    RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = static_cast<ck::Method>(method);
    settings.view.pose.sampling = static_cast<ck::Sampling>(sampling);
    settings.view.pose.skinOn = ck::SkinOn::Gpu;
    auto renderer = ck::test::rendererFor(rig);
    QVERIFY(renderer != nullptr);
    Crowd crowd(actors, rig.clips);
    ck::render::Camera camera;
    const ck::render::CharacterEntry entry{rig.character, rig.atlas, {}};
    frameActors(camera, crowd, {&entry, 1}, 1.0);
    const auto picture = [&](ck::render::CrowdRenderer& by, const Crowd& of) {
      const auto frame = by.drawToFrame(of, camera, settings, kSize, kSize);
      if (!frame) qFatal("%s", frame.error().message.c_str());
      return *frame;
    };
    // At time 0 many actors are at one moment, whatever their rates are.
    crowd.seek(1.7);
    picture(*renderer, crowd);
    QVERIFY(renderer->stats().uploadedBytes >= actors.size() * 68);
    ck::test::playTo(crowd, kTenMinutes, [&] {
      crowd.stamp();
      if (crowd.timeSeconds() > 5.0 && crowd.timeSeconds() < kTenMinutes - 1.0) return;
      picture(*renderer, crowd);
      QVERIFY(renderer->stats().ticked);
      QCOMPARE(renderer->stats().uploadedBytes, std::size_t{0});
    });
    Crowd sought(actors, rig.clips);
    sought.seek(kTenMinutes);
    auto another = ck::test::rendererFor(rig);
    QVERIFY(another != nullptr);
    QVERIFY(picture(*another, sought).rgba == picture(*renderer, crowd).rgba);
    // An edit.
    crowd.setTint(3, 0x00ff00);
    picture(*renderer, crowd);
    QCOMPARE(renderer->stats().uploadedBytes, std::size_t{64 * 52});
  }

  // The witness is the processor's crowd, in double.
  void verticesAreTheReferencesAfterTenMinutes() {
    const BakedRig rig = walkingLimb();
    RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = ck::Method::Palette;
    settings.view.pose.skinOn = ck::SkinOn::Gpu;
    for (const bool steady : {true, false}) {
      Crowd crowd(
          actorsOf(rig, steady ? ck::test::steadyActors(120) : ck::test::actorsOfAllKinds(120)),
          rig.clips);
      auto renderer = ck::test::rendererFor(rig);
      QVERIFY(renderer != nullptr);
      QVERIFY(readBackPositions(*renderer, crowd, settings));
      ck::test::playTo(crowd, kTenMinutes, [] {});
      const auto drawn = readBackPositions(*renderer, crowd, settings);
      QVERIFY(drawn);
      const double off = ck::test::largestDistance(
          *drawn, referencePositions(*rig.character, rig.atlas.get(), crowd, settings, false));
      QVERIFY2(off >= 0.0 && off < 2e-4, qPrintable(QString::number(off)));
    }
  }
};

CK_TEST(tst_steady_meshes)
#include "tst_steady_meshes.moc"
