#include <QTest>
#include <cstring>
#include <limits>
#include <random>

#include "core/import/character_file.h"
#include "tests/support/rich_character.h"
#include "tests/support/test_program.h"

namespace {

// Either a valid character comes back or ImportBadResult.
void expectSound(std::span<const std::byte> bytes) {
  const auto character = ck::characterFromBytes(bytes);
  if (character) {
    QVERIFY(ck::validate(*character).has_value());
  } else {
    QCOMPARE(int(character.error().code), int(ck::ErrorCode::ImportBadResult));
  }
}

}  // namespace

class tst_character_file : public QObject {
  Q_OBJECT
 private slots:
  void rejectsEveryTruncation() {
    const std::vector<std::byte> bytes = ck::characterToBytes(ck::test::richCharacter());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      QVERIFY(!ck::characterFromBytes(cut).has_value());
      ck::test::sign(cut);
      QVERIFY(!ck::characterFromBytes(cut).has_value());
    }
  }

  void rejectsEverySingleAlteredByteBehindTheHeader() {
    const std::vector<std::byte> bytes = ck::characterToBytes(ck::test::richCharacter());
    for (std::size_t i = ck::blob::kHeaderBytes; i < bytes.size(); i += 7) {
      std::vector<std::byte> altered = bytes;
      altered[i] ^= std::byte{0x10};
      QVERIFY(!ck::characterFromBytes(altered).has_value());
    }
  }

  // With the checksum made good again: what the fields say must be checked one by one.
  void survivesTenThousandSignedAlterations() {
    const std::vector<std::byte> bytes = ck::characterToBytes(ck::test::richCharacter());
    std::mt19937 random(2024);
    int accepted = 0;
    for (int round = 0; round < 10'000; ++round) {
      std::vector<std::byte> altered = bytes;
      const int edits = 1 + static_cast<int>(random() % 4);
      for (int edit = 0; edit < edits; ++edit) {
        const std::size_t place = ck::blob::kHeaderBytes + random() % (bytes.size() - 32);
        switch (random() % 4) {
          case 0:
            altered[place] = static_cast<std::byte>(random());
            break;
          case 1:
            altered[place] ^= static_cast<std::byte>(1u << (random() % 8));
            break;
          case 2: {
            const std::uint64_t large = 1ull << (random() % 64);
            std::memcpy(altered.data() + place, &large,
                        std::min<std::size_t>(8, altered.size() - place));
            break;
          }
          default:
            altered.resize(std::max(place, ck::blob::kHeaderBytes));
            break;
        }
        if (altered.size() < bytes.size()) break;
      }
      ck::test::sign(altered);
      accepted += ck::characterFromBytes(altered).has_value() ? 1 : 0;
      expectSound(altered);
    }
    qInfo("%d of 10000 alterations left a character that is still valid", accepted);
  }

  void rejectsCountsThatNothingCouldFill_data() {
    QTest::addColumn<quint64>("count");
    QTest::newRow("2^63") << (quint64{1} << 63);
    QTest::newRow("all ones") << std::numeric_limits<quint64>::max();
    QTest::newRow("just too many") << quint64{1'000'000};
  }
  void rejectsCountsThatNothingCouldFill() {
    QFETCH(quint64, count);
    const std::vector<std::byte> bytes = ck::characterToBytes(ck::test::richCharacter());
    for (std::uint32_t s = 2; s <= ck::blob::kSectionCount; ++s) {
      std::vector<std::byte> altered = bytes;
      std::uint64_t offset = 0;
      const std::size_t entry = ck::blob::kHeaderBytes + (s - 1) * ck::blob::kTableEntryBytes;
      std::memcpy(&offset, altered.data() + entry + 8, 8);
      std::memcpy(altered.data() + offset, &count, 8);
      ck::test::sign(altered);
      const auto character = ck::characterFromBytes(altered);
      QVERIFY2(!character.has_value(), std::to_string(s).c_str());
      QCOMPARE(int(character.error().code), int(ck::ErrorCode::ImportBadResult));
    }
  }

  void rejectsSectionsThatOverlapOrEndOutside() {
    const std::vector<std::byte> bytes = ck::characterToBytes(ck::test::richCharacter());
    for (const std::size_t field : {std::size_t{8}, std::size_t{16}}) {
      for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{40}, ~std::uint64_t{0}}) {
        std::vector<std::byte> altered = bytes;
        std::memcpy(altered.data() + ck::blob::kHeaderBytes + field, &value, 8);
        ck::test::sign(altered);
        QVERIFY(!ck::characterFromBytes(altered).has_value());
      }
    }
  }

  void rejectsHierarchiesWithACycle() {
    ck::Character character = ck::test::richCharacter();
    character.rig.joints[0].parent = 1;
    QVERIFY(!ck::characterFromBytes(ck::characterToBytes(character)).has_value());
    character.rig.joints[0].parent = 0;
    QVERIFY(!ck::characterFromBytes(ck::characterToBytes(character)).has_value());
  }

  void rejectsNumbersAndNamesOutOfBounds() {
    const auto refused = [](auto change) {
      ck::Character character = ck::test::richCharacter();
      change(character);
      return !ck::characterFromBytes(ck::characterToBytes(character)).has_value();
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(refused([&](ck::Character& c) { c.rig.joints[0].preTransform[3][0] = nan; }));
    QVERIFY(refused([&](ck::Character& c) { c.rig.skinJoints[0].inverseBind[0][0] = 1e16; }));
    QVERIFY(refused([](ck::Character& c) { c.rig.joints[0].name = std::string(300, 'x'); }));
    QVERIFY(refused([](ck::Character& c) { c.rig.joints[0].name = "a\nb"; }));
    QVERIFY(refused([](ck::Character& c) { c.rig.joints[0].name = "\xC3"; }));
    QVERIFY(refused([](ck::Character& c) { c.clips[0].name = c.clips[1].name; }));
    QVERIFY(refused([](ck::Character& c) { c.clips[2].jointTracks[0].scale.times[0] = 1e9; }));
    QVERIFY(
        refused([](ck::Character& c) { c.clips[0].jointTracks[0].rotation.values[0] *= 4.0f; }));
    QVERIFY(refused([](ck::Character& c) { c.meshes[0].indices[0] = 1'000'000; }));
    QVERIFY(refused([](ck::Character& c) { c.meshes[0].influences[0].skinJoint = 77; }));
    QVERIFY(refused([](ck::Character& c) { c.meshes[0].influenceStarts[3] = 1'000'000; }));
    QVERIFY(refused([](ck::Character& c) { c.images[0].width = 0x40000000; }));
    QVERIFY(refused([](ck::Character& c) { c.images[0].file[0] = std::byte{'B'}; }));
    QVERIFY(refused([](ck::Character& c) { c.images[0].file.resize(9, std::byte{1}); }));
    QVERIFY(refused([](ck::Character& c) {
      for (int depth = 0; depth < 5'000; ++depth) {
        ck::Joint joint;
        joint.name = "deep " + std::to_string(depth);
        joint.parent = static_cast<int>(c.rig.joints.size()) - 1;
        c.rig.joints.push_back(joint);
      }
    }));
  }

  void rejectsTooManyClipsWithTheirNumberAndTheLimit() {
    ck::Character character = ck::test::richCharacter();
    character.clips.resize(12'000);
    const auto refused = ck::characterFromBytes(ck::characterToBytes(character));
    QVERIFY(!refused.has_value());
    QCOMPARE(int(refused.error().code), int(ck::ErrorCode::LimitExceeded));
    QCOMPARE(refused.error().message,
             std::string("the file has 12000 clips, more than the limit of 10000; export fewer of "
                         "them into one file"));
  }

  void bringsEveryFieldBack() {
    const ck::Character character = ck::test::richCharacter();
    QVERIFY(ck::validate(character).has_value());
    const auto back = ck::characterFromBytes(ck::characterToBytes(character));
    QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
    QVERIFY(*back == character);
    QVERIFY(back->images[0].file == character.images[0].file);
  }

  void startsWithItsMagicAndVersion() {
    const std::vector<std::byte> bytes = ck::characterToBytes(ck::test::richCharacter());
    QCOMPARE(std::memcmp(bytes.data(), "CKIM\x06\0\0\0", 8), 0);
  }
};

CK_TEST(tst_character_file)
#include "tst_character_file.moc"
