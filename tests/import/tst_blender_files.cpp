#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/blender_export.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

using ck::test::hasNote;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

glm::dvec3 pointOf(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

// The largest distance from a point of one cloud to the nearest of the other, both ways.
double apart(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
  double most = 0.0;
  const auto add = [&most](const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) {
    for (const glm::dvec3& point : from) {
      double nearest = 1e9;
      for (const glm::dvec3& other : to) nearest = std::min(nearest, glm::distance(point, other));
      most = std::max(most, nearest);
    }
  };
  add(a, b);
  add(b, a);
  return most;
}

}  // namespace

// Blender's own files, read by the installed Blender, against what Blender itself poses.
class tst_blender_files : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Json reference_;

  fs::path path(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

  // Runs Blender by a shell, as a user would; its exit code.
  int blender(const std::string& arguments) const {
    const std::string command = "'" + ck::findBlender().string() + "' --background " + arguments +
                                " > '" + path("blender.log").string() + "' 2>&1";
    return std::system(command.c_str());
  }

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    if (ck::findBlender().empty()) QSKIP("Blender is not installed (scripts/install.sh blender)");
    const std::string script =
        (fs::path(CK_SOURCE_DIR) / "tests/data/blender/make_rig.py").string();
    const int code =
        blender("--factory-startup --python-exit-code 1 --python '" + script + "' -- '" +
                path("figure.blend").string() + "' '" + path("reference.json").string() + "' '" +
                path("forbidden").string() + "'");
    QCOMPARE(code, 0);
    reference_ = Json::parse(std::ifstream(path("reference.json")));
  }

  void posesAreThoseOfBlender() {
    const auto character = ck::importCharacter(path("figure.blend"));
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    // Modifiers: the tube was smoothed, the head mirrored.
    std::map<std::string, std::size_t> triangles;
    for (const ck::Mesh& mesh : character->meshes) triangles[mesh.name] = mesh.indices.size() / 3;
    QCOMPARE(triangles.size(), std::size_t{2});
    QCOMPARE(triangles["Body"], std::size_t{8 * 6 * 4 * 2});
    QCOMPARE(triangles["Head"], std::size_t{(4 + 2) * 2});
    QVERIFY(hasNote(character->notes, "MeshHidden", "'Hidden'"));
    QVERIFY(hasNote(character->notes, "BlenderMeshUnrigged", "'Floor'"));
    std::vector<std::string> names;
    for (const ck::Clip& clip : character->clips) names.push_back(clip.name);
    QCOMPARE(names, (std::vector<std::string>{"Spare", "Walk", "Wave (left)"}));
    QCOMPARE(character->clips[1].events.size(), std::size_t{1});
    QCOMPARE(character->clips[1].events[0].name, std::string("step"));
    QVERIFY(std::abs(character->clips[1].events[0].seconds - 6.0 / 25.0) < 1e-6);

    double bones = 0.0;
    double vertices = 0.0;
    QVERIFY(!reference_["samples"].empty());
    for (const Json& sample : reference_["samples"]) {
      const double seconds = sample["seconds"].get<double>();
      const auto clip = std::find_if(character->clips.begin(), character->clips.end(),
                                     [&](const ck::Clip& c) { return c.name == sample["clip"]; });
      QVERIFY(clip != character->clips.end());
      const auto globals =
          ck::globalMatrices(character->rig, ck::sampleClip(character->rig, *clip, seconds));
      std::size_t compared = 0;
      for (std::size_t j = 0; j < character->rig.joints.size(); ++j) {
        const auto bone = sample["bones"].find(character->rig.joints[j].name);
        if (bone == sample["bones"].end()) continue;
        bones = std::max(bones, glm::distance(glm::dvec3(globals[j][3]), pointOf(*bone)));
        ++compared;
      }
      QCOMPARE(compared, sample["bones"].size());
      for (std::size_t m = 0; m < character->meshes.size(); ++m) {
        ck::Mesh mesh = character->meshes[m];
        const auto weights =
            ck::sampleMorphWeights(*character, *clip, static_cast<int>(m), seconds);
        for (std::size_t t = 0; t < mesh.morphTargets.size(); ++t) {
          const ck::MorphTarget& target = mesh.morphTargets[t];
          for (std::size_t i = 0; i < target.vertices.size(); ++i) {
            mesh.positions[target.vertices[i]] += weights[t] * target.positionDeltas[i];
          }
        }
        const auto posed =
            ck::skinMesh(mesh, ck::skinMatricesAt(character->rig, *clip, seconds)).positions;
        std::vector<glm::dvec3> expected;
        for (const Json& point : sample["meshes"][mesh.name]) expected.push_back(pointOf(point));
        vertices = std::max(vertices,
                            apart(std::vector<glm::dvec3>(posed.begin(), posed.end()), expected));
      }
    }
    qInfo("%zu moments, bones off by %g m, vertices by %g m", reference_["samples"].size(), bones,
          vertices);
    QVERIFY(bones < 1e-5);
    QVERIFY(vertices < 1e-5);
  }

  // The file holds a script and a driver that Blender runs when a user opens it.
  void scriptsOfTheFileDoNotRun() {
    const fs::path written[] = {path("forbidden"), path("forbidden-driver")};
    for (const fs::path& each : written) fs::remove(each);
    QVERIFY(ck::importCharacter(path("figure.blend")).has_value());
    for (const fs::path& each : written) QVERIFY(!fs::exists(each));
    QCOMPARE(blender("--factory-startup --enable-autoexec '" + path("figure.blend").string() + "'"),
             0);
    for (const fs::path& each : written) QVERIFY(fs::exists(each));
  }

  void filesOutsideItsFolderAreClosed_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<bool>("isTaken");
    QTest::newRow("beside") << "private" << true;
    QTest::newRow("outside") << "public" << false;
  }
  void filesOutsideItsFolderAreClosed() {
    QFETCH(QString, folder);
    QFETCH(bool, isTaken);
    for (const char* each : {"private", "public"}) fs::create_directories(path(each));
    const fs::path file = path(folder.toUtf8()) / "greedy.blend";
    QCOMPARE(blender("--factory-startup --python-exit-code 1 --python '" CK_SOURCE_DIR
                     "/tests/data/blender/make_greedy.py' -- '" +
                     file.string() + "' '" + path("private/library.blend").string() + "' '" +
                     path("private/picture.png").string() + "'"),
             0);
    const auto character = ck::importCharacter(file);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const bool hasMesh = std::ranges::any_of(
        character->meshes, [](const ck::Mesh& mesh) { return mesh.name == "Taken"; });
    QCOMPARE(hasMesh, isTaken);
    QCOMPARE(character->images.empty(), !isTaken);
    for (const char* each : {"library.blend'", "picture.png'"}) {
      QCOMPARE(hasNote(character->notes, "BlenderFileClosed", each), !isTaken);
    }
  }

  void packedFilesAreRead() {
    const std::string packed = path("packed.blend").string();
    QCOMPARE(blender("--factory-startup '" + path("figure.blend").string() +
                     "' --python-expr \"import bpy; bpy.ops.wm.save_as_mainfile(filepath='" +
                     packed + "', compress=True)\""),
             0);
    QVERIFY(fs::file_size(packed) < fs::file_size(path("figure.blend")) / 2);
    const auto character = ck::importCharacter(packed);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->clips.size(), std::size_t{3});
  }

  void damagedFilesAreRefusedInASentence() {
    const auto bytes = ck::readFile(path("figure.blend"), 1u << 26);
    QVERIFY(bytes.has_value());
    for (const double part : {0.5, 0.001}) {
      const auto size = static_cast<std::size_t>(part * static_cast<double>(bytes->size()));
      QVERIFY(ck::writeFileAtomically(path("cut.blend"), {bytes->data(), size}).has_value());
      const auto character = ck::importCharacter(path("cut.blend"));
      QVERIFY(!character.has_value());
      qInfo("%s", character.error().message.c_str());
      QVERIFY(character.error().message.starts_with("cut.blend: Blender "));
      QCOMPARE(character.error().message.find('\n'), std::string::npos);
    }
  }

  void aStopEndsBlender() {
    std::stop_source stop;
    ck::JobContext job;
    job.stop = stop.get_token();
    // Blender has opened the file.
    job.report = [&stop](float fraction, std::string_view) {
      if (fraction > 0.1f) stop.request_stop();
    };
    const auto character = ck::importCharacter(path("figure.blend"), {}, {}, job);
    QVERIFY(!character.has_value());
    QCOMPARE(int(character.error().code), int(ck::ErrorCode::Cancelled));
  }
};

CK_TEST(tst_blender_files)
#include "tst_blender_files.moc"
