#include <QTest>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

using Json = nlohmann::json;

Json readJson(const std::filesystem::path& path) {
  std::ifstream file(path);
  return Json::parse(file);
}

std::filesystem::path modelOf(const std::filesystem::path& reference) {
  return std::filesystem::path(CK_SHARED_DIR) / "models" /
         readJson(reference).at("model").get<std::string>();
}

bool isGltf(const std::filesystem::path& file) {
  return file.extension() == ".gltf" || file.extension() == ".glb";
}

// The JSON part of a glTF or GLB, read without the importer.
Json gltfJson(const std::filesystem::path& path) {
  const auto bytes = ck::readFile(path, 1u << 30);
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (text.starts_with("glTF")) {
    std::uint32_t length = 0;
    std::memcpy(&length, text.data() + 12, 4);
    text = text.substr(20, length);
  }
  return Json::parse(text);
}

// All skin joints plus every animated node above or between them. A mesh without a skin follows its
// node, so animated nodes that carry a mesh count as well.
std::size_t expectedJointCount(const Json& gltf) {
  std::set<int> joints;
  std::set<int> animated;
  std::set<int> carrying;
  for (const Json& skin : gltf.value("skins", Json::array())) {
    for (const Json& joint : skin["joints"]) joints.insert(joint.get<int>());
  }
  for (const Json& animation : gltf.value("animations", Json::array())) {
    for (const Json& channel : animation["channels"]) {
      if (channel["target"].contains("node")) animated.insert(channel["target"]["node"].get<int>());
    }
  }
  const Json nodes = gltf.value("nodes", Json::array());
  bool anyMesh = false;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    anyMesh = anyMesh || nodes[n].contains("mesh");
    if (nodes[n].contains("mesh") && !nodes[n].contains("skin"))
      carrying.insert(static_cast<int>(n));
  }
  carrying.insert(joints.begin(), joints.end());
  const std::function<bool(int)> leads = [&](int node) {
    bool found = carrying.contains(node);
    for (const Json& child :
         nodes[static_cast<std::size_t>(node)].value("children", Json::array())) {
      found = leads(child.get<int>()) || found;
    }
    return found;
  };
  for (const int node : animated) {
    if (leads(node) || !anyMesh) joints.insert(node);
  }
  return joints.size();
}

}  // namespace

class tst_gltf_reference : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void jointsAreWhatTheFileSays_data() {
    QTest::addColumn<QString>("reference");
    const auto folder = std::filesystem::path(CK_SHARED_DIR) / "models" / "reference";
    for (const char* ending : {".three.json", ".analytic.json"}) {
      for (const auto& reference : ck::test::filesBelow(folder, ending)) {
        if (!isGltf(modelOf(reference))) continue;
        QTest::newRow(ck::pathText(reference.filename()).c_str())
            << QString::fromStdString(ck::pathText(reference));
      }
    }
    if (!std::filesystem::exists(folder)) QTest::newRow("no shared models") << QString();
  }

  void jointsAreWhatTheFileSays() {
    QFETCH(QString, reference);
    if (reference.isEmpty()) QSKIP("the folder of shared models is not there");
    const std::filesystem::path model = modelOf(ck::pathFromText(reference.toStdString()));
    const auto character = ck::importCharacter(model);
    QVERIFY(character.has_value());
    const std::size_t expected = expectedJointCount(gltfJson(model));
    // Meshes that hang on nothing that moves get one joint of their own, "Root".
    const bool rootAdded = character->rig.joints.size() == expected + 1 &&
                           character->rig.joints.back().name.starts_with("Root");
    if (!rootAdded) QCOMPARE(character->rig.joints.size(), expected);
  }

  // 19 clips without names that move one joint each are one motion: the merged clip must turn each
  // joint as its own clip of the reference does.
  void clipsOfOneJointEachAreMerged() {
    const auto model = ck::test::sharedModel("rigged_figure/RiggedFigure.gltf");
    if (!model) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*model);
    QVERIFY(character.has_value());
    QCOMPARE(character->clips.size(), std::size_t{1});
    QCOMPARE(character->clips[0].name, std::string("RiggedFigure"));
    QVERIFY(ck::test::hasNote(character->notes, "ClipsMerged"));
    const Json gltf = gltfJson(*model);
    QCOMPARE(character->clips[0].jointTracks.size(), gltf["animations"].size());
  }
};

CK_TEST(tst_gltf_reference)
#include "tst_gltf_reference.moc"
