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
  actor.frames = glm::ivec4(frame, -1, -1, 0);
  return actor;
}

CkActor fading(CkActor actor, int frame, float alpha, float blend) {
  actor.frames.y = frame;
  actor.scaleAlphaB.w = alpha;
  actor.frames.w = ck::gpu::ck_packLook(blend, 0, 0);
  return actor;
}

// What is to share slots, as streams.
PaletteSlots slotsOf(const std::vector<CkActor>& actors, int steps, bool interpolate) {
  ck::OwnedActorRecords records;
  for (const CkActor& actor : actors) {
    records.add({.position = glm::vec3(actor.positionAlphaA),
                 .look = actor.frames.w,
                 .rotation = actor.rotation,
                 .scale = glm::vec3(actor.scaleAlphaB)},
                {.frameA = actor.frames.x,
                 .alphaA = actor.positionAlphaA.w,
                 .frameB = actor.frames.y,
                 .alphaB = actor.scaleAlphaB.w});
  }
  return sharedSlots(records.view(), steps, interpolate);
}

}  // namespace

class tst_palette_slots : public QObject {
  Q_OBJECT

 private slots:
  void nobodyNeedsNoSlot() { QVERIFY(sharedSlots({}, 0, true).records.view().empty()); }

  void placeAndTintDoNotCount() {
    std::vector<CkActor> actors(3, actorAt(4, 0.25f));
    actors[1].positionAlphaA.x = 7.0f;
    actors[2].rotation.y = 0.5f;
    actors[2].frames.w = ck::gpu::ck_packLook(0.0f, 3, 12345);
    const PaletteSlots shared = slotsOf(actors, 0, true);
    QCOMPARE(shared.records.size(), std::size_t(1));
    QCOMPARE(shared.slotOf, (std::vector<int>{0, 0, 0}));
    QCOMPARE(shared.records.frames[0].frameA, 4);
    QCOMPARE(shared.records.frames[0].alphaA, 0.25f);
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
    QCOMPARE(slotsOf(actors, 0, true).records.size(), actors.size());
  }

  void aSecondClipThatIsNotSeenDoesNotCount() {
    const CkActor first = actorAt(4, 0.25f);
    const std::vector<CkActor> actors = {first, fading(first, 9, 0.5f, 0.0f)};
    const PaletteSlots shared = slotsOf(actors, 0, true);
    QCOMPARE(shared.records.size(), std::size_t(1));
    QVERIFY(!ck::render::anyShowsTwoClips(shared.records.view()));
  }

  void roundingSharesAndMovesAtMostHalfAStep() {
    std::vector<CkActor> actors;
    for (int i = 0; i < 1000; ++i) actors.push_back(actorAt(3, float(i) / 1000.0f));
    const PaletteSlots shared = slotsOf(actors, 8, true);
    QCOMPARE(shared.records.size(), std::size_t(9));
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const auto slot = static_cast<std::size_t>(shared.slotOf[i]);
      QVERIFY(std::abs(shared.records.frames[slot].alphaA - actors[i].positionAlphaA.w) <=
              1.0f / 16.0f + 1e-6f);
    }
  }

  void nearestNeedsOneSlotAFrame() {
    const std::vector<CkActor> actors = {actorAt(3, 0.1f), actorAt(3, 0.4f), actorAt(3, 0.6f)};
    QCOMPARE(slotsOf(actors, 0, false).slotOf, (std::vector<int>{0, 0, 1}));
  }
};

CK_TEST(tst_palette_slots)
#include "tst_palette_slots.moc"
