#include <QTest>
#include <functional>

#include "core/project/actors/spawn.h"
#include "core/project/characters.h"
#include "core/stage/atlas_events.h"
#include "core/stage/pipeline.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Project;

namespace {

Project barProject() {
  return ck::newProjectFor(ck::test::barCharacter(), {{"/rigs/bar.glb"}});
}

struct Woken {
  bool import = false;
  bool bake = false;
  bool crowd = false;
};

Woken wokenBy(const std::function<void(Project&)>& change) {
  const Project before = barProject();
  Project after = before;
  change(after);
  const ck::ProjectCharacter& now = after.characters.front();
  const ck::ProjectCharacter& was = before.characters.front();
  return {!(ck::importInputs(was) == ck::importInputs(now)),
          !(ck::bakeInputs(was) == ck::bakeInputs(now)),
          !(ck::crowdInputs(before) == ck::crowdInputs(after))};
}

using Change = std::function<void(Project&)>;

void editActor(Project& project, const std::function<void(ck::Actor&)>& change) {
  ck::Actor actor = project.actors[7];
  change(actor);
  project.actors.set(7, actor);
}

}  // namespace

Q_DECLARE_METATYPE(Change)

class tst_pipeline : public QObject {
  Q_OBJECT
 private slots:
  void rejectsNothingButSaysThatNoClipIsTicked() {
    Project project = barProject();
    QVERIFY(ck::anyClipTicked(project.characters.front()));
    for (ck::ProjectClip& clip : project.characters.front().clips) clip.ticked = false;
    QVERIFY(!ck::anyClipTicked(project.characters.front()));
    QVERIFY(ck::bakeInputs(project.characters.front()).clips.empty());
    QVERIFY(!ck::anyClipTicked(ck::ProjectCharacter{}));
  }

  void fieldWakesItsStagesAndNoOthers_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("stages");
    const auto row = [](const char* name, const char* stages, Change change) {
      QTest::newRow(name) << std::move(change) << QString(stages);
    };
    row("a further source is imported", "import",
        [](Project& p) { p.characters.front().sources.push_back({"/rigs/walk.glb"}); });
    row("a height is imported", "import",
        [](Project& p) { p.characters.front().import.heightMeters = 1.8; });
    row("a unit is imported", "import",
        [](Project& p) { p.characters.front().import.unitScale = 0.01; });
    row("equal names of morph targets are joined", "import",
        [](Project& p) { p.characters.front().import.joinMorphs = true; });
    row("a tick is baked", "bake",
        [](Project& p) { p.characters.front().clips[1].ticked = false; });
    row("a loop mode is baked", "bake",
        [](Project& p) { p.characters.front().clips[0].loop = ck::LoopMode::Once; });
    row("a rate is baked", "bake", [](Project& p) { p.characters.front().bake.rateHz = 15.0; });
    row("a number of frames is baked", "bake",
        [](Project& p) { p.characters.front().bake.frames = 8; });
    row("influences are baked", "bake",
        [](Project& p) { p.characters.front().bake.influences = 2; });
    row("frames are left out", "bake",
        [](Project& p) { p.characters.front().bake.reduceMm = 0.5; });
    row("a seam limit is baked", "bake",
        [](Project& p) { p.characters.front().bake.seamMm = 0.0; });
    row("the form of morph weights is baked", "bake",
        [](Project& p) { p.characters.front().bake.morphs.bits = 16; });
    row("interpolation is baked", "bake",
        [](Project& p) { p.characters.front().bake.interpolate = false; });
    row("a range mode is baked", "bake",
        [](Project& p) { p.characters.front().bake.rangeMode = ck::RangeMode::Atlas; });
    row("a reading is baked", "bake",
        [](Project& p) { p.characters.front().bake.reading = ck::Reading::Direct; });
    row("a cut is baked", "bake", [](Project& p) {
      p.characters.front().clips[0].edit.trim = ck::Trim{0.0, 0.5};
    });
    row("a title is baked", "bake",
        [](Project& p) { p.characters.front().clips[0].title = "Bow"; });
    row("a seam is baked", "bake",
        [](Project& p) { p.characters.front().clips[0].seam = ck::SeamChoice::None; });
    row("a loop mode of an actor is crowd only", "crowd",
        [](Project& p) { editActor(p, [](ck::Actor& a) { a.loop = ck::LoopMode::Once; }); });
    row("an offset is crowd only", "crowd",
        [](Project& p) { editActor(p, [](ck::Actor& a) { a.offset += 0.5f; }); });
    row("a switched-off actor is crowd only", "crowd",
        [](Project& p) { editActor(p, [](ck::Actor& a) { a.on = false; }); });
    row("a removed actor is crowd only", "crowd", [](Project& p) {
      std::vector<ck::Actor> actors = p.actors.toVector();
      actors.pop_back();
      p.actors = ck::ActorList(actors);
    });
    row("a renamed clip wakes bake and crowd", "bake crowd",
        [](Project& p) { p.characters.front().clips[0].name = "Bow"; });
    row("spawn settings wake nothing until they are used", "",
        [](Project& p) { p.crowds.front().spawn.seed = 99; });
    row("the method wakes nothing", "", [](Project& p) { p.view.pose.method = ck::Method::Cpu; });
    row("the speed wakes nothing", "", [](Project& p) { p.playbackSpeed = 0.5; });
    row("an edit that changes nothing wakes nothing", "",
        [](Project& p) { editActor(p, [](ck::Actor&) {}); });
  }
  void fieldWakesItsStagesAndNoOthers() {
    QFETCH(Change, change);
    QFETCH(QString, stages);
    const Woken woken = wokenBy(change);
    QCOMPARE(woken.import, stages.contains("import"));
    QCOMPARE(woken.bake, stages.contains("bake"));
    QCOMPARE(woken.crowd, stages.contains("crowd"));
  }

  void newProjectTicksAllClipsAndSpacesByTheSize() {
    const Project project = barProject();
    QCOMPARE(project.characters.front().clips.size(), std::size_t{2});
    QVERIFY(project.characters.front().clips[0].ticked &&
            project.characters.front().clips[1].ticked);
    // The bar is 2 m tall: 0.9 of that.
    QCOMPARE(project.crowds.front().spawn.spacingMeters, 1.8);
    QCOMPARE(project.actors.size(), std::size_t(project.crowds.front().spawn.count));
    for (const ck::Actor& actor : project.actors.toVector()) QVERIFY(actor.clip < 2);
    const Project big = ck::newProjectFor(ck::scaled(ck::test::barCharacter(), 100.0), {});
    QCOMPARE(big.crowds.front().spawn.spacingMeters, 180.0);
  }

  void characterWithoutVerticesGetsAnOrdinarySpacing() {
    QCOMPARE(ck::spacingFor(ck::Character{}), ck::SpawnSettings{}.spacingMeters);
  }

  void actorsOfWalkingClipsTravelInCircles() {
    ck::Character bar = ck::test::barCharacter();
    bar.clips[1].groundSpeedMetersPerSecond = 1.2;
    const Project project = ck::newProjectFor(bar, {});
    int walkers = 0;
    for (const ck::Actor& actor : project.actors.toVector()) {
      QCOMPARE(actor.travels, actor.clip == 1);
      if (!actor.travels) continue;
      ++walkers;
      QVERIFY(std::abs(actor.turnRadius) >= 1.4f * 1.8f);
    }
    QCOMPARE(walkers, project.crowds.front().spawn.count / 2);
  }

  void tintsArePaleWhereTheyPaintEverything() {
    ck::Character bar = ck::test::barCharacter();
    const ck::SpawnSettings settings{.count = 50};
    const auto strong = ck::spawnActors(settings);
    const auto soft = ck::spawnFor(bar, {"Bend"}, settings);
    bar.materials.push_back({.name = "cloth",
                             .baseColor = glm::vec4(1.0f),
                             .base = {.image = -1},
                             .alphaIsTintMask = true});
    const auto masked = ck::spawnFor(bar, {"Bend"}, settings);
    for (std::size_t i = 0; i < strong.size(); ++i) {
      QCOMPARE(masked[i].tint, strong[i].tint);
      for (int shift = 0; shift < 24; shift += 8) {
        const int full = static_cast<int>((strong[i].tint >> shift) & 255u);
        QCOMPARE(static_cast<int>((soft[i].tint >> shift) & 255u), 128 + full / 2);
      }
    }
  }

  void adoptedClipsKeepTicksAndActorsFollow() {
    Project project = barProject();
    project.characters.front().clips = {
        {"Gone", true, {}}, {"Twist", false, {}}, {"Bend", true, ck::LoopMode::Once}};
    std::vector<ck::Actor> actors(3);
    for (int i = 0; i < 3; ++i) actors[static_cast<std::size_t>(i)].clip = i;
    project.actors = ck::ActorList(actors);
    ck::Character bar = ck::test::barCharacter();
    ck::Clip added = bar.clips[0];
    added.name = "Jump";
    bar.clips.push_back(added);

    ck::setClips(project, 0, ck::adoptedClips(ck::clipsOf(project, 0), bar));
    QCOMPARE(project.characters.front().clips.size(), std::size_t{3});
    QCOMPARE(project.characters.front().clips[0].name, std::string("Twist"));
    QVERIFY(!project.characters.front().clips[0].ticked);
    QCOMPARE(project.characters.front().clips[1].name, std::string("Bend"));
    QVERIFY(project.characters.front().clips[1].loop == ck::LoopMode::Once);
    QCOMPARE(project.characters.front().clips[2].name, std::string("Jump"));
    QVERIFY(project.characters.front().clips[2].ticked);
    QCOMPARE(project.actors[0].clip, 0);
    QCOMPARE(project.actors[1].clip, 0);
    QCOMPARE(project.actors[2].clip, 1);
  }

  void adoptedClipsKeepShapesThatFit() {
    Project project = barProject();
    project.characters.front().clips[0].title = "Bow";
    project.characters.front().clips[0].edit = {.trim = ck::Trim{0.2, 0.8}, .rate = 2.0};
    project.characters.front().clips[1].edit = {.trim = ck::Trim{0.1, 0.5},
                                                .root = {.motion = ck::RootMotion::Strip}};
    ck::Character shorter = ck::test::barCharacter();
    shorter.clips[0].durationSeconds = 0.5;
    ck::setClips(project, 0, ck::adoptedClips(ck::clipsOf(project, 0), shorter));
    QCOMPARE(project.characters.front().clips[0].title, std::string("Bow"));
    QVERIFY(!project.characters.front().clips[0].edit.trim);
    QCOMPARE(project.characters.front().clips[0].edit.rate, 2.0);
    QCOMPARE(project.characters.front().clips[1].edit.trim->endSeconds, 0.5);
  }

  void reorderedClipsAreStillPlayedByTheirActors() {
    Project project = barProject();
    std::vector<std::string> played;
    for (const ck::Actor& actor : project.actors.toVector()) {
      played.push_back(project.characters.front().clips[std::size_t(actor.clip)].name);
    }
    const std::vector<ck::ProjectClip> clips = ck::clipsOf(project, 0);
    ck::setClips(project, 0, {clips[1], clips[0]});
    QCOMPARE(project.characters.front().clips[0].name, std::string("Twist"));
    for (std::size_t i = 0; i < played.size(); ++i) {
      QCOMPARE(project.characters.front().clips[std::size_t(project.actors[i].clip)].name,
               played[i]);
    }
    QCOMPARE(ck::bakeInputs(project.characters.front()).clips[0].name, std::string("Twist"));
  }

  void titlesAreUniqueAndNotEmpty() {
    Project project = barProject();
    QVERIFY(ck::isFreeTitle(project.characters.front().clips, 0, "Bow"));
    QVERIFY(ck::isFreeTitle(project.characters.front().clips, 0, "Bend"));
    QVERIFY(!ck::isFreeTitle(project.characters.front().clips, 0, "Twist"));
    QVERIFY(!ck::isFreeTitle(project.characters.front().clips, 0, ""));
    QVERIFY(!ck::isFreeTitle(project.characters.front().clips, 0, "two\nlines"));
    project.characters.front().clips[1].title = "Turn";
    QVERIFY(ck::isFreeTitle(project.characters.front().clips, 0, "Twist"));
    QVERIFY(!ck::isFreeTitle(project.characters.front().clips, 0, "Turn"));
  }

  void eventsOfTheFileAreTakenOnceAndThenAreTheArtists() {
    ck::Character character = ck::test::barCharacter();
    character.clips[0].events = {{"left", 0.25}, {"right", 0.5}};
    ck::Project project = ck::newProjectFor(character, {{"/show/bar.glb"}});
    QVERIFY(project.characters.front().clips[0].events == character.clips[0].events);
    QVERIFY(project.characters.front().clips[1].events.empty());
    project.characters.front().clips[0].events.pop_back();
    const ck::Project edited = project;
    ck::Clip wave = character.clips[0];
    wave.name = "Wave";
    character.clips.push_back(wave);
    ck::setClips(project, 0, ck::adoptedClips(ck::clipsOf(project, 0), character));
    QVERIFY(project.characters.front().clips[0].events ==
            edited.characters.front().clips[0].events);
    QVERIFY(project.characters.front().clips.back().events == wave.events);
  }

  void atlasesGetTheEventsOfTheirClipsByName() {
    ck::Atlas atlas;
    atlas.clips.resize(2);
    atlas.clips[0].name = "Amble";
    atlas.clips[0].sourceName = "Walk";
    atlas.clips[0].startSeconds = 1.0;
    atlas.clips[0].durationSeconds = 2.0;
    atlas.clips[0].edit.rate = 2.0;  // four seconds of the file
    atlas.clips[1].name = "Rest";
    const std::vector<ck::ProjectClip> clips = {
        {.name = "Rest"},
        {.name = "Walk", .events = {{"early", 0.5}, {"left", 2.0}, {"end", 5.0}, {"late", 5.5}}}};
    ck::Character character;
    character.clips.resize(2);
    character.clips[0].name = "Rest";
    character.clips[1].name = "Walk";
    character.clips[1].events = {{"left", 2.0}, {"right", 3.0}, {"late", 5.5}};
    const auto events = ck::atlasEvents(atlas, character, clips);
    QCOMPARE(events.size(), std::size_t{2});
    QVERIFY(events[0].list ==
            (std::vector<ck::ExportedEvent>{{"left", 0.25, false}, {"end", 1.0, true}}));
    QCOMPARE(events[0].leftOut, 1);
    QVERIFY(events[1].list.empty());
    QCOMPARE(ck::firstFalseEvent(atlas, character, events), std::string());
    character.clips[1].events.clear();
    QVERIFY(ck::atlasEvents(atlas, character, {}).empty());
  }

  void eventsOfAnAtlasAreComparedWithTheFile() {
    ck::Atlas atlas;
    atlas.clips.resize(1);
    atlas.clips[0].name = "Walk";
    atlas.clips[0].durationSeconds = 2.0;
    ck::Character character;
    character.clips.resize(1);
    character.clips[0].name = "Walk";
    character.clips[0].events = {{"left", 0.5}, {"right", 1.5}};
    const std::vector<ck::ProjectClip> clips = {
        {.name = "Walk", .events = {{"left", 0.5}, {"right", 1.5}, {"shout", 1.0}}}};
    const auto whole = ck::atlasEvents(atlas, character, clips);
    const auto wrong = [&](auto change) {
      auto events = whole;
      change(events[0]);
      return QString::fromStdString(ck::firstFalseEvent(atlas, character, events));
    };
    QCOMPARE(wrong([](auto&) {}), QString());
    QCOMPARE(wrong([](auto& clip) { clip.list[0].name = "lefd"; }),
             QString("clip 'Walk' has no event 'lefd' at 0.5000 s in the rig file"));
    QCOMPARE(wrong([](auto& clip) { clip.list[1].unit = 0.8; }),
             QString("clip 'Walk' has no event 'right' at 1.6000 s in the rig file"));
    QCOMPARE(wrong([](auto& clip) { clip.list.erase(clip.list.begin()); }),
             QString("clip 'Walk' lacks the event 'left' that the rig file has at 0.5000 s"));
    QCOMPARE(wrong([](auto& clip) { clip.leftOut = 2; }),
             QString("clip 'Walk' states that 2 events of the rig file are left out, but 0 are"));
    // Events that the artist added may be anywhere.
    QCOMPARE(wrong([](auto& clip) { clip.list[2].unit = 0.1; }), QString());
  }

  void editCopiesOneChunk() {
    std::vector<ck::Actor> actors(3000);
    const ck::ActorList before(actors);
    ck::ActorList after = before;
    QVERIFY(after == before);
    ck::Actor moved;
    moved.position.x = 4.0f;
    after.set(2999, moved);
    after.set(1024, moved);
    QVERIFY(!(after == before));
    QCOMPARE(after.differences(before), (std::vector<std::size_t>{1024, 2999}));
    QCOMPARE(&after[5], &before[5]);
    QVERIFY(&after[1025] != &before[1025]);
    after.set(2999, actors[2999]);
    after.set(1024, actors[1024]);
    QVERIFY(after == before);
  }
};

CK_TEST(tst_pipeline)
#include "tst_pipeline.moc"
