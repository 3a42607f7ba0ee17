#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "tests/support/test_program.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/parts/number_edit.h"
#include "ui/theme/theme.h"

Q_DECLARE_METATYPE(std::string_view)

using namespace ck::ui;
using ck::Actor;
using ck::Project;

namespace {

// Actor i plays clip i % 3 at rate 1 + i % 4, so that every column has many equals.
Project crowd(int count) {
  Project project;
  project.characters.front().clips = {
      {.name = "walk"}, {.name = "run"}, {.name = "idle", .title = "Breathe"}};
  project.masks = {{"arms", {}}};
  std::vector<Actor> actors(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    actors[std::size_t(i)].clip = i % 3;
    actors[std::size_t(i)].rate = float(1 + i % 4);
    actors[std::size_t(i)].position.x = float(count - i);
  }
  project.actors = ck::ActorList(actors);
  return project;
}

struct Stage {
  Document document;
  TaskRunner tasks;
  Session session{document, tasks};
  Selection selection{document};
  ActorsPanel panel{document, session, selection};

  explicit Stage(int count) {
    document.replace(crowd(count), {});
    panel.resize(700, 900);
    panel.show();
  }
  ActorFilter& shown() { return *qobject_cast<ActorFilter*>(panel.table().model()); }
  int section(const char* title) { return panel.model().sectionOf(title); }
  bool set(const std::vector<int>& actors, const char* title, const QVariant& value) {
    return panel.model().setActors(actors, panel.model().columnOf(title), value);
  }
  QPoint cell(int row, int column = 0) {
    return panel.table().visualRect(panel.table().model()->index(row, column)).center();
  }
  void click(int row, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, modifiers, cell(row));
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&panel.table(), key, modifiers);
  }
  NumberEdit& field(const QString& name) {
    for (NumberEdit* edit : panel.findChildren<NumberEdit*>()) {
      if (edit->accessibleName() == name) return *edit;
    }
    qFatal("there is no field %s", qPrintable(name));
  }
};

using Actors = std::vector<int>;

}  // namespace

class tst_actor_table : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp); }

  void rejectsChoicesThatAreNone() {
    Stage stage(6);
    QVERIFY(!stage.set(Actors{0, 1}, "Clip", 3));
    QVERIFY(!stage.set(Actors{0, 1}, "Loop", -2));
    QVERIFY(!stage.set(Actors{0, 1}, "Loop", 3));
    QVERIFY(!stage.set(Actors{0}, "Tint", QString("no colour")));
    QCOMPARE(stage.document.undoStack().count(), 0);
  }

  void lettersEditNothingAndNumbersDo() {
    Stage stage(6);
    QVERIFY(QTest::qWaitForWindowExposed(&stage.panel));
    ActorTable& table = stage.panel.table();
    const auto go = [&](const char* title) {
      table.setCurrentIndex(table.model()->index(1, stage.section(title)));
      stage.selection.set({1});
    };
    const auto isEditing = [&] { return table.indexWidget(table.currentIndex()) != nullptr; };
    for (const char* title : {"Clip", "Rate"}) {
      go(title);
      for (const char letter : {'w', 'r', 'e', 'q', 'f', 'x'}) {
        QTest::keyClick(&table, letter);
        QVERIFY2(!isEditing(), title);
        QCOMPARE(table.currentIndex().row(), 1);
        QCOMPARE(stage.selection.actors(), Actors{1});
      }
    }
    go("Clip");
    QTest::keyClick(&table, '1');
    QVERIFY(!isEditing());
    QTest::keyClick(&table, Qt::Key_Return);
    QVERIFY(isEditing());
    QTest::keyClick(table.indexWidget(table.currentIndex()), Qt::Key_Escape);
    QTRY_VERIFY(!isEditing());
    go("Rate");
    for (const char begin : {'7', '+', '-', '=', '.', '(', '*', '/'}) {
      QTest::keyClick(&table, begin);
      auto* editor = table.findChild<NumberEdit*>("cell");
      QVERIFY(editor);
      QCOMPARE(editor->text(), QString(QLatin1Char(begin)));
      QTest::keyClick(editor, Qt::Key_Escape);
      QTRY_VERIFY(!table.findChild<NumberEdit*>("cell"));
    }
    QCOMPARE(stage.document.undoStack().count(), 0);
  }

  void anotherProjectHasNoFilter() {
    Stage stage(6);
    stage.panel.filterField().setText("clip:run");
    QCOMPARE(stage.shown().rowCount(), 2);
    stage.document.replace(crowd(9), {});
    QVERIFY(stage.panel.filterField().text().isEmpty());
    QCOMPARE(stage.shown().rowCount(), 9);
  }

  void aFieldTooNarrowForARangeSaysMixed() {
    Stage stage(6);
    stage.document.edit("Far", [](Project& p) {
      Actor one = p.actors[0];
      one.position.x = -12345.678f;
      p.actors.set(0, one);
    });
    stage.selection.selectAll();
    for (QToolButton* group : stage.panel.findChildren<QToolButton*>()) {
      if (group->accessibleName() == "Place fields") group->setChecked(true);
    }
    NumberEdit& x = stage.field("X");
    for (const int width : {300, 60, 300}) {
      x.setFixedWidth(width);
      QCoreApplication::processEvents();
      x.resize(width, x.height());
      QCOMPARE(x.placeholderText() == "mixed", width == 60);
    }
  }

  void sortingIsStableAndOffIsTheOrderOfTheProject() {
    Stage stage(12);
    const QAbstractItemModelTester tester(&stage.shown(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    ActorTable& table = stage.panel.table();
    table.sortByColumn(stage.section("Rate"), Qt::AscendingOrder);
    QCOMPARE(stage.shown().actors(), (Actors{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    table.sortByColumn(stage.section("Rate"), Qt::DescendingOrder);
    QCOMPARE(stage.shown().actors(), (Actors{3, 7, 11, 2, 6, 10, 1, 5, 9, 0, 4, 8}));
    table.sortByColumn(-1, Qt::AscendingOrder);
    QCOMPARE(stage.shown().actors(), (Actors{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  }

  void clipsSortByWhatPeopleCallThem() {
    Stage stage(6);
    stage.panel.table().sortByColumn(stage.section("Clip"), Qt::AscendingOrder);
    // Breathe, run, walk.
    QCOMPARE(stage.shown().actors(), (Actors{2, 5, 1, 4, 0, 3}));
    QCOMPARE(stage.shown().headerData(0, Qt::Vertical, Qt::DisplayRole).toInt(), 3);
  }

  void everyColumnSorts_data() {
    QTest::addColumn<std::string_view>("title");
    for (const ck::ActorColumn& column : ck::actorColumns()) {
      QTest::newRow(qPrintable(columnTitle(column))) << column.title;
    }
  }
  void everyColumnSorts() {
    QFETCH(std::string_view, title);
    Stage stage(4);
    stage.document.edit("Add", [](Project& p) {
      p.characters.push_back({.title = "bare", .variantOf = 0});
      p.characters.push_back({.title = "Another", .variantOf = 0});
      p.masks = {{"arms", {}}, {"head", {}}, {"legs", {}}};
      p.groups = {"first", "second", "third"};
      p.crowds = {{"first"}, {"second"}, {"third"}};
    });
    // The time of the last command needs one.
    if (title == "Since") {
      const int plays = stage.section("Plays");
      QVERIFY(stage.panel.model().setActors(Actors{0, 1, 2, 3}, stage.panel.model().column(plays),
                                            int(ck::PlayAction::Pause)));
    }
    const int section = stage.section(std::string(title).c_str());
    const ck::ActorColumn& column = stage.panel.model().column(section);
    QVariant smallest = 0.5;
    QVariant largest = 0.75;
    if (column.kind == ck::ActorKind::Clip) {
      // Breathe, run, walk.
      smallest = column.range.low < 0.0 ? -1 : 2;
      largest = 0;
    } else if (column.kind == ck::ActorKind::Character) {
      // Another, bare, then the rig without a file, which has no name.
      smallest = 2;
      largest = 1;
    } else if (isChoice(column)) {
      smallest = int(column.range.low);
      largest = 2;
    } else if (column.kind == ck::ActorKind::Colour) {
      smallest = QColor(1, 2, 3);
      largest = QColor(0xff, 0xff, 0xff);
    } else if (column.kind == ck::ActorKind::Flag) {
      smallest = false;
      largest = true;
    }
    QVERIFY(stage.panel.model().setActors(Actors{0, 1, 2, 3}, column, smallest));
    QVERIFY(stage.panel.model().setActors(Actors{2}, column, largest));
    stage.panel.table().sortByColumn(section, Qt::DescendingOrder);
    QCOMPARE(stage.shown().actors(), (Actors{2, 0, 1, 3}));
  }

  void filterAndSortAndEditKeepTheirPlaces() {
    Stage stage(30);
    stage.panel.filterField().setText("clip:run rate<=2");
    stage.panel.table().sortByColumn(stage.section("X"), Qt::AscendingOrder);
    const Actors before = stage.shown().actors();
    // 1 + i % 4 is 1 or 2, and i % 3 is 1.
    QCOMPARE(before, (Actors{28, 25, 16, 13, 4, 1}));
    // A value that is typed into a sorted, filtered column moves no row away.
    QVERIFY(stage.set(Actors{16}, "X", 99.0));
    QVERIFY(stage.set(Actors{16}, "Rate", 4.0));
    QCOMPARE(stage.shown().actors(), before);
    stage.panel.filterField().setText("loop:ping");
    QCOMPARE(stage.shown().rowCount(), 0);
    QVERIFY(stage.set(Actors{3, 9}, "Loop", int(ck::LoopMode::PingPong)));
    stage.panel.filterField().setText("loop:ping-pong");
    QCOMPARE(stage.shown().rowCount(), 2);
  }

  void filterFollowsRenamedClips() {
    Stage stage(9);
    stage.panel.filterField().setText("stroll");
    QCOMPARE(stage.shown().rowCount(), 0);
    stage.document.edit("Rename",
                        [](Project& p) { p.characters.front().clips[0].title = "Stroll"; });
    QCOMPARE(stage.shown().rowCount(), 3);
    stage.document.undoStack().undo();
    QCOMPARE(stage.shown().rowCount(), 0);
  }

  void tickingAClipMovesNothing() {
    Stage stage(300);
    stage.panel.table().setCurrentIndex(stage.shown().index(200, 2));
    stage.document.edit("Untick", [](Project& p) { p.characters.front().clips[0].ticked = false; });
    QCOMPARE(stage.panel.table().currentIndex(), stage.shown().index(200, 2));
  }

  void clicksSelectInTheOrderShown() {
    Stage stage(12);
    stage.panel.table().sortByColumn(stage.section("Rate"), Qt::AscendingOrder);
    // Shown from the top: 0 4 8 1 5 9 2 6 10 3 7 11
    stage.click(1);
    QCOMPARE(stage.selection.actors(), (Actors{4}));
    stage.click(4, Qt::ShiftModifier);
    QCOMPARE(stage.selection.actors(), (Actors{1, 4, 5, 8}));
    stage.click(3, Qt::ControlModifier);
    QCOMPARE(stage.selection.actors(), (Actors{4, 5, 8}));
    stage.click(8, Qt::ControlModifier);
    QCOMPARE(stage.selection.actors(), (Actors{4, 5, 8, 10}));
    stage.click(11);
    QCOMPARE(stage.selection.actors(), (Actors{11}));
    // Qt's own selection, which screen readers see, follows.
    QCOMPARE(stage.panel.table().selectionModel()->selectedRows().size(), 1);
  }

  void clickOnOneOfManyTakesItAloneAndDoubleClickDoesNot() {
    Stage stage(12);
    stage.selection.set({2, 3, 4});
    stage.click(3);
    QTRY_COMPARE(stage.selection.actors(), (Actors{3}));
    stage.selection.set({2, 3, 4});
    QTest::mouseDClick(stage.panel.table().viewport(), Qt::LeftButton, {},
                       stage.cell(3, stage.section("Rate")));
    QTest::qWait(QApplication::doubleClickInterval() + 50);
    QCOMPARE(stage.selection.actors(), (Actors{2, 3, 4}));
  }

  void draggingOverRowsSelectsThem() {
    Stage stage(20);
    QWidget* view = stage.panel.table().viewport();
    QTest::mousePress(view, Qt::LeftButton, {}, stage.cell(2));
    QTest::mouseMove(view, stage.cell(3));
    QTest::mouseMove(view, stage.cell(5));
    QTest::mouseRelease(view, Qt::LeftButton, {}, stage.cell(5));
    QCOMPARE(stage.selection.actors(), (Actors{2, 3, 4, 5}));
  }

  void keysSelect() {
    Stage stage(20);
    stage.click(4);
    stage.key(Qt::Key_Down);
    QCOMPARE(stage.selection.actors(), (Actors{5}));
    stage.key(Qt::Key_Down, Qt::ShiftModifier);
    stage.key(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(stage.selection.actors(), (Actors{5, 6, 7}));
    stage.key(Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(stage.selection.actors(), (Actors{5, 6}));
    stage.key(Qt::Key_Down, Qt::ControlModifier);
    stage.key(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(stage.selection.actors(), (Actors{5, 6}));
    stage.key(Qt::Key_Space, Qt::ControlModifier);
    QCOMPARE(stage.selection.actors(), (Actors{5, 6, 8}));
  }

  void allThatIsShownIsSelectedAndTheRestOfAnotherFilterStays() {
    Stage stage(30);
    stage.panel.filterField().setText("clip:run");
    stage.panel.table().selectAll();
    QCOMPARE(stage.selection.actors().size(), std::size_t{10});
    stage.panel.filterField().setText("clip:walk");
    QCOMPARE(stage.selection.actors().size(), std::size_t{10});
    QVERIFY(!stage.panel.table().selectionModel()->hasSelection());
    stage.panel.filterField().clear();
    QCOMPARE(stage.panel.table().selectionModel()->selectedRows().size(), 10);
  }

  void rampRunsInTheOrderOfTheTable() {
    Stage stage(5);
    stage.panel.table().sortByColumn(stage.section("X"), Qt::AscendingOrder);
    stage.selection.set({0, 2, 4});
    emit stage.field("Offset").entered("L(0,1)");
    QCOMPARE(stage.document.project().actors[4].offset, 0.0f);
    QCOMPARE(stage.document.project().actors[2].offset, 0.5f);
    QCOMPARE(stage.document.project().actors[0].offset, 1.0f);
    QCOMPARE(stage.document.project().actors[1].offset, 0.0f);
    QCOMPARE(stage.document.undoStack().count(), 1);
  }

  void randomValuesComeBackWithTheirSeed() {
    Stage stage(200);
    stage.selection.selectAll();
    const auto offsets = [&stage] {
      emit stage.field("Offset").entered("R(0,1)");
      std::vector<float> values;
      for (const Actor& actor : stage.document.project().actors.toVector()) {
        values.push_back(actor.offset);
      }
      return values;
    };
    const auto first = offsets();
    stage.document.edit("Seed", [](Project& p) { p.randomSeed = 9; });
    QVERIFY(offsets() != first);
    stage.document.edit("Seed", [](Project& p) { p.randomSeed = 1; });
    QCOMPARE(offsets(), first);
    // Two fields of one seed have nothing to do with each other.
    emit stage.field("Rate").entered("R(0,1)");
    for (std::size_t i = 0; i < 200; ++i) {
      QVERIFY(stage.document.project().actors[i].rate != first[i]);
    }
  }

  void mixedValuesAreSaid() {
    Stage stage(8);
    stage.selection.set({0, 4});
    QCOMPARE(stage.field("Rate").text(), QString("1.00"));
    stage.selection.set({0, 1});
    QCOMPARE(stage.field("Rate").text(), QString());
    QVERIFY(stage.field("Rate").placeholderText().startsWith("mixed"));
    stage.selection.clear();
    QCOMPARE(stage.field("Rate").placeholderText(), QString());
  }

  void scatteredSelectionOfALargeCrowdIsHeld() {
    Stage stage(50'000);
    Actors every;
    for (int i = 0; i < 50'000; i += 3) every.push_back(i);
    stage.selection.set(every);
    stage.click(2, Qt::ControlModifier);
    QCOMPARE(stage.selection.actors().size(), every.size() + 1);
    QVERIFY(stage.set(stage.selection.actors(), "Rate", 2.0));
    QCOMPARE(stage.document.undoStack().count(), 1);
    QCOMPARE(stage.document.project().actors[49'998].rate, 2.0f);
    stage.document.undoStack().undo();
    QVERIFY(stage.document.project() == crowd(50'000));
  }
};

CK_TEST(tst_actor_table, QApplication)
#include "tst_actor_table.moc"
