#include <QTest>

#include "render/methods/palette/palette_slots.h"
#include "tests/support/test_program.h"

using ck::gpu::CkActor;
using ck::render::PaletteSlots;
using ck::render::sharedSlots;

namespace {

CkActor actorAt(int frame, float alpha) {
  CkActor actor = {};
  actor.positionAlphaA.w = alpha;
  actor.frames = glm::ivec2(frame, -1);
  return actor;
}

CkActor fading(CkActor actor, int frame, float alpha, float blend) {
  actor.frames.y = frame;
  actor.scaleAlphaB.w = alpha;
  actor.look = ck::gpu::ck_packLook(blend, 0);
  return actor;
}

// The slots of actors, which are passed as streams.
PaletteSlots slotsOf(const std::vector<CkActor>& actors, bool interpolate) {
  ck::OwnedActorRecords records;
  for (const CkActor& actor : actors) {
    records.add({.position = glm::vec3(actor.positionAlphaA),
                 .look = actor.look,
                 .rotation = actor.rotation,
                 .scale = glm::vec3(actor.scaleAlphaB)},
                {.frameA = actor.frames.x,
                 .alphaA = actor.positionAlphaA.w,
                 .frameB = actor.frames.y,
                 .alphaB = actor.scaleAlphaB.w});
  }
  return sharedSlots(records.view(), interpolate);
}

}  // namespace

class tst_palette_slots : public QObject {
  Q_OBJECT

 private slots:
  void nobodyNeedsNoSlot() { QVERIFY(sharedSlots({}, true).actorOf.empty()); }

  void placeAndTintDoNotCount() {
    std::vector<CkActor> actors(3, actorAt(4, 0.25f));
    actors[1].positionAlphaA.x = 7.0f;
    actors[2].rotation.y = 0.5f;
    actors[2].look = ck::gpu::ck_packLook(0.0f, 12345);
    const PaletteSlots shared = slotsOf(actors, true);
    QCOMPARE(shared.slotOf, (std::vector<std::uint32_t>{0, 0, 0}));
    QCOMPARE(shared.actorOf, (std::vector<std::uint32_t>{0}));
  }

  void everyDifferenceInTimeCounts() {
    const CkActor first = actorAt(4, 0.25f);
    const std::vector<CkActor> actors = {first,
                                         actorAt(5, 0.25f),
                                         actorAt(4, 0.26f),
                                         fading(first, 9, 0.5f, 0.5f),
                                         fading(first, 8, 0.5f, 0.5f),
                                         fading(first, 9, 0.6f, 0.5f),
                                         fading(first, 9, 0.5f, 0.6f)};
    QCOMPARE(slotsOf(actors, true).size(), actors.size());
  }

  void aSecondClipThatIsNotSeenDoesNotCount() {
    const CkActor first = actorAt(4, 0.25f);
    const std::vector<CkActor> actors = {first, fading(first, 9, 0.5f, 0.0f)};
    QCOMPARE(slotsOf(actors, true).size(), std::size_t(1));
  }

  void nearestNeedsOneSlotAFrame() {
    const std::vector<CkActor> actors = {actorAt(3, 0.1f), actorAt(3, 0.4f), actorAt(3, 0.6f)};
    const PaletteSlots shared = slotsOf(actors, false);
    QCOMPARE(shared.slotOf, (std::vector<std::uint32_t>{0, 0, 1}));
    QCOMPARE(shared.actorOf, (std::vector<std::uint32_t>{0, 2}));
  }
};

CK_TEST(tst_palette_slots)
#include "tst_palette_slots.moc"
