#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/edited_clip.h"
#include "core/anim/pose.h"
#include "core/atlas/pose_reading.h"
#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/crowd/crowd.h"
#include "core/crowd/morph_rows.h"
#include "core/crowd/source_clips.h"
#include "core/error/bake_error.h"
#include "core/export/set/atlas_export.h"
#include "core/export/sidecar_json.h"
#include "core/system/files.h"
#include "tests/support/atlas_decoder.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/made_clips.h"
#include "tests/support/notes.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

using ck::test::kPropJoint;
using ck::test::steppingLimb;
using ck::test::steppingSettings;

namespace {

ck::Atlas bakedOf(const ck::Character& character, const ck::BakeSettings& settings) {
  auto result = ck::bake(character, settings);
  return result ? std::move(result->atlas) : ck::Atlas{};
}

const ck::Clip& sourceOf(const ck::Character& character, const ck::AtlasClip& clip) {
  return *std::find_if(character.clips.begin(), character.clips.end(),
                       [&](const ck::Clip& c) { return c.name == ck::sourceNameOf(clip); });
}

// Random units of a clip that are not within 0.1 ms of a key.
std::vector<double> unitsOf(const ck::Character& character, const ck::AtlasClip& baked,
                            std::size_t count, std::uint32_t seed) {
  const ck::Clip edited = *ck::editedClip(character, sourceOf(character, baked), baked.edit);
  std::vector<double> units = ck::test::randomUnits(count, seed);
  std::erase_if(units, [&](double unit) {
    return ck::test::isNearKey(edited, baked.startSeconds + unit * baked.durationSeconds);
  });
  return units;
}

// The size of a joint: the cube root of its skin matrix's determinant.
double sizeOf(const std::vector<glm::dmat4>& skins, int joint) {
  return std::cbrt(glm::determinant(glm::dmat3(skins[static_cast<std::size_t>(joint)])));
}

// How far a size is from those that the prop has in steppingLimb().
double offSize(double size) {
  return std::min({std::abs(size), std::abs(size - 0.5), std::abs(size - 1.0)});
}

ck::Character withoutScales(ck::Character character) {
  for (ck::Clip& clip : character.clips) {
    for (auto& tracks : clip.jointTracks) tracks.scale = {};
  }
  return character;
}

std::string textOf(const ck::Atlas& atlas) {
  ck::Sidecar sidecar;
  sidecar.atlas = atlas;
  sidecar.name = "stepping";
  return ck::sidecarText(sidecar, nullptr);
}

}  // namespace

class tst_step_frames : public QObject {
  Q_OBJECT

 private slots:
  void momentsAndFramesAgree() {
    const std::vector<int> steps = {1, 4, 5, 9};
    constexpr int kFrames = 14;
    const ck::FrameGrid grid{kFrames, steps};
    QCOMPARE(ck::momentCount(grid), 10);
    const int moments[kFrames] = {0, 1, 1, 2, 3, 4, 4, 5, 5, 6, 7, 8, 9, 9};
    for (int frame = 0; frame < kFrames; ++frame) {
      QCOMPARE(ck::momentOfFrame(frame, grid), moments[frame]);
    }
    for (int moment = 0; moment < 10; ++moment) {
      const int frame = ck::frameOfMoment(moment, grid);
      QCOMPARE(moments[frame], moment);
      QVERIFY(frame + 1 == kFrames || moments[frame + 1] == moment + 1);
    }
    // Both frames of an interval belong to its two ends, whatever the time.
    for (int i = 0; i < 9000; ++i) {
      const double unit = i / 9000.0;
      const ck::FramePair pair = ck::framesAt(unit, grid);
      const int moment = static_cast<int>(unit * 9);
      QCOMPARE(pair.frame1, pair.frame0 + 1);
      QCOMPARE(moments[pair.frame0], moment);
      QCOMPARE(moments[pair.frame1], moment + 1);
      QVERIFY(std::abs(unit * 9 - moment - pair.alpha) < 1e-12);
      const int nearest = ck::nearestFrame(unit, grid);
      QCOMPARE(nearest, pair.alpha < 0.5 ? pair.frame0 : pair.frame1);
    }
    const ck::FramePair end = ck::framesAt(1.0, grid);
    QCOMPARE(end.frame1, kFrames - 1);
    QCOMPARE(end.alpha, 1.0);
    QCOMPARE(ck::nearestFrame(1.0, grid), kFrames - 1);
  }

  void framesAreDoubledWhereSomethingJumps() {
    const ck::Atlas atlas = bakedOf(steppingLimb(), steppingSettings());
    QCOMPARE(atlas.clips.size(), std::size_t{4});
    QCOMPARE(atlas.clips[0].stepFrames, (std::vector<int>{10, 20, 30}));
    QCOMPARE(atlas.clips[0].frameCount, 34);
    QCOMPARE(atlas.clips[1].stepFrames, (std::vector<int>{12, 30}));  // shown again as it closes
    QCOMPARE(atlas.clips[2].stepFrames, (std::vector<int>{5, 6, 19}));
    QCOMPARE(atlas.clips[3].stepFrames.size(), std::size_t{11});
    QCOMPARE(atlas.clips[3].frameCount, 23);
    // Steps between equal values are none, whatever the sign of a rotation.
    ck::Character limb = ck::test::limbWithoutSteps();
    for (std::size_t key = 1; key < 12; key += 2) {
      glm::quat& turn = limb.clips[3].jointTracks[1].rotation.values[key];
      turn = -turn;
    }
    for (const ck::AtlasClip& clip : bakedOf(limb, steppingSettings()).clips) {
      QVERIFY(clip.stepFrames.empty());
    }
  }

  void stepsAskForNoFinerFrames() {
    // Every key step turns so far that it gets several frames; a jump in it asks for no more.
    ck::Character limb = ck::test::limbCharacter();
    limb.clips.push_back(ck::test::swingClip(limb, {.name = "Fast",
                                                    .keyCount = 9,
                                                    .hz = 4.0,
                                                    .cyclesPerStep = 0.25,
                                                    .amplitudeRadians = 1.2}));
    const auto momentsOf = [&] {
      return ck::frameCountFor(limb.rig, limb.clips[0], ck::Seam::None, {});
    };
    const int without = momentsOf();
    QVERIFY(without > 9);
    auto& track = limb.clips[0].jointTracks[3].translation;
    track.interpolation = ck::Interpolation::Step;
    for (int key = 0; key < 9; ++key) {
      track.times.push_back(0.25 * key);
      track.values.emplace_back(key % 2 == 0 ? 0.0f : 0.5f, 0.3f, 0.0f);
    }
    QCOMPARE(momentsOf(), without);
  }

  void aStepStaysAStep_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("layout");
    QTest::addColumn<int>("reading");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      for (const auto layout : {ck::LayoutKind::Rows, ck::LayoutKind::Tiles}) {
        for (const auto reading : {ck::Reading::Palette, ck::Reading::Direct}) {
          QTest::addRow("%s in %s, %s", std::string(info.name).c_str(),
                        std::string(ck::layoutKindName(layout)).c_str(),
                        reading == ck::Reading::Palette ? "palette" : "direct")
              << static_cast<int>(info.encoding) << static_cast<int>(layout)
              << static_cast<int>(reading);
        }
      }
    }
  }
  void aStepStaysAStep() {
    QFETCH(int, encoding);
    QFETCH(int, layout);
    QFETCH(int, reading);
    ck::BakeSettings settings = steppingSettings();
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.layout = static_cast<ck::LayoutKind>(layout);
    settings.components = ck::Components::Trs;
    // Where scales that change have no place, the error of leaving them out is none of steps.
    const ck::EncodingInfo& info = ck::encodingInfo(settings);
    const bool scales = !info.dual && !info.scaleInRange;
    const ck::Character limb = scales ? steppingLimb() : withoutScales(steppingLimb());
    const ck::Atlas atlas = bakedOf(limb, settings);
    const ck::Character smooth =
        scales ? ck::test::limbWithoutSteps() : withoutScales(ck::test::limbWithoutSteps());
    const ck::Atlas smoothAtlas = bakedOf(smooth, settings);
    const auto read = static_cast<ck::Reading>(reading);
    for (int clip = 0; clip < 4; ++clip) {
      const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
      const std::vector<double> units = unitsOf(limb, baked, 500, 7);
      const auto with = ck::test::sampledError(limb, atlas, clip, read, units);
      const auto without = ck::test::sampledError(smooth, smoothAtlas, clip, read, units);
      // Encodings with ranges are as fine as the ranges are small.
      const bool coarse = ck::encodingInfo(settings).format == ck::TexelFormat::Rgba8;
      const double most = (coarse ? 8.0 : 1.0) + 2.0 * without.shellMm;
      QVERIFY2(with.shellMm < most, qPrintable(QString("%1 at %2 of clip %3, without steps %4")
                                                   .arg(with.shellMm)
                                                   .arg(with.shellUnit)
                                                   .arg(clip)
                                                   .arg(without.shellMm)));
    }
  }

  // The prop is never between two sizes, wherever the frames lie.
  void aPropIsShownOrHidden_data() {
    QTest::addColumn<double>("hz");
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("tile");
    QTest::addColumn<bool>("interpolate");
    QTest::newRow("key grid") << 0.0 << 0 << 0 << true;
    QTest::newRow("15 Hz") << 15.0 << 0 << 0 << true;
    QTest::newRow("24 Hz") << 24.0 << 0 << 0 << true;
    QTest::newRow("60 Hz") << 60.0 << 0 << 0 << true;
    QTest::newRow("17 frames") << 0.0 << 17 << 0 << true;
    QTest::newRow("2 frames") << 0.0 << 2 << 0 << true;
    QTest::newRow("tiles of 32") << 0.0 << 0 << 32 << true;
    QTest::newRow("tiles of 16") << 0.0 << 0 << 16 << true;
    QTest::newRow("nearest") << 0.0 << 0 << 0 << false;
    QTest::newRow("nearest, 24 Hz") << 24.0 << 0 << 0 << false;
  }
  void aPropIsShownOrHidden() {
    QFETCH(double, hz);
    QFETCH(int, frames);
    QFETCH(int, tile);
    QFETCH(bool, interpolate);
    ck::BakeSettings settings = steppingSettings();
    settings.rateHz = hz;
    settings.frames = frames;
    if (tile > 0) settings.layout = ck::LayoutKind::Tiles;
    if (tile > 0) settings.tile = tile;
    settings.interpolate = interpolate;
    const ck::Character limb = steppingLimb();
    const ck::Atlas atlas = bakedOf(limb, settings);
    for (int clip = 0; clip < 3; ++clip) {
      const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
      if (tile > 0) QVERIFY(baked.frameCount <= tile);
      const ck::Clip& source = sourceOf(limb, baked);
      const double step = baked.durationSeconds / (ck::momentCount(baked) - 1);
      for (const double unit : unitsOf(limb, baked, 700, 3)) {
        const auto skins =
            ck::atlasSkinMatrices(atlas, clip, unit, ck::Reading::Palette, interpolate);
        const double size = sizeOf(skins, kPropJoint);
        QVERIFY2(offSize(size) < 2e-4, qPrintable(QString("%1 at %2").arg(size).arg(unit)));
        // It is what the source shows now, or showed at most an interval ago.
        const double now = baked.startSeconds + unit * baked.durationSeconds;
        bool known = false;
        for (int part = 0; part <= 64 && !known; ++part) {
          const double then = std::max(now - step * part / 64.0, baked.startSeconds);
          const auto locals = ck::sampleClip(limb.rig, source, then);
          known = std::abs(locals[kPropJoint].scale.x - size) < 2e-4;
        }
        // With two moments a closing clip ends in its first pose.
        QVERIFY2(known, qPrintable(QString("%1 at %2 of clip %3").arg(size).arg(unit).arg(clip)));
      }
    }
  }

  void otherJointsMoveOnThroughTheInterval() {
    // Between frames that miss the keys, what does not step is as good as without steps.
    ck::BakeSettings settings = steppingSettings();
    settings.rateHz = 24.0;
    ck::Character limb = steppingLimb();
    ck::Character smooth = ck::test::limbWithoutSteps();
    const ck::Atlas atlas = bakedOf(limb, settings);
    const ck::Atlas without = bakedOf(smooth, settings);
    for (int clip = 0; clip < 3; ++clip) {
      for (const double unit : ck::test::randomUnits(300, 5)) {
        const auto a = ck::atlasSkinMatrices(atlas, clip, unit, ck::Reading::Palette);
        const auto b = ck::atlasSkinMatrices(without, clip, unit, ck::Reading::Palette);
        for (const std::size_t joint : {std::size_t{0}, std::size_t{1}}) {
          for (int column = 0; column < 4; ++column) {
            QVERIFY(glm::distance(a[joint][column], b[joint][column]) < 1e-3);
          }
        }
      }
    }
  }

  void theEndIsTheLastValue() {
    const ck::Character limb = steppingLimb();
    const ck::Atlas atlas = bakedOf(limb, steppingSettings());
    const auto sizeAt = [&](int clip, double unit) {
      return sizeOf(ck::atlasSkinMatrices(atlas, clip, unit, ck::Reading::Palette), kPropJoint);
    };
    QVERIFY(std::abs(sizeAt(2, 1.0) - 1.0) < 1e-4);  // "Once" shows its prop as it ends
    QVERIFY(std::abs(sizeAt(2, 1.0 - 1e-9)) < 1e-4);
    QVERIFY(std::abs(sizeAt(0, 1.0) - 1.0) < 1e-4);
    QVERIFY(std::abs(sizeAt(0, 1.0 - 1e-9) - 0.5) < 1e-4);
    QVERIFY(std::abs(sizeAt(1, 1.0) - 1.0) < 1e-4);  // closed
    QVERIFY(std::abs(sizeAt(1, 1.0 - 1e-9)) < 1e-4);
    // The last frame of a loop is its first, also where it is one of two.
    const auto first = ck::storedFrame(atlas, 0, 0);
    const auto last = ck::storedFrame(atlas, 0, atlas.clips[0].frameCount - 1);
    for (std::size_t j = 0; j < first.size(); ++j) {
      QCOMPARE(first[j].position, last[j].position);
      QCOMPARE(first[j].scale, last[j].scale);
    }
  }

  void editsKeepSteps() {
    const ck::Character limb = steppingLimb();
    ck::BakeSettings settings = steppingSettings();
    settings.clips = {{.name = "Loop", .edit = {.trim = ck::Trim{0.2, 0.9}, .rate = 1.7}},
                      {.name = "Once", .edit = {.trim = {}, .rate = 0.6}}};
    const ck::Atlas atlas = bakedOf(limb, settings);
    for (int clip = 0; clip < 2; ++clip) {
      const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
      QVERIFY(!baked.stepFrames.empty());
      for (const double unit : unitsOf(limb, baked, 500, 11)) {
        const auto skins = ck::atlasSkinMatrices(atlas, clip, unit, ck::Reading::Palette);
        QVERIFY(offSize(sizeOf(skins, kPropJoint)) < 2e-4);
      }
    }
  }

  void statedErrorsHaveNoSlide() {
    const ck::Character limb = steppingLimb();
    ck::BakeSettings settings = steppingSettings();
    const auto with = ck::measureBakeError(limb, bakedOf(limb, settings));
    QVERIFY(with);
    // Steps here are 45 mm and more.
    QVERIFY2(with->palette.shell.max < 1.0, qPrintable(QString::number(with->palette.shell.max)));
    QVERIFY2(with->palette.vertices.max < 2.0,
             qPrintable(QString::number(with->palette.vertices.max)));
    QVERIFY2(with->direct.shell.max < 6.0, qPrintable(QString::number(with->direct.shell.max)));
  }

  void stateWhatIsThereOffTheGrid() {
    for (const double hz : {15.0, 24.0}) {
      ck::BakeSettings settings = steppingSettings();
      settings.rateHz = hz;
      settings.clips = {settings.clips[0]};
      const ck::Character limb = steppingLimb();
      const ck::Atlas atlas = bakedOf(limb, settings);
      const auto stated = ck::measureBakeError(limb, atlas);
      QVERIFY(stated);
      const QString wrong = ck::test::falseFigure(limb, atlas, *stated, 17);
      QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }
  }

  void decoderInPythonAgrees_data() {
    QTest::addColumn<int>("encoding");
    for (const auto encoding : {ck::Encoding::P16, ck::Encoding::T16, ck::Encoding::M16}) {
      QTest::newRow(std::string(ck::encodingInfo(encoding).name).c_str())
          << static_cast<int>(encoding);
    }
  }
  void decoderInPythonAgrees() {
    QFETCH(int, encoding);
    const ck::Character limb = steppingLimb();
    ck::BakeSettings settings = steppingSettings();
    settings.encoding = static_cast<ck::Encoding>(encoding);
    const ck::Atlas atlas = bakedOf(limb, settings);
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(atlas, "limb", ck::pathFromText(folder.path().toStdString()),
                            {.kinds = ck::test::everyKind(ck::texelFormatOf(atlas))}));
    ck::test::AtlasDecoder decoder;
    const auto run = [&](const QStringList& arguments) {
      return decoder.document(QStringList{folder.filePath("limb.atlas.json")} + arguments);
    };
    QVERIFY(!run({"--check", QStringLiteral(CK_SOURCE_DIR "/docs/atlas.schema.json")}).is_null());
    for (int clip = 0; clip < 4; ++clip) {
      const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
      std::vector<double> units = unitsOf(limb, baked, 40, 23);
      units.insert(units.end(), {0.0, 1.0});
      for (const QString reading : {"relative", "direct", "nearest"}) {
        QStringList arguments{"--clip", QString::fromStdString(baked.name), "--reading", reading};
        for (const double unit : units) arguments << "--unit" << QString::number(unit, 'g', 17);
        const nlohmann::json json = run(arguments);
        QVERIFY(!json.is_null());
        for (const auto& pose : json["poses"]) {
          const auto ours = ck::atlasSkinMatrices(
              atlas, clip, pose["unit"].get<double>(),
              reading == "direct" ? ck::Reading::Direct : ck::Reading::Palette,
              reading != "nearest");
          for (std::size_t joint = 0; joint < ours.size(); ++joint) {
            for (int i = 0; i < 16; ++i) {
              const double value =
                  pose["joints"][joint]["matrix"][static_cast<std::size_t>(i)].get<double>();
              QVERIFY(std::abs(value - ours[joint][i / 4][i % 4]) < 5e-5);
            }
          }
        }
      }
    }
  }

  void crowdsReadStoredFrames() {
    const ck::Character limb = steppingLimb();
    const ck::Atlas atlas = bakedOf(limb, steppingSettings());
    const std::vector<std::string> names = {"Loop", "Away", "Once", "Stepped"};
    const std::vector<ck::CrowdClip> clips = ck::crowdClips(atlas, names);
    std::vector<ck::Actor> actors(96);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      ck::Actor& actor = actors[i];
      actor.clip = static_cast<int>(i % 4);
      actor.loop = static_cast<ck::LoopMode>(i / 4 % 3);
      actor.rate = (i % 5 == 0 ? -1.0f : 1.0f) * (0.5f + 0.1f * static_cast<float>(i % 7));
      actor.offset = 0.13f * static_cast<float>(i % 11);
      if (i % 3 == 0) continue;
      actor.fadeClip = static_cast<int>((i + 1) % 4);
      actor.fade = 0.4f;
      if (i % 3 == 1) continue;
      actor.fadeSeconds = 1.5f;
      actor.fadeAtSeconds = 0.7f;
    }
    ck::Crowd crowd(actors, clips);
    for (const double seconds : {0.0, 0.333, 0.9, 1.0, 1.7, 11.0, -3.2}) {
      crowd.seek(seconds);
      const auto records = crowd.instances();
      for (std::size_t i = 0; i < crowd.size(); ++i) {
        const gpu_frames shown{records[i].frames.x, records[i].positionAlphaA.w};
        const auto fade = crowd.fadeOf(i);
        const bool timed = actors[i].fadeSeconds > 0.0f;
        if (!timed || !fade) checkShown(atlas, clips, crowd.clipOf(i), crowd.unitOf(i), shown);
        if (!fade) continue;
        checkShown(atlas, clips, fade->clip, fade->unit,
                   {records[i].frames.y, records[i].scaleAlphaB.w});
      }
    }
  }

  void sourceClipsHoldStepsAsTheyClose() {
    const ck::Character limb = steppingLimb();
    const ck::Atlas atlas = bakedOf(limb, steppingSettings());
    const std::vector<ck::CrowdClip> clips =
        ck::crowdClips(atlas, std::vector<std::string>{"Away"});
    const ck::Crowd crowd(std::vector<ck::Actor>(1), clips);
    const ck::render::SourceClips sources(limb, &atlas, crowd);
    for (const double unit : {0.97, 0.98, 0.99, 0.9999}) {
      const auto locals = ck::render::localsAt(limb.rig, sources.momentOf(0, unit));
      QCOMPARE(locals[kPropJoint].scale.x, 0.0);
      QCOMPARE(locals[2].translation.y, glm::dvec3(0.0, 0.3f, 0.0).y);
    }
  }

  void morphWeightsStep() {
    ck::Character limb = steppingLimb();
    ck::test::addStepMorphs(limb);
    for (const double hz : {0.0, 24.0}) {
      ck::BakeSettings settings = steppingSettings();
      settings.rateHz = hz;
      const ck::Atlas atlas = bakedOf(limb, settings);
      const ck::MorphSet set = ck::morphSetOf(limb);
      for (int clip = 0; clip < 4; ++clip) {
        const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
        const ck::Clip& source = sourceOf(limb, baked);
        for (const double unit : unitsOf(limb, baked, 400, 29)) {
          const auto weights =
              ck::bakedMorphWeights(atlas.morphs, clip, unit, ck::frameGridOf(baked));
          QVERIFY(weights[0] == 0.0f || weights[0] == 1.0f);
          const double seconds = baked.startSeconds + unit * baked.durationSeconds;
          // In the last interval of a loop the weight that rises falls back to its first value.
          const bool closes = clip < 2 && unit > 1.0 - 1.0 / (ck::momentCount(baked) - 1);
          if (closes) continue;
          const auto due = ck::sampleMorphs(set, source, seconds);
          QVERIFY(std::abs(weights[1] - due[1]) < 0.004f);
          if (hz == 0.0) QCOMPARE(weights[0], due[0]);
        }
      }
      // The rows that shaders read are the stored ones.
      std::vector<ck::Actor> actors(1);
      const ck::Crowd crowd(
          actors, ck::crowdClips(atlas, std::vector<std::string>{"Loop", "Away", "Once"}));
      const ck::MorphRows rows(set, &atlas, crowd);
      for (int frame = 0; frame < atlas.clips[0].frameCount; ++frame) {
        const auto stored = ck::storedMorphWeights(atlas.morphs, 0, frame);
        const glm::vec4 row = rows.frames()[static_cast<std::size_t>(frame)];
        QCOMPARE(row.x, stored[static_cast<std::size_t>(rows.morphs()[0])]);
      }
    }
  }

  void costsCountDoubledFrames() {
    const ck::Character limb = steppingLimb();
    for (const bool tiles : {false, true}) {
      ck::BakeSettings settings = steppingSettings();
      if (tiles) settings.layout = ck::LayoutKind::Tiles;
      const auto cost = ck::bakeCost(limb, settings);
      QVERIFY(cost);
      const ck::Atlas atlas = bakedOf(limb, settings);
      QCOMPARE(cost->bytes, atlas.texels.size());
      for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
        QCOMPARE(cost->clips[clip].frames, atlas.clips[clip].frameCount);
        QCOMPARE(cost->clips[clip].stepFrames,
                 static_cast<int>(atlas.clips[clip].stepFrames.size()));
        QCOMPARE(cost->clips[clip].bytes,
                 static_cast<std::size_t>(atlas.clips[clip].frameCount) * 7 * 16);
      }
    }
  }

  void notesSayWhatStepsCost() {
    const auto result = ck::bake(steppingLimb(), steppingSettings());
    QVERIFY(result);
    const auto note = std::find_if(result->notes.begin(), result->notes.end(),
                                   [](const ck::Note& n) { return n.code == "StepFrames"; });
    QVERIFY(note != result->notes.end());
    const QString text = QString::fromStdString(note->message);
    QVERIFY2(text.contains("'Loop' (3 more frames)"), qPrintable(text));
    QVERIFY2(text.contains("'Stepped' (11 more frames, one for every frame)"), qPrintable(text));
    // 19 frames of 7 joints of 16 bytes.
    QVERIFY2(text.contains("2.1 kB"), qPrintable(text));
    const auto none = ck::bake(ck::test::limbWithoutSteps(), steppingSettings());
    QVERIFY(none);
    for (const ck::Note& n : none->notes) QVERIFY(n.code != "StepFrames");
  }

  void filesKeepStepFrames() {
    const ck::Atlas atlas = bakedOf(steppingLimb(), steppingSettings());
    const auto read = ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(*read == atlas);
    for (const std::vector<int>& wrong :
         {std::vector<int>{0}, {3, 3}, {5, 4}, {33}, std::vector<int>(40, 1)}) {
      ck::Atlas damaged = atlas;
      damaged.clips[0].stepFrames = wrong;
      QVERIFY(!ck::atlasFromBytes(ck::unpackedAtlasToBytes(damaged)));
    }
  }

  void sidecarsKeepStepFrames() {
    const ck::Atlas atlas = bakedOf(steppingLimb(), steppingSettings());
    const std::string text = textOf(atlas);
    const auto json = nlohmann::json::parse(text);
    QCOMPARE(json["clips"][0]["stepFrames"].get<std::vector<int>>(),
             (std::vector<int>{10, 20, 30}));
    const auto read = ck::sidecarFromText(text);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->atlas.clips[0].stepFrames, atlas.clips[0].stepFrames);
    QVERIFY(ck::checkRestated(text, *read));
    const auto plain =
        nlohmann::json::parse(textOf(bakedOf(ck::test::limbWithoutSteps(), steppingSettings())));
    QVERIFY(!plain["clips"][0].contains("stepFrames"));
  }

 private:
  struct gpu_frames {
    int frame = 0;
    float alpha = 0.0f;
  };

  static void checkShown(const ck::Atlas& atlas, const std::vector<ck::CrowdClip>& clips, int clip,
                         double unit, const gpu_frames& shown) {
    const ck::CrowdClip& of = clips[static_cast<std::size_t>(clip)];
    const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(of.atlasClip)];
    const ck::FramePair pair = ck::framesAt(baked, unit);
    QCOMPARE(shown.frame, baked.firstFrame + pair.frame0);
    QVERIFY(std::abs(static_cast<double>(shown.alpha) - pair.alpha) < 1e-6);
  }
};

CK_TEST(tst_step_frames, QCoreApplication)
#include "tst_step_frames.moc"
