#include <QTemporaryDir>
#include <QTest>

#include "core/bake/bake.h"
#include "core/base/files.h"
#include "core/project/cast.h"
#include "core/project/pipeline.h"
#include "core/project/project_json.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using ck::Actor;
using ck::CastMember;
using ck::Project;

namespace {

// The bar with two clips, a doe with three and a variant of the bar; twelve actors in turn.
Project mixedProject() {
  Project project = ck::newProjectFor(ck::test::barCharacter(), {{"/show/bar.glb"}});
  project.cast = {
      {"doe", {"/show/doe.glb"}, {}, {{.name = "Walk"}, {.name = "Twist"}, {.name = "Graze"}}},
      {"bare", {}, {"Bar"}, {}}};
  std::vector<Actor> actors(12);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].character = static_cast<int>(i % 3);
    actors[i].clip = 1;
    actors[i].position.x = static_cast<float>(i);
  }
  project.actors = ck::ActorList(actors);
  project.spawn.count = 12;
  return project;
}

std::vector<int> countsOf(const std::vector<Actor>& actors, int characters) {
  std::vector<int> counts(static_cast<std::size_t>(characters), 0);
  for (const Actor& actor : actors) ++counts[static_cast<std::size_t>(actor.character)];
  return counts;
}

}  // namespace

class tst_cast : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void titlesOfManyLinesBecomeFreeTitlesOfOne() {
    ck::Project project;
    ck::addCastMember(project, {"two\nlines", {"/show/a.glb"}});
    ck::addCastMember(project, {"two\nlines", {"/show/b.glb"}});
    QCOMPARE(project.cast[0].title, std::string("two lines"));
    QCOMPARE(project.cast[1].title, std::string("two lines 2"));
  }

  void rejectsSourcesThatCannotBeRead() {
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "empty.crowd";
    QVERIFY(ck::writeProjectFile(Project{}, path).has_value());
    const auto empty = ck::readCastSource({ck::pathText(path)}, {});
    QVERIFY(!empty.has_value());
    QVERIFY(empty.error().message.find("no rig") != std::string::npos);
    const auto gone = ck::readCastSource({"/nowhere/doe.glb"}, {});
    QVERIFY(!gone.has_value());
    QVERIFY(gone.error().code == ck::ErrorCode::FileNotFound);
    QVERIFY(gone.error().message.find("doe.glb") != std::string::npos);
  }

  // A plain rig file is baked as its member says; what is not said is as usual.
  void rigFilesAreBakedAsTheirMembersSay() {
    const ck::SourceFile file{ck::pathText(ck::test::sampleHumanoid())};
    const auto usual = ck::readCastSource(file, {});
    QVERIFY2(usual.has_value(), usual ? "" : usual.error().message.c_str());
    Project project;
    ck::addCastMember(project, {"guest", file});
    ck::addCastMember(project, {"bald guest", file, {"hat"}});
    ck::adoptCastClips(project, file, usual->project.clips);
    QVERIFY(!ck::bakesOtherwise(*usual, project.cast[0]));

    std::vector<ck::ProjectClip> clips = project.cast[0].clips;
    QVERIFY(clips.size() >= 3);
    for (ck::ProjectClip& clip : clips) clip.ticked = false;
    clips[1].ticked = true;
    clips[1].title = "Amble";
    clips[1].shape.rate = 2.0;
    ck::BakeSettings bake;
    bake.encoding = ck::Encoding::M32;
    bake.layout = ck::LayoutKind::Linear;
    bake.frames = 9;
    ck::setCastBake(project, file, bake, clips);
    for (const CastMember& member : project.cast) {
      QVERIFY(member.bake == bake);
      QVERIFY(member.clips == clips);
    }
    QVERIFY(ck::bakesOtherwise(*usual, project.cast[1]));

    // Through a file and back, the settings are the same.
    const auto again = ck::projectFromJson(ck::projectToJson(project, "/show"), "/show");
    QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
    QVERIFY(again->cast == project.cast);
    ck::CastSource source = *usual;
    ck::bakeAs(source, again->cast[0]);
    QVERIFY(!ck::bakesOtherwise(source, project.cast[0]));
    ck::Notes notes;
    const auto atlas = ck::atlasOfCastSource(source, notes, {});
    QVERIFY2(atlas.has_value(), atlas ? "" : atlas.error().message.c_str());
    QVERIFY((*atlas)->encoding == ck::Encoding::M32);
    QCOMPARE((*atlas)->clips.size(), std::size_t{1});
    QCOMPARE((*atlas)->clips[0].name, std::string("Amble"));
    QCOMPARE((*atlas)->clips[0].frameCount, 9);
    const double seconds = usual->character->clips[1].durationSeconds;
    QVERIFY(std::abs((*atlas)->clips[0].durationSeconds - seconds / 2.0) < 1e-9);
  }

  void rejectsAnAtlasWithoutTheWeightsOfFaces() {
    ck::Character face = ck::test::barCharacter();
    ck::MorphTarget smile{"Smile", {0}, {{0.0f, 0.1f, 0.0f}}, {}, {}};
    face.meshes[0].morphTargets = {smile};
    face.meshes[0].defaultMorphWeights = {0.0f};
    const ck::BakeSettings settings = ck::bakeInputs(ck::newProjectFor(face, {{"/show/bar.glb"}}));
    const auto baked = ck::bake(face, settings);
    QVERIFY(baked.has_value());
    QVERIFY(ck::atlasFits(baked->atlas, face, settings));
    // As it was before the file had a face, with all else the same.
    ck::Atlas faceless = baked->atlas;
    faceless.morphs = {};
    QVERIFY(!ck::atlasFits(faceless, face, settings));
  }

  void projectsAreBakedAsTheySayThemselves() {
    ck::CastSource source;
    source.character = std::make_shared<const ck::Character>(ck::test::barCharacter());
    source.project = ck::newProjectFor(*source.character, {{"/show/bar.glb"}});
    source.projectFile = "/show/bar.crowd";
    CastMember member{"bar", {"/show/bar.crowd"}};
    member.bake.encoding = ck::Encoding::T8;
    member.clips = {{.name = source.project.clips[0].name, .ticked = false}};
    QVERIFY(!ck::bakesOtherwise(source, member));
    Project project;
    project.cast = {member};
    const auto text = ck::projectToJson(project, "/show");
    QVERIFY(text.find("T8") == std::string::npos);
    QVERIFY(text.find("ticked") == std::string::npos);
  }

  void aProjectIsReadWithItsClipsAndItsAtlasBeside() {
    const fs::path meadow = ck::test::sampleHumanoid().parent_path() / "meadow" / "meadow.crowd";
    const auto source = ck::readCastSource({ck::pathText(meadow)}, {});
    QVERIFY2(source.has_value(), source ? "" : source.error().message.c_str());
    const auto written = ck::readProjectFile(meadow);
    QCOMPARE(source->project.clips.size(), written->clips.size());
    QCOMPARE(source->project.actors.size(), std::size_t{0});
    QCOMPARE(source->character->name, std::string("animal"));
    ck::Notes notes;
    const auto atlas = ck::atlasOfCastSource(*source, notes, {});
    QVERIFY(atlas.has_value());
    QVERIFY(ck::atlasFits(**atlas, *source->character, ck::bakeInputs(source->project)));
  }

  void aRigIsReadWithAllItsClips() {
    const auto source = ck::readCastSource({ck::pathText(ck::test::sampleHumanoid())}, {});
    QVERIFY(source.has_value());
    QVERIFY(source->projectFile.empty());
    QCOMPARE(source->project.clips.size(), source->character->clips.size());
    QVERIFY(ck::anyClipTicked(source->project));
  }

  void titlesAreMadeFree() {
    Project project = mixedProject();
    QCOMPARE(ck::characterTitle(project, 0), std::string("bar"));
    QCOMPARE(ck::addCastMember(project, {"doe", {"/show/doe.glb"}}), 3);
    QCOMPARE(ck::addCastMember(project, {"bar", {"/other/bar.glb"}}), 4);
    QCOMPARE(ck::characterTitle(project, 3), std::string("doe 2"));
    QCOMPARE(ck::characterTitle(project, 4), std::string("bar 2"));
  }

  void aMemberGoesWithItsActorsAndTheOthersKeepTheirs() {
    Project project = mixedProject();
    project.spawn.shares = {1.0, 2.0, 3.0};
    ck::removeCastMember(project, 1);
    QCOMPARE(project.cast.size(), std::size_t{1});
    QCOMPARE(project.actors.size(), std::size_t{8});
    QCOMPARE(project.spawn.count, 8);
    QVERIFY(project.spawn.shares == (std::vector<double>{1.0, 3.0}));
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      const bool variant = static_cast<int>(project.actors[i].position.x) % 3 == 2;
      QCOMPARE(project.actors[i].character, variant ? 1 : 0);
    }
  }

  void actorsFindTheirClipsByName() {
    Project project = mixedProject();
    ck::adoptCastClips(project, {"/show/doe.glb"},
                       {{.name = "Graze", .title = "Eat"}, {.name = "Run"}, {.name = "Twist"}});
    QCOMPARE(project.cast[0].clips.size(), std::size_t{3});
    QCOMPARE(ck::titleOf(project.cast[0].clips[0]), std::string("Eat"));
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      QCOMPARE(project.actors[i].clip, project.actors[i].character == 1 ? 2 : 1);
    }
    // A clip that is gone becomes the first.
    ck::adoptCastClips(project, {"/show/doe.glb"}, {{.name = "Run"}});
    QCOMPARE(project.actors[1].clip, 0);
    QCOMPARE(project.actors[0].clip, 1);
  }

  void clipsOfTheOwnRigMoveItsOwnActorsAndItsVariants() {
    Project project = mixedProject();
    ck::reorderClips(project, {1, 0});
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
    const auto actors = ck::spawnCast(parts, settings);
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
    project.spawn.shares = {1.0, 1.0, 1.0};
    const Project before = project;
    const int fox = ck::addCastMember(project, {"fox", {"/show/fox.glb"}, {}, {{.name = "Run"}}});
    ck::mixIn(project, fox, ck::spawnParts(project, {}));
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
    QVERIFY(project.spawn.shares == (std::vector<double>{1.0, 1.0, 1.0, 1.0}));
  }
};

CK_TEST(tst_cast)
#include "tst_cast.moc"
