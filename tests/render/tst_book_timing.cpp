#include <QTest>

#include "render/reference/book_timing.h"
#include "tests/support/test_program.h"

using ck::render::bookFrames;

// The claims of docs/techniques.md 1.4 about the write-up's timing, for a clip of 11 frames.
class tst_book_timing : public QObject {
  Q_OBJECT
 private slots:
  void rejectsNothingOutsideTheClip() {
    QCOMPARE(bookFrames(-0.5, 3.0, 11).frame, 0);
    QCOMPARE(bookFrames(-0.5, 3.0, 11).next, 10);
    QCOMPARE(bookFrames(0.3, 0.9, 1).frame, 0);
    QCOMPARE(bookFrames(0.3, 0.9, 1).weight, 1.0);
  }

  void frames_data() {
    QTest::addColumn<double>("unit");
    QTest::addColumn<double>("nextUnit");
    QTest::addColumn<int>("frame");
    QTest::addColumn<int>("next");
    QTest::addColumn<double>("weight");
    QTest::newRow("a tick of one frame is right") << 0.43 << 0.53 << 4 << 5 << 0.3;
    QTest::newRow("a shorter tick holds the frame") << 0.43 << 0.46 << 4 << 4 << 1.0;
    QTest::newRow("a longer tick leaves frames out") << 0.43 << 0.73 << 4 << 7 << 0.1;
    QTest::newRow("a pause snaps to the frame before") << 0.48 << 0.48 << 4 << 4 << 1.0;
    QTest::newRow("backwards there is almost nothing of the next")
        << 0.43 << 0.33 << 4 << 3 << 0.3 / 9.0;
    // Time never reaches the last frame of a loop, which is the first again.
    QTest::newRow("over the seam") << 0.97 << 0.02 << 9 << 0 << 0.7;
  }
  void frames() {
    QFETCH(double, unit);
    QFETCH(double, nextUnit);
    const ck::render::BookFrames found = bookFrames(unit, nextUnit, 11);
    QTEST(found.frame, "frame");
    QTEST(found.next, "next");
    QFETCH(double, weight);
    QVERIFY2(std::abs(found.weight - weight) < 1e-9, qPrintable(QString::number(found.weight)));
  }
};

CK_TEST(tst_book_timing)
#include "tst_book_timing.moc"
