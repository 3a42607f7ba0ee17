#include <QAction>
#include <QDir>
#include <QInputDialog>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actors_panel.h"
#include "ui/viewport/flight_keys.h"
#include "ui/viewport/notification_bar.h"
#include "ui/viewport/view_cube.h"
#include "ui/viewport/view_projection.h"
#include "ui/windows/camera_menu.h"

using namespace ck::ui;
using ck::CameraPlace;
using ck::Project;
using ck::render::Camera;
using ck::render::eyeOf;
using ck::render::towardsEye;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

namespace {

double turnBetween(double a, double b) {
  return std::abs(std::remainder(a - b, glm::two_pi<double>()));
}

}  // namespace

// The camera of the window, moved by mouse, trackpad, keys, the view cube and bookmarks.
class tst_camera_moves : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    viewport_ = stage_.viewport;
    cube_ = window_->viewportFrame().findChild<ViewCube*>();
    QVERIFY(cube_ != nullptr && cube_->isVisible());
  }

  void init() {
    QVERIFY(stage_.activate());
    setReducesMotion(true);
    viewport_->setFocus();
    viewport_->placeCamera(CameraPlace{});
    middle_ = viewport_->rect().center();
  }

  void cleanupTestCase() { stage_.close(); }

  void altAndControlAltMoveTheCamera() {
    for (const Qt::KeyboardModifiers keys :
         {Qt::KeyboardModifiers(Qt::AltModifier), Qt::ControlModifier | Qt::AltModifier}) {
      viewport_->placeCamera(CameraPlace{});
      drag(Qt::LeftButton, keys, QPoint(-50, 0));
      QVERIFY(std::abs(camera().yaw - 1.0) < 1e-9);  // 50 * 0.008
      QCOMPARE(camera().target, Camera().target);
      drag(Qt::MiddleButton, keys, QPoint(0, 30));
      QVERIFY(camera().target.y > Camera().target.y);
      QVERIFY(std::abs(camera().yaw - 1.0) < 1e-9);
      drag(Qt::RightButton, keys, QPoint(0, 30));
      QVERIFY(camera().distance > Camera().distance * 1.02);
    }
  }

  void heldSpaceOrbitsAndTappedSpacePlays() {
    QVERIFY(!window_->playback().isPlaying());
    QTest::keyPress(viewport_, Qt::Key_Space);
    drag(Qt::LeftButton, {}, QPoint(-50, 0));
    QVERIFY(std::abs(camera().yaw - 1.0) < 1e-9);
    drag(Qt::LeftButton, Qt::ShiftModifier, QPoint(0, 30));
    QVERIFY(camera().target.y > Camera().target.y);
    QTest::keyRelease(viewport_, Qt::Key_Space);
    QVERIFY(!window_->playback().isPlaying());
    QVERIFY(window_->selection().actors().empty());
    QTest::keyClick(viewport_, Qt::Key_Space);
    QVERIFY(window_->playback().isPlaying());
    QTest::keyClick(viewport_, Qt::Key_Space);
    QVERIFY(!window_->playback().isPlaying());
  }

  void twoFingersPanAndAPinchZooms() {
    QWheelEvent scroll(middle_, viewport_->mapToGlobal(middle_), {0, 30}, {}, Qt::NoButton, {},
                       Qt::ScrollUpdate, false);
    QApplication::sendEvent(viewport_, &scroll);
    // The scene follows the fingers: the target goes up by 30 pixels of the view.
    const Camera usual;
    const double metersPerPixel =
        2.0 * usual.distance * std::tan(usual.fieldOfViewY / 2.0) / viewport_->height();
    const double moved = glm::distance(camera().target, usual.target);
    QVERIFY2(std::abs(moved - 30.0 * metersPerPixel) < 1e-9, qPrintable(QString::number(moved)));
    QCOMPARE(camera().distance, usual.distance);
    QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2,
                              middle_, middle_, viewport_->mapToGlobal(middle_), 0.25, {});
    QApplication::sendEvent(viewport_, &pinch);
    QVERIFY(std::abs(camera().distance - usual.distance / 1.25) < 1e-9);
    // The wheel of a mouse still zooms.
    turnWheel(1);
    QVERIFY(std::abs(camera().distance - usual.distance / 1.25 * 0.88) < 1e-9);
  }

  void theRightButtonFlies() {
    const glm::dvec3 eye = eyeOf(camera());
    const glm::dvec3 forward = -towardsEye(camera());
    QSignalSpy menus(viewport_, &ViewportWidget::contextMenuAsked);
    QTest::mousePress(viewport_, Qt::RightButton, {}, middle_);
    QTest::keyPress(viewport_, Qt::Key_W);
    QTRY_VERIFY_WITH_TIMEOUT(glm::distance(eyeOf(camera()), eye) > 0.2, kPatienceMs);
    QTest::keyRelease(viewport_, Qt::Key_W);
    const glm::dvec3 way = eyeOf(camera()) - eye;
    QVERIFY(glm::dot(glm::normalize(way), forward) > 0.9999);
    const Camera there = camera();
    QTest::qWait(60);
    QVERIFY(camera() == there);
    // The mouse looks round from the same place; the wheel is the speed.
    sendMove(middle_ + QPoint(50, 0), Qt::RightButton);
    QVERIFY(glm::distance(eyeOf(camera()), eyeOf(there)) < 1e-9);
    QVERIFY(turnBetween(camera().yaw, there.yaw - 0.2) < 1e-9);
    const double distance = camera().distance;
    turnWheel(3, Qt::RightButton);
    QCOMPARE(camera().distance, distance);
    // W is no tool meanwhile.
    QVERIFY(stage_.action("&Select")->isChecked());
    QTest::mouseRelease(viewport_, Qt::RightButton, {}, middle_ + QPoint(50, 0));
    QCOMPARE(menus.size(), 0);
    QTest::keyClick(viewport_, Qt::Key_W);
    QVERIFY(stage_.action("&Move")->isChecked());
    QTest::keyClick(viewport_, Qt::Key_Q);
  }

  void flightEndsAboveTheGround() {
    QTest::mousePress(viewport_, Qt::RightButton, {}, middle_);
    QTest::keyPress(viewport_, Qt::Key_Q, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(eyeOf(camera()).y < 0.05, kPatienceMs);
    QTest::qWait(100);
    QVERIFY(eyeOf(camera()).y >= 0.0);
    QTest::keyRelease(viewport_, Qt::Key_Q);
    QTest::mouseRelease(viewport_, Qt::RightButton, {}, middle_);
  }

  void flightKeysAreBoundByPlace() {
    // On a French keyboard the key at the place of W writes Z.
    QCOMPARE(flightKeyOf(25, Qt::Key_Z), std::optional(FlightKey::Forward));
    QCOMPARE(flightKeyOf(38, Qt::Key_Q), std::optional(FlightKey::Left));
    QVERIFY(!flightKeyOf(52, Qt::Key_W));
    // Where no place is told, the letter counts.
    QCOMPARE(flightKeyOf(0, Qt::Key_W), std::optional(FlightKey::Forward));
    QCOMPARE(flightKeyOf(0, Qt::Key_E), std::optional(FlightKey::Up));
    QVERIFY(!flightKeyOf(0, Qt::Key_Z));
  }

  void aRightClickAsksForTheMenuOfWhatIsUnderIt() {
    viewport_->frameAll();
    window_->selection().clear();
    QSignalSpy menus(viewport_, &ViewportWidget::contextMenuAsked);
    QTest::mouseClick(viewport_, Qt::RightButton, {}, QPoint(3, 3));
    QCOMPARE(menus.size(), 1);
    QCOMPARE(menus.at(0).at(0).toPoint(), viewport_->mapToGlobal(QPoint(3, 3)));
    QCOMPARE(menus.at(0).at(1).toInt(), -1);
    QPoint onActor;
    for (int y = 40; y < viewport_->height() && onActor.isNull(); y += 12) {
      for (int x = 40; x < viewport_->width(); x += 12) {
        if (viewport_->actorAt({x, y}) < 0) continue;
        onActor = {x, y};
        break;
      }
    }
    QVERIFY(!onActor.isNull());
    const int actor = viewport_->actorAt(onActor);
    QTest::mouseClick(viewport_, Qt::RightButton, {}, onActor);
    QCOMPARE(menus.size(), 2);
    QCOMPARE(menus.at(1).at(1).toInt(), actor);
    QCOMPARE(window_->selection().actors(), std::vector<int>{actor});
    // Of several selected actors, all stay.
    window_->selection().selectAll();
    const std::size_t all = window_->selection().actors().size();
    QTest::mouseClick(viewport_, Qt::RightButton, {}, onActor);
    QCOMPARE(window_->selection().actors().size(), all);
    window_->selection().clear();
  }

  void theKeypadGivesTheViews() {
    const auto keypad = [&](Qt::Key digit, Qt::KeyboardModifiers modifiers = {}) {
      QTest::keyClick(viewport_, digit, modifiers | Qt::KeypadModifier);
    };
    keypad(Qt::Key_1);
    expectFrom({0, 0, 1});
    keypad(Qt::Key_1, Qt::ControlModifier);
    expectFrom({0, 0, -1});
    keypad(Qt::Key_3);
    expectFrom({1, 0, 0});
    keypad(Qt::Key_3, Qt::ControlModifier);
    expectFrom({-1, 0, 0});
    keypad(Qt::Key_7);
    expectFrom({0, 1, 0});
    keypad(Qt::Key_7, Qt::ControlModifier);
    expectFrom({0, -1, 0});
    keypad(Qt::Key_End);  // 1 without Num Lock
    expectFrom({0, 0, 1});
    QVERIFY(!camera().orthographic);
    keypad(Qt::Key_5);
    QVERIFY(camera().orthographic);
    QVERIFY(stage_.action("&Orthographic")->isChecked());
    keypad(Qt::Key_5);
    QVERIFY(!camera().orthographic);
  }

  // X11 leads keys of the keypad to no shortcut that names it, and to those that do not.
  void keypadKeysAreNoShortcuts() {
    const auto isTaken = [](QWidget& by, Qt::Key key, Qt::KeyboardModifiers modifiers) {
      QKeyEvent ask(QEvent::ShortcutOverride, key, modifiers);
      ask.ignore();
      QApplication::sendEvent(&by, &ask);
      return ask.isAccepted();
    };
    const auto press = [](QWidget& on, Qt::Key key, Qt::KeyboardModifiers modifiers) {
      QKeyEvent event(QEvent::KeyPress, key, modifiers);
      QApplication::sendEvent(&on, &event);
    };
    for (const Qt::Key key : {Qt::Key_1, Qt::Key_End, Qt::Key_3, Qt::Key_7, Qt::Key_5}) {
      QVERIFY(isTaken(*viewport_, key, Qt::KeypadModifier));
      QVERIFY(!isTaken(*viewport_, key, Qt::NoModifier));
    }
    QVERIFY(!isTaken(*viewport_, Qt::Key_9, Qt::KeypadModifier));
    press(*viewport_, Qt::Key_3, Qt::KeypadModifier);
    expectFrom({1, 0, 0});
    press(*viewport_, Qt::Key_Home, Qt::KeypadModifier);  // 7 without Num Lock
    expectFrom({0, 1, 0});
    // With Ctrl from a panel too, where it would close one.
    QWidget& panel = window_->panel<ActorsPanel>();
    const Qt::KeyboardModifiers both = Qt::ControlModifier | Qt::KeypadModifier;
    QVERIFY(isTaken(panel, Qt::Key_3, both));
    QVERIFY(!isTaken(panel, Qt::Key_3, Qt::KeypadModifier));
    press(panel, Qt::Key_3, both);
    expectFrom({-1, 0, 0});
  }

  void theTopRowIsAKeypadOnlyWhereWanted() {
    QAction* topRow = stage_.action("Digits as ke&ypad");
    QVERIFY(topRow && !topRow->isChecked());
    const Camera before = camera();
    QTest::keyClick(viewport_, Qt::Key_3);
    QVERIFY(camera() == before);
    topRow->trigger();
    QTest::keyClick(viewport_, Qt::Key_3);
    expectFrom({1, 0, 0});
    topRow->trigger();
    viewport_->placeCamera(CameraPlace{});
    QTest::keyClick(viewport_, Qt::Key_3);
    QVERIFY(camera() == before);
  }

  void keysOrbitAndZoom() {
    QTest::keyClick(viewport_, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(std::abs(camera().yaw - 0.73) < 1e-9);
    QTest::keyClick(viewport_, Qt::Key_Up, Qt::ControlModifier);
    QVERIFY(std::abs(camera().pitch - 0.48) < 1e-9);
    QTest::keyClick(viewport_, Qt::Key_Plus);
    QVERIFY(std::abs(camera().distance - 6.0 * 0.88) < 1e-9);
    QTest::keyClick(viewport_, Qt::Key_Minus);
    QVERIFY(std::abs(camera().distance - 6.0) < 1e-9);
  }

  void anOrbitEndsAtTheHorizon() {
    drag(Qt::MiddleButton, {}, QPoint(0, -400));
    QVERIFY(eyeOf(camera()).y >= 0.0 && eyeOf(camera()).y < 0.05);
    QCOMPARE(camera().target, Camera().target);
  }

  void framingStaysAboveTheGround() {
    viewport_->frameAll();
    Camera low = camera();
    low.target = {0.0, 1.2, 0.0};
    low.distance = 2.0;
    low.pitch = -0.5;
    QVERIFY(eyeOf(low).y > 0.0);
    viewport_->goTo(low);
    viewport_->frameAll();
    QVERIFY(eyeOf(camera()).y >= 0.0);
    QCOMPARE(camera().yaw, low.yaw);
    // From the view from below too, which is asked for.
    QTest::keyClick(viewport_, Qt::Key_7, Qt::KeypadModifier | Qt::ControlModifier);
    QVERIFY(eyeOf(camera()).y < 0.0);
    viewport_->frameAll();
    QVERIFY(eyeOf(camera()).y > 0.0);
    // A framed actor may have its middle below the ground; an orbit about it ends all the same.
    drag(Qt::MiddleButton, {}, QPoint(0, -400));
    QVERIFY(eyeOf(camera()).y > 0.0);
    Camera sunken = camera();
    sunken.target = {0.0, -3.0, 0.0};
    sunken.distance = 20.0;
    sunken.pitch = 0.5;
    viewport_->goTo(sunken);
    drag(Qt::MiddleButton, {}, QPoint(0, -400));
    QVERIFY(eyeOf(camera()).y > 0.0 && eyeOf(camera()).y < 0.2);
    viewport_->goTo(sunken);
    QTest::keyClick(viewport_, Qt::Key_1, Qt::KeypadModifier);
    QVERIFY(eyeOf(camera()).y > 0.0);
  }

  void aDragEndsWithTheButtonThatBeganIt() {
    QTest::mousePress(viewport_, Qt::MiddleButton, {}, middle_);
    QTest::mousePress(viewport_, Qt::LeftButton, {}, middle_);
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, middle_);
    sendMove(middle_ + QPoint(-50, 0), Qt::MiddleButton);
    QVERIFY(std::abs(camera().yaw - 1.0) < 1e-9);  // 50 * 0.008
    QTest::mousePress(viewport_, Qt::LeftButton, {}, middle_);
    QTest::mouseRelease(viewport_, Qt::MiddleButton, {}, middle_);
    sendMove(middle_, Qt::LeftButton);
    QVERIFY(std::abs(camera().yaw - 1.0) < 1e-9);
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, middle_);
    // Two quick drags are two drags.
    QTest::mouseDClick(viewport_, Qt::MiddleButton, {}, middle_);
    sendMove(middle_ + QPoint(-50, 0), Qt::MiddleButton);
    QTest::mouseRelease(viewport_, Qt::MiddleButton, {}, middle_);
    QVERIFY(std::abs(camera().yaw - 1.4) < 1e-9);
  }

  void homeMendsEveryCamera() {
    viewport_->frameAll();
    const Camera wanted = camera();
    CameraPlace broken;
    broken.target = {1e12, -4e11, 3e12};
    viewport_->placeCamera(broken);
    QTest::keyClick(viewport_, Qt::Key_Home);
    QVERIFY(glm::distance(camera().target, wanted.target) < 20.0);
    QVERIFY(camera().distance < wanted.distance * 2.0);
    broken = {};
    broken.yaw = std::nan("");
    viewport_->placeCamera(broken);
    QVERIFY(ck::render::isSound(camera()));
    ck::render::Camera nowhere;
    nowhere.distance = std::nan("");
    viewport_->goTo(nowhere);
    QTest::keyClick(viewport_, Qt::Key_Home);
    QVERIFY(glm::distance(camera().target, wanted.target) < 1e-6);
    // Without actors, where a new camera stands.
    const int start = window_->document().undoStack().index();
    window_->document().edit("Nobody", [](Project& p) { p.actors = {}; });
    QTRY_COMPARE_WITH_TIMEOUT(int(window_->playback().crowd()->size()), 0, kPatienceMs);
    viewport_->goTo(nowhere);
    QTest::keyClick(viewport_, Qt::Key_Home);
    QVERIFY(camera() == Camera());
    window_->document().undoStack().undo();
    QCOMPARE(window_->document().undoStack().index(), start);
  }

  void aPlacedCameraIsThere() {
    CameraPlace place;
    place.target = {3, 1, -2};
    place.distance = 11.0;
    place.yaw = -1.0;
    place.pitch = 0.2;
    place.orthographic = true;
    viewport_->placeCamera(place);
    QVERIFY(viewport_->cameraPlace() == place);
    QCOMPARE(camera().target, place.target);
    QVERIFY(camera().orthographic);
  }

  void changesAreSmoothUnlessMotionIsReduced() {
    setReducesMotion(false);
    const Camera before = camera();
    QSignalSpy moves(viewport_, &ViewportWidget::cameraMoved);
    QTest::keyClick(viewport_, Qt::Key_7, Qt::KeypadModifier);
    QVERIFY(turnBetween(camera().pitch, before.pitch) < 0.5);
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(camera().pitch - glm::half_pi<double>()) < 1e-9, kPatienceMs);
    expectFrom({0, 1, 0});
    QVERIFY(moves.size() > 1);
    // The artist's own hand ends it.
    QTest::keyClick(viewport_, Qt::Key_1, Qt::KeypadModifier);
    drag(Qt::MiddleButton, {}, QPoint(10, 0));
    const Camera held = camera();
    QTest::qWait(200);
    QVERIFY(camera() == held);
    setReducesMotion(true);
    QTest::keyClick(viewport_, Qt::Key_1, Qt::KeypadModifier);
    expectFrom({0, 0, 1});
    // A clock of fixed steps is for pictures that come out the same.
    setReducesMotion(false);
    window_->playback().setFixedStep(0.1);
    QTest::keyClick(viewport_, Qt::Key_3, Qt::KeypadModifier);
    expectFrom({1, 0, 0});
    window_->playback().setFixedStep(0.0);
  }

  void theCubeGivesTheViewThatIsClicked() {
    // From the default place the front, the right and the top are seen.
    const auto onFace = [&](const glm::dvec3& point) {
      const glm::dmat3 turn(glm::mat3(ck::render::viewMatrix(camera())));
      const glm::dvec3 seen = turn * point;
      return QPoint(int(std::lround(48.0 + seen.x * 27.0)), int(std::lround(48.0 - seen.y * 27.0)));
    };
    QTest::mouseClick(cube_, Qt::LeftButton, {}, onFace({0, 0, 1}));
    expectFrom({0, 0, 1});
    QTest::mouseClick(cube_, Qt::LeftButton, {}, QPoint(48, 48));
    expectFrom({0, 0, -1});
    viewport_->placeCamera(CameraPlace{});
    QTest::mouseClick(cube_, Qt::LeftButton, {}, onFace({0, 1, 0}));
    expectFrom({0, 1, 0});
    viewport_->placeCamera(CameraPlace{});
    QTest::mouseClick(cube_, Qt::LeftButton, {}, onFace({0.85, 0, 1}));
    expectFrom({1, 0, 1});
    viewport_->placeCamera(CameraPlace{});
    QTest::mouseClick(cube_, Qt::LeftButton, {}, onFace({0.85, 0.85, 1}));
    expectFrom({1, 1, 1});
    // A drag orbits, and the word below changes the projection.
    viewport_->placeCamera(CameraPlace{});
    QTest::mousePress(cube_, Qt::LeftButton, {}, QPoint(48, 48));
    QMouseEvent move(QEvent::MouseMove, QPointF(28, 48), cube_->mapToGlobal(QPoint(28, 48)),
                     Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(cube_, &move);
    QTest::mouseRelease(cube_, Qt::LeftButton, {}, QPoint(28, 48));
    QVERIFY(std::abs(camera().yaw - 0.6 - 20 * 0.012) < 1e-9);
    QTest::mouseClick(cube_, Qt::LeftButton, {}, QPoint(48, 105));
    QVERIFY(camera().orthographic);
    QVERIFY(!cube_->directionAt(QPointF(2, 2)));
  }

  void theCubeCoversNoMessage() {
    NotificationBar& bar = window_->viewportFrame().notifications();
    bar.push({Notice::Level::Warning, QString("A long sentence. ").repeated(20), {}});
    QTRY_VERIFY(bar.isVisible());
    QVERIFY(!bar.geometry().intersects(cube_->geometry()));
    bar.closeCurrent();
  }

  void bookmarksAreStepsOfTheProject() {
    Document& document = window_->document();
    const int start = document.undoStack().index();
    auto* menu = window_->findChild<CameraMenu*>();
    QVERIFY(menu != nullptr);
    CameraPlace place;
    place.yaw = 2.0;
    place.distance = 9.0;
    viewport_->placeCamera(place);
    stage_.action("&Add bookmark...")->trigger();
    auto* dialog = window_->findChild<QInputDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    dialog->setTextValue(" Stage left ");
    dialog->accept();
    QCOMPARE(document.project().desk.bookmarks.size(), std::size_t(1));
    QCOMPARE(document.project().desk.bookmarks[0].title, std::string("Stage left"));
    QVERIFY(document.project().desk.bookmarks[0].camera == place);
    QCOMPARE(document.undoStack().index(), start + 1);
    viewport_->placeCamera(CameraPlace{});
    QTest::keyClick(viewport_, Qt::Key_1, Qt::AltModifier);
    QVERIFY(viewport_->cameraPlace() == place);
    viewport_->placeCamera(CameraPlace{});
    QTest::keyClick(viewport_, Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(document.project().desk.bookmarks[0].camera == CameraPlace{});
    menu->renameBookmark(0, "Home");
    QCOMPARE(document.project().desk.bookmarks[0].title, std::string("Home"));
    menu->deleteBookmark(0);
    QVERIFY(document.project().desk.bookmarks.empty());
    QCOMPARE(document.undoStack().index(), start + 4);
    while (document.undoStack().index() > start) document.undoStack().undo();
    QVERIFY(document.project().desk.bookmarks.empty());
  }

  void actorsArePickedWithoutPerspective() {
    viewport_->frameAll();
    Camera flat = camera();
    flat.orthographic = true;
    viewport_->goTo(flat);
    viewport_->frameAll();
    // Where the projection of the view says that an actor stands, it is picked.
    const ck::MixedCrowd& crowd = *window_->playback().crowd();
    int found = 0;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const glm::vec3 place =
          crowd.crowdOf(i).instances().places()[crowd.placeOf(i).index].position;
      const auto at = viewport_->projection().at(glm::dvec3(place) + glm::dvec3(0, 0.9, 0));
      QVERIFY(at);
      found += viewport_->actorAt(at->toPoint()) == window_->playback().actorOf(i) ? 1 : 0;
    }
    QVERIFY2(found * 2 > int(crowd.size()), qPrintable(QString::number(found)));
  }

  void picturesAreKeptForTheEye() {
    viewport_->frameAll();
    const auto keep = [&](const char* name) {
      QVERIFY(window_->grab().save(QStringLiteral(CK_PICTURES_DIR "/") + name));
    };
    keep("camera-perspective.png");
    Camera flat = viewport_->destination();
    flat.orthographic = true;
    viewport_->goTo(flat);
    viewport_->frameAll();
    keep("camera-orthographic.png");
    QTest::keyClick(viewport_, Qt::Key_1, Qt::KeypadModifier);
    viewport_->frameAll();
    keep("camera-front.png");
    QTest::keyClick(viewport_, Qt::Key_7, Qt::KeypadModifier);
    viewport_->frameAll();
    keep("camera-top.png");
  }

 private:
  const Camera& camera() const { return viewport_->camera(); }
  void expectFrom(const glm::dvec3& direction) {
    const double away = glm::distance(towardsEye(camera()), glm::normalize(direction));
    QVERIFY2(away < 1e-6, qPrintable(QString::number(away)));
  }
  void sendMove(const QPoint& to, Qt::MouseButton held) {
    QMouseEvent move(QEvent::MouseMove, to, viewport_->mapToGlobal(to), Qt::NoButton, held, {});
    QApplication::sendEvent(viewport_, &move);
  }
  void drag(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, const QPoint& way) {
    QTest::mousePress(viewport_, button, modifiers, middle_);
    sendMove(middle_ + way, button);
    QTest::mouseRelease(viewport_, button, modifiers, middle_ + way);
  }
  void turnWheel(int clicks, Qt::MouseButtons held = {}) {
    QWheelEvent wheel(middle_, viewport_->mapToGlobal(middle_), {}, {0, 120 * clicks}, held, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(viewport_, &wheel);
  }

  WindowStage stage_;
  MainWindow* window_ = nullptr;
  ViewportWidget* viewport_ = nullptr;
  ViewCube* cube_ = nullptr;
  QPoint middle_;
};

CK_TEST(tst_camera_moves, ck::test::EditorApplication)
#include "tst_camera_moves.moc"
