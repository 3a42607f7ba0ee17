#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <set>

#include "core/project/actors/actor_edits.h"
#include "tests/support/test_program.h"
#include "ui/actors/actor_commands.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/column_choice.h"
#include "ui/actors/column_edits.h"
#include "ui/actors/groups_dialog.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/parts/number_edit.h"
#include "ui/parts/scrub_drag.h"
#include "ui/theme/theme.h"

using namespace ck::ui;
using ck::Actor;
using ck::Project;
using Actors = std::vector<int>;

namespace {

// Rates 0.5, 0.6 and so on; clips in turn.
Project crowd(int count) {
  Project project;
  project.characters.front().title = "soldier";
  project.characters.front().clips = {{.name = "walk"}, {.name = "run"}, {.name = "idle"}};
  std::vector<Actor> actors(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    actors[std::size_t(i)].clip = i % 3;
    actors[std::size_t(i)].rate = 0.5f + 0.1f * float(i);
    actors[std::size_t(i)].position.x = 2.0f * float(i);
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
  ActorCommands commands{document, selection};

  explicit Stage(int count) {
    document.replace(crowd(count), {});
    panel.resize(412, 700);
    panel.show();
    if (!QTest::qWaitForWindowExposed(&panel)) qFatal("the panel is not shown");
  }
  const ck::ActorList& actors() const { return document.project().actors; }
  const Actor& actor(int index) const { return actors()[std::size_t(index)]; }
  int section(const char* title) { return panel.model().sectionOf(title); }
  ColumnEdits edits(const char* title) {
    return {document, panel.model(), panel.model().columnOf(title), selection.actors()};
  }
  QModelIndex cell(int row, const char* title) {
    return panel.table().model()->index(row, section(title));
  }
  // The label that is dragged for a number.
  QLabel& label(const char* title) {
    for (QLabel* one : panel.findChildren<QLabel*>()) {
      const QWidget* field = one->buddy();
      while (field && field->focusProxy()) field = field->focusProxy();
      if (field && field->accessibleName() == title && one->findChild<ScrubDrag*>()) return *one;
    }
    qFatal("no label of %s", title);
  }
  QAction& entry(QMenu& menu, const QString& text) {
    for (QAction* action : menu.findChildren<QAction*>()) {
      if (action->text() == text) return *action;
    }
    qFatal("no entry %s", qPrintable(text));
  }
};

void drag(QWidget& handle, int pixels, Qt::KeyboardModifiers modifiers = {}) {
  const QPoint from = handle.rect().center();
  QTest::mousePress(&handle, Qt::LeftButton, modifiers, from);
  for (const int share : {1, 2, 3, 4}) {
    const QPoint at = from + QPoint(pixels * share / 4, 0);
    QMouseEvent move(QEvent::MouseMove, at, handle.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     modifiers);
    QApplication::sendEvent(&handle, &move);
  }
}

void release(QWidget& handle, int pixels) {
  QTest::mouseRelease(&handle, Qt::LeftButton, {}, handle.rect().center() + QPoint(pixels, 0));
}

}  // namespace

class tst_actors_panel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QCoreApplication::setOrganizationName("CrowdkilnTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
    applyTheme(*qApp);
  }
  void init() { QSettings().clear(); }

  // A cell and a field understand the same.
  void cellsTakeExpressionsForAllSelected() {
    Stage stage(4);
    ActorTable& table = stage.panel.table();
    stage.selection.set({0, 1, 2});
    table.setCurrentIndex(stage.cell(1, "Rate"));
    const auto type = [&](const QString& text) {
      table.edit(table.currentIndex());
      auto* editor = table.findChild<NumberEdit*>();
      if (!editor) return false;
      editor->selectAll();
      QTest::keyClicks(editor, text);
      QTest::keyClick(editor, Qt::Key_Return);
      return true;
    };
    QVERIFY(type("+=1"));
    // The view takes the text once the key is done with.
    QTRY_VERIFY(!table.findChild<NumberEdit*>());
    for (int i = 0; i < 4; ++i) {
      QCOMPARE(stage.actor(i).rate, 0.5f + 0.1f * float(i) + (i < 3 ? 1.0f : 0.0f));
    }
    QVERIFY(type("L(0,1)"));
    QTRY_VERIFY(!table.findChild<NumberEdit*>());
    QCOMPARE(stage.actor(1).rate, 0.5f);
    QCOMPARE(stage.document.undoStack().count(), 2);
    // A text that is not understood stays in the cell, marked, and changes nothing.
    QVERIFY(type("R(1"));
    auto* editor = table.findChild<NumberEdit*>();
    QVERIFY(editor && editor->property("wrong").toBool());
    QCOMPARE(stage.document.undoStack().count(), 2);
    QTest::keyClick(editor, Qt::Key_Escape);
    QTRY_VERIFY(!table.findChild<NumberEdit*>());
    QCOMPARE(stage.document.undoStack().count(), 2);
  }

  // Four pixels are a step, and a step of the rate is 0.05.
  void draggingALabelMovesAllByTheSame() {
    Stage stage(4);
    stage.selection.set({0, 2});
    const Project before = stage.document.project();
    QLabel& rate = stage.label("Rate");
    drag(rate, 40);
    QCOMPARE(stage.actor(0).rate, 0.5f + 10 * 0.05f);
    QCOMPARE(stage.actor(2).rate, 0.7f + 10 * 0.05f);
    QCOMPARE(stage.actor(1).rate, 0.6f);
    release(rate, 40);
    QCOMPARE(stage.document.undoStack().count(), 1);
    drag(rate, 40, Qt::ShiftModifier);
    release(rate, 40);
    QVERIFY(std::abs(stage.actor(0).rate - 1.05f) < 1e-5f);
    QCOMPARE(stage.document.undoStack().count(), 2);
    drag(rate, -41, Qt::ControlModifier);
    release(rate, -41);
    QVERIFY(std::abs(stage.actor(0).rate - 0.55f) < 1e-5f);
    stage.document.undoStack().setIndex(0);
    QVERIFY(stage.document.project() == before);
  }

  void escapeTakesADragBack() {
    Stage stage(4);
    stage.selection.set({0, 2});
    const Project before = stage.document.project();
    QLabel& offset = stage.label("Offset");
    drag(offset, 60);
    QVERIFY(!(stage.document.project() == before));
    QTest::keyClick(&stage.panel, Qt::Key_Escape);
    QVERIFY(stage.document.project() == before);
    QCOMPARE(stage.document.undoStack().count(), 0);
    release(offset, 60);
    QVERIFY(stage.document.project() == before);
  }

  // A value that the range stops on the way comes back when the drag does.
  void theRangeLosesNothingDuringADrag() {
    Stage stage(2);
    stage.selection.selectAll();
    QLabel& rate = stage.label("Rate");
    drag(rate, 600);  // 7.5 up, and the range ends at 4
    QCOMPARE(stage.actor(0).rate, 4.0f);
    QMouseEvent back(QEvent::MouseMove, rate.rect().center(),
                     rate.mapToGlobal(rate.rect().center()), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&rate, &back);
    QCOMPARE(stage.actor(0).rate, 0.5f);
    QCOMPARE(stage.actor(1).rate, 0.6f);
    release(rate, 0);
    QCOMPARE(stage.document.undoStack().count(), 0);
  }

  void aPanelWithoutSelectionIsOneLine() {
    Stage stage(4);
    const auto fields = stage.panel.findChildren<NumberEdit*>();
    QVERIFY(!fields.isEmpty());
    const auto anyVisible = [&fields] {
      return std::ranges::any_of(fields, [](NumberEdit* one) { return one->isVisible(); });
    };
    QVERIFY(!anyVisible());
    stage.selection.set({1});
    QTRY_VERIFY(anyVisible());
    stage.selection.clear();
    QTRY_VERIFY(!anyVisible());
  }

  void foldedFieldsAreRemembered() {
    {
      Stage stage(2);
      stage.selection.set({0});
      for (QToolButton* button : stage.panel.findChildren<QToolButton*>("chip")) {
        if (button->text() == "Place") button->click();
        if (button->text() == "Clip") button->click();
      }
      QTRY_VERIFY(stage.label("X").isVisible());
      QVERIFY(!stage.label("Offset").isVisible());
    }
    Stage stage(2);
    stage.selection.set({0});
    QTRY_VERIFY(stage.label("X").isVisible());
    QVERIFY(!stage.label("Offset").isVisible());
  }

  void columnsAreChosenAndRemembered() {
    {
      Stage stage(2);
      QTableView& table = stage.panel.table();
      QVERIFY(table.isColumnHidden(stage.section("Character")));
      const QScopedPointer<QMenu> menu(stage.panel.makeHeaderMenu(stage.section("Loop")));
      stage.entry(*menu, "Hide the column Loop").trigger();
      QVERIFY(table.isColumnHidden(stage.section("Loop")));
      stage.entry(*menu, "Tint").toggle();
      table.horizontalHeader()->moveSection(
          table.horizontalHeader()->visualIndex(stage.section("On")), 0);
    }
    Stage stage(2);
    QTableView& table = stage.panel.table();
    QVERIFY(table.isColumnHidden(stage.section("Loop")));
    QVERIFY(table.isColumnHidden(stage.section("Tint")));
    QCOMPARE(table.horizontalHeader()->visualIndex(stage.section("On")), 0);
    const QScopedPointer<QMenu> menu(stage.panel.makeHeaderMenu(-1));
    stage.entry(*menu, "Reset columns").trigger();
    for (int section = 0; section < stage.panel.model().columnCount(); ++section) {
      const bool isAlone =
          section == stage.section("Character") || section == stage.section("Crowd");
      QCOMPARE(table.isColumnHidden(section), isAlone);
    }
    QCOMPARE(table.horizontalHeader()->visualIndex(stage.section("Clip")), 1);
  }

  void headersSortAndSelect() {
    Stage stage(7);
    stage.selection.set({1});
    const QScopedPointer<QMenu> menu(stage.panel.makeHeaderMenu(stage.section("Clip")));
    stage.entry(*menu, "Select all with the same Clip").trigger();
    QCOMPARE(stage.selection.actors(), (Actors{1, 4}));
    const QScopedPointer<QMenu> rates(stage.panel.makeHeaderMenu(stage.section("Rate")));
    stage.entry(*rates, "Sort by Rate, largest first").trigger();
    auto& shown = *qobject_cast<ActorFilter*>(stage.panel.table().model());
    QCOMPARE(shown.actors(), (Actors{6, 5, 4, 3, 2, 1, 0}));
    stage.entry(*rates, "Order of the project").trigger();
    QCOMPARE(shown.actors(), (Actors{0, 1, 2, 3, 4, 5, 6}));
  }

  void aRowsMenuIsForTheRowUnderThePointer() {
    Stage stage(6);
    stage.panel.setRowActions([](QMenu& menu) { menu.addAction("Duplicate"); });
    stage.selection.set({0, 1});
    QWidget& view = *stage.panel.table().viewport();
    const auto ask = [&](int row) {
      const QPoint at = stage.panel.table().visualRect(stage.cell(row, "Rate")).center();
      QContextMenuEvent event(QContextMenuEvent::Mouse, at, view.mapToGlobal(at));
      QApplication::sendEvent(&view, &event);
      QStringList texts;
      if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
        for (const QAction* action : menu->actions()) texts << action->text();
        menu->close();
      }
      return texts;
    };
    QVERIFY(ask(1).contains("Duplicate"));
    QCOMPARE(stage.selection.actors(), (Actors{0, 1}));
    QVERIFY(ask(4).contains("Randomise Rate"));
    QCOMPARE(stage.selection.actors(), (Actors{4}));
  }

  void valuesGoThroughTheClipboard() {
    Stage stage(4);
    stage.selection.selectAll();
    QCOMPARE(stage.edits("Rate").text(), QString("0.5\n0.6\n0.7\n0.8"));
    QCOMPARE(stage.edits("Clip").text(), QString("walk\nrun\nidle\nwalk"));
    QCOMPARE(stage.edits("On").text(), QString("yes\nyes\nyes\nyes"));
    QCOMPARE(stage.edits("Rate").paste("1\n2\r\n-3\n0\n"), QString());
    QCOMPARE(stage.actor(2).rate, -3.0f);
    QCOMPARE(stage.edits("Clip").paste("idle"), QString());
    QCOMPARE(stage.actor(0).clip, 2);
    QCOMPARE(stage.edits("Tint").paste("#102030"), QString());
    QCOMPARE(stage.actor(3).tint, 0x102030u);
    const int steps = stage.document.undoStack().count();
    QCOMPARE(steps, 3);
    QVERIFY(stage.edits("Rate").paste("1\n2").contains("2 lines for 4 actors"));
    QVERIFY(stage.edits("Rate").paste("fast").contains("'fast' is no value for Rate of actor 1"));
    QVERIFY(stage.edits("Rate").paste("nan").contains("no value"));
    QVERIFY(stage.edits("Clip").paste("walk\nrun\nidle\njump").contains("actor 4"));
    QVERIFY(stage.edits("Rate").paste("").contains("no text"));
    QCOMPARE(stage.document.undoStack().count(), steps);
  }

  void stepsAreEight() {
    Stage stage(5);
    stage.selection.selectAll();
    QCOMPARE(stage.edits("Offset").paste("0.06\n0.07\n0.5\n0.9\n-0.3"), QString());
    stage.edits("Offset").quantise();
    const float eighths[] = {0.0f, 0.125f, 0.5f, 0.875f, -0.25f};
    for (int i = 0; i < 5; ++i) QCOMPARE(stage.actor(i).offset, eighths[i]);
    QCOMPARE(stage.edits("Turn").paste("22\n23\n90\n-100\n359"), QString());
    stage.edits("Turn").quantise();
    const float turns[] = {0.0f, 45.0f, 90.0f, -90.0f, 360.0f};
    for (int i = 0; i < 5; ++i) QCOMPARE(stage.actor(i).rotationDegrees.y, turns[i]);
    QVERIFY(!stage.edits("Scale").whyNotSteps().isEmpty());
    QVERIFY(!stage.edits("Tint").whyNotSteps().isEmpty());
  }

  void randomValuesStayInTheRangeAndAreOthersEachTime() {
    Stage stage(200);
    stage.selection.selectAll();
    const auto offsets = [&stage] {
      stage.edits("Offset").randomise();
      std::vector<float> all;
      for (const Actor& one : stage.actors().toVector()) all.push_back(one.offset);
      return all;
    };
    const auto first = offsets();
    QVERIFY(std::ranges::all_of(first, [](float v) { return v >= 0.0f && v < 1.0f; }));
    QVERIFY(std::ranges::max(first) - std::ranges::min(first) > 0.9f);
    QVERIFY(offsets() != first);
    QCOMPARE(stage.document.undoStack().count(), 2);
    QVERIFY(!stage.edits("Scale").whyNotRandom().isEmpty());
    stage.edits("Clip").randomise();
    std::set<int> clips;
    for (const Actor& one : stage.actors().toVector()) clips.insert(one.clip);
    QCOMPARE(clips.size(), std::size_t{3});
    stage.edits("Rate").setDefault();
    QCOMPARE(stage.actor(77).rate, 1.0f);
  }

  void commandsAreOneStepEach() {
    Stage stage(6);
    const Project before = stage.document.project();
    QUndoStack& steps = stage.document.undoStack();
    stage.selection.set({1, 2});
    stage.commands.duplicate();
    QCOMPARE(steps.count(), 1);
    QCOMPARE(stage.selection.actors(), (Actors{6, 7}));
    QCOMPARE(stage.actor(7).rate, 0.7f);
    stage.commands.remove();
    QCOMPARE(steps.count(), 2);
    QVERIFY(stage.selection.actors().empty());
    QVERIFY(stage.actors() == before.actors);
    stage.selection.set({0, 5});
    stage.commands.hide();
    stage.selection.clear();
    stage.commands.selectHidden();
    QCOMPARE(stage.selection.actors(), (Actors{0, 5}));
    stage.commands.showAll();
    QVERIFY(stage.actors() == before.actors);
    stage.commands.group();
    stage.selection.clear();
    stage.commands.selectGroup(0);
    QCOMPARE(stage.selection.actors(), (Actors{0, 5}));
    stage.commands.ungroup();
    QVERIFY(stage.document.project().groups.empty());
    steps.setIndex(0);
    QVERIFY(stage.document.project() == before);
  }

  void theClipboardLeadsToAnotherProject() {
    Stage from(6);
    from.selection.set({1, 4});
    from.commands.cut();
    QCOMPARE(from.actors().size(), std::size_t{4});
    const QMimeData* data = QApplication::clipboard()->mimeData();
    QVERIFY(data->hasFormat(kActorsMime) && data->hasText());
    from.document.undoStack().undo();
    QCOMPARE(from.actors().size(), std::size_t{6});

    Stage to(1);
    to.document.edit("Other clips", [](Project& p) {
      p.characters.front().clips = {{.name = "stand"}, {.name = "idle"}};
    });
    QSignalSpy noticed(&to.commands, &ActorCommands::noticed);
    to.commands.paste();
    QCOMPARE(to.selection.actors(), (Actors{1, 2}));
    QCOMPARE(to.actor(2).rate, 0.9f);
    QVERIFY(to.actor(2).byHand);
    QCOMPARE(noticed.count(), 1);
    QCOMPARE(noticed[0][0].value<Notice>().text,
             QString("2 of 2 actors play 'run', which this project does not have; they play "
                     "'stand'"));
    QApplication::clipboard()->setText("to be, or not to be");
    to.commands.paste();
    QCOMPARE(to.actors().size(), std::size_t{3});
    QVERIFY(noticed[1][0].value<Notice>().text.contains("The clipboard holds no actors"));
  }

  void groupsAreNamedAndOrdered() {
    Stage stage(6);
    stage.selection.set({0, 1});
    stage.commands.group();
    stage.selection.set({2});
    stage.commands.group();
    GroupsDialog dialog(stage.document, stage.selection, stage.commands);
    QListWidget& list = dialog.list();
    QCOMPARE(list.count(), 2);
    list.item(0)->setText("front row");
    QCOMPARE(stage.document.project().groups[0], std::string("front row"));
    list.item(1)->setText("front row");
    QCOMPARE(stage.document.project().groups[1], std::string("Group 2"));
    QCOMPARE(list.item(1)->text(), QString("Group 2"));
    list.setCurrentRow(1);
    const auto press = [&dialog](const QString& name) {
      for (QToolButton* button : dialog.findChildren<QToolButton*>()) {
        if (button->accessibleName() == name) button->click();
      }
    };
    press("Move the group up");
    QCOMPARE(stage.document.project().groups, (std::vector<std::string>{"Group 2", "front row"}));
    QCOMPARE(stage.actor(2).group, 0);
    QCOMPARE(list.currentRow(), 0);
    press("Select the actors of the group");
    QCOMPARE(stage.selection.actors(), (Actors{2}));
    press("Remove the group; its actors stay");
    QCOMPARE(stage.document.project().groups, (std::vector<std::string>{"front row"}));
    QCOMPARE(stage.actor(2).group, -1);
    QCOMPARE(stage.actors().size(), std::size_t{6});
  }

 private:
  QTemporaryDir settings_;
};

CK_TEST(tst_actors_panel, QApplication)
#include "tst_actors_panel.moc"
