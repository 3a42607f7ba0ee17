#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QUndoView>

#include "core/crowd/crowd_spawn.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/history/history_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/windows/main_window.h"

using namespace ck::ui;
using ck::Project;
using ck::test::kPatienceMs;

// Undo as people know it: its keys in fields, its list, what is no step, and messages that go.
class tst_undo_keys : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  const Project& project() const { return window_->document().project(); }
  int steps() const { return window_->document().undoStack().index(); }

 private slots:
  void initTestCase() {
    ck::test::startWithSamples();
    window_ = std::make_unique<MainWindow>("no OpenGL in this test");
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QApplication::setActiveWindow(window_.get());
    window_->files().open({ck::test::sample("humanoid.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().atlas(0) && !window_->tasks().isBusy(),
                             kPatienceMs);
    window_->playback().setPlaying(false);
    QTRY_VERIFY(window_->isActiveWindow());
  }

  void cleanupTestCase() { window_.reset(); }

  void keysOfAFieldUndoTypingThenTheDocument() {
    auto* count = window_->panel<ActorsPanel>().spawnBar().findChild<QSpinBox*>();
    QCOMPARE(count->accessibleName(), QString("Number of actors"));
    const int before = project().crowds.front().spawn.count;
    const int step = steps();
    count->setFocus();
    QTRY_VERIFY(count->hasFocus());
    count->selectAll();
    QTest::keyClicks(count, "7");
    QTest::keyClick(count, Qt::Key_Return);
    QCOMPARE(project().crowds.front().spawn.count, 7);
    QCOMPARE(steps(), step + 1);
    // Nothing typed since: the document.
    QTest::keyClick(count, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(project().crowds.front().spawn.count, before);
    QCOMPARE(count->value(), before);
    QVERIFY(count->hasFocus());
    QTest::keyClick(count, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(project().crowds.front().spawn.count, 7);
    QTest::keyClick(count, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(count, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(project().crowds.front().spawn.count, 7);
    // Something typed: the field alone.
    auto* field = count->findChild<QLineEdit*>();
    count->selectAll();
    QTest::keyClicks(count, "93");
    QCOMPARE(field->text(), QString("93"));
    QTest::keyClick(count, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(project().crowds.front().spawn.count, 7);
    QVERIFY(field->text() != "93");
    while (field->isModified()) QTest::keyClick(count, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(project().crowds.front().spawn.count, 7);
    QTest::keyClick(count, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(project().crowds.front().spawn.count, before);
  }

  void theHistoryListsEveryStepAndGoesThere() {
    Document& document = window_->document();
    auto& history = window_->panel<HistoryPanel>();
    const int step = steps();
    const Project before = project();
    document.edit("First", [](Project& p) { p.randomSeed = 100; });
    document.edit("Second", [](Project& p) { p.randomSeed = 200; });
    QCOMPARE(history.model()->rowCount(), step + 3);
    const QModelIndex row = history.model()->index(step + 1, 0);
    QCOMPARE(row.data().toString(), QString("First"));
    window_->panels().raise(history);
    QTRY_VERIFY(history.isVisible());
    QTest::mouseClick(history.viewport(), Qt::LeftButton, {}, history.visualRect(row).center());
    QCOMPARE(project().randomSeed, std::uint64_t(100));
    document.undoStack().setIndex(step);
    QVERIFY(project() == before);
  }

  void theViewIsNoStepAndStays() {
    Document& document = window_->document();
    document.markSaved("/nowhere/p.crowd");
    const int step = steps();
    document.edit("Seed", [](Project& p) { p.randomSeed = 9; });
    document.undoStack().undo();
    QVERIFY(!document.isModified());
    const bool grid = project().view.grid;
    for (QAction* action : window_->findChildren<QAction*>()) {
      if (action->text() == "&Grid") action->trigger();
    }
    QCOMPARE(project().view.grid, !grid);
    document.setView([](Project& p) {
      p.playbackSpeed = 0.25;
      p.desk.selected = {4};
    });
    QCOMPARE(steps(), step);
    QVERIFY(document.isModified());
    document.undoStack().redo();
    QCOMPARE(project().randomSeed, std::uint64_t(9));
    document.undoStack().undo();
    QCOMPARE(project().view.grid, !grid);
    QCOMPARE(project().playbackSpeed, 0.25);
    QCOMPARE(project().desk.selected, std::vector<int>{4});
    QVERIFY(document.isModified());
    document.markSaved("/nowhere/p.crowd");
    QVERIFY(!document.isModified());
    // setView() changes the view only.
    document.setView([](Project& p) { p.randomSeed = 77; });
    QVERIFY(project().randomSeed != 77);
  }

  void messagesGoWithTheirCause() {
    NotificationBar& bar = window_->viewportFrame().notifications();
    bool holds = true;
    bar.push({Notice::Level::Hint, "stays", {}});
    bar.push({Notice::Level::Hint, "goes", {}, [&holds] { return holds; }});
    bar.review();
    QCOMPARE(bar.current()->text, QString("goes"));
    holds = false;
    bar.review();
    QCOMPARE(bar.current()->text, QString("stays"));
    bar.closeCurrent();
    QVERIFY(!bar.current());
    // A refused import is no matter any more once something else is imported.
    window_->session().importRig({"/nowhere/at/all.glb"});
    QTRY_VERIFY_WITH_TIMEOUT(bar.current(), kPatienceMs);
    QVERIFY(bar.current()->text.contains("all.glb"));
    window_->session().importRig({ck::test::sample("humanoid.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    QVERIFY2(!bar.current(), bar.current() ? qPrintable(bar.current()->text) : "");
    // A bake that is refused, until its settings are undone.
    window_->document().edit("Too small",
                             [](Project& p) { p.characters.front().bake.maxTextureSize = 16; });
    window_->session().bakeNow(0);
    QTRY_VERIFY_WITH_TIMEOUT(bar.current(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    window_->document().undoStack().undo();
    QVERIFY2(!bar.current(), bar.current() ? qPrintable(bar.current()->text) : "");
  }
};

CK_TEST(tst_undo_keys, QApplication)
#include "tst_undo_keys.moc"
