#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

// Files that name bytes which they do not have. A reader must not take the bytes of others.

namespace {

using Json = nlohmann::json;
using ck::ErrorCode;

// A triangle whose picture is `picture`, a view of a buffer of 72 bytes.
Json triangle(Json picture) {
  return {{"asset", {{"version", "2.0"}}},
          {"scene", 0},
          {"scenes", {{{"nodes", {0}}}}},
          {"nodes", {{{"mesh", 0}}}},
          {"meshes",
           {{{"primitives",
              {{{"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 1}}}, {"material", 0}}}}}}},
          {"materials", {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}}},
          {"textures", {{{"source", 0}}}},
          {"images", {{{"bufferView", 2}, {"mimeType", "image/png"}}}},
          {"accessors",
           {{{"bufferView", 0}, {"componentType", 5126}, {"type", "VEC3"}, {"count", 3}},
            {{"bufferView", 1}, {"componentType", 5126}, {"type", "VEC2"}, {"count", 3}}}},
          {"bufferViews",
           {{{"buffer", 0}, {"byteOffset", 0}, {"byteLength", 36}},
            {{"buffer", 0}, {"byteOffset", 36}, {"byteLength", 24}},
            std::move(picture)}},
          {"buffers", {{{"byteLength", 72}}}}};
}

// As a GLB whose binary part says that it is `tooLong` bytes longer than it is.
std::string glb(const Json& json, int tooLong = 0) {
  const float numbers[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1};
  std::string text = json.dump();
  while (text.size() % 4 != 0) text += ' ';
  std::string file = "glTF";
  const auto number = [&file](std::size_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    file.append(reinterpret_cast<const char*>(&word), 4);
  };
  number(2);
  number(12 + 8 + text.size() + 8 + sizeof numbers);
  number(text.size());
  file += "JSON" + text;
  number(sizeof numbers + static_cast<std::size_t>(tooLong));
  file += std::string("BIN\0", 4);
  return file.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
}

ck::Result<ck::Character> import(const std::string& file) {
  const QTemporaryDir folder;
  const auto path = std::filesystem::path(folder.path().toStdString()) / "triangle.glb";
  if (!ck::writeFileAtomically(path, std::as_bytes(std::span(file)))) std::abort();
  return ck::importCharacter(path);
}

}  // namespace

class tst_gltf_bounds : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void picturesOutsideOfTheirBufferAreMissing_data() {
    QTest::addColumn<QByteArray>("view");
    QTest::newRow("far too long") << QByteArray(R"({"buffer": 0, "byteLength": 2147483647})");
    QTest::newRow("one byte too long")
        << QByteArray(R"({"buffer": 0, "byteOffset": 60, "byteLength": 13})");
    QTest::newRow("begins behind the end")
        << QByteArray(R"({"buffer": 0, "byteOffset": 2000000000, "byteLength": 12})");
    QTest::newRow("begins before the beginning")
        << QByteArray(R"({"buffer": 0, "byteOffset": -4096, "byteLength": 12})");
    QTest::newRow("an offset that wraps")
        << QByteArray(R"({"buffer": 0, "byteOffset": 18446744073709551612, "byteLength": 12})");
  }
  void picturesOutsideOfTheirBufferAreMissing() {
    QFETCH(QByteArray, view);
    const auto character = import(glb(triangle(Json::parse(view.toStdString()))));
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(ck::test::hasNote(character->notes, "PictureUnreadable"));
    QVERIFY(character->images.empty());
  }

  void binaryPartsThatEndBehindTheFileAreRefused_data() {
    QTest::addColumn<int>("tooLong");
    for (const int bytes : {4, 8, 12, 1 << 20}) {
      QTest::newRow(std::to_string(bytes).c_str()) << bytes;
    }
  }
  void binaryPartsThatEndBehindTheFileAreRefused() {
    QFETCH(int, tooLong);
    const Json json = triangle({{"buffer", 0}, {"byteOffset", 60}, {"byteLength", 12}});
    QVERIFY(import(glb(json)).has_value());
    const auto character = import(glb(json, tooLong));
    QVERIFY(!character.has_value());
    QVERIFY2(character.error().code == ErrorCode::InvalidInput, character.error().message.c_str());
    QVERIFY(character.error().message.find("cut short") != std::string::npos);
  }

  void aNumberBeyondAllIsNamed() {
    const auto read = import(R"({"asset": {"version": "2.0"}, "scene": 1e999})");
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::InvalidInput);
    QVERIFY2(read.error().message.find("number that is too large") != std::string::npos,
             read.error().message.c_str());
  }
};

CK_TEST(tst_gltf_bounds)
#include "tst_gltf_bounds.moc"
