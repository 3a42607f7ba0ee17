#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/project/project_json.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using ck::Project;
using Json = nlohmann::json;

// The parts of a project file besides those that the artist edits: the desk, hashes of sources, and
// what only later versions know.
class tst_kept_project : public QObject {
  Q_OBJECT

 private slots:
  void rejectsADeskThatMakesNoSense() {
    Json json = Json::parse(ck::projectToJson({}, "/show"));
    const auto refusal = [](const Json& file) {
      const auto read = ck::projectFromJson(file.dump(), "/show");
      return read ? std::string() : read.error().message;
    };
    json["desk"]["camera"]["target"] = {1, 2};
    QVERIFY(refusal(json).find("desk.camera.target") != std::string::npos);
    json["desk"]["camera"] = {{"distanceMeters", -1}};
    QVERIFY(refusal(json).find("desk.camera.distanceMeters") != std::string::npos);
    json["desk"] = {{"selected", {0, -4}}};
    QVERIFY(refusal(json).find("desk.selected") != std::string::npos);
    json.erase("desk");
    json["sourceHashes"] = {{{"path", "a.glb"}, {"xxh3", "12"}}};
    QVERIFY(refusal(json).find("xxh3") != std::string::npos);
  }

  void theDeskAndTheHashesAreReadBack() {
    Project project;
    project.actors = ck::ActorList(std::vector<ck::Actor>(20));
    project.desk.camera = ck::CameraPlace{{1.5, 0.25, -3.0}, 12.5, 0.75, -0.5, true};
    project.desk.bookmarks = {{"Gate", {{0.0, 1.0, 2.0}, 4.0, -1.25, 0.125, false}}};
    project.desk.selected = {2, 3, 19};
    project.file.sourceHashes = {{"/show/rigs/man.glb", 0xfedcba9876543210u}};
    const auto read = ck::projectFromJson(ck::projectToJson(project, "/show"), "/show");
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QVERIFY(read->desk.camera.has_value());
    QCOMPARE(read->desk.camera->target.z, -3.0);
    QCOMPARE(read->desk.camera->yaw, 0.75);
    QVERIFY(read->desk.camera->orthographic);
    QCOMPARE(read->desk.bookmarks.size(), std::size_t(1));
    QCOMPARE(read->desk.bookmarks[0].title, std::string("Gate"));
    QCOMPARE(read->desk.bookmarks[0].camera.pitch, 0.125);
    QCOMPARE(read->desk.selected, (std::vector<int>{2, 3, 19}));
    QVERIFY(read->file.sourceHashes == project.file.sourceHashes);
    // The file has the path as it has those of sources.
    const Json json = Json::parse(ck::projectToJson(project, "/show"));
    QCOMPARE(json["sourceHashes"][0]["path"].get<std::string>(), std::string("rigs/man.glb"));
    QCOMPARE(json["desk"]["camera"]["yawDegrees"].get<double>(),
             0.75 * 180.0 / 3.14159265358979324);
  }

  void aSelectionOfActorsThatAreGoneIsDropped() {
    Project project;
    project.actors = ck::ActorList(std::vector<ck::Actor>(4));
    Json json = Json::parse(ck::projectToJson(project, "/show"));
    json["desk"]["selected"] = {3, 1, 1, 4, 900};
    const auto read = ck::projectFromJson(json.dump(), "/show");
    QVERIFY(read.has_value());
    QCOMPARE(read->desk.selected, (std::vector<int>{1, 3}));
  }

  void whatALaterVersionWroteIsKept() {
    Json json = Json::parse(ck::projectToJson({}, "/show"));
    json["version"] = 99;
    json["weather"] = {{"rain", 0.5}, {"kinds", {1, 2, 3}}};
    json["view"]["fog/haze"] = "thick";
    json["sky"] = true;
    const auto read = ck::projectFromJson(json.dump(), "/show");
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QCOMPARE(read->file.newerVersion, 99);
    QCOMPARE(read->file.unknown.size(), std::size_t(3));
    Project edited = *read;
    edited.playbackSpeed = 0.5;
    const Json written = Json::parse(ck::projectToJson(edited, "/show"));
    QVERIFY(written["weather"] == json["weather"]);
    QCOMPARE(written["view"]["fog/haze"].get<std::string>(), std::string("thick"));
    QCOMPARE(written["sky"].get<bool>(), true);
    QCOMPARE(written["playbackSpeed"].get<double>(), 0.5);
    // And once more.
    const auto again = ck::projectFromJson(written.dump(), "/show");
    QVERIFY(again.has_value());
    QVERIFY(again->file.unknown == read->file.unknown);
    QCOMPARE(again->file.newerVersion, 0);
  }

  void rejectsMoreUnknownKeysThanTheLimit() {
    Json json = Json::parse(ck::projectToJson({}, "/show"));
    for (int i = 0; i < 10'000; ++i) json["view"]["later" + std::to_string(i)] = i;
    const auto read = ck::projectFromJson(json.dump(), "/show");
    QVERIFY(read.has_value());
    const Json written = Json::parse(ck::projectToJson(*read, "/show"));
    QVERIFY(written["view"] == json["view"]);
    json["one more"] = 1;
    const auto refused = ck::projectFromJson(json.dump(), "/show");
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::LimitExceeded);
    const QString said = QString::fromStdString(refused.error().message);
    QVERIFY2(said.contains("10001") && said.contains("10000"), qPrintable(said));
  }

  void aDamagedFileDoesNotReplaceTheBackup() {
    QTemporaryDir folder;
    const fs::path path = ck::pathFromText(folder.filePath("p.crowd").toStdString());
    Project project;
    for (const int seed : {1, 2}) {
      project.randomSeed = std::uint64_t(seed);
      QVERIFY(ck::writeProjectFile(project, path));
    }
    fs::resize_file(path, fs::file_size(path) / 2);
    project.randomSeed = 3;
    QVERIFY(ck::writeProjectFile(project, path));
    QCOMPARE(ck::readProjectFile(ck::backupOf(path))->randomSeed, std::uint64_t(1));
    // A file that can be read does, and so does one that only later versions read.
    Json later = Json::parse(ck::projectToJson(project, folder.path().toStdString()));
    later["minReader"] = 1000;
    QFile file(folder.filePath("p.crowd"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(later.dump()));
    file.close();
    QVERIFY(ck::writeProjectFile(project, path));
    QVERIFY(!ck::readProjectFile(ck::backupOf(path)));
  }

  void knownKeysAreNeverUnknown() {
    for (const char* version : {"v1"}) {
      const fs::path folder = fs::path(CK_SOURCE_DIR "/tests/data/projects") / version;
      int count = 0;
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".crowd") continue;
        const auto read = ck::readProjectFile(entry.path());
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        const std::string first =
            read->file.unknown.empty() ? std::string() : read->file.unknown.begin()->first;
        QCOMPARE(first, std::string());
        QCOMPARE(read->file.newerVersion, 0);
        ++count;
      }
      QVERIFY(count > 0);
    }
  }
};

CK_TEST(tst_kept_project)
#include "tst_kept_project.moc"
