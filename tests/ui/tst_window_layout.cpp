#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QLineEdit>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

#include "core/project/project.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/stats/stats_panel.h"
#include "ui/timeline/error_graph.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/windows/window_layout.h"

using ck::ui::MainWindow;

namespace {

// The bytes of QWidget::saveGeometry() of Qt 6, for a window on a screen of that width.
QByteArray geometryOn(int screenWidth, const QRect& window) {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream.setVersion(QDataStream::Qt_4_0);
  stream << quint32(0x1D9D0CB) << quint16(3) << quint16(0) << window << window << qint32(0)
         << quint8(0) << quint8(0) << qint32(screenWidth) << window;
  return bytes;
}

// The window as the next start has it, shown.
struct Opened {
  Opened() {
    window.show();
    settle();
  }

  // Panels adapt to a size when the events of it have been worked off.
  static void settle() { QTest::qWait(50); }

  void resize(const QSize& size) {
    window.resize(size);
    settle();
  }
  QDockWidget* dock(const char* name) { return window.findChild<QDockWidget*>(name); }
  bool atlasIsTab() { return window.tabifiedDockWidgets(dock("timeline")).contains(dock("atlas")); }
  bool atlasIsBelowActors() {
    return window.dockWidgetArea(dock("atlas")) == Qt::RightDockWidgetArea &&
           dock("atlas")->geometry().top() > dock("actors")->geometry().bottom();
  }

  MainWindow window{"no OpenGL in this test"};
};

constexpr QSize kLowSize(1300, 700);
constexpr QSize kTallSize(1600, 960);

}  // namespace

// The layout of a start on a screen, from the state that the last one kept. It runs on a screen
// that has room for the window and on one that has not.
class tst_window_layout : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QCoreApplication::setOrganizationName("CrowdkilnTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
  }

  void init() { QSettings().clear(); }

  void rejectsToOpenLargerThanTheScreen() {
    Opened first;
    const QRect room = first.window.screen()->availableGeometry();
    QVERIFY(room.contains(first.window.geometry()));
    // There is room for the frame of a window manager, and the status line is seen.
    const QSize expected = kTallSize.boundedTo(room.size() - QSize(16, 48));
    QCOMPARE(first.window.size(), expected);
    QCOMPARE(first.atlasIsTab(), expected.height() < 890);
    const QRect status = first.window.statusBar()->geometry();
    QVERIFY(first.window.statusBar()->isVisible() && first.window.rect().contains(status));
  }

  void theErrorGraphHasRoomInTheFirstLayoutAndAfterAReset() {
    Opened first;
    if (first.window.height() < 890) QSKIP("the screen is too low for it");
    auto& graph = first.window.panel<ck::ui::TimelinePanel>().errorGraph();
    QVERIFY2(graph.height() >= 40, qPrintable(QString::number(graph.height())));
    first.window.panels().layOut();
    Opened::settle();
    QVERIFY2(graph.height() >= 40, qPrintable(QString::number(graph.height())));
  }

  // At any width, with numbers of usual length.
  void formationFieldsHaveTheirRoom_data() {
    QTest::addColumn<int>("width");
    for (const int width : {1024, 1190, 1200, 1220, 1240, 1260, 1280, 1366, 1600}) {
      QTest::addRow("%d", width) << width;
    }
  }
  void formationFieldsHaveTheirRoom() {
    QFETCH(int, width);
    Opened first;
    if (first.window.screen()->availableGeometry().width() < width)
      QSKIP("the screen is too small");
    first.window.document().edit("many", [](ck::Project& project) {
      project.actors = ck::ActorList(std::vector<ck::Actor>(100'000));
      project.crowds.front().spawn.count = 100'000;
      project.crowds.front().spawn.spacingMeters = 12.5;
      project.crowds.front().spawn.columns = 316;
      project.crowds.front().spawn.seed = 54321;
    });
    first.resize(QSize(width, 900));
    auto& actors = first.window.panel<ck::ui::ActorsPanel>();
    first.window.panels().raise(actors);
    ck::ui::SpawnBar& bar = actors.spawnBar();
    for (const ck::Formation formation : ck::kFormations) {
      first.window.document().edit("one", [formation](ck::Project& project) {
        project.crowds.front().spawn.formation = formation;
      });
      bar.focusCount();
      Opened::settle();
      QVERIFY(bar.isVisible());
      const QString what = ck::ui::formationTitle(formation);
      QList<QWidget*> shown;
      for (QWidget* each : bar.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (each->isVisible()) shown << each;
      }
      for (const QWidget* one : shown) {
        const QString name = what + ": " + one->accessibleName();
        QVERIFY2(bar.rect().contains(one->geometry()), qPrintable(name));
        for (const QWidget* other : shown) {
          if (one == other) continue;
          QVERIFY2(!one->geometry().intersects(other->geometry()),
                   qPrintable(name + ", " + other->accessibleName()));
        }
      }
      for (const QLineEdit* text : bar.findChildren<QLineEdit*>()) {
        const bool isLong = text->text().contains("100") || text->text().contains("12.5");
        if (!text->isVisible() || !isLong) continue;
        const int wide = text->fontMetrics().horizontalAdvance(text->text());
        QVERIFY2(wide + 4 <= text->width(), qPrintable(what + ": " + text->text()));
      }
    }
  }

  void aNewProjectHasNoFigures() {
    Opened first;
    auto& stats = first.window.panel<ck::ui::StatsPanel>();
    ck::render::FrameStats frame;
    frame.passes = {{"crowd", 1.0, std::nullopt}};
    stats.addFrame(frame);
    stats.refresh();
    QVERIFY(!stats.csv().isEmpty());
    first.window.files().newProject();
    QVERIFY(stats.csv().isEmpty());
  }

  void aPanelThatFloatsIsSeenToDoSo() {
    Opened first;
    QDockWidget* bake = first.dock("bake");
    const QPoint before = bake->mapToGlobal(QPoint());
    bake->setFloating(true);
    Opened::settle();
    QVERIFY((bake->mapToGlobal(QPoint()) - before).manhattanLength() > 20);
  }

  void aWindowKeptOnALargerScreenFits_data() {
    const QRect room = QApplication::primaryScreen()->availableGeometry();
    QTest::addColumn<QRect>("kept");
    QTest::addColumn<int>("screenWidth");
    const QRect wide(40, 40, room.width() * 6 / 5, room.height() * 6 / 5);
    QTest::newRow("screen a quarter wider") << wide << room.width() * 5 / 4;
    QTest::newRow("screen twice as wide") << wide << room.width() * 2;
    QTest::newRow("the same screen, over its edges") << wide << room.width();
    QTest::newRow("the same screen, half beside it")
        << QRect(QPoint(room.right() - 600, room.bottom() - 400), kLowSize) << room.width();
  }
  void aWindowKeptOnALargerScreenFits() {
    QFETCH(QRect, kept);
    QFETCH(int, screenWidth);
    {
      Opened first;
      first.window.close();
    }
    QSettings().setValue("window/geometry", geometryOn(screenWidth, kept));
    Opened again;
    const QRect room = again.window.screen()->availableGeometry();
    QVERIFY2(room.contains(again.window.geometry()), qPrintable(QStringLiteral("%1 x %2 at %3, %4")
                                                                    .arg(again.window.width())
                                                                    .arg(again.window.height())
                                                                    .arg(again.window.x())
                                                                    .arg(again.window.y())));
  }

  // A layout that was kept of a tall window is started in a low one.
  void anAtlasBelowTheActorsIsTuckedIntoLowWindows() {
    {
      Opened first;
      first.resize(kTallSize);
      QVERIFY(first.atlasIsBelowActors());
      first.window.close();
    }
    const int screenWidth = QApplication::primaryScreen()->geometry().width();
    QSettings().setValue("window/geometry",
                         geometryOn(screenWidth, QRect(QPoint(20, 20), kLowSize)));
    Opened again;
    QCOMPARE(again.window.size(), kLowSize);
    QVERIFY(again.atlasIsTab());
    again.resize(kTallSize);
    QVERIFY(again.atlasIsBelowActors());
  }

  void aTuckedAtlasComesBackAfterAStartToo() {
    {
      Opened first;
      first.resize(kTallSize);
      first.resize(kLowSize);
      QVERIFY(first.atlasIsTab());
      first.window.close();
    }
    Opened again;
    QVERIFY(again.atlasIsTab());
    again.resize(kTallSize);
    QVERIFY(again.atlasIsBelowActors());
  }

  void anAtlasThatSomebodyMadeATabStaysOne() {
    {
      Opened first;
      first.resize(kTallSize);
      first.window.tabifyDockWidget(first.dock("timeline"), first.dock("atlas"));
      first.resize(kLowSize);
      first.resize(kTallSize);
      QVERIFY(first.atlasIsTab());
      first.resize(kLowSize);
      first.window.close();
    }
    Opened again;
    QVERIFY(again.atlasIsTab());
    again.resize(kTallSize);
    QVERIFY(again.atlasIsTab());
    again.resize(QSize(1100, 700));
    again.resize(kTallSize);
    QVERIFY(again.atlasIsTab());
  }

  // Taken out of the tabs and put back, as with the mouse.
  void aTuckedAtlasThatIsTakenHoldOfStaysWhereItIsPut() {
    Opened first;
    first.resize(kTallSize);
    first.resize(kLowSize);
    first.dock("atlas")->setFloating(true);
    first.settle();
    first.window.tabifyDockWidget(first.dock("timeline"), first.dock("atlas"));
    first.dock("atlas")->setFloating(false);
    first.resize(kTallSize);
    QVERIFY(first.atlasIsTab());
  }

  // Kept before it was known who had moved the atlas.
  void layoutsOfTheVersionBeforeAreDropped() {
    {
      Opened first;
      first.dock("log")->hide();
      first.window.close();
      QSettings().setValue("window/panels", first.window.saveState(6));
    }
    Opened again;
    QVERIFY(!again.dock("log")->isHidden());
  }

 private:
  QTemporaryDir settings_;
};

CK_TEST(tst_window_layout, ck::test::EditorApplication)
#include "tst_window_layout.moc"
