// Offsets and rates of many selected actors, by mouse and keyboard in the whole window, and the
// room that the table has.
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/parts/number_edit.h"
#include "ui/parts/scrub_drag.h"

using namespace ck::ui;
using ck::Actor;
using ck::Project;
using ck::test::WindowStage;

class tst_flow_offsets : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    QVERIFY(stage_.activate());
    document_ = &stage_.window->document();
    panel_ = &stage_.window->panel<ActorsPanel>();
    // 2,500 actors, every fifth of which plays the second clip.
    document_->edit("Crowd", [](Project& p) {
      std::vector<Actor> actors(2500);
      for (std::size_t i = 0; i < actors.size(); ++i) {
        actors[i].clip = i % 5 == 0 ? 1 : 0;
        actors[i].position = {float(i % 50), 0.0f, float(i / 50)};
        actors[i].offset = 0.25f;
      }
      p.actors = ck::ActorList(actors);
    });
    clip_ = QString::fromStdString(ck::titleOf(ck::clipsOf(document_->project(), 0)[1]));
  }
  void cleanupTestCase() { stage_.close(); }

  void theTableHasRoom_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("rowsOfSelected");
    QTest::newRow("usual") << QSize(1600, 960) << 20 << 8;
    QTest::newRow("small") << QSize(1024, 640) << 5 << 2;
  }
  void theTableHasRoom() {
    QFETCH(QSize, size);
    QFETCH(int, rows);
    QFETCH(int, rowsOfSelected);
    lay(size);
    stage_.window->selection().clear();
    QTRY_VERIFY2(rowsInSight() >= rows, qPrintable(QString::number(rowsInSight())));
    keepPicture("actors_none");
    stage_.window->selection().set({3, 7, 11});
    QTRY_VERIFY2(rowsInSight() >= rowsOfSelected, qPrintable(QString::number(rowsInSight())));
    keepPicture("actors_some");
  }

  void offsetsAndRatesOfFiveHundred_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1600, 960);
    QTest::newRow("small") << QSize(1024, 640);
  }
  void offsetsAndRatesOfFiveHundred() {
    QFETCH(QSize, size);
    lay(size);
    const Project start = document_->project();
    const int steps = document_->undoStack().index();
    // 1. The filter; Enter selects what it shows.
    QTest::mouseClick(&panel_->filterField(), Qt::LeftButton);
    QTest::keyClicks(&panel_->filterField(), "clip:" + clip_);
    QTest::keyClick(&panel_->filterField(), Qt::Key_Return);
    QCOMPARE(stage_.window->selection().actors().size(), std::size_t{500});
    QTRY_VERIFY(says("500 of 2,500 selected"));

    // 2. Random offsets, a ramp in the order of the table, and what is there changed.
    type("Offset", "R(0,1)");
    QCOMPARE(document_->undoStack().index(), steps + 1);
    QCOMPARE(document_->undoStack().undoText(), QString("Offset of 500 actors"));
    float low = 1.0f, high = 0.0f;
    eachChosen([&](const Actor& one) {
      low = std::min(low, one.offset);
      high = std::max(high, one.offset);
    });
    QVERIFY(low >= 0.0f && low < 0.02f && high > 0.98f && high < 1.0f);
    QVERIFY(field("Offset").placeholderText().startsWith("mixed"));
    type("Offset", "L(0,1)");
    QCOMPARE(document_->project().actors[0].offset, 0.0f);
    QCOMPARE(document_->project().actors[5].offset, float(1.0 / 499.0));
    QCOMPARE(document_->project().actors[2495].offset, 1.0f);
    type("Offset", "*0.5");
    QCOMPARE(document_->project().actors[2495].offset, 0.5f);
    type("Offset", "+=0.1");
    QCOMPARE(document_->project().actors[2495].offset, 0.6f);
    QCOMPARE(document_->undoStack().index(), steps + 4);
    // A wrong text is marked and changes nothing.
    type("Offset", "R(1");
    QVERIFY(field("Offset").property("wrong").toBool());
    QCOMPARE(document_->undoStack().index(), steps + 4);
    QTest::keyClick(&field("Offset"), Qt::Key_Escape);
    QVERIFY(!field("Offset").property("wrong").toBool());

    // 3. The rate by its label: all by the same, what is mixed stays mixed.
    type("Rate", "L(0.9,1.1)");
    QLabel& handle = labelOf("Rate");
    dragBy(handle, 40);
    QVERIFY(std::abs(document_->project().actors[0].rate - 1.4f) < 1e-5f);
    QVERIFY(std::abs(document_->project().actors[2495].rate - 1.6f) < 1e-5f);
    QTest::mouseRelease(&handle, Qt::LeftButton, {}, handle.rect().center() + QPoint(40, 0));
    QCOMPARE(document_->undoStack().index(), steps + 6);
    dragBy(handle, -80);
    QTest::keyClick(stage_.window, Qt::Key_Escape);
    QTest::mouseRelease(&handle, Qt::LeftButton, {}, handle.rect().center() - QPoint(80, 0));
    QVERIFY(std::abs(document_->project().actors[0].rate - 1.4f) < 1e-5f);
    QCOMPARE(document_->undoStack().index(), steps + 6);
    QCOMPARE(stage_.window->selection().actors().size(), std::size_t{500});

    // 4. Eight steps, by the menu of the label.
    QContextMenuEvent ask(QContextMenuEvent::Mouse, QPoint(2, 2),
                          labelOf("Offset").mapToGlobal(QPoint(2, 2)));
    QApplication::sendEvent(&labelOf("Offset"), &ask);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    for (QAction* action : menu->actions()) {
      if (action->text() == "Quantise Offset to 8 steps") action->trigger();
    }
    menu->close();
    eachChosen(
        [](const Actor& one) { QCOMPARE(one.offset * 8.0f, std::round(one.offset * 8.0f)); });

    // No other actor has changed, and all is undone step by step.
    for (std::size_t i = 0; i < 2500; ++i) {
      if (i % 5 != 0) QVERIFY(document_->project().actors[i] == start.actors[i]);
    }
    document_->undoStack().setIndex(steps);
    QVERIFY(document_->project() == start);
    panel_->filterField().clear();
    stage_.window->selection().clear();
    // Without a selection a line says what to do.
    QTRY_VERIFY(says("Select actors to edit them, or double-click a cell"));
    QVERIFY(!field("Offset").isVisible());
  }

 private:
  void lay(const QSize& size) {
    stage_.window->resize(size);
    QTRY_COMPARE(stage_.window->size(), size);
    stage_.window->panels().raise(*panel_);
    QTRY_VERIFY(panel_->isVisible() && panel_->table().isVisible());
  }
  void keepPicture(const char* name) {
    const QString file =
        QString(CK_PICTURES_DIR "/%1_%2.png").arg(QLatin1String(name)).arg(stage_.window->width());
    QVERIFY(stage_.window->grab().save(file));
  }
  // Rows that are in sight as a whole.
  int rowsInSight() const {
    const ActorTable& table = panel_->table();
    const QRect sight = table.viewport()->rect();
    int count = 0;
    for (int row = table.rowAt(1); row >= 0 && row < table.model()->rowCount(); ++row) {
      const int top = table.rowViewportPosition(row);
      if (top + table.rowHeight(row) > sight.height()) break;
      count += top >= 0 ? 1 : 0;
    }
    return count;
  }
  bool says(const QString& text) const {
    for (const QLabel* label : panel_->findChildren<QLabel*>()) {
      if (label->isVisible() && label->text() == text) return true;
    }
    return false;
  }
  NumberEdit& field(const QString& name) const {
    for (NumberEdit* edit : panel_->findChildren<NumberEdit*>()) {
      if (edit->accessibleName() == name) return *edit;
    }
    qFatal("no field %s", qPrintable(name));
  }
  QLabel& labelOf(const QString& name) const {
    for (QLabel* one : panel_->findChildren<QLabel*>()) {
      const QWidget* buddy = one->buddy();
      while (buddy && buddy->focusProxy()) buddy = buddy->focusProxy();
      if (buddy == &field(name)) return *one;
    }
    qFatal("no label of %s", qPrintable(name));
  }
  void type(const QString& name, const QString& text) {
    NumberEdit& edit = field(name);
    QVERIFY(edit.isVisible());
    QTest::mouseDClick(&edit, Qt::LeftButton);
    edit.selectAll();
    QTest::keyClicks(&edit, text);
    QTest::keyClick(&edit, Qt::Key_Return);
  }
  static void dragBy(QWidget& handle, int pixels) {
    const QPoint from = handle.rect().center();
    QTest::mousePress(&handle, Qt::LeftButton, {}, from);
    for (const int share : {1, 2, 3, 4}) {
      const QPoint at = from + QPoint(pixels * share / 4, 0);
      QMouseEvent move(QEvent::MouseMove, at, handle.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                       {});
      QApplication::sendEvent(&handle, &move);
    }
  }
  template <class Each>
  void eachChosen(const Each& each) const {
    for (std::size_t i = 0; i < 2500; i += 5) each(document_->project().actors[i]);
  }

  WindowStage stage_;
  Document* document_ = nullptr;
  ActorsPanel* panel_ = nullptr;
  QString clip_;
};

CK_TEST(tst_flow_offsets, ck::test::EditorApplication)
#include "tst_flow_offsets.moc"
