#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "tests/support/test_program.h"
#include "ui/document/document.h"
#include "ui/parts/bind.h"

using namespace ck::ui;
using ck::Project;

class tst_bind : public QObject {
  Q_OBJECT

 private slots:
  void rejectsEchoes() {
    Document document;
    QDoubleSpinBox box;
    box.setDecimals(1);
    bindNumber(
        box, document, "Speed", [](const Project& p) { return p.errorLimits.vertexMm; },
        [](Project& p, double v) { p.errorLimits.vertexMm = v; });
    // The box can only show 1.3; that must not find its way back.
    document.edit("Speed", [](Project& p) { p.errorLimits.vertexMm = 1.2678; });
    QCOMPARE(box.value(), 1.3);
    QCOMPARE(document.project().errorLimits.vertexMm, 1.2678);
    QCOMPARE(document.undoStack().count(), 1);
  }

  void stepsOfOneStayAreOneUndoStep() {
    Document document;
    QDoubleSpinBox box;
    box.setSingleStep(0.5);
    bindNumber(
        box, document, "Speed", [](const Project& p) { return p.errorLimits.vertexMm; },
        [](Project& p, double v) { p.errorLimits.vertexMm = v; });
    for (int i = 0; i < 5; ++i) box.stepUp();
    QCOMPARE(document.project().errorLimits.vertexMm, 2.5);
    QCOMPARE(document.undoStack().count(), 1);
    emit box.editingFinished();
    box.stepUp();
    QCOMPARE(document.undoStack().count(), 2);
    document.undoStack().undo();
    QCOMPARE(box.value(), 2.5);
    document.undoStack().undo();
    QCOMPARE(box.value(), 0.0);
  }

  void typingIsTakenWhenItIsComplete() {
    Document document;
    QSpinBox box;
    box.setRange(0, 1000);
    bindNumber(
        box, document, "Frames", [](const Project& p) { return p.characters.front().bake.frames; },
        [](Project& p, int v) { p.characters.front().bake.frames = v; });
    box.show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    QApplication::setActiveWindow(&box);
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, "120");
    QCOMPARE(document.undoStack().count(), 0);
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(document.project().characters.front().bake.frames, 120);
    QCOMPARE(document.undoStack().count(), 1);
  }

  void choicesFollowBothWays() {
    Document document;
    QComboBox box;
    for (const int count : {1, 2, 4}) box.addItem(QString::number(count), count);
    bindChoice(
        box, document, "Influences",
        [](const Project& p) { return p.characters.front().bake.influences; },
        [](Project& p, int v) { p.characters.front().bake.influences = v; });
    QCOMPARE(box.currentData().toInt(), 4);
    box.setCurrentIndex(0);
    QCOMPARE(document.project().characters.front().bake.influences, 1);
    document.edit("Influences", [](Project& p) { p.characters.front().bake.influences = 2; });
    QCOMPARE(box.currentData().toInt(), 2);
    document.undoStack().undo();
    QCOMPARE(box.currentData().toInt(), 1);
    QCOMPARE(document.undoStack().count(), 2);
  }

  void checkBoxesAndActionsAgree() {
    Document document;
    QCheckBox box;
    QAction action;
    action.setCheckable(true);
    const auto get = [](const Project& p) { return p.characters.front().bake.interpolate; };
    const auto set = [](Project& p, bool on) { p.characters.front().bake.interpolate = on; };
    bindTruth(box, document, "Interpolation", get, set);
    bindTruth(action, document, "Interpolation", get, set);
    QVERIFY(box.isChecked() && action.isChecked());
    action.setChecked(false);
    QVERIFY(!document.project().characters.front().bake.interpolate);
    QVERIFY(!box.isChecked());
    document.undoStack().undo();
    QVERIFY(box.isChecked() && action.isChecked());
    QCOMPARE(document.undoStack().count(), 1);
  }
};

CK_TEST(tst_bind, QApplication)
#include "tst_bind.moc"
