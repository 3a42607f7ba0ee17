#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <set>

#include "core/morph/actor_morphs.h"
#include "core/project/pipeline.h"
#include "tests/support/import_worker.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/panels/morph_row.h"
#include "ui/panels/morphs_panel.h"
#include "ui/theme/theme.h"

using namespace ck::ui;

namespace {

// The panel with the bundled rig, which blinks and smiles; without a viewport.
struct Stage {
  Stage() { session.importRig({QString::fromStdString(ck::findSample().string())}); }
  bool wait() {
    return QTest::qWaitFor([this] { return !panel.rows().empty(); }, 30'000);
  }
  MorphRow* row(const QString& name) {
    for (MorphRow* each : panel.rows()) {
      if (each->name() == name) return each;
    }
    return nullptr;
  }
  std::optional<float> weight(int actor, const char* name) {
    return ck::morphOf(document.project().actors[std::size_t(actor)], name);
  }
  void press(const QString& name, const QString& what) {
    for (QToolButton* button : row(name)->findChildren<QToolButton*>()) {
      if (button->accessibleName() == what + " " + name) button->click();
    }
  }

  Document document;
  TaskRunner tasks;
  Session session{document, tasks};
  Selection selection{document};
  MorphsPanel panel{document, session, selection, nullptr};
};

}  // namespace

class tst_morphs_panel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    applyTheme(*qApp);
  }

  void rejectsWeightsBeyondTheLimit() {
    Stage stage;
    QVERIFY(stage.wait());
    stage.row("smile")->field().setValue(99.0);
    QCOMPARE(*stage.weight(0, "smile"), 16.0f);
  }

  void aDragIsOneUndoStep() {
    Stage stage;
    QVERIFY(stage.wait());
    QVERIFY(stage.document.project().actors.size() > 3);
    const int before = stage.document.undoStack().count();
    stage.selection.set({1, 2});
    QSlider& slider = stage.row("smile")->slider();
    slider.setSliderDown(true);
    for (int value = 10; value <= 70; value += 10) slider.setValue(value);
    slider.setSliderDown(false);
    QCOMPARE(*stage.weight(1, "smile"), 0.7f);
    QCOMPARE(*stage.weight(2, "smile"), 0.7f);
    QVERIFY(!stage.weight(0, "smile"));
    QCOMPARE(stage.document.undoStack().count(), before + 1);
    slider.setSliderDown(true);
    slider.setValue(20);
    slider.setSliderDown(false);
    QCOMPARE(stage.document.undoStack().count(), before + 2);
    stage.document.undoStack().undo();
    QCOMPARE(slider.value(), 70);
    stage.document.undoStack().undo();
    QVERIFY(!stage.weight(1, "smile"));
    QCOMPARE(slider.value(), 0);
  }

  void soloLeavesOneAndResetNone() {
    Stage stage;
    QVERIFY(stage.wait());
    stage.selection.set({0});
    stage.press("blink", "Only");
    QCOMPARE(*stage.weight(0, "blink"), 1.0f);
    QCOMPARE(*stage.weight(0, "smile"), 0.0f);
    stage.press("smile", "Reset");
    QVERIFY(!stage.weight(0, "smile"));
    for (QToolButton* button : stage.panel.findChildren<QToolButton*>()) {
      if (button->accessibleName() == "Reset all morph targets") button->click();
    }
    QVERIFY(stage.document.project().actors[0].morphs.empty());
  }

  void everybodySmilesDifferently() {
    Stage stage;
    QVERIFY(stage.wait());
    stage.press("smile", "Vary");
    std::set<float> weights;
    for (int i = 0; i < int(stage.document.project().actors.size()); ++i) {
      const auto own = stage.weight(i, "smile");
      QVERIFY(own && *own >= 0.0f && *own <= 1.0f);
      weights.insert(*own);
    }
    QVERIFY(weights.size() > 3);
  }

  void theSearchHidesOthers() {
    Stage stage;
    QVERIFY(stage.wait());
    stage.panel.show();
    stage.panel.searchField().setText("BLI");
    QVERIFY(stage.row("blink")->isVisible());
    QVERIFY(!stage.row("smile")->isVisible());
    stage.panel.searchField().clear();
    QVERIFY(stage.row("smile")->isVisible());
  }
};

QTEST_MAIN(tst_morphs_panel)
#include "tst_morphs_panel.moc"
