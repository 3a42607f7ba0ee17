#include <QRegularExpression>
#include <QTest>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/json_text.h"
#include "core/crowd/crowd.h"
#include "core/project/project_json.h"
#include "core/stage/pipeline.h"
#include "tests/support/hostile_text.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::Project;
using ck::test::replaced;

namespace {

Project barProject() {
  return ck::newProjectFor(ck::test::barCharacter(), {{"/show/rigs/b\xC3\xA4r \xE2\x9C\x93.glb"}});
}

}  // namespace

// Large projects are read by other code than small ones, with the same results.
class tst_large_project : public QObject {
  Q_OBJECT

 private slots:
  // The quick parser gives what the strict one gives, or nothing.
  void bothParsersAgree() {
    const std::string whole = ck::projectToJson(barProject(), "/show");
    const auto quick = ck::parseJsonQuickly(whole);
    const auto strict = ck::parseJsonStrictly(whole);
    QVERIFY(quick && strict);
    QVERIFY(*quick == *strict);
    const auto isAlike = [](const std::string& text) {
      const auto one = ck::parseJsonQuickly(text);
      if (!one) return true;
      const auto other = ck::parseJsonStrictly(text);
      return other && other->dump() == one->dump();
    };
    for (const char* text : {"{} {}",
                             "{}}",
                             "[1,]",
                             "[1 2]",
                             "{\"a\":1,}",
                             "{\"a\" 1}",
                             "{\"a\":1,\"a\":2}",
                             "[01]",
                             "[1.]",
                             "[.5]",
                             "[+1]",
                             "[-]",
                             "[-0]",
                             "[-0.0]",
                             "[1e999]",
                             "[1e-999]",
                             "[18446744073709551615]",
                             "[18446744073709551616]",
                             "[-9223372036854775808]",
                             "[-9223372036854775809]",
                             "[tru]",
                             "[truex]",
                             "[nulll]",
                             "[null,true,false]",
                             "[\"\x01\"]",
                             "[\"\xff\"]",
                             "[\"\\ud800\"]",
                             "[\"\\ud83d\\ude00\"]",
                             "[\"\\u0000\"]",
                             "\xef\xbb\xbf{}",
                             "",
                             " ",
                             "1",
                             "[1]]",
                             "[[1]",
                             "[1,2",
                             "{\"a\":[1,2}",
                             "[1]\n//",
                             "[0.1,1e2,12345678901234567890123]",
                             "['a']",
                             "{a:1}"}) {
      QVERIFY2(isAlike(text), text);
    }
    for (const std::size_t depth : {64, 65, 70}) {
      const std::string deep = std::string(depth, '[') + std::string(depth, ']');
      QVERIFY(isAlike(deep));
      QCOMPARE(ck::parseJsonQuickly(deep).has_value(), depth <= 64);
    }
    std::mt19937 random(20);
    for (int i = 0; i < 3000; ++i) {
      std::string text = whole;
      for (int change = 0; change < 1 + i % 3; ++change) {
        const std::size_t at = random() % text.size();
        const char put = "{}[],:\"\\01-.e \x00tn"[random() % 18];
        if (random() % 3 == 0) {
          text.erase(at, 1);
        } else {
          text.insert(at, 1, put);
        }
      }
      QVERIFY2(isAlike(text), text.c_str());
    }
  }

  // Chunks of actors are read by several threads; what is told is still the first thing wrong.
  void theFirstWrongEntryOfManyIsTold() {
    Project project = barProject();
    std::vector<ck::Actor> actors(20000);
    for (std::size_t i = 0; i < actors.size(); ++i) actors[i].rate = 1.0f + float(i % 7);
    actors[15000].rate = 111.0f;
    actors[17000].offset = 0.8125f;
    project.actors = ck::ActorList(actors);
    const std::string text = ck::projectToJson(project, "/show");
    const auto read = ck::projectFromJson(text, "/show");
    QVERIFY(read.has_value());
    QVERIFY(read->actors == project.actors);
    const std::string wrong = replaced(replaced(text, "0.8125", "\"x\""), "111.0", "true");
    const auto refused = ck::projectFromJson(wrong, "/show");
    QVERIFY(!refused.has_value());
    QVERIFY2(refused.error().message.find("offset[17000]") != std::string::npos,
             refused.error().message.c_str());
  }

  void actorsThatShareValuesHaveThemOnce() {
    constexpr std::size_t kCount = 50'000;
    Project project = barProject();
    project.actors = ck::ActorList(std::vector<ck::Actor>(kCount));
    auto json = nlohmann::json::parse(ck::projectToJson(project, "/show"));
    json["actors"]["commands"] = "pause@1 play@2";
    for (int i = 0; i < 50; ++i) json["actors"]["morphs"]["m" + std::to_string(i)] = 0.5;
    const auto read = ck::projectFromJson(json.dump(), "/show");
    QVERIFY(read.has_value());
    const ck::Actor& first = read->actors[0];
    const ck::Actor& last = read->actors[kCount - 1];
    QCOMPARE(first.commands.size(), std::size_t{2});
    QCOMPARE(first.morphs.size(), std::size_t{50});
    QVERIFY(first.commands.shares(last.commands) && first.morphs.shares(last.morphs));
    const std::vector<ck::CrowdClip> clips(1);
    const ck::Crowd crowd(read->actors.toVector(), clips);
    QCOMPARE(crowd.morphsOf(0).data(), crowd.morphsOf(kCount - 1).data());
    QCOMPARE(crowd.commandsOf(0).data(), crowd.commandsOf(kCount - 1).data());
    // An edit concerns one actor alone, and the file says so.
    Project edited = *read;
    ck::Actor other = last;
    ck::setMorph(other, "m7", 0.25f);
    other.commands.clear();
    edited.actors.set(kCount - 1, other);
    QVERIFY(ck::morphOf(first, "m7") == 0.5f);
    const auto again = ck::projectFromJson(ck::projectToJson(edited, "/show"), "/show");
    QVERIFY(again.has_value());
    QVERIFY(again->actors == edited.actors);
    QVERIFY(!(again->actors == read->actors));
  }

  void rejectsMoreBytesThanThereAreBeforeTheyAreTaken() {
    Project project = barProject();
    project.actors = ck::ActorList(std::vector<ck::Actor>(20'000));
    auto json = nlohmann::json::parse(ck::projectToJson(project, "/show"));
    auto& morphs = json["actors"]["morphs"];
    morphs[std::string(100'000, 'n')] = 0.5;
    for (int i = 0; i < 20'000; ++i) morphs["other"].push_back(i % 2);
    const auto refused = ck::projectFromJson(json.dump(), "/show");
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, ck::ErrorCode::LimitExceeded);
    const QString said = QString::fromStdString(refused.error().message);
    const auto numbers = said.split(' ').filter(QRegularExpression("^[0-9]{10,}$"));
    QCOMPARE(numbers.size(), 2);  // the bytes that are requested, and the limit
    QVERIFY2(numbers[0].toLongLong() > numbers[1].toLongLong(), qPrintable(said));
  }
};

CK_TEST(tst_large_project)
#include "tst_large_project.moc"
