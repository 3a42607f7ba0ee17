#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "core/crowd/formations.h"
#include "core/project/actors/respawn.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/characters/props_box.h"
#include "ui/document/prop_session.h"
#include "ui/tools/brush_bar.h"
#include "ui/tools/crowd_tools.h"
#include "ui/viewport/ground_lines.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/view_projection.h"

using namespace ck::ui;
using ck::Actor;
using ck::Formation;
using ck::Project;
using ck::test::WindowStage;

// The brush and the path by mouse and keys in the whole window, and the fields of formations.
class tst_brush_tool : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    viewport_ = stage_.viewport;
    tools_ = viewport_->findChild<CrowdTools*>();
    QVERIFY(tools_);
    QVERIFY(stage_.activate());
  }
  void cleanupTestCase() { stage_.close(); }

  void init() {
    QVERIFY(window_);
    window_->document().edit("Grid of 60", [](Project& p) {
      p.crowds.front().spawn = {};
      p.actors = {};
    });
    field<QSpinBox>("Number of actors")->setValue(60);
    viewport_->frameAll();
    window_->playback().seek(0.0);
    window_->document().undoStack().clear();
  }
  void cleanup() {
    if (!window_) return;
    tools_->setBrushing(false);
    tools_->setDrawing(false);
  }

  void aKeyTakesTheBrushAndGivesItBack() {
    viewport_->setFocus();
    QTest::keyClick(viewport_, Qt::Key_P);
    QCOMPARE(viewport_->tool(), &tools_->brush());
    QVERIFY(tools_->bar().isVisible());
    QVERIFY(stage_.action("&Brush")->isChecked());
    const double before = tools_->brush().settings().radiusMeters;
    QTest::keyClick(viewport_, Qt::Key_BracketRight);
    QVERIFY(tools_->brush().settings().radiusMeters > before);
    QTest::keyClick(viewport_, Qt::Key_BracketLeft);
    QVERIFY(std::abs(tools_->brush().settings().radiusMeters - before) < 1e-9);
    auto* radius = tools_->bar().findChild<QDoubleSpinBox*>();
    radius->setValue(3.25);
    QCOMPARE(tools_->brush().settings().radiusMeters, 3.25);
    // Escape leaves it although actors are selected, which it would otherwise deselect.
    window_->selection().set({1, 2});
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QVERIFY(viewport_->tool() != &tools_->brush());
    QVERIFY(!tools_->bar().isVisible());
    QVERIFY(!stage_.action("&Brush")->isChecked());
    QCOMPARE(window_->selection().actors().size(), std::size_t{2});
    window_->selection().clear();
  }

  void aStrokeErasesWhatItPassesInOneStep() {
    take(ck::BrushMode::Erase, 1.3);
    const Project before = project();
    drag({{-3.0, 0.0}, {0.0, 0.0}, {3.0, 0.0}}, false);
    picture("brush_erase");
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, at({3.0, 0.0}));
    int erased = 0;
    for (std::size_t i = 0; i < before.actors.size(); ++i) {
      erased += toStroke(before.actors[i], 3.0) < 1.3 - 0.1 ? 1 : 0;
    }
    QVERIFY(erased > 3);
    for (std::size_t i = 0; i < project().actors.size(); ++i) {
      QVERIFY(toStroke(project().actors[i], 3.0) > 1.3 - 0.1);
    }
    QVERIFY(std::abs(int(before.actors.size() - project().actors.size()) - erased) < 5);
    QCOMPARE(field<QSpinBox>("Number of actors")->value(), int(project().actors.size()));
    QCOMPARE(window_->document().undoStack().count(), 1);
    window_->document().undoStack().undo();
    QVERIFY(project().actors == before.actors);
  }

  void shiftErasesOnlyWhileItIsHeld() {
    take(ck::BrushMode::Place, 1.0);
    viewport_->setFocus();
    const auto colour = [&] {
      const QImage view = viewport_->grab().toImage();
      const QPoint edge = at({1.0, 0.0}) * viewport_->devicePixelRatioF();
      int red = 0;
      int green = 0;
      for (int dx = -3; dx <= 3; ++dx) {
        const QColor one = view.pixelColor(edge + QPoint(dx, 0));
        red = std::max(red, one.red() - one.green());
        green = std::max(green, one.green() - one.red());
      }
      return red > green ? "red" : "green";
    };
    const auto rest = [&] {
      QMouseEvent move(QEvent::MouseMove, at({0.0, 0.0}), viewport_->mapToGlobal(at({0.0, 0.0})),
                       Qt::NoButton, Qt::NoButton, {});
      QApplication::sendEvent(viewport_, &move);
    };
    rest();
    QCOMPARE(colour(), "green");
    QTest::keyPress(viewport_, Qt::Key_Shift);
    QCOMPARE(colour(), "red");
    QTest::keyRelease(viewport_, Qt::Key_Shift, Qt::ShiftModifier);
    QCOMPARE(colour(), "green");
  }

  void walkersThatArePlacedLaterAreExplainedOnce() {
    NotificationBar& bar = window_->viewportFrame().notifications();
    const auto drawLeg = [&](double z) {
      tools_->setDrawing(true);
      for (const double x : {-2.0, 2.0}) {
        QTest::mouseClick(viewport_, Qt::LeftButton, {}, at({x, z}));
      }
      window_->document().edit("Walk", [](Project& p) {
        for (std::size_t i = 0; i < p.actors.size(); ++i) {
          Actor one = p.actors[i];
          one.travels = true;
          p.actors.set(i, one);
        }
      });
      QTest::mouseClick(viewport_, Qt::LeftButton, {}, at({3.0, z + 1.0}));
      tools_->setDrawing(false);
    };
    drawLeg(0.0);
    QVERIFY(!bar.current());
    window_->playback().seek(1.5);
    drawLeg(2.0);
    QVERIFY(bar.current());
    QVERIFY2(bar.current()->text.contains("time 0"), qPrintable(bar.current()->text));
    QCoreApplication::processEvents();
    picture("walkers_leave");
    QTest::mouseClick(bar.findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(window_->playback().timeSeconds(), 0.0);
    QVERIFY(!bar.current());
    window_->playback().seek(1.5);
    drawLeg(-2.0);
    QVERIFY(!bar.current());
  }

  void theSelectionMeansTheSameActors() {
    take(ck::BrushMode::Erase, 1.3);
    const std::vector<Actor> before = project().actors.toVector();
    // Somebody whom the stroke erases, and the last one.
    int victim = 0;
    while (toStroke(before[std::size_t(victim)], 3.0) > 1.1) ++victim;
    QVERIFY(victim < 59);
    window_->selection().set({victim, 59});
    drag({{-3.0, 0.0}, {0.0, 0.0}, {3.0, 0.0}}, false);
    const auto isLast = [&] {
      const std::vector<int>& now = window_->selection().actors();
      return now.size() == 1 && now[0] == int(project().actors.size()) - 1 &&
             project().actors[std::size_t(now[0])] == before[59];
    };
    QVERIFY(project().actors.size() < 60);
    QVERIFY(isLast());
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QCOMPARE(project().actors.size(), std::size_t{60});
    QCOMPARE(window_->selection().actors(), (std::vector<int>{victim, 59}));
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, at({3.0, 0.0}));
    drag({{-3.0, 0.0}, {0.0, 0.0}, {3.0, 0.0}}, true);
    QVERIFY(isLast());
    // With the same actors there again, the same are selected.
    window_->document().undoStack().undo();
    QCOMPARE(window_->selection().actors(), (std::vector<int>{victim, 59}));
    // The first one has its number still.
    window_->selection().set({0, 59});
    window_->document().undoStack().redo();
    QCOMPARE(window_->selection().actors(), std::vector<int>{0});
  }

  void fewerActorsLeaveTheSelectionRight() {
    window_->document().edit("By hand", [](Project& p) {
      Actor own = p.actors[50];
      own.byHand = true;
      p.actors.set(50, own);
    });
    const Actor own = project().actors[50];
    window_->selection().set({3, 40, 50});
    field<QSpinBox>("Number of actors")->setValue(20);
    QCOMPARE(window_->selection().actors(), (std::vector<int>{3, 19}));
    QVERIFY(project().actors[19] == own);
    // More of them come behind those that are there.
    field<QSpinBox>("Number of actors")->setValue(40);
    QCOMPARE(window_->selection().actors(), (std::vector<int>{3, 19}));
    QVERIFY(project().actors[19] == own);
  }

  void theLineOfADividedViewComesFirst() {
    take(ck::BrushMode::Place, 1.0);
    QTest::mouseMove(viewport_, QPoint(40, 40));
    QCOMPARE(viewport_->cursor().shape(), Qt::CrossCursor);
    viewport_->setViewMode(ck::ViewMode::Split);
    const QPoint line(int(viewport_->wipe().x()), viewport_->height() / 3);
    QTest::mouseMove(viewport_, line);
    QCOMPARE(viewport_->cursor().shape(), Qt::SplitHCursor);
    QTest::mouseMove(viewport_, line + QPoint(60, 0));
    QCOMPARE(viewport_->cursor().shape(), Qt::CrossCursor);
    QTest::mouseMove(viewport_, line);
    tools_->setBrushing(false);
    QCOMPARE(viewport_->cursor().shape(), Qt::SplitHCursor);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(viewport_, &leave);
    QCOMPARE(viewport_->cursor().shape(), Qt::ArrowCursor);
    viewport_->setViewMode(ck::ViewMode::Baked);
  }

  void aToolTakesNoMoreKeysThanItHas() {
    const auto takes = [this](Qt::Key key) {
      QKeyEvent event(QEvent::ShortcutOverride, key, {});
      event.ignore();
      QCoreApplication::sendEvent(viewport_, &event);
      return event.isAccepted();
    };
    take(ck::BrushMode::Place, 1.0);
    QVERIFY(takes(Qt::Key_BracketLeft) && takes(Qt::Key_Escape));
    QVERIFY(!takes(Qt::Key_Delete) && !takes(Qt::Key_Return));
    tools_->setDrawing(true);
    QVERIFY(takes(Qt::Key_Delete) && takes(Qt::Key_Return) && takes(Qt::Key_Escape));
  }

  void dealtClipsAloneCanBeChosen() {
    take(ck::BrushMode::Place, 1.0);
    QComboBox* clips = nullptr;
    for (QComboBox* box : tools_->bar().findChildren<QComboBox*>()) {
      if (box->accessibleName() == "Clip to place") clips = box;
    }
    QVERIFY(clips);
    window_->document().edit("Two clips", [](Project& p) {
      for (ck::ProjectClip& clip : p.characters[0].clips) clip.ticked = false;
      p.characters[0].clips[0].ticked = p.characters[0].clips[2].ticked = true;
    });
    QCOMPARE(clips->count(), 3);
    QCOMPARE(clips->itemData(2).toInt(), 2);
    clips->setCurrentIndex(2);
    emit clips->activated(2);
    const std::size_t before = project().actors.size();
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, at({0.0, 9.0}));
    QVERIFY(project().actors.size() > before);
    for (std::size_t i = before; i < project().actors.size(); ++i) {
      QCOMPARE(project().actors[i].clip, 2);
    }
    ck::BrushSettings gone = tools_->brush().settings();
    gone.character = 5;
    tools_->brush().setSettings(gone);
    QCOMPARE(tools_->brush().settings().character, -1);
    while (window_->document().undoStack().canUndo()) window_->document().undoStack().undo();
  }

  void aViewWithoutPerspectiveHasItsGround() {
    ck::render::Camera camera;
    camera.orthographic = true;
    for (const double meters : {6.0, 300.0}) {
      camera.distance = meters;
      const ViewProjection view(camera, QSizeF(800.0, 600.0));
      const glm::dvec3 place(0.2 * meters, 0.0, -0.1 * meters);
      const auto point = groundPoint(view, *view.at(place), nullptr);
      QVERIFY(point);
      QVERIFY(glm::distance(*point, place) < 1e-3 * meters);
    }
  }

  void placedActorsStayWhereTheyAre() {
    take(ck::BrushMode::Place, 2.0);
    const std::size_t before = project().actors.size();
    // In front of the grid, which is 8 wide and as deep, 1.6 m each.
    drag({{-4.0, 8.5}, {4.0, 8.5}}, true);
    picture("brush_place");
    const std::size_t after = project().actors.size();
    QVERIFY(after > before + 4);
    QCOMPARE(window_->document().undoStack().count(), 1);
    const std::vector<Actor> all = project().actors.toVector();
    for (std::size_t i = before; i < after; ++i) {
      QVERIFY(all[i].byHand);
      const double x = std::clamp(double(all[i].position.x), -4.0, 4.0);
      QVERIFY(std::hypot(double(all[i].position.x) - x, double(all[i].position.z) - 8.5) < 2.1);
      for (std::size_t j = 0; j < after; ++j) {
        if (j == i) continue;
        QVERIFY(glm::length(all[i].position - all[j].position) >
                float(project().crowds.front().spawn.spacingMeters) - 1e-3f);
      }
    }
    // The other formation moves those that were dealt; the bar says how many stay.
    spawnBar().setFormation(Formation::Circle);
    QCOMPARE(project().actors.size(), after);
    for (std::size_t i = before; i < after; ++i) QVERIFY(project().actors[i] == all[i]);
    QVERIFY(!(project().actors[0] == all[0]));
    QVERIFY(note().contains(QString("%1 placed by hand stay").arg(after - before)));
    field<QSpinBox>("Number of actors")->setValue(1);
    QCOMPARE(project().actors.size(), after - before);
    QCOMPARE(field<QSpinBox>("Number of actors")->value(), int(after - before));
    QTest::mouseClick(spawnBar().findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(ck::countByHand(project(), 0), 0);
    QVERIFY(!note().contains("by hand"));
    QVERIFY(!(project().actors[0] == all[before]));
  }

  void escapeTakesAStrokeBack() {
    take(ck::BrushMode::Place, 2.0);
    const Project before = project();
    drag({{-4.0, 8.5}, {4.0, 8.5}}, false);
    QVERIFY(project().actors.size() > before.actors.size());
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QVERIFY(project() == before);
    QCOMPARE(window_->document().undoStack().count(), 0);
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, at({4.0, 8.5}));
    QVERIFY(project() == before);
    QCOMPARE(viewport_->tool(), &tools_->brush());
  }

  void shiftErasesInsteadOfPlacing() {
    take(ck::BrushMode::Place, 1.5);
    QTest::mousePress(viewport_, Qt::LeftButton, Qt::ShiftModifier, at({0.0, 0.0}));
    QTest::mouseRelease(viewport_, Qt::LeftButton, Qt::ShiftModifier, at({0.0, 0.0}));
    QVERIFY(project().actors.size() < 60);
  }

  void aStrokeTurnsActorsItsWay() {
    take(ck::BrushMode::Turn, 2.0);
    drag({{-3.0, 0.0}, {-1.5, 0.0}, {0.0, 0.0}, {1.5, 0.0}, {3.0, 0.0}}, true);
    picture("brush_turn");
    int turned = 0;
    for (std::size_t i = 0; i < project().actors.size(); ++i) {
      const Actor& actor = project().actors[i];
      if (!actor.byHand) continue;
      ++turned;
      QVERIFY2(std::abs(actor.rotationDegrees.y - 90.0f) < 8.0f,
               qPrintable(QString::number(double(actor.rotationDegrees.y))));
    }
    QVERIFY(turned > 5);
  }

  void theBrushIsSeenOnTheGround() {
    take(ck::BrushMode::Place, 2.0);
    const QImage without = viewport_->grabFramebuffer();
    QTest::mouseMove(viewport_, at({0.0, 8.5}));
    const QImage with = viewport_->grabFramebuffer();
    const double ratio = viewport_->devicePixelRatioF();
    // Its ring is at the radius, and nowhere else.
    const auto differs = [&](const glm::dvec2& place) {
      const QPoint pixel = (QPointF(at(place)) * ratio).toPoint();
      const QRect box(pixel - QPoint(3, 3), QSize(7, 7));
      return ck::test::differences(without.copy(box), with.copy(box)) > 0;
    };
    QVERIFY(differs({2.0, 8.5}));
    QVERIFY(differs({-2.0, 8.5}));
    QVERIFY(differs({0.0, 6.5}));
    QVERIFY(!differs({3.0, 8.5}));
  }

  void clicksMakeAPathThatTheCrowdFollows() {
    spawnBar().setFormation(Formation::Path);
    // Without a path the tool begins by itself.
    QCOMPARE(viewport_->tool(), &tools_->path());
    QVERIFY(note().contains("no path is drawn"));
    window_->document().undoStack().clear();
    const std::vector<glm::dvec2> corners = {{-6.0, 6.0}, {0.0, -5.0}, {6.0, 6.0}};
    for (const glm::dvec2& corner : corners) {
      QTest::mouseClick(viewport_, Qt::LeftButton, {}, at(corner));
    }
    picture("path_by_clicks");
    QCOMPARE(window_->document().undoStack().count(), 3);
    QCOMPARE(project().crowds.front().spawn.path.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) {
      QVERIFY(glm::length(glm::dvec2(project().crowds.front().spawn.path[i]) - corners[i]) < 0.1);
    }
    verifyOnPath();
    // A drag of a point, with the crowd: one step.
    const QPoint from = at(corners[1]);
    QTest::mousePress(viewport_, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 5; ++i) QTest::mouseMove(viewport_, from + QPoint(8 * i, -4 * i));
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, from + QPoint(40, -20));
    QVERIFY(glm::length(glm::dvec2(project().crowds.front().spawn.path[1]) - corners[1]) > 0.3);
    QCOMPARE(window_->document().undoStack().count(), 4);
    verifyOnPath();
    // Escape takes a drag back, and all that it has moved.
    const Project dragged = project();
    QTest::mousePress(viewport_, Qt::LeftButton, {},
                      at(glm::dvec2(project().crowds.front().spawn.path[1])));
    for (int i = 1; i <= 5; ++i) QTest::mouseMove(viewport_, from + QPoint(-8 * i, 4 * i));
    QVERIFY(!(project().actors == dragged.actors));
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QVERIFY(project() == dragged);
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, from);
    QVERIFY(project() == dragged);
    QCOMPARE(window_->document().undoStack().count(), 4);
    // A click on the line adds a point between; Delete takes it away again.
    const glm::vec2 middle =
        (project().crowds.front().spawn.path[0] + project().crowds.front().spawn.path[1]) * 0.5f;
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, at(glm::dvec2(middle)));
    QCOMPARE(project().crowds.front().spawn.path.size(), std::size_t{4});
    QVERIFY(glm::length(project().crowds.front().spawn.path[1] - middle) < 0.2f);
    QTest::keyClick(viewport_, Qt::Key_Delete);
    QCOMPARE(project().crowds.front().spawn.path.size(), std::size_t{3});
    // A click on the first point closes it and ends the tool.
    QTest::mouseClick(viewport_, Qt::LeftButton, {},
                      at(glm::dvec2(project().crowds.front().spawn.path[0])));
    QVERIFY(project().crowds.front().spawn.pathClosed);
    QVERIFY(viewport_->tool() != &tools_->path());
    verifyOnPath();
    while (window_->document().undoStack().canUndo()) window_->document().undoStack().undo();
    QVERIFY(project().crowds.front().spawn.path.empty());
  }

  void aDragDrawsAPathByHand() {
    tools_->setDrawing(true);
    std::vector<glm::dvec2> way;
    for (int i = 0; i <= 40; ++i) way.push_back({-6.0 + 0.3 * i, 4.0 * std::sin(i * 0.15)});
    drag(way, true);
    picture("path_by_hand");
    QCOMPARE(project().crowds.front().spawn.formation, Formation::Path);
    const std::size_t points = project().crowds.front().spawn.path.size();
    QVERIFY2(points > 3 && points < 30, qPrintable(QString::number(points)));
    QCOMPARE(window_->document().undoStack().count(), 1);
    for (const glm::vec2& point : project().crowds.front().spawn.path) {
      QVERIFY(std::abs(double(point.y) - 4.0 * std::sin((double(point.x) + 6.0) * 0.5)) < 0.25);
    }
    // Other actors than a path would have: a drag that is taken back restores them, too.
    window_->document().edit("One by one", [](Project& p) {
      p.crowds.front().spawn.formation = Formation::Grid;
      Actor moved = p.actors[4];
      moved.position = {30.0f, 2.0f, 1.0f};
      p.actors.set(4, moved);
    });
    const Project before = project();
    const QPoint end = at(glm::dvec2(project().crowds.front().spawn.path.back()));
    QTest::mousePress(viewport_, Qt::LeftButton, {}, end);
    QTest::mouseMove(viewport_, end + QPoint(-30, 20));
    QVERIFY(!(project() == before));
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QVERIFY(project() == before);
    QCOMPARE(window_->document().undoStack().count(), 2);
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, end);
    // A double click ends it.
    QTest::mouseDClick(viewport_, Qt::MiddleButton, {}, end);
    QTest::mouseRelease(viewport_, Qt::MiddleButton, {}, end);
    QCOMPARE(viewport_->tool(), &tools_->path());
    QTest::mouseDClick(viewport_, Qt::LeftButton, {}, end);
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, end);
    QVERIFY(viewport_->tool() != &tools_->path());
    tools_->setDrawing(true);
    QTest::keyClick(viewport_, Qt::Key_Return);
    QVERIFY(viewport_->tool() != &tools_->path());
  }

  // A prop of 30 m a side, as high as a formula says.
  void actorsStandOnAProp() {
    const auto height = [](double x, double z) { return std::sin(x * 0.3) + 0.1 * z; };
    const QString file = stage_.settings.filePath("hills.gltf");
    QVERIFY(writeGround(file, height));
    PropSession& props = window_->session().props();
    props.addFiles({file}, glm::vec3(0.0f));
    QTRY_VERIFY_WITH_TIMEOUT(props.isThere(0), ck::test::kPatienceMs);
    QToolButton* ground = field<QToolButton>("Ground");
    QVERIFY(ground->isEnabled());
    emit ground->menu()->aboutToShow();
    QCOMPARE(ground->menu()->actions().size(), 2);
    ground->menu()->actions()[1]->trigger();
    QCOMPARE(project().crowds.front().spawn.groundProp, 0);
    const auto verifyOn = [&](double above) {
      for (std::size_t i = 0; i < project().actors.size(); ++i) {
        const glm::dvec3 at(project().actors[i].position);
        QVERIFY2(std::abs(at.y - above - height(at.x, at.z)) < 0.02,
                 qPrintable(QString("%1 %2 %3").arg(at.x).arg(at.y).arg(at.z)));
      }
    };
    verifyOn(0.0);
    viewport_->frameAll();
    take(ck::BrushMode::Place, 3.0);
    const std::size_t before = project().actors.size();
    const QPoint pixel = viewport_->projection().at({0.0, height(0.0, 9.0), 9.0})->toPoint();
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, pixel);
    picture("ground");
    QVERIFY(project().actors.size() > before);
    verifyOn(0.0);
    for (std::size_t i = before; i < project().actors.size(); ++i) {
      const glm::vec3& at = project().actors[i].position;
      QVERIFY(std::hypot(double(at.x), double(at.z) - 9.0) < 3.2);
    }
    window_->document().undoStack().undo();
    // Dealt actors follow a prop that is moved.
    auto* model = window_->findChild<PropModel*>();
    QVERIFY(model->setData(model->index(0, PropModel::Y), 2.5, Qt::EditRole));
    verifyOn(2.5);
    // Beside it: the number is said.
    field<QDoubleSpinBox>("Centre X")->setValue(15.0);
    int beside = 0;
    for (std::size_t i = 0; i < project().actors.size(); ++i) {
      beside += project().actors[i].position.x > 15.0f ? 1 : 0;
    }
    QVERIFY(beside > 10 && beside < 60);
    QVERIFY2(note().contains(QString("%1 beside the ground").arg(beside)), qPrintable(note()));
    props.remove(0);
    QCOMPARE(project().crowds.front().spawn.groundProp, -1);
    window_->document().undoStack().undo();
    QCOMPARE(project().crowds.front().spawn.groundProp, 0);
    window_->document().edit("Without props", [](Project& p) {
      p.props.clear();
      p.crowds.front().spawn.groundProp = -1;
    });
  }

  void everyFormationHasItsOwnFields() {
    const auto shown = [this] {
      QStringList names;
      for (const char* name : {"Centre X", "Centre Z", "Columns", "Rings", "Rows", "Heading"}) {
        for (QWidget* widget : spawnBar().findChildren<QWidget*>()) {
          if (widget->accessibleName() == QLatin1String(name) && widget->isVisibleTo(&spawnBar()) &&
              !names.contains(QLatin1String(name))) {
            names << QLatin1String(name);
          }
        }
      }
      return names.join(' ');
    };
    window_->panels().raise(window_->panel<ActorsPanel>());
    const std::pair<Formation, const char*> rows[] = {
        {Formation::Grid, "Centre X Centre Z Columns Heading"},
        {Formation::Disc, "Centre X Centre Z"},
        {Formation::Circle, "Centre X Centre Z Rings Heading"},
        {Formation::Scatter, "Centre X Centre Z"},
        {Formation::Poisson, "Centre X Centre Z"},
        {Formation::Path, "Rows Heading"}};
    for (const auto& [formation, fields] : rows) {
      spawnBar().setFormation(formation);
      tools_->setDrawing(false);
      viewport_->frameAll();
      QCOMPARE(shown(), QString(fields));
      picture(std::string(ck::formationName(formation)).c_str());
    }
    spawnBar().setFormation(Formation::Circle);
    field<QSpinBox>("Rings")->setValue(4);
    QCOMPARE(project().crowds.front().spawn.rings, 4);
    field<QDoubleSpinBox>("Centre X")->setValue(5.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < 60; ++i) sum += double(project().actors[i].position.x);
    QVERIFY(std::abs(sum / 60.0 - 5.0) < 0.2);
  }

 private:
  const Project& project() const { return window_->document().project(); }
  SpawnBar& spawnBar() const { return window_->panel<ActorsPanel>().spawnBar(); }
  template <class Box>
  Box* field(const char* name) const {
    for (Box* box : spawnBar().findChildren<Box*>()) {
      if (box->accessibleName() == QLatin1String(name)) return box;
    }
    return nullptr;
  }
  QString note() const {
    QStringList texts;
    for (QLabel* label : spawnBar().findChildren<QLabel*>()) {
      if (label->isVisibleTo(&spawnBar())) texts << label->text();
    }
    return texts.join('|');
  }
  QPoint at(const glm::dvec2& place) const {
    return viewport_->projection().at({place.x, 0.0, place.y})->toPoint();
  }
  // Of the stroke along X from -half to half.
  static double toStroke(const Actor& actor, double half) {
    const double x = std::clamp(double(actor.position.x), -half, half);
    return std::hypot(double(actor.position.x) - x, double(actor.position.z));
  }
  void take(ck::BrushMode mode, double radius) {
    tools_->setBrushing(true);
    ck::BrushSettings settings;
    settings.mode = mode;
    settings.radiusMeters = radius;
    tools_->brush().setSettings(settings);
  }
  void drag(const std::vector<glm::dvec2>& way, bool releases) {
    QTest::mousePress(viewport_, Qt::LeftButton, {}, at(way.front()));
    for (const glm::dvec2& place : way) QTest::mouseMove(viewport_, at(place));
    if (releases) QTest::mouseRelease(viewport_, Qt::LeftButton, {}, at(way.back()));
  }
  template <class Height>
  static bool writeGround(const QString& path, Height height) {
    constexpr int kCells = 60;
    std::vector<float> points;
    std::vector<std::uint16_t> corners;
    for (int z = 0; z <= kCells; ++z) {
      for (int x = 0; x <= kCells; ++x) {
        const double atX = x * 0.5 - 15.0;
        const double atZ = z * 0.5 - 15.0;
        points.insert(points.end(), {float(atX), float(height(atX, atZ)), float(atZ)});
        if (x == kCells || z == kCells) continue;
        const int corner = z * (kCells + 1) + x;
        const int below = corner + kCells + 1;
        for (const int one : {corner, below, corner + 1, corner + 1, below, below + 1}) {
          corners.push_back(std::uint16_t(one));
        }
      }
    }
    QByteArray bytes(reinterpret_cast<const char*>(points.data()), qsizetype(points.size() * 4));
    const qsizetype split = bytes.size();
    bytes.append(reinterpret_cast<const char*>(corners.data()), qsizetype(corners.size() * 2));
    const QString text =
        QString(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
          "nodes": [{"mesh": 0}],
          "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
          "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": %1, "type": "VEC3",
             "min": [-15, -3, -15], "max": [15, 3, 15]},
            {"bufferView": 1, "componentType": 5123, "count": %2, "type": "SCALAR"}],
          "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": %3},
                          {"buffer": 0, "byteOffset": %3, "byteLength": %4}],
          "buffers": [{"byteLength": %5,
                       "uri": "data:application/octet-stream;base64,%6"}]})")
            .arg(points.size() / 3)
            .arg(corners.size())
            .arg(split)
            .arg(bytes.size() - split)
            .arg(bytes.size())
            .arg(QLatin1String(bytes.toBase64()));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0;
  }
  void picture(const char* name) {
    QCoreApplication::processEvents();
    window_->grab().save(QStringLiteral(CK_PICTURES_DIR "/crowd_%1.png").arg(QLatin1String(name)));
  }
  // Whether all dealt actors stand on the lines between the points.
  void verifyOnPath() {
    const auto& spawn = project().crowds.front().spawn;
    for (std::size_t i = 0; i < project().actors.size(); ++i) {
      const glm::vec2 place(project().actors[i].position.x, project().actors[i].position.z);
      float nearest = 1e9f;
      const std::size_t legs = spawn.path.size() - (spawn.pathClosed ? 0 : 1);
      for (std::size_t leg = 0; leg < legs; ++leg) {
        const glm::vec2 from = spawn.path[leg];
        const glm::vec2 way = spawn.path[(leg + 1) % spawn.path.size()] - from;
        const float along =
            std::clamp(glm::dot(place - from, way) / glm::dot(way, way), 0.0f, 1.0f);
        nearest = std::min(nearest, glm::length(place - from - way * along));
      }
      QVERIFY(nearest < 1e-4f);
    }
  }

  WindowStage stage_;
  MainWindow* window_ = nullptr;
  ViewportWidget* viewport_ = nullptr;
  CrowdTools* tools_ = nullptr;
};

CK_TEST(tst_brush_tool, ck::test::EditorApplication)
#include "tst_brush_tool.moc"
