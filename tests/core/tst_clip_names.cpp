#include <QTest>

#include "core/import/clip_names.h"
#include "core/project/cast_names.h"
#include "core/project/characters.h"
#include "core/stage/pipeline.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

ck::Character fileWith(const char* file, const std::vector<std::string>& names) {
  ck::Character character = ck::test::barCharacter();
  character.name = file;
  const ck::Clip clip = character.clips[0];
  character.clips.clear();
  for (const std::string& name : names) {
    character.clips.push_back(clip);
    character.clips.back().name = name;
  }
  ck::nameClips(character);
  return character;
}

std::vector<std::string> namesOf(const ck::Character& character) {
  std::vector<std::string> names;
  for (const ck::Clip& clip : character.clips) names.push_back(clip.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

class tst_clip_names : public QObject {
  Q_OBJECT
 private slots:
  void generic_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isGeneric");
    for (const char* name : {"Scene",
                             "Take 001",
                             "Take_001",
                             "Take 01",
                             "mixamo.com",
                             "Armature|mixamo.com|Layer0",
                             "Animation",
                             "Animation 3",
                             "Unreal Take",
                             "default",
                             "combinedAnim_0",
                             "ArmatureAction",
                             "ArmatureAction.001",
                             "Clip 1",
                             "Clip 12",
                             "Anim_0",
                             "Armature|Take 001|BaseLayer",
                             "Armature|Scene",
                             "TAKE 001 (2)",
                             "Armature|ArmatureAction"}) {
      QTest::newRow(name) << name << true;
    }
    for (const char* name :
         {"Walk", "walk_01", "Idle 2", "Armature|Walk", "Armature|Walk|Layer0", "01_01", "0",
          "Scene Walk", "Animated", "Take off", "1H_Melee_Attack_Chop", "TPose", "default_walk"}) {
      QTest::newRow(name) << name << false;
    }
  }
  void generic() {
    QFETCH(QString, name);
    QFETCH(bool, isGeneric);
    QCOMPARE(ck::isGenericClipName(name.toStdString()), isGeneric);
  }

  void prefixesAndLayersGo() {
    QCOMPARE(ck::plainClipName("Armature|Walk"), std::string("Walk"));
    QCOMPARE(ck::plainClipName("Armature|Walk|BaseLayer"), std::string("Walk"));
    QCOMPARE(ck::plainClipName("a|b|c"), std::string("c"));
    QCOMPARE(ck::plainClipName("Walk"), std::string("Walk"));
    QCOMPARE(ck::plainClipName("Walk|"), std::string("Walk"));
    QCOMPARE(ck::plainClipName("|"), std::string("|"));
    QCOMPARE(ck::plainClipName("Layer0"), std::string("Layer0"));
    QCOMPARE(ck::plainClipName(""), std::string(""));
  }

  void theOnlyClipIsCalledLikeItsFile() {
    const ck::Character file = fileWith("jump_high", {"Armature|mixamo.com|Layer0"});
    QCOMPARE(namesOf(file), Names{"jump_high"});
    QCOMPARE(file.clips[0].nameInFile, std::string("Armature|mixamo.com|Layer0"));
    QVERIFY(ck::test::hasNote(file.notes, "ClipsRenamed", "'jump_high' after its file"));
    QCOMPARE(namesOf(fileWith("jump_high", {"Armature|Leap"})), Names{"Leap"});
    const ck::Character told = fileWith("file", {"Walk"});
    QCOMPARE(namesOf(told), Names{"Walk"});
    QVERIFY(told.clips[0].nameInFile.empty() && told.notes.empty());
  }

  void fileNamesThatCannotBeShownAreNotTaken() {
    QCOMPARE(namesOf(fileWith("two\nlines", {"Take 001"})), Names{"Take 001"});
    QCOMPARE(namesOf(fileWith("\xff", {"Take 001"})), Names{"Take 001"});
    QCOMPARE(namesOf(fileWith("", {"Take 001"})), Names{"Take 001"});
  }

  void severalClipsKeepGenericNames() {
    const ck::Character file = fileWith("pack", {"Take 001", "Armature|Walk", "Armature|Run"});
    QCOMPARE(namesOf(file), (Names{"Take 001", "Walk", "Run"}));
    QVERIFY(ck::test::hasNote(file.notes, "ClipsRenamed", "2 clips"));
  }

  void namesThatWouldMeetStay() {
    QCOMPARE(namesOf(fileWith("pack", {"A|Walk", "B|Walk", "A|Run"})),
             (Names{"A|Walk", "B|Walk", "Run"}));
    QCOMPARE(namesOf(fileWith("pack", {"A|Walk", "Walk"})), (Names{"A|Walk", "Walk"}));
  }

  void clipsAreFoundByTheNameOfTheirFile() {
    const ck::Character file = fileWith("pack", {"A|Walk", "A|Run"});
    QCOMPARE(ck::clipNamed(file, "Run"), std::optional(std::size_t{1}));
    QCOMPARE(ck::clipNamed(file, "A|Run"), std::optional(std::size_t{1}));
    QVERIFY(!ck::clipNamed(file, "A"));
    QVERIFY(!ck::clipNamed(file, ""));
  }

  void filesOfActorsNameClipsByTitleOrByTheNameOfTheFile() {
    const ck::Character file = fileWith("pack", {"A|Walk", "A|Run"});
    ck::Project project = ck::newProjectFor(file, {{"/show/pack.fbx"}});
    project.characters[0].clips = {{.name = "Run", .title = "Rush"}, {.name = "Walk"}};
    const ck::CastNames names(project);
    QCOMPARE(names.find(ck::ActorKind::Clip, 0, "A|Walk"), 1);
    QCOMPARE(names.find(ck::ActorKind::Clip, 0, "Rush"), 0);
    QCOMPARE(names.find(ck::ActorKind::Clip, 0, "A|Gone"), -1);
  }
};

CK_TEST(tst_clip_names)
#include "tst_clip_names.moc"
