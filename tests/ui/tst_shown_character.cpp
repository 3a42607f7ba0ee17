#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QTextDocument>
#include <QToolTip>
#include <QTreeView>
#include <QVBoxLayout>

#include "core/base/log.h"
#include "core/stage/pipeline.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/atlas_view/atlas_canvas.h"
#include "ui/atlas_view/atlas_panel.h"
#include "ui/bake/bake_panel.h"
#include "ui/characters/character_model.h"
#include "ui/characters/characters_panel.h"
#include "ui/clips/clip_editor.h"
#include "ui/clips/clip_model.h"
#include "ui/clips/clips_panel.h"
#include "ui/clips/root_editor.h"
#include "ui/document/selection.h"
#include "ui/parts/fold.h"
#include "ui/parts/number_edit.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/timeline/timeline_ruler.h"

using namespace ck::ui;
using ck::test::Desk;
using ck::test::kPatienceMs;

// The panels of a crowd of people and does look at one character at a time.
class tst_shown_character : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::startWithSamples(); }

  void rejectsCharactersThatAreNotThere() {
    Desk desk;
    QVERIFY(desk.open());
    desk.playback.setShownCharacter(1);
    QCOMPARE(desk.playback.shownCharacter(), 0);
    QVERIFY(desk.addDoe());
    desk.playback.setShownCharacter(1);
    QCOMPARE(desk.playback.shownCharacter(), 1);
    desk.playback.setShownCharacter(-1);
    QCOMPARE(desk.playback.shownCharacter(), 1);
    QSignalSpy shown(&desk.playback, &Playback::shownCharacterChanged);
    desk.session.remove(1);
    QCOMPARE(desk.playback.shownCharacter(), 0);
    QCOMPARE(shown.size(), 1);
  }

  void rejectsEditsOfClipsThatAreAnothersOwn() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addMember("meadow/meadow.crowd"));
    ClipSelection clips;
    ClipsPanel panel(desk.document, desk.session, desk.playback, clips, nullptr);
    ClipEditor editor(panel.model(), clips);
    TimelineRuler ruler(desk.playback, panel.model(), nullptr);
    const ck::Project before = desk.project();
    const int steps = desk.document.undoStack().count();
    desk.playback.setShownCharacter(1);
    panel.view().selectAll();
    ClipModel& model = panel.model();
    QVERIFY(!model.isEditable());
    QVERIFY(model.whyNotEditable().contains("meadow"));
    QVERIFY(!editor.isEnabled());
    QVERIFY(!(model.flags(model.index(0, 0)) & (Qt::ItemIsEditable | Qt::ItemIsUserCheckable)));
    QVERIFY(!model.setData(model.index(0, 0), "dash", Qt::EditRole));
    QVERIFY(!model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    model.tickAll(false);
    model.invertTicks();
    model.tickOnly({0});
    model.move({0}, 2);
    model.setRootMotion({0}, ck::RootMotion::Extract);
    ruler.addClipEvent("step", 0.1);
    ruler.trimTo(0.1, 0.2);
    QVERIFY(desk.project() == before);
    QCOMPARE(desk.document.undoStack().count(), steps);
    desk.playback.setShownCharacter(0);
    QVERIFY(model.isEditable());
    ruler.addClipEvent("step", 0.1);
    QCOMPARE(desk.document.undoStack().count(), steps + 1);
  }

  void numbersThatClipsCannotHaveAreExplained_data() {
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("says");
    const QString fast = "A clip is baked 0.01 to 100 times as fast as in its file, so idle is at ";
    QTest::newRow("end") << "End of the cut"
                         << "99"
                         << "4.000"
                         << "idle ends at 4.000 s in its file, so the cut ends there";
    QTest::newRow("start") << "Start of the cut"
                           << "-1"
                           << "0.000"
                           << "idle begins at 0.000 s in its file, so the cut starts there";
    QTest::newRow("rate") << "Rate of the clip"
                          << "500"
                          << "100.00" << fast + "100.00";
    QTest::newRow("slow") << "Rate of the clip"
                          << "0"
                          << "0.01" << fast + "0.01";
    QTest::newRow("loop") << "Start of the loop in percent"
                          << "150"
                          << "99.9"
                          << "A loop starts at 0 to 99.9 % of its length; the nearest was taken";
    QTest::newRow("in range") << "Rate of the clip"
                              << "2"
                              << "2.00" << QString();
  }
  void numbersThatClipsCannotHaveAreExplained() {
    QFETCH(QString, field);
    QFETCH(QString, typed);
    QFETCH(QString, shown);
    QFETCH(QString, says);
    Desk desk;
    QVERIFY(desk.open());
    ClipSelection clips;
    ClipsPanel panel(desk.document, desk.session, desk.playback, clips, nullptr);
    QWidget window;
    auto* rows = new QVBoxLayout(&window);
    rows->addWidget(new ClipEditor(panel.model(), clips));
    rows->addWidget(new RootEditor(panel.model(), clips));
    panel.view().setCurrentIndex(panel.view().model()->index(0, 0));
    window.setVisible(true);
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    NumberEdit* number = nullptr;
    for (NumberEdit* each : window.findChildren<NumberEdit*>()) {
      if (each->accessibleName() == field) number = each;
    }
    QVERIFY(number);
    QToolTip::hideText();
    QTRY_VERIFY(!QToolTip::isVisible());
    number->setText(typed);
    QTest::keyClick(number, Qt::Key_Return);
    QCOMPARE(number->text(), shown);
    QCOMPARE(QToolTip::isVisible() ? QToolTip::text() : QString(), says);
  }

  // Clips and bake of a rig file are settings of this project.
  void clipsAndBakeOfARigFileAreEdited() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    ClipSelection selected;
    ClipsPanel panel(desk.document, desk.session, desk.playback, selected, nullptr);
    BakePanel bake(desk.document, desk.session, desk.playback);
    auto* box = [&bake]() -> QComboBox* {
      for (auto* each : bake.findChildren<QComboBox*>()) {
        if (each->findText("Far crowd") >= 0) return each;
      }
      return nullptr;
    }();
    QVERIFY(box);
    const ck::Project before = desk.project();
    desk.playback.setShownCharacter(1);
    QCOMPARE(box->currentText(), QString("Balanced"));
    ClipModel& model = panel.model();
    QVERIFY(model.isEditable());
    // Nothing ticked is nothing to bake, as for the first character.
    model.tickAll(false);
    QVERIFY(desk.session.bakeState(1) == BakeState::NothingTicked);
    desk.document.undoStack().undo();
    QVERIFY(desk.project() == before);
    const std::string second = model.clip(1).name;
    QVERIFY(model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(model.setData(model.index(1, 0), "dash", Qt::EditRole));
    QVERIFY(!model.setData(model.index(2, 0), "dash", Qt::EditRole));
    model.move({1}, 0);
    const std::vector<ck::ProjectClip> clips = desk.project().characters[1].clips;
    QCOMPARE(clips[0].name, second);
    QCOMPARE(clips[0].title, std::string("dash"));
    QVERIFY(!clips[1].ticked);
    QVERIFY(desk.project().characters.front().clips == before.characters.front().clips);
    // Actors keep playing what they play.
    for (const int i : desk.actorsOf(1)) {
      const ck::Actor& was = before.actors[std::size_t(i)];
      const ck::Actor& now = desk.project().actors[std::size_t(i)];
      QCOMPARE(clips[std::size_t(now.clip)].name,
               before.characters[1].clips[std::size_t(was.clip)].name);
    }
    box->setCurrentIndex(box->findText("Far crowd"));
    emit box->activated(box->currentIndex());
    QVERIFY(desk.project().characters[1].bake.encoding == ck::Encoding::T8);
    QVERIFY(desk.project().characters.front().bake == before.characters.front().bake);
    desk.session.bakeNow(1);
    const auto baked = [&desk] { return desk.session.atlas(1); };
    QVERIFY(QTest::qWaitFor(
        [&] {
          return baked()->recipe.encoding == ck::Encoding::T8 &&
                 baked()->clips.front().name == "dash";
        },
        kPatienceMs));
    QCOMPARE(baked()->clips.size(), clips.size() - 1);
    while (desk.document.undoStack().index() > 0 && !(desk.project() == before)) {
      desk.document.undoStack().undo();
    }
    QVERIFY(desk.project() == before);
    QCOMPARE(box->currentText(), QString("Balanced"));
  }

  void listTimeLineAndAtlasFollow() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    ClipSelection selected;
    ClipsPanel clips(desk.document, desk.session, desk.playback, selected, nullptr);
    TimelinePanel timeline(desk.document, desk.session, desk.playback, clips.model(), selected,
                           nullptr);
    AtlasPanel atlas(desk.document, desk.session, desk.playback, desk.selection);
    CharactersPanel characters(desk.document, desk.session, desk.playback);
    const auto names = [&] {
      QStringList all;
      for (int row = 0; row < clips.model().rowCount(); ++row) {
        all << QString::fromStdString(clips.model().clip(row).name);
      }
      return all;
    };
    const auto namesOf = [](const ck::Character& rig) {
      QStringList all;
      for (const ck::Clip& clip : rig.clips) all << QString::fromStdString(clip.name);
      return all;
    };
    QCOMPARE(names(), namesOf(*desk.session.character(0)));
    characters.table().selectRow(1);
    QCOMPARE(desk.playback.shownCharacter(), 1);
    QCOMPARE(names(), namesOf(*desk.session.character(1)));
    QVERIFY(atlas.canvas().atlas() == desk.session.atlas(1));
    // Length, frames and cost are those of its own atlas.
    const ck::AtlasClip& first = desk.session.atlas(1)->clips.front();
    QCOMPARE(desk.playback.shownClip()->frameCount, first.frameCount);
    QTRY_COMPARE(clips.model().index(0, ClipModel::Frames).data().toString(),
                 QString::number(first.frameCount));
    QTRY_VERIFY(clips.model().index(0, ClipModel::Cost).data().toString().toInt() > 0);
    QVERIFY(timeline.markAction().isEnabled());
    desk.playback.setShownClip(1);
    // Each keeps its own clip.
    desk.playback.setShownCharacter(0);
    QCOMPARE(characters.table().currentIndex().row(), 0);
    QCOMPARE(desk.playback.shownIndex(), 0);
    QVERIFY(atlas.canvas().atlas() == desk.session.atlas(0));
    QVERIFY(timeline.markAction().isEnabled());
    desk.playback.setShownCharacter(1);
    QCOMPARE(desk.playback.shownIndex(), 1);
  }

  void soloIsForThoseWithItsRig() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    desk.playback.setVisibleLimit(SIZE_MAX);
    desk.playback.setShownCharacter(1);
    const int last = int(ck::clipsOf(desk.project(), 1).size()) - 1;
    desk.playback.setSolo(last);
    const ck::MixedCrowd& crowd = *desk.playback.crowd();
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const auto place = crowd.placeOf(i);
      const ck::Actor& actor = desk.project().actors[std::size_t(desk.playback.actorOf(i))];
      QCOMPARE(crowd.crowdOf(i).clipOf(place.index), actor.character == 1 ? last : actor.clip);
    }
    desk.playback.setShownCharacter(0);
    QCOMPARE(desk.playback.solo(), -1);
  }

  void whoIsShownAndSoloedStaysWhenOthersLeave() {
    Desk desk;
    QVERIFY(desk.open());
    desk.session.addVariant(0, "bare", {});
    desk.session.addCharacters({ck::test::sample("animal.glb")});
    QVERIFY(QTest::qWaitFor([&] { return desk.project().characters.size() == 3; }, kPatienceMs));
    desk.playback.setVisibleLimit(SIZE_MAX);
    desk.playback.setShownCharacter(2);
    const int last = int(ck::clipsOf(desk.project(), 2).size()) - 1;
    QVERIFY(last > 0);
    desk.playback.setSolo(last);
    QSignalSpy shown(&desk.playback, &Playback::shownCharacterChanged);
    QSignalSpy solo(&desk.playback, &Playback::soloChanged);
    desk.session.remove(1);
    QCOMPARE(desk.playback.shownCharacter(), 1);
    QCOMPARE(desk.playback.shownIndex(), last);
    QCOMPARE(desk.playback.solo(), last);
    QCOMPARE(shown.size(), 1);
    const ck::MixedCrowd& crowd = *desk.playback.crowd();
    int does = 0;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const auto place = crowd.placeOf(i);
      if (place.character != 1) continue;
      QCOMPARE(crowd.crowdOf(i).clipOf(place.index), last);
      ++does;
    }
    QVERIFY(does > 0);
    // A new title leaves it the same one.
    desk.document.edit("Title", [](ck::Project& project) { project.characters[1].title = "fawn"; });
    QCOMPARE(desk.playback.solo(), last);
    QCOMPARE(shown.size(), 1);
    desk.document.undoStack().undo();
    desk.document.undoStack().undo();
    QCOMPARE(desk.playback.shownCharacter(), 2);
    QVERIFY(solo.isEmpty());
    desk.session.remove(2);
    QCOMPARE(desk.playback.shownCharacter(), 0);
    QCOMPARE(desk.playback.solo(), -1);
    QCOMPARE(solo.size(), 1);
  }

  // Panels look at the time of the followed actor while its character is on its way out.
  void theFollowedActorMayLeaveWithItsCharacter() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    desk.document.edit("Doe", [](ck::Project& project) {
      ck::Actor actor = project.actors[0];
      actor.character = 1;
      actor.clip = 0;
      project.actors.set(0, actor);
    });
    AtlasPanel atlas(desk.document, desk.session, desk.playback, desk.selection);
    atlas.show();
    desk.playback.setShownCharacter(1);
    desk.playback.setShownClip(0);
    desk.playback.setFollowed(0);
    QCOMPARE(desk.playback.followedActor(), 0);
    desk.session.remove(1);
    QCOMPARE(desk.project().characters.size(), std::size_t{1});
    QCOMPARE(desk.playback.shownCharacter(), 0);
    QVERIFY(atlas.canvas().atlas() == desk.session.atlas(0));
    desk.document.undoStack().undo();
    desk.playback.setShownCharacter(1);
    QCOMPARE(desk.playback.followedActor(), 0);
    desk.document.undoStack().redo();
    QCOMPARE(desk.playback.shownCharacter(), 0);
  }

  // A clip of one name is another one on another rig.
  void aNameThatTwoRigsHaveDoesNotMoveWhatIsShown() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    ClipSelection selected;
    ClipsPanel panel(desk.document, desk.session, desk.playback, selected, nullptr);
    const auto rowOf = [&](int character, const std::string& name) {
      const auto& clips = ck::clipsOf(desk.project(), character);
      for (std::size_t i = 0; i < clips.size(); ++i) {
        if (clips[i].name == name) return int(i);
      }
      return -1;
    };
    const int other = rowOf(1, "run") == 0 ? 1 : 0;
    QVERIFY(rowOf(0, "run") >= 0 && rowOf(1, "run") >= 0);
    desk.playback.setShownCharacter(1);
    desk.playback.setShownClip(other);
    desk.playback.setShownCharacter(0);
    desk.playback.setShownClip(rowOf(0, "run"));
    QCOMPARE(panel.view().currentIndex().row(), rowOf(0, "run"));
    desk.playback.setShownCharacter(1);
    QCOMPARE(desk.playback.shownIndex(), other);
    QCOMPARE(panel.view().currentIndex().row(), other);
    QCOMPARE(selected.clips(), (std::vector<int>{other}));
  }

  // Of two rigs whose clips are called the same, one alone can be edited.
  void marksCanBeSetAgainOnceTheOtherRigIsGone() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addMember("plaza/plaza.crowd"));
    ClipSelection selected;
    ClipsPanel clips(desk.document, desk.session, desk.playback, selected, nullptr);
    TimelinePanel timeline(desk.document, desk.session, desk.playback, clips.model(), selected,
                           nullptr);
    desk.playback.setShownCharacter(1);
    QVERIFY(!timeline.markAction().isEnabled());
    desk.session.remove(1);
    QVERIFY(clips.model().isEditable());
    QVERIFY(timeline.markAction().isEnabled());
  }

  void aFigureThatWasCancelledCanBeAskedForAgain() {
    Desk desk;
    QVERIFY(desk.open());
    CharacterModel model(desk.document, desk.session);
    bool cancelled = false;
    connect(&desk.tasks, &TaskRunner::started, this, [&](const QString& tag) {
      if (cancelled || !tag.startsWith("measure/")) return;
      cancelled = true;
      const auto stop = [&desk, tag] { desk.tasks.cancel(tag); };
      QMetaObject::invokeMethod(&desk.tasks, stop, Qt::QueuedConnection);
    });
    QVERIFY(desk.addDoe());
    const auto shown = [&] { return model.index(1, CharacterModel::Error).data().toString(); };
    QVERIFY(QTest::qWaitFor([&] { return cancelled && !desk.tasks.isBusy(); }, kPatienceMs));
    QVERIFY(!desk.session.isMeasuring(1));
    QVERIFY(!desk.session.error(1));
    QCOMPARE(shown(), QString(QChar(0x2013)));
    desk.session.measureAgain(1);
    QVERIFY(desk.session.isMeasuring(1));
    QVERIFY(QTest::qWaitFor([&] { return desk.session.error(1) != nullptr; }, kPatienceMs));
    QVERIFY(shown().contains("mm"));
  }

  void figuresOfOthersWaitForABake() {
    Desk desk;
    QVERIFY(desk.open());
    bool held = false;
    connect(&desk.tasks, &TaskRunner::started, this, [&](const QString& tag) {
      if (held || !tag.startsWith("measure/")) return;
      held = true;
      const auto bake = [&desk, tag] {
        desk.session.bakeNow(0);
        QVERIFY(!desk.tasks.isBusy(tag));
        QVERIFY(desk.session.isMeasuring(1));
      };
      QMetaObject::invokeMethod(&desk.tasks, bake, Qt::QueuedConnection);
    });
    QVERIFY(desk.addDoe());
    QVERIFY(QTest::qWaitFor([&] { return held && desk.session.error(1) && desk.session.error(0); },
                            kPatienceMs));
  }

  void theErrorOfEveryCharacterIsMeasured() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    CharacterModel model(desk.document, desk.session);
    BakePanel bake(desk.document, desk.session, desk.playback);
    QVERIFY(QTest::qWaitFor([&] { return desk.session.error(1) && desk.session.error(0); },
                            kPatienceMs));
    const auto known = ck::measureBakeError(*desk.session.character(1), *desk.session.atlas(1));
    QCOMPARE(desk.session.error(1)->palette.shell.max, known->palette.shell.max);
    QVERIFY(known->palette.shell.max != desk.session.error(0)->palette.shell.max);
    const QString shown = QLocale().toString(known->palette.vertices.max, 'f', 2) + " mm";
    QCOMPARE(model.index(1, CharacterModel::Error).data().toString(), shown);
    desk.playback.setShownCharacter(1);
    bool said = false;
    for (const QLabel* label : bake.findChildren<QLabel*>()) {
      const QString text = label->text().replace("&nbsp;", " ");
      said = said || (!label->isHidden() && text.contains(shown));
    }
    QVERIFY(said);
    // A variant has the figures of its source.
    desk.session.addVariant(1, "fawn", {});
    QVERIFY(desk.session.error(2) == desk.session.error(1));
  }

  void figuresAreNeverCut_data() {
    QTest::addColumn<int>("width");
    for (const int width : {300, 345, 364, 420}) QTest::addRow("%d pixels", width) << width;
  }
  void figuresAreNeverCut() {
    QFETCH(int, width);
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    BakePanel bake(desk.document, desk.session, desk.playback);
    bake.resize(width, 500);
    bake.show();
    desk.playback.setShownCharacter(1);
    QVERIFY(QTest::qWaitFor([&] { return desk.session.error(1) && desk.session.error(0); },
                            kPatienceMs));
    for (Fold* fold : bake.findChildren<Fold*>()) fold->setOpen(true);
    QTest::qWait(50);
    int read = 0;
    for (const QLabel* label : bake.findChildren<QLabel*>("figures")) {
      if (!label->isVisible()) continue;
      const auto beside = label->parentWidget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
      for (const QWidget* other : beside) {
        if (other == label || other->isHidden()) continue;
        QVERIFY2(!other->geometry().intersects(label->geometry()), qPrintable(label->text()));
      }
      QVERIFY(label->parentWidget()->width() <= bake.width());
      QTextDocument laidOut;
      laidOut.setDocumentMargin(0.0);
      laidOut.setDefaultFont(label->font());
      laidOut.setHtml(label->text());
      laidOut.setTextWidth(label->contentsRect().width());
      QVERIFY2(label->contentsRect().height() >= laidOut.size().height(),
               qPrintable(label->text()));
      ++read;
    }
    QCOMPARE(read, 7);  // the title, three lines of verdicts, cost, error and state
  }

  void actorsFadeToClipsOfTheirOwn() {
    Desk desk;
    QVERIFY(desk.open());
    QVERIFY(desk.addDoe());
    const std::vector<int> does = desk.actorsOf(1);
    const std::vector<int> people = desk.actorsOf(0);
    const auto called = [&](int character, const std::string& title) {
      const auto& clips = ck::clipsOf(desk.project(), character);
      for (std::size_t i = 0; i < clips.size(); ++i) {
        if (ck::titleOf(clips[i]) == title) return int(i);
      }
      return -1;
    };
    const auto fadeOf = [&](int actor) {
      return desk.project().actors[std::size_t(actor)].fadeClip;
    };
    // Both can run, only does graze.
    desk.playback.fade({people[0], does[0]}, {.clip = called(1, "run"), .seconds = 0.5}, 1);
    QCOMPARE(fadeOf(does[0]), called(1, "run"));
    QCOMPARE(fadeOf(people[0]), called(0, "run"));
    QVERIFY(called(0, "run") != called(1, "run"));
    desk.playback.fade({people[1], does[1]}, {.clip = called(1, "graze"), .seconds = 0.5}, 1);
    QCOMPARE(fadeOf(does[1]), called(1, "graze"));
    QVERIFY(fadeOf(people[1]) < 0);
  }

  void aGiantIsOfferedSmallerActors() {
    const auto fox = ck::test::sharedModel("fox/Fox.glb");
    if (!fox) QSKIP("the shared test rigs are not there: fox/Fox.glb");
    Desk desk;
    QVERIFY(desk.open());
    desk.notices.clear();
    desk.session.addCharacters({QString::fromStdString(fox->string())});
    QVERIFY(QTest::qWaitFor([&] { return !desk.notices.isEmpty(); }, kPatienceMs));
    const auto notice = desk.notices.first().first().value<Notice>();
    QVERIFY2(notice.text.contains("79 m"), qPrintable(notice.text));
    const ck::Project before = desk.project();
    notice.actions[0].run();
    for (std::size_t i = 0; i < before.actors.size(); ++i) {
      const float old = before.actors[i].scale;
      const bool isFox = before.actors[i].character == 1;
      QCOMPARE(desk.project().actors[i].scale, isFox ? old * 0.01f : old);
    }
    desk.document.undoStack().undo();
    QVERIFY(desk.project() == before);
  }
};

CK_TEST(tst_shown_character, QApplication)
#include "tst_shown_character.moc"
