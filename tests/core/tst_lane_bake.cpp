#include <QTest>
#include <cmath>
#include <limits>

#include "core/atlas/atlas_layout.h"
#include "core/atlas/local_poses.h"
#include "core/bake/bake.h"
#include "core/bake/lane_bake.h"
#include "core/bake/local_bake.h"
#include "core/bake/local_lanes.h"
#include "core/bake/pose/lane_box.h"
#include "core/bake/pose/lane_poser.h"
#include "core/bake/pose/window_sampler.h"
#include "core/bake/single_poses.h"
#include "core/bake/step_frames.h"
#include "core/base/transform.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/made_clips.h"
#include "tests/support/rigs.h"
#include "tests/support/step_rigs.h"
#include "tests/support/test_program.h"

namespace {

using ck::kLaneCount;

ck::BakeSettings asP16(ck::BakeSettings settings) {
  settings.encoding = ck::Encoding::P16;
  settings.components = std::nullopt;
  return settings;
}

glm::dmat4 skinOf(const ck::LanePose& pose, std::size_t lane) {
  glm::dmat4 m(1.0);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      m[column][row] = static_cast<double>(pose.rows[row][column][lane]);
    }
  }
  return m;
}

double difference(const glm::dmat4& a, const glm::dmat4& b) {
  double largest = 0.0;
  for (int column = 0; column < 4; ++column) {
    largest = std::max(largest, glm::length(glm::dvec3(a[column] - b[column])));
  }
  return largest;
}

// The largest difference between a poser and WindowSampler over the frames of a window.
double differenceFromSampler(const ck::Character& character, const ck::BakeWindow& window) {
  const std::vector<ck::StoredFrame> frames = ck::storedFrames(window);
  const ck::LanePoser poser(character.rig, *window.motion, window.closingSeconds);
  ck::WindowSampler sampler(character.rig, *window.motion, window.closingSeconds);
  ck::LanePoser::Run run;
  poser.prepare(frames, run);
  std::vector<ck::LanePose> poses(poser.skinJointCount());
  double largest = 0.0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    if (f % kLaneCount == 0) poser.pose(run, f / kLaneCount, poses);
    const auto skins = sampler.skinMatrices(frames[f].seconds, frames[f].heldSeconds);
    for (std::size_t joint = 0; joint < poses.size(); ++joint) {
      const glm::dmat4 posed = skinOf(poses[joint], f % kLaneCount);
      largest = std::max(largest, difference(posed, skins[joint]));
      const glm::dvec3 pivot(glm::vec3(ck::pivotOf(character.rig.skinJoints[joint])));
      for (int axis = 0; axis < 3; ++axis) {
        const double place = ck::transformPoint(skins[joint], pivot)[axis];
        const double lane = static_cast<double>(poses[joint].place[axis][f % kLaneCount]);
        largest = std::max(largest, std::abs(place - lane));
      }
    }
  }
  return largest;
}

// The box of all vertices over the stored frames, by the reference.
ck::Bounds boxBySampler(const ck::Character& character, const ck::BakeWindow& window) {
  ck::WindowSampler sampler(character.rig, *window.motion, window.closingSeconds);
  ck::Bounds box{glm::dvec3(INFINITY), glm::dvec3(-INFINITY)};
  for (const ck::StoredFrame& frame : ck::storedFrames(window)) {
    const auto skins = sampler.skinMatrices(frame.seconds, frame.heldSeconds);
    for (const ck::Mesh& mesh : character.meshes) {
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        glm::dvec3 sum(0.0);
        for (const ck::Influence& influence : ck::influencesOf(mesh, v)) {
          sum += static_cast<double>(influence.weight) *
                 ck::transformPoint(skins[static_cast<std::size_t>(influence.skinJoint)],
                                    glm::dvec3(mesh.positions[v]));
        }
        box.low = glm::min(box.low, sum);
        box.high = glm::max(box.high, sum);
      }
    }
  }
  return box;
}

struct Baked {
  ck::Atlas atlas;
  ck::PoseFacts facts;
  std::vector<ck::BakeWindow> windows;
};

// The texels that bakeInLanes() makes for the atlas of a bake whose texels are erased.
Baked bakedAgain(const ck::Character& character, const ck::BakeSettings& settings,
                 ck::LanePath path, int threads) {
  Baked baked{ck::bake(character, settings)->atlas, {}, *ck::planWindows(character, settings)};
  std::ranges::fill(baked.atlas.texels, std::byte{0});
  baked.atlas.ranges.clear();
  ck::JobContext job;
  job.threadCount = threads;
  const auto facts = ck::bakeInLanes(character, baked.windows, baked.atlas, job, path);
  if (facts) baked.facts = *facts;
  return baked;
}

bool same(const Baked& a, const Baked& b) {
  bool boxes = a.facts.bounds.size() == b.facts.bounds.size();
  for (std::size_t i = 0; boxes && i < a.facts.bounds.size(); ++i) {
    boxes = a.facts.bounds[i].low == b.facts.bounds[i].low &&
            a.facts.bounds[i].high == b.facts.bounds[i].high;
  }
  return boxes && a.atlas.texels == b.atlas.texels && a.atlas.ranges == b.atlas.ranges &&
         a.facts.scaleDroppedMm == b.facts.scaleDroppedMm && a.facts.limitedMm == b.facts.limitedMm;
}

// One step of an encoding's numbers, of a limb of less than a metre.
float stepMeters(const ck::EncodingInfo& info) {
  if (info.format == ck::TexelFormat::Rgba8 || info.packing == ck::Packing::Bits10) return 1e-2f;
  return info.format == ck::TexelFormat::Rgba16F ? 2e-3f : 1e-4f;
}
float stepCosine(const ck::EncodingInfo& info) {
  const float step = info.format == ck::TexelFormat::Rgba8 ? 2e-2f
                     : info.packing == ck::Packing::Bits10 || info.packing == ck::Packing::Turn10
                         ? 5e-3f
                         : 2e-3f;
  return step * step;
}

}  // namespace

class tst_lane_bake : public QObject {
  Q_OBJECT
 private slots:
  void posesAreThoseOfTheReference() {
    // Chains of at most five joints of less than a metre: some roundings to float.
    constexpr double kRounding = 3e-6;
    int windows = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      const ck::test::MadeClip made = ck::test::madeClip(seed);
      const auto planned = ck::planWindows(made.character, asP16(made.settings));
      QVERIFY(planned);
      for (const ck::BakeWindow& window : *planned) {
        const double far = differenceFromSampler(made.character, window);
        QVERIFY2(far < kRounding, qPrintable(QString("%1: %2").arg(made.title.c_str()).arg(far)));
        ++windows;
      }
    }
    QVERIFY(windows >= 60);
  }

  void stepsAndClosingStepsAreThoseOfTheReference() {
    const ck::Character limb = ck::test::steppingLimb();
    for (const int frames : {0, 7, 100}) {
      ck::BakeSettings settings = ck::test::steppingSettings();
      settings.frames = frames;
      const auto windows = ck::planWindows(limb, settings);
      QVERIFY(windows);
      for (const ck::BakeWindow& window : *windows) {
        QVERIFY(differenceFromSampler(limb, window) < 3e-6);
      }
    }
  }

  void longTurnsBetweenKeysFollowTheArc() {
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    track.times = {0.0, 1.0};
    ck::BakeSettings settings;
    settings.frames = 97;
    for (const float angle : {1e-7f, 1e-3f, 0.3f, 1.5f, 3.1f, 3.14159f}) {
      track.values = {glm::quat(1, 0, 0, 0), glm::angleAxis(angle, glm::vec3(0, 0, 1))};
      const auto windows = ck::planWindows(bar, settings);
      QVERIFY(differenceFromSampler(bar, windows->front()) < 2e-6);
    }
  }

  void jointsWithShearAndMirrorsAreThoseOfTheReference() {
    ck::Character limb = ck::test::swingingLimb();
    limb.rig.joints[1].preTransform =
        glm::dmat4(glm::dvec4(1.0, 0.3, 0.0, 0.0), glm::dvec4(0.0, -1.2, 0.1, 0.0),
                   glm::dvec4(0.2, 0.0, 0.8, 0.0), glm::dvec4(0.1, 0.0, 0.05, 1.0));
    const auto windows = ck::planWindows(limb, {});
    QVERIFY(windows);
    for (const ck::BakeWindow& window : *windows) {
      QVERIFY(differenceFromSampler(limb, window) < 4e-6);
    }
    // And the texels are the pivot form of the matrices.
    const auto baked = ck::bake(limb, asP16({}));
    QVERIFY(baked);
    const ck::BakeWindow& window = windows->front();
    ck::WindowSampler sampler(limb.rig, *window.motion, window.closingSeconds);
    const auto frames = ck::storedFrames(window);
    for (int frame = 0; frame < window.frameCount; ++frame) {
      const auto skins = sampler.skinMatrices(frames[static_cast<std::size_t>(frame)].seconds);
      for (std::size_t joint = 0; joint < skins.size(); ++joint) {
        const glm::dvec3 pivot(baked->atlas.joints[joint].pivot);
        const ck::JointPose wanted = ck::pivotPoseOf(skins[joint], pivot);
        const ck::JointPose stored =
            ck::storedPose(baked->atlas, 0, frame, static_cast<int>(joint));
        QVERIFY(std::abs(glm::dot(wanted.rotation, stored.rotation)) > 1.0f - 2e-7f);
        QVERIFY(glm::distance(wanted.position, stored.position) < 3e-5f);
        QVERIFY(std::abs(wanted.scale.x - stored.scale.x) < 3e-6f);
      }
    }
  }

  void nearlyRigidJointsAreInPivotFormWithoutTheirMatrices() {
    // Scales as files have them: next to one, and a little apart.
    ck::Character limb = ck::test::swingingLimb();
    QVERIFY(ck::LanePoser(limb.rig, limb.clips[0], 0.0).isNearlyRigid());
    for (const float apart : {2e-5f, 3e-4f, 5e-2f}) {
      auto& scale = limb.clips[0].jointTracks[0].scale;
      scale.times = {0.0, 0.4, 1.0};
      scale.values = {glm::vec3(1.0f, 1.0f + apart, 1.0f), glm::vec3(1.02f, 1.02f, 1.02f + apart),
                      glm::vec3(1.0f)};
      const ck::LanePoser poser(limb.rig, limb.clips[0], 0.0);
      QCOMPARE(poser.isNearlyRigid(), apart < 1e-3f);
      if (!poser.isNearlyRigid()) continue;
      std::vector<ck::StoredFrame> moments;
      for (int i = 0; i < 40; ++i) moments.push_back({i / 39.0, {}});
      ck::LanePoser::Run run;
      poser.prepare(moments, run);
      std::vector<ck::LanePivot> pivots(poser.skinJointCount());
      ck::WindowSampler sampler(limb.rig, limb.clips[0], 0.0);
      for (std::size_t i = 0; i < moments.size(); ++i) {
        const std::size_t lane = i % kLaneCount;
        if (lane == 0) QVERIFY(poser.pivots(run, i / kLaneCount, pivots));
        const auto skins = sampler.skinMatrices(moments[i].seconds);
        for (std::size_t joint = 0; joint < pivots.size(); ++joint) {
          const ck::LanePivot& pivot = pivots[joint];
          const glm::vec3 at(ck::pivotOf(limb.rig.skinJoints[joint]));
          const ck::JointPose wanted = ck::pivotPoseOf(skins[joint], glm::dvec3(at));
          const glm::quat turn(pivot.rotation[3][lane], pivot.rotation[0][lane],
                               pivot.rotation[1][lane], pivot.rotation[2][lane]);
          // Shear is shared out differently, by less than it is.
          const glm::quat off = glm::conjugate(wanted.rotation) * turn;
          QVERIFY(glm::length(glm::vec3(off.x, off.y, off.z)) < apart + 2e-6f);
          QVERIFY(std::abs(pivot.scale[lane] - wanted.scale.x) < 2e-6f);
          const glm::vec3 place(pivot.place[0][lane], pivot.place[1][lane], pivot.place[2][lane]);
          QVERIFY(glm::distance(place, wanted.position) < 3e-6f);
        }
      }
    }
  }

  void bytesAreThoseOfThePlainPathAndOfOneThread() {
    std::vector<std::pair<ck::Character, ck::BakeSettings>> cases;
    ck::BakeSettings many;
    many.frames = 700;  // several runs of frames per clip
    cases.emplace_back(ck::test::swingingLimb(), many);
    cases.emplace_back(ck::test::barCharacter(), many);
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
      ck::test::MadeClip made = ck::test::madeClip(seed);
      cases.emplace_back(std::move(made.character), asP16(made.settings));
    }
    for (auto& [character, settings] : cases) {
      // Windows of clips that are too long for a tile get other frames.
      if (settings.layout == ck::LayoutKind::Tiles) settings.layout = ck::LayoutKind::Rows;
      const Baked one = bakedAgain(character, settings, ck::LanePath::Best, 1);
      QVERIFY(!one.facts.bounds.empty());
      QVERIFY(same(one, bakedAgain(character, settings, ck::LanePath::Plain, 1)));
      QVERIFY(same(one, bakedAgain(character, settings, ck::LanePath::Best, 2)));
      QVERIFY(same(one, bakedAgain(character, settings, ck::LanePath::Plain, 4)));
      QCOMPARE(one.atlas.texels, ck::bake(character, settings)->atlas.texels);
    }
  }

  void bytesOfEveryEncodingAreThoseOfThePlainPathAndOfOneThread_data() {
    QTest::addColumn<int>("encoding");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      if (!ck::standsAlone(info)) continue;
      QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.encoding);
    }
  }
  void bytesOfEveryEncodingAreThoseOfThePlainPathAndOfOneThread() {
    QFETCH(int, encoding);
    ck::BakeSettings settings;
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.frames = 700;  // several runs of frames per clip
    for (const auto mode : {ck::RangeMode::Joint, ck::RangeMode::JointClip, ck::RangeMode::Atlas}) {
      settings.rangeMode = mode;
      for (const ck::Character& character : {ck::test::swingingLimb(), ck::test::barCharacter()}) {
        const Baked one = bakedAgain(character, settings, ck::LanePath::Best, 1);
        QVERIFY(!one.facts.bounds.empty());
        QVERIFY(same(one, bakedAgain(character, settings, ck::LanePath::Plain, 1)));
        QVERIFY(same(one, bakedAgain(character, settings, ck::LanePath::Best, 2)));
      }
    }
  }

  // The witness is the codec, which rounds one pose at a time, in double.
  void texelsAreThoseOfTheCodec_data() {
    QTest::addColumn<int>("encoding");
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      QTest::newRow(std::string(info.name).c_str()) << static_cast<int>(info.encoding);
    }
  }
  void texelsAreThoseOfTheCodec() {
    QFETCH(int, encoding);
    ck::BakeSettings settings;
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.frames = 300;
    const ck::EncodingInfo& info = ck::encodingInfo(settings);
    const ck::Character limb = ck::test::swingingLimb();
    const auto baked = ck::bake(limb, settings);
    QVERIFY(baked);
    const ck::Atlas& atlas = baked->atlas;
    const auto windows = *ck::planWindows(limb, settings);
    auto evaluated = ck::evaluatePoses(limb, windows, {info.form, settings.influences}, {});
    QVERIFY(evaluated);
    ck::JointPoses& poses = evaluated->poses;
    std::vector<int> counts;
    for (const ck::BakeWindow& window : windows) counts.push_back(window.frameCount);
    if (ck::isLocal(info)) ck::seeFromParents(atlas.joints, counts, poses);
    const std::vector<int> tracks = ck::tracksOf(atlas);
    const ck::TexelCode code = ck::codeOf(atlas);
    std::vector<std::byte> expected(ck::bytesPerJoint(code));
    std::size_t all = 0;
    std::size_t differing = 0;
    for (std::size_t clip = 0; clip < atlas.clips.size(); ++clip) {
      for (int frame = 0; frame < atlas.clips[clip].frameCount; ++frame) {
        std::vector<ck::JointPose> own;
        for (std::size_t joint = 0; joint < poses.jointCount; ++joint) {
          const std::size_t at = poses.firstFrames[clip] + static_cast<std::size_t>(frame);
          own.push_back(poses.of(joint, at, 1).front());
        }
        if (ck::isLocal(info)) ck::aimFrame(atlas, tracks, static_cast<int>(clip), own);
        for (std::size_t joint = 0; joint < own.size(); ++joint) {
          const int j = static_cast<int>(joint);
          const auto ranges = ck::rangesFor(atlas, static_cast<int>(clip), j);
          const ck::JointPose rest{.position = atlas.joints[joint].pivot};
          ck::encodePose(code, own[joint], ranges, expected, rest);
          const auto stored =
              std::span(atlas.texels)
                  .subspan(ck::texelOffset(atlas, atlas.clips[clip].firstFrame + frame, j),
                           expected.size());
          ++all;
          differing += std::ranges::equal(expected, stored) ? 0u : 1u;
          // One step of rounding at most, of a sign that neither can see.
          const ck::JointPose a = ck::decodePose(code, expected, ranges, rest);
          const ck::JointPose b = ck::decodePose(code, stored, ranges, rest);
          QVERIFY(glm::distance(a.position, b.position) < stepMeters(info));
          QVERIFY(std::abs(glm::dot(a.rotation, b.rotation)) > 1.0f - stepCosine(info));
          QVERIFY(glm::distance(a.scale, b.scale) < stepMeters(info));
          if (!a.linear) continue;
          for (int column = 0; column < 3; ++column) {
            QVERIFY(glm::distance((*a.linear)[column], (*b.linear)[column]) < stepMeters(info));
          }
        }
      }
    }
    // Floats differ in their last bits, and signs of rotations may be the other ones throughout.
    if (ck::isLocal(info)) QVERIFY(differing * 100 < all);
  }

  void localPosesAreThoseOfThePlainPath() {
    for (const ck::Encoding encoding : {ck::Encoding::R64, ck::Encoding::R32}) {
      ck::BakeSettings settings;
      settings.encoding = encoding;
      const ck::Character limb = ck::test::swingingLimb();
      const auto baked = ck::bake(limb, settings);
      QVERIFY(baked);
      const auto windows = *ck::planWindows(limb, settings);
      auto evaluated = ck::evaluatePoses(limb, windows, {ck::PoseForm::Pivot, 4}, {});
      std::vector<int> counts;
      for (const ck::BakeWindow& window : windows) counts.push_back(window.frameCount);
      ck::seeFromParents(baked->atlas.joints, counts, evaluated->poses);
      const std::size_t bytes = ck::bytesPerJoint({encoding}) * baked->atlas.joints.size();
      ck::LocalEncoder encoder(baked->atlas);
      for (std::size_t frame = 0; frame + ck::kLaneCount < evaluated->poses.frameCount; ++frame) {
        std::vector<std::byte> best(bytes * ck::kLaneCount);
        std::vector<std::byte> plain(bytes * ck::kLaneCount);
        for (auto [to, path] :
             {std::pair(&best, ck::LanePath::Best), std::pair(&plain, ck::LanePath::Plain)}) {
          ck::LaneTexels texels;
          texels.count = ck::kLaneCount - frame % 3;
          for (std::size_t lane = 0; lane < texels.count; ++lane) {
            texels.at[lane] = to->data() + lane * bytes;
          }
          encoder.encode(evaluated->poses, 0, frame, texels, path);
        }
        QVERIFY(best == plain);
        QVERIFY(best != std::vector<std::byte>(best.size()));
      }
    }
  }

  void rotationsKeepTheirSignAcrossRuns() {
    // A turn of three times round makes every component change its sign.
    ck::Character bar = ck::test::barCharacter();
    auto& track = bar.clips[0].jointTracks[0].rotation;
    track.times.clear();
    track.values.clear();
    for (int key = 0; key <= 36; ++key) {
      track.times.push_back(key / 36.0);
      const float angle = static_cast<float>(key) * 6.0f * 3.14159265f / 36.0f;
      track.values.push_back(glm::angleAxis(angle, glm::normalize(glm::vec3(1, 2, 3))));
    }
    ck::BakeSettings settings;
    settings.frames = 1000;
    const auto baked = ck::bake(bar, settings);
    QVERIFY(baked);
    const ck::AtlasClip& clip = baked->atlas.clips[0];
    for (std::size_t joint = 0; joint < baked->atlas.joints.size(); ++joint) {
      const int j = static_cast<int>(joint);
      for (int frame = 1; frame < clip.frameCount; ++frame) {
        const auto before = ck::storedPose(baked->atlas, 0, frame - 1, j).rotation;
        QVERIFY(glm::dot(before, ck::storedPose(baked->atlas, 0, frame, j).rotation) > 0.99f);
      }
    }
  }

  void boxesAreExact() {
    ck::BakeSettings settings;
    settings.frames = 300;
    for (const ck::Character& character : {ck::test::swingingLimb(), ck::test::barCharacter()}) {
      const auto baked = ck::bake(character, settings);
      QVERIFY(baked);
      const auto windows = ck::planWindows(character, settings);
      for (std::size_t w = 0; w < windows->size(); ++w) {
        const ck::Bounds wanted = boxBySampler(character, (*windows)[w]);
        const ck::Bounds& box = baked->atlas.clips[w].bounds;
        QVERIFY(glm::distance(wanted.low, box.low) < 2e-6);
        QVERIFY(glm::distance(wanted.high, box.high) < 2e-6);
      }
    }
  }

  // A joint that scale 0 hides has the rotation of the frame before, or of the first frame in which
  // it is seen. The witness is the sampler, in double.
  void posesWithoutSizeKeepTheirRotation_data() {
    QTest::addColumn<int>("encoding");
    QTest::addColumn<std::vector<glm::vec3>>("scales");
    const std::vector<glm::vec3> in = {glm::vec3(0), glm::vec3(0), glm::vec3(1), glm::vec3(1)};
    const std::vector<glm::vec3> out = {glm::vec3(1), glm::vec3(1), glm::vec3(0), glm::vec3(0)};
    const std::vector<glm::vec3> flat = {glm::vec3(1), {1, 0, 1}, {1, 0, 1}, glm::vec3(1)};
    const std::vector<glm::vec3> never(4, glm::vec3(0));
    for (const ck::Encoding encoding : {ck::Encoding::P16, ck::Encoding::P16F, ck::Encoding::U128,
                                        ck::Encoding::T32, ck::Encoding::T16, ck::Encoding::M32}) {
      const std::string name(ck::encodingName(encoding));
      QTest::newRow((name + " comes").c_str()) << int(encoding) << in;
      QTest::newRow((name + " goes").c_str()) << int(encoding) << out;
      QTest::newRow((name + " is flat").c_str()) << int(encoding) << flat;
      QTest::newRow((name + " never").c_str()) << int(encoding) << never;
    }
  }
  void posesWithoutSizeKeepTheirRotation() {
    QFETCH(int, encoding);
    QFETCH(std::vector<glm::vec3>, scales);
    ck::Character limb = ck::test::swingingLimb();
    limb.clips.resize(1);
    auto& track = limb.clips[0].jointTracks.back().scale;
    track.times = {0.0, 0.4, 0.6, 1.0};
    track.values = scales;
    ck::BakeSettings settings;
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.components = ck::Components::Trs;
    settings.frames = 1600;  // of many runs, several of which begin with a hidden joint
    const Baked one = bakedAgain(limb, settings, ck::LanePath::Best, 1);
    QCOMPARE(one.facts.bounds.size(), std::size_t(1));
    QVERIFY(same(one, bakedAgain(limb, settings, ck::LanePath::Plain, 1)));
    QVERIFY(same(one, bakedAgain(limb, settings, ck::LanePath::Best, 2)));
    const ck::PoseForm form = ck::encodingInfo(settings).form;
    const ck::BakeWindow& window = one.windows[0];
    ck::WindowSampler sampler(limb.rig, *window.motion, window.closingSeconds);
    const std::size_t joint = one.atlas.joints.size() - 1;
    const ck::SkinJoint& skinJoint = limb.rig.skinJoints[joint];
    const glm::dvec3 pivot(one.atlas.joints[joint].pivot);
    std::vector<ck::JointPose> wanted;
    for (const ck::StoredFrame& frame : ck::posedFrames(window)) {
      const glm::dmat4 skin = sampler.skinMatrices(frame.seconds, frame.heldSeconds)[joint];
      wanted.push_back(form == ck::PoseForm::Trs
                           ? ck::trsPoseOf(skin * ck::affineInverse(skinJoint.inverseBind),
                                           ck::bindScaleOf(skinJoint))
                           : ck::pivotPoseOf(skin, pivot));
    }
    const auto hasSize = [](const ck::JointPose& pose) { return pose.scale != glm::vec3(0.0f); };
    const auto first = std::ranges::find_if(wanted, hasSize);
    glm::quat rotation = first == wanted.end() ? glm::quat(1, 0, 0, 0) : first->rotation;
    const ck::EncodingInfo& info = ck::encodingInfo(settings);
    for (std::size_t frame = 0; frame < wanted.size(); ++frame) {
      const ck::JointPose stored =
          ck::storedPose(one.atlas, 0, static_cast<int>(frame), static_cast<int>(joint));
      QVERIFY(glm::distance(stored.position, wanted[frame].position) < stepMeters(info));
      if (stored.linear) continue;
      // A float loses what is less than 1e-3 of a size of 1 when it takes the third root.
      QVERIFY(glm::distance(stored.scale, wanted[frame].scale) < 0.04f);
      if (hasSize(wanted[frame])) rotation = wanted[frame].rotation;
      if (hasSize(wanted[frame]) && glm::length(wanted[frame].scale) < 0.02f) continue;
      // Rounding leaves a flat joint a scale that nobody sees.
      if (!hasSize(wanted[frame]) && hasSize(stored)) continue;
      QVERIFY(std::abs(glm::dot(stored.rotation, rotation)) > 1.0f - stepCosine(info));
    }
  }

  void aPoseThatIsNotFiniteIsRefused() {
    for (const ck::EncodingInfo& info : ck::allEncodings()) {
      ck::Character limb = ck::test::swingingLimb();
      auto& track = limb.clips[0].jointTracks.back().scale;
      track.times = {0.0, 1.0};
      track.values = {glm::vec3(1.0f), glm::vec3(std::numeric_limits<float>::max())};
      limb.clips[0].jointTracks.front().scale = track;
      ck::BakeSettings settings;
      settings.encoding = info.encoding;
      const auto baked = ck::bake(limb, settings);
      QVERIFY2(!baked, info.name.data());
      QVERIFY(baked.error().code == ck::ErrorCode::InvalidInput);
      QVERIFY(baked.error().message.find(limb.clips[0].name) != std::string::npos);
    }
  }

  void scalesThatAreNoiseBecomeAConstant() {
    ck::Character bar = ck::test::barCharacter();
    auto& scale = bar.clips[0].jointTracks[0].scale;
    scale.times = {0.0, 0.5, 1.0};
    for (const float noise : {2e-7f, 2e-4f}) {
      scale.values = {glm::vec3(1.0f), glm::vec3(1.0f + noise), glm::vec3(1.0f)};
      const auto baked = ck::bake(bar, {});
      QVERIFY(baked);
      const int joint = static_cast<int>(baked->atlas.joints.size()) - 1;
      const ck::TexelRange range = ck::rangesFor(baked->atlas, 0, joint).front();
      QCOMPARE(range.size.w == 0.0f, noise < 1e-6f);
      QVERIFY(std::abs(range.low.w - 1.0f) < 1e-6f);
    }
  }

  void keysOfAnHourAreEven() {
    // A file keeps key times as floats: after an hour they are 0.24 ms apart.
    ck::Character bar = ck::test::barCharacter();
    ck::Clip& clip = bar.clips[0];
    auto& track = clip.jointTracks[0].rotation;
    track.times.clear();
    track.values.clear();
    for (int key = 0; key <= 108000; ++key) {
      track.times.push_back(static_cast<double>(static_cast<float>(key / 30.0)));
      track.values.push_back(
          glm::angleAxis(0.3f * std::sin(static_cast<float>(key) * 0.01f), glm::vec3(0, 0, 1)));
    }
    clip.durationSeconds = track.times.back();
    const auto grid = ck::keyGrid(clip);
    QVERIFY(grid);
    QCOMPARE(grid->keyCount, 108001);
    QVERIFY(std::abs(grid->stepSeconds - 1.0 / 30.0) < 1e-9);
    QCOMPARE(ck::frameCountFor(bar.rig, clip, ck::Seam::None, {}), 108001);
    ck::BakeSettings settings;
    settings.clips = {{.name = clip.name}};
    const auto windows = ck::planWindows(bar, settings);
    QVERIFY(windows);
    QVERIFY(ck::keyGridNotes(*windows).empty());
    const std::vector<double> times = ck::frameTimes(windows->front());
    for (std::size_t i = 0; i < times.size(); ++i) {
      QVERIFY(std::abs(times[i] - track.times[i]) < 1e-8);
    }
  }
};

CK_TEST(tst_lane_bake)
#include "tst_lane_bake.moc"
