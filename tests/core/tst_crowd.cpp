#include <QTest>
#include <cmath>
#include <cstring>
#include <glm/gtc/constants.hpp>

#include "core/anim/clip_place.h"
#include "core/crowd/crowd.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::CrowdClip;
using ck::LoopMode;

// A crowd is known by its stamp, so there is only one of it; crowds move where they are stored.
static_assert(!std::is_copy_constructible_v<ck::Crowd> && !std::is_copy_assignable_v<ck::Crowd>);
static_assert(std::is_nothrow_move_constructible_v<ck::Crowd>);

namespace {

CrowdClip clipOf(LoopMode loop, double seconds = 2.0) {
  CrowdClip clip;
  clip.atlasClip = 0;
  clip.firstFrame = 100;
  clip.frameCount = 41;
  clip.durationSeconds = seconds;
  clip.loop = loop;
  return clip;
}

std::vector<ck::gpu::CkActor> records(const ck::Crowd& crowd) {
  std::vector<ck::gpu::CkActor> all;
  for (std::size_t i = 0; i < crowd.size(); ++i) all.push_back(crowd.instances()[i]);
  return all;
}

glm::vec3 rotated(const ck::gpu::CkActor& record, const glm::vec3& v) {
  const glm::quat q(record.rotation.w, record.rotation.x, record.rotation.y, record.rotation.z);
  return q * v;
}

bool near(const glm::vec3& a, const glm::vec3& b, float tolerance = 1e-4f) {
  return glm::distance(a, b) < tolerance;
}

glm::vec3 positionOf(const ck::gpu::CkActor& record) {
  return {record.positionAlphaA.x, record.positionAlphaA.y, record.positionAlphaA.z};
}

}  // namespace

class tst_crowd : public QObject {
  Q_OBJECT
 private slots:
  void rejectsClipsThatAreNotThere() {
    Actor lost;
    lost.clip = 7;
    Actor negative;
    negative.clip = -3;
    CrowdClip unbaked = clipOf(LoopMode::Loop);
    unbaked.atlasClip = -1;
    Actor held;
    const std::vector<Actor> actors{lost, negative, held};
    ck::Crowd crowd(actors, std::vector{unbaked});
    crowd.seek(1.3);
    for (const ck::gpu::CkActor& record : records(crowd)) {
      QCOMPARE(record.frames.x, 0);
      QCOMPARE(record.positionAlphaA.w, 0.0f);
    }
    QCOMPARE(crowd.clipOf(2), 0);
    QCOMPARE(crowd.clips().size(), std::size_t{2});
    QCOMPARE(crowd.clips()[static_cast<std::size_t>(crowd.clipOf(0))].atlasClip, -1);
    QCOMPARE(crowd.clipOf(1), crowd.clipOf(0));
  }

  void theStampTellsWhetherThereIsAnythingNew() {
    const std::vector<Actor> actors(3);
    ck::Crowd crowd(actors, std::vector{clipOf(LoopMode::Loop)});
    const ck::CrowdStamp first = crowd.stamp();
    records(crowd);
    QVERIFY(crowd.stamp() == first);
    crowd.advance(0.1);
    const ck::CrowdStamp moved = crowd.stamp();
    QVERIFY(!(moved == first));
    QCOMPARE(moved.origin, first.origin);
    // Back at the same time, but not by moving on.
    crowd.seek(0.1);
    QVERIFY(crowd.stamp().origin != moved.origin);
    const ck::Crowd another(actors, std::vector{clipOf(LoopMode::Loop)});
    QVERIFY(another.stamp().origin != first.origin);
    QVERIFY(another.stamp().origin != crowd.stamp().origin);
  }

  void recordHoldsWhatTheArtistSet() {
    Actor actor;
    actor.position = {1.0f, 2.0f, 3.0f};
    actor.rotationDegrees = {0.0f, 90.0f, 0.0f};
    actor.scale = 1.5f;
    actor.tint = 0xff8000;
    actor.offset = 0.26f;
    const ck::Crowd crowd(std::vector{actor}, std::vector{clipOf(LoopMode::Loop)});
    const ck::gpu::CkActor record = records(crowd)[0];
    QVERIFY(near(positionOf(record), actor.position));
    QVERIFY(near(rotated(record, {0, 0, 1}), {1, 0, 0}));
    QCOMPARE(record.scaleAlphaB, glm::vec4(1.5f, 1.5f, 1.5f, 0.0f));
    // 0.26 of 40 intervals is 10.4.
    QCOMPARE(record.frames.x, 110);
    QVERIFY(std::abs(record.positionAlphaA.w - 0.4f) < 1e-4f);
    QCOMPARE(record.frames.y, -1);
    const glm::vec4 tint = ck::gpu::ck_lookTint(record.look);
    QVERIFY(near(glm::vec3(tint.x, tint.y, tint.z), {1.0f, 128.0f / 255.0f, 0.0f}, 0.02f));
    QCOMPARE(ck::gpu::ck_lookBlend(record.look), 0.0f);
  }

  void turnsAreAppliedYThenXThenZ() {
    Actor actor;
    actor.rotationDegrees = {30.0f, 90.0f, 45.0f};
    const ck::Crowd crowd(std::vector{actor}, std::vector{clipOf(LoopMode::Loop)});
    const float c = std::cos(glm::radians(30.0f));
    const float s = std::sin(glm::radians(30.0f));
    // z leaves +Z; x tips it down to (0, -s, c); y turns that to (c, -s, 0).
    QVERIFY(near(rotated(records(crowd)[0], {0, 0, 1}), {c, -s, 0.0f}));
  }

  void rejectsFadesToNothing() {
    std::vector<Actor> actors(4);
    actors[0].fade = 1.0f;  // no clip
    actors[1].fadeClip = 1;
    actors[1].fade = 0.0002f;  // less than half a step of blending
    actors[2].fadeClip = 2;    // not among the clips
    actors[2].fade = 0.5f;
    actors[3].clip = 9;  // makes the clip without a name, which is none to fade to
    const ck::Crowd crowd(actors, std::vector{clipOf(LoopMode::Loop), clipOf(LoopMode::Loop)});
    QCOMPARE(crowd.fadingActors(), std::size_t{0});
    for (std::size_t i = 0; i < crowd.size(); ++i) QVERIFY(!crowd.fadeOf(i).has_value());
    for (const ck::gpu::CkActor& record : records(crowd)) {
      QCOMPARE(record.frames.y, -1);
      QCOMPARE(ck::gpu::ck_lookBlend(record.look), 0.0f);
    }
  }

  void secondClipRunsOnItsOwnLength() {
    Actor actor;
    actor.offset = 0.25f;
    actor.rate = 0.5f;
    actor.fadeClip = 1;
    actor.fade = 0.3f;
    actor.tint = 0xff8000;
    CrowdClip second = clipOf(LoopMode::Loop, 5.0);
    second.firstFrame = 300;
    ck::Crowd crowd(std::vector{Actor{}, actor}, std::vector{clipOf(LoopMode::Loop, 2.0), second});
    crowd.seek(3.0);
    QCOMPARE(crowd.fadingActors(), std::size_t{1});
    QVERIFY(!crowd.fadeOf(0).has_value());
    const auto fade = crowd.fadeOf(1);
    QVERIFY(fade.has_value());
    QCOMPARE(fade->clip, 1);
    // 1.5 s of 5 s after a quarter: 0.55 cycles, which is frame 22 of 40 intervals.
    QVERIFY(std::abs(fade->unit - 0.55) < 1e-6);
    QVERIFY(std::abs(fade->blend - 0.3) < 0.5 / 1023.0);
    const ck::gpu::CkActor record = records(crowd)[1];
    QCOMPARE(record.frames.y + static_cast<int>(std::lround(record.scaleAlphaB.w)), 322);
    QCOMPARE(static_cast<double>(ck::gpu::ck_lookBlend(record.look)),
             static_cast<double>(static_cast<float>(fade->blend)));
    QVERIFY(near(glm::vec3(ck::gpu::ck_lookTint(record.look)), {1.0f, 0.5f, 0.0f}, 0.02f));
    // 1.5 s of 2 s after a quarter are whole, so the first clip starts over.
    QVERIFY(record.frames.x == 100 || record.frames.x == 139);
  }

  void secondClipHoldsItsFirstFrameWhereItIsNotBaked() {
    Actor actor;
    actor.fadeClip = 1;
    actor.fade = 1.0f;
    CrowdClip unbaked = clipOf(LoopMode::Loop);
    unbaked.atlasClip = -1;
    ck::Crowd crowd(std::vector{actor}, std::vector{clipOf(LoopMode::Loop), unbaked});
    crowd.seek(0.7);
    QCOMPARE(records(crowd)[0].frames.y, 0);
    QCOMPARE(records(crowd)[0].scaleAlphaB.w, 0.0f);
    QCOMPARE(crowd.fadeOf(0)->blend, 1.0);
  }

  void secondClipArrivesWhereSeekGoes_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<float>("rate");
    for (int mode = 0; mode < 3; ++mode) {
      for (const float rate : {1.0f, -1.3f}) {
        QTest::addRow("%s at rate %g", ck::loopModeName(static_cast<LoopMode>(mode)).data(),
                      static_cast<double>(rate))
            << mode << rate;
      }
    }
  }
  void secondClipArrivesWhereSeekGoes() {
    QFETCH(int, mode);
    QFETCH(float, rate);
    Actor actor;
    actor.rate = rate;
    actor.offset = 0.4f;
    actor.fadeClip = 1;
    actor.fade = 0.5f;
    const std::vector clips{clipOf(LoopMode::Loop), clipOf(static_cast<LoopMode>(mode), 0.7)};
    ck::Crowd stepped(std::vector{actor}, clips);
    ck::Crowd seeked(std::vector{actor}, clips);
    for (int frame = 0; frame < 600; ++frame) stepped.advance(1.0 / 60.0);
    seeked.seek(10.0);
    const double apart = std::abs(stepped.fadeOf(0)->unit - seeked.fadeOf(0)->unit);
    QVERIFY(apart < 1e-5 || apart > 1.0 - 1e-5);
  }

  void actorsThatAreOffAreLeftOut() {
    std::vector<Actor> actors(5);
    actors[0].on = false;
    actors[3].on = false;
    const ck::Crowd crowd(actors, std::vector{clipOf(LoopMode::Loop)});
    QCOMPARE(crowd.size(), std::size_t{3});
    QCOMPARE(crowd.sourceIndexOf(0), std::size_t{1});
    QCOMPARE(crowd.sourceIndexOf(1), std::size_t{2});
    QCOMPARE(crowd.sourceIndexOf(2), std::size_t{4});
  }

  void advanceArrivesWhereSeekGoes_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<float>("rate");
    QTest::addColumn<float>("offset");
    for (int mode = 0; mode < 3; ++mode) {
      for (const float rate : {1.0f, -1.3f, 0.0f, 2.7f}) {
        for (const float offset : {0.0f, 0.4f, -2.3f}) {
          QTest::addRow("%s at rate %g from %g",
                        ck::loopModeName(static_cast<LoopMode>(mode)).data(),
                        static_cast<double>(rate), static_cast<double>(offset))
              << mode << rate << offset;
        }
      }
    }
  }
  void advanceArrivesWhereSeekGoes() {
    QFETCH(int, mode);
    QFETCH(float, rate);
    QFETCH(float, offset);
    Actor actor;
    actor.rate = rate;
    actor.offset = offset;
    const std::vector clips{clipOf(static_cast<LoopMode>(mode))};
    ck::Crowd stepped(std::vector{actor}, clips);
    ck::Crowd seeked(std::vector{actor}, clips);
    for (int frame = 0; frame < 600; ++frame) stepped.advance(1.0 / 60.0);
    seeked.seek(10.0);
    QVERIFY(std::abs(stepped.timeSeconds() - 10.0) < 1e-9);
    // A clip that plays once stores a phase that keeps it within its ends from the start on.
    double start = static_cast<double>(offset);
    if (mode == 1) start = std::clamp(start, 0.0, 1.0);
    const double cycles = 10.0 * static_cast<double>(rate) / 2.0;
    const double expected = ck::unitTime(cycles + start, static_cast<LoopMode>(mode));
    QVERIFY(std::abs(seeked.unitOf(0) - expected) < 1e-6);
    const double gap = std::abs(stepped.unitOf(0) - seeked.unitOf(0));
    QVERIFY(std::min(gap, 1.0 - gap) < 1e-6);
  }

  // A crowd knows its time, not how it came there.
  void ticksOfAnyLengthLeadToTheSame() {
    std::vector<Actor> actors(60);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].clip = static_cast<int>(i % 3);
      actors[i].rate = 0.13f * static_cast<float>(i) - 2.1f;
      actors[i].offset = 0.07f * static_cast<float>(i);
    }
    const std::vector clips{clipOf(LoopMode::Loop), clipOf(LoopMode::Once, 700.0),
                            clipOf(LoopMode::PingPong, 1.3)};
    ck::Crowd crowd(actors, clips);
    for (int tick = 0; tick < 36'000; ++tick) {  // ten minutes
      crowd.advance(tick % 3 == 0 ? 1.0 / 144.0 : tick % 3 == 1 ? 0.031 : 0.012);
    }
    for (int tick = 0; tick < 100; ++tick) crowd.advance(-0.25);
    ck::Crowd seeked(actors, clips);
    seeked.seek(crowd.timeSeconds());
    QVERIFY(crowd.timeSeconds() > 500.0);
    const auto written = crowd.instances();
    const auto expected = seeked.instances();
    for (std::size_t i = 0; i < actors.size(); ++i) {
      QVERIFY(crowd.unitOf(i) == seeked.unitOf(i));
      QCOMPARE(written[i].frames.x, expected[i].frames.x);
      QVERIFY(written[i].positionAlphaA.w == expected[i].positionAlphaA.w);
    }
  }

  // Eight actors go at once; every one of them must come out as the formulae say for it alone, to
  // the last bit.
  void everyActorGoesByTheFormulaeAlone_data() {
    QTest::addColumn<double>("seconds");
    QTest::newRow("ticks of a sixtieth") << 1.0 / 60.0;
    QTest::newRow("backwards") << -0.173;
    QTest::newRow("longer than the clips") << 4711.25;
    QTest::newRow("further than whole cycles can be told apart") << 1e19;
    QTest::newRow("nowhere") << 0.0;
  }
  void everyActorGoesByTheFormulaeAlone() {
    QFETCH(double, seconds);
    std::vector<CrowdClip> clips;
    for (int i = 0; i < 6; ++i) {
      CrowdClip clip = clipOf(static_cast<LoopMode>(i % 3), 0.3 + i);
      clip.firstFrame = 1000 * i;
      clip.frameCount = i < 3 ? 41 + i : 70'000 + i;  // beyond 16 bits
      if (i % 2 == 0) clip.stepFrames = {1, 2, 17, clip.frameCount - 5};
      clips.push_back(clip);
    }
    clips.push_back(clipOf(LoopMode::PingPong, 0.0));
    std::vector<Actor> actors(5003);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      actors[i].clip = static_cast<int>(i * 5 % clips.size());
      actors[i].rate = 0.01f * static_cast<float>(i % 211) - 0.7f;
      actors[i].offset = 0.037f * static_cast<float>(i % 97) - 1.1f;
      if (i % 11 == 0) actors[i].loop = static_cast<LoopMode>(i % 3);
    }
    ck::Crowd crowd(actors, clips);
    constexpr int kTicks = 50;
    for (int tick = 0; tick < kTicks; ++tick) {
      crowd.advance(seconds);
      if (tick % 7 == 0) QCOMPARE(crowd.instances().size(), actors.size());
    }
    const auto written = crowd.instances();
    const double now = crowd.timeSeconds();
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const CrowdClip& clip = clips[static_cast<std::size_t>(actors[i].clip)];
      const LoopMode mode = actors[i].loop.value_or(clip.loop);
      const double rate = static_cast<double>(actors[i].rate);
      const double offset = static_cast<double>(actors[i].offset);
      const double unit = ck::clipUnit(ck::clipStart(offset, mode),
                                       ck::clipPace(rate, clip.durationSeconds, mode), now, mode);
      const ck::FramePair pair = ck::framesAt(unit, ck::frameGridOf(clip));
      QCOMPARE(crowd.unitOf(i), unit);
      QVERIFY(crowd.unitOf(i) == unit);
      QCOMPARE(written[i].frames.x, clip.firstFrame + pair.frame0);
      QVERIFY(written[i].positionAlphaA.w == static_cast<float>(pair.alpha));
    }
  }

  // Records that are brought up to date in place equal those of a crowd that is put there at once.
  void recordsDoNotRememberEarlierMoments() {
    CrowdClip walk = clipOf(LoopMode::Loop, 1.25);
    walk.groundSpeedMetersPerSecond = 1.4;
    std::vector<Actor> actors(5);
    actors[1].travels = true;
    actors[2].travels = true;
    actors[2].turnRadius = 3.0f;
    actors[3].fadeClip = 1;
    actors[3].fade = 0.4f;
    actors[4].clip = 1;
    const std::vector clips{walk, clipOf(LoopMode::Once, 0.9)};
    ck::Crowd used(actors, clips);
    for (const double seconds : {0.3, 7.9, -2.0, 1.1}) {
      used.seek(seconds);
      QCOMPARE(used.instances().size(), actors.size());
    }
    ck::Crowd fresh(actors, clips);
    fresh.seek(1.1);
    const auto wanted = records(fresh);
    const auto got = records(used);
    QVERIFY(std::memcmp(got.data(), wanted.data(), std::span(wanted).size_bytes()) == 0);
  }

  void onceSetsOutAtItsStartFromBeforeIt() {
    Actor actor;
    actor.offset = -2.0f;
    ck::Crowd crowd(std::vector{actor}, std::vector{clipOf(LoopMode::Once)});
    QCOMPARE(crowd.unitOf(0), 0.0);
    crowd.advance(0.5);
    QVERIFY(std::abs(crowd.unitOf(0) - 0.25) < 1e-9);
  }

  void actorsOwnLoopModeWins() {
    const std::vector<ck::CrowdClip> clips = {
        {.name = "Once", .atlasClip = 0, .durationSeconds = 1.0, .loop = ck::LoopMode::Once}};
    std::vector<ck::Actor> actors(4);
    actors[1].loop = ck::LoopMode::Loop;
    actors[2].loop = ck::LoopMode::PingPong;
    actors[3].loop = ck::LoopMode::Once;
    ck::Crowd crowd(actors, clips);
    crowd.seek(1.25);
    const double wanted[] = {1.0, 0.25, 0.75, 1.0};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(crowd.unitOf(i) - wanted[i]) < 1e-9);
  }

  void renamedClipsAreFoundByTheirSource() {
    ck::Atlas atlas;
    atlas.clips = {{.name = "B", .sourceName = "A", .firstFrame = 0},
                   {.name = "A", .sourceName = "B", .firstFrame = 9}};
    const std::vector<std::string> names = {"A", "B"};
    const auto clips = ck::crowdClips(atlas, names);
    QCOMPARE(clips[0].firstFrame, 0);
    QCOMPARE(clips[1].firstFrame, 9);
  }

  // docs/techniques.md 1.2, and the clock's own sum of steps, which is a double.
  void eightHoursOfAdvancingDriftLess() {
    const float rates[] = {1.037f, -0.913f, 0.29f, 2.71f};
    std::vector<Actor> actors(std::size(rates));
    for (std::size_t i = 0; i < actors.size(); ++i) actors[i].rate = rates[i];
    ck::Crowd crowd(actors, std::vector{clipOf(LoopMode::Loop, 1.2)});
    constexpr int kSteps = 8 * 3600 * 60;
    constexpr double kClock = kSteps * 28800.0 * 0x1p-53;
    for (int frame = 0; frame < kSteps; ++frame) crowd.advance(1.0 / 60.0);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const double cycles = 8.0 * 3600.0 * static_cast<double>(rates[i]) / 1.2;
      const double gap = std::abs(crowd.unitOf(i) - (cycles - std::floor(cycles)));
      const double off = std::min(gap, 1.0 - gap);
      const double cyclesPerSecond = std::abs(static_cast<double>(rates[i])) / 1.2;
      const double bound = 28800.0 * 0x1p-41 + cyclesPerSecond * (0x1p-25 + kClock) + 0x1p-32;
      QVERIFY2(off <= bound, qPrintable(QString("rate %1: %2").arg(rates[i]).arg(off)));
    }
  }

  // The place in a loop is a whole number of 2^-32 cycles: 7 us of a clip of 8 hours. In what does
  // not loop it is one of 2^-31.
  void longClipsMoveEvenly_data() {
    QTest::addColumn<int>("mode");
    for (const LoopMode mode : {LoopMode::Loop, LoopMode::Once, LoopMode::PingPong}) {
      QTest::newRow(ck::loopModeName(mode).data()) << static_cast<int>(mode);
    }
  }
  void longClipsMoveEvenly() {
    QFETCH(int, mode);
    constexpr double kSeconds = 8.0 * 3600.0;
    ck::Crowd crowd(std::vector{Actor{}},
                    std::vector{clipOf(static_cast<LoopMode>(mode), kSeconds)});
    crowd.seek(kSeconds - 60.0);
    const double start = crowd.unitOf(0) * kSeconds;
    const double kPlace = kSeconds * (mode == 0 ? 0x1p-32 : 0x1p-31);
    QVERIFY(std::abs(start - (kSeconds - 60.0)) <=
            kSeconds * kSeconds * (mode == 0 ? 0x1p-41 : 0x1p-40) + kPlace + 0x1p-25);
    double before = start;
    for (int tick = 0; tick < 3000; ++tick) {
      crowd.advance(1.0 / 60.0);
      const double now = crowd.unitOf(0) * kSeconds;
      QVERIFY(std::abs(now - before - 1.0 / 60.0) < kPlace + 0x1p-24);
      before = now;
    }
  }

  void walkersCoverTheGroundTheirFeetDo() {
    CrowdClip walk = clipOf(LoopMode::Loop, 1.25);
    walk.groundSpeedMetersPerSecond = 1.4;
    Actor actor;
    actor.travels = true;
    actor.rate = 0.9f;
    actor.scale = 1.2f;
    actor.position = {5.0f, 0.0f, 1.0f};
    actor.rotationDegrees.y = 90.0f;
    ck::Crowd crowd(std::vector{actor}, std::vector{walk});
    crowd.seek(10.0);
    const float distance = 10.0f * 1.4f * 0.9f * 1.2f;
    QVERIFY(near(positionOf(records(crowd)[0]), {5.0f + distance, 0.0f, 1.0f}, 1e-3f));
    crowd.seek(-1.0);
    QVERIFY(near(positionOf(records(crowd)[0]), {5.0f - distance / 10.0f, 0.0f, 1.0f}, 1e-3f));
  }

  void walkersOnACircleComeBack() {
    CrowdClip walk = clipOf(LoopMode::Loop, 1.0);
    walk.groundSpeedMetersPerSecond = glm::pi<double>();
    Actor left;
    left.travels = true;
    left.turnRadius = 2.0f;
    Actor right = left;
    right.turnRadius = -2.0f;
    ck::Crowd crowd(std::vector{left, right}, std::vector{walk});
    // A quarter of a circle of radius 2 takes one second; +X is to the left of +Z.
    crowd.seek(1.0);
    const auto quarter = records(crowd);
    QVERIFY(near(positionOf(quarter[0]), {2.0f, 0.0f, 2.0f}));
    QVERIFY(near(rotated(quarter[0], {0, 0, 1}), {1, 0, 0}));
    QVERIFY(near(positionOf(quarter[1]), {-2.0f, 0.0f, 2.0f}));
    QVERIFY(near(rotated(quarter[1], {0, 0, 1}), {-1, 0, 0}));
    crowd.seek(4.0);
    QVERIFY(near(positionOf(records(crowd)[0]), {0, 0, 0}));
  }

  // Against the library's sines, for whole groups of walkers and for what is left over.
  void walkersStayOnTheirCircles() {
    CrowdClip walk = clipOf(LoopMode::Loop, 1.25);
    walk.groundSpeedMetersPerSecond = 1.4;
    std::vector<Actor> actors(4001);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const float number = static_cast<float>(i % 41);
      actors[i].travels = true;
      actors[i].rate = 0.1f * number - 1.3f;
      actors[i].turnRadius = i % 5 == 0 ? 0.0f : 0.4f * number - 7.0f;
      actors[i].position = {number, 0.5f * number, -number};
      actors[i].rotationDegrees = {3.0f * number, 40.0f * number, -2.0f * number};
    }
    ck::Crowd crowd(actors, std::vector{walk});
    for (const double seconds : {0.0, 0.7, -3.0, 1234.5}) {
      crowd.seek(seconds);
      const auto written = records(crowd);
      for (std::size_t i = 0; i < actors.size(); ++i) {
        // The same actor that stays put has the turn to start from.
        Actor standing = actors[i];
        standing.travels = false;
        const auto start = records(ck::Crowd(std::vector{standing}, std::vector{walk}))[0];
        const double distance = seconds * 1.4 * static_cast<double>(actors[i].rate);
        const double radius = static_cast<double>(actors[i].turnRadius);
        const double angle = radius == 0.0 ? 0.0 : distance / radius;
        const glm::dvec3 own = radius == 0.0 ? glm::dvec3(0.0, 0.0, distance)
                                             : glm::dvec3(radius * (1.0 - std::cos(angle)), 0.0,
                                                          radius * std::sin(angle));
        const glm::vec3 wanted = actors[i].position + rotated(start, glm::vec3(own));
        const float reach = static_cast<float>(glm::length(own)) + 50.0f;
        QVERIFY(near(positionOf(written[i]), wanted, 1e-6f * reach));
        const glm::vec3 facing(static_cast<float>(std::sin(angle)), 0.0f,
                               static_cast<float>(std::cos(angle)));
        QVERIFY(near(rotated(written[i], {0, 0, 1}), rotated(start, facing), 3e-6f));
      }
    }
  }

  void walkersWhoseClipEndsStop() {
    CrowdClip once = clipOf(LoopMode::Once, 2.0);
    once.groundSpeedMetersPerSecond = 1.5;
    Actor actor;
    actor.travels = true;
    ck::Crowd crowd(std::vector{actor}, std::vector{once});
    crowd.seek(60.0);
    QVERIFY(near(positionOf(records(crowd)[0]), {0.0f, 0.0f, 3.0f}));
  }

  void clipsAreFoundByName() {
    ck::Atlas atlas;
    ck::AtlasClip walk;
    walk.name = "Walk";
    walk.firstFrame = 12;
    walk.frameCount = 31;
    walk.durationSeconds = 1.0;
    walk.loop = LoopMode::PingPong;
    walk.groundSpeedMetersPerSecond = 1.3;
    atlas.clips = {ck::AtlasClip{}, walk};
    const std::vector<std::string> names{"Idle", "Walk"};
    const auto clips = ck::crowdClips(atlas, names);
    QCOMPARE(clips.size(), std::size_t{2});
    QCOMPARE(clips[0].atlasClip, -1);
    QCOMPARE(clips[1].atlasClip, 1);
    QCOMPARE(clips[1].firstFrame, 12);
    QCOMPARE(clips[1].frameCount, 31);
    QVERIFY(clips[1].loop == LoopMode::PingPong);
    QCOMPARE(clips[1].groundSpeedMetersPerSecond, 1.3);
    QCOMPARE(clips[0].name, std::string("Idle"));
    QCOMPARE(ck::Crowd({}, clips).clips()[1].name, std::string("Walk"));
  }

  void sourceClipsPlayWithoutAnAtlas() {
    const std::vector<std::string> names{"Gone", "Bend"};
    const auto clips = ck::sourceCrowdClips(ck::test::barCharacter(), names);
    Actor actor;
    actor.clip = 1;
    ck::Crowd crowd(std::vector{actor}, clips);
    crowd.seek(1.25);
    QVERIFY(std::abs(crowd.unitOf(0) - 0.25) < 1e-6);
    QCOMPARE(records(crowd)[0].frames.x, 0);
    QCOMPARE(crowd.clips()[0].durationSeconds, 0.0);
  }
};

CK_TEST(tst_crowd)
#include "tst_crowd.moc"
