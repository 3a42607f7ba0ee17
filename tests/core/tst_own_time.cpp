// Actors that are told to play, pause, reverse, restart and retrace. The witness walks through time
// in small steps and remembers only whether an actor moves, which way, and whether it goes back.
#include <QTest>
#include <cmath>
#include <random>

#include "core/crowd/mixed_crowd.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::CrowdClip;
using ck::LoopMode;
using ck::PlayAction;
using ck::PlayCommand;
using Commands = std::vector<PlayCommand>;

namespace {

constexpr double kStep = 1.0 / 256.0;  // sums of these are exact
constexpr double kFirst = -2.0;
constexpr double kLast = 12.0;

// Own time at every kStep from kFirst on. Commands are given at multiples of kStep.
std::vector<double> walked(const Commands& commands) {
  std::vector<double> own;
  double now = kFirst;
  bool moves = true;
  bool forwards = true;
  bool goesBack = false;
  std::size_t next = 0;
  for (int step = 0; kFirst + step * kStep <= kLast; ++step) {
    for (; next < commands.size() &&
           static_cast<double>(commands[next].atSeconds) <= kFirst + step * kStep;
         ++next) {
      const PlayAction action = commands[next].action;
      goesBack = action == PlayAction::Retrace;
      moves = action != PlayAction::Pause;
      if (action == PlayAction::Restart) now = 0.0;
      if (action == PlayAction::Play || action == PlayAction::Restart) forwards = true;
      if (action == PlayAction::Reverse) forwards = !forwards;
      if (goesBack) forwards = now < 0.0;
      if (goesBack && now == 0.0) moves = goesBack = false, forwards = true;
    }
    own.push_back(now);
    if (!moves) continue;
    now += forwards ? kStep : -kStep;
    if (goesBack && now == 0.0) moves = goesBack = false, forwards = true;
  }
  return own;
}

double walkedTo(const Commands& commands, double seconds) {
  return walked(commands)[static_cast<std::size_t>(std::lround((seconds - kFirst) / kStep))];
}

Commands randomCommands(std::mt19937& random) {
  std::uniform_int_distribution<int> count(1, 9);
  std::uniform_int_distribution<int> action(0, 4);
  std::uniform_int_distribution<int> at(-64, 512);  // in 1/64 seconds, so that some are equal
  Commands commands(static_cast<std::size_t>(count(random)));
  for (PlayCommand& one : commands) {
    one = {static_cast<float>(at(random)) / 64.0f, static_cast<PlayAction>(action(random))};
  }
  std::ranges::stable_sort(commands, {}, &PlayCommand::atSeconds);
  return commands;
}

CrowdClip clipOf(double seconds, LoopMode loop, int firstFrame, double groundSpeed = 0.0) {
  CrowdClip clip;
  clip.atlasClip = 0;
  clip.firstFrame = firstFrame;
  clip.frameCount = 41;
  clip.durationSeconds = seconds;
  clip.loop = loop;
  clip.groundSpeedMetersPerSecond = groundSpeed;
  return clip;
}

std::vector<CrowdClip> variedClips() {
  CrowdClip way = clipOf(1.7, LoopMode::Loop, 400);
  for (int i = 0; i < way.frameCount; ++i) {
    const float t = static_cast<float>(i) / 40.0f;
    way.rootMotion.push_back({.position = {0.3f * t * t, 0.0f, 1.5f * t}, .yaw = 0.4f * t});
  }
  return {clipOf(2.0, LoopMode::Loop, 0, 1.3), clipOf(1.3, LoopMode::Once, 100, 0.8),
          clipOf(0.9, LoopMode::PingPong, 200), clipOf(3.1, LoopMode::Loop, 300, 2.0), way};
}

// Every clip, standing and walking straight and on circles, with fades of both kinds.
std::vector<Actor> variedActors(int clips) {
  std::vector<Actor> actors;
  for (int i = 0; i < 6 * clips; ++i) {
    Actor& actor = actors.emplace_back();
    actor.clip = i % clips;
    actor.offset = 0.13f * static_cast<float>(i % 7);
    actor.rate = i % 5 == 4 ? -0.7f : 1.0f + 0.1f * static_cast<float>(i % 3);
    actor.travels = i % 2 == 0;
    actor.turnRadius = i % 4 == 0 ? 3.0f : 0.0f;
    actor.position = {static_cast<float>(i), 0.0f, 1.0f};
    actor.rotationDegrees = {0.0f, 20.0f * static_cast<float>(i), 0.0f};
    actor.scale = 0.9f;
    if (i < 2 * clips) continue;
    actor.fadeClip = (i + 1) % clips;
    actor.fade = 0.3f;
    if (i < 4 * clips) continue;
    actor.fadeSeconds = 1.5f;
    actor.fadeAtSeconds = 1.0f;
    actor.fadePhase = static_cast<ck::FadePhase>(i % 3);
  }
  return actors;
}

double apart(const ck::gpu::CkActor& a, const ck::gpu::CkActor& b) {
  if ((a.frames.y < 0) != (b.frames.y < 0)) return 1e9;
  const double frames =
      std::max(std::abs(a.frames.x - b.frames.x + static_cast<double>(a.positionAlphaA.w) -
                        static_cast<double>(b.positionAlphaA.w)),
               std::abs(a.frames.y - b.frames.y + static_cast<double>(a.scaleAlphaB.w) -
                        static_cast<double>(b.scaleAlphaB.w)));
  const double place =
      static_cast<double>(glm::distance(glm::vec3(a.positionAlphaA), glm::vec3(b.positionAlphaA)));
  const double turn = static_cast<double>(glm::distance(a.rotation, b.rotation));
  return std::max({frames, place, turn, a.look == b.look ? 0.0 : 1e9});
}

// The times of the events, which have one actor.
std::vector<double> timesOf(const std::vector<ck::FiredEvent>& events) {
  std::vector<double> times;
  for (const ck::FiredEvent& event : events) times.push_back(event.seconds);
  return times;
}

bool areNear(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) < 1e-6; });
}

}  // namespace

class tst_own_time : public QObject {
  Q_OBJECT
 private slots:
  void rejectsTextsThatAreNoCommands_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("word");
    for (const auto& [text, word] : {std::pair("pause", "'pause'"),
                                     {"pause@", "'pause@'"},
                                     {"@1", "'@1'"},
                                     {"stop@1", "'stop@1'"},
                                     {"pause@1s", "'pause@1s'"},
                                     {"pause@nan", "'pause@nan'"},
                                     {"pause@inf", "'pause@inf'"},
                                     {"pause@1e10", "'pause@1e10'"},
                                     {"pause@2 play@1", "'play@1' is earlier"},
                                     {"Pause@1", "'Pause@1'"}}) {
      QTest::newRow(text) << std::string(text) << QString(word);
    }
    std::string many;
    for (std::size_t i = 0; i <= ck::kMostPlayCommands; ++i) many += "play@1 ";
    const std::string zeros(33, '0');
    QTest::newRow("early and long") << "pause@2 play@1." + zeros + zeros
                                    << QString::fromStdString("'play@1." + zeros + "' is earlier");
    QTest::newRow("too many") << many << QString("more than 1000");
  }
  void rejectsTextsThatAreNoCommands() {
    QFETCH(std::string, text);
    QFETCH(QString, word);
    const auto commands = ck::commandsFromText(text);
    QVERIFY(!commands);
    QVERIFY2(QString::fromStdString(commands.error().message).contains(word),
             commands.error().message.c_str());
  }

  void textsComeBack() {
    QVERIFY(ck::commandsFromText("")->empty());
    const Commands commands{{-1.5f, PlayAction::Pause},
                            {0.1f, PlayAction::Reverse},
                            {0.1f, PlayAction::Restart},
                            {1.0f / 3.0f, PlayAction::Retrace},
                            {9e8f, PlayAction::Play}};
    QCOMPARE(*ck::commandsFromText(ck::commandsText(commands)), commands);
    QCOMPARE(ck::commandsText(std::span(commands).first(2)), "pause@-1.5 reverse@0.1");
  }

  void casesByHand_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<double>("seconds");
    QTest::addColumn<double>("own");
    const auto row = [](const char* name, const char* text, double seconds, double own) {
      QTest::newRow(name) << std::string(text) << seconds << own;
    };
    row("by the clock", "", 3.5, 3.5);
    row("before the first", "pause@2", 1.5, 1.5);
    row("paused", "pause@2", 7.0, 2.0);
    row("on from a pause", "pause@2 play@5", 6.0, 3.0);
    row("backwards", "reverse@2", 3.0, 1.0);
    row("backwards beyond the start", "reverse@2", 5.0, -1.0);
    row("twice the other way", "reverse@2 reverse@3", 5.0, 3.0);
    row("a pause ends backwards", "pause@2 reverse@4", 5.0, 1.0);
    row("out of a pause on the way back", "reverse@2 pause@3 reverse@4", 5.0, 2.0);
    row("played on from a pause on the way back", "reverse@2 pause@3 play@4", 5.0, 2.0);
    row("restarted", "restart@2", 3.0, 1.0);
    row("restarted out of a pause", "pause@1 restart@2", 2.5, 0.5);
    row("going back", "retrace@3", 4.0, 2.0);
    row("come back", "retrace@3", 9.0, 0.0);
    row("on after coming back", "retrace@3 play@10", 11.0, 1.0);
    row("back again after coming back", "retrace@3 reverse@10", 11.0, -1.0);
    row("on half way back", "retrace@3 play@4", 5.0, 3.0);
    row("turned round half way back", "retrace@3 reverse@4", 5.0, 3.0);
    row("paused half way back", "retrace@3 pause@4", 9.0, 2.0);
    row("back from before the start", "reverse@1 retrace@4", 5.0, -1.0);
    row("come back from before the start", "reverse@1 retrace@4", 9.0, 0.0);
    row("told at negative times", "pause@-1", 5.0, -1.0);
    row("of equal times the last holds", "pause@2 play@2", 5.0, 5.0);
    row("of equal times each is done", "reverse@2 reverse@2", 5.0, 5.0);
  }
  void casesByHand() {
    QFETCH(std::string, text);
    QFETCH(double, seconds);
    QFETCH(double, own);
    const Commands commands = *ck::commandsFromText(text);
    QCOMPARE(ck::OwnTime(commands).at(seconds), own);
    QCOMPARE(walkedTo(commands, seconds), own);
  }

  void agreesWithSmallSteps() {
    std::mt19937 random(20261122);
    for (int round = 0; round < 400; ++round) {
      const Commands commands = randomCommands(random);
      const std::vector<double> expected = walked(commands);
      const ck::OwnTime time(commands);
      for (std::size_t step = 0; step < expected.size(); ++step) {
        const double seconds = kFirst + static_cast<double>(step) * kStep;
        if (std::abs(time.at(seconds) - expected[step]) < 1e-9) continue;
        QFAIL(qPrintable(QString("%1 at %2: %3 instead of %4")
                             .arg(QString::fromStdString(ck::commandsText(commands)))
                             .arg(seconds)
                             .arg(time.at(seconds))
                             .arg(expected[step])));
      }
    }
  }

  void furtherCommandsReplaceLaterOnes() {
    const ck::OwnRange ever{-1e30, 1e30};
    const Commands before = *ck::commandsFromText("pause@1 play@2 restart@6");
    QCOMPARE(ck::commandsText(ck::withCommand(before, PlayAction::Reverse, 4.0, ever)),
             "pause@1 play@2 reverse@4");
    QCOMPARE(ck::commandsText(ck::withCommand(before, PlayAction::Retrace, 2.0, ever)),
             "pause@1 retrace@2");
    QCOMPARE(ck::commandsText(ck::withCommand(before, PlayAction::Play, 6.0, ever)),
             "pause@1 play@2 restart@6 play@6");
    // The next float is after the time.
    const double odd = 100.0000001;
    const Commands odds = ck::withCommand({}, PlayAction::Pause, odd, ever);
    QVERIFY(static_cast<double>(odds[0].atSeconds) <= odd);
    QVERIFY(odd - static_cast<double>(odds[0].atSeconds) < 1e-5);
  }

  // A clip of 2 seconds has ended for 8 seconds when its actor is told to go back.
  void endedActorsTurnRoundAtOnce() {
    Actor actor;
    actor.loop = LoopMode::Once;
    const std::vector clips{clipOf(2.0, LoopMode::Loop, 0)};
    const Actor back = ck::commandedFrom(actor, clips, 10.0, PlayAction::Reverse);
    ck::Crowd crowd(std::vector{back}, clips);
    for (const auto& [seconds, unit] :
         {std::pair(1.0, 0.5), {2.0, 1.0}, {9.0, 1.0}, {10.5, 0.75}, {11.5, 0.25}, {14.0, 0.0}}) {
      crowd.seek(seconds);
      QVERIFY2(std::abs(crowd.unitOf(0) - unit) < 1e-6, qPrintable(QString::number(seconds)));
    }
    // At 12 s it has come to its start, so that it goes on from there at once.
    const Actor again = ck::commandedFrom(back, clips, 15.0, PlayAction::Play);
    ck::Crowd on(std::vector{again}, clips);
    on.seek(16.0);
    QVERIFY(std::abs(on.unitOf(0) - 0.5) < 1e-6);
    // A fade that is still to come is not held up.
    actor.fadeClip = 0;
    actor.fadeSeconds = 1.0f;
    actor.fadeAtSeconds = 8.0f;
    QCOMPARE(ck::commandsText(ck::commandedFrom(actor, clips, 5.0, PlayAction::Pause).commands),
             "pause@5");
  }

  // An actor is at every time as one without commands is at the time of the small steps.
  void actorsAreEvaluatedAtTheirOwnTime() {
    const std::vector<CrowdClip> clips = variedClips();
    const std::vector<Actor> plain = variedActors(static_cast<int>(clips.size()));
    std::mt19937 random(7);
    std::vector<Actor> told = plain;
    for (Actor& actor : told) actor.commands = randomCommands(random);
    ck::Crowd sought(told, clips);
    ck::Crowd advanced(told, clips);
    ck::Crowd byTheClock(plain, clips);
    int elsewhere = 0;
    for (int step = 0; step <= 40; ++step) {
      const double seconds = step * 0.25;
      sought.seek(seconds);
      byTheClock.seek(seconds);
      if (step > 0) advanced.advance(0.25);
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const double own = walkedTo(told[i].commands, seconds);
        ck::Crowd reference(std::vector{plain[i]}, clips);
        reference.seek(own);
        const double distance = apart(sought.instances()[i], reference.instances()[0]);
        if (!(distance < 2e-4)) {
          QFAIL(qPrintable(QString("actor %1 at %2 s (%3): %4")
                               .arg(i)
                               .arg(seconds)
                               .arg(ck::commandsText(told[i].commands).c_str())
                               .arg(distance)));
        }
        elsewhere += apart(sought.instances()[i], byTheClock.instances()[i]) > 0.1 ? 1 : 0;
        QVERIFY(apart(sought.instances()[i], advanced.instances()[i]) < 1e-6);
        QCOMPARE(sought.ownSecondsOf(i), own);
        QCOMPARE(sought.clipOf(i), reference.clipOf(0));
        QVERIFY(std::abs(sought.unitOf(i) - reference.unitOf(0)) < 1e-6);
        QCOMPARE(sought.fadeOf(i).has_value(), reference.fadeOf(0).has_value());
        if (sought.fadeOf(i)) {
          QCOMPARE(sought.fadeOf(i)->blend, reference.fadeOf(0)->blend);
          QVERIFY(std::abs(sought.fadeOf(i)->unit - reference.fadeOf(0)->unit) < 1e-6);
        }
      }
    }
    QVERIFY2(elsewhere > 500, qPrintable(QString::number(elsewhere)));
  }

  void pauseHoldsAFadeWhileOthersGoOn() {
    const std::vector clips{clipOf(2.0, LoopMode::Loop, 0, 1.0), clipOf(3.0, LoopMode::Loop, 100)};
    Actor actor;
    actor.travels = true;
    actor.fadeClip = 1;
    actor.fadeSeconds = 2.0f;
    actor.fadeAtSeconds = 1.0f;
    ck::Crowd crowd(std::vector{actor, actor}, clips);
    crowd.seek(1.5);
    const std::uint64_t origin = crowd.stamp().origin;
    const ck::gpu::CkActor before = crowd.instances()[0];
    crowd.command(0, PlayAction::Pause);
    QCOMPARE(crowd.paceOf(0), 0.0);
    QCOMPARE(crowd.paceOf(1), 1.0);
    crowd.advance(0.75);
    QVERIFY(apart(crowd.instances()[0], before) < 1e-6);
    QVERIFY(apart(crowd.instances()[1], before) > 0.1);
    QVERIFY(std::abs(crowd.fadeOf(0)->blend - 0.25) < 1e-3);
    crowd.advance(10.0);
    QCOMPARE(crowd.fadingActors(), std::size_t{1});
    QCOMPARE(crowd.stamp().origin, origin);
    crowd.command(0, PlayAction::Play);
    crowd.advance(0.75);
    QVERIFY(std::abs(crowd.fadeOf(0)->blend - 0.625) < 1e-3);
  }

  // Commands that are given while a crowd plays and those that its actors bring along agree.
  void crowdsAreCommandedWhileTheyPlay() {
    const std::vector<CrowdClip> clips = variedClips();
    const std::vector<Actor> plain = variedActors(static_cast<int>(clips.size()));
    std::vector<Actor> told = plain;
    ck::Crowd crowd(plain, clips);
    const std::vector<std::vector<CrowdClip>> cast{clips};
    ck::MixedCrowd mixed(plain, cast);
    std::mt19937 random(3);
    std::uniform_int_distribution<int> action(0, 4);
    for (int step = 0; step < 8; ++step) {
      for (std::size_t i = 0; i < told.size(); i += 3) {
        const auto next = static_cast<PlayAction>(action(random));
        told[i] = ck::commandedFrom(told[i], clips, crowd.timeSeconds(), next);
        crowd.command(i, next);
        mixed.command(i, next);
        QVERIFY(std::ranges::equal(crowd.commandsOf(i), told[i].commands));
      }
      crowd.advance(0.625);
      mixed.advance(0.625);
      ck::Crowd expected(told, clips);
      expected.seek(crowd.timeSeconds());
      for (std::size_t i = 0; i < told.size(); ++i) {
        const double distance = apart(crowd.instances()[i], expected.instances()[i]);
        QVERIFY2(distance < 2e-4, qPrintable(QString("actor %1: %2").arg(i).arg(distance)));
        QVERIFY(apart(mixed.crowds()[0].instances()[i], crowd.instances()[i]) < 1e-6);
      }
    }
    QVERIFY(crowd.commandsOf(1).empty());
  }

  // Motion vectors lead from tick to tick unless an actor jumps.
  void stampsTellJumps() {
    const std::vector clips{clipOf(2.0, LoopMode::Loop, 0)};
    Actor actor;
    actor.commands = *ck::commandsFromText("pause@1 reverse@2 restart@3");
    ck::Crowd crowd(std::vector{actor, Actor{}}, clips);
    const ck::CrowdStamp first = crowd.stamp();
    crowd.advance(2.5);
    QCOMPARE(crowd.stamp().origin, first.origin);
    QVERIFY(crowd.stamp() != first);
    crowd.advance(0.5);
    const ck::CrowdStamp jumped = crowd.stamp();
    QVERIFY(jumped.origin != first.origin);
    crowd.command(1, PlayAction::Reverse);
    QCOMPARE(crowd.stamp().origin, jumped.origin);
    QVERIFY(crowd.stamp() != jumped);
    crowd.command(1, PlayAction::Restart);
    QVERIFY(crowd.stamp().origin != jumped.origin);
  }

  void eventsFollowOwnTime_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::addColumn<std::vector<double>>("times");
    const auto row = [](const char* name, const char* text, double from, double to,
                        const std::vector<double>& times) {
      QTest::newRow(name) << std::string(text) << from << to << times;
    };
    // The event is at 0.5, 2.5, 4.5, ... seconds of own time.
    row("by the clock", "", 0.0, 5.0, {0.5, 2.5, 4.5});
    row("none in a pause", "pause@1", 0.0, 9.0, {0.5});
    row("none in a pause on it", "pause@0.5", 0.0, 9.0, {});
    row("once after a pause on it", "pause@0.5 play@3", 0.0, 4.0, {3.0});
    row("backwards", "reverse@1", 0.0, 4.0, {0.5, 1.5, 3.5});
    row("turned round on it", "reverse@0.5", 0.0, 1.0, {0.5});
    row("after a restart", "restart@1", 0.0, 4.0, {0.5, 1.5, 3.5});
    row("on the way back", "retrace@3", 0.0, 9.0, {0.5, 2.5, 3.5, 5.5});
    row("time goes back", "reverse@1", 4.0, 0.0, {3.5, 1.5, 0.5});
    row("time goes back over a pause on it", "pause@0.5 play@3", 4.0, 0.0, {0.5});
  }
  void eventsFollowOwnTime() {
    QFETCH(std::string, text);
    QFETCH(double, from);
    QFETCH(double, to);
    QFETCH(std::vector<double>, times);
    std::vector clips{clipOf(2.0, LoopMode::Loop, 0)};
    clips[0].events.push_back({"step", 0.25});
    Actor actor;
    actor.commands = *ck::commandsFromText(text);
    const ck::Crowd crowd(std::vector{actor}, clips);
    QVERIFY(areNear(timesOf(crowd.eventsBetween(from, to)), times));
    // However time is divided.
    for (const int steps : {3, 16, 111}) {
      std::vector<double> divided;
      for (int i = 0; i < steps; ++i) {
        const double a = from + (to - from) * i / steps;
        const double b = from + (to - from) * (i + 1) / steps;
        for (const double at : timesOf(crowd.eventsBetween(a, b))) divided.push_back(at);
      }
      QVERIFY2(areNear(divided, times), qPrintable(QString::number(steps)));
    }
  }

  void fadesStartAtOwnTime() {
    const std::vector clips{clipOf(2.0, LoopMode::Loop, 0), clipOf(3.0, LoopMode::Loop, 100)};
    Actor actor;
    actor.commands = *ck::commandsFromText("pause@1 play@4");
    const Actor faded = ck::fadingFrom(actor, clips, 5.0, {.clip = 1, .seconds = 1.0});
    QCOMPARE(faded.fadeAtSeconds, 2.0f);
    ck::Crowd crowd(std::vector{faded}, clips);
    crowd.seek(5.5);
    QVERIFY(std::abs(crowd.fadeOf(0)->blend - 0.5) < 1e-3);
    // An actor that stands still or goes back goes on forwards to fade.
    actor.commands = *ck::commandsFromText("reverse@3");
    const Actor turned = ck::fadingFrom(actor, clips, 4.0, {.clip = 1, .seconds = 1.0});
    ck::Crowd other(std::vector{turned}, clips);
    other.seek(4.5);
    QVERIFY(other.fadeOf(0).has_value());
    QVERIFY(std::abs(other.fadeOf(0)->blend - 0.5) < 1e-3);
    QCOMPARE(other.paceOf(0), 1.0);
  }

  // A clip that plays once has come back to its start long ago, where the fade finds it.
  void fadesStartWhereEndedActorsStand() {
    const std::vector clips{clipOf(2.0, LoopMode::Once, 0), clipOf(3.0, LoopMode::Loop, 100)};
    Actor actor;
    actor.commands = *ck::commandsFromText("reverse@1");
    const Actor faded = ck::fadingFrom(actor, clips, 8.0, {.clip = 1, .seconds = 1.0});
    ck::Crowd crowd(std::vector{faded}, clips);
    crowd.seek(8.0);
    QCOMPARE(crowd.unitOf(0), 0.0);
    for (const double blend : {0.25, 0.5, 0.75}) {
      crowd.seek(8.0 + blend);
      QVERIFY(crowd.fadeOf(0).has_value());
      QVERIFY(std::abs(crowd.fadeOf(0)->blend - blend) < 1e-3);
    }
  }

  // A saved project can be opened again.
  void actorsGetNoMoreCommandsThanFilesHold() {
    const std::vector clips{clipOf(2.0, LoopMode::Once, 0), clipOf(3.0, LoopMode::Loop, 100)};
    Actor full;
    full.commands = std::vector<PlayCommand>(ck::kMostPlayCommands, {0.5f, PlayAction::Pause});
    QVERIFY(ck::commandedFrom(full, clips, 2.0, PlayAction::Play) == full);
    QVERIFY(ck::fadingFrom(full, clips, 2.0, {.clip = 1}) == full);
    // Before the others there is room.
    QCOMPARE(ck::commandedFrom(full, clips, 0.25, PlayAction::Play).commands.size(),
             std::size_t{1});
    // Of a pause at the clip's end and the command after it, only one has room.
    full.commands.edit([](std::vector<PlayCommand>& commands) {
      commands.pop_back();
      commands.back() = {0.5f, PlayAction::Play};
    });
    QVERIFY(ck::commandedFrom(full, clips, 90.0, PlayAction::Reverse) == full);
    QCOMPARE(ck::commandedFrom(full, clips, 1.0, PlayAction::Reverse).commands.size(),
             ck::kMostPlayCommands);
    QVERIFY(ck::commandedFrom(Actor{}, clips, 2e9, PlayAction::Pause) == Actor{});
    // Crowds of programs go on.
    full.commands = std::vector<PlayCommand>(ck::kMostPlayCommands, {0.5f, PlayAction::Pause});
    ck::Crowd crowd(std::vector{full}, clips);
    crowd.seek(2.0);
    crowd.command(0, PlayAction::Play);
    QCOMPARE(crowd.paceOf(0), 1.0);
  }
};

CK_TEST(tst_own_time)
#include "tst_own_time.moc"
