#include <spdlog/spdlog.h>

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QColor>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QSignalSpy>
#include <QSlider>
#include <QStyledItemDelegate>
#include <QTest>

#include "tests/support/rigs.h"
#include "tests/support/test_program.h"
#include "ui/actors/actor_commands.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/groups_dialog.h"
#include "ui/clips/clip_editor.h"
#include "ui/clips/clip_model.h"
#include "ui/clips/root_editor.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/log/log_panel.h"
#include "ui/parts/actor_expression.h"
#include "ui/parts/panel_parts.h"
#include "ui/theme/theme.h"

using namespace ck::ui;
using ck::Actor;
using ck::Project;

namespace {

Project crowd(int count) {
  Project project;
  project.characters.front().clips = {
      {.name = "walk"}, {.name = "run"}, {.name = "idle", .ticked = false}};
  std::vector<Actor> actors(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    Actor& actor = actors[std::size_t(i)];
    actor.clip = i % 3;
    actor.rate = 0.5f + 0.01f * float(i);
    actor.position.x = float(i);
  }
  project.groups = {"crew"};
  project.crowds = {{"Home"}, {"Away"}};
  project.actors = ck::ActorList(actors);
  return project;
}

double evaluated(const QString& text, const ck::ui::ActorValue& actor, std::uint64_t seed = 1) {
  const auto formula = readExpression(text, seed);
  return formula ? (*formula)(actor) : std::nan("");
}

}  // namespace

class tst_models : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp); }

  void rejectsWrongExpressions_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"",      "R(1",     "R(1)", "L",          "1+",   "abc", "1 2",
                             "*",     "1e999",   "(2",   "R(1,2",      "+=",   "nan", "look(1)",
                             "noise", "if(1,2)", "x y",  "floor(1,2)", "r(1)", "xyz"}) {
      QTest::newRow(text[0] ? text : "empty") << QString(text);
    }
  }
  void rejectsWrongExpressions() {
    QFETCH(QString, text);
    const auto formula = readExpression(text, 1);
    QVERIFY(!formula);
    QVERIFY(!formula.error().message.empty());
  }

  void expressionsMeanWhatTheySay() {
    const ck::ui::ActorValue third{3.0, 2, 5, 17};
    QCOMPARE(evaluated("1.5", third), 1.5);
    QCOMPARE(evaluated("2+3*4", third), 14.0);
    QCOMPARE(evaluated("-(2-5)", third), 3.0);
    QCOMPARE(evaluated("+=0.5", third), 3.5);
    QCOMPARE(evaluated("-=0.5", third), 2.5);
    QCOMPARE(evaluated("*2", third), 6.0);
    QCOMPARE(evaluated("/=2", third), 1.5);
    // Divided by nothing, the value stays.
    QCOMPARE(evaluated("/0", third), 3.0);
    QCOMPARE(evaluated("L(10,20)", third), 15.0);
    QCOMPARE(evaluated("L(10,20)", {0.0, 0, 1, 0}), 10.0);
  }

  // By the C library, at places all around.
  void placesHaveTheirWords() {
    const ck::ui::ActorValue actor{.value = 2.0,
                                   .index = 3,
                                   .count = 12,
                                   .actor = 5,
                                   .position = {4.0, 1.5, -7.0},
                                   .aroundCenter = {3.0, -4.0},
                                   .group = -1,
                                   .crowd = 2};
    const auto near = [&](const QString& text, double wanted) {
      const double got = evaluated(text, actor);
      QVERIFY2(std::abs(got - wanted) < 1e-9, qPrintable(text + QString(" is %1").arg(got)));
    };
    near("x", 4.0);
    near("y", 1.5);
    near("z", -7.0);
    near("r", 5.0);
    near("a", std::atan2(3.0, -4.0) * 180.0 / M_PI);
    near("i/n", 0.25);
    near("g + 10*c", 19.0);
    near("look(5,-7)", 90.0);
    near("look(4,0)", 0.0);
    near("look(3,-8)", -135.0);
    near("floor(-1.5) + min(2,3) + max(2,3)", 3.0);
    near("sin(30) + cos(60)", 1.0);
    near("if(x > 3, 10, 20) + if(z > 0, 1, 2) + if(x < 3, 100, 200)", 212.0);
    near("+= x", 6.0);
    near("R(3,3) + r(1,1) + l(2,2)", 6.0);
  }

  void noiseIsSmoothAndSpread() {
    double least = 1.0;
    double most = 0.0;
    for (int i = 0; i < 2000; ++i) {
      ck::ui::ActorValue actor;
      actor.position = {0.037 * i - 30.0, 0.0, 0.011 * i - 9.0};
      const double here = evaluated("noise(x,z)", actor, 6);
      QVERIFY(here >= 0.0 && here < 1.0);
      actor.position.x += 1e-4;
      QVERIFY(std::abs(evaluated("noise(x,z)", actor, 6) - here) < 3e-4);
      least = std::min(least, here);
      most = std::max(most, here);
    }
    QVERIFY(least < 0.15 && most > 0.85);
    ck::ui::ActorValue place;
    place.position = {2.5, 0.0, 2.5};
    QVERIFY(evaluated("noise(x,z)", place, 1) != evaluated("noise(x,z)", place, 2));
    QCOMPARE(evaluated("noise(x,z)", place, 1), evaluated("noise(x,z)", place, 1));
  }

  void randomStaysBetweenAndDependsOnTheSeed() {
    double sum = 0.0;
    for (std::size_t i = 0; i < 1000; ++i) {
      const double value = evaluated("R(2,4)", {0.0, i, 1000, i});
      QVERIFY(value >= 2.0 && value < 4.0);
      sum += value;
    }
    QVERIFY(std::abs(sum / 1000.0 - 3.0) < 0.1);
    QCOMPARE(evaluated("R(0,1)", {0, 0, 9, 4}, 7), evaluated("R(0,1)", {0, 3, 5, 4}, 7));
    QVERIFY(evaluated("R(0,1)", {0, 0, 9, 4}, 7) != evaluated("R(0,1)", {0, 0, 9, 4}, 8));
  }

  void actorModelHoldsItsPromises() {
    Document document;
    ActorModel model(document);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    document.replace(crowd(30), {});
    QCOMPARE(model.rowCount(), 30);
    document.edit("Fewer", [](Project& p) { p.actors = ck::ActorList(std::vector<Actor>(4)); });
    QCOMPARE(model.rowCount(), 4);
    document.undoStack().undo();
    QCOMPARE(model.rowCount(), 30);
    document.replace({}, {});
    QCOMPARE(model.rowCount(), 0);
  }

  void everyColumnCanBeSetAndUndone_data() {
    QTest::addColumn<QVariant>("value");
    QTest::newRow("Clip") << QVariant(2);
    QTest::newRow("Offset") << QVariant(0.25);
    QTest::newRow("Rate") << QVariant(-1.5);
    QTest::newRow("Loop") << QVariant(2);
    QTest::newRow("Fade to") << QVariant(1);
    QTest::newRow("Fade") << QVariant(0.5);
    QTest::newRow("Over") << QVariant(0.75);
    QTest::newRow("At") << QVariant(-2.5);
    QTest::newRow("Phase") << QVariant(2);
    QTest::newRow("Eased") << QVariant(int(Qt::Checked));
    QTest::newRow("X") << QVariant(7.5);
    QTest::newRow("Y") << QVariant(1.25);
    QTest::newRow("Z") << QVariant(-3.0);
    QTest::newRow("Tilt") << QVariant(10.0);
    QTest::newRow("Turn") << QVariant(90.0);
    QTest::newRow("Roll") << QVariant(-10.0);
    QTest::newRow("Scale") << QVariant(2.0);
    QTest::newRow("Tint") << QVariant(QColor(0x12, 0x34, 0x56));
    QTest::newRow("Walks") << QVariant(int(Qt::Checked));
    QTest::newRow("Radius") << QVariant(-2.5);
    QTest::newRow("On") << QVariant(int(Qt::Unchecked));
    QTest::newRow("Group") << QVariant(0);
    QTest::newRow("Crowd") << QVariant(1);
    QTest::newRow("By hand") << QVariant(int(Qt::Checked));
  }
  void everyColumnCanBeSetAndUndone() {
    QFETCH(QVariant, value);
    Document document;
    document.replace(crowd(5), {});
    const Project start = document.project();
    ActorModel model(document);
    const int section = model.sectionOf(QTest::currentDataTag());
    const bool flag = model.column(section).kind == ck::ActorKind::Flag;
    const int role = flag ? Qt::CheckStateRole : Qt::EditRole;
    const QModelIndex index = model.index(3, section);
    QVERIFY(model.setData(index, value, role));
    QCOMPARE(model.data(index, role).toString(), value.toString());
    QCOMPARE(document.undoStack().count(), 1);
    document.undoStack().undo();
    QVERIFY(document.project() == start);
  }

  void valuesOutOfRangeAreBroughtIn() {
    Document document;
    document.replace(crowd(1), {});
    ActorModel model(document);
    QVERIFY(model.setData(model.index(0, model.sectionOf("Rate")), 99.0, Qt::EditRole));
    QCOMPARE(document.project().actors[0].rate, 4.0f);
    QVERIFY(!model.setData(model.index(0, model.sectionOf("Clip")), 17, Qt::EditRole));
  }

  void aColumnOfManyRowsIsOneStepAndOneSignal() {
    Document document;
    document.replace(crowd(5000), {});
    const Project start = document.project();
    ActorModel model(document);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    std::vector<int> rows;
    for (int row = 100; row < 4600; row += 3) rows.push_back(row);
    model.editActors(rows, model.columnOf("Offset"),
                     [](Actor& actor, std::size_t place) { actor.offset = float(place); });
    QCOMPARE(changed.count(), 1);
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.project().actors[100].offset, 0.0f);
    QCOMPARE(document.project().actors[103].offset, 1.0f);
    QCOMPARE(document.project().actors[101].offset, 0.0f);
    document.undoStack().undo();
    QVERIFY(document.project() == start);
    QCOMPARE(changed.count(), 2);
  }

  void filterUnderstandsColumnsAndNames_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("rows");
    QTest::newRow("nothing shows all") << "" << 30;
    QTest::newRow("a word looks in the clip") << "wal" << 10;
    QTest::newRow("clip by name") << "clip:run" << 10;
    QTest::newRow("greater") << "x>19" << 10;
    QTest::newRow("at most") << "x<=4" << 5;
    QTest::newRow("both must fit") << "clip:walk x<6" << 2;
    QTest::newRow("equal as shown") << "rate=0.55" << 1;
    QTest::newRow("truth") << "on=no" << 0;
    QTest::newRow("a title of two words") << "fadeto:none radius=0" << 30;
  }
  void filterUnderstandsColumnsAndNames() {
    QFETCH(QString, text);
    QFETCH(int, rows);
    Document document;
    document.replace(crowd(30), {});
    ActorModel model(document);
    ActorFilter filter(model);
    const QAbstractItemModelTester tester(&filter,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(filter.setFilter(text), QString());
    QCOMPARE(filter.rowCount(), rows);
  }

  void rejectsWrongFiltersAndKeepsTheOld() {
    Document document;
    document.replace(crowd(30), {});
    ActorModel model(document);
    ActorFilter filter(model);
    QCOMPARE(filter.setFilter("x<3"), QString());
    QVERIFY(!filter.setFilter("x<three").isEmpty());
    QVERIFY(!filter.setFilter("colour=red").isEmpty());
    QCOMPARE(filter.rowCount(), 3);
  }

  void numbersSortAsNumbers() {
    Document document;
    document.replace(crowd(30), {});
    ActorModel model(document);
    ActorFilter filter(model);
    filter.sort(model.sectionOf("X"), Qt::DescendingOrder);
    QCOMPARE(filter.mapToSource(filter.index(0, 0)).row(), 29);
    QCOMPARE(filter.mapToSource(filter.index(29, 0)).row(), 0);
  }

  void clipModelHoldsItsPromises() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    ClipModel model(document, session);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    document.replace(crowd(3), {});
    QCOMPARE(model.rowCount(), 3);
    const Project start = document.project();
    QVERIFY(model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!document.project().characters.front().clips[0].ticked);
    model.tickOnly({2});
    QVERIFY(document.project().characters.front().clips[2].ticked &&
            !document.project().characters.front().clips[1].ticked);
    model.invertTicks();
    QVERIFY(!document.project().characters.front().clips[2].ticked &&
            document.project().characters.front().clips[1].ticked);
    model.tickAll(true);
    model.setLoop({1}, ck::LoopMode::PingPong);
    QVERIFY(document.project().characters.front().clips[1].loop == ck::LoopMode::PingPong);
    QCOMPARE(model.index(1, ClipModel::Loop).data().toString(), loopTitle(ck::LoopMode::PingPong));
    const int before = document.undoStack().index();
    model.setRootMotion({0, 2}, ck::RootMotion::Strip);
    model.setSeam({0, 2}, ck::SeamChoice::Inclusive);
    QCOMPARE(document.undoStack().index(), before + 2);
    const auto motionOf = [&document](std::size_t clip) {
      return document.project().characters.front().clips[clip].edit.root.motion;
    };
    QVERIFY(motionOf(2) == ck::RootMotion::Strip && motionOf(1) == ck::RootMotion::Keep);
    QCOMPARE(document.project().characters.front().clips[0].seam, ck::SeamChoice::Inclusive);
    model.reset({0, 2});
    QVERIFY(document.project().characters.front().clips[0] == start.characters.front().clips[0]);
    while (document.undoStack().canUndo()) document.undoStack().undo();
    QVERIFY(document.project() == start);
  }

  // One step: the clips, and the actors that play them.
  void actorsOfExtractedClipsWalk() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    ClipModel model(document, session);
    document.replace(crowd(30), {});
    const Project start = document.project();
    model.setRootMotion({1}, ck::RootMotion::Extract);
    QCOMPARE(document.undoStack().count(), 1);
    int walking = 0;
    for (std::size_t i = 0; i < document.project().actors.size(); ++i) {
      const ck::Actor actor = document.project().actors[i];
      const bool asked = actor.clip == 1 || start.actors[i].travels;
      QCOMPARE(actor.travels, asked);
      walking += actor.clip == 1 ? 1 : 0;
    }
    QVERIFY(walking > 0);
    document.undoStack().undo();
    QVERIFY(document.project() == start);
  }

  void rootEditorEditsAllSelectedClips() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    ClipModel model(document, session);
    document.replace(crowd(3), {});
    const Project start = document.project();
    ClipSelection selection;
    RootEditor editor(model, selection);
    QVERIFY(!editor.isEnabled());
    selection.set({0, 2});
    QVERIFY(editor.isEnabled());
    const auto editOf = [&document](std::size_t clip) -> const ck::ClipEdit& {
      return document.project().characters.front().clips[clip].edit;
    };
    auto* motion = editor.findChildren<QComboBox*>().at(0);
    const auto boxes = editor.findChildren<QCheckBox*>();
    QCOMPARE(boxes.size(), 4);
    QVERIFY(!boxes.at(0)->isEnabled());
    motion->setCurrentIndex(motion->findData(int(ck::RootMotion::Strip)));
    emit motion->activated(motion->currentIndex());
    QCOMPARE(editOf(0).root.motion, ck::RootMotion::Strip);
    QCOMPARE(editOf(1).root.motion, ck::RootMotion::Keep);
    // Only what walks gives its turn away.
    QVERIFY(boxes.at(0)->isEnabled() && !boxes.at(3)->isEnabled());
    boxes.at(0)->click();
    QVERIFY(!editOf(2).root.x && editOf(2).root.z);
    auto* slider = editor.findChild<QSlider*>();
    const int before = document.undoStack().count();
    slider->setSliderDown(true);
    slider->setValue(50);
    slider->setValue(100);
    slider->setSliderDown(false);
    QCOMPARE(document.undoStack().count(), before + 1);
    QCOMPARE(editOf(0).loopOffset, 0.5);
    QCOMPARE(editOf(2).loopOffset, 0.5);
    while (document.undoStack().canUndo()) document.undoStack().undo();
    QVERIFY(document.project() == start);
    QCOMPARE(slider->value(), 0);
  }

  void secondsOfHoursAreShownWhole() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    ClipModel model(document, session);
    Project project = crowd(3);
    project.characters.front().clips[0].edit.trim = ck::Trim{0.0, 36'000.0};
    project.characters.front().clips[1].edit.trim = ck::Trim{0.0, 3.0};
    document.replace(project, {});
    ClipSelection selection;
    ClipEditor editor(model, selection);
    const auto end = [&editor] { return editor.findChildren<QLineEdit*>().at(1); };
    selection.set({1});
    QCOMPARE(end()->text(), QString("3.000"));
    const int usual = end()->width();
    selection.set({0});
    QCOMPARE(end()->text(), QString("36000.000"));
    const QFontMetrics metrics = end()->fontMetrics();
    const int frame = usual - metrics.horizontalAdvance("300.000");
    QCOMPARE_GE(end()->width(), metrics.horizontalAdvance("36000.000") + frame);
    selection.set({1});
    QCOMPARE(end()->width(), usual);
  }

  void rejectsNamesThatAreTakenOrNone() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    ClipModel model(document, session);
    document.replace(crowd(3), {});
    QSignalSpy refused(&model, &ClipModel::refused);
    const QModelIndex first = model.index(0, 0);
    QVERIFY(!model.setData(first, "run", Qt::EditRole));
    QVERIFY(!model.setData(first, "  ", Qt::EditRole));
    QCOMPARE(refused.count(), 2);
    QVERIFY(model.setData(first, " stroll ", Qt::EditRole));
    QCOMPARE(first.data().toString(), QString("stroll"));
    QCOMPARE(document.project().characters.front().clips[0].name, std::string("walk"));
    QVERIFY(!model.setData(model.index(1, 0), "stroll", Qt::EditRole));
    // The name that was given up is free; its own name gives a clip no other title.
    QVERIFY(model.setData(model.index(1, 0), "walk", Qt::EditRole));
    QVERIFY(model.setData(model.index(1, 0), "run", Qt::EditRole));
    QVERIFY(document.project().characters.front().clips[1].title.empty());
    QCOMPARE(document.undoStack().count(), 3);
  }

  void draggedClipsKeepTheirActors() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    ClipModel model(document, session);
    document.replace(crowd(30), {});
    const Project start = document.project();
    const auto names = [&] {
      QStringList list;
      for (int row = 0; row < model.rowCount(); ++row)
        list << model.index(row, 0).data().toString();
      return list.join(' ');
    };
    const std::unique_ptr<QMimeData> last(model.mimeData({model.index(2, 0), model.index(2, 3)}));
    QVERIFY(model.dropMimeData(last.get(), Qt::MoveAction, 0, 0, {}));
    QCOMPARE(names(), QString("idle walk run"));
    for (int i = 0; i < 30; ++i) {
      const auto clip = std::size_t(document.project().actors[std::size_t(i)].clip);
      QCOMPARE(document.project().characters.front().clips[clip].name,
               start.characters.front().clips[std::size_t(i % 3)].name);
    }
    model.move({0, 1}, 3);
    QCOMPARE(names(), QString("run idle walk"));
    model.move({0}, 1);
    QCOMPARE(names(), QString("run idle walk"));
    QMimeData foreign;
    foreign.setData("application/x-crowdkiln-clip-rows", "7");
    QVERIFY(!model.dropMimeData(&foreign, Qt::MoveAction, 0, 0, {}));
    QCOMPARE(document.undoStack().count(), 2);
    document.undoStack().setIndex(0);
    QVERIFY(document.project() == start);
  }

  void cutsStayWithinTheClip() {
    const ck::Clip bend = ck::test::barCharacter().clips[0];
    QVERIFY(!trimWithin(bend, 0.0, 1.0));
    QVERIFY(!trimWithin(bend, -5.0, 7.0));
    QVERIFY(!trimWithin(bend, 0.0004, 0.9997));
    const auto typed = trimWithin(bend, 0.333, 0.5);
    // Keys are at thirtieths of a second.
    QCOMPARE(typed->startSeconds, 10 / 30.0);
    QCOMPARE(typed->endSeconds, 15 / 30.0);
    const auto between = trimWithin(bend, 0.31, 0.55);
    QCOMPARE(between->startSeconds, 0.31);
    const auto crossed = trimWithin(bend, 0.8, 0.2);
    QVERIFY(crossed->endSeconds > crossed->startSeconds && crossed->endSeconds < 0.81);
    QVERIFY(!trimWithin(ck::Clip{}, 0.0, 1.0));
  }

  void namesAreShownWithTheirMarksAndEditedAsTheyAre() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    ClipModel clips(document, session);
    ActorModel actors(document);
    Project project = crowd(1);
    const std::string wicked = "x\u202egnp.exe";
    const QString shown = "x\\u202egnp.exe";
    project.characters.front().clips[0].name = wicked;
    project.groups = {wicked};
    project.masks = {{wicked, {}}};
    Actor actor = project.actors[0];
    actor.group = 0;
    actor.mask = 0;
    project.actors = ck::ActorList(std::vector<Actor>{actor});
    document.replace(project, {});
    const QModelIndex clip = clips.index(0, ClipModel::Name);
    QCOMPARE(clip.data().toString(), shown);
    QCOMPARE(clip.data(Qt::EditRole).toString().toStdString(), wicked);
    int found = 0;
    for (int column = 0; column < actors.columnCount(); ++column) {
      found += actors.index(0, column).data().toString() == shown;
      QVERIFY(!actors.index(0, column).data().toString().contains(QChar(0x202e)));
    }
    QCOMPARE(found, 3);
    // A list whose items are edited in place, by its delegate.
    Selection selection(document);
    ActorCommands commands(document, selection);
    GroupsDialog dialog(document, selection, commands, nullptr);
    const QVariant item = dialog.list().item(0)->data(Qt::DisplayRole);
    QCOMPARE(item.toString().toStdString(), wicked);
    auto* delegate = qobject_cast<QStyledItemDelegate*>(dialog.list().itemDelegate());
    QVERIFY(delegate != nullptr);
    QCOMPARE(delegate->displayText(item, QLocale()), shown);
    const std::unique_ptr<QLabel> label(plainLabel(QString::fromStdString(wicked)));
    QCOMPARE(label->text(), shown);
  }

  void cutsBeyondTheClipAreExplained() {
    const ck::Clip bend = ck::test::barCharacter().clips[0];
    const auto why = [&bend](double start, double end) {
      return whyTrimmed("bend", bend, {start, end});
    };
    QCOMPARE(why(0.0, 1.0), QString());
    QCOMPARE(why(0.333, 0.5), QString());  // snapped to keys
    QCOMPARE(why(-5.0, 1.0), "bend begins at 0.000 s in its file, so the cut starts there");
    QCOMPARE(why(7.0, 1.0), "bend ends at 1.000 s in its file, so the cut starts at 0.999 s");
    QCOMPARE(why(0.5, 7.0), "bend ends at 1.000 s in its file, so the cut ends there");
    QCOMPARE(why(0.8, 0.2), "The cut of bend starts at 0.800 s, so it ends at 0.801 s, not before");
  }

  void logModelTakesLinesOfAnyThread() {
    LogModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    ck::setLogToStderr(false);
    ck::setLogLevel(ck::LogLine::Level::Info);
    QSignalSpy unread(&model, &LogModel::unreadChanged);
    std::thread other([] {
      ck::log().info("from another thread");
      ck::log().warn("a warning");
    });
    other.join();
    QTRY_COMPARE(model.rowCount(), 2);
    QVERIFY(model.index(0, 0).data().toString().endsWith("from another thread"));
    QCOMPARE(model.unreadWarnings(), 1);
    model.markRead();
    QCOMPARE(unread.count(), 2);
    for (int i = 0; i < LogModel::kMostLines + 10; ++i) ck::log().info("line");
    QTRY_COMPARE(model.rowCount(), LogModel::kMostLines);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }
};

CK_TEST(tst_models, QApplication)
#include "tst_models.moc"
