#include <QTest>
#include <cmath>
#include <random>

#include "render/scene/camera.h"
#include "tests/support/test_program.h"

using namespace ck::render;

namespace {

// Where a point lands in the picture, -1 to 1, y up; z is the depth.
glm::dvec3 landing(const Camera& camera, const glm::dvec3& point, double aspect = 1.5) {
  const glm::dvec4 clip = glm::dmat4(projectionMatrix(camera, aspect)) *
                          glm::dmat4(viewMatrix(camera)) * glm::dvec4(point, 1.0);
  return glm::dvec3(clip) / clip.w;
}

}  // namespace

class tst_camera : public QObject {
  Q_OBJECT

 private slots:
  void rejectsToTurnOverThePoles() {
    Camera camera;
    orbit(camera, 0.0, 100.0);
    QVERIFY(camera.pitch < 1.5708 && camera.pitch > 1.5);
    orbit(camera, 0.0, -200.0);
    QVERIFY(camera.pitch > -1.5708 && camera.pitch < -1.5);
    const glm::dvec3 middle = landing(camera, camera.target);
    QVERIFY(std::isfinite(middle.x) && std::isfinite(middle.y));
  }

  void yawZeroLooksAlongMinusZ() {
    Camera camera;
    camera.yaw = 0.0;
    camera.pitch = 0.0;
    const glm::dvec3 eye = eyeOf(camera);
    QVERIFY(glm::distance(eye, camera.target + glm::dvec3(0, 0, camera.distance)) < 1e-9);
    QVERIFY(landing(camera, camera.target + glm::dvec3(1, 0, 0)).x > 0.0);
    QVERIFY(landing(camera, camera.target + glm::dvec3(0, 1, 0)).y > 0.0);
  }

  void positivePitchLooksDown() {
    Camera camera;
    camera.pitch = 0.4;
    QVERIFY(eyeOf(camera).y > camera.target.y);
  }

  void theTargetIsInTheMiddle() {
    Camera camera;
    orbit(camera, 2.1, -0.2);
    const glm::dvec3 middle = landing(camera, camera.target);
    QVERIFY(std::abs(middle.x) < 1e-5 && std::abs(middle.y) < 1e-5);
    QVERIFY(middle.z > -1.0 && middle.z < 1.0);
  }

  void panKeepsThePointUnderThePointer() {
    Camera camera;
    const double height = 600.0;
    const glm::dvec3 point = camera.target;
    pan(camera, 90.0, -45.0, height);
    const glm::dvec3 moved = landing(camera, point);
    // 90 pixels of 900 wide (aspect 1.5) and 45 up of 600.
    QVERIFY(std::abs(moved.x - 0.2) < 1e-3);
    QVERIFY(std::abs(moved.y - 0.15) < 1e-3);
  }

  void dollyNeverPassesTheTarget() {
    Camera camera;
    const double before = camera.distance;
    dolly(camera, 1.0);
    QVERIFY(camera.distance < before && camera.distance > 0.0);
    dolly(camera, -1.0);
    QVERIFY(std::abs(camera.distance - before) < 1e-9);
    dolly(camera, 1e6);
    QVERIFY(camera.distance > 0.0);
    dolly(camera, -1e6);
    QVERIFY(std::isfinite(camera.distance));
  }

  void framesEveryCornerOfABox_data() {
    QTest::addColumn<double>("yaw");
    QTest::addColumn<double>("pitch");
    QTest::addColumn<double>("aspect");
    for (const double yaw : {0.0, 0.7, 3.0}) {
      for (const double pitch : {-0.4, 0.0, 1.2}) {
        for (const double aspect : {0.3, 1.0, 2.4}) {
          QTest::addRow("yaw %g pitch %g aspect %g", yaw, pitch, aspect) << yaw << pitch << aspect;
        }
      }
    }
  }
  void framesEveryCornerOfABox() {
    QFETCH(double, yaw);
    QFETCH(double, pitch);
    QFETCH(double, aspect);
    Camera camera;
    camera.yaw = yaw;
    camera.pitch = pitch;
    const ck::Bounds box{{-30.0, 0.0, -4.0}, {10.0, 2.0, 50.0}};
    frameBox(camera, box, aspect);
    double largest = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      const glm::dvec3 place((corner & 1) != 0 ? box.high.x : box.low.x,
                             (corner & 2) != 0 ? box.high.y : box.low.y,
                             (corner & 4) != 0 ? box.high.z : box.low.z);
      const glm::dvec3 at = landing(camera, place, aspect);
      QVERIFY(std::abs(at.x) <= 1.0 && std::abs(at.y) <= 1.0 && at.z < 1.0 && at.z > -1.0);
      largest = std::max({largest, std::abs(at.x), std::abs(at.y)});
    }
    // And not from further away than it must.
    QVERIFY(largest > 0.85);
  }

  void orthographicKeepsTheSizeAtTheTarget() {
    Camera camera;
    camera.yaw = 0.4;
    Camera flat = camera;
    flat.orthographic = true;
    // Across the line of sight through the target.
    const glm::dvec3 right(std::cos(camera.yaw), 0.0, -std::sin(camera.yaw));
    const glm::dvec3 place = camera.target + right * 0.7;
    QVERIFY(std::abs(landing(camera, place).x - landing(flat, place).x) < 1e-5);
    // Nearer to the eye it is larger in perspective alone; and what is behind the eye is seen.
    const glm::dvec3 nearer = place + towardsEye(camera) * 2.0;
    QVERIFY(landing(camera, nearer).x > landing(camera, place).x * 1.4);
    for (const double back : {2.0, 30.0}) {
      const glm::dvec3 at = landing(flat, place + towardsEye(camera) * back);
      QVERIFY(std::abs(at.x - landing(flat, place).x) < 1e-5);
      QVERIFY(at.z > -1.0 && at.z < landing(flat, place).z);
    }
    const double half = camera.distance * std::tan(camera.fieldOfViewY / 2.0);
    QVERIFY(std::abs(metersHigh(flat) - 2.0 * half) < 1e-12);
    const glm::dvec3 up = glm::cross(towardsEye(flat), right);
    QVERIFY(std::abs(landing(flat, flat.target + up * half).y - 1.0) < 1e-5);
  }

  // A plain seen from above fills the picture's width and leaves as much free above as below.
  void framedPointsAreInTheMiddleOfThePicture() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> across(-40.0, 40.0);
    std::uniform_real_distribution<double> up(0.0, 1.8);
    std::vector<glm::dvec3> points;
    for (int i = 0; i < 20000; ++i) points.push_back({across(random), up(random), across(random)});
    for (const double pitch : {-0.3, 0.0, 0.2, 0.5, 1.2}) {
      for (const double aspect : {0.5, 1.0, 1.78}) {
        Camera camera;
        camera.yaw = 0.7;
        camera.pitch = pitch;
        framePoints(camera, points, aspect);
        glm::dvec2 low(1e9);
        glm::dvec2 high(-1e9);
        for (const glm::dvec3& point : points) {
          const glm::dvec3 at = landing(camera, point, aspect);
          QVERIFY(std::abs(at.x) <= 1.0 && std::abs(at.y) <= 1.0 && std::abs(at.z) < 1.0);
          low = glm::min(low, glm::dvec2(at));
          high = glm::max(high, glm::dvec2(at));
        }
        for (int axis = 0; axis < 2; ++axis) QVERIFY(std::abs(low[axis] + high[axis]) < 0.01);
        QVERIFY(std::max(high.x, high.y) > 0.85);
      }
    }
  }

  void orthographicFramesEveryPointAndNoMore() {
    Camera camera;
    camera.orthographic = true;
    for (const double pitch : {0.0, 0.6, 1.5707}) {
      camera.pitch = pitch;
      const std::array<glm::dvec3, 8> corners = cornersOf({{-30, 0, -4}, {10, 2, 50}});
      framePoints(camera, corners, 1.5);
      double largest = 0.0;
      for (const glm::dvec3& corner : corners) {
        const glm::dvec3 at = landing(camera, corner);
        largest = std::max({largest, std::abs(at.x), std::abs(at.y)});
        QVERIFY(std::abs(at.z) < 1.0);
      }
      QVERIFY2(largest < 0.95 && largest > 0.85, qPrintable(QString::number(largest)));
    }
  }

  void lookTurnsAboutTheEyeAndFlyMovesIt() {
    Camera camera;
    const glm::dvec3 eye = eyeOf(camera);
    look(camera, 0.5, -0.2);
    QVERIFY(glm::distance(eyeOf(camera), eye) < 1e-9);
    QVERIFY(std::abs(camera.yaw - 1.1) < 1e-12);
    const glm::dvec3 before = eyeOf(camera);
    fly(camera, {0.0, 0.0, 3.0});
    QVERIFY(glm::distance(eyeOf(camera), before - towardsEye(camera) * 3.0) < 1e-9);
  }

  void theEyeStaysAboveTheGroundUnlessItWasBelow() {
    const Camera above;
    Camera camera = above;
    orbit(camera, 0.3, -3.0);
    QVERIFY(eyeOf(camera).y < 0.0);
    keepAboveGround(camera, above);
    QVERIFY(eyeOf(camera).y >= 0.0199 && eyeOf(camera).y < 0.01 * camera.distance);
    QVERIFY(std::abs(camera.yaw - 0.9) < 1e-12);
    QCOMPARE(camera.target.y, above.target.y);
    // And stays there in the next steps of the drag.
    const Camera horizon = camera;
    orbit(camera, 0.0, -0.1);
    keepAboveGround(camera, horizon);
    QVERIFY(eyeOf(camera).y >= 0.0);
    camera = above;
    fly(camera, {0.0, -50.0, 0.0});
    keepAboveGround(camera, above);
    QVERIFY(eyeOf(camera).y >= 0.0199 && eyeOf(camera).y < 0.01 * camera.distance);
    QCOMPARE(camera.pitch, above.pitch);
    // Nor about a target below the ground, nor by coming nearer to it.
    Camera over = above;
    over.target = {0.0, -4.0, 0.0};
    over.distance = 20.0;
    QVERIFY(eyeOf(over).y > 0.0);
    camera = over;
    orbit(camera, 0.3, -1.0);
    keepAboveGround(camera, over);
    QVERIFY(eyeOf(camera).y >= 0.0 && eyeOf(camera).y < 0.1);
    QVERIFY(camera.target == over.target);
    camera = over;
    zoom(camera, 4.0);
    keepAboveGround(camera, over);
    QVERIFY(eyeOf(camera).y >= 0.0);
    QCOMPARE(camera.pitch, over.pitch);
    // From below everything is free.
    Camera below = above;
    below.target.y = -5.0;
    camera = below;
    orbit(camera, 0.0, -1.0);
    const Camera wanted = camera;
    keepAboveGround(camera, below);
    QVERIFY(camera == wanted);
  }

  // Points of the ground are between the near and the far plane wherever the eye may stand: right
  // below the edges of a level view, and where one looks down.
  void groundIsSeenFromTheLowestEye() {
    for (const double distance : {0.1, 2.0, 20.0, 150.0}) {
      for (const double pitch : {0.0, 0.4, 1.0}) {
        Camera camera;
        camera.distance = distance;
        camera.yaw = 0.0;
        camera.pitch = pitch;
        camera.target.y += ck::render::lowestEye(camera) - eyeOf(camera).y;
        const double aspect = 2.2;
        const glm::dmat4 screen =
            glm::dmat4(projectionMatrix(camera, aspect)) * glm::dmat4(viewMatrix(camera));
        const glm::dmat4 back = glm::inverse(screen);
        for (const glm::dvec2 corner : {glm::dvec2(0, -0.99), {-0.99, -0.99}, {0.99, -0.99}}) {
          const glm::dvec4 far = back * glm::dvec4(corner, 0.5, 1.0);
          const glm::dvec3 eye = eyeOf(camera);
          const glm::dvec3 way = glm::dvec3(far) / far.w - eye;
          QVERIFY(way.y < 0.0);
          const glm::dvec4 ground = screen * glm::dvec4(eye - way * (eye.y / way.y), 1.0);
          QVERIFY2(ground.w > 0.0 && std::abs(ground.z) < ground.w,
                   qPrintable(QString("%1 m, pitch %2").arg(distance).arg(pitch)));
        }
      }
    }
  }

  void betweenGoesTheShorterWay() {
    Camera from;
    from.yaw = 3.0;
    Camera to = from;
    to.yaw = -3.0;
    to.distance = from.distance * 4.0;
    const Camera half = between(from, to, 0.5);
    QVERIFY(std::abs(std::remainder(half.yaw - 3.14159265, 6.2831853)) < 1e-6);
    QVERIFY(std::abs(half.distance - from.distance * 2.0) < 1e-9);
    QVERIFY(std::abs(std::remainder(between(from, to, 1.0).yaw - to.yaw, 6.2831853)) < 1e-6);
  }

  void lookAlongTheAxes() {
    Camera camera;
    for (const glm::dvec3& from : {glm::dvec3(0, 0, 1), glm::dvec3(-1, 0, 0), glm::dvec3(0, 1, 0),
                                   glm::dvec3(0, -1, 0), glm::dvec3(1, 1, 1)}) {
      lookAlong(camera, from, 0.0);
      QVERIFY(glm::distance(towardsEye(camera), glm::normalize(from)) < 1e-9);
      const glm::dvec3 middle = landing(camera, camera.target);
      QVERIFY(std::abs(middle.x) < 1e-5 && std::abs(middle.y) < 1e-5);
    }
    // About a target below the ground, unless from below.
    camera.target.y = -2.0;
    lookAlong(camera, {0, 0, 1}, 0.0);
    QVERIFY(eyeOf(camera).y > 0.5);
    camera.target.y = -2.0;
    lookAlong(camera, {0, -1, 0}, 0.0);
    QCOMPARE(camera.target.y, -2.0);
    // Seen from above with yaw 0, X is to the right and -Z up.
    lookAlong(camera, {0, 1, 0}, 0.0);
    QVERIFY(landing(camera, camera.target + glm::dvec3(1, 0, 0)).x > 0.1);
    QVERIFY(landing(camera, camera.target - glm::dvec3(0, 0, 1)).y > 0.1);
  }

  void unsoundCamerasAreKnown() {
    Camera camera;
    QVERIFY(isSound(camera));
    camera.yaw = std::nan("");
    QVERIFY(!isSound(camera));
    camera = {};
    camera.target.y = INFINITY;
    QVERIFY(!isSound(camera));
    camera = {};
    camera.distance = 0.0;
    QVERIFY(!isSound(camera));
  }

  void lookFromPutsTheEyeThere() {
    const glm::dvec3 eye(3.0, 4.0, -5.0);
    const Camera camera = lookFrom(eye, {1.0, 0.5, 0.0});
    QVERIFY(glm::distance(eyeOf(camera), eye) < 1e-9);
    const Camera nowhere = lookFrom(eye, eye);
    QVERIFY(std::isfinite(nowhere.yaw) && nowhere.distance > 0.0);
  }
};

CK_TEST(tst_camera)
#include "tst_camera.moc"
