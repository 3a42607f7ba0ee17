#include <QTest>

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <random>
#include <set>

#include "core/detail/detail_plan.h"
#include "tests/support/test_program.h"

using namespace ck;

namespace {

constexpr ActorReach kReach{-0.1, 1.9, 0.6};
constexpr double kPixelsHigh = 720.0;
constexpr double kPointPixels = 6.0;

OwnedActorRecords scattered(std::size_t actors, double halfMeters) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(float(-halfMeters), float(halfMeters));
  std::uniform_real_distribution<float> size(0.5f, 1.5f);
  OwnedActorRecords records;
  for (std::size_t i = 0; i < actors; ++i) {
    const float half = place(random);
    records.add({.position = {place(random), 0.0f, place(random)},
                 .look = 0,
                 .rotation = {0.0f, std::sin(half), 0.0f, std::cos(half)},
                 .scale = glm::vec3(size(random))},
                {});
  }
  return records;
}

DetailView viewFrom(const glm::dvec3& eye, const glm::dvec3& target) {
  constexpr double kAngle = 0.7;
  DetailView view;
  view.eye = eye;
  view.viewProjection = glm::perspective(kAngle, 16.0 / 9.0, 0.1, 2000.0) *
                        glm::lookAt(eye, target, glm::dvec3(0.0, 1.0, 0.0));
  view.pixelsAtMeter = kPixelsHigh / (2.0 * std::tan(0.5 * kAngle));
  return view;
}

// Points of the actor's cylinder of reach.
std::vector<glm::dvec3> cylinderOf(const gpu::CkPlace& place) {
  std::vector<glm::dvec3> points;
  const auto scale = double(place.scale.x);
  for (int turn = 0; turn < 16; ++turn) {
    for (const double height : {kReach.low, 0.5 * (kReach.low + kReach.high), kReach.high}) {
      const double angle = turn * 0.3927;
      points.push_back(
          glm::dvec3(place.position) +
          scale * glm::dvec3(kReach.side * std::cos(angle), height, kReach.side * std::sin(angle)));
    }
  }
  return points;
}

bool isSeen(const gpu::CkPlace& place, const glm::dmat4& viewProjection) {
  for (const glm::dvec3& point : cylinderOf(place)) {
    const glm::dvec4 clip = viewProjection * glm::dvec4(point, 1.0);
    if (clip.w > 0.0 && std::abs(clip.x) <= clip.w && std::abs(clip.y) <= clip.w &&
        std::abs(clip.z) <= clip.w) {
      return true;
    }
  }
  return false;
}

// The largest number of pixels that a metre takes anywhere on the actor's cylinder.
double pixelsOfMeter(const gpu::CkPlace& place, const DetailView& view) {
  double nearest = 1e300;
  for (const glm::dvec3& point : cylinderOf(place)) {
    nearest = std::min(nearest, glm::distance(point, view.eye));
  }
  return view.pixelsAtMeter / nearest;
}

DetailWays fiveWays() {
  return {.meshErrors = {0.0, 0.004, 0.02},
          .picture = DetailWays::Picture{.errorMeters = 0.1, .mostPixels = 32.0},
          .pointPixels = kPointPixels};
}

std::vector<int> wayOf(const DetailPlan& plan, std::size_t actors) {
  std::vector<int> ways(actors, -1);
  for (std::size_t way = 0; way < plan.ways(); ++way) {
    for (const std::uint32_t actor : plan.actors(way)) {
      if (ways[actor] != -1) return {};  // twice
      ways[actor] = int(way);
    }
  }
  return ways;
}

}  // namespace

class tst_detail_plan : public QObject {
  Q_OBJECT

 private slots:
  void whatIsInViewIsDrawnOnceAndLittleElseIs() {
    const OwnedActorRecords records = scattered(5000, 150.0);
    for (const glm::dvec3 target : {glm::dvec3(40.0, 0.0, -50.0), glm::dvec3(100.0, 0.0, 5.0),
                                    glm::dvec3(-60.0, 0.0, 90.0)}) {
      DetailPlan plan;
      const DetailView view = viewFrom({3.0, 6.0, 2.0}, target);
      plan.update({.records = records.view(), .reach = kReach, .view = view}, fiveWays());
      const std::vector<int> ways = wayOf(plan, records.size());
      QCOMPARE(ways.size(), records.size());
      std::size_t seen = 0;
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (!isSeen(records.places[i], view.viewProjection)) continue;
        ++seen;
        QVERIFY2(ways[i] >= 0, qPrintable(QStringLiteral("actor %1 is left out").arg(i)));
      }
      QVERIFY(seen > 20);
      QVERIFY(plan.inView() <= seen + seen / 4 + 20);
    }
  }

  void nothingIsOffByMoreThanAllowedNorFinerThanNeeded() {
    const OwnedActorRecords records = scattered(5000, 300.0);
    const DetailView view = viewFrom({0.0, 5.0, 0.0}, {100.0, 0.0, 30.0});
    const DetailWays ways = fiveWays();
    const std::vector<double> errors = {0.0, 0.004, 0.02, 0.1};
    for (const double allowed : {0.5, 1.0, 4.0}) {
      DetailPlan plan;
      plan.update(
          {.records = records.view(), .reach = kReach, .view = view, .allowedPixels = allowed},
          ways);
      std::set<int> used;
      const std::vector<int> drawn = wayOf(plan, records.size());
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (drawn[i] < 0) continue;
        used.insert(drawn[i]);
        const gpu::CkPlace& place = records.places[i];
        const double meter = pixelsOfMeter(place, view);
        const auto off = [&](std::size_t way) {
          return errors[way] * double(place.scale.x) * meter;
        };
        const double high = (kReach.high - kReach.low) * double(place.scale.x) * meter;
        if (drawn[i] < 4) {
          QVERIFY(off(std::size_t(drawn[i])) <= allowed * 1.001);
        } else {
          QVERIFY(high <= kPointPixels * 1.001);
        }
        // The sphere that the plan uses is a little nearer than the cylinder.
        if (drawn[i] < 2) QVERIFY(off(std::size_t(drawn[i]) + 1) >= allowed * 0.8);
      }
      QVERIFY(used.size() >= 3);
    }
  }

  // The rounding of one actor that stands far away must not count for the others.
  void oneWhoIsFarAwayChangesNothingForTheOthers() {
    OwnedActorRecords records = scattered(2000, 150.0);
    const DetailView view = viewFrom({0.0, 5.0, 0.0}, {100.0, 0.0, 30.0});
    const auto planned = [&] {
      DetailPlan plan;
      plan.update({.records = records.view(), .reach = kReach, .view = view}, fiveWays());
      return wayOf(plan, records.size());
    };
    const std::vector<int> before = planned();
    records.places.back().position = {-1e9f, 0.0f, -1e9f};
    const std::vector<int> after = planned();
    for (std::size_t i = 0; i + 1 < before.size(); ++i) QCOMPARE(after[i], before[i]);
  }

  // A budget asks how many actors each way would have, without a plan for every answer.
  void countsAreThoseOfAPlanOrFiner() {
    const OwnedActorRecords records = scattered(5000, 300.0);
    const DetailView view = viewFrom({0.0, 5.0, 0.0}, {100.0, 0.0, 30.0});
    const std::vector<std::uint32_t> whole = {1, 77, 1234, 4000};
    const auto planned = [&](const DetailWays& ways, double allowed) {
      DetailPlan plan;
      plan.update({.records = records.view(),
                   .reach = kReach,
                   .view = view,
                   .allowedPixels = allowed,
                   .whole = whole},
                  ways);
      return plan;
    };
    const DetailPlan known = planned(fiveWays(), 1.0);
    for (const double allowed : {0.5, 1.0, 4.0, 16.0}) {
      const std::vector<std::size_t> counts = known.countsAt(fiveWays(), allowed);
      QCOMPARE(counts.size(), fiveWays().size());
      const DetailPlan exact = planned(fiveWays(), allowed);
      // The finest that a count may be: the margin, and the step of sizes.
      const double margin = DetailPlan::kReturn * std::exp2(-1.0 / 16.0) * 0.999;
      DetailWays finer = fiveWays();
      finer.picture->mostPixels *= margin;
      *finer.pointPixels *= margin;
      const DetailPlan finest = planned(finer, allowed * margin);
      std::size_t all = 0;
      std::size_t atLeast = 0;
      std::size_t atMost = 0;
      for (std::size_t way = 0; way < counts.size(); ++way) {
        all += counts[way];
        atLeast += exact.count(way);
        atMost += finest.count(way);
        QVERIFY(all >= atLeast && all <= atMost);
      }
      QCOMPARE(all, exact.inView());
    }
  }

  void pictureHeightIsLimited() {
    const OwnedActorRecords records = scattered(3000, 200.0);
    const DetailView view = viewFrom({0.0, 5.0, 0.0}, {100.0, 0.0, 30.0});
    DetailPlan plan;
    plan.update({.records = records.view(), .reach = kReach, .view = view, .allowedPixels = 16.0},
                fiveWays());
    QVERIFY(!plan.actors(3).empty());
    for (const std::uint32_t actor : plan.actors(3)) {
      const double meter = pixelsOfMeter(records.places[actor], view);
      QVERIFY((kReach.high - kReach.low) * double(records.places[actor].scale.x) * meter <= 32.03);
    }
  }

  void withoutPicturesAndPointsMeshesAreUsed() {
    const OwnedActorRecords records = scattered(500, 900.0);
    DetailPlan plan;
    plan.update({.records = records.view(),
                 .reach = kReach,
                 .view = viewFrom({0.0, 90.0, 0.0}, {800.0, 0.0, 30.0})},
                {.meshErrors = {0.0, 0.01}, .picture = {}, .pointPixels = {}});
    QVERIFY(plan.inView() > 50);
    QCOMPARE(plan.actors(0).size() + plan.actors(1).size(), plan.inView());
  }

  void actorsAtALimitDoNotChangeBackAndForth() {
    OwnedActorRecords one;
    one.add({.position = glm::vec3(0.0f),
             .look = 0,
             .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
             .scale = glm::vec3(1.0f)},
            {});
    const DetailWays ways = fiveWays();
    DetailPlan plan;
    int changes = 0;
    int before = -1;
    // From near to far and back over the limit of the first level, with a tremble of 3 %.
    for (int step = 0; step < 400; ++step) {
      const double away = 3.0 + 8.0 * std::sin(step * 0.00785);
      const double meters = away * (step % 2 == 0 ? 1.0 : 1.03);
      plan.update({.records = one.view(),
                   .reach = kReach,
                   .view = viewFrom({0.0, 1.0, meters}, {0.0, 1.0, 0.0})},
                  ways);
      const int now = wayOf(plan, 1).front();
      if (before >= 0 && now != before) ++changes;
      before = now;
    }
    QVERIFY(changes > 0);
    QVERIFY2(changes <= 4, qPrintable(QString::number(changes)));
  }

  void chosenActorsStayWhole() {
    const OwnedActorRecords records = scattered(800, 300.0);
    const DetailView view = viewFrom({0.0, 5.0, 0.0}, {100.0, 0.0, 30.0});
    DetailPlan plan;
    plan.update({.records = records.view(), .reach = kReach, .view = view}, fiveWays());
    QVERIFY(plan.actors(4).size() + plan.actors(3).size() > 10);
    const std::vector<std::uint32_t> chosen = {plan.actors(3).back(), plan.actors(3).front()};
    plan.update({.records = records.view(), .reach = kReach, .view = view, .whole = chosen},
                fiveWays());
    const std::vector<int> ways = wayOf(plan, records.size());
    for (const std::uint32_t actor : chosen) QCOMPARE(ways[actor], 0);
  }

  void listsAreInTheirOrderAndTellWhenTheyChange() {
    const OwnedActorRecords records = scattered(4000, 300.0);
    const DetailView view = viewFrom({0.0, 5.0, 0.0}, {100.0, 0.0, 30.0});
    DetailPlan plan;
    const DetailTask task{.records = records.view(), .reach = kReach, .view = view};
    QVERIFY(plan.update(task, fiveWays()));
    const std::uint64_t stamp = plan.choice(1).stamp();
    QVERIFY(!plan.update(task, fiveWays()));
    QCOMPARE(plan.choice(1).stamp(), stamp);
    for (const std::size_t mesh : {0u, 1u, 2u}) {
      QVERIFY(std::ranges::is_sorted(plan.actors(mesh)));
    }
    const auto metersOf = [&](std::uint32_t actor) {
      return glm::distance(glm::dvec3(records.places[actor].position), view.eye);
    };
    const auto pictures = plan.actors(3);
    const auto points = plan.actors(4);
    QVERIFY(metersOf(pictures.back()) > 1.5 * metersOf(pictures.front()));
    QVERIFY(metersOf(points.front()) > 1.2 * metersOf(points.back()));
    for (std::size_t i = 1; i < pictures.size(); ++i) {
      QVERIFY(metersOf(pictures[i]) >= metersOf(pictures[i - 1]) / 1.3);
    }
    for (std::size_t i = 1; i < points.size(); ++i) {
      QVERIFY(metersOf(points[i]) <= metersOf(points[i - 1]) * 1.3);
    }
    DetailTask turned = task;
    turned.view = viewFrom({0.0, 5.0, 0.0}, {90.0, 0.0, 50.0});
    QVERIFY(plan.update(turned, fiveWays()));
  }

  // Groups of neighbours must follow actors that walk through each other.
  void walkersAreFound() {
    OwnedActorRecords records = scattered(3000, 100.0);
    const DetailView view = viewFrom({0.0, 5.0, 0.0}, {100.0, 0.0, 30.0});
    DetailPlan plan;
    for (int step = 0; step < 30; ++step) {
      for (std::size_t i = 0; i < records.size(); ++i) {
        records.places[i].position.x += i % 2 == 0 ? 7.0f : -7.0f;
        records.places[i].position.z += i % 3 == 0 ? 5.0f : -3.0f;
      }
      plan.update({.records = records.view(), .reach = kReach, .view = view}, fiveWays());
      const std::vector<int> ways = wayOf(plan, records.size());
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (isSeen(records.places[i], view.viewProjection)) QVERIFY(ways[i] >= 0);
      }
    }
  }

  void aCrowdOfNobodyIsPlanned() {
    DetailPlan plan;
    plan.update({.records = {}, .reach = kReach, .view = viewFrom({0, 1, 5}, {0, 1, 0})},
                fiveWays());
    QCOMPARE(plan.inView(), std::size_t(0));
  }
};

CK_TEST(tst_detail_plan)
#include "tst_detail_plan.moc"
