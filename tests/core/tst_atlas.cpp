#include <QTest>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/atlas/atlas.h"
#include "core/bake/bake.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Reading;

namespace {

ck::Atlas bakedLimb() {
  auto result = ck::bake(ck::test::swingingLimb(), {});
  return result ? std::move(result->atlas) : ck::Atlas{};
}

double largestDifferenceMm(const std::vector<glm::dmat4>& a, const std::vector<glm::dmat4>& b,
                           const ck::Atlas& atlas) {
  double largest = 0.0;
  for (std::size_t joint = 0; joint < a.size(); ++joint) {
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 at(atlas.joints[joint].pivot);
      at[axis] += 0.03;
      const glm::dvec3 pa(a[joint] * glm::dvec4(at, 1.0));
      const glm::dvec3 pb(b[joint] * glm::dvec4(at, 1.0));
      largest = std::max(largest, glm::distance(pa, pb) * 1000.0);
    }
  }
  return largest;
}

// The poses of an engine that keeps local transforms per frame: nlerp of local rotations and lerp
// of local translations between two source times, then down the hierarchy.
std::vector<glm::dmat4> locallyInterpolated(const ck::Character& character, const ck::Clip& clip,
                                            double t0, double t1, double alpha) {
  auto a = ck::sampleClip(character.rig, clip, t0);
  const auto b = ck::sampleClip(character.rig, clip, t1);
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double sign = glm::dot(a[j].rotation, b[j].rotation) < 0.0 ? -1.0 : 1.0;
    a[j].rotation = glm::normalize(a[j].rotation * (1.0 - alpha) + b[j].rotation * (sign * alpha));
    a[j].translation = glm::mix(a[j].translation, b[j].translation, alpha);
  }
  return ck::skinMatrices(character.rig, ck::globalMatrices(character.rig, a));
}

// The direct reading in double from the stored poses, written out.
std::vector<glm::dmat4> directByHand(const ck::Atlas& atlas, int clip, int frame, double alpha) {
  std::vector<glm::dmat4> matrices;
  const int first = atlas.clips[static_cast<std::size_t>(clip)].firstFrame + frame;
  for (std::size_t j = 0; j < atlas.joints.size(); ++j) {
    const ck::JointPose a = ck::storedPose(atlas, clip, first, static_cast<int>(j));
    const ck::JointPose b = ck::storedPose(atlas, clip, first + 1, static_cast<int>(j));
    const glm::dquat q =
        glm::normalize(glm::dquat(a.rotation) * (1.0 - alpha) + glm::dquat(b.rotation) * alpha);
    const double scale = glm::mix(double(a.scale.x), double(b.scale.x), alpha);
    const glm::dvec3 p = glm::mix(glm::dvec3(a.position), glm::dvec3(b.position), alpha);
    const glm::dmat3 linear = glm::mat3_cast(q) * scale;
    glm::dmat4 m(linear);
    m[3] = glm::dvec4(p - linear * glm::dvec3(atlas.joints[j].pivot), 1.0);
    matrices.push_back(m);
  }
  return matrices;
}

}  // namespace

class tst_atlas : public QObject {
  Q_OBJECT
 private slots:
  void framesReadAsTheSourceInBothReadings() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = bakedLimb();
    QCOMPARE(atlas.clips.size(), std::size_t(3));
    for (int clip = 0; clip < 3; ++clip) {
      const ck::AtlasClip& baked = atlas.clips[static_cast<std::size_t>(clip)];
      const ck::Clip& source = limb.clips[static_cast<std::size_t>(clip)];
      const int keyCount = static_cast<int>(std::lround(source.durationSeconds * 30.0)) + 1;
      for (int frame = 0; frame < keyCount; ++frame) {
        const double seconds = source.startSeconds + frame / 30.0;
        const auto wanted = ck::skinMatricesAt(limb.rig, source, seconds);
        const double unit = frame / double(baked.frameCount - 1);
        for (const Reading reading : {Reading::Palette, Reading::Direct}) {
          const auto got = ck::atlasSkinMatrices(atlas, clip, unit, reading);
          QVERIFY(largestDifferenceMm(got, wanted, atlas) < 0.05);
        }
      }
    }
  }

  void relativeReadingIsInterpolationOfLocalTransforms() {
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = bakedLimb();
    double direct = 0.0;
    for (int frame = 0; frame < 30; ++frame) {
      for (const double alpha : {0.25, 0.5, 0.9}) {
        const auto wanted =
            locallyInterpolated(limb, limb.clips[0], frame / 30.0, (frame + 1) / 30.0, alpha);
        const double unit = (frame + alpha) / 30.0;
        const auto got = ck::atlasSkinMatrices(atlas, 0, unit, Reading::Palette);
        QVERIFY(largestDifferenceMm(got, wanted, atlas) < 0.1);
        direct = std::max(
            direct, largestDifferenceMm(ck::atlasSkinMatrices(atlas, 0, unit, Reading::Direct),
                                        wanted, atlas));
      }
    }
    QVERIFY2(direct > 0.5, "the clip is too slow to tell the readings apart");
  }

  void directReadingIsTheFormula() {
    const ck::Atlas atlas = bakedLimb();
    for (int clip = 0; clip < 3; ++clip) {
      const int last = atlas.clips[static_cast<std::size_t>(clip)].frameCount - 1;
      for (const double x : {0.0, 0.4, 7.5, last - 0.25}) {
        const int frame = std::min(static_cast<int>(x), last - 1);
        const auto got = ck::atlasSkinMatrices(atlas, clip, x / last, Reading::Direct);
        QVERIFY(largestDifferenceMm(got, directByHand(atlas, clip, frame, x - frame), atlas) <
                2e-3);
      }
    }
  }

  void withoutInterpolationTheNearestFrameIsShown() {
    const ck::Atlas atlas = bakedLimb();
    for (const double x : {0.4, 0.6, 29.4, 29.6}) {
      const int nearest = static_cast<int>(std::lround(x));
      const auto got = ck::atlasSkinMatrices(atlas, 0, x / 30.0, Reading::Palette, false);
      const auto wanted = directByHand(atlas, 0, std::min(nearest, 29), nearest == 30 ? 1.0 : 0.0);
      QVERIFY(largestDifferenceMm(got, wanted, atlas) < 2e-3);
    }
  }

  void childrenOfAJointOfNoSizeStayFinite() {
    ck::Character limb = ck::test::swingingLimb();
    ck::Clip& clip = limb.clips[0];
    clip.jointTracks[1].scale.times = {0.0, 0.5, 1.0};
    clip.jointTracks[1].scale.values = {glm::vec3(1.0f), glm::vec3(0.0f), glm::vec3(1.0f)};
    const auto result = ck::bake(limb, {});
    QVERIFY(result);
    for (int i = 0; i <= 120; ++i) {
      for (const Reading reading : {Reading::Palette, Reading::Direct}) {
        for (const glm::dmat4& m : ck::atlasSkinMatrices(result->atlas, 0, i / 120.0, reading)) {
          for (int column = 0; column < 4; ++column) {
            QVERIFY(std::isfinite(m[column].x + m[column].y + m[column].z));
          }
        }
      }
    }
  }

  void equalityNoticesEveryPart() {
    const ck::Atlas atlas = bakedLimb();
    QVERIFY(atlas == ck::Atlas(atlas));
    const std::vector<std::function<void(ck::Atlas&)>> changes = {
        [](ck::Atlas& a) { a.shape.block.z += 1; },
        [](ck::Atlas& a) { a.recipe.rangeMode = ck::RangeMode::Atlas; },
        [](ck::Atlas& a) { a.joints[1].pivot.x += 1e-6f; },
        [](ck::Atlas& a) { a.clips[2].bounds.high.z += 1e-9; },
        [](ck::Atlas& a) { a.clips[0].seam = ck::Seam::None; },
        [](ck::Atlas& a) { a.ranges[3].size.w += 1e-6f; },
        [](ck::Atlas& a) { a.texels[5] ^= std::byte{1}; },
        [](ck::Atlas& a) { a.sourcePath += "x"; },
        [](ck::Atlas& a) { a.sourceHash ^= 1; },
        [](ck::Atlas& a) { a.unitScale = 0.01; },
        [](ck::Atlas& a) { a.recipe.influences = 2; },
        [](ck::Atlas& a) { a.recipe.interpolate = false; },
    };
    for (const auto& change : changes) {
      ck::Atlas other = atlas;
      change(other);
      QVERIFY(!(other == atlas));
    }
  }
};

CK_TEST(tst_atlas)
#include "tst_atlas.moc"
