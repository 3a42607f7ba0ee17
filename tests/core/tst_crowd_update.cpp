#include <QTest>
#include <cstring>
#include <functional>

#include "core/crowd/mixed_crowd.h"
#include "tests/support/steady_crowds.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Crowd;
using ck::CrowdClip;

namespace {

using Edit = std::function<void(Actor&, int)>;

// Clips of all kinds, of which two have events.
std::vector<CrowdClip> clipsWithEvents() {
  std::vector<CrowdClip> clips = ck::test::clipsOfAllKinds();
  clips[0].events = {{"left", 0.1}, {"right", 0.6}};
  clips[3].events = {{"clap", 0.5}};
  return clips;
}

std::vector<ck::JointMask> twoMasks() {
  return {{"upper", {{"Spine"}}}, {"lower", {{"Hips"}}}};
}

template <class Value>
bool sameBytes(const Value& a, const Value& b) {
  return std::memcmp(&a, &b, sizeof(Value)) == 0;
}

std::vector<std::pair<std::string, float>> morphsOf(const Crowd& crowd, std::size_t actor) {
  std::vector<std::pair<std::string, float>> morphs;
  for (const ck::CrowdMorph& morph : crowd.morphsOf(actor)) {
    morphs.emplace_back(crowd.morphNames()[std::size_t(morph.name)], morph.weight);
  }
  return morphs;
}

// All that can be asked of two crowds, at the time of both.
void compare(const Crowd& one, const Crowd& anew) {
  QCOMPARE(one.size(), anew.size());
  QCOMPARE(one.timeSeconds(), anew.timeSeconds());
  QCOMPARE(one.fadingActors(), anew.fadingActors());
  QCOMPARE(one.fastestWalk(), anew.fastestWalk());
  const ck::ActorRecords records = one.instances();
  const ck::ActorRecords expected = anew.instances();
  for (std::size_t i = 0; i < one.size(); ++i) {
    QVERIFY2(sameBytes(records.places()[i], expected.places()[i]), qPrintable(QString::number(i)));
    QVERIFY2(sameBytes(records.frames()[i], expected.frames()[i]), qPrintable(QString::number(i)));
    QCOMPARE(one.sourceIndexOf(i), anew.sourceIndexOf(i));
    QCOMPARE(one.clipOf(i), anew.clipOf(i));
    QCOMPARE(one.loopOf(i), anew.loopOf(i));
    QCOMPARE(one.rateOf(i), anew.rateOf(i));
    QCOMPARE(one.unitOf(i), anew.unitOf(i));
    QCOMPARE(one.ownSecondsOf(i), anew.ownSecondsOf(i));
    QCOMPARE(one.paceOf(i), anew.paceOf(i));
    QCOMPARE(one.maskOf(i), anew.maskOf(i));
    QVERIFY(std::ranges::equal(one.commandsOf(i), anew.commandsOf(i)));
    QVERIFY(morphsOf(one, i) == morphsOf(anew, i));
    const auto fade = one.fadeOf(i);
    const auto other = anew.fadeOf(i);
    QCOMPARE(fade.has_value(), other.has_value());
    if (fade) {
      QCOMPARE(fade->clip, other->clip);
      QCOMPARE(fade->unit, other->unit);
      QCOMPARE(fade->blend, other->blend);
    }
    const ck::SteadyRecord steady = one.steadyOf(i);
    const ck::SteadyRecord due = anew.steadyOf(i);
    QVERIFY(sameBytes(steady.place, due.place));
    QCOMPARE(steady.frames, due.frames);
    QCOMPARE(steady.placeIsSteady, due.placeIsSteady);
    QCOMPARE(steady.framesAreSteady, due.framesAreSteady);
    QCOMPARE(steady.walk.has_value(), due.walk.has_value());
    if (steady.walk) {
      QCOMPARE(steady.walk->position, due.walk->position);
      QCOMPARE(steady.walk->rotation, due.walk->rotation);
      QCOMPARE(steady.walk->radius, due.walk->radius);
      QCOMPARE(steady.walk->pace, due.walk->pace);
    }
  }
  const auto fired = one.eventsBetween(one.timeSeconds(), one.timeSeconds() + 2.0);
  const auto passed = anew.eventsBetween(one.timeSeconds(), one.timeSeconds() + 2.0);
  QVERIFY(!passed.empty());
  QVERIFY(std::ranges::equal(fired, passed, [](const ck::FiredEvent& a, const ck::FiredEvent& b) {
    return a.actor == b.actor && a.clip == b.clip && a.event == b.event && a.seconds == b.seconds &&
           a.weight == b.weight;
  }));
}

}  // namespace

// A crowd of which actors are replaced is the one that is made of all of them.
class tst_crowd_update : public QObject {
  Q_OBJECT

 private slots:
  void anUpdatedCrowdIsTheOneMadeAnew_data() {
    QTest::addColumn<Edit>("edit");
    const auto row = [](const char* name, const Edit& edit) { QTest::newRow(name) << edit; };
    row("clip", [](Actor& a, int i) { a.clip = (a.clip + 1 + i) % 8; });
    row("no such clip", [](Actor& a, int) { a.clip = 99; });
    row("offset", [](Actor& a, int) { a.offset += 0.31f; });
    row("rate", [](Actor& a, int) { a.rate *= -1.7f; });
    row("held", [](Actor& a, int i) { a.rate = i % 3 == 0 ? 0.0f : a.rate; });
    row("position", [](Actor& a, int) { a.position += glm::vec3(3.0f, 0.5f, -2.0f); });
    row("rotation", [](Actor& a, int) { a.rotationDegrees += glm::vec3(10.0f, 50.0f, 0.0f); });
    row("scale", [](Actor& a, int) { a.scale *= 1.5f; });
    row("tint", [](Actor& a, int) { a.tint = 0x3377cc; });
    row("walks or stands", [](Actor& a, int) { a.travels = !a.travels; });
    row("circle", [](Actor& a, int i) { a.turnRadius = i % 2 == 0 ? 0.0f : 7.5f; });
    row("loop mode", [](Actor& a, int i) { a.loop = ck::LoopMode(i % 3); });
    row("blend", [](Actor& a, int i) {
      a.fadeSeconds = 0.0f;
      a.fadeClip = i % 2 == 0 ? 3 : -1;
      a.fade = 0.4f;
    });
    row("timed fade", [](Actor& a, int i) {
      a.fadeClip = (i + 5) % 8;
      a.fadeSeconds = i % 2 == 0 ? 250.0f : 0.0f;
      a.fadeAtSeconds = 300.0f;
    });
    row("mask", [](Actor& a, int i) { a.mask = i % 4 - 1; });
    row("morphs", [](Actor& a, int i) {
      setMorph(a, "smile", i % 2 == 0 ? std::optional(0.5f) : std::nullopt);
      setMorph(a, i % 3 == 0 ? "blink" : "frown", 0.01f * float(i));
    });
    row("commands", [](Actor& a, int i) {
      a.commands.clear();
      if (i % 2 == 0) a.commands = {{50.0f, ck::PlayAction::Reverse}};
    });
    row("a plain actor", [](Actor& a, int) { a = Actor{}; });
  }
  void anUpdatedCrowdIsTheOneMadeAnew() {
    QFETCH(const Edit, edit);
    const auto clips = clipsWithEvents();
    const auto masks = twoMasks();
    std::vector<Actor> actors = ck::test::actorsOfAllKinds(240);
    for (std::size_t i = 0; i < actors.size(); i += 4) setMorph(actors[i], "smile", 0.2f);
    actors[5].on = false;
    Crowd crowd(actors, clips, masks);
    crowd.seek(431.7);
    const std::vector<Actor> before = actors;
    const auto replace = [&](const std::vector<Actor>& by, std::size_t first, std::size_t step) {
      for (std::size_t visible = first; visible < crowd.size(); visible += step) {
        const std::size_t source = crowd.sourceIndexOf(visible);
        actors[source] = by[source];
        crowd.update(visible, actors[source]);
      }
    };
    const auto check = [&] {
      for (const double seconds : {431.7, 0.0, 595.3}) {
        Crowd anew(actors, clips, masks);
        anew.seek(seconds);
        if (seconds != 431.7) crowd.seek(seconds);
        compare(crowd, anew);
        if (QTest::currentTestFailed()) return;
      }
      crowd.seek(431.7);
    };
    std::vector<Actor> edited = before;
    for (std::size_t i = 0; i < edited.size(); ++i) edit(edited[i], int(i));
    edited[5].on = false;
    replace(edited, 0, 7);
    check();
    if (QTest::currentTestFailed()) return;
    replace(edited, 0, 1);
    check();
    if (QTest::currentTestFailed()) return;
    // As an undo does it, from the last one on.
    replace(before, 3, 2);
    replace(before, 0, 1);
    check();
  }

  void anUpdateIsAnEdit() {
    const auto clips = clipsWithEvents();
    std::vector<Actor> actors = ck::test::steadyActors(20);
    Crowd crowd(actors, clips);
    const ck::CrowdStamp stamp = crowd.stamp();
    const std::uint64_t places = crowd.instances().placesStamp();
    const std::uint64_t steady = crowd.steadyStamp();
    actors[3].position.x += 1.0f;
    crowd.update(3, actors[3]);
    QVERIFY(crowd.stamp().origin != stamp.origin);
    QVERIFY(crowd.instances().placesStamp() != places);
    QVERIFY(crowd.steadyStamp() != steady);
  }

  void changesAreKnownSinceAStamp() {
    const auto clips = clipsWithEvents();
    const std::vector<Actor> actors = ck::test::steadyActors(20);
    Crowd crowd(actors, clips);
    using Actors = std::vector<std::uint32_t>;
    const std::uint64_t first = crowd.steadyStamp();
    QCOMPARE(crowd.changedSince(first), Actors());
    crowd.setTint(3, 0xff0000);
    const std::uint64_t second = crowd.steadyStamp();
    crowd.update(7, actors[7]);
    crowd.command(5, ck::PlayAction::Pause);
    QCOMPARE(crowd.changedSince(first), (Actors{3, 7, 5}));
    QCOMPARE(crowd.changedSince(second), (Actors{7, 5}));
    QCOMPARE(crowd.changedSince(crowd.steadyStamp()), Actors());
    const Crowd another(actors, clips);
    QVERIFY(!crowd.changedSince(another.steadyStamp()));
    QVERIFY(!crowd.changedSince(0));
    // So many that a renderer does as well to compare all.
    for (int i = 0; i < 10'000; ++i) crowd.setTint(0, std::uint32_t(i));
    QVERIFY(!crowd.changedSince(first));
    QCOMPARE(crowd.changedSince(crowd.steadyStamp()), Actors());
  }

  void mixedCrowdsUpdateTheActorOfTheCharacter() {
    const auto clips = clipsWithEvents();
    std::vector<Actor> actors = ck::test::actorsOfAllKinds(60);
    for (std::size_t i = 0; i < actors.size(); ++i) actors[i].character = int(i % 3);
    const std::vector<std::vector<CrowdClip>> all{clips, clips};  // the third is not there
    ck::MixedCrowd crowd(actors, all);
    crowd.seek(9.0);
    for (const std::size_t visible : {0, 11, 39}) {
      Actor& actor = actors[crowd.sourceIndexOf(visible)];
      actor.clip = (actor.clip + 3) % 8;
      actor.position.y = 2.0f;
      crowd.update(visible, actor);
    }
    ck::MixedCrowd anew(actors, all);
    anew.seek(9.0);
    for (std::size_t c = 0; c < 2; ++c) compare(crowd.crowds()[c], anew.crowds()[c]);
  }
};

CK_TEST(tst_crowd_update)
#include "tst_crowd_update.moc"
