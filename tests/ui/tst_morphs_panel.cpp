#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/crowd/actor.h"
#include "core/stage/pipeline.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/morphs/morphs_panel.h"
#include "ui/theme/theme.h"

using namespace ck::ui;

namespace {

// The panel with the bundled rig, which blinks and smiles; without a viewport.
struct Stage : ck::test::Desk {
  explicit Stage(const QString& rig = QString::fromStdString(ck::findSample().string())) {
    session.importRig({rig});
  }
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

// The strip of tests/data/rigs, twice, with a morph target of the same name.
QString twoStrips(const QTemporaryDir& folder) {
  QFile file(QStringLiteral(CK_SOURCE_DIR "/tests/data/rigs/strip.gltf"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  auto rig = nlohmann::json::parse(file.readAll().toStdString());
  // The normals (0, 0, 1) serve as differences.
  rig["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", 1}}};
  rig["meshes"][0]["extras"]["targetNames"] = {"bulge"};
  rig["nodes"].push_back({{"name", "other"}, {"mesh", 0}, {"skin", 0}});
  rig["scenes"][0]["nodes"].push_back(4);
  QFile copy(folder.filePath(QStringLiteral("strips.gltf")));
  if (!copy.open(QIODevice::WriteOnly)) return {};
  copy.write(QByteArray::fromStdString(rig.dump()));
  return copy.fileName();
}

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

  void equalNamesOfTwoMeshesAreJoinedOnRequest() {
    const QTemporaryDir folder;
    Stage stage(twoStrips(folder));
    QVERIFY(stage.wait());
    QCOMPARE(stage.panel.rows().size(), std::size_t{2});
    QVERIFY(stage.row("bulge (strip)") != nullptr && stage.row("bulge (other)") != nullptr);
    QVERIFY(!stage.panel.join().isHidden() && !stage.panel.join().isChecked());
    // A weight by the plain name, as older projects have it, is that of both.
    stage.document.edit("Bulge", [](ck::Project& project) {
      ck::Actor actor = project.actors[0];
      ck::setMorph(actor, "bulge", 0.5f);
      project.actors.set(0, actor);
    });
    stage.selection.set({0});
    QCOMPARE(stage.row("bulge (other)")->field().value(), 0.5);
    stage.row("bulge (strip)")->field().setValue(0.75);
    QVERIFY(!stage.weight(0, "bulge"));
    QCOMPARE(*stage.weight(0, "bulge (strip)"), 0.75f);
    QCOMPARE(*stage.weight(0, "bulge (other)"), 0.5f);

    stage.panel.join().setChecked(true);
    QVERIFY(stage.document.project().characters[0].import.joinMorphs);
    QVERIFY(QTest::qWaitFor([&] { return stage.panel.rows().size() == 1; }, ck::test::kPatienceMs));
    QVERIFY(stage.row("bulge") != nullptr);
    QVERIFY(!stage.panel.join().isHidden() && stage.panel.join().isChecked());
    stage.document.undoStack().undo();
    QVERIFY(QTest::qWaitFor([&] { return stage.panel.rows().size() == 2; }, ck::test::kPatienceMs));
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
    // Without a selection: all actors of the shown character, and of no other.
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
