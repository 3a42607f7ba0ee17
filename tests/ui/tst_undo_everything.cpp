#include <QCheckBox>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTemporaryDir>

#include "core/project/project_json.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"

using namespace ck::ui;
using ck::Project;
using ck::test::WindowStage;

// Every action of the window and every field of the panels, each undone and redone. Bakes that an
// edit starts are cancelled: it is the document that is compared.
class tst_undo_everything : public QObject {
  Q_OBJECT

  WindowStage stage_;
  std::optional<ck::test::DialogCloser> closer_;
  Project start_;

  MainWindow& window() { return *stage_.window; }
  Document& document() { return stage_.window->document(); }

  // The part that the artist edits, without what undo leaves alone.
  Project edited() {
    Project project = document().project();
    project.view = {};
    project.playbackSpeed = 1.0;
    project.desk.camera.reset();
    project.desk.selected.clear();
    project.desk.crowd = 0;
    return project;
  }

  // Undoes and redoes all that `what` has done. Ends as it began.
  void goThere(const QString& what, const Project& before) {
    QUndoStack& stack = document().undoStack();
    const Project after = edited();
    const int steps = stack.index();
    QVERIFY2((steps > 0) == !(after == before), qPrintable(what + ": " + stack.undoText()));
    while (stack.canUndo()) stack.undo();
    QVERIFY2(edited() == before, qPrintable(what + " is not undone"));
    while (stack.index() < steps) stack.redo();
    QVERIFY2(edited() == after, qPrintable(what + " is not redone"));
    while (stack.canUndo()) stack.undo();
    stack.clear();
    window().tasks().cancelAll();
  }

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    closer_.emplace(30);
    window().selection().set({1, 2});
    document().undoStack().clear();
    start_ = edited();
  }

  void cleanupTestCase() {
    closer_.reset();
    document().markSaved("/nowhere/p.crowd");
    stage_.close();
  }

  void everyAction() {
    // They end the document or the window, or only move within the history.
    const QStringList left = {"&New",        "&Quit",        "&Open...", "&Save",
                              "Save &as...", "F&ull screen", "undo",     "redo"};
    int triggered = 0;
    QList<QPointer<QAction>> actions;
    for (QAction* action : window().findChildren<QAction*>()) actions << action;
    for (const QPointer<QAction>& action : actions) {
      if (!action || !action->isEnabled() || action->menu() || action->isSeparator()) continue;
      const QString text = action->text();
      if (text.isEmpty() || left.contains(text) || left.contains(action->objectName())) continue;
      if (text.contains("Plaza") || text.contains("Meadow")) continue;
      const Project before = edited();
      action->trigger();
      QCoreApplication::processEvents();
      goThere("action " + text, before);
      if (QTest::currentTestFailed()) return;
      window().selection().set({1, 2});
      window().playback().setPlaying(false);
      ++triggered;
    }
    QVERIFY2(triggered > 60, qPrintable(QString::number(triggered)));
    QVERIFY(edited() == start_);
  }

  void everyField() {
    int changed = 0;
    QList<QPointer<QWidget>> fields;
    for (QWidget* widget : window().findChildren<QWidget*>()) {
      if (qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QCheckBox*>(widget) ||
          qobject_cast<QComboBox*>(widget)) {
        fields << widget;
      }
    }
    for (const QPointer<QWidget>& field : fields) {
      if (!field || !field->isEnabled() || field->objectName().startsWith("qt_")) continue;
      const Project before = edited();
      if (auto* whole = qobject_cast<QSpinBox*>(field)) {
        whole->setValue(whole->value() < whole->maximum() ? whole->value() + 1
                                                          : whole->value() - 1);
      } else if (auto* number = qobject_cast<QDoubleSpinBox*>(field)) {
        number->setValue(number->value() < number->maximum()
                             ? number->value() + number->singleStep()
                             : number->value() - number->singleStep());
      } else if (auto* check = qobject_cast<QCheckBox*>(field)) {
        check->toggle();
      } else if (auto* box = qobject_cast<QComboBox*>(field)) {
        if (box->count() < 2) continue;
        box->setCurrentIndex((box->currentIndex() + 1) % box->count());
      }
      QCoreApplication::processEvents();
      changed += edited() == before ? 0 : 1;
      goThere(QString("field ") + field->accessibleName(), before);
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY2(changed > 12, qPrintable(QString::number(changed)));
    QVERIFY(edited() == start_);
  }
};

CK_TEST(tst_undo_everything, ck::test::EditorApplication)
#include "tst_undo_everything.moc"
