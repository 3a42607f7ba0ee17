#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>
#include <QTest>

#include "core/project/crowds.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/crowd_bar.h"
#include "ui/actors/crowd_commands.h"
#include "ui/actors/spawn_bar.h"

using namespace ck::ui;
using ck::Project;
using ck::test::WindowStage;

// Several crowds in the whole window: the row of crowds, its actions, and what they leave alone.
class tst_crowds : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    QVERIFY(stage_.activate());
    begin_ = project();
  }
  void cleanupTestCase() { stage_.close(); }

  void init() {
    QVERIFY(window_);
    window_->document().edit("Begin", [this](Project& p) { p = begin_; });
    window_->document().setView([](Project& p) { p.desk.crowd = 0; });
    window_->document().undoStack().clear();
    one_ = int(project().actors.size());
  }

  void aCrowdIsAddedDealtAndTakenBack() {
    run("crowd.add");
    QCOMPARE(ck::crowdSizes(project()), (std::vector{one_, 25}));
    QCOMPARE(box()->count(), 2);
    QCOMPARE(box()->currentIndex(), 1);
    QCOMPARE(count()->value(), 25);
    // It stands beside the first one.
    float right = -1e9f;
    float left = 1e9f;
    for (std::size_t i = 0; i < project().actors.size(); ++i) {
      const ck::Actor& actor = project().actors[i];
      if (actor.crowd == 0) right = std::max(right, actor.position.x);
      if (actor.crowd == 1) left = std::min(left, actor.position.x);
    }
    QVERIFY(left > right);
    count()->setValue(40);
    findNamed<QComboBox>("Formation")->setCurrentIndex(0);
    panel().spawnBar().setFormation(ck::Formation::Arcs);
    findNamed<QDoubleSpinBox>("Radius")->setValue(7.0);
    QCOMPARE(project().crowds[1].spawn.arcs.innerMeters, 7.0);
    run("crowd.deal");
    QCOMPARE(ck::crowdSizes(project()), (std::vector{one_, 40}));
    for (int i = 0; i < one_; ++i) {
      QVERIFY(project().actors[std::size_t(i)] == begin_.actors[std::size_t(i)]);
    }
    QCOMPARE(window_->playback().wantedActors(), std::size_t(one_ + 40));
    while (window_->document().undoStack().canUndo()) window_->document().undoStack().undo();
    QVERIFY(project().actors == begin_.actors);
    QVERIFY(project().crowds == begin_.crowds);
    QCOMPARE(box()->count(), 1);
    QCOMPARE(count()->value(), one_);
    while (window_->document().undoStack().canRedo()) window_->document().undoStack().redo();
    QCOMPARE(ck::crowdSizes(project()), (std::vector{one_, 40}));
  }

  void choosingIsNoStep() {
    run("crowd.add");
    const int steps = window_->document().undoStack().count();
    choose(0);
    QCOMPARE(count()->value(), one_);
    choose(1);
    QCOMPARE(count()->value(), 25);
    QCOMPARE(window_->document().undoStack().count(), steps);
  }

  void aCrowdThatIsOffIsNotDrawn() {
    run("crowd.add");
    QTest::mouseClick(on(), Qt::LeftButton);
    QCOMPARE(window_->playback().wantedActors(), std::size_t(one_));
    QVERIFY(box()->currentText().contains("off"));
    choose(0);
    QVERIFY(on()->isChecked());
    QTest::mouseClick(on(), Qt::LeftButton);
    QCOMPARE(window_->playback().wantedActors(), std::size_t{0});
    choose(1);
    run("crowd.alone");
    QCOMPARE(window_->playback().wantedActors(), std::size_t{25});
    window_->document().undoStack().undo();
    window_->document().undoStack().undo();
    QCOMPARE(window_->playback().wantedActors(), std::size_t(one_));
  }

  void copiesAreMirroredRenamedAndDeleted() {
    run("crowd.add");
    run("crowd.duplicate");
    run("crowd.mirrorZ");
    QVERIFY(panel().crowdCommands().rename("Far end"));
    QVERIFY(!panel().crowdCommands().rename(QString::fromStdString(project().crowds[0].name)));
    QVERIFY(!panel().crowdCommands().rename("  "));
    QCOMPARE(box()->currentText(), QString("Far end (25)"));
    for (int i = 0; i < 25; ++i) {
      const ck::Actor& actor = project().actors[std::size_t(one_ + i)];
      const ck::Actor& far = project().actors[std::size_t(one_ + 25 + i)];
      QCOMPARE(far.position.z, -actor.position.z);
      QCOMPARE(far.position.x, actor.position.x);
    }
    run("crowd.select");
    QCOMPARE(window_->selection().actors().size(), std::size_t{25});
    QCOMPARE(window_->selection().actors().front(), one_ + 25);
    choose(1);
    run("crowd.delete");
    QCOMPARE(ck::crowdSizes(project()), (std::vector{one_, 25}));
    // The same actors are selected.
    QCOMPARE(window_->selection().actors().front(), one_);
    QCOMPARE(project().crowds[1].name, std::string("Far end"));
    run("crowd.delete");
    QVERIFY(!action("crowd.delete")->isEnabled());
  }

  void theTableMovesActorsBetweenCrowds() {
    ActorModel& model = panel().model();
    const int section = model.sectionOf("Crowd");
    QVERIFY(section >= 0);
    QVERIFY(panel().table().isColumnHidden(section));
    run("crowd.add");
    QTRY_VERIFY(!panel().table().isColumnHidden(section));
    QVERIFY(model.setActors(std::vector{0, 1, 2}, model.column(section), 1.0));
    QCOMPARE(ck::crowdSizes(project()), (std::vector{one_ - 3, 28}));
    QVERIFY(panel().crowdCommands().rename("North"));
    panel().filterField().setText("crowd:north");
    QTRY_COMPARE(panel().table().model()->rowCount(), 28);
    panel().filterField().clear();
    choose(1);
    QCOMPARE(count()->value(), 28);
  }

 private:
  const Project& project() const { return window_->document().project(); }
  ActorsPanel& panel() const { return window_->panel<ActorsPanel>(); }
  QAction* action(const char* id) const { return window_->findChild<QAction*>(id); }
  void run(const char* id) const {
    QAction* row = action(id);
    QVERIFY2(row && row->isEnabled(), id);
    row->trigger();
  }
  template <class Widget>
  Widget* findNamed(const char* name) const {
    for (Widget* one : panel().findChildren<Widget*>()) {
      if (one->accessibleName() == QLatin1String(name)) return one;
    }
    return nullptr;
  }
  QComboBox* box() const { return panel().crowdBar().findChild<QComboBox*>(); }
  QCheckBox* on() const { return panel().crowdBar().findChild<QCheckBox*>(); }
  QSpinBox* count() const { return findNamed<QSpinBox>("Number of actors"); }
  void choose(int crowd) const {
    box()->setCurrentIndex(crowd);
    emit box()->activated(crowd);
  }

  WindowStage stage_;
  MainWindow* window_ = nullptr;
  Project begin_;
  int one_ = 0;
};

CK_TEST(tst_crowds, ck::test::EditorApplication)
#include "tst_crowds.moc"
