#include <fmt/format.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <sstream>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/base/transform.h"
#include "core/import/import_process.h"
#include "core/import/worker/assembly/assemble.h"
#include "core/import/worker/assembly/dual_quaternions.h"
#include "core/import/worker/formats/rig_reader.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/fbx_text.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::test::fbxArray;
using ck::test::fbxProperty;
using ck::test::FbxText;
using ck::test::hasNote;

namespace {

ck::Result<ck::Character> imported(const std::string& text) {
  const QTemporaryDir folder;
  const auto path = ck::pathFromText(folder.filePath("rig.fbx").toStdString());
  std::ofstream(path, std::ios::binary) << text;
  return ck::importCharacter(path);
}

// A layer of a mesh. `indexes`: empty for "Direct".
std::string layer(const char* kind, const char* values, const std::vector<double>& numbers,
                  const char* mapping = "ByPolygonVertex",
                  const std::vector<double>& indexes = {}) {
  std::string text = fmt::format(
      "  {}: 0 {{\n   MappingInformationType: \"{}\"\n   ReferenceInformationType: \"{}\"\n", kind,
      mapping, indexes.empty() ? "Direct" : "IndexToDirect");
  text += fbxArray(values, numbers);
  if (!indexes.empty()) text += fbxArray(fmt::format("{}Index", values).c_str(), indexes);
  return text + "  }\n";
}

// Two quads side by side in the plane z = 0: six points, eight corners.
const std::vector<double> kPoints = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
const std::vector<int> kCorners = {0, 1, 4, 3, 1, 2, 5, 4};
const std::string kNormals = layer("LayerElementNormal", "Normals", {0, 0, 1}, "AllSame");
const std::string kUvs =
    layer("LayerElementUV", "UV", {0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1}, "ByVertice");

// Adds a model with a mesh of the two quads; returns both.
struct Added {
  int model = 0;
  int geometry = 0;
};
Added addQuads(FbxText& file, const std::string& layers, const std::string& properties = {}) {
  Added added;
  added.geometry =
      file.object("Geometry", "", "Mesh",
                  fbxArray("Vertices", kPoints) +
                      fbxArray("PolygonVertexIndex", {0, 1, 4, ~3, 1, 2, 5, ~4}) + layers);
  added.model = file.object("Model", "Quads", "Mesh",
                            fmt::format("  Properties70: {{\n{}  }}\n", properties));
  file.connect(added.geometry, added.model);
  file.connect(added.model, 0);
  return added;
}

// A picture of two texels, red and blue.
QByteArray twoTexels() {
  QByteArray bmp(54 + 8, '\0');
  bmp[0] = 'B';
  bmp[1] = 'M';
  const std::pair<int, int> fields[] = {{2, 62}, {10, 54}, {14, 40}, {18, 2},
                                        {22, 1}, {26, 1},  {28, 24}};
  for (const auto& [place, value] : fields) bmp[place] = static_cast<char>(value);
  bmp[54 + 2] = '\xff';  // blue, green, red
  bmp[54 + 3] = '\xff';
  return bmp;
}

// Adds a material whose property has that picture, as `content` says it.
int addMaterial(FbxText& file, int model, const std::string& property, const std::string& content,
                const std::string& properties = {}) {
  const int material =
      file.object("Material", "Paint", "", fmt::format("  Properties70: {{\n{}  }}\n", properties));
  file.connect(material, model);
  if (property.empty()) return material;
  const int texture = file.object("Texture", "Map", "", "  RelativeFilename: \"none\\map.bmp\"\n");
  const int video = file.object("Video", "Map", "Clip", "  Content: ," + content + "\n");
  file.connect(texture, material, property);
  file.connect(video, texture);
  return material;
}

std::string quoted(const QByteArray& base64) {
  return "\"" + base64.toStdString() + "\"";
}

std::vector<double> numbersOf(const std::vector<glm::dvec3>& vectors) {
  std::vector<double> numbers;
  for (const glm::dvec3& v : vectors) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  return numbers;
}

}  // namespace

class tst_fbx_features : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void textFilesHoldImages_data() {
    const QByteArray bmp = twoTexels();
    QTest::addColumn<QString>("content");
    QTest::newRow("one text") << QString::fromStdString(quoted(bmp.toBase64()));
    QTest::newRow("several texts") << QString::fromStdString(
        quoted(bmp.left(30).toBase64()) + ",\n" + quoted(bmp.mid(30, 20).toBase64()) + "," +
        quoted(bmp.mid(50).toBase64()));
  }
  // Text files write the bytes of an embedded image as base64, long ones in several texts.
  void textFilesHoldImages() {
    QFETCH(QString, content);
    FbxText file;
    addMaterial(file, addQuads(file, kNormals + kUvs).model, "DiffuseColor", content.toStdString());
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY2(character->notes.empty(),
             character->notes.empty() ? "" : character->notes[0].message.c_str());
    QCOMPARE(character->images.size(), std::size_t{1});
    const std::vector<std::uint8_t> due = {255, 0, 0, 255, 0, 0, 255, 255};
    QVERIFY(character->images[0].rgba == due);
    QCOMPARE(character->images[0].name, std::string("map.bmp"));
    QCOMPARE(character->materials.at(0).base.image, 0);
  }

  void tangentsAreThoseOfTheFile_data() {
    QTest::addColumn<QString>("mapping");
    QTest::addColumn<bool>("indexed");
    for (const char* mapping : {"ByPolygonVertex", "ByVertice", "ByPolygon", "AllSame"}) {
      QTest::addRow("%s Direct", mapping) << mapping << false;
      QTest::addRow("%s IndexToDirect", mapping) << mapping << true;
    }
  }
  // Every corner has the tangent that the mapping gives it, and the side that its binormal says.
  void tangentsAreThoseOfTheFile() {
    QFETCH(QString, mapping);
    QFETCH(bool, indexed);
    const auto placeOf = [&mapping](int corner) {
      return mapping == "ByPolygonVertex" ? corner
             : mapping == "ByVertice"     ? kCorners[static_cast<std::size_t>(corner)]
             : mapping == "ByPolygon"     ? corner / 4
                                          : 0;
    };
    const int count = mapping == "ByPolygonVertex" ? 8
                      : mapping == "ByVertice"     ? 6
                      : mapping == "ByPolygon"     ? 2
                                                   : 1;
    std::vector<glm::dvec3> along, across;
    std::vector<double> indexes;
    for (int i = 0; i < count; ++i) {
      const double angle = 0.3 + 0.7 * i;
      along.emplace_back(std::cos(angle), std::sin(angle), 0.0);
      const double side = i % 2 == 0 ? 1.0 : -1.0;
      across.push_back(side * glm::cross(glm::dvec3(0, 0, 1), along.back()));
      if (indexed) indexes.push_back(count - 1 - i);
    }
    const std::string how = mapping.toStdString();
    FbxText file;
    const Added quads = addQuads(
        file,
        kNormals + kUvs +
            layer("LayerElementTangent", "Tangents", numbersOf(along), how.c_str(), indexes) +
            layer("LayerElementBinormal", "Binormals", numbersOf(across), how.c_str(), indexes));
    addMaterial(file, quads.model, "NormalMap", quoted(twoTexels().toBase64()));
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(!hasNote(character->notes, "TangentsComputed"));
    const ck::Mesh& mesh = character->meshes.at(0);
    QCOMPARE(mesh.tangents.size(), mesh.positions.size());
    for (int corner = 0; corner < 8; ++corner) {
      const auto place = static_cast<std::size_t>(placeOf(corner));
      const auto entry = indexed ? along.size() - 1 - place : place;
      const float side = entry % 2 == 0 ? 1.0f : -1.0f;
      const glm::vec4 due = glm::vec4(glm::vec3(along[entry]), side);
      const auto point = 3 * static_cast<std::size_t>(kCorners[static_cast<std::size_t>(corner)]);
      const glm::vec3 position(kPoints[point], kPoints[point + 1], kPoints[point + 2]);
      bool found = false;
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        found = found ||
                (mesh.positions[v] == position && glm::distance(mesh.tangents[v], due) < 1e-5f);
      }
      QVERIFY2(found, qPrintable(QString("corner %1").arg(corner)));
    }
  }

  // Tangents without binormals do not say where the image is mirrored.
  void tangentsWithoutSidesAreComputed() {
    FbxText file;
    const Added quads = addQuads(
        file, kNormals + kUvs + layer("LayerElementTangent", "Tangents", {0, 1, 0}, "AllSame"));
    addMaterial(file, quads.model, "NormalMap", quoted(twoTexels().toBase64()));
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "TangentsComputed"));
    QVERIFY(glm::distance(character->meshes.at(0).tangents.at(0), glm::vec4(1, 0, 0, 1)) < 1e-5f);
  }

  void whatIsNotDrawnIsNamed_data() {
    QTest::addColumn<QString>("layers");
    QTest::addColumn<QString>("meshProperties");
    QTest::addColumn<QString>("materialProperties");
    QTest::addColumn<QString>("note");  // the only one; empty: none
    const auto row = [](const char* name, const std::string& layers, const std::string& mesh,
                        const std::string& material, const char* note) {
      QTest::newRow(name) << QString::fromStdString(layers) << QString::fromStdString(mesh)
                          << QString::fromStdString(material) << note;
    };
    const std::string plain = kNormals + kUvs;
    row("nothing", plain, "", "", "");
    row("no normals", kUvs, "", "", "NormalsComputed");
    row("white", plain + layer("LayerElementColor", "Colors", {1, 1, 1, 0.5}, "AllSame"), "", "",
        "");
    const std::string red = layer("LayerElementColor", "Colors", {1, 0, 0, 1}, "AllSame");
    row("red", plain + red, "", "", "");
    row("red and red", plain + red + red, "", "", "VertexColorsUnused");
    row("clear", plain, "", "   P: \"Opacity\", \"double\", \"Number\", \"\",0.5\n", "");
    row("not there", plain, "", "   P: \"Opacity\", \"double\", \"Number\", \"\",0\n",
        "MaterialSimplified");
  }
  void whatIsNotDrawnIsNamed() {
    QFETCH(QString, layers);
    QFETCH(QString, meshProperties);
    QFETCH(QString, materialProperties);
    QFETCH(QString, note);
    FbxText file;
    const Added quads = addQuads(file, layers.toStdString(), meshProperties.toStdString());
    addMaterial(file, quads.model, "", "", materialProperties.toStdString());
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QString codes;
    for (const ck::Note& found : character->notes) codes += QString::fromStdString(found.code);
    QCOMPARE(codes, note);
  }

  // Two quads of two materials meet at an angle. Without normals in the file they are smooth across
  // the edge, as they are in a mesh of one material: areas of all triangles at a point count.
  void normalsAreSmoothWhereMaterialsMeet() {
    FbxText file;
    const int geometry =
        file.object("Geometry", "", "Mesh",
                    fbxArray("Vertices", {0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 1, 0, 1, 1, 0, 2, 1, 1}) +
                        fbxArray("PolygonVertexIndex", {0, 1, 4, ~3, 1, 2, 5, ~4}) +
                        layer("LayerElementMaterial", "Materials", {0, 1}, "ByPolygon"));
    const int model = file.object("Model", "Roof", "Mesh", "");
    file.connect(geometry, model);
    file.connect(model, 0);
    addMaterial(file, model, "", "");
    addMaterial(file, model, "", "");
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->meshes.size(), std::size_t{2});
    int compared = 0;
    for (const ck::Mesh& mesh : character->meshes) {
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const glm::vec3 place = mesh.positions[v];
        if (std::abs(place.x - 1.0f) > 1e-4f) continue;
        // One triangle of the flat quad and two of the steep one, or the other way round.
        const glm::vec3 due = place.y < 0.5f ? glm::vec3(-2, 0, 3) : glm::vec3(-1, 0, 3);
        QVERIFY(glm::distance(mesh.normals[v], glm::normalize(due)) < 1e-6f);
        ++compared;
      }
    }
    QCOMPARE(compared, 4);
  }

  void visibilityIsObeyed_data() {
    QTest::addColumn<double>("atRest");
    QTest::addColumn<bool>("animated");
    QTest::addColumn<double>("later");
    QTest::addColumn<bool>("isThere");
    QTest::addColumn<QString>("note");
    QTest::newRow("shown") << 1.0 << false << 1.0 << true << "";
    QTest::newRow("hidden") << 0.0 << false << 0.0 << false << "MeshHidden";
    QTest::newRow("keyed and shown") << 1.0 << true << 1.0 << true << "";
    QTest::newRow("vanishes") << 1.0 << true << 0.0 << true << "VisibilityFixed";
    QTest::newRow("appears") << 0.0 << true << 1.0 << true << "VisibilityFixed";
  }
  // Hidden meshes are left out. Meshes that a clip hides at times are drawn, with a note.
  void visibilityIsObeyed() {
    QFETCH(double, atRest);
    QFETCH(bool, animated);
    QFETCH(double, later);
    QFETCH(bool, isThere);
    QFETCH(QString, note);
    FbxText file;
    const int limb = file.limb("Limb", 0, fbxProperty("InheritType", 1));
    const Added quads =
        addQuads(file, kNormals, fbxProperty("Visibility", static_cast<int>(atRest)));
    file.stack(1.0);
    for (const int moved : {limb, quads.model}) {
      file.curve(moved, "Lcl Translation", 'X', {0.0, 1.0}, {0.0, 1.0});
    }
    if (animated) {
      file.curve(quads.model, "Visibility", 'X', {0.0, 1.0}, {atRest, later},
                 FbxText::attributes(2, 2));
    }
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(!character->meshes.empty(), isThere);
    QString codes;
    for (const ck::Note& found : character->notes) {
      // The clip is called "Take", which says nothing.
      if (found.code != "ClipsRenamed") codes += QString::fromStdString(found.code);
    }
    QCOMPARE(codes, note);
  }

  // The unit of a cluster's mode: joints that add their motion are taken as ordinary ones.
  void additiveClustersAreNamed() {
    FbxText file;
    const int limb = file.limb("Limb", 0, "");
    const Added quads = addQuads(file, kNormals);
    const int skin = file.object("Deformer", "", "Skin", "");
    const int cluster =
        file.object("Deformer", "", "Cluster",
                    "  Mode: \"Additive\"\n" + fbxArray("Indexes", {0, 1, 2, 3, 4, 5}) +
                        fbxArray("Weights", {1, 1, 1, 1, 1, 1}));
    file.connect(skin, quads.geometry);
    file.connect(cluster, skin);
    file.connect(limb, cluster);
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "SkinAdditive", "Quads"));
    QCOMPARE(character->meshes.at(0).influences.size(), std::size_t{6});
  }

  // Constraints move nothing here; those whose motion is baked lose nothing.
  void constraintsWithoutCurvesAreNamed() {
    for (const bool baked : {false, true}) {
      FbxText file;
      const int limb = file.limb("Limb", 0, fbxProperty("InheritType", 1));
      const int aim = file.limb("Aim", 0, fbxProperty("InheritType", 1));
      const int constraint = file.object(
          "Constraint", "Parent", "", "  Properties70: {\n" + fbxProperty("Active", 1) + "  }\n");
      file.connect(limb, constraint, "Constrained Object (Child)");
      file.connect(aim, constraint, "Source (Parent)");
      file.stack(1.0);
      file.curve(baked ? limb : aim, "Lcl Translation", 'X', {0.0, 1.0}, {0.0, 1.0});
      const auto character = imported(file.text());
      QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
      QCOMPARE(hasNote(character->notes, "ConstraintsUnused", "Limb"), !baked);
    }
  }

  void geometryCachesAreNamed() {
    const auto path = ck::test::sharedModel("ufbx_axes/maya_axes_anim_7700_ascii.fbx");
    if (!path) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "GeometryCacheUnused"));
  }

  // A range that is too long is that of the keys; keys that are too far apart are cut.
  void longTakesAreNotRefused_data() {
    QTest::addColumn<double>("range");
    QTest::addColumn<double>("lastKey");
    QTest::addColumn<double>("due");
    QTest::addColumn<bool>("cut");
    const double hour = 3600.0;
    QTest::newRow("long range") << 9'000.0 * hour << 2.0 << 2.0 << false;
    QTest::newRow("90 hours") << 90.0 * hour << 90.0 * hour << 90.0 * hour << false;
    QTest::newRow("long keys") << 9'000.0 * hour << 5'000.0 * hour << 1'000.0 * hour - 1.0 << true;
    QTest::newRow("no range") << 0.0 << 5'000.0 * hour << 1'000.0 * hour - 1.0 << true;
  }
  void longTakesAreNotRefused() {
    QFETCH(double, range);
    QFETCH(double, lastKey);
    QFETCH(double, due);
    QFETCH(bool, cut);
    FbxText file;
    const int limb = file.limb("Limb", 0, fbxProperty("InheritType", 1));
    file.stack(range);
    file.curve(limb, "Lcl Translation", 'X', {0.0, 1.0, lastKey}, {1.0, 3.0, 3.0},
               FbxText::attributes(4, 3));
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{1});
    QCOMPARE(character->clips[0].startSeconds, 0.0);
    QVERIFY(std::abs(character->clips[0].durationSeconds - due) < 1e-3);
    QCOMPARE(hasNote(character->notes, "ClipCut"), cut);
    const auto pose = ck::sampleClip(character->rig, character->clips[0], 0.5);
    QVERIFY(std::abs(pose.at(0).translation.x - 2.0) < 1e-4);
  }

  // Two joints half each: a quarter turn between them, and the way between their places.
  // Autodesk, FBX SDK: without RotationActive, and where the rotation space is for limits alone, a
  // node turns by its angles about x, y and z.
  void rotationsAreSwitchedOff_data() {
    QTest::addColumn<int>("active");
    QTest::addColumn<int>("limitsOnly");
    QTest::addColumn<bool>("isPlain");
    QTest::newRow("on") << 1 << 0 << false;
    QTest::newRow("off") << 0 << 0 << true;
    QTest::newRow("for limits") << 1 << 1 << true;
  }
  void rotationsAreSwitchedOff() {
    QFETCH(int, active);
    QFETCH(int, limitsOnly);
    QFETCH(bool, isPlain);
    FbxText file;
    const int limb =
        file.limb("Limb", 0,
                  fbxProperty("PreRotation", {0, 0, 90}) + fbxProperty("Lcl Rotation", {90, 0, 0}) +
                      fbxProperty("RotationActive", active) +
                      fbxProperty("RotationSpaceForLimitOnly", limitsOnly));
    file.stack(1.0);
    file.curve(limb, "Lcl Translation", 'X', {0.0, 1.0}, {0.0, 1.0});
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const glm::dvec3 x(ck::restMatrices(character->rig).at(0)[0]);
    const glm::dvec3 due = isPlain ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    QVERIFY(glm::distance(x, due) < 1e-6);
  }

  // Automatic tangents of the ends lie on the lines to their neighbours. A TCB key of no tension,
  // continuity and bias has the mean slope of both lines; full tension is flat.
  void tangentsAreThoseOfTheirKind_data() {
    QTest::addColumn<int>("flags");
    QTest::addColumn<double>("tension");
    QTest::addColumn<double>("due");  // at 0.5 s, by Hermite's formula
    QTest::newRow("automatic") << 0x2108 << 0.0 << 2.0 + (4.0 - 2.0) / 8.0;
    QTest::newRow("TCB") << 0x208 << 0.0 << 2.0 + (4.0 - 2.0) / 8.0;
    QTest::newRow("tense TCB") << 0x208 << 1.0 << 2.0;
  }
  void tangentsAreThoseOfTheirKind() {
    QFETCH(int, flags);
    QFETCH(double, tension);
    QFETCH(double, due);
    FbxText file;
    const int limb = file.limb("Limb", 0, "");
    file.stack(2.0);
    const std::string attributes =
        fbxArray("KeyAttrFlags", {double(flags)}) +
        fbxArray("KeyAttrDataFloat", {tension == 1.0 ? 0x3f800000 : 0.0, 0, 0, 0}) +
        fbxArray("KeyAttrRefCount", {3});
    file.curve(limb, "Lcl Translation", 'X', {0.0, 1.0, 2.0}, {0.0, 4.0, 4.0}, attributes);
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const auto pose = ck::sampleClip(character->rig, character->clips.at(0), 0.5);
    // Slopes: 4 at the first key (0 if tense), 2 at the second one (0 if tense).
    QVERIFY2(std::abs(pose.at(0).translation.x - due) < 1e-3,
             qPrintable(QString::number(pose.at(0).translation.x)));
  }

  // A file of SDK 2020 may count time in other ticks; an old one has the range of a clip in a list.
  void timesAreThoseOfTheFile() {
    FbxText file;
    const int limb = file.limb("Limb", 0, "");
    file.stack(0.0);
    file.curve(limb, "Lcl Translation", 'X', {0.0, 1.0}, {0.0, 1.0}, FbxText::attributes(4, 2));
    const std::string text = file.text();
    const std::string take = "Takes:  {\n Take: \"Take\" {\n  LocalTime: 0,23093079000\n }\n}\n";
    const auto cut = imported(text + take);
    QVERIFY2(cut.has_value(), cut ? "" : cut.error().message.c_str());
    QVERIFY(std::abs(cut->clips.at(0).durationSeconds - 0.5) < 1e-9);
    const std::string version = " FBXVersion: 7400\n";
    std::string fast = text;
    fast.insert(fast.find(version), " OtherFlags:  {\n  TCDefinition: 0\n }\n");
    const auto counted = imported(fast);
    QVERIFY2(counted.has_value(), counted ? "" : counted.error().message.c_str());
    const double due = 46'186'158'000.0 / 141'120'000.0;
    QVERIFY(std::abs(counted->clips.at(0).durationSeconds - due) < 1e-6);
  }

  void levelsAndHullsAreLeftOut() {
    FbxText file;
    const int group = file.object("Model", "Levels", "LodGroup", "");
    file.connect(group, 0);
    std::vector<int> models;
    for (const char* name : {"Near", "Far", "UCX_Near_01"}) {
      const int geometry =
          file.object("Geometry", "", "Mesh",
                      fbxArray("Vertices", kPoints) +
                          fbxArray("PolygonVertexIndex", {0, 1, 4, ~3}) + kNormals + kUvs);
      models.push_back(file.object("Model", name, "Mesh", ""));
      file.connect(geometry, models.back());
      file.connect(models.back(), models.size() < 3 ? group : 0);
    }
    const auto character = imported(file.text());
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->meshes.size(), std::size_t{1});
    QCOMPARE(character->meshes[0].name, std::string("Near"));
    QVERIFY(hasNote(character->notes, "LevelsUnused", "'Far'"));
    QVERIFY(hasNote(character->notes, "HullsUnused", "collision hull"));
  }

  // The template of a file is Lambert's or Phong's; the base weight is a factor.
  void standardSurfacesHaveTheirOwnColour() {
    FbxText file;
    const Added quads = addQuads(file, kNormals + kUvs);
    addMaterial(file, quads.model, "", "",
                "   P: \"Maya|base\", \"Float\", \"\", \"A\",0.5\n" +
                    fbxProperty("Maya|baseColor", {0.2, 0.4, 0.8}));
    const std::string defaults =
        "Definitions:  {\n ObjectType: \"Material\" {\n  PropertyTemplate: \"FbxSurfacePhong\" {\n"
        "   Properties70:  {\n" +
        fbxProperty("DiffuseColor", {0.8, 0.8, 0.8}) + "   }\n  }\n }\n}\n";
    const auto character = imported(file.text() + defaults);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const glm::vec3 color(character->materials.at(0).baseColor);
    QVERIFY(glm::distance(color, glm::vec3(0.1f, 0.2f, 0.4f)) < 1e-6f);
  }

  void dualQuaternionsBlendRigidly() {
    const glm::dquat turn = glm::angleAxis(std::numbers::pi / 2.0, glm::dvec3(1, 0, 0));
    const std::vector<glm::dmat4> matrices = {
        glm::dmat4(1.0), ck::toMatrix({.translation = {2, 0, 0}, .rotation = -turn})};
    const ck::worker::DualQuaternionSkin skin(matrices);
    const std::vector<ck::Influence> half = {{0, 0.5f}, {1, 0.5f}};
    const glm::dvec3 moved = skin.position({0, 1, 0}, half);
    const double root = std::sqrt(0.5);
    QVERIFY(glm::distance(moved, glm::dvec3(1, root, root)) < 1e-12);
    const std::vector<ck::Influence> second = {{1, 1.0f}};
    QVERIFY(glm::distance(skin.position({0, 1, 0}, second), glm::dvec3(2, 0, 1)) < 1e-12);
  }

  void dualQuaternionsAreThoseOfMaya_data() {
    QTest::addColumn<double>("frame");
    QTest::newRow("10") << 10.0;
    QTest::newRow("18") << 18.0;
  }
  // Maya's own snapshots of a skin that blends both methods by vertex; the note says how far the
  // matrices are off.
  void dualQuaternionsAreThoseOfMaya() {
    QFETCH(double, frame);
    const auto path = ck::test::sharedModel("ufbx_dual_quaternion/maya_dq_weights_7500_binary.fbx");
    if (!path) QSKIP("the folder of shared models is not there");
    ck::worker::SourceFolder beside(*path);
    const auto bytes = ck::readFile(*path, 1u << 30);
    const ck::worker::Progress progress = [](float, std::string_view) {};
    auto scene = ck::worker::readFbx({*bytes, beside, progress});
    QVERIFY2(scene.has_value(), scene ? "" : scene.error().message.c_str());
    const std::vector<float> shares = scene->meshes.at(0).dualShares;
    const auto character = ck::worker::assembleCharacter(std::move(*scene));
    QVERIFY(character.has_value());
    const ck::Mesh& mesh = character->meshes.at(0);
    QCOMPARE(shares.size(), mesh.positions.size());
    const auto matrices = ck::skinMatricesAt(character->rig, character->clips.at(0), frame / 24.0);
    const ck::worker::DualQuaternionSkin dual(matrices);
    const auto linear = ck::skinMesh(mesh, matrices).positions;
    const std::string name = fmt::format("reference/ufbx_obj/maya_dq_weights_{:.0f}.obj", frame);
    std::ifstream obj(ck::test::sharedModel(name.c_str()).value());
    double worst = 0.0;
    double worstLinear = 0.0;
    int count = 0;
    for (std::string line; std::getline(obj, line);) {
      std::istringstream words(line);
      std::string kind;
      glm::dvec3 v(0.0);
      if (!(words >> kind >> v.x >> v.y >> v.z) || kind != "v") continue;
      const glm::dvec3 due = ck::transformPoint(character->source.sourceToModel, v);
      double nearest = 1e30;
      double nearestLinear = 1e30;
      for (std::size_t i = 0; i < shares.size(); ++i) {
        const glm::dvec3 turned =
            dual.position(glm::dvec3(mesh.positions[i]), ck::influencesOf(mesh, i));
        const glm::dvec3 mixed = glm::mix(linear[i], turned, static_cast<double>(shares[i]));
        nearest = std::min(nearest, glm::distance(due, mixed));
        nearestLinear = std::min(nearestLinear, glm::distance(due, linear[i]));
      }
      worst = std::max(worst, nearest);
      worstLinear = std::max(worstLinear, nearestLinear);
      ++count;
    }
    qInfo("%d vertices, %.2e m off, %.2e m by matrices", count, worst, worstLinear);
    QVERIFY(count > 0);
    QVERIFY(worst < 1e-5);
    QVERIFY(worstLinear > 10.0 * worst);
    for (const ck::Note& note : character->notes) {
      if (note.code == "SkinningByMatrices") qInfo("%s", note.message.c_str());
    }
    QVERIFY(hasNote(character->notes, "SkinningByMatrices", "in part in the file"));
    QVERIFY(hasNote(character->notes, "SkinningByMatrices", " mm apart (in clip"));
  }

  // A skin that may blend both methods, but has no share of dual quaternions, loses nothing.
  void noShareNoNote() {
    const auto path =
        ck::test::sharedModel("ufbx_transformed_skin/max_transformed_skin_7500_binary.fbx");
    if (!path) QSKIP("the folder of shared models is not there");
    const auto character = ck::importCharacter(*path);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(!hasNote(character->notes, "SkinningByMatrices"));
  }
};

CK_TEST(tst_fbx_features)
#include "tst_fbx_features.moc"
