#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <set>

#include "core/crowd/actor.h"
#include "core/project/pipeline.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/morphs/morphs_panel.h"
#include "ui/theme/theme.h"

using namespace ck::ui;

namespace {

// The panel with the bundled rig, which blinks and smiles; without a viewport.
struct Stage : ck::test::Desk {
  Stage() { session.importRig({QString::fromStdString(ck::findSample().string())}); }
  bool wait() {
    return QTest::qWaitFor([this] { return !panel.rows().empty(); }, ck::test::kPatienceMs);
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

  MorphsPanel panel{document, session, playback, selection, nullptr};
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

  void rejectsActorsOfOtherCharacters() {
    Stage stage;
    QVERIFY(stage.wait());
    QVERIFY(stage.addDoe());
    const std::vector<int> people = stage.actorsOf(0);
    const std::vector<int> does = stage.actorsOf(1);
    QVERIFY(people.size() > 2 && does.size() > 2);
    const auto doesAreAsBefore = [&] {
      return std::all_of(does.begin(), does.end(), [&](int doe) {
        return stage.project().actors[std::size_t(doe)].morphs.empty();
      });
    };
    // Nobody selected: all of the shown character, and of no other.
    QCOMPARE(stage.panel.heading().text(), QString("All %1 actors of humanoid").arg(people.size()));
    stage.press("smile", "Vary");
    for (const int person : people) QVERIFY(stage.weight(person, "smile"));
    QVERIFY(doesAreAsBefore());
    // A person first, and a doe.
    stage.document.undoStack().undo();
    const int doe = *std::upper_bound(does.begin(), does.end(), people[0]);
    stage.selection.set({people[0], doe});
    QCOMPARE(stage.panel.heading().text(), QString("1 of 2 selected is humanoid"));
    stage.row("smile")->field().setValue(0.5);
    QCOMPARE(*stage.weight(people[0], "smile"), 0.5f);
    stage.press("blink", "Only");
    QCOMPARE(*stage.weight(people[0], "smile"), 0.0f);
    QVERIFY(!stage.weight(people[1], "smile"));
    QVERIFY(doesAreAsBefore());
    stage.document.undoStack().undo();
    QCOMPARE(*stage.weight(people[0], "smile"), 0.5f);
  }

  void anotherCharacterHasItsOwnTargets() {
    Stage stage;
    QVERIFY(stage.wait());
    QVERIFY(stage.addDoe());
    stage.selection.set({stage.actorsOf(1).front()});
    QVERIFY(stage.panel.rows().empty());
    QCOMPARE(stage.panel.heading().text(), QString("1 selected actor of animal"));
    stage.selection.clear();
    QVERIFY(!stage.panel.rows().empty());
    stage.playback.setShownCharacter(1);
    QVERIFY(stage.panel.rows().empty());
    stage.selection.set({stage.actorsOf(0).front()});
    QVERIFY(stage.row("smile") != nullptr);
  }

  void theSearchHidesOthers() {
    Stage stage;
    QVERIFY(stage.wait());
    stage.panel.show();
    stage.panel.search().setText("BLI");
    QVERIFY(stage.row("blink")->isVisible());
    QVERIFY(!stage.row("smile")->isVisible());
    stage.panel.search().clear();
    QVERIFY(stage.row("smile")->isVisible());
  }
};

CK_TEST(tst_morphs_panel, QApplication)
#include "tst_morphs_panel.moc"
