#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QDirIterator>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>

#include "core/export/atlas_folder.h"
#include "core/export/set/atlas_export.h"
#include "core/export/targets/impostor_folder.h"
#include "core/project/project_json.h"
#include "core/system/files.h"
#include "render/scene/camera.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/files/export_dialog.h"
#include "ui/files/export_report.h"
#include "ui/files/project_export.h"
#include "ui/parts/number_edit.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/viewport_frame.h"
#include "ui/windows/dialogs.h"
#include "ui/windows/main_window.h"
#include "ui/windows/status_strip.h"

using namespace ck::ui;
using ck::Project;
using ck::test::humanoid;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

namespace {

// Names of widgets that take the focus but say nothing to a screen reader.
QStringList unnamed(QWidget& window) {
  QStringList found;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible()) continue;
    QAccessibleInterface* access = QAccessible::queryAccessibleInterface(widget);
    if (access && access->text(QAccessible::Name).isEmpty()) {
      found << QStringLiteral("%1 in %2")
                   .arg(widget->metaObject()->className(),
                        widget->parentWidget()->metaObject()->className());
    }
  }
  return found;
}

// Texts of visible labels that are wider than their labels.
QStringList cutLabels(QWidget& parent) {
  QStringList found;
  for (QLabel* label : parent.findChildren<QLabel*>()) {
    if (!label->isVisible() || label->visibleRegion().isEmpty() || label->wordWrap()) continue;
    if (label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) continue;
    if (label->width() < label->sizeHint().width()) found << label->text();
  }
  for (QAbstractButton* button : parent.findChildren<QAbstractButton*>()) {
    if (!button->isVisible() || button->visibleRegion().isEmpty() || button->text().isEmpty())
      continue;
    if (button->width() < button->minimumSizeHint().width()) found << button->text();
  }
  return found;
}

}  // namespace

class tst_main_window : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    viewport_ = stage_.viewport;
  }

  void init() { QVERIFY(stage_.activate()); }

  void cleanupTestCase() {
    stage_.close();
    QVERIFY(QApplication::topLevelWidgets().isEmpty());
  }

  void rejectsAFileThatIsNoProject() {
    QTemporaryDir folder;
    const QString path = folder.filePath("wrong.crowd");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\": ");
    file.close();
    const Project before = window_->document().project();
    discardChanges();
    window_->files().open({path});
    QTRY_VERIFY(window_->viewportFrame().notifications().isVisible());
    QVERIFY(window_->document().project() == before);
    window_->viewportFrame().notifications().closeCurrent();
    QVERIFY(!window_->viewportFrame().notifications().isVisible());
  }

  void moreActorsKeepWhatTheyWereGivenAndPlayTickedClips() {
    Document& document = window_->document();
    const Project start = document.project();
    const int steps = document.undoStack().index();
    QVERIFY(start.characters.front().clips.size() > 1 && start.actors.size() > 0);
    document.edit("Same offset", [](Project& p) {
      p.characters.front().clips[0].ticked = false;
      for (std::size_t i = 0; i < p.actors.size(); ++i) {
        ck::Actor actor = p.actors[i];
        actor.offset = 0.25f;
        p.actors.set(i, actor);
      }
    });
    auto* count = window_->panel<ActorsPanel>().spawnBar().findChild<QSpinBox*>();
    QCOMPARE(count->accessibleName(), QString("Number of actors"));
    count->setValue(int(start.actors.size()) + 40);
    const ck::ActorList& actors = document.project().actors;
    QCOMPARE(actors.size(), start.actors.size() + 40);
    for (std::size_t i = 0; i < start.actors.size(); ++i) {
      QCOMPARE(actors[i].offset, 0.25f);
      QCOMPARE(actors[i].clip, start.actors[i].clip);
    }
    for (std::size_t i = start.actors.size(); i < actors.size(); ++i) QVERIFY(actors[i].clip != 0);
    document.undoStack().setIndex(steps);
    QCOMPARE(document.project(), start);
  }

  void fiveHundredActorsAreEditedAndAllIsUndone() {
    Document& document = window_->document();
    const Project start = document.project();
    const int steps = document.undoStack().index();
    document.edit("Six hundred", [](Project& p) {
      p.crowds.front().spawn.count = 600;
      p.actors = ck::ActorList(ck::spawnActors(p.crowds.front().spawn));
    });
    std::vector<int> half;
    for (int i = 0; i < 500; ++i) half.push_back(i);
    window_->selection().set(half);
    ActorsPanel& panel = window_->panel<ActorsPanel>();
    QCOMPARE(panel.table().selectionModel()->selectedRows().size(), 500);
    const auto enter = [&panel](const QString& field, const QString& text) {
      for (NumberEdit* edit : panel.findChildren<NumberEdit*>()) {
        if (edit->accessibleName() != field) continue;
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
      }
    };
    const int before = document.undoStack().index();
    enter("Offset", "R(0,1)");
    enter("Rate", "L(0.5,1.5)");
    enter("Scale", "*2");
    QCOMPARE(document.undoStack().index(), before + 3);
    const ck::ActorList& actors = document.project().actors;
    QCOMPARE(actors[0].rate, 0.5f);
    QCOMPARE(actors[499].rate, 1.5f);
    QVERIFY(actors[500].scale != 2.0f * actors[499].scale);
    for (std::size_t i = 0; i < 500; ++i) {
      QVERIFY(actors[i].offset >= 0.0f && actors[i].offset < 1.0f);
    }
    // A wrong entry changes nothing and says why.
    enter("Offset", "R(1");
    QCOMPARE(document.undoStack().index(), before + 3);
    while (document.undoStack().index() > steps) document.undoStack().undo();
    QVERIFY(document.project() == start);
  }

  void shortcutsAreUniqueAndBareKeysAreLocal() {
    QHash<QString, QStringList> owners;
    for (const QAction* action : window_->findChildren<QAction*>()) {
      for (const QKeySequence& key : action->shortcuts()) {
        const QString text = key.toString();
        const bool chord = text.contains("Ctrl") || text.contains("Alt");
        const bool functionKey = text.startsWith("F") && text.size() > 1;
        const bool bare = !chord && !functionKey;
        if (bare) QCOMPARE(action->shortcutContext(), Qt::WidgetWithChildrenShortcut);
        owners[text] << action->text();
      }
    }
    QVERIFY(owners.size() > 20);
    for (auto it = owners.cbegin(); it != owners.cend(); ++it) {
      QVERIFY2(it.value().size() == 1, qPrintable(it.key() + ": " + it.value().join(", ")));
    }
  }

  void disabledActionsSayWhy() {
    MainWindow empty("no OpenGL in this test");
    int disabled = 0;
    for (const QAction* action : empty.findChildren<QAction*>()) {
      // Undo and redo say it by being empty; panels always toggle.
      const bool undoing = action->objectName() == "undo" || action->objectName() == "redo";
      if (action->isEnabled() || !action->isVisible() || action->text().isEmpty() || undoing ||
          !action->property("ownTip").isValid())
        continue;
      ++disabled;
      QVERIFY2(action->toolTip().contains('\n'), qPrintable(action->text()));
    }
    QVERIFY(disabled >= 5);
  }

  void everythingThatTakesTheFocusHasAName() {
    const QStringList found = unnamed(*window_);
    QVERIFY2(found.isEmpty(), qPrintable(found.join("; ")));
  }

  void floatingAPanelKeepsTheRenderer() {
    const auto* renderer = viewport_->renderer();
    auto* dock = window_->findChild<QDockWidget*>("timeline");
    dock->setFloating(true);
    QTest::qWait(50);
    dock->setFloating(false);
    QTest::qWait(50);
    QVERIFY(viewport_->renderer() == renderer);
    const QImage picture = viewport_->grabFramebuffer();
    QVERIFY(!picture.isNull());
  }

  void theAtlasIsExportedAndProved() {
    QTemporaryDir folder;
    ck::ExportSettings settings;
    settings.kinds.insert({ck::ExportKind::Exr, ck::ExportKind::Png});
    window_->files().exports().exportTo(folder.path(), "crowd", settings);
    QTRY_VERIFY_WITH_TIMEOUT(window_->panel<StatusStrip>().reported().startsWith("Verified"),
                             kPatienceMs);
    QVERIFY(ck::readAtlasFolder(folder.path().toStdString()).has_value());
  }

  // The forecast before the export, the files that are written, and the choices that are kept for
  // the next one.
  void anExportIsChosenByTarget() {
    QTemporaryDir folder;
    window_->files().exports().ask();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    const auto figures = [dialog] {
      QStringList texts;
      for (const QLabel* label : dialog->findChildren<QLabel*>("figures")) texts << label->text();
      return texts.filter(" mm\n").size();
    };
    const auto engines = std::ranges::count_if(ck::exportTargets(), ck::isEngine);
    QTRY_COMPARE_WITH_TIMEOUT(figures(), engines, kPatienceMs);
    dialog->findChild<QLineEdit*>()->setText(folder.path());
    for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) {
      if (QStringList({"Impostors", "Web page", "three.js", "Babylon.js"}).contains(box->text()))
        box->setChecked(true);
    }
    QVERIFY(dialog->grab().save(QStringLiteral(CK_PICTURES_DIR "/export-targets.png")));
    QStringList listed = dialog->names();
    listed.replaceInStrings("/", "");
    // Nothing can be written into a file: the dialog says so, and stays.
    QFile taken(folder.filePath("taken"));
    QVERIFY(taken.open(QIODevice::WriteOnly));
    dialog->findChild<QLineEdit*>()->setText(folder.filePath("taken/below"));
    dialog->accept();
    QVERIFY(dialog->isVisible());
    QTRY_VERIFY(dialog->findChild<QLabel*>("wrong")->isVisible());
    QVERIFY(dialog->findChild<QLabel*>("wrong")->text().contains("taken"));
    dialog->findChild<QLineEdit*>()->setText(folder.path());
    QVERIFY(!dialog->findChild<QLabel*>("wrong")->isVisible());
    QVERIFY(taken.remove());
    dialog->accept();
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<ExportReport*>(), kPatienceMs);
    auto* report = window_->findChild<ExportReport*>();
    const auto* steps = report->findChild<QTabWidget*>();
    QCOMPARE(steps->tabText(0), QString("three.js"));
    QVERIFY(qobject_cast<QTextBrowser*>(steps->widget(0))->toPlainText().contains("crowd.js"));
    QVERIFY(report->grab().save(QStringLiteral(CK_PICTURES_DIR "/export-report.png")));
    QVERIFY(!QDir(folder.path()).entryList({"*.html"}).isEmpty());
    // Everything that was written was listed, and both places count alike.
    const QStringList entries =
        QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    QCOMPARE(QSet<QString>(entries.begin(), entries.end()),
             QSet<QString>(listed.begin(), listed.end()));
    int written = 0;
    for (QDirIterator at(folder.path(), QDir::Files, QDirIterator::Subdirectories); at.hasNext();) {
      at.next();
      ++written;
    }
    const QString count = QStringLiteral("%1 files").arg(written);
    QVERIFY(window_->panel<StatusStrip>().reported().contains(count));
    const auto said = report->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(said, [&](QLabel* one) { return one->text().contains(count); }));
    QVERIFY(!QDir(folder.path()).entryList({"*.mesh.glb"}).isEmpty());
    QVERIFY(!QDir(folder.path()).entryList({"*.three"}, QDir::Dirs).isEmpty());
    // Pictures are drawn beside the window, which still draws.
    const QString name = QDir(folder.path()).entryList({"*.impostors"}, QDir::Dirs).value(0);
    const auto impostors =
        ck::readImpostors(folder.filePath(name).toStdString(),
                          name.section('.', 0, -2).toStdString(), {.ownFiles = true});
    QVERIFY2(impostors, impostors ? "" : impostors.error().message.c_str());
    QVERIFY(std::ranges::any_of(impostors->form.rgba, [](auto byte) { return byte == 255; }));
    QVERIFY(!viewport_->grabFramebuffer().isNull());
    delete report;
    QTRY_VERIFY(!window_->findChild<ExportDialog*>());
    window_->files().exports().ask();
    dialog = window_->findChild<ExportDialog*>();
    QCOMPARE(dialog->folder(), folder.path());
    QVERIFY(dialog->choice().targets == (std::set{ck::TargetKind::Impostors, ck::TargetKind::Web,
                                                  ck::TargetKind::Three, ck::TargetKind::Babylon}));
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
  }

  void anOutdatedAtlasIsBakedBeforeItIsExported() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    window_->document().edit("Rate", [](Project& p) { p.characters.front().bake.rateHz = 7.0; });
    QTRY_VERIFY(window_->session().bakeState(0) == BakeState::Outdated);
    QTemporaryDir folder;
    window_->files().exports().ask();
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog);
    const auto buttons = dialog->findChildren<QPushButton*>();
    QVERIFY(std::ranges::any_of(
        buttons, [](const QPushButton* button) { return button->text() == "Bake and export"; }));
    for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) {
      if (QStringList({"Impostors", "Web page", "three.js", "Babylon.js"}).contains(box->text())) {
        box->setChecked(false);
      }
    }
    dialog->findChild<QLineEdit*>()->setText(folder.path());
    dialog->accept();
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder.path()).entryList({"*.atlas.json"}).isEmpty(),
                             kPatienceMs);
    const auto found = ck::readAtlasFolder(folder.path().toStdString());
    QVERIFY(found);
    const ck::AtlasClip& clip = found->front().atlas.clips.front();
    QCOMPARE(clip.frameCount, int(std::lround(clip.durationSeconds * 7.0)) + 1);
    window_->document().undoStack().undo();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
  }

  void anExportThatFailsSaysWhy() {
    QTemporaryDir folder;
    QFile file(folder.filePath("taken"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    window_->files().exports().exportTo(folder.filePath("taken"), "crowd", {});
    NotificationBar& bar = window_->viewportFrame().notifications();
    QTRY_VERIFY_WITH_TIMEOUT(bar.accessibleName().contains("taken"), kPatienceMs);
    bar.closeCurrent();
  }

  // The files of an export, through the menu and by dropping them; a file that does not fit changes
  // nothing.
  void actorsAreImportedInOneStep() {
    QTemporaryDir folder;
    StatusStrip& strip = window_->panel<StatusStrip>();
    strip.report({});
    window_->files().exports().exportTo(folder.path(), "crowd", {});
    QTRY_VERIFY_WITH_TIMEOUT(strip.reported().startsWith("Verified"), kPatienceMs);
    Document& document = window_->document();
    const ck::ActorList before = document.project().actors;
    QVERIFY(before.size() > 2);
    const int steps = document.undoStack().index();
    document.edit("Two actors", [](Project& project) {
      project.actors = ck::ActorList(std::vector<ck::Actor>(2));
    });
    const ck::ActorList two = document.project().actors;

    QAction* action = stage_.action("Import ac&tors...");
    QVERIFY(action && action->isEnabled());
    QTimer::singleShot(0, this, [&folder] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      QVERIFY(dialog);
      QVERIFY2(dialog->nameFilters().first().contains("*.actors.json"),
               qPrintable(dialog->nameFilters().first()));
      dialog->setDirectory(folder.path());
      dialog->selectFile("crowd.actors.json");
      static_cast<QDialog*>(dialog)->accept();
    });
    action->trigger();
    QVERIFY(document.project().actors == before);
    QCOMPARE(document.undoStack().index(), steps + 2);
    QCOMPARE(document.undoStack().undoText(), QString("Import %1 actors").arg(before.size()));
    document.undoStack().undo();
    QVERIFY(document.project().actors == two);

    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(folder.filePath("crowd.actors.csv"))});
    QVERIFY(window_->files().canDrop(data));
    const auto choices = window_->files().dropChoices(data, Qt::NoModifier);
    QCOMPARE(choices.size(), std::size_t{1});
    choices.front().run();
    QVERIFY(document.project().actors == before);
    QVERIFY2(strip.reported().contains("crowd.actors.csv"), qPrintable(strip.reported()));
    document.undoStack().undo();

    QFile wrong(folder.filePath("wrong.csv"));
    QVERIFY(wrong.open(QIODevice::WriteOnly) && wrong.write("clip\nno such clip\n") > 0);
    wrong.close();
    window_->files().importActors(wrong.fileName());
    NotificationBar& bar = window_->viewportFrame().notifications();
    QTRY_VERIFY(bar.accessibleName().contains("line 2: column 'clip'"));
    bar.closeCurrent();
    QVERIFY(document.project().actors == two);
    document.undoStack().setIndex(steps);
    QVERIFY(document.project().actors == before);
  }

  void aProjectIsSavedAndOpenedAgain() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QString::fromUtf8("M\u00e4rz \u4eba.crowd"));
    QVERIFY(window_->files().saveTo(path));
    QVERIFY(!window_->document().isModified());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    const Project saved = window_->document().project();
    window_->files().open({path});
    QTRY_VERIFY_WITH_TIMEOUT(!window_->tasks().isBusy(), kPatienceMs);
    // The file has where the camera stands, too.
    Project opened = window_->document().project();
    QVERIFY(opened.desk.camera.has_value());
    opened.desk = saved.desk;
    opened.file = saved.file;
    QVERIFY(opened == saved);
    QVERIFY(window_->windowTitle().contains(".crowd"));
  }

  void layoutsAreKeptAndOldOnesDropped() {
    auto* dock = window_->findChild<QDockWidget*>("log");
    dock->hide();
    window_->close();
    {
      MainWindow again("no OpenGL in this test");
      again.show();
      QVERIFY(again.findChild<QDockWidget*>("log")->isHidden());
      again.close();
    }
    QSettings().setValue("window/panels", QByteArray("from another version"));
    {
      MainWindow fresh("no OpenGL in this test");
      fresh.show();
      QVERIFY(!fresh.findChild<QDockWidget*>("log")->isHidden());
    }
    dock->show();
    window_->show();
  }

  void theSmallestWindowHoldsEveryPanel() {
    window_->resize(1024, 640);
    QTest::qWait(50);
    QCOMPARE(window_->size(), QSize(1024, 640));
    QTRY_VERIFY2(viewport_->width() >= 680 && viewport_->height() >= 240, qPrintable(narrowest()));
    auto* clips = window_->findChild<QDockWidget*>("clips");
    auto* actors = window_->findChild<QDockWidget*>("actors");
    QVERIFY2(window_->tabifiedDockWidgets(clips).contains(actors), "no room for three columns");
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
      dock->raise();
      QTRY_COMPARE(cutLabels(*dock).join("; "), QString());
    }
    window_->resize(1600, 960);
    QTest::qWait(50);
    QTRY_VERIFY(!window_->tabifiedDockWidgets(clips).contains(actors));
    QVERIFY(window_->tabifiedDockWidgets(clips).isEmpty());
    QCOMPARE(window_->dockWidgetArea(actors), Qt::RightDockWidgetArea);
    clips->raise();
    window_->findChild<QDockWidget*>("timeline")->raise();
  }

  // Panels that need more room than there is are laid over each other, which nothing tells.
  void panelsNeverOverlap_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1024, 640), QSize(1100, 960), QSize(1280, 720), QSize(1366, 768),
                             QSize(1600, 880), QSize(1600, 960), QSize(1920, 1080)}) {
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
    }
  }
  void panelsNeverOverlap() {
    QFETCH(QSize, size);
    window_->resize(size);
    const auto overlapping = [this] {
      QStringList found;
      const auto docks = window_->findChildren<QDockWidget*>();
      for (QDockWidget* a : docks) {
        for (QDockWidget* b : docks) {
          const bool seen = !a->visibleRegion().isEmpty() && !b->visibleRegion().isEmpty();
          if (a < b && seen && a->geometry().intersects(b->geometry())) {
            found << a->windowTitle() + " and " + b->windowTitle();
          }
        }
      }
      return found.join("; ");
    };
    QTest::qWait(100);
    QTRY_COMPARE(overlapping(), QString());
    window_->resize(1600, 960);
    auto* actors = window_->findChild<QDockWidget*>("actors");
    auto* atlas = window_->findChild<QDockWidget*>("atlas");
    QTRY_VERIFY(atlas->geometry().top() > actors->geometry().bottom());
    window_->findChild<QDockWidget*>("timeline")->raise();
  }

  void aPanelsKeyRaisesWhatLiesBehind() {
    auto* log = window_->findChild<QDockWidget*>("log");
    QAction* key = nullptr;
    for (QAction* action : window_->findChildren<QAction*>()) {
      if (action->shortcut() == QKeySequence("Ctrl+5")) key = action;
    }
    QVERIFY(key);
    window_->findChild<QDockWidget*>("timeline")->raise();
    QTRY_VERIFY(log->visibleRegion().isEmpty());
    key->trigger();
    QTRY_VERIFY(!log->visibleRegion().isEmpty());
    QVERIFY(key->isChecked());
    key->trigger();
    QVERIFY(log->isHidden());
    QVERIFY(!key->isChecked());
    key->trigger();
    QTRY_VERIFY(!log->visibleRegion().isEmpty());
    window_->findChild<QDockWidget*>("timeline")->raise();
  }

  void switchesShowTheirTickInMenus() {
    int switches = 0;
    for (QMenu* menu : window_->findChildren<QMenu*>()) {
      for (QAction* action : menu->actions()) {
        if (!action->isCheckable()) continue;
        ++switches;
        QVERIFY2(action->icon().isNull() || !action->isIconVisibleInMenu(),
                 qPrintable(action->text()));
      }
    }
    QVERIFY(switches >= 5);
  }

  void hintsAreDroppedWholeWhereTheyDoNotFit() {
    ck::ui::TaskRunner tasks;
    ck::ui::LogModel lines;
    StatusStrip strip(tasks, lines);
    strip.resize(2000, 24);
    strip.show();
    QTRY_VERIFY(strip.reported().endsWith("play"));
    const QStringList all = strip.reported().split("    ");
    strip.resize(620, 24);
    QTRY_VERIFY(!strip.reported().endsWith("play"));
    for (const QString& hint : strip.reported().split("    ")) {
      QVERIFY2(hint.isEmpty() || all.contains(hint), qPrintable(hint));
    }
    strip.report("A report that is told whole");
    QCOMPARE(strip.reported(), QString("A report that is told whole"));
  }

  void withoutOpenGlTheRestWorks() {
    MainWindow window("There is no OpenGL in this test.");
    window.show();
    QVERIFY(!window.viewportFrame().viewport());
    window.files().open({humanoid()});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().atlas(0) && !window.tasks().isBusy(), kPatienceMs);
    QTemporaryDir folder;
    window.files().exports().exportTo(folder.path(), "crowd", {});
    QTRY_VERIFY_WITH_TIMEOUT(window.panel<StatusStrip>().reported().startsWith("Verified"),
                             kPatienceMs);
    window.playback().setPlaying(false);
  }

  // The second character is read after the first, and stands far away.
  void openingAProjectFramesItsWholeCast() {
    Document& document = window_->document();
    const int steps = document.undoStack().index();
    window_->session().addCharacters({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(document.project().characters.size() == 2, kPatienceMs);
    Project project = document.project();
    document.undoStack().setIndex(steps);
    glm::vec3 farthest(0.0f);
    for (std::size_t i = 0; i < project.actors.size(); ++i) {
      ck::Actor actor = project.actors[i];
      if (actor.character == 0) continue;
      actor.position.x += 300.0f;
      farthest = actor.position;
      project.actors.set(i, actor);
    }
    QVERIFY(farthest.x > 250.0f);
    project.desk = {};  // a camera of its own would stay
    QTemporaryDir folder;
    const QString path = folder.filePath("far.crowd");
    QVERIFY(ck::writeProjectFile(project, ck::pathFromText(path.toStdString())).has_value());
    MainWindow window({});
    window.show();
    window.files().open({path});
    const ViewportWidget& viewport = *window.viewportFrame().viewport();
    const auto isSeen = [&](const glm::vec3& place) {
      const double aspect = double(viewport.width()) / viewport.height();
      const glm::vec4 clip = ck::render::projectionMatrix(viewport.camera(), aspect) *
                             ck::render::viewMatrix(viewport.camera()) * glm::vec4(place, 1.0f);
      return clip.w > 0.0f && std::abs(clip.x) < clip.w && std::abs(clip.y) < clip.w;
    };
    QVERIFY(QTest::qWaitFor([&] { return isSeen(farthest); }, kPatienceMs));
    QVERIFY(isSeen(glm::vec3(0.0f)));
    window.playback().setPlaying(false);
  }

  void picturesAreKeptForTheEye() {
    const auto keep = [](QWidget& widget, const QString& name) {
      QTest::qWait(350);
      QVERIFY(widget.grab().save(QStringLiteral(CK_PICTURES_DIR "/") + name));
    };
    window_->playback().seek(1.0);
    window_->selection().set({3, 4, 5, 27, 44, 45, 46});
    keep(*window_, "selection.png");
    window_->findChild<QDockWidget*>("stats")->raise();
    keep(*window_, "stats.png");
    window_->findChild<QDockWidget*>("log")->raise();
    window_->document().edit("Influences",
                             [](Project& p) { p.characters.front().bake.influences = 2; });
    window_->viewportFrame().notifications().push(
        {Notice::Level::Warning,
         "walk.fbx: 3 vertices had 5 influences; the 4 largest were kept (up to 0.4 mm)",
         {{"Show the log", [] {}}}});
    window_->resize(1024, 640);
    keep(*window_, "small.png");
    window_->findChild<QDockWidget*>("actors")->raise();
    window_->findChild<QDockWidget*>("atlas")->raise();
    keep(*window_, "small-atlas.png");
    for (const QTabBar* bar :
         window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
      QVERIFY2(bar->count() > 0 || !bar->isVisible(), "an empty bar of tabs covers another");
    }
    window_->viewportFrame().notifications().closeCurrent();
    window_->document().undoStack().undo();
    window_->resize(1600, 960);
    window_->findChild<QDockWidget*>("timeline")->raise();
    viewport_->setViewMode(ck::ViewMode::Error);
    viewport_->frameSelected();
    keep(*window_, "error.png");
    viewport_->setViewMode(ck::ViewMode::Split);
    keep(*window_, "split.png");
    viewport_->setViewMode(ck::ViewMode::Compared);
    keep(*window_, "book.png");
    viewport_->setViewMode(ck::ViewMode::Baked);
    showCheatSheet(*window_, window_->findChildren<QAction*>());
    auto* sheet = window_->findChild<QDialog*>();
    keep(*sheet, "keys.png");
    const QString keys = sheet->findChild<QTextBrowser*>()->toPlainText();
    QVERIFY(keys.contains("Move clips up (in its panel)"));
    QVERIFY(keys.contains("Select none (in the viewport)"));
    sheet->close();
    ExportDialog dialog(QDir::homePath(), "humanoid", true, ExportDialog::suggested(), window_);
    dialog.show();
    keep(dialog, "export.png");
  }

 private:
  // The size of the view, and the least widths of the panels.
  QString narrowest() {
    QStringList texts{QString("%1 x %2").arg(viewport_->width()).arg(viewport_->height())};
    for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
      texts << QString("%1 %2").arg(dock->objectName()).arg(dock->minimumSizeHint().width());
    }
    return texts.join(", ");
  }

  // Answers the question about unsaved changes with "discard".
  static void discardChanges() {
    QTimer::singleShot(200, [] {
      for (QWidget* widget : QApplication::topLevelWidgets()) {
        auto* box = qobject_cast<QMessageBox*>(widget);
        if (box) box->button(QMessageBox::Discard)->click();
      }
    });
  }

  WindowStage stage_;
  MainWindow* window_ = nullptr;
  ViewportWidget* viewport_ = nullptr;
};

CK_TEST(tst_main_window, ck::test::EditorApplication)
#include "tst_main_window.moc"
