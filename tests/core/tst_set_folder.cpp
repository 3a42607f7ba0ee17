#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "core/export/set_folder.h"
#include "tests/support/test_program.h"

namespace {

namespace fs = std::filesystem;

// All files below a folder with their content.
std::map<std::string, std::string> contentOf(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    if (!each.is_regular_file()) continue;
    std::ostringstream text;
    text << std::ifstream(each.path()).rdbuf();
    files[each.path().lexically_relative(folder).string()] = text.str();
  }
  return files;
}

// Without those that exports are preparing.
std::map<std::string, std::string> filesOfSets(const fs::path& folder) {
  auto files = contentOf(folder);
  std::erase_if(files, [](const auto& each) { return each.first.starts_with(".crowdkiln-"); });
  return files;
}

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

const std::vector<fs::path> kNames = {"a.web", "a.png", "a.exr", "a.atlas.json"};
bool isFolder(const fs::path& name) {
  return name == "a.web";
}

// The first set: a folder and two files. The second one has no a.png but a.exr.
void fill(const fs::path& work, int number) {
  const std::string text = "set " + std::to_string(number);
  put(work / "a.web" / "index.html", text);
  put(work / "a.web" / ("only" + std::to_string(number)), text);
  put(work / (number == 1 ? "a.png" : "a.exr"), text);
  put(work / "a.atlas.json", text);
}

}  // namespace

class tst_set_folder : public QObject {
  Q_OBJECT

  // A folder with the first set and a file that belongs to no set.
  static fs::path withFirst(const QTemporaryDir& place) {
    const fs::path folder = fs::path(place.path().toStdString()) / "out";
    put(folder / "b.png", "another set");
    const auto made = ck::SetFolder::open(folder, {});
    fill((*made)->work(), 1);
    if (!(*made)->publish(kNames, isFolder)) return {};
    return folder;
  }

 private slots:
  void aSetIsReplacedAsAWhole() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    {
      const auto made = ck::SetFolder::open(folder, {});
      QVERIFY(made.has_value() && (*made)->notes().empty());
      fill((*made)->work(), 2);
      QVERIFY((*made)->publish(kNames, isFolder).has_value());
    }
    const std::map<std::string, std::string> expected = {{"a.web/index.html", "set 2"},
                                                         {"a.web/only2", "set 2"},
                                                         {"a.exr", "set 2"},
                                                         {"a.atlas.json", "set 2"},
                                                         {"b.png", "another set"}};
    QVERIFY(contentOf(folder) == expected);
  }

  // The process ends without any clean-up before each change in turn, as by kill -9. The next
  // reader or export finds the old set.
  void aKilledExportLeavesOneSetWhole_data() {
    QTest::addColumn<bool>("byReader");
    QTest::newRow("the next export") << false;
    QTest::newRow("the next reader") << true;
  }
  void aKilledExportLeavesOneSetWhole() {
    QFETCH(bool, byReader);
    int steps = 0;
    int restored = 0;
    for (bool finished = false; !finished; ++steps) {
      const QTemporaryDir place;
      const fs::path folder = withFirst(place);
      const auto first = contentOf(folder);
      const pid_t child = ::fork();
      if (child == 0) {
        auto made = ck::SetFolder::open(folder, {});
        fill((*made)->work(), 2);
        int left = steps;
        const auto kill = [&left] {
          if (left-- == 0) ::_exit(9);
        };
        const bool ok = (*made)->publish(kNames, isFolder, kill).has_value();
        ::_exit(ok ? 0 : 1);
      }
      int status = 0;
      QCOMPARE(::waitpid(child, &status, 0), child);
      QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) != 1);
      finished = WEXITSTATUS(status) == 0;
      if (byReader) {
        const auto mended = ck::mendSets(folder);
        QVERIFY(mended.has_value());
        for (const ck::Note& note : *mended) restored += note.code == "ExportRestored" ? 1 : 0;
        if (!finished) QVERIFY(filesOfSets(folder) == first);
      }
      {
        const auto next = ck::SetFolder::open(folder, {});
        QVERIFY(next.has_value());
        QVERIFY((*next)->notes().size() == 1 || byReader);
        for (const ck::Note& note : (*next)->notes()) {
          restored += note.code == "ExportRestored" ? 1 : 0;
        }
      }
      if (!finished) QVERIFY(contentOf(folder) == first);
      if (finished) QVERIFY(contentOf(folder).at("a.exr") == "set 2");
      for (const auto& each : fs::directory_iterator(folder)) {
        QVERIFY(!each.path().filename().string().starts_with(".crowdkiln-"));
      }
    }
    qInfo("%d points of a replacement, %d of them needed the old files back", steps - 1, restored);
    QVERIFY(restored >= 5 && steps > restored);
  }

  // Reading waits for an export that replaces files now, and touches nothing that is being
  // prepared.
  void readersLeaveRunningExportsAlone() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    auto running = ck::SetFolder::open(folder, {});
    fill((*running)->work(), 2);
    QVERIFY(ck::mendSets(folder).value().empty());
    QVERIFY(fs::exists((*running)->work() / "a.exr"));
    std::thread reader;
    std::map<std::string, std::string> seen;
    int steps = 0;
    const auto pause = [&] {
      if (++steps != 5) return;
      reader = std::thread([&] {
        if (ck::mendSets(folder)) seen = filesOfSets(folder);
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    };
    QVERIFY((*running)->publish(kNames, isFolder, pause).has_value());
    running->reset();
    reader.join();
    QVERIFY(seen == contentOf(folder));
    QCOMPARE(seen.at("a.exr"), std::string("set 2"));
  }

  void whatCannotBeMendedIsTold() {
    if (::geteuid() == 0) QSKIP("root may write everywhere");
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    fs::create_directories(folder / ".crowdkiln-abcdef" / "old");
    std::ofstream(folder / ".crowdkiln-abcdef" / "journal") << "oa.png";
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    const auto mended = ck::mendSets(folder);
    fs::permissions(folder, fs::perms::owner_all);
    QVERIFY(!mended.has_value());
    QCOMPARE(mended.error().code, ck::ErrorCode::CannotWrite);
  }

  void aJournalNamesNothingOutside() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    put(fs::path(place.path().toStdString()) / "victim.txt", "mine");
    const std::string journal("n../victim.txt\0n/etc/nothing\0nb.png\0", 36);
    fs::create_directories(folder / ".crowdkiln-abcdef" / "old");
    std::ofstream(folder / ".crowdkiln-abcdef" / "journal", std::ios::binary) << journal;
    QVERIFY(ck::SetFolder::open(folder, {}).has_value());
    QVERIFY(fs::exists(fs::path(place.path().toStdString()) / "victim.txt"));
    QVERIFY(!fs::exists(folder / "b.png"));
  }

  void twoExportsIntoOneFolderTakeTurns() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    auto first = ck::SetFolder::open(folder, {});
    QVERIFY(first.has_value());
    std::stop_source stop;
    ck::JobContext job;
    job.stop = stop.get_token();
    bool waited = false;
    job.report = [&](float, std::string_view) {
      waited = true;
      stop.request_stop();
    };
    const auto stopped = ck::SetFolder::open(folder, job);
    QVERIFY(!stopped.has_value() && stopped.error().code == ck::ErrorCode::Cancelled);
    QVERIFY(waited);
    bool second = false;
    std::thread waiting([&] { second = ck::SetFolder::open(folder, {}).has_value(); });
    first->reset();
    waiting.join();
    QVERIFY(second);
  }
};

CK_TEST(tst_set_folder)
#include "tst_set_folder.moc"
