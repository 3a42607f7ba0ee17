#include <QTest>
#include <nlohmann/json.hpp>

#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/export/error_json.h"
#include "core/export/sidecar_json.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/test_program.h"

using Json = nlohmann::json;

namespace {

constexpr ck::ScreenView kFar = {20.0, 2160.0, 25.0};

}  // namespace

class tst_error_json : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    const ck::Character limb = ck::test::swingingLimb();
    atlas_ = ck::bake(limb, {})->atlas;
    error_ = *ck::measureBakeError(limb, atlas_, {.screen = kFar});
    text_ = ck::sidecarText({.name = "limb", .atlas = atlas_}, &error_);
  }

  void rejectsFiguresThatContradictEachOther_data() {
    QTest::addColumn<QString>("at");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("says");
    QTest::newRow("another copy of the largest error")
        << "/errorDirect/vertexMaxMm" << 1.0 << "errorDirect.vertexMaxMm";
    QTest::newRow("another view") << "/errorDirect/pixels/atMeters" << 1.0 << "another view";
    QTest::newRow("a negative figure") << "/error/vertex/p99Mm" << -1.0 << "error.vertex.p99Mm";
    QTest::newRow("a view from nowhere") << "/error/pixels/atMeters" << 0.0 << "atMeters";
  }
  void rejectsFiguresThatContradictEachOther() {
    QFETCH(QString, at);
    QFETCH(double, value);
    QFETCH(QString, says);
    Json sidecar = Json::parse(text_);
    sidecar[Json::json_pointer(at.toStdString())] = value;
    const auto stated = ck::statedError(sidecar.dump());
    QVERIFY(!stated);
    QCOMPARE(stated.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(QString::fromStdString(stated.error().message).contains(says),
             stated.error().message.c_str());
  }

  void rejectsFiguresThatAreNotComplete() {
    for (const char* reading : {"error", "errorDirect"}) {
      Json one = Json::parse(text_);
      one.erase(reading);
      QVERIFY(!ck::statedError(one.dump()));
      for (const char* figures : {"vertex", "pixels", "worst", "p99Mm"}) {
        Json sidecar = Json::parse(text_);
        sidecar[reading].erase(figures);
        QVERIFY(!ck::statedError(sidecar.dump()));
      }
    }
    Json neither = Json::parse(text_);
    for (const char* reading : {"error", "errorDirect"}) {
      neither[reading].erase("vertex");
      neither[reading].erase("pixels");
    }
    QVERIFY(!ck::statedError(neither.dump()));
  }

  void aSidecarStatesAllThreeFigures() {
    const Json json = Json::parse(text_);
    for (const auto& [key, figures] :
         {std::pair{"error", error_.palette}, std::pair{"errorDirect", error_.direct}}) {
      const Json& one = json[key];
      QCOMPARE(one["maxMm"].get<double>(), figures.shell.max);
      QCOMPARE(one["p99Mm"].get<double>(), figures.shell.p99);
      QCOMPARE(one["rmsMm"].get<double>(), figures.shell.rms);
      QCOMPARE(one["shellMeters"].get<double>(), 0.03);
      QCOMPARE(one["worst"]["joint"].get<std::string>(), figures.shell.worstJoint);
      QCOMPARE(one["vertexMaxMm"].get<double>(), figures.vertices.max);
      const Json& vertex = one["vertex"];
      QCOMPARE(vertex["maxMm"].get<double>(), figures.vertices.max);
      QCOMPARE(vertex["p99Mm"].get<double>(), figures.vertices.p99);
      QCOMPARE(vertex["rmsMm"].get<double>(), figures.vertices.rms);
      QCOMPARE(vertex["worst"]["mesh"].get<std::string>(), figures.vertices.worstMesh);
      QCOMPARE(vertex["worst"]["vertex"].get<int>(), figures.vertices.worstVertex);
      QCOMPARE(vertex["worst"]["clip"].get<std::string>(), figures.vertices.worstClip);
      const Json& pixels = one["pixels"];
      QCOMPARE(pixels["max"].get<double>(), figures.screen.max);
      QCOMPARE(pixels["rms"].get<double>(), figures.screen.rms);
      QCOMPARE(pixels["atMeters"].get<double>(), 20.0);
      QCOMPARE(pixels["viewHeight"].get<double>(), 2160.0);
      QCOMPARE(pixels["fieldOfViewDegrees"].get<double>(), 25.0);
      QCOMPARE(pixels["worst"]["timeSeconds"].get<double>(), figures.screen.worstTimeSeconds);
    }
  }

  void whatIsStatedIsReadBack() {
    const auto stated = ck::statedError(text_);
    QVERIFY2(stated, stated ? "" : stated.error().message.c_str());
    QVERIFY(stated->has_value());
    QVERIFY(**stated == error_);
    QCOMPARE(ck::firstFalseFigure(**stated, error_), std::string());
    // Figures are compared at the view that is stated.
    QCOMPARE(ck::firstFalseFigure(error_, ck::seenFrom(error_, {})), std::string());
    QVERIFY(!ck::statedError(ck::sidecarText({.name = "limb", .atlas = atlas_}))->has_value());
  }

  void theFirstFalseFigureIsNamed() {
    ck::BakeError wrong = error_;
    wrong.direct.screen.rms *= 0.5;
    QVERIFY(ck::firstFalseFigure(wrong, error_).starts_with("errorDirect.pixels.rms is "));
    wrong.direct.vertices.p99 *= 0.5;
    QVERIFY(ck::firstFalseFigure(wrong, error_).starts_with("errorDirect.vertex.p99Mm is "));
    wrong.palette.vertices.worstVertex += 1;
    QVERIFY(ck::firstFalseFigure(wrong, error_).starts_with("error.vertex.worst names vertex "));
    wrong.palette.shell.max += 1.0;
    QVERIFY(ck::firstFalseFigure(wrong, error_).starts_with("error.maxMm is "));
  }

  void anotherViewChangesThePixelsOnly() {
    const ck::ScreenView near{10.0, 2160.0, 25.0};
    const ck::BakeError closer = ck::seenFrom(error_, near);
    QVERIFY(closer.palette.vertices == error_.palette.vertices);
    QVERIFY(closer.palette.shell == error_.palette.shell);
    QVERIFY(closer.view == near);
    QVERIFY(std::abs(closer.direct.screen.max - 2.0 * error_.direct.screen.max) < 1e-12);
    QCOMPARE(closer.direct.screen.worstVertex, error_.direct.screen.worstVertex);
    QVERIFY(ck::seenFrom(closer, kFar) == error_);
  }

 private:
  ck::Atlas atlas_;
  ck::BakeError error_;
  std::string text_;
};

CK_TEST(tst_error_json)
#include "tst_error_json.moc"
