#include <QTest>
#include <limits>
#include <random>

#include "core/bake/bake.h"
#include "core/bake/bake_window.h"
#include "core/bake/morph_bake.h"
#include "core/container/atlas_file.h"
#include "core/crowd/actor_morphs.h"
#include "core/crowd/crowd.h"
#include "core/export/sidecar_json.h"
#include "core/morph/difference_set.h"
#include "core/morph/morph_sums.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::barCharacter;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

// A shape that moves every `stride`-th vertex by up to 3 cm, in numbers that follow from the seed.
ck::MorphTarget shape(const ck::Mesh& mesh, const std::string& name, unsigned seed,
                      std::uint32_t stride = 1) {
  std::mt19937 random(seed);
  const auto centimetres = [&random] {
    return static_cast<float>(static_cast<double>(random() % 6001) - 3000.0) * 1e-5f;
  };
  ck::MorphTarget target;
  target.name = name;
  for (std::uint32_t v = seed % stride; v < mesh.positions.size(); v += stride) {
    target.vertices.push_back(v);
    target.positionDeltas.emplace_back(centimetres(), centimetres(), centimetres());
    target.normalDeltas.emplace_back(centimetres(), centimetres(), centimetres());
  }
  return target;
}

ck::Character faceOf(int targets, std::uint32_t stride = 1) {
  ck::Character bar = barCharacter();
  for (int t = 0; t < targets; ++t) {
    bar.meshes[0].morphTargets.push_back(
        shape(bar.meshes[0], "shape " + std::to_string(t), 7u + static_cast<unsigned>(t), stride));
    bar.meshes[0].defaultMorphWeights.push_back(0.0f);
  }
  return bar;
}

// The same targets on two meshes.
ck::Character faceWithTeeth(int targets) {
  ck::Character bar = faceOf(targets);
  bar.meshes.push_back(bar.meshes[0]);
  bar.meshes[1].name = "Teeth";
  return bar;
}

ck::Track<float> ramp(float from, float to, double seconds = 1.0) {
  return {ck::Interpolation::Linear, {0.0, seconds}, {from, to}};
}

// Sums of floats, to which (now - before) * difference is added.
class FloatSums {
 public:
  explicit FloatSums(const ck::DifferenceSet& set) : set_(set) {
    for (std::size_t place = 0; place < set.positions.size(); ++place) {
      for (int k = 0; k < 3; ++k) base_.push_back(set.positions[place][k]);
      for (int k = 0; k < 3; ++k) base_.push_back(set.normals[place][k]);
    }
    numbers_ = base_;
  }
  void apply(const ck::MorphPlan& plan) {
    if (plan.rebase) numbers_ = base_;
    for (const ck::MorphChange& change : plan.changes) {
      const ck::DifferenceMesh& morph = set_.morphs[static_cast<std::size_t>(change.morph)];
      const float step = change.now - change.before;
      for (std::size_t i = 0; i < morph.places.size(); ++i) {
        float* at = numbers_.data() + std::size_t{morph.places[i]} * 6;
        for (int k = 0; k < 3; ++k) at[k] += step * morph.positions[i][k];
        for (int k = 0; k < 3; ++k) at[3 + k] += step * morph.normals[i][k];
      }
    }
  }
  std::span<const float> numbers() const { return numbers_; }

 private:
  const ck::DifferenceSet& set_;
  std::vector<float> base_;
  std::vector<float> numbers_;
};

// Where the sums say that places are, against the reference in double, in metres.
double farthest(const ck::Character& character, const ck::DifferenceSet& differences,
                std::span<const float> weights, const std::function<double(std::size_t)>& number) {
  const ck::MorphSet set = ck::morphSetOf(character);
  const auto own = ck::weightsOfMesh(set, character, 0, weights);
  const ck::MorphedMesh reference = ck::morphedMesh(character.meshes[0], own);
  double most = 0.0;
  for (std::size_t place = 0; place < differences.vertices.size(); ++place) {
    const glm::dvec3 at(number(place * 6), number(place * 6 + 1), number(place * 6 + 2));
    most = std::max(most, glm::distance(at, reference.positions[differences.vertices[place]]));
  }
  return most;
}

// Weights as a face has them: most rest, some move a little, some jump.
void moveWeights(std::vector<float>& weights, std::mt19937& random) {
  for (float& weight : weights) {
    const unsigned dice = random() % 8;
    if (dice == 0) weight = static_cast<float>(random() % 1000) * 1e-3f;
    if (dice == 1) weight = 0.0f;
    if (dice == 2) weight = glm::clamp(weight + 0.013f, -1.0f, 1.0f);
  }
}

}  // namespace

class tst_morph : public QObject {
  Q_OBJECT
 private slots:
  void rejectsWeightsThatAreNoNumbersOrTooLarge_data() {
    QTest::addColumn<float>("weight");
    QTest::newRow("not a number") << kNan;
    QTest::newRow("infinite") << kInfinite;
    QTest::newRow("minus infinite") << -kInfinite;
    QTest::newRow("too large") << 17.0f;
  }
  void rejectsWeightsThatAreNoNumbersOrTooLarge() {
    QFETCH(float, weight);
    const ck::MorphSet set = ck::morphSetOf(faceOf(2));
    const std::vector<float> weights = {0.5f, weight};
    const auto refused = ck::checkMorphWeights(set, weights);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY(refused.error().message.find("shape 1") != std::string::npos);
    ck::Character bar = faceOf(2);
    bar.clips[0].morphTracks.push_back({0, 1, ramp(0.0f, weight)});
    if (std::isfinite(weight)) QVERIFY(!ck::bake(bar, {}));
  }

  void rejectsTargetsOfOtherVertexCounts() {
    ck::Character bar = faceOf(1);
    bar.meshes[0].morphTargets[0].vertices.back() = 10'000;
    QVERIFY(!ck::validate(bar));
  }

  void targetsOfOneNameBelongToTheirMeshes() {
    ck::Character bar = faceWithTeeth(2);
    bar.clips[0].morphTracks.push_back({0, 0, ramp(0.0f, 1.0f)});
    const ck::MorphSet set = ck::morphSetOf(bar);
    QCOMPARE(set.size(), std::size_t{4});
    QCOMPARE(set[1].name, "shape 1 (" + bar.meshes[0].name + ")");
    QCOMPARE(set[3].name, std::string("shape 1 (Teeth)"));
    QCOMPARE(set[3].members, (std::vector<ck::MorphMember>{{1, 1}}));
    const auto weights = ck::sampleMorphs(set, bar.clips[0], 0.25);
    QCOMPARE(weights, (std::vector<float>{0.25f, 0.0f, 0.0f, 0.0f}));
    QCOMPARE(ck::weightsOfMesh(set, bar, 1, std::vector<float>{0.1f, 0.2f, 0.3f, 0.7f}),
             (std::vector<float>{0.3f, 0.7f}));
  }

  void targetsOfOneChannelShareTheirWeight() {
    ck::Character bar = faceWithTeeth(2);
    bar.meshes[0].morphTargets[1].channel = 7;
    bar.meshes[1].morphTargets[1].channel = 7;
    const ck::MorphSet set = ck::morphSetOf(bar);
    QCOMPARE(set.size(), std::size_t{3});
    QCOMPARE(set[1].name, std::string("shape 1"));
    QCOMPARE(set[1].members, (std::vector<ck::MorphMember>{{0, 1}, {1, 1}}));
    QCOMPARE(ck::weightsOfMesh(set, bar, 1, std::vector<float>{0.0f, 0.7f, 0.0f})[1], 0.7f);
  }

  void namesStayUniqueAndReadable() {
    ck::Character bar = faceWithTeeth(2);
    bar.meshes[1].morphTargets[0].name = "shape 1";
    bar.meshes[0].morphTargets[0].name = "shape 1 (Teeth)";
    std::vector<std::string> names;
    for (const ck::NamedMorph& morph : ck::morphSetOf(bar)) names.push_back(morph.name);
    QCOMPARE(names,
             (std::vector<std::string>{"shape 1 (Teeth)", "shape 1 (" + bar.meshes[0].name + ")",
                                       "shape 1 (Teeth) 2", "shape 1 (Teeth) 3"}));
    bar.meshes.resize(1);
    bar.meshes[0].morphTargets[0].name = "shape 1";
    const ck::MorphSet set = ck::morphSetOf(bar);
    QCOMPARE(set[0].name, std::string("shape 1"));
    QCOMPARE(set[1].name, std::string("shape 1 2"));
  }

  // Projects and atlases name targets as they were called when equal names were one morph.
  void olderNamesStillFindTheirTargets() {
    ck::Character bar = faceWithTeeth(2);
    const ck::MorphSet apart = ck::morphSetOf(bar);
    QCOMPARE(ck::morphsNamed(apart, "shape 1"), (std::vector<int>{1, 3}));
    QCOMPARE(ck::morphsNamed(apart, "shape 1 (Teeth)"), (std::vector<int>{3}));
    QCOMPARE(ck::morphsNamed(apart, "shape 9"), std::vector<int>());
    // The weight of the name that means one of them counts more.
    ck::Actor actor;
    ck::setMorph(actor, "shape 1 (Teeth)", 0.2f);
    ck::setMorph(actor, "shape 1", 0.6f);
    const std::vector<ck::Actor> actors = {actor};
    const ck::Crowd crowd(actors, std::vector<ck::CrowdClip>(1));
    std::vector<float> weights(4, 0.0f);
    ck::setOwnMorphs(apart, crowd, 0, weights);
    QCOMPARE(weights, (std::vector<float>{0.0f, 0.6f, 0.0f, 0.2f}));

    const ck::Atlas before = ck::bake(faceOf(2), {})->atlas;  // "shape 0", "shape 1"
    QCOMPARE(ck::storedMorphs(apart, before.morphs.names), (std::vector<int>{0, 1, 0, 1}));
    ck::joinEqualMorphs(bar);
    const ck::MorphSet joined = ck::morphSetOf(bar);
    QCOMPARE(ck::morphsNamed(joined, "shape 1 (Teeth)"), (std::vector<int>{1}));
  }

  void artistsMayJoinEqualNames() {
    ck::Character bar = faceWithTeeth(2);
    bar.clips[0].morphTracks.push_back({0, 0, ramp(0.0f, 1.0f)});
    ck::joinEqualMorphs(bar);
    const ck::MorphSet set = ck::morphSetOf(bar);
    QCOMPARE(set.size(), std::size_t{2});
    QCOMPARE(set[1].members, (std::vector<ck::MorphMember>{{0, 1}, {1, 1}}));
    QCOMPARE(set[1].name, std::string("shape 1"));
    // Shapes that the file drives apart stay apart.
    ck::Character other = faceWithTeeth(1);
    other.clips[0].morphTracks.push_back({0, 0, ramp(0.0f, 1.0f)});
    other.clips[0].morphTracks.push_back({1, 0, ramp(1.0f, 0.0f)});
    ck::joinEqualMorphs(other);
    QCOMPARE(ck::morphSetOf(other).size(), std::size_t{2});
  }

  void onlyPlacesThatMoveAreKept() {
    ck::Character bar = faceOf(1, 5);
    const auto differences = ck::differenceSet(bar, ck::morphSetOf(bar));
    QCOMPARE(differences.vertices.size(), bar.meshes[0].morphTargets[0].vertices.size());
    QVERIFY(differences.vertices.size() < bar.meshes[0].positions.size() / 4);
  }

  void integersHoldWhatTheReferenceSays_data() {
    QTest::addColumn<int>("targets");
    QTest::addColumn<double>("scale");
    QTest::newRow("no target") << 0 << 1.0;
    QTest::newRow("one") << 1 << 1.0;
    QTest::newRow("sixteen") << 16 << 1.0;
    QTest::newRow("500 targets") << 500 << 1.0;
    QTest::newRow("a giant in centimetres") << 3 << 400.0;
    QTest::newRow("mirrored") << 3 << -1.0;
  }
  void integersHoldWhatTheReferenceSays() {
    QFETCH(int, targets);
    QFETCH(double, scale);
    ck::Character bar = faceOf(targets);
    for (glm::vec3& position : bar.meshes[0].positions) {
      position *= glm::vec3(static_cast<float>(scale), std::abs(static_cast<float>(scale)),
                            std::abs(static_cast<float>(scale)));
    }
    const auto differences = ck::differenceSet(bar, ck::morphSetOf(bar));
    ck::MorphPlanner planner(static_cast<std::size_t>(targets), ck::MorphSums::Fixed);
    ck::FixedSums sums(differences);
    std::mt19937 random(5);
    std::vector<float> weights(static_cast<std::size_t>(targets), 0.0f);
    for (int frame = 0; frame < 50; ++frame) {
      moveWeights(weights, random);
      sums.apply(planner.next(weights, false));
    }
    const double step = 1.0 / static_cast<double>(differences.scale.position);
    const double off = farthest(bar, differences, weights,
                                [&](std::size_t i) { return sums.numbers()[i] * step; });
    // Half a step for each rounding and axis (docs/techniques.md 5.1), and a float's rounding of a
    // product.
    QVERIFY2(off <= (targets + 1) * step * 0.9 + 1e-7 * std::abs(scale),
             qPrintable(QString::number(off)));
  }

  void oneVertexMorphs() {
    ck::Character bar = faceOf(0);
    bar.meshes[0].morphTargets.push_back({"dot", {3}, {{0.0f, 0.25f, 0.0f}}, {}, {}});
    bar.meshes[0].defaultMorphWeights = {0.0f};
    const auto differences = ck::differenceSet(bar, ck::morphSetOf(bar));
    QCOMPARE(differences.vertices, (std::vector<std::uint32_t>{3}));
    ck::FixedSums sums(differences);
    ck::MorphPlanner planner(1, ck::MorphSums::Fixed);
    sums.apply(planner.next(std::vector<float>{0.5f}, false));
    const double y = sums.numbers()[1] / static_cast<double>(differences.scale.position);
    QVERIFY(std::abs(y - (bar.meshes[0].positions[3].y + 0.125)) < 1e-6);
  }

  // One hour at 60 frames a second.
  void anHourOfChangesEndsAsTheDirectSum() {
    const ck::Character bar = faceOf(16, 4);
    const auto differences = ck::differenceSet(bar, ck::morphSetOf(bar));
    ck::FixedSums sums(differences);
    ck::MorphPlanner planner(16, ck::MorphSums::Fixed);
    std::mt19937 random(11);
    std::vector<float> weights(16, 0.0f);
    std::size_t rebases = 0;
    for (int frame = 0; frame < 216'000; ++frame) {
      moveWeights(weights, random);
      const ck::MorphPlan plan = planner.next(weights, false);
      rebases += plan.rebase ? 1 : 0;
      sums.apply(plan);
    }
    QCOMPARE(rebases, std::size_t{1});
    ck::FixedSums direct(differences);
    ck::MorphPlanner fresh(16, ck::MorphSums::Fixed);
    direct.apply(fresh.next(weights, false));
    QVERIFY(std::equal(sums.numbers().begin(), sums.numbers().end(), direct.numbers().begin(),
                       direct.numbers().end()));
  }

  void floatsDriftUnlessTheyAreMadeAnew() {
    const ck::Character bar = faceOf(16, 4);
    const auto differences = ck::differenceSet(bar, ck::morphSetOf(bar));
    FloatSums kept(differences);
    FloatSums drifting(differences);
    ck::MorphPlanner planner(16, ck::MorphSums::Float);
    ck::MorphPlanner never(16, ck::MorphSums::Fixed);
    std::mt19937 random(11);
    std::vector<float> weights(16, 0.0f);
    double worstKept = 0.0;
    double worstDrifting = 0.0;
    for (int frame = 0; frame < 36'000; ++frame) {
      moveWeights(weights, random);
      kept.apply(planner.next(weights, false));
      drifting.apply(never.next(weights, false));
      if (frame % 97 != 0) continue;
      const auto off = [&](const FloatSums& sums) {
        return farthest(bar, differences, weights,
                        [&](std::size_t i) { return static_cast<double>(sums.numbers()[i]); });
      };
      worstKept = std::max(worstKept, off(kept));
      worstDrifting = std::max(worstDrifting, off(drifting));
    }
    qInfo("after ten minutes: %.4f mm with the policy, %.4f mm without", worstKept * 1e3,
          worstDrifting * 1e3);
    QVERIFY(worstKept < 1e-5);  // 0.01 mm, docs/techniques.md 5.1
    QVERIFY(worstDrifting > 2.0 * worstKept);
  }

  void onlyChangedTargetsArePlanned() {
    ck::MorphPlanner planner(3, ck::MorphSums::Fixed);
    const std::vector<float> weights = {0.0f, 0.5f, 0.25f};
    const ck::MorphPlan first = planner.next(weights, false);
    QVERIFY(first.rebase);
    QCOMPARE(first.changes.size(), std::size_t{2});
    QVERIFY(planner.next(weights, false).changes.empty());
    const ck::MorphPlan jumped = planner.next(weights, true);
    QVERIFY(jumped.rebase);
    QCOMPARE(jumped.changes.size(), std::size_t{2});
    QCOMPARE(jumped.changes[0].before, 0.0f);
    const ck::MorphPlan all = planner.next(weights, false, false);
    QCOMPARE(all.changes.size(), std::size_t{3});
  }

  void actorsKeepTheirWeightsInOrder() {
    ck::Actor actor;
    ck::setMorph(actor, "smile", 0.5f);
    ck::setMorph(actor, "blink", 1.0f);
    ck::setMorph(actor, "smile", 0.25f);
    QCOMPARE(actor.morphs, (std::vector<ck::MorphWeight>{{"blink", 1.0f}, {"smile", 0.25f}}));
    ck::setMorph(actor, "blink", {});
    ck::setMorph(actor, "frown", {});
    QVERIFY(!ck::morphOf(actor, "blink"));
    QCOMPARE(*ck::morphOf(actor, "smile"), 0.25f);
    const std::vector<ck::Actor> actors = {ck::Actor{}, actor};
    const ck::Crowd crowd(actors, {});
    QVERIFY(crowd.morphsOf(0).empty());
    QCOMPARE(crowd.morphNames()[static_cast<std::size_t>(crowd.morphsOf(1)[0].name)],
             std::string("smile"));
  }

  void clipsKeepTheWeightsOfTheirFrames() {
    ck::Character bar = faceOf(3);
    bar.meshes[0].defaultMorphWeights[2] = 0.4f;
    bar.clips[0].morphTracks.push_back(
        {0, 1, {ck::Interpolation::Linear, {0.0, 0.5, 1.0}, {-0.5f, 1.5f, -0.5f}}});
    const auto baked = ck::bake(bar, {});
    QVERIFY(baked);
    const ck::AtlasMorphs& morphs = baked->atlas.morphs;
    QCOMPARE(morphs.names.size(), std::size_t{3});
    QCOMPARE(morphs.clips[0].kept.size(), std::size_t{1});
    QVERIFY(morphs.clips[1].kept.empty());
    for (const double unit : {0.0, 0.1, 0.25, 0.5, 0.77, 1.0}) {
      const auto weights =
          ck::bakedMorphWeights(morphs, 0, unit, ck::frameGridOf(baked->atlas.clips[0]));
      const double due = -0.5 + 2.0 * (1.0 - std::abs(2.0 * unit - 1.0));
      // Half of a 255th of the range.
      QVERIFY(std::abs(static_cast<double>(weights[1]) - due) <= 2.0 / 510.0 + 1e-6);
      QCOMPARE(weights[0], 0.0f);
      QCOMPARE(weights[2], 0.4f);
    }
    QVERIFY(morphs.clips[0].lossMm > 0.0 && morphs.clips[0].lossMm < 0.5);
  }

  void clipsKeepAsManyShapesAsAskedFor_data() {
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<int>("bits");
    QTest::addColumn<std::size_t>("kept");
    QTest::newRow("one") << 1 << 8 << std::size_t{1};
    QTest::newRow("the usual") << 8 << 8 << std::size_t{8};
    QTest::newRow("all") << 12 << 8 << std::size_t{12};
    QTest::newRow("the usual, finely") << 8 << 16 << std::size_t{8};
    QTest::newRow("more than there are, finely") << 64 << 16 << std::size_t{12};
  }
  void clipsKeepAsManyShapesAsAskedFor() {
    QFETCH(int, slotCount);
    QFETCH(int, bits);
    QFETCH(std::size_t, kept);
    constexpr int kShapes = 12;
    const double steps = bits == 8 ? 255.0 : 65535.0;
    const auto lowOf = [](int shape) { return -0.05 * shape; };
    const auto highOf = [](int shape) { return 1.0 + 0.1 * shape; };
    ck::Character bar = faceOf(kShapes);
    for (int t = 0; t < kShapes; ++t) {
      const auto low = static_cast<float>(lowOf(t));
      const auto high = static_cast<float>(highOf(t));
      bar.clips[0].morphTracks.push_back(
          {0, t, {ck::Interpolation::Linear, {0.0, 0.5, 1.0}, {low, high, low}}});
    }
    ck::BakeSettings settings;
    settings.morphs = {slotCount, bits};
    settings.frames = 9;  // the middle one has the largest weights
    const auto baked = ck::bake(bar, settings);
    QVERIFY(baked);
    const ck::AtlasMorphs& morphs = baked->atlas.morphs;
    QVERIFY(morphs.form == settings.morphs);
    const ck::AtlasClipMorphs& clip = morphs.clips[0];
    QCOMPARE(clip.kept.size(), kept);
    QCOMPARE(clip.weights.size(),
             static_cast<std::size_t>(baked->atlas.clips[0].frameCount * slotCount));
    // The most that half a step of every shape moves a vertex, and 0.1 um for floats.
    double bound = 1e-7;
    for (const ck::MorphSlot& slot : clip.kept) {
      const int t = slot.morph;
      const double halfStep = (highOf(t) - lowOf(t)) / (2.0 * steps);
      for (const double unit : {0.0, 0.1, 0.25, 0.5, 0.77, 1.0}) {
        const double due = lowOf(t) + (highOf(t) - lowOf(t)) * (1.0 - std::abs(2.0 * unit - 1.0));
        const auto shown = static_cast<double>(ck::bakedMorphWeights(
            morphs, 0, unit, ck::frameGridOf(baked->atlas.clips[0]))[static_cast<std::size_t>(t)]);
        QVERIFY2(std::abs(shown - due) <= halfStep + 1e-6, qPrintable(QString::number(unit)));
      }
      double longest = 0.0;
      const ck::MorphTarget& target = bar.meshes[0].morphTargets[static_cast<std::size_t>(t)];
      for (const glm::vec3& delta : target.positionDeltas) {
        longest = std::max(longest, static_cast<double>(glm::length(delta)));
      }
      bound += halfStep * longest;
    }
    qInfo("%d slots of %d bits: %.6f mm lost, half steps move %.6f mm", slotCount, bits,
          clip.lossMm, bound * 1e3);
    const bool all = kept == kShapes;
    QCOMPARE(clip.lossMm <= bound * 1e3, all);
    const auto note = std::ranges::find(baked->notes, "MorphsReduced", &ck::Note::code);
    QCOMPARE(note != baked->notes.end(), clip.lossMm > 0.5);
    if (note == baked->notes.end()) return;
    const std::string says = all ? "weights of morph targets have " + std::to_string(bits) + " bits"
                                 : "a clip keeps the " + std::to_string(slotCount) +
                                       " morph targets that move most, " + std::to_string(bits) +
                                       " bits each";
    QVERIFY2(note->message.starts_with(says), note->message.c_str());
    QCOMPARE(note->message.find("; moves 12)") == std::string::npos, all);
  }

  void bakedWeightsSurviveFilesAndSidecars_data() {
    QTest::addColumn<int>("slotCount");
    QTest::addColumn<int>("bits");
    for (const int count : {1, 8, 11, 64}) {
      for (const int bits : {8, 16}) QTest::addRow("%d of %d bits", count, bits) << count << bits;
    }
  }
  void bakedWeightsSurviveFilesAndSidecars() {
    QFETCH(int, slotCount);
    QFETCH(int, bits);
    ck::Character bar = faceOf(10);
    for (int t = 0; t < 10; ++t) bar.clips[1].morphTracks.push_back({0, t, ramp(-0.3f, 1.0f)});
    ck::BakeSettings settings;
    settings.morphs = {slotCount, bits};
    const auto baked = ck::bake(bar, settings);
    QVERIFY(baked);
    const auto file = ck::atlasFromBytes(ck::unpackedAtlasToBytes(baked->atlas));
    QVERIFY(file);
    QVERIFY(*file == baked->atlas);
    const std::string text = ck::sidecarText({.name = "bar", .atlas = baked->atlas});
    const auto sidecar = ck::sidecarFromText(text);
    QVERIFY2(sidecar, sidecar ? "" : sidecar.error().message.c_str());
    QVERIFY(sidecar->atlas.morphs == baked->atlas.morphs);
    QVERIFY(ck::checkRestated(text, *sidecar));
    std::string forged = text;
    forged.replace(forged.find("\"lossMm\""), 8, "\"loss\"");
    QVERIFY(!ck::sidecarFromText(forged));
  }

  void rejectsBakedWeightsThatMakeNoSense_data() {
    QTest::addColumn<int>("fault");
    QTest::newRow("a target that is not there") << 0;
    QTest::newRow("too few bytes") << 1;
    QTest::newRow("a weight that is no number") << 2;
    QTest::newRow("clips that do not fit") << 3;
    QTest::newRow("bytes where nothing is kept") << 4;
    QTest::newRow("weights of twelve bits") << 5;
    QTest::newRow("no slots") << 6;
    QTest::newRow("too many slots") << 7;
  }
  void rejectsBakedWeightsThatMakeNoSense() {
    QFETCH(int, fault);
    ck::Character bar = faceOf(2);
    bar.clips[1].morphTracks.push_back({0, 1, ramp(0.0f, 1.0f)});
    ck::Atlas atlas = ck::bake(bar, {})->atlas;
    QVERIFY(ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas)));
    ck::AtlasClipMorphs& clip = atlas.morphs.clips[1];
    if (fault == 0) clip.kept[0].morph = 2;
    if (fault == 1) clip.weights.pop_back();
    if (fault == 2) clip.kept[0].size = kNan;
    if (fault == 3) atlas.morphs.clips.pop_back();
    if (fault == 4) clip.weights[5] = 1;
    if (fault == 5) atlas.morphs.form.bits = 12;
    if (fault == 6) atlas.morphs.form.slotCount = 0;
    if (fault == 7) atlas.morphs.form.slotCount = 65;
    QVERIFY(!ck::atlasFromBytes(ck::unpackedAtlasToBytes(atlas)));
  }

  void rejectsWeightsThatTheirBitsDoNotHold() {
    ck::AtlasMorphs morphs;
    morphs.names = {"smile"};
    morphs.defaults = {0.0f};
    morphs.clips = {{.kept = {{0, 0.0f, 1.0f}}, .weights = {0, 256}}};
    morphs.form = {1, 8};
    QVERIFY(!ck::checkMorphs(morphs, {2}));
    morphs.form.bits = 16;
    QVERIFY(ck::checkMorphs(morphs, {2}));
    morphs.names.clear();
    morphs.defaults.clear();
    morphs.clips.clear();
    QVERIFY(!ck::checkMorphs(morphs, {2}));  // a form of nothing
  }

  void rejectsFormsThatCannotBeBaked() {
    const ck::Character bar = faceOf(1);
    for (const ck::MorphForm form : {ck::MorphForm{0, 8}, {65, 8}, {8, 7}, {8, 32}}) {
      ck::BakeSettings settings;
      settings.morphs = form;
      const auto baked = ck::bake(bar, settings);
      QVERIFY(!baked);
      QCOMPARE(baked.error().code, ck::ErrorCode::InvalidInput);
    }
  }

  void theShapesThatMoveMostAreKept() {
    ck::Character bar = faceOf(12);
    for (int t = 0; t < 12; ++t) {
      // The first four hardly move.
      bar.clips[1].morphTracks.push_back({0, t, ramp(0.0f, t < 4 ? 0.01f : 1.0f)});
    }
    const auto baked = ck::bake(bar, {});
    QVERIFY(baked);
    const ck::AtlasClipMorphs& clip = baked->atlas.morphs.clips[1];
    QCOMPARE(clip.kept.size(), std::size_t{8});
    QCOMPARE(clip.kept.front().morph, 4);
    // The loss is the movement of the four by the reference, and a little for the steps of 8 bits.
    double due = 0.0;
    const std::vector<float> weights = {0.01f, 0.01f, 0.01f, 0.01f, 0, 0, 0, 0, 0, 0, 0, 0};
    const auto reference = ck::morphedMesh(bar.meshes[0], weights);
    for (std::size_t v = 0; v < reference.positions.size(); ++v) {
      due = std::max(due,
                     glm::distance(reference.positions[v], glm::dvec3(bar.meshes[0].positions[v])));
    }
    QVERIFY2(std::abs(clip.lossMm - due * 1e3) < 0.3, qPrintable(QString::number(clip.lossMm)));
  }

  void wrongWeightsAreTold_data() {
    QTest::addColumn<int>("fault");
    QTest::addColumn<QString>("says");
    QTest::newRow("none") << 0 << "";
    QTest::newRow("one step of 8 bits") << 1 << "clip 'Bend' gives 'shape 1'";
    QTest::newRow("another range") << 2 << "clip 'Bend' gives 'shape 1'";
    QTest::newRow("another target") << 3 << "clip 'Bend' gives 'shape 0'";
    QTest::newRow("another default") << 4 << "'shape 0' has the default 0.5 there and 0 here";
    QTest::newRow("no slot") << 5 << "clip 'Bend' gives 'shape 1'";
    QTest::newRow("a target that the rig lacks") << 6 << "no morph target 'frown'";
    QTest::newRow("another loss") << 7 << "states that they lose 9.0000 mm";
    QTest::newRow("no weights") << 8 << "clip 'Bend' moves morph targets";
  }
  void wrongWeightsAreTold() {
    QFETCH(int, fault);
    QFETCH(QString, says);
    ck::Character bar = faceOf(2);
    bar.clips[0].morphTracks.push_back({0, 1, ramp(0.0f, 1.0f)});
    ck::Atlas atlas = ck::bake(bar, {})->atlas;
    ck::AtlasClipMorphs& clip = atlas.morphs.clips[0];
    if (fault == 1) ++clip.weights[3 * std::size_t(atlas.morphs.form.slotCount)];
    if (fault == 2) clip.kept[0].size *= 1.1f;
    if (fault == 3) clip.kept[0].morph = 0;
    if (fault == 4) atlas.morphs.defaults[0] = 0.5f;
    if (fault == 5) clip = {};
    if (fault == 6) atlas.morphs.names[0] = "frown";
    if (fault == 7) clip.lossMm = 9.0;
    if (fault == 8) atlas.morphs = {};
    std::vector<ck::BakeWindow> windows;
    for (const ck::AtlasClip& baked : atlas.clips) {
      windows.push_back(*ck::bakedWindow(bar, atlas.recipe, baked));
    }
    const auto checked = ck::checkBakedMorphs(bar, windows, atlas.morphs, {});
    QCOMPARE(checked.has_value(), fault == 0);
    if (checked) return;
    QCOMPARE(checked.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY2(checked.error().message.find(says.toStdString()) != std::string::npos,
             checked.error().message.c_str());
  }

  void bakingWeightsStopsBetweenFrames() {
    ck::Character bar = faceOf(2);
    bar.clips[0].morphTracks.push_back({0, 1, ramp(0.0f, 1.0f)});
    ck::BakeSettings settings;
    settings.frames = 1000;
    const auto windows = ck::planWindows(bar, settings);
    QVERIFY(windows);
    std::stop_source source;
    int moments = 0;
    ck::JobContext job;
    job.stop = source.get_token();
    job.report = [&](float, std::string_view) {
      if (++moments == 5) source.request_stop();
    };
    const auto stopped = ck::bakeMorphs(bar, *windows, {}, job);
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().code, ck::ErrorCode::Cancelled);
    QCOMPARE(moments, 5);
    // A whole bake is stopped in its weights as well.
    std::stop_source later;
    bool inWeights = false;
    job.stop = later.get_token();
    job.report = [&](float, std::string_view step) {
      QVERIFY(!inWeights);
      inWeights = step.find("morph") != std::string_view::npos;
      if (inWeights) later.request_stop();
    };
    const auto bake = ck::bake(bar, settings, job);
    QVERIFY(!bake);
    QCOMPARE(bake.error().code, ck::ErrorCode::Cancelled);
    QVERIFY(inWeights);
  }

  // Every moment that is measured is reported, and counted here.
  void workOnWeightsGrowsWithTheFrames() {
    ck::Character bar = faceOf(2);
    bar.clips.resize(1);
    bar.clips[0].morphTracks.push_back({0, 1, ramp(0.0f, 1.0f)});
    for (const int frames : {100, 200, 400}) {
      ck::BakeSettings settings;
      settings.frames = frames;
      int moments = 0;
      ck::JobContext job;
      job.report = [&](float, std::string_view) { ++moments; };
      QVERIFY(ck::bakeMorphs(bar, *ck::planWindows(bar, settings), {}, job));
      QCOMPARE(moments, 2 * frames - 1);
    }
  }
};

CK_TEST(tst_morph)
#include "tst_morph.moc"
