#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

using Json = nlohmann::json;

constexpr const char* kPointer = "KHR_animation_pointer";
constexpr const char* kVisibility = "KHR_node_visibility";

Json target(const std::string& pointer) {
  return {{"path", "pointer"}, {"extensions", {{kPointer, {{"pointer", pointer}}}}}};
}

// Three triangles, each at a node of its own that clips move: "Body", below it "Prop", below that
// "Tip". The clip "Show" and the clip "Rest" turn Body for a second.
class Triangles {
 public:
  Json json = {{"asset", {{"version", "2.0"}}},
               {"scenes", {{{"nodes", {0}}}}},
               {"nodes",
                {{{"name", "Body"}, {"mesh", 0}, {"children", {1}}},
                 {{"name", "Prop"}, {"mesh", 0}, {"children", {2}}, {"translation", {2, 0, 0}}},
                 {{"name", "Tip"}, {"mesh", 0}, {"translation", {0, 3, 0}}}}}};

  Triangles() {
    const int positions = add({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
    json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}}};
    times_ = add({0.0f, 1.0f}, "SCALAR", 1);
    const int turn = add({0, 0, 0, 1, 0, 0, 0.5f, 0.8660254f}, "VEC4", 4);
    for (const char* name : {"Show", "Rest"}) {
      json["animations"].push_back(
          {{"name", name},
           {"samplers", {{{"input", times_}, {"output", turn}}}},
           {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "rotation"}}}}}}});
    }
  }

  int add(const std::vector<float>& numbers, const char* type, int rowLength) {
    return addRaw(numbers.data(), numbers.size() * sizeof(float), 5126, type,
                  static_cast<int>(numbers.size()) / rowLength);
  }
  int addBytes(const std::vector<std::uint8_t>& numbers) {
    return addRaw(numbers.data(), numbers.size(), 5121, "SCALAR", static_cast<int>(numbers.size()));
  }

  void animate(std::size_t clip, const std::string& pointer, int times, int values) {
    Json& animation = json["animations"][clip];
    animation["samplers"].push_back(
        {{"input", times}, {"output", values}, {"interpolation", "STEP"}});
    animation["channels"].push_back(
        {{"sampler", animation["samplers"].size() - 1}, {"target", target(pointer)}});
  }
  void show(std::size_t clip, int node, const std::vector<float>& times,
            const std::vector<std::uint8_t>& visible) {
    const int input = add(times, "SCALAR", 1);
    animate(clip, "/nodes/" + std::to_string(node) + "/extensions/KHR_node_visibility/visible",
            input, addBytes(visible));
  }
  void hide(std::size_t node) {
    json["nodes"][node]["extensions"][kVisibility] = {{"visible", false}};
  }

  ck::Result<ck::Character> import(const QTemporaryDir& folder) {
    json["extensionsUsed"] = {kPointer, kVisibility};
    json["extensionsRequired"] = {kPointer, kVisibility};
    json["buffers"] = {{{"byteLength", data_.size()},
                        {"uri", "data:application/octet-stream;base64," +
                                    QByteArray::fromStdString(data_).toBase64().toStdString()}}};
    const std::string text = json.dump();
    const auto path = std::filesystem::path(folder.path().toStdString()) / "made.gltf";
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    if (!ck::writeFileAtomically(path, {first, text.size()})) std::abort();
    return ck::importCharacter(path);
  }

 private:
  int addRaw(const void* numbers, std::size_t size, int componentType, const char* type,
             int count) {
    while (data_.size() % 4 != 0) data_ += '\0';
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", data_.size()}, {"byteLength", size}});
    data_.append(static_cast<const char*>(numbers), size);
    json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                                 {"componentType", componentType},
                                 {"type", type},
                                 {"count", count}});
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  std::string data_;
  int times_ = 0;
};

// How far apart the vertices of a mesh are at a moment of a clip; 0 where it is hidden.
double shownSize(const ck::Character& character, const std::string& mesh, const std::string& clip,
                 double seconds) {
  for (const ck::Clip& candidate : character.clips) {
    if (candidate.name != clip) continue;
    for (const ck::Mesh& shown : character.meshes) {
      if (shown.name != mesh) continue;
      const auto skinned =
          ck::skinMesh(shown, ck::skinMatricesAt(character.rig, candidate, seconds));
      return glm::distance(skinned.positions[0], skinned.positions[1]);
    }
  }
  return -1.0;
}

}  // namespace

// KHR_animation_pointer and KHR_node_visibility.
class tst_gltf_pointers : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  ck::Character imported(Triangles& made) const {
    auto character = made.import(folder_);
    if (!character) qFatal("%s", character.error().message.c_str());
    return std::move(*character);
  }

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // The sample with every channel written as a pointer is the sample.
  void pointersMoveWhatOrdinaryChannelsMove() {
    const auto plain = ck::importCharacter(ck::test::sampleHumanoid());
    QVERIFY(plain.has_value());
    const auto bytes = ck::readFile(ck::test::sampleHumanoid(), 1u << 26);
    std::string glb(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, 4);
    Json json = Json::parse(glb.substr(20, length));
    int weights = 0;
    for (Json& animation : json["animations"]) {
      for (Json& channel : animation["channels"]) {
        const Json old = channel["target"];
        const std::string path = old["path"].get<std::string>();
        std::string pointer = "/nodes/" + old["node"].dump() + "/" + path;
        if (path == "weights" && weights++ % 2 == 0) {
          pointer = "/meshes/" + json["nodes"][old["node"].get<std::size_t>()]["mesh"].dump() +
                    "/weights";
        }
        channel["target"] = target(pointer);
      }
    }
    for (Json& node : json["nodes"]) node.erase("weights");
    json["extensionsUsed"] = {kPointer};
    json["extensionsRequired"] = {kPointer};
    std::string text = json.dump();
    while (text.size() % 4 != 0) text += ' ';
    const std::string rest = glb.substr(20 + length);
    const auto word = [](std::size_t value) {
      const auto number = static_cast<std::uint32_t>(value);
      return std::string(reinterpret_cast<const char*>(&number), 4);
    };
    const std::string made = "glTF" + word(2) + word(20 + text.size() + rest.size()) +
                             word(text.size()) + "JSON" + text + rest;
    const auto path = std::filesystem::path(folder_.path().toStdString()) / "pointers.glb";
    const auto* first = reinterpret_cast<const std::byte*>(made.data());
    QVERIFY(ck::writeFileAtomically(path, {first, made.size()}).has_value());
    const auto character = ck::importCharacter(path);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(weights > 1);
    QVERIFY(character->rig == plain->rig);
    QVERIFY(character->clips == plain->clips);
    QVERIFY(character->meshes == plain->meshes);
    QVERIFY(!hasNote(character->notes, "PointerIgnored"));
  }

  void oneWeightOfSeveralIsMoved() {
    Triangles made;
    const int first = made.add({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
    const int second = made.add({0, 2, 0, 0, 2, 0, 0, 2, 0}, "VEC3", 3);
    made.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", first}},
                                                          {{"POSITION", second}}};
    made.animate(0, "/nodes/0/weights/1", made.add({0.0f, 0.5f}, "SCALAR", 1),
                 made.add({0.25f, 0.75f}, "SCALAR", 1));
    made.animate(1, "/nodes/0/weights/2", made.add({0.0f}, "SCALAR", 1),
                 made.add({0.25f}, "SCALAR", 1));
    const ck::Character character = imported(made);
    const auto& tracks = character.clips[0].morphTracks;
    QCOMPARE(tracks.size(), std::size_t{1});
    QCOMPARE(tracks[0].target, 1);
    QCOMPARE(tracks[0].weight.values, (std::vector<float>{0.25f, 0.75f}));
    QVERIFY(hasNote(character.notes, "ChannelDropped", "a morph target that is not there"));
  }

  void otherPointersBecomeOneNote() {
    Triangles made;
    const int times = made.add({0.0f}, "SCALAR", 1);
    const int values = made.add({1.0f}, "SCALAR", 1);
    for (const char* pointer : {"/materials/0/emissiveFactor", "/cameras/0/perspective/yfov",
                                "nonsense", "/nodes/x/translation", "/nodes/0/matrix"}) {
      made.animate(0, pointer, times, values);
      made.animate(1, pointer, times, values);
    }
    made.json["animations"][0]["channels"].push_back(
        {{"sampler", 0}, {"target", {{"path", "translation"}}}});  // valid, and moves nothing
    made.animate(0, "/nodes/77/translation", times, values);
    const ck::Character character = imported(made);
    int notes = 0;
    for (const ck::Note& note : character.notes) notes += note.code == "PointerIgnored" ? 1 : 0;
    QCOMPARE(notes, 1);
    QVERIFY(hasNote(character.notes, "PointerIgnored", "/cameras/0/perspective/yfov"));
    QVERIFY(hasNote(character.notes, "PointerIgnored", "and 2 more"));
    QVERIFY(hasNote(character.notes, "ChannelDropped", "node 77 of 3"));
    QCOMPARE(character.clips.size(), std::size_t{2});
  }

  void whatNoClipShowsIsLeftOut() {
    Triangles made;
    made.hide(1);
    const ck::Character character = imported(made);
    QCOMPARE(character.meshes.size(), std::size_t{1});
    QCOMPARE(character.meshes[0].name, std::string("Body"));
    QVERIFY(hasNote(character.notes, "MeshHidden", "2 hidden meshes were left out, 'Prop' first"));
  }

  // Prop is hidden at rest and shown in the second half of one clip; Tip with it, but for its last
  // quarter, in which Tip hides itself.
  void clipsShowAndHideMeshesWithoutSkin() {
    Triangles made;
    made.hide(1);
    made.show(0, 1, {0.0f, 0.5f}, {0, 1});
    made.show(0, 2, {0.0f, 0.75f}, {1, 0});
    const ck::Character character = imported(made);
    QCOMPARE(character.meshes.size(), std::size_t{3});
    const auto size = [&character](const char* mesh, const char* clip, double seconds) {
      return shownSize(character, mesh, clip, seconds);
    };
    for (const double seconds : {0.0, 0.3, 0.49}) {
      QVERIFY(std::abs(size("Body", "Show", seconds) - 1.0) < 1e-6);
      QVERIFY(size("Prop", "Show", seconds) < 1e-6);
      QVERIFY(size("Tip", "Show", seconds) < 1e-6);
    }
    QVERIFY(std::abs(size("Prop", "Show", 0.5) - 1.0) < 1e-6);
    QVERIFY(std::abs(size("Prop", "Show", 1.0) - 1.0) < 1e-6);
    QVERIFY(std::abs(size("Tip", "Show", 0.6) - 1.0) < 1e-6);
    QVERIFY(size("Tip", "Show", 0.8) < 1e-6);
    QVERIFY(size("Prop", "Rest", 0.7) < 1e-6);
    QVERIFY(std::abs(size("Body", "Rest", 0.7) - 1.0) < 1e-6);
    for (const ck::Clip& clip : character.clips) {
      QCOMPARE(clip.startSeconds, 0.0);
      QCOMPARE(clip.durationSeconds, 1.0);
    }
  }

  void skinnedMeshesStayShown() {
    Triangles made;
    Json& primitive = made.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["WEIGHTS_0"] =
        made.add({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
    const int joints = made.addBytes(std::vector<std::uint8_t>(12, 0));
    made.json["accessors"][static_cast<std::size_t>(joints)]["type"] = "VEC4";
    made.json["accessors"][static_cast<std::size_t>(joints)]["count"] = 3;
    primitive["attributes"]["JOINTS_0"] = joints;
    made.json["skins"] = {{{"joints", {2}}}};
    made.json["nodes"][1]["skin"] = 0;
    made.show(0, 1, {0.0f, 0.5f}, {0, 1});
    const ck::Character character = imported(made);
    QVERIFY(hasNote(character.notes, "VisibilityFixed", "'Prop'"));
    QVERIFY(std::abs(shownSize(character, "Prop", "Show", 0.2) - 1.0) < 1e-6);
  }
};

CK_TEST(tst_gltf_pointers)
#include "tst_gltf_pointers.moc"
