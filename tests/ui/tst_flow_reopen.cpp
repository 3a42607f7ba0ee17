#include <QDir>
#include <QTemporaryDir>

#include "core/project/project_json.h"
#include "render/scene/camera.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/viewport/notification_bar.h"
#include "ui/windows/main_menus.h"

using namespace ck::ui;
using ck::Project;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

// "Reopen tomorrow; the source rig moved".
class tst_flow_reopen : public QObject {
  Q_OBJECT

  WindowStage stage_;
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  NotificationBar& bar() const { return stage_.window->viewportFrame().notifications(); }
  bool waitForAtlas() const {
    return QTest::qWaitFor(
        [this] { return stage_.window->session().atlas(0) && !stage_.window->tasks().isBusy(); },
        kPatienceMs);
  }
  // How much of the view is not its background.
  int drawnPixels() const {
    const QImage image = stage_.viewport->grabFramebuffer();
    const QRgb empty = image.pixel(0, 0);
    int count = 0;
    for (int y = 0; y < image.height(); y += 4) {
      for (int x = 0; x < image.width(); x += 4) count += image.pixel(x, y) != empty ? 1 : 0;
    }
    return count;
  }

 private slots:
  void initTestCase() { QVERIFY(stage_.open()); }
  void init() { QVERIFY(stage_.activate()); }
  void cleanupTestCase() {
    stage_.window->document().markSaved(path("p.crowd"));
    stage_.close();
  }

  void everythingComesBackAsItWasLeft() {
    MainWindow& window = *stage_.window;
    QVERIFY(QDir(folder_.path()).mkpath("rigs"));
    QVERIFY(QFile::copy(ck::test::humanoid(), path("rigs/man.glb")));
    window.document().markSaved(path("other.crowd"));
    window.files().open({path("rigs/man.glb")});
    QVERIFY(waitForAtlas());
    window.playback().setPlaying(false);
    const ck::CameraPlace place{{1.0, 0.5, -2.0}, 9.0, 1.1, 0.6, false};
    stage_.viewport->placeCamera(place);
    window.selection().set({3, 5, 8});
    window.document().setView([](Project& p) { p.view.grid = false; });
    QVERIFY(window.files().saveTo(path("p.crowd")));
    QTRY_VERIFY_WITH_TIMEOUT(!window.tasks().isBusy(), kPatienceMs);
    QVERIFY(QFile::exists(path("p.ckatlas")));
    QVERIFY(!window.document().isModified());

    window.files().newProject();
    QVERIFY(window.selection().actors().empty());
    QSignalSpy started(&window.tasks(), &TaskRunner::started);
    window.files().open({path("p.crowd")});
    QVERIFY(waitForAtlas());
    window.playback().setPlaying(false);
    // The camera does not move when the rig comes.
    QTest::qWait(300);
    const ck::render::Camera& camera = stage_.viewport->camera();
    QVERIFY(std::abs(camera.target.z + 2.0) < 1e-9);
    QVERIFY(std::abs(camera.distance - 9.0) < 1e-9);
    QVERIFY(std::abs(camera.yaw - 1.1) < 1e-9);
    QCOMPARE(window.selection().actors(), (std::vector<int>{3, 5, 8}));
    QVERIFY(!window.document().project().view.grid);
    QVERIFY(!window.document().isModified());
    QVERIFY(!window.document().undoStack().canUndo());
    for (const auto& call : started) QVERIFY(!call[0].toString().startsWith("bake/"));
    QVERIFY(drawnPixels() > 100);
  }

  void aMovedRigIsFoundAndSaidSo() {
    MainWindow& window = *stage_.window;
    window.files().newProject();
    QVERIFY(QDir(folder_.path()).mkpath("art/people"));
    QVERIFY(QFile::rename(path("rigs/man.glb"), path("art/people/man.glb")));
    window.files().open({path("p.crowd")});
    QVERIFY(waitForAtlas());
    QVERIFY(bar().current());
    QCOMPARE(bar().current()->text, QString("Source found at art/people/man.glb"));
    QCOMPARE(window.document().project().characters[0].sources[0].path,
             path("art/people/man.glb").toStdString());
    QVERIFY(drawnPixels() > 100);
    window.document().markSaved(path("p.crowd"));
  }

  void whatIsMissingIsNotShown() {
    MainWindow& window = *stage_.window;
    window.files().newProject();
    QVERIFY(!bar().current());
    QVERIFY(QFile::rename(path("art/people/man.glb"), path("gone.bin")));
    window.files().open({path("p.crowd")});
    QTRY_VERIFY_WITH_TIMEOUT(bar().current(), kPatienceMs);
    QVERIFY2(bar().current()->text.contains("man.glb"), qPrintable(bar().current()->text));
    QVERIFY(window.document().project().actors.size() > 0);
    // No actor stands there, and actions that are not available say why.
    QVERIFY(!window.playback().crowd());
    QCOMPARE(drawnPixels(), 0);
    for (const char* text : {"&Bake", "&Export..."}) {
      QAction* action = stage_.action(text);
      QVERIFY(!action->isEnabled());
      QVERIFY2(action->toolTip().contains("man.glb"), qPrintable(action->toolTip()));
    }
    window.grab().save(CK_PICTURES_DIR "/missing_rig.png");
    // It comes back by itself when the file does.
    QTest::qWait(700);
    QVERIFY(QDir(folder_.path()).mkpath("rigs"));
    window.document().markSaved(path("p.crowd"));
    QVERIFY(QFile::rename(path("gone.bin"), path("rigs/man.glb")));
    window.files().open({path("p.crowd")});
    QVERIFY(waitForAtlas());
    QVERIFY2(!bar().current(), bar().current() ? qPrintable(bar().current()->text) : "");
    QVERIFY(drawnPixels() > 100);
  }

  void aCollectedProjectOpensWithoutTheOriginals() {
    MainWindow& window = *stage_.window;
    const QString target = path("collected");
    QVERIFY(QDir().mkpath(target));
    QSignalSpy reported(&window.files(), &ProjectFiles::reported);
    window.files().collectInto(target, false);
    QTRY_COMPARE_WITH_TIMEOUT(reported.count(), 1, kPatienceMs);
    QVERIFY2(reported[0][0].toString().startsWith("Collected 3 files"),
             qPrintable(reported[0][0].toString()));
    QVERIFY(QFile::remove(path("rigs/man.glb")));
    QVERIFY(QFile::remove(path("p.crowd")));
    window.document().markSaved(path("p.crowd"));
    const QImage before = stage_.viewport->grabFramebuffer();
    window.files().open({target + "/p.crowd"});
    QVERIFY(waitForAtlas());
    window.playback().setPlaying(false);
    window.playback().seek(0.0);
    QVERIFY2(!bar().current(), bar().current() ? qPrintable(bar().current()->text) : "");
    QVERIFY(drawnPixels() > 100);
    window.grab().save(CK_PICTURES_DIR "/collected.png");
  }
};

CK_TEST(tst_flow_reopen, ck::test::EditorApplication)
#include "tst_flow_reopen.moc"
