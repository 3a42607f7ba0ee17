#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <map>
#include <sstream>

#include "core/bake/bake.h"
#include "core/container/atlas_file.h"
#include "core/export/set/atlas_export.h"
#include "core/import/joint_map_file.h"
#include "core/project/project_json.h"
#include "core/project/recovery.h"
#include "core/stage/cast_export.h"
#include "core/stage/character_stage.h"
#include "core/stage/collect.h"
#include "core/system/files.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

// A stranger's folder may have a symbolic link at any name that the program derives from the one
// that the user chose. Nothing may be written through it.
namespace {

namespace fs = std::filesystem;

// A folder of a stranger, and beside it files of the user that links lead to.
class Planted {
 public:
  Planted() : root_(place_.path().toStdString()) {
    fs::create_directories(folder());
    fs::create_directories(root_ / "home" / "keys");
    put("home/file", "mine");
    put("home/keys/authorized", "mine");
    before_ = home();
  }
  fs::path folder() const { return root_ / "show"; }
  fs::path file(const std::string& name) const { return folder() / name; }
  // Links to a file, and to one that is not there, which writing through would make.
  void linkFile(const std::string& name) const { link(name, root_ / "home" / "file"); }
  void linkMissing(const std::string& name) const { link(name, root_ / "home" / "made"); }
  void linkFolder(const std::string& name) const { link(name, root_ / "home" / "keys"); }
  bool homeIsUntouched() const { return home() == before_; }
  bool isLink(const std::string& name) const { return fs::is_symlink(file(name)); }

 private:
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name) << text;
  }
  void link(const std::string& name, const fs::path& to) const {
    fs::create_directories(file(name).parent_path());
    fs::remove_all(file(name));
    fs::create_symlink(to, file(name));
  }
  std::map<std::string, std::string> home() const {
    std::map<std::string, std::string> files;
    for (const auto& each : fs::recursive_directory_iterator(root_ / "home")) {
      std::ostringstream text;
      text << std::ifstream(each.path()).rdbuf();
      files[each.path().string()] = text.str();
    }
    return files;
  }

  QTemporaryDir place_;
  fs::path root_;
  std::map<std::string, std::string> before_;
};

ck::Atlas limbAtlas() {
  return ck::bake(ck::test::swingingLimb(), {})->atlas;
}

}  // namespace

class tst_derived_names : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void savingReplacesTheLinkAtTheBackup() {
    const Planted planted;
    const fs::path path = planted.file("show.crowd");
    QVERIFY(ck::writeProjectFile({}, path));
    for (const bool isThere : {true, false}) {
      isThere ? planted.linkFile("show.crowd.bak") : planted.linkMissing("show.crowd.bak");
      QVERIFY(ck::writeProjectFile({}, path));
      QVERIFY(planted.homeIsUntouched());
      QVERIFY(!planted.isLink("show.crowd.bak"));
    }
  }

  void theProjectsOwnLinkIsFollowed() {
    const Planted planted;
    QVERIFY(ck::writeProjectFile({}, planted.file("real.crowd")));
    fs::create_symlink(planted.folder() / "real.crowd", planted.file("show.crowd"));
    QVERIFY(ck::writeProjectFile({}, planted.file("show.crowd")));
    QVERIFY(planted.isLink("show.crowd"));
    QVERIFY(ck::readProjectFile(planted.file("real.crowd")));
  }

  void theAtlasBesideAProjectReplacesALink() {
    const Planted planted;
    const fs::path atlas = ck::atlasBeside(planted.file("show.crowd"));
    for (const bool isThere : {true, false}) {
      const std::string name = atlas.filename().string();
      isThere ? planted.linkFile(name) : planted.linkMissing(name);
      QVERIFY(ck::writeAtlasFile(limbAtlas(), atlas));
      QVERIFY(planted.homeIsUntouched());
      QVERIFY(ck::readAtlasFile(atlas));
    }
  }

  void recoveredWorkReplacesLinks() {
    const Planted planted;
    const ck::RecoveredWork work{planted.folder() / "work", "/show.crowd", "show", 1};
    planted.linkFile("work/work.crowd");
    planted.linkMissing("work/about.json");
    QVERIFY(ck::writeRecovery(work, {}));
    QVERIFY(planted.homeIsUntouched());
    QVERIFY(!planted.isLink("work/work.crowd") && !planted.isLink("work/about.json"));
  }

  void mapsReplaceNothingButTheChosenFile() {
    const Planted planted;
    std::ofstream(planted.file("real.json")) << "old";
    fs::create_symlink(planted.file("real.json"), planted.file("map.json"));
    QVERIFY(ck::writeJointMap(planted.file("map.json"), {}));
    QVERIFY(planted.isLink("map.json") && ck::readJointMap(planted.file("real.json")));
  }

  // Every name that an export can write, as a link to a file, to nothing and to a folder.
  void exportsReplaceLinks_data() {
    QTest::addColumn<QString>("name");
    for (const ck::ExportTarget& target : ck::exportTargets()) {
      if (target.kind == ck::TargetKind::Impostors) continue;  // drawn, with the same writer
      std::string_view ending = target.ending;
      if (ending.ends_with('/')) ending.remove_suffix(1);
      QTest::newRow(target.name.data()) << QString::fromStdString("limb" + std::string(ending));
    }
    for (const ck::ExportFormat& format : ck::kExportFormats) {
      QTest::newRow(format.name.data())
          << QString::fromStdString(ck::fileNameOf("limb", format.kind));
    }
    for (const std::string_view ending : ck::kSceneEndings) {
      QTest::newRow(ending.data()) << QString::fromStdString("limb" + std::string(ending));
    }
  }
  void exportsReplaceLinks() {
    QFETCH(QString, name);
    const auto character = std::make_shared<const ck::Character>(ck::test::swingingLimb());
    ck::Project project;
    project.characters.front().title = "limb";
    const std::vector<ck::Actor> one(1);
    project.actors = ck::ActorList(one);
    const ck::CastAtlas atlas{.number = 0,
                              .title = {},
                              .character = character,
                              .atlas = std::make_shared<const ck::Atlas>(limbAtlas()),
                              .settings = project.characters.front(),
                              .error = {}};
    ck::ExportSettings settings = {.kinds = ck::test::everyKind(ck::TexelFormat::Rgba16)};
    for (const ck::ExportTarget& target : ck::exportTargets()) {
      if (target.kind != ck::TargetKind::Impostors) settings.targets.insert(target.kind);
    }
    const std::vector<std::string> names = {"limb"};
    const Planted planted;
    for (const auto plant : {&Planted::linkFile, &Planted::linkMissing, &Planted::linkFolder}) {
      (planted.*plant)(name.toStdString());
      const auto written =
          ck::exportCast({&atlas, 1}, names, planted.folder(), settings, &project, {});
      QVERIFY2(written.has_value(), written ? "" : written.error().message.c_str());
      QVERIFY(planted.homeIsUntouched());
      QVERIFY(!planted.isLink(name.toStdString()));
    }
  }

  void collectingReplacesLinksAndRefusesLinkedFolders() {
    const Planted planted;
    const fs::path rig = fs::path(planted.folder()) / "from" / "rig.glb";
    fs::create_directories(rig.parent_path());
    std::ofstream(rig) << "rig";
    ck::Collection collection{.projectFile = planted.file("new.crowd"),
                              .copies = {{rig, planted.file("new_sources/rig.glb")}},
                              .projects = {{planted.file("new.crowd"), ck::Project{}}}};
    planted.linkFile("new_sources/rig.glb.collecting");
    planted.linkMissing("new.crowd");
    QVERIFY(ck::writeCollection(collection));
    QVERIFY(planted.homeIsUntouched());
    QVERIFY(!planted.isLink("new_sources/rig.glb") && !planted.isLink("new.crowd"));
    planted.linkFolder("new_sources");
    const auto refused = ck::writeCollection(collection);
    QVERIFY(!refused && refused.error().code == ck::ErrorCode::CannotWrite);
    QVERIFY(refused.error().message.find("symbolic link") != std::string::npos);
    QVERIFY(planted.homeIsUntouched());
  }
};

CK_TEST(tst_derived_names)
#include "tst_derived_names.moc"
