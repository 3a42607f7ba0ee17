#include <fmt/format.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "core/import/import_process.h"
#include "core/import/worker/assembly/surface_maps.h"
#include "core/system/files.h"
#include "tests/support/fbx_text.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::fbxArray;
using ck::test::fbxProperty;
using ck::test::FbxText;
using ck::test::hasNote;

namespace {

ck::Result<ck::Character> imported(const std::string& text, const char* name) {
  const QTemporaryDir folder;
  const auto path = ck::pathFromText(folder.filePath(name).toStdString());
  std::ofstream(path, std::ios::binary) << text;
  return ck::importCharacter(path);
}

std::string failureOf(const ck::Result<ck::Character>& character) {
  return character ? std::string() : character.error().message;
}

// A TGA of 2 x 1 RGBA texels.
QByteArray tga(const std::vector<int>& texels) {
  QByteArray file(18, '\0');
  file[2] = 2;
  file[12] = 2;
  file[14] = 1;
  file[16] = 32;
  file[17] = 0x28;
  for (std::size_t t = 0; t < 2; ++t) {
    for (const std::size_t c : {2, 1, 0, 3}) {
      file.append(static_cast<char>(texels[t * 4 + c]));
    }
  }
  return file;
}

std::string layer(const char* kind, const char* name, const char* values,
                  const std::vector<double>& numbers) {
  return fmt::format(
             "  {}: 0 {{\n   Name: \"{}\"\n   MappingInformationType: \"ByVertice\"\n"
             "   ReferenceInformationType: \"Direct\"\n",
             kind, name) +
         fbxArray(values, numbers) + "  }\n";
}

// A quad in the plane z = 0 with one material, to which textures are linked.
class PaintedFbx {
 public:
  explicit PaintedFbx(const std::string& properties, const std::string& layers = {},
                      const std::string& shading = "lambert") {
    const int geometry = file_.object(
        "Geometry", "", "Mesh",
        fbxArray("Vertices", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) +
            fbxArray("PolygonVertexIndex", {0, 1, 2, ~3}) +
            layer("LayerElementNormal", "", "Normals", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}) +
            layer("LayerElementUV", "UVMap", "UV", {0, 0, 1, 0, 1, 1, 0, 1}) + layers);
    const int model = file_.object("Model", "Quad", "Mesh", "");
    material_ = file_.object(
        "Material", "Paint", "",
        fmt::format("  ShadingModel: \"{}\"\n  Properties70: {{\n{}  }}\n", shading, properties));
    file_.connect(geometry, model);
    file_.connect(model, 0);
    file_.connect(material_, model);
  }

  void link(const char* property, const std::vector<int>& texels,
            const std::string& textureProperties = {}) {
    const int texture =
        file_.object("Texture", "Map", "",
                     fmt::format("  RelativeFilename: \"map.tga\"\n  Properties70: {{\n{}  }}\n",
                                 textureProperties));
    const int video =
        file_.object("Video", "Map", "Clip",
                     fmt::format("  Content: ,\"{}\"\n", tga(texels).toBase64().toStdString()));
    file_.connect(texture, material_, property);
    file_.connect(video, texture);
  }

  ck::Result<ck::Character> read(const std::string& creator = {}) const {
    std::string text = file_.text();
    if (!creator.empty()) text += fmt::format("Creator: \"{}\"\n", creator);
    return imported(text, "painted.fbx");
  }

 private:
  FbxText file_;
  int material_ = 0;
};

std::string number(const char* name, double value) {
  return fmt::format("   P: \"{}\", \"double\", \"Number\", \"\",{}\n", name, value);
}

std::string text(const char* name, const char* value) {
  return fmt::format("   P: \"{}\", \"KString\", \"\", \"\",\"{}\"\n", name, value);
}

// IEC 61966-2-1.
double linear(double display) {
  return display <= 0.04045 ? display / 12.92 : std::pow((display + 0.055) / 1.055, 2.4);
}

// A Collada file of a triangle with colours and one effect; moc does not see through its text.
std::string collada(const std::string& effect);

}  // namespace

#define CK_READ(source)                                          \
  const auto character = source;                                 \
  QVERIFY2(character.has_value(), failureOf(character).c_str()); \
  const ck::Material& material = character->materials.at(0)

// The look of surfaces in FBX and Collada, against the numbers that the made files state.
class tst_read_surfaces : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void fbxOpacity_data() {
    QTest::addColumn<QString>("properties");
    QTest::addColumn<double>("opacity");
    QTest::addColumn<bool>("noted");
    const auto row = [](const char* name, const std::string& properties, double opacity,
                        bool noted = false) {
      QTest::newRow(name) << QString::fromStdString(properties) << opacity << noted;
    };
    const auto color = [](double grey) {
      return fbxProperty("TransparentColor", glm::dvec3(grey));
    };
    row("nothing said", "", 1.0);
    row("solid by Maya", number("TransparencyFactor", 1) + color(0), 1.0);
    row("solid by Blender", number("TransparencyFactor", 0) + color(1), 1.0);
    row("solid by 3ds Max", color(1) + number("Opacity", 1), 1.0);
    row("a quarter clear by Maya", number("TransparencyFactor", 1) + color(0.25), 0.75);
    row("a quarter clear by Blender",
        number("TransparencyFactor", 0.25) + color(0.25) + number("Opacity", 0.75), 0.75);
    row("nothing to see", number("Opacity", 0), 1.0, true);
  }
  void fbxOpacity() {
    QFETCH(QString, properties);
    QFETCH(double, opacity);
    QFETCH(bool, noted);
    CK_READ(PaintedFbx(properties.toStdString()).read());
    QVERIFY(std::abs(material.baseColor.w - opacity) < 1e-6);
    QCOMPARE(int(material.alpha),
             int(opacity < 1.0 ? ck::AlphaMode::Blend : ck::AlphaMode::Opaque));
    QCOMPARE(hasNote(character->notes, "MaterialSimplified", "transparency"), noted);
  }

  void fbxEmission_data() {
    QTest::addColumn<QString>("properties");
    QTest::addColumn<float>("green");
    const auto green = [](const char* name) { return fbxProperty(name, glm::dvec3(0, 0.5, 0)); };
    const auto row = [](const char* name, const std::string& properties, float light) {
      QTest::newRow(name) << QString::fromStdString(properties) << light;
    };
    row("dark", "", 0.0f);
    row("Phong", green("EmissiveColor"), 0.5f);
    row("switched off", green("EmissiveColor") + number("EmissiveFactor", 0), 0.0f);
    row("Stingray", green("Maya|emissive") + number("Maya|emissive_intensity", 4), 2.0f);
    row("Arnold", green("Maya|emissionColor") + number("Maya|emission", 2), 1.0f);
    row("3ds Max", green("3dsMax|Parameters|emit_color"), 0.5f);
  }
  void fbxEmission() {
    QFETCH(QString, properties);
    QFETCH(float, green);
    CK_READ(PaintedFbx(properties.toStdString()).read());
    QVERIFY(material.emission == glm::vec3(0.0f, green, 0.0f));
  }

  void fbxMetalAndRoughness_data() {
    QTest::addColumn<QString>("properties");
    QTest::addColumn<QString>("shading");
    QTest::addColumn<QString>("creator");
    QTest::addColumn<double>("metallic");
    QTest::addColumn<double>("roughness");
    const auto row = [](const char* name, const std::string& properties, const char* shading,
                        const char* creator, double metallic, double roughness) {
      QTest::newRow(name) << QString::fromStdString(properties) << shading << creator << metallic
                          << roughness;
    };
    const std::string shiny =
        fbxProperty("SpecularColor", glm::dvec3(1.0)) + number("Shininess", 36);
    const std::string mirror = number("ReflectionFactor", 0.75);
    const char* blender = "Blender (stable FBX IO) - 3.4.1 - 4.37.1";
    row("Lambert", "", "lambert", "", 0.0, 1.0);
    row("a shiny Lambert", shiny, "lambert", "", 0.0, 1.0);
    row("Phong", shiny, "phong", "", 0.0, 0.4);
    row("Phong without a shine", shiny + number("SpecularFactor", 0), "phong", "", 0.0, 1.0);
    row("Phong that reflects", shiny + mirror, "phong", "", 0.0, 0.4);
    row("metal by Blender", shiny + mirror, "Phong", blender, 0.75, 0.4);
    row("Stingray", number("Maya|metallic", 1) + number("Maya|roughness", 0.3), "unknown", "", 1.0,
        0.3);
    row("Arnold", number("Maya|metalness", 0.5) + number("Maya|specularRoughness", 0.2), "unknown",
        "", 0.5, 0.2);
    row("3ds Max, by gloss",
        number("3dsMax|Parameters|roughness", 0.2) + number("3dsMax|Parameters|roughness_inv", 1),
        "unknown", "", 0.0, 0.8);
  }
  void fbxMetalAndRoughness() {
    QFETCH(QString, properties);
    QFETCH(QString, shading);
    QFETCH(QString, creator);
    QFETCH(double, metallic);
    QFETCH(double, roughness);
    CK_READ(PaintedFbx(properties.toStdString(), {}, shading.toStdString())
                .read(creator.toStdString()));
    QVERIFY(std::abs(material.metallic - metallic) < 1e-6);
    QVERIFY(std::abs(material.roughness - roughness) < 1e-6);
  }

  void fbxMapsOfMetalAndRoughnessAreJoined() {
    PaintedFbx file(number("Maya|metallic", 0));
    file.link("Maya|TEX_metallic_map", {10, 10, 10, 255, 20, 20, 20, 255});
    file.link("Maya|TEX_roughness_map", {30, 30, 30, 255, 40, 40, 40, 255});
    CK_READ(file.read());
    QCOMPARE(character->images.size(), std::size_t{1});
    const auto& texels = character->images.at(std::size_t(material.metalRoughness.image)).rgba;
    QCOMPARE(texels, (std::vector<std::uint8_t>{255, 30, 10, 255, 255, 40, 20, 255}));
    QCOMPARE(material.metallic, 1.0f);
    QCOMPARE(material.roughness, 1.0f);
  }

  void fbxOpacityMapsBecomeAlpha_data() {
    QTest::addColumn<QList<int>>("opacity");
    QTest::addColumn<int>("alpha");
    QTest::addColumn<QList<int>>("alphas");  // of both texels
    QTest::newRow("cut, in the colours") << QList<int>{255, 255, 255, 255, 0, 0, 0, 255}
                                         << int(ck::AlphaMode::Mask) << QList<int>{255, 0};
    QTest::newRow("cut, in the alpha")
        << QList<int>{9, 9, 9, 0, 9, 9, 9, 255} << int(ck::AlphaMode::Mask) << QList<int>{0, 255};
    QTest::newRow("glass") << QList<int>{9, 9, 9, 100, 9, 9, 9, 255} << int(ck::AlphaMode::Blend)
                           << QList<int>{100, 255};
    QTest::newRow("solid") << QList<int>{255, 255, 255, 255, 255, 255, 255, 255}
                           << int(ck::AlphaMode::Opaque) << QList<int>{255, 255};
  }
  void fbxOpacityMapsBecomeAlpha() {
    QFETCH(QList<int>, opacity);
    QFETCH(int, alpha);
    QFETCH(QList<int>, alphas);
    PaintedFbx file("");
    file.link("DiffuseColor", {1, 2, 3, 255, 4, 5, 6, 255});
    file.link("TransparentColor", {opacity.begin(), opacity.end()});
    CK_READ(file.read());
    QCOMPARE(int(material.alpha), alpha);
    const auto& texels = character->images.at(std::size_t(material.base.image)).rgba;
    const std::vector<int> expected = {1, 2, 3, alphas[0], 4, 5, 6, alphas[1]};
    QCOMPARE(std::vector<int>(texels.begin(), texels.end()), expected);
  }

  // A place in the picture is shift + turn (scale uv) with v up, so what the file puts at the top
  // of the picture is found there.
  void fbxMapsLieAsTheFileSays() {
    PaintedFbx file("");
    file.link("DiffuseColor", {1, 2, 3, 255, 4, 5, 6, 255},
              fbxProperty("Translation", glm::dvec3(0.25, 0.5, 0)) +
                  fbxProperty("Scaling", glm::dvec3(2, 3, 1)) +
                  fbxProperty("Rotation", glm::dvec3(0, 0, 30)) + fbxProperty("WrapModeU", 1));
    CK_READ(file.read());
    QCOMPARE(int(material.base.wrapU), int(ck::Wrap::Clamp));
    QCOMPARE(int(material.base.wrapV), int(ck::Wrap::Repeat));
    const double c = std::cos(glm::radians(30.0));
    const double s = 0.5;
    for (const glm::vec2 uv : character->meshes.at(0).uvs) {
      const double v = 1.0 - uv.y;
      const double x = 0.25 + c * 2 * uv.x - s * 3 * v;
      const double y = 0.5 + s * 2 * uv.x + c * 3 * v;
      const glm::vec2 sized = material.base.scale * uv;
      const double turn = material.base.rotation;
      const glm::dvec2 found(
          material.base.offset.x + std::cos(turn) * sized.x + std::sin(turn) * sized.y,
          material.base.offset.y - std::sin(turn) * sized.x + std::cos(turn) * sized.y);
      QVERIFY(glm::distance(found, glm::dvec2(x, 1.0 - y)) < 1e-5);
    }
  }

  void fbxTexturesNameTheirCoordinates() {
    const std::string second =
        layer("LayerElementUV", "Lightmap", "UV", {0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25});
    PaintedFbx file("", second);
    file.link("DiffuseColor", {1, 2, 3, 255, 4, 5, 6, 255}, text("UVSet", "Lightmap"));
    file.link("EmissiveColor", {1, 2, 3, 255, 4, 5, 6, 255}, text("UVSet", "UVMap"));
    CK_READ(file.read());
    QCOMPARE(material.base.uvSet, 0);
    QCOMPARE(material.emissive.uvSet, 1);
    QVERIFY(material.emission == glm::vec3(1.0f));
    const ck::Mesh& mesh = character->meshes.at(0);
    QVERIFY(mesh.uvs.at(2) == glm::vec2(0.5f, 0.75f));
    QVERIFY(mesh.secondUvs.at(2) == glm::vec2(1.0f, 0.0f));
  }

  void fbxVertexColorsAreMadeLinear() {
    const std::string colors = layer("LayerElementColor", "", "Colors",
                                     {1, 0, 0.5, 1, 0, 1, 0, 0.5, 0.25, 0, 1, 1, 1, 1, 1, 1});
    CK_READ(PaintedFbx("", colors).read());
    QCOMPARE(material.baseColor.w, 1.0f);
    const std::vector<glm::vec4>& found = character->meshes.at(0).colors;
    QCOMPARE(found.size(), std::size_t{4});
    QVERIFY(glm::distance(found[0], glm::vec4(1, 0, linear(0.5), 1)) < 1e-6f);
    QVERIFY(glm::distance(found[1], glm::vec4(0, 1, 0, 0.5)) < 1e-6f);
    QVERIFY(glm::distance(found[2], glm::vec4(linear(0.25), 0, 1, 1)) < 1e-6f);
  }

  void colladaIsReadAsPainted() {
    CK_READ(imported(collada("<emission><color>0 0.5 0 1</color></emission>"
                             "<diffuse><color>0.25 0.5 1 1</color></diffuse>"
                             "<transparent opaque=\"A_ONE\"><color>1 1 1 0.75</color></transparent>"
                             "<transparency><float>1</float></transparency>"),
                     "quad.dae"));
    QVERIFY(material.emission == glm::vec3(0.0f, 0.5f, 0.0f));
    QVERIFY(glm::distance(material.baseColor, glm::vec4(0.25f, 0.5f, 1.0f, 0.75f)) < 1e-6f);
    QCOMPARE(int(material.alpha), int(ck::AlphaMode::Blend));
    QCOMPARE(material.roughness, 1.0f);
    QCOMPARE(material.metallic, 0.0f);
    const ck::Mesh& mesh = character->meshes.at(0);
    QCOMPARE(mesh.colors.size(), std::size_t{3});
    QVERIFY(glm::distance(mesh.colors[0], glm::vec4(1, 0, linear(0.5), 1)) < 1e-5f);
    QVERIFY(glm::distance(mesh.colors[2], glm::vec4(linear(0.25), 0, 1, 1)) < 1e-5f);
    // Normals of the file stay, also where the surface has others.
    QVERIFY(glm::distance(mesh.normals[0], glm::vec3(0.6f, 0.0f, 0.8f)) < 1e-6f);
    QVERIFY(glm::distance(mesh.normals[2], glm::vec3(0.0f, 0.0f, -1.0f)) < 1e-6f);
  }

  void colladaThatWouldNotBeSeenIsShown() {
    CK_READ(imported(collada("<diffuse><color>1 0 0 1</color></diffuse>"
                             "<transparency><float>0</float></transparency>"),
                     "quad.dae"));
    QCOMPARE(material.baseColor.w, 1.0f);
    QCOMPARE(int(material.alpha), int(ck::AlphaMode::Opaque));
  }

  void uniformGlossIsNotRoundedToTexels() {
    const ck::Image colors{"", 2, 1, {192, 128, 64, 255, 10, 20, 30, 255}};
    const auto maps =
        ck::worker::metalMapsOf(&colors, nullptr, {.specular = glm::dvec3(0.0), .glossiness = 0.7});
    QVERIFY(maps.isUniform);
    QVERIFY(std::abs(maps.roughness - 0.3) < 1e-9);
    QCOMPARE(maps.metallic, 0.0);
  }

  void alphaIsToldFromItsTexels() {
    using ck::worker::AlphaUse;
    const auto image = [](const std::vector<int>& alphas) {
      ck::Image made{"", static_cast<int>(alphas.size()), 1, {}};
      for (const int alpha : alphas) {
        made.rgba.insert(made.rgba.end(), {0, 0, 0, static_cast<std::uint8_t>(alpha)});
      }
      return made;
    };
    const auto use = [&](const std::vector<int>& alphas) {
      return ck::worker::alphaUseOf(image(alphas));
    };
    QVERIFY(use({255, 255, 255, 250}) == AlphaUse::None);
    QVERIFY(use({255, 0, 0, 255}) == AlphaUse::Cut);
    QVERIFY(use({255, 0, 0, 0, 128}) == AlphaUse::Cut);  // an edge
    QVERIFY(use({255, 128, 120, 0}) == AlphaUse::Shaded);
  }
};

namespace {

std::string collada(const std::string& effect) {
  return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="look"><profile_COMMON><technique sid="common"><lambert>)" +
         effect + R"(</lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="paint" name="Paint"><instance_effect url="#look"/></material></library_materials>
<library_geometries><geometry id="quad"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="n"><float_array id="na" count="9">0.6 0 0.8 0 0.6 0.8 0 0 -1</float_array><technique_common><accessor source="#na" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="c"><float_array id="ca" count="9">1 0 0.5 0 1 0 0.25 0 1</float_array><technique_common><accessor source="#ca" count="3" stride="3"><param name="R" type="float"/><param name="G" type="float"/><param name="B" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="0"/><input semantic="COLOR" source="#c" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="Quad"><instance_geometry url="#quad"><bind_material><technique_common><instance_material symbol="m" target="#paint"/></technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
)";
}

}  // namespace

CK_TEST(tst_read_surfaces)
#include "tst_read_surfaces.moc"
