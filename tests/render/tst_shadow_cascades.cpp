#include <QTest>
#include <cmath>
#include <random>
#include <set>

#include "render/shadows/shadow_cascades.h"
#include "tests/support/test_program.h"

using namespace ck::render;

namespace {

constexpr double kAspect = 1.6;

Camera cameraAt(double distance, double yaw, double pitch) {
  Camera camera;
  camera.distance = distance;
  camera.yaw = yaw;
  camera.pitch = pitch;
  return camera;
}

ck::Bounds crowd() {
  return {{-40.0, 0.0, -40.0}, {40.0, 2.0, 40.0}};
}

// Where map `i` draws a place: in [0, 1] within the map, z the depth.
glm::dvec3 drawnAt(const ShadowCascades& plan, int i, const glm::dvec3& place) {
  const glm::dvec4 clip = glm::dmat4(plan.toClip[i]) * glm::dvec4(place, 1.0);
  return glm::dvec3(clip) * 0.5 + 0.5;
}

// Where a shader looks it up.
glm::dvec3 lookedUpAt(const ShadowCascades& plan, int i, const glm::dvec3& place) {
  const glm::dvec4 at = glm::dmat4(plan.look.fromWorld) * glm::dvec4(place, 1.0);
  const glm::dvec4 box(plan.look.boxes[i]);
  return {at.x * box.x + box.z, at.y * box.y + box.w, at.z};
}

bool isInside(const glm::dvec3& at) {
  return at.x >= 0.0 && at.x <= 1.0 && at.y >= 0.0 && at.y <= 1.0;
}

}  // namespace

class tst_shadow_cascades : public QObject {
  Q_OBJECT

 private slots:
  void rejectsACrowdBehindTheCamera() {
    Camera camera = cameraAt(5.0, 0.0, 0.1);
    camera.target = {0.0, 1.0, -100.0};
    QCOMPARE(planCascades(camera, kAspect, crowd()).look.count, 0);
  }

  void whatTheCameraSeesOfTheCastersIsInTheLastMap_data() {
    QTest::addColumn<double>("distance");
    QTest::addColumn<double>("pitch");
    QTest::addColumn<bool>("orthographic");
    QTest::newRow("among them") << 3.0 << 0.2 << false;
    QTest::newRow("a street away") << 25.0 << 0.4 << false;
    QTest::newRow("all of them") << 150.0 << 0.5 << false;
    QTest::newRow("from above") << 60.0 << 1.5 << false;
    QTest::newRow("orthographic, among them") << 15.0 << 0.2 << true;
    QTest::newRow("orthographic, from above") << 60.0 << 1.5708 << true;
  }
  void whatTheCameraSeesOfTheCastersIsInTheLastMap() {
    QFETCH(double, distance);
    QFETCH(double, pitch);
    QFETCH(bool, orthographic);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    int seen = 0;
    for (const double yaw : {0.0, 0.7, 2.0, 4.1}) {
      Camera camera = cameraAt(distance, yaw, pitch);
      camera.orthographic = orthographic;
      const ShadowCascades plan = planCascades(camera, kAspect, crowd());
      QVERIFY(plan.look.count >= 1);
      const glm::dmat4 toScreen =
          glm::dmat4(projectionMatrix(camera, kAspect)) * glm::dmat4(viewMatrix(camera));
      for (int n = 0; n < 2000; ++n) {
        const glm::dvec3 place = glm::mix(crowd().low, crowd().high,
                                          glm::dvec3(unit(random), unit(random), unit(random)));
        const glm::dvec4 clip = toScreen * glm::dvec4(place, 1.0);
        if (clip.w <= 0.0 || std::abs(clip.x) > clip.w || std::abs(clip.y) > clip.w) continue;
        ++seen;
        const glm::dvec3 at = drawnAt(plan, plan.look.count - 1, place);
        QVERIFY2(isInside(at), qPrintable(QStringLiteral("%1 %2").arg(at.x).arg(at.y)));
        QVERIFY(at.z > -1e-4 && at.z < 1.0 + 1e-4);
      }
    }
    QVERIFY(seen > 100);
  }

  void whatStandsNearIsInTheFinestMap() {
    const Camera camera = cameraAt(4.0, 0.3, 0.3);
    const ShadowCascades plan = planCascades(camera, kAspect, crowd());
    QCOMPARE(plan.look.count, 3);
    QVERIFY(isInside(drawnAt(plan, 0, {0.0, 0.0, 0.0})));
    QVERIFY(isInside(drawnAt(plan, 0, camera.target)));
    QVERIFY(plan.look.texelMeters[0] < 0.02f);
    QVERIFY(plan.look.texelMeters[0] * 1.3f < plan.look.texelMeters[1]);
    QVERIFY(plan.look.texelMeters[1] * 1.3f < plan.look.texelMeters[2]);
  }

  void mapsThatWouldHardlyBeFinerAreLeftOut() {
    QCOMPARE(planCascades(cameraAt(220.0, 0.6, 0.5), kAspect, crowd()).look.count, 1);
    const ck::Bounds one{{-0.5, 0.0, -0.5}, {0.5, 2.0, 0.5}};
    QCOMPARE(planCascades(cameraAt(6.0, 0.6, 0.3), kAspect, one).look.count, 1);
  }

  void lookingUpFindsWhatWasDrawn() {
    const ShadowCascades plan = planCascades(cameraAt(4.0, 0.3, 0.3), kAspect, crowd());
    for (int i = 0; i < plan.look.count; ++i) {
      for (const glm::dvec3& place : {glm::dvec3(0.0), glm::dvec3(1.5, 1.9, -2.0)}) {
        QVERIFY(glm::distance(drawnAt(plan, i, place), lookedUpAt(plan, i, place)) < 1e-4);
      }
    }
  }

  // Points in the same ray of light are one below the other in the map, nearer to the light first.
  void raysOfLightRunStraightIntoTheMap() {
    const ShadowCascades plan = planCascades(cameraAt(8.0, 0.3, 0.3), kAspect, crowd());
    // The direction of shaders/crowd/light_direction.glsl.
    const glm::dvec3 toLight = glm::normalize(glm::dvec3(-0.3145, 0.7863, 0.5318));
    const glm::dvec3 head(0.3, 1.7, 0.1);
    const glm::dvec3 shadow = head - toLight * (head.y / toLight.y);
    const glm::dvec3 a = drawnAt(plan, 0, head);
    const glm::dvec3 b = drawnAt(plan, 0, shadow);
    QVERIFY(std::abs(a.x - b.x) < 1e-5 && std::abs(a.y - b.y) < 1e-5);
    QVERIFY(a.z < b.z);
  }

  // Otherwise edges crawl when the camera or an actor at the edge of the crowd moves.
  void mapsMoveByWholeTexelsAndGrowInSteps() {
    std::set<float> sizes;
    for (int step = 0; step < 400; ++step) {
      Camera camera = cameraAt(6.0, 0.3 + 0.001 * step, 0.3);
      camera.target.x += 0.0037 * step;
      ck::Bounds casters = crowd();
      casters.high.x += 0.0013 * step;
      const ShadowCascades plan = planCascades(camera, kAspect, casters);
      for (int i = 0; i < plan.look.count; ++i) {
        const double across = -double(plan.look.boxes[i].z) * kShadowMapTexels;
        QVERIFY2(std::abs(across - std::round(across)) < 2e-2, qPrintable(QString::number(across)));
        if (i == 0) sizes.insert(plan.look.boxes[i].x);
      }
    }
    QVERIFY(sizes.size() <= 3);
  }
};

CK_TEST(tst_shadow_cascades)
#include "tst_shadow_cascades.moc"
