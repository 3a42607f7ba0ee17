#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "core/anim/clip_place.h"
#include "core/crowd/actor_phases.h"
#include "core/crowd/crowd_fades.h"
#include "tests/support/steady_crowds.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::CrowdClip;
using ck::LoopMode;
using ck::SteadyRecord;

namespace {

constexpr double kTenMinutes = 600.0;

__extension__ typedef __int128 Wide;

std::uint32_t gone(double seconds, std::uint64_t pace) {
  const std::uint64_t time = ck::loopTime(seconds);
  return ck::gpu::ck_loopGone(std::uint32_t(time), std::uint32_t(time >> 32), std::uint32_t(pace),
                              std::uint32_t(pace >> 32));
}

// The frames of a record at a time, by the text that shaders include.
ck::gpu::CkFrames framesAt(const Crowd& crowd, const SteadyRecord& record, double seconds) {
  if (record.frames.z >= -1) return std::bit_cast<ck::gpu::CkFrames>(record.frames);
  const auto play = std::bit_cast<ck::gpu::CkPlay>(record.frames);
  const CrowdClip& clip = crowd.clips()[std::size_t(ck::gpu::ck_numberOfPlayed(play.clip))];
  const std::uint64_t time = ck::loopTime(seconds);
  const std::uint64_t held = ck::heldTime(seconds);
  const int first = clip.firstShownFrame();
  const int count = clip.lastInterval() + 1;
  const ck::gpu::CkFrames shown = ck::gpu::ck_framesOfPlay(
      play, {int(time), int(time >> 32), int(held), int(held >> 32)}, first, count);
  // As crowd/steady_record.glsl.
  const std::vector<ck::IntervalFrames> intervals = ck::intervalFrames(ck::frameGridOf(clip));
  if (intervals.empty()) return shown;
  const bool atEnd = ck::gpu::ck_isAtEnd(play, shown, first, count);
  const ck::IntervalFrames& own = intervals[std::size_t(shown.frameA - first + (atEnd ? 1 : 0))];
  return ck::gpu::ck_framesOfInterval(shown, first + own.frame, own.offset, own.share);
}

ck::gpu::CkStand standAt(const SteadyRecord& record, double seconds) {
  if (!record.walk) return {record.place.position, record.place.rotation};
  const ck::SteadyWalk& walk = *record.walk;
  return ck::gpu::ck_roundCircle(walk.position, walk.rotation, walk.radius,
                                 gone(seconds, walk.pace));
}

// docs/techniques.md 1.1: the position in a clip.
double unitOf(double cycles, LoopMode mode) {
  if (mode == LoopMode::Once) return std::min(std::max(cycles, 0.0), 1.0);
  if (mode == LoopMode::Loop) return cycles - std::floor(cycles);
  const double there = cycles - 2.0 * std::floor(cycles / 2.0);
  return there > 1.0 ? 2.0 - there : there;
}

bool isEqual(const ck::gpu::CkFrames& a, const ck::gpu::CkFrames& b) {
  return a.frameA == b.frameA && a.alphaA == b.alphaA && a.frameB == b.frameB &&
         a.alphaB == b.alphaB;
}

}  // namespace

class tst_steady_crowd : public QObject {
  Q_OBJECT
 private slots:
  // Steady actors are right at any time, and the others have the crowd's record of now.
  void recordsHoldAtAllTimes() {
    const auto clips = ck::test::clipsOfAllKinds();
    const std::vector<Actor> actors = ck::test::actorsOfAllKinds(2000);
    Crowd crowd(actors, clips);
    std::vector<SteadyRecord> first;
    for (std::size_t i = 0; i < crowd.size(); ++i) first.push_back(crowd.steadyOf(i));
    const std::uint64_t stamp = crowd.steadyStamp();
    std::size_t steadyFrames = 0;
    std::size_t walks = 0;
    std::size_t moves = 0;
    const auto check = [&](double seconds) {
      const ck::ActorRecords now = crowd.instances();
      for (std::size_t i = 0; i < crowd.size(); ++i) {
        const SteadyRecord kept = first[i];
        const SteadyRecord today = crowd.steadyOf(i);
        QCOMPARE(kept.framesAreSteady, today.framesAreSteady);
        QCOMPARE(kept.placeIsSteady, today.placeIsSteady);
        const SteadyRecord& framed = kept.framesAreSteady ? kept : today;
        QVERIFY(isEqual(framesAt(crowd, framed, seconds), now.frames()[i]));
        const SteadyRecord& placed = kept.placeIsSteady ? kept : today;
        const ck::gpu::CkStand stand = standAt(placed, seconds);
        QVERIFY(glm::distance(stand.position, now.places()[i].position) < 2e-4f);
        // A pace is off by 2^-41 turns a second at most (docs/techniques.md 1.2).
        const double turned = 2e-6 + 2.0 * std::numbers::pi * std::abs(seconds) * 0x1p-41;
        const float away = glm::distance(stand.rotation, now.places()[i].rotation);
        QVERIFY2(double(away) < turned, qPrintable(QString::number(double(away))));
        QCOMPARE(placed.place.look, now.places()[i].look);
        steadyFrames += kept.framesAreSteady ? 1u : 0u;
        walks += kept.walk ? 1u : 0u;
        moves += kept.placeIsSteady ? 0u : 1u;
      }
    };
    check(0.0);
    ck::test::playTo(crowd, kTenMinutes, [] {});
    check(kTenMinutes);
    for (const double seconds : {-3.7, 411.31, 28'800.0, 1e6}) {
      crowd.seek(seconds);
      check(seconds);
    }
    QCOMPARE(crowd.steadyStamp(), stamp);
    QVERIFY(steadyFrames > 6000 && walks > 500 && moves > 500);
  }

  // The clips and circles of the formulae of docs/techniques.md 1.1, in double.
  void recordsAreThoseOfTheFormulae_data() {
    QTest::addColumn<double>("seconds");
    for (const double seconds : {600.0, 431.77, 93.0101, 1.3, -0.21, -188.8}) {
      QTest::addRow("%g s", seconds) << seconds;
    }
  }
  void recordsAreThoseOfTheFormulae() {
    QFETCH(double, seconds);
    const auto clips = ck::test::clipsOfAllKinds();
    const std::vector<Actor> actors = ck::test::steadyActors(600);
    Crowd crowd(actors, clips);
    ck::test::playTo(crowd, seconds, [] {});
    if (seconds < 0.0) crowd.seek(seconds);
    std::size_t walkers = 0;
    std::set<int> modes;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const Actor& actor = actors[i];
      const SteadyRecord record = crowd.steadyOf(i);
      QVERIFY(record.framesAreSteady && record.placeIsSteady);
      const CrowdClip& clip = clips[std::size_t(actor.clip)];
      // A clip that plays once starts within its ends.
      const double offset = clip.loop == LoopMode::Once ? std::clamp(double(actor.offset), 0.0, 1.0)
                                                        : double(actor.offset);
      const double cycles = offset + seconds * double(actor.rate) / clip.durationSeconds;
      const double intervals = clip.frameCount - 1;
      const double at = unitOf(cycles, clip.loop) * intervals;
      const ck::gpu::CkFrames shown = framesAt(crowd, record, seconds);
      const double found = shown.frameA - clip.firstFrame + double(shown.alphaA);
      double away = std::abs(found - at);
      if (clip.loop == LoopMode::Loop) away = std::min(away, intervals - away);
      QVERIFY2(away < 1e-3, qPrintable(QString::number(away)));
      QVERIFY(shown.frameA >= clip.firstFrame &&
              shown.frameA < clip.firstFrame + clip.frameCount - 1);
      QVERIFY(shown.alphaA >= 0.0f && shown.alphaA <= 1.0f);
      modes.insert(int(clip.loop));
      if (!actor.travels) continue;
      ++walkers;
      const double meters = seconds * 1.4 * double(actor.rate) * double(actor.scale);
      const double radius = double(actor.turnRadius);
      const double angle = meters / radius;
      const glm::dquat turn = ck::turnOf(actor.rotationDegrees);
      // To its left, which is +X where it faces +Z.
      const glm::dvec3 onCircle(radius * (1.0 - std::cos(angle)), 0.0, radius * std::sin(angle));
      const glm::dvec3 expected = glm::dvec3(actor.position) + turn * onCircle;
      const ck::gpu::CkStand stand = standAt(record, seconds);
      QVERIFY(glm::distance(glm::dvec3(stand.position), expected) < 5e-4);
      const glm::dquat q(stand.rotation.w, stand.rotation.x, stand.rotation.y, stand.rotation.z);
      const glm::dvec3 ahead = turn * glm::dvec3(std::sin(angle), 0.0, std::cos(angle));
      QVERIFY(glm::distance(q * glm::dvec3(0.0, 0.0, 1.0), ahead) < 1e-4);
    }
    QVERIFY(walkers >= 100 && modes.size() == 3);
  }

  // The shader text and the CPU's against the product in 128 bits.
  void clipsThatPlayOnceStayWithinTheirEnds() {
    std::mt19937_64 random(11);
    const auto anyOf = [&random] {
      const std::uint64_t bits = random() >> (random() % 64);
      return random() % 2 == 0 ? bits : std::uint64_t{0} - bits;
    };
    std::size_t moving = 0;
    for (int i = 0; i < 300'000; ++i) {
      const std::uint64_t time = anyOf();
      const std::uint64_t pace = anyOf();
      const std::uint32_t starts[] = {0, ck::kPlacesOneWay, std::uint32_t(random() >> 33)};
      for (const std::uint32_t start : starts) {
        // A product of two numbers of 63 bits and a sign. Its fraction is cut off.
        const Wide gone = Wide(std::int64_t(time)) * std::int64_t(pace) / (Wide(1) << 32);
        const Wide place = std::clamp(Wide(start) + gone, Wide(0), Wide(ck::kPlacesOneWay));
        QCOMPARE(ck::placeOnce(start, time, pace), std::uint32_t(place));
        QCOMPARE(ck::gpu::ck_placeOnce(start, std::uint32_t(time), std::uint32_t(time >> 32),
                                       std::uint32_t(pace), std::uint32_t(pace >> 32)),
                 std::uint32_t(place));
        moving += place > 0 && place < ck::kPlacesOneWay ? 1u : 0u;
      }
    }
    QVERIFY(moving > 100'000);
  }

  void timesBeyondAllCountingAreHeld() {
    QCOMPARE(ck::heldTime(1.0), ck::loopTime(1.0));
    QCOMPARE(ck::heldTime(-1.0), ck::loopTime(-1.0));
    for (const double seconds : {0x1p39, 0x1p40, 1e300}) {
      QVERIFY(std::int64_t(ck::heldTime(seconds)) > (std::int64_t{1} << 62));
      QVERIFY(std::int64_t(ck::heldTime(-seconds)) < -(std::int64_t{1} << 62));
      QCOMPARE(ck::clipUnit(0, ck::clipPace(0.01, 500.0, LoopMode::Once), seconds, LoopMode::Once),
               1.0);
    }
    QCOMPARE(ck::heldTime(std::numeric_limits<double>::quiet_NaN()), std::uint64_t{0});
  }

  // In groups of every size, and what the records hold of second clips stays.
  void plainInstructionsWriteTheSameFrames() {
    const auto clips = ck::test::clipsOfAllKinds();
    for (const int count : {1, 7, 8, 9, 2047, 2048, 2053, 6007}) {
      std::vector<ck::ClipPlay> plays;
      for (const Actor& actor : ck::test::actorsOfAllKinds(count)) {
        plays.push_back(ck::playOf(actor, clips, actor.clip));
      }
      ck::ActorPhases phases(clips, plays);
      for (const double seconds : {0.0, 3.71, -17.03, 411.31, 28'800.0, -1e6}) {
        phases.seek(seconds);
        std::vector<ck::gpu::CkFrames> best(plays.size(), {-3, -3.0f, 5, 0.25f});
        std::vector<ck::gpu::CkFrames> plain = best;
        phases.writeFrames(best);
        phases.writeFrames(plain, ck::LanePath::Plain);
        QVERIFY(std::ranges::equal(best, plain, isEqual));
        QVERIFY(std::ranges::all_of(best, [](const ck::gpu::CkFrames& frames) {
          return frames.frameA >= 0 && frames.alphaA >= 0.0f && frames.alphaA <= 1.0f &&
                 frames.frameB == 5 && frames.alphaB == 0.25f;
        }));
      }
    }
  }

  void editsHaveAnotherStamp() {
    const auto clips = ck::test::clipsOfAllKinds();
    Crowd crowd(ck::test::steadyActors(10), clips);
    const std::uint64_t before = crowd.steadyStamp();
    crowd.advance(1.0);
    crowd.seek(7.0);
    QCOMPARE(crowd.steadyStamp(), before);
    crowd.setTint(3, 0xff0000);
    const std::uint64_t tinted = crowd.steadyStamp();
    QVERIFY(tinted != before);
    QCOMPARE(crowd.steadyOf(3).place.look, crowd.instances().places()[3].look);
    QVERIFY(crowd.steadyOf(5).framesAreSteady);
    crowd.command(5, ck::PlayAction::Pause);
    QVERIFY(crowd.steadyStamp() != tinted);
    QVERIFY(!crowd.steadyOf(5).framesAreSteady);
    QVERIFY(Crowd(ck::test::steadyActors(10), clips).steadyStamp() != crowd.steadyStamp());
  }
};

CK_TEST(tst_steady_crowd)
#include "tst_steady_crowd.moc"
