#include <QTest>
#include <bit>
#include <cstring>
#include <random>

#include "core/morph/morph_sums.h"
#include "core/skinning/cpu_skinning.h"
#include "render/gl/handle.h"
#include "render/morph/morph_accumulator.h"
#include "tests/support/gl_shader_stage.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::AccumulatorSettings;
using ck::MorphPath;
using ck::render::MorphAccumulator;
using ck::test::ShaderStage;

namespace {

// The bar with shapes of up to 3 cm on every `stride`-th vertex.
ck::Character faceOf(int targets, std::uint32_t stride) {
  ck::Character bar = ck::test::barCharacter();
  ck::Mesh& mesh = bar.meshes[0];
  std::mt19937 random(3);
  const auto centimetres = [&random] {
    return static_cast<float>(static_cast<int>(random() % 6001) - 3000) * 1e-5f;
  };
  for (int t = 0; t < targets; ++t) {
    ck::MorphTarget target;
    target.name = "shape " + std::to_string(t);
    for (std::uint32_t v = static_cast<std::uint32_t>(t) % stride; v < mesh.positions.size();
         v += stride) {
      target.vertices.push_back(v);
      target.positionDeltas.emplace_back(centimetres(), centimetres(), centimetres());
      target.normalDeltas.emplace_back(centimetres(), centimetres(), centimetres());
    }
    mesh.morphTargets.push_back(std::move(target));
    mesh.defaultMorphWeights.push_back(0.0f);
  }
  return bar;
}

void moveWeights(std::vector<float>& weights, std::mt19937& random) {
  for (float& weight : weights) {
    const unsigned dice = random() % 8;
    if (dice == 0) weight = static_cast<float>(random() % 1000) * 1e-3f;
    if (dice == 1) weight = 0.0f;
  }
}

}  // namespace

class tst_morph_accumulator : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() {
    stage_.dropShaders();
    QCOMPARE(ck::render::liveGlObjects(), 0);
  }

  void rejectsWhatTheContextCannotDo() {
    CK_NEEDS_GL(stage_);
    const ck::DifferenceSet set = setOf(faceOf(2, 2));
    for (const int batch : {0, 8}) {
      const auto refused =
          MorphAccumulator::make(set, {.batch = batch}, stage_.shaders(), stage_.facts());
      QVERIFY(!refused);
      QCOMPARE(refused.error().code, ck::ErrorCode::Unsupported);
    }
    const auto floats =
        MorphAccumulator::make(set, {.sums = ck::MorphSums::Float, .path = MorphPath::Compute},
                               stage_.shaders(), stage_.facts());
    QVERIFY(!floats);
  }

  void agreesWithTheProcessorBitForBit_data() {
    QTest::addColumn<int>("targets");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("path");
    QTest::newRow("no target") << 0 << 7 << 0;
    for (int batch = 1; batch <= 7; ++batch) {
      QTest::newRow(qPrintable(QString("batches of %1").arg(batch))) << 16 << batch << 0;
    }
    QTest::newRow("500 targets") << 500 << 7 << 0;
    QTest::newRow("compute") << 16 << 7 << 1;
    QTest::newRow("compute, 500 targets") << 500 << 7 << 1;
    QTest::newRow("compute, no target") << 0 << 7 << 1;
  }
  void agreesWithTheProcessorBitForBit() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, targets);
    QFETCH(int, batch);
    QFETCH(int, path);
    const auto way = static_cast<MorphPath>(path);
    if (way == MorphPath::Compute && isHidden()) return;
    const ck::DifferenceSet set = setOf(faceOf(targets, 3));
    auto accumulator = MorphAccumulator::make(set, {.path = way, .batch = batch}, stage_.shaders(),
                                              stage_.facts());
    QVERIFY2(accumulator, accumulator ? "" : accumulator.error().message.c_str());
    ck::FixedSums sums(set);
    ck::MorphPlanner planner(set.morphs.size(), ck::MorphSums::Fixed);
    std::mt19937 random(9);
    std::vector<float> weights(set.morphs.size(), 0.0f);
    for (int frame = 0; frame < 40; ++frame) {
      const bool jumped = frame == 20;
      if (frame != 10) moveWeights(weights, random);
      const ck::MorphPlan plan = planner.next(weights, jumped);
      sums.apply(plan);
      const auto work = (*accumulator)->update(weights, jumped);
      QVERIFY(work);
      QCOMPARE(work->changed.size(), plan.changes.size());
      const int passes = (int(plan.changes.size()) + batch - 1) / batch;
      if (way == MorphPath::Feedback) QCOMPARE(work->passes, passes);
    }
    const std::vector<std::int32_t> read = (*accumulator)->read();
    QVERIFY(std::equal(read.begin(), read.end(), sums.numbers().begin(), sums.numbers().end()));
  }

  // One hour at 60 frames a second, on a mesh of few vertices.
  void anHourOfChangesEndsAsTheDirectSum_data() {
    QTest::addColumn<int>("path");
    QTest::newRow("feedback") << 0;
    QTest::newRow("compute") << 1;
  }
  void anHourOfChangesEndsAsTheDirectSum() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, path);
    const auto way = static_cast<MorphPath>(path);
    if (way == MorphPath::Compute && isHidden()) return;
    const ck::DifferenceSet set = setOf(faceOf(5, 9));
    auto accumulator = MorphAccumulator::make(set, {.path = way}, stage_.shaders(), stage_.facts());
    QVERIFY(accumulator);
    std::mt19937 random(4);
    std::vector<float> weights(5, 0.0f);
    int rebases = 0;
    for (int frame = 0; frame < 216'000; ++frame) {
      moveWeights(weights, random);
      const auto work = (*accumulator)->update(weights, false);
      QVERIFY(work);
      rebases += work->rebased ? 1 : 0;
    }
    QCOMPARE(rebases, 1);
    ck::FixedSums direct(set);
    ck::MorphPlanner planner(5, ck::MorphSums::Fixed);
    direct.apply(planner.next(weights, false));
    const std::vector<std::int32_t> read = (*accumulator)->read();
    QVERIFY(std::equal(read.begin(), read.end(), direct.numbers().begin(), direct.numbers().end()));
  }

  void floatsStayNearTheReference() {
    CK_NEEDS_GL(stage_);
    const ck::Character face = faceOf(16, 3);
    const ck::DifferenceSet set = setOf(face);
    auto accumulator = MorphAccumulator::make(set, {.sums = ck::MorphSums::Float}, stage_.shaders(),
                                              stage_.facts());
    QVERIFY(accumulator);
    std::mt19937 random(9);
    std::vector<float> weights(16, 0.0f);
    double worst = 0.0;
    for (int frame = 0; frame < 3000; ++frame) {
      moveWeights(weights, random);
      QVERIFY((*accumulator)->update(weights, false));
      if (frame % 59 != 0) continue;
      const auto reference = ck::morphedMesh(face.meshes[0], weights);
      const std::vector<std::int32_t> read = (*accumulator)->read();
      for (std::size_t place = 0; place < set.vertices.size(); ++place) {
        glm::dvec3 at(0.0);
        for (int k = 0; k < 3; ++k) {
          at[k] = static_cast<double>(
              std::bit_cast<float>(read[place * 6 + static_cast<std::size_t>(k)]));
        }
        worst = std::max(worst, glm::distance(at, reference.positions[set.vertices[place]]));
      }
    }
    qInfo("%.4f mm", worst * 1e3);
    QVERIFY(worst > 0.0 && worst < 1e-5);
  }

 private:
  // Missing compute shaders are no fault only where Mesa was told to hide them.
  bool isHidden() const {
    return !stage_.facts().compute && qEnvironmentVariableIsSet("MESA_EXTENSION_OVERRIDE");
  }
  static ck::DifferenceSet setOf(const ck::Character& character) {
    return ck::differenceSet(character, ck::morphSetOf(character));
  }

  ShaderStage stage_;
};

CK_TEST(tst_morph_accumulator)
#include "tst_morph_accumulator.moc"
