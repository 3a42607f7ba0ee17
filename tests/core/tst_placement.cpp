#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <cmath>
#include <fstream>
#include <random>

#include "core/base/csv.h"
#include "core/project/actors/placement.h"
#include "core/project/actors_json.h"
#include "core/project/cast_names.h"
#include "core/project/characters.h"
#include "core/system/files.h"
#include "tests/support/hostile_text.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using ck::Actor;
using ck::ActorColumn;
using ck::ActorKind;
using ck::ErrorCode;
using ck::Project;

using ck::test::replaced;

namespace {

// Names that a careless writer would spoil: separators, quotation marks, line ends, formulas,
// apostrophes, names that are there twice and none at all.
Project oddProject() {
  Project project;
  project.characters.front().sources = {{"/show/soldier.glb"}};
  project.characters.front().clips = {{.name = "Walk"},
                                      {.name = "Take, 1", .title = "say \"hi\", twice"},
                                      {.name = "=1+1"},
                                      {.name = "two\r\nlines\n"},
                                      {.name = "'=1"},
                                      {.name = "'tis"},
                                      {.name = "a;=1+1;'b;-c"},
                                      {.name = "Walk"},
                                      {.name = "Walk (2)"},
                                      {.name = ""},
                                      {.name = " blank "},
                                      {.name = "\t@x"},
                                      {.name = "\xEF\xBC\x9D"
                                               "1"}};
  project.characters.push_back({.title = "+doe \xE2\x9C\x93 \xE4\xBA\xBA",
                                .sources = {{"/show/doe.glb"}},
                                .clips = {{.name = "Graze"}, {.name = "Walk"}}});
  project.characters.push_back(
      {.title = "-cub, small", .hiddenMeshes = {"Tail, \"long\""}, .variantOf = 1});
  project.characters.push_back({.title = "nothing", .sources = {{"/show/statue.glb"}}});
  project.masks = {{"@upper", {{"Spine", 0.5f, true}}}, {"both", {}}, {"both", {}}, {"", {}}};
  project.groups = {"=crew", "left, \"far\""};
  project.crowds = {{"Home"}, {"=Away, \"far\""}};
  return project;
}

std::vector<std::string> setsOf(const Project& project) {
  return ck::setNamesOf(project, {{0, "plaza"}, {1, "plaza-doe"}});
}

// A value that is not the default.
double otherValue(const ActorColumn& column, const Project& project, int character, int step) {
  const ck::CastNames cast(project);
  switch (column.kind) {
    case ActorKind::Number:
      return static_cast<double>(0.1f + 0.01f * static_cast<float>(step));
    case ActorKind::Whole:
      return 3;
    case ActorKind::Flag:
      return column.get(Actor{}) != 0.0 ? 0.0 : 1.0;
    case ActorKind::Colour:
      return 0x0a1b2c;
    case ActorKind::Choice:
      return column.range.low + static_cast<double>(column.words.size() - 1);
    default:
      return static_cast<double>(cast.names(column.kind, character).size() - 1);
  }
}

// One actor for every column, which differs from the default there alone (a clip of another
// character comes with it), one that differs everywhere, and one for every clip and mask.
Project fullProject() {
  Project project = oddProject();
  std::vector<Actor> actors(1);
  Actor all;
  int step = 0;
  for (const ActorColumn& column : ck::actorColumns()) {
    Actor one;
    column.set(one, otherValue(column, project, 0, ++step));
    if (one.character == 3) one.character = 1;
    actors.push_back(one);
    column.set(all, otherValue(column, project, all.character, step));
    if (all.character == 3) all.character = 2;
  }
  all.commands = {{-0.5f, ck::PlayAction::Pause},
                  {1.0f / 3.0f, ck::PlayAction::Reverse},
                  {1e9f, ck::PlayAction::Retrace}};
  all.morphs = {{"'quote", -0.25f}, {"=smile, \"wide\"", 1.0f / 3.0f}, {"\xE7\xAC\x91\n2", 16.0f}};
  actors.push_back(all);
  for (std::size_t i = 0; i < project.characters.front().clips.size(); ++i) {
    Actor one;
    one.clip = static_cast<int>(i);
    one.fadeClip = one.clip;
    one.mask = static_cast<int>(i % project.masks.size());
    one.morphs = {{"blink", static_cast<float>(i)}};
    actors.push_back(one);
  }
  Actor still;
  still.character = 3;
  actors.push_back(still);
  Actor far;
  far.position = {1e-7f, -12345.678f, 3.0e8f};
  far.rotationDegrees = {-0.0f, 1e-38f, std::numeric_limits<float>::denorm_min()};
  actors.push_back(far);
  project.actors = ck::ActorList(actors);
  return project;
}

// Two characters and two actors, as a fault needs them.
Project smallProject() {
  Project project;
  project.characters.front().sources = {{"/show/soldier.glb"}};
  project.characters.front().clips = {{.name = "Walk"}, {.name = "Run", .title = "Sprint"}};
  project.characters.push_back(
      {.title = "doe", .sources = {{"/show/doe.glb"}}, .clips = {{.name = "Graze"}}});
  project.masks = {{"upper", {}}};
  project.groups = {"crew"};
  std::vector<Actor> actors(2);
  actors[0].clip = 1;
  actors[1].character = 1;
  project.actors = ck::ActorList(actors);
  return project;
}

QString firstDifference(const ck::ActorList& a, const ck::ActorList& b) {
  if (a.size() != b.size()) return QString("%1 and %2 actors").arg(a.size()).arg(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const ActorColumn& column : ck::actorColumns()) {
      if (column.get(a[i]) == column.get(b[i])) continue;
      return QString("actor %1, %2: %3 and %4")
          .arg(i)
          .arg(QString::fromStdString(std::string(column.key)))
          .arg(column.get(a[i]))
          .arg(column.get(b[i]));
    }
    if (a[i].commands != b[i].commands) return QString("commands of actor %1").arg(i);
    if (a[i].morphs != b[i].morphs) return QString("morphs of actor %1").arg(i);
  }
  return {};
}

}  // namespace

class tst_placement : public QObject {
  Q_OBJECT
 private slots:
  void rejectsDamage_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& text, const char* says,
                        ErrorCode code = ErrorCode::InvalidInput) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << static_cast<int>(code)
                          << QString(says);
    };
    row("an empty file", "", "line 1: the file is empty");
    row("a blank for a header", "\r\n1", "no column ''");
    row("another table", "figure,value\r\n", "line 1: there is no column 'figure'; there are char");
    row("an axis that is none", "position.w\n1\n", "no column 'position.w'");
    row("a list without its axis", "position\n1\n", "no column 'position'");
    row("a morph without a name", "morph:\n1\n", "no column 'morph:'");
    row("a name with a zero byte", std::string("morph:a\0b\n1\n", 12), "the name of column 1");
    row("a column that is there twice", "clip,on,clip\n", "line 1: column 'clip' is there twice");
    row("a cell too few", "clip,on\r\nWalk,1\r\nWalk\r\n", "line 3: there are 1 cells for 2");
    row("a cell too many", "clip,on\r\nWalk,1,1\r\n", "line 2: there are 3 cells for 2");
    row("another character", "character\ncat\n",
        "line 2: column 'character': the project has no character 'cat'; it has 'soldier' and "
        "'doe'");
    row("a clip of another character", "clip,character\nWalk,soldier\nWalk,doe\n",
        "line 3: column 'clip': 'doe' has no clip 'Walk'; it has 'Graze'");
    row("a second clip that is not there", "fadeClip\nJump\n",
        "'soldier' has no clip 'Jump'; it has 'Walk' and 'Sprint'");
    row("a mask that is not there", "mask\nlower\n", "the project has no mask 'lower'");
    row("a group that is not there", "group\nothers\n", "the project has no group 'others'");
    row("a comma in a number", "rate\n\"1,5\"\n", "line 2: column 'rate': '1,5' is not a number");
    row("not a number", "rate\nnan\n", "'nan' is not a number");
    row("an endless number", "rate\n-inf\n", "'-inf' is not a number");
    row("too many digits", "rate\n1e400\n", "'1e400' is not a number");
    row("a number beyond its range", "position.y\n1e10\n", "'1e10' is not a number");
    row("a fade of more than all", "fade\n1.5\n", "is not a number between 0 and 1");
    row("a unit", "scale\n1 m\n", "'1 m' is not a number");
    row("a formula for a number", "scale\n=1+1\n", "'=1+1' is not a number");
    row("yes", "on\nyes\n", "'yes' is neither 1 nor 0");
    row("a name for a colour", "tint\nred\n", "'red' is not a colour");
    row("a short colour", "tint\n#fff\n", "'#fff' is not a colour");
    row("a colour with a sign", "tint\n#-12345\n", "is not a colour");
    row("a colour with a blank", "tint\n# 12345\n", "is not a colour");
    row("another loop mode", "loop\ntwice\n", "none of clip, loop, once and ping-pong");
    row("a weight that is too large", "morph:smile\n17\n", "column 'morph:smile': '17'");
    row("an open quotation mark", "clip\nWalk\n\"Wa\nlk\n\n", "line 3: a quotation mark is not");
    row("text behind a quotation mark", "clip\n\"Walk\"s\n", "line 2: text follows a closing");
    row("a quotation mark within", "clip\nWa\"lk\"\n", "line 2: a quotation mark stands within");
    row("Latin 1", "clip\nWalk\nBl\xFC\n", "line 3: the text is not UTF-8");
    row("a fault below a name of two lines", "clip,morph:two\r\nlines\r\n",
        "line 2: there are 1 cells");
    row("a fault below a quoted name of two lines", "clip,\"morph:two\r\nlines\"\r\nJump,1\r\n",
        "line 3: column 'clip'");
    row("a command without a time", "commands\r\npause\r\n",
        "line 2: column 'commands': 'pause' is not ACTION@SECONDS");
    std::string wide = "on";
    for (int i = 0; i < 10'000; ++i) wide += ",m";
    row("too many columns", wide, "line 1: there are more than 10000", ErrorCode::LimitExceeded);
    std::string many = "on";
    for (int i = 0; i <= ck::kMostActors; ++i) many += "\n1";
    row("too many actors", many, "more than 1000000 actors", ErrorCode::LimitExceeded);

    const Project project = smallProject();
    const std::string good = ck::placementJson(project, setsOf(project));
    const auto bad = [&](const char* name, std::string_view from, std::string_view to,
                         const char* says, ErrorCode code = ErrorCode::InvalidInput) {
      row(name, replaced(good, from, to), says, code);
    };
    row("half a file", good.substr(0, good.size() / 2), "the file ends too early");
    row("no key", "{\n\"format\" 1}", "line 2, column 10");
    row("depth 100,000", "{\"a\": " + std::string(100'000, '['), "64", ErrorCode::LimitExceeded);
    bad("a project", "crowdkiln-actors", "crowdkiln-project", "this is not a file of actors");
    bad("a later version", "\"version\": 1", "\"version\": 2", "version 2", ErrorCode::Unsupported);
    bad("no version", "\"version\": 1", "\"v\": 1", "'version' is missing");
    bad("no characters", "\"characters\":", "\"c\":", "characters is no list of");
    bad("characters of another kind", "\"characters\": [", "\"characters\": 1, \"c\": [",
        "characters is not a list");
    bad("clips of another kind", "[\"Graze\"]", "[1]", "characters.clips is not a list of names");
    bad("no actors", "\"actors\":", "\"a\":", "actors.count is missing");
    bad("no count", "\"count\": 2", "\"c\": 2", "actors.count is missing");
    bad("2^32 actors", "\"count\": 2", "\"count\": 4294967298", "actors.count");
    bad("three actors", "\"count\": 2", "\"count\": 3", "2 entries for 3 actors");
    bad("another property", "\"on\": true", "\"on\": true, \"colour\": 3",
        "actors.colour is no property");
    bad("a clip that is not listed", "\"clip\": [1,0]", "\"clip\": [1,7]", "actors.clip[1]");
    bad("a mask that is not listed", "\"on\": true", "\"on\": true, \"mask\": 1", "mask[0]");
    bad("a name that the project lacks", "\"Sprint\"", "\"Jump\"",
        "actors.clip[0]: 'soldier' has no clip 'Jump'; it has 'Walk' and 'Sprint'");
    bad("a character that the project lacks", "\"doe\"", "\"cat\"",
        "actors.character[1]: the project has no character 'cat'");
    bad("a doubled key", "\"on\": true", "\"on\": true, \"on\": true", "'on' is there twice");
    bad("a command of no time", "\"on\": true", "\"on\": true, \"commands\": \"pause\"",
        "actors.commands[0] 'pause' is not ACTION@SECONDS");
    bad("a weight of text", "\"on\": true", "\"on\": true, \"morphs\": {\"smile\": \"all\"}",
        "actors.morphs.smile[0]");
  }
  void rejectsDamage() {
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(QString, says);
    const auto actors = ck::placementFromText(text.toStdString(), smallProject());
    QVERIFY(!actors.has_value());
    const QString message = QString::fromStdString(actors.error().message);
    QVERIFY2(static_cast<int>(actors.error().code) == code, qPrintable(message));
    QVERIFY2(message.contains(says), qPrintable(message));
  }

  // Either actors that a project file may have, or a sentence.
  void rejectsOrReadsWhateverIsSpoiled() {
    Project project = smallProject();
    std::vector<Actor> actors = project.actors.toVector();
    actors[0].morphs = {{"=smile, \"wide\"", 0.5f}};
    actors[0].commands = {{1.5f, ck::PlayAction::Pause}, {3.0f, ck::PlayAction::Retrace}};
    actors[1].mask = 0;
    project.actors = ck::ActorList(actors);
    const auto sets = setsOf(project);
    int read = 0, refused = 0;
    for (const std::string& text :
         {ck::placementJson(project, sets), ck::placementCsv(project, sets)}) {
      ck::test::forEachSpoiled(text, 3, 3000, [&](const std::string& spoiled, const std::string&) {
        // A buffer of exactly this size lets the sanitizer see a read behind its end.
        const std::vector<char> bytes(spoiled.begin(), spoiled.end());
        const auto result =
            ck::placementFromText(std::string_view(bytes.data(), bytes.size()), project);
        if (!result) {
          QVERIFY(!result.error().message.empty());
          ++refused;
          return;
        }
        ++read;
        Project with = project;
        with.actors = *result;
        const std::string again = ck::placementCsv(with, sets);
        const auto same = ck::placementFromText(again, project);
        QVERIFY2(same && *same == *result, again.c_str());
      });
    }
    QVERIFY2(read > 20, qPrintable(QString::number(read)));
    QVERIFY(refused > 100);
  }

  // Every column differs from its default in some actor, so none can be left out.
  void everythingComesBack() {
    const Project project = fullProject();
    for (const ActorColumn& column : ck::actorColumns()) {
      bool differs = false;
      for (std::size_t i = 0; i < project.actors.size(); ++i) {
        differs = differs || column.get(project.actors[i]) != column.get(Actor{});
      }
      QVERIFY2(differs, std::string(column.key).c_str());
    }
    const auto sets = setsOf(project);
    for (const std::string& text :
         {ck::placementJson(project, sets), ck::placementCsv(project, sets)}) {
      const auto read = ck::placementFromText(text, project);
      QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
      const QString difference = firstDifference(*read, project.actors);
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
      QVERIFY(*read == project.actors);
    }
  }

  // The names count, not the numbers.
  void anotherOrderOfCharactersAndClipsIsFollowed() {
    Project project = smallProject();
    Project other;
    other.characters.front().sources = {{"/elsewhere/doe.glb"}};
    other.characters.front().clips = {{.name = "Rest"}, {.name = "Graze"}};
    other.characters.push_back({.title = "soldier",
                                .sources = {{"/elsewhere/a.glb"}},
                                .clips = {{.name = "Run"}, {.name = "Sprint"}, {.name = "Walk"}}});
    const auto sets = setsOf(project);
    for (const std::string& text :
         {ck::placementJson(project, sets), ck::placementCsv(project, sets)}) {
      const auto read = ck::placementFromText(text, other);
      QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
      QCOMPARE((*read)[0].character, 1);
      QCOMPARE((*read)[0].clip, 1);
      QCOMPARE((*read)[1].character, 0);
      QCOMPARE((*read)[1].clip, 1);
    }
    // By the name in the rig's file where the title is another.
    const auto named = ck::placementFromText("clip\nRun\nSprint\n", project);
    QVERIFY(named && (*named)[0].clip == 1 && (*named)[1].clip == 1);
  }

  void theTableIsWrittenAsEver() {
    Project project = smallProject();
    std::vector<Actor> actors = project.actors.toVector();
    actors[0].position = {1.5f, 1e-7f, -3.0e8f};
    actors[0].morphs = {{"smile", 0.1f}};
    actors[1].tint = 0x0a1b2c;
    actors[1].mask = 0;
    actors[1].on = false;
    project.actors = ck::ActorList(actors);
    QCOMPARE(
        ck::placementCsv(project, setsOf(project)),
        std::string(
            "character,clip,offset,rate,position.x,position.y,position.z,rotationDegrees.x,"
            "rotationDegrees.y,rotationDegrees.z,scale,tint,on,travels,turnRadius,loop,fadeClip,"
            "fade,fadeSeconds,fadeAtSeconds,fadePhase,fadeEased,mask,group,crowd,byHand,set,morph:"
            "smile\r\n"
            "soldier,Sprint,0,1,1.5,0.0000001,-300000000,0,0,0,1,#ffffff,1,0,0,clip,,0,0,0,own,0,"
            ",,Crowd,0,plaza,0.1\r\n"
            "doe,Graze,0,1,0,0,0,0,0,0,1,#0a1b2c,0,0,0,clip,,0,0,0,own,0,upper,,Crowd,0,plaza-doe,"
            "\r\n"));
  }

  void theListNamesSetsClipsAndMeshes() {
    Project project = smallProject();
    project.characters.push_back({.title = "cub", .hiddenMeshes = {"Tail"}, .variantOf = 1});
    const std::string text = ck::placementJson(project, setsOf(project));
    const char* expected = R"("characters": [
    {"title": "soldier", "set": "plaza", "clips": ["Walk","Sprint"], "hiddenMeshes": []},
    {"title": "doe", "set": "plaza-doe", "clips": ["Graze"], "hiddenMeshes": []},
    {"title": "cub", "set": "plaza-doe", "clips": ["Graze"], "hiddenMeshes": ["Tail"]}
  ],)";
    QVERIFY2(text.find(expected) != std::string::npos, text.c_str());
    QVERIFY2(text.find("\"actors\": {\n    \"count\": 2,\n") != std::string::npos, text.c_str());
  }

  // The changes that spreadsheets and scripts make to a table.
  void missingColumnsBlankLinesAndLineEndsAreNoError() {
    const Project project = smallProject();
    const char* text = "\xEF\xBB\xBFscale,clip,position.z,set\n2,Sprint, 1e-1 ,other\n\n,,,\n";
    for (const char* lineEnd : {"\n", "\r\n", "\r"}) {
      const auto read = ck::placementFromText(ck::test::withLineEnds(text, lineEnd), project);
      QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
      QCOMPARE(read->size(), std::size_t{2});
      Actor first;
      first.scale = 2.0f;
      first.clip = 1;
      first.position.z = 0.1f;
      QVERIFY((*read)[0] == first);
      QVERIFY((*read)[1] == Actor{});
    }
    const auto none = ck::placementFromText("clip", project);
    QVERIFY(none && none->size() == 0);
  }

  // A new property of actors is in both files without a line for it.
  void aNewColumnIsInBothFiles() {
    std::vector<ActorColumn> columns(ck::actorColumns().begin(), ck::actorColumns().end());
    std::erase_if(columns, [](const ActorColumn& column) { return column.key == "offset"; });
    columns.push_back({.key = "lane",
                       .kind = ActorKind::Whole,
                       .title = "Lane",
                       .tip = "Number of a lane",
                       .get = [](const Actor& actor) { return double(actor.offset); },
                       .set = [](Actor& actor, double value) { actor.offset = float(value); }});
    Project project = smallProject();
    Actor actor = project.actors[1];
    actor.offset = -7.0f;
    project.actors.set(1, actor);
    const auto sets = setsOf(project);
    for (const std::string& text :
         {ck::placementJson(project, sets, columns), ck::placementCsv(project, sets, columns)}) {
      QVERIFY(text.find("lane") != std::string::npos);
      const auto read = ck::placementFromText(text, project, columns);
      QVERIFY2(read && *read == project.actors, read ? "" : read.error().message.c_str());
      QVERIFY(!ck::placementFromText(text, project).has_value());
    }
    QVERIFY(!ck::placementFromText("lane\n1.5\n", project, columns).has_value());
  }

  // The same bits, whatever the number.
  void numbersKeepEveryDigit() {
    Project project = smallProject();
    std::mt19937 random(5);
    std::vector<Actor> actors;
    while (actors.size() < 20'000) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      if (!(std::abs(value) <= 1e9f)) continue;
      actors.emplace_back().position.x = value;
    }
    project.actors = ck::ActorList(actors);
    const auto sets = setsOf(project);
    const std::string csv = ck::placementCsv(project, sets);
    QVERIFY(csv.find("e-") == std::string::npos && csv.find("e+") == std::string::npos);
    for (const std::string& text : {csv, ck::placementJson(project, sets)}) {
      const auto read = ck::placementFromText(text, project);
      QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
      for (std::size_t i = 0; i < actors.size(); ++i) {
        QCOMPARE(std::bit_cast<std::uint32_t>((*read)[i].position.x),
                 std::bit_cast<std::uint32_t>(actors[i].position.x));
      }
    }
  }

  void formulasAreDisarmed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("safe");
    for (const auto& [text, safe] : std::initializer_list<std::pair<const char*, const char*>>{
             {"", ""},
             {"Walk", "Walk"},
             {"a=b-c@d'e", "a=b-c@d'e"},
             {"=1", "'=1"},
             {"+1", "'+1"},
             {"-1", "'-1"},
             {"@a", "'@a"},
             {"\ta", "'\ta"},
             {"\ra", "'\ra"},
             {"\na", "'\na"},
             {"'tis", "''tis"},
             {"'=1", "''=1"},
             {"''", "'''"},
             {"a;=1", "a;'=1"},
             {"a;'=1;b", "a;''=1;b"},
             {"a\r\n=1", "a\r'\n'=1"},
             {"\t=1", "'\t'=1"},
             {"\xEF\xBC\x9D", "'\xEF\xBC\x9D"}}) {
      QTest::newRow(qPrintable(QByteArray(text).toPercentEncoding()))
          << QByteArray(text) << QByteArray(safe);
    }
  }
  void formulasAreDisarmed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, safe);
    QCOMPARE(QByteArray::fromStdString(ck::formulaSafe(text.toStdString())), safe);
    QCOMPARE(QByteArray::fromStdString(ck::textOfFormulaSafe(safe.toStdString())), text);
  }

  // All texts of up to six of the characters that matter.
  void disarmingCanAlwaysBeUndone() {
    const std::string letters = "='a;\t\n";
    std::vector<std::string> texts = {""};
    for (std::size_t i = 0; i < texts.size() && texts[i].size() < 6; ++i) {
      const std::string text = texts[i];
      for (const char c : letters) texts.push_back(text + c);
    }
    QCOMPARE(texts.size(), std::size_t{55'987});  // 6^0 + ... + 6^6
    for (const std::string& text : texts) {
      const std::string safe = ck::formulaSafe(text);
      QVERIFY2(ck::textOfFormulaSafe(safe) == text, text.c_str());
      const std::string armed = "=+-@\t\r\n";
      QVERIFY(safe.empty() || armed.find(safe.front()) == std::string::npos);
      for (const std::string start : {";=", "\t=", "\n=", ";\t"}) {
        QVERIFY2(safe.find(start) == std::string::npos, text.c_str());
      }
    }
  }

  // A cell without the apostrophe that exports put in front is read as it stands.
  void otherApostrophesAreKept() {
    QCOMPARE(ck::textOfFormulaSafe("'tis"), std::string("'tis"));
    QCOMPARE(ck::textOfFormulaSafe("'"), std::string("'"));
  }

  void filesAreWrittenAndReadAgain() {
    const QTemporaryDir folder;
    const fs::path path = ck::pathFromText(folder.path().toStdString());
    const Project project = fullProject();
    const auto made = ck::placementFiles(project, ck::setNamesOf(project, {{0, "plaza \xC3\xBC"}}));
    QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
    QCOMPARE(made->size(), std::size_t{2});
    for (const ck::SceneFile& file : *made) {
      const std::string name = "plaza \xC3\xBC" + std::string(file.ending);
      QVERIFY(ck::isPlacementPath(name));
      QVERIFY(ck::writeFileAtomically(path / ck::pathFromText(name),
                                      std::as_bytes(std::span(file.text))));
      const auto read = ck::readPlacement(path / ck::pathFromText(name), project);
      QVERIFY(read && *read == project.actors);
    }
    const ck::SceneFile& json = made->front();
    QCOMPARE(json.text.substr(json.setIdAt, ck::kNoSetId.size()), std::string(ck::kNoSetId));
    QCOMPARE(made->back().setIdAt, std::string::npos);
    const fs::path bad = path / "bad.csv";
    std::ofstream(bad) << "clip\nJump\n";
    const auto refused = ck::readPlacement(bad, project);
    QVERIFY(!refused && refused.error().file == ck::pathText(bad));
    QVERIFY(refused.error().message.find("bad.csv: line 2") != std::string::npos);
    const auto missing = ck::readPlacement(path / "no.csv", project);
    QVERIFY(!missing && missing.error().code == ErrorCode::FileNotFound);
  }

  void pathsOfActorsAreTold() {
    QVERIFY(ck::isPlacementPath("/a/b.actors.json"));
    QVERIFY(ck::isPlacementPath("B.ACTORS.JSON"));
    QVERIFY(ck::isPlacementPath("b.csv"));
    QVERIFY(!ck::isPlacementPath("b.json"));
    QVERIFY(!ck::isPlacementPath("b.csv.crowd"));
  }
};

CK_TEST(tst_placement)
#include "tst_placement.moc"
