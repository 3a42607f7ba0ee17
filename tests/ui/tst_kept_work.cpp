#include <QDir>
#include <QLockFile>
#include <QPushButton>
#include <QTemporaryDir>

#include "core/base/files.h"
#include "core/project/project_json.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/document/autosave.h"
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
    text.replace("\"version\": 2", "\"version\": 3");
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
