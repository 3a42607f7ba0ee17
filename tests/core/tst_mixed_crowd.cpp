#include <QTest>

#include "core/crowd/mixed_crowd.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::CrowdClip;
using ck::CrowdView;
using ck::MixedCrowd;

namespace {

CrowdClip clipOf(double seconds) {
  CrowdClip clip;
  clip.name = "clip";
  clip.atlasClip = 0;
  clip.frameCount = 11;
  clip.durationSeconds = seconds;
  return clip;
}

Actor actorOf(int character, float x, bool on = true) {
  Actor actor;
  actor.character = character;
  actor.position.x = x;
  actor.on = on;
  return actor;
}

// Characters 1, 0, -, 2, 1, 0 with one actor off and two of characters that are not there.
std::vector<Actor> mixedActors() {
  return {actorOf(1, 10.0f),        actorOf(0, 20.0f), actorOf(7, 30.0f),  actorOf(2, 40.0f),
          actorOf(1, 50.0f, false), actorOf(1, 60.0f), actorOf(-1, 70.0f), actorOf(0, 80.0f)};
}

std::vector<std::vector<CrowdClip>> threeClips() {
  return {{clipOf(1.0)}, {clipOf(2.0)}, {clipOf(4.0)}};
}

}  // namespace

class tst_mixed_crowd : public QObject {
  Q_OBJECT

 private slots:
  void rejectsActorsOfCharactersThatAreNotThere() {
    const std::vector<Actor> actors{actorOf(-1, 0.0f), actorOf(3, 0.0f)};
    const MixedCrowd crowd(actors, threeClips());
    QCOMPARE(crowd.size(), std::size_t{0});
    QCOMPARE(crowd.crowds().size(), std::size_t{3});
    QCOMPARE(MixedCrowd(actors, {}).size(), std::size_t{0});
  }

  void visibleActorsKeepTheOrderOfTheList() {
    const auto actors = mixedActors();
    const MixedCrowd crowd(actors, threeClips());
    const std::vector<std::size_t> sources{0, 1, 3, 5, 7};
    const std::vector<ck::ActorPlace> places{{1, 0}, {0, 0}, {2, 0}, {1, 1}, {0, 1}};
    QCOMPARE(crowd.size(), sources.size());
    const CrowdView view(crowd);
    for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
      QCOMPARE(crowd.sourceIndexOf(visible), sources[visible]);
      QVERIFY(crowd.placeOf(visible) == places[visible]);
      QCOMPARE(crowd.visibleOf(places[visible]), visible);
      QCOMPARE(view.visibleOf(view.placeOf(visible)), visible);
    }
    for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
      const ck::gpu::CkActor record = crowd.crowdOf(visible).instances()[places[visible].index];
      QCOMPARE(record.positionAlphaA.x, actors[sources[visible]].position.x);
    }
  }

  void oneClockRunsThroughAll() {
    MixedCrowd crowd(mixedActors(), threeClips());
    crowd.seek(0.5);
    QCOMPARE(crowd.timeSeconds(), 0.5);
    // A clip of 1, 2 or 4 seconds is that far after half a second.
    const double expected[] = {0.25, 0.5, 0.125, 0.25, 0.5};
    for (std::size_t visible = 0; visible < crowd.size(); ++visible) {
      const ck::ActorPlace place = crowd.placeOf(visible);
      QVERIFY(std::abs(crowd.crowdOf(visible).unitOf(place.index) - expected[visible]) < 1e-6);
    }
    crowd.advance(0.25);
    QVERIFY(std::abs(crowd.crowds()[0].unitOf(0) - 0.75) < 1e-6);
    QVERIFY(std::abs(crowd.crowds()[2].unitOf(0) - 0.1875) < 1e-6);
  }

  void aViewOfOneCrowdIsThatCrowd() {
    const std::vector<Actor> actors{actorOf(0, 1.0f), actorOf(0, 2.0f)};
    const std::vector<CrowdClip> clips{clipOf(1.0)};
    const ck::Crowd crowd(actors, clips);
    const CrowdView view(crowd);
    QCOMPARE(view.size(), std::size_t{2});
    QCOMPARE(view.crowds().size(), std::size_t{1});
    QVERIFY(view.placeOf(1) == (ck::ActorPlace{0, 1}));
    QCOMPARE(view.visibleOf({0, 1}), std::size_t{1});
  }
};

CK_TEST(tst_mixed_crowd)
#include "tst_mixed_crowd.moc"
