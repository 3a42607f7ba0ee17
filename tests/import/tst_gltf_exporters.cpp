#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/import/settle_rig.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/made_glb.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::Glb;
using ck::test::hasNote;
using ck::test::Json;
using ck::test::primitive;
using ck::test::quad;

// Files as exporters write them where the standard is silent, or where they stray from it.
class tst_gltf_exporters : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::filesystem::path pathOf(const char* name) const {
    return std::filesystem::path(folder_.path().toStdString()) / name;
  }

  ck::Result<ck::Character> import(Glb& glb, const char* name = "made.glb") const {
    return ck::importCharacter(glb.write(pathOf(name)));
  }

  // Where a joint is that has no parent.
  static glm::dvec3 placeAt(const ck::Character& character, double seconds) {
    const auto pose = ck::sampleClip(character.rig, character.clips.at(0), seconds);
    return glm::dvec3(ck::globalMatrices(character.rig, pose).at(0)[3]);
  }

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void buffersLieWhereTheirUriSays_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("uri");
    for (const char* name : {"one+two++.bin", "100%.bin", "5%x7 %.bin", "half %2"}) {
      QTest::newRow(name) << QByteArray(name) << QByteArray(name);
    }
    QTest::newRow("escaped") << QByteArray("a b+c%.bin") << QByteArray("a%20b%2Bc%25.bin");
  }
  void buffersLieWhereTheirUriSays() {
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, uri);
    const auto character =
        ck::importCharacter(quad().writeApart(pathOf("made.gltf"), file.data(), uri.data()));
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->meshes.at(0).positions.size(), std::size_t{4});
  }

  void keysAtOneTimeAreAJump_data() {
    QTest::addColumn<QByteArray>("interpolation");
    QTest::addColumn<double>("before");
    QTest::newRow("linear") << QByteArray("LINEAR") << 3.0;
    QTest::newRow("step") << QByteArray("STEP") << 1.0;
  }
  void keysAtOneTimeAreAJump() {
    QFETCH(QByteArray, interpolation);
    QFETCH(double, before);
    Glb glb = quad();
    const int times = glb.floats({0, 0.5f, 0.5f, 0.5f, 2, 2}, "SCALAR", 1);
    // The two last keys are the same.
    const int values =
        glb.floats({1, 0, 0, 3, 0, 0, 9, 9, 9, 6, 0, 0, 7, 0, 0, 7, 0, 0}, "VEC3", 3);
    glb.json["animations"] = {
        {{"samplers",
          {{{"input", times}, {"output", values}, {"interpolation", interpolation.data()}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}}}}}};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(std::abs(placeAt(*character, 0.499999).x - before) < 1e-4);
    QVERIFY(std::abs(placeAt(*character, 0.5).x - 6.0) < 1e-6);
    QVERIFY(std::abs(placeAt(*character, 0.500001).x - 6.0) < 1e-4);
    QVERIFY(!hasNote(character->notes, "KeysDropped") && !hasNote(character->notes, "KeysSorted"));
    const auto& track = character->clips.at(0).jointTracks.at(0).translation;
    QCOMPARE(track.times.size(), std::size_t(interpolation == "STEP" ? 3 : 4));
  }

  void morphTargetsAreNamedWhereverExportersDo_data() {
    QTest::addColumn<int>("where");
    QTest::newRow("mesh") << 0;
    QTest::newRow("primitive") << 1;
    QTest::newRow("target, extras") << 2;
    QTest::newRow("target, extra") << 3;
    QTest::newRow("accessor") << 4;
  }
  void morphTargetsAreNamedWhereverExportersDo() {
    QFETCH(int, where);
    Glb glb = quad();
    const Json names = {"brow", "jaw", "lid"};
    for (std::size_t t = 0; t < names.size(); ++t) {
      const int deltas = glb.floats({0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
      Json target = {{"POSITION", deltas}};
      if (where == 2) target["extras"]["name"] = names[t];
      if (where == 3) target["extra"]["name"] = names[t];
      if (where == 4) glb.json["accessors"][std::size_t(deltas)]["name"] = names[t];
      primitive(glb)["targets"].push_back(target);
    }
    if (where == 0) glb.json["meshes"][0]["extras"]["targetNames"] = names;
    if (where == 1) primitive(glb)["extras"]["targetNames"] = names;
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const auto& targets = character->meshes.at(0).morphTargets;
    QCOMPARE(targets.size(), names.size());
    for (std::size_t t = 0; t < names.size(); ++t) {
      QCOMPARE(targets[t].name, names[t].get<std::string>());
    }
  }

  // The longest channel may move a node that is in the rig for nothing, or not in the scene.
  void clipsLastAsLongAsTheirLongestChannel() {
    for (const bool inScene : {true, false}) {
      Glb glb = quad();
      glb.json["nodes"].push_back({{"name", "Control"}});
      if (inScene) glb.json["scenes"][0]["nodes"].push_back(1);
      const int values = glb.floats({0, 0, 0, 1, 0, 0}, "VEC3", 3);
      Json& animation = glb.json["animations"][0];
      for (const float last : {0.75f, 3.25f}) {
        const int node = last < 1.0f ? 0 : 1;
        animation["samplers"].push_back(
            {{"input", glb.floats({0, last}, "SCALAR", 1)}, {"output", values}});
        animation["channels"].push_back(
            {{"sampler", node}, {"target", {{"node", node}, {"path", "translation"}}}});
      }
      const auto character = import(glb);
      QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
      QCOMPARE(ck::settled(*character, {}).clips.at(0).durationSeconds, 3.25);
    }
  }

  void numbersOfNothingAreTold() {
    Glb glb = quad();
    glb.json["textures"] = {{{"source", 6}}};
    glb.json["materials"] = {
        {{"name", "Coat"}, {"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 3}}}}}},
        {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    primitive(glb)["material"] = 5;
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(hasNote(character->notes, "PictureUnreadable", "texture 3"));
    QVERIFY(hasNote(character->notes, "PictureUnreadable", "texture 0 names no picture"));
    QVERIFY(hasNote(character->notes, "MaterialMissing", "material 5"));
    QCOMPARE(character->meshes.at(0).material, -1);
  }

  void primitivesMayHaveFewerTargets() {
    Glb glb = quad();
    Json small = primitive(glb);
    for (int t = 0; t < 3; ++t) {
      const int deltas = glb.floats({0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
      primitive(glb)["targets"].push_back({{"POSITION", deltas}});
      if (t < 2) small["targets"].push_back({{"POSITION", deltas}});
    }
    glb.json["meshes"][0]["primitives"] = {small, primitive(glb)};
    glb.json["animations"] = {
        {{"samplers",
          {{{"input", glb.floats({0, 1}, "SCALAR", 1)},
            {"output", glb.floats({0, 0, 0, 0.25f, 0.5f, 0.75f}, "SCALAR", 1)}}}},
         {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}}}};
    const auto character = import(glb);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY(!hasNote(character->notes, "ChannelDropped"));
    const auto& tracks = character->clips.at(0).morphTracks;
    QCOMPARE(tracks.size(), std::size_t{5});
    for (const ck::MorphTrack& track : tracks) {
      QCOMPARE(track.weight.values.back(), 0.25f * float(track.target + 1));
    }
  }

  // By the specifications, figures of VRM 0 look along -Z, and those of VRM 1 along +Z.
  void figuresOfVrmLookAlongZ() {
    for (const bool isOld : {true, false}) {
      Glb glb = quad();
      glb.json["nodes"][0]["translation"] = {0.5, 1, 2};
      glb.json["extensions"][isOld ? "VRM" : "VRMC_vrm"] = {{"humanoid", Json::object()}};
      const auto character = import(glb, "figure.vrm");
      QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
      QCOMPARE(character->source.format, std::string("VRM"));
      const auto posed =
          ck::skinMesh(character->meshes.at(0),
                       ck::skinMatrices(character->rig, ck::restMatrices(character->rig)));
      const glm::dvec3 due = isOld ? glm::dvec3(-0.5, 1, -2) : glm::dvec3(0.5, 1, 2);
      QVERIFY(glm::distance(posed.positions.at(0), due) < 1e-6);
    }
  }

  void meshesForTheFirstPersonAreLeftOut() {
    for (const bool isOld : {true, false}) {
      Glb glb = quad();
      glb.json["meshes"].push_back(glb.json["meshes"][0]);
      glb.json["nodes"].push_back({{"name", "Headless"}, {"mesh", 1}});
      glb.json["scenes"][0]["nodes"] = {0, 1};
      const Json annotations =
          isOld ? Json{{{"mesh", 0}, {"firstPersonFlag", "ThirdPersonOnly"}},
                       {{"mesh", 1}, {"firstPersonFlag", "FirstPersonOnly"}}}
                : Json{{{"node", 0}, {"type", "both"}}, {{"node", 1}, {"type", "firstPersonOnly"}}};
      glb.json["extensions"][isOld ? "VRM" : "VRMC_vrm"]["firstPerson"]["meshAnnotations"] =
          annotations;
      const auto character = import(glb, "figure.vrm");
      QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
      QCOMPARE(character->meshes.size(), std::size_t{1});
      QCOMPARE(character->meshes[0].name, std::string("Quad"));
      QVERIFY(hasNote(character->notes, "MeshHidden", "'Headless'"));
    }
  }
};

CK_TEST(tst_gltf_exporters)
#include "tst_gltf_exporters.moc"
