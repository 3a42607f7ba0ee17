#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QScrollBar>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

#include "core/base/log.h"
#include "tests/support/test_program.h"
#include "ui/actions/action_table.h"
#include "ui/bake/verdict.h"
#include "ui/document/document.h"
#include "ui/stats/frame_graph.h"
#include "ui/stats/levels_page.h"
#include "ui/stats/stats_panel.h"
#include "ui/theme/theme.h"
#include "ui/windows/view_menus.h"

using namespace ck::ui;
using ck::render::FrameStats;

namespace {

FrameStats frameOf(double tickMs, double crowdMs) {
  FrameStats stats;
  stats.actors = 2500;
  stats.vertices = 1000000;
  stats.drawCalls = 2;
  stats.shadowMaps = 2;
  stats.uploadedBytes = 160000;
  stats.passes = {{"tick", tickMs, std::nullopt},
                  {"shadows", 1.0, 0.5},
                  {"crowd", crowdMs, 4.0},
                  {"ground", 0.25, 0.125}};
  return stats;
}

// The text so many columns beside a name.
QString cell(const QTableWidget& table, const QString& name, int beside) {
  for (const QTableWidgetItem* item : table.findItems(name, Qt::MatchExactly)) {
    return table.item(item->row(), item->column() + beside)->text();
  }
  return {};
}

QTableWidget& tableWith(const QWidget& panel, int columns) {
  for (QTableWidget* table : panel.findChildren<QTableWidget*>()) {
    if (table->columnCount() == columns) return *table;
  }
  qFatal("there is no such table");
}

}  // namespace

class tst_stats_panel : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    ck::setLogToStderr(false);
    applyTheme(*qApp);
    QLocale::setDefault(QLocale::c());
  }

  void rejectsToCopyBeforeAFrame() {
    StatsPanel panel;
    QVERIFY(panel.csv().isEmpty());
    QVERIFY(!panel.findChild<QToolButton*>()->isEnabled());
  }

  void timesAreMeansOfTheFramesSinceTheLastRefresh() {
    StatsPanel panel;
    panel.resize(1000, 240);
    panel.show();
    panel.addFrame(frameOf(1.0, 2.0));
    panel.addFrame(frameOf(3.0, 6.0));
    panel.refresh();
    const QTableWidget& passes = tableWith(panel, 3);
    QCOMPARE(passes.rowCount(), 4);
    QCOMPARE(cell(passes, QStringLiteral("Crowd"), 1), QStringLiteral("4.00"));
    QCOMPARE(cell(passes, QStringLiteral("Crowd"), 2), QStringLiteral("4.00"));
    QCOMPARE(cell(passes, QStringLiteral("Tick"), 1), QStringLiteral("2.00"));
    // An unreliable time is not shown as 0.
    QCOMPARE(cell(passes, QStringLiteral("Tick"), 2), QStringLiteral("-"));
    const QTableWidget& figures = tableWith(panel, 4);
    QCOMPARE(cell(figures, QStringLiteral("Draws"), 1), QStringLiteral("6"));
    QCOMPARE(cell(figures, QStringLiteral("Vertices"), 1), QStringLiteral("3000000"));
    panel.addFrame(frameOf(9.0, 8.0));
    panel.refresh();
    QCOMPARE(cell(passes, QStringLiteral("Crowd"), 1), QStringLiteral("8.00"));
  }

  void actorsOutOfViewAreNotDrawn() {
    StatsPanel panel;
    panel.show();
    FrameStats stats = frameOf(1.0, 2.0);
    stats.detail.emplace();
    stats.detail->inView = 40;
    stats.detail->actors = stats.actors;
    panel.addFrame(stats);
    panel.refresh();
    QCOMPARE(cell(tableWith(panel, 4), QStringLiteral("Actors drawn"), 1), QStringLiteral("40"));
    const auto remark = [&panel] {
      for (const QLabel* label : panel.findChildren<QLabel*>()) {
        if (label->text().startsWith(QStringLiteral("Off by"))) return label->text();
      }
      return QString();
    };
    QVERIFY2(remark().startsWith(QStringLiteral("Off by up to 1 pixel;")) ||
                 remark().startsWith(QStringLiteral("Off by up to 1 pixel.")),
             qPrintable(remark()));
    stats.detail->pixels = 2.5;
    panel.addFrame(stats);
    panel.refresh();
    QVERIFY2(remark().startsWith(QStringLiteral("Off by up to 2.5 pixels")), qPrintable(remark()));
  }

  void framesAreForgotten() {
    StatsPanel panel;
    panel.show();
    panel.addFrame(frameOf(1.0, 2.0));
    panel.refresh();
    panel.addFrame(frameOf(1.0, 2.0));  // shown late
    panel.clear();
    QTest::qWait(400);
    QCOMPARE(tableWith(panel, 3).rowCount(), 0);
    QCOMPARE(cell(tableWith(panel, 4), QStringLiteral("Draws"), 1), QString());
    QVERIFY(panel.csv().isEmpty());
    QCOMPARE(panel.findChildren<QLabel*>().front()->text(), QStringLiteral("No frame yet"));
  }

  // From the least width that the panel has below the view.
  void figuresAreNotCut_data() {
    QTest::addColumn<int>("width");
    for (const int width : {530, 640, 760, 800, 1000}) QTest::addRow("%d", width) << width;
  }
  void figuresAreNotCut() {
    QFETCH(int, width);
    StatsPanel panel;
    panel.resize(width, 240);
    panel.show();
    FrameStats stats = frameOf(1.0, 2.0);
    stats.vertices = 1'234'567;
    stats.triangles = 2'234'567;
    stats.actors = 100'000;
    stats.fetchesPerVertex = 16;
    panel.addFrame(stats);
    panel.refresh();
    QTest::qWait(20);
    for (const int columns : {3, 4}) {
      const QTableWidget& table = tableWith(panel, columns);
      QVERIFY(table.horizontalScrollBar()->maximum() == 0);
      for (int row = 0; row < table.rowCount(); ++row) {
        for (int column = 0; column < columns; ++column) {
          const QTableWidgetItem* item = table.item(row, column);
          if (!item) continue;
          QVERIFY2(table.sizeHintForIndex(table.indexFromItem(item)).width() <=
                       table.columnWidth(column),
                   qPrintable(item->text()));
        }
      }
    }
  }

  void theErrorHasARowForEveryFigure() {
    StatsPanel panel;
    const QTableWidget& errors = tableWith(panel, 5);
    QToolButton* toggle = panel.findChildren<QToolButton*>().back();
    QCOMPARE(toggle->text(), QStringLiteral("Error"));
    QCOMPARE(cell(errors, QStringLiteral("At vertices, mm"), 1), QStringLiteral("-"));
    ck::BakeError error;
    error.direct.vertices = {12.345, 2.0, 0.5, "walk", "hand_L", "body", 7, 0.25};
    error.direct.shell = {10.0, 1.0, 0.25, "run", "foot_L", {}, -1, 0.5};
    panel.setError(&(error = ck::seenFrom(error, {10.0, 1000.0, 90.0})), ck::Reading::Direct);
    QCOMPARE(cell(errors, QStringLiteral("At vertices, mm"), 1), QStringLiteral("12.35"));
    QCOMPARE(cell(errors, QStringLiteral("At vertices, mm"), 2), QStringLiteral("2.00"));
    QCOMPARE(cell(errors, QStringLiteral("At the shell (3 cm), mm"), 3), QStringLiteral("0.25"));
    // 50 pixels a metre.
    QCOMPARE(cell(errors, QStringLiteral("On the screen, px"), 1), QStringLiteral("0.62"));
    QCOMPARE(cell(errors, QStringLiteral("At vertices, mm"), 4),
             QStringLiteral("walk, hand_L, at 0.25 s"));
    QVERIFY(errors.item(1, 4)->text().contains(QStringLiteral("foot_L")));
    QVERIFY(errors.item(2, 1)->toolTip().contains(QStringLiteral("10.0 m, 1000 pixels high")));
    QVERIFY(errors.horizontalHeaderItem(0)->text().contains(QStringLiteral("joint by joint")));
    // The tables of the frame and of the error are pages.
    panel.show();
    QVERIFY(!errors.isVisible());
    toggle->setChecked(true);
    QVERIFY(errors.isVisible() && !tableWith(panel, 3).isVisible());
    // Judged as in the panel Bake: by colour, icon and word.
    panel.setError(&error, ck::Reading::Direct, {.vertexMm = 10.0, .pixels = 1.0});
    QCOMPARE(errors.item(0, 1)->foreground().color(), verdictColor(Verdict::Look));
    QVERIFY(errors.item(0, 1)->toolTip().startsWith(QStringLiteral("Look")));
    QVERIFY(!errors.item(0, 1)->icon().isNull() && errors.item(1, 1)->icon().isNull());
    QCOMPARE(errors.item(2, 1)->foreground().color(), verdictColor(Verdict::Good));
    panel.setError(nullptr, ck::Reading::Palette);
    QCOMPARE(cell(errors, QStringLiteral("At the shell (3 cm), mm"), 1), QStringLiteral("-"));
  }

  void levelsOfDetailHaveARowForEveryWayToDraw() {
    using Way = ck::render::DetailStats::Way;
    StatsPanel panel;
    panel.resize(900, 240);
    panel.show();
    QToolButton* levels = nullptr;
    QToolButton* error = nullptr;
    for (QToolButton* button : panel.findChildren<QToolButton*>()) {
      if (button->text() == QStringLiteral("Levels")) levels = button;
      if (button->text() == QStringLiteral("Error")) error = button;
    }
    QVERIFY(levels && error);
    error->setChecked(true);
    levels->setChecked(true);
    QVERIFY(!error->isChecked() && panel.levels().isVisible());
    QTableWidget& table = panel.levels().table();
    // A crowd at full detail is told so.
    panel.addFrame(frameOf(1.0, 2.0));
    panel.refresh();
    QVERIFY(!table.isVisible());
    QVERIFY(panel.levels().remark().contains(QStringLiteral("500000")));

    FrameStats stats = frameOf(1.0, 2.0);
    ck::render::DetailStats detail;
    detail.inView = 1000;
    detail.actors = 4000;
    detail.pixels = 4.0;
    const Way whole{
        .triangles = 5000, .influences = 4, .joints = 50, .errorMeters = 0.0, .actors = 5};
    const Way simple{.level = 1,
                     .triangles = 600,
                     .influences = 2,
                     .joints = 20,
                     .errorMeters = 0.0125,
                     .mostPixels = 320.0,
                     .actors = 95};
    const Way picture{
        .kind = Way::Kind::Picture, .errorMeters = 0.03, .mostPixels = 60.4, .actors = 300};
    const Way point{.kind = Way::Kind::Point, .mostPixels = 5.25, .actors = 500};
    detail.cast = {{0, {whole, simple, picture, point}}};
    detail.refusals = {{.actors = 12}, {.kind = Way::Kind::Picture, .bytes = 16 << 20}};
    stats.detail = detail;
    panel.setProject({QStringLiteral("guard"), QStringLiteral("dog")}, {});
    panel.addFrame(stats);
    panel.refresh();
    QVERIFY(table.isVisible());
    QCOMPARE(table.rowCount(), 4);
    const auto row = [&table](int at) {
      QStringList texts;
      for (int column = 0; column < table.columnCount(); ++column) {
        texts << table.item(at, column)->text();
      }
      return texts.join(u'|');
    };
    QCOMPARE(row(0), QStringLiteral("Whole mesh|5000|4|50|0.0|any|5|0.5 %"));
    QCOMPARE(row(1), QStringLiteral("Mesh 1|600|2|20|12.5|320|95|9.5 %"));
    QCOMPARE(row(2), QStringLiteral("Pictures|-|-|-|30.0|60|300|30.0 %"));
    QCOMPARE(row(3), QStringLiteral("Points|-|-|-|-|5.3|500|50.0 %"));
    const QString remark = panel.levels().remark();
    QVERIFY(remark.contains(QStringLiteral("4 pixels; 1 are asked for")));
    QVERIFY(remark.contains(QStringLiteral("1000 of 4000")));
    QVERIFY(remark.contains(QStringLiteral("refuses: the whole mesh of guard (12 actors)")));
    QVERIFY(remark.contains(QStringLiteral("refuses: the pictures of guard (16.0 MB)")));
    // Several characters are named.
    stats.detail->cast = {{0, {whole}}, {1, {simple}}};
    panel.addFrame(stats);
    panel.refresh();
    QCOMPARE(table.rowCount(), 2);
    QCOMPARE(table.item(1, 0)->text(), QStringLiteral("dog: Mesh 1"));
  }

  void theLastFrameOfAViewThatStandsStillIsShown() {
    StatsPanel panel;
    panel.show();
    const QTableWidget& passes = tableWith(panel, 3);
    panel.addFrame(frameOf(1.0, 2.0));
    panel.addFrame(frameOf(1.0, 4.0));
    QTRY_COMPARE(cell(passes, QStringLiteral("Crowd"), 1), QStringLiteral("3.00"));
  }

  void copiesWhatItShowsAsCsv() {
    StatsPanel panel;
    ck::render::ContextFacts facts;
    facts.renderer = "llvmpipe";
    facts.software = true;
    panel.setRenderer(facts);
    panel.show();
    panel.addFrame(frameOf(1.0, 2.0));
    panel.addFrame(frameOf(3.0, 6.0));
    panel.refresh();
    panel.findChild<QToolButton*>()->click();
    const QString csv = QApplication::clipboard()->text();
    QVERIFY(csv.contains(QStringLiteral("crowd cpu,4.000,")));
    QVERIFY(csv.contains(QStringLiteral("actors,2500,")));
    QVERIFY(csv.contains(QStringLiteral("software,yes,")));
    bool told = false;
    for (QLabel* label : panel.findChildren<QLabel*>()) {
      told = told || (label->isVisible() && label->text().contains(QStringLiteral("Software")));
    }
    QVERIFY(told);
  }

  void theGraphIsDrawnInTheColoursOfThePasses() {
    FrameGraph graph;
    graph.resize(240, 120);
    for (std::size_t i = 0; i < FrameGraph::kFrames; ++i) {
      graph.add({{"tick", 6.0, std::nullopt}, {"crowd", 6.0, std::nullopt}});
    }
    const QImage picture = graph.grab().toImage();
    int tick = 0;
    int crowd = 0;
    for (int y = 0; y < picture.height(); ++y) {
      const QColor color = picture.pixelColor(picture.width() / 2, y);
      const auto isNear = [&color](const QColor& other) {
        return std::abs(color.red() - other.red()) + std::abs(color.green() - other.green()) +
                   std::abs(color.blue() - other.blue()) <
               60;
      };
      tick += isNear(passLook("tick").color) ? 1 : 0;
      crowd += isNear(passLook("crowd").color) ? 1 : 0;
    }
    QVERIFY(tick > 15 && crowd > 15);
    QVERIFY(std::abs(tick - crowd) < 6);
  }

  void theGraphHasTheLinesOfItsRange_data() {
    QTest::addColumn<double>("frameMs");
    QTest::addColumn<double>("rangeMs");
    QTest::newRow("a fast frame") << 9.0 << 1000.0 / 60.0;
    QTest::newRow("between 60 and 30 a second") << 20.0 << 1000.0 / 30.0;
    QTest::newRow("a slow frame") << 90.0 << 100.0;
    QTest::newRow("a very slow frame") << 200.0 << 250.0;
    QTest::newRow("a frame above all lines") << 600.0 << 600.0;
  }
  void theGraphHasTheLinesOfItsRange() {
    QFETCH(double, frameMs);
    QFETCH(double, rangeMs);
    FrameGraph graph;
    graph.resize(400, 212);
    // One frame, at the right edge: elsewhere there are lines alone.
    graph.add({{"crowd", frameMs, std::nullopt}});
    const QImage picture = graph.grab().toImage();
    const double field = picture.height() - 12.0;  // between its margins
    const auto isLine = [&](double ms) {
      const int at = int(std::lround(picture.height() - 6.0 - ms / (rangeMs * 1.15) * field));
      int bright = 0;
      for (int x = 200; x < 360; ++x) {
        int most = 0;
        for (int y = at - 1; y <= at + 1; ++y) {
          if (y >= 0 && y < picture.height()) most = std::max(most, picture.pixelColor(x, y).red());
        }
        bright += most > colors::kBase.red() + 12 ? 1 : 0;
      }
      return bright > 60;
    };
    for (const double ms : {1000.0 / 60.0, 1000.0 / 30.0, 100.0, 250.0}) {
      QVERIFY2(isLine(ms) == (ms <= rangeMs * 1.15), qPrintable(QString::number(ms)));
    }
    QVERIFY(!isLine(rangeMs * 0.75));
  }

  void choosingShadowsIsNoUndoStep() {
    Document document;
    ActionTable table(nullptr, nullptr);
    QMenu view;
    addViewSettings(table, view, document);
    const QMenu* menu = view.actions()[0]->menu();
    const auto ticked = [menu] {
      QStringList names;
      for (QAction* action : menu->actions()) {
        if (action->isChecked()) names << action->text().remove(QLatin1Char('&'));
      }
      return names;
    };
    QCOMPARE(ticked(), QStringList{QStringLiteral("Automatic")});
    menu->actions()[1]->trigger();
    QCOMPARE(document.project().view.shadows, ck::Shadows::Cascades);
    QCOMPARE(ticked(), QStringList{QStringLiteral("Cascades")});
    menu->actions()[1]->trigger();
    QCOMPARE(ticked(), QStringList{QStringLiteral("Cascades")});
    menu->actions()[0]->trigger();
    QCOMPARE(document.project().view.shadows, ck::Shadows::Auto);
    QCOMPARE(ticked(), QStringList{QStringLiteral("Automatic")});
    QVERIFY(!document.undoStack().canUndo());
    QVERIFY(document.isModified());
  }

  void aRateOfTheProjectThatTheMenuHasNotIsKept() {
    Document document;
    document.edit(QStringLiteral("rate"), [](ck::Project& p) { p.view.tickRateHz = 12.5; });
    ActionTable table(nullptr, nullptr);
    QMenu view;
    addViewSettings(table, view, document);
    const QMenu* menu = view.actions()[1]->menu();
    for (QAction* action : menu->actions()) QVERIFY(!action->isChecked());
    QCOMPARE(document.project().view.tickRateHz, 12.5);
    menu->actions()[2]->trigger();
    QCOMPARE(document.project().view.tickRateHz, 30.0);
  }
};

CK_TEST(tst_stats_panel, QApplication)
#include "tst_stats_panel.moc"
