#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QUrl>
#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/start/drop_overlay.h"
#include "ui/start/first_steps.h"
#include "ui/start/recent_files.h"
#include "ui/start/start_page.h"

using namespace ck;
using namespace ck::test;
using ck::ui::AtStart;
using ck::ui::DropOverlay;
using ck::ui::FirstSteps;
using ck::ui::StartPage;

namespace {

QStringList cardTitles(const StartPage& page) {
  QStringList titles;
  for (const QToolButton* card : page.findChildren<QToolButton*>("card")) {
    titles << card->accessibleName();
  }
  return titles;
}

QToolButton* cardOf(const StartPage& page, const QString& title) {
  for (QToolButton* card : page.findChildren<QToolButton*>("card")) {
    if (card->accessibleName() == title) return card;
  }
  return nullptr;
}

}  // namespace

// The first minutes: start page, first steps, what a drop will do, and the title.
class tst_start : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    keepSettingsIn(settings_);
    const QString why = ui::whyNoOpenGl();
    QVERIFY2(why.isEmpty(), qPrintable(why));
  }

  void init() {
    QSettings().clear();
    window_ = std::make_unique<ui::MainWindow>(QString());
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QApplication::setActiveWindow(window_.get());
  }

  void cleanup() { window_.reset(); }

  void withoutARigTheStartPageIsShown() {
    QVERIFY(page().isVisible());
    QCOMPARE(cardTitles(page()), QStringList({"Plaza: people", "Meadow: deer"}));
    QCOMPARE(window_->windowTitle(), QString("Untitled[*] - Crowdkiln"));
    save("start_page_first");
  }

  void theFirstStartOpensASampleAndALaterOneTheStartPage() {
    QCOMPARE(ui::atStart(), AtStart::FirstSample);
    ui::rememberFile(humanoid());
    QCOMPARE(ui::atStart(), AtStart::StartPage);
    ui::setAtStart(AtStart::LastFile);
    QCOMPARE(ui::atStart(), AtStart::LastFile);
    window_->files().openAtStart();
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().character(0), kPatienceMs);
    QCOMPARE(window_->windowTitle(), QString("humanoid (not saved)[*] - Crowdkiln"));
  }

  void aSampleIsOpenedFromItsCard() {
    QToolButton* card = cardOf(page(), "Meadow: deer");
    QVERIFY(card);
    QTest::mouseClick(card, Qt::LeftButton);
    auto* words = window_->viewportFrame().findChild<QLabel*>("empty");
    QVERIFY(words->isVisible());
    QVERIFY2(words->text().contains("Reading animal.glb"), qPrintable(words->text()));
    QVERIFY(!page().isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().atlas(0), kPatienceMs);
    QVERIFY(!words->isVisible());
    QVERIFY2(window_->windowTitle().startsWith("meadow (sample)"),
             qPrintable(window_->windowTitle()));
  }

  void recentFilesHavePicturesAndMissingOnesAreGrey() {
    const QString project = settings_.filePath("mine.crowd");
    open({humanoid()});
    QTRY_VERIFY(window_->viewportFrame().viewport()->frameMs() > 0.0);
    QVERIFY(window_->files().saveTo(project));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    const QImage picture = ui::pictureOf(project);
    QCOMPARE(picture.size(), ui::kRecentPicture);
    QSet<QRgb> colours;
    for (int x = 0; x < picture.width(); x += 4) {
      for (int y = 0; y < picture.height(); y += 4) colours << picture.pixel(x, y);
    }
    QVERIFY2(colours.size() > 50, "the picture shows the crowd");
    ui::rememberFile(settings_.filePath("gone.crowd"));
    window_->files().newProject();
    QTRY_VERIFY(page().isVisible());
    QCOMPARE(cardTitles(page()).first(), QString("gone.crowd (missing)"));
    QVERIFY(!cardOf(page(), "gone.crowd (missing)")->isEnabled());
    QVERIFY(cardOf(page(), "mine.crowd")->isEnabled());
    save("start_page");
    window_->resize(1024, 640);
    QTRY_COMPARE(window_->size(), QSize(1024, 640));
    save("start_page_small");
    QTest::mouseClick(cardOf(page(), "mine.crowd"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().character(0), kPatienceMs);
    QVERIFY(window_->windowTitle().startsWith("mine.crowd"));
  }

  void theFirstStepsAreTickedAsTheyAreDone() {
    window_->files().openSample();
    auto& steps = *window_->findChild<FirstSteps*>();
    QVERIFY(steps.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().atlas(0) && !window_->tasks().isBusy(),
                             kPatienceMs);
    save("first_steps");
    QCOMPARE(doneSteps(steps), 0);
    // A low view is left to the crowd.
    QWidget& frame = window_->viewportFrame();
    QVERIFY(frame.rect().contains(steps.geometry()));
    const QSize before = frame.size();
    frame.resize(before.width(), 160);
    QVERIFY(!frame.rect().intersects(steps.geometry()));
    frame.resize(before);
    QVERIFY(frame.rect().contains(steps.geometry()));
    ui::Document& document = window_->document();
    document.edit("Tick", [](Project& project) {
      project.characters[0].clips[1].ticked = !project.characters[0].clips[1].ticked;
    });
    QCOMPARE(doneSteps(steps), 1);
    QTRY_VERIFY(window_->session().bakeState(0) == ui::BakeState::Outdated);
    window_->session().bakeNow(0);
    QTRY_COMPARE_WITH_TIMEOUT(doneSteps(steps), 2, kPatienceMs);
    document.edit("Tint", [](Project& project) {
      Actor actor = project.actors[0];
      actor.tint = 0x102030;
      project.actors.set(0, actor);
    });
    QCOMPARE(doneSteps(steps), 2);
    document.edit("Offset", [](Project& project) {
      Actor actor = project.actors[0];
      actor.offset += 0.25f;
      project.actors.set(0, actor);
    });
    QVERIFY(!steps.isVisible());
    // It does not come again.
    document.undoStack().setClean();
    window_->files().openSample();
    QVERIFY(!steps.isVisible());
  }

  void ownFilesHaveNoFirstSteps() {
    open({humanoid()});
    QVERIFY(!window_->findChild<FirstSteps*>()->isVisible());
  }

  void aDragShowsWhatADropDoes_data() {
    QTest::addColumn<bool>("withRig");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("titles");
    QTest::newRow("rig, nothing open") << false << humanoid() << QStringList{"Import the rig"};
    QTest::newRow("project, nothing open")
        << false << sample("plaza/plaza.crowd") << QStringList{"Open the project"};
    QTest::newRow("rig") << true << sample("animal.glb")
                         << QStringList{"Add as another character", "Add its clips",
                                        "Place as a prop", "Replace the rig"};
    QTest::newRow("project") << true << sample("plaza/plaza.crowd")
                             << QStringList{"Open the project", "Add as another character"};
    QTest::newRow("something else")
        << true << QCoreApplication::applicationFilePath() << QStringList{};
  }
  void aDragShowsWhatADropDoes() {
    QFETCH(bool, withRig);
    QFETCH(QString, file);
    QFETCH(QStringList, titles);
    if (withRig) open({humanoid()});
    QVERIFY(drag(file));
    DropOverlay& overlay = window_->viewportFrame().dropOverlay();
    QVERIFY(overlay.isVisible());
    QStringList shown;
    for (const ui::DropChoice& choice : overlay.choices()) shown << choice.title;
    QCOMPARE(shown, titles);
    if (titles.size() == 4) save("drop");
    QDragLeaveEvent leave;
    QApplication::sendEvent(window_.get(), &leave);
    QVERIFY(!overlay.isVisible());
  }

  void theFieldUnderThePointerIsTaken() {
    open({humanoid()});
    const QString file = sample("animal.glb");
    QVERIFY(drag(file));
    DropOverlay& overlay = window_->viewportFrame().dropOverlay();
    for (const QSize& size : {QSize(1600, 960), QSize(1024, 640)}) {
      window_->resize(size);
      QTRY_COMPARE(window_->size(), size);
      QTRY_COMPARE(overlay.size(), window_->viewportFrame().size());
      for (int i = 0; i < 4; ++i) {
        moveTo(overlay.fieldOf(i).center(), file);
        QCOMPARE(overlay.highlighted(), i);
        QVERIFY(overlay.rect().contains(overlay.fieldOf(i)));
      }
    }
    save("drop_small");
    const QPoint place = overlay.mapTo(window_.get(), overlay.fieldOf(2).center());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &drop);
    QVERIFY(!overlay.isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(window_->document().project().props.size(), std::size_t{1},
                              kPatienceMs);
  }

  // Fault 89: the editor starts and says nothing, whatever is in its file of settings. Its window
  // is the usual one, except that a switch whose value is no truth value may be on or off.
  void damagedSettingsAreTheUsualOnes_data() {
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QStringList>("keys");  // that are in them; none: the window is the usual one
    const QStringList none;
    QTest::newRow("nothing") << QByteArray() << none;
    QByteArray noise;
    std::mt19937 random(11);
    for (int i = 0; i < 20'000; ++i) noise += static_cast<char>(random() & 0xff);
    QTest::newRow("random bytes") << noise << none;
    QTest::newRow("zeros") << QByteArray(4096, '\0') << none;
    QTest::newRow("random values")
        << "[General]\n" + noise.toBase64().replace('/', "=").replace('+', "\n") << none;
    // The keys that the editor keeps, with values that are none of theirs.
    const QStringList keys = {"window/geometry",
                              "window/panels",
                              "window/atlasTucked",
                              "folds/formation",
                              "folds/bake",
                              "firstSteps/seen",
                              "actors/fields/more",
                              "actors/columnOrder",
                              "actors/hiddenColumns",
                              "recent",
                              "atStart",
                              "folder",
                              "reduceMotion",
                              "topRowIsKeypad",
                              "watchSources",
                              "requireSandbox"};
    for (const char* const value :
         {"@Invalid()", "@ByteArray(\\x0\\x1\\xff)", "-99999999999999999999", "nan", "-1e999",
          "@Variant(\\0\\0\\0\\x9\\xff\\xff\\xff\\xff)"}) {
      QByteArray wrong;
      for (const QString& key : keys) {
        const bool isGrouped = key.contains('/');
        const QString group = isGrouped ? key.section('/', 0, 0) : QStringLiteral("General");
        QString name = isGrouped ? key.section('/', 1) : key;
        wrong +=
            "[" + group.toUtf8() + "]\n" + name.replace('/', '\\').toUtf8() + "=" + value + "\n";
      }
      QTest::newRow(qPrintable(QString("all keys as ") + value)) << wrong << keys;
    }
  }
  void damagedSettingsAreTheUsualOnes() {
    QFETCH(QByteArray, settings);
    QFETCH(QStringList, keys);
    const QTemporaryDir fresh;
    const QTemporaryDir damaged;
    QVERIFY(QDir(damaged.path()).mkdir("Crowdkiln"));
    QFile file(damaged.filePath("Crowdkiln/crowdkiln.conf"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(settings) == settings.size());
    file.close();
    const QStringList known = QSettings(file.fileName(), QSettings::IniFormat).allKeys();
    for (const QString& key : keys) QVERIFY2(known.contains(key), qPrintable(key));
    if (usual_.isNull()) {
      usual_ = pictureOfTheEditor(fresh.path());
      usuallySaid_ = said_;
    }
    QVERIFY(!usual_.isNull());
    const QImage started = pictureOfTheEditor(damaged.path());
    QVERIFY(!started.isNull());
    QCOMPARE(said_, usuallySaid_);
    QCOMPARE(started.size(), usual_.size());
  }

  void settingsThatCannotBeWrittenStopNothing() {
    const QTemporaryDir folder;
    // A folder has the name of the file, and a file that of the folder.
    QVERIFY(QDir(folder.path()).mkpath("Crowdkiln/crowdkiln.conf"));
    QVERIFY(!pictureOfTheEditor(folder.path()).isNull());
    QFile file(folder.filePath("no-folder"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(!pictureOfTheEditor(file.fileName()).isNull());
  }

  // Fault 85: pixels of the screen for a pixel of the window.
  void scaledScreensShowTheWholeWindow() {
    const QTemporaryDir fresh;
    const QImage plain = pictureOfTheEditor(fresh.path(), {"QT_SCALE_FACTOR=1"});
    QVERIFY(!plain.isNull());
    for (const double scale : {1.5, 2.0}) {
      const QImage scaled =
          pictureOfTheEditor(fresh.path(), {QString("QT_SCALE_FACTOR=%1").arg(scale)});
      QVERIFY(!scaled.isNull());
      scaled.save(QString(CK_PICTURES_DIR "/scale_%1.png").arg(scale));
      // As large as the window is, or as the screen allows.
      QVERIFY(scaled.width() >= plain.width() && scaled.width() <= 2560);
      QVERIFY(scaled.height() >= plain.height() && scaled.height() <= 1600);
      // The view and the panels around it have content up to all sides.
      const auto colours = [&scaled](const QRect& part) {
        std::set<QRgb> found;
        for (int y = part.top(); y <= part.bottom(); y += 2) {
          for (int x = part.left(); x <= part.right(); x += 2) found.insert(scaled.pixel(x, y));
        }
        return found.size();
      };
      const int w = scaled.width();
      const int h = scaled.height();
      for (const QRect& side : {QRect(0, 0, w / 8, h), QRect(w - w / 8, 0, w / 8, h),
                                QRect(0, 0, w, h / 8), QRect(0, h - h / 8, w, h / 8)}) {
        QVERIFY(colours(side) > 20);
      }
    }
  }

 private:
  StartPage& page() { return window_->viewportFrame().startPage(); }

  void open(const QStringList& files) {
    window_->files().open(files);
    QVERIFY(QTest::qWaitFor(
        [this] { return window_->session().atlas(0) && !window_->tasks().isBusy(); }, kPatienceMs));
  }

  static int doneSteps(const FirstSteps& steps) {
    int done = 0;
    for (const QLabel* label : steps.findChildren<QLabel*>()) {
      done += label->accessibleName() == "done" ? 1 : 0;
    }
    return done;
  }

  // Starts the editor itself with a folder of settings of its own, and returns its picture after
  // the window is there.
  QImage pictureOfTheEditor(const QString& settings, const QStringList& environment = {}) {
    const QString picture = settings_.filePath("started.png");
    QFile::remove(picture);
    QProcess editor;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.insert("XDG_CONFIG_HOME", settings);
    for (const QString& each : environment) {
      variables.insert(each.section('=', 0, 0), each.section('=', 1));
    }
    editor.setProcessEnvironment(variables);
    editor.start(CK_BIN_DIR "/crowdkiln", {humanoid(), "--screenshot", picture, "--after", "1"});
    const bool ended = editor.waitForFinished(kPatienceMs);
    said_ = editor.readAllStandardError();
    if (!ended || editor.exitStatus() != QProcess::NormalExit || editor.exitCode() != 0) {
      qWarning("the editor ended with %d: %s", editor.exitCode(), said_.constData());
      return {};
    }
    return QImage(picture);
  }

  bool drag(const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(window_.get(), &enter);
    return enter.isAccepted();
  }

  void moveTo(const QPoint& place, const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    const DropOverlay& overlay = window_->viewportFrame().dropOverlay();
    QDragMoveEvent move(overlay.mapTo(window_.get(), place), Qt::CopyAction, &data, Qt::LeftButton,
                        Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &move);
  }

  void save(const char* name) {
    QTest::qWait(50);  // new widgets are shown when events have been worked off
    window_->grab().save(QStringLiteral(CK_PICTURES_DIR "/%1.png").arg(name));
  }

  QTemporaryDir settings_;
  QByteArray said_;         // by the last editor that was started, to the standard error
  QImage usual_;            // of the editor without settings
  QByteArray usuallySaid_;  // by it
  std::unique_ptr<ui::MainWindow> window_;
};

CK_TEST(tst_start, ck::test::EditorApplication)
#include "tst_start.moc"
