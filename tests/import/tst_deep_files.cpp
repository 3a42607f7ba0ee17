#include <fmt/format.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/fbx_text.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"

namespace {

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// Records of binary FBX, each in the one before it: end, no properties, a name of one letter. A
// record with others in it ends with an empty one of 13 bytes.
std::string nestedRecords(int count) {
  std::string bytes("Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
  const std::size_t size = bytes.size() + static_cast<std::size_t>(count) * 27 + 13;
  for (int i = 0; i < count; ++i) {
    const std::size_t end = size - 13 - 13 * static_cast<std::size_t>(i);
    for (int byte = 0; byte < 4; ++byte) bytes += static_cast<char>(end >> 8 * byte & 0xFF);
    bytes += std::string(8, '\0') + "\1a";
  }
  return bytes + std::string(13 * static_cast<std::size_t>(count) + 13, '\0');
}

std::string modelChain(int count) {
  ck::test::FbxText file;
  int parent = 0;
  for (int i = 0; i < count; ++i) {
    parent = file.limb("n", parent, ck::test::fbxProperty("InheritType", i % 3));
  }
  return file.text();
}

std::string gltfChain(int count) {
  std::string nodes = "{}";
  for (int i = 0; i + 1 < count; ++i) nodes += fmt::format(",{{\"children\":[{}]}}", i);
  return fmt::format(
      "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[{}]}}],\"scene\":0,\"nodes\":[{"
      "}]}}",
      count - 1, nodes);
}

std::string colladaNodes(int count) {
  return "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><library_visual_scenes><visual_scene "
         "id=\"s\">" +
         repeated("<node>", count) + repeated("</node>", count) +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene "
         "url=\"#s\"/></scene></COLLADA>";
}

std::string bvhChain(int count) {
  return "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n" +
         repeated("JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 0\n", count) + repeated("}\n", count + 1) +
         "MOTION\nFrames: 1\nFrame Time: 1\n";
}

std::string md5Chain(int count) {
  std::string joints;
  for (int i = 0; i < count; ++i) {
    joints += fmt::format("\t\"j{}\" {} ( 0 {} 0 ) ( 0 0 0 )\n", i, i - 1, i);
  }
  return fmt::format(
      "MD5Version 10\ncommandline \"\"\nnumJoints {}\nnumMeshes 1\njoints {{\n{}}}\nmesh "
      "{{\nshader "
      "\"s\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 0 0 ) 0 1\nvert 2 ( 0 0 ) 0 1\nnumtris "
      "1\ntri 0 "
      "0 1 2\nnumweights 1\nweight 0 {} 1 ( 0 0 0 )\n}}\n",
      count, joints, count - 1);
}

std::string xFrames(int count) {
  return "xof 0303txt 0032\n" + repeated("Frame f {\n", count) + repeated("}\n", count);
}

}  // namespace

// Files that nest as deeply as they are long. A reader that calls itself for every level dies of
// its stack (ImportCrashed), one whose time grows with the square of the depth is stopped
// (ImportTimeout).
class tst_deep_files : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void areRefusedByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    const auto row = [](const char* tag, const char* name, const std::string& bytes,
                        ck::ErrorCode code) {
      QTest::newRow(tag) << QString(name) << QByteArray::fromStdString(bytes) << int(code);
    };
    using ck::ErrorCode;
    row("FBX, binary records", "a.fbx", nestedRecords(100'000), ErrorCode::LimitExceeded);
    row("FBX, text", "a.fbx", "; FBX 7.4.0 project file\n" + repeated("a: {\n", 100'000),
        ErrorCode::LimitExceeded);
    row("FBX, models", "a.fbx", modelChain(30'000), ErrorCode::InvalidInput);
    row("glTF, values", "a.gltf", "{\"asset\":" + repeated("[", 200'000), ErrorCode::InvalidInput);
    row("glTF, closed values", "a.gltf",
        "{\"asset\":{\"version\":\"2.0\",\"extras\":" + repeated("[", 200'000) +
            repeated("]", 200'000) + "}}",
        ErrorCode::InvalidInput);
    row("glTF, nodes", "a.gltf", gltfChain(30'000), ErrorCode::InvalidInput);
    row("Collada", "a.dae", colladaNodes(200'000), ErrorCode::LimitExceeded);
    row("BVH", "a.bvh", bvhChain(50'000), ErrorCode::LimitExceeded);
    row("MD5", "a.md5mesh", md5Chain(50'000), ErrorCode::LimitExceeded);
    row("X", "a.x", xFrames(30'000), ErrorCode::InvalidInput);
  }
  void areRefusedByName() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(int, code);
    const QTemporaryDir folder;
    const auto path = ck::pathFromText(folder.filePath(name).toStdString());
    std::ofstream(path, std::ios::binary) << bytes.toStdString();
    const auto character = ck::importCharacter(path);
    QVERIFY(!character.has_value());
    qInfo("%s", character.error().message.c_str());
    QCOMPARE(int(character.error().code), code);
  }

  // As deep as a rig may be.
  void ofFourThousandLevelsAreRead() {
    const QTemporaryDir folder;
    const auto path = ck::pathFromText(folder.filePath("a.md5mesh").toStdString());
    std::ofstream(path, std::ios::binary) << md5Chain(4'000);
    const auto character = ck::importCharacter(path);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->rig.joints.size(), std::size_t{4'000});
  }
};

CK_TEST(tst_deep_files)
#include "tst_deep_files.moc"
