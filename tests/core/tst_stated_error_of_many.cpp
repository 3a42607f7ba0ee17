#include <QTest>

#include "tests/support/made_clips.h"
#include "tests/support/test_program.h"

// As tst_stated_error, of 2,000 clips.
class tst_stated_error_of_many : public QObject {
  Q_OBJECT
 private slots:
  void ofMadeClips_data() {
    QTest::addColumn<int>("first");
    for (int first = 0; first < 2000; first += 100) QTest::addRow("from seed %d", first) << first;
  }
  void ofMadeClips() {
    QFETCH(int, first);
    QStringList problems;
    for (int seed = first; seed < first + 100; ++seed) {
      const QString problem = ck::test::falseFigureOfMade(static_cast<std::uint32_t>(seed));
      if (!problem.isEmpty()) problems.append(problem);
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n')));
  }
};

CK_TEST(tst_stated_error_of_many)
#include "tst_stated_error_of_many.moc"
