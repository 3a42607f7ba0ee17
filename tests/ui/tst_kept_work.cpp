#include <QDir>
#include <QListView>
#include <QLockFile>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>

#include "core/project/project_json.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/document/autosave.h"
#include "ui/document/project_lock.h"
#include "ui/log/log_panel.h"
#include "ui/viewport/notification_bar.h"
#include "ui/windows/main_window.h"

namespace fs = std::filesystem;
using namespace ck::ui;
using ck::Project;

namespace {

fs::path pathOf(const QTemporaryDir& folder, const char* name) {
  return ck::pathFromText(folder.path().toStdString()) / name;
}

QString textOf(const NotificationBar& bar) {
  return bar.current() ? bar.current()->text : QString();
}

// Presses a button of the message that is shown.
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

void name(Project& project) {
  project.randomSeed = 4711;
}

}  // namespace

// Autosaves, recovered work, backups, locks and later versions.
class tst_kept_work : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

 private slots:
  void initTestCase() {
    ck::test::startWithSamples();
    QCoreApplication::setOrganizationName("CrowdkilnTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
  }

  // tst_kept_work_backward_clock runs all of this while the time of day runs backwards.
  void theTimeOfDayRunsAsTheEntryWantsIt() {
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    QTest::qSleep(50);
    const qint64 passed = QDateTime::currentMSecsSinceEpoch() - before;
    QCOMPARE(passed < 0, qEnvironmentVariableIsSet("CK_BACKWARD_CLOCK"));
  }

  void unsavedWorkIsKeptAndRemovedWhenItIsSaved() {
    QTemporaryDir folder;
    const fs::path root = pathOf(folder, "recovery");
    Document document;
    {
      Autosave autosave(document, root);
      QSignalSpy written(&autosave, &Autosave::written);
      autosave.setTimes(200, 50);
      document.edit("Seed", name);
      QTRY_COMPARE(written.count(), 1);
      const auto all = ck::listRecoveries(root);
      QCOMPARE(all.size(), std::size_t(1));
      QVERIFY(*ck::readRecovery(all.front()) == document.project());
      // It belongs to a window that runs.
      QVERIFY(autosave.orphans().empty());
      Document other;
      QVERIFY(Autosave(other, root).orphans().empty());
      document.markSaved(folder.filePath("p.crowd"));
      QVERIFY(ck::listRecoveries(root).empty());
      // A view is work, too.
      document.setView([](Project& project) { project.view.grid = !project.view.grid; });
      QTRY_COMPARE(written.count(), 2);
      QCOMPARE(ck::listRecoveries(root).front().origin, folder.filePath("p.crowd").toStdString());
    }
    // A clean end leaves nothing.
    QVERIFY(fs::is_empty(root));
  }

  void nothingIsWrittenWhileTheArtistIsBusy() {
    QTemporaryDir folder;
    Document document;
    Autosave autosave(document, pathOf(folder, "recovery"));
    QSignalSpy written(&autosave, &Autosave::written);
    autosave.setTimes(300, 100'000);
    document.edit("Seed", name);
    // At the latest after twice the time.
    QElapsedTimer timer;
    timer.start();
    QTRY_COMPARE(written.count(), 1);
    QVERIFY(timer.elapsed() >= 600);
  }

  void aFolderThatCannotBeWrittenIsToldOnce() {
    QTemporaryDir folder;
    const fs::path root = pathOf(folder, "recovery");
    Document document;
    Autosave autosave(document, root);
    // A file stands where the window's folder was.
    for (const auto& entry : fs::directory_iterator(root)) {
      fs::remove_all(entry.path());
      QFile file(QString::fromStdString(entry.path().string()));
      QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QSignalSpy failed(&autosave, &Autosave::failed);
    document.edit("Seed", name);
    autosave.write();
    QTRY_COMPARE(failed.count(), 1);
    document.edit("Seed", [](Project& project) { project.randomSeed = 5; });
    autosave.write();
    QTest::qWait(200);
    QCOMPARE(failed.count(), 1);
  }

  void workOfAWindowThatHasEndedIsOffered() {
    QTemporaryDir folder;
    const fs::path root = pathOf(folder, "recovery");
    const QString path = folder.filePath("plaza.crowd");
    Project saved;
    saved.randomSeed = 1;
    QVERIFY(ck::writeProjectFile(saved, path.toStdString()));
    Project unsaved = saved;
    unsaved.randomSeed = 2;
    const ck::RecoveredWork work{root / "gone", path.toStdString(), "plaza.crowd",
                                 QDateTime::currentSecsSinceEpoch()};
    QVERIFY(ck::writeRecovery(work, unsaved));
    {
      MainWindow window("no OpenGL in this test");
      window.show();
      NotificationBar& bar = window.viewportFrame().notifications();
      window.keepWorkIn(root);
      QVERIFY2(textOf(bar).startsWith("Recovered unsaved work of plaza.crowd from "),
               qPrintable(textOf(bar)));
      QVERIFY(press(bar, "Later"));
      QVERIFY(fs::exists(work.folder));
    }
    {
      MainWindow window("no OpenGL in this test");
      window.show();
      NotificationBar& bar = window.viewportFrame().notifications();
      window.keepWorkIn(root);
      QVERIFY(press(bar, "Open"));
      QVERIFY(window.document().project() == unsaved);
      QVERIFY(window.document().isModified());
      QCOMPARE(window.document().path(), path);
      // The file is as it was, and the work is kept by this window now.
      QVERIFY(ck::readProjectFile(path.toStdString())->randomSeed == 1);
      QTRY_VERIFY(!fs::exists(work.folder));
      QTRY_COMPARE(ck::listRecoveries(root).size(), std::size_t(1));
      QVERIFY(window.files().save());
      QVERIFY(ck::readProjectFile(path.toStdString())->randomSeed == 2);
      QVERIFY(ck::listRecoveries(root).empty());
    }
    QVERIFY(ck::writeRecovery(work, unsaved));
    MainWindow window("no OpenGL in this test");
    window.show();
    NotificationBar& bar = window.viewportFrame().notifications();
    window.keepWorkIn(root);
    QVERIFY(press(bar, "Discard"));
    QVERIFY(!fs::exists(work.folder));
  }

  void aDamagedProjectOffersItsBackupAndItsAutosave() {
    QTemporaryDir folder;
    const fs::path root = pathOf(folder, "recovery");
    const QString path = folder.filePath("plaza.crowd");
    Project project;
    for (const int seed : {1, 2}) {
      project.randomSeed = std::uint64_t(seed);
      QVERIFY(ck::writeProjectFile(project, path.toStdString()));
    }
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.resize(file.size() / 2));
    file.close();
    MainWindow window("no OpenGL in this test");
    window.show();
    NotificationBar& bar = window.viewportFrame().notifications();
    window.files().open({path});
    QVERIFY2(textOf(bar).contains("plaza.crowd"), qPrintable(textOf(bar)));
    const QAbstractItemModel* log = window.panel<LogPanel>().findChild<QListView*>()->model();
    const auto logged = [log, text = textOf(bar)] {
      return log->match(log->index(0, 0), Qt::DisplayRole, text, -1, Qt::MatchContains).size();
    };
    QTRY_COMPARE(logged(), 1);
    QVERIFY(!press(bar, "Open last autosave"));
    QVERIFY(press(bar, "Open backup"));
    QCOMPARE(window.document().project().randomSeed, std::uint64_t(1));
    QCOMPARE(window.document().path(), path);
    QVERIFY(window.document().isModified());
    QVERIFY(!bar.current());
    window.document().markSaved(path);
    // With an autosave of it.
    project.randomSeed = 3;
    QVERIFY(ck::writeRecovery({root / "gone", path.toStdString(), "plaza.crowd", 1}, project));
    window.keepWorkIn(root);
    QVERIFY(press(bar, "Later"));
    window.files().open({path});
    QVERIFY(press(bar, "Open last autosave"));
    QCOMPARE(window.document().project().randomSeed, std::uint64_t(3));
    QVERIFY(window.files().save());
    QCOMPARE(ck::readProjectFile(path.toStdString())->randomSeed, std::uint64_t(3));
  }

  void aProjectThatAnotherWindowHasIsNotSavedOver() {
    QTemporaryDir folder;
    const QString path = folder.filePath("plaza.crowd");
    QVERIFY(ck::writeProjectFile({}, path.toStdString()));
    auto first = std::make_unique<MainWindow>("no OpenGL in this test");
    first->files().open({path});
    QVERIFY(QFile::exists(folder.filePath(".plaza.crowd.lock")));
    MainWindow second("no OpenGL in this test");
    second.show();
    NotificationBar& bar = second.viewportFrame().notifications();
    second.files().open({path});
    QVERIFY2(textOf(bar).contains("is open in another window"), qPrintable(textOf(bar)));
    QVERIFY(second.document().path().isEmpty());
    QCOMPARE(second.document().displayName(), QString("plaza (read only)"));
    // Not under its name either, while the other window has it.
    QVERIFY(!second.files().saveTo(path));
    QVERIFY2(textOf(bar).contains("is open in another window"), qPrintable(textOf(bar)));
    bar.closeCurrent();
    second.files().open({path});
    QVERIFY(press(bar, "Open anyway"));
    QCOMPARE(second.document().path(), path);
    // The other window is gone.
    second.files().newProject();
    first.reset();
    QVERIFY(!QFile::exists(folder.filePath(".plaza.crowd.lock")));
    second.files().open({path});
    QCOMPARE(second.document().path(), path);
    QVERIFY(!bar.current());
  }

  void aWindowWithUnsavedStepsEndsQuietly() {
    QObject listener;
    int titles = 0;
    {
      MainWindow window("no OpenGL in this test");
      window.document().edit("Seed", name);
      connect(&window.document(), &Document::titleChanged, &listener, [&titles] { ++titles; });
    }
    QCOMPARE(titles, 0);
  }

  void workThatWasSavedMeanwhileIsNotKept() {
    QTemporaryDir folder;
    Document document;
    Autosave autosave(document, pathOf(folder, "recovery"));
    QSignalSpy written(&autosave, &Autosave::written);
    document.edit("Seed", name);
    autosave.write();
    document.markSaved(folder.filePath("p.crowd"));
    document.edit("Seed", [](Project& project) { project.randomSeed = 5; });
    QTest::qWait(300);
    QCOMPARE(written.count(), 0);
    QVERIFY(ck::listRecoveries(pathOf(folder, "recovery")).empty());
    autosave.write();
    QTRY_COMPARE(written.count(), 1);
  }

  void aMarkAloneIsRemoved() {
    QTemporaryDir folder;
    const fs::path root = pathOf(folder, "recovery");
    for (const char* each : {"gone", "runs", "other"}) fs::create_directories(root / each);
    QFile mark(QString::fromStdString((root / "gone/lock").string()));
    QVERIFY(mark.open(QIODevice::WriteOnly));
    mark.write("4194399\ncrowdkiln\n" + QSysInfo::machineHostName().toUtf8() + "\n\n\n");
    mark.close();
    QLockFile held(QString::fromStdString((root / "runs/lock").string()));
    QVERIFY(held.tryLock(0));
    QFile strange(QString::fromStdString((root / "other/about.json").string()));
    QVERIFY(strange.open(QIODevice::WriteOnly));
    Document document;
    const Autosave autosave(document, root);
    QVERIFY(!fs::exists(root / "gone"));
    QVERIFY(fs::exists(root / "runs/lock"));
    QVERIFY(fs::exists(root / "other/about.json"));
  }

  void aKnownMessageTakesItsNewCauseAndButtons() {
    NotificationBar bar;
    bool isSo = false;
    int pressed = 0;
    bar.push(
        {Notice::Level::Error, "It failed", {{"Again", [&pressed] { pressed += 1; }}}, [&isSo] {
           return isSo;
         }});
    bar.push({Notice::Level::Hint, "Something else"});
    bar.push({Notice::Level::Error, "It failed", {{"Again", [&pressed] { pressed += 10; }}}, [] {
                return true;
              }});
    bar.review();
    QCOMPARE(textOf(bar), QString("It failed"));
    QVERIFY(press(bar, "Again"));
    QCOMPARE(pressed, 10);
    QCOMPARE(textOf(bar), QString("Something else"));
    bar.closeCurrent();
    QVERIFY(!bar.current());
  }

  void aCancelledQuestionBringsTheOfferBack() {
    QTemporaryDir folder;
    const fs::path root = pathOf(folder, "recovery");
    const QString path = folder.filePath("plaza.crowd");
    const ck::RecoveredWork work{root / "gone", path.toStdString(), "plaza.crowd", 1};
    QVERIFY(ck::writeRecovery(work, {}));
    for (int i = 0; i < 2; ++i) QVERIFY(ck::writeProjectFile({}, path.toStdString()));
    MainWindow window("no OpenGL in this test");
    window.show();
    NotificationBar& bar = window.viewportFrame().notifications();
    window.keepWorkIn(root);
    window.document().edit("Seed", name);
    answer(QMessageBox::Cancel);
    QVERIFY(press(bar, "Open"));
    QVERIFY2(textOf(bar).startsWith("Recovered unsaved work"), qPrintable(textOf(bar)));
    QVERIFY(press(bar, "Later"));
    // A damaged project.
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(20));
    file.close();
    answer(QMessageBox::Discard);
    window.files().open({path});
    for (const char* button : {"Open backup", "Open last autosave"}) {
      const QString text = textOf(bar);
      answer(QMessageBox::Cancel);
      QVERIFY(press(bar, button));
      QCOMPARE(textOf(bar), text);
    }
    QCOMPARE(window.document().project().randomSeed, std::uint64_t(4711));
    // A project of another window.
    QVERIFY(ck::writeProjectFile({}, path.toStdString()));
    ProjectLock other;
    QVERIFY(other.take(path));
    answer(QMessageBox::Discard);
    window.files().open({path});
    window.document().edit("Seed", name);
    const QString text = textOf(bar);
    answer(QMessageBox::Cancel);
    QVERIFY(press(bar, "Open anyway"));
    QCOMPARE(textOf(bar), text);
  }

  void aBackupHasTheStandingOfItsFile() {
    QTemporaryDir folder;
    const QString path = folder.filePath("plaza.crowd");
    for (int i = 0; i < 2; ++i) QVERIFY(ck::writeProjectFile({}, path.toStdString()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(20));
    file.close();
    MainWindow window("no OpenGL in this test");
    window.show();
    NotificationBar& bar = window.viewportFrame().notifications();
    auto other = std::make_unique<ProjectLock>();
    QVERIFY(other->take(path));
    window.files().open({path});
    QVERIFY(press(bar, "Open backup"));
    QVERIFY2(textOf(bar).contains("is open in another window"), qPrintable(textOf(bar)));
    QVERIFY(window.document().path().isEmpty());
    QVERIFY(window.document().isModified());
    // Of a later version.
    other.reset();
    QByteArray text = QByteArray::fromStdString(ck::projectToJson({}, folder.path().toStdString()));
    text.replace("\"version\": 1", "\"version\": 2");
    QFile backup(path + ".bak");
    QVERIFY(backup.open(QIODevice::WriteOnly) && backup.write(text) > 0);
    backup.close();
    answer(QMessageBox::Discard);
    window.files().open({path});
    // It was asked before the file was read.
    answer(QMessageBox::Discard);
    QVERIFY(press(bar, "Open backup"));
    QVERIFY2(textOf(bar).contains("later Crowdkiln"), qPrintable(textOf(bar)));
    QVERIFY(window.document().path().isEmpty());
  }

  void aRigIsNotSavedOverTheProjectThatWasOpen() {
    QTemporaryDir folder;
    const QString path = folder.filePath("plaza.crowd");
    QVERIFY(ck::writeProjectFile({}, path.toStdString()));
    MainWindow window("no OpenGL in this test");
    Document& document = window.document();
    window.files().open({path});
    document.edit("Seed", name);
    answer(QMessageBox::Cancel);
    window.files().open({ck::test::sample("animal.glb")});
    QCOMPARE(document.path(), path);
    // A file that cannot be read changes nothing.
    answer(QMessageBox::Discard);
    window.files().open({folder.filePath("nothing.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(!window.tasks().isBusy(), ck::test::kPatienceMs);
    QCOMPARE(document.path(), path);
    QCOMPARE(document.undoStack().index(), 1);
    answer(QMessageBox::Discard);
    window.files().open({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().character(0), ck::test::kPatienceMs);
    QVERIFY(document.path().isEmpty());
    QVERIFY(document.readFrom().isEmpty());
    QVERIFY(document.isModified());
    QVERIFY(document.project().actors.size() > 0);
    QVERIFY(!document.undoStack().canUndo());
    QVERIFY(!QFile::exists(folder.filePath(".plaza.crowd.lock")));
    QTRY_VERIFY_WITH_TIMEOUT(!window.tasks().isBusy(), ck::test::kPatienceMs);
    // The next rig is a step of that project.
    window.files().open({ck::test::sample("humanoid.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(document.undoStack().canUndo(), ck::test::kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!window.tasks().isBusy(), ck::test::kPatienceMs);
  }

  void whatCannotBeSavedIsNotMarked() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("p.crowd/inside"));
    MainWindow window("no OpenGL in this test");
    QVERIFY(!window.files().saveTo(folder.filePath("p.crowd")));
    QVERIFY(!QFile::exists(folder.filePath(".p.crowd.lock")));
  }

  void collectingReplacesNoOpenProject() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a/plaza.crowd");
    const QString theirs = folder.filePath("b/plaza.crowd");
    for (const QString& each : {path, theirs}) {
      QVERIFY(QDir().mkpath(QFileInfo(each).absolutePath()));
      QVERIFY(ck::writeProjectFile({}, each.toStdString()));
    }
    MainWindow window("no OpenGL in this test");
    NotificationBar& bar = window.viewportFrame().notifications();
    window.files().open({path});
    window.document().edit("Seed", name);
    window.files().collectInto(folder.filePath("a"), true);
    QVERIFY2(textOf(bar).contains("is the project that is collected"), qPrintable(textOf(bar)));
    auto other = std::make_unique<ProjectLock>();
    QVERIFY(other->take(theirs));
    window.files().collectInto(folder.filePath("b"), true);
    QVERIFY2(textOf(bar).contains("is open in another window"), qPrintable(textOf(bar)));
    QVERIFY(!window.tasks().isBusy());
    // A success ends the message.
    other.reset();
    window.files().collectInto(folder.filePath("b"), true);
    QTRY_VERIFY_WITH_TIMEOUT(!bar.current(), ck::test::kPatienceMs);
    QCOMPARE(ck::readProjectFile(theirs.toStdString())->randomSeed, std::uint64_t(4711));
    QCOMPARE(ck::readProjectFile(path.toStdString())->randomSeed, Project().randomSeed);
  }

  void aMarkOfAProgramThatHasEndedDoesNotCount() {
    QTemporaryDir folder;
    const QString path = folder.filePath("plaza.crowd");
    QVERIFY(ck::writeProjectFile({}, path.toStdString()));
    QFile mark(folder.filePath(".plaza.crowd.lock"));
    QVERIFY(mark.open(QIODevice::WriteOnly));
    // A process that cannot be there, on this machine.
    mark.write("4194399\ncrowdkiln\n" + QSysInfo::machineHostName().toUtf8() + "\n\n\n");
    mark.close();
    MainWindow window("no OpenGL in this test");
    window.files().open({path});
    QCOMPARE(window.document().path(), path);
  }

  void aLaterVersionIsOpenedButNotSavedOver() {
    QTemporaryDir folder;
    const QString path = folder.filePath("future.crowd");
    QByteArray text = QByteArray::fromStdString(ck::projectToJson({}, folder.path().toStdString()));
    text.replace("\"version\": 1", "\"version\": 2");
    text.replace("\"randomSeed\"", "\"weather\": \"rain\", \"randomSeed\"");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    MainWindow window("no OpenGL in this test");
    window.show();
    window.files().open({path});
    NotificationBar& bar = window.viewportFrame().notifications();
    QVERIFY2(textOf(bar).contains("later Crowdkiln"), qPrintable(textOf(bar)));
    QVERIFY(window.document().path().isEmpty());
    const QString other = folder.filePath("other.crowd");
    QVERIFY(window.files().saveTo(other));
    QVERIFY(!bar.current());
    QFile saved(other);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QVERIFY(saved.readAll().contains("\"weather\": \"rain\""));
  }
};

CK_TEST(tst_kept_work, QApplication)
#include "tst_kept_work.moc"
