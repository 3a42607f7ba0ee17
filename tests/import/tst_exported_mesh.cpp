#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/atlas/pose_reading.h"
#include "core/bake/bake.h"
#include "core/export/exported_rig.h"
#include "core/export/set/atlas_export.h"
#include "core/export/targets/glb.h"
#include "core/import/import_process.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

// The mesh that is exported with an atlas, read by our own importer, and what the sidecar says of
// the rig. tests/consumers hold the same files against the validator and the engines.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// The weights of a vertex by joint.
std::map<std::string, float> weightsOf(const ck::Character& character, const ck::Mesh& mesh,
                                       std::size_t vertex, int limit) {
  const std::vector<std::string> names = ck::skinJointNames(character.rig);
  const ck::LimitedInfluences kept = ck::limitInfluences(ck::influencesOf(mesh, vertex), limit);
  std::map<std::string, float> weights;
  for (std::size_t i = 0; i < kept.weights.size(); ++i) {
    if (kept.weights[i] > 0.0f) weights[names[std::size_t(kept.skinJoints[i])]] += kept.weights[i];
  }
  return weights;
}

float farthest(const std::vector<glm::vec3>& a, const std::vector<glm::vec3>& b) {
  float most = 0.0f;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, glm::distance(a[i], b[i]));
  return most;
}

void compareMeshes(const ck::Character& ours, const ck::Character& read, int influences) {
  QCOMPARE(read.meshes.size(), ours.meshes.size());
  for (std::size_t m = 0; m < ours.meshes.size(); ++m) {
    const ck::Mesh& a = ours.meshes[m];
    const ck::Mesh& b = read.meshes[m];
    QCOMPARE(b.name, a.name);
    QCOMPARE(b.positions.size(), a.positions.size());
    QVERIFY(farthest(a.positions, b.positions) < 1e-6f);
    QVERIFY(farthest(a.normals, b.normals) < 1e-5f);
    QVERIFY(b.indices == a.indices);
    QVERIFY(b.uvs == a.uvs);
    for (std::size_t v = 0; v < a.positions.size(); ++v) {
      const auto wanted = weightsOf(ours, a, v, influences);
      const auto found = weightsOf(read, b, v, 4);
      QCOMPARE(found.size(), wanted.size());
      for (const auto& [joint, weight] : wanted) {
        QVERIFY2(found.contains(joint), joint.c_str());
        QVERIFY(std::abs(found.at(joint) - weight) < 1e-5f);
      }
    }
    QCOMPARE(b.morphTargets.size(), a.morphTargets.size());
    for (std::size_t t = 0; t < a.morphTargets.size(); ++t) {
      QCOMPARE(b.morphTargets[t].name, a.morphTargets[t].name);
      QVERIFY(b.morphTargets[t].vertices == a.morphTargets[t].vertices);
      QVERIFY(farthest(a.morphTargets[t].positionDeltas, b.morphTargets[t].positionDeltas) < 1e-6f);
    }
    QVERIFY(b.defaultMorphWeights == a.defaultMorphWeights);
  }
}

void compareLooks(const ck::Character& ours, const ck::Character& read) {
  QCOMPARE(read.images.size(), ours.images.size());
  for (std::size_t i = 0; i < ours.images.size(); ++i) {
    QVERIFY(read.images[i].rgba == ours.images[i].rgba);
    QVERIFY(ours.images[i].file.empty() || read.images[i].file == ours.images[i].file);
  }
  QCOMPARE(read.materials.size(), ours.materials.size());
  for (std::size_t i = 0; i < ours.materials.size(); ++i) {
    QVERIFY(read.materials[i] == ours.materials[i]);
  }
}

ck::Result<ck::Character> exportedAndRead(const ck::Character& character, const ck::Atlas& atlas,
                                          ck::SkinUv skinUv = ck::SkinUv::None) {
  QTemporaryDir folder;
  const fs::path path = ck::pathFromText(folder.path().toStdString());
  const auto written = ck::exportAtlas(atlas, "rig", path,
                                       {.kinds = {ck::ExportKind::Json},
                                        .targets = {ck::TargetKind::Glb},
                                        .skinUv = skinUv,
                                        .character = &character});
  if (!written) return tl::unexpected(written.error());
  return ck::importWithClips({path / "rig.mesh.glb"}, {}, {});
}

// The JSON chunk of a GLB.
Json documentOf(const std::vector<std::byte>& glb) {
  const auto* bytes = reinterpret_cast<const char*>(glb.data());
  std::uint32_t length = 0;
  std::memcpy(&length, bytes + 12, 4);
  return Json::parse(bytes + 20, bytes + 20 + length);
}

}  // namespace

class tst_exported_mesh : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // The document itself is read, as other programs do.
  void materialsAreWrittenWhole() {
    ck::Character bar = ck::test::barCharacter();
    bar.images = {{"colours", 1, 1, {255, 128, 0, 255}}, {"gloss", 1, 1, {0, 128, 255, 255}}};
    ck::Material painted;
    painted.name = "Painted";
    painted.base = {.image = 0,
                    .wrapU = ck::Wrap::Mirror,
                    .wrapV = ck::Wrap::Clamp,
                    .offset = {0.5f, 0.25f},
                    .rotation = 0.75f,
                    .scale = {2.0f, 3.0f}};
    painted.alpha = ck::AlphaMode::Mask;
    painted.alphaCutoff = 0.25f;
    painted.metallic = 0.5f;
    painted.roughness = 0.125f;
    painted.metalRoughness = {.image = 1, .uvSet = 1};
    painted.emission = {4.0f, 2.0f, 0.0f};
    painted.emissive = {.image = 0};
    ck::Material glass;
    glass.name = "Glass";
    glass.alpha = ck::AlphaMode::Blend;
    glass.unlit = true;
    glass.doubleSided = true;
    bar.materials = {painted, glass};
    ck::Mesh& mesh = bar.meshes[0];
    mesh.material = 0;
    mesh.secondUvs.assign(mesh.positions.size(), {0.5f, 0.75f});
    mesh.colors.assign(mesh.positions.size(), {0.5f, 0.25f, 1.0f, 0.5f});
    // The same without a second set of its own.
    ck::Mesh second = mesh;
    second.name = "Second";
    second.secondUvs.clear();
    second.colors.clear();
    bar.meshes.push_back(second);
    const auto baked = ck::bake(bar, {});
    QVERIFY(baked.has_value());
    const auto glb = ck::glbBytes({bar, baked->atlas, "bar"});
    QVERIFY(glb.has_value());
    const Json document = documentOf(*glb);
    const Json& one = document["materials"][0];
    const Json& surface = one["pbrMetallicRoughness"];
    QCOMPARE(one["alphaMode"].get<std::string>(), std::string("MASK"));
    QCOMPARE(one["alphaCutoff"].get<double>(), 0.25);
    QCOMPARE(surface["metallicFactor"].get<double>(), 0.5);
    QCOMPARE(surface["roughnessFactor"].get<double>(), 0.125);
    QVERIFY(one["emissiveFactor"] == Json::array({1.0, 0.5, 0.0}));
    QCOMPARE(one["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"].get<double>(),
             4.0);
    const Json& base = surface["baseColorTexture"];
    const Json place = {{"offset", {0.5, 0.25}}, {"rotation", 0.75}, {"scale", {2.0, 3.0}}};
    QVERIFY(base["extensions"]["KHR_texture_transform"] == place);
    QVERIFY(!base.contains("texCoord"));
    const auto textureOf = [&](const Json& info) {
      return document["textures"][info["index"].get<std::size_t>()];
    };
    const auto samplerOf = [&](const Json& info) {
      return document["samplers"][textureOf(info)["sampler"].get<std::size_t>()];
    };
    QCOMPARE(textureOf(base)["source"].get<int>(), 0);
    QCOMPARE(samplerOf(base)["wrapS"].get<int>(), 33648);
    QCOMPARE(samplerOf(base)["wrapT"].get<int>(), 33071);
    const Json& gloss = surface["metallicRoughnessTexture"];
    QCOMPARE(textureOf(gloss)["source"].get<int>(), 1);
    QCOMPARE(gloss["texCoord"].get<int>(), 1);
    QVERIFY(!gloss.contains("extensions"));
    QCOMPARE(samplerOf(gloss)["wrapS"].get<int>(), 10497);
    QCOMPARE(textureOf(one["emissiveTexture"])["source"].get<int>(), 0);
    const Json& other = document["materials"][1];
    QCOMPARE(other["alphaMode"].get<std::string>(), std::string("BLEND"));
    QVERIFY(other["extensions"].contains("KHR_materials_unlit"));
    QVERIFY(other["doubleSided"].get<bool>());
    QVERIFY(!other.contains("emissiveFactor"));
    std::vector<std::string> used = document["extensionsUsed"];
    std::ranges::sort(used);
    const std::vector<std::string> expected = {"KHR_materials_emissive_strength",
                                               "KHR_materials_unlit", "KHR_texture_transform"};
    QVERIFY(used == expected);
    const auto attributesOf = [&](std::size_t m) {
      return document["meshes"][m]["primitives"][0]["attributes"];
    };
    QVERIFY(attributesOf(0).contains("COLOR_0"));
    QVERIFY(attributesOf(0).contains("TEXCOORD_1"));
    QVERIFY(!attributesOf(1).contains("COLOR_0"));
    QVERIFY2(attributesOf(1).contains("TEXCOORD_1"), "a map reads coordinates that are not there");
  }

  void meshIsThatOfTheRig_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("influences");
    const fs::path samples = ck::test::sampleHumanoid().parent_path();
    const auto row = [](const std::string& title, const fs::path& path, int influences) {
      QTest::newRow(title.c_str()) << QString::fromStdString(path.string()) << influences;
    };
    for (const int influences : {1, 2, 4}) {
      row("humanoid " + std::to_string(influences), samples / "humanoid.glb", influences);
    }
    row("animal", samples / "animal.glb", 4);
    for (const char* shared :
         {"fox/Fox.glb", "cesium_man/CesiumMan.glb", "quaternius_robot/Robot.fbx",
          "own_shared_skeleton/own_shared_skeleton.glb", "quaternius_man/Male_Casual.fbx",
          "robot_expressive/RobotExpressive.glb"}) {
      if (const auto path = ck::test::sharedModel(shared)) row(shared, *path, 4);
    }
  }
  void meshIsThatOfTheRig() {
    QFETCH(QString, file);
    QFETCH(int, influences);
    const auto character = ck::importWithClips({ck::pathFromText(file.toStdString())}, {}, {});
    QVERIFY(character.has_value());
    ck::BakeSettings settings;
    settings.influences = influences;
    const auto baked = ck::bake(*character, settings);
    QVERIFY(baked.has_value());
    const auto read = exportedAndRead(*character, baked->atlas);
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    compareMeshes(*character, *read, influences);
    compareLooks(*character, *read);
    // At rest the file shows the bind pose.
    std::vector<glm::dmat4> rest(read->rig.skinJoints.size(), glm::dmat4(1.0));
    for (std::size_t m = 0; m < read->meshes.size(); ++m) {
      const ck::Character shape = ck::restShape(*read);
      const auto morphed =
          ck::morphedMesh(character->meshes[m], character->meshes[m].defaultMorphWeights);
      for (std::size_t v = 0; v < morphed.positions.size(); ++v) {
        const double off =
            glm::distance(morphed.positions[v], glm::dvec3(shape.meshes[m].positions[v]));
        QVERIFY2(off < 1e-4 * (1.0 + glm::length(morphed.positions[v])), qPrintable(file));
      }
    }
  }

  // The order of joints is the contract with the atlas: readers use the numbers, not the names.
  void nodesAreTheJointsOfTheAtlas() {
    const auto character = ck::importWithClips({ck::test::sampleHumanoid()}, {}, {});
    QVERIFY(character.has_value());
    const auto baked = ck::bake(*character, {});
    const auto glb = ck::glbBytes({*character, baked->atlas, "rig"});
    QVERIFY(glb.has_value());
    const Json document = documentOf(*glb);
    const auto& joints = baked->atlas.joints;
    QCOMPARE(document["skins"][0]["joints"].size(), joints.size());
    for (std::size_t j = 0; j < joints.size(); ++j) {
      QCOMPARE(document["skins"][0]["joints"][j].get<std::size_t>(), j);
      QCOMPARE(document["nodes"][j]["name"].get<std::string>(), joints[j].name);
      if (joints[j].parent < 0) continue;
      const Json& children = document["nodes"][std::size_t(joints[j].parent)]["children"];
      QVERIFY(std::ranges::find(children, Json(j)) != children.end());
    }
    QVERIFY(!document["skins"][0].contains("skeleton"));
  }

  // Several roots get one more joint, which no vertex follows.
  void rootsGetAParent() {
    ck::Character character = ck::test::barCharacter();
    character.rig.joints[1].parent = -1;
    const auto baked = ck::bake(character, {});
    QVERIFY(baked.has_value());
    const auto glb = ck::glbBytes({character, baked->atlas, "bar"});
    const Json document = documentOf(*glb);
    QCOMPARE(document["skins"][0]["joints"].size(), baked->atlas.joints.size() + 1);
    QCOMPARE(document["nodes"][2]["name"].get<std::string>(), std::string("crowdkiln_root"));
    QVERIFY(document["nodes"][2]["children"] == Json::array({0, 1}));
  }

  void stoppingIsHeardWhileImagesArePacked() {
    ck::Character bar = ck::test::barCharacter();
    bar.images.push_back({.name = "flat", .width = 2, .height = 2, .rgba = {}});
    bar.images.back().rgba.assign(16, 200);
    const auto baked = ck::bake(bar, {});
    QVERIFY(baked.has_value());
    std::stop_source stopped;
    stopped.request_stop();
    const auto glb =
        ck::glbBytes({bar, baked->atlas, "bar"}, ck::JobContext{.stop = stopped.get_token()});
    QVERIFY(!glb.has_value());
    QCOMPARE(glb.error().code, ck::ErrorCode::Cancelled);
    QVERIFY(ck::glbBytes({bar, baked->atlas, "bar"}).has_value());
  }

  void jointsInUvChannels_data() {
    QTest::addColumn<int>("skinUv");
    QTest::newRow("separate") << int(ck::SkinUv::Separate);
    QTest::newRow("packed") << int(ck::SkinUv::Packed);
  }
  void jointsInUvChannels() {
    QFETCH(int, skinUv);
    const ck::Character character = ck::test::barCharacter();
    const auto baked = ck::bake(character, {});
    ck::TargetInput input = {character, baked->atlas, "bar"};
    input.skinUv = static_cast<ck::SkinUv>(skinUv);
    const auto glb = ck::glbBytes(input);
    QVERIFY(glb.has_value());
    const Json document = documentOf(*glb);
    const Json& attributes = document["meshes"][0]["primitives"][0]["attributes"];
    const std::size_t binary =
        glb->size() - document["buffers"][0]["byteLength"].get<std::size_t>();
    const auto values = [&](const char* name, std::size_t vertex) {
      const Json& accessor = document["accessors"][attributes[name].get<std::size_t>()];
      const Json& view = document["bufferViews"][accessor["bufferView"].get<std::size_t>()];
      glm::vec2 pair(0.0f);
      std::memcpy(&pair, glb->data() + binary + view["byteOffset"].get<std::size_t>() + vertex * 8,
                  8);
      return pair;
    };
    const ck::Mesh& mesh = character.meshes[0];
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const ck::LimitedInfluences kept = ck::limitInfluences(ck::influencesOf(mesh, v), 4);
      const glm::vec2 first = values("TEXCOORD_2", v);
      if (input.skinUv == ck::SkinUv::Separate) {
        const glm::vec2 weight = values("TEXCOORD_4", v);
        QCOMPARE(weight.x, kept.weights[0]);
        QCOMPARE(weight.y, kept.weights[1]);
        QCOMPARE(int(first.x), kept.skinJoints[0]);
      } else {
        QCOMPARE(int(std::floor(first.x)), kept.skinJoints[0]);
        QVERIFY(std::abs((first.x - std::floor(first.x)) / 0.999f - kept.weights[0]) < 1e-4f);
      }
    }
  }

  // Every vertex lies in the box of its frame, and the boxes are not needlessly large.
  void boxesOfFramesHoldTheMesh() {
    const auto character = ck::importWithClips({ck::test::sampleHumanoid()}, {}, {});
    QVERIFY(character.has_value());
    const auto baked = ck::bake(*character, {});
    const ck::Atlas& atlas = baked->atlas;
    const ck::ExportedRig rig = ck::exportedRig(*character, atlas);
    QCOMPARE(rig.frameBoundsMm.size(), atlas.clips.size());
    const ck::MorphSet morphs = ck::morphSetOf(*character);
    for (const std::vector<int>& boxes : rig.frameBoundsMm) {
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        QVERIFY(i % 6 < 3 ? rig.boundsMm[i % 6] <= boxes[i] : rig.boundsMm[i % 6] >= boxes[i]);
      }
    }
    double volumes = 0.0;
    double exact = 0.0;
    for (std::size_t c = 0; c < atlas.clips.size(); ++c) {
      QCOMPARE(rig.frameBoundsMm[c].size(), std::size_t(atlas.clips[c].frameCount) * 6);
      for (int frame = 0; frame < atlas.clips[c].frameCount; frame += 7) {
        const auto skins = ck::skinMatricesOf(atlas, ck::storedFrame(atlas, int(c), frame));
        const auto weights = ck::storedMorphWeights(atlas.morphs, int(c), frame);
        const int* box = rig.frameBoundsMm[c].data() + std::size_t(frame) * 6;
        glm::dvec3 low(1e9);
        glm::dvec3 high(-1e9);
        for (std::size_t m = 0; m < character->meshes.size(); ++m) {
          const std::vector<float> own =
              ck::weightsOfMesh(morphs, *character, static_cast<int>(m), weights);
          const auto skinned =
              ck::skinMesh(character->meshes[m], skins, {.influenceLimit = 4, .morphWeights = own});
          for (const glm::dvec3& p : skinned.positions) {
            low = glm::min(low, p * 1000.0);
            high = glm::max(high, p * 1000.0);
          }
        }
        for (int axis = 0; axis < 3; ++axis) {
          QVERIFY(box[axis] <= low[axis] && box[3 + axis] >= high[axis]);
        }
        const glm::dvec3 size(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
        volumes += size.x * size.y * size.z;
        exact += (high.x - low.x) * (high.y - low.y) * (high.z - low.z);
      }
    }
    qInfo("boxes have %.2f times the volume that is needed", volumes / exact);
    QVERIFY(volumes < 2.0 * exact);
  }

  void rigidMeshesAreNamed() {
    ck::Character character = ck::test::barCharacter();
    ck::Mesh& mesh = character.meshes[0];
    mesh.influences.assign(mesh.positions.size(), {1, 1.0f});
    for (std::size_t v = 0; v <= mesh.positions.size(); ++v) {
      mesh.influenceStarts[v] = static_cast<std::uint32_t>(v);
    }
    const auto baked = ck::bake(character, {});
    const ck::ExportedRig rig = ck::exportedRig(character, baked->atlas);
    QCOMPARE(rig.rigidMeshes.size(), std::size_t{1});
    QCOMPARE(rig.rigidMeshes[0].joint, 1);
    QVERIFY(ck::exportedRig(ck::test::barCharacter(), baked->atlas).rigidMeshes.empty());
  }
};

CK_TEST(tst_exported_mesh)

#include "tst_exported_mesh.moc"
