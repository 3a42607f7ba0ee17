#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QHelpEvent>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/bake/verdict.h"
#include "ui/parts/field_filter.h"
#include "ui/parts/number_field.h"
#include "ui/parts/tool_tips.h"

using namespace ck::ui;

namespace {

void wheel(QWidget* widget, int notches) {
  const QPointF at = widget->rect().center();
  QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(widget, &event);
}

// The value that a field shows, whichever kind it is of.
QVariant shownBy(const QWidget* field) {
  if (const auto* box = qobject_cast<const QComboBox*>(field)) return box->currentIndex();
  if (const auto* box = qobject_cast<const QAbstractSpinBox*>(field)) return box->text();
  return static_cast<const QAbstractSlider*>(field)->value();
}

// The tool tip that Qt shows now, or null.
QLabel* shownToolTip() {
  for (QWidget* widget : QApplication::topLevelWidgets()) {
    if (widget->inherits("QTipLabel") && widget->isVisible()) return static_cast<QLabel*>(widget);
  }
  return nullptr;
}

}  // namespace

class tst_window_fields : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QLocale::setDefault(QLocale::c());
    QVERIFY(stage_.open());
    QVERIFY(stage_.activate());
  }
  void cleanupTestCase() { stage_.close(); }

  void theWheelEditsNoFieldWithoutTheFocus() {
    int fields = 0;
    for (QWidget* widget : stage_.window->findChildren<QWidget*>()) {
      if (wheelFieldOf(widget) != widget) continue;
      const QByteArray name =
          widget->metaObject()->className() + QByteArray(" ") + widget->accessibleName().toUtf8();
      widget->ensurePolished();
      QVERIFY2(widget->focusPolicy() != Qt::WheelFocus, name);
      stage_.viewport->setFocus();
      const ck::Project before = stage_.window->document().project();
      const QVariant shown = shownBy(widget);
      wheel(widget, 1);
      wheel(widget, -1);
      wheel(widget, -1);
      QVERIFY2(shownBy(widget) == shown, name);
      QVERIFY2(stage_.window->document().project() == before, name);
      QVERIFY2(!widget->hasFocus(), name);
      ++fields;
    }
    QVERIFY(fields > 20);
  }

  void everyNumberBoxIsANumberField() {
    for (QAbstractSpinBox* box : stage_.window->findChildren<QAbstractSpinBox*>()) {
      NumberField* field = numberFieldOf(box);
      QVERIFY2(field, qPrintable(box->accessibleName()));
      QVERIFY2(field->defaultNumber(), qPrintable(box->accessibleName()));
    }
  }

  void noToolTipIsTooWide() {
    int wide = 0;
    int all = 0;
    for (QWidget* widget : stage_.window->findChildren<QWidget*>()) {
      if (widget->toolTip().isEmpty()) continue;
      const QPoint at = widget->rect().center();
      QHelpEvent help(QEvent::ToolTip, at, stage_.window->mapToGlobal(QPoint(200, 200)));
      QApplication::sendEvent(widget, &help);
      const QLabel* tip = shownToolTip();
      // Views and menus have the tool tips of their items.
      if (!tip) continue;
      QVERIFY2(tip->width() <= kWidestToolTip,
               qPrintable(QString("%1: %2").arg(tip->width()).arg(widget->toolTip())));
      wide += narrowToolTip(widget->toolTip()) != widget->toolTip() ? 1 : 0;
      ++all;
      QToolTip::hideText();
      delete tip;
    }
    QVERIFY(all > 60);
    QVERIFY2(wide > 10, "the test sees none that would be too wide");
    for (QAction* action : stage_.window->findChildren<QAction*>()) {
      if (action->toolTip().isEmpty()) continue;
      showToolTip(stage_.window->mapToGlobal(QPoint(200, 200)), action->toolTip(), stage_.window);
      const QLabel* tip = shownToolTip();
      QVERIFY(tip);
      QVERIFY2(tip->width() <= kWidestToolTip, qPrintable(action->toolTip()));
    }
    QToolTip::hideText();
  }

  void aBrokenToolTipKeepsItsText() {
    const QString text = "First <line> & more\n" + QString("word ").repeated(60);
    const QString narrow = narrowToolTip(text);
    QVERIFY(narrow != text);
    QTextDocument document;
    document.setHtml(narrow);
    const QString plain = document.toPlainText().simplified();
    QCOMPARE(plain, text.simplified());
    QCOMPARE(narrowToolTip("Short"), QString("Short"));
  }

  void aClipFieldIsDraggedByItsLabel() {
    Document& document = stage_.window->document();
    QLabel* label = nullptr;
    for (QLabel* one : stage_.window->findChildren<QLabel*>()) {
      if (one->buddy() && one->buddy()->accessibleName() == "Rate of the clip") label = one;
    }
    QVERIFY(label && label->isVisible());
    const auto rate = [&] { return document.project().characters.front().clips.front().edit.rate; };
    QCOMPARE(rate(), 1.0);
    const int steps = document.undoStack().index();
    const auto drag = [&](int pixels) {
      const QPoint from = label->rect().center();
      QTest::mousePress(label, Qt::LeftButton, {}, from);
      for (const int x : {pixels / 2, pixels}) {
        const QPoint at = from + QPoint(x, 0);
        QMouseEvent move(QEvent::MouseMove, at, label->mapToGlobal(at), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(label, &move);
      }
    };
    drag(40);
    // Ten steps of 0.05.
    QVERIFY(std::abs(rate() - 1.5) < 1e-9);
    QTest::keyClick(stage_.window, Qt::Key_Escape);
    QTest::mouseRelease(label, Qt::LeftButton);
    QCOMPARE(rate(), 1.0);
    QCOMPARE(document.undoStack().index(), steps);
    drag(-40);
    QTest::mouseRelease(label, Qt::LeftButton);
    QVERIFY(std::abs(rate() - 0.5) < 1e-9);
    QCOMPARE(document.undoStack().index(), steps + 1);
    document.undoStack().undo();
    QCOMPARE(rate(), 1.0);
  }

  void theFiguresOfABakeAreInSightInTheSmallestWindow() {
    stage_.window->resize(1024, 640);
    // The panels are arranged anew when the window has its size.
    auto* clips = stage_.window->findChild<QDockWidget*>("clips");
    const auto tabs = [&] { return stage_.window->tabifiedDockWidgets(clips).size(); };
    QTRY_VERIFY(tabs() >= 3);
    for (const char* name : {"bake", "atlas"}) {
      auto* dock = stage_.window->findChild<QDockWidget*>(name);
      QVERIFY2(dock, name);
      dock->raise();
      QTRY_VERIFY(!dock->widget()->visibleRegion().isEmpty());
      for (VerdictLine* line : dock->findChildren<VerdictLine*>()) {
        QTRY_COMPARE(line->visibleRegion().boundingRect(), line->rect());
      }
      QCoreApplication::processEvents();
      stage_.window->grab().save(QStringLiteral(CK_PICTURES_DIR "/fields-%1.png").arg(name));
    }
    stage_.window->resize(1600, 960);
  }

 private:
  ck::test::WindowStage stage_;
};

CK_TEST(tst_window_fields, ck::test::EditorApplication)
#include "tst_window_fields.moc"
