#include <QTest>
#include <random>
#include <set>

#include "core/anim/playback.h"
#include "core/base/shared_glsl.h"
#include "render/gl/handle.h"
#include "tests/support/gl_feedback.h"
#include "tests/support/gl_stage.h"
#include "tests/support/test_program.h"

using ck::test::FeedbackInput;
using ck::test::FeedbackOutput;

namespace {

constexpr int kQueries = 100000;

struct Query {
  ck::gpu::CkAtlasShape shape = {};
  int frame = 0;
  int joint = 0;
  int texel = 0;
};

// Atlases of all sizes, in blocks and in lines, and a place in each.
Query randomQuery(std::mt19937& random) {
  const auto upTo = [&random](int last) {
    return std::uniform_int_distribution<int>(0, last)(random);
  };
  const int perJoint = 1 + upTo(3);
  const int joints = 1 + upTo(250);
  const int framesPerBlock = 1 + upTo(2000);
  const int blocksPerRow = 1 + upTo(15);
  const bool linear = upTo(3) == 0;
  const int perFrame = perJoint * joints;
  const int width = linear ? 256 + upTo(8000) : perFrame * blocksPerRow;
  Query query;
  query.shape.block = {perJoint, perFrame, framesPerBlock, blocksPerRow};
  query.shape.extent = {width, 16384, perFrame, linear ? 1 : 0};
  query.frame = upTo(20000);
  query.joint = upTo(joints - 1);
  query.texel = upTo(perJoint - 1);
  return query;
}

// The same place in words of its own: 64-bit, divisions written out the other way round.
std::pair<long long, long long> placeOf(const Query& q) {
  const long long along = static_cast<long long>(q.shape.block.x) * q.joint + q.texel;
  if (q.shape.extent.w == 1) {
    const long long index = static_cast<long long>(q.frame) * q.shape.block.y + along;
    const long long line = index / q.shape.extent.x;
    return {index - line * q.shape.extent.x, line};
  }
  const long long block = q.frame / q.shape.block.z;
  return {(block % q.shape.block.w) * q.shape.extent.z + along,
          (block / q.shape.block.w) * q.shape.block.z + q.frame % q.shape.block.z};
}

}  // namespace

class tst_atlas_address : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void rejectsAShaderThatDoesNotCompile() {
    CK_NEEDS_GL(stage_);
    const auto run = ck::test::runOnGpu("void main() { nonsense }\n", {});
    QVERIFY(!run.has_value());
    QCOMPARE(run.error().code, ck::ErrorCode::Internal);
    stage_.complaints();  // some drivers report the error once more as a message of their own
  }

  void everyTexelHasItsOwnPlaceInsideTheAtlas() {
    for (const int linear : {0, 1}) {
      constexpr int kFrames = 37;
      constexpr int kJoints = 5;
      ck::gpu::CkAtlasShape shape = {};
      shape.block = {2, 2 * kJoints, 9, 3};
      const int width = linear == 1 ? 23 : 3 * 2 * kJoints;
      const int height = linear == 1 ? (kFrames * 2 * kJoints + 22) / 23 : 2 * 9;
      shape.extent = {width, height, 2 * kJoints, linear};
      std::set<std::pair<int, int>> places;
      for (int frame = 0; frame < kFrames; ++frame) {
        for (int joint = 0; joint < kJoints; ++joint) {
          for (int texel = 0; texel < 2; ++texel) {
            const glm::ivec2 at = ck::gpu::ck_atlasTexel(shape, frame, joint, texel);
            QVERIFY(at.x >= 0 && at.x < width && at.y >= 0 && at.y < height);
            QVERIFY(places.emplace(at.x, at.y).second);
          }
        }
      }
    }
  }

  void addressesAgreeOnGpuAndCpu() {
    CK_NEEDS_GL(stage_);
    std::mt19937 random(7);
    std::vector<Query> queries;
    std::vector<FeedbackInput> inputs;
    for (int i = 0; i < kQueries; ++i) {
      queries.push_back(randomQuery(random));
      const Query& q = queries.back();
      inputs.push_back({q.shape.block, q.shape.extent, {q.frame, q.joint, q.texel, 0}});
    }
    const auto outputs = ck::test::runOnGpu(R"(
#include "shared/atlas_address.glsl"
void main() {
  CkAtlasShape shape;
  shape.block = aA;
  shape.extent = aB;
  vWhole = ivec4(ck_atlasTexel(shape, aC.x, aC.y, aC.z), 0, 0);
  vReal = vec4(0.0);
}
)",
                                            inputs);
    QVERIFY(outputs.has_value());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const Query& q = queries[i];
      const glm::ivec2 cpu = ck::gpu::ck_atlasTexel(q.shape, q.frame, q.joint, q.texel);
      const auto [x, y] = placeOf(q);
      QCOMPARE((*outputs)[i].whole.x, cpu.x);
      QCOMPARE((*outputs)[i].whole.y, cpu.y);
      QCOMPARE(static_cast<long long>(cpu.x), x);
      QCOMPARE(static_cast<long long>(cpu.y), y);
    }
  }

  void playbackAgreesOnGpuAndCpu() {
    CK_NEEDS_GL(stage_);
    std::mt19937 random(11);
    std::uniform_real_distribution<float> cycles(-1000.0f, 1000.0f);
    std::vector<FeedbackInput> inputs;
    for (int i = 0; i < kQueries; ++i) {
      FeedbackInput input;
      input.a.x = i % 3;
      input.a.y = 1 + static_cast<int>(random() % 300);
      // Every tenth falls on a whole or half cycle, where the seams are.
      input.d.x = i % 10 == 0 ? std::round(cycles(random)) * 0.5f : cycles(random);
      inputs.push_back(input);
    }
    const auto outputs = ck::test::runOnGpu(R"(
#include "shared/playback.glsl"
void main() {
  float unit = ck_unitTime(aD.x, aA.x);
  CkFrame frame = ck_frameAt(unit, aA.y);
  vWhole = ivec4(frame.frame, ck_nearestFrame(unit, aA.y), 0, 0);
  vReal = vec4(unit, frame.alpha, 0.0, 0.0);
}
)",
                                            inputs);
    QVERIFY(outputs.has_value());
    for (std::size_t i = 0; i < inputs.size(); ++i) checkPlayback(inputs[i], (*outputs)[i]);
  }

  void posesDecodeAlikeOnGpuAndInDouble() {
    CK_NEEDS_GL(stage_);
    std::mt19937 random(13);
    std::uniform_real_distribution<float> one(-1.0f, 1.0f);
    std::vector<FeedbackInput> inputs;
    for (int i = 0; i < 20000; ++i) {
      FeedbackInput input;
      const glm::vec4 q =
          glm::normalize(glm::vec4(one(random), one(random), one(random), one(random) + 1e-3f));
      input.d = q;
      input.e = glm::vec4(one(random), one(random), one(random), 1.0f + 0.5f * one(random));
      input.a = {i % 100, i % 17, i % 31, 0};
      inputs.push_back(input);
    }
    const auto outputs = ck::test::runOnGpu(R"(
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"
void main() {
  CkPose pose = ck_decodePivot(ck_ranged((aE + 2.0) * 0.25, vec4(-2.0), vec4(4.0)),
                               ck_ranged(aD * 0.5 + 0.5, vec4(-1.0), vec4(2.0)));
  vec3 v = vec3(aA.xyz) * 0.01;
  vReal = vec4(ck_posePoint(pose, vec3(0.1, -0.2, 0.3), v), 0.0);
  vWhole = ivec4(0);
}
)",
                                            inputs);
    QVERIFY(outputs.has_value());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const FeedbackInput& in = inputs[i];
      const glm::dquat q(in.d.w, in.d.x, in.d.y, in.d.z);
      const glm::dvec3 v = glm::dvec3(in.a.x, in.a.y, in.a.z) * 0.01;
      const glm::dvec3 expected =
          glm::mat3_cast(q) * (v - glm::dvec3(0.1, -0.2, 0.3)) * static_cast<double>(in.e.w) +
          glm::dvec3(in.e);
      const double distance = glm::distance(expected, glm::dvec3((*outputs)[i].real));
      QVERIFY2(distance < 5e-6, qPrintable(QString::number(distance)));
    }
  }

  void trsPosesMakeTheirMatrixOnTheGpu() {
    CK_NEEDS_GL(stage_);
    std::mt19937 random(17);
    std::uniform_real_distribution<float> one(-1.0f, 1.0f);
    std::vector<FeedbackInput> inputs;
    for (int i = 0; i < 20000; ++i) {
      FeedbackInput input;
      input.d =
          glm::normalize(glm::vec4(one(random), one(random), one(random), one(random) + 1e-3f));
      input.e = glm::vec4(one(random), one(random), one(random), 1.0f + 0.5f * one(random));
      input.a = {i % 100, i % 17, i % 31, 0};
      inputs.push_back(input);
    }
    // Both ways to a vertex must agree, and the matrix must be the one that double makes.
    const auto outputs = ck::test::runOnGpu(R"(
#include "shared/quaternion.glsl"
#include "shared/pose.glsl"
void main() {
  CkPose pose = ck_decodeTrs(ck_ranged((aE + 2.0) * 0.25, vec4(-2.0), vec4(4.0)), aD,
                             vec4(aE.w, 1.0, 0.5, 0.0));
  CkMatrix bind;
  bind.x = vec4(0.0, 1.0, 0.0, 0.1);
  bind.y = vec4(-1.0, 0.0, 0.0, -0.2);
  bind.z = vec4(0.0, 0.0, 1.0, 0.3);
  vec3 v = vec3(aA.xyz) * 0.01;
  vec3 moved = ck_matrixPoint(ck_trsSkinMatrix(pose, bind), v);
  vReal = vec4(moved, distance(moved, ck_trsPoint(pose, bind, v)));
  vWhole = ivec4(0);
}
)",
                                            inputs);
    QVERIFY(outputs.has_value());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const FeedbackInput& in = inputs[i];
      const glm::dquat q(in.d.w, in.d.x, in.d.y, in.d.z);
      const glm::dvec3 v = glm::dvec3(in.a.x, in.a.y, in.a.z) * 0.01;
      const glm::dvec3 bound(v.y + 0.1, -v.x - 0.2, v.z + 0.3);
      const glm::dvec3 sized = bound * glm::dvec3(in.e.w, 1.0, 0.5);
      const glm::dvec3 expected = glm::mat3_cast(q) * sized + glm::dvec3(in.e);
      const glm::vec4& real = (*outputs)[i].real;
      const double distance = glm::distance(expected, glm::dvec3(real));
      QVERIFY2(distance < 5e-6 && real.w < 5e-6f, qPrintable(QString::number(distance)));
    }
  }

 private:
  void checkPlayback(const FeedbackInput& input, const FeedbackOutput& output) {
    const int frameCount = input.a.y;
    const float cpuUnit = ck::gpu::ck_unitTime(input.d.x, input.a.x);
    const ck::gpu::CkFrame cpu = ck::gpu::ck_frameAt(cpuUnit, frameCount);
    QCOMPARE(output.whole.x, cpu.frame);
    QVERIFY(std::abs(output.real.x - cpuUnit) < 1e-6f);
    QVERIFY(std::abs(output.real.y - cpu.alpha) < 1e-4f);
    QCOMPARE(output.whole.y, ck::gpu::ck_nearestFrame(cpuUnit, frameCount));
    QVERIFY(cpu.frame >= 0 && cpu.frame < frameCount);
    QVERIFY(cpu.alpha >= 0.0f && cpu.alpha <= 1.0f);
    // The same cycles in double, by the other definition.
    const double unit =
        ck::unitTime(static_cast<double>(input.d.x), static_cast<ck::LoopMode>(input.a.x));
    QVERIFY(std::abs(unit - static_cast<double>(cpuUnit)) < 1e-6);
    const ck::FramePair pair = ck::framesAt(unit, {frameCount});
    const double there = pair.frame0 + pair.alpha;
    const double here = cpu.frame + static_cast<double>(cpu.alpha);
    QVERIFY(std::abs(there - here) < 1e-4);
  }

  ck::test::GlStage stage_;
};

CK_TEST(tst_atlas_address)
#include "tst_atlas_address.moc"
