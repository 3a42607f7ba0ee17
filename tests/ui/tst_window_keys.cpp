#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QRubberBand>
#include <QSpinBox>
#include <QTest>
#include <QTreeView>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/clips/clip_model.h"
#include "ui/clips/clips_panel.h"
#include "ui/history/history_panel.h"
#include "ui/parts/fold.h"
#include "ui/parts/panel_parts.h"
#include "ui/parts/scrub_drag.h"
#include "ui/start/start_page.h"
#include "ui/tools/brush_bar.h"
#include "ui/tools/crowd_tools.h"
#include "ui/tools/gizmo_tool.h"
#include "ui/viewport/notification_bar.h"
#include "ui/windows/status_strip.h"

using namespace ck::ui;
using ck::Actor;
using ck::Project;
using Actors = std::vector<int>;

// Keys, drags and messages where several parts of the window take part in them.
class tst_window_keys : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    viewport_ = stage_.viewport;
    document_ = &window_->document();
    panel_ = &window_->panel<ActorsPanel>();
  }
  void cleanupTestCase() { stage_.close(); }
  void init() {
    QVERIFY(stage_.activate());
    window_->panels().raise(*panel_);
    window_->playback().setPlaying(false);
    steps_ = document_->undoStack().index();
  }
  void cleanup() {
    panel_->filterField().clear();
    document_->undoStack().setIndex(steps_);
    NotificationBar& bar = window_->viewportFrame().notifications();
    while (bar.current()) bar.closeCurrent();
  }

  void toolKeysWorkInTheTable() {
    ActorTable& table = panel_->table();
    const Project before = document_->project();
    table.setCurrentIndex(table.model()->index(2, panel_->model().sectionOf("Clip")));
    table.setFocus();
    QTRY_VERIFY(table.hasFocus());
    const struct {
      Qt::Key key;
      GizmoMode mode;
    } all[] = {{Qt::Key_W, GizmoMode::Move},
               {Qt::Key_E, GizmoMode::Turn},
               {Qt::Key_R, GizmoMode::Scale},
               {Qt::Key_Q, GizmoMode::Select}};
    for (const auto& [key, mode] : all) {
      QTest::keyClick(&table, key);
      QCOMPARE(viewport_->findChild<GizmoTool*>()->mode(), mode);
      QVERIFY(!table.indexWidget(table.currentIndex()));
    }
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, {5, 300});
    QCOMPARE(document_->project().actors, before.actors);
  }

  // Dealing with the old spacing again would give other actors.
  void escOfASpacingDragRestoresTheCrowd() {
    document_->edit("By hand", [](Project& p) {
      Actor one = p.actors[3];
      one.position.x += 0.3f;
      one.byHand = true;
      p.actors.set(3, one);
      p.crowds.front().spawn.formation = ck::Formation::Scatter;
    });
    document_->edit("Later", [](Project& p) { p.randomSeed = 77; });
    document_->undoStack().undo();
    const Project before = document_->project();
    const int index = document_->undoStack().index();
    for (const char* name : {"Spacing", "Number of actors", "Seed", "Centre X"}) {
      QWidget* line = nullptr;
      for (QAbstractSpinBox* box : panel_->spawnBar().findChildren<QAbstractSpinBox*>()) {
        if (box->accessibleName() == name) line = box->findChild<QLineEdit*>();
      }
      QVERIFY2(line, name);
      drag(*line, 60);
      QVERIFY2(!(document_->project() == before), name);
      QTest::keyClick(window_, Qt::Key_Escape);
      QTest::mouseRelease(line, Qt::LeftButton);
      QVERIFY2(document_->project() == before, name);
      QCOMPARE(document_->undoStack().index(), index);
      QCOMPARE(document_->undoStack().redoText(), QString("Later"));
    }
  }

  void messagesOfActorsGoWithTheirCause() {
    NotificationBar& bar = window_->viewportFrame().notifications();
    viewport_->setFocus();
    QApplication::clipboard()->setText("nothing of the kind");
    QCoreApplication::processEvents();
    stage_.action("&Paste actors")->trigger();
    QVERIFY(bar.current());
    document_->edit("Else", [](Project& p) { ++p.randomSeed; });
    QVERIFY(!bar.current());
    stage_.action("&Paste actors")->trigger();
    QVERIFY(bar.current());
    QApplication::clipboard()->setText("another text");
    QTRY_VERIFY(!bar.current());
    // Of a paste that was undone.
    window_->selection().set({1});
    stage_.action("&Copy actors")->trigger();
    QString text = QApplication::clipboard()->text();
    const QString clip =
        QString::fromStdString(document_->project()
                                   .characters[0]
                                   .clips[std::size_t(document_->project().actors[1].clip)]
                                   .name);
    QVERIFY(text.contains('"' + clip + '"'));
    QApplication::clipboard()->setText(text.replace('"' + clip + '"', "\"of another rig\""));
    QCoreApplication::processEvents();
    stage_.action("&Paste actors")->trigger();
    QVERIFY(bar.current());
    QVERIFY2(bar.current()->text.startsWith("The actor plays 'of another rig'"),
             qPrintable(bar.current()->text));
    document_->edit("Else", [](Project& p) { ++p.randomSeed; });
    QVERIFY(bar.current());
    document_->undoStack().undo();
    QVERIFY(bar.current());
    document_->undoStack().undo();
    QVERIFY(!bar.current());
  }

  void aMessageLeavesRoomForItsText() {
    NotificationBar& bar = window_->viewportFrame().notifications();
    const QSize before = window_->size();
    bar.push({Notice::Level::Warning,
              "humanoid.glb was saved by a later Crowdkiln, so what this one does not know stays.",
              {{"Open anyway", [] {}}, {"Open a copy", [] {}}, {"Save as...", [] {}}}});
    auto* text = bar.findChild<QLabel*>("noticeText");
    QVERIFY(text);
    for (const int width : {1024, 1600}) {
      window_->resize(width, 700);
      QCoreApplication::processEvents();
      QTRY_VERIFY2(text->width() >= qMin(320, bar.width() - 110),
                   qPrintable(QString("%1 of %2").arg(text->width()).arg(bar.width())));
      for (QPushButton* button : bar.findChildren<QPushButton*>()) {
        QTRY_VERIFY(bar.rect().contains(button->geometry()));
        QVERIFY(!text->geometry().intersects(button->geometry()));
      }
      picture(QString("notice_%1").arg(width));
    }
    window_->resize(before);
  }

  void aBoxThatIsDrawnGoes() {
    window_->selection().set({0});
    const QPoint from(4, viewport_->height() - 4);
    const auto box = [&] { return viewport_->findChild<QRubberBand*>(); };
    QTest::mousePress(viewport_, Qt::LeftButton, {}, from);
    move(*viewport_, from + QPoint(60, -60));
    QVERIFY(box());
    viewport_->setFocus();
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QVERIFY(!box());
    move(*viewport_, from + QPoint(90, -90));
    QVERIFY(!box());
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, from + QPoint(90, -90));
    QCOMPARE(window_->selection().actors(), Actors{0});
    // A view that stands still is painted anew when the box goes.
    QTest::mousePress(viewport_, Qt::LeftButton, {}, from);
    move(*viewport_, from + QPoint(60, -60));
    QCoreApplication::processEvents();
    QSignalSpy painted(viewport_, &ViewportWidget::framePainted);
    QTest::mouseRelease(viewport_, Qt::LeftButton, Qt::ShiftModifier, from + QPoint(60, -60));
    QTRY_VERIFY(painted.count() > 0);
    QVERIFY(!box());
  }

  void allMeansAllThatTheFilterShows() {
    panel_->filterField().setText(
        "clip:" + QString::fromStdString(ck::titleOf(document_->project().characters[0].clips[0])));
    const int shown = panel_->table().model()->rowCount();
    const int all = int(document_->project().actors.size());
    QVERIFY(shown > 0 && shown < all);
    viewport_->setFocus();
    stage_.action("Select &all")->trigger();
    QCOMPARE(int(window_->selection().actors().size()), shown);
    QVERIFY2(window_->panel<StatusStrip>().reported().contains(
                 QString("%1 of %2 selected").arg(shown).arg(all)),
             qPrintable(window_->panel<StatusStrip>().reported()));
    panel_->filterField().clear();
    stage_.action("Select &all")->trigger();
    QCOMPARE(int(window_->selection().actors().size()), all);
  }

  void anUndoneDeletionSelectsItsActors() {
    window_->selection().set({2, 5});
    stage_.action("De&lete")->trigger();
    QVERIFY(window_->selection().actors().empty());
    QVERIFY(window_->panel<StatusStrip>().reported().startsWith("Deleted 2 actors"));
    document_->undoStack().undo();
    QCOMPARE(window_->selection().actors(), (Actors{2, 5}));
    QVERIFY(!window_->panel<StatusStrip>().reported().startsWith("Deleted"));
    document_->undoStack().redo();
    QVERIFY(window_->selection().actors().empty());
    document_->undoStack().undo();
    QCOMPARE(window_->selection().actors(), (Actors{2, 5}));
  }

  void aChoiceByMouseGivesTheFocusToTheView() {
    auto* box = panel_->spawnBar().findChild<QComboBox*>();
    QVERIFY(box && box->accessibleName() == "Formation");
    const auto choose = [&](int row) {
      box->setFocus();
      box->showPopup();
      QAbstractItemView* list = box->view();
      QTRY_VERIFY(list->isVisible());
      // A list that has just opened takes no release.
      QTest::qWait(QApplication::doubleClickInterval() + 50);
      const QPoint at = list->visualRect(list->model()->index(row, 0)).center();
      QTest::mousePress(list->viewport(), Qt::LeftButton, {}, at);
      QTest::mouseRelease(list->viewport(), Qt::LeftButton, {}, at);
      QTRY_VERIFY(!list->isVisible());
    };
    choose(2);
    QCOMPARE(box->currentIndex(), 2);
    QTRY_VERIFY(viewport_->hasFocus());
    // By keys it stays.
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(box->currentIndex(), 3);
    QCoreApplication::processEvents();
    QVERIFY(box->hasFocus());
    viewport_->setFocus();
  }

  void spaceOverTheViewPlays() {
    auto& clips = window_->panel<ClipsPanel>();
    window_->panels().raise(clips);
    QTreeView& list = clips.view();
    QVERIFY(list.model()->rowCount() > 2);
    const QModelIndex third = list.model()->index(2, ClipModel::Name);
    const auto isTicked = [&](int row) { return clips.model().clip(row).ticked; };
    list.setCurrentIndex(list.model()->index(0, 0));
    // A click on the tick box, which makes its row the current one.
    const bool was = isTicked(2);
    QStyleOptionViewItem option;
    option.initFrom(&list);
    option.rect = list.visualRect(third);
    option.features = QStyleOptionViewItem::HasCheckIndicator;
    const QRect tick =
        list.style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, &list);
    QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, tick.center());
    QCOMPARE(isTicked(2), !was);
    QCOMPARE(list.currentIndex().row(), 2);
    QTRY_COMPARE(list.currentIndex().row(), 2);
    list.setFocus();
    QTRY_VERIFY(list.hasFocus());
    move(*viewport_, viewport_->rect().center(), Qt::NoButton);
    const Project before = document_->project();
    QTest::keyClick(list.windowHandle() ? list.windowHandle() : window_->windowHandle(),
                    Qt::Key_Space);
    QTRY_VERIFY(window_->playback().isPlaying());
    QCOMPARE(document_->project(), before);
    QVERIFY(viewport_->hasFocus());
    window_->playback().setPlaying(false);
    // After a key press elsewhere, Space belongs to the list again.
    list.setFocus();
    move(*viewport_, viewport_->rect().center() + QPoint(3, 3), Qt::NoButton);
    QTest::keyClick(&list, Qt::Key_Down);
    QTest::keyClick(&list, Qt::Key_Space);
    QVERIFY(!window_->playback().isPlaying());
    QVERIFY(!(document_->project() == before));
  }

  void noFieldOrNoteOfAFormationIsCut() {
    SpawnBar& spawn = panel_->spawnBar();
    Fold::reveal(spawn);
    document_->edit("By hand", [](Project& p) {
      Actor one = p.actors[0];
      one.byHand = true;
      p.actors.set(0, one);
      p.crowds.front().spawn.path = {{0.0f, 0.0f}, {3.0f, 0.0f}};
    });
    for (const ck::Formation formation :
         {ck::Formation::Grid, ck::Formation::Circle, ck::Formation::Path}) {
      spawn.setFormation(formation);
      QCoreApplication::processEvents();
      for (QAbstractSpinBox* box : spawn.findChildren<QAbstractSpinBox*>()) {
        if (!box->isVisible() || box->accessibleName() != "Heading") continue;
        const auto* line = box->findChild<QLineEdit*>();
        QVERIFY(line->text().endsWith(QString::fromUtf8("°")));
        QVERIFY(line->fontMetrics().horizontalAdvance(line->text()) + 4 <= line->width());
      }
      int notes = 0;
      for (const QLabel* label : spawn.findChildren<QLabel*>()) {
        if (!label->isVisible() || !label->wordWrap()) continue;
        QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
        ++notes;
      }
      QCOMPARE(notes, 1);
      picture(QString("formation_%1").arg(int(formation)));
    }
  }

  void rowsOfTheHistoryAreAsHighAsOthers() {
    HistoryPanel& history = window_->panel<HistoryPanel>();
    document_->edit("Something", [](Project& p) { ++p.randomSeed; });
    window_->panels().raise(history);
    for (int row = 0; row < history.model()->rowCount(); ++row) {
      QCOMPARE(history.visualRect(history.model()->index(row, 0)).height(), kListRowPixels);
    }
    picture("history_rows");
  }

  void theFieldsOfTheBrushKeepTheirPlaces() {
    auto* tools = viewport_->findChild<CrowdTools*>();
    tools->setBrushing(true);
    QCoreApplication::processEvents();
    const QRect bar = tools->bar().geometry();
    QHash<QWidget*, QPoint> places;
    const auto buttons = tools->bar().findChildren<QToolButton*>();
    for (QToolButton* one : buttons) places[one] = one->mapTo(window_, QPoint());
    for (const ck::BrushMode mode : ck::kBrushModes) {
      ck::BrushSettings settings = tools->brush().settings();
      settings.mode = mode;
      tools->brush().setSettings(settings);
      QCoreApplication::processEvents();
      QCOMPARE(tools->bar().geometry(), bar);
      QVERIFY(viewport_->rect().contains(bar));
      for (QToolButton* one : buttons) QCOMPARE(one->mapTo(window_, QPoint()), places[one]);
      picture(QString("brush_bar_%1").arg(brushModeTitle(mode)));
    }
    tools->brush().setSettings({});
    tools->setBrushing(false);
  }

  // The last one: the rig is gone afterwards.
  void messagesStandAboveTheStartPageAndGoWithTheirProject() {
    NotificationBar& bar = window_->viewportFrame().notifications();
    bar.push({Notice::Level::Warning, "About this project alone.", {}});
    bar.push(
        {Notice::Level::Warning, "About something that is still so.", {}, [] { return true; }});
    document_->replace(Project(), {});
    QVERIFY(bar.current());
    QCOMPARE(bar.current()->text, QString("About something that is still so."));
    bar.closeCurrent();
    QVERIFY(!bar.current());
    StartPage& page = window_->viewportFrame().startPage();
    QTRY_VERIFY(page.isVisible());
    QCOMPARE(page.y(), 0);
    bar.push({Notice::Level::Warning,
              "Recovered unsaved work of plaza.crowd from 17:58",
              {{"Open", [] {}}, {"Discard", [] {}}, {"Later", [] {}}}});
    QTRY_VERIFY(page.y() >= bar.geometry().bottom());
    QCoreApplication::processEvents();
    for (QPushButton* button : bar.findChildren<QPushButton*>()) QVERIFY(button->isVisible());
    picture("notice_start");
    bar.closeCurrent();
    QTRY_COMPARE(page.y(), 0);
  }

 private:
  static void move(QWidget& widget, const QPoint& at, Qt::MouseButton held = Qt::LeftButton) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, held, {});
    QApplication::sendEvent(&widget, &event);
  }
  static void drag(QWidget& handle, int pixels) {
    const QPoint from = handle.rect().center();
    QTest::mousePress(&handle, Qt::LeftButton, {}, from);
    for (const int share : {1, 2, 3}) move(handle, from + QPoint(pixels * share / 3, 0));
  }
  void picture(const QString& name) {
    window_->grab().save(QString(CK_PICTURES_DIR "/keys_%1.png").arg(name));
  }

  ck::test::WindowStage stage_;
  MainWindow* window_ = nullptr;
  ViewportWidget* viewport_ = nullptr;
  Document* document_ = nullptr;
  ActorsPanel* panel_ = nullptr;
  int steps_ = 0;
};

CK_TEST(tst_window_keys, ck::test::EditorApplication)
#include "tst_window_keys.moc"
