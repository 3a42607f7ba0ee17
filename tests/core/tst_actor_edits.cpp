#include <QTest>

#include "core/project/actors/actor_clipboard.h"
#include "core/project/actors/actor_edits.h"
#include "core/project/actors_json.h"
#include "core/project/project_json.h"
#include "tests/support/hostile_text.h"
#include "tests/support/test_program.h"

using ck::Actor;
using ck::Project;
using Indices = std::vector<int>;

namespace {

// Six actors on a line, one spacing of 2 m apart; their rates are 1 to 6.
Project lineOfSix() {
  Project project;
  project.characters.front().sources = {{"/show/soldier.glb"}};
  project.characters.front().clips = {{.name = "walk"}, {.name = "run", .title = "Sprint"}};
  project.characters.push_back({.title = "doe",
                                .sources = {{"/show/doe.glb"}},
                                .clips = {{.name = "graze"}, {.name = "walk"}}});
  project.crowds.front().spawn.spacingMeters = 2.0;
  project.crowds.front().spawn.count = 6;
  std::vector<Actor> actors(6);
  for (int i = 0; i < 6; ++i) {
    actors[std::size_t(i)].position.x = 2.0f * float(i);
    actors[std::size_t(i)].rate = float(i + 1);
  }
  project.actors = ck::ActorList(actors);
  return project;
}

std::vector<float> rates(const Project& project) {
  std::vector<float> all;
  for (const Actor& actor : project.actors.toVector()) all.push_back(actor.rate);
  return all;
}

// Of the actors whose group has this name.
std::vector<float> ratesIn(const Project& project, const std::string& group) {
  std::vector<float> all;
  for (const Actor& actor : project.actors.toVector()) {
    if (actor.group >= 0 && project.groups.at(std::size_t(actor.group)) == group) {
      all.push_back(actor.rate);
    }
  }
  return all;
}

std::string textOfTwo() {
  Project project = lineOfSix();
  return ck::clipboardText(project, Indices{1, 3});
}

}  // namespace

class tst_actor_edits : public QObject {
  Q_OBJECT

 private slots:
  void copiesStandBesideTheOriginals() {
    Project project = lineOfSix();
    const auto copies = ck::duplicateActors(project, Indices{0, 2});
    QVERIFY(copies.has_value());
    QCOMPARE(*copies, (Indices{6, 7}));
    // Two of 0 m to 4 m go 4 m + 2 m to the right; there stand others (6 m, 10 m), so they go on.
    QCOMPARE(project.actors[6].position.x, 12.0f);
    QCOMPARE(project.actors[7].position.x, 16.0f);
    QCOMPARE(project.actors[7].rate, 3.0f);
    QVERIFY(project.actors[6].byHand && project.actors[7].byHand);
    QVERIFY(!project.actors[0].byHand);
    QCOMPARE(project.crowds.front().spawn.count, 8);
  }

  void aCopyOfTheLastStandsOneSpacingAway() {
    Project project = lineOfSix();
    QVERIFY(ck::duplicateActors(project, Indices{5}).has_value());
    QCOMPARE(project.actors[6].position.x, 12.0f);
  }

  void moreThanAMillionAreRefused() {
    Project project = lineOfSix();
    const Project before = project;
    const auto refused =
        ck::appendActors(project, std::vector<Actor>(std::size_t(ck::kMostActors) - 5));
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(project == before);
  }

  void whatNamesActorsFollowsWhenSomeGo() {
    Project project = lineOfSix();
    project.desk.selected = {0, 1, 4, 5};
    ck::removeActors(project, Indices{1, 3});
    QCOMPARE(rates(project), (std::vector<float>{1, 3, 5, 6}));
    QCOMPARE(project.desk.selected, (Indices{0, 2, 3}));
    QCOMPARE(project.crowds.front().spawn.count, 4);
    ck::removeActors(project, Indices{0, 1, 2, 3});
    QCOMPARE(project.actors.size(), std::size_t{0});
    QVERIFY(project.desk.selected.empty());
  }

  void hidingAndShowingAreOpposites() {
    Project project = lineOfSix();
    const Project before = project;
    ck::showActors(project, Indices{2, 5}, false);
    QCOMPARE(ck::actorsWhere(project, [](const Actor& one) { return !one.on; }), (Indices{2, 5}));
    ck::showActors(project, Indices{2, 5}, true);
    QVERIFY(project == before);
  }

  void groupsKeepTheirActorsWhateverTheirOrder() {
    Project project = lineOfSix();
    QCOMPARE(ck::addGroup(project, "crew", Indices{0, 1}).value(), 0);
    QCOMPARE(ck::addGroup(project, "crew", Indices{1, 2}).value(), 1);
    QCOMPARE(ck::addGroup(project, "", Indices{4}).value(), 2);
    QCOMPARE(project.groups, (std::vector<std::string>{"crew", "crew 2", "Group"}));
    QCOMPARE(ratesIn(project, "crew"), (std::vector<float>{1}));
    QCOMPARE(ratesIn(project, "crew 2"), (std::vector<float>{2, 3}));
    for (const auto& [from, to] : {std::pair{0, 2}, {2, 0}, {1, 0}, {0, 1}, {2, 1}}) {
      ck::moveGroup(project, from, to);
      QCOMPARE(ratesIn(project, "crew"), (std::vector<float>{1}));
      QCOMPARE(ratesIn(project, "crew 2"), (std::vector<float>{2, 3}));
      QCOMPARE(ratesIn(project, "Group"), (std::vector<float>{5}));
    }
    const auto at = std::ranges::find(project.groups, "crew 2") - project.groups.begin();
    ck::removeGroup(project, int(at));
    QCOMPARE(ratesIn(project, "crew"), (std::vector<float>{1}));
    QCOMPARE(ratesIn(project, "Group"), (std::vector<float>{5}));
    QCOMPARE(project.actors[1].group, -1);
    ck::setGroup(project, Indices{0}, -1);
    ck::removeEmptyGroups(project);
    QCOMPARE(project.groups, (std::vector<std::string>{"Group"}));
    QCOMPARE(ratesIn(project, "Group"), (std::vector<float>{5}));
  }

  void namesOfGroupsAreUnique() {
    Project project = lineOfSix();
    project.groups = {"a", "b"};
    QVERIFY(ck::isFreeGroupName(project, 0, "a"));
    QVERIFY(!ck::isFreeGroupName(project, 1, "a"));
    QVERIFY(!ck::isFreeGroupName(project, -1, "a"));
    QVERIFY(!ck::isFreeGroupName(project, -1, ""));
    QVERIFY(!ck::isFreeGroupName(project, -1, "c\nd"));
    project.groups.assign(ck::kMostGroups, "x");
    QVERIFY(!ck::addGroup(project, "y", {}).has_value());
  }

  void groupsAndHandsAreInTheFile() {
    Project project = lineOfSix();
    QVERIFY(ck::projectToJson(project, "/show").find("group") == std::string::npos);
    QVERIFY(ck::addGroup(project, "cr\xC3\xA9w", Indices{3}).has_value());
    QVERIFY(ck::duplicateActors(project, Indices{3}).has_value());
    const std::string text = ck::projectToJson(project, "/show");
    QVERIFY(text.find("\"byHand\": [false,false,false,false,false,false,true]") !=
            std::string::npos);
    const auto back = ck::projectFromJson(text, "/show");
    QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
    QVERIFY(back->actors == project.actors);
    QCOMPARE(back->groups, project.groups);
  }

  // The clip "walk" of two rigs is two clips.
  void likeMeansTheSameOfTheSameRig() {
    Project project = lineOfSix();
    Actor doe = project.actors[4];
    doe.character = 1;
    project.actors.set(4, doe);
    Actor runner = project.actors[5];
    runner.clip = 1;
    project.actors.set(5, runner);
    const auto columnOf = [](std::string_view title) -> const ck::ActorColumn& {
      return *std::ranges::find(ck::actorColumns(), title, &ck::ActorColumn::title);
    };
    QCOMPARE(ck::actorsLike(project, Indices{0}, columnOf("Clip")), (Indices{0, 1, 2, 3}));
    QCOMPARE(ck::actorsLike(project, Indices{4, 5}, columnOf("Clip")), (Indices{4, 5}));
    QCOMPARE(ck::actorsLike(project, Indices{5}, columnOf("Character")), (Indices{0, 1, 2, 3, 5}));
    QCOMPARE(ck::actorsLike(project, Indices{1}, columnOf("Rate")), (Indices{1}));
  }

  void whatIsCopiedIsPasted() {
    Project project = lineOfSix();
    Actor odd = project.actors[3];
    odd.clip = 1;
    odd.tint = 0x102030;
    odd.offset = 0.1f;
    odd.morphs = {{"smile", 0.25f}};
    project.actors.set(3, odd);
    QVERIFY(ck::addGroup(project, "crew", Indices{3}).has_value());
    const std::string text = ck::clipboardText(project, Indices{3});
    // Gone, its place is free: the actor that is pasted is the one that was cut.
    const Actor cut = project.actors[3];
    ck::removeActors(project, Indices{3});
    ck::removeEmptyGroups(project);
    const auto pasted = ck::pasteActors(project, text);
    QVERIFY2(pasted.has_value(), pasted ? "" : pasted.error().message.c_str());
    QCOMPARE(pasted->actors, (Indices{5}));
    QCOMPARE(pasted->remark, std::string());
    Actor expected = cut;
    expected.byHand = true;
    QVERIFY(project.actors[5] == expected);
    QCOMPARE(project.groups, (std::vector<std::string>{"crew"}));
  }

  // Another order of clips, and a title instead of a name.
  void namesCountInAnotherProject() {
    const std::string text = [] {
      Project project = lineOfSix();
      Actor runner = project.actors[0];
      runner.clip = 1;
      project.actors.set(0, runner);
      return ck::clipboardText(project, Indices{0});
    }();
    Project other;
    other.characters.front().title = "soldier";
    other.characters.front().clips = {{.name = "x"}, {.name = "y"}, {.name = "Sprint"}};
    const auto pasted = ck::pasteActors(other, text);
    QVERIFY(pasted.has_value());
    QCOMPARE(pasted->remark, std::string());
    QCOMPARE(other.actors[0].clip, 2);
  }

  void whatAProjectDoesNotHaveIsSaid() {
    Project project = lineOfSix();
    Actor runner = project.actors[2];
    runner.clip = 1;
    project.actors.set(2, runner);
    Project other;
    other.characters.front().title = "soldier";
    other.characters.front().clips = {{.name = "stand"}, {.name = "walk"}};
    auto pasted = ck::pasteActors(other, ck::clipboardText(project, Indices{1, 2}));
    QVERIFY(pasted.has_value());
    QCOMPARE(pasted->remark,
             std::string("1 of 2 actors plays 'Sprint', which this project does not have; it plays "
                         "'stand'"));
    QCOMPARE(other.actors[0].clip, 1);
    QCOMPARE(other.actors[1].clip, 0);
    runner.character = 1;
    runner.clip = 1;
    project.actors.set(2, runner);
    pasted = ck::pasteActors(other, ck::clipboardText(project, Indices{2}));
    QCOMPARE(pasted->remark, std::string("The actor is 'doe', which this project does not have; "
                                         "it is 'soldier'"));
    QCOMPARE(other.actors[2].clip, 1);
  }

  void settingsArePastedInTurnAndPlacesStay() {
    Project project = lineOfSix();
    Actor shown = project.actors[0];
    shown.clip = 1;
    shown.offset = 0.75f;
    shown.tint = 0xff0000;
    shown.on = false;
    project.actors.set(0, shown);
    Actor doe = project.actors[4];
    doe.character = 1;
    project.actors.set(4, doe);
    const std::string text = ck::clipboardText(project, Indices{0, 1});
    const auto pasted = ck::pasteSettings(project, Indices{3, 4, 5}, text);
    QVERIFY(pasted.has_value());
    QCOMPARE(pasted->remark, std::string());  // the doe has the clip of the second actor
    for (const int i : {3, 5}) {
      const Actor& actor = project.actors[std::size_t(i)];
      QCOMPARE(actor.clip, 1);
      QCOMPARE(actor.offset, 0.75f);
      QCOMPARE(actor.tint, 0xff0000u);
      QCOMPARE(actor.position.x, 2.0f * float(i));
      QVERIFY(actor.on && !actor.byHand);
    }
    QCOMPARE(project.actors[4].character, 1);
    QCOMPARE(project.actors[4].clip, 1);
    QCOMPARE(project.actors[4].rate, 2.0f);
  }

  void rejectsWhatIsNoActors_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& text, const char* says) {
      QTest::newRow(name) << text << QString(says);
    };
    row("nothing", "", "copy some first");
    row("a sentence", "Hello there", "copy some first");
    row("an object", "{}", "this is not a file of actors");
    row("half of it", QByteArray::fromStdString(textOfTwo()).left(200), "ends too early");
    row("none", QByteArray::fromStdString(ck::clipboardText(lineOfSix(), {})), "copy some first");
    row("a deep list", "{\"a\": " + QByteArray(100'000, '['), "64");
    row("too much", "{" + QByteArray((64 << 20) + 1, ' '), "more than the limit");
  }
  void rejectsWhatIsNoActors() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    Project project = lineOfSix();
    const Project before = project;
    const auto pasted = ck::pasteActors(project, text.toStdString());
    QVERIFY(!pasted.has_value());
    const QString message = QString::fromStdString(pasted.error().message);
    QVERIFY2(message.contains(says), qPrintable(message));
    QVERIFY(project == before);
    QVERIFY(!ck::pasteSettings(project, Indices{0}, text.toStdString()).has_value());
    QVERIFY(project == before);
  }

  // Either actors that a project file may have, or a sentence.
  void rejectsOrPastesWhateverIsSpoiled() {
    int pastedTexts = 0, refused = 0;
    ck::test::forEachSpoiled(
        textOfTwo(), 5, 2000, [&](const std::string& spoiled, const std::string&) {
          Project project = lineOfSix();
          const auto pasted = ck::pasteActors(project, spoiled);
          if (!pasted) {
            QVERIFY(!pasted.error().message.empty());
            ++refused;
            return;
          }
          ++pastedTexts;
          const auto back = ck::projectFromJson(ck::projectToJson(project, "/show"), "/show");
          QVERIFY2(back && back->actors == project.actors,
                   back ? "" : back.error().message.c_str());
        });
    QVERIFY2(pastedTexts > 20, qPrintable(QString::number(pastedTexts)));
    QVERIFY(refused > 100);
  }
};

CK_TEST(tst_actor_edits)
#include "tst_actor_edits.moc"
