#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QRegularExpression>
#include <QScreen>
#include <QSettings>
#include <QTemporaryFile>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actions/action_table.h"
#include "ui/actions/command_palette.h"
#include "ui/start/recent_files.h"

using namespace ck::ui;

// The table of the window's actions, and the palette that finds them by words.
class tst_command_palette : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    table_ = stage_.window->findChild<ActionTable*>();
    QVERIFY(table_);
  }
  void cleanupTestCase() { stage_.close(); }
  void init() {
    QVERIFY(stage_.activate());
    stage_.window->selection().clear();
    stage_.viewport->setFocus();
  }
  void cleanup() {
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    QTRY_VERIFY(!stage_.window->findChild<CommandPalette*>());
    QSettings().remove("palette");
  }

  void bothKeysOpenIt() {
    QTest::keyClick(stage_.viewport, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(shown());
    QTest::keyClick(&shown()->field(), Qt::Key_Escape);
    QTRY_VERIFY(!shown());
    QTest::keyClick(stage_.viewport, Qt::Key_F3);
    QVERIFY(shown());
    QVERIFY(shown()->field().hasFocus() || shown()->focusWidget() == &shown()->field());
  }

  void wordsAreFoundInAnyOrder() {
    find("SEL fra");
    const QModelIndex first = row(0);
    QCOMPARE(first.data().toString(), QString("Frame selected"));
    QCOMPARE(first.data(CommandPalette::MenuRole).toString(), QString("View"));
    QCOMPARE(first.data(CommandPalette::KeyRole).toString(), QString("F"));
    QCOMPARE(first.data(CommandPalette::HitsRole).value<QList<int>>(), (QList{6, 3, 0, 3}));
    QVERIFY(shown()->field().accessibleDescription().startsWith("Frame selected, menu View, F"));
    type("soft shadows");
    QCOMPARE(row(0).data().toString(), QString("Shadows: Soft"));
    type("no such words");
    QCOMPARE(count(), 0);
  }

  void clipsAreShown() {
    const auto& clips = stage_.window->document().project().characters[0].clips;
    const QString name = QString::fromStdString(ck::titleOf(clips.back()));
    find("clips " + name);
    QCOMPARE(row(0).data().toString(), name);
    QCOMPARE(row(0).data(CommandPalette::MenuRole).toString(), QString("Clips"));
    QTest::keyClick(&shown()->field(), Qt::Key_Return);
    QTRY_VERIFY(!shown());
    QCOMPARE(stage_.window->playback().shownIndex(), int(clips.size()) - 1);
  }

  void bookmarksAndRecentFilesAreFound() {
    ck::ui::Document& document = stage_.window->document();
    QTemporaryFile file(QDir::tempPath() + "/recent_XXXXXX.crowd");
    QVERIFY(file.open());
    document.edit("Bookmark", [](ck::Project& project) {
      ck::CameraPlace far;
      far.target = {70.0, 1.0, -40.0};
      project.desk.bookmarks = {{"South gate", {}}, {"North gate", far}};
    });
    rememberFile(file.fileName());
    rememberFile("/nowhere/gone.crowd");
    find("north gate");
    QCOMPARE(row(0).data().toString(), QString("North gate"));
    QCOMPARE(row(0).data(CommandPalette::MenuRole).toString(), QString("Bookmarks"));
    type("recent " + QFileInfo(file.fileName()).fileName());
    QCOMPARE(row(0).data().toString(), QDir::toNativeSeparators(file.fileName()));
    type("gone.crowd");
    QCOMPARE(count(), 0);
    type("north gate");
    QTest::keyClick(&shown()->field(), Qt::Key_Return);
    QTRY_VERIFY(!shown());
    QCOMPARE(stage_.viewport->cameraPlace().target.x, 70.0);
    document.undoStack().undo();
    forgetFiles();
  }

  void beginningsComeFirst() {
    find("re");
    int last = 0;
    for (int i = 0; i < count(); ++i) {
      const QString text = row(i).data().toString();
      const auto at = text.indexOf("re", 0, Qt::CaseInsensitive);
      const int rank = at == 0 ? 0 : text.contains(QRegularExpression("\\bre", kAnyCase)) ? 1 : 2;
      QVERIFY2(rank >= last, qPrintable(text));
      last = rank;
    }
    QCOMPARE(last, 2);
    // Words that only a menu or a tip has.
    type("diagnostics packed");
    QCOMPARE(row(0).data().toString(), QString("Packed influences"));
    type("fewest bytes");
    QCOMPARE(row(0).data().toString(), QString("Find the smallest atlas"));
  }

  void anActionThatIsOffSaysWhyAndDoesNotRun() {
    find("fade selected");
    QCOMPARE(count(), 1);
    QCOMPARE(row(0).data(CommandPalette::ReasonRole).toString(),
             QString("Select actors first (Ctrl+A selects all)"));
    QVERIFY(row(0).data(Qt::AccessibleTextRole).toString().contains("not available: Select"));
    QTest::keyClick(&shown()->field(), Qt::Key_Return);
    QVERIFY(shown() && shown()->isVisible());
    QVERIFY(!stage_.window->findChild<QDialog*>("fade"));
    QVERIFY(QSettings().value("palette/last").toStringList().isEmpty());
    // Every reason is a sentence.
    type("e");
    for (const QAction* action : table_->actions()) {
      QVERIFY2(action->isEnabled() || !action->isVisible() || !whyDisabled(*action).isEmpty(),
               qPrintable(action->objectName()));
    }
  }

  void theLastFiveAreOffered() {
    const auto grid = [this] { return stage_.window->document().project().view.grid; };
    const bool before = grid();
    find("grid");
    QTest::keyClick(&shown()->field(), Qt::Key_Return);
    QTRY_VERIFY(!shown());
    QCOMPARE(grid(), !before);
    for (const char* words : {"figures", "sockets", "figures", "select all", "reset layout"}) {
      find(words);
      const QPoint at = shown()->list().visualRect(row(0)).center();
      QTest::mouseClick(shown()->list().viewport(), Qt::LeftButton, {}, at);
      QTRY_VERIFY(!shown());
    }
    QVERIFY(!stage_.window->selection().actors().empty());
    find({});
    QStringList last;
    for (int i = 0; i < count(); ++i) last << row(i).data(CommandPalette::IdRole).toString();
    QCOMPARE(last, (QStringList{"window.reset", "edit.selectAll", "view.figures", "view.sockets",
                                "view.grid"}));
    QTest::keyClick(&shown()->field(), Qt::Key_Down);
    QTest::keyClick(&shown()->field(), Qt::Key_Down);
    QCOMPARE(shown()->list().currentIndex().row(), 2);
    QTest::keyClick(&shown()->field(), Qt::Key_Escape);
    QTRY_VERIFY(!shown());
  }

  void tabShowsTheActionInItsMenu() {
    find("soft shadows");
    QTest::keyClick(&shown()->field(), Qt::Key_Tab);
    QTRY_VERIFY(qobject_cast<QMenu*>(QApplication::activePopupWidget()));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QCOMPARE(menu->title(), QString("&Shadows"));
    QCOMPARE(menu->activeAction()->text(), QString("&Soft"));
  }

  void everyRowIsFound() {
    QSet<QString> ids;
    find({});
    for (const QAction* action : table_->actions()) {
      const QString id = action->objectName();
      QVERIFY2(!id.isEmpty() && !ids.contains(id), qPrintable(id));
      ids << id;
      QVERIFY2(!plainText(*action).isEmpty(), qPrintable(id));
      type(plainText(*action));
      bool found = false;
      for (int i = 0; i < count(); ++i) {
        found = found || row(i).data(CommandPalette::IdRole).toString() == id;
      }
      QVERIFY2(found, qPrintable(id));
    }
    QVERIFY(ids.size() > 150);
  }

  // A key of the window works everywhere, one of a widget there.
  void noTwoRowsShareAKey() {
    const auto places = [](const QAction& action) {
      QSet<QObject*> all;
      for (QObject* one : action.associatedObjects()) {
        if (!qobject_cast<QMenu*>(one)) all << one;
      }
      return all;
    };
    int keys = 0;
    for (const QAction* one : table_->actions()) {
      for (const QAction* other : table_->actions()) {
        if (one == other) break;
        for (const QKeySequence& key : one->shortcuts()) {
          ++keys;
          if (!other->shortcuts().contains(key)) continue;
          const bool local = one->shortcutContext() == Qt::WidgetWithChildrenShortcut &&
                             other->shortcutContext() == Qt::WidgetWithChildrenShortcut;
          QVERIFY2(local && !places(*one).intersects(places(*other)),
                   qPrintable(one->objectName() + ", " + other->objectName()));
        }
      }
    }
    QVERIFY(keys > 1000);
  }

  void pictures() {
    for (const char* words : {"s", "lo", "fade", "zzz", ""}) {
      find(words);
      QTest::qWait(100);
      const QPixmap screen = QGuiApplication::primaryScreen()->grabWindow(0);
      QVERIFY(screen.save(QStringLiteral(CK_PICTURES_DIR "/palette_%1.png").arg(words)));
      QVERIFY(shown()->width() <= stage_.window->width());
      shown()->close();
      QTRY_VERIFY(!shown());
    }
  }

 private:
  static constexpr auto kAnyCase = QRegularExpression::CaseInsensitiveOption;

  CommandPalette* shown() const { return stage_.window->findChild<CommandPalette*>(); }
  void find(const QString& words) {
    if (!shown()) stage_.action("&Commands...")->trigger();
    QVERIFY(shown() && shown()->isVisible());
    type(words);
  }
  void type(const QString& words) {
    shown()->field().clear();
    QTest::keyClicks(&shown()->field(), words);
  }
  int count() const { return shown()->list().model()->rowCount(); }
  QModelIndex row(int number) const { return shown()->list().model()->index(number, 0); }

  ck::test::WindowStage stage_;
  ActionTable* table_ = nullptr;
};

CK_TEST(tst_command_palette, ck::test::EditorApplication)
#include "tst_command_palette.moc"
