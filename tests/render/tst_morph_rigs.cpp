#include <QTest>
#include <bit>
#include <cmath>

#include "core/import/import_process.h"
#include "core/morph/morph_sums.h"
#include "core/system/files.h"
#include "render/gl/handle.h"
#include "render/morph/morph_accumulator.h"
#include "tests/support/gl_shader_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::AccumulatorSettings;
using ck::MorphPath;
using ck::render::MorphAccumulator;
using ck::test::ShaderStage;

namespace {

// Rigs with morph targets, below shared/models, and their references.
struct FacialRig {
  const char* model;
  const char* reference;
};
const FacialRig kRigs[] = {
    {"animated_morph_sphere/AnimatedMorphSphere.gltf",
     "animated_morph_sphere/AnimatedMorphSphere.gltf.three.json"},
    {"blender_io/01_cs_morph.gltf", "blender_io/01_cs_morph.gltf.three.json"},
    {"blender_io/01_morphed_cube.gltf", "blender_io/01_morphed_cube.gltf.three.json"},
    {"morph_primitives/MorphPrimitivesTest.gltf",
     "morph_primitives/MorphPrimitivesTest.gltf.three.json"},
    {"morph_stress/MorphStressTest.gltf", "morph_stress/MorphStressTest.gltf.three.json"},
    {"own_pilgrim/pilgrim.glb", "own_pilgrim/pilgrim.glb.three.json"},
    {"own_quantised_morph/own_quantised_morph.glb",
     "own_quantised_morph/own_quantised_morph.glb.three.json"},
    {"own_quantised_morph/own_quantised_morph.glb",
     "own_quantised_morph/own_quantised_morph.analytic.json"},
    {"robot_expressive/RobotExpressive.glb", "robot_expressive/RobotExpressive.glb.three.json"},
    {"simple_morph/SimpleMorph.gltf", "simple_morph/SimpleMorph.gltf.three.json"},
    {"own_pilgrim/pilgrim.fbx", "own_pilgrim/pilgrim.fbx.ufbx.json"},
    {"ufbx_blend/blender440_shape_weight_anim_7400_binary.fbx",
     "ufbx_blend/blender440_shape_weight_anim_7400_binary.fbx.ufbx.json"},
    {"ufbx_blend/maya_blend_shape_cube_7700_ascii.fbx",
     "ufbx_blend/maya_blend_shape_cube_7700_ascii.fbx.ufbx.json"},
};

std::filesystem::path referenceOf(const FacialRig& rig) {
  return std::filesystem::path(CK_SHARED_DIR) / "models" / "reference" / rig.reference;
}

// Bind positions of a mesh with the places of a difference set where `numbers` say, six a place.
class Placed {
 public:
  Placed(const ck::Character& character, const ck::DifferenceSet& set)
      : character_(character), set_(set) {}

  std::vector<glm::vec3> of(int mesh, const std::function<double(std::size_t)>& number) const {
    std::size_t first = 0;
    for (int m = 0; m < mesh; ++m) {
      first += character_.meshes[static_cast<std::size_t>(m)].positions.size();
    }
    auto positions = character_.meshes[static_cast<std::size_t>(mesh)].positions;
    for (std::size_t v = 0; v < positions.size(); ++v) {
      const std::int32_t place = set_.placeOf[first + v];
      if (place < 0) continue;
      for (int i = 0; i < 3; ++i) {
        const std::size_t at = static_cast<std::size_t>(place) * 6 + static_cast<std::size_t>(i);
        positions[v][i] = static_cast<float>(number(at));
      }
    }
    return positions;
  }

 private:
  const ck::Character& character_;
  const ck::DifferenceSet& set_;
};

}  // namespace

// Facial rigs against what other programs made of them: the named weights of clips, and the
// vertices that each way to add targets up gives.
class tst_morph_rigs : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() {
    stage_.dropShaders();
    QCOMPARE(ck::render::liveGlObjects(), 0);
  }

  void shapesAreThoseOfTheReference_data() {
    QTest::addColumn<int>("rig");
    for (std::size_t i = 0; i < std::size(kRigs); ++i) {
      QTest::newRow(kRigs[i].reference) << static_cast<int>(i);
    }
  }
  void shapesAreThoseOfTheReference() {
    QFETCH(int, rig);
    const FacialRig& face = kRigs[rig];
    const auto model = ck::test::sharedModel(face.model);
    if (!model) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*model);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::MorphSet set = ck::morphSetOf(*character);
    QVERIFY(!set.empty());
    const ck::DifferenceSet differences = ck::differenceSet(*character, set);
    const Placed placed(*character, differences);
    ck::test::PoseComparison how;
    const QString name = face.model;
    how.vertexOrderKept = !name.endsWith(".fbx");
    how.inFileSpace = !how.vertexOrderKept;

    ck::FixedSums sums(differences);
    ck::MorphPlanner planner(set.size(), ck::MorphSums::Fixed);
    how.morph = [&](int mesh, std::span<const float> weights) {
      sums.apply(planner.next(weights, false));
      return placed.of(mesh, [&](std::size_t at) {
        return sums.numbers()[at] / static_cast<double>(differences.scale.position);
      });
    };
    compare(*character, face, how, "integers on the processor");
    if (QTest::currentTestFailed() || !stage_.missing().empty()) return;
    for (const auto& [settings, title] :
         {std::pair{AccumulatorSettings{}, "integers by feedback"},
          std::pair{AccumulatorSettings{.sums = ck::MorphSums::Float}, "floats by feedback"},
          std::pair{AccumulatorSettings{.path = MorphPath::Compute}, "integers by compute"}}) {
      if (!ck::render::whyNotAccumulated(settings.path, settings.sums, stage_.facts()).empty())
        continue;
      auto made = MorphAccumulator::make(differences, settings, stage_.shaders(), stage_.facts());
      QVERIFY2(made, made ? "" : made.error().message.c_str());
      MorphAccumulator& accumulator = **made;
      how.morph = [&](int mesh, std::span<const float> weights) {
        const auto work = accumulator.update(weights, false);
        if (!work) return std::vector<glm::vec3>();
        const std::vector<std::int32_t> read = accumulator.read();
        return placed.of(mesh, [&](std::size_t at) {
          if (accumulator.sums() == ck::MorphSums::Float) {
            return static_cast<double>(std::bit_cast<float>(read[at]));
          }
          return read[at] / static_cast<double>(differences.scale.position);
        });
      };
      compare(*character, face, how, title);
      if (QTest::currentTestFailed()) return;
    }
  }

 private:
  static void compare(const ck::Character& character, const FacialRig& face,
                      const ck::test::PoseComparison& how, const char* title) {
    const auto difference = ck::test::comparePoses(character, referenceOf(face), how);
    qInfo("%s: %d vertices %.1e (%s), %d weights %.1e, %d unmatched%s", title,
          difference.verticesCompared, difference.vertices, difference.worstVertex.c_str(),
          difference.weightsCompared, difference.weights, difference.verticesUnmatched,
          difference.skipped.c_str());
    QVERIFY2(difference.verticesCompared > 0, title);
    QVERIFY2(difference.weightsCompared > 0, title);
    // Of the model's size.
    QVERIFY2(difference.vertices <= 1e-4, title);
    QVERIFY2(difference.weights <= 1e-5, title);
  }

  ShaderStage stage_;
};

CK_TEST(tst_morph_rigs)
#include "tst_morph_rigs.moc"
