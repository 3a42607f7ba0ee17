#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <thread>

#include "core/export/writer/folder_lock.h"
#include "core/export/writer/process_mark.h"
#include "core/export/writer/set_folder.h"
#include "core/export/writer/set_journal.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"

namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

// All files and links below a folder with their content.
Files contentOf(const fs::path& folder) {
  Files files;
  for (const auto& each : fs::recursive_directory_iterator(folder)) {
    const std::string name = each.path().lexically_relative(folder).string();
    if (each.is_symlink()) {
      files[name] = "-> " + fs::read_symlink(each.path()).string();
    } else if (each.is_regular_file()) {
      std::ostringstream text;
      text << std::ifstream(each.path()).rdbuf();
      files[name] = text.str();
    }
  }
  return files;
}

// Without those that exports are preparing.
Files filesOfSets(const fs::path& folder) {
  Files files = contentOf(folder);
  std::erase_if(files, [](const auto& each) { return each.first.starts_with(".crowdkiln-"); });
  return files;
}

bool hasLeftovers(const fs::path& folder) {
  for (const auto& each : fs::directory_iterator(folder)) {
    if (each.path().filename().string().starts_with(".crowdkiln-")) return true;
  }
  return false;
}

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

const std::vector<ck::SetChange> kChanges = {
    {"a.web", true}, {"a.png"}, {"a.exr"}, {"a.atlas.json"}};

bool isSetName(std::string_view name) {
  return name.starts_with("a.");
}

// The first set: a folder and two files. The second one has no a.png but a.exr.
void fill(const fs::path& work, int number) {
  const std::string text = "set " + std::to_string(number);
  put(work / "a.web" / "index.html", text);
  put(work / "a.web" / ("only" + std::to_string(number)), text);
  put(work / (number == 1 ? "a.png" : "a.exr"), text);
  put(work / "a.atlas.json", text);
}

const Files kSecond = {{"a.web/index.html", "set 2"},
                       {"a.web/only2", "set 2"},
                       {"a.exr", "set 2"},
                       {"a.atlas.json", "set 2"},
                       {"b.png", "another set"}};

// Replaces the set by the one of that number, and gives the notes, or "failed".
std::string publish(const fs::path& folder, int number, const std::function<void()>& step = {}) {
  const auto made = ck::SetFolder::open(folder, isSetName);
  if (!made) return "failed";
  fill((*made)->work(), number);
  if (!(*made)->lock({}) || !(*made)->publish(kChanges, step)) return "failed";
  std::string notes;
  for (const ck::Note& note : (*made)->notes()) notes += note.code + " ";
  return notes;
}

// Runs a function in a process that ends without any clean-up at that step, as by kill -9. Whether
// it came to its end before.
bool endsBeforeStep(int step, const std::function<void(const std::function<void()>&)>& run) {
  const pid_t child = ::fork();
  if (child == 0) {
    int left = step;
    run([&left] {
      if (left-- == 0) ::_exit(9);
    });
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The mark of a process that has ended.
ck::ProcessMark endedProcess() {
  ck::ProcessMark mark = ck::markOfThisProcess();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  mark.pid = child;
  return mark;
}

// A work folder as an interrupted export of `mark` leaves it, with a journal.
fs::path plant(const fs::path& folder, const ck::ProcessMark& mark, const std::string& journal,
               const std::string& letters = "abcdef") {
  const fs::path work = folder / (".crowdkiln-" + ck::markText(mark) + "-" + letters);
  fs::create_directories(work / "old");
  fs::permissions(work, fs::perms::owner_all);
  if (!journal.empty()) put(work / "journal", journal);
  return work;
}

ck::FolderIdentity identityAt(const fs::path& folder) {
  std::error_code failed;
  return ck::identityOf(ck::FolderHandle::open(folder, failed));
}

std::uint64_t inodeAt(const fs::path& path) {
  struct stat found = {};
  return ::lstat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

}  // namespace

class tst_set_folder : public QObject {
  Q_OBJECT

  // A folder with the first set and a file that belongs to no set.
  static fs::path withFirst(const QTemporaryDir& place) {
    const fs::path folder = fs::path(place.path().toStdString()) / "out";
    put(folder / "b.png", "another set");
    return publish(folder, 1).empty() ? folder : fs::path();
  }

 private slots:
  void aSetIsReplacedAsAWhole() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    QCOMPARE(publish(folder, 2), std::string());
    QVERIFY(contentOf(folder) == kSecond);
  }

  // The process ends before each change in turn. Readers change nothing; the next export finds the
  // old set.
  void aKilledExportLeavesOneSetWhole() {
    int steps = 0;
    int restored = 0;
    for (bool finished = false; !finished; ++steps) {
      const QTemporaryDir place;
      const fs::path folder = withFirst(place);
      const Files first = contentOf(folder);
      finished = endsBeforeStep(steps, [&](const auto& step) { publish(folder, 2, step); });
      const Files left = contentOf(folder);
      const bool isWhole = filesOfSets(folder) == (finished ? kSecond : first);
      QVERIFY(isWhole || ck::wasInterrupted(folder));
      QVERIFY(contentOf(folder) == left);
      {
        const auto next = ck::SetFolder::open(folder, isSetName);
        QVERIFY(next && (*next)->lock({}));
        QCOMPARE((*next)->notes().size(), std::size_t(finished ? 0 : 1));
        for (const ck::Note& note : (*next)->notes()) {
          restored += note.code == "ExportRestored" ? 1 : 0;
        }
        QVERIFY(filesOfSets(folder) == (finished ? kSecond : first));
      }
      QVERIFY(!hasLeftovers(folder));
      QVERIFY(!ck::wasInterrupted(folder));
    }
    qInfo("%d points of a replacement, %d of them needed the old files back", steps - 1, restored);
    QVERIFY(restored >= 5 && steps > restored);
  }

  // A file that another program has put in place of a new one since is newer than both.
  void aRestoredSetKeepsWhatOthersWroteSince() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    for (int step = 0; !fs::exists(folder / "a.exr"); ++step) {
      const bool finished =
          endsBeforeStep(step, [&](const auto& each) { publish(folder, 2, each); });
      QVERIFY(!finished);
    }
    fs::remove(folder / "a.exr");
    put(folder / "other", "by hand");
    fs::rename(folder / "other", folder / "a.exr");
    QCOMPARE(publish(folder, 1), std::string("ExportRestored "));
    QCOMPARE(contentOf(folder).count("a.exr"), std::size_t{0});  // the next set has none
  }

  // Links at names of a set are replaced, and nothing is written through them.
  void linksAreNeverFollowed() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    const fs::path outside = fs::path(place.path().toStdString()) / "outside";
    put(outside / "file", "mine");
    for (const ck::SetChange& change : kChanges) {
      fs::remove_all(folder / change.name);
      fs::create_symlink(change.isFolder ? outside : outside / "file", folder / change.name);
    }
    const Files before = contentOf(outside);
    QVERIFY(!endsBeforeStep(9, [&](const auto& step) { publish(folder, 2, step); }));
    QVERIFY(contentOf(outside) == before);
    QCOMPARE(publish(folder, 2), std::string("ExportRestored "));
    QVERIFY(contentOf(outside) == before);
    QVERIFY(contentOf(folder) == kSecond);
  }

  // Whatever a stranger's folder holds under names of ours, neither a reader nor an export touches
  // what is not ours.
  void plantedFoldersAreLeftAlone_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"user's own", "old journal", "no seal", "another folder's seal",
                             "readable by others", "a link", "running", "elsewhere"}) {
      QTest::newRow(what) << what;
    }
  }
  void plantedFoldersAreLeftAlone() {
    QFETCH(QString, what);
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    const fs::path outside = fs::path(place.path().toStdString()) / "outside";
    put(outside / "a.png", "mine");
    ck::SetJournal journal{.entries = {{"a.png", false, inodeAt(folder / "a.png")},
                                       {"a.atlas.json", false, inodeAt(folder / "a.atlas.json")}}};
    ck::ProcessMark mark = endedProcess();
    if (what == "running") mark = ck::markOfThisProcess();
    if (what == "elsewhere") mark.boot ^= 2, mark.machine ^= 2;
    fs::path work;
    if (what == "user's own") {
      put(folder / ".crowdkiln-backup" / "letter", "mine");
      put(folder / ".crowdkiln-backup" / "journal", "na.png");
    } else if (what == "a link") {
      work = folder / (".crowdkiln-" + ck::markText(mark) + "-abcdef");
      fs::create_symlink(outside, work);
    } else {
      work = plant(folder, mark, "x");
      journal.folder = identityAt(what == "another folder's seal" ? outside : folder);
      journal.work = identityAt(work);
      std::string text = ck::journalText(journal);
      if (what == "old journal") text = std::string("na.png\0z..\0", 12);
      if (what == "no seal") text.replace(text.rfind("\"seal\""), 12, "\"seal\": \"000");
      put(work / "journal", text);
      if (what == "readable by others") fs::permissions(work, fs::perms(0755));
    }
    const Files before = contentOf(folder);
    ck::wasInterrupted(folder);
    QVERIFY(contentOf(folder) == before);
    QCOMPARE(publish(folder, 1), std::string());
    QVERIFY(contentOf(folder) == before);
    QVERIFY(contentOf(outside).at("a.png") == "mine");
  }

  // The same journal with all that makes it ours is acted on, so that the rows above are not left
  // alone for another reason.
  void sealedFoldersAreMended() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    const fs::path work = plant(folder, endedProcess(), "x");
    put(folder / "a.exr", "half");
    const ck::SetJournal journal{.folder = identityAt(folder),
                                 .work = identityAt(work),
                                 .entries = {{"a.exr", false, inodeAt(folder / "a.exr")},
                                             {"b.png", false, inodeAt(folder / "b.png")}}};
    put(work / "journal", ck::journalText(journal));
    QVERIFY(ck::wasInterrupted(folder));
    const auto next = ck::SetFolder::open(folder, isSetName);
    QVERIFY(next && (*next)->lock({}));
    QVERIFY(!fs::exists(folder / "a.exr"));
    // No set can have this name, whatever the journal says.
    QVERIFY(fs::exists(folder / "b.png"));
  }

  void journalsReadBackAndRefuseDamage() {
    const ck::SetJournal journal{.folder = {12, 345},
                                 .work = {67, 89},
                                 .entries = {{"a.png", true, 5}, {"\u00e4.exr", false, 0}}};
    const std::string text = ck::journalText(journal);
    const auto read = ck::journalFromText(text);
    QVERIFY2(read && *read == journal, read ? "" : read.error().message.c_str());
    for (std::size_t i = 0; i < text.size(); ++i) {
      QVERIFY(!ck::journalFromText(text.substr(0, i)));
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] == '1' ? '2' : '1');
      QVERIFY(!ck::journalFromText(changed));
    }
  }

  void journalsNameNothingOutside_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("above") << QByteArray("..");
    QTest::newRow("the folder") << QByteArray(".");
    QTest::newRow("below") << QByteArray("a/b");
    QTest::newRow("absolute") << QByteArray("/etc/passwd");
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("a zero") << QByteArray("..\0a", 4);
    QTest::newRow("hidden") << QByteArray(".bashrc");
  }
  void journalsNameNothingOutside() {
    QFETCH(QByteArray, name);
    const ck::SetJournal journal{.entries = {{name.toStdString(), false, 7}}};
    QVERIFY(!ck::journalFromText(ck::journalText(journal)));
  }

  void exportsIntoOneFolderTakeTurns() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    auto first = ck::SetFolder::open(folder, isSetName);
    auto second = ck::SetFolder::open(folder, isSetName);
    QVERIFY(first && second);
    fill((*first)->work(), 1);
    fill((*second)->work(), 2);
    QVERIFY((*first)->lock({}));
    std::stop_source stop;
    ck::JobContext job;
    job.stop = stop.get_token();
    job.report = [&](float, std::string_view) { stop.request_stop(); };
    const auto stopped = (*second)->lock(job);
    QVERIFY(!stopped && stopped.error().code == ck::ErrorCode::Cancelled);
    bool published = false;
    std::thread waiting([&] { published = (*second)->lock({}) && (*second)->publish(kChanges); });
    QVERIFY((*first)->publish(kChanges));
    first->reset();
    waiting.join();
    second->reset();
    QVERIFY(published);
    QVERIFY(contentOf(folder) == kSecond);
  }

  void aWaitEndsWithTheHoldersName() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    ck::ProcessMark elsewhere = ck::markOfThisProcess();
    elsewhere.boot ^= 2;
    elsewhere.machine ^= 2;
    elsewhere.pid = 4711;
    put(folder / ck::FolderLock::kFile, ck::markText(elsewhere) + " farm7");
    QVERIFY(ck::FolderLock::isHeld(folder));
    std::error_code failed;
    const ck::FolderHandle handle = ck::FolderHandle::open(folder, failed);
    fs::create_directory(folder / "work");
    const ck::FolderHandle work = handle.openFolder("work", failed);
    const auto lock = ck::FolderLock::take(handle, work, folder, {}, std::chrono::milliseconds(50));
    QVERIFY(!lock && lock.error().code == ck::ErrorCode::CannotWrite);
    const QString said = QString::fromStdString(lock.error().message);
    QVERIFY2(said.contains(QRegularExpression(
                 "process 4711 on farm7 writes into this folder since "
                 "20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC; wait for it")),
             qPrintable(said));
    QVERIFY(fs::exists(folder / ck::FolderLock::kFile));
  }

  void locksOfEndedProcessesAreTakenOver() {
    const QTemporaryDir place;
    const fs::path folder = withFirst(place);
    put(folder / ck::FolderLock::kFile, ck::markText(endedProcess()) + " here");
    QVERIFY(!ck::FolderLock::isHeld(folder));
    QCOMPARE(publish(folder, 2), std::string());
    QVERIFY(contentOf(folder) == kSecond);
  }

  void marksSayWhetherAProcessRuns() {
    using State = ck::ProcessState;
    const ck::ProcessMark own = ck::markOfThisProcess();
    const auto read = ck::markFromText(ck::markText(own));
    QVERIFY(read && *read == own);
    QVERIFY(!ck::markFromText(ck::markText(own) + "-0"));
    QVERIFY(!ck::markFromText("backup"));
    QVERIFY(stateOf(own) == State::Running);
    QVERIFY(stateOf(endedProcess()) == State::Ended);
    ck::ProcessMark other = own;
    other.start += 1;  // the number was given to another process
    QVERIFY(stateOf(other) == State::Ended);
    other = own;
    other.pidNamespace += 1;
    QVERIFY(stateOf(other) == State::Elsewhere);
    other = own;
    other.boot ^= 2;
    QVERIFY(stateOf(other) == (own.machine != 0 ? State::Rebooted : State::Elsewhere));
    const std::string rebooted = ck::markText(other);
    QVERIFY(!ck::isAbandoned(rebooted, 1000, 1000));
    QCOMPARE(ck::isAbandoned(rebooted, 1000, 1001 + ck::kAbandonedAfter.count()), own.machine != 0);
  }
};

CK_TEST(tst_set_folder)
#include "tst_set_folder.moc"
