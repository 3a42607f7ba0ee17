#include <QTest>
#include <cmath>

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
