// The menu Crowd > Playback: single actors are paused, turned round, restarted and sent back while
// the others go on. Judged by the pixels of the halves of the picture, in which an actor each
// stands.
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <cmath>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/windows/playback_menu.h"

using ck::Actor;
using ck::PlayAction;
using ck::Project;

namespace {

// Two actors who walk on the spot and pass to another clip from 1 s to 3 s.
std::vector<Actor> twoActors(double yaw) {
  std::vector<Actor> actors(2);
  for (std::size_t i = 0; i < actors.size(); ++i) {
    // To the left and to the right of the camera.
    const double side = i == 0 ? -1.6 : 1.6;
    actors[i].position = glm::vec3(glm::dvec3(std::cos(yaw), 0.0, -std::sin(yaw)) * side);
    actors[i].fadeClip = 1;
    actors[i].fadeSeconds = 2.0f;
    actors[i].fadeAtSeconds = 1.0f;
  }
  return actors;
}

}  // namespace

class tst_playback_menu : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    ck::ui::Document& document = stage_.window->document();
    const double yaw = stage_.viewport->camera().yaw;
    document.edit("Two actors", [yaw](Project& project) {
      project.actors = ck::ActorList(twoActors(yaw));
      project.view.shadows = ck::Shadows::Off;
      project.view.grid = false;
    });
    stage_.viewport->frameAll();
    start_ = document.undoStack().index();
  }
  void cleanupTestCase() { stage_.close(); }
  void cleanup() {
    QUndoStack& stack = stage_.window->document().undoStack();
    while (stack.index() > start_) stack.undo();
    stage_.window->selection().clear();
    playback().seek(0.0);
  }

  void rejectsWhatNobodyIsSelectedFor() {
    for (QAction* action : menu().actions()) {
      if (action->isSeparator()) continue;
      QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
      QVERIFY2(action->toolTip().contains("Select actors first"), qPrintable(action->toolTip()));
    }
    stage_.window->selection().set({0});
    QVERIFY(entry("P&ause")->isEnabled());
    QVERIFY(entry("&Once")->isEnabled());
    QVERIFY(!entry("&Clear commands")->isEnabled());
    QVERIFY(entry("&Clear commands")->toolTip().endsWith("They have no commands"));
    QCOMPARE(stage_.window->document().undoStack().index(), start_);
    playback().command({}, PlayAction::Pause);
    playback().command({77}, PlayAction::Pause);
    QVERIFY(actor(0).commands.empty() && actor(1).commands.empty());
  }

  void rejectsMoreCommandsThanFilesHold() {
    stage_.window->document().edit("Many", [](Project& project) {
      Actor full = project.actors[0];
      full.commands =
          std::vector<ck::PlayCommand>(ck::kMostPlayCommands, {0.5f, PlayAction::Reverse});
      project.actors.set(0, full);
    });
    stage_.window->selection().set({0});
    QVERIFY(!entry("P&ause")->isEnabled());
    QVERIFY(entry("P&ause")->toolTip().contains("1000"));
    playback().seek(2.0);
    playback().command({0}, PlayAction::Pause);
    QCOMPARE(actor(0).commands.size(), ck::kMostPlayCommands);
  }

  void aPauseHoldsTheMiddleOfAFade() {
    playback().seek(2.0);
    const QImage before = picture();
    QVERIFY(before.save(QStringLiteral(CK_PICTURES_DIR "/playback-before.png")));
    stage_.window->selection().set({0});
    entry("P&ause")->trigger();
    stage_.window->selection().clear();
    QCOMPARE(stage_.window->document().undoStack().index(), start_ + 1);
    QCOMPARE(stage_.window->document().undoStack().undoText(), QString("Pause of 1 actor"));
    playback().seek(2.6);
    const QImage paused = picture();
    QVERIFY(paused.save(QStringLiteral(CK_PICTURES_DIR "/playback-paused.png")));
    QVERIFY2(changed(before, paused, 0) < 20,
             qPrintable(QString::number(changed(before, paused, 0))));
    QVERIFY2(changed(before, paused, 1) > 200,
             qPrintable(QString::number(changed(before, paused, 1))));
    stage_.window->document().undoStack().undo();
    const QImage undone = picture();
    QVERIFY(changed(before, undone, 0) > 200);
    QCOMPARE(changed(paused, undone, 1), 0);
  }

  // At 2.5 s an actor that turned round at 2.25 s stands as it did at 2 s.
  void othersGoOnWhileOneGoesBack() {
    for (const char* text : {"&Reverse", "Re&trace"}) {
      playback().seek(2.0);
      const QImage before = picture();
      playback().seek(2.25);
      stage_.window->selection().set({1});
      entry(text)->trigger();
      stage_.window->selection().clear();
      playback().seek(2.5);
      const QImage back = picture();
      QVERIFY2(changed(before, back, 1) < 20, text);
      QVERIFY2(changed(before, back, 0) > 200, text);
      stage_.window->document().undoStack().undo();
    }
    playback().seek(0.5);
    const QImage early = picture();
    playback().seek(2.0);
    stage_.window->selection().set({1});
    entry("Re&start")->trigger();
    stage_.window->selection().clear();
    playback().seek(2.5);
    QVERIFY(changed(early, picture(), 1) < 20);
    QVERIFY(changed(early, picture(), 0) > 200);
  }

  void commandsAreGoneWhereTheStoryChanges() {
    ck::ui::Playback& play = playback();
    play.seek(3.0);
    play.command({0, 1}, PlayAction::Pause);
    play.seek(1.0);
    play.command({0}, PlayAction::Reverse);
    QCOMPARE(ck::commandsText(actor(0).commands), std::string("reverse@1"));
    QCOMPARE(ck::commandsText(actor(1).commands), std::string("pause@3"));
    stage_.window->selection().set({0, 1});
    entry("&Clear commands")->trigger();
    QVERIFY(actor(0).commands.empty() && actor(1).commands.empty());
    QCOMPARE(stage_.window->document().undoStack().index(), start_ + 3);
  }

  void theMenuSetsHowClipsEnd() {
    stage_.window->selection().set({0, 1});
    QVERIFY(entry("&By clip")->isChecked());
    entry("P&ing-pong")->trigger();
    QCOMPARE(stage_.window->document().undoStack().index(), start_ + 1);
    QVERIFY(actor(0).loop == ck::LoopMode::PingPong && actor(1).loop == ck::LoopMode::PingPong);
    QVERIFY(entry("P&ing-pong")->isChecked() && !entry("&By clip")->isChecked());
    stage_.window->selection().set({1});
    entry("&By clip")->trigger();
    QVERIFY(!actor(1).loop);
    stage_.window->selection().set({0, 1});
    for (const char* text : {"&Once", "&Loop", "P&ing-pong", "&By clip"}) {
      QVERIFY2(!entry(text)->isChecked(), text);
    }
  }

  void theTimeLineTellsHowTheyPlay() {
    playback().command({0}, PlayAction::Pause);
    playback().seek(1.5);
    stage_.window->selection().set({0});
    QVERIFY(reading().startsWith("actor paused at 0.00 s"));
    menu().ensurePolished();
    menu().adjustSize();
    QVERIFY(menu().grab().save(QStringLiteral(CK_PICTURES_DIR "/playback-menu.png")));
    QVERIFY(stage_.window->grab().save(QStringLiteral(CK_PICTURES_DIR "/playback-window.png")));
    stage_.window->selection().set({0, 1});
    QVERIFY2(reading().startsWith("1 paused, 0 backwards of 2 actors"), qPrintable(reading()));
    stage_.window->selection().set({1});
    QVERIFY2(reading().startsWith("crowd at 1.50 s"), qPrintable(reading()));
  }

 private:
  ck::ui::Playback& playback() { return stage_.window->playback(); }
  const Actor& actor(int index) {
    return stage_.window->document().project().actors[std::size_t(index)];
  }
  QMenu& menu() { return *stage_.window->findChild<QMenu*>(ck::ui::kPlaybackMenu); }
  QAction* entry(const char* text) {
    for (QAction* action : menu().actions()) {
      if (action->text() == QLatin1String(text)) return action;
    }
    qFatal("no entry %s", text);
  }
  QString reading() {
    for (const QLabel* label : stage_.window->findChildren<QLabel*>()) {
      if (label->text().contains("crowd at")) return label->text();
    }
    return {};
  }
  QImage picture() { return stage_.viewport->grabFramebuffer(); }
  // Clearly changed pixels of the left (0) or the right half.
  static int changed(const QImage& a, const QImage& b, int half) {
    const QRect part(half * a.width() / 2, 0, a.width() / 2, a.height());
    return ck::test::differences(a.copy(part), b.copy(part));
  }

  ck::test::WindowStage stage_;
  int start_ = 0;
};

CK_TEST(tst_playback_menu, ck::test::EditorApplication)
#include "tst_playback_menu.moc"
