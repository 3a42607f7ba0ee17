#include <QTest>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>
#include <map>
#include <random>

#include "core/detail/detail_plan.h"
#include "tests/support/test_program.h"

using namespace ck;

namespace {

constexpr ActorReach kReach{-0.1, 1.9, 0.6};
constexpr double kPixelsHigh = 720.0;

OwnedActorRecords scattered(std::size_t actors, double halfMeters) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> place(float(-halfMeters), float(halfMeters));
  OwnedActorRecords records;
  for (std::size_t i = 0; i < actors; ++i) {
    records.add({.position = {place(random), 0.0f, place(random)},
                 .look = 0,
                 .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                 .scale = glm::vec3(1.0f)},
                {});
  }
  return records;
}

DetailView viewFrom(const glm::dvec3& eye, const glm::dvec3& target) {
  constexpr double kAngle = 0.7;
  DetailView view;
  view.eye = eye;
  view.viewProjection = glm::perspective(kAngle, 16.0 / 9.0, 0.1, 4000.0) *
                        glm::lookAt(eye, target, glm::dvec3(0.0, 1.0, 0.0));
  view.pixelsAtMeter = kPixelsHigh / (2.0 * std::tan(0.5 * kAngle));
  return view;
}

DetailWays fiveWays() {
  return {.meshErrors = {0.0, 0.004, 0.02},
          .picture = DetailWays::Picture{.errorMeters = 0.1, .mostPixels = 32.0},
          .pointPixels = 6.0};
}

// The way of every actor, or -1, of a plan without dissolves.
std::vector<int> wayOf(const DetailPlan& plan, std::size_t actors) {
  std::vector<int> ways(actors, -1);
  for (std::size_t way = 0; way < plan.ways(); ++way) {
    for (const std::uint32_t actor : plan.actors(way)) ways[actor] = int(way);
  }
  return ways;
}

// The drawn parts of every actor: 32nds of every level.
using Drawn = std::vector<std::map<int, int>>;

Drawn drawnBy(const DetailPlan& plan, std::size_t actors) {
  Drawn drawn(actors);
  for (std::size_t way = 0; way < plan.ways(); ++way) {
    for (const std::uint32_t actor : plan.actors(way)) drawn[actor][int(way)] += 32;
    const ActorChoice passing = plan.passing(way);
    if (passing.shares().size() != passing.actors().size()) return {};
    if (!std::ranges::is_sorted(passing.actors())) return {};
    for (std::size_t i = 0; i < passing.actors().size(); ++i) {
      const int share = passing.shares()[i];
      drawn[passing.actors()[i]][int(way)] += share < 32 ? share : 32 - (share - 32);
    }
  }
  return drawn;
}

struct Passage {
  int from = 0;
  int to = 0;
  double since = 0.0;
};

DetailTask taskOf(const OwnedActorRecords& records, const DetailView& view, double allowedPixels,
                  std::optional<double> seconds) {
  return {.records = records.view(),
          .reach = kReach,
          .view = view,
          .allowedPixels = allowedPixels,
          .seconds = seconds};
}

}  // namespace

class tst_dissolves : public QObject {
  Q_OBJECT

 private slots:
  // The witness is a plan that switches at once: its changes, and the formula of the share.
  void sharesFollowFromTheChangesAndTheClock() {
    const OwnedActorRecords records = scattered(5000, 120.0);
    DetailPlan plan;
    DetailPlan switching;
    std::map<std::uint32_t, Passage> passages;
    std::vector<int> before(records.size(), -1);
    std::size_t seen = 0;
    std::size_t interrupted = 0;
    std::size_t reversed = 0;
    std::size_t left = 0;
    for (int step = 0; step < 120; ++step) {
      const double seconds = 100.0 + step * 0.031;
      // Away and to the side, so that actors change, leave the view and come into it.
      const DetailView view = viewFrom({0.0, 4.0, 6.0 + step * 3.0},
                                       {30.0 * std::sin(step * 0.4), 0.0, step * 3.0 - 20.0});
      // Now and then more may be off, for one to three plans.
      const double allowed = step % 7 < 1 + step % 3 ? 3.0 : 1.0;
      DetailTask task = taskOf(records, view, allowed, std::nullopt);
      switching.update(task, fiveWays());
      task.seconds = seconds;
      plan.update(task, fiveWays());
      const std::vector<int> now = wayOf(switching, records.size());
      for (std::uint32_t actor = 0; actor < records.size(); ++actor) {
        const auto passage = passages.find(actor);
        std::optional<Passage> last;
        if (passage != passages.end()) last = passage->second;
        const double age = last ? seconds - last->since : 0.0;
        if (last && age >= 0.25) last.reset();
        if (last && now[actor] == last->to) continue;
        passages.erase(actor);
        if (last && now[actor] < 0) ++left;
        if (before[actor] < 0 || now[actor] < 0 || now[actor] == before[actor]) continue;
        Passage next{before[actor], now[actor], seconds};
        if (last && last->from == now[actor]) {
          next.since = seconds - (0.25 - age);
          ++reversed;
        } else if (last && age < 0.125) {
          next.from = last->from;
          ++interrupted;
        }
        passages[actor] = next;
      }
      before = now;
      seen = std::max(seen, passages.size());
      const Drawn drawn = drawnBy(plan, records.size());
      QCOMPARE(drawn.size(), records.size());
      std::size_t inView = 0;
      for (std::uint32_t actor = 0; actor < records.size(); ++actor) {
        std::map<int, int> expected;
        if (now[actor] >= 0) expected[now[actor]] = 32;
        const auto passage = passages.find(actor);
        if (passage != passages.end()) {
          const double share = (seconds - passage->second.since) / 0.25;
          const int coming = std::clamp(int(32.0 * share), 1, 31);
          expected = {{passage->second.from, 32 - coming}, {passage->second.to, coming}};
        }
        QCOMPARE(drawn[actor], expected);
        inView += now[actor] >= 0 ? 1u : 0u;
      }
      QCOMPARE(plan.dissolving(), passages.size());
      QCOMPARE(plan.inView(), inView);
      for (std::size_t way = 0; way < plan.ways(); ++way) {
        QCOMPARE(plan.count(way), switching.actors(way).size());
      }
    }
    QVERIFY(seen > 20);
    QVERIFY(interrupted > 0);
    QVERIFY(reversed > 0);
    QVERIFY(left > 0);
  }

  void theSameTasksHaveTheSameLists() {
    const OwnedActorRecords records = scattered(6000, 150.0);
    const auto lists = [&] {
      DetailPlan plan;
      std::vector<std::vector<std::uint32_t>> all;
      for (int step = 0; step < 12; ++step) {
        const DetailView view = viewFrom({0.0, 30.0, 200.0 + 12.0 * step}, {0.0, 0.0, 0.0});
        plan.update(taskOf(records, view, 1.0 + step % 5, step * 0.05), fiveWays());
        for (std::size_t way = 0; way < plan.ways(); ++way) {
          const ActorChoice passing = plan.passing(way);
          all.emplace_back(passing.actors().begin(), passing.actors().end());
          all.emplace_back(passing.shares().begin(), passing.shares().end());
        }
      }
      return all;
    };
    QCOMPARE(lists(), lists());
  }

  void atMostFourThousandDissolveAndTheyAreTheNearest() {
    const OwnedActorRecords records = scattered(9000, 60.0);
    const DetailView view = viewFrom({0.0, 40.0, 300.0}, {0.0, 0.0, 0.0});
    DetailPlan plan;
    plan.update(taskOf(records, view, 0.05, 1.0), fiveWays());
    const std::vector<int> before = wayOf(plan, records.size());
    plan.update(taskOf(records, view, 8.0, 1.1), fiveWays());
    const Drawn drawn = drawnBy(plan, records.size());
    double farthest = 0.0;
    double nearest = 1e300;
    std::size_t dissolving = 0;
    std::size_t switched = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const double away = glm::distance(
          glm::dvec3(records.places[i].position) + glm::dvec3(0.0, 0.9, 0.0), view.eye);
      if (drawn[i].size() == 2) {
        ++dissolving;
        farthest = std::max(farthest, away);
      } else if (drawn[i].begin()->first != before[i]) {
        ++switched;
        nearest = std::min(nearest, away);
      }
    }
    QCOMPARE(dissolving, std::size_t(4000));
    QVERIFY(switched > 1000);
    QVERIFY(farthest <= nearest + 1e-3);
    // There is no room for others until these are done.
    plan.update(taskOf(records, view, 0.05, 1.2), fiveWays());
    QVERIFY(plan.dissolving() <= 4000);
    DetailTask fewer = taskOf(records, view, 8.0, 1.3);
    fewer.mostDissolving = 10;
    plan.update(fewer, fiveWays());
    QCOMPARE(plan.dissolving(), std::size_t(10));
  }

  void withoutAClockActorsSwitch() {
    const OwnedActorRecords records = scattered(300, 40.0);
    const DetailView view = viewFrom({0.0, 20.0, 150.0}, {0.0, 0.0, 0.0});
    const auto dissolvingAfter = [&](std::optional<double> first, std::optional<double> second) {
      DetailPlan plan;
      plan.update(taskOf(records, view, 0.05, first), fiveWays());
      plan.update(taskOf(records, view, 8.0, second), fiveWays());
      return plan.dissolving();
    };
    QVERIFY(dissolvingAfter(1.0, 1.1) > 100);
    QCOMPARE(dissolvingAfter(1.0, std::nullopt), std::size_t(0));
    QCOMPARE(dissolvingAfter(1.0, std::numeric_limits<double>::quiet_NaN()), std::size_t(0));
    // A clock that stops or goes back ends what has begun.
    for (const std::optional<double> third :
         {std::optional<double>(), std::optional<double>(0.5)}) {
      DetailPlan plan;
      plan.update(taskOf(records, view, 0.05, 1.0), fiveWays());
      plan.update(taskOf(records, view, 8.0, 1.1), fiveWays());
      QVERIFY(plan.dissolving() > 100);
      QVERIFY(plan.update(taskOf(records, view, 8.0, third), fiveWays()));
      QCOMPARE(plan.dissolving(), std::size_t(0));
    }
  }

  void nobodyDissolvesInAFirstPlanNorWithOtherWays() {
    const OwnedActorRecords records = scattered(300, 40.0);
    const DetailView view = viewFrom({0.0, 20.0, 150.0}, {0.0, 0.0, 0.0});
    DetailPlan plan;
    plan.update(taskOf(records, view, 1.0, 1.0), fiveWays());
    QCOMPARE(plan.dissolving(), std::size_t(0));
    QVERIFY(plan.inView() > 100);
    DetailWays fewer = fiveWays();
    fewer.meshErrors.pop_back();
    plan.update(taskOf(records, view, 8.0, 1.1), fewer);
    QCOMPARE(plan.dissolving(), std::size_t(0));
    // Of a crowd with others, neither.
    const OwnedActorRecords more = scattered(400, 40.0);
    plan.update(taskOf(more, view, 1.0, 1.15), fewer);
    QCOMPARE(plan.dissolving(), std::size_t(0));
  }

  void stampsChangeWhileActorsDissolve() {
    const OwnedActorRecords records = scattered(300, 40.0);
    const DetailView view = viewFrom({0.0, 20.0, 150.0}, {0.0, 0.0, 0.0});
    DetailPlan plan;
    plan.update(taskOf(records, view, 0.05, 1.0), fiveWays());
    QVERIFY(!plan.update(taskOf(records, view, 0.05, 1.05), fiveWays()));
    QVERIFY(plan.count(1) > 100);
    const std::uint64_t whole = plan.choice(1).stamp();
    const std::uint64_t passing = plan.passing(1).stamp();
    QVERIFY(plan.update(taskOf(records, view, 8.0, 1.1), fiveWays()));
    QVERIFY(plan.choice(1).stamp() != whole && plan.passing(1).stamp() != passing);
    // The shares rise, the whole actors stay.
    const std::uint64_t wholeNow = plan.choice(1).stamp();
    const std::uint64_t passingNow = plan.passing(1).stamp();
    QVERIFY(plan.update(taskOf(records, view, 8.0, 1.2), fiveWays()));
    QVERIFY(plan.choice(1).stamp() == wholeNow && plan.passing(1).stamp() != passingNow);
    QVERIFY(!plan.update(taskOf(records, view, 8.0, 1.2), fiveWays()));
    QVERIFY(plan.dissolving() > 0);
    QVERIFY(plan.update(taskOf(records, view, 8.0, 1.36), fiveWays()));
    QCOMPARE(plan.dissolving(), std::size_t(0));
    QVERIFY(!plan.update(taskOf(records, view, 8.0, 1.4), fiveWays()));
  }

  void aLookKeepsItsBlendAndTintWithAShare() {
    const int look = gpu::ck_packLook(0.4f, 0xabcd);
    for (const ActorShare share :
         {comingShare(1), comingShare(31), goingShare(1), goingShare(31)}) {
      const int shared = withShare(look, share);
      QCOMPARE(gpu::ck_lookBlend(shared), gpu::ck_lookBlend(look));
      QCOMPARE(gpu::ck_lookTint(shared), gpu::ck_lookTint(look));
      QCOMPARE((shared >> 10) & 63, int(share));
      QCOMPARE(isGoing(share), share > 32);
      QCOMPARE(withShare(shared, 0), look);
      QCOMPARE((repainted(withoutFade(shared), 7) >> 10) & 63, int(share));
    }
  }
};

CK_TEST(tst_dissolves)
#include "tst_dissolves.moc"
