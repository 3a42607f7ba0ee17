#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <csignal>
#include <fstream>
#include <random>

#include "core/project/actors_json.h"
#include "core/project/project_json.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"
#include "tests/support/hostile_text.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using ck::ErrorCode;
using ck::Project;
using ck::ProjectCharacter;

using ck::test::replaced;

using ck::test::replaced;

namespace {

Project richProject() {
  Project project =
      ck::newProjectFor(ck::test::barCharacter(),
                        {{"/show/rigs/b\xC3\xA4r \xE2\x9C\x93.glb"}, {"/show/clips/walk.glb"}});
  project.characters.front().import = {1.8, 0.01};
  project.characters.front().import.sockets = {"Hand \xE2\x9C\x93", "Back"};
  project.characters.front().import.upAxis = ck::UpAxis::Z;
  project.characters.front().import.mergeStillJoints = true;
  project.characters.front().sources[1].fit = {
      .joints = {{"Bone.1", "Hand \xE2\x9C\x93"}, {"Camera", ""}},
      .rest = ck::RestFit::ApplyOffset,
      .up = ck::UpAxis::X,
      .metersPerUnit = 0.0254};
  project.characters.front().clips[1].ticked = false;
  project.characters.front().clips[1].loop = ck::LoopMode::PingPong;
  project.characters.front().clips[0].title = "Bow \xE2\x9C\x93";
  project.characters.front().clips[0].seam = ck::SeamChoice::Exclusive;
  project.characters.front().clips[0].edit = {.root = {ck::RootMotion::Extract,
                                                       "H\xC3\xBC"
                                                       "fte",
                                                       false, true, false, false},
                                              .loopOffset = 1.0 / 3.0,
                                              .dropScale = true,
                                              .smallestKeyGapSeconds = 0.0021};
  project.characters.front().clips[1].edit = {.trim = ck::Trim{0.1, 2.0 / 3.0},
                                              .rate = 1.0 / 3.0,
                                              .root = {.motion = ck::RootMotion::Strip}};
  project.characters.front().bake.rateHz = 12.5;
  project.characters.front().bake.influences = 2;
  project.characters.front().bake.reduceMm = 0.375;
  project.characters.front().bake.seamMm = 2.25;
  project.characters.front().bake.morphs = {24, 16};
  project.characters.front().bake.interpolate = false;
  project.characters.front().bake.reading = ck::Reading::Direct;
  project.characters.front().bake.rangeMode = ck::RangeMode::JointClip;
  project.characters.front().bake.encoding = ck::Encoding::T8;
  project.characters.front().bake.layout = ck::LayoutKind::Tiles;
  project.characters.front().bake.components = ck::Components::Tr;
  project.characters.front().bake.tile = 128;
  project.characters.front().bake.powerOfTwo = true;
  project.characters.front().bake.textureWidth = 1024;
  project.characters.front().bake.textureHeight = 512;
  project.crowds.front().spawn.seed = ~0ull;
  project.crowds.front().spawn.formation = ck::Formation::Poisson;
  project.crowds.front().spawn.centerMeters = {-3.25, 1.0 / 3.0};
  project.crowds.front().spawn.columns = 7;
  project.crowds.front().spawn.rings = 3;
  project.crowds.front().spawn.headingDegrees = -12.5;
  project.crowds.front().spawn.path = {{0.1f, -2.0f}, {3.0f, 4.7f}, {-1e3f, 0.0f}};
  project.crowds.front().spawn.pathClosed = true;
  project.crowds.front().spawn.pathRows = 2;
  project.crowds.front().spawn.groundProp = 1;
  project.view = {.pose = {.method = ck::Method::Cpu,
                           .sampling = ck::Sampling::HardwareLinear,
                           .influences = 2,
                           .skinOn = ck::SkinOn::Gpu,
                           .updateEvery = 3,
                           .paletteRead = ck::PaletteRead::StorageBuffer,
                           .packedInfluences = true,
                           .morphs = {.nearMeters = 12.5}},
                  .grid = false,
                  .sockets = true,
                  .shadows = ck::Shadows::Cascades,
                  .tickRateHz = 12.5,
                  .screen = {7.5, 720.0, 35.5},
                  .errorScaleMm = 0.25,
                  .lines = {.skeleton = true, .jointAxes = true, .bounds = true},
                  .wireframe = true,
                  .detail = {.tinted = true},
                  .wipe = 0.125};
  project.errorLimits = {0.5, 0.0, 1.25};
  project.randomSeed = 123456789012345ull;
  project.playbackSpeed = -0.25;
  ck::Actor odd;
  odd.clip = 1;
  odd.offset = 0.1f;
  odd.rate = -1.0f / 3.0f;
  odd.position = {1e-7f, -12345.678f, 3.0e8f};
  odd.rotationDegrees = {0.1f, 359.99f, -720.0f};
  odd.scale = 1.7f;
  odd.tint = 0x0a1b2c;
  odd.on = false;
  odd.travels = true;
  odd.turnRadius = -2.6f;
  odd.loop = ck::LoopMode::PingPong;
  odd.fadeClip = 0;
  odd.fade = 0.3f;
  odd.fadeSeconds = 0.7f;
  odd.fadeAtSeconds = -2.1f;
  odd.fadePhase = ck::FadePhase::Synced;
  odd.fadeEased = true;
  odd.mask = 1;
  odd.commands = {{-0.1f, ck::PlayAction::Pause},
                  {1.0f / 3.0f, ck::PlayAction::Reverse},
                  {1.0f / 3.0f, ck::PlayAction::Retrace},
                  {1e9f, ck::PlayAction::Restart}};
  project.actors.set(3, odd);
  project.characters.front().clips[1].events = {{"fu\xC3\x9F", 0.1}, {"", -1.0 / 3.0}};
  project.masks = {{"upper body", {{"Spine", 1.0f, true}, {"Hand \xE2\x9C\x93", 0.3f, false}}},
                   {"nothing", {}}};
  project.groups = {"front row \xE2\x9C\x93", "Group 2"};
  odd.group = 1;
  odd.byHand = true;
  project.actors.set(3, odd);
  const ProjectCharacter first = project.characters.front();
  project.characters.push_back(
      {.title = "bare", .hiddenMeshes = {"Hat \xE2\x9C\x93", "Coat"}, .variantOf = 0});
  project.characters.push_back(
      {.title = "doe \xE2\x9C\x93",
       .sources = {{"/show/b\xC3\xA4r/doe.crowd"}},
       .clips = {{.name = "Walk"}, {.name = "Take 001", .title = "Graze"}}});
  ProjectCharacter fox{.title = "fox", .sources = {{"/show/fox.glb"}}, .import = {0.0, 0.01, true}};
  fox.clips = {first.clips[1], first.clips[0]};
  fox.clips[1].ticked = false;
  fox.bake = first.bake;
  fox.bake.encoding = ck::Encoding::M16F;
  fox.bake.frames = 33;
  project.characters.push_back(fox);
  project.characters.push_back({.title = "cub", .variantOf = 3});
  project.props = {{{"/show/set/b\xC3\xA4nk.glb"}, {0.1f, 0.0f, -12.5f}, 359.9f, 0.3f},
                   {{"/show/shots/tree.glb"}, {}, -90.0f, -1.0f}};
  project.crowds.front().spawn.shares = {2.0, 0.0, 1.0 / 3.0};
  ck::Actor doe;
  doe.character = 2;
  doe.clip = 1;
  doe.fadeClip = 0;
  project.actors.set(5, doe);
  return project;
}

std::string smallText() {
  Project project;
  project.characters.front().sources = {{"/show/bar.glb"}};
  project.characters.front().clips = {{"Walk", true, {}}};
  project.actors = ck::ActorList(std::vector<ck::Actor>(2));
  return ck::projectToJson(project, "/show");
}

void writeText(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string readText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

class tst_project_json : public QObject {
  Q_OBJECT
 private slots:
  void rejectsDamage_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const std::string good = smallText();
    const auto row = [](const char* name, const std::string& text, ErrorCode code,
                        const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << static_cast<int>(code)
                          << QString(says);
    };
    const auto bad = [&](const char* name, std::string_view from, std::string_view to,
                         const char* says) {
      row(name, replaced(good, from, to), ErrorCode::InvalidInput, says);
    };
    row("an empty file", "", ErrorCode::InvalidInput, "line 1");
    row("another format", R"({"format": "gltf"})", ErrorCode::InvalidInput, "not a Crowdkiln");
    row("a list", "[1, 2]", ErrorCode::InvalidInput, "not a Crowdkiln");
    row("a number", "12", ErrorCode::InvalidInput, "not a Crowdkiln");
    row("no minReader", R"({"format": "crowdkiln-project"})", ErrorCode::InvalidInput, "minReader");
    row("a newer format",
        replaced(replaced(good, "\"minReader\": 1", "\"minReader\": 2"), "\"needs\": \"0.1\"",
                 "\"needs\": \"3.2\""),
        ErrorCode::Unsupported, "needs Crowdkiln 3.2 or newer");
    row("depth 100,000", std::string(100'000, '['), ErrorCode::LimitExceeded, "64");
    row("deep objects within",
        replaced(good, "\"grid\": true", "\"x\": " + std::string(70, '[') + std::string(70, ']')),
        ErrorCode::LimitExceeded, "64");
    bad("a doubled key", "\"grid\": true", "\"grid\": true, \"grid\": false",
        "'grid' is there twice");
    bad("a doubled key at the top", "\"view\": {", "\"crowds\": [], \"view\": {", "twice");
    bad("a syntax error in line 4", "\"minReader\": 1", "\"minReader\" 1", "line 4");
    bad("2^32 actors", "\"count\": 2", "\"count\": 4294967298", "actors.count");
    bad("-5 actors", "\"count\": 2", "\"count\": -5", "actors.count");
    bad("2^63 frames", "\"frames\": 0", "\"frames\": 9223372036854775808", "bake.frames");
    bad("a fraction of an influence", "\"influences\": 4", "\"influences\": 2.5", "whole number");
    bad("a tile of one texel", "\"tile\": 256", "\"tile\": 1", "bake.tile");
    bad("a texture of no size", "\"textureWidth\": 0", "\"textureWidth\": -1", "textureWidth");
    bad("a view from nowhere", "\"grid\": true", R"("screen": {"distanceMeters": 0})",
        "screen.distanceMeters");
    bad("a picture without rows", "\"grid\": true", R"("screen": {"imageHeightPixels": 0.5})",
        "screen.imageHeightPixels");
    bad("a view of all around", "\"grid\": true", R"("screen": {"fieldOfViewDegrees": 180})",
        "screen.fieldOfViewDegrees");
    bad("a limit below none", "\"crowds\"", R"("errorLimits": {"vertexMm": -1}, "crowds")",
        "errorLimits.vertexMm");
    bad("three influences", "\"influences\": 4", "\"influences\": 3", "1, 2 or 4");
    bad("1e999", "\"playbackSpeed\": 1.0", "\"playbackSpeed\": 1e999", "cannot be read");
    bad("a speed beyond its range", "\"playbackSpeed\": 1.0", "\"playbackSpeed\": 1e10",
        "playbackSpeed");
    bad("null for a number", "\"rateHz\": 0.0", "\"rateHz\": null", "bake.rateHz");
    bad("a clip that plays backwards", "\"ticked\": true", "\"ticked\": true,\"rate\":-1.0",
        "clips.rate");
    bad("a cut of one time", "\"ticked\": true", "\"ticked\": true,\"trimSeconds\":[0.5]",
        "clips.trimSeconds is not a start and an end");
    bad("a cut that ends before it starts", "\"ticked\": true",
        "\"ticked\": true,\"trimSeconds\":[0.5,0.25]", "ends before it starts");
    bad("a loop mode of an actor that is none", "\"travels\": false",
        "\"travels\": false, \"loop\": \"twice\"", "none of clip, loop, once and ping-pong");
    bad("text for a flag", "\"ticked\": true", "\"ticked\": \"yes\"", "clips.ticked");
    bad("a number for a text", "\"name\": \"Walk\"", "\"name\": 5", "clips.name");
    bad("a column of the wrong length", "\"clip\": 0", "\"clip\": [0, 0, 0]", "3 entries for 2");
    bad("a short position column", "\"position\": [", "\"position\": [1.0, ",
        "7 entries for 2 actors, not 3 for each");
    bad("a clip that is not there", "\"clip\": 0", "\"clip\": [0, 1]", "clip[1]");
    bad("a negative clip", "\"clip\": 0", "\"clip\": -1", "clip[0]");
    bad("a second clip that is not there", "\"travels\": false",
        "\"travels\": false, \"fadeClip\": [0, 1]", "fadeClip[1]");
    bad("a second clip of -2", "\"travels\": false", "\"travels\": false, \"fadeClip\": -2",
        "neither -1 nor one of 1");
    bad("a fade of more than all", "\"travels\": false", "\"travels\": false, \"fade\": 1.5",
        "fade[0]");
    bad("a fade that ends before it starts", "\"travels\": false",
        "\"travels\": false, \"fadeSeconds\": -1", "fadeSeconds");
    bad("a command of no text", "\"travels\": false", "\"travels\": false, \"commands\": [\"\", 3]",
        "commands[1] is not a text");
    bad("an unknown command", "\"travels\": false", "\"travels\": false, \"commands\": \"stop@1\"",
        "commands[0] 'stop@1' is not ACTION@SECONDS, such as pause@1.5; actions: play, pause,");
    bad("commands that go back in time", "\"travels\": false",
        "\"travels\": false, \"commands\": [\"\", \"pause@2 play@1\"]",
        "commands[1] 'play@1' is earlier");
    bad("an unknown phase", "\"travels\": false", "\"travels\": false, \"fadePhase\": \"later\"",
        "fadePhase[0]");
    bad("a mask that is not there", "\"travels\": false", "\"travels\": false, \"mask\": 0",
        "mask[0]");
    bad("masks that are no list", "\"crowds\"", "\"masks\": 3, \"crowds\"", "masks");
    bad("a mask that weighs more than all", "\"crowds\"",
        "\"masks\": [{\"parts\": [{\"joint\": \"a\", \"weight\": 2}]}], \"crowds\"", "weight");
    bad("a group that is not there", "\"travels\": false", "\"travels\": false, \"group\": 0",
        "group[0]");
    bad("groups that are no list", "\"crowds\"", "\"groups\": {}, \"crowds\"",
        "groups is not a list");
    bad("a group without a name", "\"crowds\"", "\"groups\": [\"\"], \"crowds\"",
        "groups has a name that is empty");
    bad("a group that is there twice", "\"crowds\"", "\"groups\": [\"a\", \"a\"], \"crowds\"",
        "groups has a name twice");
    bad("an event without end", "\"ticked\": true",
        "\"ticked\": true, \"events\": [{\"seconds\": 1e30}]", "seconds");
    bad("events that are no objects", "\"ticked\": true", "\"ticked\": true, \"events\": [4]",
        "events");
    bad("a character that is not there", "\"travels\": false",
        "\"travels\": false, \"character\": [0, 1]", "character[1]");
    bad("characters that are no list", "\"characters\": [", "\"characters\": 3, \"c\": [",
        "characters is not a list");
    const auto further = [&](const char* name, const std::string& entries, const char* says) {
      bad(name, "\"characters\": [", "\"characters\": [{}, " + entries + ", ", says);
    };
    further("a character without a title", R"({"variantOf": 0})", "characters.title");
    further("two characters of one title",
            R"({"title": "doe", "variantOf": 0}, {"title": "doe", "variantOf": 0})", "'doe'");
    further("a character of no file", R"({"title": "doe"})", "characters.sources names no file");
    further("a file of another machine",
            R"({"title": "doe", "sources": [{"path": "//server/doe.glb"}]})",
            "characters.sources.path '//server/doe.glb'");
    further("a project with further files",
            R"({"title": "doe", "sources": [{"path": "a.crowd"}, {"path": "b.glb"}]})",
            "besides a project");
    further("a variant of itself", R"({"title": "doe", "variantOf": 1})", "variantOf");
    further("a variant of a variant",
            R"({"title": "doe", "variantOf": 0}, {"title": "cub", "variantOf": 1})", "variantOf");
    further("a variant of a later one", R"({"title": "doe", "variantOf": 7})", "variantOf");
    further("hidden meshes that are numbers",
            R"({"title": "doe", "variantOf": 0, "hiddenMeshes": [3]})", "hiddenMeshes");
    bad("props that are no list", "\"crowds\"", "\"props\": {}, \"crowds\"", "props is not a list");
    bad("a prop without a file", "\"crowds\"", "\"props\": [{}], \"crowds\"", "props.path");
    bad("a prop on a line", "\"crowds\"",
        "\"props\": [{\"path\": \"a.glb\", \"position\": [1, 2]}], \"crowds\"", "props.position");
    bad("a prop at infinity", "\"crowds\"",
        "\"props\": [{\"path\": \"a.glb\", \"position\": [1, 2, 1e300]}], \"crowds\"",
        "props.position");
    bad("a prop without a size", "\"crowds\"",
        "\"props\": [{\"path\": \"a.glb\", \"scale\": 0}], \"crowds\"", "props.scale is 0");
    bad("a negative share", "\"varied\": true", "\"varied\": true, \"shares\": [1, -1]", "shares");
    bad("a share of text", "\"varied\": true", "\"varied\": true, \"shares\": [\"all\"]", "shares");
    const auto spawn = [&](const char* name, const std::string& entry, const char* says) {
      bad(name, "\"varied\": true", "\"varied\": true, " + entry, says);
    };
    spawn("half a point of a path", R"("path": [1, 2, 3])", "path is not a list of pairs");
    spawn("a path of words", R"("path": ["a", "b"])", "path");
    spawn("a centre on a line", R"("centerMeters": [1])", "centerMeters is not two metres");
    spawn("no ring at all", R"("rings": 0)", "rings");
    spawn("fewer than no columns", R"("columns": -1)", "columns");
    spawn("a ground that is not there", R"("groundProp": 0)", "groundProp");
    row("a clip that another character has",
        replaced(replaced(good, "\"clip\": 0", "\"clip\": 1, \"character\": [1, 0]"),
                 "\n  ],\n  \"crowds\"",
                 R"(, {"title": "doe", "sources": [{"path": "doe.glb"}],
                       "clips": [{"name": "a"}, {"name": "b"}]}],
                    "crowds")"),
        ErrorCode::InvalidInput, "clip[1]");
    bad("a negative fade", "\"travels\": false", "\"travels\": false, \"fade\": [0.0, -0.25]",
        "fade[1]");
    bad("a tint above white", "\"tint\": 16777215", "\"tint\": 16777216", "tint");
    bad("an actor at infinity", "\"scale\": 1.0", "\"scale\": 1e39", "scale");
    bad("an object for a list", "\"sources\": [", "\"sources\": {}, \"s\": [", "sources");
    bad("a network path", "\"bar.glb\"", "\"//server/bar.glb\"", "this machine");
    bad("an address", "\"bar.glb\"", "\"http://x/bar.glb\"", "this machine");
    bad("no path", "\"bar.glb\"", "\"\"", "this machine");
    bad("bad UTF-8", "\"Walk\"", "\"W\xC3\x28lk\"", "line");
    row("an encoding of later", replaced(good, "\"layout\": ", R"("encoding": "Q9", "layout": )"),
        ErrorCode::Unsupported, "'Q9'");
    row("a layout of later", replaced(good, "\"rows\"", "\"spiral\""), ErrorCode::Unsupported,
        "'spiral'");
  }
  void rejectsDamage() {
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(QString, says);
    const auto project = ck::projectFromJson(text.toStdString(), "/show");
    QVERIFY(!project.has_value());
    const QString message = QString::fromStdString(project.error().message);
    QVERIFY2(static_cast<int>(project.error().code) == code, qPrintable(message));
    QVERIFY2(message.contains(says), qPrintable(message));
  }

  void rejectsEveryTruncation() {
    Project project = richProject();
    std::vector<ck::Actor> few = project.actors.toVector();
    few.resize(6);
    project.actors = ck::ActorList(few);
    const std::string text = ck::projectToJson(project, "/show");
    // The last two bytes are the closing brace and the end of its line.
    for (std::size_t length = 0; length + 1 < text.size(); ++length) {
      // A buffer of exactly this size lets the sanitizer see a read behind its end.
      const std::vector<char> prefix(text.begin(),
                                     text.begin() + static_cast<std::ptrdiff_t>(length));
      const auto read =
          ck::projectFromJson(std::string_view(prefix.data(), prefix.size()), "/show");
      QVERIFY2(!read.has_value(), qPrintable(QString::number(length)));
    }
  }

  void usualFormationsAreWrittenAsBefore() {
    const std::string text =
        ck::projectToJson(ck::newProjectFor(ck::test::barCharacter(), {}), "/show");
    const std::size_t begins = text.find("\"crowds\": [");
    QVERIFY(begins != std::string::npos);
    const std::string spawn = text.substr(begins, text.find('}', begins) - begins);
    QVERIFY(spawn.find("\"varied\"") != std::string::npos);
    for (const char* key : {"centerMeters", "headingDegrees", "columns", "rings", "path",
                            "pathClosed", "pathRows", "groundProp", "mirrorX", "mirrorZ"}) {
      QVERIFY2(spawn.find('"' + std::string(key) + '"') == std::string::npos, key);
    }
  }

  void anUsualScreenIsNotWritten() {
    const std::string text =
        ck::projectToJson(ck::newProjectFor(ck::test::barCharacter(), {}), "/show");
    QVERIFY(text.find("screen") == std::string::npos);
    QVERIFY(text.find("errorLimits") == std::string::npos);
    const auto read = ck::projectFromJson(text, "/show");
    QVERIFY(read && read->view.screen == ck::ScreenView() &&
            read->errorLimits == ck::ErrorLimits());
  }

  void comesBackTheSame() {
    const Project project = richProject();
    const std::string text = ck::projectToJson(project, "/show/shots");
    const auto read = ck::projectFromJson(text, "/show/shots");
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QVERIFY(*read == project);
    QCOMPARE(ck::projectToJson(*read, "/show/shots"), text);
  }

  // Other programs read these files: neither keys nor their order nor defaults may change.
  void actorsAreWrittenAsEver() {
    std::vector<ck::Actor> actors(2);
    const auto written = [&actors] { return ck::actorsToJson(ck::ActorList(actors)); };
    QCOMPARE(ck::actorsToJson({}), std::string("{\n    \"count\": 0\n  }"));
    QCOMPARE(written(), std::string(R"({
    "count": 2,
    "clip": 0,
    "offset": 0.0,
    "rate": 1.0,
    "position": [0.0,0.0,0.0,0.0,0.0,0.0],
    "rotationDegrees": [0.0,0.0,0.0,0.0,0.0,0.0],
    "scale": 1.0,
    "tint": 16777215,
    "on": true,
    "travels": false,
    "turnRadius": 0.0
  })"));
    actors[1] = richProject().actors[3];
    actors[1].character = 1;
    actors[1].morphs = {{"smile", 0.5f}};
    QCOMPARE(written(), std::string(R"({
    "count": 2,
    "character": [0,1],
    "clip": [0,1],
    "offset": [0.0,0.1],
    "rate": [1.0,-0.33333334],
    "position": [0.0,0.0,0.0,1e-07,-12345.678,300000000.0],
    "rotationDegrees": [0.0,0.0,0.0,0.1,359.99,-720.0],
    "scale": [1.0,1.7],
    "tint": [16777215,662316],
    "on": [true,false],
    "travels": [false,true],
    "turnRadius": [0.0,-2.6],
    "loop": ["clip","ping-pong"],
    "fadeClip": [-1,0],
    "fade": [0.0,0.3],
    "fadeSeconds": [0.0,0.7],
    "fadeAtSeconds": [0.0,-2.1],
    "fadePhase": ["own","synced"],
    "fadeEased": [false,true],
    "mask": [-1,1],
    "group": [-1,1],
    "byHand": [false,true],
    "commands": ["","pause@-0.1 reverse@0.33333334 retrace@0.33333334 restart@1000000000"],
    "morphs": {"smile":[null,0.5]}
  })"));
  }

  // Every bit of a number comes back, and what is none becomes 0.
  void numbersOfActorsKeepTheirBits() {
    std::mt19937 bits(20);
    std::vector<ck::Actor> actors(5000);
    for (ck::Actor& actor : actors) {
      actor.position.x = std::bit_cast<float>(static_cast<std::uint32_t>(bits()));
    }
    actors[0].position.x = std::numeric_limits<float>::quiet_NaN();
    actors[1].position.x = -std::numeric_limits<float>::infinity();
    actors[2].position.x = std::numeric_limits<float>::denorm_min();
    actors[3].position.x = std::numeric_limits<float>::max();
    const auto json =
        QJsonDocument::fromJson(QByteArray::fromStdString(ck::actorsToJson(ck::ActorList(actors))));
    const QJsonArray places = json.object()["position"].toArray();
    QCOMPARE(places.size(), 15'000);
    for (std::size_t i = 0; i < actors.size(); ++i) {
      const float was = actors[i].position.x;
      const auto is = static_cast<float>(places[qsizetype(3 * i)].toDouble(-1.0));
      const float kept = std::isfinite(was) ? was : 0.0f;
      QCOMPARE(std::bit_cast<std::uint32_t>(is), std::bit_cast<std::uint32_t>(kept));
    }
  }

  void pathsAreRelativeAndMoveWithTheFolder() {
    const std::string text = ck::projectToJson(richProject(), "/show/shots");
    QVERIFY(text.find("\"../clips/walk.glb\"") != std::string::npos);
    QVERIFY(text.find("/show") == std::string::npos);
    const auto moved = ck::projectFromJson(text, "/elsewhere/shots");
    QVERIFY(moved.has_value());
    QCOMPARE(moved->characters.front().sources[1].path, std::string("/elsewhere/clips/walk.glb"));
  }

  void numbersAreShort() {
    const std::string text = ck::projectToJson(richProject(), "/show");
    QVERIFY(text.find("0.1,") != std::string::npos);
    QVERIFY(text.find("0.10000000149") == std::string::npos);
  }

  void unknownKeysAndMissingOnesAreNoError() {
    std::string text =
        replaced(smallText(), "\"view\": {", "\"later\": [1, {\"a\": 2}], \"view\": {");
    auto read = ck::projectFromJson(text, "/show");
    QVERIFY(read.has_value());
    read = ck::projectFromJson(R"({"format": "crowdkiln-project", "minReader": 1})", "/show");
    QVERIFY(read.has_value());
    QVERIFY(*read == Project{});
  }

  void writingKeepsABackup() {
    const QTemporaryDir folder;
    const fs::path path = ck::pathFromText(folder.filePath("plaza \xC3\xBC.crowd").toStdString());
    Project project = richProject();
    QVERIFY(ck::writeProjectFile(project, path).has_value());
    const std::string first = readText(path);
    QVERIFY(!fs::exists(path.string() + ".bak"));
    project.playbackSpeed = 2.0;
    QVERIFY(ck::writeProjectFile(project, path).has_value());
    QCOMPARE(readText(path.string() + ".bak"), first);
    const auto read = ck::readProjectFile(path);
    QVERIFY(read.has_value());
    QCOMPARE(read->playbackSpeed, 2.0);
    // Nothing else is left in the folder.
    QCOMPARE(std::distance(fs::directory_iterator(path.parent_path()), {}), 2);
  }

  void failedWriteLeavesTheOldFile() {
    const QTemporaryDir folder;
    const fs::path path = ck::pathFromText(folder.filePath("a.crowd").toStdString());
    QVERIFY(ck::writeProjectFile(Project{}, path).has_value());
    const std::string before = readText(path);
    const auto failed = ck::writeProjectFile(Project{}, path.parent_path() / "gone" / "a.crowd");
    QVERIFY(!failed.has_value());
    QVERIFY(failed.error().code == ErrorCode::CannotWrite);
    QCOMPARE(readText(path), before);
  }

  void fullDiskLeavesTheOldFile() {
    const QTemporaryDir folder;
    const fs::path path = ck::pathFromText(folder.filePath("a.crowd").toStdString());
    QVERIFY(ck::writeProjectFile(richProject(), path).has_value());
    const std::string before = readText(path);
    // A limit on the size of files fails a write half-way, as a full disk does.
    rlimit old = {};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &old), 0);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{before.size() + 100, old.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    Project larger = richProject();
    larger.actors = ck::ActorList(ck::spawnActors({.count = 500}));
    const auto failed = ck::writeProjectFile(larger, path);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &old), 0);
    QVERIFY(!failed.has_value());
    QVERIFY(failed.error().code == ErrorCode::CannotWrite);
    QCOMPARE(readText(path), before);
    // The file and its backup, and nothing half-written.
    QCOMPARE(std::distance(fs::directory_iterator(path.parent_path()), {}), 2);
  }

  void killedWriterLeavesAWholeFile() {
    const QTemporaryDir folder;
    const fs::path path = ck::pathFromText(folder.filePath("a.crowd").toStdString());
    QVERIFY(ck::writeProjectFile(richProject(), path).has_value());
    for (int round = 0; round < 40; ++round) {
      const pid_t writer = fork();
      if (writer == 0) {
        for (int i = 0; i < 1'000'000; ++i) (void)ck::writeProjectFile(richProject(), path);
        _exit(0);
      }
      usleep(static_cast<useconds_t>(500 + 370 * round));
      kill(writer, SIGKILL);
      waitpid(writer, nullptr, 0);
      const auto read = ck::readProjectFile(path);
      QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
      QVERIFY(*read == richProject());
    }
  }

  void readingNamesTheFile() {
    const QTemporaryDir folder;
    const fs::path path = ck::pathFromText(folder.filePath("broken.crowd").toStdString());
    writeText(path, "{\n\n oops");
    const auto read = ck::readProjectFile(path);
    QVERIFY(!read.has_value());
    QVERIFY(read.error().message.find("broken.crowd: line 3") != std::string::npos);
    QVERIFY(ck::readProjectFile(path.parent_path() / "no.crowd").error().code ==
            ErrorCode::FileNotFound);
    QVERIFY(ck::readProjectFile("/dev/zero").error().code == ErrorCode::FileUnreadable);
  }

  void everyVersionEverWrittenStillOpens_data() {
    QTest::addColumn<QString>("file");
    const fs::path folder = fs::path(CK_SOURCE_DIR) / "tests" / "data" / "projects";
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".crowd") continue;
      const QString file = QString::fromStdString(ck::pathText(entry.path()));
      QTest::newRow(qPrintable(file.section('/', -2))) << file;
    }
  }
  void everyVersionEverWrittenStillOpens() {
    QFETCH(QString, file);
    const auto project = ck::readProjectFile(ck::pathFromText(file.toStdString()));
    QVERIFY2(project.has_value(), project ? "" : project.error().message.c_str());
    QCOMPARE(project->characters.front().clips.size(), std::size_t{2});
    QCOMPARE(project->characters.front().clips[1].name, std::string("Twist"));
    QVERIFY(!project->characters.front().clips[1].ticked);
    QCOMPARE(project->actors.size(), std::size_t{4});
    QCOMPARE(project->actors[3].rate, -1.0f / 3.0f);
    QCOMPARE(project->actors[3].tint, 0x0a1b2cu);
    QCOMPARE(project->actors[2].position.x, -0.9f);
    QCOMPARE(project->crowds.front().spawn.seed, ~0ull);
    QVERIFY(project->view.pose.method == ck::Method::Cpu);
    QVERIFY(
        project->characters.front().sources[0].path.ends_with("/rigs/b\xC3\xA4r \xE2\x9C\x93.glb"));
  }
};

CK_TEST(tst_project_json)
#include "tst_project_json.moc"
