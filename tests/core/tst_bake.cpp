#include <fmt/format.h>

#include <QTest>
#include <random>

#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::BakeSettings;
using ck::Seam;
using ck::SeamChoice;

using ck::test::hasNote;

namespace {

ck::Character limbWith(std::vector<ck::test::Swing> swings) {
  ck::Character limb = ck::test::limbCharacter();
  for (const auto& swing : swings) limb.clips.push_back(ck::test::swingClip(limb, swing));
  return limb;
}

std::vector<ck::JointPose> posesOf(const ck::Atlas& atlas, int clip, int joint) {
  const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
  std::vector<ck::JointPose> poses;
  for (int frame = 0; frame < baked.frameCount; ++frame) {
    poses.push_back(ck::storedPose(atlas, clip, baked.firstFrame + frame, joint));
  }
  return poses;
}

}  // namespace

class tst_bake : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWhatCannotBeBaked_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("a clip that is not there") << 0 << "no clip 'Jump'; the clips are Bend, Twist";
    QTest::newRow("a clip named twice") << 1 << "'Bend' is named twice";
    QTest::newRow("a character without a skin") << 2 << "no skin";
    QTest::newRow("a character without clips") << 3 << "no clips";
    QTest::newRow("a rate that is not a number") << 4 << "Hz";
    QTest::newRow("three influences") << 5 << "3 influences";
    QTest::newRow("a pose beyond all numbers") << 6 << "'upper'";
  }
  void rejectsWhatCannotBeBaked() {
    QFETCH(int, which);
    QFETCH(QString, says);
    ck::Character bar = ck::test::barCharacter();
    BakeSettings settings;
    if (which == 0) settings.clips = {{.name = "Jump"}};
    if (which == 1) settings.clips = {{.name = "Bend"}, {.name = "Bend"}};
    if (which == 2) bar.rig.skinJoints.clear();
    if (which == 3) bar.clips.clear();
    if (which == 4) settings.rateHz = std::nan("");
    if (which == 5) settings.influences = 3;
    if (which == 6) {
      bar.clips[0].jointTracks[0].scale.times = {0.0};
      bar.clips[0].jointTracks[0].scale.values = {glm::vec3(3e38f)};
      bar.rig.joints[1].preTransform = ck::toMatrix({.scale = glm::dvec3(1e30)});
    }
    const auto result = ck::bake(bar, settings);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(result.error().message.find(says.toStdString()) != std::string::npos,
             result.error().message.c_str());
  }

  void rejectsAnAtlasBeyondTheLimitBeforeAnyWork() {
    BakeSettings settings;
    settings.frames = 100'000'000;
    settings.maxTextureSize = 64;
    const auto result = ck::bake(ck::test::barCharacter(), settings);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ck::ErrorCode::LimitExceeded);
    QCOMPARE(ck::bakeCost(ck::test::barCharacter(), settings).error().code,
             ck::ErrorCode::LimitExceeded);
  }

  void barIsWithinATenthOfAMillimetre() {
    const ck::Character bar = ck::test::barCharacter();
    const auto result = ck::bake(bar, {});
    QVERIFY(result);
    const auto error = ck::measureBakeError(bar, result->atlas);
    QVERIFY(error);
    QVERIFY2(error->palette.shell.max < 0.1, qPrintable(QString::number(error->palette.shell.max)));
    QVERIFY(error->palette.shell.max > 0.0);
  }

  void framesAreTheKeysOfTheClip() {
    const auto result = ck::bake(ck::test::swingingLimb(), {});
    QVERIFY(result);
    const auto& clips = result->atlas.clips;
    // 31 keys that close; 30 keys and a closing step; 20 keys that do not close.
    QCOMPARE(clips[0].frameCount, 31);
    QCOMPARE(clips[0].seam, Seam::Inclusive);
    QCOMPARE(clips[0].loop, ck::LoopMode::Loop);
    QCOMPARE(clips[1].frameCount, 31);
    QCOMPARE(clips[1].seam, Seam::Exclusive);
    QVERIFY(std::abs(clips[1].durationSeconds - 1.0) < 1e-9);
    QCOMPARE(clips[2].frameCount, 20);
    QCOMPARE(clips[2].seam, Seam::None);
    QCOMPARE(clips[2].loop, ck::LoopMode::Once);
    QCOMPARE(clips[2].startSeconds, 0.5);
    QCOMPARE(clips[2].firstFrame, 62);
    QVERIFY(result->notes.empty());
  }

  void frameCountFollowsTheSettings_data() {
    QTest::addColumn<double>("rateHz");
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("wanted");
    QTest::newRow("the key grid") << 0.0 << 0 << 31;
    QTest::newRow("twice the key rate") << 60.0 << 0 << 61;
    QTest::newRow("a rate that misses keys") << 24.0 << 0 << 25;
    QTest::newRow("a count wins over a rate") << 60.0 << 12 << 12;
    QTest::newRow("never fewer than two") << 0.01 << 0 << 2;
    QTest::newRow("not even when asked") << 0.0 << 1 << 2;
  }
  void frameCountFollowsTheSettings() {
    QFETCH(double, rateHz);
    QFETCH(int, frames);
    QFETCH(int, wanted);
    BakeSettings settings;
    settings.rateHz = rateHz;
    settings.frames = frames;
    const ck::Character bar = ck::test::barCharacter();
    QCOMPARE(ck::frameCountFor(bar.rig, bar.clips[0], Seam::Inclusive, settings), wanted);
  }

  void aFewFastKeyStepsAreSaid() {
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    const auto setTurns = [&track](const auto& turnAt) {
      track.times.clear();
      track.values.clear();
      for (int key = 0; key <= 30; ++key) {
        track.times.push_back(key / 30.0);
        track.values.push_back(glm::angleAxis(turnAt(key), glm::vec3(0, 0, 1)));
      }
    };
    setTurns([](int key) { return 0.01f * static_cast<float>(key) + (key > 10 ? 2.5f : 0.0f); });
    const auto one = ck::bake(bar, {});
    QVERIFY(one);
    const int frames = one->atlas.clips[0].frameCount;
    QVERIFY(frames >= 61);
    const std::string rates =
        "'Bend' (" + std::to_string(frames - 1) + " frames a second in place of 30, because of";
    QVERIFY(hasNote(one->notes, "FastKeySteps", rates));
    QVERIFY(hasNote(one->notes, "FastKeySteps", "the step at 0.333 s"));
    // The proposal of the note has no note.
    BakeSettings slower;
    slower.rateHz = 30.0;
    QVERIFY(!hasNote(ck::bake(bar, slower)->notes, "FastKeySteps"));
    ck::BakeClip trimmed{.name = "Bend"};
    trimmed.edit.trim = ck::Trim{11 / 30.0, 1.0};
    BakeSettings without;
    without.clips = {trimmed};
    const auto rest = ck::bake(bar, without);
    QVERIFY(rest && rest->notes.empty());
    QCOMPARE(rest->atlas.clips[0].frameCount, 20);
    // Where many steps are fast, none is an exception.
    setTurns([](int key) { return 0.9f * static_cast<float>(key); });
    const auto all = ck::bake(bar, {});
    QVERIFY(all && all->atlas.clips[0].frameCount >= 61);
    QVERIFY(!hasNote(all->notes, "FastKeySteps"));
  }

  void quickTurnsGetMoreFramesThanKeys() {
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    track.times = {0.0, 1.0};
    track.values = {glm::quat(1, 0, 0, 0), glm::angleAxis(3.0f, glm::vec3(0, 0, 1))};
    const auto result = ck::bake(bar, {});
    QVERIFY(result);
    QCOMPARE(result->atlas.clips[0].frameCount, 7);  // 172 degrees, 30 at most a frame
    QVERIFY(ck::measureBakeError(bar, result->atlas)->palette.maxDegrees < 0.05);
  }

  void jointsBetweenThatAreNotBakedAreFollowed() {
    // The third joint of the chain turns but moves no vertex and is not bound: what hangs on it
    // goes round it in arcs that frames on the keys alone would cut.
    ck::Character limb =
        limbWith({{.name = "Slow", .keyCount = 9, .hz = 4.0, .cyclesPerStep = 0.1}});
    auto& bound = limb.rig.skinJoints;
    bound.erase(bound.begin() + 2);
    for (ck::Influence& influence : limb.meshes[0].influences) {
      if (influence.skinJoint >= 2) influence.skinJoint -= 1;
    }
    QVERIFY(ck::validate(limb));
    const auto result = ck::bake(limb, {});
    QVERIFY(result);
    QVERIFY(result->atlas.clips[0].frameCount > 9);
    QCOMPARE((result->atlas.clips[0].frameCount - 1) % 8, 0);
    QVERIFY(ck::measureBakeError(limb, result->atlas)->palette.shell.max < 1.5);
    ck::BakeSettings keysOnly;
    keysOnly.frames = 9;
    QVERIFY(ck::measureBakeError(limb, ck::bake(limb, keysOnly)->atlas)->palette.shell.max > 2.0);
  }

  void keysLeftOutStillShowTheGrid() {
    // Keys at 0, 2, 4, 6, 9, 12 thirtieths: the grid is 1/30 s or finer, and meets all of them.
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    track.times = {0.0, 2 / 30.0, 4 / 30.0, 6 / 30.0, 9 / 30.0, 12 / 30.0};
    track.values.assign(6, glm::quat(1, 0, 0, 0));
    track.values[4] = glm::angleAxis(0.2f, glm::vec3(0, 0, 1));
    bar.clips[0].durationSeconds = 0.4;
    const auto result = ck::bake(bar, {});
    QVERIFY(result);
    QCOMPARE(result->atlas.clips[0].frameCount, 13);
    QVERIFY(!hasNote(result->notes, "OffKeyGrid"));
  }

  void unevenKeysAreBakedFinelyAndSaid() {
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    track.times = {0.0, 0.0713, 0.1931, 0.4177, 1.0};
    track.values.assign(5, glm::quat(1, 0, 0, 0));
    track.values[2] = glm::angleAxis(0.5f, glm::vec3(0, 0, 1));
    const auto result = ck::bake(bar, {});
    QVERIFY(result);
    QVERIFY(hasNote(result->notes, "OffKeyGrid", "'Bend'"));
    QVERIFY(result->atlas.clips[0].frameCount > 15);
    QVERIFY(ck::measureBakeError(bar, result->atlas)->palette.shell.max < 5.0);
  }

  void loopsEndOnTheirFirstFrame() {
    // Ends a millimetre or two short of its start: close enough to be a loop, and closed by the
    // bake.
    const ck::Character limb =
        limbWith({{.name = "Short", .cyclesPerStep = (1.0 - 1.0 / 3000) / 30},
                  {.name = "Exclusive", .keyCount = 30}});
    const auto result = ck::bake(limb, {});
    QVERIFY(result);
    QVERIFY(hasNote(result->notes, "SeamClosed", "'Short'"));
    for (int clip = 0; clip < 2; ++clip) {
      for (int joint = 0; joint < 7; ++joint) {
        const auto poses = posesOf(result->atlas, clip, joint);
        QCOMPARE(poses.front().position, poses.back().position);
        QCOMPARE(poses.front().scale, poses.back().scale);
        const glm::quat& q = poses.front().rotation;
        QVERIFY(q == poses.back().rotation || glm::dot(q, poses.back().rotation) < -0.9999f);
      }
    }
  }

  void theArtistHasTheLastWordOnSeams() {
    const ck::Character limb = limbWith({{.name = "Closed"}, {.name = "Away", .keyCount = 20}});
    BakeSettings settings;
    settings.clips = {{.name = "Away", .seam = SeamChoice::Exclusive},
                      {.name = "Closed", .loop = ck::LoopMode::PingPong}};
    auto result = ck::bake(limb, settings);
    QVERIFY(result);
    QCOMPARE(result->atlas.clips[0].name, std::string("Away"));
    QCOMPARE(result->atlas.clips[0].frameCount, 21);
    QCOMPARE(result->atlas.clips[0].loop, ck::LoopMode::Loop);
    QCOMPARE(result->atlas.clips[1].loop, ck::LoopMode::PingPong);
    settings.clips = {{.name = "Closed", .seam = SeamChoice::None}};
    QCOMPARE(ck::bake(limb, settings)->atlas.clips[0].loop, ck::LoopMode::Once);
  }

  void aClipPlayedOnceGetsNoClosingStep() {
    const ck::Character limb = limbWith({{.name = "Open", .keyCount = 30}});
    BakeSettings settings;
    settings.clips = {{.name = "Open", .loop = ck::LoopMode::Once}};
    const auto result = ck::bake(limb, settings);
    QVERIFY(result);
    QCOMPARE(result->atlas.clips[0].frameCount, 30);
    QCOMPARE(result->atlas.clips[0].seam, Seam::None);
  }

  void aClipOfOneKeyIsTwoEqualFrames() {
    const ck::Character limb = limbWith({{.name = "Pose", .keyCount = 1, .startSeconds = 2.0}});
    const auto result = ck::bake(limb, {});
    QVERIFY(result);
    QCOMPARE(result->atlas.clips[0].frameCount, 2);
    QCOMPARE(result->atlas.clips[0].durationSeconds, 0.0);
    for (int joint = 0; joint < 7; ++joint) {
      const auto poses = posesOf(result->atlas, 0, joint);
      QCOMPARE(poses[0].position, poses[1].position);
      QCOMPARE(poses[0].rotation, poses[1].rotation);
    }
    QVERIFY(ck::measureBakeError(limb, result->atlas)->palette.shell.max < 0.05);
  }

  void stepKeysShowTheirOwnValueAtTheirTime() {
    // Times as a file has them, rounded to float32 either way.
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    track.interpolation = ck::Interpolation::Step;
    track.times.clear();
    track.values.clear();
    for (int key = 0; key <= 60; ++key) {
      track.times.push_back(static_cast<double>(static_cast<float>(7.0 + key / 30.0)));
      track.values.push_back(glm::angleAxis(0.02f * static_cast<float>(key), glm::vec3(0, 0, 1)));
    }
    bar.clips[0].startSeconds = track.times.front();
    bar.clips[0].durationSeconds = track.times.back() - track.times.front();
    BakeSettings settings;
    settings.clips = {{.name = "Bend"}};
    const auto result = ck::bake(bar, settings);
    QVERIFY(result);
    const auto poses = posesOf(result->atlas, 0, 1);
    QCOMPARE(poses.size(), std::size_t(121));
    const auto angleOf = [](const ck::JointPose& pose) {
      return 2.0 * std::atan2(double(pose.rotation.z), double(pose.rotation.w));
    };
    for (std::size_t key = 0; key <= 60; ++key) {
      const double angle = 0.02 * static_cast<double>(key);
      QVERIFY(std::abs(angleOf(poses[2 * key]) - angle) < 1e-4);
      // And the value before until then.
      if (key > 0) QVERIFY(std::abs(angleOf(poses[2 * key - 1]) - (angle - 0.02)) < 1e-4);
    }
  }

  void neighbouringRotationsAgreeInSign() {
    // Source keys with random signs, and a joint that turns twice about itself.
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    std::mt19937 random(3);
    for (std::size_t key = 0; key < track.values.size(); ++key) {
      const float turn = 4.0f * glm::pi<float>() * static_cast<float>(key) / 30.0f;
      track.values[key] = glm::angleAxis(turn, glm::vec3(0, 0, 1));
      if (random() % 2 == 0) track.values[key] = -track.values[key];
    }
    const auto result = ck::bake(bar, {});
    QVERIFY(result);
    const auto poses = posesOf(result->atlas, 0, 1);
    for (std::size_t i = 1; i < poses.size(); ++i) {
      QVERIFY(glm::dot(poses[i - 1].rotation, poses[i].rotation) > 0.0f);
    }
  }

  void sameBytesOnAnyNumberOfThreads() {
    const ck::Character limb = limbWith({{.name = "Long", .keyCount = 301},
                                         {.name = "Open", .keyCount = 30},
                                         {.name = "One", .keyCount = 1}});
    std::vector<ck::Atlas> atlases;
    for (const int threads : {1, 2, 5}) {
      ck::JobContext job;
      job.threadCount = threads;
      auto result = ck::bake(limb, {}, job);
      QVERIFY(result);
      atlases.push_back(std::move(result->atlas));
    }
    QVERIFY(atlases[0] == atlases[1]);
    QVERIFY(atlases[0] == atlases[2]);
  }

  void stoppingLeavesNothing() {
    std::stop_source source;
    ck::JobContext job;
    job.stop = source.get_token();
    job.report = [&](float fraction, std::string_view) {
      if (fraction > 0.1f) source.request_stop();
    };
    const auto result = ck::bake(limbWith({{.name = "Long", .keyCount = 3001}}), {}, job);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ck::ErrorCode::Cancelled);
  }

  // Clips with ranges of their own are evaluated and encoded one after the other.
  void stoppingBetweenTheRunsOfAClipLeavesNothing() {
    BakeSettings settings;
    settings.rangeMode = ck::RangeMode::JointClip;
    settings.frames = 512;
    const ck::Character limb = limbWith({{.name = "A", .keyCount = 512},
                                         {.name = "B", .keyCount = 512},
                                         {.name = "C", .keyCount = 512},
                                         {.name = "D", .keyCount = 512},
                                         {.name = "E", .keyCount = 512}});
    for (const float stopAt : {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f}) {
      std::stop_source source;
      ck::JobContext job;
      job.stop = source.get_token();
      job.report = [&](float fraction, std::string_view) {
        if (fraction > stopAt) source.request_stop();
      };
      const auto result = ck::bake(limb, settings, job);
      QVERIFY(!result);
      QCOMPARE(result.error().code, ck::ErrorCode::Cancelled);
    }
  }

  void countingTheCostStops() {
    std::stop_source source;
    source.request_stop();
    ck::JobContext job;
    job.stop = source.get_token();
    const ck::Character limb = limbWith({{.name = "Long", .keyCount = 3001}});
    for (const auto encoding : {ck::Encoding::P16, ck::Encoding::T16}) {
      BakeSettings settings;
      settings.encoding = encoding;
      const auto cost = ck::bakeCost(limb, settings, job);
      QVERIFY(!cost);
      QCOMPARE(cost.error().code, ck::ErrorCode::Cancelled);
    }
    // One window is stopped between keys, not only between windows.
    const auto window = ck::planWindow(limb, {.name = "Long"}, {}, job);
    QVERIFY(!window);
    QCOMPARE(window.error().code, ck::ErrorCode::Cancelled);
  }

  void costIsWhatTheBakeTakes() {
    const ck::Character limb = ck::test::swingingLimb();
    BakeSettings settings;
    settings.influences = 2;
    settings.maxTextureSize = 50;
    const auto cost = ck::bakeCost(limb, settings);
    const auto result = ck::bake(limb, settings);
    QVERIFY(cost && result);
    QCOMPARE(cost->width, ck::atlasWidth(result->atlas));
    QCOMPARE(cost->height, ck::atlasHeight(result->atlas));
    QCOMPARE(cost->bytes, result->atlas.texels.size());
    QCOMPARE(cost->clips.size(), std::size_t(3));
    QCOMPARE(cost->clips[2].frames, 20);
    QCOMPARE(cost->clips[2].bytes, std::size_t(20 * 7 * 16));
    QCOMPARE(cost->fetchesNearest, 4);
    QCOMPARE(cost->fetchesInterpolated, 8);
    QVERIFY(ck::measureBakeError(limb, result->atlas)->palette.shell.max < 1.0);
  }

  void everyRangeModeReadsBack() {
    const ck::Character limb = ck::test::swingingLimb();
    for (const auto mode : {ck::RangeMode::Atlas, ck::RangeMode::Joint, ck::RangeMode::JointClip}) {
      BakeSettings settings;
      settings.rangeMode = mode;
      const auto result = ck::bake(limb, settings);
      QVERIFY(result);
      const std::size_t wanted = mode == ck::RangeMode::Atlas   ? 1
                                 : mode == ck::RangeMode::Joint ? 7
                                                                : 21;
      QCOMPARE(result->atlas.ranges.size(), wanted);
      QVERIFY(ck::measureBakeError(limb, result->atlas)->palette.shell.max < 0.2);
    }
  }

  void boundsAreThoseOfTheReference() {
    const ck::Character limb = ck::test::swingingLimb();
    ck::Bounds wanted;
    for (int key = 0; key <= 30; ++key) {
      const auto skins = ck::skinMatricesAt(limb.rig, limb.clips[0], key / 30.0);
      const auto posed = ck::skinMesh(limb.meshes[0], skins);
      for (std::size_t v = 0; v < posed.positions.size(); ++v) {
        const bool first = key == 0 && v == 0;
        wanted.low = first ? posed.positions[v] : glm::min(wanted.low, posed.positions[v]);
        wanted.high = first ? posed.positions[v] : glm::max(wanted.high, posed.positions[v]);
      }
    }
    for (const ck::Encoding encoding :
         {ck::Encoding::P16, ck::Encoding::U128, ck::Encoding::T32, ck::Encoding::M16}) {
      ck::BakeSettings settings;
      settings.encoding = encoding;
      const auto result = ck::bake(limb, settings);
      QVERIFY(result);
      const ck::Bounds& box = result->atlas.clips[0].bounds;
      QVERIFY(glm::distance(box.low, wanted.low) < 1e-5);
      QVERIFY(glm::distance(box.high, wanted.high) < 1e-5);
    }
  }

  void influencesThatAreDroppedAreCounted() {
    ck::Character limb = ck::test::limbCharacter(6);
    limb.clips.push_back(ck::test::swingClip(limb, {}));
    const auto four = ck::bake(limb, {});
    QVERIFY(four);
    QVERIFY(hasNote(four->notes, "InfluencesLimited", "90 vertices had up to 6 influences; the 4"));
    BakeSettings one;
    one.influences = 1;
    // The worst by the reference: all influences against the heaviest alone.
    double worst = 0.0;
    for (int key = 0; key <= 30; ++key) {
      const auto skins = ck::skinMatricesAt(limb.rig, limb.clips[0], key / 30.0);
      const auto all = ck::skinMesh(limb.meshes[0], skins);
      const auto kept = ck::skinMesh(limb.meshes[0], skins, {.influenceLimit = 1});
      for (std::size_t v = 0; v < all.positions.size(); ++v) {
        worst = std::max(worst, glm::distance(all.positions[v], kept.positions[v]) * 1000.0);
      }
    }
    const auto result = ck::bake(limb, one);
    QVERIFY(hasNote(result->notes, "InfluencesLimited",
                    QString("up to %1 mm").arg(worst, 0, 'f', 1).toStdString()));
  }

  void stretchIsDroppedAndSaid() {
    ck::Character bar = ck::test::barCharacter();
    auto& tracks = bar.clips[1].jointTracks[0];
    tracks.scale.times = {0.0, 1.0};
    tracks.scale.values = {glm::vec3(1.0f), glm::vec3(1.0f, 2.0f, 1.0f)};
    BakeSettings settings;
    settings.encoding = ck::Encoding::P16;
    const auto result = ck::bake(bar, settings);
    QVERIFY(result);
    QVERIFY(hasNote(result->notes, "ScaleDropped", "'upper'"));
    QVERIFY(hasNote(result->notes, "ScaleDropped", "'Twist'"));
    // At the end the scale is cbrt(2); the last corner is 1 m above the pivot.
    const double kept = std::cbrt(2.0);
    const glm::dvec3 corner = glm::dvec3(bar.meshes[0].positions.back()) - glm::dvec3(0, 1, 0);
    const double lost = 1000.0 * glm::length((glm::dvec3(1, 2, 1) - kept) * corner);
    QVERIFY(hasNote(result->notes, "ScaleDropped", fmt::format("up to {:.1f} mm off", lost)));
    QVERIFY(std::abs(posesOf(result->atlas, 1, 1).back().scale.x - std::cbrt(2.0f)) < 1e-4f);
  }

  void uniformScaleAndMirroringAreKept() {
    for (const float scale : {1.7f, -0.8f}) {
      ck::Character bar = ck::test::barCharacter();
      auto& tracks = bar.clips[0].jointTracks[0];
      tracks.scale.times = {0.0};
      tracks.scale.values = {glm::vec3(scale)};
      const auto result = ck::bake(bar, {});
      QVERIFY(result);
      QVERIFY(!hasNote(result->notes, "ScaleDropped"));
      QVERIFY(std::abs(posesOf(result->atlas, 0, 1).front().scale.x - scale) < 1e-4f);
      QVERIFY(ck::measureBakeError(bar, result->atlas)->palette.shell.max < 0.1);
    }
  }

  void aJointOfNoSizeKeepsItsRotation() {
    ck::Character bar = ck::test::barCharacter();
    auto& tracks = bar.clips[1].jointTracks[0];
    tracks.scale.interpolation = ck::Interpolation::Step;
    tracks.scale.times = {0.0, 0.5, 0.8};
    tracks.scale.values = {glm::vec3(1.0f), glm::vec3(0.0f), glm::vec3(1.0f)};
    const auto result = ck::bake(bar, {});
    QVERIFY(result);
    const auto poses = posesOf(result->atlas, 1, 1);
    // The frames of 0.5 and 0.8 s are stored twice.
    QCOMPARE(poses.size(), std::size_t(33));
    QVERIFY(poses[15].scale.x > 0.99f);
    QVERIFY(poses[26].scale.x > 0.99f);
    for (std::size_t i = 16; i < 26; ++i) {
      QVERIFY(std::abs(poses[i].scale.x) < 1e-6f);
      QVERIFY(glm::dot(poses[i].rotation, poses[15].rotation) > 0.999999f);
    }
  }

  void twoBindPosesOfOneJointAreBothRight() {
    ck::Character limb = ck::test::swingingLimb();
    ck::SkinJoint second = limb.rig.skinJoints[4];
    second.inverseBind = second.inverseBind * ck::toMatrix({.translation = {0.4, -0.2, 0.1}});
    limb.rig.skinJoints.push_back(second);
    limb.meshes[0].influences[0] = {7, limb.meshes[0].influences[0].weight};
    const auto result = ck::bake(limb, {});
    QVERIFY(result);
    QCOMPARE(result->atlas.joints[7].name, std::string("joint4 (2)"));
    QVERIFY(ck::measureBakeError(limb, result->atlas)->palette.shell.max < 0.2);
  }
};

CK_TEST(tst_bake)
#include "tst_bake.moc"
