#include <QTest>

#include "core/view/drawn_as.h"
#include "tests/support/test_program.h"

using ck::Method;
using ck::Sampling;

class tst_drawn_as : public QObject {
  Q_OBJECT

 private slots:
  void whatTheViewLeavesToTheAtlasIsLeftToIt() {
    QVERIFY(ck::drawnAs({}) == ck::DrawnAs());
    ck::ViewSettings live;
    live.pose.method = Method::Live;
    live.pose.sampling = Sampling::Nearest;
    QVERIFY(!ck::drawnAs(live).interpolate);
  }

  void theSamplingDecidesWhatIsBetweenFrames_data() {
    QTest::addColumn<int>("sampling");
    QTest::addColumn<bool>("interpolates");
    QTest::addColumn<bool>("filters");
    QTest::newRow("interpolated") << int(Sampling::Interpolated) << true << false;
    QTest::newRow("hardware-linear") << int(Sampling::HardwareLinear) << true << true;
    QTest::newRow("nearest") << int(Sampling::Nearest) << false << false;
    QTest::newRow("compact") << int(Sampling::Compact) << false << false;
  }
  void theSamplingDecidesWhatIsBetweenFrames() {
    QFETCH(int, sampling);
    QFETCH(bool, interpolates);
    QFETCH(bool, filters);
    ck::ViewSettings view;
    view.pose.method = Method::Atlas;
    view.pose.sampling = static_cast<Sampling>(sampling);
    const ck::DrawnAs drawn = ck::drawnAs(view);
    QCOMPARE(drawn.interpolate.value(), interpolates);
    QCOMPARE(drawn.hardwareLinear, filters);
  }

  void influencesAndScreenAreThoseOfTheView() {
    ck::ViewSettings view;
    view.pose.influences = 2;
    view.screen = {7.0, 720.0, 60.0};
    QCOMPARE(ck::drawnAs(view).influences.value(), 2);
    QVERIFY(ck::drawnAs(view).screen == view.screen);
  }

  void morphsCountWhereTheViewShowsThem() {
    ck::ViewSettings view;
    view.pose.morphs.nearMeters = 10.0;
    view.screen.distanceMeters = 10.0;
    QVERIFY(ck::drawnAs(view).morphs);
    view.screen.distanceMeters = 10.5;
    QVERIFY(!ck::drawnAs(view).morphs);
    view.screen.distanceMeters = 1.0;
    view.pose.morphs.on = false;
    QVERIFY(!ck::drawnAs(view).morphs);
  }

  void theMethodDecidesTheReading() {
    ck::ViewSettings view;
    QVERIFY(ck::drawnReading(view) == ck::Reading::Palette);
    view.pose.method = Method::Atlas;
    QVERIFY(ck::drawnReading(view) == ck::Reading::Direct);
  }
};

CK_TEST(tst_drawn_as)
#include "tst_drawn_as.moc"
