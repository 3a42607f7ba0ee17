#include <fcntl.h>
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/system/files.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;

class tst_files : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  fs::path path(const char* name) const {
    return ck::pathFromText(folder_.path().toStdString()) / name;
  }

  static std::vector<std::byte> bytes(std::string_view text) {
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
  }

 private slots:
  void rejectsWhatIsNotAFile() {
    QCOMPARE(ck::readFile(path("none"), 10).error().code, ck::ErrorCode::FileNotFound);
    QCOMPARE(ck::readFile(path("."), 10).error().code, ck::ErrorCode::FileUnreadable);
    QCOMPARE(ck::readFile("/dev/zero", 10).error().code, ck::ErrorCode::FileUnreadable);
    QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
    QCOMPARE(ck::readFile(path("pipe"), 10).error().code, ck::ErrorCode::FileUnreadable);
  }

  void rejectsWhatIsTooLarge() {
    QVERIFY(ck::writeFileAtomically(path("eleven"), bytes("12345678901")).has_value());
    QCOMPARE(ck::readFile(path("eleven"), 10).error().code, ck::ErrorCode::LimitExceeded);
    QVERIFY(ck::readFile(path("eleven"), 11).has_value());
  }

  void hashesAreOfParts() {
    const std::vector<std::byte> large(3'000'001, std::byte{7});
    QVERIFY(ck::writeFileAtomically(path("large"), large).has_value());
    QCOMPARE(ck::hashOfFile(path("large"), large.size()).value(), ck::hashBytes(large));
    QCOMPARE(ck::hashOfFile(path("large"), large.size() - 1).error().code,
             ck::ErrorCode::LimitExceeded);
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(ck::hashOfFile(path("large"), large.size(), stop.get_token()).error().code,
             ck::ErrorCode::Cancelled);
  }

  void writtenBytesReadBackAndLeaveNothingElse() {
    const fs::path file = path("Gruppe \xe7\xbe\xa4.crowd");
    QVERIFY(ck::writeFileAtomically(file, bytes("first")).has_value());
    QVERIFY(ck::writeFileAtomically(file, bytes("second")).has_value());
    QCOMPARE(ck::readFile(file, 100).value(), bytes("second"));
    int count = 0;
    for (const auto& entry : fs::directory_iterator(file.parent_path())) {
      count += ck::pathText(entry.path()).find("Gruppe") != std::string::npos ? 1 : 0;
    }
    QCOMPARE(count, 1);
  }

  void failureNamesTheReasonAndKeepsTheOldFile() {
    const auto lost = ck::writeFileAtomically(path("missing/folder/file"), bytes("x"));
    QCOMPARE(lost.error().code, ck::ErrorCode::CannotWrite);
    QVERIFY(lost.error().message.find("No such file or directory") != std::string::npos);
    // /dev/full takes no byte: as a folder entry it is not a regular file and is left alone.
    QCOMPARE(ck::writeFileAtomically("/dev/full", bytes("x")).error().code,
             ck::ErrorCode::CannotWrite);
  }

  void aLinkIsFollowedOnlyWhereTheCallerSaysSo() {
    QVERIFY(ck::writeFileAtomically(path("target"), bytes("old")).has_value());
    fs::create_symlink(path("target"), path("link"));
    QVERIFY(ck::writeFileAtomically(path("link"), bytes("new"), ck::Links::Follow).has_value());
    QVERIFY(fs::is_symlink(path("link")));
    QCOMPARE(ck::readFile(path("target"), 10).value(), bytes("new"));
    QVERIFY(ck::writeFileAtomically(path("link"), bytes("third")).has_value());
    QVERIFY(!fs::is_symlink(path("link")));
    QCOMPARE(ck::readFile(path("link"), 10).value(), bytes("third"));
    QCOMPARE(ck::readFile(path("target"), 10).value(), bytes("new"));
  }

  void copiesReplaceLinksToo() {
    QVERIFY(ck::writeFileAtomically(path("kept"), bytes("kept")).has_value());
    fs::create_symlink(path("kept"), path("copy"));
    QVERIFY(ck::copyFileAtomically(path("target"), path("copy")).has_value());
    QVERIFY(!fs::is_symlink(path("copy")));
    QCOMPARE(ck::readFile(path("copy"), 10).value(), bytes("new"));
    QCOMPARE(ck::readFile(path("kept"), 10).value(), bytes("kept"));
    QCOMPARE(ck::copyFileAtomically(path("gone"), path("copy")).error().code,
             ck::ErrorCode::FileNotFound);
  }

  void newFilesReplaceNothing() {
    QVERIFY(ck::writeNewFile(path("first"), bytes("first")).has_value());
    QCOMPARE(ck::writeNewFile(path("first"), bytes("second")).error().code,
             ck::ErrorCode::CannotWrite);
    fs::create_symlink(path("nowhere"), path("dangling"));
    QCOMPARE(ck::writeNewFile(path("dangling"), bytes("x")).error().code,
             ck::ErrorCode::CannotWrite);
    QVERIFY(!fs::exists(path("nowhere")));
    QCOMPARE(ck::readBeginning(path("first"), 3), bytes("fir"));
    QCOMPARE(ck::readBeginning(path("first"), 30), bytes("first"));
    QVERIFY(ck::readBeginning(path("gone"), 3).empty());
  }

  void namesThatAreNoTextBecomePlain() {
    QCOMPARE(QString::fromStdString(ck::safeFileName("bad\xff")), QString("bad_"));
  }

  void safeNames_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("safe");
    QTest::newRow("plain") << "soldier-2.fbx"
                           << "soldier-2.fbx";
    QTest::newRow("separators") << "a/b\\c:d"
                                << "a_b_c_d";
    QTest::newRow("hidden") << "..x"
                            << "x";
    QTest::newRow("empty") << ""
                           << "unnamed";
    QTest::newRow("shell") << "$(rm *)"
                           << "__rm___";
    QTest::newRow("unicode stays") << QString::fromUtf8("群") << QString::fromUtf8("群");
    QTest::newRow("long") << QString(300, 'a') << QString(100, 'a');
  }
  void safeNames() {
    QFETCH(QString, name);
    QFETCH(QString, safe);
    QCOMPARE(QString::fromStdString(ck::safeFileName(name.toStdString())), safe);
  }
};

CK_TEST(tst_files)
#include "tst_files.moc"
