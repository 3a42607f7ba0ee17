#include <QAction>
#include <QDir>
#include <QTest>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/tools/gizmo_shape.h"
#include "ui/tools/gizmo_tool.h"

using namespace ck::ui;
using ck::Actor;
using ck::Project;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

namespace {

const QSizeF kView(1000.0, 800.0);

ck::render::Camera above() {
  ck::render::Camera camera;
  camera.yaw = 0.5;
  camera.pitch = 0.5;
  camera.distance = 9.0;
  return camera;
}

const GizmoPart* partOf(const GizmoShape& shape, GizmoHandle handle) {
  for (const GizmoPart& part : shape.parts()) {
    if (part.handle == handle) return &part;
  }
  return nullptr;
}

}  // namespace

// The handles that move, turn and scale actors: their geometry by formula, and drags in the window.
class tst_gizmo : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    viewport_ = stage_.viewport;
    gizmo_ = viewport_->findChild<GizmoTool*>();
    QVERIFY(gizmo_ != nullptr);
  }

  // Three actors that stand, 2 m from the next, and no time that passes.
  void init() {
    QVERIFY(stage_.activate());
    window_->document().edit("Three", [](Project& p) {
      std::vector<Actor> three(3);
      for (int i = 0; i < 3; ++i) {
        three[std::size_t(i)].position = glm::vec3(2.0f * float(i) - 2.0f, 0.0f, 0.0f);
        three[std::size_t(i)].rate = 0.0f;
      }
      p.actors = ck::ActorList(three);
    });
    window_->selection().clear();
    window_->playback().setPlaying(false);
    press("&Select");
    if (gizmo_->isLocal()) press("&Local axes");
    ck::CameraPlace place;
    place.target = {0.0, 0.8, 0.0};
    place.distance = 9.0;
    place.yaw = 0.4;
    place.pitch = 0.45;
    viewport_->placeCamera(place);
    QTRY_COMPARE_WITH_TIMEOUT(int(window_->playback().crowd()->size()), 3, kPatienceMs);
    viewport_->setFocus();
    start_ = window_->document().undoStack().index();
  }

  void cleanupTestCase() { stage_.close(); }

  // Geometry.

  void theGizmoHasOneSizeAtEveryDistance() {
    for (const double distance : {3.0, 30.0, 300.0}) {
      for (const bool flat : {false, true}) {
        ck::render::Camera camera = above();
        camera.distance = distance;
        camera.orthographic = flat;
        const ViewProjection view(camera, kView);
        const GizmoShape shape(GizmoMode::Turn, GizmoFrame{camera.target, glm::dmat3(1.0)}, view);
        const GizmoPart* ring = partOf(shape, GizmoHandle::View);
        QVERIFY(ring != nullptr && shape.pivot());
        const double radius = QLineF(*shape.pivot(), ring->line.front()).length();
        QVERIFY(std::abs(radius - 1.18 * GizmoShape::kReachPixels) < 1e-6);
        // A circle about an axis is an ellipse whose larger half is the reach.
        double farthest = 0.0;
        for (const QPointF& point : partOf(shape, GizmoHandle::Y)->line) {
          farthest = std::max(farthest, QLineF(*shape.pivot(), point).length());
        }
        QVERIFY2(std::abs(farthest - GizmoShape::kReachPixels) < 4.0,
                 qPrintable(QString::number(farthest)));
      }
    }
  }

  void handlesAreTakenFromFivePixelsAway() {
    const ViewProjection view(above(), kView);
    const GizmoFrame frame{above().target, glm::dmat3(1.0)};
    const GizmoShape shape(GizmoMode::Move, frame, view);
    for (const GizmoHandle handle : {GizmoHandle::X, GizmoHandle::Y, GizmoHandle::Z}) {
      const GizmoPart* part = partOf(shape, handle);
      QVERIFY(part != nullptr);
      const QPointF way = part->line.back() - part->line.front();
      const double length = std::hypot(way.x(), way.y());
      const QPointF across = QPointF(-way.y(), way.x()) / length;
      const QPointF middle = part->line.front() + way * 0.8;
      QCOMPARE(shape.at(middle + across * 5.0), handle);
      QCOMPARE(shape.at(middle - across * 5.0), handle);
      QVERIFY(shape.at(middle + across * 25.0) != handle);
    }
    QCOMPARE(shape.at(*shape.pivot()), GizmoHandle::View);
    QCOMPARE(shape.at(*shape.pivot() + QPointF(300, 0)), GizmoHandle::None);
    // A plane's middle by the projection.
    const double reach = view.metersPerPixel(frame.pivot) * GizmoShape::kReachPixels;
    const auto onGround = view.at(frame.pivot + glm::dvec3(0.36, 0.0, 0.36) * reach);
    QCOMPARE(shape.at(*onGround), GizmoHandle::ZX);
  }

  void anAxisThatPointsAtTheEyeIsLeftOut() {
    ck::render::Camera front;
    front.yaw = front.pitch = 0.0;
    const ViewProjection view(front, kView);
    const GizmoShape shape(GizmoMode::Move, GizmoFrame{front.target, glm::dmat3(1.0)}, view);
    QVERIFY(partOf(shape, GizmoHandle::Z) == nullptr);
    QVERIFY(partOf(shape, GizmoHandle::ZX) == nullptr);
    QVERIFY(partOf(shape, GizmoHandle::X) != nullptr);
    QVERIFY(partOf(shape, GizmoHandle::XY) != nullptr);
    // Behind the eye there is nothing at all.
    const GizmoShape behind(GizmoMode::Move, GizmoFrame{{0, 1, 50}, glm::dmat3(1.0)}, view);
    QVERIFY(behind.parts().empty());
  }

  void aDragFollowsThePointOfItsHandle() {
    const ViewProjection view(above(), kView);
    const GizmoFrame frame{{0.3, 0.9, -0.4},
                           glm::mat3_cast(glm::angleAxis(0.7, glm::dvec3(0, 1, 0)))};
    const QPointF from = *view.at(frame.pivot);
    for (int axis = 0; axis < 3; ++axis) {
      const auto handle = GizmoHandle(int(GizmoHandle::X) + axis);
      const QPointF to = *view.at(frame.pivot + frame.axes[axis] * 1.25);
      const GizmoStep step = gizmoStep(GizmoMode::Move, handle, frame, view, from, to);
      glm::dvec3 wanted(0.0);
      wanted[axis] = 1.25;
      QVERIFY(glm::distance(step.meters, wanted) < 1e-4);
      const auto plane = GizmoHandle(int(GizmoHandle::YZ) + axis);
      glm::dvec3 local(-0.4, 0.7, 0.2);
      local[axis] = 0.0;
      const GizmoStep across = gizmoStep(GizmoMode::Move, plane, frame, view, from,
                                         *view.at(frame.pivot + frame.axes * local));
      QVERIFY(glm::distance(across.meters, local) < 1e-4);
      // A point of the circle goes to where it is turned by 0.4.
      const glm::dvec3 arm = frame.axes[(axis + 1) % 3] * 0.8;
      const glm::dvec3 turned = glm::angleAxis(0.4, frame.axes[axis]) * arm;
      const GizmoStep turn = gizmoStep(GizmoMode::Turn, handle, frame, view,
                                       *view.at(frame.pivot + arm), *view.at(frame.pivot + turned));
      QVERIFY2(std::abs(turn.radians - 0.4) < 1e-3, qPrintable(QString::number(turn.radians)));
      const GizmoStep scale = gizmoStep(GizmoMode::Scale, handle, frame, view,
                                        *view.at(frame.pivot + frame.axes[axis] * 0.9),
                                        *view.at(frame.pivot + frame.axes[axis] * 1.8));
      QVERIFY(std::abs(scale.factor - 2.0) < 1e-3);
    }
  }

  void theViewCircleTurnsAsThePointerDoes() {
    const ViewProjection view(above(), kView);
    const GizmoFrame frame{above().target, glm::dmat3(1.0)};
    const QPointF middle = *view.at(frame.pivot);
    const GizmoStep step = gizmoStep(GizmoMode::Turn, GizmoHandle::View, frame, view,
                                     middle + QPointF(90, 0), middle + QPointF(0, -90));
    QVERIFY(std::abs(step.radians - glm::half_pi<double>()) < 1e-9);
    const glm::dvec3 axis = axisOfTurn(GizmoHandle::View, frame, view);
    QVERIFY(glm::distance(axis, ck::render::towardsEye(above())) < 1e-5);
  }

  // In the window.

  void anAxisMovesAllSelectedActorsInOneStep() {
    window_->selection().set({0, 2});
    press("&Move");
    const QPointF from = onAxis(0, 0.8);
    const glm::dvec3 pivot = gizmo_->frame()->pivot;
    QVERIFY(glm::distance(pivot, glm::dvec3(0.0)) < 1e-5);
    const ViewProjection view = viewport_->projection();
    const double start = *view.alongLine(from, pivot, {1, 0, 0});
    const QPointF to = *view.at(pivot + glm::dvec3(start + 1.5, 0, 0));
    drag(from, to);
    const double by = *view.alongLine(to.toPoint(), pivot, {1, 0, 0}) -
                      *view.alongLine(from.toPoint(), pivot, {1, 0, 0});
    QVERIFY(std::abs(by - 1.5) < 0.05);
    expectAt(0, {-2.0 + by, 0, 0}, 1e-3);
    expectAt(1, {0, 0, 0}, 1e-9);
    expectAt(2, {2.0 + by, 0, 0}, 1e-3);
    QVERIFY(actor(0).byHand && !actor(1).byHand);
    QCOMPARE(window_->document().undoStack().index(), start_ + 1);
    QCOMPARE(window_->document().undoStack().undoText(), QString("Move 2 actors"));
    window_->document().undoStack().undo();
    expectAt(0, {-2, 0, 0}, 1e-9);
  }

  void controlSnapsAndTheNumbersAreShown() {
    window_->selection().set({1});
    press("&Move");
    const QPointF from = onAxis(0, 0.8);
    const ViewProjection view = viewport_->projection();
    const double start = *view.alongLine(from, glm::dvec3(0.0), {1, 0, 0});
    hold(from, *view.at({start + 1.13, 0, 0}), Qt::ControlModifier);
    QCOMPARE(gizmo_->readout(), QString("X +1.00 m"));
    expectAt(1, {1, 0, 0}, 1e-9);
    letGo();
    QVERIFY(gizmo_->readout().isEmpty());
    expectAt(1, {1, 0, 0}, 1e-9);
  }

  void shiftIsTenTimesFiner() {
    window_->selection().set({1});
    press("&Move");
    const QPointF from = onAxis(0, 0.8);
    const ViewProjection view = viewport_->projection();
    const double start = *view.alongLine(from, glm::dvec3(0.0), {1, 0, 0});
    hold(from, *view.at({start + 1.0, 0, 0}), Qt::ShiftModifier);
    letGo();
    expectAt(1, {0.1, 0, 0}, 0.01);
  }

  void escapeTakesTheDragBack() {
    window_->selection().set({0, 1});
    press("&Move");
    const Project before = window_->document().project();
    hold(onAxis(0, 0.8), onAxis(0, 1.6));
    QVERIFY(!(window_->document().project() == before));
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QVERIFY(window_->document().project() == before);
    QCOMPARE(window_->document().undoStack().index(), start_);
    // Nothing follows the pointer any more, and the selection stayed.
    QTest::mouseMove(viewport_, viewport_->rect().center() + QPoint(60, 60));
    letGo();
    QVERIFY(window_->document().project() == before);
    QCOMPARE(window_->selection().actors(), (std::vector<int>{0, 1}));
  }

  void typedDigitsSetTheValue() {
    window_->selection().set({1});
    press("&Move");
    hold(onAxis(2, 0.8), onAxis(2, 1.1));
    QTest::keyClicks(viewport_, "-2.5");
    QCOMPARE(gizmo_->readout(),
             QString::fromUtf8("Z -2.50 m").replace("-", QLocale().negativeSign()));
    expectAt(1, {0, 0, -2.5}, 1e-6);
    QTest::keyClick(viewport_, Qt::Key_Backspace);
    QTest::keyClick(viewport_, Qt::Key_Return);
    letGo();
    expectAt(1, {0, 0, -2.0}, 1e-6);
    QCOMPARE(window_->document().undoStack().index(), start_ + 1);
  }

  void controlCountsWhileTheMouseRests() {
    window_->selection().set({1});
    press("&Move");
    const QPointF from = onAxis(0, 0.8);
    const double start = *viewport_->projection().alongLine(from, glm::dvec3(0.0), {1, 0, 0});
    hold(from, *viewport_->projection().at({start + 1.13, 0, 0}));
    const QString free = gizmo_->readout();
    QVERIFY(free != "X +1.00 m");
    QTest::keyPress(viewport_, Qt::Key_Control);
    QCOMPARE(gizmo_->readout(), QString("X +1.00 m"));
    expectAt(1, {1, 0, 0}, 1e-9);
    QTest::keyRelease(viewport_, Qt::Key_Control, Qt::ControlModifier);
    QCOMPARE(gizmo_->readout(), free);
    letGo();
    QCOMPARE(window_->document().undoStack().index(), start_ + 1);
  }

  void typedExpressionsAreReckoned() {
    window_->selection().set({1});
    press("&Move");
    hold(onAxis(2, 0.8), onAxis(2, 1.1));
    QTest::keyClicks(viewport_, "-2*");
    // Not a number yet, which is shown, and what was understood last stays.
    QVERIFY2(gizmo_->readout().contains("'-2*' is no number"), qPrintable(gizmo_->readout()));
    expectAt(1, {0, 0, -2.0}, 1e-6);
    QTest::keyClicks(viewport_, "1.5");
    QVERIFY(!gizmo_->readout().contains("no number"));
    expectAt(1, {0, 0, -3.0}, 1e-6);
    for (int i = 0; i < 6; ++i) QTest::keyClick(viewport_, Qt::Key_Backspace);
    QTest::keyClicks(viewport_, "150 cm");
    expectAt(1, {0, 0, 1.5}, 1e-6);
    QTest::keyClick(viewport_, Qt::Key_Return);
    letGo();
    QCOMPARE(window_->document().undoStack().index(), start_ + 1);
  }

  void turningTurnsPlacesAndRotations() {
    window_->selection().set({0, 1, 2});
    press("&Rotate");
    const GizmoShape shape(GizmoMode::Turn, *gizmo_->frame(), viewport_->projection());
    const GizmoPart* ring = partOf(shape, GizmoHandle::Y);
    QVERIFY(ring != nullptr);
    // Where no other circle crosses.
    const QPointF from = ring->line[ring->line.size() * 2 / 5];
    QCOMPARE(shape.at(from), GizmoHandle::Y);
    hold(from, from + QPointF(-30, 4));
    QTest::keyClicks(viewport_, "90");
    QCOMPARE(gizmo_->readout(), QString::fromUtf8("%1°").arg(QLocale().toString(90.0, 'f', 1)));
    letGo();
    // A quarter turn about +Y takes +X to -Z.
    expectAt(0, {0, 0, 2}, 1e-5);
    expectAt(1, {0, 0, 0}, 1e-5);
    expectAt(2, {0, 0, -2}, 1e-5);
    for (int i = 0; i < 3; ++i) QVERIFY(std::abs(actor(i).rotationDegrees.y - 90.0f) < 1e-3f);
    QCOMPARE(window_->document().undoStack().undoText(), QString("Rotate 3 actors"));
  }

  void turnsSnapToFifteenDegrees() {
    window_->selection().set({1});
    press("&Rotate");
    const GizmoShape shape(GizmoMode::Turn, *gizmo_->frame(), viewport_->projection());
    const QPointF middle = *shape.pivot();
    const double radius = GizmoShape::kReachPixels * 1.18;
    const auto at = [&](double degrees) {
      const double angle = glm::radians(degrees);
      return middle + QPointF(std::cos(angle), -std::sin(angle)) * radius;
    };
    QCOMPARE(shape.at(at(10.0)), GizmoHandle::View);
    hold(at(10.0), at(48.0), Qt::ControlModifier);
    QCOMPARE(gizmo_->readout(), QString::fromUtf8("%1°").arg(QLocale().toString(45.0, 'f', 1)));
    letGo();
  }

  void scalingScalesDistancesAndSizes() {
    window_->selection().set({0, 2});
    press("S&cale");
    const QPointF middle = *viewport_->projection().at(gizmo_->frame()->pivot);
    hold(middle, middle + QPointF(60, 0));
    QTest::keyClicks(viewport_, "1.5");
    letGo();
    expectAt(0, {-3, 0, 0}, 1e-5);
    expectAt(2, {3, 0, 0}, 1e-5);
    QCOMPARE(actor(0).scale, 1.5f);
    // One axis is a distance alone, and a single actor has none.
    const QPointF from = onAxis(0, 1.0);
    hold(from, from + QPointF(20, 0));
    QTest::keyClicks(viewport_, "2");
    letGo();
    expectAt(2, {6, 0, 0}, 1e-5);
    QCOMPARE(actor(2).scale, 1.5f);
    window_->selection().set({2});
    const GizmoShape one(GizmoMode::Scale, *gizmo_->frame(), viewport_->projection(), false);
    QVERIFY(partOf(one, GizmoHandle::X) == nullptr);
    const QPointF alone = *viewport_->projection().at(gizmo_->frame()->pivot);
    hold(alone, alone + QPointF(30, 0));
    QTest::keyClicks(viewport_, "3");
    letGo();
    expectAt(2, {6, 0, 0}, 1e-5);
    QCOMPARE(actor(2).scale, 4.5f);
  }

  void localAxesAreThoseOfTheFirstActor() {
    window_->document().edit("Turn", [](Project& p) {
      Actor turned = p.actors[1];
      turned.rotationDegrees.y = 90.0f;
      p.actors.set(1, turned);
    });
    window_->selection().set({1});
    press("&Move");
    QTest::keyClick(viewport_, Qt::Key_X);
    QVERIFY(gizmo_->isLocal());
    // Its own +Z, where it looks, is the world's +X.
    hold(onAxis(2, 0.8), onAxis(2, 1.2));
    QTest::keyClicks(viewport_, "2");
    letGo();
    expectAt(1, {2, 0, 0}, 1e-4);
    QTest::keyClick(viewport_, Qt::Key_X);
    QVERIFY(!gizmo_->isLocal());
  }

  void aSelectedBodyIsDraggedOverTheGround() {
    window_->selection().set({0, 1});
    const ViewProjection view = viewport_->projection();
    const QPoint from = view.at({0.0, 1.1, 0.0})->toPoint();
    QCOMPARE(viewport_->actorAt(from), 1);
    const QPoint to = view.at({1.0, 1.1, 1.5})->toPoint();
    drag(from, to);
    // The body stays under the pointer, at its height.
    expectAt(1, {1.0, 0.0, 1.5}, 0.08);
    expectAt(0, glm::dvec3(actor(1).position) - glm::dvec3(2, 0, 0), 1e-5);
    QCOMPARE(double(actor(1).position.y), 0.0);
    expectAt(2, {2, 0, 0}, 1e-9);
    QCOMPARE(window_->document().undoStack().index(), start_ + 1);
  }

  // Typed before the pointer has gone anywhere, too.
  void aTypedNumberKeepsABodyOnTheGround() {
    for (const double pitch : {0.45, 0.02}) {
      ck::CameraPlace place = viewport_->cameraPlace();
      place.pitch = pitch;
      viewport_->placeCamera(place);
      window_->selection().set({1});
      const glm::vec3 before = actor(1).position;
      const QPoint from = viewport_->projection().at({0.0, 1.1, 0.0})->toPoint();
      QCOMPARE(viewport_->actorAt(from), 1);
      QTest::mousePress(viewport_, Qt::LeftButton, {}, from);
      held_ = from;
      QTest::keyClicks(viewport_, "2");
      QCOMPARE(actor(1).position.y, 0.0f);
      QVERIFY(std::abs(glm::distance(actor(1).position, before) - 2.0f) < 1e-4f);
      QTest::keyClick(viewport_, Qt::Key_Escape);
      letGo();
      QVERIFY(actor(1).position == before);
    }
  }

  void theSecondPressOfADoubleClickDrags() {
    window_->selection().set({1});
    press("&Move");
    const ck::render::Camera before = viewport_->camera();
    const QPointF from = onAxis(0, 0.8);
    QTest::mouseDClick(viewport_, Qt::LeftButton, {}, from.toPoint());
    moveTo(onAxis(0, 1.4));
    letGo();
    QVERIFY(actor(1).position.x > 0.2f);
    QVERIFY(viewport_->camera() == before);
    // With other keys it is a press, too; elsewhere it frames.
    QTest::mouseDClick(viewport_, Qt::LeftButton, Qt::AltModifier, QPoint(30, 30));
    moveTo(QPointF(60, 30), Qt::AltModifier);
    letGo();
    QVERIFY(viewport_->camera().yaw != before.yaw);
    const double distance = viewport_->camera().distance;
    QTest::mouseDClick(viewport_, Qt::LeftButton, {}, QPoint(30, 30));
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, QPoint(30, 30));
    QVERIFY(viewport_->destination().distance < distance);
  }

  void aDragEndsWithItsButtonOrTheFocus() {
    window_->selection().set({1});
    press("&Move");
    hold(onAxis(0, 0.8), onAxis(0, 1.2));
    const glm::vec3 there = actor(1).position;
    QVERIFY(there.x > 0.1f);
    // The release was lost.
    QMouseEvent free(QEvent::MouseMove, QPointF(40, 40), viewport_->mapToGlobal(QPointF(40, 40)),
                     Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(viewport_, &free);
    moveTo(QPointF(300, 300));
    QVERIFY(actor(1).position == there);
    letGo();
    QCOMPARE(window_->document().undoStack().index(), start_ + 1);
    hold(onAxis(0, 0.8), onAxis(0, 1.2));
    QVERIFY(actor(1).position != there);
    viewport_->clearFocus();
    QVERIFY(actor(1).position == there);
    letGo();
    QCOMPARE(window_->document().undoStack().index(), start_ + 1);
  }

  void clicksSelectAndMoveNothing() {
    const Project before = window_->document().project();
    const QPoint body = viewport_->projection().at({0.0, 1.1, 0.0})->toPoint();
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, body);
    QCOMPARE(window_->selection().actors(), std::vector<int>{1});
    window_->selection().set({0, 1, 2});
    QTest::mousePress(viewport_, Qt::LeftButton, {}, body);
    QTest::mouseMove(viewport_, body + QPoint(2, 1));
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, body + QPoint(2, 1));
    QCOMPARE(window_->selection().actors(), std::vector<int>{1});
    QVERIFY(window_->document().project() == before);
    // Beside everybody, a drag is a box as ever.
    QTest::mousePress(viewport_, Qt::LeftButton, {}, QPoint(4, 4));
    QTest::mouseMove(viewport_, viewport_->rect().center());
    QTest::mouseMove(viewport_, viewport_->rect().bottomRight() - QPoint(4, 4));
    QTest::mouseRelease(viewport_, Qt::LeftButton, {},
                        viewport_->rect().bottomRight() - QPoint(4, 4));
    QCOMPARE(window_->selection().actors().size(), std::size_t(3));
    QVERIFY(window_->document().project() == before);
  }

  void theGizmoStandsWhereAWalkerIsDrawn() {
    window_->document().edit("Walk", [](Project& p) {
      Actor walker = p.actors[1];
      walker.rate = 1.0f;
      walker.travels = true;
      for (std::size_t c = 0; c < p.characters[0].clips.size(); ++c) {
        if (p.characters[0].clips[c].name == "walk") walker.clip = int(c);
      }
      p.actors.set(1, walker);
    });
    window_->playback().seek(1.0);
    window_->selection().set({1});
    press("&Move");
    const glm::dvec3 drawn = gizmo_->frame()->pivot;
    QVERIFY2(drawn.z > 0.5, qPrintable(QString::number(drawn.z)));
    QVERIFY(std::abs(drawn.x) < 1e-4);
    hold(onAxis(0, 0.8), onAxis(0, 1.2));
    QTest::keyClicks(viewport_, "1.5");
    letGo();
    expectAt(1, {1.5, 0, 0}, 1e-5);
    QVERIFY(glm::distance(gizmo_->frame()->pivot, drawn + glm::dvec3(1.5, 0, 0)) < 1e-4);
    window_->playback().seek(0.0);
  }

  void keysChooseTheToolInTheViewport() {
    for (const auto& [key, mode] :
         {std::pair(Qt::Key_W, GizmoMode::Move), std::pair(Qt::Key_E, GizmoMode::Turn),
          std::pair(Qt::Key_R, GizmoMode::Scale), std::pair(Qt::Key_Q, GizmoMode::Select)}) {
      QTest::keyClick(viewport_, key);
      QCOMPARE(gizmo_->mode(), mode);
    }
    QVERIFY(stage_.action("&Select")->isChecked());
    // Without another tool the gizmo has the viewport.
    viewport_->setTool(nullptr);
    QCOMPARE(viewport_->tool(), static_cast<ViewportTool*>(gizmo_));
  }

  void picturesAreKeptForTheEye() {
    window_->selection().set({0, 1});
    const auto keep = [&](const char* name) {
      QVERIFY(viewport_->grabFramebuffer().save(QStringLiteral(CK_PICTURES_DIR "/") + name));
    };
    press("&Move");
    keep("gizmo-move.png");
    hold(onAxis(0, 0.8), onAxis(0, 1.3));
    keep("gizmo-drag.png");
    letGo();
    press("&Rotate");
    keep("gizmo-rotate.png");
    press("S&cale");
    keep("gizmo-scale.png");
    QVERIFY(window_->grab().save(QStringLiteral(CK_PICTURES_DIR "/gizmo-window.png")));
  }

 private:
  void press(const char* text) { stage_.action(text)->trigger(); }
  const Actor& actor(int number) const {
    return window_->document().project().actors[std::size_t(number)];
  }
  void expectAt(int number, const glm::dvec3& place, double within) const {
    const glm::dvec3 at(actor(number).position);
    QVERIFY2(glm::distance(at, place) <= within + 1e-12,
             qPrintable(QString("%1 is at %2 %3 %4").arg(number).arg(at.x).arg(at.y).arg(at.z)));
  }
  // A place on an axis of the gizmo, in shares of its length.
  QPointF onAxis(int axis, double share) const {
    const GizmoFrame frame = *gizmo_->frame();
    const ViewProjection view = viewport_->projection();
    const double reach = view.metersPerPixel(frame.pivot) * GizmoShape::kReachPixels;
    return *view.at(frame.pivot + frame.axes[axis] * (share * reach));
  }
  // QTest::mouseMove has no modifiers.
  void moveTo(const QPointF& to, Qt::KeyboardModifiers modifiers = {}) {
    held_ = to.toPoint();
    QMouseEvent event(QEvent::MouseMove, held_, viewport_->mapToGlobal(held_), Qt::NoButton,
                      Qt::LeftButton, modifiers);
    QApplication::sendEvent(viewport_, &event);
  }
  void hold(const QPointF& from, const QPointF& to, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mousePress(viewport_, Qt::LeftButton, {}, from.toPoint());
    moveTo((from + to) * 0.5, modifiers);
    moveTo(to, modifiers);
  }
  void letGo() { QTest::mouseRelease(viewport_, Qt::LeftButton, {}, held_); }
  void drag(const QPointF& from, const QPointF& to) {
    hold(from, to);
    letGo();
  }

  WindowStage stage_;
  MainWindow* window_ = nullptr;
  ViewportWidget* viewport_ = nullptr;
  GizmoTool* gizmo_ = nullptr;
  QPoint held_;
  int start_ = 0;
};

CK_TEST(tst_gizmo, ck::test::EditorApplication)
#include "tst_gizmo.moc"
