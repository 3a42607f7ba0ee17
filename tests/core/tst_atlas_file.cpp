#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include "core/atlas/atlas_check.h"
#include "core/bake/bake.h"
#include "core/base/files.h"
#include "core/container/atlas_file.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

using Bytes = std::vector<std::byte>;

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

// Everything that only version 5 can hold: a way, edits, a socket.
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
ck::Result<ck::Atlas> readExact(const Bytes& bytes, std::size_t size) {
  const std::unique_ptr<std::byte[]> block(new std::byte[size]);
  std::copy_n(bytes.begin(), size, block.get());
  return ck::atlasFromBytes({block.get(), size});
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
    const Bytes bytes = ck::atlasToBytes(barAtlas());
    for (std::size_t size = 0; size < bytes.size(); ++size) QVERIFY(!readExact(bytes, size));
    QVERIFY(readExact(bytes, bytes.size()));
  }

  // With the checksum and the size made right again, so that the parser itself meets every end.
  void rejectsEveryTruncationThatIsSealedAgain() {
    const Bytes whole = ck::atlasToBytes(barAtlas());
    for (std::size_t size = 32; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      putU32(bytes, 16, static_cast<std::uint32_t>(size));
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
    const Bytes whole = ck::atlasToBytes(original);
    std::mt19937 random(20);
    const std::size_t headBytes = whole.size() - original.texels.size() - 8;
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
      const auto atlas = readExact(bytes, bytes.size());
      if (!atlas) continue;
      ++taken;
      // Unsealed, only what was not changed at all passes. Sealed, it must be an atlas that makes
      // sense: it is written again as exactly these bytes.
      if (!sealed) QVERIFY(*atlas == original);
      QVERIFY(ck::atlasToBytes(*atlas) == bytes);
    }
    QVERIFY2(taken > 20 && taken < kRounds * 9 / 10, qPrintable(QString::number(taken)));
  }

  void rejectsCountsThatTheFileCannotHold() {
    const Bytes whole = ck::atlasToBytes(barAtlas());
    for (std::size_t at = 24; at + 4 < 200; ++at) {
      Bytes bytes = whole;
      putU32(bytes, at, 0xffffffffu);
      seal(bytes);
      const auto atlas = readExact(bytes, bytes.size());
      if (atlas) QVERIFY(ck::atlasToBytes(*atlas) == bytes);
    }
  }

  void rejectsNewerVersionsByTheirNumber() {
    Bytes bytes = ck::atlasToBytes(barAtlas());
    putU32(bytes, 8, 9);
    seal(bytes);
    const auto atlas = ck::atlasFromBytes(bytes);
    QVERIFY(!atlas);
    QCOMPARE(int(atlas.error().code), int(ck::ErrorCode::Unsupported));
    QVERIFY(atlas.error().message.find("version 9") != std::string::npos);
  }

  void rejectsVersionsThatTheContentDoesNotNeed() {
    for (const std::uint32_t version : {3u, 4u, 5u, 6u, 7u, 8u}) {
      Bytes bytes = ck::atlasToBytes(barAtlas());
      putU32(bytes, 8, version);
      seal(bytes);
      QVERIFY(!ck::atlasFromBytes(bytes));
    }
  }

  void waysSocketsAndEditsComeBack() {
    const ck::Atlas atlas = walkingBar();
    QVERIFY(!atlas.clips[0].rootMotion.empty() && atlas.joints[1].isSocket);
    const ck::BakeError error = someError();
    for (const ck::BakeError* stated : {static_cast<const ck::BakeError*>(nullptr), &error}) {
      const Bytes whole = ck::atlasToBytes(atlas, {stated});
      QCOMPARE(std::to_integer<int>(whole[8]), 5);
      const auto file = ck::atlasFileFromBytes(whole);
      QVERIFY2(file, file ? "" : file.error().message.c_str());
      QVERIFY(file->atlas == atlas);
      QVERIFY(file->error.has_value() == (stated != nullptr));
      if (stated != nullptr) QVERIFY(*file->error == error);
      QVERIFY(ck::atlasToBytes(file->atlas, {stated}) == whole);
    }
  }

  void rejectsTruncationsAndAlterationsOfWays() {
    const ck::Atlas atlas = walkingBar();
    const Bytes whole = ck::atlasToBytes(atlas);
    for (std::size_t size = 32; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      putU32(bytes, 16, static_cast<std::uint32_t>(size));
      seal(bytes);
      QVERIFY(!readExact(bytes, size));
    }
    std::mt19937 random(22);
    const std::size_t headBytes = whole.size() - atlas.texels.size() - 8;
    int taken = 0;
    for (int round = 0; round < 2000; ++round) {
      Bytes bytes = whole;
      bytes[random() % headBytes] = static_cast<std::byte>(random() & 0xff);
      seal(bytes);
      const auto read = readExact(bytes, bytes.size());
      if (!read) continue;
      ++taken;
      QVERIFY(ck::atlasToBytes(*read) == bytes);
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
      const auto read = ck::atlasFromBytes(ck::atlasToBytes(atlas));
      QVERIFY(!read && read.error().message.find("makes no sense") != std::string::npos);
    }
  }

  void rejectsCompactPosesThatMakeNoSense() {
    using Change = void (*)(ck::Atlas&);
    const std::pair<const char*, Change> changes[] = {
        {"compact by -1 mm", [](ck::Atlas& atlas) { atlas.compactMm = -1.0; }},
        {"compact by 1001 mm", [](ck::Atlas& atlas) { atlas.compactMm = 1001.0; }},
        {"compact by nan mm", [](ck::Atlas& atlas) { atlas.compactMm = std::nan(""); }},
        {"for each joint", [](ck::Atlas& atlas) { atlas.compactReach.pop_back(); }},
        {"reaches no distance", [](ck::Atlas& atlas) { atlas.compactReach[0] = 0.0f; }},
        {"reaches no distance", [](ck::Atlas& atlas) { atlas.compactReach[1] = std::nanf(""); }},
        {"M16F cannot be; P16, U128 and T16 can",
         [](ck::Atlas& atlas) {
           atlas = barIn(ck::Encoding::M16F, ck::LayoutKind::Linear);
           atlas.compactMm = 1.0;
         }},
        {"is not compact", [](ck::Atlas& atlas) { atlas.compactMm = 0.0; }},
    };
    ck::BakeSettings settings;
    settings.compactMm = 1.0;
    const auto baked = ck::bake(ck::test::barCharacter(), settings);
    QVERIFY(baked && !baked->atlas.compactReach.empty());
    for (const auto& [says, change] : changes) {
      ck::Atlas atlas = baked->atlas;
      change(atlas);
      const auto checked = ck::checkAtlas(atlas);
      QVERIFY2(!checked && checked.error().message.find(says) != std::string::npos,
               checked ? says : checked.error().message.c_str());
      if (atlas.compactMm == 0.0) continue;  // a file has no place for that
      const auto read = ck::atlasFromBytes(ck::atlasToBytes(atlas, {}, ck::Pack::None));
      const char* due = atlas.compactMm > 0.0 ? says : "no compact poses where it should";
      QVERIFY2(!read && read.error().message.find(due) != std::string::npos,
               read ? due : read.error().message.c_str());
    }
    // A flag without what it is for: the millimetres stand before the reach of the two joints, and
    // these before the texels with their number.
    Bytes whole = ck::atlasToBytes(baked->atlas, {}, ck::Pack::None);
    const std::size_t behind = 8 + baked->atlas.texels.size() + 8;
    const std::size_t at = whole.size() - behind - (8 + 8 + 2 * 4);
    putU32(whole, at + 4, 0);
    seal(whole);
    const auto read = ck::atlasFromBytes(whole);
    QVERIFY(!read);
    QVERIFY2(read.error().message.find("no compact poses where it should") != std::string::npos,
             read.error().message.c_str());
  }

  void rejectsTruncationsOfAStatedError() {
    const ck::BakeError error = someError();
    const Bytes whole = ck::atlasToBytes(barAtlas(), {&error});
    for (std::size_t size = 32; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      QVERIFY(!readExact(bytes, size));
      putU32(bytes, 16, static_cast<std::uint32_t>(size));
      seal(bytes);
      QVERIFY(!readExact(bytes, size));
    }
  }

  void rejectsAlterationsOfAStatedErrorAndWritesBackWhatItTakes() {
    const ck::BakeError error = someError();
    const ck::Atlas atlas = barAtlas();
    const Bytes whole = ck::atlasToBytes(atlas, {&error});
    const std::size_t plain = ck::atlasToBytes(atlas).size();
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
      QVERIFY(ck::atlasToBytes(file->atlas, {&*file->error}) == bytes);
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
    const auto file = ck::atlasFileFromBytes(ck::atlasToBytes(barAtlas(), {&error}));
    QVERIFY(!file);
    QVERIFY(file.error().message.find("makes no sense") != std::string::npos);
  }

  void theStatedErrorComesBack() {
    const ck::BakeError error = someError();
    const ck::Atlas atlas = barAtlas();
    const auto file = ck::atlasFileFromBytes(ck::atlasToBytes(atlas, {&error}));
    QVERIFY(file && file->error);
    QVERIFY(*file->error == error);
    QVERIFY(file->atlas == atlas);
    QVERIFY(*ck::atlasFromBytes(ck::atlasToBytes(atlas, {&error})) == atlas);
    QVERIFY(!ck::atlasFileFromBytes(ck::atlasToBytes(atlas))->error);
  }

  void theSetIdComesBack() {
    const ck::BakeError error = someError();
    const ck::Atlas atlas = barAtlas();
    const std::string setId = "00a1b2c3d4e5f607";
    for (const ck::BakeError* stated : {static_cast<const ck::BakeError*>(nullptr), &error}) {
      const Bytes whole = ck::atlasToBytes(atlas, {stated, setId});
      const auto file = ck::atlasFileFromBytes(whole);
      QVERIFY2(file, file ? "" : file.error().message.c_str());
      QCOMPARE(file->setId, setId);
      QVERIFY(file->atlas == atlas);
      QVERIFY(file->error.has_value() == (stated != nullptr));
      QVERIFY(ck::atlasToBytes(file->atlas, {stated, file->setId}) == whole);
    }
    QVERIFY(ck::atlasFileFromBytes(ck::atlasToBytes(atlas))->setId.empty());
  }

  void rejectsEveryTruncationOfAFileWithASetId() {
    const Bytes whole = ck::atlasToBytes(barAtlas(), {nullptr, "00a1b2c3d4e5f607"});
    for (std::size_t size = 32; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      putU32(bytes, 16, static_cast<std::uint32_t>(size));
      seal(bytes);
      QVERIFY(!readExact(bytes, size));
    }
    Bytes nothing = whole;
    std::fill_n(nothing.begin() + 24, 8, std::byte{0});
    seal(nothing);
    const auto read = ck::atlasFromBytes(nothing);
    QVERIFY(!read && read.error().message.find("no set id") != std::string::npos);
  }

  void setIdsHaveSixteenDigits() {
    QVERIFY(ck::isSetId("0123456789abcdef") && ck::isSetId("ffffffffffffffff"));
    for (const char* text : {"", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF",
                             "0123456789abcdeg", "0000000000000000", " 123456789abcdef"}) {
      QVERIFY2(!ck::isSetId(text), text);
    }
  }

  // Written before errors were stated.
  void version2IsStillRead() {
    const auto atlas = ck::readAtlasFile(CK_SOURCE_DIR "/tests/data/atlases/v2/strip.ckatlas");
    QVERIFY2(atlas, atlas ? "" : atlas.error().message.c_str());
    QCOMPARE(atlas->clips.size(), std::size_t(2));
  }

  // The sample with a node "grip" in its hand: fall extracted from the hips, walk from a quarter
  // on.
  void version5IsStillRead() {
    const auto atlas = ck::readAtlasFile(CK_SOURCE_DIR "/tests/data/atlases/v5/way.ckatlas");
    QVERIFY2(atlas, atlas ? "" : atlas.error().message.c_str());
    QCOMPARE(atlas->clips.size(), std::size_t(2));
    const ck::AtlasClip& fall = atlas->clips[0];
    QVERIFY(fall.edit.root.motion == ck::RootMotion::Extract && fall.edit.root.joint == "hips");
    QCOMPARE(fall.rootMotion.size(), std::size_t(3));
    QVERIFY(glm::length(fall.rootMotion[2].position) > 0.1f);
    QCOMPARE(atlas->clips[1].edit.loopOffset, 0.25);
    const auto sockets = std::ranges::count_if(atlas->joints, &ck::AtlasJoint::isSocket);
    QCOMPARE(sockets, std::ptrdiff_t(1));
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
    const auto back = ck::atlasFromBytes(ck::atlasToBytes(atlas));
    QVERIFY(back);
    QVERIFY(*back == atlas);
    QVERIFY(back->clips[1].groundSpeedMetersPerSecond == 1.25);
  }

  void aFirstFloatThatLooksLikeADigitIsReadBack() {
    ck::Atlas atlas = barAtlas();
    atlas.texels[0] = std::byte{0x30};
    atlas.joints[0].name = "0";
    QVERIFY(*ck::atlasFromBytes(ck::atlasToBytes(atlas)) == atlas);
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
    const std::string_view text = "damaged";
    QVERIFY(ck::writeFileAtomically(path, std::as_bytes(std::span(text))));
    const auto damaged = ck::readAtlasFile(path);
    QVERIFY(!damaged);
    QVERIFY(damaged.error().message.find("b\xc3\xa4r.ckatlas") != std::string::npos);
  }
};

CK_TEST(tst_atlas_file)
#include "tst_atlas_file.moc"
