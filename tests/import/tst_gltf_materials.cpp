#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

using Json = nlohmann::json;

constexpr int kUnsignedByte = 5121;
constexpr int kUnsignedShort = 5123;
constexpr int kFloat = 5126;

template <class Number>
std::string dataUri(const std::vector<Number>& numbers, const char* kind) {
  const QByteArray bytes(reinterpret_cast<const char*>(numbers.data()),
                         static_cast<qsizetype>(numbers.size() * sizeof(Number)));
  return std::string("data:") + kind + ";base64," + bytes.toBase64().toStdString();
}

// A document with a quad in the plane z = 0, which has one material.
class Made {
 public:
  Json json = {{"asset", {{"version", "2.0"}}},
               {"scene", 0},
               {"scenes", {{{"nodes", {0}}}}},
               {"nodes", {{{"name", "Quad"}, {"mesh", 0}}}},
               {"materials", {{{"name", "Paint"}}}}};

  Made() {
    attributes()["POSITION"] = floats({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, "VEC3");
    attributes()["NORMAL"] = floats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
    attributes()["TEXCOORD_0"] = floats({0, 1, 1, 1, 0, 0, 1, 0}, "VEC2");
    primitive()["indices"] =
        add<std::uint16_t>({0, 1, 2, 2, 1, 3}, kUnsignedShort, "SCALAR", false);
    primitive()["material"] = 0;
  }

  Json& primitive() { return json["meshes"][0]["primitives"][0]; }
  Json& attributes() { return primitive()["attributes"]; }
  Json& material() { return json["materials"][0]; }

  template <class Number>
  int add(const std::vector<Number>& numbers, int componentType, const char* type,
          bool normalised) {
    const std::string rows = type;
    const std::size_t width = rows == "SCALAR" ? 1 : std::size_t(rows.back() - '0');
    const std::size_t size = numbers.size() * sizeof(Number);
    const auto buffer = json["buffers"].size();
    json["buffers"].push_back(
        {{"byteLength", size}, {"uri", dataUri(numbers, "application/octet-stream")}});
    json["bufferViews"].push_back({{"buffer", buffer}, {"byteLength", size}});
    json["accessors"].push_back({{"bufferView", buffer},
                                 {"componentType", componentType},
                                 {"normalized", normalised},
                                 {"type", type},
                                 {"count", numbers.size() / width}});
    return static_cast<int>(buffer);
  }
  int floats(const std::vector<float>& numbers, const char* type) {
    return add(numbers, kFloat, type, false);
  }

  // A texture of 2 x 1 RGBA texels (a TGA, top row first); returns its index.
  int texture(const std::vector<int>& texels, int sampler = -1) {
    std::vector<unsigned char> tga(18, 0);
    tga[2] = 2;
    tga[12] = 2;
    tga[14] = 1;
    tga[16] = 32;
    tga[17] = 0x28;
    for (std::size_t t = 0; t < 2; ++t) {
      for (const std::size_t c : {2, 1, 0, 3}) {
        tga.push_back(static_cast<unsigned char>(texels[t * 4 + c]));
      }
    }
    json["images"].push_back({{"uri", dataUri(tga, "application/octet-stream")}});
    Json made = {{"source", json["images"].size() - 1}};
    if (sampler >= 0) made["sampler"] = sampler;
    json["textures"].push_back(std::move(made));
    return static_cast<int>(json["textures"].size()) - 1;
  }

  ck::Result<ck::Character> read() const {
    const QTemporaryDir folder;
    const std::string text = json.dump();
    const auto path = ck::pathFromText(folder.filePath("made.gltf").toStdString());
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    if (!ck::writeFileAtomically(path, {first, text.size()})) std::abort();
    return ck::importCharacter(path);
  }
};

std::vector<int> texelsOf(const ck::Image& image) {
  return {image.rgba.begin(), image.rgba.end()};
}

// IEC 61966-2-1.
double linear(double display) {
  return display <= 0.04045 ? display / 12.92 : std::pow((display + 0.055) / 1.055, 2.4);
}

std::string failureOf(const ck::Result<ck::Character>& character) {
  return character ? std::string() : character.error().message;
}

}  // namespace

#define CK_READ(made)                 \
  const auto character = made.read(); \
  QVERIFY2(character.has_value(), failureOf(character).c_str())

// The look of glTF surfaces, against the numbers that the made files state.
class tst_gltf_materials : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // glTF 2.0, 5.19 and 5.22: what a file leaves out.
  void aPlainMaterialIsThatOfTheStandard() {
    const Made made;
    CK_READ(made);
    ck::Material expected;
    expected.name = "Paint";
    expected.metallic = 1.0f;
    expected.doubleSided = false;
    QVERIFY(character->materials.at(0) == expected);
    QVERIFY(character->notes.empty());
  }

  void aMeshWithoutMaterialHasNone() {
    Made made;
    made.primitive().erase("material");
    CK_READ(made);
    QCOMPARE(character->meshes.at(0).material, -1);
  }

  void everyPropertyIsRead() {
    Made made;
    made.json["samplers"] = {{{"wrapS", 33071}, {"wrapT", 33648}}, Json::object()};
    const int base = made.texture({255, 0, 0, 128, 0, 0, 255, 255}, 0);
    const int metal = made.texture({0, 10, 20, 255, 0, 30, 40, 255}, 1);
    const int light = made.texture({1, 2, 3, 255, 4, 5, 6, 255});
    made.material() = {
        {"name", "Paint"},
        {"doubleSided", true},
        {"alphaMode", "MASK"},
        {"alphaCutoff", 0.25},
        {"emissiveFactor", {1.0, 0.5, 0.0}},
        {"emissiveTexture", {{"index", light}}},
        {"extensions", {{"KHR_materials_emissive_strength", {{"emissiveStrength", 6}}}}},
        {"pbrMetallicRoughness",
         {{"baseColorFactor", {0.5, 0.25, 0.125, 0.75}},
          {"baseColorTexture", {{"index", base}}},
          {"metallicFactor", 0.5},
          {"roughnessFactor", 0.25},
          {"metallicRoughnessTexture", {{"index", metal}}}}}};
    CK_READ(made);
    const ck::Material& material = character->materials.at(0);
    QVERIFY(material.baseColor == glm::vec4(0.5f, 0.25f, 0.125f, 0.75f));
    QCOMPARE(int(material.alpha), int(ck::AlphaMode::Mask));
    QCOMPARE(material.alphaCutoff, 0.25f);
    QCOMPARE(material.metallic, 0.5f);
    QCOMPARE(material.roughness, 0.25f);
    QVERIFY(material.emission == glm::vec3(6.0f, 3.0f, 0.0f));
    QVERIFY(material.doubleSided);
    QVERIFY(!material.unlit);
    QCOMPARE(int(material.base.wrapU), int(ck::Wrap::Clamp));
    QCOMPARE(int(material.base.wrapV), int(ck::Wrap::Mirror));
    QCOMPARE(int(material.metalRoughness.wrapU), int(ck::Wrap::Repeat));
    const auto texels = [&](const ck::SurfaceMap& map) {
      return texelsOf(character->images.at(std::size_t(map.image)));
    };
    QCOMPARE(texels(material.base), (std::vector<int>{255, 0, 0, 128, 0, 0, 255, 255}));
    QCOMPARE(texels(material.metalRoughness), (std::vector<int>{0, 10, 20, 255, 0, 30, 40, 255}));
    QCOMPARE(texels(material.emissive), (std::vector<int>{1, 2, 3, 255, 4, 5, 6, 255}));
    QVERIFY(character->notes.empty());
  }

  void numbersOutOfRangeAreLimited() {
    Made made;
    made.material() = {{"alphaMode", "MASK"},
                       {"alphaCutoff", 2.0},
                       {"emissiveFactor", {1e300, -1.0, 1.0}},
                       {"pbrMetallicRoughness",
                        {{"baseColorFactor", {-1.0, 1e300, 1.0, 1.0}},
                         {"metallicFactor", -3.0},
                         {"roughnessFactor", 7.0}}}};
    CK_READ(made);
    const ck::Material& material = character->materials.at(0);
    QCOMPARE(material.metallic, 0.0f);
    QCOMPARE(material.roughness, 1.0f);
    QVERIFY(material.emission == glm::vec3(0.0f, 0.0f, 1.0f));
    // Nothing reaches a cutoff of 2.
    QVERIFY(material.baseColor.w < material.alphaCutoff);
  }

  void tintMasksAreNotTransparency() {
    Made made;
    made.material()["alphaMode"] = "BLEND";
    made.material()["extras"] = {{"tintMask", true}};
    CK_READ(made);
    QVERIFY(character->materials.at(0).alphaIsTintMask);
    QCOMPARE(int(character->materials.at(0).alpha), int(ck::AlphaMode::Opaque));
  }

  void mapsLieAsTheirTransformSays() {
    Made made;
    const Json moved = {
        {"offset", {0.5, -0.25}}, {"rotation", 0.5}, {"scale", {2, 3}}, {"texCoord", 1}};
    const int picture = made.texture({255, 0, 0, 255, 0, 0, 255, 255});
    made.json["extensionsRequired"] = {"KHR_texture_transform", "KHR_mesh_quantization"};
    made.json["extensionsUsed"] = made.json["extensionsRequired"];
    made.material()["pbrMetallicRoughness"]["baseColorTexture"] = {
        {"index", picture}, {"texCoord", 0}, {"extensions", {{"KHR_texture_transform", moved}}}};
    // Whole numbers as they are; the scale of the transform makes coordinates of them (gltfpack).
    made.attributes()["TEXCOORD_1"] = made.add<std::uint16_t>({0, 4000, 4000, 4000, 0, 0, 4000, 0},
                                                              kUnsignedShort, "VEC2", false);
    CK_READ(made);
    const ck::SurfaceMap& map = character->materials.at(0).base;
    QVERIFY(map.offset == glm::vec2(0.5f, -0.25f));
    QVERIFY(map.scale == glm::vec2(2.0f, 3.0f));
    QCOMPARE(map.rotation, 0.5f);
    QCOMPARE(map.uvSet, 0);
    QVERIFY(character->meshes.at(0).uvs.at(1) == glm::vec2(4000.0f, 4000.0f));
    QVERIFY(character->meshes.at(0).secondUvs.empty());
    QVERIFY(character->notes.empty());
  }

  void brokenTransformsAreLeftOut() {
    Made made;
    const int picture = made.texture({255, 0, 0, 255, 0, 0, 255, 255});
    made.material()["pbrMetallicRoughness"]["baseColorTexture"] = {
        {"index", picture},
        {"extensions",
         {{"KHR_texture_transform",
           {{"offset", {1e300, 0}}, {"rotation", "much"}, {"scale", {1, 2, 3}}}}}}};
    CK_READ(made);
    ck::SurfaceMap expected;
    expected.image = 0;
    QVERIFY(character->materials.at(0).base == expected);
  }

  void materialsUseTwoSetsOfCoordinates() {
    Made made;
    const int picture = made.texture({255, 0, 0, 255, 0, 0, 255, 255});
    made.attributes()["TEXCOORD_2"] = made.floats({0, 0, 1, 0, 0, 1, 1, 1}, "VEC2");
    made.attributes()["TEXCOORD_5"] = made.floats({5, 5, 5, 5, 5, 5, 5, 5}, "VEC2");
    made.material()["pbrMetallicRoughness"] = {
        {"baseColorTexture", {{"index", picture}, {"texCoord", 2}}},
        {"metallicRoughnessTexture", {{"index", picture}, {"texCoord", 0}}}};
    made.material()["normalTexture"] = {{"index", picture}, {"texCoord", 2}};
    made.material()["emissiveFactor"] = {1, 1, 1};
    made.material()["emissiveTexture"] = {{"index", picture}, {"texCoord", 5}};
    CK_READ(made);
    const ck::Material& material = character->materials.at(0);
    QCOMPARE(material.base.uvSet, 0);
    QCOMPARE(material.metalRoughness.uvSet, 1);
    QCOMPARE(material.normal.uvSet, 0);
    QCOMPARE(material.emissive.image, -1);
    QVERIFY(hasNote(character->notes, "MaterialSimplified", "TEXCOORD_5"));
    const ck::Mesh& mesh = character->meshes.at(0);
    QVERIFY(mesh.uvs.at(2) == glm::vec2(0.0f, 1.0f));
    QVERIFY(mesh.secondUvs.at(2) == glm::vec2(0.0f, 0.0f));
  }

  // Tangents follow the set of the normal map, and how the map is turned on it.
  void tangentsFollowTheNormalMap_data() {
    QTest::addColumn<double>("rotation");
    QTest::addColumn<double>("scaleV");
    QTest::newRow("as it lies") << 0.0 << 1.0;
    QTest::newRow("turned") << 0.5 << 1.0;
    QTest::newRow("mirrored") << 0.0 << -1.0;
  }
  void tangentsFollowTheNormalMap() {
    QFETCH(double, rotation);
    QFETCH(double, scaleV);
    Made made;
    const int bumps = made.texture({128, 128, 255, 255, 255, 128, 128, 255});
    const Json moved = {{"rotation", rotation}, {"scale", {1, scaleV}}};
    // In this set u grows with y, and v with x: seen from in front it is mirrored.
    made.attributes()["TEXCOORD_1"] = made.floats({0, 0, 0, 1, 1, 0, 1, 1}, "VEC2");
    made.material()["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", bumps}};
    made.material()["normalTexture"] = {
        {"index", bumps}, {"texCoord", 1}, {"extensions", {{"KHR_texture_transform", moved}}}};
    CK_READ(made);
    QCOMPARE(character->materials.at(0).normal.uvSet, 1);
    // u of the picture is c u + s v, so that it grows along (s, c) on the quad.
    const glm::vec3 along(std::sin(rotation) * scaleV, std::cos(rotation), 0.0);
    for (const glm::vec4& tangent : character->meshes.at(0).tangents) {
      QVERIFY(glm::distance(glm::vec3(tangent), along) < 1e-5f);
      // cross(normal, tangent) is -x, along which v shrinks: v runs down, so this is upright.
      QCOMPARE(tangent.w, scaleV > 0.0 ? 1.0f : -1.0f);
    }
  }

  void missingCoordinatesAreNoted() {
    Made made;
    const int picture = made.texture({255, 0, 0, 255, 0, 0, 255, 255});
    made.material()["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", picture},
                                                                   {"texCoord", 3}};
    CK_READ(made);
    QVERIFY(character->meshes.at(0).uvs.empty());
    QVERIFY(hasNote(character->notes, "UvsMissing", "Quad"));
  }

  void vertexColorsAreRead_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("withAlpha");
    QTest::addColumn<bool>("normalised");
    QTest::newRow("floats") << kFloat << true << false;
    QTest::newRow("floats without alpha") << kFloat << false << false;
    QTest::newRow("bytes") << kUnsignedByte << true << true;
    QTest::newRow("bytes without alpha") << kUnsignedByte << false << true;
    QTest::newRow("bytes that do not say so") << kUnsignedByte << true << false;
    QTest::newRow("shorts") << kUnsignedShort << true << true;
    QTest::newRow("shorts that do not say so") << kUnsignedShort << false << false;
  }
  void vertexColorsAreRead() {
    QFETCH(int, type);
    QFETCH(bool, withAlpha);
    QFETCH(bool, normalised);
    Made made;
    const std::vector<double> stated = {1, 0, 0.2, 0.4, 0, 1, 0, 1, 0.6, 0.8, 1, 0, 1, 1, 1, 1};
    const char* rows = withAlpha ? "VEC4" : "VEC3";
    const auto put = [&](auto most) {
      using Number = decltype(most);
      std::vector<Number> numbers;
      for (std::size_t i = 0; i < stated.size(); ++i) {
        if (i % 4 == 3 && !withAlpha) continue;
        numbers.push_back(static_cast<Number>(stated[i] * static_cast<double>(most)));
      }
      return made.add(numbers, type, rows, normalised);
    };
    made.attributes()["COLOR_0"] = type == kFloat          ? put(1.0f)
                                   : type == kUnsignedByte ? put(std::uint8_t{255})
                                                           : put(std::uint16_t{65'535});
    CK_READ(made);
    const std::vector<glm::vec4>& colors = character->meshes.at(0).colors;
    QCOMPARE(colors.size(), std::size_t{4});
    for (std::size_t i = 0; i < stated.size(); ++i) {
      const double expected = i % 4 == 3 && !withAlpha ? 1.0 : stated[i];
      QVERIFY(std::abs(colors[i / 4][static_cast<int>(i % 4)] - expected) < 1.0 / 250.0);
    }
    // As a prop, it keeps them.
    QCOMPARE(ck::restShape(*character).meshes.at(0).colors.size(), std::size_t{4});
  }

  void brokenColorsAreLeftOut_data() {
    QTest::addColumn<QList<float>>("numbers");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("note");
    QTest::newRow("too few") << QList<float>{1, 0, 0, 1, 0, 0} << "VEC3"
                             << "StreamDropped";
    QTest::newRow("two numbers") << QList<float>{1, 0, 0, 1, 0, 0, 1, 1} << "VEC2"
                                 << "StreamDropped";
    QTest::newRow("not a number") << QList<float>{1, 0, 0, 1, 0, 0, 1, 1, NAN, 1, 1, 1} << "VEC3"
                                  << "StreamDropped";
    QTest::newRow("white") << QList<float>(12, 1.0f) << "VEC3"
                           << "";
  }
  void brokenColorsAreLeftOut() {
    QFETCH(QList<float>, numbers);
    QFETCH(QString, rows);
    QFETCH(QString, note);
    Made made;
    made.attributes()["COLOR_0"] =
        made.floats({numbers.begin(), numbers.end()}, rows.toStdString().c_str());
    CK_READ(made);
    QVERIFY(character->meshes.at(0).colors.empty());
    QCOMPARE(character->notes.size(), std::size_t(note.isEmpty() ? 0 : 1));
    if (!note.isEmpty()) QVERIFY(hasNote(character->notes, note.toStdString(), "COLOR_0"));
  }

  // The formula of Khronos' convert-between-workflows, written once more from its description: a
  // metallic share m solves 0.04 m^2 + b m + 0.04 - s = 0.
  void glossySurfacesBecomeMetal_data() {
    QTest::addColumn<QList<double>>("diffuse");
    QTest::addColumn<QList<double>>("specular");
    QTest::addColumn<double>("glossiness");
    QTest::newRow("plastic") << QList<double>{0.5, 0.2, 0.1} << QList<double>{0.04, 0.04, 0.04}
                             << 0.3;
    QTest::newRow("gold") << QList<double>{0, 0, 0} << QList<double>{1.0, 0.77, 0.34} << 0.9;
    QTest::newRow("between") << QList<double>{0.3, 0.3, 0.2} << QList<double>{0.4, 0.3, 0.2} << 0.5;
    QTest::newRow("dull") << QList<double>{0.3, 0.6, 0.9} << QList<double>{0, 0, 0} << 0.0;
  }
  void glossySurfacesBecomeMetal() {
    QFETCH(QList<double>, diffuse);
    QFETCH(QList<double>, specular);
    QFETCH(double, glossiness);
    Made made;
    made.material()["extensions"]["KHR_materials_pbrSpecularGlossiness"] = {
        {"diffuseFactor", {diffuse[0], diffuse[1], diffuse[2], 0.5}},
        {"specularFactor", {specular[0], specular[1], specular[2]}},
        {"glossinessFactor", glossiness}};
    made.material()["pbrMetallicRoughness"]["baseColorFactor"] = {1, 0, 1, 1};  // a fallback
    CK_READ(made);
    const ck::Material& material = character->materials.at(0);
    const auto seen = [](const QList<double>& c) {
      return std::sqrt(0.299 * c[0] * c[0] + 0.587 * c[1] * c[1] + 0.114 * c[2] * c[2]);
    };
    const double most = std::max({specular[0], specular[1], specular[2]});
    const double m = material.metallic;
    if (seen(specular) < 0.04) {
      QCOMPARE(m, 0.0);
    } else {
      const double b = seen(diffuse) * (1.0 - most) / 0.96 + seen(specular) - 0.08;
      const double left = 0.04 * m * m + b * m + 0.04 - seen(specular);
      // Surfaces that reflect more than any metal does are metal.
      QVERIFY(std::abs(left) < 1e-5 || (m == 1.0 && left < 0.0));
    }
    for (int c = 0; c < 3; ++c) {
      const double scattered = diffuse[c] * (1.0 - most) / 0.96 / std::max(1.0 - m, 1e-6);
      const double reflected = (specular[c] - 0.04 * (1.0 - m)) / std::max(m, 1e-6);
      const double expected = std::clamp(scattered * (1.0 - m * m) + reflected * m * m, 0.0, 1.0);
      QVERIFY(std::abs(material.baseColor[c] - expected) < 1e-4);
    }
    QCOMPARE(material.baseColor.w, 0.5f);
    QVERIFY(std::abs(material.roughness - (1.0 - glossiness)) < 1e-6);
  }

  // Texels are converted one by one. Black ones that reflect are metal of that colour; ones that
  // reflect nothing keep their colour, brighter by what a surface that is no metal reflects.
  void glossyMapsBecomeMetalMaps() {
    Made made;
    const int colors = made.texture({0, 0, 0, 255, 100, 150, 200, 40});
    const int gloss = made.texture({255, 200, 100, 255, 0, 0, 0, 51});
    made.json["materials"][0] = {{"extensions",
                                  {{"KHR_materials_pbrSpecularGlossiness",
                                    {{"diffuseTexture", {{"index", colors}}},
                                     {"specularGlossinessTexture", {{"index", gloss}}},
                                     {"glossinessFactor", 0.5}}}}}};
    made.json["materials"].push_back(made.material());
    CK_READ(made);
    const ck::Material& material = character->materials.at(0);
    QCOMPARE(character->images.size(), std::size_t{2});  // both materials share them
    QVERIFY(character->materials.at(1).base == material.base);
    const auto base = texelsOf(character->images.at(std::size_t(material.base.image)));
    const auto metal = texelsOf(character->images.at(std::size_t(material.metalRoughness.image)));
    QCOMPARE(std::vector<int>(base.begin(), base.begin() + 4),
             (std::vector<int>{255, 200, 100, 255}));
    QCOMPARE(metal[2], 255);
    QCOMPARE(metal[1], 128);  // 1 - 0.5
    for (int c = 0; c < 3; ++c) {
      const double stated = linear(std::vector<double>{100, 150, 200}[std::size_t(c)] / 255.0);
      QVERIFY(std::abs(linear(base[std::size_t(4 + c)] / 255.0) - stated / 0.96) < 0.01);
    }
    QCOMPARE(base[7], 40);
    QCOMPARE(metal[6], 0);
    QCOMPARE(metal[5], 230);  // 1 - 0.5 * 51 / 255
    QCOMPARE(material.metallic, 1.0f);
    QCOMPARE(material.roughness, 1.0f);
  }

  void unlitAndVariants() {
    Made made;
    made.json["extensionsUsed"] = {"KHR_materials_unlit", "KHR_materials_variants"};
    made.json["extensions"]["KHR_materials_variants"]["variants"] = {{{"name", "Summer"}},
                                                                     {{"name", "Winter"}}};
    made.material()["extensions"]["KHR_materials_unlit"] = Json::object();
    made.json["materials"].push_back({{"name", "Snow"}});
    made.primitive()["extensions"]["KHR_materials_variants"]["mappings"] = {
        {{"material", 1}, {"variants", {1}}}};
    CK_READ(made);
    QVERIFY(character->materials.at(0).unlit);
    QCOMPARE(character->meshes.at(0).material, 0);
    QCOMPARE(character->notes.size(), std::size_t{1});
    QVERIFY(hasNote(character->notes, "MaterialVariants", "'Summer', 'Winter'"));
  }

  void hiddenNodesAreLeftOut() {
    Made made;
    made.json["extensionsRequired"] = {"KHR_node_visibility"};
    made.json["extensionsUsed"] = {"KHR_node_visibility"};
    const Json hides = {{"KHR_node_visibility", {{"visible", false}}}};
    const Json shows = {{"KHR_node_visibility", {{"visible", true}}}};
    made.json["nodes"] = {{{"name", "Seen"}, {"mesh", 0}, {"extensions", shows}},
                          {{"name", "Group"}, {"children", {2}}, {"extensions", hides}},
                          {{"name", "Inside"}, {"mesh", 0}, {"extensions", shows}}};
    made.json["scenes"][0]["nodes"] = {0, 1};
    CK_READ(made);
    QCOMPARE(character->meshes.size(), std::size_t{1});
    QCOMPARE(character->meshes[0].name, std::string("Seen"));
    QVERIFY(hasNote(character->notes, "MeshHidden", "'Inside'"));
  }

  void instancesAreCopies() {
    Made made;
    made.json["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
    made.json["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
    made.attributes()["COLOR_0"] = made.floats({1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0}, "VEC3");
    const float half = std::sqrt(0.5f);
    // At (5, 0, 0); turned by 90 degrees about z; mirrored in x.
    made.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
        {"TRANSLATION", made.floats({5, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3")},
        {"ROTATION", made.floats({0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 1}, "VEC4")},
        {"SCALE", made.floats({1, 1, 1, 2, 2, 2, -1, 1, 1}, "VEC3")}};
    made.json["nodes"][0]["translation"] = {0, 0, 10};
    CK_READ(made);
    const ck::Character shape = ck::restShape(*character);
    QCOMPARE(shape.meshes.size(), std::size_t{1});
    const ck::Mesh& mesh = shape.meshes[0];
    QCOMPARE(mesh.positions.size(), std::size_t{12});
    const auto at = [&mesh](std::size_t vertex, glm::vec3 place) {
      return glm::distance(mesh.positions[vertex], place) < 1e-5f;
    };
    QVERIFY(at(1, {6, 0, 10}));
    QVERIFY(at(5, {0, 2, 10}));
    QVERIFY(at(6, {-2, 0, 10}));
    QVERIFY(at(9, {-1, 0, 10}));
    QVERIFY(mesh.colors[9] == glm::vec4(0, 1, 0, 1));
    // Every triangle is seen from in front, and so are the normals.
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const auto corner = [&](std::size_t k) { return mesh.positions[mesh.indices[i + k]]; };
      QVERIFY(glm::cross(corner(1) - corner(0), corner(2) - corner(0)).z > 0.0f);
    }
    for (const glm::vec3& normal : mesh.normals) {
      QVERIFY(glm::distance(normal, glm::vec3(0, 0, 1)) < 1e-5f);
    }
    QVERIFY(hasNote(character->notes, "MeshRepeated", "3 copies"));
  }

  void brokenInstances_data() {
    QTest::addColumn<int>("count");  // of places; -1: lists of unequal length
    QTest::addColumn<bool>("skinned");
    QTest::newRow("unequal") << -1 << false;
    QTest::newRow("skinned") << 3 << true;
    QTest::newRow("4 billion") << 0 << false;
  }
  void brokenInstances() {
    QFETCH(int, count);
    QFETCH(bool, skinned);
    Made made;
    Json& node = made.json["nodes"][0];
    node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
        {"TRANSLATION", made.floats(std::vector<float>(9, 1.0f), "VEC3")},
        {"SCALE", made.floats(std::vector<float>(count < 0 ? 6 : 9, 1.0f), "VEC3")}};
    if (count == 0) {
      made.json["accessors"].back().erase("bufferView");
      made.json["accessors"].back()["count"] = 4'000'000'000u;
    }
    if (skinned) {
      node["skin"] = 0;
      made.json["skins"] = {{{"joints", {1}}}};
      made.json["nodes"].push_back({{"name", "Joint"}});
      made.json["scenes"][0]["nodes"] = {0, 1};
      made.attributes()["JOINTS_0"] =
          made.add(std::vector<std::uint8_t>(16, 0), kUnsignedByte, "VEC4", false);
      made.attributes()["WEIGHTS_0"] =
          made.floats({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
    }
    const auto character = made.read();
    if (count == 0) {
      QVERIFY(!character.has_value());
      QCOMPARE(int(character.error().code), int(ck::ErrorCode::LimitExceeded));
      return;
    }
    QVERIFY2(character.has_value(), failureOf(character).c_str());
    QCOMPARE(character->meshes.at(0).positions.size(), std::size_t{4});
    QVERIFY(hasNote(character->notes, "InstancesUnused", "Quad"));
  }

  void whatIsNotDrawnIsNotedOnce() {
    Made made;
    made.json["extensionsUsed"] = {"KHR_materials_clearcoat", "KHR_materials_sheen",
                                   "KHR_xmp_json_ld", "ACME_glitter", "KHR_lights_punctual"};
    made.json["extensionsRequired"] = {"KHR_materials_sheen"};
    made.json["cameras"] = {
        {{"type", "perspective"}, {"perspective", {{"yfov", 1}, {"znear", 0.1}}}}};
    made.json["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "point"}}};
    const int picture = made.texture({255, 255, 255, 255, 0, 0, 0, 255});
    made.material()["occlusionTexture"] = {{"index", picture}};
    made.material()["extensions"] = {{"KHR_materials_clearcoat", {{"clearcoatFactor", 1}}}};
    made.json["materials"].push_back(made.material());
    CK_READ(made);
    QStringList codes;
    for (const ck::Note& note : character->notes) codes << QString::fromStdString(note.code);
    codes.sort();
    QCOMPARE(codes, (QStringList{"ExtensionIgnored", "ExtensionIgnored", "ExtensionIgnored",
                                 "OcclusionUnused", "SceneryLeftOut"}));
    QVERIFY(hasNote(character->notes, "ExtensionIgnored", "2 materials, 'Paint' first"));
    QVERIFY(hasNote(character->notes, "ExtensionIgnored", "KHR_materials_sheen"));
    QVERIFY(hasNote(character->notes, "ExtensionIgnored", "ACME_glitter"));
    QVERIFY(hasNote(character->notes, "SceneryLeftOut", "1 camera and 1 light"));
  }

  void unknownRequiredExtensionsAreRefused() {
    Made made;
    made.json["extensionsRequired"] = {"ACME_glitter"};
    const auto character = made.read();
    QVERIFY(!character.has_value());
    QCOMPARE(int(character.error().code), int(ck::ErrorCode::Unsupported));
    QVERIFY(character.error().message.find("ACME_glitter") != std::string::npos);
  }

  // Normals of the file are never replaced, not even ones that do not fit the surface.
  void normalsStayAsWritten() {
    Made made;
    made.attributes()["NORMAL"] = made.floats({1, 0, 0, 0, 1, 0, 0, 0, -1, 0.6f, 0, 0.8f}, "VEC3");
    CK_READ(made);
    const std::vector<glm::vec3>& normals = character->meshes.at(0).normals;
    QVERIFY(normals.at(0) == glm::vec3(1, 0, 0));
    QVERIFY(normals.at(1) == glm::vec3(0, 1, 0));
    QVERIFY(normals.at(2) == glm::vec3(0, 0, -1));
    QVERIFY(glm::distance(normals.at(3), glm::vec3(0.6f, 0, 0.8f)) < 1e-6f);
  }
};

CK_TEST(tst_gltf_materials)
#include "tst_gltf_materials.moc"
