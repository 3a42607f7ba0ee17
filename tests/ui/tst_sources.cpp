#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtEndian>

#include "core/project/project_json.h"
#include "core/project/source_files.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/document/prop_session.h"
#include "ui/document/relinking.h"
#include "ui/document/source_watch.h"

using namespace ck::ui;
using ck::Project;
using ck::test::Desk;
using ck::test::kPatienceMs;

namespace {

// Files as other programs write them: in place, or beside and renamed.
void overwrite(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

void replaceFile(const QString& path, const QByteArray& bytes) {
  overwrite(path + ".new", bytes);
  QVERIFY(::rename(qPrintable(path + ".new"), qPrintable(path)) == 0);
}

// The sample with other bytes and the same content.
QByteArray marked(char mark) {
  QFile file(ck::test::sample("humanoid.glb"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArray bytes = file.readAll();
  const qsizetype at = bytes.indexOf("\"generator\":\"");
  if (at >= 0) bytes[at + 13] = mark;
  return bytes;
}

}  // namespace

// Sources that change, and sources that are somewhere else.
class tst_sources : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::startWithSamples(); }

  void changedSourcesAreReadAgain() {
    QTemporaryDir folder;
    const QString rig = folder.filePath("man.glb");
    overwrite(rig, marked('a'));
    Desk desk;
    SourceWatch watch(desk.document, desk.session);
    QSignalSpy changed(&watch, &SourceWatch::changed);
    desk.session.importRig({rig});
    const auto isReady = [&] { return desk.session.atlas(0) && !desk.tasks.isBusy(); };
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    const auto hash = [&] { return desk.session.character(0)->source.hash; };
    const std::uint64_t first = hash();
    const Project before = desk.project();
    // In place.
    overwrite(rig, marked('b'));
    QTRY_VERIFY_WITH_TIMEOUT(hash() != first, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    // Replaced twice, which ends the watching of a file.
    for (const char mark : {'c', 'd'}) {
      const std::uint64_t last = hash();
      replaceFile(rig, marked(mark));
      QTRY_VERIFY_WITH_TIMEOUT(hash() != last, kPatienceMs);
      QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    }
    QCOMPARE(changed.count(), 3);
    QVERIFY(desk.project() == before);
    QCOMPARE(desk.notices.count(), 0);

    // A broken file changes nothing, says so once, and is watched on.
    const ck::CharacterPtr good = desk.session.character(0);
    replaceFile(rig, "this is no rig");
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    QVERIFY(desk.session.character(0) == good);
    QVERIFY(desk.session.atlas(0));
    const auto notice = desk.notices[0][0].value<Notice>();
    QVERIFY(notice.cause && notice.cause());
    replaceFile(rig, marked('e'));
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.character(0) != good, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    QVERIFY(!notice.cause());
    QCOMPARE(desk.notices.count(), 1);

    // The same bytes again are no change; without watching nothing is.
    QSignalSpy started(&desk.tasks, &TaskRunner::started);
    replaceFile(rig, marked('e'));
    QTest::qWait(800);
    watch.setOn(false);
    replaceFile(rig, marked('f'));
    QTest::qWait(800);
    QCOMPARE(started.count(), 0);
    QCOMPARE(changed.count(), 5);
    // A file that changed meanwhile is read when it watches again.
    watch.setOn(true);
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 6, kPatienceMs);
  }

  void aMissingSourceThatComesBackIsRead() {
    QTemporaryDir folder;
    const QString rig = folder.filePath("man.glb");
    Project project;
    project.characters.front().sources.push_back({rig.toStdString()});
    Desk desk;
    SourceWatch watch(desk.document, desk.session);
    desk.document.replace(project, folder.filePath("p.crowd"));
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    const auto notice = desk.notices[0][0].value<Notice>();
    // The watch has seen that it is not there.
    QTest::qWait(700);
    overwrite(rig, marked('a'));
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0), kPatienceMs);
    QVERIFY(!notice.cause());
  }

  void aMissingFolderThatComesBackIsRead() {
    QTemporaryDir folder;
    const QString rig = folder.filePath("some/where/man.glb");
    Project project;
    project.characters.front().sources.push_back({rig.toStdString()});
    Desk desk;
    SourceWatch watch(desk.document, desk.session);
    desk.document.replace(project, folder.filePath("p.crowd"));
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    QTest::qWait(700);
    QVERIFY(QDir(folder.path()).mkpath("some/where"));
    overwrite(rig, marked('a'));
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0), kPatienceMs);
  }

  void theBuffersOfAGltfAreWatched() {
    QTemporaryDir folder;
    const QByteArray glb = marked('a');
    const auto json = qsizetype(qFromLittleEndian<quint32>(glb.constData() + 12));
    QJsonObject root = QJsonDocument::fromJson(glb.mid(20, json)).object();
    QJsonArray buffers = root["buffers"].toArray();
    QJsonObject buffer = buffers[0].toObject();
    buffer["uri"] = "man.bin";
    buffers[0] = buffer;
    root["buffers"] = buffers;
    const QByteArray bin = glb.mid(20 + json + 8);
    overwrite(folder.filePath("man.bin"), bin);
    const QString rig = folder.filePath("man.gltf");
    overwrite(rig, QJsonDocument(root).toJson());
    Desk desk;
    SourceWatch watch(desk.document, desk.session);
    QSignalSpy changed(&watch, &SourceWatch::changed);
    desk.session.importRig({rig});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    QTest::qWait(700);
    QCOMPARE(changed.count(), 0);
    // In place, so that the folder stays as it is.
    overwrite(folder.filePath("man.bin"), bin + QByteArray(4, '\0'));
    QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, kPatienceMs);
    QCOMPARE(changed[0][0].toString(), rig);
  }

  void theMessageAboutAPropGoesWithTheProp() {
    Desk desk;
    Project project;
    project.props.push_back({{"/nowhere/tree.glb"}});
    desk.document.replace(project, {});
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    const auto notice = desk.notices[0][0].value<Notice>();
    QVERIFY(notice.cause());
    desk.session.props().remove(0);
    QVERIFY(!notice.cause());
    // One that is only to be added is told, too.
    desk.session.props().addFiles({"/nowhere/bush.glb"}, {});
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 2, kPatienceMs);
    QVERIFY(desk.notices[1][0].value<Notice>().cause());
  }

  void aFileThatIsUsedIsNotTakenForAnotherSource() {
    QTemporaryDir folder;
    const QString now = folder.filePath("man.glb");
    overwrite(now, marked('a'));
    Project project;
    for (const std::string& path : {std::string("/old/man.glb"), now.toStdString()}) {
      project.characters.front().sources.push_back({path});
      project.file.sourceHashes[path] = ck::hashOfSource(now.toStdString()).value();
    }
    Document document;
    document.replace(project, folder.filePath("p.crowd"));
    QVERIFY(relinkMissing(document).empty());
    QVERIFY(document.project() == project);
  }

  void aMovedSourceIsFoundAndThatCanBeUndone() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("rigs"));
    const QString now = folder.filePath("rigs/man.glb");
    overwrite(now, marked('a'));
    Project project;
    project.characters.front().sources.push_back({"/old/man.glb"});
    project.file.sourceHashes["/old/man.glb"] = ck::hashOfSource(now.toStdString()).value();
    Document document;
    document.replace(project, folder.filePath("p.crowd"));
    const std::vector<Notice> notices = relinkMissing(document);
    QCOMPARE(notices.size(), std::size_t(1));
    QCOMPARE(notices[0].text, QString("Source found at rigs/man.glb"));
    QCOMPARE(document.project().characters[0].sources[0].path, now.toStdString());
    QVERIFY(document.isModified());
    QVERIFY(notices[0].cause());
    notices[0].actions[0].run();
    QCOMPARE(document.project().characters[0].sources[0].path, std::string("/old/man.glb"));
    QVERIFY(!notices[0].cause());
  }

  void aFileOfTheSameNameIsOnlyOffered() {
    QTemporaryDir folder;
    overwrite(folder.filePath("man.glb"), marked('a'));
    Project project;
    project.characters.front().sources.push_back({"/old/man.glb"});
    project.file.sourceHashes["/old/man.glb"] = 1;
    Document document;
    document.replace(project, folder.filePath("p.crowd"));
    const std::vector<Notice> notices = relinkMissing(document);
    QVERIFY(!document.isModified());
    QCOMPARE(notices.size(), std::size_t(1));
    QVERIFY(notices[0].text.startsWith("man.glb is missing"));
    notices[0].actions[0].run();
    QCOMPARE(document.project().characters[0].sources[0].path,
             folder.filePath("man.glb").toStdString());
  }

  void oneThatIsLocatedFindsTheOthersBesideIt() {
    QTemporaryDir folder;
    overwrite(folder.filePath("man2.glb"), "x");
    overwrite(folder.filePath("walk.glb"), "y");
    Project project;
    for (const char* name : {"/old/man.glb", "/old/walk.glb", "/old/run.glb"}) {
      project.characters.front().sources.push_back({name});
    }
    Document document;
    document.replace(project, {});
    const auto never = [](const QString& question) {
      qWarning() << question;
      return false;
    };
    const QString found =
        locate(document, "/old/man.glb", folder.filePath("man2.glb").toStdString(), never);
    QVERIFY2(found.contains("walk.glb") && !found.contains("run.glb"), qPrintable(found));
    const auto& sources = document.project().characters[0].sources;
    QCOMPARE(sources[0].path, folder.filePath("man2.glb").toStdString());
    QCOMPARE(sources[1].path, folder.filePath("walk.glb").toStdString());
    QCOMPARE(sources[2].path, std::string("/old/run.glb"));
    QCOMPARE(document.undoStack().index(), 1);
  }

  void oneOfOtherContentIsAskedFor() {
    QTemporaryDir folder;
    for (const char* name : {"man2.glb", "walk.glb", "run.glb"}) {
      overwrite(folder.filePath(name), name);
    }
    Project project;
    for (const char* name : {"/old/man.glb", "/old/walk.glb", "/old/run.glb", "/b/man2.glb"}) {
      project.characters.front().sources.push_back({name});
    }
    const auto pathOf = [&](const char* name) { return folder.filePath(name).toStdString(); };
    project.file.sourceHashes = {{"/old/man.glb", 1},
                                 {"/old/walk.glb", 2},
                                 {"/old/run.glb", ck::hashOfSource(pathOf("run.glb")).value()}};
    Document document;
    document.replace(project, {});
    QStringList questions;
    bool answer = false;
    const auto ask = [&](const QString& question) {
      questions << question;
      return answer;
    };
    QVERIFY(locate(document, "/old/man.glb", pathOf("man2.glb"), ask).isEmpty());
    QCOMPARE(document.undoStack().index(), 0);
    QCOMPARE(questions, QStringList{"man2.glb has other content than man.glb had. Use it?"});
    answer = true;
    // The one of other bytes beside it is not taken, nor is one file taken twice.
    QCOMPARE(locate(document, "/old/man.glb", pathOf("man2.glb"), ask),
             QString("Found beside it: run.glb"));
    const auto& sources = document.project().characters[0].sources;
    QCOMPARE(sources[0].path, pathOf("man2.glb"));
    QCOMPARE(sources[1].path, std::string("/old/walk.glb"));
    QCOMPARE(sources[2].path, pathOf("run.glb"));
    QCOMPARE(sources[3].path, std::string("/b/man2.glb"));
    QCOMPARE(questions.size(), 2);
  }
};

CK_TEST(tst_sources, QApplication)
#include "tst_sources.moc"
