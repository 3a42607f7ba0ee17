#include <QTest>

#include "core/base/utf8.h"
#include "tests/support/test_program.h"

// The rows of "Well-Formed UTF-8 Byte Sequences" in the Unicode standard (table 3-7), at their
// edges.
class tst_utf8 : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWhatIsNotWellFormed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("lone continuation") << QByteArray("\x80");
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF");
    QTest::newRow("overlong of three") << QByteArray("\xE0\x9F\xBF");
    QTest::newRow("overlong of four") << QByteArray("\xF0\x8F\xBF\xBF");
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80");
    QTest::newRow("beyond the last code") << QByteArray("\xF4\x90\x80\x80");
    QTest::newRow("no such lead") << QByteArray("\xF5\x80\x80\x80");
    QTest::newRow("cut short") << QByteArray("a\xE7\xBE");
    QTest::newRow("lead after lead") << QByteArray("\xC3\xC3\xA4");
  }
  void rejectsWhatIsNotWellFormed() {
    QFETCH(QByteArray, text);
    QVERIFY(!ck::isUtf8({text.constData(), std::size_t(text.size())}));
  }

  void knowsEverySequenceThatQtWrites() {
    for (char32_t code = 0; code <= 0x10FFFF; code += code < 0x3000 ? 1 : 37) {
      if (code >= 0xD800 && code < 0xE000) continue;
      const QByteArray text = QString::fromUcs4(&code, 1).toUtf8();
      const std::string_view view(text.constData(), std::size_t(text.size()));
      QCOMPARE(ck::utf8SequenceLength(view), view.size());
      QVERIFY(ck::isUtf8(view));
    }
  }

  void whatNobodyWouldSeeIsWrittenOut() {
    QCOMPARE(ck::visibleText("b\u00e4r \u4e2d \u0645"), std::string("b\u00e4r \u4e2d \u0645"));
    QCOMPARE(ck::visibleText("a\x1b[2J\x07\x7f"), std::string("a\\x1b[2J\\x07\\x7f"));
    QCOMPARE(ck::visibleText("x\u202egnp.exe"), std::string("x\\u202egnp.exe"));
    QCOMPARE(ck::visibleText("\u200f\u2066\u061c\ufeff\u009b"),
             std::string("\\u200f\\u2066\\u061c\\ufeff\\u009b"));
    QCOMPARE(ck::visibleText("a\nb\tc"), std::string("a\\x0ab\\x09c"));
    QCOMPARE(ck::visibleText("a\nb\rc", true), std::string("a\nb\\x0dc"));
    QCOMPARE(ck::visibleText("\xff\xc3"), std::string("\\xff\\xc3"));
    QCOMPARE(ck::visibleText("a\u00ad\u3164\u2800b"), std::string("a\\u00ad\\u3164\\u2800b"));
  }

  // The flags are those of emoji-sequences.txt of Unicode 14, RGI_Emoji_Tag_Sequence.
  void tagsAreSeenOutsideOfFlags() {
    const std::string end = "\U000e007f";
    const std::string england = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067";
    const std::string wales = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073";
    QCOMPARE(ck::visibleText("a" + england + end + wales + end), "a" + england + end + wales + end);
    QCOMPARE(ck::visibleText("a\U000e0041" + end), std::string("a\\U000e0041\\U000e007f"));
    const auto isWritten = [](const std::string& text) {
      return ck::visibleText(text).find("\\U000e00") != std::string::npos;
    };
    QVERIFY(isWritten(england));                                           // without its end
    QVERIFY(isWritten("\U0001f3f4\U000e0067\U000e0062" + end));            // too short
    QVERIFY(isWritten(england + "\U000e0067\U000e0067\U000e0067" + end));  // too long
    QVERIFY(isWritten("\U0001f3f4\U000e0020\U000e0062\U000e0065" + end));  // a blank
    QVERIFY(isWritten("\U0001f600" + england.substr(4) + end));            // another face
    QVERIFY(isWritten(england + end + end));
  }

  void nothingHasNoSequence() {
    QCOMPARE(ck::utf8SequenceLength({}), std::size_t{0});
    QVERIFY(ck::isUtf8({}));
  }
};

CK_TEST(tst_utf8)
#include "tst_utf8.moc"
