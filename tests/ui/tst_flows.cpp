#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/bake/bake_panel.h"
#include "ui/clips/clip_model.h"
#include "ui/clips/clips_panel.h"
#include "ui/files/export_dialog.h"
#include "ui/fit/finder_panel.h"
#include "ui/start/drop_overlay.h"
#include "ui/windows/status_strip.h"

using namespace ck;
using namespace ck::test;

// The work of artists, from the first start to the export, by mouse and keyboard, in a large and in
// the smallest window. It also runs at a scale of 1.5. The flows of offsets and of reopening have
// tests of their own (tst_flow_offsets, tst_flow_reopen).
class tst_flows : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    keepSettingsIn(settings_);
    const QString why = ui::whyNoOpenGl();
    QVERIFY2(why.isEmpty(), qPrintable(why));
  }

  void init() { QSettings().clear(); }
  void cleanup() { window_.reset(); }

  // A rig is dropped and moves, framed, with all its clips.
  void importARigAndSeeItMove_data() { sizes(); }
  void importARigAndSeeItMove() {
    start();
    QSignalSpy told(&window_->session(), &ui::Session::reported);
    drop(sample("animal.glb"));
    auto* words = window_->viewportFrame().findChild<QLabel*>("empty");
    QTRY_VERIFY2(words->isVisible() && words->text().contains("Reading animal.glb"),
                 "the view says what is being read");
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().character(0), kPatienceMs);
    QTRY_VERIFY(!told.isEmpty());
    QCOMPARE(told[0][0].toString().section(':', 0, 0), QString("animal"));
    const ui::ClipModel& clips = window_->panel<ui::ClipsPanel>().model();
    QCOMPARE(std::size_t(clips.rowCount()), window_->session().character(0)->clips.size());
    for (const ProjectClip& clip : window_->document().project().characters[0].clips) {
      QVERIFY(clip.ticked);
    }
    seesThemMove();
    shows("flow_import");
  }

  // The first start: people move without a click; a tick changes the cost before the bake.
  void theFirstStartToAnOwnBake_data() { sizes(); }
  void theFirstStartToAnOwnBake() {
    start();
    window_->files().openAtStart();
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().atlas(0) && !window_->tasks().isBusy(),
                             kPatienceMs);
    seesThemMove();
    QTRY_VERIFY(costBytes() > 0);
    const std::size_t before = costBytes();
    clickTick(1);
    QVERIFY(!window_->document().project().characters[0].clips[1].ticked);
    QTRY_VERIFY(costBytes() > 0 && costBytes() < before);
    QCOMPARE(window_->session().bakeState(0), ui::BakeState::Outdated);
    QTest::keyClick(window_.get(), Qt::Key_B, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window_->session().bakeState(0), ui::BakeState::UpToDate,
                              kPatienceMs);
    QTRY_VERIFY(window_->panel<ui::StatusStrip>().reported().startsWith("Baked 6 clips"));
    seesThemMove();
    shows("flow_first");
  }

  // A smaller atlas by hand: a preset, its cost at once, its error after the bake, and back.
  void aSmallerAtlasByHand_data() { sizes(); }
  void aSmallerAtlasByHand() {
    start();
    open(humanoid());
    QTRY_VERIFY(costBytes() > 0);
    const std::size_t before = costBytes();
    QTRY_VERIFY_WITH_TIMEOUT(errorMm() > 0.0, kPatienceMs);
    const double exact = errorMm();
    auto& panel = window_->panel<ui::BakePanel>();
    window_->panels().raise(panel);
    QComboBox* preset = nullptr;
    for (QComboBox* box : panel.findChildren<QComboBox*>()) {
      if (!box->isHidden() && box->findText("Far crowd", Qt::MatchStartsWith) >= 0) preset = box;
    }
    QVERIFY(preset);
    preset->setFocus();
    const int steps = window_->document().undoStack().index();
    for (int i = 0; i < 8 && !preset->currentText().startsWith("Far crowd"); ++i) {
      QTest::keyClick(preset, Qt::Key_Down);
    }
    QVERIFY(preset->currentText().startsWith("Far crowd"));
    QTRY_VERIFY_WITH_TIMEOUT(costBytes() > 0 && costBytes() < before, kPatienceMs);
    QTest::keyClick(window_.get(), Qt::Key_B, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window_->session().bakeState(0), ui::BakeState::UpToDate,
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(errorMm() > exact, kPatienceMs);
    shows("flow_smaller");
    while (window_->document().undoStack().index() > steps) {
      QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    }
    QTRY_COMPARE_WITH_TIMEOUT(costBytes(), before, kPatienceMs);
  }

  // The smallest atlas that is still right: found, used, baked, and taken back.
  void findTheSmallestAtlas_data() { sizes(); }
  void findTheSmallestAtlas() {
    start();
    open(humanoid());
    QTRY_VERIFY(costBytes() > 0);
    const std::size_t before = costBytes();
    QTest::keyClick(window_.get(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    auto& panel = window_->panel<ui::FinderPanel>();
    QTRY_VERIFY(panel.isVisible());
    auto* limit = &panel.limitMm();
    limit->setFocus();
    limit->selectAll();
    QTest::keyClicks(limit, "5");
    QTest::keyClick(limit, Qt::Key_Return);
    QCOMPARE(limit->value(), 5.0);
    QTest::mouseClick(&panel.searchButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!panel.search().isRunning(), 4 * kPatienceMs);
    QVERIFY(panel.search().result().best);
    const FitRow best = panel.search().result().rows[*panel.search().result().best];
    shows("flow_finder");
    const int steps = window_->document().undoStack().index();
    panel.table().setFocus();
    QTest::keyClick(&panel.table(), Qt::Key_Return);
    QCOMPARE(window_->document().undoStack().index(), steps + 1);
    QTRY_COMPARE_WITH_TIMEOUT(costBytes(), best.bytes, kPatienceMs);
    QVERIFY(best.bytes < before);
    QTest::keyClick(window_.get(), Qt::Key_B, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window_->session().bakeState(0), ui::BakeState::UpToDate,
                              kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(errorMm(), best.error.palette.vertices.max, kPatienceMs);
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(costBytes(), before, kPatienceMs);
  }

  // To an engine, read back, with the steps to play it; what cannot be written is said at once.
  void exportToAnEngine_data() { sizes(); }
  void exportToAnEngine() {
    start();
    open(humanoid());
    QTemporaryDir folder;
    QTest::keyClick(window_.get(), Qt::Key_E, Qt::ControlModifier);
    ui::ExportDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = window_->findChild<ui::ExportDialog*>()) != nullptr);
    QTRY_VERIFY(dialog->isVisible());
    QVERIFY2(dialog->width() <= window_->width() && dialog->height() <= window_->height(),
             "the dialog fits into the window");
    QLineEdit* where = dialog->findChild<QLineEdit*>();
    where->setFocus();
    where->selectAll();
    QTest::keyClicks(where, folder.path());
    for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) {
      if (box->text() != "three.js") continue;
      auto* area = dialog->findChild<QScrollArea*>();
      area->ensureWidgetVisible(box);
      QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
      QVERIFY(box->isChecked());
    }
    QTRY_VERIFY(!window_->tasks().isBusy());
    shows("flow_export", dialog);
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
      if (button->text() == "Export") QTest::mouseClick(button, Qt::LeftButton);
    }
    auto& strip = window_->panel<ui::StatusStrip>();
    QTRY_VERIFY_WITH_TIMEOUT(strip.reported().startsWith("Verified"), kPatienceMs);
    const QStringList written = QDir(folder.path()).entryList(QDir::Files | QDir::Dirs);
    QVERIFY2(!written.filter(".three").isEmpty(), qPrintable(written.join(' ')));
  }

 private:
  void sizes() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1600x960") << QSize(1600, 960);
    QTest::newRow("1024x640") << QSize(1024, 640);
  }

  void start() {
    QFETCH(QSize, size);
    window_ = std::make_unique<ui::MainWindow>(QString());
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QApplication::setActiveWindow(window_.get());
    const QSize room = window_->screen()->availableSize();
    window_->resize(size.boundedTo(room));
    QTRY_COMPARE(window_->size(), size.boundedTo(room));
    QTest::qWait(50);  // panels adapt to a size when the events of it have been worked off
  }

  void open(const QString& rig) {
    window_->files().open({rig});
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().atlas(0) && !window_->tasks().isBusy(),
                             kPatienceMs);
  }

  // 0 where it is not known.
  std::size_t costBytes() {
    const Result<BakeCost>* cost = window_->session().cost(0);
    return cost && *cost ? (*cost)->bytes : 0;
  }

  double errorMm() {
    const BakeError* error = window_->session().error(0);
    return error ? error->palette.vertices.max : 0.0;
  }

  void drop(const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    const QPoint place =
        window_->viewportFrame().mapTo(window_.get(), window_->viewportFrame().rect().center());
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QVERIFY(window_->viewportFrame().dropOverlay().isVisible());
    QDropEvent event(place, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &event);
  }

  void clickTick(int row) {
    auto& panel = window_->panel<ui::ClipsPanel>();
    window_->panels().raise(panel);
    QTreeView& view = panel.view();
    const QModelIndex index = view.model()->index(row, 0);
    view.scrollTo(index);
    const QRect cell = view.visualRect(index);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      QPoint(cell.left() + 14, cell.center().y()));
  }

  // The crowd is in the picture, and another moment of it looks otherwise.
  void seesThemMove() {
    ui::ViewportWidget* view = window_->viewportFrame().viewport();
    QVERIFY(view);
    window_->playback().setPlaying(false);
    window_->playback().seek(0.4);
    QTRY_VERIFY(view->frameMs() > 0.0);
    const QImage one = view->grabFramebuffer();
    window_->playback().seek(0.9);
    const QImage other = view->grabFramebuffer();
    const int moved = differences(one, other);
    QVERIFY2(moved > 100, qPrintable(QString("%1 pixels differ").arg(moved)));
    window_->playback().setPlaying(true);
  }

  // The window, or a dialog, for looking at it.
  void shows(const QString& name, QWidget* widget = nullptr) {
    QFETCH(QSize, size);
    const QString scale = qEnvironmentVariable("QT_SCALE_FACTOR", "1");
    (widget ? widget : window_.get())
        ->grab()
        .save(
            QStringLiteral(CK_PICTURES_DIR "/%1_%2_%3.png").arg(name).arg(size.width()).arg(scale));
  }

  QTemporaryDir settings_;
  std::unique_ptr<ui::MainWindow> window_;
};

CK_TEST(tst_flows, ck::test::EditorApplication)
#include "tst_flows.moc"
