#include <QTest>
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <string>

#include "core/atlas/atlas_layout.h"
#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/container/packed_texels.h"
#include "core/container/rice_form.h"
#include "core/container/rice_reader.h"
#include "core/system/files.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

using Bytes = std::vector<std::byte>;

ck::Atlas limbIn(ck::Encoding encoding, ck::LayoutKind layout,
                 std::optional<ck::RangeMode> ranges = {},
                 std::optional<ck::Components> components = {}) {
  ck::BakeSettings settings;
  settings.encoding = encoding;
  settings.layout = layout;
  settings.tile = 64;
  settings.rangeMode = ranges;
  settings.components = components;
  auto baked = ck::bake(ck::test::swingingLimb(), settings);
  if (!baked) qFatal("%s", baked.error().message.c_str());
  return std::move(baked->atlas);
}

ck::Atlas barIn(ck::Encoding encoding) {
  ck::BakeSettings settings;
  settings.encoding = encoding;
  return ck::bake(ck::test::barCharacter(), settings)->atlas;
}

// Any bits in the texels of poses: nothing can be predicted. Floats stay finite.
void fillWithNoise(ck::Atlas& atlas, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t size = ck::bytesPerJoint(ck::codeOf(atlas));
  const bool floats = ck::isFloat(ck::texelFormatOf(atlas));
  for (const ck::AtlasClip& clip : atlas.clips) {
    for (int frame = 0; frame < clip.frameCount; ++frame) {
      for (int joint = 0; joint < static_cast<int>(atlas.joints.size()); ++joint) {
        std::byte* at = &atlas.texels[ck::texelOffset(atlas, clip.firstFrame + frame, joint)];
        for (std::size_t i = 0; i < size; ++i) {
          at[i] = static_cast<std::byte>(random() & (floats && i % 2 == 1 ? 0x83 : 0xff));
        }
      }
    }
  }
}

// In a block of memory of exactly this size, so that a sanitizer sees every byte read beyond.
ck::Result<ck::AtlasFile> readExact(const Bytes& bytes) {
  const std::unique_ptr<std::byte[]> block(new std::byte[bytes.size()]);
  std::ranges::copy(bytes, block.get());
  return ck::atlasFileFromBytes({block.get(), bytes.size()});
}

void putNumber(Bytes& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    bytes[at + i] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
  }
}

// Puts size and checksum right again, as an attacker would.
void seal(Bytes& bytes) {
  putNumber(bytes, 12, bytes.size(), 8);
  putNumber(bytes, bytes.size() - 8, ck::hashBytes(std::span(bytes).first(bytes.size() - 8)), 8);
}

// Where the table of packed clips begins, with the bytes of the texels, which are searched.
std::size_t placeOfTable(const ck::Atlas& atlas, const Bytes& bytes) {
  Bytes head(13);
  putNumber(head, 0, atlas.texels.size(), 8);
  putNumber(head, 8, 1, 1);
  putNumber(head, 9, atlas.clips.size(), 4);
  const auto found = std::search(bytes.begin(), bytes.end(), head.begin(), head.end());
  return static_cast<std::size_t>(found - bytes.begin());
}

// A clip as rice, with an atlas that has no texels of it yet.
struct RiceSample {
  ck::Atlas atlas;
  Bytes packed;
  Bytes texels;  // what the atlas has to get

  explicit RiceSample(int frames) {
    ck::BakeSettings settings;
    settings.layout = ck::LayoutKind::Linear;
    settings.frames = frames == 1 ? 2 : frames;
    auto baked = ck::bake(ck::test::swingingLimb(), settings);
    if (!baked) qFatal("%s", baked.error().message.c_str());
    atlas = std::move(baked->atlas);
    if (frames == 1) atlas.clips[0].frameCount = 1;  // no clip that moves is baked so
    const ck::ClipBlock block = ck::takeBlock(atlas, 0);
    packed = ck::packRice(ck::clipModel(atlas, 0), block, {});
    clear();
    ck::putBlock(block, 0, atlas);
    texels = atlas.texels;
    clear();
  }
  std::size_t frames() const { return static_cast<std::size_t>(atlas.clips[0].frameCount); }
  void clear() { std::ranges::fill(atlas.texels, std::byte{0}); }
  ck::RiceClip clip(const Bytes& bytes) {
    return {bytes, atlas.texels.data(), ck::frameOffsets(atlas, 0)};
  }
};

// Which of these samples are read side by side, when they have these bytes.
std::vector<bool> readTogether(const std::vector<RiceSample*>& samples,
                               const std::vector<Bytes>& packed, int threads, ck::LanePath path) {
  std::vector<ck::RiceClip> clips;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i]->clear();
    clips.push_back(samples[i]->clip(packed[i]));
  }
  ck::JobContext job;
  job.threadCount = threads;
  const auto modelOf = [&](std::size_t index) { return ck::clipModel(samples[index]->atlas, 0); };
  ck::unpackRice(clips, modelOf, job, path);
  std::vector<bool> isRead;
  for (const ck::RiceClip& clip : clips) isRead.push_back(clip.isRead);
  return isRead;
}

}  // namespace

Q_DECLARE_METATYPE(ck::Atlas)

class tst_packed_atlas : public QObject {
  Q_OBJECT
 private slots:
  void everyEncodingAndLayoutComesBack_data() {
    QTest::addColumn<ck::Atlas>("atlas");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      for (const auto layout :
           {ck::LayoutKind::Rows, ck::LayoutKind::Tiles, ck::LayoutKind::Linear}) {
        QTest::addRow("%s in %s", info.name.data(), ck::layoutKindName(layout).data())
            << limbIn(info.encoding, layout);
      }
    }
    for (const auto mode : {ck::RangeMode::Atlas, ck::RangeMode::Joint, ck::RangeMode::JointClip}) {
      for (const ck::Encoding encoding : {ck::Encoding::P16, ck::Encoding::T16, ck::Encoding::T8}) {
        QTest::addRow("%s, ranges by %s", ck::encodingName(encoding).data(),
                      ck::rangeModeName(mode).data())
            << limbIn(encoding, ck::LayoutKind::Rows, mode);
      }
    }
    for (const auto components : {ck::Components::Trs, ck::Components::Tr, ck::Components::R}) {
      for (const ck::Encoding encoding : {ck::Encoding::T32, ck::Encoding::T16, ck::Encoding::T8}) {
        QTest::addRow("%s, %s", ck::encodingName(encoding).data(),
                      ck::componentsName(components).data())
            << limbIn(encoding, ck::LayoutKind::Rows, {}, components);
      }
    }
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      ck::Atlas noise = limbIn(info.encoding, ck::LayoutKind::Rows);
      fillWithNoise(noise, 7);
      QTest::addRow("%s, noise", info.name.data()) << noise;
    }
    ck::Atlas still = limbIn(ck::Encoding::P16, ck::LayoutKind::Rows);
    std::ranges::fill(still.texels, std::byte{0});
    QTest::addRow("all zero") << still;
    ck::Atlas flat = limbIn(ck::Encoding::T16, ck::LayoutKind::Rows);
    for (ck::TexelRange& range : flat.ranges) range.size = glm::vec4(0.0f);
    QTest::addRow("ranges without size") << flat;
    ck::Atlas huge = limbIn(ck::Encoding::P16, ck::LayoutKind::Rows);
    for (ck::TexelRange& range : huge.ranges) {
      range = {glm::vec4(-3e38f), glm::vec4(3e38f, 1e-45f, 3e38f, 3e38f)};
    }
    QTest::addRow("huge ranges") << huge;
  }
  void everyEncodingAndLayoutComesBack() {
    QFETCH(ck::Atlas, atlas);
    const Bytes plain = ck::unpackedAtlasToBytes(atlas);
    const Bytes bytes = ck::atlasToBytes(atlas);
    const auto file = readExact(bytes);
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QVERIFY(file->atlas == atlas);
    QVERIFY(file->atlas.texels == atlas.texels);
    QVERIFY(ck::unpackedAtlasToBytes(file->atlas) == plain);
    QVERIFY(ck::atlasToBytes(file->atlas) == bytes);
  }

  void threadsDoNotChangeTheBytes() {
    const ck::Atlas atlas = limbIn(ck::Encoding::P16, ck::LayoutKind::Rows);
    QVERIFY(atlas.clips.size() > 2);
    const Bytes one = ck::atlasToBytes(atlas, {}, 1);
    QVERIFY(ck::atlasToBytes(atlas, {}, 2) == one);
    QVERIFY(ck::atlasToBytes(atlas, {}, 4) == one);
  }

  // Poses with rotations are packed by rules, others in planes.
  void motionIsPacked() {
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      const bool isRice = info.name == "P16" || info.name == "P8" || info.name == "U128" ||
                          info.name == "D16" || info.name == "T16" || info.name == "T8";
      const ck::Atlas atlas = limbIn(info.encoding, ck::LayoutKind::Rows);
      QVERIFY2(ck::atlasToBytes(atlas).size() < ck::unpackedAtlasToBytes(atlas).size(),
               info.name.data());
      for (const ck::PackedClip& clip : ck::packTexels(atlas, 1)) {
        QVERIFY2((clip.form == ck::ClipForm::Rice) == isRice, info.name.data());
      }
    }
    const ck::Atlas atlas = limbIn(ck::Encoding::P16, ck::LayoutKind::Rows);
    std::size_t packed = 0;
    for (const ck::PackedClip& clip : ck::packTexels(atlas, 1)) packed += clip.bytes.size();
    QVERIFY2(5 * packed < 2 * atlas.texels.size(), qPrintable(QString::number(packed)));
  }

  // With and without AVX2, on one thread and on several, for clips of one and of several pieces.
  void pathsAndThreadsPackTheSameRice() {
    for (const int frames : {0, 1023, 1024, 1025, 3000}) {
      RiceSample sample(frames);
      sample.atlas.texels = sample.texels;
      const ck::ClipBlock block = ck::takeBlock(sample.atlas, 0);
      const ck::ClipModel model = ck::clipModel(sample.atlas, 0);
      QVERIFY(ck::hasRiceForm(model));
      QVERIFY(sample.packed.size() < block.size());
      for (const int threads : {1, 2, 4}) {
        ck::JobContext job;
        job.threadCount = threads;
        for (const auto path : {ck::LanePath::Best, ck::LanePath::Plain}) {
          QVERIFY(ck::packRice(model, block, job, path) == sample.packed);
          QVERIFY(readTogether({&sample}, {sample.packed}, threads, path).front());
          QVERIFY(sample.atlas.texels == sample.texels);
        }
      }
    }
  }

  // Clips of other lengths beside it change nothing for a clip, and neither does damage to them.
  void riceIsReadSideBySideAsAlone() {
    std::vector<std::unique_ptr<RiceSample>> samples;
    std::vector<RiceSample*> all;
    std::vector<Bytes> packed;
    for (const int frames : {1, 3, 1024, 1025, 2500, 40, 41, 42, 43, 44, 45, 46}) {
      all.push_back(samples.emplace_back(std::make_unique<RiceSample>(frames)).get());
      packed.push_back(all.back()->packed);
      QCOMPARE(all.back()->frames(), static_cast<std::size_t>(frames));
    }
    for (const int threads : {1, 2, 4}) {
      for (const auto path : {ck::LanePath::Best, ck::LanePath::Plain}) {
        const std::vector<bool> isRead = readTogether(all, packed, threads, path);
        for (std::size_t i = 0; i < all.size(); ++i) {
          QVERIFY(isRead[i] && all[i]->atlas.texels == all[i]->texels);
        }
        for (std::size_t broken = 0; broken < all.size(); ++broken) {
          std::vector<Bytes> damaged = packed;
          // All zeros, which are more of both streams than there is.
          const std::size_t sizes = 8 * ((all[broken]->frames() + 1023) / 1024);
          std::ranges::fill(std::span(damaged[broken]).subspan(sizes), std::byte{0});
          const std::vector<bool> isLeft = readTogether(all, damaged, threads, path);
          for (std::size_t i = 0; i < all.size(); ++i) {
            QCOMPARE(isLeft[i], i != broken);
            QVERIFY(i == broken || all[i]->atlas.texels == all[i]->texels);
          }
        }
      }
    }
  }

  // Whatever the streams say, nothing beyond them is read.
  void riceOfNoiseIsRefusedOrRead() {
    RiceSample sample(0);
    RiceSample other(100);
    const Bytes& packed = sample.packed;
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
      Bytes noise = packed;
      const int kind = round % 3;  // any bits, zeros alone, ones alone
      for (std::size_t i = 8; i < noise.size(); ++i) {
        noise[i] = static_cast<std::byte>(kind == 0 ? random() & 0xff : kind == 1 ? 0 : 0xff);
      }
      const auto shift = static_cast<std::uint32_t>(random() % 64);
      putNumber(noise, 0, std::to_integer<std::uint32_t>(packed[0]) + shift, 1);
      for (const auto path : {ck::LanePath::Best, ck::LanePath::Plain}) {
        const auto isRead = readTogether({&sample, &other}, {noise, other.packed}, 1, path);
        QVERIFY(isRead[1] && other.atlas.texels == other.texels);
      }
    }
  }

  // Fifteen zeros before every one make each number, and so the low bits of the next, larger.
  void riceThatGrowsIsReadWithinItsBytes() {
    ck::ClipModel model;
    model.frames = 40;
    model.channels = ck::kMostChannels;
    model.roles = {ck::TexelRole::Place, ck::TexelRole::Rotation, ck::TexelRole::Plain};
    model.joints.resize(64);
    const std::size_t frameBytes = model.joints.size() * model.channels * 2;
    const std::size_t headBytes = model.joints.size() * model.channels / 4;
    constexpr std::size_t kCountBytes = 70000;
    ck::JobContext job;
    job.threadCount = 1;
    for (std::size_t bitBytes = 1000; bitBytes < 40000; bitBytes += 97) {
      Bytes packed(8 + headBytes + kCountBytes + bitBytes, std::byte{0xff});
      putNumber(packed, 0, kCountBytes, 4);
      putNumber(packed, 4, bitBytes, 4);
      for (std::size_t i = 0; i < headBytes; ++i) packed[8 + i] = std::byte{0};
      for (std::size_t i = 0; i < kCountBytes; ++i) {
        packed[8 + headBytes + i] = std::byte{i % 2 == 0 ? std::uint8_t{0} : std::uint8_t{0x80}};
      }
      Bytes texels(model.frames * frameBytes);
      ck::RiceClip clip = {packed, texels.data(), {}};
      for (std::size_t i = 0; i < model.frames; ++i) clip.frames.push_back(i * frameBytes);
      ck::unpackRice(
          {&clip, 1}, [&](std::size_t) { return model; }, job);
      QVERIFY(!clip.isRead);
    }
  }

  void errorsMorphsAndEditsComeBackBesidePackedTexels() {
    ck::BakeSettings settings;
    settings.clips = {{.name = "Bend", .edit = {.loopOffset = 0.25}}, {.name = "Twist"}};
    ck::Character bar = ck::test::barCharacter();
    bar.meshes[0].morphTargets.push_back({"Bulge", {5}, {{0.1f, 0.0f, 0.0f}}, {}, {}});
    bar.meshes[0].defaultMorphWeights.push_back(0.0f);
    bar.clips[1].morphTracks.push_back(
        {0, 0, {ck::Interpolation::Linear, {0.0, 1.0}, {0.0f, 1.0f}}});
    bar.source.clipsHash = 77;
    const ck::Atlas atlas = ck::bake(bar, settings)->atlas;
    ck::BakeError error;
    error.palette.shell.max = 0.5;
    for (const ck::BakeError* stated :
         {static_cast<const ck::BakeError*>(nullptr), &std::as_const(error)}) {
      const Bytes bytes = ck::atlasToBytes(atlas, {stated});
      const auto file = readExact(bytes);
      QVERIFY2(file, file ? "" : file.error().message.c_str());
      QVERIFY(file->atlas == atlas && file->atlas.clipsHash == 77);
      QVERIFY(file->error.has_value() == (stated != nullptr));
      QVERIFY(ck::atlasToBytes(file->atlas, {stated}) == bytes);
    }
  }

  // Blocks of clips do not have what lies between them.
  void texelsBesidePosesAreNotLost() {
    ck::Atlas atlas = limbIn(ck::Encoding::P16, ck::LayoutKind::Linear);
    QVERIFY(atlas.texels.back() == std::byte{0});
    atlas.texels.back() = std::byte{1};
    const Bytes bytes = ck::atlasToBytes(atlas);
    QVERIFY(bytes == ck::unpackedAtlasToBytes(atlas));
    QVERIFY(readExact(bytes)->atlas.texels == atlas.texels);
  }

  void rejectsEveryTruncation_data() {
    QTest::addColumn<ck::Encoding>("encoding");
    QTest::newRow("rice") << ck::Encoding::P16;
    QTest::newRow("planes") << ck::Encoding::M16F;
  }
  void rejectsEveryTruncation() {
    QFETCH(ck::Encoding, encoding);
    const Bytes whole = ck::atlasToBytes(barIn(encoding));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      QVERIFY(!readExact(bytes));
      if (size < 36) continue;
      seal(bytes);
      QVERIFY(!readExact(bytes));
    }
    QVERIFY(readExact(whole));
  }

  // The end of a clip's bytes moved, with all sizes right.
  void rejectsEveryTruncationOfAPackedClip_data() { rejectsEveryTruncation_data(); }
  void rejectsEveryTruncationOfAPackedClip() {
    QFETCH(ck::Encoding, encoding);
    const ck::Atlas atlas = barIn(encoding);
    const auto packed = ck::packTexels(atlas, 1);
    std::vector<ck::PackedSpan> spans;
    for (const ck::PackedClip& clip : packed) spans.push_back({clip.form, clip.bytes});
    const auto isTaken = [&](std::span<const std::byte> last) {
      std::vector<ck::PackedSpan> changed = spans;
      changed.back().bytes = last;
      ck::Atlas read = atlas;
      return !ck::unpackTexels(changed, read).has_value();
    };
    const Bytes& last = packed.back().bytes;
    QVERIFY(isTaken(last));
    for (std::size_t size = 0; size < last.size(); ++size) {
      const std::unique_ptr<std::byte[]> block(new std::byte[size]);
      std::copy_n(last.begin(), size, block.get());
      QVERIFY(!isTaken({block.get(), size}));
    }
    Bytes longer = last;
    longer.push_back(std::byte{0});
    QVERIFY(!isTaken(longer));
  }

  void rejectsAlterationsOrTakesAnAtlas_data() {
    QTest::addColumn<ck::Encoding>("encoding");
    for (const auto encoding : {ck::Encoding::P16, ck::Encoding::T8, ck::Encoding::T16,
                                ck::Encoding::M16F, ck::Encoding::T32}) {
      QTest::newRow(ck::encodingName(encoding).data()) << encoding;
    }
  }
  void rejectsAlterationsOrTakesAnAtlas() {
    QFETCH(ck::Encoding, encoding);
    const ck::Atlas atlas = barIn(encoding);
    constexpr int kRounds = 10000;
    const Bytes whole = ck::atlasToBytes(atlas);
    const std::size_t table = placeOfTable(atlas, whole);
    std::mt19937 random(33);
    int taken = 0;
    for (int round = 0; round < kRounds; ++round) {
      Bytes bytes = whole;
      const std::size_t changes = 1 + random() % 4;
      for (std::size_t i = 0; i < changes; ++i) {
        // Mostly what is packed, and the table before it.
        const bool isPacked = random() % 4 != 0;
        const std::size_t at =
            isPacked ? table + random() % (bytes.size() - 8 - table) : random() % bytes.size();
        bytes[at] = static_cast<std::byte>(random() & 0xff);
      }
      const bool sealed = round % 8 != 0;
      if (sealed)
        putNumber(bytes, bytes.size() - 8, ck::hashBytes(std::span(bytes).first(bytes.size() - 8)),
                  8);
      const auto file = readExact(bytes);
      if (!file) {
        // A version that is not out yet is the one thing that is not damage.
        const bool later = file.error().message.find("a newer Crowdkiln") != std::string::npos;
        QCOMPARE(file.error().code,
                 later ? ck::ErrorCode::Unsupported : ck::ErrorCode::InvalidInput);
        QVERIFY(!file.error().message.empty());
        continue;
      }
      ++taken;
      // Unsealed, only what was not changed at all passes. Sealed, it must be an atlas that can be
      // packed.
      if (!sealed) QVERIFY(file->atlas == atlas);
      const auto again = readExact(ck::atlasToBytes(file->atlas));
      QVERIFY(again && again->atlas == file->atlas);
    }
    QVERIFY2(taken > 20 && taken < kRounds * 9 / 10, qPrintable(QString::number(taken)));
  }

  // Sizes are held against the file before memory is taken for them.
  void rejectsSizesThatTheFileCannotHold() {
    const ck::Atlas atlas = barIn(ck::Encoding::P16);
    const Bytes whole = ck::atlasToBytes(atlas);
    const std::size_t table = placeOfTable(atlas, whole);
    const auto refusal = [&](std::size_t at, std::uint64_t value, std::size_t size) {
      Bytes bytes = whole;
      putNumber(bytes, at, value, size);
      seal(bytes);
      const auto file = readExact(bytes);
      return file ? std::string() : file.error().message;
    };
    QVERIFY(!refusal(table, atlas.texels.size() + 8, 8).empty());
    QVERIFY(!refusal(table, ~std::uint64_t{0}, 8).empty());
    QVERIFY(!refusal(table + 9, 0xffffffffu, 4).empty());
    QVERIFY(!refusal(table + 9, 1, 4).empty());
    for (const auto& [at, says] : {std::pair(table + 8, "texels in a form"),
                                   std::pair(table + 13, "clips packed in a form")}) {
      QVERIFY(refusal(at, 2, 1).find(says) != std::string::npos);
    }
    QVERIFY(!refusal(table + 14, 0, 8).empty());
    QVERIFY(!refusal(table + 14, ~std::uint64_t{0} - 20, 8).empty());
  }

  // A file of two kilobytes must not take gigabytes.
  void rejectsTexelsOutOfProportion() {
    QVERIFY(ck::mayUnpackTo(100, std::uint64_t{64} << 20));
    QVERIFY(!ck::mayUnpackTo(100, std::uint64_t{65} << 20));
    QVERIFY(ck::mayUnpackTo(std::uint64_t{1} << 20, std::uint64_t{320} << 20));
    QVERIFY(!ck::mayUnpackTo(~std::uint64_t{0} >> 9, ~std::uint64_t{0}));
    // The bar, standing still in 4096 x 4096 texels: 128 MiB, whose packed form is refused.
    ck::BakeSettings settings;
    settings.textureWidth = 4096;
    settings.textureHeight = 4096;
    auto baked = ck::bake(ck::test::barCharacter(), settings);
    QVERIFY2(baked, baked ? "" : baked.error().message.c_str());
    const Bytes bytes = ck::atlasToBytes(baked->atlas);
    QVERIFY(bytes.size() > baked->atlas.texels.size());
    QVERIFY(readExact(bytes)->atlas == baked->atlas);
  }
};

CK_TEST(tst_packed_atlas)
#include "tst_packed_atlas.moc"
