#include <QTemporaryDir>
#include <QTest>

#include "core/container/atlas_file.h"
#include "core/project/project_json.h"
#include "core/project/source_files.h"
#include "core/stage/character_stage.h"
#include "core/stage/collect.h"
#include "core/stage/pipeline.h"
#include "core/stage/scene.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using ck::FoundSource;
using ck::Project;

namespace {

void put(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  QVERIFY(ck::writeFileAtomically(path, std::as_bytes(std::span(text))));
}

Project of(const std::vector<fs::path>& sources) {
  Project project;
  for (const fs::path& path : sources) {
    project.characters.front().sources.push_back({ck::pathText(path)});
  }
  return project;
}

// A sample rig under another name; with a `mark` its bytes differ, and its motion does not.
void copyRig(const fs::path& to, char mark = 0) {
  fs::create_directories(to.parent_path());
  auto bytes = ck::readFile(ck::test::sampleHumanoid(), 1 << 30).value();
  if (mark != 0) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t at = text.find("\"generator\":\"");
    QVERIFY(at != std::string_view::npos);
    bytes[at + 13] = std::byte(mark);
  }
  QVERIFY(ck::writeFileAtomically(to, bytes));
}

}  // namespace

class tst_source_files : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  fs::path root(const char* name) const {
    const fs::path path = ck::pathFromText(temporary_.path().toStdString()) / name;
    fs::create_directories(path);
    return path;
  }

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void rejectsToCollectWhatIsMissing() {
    const auto plan =
        ck::planCollection(of({"/nowhere/man.glb"}), "/nowhere/p.crowd", root("none"), "p");
    QVERIFY(!plan.has_value());
    QCOMPARE(plan.error().code, ck::ErrorCode::FileNotFound);
    QVERIFY(plan.error().message.find("/nowhere/man.glb") != std::string::npos);
  }

  void companionsAreWhatARigNames() {
    const fs::path folder = root("companions");
    put(folder / "box.gltf", R"({"images":[{"uri":"skin%20a.png"},{"uri":"maps/n.jpg"}]})");
    put(folder / "skin a.png", "a");
    put(folder / "maps/n.jpg", "b");
    put(folder / "other.png", "c");
    put(folder / "guard.md5mesh", "MD5Version 10\nshader \"models/guard\"\n");
    put(folder / "guard.tga", "d");
    QCOMPARE(ck::companionsOf(folder / "box.gltf"),
             (std::vector<fs::path>{folder / "maps/n.jpg", folder / "skin a.png"}));
    QCOMPARE(ck::companionsOf(folder / "guard.md5mesh"),
             std::vector<fs::path>{folder / "guard.tga"});
    // A changed picture makes another source of it.
    const auto before = ck::hashOfSource(folder / "box.gltf").value();
    put(folder / "other.png", "changed");
    QCOMPARE(ck::hashOfSource(folder / "box.gltf").value(), before);
    put(folder / "maps/n.jpg", "changed");
    QVERIFY(ck::hashOfSource(folder / "box.gltf").value() != before);
  }

  void aFolderThatMovedWithTheProjectIsFound() {
    const fs::path place = root("moved");
    put(place / "show" / "scenes" / "p.crowd", "");
    put(place / "show" / "rigs" / "man.glb", "man");
    put(place / "show" / "rigs" / "walk.glb", "walk");
    Project project = of({"/old/art/rigs/man.glb", "/old/art/rigs/walk.glb"});
    project.file.sourceHashes["/old/art/rigs/man.glb"] =
        ck::hashOfSource(place / "show" / "rigs" / "man.glb").value();
    const auto found = ck::findSources(project, place / "show" / "scenes" / "p.crowd");
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].now, ck::pathText(place / "show" / "rigs" / "man.glb"));
    QVERIFY(found[0].isSame);
    // Nothing says what bytes the other one had.
    QCOMPARE(found[1].now, ck::pathText(place / "show" / "rigs" / "walk.glb"));
    QVERIFY(!found[1].isSame);
  }

  void theSameBytesGoBeforeTheSameName() {
    const fs::path place = root("same");
    put(place / "p.crowd", "");
    put(place / "man.glb", "another man");
    put(place / "deep" / "down" / "man.glb", "the man");
    Project project = of({"/old/man.glb"});
    project.file.sourceHashes["/old/man.glb"] =
        ck::hashOfSource(place / "deep" / "down" / "man.glb").value();
    auto found = ck::findSources(project, place / "p.crowd");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].now, ck::pathText(place / "deep" / "down" / "man.glb"));
    QVERIFY(found[0].isSame);
    // Under another name beside another source.
    const fs::path far = root("far");
    put(far / "there.glb", "x");
    put(far / "renamed.glb", "renamed man");
    project = of({far / "there.glb", "/old/gone.glb"});
    project.file.sourceHashes["/old/gone.glb"] = ck::hashOfSource(far / "renamed.glb").value();
    found = ck::findSources(project, place / "p.crowd");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].now, ck::pathText(far / "renamed.glb"));
    QVERIFY(found[0].isSame);
    // A file that is nowhere is not found.
    project.file.sourceHashes["/old/gone.glb"] = 1;
    QVERIFY(ck::findSources(project, place / "p.crowd").empty());
  }

  void othersOfTheSameFolderAreFoundWithOne() {
    const fs::path place = root("together");
    put(place / "walk.glb", "walk");
    const Project project = of({"/old/man.glb", "/old/walk.glb", "/old/run.glb"});
    const auto found = ck::findSourcesIn(project, place);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].was, std::string("/old/walk.glb"));
  }

  void whatHasOtherBytesIsNotFoundWithOne() {
    const fs::path place = root("others");
    put(place / "walk.glb", "walk");
    put(place / "run.glb", "run");
    Project project = of({"/a/walk.glb", "/b/walk.glb", "/c/run.glb"});
    project.file.sourceHashes["/b/walk.glb"] = ck::hashOfSource(place / "walk.glb").value();
    project.file.sourceHashes["/c/run.glb"] = 1;
    auto found = ck::findSourcesIn(project, place);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].was, std::string("/b/walk.glb"));
    QVERIFY(found[0].isSame);
    // A file is given once, and not at all if it is a source.
    project.file.sourceHashes.clear();
    found = ck::findSourcesIn(project, place);
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].was, std::string("/a/walk.glb"));
    QCOMPARE(found[1].was, std::string("/c/run.glb"));
    project.characters.front().sources.push_back({ck::pathText(place / "run.glb")});
    QCOMPARE(ck::findSourcesIn(project, place).size(), std::size_t(1));
    put(place / "p.crowd", "");
    QCOMPARE(ck::findSources(project, place / "p.crowd").size(), std::size_t(1));
  }

  void theLongestEndOfThePathGoesFirst() {
    const fs::path place = root("longest");
    put(place / "show" / "p.crowd", "");
    put(place / "show" / "man.glb", "near");
    put(place / "hero" / "man.glb", "far");
    const auto found = ck::findSources(of({"/old/hero/man.glb"}), place / "show" / "p.crowd");
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found[0].now, ck::pathText(place / "hero" / "man.glb"));
  }

  void binaryRigsNameInTheirJson() {
    const fs::path folder = root("binary");
    const std::string json = R"({"images":[{"uri":"maps/a%20b.PNG"},{"uri":"longer-a.png"}]})";
    std::string glb = "glTF";
    const auto add = [&glb](std::uint32_t number) {
      for (int i = 0; i < 4; ++i) glb += static_cast<char>(number >> (8 * i) & 255);
    };
    for (const std::uint32_t number : {2u, 0u, static_cast<std::uint32_t>(json.size())}) {
      add(number);
    }
    put(folder / "man.glb", glb + "JSON" + json + "BIN \"other.png\"");
    for (const char* name : {"maps/a b.PNG", "longer-a.png", "a.png", "other.png"}) {
      put(folder / name, "x");
    }
    QCOMPARE(ck::companionsOf(folder / "man.glb"),
             (std::vector<fs::path>{folder / "longer-a.png", folder / "maps/a b.PNG"}));
    put(folder / "man.fbx", "Kaydara FBX Binary \\other.png\1 a.png.txt a.pngx");
    QCOMPARE(ck::companionsOf(folder / "man.fbx"),
             (std::vector<fs::path>{folder / "a.png", folder / "other.png"}));
  }

  void anAtlasOfOtherClipFilesOrFitsIsStale() {
    const fs::path place = root("stale");
    const fs::path rig = place / "man.glb";
    const fs::path more = place / "more.glb";
    copyRig(rig);
    copyRig(more);
    ck::ProjectCharacter asked{.sources = {{ck::pathText(rig)}, {ck::pathText(more)}}};
    const fs::path beside = place / "p.ckatlas";
    const auto made = ck::makeCharacterStage(asked, {}, {});
    QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
    QVERIFY(ck::writeAtlasFile(*made->atlas, beside));
    const auto isUsed = [&](const ck::ProjectCharacter& character) {
      const auto stage = ck::readCharacterStage(character, beside, {});
      return stage.has_value() && stage->atlas != nullptr;
    };
    QVERIFY(isUsed(asked));
    // Fitted in another way.
    ck::ProjectCharacter fitted = asked;
    fitted.sources[1].fit.rest = ck::RestFit::KeepRotations;
    QVERIFY(!isUsed(fitted));
    // Another file of the same name.
    copyRig(more, '!');
    QVERIFY(!isUsed(asked));
    const auto stage = ck::readCharacterStage(asked, beside, {});
    QVERIFY(std::ranges::any_of(stage->notes,
                                [](const ck::Note& note) { return note.code == "AtlasStale"; }));
    copyRig(more);
    QVERIFY(isUsed(asked));
  }

  void aCollectedProjectNeedsNothingElse() {
    const fs::path place = root("origin");
    copyRig(place / "a" / "man.glb");
    copyRig(place / "b" / "man.glb", '!');
    Project inner = of({place / "b" / "man.glb"});
    const fs::path innerFile = place / "b" / "inner.crowd";
    QVERIFY(ck::writeProjectFile(inner, innerFile));
    Project project = of({place / "a" / "man.glb"});
    ck::Project made =
        ck::newProjectFor(*ck::readCharacterSource(project.characters.front(), {})->character,
                          project.characters.front().sources);
    made.characters.push_back({.title = "other", .sources = {{ck::pathText(innerFile)}}});
    made.props.push_back({{ck::pathText(place / "b" / "man.glb")}, {1.0f, 0.0f, 2.0f}});
    const fs::path file = place / "show.crowd";
    QVERIFY(ck::writeProjectFile(made, file));
    const auto load = [](const fs::path& path) {
      auto read = ck::readProjectFile(path);
      return ck::loadScene(std::move(*read), ck::stageLoader(ck::atlasBeside(path)), {});
    };
    const auto before = load(file);
    QVERIFY2(before.has_value(), before ? "" : before.error().message.c_str());
    QVERIFY(ck::writeAtlasFile(*before->characters[0].stage->atlas, ck::atlasBeside(file)));

    const fs::path target = root("collected");
    const auto plan = ck::planCollection(made, file, target, "show");
    QVERIFY2(plan.has_value(), plan ? "" : plan.error().message.c_str());
    QVERIFY(plan->existing().empty());
    QVERIFY(ck::writeCollection(*plan));
    QVERIFY(!plan->existing().empty());
    QVERIFY(fs::exists(target / "show.ckatlas"));
    fs::remove_all(place);
    // And it can be moved.
    const fs::path moved = root("elsewhere") / "there";
    fs::rename(target, moved);
    const auto after = load(moved / "show.crowd");
    QVERIFY2(after.has_value(), after ? "" : after.error().message.c_str());
    QCOMPARE(after->characters.size(), before->characters.size());
    for (std::size_t c = 0; c < after->characters.size(); ++c) {
      const ck::CharacterStage& one = *after->characters[c].stage;
      const ck::CharacterStage& other = *before->characters[c].stage;
      QVERIFY(one.atlas->texels == other.atlas->texels);
      QVERIFY(one.source.character->meshes == other.source.character->meshes);
      QVERIFY(one.source.character->images == other.source.character->images);
    }
    QVERIFY(after->project.actors == before->project.actors);
    QCOMPARE(after->props.size(), std::size_t(1));
    const std::string text =
        ck::projectToJson(ck::readProjectFile(moved / "show.crowd").value(), moved);
    QVERIFY(text.find("..") == std::string::npos);
  }

  // An earlier collection has a file of the name and the folder name of another that is added.
  void collectingAgainKeepsTheBytesOfAll() {
    const fs::path place = root("again");
    const fs::path target = root("again-collected");
    put(place / "a" / "man.glb", "first");
    put(place / "b" / "a" / "man.glb", "second");
    put(place / "c" / "deep" / "man.glb", "third");
    const auto collect = [&](const Project& project) {
      const auto plan = ck::planCollection(project, target / "show.crowd", target, "show");
      return plan && ck::writeCollection(*plan);
    };
    QVERIFY(collect(of({place / "a" / "man.glb"})));
    Project project = ck::readProjectFile(target / "show.crowd").value();
    const fs::path own = target / "show_sources" / "a" / "man.glb";
    QCOMPARE(project.characters[0].sources[0].path, ck::pathText(own));
    put(own.parent_path() / "deep" / "man.glb", "fourth");
    // The new ones come first, so that they would take the place.
    project = of({place / "b" / "a" / "man.glb", place / "c" / "deep" / "man.glb", own,
                  own.parent_path() / "deep" / "man.glb"});
    QVERIFY(collect(project));
    project = ck::readProjectFile(target / "show.crowd").value();
    const auto& sources = project.characters[0].sources;
    QCOMPARE(sources[2].path, ck::pathText(own));
    for (const auto& [source, text] :
         {std::pair(0, "second"), {1, "third"}, {2, "first"}, {3, "fourth"}}) {
      const auto bytes = ck::readFile(ck::pathFromText(sources[std::size_t(source)].path), 99);
      QVERIFY(bytes.has_value());
      QCOMPARE(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()),
               std::string(text));
    }
    for (const auto& entry : fs::recursive_directory_iterator(target)) {
      QVERIFY(entry.path().extension() != ".collecting");
    }
  }

  // Also where a plan writes over what it reads.
  void copiesAreMadeBeforeAnyFileIsReplaced() {
    const fs::path place = root("swapped");
    put(place / "a", "a");
    put(place / "b", "b");
    const ck::Collection swapped{.projectFile = place / "p.crowd",
                                 .copies = {{place / "a", place / "b"}, {place / "b", place / "a"}},
                                 .projects = {}};
    QVERIFY(ck::writeCollection(swapped));
    QCOMPARE(ck::readFile(place / "a", 9).value()[0], std::byte('b'));
    QCOMPARE(ck::readFile(place / "b", 9).value()[0], std::byte('a'));
    // One that fails leaves all as it was.
    const ck::Collection failing{
        .projectFile = place / "p.crowd",
        .copies = {{place / "a", place / "b"}, {place / "none", place / "c"}},
        .projects = {}};
    QVERIFY(!ck::writeCollection(failing));
    QCOMPARE(ck::readFile(place / "b", 9).value()[0], std::byte('a'));
    QVERIFY(!fs::exists(place / "b.collecting"));
  }
};

CK_TEST(tst_source_files)
#include "tst_source_files.moc"
