#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>

#include "core/project/project_json.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/document/project_lock.h"
#include "ui/files/recovery.h"
#include "ui/viewport/notification_bar.h"
#include "ui/windows/main_window.h"

using namespace ck::ui;
using ck::Project;

namespace {

QString textOf(const NotificationBar& bar) {
  return bar.current() ? bar.current()->text : QString();
}

bool press(NotificationBar& bar, const QString& label) {
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  for (QPushButton* button : bar.findChildren<QPushButton*>()) {
    if (button->text() != label) continue;
    button->click();
    return true;
  }
  return false;
}

// Answers the question that comes next.
void answer(QMessageBox::StandardButton button) {
  QTimer::singleShot(0, qApp, [button] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(box && box->button(button));
    box->button(button)->click();
  });
}

void setSeed(Document& document, int seed) {
  document.edit("Seed", [seed](Project& project) { project.randomSeed = std::uint64_t(seed); });
}

// Cancels the dialog that comes next, and notes what it proposes.
void noteProposal(QString& name) {
  QTimer::singleShot(0, qApp, [&name] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    QVERIFY(dialog);
    name = QFileInfo(dialog->selectedFiles().value(0)).fileName();
    dialog->reject();
  });
}

}  // namespace

// The file of a project that other programs write, too, and what saves propose.
class tst_project_on_disk : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

  static int seedIn(const QString& path) {
    const auto project = ck::readProjectFile(path.toStdString());
    return project ? int(project->randomSeed) : -1;
  }
  static bool write(const QString& path, int seed) {
    Project project;
    project.randomSeed = std::uint64_t(seed);
    return ck::writeProjectFile(project, path.toStdString()).has_value();
  }

 private slots:
  void initTestCase() {
    ck::test::startWithSamples();
    ck::test::keepSettingsIn(settings_);
  }

  void aSaveOverAnotherVersionAsksFirst() {
    QTemporaryDir folder;
    const QString path = folder.filePath("hero.crowd");
    QVERIFY(write(path, 1));
    MainWindow first("no OpenGL in this test");
    MainWindow second("no OpenGL in this test");
    first.show();
    second.show();
    NotificationBar& bar = first.viewportFrame().notifications();
    first.files().open({path});
    second.files().open({path});
    QVERIFY(press(second.viewportFrame().notifications(), "Open anyway"));
    QCOMPARE(second.document().path(), path);
    QTRY_VERIFY2(textOf(bar).contains("open in another window now, too"), qPrintable(textOf(bar)));
    bar.closeCurrent();
    setSeed(second.document(), 77);
    QVERIFY(second.files().save());
    setSeed(first.document(), 5);
    // Nothing is written before the answer, and nothing after Cancel.
    answer(QMessageBox::Cancel);
    QVERIFY(!first.files().save());
    QCOMPARE(seedIn(path), 77);
    QVERIFY(first.document().isModified());
    // Reload, and back.
    answer(QMessageBox::Reset);
    QVERIFY(!first.files().save());
    QCOMPARE(int(first.document().project().randomSeed), 77);
    QVERIFY(!first.document().isModified());
    first.document().undoStack().undo();
    QCOMPARE(int(first.document().project().randomSeed), 5);
    QVERIFY(first.document().isModified());
    // A file that was read again is no surprise any more.
    QVERIFY(first.files().save());
    QCOMPARE(seedIn(path), 5);
    setSeed(second.document(), 78);
    answer(QMessageBox::Discard);
    QVERIFY(second.files().save());
    QCOMPARE(seedIn(path), 78);
    QCOMPARE(seedIn(path + ".bak"), 5);
  }

  void anotherNameLeavesTheOtherVersion() {
    QTemporaryDir folder;
    const QString path = folder.filePath("hero.crowd");
    const QString other = folder.filePath("mine.crowd");
    QVERIFY(write(path, 1));
    MainWindow window("no OpenGL in this test");
    window.show();
    window.files().open({path});
    setSeed(window.document(), 5);
    QVERIFY(write(path, 2));
    QTimer::singleShot(0, qApp, [&other] {
      QTimer::singleShot(0, qApp, [&other] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        dialog->selectFile(other);
        QMetaObject::invokeMethod(dialog, "accept");
      });
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      QVERIFY(box);
      box->button(QMessageBox::Save)->click();
    });
    QVERIFY(window.files().save());
    QCOMPARE(seedIn(path), 2);
    QCOMPARE(seedIn(other), 5);
    QCOMPARE(window.document().path(), other);
  }

  void aChangeOnTheDiskIsTold() {
    QTemporaryDir folder;
    const QString path = folder.filePath("hero.crowd");
    QVERIFY(write(path, 1));
    MainWindow window("no OpenGL in this test");
    window.show();
    NotificationBar& bar = window.viewportFrame().notifications();
    window.files().open({path});
    // Saves of its own are no change.
    setSeed(window.document(), 2);
    QVERIFY(window.files().save());
    QTest::qWait(600);
    QVERIFY2(!bar.current(), qPrintable(textOf(bar)));
    QVERIFY(write(path, 3));
    QTRY_VERIFY2(textOf(bar).contains("changed on disk"), qPrintable(textOf(bar)));
    QCOMPARE(int(window.document().project().randomSeed), 2);
    QVERIFY(press(bar, "Reload"));
    QCOMPARE(int(window.document().project().randomSeed), 3);
    QVERIFY(!window.document().isModified());
    QVERIFY(!bar.current());
    QVERIFY(write(path, 4));
    QTRY_VERIFY(textOf(bar).contains("changed on disk"));
    QVERIFY(press(bar, "Keep mine"));
    QVERIFY(!bar.current());
    QVERIFY(window.document().isModified());
    // It was answered.
    QVERIFY(window.files().save());
    QCOMPARE(seedIn(path), 3);
    // A file that was taken away is written again.
    QVERIFY(QFile::remove(path));
    QVERIFY(window.files().save());
    QCOMPARE(seedIn(path), 3);
  }

  // A project of 10,000 actors and more is written in the background.
  void aLargeProjectIsSavedWhileTheWindowGoesOn() {
    QTemporaryDir folder;
    const QString path = folder.filePath("hero.crowd");
    Project project;
    project.actors = ck::ActorList(std::vector<ck::Actor>(12000));
    QVERIFY(ck::writeProjectFile(project, path.toStdString()));
    MainWindow window("no OpenGL in this test");
    window.show();
    Document& document = window.document();
    NotificationBar& bar = window.viewportFrame().notifications();
    window.files().open({path});
    QCOMPARE(document.path(), path);
    setSeed(document, 5);
    QVERIFY(window.files().save());
    QVERIFY(document.isModified());
    // An edit that is made meanwhile is not in the file.
    setSeed(document, 6);
    QTRY_COMPARE(seedIn(path), 5);
    QTest::qWait(600);
    QVERIFY2(!bar.current(), qPrintable(textOf(bar)));
    QVERIFY(document.isModified());
    QVERIFY(window.files().save());
    QTRY_VERIFY(!document.isModified());
    QCOMPARE(seedIn(path), 6);
    QCOMPARE(seedIn(path + ".bak"), 5);
    // The watch is awake again.
    project.randomSeed = 9;
    QVERIFY(ck::writeProjectFile(project, path.toStdString()));
    QTRY_VERIFY2(textOf(bar).contains("changed on disk"), qPrintable(textOf(bar)));
    QVERIFY(press(bar, "Keep mine"));
    // A failure to write is told, and the edit stays a change.
    setSeed(document, 7);
    QVERIFY(QFile::remove(path));
    QVERIFY(QDir().mkdir(path));
    QVERIFY(window.files().save());
    QTRY_VERIFY2(textOf(bar).contains("hero.crowd"), qPrintable(textOf(bar)));
    QVERIFY(document.isModified());
    QVERIFY(QDir().rmdir(path));
    // Closing waits for the file, and asks nothing.
    QVERIFY(window.files().save());
    QVERIFY(window.close());
    QCOMPARE(seedIn(path), 7);
  }

  void aSecondWindowKeepsItsMark() {
    QTemporaryDir folder;
    const QString path = folder.filePath("hero.crowd");
    QVERIFY(write(path, 1));
    ProjectLock first;
    QVERIFY(first.take(path));
    QVERIFY(!first.isShared());
    {
      ProjectLock second;
      QVERIFY(!second.take(path));
      second.takeBeside(path);
      QVERIFY(first.isShared() && second.isShared());
      first.release();
      QVERIFY(!second.isShared());
      QVERIFY(ProjectLock::isTaken(path));
      QVERIFY(!first.take(path));
    }
    QVERIFY(!ProjectLock::isTaken(path));
    QVERIFY(first.take(path));
  }

  void savesProposeTheNameOfTheProject() {
    QTemporaryDir folder;
    MainWindow window("no OpenGL in this test");
    window.show();
    QString name;
    noteProposal(name);
    QVERIFY(!window.files().askSaveAs());
    QCOMPARE(name, QString("crowd.crowd"));
    window.files().open({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().character(0), ck::test::kPatienceMs);
    noteProposal(name);
    QVERIFY(!window.files().askSaveAs());
    QCOMPARE(name, QString("animal.crowd"));
    window.document().markSaved(folder.filePath("hero.crowd"));
    noteProposal(name);
    QVERIFY(!window.files().askSaveAs());
    QCOMPARE(name, QString("hero.crowd"));
    // A bundled sample is one however it is opened, and its file is not written.
    window.files().open({ck::test::sample("plaza/plaza.crowd")});
    QVERIFY(window.document().path().isEmpty());
    QCOMPARE(window.document().displayName(), QString("plaza (sample)"));
    noteProposal(name);
    QVERIFY(!window.files().save());
    QCOMPARE(name, QString("plaza.crowd"));
  }

  void unsavedWorkKeepsSelectionAndCamera() {
    QTemporaryDir folder;
    const std::filesystem::path root = ck::pathFromText(folder.filePath("kept").toStdString());
    const QString path = folder.filePath("hero.crowd");
    ck::test::WindowStage stage;
    QVERIFY(stage.open());
    MainWindow& window = *stage.window;
    window.keepWorkIn(root);
    window.selection().set({3, 5});
    const auto camera = stage.viewport->cameraPlace();
    setSeed(window.document(), 5);
    window.findChild<Recovery*>()->autosave().write();
    QTRY_COMPARE(ck::listRecoveries(root).size(), std::size_t(1));
    const auto kept = ck::readRecovery(ck::listRecoveries(root).front());
    QVERIFY(kept.has_value());
    QCOMPARE(kept->desk.selected, (std::vector<int>{3, 5}));
    QVERIFY(kept->desk.camera.has_value());
    QVERIFY(*kept->desk.camera == camera);
    window.document().markSaved(path);
  }
};

CK_TEST(tst_project_on_disk, QApplication)
#include "tst_project_on_disk.moc"
