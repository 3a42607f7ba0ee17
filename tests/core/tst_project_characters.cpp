#include <QTemporaryDir>
#include <QTest>

#include "core/bake/bake.h"
#include "core/project/actors/spawn.h"
#include "core/project/characters.h"
#include "core/project/project_json.h"
#include "core/stage/character_stage.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using ck::Actor;
using ck::Project;
using ck::ProjectCharacter;

namespace {

// The bar with two clips, a doe with three and a variant of the bar; twelve actors in turn.
Project mixedProject() {
  Project project = ck::newProjectFor(ck::test::barCharacter(), {{"/show/bar.glb"}});
  project.characters.push_back({.title = "doe",
                                .sources = {{"/show/doe.glb"}},
                                .clips = {{.name = "Walk"}, {.name = "Twist"}, {.name = "Graze"}}});
  project.characters.push_back({.title = "bare", .hiddenMeshes = {"Bar"}, .variantOf = 0});
  std::vector<Actor> actors(12);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].character = static_cast<int>(i % 3);
    actors[i].clip = 1;
    actors[i].position.x = static_cast<float>(i);
  }
  project.actors = ck::ActorList(actors);
  project.crowds.front().spawn.count = 12;
  return project;
}

ProjectCharacter from(const fs::path& path) {
  return {.sources = {{ck::pathText(path)}}};
}

std::vector<int> countsOf(const std::vector<Actor>& actors, int characters) {
  std::vector<int> counts(static_cast<std::size_t>(characters), 0);
  for (const Actor& actor : actors) ++counts[static_cast<std::size_t>(actor.character)];
  return counts;
}

}  // namespace

class tst_project_characters : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void titlesOfManyLinesBecomeFreeTitlesOfOne() {
    Project project;
    ck::addCharacter(project, {.title = "two\nlines", .sources = {{"/show/a.glb"}}});
    ck::addCharacter(project, {.title = "two\nlines", .sources = {{"/show/b.glb"}}});
    QCOMPARE(project.characters[1].title, std::string("two lines"));
    QCOMPARE(project.characters[2].title, std::string("two lines 2"));
  }

  void rejectsSourcesThatCannotBeRead() {
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "empty.crowd";
    QVERIFY(ck::writeProjectFile(Project{}, path).has_value());
    const auto empty = ck::readCharacterSource(from(path), {});
    QVERIFY(!empty.has_value());
    QVERIFY(empty.error().message.find("no rig") != std::string::npos);
    const auto gone = ck::readCharacterSource(from("/nowhere/doe.glb"), {});
    QVERIFY(!gone.has_value());
    QVERIFY(gone.error().code == ck::ErrorCode::FileNotFound);
    QVERIFY(gone.error().message.find("doe.glb") != std::string::npos);
  }

  // Missing settings have their defaults.
  void aRigFileIsBakedAsItsCharacterSays() {
    ProjectCharacter asked = from(ck::test::sampleHumanoid());
    const auto source = ck::readCharacterSource(asked, {});
    QVERIFY2(source.has_value(), source ? "" : source.error().message.c_str());
    asked.clips = ck::clipsAfterReading(asked, *source);
    QCOMPARE(asked.clips.size(), source->character->clips.size());
    QVERIFY(asked.clips.size() >= 3);
    QVERIFY(ck::anyClipTicked(asked));
    QVERIFY(ck::settingsFor(asked, *source) == asked);
    for (ck::ProjectClip& clip : asked.clips) clip.ticked = false;
    asked.clips[1].ticked = true;
    asked.clips[1].title = "Amble";
    asked.clips[1].edit.rate = 2.0;
    asked.bake.encoding = ck::Encoding::M32;
    asked.bake.layout = ck::LayoutKind::Linear;
    asked.bake.frames = 9;
    ck::Notes notes;
    const auto atlas = ck::bakeCharacter(*source, ck::settingsFor(asked, *source), notes, {});
    QVERIFY2(atlas.has_value(), atlas ? "" : atlas.error().message.c_str());
    QVERIFY((*atlas)->recipe.encoding == ck::Encoding::M32);
    QCOMPARE((*atlas)->clips.size(), std::size_t{1});
    QCOMPARE((*atlas)->clips[0].name, std::string("Amble"));
    QCOMPARE((*atlas)->clips[0].frameCount, 9);
    const double seconds = source->character->clips[1].durationSeconds;
    QVERIFY(std::abs((*atlas)->clips[0].durationSeconds - seconds / 2.0) < 1e-9);
    asked.clips[1].ticked = false;
    QVERIFY(!ck::bakeCharacter(*source, ck::settingsFor(asked, *source), notes, {}).has_value());
  }

  void rejectsAnAtlasWithoutTheWeightsOfFaces() {
    ck::Character face = ck::test::barCharacter();
    ck::MorphTarget smile{"Smile", {0}, {{0.0f, 0.1f, 0.0f}}, {}, {}};
    face.meshes[0].morphTargets = {smile};
    face.meshes[0].defaultMorphWeights = {0.0f};
    const ck::BakeSettings settings =
        ck::bakeInputs(ck::newProjectFor(face, {{"/show/bar.glb"}}).characters.front());
    const auto baked = ck::bake(face, settings);
    QVERIFY(baked.has_value());
    QVERIFY(ck::atlasFits(baked->atlas, face, settings));
    // As it was before the file had a face, with all else the same.
    ck::Atlas faceless = baked->atlas;
    faceless.morphs = {};
    QVERIFY(!ck::atlasFits(faceless, face, settings));
    ck::BakeSettings finer = settings;
    finer.morphs.bits = 16;
    QVERIFY(!ck::atlasFits(baked->atlas, face, finer));
    ck::BakeSettings more = settings;
    more.morphs.slotCount = 9;
    QVERIFY(!ck::atlasFits(baked->atlas, face, more));
    // To a rig without a face the form of weights is all the same.
    const ck::Character plain = ck::test::barCharacter();
    const auto without = ck::bake(plain, settings);
    QVERIFY(without.has_value());
    QVERIFY(ck::atlasFits(without->atlas, plain, finer));
  }

  void projectsAreBakedAsTheySayThemselves() {
    ck::CharacterSource source;
    source.character = std::make_shared<const ck::Character>(ck::test::barCharacter());
    source.projectFile = "/show/bar.crowd";
    source.fromProject = ck::newProjectFor(*source.character, {{"/show/bar.glb"}}).characters[0];
    source.fromProject.clips[0].ticked = false;
    ProjectCharacter asked{.title = "guest", .sources = {{"/show/bar.crowd"}}};
    asked.bake.encoding = ck::Encoding::T8;
    QVERIFY(ck::settingsFor(asked, source) == source.fromProject);
    // Names and titles alone are stored and written.
    asked.clips = ck::clipsAfterReading(asked, source);
    QCOMPARE(asked.clips.size(), source.fromProject.clips.size());
    QVERIFY(asked.clips[0].ticked);
    Project project;
    project.characters.push_back(asked);
    const auto text = ck::projectToJson(project, "/show");
    QVERIFY(text.find("T8") == std::string::npos);
    QVERIFY(text.find("ticked") == std::string::npos);
  }

  void aProjectIsReadWithItsClipsAndItsAtlasBeside() {
    const fs::path meadow = ck::test::sampleHumanoid().parent_path() / "meadow" / "meadow.crowd";
    const auto stage = ck::makeCharacterStage(from(meadow), {}, {});
    QVERIFY2(stage.has_value(), stage ? "" : stage.error().message.c_str());
    const auto written = ck::readProjectFile(meadow);
    QVERIFY(stage->settings.clips == written->characters.front().clips);
    QCOMPARE(stage->source.character->name, std::string("animal"));
    QVERIFY(
        ck::atlasFits(*stage->atlas, *stage->source.character, ck::bakeInputs(stage->settings)));
  }

  void anHeirTakesOverWhatItsBaseHad() {
    Project project = mixedProject();
    ck::addCharacter(project, ck::characterFrom(project, {"/show/doe.glb"}));
    ck::addCharacter(project, ck::characterFrom(project, {"/show/doe.glb"}));
    QVERIFY(project.characters[3].variantOf == 1 && project.characters[4].variantOf == 1);
    const ProjectCharacter doe = project.characters[1];
    ck::removeCharacter(project, 1);
    QVERIFY(project.characters[1].variantOf == 0);
    QVERIFY(!project.characters[2].variantOf);
    QVERIFY(project.characters[2].sources == doe.sources);
    QVERIFY(project.characters[2].clips == doe.clips);
    QVERIFY(project.characters[3].variantOf == 2);
    const auto again = ck::projectFromJson(ck::projectToJson(project, "/show"), "/show");
    QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
    QVERIFY(*again == project);
  }

  void anEditOfTheBaseReachesItsVariants() {
    Project project = mixedProject();
    std::vector<ck::ProjectClip> clips = ck::clipsOf(project, 2);
    clips[0].title = "Bow";
    ck::setClips(project, 2, clips);
    QCOMPARE(ck::titleOf(ck::clipsOf(project, 0)[0]), std::string("Bow"));
    QVERIFY(&ck::clipsOf(project, 2) == &ck::clipsOf(project, 0));
    QVERIFY(ck::shareRig(project, 0, 2) && !ck::shareRig(project, 0, 1));
  }

  void titlesAreMadeFree() {
    Project project = mixedProject();
    QCOMPARE(ck::characterTitle(project, 0), std::string("bar"));
    QCOMPARE(ck::addCharacter(project, {.title = "doe", .sources = {{"/show/doe.glb"}}}), 3);
    QCOMPARE(ck::addCharacter(project, {.title = "bar", .sources = {{"/other/bar.glb"}}}), 4);
    QCOMPARE(ck::characterTitle(project, 3), std::string("doe 2"));
    QCOMPARE(ck::characterTitle(project, 4), std::string("bar 2"));
  }

  void aMemberGoesWithItsActorsAndTheOthersKeepTheirs() {
    Project project = mixedProject();
    project.crowds.front().spawn.shares = {1.0, 2.0, 3.0};
    ck::removeCharacter(project, 1);
    QCOMPARE(project.characters.size(), std::size_t{2});
    QCOMPARE(project.actors.size(), std::size_t{8});
    QCOMPARE(project.crowds.front().spawn.count, 8);
    QVERIFY(project.crowds.front().spawn.shares == (std::vector<double>{1.0, 3.0}));
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      const bool variant = static_cast<int>(project.actors[i].position.x) % 3 == 2;
      QCOMPARE(project.actors[i].character, variant ? 1 : 0);
    }
  }

  void actorsFindTheirClipsByName() {
    Project project = mixedProject();
    ck::setClips(project, 1,
                 {{.name = "Graze", .title = "Eat"}, {.name = "Run"}, {.name = "Twist"}});
    QCOMPARE(project.characters[1].clips.size(), std::size_t{3});
    QCOMPARE(ck::titleOf(project.characters[1].clips[0]), std::string("Eat"));
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      QCOMPARE(project.actors[i].clip, project.actors[i].character == 1 ? 2 : 1);
    }
    // A clip that is gone becomes the first.
    ck::setClips(project, 1, {{.name = "Run"}});
    QCOMPARE(project.actors[1].clip, 0);
    QCOMPARE(project.actors[0].clip, 1);
  }

  void clipsOfTheOwnRigMoveItsOwnActorsAndItsVariants() {
    Project project = mixedProject();
    const std::vector<ck::ProjectClip> clips = ck::clipsOf(project, 0);
    ck::setClips(project, 0, {clips[1], clips[0]});
    QCOMPARE(project.actors[0].clip, 0);
    QCOMPARE(project.actors[1].clip, 1);
    QCOMPARE(project.actors[2].clip, 0);
  }

  void anotherCharacterPlaysTheClipOfTheSameName() {
    const Project project = mixedProject();
    Actor actor;
    actor.clip = 1;  // Twist
    const Actor doe = ck::recast(project, actor, 1);
    QCOMPARE(doe.character, 1);
    QCOMPARE(doe.clip, 1);
    Actor grazing = doe;
    grazing.clip = 2;
    grazing.fadeClip = 1;
    const Actor back = ck::recast(project, grazing, 2);
    QCOMPARE(back.clip, 0);
    QCOMPARE(back.fadeClip, 1);
  }

  void sharesAreKeptToTheActor_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<QList<double>>("shares");
    QTest::addColumn<QList<int>>("expected");
    QTest::newRow("halves") << 10 << QList<double>{1, 1} << QList<int>{5, 5, 0};
    QTest::newRow("thirds") << 100 << QList<double>{1, 1, 1} << QList<int>{33, 34, 33};
    QTest::newRow("none given") << 7 << QList<double>{} << QList<int>{7, 0, 0};
    QTest::newRow("all nothing") << 7 << QList<double>{0, 0, 0} << QList<int>{7, 0, 0};
    QTest::newRow("only the last") << 7 << QList<double>{0, 0, 0.5} << QList<int>{0, 0, 7};
    QTest::newRow("more than there are") << 8 << QList<double>{3, 1, 0, 9} << QList<int>{6, 2, 0};
    QTest::newRow("nobody") << 0 << QList<double>{1, 1} << QList<int>{0, 0, 0};
  }
  void sharesAreKeptToTheActor() {
    QFETCH(int, count);
    QFETCH(QList<double>, shares);
    QFETCH(QList<int>, expected);
    ck::SpawnSettings settings{.count = count};
    settings.shares.assign(shares.begin(), shares.end());
    const auto parts = ck::spawnParts(mixedProject(), {});
    const auto actors = ck::spawnCrowd(parts, settings);
    const std::vector<int> counts = countsOf(actors, 3);
    QVERIFY(counts == std::vector<int>(expected.begin(), expected.end()));
    // Places, tints and headings are those of a crowd of one character.
    const auto alone = ck::spawnActors({.count = count});
    for (std::size_t i = 0; i < actors.size(); ++i) {
      QVERIFY(actors[i].position == alone[i].position);
      QVERIFY(actors[i].clip >= 0 && actors[i].clip < (actors[i].character == 1 ? 3 : 2));
    }
  }

  void aNewCharacterTakesItsShareAndLeavesTheRest() {
    Project project = mixedProject();
    project.crowds.front().spawn.shares = {1.0, 1.0, 1.0};
    const Project before = project;
    const int fox = ck::addCharacter(
        project, {.title = "fox", .sources = {{"/show/fox.glb"}}, .clips = {{.name = "Run"}}});
    ck::mixIn(project, 0, fox, ck::spawnParts(project, {}));
    const std::vector<int> counts = countsOf(project.actors.toVector(), 4);
    QCOMPARE(counts[3], 3);
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      const Actor& actor = project.actors[i];
      QVERIFY(actor.position == before.actors[i].position);
      if (actor.character == fox) {
        QCOMPARE(actor.clip, 0);
      } else {
        QVERIFY(actor == before.actors[i]);
      }
    }
    QVERIFY(project.crowds.front().spawn.shares == (std::vector<double>{1.0, 1.0, 1.0, 1.0}));
  }
};

CK_TEST(tst_project_characters)
#include "tst_project_characters.moc"
