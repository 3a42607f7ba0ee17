#include <QApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <mutex>
#include <new>

#include "core/anim/pose.h"
#include "core/base/log.h"
#include "core/container/atlas_file.h"
#include "core/error/bake_error.h"
#include "core/export/atlas_folder.h"
#include "core/export/set/atlas_export.h"
#include "core/import/host/sandbox.h"
#include "core/project/characters.h"
#include "core/project/project_json.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/document/atlas_exports.h"
#include "ui/document/document.h"
#include "ui/document/live_bake.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/playback/frame_budget.h"
#include "ui/playback/playback.h"
#include "ui/viewport/notification_bar.h"

using namespace ck::ui;
using ck::Project;

namespace {

constexpr int kPatienceMs = 30000;

// A document with all that follows it, as the window owns them.
struct Desk {
  Document document;
  TaskRunner tasks;
  Session session{document, tasks};
  QSignalSpy notices{&session, &Session::noticed};
  QSignalSpy reports{&session, &Session::reported};
};

QString humanoid() {
  return QString::fromStdString(ck::test::sampleHumanoid().string());
}

// Copies of the first actor.
void setActors(Desk& desk, std::size_t count) {
  desk.document.edit("Actors", [count](Project& project) {
    project.actors = ck::ActorList(std::vector<ck::Actor>(count, project.actors[0]));
  });
}

}  // namespace

#define IMPORT_SAMPLE(desk)                                         \
  do {                                                              \
    (desk).session.importRig({humanoid()});                         \
    QTRY_VERIFY_WITH_TIMEOUT((desk).session.atlas(0), kPatienceMs); \
    QTRY_VERIFY_WITH_TIMEOUT(!(desk).tasks.isBusy(), kPatienceMs);  \
  } while (false)

class tst_session : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    ck::setLogToStderr(false);
    qputenv("CROWDKILN_IMPORT_WORKER", CK_BIN_DIR "/kiln-import");
    QVERIFY(QFile::exists(humanoid()));
  }

  void rejectsWhatIsNoRig_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("an empty file") << QByteArray();
    QTest::newRow("a text") << QByteArray("this is no rig");
    QFile file(humanoid());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QTest::newRow("half a rig") << file.read(file.size() / 2);
  }
  void rejectsWhatIsNoRig() {
    QFETCH(QByteArray, bytes);
    QTemporaryDir folder;
    const QString path = folder.filePath("wrong.glb");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    Desk desk;
    IMPORT_SAMPLE(desk);
    const Project before = desk.document.project();
    const ck::CharacterPtr character = desk.session.character(0);
    desk.session.importRig({path});
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    const auto notice = desk.notices[0][0].value<Notice>();
    QVERIFY(notice.text.contains("wrong.glb"));
    // Nothing is lost.
    QVERIFY(desk.document.project() == before);
    QVERIFY(desk.session.character(0) == character);
    QVERIFY(desk.session.atlas(0));
  }

  void aTaskWithoutMemoryIsANoticeAndTheSessionLives() {
    Desk desk;
    desk.tasks.start("sheep", "Counting sheep",
                     [](const ck::JobContext&) -> TaskRunner::Deliver { throw std::bad_alloc(); });
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    const auto notice = desk.notices[0][0].value<Notice>();
    QCOMPARE(notice.text, QString("Counting sheep: the machine has not enough memory for this"));
    QVERIFY(notice.level == Notice::Level::Error);
    IMPORT_SAMPLE(desk);
    QVERIFY(desk.session.bakeState(0) == BakeState::UpToDate);
  }

  void importingARigBakesAndMeasuresIt() {
    Desk desk;
    QVERIFY(desk.session.bakeState(0) == BakeState::NoRig);
    IMPORT_SAMPLE(desk);
    const Project& project = desk.document.project();
    QVERIFY(!project.characters.front().clips.empty());
    QCOMPARE(desk.session.atlas(0)->clips.size(), project.characters.front().clips.size());
    QVERIFY(project.actors.size() > 0);
    QVERIFY(desk.session.bakeState(0) == BakeState::UpToDate);
    QVERIFY(desk.session.error(0));
    // P16 at the source's own keys on a person of 1.8 m (the command line's promise).
    QVERIFY(desk.session.error(0)->palette.shell.max <= 1.0);
    QVERIFY(desk.session.cost(0) && *desk.session.cost(0));
    QCOMPARE((*desk.session.cost(0))->bytes, desk.session.atlas(0)->texels.size());
    QCOMPARE(desk.document.undoStack().count(), 1);
  }

  void aChangedSettingIsOutdatedUntilItIsUndone() {
    Desk desk;
    IMPORT_SAMPLE(desk);
    const ck::AtlasPtr atlas = desk.session.atlas(0);
    const std::size_t cost = (*desk.session.cost(0))->bytes;
    desk.document.edit("Untick", [](Project& p) { p.characters.front().clips[0].ticked = false; });
    QVERIFY(desk.session.bakeState(0) == BakeState::Outdated);
    // The cost is known before any bake.
    QTRY_VERIFY((*desk.session.cost(0))->bytes < cost);
    QVERIFY(desk.session.atlas(0) == atlas);
    desk.document.undoStack().undo();
    QVERIFY(desk.session.bakeState(0) == BakeState::UpToDate);
    desk.document.undoStack().redo();
    desk.session.bakeNow(0);
    QVERIFY(desk.session.bakeState(0) == BakeState::Baking);
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.bakeState(0) == BakeState::UpToDate, kPatienceMs);
    QVERIFY(desk.session.atlas(0) != atlas);
    QCOMPARE(desk.session.atlas(0)->clips.size(),
             desk.document.project().characters.front().clips.size() - 1);
  }

  void whatOnlyTheViewShowsWakesNothing() {
    Desk desk;
    IMPORT_SAMPLE(desk);
    QSignalSpy started(&desk.tasks, &TaskRunner::started);
    desk.document.edit("Actor", [](Project& p) {
      ck::Actor actor = p.actors[0];
      actor.offset = 0.5f;
      p.actors.set(0, actor);
    });
    desk.document.edit("Grid", [](Project& p) { p.view.grid = false; });
    desk.document.edit("Speed", [](Project& p) { p.playbackSpeed = 2.0; });
    QCOMPARE(started.count(), 0);
  }

  void anotherScreenNeedsNoMeasurement() {
    Desk desk;
    IMPORT_SAMPLE(desk);
    const ck::BakeError before = *desk.session.error(0);
    QSignalSpy started(&desk.tasks, &TaskRunner::started);
    QSignalSpy changed(&desk.session, &ck::ui::Session::errorChanged);
    desk.document.edit("Screen", [](Project& p) { p.view.screen.distanceMeters *= 2.0; });
    QCOMPARE(started.count(), 0);
    QVERIFY(changed.count() > 0);
    QVERIFY(std::abs(desk.session.error(0)->palette.screen.max - 0.5 * before.palette.screen.max) <
            1e-12);
    QVERIFY(desk.session.error(0)->palette.vertices == before.palette.vertices);
    desk.document.setView([](Project& p) { p.view.screen.distanceMeters *= 0.5; });
    QVERIFY(*desk.session.error(0) == before);
  }

  void theErrorIsThatOfWhatIsDrawn() {
    Desk desk;
    IMPORT_SAMPLE(desk);
    const ck::BakeError baked = *desk.session.error(0);
    desk.document.edit("Influences", [](Project& p) { p.view.pose.influences = 1; });
    QVERIFY(desk.session.isMeasuring(0));
    QVERIFY(!desk.session.error(0));
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.error(0), kPatienceMs);
    const auto known =
        ck::measureBakeError(*desk.session.character(0), *desk.session.atlas(0), {.influences = 1});
    QVERIFY(*desk.session.error(0) == *known);
    QVERIFY(known->palette.vertices.max > baked.palette.vertices.max);
    // An export states the atlas as it was baked.
    QVERIFY(*desk.session.bakedError(0) == baked);
    const auto exported = ck::ui::atlasesToExport(desk.document.project(), desk.session);
    QVERIFY(exported.front().error && *exported.front().error == baked);
    // Errors that were measured before are not measured again.
    QSignalSpy started(&desk.tasks, &TaskRunner::started);
    desk.document.setView([](Project& p) { p.view.pose.influences = 0; });
    QVERIFY(*desk.session.error(0) == baked);
    desk.document.setView([](Project& p) { p.view.pose.influences = 1; });
    QVERIFY(*desk.session.error(0) == *known);
    QCOMPARE(started.count(), 0);
  }

  void aGiantIsOfferedToBeMadeSmall() {
    const auto fox = ck::test::sharedModel("fox/Fox.glb");
    if (!fox) QSKIP("the shared test rigs are not there: fox/Fox.glb");
    Desk desk;
    desk.session.importRig({QString::fromStdString(fox->string())});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    const ck::Bounds giant = ck::bindBounds(*desk.session.character(0));
    std::optional<Notice> offer;
    for (const auto& call : desk.notices) {
      const auto notice = call[0].value<Notice>();
      if (notice.actions.size() == 2) offer = notice;
    }
    QVERIFY(offer);
    offer->actions[0].run();
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.character(0)->source.unitScale < 1.0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    const ck::Bounds small = ck::bindBounds(*desk.session.character(0));
    QVERIFY(std::abs(small.high.y / giant.high.y - 0.01) < 1e-5);
    desk.document.undoStack().undo();
    QVERIFY(ck::bindBounds(*desk.session.character(0)).high.y == giant.high.y);
  }

  void aFigureInAnUnknownUnitIsOfferedTheHeightOfAPerson() {
    // 30 m tall: too tall for metres, and too small for centimetres.
    QFile strip(CK_SOURCE_DIR "/tests/data/rigs/strip.dae");
    QVERIFY(strip.open(QIODevice::ReadOnly));
    QByteArray text = strip.readAll();
    QVERIFY(text.contains("meter=\"0.5\""));
    text.replace("meter=\"0.5\"", "meter=\"5\"");
    QTemporaryDir folder;
    QFile tall(folder.filePath("strip.dae"));
    QVERIFY(tall.open(QIODevice::WriteOnly) && tall.write(text) == text.size());
    tall.close();
    Desk desk;
    desk.session.importRig({tall.fileName()});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    std::optional<Notice> offer;
    for (const auto& call : desk.notices) {
      const auto notice = call[0].value<Notice>();
      if (notice.actions.size() == 2) offer = notice;
    }
    QVERIFY(offer);
    offer->actions[0].run();
    QTRY_VERIFY_WITH_TIMEOUT(desk.document.project().characters.front().import.heightMeters > 0.0,
                             kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    const ck::Bounds box = ck::bindBounds(*desk.session.character(0));
    QVERIFY(std::abs(box.high.y - box.low.y - 1.75) < 1e-4);
  }

  // Files that say no unit ask for the height in a field of the message.
  void aFigureWithoutAUnitIsOfferedAHeight() {
    Desk desk;
    desk.session.importRig({CK_SOURCE_DIR "/tests/data/rigs/strip.x"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.character(0) && !desk.tasks.isBusy(), kPatienceMs);
    std::optional<Notice> offer;
    for (const auto& call : desk.notices) {
      const auto notice = call[0].value<Notice>();
      if (notice.field) offer = notice;
    }
    QVERIFY(offer);
    QVERIFY2(offer->text.contains(" m tall") && offer->text.contains("do not say their unit"),
             qPrintable(offer->text));
    NotificationBar bar;
    bar.push(*offer);
    auto* box = bar.findChild<QDoubleSpinBox*>();
    QVERIFY(box);
    const ck::Bounds found = ck::bindBounds(*desk.session.character(0));
    QVERIFY(std::abs(box->value() - (found.high.y - found.low.y)) < 1e-3);
    box->setValue(2.4);
    QPushButton* press = nullptr;
    for (auto* button : bar.findChildren<QPushButton*>()) {
      if (button->text() == offer->field->label) press = button;
    }
    QVERIFY(press);
    press->click();
    QTRY_VERIFY_WITH_TIMEOUT(desk.document.project().characters.front().import.heightMeters == 2.4,
                             kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.tasks.isBusy(), kPatienceMs);
    const ck::Bounds box24 = ck::bindBounds(*desk.session.character(0));
    QVERIFY(std::abs(box24.high.y - box24.low.y - 2.4) < 1e-4);
    QVERIFY(!bar.current());
  }

  // The size of a BVH is found from its skeleton.
  void aMotionWithoutAUnitNeedsNoOffer() {
    const auto motion = ck::test::sharedModel("bvh_cmu/01_01.bvh");
    if (!motion) QSKIP("the shared test rigs are not there: bvh_cmu/01_01.bvh");
    Desk desk;
    desk.session.importRig({QString::fromStdString(motion->string())});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    const ck::Bounds box = ck::bindBounds(*desk.session.character(0));
    QVERIFY(box.high.y - box.low.y > 0.3 && box.high.y - box.low.y < 3.0);
    for (const auto& call : desk.notices) {
      QVERIFY(call[0].value<Notice>().actions.size() != 2);
    }
  }

  void nothingTickedCannotBeBaked() {
    Desk desk;
    IMPORT_SAMPLE(desk);
    desk.document.edit("Untick all", [](Project& p) {
      for (auto& clip : p.characters.front().clips) clip.ticked = false;
    });
    QVERIFY(desk.session.bakeState(0) == BakeState::NothingTicked);
    QVERIFY(!desk.session.cost(0));
    QSignalSpy started(&desk.tasks, &TaskRunner::started);
    desk.session.bakeNow(0);
    QCOMPARE(started.count(), 0);
  }

  void undoingAnImportNeedsNoFile() {
    QTemporaryDir folder;
    const QString copy = folder.filePath("copy.glb");
    QVERIFY(QFile::copy(humanoid(), copy));
    Desk desk;
    desk.session.importRig({copy});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    const ck::AtlasPtr atlas = desk.session.atlas(0);
    desk.document.undoStack().undo();
    QVERIFY(desk.session.bakeState(0) == BakeState::NoRig);
    QVERIFY(QFile::remove(copy));
    desk.document.undoStack().redo();
    QVERIFY(desk.session.atlas(0) == atlas);
    QVERIFY(desk.session.bakeState(0) == BakeState::UpToDate);
    QCOMPARE(desk.notices.count(), 0);
  }

  void exportedFilesReadBackTheSame() {
    QTemporaryDir folder;
    Desk desk;
    IMPORT_SAMPLE(desk);
    ck::ExportSettings settings;
    settings.kinds.insert({ck::ExportKind::Exr, ck::ExportKind::Png});
    const auto written = ck::test::exported(desk, folder.path(), "person", settings);
    QVERIFY(written);
    QCOMPARE(written->size(), std::size_t(4));
    const auto found = ck::readAtlasFolder(folder.path().toStdString());
    QVERIFY(found);
    QCOMPARE(found->size(), std::size_t(3));
    for (const auto& one : *found) QVERIFY(one.atlas.texels == desk.session.atlas(0)->texels);
  }

  void anExportNamesTheFilesThatClipsCameFrom() {
    QTemporaryDir folder;
    Desk desk;
    IMPORT_SAMPLE(desk);
    desk.session.addClips(0, {humanoid()});
    QTRY_VERIFY_WITH_TIMEOUT(desk.document.project().characters.front().sources.size() == 2,
                             kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    ck::ExportSettings settings;
    settings.kinds.insert(ck::ExportKind::Png);
    const auto written = ck::test::exported(desk, folder.path(), "person", settings);
    QVERIFY(written);
    QCOMPARE(written->size(), std::size_t(3));
    const auto found = ck::readAtlasFolder(folder.path().toStdString());
    QVERIFY(found);
    for (const auto& one : *found) {
      if (one.kind != ck::ExportKind::Png) continue;
      QCOMPARE(one.clipSources.size(), std::size_t(1));
      // As seen from the folder of the set.
      const std::string path = (folder.path() + '/').toStdString() + one.clipSources[0].path;
      QCOMPARE(QFileInfo(QString::fromStdString(path)).canonicalFilePath(),
               QFileInfo(humanoid()).canonicalFilePath());
      return;
    }
    QFAIL("no picture was written");
  }

  void rejectsAFolderThatCannotBeWritten() {
    QTemporaryDir folder;
    QFile file(folder.filePath("taken"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    Desk desk;
    IMPORT_SAMPLE(desk);
    const auto written = ck::test::exported(desk, folder.filePath("taken"), "person");
    QVERIFY(!written);
    QVERIFY(written.error().message.find("taken") != std::string::npos);
  }

  void anAtlasBesideTheProjectSavesTheBake() {
    QTemporaryDir folder;
    const QString path = folder.filePath("kept.crowd");
    {
      Desk desk;
      IMPORT_SAMPLE(desk);
      QVERIFY(ck::writeProjectFile(desk.document.project(), path.toStdString()));
      keepAtlasBeside(desk.session, desk.tasks, path);
      QTRY_VERIFY_WITH_TIMEOUT(!desk.tasks.isBusy(), kPatienceMs);
      QVERIFY(QFile::exists(folder.filePath("kept.ckatlas")));
    }
    const auto open = [&](Desk& desk) {
      auto project = ck::readProjectFile(path.toStdString());
      QVERIFY(project);
      desk.document.replace(*project, path);
      QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
      QVERIFY(desk.session.bakeState(0) == BakeState::UpToDate);
      // Opening is no change.
      QVERIFY(!desk.document.isModified());
    };
    {
      Desk desk;
      QSignalSpy started(&desk.tasks, &TaskRunner::started);
      open(desk);
      for (const auto& call : started) QVERIFY(!call[0].toString().startsWith("bake/"));
    }
    // An atlas that does not fit the settings is not believed.
    auto project = ck::readProjectFile(path.toStdString());
    QVERIFY(project);
    project->characters.front().bake.influences = 2;
    QVERIFY(ck::writeProjectFile(*project, path.toStdString()));
    Desk desk;
    QSignalSpy started(&desk.tasks, &TaskRunner::started);
    open(desk);
    bool baked = false;
    for (const auto& call : started) baked |= call[0].toString().startsWith("bake/");
    QVERIFY(baked);
    QCOMPARE(desk.session.atlas(0)->recipe.influences, 2);
  }

  void anAtlasOfAnotherScaleOrShapeDoesNotFit() {
    Desk desk;
    IMPORT_SAMPLE(desk);
    const ck::Atlas& atlas = *desk.session.atlas(0);
    const ck::BakeSettings settings = ck::bakeInputs(desk.document.project().characters.front());
    ck::Character character = *desk.session.character(0);
    QVERIFY(atlasFits(atlas, character, settings));
    character.source.unitScale *= 0.01;
    QVERIFY(!atlasFits(atlas, character, settings));
    ck::BakeSettings shaped = settings;
    ck::RootMotion& motion = shaped.clips[0].edit.root.motion;
    motion = motion == ck::RootMotion::Keep ? ck::RootMotion::Strip : ck::RootMotion::Keep;
    QVERIFY(!atlasFits(atlas, *desk.session.character(0), shaped));
  }

  // A worker of a system without Landlock: the real one, which says so first.
  void missingWallsAreToldOnce() {
    const QTemporaryDir folder;
    QFile worker(folder.filePath("kiln-import"));
    QVERIFY(worker.open(QIODevice::WriteOnly));
    worker.write(
        "#!/bin/sh\n"
        "echo '{\"missing\": [\"landlock\"]}' >&2\n"
        "case \"$*\" in *--require-sandbox*) exit 7;; esac\n"
        "exec '" CK_BIN_DIR "/kiln-import' \"$@\"\n");
    worker.close();
    QVERIFY(worker.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("CROWDKILN_IMPORT_WORKER", worker.fileName().toUtf8());
    const auto back = qScopeGuard([] {
      qputenv("CROWDKILN_IMPORT_WORKER", CK_BIN_DIR "/kiln-import");
      ck::setSandboxRequired(false);
      ck::attachLogSink({});
      ck::setLogLevel(ck::LogLine::Level::Warning);
    });
    std::mutex mutex;
    QStringList lines;
    ck::setLogLevel(ck::LogLine::Level::Info);
    ck::attachLogSink([&](const ck::LogLine& line) {
      const std::lock_guard lock(mutex);
      lines << QString::fromStdString(line.text).section("not fully confined: ", 1);
    });
    Desk desk;
    const auto told = [&desk](const QString& words) {
      int count = 0;
      for (const auto& call : desk.notices) count += call[0].value<Notice>().text.contains(words);
      return count;
    };
    const QString wall = "this system has no Landlock";
    IMPORT_SAMPLE(desk);
    QCOMPARE(told(wall), 1);
    // Nothing hides a message that offers something to do: the bar shows the latest one first.
    QVERIFY(desk.notices[0][0].value<Notice>().text.contains(wall));
    QVERIFY(desk.notices[0][0].value<Notice>().actions.empty());
    IMPORT_SAMPLE(desk);
    desk.session.addCharacters({humanoid()});
    QTRY_COMPARE_WITH_TIMEOUT(desk.document.project().characters.size(), 2u, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.tasks.isBusy(), kPatienceMs);
    QCOMPARE(told(wall), 1);
    {
      const std::lock_guard lock(mutex);
      QCOMPARE(lines.count(wall), 1);
    }
    // Where the user requires the sandbox, nothing is read.
    ck::setSandboxRequired(true);
    desk.notices.clear();
    desk.session.importRig({humanoid()});
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    QCOMPARE(told("it is not read, because its reader cannot be confined (" + wall), 1);
  }

  void aMissingSourceIsSaidAndTheProjectStays() {
    Project project;
    project.characters.front().sources.push_back({"/nowhere/at/all.glb"});
    project.characters.front().clips.push_back({"walk", true, {}});
    project.actors = ck::ActorList(std::vector<ck::Actor>(3));
    Desk desk;
    desk.document.replace(project, "/nowhere/at/all.crowd");
    QTRY_COMPARE_WITH_TIMEOUT(desk.notices.count(), 1, kPatienceMs);
    const auto notice = desk.notices[0][0].value<Notice>();
    QVERIFY(notice.text.contains("all.glb"));
    QVERIFY(desk.document.project() == project);
    // It can be shown where it is now; then everything else is as it was.
    QSignalSpy located(&desk.session, &Session::locateAsked);
    QCOMPARE(notice.actions.size(), std::size_t(2));
    notice.actions[1].run();
    QCOMPARE(located.count(), 1);
    desk.document.edit("Locate", [](Project& p) {
      p.characters.front().sources[0].path = humanoid().toStdString();
    });
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(0) && !desk.tasks.isBusy(), kPatienceMs);
    QVERIFY(desk.document.project().actors == project.actors);
  }

  void cancellingABakeKeepsTheOldAtlas() {
    Desk desk;
    IMPORT_SAMPLE(desk);
    const ck::AtlasPtr atlas = desk.session.atlas(0);
    desk.document.edit("Frames", [](Project& p) { p.characters.front().bake.frames = 2000; });
    desk.session.bakeNow(0);
    desk.tasks.cancelAll();
    QVERIFY(desk.session.atlas(0) == atlas);
    QVERIFY(desk.session.bakeState(0) == BakeState::Outdated);
    QTest::qWait(100);
    QVERIFY(desk.session.atlas(0) == atlas);
  }

  void theCrowdFollowsTheProject() {
    Desk desk;
    Playback playback(desk.document, desk.session);
    QVERIFY(!playback.crowd());
    IMPORT_SAMPLE(desk);
    QVERIFY(playback.crowd());
    const std::size_t count = desk.document.project().actors.size();
    QCOMPARE(playback.crowd()->size(), count);
    desk.document.edit("Off", [](Project& p) {
      ck::Actor actor = p.actors[0];
      actor.on = false;
      p.actors.set(0, actor);
    });
    QCOMPARE(playback.crowd()->size(), count - 1);
    QCOMPARE(playback.actorOf(0), 1);
    playback.setSolo(1);
    for (std::size_t i = 0; i < playback.crowd()->size(); ++i) {
      QCOMPARE(playback.crowd()->crowds()[0].clipOf(i), 1);
    }
    playback.setSolo(-1);
    playback.seek(1.25);
    QCOMPARE(playback.crowd()->timeSeconds(), 1.25);
    // A subset is always the same one.
    playback.setVisibleLimit(count / 3);
    const std::size_t shown = playback.crowd()->size();
    QVERIFY(shown > 0 && shown < count);
    std::vector<int> actors;
    for (std::size_t i = 0; i < shown; ++i) actors.push_back(playback.actorOf(i));
    playback.setVisibleLimit(count / 2);
    std::vector<int> more;
    for (std::size_t i = 0; i < playback.crowd()->size(); ++i) more.push_back(playback.actorOf(i));
    QVERIFY(std::includes(more.begin(), more.end(), actors.begin(), actors.end()));
  }

  void aLiveBakeFollowsTheSettings_data() {
    QTest::addColumn<int>("character");
    QTest::newRow("of the first character") << 0;
    QTest::newRow("of the second character") << 1;
  }
  void aLiveBakeFollowsTheSettings() {
    QFETCH(int, character);
    Desk desk;
    IMPORT_SAMPLE(desk);
    desk.session.addCharacters({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(desk.session.atlas(1) && !desk.tasks.isBusy(), kPatienceMs);
    const ck::AtlasPtr other = desk.session.atlas(1 - character);
    LiveBake& live = desk.session.live();
    const auto setRate = [&desk, character](double rate) {
      desk.document.edit("Rate", [rate, character](Project& p) {
        p.characters[std::size_t(character)].bake.rateHz = rate;
      });
    };
    const auto isDone = [&desk, character] {
      return desk.session.bakeState(character) == BakeState::UpToDate && !desk.tasks.isBusy();
    };
    const auto framesOf = [&desk, character] {
      return desk.session.atlas(character)->clips.front().frameCount;
    };
    setRate(11.0);
    QTest::qWait(50);
    QVERIFY(desk.session.bakeState(character) == BakeState::Outdated);
    live.setOn(true);
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    const int before = framesOf();
    // Dragged: actors have an atlas all the while, and the last setting is the one that stays.
    for (int rate = 12; rate <= 40; ++rate) {
      setRate(rate);
      QVERIFY(desk.session.atlas(character));
      QCoreApplication::processEvents();
    }
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    QVERIFY(framesOf() > 2 * before);
    QVERIFY(desk.session.bakedError(character));
    QVERIFY(desk.session.atlas(1 - character) == other);
    // A bake that the artist stops stays stopped until something else is set.
    setRate(20.0);
    desk.tasks.cancelAll();
    QTest::qWait(50);
    QVERIFY(desk.session.bakeState(character) == BakeState::Outdated);
    setRate(21.0);
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    live.setOn(false);
    setRate(22.0);
    QTest::qWait(50);
    QVERIFY(desk.session.bakeState(character) == BakeState::Outdated);
  }

  void aCrowdThatGrowsComesStepByStep() {
    constexpr std::size_t kMany = 100000;
    Desk desk;
    Playback playback(desk.document, desk.session);
    IMPORT_SAMPLE(desk);
    setActors(desk, kMany);
    QCOMPARE(playback.wantedActors(), kMany);
    std::size_t before = playback.crowd()->size();
    QVERIFY(before < 1000);
    for (int step = 0; step < 6; ++step) {
      playback.setVisibleLimit(SIZE_MAX);
      const std::size_t now = playback.crowd()->size();
      QVERIFY(now > before && now < before * 5);
      before = now;
      if (now == kMany) break;
    }
    QCOMPARE(before, kMany);
    playback.restrain();
    QVERIFY(playback.crowd()->size() < 1000);
    // Pictures of a fixed clock show everybody.
    playback.setFixedStep(0.02);
    QCOMPARE(playback.crowd()->size(), kMany);
  }

  void rejectsLeavingActorsOutWhereTheyCanBePoints() {
    constexpr std::size_t kMany = 2000;
    Desk desk;
    Playback playback(desk.document, desk.session);
    IMPORT_SAMPLE(desk);
    setActors(desk, kMany);
    const auto shownAfterSlowFrames = [&](bool detailed) {
      playback.setDetailed(detailed);
      playback.setVisibleLimit(SIZE_MAX);
      playback.setVisibleLimit(SIZE_MAX);
      FramePacer pacer(playback);
      for (int frame = 0; frame < 60; ++frame) {
        pacer.follow({}, 3000.0, desk.document.project().view.detail);
        QCoreApplication::processEvents();
      }
      return playback.crowd()->size();
    };
    playback.setPlaying(true);
    QVERIFY(shownAfterSlowFrames(false) < kMany);
    QCOMPARE(shownAfterSlowFrames(true), kMany);
    // A limit from before there were levels ends, however slow the frames are.
    playback.setVisibleLimit(300);
    QVERIFY(playback.crowd()->size() < kMany);
    FramePacer pacer(playback);
    for (int frame = 0; frame < 60; ++frame) {
      pacer.follow({}, 80.0, desk.document.project().view.detail);
      QCoreApplication::processEvents();
    }
    QCOMPARE(playback.crowd()->size(), kMany);
  }
};

CK_TEST(tst_session, QApplication)
#include "tst_session.moc"
