#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/skinning/cpu_skinning.h"
#include "core/view/drawn_as.h"
#include "render/view/framing.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/bake/bake_panel.h"
#include "ui/stats/stats_panel.h"
#include "ui/timeline/error_curves.h"
#include "ui/timeline/error_graph.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/viewport/error_legend.h"
#include "ui/viewport/spot_guide.h"
#include "ui/viewport/view_projection.h"
#include "ui/viewport/wipe_handle.h"

using namespace ck::ui;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

namespace {

// Pictures to be looked at lie beside the program.
QString allTextOf(QWidget& panel) {
  QString text;
  for (QLabel* label : panel.findChildren<QLabel*>()) text += label->text() + '\n';
  return text;
}

void keep(QWidget& widget, const char* name) {
  widget.grab().save(QStringLiteral(CK_PICTURES_DIR "/%1.png").arg(name));
}

}  // namespace

class tst_compare : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(stage_.open()); }
  void cleanupTestCase() { stage_.close(); }
  void init() {
    QVERIFY(stage_.activate());
    view().setFocus();
    view().setViewMode(ck::ViewMode::Baked);
    stage_.window->document().edit("Reset", [](ck::Project& project) {
      project.view = ck::ViewSettings();
      project.errorLimits = {};
    });
    stage_.window->playback().setSolo(-1);
    stage_.window->selection().clear();
  }

  void theLineIsDragged() {
    view().setViewMode(ck::ViewMode::Split);
    QVERIFY(view().isDivided());
    const int y = view().height() / 3;
    const auto at = [&](double x) { return QPoint(int(std::lround(x)), y); };
    const double width = view().width();
    QTest::mousePress(&view(), Qt::LeftButton, {}, at(view().wipe().x() + 5));
    QTest::mouseMove(&view(), at(width * 0.3 + 5));
    QCOMPARE(std::round(view().wipe().x()), std::round(width * 0.3));
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, at(width * 0.3 + 5));
    QTest::mouseMove(&view(), at(width * 0.6));
    QVERIFY(std::abs(settings().wipe - 0.3) < 2.0 / width);
    // Both names lie in their half and move with the line.
    QTRY_VERIFY(label("Source:") != nullptr && label("Baked:") != nullptr);
    QVERIFY(label("Source:")->geometry().right() < view().wipe().x());
    QVERIFY(label("Baked:")->geometry().left() > view().wipe().x());
    QVERIFY(label("Source:")->text().contains("humanoid.glb"));
    QVERIFY(label("Baked:")->text().contains("P16"));
    keep(*stage_.window, "compare_wipe");
    // Beside the line nothing is dragged.
    const double before = settings().wipe;
    QTest::mousePress(&view(), Qt::LeftButton, {}, at(before * width + 9));
    QTest::mouseMove(&view(), at(before * width + 60));
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, at(before * width + 60));
    QCOMPARE(settings().wipe, before);
    doubleClick(view(), at(before * width));
    QCOMPARE(settings().wipe, 0.5);
  }

  void escapeEndsADrag() {
    view().setViewMode(ck::ViewMode::Split);
    stage_.window->selection().set({0});
    const int y = view().height() / 3;
    const int middle = int(view().wipe().x());
    QTest::mousePress(&view(), Qt::LeftButton, {}, {middle, y});
    QTest::mouseMove(&view(), {middle / 2, y});
    QVERIFY(settings().wipe < 0.3);
    QTest::keyClick(&view(), Qt::Key_Escape);
    QCOMPARE(settings().wipe, 0.5);
    QTest::mouseMove(&view(), {middle / 3, y});
    QCOMPARE(settings().wipe, 0.5);
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, {middle / 3, y});
    QCOMPARE(stage_.window->selection().actors(), std::vector<int>{0});
  }

  void theLeftButtonAloneHasTheLine() {
    view().setViewMode(ck::ViewMode::Split);
    const int y = view().height() / 3;
    const int middle = int(view().wipe().x());
    QTest::mousePress(&view(), Qt::LeftButton, {}, {middle, y});
    QTest::mouseMove(&view(), {middle / 2, y});
    QTest::mouseRelease(&view(), Qt::MiddleButton, {}, {middle / 2, y});
    QVERIFY(view().wipe().isDragged());
    QTest::mousePress(&view(), Qt::RightButton, {}, {middle / 2, y});
    QVERIFY(!view().wipe().isDragged());
    QCOMPARE(settings().wipe, 0.5);
    QTest::mouseRelease(&view(), Qt::RightButton, {}, {middle / 2, y});
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, {middle / 2, y});
    QTest::mousePress(&view(), Qt::LeftButton, {}, {middle, y});
    QTest::mouseMove(&view(), {middle / 2, y});
    view().clearFocus();
    QVERIFY(!view().wipe().isDragged());
    QCOMPARE(settings().wipe, 0.5);
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, {middle / 2, y});
    view().setFocus();
  }

  // Figures or not, a divided view says what its halves are.
  void namesAndScaleAreNoFigures() {
    stage_.window->viewportFrame().setFiguresVisible(false);
    view().setViewMode(ck::ViewMode::Split);
    QTRY_VERIFY((view().update(), label("Source:") != nullptr));
    view().setViewMode(ck::ViewMode::Error);
    QTRY_VERIFY((view().update(), label("Source:") == nullptr));
    QTRY_VERIFY((view().update(), stage_.window->viewportFrame().legend().isVisible()));
    view().setViewMode(ck::ViewMode::Baked);
    QTRY_VERIFY((view().update(), !stage_.window->viewportFrame().legend().isVisible()));
    stage_.window->viewportFrame().setFiguresVisible(true);
  }

  // A half that is too narrow for its name has none.
  void namesStayInTheirHalf() {
    view().setViewMode(ck::ViewMode::Split);
    QTRY_VERIFY((view().update(), label("Source:") != nullptr));
    for (const double wipe : {0.02, 0.12, 0.5, 0.97}) {
      setWipe(wipe);
      QTRY_COMPARE(settings().wipe, wipe);
      const double x = view().wipe().x();
      for (QLabel* one : stage_.window->findChildren<QLabel*>(QStringLiteral("hud"))) {
        if (!one->isVisible()) continue;
        if (one->text().startsWith("Source:")) QVERIFY(one->geometry().right() < x);
        if (one->text().startsWith("Baked:")) {
          QVERIFY(one->geometry().left() > x);
          QVERIFY(one->geometry().right() < view().width());
        }
      }
    }
  }

  void keysFlipAndDivide() {
    QTest::keyPress(&view(), Qt::Key_Backslash);
    QCOMPARE(view().viewMode(), ck::ViewMode::Source);
    QTest::keyRelease(&view(), Qt::Key_Backslash);
    QCOMPARE(view().viewMode(), ck::ViewMode::Baked);
    view().setViewMode(ck::ViewMode::Source);
    QTest::keyPress(&view(), Qt::Key_Backslash);
    QCOMPARE(view().viewMode(), ck::ViewMode::Baked);
    // The release goes elsewhere where the window loses the focus.
    view().clearFocus();
    QCOMPARE(view().viewMode(), ck::ViewMode::Source);
    view().setFocus();
    QTest::keyClick(&view(), Qt::Key_Backslash, Qt::ShiftModifier);
    QCOMPARE(view().viewMode(), ck::ViewMode::Split);
    QTest::keyClick(&view(), Qt::Key_Backslash, Qt::ControlModifier);
    QCOMPARE(view().viewMode(), ck::ViewMode::Error);
    QTest::keyClick(&view(), Qt::Key_Backslash, Qt::ControlModifier);
    QCOMPARE(view().viewMode(), ck::ViewMode::Split);
    QTest::keyClick(&view(), Qt::Key_Backslash, Qt::ShiftModifier);
    QVERIFY(view().viewMode() != ck::ViewMode::Split);
  }

  void theScaleIsSetOrFits() {
    // Figures follow a view that stands still, also where its last frame comes right after another.
    QTest::qWait(300);
    view().repaint();
    view().setViewMode(ck::ViewMode::Error);
    view().repaint();
    QTRY_VERIFY(view().renderer()->stats().errorView.has_value());
    ErrorLegend& legend = stage_.window->viewportFrame().legend();
    QTRY_VERIFY(legend.isVisible());
    const double seen = view().renderer()->stats().errorView->scaleMm;
    QAction* freeze = stage_.action("Fit to what is seen &now");
    QVERIFY(freeze != nullptr);
    freeze->trigger();
    QVERIFY(settings().errorScaleMm > 0.0 && settings().errorScaleMm <= seen);
    const double frozen = settings().errorScaleMm;
    turnWheel(legend, 120);
    QVERIFY(settings().errorScaleMm > 1.9 * frozen && settings().errorScaleMm < 2.6 * frozen);
    turnWheel(legend, -120);
    QVERIFY(std::abs(settings().errorScaleMm - frozen) < 1e-9);
    // Fine wheels turn by less than a step at once.
    for (int i = 0; i < 3; ++i) turnWheel(legend, 30);
    QVERIFY(std::abs(settings().errorScaleMm - frozen) < 1e-9);
    turnWheel(legend, 30);
    QVERIFY(settings().errorScaleMm > 1.9 * frozen);
    doubleClick(legend, legend.rect().center());
    auto* dialog = stage_.window->findChild<QInputDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->setDoubleValue(3.25);
    dialog->accept();
    QCOMPARE(settings().errorScaleMm, 3.25);
    QTRY_COMPARE(view().renderer()->stats().errorView->scaleMm, 3.25);
    keep(*stage_.window, "compare_scale");
  }

  // A clip of minutes has thousands of moments in a pixel.
  void aLineIsThinnedToWhatIsSeen() {
    QPolygonF line;
    for (int i = 0; i < 100'000; ++i) {
      const double x = i / 1000.0;
      line << QPointF(x, 40.0 + 30.0 * std::sin(x) + 5.0 * std::sin(977.0 * i));
    }
    const QPolygonF thin = thinnedLine(line);
    QVERIFY2(thin.size() <= 4 * 100, qPrintable(QString::number(thin.size())));
    QCOMPARE(thin.first(), line.first());
    QCOMPARE(thin.last(), line.last());
    // The ends of every column of pixels, by a count of its own.
    std::array<double, 100> high, low, thinHigh, thinLow;
    for (auto* ends : {&high, &thinHigh}) ends->fill(1e9);
    for (auto* ends : {&low, &thinLow}) ends->fill(-1e9);
    const auto widen = [](const QPolygonF& of, auto& up, auto& down) {
      for (const QPointF& at : of) {
        up[std::size_t(at.x())] = std::min(up[std::size_t(at.x())], at.y());
        down[std::size_t(at.x())] = std::max(down[std::size_t(at.x())], at.y());
      }
    };
    widen(line, high, low);
    widen(thin, thinHigh, thinLow);
    QVERIFY(high == thinHigh && low == thinLow);
    for (qsizetype i = 1; i < thin.size(); ++i) QVERIFY(thin[i].x() > thin[i - 1].x());
    const QPolygonF few{QPointF(1, 2), QPointF(8, 3)};
    QCOMPARE(thinnedLine(few), few);
    QVERIFY(thinnedLine({}).isEmpty());
  }

  void theErrorIsDrawnOverTime() {
    ErrorGraph& graph = errorGraph();
    ErrorCurves& curves = *stage_.window->findChild<ErrorCurves*>();
    QTRY_VERIFY_WITH_TIMEOUT(curves.moments() != nullptr, kPatienceMs);
    const ck::ErrorMoment worst = *curves.worst();
    const auto place = graph.placeOf(worst);
    QVERIFY(place.has_value());
    for (const ck::ErrorMoment& moment : *curves.moments()) {
      QVERIFY(graph.placeOf(moment)->y() >= place->y());
    }
    QTest::mouseMove(&graph, place->toPoint());
    QVERIFY2(graph.readout().contains(QLocale().toString(worst.mm, 'g', 3)),
             qPrintable(graph.readout()));
    QTest::mouseClick(&graph, Qt::LeftButton, {}, place->toPoint());
    const auto clip = stage_.window->playback().shownClip();
    QVERIFY(std::abs(stage_.window->playback().shownFrame() - worst.unit * (clip->frameCount - 1)) <
            0.05);
    stage_.window->document().edit(
        "Limit", [&](ck::Project& project) { project.errorLimits.vertexMm = 0.5 * worst.mm; });
    keep(*stage_.window, "compare_graph");
    // Another clip has another curve.
    stage_.window->playback().setShownClip(1);
    QTRY_VERIFY_WITH_TIMEOUT(curves.moments() != nullptr, kPatienceMs);
    QCOMPARE(curves.atlasClip(), 1);
    stage_.window->playback().setShownClip(0);
    QVERIFY(curves.moments() != nullptr);  // kept
  }

  // The actor is in the pose that the figure states: its vertex is that far from the source.
  void theWorstPlaceIsShown() {
    MainWindow& window = *stage_.window;
    QTRY_VERIFY_WITH_TIMEOUT(window.session().error(0) != nullptr, kPatienceMs);
    const ck::ErrorFigure figure = window.session().error(0)->palette.vertices;
    window.guide().goToWorst();
    QVERIFY(window.guide().isMarked());
    QCOMPARE(int(window.selection().actors().size()), 1);
    const int actor = window.selection().actors().front();
    const std::uint32_t visible = window.playback().visibleOf({actor}).front();
    const ck::Crowd& crowd = window.playback().crowd()->crowds()[0];
    const ck::CharacterPtr rig = window.session().character(0);
    const ck::AtlasPtr atlas = window.session().atlas(0);
    const ck::CrowdClip& clip = crowd.clips()[std::size_t(crowd.clipOf(visible))];
    QCOMPARE(atlas->clips[std::size_t(clip.atlasClip)].name, figure.worstClip);
    const auto mesh = std::ranges::find(rig->meshes, figure.worstMesh, &ck::Mesh::name);
    const auto skins =
        ck::atlasSkinMatrices(*atlas, clip.atlasClip, crowd.unitOf(visible), ck::Reading::Palette);
    const auto source = std::ranges::find(rig->clips, figure.worstClip, &ck::Clip::name);
    const auto file = ck::skinMatricesAt(rig->rig, *source, figure.worstTimeSeconds);
    const auto posed =
        ck::skinMesh(*mesh, skins, {.influenceLimit = atlas->recipe.influences}).positions;
    const auto belongs = ck::skinMesh(*mesh, file).positions;
    const auto vertex = std::size_t(figure.worstVertex);
    const double mm = 1000.0 * glm::distance(posed[vertex], belongs[vertex]);
    // Morphs are left out here, and the moment is found to a ten-thousandth of a cycle.
    QVERIFY2(std::abs(mm - figure.max) < 0.25 * figure.max + 0.05,
             qPrintable(QString("%1, not %2").arg(mm).arg(figure.max)));
    // The ring is where the vertex is.
    const ck::ActorRecords records = crowd.instances();
    const ck::gpu::CkPlace& place = records.places()[visible];
    const glm::vec3 world =
        place.position + ck::gpu::ck_rotate(place.rotation, place.scale * glm::vec3(posed[vertex]));
    const auto at = view().projection().at(glm::dvec3(world));
    const auto marked = window.guide().markedPlace();
    QVERIFY(at && marked);
    QVERIFY(std::hypot(at->x() - marked->x(), at->y() - marked->y()) < 3.0);
    QVERIFY(view().rect().contains(marked->toPoint()));
    QVERIFY(window.guide().markedText().contains(QString::fromStdString(figure.worstJoint)));
    QTest::qWait(0);
    keep(window, "compare_worst");
    window.selection().clear();
    QVERIFY(!window.guide().isMarked());
  }

  void worstPlacesAreClicked() {
    MainWindow& window = *stage_.window;
    QTRY_VERIFY_WITH_TIMEOUT(window.session().error(0) != nullptr, kPatienceMs);
    emit window.panel<StatsPanel>().errorTable().cellClicked(0, 4);
    QVERIFY(window.guide().isMarked());
    window.guide().clearMark();
    emit window.panel<StatsPanel>().errorTable().cellClicked(0, 1);
    QVERIFY(!window.guide().isMarked());
    for (QLabel* one : window.findChildren<QLabel*>()) {
      if (one->text().contains("worst:direct")) emit one->linkActivated("worst:direct");
    }
    QVERIFY(window.guide().isMarked());
    window.guide().clearMark();
    ErrorGraph& graph = errorGraph();
    ErrorCurves& curves = *window.findChild<ErrorCurves*>();
    QTRY_VERIFY_WITH_TIMEOUT(curves.worst() != nullptr, kPatienceMs);
    doubleClick(graph, graph.placeOf(*curves.worst())->toPoint());
    QVERIFY(window.guide().isMarked());
    window.playback().setPlaying(true);
    QVERIFY(!window.guide().isMarked());
    window.playback().setPlaying(false);
  }

  // The panel Bake and the graph name one worst place.
  void theGraphHasTheWorstThatIsMeasured() {
    MainWindow& window = *stage_.window;
    QTRY_VERIFY_WITH_TIMEOUT(window.session().error(0) != nullptr, kPatienceMs);
    const ck::ErrorFigure figure = window.session().error(0)->palette.vertices;
    window.guide().goToWorst();
    ErrorCurves& curves = *window.findChild<ErrorCurves*>();
    QTRY_VERIFY_WITH_TIMEOUT(curves.worst() != nullptr, kPatienceMs);
    QCOMPARE(curves.worst()->mm, figure.max);
    QCOMPARE(curves.worst()->vertex, figure.worstVertex);
    QVERIFY(std::ranges::is_sorted(*curves.moments(), {}, &ck::ErrorMoment::unit));
  }

  // The time line is about the actor that is selected alone: playhead, words and clicks.
  void theTimeLineShowsTheSelectedActor() {
    MainWindow& window = *stage_.window;
    Playback& playback = window.playback();
    window.document().edit("Own pace", [](ck::Project& project) {
      ck::Actor actor = project.actors[5];
      actor.clip = 0;
      actor.offset = 0.37f;
      actor.rate = 1.06f;
      project.actors.set(5, actor);
    });
    playback.seek(1.3);
    window.selection().set({5});
    QCOMPARE(playback.followedActor(), 5);
    const auto unit = [&] {
      const std::uint32_t visible = playback.visibleOf({5}).front();
      return playback.crowd()->crowds()[0].unitOf(visible);
    };
    const double last = playback.shownClip()->frameCount - 1;
    QVERIFY(std::abs(playback.shownFrame() - unit() * last) < 1e-6);
    const double alone = playback.shownFrame();
    QVERIFY(allTextOf(window.panel<TimelinePanel>()).contains("actor 6"));
    for (const double frame : {3.0, 0.0, last, 0.5 * last, 1.0}) {
      window.panel<TimelinePanel>().ruler().scrubTo(frame);
      QVERIFY2(std::abs(unit() * last - frame) < 0.01,
               qPrintable(QString("%1 for %2").arg(unit() * last).arg(frame)));
      QVERIFY(std::abs(playback.shownFrame() - frame) < 0.01);
      // It stays in its cycle.
      QVERIFY(playback.timeSeconds() < 1.3 + 2.0 * playback.shownClip()->durationSeconds);
    }
    // Of several actors, and of none, it is the crowd's clock.
    playback.seek(1.3);
    window.selection().set({5, 6});
    QCOMPARE(playback.followedActor(), -1);
    QVERIFY(std::abs(playback.shownFrame() - alone) > 0.5);
    QVERIFY(!allTextOf(window.panel<TimelinePanel>()).contains("actor 6"));
    window.selection().clear();
    QCOMPARE(playback.followedActor(), -1);
  }

  void nobodyStandsBeforeTheWorstPlace() {
    MainWindow& window = *stage_.window;
    QTRY_VERIFY_WITH_TIMEOUT(window.session().error(0) != nullptr, kPatienceMs);
    ck::render::Camera level;
    level.pitch = 0.0;
    for (const double yaw : {0.0, 1.57, 3.14, -1.57, 0.4}) {
      level.yaw = yaw;
      view().goTo(level);
      window.guide().goToWorst();
      const std::uint32_t visible =
          window.playback().visibleOf(window.selection().actors()).front();
      const ck::MixedCrowd& crowd = *window.playback().crowd();
      const glm::dvec3 middle =
          glm::dvec3(crowd.crowds()[0].instances().places()[visible].position) +
          glm::dvec3(0.0, 1.0, 0.0);
      const int before = ck::render::actorsBetween(ck::render::eyeOf(view().camera()), middle,
                                                   crowd, window.session().entries(), visible);
      QCOMPARE(before, 0);
    }
  }

  void keysOfComparingWorkInPanels() {
    MainWindow& window = *stage_.window;
    window.guide().goToWorst();
    QLabel* link = nullptr;
    for (QLabel* one : window.panel<BakePanel>().findChildren<QLabel*>()) {
      if (one->isVisible() && one->text().contains("worst:palette")) link = one;
    }
    QVERIFY(link != nullptr);
    link->setFocus();
    QTest::keyPress(link, Qt::Key_Backslash);
    QCOMPARE(view().viewMode(), ck::ViewMode::Source);
    QTest::keyRelease(link, Qt::Key_Backslash);
    QCOMPARE(view().viewMode(), ck::ViewMode::Baked);
    QTest::keyClick(link, Qt::Key_Bar, Qt::ShiftModifier);
    QCOMPARE(view().viewMode(), ck::ViewMode::Split);
    QVERIFY(window.guide().isMarked());
    // The same actor, selected again, keeps its ring.
    const std::vector<int> same = window.selection().actors();
    window.selection().set({});
    QVERIFY(!window.guide().isMarked());
    window.guide().goToWorst();
    window.selection().set(same);
    QVERIFY(window.guide().isMarked());
    view().setFocus();
  }

  // A clip that no actor plays is shown by all.
  void aClipThatNobodyPlaysIsShownSolo() {
    MainWindow& window = *stage_.window;
    window.document().edit("One clip", [](ck::Project& project) {
      for (std::size_t i = 0; i < project.actors.size(); ++i) {
        ck::Actor actor = project.actors[i];
        actor.clip = 0;
        project.actors.set(i, actor);
      }
    });
    ck::ErrorMoment moment;
    moment.unit = 0.5;
    moment.joint = 0;
    window.guide().goToMoment(moment, 0, 1);
    QVERIFY(window.guide().isMarked());
    QVERIFY(window.playback().solo() >= 0);
    QCOMPARE(window.playback().shownIndex(), window.playback().solo());
    const std::uint32_t visible = window.playback().visibleOf(window.selection().actors()).front();
    const ck::Crowd& crowd = window.playback().crowd()->crowds()[0];
    QVERIFY(std::abs(crowd.unitOf(visible) - 0.5) < 2e-3);
  }

  // A clip that plays once has passed the moment long ago.
  void aMomentOfAClipThatPlaysOnceIsShown() {
    MainWindow& window = *stage_.window;
    window.document().edit("Once", [](ck::Project& project) {
      for (std::size_t i = 0; i < project.actors.size(); ++i) {
        ck::Actor actor = project.actors[i];
        actor.clip = 0;
        actor.loop = ck::LoopMode::Once;
        actor.offset = 0.0f;
        actor.rate = 1.0f;
        project.actors.set(i, actor);
      }
    });
    window.playback().seek(60.0);
    ck::ErrorMoment moment;
    moment.unit = 0.4;
    moment.joint = 0;
    window.guide().goToMoment(moment, 0, 0);
    QVERIFY(window.guide().isMarked());
    const std::uint32_t visible = window.playback().visibleOf(window.selection().actors()).front();
    QVERIFY(std::abs(window.playback().crowd()->crowds()[0].unitOf(visible) - 0.4) < 2e-3);
    // The ring follows another time.
    const QPointF before = *window.guide().markedPlace();
    window.playback().seek(window.playback().timeSeconds() + 0.3);
    QVERIFY(window.guide().markedPlace() != before);
    keep(window, "compare_once");
    window.selection().clear();
    window.playback().seek(0.0);
  }

  void linesAreViewSwitches() {
    const char* const texts[] = {"&Skeleton", "Joint &axes", "&Bounds", "&Wireframe"};
    const QImage before = view().grab().toImage();
    for (const char* text : texts) {
      QAction* action = stage_.action(text);
      QVERIFY2(action != nullptr, text);
      action->trigger();
      QVERIFY(action->isChecked());
      const QImage lined = view().grab().toImage();
      QVERIFY2(ck::test::differences(before, lined) > 200, text);
      if (QByteArray(text) == "&Skeleton") keep(*stage_.window, "compare_skeleton");
      action->trigger();
    }
    QVERIFY(!settings().lines.skeleton && !settings().wireframe);
    for (QMenu* menu : stage_.window->findChildren<QMenu*>()) {
      menu->adjustSize();
      if (menu->title() == "&View") keep(*menu, "compare_menu");
      if (menu->title() == "Lines o&ver actors") keep(*menu, "compare_lines_menu");
    }
    QTest::keyClick(&view(), Qt::Key_B);
    QVERIFY(settings().lines.skeleton);
  }

 private:
  ViewportWidget& view() { return *stage_.viewport; }
  const ck::ViewSettings& settings() { return stage_.window->document().project().view; }
  ErrorGraph& errorGraph() { return stage_.window->panel<TimelinePanel>().errorGraph(); }
  QLabel* label(const char* start) {
    for (QLabel* one : stage_.window->findChildren<QLabel*>(QStringLiteral("hud"))) {
      if (one->isVisible() && one->text().startsWith(start)) return one;
    }
    return nullptr;
  }
  void setWipe(double wipe) {
    stage_.window->document().edit("Wipe",
                                   [wipe](ck::Project& project) { project.view.wipe = wipe; });
  }
  static void doubleClick(QWidget& widget, const QPoint& place) {
    QTest::mouseDClick(&widget, Qt::LeftButton, {}, place);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, place);
  }
  static void turnWheel(QWidget& widget, int angle) {
    const QPointF middle = QRectF(widget.rect()).center();
    QWheelEvent event(middle, widget.mapToGlobal(middle.toPoint()), {}, {0, angle}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
  }

  WindowStage stage_;
};

CK_TEST(tst_compare, ck::test::EditorApplication)
#include "tst_compare.moc"
