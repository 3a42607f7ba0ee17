#include <QAction>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/export/atlas_folder.h"
#include "tests/support/test_program.h"
#include "tests/ui/both_characters.h"
#include "tests/ui/window_stage.h"
#include "ui/atlas_view/atlas_canvas.h"
#include "ui/atlas_view/atlas_panel.h"
#include "ui/bake/bake_panel.h"
#include "ui/clips/clip_model.h"
#include "ui/clips/clips_panel.h"
#include "ui/doctor/examination.h"
#include "ui/files/export_dialog.h"
#include "ui/files/project_export.h"
#include "ui/fit/finder_panel.h"
#include "ui/parts/panel_parts.h"
#include "ui/stats/stats_panel.h"
#include "ui/timeline/error_curves.h"

using namespace ck::ui;
using ck::Project;
using ck::test::kPatienceMs;
using ck::test::tested;
using ck::test::untested;

// The window with a crowd of people and does: all panels and commands are about the shown ones,
// whether these are the first or the second character.
class tst_both_characters : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase_data() { ck::test::addBothCharacters(); }
  void initTestCase() {
    QVERIFY(stage_.open());
    window().session().addCharacters({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(window().session().atlas(1) && isIdle(), kPatienceMs);
    steps_ = window().document().undoStack().index();
  }
  void cleanupTestCase() { stage_.close(); }
  void init() {
    window().playback().setShownCharacter(tested());
    QCOMPARE(window().playback().shownCharacter(), tested());
  }
  void cleanup() {
    while (window().document().undoStack().index() > steps_) window().document().undoStack().undo();
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
    for (const int c : {0, 1}) window().session().bakeNow(c);
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
  }

  void allPanelsShowIt() {
    window().panels().raise(window().panel<BakePanel>());
    const QString title = tested() == 0 ? "humanoid" : "animal";
    const QString heading = QStringLiteral("<b>%1</b>").arg(title);
    QVERIFY(says(window().panel<BakePanel>(), heading));
    QVERIFY(says(window().panel<ClipsPanel>(), heading));
    QVERIFY(window().panel<FinderPanel>().words().text().startsWith(heading));
    const ck::AtlasPtr atlas = window().session().atlas(tested());
    QVERIFY(window().panel<AtlasPanel>().canvas().atlas() == atlas);
    QCOMPARE(window().panel<ClipsPanel>().model().character(), tested());
    QTRY_VERIFY_WITH_TIMEOUT(window().examination().isCurrent(), kPatienceMs);
    for (const ck::ClipFinding& finding : window().examination().findings()) {
      QVERIFY(finding.clip < window().panel<ClipsPanel>().model().rowCount());
    }
    const ck::BakeError* error = window().session().error(tested());
    QVERIFY(error);
    QTableWidget& stats = window().panel<StatsPanel>().errorTable();
    QVERIFY2(stats.horizontalHeaderItem(0)->text().startsWith("Error of " + title),
             qPrintable(stats.horizontalHeaderItem(0)->text()));
    QCOMPARE(stats.item(0, 1)->text(), figureText(error->palette.vertices.max));
    QVERIFY(error->palette.vertices.max !=
            window().session().error(untested())->palette.vertices.max);
    const auto& curves = *window().findChild<ErrorCurves*>();
    QTRY_COMPARE_WITH_TIMEOUT(curves.character(), tested(), kPatienceMs);
    QVERIFY(curves.atlas() == atlas.get());
    QTest::qWait(300);
    window().grab().save(QStringLiteral(CK_PICTURES_DIR "/both_%1.png").arg(title));
  }

  void theKeyBakesIt() {
    setRate(tested(), 7.0);
    setRate(untested(), 9.0);
    const ck::AtlasPtr other = window().session().atlas(untested());
    QTest::keyClick(&window(), Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(stateOf(tested()) == BakeState::UpToDate && isIdle(), kPatienceMs);
    QVERIFY(stateOf(untested()) == BakeState::Outdated);
    QVERIFY(window().session().atlas(untested()) == other);
  }

  void anExportBakesWhatIsOutdated() {
    setRate(tested(), 7.0);
    QVERIFY(charactersToBake(window().document().project(), window().session()) ==
            std::vector<int>{tested()});
    QTemporaryDir folder;
    window().files().exports().ask();
    auto* dialog = window().findChild<ExportDialog*>();
    QVERIFY(dialog);
    dialog->findChild<QLineEdit*>()->setText(folder.path());
    dialog->accept();
    const auto files = [&folder] { return QDir(folder.path()).entryList({"*.atlas.json"}).size(); };
    QTRY_VERIFY_WITH_TIMEOUT(files() == 2 && isIdle(), kPatienceMs);
    const auto sets = ck::readAtlasFolder(folder.path().toStdString());
    QVERIFY(sets.has_value());
    for (const int c : {0, 1}) {
      QVERIFY(stateOf(c) == BakeState::UpToDate);
      QVERIFY(std::ranges::any_of(*sets, [&](const auto& one) {
        return one.atlas.texels == window().session().atlas(c)->texels;
      }));
    }
    QTRY_VERIFY(!window().findChild<ExportDialog*>());
  }

  // Not of this and not of that one can be exported what has no ticked clip.
  void rejectsAnExportWithoutATickedClip() {
    QSignalSpy refused(&window().files().exports(), &ProjectExport::refused);
    window().panel<ClipsPanel>().model().tickAll(false);
    QVERIFY(stateOf(tested()) == BakeState::NothingTicked);
    window().files().exports().ask();
    QCOMPARE(refused.count(), 1);
    const QString title = tested() == 0 ? "humanoid" : "animal";
    QVERIFY2(refused[0][0].toString().contains(title), qPrintable(refused[0][0].toString()));
    QVERIFY(!window().findChild<ExportDialog*>());
  }

  // Clips of further files are added to it, in one step.
  void itTakesClipsOfFurtherFiles() {
    const std::size_t other = clipsOf(window().document().project(), untested()).size();
    const QString file = ck::test::sample(tested() == 0 ? "humanoid.glb" : "animal.glb");
    QVERIFY(stage_.action("&Add clips...")->isEnabled());
    window().session().addClips(window().playback().shownCharacter(), {file});
    const auto sources = [this](int c) {
      return window().document().project().characters[std::size_t(c)].sources.size();
    };
    QTRY_VERIFY_WITH_TIMEOUT(sources(tested()) == 2 && isIdle(), kPatienceMs);
    QCOMPARE(sources(untested()), std::size_t{1});
    QCOMPARE(window().document().undoStack().index(), steps_ + 1);
    QVERIFY(stateOf(tested()) == BakeState::UpToDate);
    QCOMPARE(clipsOf(window().document().project(), untested()).size(), other);
  }

 private:
  MainWindow& window() { return *stage_.window; }
  bool isIdle() {
    return !window().tasks().isBusy() && window().session().error(0) && window().session().error(1);
  }
  BakeState stateOf(int character) { return window().session().bakeState(character); }
  void setRate(int character, double rate) {
    window().document().edit("Rate", [=](Project& project) {
      project.characters[std::size_t(character)].bake.rateHz = rate;
    });
    QVERIFY(stateOf(character) == BakeState::Outdated);
  }
  static bool says(const QWidget& panel, const QString& words) {
    return std::ranges::any_of(panel.findChildren<QLabel*>(), [&](const QLabel* label) {
      return !label->isHidden() && label->text() == words;
    });
  }

  ck::test::WindowStage stage_;
  int steps_ = 0;  // of the undo history, before the test
};

CK_TEST(tst_both_characters, ck::test::EditorApplication)
#include "tst_both_characters.moc"
