#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/error/bake_error.h"
#include "core/export/atlas_folder.h"
#include "core/export/exported_rig.h"
#include "core/export/image_file.h"
#include "core/export/set/atlas_export.h"
#include "core/export/set_findings.h"
#include "core/export/sidecar_json.h"
#include "core/system/files.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

const ck::ExportSettings kAll = {.kinds = ck::test::everyKind(ck::TexelFormat::Rgba16)};

ck::Atlas limbAtlas(int maxTextureSize = 16384) {
  ck::BakeSettings settings;
  settings.maxTextureSize = maxTextureSize;
  return ck::bake(ck::test::swingingLimb(), settings)->atlas;
}

std::filesystem::path pathOf(const QTemporaryDir& folder, const QString& name = {}) {
  return ck::pathFromText(QDir(folder.path()).filePath(name).toStdString());
}

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// All files of a folder, hidden ones included, with what they hold.
QMap<QString, QByteArray> everything(const QTemporaryDir& folder) {
  QMap<QString, QByteArray> files;
  const QDir dir(folder.path());
  for (const QString& name :
       dir.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
    files[name] = contents(dir.filePath(name));
  }
  return files;
}

// With everything that a sidecar can have.
ck::Sidecar wholeSidecar() {
  ck::Sidecar sidecar = {.name = "limb", .atlas = limbAtlas()};
  sidecar.setId = "00a1b2c3d4e5f607";
  sidecar.cast = {"plaza", "limb"};
  sidecar.rig = ck::exportedRig(ck::test::swingingLimb(), sidecar.atlas);
  sidecar.rig->rigidMeshes = {{"bar", 1}};
  sidecar.rig->bindScales = {{"bar", 100.0}};
  ck::ExportedTarget& target = sidecar.targets.emplace_back();
  target.kind = "three";
  target.shown.emplace().max = 0.25;
  target.losses = {"There is no sound."};
  target.files = {{"limb.three/crowd.js", 12, "0123456789abcdef"}};
  sidecar.stale = {{.kind = "png",
                    .setId = "fedcba9876543210",
                    .files = {{"limb.atlas.png", 7, "0123456789abcdef"}}}};
  return sidecar;
}

void overwrite(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

}  // namespace

class tst_atlas_export : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsFoldersWithoutAnAtlas() {
    const QTemporaryDir folder;
    QCOMPARE(ck::readAtlasFolder(pathOf(folder)).error().code, ck::ErrorCode::FileNotFound);
    QCOMPARE(ck::readAtlasFolder(pathOf(folder, "gone")).error().code, ck::ErrorCode::FileNotFound);
  }

  void rejectsNamesThatLeadElsewhere() {
    const QTemporaryDir folder;
    for (const char* name : {"", "../up", "a/b", ".hidden", ".."}) {
      QVERIFY(!ck::exportAtlas(limbAtlas(), name, pathOf(folder), kAll));
    }
    QVERIFY(everything(folder).isEmpty());
  }

  void rejectsSetsWhoseFilesDoNotBelongTogether_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("another container") << "limb.ckatlas";
    QTest::newRow("another EXR") << "limb.atlas.exr";
    QTest::newRow("another PNG") << "limb.atlas.png";
  }
  void rejectsSetsWhoseFilesDoNotBelongTogether() {
    QFETCH(QString, file);
    const QTemporaryDir folder;
    const QTemporaryDir other;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), kAll));
    ck::Atlas changed = limbAtlas();
    changed.texels[9] ^= std::byte{1};
    QVERIFY(ck::exportAtlas(changed, "limb", pathOf(other), kAll));
    overwrite(folder.filePath(file), contents(other.filePath(file)));
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(!found);
    QCOMPARE(found.error().code, ck::ErrorCode::InvalidInput);
    QVERIFY(found.error().message.find(file.toStdString()) != std::string::npos);
  }

  void rejectsASidecarThatContradictsItself_data() {
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QByteArray>("changed");
    QTest::newRow("row of a clip")
        << QByteArray("\"firstRow\": 0") << QByteArray("\"firstRow\": 1");
    QTest::newRow("format of the texels") << QByteArray("\"RGBA16\"") << QByteArray("\"RGBA8\"");
    QTest::newRow("misspelt field")
        << QByteArray("\"firstColumn\"") << QByteArray("\"firstColum\"");
    QTest::newRow("how to decode") << QByteArray("\"decode\"") << QByteArray("\"encode\"");
    QTest::newRow("name of the set")
        << QByteArray("\"name\": \"limb\"") << QByteArray("\"name\": \"leg\"");
  }
  void rejectsASidecarThatContradictsItself() {
    QFETCH(QByteArray, said);
    QFETCH(QByteArray, changed);
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), kAll));
    QByteArray text = contents(folder.filePath("limb.atlas.json"));
    const auto at = text.indexOf(said);
    QVERIFY(at >= 0);
    text.replace(at, said.size(), changed);
    overwrite(folder.filePath("limb.atlas.json"), text);
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(!found);
    QCOMPARE(found.error().code, ck::ErrorCode::InvalidInput);
  }

  void rejectsEveryTruncatedSidecar() {
    const ck::Atlas atlas = limbAtlas();
    const std::string text = ck::sidecarText({.name = "limb", .atlas = atlas});
    QVERIFY(ck::sidecarFromText(text));
    for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
      const std::string cut = text.substr(0, size);
      QVERIFY(!ck::sidecarFromText(
          std::string_view(std::vector<char>(cut.begin(), cut.end()).data(), size)));
    }
  }

  void rejectsSidecarsThatMakeNoSense_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    QTest::newRow("a count beyond 32 bits") << "/clips/0/frames"
                                            << "4294967296";
    QTest::newRow("a negative frame") << "/clips/0/firstFrame"
                                      << "-5";
    QTest::newRow("a fraction of a frame") << "/clips/0/frames"
                                           << "2.5";
    QTest::newRow("a text for a number") << "/layout/width"
                                         << "\"wide\"";
    QTest::newRow("no clips") << "/clips"
                              << "null";
    QTest::newRow("a pivot of two") << "/joints/1/pivot"
                                    << "[0, 1]";
    QTest::newRow("an encoding to come") << "/encoding/name"
                                         << "\"P99\"";
    QTest::newRow("a loop mode to come") << "/clips/0/loop"
                                         << "\"sometimes\"";
    QTest::newRow("a newer version") << "/version"
                                     << "2";
    QTest::newRow("no version") << "/version"
                                << "0";
    QTest::newRow("another format") << "/format"
                                    << "\"picture\"";
    QTest::newRow("a hash of letters") << "/source/xxh3"
                                       << "\"not sixteen hex!\"";
    QTest::newRow("a file elsewhere")
        << "/files"
        << R"([{"name":"../x.png","kind":"png","bytes":1,"xxh3":"0123456789abcdef"}])";
    for (const char* id : {"", "00a1b2c3d4e5f60", "00A1B2C3D4E5F607", "0000000000000000"}) {
      QTest::addRow("a set id '%s'", id) << "/setId" << QStringLiteral("\"%1\"").arg(id);
    }
    QTest::newRow("a set id of numbers") << "/setId"
                                         << "7";
    for (const char* cast : {R"(["plaza"])", R"(["limb", "limb"])", R"(["limb", "../limb"])",
                             R"(["limb", ""])", R"(["limb", 2])", "[]", R"("limb")"}) {
      QTest::addRow("a cast %s", cast) << "/cast" << cast;
    }
    QTest::newRow("fifteen numbers of a matrix") << "/rig/sourceToModel"
                                                 << "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0]";
    QTest::newRow("a negative joint") << "/rig/rigidMeshes"
                                      << R"([{"mesh":"bar","joint":-1}])";
    QTest::newRow("a mesh without size") << "/rig/bindScales"
                                         << R"([{"mesh":"bar","scale":0}])";
    QTest::newRow("boxes of no clip") << "/rig/frameBoundsMm"
                                      << "[]";
    QTest::newRow("a box too few") << "/rig/frameBoundsMm/0/boxes"
                                   << "[1,2,3,4,5,6]";
    QTest::newRow("a box of five numbers") << "/rig/boundsMm"
                                           << "[1,2,3,4,5]";
    QTest::newRow("half a millimetre") << "/rig/frameBoundsMm/0/boxes/2"
                                       << "0.5";
    for (const char* name : {"../x", "/x", "a/../b", "a//b", "a/", "", "a\\b"}) {
      QTest::addRow("a target's file elsewhere: %s", name)
          << "/targets/0/files/0/name"
          << QStringLiteral("\"%1\"").arg(QString(name).replace("\\", "\\\\"));
    }
    QTest::newRow("a target's hash of letters") << "/targets/0/files/0/xxh3"
                                                << "\"none\"";
    QTest::newRow("a distance in words") << "/targets/0/vertex/maxMm"
                                         << "\"far\"";
  }
  void rejectsSidecarsThatMakeNoSense() {
    QFETCH(QString, path);
    QFETCH(QString, value);
    auto json = nlohmann::json::parse(ck::sidecarText(wholeSidecar()));
    QVERIFY(ck::sidecarFromText(json.dump()));
    json[nlohmann::json::json_pointer(path.toStdString())] =
        nlohmann::json::parse(value.toStdString());
    const auto sidecar = ck::sidecarFromText(json.dump());
    QVERIFY(!sidecar);
    QVERIFY(!sidecar.error().message.empty());
  }

  // Of a set that belongs to no export.
  void aSidecarMayNameNoSetIdAndNoCast() {
    const std::string text = ck::sidecarText({.name = "limb", .atlas = limbAtlas()});
    QVERIFY(text.find("\"setId\"") == std::string::npos);
    QVERIFY(text.find("\"cast\"") == std::string::npos);
    const auto read = ck::sidecarFromText(text);
    QVERIFY(read && read->setId.empty() && read->cast.empty());
  }

  void rigTargetsAndExportComeBack() {
    const ck::Sidecar whole = wholeSidecar();
    const std::string text = ck::sidecarText(whole);
    const auto read = ck::sidecarFromText(text);
    QVERIFY(read);
    QVERIFY(read->rig == whole.rig);
    QVERIFY(read->targets == whole.targets);
    QVERIFY(read->stale == whole.stale);
    QCOMPARE(read->setId, whole.setId);
    QVERIFY(read->cast == whole.cast);
    QVERIFY(ck::checkRestated(text, *read));
    auto json = nlohmann::json::parse(text);
    json["joints"][1]["node"] = 5;
    QVERIFY(!ck::checkRestated(json.dump(), *read));
  }

  // Folders of targets are replaced and go with the set, but for what others put there; a failed
  // export brings them back.
  void targetsBelongToTheSet() {
    const QTemporaryDir folder;
    const ck::Character limb = ck::test::swingingLimb();
    const ck::Atlas atlas = limbAtlas();
    const ck::ExportSettings with = {.targets = {ck::TargetKind::Glb, ck::TargetKind::Three},
                                     .character = &limb};
    const auto written = ck::exportAtlas(atlas, "limb", pathOf(folder), with);
    QVERIFY(written);
    QCOMPARE(written->targets.size(), std::size_t{2});
    const QString module = QDir(folder.path()).filePath("limb.three/crowd.js");
    QVERIFY(QFile::exists(module) && QFile::exists(folder.filePath("limb.mesh.glb")));
    const QString stray = QDir(folder.path()).filePath("limb.three/stray.txt");
    overwrite(stray, "mine");
    QVERIFY(ck::exportAtlas(atlas, "limb", pathOf(folder), with));
    QVERIFY(QFile::exists(module));
    QCOMPARE(contents(stray), QByteArray("mine"));

    // A folder where a file of the set must go.
    const QByteArray before = contents(module);
    QVERIFY(QFile::remove(folder.filePath("limb.ckatlas")));
    QVERIFY(QDir(folder.path()).mkdir("limb.ckatlas"));
    QVERIFY(!ck::exportAtlas(atlas, "limb", pathOf(folder), with));
    QCOMPARE(contents(module), before);
    QVERIFY(QDir(folder.path()).rmdir("limb.ckatlas"));

    QVERIFY(ck::exportAtlas(atlas, "limb", pathOf(folder), {.only = true}));
    QVERIFY(!QFile::exists(module) && !QFile::exists(folder.filePath("limb.mesh.glb")));
    QCOMPARE(contents(stray), QByteArray("mine"));
    QCOMPARE(everything(folder).keys(),
             (QStringList{"limb.atlas.json", "limb.ckatlas", "limb.three"}));
  }

  // All files of the set in the folder are written anew. A note names those that cannot be.
  void anExportBringsTheSetUpToDate() {
    const QTemporaryDir folder;
    const ck::Character limb = ck::test::swingingLimb();
    ck::ExportSettings all = kAll;
    all.targets = {ck::TargetKind::Glb, ck::TargetKind::Three};
    all.character = &limb;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), all));
    const QStringList names = everything(folder).keys();
    const QByteArray page = contents(QDir(folder.path()).filePath("limb.three/limb.crowd.json"));
    ck::BakeSettings settings;
    settings.frames = 5;
    const ck::Atlas atlas = ck::bake(limb, settings)->atlas;
    const auto written = ck::exportAtlas(atlas, "limb", pathOf(folder), {.character = &limb});
    QVERIFY(written && written->stale.empty());
    QCOMPARE(written->targets.size(), std::size_t{2});
    QCOMPARE(everything(folder).keys(), names);
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(found && found->size() == kAll.kinds.size() - 1);
    for (const ck::FoundAtlas& set : *found) QVERIFY(set.atlas == atlas);
    QVERIFY(ck::setFindings(pathOf(folder)).empty());

    // Without the character its targets stay as they are.
    const auto later = ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), {});
    QVERIFY(later && later->targets.empty());
    QCOMPARE(later->stale.size(), std::size_t{2});
    QCOMPARE(everything(folder).keys(), names);
    QVERIFY(ck::readAtlasFolder(pathOf(folder)).has_value());
    const auto findings = ck::setFindings(pathOf(folder));
    QCOMPARE(findings.size(), std::size_t{2});
    for (const ck::SetFinding& finding : findings) {
      QVERIFY(finding.kind == ck::SetFinding::Kind::Stale);
    }
    // A later export writes them anew, or removes them.
    const auto again = ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), {.character = &limb});
    QVERIFY(again && again->stale.empty() && again->targets.size() == 2);
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), {}));
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), {.only = true}));
    QCOMPARE(everything(folder).keys(), (QStringList{"limb.atlas.json", "limb.ckatlas"}));
    QVERIFY(ck::setFindings(pathOf(folder)).empty());
  }

  // A format that cannot hold the texels of the new atlas.
  void aFormatThatCannotHoldTheAtlasIsStale() {
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), kAll));
    ck::BakeSettings settings;
    settings.encoding = ck::Encoding::T32;
    const ck::Atlas floats = ck::bake(ck::test::swingingLimb(), settings)->atlas;
    const auto written = ck::exportAtlas(floats, "limb", pathOf(folder), {});
    QVERIFY(written);
    QCOMPARE(written->stale.size(), std::size_t{1});
    QCOMPARE(written->stale.front().kind, std::string("png"));
    QVERIFY(QFile::exists(folder.filePath("limb.atlas.png")));
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(found);
    for (const ck::FoundAtlas& set : *found) QVERIFY(set.atlas == floats);
    QCOMPARE(ck::setFindings(pathOf(folder)).size(), std::size_t{1});
  }

  // The id is made of what is exported, not of where, and every file that can states it.
  void setIdsAreThoseOfTheContents() {
    const QTemporaryDir one;
    const QTemporaryDir two;
    const QTemporaryDir three;
    const ck::Character limb = ck::test::swingingLimb();
    const auto idIn = [](const QTemporaryDir& folder) {
      return nlohmann::json::parse(contents(folder.filePath("limb.atlas.json")).toStdString())
          .value("setId", "");
    };
    ck::ExportSettings all = kAll;
    all.targets = {ck::TargetKind::Glb, ck::TargetKind::Three, ck::TargetKind::Babylon};
    all.character = &limb;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(one), all));
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(two), {.character = &limb}));
    ck::Atlas changed = limbAtlas();
    changed.texels[9] ^= std::byte{1};
    QVERIFY(ck::exportAtlas(changed, "limb", pathOf(three), {.character = &limb}));
    const std::string id = idIn(one);
    QCOMPARE(id.size(), std::size_t{16});
    QCOMPARE(idIn(two), id);
    QVERIFY(idIn(three) != id);
    QCOMPARE(ck::setIdOfAtlasFile(pathOf(one, "limb.ckatlas")), id);
    for (const char* file : {"limb.atlas.png", "limb.atlas.exr", "limb.mesh.glb",
                             "limb.three/limb.crowd.json", "limb.babylon/limb.crowd.json"}) {
      QVERIFY2(contents(QDir(one.path()).filePath(file)).contains(id.c_str()), file);
    }
  }

  // Sets of one export whose files were copied apart, or whose export was killed, are not read.
  void setsOfDifferentExportsAreMixed() {
    const QTemporaryDir one;
    const QTemporaryDir two;
    ck::Atlas changed = limbAtlas();
    changed.texels[9] ^= std::byte{1};
    const ck::Atlas atlas = limbAtlas();
    const auto write = [&](const ck::Atlas& second, const QTemporaryDir& folder) {
      const ck::SetToExport sets[] = {{atlas, "limb", "", {}}, {second, "limb-b", "", {}}};
      return ck::exportSets(sets, {}, pathOf(folder)).has_value();
    };
    QVERIFY(write(atlas, one) && write(changed, two));
    QVERIFY(ck::setFindings(pathOf(one)).empty());
    QVERIFY(ck::readAtlasFolder(pathOf(one)).has_value());
    for (const char* file : {"limb-b.atlas.json", "limb-b.ckatlas"}) {
      overwrite(one.filePath(file), contents(two.filePath(file)));
    }
    QVERIFY(!ck::setFindings(pathOf(one)).empty());
    QVERIFY(ck::setFindings(pathOf(one)).front().kind == ck::SetFinding::Kind::Mixed);
    const auto read = ck::readAtlasFolder(pathOf(one));
    QVERIFY(!read && read.error().code == ck::ErrorCode::InvalidInput);
    // Without its sidecar the container of another export is found as well.
    overwrite(one.filePath("limb-b.atlas.json"), contents(two.filePath("limb-b.atlas.json")));
    overwrite(one.filePath("limb.ckatlas"), contents(two.filePath("limb.ckatlas")));
    QVERIFY(!ck::readAtlasFolder(pathOf(one)));
    QVERIFY(write(atlas, one));
    QVERIFY(ck::readAtlasFolder(pathOf(one)).has_value());
  }

  void rejectsEventsOutsideTheirClip() {
    const std::string text =
        ck::sidecarText({.name = "limb", .atlas = limbAtlas(), .clipEvents = {{{{"step", 0.5}}}}});
    QVERIFY(ck::sidecarFromText(text));
    for (const char* wrong : {"-0.1", "1.5", "\"soon\""}) {
      auto json = nlohmann::json::parse(text);
      json["clips"][0]["events"][0]["unit"] = nlohmann::json::parse(wrong);
      QVERIFY(!ck::sidecarFromText(json.dump()));
    }
  }

  void eventsComeBackWithTheSet() {
    const QTemporaryDir folder;
    ck::ExportSettings settings = kAll;
    const ck::Atlas atlas = limbAtlas();
    settings.clipEvents.resize(atlas.clips.size());
    settings.clipEvents.front().leftOut = 1;
    settings.clipEvents.back().list = {
        {"lands \xE2\x9C\x93", 0.25}, {"", 1.0, true}, {"steps", 1.0, false}};
    QVERIFY(ck::exportAtlas(atlas, "limb", pathOf(folder), settings));
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(found);
    for (const ck::FoundAtlas& set : *found) QCOMPARE(set.clipEvents, settings.clipEvents);
  }

  void rejectsDeepNesting() {
    const std::string deep(100'000, '[');
    QCOMPARE(ck::sidecarFromText(deep).error().code, ck::ErrorCode::LimitExceeded);
  }

  void rejectsPicturesThatClaimMoreThanTheyHold() {
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), {.kinds = {ck::ExportKind::Png}}));
    const QString path = folder.filePath("limb.atlas.json");
    auto json = nlohmann::json::parse(contents(path).toStdString());
    // As many blocks side by side and below each other as make a shape that is possible.
    auto& layout = json["layout"];
    const int times = 65536 / std::max(layout["width"].get<int>(), layout["height"].get<int>());
    for (const char* key : {"width", "height", "blocksPerRow"}) {
      layout[key] = layout[key].get<int>() * times;
    }
    overwrite(path, QByteArray::fromStdString(json.dump()));
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(!found);
    QVERIFY(found.error().message.find("too few") != std::string::npos);
  }

  // A picture of a stranger that takes over its decoder takes over the worker only.
  void picturesAreDecodedInTheWorker() {
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), kAll));
    for (const char* fault : {"crash", "abort", "half"}) {
      qputenv("CROWDKILN_IMPORT_FAULT", fault);
      const auto found = ck::readAtlasFolder(pathOf(folder));
      const auto own = ck::readAtlasFolder(pathOf(folder), {.ownFiles = true});
      qunsetenv("CROWDKILN_IMPORT_FAULT");
      QVERIFY(!found);
      QCOMPARE(found.error().code, ck::ErrorCode::ImportCrashed);
      QVERIFY2(found.error().message.starts_with("limb.atlas."), found.error().message.c_str());
      QVERIFY(own);
    }
    QVERIFY(ck::readAtlasFolder(pathOf(folder)));
  }

  void everyFormReadsBackTheSame_data() {
    QTest::addColumn<int>("maxTextureSize");
    QTest::newRow("one block") << 16384;
    QTest::newRow("columns of frames") << 50;
  }
  void everyFormReadsBackTheSame() {
    QFETCH(int, maxTextureSize);
    const QTemporaryDir folder;
    const ck::Atlas atlas = limbAtlas(maxTextureSize);
    const auto files = ck::exportAtlas(atlas, "limb", pathOf(folder), kAll);
    QVERIFY2(files, files ? "" : files.error().message.c_str());
    QCOMPARE(files->files.size(), kAll.kinds.size());
    for (const ck::ExportedFile& file : files->files) {
      const QByteArray bytes = contents(folder.filePath(QString::fromStdString(file.name)));
      QCOMPARE(std::uintmax_t(bytes.size()), file.bytes);
      const auto raw = std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size())));
      QCOMPARE(ck::hashText(ck::hashBytes(raw)), file.xxh3);
    }
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(found);
    QCOMPARE(found->size(), kAll.kinds.size() - 1);
    for (const ck::FoundAtlas& set : *found) {
      QCOMPARE(set.name, std::string("limb"));
      QVERIFY(set.atlas == atlas);
    }
    ck::ExportKinds kinds = {ck::ExportKind::Json};
    for (const ck::FoundAtlas& set : *found) kinds.insert(set.kind);
    QVERIFY(kinds == kAll.kinds);
  }

  void sameAtlasGivesTheSameBytes() {
    const QTemporaryDir one;
    const QTemporaryDir two;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(one), kAll));
    QTest::qWait(1100);  // a time stamp would differ now
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(two), kAll));
    QCOMPARE(everything(one), everything(two));
  }

  void namesMayHoldAnyUnicode() {
    const QTemporaryDir folder;
    const std::string name = "s\xc3\xb6ldner \xe2\x98\xba";
    QVERIFY(ck::exportAtlas(limbAtlas(), name, pathOf(folder, QStringLiteral("\u00e4/b")), kAll));
    const auto found = ck::readAtlasFolder(pathOf(folder, QStringLiteral("\u00e4/b")));
    QVERIFY(found && found->front().name == name);
  }

  void aNewSetReplacesTheOldAsAWhole() {
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), kAll));
    overwrite(folder.filePath("notes.txt"), "mine");
    ck::BakeSettings settings;
    settings.frames = 5;
    const ck::Atlas atlas = ck::bake(ck::test::swingingLimb(), settings)->atlas;
    QVERIFY(ck::exportAtlas(atlas, "limb", pathOf(folder), {.only = true}));
    QCOMPARE(everything(folder).keys(),
             (QStringList{"limb.atlas.json", "limb.ckatlas", "notes.txt"}));
    const auto found = ck::readAtlasFolder(pathOf(folder));
    QVERIFY(found && found->size() == 1 && found->front().atlas == atlas);
  }

  void stoppingLeavesTheOldSetByteForByte() {
    const QTemporaryDir folder;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(folder), kAll));
    const auto before = everything(folder);
    for (const float when : {0.0f, 0.3f, 0.65f}) {
      std::stop_source source;
      ck::JobContext job;
      job.stop = source.get_token();
      job.report = [&](float fraction, std::string_view) {
        if (fraction >= when) source.request_stop();
      };
      const auto files = ck::exportAtlas(limbAtlas(50), "limb", pathOf(folder), kAll, nullptr, job);
      QVERIFY(!files);
      QCOMPARE(files.error().code, ck::ErrorCode::Cancelled);
      QCOMPARE(everything(folder), before);
    }
  }

  void aStoppedFirstExportLeavesNoFolder() {
    const QTemporaryDir folder;
    std::stop_source source;
    source.request_stop();
    ck::JobContext job;
    job.stop = source.get_token();
    QVERIFY(!ck::exportAtlas(limbAtlas(), "limb", pathOf(folder, "new"), kAll, nullptr, job));
    QVERIFY(!QFile::exists(folder.filePath("new")));
  }

  void whatCannotBeWrittenIsSaidAndChangesNothing() {
    const QTemporaryDir folder;
    overwrite(folder.filePath("file"), "mine");
    const auto intoFile = ck::exportAtlas(limbAtlas(), "limb", pathOf(folder, "file"), kAll);
    QVERIFY(!intoFile);
    QCOMPARE(intoFile.error().code, ck::ErrorCode::CannotWrite);
    // A folder where a file of the set must go: the files moved before it come back.
    const QTemporaryDir second;
    QVERIFY(ck::exportAtlas(limbAtlas(), "limb", pathOf(second), {}));
    QVERIFY(QDir(second.path()).mkdir("limb.atlas.png"));
    const auto before = everything(second);
    const auto blocked = ck::exportAtlas(limbAtlas(50), "limb", pathOf(second), kAll);
    QVERIFY(!blocked);
    QCOMPARE(blocked.error().code, ck::ErrorCode::CannotWrite);
    QCOMPARE(everything(second), before);
  }

  void picturesKeepTheirPixels_data() {
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("period");
    QTest::addColumn<bool>("isSmall");
    QTest::newRow("grain") << 256 << 256 << false;
    QTest::newRow("a pattern") << 256 << 8 << true;
    QTest::newRow("one pixel") << 1 << 1 << false;
  }
  void picturesKeepTheirPixels() {
    QFETCH(int, side);
    QFETCH(int, period);
    QFETCH(bool, isSmall);
    ck::Image image{.name = "made", .width = side, .height = side, .rgba = {}};
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        for (int channel = 0; channel < 4; ++channel) {
          const auto lot = 7919u * unsigned(x % period) + 104729u * unsigned(y % period);
          image.rgba.push_back(std::uint8_t((lot * 2654435761u >> (8 * channel)) & 0xff));
        }
      }
    }
    const auto png = ck::pngBytes(image);
    QVERIFY(png);
    const auto texels = ck::texelsFromPng(*png, {side, side, ck::TexelFormat::Rgba8});
    QVERIFY(texels);
    QVERIFY(std::ranges::equal(*texels, std::as_bytes(std::span(image.rgba))));
    if (isSmall) QVERIFY(png->size() * 20 < image.rgba.size());
  }

  // Files that hold the same picture share one PNG of it.
  void picturesAreMadeOnce() {
    std::vector<ck::Image> images(3);
    std::vector<const ck::Image*> all;
    for (std::size_t i = 0; i < images.size(); ++i) {
      images[i] = {.name = "flat", .width = 8, .height = 4, .rgba = {}};
      images[i].rgba.assign(std::size_t(8 * 4 * 4), std::uint8_t(40 * i + 7));
      all.push_back(&images[i]);
    }
    ck::PictureFiles pictures;
    QVERIFY(pictures.make(std::span(all).first(2), {}).has_value());
    const std::byte* first = pictures.of(images[1]).data();
    QVERIFY(pictures.make(all, {}).has_value());
    QCOMPARE(pictures.of(images[1]).data(), first);
    for (const ck::Image& image : images) {
      QVERIFY(std::ranges::equal(pictures.of(image), *ck::pngBytes(image)));
    }
    std::stop_source stopped;
    stopped.request_stop();
    ck::PictureFiles none;
    const auto made = none.make(all, {.stop = stopped.get_token()});
    QVERIFY(!made);
    QCOMPARE(made.error().code, ck::ErrorCode::Cancelled);
  }
};

CK_TEST(tst_atlas_export)
#include "tst_atlas_export.moc"
