#include <webp/encode.h>
#include <zlib.h>
#include <zstd.h>
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

constexpr int kWidth = 40;
constexpr int kHeight = 24;

// A picture with a smooth and a hard part and with alpha.
Bytes picture() {
  Bytes rgba;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool hard = x > 30 && y > 12;
      for (const int value :
           {hard ? 250 : 4 * x, hard ? 10 : 6 * y, hard ? 20 : 128, 255 - 3 * x}) {
        rgba.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  return rgba;
}

Bytes webp(bool lossless) {
  const Bytes rgba = picture();
  std::uint8_t* out = nullptr;
  const std::size_t size =
      lossless ? WebPEncodeLosslessRGBA(rgba.data(), kWidth, kHeight, kWidth * 4, &out)
               : WebPEncodeRGBA(rgba.data(), kWidth, kHeight, kWidth * 4, 95.0f, &out);
  Bytes bytes(out, out + size);
  WebPFree(out);
  return bytes;
}

// A KTX 2.0 after its specification, with a level of texels and as many smaller ones as asked for.
struct Ktx2 {
  std::uint32_t vkFormat = 37;
  std::uint32_t packing = 0;  // 1 BasisLZ, 2 Zstandard, 3 zlib
  std::uint32_t width = kWidth;
  std::uint32_t height = kHeight;
  std::uint32_t layers = 0;
  std::uint32_t faces = 1;
  std::uint8_t colorModel = 1;  // RGBSDA
  Bytes texels = picture();

  Bytes bytes() const {
    Bytes file = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
    const auto number = [&file](std::uint64_t value, int size) {
      for (int i = 0; i < size; ++i) file.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    };
    Bytes packed = texels;
    if (packing == 2) {
      packed.resize(ZSTD_compressBound(texels.size()));
      packed.resize(ZSTD_compress(packed.data(), packed.size(), texels.data(), texels.size(), 3));
    } else if (packing == 3) {
      uLongf size = compressBound(texels.size());
      packed.resize(size);
      compress(packed.data(), &size, texels.data(), texels.size());
      packed.resize(size);
    }
    constexpr std::uint32_t kDescriptor = 80 + 24;
    for (const std::uint32_t word :
         {vkFormat, 1u, width, height, 0u, layers, faces, 1u, packing, kDescriptor, 28u, 0u, 0u}) {
      number(word, 4);
    }
    number(0, 8);
    number(0, 8);
    number(kDescriptor + 28, 8);
    number(packed.size(), 8);
    number(texels.size(), 8);
    number(28, 4);  // the data format descriptor
    number(0, 4);
    number(2 | 24 << 16, 4);
    file.push_back(colorModel);
    file.resize(kDescriptor + 28);
    file.insert(file.end(), packed.begin(), packed.end());
    return file;
  }
};

std::string base64(const Bytes& bytes) {
  return QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()))
      .toBase64()
      .toStdString();
}

// A quad without clips whose material shows the textures of `document`.
std::string quad(Json document) {
  const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const float uvs[] = {0, 0, 1, 0, 0, 1};
  Bytes data(sizeof(corners) + sizeof(uvs));
  std::memcpy(data.data(), corners, sizeof(corners));
  std::memcpy(data.data() + sizeof(corners), uvs, sizeof(uvs));
  document["asset"] = {{"version", "2.0"}};
  document["scenes"] = {{{"nodes", {0}}}};
  document["nodes"] = {{{"name", "Quad"}, {"mesh", 0}}};
  document["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", 0}, {"TEXCOORD_0", 1}}}, {"material", 0}}}}}};
  document["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
  document["accessors"] = {
      {{"bufferView", 0}, {"componentType", 5126}, {"type", "VEC3"}, {"count", 3}},
      {{"bufferView", 1}, {"componentType", 5126}, {"type", "VEC2"}, {"count", 3}}};
  document["bufferViews"] = {
      {{"buffer", 0}, {"byteLength", sizeof(corners)}},
      {{"buffer", 0}, {"byteOffset", sizeof(corners)}, {"byteLength", sizeof(uvs)}}};
  document["buffers"] = {{{"byteLength", data.size()},
                          {"uri", "data:application/octet-stream;base64," + base64(data)}}};
  return document.dump();
}

Json imageOf(const Bytes& bytes, const char* type) {
  return {{"name", "skin"}, {"uri", std::string("data:") + type + ";base64," + base64(bytes)}};
}

// A texture that names image 0 in an extension, and another where there is one.
Json textureOf(const char* extension, std::optional<int> plain) {
  Json texture = Json::object();
  texture["extensions"][extension]["source"] = 0;
  if (plain) texture["source"] = *plain;
  return texture;
}

}  // namespace

// Pictures in packed forms, against the texels that were packed.
class tst_packed_pictures : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::filesystem::path folder() const { return folder_.path().toStdString(); }

  void write(const char* name, const void* data, std::size_t size) const {
    const auto* first = static_cast<const std::byte*>(data);
    if (!ck::writeFileAtomically(folder() / name, {first, size})) std::abort();
  }

  ck::Character import(const Json& document) const {
    const std::string text = quad(document);
    write("quad.gltf", text.data(), text.size());
    const auto character = ck::importCharacter(folder() / "quad.gltf");
    if (!character) qFatal("%s", character.error().message.c_str());
    return *character;
  }

  // The picture of a quad whose texture names these bytes in an extension.
  ck::Character shown(const char* extension, const Bytes& bytes, const char* type) const {
    return import({{"extensionsRequired", Json::array({extension})},
                   {"extensionsUsed", Json::array({extension})},
                   {"images", Json::array({imageOf(bytes, type)})},
                   {"textures", Json::array({textureOf(extension, {})})}});
  }
  ck::Character fromKtx2(const Ktx2& file) const {
    return shown("KHR_texture_basisu", file.bytes(), "image/ktx2");
  }

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void refusesKtx2ByName_data() {
    QTest::addColumn<int>("vkFormat");
    QTest::addColumn<int>("packing");
    QTest::addColumn<int>("model");
    QTest::addColumn<int>("faces");
    QTest::addColumn<QString>("says");
    QTest::newRow("ETC1S") << 0 << 1 << 163 << 1 << "Basis Universal (ETC1S)";
    QTest::newRow("UASTC") << 0 << 0 << 166 << 1 << "Basis Universal (UASTC)";
    QTest::newRow("UASTC in Zstandard") << 0 << 2 << 166 << 1 << "Basis Universal (UASTC)";
    QTest::newRow("BC7") << 146 << 0 << 1 << 1 << "VkFormat 146";
    QTest::newRow("cube") << 37 << 0 << 1 << 6 << "several layers or faces";
    QTest::newRow("unknown packing") << 37 << 9 << 1 << 1 << "unknown way 9";
  }
  void refusesKtx2ByName() {
    QFETCH(int, vkFormat);
    QFETCH(int, packing);
    QFETCH(int, model);
    QFETCH(int, faces);
    QFETCH(QString, says);
    Ktx2 file;
    file.vkFormat = static_cast<std::uint32_t>(vkFormat);
    file.packing = static_cast<std::uint32_t>(packing);
    file.colorModel = static_cast<std::uint8_t>(model);
    file.faces = static_cast<std::uint32_t>(faces);
    const ck::Character character = fromKtx2(file);
    QVERIFY(character.images.empty());
    QVERIFY(hasNote(character.notes, "PictureUnreadable", says.toStdString()));
  }

  void webpIsRead() {
    const ck::Character exact = shown("EXT_texture_webp", webp(true), "image/webp");
    QCOMPARE(exact.images.size(), std::size_t{1});
    QCOMPARE(exact.images[0].width, kWidth);
    QCOMPARE(exact.images[0].height, kHeight);
    // A lossless WebP keeps the colour of what is invisible only if asked; none is here.
    QVERIFY(exact.images[0].rgba == picture());
    const ck::Character lossy = shown("EXT_texture_webp", webp(false), "image/webp");
    double sum = 0.0;
    const Bytes expected = picture();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      sum += std::abs(int(lossy.images.at(0).rgba[i]) - int(expected[i]));
    }
    QVERIFY(sum / double(expected.size()) < 4.0);
  }

  // Beside a picture that every program reads, the WebP is taken; a KTX2 is not.
  void packedPicturesStandBesidePlainOnes() {
    Ktx2 grey;
    grey.texels.assign(grey.texels.size(), 7);
    const Json image = imageOf(webp(true), "image/webp");
    const Json other = imageOf(grey.bytes(), "image/ktx2");
    const ck::Character taken =
        import({{"images", Json::array({image, other})},
                {"textures", Json::array({textureOf("EXT_texture_webp", 1)})}});
    QVERIFY(taken.images.at(0).rgba == picture());
    const ck::Character left =
        import({{"images", Json::array({other, image})},
                {"textures", Json::array({textureOf("KHR_texture_basisu", 1)})}});
    QVERIFY(left.images.at(0).rgba == picture());
  }

  void webpLiesBesideARigOfAnotherFormat() {
    const std::filesystem::path rigs = std::filesystem::path(CK_SOURCE_DIR) / "tests/data/rigs";
    const auto bytes = ck::readFile(rigs / "strip.x", 1u << 20);
    QVERIFY(bytes.has_value());
    std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::size_t material = text.find("Material ");
    QVERIFY(material != std::string::npos);
    const std::size_t end = text.find('}', material);
    text.insert(end, "TextureFilename { \"skin.webp\"; } ");
    write("strip.x", text.data(), text.size());
    const Bytes picture = webp(true);
    write("skin.webp", picture.data(), picture.size());
    const auto character = ck::importCharacter(folder() / "strip.x");
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->images.size(), std::size_t{1});
    QCOMPARE(character->images[0].width, kWidth);
  }

  void ktx2IsRead_data() {
    QTest::addColumn<int>("vkFormat");
    QTest::addColumn<int>("packing");
    for (const int packing : {0, 2, 3}) {
      for (const int format : {9, 23, 29, 30, 37, 43, 44}) {
        QTest::addRow("VkFormat %d, packing %d", format, packing) << format << packing;
      }
    }
  }
  void ktx2IsRead() {
    QFETCH(int, vkFormat);
    QFETCH(int, packing);
    const bool swapped = vkFormat == 30 || vkFormat == 44;
    const std::size_t channels = vkFormat == 9 ? 1 : vkFormat < 37 ? 3 : 4;
    const Bytes rgba = picture();
    Ktx2 file;
    file.vkFormat = static_cast<std::uint32_t>(vkFormat);
    file.packing = static_cast<std::uint32_t>(packing);
    file.texels.clear();
    Bytes expected;
    for (std::size_t i = 0; i < rgba.size(); i += 4) {
      Bytes texel(rgba.begin() + std::ptrdiff_t(i), rgba.begin() + std::ptrdiff_t(i + 4));
      if (channels < 4) texel[3] = 255;
      if (channels == 1) texel[1] = texel[2] = texel[0];
      expected.insert(expected.end(), texel.begin(), texel.end());
      if (swapped) std::swap(texel[0], texel[2]);
      file.texels.insert(file.texels.end(), texel.begin(),
                         texel.begin() + std::ptrdiff_t(channels));
    }
    const ck::Character character = fromKtx2(file);
    QCOMPARE(character.images.size(), std::size_t{1});
    QCOMPARE(character.images[0].width, kWidth);
    QVERIFY(character.images[0].rgba == expected);
  }

  // Cut short or damaged: a note, or a picture of the size that the file states.
  void damagedPicturesAreNoted() {
    std::mt19937 random(3);
    Ktx2 packed;
    packed.packing = 2;
    int notes = 0;
    for (int round = 0; round < 90; ++round) {
      const bool isWebp = round % 3 == 0;
      Bytes bytes = isWebp ? webp(round % 2 == 0) : packed.bytes();
      if (round % 4 == 0) {
        bytes.resize(12 + random() % (bytes.size() - 12));
      } else {
        const std::size_t reach = round % 4 == 1 ? 104 : bytes.size();
        for (int n = 0; n < 3; ++n) {
          bytes[12 + random() % (reach - 12)] = static_cast<std::uint8_t>(random());
        }
      }
      const ck::Character character = isWebp ? shown("EXT_texture_webp", bytes, "image/webp")
                                             : shown("KHR_texture_basisu", bytes, "image/ktx2");
      notes += hasNote(character.notes, "PictureUnreadable") ? 1 : 0;
      for (const ck::Image& image : character.images) {
        QCOMPARE(image.rgba.size(), std::size_t(image.width) * std::size_t(image.height) * 4);
      }
    }
    QVERIFY(notes > 30);
  }
};

CK_TEST(tst_packed_pictures)
#include "tst_packed_pictures.moc"
