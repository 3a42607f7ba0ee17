#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/bake/bake.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

// Small files of kinds that real files led to, each against a value that another reader or a
// formula gives (the README beside the files).
class tst_field_cases : public QObject {
  Q_OBJECT

  const std::filesystem::path folder_ = std::filesystem::path(CK_SHARED_DIR) / "field";

  ck::Character read(std::string_view file) const {
    auto character = ck::importCharacter(folder_ / file);
    if (!character) throw std::runtime_error(character.error().message);
    return std::move(*character);
  }

  static bool says(const ck::Character& character, std::string_view word) {
    return std::ranges::any_of(character.notes, [word](const ck::Note& note) {
      return note.message.find(word) != std::string::npos;
    });
  }

  static glm::dvec3 jointAt(const ck::Character& character, const char* name, double seconds) {
    const auto joint = ck::findJoint(character.rig, name);
    if (!joint) throw std::runtime_error(std::string("no joint ") + name);
    const auto pose = ck::sampleClip(character.rig, character.clips.at(0), seconds);
    return glm::dvec3(ck::globalMatrices(character.rig, pose)[std::size_t(*joint)][3]);
  }

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    if (!std::filesystem::exists(folder_)) QSKIP("the shared field cases are not there");
  }

  void gltfBuffersLieWhereTheirUriSays() {
    for (const char* file : {"gltf/A_buffer_uri_plus/c40d_plus/c40d_plus.gltf",
                             "gltf/A_buffer_uri_percent/c06c_uri_raw_percent/"
                             "c06c_uri_raw_percent.gltf"}) {
      QCOMPARE(read(file).meshes.at(0).positions.size(), std::size_t{72});
    }
  }

  void twoGltfKeysAtOneTimeAreAJump() {
    const auto character = read("gltf/B_two_keys/c34_two_keys_one_time/c34_two_keys_one_time.glb");
    QVERIFY(glm::distance(jointAt(character, "j0", 1.01), glm::dvec3(1, 0, 0)) < 1e-6);
    QVERIFY(glm::length(jointAt(character, "j0", 0.99)) < 1e-6);
    QVERIFY(character.notes.empty());
  }

  void morphTargetsHaveTheNamesOfTheirPrimitive() {
    const auto character = read(
        "gltf/C_morph_names/c33a_names_in_primitive_extras/c33a_names_in_primitive_extras.glb");
    const auto& targets = character.meshes.at(0).morphTargets;
    QCOMPARE(targets.size(), std::size_t{2});
    QCOMPARE(targets[0].name, std::string("smile"));
    QCOMPARE(targets[1].name, std::string("blink"));
  }

  void clipsLastAsLongAsTheirLongestChannel() {
    const auto character =
        read("gltf/H_clip_length/c32_clip_longer_by_empty/c32_clip_longer_by_empty.glb");
    QCOMPARE(character.clips.at(0).durationSeconds, 2.0);
  }

  void planksOfUnevenScaleFitIntoPivots() {
    const auto character = read("gltf/F_uneven_scale/s1_rigid_plank_uneven_child.glb");
    const auto result = ck::bake(character, {});
    QVERIFY(result && result->atlas.recipe.encoding == ck::Encoding::P16);
    const auto skins = ck::atlasSkinMatrices(result->atlas, 0, 0.0, ck::Reading::Direct);
    const ck::SkinnedMesh posed = ck::skinMesh(character.meshes.at(0), skins);
    for (const glm::dvec3& corner : posed.positions) {
      const glm::dvec3 due(1.0, corner.y > 1.0 ? 1.1 : 0.9, 0.3);
      QVERIFY(glm::distance(glm::dvec3(std::abs(corner.x), corner.y, std::abs(corner.z)), due) <
              1e-4);
    }
  }

  void numbersOfNothingAreTold() {
    QVERIFY(says(read("gltf/I_silent_index/c58_texture_not_there/c58_texture_not_there.glb"),
                 "texture 4"));
  }

  void primitivesMayHaveFewerTargets() {
    const auto character = read(
        "gltf/J_targets_per_primitive/c27_targets_differ_per_primitive/"
        "c27_targets_differ_per_primitive.glb");
    const auto found = std::ranges::find(character.clips, std::string("w"), &ck::Clip::name);
    QVERIFY(found != character.clips.end());
    // The second primitive moves by its only target, 1 m along X.
    QCOMPARE(found->morphTracks.size(), std::size_t{3});
    const ck::MorphTrack& track = found->morphTracks.back();
    QCOMPARE(track.mesh, 1);
    QCOMPARE(track.weight.values.back(), 1.0f);
    QVERIFY(!ck::test::hasNote(character.notes, "ChannelDropped"));
  }

  void fbxRotationsAreSwitchedOff() {
    const auto character = read("fbx/05_rotation_active_0.fbx");
    const glm::dvec3 due(0.2334, 1.0760, 0.2811);
    QVERIFY(glm::distance(jointAt(character, "Head", 0.74), due) < 1e-3);
  }

  void fbxCurvesOfTwoAutomaticKeysAreLines() {
    const auto character = read("fbx/06_two_auto_keys.fbx");
    const glm::dvec3 due(-0.5498, 0.8402, 0);
    QVERIFY(glm::distance(jointAt(character, "Head", 0.83), due) < 1e-3);
  }

  void fbxGroupsOfLevelsShowTheFirst() {
    const auto character = read("fbx/07_lod_group.fbx");
    std::size_t vertices = 0;
    for (const ck::Mesh& mesh : character.meshes) vertices += mesh.positions.size();
    QCOMPARE(vertices, std::size_t{36});
    QVERIFY(says(character, "levels of detail"));
  }

  void fbxValuesOfEveryKindAreRead() { QVERIFY(!read("fbx/12_value_kind_Z.fbx").meshes.empty()); }

  void fbxPicturesAreFound_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("embedded once") << QByteArray("fbx/13_embedded_once.fbx");
    QTest::newRow("folder below") << QByteArray("fbx/13_textures/d2_textures_folder.fbx");
    QTest::newRow("letter case") << QByteArray("fbx/13_textures/d3_case.fbx");
  }
  void fbxPicturesAreFound() {
    QFETCH(QByteArray, file);
    const auto character = read(file.data());
    QVERIFY(!character.images.empty());
    for (const ck::Mesh& mesh : character.meshes) {
      const ck::Material& material = character.materials.at(std::size_t(mesh.material));
      QVERIFY(material.base);
      const auto& rgba = character.images.at(std::size_t(material.base.image)).rgba;
      QVERIFY(rgba[0] > 150 && rgba[1] < 100 && rgba[2] < 100);
    }
  }

  void fbxStandardSurfacesHaveTheirColour() {
    const auto character = read("fbx/14_standard_surface.fbx");
    const glm::vec4 color = character.materials.at(0).baseColor;
    QVERIFY(glm::distance(glm::vec3(color), glm::vec3(0.8f, 0.05f, 0.05f)) < 1e-5f);
  }

  void frameTimesOfBvhNeedNoBlank() {
    const auto character = read("fbx/17_e4_no_blank_tabs.bvh");
    QVERIFY(std::abs(character.clips.at(0).durationSeconds - 29 * 0.0083333) < 1e-9);
  }
};

CK_TEST(tst_field_cases)
#include "tst_field_cases.moc"
