#include <QFile>
#include <QTemporaryDir>

#include "core/project/project_json.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/document/source_watch.h"

using namespace ck::ui;
using ck::Project;
using ck::test::Desk;
using ck::test::kPatienceMs;

namespace {

void overwrite(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

QByteArray sampleBytes() {
  QFile file(ck::test::sample("humanoid.glb"));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The sample whose clip "dance" has another name of the same length.
QByteArray renamed() {
  return sampleBytes().replace("\"name\":\"dance\"", "\"name\":\"salsa\"");
}

int playing(const Project& project, const std::string& name) {
  int count = 0;
  for (std::size_t i = 0; i < project.actors.size(); ++i) {
    const auto clip = std::size_t(project.actors[i].clip);
    if (project.characters.front().clips[clip].name == name) ++count;
  }
  return count;
}

QStringList texts(const Desk& desk) {
  QStringList all;
  for (const QList<QVariant>& one : desk.notices) all << one[0].value<Notice>().text;
  return all;
}

}  // namespace

// A rig that loses a clip that actors play, while it is open and while it is closed.
class tst_missing_clips_desk : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::startWithSamples(); }

  void aClipThatIsGoneIsToldAndComesBack() {
    QTemporaryDir folder;
    const QString rig = folder.filePath("hero.glb");
    overwrite(rig, sampleBytes());
    QVERIFY(renamed() != sampleBytes());
    Desk desk;
    SourceWatch watch(desk.document, desk.session);
    desk.session.importRig({rig});
    const auto isReady = [&] { return desk.session.atlas(0) && !desk.tasks.isBusy(); };
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    const int dancers = playing(desk.project(), "dance");
    QVERIFY(dancers > 0);
    const ck::ActorList before = desk.project().actors;
    const auto clips = desk.project().characters.front().clips;

    overwrite(rig, renamed());
    QTRY_VERIFY_WITH_TIMEOUT(!desk.session.missing(0).empty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    QCOMPARE(playing(desk.project(), "dance"), dancers);
    QCOMPARE(desk.notices.count(), 1);
    auto notice = desk.notices[0][0].value<Notice>();
    QVERIFY2(notice.text.contains("'dance'") && notice.text.contains("hero.glb") &&
                 notice.text.contains(QString::number(dancers)),
             qPrintable(notice.text));
    QVERIFY(notice.cause());
    // The others are baked.
    desk.session.bakeNow(0);
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    QVERIFY(desk.session.bakeState(0) == BakeState::UpToDate);
    QCOMPARE(desk.session.atlas(0)->clips.size(), clips.size());

    // Saved, and opened again with the same file: nothing is told to have changed.
    const QString path = folder.filePath("p.crowd");
    Project saved = desk.project();
    saved.file.sourceHashes = sourceHashesOf(saved, desk.session);
    QVERIFY(ck::writeProjectFile(saved, path.toStdString()));
    {
      Desk other;
      other.document.replace(*ck::readProjectFile(path.toStdString()), path);
      QTRY_VERIFY_WITH_TIMEOUT(other.session.atlas(0) && !other.tasks.isBusy(), kPatienceMs);
      QCOMPARE(playing(other.project(), "dance"), dancers);
      QVERIFY(!other.document.isModified());
      QCOMPARE(texts(other), QStringList{notice.text});
    }

    // The offer.
    notice.actions.front().run();
    QCOMPARE(playing(desk.project(), "dance"), 0);
    QVERIFY(!notice.cause());
    desk.document.undoStack().undo();
    QCOMPARE(playing(desk.project(), "dance"), dancers);

    // The good file.
    overwrite(rig, sampleBytes());
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.missing(0).empty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatienceMs);
    QVERIFY(!notice.cause());
    QVERIFY(desk.project().actors == before);
    QVERIFY(desk.project().characters.front().clips == clips);

    // Opened again, with another file than that of the save.
    Desk other;
    other.document.replace(*ck::readProjectFile(path.toStdString()), path);
    QTRY_VERIFY_WITH_TIMEOUT(other.session.atlas(0) && !other.tasks.isBusy(), kPatienceMs);
    QCOMPARE(texts(other).size(), 1);
    QVERIFY2(texts(other).front().startsWith("hero.glb has changed since the project was saved"),
             qPrintable(texts(other).front()));
  }

  void aSourceThatIsMovedAwayIsTold() {
    QTemporaryDir folder;
    const QString rig = folder.filePath("hero.glb");
    overwrite(rig, sampleBytes());
    Desk desk;
    SourceWatch watch(desk.document, desk.session);
    QSignalSpy gone(&watch, &SourceWatch::gone);
    desk.session.importRig({rig});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    QTest::qWait(600);
    QVERIFY(QFile::rename(rig, folder.filePath("elsewhere.glb")));
    QTRY_COMPARE(gone.count(), 1);
    QCOMPARE(gone[0][0].toString(), rig);
    QVERIFY(desk.session.character(0));
  }

  void aRigThatIsMissingSaysWhereItWasExpected() {
    QTemporaryDir folder;
    Desk desk;
    desk.session.importRig({folder.filePath("rigs/hero.glb")});
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    const QString text = texts(desk).front();
    QVERIFY2(text.contains("hero.glb") && text.contains(folder.filePath("rigs")), qPrintable(text));
  }
};

CK_TEST(tst_missing_clips_desk, QApplication)
#include "tst_missing_clips_desk.moc"
