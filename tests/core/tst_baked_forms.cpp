#include <fmt/format.h>
#include <QTemporaryDir>

#include <QTest>

#include "core/anim/pose.h"
#include "core/atlas/atlas_check.h"
#include "core/atlas/atlas_layout.h"
#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/error/bake_error.h"
#include "core/export/atlas_folder.h"
#include "core/export/set/atlas_export.h"
#include "core/system/files.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::BakeSettings;
using ck::Components;
using ck::Encoding;
using ck::LayoutKind;
using ck::Reading;

Q_DECLARE_METATYPE(ck::BakeSettings)

using ck::test::hasNote;

namespace {

bool says(const ck::Error& error, const std::string& text) {
  return error.message.find(text) != std::string::npos;
}

// The furthest that the atlas is from the source at its own frames, 3 cm from the joints.
double furthestMm(const ck::Character& character, const ck::Atlas& atlas, Reading reading) {
  double furthest = 0.0;
  for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
    const ck::AtlasClip& baked = atlas.clips[c];
    const ck::Clip& source = character.clips[c];
    const int last = baked.frameCount - 1;
    const double seconds = std::min(baked.durationSeconds, source.durationSeconds);
    for (int frame = 0; frame * baked.durationSeconds <= last * seconds; ++frame) {
      const double time = source.startSeconds + frame * baked.durationSeconds / last;
      const auto wanted = ck::skinMatricesAt(character.rig, source, time);
      const auto got =
          ck::atlasSkinMatrices(atlas, static_cast<int>(c), frame / double(last), reading);
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        for (int axis = 0; axis < 3; ++axis) {
          glm::dvec3 at(ck::pivotOf(character.rig.skinJoints[j]));
          at[axis] += 0.03;
          const glm::dvec4 v(at, 1.0);
          furthest = std::max(
              furthest, 1000.0 * glm::distance(glm::dvec3(wanted[j] * v), glm::dvec3(got[j] * v)));
        }
      }
    }
  }
  return furthest;
}

ck::Character stretchedBar() {
  ck::Character bar = ck::test::barCharacter();
  auto& tracks = bar.clips[1].jointTracks[0];
  tracks.scale.times = {0.0, 1.0};
  tracks.scale.values = {glm::vec3(1.0f), glm::vec3(1.0f, 2.0f, 0.5f)};
  return bar;
}

// The lower joint stretches while the upper one turns about it.
ck::Character shearedBar() {
  ck::Character bar = ck::test::barCharacter();
  ck::JointTracks stretch;
  stretch.joint = 0;
  stretch.scale.times = {0.0, 1.0};
  stretch.scale.values = {glm::vec3(1.0f), glm::vec3(1.0f, 2.0f, 0.5f)};
  bar.clips[1].jointTracks.insert(bar.clips[1].jointTracks.begin(), stretch);
  return bar;
}

}  // namespace

class tst_baked_forms : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsWhatCannotBeLaidOut_data() {
    QTest::addColumn<BakeSettings>("settings");
    QTest::addColumn<QString>("says");
    BakeSettings p16;
    p16.components = Components::R;
    QTest::newRow("P16 without positions") << p16 << "'r' cannot be baked as P16";
    BakeSettings m16;
    m16.encoding = Encoding::M16;
    m16.components = Components::Tr;
    QTest::newRow("matrices without scale")
        << m16 << "'tr' cannot be baked as M16, which keeps whole matrices in 3 texels";
    BakeSettings tiles;
    tiles.layout = LayoutKind::Tiles;
    tiles.tile = 8;
    QTest::newRow("joints wider than a tile")
        << tiles
        << "7 joints need 14 texels side by side, and a tile is 8 wide; at most 4 joints "
           "fit; tiles of 16 would hold them, or 1 texel per joint instead of 2";
    tiles.tile = 1;
    QTest::newRow("tiles of one texel") << tiles << "2 is the least";
    tiles.tile = 16;
    tiles.textureWidth = 16;
    tiles.textureHeight = 32;
    QTest::newRow("more clips than tiles") << tiles
                                           << "3 clips need as many tiles of 16 x 16 "
                                              "texels, and a texture of 16 x 32 holds 2";
    BakeSettings linear;
    linear.layout = LayoutKind::Linear;
    linear.maxTextureSize = 32;
    QTest::newRow("a line longer than the texture") << linear << "holds 73";
    BakeSettings rows;
    rows.textureWidth = 13;
    QTest::newRow("joints wider than the texture") << rows << "at most 6 joints fit";
    rows.textureWidth = 14;
    rows.textureHeight = 40;
    QTest::newRow("frames higher than the texture") << rows << "a texture of 14 x 40 holds 40";
    rows.textureWidth = 100;
    rows.powerOfTwo = true;
    QTest::newRow("a width that is no power of two") << rows << "64 and 128 are";
    rows.textureWidth = 32768;
    QTest::newRow("a width beyond the largest") << rows << "textures may be 16384 at most";
    rows.textureWidth = -1;
    QTest::newRow("a width below nothing") << rows << "-1 texels";
  }
  void rejectsWhatCannotBeLaidOut() {
    QFETCH(BakeSettings, settings);
    QFETCH(QString, says);
    const ck::Character limb = ck::test::swingingLimb();
    const auto result = ck::bake(limb, settings);
    QVERIFY(!result);
    QVERIFY2(::says(result.error(), says.toStdString()), result.error().message.c_str());
    QCOMPARE(ck::bakeCost(limb, settings).error().message, result.error().message);
  }

  void everyFormReadsAsTheSource_data() {
    QTest::addColumn<BakeSettings>("settings");
    QTest::addColumn<double>("mostMm");
    // docs/techniques.md 3.2, for a rig of this size.
    const std::map<Encoding, double> bounds = {
        {Encoding::P16, 0.05},  {Encoding::P16F, 0.8}, {Encoding::P8, 9.0},  {Encoding::U128, 0.05},
        {Encoding::U64, 2.5},   {Encoding::D16, 0.2},  {Encoding::R64, 0.3}, {Encoding::R32, 10.0},
        {Encoding::T32, 0.002}, {Encoding::T16, 0.06}, {Encoding::T8, 9.0},  {Encoding::M32, 0.002},
        {Encoding::M16, 0.06},  {Encoding::M16F, 0.8}};
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      for (const auto layout : {LayoutKind::Rows, LayoutKind::Tiles, LayoutKind::Linear}) {
        for (const auto components : {Components::Trs, Components::Tr}) {
          if (!ck::isPossible({info.encoding, components})) continue;
          BakeSettings settings;
          settings.encoding = info.encoding;
          settings.layout = layout;
          settings.components = components;
          settings.tile = 64;
          QTest::addRow("%s %s %s", info.name.data(), ck::layoutKindName(layout).data(),
                        ck::componentsName(components).data())
              << settings << bounds.at(info.encoding);
        }
      }
    }
  }
  void everyFormReadsAsTheSource() {
    QFETCH(BakeSettings, settings);
    QFETCH(double, mostMm);
    const ck::Character limb = ck::test::swingingLimb();
    const auto result = ck::bake(limb, settings);
    QVERIFY(result);
    const ck::Atlas& atlas = result->atlas;
    QVERIFY(ck::checkAtlas(atlas));
    for (const Reading reading : {Reading::Palette, Reading::Direct}) {
      const double mm = furthestMm(limb, atlas, reading);
      QVERIFY2(mm < mostMm, qPrintable(QString::number(mm)));
      QVERIFY(settings.encoding != Encoding::T8 || mm > 0.05);
    }
    const auto error = ck::measureBakeError(limb, atlas);
    QVERIFY(error);
    QVERIFY(error->palette.shell.max + 1e-3 > furthestMm(limb, atlas, Reading::Palette));
    // Through the container and through every picture that can hold it.
    QVERIFY(*ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas)) == atlas);
    const QTemporaryDir folder;
    const ck::ExportKinds kinds = ck::test::everyKind(ck::texelFormatOf(atlas));
    const auto path = ck::pathFromText(folder.path().toStdString());
    const auto files = ck::exportAtlas(atlas, "limb", path, {.kinds = kinds});
    QVERIFY2(files, files ? "" : files.error().message.c_str());
    const auto found = ck::readAtlasFolder(path);
    QVERIFY(found);
    QCOMPARE(found->size(), kinds.size() - 1);
    for (const ck::FoundAtlas& set : *found) QVERIFY(set.atlas == atlas);
  }

  void picturesRefuseWhatTheyCannotHold_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("text");
    const auto add = [](Encoding encoding, ck::ExportKind kind, const char* text) {
      QTest::addRow("%s", text) << static_cast<int>(encoding) << static_cast<int>(kind) << text;
    };
    add(Encoding::T32, ck::ExportKind::Png,
        "png cannot hold these texels: T32 has floats (RGBA32F)");
    add(Encoding::P16F, ck::ExportKind::Png,
        "P16F has floats (RGBA16F); export ckatlas, exr or raw");
    add(Encoding::U128, ck::ExportKind::Png, "U128 has words of 32 bits (RGBA32UI)");
    add(Encoding::U64, ck::ExportKind::Exr, "(RG32UI); export ckatlas or raw");
  }
  void picturesRefuseWhatTheyCannotHold() {
    QFETCH(int, encoding);
    QFETCH(int, kind);
    QFETCH(QString, text);
    BakeSettings settings;
    settings.encoding = static_cast<Encoding>(encoding);
    const auto atlas = ck::bake(ck::test::barCharacter(), settings)->atlas;
    const QTemporaryDir folder;
    const auto files = ck::exportAtlas(atlas, "bar", ck::pathFromText(folder.path().toStdString()),
                                       {.kinds = {static_cast<ck::ExportKind>(kind)}});
    QVERIFY(!files);
    QCOMPARE(files.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(says(files.error(), text.toStdString()), files.error().message.c_str());
  }

  // U64 has one scale for all poses of a range: a lasting one is kept, of others the middle.
  void onlyLastingScalesNeedNoTexel() {
    const auto scaled = [](float first, float last) {
      ck::Character bar = ck::test::barCharacter();
      auto& scale = bar.clips[0].jointTracks[0].scale;
      scale = {ck::Interpolation::Linear, {0.0, 1.0}, {glm::vec3(first), glm::vec3(last)}};
      return bar;
    };
    BakeSettings settings;
    settings.encoding = Encoding::U64;
    settings.rangeMode = ck::RangeMode::JointClip;
    const ck::Character lasting = scaled(1.5f, 1.5f);
    const auto kept = ck::bake(lasting, settings);
    QVERIFY(kept);
    QVERIFY(!hasNote(kept->notes, "ScaleDropped"));
    QVERIFY(furthestMm(lasting, kept->atlas, Reading::Palette) < 2.5);
    // The corners furthest from the pivot lose half of the change.
    const double reach = glm::distance(lasting.meshes[0].positions.back(), glm::vec3(0, 1, 0));
    const auto lost = [reach](double scale) {
      return fmt::format("hold; its vertices are up to {:.1f} mm off", 1000.0 * scale * reach);
    };
    const auto lossy = ck::bake(scaled(1.0f, 1.5f), settings);
    QVERIFY(lossy);
    QVERIFY(
        hasNote(lossy->notes, "ScaleDropped",
                "in clip 'Bend' in a way that one lasting scale per joint cannot " + lost(0.25)));
    settings.encoding = Encoding::U128;
    QVERIFY(!hasNote(ck::bake(scaled(1.0f, 1.5f), settings)->notes, "ScaleDropped"));
    // Dual quaternions have no scale at all.
    settings.encoding = Encoding::D16;
    QVERIFY(
        hasNote(ck::bake(lasting, settings)->notes, "ScaleDropped",
                "has another scale than 1 in clip 'Bend' in a way that a dual quaternion cannot " +
                    lost(0.5)));
  }

  void stretchIsKeptWithoutLoss() {
    const ck::Character bar = stretchedBar();
    BakeSettings settings;
    settings.encoding = Encoding::T32;
    const auto result = ck::bake(bar, settings);
    QVERIFY(result);
    QCOMPARE(*result->atlas.recipe.components, Components::Trs);
    QVERIFY(furthestMm(bar, result->atlas, Reading::Direct) < 0.01);
    QVERIFY(furthestMm(bar, result->atlas, Reading::Palette) < 0.01);
    QVERIFY(!hasNote(result->notes, "ScaleDropped"));
    settings.encoding = Encoding::P16;
    const auto pivots = ck::bake(bar, settings);
    QVERIFY(furthestMm(bar, pivots->atlas, Reading::Direct) > 10.0);
  }

  // A joint that stretches above one that turns: shear, which no pose of position, rotation and
  // scale holds.
  void matricesKeepShear_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<double>("mostMm");
    QTest::newRow("M32") << static_cast<int>(Encoding::M32) << 0.01;
    QTest::newRow("M16") << static_cast<int>(Encoding::M16) << 0.06;
    QTest::newRow("M16F") << static_cast<int>(Encoding::M16F) << 1.5;
  }
  void matricesKeepShear() {
    QFETCH(int, encoding);
    QFETCH(double, mostMm);
    const ck::Character bar = shearedBar();
    BakeSettings settings;
    settings.encoding = static_cast<Encoding>(encoding);
    const auto result = ck::bake(bar, settings);
    QVERIFY(result);
    QVERIFY(!hasNote(result->notes, "ScaleDropped"));
    for (const Reading reading : {Reading::Palette, Reading::Direct}) {
      const double mm = furthestMm(bar, result->atlas, reading);
      QVERIFY2(mm < mostMm, qPrintable(QString::number(mm)));
    }
    for (const Encoding other : {Encoding::P16, Encoding::T32}) {
      settings.encoding = other;
      const auto lossy = ck::bake(bar, settings);
      QVERIFY(lossy);
      QVERIFY(furthestMm(bar, lossy->atlas, Reading::Direct) > 1.0);
      QVERIFY(hasNote(lossy->notes, "ScaleDropped", "cannot hold; its vertices are up to"));
    }
  }

  // Between frames a mixture of matrices shrinks; relative to the parent nothing does.
  void matricesKeepTheirLengthsBetweenFrames_data() {
    QTest::addColumn<int>("encoding");
    QTest::newRow("M32") << static_cast<int>(Encoding::M32);
    QTest::newRow("M16") << static_cast<int>(Encoding::M16);
  }
  void matricesKeepTheirLengthsBetweenFrames() {
    QFETCH(int, encoding);
    const ck::Character limb = ck::test::swingingLimb();
    BakeSettings settings;
    settings.encoding = static_cast<Encoding>(encoding);
    const auto result = ck::bake(limb, settings);
    settings.encoding = Encoding::P16;
    const auto pivots = ck::bake(limb, settings);
    QVERIFY(result && pivots);
    const auto error = ck::measureBakeError(limb, result->atlas);
    const auto usual = ck::measureBakeError(limb, pivots->atlas);
    QVERIFY(error && usual);
    const QString figures = QString("%1 and %2, usual %3 and %4")
                                .arg(error->palette.shell.max)
                                .arg(error->direct.shell.max)
                                .arg(usual->palette.shell.max)
                                .arg(usual->direct.shell.max);
    QVERIFY2(error->palette.shell.max < usual->palette.shell.max + 0.1, qPrintable(figures));
    QVERIFY2(error->direct.shell.max > 2.0 * error->palette.shell.max, qPrintable(figures));
    for (const double unit : {0.0137, 0.31, 0.77}) {
      for (const glm::dmat4& m : ck::atlasSkinMatrices(result->atlas, 0, unit, Reading::Palette)) {
        QVERIFY(std::abs(std::cbrt(glm::determinant(m)) - 1.0) < 1e-3);
      }
    }
  }

  void mirroredJointsAreKept() {
    ck::Character bar = ck::test::barCharacter();
    bar.clips[0].jointTracks[0].scale.times = {0.0};
    bar.clips[0].jointTracks[0].scale.values = {glm::vec3(-1.0f, 1.0f, 1.0f)};
    BakeSettings settings;
    settings.encoding = Encoding::T32;
    const auto result = ck::bake(bar, settings);
    QVERIFY(result && result->atlas.recipe.components == Components::Trs);
    QVERIFY(furthestMm(bar, result->atlas, Reading::Palette) < 0.01);
  }

  void theFewestComponentsThatLoseNothingAreChosen() {
    BakeSettings settings;
    settings.encoding = Encoding::T16;
    // The bar's joints turn where they are; the limb's move; a stretched bar needs its scale.
    QCOMPARE(ck::bake(ck::test::barCharacter(), settings)->components.components, Components::R);
    QCOMPARE(ck::bake(ck::test::swingingLimb(), settings)->components.components, Components::Tr);
    QCOMPARE(ck::bake(stretchedBar(), settings)->components.components, Components::Trs);
    const auto cost = ck::bakeCost(ck::test::barCharacter(), settings);
    QCOMPARE(cost->fetchesInterpolated, 8);
    QCOMPARE(cost->components.components, Components::R);
  }

  void aScaleThatTheBindPoseHasNeedsNoTexel() {
    ck::Character bar = ck::test::barCharacter();
    bar.rig.joints[1].rest.scale = glm::dvec3(0.01);
    glm::dmat4 grow(100.0);
    grow[3][3] = 1.0;
    bar.rig.skinJoints[1].inverseBind = grow * bar.rig.skinJoints[1].inverseBind;
    BakeSettings settings;
    settings.encoding = Encoding::T32;
    const auto result = ck::bake(bar, settings);
    QVERIFY(result);
    QCOMPARE(*result->atlas.recipe.components, Components::R);
    QVERIFY(furthestMm(bar, result->atlas, Reading::Direct) < 0.01);
  }

  // Rotations alone leave joints where they were bound; of a rigid rig each is off by how far it
  // has moved, and a vertex by the weighted sum of that.
  void theLossOfPositionsIsHowFarJointsMove() {
    const ck::Character limb = ck::test::swingingLimb();
    BakeSettings settings;
    settings.encoding = Encoding::T32;
    settings.components = Components::R;
    const auto result = ck::bake(limb, settings);
    QVERIFY(result);
    double moved = 0.0;
    double vertexMm = 0.0;
    for (std::size_t c = 0; c < limb.clips.size(); ++c) {
      const ck::Clip& clip = limb.clips[c];
      for (int frame = 0; frame * (1.0 / 30.0) <= clip.durationSeconds + 1e-9; ++frame) {
        const auto skins =
            ck::skinMatricesAt(limb.rig, clip, clip.startSeconds + frame * (1.0 / 30.0));
        for (std::size_t j = 0; j < skins.size(); ++j) {
          const glm::dvec3 pivot = ck::pivotOf(limb.rig.skinJoints[j]);
          const glm::dvec3 now(skins[j] * glm::dvec4(pivot, 1.0));
          moved = std::max(moved, 1000.0 * glm::distance(pivot, now));
        }
        for (const ck::Mesh& mesh : limb.meshes) {
          for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            glm::dvec3 off(0.0);
            for (const ck::Influence& influence : ck::influencesOf(mesh, v)) {
              const auto j = static_cast<std::size_t>(influence.skinJoint);
              const glm::dvec3 pivot = ck::pivotOf(limb.rig.skinJoints[j]);
              off += static_cast<double>(influence.weight) *
                     (glm::dvec3(skins[j] * glm::dvec4(pivot, 1.0)) - pivot);
            }
            vertexMm = std::max(vertexMm, 1000.0 * glm::length(off));
          }
        }
      }
    }
    QVERIFY(moved > 100.0);
    const ck::ComponentsLoss& loss = *result->components.loss;
    QVERIFY2(std::abs(loss.r.mm - vertexMm) < 0.01,
             qPrintable(QString("%1 and %2").arg(loss.r.mm).arg(vertexMm)));
    QVERIFY(loss.tr.mm < 0.01);
    const QString figure = QString("up to %1 mm off").arg(vertexMm, 0, 'f', 1);
    QVERIFY(hasNote(result->notes, "ComponentsDropped", figure.toStdString()));
    QVERIFY(std::abs(furthestMm(limb, result->atlas, Reading::Direct) - moved) < 0.1);
  }

  // A scale of 1.0012 is 0.036 mm at 3 cm from its joint, and 1.2 mm at a vertex a metre away.
  void aScaleThatOnlyFarVerticesShowIsKept() {
    BakeSettings settings;
    settings.encoding = Encoding::T32;
    const auto bakeWith = [&settings](float scale) {
      ck::Character bar = ck::test::barCharacter();
      for (ck::JointTracks& tracks : bar.clips[0].jointTracks) {
        if (tracks.joint != 1) continue;
        tracks.scale = {ck::Interpolation::Linear, {0.0, 1.0}, {glm::vec3(1.0f), glm::vec3(scale)}};
      }
      return ck::bake(bar, settings);
    };
    const auto kept = bakeWith(1.0012f);
    QVERIFY(kept);
    QCOMPARE(*kept->atlas.recipe.components, Components::Trs);
    QVERIFY(kept->components.loss->tr.mm > 0.5);
    // An invisible loss is still stated, with its joint and clip.
    const auto lossy = bakeWith(1.00005f);
    QVERIFY(lossy);
    QVERIFY(lossy->atlas.recipe.components != Components::Trs);
    const double mm = lossy->components.loss->r.mm;
    QVERIFY2(mm > ck::kNotedLossMm && mm < ck::kAutoLossMm, qPrintable(QString::number(mm)));
    QVERIFY(
        hasNote(lossy->notes, "ComponentsLossy",
                QString("are up to %1 mm off in clip 'Bend'").arg(mm, 0, 'f', 2).toStdString()));
    QVERIFY(!hasNote(bakeWith(1.0f)->notes, "ComponentsLossy"));
  }

  void clipsLongerThanATileAreResampledAndSaid() {
    BakeSettings settings;
    settings.layout = LayoutKind::Tiles;
    settings.tile = 16;
    const auto result = ck::bake(ck::test::barCharacter(), settings);
    QVERIFY(result);
    QCOMPARE(result->atlas.clips[0].frameCount, 16);
    QCOMPARE(result->atlas.clips[1].firstFrame, 16);
    QCOMPARE(ck::atlasWidth(result->atlas), 32);
    QVERIFY(hasNote(result->notes, "ResampledToTile", "'Bend' (31 frames before, 16 now)"));
    QCOMPARE(ck::bakeCost(ck::test::barCharacter(), settings)->clips[0].frames, 16);
    settings.tile = 32;
    QVERIFY(!hasNote(ck::bake(ck::test::barCharacter(), settings)->notes, "ResampledToTile"));
  }

  void rangesAreThoseOfTheEncoding() {
    const ck::Character limb = ck::test::swingingLimb();
    BakeSettings settings;
    settings.components = Components::Trs;
    settings.encoding = Encoding::T8;
    const auto tight = ck::bake(limb, settings);
    QCOMPARE(*tight->atlas.recipe.rangeMode, ck::RangeMode::JointClip);
    QCOMPARE(tight->atlas.ranges.size(), std::size_t(3 * 7 * 3));
    settings.rangeMode = ck::RangeMode::Atlas;
    const auto wide = ck::bake(limb, settings);
    QCOMPARE(wide->atlas.ranges.size(), std::size_t(3));
    QVERIFY(furthestMm(limb, wide->atlas, Reading::Direct) >
            furthestMm(limb, tight->atlas, Reading::Direct));
    settings.encoding = Encoding::T32;
    QVERIFY(ck::bake(limb, settings)->atlas.ranges.empty());
  }

  void costSaysWhatIsUnusedAndWhatWouldFit() {
    BakeSettings settings;
    settings.encoding = Encoding::T8;
    settings.components = Components::Trs;
    settings.layout = LayoutKind::Tiles;
    settings.tile = 64;
    const auto cost = ck::bakeCost(ck::test::swingingLimb(), settings);
    QVERIFY(cost);
    QCOMPARE(cost->width, 128);
    QCOMPARE(cost->height, 128);
    QCOMPARE(cost->bytes, std::size_t(128 * 128 * 4));
    QCOMPARE(cost->texels, std::size_t(128 * 128));
    int frames = 0;
    for (const auto& clip : cost->clips) frames += clip.frames;
    QVERIFY(std::abs(cost->unusedShare - (1.0 - frames * 21 / (128.0 * 128.0))) < 1e-12);
    QCOMPARE(cost->jointsThatFit, 21);
    QCOMPARE(cost->joints, 7);
    QCOMPARE(cost->fetchesNearest, 12);
  }

  void damagedFormsAreRefused_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::newRow("components of a pivot form") << 0 << "components 'tr'";
    QTest::newRow("an inverse bind matrix that is no matrix") << 1 << "inverse bind";
    QTest::newRow("a clip across two tiles") << 2 << "a tile of its own";
    QTest::newRow("a float that is no number") << 3 << "not a finite number";
    QTest::newRow("ranges where there are none") << 4 << "has none";
    QTest::newRow("another layout's name") << 5 << "makes no sense";
    QTest::newRow("a line of more frames than fit") << 6 << "makes no sense";
    QTest::newRow("a range too few") << 7 << "needs 42 ranges";
  }
  void damagedFormsAreRefused() {
    QFETCH(int, which);
    QFETCH(QString, says);
    BakeSettings settings;
    settings.encoding = which == 0 ? Encoding::P16 : which == 7 ? Encoding::T8 : Encoding::T32;
    settings.layout = which == 2 || which == 5 ? LayoutKind::Tiles
                      : which == 6             ? LayoutKind::Linear
                                               : LayoutKind::Rows;
    settings.tile = 64;
    ck::Atlas atlas = ck::bake(ck::test::swingingLimb(), settings)->atlas;
    QVERIFY(ck::checkAtlas(atlas));
    if (which == 0) atlas.recipe.components = Components::Tr;
    if (which == 1) atlas.joints[2].inverseBind[1].y = std::nanf("");
    if (which == 2) atlas.clips[1].firstFrame += 1;
    if (which == 3) atlas.texels[3] = atlas.texels[2] = std::byte{0xff};
    if (which == 4) atlas.recipe.rangeMode = ck::RangeMode::Atlas;
    if (which == 5) atlas.recipe.layout = LayoutKind::Rows;
    if (which == 6) atlas.shape.block.z += 1;
    if (which == 7) atlas.ranges.pop_back();
    const auto ok = ck::checkAtlas(atlas);
    QVERIFY(!ok);
    QCOMPARE(ok.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(::says(ok.error(), says.toStdString()), ok.error().message.c_str());
    // And as bytes, sealed with a right checksum.
    QVERIFY(!ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas)));
  }

  void sameBytesOnAnyNumberOfThreads() {
    BakeSettings settings;
    settings.encoding = Encoding::T8;
    settings.layout = LayoutKind::Linear;
    ck::JobContext one;
    one.threadCount = 1;
    ck::JobContext five;
    five.threadCount = 5;
    const ck::Character limb = ck::test::swingingLimb();
    QVERIFY(ck::bake(limb, settings, one)->atlas == ck::bake(limb, settings, five)->atlas);
  }
};

CK_TEST(tst_baked_forms)
#include "tst_baked_forms.moc"
