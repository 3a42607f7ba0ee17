#include <QTest>
#include <cmath>
#include <map>

#include "core/crowd/mixed_crowd.h"
#include "core/stage/pipeline.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::CrowdClip;
using ck::FiredEvent;
using ck::LoopMode;

namespace {

CrowdClip clipWith(double seconds, LoopMode loop, std::vector<double> units) {
  CrowdClip clip;
  clip.atlasClip = 0;
  clip.frameCount = 41;
  clip.durationSeconds = seconds;
  clip.loop = loop;
  for (const double unit : units) clip.events.push_back({"event", unit});
  return clip;
}

// How often unitTime() runs through `unit` while time goes on evenly, found by walking in steps so
// small that every pass lies in one of its own: moves across it, turns at it and jumps of a seam.
int passesByWalking(const Actor& actor, const CrowdClip& clip, double unit, double from,
                    double to) {
  constexpr int kSteps = 60'000;
  const auto cyclesAt = [&](int step) {
    const double time = from + (to - from) * step / kSteps;
    return time * static_cast<double>(actor.rate) / clip.durationSeconds +
           static_cast<double>(actor.offset);
  };
  int passes = 0;
  for (int step = 1; step <= kSteps; ++step) {
    const double before = cyclesAt(step - 1);
    const double after = cyclesAt(step);
    const double low = std::min(before, after);
    const double high = std::max(before, after);
    const auto crosses = [&](double place) { return low < place && place <= high; };
    if (clip.loop == LoopMode::Once) {
      passes += crosses(unit) ? 1 : 0;
      continue;
    }
    const double period = clip.loop == LoopMode::Loop ? 1.0 : 2.0;
    const double round = std::floor(low / period) * period;
    for (const double base : {round - period, round, round + period, round + 2.0 * period}) {
      passes += crosses(base + unit) ? 1 : 0;
      const bool between = unit > 0.0 && unit < 1.0;
      if (clip.loop == LoopMode::PingPong && between) passes += crosses(base - unit) ? 1 : 0;
    }
  }
  return passes;
}

}  // namespace

class tst_crowd_events : public QObject {
  Q_OBJECT
 private slots:
  void rejectsStepsThatGoNowhere() {
    const std::vector clips{clipWith(1.0, LoopMode::Loop, {0.0, 0.5})};
    const ck::Crowd crowd(std::vector{Actor{}}, clips);
    QVERIFY(crowd.eventsBetween(0.5, 0.5).empty());
    QVERIFY(crowd.eventsBetween(0.0, 0.0).empty());
    Actor still;
    still.rate = 0.0f;
    QVERIFY(ck::Crowd(std::vector{still}, clips).eventsBetween(0.0, 9.0).empty());
    const std::vector noLength{clipWith(0.0, LoopMode::Loop, {0.0})};
    QVERIFY(ck::Crowd(std::vector{Actor{}}, noLength).eventsBetween(0.0, 9.0).empty());
    const std::vector frantic{clipWith(1e-9, LoopMode::Loop, {0.5})};
    QVERIFY(ck::Crowd(std::vector{Actor{}}, frantic).eventsBetween(0.0, 9.0).empty());
  }

  void everyPassFiresOnce_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<float>("rate");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    for (int mode = 0; mode < 3; ++mode) {
      for (const float rate : {1.0f, -0.83f, 2.7f}) {
        for (const auto& [from, to] : {std::pair(0.013, 7.771), {6.13, -3.37}, {0.21, 0.91}}) {
          QTest::addRow("%s at rate %g from %g s to %g s",
                        ck::loopModeName(static_cast<LoopMode>(mode)).data(),
                        static_cast<double>(rate), from, to)
              << mode << rate << from << to;
        }
      }
    }
  }
  void everyPassFiresOnce() {
    QFETCH(int, mode);
    QFETCH(float, rate);
    QFETCH(double, from);
    QFETCH(double, to);
    const std::vector<double> units{0.0, 0.31, 0.5, 1.0};
    const std::vector clips{clipWith(0.9, static_cast<LoopMode>(mode), units)};
    Actor actor;
    actor.rate = rate;
    actor.offset = 0.17f;
    const ck::Crowd crowd(std::vector{actor}, clips);
    std::map<int, int> whole;
    for (const FiredEvent& fired : crowd.eventsBetween(from, to)) ++whole[fired.event];
    // The same way in uneven pieces, some of them longer than the clip.
    std::map<int, int> pieces;
    double time = from;
    for (int i = 0; time != to; ++i) {
      const double step = (to > from ? 1.0 : -1.0) * (i % 7 == 3 ? 1.3 : 0.0167);
      const double next = std::abs(to - time) <= std::abs(step) ? to : time + step;
      for (const FiredEvent& fired : crowd.eventsBetween(time, next)) ++pieces[fired.event];
      time = next;
    }
    for (std::size_t e = 0; e < units.size(); ++e) {
      const int expected = passesByWalking(actor, clips[0], units[e], from, to);
      QCOMPARE(whole[static_cast<int>(e)], expected);
      QCOMPARE(pieces[static_cast<int>(e)], expected);
    }
  }

  void stepsThatMeetOnAnEventFireItOnce() {
    const std::vector clips{clipWith(1.0, LoopMode::Loop, {0.25})};
    const ck::Crowd crowd(std::vector{Actor{}}, clips);
    QCOMPARE(crowd.eventsBetween(0.0, 0.25).size(), std::size_t{0});
    QCOMPARE(crowd.eventsBetween(0.25, 0.5).size(), std::size_t{1});
    QCOMPARE(crowd.eventsBetween(0.5, 0.25).size(), std::size_t{0});
    QCOMPARE(crowd.eventsBetween(0.25, 0.0).size(), std::size_t{1});
  }

  // Time 0 is a time like any other, in every loop mode and direction.
  void stepsAcrossZeroFireItsEventOnce_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<float>("rate");
    for (int mode = 0; mode < 3; ++mode) {
      for (const float rate : {1.0f, -1.0f}) {
        QTest::addRow("%s at rate %g", ck::loopModeName(static_cast<LoopMode>(mode)).data(),
                      static_cast<double>(rate))
            << mode << rate;
      }
    }
  }
  void stepsAcrossZeroFireItsEventOnce() {
    QFETCH(int, mode);
    QFETCH(float, rate);
    const std::vector clips{clipWith(4.0, static_cast<LoopMode>(mode), {0.0})};
    Actor actor;
    actor.rate = rate;
    const ck::Crowd crowd(std::vector{actor}, clips);
    const auto fired = [&crowd](std::vector<double> times) {
      std::size_t count = 0;
      for (std::size_t i = 1; i < times.size(); ++i) {
        count += crowd.eventsBetween(times[i - 1], times[i]).size();
      }
      return count;
    };
    QCOMPARE(fired({-1.0, 1.0}), std::size_t{1});
    QCOMPARE(fired({-1.0, 0.0, 1.0}), std::size_t{1});
    QCOMPARE(fired({-1.0, -0.5, 0.0, 0.5, 1.0}), std::size_t{1});
    QCOMPARE(fired({1.0, -1.0}), std::size_t{1});
    QCOMPARE(fired({1.0, 0.0, -1.0}), std::size_t{1});
    QCOMPARE(fired({1.0, 0.5, 0.0, -0.5, -1.0}), std::size_t{1});
  }

  void whatLiesAtTheStartFiresAsPlayBegins() {
    const std::vector clips{clipWith(1.0, LoopMode::Once, {0.0, 1.0})};
    const ck::Crowd crowd(std::vector{Actor{}}, clips);
    const auto first = crowd.eventsBetween(0.0, 0.1);
    QCOMPARE(first.size(), std::size_t{1});
    QCOMPARE(first[0].event, 0);
    QCOMPARE(crowd.eventsBetween(0.1, 5.0).size(), std::size_t{1});
    QVERIFY(crowd.eventsBetween(5.0, 9.0).empty());
  }

  void eventsSayWhoAndWhen() {
    const std::vector clips{clipWith(2.0, LoopMode::Loop, {0.75, 0.25})};
    std::vector<Actor> actors(3);
    actors[1].offset = 0.5f;
    actors[2].on = false;
    const ck::Crowd crowd(actors, clips);
    const auto there = crowd.eventsBetween(0.0, 1.6);
    QCOMPARE(there.size(), std::size_t{4});
    const std::vector<std::pair<int, double>> expected{{0, 0.5}, {1, 0.5}, {0, 1.5}, {1, 1.5}};
    for (std::size_t i = 0; i < there.size(); ++i) {
      QCOMPARE(static_cast<int>(there[i].actor), expected[i].first);
      QVERIFY(std::abs(there[i].seconds - expected[i].second) < 1e-9);
      QCOMPARE(there[i].clip, 0);
      QCOMPARE(there[i].weight, 1.0);
    }
    QCOMPARE(there[0].event, 1);
    QCOMPARE(there[1].event, 0);
    const auto back = crowd.eventsBetween(1.6, 0.2);
    QCOMPARE(back.size(), std::size_t{4});
    QVERIFY(back.front().seconds > back.back().seconds);
  }

  void bothClipsOfAFadeFireWhileTheyAreSeen() {
    const std::vector clips{clipWith(1.0, LoopMode::Loop, {0.5}),
                            clipWith(1.0, LoopMode::Loop, {0.25})};
    Actor actor;
    actor.fadeClip = 1;
    actor.fadeAtSeconds = 2.0f;
    actor.fadeSeconds = 1.0f;
    const ck::Crowd crowd(std::vector{actor}, clips);
    const auto fired = crowd.eventsBetween(0.0, 5.0);
    std::vector<std::pair<int, double>> seen;
    for (const FiredEvent& each : fired) seen.emplace_back(each.clip, each.seconds);
    const std::vector<std::pair<int, double>> expected{{0, 0.5}, {0, 1.5},  {1, 2.25},
                                                       {0, 2.5}, {1, 3.25}, {1, 4.25}};
    QCOMPARE(seen.size(), expected.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      QCOMPARE(seen[i].first, expected[i].first);
      QVERIFY(std::abs(seen[i].second - expected[i].second) < 1e-6);
    }
    QVERIFY(std::abs(fired[2].weight - 0.25) < 1e-6);
    QVERIFY(std::abs(fired[3].weight - 0.5) < 1e-6);
    QCOMPARE(fired[5].weight, 1.0);
  }

  void heldFadesFireByTheirWeight() {
    const std::vector clips{clipWith(1.0, LoopMode::Loop, {0.5}),
                            clipWith(1.0, LoopMode::Loop, {0.25})};
    Actor actor;
    actor.fadeClip = 1;
    actor.fade = 0.25f;
    const auto fired = ck::Crowd(std::vector{actor}, clips).eventsBetween(0.0, 0.9);
    QCOMPARE(fired.size(), std::size_t{2});
    QVERIFY(std::abs(fired[0].weight - 0.25) < 0.001);
    QVERIFY(std::abs(fired[1].weight - 0.75) < 0.001);
  }

  void clipsThatStartWithTheFadeFireTheirFirstPose() {
    const std::vector clips{clipWith(1.0, LoopMode::Loop, {}),
                            clipWith(0.7, LoopMode::Once, {0.0, 0.5})};
    for (int i = 1; i < 40; ++i) {
      Actor actor;
      actor.rate = 0.3f + 0.07f * static_cast<float>(i);
      actor.fadeClip = 1;
      actor.fadeAtSeconds = 0.37f * static_cast<float>(i);
      actor.fadeSeconds = 0.2f;
      actor.fadePhase = ck::FadePhase::Start;
      QCOMPARE(ck::Crowd(std::vector{actor}, clips).eventsBetween(0.0, 40.0).size(),
               std::size_t{2});
    }
  }

  void mixedCrowdsFireForAllTheirCharacters() {
    const std::vector<std::vector<CrowdClip>> clips{{clipWith(1.0, LoopMode::Loop, {0.5})},
                                                    {clipWith(1.0, LoopMode::Loop, {0.25, 0.75})}};
    std::vector<Actor> actors(3);
    actors[0].character = 1;
    actors[2].character = 1;
    ck::MixedCrowd crowd(actors, clips);
    std::vector<std::pair<int, double>> seen;
    for (const FiredEvent& each : crowd.eventsBetween(0.0, 0.9)) {
      seen.emplace_back(static_cast<int>(each.actor), each.seconds);
    }
    QCOMPARE(seen, (std::vector<std::pair<int, double>>{
                       {0, 0.25}, {2, 0.25}, {1, 0.5}, {0, 0.75}, {2, 0.75}}));
    crowd.setTint(1, 0xff0000);
    QVERIFY(crowd.crowds()[0].instances()[0].look != crowd.crowds()[1].instances()[0].look);
  }

  void eventsFollowTrimAndRate() {
    const std::vector<ck::ClipEvent> events{
        {"before", 1.0}, {"first", 2.0}, {"step", 3.5}, {"last", 5.0}, {"after", 5.2}};
    // Two to five seconds of the file at double speed.
    const auto known = ck::crowdEvents(events, {2.0, 1.5, 2.0});
    QCOMPARE(known.size(), std::size_t{3});
    QCOMPARE(known[0].name, std::string("first"));
    QCOMPARE(known[0].unit, 0.0);
    QCOMPARE(known[1].unit, 0.5);
    QCOMPARE(known[2].unit, 1.0);
  }

  // Files have lengths as floats, artists write decimals.
  void eventsAtTheEndsFireOnceWhereTheClipTurns_data() {
    QTest::addColumn<double>("written");
    QTest::addRow("a length that floats round up") << 1.6;
    QTest::addRow("a length that floats round down") << 2.3;
  }
  void eventsAtTheEndsFireOnceWhereTheClipTurns() {
    QFETCH(double, written);
    const auto length = static_cast<double>(static_cast<float>(written));
    QVERIFY(length != written);
    const std::vector<ck::ClipEvent> events{{"begin", 0.0}, {"end", written}};
    CrowdClip clip = clipWith(length, LoopMode::PingPong, {});
    clip.events = ck::crowdEvents(events, {0.0, length, 1.0});
    const ck::Crowd crowd(std::vector{Actor{}}, std::vector{clip});
    int fired[2] = {};
    for (const FiredEvent& each : crowd.eventsBetween(0.0, 9.5 * length)) ++fired[each.event];
    QCOMPARE(fired[0], 5);  // as it sets out, too
    QCOMPARE(fired[1], 5);
  }
};

CK_TEST(tst_crowd_events)
#include "tst_crowd_events.moc"
