#include <QTest>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "core/project/actors/actor_moves.h"
#include "tests/support/test_program.h"

using ck::Actor;

namespace {

Actor actorAt(const glm::vec3& position, const glm::vec3& degrees = glm::vec3(0.0f)) {
  Actor actor;
  actor.position = position;
  actor.rotationDegrees = degrees;
  return actor;
}

// Where a point of the actor's model is in the world.
glm::dvec3 worldOf(const Actor& actor, const glm::dvec3& model) {
  return glm::dvec3(actor.position) +
         ck::turnOf(actor.rotationDegrees) * (model * double(actor.scale));
}

}  // namespace

class tst_actor_moves : public QObject {
  Q_OBJECT

 private slots:
  void aMovedActorIsByHandAndElsewhereTheSame() {
    const Actor before = actorAt({1, 2, 3}, {10, 20, 30});
    Actor after = ck::moved(before, {0.5, 0.0, -4.0});
    QVERIFY(after.byHand);
    QCOMPARE(after.position, glm::vec3(1.5f, 2.0f, -1.0f));
    after.position = before.position;
    after.byHand = false;
    QVERIFY(after == before);
  }

  void placesAndSizesStayInTheRangesOfTheirFields() {
    QCOMPARE(ck::moved(actorAt({0, 0, 0}), {1e9, 0.0, -1e9}).position,
             glm::vec3(1e5f, 0.0f, -1e5f));
    ck::ActorScaling scaling;
    scaling.size = 1e9;
    QCOMPARE(ck::scaled(actorAt({0, 0, 0}), glm::dvec3(0.0), scaling).scale, 1000.0f);
    scaling.size = 0.0;
    QCOMPARE(ck::scaled(actorAt({0, 0, 0}), glm::dvec3(0.0), scaling).scale, 0.001f);
  }

  void aQuarterTurnAboutAPivot() {
    // From +X to -Z, as seen from above anticlockwise.
    const Actor after = ck::turned(actorAt({3, 1, 0}, {5, 300, 7}), {1, 0, 0},
                                   glm::angleAxis(glm::half_pi<double>(), glm::dvec3(0, 1, 0)));
    QVERIFY(glm::distance(after.position, glm::vec3(1, 1, -2)) < 1e-5f);
    QVERIFY(std::abs(after.rotationDegrees.y - 30.0f) < 1e-4f);
    QCOMPARE(after.rotationDegrees.x, 5.0f);
    QCOMPARE(after.rotationDegrees.z, 7.0f);
    QVERIFY(after.byHand);
  }

  void everyPointOfABodyTurnsWithIt() {
    const glm::dvec3 pivot(0.4, -2.0, 7.0);
    for (const glm::dvec3& axis : {glm::dvec3(1, 0, 0), glm::dvec3(0, 1, 0), glm::dvec3(0, 0, 1),
                                   glm::normalize(glm::dvec3(1, -2, 0.5))}) {
      const glm::dquat turn = glm::angleAxis(0.83, axis);
      const Actor before = actorAt({-1, 0.5, 2}, {12, -150, 33});
      const Actor after = ck::turned(before, pivot, turn);
      for (const glm::dvec3& point :
           {glm::dvec3(0.0), glm::dvec3(0, 1.8, 0), glm::dvec3(1, 0, 2)}) {
        const glm::dvec3 wanted = pivot + turn * (worldOf(before, point) - pivot);
        QVERIFY2(glm::distance(worldOf(after, point), wanted) < 1e-5,
                 qPrintable(QString::number(glm::distance(worldOf(after, point), wanted))));
      }
    }
  }

  void scalingMovesAwayFromThePivotAndGrows() {
    ck::ActorScaling scaling;
    scaling.places = glm::dvec3(2.0);
    scaling.size = 2.0;
    const Actor before = actorAt({3, 0, -1}, {0, 40, 0});
    const Actor after = ck::scaled(before, {1, 0, 0}, scaling);
    QCOMPARE(after.position, glm::vec3(5, 0, -2));
    QCOMPARE(after.scale, 2.0f);
    QCOMPARE(after.rotationDegrees, before.rotationDegrees);
    // Every point of its body is twice as far from the pivot.
    const glm::dvec3 point(0.2, 1.7, 0.1);
    QVERIFY(glm::distance(
                worldOf(after, point),
                glm::dvec3(1, 0, 0) + 2.0 * (worldOf(before, point) - glm::dvec3(1, 0, 0))) < 1e-5);
  }

  void oneAxisOfATurnedFrameIsScaled() {
    const double half = std::sqrt(0.5);
    ck::ActorScaling scaling;
    scaling.axes =
        glm::dmat3(glm::dvec3(half, 0, half), glm::dvec3(0, 1, 0), glm::dvec3(-half, 0, half));
    scaling.places.x = 3.0;
    // (2, 0, 0) is sqrt 2 along both axes across the ground.
    const Actor after = ck::scaled(actorAt({2, 0, 0}), glm::dvec3(0.0), scaling);
    QVERIFY(glm::distance(after.position, glm::vec3(4, 0, 2)) < 1e-5f);
    QCOMPARE(after.scale, 1.0f);
  }
};

CK_TEST(tst_actor_moves)
#include "tst_actor_moves.moc"
