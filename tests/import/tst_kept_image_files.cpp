#include <zlib.h>

#include <QByteArray>
#include <QTest>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/bake/bake.h"
#include "core/export/image_file.h"
#include "core/export/targets/glb.h"
#include "core/import/worker/assembly/image_decode.h"
#include "core/import/worker/assembly/image_file_kept.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

using Bytes = std::vector<std::byte>;

// From red to blue, 12 x 8, made by ImageMagick; the same in four inks, and one of grey, 8 x 8.
constexpr const char* kColours =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGh"
    "sjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgo"
    "KCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAIAAwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAA"
    "AAAAAAAAf/xAAWEAEBAQAAAAAAAAAAAAAAAAAAFWL/xAAVAQEBAAAAAAAAAAAAAAAAAAAFB//EABkRAAEFAAAA"
    "AAAAAAAAAAAAAAAFFlOR8P/aAAwDAQACEQMRAD8AjdnRZ0CtM1Jj1DLsU5NZ/9k=";
constexpr const char* kInks =
    "/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0"
    "U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj"
    "Y2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj/8AAFAgACAAMBAEiAAIRAQMRAQQiAP/EABYAAQEBAAAAAAAAAA"
    "AAAAAAAAAFBv/EABgQAQADAQAAAAAAAAAAAAAAAAAEFCVh/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAaEQAC"
    "AgMAAAAAAAAAAAAAAAAABAEVUVKR/9oADgQBAAIRAxEEAAA/ALtSRwqSOAlbNrcDVLYnppNc1wf/2Q==";
constexpr const char* kGrey =
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+Mz"
    "ZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABcQ"
    "AAMBAAAAAAAAAAAAAAAAAAAXY6H/2gAIAQEAAD8AMK2n/9k=";

Bytes bytesOf(const QByteArray& from) {
  const auto* first = reinterpret_cast<const std::byte*>(from.data());
  return {first, first + from.size()};
}
Bytes jpeg(const char* base64) {
  return bytesOf(QByteArray::fromBase64(base64));
}

ck::Image painted() {
  ck::Image image{"skin", 5, 3, {}};
  for (int i = 0; i < 5 * 3 * 4; ++i) image.rgba.push_back(static_cast<std::uint8_t>(i * 37));
  return image;
}

void appendNumber(QByteArray& to, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) to.append(static_cast<char>(number >> shift));
}

// A chunk of a PNG.
QByteArray chunk(const char* name, const QByteArray& content) {
  QByteArray bytes;
  appendNumber(bytes, static_cast<std::uint32_t>(content.size()));
  const QByteArray named = name + content;
  bytes.append(named);
  const auto* first = reinterpret_cast<const Bytef*>(named.data());
  appendNumber(bytes, static_cast<std::uint32_t>(crc32(0, first, static_cast<uInt>(named.size()))));
  return bytes;
}

Bytes with(Bytes file, std::size_t at, const QByteArray& more) {
  const Bytes inserted = bytesOf(more);
  file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), inserted.begin(), inserted.end());
  return file;
}

constexpr std::size_t kBehindHeader = 8 + 12 + 13;  // of a PNG
constexpr std::size_t kBehindStart = 2;             // of a JPEG

}  // namespace

// The files of images that exports write as they are.
class tst_kept_image_files : public QObject {
  Q_OBJECT
 private slots:
  void plainFilesAreKept() {
    const Bytes png = *ck::pngBytes(painted());
    for (const Bytes& file : {png, jpeg(kColours), jpeg(kGrey)}) {
      QVERIFY(ck::worker::fileToKeep(file) == file);
      const auto image = ck::worker::decodeImage(file, "skin");
      QVERIFY(image.has_value());
      // A file larger than its texels is not worth keeping.
      QVERIFY(image->file == (file.size() <= image->rgba.size() ? file : Bytes()));
    }
    QVERIFY(ck::worker::decodeImage(png, "skin")->rgba == painted().rgba);
  }

  void whatReadersShowDifferentlyIsLeftOut() {
    const Bytes png = *ck::pngBytes(painted());
    const QByteArray gamma = chunk("gAMA", QByteArray("\0\0\x40\0", 4));
    const QByteArray author = chunk("tEXt", QByteArray("Author\0Jane", 11));
    QVERIFY(ck::worker::fileToKeep(with(png, kBehindHeader, gamma + author)) == png);
    const Bytes colours = jpeg(kColours);
    const QByteArray turned(
        "\xff\xe1\0\x0a"
        "Exif\0\0\1\2",
        12);
    const QByteArray comment("\xff\xff\xfe\0\6Jane", 9);
    QVERIFY(ck::worker::fileToKeep(with(colours, kBehindStart, turned + comment)) == colours);
  }

  // The depth of the header is changed, and so is its checksum.
  void pngsOfMoreBitsAreNotKept() {
    Bytes png = *ck::pngBytes(painted());
    QByteArray header(reinterpret_cast<const char*>(png.data()) + 16, 13);
    header[8] = 16;
    const Bytes changed = bytesOf(chunk("IHDR", header));
    std::ranges::copy(changed, png.begin() + 8);
    QVERIFY(ck::worker::fileToKeep(png).empty());
    header[8] = 4;
    const Bytes fewer = bytesOf(chunk("IHDR", header));
    std::ranges::copy(fewer, png.begin() + 8);
    QVERIFY(ck::worker::fileToKeep(png) == png);
  }

  void whatOthersMayReadOtherwiseIsNotKept() {
    QVERIFY(ck::worker::fileToKeep(jpeg(kInks)).empty());
    const Bytes png = *ck::pngBytes(painted());
    const QByteArray strange = chunk("CgBI", QByteArray(4, 'x'));
    QVERIFY(ck::worker::fileToKeep(with(png, kBehindHeader, strange)).empty());
    QVERIFY(ck::worker::fileToKeep(bytesOf("BM and more")).empty());
  }

  void damagedFilesAreNotKept() {
    for (const Bytes& file : {*ck::pngBytes(painted()), jpeg(kColours)}) {
      for (std::size_t size = 0; size < file.size(); ++size) {
        QVERIFY(ck::worker::fileToKeep(std::span(file).first(size)).empty());
      }
    }
    // Every byte of a PNG behind its signature counts for a checksum or is one.
    const Bytes png = *ck::pngBytes(painted());
    for (std::size_t i = 8; i < png.size(); ++i) {
      Bytes damaged = png;
      damaged[i] ^= std::byte{0x11};
      QVERIFY2(ck::worker::fileToKeep(damaged).empty(), qPrintable(QString::number(i)));
    }
  }

  // The document and its pictures are found as other programs do.
  void exportsHoldTheFiles() {
    ck::Character bar = ck::test::barCharacter();
    bar.images = {painted(), painted()};
    bar.images[1].file = jpeg(kColours);
    bar.materials.resize(1);
    bar.materials[0].base.image = 0;
    bar.materials[0].emissive.image = 1;
    bar.meshes[0].material = 0;
    const auto baked = ck::bake(bar, {});
    QVERIFY(baked.has_value());
    const auto glb = ck::glbBytes({bar, baked->atlas, "bar"});
    QVERIFY(glb.has_value());
    const auto* text = reinterpret_cast<const char*>(glb->data());
    std::uint32_t length = 0;
    std::memcpy(&length, text + 12, 4);
    const auto document = nlohmann::json::parse(text + 20, text + 20 + length);
    const auto fileOf = [&](std::size_t i) {
      const auto& view =
          document["bufferViews"][document["images"][i]["bufferView"].get<std::size_t>()];
      const auto first = 20 + length + 8 + view.value("byteOffset", std::size_t{0});
      return std::span(*glb).subspan(first, view["byteLength"].get<std::size_t>());
    };
    QCOMPARE(document["images"][0]["mimeType"].get<std::string>(), std::string("image/png"));
    QCOMPARE(document["images"][1]["mimeType"].get<std::string>(), std::string("image/jpeg"));
    QVERIFY(std::ranges::equal(fileOf(0), *ck::pngBytes(painted())));
    QVERIFY(std::ranges::equal(fileOf(1), jpeg(kColours)));
  }
};

CK_TEST(tst_kept_image_files)
#include "tst_kept_image_files.moc"
