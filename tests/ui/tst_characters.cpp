#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/base/log.h"
#include "core/export/atlas_folder.h"
#include "core/project/project_json.h"
#include "core/stage/pipeline.h"
#include "core/stage/scene.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/characters/character_model.h"
#include "ui/characters/characters_panel.h"
#include "ui/characters/mesh_dialog.h"
#include "ui/theme/theme.h"
#include "ui/viewport/viewport_widget.h"

using namespace ck::ui;
using ck::Actor;
using ck::Project;
using ck::test::Desk;
using ck::test::sample;

class tst_characters : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::startWithSamples(); }

  void rejectsAFileThatIsNoRigAndLeavesTheCrowd() {
    Desk desk;
    QVERIFY(desk.open());
    const Project before = desk.document.project();
    QTemporaryDir folder;
    const QString path = folder.filePath("doe.glb");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("glTF, but not really");
    file.close();
    desk.notices.clear();
    desk.session.addCharacters({path});
    QVERIFY(QTest::qWaitFor([&] { return !desk.notices.isEmpty(); }, ck::test::kPatienceMs));
    const auto notice = desk.notices.first().first().value<Notice>();
    QVERIFY(notice.level == Notice::Level::Error);
    QVERIFY2(notice.text.contains("doe.glb"), qPrintable(notice.text));
    QVERIFY(desk.document.project() == before);
  }

  void rejectsOnlyTheMemberThatIsGone() {
    Desk desk;
    Project project;
    project.characters.front().sources = {{sample("humanoid.glb").toStdString()}};
    project.characters.front().clips = {{.name = "walk"}};
    project.characters.push_back(
        {.title = "gone", .sources = {{"/nowhere/fox.glb"}}, .clips = {{.name = "Run"}}});
    project.characters.push_back(
        {.title = "doe", .sources = {{sample("animal.glb").toStdString()}}});
    std::vector<Actor> actors(6);
    for (std::size_t i = 0; i < 6; ++i) actors[i].character = int(i % 3);
    project.actors = ck::ActorList(actors);
    desk.document.replace(project, {});
    QVERIFY(QTest::qWaitFor([&] { return desk.session.atlas(0) && desk.session.atlas(2); },
                            ck::test::kPatienceMs));
    QVERIFY(desk.session.state(1) == CharacterState::Refused);
    QVERIFY(desk.session.problem(1).contains("fox.glb"));
    QVERIFY(desk.session.character(1) == nullptr);
    QVERIFY(desk.session.state(2) == CharacterState::Ready);
    const bool said = std::any_of(desk.notices.begin(), desk.notices.end(), [](const auto& one) {
      return one.first().template value<Notice>().text.contains("fox.glb");
    });
    QVERIFY(said);
    // Its actors are still the project's, and the others play.
    QCOMPARE(desk.counts(), (std::vector<int>{2, 2, 2}));
    QVERIFY(desk.playback.crowd() != nullptr);
    QCOMPARE(desk.playback.crowd()->crowds().size(), std::size_t{3});
  }

  // Nor does the first one, whose place the file does not take away from the others.
  void rejectsOnlyTheFirstCharacterThatIsGone() {
    Desk desk;
    Project project;
    project.characters.front().sources = {{"/nowhere/fox.glb"}};
    project.characters.front().clips = {{.name = "Run"}};
    project.characters.push_back(
        {.title = "doe", .sources = {{sample("animal.glb").toStdString()}}});
    std::vector<Actor> actors(4);
    for (std::size_t i = 0; i < 4; ++i) actors[i].character = int(i % 2);
    project.actors = ck::ActorList(actors);
    desk.document.replace(project, {});
    QVERIFY(!desk.session.hasRig());
    QVERIFY(QTest::qWaitFor([&] { return desk.session.bakeState(1) == BakeState::UpToDate; },
                            ck::test::kPatienceMs));
    QVERIFY(desk.session.state(0) == CharacterState::Refused);
    QVERIFY(desk.session.hasRig());
    const auto entries = desk.session.entries();
    QVERIFY(entries[0].character == nullptr && entries[1].atlas != nullptr);
    QVERIFY(desk.playback.crowd() != nullptr);
    ViewportWidget viewport(desk.document, desk.session, desk.playback, desk.selection);
    QSignalSpy refused(&viewport, &ViewportWidget::drawRefused);
    viewport.resize(320, 200);
    viewport.show();
    QVERIFY(QTest::qWaitForWindowExposed(&viewport));
    QVERIFY(QTest::qWaitFor([&] { return viewport.frameMs() > 0.0; }, ck::test::kPatienceMs));
    viewport.grabFramebuffer();
    QVERIFY2(refused.isEmpty(), qPrintable(refused.value(0).value(0).toString()));
    QCOMPARE(viewport.renderer()->stats().actors, std::size_t{2});
  }

  void aFileJoinsTheCrowdAsOneStep() {
    Desk desk;
    QVERIFY(desk.open());
    const Project before = desk.document.project();
    const int steps = desk.document.undoStack().count();
    QVERIFY(desk.addDoe());
    QCOMPARE(desk.document.undoStack().count(), steps + 1);
    const Project& now = desk.document.project();
    QCOMPARE(now.characters[1].title, std::string("animal"));
    QVERIFY(!now.characters[1].clips.empty());
    const int half = int(before.actors.size()) / 2;
    QCOMPARE(desk.counts(), (std::vector<int>{int(before.actors.size()) - half, half}));
    QVERIFY(desk.session.atlas(1) != nullptr);
    QVERIFY(desk.session.atlas(1) != desk.session.atlas(0));
    QCOMPARE(desk.playback.crowd()->crowds().size(), std::size_t{2});
    desk.document.undoStack().undo();
    QVERIFY(desk.document.project() == before);
    QCOMPARE(desk.playback.crowd()->crowds().size(), std::size_t{1});
    // Redoing reads nothing again.
    desk.document.undoStack().redo();
    QVERIFY(desk.session.atlas(1) != nullptr);
  }

  void aRigFileIsBakedAgainAsItsMemberSays() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    const ck::AtlasPtr usual = desk.session.atlas(1);
    QVERIFY(usual && usual->clips.size() > 1);
    const std::size_t kept = desk.document.project().characters[1].clips.size();
    desk.document.edit("Bake of the doe", [](Project& p) {
      std::vector<ck::ProjectClip> clips = p.characters[1].clips;
      for (ck::ProjectClip& clip : clips) clip.ticked = false;
      clips[0].ticked = true;
      ck::BakeSettings bake;
      bake.encoding = ck::Encoding::T16;
      p.characters[1].bake = bake;
      ck::setClips(p, 1, clips);
    });
    const auto baked = [&desk] { return desk.session.atlas(1); };
    // As the first one, it plays its old atlas until it is baked.
    QVERIFY(desk.session.bakeState(1) == BakeState::Outdated && baked() == usual);
    desk.session.bakeNow(1);
    QVERIFY(QTest::qWaitFor([&] { return baked() && baked() != usual; }, ck::test::kPatienceMs));
    QVERIFY(baked()->recipe.encoding == ck::Encoding::T16);
    QCOMPARE(baked()->clips.size(), std::size_t{1});
    QCOMPARE(desk.document.project().characters[1].clips.size(), kept);
    // An event is no other bake.
    const ck::AtlasPtr before = baked();
    desk.document.edit("Event", [](Project& p) {
      std::vector<ck::ProjectClip> clips = p.characters[1].clips;
      clips[0].events.push_back({"step", clips[0].edit.rate * 0.1});
      ck::setClips(p, 1, clips);
    });
    QVERIFY(desk.session.state(1) == CharacterState::Ready);
    QVERIFY(desk.session.state(1) != CharacterState::Reading);
    QVERIFY(baked() == before);
    QCOMPARE(desk.session.clips()[1][0].events.size(), std::size_t{1});
    desk.document.undoStack().undo();
    desk.document.undoStack().undo();
    desk.session.bakeNow(1);
    QVERIFY(QTest::qWaitFor([&] { return baked()->clips.size() == usual->clips.size(); },
                            ck::test::kPatienceMs));
    QVERIFY(baked()->recipe.encoding == usual->recipe.encoding);
  }

  void whatIsUndoneWhileItIsBakedStaysUndone() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    const Project before = desk.project();
    const ck::AtlasPtr usual = desk.session.atlas(1);
    desk.tickOneOfDoe();
    QVERIFY(desk.session.bakeState(1) == BakeState::Baking);
    desk.document.undoStack().undo();
    QVERIFY(QTest::qWaitFor([&] { return !desk.tasks.isBusy(); }, ck::test::kPatienceMs));
    QVERIFY(desk.project() == before);
    QVERIFY(desk.document.undoStack().canRedo());
    // It was baked as was asked for, which is not how it is now.
    QCOMPARE(desk.session.atlas(1)->clips.size(), std::size_t{1});
    QVERIFY(usual->clips.size() > 1);
    QVERIFY(desk.session.bakeState(1) == BakeState::Outdated);
    desk.document.undoStack().redo();
    QVERIFY(desk.session.bakeState(1) == BakeState::UpToDate);
  }

  void aProjectThatIsOpenedKeepsWhatItSaysOfAFileBeingRead() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    const Project all = desk.project();
    desk.tickOneOfDoe();
    QVERIFY(desk.session.bakeState(1) == BakeState::Baking);
    desk.document.replace(all, {});
    // Opening a project bakes what is not baked as it says.
    QVERIFY(QTest::qWaitFor([&] { return desk.session.bakeState(1) == BakeState::UpToDate; },
                            ck::test::kPatienceMs));
    QVERIFY(desk.session.atlas(1)->clips.size() > 1);
    QVERIFY(desk.project() == all);
    QVERIFY(!desk.document.isModified());
  }

  void aFileThatJoinsAgainIsBakedAsItsOtherMembers() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    desk.tickOneOfDoe();
    QVERIFY(QTest::qWaitFor([&] { return desk.session.atlas(1)->clips.size() == 1; },
                            ck::test::kPatienceMs));
    desk.session.addCharacters({sample("animal.glb")});
    QCOMPARE(desk.project().characters.size(), std::size_t{3});
    QVERIFY(desk.project().characters[2].variantOf == 1);
    QVERIFY(desk.session.atlas(2) == desk.session.atlas(1));
  }

  // The atlas of before is still that of the settings of before.
  void withoutATickItHasItsOldAtlas() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    const ck::AtlasPtr usual = desk.session.atlas(1);
    desk.document.edit("No clip", [](Project& p) {
      std::vector<ck::ProjectClip> clips = p.characters[1].clips;
      for (ck::ProjectClip& clip : clips) clip.ticked = false;
      ck::setClips(p, 1, clips);
    });
    QVERIFY(desk.session.bakeState(1) == BakeState::NothingTicked);
    desk.session.bakeNow(1);
    QVERIFY(desk.session.bakeState(1) == BakeState::NothingTicked);
    QVERIFY(desk.session.state(1) == CharacterState::Ready);
    QVERIFY(desk.session.atlas(1) == usual);
    desk.document.undoStack().undo();
    QVERIFY(desk.session.bakeState(1) == BakeState::UpToDate);
    QVERIFY(desk.session.atlas(1) == usual);
  }

  void aProjectJoinsWithItsClips() {
    Desk desk;
    QVERIFY(desk.open());
    desk.session.addCharacters({sample("meadow/meadow.crowd")});
    QVERIFY(QTest::qWaitFor([&] { return desk.document.project().characters.size() == 2; },
                            ck::test::kPatienceMs));
    const auto meadow = ck::readProjectFile(sample("meadow/meadow.crowd").toStdString());
    QCOMPARE(desk.document.project().characters[1].clips.size(),
             meadow->characters.front().clips.size());
    QCOMPARE(desk.document.project().characters[1].title, std::string("meadow"));
  }

  void aVariantSharesWhatTheRigHas() {
    Desk desk;
    QVERIFY(desk.open());
    const std::string mesh = desk.session.character(0)->meshes[0].name;
    desk.session.addVariant(0, "bare", {mesh});
    const auto entries = desk.session.entries();
    QCOMPARE(entries.size(), std::size_t{2});
    QVERIFY(entries[1].character == entries[0].character);
    QVERIFY(entries[1].atlas == entries[0].atlas);
    QVERIFY(entries[1].hiddenMeshes == std::vector<int>{0});
    QCOMPARE(desk.document.project().characters[1].clips.size(), std::size_t{0});
    // Another clip order moves the variant's actors along.
    desk.document.edit("Order", [](Project& p) {
      for (std::size_t i = 0; i < p.actors.size(); ++i) {
        Actor actor = p.actors[i];
        actor.clip = 0;
        p.actors.set(i, actor);
      }
      std::vector<ck::ProjectClip> clips = ck::clipsOf(p, 1);
      std::reverse(clips.begin(), clips.end());
      ck::setClips(p, 1, clips);
    });
    const auto& actors = desk.document.project().actors;
    for (std::size_t i = 0; i < actors.size(); ++i) {
      QCOMPARE(actors[i].clip, int(desk.document.project().characters.front().clips.size()) - 1);
    }
  }

  // The editor and the command line walk the same steps.
  void aPlainLoopMakesTheSame() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    desk.session.addVariant(1, "fawn", {});
    const auto scene = ck::loadScene(desk.project(), ck::stageLoader({}), {});
    QVERIFY2(scene.has_value(), scene ? "" : scene.error().message.c_str());
    QVERIFY(scene->project == desk.project());
    const auto entries = desk.session.entries();
    QCOMPARE(scene->characters.size(), entries.size());
    for (std::size_t c = 0; c < entries.size(); ++c) {
      const ck::SceneCharacter& one = scene->characters[c];
      QVERIFY(one.stage->atlas->texels == entries[c].atlas->texels);
      QVERIFY(one.hiddenMeshes == entries[c].hiddenMeshes);
      QCOMPARE(one.clips.size(), desk.session.clips()[c].size());
    }
    QVERIFY(scene->characters[2].stage == scene->characters[1].stage);
    QVERIFY(entries[2].atlas == entries[1].atlas);
    // An edit of the base reaches the variant.
    desk.tickOneOfDoe();
    QVERIFY(QTest::qWaitFor([&] { return desk.session.atlas(2)->clips.size() == 1; },
                            ck::test::kPatienceMs));
  }

  void thePanelEditsTitlesAndShares() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    CharactersPanel panel(desk.document, desk.session, desk.playback);
    CharacterModel& model = panel.model();
    QCOMPARE(model.rowCount(), 2);
    const auto text = [&](int row, int column) {
      return model.index(row, column).data().toString();
    };
    QCOMPARE(text(0, CharacterModel::Title), QString("humanoid"));
    QCOMPARE(text(1, CharacterModel::Source), QString("animal.glb"));
    QVERIFY(text(1, CharacterModel::Triangles) != text(0, CharacterModel::Triangles));
    const auto set = [&](int row, int column, const QVariant& value) {
      return model.setData(model.index(row, column), value, Qt::EditRole);
    };
    QVERIFY(!set(1, CharacterModel::Title, "humanoid"));
    QVERIFY(!set(1, CharacterModel::Title, " "));
    QVERIFY(!set(0, CharacterModel::Title, "people"));
    QVERIFY(!set(1, CharacterModel::Share, -1.0));
    QVERIFY(set(1, CharacterModel::Title, "doe"));
    const int all = int(desk.document.project().actors.size());
    const ck::ActorList before = desk.document.project().actors;
    QVERIFY(set(1, CharacterModel::Share, 3.0));
    QCOMPARE(desk.counts(), (std::vector<int>{all - (all * 3 + 2) / 4, (all * 3 + 2) / 4}));
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Actor& now = desk.document.project().actors[i];
      QVERIFY(now.position == before[i].position);
      if (now.character == before[i].character) QVERIFY(now == before[i]);
    }
    desk.session.remove(1);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(desk.counts(), (std::vector<int>{all - (all * 3 + 2) / 4}));
    desk.document.undoStack().undo();
    QCOMPARE(model.rowCount(), 2);
  }

  void newActorsComeInTheShares() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    SpawnBar bar(desk.document, desk.session, desk.selection);
    bar.reseed();
    const auto counts = desk.counts();
    QVERIFY(std::abs(counts[0] - counts[1]) <= 1);
    const Project& project = desk.document.project();
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      const Actor& actor = project.actors[i];
      QVERIFY(std::size_t(actor.clip) < ck::clipsOf(project, actor.character).size());
    }
  }

  void theTableSaysWhoAnActorIs() {
    Desk desk;
    QVERIFY(desk.open());
    ActorsPanel panel(desk.document, desk.session, desk.selection);
    const int column = panel.model().sectionOf("Character");
    QVERIFY(panel.table().isColumnHidden(column));
    QVERIFY(desk.addDoe());
    QVERIFY(!panel.table().isColumnHidden(column));
    QCOMPARE(panel.table().horizontalHeader()->visualIndex(column), 0);
    const Project& project = desk.document.project();
    const auto clipCalled = [&](int character, const std::string& title) {
      const auto& clips = ck::clipsOf(project, character);
      for (std::size_t i = 0; i < clips.size(); ++i) {
        if (ck::titleOf(clips[i]) == title) return int(i);
      }
      return -1;
    };
    // "walk" is what both can do.
    QVERIFY(clipCalled(0, "walk") >= 0 && clipCalled(1, "walk") >= 0);
    std::vector<int> all;
    for (int i = 0; i < int(project.actors.size()); ++i) all.push_back(i);
    const int human =
        int(std::find_if(all.begin(), all.end(),
                         [&](int i) { return project.actors[std::size_t(i)].character == 0; }) -
            all.begin());
    QVERIFY(
        panel.model().setActors(all, panel.model().columnOf("Clip"), clipCalled(0, "walk"), human));
    for (const int i : all) {
      const Actor& actor = project.actors[std::size_t(i)];
      QCOMPARE(actor.clip, clipCalled(actor.character, "walk"));
    }
    // A clip that only people have leaves the animals as they are.
    QVERIFY(clipCalled(1, "cheer") < 0);
    QVERIFY(panel.model().setActors(all, panel.model().columnOf("Clip"), clipCalled(0, "cheer"),
                                    human));
    for (const int i : all) {
      const Actor& actor = project.actors[std::size_t(i)];
      QCOMPARE(actor.clip, actor.character == 0 ? clipCalled(0, "cheer") : clipCalled(1, "walk"));
    }
    panel.filterField().setText("character:animal");
    QCOMPARE(panel.table().model()->rowCount(), desk.counts()[1]);
    panel.filterField().setText("cheer");
    QCOMPARE(panel.table().model()->rowCount(), desk.counts()[0]);
    // Everybody becomes a doe; those that were keep what they play.
    panel.filterField().clear();
    QVERIFY(!panel.model().setActors(all, panel.model().columnOf("Character"), 2));
    QVERIFY(panel.model().setActors(all, panel.model().columnOf("Character"), 1));
    QCOMPARE(desk.counts(), (std::vector<int>{0, int(all.size())}));
    QCOMPARE(project.actors[std::size_t(human)].clip, 0);
  }

  void anExportHasTheAtlasOfEveryCharacter() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    desk.session.addVariant(1, "fawn", {});
    QTemporaryDir folder;
    QVERIFY(ck::test::exported(desk, folder.path(), "crowd"));
    const auto sets = ck::readAtlasFolder(folder.path().toStdString());
    QVERIFY(sets.has_value());
    QCOMPARE(sets->size(), std::size_t{2});
    QVERIFY(QFile::exists(folder.filePath("crowd.ckatlas")));
    QVERIFY(QFile::exists(folder.filePath("crowd-animal.ckatlas")));
    for (const auto& set : *sets) {
      const bool own = set.atlas.texels == desk.session.atlas(0)->texels;
      QVERIFY(own || set.atlas.texels == desk.session.atlas(1)->texels);
    }
  }

  // Two titles that no file may have become one name.
  void exportsOfLikeTitlesDoNotOverwriteEachOther() {
    Desk desk;
    QVERIFY(desk.open());
    QTemporaryDir rigs;
    for (const char* copy : {"one.glb", "two.glb"}) {
      QVERIFY(QFile::copy(sample("animal.glb"), rigs.filePath(copy)));
    }
    desk.session.addCharacters({rigs.filePath("one.glb"), rigs.filePath("two.glb")});
    QVERIFY(QTest::qWaitFor([&] { return desk.document.project().characters.size() == 3; },
                            ck::test::kPatienceMs));
    desk.document.edit("Titles", [](Project& p) {
      p.characters[1].title = "doe?";
      p.characters[2].title = "Doe*";
    });
    QTemporaryDir folder;
    QVERIFY(ck::test::exported(desk, folder.path(), "crowd"));
    const auto sets = ck::readAtlasFolder(folder.path().toStdString());
    QVERIFY(sets.has_value());
    QCOMPARE(sets->size(), std::size_t{3});
    QStringList names;
    for (const auto& set : *sets) names << QString::fromStdString(set.name).toLower();
    QCOMPARE(names.removeDuplicates(), 0);
    QVERIFY(names.contains("crowd-doe_") && names.contains("crowd-doe_-2"));
  }

  // Reading the file once more in the meantime takes nothing back.
  void aFileThatWasAskedForJoinsHoweverOftenItIsRead() {
    Desk desk;
    Project project;
    project.characters.front().sources = {{sample("humanoid.glb").toStdString()}};
    project.characters.front().clips = {{.name = "walk"}};
    project.characters.push_back(
        {.title = "doe", .sources = {{sample("animal.glb").toStdString()}}});
    project.actors = ck::ActorList(std::vector<Actor>(4));
    desk.document.replace(project, {});
    QVERIFY(desk.session.state(1) == CharacterState::Reading);
    desk.session.addCharacters({sample("animal.glb")});
    desk.session.reload(1);
    QVERIFY(QTest::qWaitFor([&] { return desk.document.project().characters.size() == 3; },
                            ck::test::kPatienceMs));
    QVERIFY(desk.document.project().characters[2].variantOf == 1);
  }

  // Where one of the characters cannot be drawn by the method, all are drawn by another.
  void aMethodThatOneCharacterCannotTakeDrawsNobodyLess() {
    Desk desk;
    QVERIFY(desk.open());
    desk.document.edit("Matrices", [](Project& p) {
      p.characters.front().bake.encoding = ck::Encoding::M32;
      p.characters.front().bake.layout = ck::LayoutKind::Linear;
      p.view.pose.method = ck::Method::Matrix;
    });
    desk.session.bakeNow(0);
    const auto ofMatrices = [&] {
      return desk.session.atlas(0) && desk.session.atlas(0)->recipe.encoding == ck::Encoding::M32;
    };
    QVERIFY(QTest::qWaitFor(ofMatrices, ck::test::kPatienceMs));
    QVERIFY(desk.addDoe());
    QVERIFY(desk.session.atlas(1)->recipe.encoding == ck::Encoding::P16);
    ViewportWidget viewport(desk.document, desk.session, desk.playback, desk.selection);
    QSignalSpy refused(&viewport, &ViewportWidget::drawRefused);
    viewport.resize(320, 200);
    viewport.show();
    QVERIFY(QTest::qWaitForWindowExposed(&viewport));
    QVERIFY(QTest::qWaitFor([&] { return viewport.frameMs() > 0.0; }, ck::test::kPatienceMs));
    viewport.grabFramebuffer();
    QVERIFY2(refused.isEmpty(), qPrintable(refused.value(0).value(0).toString()));
    QCOMPARE(viewport.renderer()->stats().characters, std::size_t{2});
    QCOMPARE(viewport.renderer()->stats().actors, desk.document.project().actors.size());
  }

  void theDialogNamesWhatIsHidden() {
    Desk desk;
    QVERIFY(desk.open());
    const ck::Character& rig = *desk.session.character(0);
    QWidget window;
    auto* dialog = new MeshDialog(rig, {}, &window);
    dialog->askTitle("bare");
    auto* list = dialog->findChild<QListWidget*>();
    QCOMPARE(list->count(), int(rig.meshes.size()));
    QVERIFY(dialog->hiddenMeshes().empty());
    list->item(0)->setCheckState(Qt::Unchecked);
    QVERIFY(dialog->hiddenMeshes() == std::vector<std::string>{rig.meshes[0].name});
    QCOMPARE(dialog->title(), QString("bare"));
  }
};

CK_TEST(tst_characters, QApplication)
#include "tst_characters.moc"
