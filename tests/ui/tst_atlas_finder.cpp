#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/stage/pipeline.h"
#include "tests/support/test_program.h"
#include "tests/ui/both_characters.h"
#include "tests/ui/window_stage.h"
#include "ui/fit/finder_panel.h"
#include "ui/fit/front_plot.h"

using namespace ck::ui;
using ck::FitResult;
using ck::FitRow;
using ck::Project;
using ck::test::Desk;
using ck::test::kPatienceMs;
using ck::test::tested;
using ck::test::testedIn;
using ck::test::untested;

namespace {

// A desk with the finder and two short clips.
struct Search : Desk {
  FinderPanel panel{document, session, playback};

  bool start() {
    if (!openBoth(*this)) return false;
    document.edit("Two clips", [](Project& p) {
      std::vector<ck::ProjectClip>& clips = testedIn(p).clips;
      for (ck::ProjectClip& clip : clips) clip.ticked = clip.name == "walk" || clip.name == "run";
    });
    panel.resize(1000, 260);
    panel.show();
    return true;
  }
  bool find() {
    QTest::mouseClick(&panel.searchButton(), Qt::LeftButton);
    // It has low priority, and a busy machine may leave it little.
    return QTest::qWaitFor([this] { return !panel.search().isRunning(); }, 4 * kPatienceMs);
  }
  const FitResult& result() { return panel.search().result(); }
  const FitRow& best() { return result().rows[*result().best]; }
  const ck::BakeSettings& settings() { return testedIn(project()).bake; }
};

bool usesFound(const ck::BakeSettings& now, const ck::BakeSettings& found) {
  return now.encoding == found.encoding && now.components == found.components &&
         now.rangeMode == found.rangeMode && now.layout == found.layout &&
         now.rateHz == found.rateHz && now.frames == found.frames &&
         now.reduceMm == found.reduceMm && now.influences == found.influences;
}

}  // namespace

class tst_atlas_finder : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase_data() { ck::test::addBothCharacters(); }
  void initTestCase() { ck::test::startWithSamples(); }

  void withoutARigItSaysWhatIsMissing() {
    Search desk;
    desk.panel.show();
    QVERIFY(!desk.panel.searchButton().isEnabled());
    QVERIFY(desk.panel.searchButton().toolTip().contains("Import a rig"));
    QVERIFY(!desk.panel.useButton().isEnabled());
    desk.panel.search().start({});
    QVERIFY(!desk.panel.search().isRunning());
  }

  void findsAndUsesTheSmallest() {
    Search desk;
    QVERIFY(desk.start());
    desk.panel.limitMm().setValue(2.0);
    QVERIFY(desk.find());
    QVERIFY(desk.result().best);
    QVERIFY(ck::figuresOf(desk.best()).vertices.max <= 2.0);
    // The row of the table is the best, and chosen.
    const auto row = int(*desk.result().best);
    QCOMPARE(desk.panel.table().currentIndex().row(), row);
    const QAbstractItemModel& model = *desk.panel.table().model();
    QCOMPARE(std::size_t(model.rowCount()), desk.result().rows.size());
    QVERIFY(model.index(row, FoundModel::Remark).data().toString().startsWith("best"));
    QVERIFY(desk.panel.words().text().contains("candidates measured"));
    const Project before = desk.project();
    const int steps = desk.document.undoStack().index();
    QTest::mouseClick(&desk.panel.useButton(), Qt::LeftButton);
    QCOMPARE(desk.document.undoStack().index(), steps + 1);
    QVERIFY(usesFound(desk.settings(), desk.best().settings));
    // The settings then are those of the row.
    const auto inputs = ck::bakeInputs(testedIn(desk.project()));
    const auto atlas = ck::bake(*desk.session.character(tested()), inputs)->atlas;
    QCOMPARE(atlas.texels.size(), desk.best().bytes);
    const auto error = ck::measureBakeError(*desk.session.character(tested()), atlas,
                                            {.screen = desk.project().view.screen});
    QCOMPARE(error->palette, desk.best().error.palette);
    // It is still the search of these clips.
    QVERIFY(desk.panel.search().isCurrent());
    desk.document.undoStack().undo();
    QVERIFY(desk.project() == before);
    // By the keyboard, and by the plot.
    desk.panel.table().setFocus();
    QTest::keyClick(&desk.panel.table(), Qt::Key_Return);
    QVERIFY(usesFound(desk.settings(), desk.best().settings));
    const int other = row == 0 ? 1 : 0;
    QTest::mouseClick(&desk.panel.plot(), Qt::LeftButton, {},
                      desk.panel.plot().pointOf(other).toPoint());
    QCOMPARE(desk.panel.table().currentIndex().row(), other);
    QTest::qWait(100);
    desk.panel.grab().save(QStringLiteral(CK_PICTURES_DIR "/finder.png"));
  }

  void stoppingKeepsTheRows() {
    Search desk;
    QVERIFY(desk.start());
    desk.panel.limitMm().setValue(0.5);
    QTest::mouseClick(&desk.panel.searchButton(), Qt::LeftButton);
    QVERIFY(desk.panel.search().isRunning());
    QCOMPARE(desk.panel.searchButton().text(), QString("&Stop"));
    QTRY_VERIFY_WITH_TIMEOUT(!desk.result().rows.empty(), kPatienceMs);
    QVERIFY(desk.panel.search().isRunning());
    QTest::mouseClick(&desk.panel.searchButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.panel.search().isRunning(), kPatienceMs);
    QVERIFY(desk.result().stopped);
    QVERIFY(!desk.result().rows.empty());
    QVERIFY2(desk.panel.words().text().contains("Stopped"), qPrintable(desk.panel.words().text()));
    QCOMPARE(desk.panel.searchButton().text(), QString("&Search"));
    // They can be used.
    desk.panel.table().selectRow(0);
    QTest::mouseClick(&desk.panel.useButton(), Qt::LeftButton);
    QVERIFY(usesFound(desk.settings(), desk.result().rows[0].settings));
  }

  // Each character keeps the rows of its own search.
  void whatIsFoundBelongsToItsCharacter() {
    Search desk;
    QVERIFY(desk.start());
    desk.panel.limitMm().setValue(5.0);
    QVERIFY(desk.find());
    const std::size_t rows = desk.result().rows.size();
    QVERIFY(rows > 0 && desk.panel.words().text().startsWith("<b>humanoid</b>"));
    desk.playback.setShownCharacter(untested());
    QVERIFY(desk.panel.words().text().startsWith("<b>animal</b>"));
    QCOMPARE(desk.panel.table().model()->rowCount(), 0);
    QVERIFY(!desk.panel.useButton().isEnabled());
    // A search for the humanoid goes on while the doe is shown, and is not hers.
    desk.playback.setShownCharacter(tested());
    QCOMPARE(std::size_t(desk.panel.table().model()->rowCount()), rows);
    desk.panel.search().start(desk.panel.search().limits());
    QVERIFY(desk.panel.search().isRunning());
    desk.playback.setShownCharacter(untested());
    QVERIFY(!desk.panel.search().isRunning());
    desk.playback.setShownCharacter(tested());
    QTRY_VERIFY_WITH_TIMEOUT(!desk.panel.search().isRunning(), 4 * kPatienceMs);
    QCOMPARE(desk.result().rows.size(), rows);
    const Project before = desk.project();
    desk.panel.search().use(FitRow(desk.best()));
    const auto other = std::size_t(untested());
    QVERIFY(desk.project().characters[other] == before.characters[other]);
    QVERIFY(usesFound(desk.settings(), desk.best().settings));
  }

  void whereNothingFitsAClickAllowsOrDrops() {
    Search desk;
    QVERIFY(desk.start());
    desk.panel.limitMm().setValue(1.0);
    QVERIFY(desk.find());
    QVERIFY(desk.result().best);
    desk.panel.limitKilobytes().setValue(double(desk.best().bytes) / 1024.0 * 0.8);
    QVERIFY(desk.find());
    QVERIFY(!desk.result().best);
    const QString words = desk.panel.words().text();
    QVERIFY2(words.contains("Nothing within 1 mm takes at most"), qPrintable(words));
    QVERIFY2(words.contains("<a href=\"0\""), qPrintable(words));
    const auto& advice = desk.result().advice;
    const auto drop =
        std::ranges::find(advice, ck::FitAdvice::Kind::DropClip, &ck::FitAdvice::kind);
    QVERIFY(drop != advice.end());
    const std::string clip = drop->clip;
    const ck::BakeSettings found = drop->row.settings;
    const int steps = desk.document.undoStack().index();
    emit desk.panel.words().linkActivated(QString::number(drop - advice.begin()));
    QCOMPARE(desk.document.undoStack().index(), steps + 1);
    QVERIFY(usesFound(desk.settings(), found));
    for (const ck::ProjectClip& each : testedIn(desk.project()).clips) {
      if (ck::titleOf(each) == clip) QVERIFY(!each.ticked);
    }
    QVERIFY(!desk.panel.search().isCurrent());
    QVERIFY(desk.panel.words().text().contains("search again"));
    QTest::qWait(100);
    desk.panel.grab().save(QStringLiteral(CK_PICTURES_DIR "/finder_advice.png"));
  }

  void anotherRigHasOtherAtlases() {
    Search desk;
    QVERIFY(desk.start());
    desk.panel.limitMm().setValue(5.0);
    QVERIFY(desk.find());
    QVERIFY(!desk.result().rows.empty());
    desk.session.importRig({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(desk.result().rows.empty(), kPatienceMs);
    QCOMPARE(desk.panel.table().model()->rowCount(), 0);
  }
};

CK_TEST(tst_atlas_finder, QApplication)
#include "tst_atlas_finder.moc"
