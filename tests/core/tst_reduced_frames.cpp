#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/atlas/pose_reading.h"
#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/crowd/crowd.h"
#include "core/error/bake_error.h"
#include "core/export/exported_rig.h"
#include "core/export/set/atlas_export.h"
#include "core/export/sidecar_json.h"
#include "core/morph/morph_set.h"
#include "core/system/files.h"
#include "tests/support/atlas_decoder.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/made_clips.h"
#include "tests/support/notes.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

using ck::Reading;

namespace {

constexpr double kSlowly = 0.06;      // radians
constexpr double kRoundingMm = 0.02;  // of poses in float and of stored numbers with 16 bits

ck::Atlas bakedOf(const ck::Character& character, const ck::BakeSettings& settings) {
  auto result = ck::bake(character, settings);
  if (!result) qWarning("%s", result.error().message.c_str());
  return result ? std::move(result->atlas) : ck::Atlas{};
}

ck::BakeSettings reducedBy(double mm, ck::BakeSettings settings = {}) {
  settings.reduceMm = mm;
  return settings;
}

glm::dvec3 skinned(const ck::Mesh& mesh, std::size_t vertex, const glm::dvec3& at, int influences,
                   const std::vector<glm::dmat4>& skins) {
  const ck::LimitedInfluences kept =
      ck::limitInfluences(ck::influencesOf(mesh, vertex), influences);
  glm::dvec3 sum(0.0);
  for (std::size_t i = 0; i < kept.weights.size(); ++i) {
    const auto joint = static_cast<std::size_t>(kept.skinJoints[i]);
    sum += double(kept.weights[i]) * glm::dvec3(skins[joint] * glm::dvec4(at, 1.0));
  }
  return sum;
}

// How far vertices are between two atlases of a character at one moment of a clip, in millimetres.
double apartMm(const ck::Character& character, const ck::Atlas& a, const ck::Atlas& b, int clip,
               double unit, Reading reading) {
  const auto one = ck::atlasSkinMatrices(a, clip, unit, reading);
  const auto two = ck::atlasSkinMatrices(b, clip, unit, reading);
  const ck::MorphSet morphs = ck::morphSetOf(character);
  const auto weightsOf = [&](const ck::Atlas& atlas) {
    if (atlas.morphs.empty()) return std::vector<float>();
    return ck::bakedMorphWeights(atlas.morphs, clip, unit,
                                 ck::frameGridOf(atlas.clips[static_cast<std::size_t>(clip)]));
  };
  const std::vector<float> weightsA = weightsOf(a);
  const std::vector<float> weightsB = weightsOf(b);
  double most = 0.0;
  for (const ck::Mesh& mesh : character.meshes) {
    std::vector<glm::dvec3> atA(mesh.positions.begin(), mesh.positions.end());
    std::vector<glm::dvec3> atB = atA;
    for (std::size_t m = 0; m < weightsA.size(); ++m) {
      const ck::MorphTarget& target = mesh.morphTargets[m];
      for (std::size_t i = 0; i < target.vertices.size(); ++i) {
        const glm::dvec3 delta(target.positionDeltas[i]);
        atA[target.vertices[i]] += double(weightsA[m]) * delta;
        atB[target.vertices[i]] += double(weightsB[m]) * delta;
      }
    }
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      most = std::max(most, glm::distance(skinned(mesh, v, atA[v], a.recipe.influences, one),
                                          skinned(mesh, v, atB[v], b.recipe.influences, two)));
    }
  }
  return 1000.0 * most;
}

std::string textOf(const ck::Atlas& atlas) {
  ck::Sidecar sidecar;
  sidecar.atlas = atlas;
  sidecar.name = "slow";
  return ck::sidecarText(sidecar, nullptr);
}

// The moment of each stored frame, written out.
std::vector<int> momentsOf(const ck::AtlasClip& clip) {
  std::vector<int> moments;
  for (const int moment : clip.keptMoments) {
    if (std::ranges::count(clip.stepFrames, moment) > 0) moments.push_back(moment);
    moments.push_back(moment);
  }
  return moments;
}

}  // namespace

class tst_reduced_frames : public QObject {
  Q_OBJECT

 private slots:
  // The formulae against a list of the frames' moments.
  void momentsAndFramesAgree() {
    const std::vector<int> steps = {4, 9, 12};
    const std::vector<int> kept = {0, 1, 4, 9, 10, 12};
    const ck::FrameGrid grid{9, steps, kept};
    const int moments[] = {0, 1, 4, 4, 9, 9, 10, 12, 12};
    QCOMPARE(ck::momentCount(grid), 13);
    for (int frame = 0; frame < 9; ++frame)
      QCOMPARE(ck::momentOfFrame(frame, grid), moments[frame]);
    const std::vector<ck::IntervalFrames> intervals = ck::intervalFrames(grid);
    QCOMPARE(intervals.size(), std::size_t{13});
    for (int i = 0; i < 9000; ++i) {
      const double unit = i / 9000.0;
      const double x = unit * 12.0;
      int frame = 8;
      while (moments[frame] > x) --frame;
      const double due = (x - moments[frame]) / (moments[frame + 1] - moments[frame]);
      const ck::FramePair pair = ck::framesAt(unit, grid);
      QCOMPARE(pair.frame0, frame);
      QCOMPARE(pair.frame1, frame + 1);
      QVERIFY(std::abs(pair.alpha - due) < 1e-12);
      QCOMPARE(ck::nearestFrame(unit, grid), due < 0.5 ? frame : frame + 1);
      const ck::IntervalFrames& own = intervals[static_cast<std::size_t>(x)];
      QCOMPARE(own.frame, frame);
      const double alpha = (double(own.offset) + x - std::floor(x)) * double(own.share);
      QVERIFY(std::abs(alpha - due) < 1e-6);
      QCOMPARE(ck::frameOfMoment(static_cast<int>(x), grid), frame);
    }
    const ck::FramePair end = ck::framesAt(1.0, grid);
    QCOMPARE(end.frame1, 8);
    QCOMPARE(end.alpha, 1.0);
    QCOMPARE(intervals.back().frame, 7);
    QVERIFY(ck::intervalFrames({9}).empty());
  }

  void noVertexMovesByMore_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<double>("mm");
    QTest::addColumn<int>("influences");
    QTest::addColumn<int>("reading");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      for (const double mm : {0.2, 1.0, 10.0}) {
        for (const auto reading : {Reading::Palette, Reading::Direct}) {
          if (ck::isLocal(info) && reading == Reading::Direct) continue;
          const int influences = mm < 1.0 ? 1 : 4;
          QTest::addRow("%s within %g mm, %s", std::string(info.name).c_str(), mm,
                        reading == Reading::Direct ? "direct" : "relative")
              << static_cast<int>(info.encoding) << mm << influences << static_cast<int>(reading);
        }
      }
    }
  }
  void noVertexMovesByMore() {
    QFETCH(int, encoding);
    QFETCH(double, mm);
    QFETCH(int, influences);
    QFETCH(int, reading);
    ck::BakeSettings settings;
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.components = ck::Components::Trs;
    settings.influences = influences;
    const ck::Character limb = ck::test::slowLimb();
    settings.reading = static_cast<Reading>(reading);
    const ck::Atlas even = bakedOf(limb, settings);
    const ck::Atlas reduced = bakedOf(limb, reducedBy(mm, settings));
    QCOMPARE(reduced.recipe.reduceMm, mm);
    // The rounding of its numbers, in both atlases, comes on top.
    settings.encoding = ck::Encoding::M32;
    const ck::Atlas exact = bakedOf(limb, settings);
    for (int clip = 0; clip < 3; ++clip) {
      const ck::AtlasClip& baked = reduced.clips[static_cast<std::size_t>(clip)];
      const ck::AtlasClip& whole = even.clips[static_cast<std::size_t>(clip)];
      QCOMPARE(ck::momentCount(baked), whole.frameCount);
      if (mm >= 1.0 || clip == 2) {
        QVERIFY2(baked.frameCount < whole.frameCount, baked.name.c_str());
      }
      double rounding = kRoundingMm;
      for (int frame = 0; frame < whole.frameCount; ++frame) {
        const double unit = frame / (whole.frameCount - 1.0);
        rounding =
            std::max(rounding, 2.2 * apartMm(limb, even, exact, clip, unit, Reading::Palette));
      }
      double most = 0.0;
      for (const double unit : ck::test::randomUnits(120, 7)) {
        most = std::max(most, apartMm(limb, reduced, even, clip, unit, settings.reading));
      }
      // Between the moments that are judged it may be a little more.
      const double allowed = 1.1 * mm + rounding;
      QVERIFY2(most < allowed, qPrintable(QString("%1 mm of %2 in '%3'")
                                              .arg(most)
                                              .arg(allowed)
                                              .arg(QString::fromStdString(baked.name))));
    }
  }

  // Judged by the source, at moments that the bake did not choose.
  void theErrorGrowsByNoMore() {
    const ck::Character limb = ck::test::slowLimb();
    const ck::Atlas even = bakedOf(limb, {});
    for (const double mm : {0.1, 0.5, 2.0}) {
      for (const auto reading : {Reading::Palette, Reading::Direct}) {
        ck::BakeSettings settings = reducedBy(mm);
        settings.reading = reading;
        const ck::Atlas reduced = bakedOf(limb, settings);
        const auto stated = ck::measureBakeError(limb, reduced);
        QVERIFY(stated);
        for (int clip = 0; clip < 3; ++clip) {
          const std::vector<double> units = ck::test::randomUnits(600, 11);
          const auto before = ck::test::sampledError(limb, even, clip, reading, units);
          const auto now = ck::test::sampledError(limb, reduced, clip, reading, units);
          const double allowed = before.vertexMm + 1.1 * mm + kRoundingMm;
          QVERIFY2(now.vertexMm < allowed,
                   qPrintable(QString("%1 of %2 mm").arg(now.vertexMm).arg(allowed)));
          const auto& figures = reading == Reading::Palette ? stated->palette : stated->direct;
          QVERIFY(figures.vertices.max >= 0.97 * now.vertexMm);
        }
      }
    }
  }

  void statedErrorsAreThoseOfRandomMoments() {
    int reduced = 0;
    for (std::uint32_t seed = 0; seed < 24; ++seed) {
      ck::test::MadeClip made = ck::test::madeClip(seed);
      if (seed % 2 == 0) ck::test::addMorphs(made.character, seed);
      made.settings.interpolate = true;
      made.settings.reduceMm = 2.0 + 3.0 * (seed % 5);
      const auto baked = ck::bake(made.character, made.settings);
      QVERIFY2(baked, baked ? "" : baked.error().message.c_str());
      reduced += baked->atlas.clips.front().keptMoments.empty() ? 0 : 1;
      const auto stated = ck::measureBakeError(made.character, baked->atlas);
      QVERIFY2(stated, stated ? "" : stated.error().message.c_str());
      const QString wrong = ck::test::falseFigure(made.character, baked->atlas, *stated, seed + 1);
      QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(made.title) + ": " + wrong));
    }
    QVERIFY2(reduced > 8, qPrintable(QString::number(reduced)));
  }

  void endsAndStepsAreKept() {
    const ck::Character limb = ck::test::steppingLimb(kSlowly);
    const ck::BakeSettings settings = ck::test::steppingSettings();
    const ck::Atlas even = bakedOf(limb, settings);
    const ck::Atlas reduced = bakedOf(limb, reducedBy(5.0, settings));
    for (std::size_t clip = 0; clip < 3; ++clip) {
      const ck::AtlasClip& baked = reduced.clips[clip];
      QCOMPARE(baked.stepFrames, even.clips[clip].stepFrames);
      QVERIFY(baked.frameCount < even.clips[clip].frameCount);
      QCOMPARE(baked.keptMoments.front(), 0);
      QCOMPARE(baked.keptMoments.back(), ck::momentCount(even.clips[clip]) - 1);
      for (const int step : baked.stepFrames)
        QVERIFY(std::ranges::count(baked.keptMoments, step) == 1);
      const std::vector<int> moments = momentsOf(baked);
      QCOMPARE(moments.size(), static_cast<std::size_t>(baked.frameCount));
      // The prop is never between two sizes.
      for (const double unit : ck::test::randomUnits(500, 3)) {
        const double seconds = baked.startSeconds + unit * baked.durationSeconds;
        if (ck::test::isNearKey(limb.clips[clip], seconds)) continue;
        const auto skins =
            ck::atlasSkinMatrices(reduced, static_cast<int>(clip), unit, Reading::Palette);
        const double size =
            std::cbrt(glm::determinant(glm::dmat3(skins[std::size_t(ck::test::kPropJoint)])));
        QVERIFY(std::min({std::abs(size), std::abs(size - 0.5), std::abs(size - 1.0)}) < 2e-4);
      }
    }
    // Every key of "Stepped" is a step, so nothing can be left out.
    QVERIFY(reduced.clips[3].keptMoments.empty());
    QCOMPARE(reduced.clips[3].frameCount, even.clips[3].frameCount);
    const auto first = ck::storedFrame(reduced, 0, 0);
    const auto last = ck::storedFrame(reduced, 0, reduced.clips[0].frameCount - 1);
    for (std::size_t j = 0; j < first.size(); ++j) QCOMPARE(first[j].position, last[j].position);
  }

  void morphsCount() {
    ck::Character limb = ck::test::slowLimb();
    ck::test::addStepMorphs(limb);
    ck::BakeSettings settings;
    settings.morphs.bits = 16;
    const ck::Atlas even = bakedOf(limb, settings);
    const ck::Atlas reduced = bakedOf(limb, reducedBy(1.0, settings));
    for (int clip = 0; clip < 3; ++clip) {
      const ck::AtlasClip& baked = reduced.clips[static_cast<std::size_t>(clip)];
      QVERIFY(!baked.keptMoments.empty());
      for (const double unit : ck::test::randomUnits(200, 5)) {
        const double apart = apartMm(limb, reduced, even, clip, unit, Reading::Palette);
        QVERIFY2(apart < 1.1 + kRoundingMm, qPrintable(QString::number(apart)));
      }
    }
    const auto cost = ck::bakeCost(limb, reducedBy(1.0, settings));
    QVERIFY(cost);
    QCOMPARE(cost->bytes, reduced.texels.size());
  }

  void boxesHoldWhatIsBetween() {
    const ck::Character limb = ck::test::slowLimb();
    const ck::Atlas reduced = bakedOf(limb, reducedBy(10.0));
    const auto rig = ck::exportedRig(limb, reduced);
    for (int clip = 0; clip < 3; ++clip) {
      const ck::AtlasClip& baked = reduced.clips[static_cast<std::size_t>(clip)];
      const std::vector<int>& boxes = rig.frameBoundsMm[static_cast<std::size_t>(clip)];
      for (int moment = 0; moment < ck::momentCount(baked); ++moment) {
        const double unit = moment / (ck::momentCount(baked) - 1.0);
        const auto skins = ck::atlasSkinMatrices(reduced, clip, unit, Reading::Palette);
        const ck::FramePair pair = ck::framesAt(baked, unit);
        for (const ck::Mesh& mesh : limb.meshes) {
          for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const glm::dvec3 at = skinned(mesh, v, glm::dvec3(mesh.positions[v]), 4, skins);
            for (int axis = 0; axis < 3; ++axis) {
              QVERIFY(at[axis] >= baked.bounds.low[axis] - 1e-4);
              QVERIFY(at[axis] <= baked.bounds.high[axis] + 1e-4);
              const auto side = [&](int frame, int number) {
                return boxes[static_cast<std::size_t>(6 * frame + number)];
              };
              const int low = std::min(side(pair.frame0, axis), side(pair.frame1, axis));
              const int high = std::max(side(pair.frame0, 3 + axis), side(pair.frame1, 3 + axis));
              QVERIFY(1000.0 * at[axis] >= low - 0.1 && 1000.0 * at[axis] <= high + 0.1);
            }
          }
        }
      }
    }
  }

  void tilesHoldLongerClips() {
    const ck::Character limb = ck::test::slowLimb();
    ck::BakeSettings settings;
    settings.layout = ck::LayoutKind::Tiles;
    settings.tile = 32;
    const ck::Atlas resampled = bakedOf(limb, settings);
    const ck::Atlas reduced = bakedOf(limb, reducedBy(10.0, settings));
    QCOMPARE(ck::momentCount(resampled.clips[0]), 32);
    QCOMPARE(ck::momentCount(reduced.clips[0]), 61);
    QVERIFY(reduced.clips[0].frameCount <= 32);
  }

  void wayAndEventsStay() {
    ck::Character limb = ck::test::slowLimb();
    auto& root = limb.clips[2].jointTracks[0].translation;
    root.times = {limb.clips[2].startSeconds,
                  limb.clips[2].startSeconds + limb.clips[2].durationSeconds};
    root.values = {glm::vec3(0.0f), glm::vec3(0.0f, 0.0f, 2.0f)};
    ck::BakeSettings settings;
    settings.clips = {{.name = "Open"}};
    settings.clips[0].edit.root.motion = ck::RootMotion::Extract;
    const ck::Atlas even = bakedOf(limb, settings);
    const ck::Atlas reduced = bakedOf(limb, reducedBy(5.0, settings));
    QVERIFY(!reduced.clips[0].keptMoments.empty());
    QCOMPARE(reduced.clips[0].rootMotion.size(), std::size_t{47});
    QVERIFY(reduced.clips[0].rootMotion == even.clips[0].rootMotion);
    QCOMPARE(reduced.clips[0].durationSeconds, even.clips[0].durationSeconds);
  }

  void onlyWhereItIsInterpolated() {
    ck::BakeSettings settings = reducedBy(5.0);
    QCOMPARE(ck::reduceMmFor(settings), 5.0);
    settings.interpolate = false;
    QCOMPARE(ck::reduceMmFor(settings), 0.0);
    const ck::Atlas atlas = bakedOf(ck::test::slowLimb(), settings);
    QCOMPARE(atlas.recipe.reduceMm, 0.0);
    for (const ck::AtlasClip& clip : atlas.clips) QVERIFY(clip.keptMoments.empty());
  }

  void notesSayWhatIsStored() {
    const auto result = ck::bake(ck::test::slowLimb(), reducedBy(5.0));
    QVERIFY(result);
    std::size_t kept = 0;
    for (const ck::AtlasClip& clip : result->atlas.clips) kept += clip.keptMoments.size();
    const QString due =
        QString("within 5 mm are left out: %1 of 169 are stored in 3 clips").arg(kept);
    const auto note = std::ranges::find(result->notes, "FramesLeftOut", &ck::Note::code);
    QVERIFY(note != result->notes.end());
    QVERIFY2(QString::fromStdString(note->message).contains(due), note->message.c_str());
  }

  void theSameOnAnyNumberOfThreads() {
    ck::JobContext one;
    one.threadCount = 1;
    ck::JobContext three;
    three.threadCount = 3;
    const auto a = ck::bake(ck::test::slowLimb(), reducedBy(0.5), one);
    const auto b = ck::bake(ck::test::slowLimb(), reducedBy(0.5), three);
    QVERIFY(a && b && a->atlas == b->atlas);
  }

  void filesKeepMoments() {
    const ck::Atlas atlas =
        bakedOf(ck::test::steppingLimb(kSlowly), reducedBy(5.0, ck::test::steppingSettings()));
    for (const auto& bytes : {ck::unpackedAtlasToBytes(atlas), ck::atlasToBytes(atlas)}) {
      const auto read = ck::atlasFromBytes(bytes);
      QVERIFY2(read, read ? "" : read.error().message.c_str());
      QVERIFY(*read == atlas);
      QCOMPARE(read->clips[0].keptMoments, atlas.clips[0].keptMoments);
    }
    const std::vector<int> kept = atlas.clips[0].keptMoments;
    const auto refused = [&](std::vector<int> wrong, const char* says) {
      ck::Atlas damaged = atlas;
      damaged.clips[0].keptMoments = std::move(wrong);
      const auto read = ck::atlasFromBytes(ck::unpackedAtlasToBytes(damaged));
      QVERIFY(!read);
      QVERIFY2(read.error().message.find(says) != std::string::npos, read.error().message.c_str());
    };
    const auto changed = [&](std::size_t at, int moment) {
      std::vector<int> wrong = kept;
      wrong[at] = moment;
      return wrong;
    };
    const char* kMoments = "clip 'Loop' keeps moments that make no sense";
    refused(std::vector<int>(kept.begin(), kept.end() - 1), kMoments);
    refused({0}, kMoments);
    refused(changed(0, 1), kMoments);
    refused(changed(0, -1), kMoments);
    refused(changed(1, 0), kMoments);
    refused(changed(kept.size() - 1, 1'000'000'000), kMoments);
    refused(changed(kept.size() - 1, kept[kept.size() - 2] + 256), kMoments);
    // A step frame that is not kept.
    const std::size_t step = std::size_t(std::ranges::find(kept, 10) - kept.begin());
    refused(changed(step, 9 == kept[step - 1] ? 11 : 9), "step frames that make no sense");
    ck::Atlas even = atlas;
    even.recipe.reduceMm = 0.0;
    const auto read = ck::atlasFromBytes(ck::unpackedAtlasToBytes(even));
    QVERIFY(!read);
    for (const double mm : {-1.0, 1001.0, std::nan("")}) {
      even.recipe.reduceMm = mm;
      QVERIFY(!ck::atlasFromBytes(ck::unpackedAtlasToBytes(even)));
    }
    ck::Atlas nearest = atlas;
    nearest.recipe.interpolate = false;
    QVERIFY(!ck::atlasFromBytes(ck::unpackedAtlasToBytes(nearest)));
  }

  void sidecarsKeepMoments() {
    const ck::Atlas atlas = bakedOf(ck::test::slowLimb(), reducedBy(5.0));
    const std::string text = textOf(atlas);
    const auto json = nlohmann::json::parse(text);
    QCOMPARE(json["reduceMm"].get<double>(), 5.0);
    QCOMPARE(json["clips"][0]["keptMoments"].get<std::vector<int>>(), atlas.clips[0].keptMoments);
    const auto read = ck::sidecarFromText(text);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->atlas.clips[0].keptMoments, atlas.clips[0].keptMoments);
    QVERIFY(ck::checkRestated(text, *read));
    const auto even = nlohmann::json::parse(textOf(bakedOf(ck::test::slowLimb(), {})));
    QVERIFY(!even["clips"][0].contains("keptMoments") && !even.contains("reduceMm"));
  }

  void decoderInPythonAgrees_data() {
    QTest::addColumn<int>("encoding");
    for (const auto encoding :
         {ck::Encoding::P16, ck::Encoding::T16, ck::Encoding::M16, ck::Encoding::R64}) {
      QTest::newRow(std::string(ck::encodingInfo(encoding).name).c_str())
          << static_cast<int>(encoding);
    }
  }
  void decoderInPythonAgrees() {
    QFETCH(int, encoding);
    ck::BakeSettings settings = ck::test::steppingSettings();
    settings.encoding = static_cast<ck::Encoding>(encoding);
    const bool local = ck::isLocal(ck::encodingInfo(settings));
    const ck::Character limb = local ? ck::test::slowLimb() : ck::test::steppingLimb(kSlowly);
    if (local) settings.clips.clear();
    const ck::Atlas atlas = bakedOf(limb, reducedBy(4.0, settings));
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(atlas, "limb", ck::pathFromText(folder.path().toStdString()),
                            {.kinds = ck::test::everyKind(ck::texelFormatOf(atlas))}));
    ck::test::AtlasDecoder decoder;
    const auto run = [&](const QStringList& arguments) {
      return decoder.document(QStringList{folder.filePath("limb.atlas.json")} + arguments);
    };
    QVERIFY(!run({"--check", QStringLiteral(CK_SOURCE_DIR "/docs/atlas.schema.json")}).is_null());
    int reduced = 0;
    for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
      const ck::AtlasClip& baked = atlas.clips[clip];
      reduced += baked.keptMoments.empty() ? 0 : 1;
      std::vector<double> units = ck::test::randomUnits(30, 23);
      units.insert(units.end(), {0.0, 1.0});
      for (const QString reading : {"relative", "direct", "nearest"}) {
        if (local && reading == "direct") continue;
        QStringList arguments{"--clip", QString::fromStdString(baked.name), "--reading", reading};
        if (local)
          arguments << "--picture"
                    << "raw";
        for (const double unit : units) arguments << "--unit" << QString::number(unit, 'g', 17);
        const nlohmann::json json = run(arguments);
        QVERIFY(!json.is_null());
        for (const auto& pose : json["poses"]) {
          const auto ours = ck::atlasSkinMatrices(
              atlas, static_cast<int>(clip), pose["unit"].get<double>(),
              reading == "direct" ? Reading::Direct : Reading::Palette, reading != "nearest");
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
    QCOMPARE(reduced, 3);
  }

  // Frames of actors, in any loop mode, forwards and backwards, by the moments of the frames.
  void crowdsReadStoredFrames() {
    const ck::Atlas atlas = bakedOf(ck::test::slowLimb(), reducedBy(4.0));
    const std::vector<std::string> names = {"Loop", "Away", "Open"};
    const std::vector<ck::CrowdClip> clips = ck::crowdClips(atlas, names);
    std::vector<ck::Actor> actors(96);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      ck::Actor& actor = actors[i];
      actor.clip = static_cast<int>(i % 3);
      actor.loop = static_cast<ck::LoopMode>(i / 3 % 3);
      actor.rate = (i % 5 == 0 ? -1.0f : 1.0f) * (0.5f + 0.1f * static_cast<float>(i % 7));
      actor.offset = 0.13f * static_cast<float>(i % 11);
      if (i % 4 != 0) continue;
      actor.fadeClip = static_cast<int>((i + 1) % 3);
      actor.fade = 0.4f;
    }
    ck::Crowd crowd(actors, clips);
    for (const double seconds : {0.0, 0.333, 0.9, 1.0, 1.7, 11.0, -3.2}) {
      crowd.seek(seconds);
      const auto records = crowd.instances();
      for (std::size_t i = 0; i < crowd.size(); ++i) {
        const ck::gpu::CkActor record = records[i];
        checkShown(atlas, crowd.clipOf(i), crowd.unitOf(i), record.frames.x,
                   record.positionAlphaA.w);
        const auto fade = crowd.fadeOf(i);
        if (fade) checkShown(atlas, fade->clip, fade->unit, record.frames.y, record.scaleAlphaB.w);
      }
    }
  }

 private:
  static void checkShown(const ck::Atlas& atlas, int clip, double unit, int frame, float alpha) {
    const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
    const std::vector<int> moments = momentsOf(baked);
    const int in = frame - baked.firstFrame;
    QVERIFY(in >= 0 && in + 1 < baked.frameCount);
    const auto at = static_cast<std::size_t>(in);
    const double shown = moments[at] + double(alpha) * (moments[at + 1] - moments[at]);
    QVERIFY2(std::abs(shown - unit * moments.back()) < 2e-4, qPrintable(QString::number(shown)));
    QVERIFY(alpha >= 0.0f && alpha <= 1.0f);
  }
};

CK_TEST(tst_reduced_frames, QCoreApplication)
#include "tst_reduced_frames.moc"
