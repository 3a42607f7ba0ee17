#include <QAction>
#include <QDir>
#include <QKeyEvent>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/bake/bake_presets.h"
#include "ui/viewport/notification_bar.h"
#include "ui/windows/status_strip.h"

using namespace ck;
using namespace ck::test;

namespace {

const QString kImages = QStringLiteral(CK_SOURCE_DIR "/docs/images");
constexpr double kMoment = 1.2;  // seconds of the crowd's clock

}  // namespace

// Makes the pictures of docs/images, each from the sample and a few steps of an artist. Only
// scripts/pictures.sh runs it: pictures of text differ between machines.
class tst_pictures : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (qEnvironmentVariable("CK_IMAGES") != "write")
      QSKIP("scripts/pictures.sh makes the pictures");
    keepSettingsIn(settings_);
    QSettings().setValue("firstSteps/seen", true);
    QVERIFY(QDir().mkpath(kImages));
  }

  void init() {
    window_ = std::make_unique<ui::MainWindow>(ui::whyNoOpenGl());
    window_->playback().setFixedStep(1.0 / 60.0);
    window_->resize(1600, 960);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QApplication::setActiveWindow(window_.get());
    window_->files().openSample();
    view_ = window_->viewportFrame().viewport();
    QVERIFY(view_);
    settle();
  }

  void cleanup() { window_.reset(); }

  void editor() {
    window_->selection().set({3, 17, 40});
    save("editor");
  }

  void move() {
    QTest::keyClick(view_, Qt::Key_W);
    window_->selection().set({2, 3, 5});
    lookAtSelected();
    saveView("move");
  }

  void compare() {
    window_->document().edit("Preset", [](Project& project) {
      BakeSettings& bake = project.characters[0].bake;
      bake = ui::withPreset(bake, ui::BakePreset::FarCrowd);
    });
    settle();
    window_->session().bakeNow(0);
    settle();
    view_->setViewMode(ViewMode::Split);
    window_->selection().set({2, 3, 5});
    lookAtSelected();
    window_->selection().clear();
    saveView("compare");
  }

  void lines() {
    window_->document().setView([](Project& project) {
      project.view.lines.skeleton = true;
      project.view.lines.bounds = true;
    });
    window_->selection().set({2, 3, 5});
    lookAtSelected();
    saveView("lines");
  }

  void path() {
    window_->document().edit("Path", [](Project& project) {
      project.crowds.front().spawn.path = {{-9, 6}, {-3, -2}, {4, -1}, {9, -7}};
      project.crowds.front().spawn.pathRows = 2;
    });
    window_->panel<ui::ActorsPanel>().spawnBar().setFormation(Formation::Path);
    for (QAction* action : window_->findChildren<QAction*>()) {
      if (action->text() == "Draw &path") action->trigger();
    }
    view_->frameAll();
    saveView("path");
  }

  void start() {
    window_->files().saveTo(settings_.filePath("market square.crowd"));
    window_->files().newProject();
    settle();
    window_->panel<ui::StatusStrip>().report({});
    save("start");
  }

 private:
  void settle() {
    QTest::qWait(200);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    window_->playback().setPlaying(false);
    window_->playback().seek(kMoment);
    QTest::qWait(1500);  // thumbnails and errors come in the background
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    window_->viewportFrame().notifications().closeCurrent();
  }

  void lookAtSelected() {
    QTest::qWait(100);
    view_->frameSelected();
    QTest::qWait(400);
  }

  void save(const QString& name) { keep(window_->grab(), name); }
  void saveView(const QString& name) {
    settle();
    keep(window_->viewportFrame().grab(), name);
  }
  static void keep(const QPixmap& picture, const QString& name) {
    QVERIFY(picture.save(QStringLiteral("%1/%2.png").arg(kImages, name)));
  }

  QTemporaryDir settings_;
  std::unique_ptr<ui::MainWindow> window_;
  ui::ViewportWidget* view_ = nullptr;
};

CK_TEST(tst_pictures, ck::test::EditorApplication)
#include "tst_pictures.moc"
