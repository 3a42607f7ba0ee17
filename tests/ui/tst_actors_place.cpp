#include <QHeaderView>
#include <QMenu>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/column_choice.h"
#include "ui/document/selection.h"
#include "ui/start/drop_overlay.h"
#include "ui/windows/main_window.h"

using namespace ck::ui;

// The rows of actors stay where they are when one is clicked, and enough of them are seen.
class tst_actors_place : public QObject {
  Q_OBJECT

  ck::test::WindowStage stage_;

  ActorsPanel& panel() { return stage_.window->panel<ActorsPanel>(); }
  ActorTable& table() { return panel().table(); }
  // Where a row is in the window.
  QRect place(int row) {
    const QRect cell = table().visualRect(table().model()->index(row, 0));
    return {table().viewport()->mapTo(stage_.window, cell.topLeft()), cell.size()};
  }
  int rowsSeen() {
    return table().viewport()->height() / table().verticalHeader()->defaultSectionSize();
  }
  void save(const char* name) {
    QTest::qWait(50);
    stage_.window->grab().save(QStringLiteral(CK_PICTURES_DIR "/%1.png").arg(name));
  }
  void select(const std::vector<int>& actors) {
    stage_.window->selection().set(actors);
    QTest::qWait(600);
  }

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    QVERIFY(stage_.activate());
    stage_.window->document().edit("More", [](ck::Project& project) {
      std::vector<ck::Actor> actors(60, project.actors[0]);
      project.actors = ck::ActorList(actors);
    });
  }

  void aClickMovesNoRow() {
    const int usual = QApplication::doubleClickInterval();
    QApplication::setDoubleClickInterval(2500);  // longer than a slow machine needs for a frame
    select({});
    const int last = rowsSeen() - 1;  // the fields will cover it
    for (const int row : {2, last}) {
      select({});
      const QRect before = place(row);
      const QPoint at = table().visualRect(table().model()->index(row, 1)).center();
      QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
      QTest::qWait(50);
      QCOMPARE(stage_.window->selection().actors(), std::vector<int>{row});
      QCOMPARE(place(row), before);
      QTRY_VERIFY(rowsSeen() <= last);
      // It is seen where the fields have taken its place.
      QTRY_VERIFY(table().viewport()->rect().contains(
          table().visualRect(table().model()->index(row, 0)).center()));
      if (row == 2) QCOMPARE(place(row), before);
      table().scrollToTop();
    }
    QApplication::setDoubleClickInterval(usual);
  }

  void theFirstDoubleClickEdits() {
    select({});
    const int column = panel().model().sectionOf("Offset");
    const QPoint at = table().visualRect(table().model()->index(3, column)).center();
    QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, at);
    auto* edit = table().viewport()->findChild<QWidget*>();
    QVERIFY(edit && edit->isVisible());
    QTest::qWait(700);
    QVERIFY(edit->isVisible());
    QTest::keyClick(edit, Qt::Key_Escape);
  }

  void enoughRowsAreSeen() {
    QCOMPARE(stage_.window->size(), QSize(1600, 960));
    select({});
    QVERIFY2(rowsSeen() >= 20, qPrintable(QString::number(rowsSeen())));
    select({3});
    for (QToolButton* button : panel().findChildren<QToolButton*>("chip")) {
      button->setChecked(true);
    }
    QTest::qWait(100);
    save("actors-all-fields");
    QVERIFY(panel().findChild<QWidget*>("fields")->isVisible());
    QVERIFY(panel().findChild<QWidget*>("fields")->height() >= 64);
    QVERIFY2(rowsSeen() >= 12, qPrintable(QString::number(rowsSeen())));
    for (QToolButton* button : panel().findChildren<QToolButton*>("chip")) {
      button->setChecked(button->text() == "Clip");
    }
  }

  void columnsAreTickedWithoutClosingTheMenu() {
    const std::unique_ptr<QMenu> menu(panel().makeHeaderMenu(1));
    menu->popup(QPoint(100, 100));
    QVERIFY(QTest::qWaitForWindowExposed(menu.get()));
    for (const char* title : {"Rate", "Loop"}) {
      const int section = panel().model().sectionOf(title);
      for (QAction* action : menu->actions()) {
        if (action->text() != title || !action->isCheckable()) continue;
        const QPoint at = menu->actionGeometry(action).center();
        QTest::mouseMove(menu.get(), at);
        QTest::mouseClick(menu.get(), Qt::LeftButton, {}, at);
      }
      QVERIFY(table().isColumnHidden(section));
      QVERIFY(menu->isVisible());
    }
    table().columns().reset();
  }

  void aDragThatCannotBeReadSaysWhy() {
    QTemporaryDir folder;
    QFile file(folder.filePath("notes.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    DropOverlay& overlay = stage_.window->viewportFrame().dropOverlay();
    for (const QString& path : {file.fileName(), folder.path()}) {
      QMimeData data;
      data.setUrls({QUrl::fromLocalFile(path)});
      QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(stage_.window, &enter);
      QVERIFY(overlay.isVisible());
      QVERIFY(overlay.choices().empty());
      QVERIFY(enter.dropAction() == Qt::IgnoreAction);
      QVERIFY2(overlay.heading().contains(path == folder.path() ? "is a folder" : "notes.txt"),
               qPrintable(overlay.heading()));
      save("drop-refused");
      QDragLeaveEvent leave;
      QApplication::sendEvent(stage_.window, &leave);
      QVERIFY(!overlay.isVisible());
    }
    // Files that will not be read are not counted.
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file.fileName()), QUrl::fromLocalFile("/a/hero.glb"),
                  QUrl::fromLocalFile("/a/walk.fbx")});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(stage_.window, &enter);
    QCOMPARE(overlay.heading(), QString("hero.glb and 1 more (without 1 other)"));
    QDragLeaveEvent leave;
    QApplication::sendEvent(stage_.window, &leave);
  }
};

CK_TEST(tst_actors_place, ck::test::EditorApplication)
#include "tst_actors_place.moc"
