#include <QTest>

#include "core/project/actors/spawn.h"
#include "core/project/characters.h"
#include "core/project/project_json.h"
#include "core/stage/pipeline.h"
#include "core/stage/scene.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Character;
using ck::CharacterSource;
using ck::Project;

namespace {

// The bar with three clips of these names.
CharacterSource bar(const std::vector<std::string>& names) {
  Character character = ck::test::barCharacter();
  character.clips.resize(names.size(), character.clips.front());
  for (std::size_t i = 0; i < names.size(); ++i) {
    character.clips[i].name = names[i];
    character.clips[i].nameInFile = names[i];
  }
  CharacterSource source;
  source.character = std::make_shared<const Character>(std::move(character));
  return source;
}

// The clip that every actor plays, and the one that it fades to.
std::vector<std::string> played(const Project& project) {
  const auto& clips = clipsOf(project, 0);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const Actor& actor = project.actors[i];
    std::string name = clips[std::size_t(actor.clip)].name;
    if (actor.fadeClip >= 0) name += ">" + clips[std::size_t(actor.fadeClip)].name;
    names.push_back(std::move(name));
  }
  return names;
}

Project crowd() {
  const CharacterSource source = bar({"idle", "walk", "dance"});
  Project project = ck::newProjectFor(*source.character, {{"/show/bar.glb"}});
  std::vector<Actor> actors(6);
  for (std::size_t i = 0; i < actors.size(); ++i) actors[i].clip = int(i % 3);
  actors[0].fadeClip = 2;
  project.actors = ck::ActorList(actors);
  project.characters[0].clips[2].title = "Dance!";
  project.characters[0].clips[2].edit.rate = 2.0;
  return project;
}

}  // namespace

// Clips that a file has lost, while actors play them.
class tst_missing_clips : public QObject {
  Q_OBJECT

 private slots:
  void actorsKeepTheNameOfTheirClip() {
    Project project = crowd();
    const Project good = project;
    const std::vector<std::string> before = played(project);
    const CharacterSource other = bar({"idle", "walk", "salsa"});
    ck::adoptClips(project, 0, other);
    QCOMPARE(played(project), before);
    const auto missing = ck::missingClips(project, 0, *other.character);
    QCOMPARE(missing.size(), std::size_t(1));
    QCOMPARE(missing.front().title, std::string("Dance!"));
    QCOMPARE(missing.front().actors, 3);  // two play it, one fades to it
    // Neither baked nor dealt.
    const auto baked =
        ck::bakeInputs(ck::withoutMissingClips(project.characters[0], *other.character));
    QCOMPARE(baked.clips.size(), std::size_t(3));
    QCOMPARE(baked.clips[2].name, std::string("salsa"));
    const std::vector<ck::CharacterPtr> cast = {other.character};
    QCOMPARE(ck::spawnParts(project, cast).front().clipNames,
             (std::vector<std::string>{"idle", "walk", "salsa"}));
    // The file says so, and reading it again changes nothing.
    const auto read = ck::projectFromJson(ck::projectToJson(project, "/show"), "/show");
    QVERIFY(read.has_value());
    Project again = *read;
    ck::adoptClips(again, 0, other);
    QVERIFY(again.characters == read->characters);
    QCOMPARE(played(again), before);
    // The good file brings everything back.
    ck::adoptClips(again, 0, bar({"idle", "walk", "dance"}));
    QVERIFY(again.characters == good.characters);
    QVERIFY(again.actors == good.actors);
  }

  void clipsThatNobodyPlaysGo() {
    Project project = crowd();
    project.actors = ck::ActorList(std::vector<Actor>(4));
    const CharacterSource other = bar({"idle", "walk"});
    ck::adoptClips(project, 0, other);
    QCOMPARE(clipsOf(project, 0).size(), std::size_t(2));
    QVERIFY(ck::missingClips(project, 0, *other.character).empty());
  }

  void aSceneTellsThemAndDrawsTheOthers() {
    const CharacterSource other = bar({"idle", "walk", "salsa"});
    const auto load = [&other](const ck::ProjectCharacter& asked, int, const ck::JobContext& job) {
      ck::CharacterStage stage{other, ck::settingsFor(asked, other), nullptr, {}};
      auto atlas = ck::bakeCharacter(stage.source, stage.settings, stage.notes, job);
      if (!atlas) return ck::Result<ck::CharacterStage>(tl::unexpected(atlas.error()));
      stage.atlas = *atlas;
      return ck::Result<ck::CharacterStage>(stage);
    };
    const Project before = crowd();
    const auto scene = ck::loadScene(before, load, {});
    QVERIFY(scene.has_value());
    QCOMPARE(played(scene->project), played(before));
    const auto note = std::ranges::find(scene->notes, "ClipMissing", &ck::Note::code);
    QVERIFY(note != scene->notes.end());
    QVERIFY2(note->message.find("'Dance!'") != std::string::npos, note->message.c_str());
    const std::vector<ck::CrowdClip>& clips = scene->characters[0].clips;
    QCOMPARE(clips.size(), std::size_t(4));
    QCOMPARE(clips[2].name, std::string("dance"));
    QCOMPARE(clips[2].atlasClip, -1);
    QCOMPARE(clips[3].atlasClip, 2);
  }
};

CK_TEST(tst_missing_clips)
#include "tst_missing_clips.moc"
