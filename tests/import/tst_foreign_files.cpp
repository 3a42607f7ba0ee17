#include <QTest>

#include "core/import/worker/formats/foreign_files.h"
#include "tests/support/test_program.h"

namespace {

using namespace std::string_literals;
using ck::worker::foreignFile;

}  // namespace

class tst_foreign_files : public QObject {
  Q_OBJECT
 private slots:
  void filesThatAreNoRigsSayWhatTheyAre_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("word");
    const auto row = [](const char* name, const std::string& text, const std::string& word) {
      QTest::newRow(name) << text << word;
    };
    row("a pointer of Git LFS",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "git lfs pull");
    row("a web page", "<!DOCTYPE html>\n<html><head>", "web page");
    row("a web page in small letters behind blanks", "\n\n  <!doctype HTML><html lang='de'>",
        "web page");
    row("a web page with a byte order mark", "\xEF\xBB\xBF<html>", "web page");
    row("XHTML", "<?xml version=\"1.0\"?>\n<!-- page -->\n<html xmlns=\"x\">", "web page");
    row("a ZIP archive", "PK\x03\x04"s + std::string(40, 'x'), "ZIP");
    row("a packed file", "\x1F\x8B\x08"s + std::string(40, 'x'), "gzip");
    row("a PNG", "\x89PNG\r\n\x1A\n", "picture");
    row("a JPEG", "\xFF\xD8\xFF\xE0", "picture");
    row("what macOS leaves", "\x00\x05\x16\x07\x00\x02"s, "macOS");
    row("USD", "#usda 1.0\n", "USD");
    row("Maya, text", "//Maya ASCII 2024 scene\n", "Maya");
    row("Maya, binary", "FOR4\x00\x00\x01\x02Maya"s, "Maya");
    row("Unity", "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n", "Unity");
    row("zeros", std::string(5'000, '\0'), "zeros");
  }
  void filesThatAreNoRigsSayWhatTheyAre() {
    QFETCH(std::string, text);
    QFETCH(std::string, word);
    for (const char* ending : {"", "glb", "gltf", "fbx", "dae", "bvh", "x", "md5mesh"}) {
      const auto message = foreignFile(text, ending);
      QVERIFY(message.has_value());
      QVERIFY2(message->find(word) != std::string::npos, message->c_str());
      // The kind of the file, then the advice.
      QVERIFY2(message->find(';') != std::string::npos, message->c_str());
    }
  }

  void rigsAreNotForeign_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("ending");
    const auto row = [](const char* ending, const std::string& text) {
      QTest::newRow(ending) << text << std::string(ending);
    };
    row("glb", "glTF\x02\x00\x00\x00"s);
    row("gltf", "{\"asset\": {\"generator\": \"<html> to glTF\"}}");
    row("fbx", "Kaydara FBX Binary  \x00\x1A\x00"s);
    row("dae", "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"x\">");
    row("bvh", "HIERARCHY\nROOT Hips\n");
    row("x", "xof 0303txt 0032\n");
    row("blend", "\x1F\x8B\x08 packed by Blender");
    row("md5mesh", "MD5Version 10\n");
  }
  void rigsAreNotForeign() {
    QFETCH(std::string, text);
    QFETCH(std::string, ending);
    QVERIFY(!foreignFile(text, ending));
  }
};

CK_TEST(tst_foreign_files)
#include "tst_foreign_files.moc"
