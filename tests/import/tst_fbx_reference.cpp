#include <fmt/format.h>

#include <QTest>
#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/base/files.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "tests/support/import_worker.h"
#include "tests/support/reference_poses.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

namespace fs = std::filesystem;

constexpr const char* kOld = "refused: older than 7.0";
constexpr const char* kDual =
    "skinned by dual quaternions in the file, by matrices here (a note says how far apart)";
constexpr const char* kCached = "a geometry cache, which is not beside the file, moves one mesh";
constexpr const char* kWithNode =
    "this Maya snapshot moves the skinned mesh with its node once more";

// Files that differ from ufbx and from the programs that wrote them, or are refused, and why.
const std::map<std::string, const char*> kDiffers = {
    {"max2009_blob_6100_ascii.fbx", kOld},
    {"max7_skin_5000_binary.fbx", kOld},
    {"maya_dq_weights_7500_binary.fbx", kDual},
    {"maya_axes_anim_5.obj", kCached},
    {"maya_axes_anim_8.obj", kCached},
    {"maya_game_sausage_6100_binary_combined.fbx", kOld},
    {"maya_transformed_skin_0.obj", kWithNode},
    {"maya_transformed_skin_4.obj", kWithNode},
    {"maya_transformed_skin_8.obj", kWithNode},
    {"synthetic_bind_to_root_7700_ascii.fbx", kDual},
};

const fs::path kModels = fs::path(CK_SHARED_DIR) / "models";

std::optional<std::string> reasonFor(const fs::path& file) {
  const auto found = kDiffers.find(ck::pathText(file.filename()));
  return found == kDiffers.end() ? std::nullopt : std::optional<std::string>(found->second);
}

// The vertices of a Wavefront OBJ, which other programs wrote of a pose.
std::vector<glm::dvec3> verticesOf(const fs::path& obj) {
  std::ifstream file(obj);
  std::vector<glm::dvec3> vertices;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind;
    glm::dvec3 v(0.0);
    if (words >> kind >> v.x >> v.y >> v.z && kind == "v") vertices.push_back(v);
  }
  return vertices;
}

// The FBX file of a reference by Blender, which may name further files; empty if it is of another
// format.
std::string fbxNamedBy(const nlohmann::json& reference) {
  const std::string model = reference.value("model", "");
  const std::size_t end = model.find(".fbx");
  return end == std::string::npos ? std::string() : model.substr(0, end + 4);
}

// How far a character is from samples of Blender's world, which is in metres with Z up.
struct PosesByPlace {
  double joints = 0.0;  // largest distances in metres
  double vertices = 0.0;
  double size = 1e-9;
  int jointsCompared = 0;
  int verticesCompared = 0;
  std::string worst = {};  // joint

  static glm::dvec3 placeOf(const nlohmann::json& v, std::size_t first = 0) {
    return {v.at(first).get<double>(), v.at(first + 2).get<double>(),
            -v.at(first + 1).get<double>()};
  }

  void compare(const ck::Character& character, const std::string& name,
               const nlohmann::json& sample) {
    auto clip = std::ranges::find_if(character.clips, [&name](const ck::Clip& c) {
      return c.name == name || c.name.ends_with("|" + name);
    });
    if (character.clips.size() == 1) clip = character.clips.begin();
    const double time = sample.at("time").get<double>();
    if (clip == character.clips.end() || std::abs(time * 24.0 - std::round(time * 24.0)) > 1e-3) {
      return;
    }
    const auto globals =
        ck::globalMatrices(character.rig, ck::sampleClip(character.rig, *clip, time));
    for (const auto& joint : sample.at("joints")) {
      const auto ours = ck::findJoint(character.rig, joint.at("name").get<std::string>());
      if (!ours) continue;
      const glm::dvec3 due =
          joint.contains("origin") ? placeOf(joint["origin"]) : placeOf(joint.at("matrix"), 12);
      const double off =
          glm::distance(glm::dvec3(globals[static_cast<std::size_t>(*ours)][3]), due);
      size = std::max(size, glm::length(due));
      ++jointsCompared;
      if (off <= joints) continue;
      joints = off;
      worst = fmt::format("{} at {} of {}", joint.at("name").get<std::string>(), time, name);
    }
    const auto skins = ck::skinMatrices(character.rig, globals);
    std::vector<glm::dvec3> places;
    for (std::size_t m = 0; m < character.meshes.size(); ++m) {
      const auto weights = ck::sampleMorphWeights(character, *clip, static_cast<int>(m), time);
      const auto posed = ck::skinMesh(character.meshes[m], skins, {.morphWeights = weights});
      places.insert(places.end(), posed.positions.begin(), posed.positions.end());
    }
    for (const auto& mesh : sample.at("meshes")) {
      for (const auto& position : mesh.at("positions")) {
        if (places.empty()) return;
        const glm::dvec3 due = placeOf(position);
        double nearest = 1e30;
        for (const glm::dvec3& place : places) {
          nearest = std::min(nearest, glm::distance(place, due));
        }
        size = std::max(size, glm::length(due));
        vertices = std::max(vertices, nearest);
        ++verticesCompared;
      }
    }
  }
};

constexpr const char* kIntroduction = R"(# What is read of FBX

Written by `CK_COVERAGE=write ctest --preset dev -R tst_fbx_reference` from the files in `../shared/models`.

Read: FBX 7.0 to 7.7, binary (32- and 64-bit headers, deflated arrays) and text; nodes by Autodesk's whole formula
(offsets and pivots of rotation and scaling, pre- and post-rotation, six orders, geometric transforms, the three
inherit types); polygons with normals, tangents and texture coordinates by every mapping, materials a polygon;
clusters with and without bind matrices, several skins a skeleton; morph targets with in-betweens, weights a point
and weights at rest; stacks, layers (override, additive, mixed by weight) and curves with their tangents, weights
and what they do before their first and after their last key. Curves that our tracks cannot hold are followed to
within 0.01 mm. Of materials the base colour, its image and a normal map; images are embedded or beside the file.

Not read, or otherwise, with a note where a file has it:

- Versions before 7.0 are refused, with the setting to export by.
- Dual quaternions are replaced by matrices; the note has the difference in millimetres.
- Additive clusters are taken as ordinary ones.
- Opacity, emission and vertex colours are not shown; no character of any format has them.
- NURBS are left out; constraints and geometry caches do not move anything.
- Hidden meshes are left out. Meshes that clips show and hide are always shown.
- Tangents of the file are used on meshes with a normal map that have binormals, too; else they are computed.
- Clips longer than 1,000 hours are cut there.
- Without a note: spheric rotation orders are taken as XYZ; cameras and lights are no part of a character.

The references are the files of `../shared/models/reference` that name an FBX file: every `.ufbx.json`, every
`.blender.json`, and the snapshots of `ufbx_obj`.

Joints and vertices below are the largest differences from the reference over all its poses, on frames and, but for
Blender, between them, as a share of the model's size. The bound is 1e-04 for both. Blender gives heads of joints.

| file | witness | joints | vertices | verdict |
|---|---|---|---|---|
)";

}  // namespace

class tst_fbx_reference : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  // With CK_COVERAGE=write, docs/import-coverage.md is written anew from what was compared.
  void cleanupTestCase() {
    if (qEnvironmentVariable("CK_COVERAGE") != QLatin1String("write") || rows_.empty()) return;
    std::ofstream page(fs::path(CK_SOURCE_DIR) / "docs" / "import-coverage.md");
    std::string text = kIntroduction;
    const std::size_t heads = text.find("| file |");
    page << text.substr(0, heads) << counts() << text.substr(heads);
    for (const auto& [file, row] : rows_) page << row.text;
  }

  // Joint orients, a layer with splines and an additive layer by weight, posed by the generator of
  // the file (tests/data/rigs/make_layered_rig.py).
  void layersAreTheFormula() {
    const fs::path model = fs::path(CK_SOURCE_DIR) / "tests/data/rigs/layered.fbx";
    const auto character = ck::importCharacter(model);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const auto difference =
        ck::test::comparePoses(*character, ck::pathFromText(ck::pathText(model) + ".analytic.json"),
                               {.inFileSpace = true, .vertexOrderKept = false});
    qInfo("joints %.1e, vertices %.1e", difference.joints, difference.vertices);
    QCOMPARE(difference.jointsCompared, 6 * 4);
    QCOMPARE(difference.verticesUnmatched, 0);
    QVERIFY(difference.verticesCompared >= 6 * 130);
    QVERIFY(difference.joints < 1e-4);
    QVERIFY(difference.vertices < 1e-4);
  }

  void posesAreThoseOfUfbx_data() {
    QTest::addColumn<QString>("reference");
    for (const fs::path& path : ck::test::filesBelow(kModels / "reference", ".ufbx.json")) {
      QTest::newRow(ck::pathText(path.filename()).c_str())
          << QString::fromStdString(ck::pathText(path));
    }
    if (!fs::exists(kModels)) QTest::newRow("no shared models") << QString();
  }

  // Joints and vertices within 1e-4 of the model's size, on frames and between them; joints even
  // where skinning differs. A file of kDiffers that agrees fails too: it is to leave the list.
  void posesAreThoseOfUfbx() {
    QFETCH(QString, reference);
    if (reference.isEmpty()) QSKIP("the folder of shared models is not there");
    const fs::path path = ck::pathFromText(reference.toStdString());
    std::ifstream file(path);
    const fs::path model = kModels / nlohmann::json::parse(file).at("model").get<std::string>();
    const auto reason = reasonFor(model);
    const auto character = ck::importCharacter(model);
    if (!character) {
      QVERIFY2(reason && character.error().code == ck::ErrorCode::Unsupported,
               character.error().message.c_str());
      addRow(model, "ufbx 0.23", {}, {}, *reason);
      return;
    }
    QVERIFY(ck::validate(*character).has_value());
    const auto difference = ck::test::comparePoses(*character, path,
                                                   {.inFileSpace = true,
                                                    .skipBetweenFrames = false,
                                                    .restWithoutClip = true,
                                                    .vertexOrderKept = false});
    qInfo("%d joints %.1e (%s), %zu missing; %d vertices %.1e (%s), %d unmatched; %s",
          difference.jointsCompared, difference.joints, difference.worstJoint.c_str(),
          difference.missingJoints.size(), difference.verticesCompared, difference.vertices,
          difference.worstVertex.c_str(), difference.verticesUnmatched, difference.skipped.c_str());
    addRow(model, "ufbx 0.23", difference.joints, difference.vertices, reason.value_or("agrees"));
    QVERIFY(difference.joints < 1e-4);
    QVERIFY(difference.jointsCompared + difference.verticesCompared > 0);
    QVERIFY(difference.verticesUnmatched == 0);
    QCOMPARE(difference.vertices < 1e-4, !reason.has_value());
  }

  void posesAreThoseOfTheirAuthors_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("take");
    QTest::addColumn<double>("time");
    QTest::addColumn<QString>("obj");
    const fs::path index = kModels / "reference" / "ufbx_obj" / "index.json";
    if (!fs::exists(index)) {
      QTest::newRow("no shared models") << QString() << QString() << 0.0 << QString();
      return;
    }
    std::ifstream file(index);
    for (const auto& entry : nlohmann::json::parse(file)) {
      const auto text = [&entry](const char* key) {
        const bool is = entry.contains(key) && entry[key].is_string();
        return is ? QString::fromStdString(entry[key].get<std::string>()) : QString();
      };
      const bool timed = entry.contains("time") && entry["time"].is_number();
      QTest::newRow(qPrintable(text("obj")))
          << text("model") << text("take") << (timed ? entry["time"].get<double>() : -1.0)
          << text("obj");
    }
  }

  void posesAreThoseOfBlender_data() {
    QTest::addColumn<QString>("reference");
    for (const fs::path& path : ck::test::filesBelow(kModels / "reference", ".blender.json")) {
      std::ifstream file(path);
      if (fbxNamedBy(nlohmann::json::parse(file)).empty()) continue;
      QTest::newRow(ck::pathText(path.filename()).c_str())
          << QString::fromStdString(ck::pathText(path));
    }
    if (!fs::exists(kModels)) QTest::newRow("no shared models") << QString();
  }

  // What Blender makes of the files, or made them of: heads of joints and vertices, at times of
  // keys, because Blender bends curves between them.
  void posesAreThoseOfBlender() {
    QFETCH(QString, reference);
    if (reference.isEmpty()) QSKIP("the folder of shared models is not there");
    const fs::path path = ck::pathFromText(reference.toStdString());
    std::ifstream file(path);
    const auto json = nlohmann::json::parse(file);
    const fs::path model = kModels / fbxNamedBy(json);
    PosesByPlace poses;
    std::map<std::string, ck::Result<ck::Character>> characters;
    for (const auto& sample : json.at("clips")) {
      const std::string clip = sample.at("clip").get<std::string>();
      // A rig with one file for each motion; the joints are in all of them.
      const fs::path own = model.parent_path() / (clip + ".fbx");
      const fs::path& source = fs::exists(own) ? own : model;
      const auto [known, isNew] = characters.try_emplace(ck::pathText(source));
      if (isNew) known->second = ck::importCharacter(source);
      QVERIFY2(known->second.has_value(), ck::pathText(source).c_str());
      poses.compare(*known->second, clip, sample);
    }
    qInfo("%d joints %.1e (%s), %d vertices %.1e", poses.jointsCompared, poses.joints / poses.size,
          poses.worst.c_str(), poses.verticesCompared, poses.vertices / poses.size);
    const auto off = [&poses](double meters, int compared) {
      return compared > 0 ? std::optional(meters / poses.size) : std::nullopt;
    };
    addRow(model, "Blender 3.4, " + ck::pathText(path.filename()),
           off(poses.joints, poses.jointsCompared), off(poses.vertices, poses.verticesCompared),
           "agrees");
    QVERIFY(poses.jointsCompared > 0);
    QVERIFY(poses.joints < 1e-4 * poses.size);
    QVERIFY(poses.vertices < 1e-4 * poses.size);
  }

  // Snapshots by Maya, 3ds Max and Blender: every vertex of theirs has one of ours at its place.
  void posesAreThoseOfTheirAuthors() {
    QFETCH(QString, model);
    QFETCH(QString, take);
    QFETCH(double, time);
    QFETCH(QString, obj);
    if (model.isEmpty()) QSKIP("the folder of shared models is not there");
    const fs::path file = kModels / model.toStdString();
    auto reason = reasonFor(file);
    if (!reason) reason = reasonFor(obj.toStdString());
    const auto character = ck::importCharacter(file);
    if (!character) {
      QVERIFY2(reason.has_value(), character.error().message.c_str());
      return;
    }
    std::vector<glm::dvec3> theirs =
        verticesOf(kModels / "reference" / "ufbx_obj" / obj.toStdString());
    QVERIFY(!theirs.empty());
    for (glm::dvec3& v : theirs) v = ck::transformPoint(character->source.sourceToModel, v);
    const auto clip =
        take.isEmpty() ? character->clips.begin()
                       : std::ranges::find(character->clips, take.toStdString(), &ck::Clip::name);
    const bool moves = clip != character->clips.end() && time >= 0.0;
    const auto skins = moves ? ck::skinMatricesAt(character->rig, *clip, time)
                             : ck::skinMatrices(character->rig, ck::restMatrices(character->rig));
    std::vector<glm::dvec3> ours;
    for (std::size_t m = 0; m < character->meshes.size(); ++m) {
      const ck::Mesh& mesh = character->meshes[m];
      const auto weights =
          moves ? ck::sampleMorphWeights(*character, *clip, static_cast<int>(m), time)
                : mesh.defaultMorphWeights;
      const auto posed = ck::skinMesh(mesh, skins, {.morphWeights = weights});
      ours.insert(ours.end(), posed.positions.begin(), posed.positions.end());
    }
    glm::dvec3 low(1e30);
    glm::dvec3 high(-1e30);
    double worst = 0.0;
    for (const glm::dvec3& v : theirs) {
      low = glm::min(low, v);
      high = glm::max(high, v);
      double nearest = 1e30;
      for (const glm::dvec3& own : ours) nearest = std::min(nearest, glm::distance(v, own));
      worst = std::max(worst, nearest);
    }
    const double off = worst / glm::length(high - low);
    qInfo("%zu vertices, %.1e of the size", theirs.size(), off);
    addRow(file, ck::pathText(fs::path(obj.toStdString())), {}, off, reason.value_or("agrees"));
    QVERIFY2((off < 1e-4) == !reason, qPrintable(QString::number(off)));
  }

 private:
  void addRow(const fs::path& file, const std::string& witness, std::optional<double> joints,
              std::optional<double> vertices, const std::string& verdict) {
    const auto share = [](std::optional<double> value) {
      return value ? fmt::format("{:.0e}", *value) : std::string("-");
    };
    const std::string name = ck::pathText(file.lexically_relative(kModels));
    rows_[name + " " + witness] = {fmt::format("| {} | {} | {} | {} | {} |\n", name, witness,
                                               share(joints), share(vertices), verdict),
                                   witness.starts_with("ufbx")      ? Witness::Ufbx
                                   : witness.starts_with("Blender") ? Witness::Blender
                                                                    : Witness::Snapshot,
                                   verdict};
  }

  // How many rows agree, and how many differ for which reason.
  std::string counts() const {
    std::string text;
    int poses = kFormulaRigs;
    int agreeing = kFormulaRigs;
    for (const auto& [witness, what] : kWitnesses) {
      int all = 0;
      int agree = 0;
      std::map<std::string, int> reasons;
      for (const auto& [file, row] : rows_) {
        if (row.witness != witness) continue;
        ++all;
        row.verdict == "agrees" ? ++agree : ++reasons[row.verdict];
      }
      if (witness != Witness::Snapshot) {
        poses += all;
        agreeing += agree;
      }
      if (agree == all) {
        text += fmt::format("All {} {} agree.\n\n", all, what);
        continue;
      }
      text += fmt::format("Of {} {} {} agree. The others:\n\n", all, what, agree);
      for (const auto& [reason, count] : reasons) text += fmt::format("- {}: {}\n", count, reason);
      text += "\n";
    }
    text += fmt::format(
        "With the {} rigs that `tests/cli/fbx_formula_test.py` holds against Autodesk's formula "
        "(all "
        "agree), the\nreferences that are not snapshots are {}, of which {} agree in everything. "
        "Joints agree in all files that are not\nrefused.\n\n",
        kFormulaRigs, poses, agreeing);
    return text;
  }

  // `plain` and those that begin with v_, which ../shared/fixtures/gen_fbx.py makes.
  static constexpr int kFormulaRigs = 8;

  enum class Witness { Ufbx, Blender, Snapshot };
  static constexpr std::array<std::pair<Witness, const char*>, 3> kWitnesses = {
      {{Witness::Ufbx, "references by ufbx"},
       {Witness::Blender, "references by Blender"},
       {Witness::Snapshot, "snapshots by Maya, 3ds Max and Blender"}}};
  struct Row {
    std::string text;
    Witness witness;
    std::string verdict;
  };
  std::map<std::string, Row> rows_;
};

CK_TEST(tst_fbx_reference)
#include "tst_fbx_reference.moc"
