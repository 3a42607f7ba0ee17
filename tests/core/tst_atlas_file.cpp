#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include "core/atlas/atlas_check.h"
#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/system/files.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

using Bytes = std::vector<std::byte>;

// Where the total size and the set id stand, and the end of the header.
constexpr std::size_t kSizeAt = 12;
constexpr std::size_t kSetIdAt = 20;
constexpr std::size_t kHeaderBytes = 28;

ck::Atlas barAtlas() {
  return ck::bake(ck::test::barCharacter(), {})->atlas;
}

ck::BakeError someError() {
  ck::BakeError error;
  error.palette.shell = {0.5, 0.25, 0.125, "Bow", "joint1", {}, -1, 0.75};
  error.palette.vertices = {0.75, 0.5, 0.25, "Bow \xc3\xa4", "joint0", "bar", 5, -0.25};
  error.palette.maxDegrees = 1.5;
  error.direct = error.palette;
  error.direct.vertices.max = 12.5;
  return ck::seenFrom(error, {12.0, 2160.0, 30.0});
}

// With root motion, edits and a socket.
ck::Atlas walkingBar() {
  ck::Character bar = ck::test::barCharacter();
  ck::JointTracks tracks;
  tracks.joint = 0;
  tracks.translation.times = {0.0, 1.0};
  tracks.translation.values = {{0.0f, 0.0f, 0.0f}, {0.3f, 0.0f, 1.5f}};
  bar.clips[0].jointTracks.push_back(tracks);
  bar.rig.skinJoints[1].isSocket = true;
  const ck::RootEdit extracted{.motion = ck::RootMotion::Extract, .joint = "root"};
  ck::BakeSettings settings;
  settings.frames = 5;
  settings.clips = {{.name = "Bend", .edit = {.root = extracted, .loopOffset = 0.25}},
                    {.name = "Twist", .edit = {.dropScale = true, .smallestKeyGapSeconds = 0.01}}};
  auto baked = ck::bake(bar, settings);
  if (!baked) qFatal("%s", baked.error().message.c_str());
  return std::move(baked->atlas);
}

// A copy in a block of memory of exactly this size, so that a sanitizer sees every byte read
// beyond.
ck::Result<ck::AtlasFile> readExact(const Bytes& bytes, std::size_t size) {
  const std::unique_ptr<std::byte[]> block(new std::byte[size]);
  std::copy_n(bytes.begin(), size, block.get());
  return ck::atlasFileFromBytes({block.get(), size});
}

Bytes writtenAgain(const ck::AtlasFile& file) {
  return ck::unpackedAtlasToBytes(file.atlas, {file.error ? &*file.error : nullptr, file.setId});
}

// The bar in one of the forms that a file can hold, small enough for many rounds.
ck::Atlas barIn(ck::Encoding encoding, ck::LayoutKind layout) {
  ck::BakeSettings settings;
  settings.encoding = encoding;
  settings.layout = layout;
  settings.tile = 32;
  ck::Character bar = ck::test::barCharacter();
  bar.meshes[0].morphTargets.push_back({"Bulge", {5}, {{0.1f, 0.0f, 0.0f}}, {}, {}});
  bar.meshes[0].defaultMorphWeights.push_back(0.0f);
  bar.clips[1].morphTracks.push_back({0, 0, {ck::Interpolation::Linear, {0.0, 1.0}, {0.0f, 1.0f}}});
  return ck::bake(bar, settings)->atlas;
}

// Puts the checksum right again, as an attacker would.
void seal(Bytes& bytes) {
  const std::uint64_t hash = ck::hashBytes(std::span(bytes).first(bytes.size() - 8));
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xff);
  }
}

void putU32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[at + i] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
  }
}

}  // namespace

Q_DECLARE_METATYPE(ck::Encoding)
Q_DECLARE_METATYPE(ck::LayoutKind)

class tst_atlas_file : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWhatIsNoAtlas_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("one byte") << QByteArray("C");
    QTest::newRow("text") << QByteArray("not an atlas at all, but long enough for a header");
    QTest::newRow("the magic alone") << QByteArray("CKATLAS\x1a", 8);
  }
  void rejectsWhatIsNoAtlas() {
    QFETCH(QByteArray, content);
    const auto bytes = std::as_bytes(std::span(content.constData(), std::size_t(content.size())));
    const auto atlas = ck::atlasFromBytes(bytes);
    QVERIFY(!atlas);
    QCOMPARE(atlas.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY(!atlas.error().message.empty());
  }

  void rejectsEveryTruncation() {
    const Bytes bytes = ck::unpackedAtlasToBytes(barAtlas());
    for (std::size_t size = 0; size < bytes.size(); ++size) QVERIFY(!readExact(bytes, size));
    QVERIFY(readExact(bytes, bytes.size()));
  }

  // With the checksum and the size made right again, so that the parser itself meets every end.
  void rejectsEveryTruncationThatIsSealedAgain() {
    const Bytes whole = ck::unpackedAtlasToBytes(barAtlas());
    for (std::size_t size = kHeaderBytes + 8; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      putU32(bytes, kSizeAt, static_cast<std::uint32_t>(size));
      seal(bytes);
      QVERIFY(!readExact(bytes, size));
    }
  }

  void rejectsAlterationsAndWritesBackWhatItTakes_data() {
    QTest::addColumn<ck::Encoding>("encoding");
    QTest::addColumn<ck::LayoutKind>("layout");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      for (const auto& [layout, name] :
           {std::pair(ck::LayoutKind::Rows, "rows"), std::pair(ck::LayoutKind::Tiles, "tiles"),
            std::pair(ck::LayoutKind::Linear, "a line")}) {
        QTest::addRow("%s in %s", info.name.data(), name) << info.encoding << layout;
      }
    }
  }
  void rejectsAlterationsAndWritesBackWhatItTakes() {
    QFETCH(ck::Encoding, encoding);
    QFETCH(ck::LayoutKind, layout);
    constexpr int kRounds = 2000;
    const ck::Atlas original = barIn(encoding, layout);
    const Bytes whole = ck::unpackedAtlasToBytes(original);
    std::mt19937 random(20);
    const std::size_t headBytes = whole.size() - original.texels.size() - 9;
    int taken = 0;
    for (int round = 0; round < kRounds; ++round) {
      Bytes bytes = whole;
      const std::size_t changes = 1 + random() % 4;
      for (std::size_t i = 0; i < changes; ++i) {
        // Mostly the description: that is where a parser can go wrong.
        const std::size_t at = random() % (random() % 4 == 0 ? bytes.size() : headBytes);
        bytes[at] = static_cast<std::byte>(random() & 0xff);
      }
      const bool sealed = round % 2 == 0;
      if (sealed) seal(bytes);
      const auto file = readExact(bytes, bytes.size());
      if (!file) continue;
      ++taken;
      // Unsealed, only what was not changed at all passes. Sealed, it must be an atlas that makes
      // sense: it is written again as exactly these bytes.
      if (!sealed) QVERIFY(file->atlas == original);
      QVERIFY(writtenAgain(*file) == bytes);
    }
    QVERIFY2(taken > 20 && taken < kRounds * 9 / 10, qPrintable(QString::number(taken)));
  }

  void rejectsCountsThatTheFileCannotHold() {
    const Bytes whole = ck::unpackedAtlasToBytes(barAtlas());
    for (std::size_t at = kHeaderBytes; at + 4 < 400; ++at) {
      Bytes bytes = whole;
      putU32(bytes, at, 0xffffffffu);
      seal(bytes);
      const auto file = readExact(bytes, bytes.size());
      if (file) QVERIFY(writtenAgain(*file) == bytes);
    }
  }

  void rejectsNewerVersionsByTheirNumber() {
    Bytes bytes = ck::unpackedAtlasToBytes(barAtlas());
    putU32(bytes, 8, 2);
    seal(bytes);
    const auto atlas = ck::atlasFromBytes(bytes);
    QVERIFY(!atlas);
    QCOMPARE(int(atlas.error().code), int(ck::ErrorCode::Unsupported));
    QVERIFY(atlas.error().message.find("version 2") != std::string::npos);
  }

  void rejectsVersionZero() {
    Bytes bytes = ck::unpackedAtlasToBytes(barAtlas());
    putU32(bytes, 8, 0);
    seal(bytes);
    const auto atlas = ck::atlasFromBytes(bytes);
    QVERIFY(!atlas && atlas.error().code == ck::ErrorCode::InvalidInput);
  }

  void waysSocketsAndEditsComeBack() {
    const ck::Atlas atlas = walkingBar();
    QVERIFY(!atlas.clips[0].rootMotion.empty() && atlas.joints[1].isSocket);
    const ck::BakeError error = someError();
    for (const ck::BakeError* stated : {static_cast<const ck::BakeError*>(nullptr), &error}) {
      const Bytes whole = ck::unpackedAtlasToBytes(atlas, {stated});
      const auto file = ck::atlasFileFromBytes(whole);
      QVERIFY2(file, file ? "" : file.error().message.c_str());
      QVERIFY(file->atlas == atlas);
      QVERIFY(file->error.has_value() == (stated != nullptr));
      if (stated != nullptr) QVERIFY(*file->error == error);
      QVERIFY(ck::unpackedAtlasToBytes(file->atlas, {stated}) == whole);
    }
  }

  void rejectsTruncationsAndAlterationsOfWays() {
    const ck::Atlas atlas = walkingBar();
    const Bytes whole = ck::unpackedAtlasToBytes(atlas);
    for (std::size_t size = kHeaderBytes + 8; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      putU32(bytes, kSizeAt, static_cast<std::uint32_t>(size));
      seal(bytes);
      QVERIFY(!readExact(bytes, size));
    }
    std::mt19937 random(22);
    const std::size_t headBytes = whole.size() - atlas.texels.size() - 9;
    int taken = 0;
    for (int round = 0; round < 2000; ++round) {
      Bytes bytes = whole;
      bytes[random() % headBytes] = static_cast<std::byte>(random() & 0xff);
      seal(bytes);
      const auto read = readExact(bytes, bytes.size());
      if (!read) continue;
      ++taken;
      QVERIFY(writtenAgain(*read) == bytes);
    }
    QVERIFY2(taken > 20 && taken < 1900, qPrintable(QString::number(taken)));
  }

  void rejectsWaysThatMakeNoSense() {
    using Change = void (*)(ck::AtlasClip&);
    const Change changes[] = {
        [](ck::AtlasClip& clip) { clip.rootMotion.pop_back(); },
        [](ck::AtlasClip& clip) { clip.rootMotion.clear(); },
        [](ck::AtlasClip& clip) { clip.rootMotion[0].yaw = 0.5f; },
        [](ck::AtlasClip& clip) { clip.rootMotion[2].position.y = std::nanf(""); },
        [](ck::AtlasClip& clip) { clip.edit.root.motion = ck::RootMotion::Strip; },
        [](ck::AtlasClip& clip) { clip.edit.root.joint = "\xff"; },
        [](ck::AtlasClip& clip) { clip.edit.loopOffset = 1.0; },
        [](ck::AtlasClip& clip) { clip.edit.smallestKeyGapSeconds = -0.1; },
    };
    for (const Change change : changes) {
      ck::Atlas atlas = walkingBar();
      change(atlas.clips[0]);
      const auto read = ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas));
      QVERIFY(!read && read.error().message.find("makes no sense") != std::string::npos);
    }
  }

  void rejectsTruncationsOfAStatedError() {
    const ck::BakeError error = someError();
    const Bytes whole = ck::unpackedAtlasToBytes(barAtlas(), {&error});
    for (std::size_t size = kHeaderBytes + 8; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      QVERIFY(!readExact(bytes, size));
      putU32(bytes, kSizeAt, static_cast<std::uint32_t>(size));
      seal(bytes);
      QVERIFY(!readExact(bytes, size));
    }
  }

  void rejectsAlterationsOfAStatedErrorAndWritesBackWhatItTakes() {
    const ck::BakeError error = someError();
    const ck::Atlas atlas = barAtlas();
    const Bytes whole = ck::unpackedAtlasToBytes(atlas, {&error});
    const std::size_t plain = ck::unpackedAtlasToBytes(atlas).size();
    std::mt19937 random(21);
    int taken = 0;
    for (int round = 0; round < 2000; ++round) {
      Bytes bytes = whole;
      for (std::size_t i = 0; i < 1 + random() % 3; ++i) {
        bytes[plain - 8 + random() % (whole.size() - plain)] = std::byte(random() & 0xff);
      }
      seal(bytes);
      const auto file = ck::atlasFileFromBytes(bytes);
      if (!file) continue;
      ++taken;
      QVERIFY(file->atlas == atlas);
      QVERIFY(writtenAgain(*file) == bytes);
    }
    QVERIFY2(taken > 20 && taken < 1900, qPrintable(QString::number(taken)));
  }

  void rejectsErrorsThatMakeNoSense_data() {
    QTest::addColumn<int>("which");
    for (int which = 0; which < 6; ++which) QTest::addRow("%d", which) << which;
  }
  void rejectsErrorsThatMakeNoSense() {
    QFETCH(int, which);
    ck::BakeError error = someError();
    if (which == 0) error.palette.shell.max = std::numeric_limits<double>::quiet_NaN();
    if (which == 1) error.direct.vertices.rms = -1.0;
    if (which == 2) error.view.distanceMeters = 0.0;
    if (which == 3) error.direct.vertices.worstMesh = "\xff";
    if (which == 4) error.palette.maxDegrees = 181.0;
    if (which == 5) error.palette.vertices.worstVertex = -2;
    const auto file = ck::atlasFileFromBytes(ck::unpackedAtlasToBytes(barAtlas(), {&error}));
    QVERIFY(!file);
    QVERIFY(file.error().message.find("makes no sense") != std::string::npos);
  }

  void theStatedErrorComesBack() {
    const ck::BakeError error = someError();
    const ck::Atlas atlas = barAtlas();
    const auto file = ck::atlasFileFromBytes(ck::unpackedAtlasToBytes(atlas, {&error}));
    QVERIFY(file && file->error);
    QVERIFY(*file->error == error);
    QVERIFY(file->atlas == atlas);
    QVERIFY(*ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas, {&error})) == atlas);
    QVERIFY(!ck::atlasFileFromBytes(ck::unpackedAtlasToBytes(atlas))->error);
  }

  void theSetIdComesBack() {
    const ck::BakeError error = someError();
    const ck::Atlas atlas = barAtlas();
    const std::string setId = "00a1b2c3d4e5f607";
    for (const ck::BakeError* stated : {static_cast<const ck::BakeError*>(nullptr), &error}) {
      const Bytes whole = ck::unpackedAtlasToBytes(atlas, {stated, setId});
      const auto file = ck::atlasFileFromBytes(whole);
      QVERIFY2(file, file ? "" : file.error().message.c_str());
      QCOMPARE(file->setId, setId);
      QVERIFY(file->atlas == atlas);
      QVERIFY(file->error.has_value() == (stated != nullptr));
      QVERIFY(ck::unpackedAtlasToBytes(file->atlas, {stated, file->setId}) == whole);
    }
    QVERIFY(ck::atlasFileFromBytes(ck::unpackedAtlasToBytes(atlas))->setId.empty());
  }

  void rejectsEveryTruncationOfAFileWithASetId() {
    const Bytes whole = ck::unpackedAtlasToBytes(barAtlas(), {nullptr, "00a1b2c3d4e5f607"});
    for (std::size_t size = kHeaderBytes + 8; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      putU32(bytes, kSizeAt, static_cast<std::uint32_t>(size));
      seal(bytes);
      QVERIFY(!readExact(bytes, size));
    }
    QVERIFY(ck::atlasFromBytes(whole));
    Bytes none = whole;
    std::fill_n(none.begin() + kSetIdAt, 8, std::byte{0});
    seal(none);
    QVERIFY(none == ck::unpackedAtlasToBytes(barAtlas()));
  }

  void setIdsHaveSixteenDigits() {
    QVERIFY(ck::isSetId("0123456789abcdef") && ck::isSetId("ffffffffffffffff"));
    for (const char* text : {"", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF",
                             "0123456789abcdeg", "0000000000000000", " 123456789abcdef"}) {
      QVERIFY2(!ck::isSetId(text), text);
    }
  }

  void everythingComesBack() {
    ck::BakeSettings settings;
    settings.rangeMode = ck::RangeMode::JointClip;
    settings.influences = 2;
    settings.interpolate = false;
    settings.maxTextureSize = 50;
    ck::Character limb = ck::test::swingingLimb();
    limb.source.path = "Ordner/\xc3\xa4\xe2\x82\xac \xf0\x9f\x98\x80.glb";
    limb.clips[1].groundSpeedMetersPerSecond = 1.25;
    const ck::Atlas atlas = ck::bake(limb, settings)->atlas;
    const auto back = ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas));
    QVERIFY(back);
    QVERIFY(*back == atlas);
    QVERIFY(back->clips[1].groundSpeedMetersPerSecond == 1.25);
  }

  void aFirstFloatThatLooksLikeADigitIsReadBack() {
    ck::Atlas atlas = barAtlas();
    atlas.texels[0] = std::byte{0x30};
    atlas.joints[0].name = "0";
    QVERIFY(*ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas)) == atlas);
  }

  void filesGoThroughTheDisk() {
    const QTemporaryDir folder;
    const auto path =
        ck::pathFromText(folder.filePath(QStringLiteral("b\u00e4r.ckatlas")).toStdString());
    const ck::Atlas atlas = barAtlas();
    QVERIFY(ck::writeAtlasFile(atlas, path));
    const auto back = ck::readAtlasFile(path);
    QVERIFY(back && *back == atlas);
    QCOMPARE(ck::readAtlasFile(path.parent_path() / "gone.ckatlas").error().code,
             ck::ErrorCode::FileNotFound);
    // A file of another size than its header says is not read; there is no memory for this one.
    std::filesystem::resize_file(path, std::uint64_t{7} << 30);
    const auto longer = ck::readAtlasFile(path);
    QVERIFY(!longer);
    QVERIFY2(longer.error().message.find("7516192768 bytes and should have") != std::string::npos,
             longer.error().message.c_str());
    const std::string_view text = "damaged";
    QVERIFY(ck::writeFileAtomically(path, std::as_bytes(std::span(text))));
    const auto damaged = ck::readAtlasFile(path);
    QVERIFY(!damaged);
    QVERIFY(damaged.error().message.find("b\xc3\xa4r.ckatlas") != std::string::npos);
  }
};

CK_TEST(tst_atlas_file)
#include "tst_atlas_file.moc"
