#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <cmath>
#include <vector>

#include "tests/support/test_program.h"
#include "ui/document/document.h"
#include "ui/parts/bind.h"
#include "ui/parts/field_filter.h"
#include "ui/parts/number_field.h"
#include "ui/parts/panel_parts.h"
#include "ui/parts/scrub_drag.h"
#include "ui/theme/theme.h"

using namespace ck::ui;
using ck::Project;

namespace {

constexpr double kSpacing = 2.0;

// A form with a field in metres and a whole one, bound to a document, in a scroll area.
struct Form {
  Form() {
    spacing = named(numberBox(0.05, 1000.0, 0.1, " m"), "Spacing", "How far apart");
    count = named(wholeBox(0, 1000000), "Actors");
    bindNumber(
        *spacing, document, "Spacing",
        [](const Project& p) { return p.crowds.front().spawn.spacingMeters; },
        [](Project& p, double v) { p.crowds.front().spawn.spacingMeters = v; });
    bindNumber(
        *count, document, "Actors", [](const Project& p) { return p.crowds.front().spawn.count; },
        [](Project& p, int v) { p.crowds.front().spawn.count = v; });
    choice = new QComboBox;
    choice->addItems({"a", "b", "c"});
    slider = new QSlider(Qt::Horizontal);
    slider->setValue(50);
    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->addRow("&Spacing", spacing);
    label = static_cast<QLabel*>(form->labelForField(spacing));
    form->addRow("Actors", count);
    form->addRow("Choice", choice);
    form->addRow("Slider", slider);
    form->addRow(new QLineEdit);
    auto* tall = new QWidget;
    tall->setMinimumHeight(1200);
    form->addRow(tall);
    area.setWidget(page);
    area.setWidgetResizable(true);
    area.resize(320, 300);
    document.edit("Start", [](Project& p) {
      p.crowds.front().spawn.spacingMeters = kSpacing;
      p.crowds.front().spawn.count = 100;
    });
  }
  double meters() const { return document.project().crowds.front().spawn.spacingMeters; }
  int steps() { return document.undoStack().index(); }
  QWidget* line() const { return spacing->findChild<QLineEdit*>(); }

  Document document;
  QScrollArea area;
  QDoubleSpinBox* spacing;
  QSpinBox* count;
  QComboBox* choice;
  QSlider* slider;
  QLabel* label;
};

void drag(QWidget* handle, const std::vector<int>& xs, Qt::KeyboardModifiers keys = {},
          bool release = true) {
  const QPoint from = handle->rect().center();
  QTest::mousePress(handle, Qt::LeftButton, keys, from);
  QPoint at = from;
  for (const int x : xs) {
    at = from + QPoint(x, 0);
    QMouseEvent move(QEvent::MouseMove, at, handle->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     keys);
    QApplication::sendEvent(handle, &move);
  }
  if (release) QTest::mouseRelease(handle, Qt::LeftButton, keys, at);
}

void type(QWidget* field, const QString& text, bool enter = true) {
  field->setFocus();
  static_cast<QAbstractSpinBox*>(field)->selectAll();
  QTest::keyClicks(field, text);
  if (enter) QTest::keyClick(field, Qt::Key_Return);
}

// As Qt offers it to the widget and to its parents.
void wheel(QWidget* widget, int notches) {
  const QPointF at = widget->rect().center();
  QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(widget, &event);
}

}  // namespace

class tst_number_field : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    applyTheme(*qApp);
    QLocale::setDefault(QLocale::c());
  }
  void init() {
    filter_ = std::make_unique<FieldFilter>(nullptr);
    form_ = std::make_unique<Form>();
    form_->area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form_->area));
    QApplication::setActiveWindow(&form_->area);
    QTRY_VERIFY(form_->area.isActiveWindow());
    form_->area.setFocus();
  }
  void cleanup() {
    form_.reset();
    filter_.reset();
  }

  void wrongTextChangesNothingAndSaysWhy_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::newRow("word") << "abc"
                          << "'abc' is not understood";
    QTest::newRow("unit of another kind") << "3 s"
                                          << "'s' is no unit of this field";
    QTest::newRow("not finished") << "3*"
                                  << "A number is missing at the end";
    QTest::newRow("bracket") << "(3"
                             << "A closing bracket is missing";
    QTest::newRow("two numbers") << "3 4"
                                 << "is missing before '4'";
    QTest::newRow("too large") << "2 km"
                               << "2000 is out of range";
    QTest::newRow("too small") << "-1"
                               << "-1 is out of range";
  }
  void wrongTextChangesNothingAndSaysWhy() {
    QFETCH(QString, text);
    QFETCH(QString, reason);
    const int steps = form_->steps();
    type(form_->spacing, text);
    QVERIFY(form_->spacing->property("wrong").toBool());
    QVERIFY2(form_->spacing->toolTip().contains(reason), qPrintable(form_->spacing->toolTip()));
    QVERIFY(form_->spacing->toolTip().contains("still 2.00 m"));
    QCOMPARE(form_->meters(), kSpacing);
    QCOMPARE(form_->steps(), steps);
    // The text is there to be mended.
    QVERIFY(form_->spacing->text().startsWith(text));
    QTest::keyClick(form_->spacing, Qt::Key_Escape);
    QCOMPARE(form_->spacing->text(), QString("2.00 m"));
    QVERIFY(!form_->spacing->property("wrong").toBool());
    QCOMPARE(form_->spacing->toolTip(), QString("How far apart"));
  }

  void wrongTextIsDroppedWithTheFocus() {
    type(form_->spacing, "abc", false);
    form_->count->setFocus();
    QCOMPARE(form_->spacing->text(), QString("2.00 m"));
    QVERIFY(!form_->spacing->property("wrong").toBool());
    QCOMPARE(form_->meters(), kSpacing);
  }

  void expressionsAreReckoned_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("meters");
    QTest::newRow("product") << "50*3" << 150.0;
    QTest::newRow("own unit") << "1.5 m" << 1.5;
    QTest::newRow("centimetres") << "150 cm" << 1.5;
    QTest::newRow("no blank") << "150cm" << 1.5;
    QTest::newRow("feet") << "10 ft" << 3.048;
    QTest::newRow("inches by sign") << "100\"" << 2.54;
    QTest::newRow("units and none") << "1 + 50 cm" << 1.5;
    QTest::newRow("brackets") << "(1+2)*4/3" << 4.0;
    QTest::newRow("minus") << "5--1" << 6.0;
    QTest::newRow("a unit binds first") << "10/2 cm" << 500.0;
  }
  void expressionsAreReckoned() {
    QFETCH(QString, text);
    QFETCH(double, meters);
    const int steps = form_->steps();
    type(form_->spacing, text);
    QVERIFY(std::abs(form_->meters() - meters) < 0.005001);
    QCOMPARE(form_->steps(), steps + 1);
    form_->document.undoStack().undo();
    QCOMPARE(form_->meters(), kSpacing);
  }

  void wholeNumbersAreRounded() {
    type(form_->count, "50*3");
    QCOMPARE(form_->document.project().crowds.front().spawn.count, 150);
    type(form_->count, "10/4");
    QCOMPARE(form_->document.project().crowds.front().spawn.count, 3);
    type(form_->count, "10 %");
    QCOMPARE(form_->document.project().crowds.front().spawn.count, 0);
  }

  void decimalCommasAndThousandsAreThoseOfTheLanguage() {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    {
      Form german;
      german.spacing->setLocale(QLocale());
      german.area.show();
      QVERIFY(QTest::qWaitForWindowExposed(&german.area));
      type(german.spacing, "1,5*2");
      QCOMPARE(german.meters(), 3.0);
    }
    QLocale::setDefault(QLocale::c());
  }

  void aDragIsOneStep_data() {
    QTest::addColumn<bool>("onLabel");
    QTest::newRow("field") << false;
    QTest::newRow("label") << true;
  }
  void aDragIsOneStep() {
    QFETCH(bool, onLabel);
    QWidget* handle = onLabel ? form_->label : form_->line();
    const int steps = form_->steps();
    drag(handle, {8, 20, 40});
    // 40 pixels are 10 steps of 0.1 m.
    QVERIFY(std::abs(form_->meters() - 3.0) < 1e-9);
    QCOMPARE(form_->steps(), steps + 1);
    QVERIFY(!form_->spacing->hasFocus());
    drag(handle, {-20});
    QVERIFY(std::abs(form_->meters() - 2.5) < 1e-9);
    QCOMPARE(form_->steps(), steps + 2);
    form_->document.undoStack().undo();
    QVERIFY(std::abs(form_->meters() - 3.0) < 1e-9);
    form_->document.undoStack().undo();
    QCOMPARE(form_->meters(), kSpacing);
  }

  void shiftIsFineAndCtrlSnaps() {
    drag(form_->line(), {40}, Qt::ShiftModifier);
    QVERIFY(std::abs(form_->meters() - 2.1) < 1e-9);
    form_->document.edit("Odd", [](Project& p) { p.crowds.front().spawn.spacingMeters = 2.03; });
    drag(form_->line(), {7, 10}, Qt::ControlModifier);
    // 2.5 steps are 3; 2.33 goes to the next multiple of 0.1.
    QVERIFY2(std::abs(form_->meters() - 2.3) < 1e-9, qPrintable(QString::number(form_->meters())));
  }

  void escEndsADragAndRestores() {
    const int steps = form_->steps();
    drag(form_->line(), {20, 60}, {}, false);
    QVERIFY(form_->meters() > 3.0);
    QTest::keyClick(&form_->area, Qt::Key_Escape);
    QCOMPARE(form_->meters(), kSpacing);
    QCOMPARE(form_->steps(), steps);
    // The rest of the way changes nothing.
    QMouseEvent move(QEvent::MouseMove, {90, 5}, form_->line()->mapToGlobal(QPoint(90, 5)),
                     Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(form_->line(), &move);
    QTest::mouseRelease(form_->line(), Qt::LeftButton, {}, {90, 5});
    QCOMPARE(form_->meters(), kSpacing);
    drag(form_->line(), {40});
    QVERIFY(std::abs(form_->meters() - 3.0) < 1e-9);
  }

  void escRestoresWhatWasBeforeTyping() {
    const int steps = form_->steps();
    type(form_->spacing, "7", false);
    QTest::keyClick(form_->spacing, Qt::Key_Escape);
    QCOMPARE(form_->spacing->text(), QString("2.00 m"));
    QCOMPARE(form_->meters(), kSpacing);
    // Arrow steps too.
    QTest::keyClick(form_->spacing, Qt::Key_Up);
    QTest::keyClick(form_->spacing, Qt::Key_Up);
    QVERIFY(std::abs(form_->meters() - 2.2) < 1e-9);
    QTest::keyClick(form_->spacing, Qt::Key_Escape);
    QCOMPARE(form_->meters(), kSpacing);
    QCOMPARE(form_->steps(), steps);
    // A number that was entered stays.
    type(form_->spacing, "7");
    QTRY_COMPARE(form_->meters(), 7.0);
    QCoreApplication::processEvents();
    QTest::keyClick(form_->spacing, Qt::Key_Escape);
    QCOMPARE(form_->meters(), 7.0);
  }

  // The effect of a setting is not always undone by setting it back: here, how often it was set.
  void escOfADragRestoresAllThatItHasChanged() {
    QDoubleSpinBox* box = numberBox(0.0, 10.0, 0.1);
    bindNumber(
        *box, form_->document, "Dealt", [](const Project& p) { return p.errorLimits.vertexMm; },
        [](Project& p, double v) {
          p.errorLimits.vertexMm = v;
          ++p.randomSeed;
        });
    box->setParent(&form_->area);
    box->move(0, 200);
    box->show();
    QUndoStack& stack = form_->document.undoStack();
    form_->document.edit("One", [](Project& p) { p.crowds.front().spawn.count = 7; });
    form_->document.edit("Two", [](Project& p) { p.crowds.front().spawn.count = 8; });
    stack.setIndex(stack.count() - 2);
    form_->document.markSaved("a.crowd");
    const Project before = form_->document.project();
    auto* line = box->findChild<QLineEdit*>();
    drag(line, {20, 60}, {}, false);
    QVERIFY(!(form_->document.project() == before));
    QVERIFY(form_->document.isModified());
    QTest::keyClick(&form_->area, Qt::Key_Escape);
    QTest::mouseRelease(line, Qt::LeftButton);
    QCOMPARE(form_->document.project(), before);
    QVERIFY(!form_->document.isModified());
    // Steps that could be made again still can.
    QCOMPARE(stack.count(), stack.index() + 2);
    stack.redo();
    stack.redo();
    QCOMPARE(form_->document.project().crowds.front().spawn.count, 8);
    stack.setIndex(stack.index() - 2);
    // Arrow steps likewise.
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Up);
    QTest::keyClick(box, Qt::Key_Up);
    QVERIFY(!(form_->document.project() == before));
    QTest::keyClick(box, Qt::Key_Escape);
    QCOMPARE(form_->document.project(), before);
    QVERIFY(!form_->document.isModified());
    delete box;
  }

  void escAfterAnUndoKeepsWhatTheUndoHasRestored() {
    QUndoStack& stack = form_->document.undoStack();
    type(form_->spacing, "50*3");
    QTRY_COMPARE(form_->meters(), 150.0);
    QCoreApplication::processEvents();
    stack.undo();
    QCOMPARE(form_->spacing->text(), QString("2.00 m"));
    QTest::keyClick(form_->spacing, Qt::Key_Escape);
    QCOMPARE(form_->meters(), kSpacing);
    type(form_->spacing, "(1 + 50 cm");
    QVERIFY(form_->spacing->property("wrong").toBool());
    QTest::keyClick(form_->spacing, Qt::Key_Escape);
    QCOMPARE(form_->meters(), kSpacing);
    QCOMPARE(form_->spacing->text(), QString("2.00 m"));
    QTRY_VERIFY(!QToolTip::isVisible());
    type(form_->spacing, "77", false);
    QTest::keyClick(form_->spacing, Qt::Key_Escape);
    QCOMPARE(form_->meters(), kSpacing);
    QVERIFY(stack.canRedo());
  }

  void aClickFocusesAndSelectsAndAFieldInUseIsNotDragged() {
    drag(form_->line(), {2});
    QVERIFY(form_->spacing->hasFocus());
    QCOMPARE(form_->meters(), kSpacing);
    QCOMPARE(static_cast<QLineEdit*>(form_->line())->selectedText(), QString("2.00 m"));
    drag(form_->line(), {40});
    QCOMPARE(form_->meters(), kSpacing);
  }

  void aDisabledFieldIsNotDraggedByItsLabel() {
    form_->spacing->setEnabled(false);
    drag(form_->label, {40});
    QCOMPARE(form_->meters(), kSpacing);
  }

  void backspaceOverAFieldResets() {
    const double usual = Project().crowds.front().spawn.spacingMeters;
    QVERIFY(usual != kSpacing);
    const int steps = form_->steps();
    QCursor::setPos(form_->line()->mapToGlobal(form_->line()->rect().center()));
    QTRY_COMPARE(QApplication::widgetAt(QCursor::pos()), form_->line());
    QTest::keyClick(&form_->area, Qt::Key_Backspace);
    QCOMPARE(form_->meters(), usual);
    QCOMPARE(form_->steps(), steps + 1);
    // While a text is typed, Backspace is for it.
    form_->document.undoStack().undo();
    type(form_->count, "12", false);
    QTest::keyClick(form_->count, Qt::Key_Backspace);
    QCOMPARE(form_->meters(), kSpacing);
    QVERIFY(form_->count->text().startsWith('1'));
  }

  void theMenuResets() {
    const double usual = Project().crowds.front().spawn.spacingMeters;
    QContextMenuEvent event(QContextMenuEvent::Mouse, {5, 5},
                            form_->spacing->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(form_->spacing, &event);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QAction* reset = nullptr;
    for (QAction* action : menu->actions()) {
      if (action->text().contains("Reset")) reset = action;
    }
    QVERIFY(reset && reset->isEnabled());
    QVERIFY(reset->text().contains(QLocale().toString(usual, 'f', 2)));
    reset->trigger();
    QCOMPARE(form_->meters(), usual);
    menu->close();
  }

  void theWheelScrollsAndEditsOnlyWithTheFocus() {
    form_->slider->setFocusPolicy(Qt::StrongFocus);
    const QList<QWidget*> fields{form_->spacing, form_->line(), form_->count, form_->choice,
                                 form_->slider};
    const auto state = [this] {
      return QList<double>{form_->meters(),
                           double(form_->document.project().crowds.front().spawn.count),
                           double(form_->choice->currentIndex()), double(form_->slider->value())};
    };
    form_->choice->setCurrentIndex(1);
    const QList<double> before = state();
    QScrollBar* bar = form_->area.verticalScrollBar();
    for (QWidget* field : fields) {
      QVERIFY(!(field->focusPolicy() & 4));  // Qt::WheelFocus has this bit besides StrongFocus
      bar->setValue(0);
      wheel(field, -1);
      QCOMPARE(state(), before);
      QVERIFY2(bar->value() > 0, field->metaObject()->className());
    }
    bar->setValue(0);
    form_->choice->setFocus();
    wheel(form_->choice, -1);
    QCOMPARE(form_->choice->currentIndex(), 2);
    // Letters are for tools, arrows choose.
    QTest::keyClick(form_->choice, Qt::Key_A);
    QCOMPARE(form_->choice->currentIndex(), 2);
    QTest::keyClick(form_->choice, Qt::Key_Up);
    QCOMPARE(form_->choice->currentIndex(), 1);
    QTest::keyClick(form_->choice, Qt::Key_Down);
    form_->spacing->setFocus();
    wheel(form_->spacing, 1);
    QVERIFY(std::abs(form_->meters() - 2.1) < 1e-9);
    QCOMPARE(bar->value(), 0);
  }

 private:
  std::unique_ptr<FieldFilter> filter_;
  std::unique_ptr<Form> form_;
};

CK_TEST(tst_number_field, QApplication)
#include "tst_number_field.moc"
