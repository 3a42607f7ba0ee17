#include <zlib.h>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/morph/morph_set.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/made_glb.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::Glb;
using ck::test::hasNote;
using ck::test::Json;
using ck::test::kByte;
using ck::test::kFloat;
using ck::test::kShort;
using ck::test::kUnsignedByte;
using ck::test::kUnsignedShort;
using ck::test::primitive;
using ck::test::quad;

namespace {

void bigEndian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

// A PNG of one RGBA colour, written from the PNG standard.
std::string png(std::uint32_t width, std::uint32_t height, const std::string& rgba,
                std::uint32_t rows) {
  std::string file("\x89PNG\r\n\x1a\n", 8);
  const auto chunk = [&file](const std::string& kind, const std::string& body) {
    bigEndian(file, static_cast<std::uint32_t>(body.size()));
    const std::string both = kind + body;
    file += both;
    bigEndian(file, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(both.data()),
                                                     static_cast<uInt>(both.size()))));
  };
  std::string header;
  bigEndian(header, width);
  bigEndian(header, height);
  header += std::string("\x08\x06\0\0\0", 5);
  chunk("IHDR", header);
  std::string raw;
  for (std::uint32_t y = 0; y < rows; ++y) {
    raw += '\0';
    for (std::uint32_t x = 0; x < width; ++x) raw += rgba;
  }
  std::string packed(compressBound(raw.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(raw.data()), raw.size());
  packed.resize(size);
  chunk("IDAT", packed);
  chunk("IEND", "");
  return file;
}

}  // namespace

// Parts of glTF that the shared rigs do not show, each against the numbers that were written.
class tst_gltf_features : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::filesystem::path pathOf(const char* name) const {
    return std::filesystem::path(folder_.path().toStdString()) / name;
  }

  ck::Result<ck::Character> import(Glb& glb, const char* name = "made.glb") const {
    return ck::importCharacter(glb.write(pathOf(name)));
  }

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsIndicesOutsideTheMesh() {
    Glb glb = quad();
    primitive(glb)["indices"] = glb.add<std::uint16_t>({0, 1, 9}, kUnsignedShort, "SCALAR", 1);
    const auto character = import(glb);
    QVERIFY(!character.has_value());
    QCOMPARE(int(character.error().code), int(ck::ErrorCode::InvalidInput));
    QVERIFY(character.error().message.find("vertex 9 of 4") != std::string::npos);
  }

  void staticMeshHangsOnOneRootJoint() {
    Glb glb = quad();
    glb.json["nodes"][0]["translation"] = {0, 0, 5};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->rig.joints.size(), std::size_t{1});
    QCOMPARE(character->meshes[0].name, std::string("Quad"));
    const auto posed = ck::skinMesh(
        character->meshes[0], ck::skinMatrices(character->rig, ck::restMatrices(character->rig)));
    QVERIFY(glm::distance(posed.positions[3], glm::dvec3(1, 1, 5)) < 1e-6);
    QVERIFY(hasNote(character->notes, "NormalsComputed"));
    QVERIFY(glm::distance(posed.normals[3], glm::dvec3(0, 0, 1)) < 1e-6);
  }

  void quantisedPositionsAreScaled_data() {
    QTest::addColumn<int>("type");
    QTest::newRow("signed bytes") << kByte;
    QTest::newRow("unsigned bytes") << kUnsignedByte;
    QTest::newRow("shorts") << kShort;
    QTest::newRow("unsigned shorts") << kUnsignedShort;
  }
  void quantisedPositionsAreScaled() {
    QFETCH(int, type);
    Glb glb = quad();
    glb.json["extensionsRequired"] = {"KHR_mesh_quantization"};
    glb.json["extensionsUsed"] = {"KHR_mesh_quantization"};
    int accessor = 0;
    double half = 0.0;
    const auto put = [&](auto most) {
      using Number = decltype(most);
      const auto part = static_cast<Number>(most / 2);
      half = static_cast<double>(part) / static_cast<double>(most);
      accessor =
          glb.add<Number>({0, 0, 0, most, 0, 0, 0, part, 0, most, part, 0}, type, "VEC3", 3, true);
    };
    if (type == kByte) put(std::int8_t{127});
    if (type == kUnsignedByte) put(std::uint8_t{255});
    if (type == kShort) put(std::int16_t{32767});
    if (type == kUnsignedShort) put(std::uint16_t{65535});
    // Rows of quantised vertices are padded to four bytes only where a stride says so; here they
    // are packed.
    primitive(glb)["attributes"]["POSITION"] = accessor;
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const glm::vec3 corner = character->meshes[0].positions[3];
    QVERIFY(glm::distance(glm::dvec3(corner), glm::dvec3(1.0, half, 0.0)) < 1e-6);
  }

  // KHR_mesh_quantization allows whole numbers that are taken as they are: the node's scale, or the
  // bind matrix of a skin, makes metres of them.
  void quantisedNumbersThatAreNotNormalisedAreTakenAsTheyAre_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("skinned");
    for (const bool skinned : {false, true}) {
      const char* how = skinned ? ", skinned" : "";
      QTest::addRow("signed bytes%s", how) << kByte << skinned;
      QTest::addRow("unsigned bytes%s", how) << kUnsignedByte << skinned;
      QTest::addRow("shorts%s", how) << kShort << skinned;
      QTest::addRow("unsigned shorts%s", how) << kUnsignedShort << skinned;
    }
  }
  void quantisedNumbersThatAreNotNormalisedAreTakenAsTheyAre() {
    QFETCH(int, type);
    QFETCH(bool, skinned);
    const bool isSigned = type == kByte || type == kShort;
    const bool wide = type == kShort || type == kUnsignedShort;
    // Metres are a thousandth of these numbers for shorts and a fiftieth for bytes.
    const double unit = wide ? 0.001 : 0.02;
    const double left = isSigned ? -100.0 : 0.0;
    const double right = wide ? 30'000.0 : 120.0;
    const double top = wide ? 1'700.0 : 85.0;
    const double raised = isSigned ? -20.0 : 20.0;
    Glb glb = quad();
    glb.json["extensionsRequired"] = {"KHR_mesh_quantization"};
    glb.json["extensionsUsed"] = {"KHR_mesh_quantization"};
    const auto add = [&](const std::vector<double>& numbers, const char* rowType,
                         std::size_t rowLength) {
      if (type == kByte) return glb.addPadded<std::int8_t>(numbers, type, rowType, rowLength);
      if (type == kUnsignedByte) {
        return glb.addPadded<std::uint8_t>(numbers, type, rowType, rowLength);
      }
      if (type == kShort) return glb.addPadded<std::int16_t>(numbers, type, rowType, rowLength);
      return glb.addPadded<std::uint16_t>(numbers, type, rowType, rowLength);
    };
    Json& part = primitive(glb);
    part["attributes"]["POSITION"] =
        add({left, 0, 0, right, 0, 0, left, top, 0, right, top, 0}, "VEC3", 3);
    part["attributes"]["TEXCOORD_0"] = add({left, 0, 3, 0, left, 2, 3, 2}, "VEC2", 2);
    part["targets"] = {{{"POSITION", add({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, raised}, "VEC3", 3)}}};
    Json& node = glb.json["nodes"][0];
    if (skinned) {
      const auto s = static_cast<float>(unit);
      const int bind = glb.floats({s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 1, 0, 0, 1}, "MAT4", 16);
      part["attributes"]["JOINTS_0"] =
          glb.add<std::uint8_t>(std::vector<std::uint8_t>(16, 0), kUnsignedByte, "VEC4", 4);
      part["attributes"]["WEIGHTS_0"] = glb.add<std::uint8_t>(
          {255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0}, kUnsignedByte, "VEC4", 4, true);
      glb.json["skins"] = {{{"joints", {1}}, {"inverseBindMatrices", bind}}};
      node["skin"] = 0;
      glb.json["nodes"].push_back({{"name", "Bone"}});
      glb.json["scenes"][0]["nodes"] = {0, 1};
    } else {
      node["scale"] = {unit, unit, unit};
      node["translation"] = {1, 0, 0};
    }
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    ck::Mesh mesh = character->meshes[0];
    QCOMPARE(mesh.uvs.at(0), glm::vec2(static_cast<float>(left), 0.0f));
    QCOMPARE(mesh.uvs.at(3), glm::vec2(3.0f, 2.0f));
    const auto posed = [&] {
      return ck::skinMesh(mesh, ck::skinMatrices(character->rig, ck::restMatrices(character->rig)))
          .positions;
    };
    const auto at = [&](double x, double y, double z) {
      return glm::dvec3(x * unit + 1.0, y * unit, z * unit);
    };
    QVERIFY(glm::distance(posed().at(0), at(left, 0, 0)) < 1e-5);
    QVERIFY(glm::distance(posed().at(3), at(right, top, 0)) < 1e-5);
    const ck::MorphTarget& target = mesh.morphTargets.at(0);
    // The normals are computed, and those of the neighbours turn.
    QCOMPARE(target.vertices, (std::vector<std::uint32_t>{1, 2, 3}));
    mesh.positions[3] += target.positionDeltas.at(2);
    QVERIFY(glm::distance(posed().at(3), at(right, top, raised)) < 1e-5);
  }

  void stripsAndFansBecomeTriangles() {
    Glb strip = quad();
    primitive(strip)["mode"] = 5;
    primitive(strip)["indices"] =
        strip.add<std::uint16_t>({0, 1, 2, 3}, kUnsignedShort, "SCALAR", 1);
    const auto fromStrip = import(strip);
    QVERIFY(fromStrip.has_value());
    QCOMPARE(fromStrip->meshes[0].indices, (std::vector<std::uint32_t>{0, 1, 2, 1, 3, 2}));
    Glb fan = quad();
    primitive(fan)["mode"] = 6;
    primitive(fan)["indices"] = fan.add<std::uint8_t>({0, 1, 3, 2}, kUnsignedByte, "SCALAR", 1);
    const auto fromFan = import(fan);
    QVERIFY(fromFan.has_value());
    QCOMPARE(fromFan->meshes[0].indices, (std::vector<std::uint32_t>{0, 1, 3, 0, 3, 2}));
  }

  void meshesWithoutIndicesCountTheirVertices() {
    Glb glb = quad();
    primitive(glb).erase("indices");
    const auto character = import(glb);
    QVERIFY(character.has_value());
    QCOMPARE(character->meshes[0].indices, (std::vector<std::uint32_t>{0, 1, 2}));
    QVERIFY(hasNote(character->notes, "TrianglesCut"));
  }

  // Its normals were computed, so those of the shape are, too.
  void shapesOfMeshesWithoutNormalsTurnTheirs() {
    Glb glb = quad();
    primitive(glb)["attributes"].erase("NORMAL");
    const int target = glb.floats({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
    primitive(glb)["targets"] = {{{"POSITION", target}}};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "NormalsComputed"));
    const ck::Mesh& mesh = character->meshes[0];
    const ck::MorphTarget& shape = mesh.morphTargets.at(0);
    QCOMPARE(shape.normalDeltas.size(), shape.vertices.size());
    QVERIFY(shape.vertices.size() > 1);
    // Worked out here: the triangle of the first three vertices with the second one raised.
    std::vector<glm::vec3> at = mesh.positions;
    at[1].z += 1.0f;
    for (std::size_t i = 0; i < shape.vertices.size(); ++i) {
      const std::uint32_t v = shape.vertices[i];
      glm::vec3 due(0.0f);
      for (std::size_t c = 0; c < mesh.indices.size(); c += 3) {
        const std::uint32_t* t = mesh.indices.data() + c;
        if (t[0] != v && t[1] != v && t[2] != v) continue;
        due += glm::cross(at[t[1]] - at[t[0]], at[t[2]] - at[t[0]]);
      }
      const glm::vec3 turned = mesh.normals[v] + shape.normalDeltas[i];
      QVERIFY(glm::distance(turned, glm::normalize(due)) < 1e-5f);
    }
  }

  void sparseMorphTargetsMoveTheirVerticesOnly() {
    Glb glb = quad();
    primitive(glb)["attributes"]["NORMAL"] =
        glb.floats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
    const int indices = glb.view(std::vector<std::uint16_t>{1, 3});
    const int values = glb.view(std::vector<float>{0, 0, 1, 0, 0, 2});
    glb.json["accessors"].push_back(
        {{"componentType", kFloat},
         {"type", "VEC3"},
         {"count", 4},
         {"sparse",
          {{"count", 2},
           {"indices", {{"bufferView", indices}, {"componentType", kUnsignedShort}}},
           {"values", {{"bufferView", values}}}}}});
    const int target = static_cast<int>(glb.json["accessors"].size()) - 1;
    primitive(glb)["targets"] = {{{"POSITION", target}}};
    glb.json["meshes"][0]["extras"]["targetNames"] = {"Smile"};
    glb.json["meshes"][0]["weights"] = {0.5};
    const int times = glb.floats({0, 2}, "SCALAR", 1);
    const int weights = glb.floats({0, 1}, "SCALAR", 1);
    glb.json["animations"] = {
        {{"name", "Grin"},
         {"extras", {{"groundSpeedMetersPerSecond", 1.25}}},
         {"samplers", {{{"input", times}, {"output", weights}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}}}};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::MorphTarget& smile = character->meshes[0].morphTargets.at(0);
    QCOMPARE(smile.name, std::string("Smile"));
    QCOMPARE(smile.vertices, (std::vector<std::uint32_t>{1, 3}));
    QCOMPARE(smile.positionDeltas[1].z, 2.0f);
    QCOMPARE(character->meshes[0].defaultMorphWeights[0], 0.5f);
    QCOMPARE(character->clips[0].groundSpeedMetersPerSecond, 1.25);
    QCOMPARE(ck::sampleMorphWeights(*character, character->clips[0], 0, 1.0)[0], 0.5f);
    QCOMPARE(character->rig.joints[0].name, std::string("Quad"));
  }

  // The primitives of a mesh share weights; nodes that show one mesh have weights of their own.
  void weightsOfTargetsBelongToTheNode() {
    Glb glb = quad();
    const int moves = glb.floats({0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
    primitive(glb)["targets"] = {{{"POSITION", moves}}};
    glb.json["meshes"][0]["extras"]["targetNames"] = {"smile"};
    glb.json["meshes"][0]["primitives"].push_back(primitive(glb));
    glb.json["nodes"] = {{{"name", "Left"}, {"mesh", 0}}, {{"name", "Right"}, {"mesh", 0}}};
    glb.json["scenes"][0]["nodes"] = {0, 1};
    const int times = glb.floats({0, 2}, "SCALAR", 1);
    const int weights = glb.floats({0, 1}, "SCALAR", 1);
    glb.json["animations"] = {
        {{"name", "Grin"},
         {"samplers", {{{"input", times}, {"output", weights}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "weights"}}}}}}}};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::MorphSet set = ck::morphSetOf(*character);
    QCOMPARE(character->meshes.size(), std::size_t{4});
    QCOMPARE(set.size(), std::size_t{2});
    QCOMPARE(set[0].name, std::string("smile (Left)"));
    QCOMPARE(set[1].name, std::string("smile (Right)"));
    QCOMPARE(set[0].members, (std::vector<ck::MorphMember>{{0, 0}, {1, 0}}));
    QCOMPARE(set[1].members, (std::vector<ck::MorphMember>{{2, 0}, {3, 0}}));
    QCOMPARE(ck::sampleMorphs(set, character->clips[0], 1.0), (std::vector<float>{0.0f, 0.5f}));
  }

  void eventsAreReadFromExtras_data() {
    QTest::addColumn<QByteArray>("extras");
    QTest::addColumn<QByteArray>("events");  // name and time of each
    QTest::addColumn<bool>("dropped");
    const auto row = [](const char* name, const char* extras, const char* events,
                        bool dropped = false) {
      QTest::newRow(name) << QByteArray(extras) << QByteArray(events) << dropped;
    };
    row("rejects what has no name or no time",
        R"({"events": [7, {"name": "a"}, {"seconds": 1}, {"name": "b", "seconds": "now"},
            {"name": "c", "seconds": 1e300}, {"name": "left", "seconds": 0.5}]})",
        R"([["left", 0.5]])", true);
    row("nothing where there is none", R"({"groundSpeedMetersPerSecond": 1})", "[]");
    row("a list of names and seconds",
        R"({"events": [{"name": "left", "seconds": 0.25}, {"name": "left", "seconds": 1}]})",
        R"([["left", 0.25], ["left", 1]])");
    row("markers with times", R"({"markers": [{"name": "hit", "time": 1.5}]})",
        R"([["hit", 1.5]])");
    row("names with a time or several", R"({"events": {"left": [0, 1], "right": 0.5}})",
        R"([["left", 0], ["left", 1], ["right", 0.5]])");
    row("control characters become spaces", R"({"events": {"a\tb": 2}})", R"([["a b", 2]])");
  }
  void eventsAreReadFromExtras() {
    QFETCH(QByteArray, extras);
    QFETCH(QByteArray, events);
    QFETCH(bool, dropped);
    Glb glb = quad();
    const int times = glb.floats({0, 2}, "SCALAR", 1);
    const int places = glb.floats({0, 0, 0, 0, 1, 0}, "VEC3", 3);
    glb.json["animations"] = {
        {{"name", "Hop"},
         {"extras", Json::parse(extras.toStdString())},
         {"samplers", {{{"input", times}, {"output", places}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}}}};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    std::vector<ck::ClipEvent> expected;
    for (const Json& event : Json::parse(events.toStdString())) {
      expected.push_back({event[0].get<std::string>(), event[1].get<double>()});
    }
    QVERIFY(character->clips.at(0).events == expected);
    QCOMPARE(hasNote(character->notes, "EventDropped"), dropped);
  }

  void weightsAreCleanedVertexByVertex() {
    Glb glb = quad();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    glb.json["nodes"] = {
        {{"name", "Body"}, {"mesh", 0}, {"skin", 0}}, {{"name", "A"}}, {{"name", "B"}}};
    glb.json["scenes"][0]["nodes"] = {0, 1, 2};
    glb.json["skins"] = {{{"joints", {1, 2}}}};
    Json& attributes = primitive(glb)["attributes"];
    attributes["JOINTS_0"] = glb.add<std::uint8_t>({0, 1, 0, 0, 1, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0},
                                                   kUnsignedByte, "VEC4", 4);
    attributes["WEIGHTS_0"] =
        glb.floats({1, 3, 0, 0, 0.5f, 0.5f, 0, 0, nan, 1, -1, 0.25f, 0, 0, 0, 0}, "VEC4", 4);
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::Mesh& mesh = character->meshes[0];
    // 1 and 3 become 1/4 and 3/4, heaviest first.
    QCOMPARE(ck::influencesOf(mesh, 0).size(), std::size_t{2});
    QCOMPARE(ck::influencesOf(mesh, 0)[0].weight, 0.75f);
    // One joint named twice is one influence.
    QCOMPARE(ck::influencesOf(mesh, 1).size(), std::size_t{1});
    // NaN, negative and joint 9 are left out, 1/4 stays and becomes 1.
    QCOMPARE(ck::influencesOf(mesh, 2).size(), std::size_t{1});
    QCOMPARE(ck::influencesOf(mesh, 2)[0].weight, 1.0f);
    // A vertex without any weight follows the mesh's node.
    QCOMPARE(ck::influencesOf(mesh, 3).size(), std::size_t{1});
    for (const char* code : {"WeightsDropped", "WeightsNormalised", "VerticesUnweighted"}) {
      QVERIFY2(hasNote(character->notes, code), code);
    }
  }

  void picturesAreDecodedAndBombsAreNot() {
    const std::filesystem::path folder = folder_.path().toStdString();
    const auto write = [&folder](const char* name, const std::string& bytes) {
      const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
      QVERIFY(ck::writeFileAtomically(folder / name, {first, bytes.size()}).has_value());
    };
    write("my skin.png", png(2, 3, std::string("\x0A\x14\x1E\x80", 4), 3));
    write("bomb.png", png(50'000, 50'000, "", 1));
    write("cut.png", png(64, 64, std::string("\x01\x02\x03\x04", 4), 64).substr(0, 60));
    Glb glb = quad();
    glb.json["images"] = {{{"uri", "my%20skin.png"}}, {{"uri", "bomb.png"}}, {{"uri", "cut.png"}}};
    glb.json["textures"] = {{{"source", 0}}, {{"source", 1}}, {{"source", 2}}};
    const auto material = [](int texture) {
      return Json{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", texture}}}}}};
    };
    glb.json["materials"] = {material(0), material(1), material(2)};
    glb.json["materials"][0]["extras"]["tintMask"] = true;
    glb.json["materials"][0]["doubleSided"] = true;
    glb.json["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"] = {0.5, 0.25, 1, 1};
    primitive(glb)["material"] = 0;
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->images.size(), std::size_t{1});
    QCOMPARE(character->images[0].width, 2);
    QCOMPARE(character->images[0].height, 3);
    const std::vector<std::uint8_t> texel(character->images[0].rgba.begin(),
                                          character->images[0].rgba.begin() + 4);
    QCOMPARE(texel, (std::vector<std::uint8_t>{10, 20, 30, 128}));
    QVERIFY(character->materials[0].alphaIsTintMask);
    QVERIFY(!character->materials[1].alphaIsTintMask);
    QVERIFY(character->materials[0].doubleSided);
    QVERIFY(!character->materials[1].doubleSided);
    QCOMPARE(character->materials[0].base.image, 0);
    QCOMPARE(character->materials[1].base.image, -1);
    QCOMPARE(character->materials[1].baseColor, glm::vec4(0.5f, 0.25f, 1.0f, 1.0f));
    int unreadable = 0;
    for (const ck::Note& note : character->notes) unreadable += note.code == "PictureUnreadable";
    QCOMPARE(unreadable, 2);
  }

  void normalMapsLieAlongTangents_data() {
    QTest::addColumn<QString>("map");    // the texture, 0 good, 1 broken
    QTest::addColumn<bool>("uvs");       // of the mesh
    QTest::addColumn<bool>("tangents");  // of the mesh
    QTest::addColumn<int>("colorSet");   // TEXCOORD of the base colour, or -1 without one
    QTest::addColumn<bool>("shown");
    QTest::addColumn<QString>("note");
    QTest::newRow("with tangents")
        << R"({"index":0,"scale":0.5})" << true << true << 0 << true << "";
    QTest::newRow("tangents are computed")
        << R"({"index":0,"scale":0.5})" << true << false << 0 << true << "TangentsComputed";
    QTest::newRow("along its own coordinates") << R"({"index":0,"scale":0.5,"texCoord":1})" << true
                                               << false << -1 << true << "TangentsComputed";
    QTest::newRow("along other coordinates than colours")
        << R"({"index":0,"scale":0.5,"texCoord":1})" << true << true << 0 << true << "";
    QTest::newRow("nothing to lie along")
        << R"({"index":0,"scale":0.5})" << false << false << -1 << true << "NormalMapUnused";
    QTest::newRow("a broken picture")
        << R"({"index":1})" << true << false << 0 << false << "PictureUnreadable";
    QTest::newRow("a shift") << R"({"index":0,"scale":0.5,"extensions":)"
                                R"({"KHR_texture_transform":{"offset":[0.5,0]}}})"
                             << true << true << 0 << true << "";
  }
  void normalMapsLieAlongTangents() {
    QFETCH(QString, map);
    QFETCH(bool, uvs);
    QFETCH(bool, tangents);
    QFETCH(int, colorSet);
    QFETCH(bool, shown);
    QFETCH(QString, note);
    const std::string bumps = png(2, 2, std::string("\x80\x80\xFF\xFF", 4), 2);
    Glb glb = quad();
    glb.json["images"] = {{{"bufferView", glb.view(std::vector<char>(bumps.begin(), bumps.end()))},
                           {"mimeType", "image/png"}},
                          {{"uri", "missing.png"}}};
    glb.json["textures"] = {{{"source", 0}}, {{"source", 1}}};
    glb.json["materials"] = {{{"normalTexture", Json::parse(map.toStdString())}}};
    if (colorSet >= 0) {
      glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {
          {"index", 0}, {"texCoord", colorSet}};
    }
    Json& attributes = primitive(glb)["attributes"];
    primitive(glb)["material"] = 0;
    attributes["NORMAL"] = glb.floats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
    if (uvs) {
      // Upright: v runs down the picture.
      const int upright = glb.floats({0, 1, 1, 1, 0, 0, 1, 0}, "VEC2", 2);
      for (const char* set : {"TEXCOORD_0", "TEXCOORD_1"}) attributes[set] = upright;
    }
    if (tangents) {
      attributes["TANGENT"] =
          glb.floats({0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1}, "VEC4", 4);
    }
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const ck::Material& material = character->materials.at(0);
    QCOMPARE(material.normal.image, shown ? 0 : -1);
    if (shown) QCOMPARE(material.normalScale, 0.5f);
    int unusual = 0;
    for (const ck::Note& each : character->notes) {
      if (each.code.starts_with("NormalsComputed")) continue;
      ++unusual;
      QCOMPARE(QString::fromStdString(each.code), note);
    }
    QCOMPARE(unusual, note.isEmpty() ? 0 : 1);
    const ck::Mesh& mesh = character->meshes.at(0);
    const glm::vec4 expected = tangents ? glm::vec4(0, 1, 0, -1) : glm::vec4(1, 0, 0, 1);
    QCOMPARE(mesh.tangents.empty(), !tangents && !(shown && uvs));
    for (const glm::vec4& tangent : mesh.tangents) {
      QVERIFY(glm::distance(tangent, expected) < 1e-6f);
    }
  }

  // By glTF 2.0, 3.7.2.1: a client must then ignore them.
  void tangentsWithoutNormalsAreComputed() {
    const std::string bumps = png(2, 2, std::string("\x80\x80\xFF\xFF", 4), 2);
    Glb glb = quad();
    glb.json["images"] = {{{"bufferView", glb.view(std::vector<char>(bumps.begin(), bumps.end()))},
                           {"mimeType", "image/png"}}};
    glb.json["textures"] = {{{"source", 0}}};
    glb.json["materials"] = {{{"normalTexture", {{"index", 0}}}}};
    primitive(glb)["material"] = 0;
    Json& attributes = primitive(glb)["attributes"];
    attributes["TEXCOORD_0"] = glb.floats({0, 1, 1, 1, 0, 0, 1, 0}, "VEC2", 2);
    attributes["TANGENT"] =
        glb.floats({0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1}, "VEC4", 4);
    const int places = glb.floats({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
    const int turns = glb.floats({0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
    primitive(glb)["targets"] = {{{"POSITION", places}, {"TANGENT", turns}}};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "NormalsComputed"));
    QVERIFY(hasNote(character->notes, "TangentsComputed"));
    const ck::Mesh& mesh = character->meshes.at(0);
    QCOMPARE(mesh.tangents.size(), mesh.positions.size());
    for (const glm::vec4& tangent : mesh.tangents) {
      QVERIFY(glm::distance(tangent, glm::vec4(1, 0, 0, 1)) < 1e-6f);
    }
    QVERIFY(mesh.morphTargets.at(0).tangentDeltas.empty());
  }

  void primitivesOfOneMeshShareItsName() {
    Glb glb = quad();
    glb.json["meshes"][0]["primitives"].push_back(primitive(glb));
    const auto character = import(glb);
    QVERIFY(character.has_value());
    QCOMPARE(character->meshes.size(), std::size_t{2});
    QCOMPARE(character->meshes[1].name, std::string("Quad (2)"));
  }

  void twoImportsGiveTheSameBytes() {
    Glb glb = quad();
    const auto first = import(glb);
    const auto second = import(glb);
    QVERIFY(first.has_value() && second.has_value());
    QVERIFY(*first == *second);
  }
};

CK_TEST(tst_gltf_features)
#include "tst_gltf_features.moc"
