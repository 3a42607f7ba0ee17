#include <QProcess>
#include <QTemporaryDir>
#include <clocale>
#include <map>

#include "core/project/recovery.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/files/project_export.h"

using namespace ck::ui;
using ck::Project;

namespace {

// All files below a folder, by their paths in it.
std::map<QString, QByteArray> filesOf(const QString& folder) {
  std::map<QString, QByteArray> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.toStdString())) {
    if (!entry.is_regular_file()) continue;
    QFile file(QString::fromStdString(entry.path().string()));
    if (file.open(QIODevice::ReadOnly)) {
      files[QDir(folder).relativeFilePath(file.fileName())] = file.readAll();
    }
  }
  return files;
}

}  // namespace

// The numbers and texts of the editor where the system speaks another language: numbers have a
// point, and all is as it is without a language.
class tst_locales : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;
  QTemporaryDir locales_;
  QTemporaryDir folder_;
  std::map<QString, QByteArray> plain_;

  // Opens a rig, edits it by fractions, saves, keeps unsaved work, and exports; all into one
  // folder, because files name each other by relative paths.
  void write() {
    const QString folder = folder_.filePath("out");
    QDir(folder).removeRecursively();
    MainWindow window("no OpenGL in this test");
    window.files().open({ck::test::humanoid()});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().atlas(0) && !window.tasks().isBusy(),
                             ck::test::kPatienceMs);
    window.document().edit("Fractions", [](Project& project) {
      ck::Actor actor = project.actors[0];
      actor.position = {1.25f, 0.5f, -1234567.5f};
      actor.rate = 1.5f;
      project.actors.set(0, actor);
      project.characters.front().title = "Istanbul title";
      project.characters.front().bake.rateHz = 12.5;
    });
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(window.files().saveTo(folder + "/p.crowd"));
    QVERIFY(ck::writeRecovery({(folder + "/kept").toStdString(), {}, "p", 1},
                              window.document().project()));
    QTRY_VERIFY_WITH_TIMEOUT(!window.tasks().isBusy(), ck::test::kPatienceMs);
    window.files().exports().exportTo(folder + "/set", "p", {});
    QTRY_VERIFY_WITH_TIMEOUT(!window.tasks().isBusy(), ck::test::kPatienceMs);
    QVERIFY(QFile::exists(folder + "/set"));
  }

 private slots:
  void initTestCase() {
    ck::test::startWithSamples();
    ck::test::keepSettingsIn(settings_);
    write();
    if (QTest::currentTestFailed()) return;
    plain_ = filesOf(folder_.filePath("out"));
    // The project, the kept work with what it says of itself, and of the set texels, texts and
    // actors.
    QVERIFY(plain_.size() > 5);
  }

  void cleanup() {
    std::setlocale(LC_ALL, "");
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
  }

  void everyFileIsAsItIsWithoutALanguage_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"de_DE", "fr_FR", "tr_TR", "ar_EG"}) QTest::newRow(name) << name;
  }
  void everyFileIsAsItIsWithoutALanguage() {
    QFETCH(QString, name);
    const QString made = locales_.filePath(name + ".UTF-8");
    if (QProcess::execute("localedef", {"-i", name, "-f", "UTF-8", made}) < 0 ||
        !QDir(made).exists()) {
      QSKIP("the locale cannot be made here");
    }
    qputenv("LOCPATH", locales_.path().toUtf8());
    QVERIFY(std::setlocale(LC_ALL, qPrintable(name + ".UTF-8")));
    QLocale::setDefault(QLocale(name));
    QVERIFY(QLocale().toString(1.5) != "1.5");
    write();
    if (QTest::currentTestFailed()) return;
    const auto files = filesOf(folder_.filePath("out"));
    for (const auto& [path, bytes] : plain_) {
      QVERIFY2(files.contains(path), qPrintable(path));
      QVERIFY2(files.at(path) == bytes, qPrintable(path));
    }
    QCOMPARE(files.size(), plain_.size());
    // And what was written is read.
    MainWindow window("no OpenGL in this test");
    window.files().open({folder_.filePath("out/p.crowd")});
    QCOMPARE(window.document().project().actors[0].position.z, -1234567.5f);
    QCOMPARE(window.document().project().characters.front().bake.rateHz, 12.5);
    QTRY_VERIFY_WITH_TIMEOUT(!window.tasks().isBusy(), ck::test::kPatienceMs);
  }
};

CK_TEST(tst_locales, QApplication)
#include "tst_locales.moc"
