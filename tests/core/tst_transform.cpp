#include <QTest>

#include "core/base/transform.h"
#include "tests/support/test_program.h"

namespace {

double distance(const glm::dmat4& a, const glm::dmat4& b) {
  double worst = 0.0;
  for (int c = 0; c < 4; ++c) {
    for (int r = 0; r < 4; ++r) worst = std::max(worst, std::abs(a[c][r] - b[c][r]));
  }
  return worst;
}

ck::Trs someTrs() {
  return {{1.0, -2.0, 3.0},
          glm::angleAxis(0.7, glm::normalize(glm::dvec3(1.0, 2.0, -1.0))),
          {2.0, 0.5, 1.5}};
}

}  // namespace

class tst_transform : public QObject {
  Q_OBJECT
 private slots:
  void singularMatrixHasNoInverseAndSaysSo() {
    bool singular = false;
    const glm::dmat4 flat = ck::toMatrix({.scale = {1.0, 0.0, 1.0}});
    QCOMPARE(ck::affineInverse(flat, &singular), glm::dmat4(1.0));
    QVERIFY(singular);
  }

  void scaleActsBeforeRotationBeforeTranslation() {
    const ck::Trs trs{
        {10.0, 0.0, 0.0}, glm::angleAxis(glm::radians(90.0), glm::dvec3(0, 0, 1)), {2.0, 1.0, 1.0}};
    const glm::dvec3 moved = ck::transformPoint(ck::toMatrix(trs), {1.0, 0.0, 0.0});
    QVERIFY(glm::distance(moved, glm::dvec3(10.0, 2.0, 0.0)) < 1e-12);
  }

  void decomposeUndoesToMatrix() {
    const glm::dmat4 matrix = ck::toMatrix(someTrs());
    const ck::Decomposed parts = ck::decompose(matrix);
    QVERIFY(parts.shear < 1e-12);
    QVERIFY(distance(ck::toMatrix(parts.trs), matrix) < 1e-12);
  }

  void mirroredMatrixGetsNegativeScale() {
    ck::Trs trs = someTrs();
    trs.scale = glm::dvec3(-1.0);
    const ck::Decomposed parts = ck::decompose(ck::toMatrix(trs));
    QVERIFY(parts.trs.scale.x < 0.0);
    QVERIFY(distance(ck::toMatrix(parts.trs), ck::toMatrix(trs)) < 1e-12);
  }

  void shearIsReported() {
    glm::dmat4 matrix(1.0);
    matrix[1][0] = 1.0;
    QVERIFY(ck::decompose(matrix).shear > 0.5);
  }

  void vanishedColumnsKeepARotation_data() {
    QTest::addColumn<int>("axis");
    QTest::newRow("x has no length") << 0;
    QTest::newRow("y has no length") << 1;
    QTest::newRow("z has no length") << 2;
  }
  void vanishedColumnsKeepARotation() {
    QFETCH(int, axis);
    ck::Trs trs = someTrs();
    trs.scale[axis] = 0.0;
    const ck::Decomposed parts = ck::decompose(ck::toMatrix(trs));
    QVERIFY(std::abs(glm::length(parts.trs.rotation) - 1.0) < 1e-9);
    QVERIFY(distance(ck::toMatrix(parts.trs), ck::toMatrix(trs)) < 1e-9);
  }

  void affineInverseUndoes() {
    const glm::dmat4 matrix = ck::toMatrix(someTrs());
    QVERIFY(distance(ck::affineInverse(matrix) * matrix, glm::dmat4(1.0)) < 1e-12);
  }

  void slerpTurnsEvenlyAlongTheShorterArc() {
    const glm::dvec3 axis(0.0, 1.0, 0.0);
    const glm::dquat a = glm::angleAxis(0.2, axis);
    const glm::dquat b = -glm::angleAxis(1.0, axis);
    const glm::dquat middle = ck::slerpShortest(a, b, 0.25);
    QVERIFY(std::abs(std::abs(glm::dot(middle, glm::angleAxis(0.4, axis))) - 1.0) < 1e-12);
  }
};

CK_TEST(tst_transform)
#include "tst_transform.moc"
