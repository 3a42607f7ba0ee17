// The actions on actors as a whole, by keys and menus in the window.
#include <QClipboard>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/atlas_view/atlas_canvas.h"
#include "ui/atlas_view/atlas_panel.h"
#include "ui/clips/clips_panel.h"
#include "ui/windows/actor_menu.h"

using namespace ck::ui;
using ck::Actor;
using ck::Project;
using ck::test::WindowStage;
using Actors = std::vector<int>;

class tst_actor_menu : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    QVERIFY(stage_.activate());
    document_ = &stage_.window->document();
    selection_ = &stage_.window->selection();
    panel_ = &stage_.window->panel<ActorsPanel>();
    document_->edit("Ten", [](Project& p) {
      std::vector<Actor> actors(10);
      for (std::size_t i = 0; i < actors.size(); ++i) {
        actors[i].clip = int(i % 2);
        actors[i].position.x = 2.0f * float(i);
      }
      p.actors = ck::ActorList(actors);
      p.crowds.front().spawn.count = 10;
    });
  }
  void cleanupTestCase() { stage_.close(); }
  void init() {
    steps_ = document_->undoStack().index();
    selection_->set({2, 3});
  }
  void cleanup() { document_->undoStack().setIndex(steps_); }

  void keysWorkInTableAndView_data() {
    QTest::addColumn<bool>("inTable");
    QTest::newRow("table") << true;
    QTest::newRow("view") << false;
  }
  void keysWorkInTableAndView() {
    QFETCH(bool, inTable);
    QWidget* where = inTable ? static_cast<QWidget*>(&panel_->table()) : stage_.viewport;
    where->setFocus();
    QTRY_VERIFY(where->hasFocus());
    QTest::keyClick(where, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(count(), 12);
    QCOMPARE(selection_->actors(), (Actors{10, 11}));
    QTest::keyClick(where, Qt::Key_X, Qt::ControlModifier);
    QCOMPARE(count(), 10);
    QTest::keyClick(where, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(count(), 12);
    QTest::keyClick(where, Qt::Key_Delete);
    QCOMPARE(count(), 10);
    selection_->set({2, 3});
    QTest::keyClick(where, Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(where, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(count(), 12);
    QTest::keyClick(where, Qt::Key_H, Qt::ControlModifier);
    QVERIFY(!document_->project().actors[10].on && document_->project().actors[3].on);
    QTest::keyClick(where, Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(document_->project().actors[10].on);
    QTest::keyClick(where, Qt::Key_G, Qt::ControlModifier);
    QCOMPARE(document_->project().groups.size(), std::size_t{1});
    QTest::keyClick(where, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(document_->project().groups.empty());
  }

  // In a field the same keys are about its text.
  void keysOfTextStayInFields() {
    QLineEdit& filter = panel_->filterField();
    filter.setFocus();
    QTRY_VERIFY(filter.hasFocus());
    QTest::keyClicks(&filter, "idle");
    filter.selectAll();
    QTest::keyClick(&filter, Qt::Key_X, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QString("idle"));
    QTest::keyClick(&filter, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(filter.text(), QString("idle"));
    QTest::keyClick(&filter, Qt::Key_Home);
    QTest::keyClick(&filter, Qt::Key_Delete);
    QCOMPARE(filter.text(), QString("dle"));
    QCOMPARE(count(), 10);
    filter.clear();
  }

  void menusOfferWhatIsThere() {
    stage_.window->panels().raise(*panel_);
    const QScopedPointer<QMenu> row(panel_->makeRowMenu(panel_->model().sectionOf("Rate")));
    for (const char* text : {"&Duplicate", "De&lete", "&Paste actors", "Randomise Rate",
                             "Quantise Rate to 8 steps", "Copy values of Rate"}) {
      QVERIFY2(texts(*row).contains(text), text);
    }
    keepPicture(*row, "menu_row");
    const QScopedPointer<QMenu> header(panel_->makeHeaderMenu(panel_->model().sectionOf("Rate")));
    QVERIFY(texts(*header).contains("Reset columns"));
    QVERIFY(header->sizeHint().height() < 930);
    keepPicture(*header, "menu_header");
    for (const QAction* action : row->actions()) {
      QVERIFY2(action->isEnabled() || action->isSeparator() || !action->toolTip().isEmpty(),
               qPrintable(action->text()));
    }
  }

  void theMenuOfTheViewIsForTheActorThere() {
    auto* menu = stage_.window->findChild<ActorMenu*>();
    QVERIFY(menu);
    const auto ask = [&](int actor) {
      menu->showMenu(stage_.window->mapToGlobal(QPoint(500, 300)), actor);
      auto* shown = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      const QStringList all = shown ? texts(*shown) : QStringList();
      if (shown) shown->close();
      return all;
    };
    QVERIFY(ask(3).contains("&Duplicate"));
    QCOMPARE(selection_->actors(), (Actors{2, 3}));
    QVERIFY(ask(7).contains("&Duplicate"));
    QCOMPARE(selection_->actors(), (Actors{7}));
    QVERIFY(ask(-1).contains("&Duplicate"));
    QCOMPARE(selection_->actors(), (Actors{7}));
  }

  void selectMenuSelects() {
    trigger("Same &clip");
    QCOMPARE(count(), int(selection_->actors().size()));
    selection_->set({1});
    trigger("Same &clip");
    QCOMPARE(selection_->actors(), (Actors{1, 3, 5, 7, 9}));
    trigger("&Group");
    selection_->set({1});
    trigger("Same &group");
    QCOMPARE(selection_->actors(), (Actors{1, 3, 5, 7, 9}));
    trigger("H&idden");
    QVERIFY(selection_->actors().empty());
  }

  void groupsAreShown() {
    trigger("&Group");
    trigger("Gr&oups...");
    auto* dialog = stage_.window->findChild<QDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    keepPicture(*dialog, "dialog_groups");
    dialog->close();
  }

  // The texel's own words, and the frame that it belongs to.
  void theAtlasHasAMenu() {
    AtlasPanel& atlas = stage_.window->panel<AtlasPanel>();
    atlas.canvas().setCursorTexel({0, 9});
    const QScopedPointer<QMenu> menu(atlas.makeMenu());
    QAction* go = nullptr;
    for (QAction* action : menu->actions()) {
      if (action->text().startsWith("Go to frame 9 of")) go = action;
    }
    QVERIFY2(go && go->isEnabled(), qPrintable(texts(*menu).join("; ")));
    go->trigger();
    QVERIFY(std::abs(stage_.window->playback().shownFrame() - 9.0) < 1e-3);
    QVERIFY(go->text().endsWith(stage_.window->playback().shownClip()->name));
    menu->actions().front()->trigger();
    QVERIFY(QApplication::clipboard()->text().contains("frame 9"));
    keepPicture(*menu, "menu_atlas");
  }

  void clipsOfferTheirFit() {
    ClipsPanel& clips = stage_.window->panel<ClipsPanel>();
    clips.view().setCurrentIndex(clips.view().model()->index(1, 0));
    const QScopedPointer<QMenu> menu(clips.makeMenu());
    QVERIFY(texts(*menu).contains("Fit files..."));
    keepPicture(*menu, "menu_clips");
  }

  void resetLayoutHasRoomToo() {
    selection_->clear();
    stage_.window->panels().layOut();
    panel_->table().setCurrentIndex({});
    QTest::qWait(300);
    keepPicture(*stage_.window, "layout_reset");
    qInfo() << panel_->table().size() << panel_->size()
            << stage_.window->panel<AtlasPanel>().size();
  }

 private:
  int count() const { return int(document_->project().actors.size()); }
  static QStringList texts(const QMenu& menu) {
    QStringList all;
    for (const QAction* action : menu.actions()) all << action->text();
    return all;
  }
  void trigger(const QString& text) const {
    QAction* action = stage_.action(text);
    QVERIFY2(action && action->isEnabled(), qPrintable(text));
    action->trigger();
  }
  static void keepPicture(QWidget& widget, const char* name) {
    if (!widget.isVisible()) widget.adjustSize();
    QVERIFY(widget.grab().save(QString(CK_PICTURES_DIR "/%1.png").arg(QLatin1String(name))));
  }

  WindowStage stage_;
  Document* document_ = nullptr;
  Selection* selection_ = nullptr;
  ActorsPanel* panel_ = nullptr;
  int steps_ = 0;
};

CK_TEST(tst_actor_menu, ck::test::EditorApplication)
#include "tst_actor_menu.moc"
