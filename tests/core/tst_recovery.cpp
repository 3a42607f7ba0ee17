#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "core/project/project_json.h"
#include "core/project/recovery.h"
#include "core/system/files.h"
#include "tests/support/test_program.h"

namespace fs = std::filesystem;
using ck::Project;
using ck::RecoveredWork;

namespace {

// A project whose seed says which it is, large enough to take a while to be written.
Project numbered(std::uint64_t number, std::size_t actors = 3000) {
  Project project;
  project.randomSeed = number;
  std::vector<ck::Actor> all(actors);
  for (std::size_t i = 0; i < actors; ++i) all[i].offset = static_cast<float>(i % 97) / 97.0f;
  project.actors = ck::ActorList(all);
  return project;
}

std::vector<std::string> namesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(ck::pathText(entry.path().filename()));
  }
  std::ranges::sort(names);
  return names;
}

// Ends this process, as by a kill, where it writes the byte at `position` of any file.
void dieAtByte(rlim_t position) {
  ::signal(SIGXFSZ, SIG_DFL);
  const rlimit noCore{0, 0};
  const rlimit bytes{position, position};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::setrlimit(RLIMIT_FSIZE, &bytes);
}

void put(const fs::path& path, std::string_view text) {
  QVERIFY(ck::writeFileAtomically(path, std::as_bytes(std::span(text))));
}

}  // namespace

class tst_recovery : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  fs::path folder(const char* name) const {
    const fs::path path = ck::pathFromText(temporary_.path().toStdString()) / name;
    fs::create_directories(path);
    return path;
  }

 private slots:
  void workIsListedReadAndRemoved() {
    const fs::path root = folder("root");
    const RecoveredWork first{root / "a", "/show/plaza.crowd", "plaza.crowd", 1000};
    const RecoveredWork later{root / "b", "", "Untitled", 2000};
    Project project = numbered(7, 10);
    project.characters.front().sources.push_back({"/show/rigs/man.glb"});
    QVERIFY(ck::writeRecovery(first, project));
    QVERIFY(ck::writeRecovery(later, numbered(8, 10)));
    fs::create_directories(root / "empty");
    fs::create_directories(root / "damaged");
    put(root / "damaged" / "about.json", "{");
    put(root / "damaged" / "work.crowd", "{");
    const auto all = ck::listRecoveries(root);
    QCOMPARE(all.size(), std::size_t(2));
    QCOMPARE(all[0].title, std::string("Untitled"));
    QCOMPARE(all[1].origin, std::string("/show/plaza.crowd"));
    QCOMPARE(all[1].savedAt, std::int64_t(1000));
    const auto read = ck::readRecovery(all[1]);
    QVERIFY(read.has_value());
    // Sources are found from anywhere.
    QVERIFY(*read == project);
    ck::removeRecovery(all[1].folder);
    QVERIFY(!fs::exists(all[1].folder));
    QCOMPARE(ck::listRecoveries(root).size(), std::size_t(1));
    QVERIFY(ck::listRecoveries(root / "none").empty());
  }

  void whatOthersPutThereStays() {
    const fs::path mine = folder("mine");
    QVERIFY(ck::writeRecovery({mine, "", "Untitled", 1}, numbered(1, 3)));
    put(mine / "letter.txt", "dear");
    ck::removeRecovery(mine);
    QCOMPARE(namesIn(mine), std::vector<std::string>{"letter.txt"});
  }

  void leftoversOfAnEndedProgramAreRemovedAndNothingElse() {
    const fs::path place = folder("leftovers");
    const fs::path file = place / "p.crowd";
    put(place / "p.crowd.unfinished-abcdef", "half");
    put(place / "p.crowd.backup", "mine");
    put(place / "p.crowd.unfinished-notes", "mine too");
    put(place / "q.crowd.unfinished-abcdef", "of another");
    QVERIFY(ck::writeProjectFile(numbered(1, 3), file));
    QCOMPARE(namesIn(place),
             (std::vector<std::string>{"p.crowd", "p.crowd.backup", "p.crowd.unfinished-notes",
                                       "q.crowd.unfinished-abcdef"}));
  }

  // A program saves and autosaves until it is killed, at any moment. The work that it finished
  // last, or was writing, is there afterwards.
  //
  // Two kills in three come after a random time. How many of those meet a write depends on the
  // disk and on what else runs: on a fast disk that can be none of thousands. Every third child
  // is therefore killed by the kernel (SIGXFSZ) at a random byte of a file that it writes.
  void killsLoseNothing() {
    constexpr int kKills = 200;
    const fs::path place = folder("killed");
    const fs::path file = place / "p.crowd";
    const RecoveredWork work{place / "recovery" / "window", ck::pathText(file), "p.crowd", 5};
    void* shared = ::mmap(nullptr, sizeof(std::uint64_t) * 3, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    QVERIFY(shared != MAP_FAILED);
    // The last project that was saved, and kept, and the one that is being written.
    auto* finished = static_cast<volatile std::uint64_t*>(shared);
    QVERIFY(ck::writeProjectFile(numbered(0), file));
    QVERIFY(ck::writeRecovery(work, numbered(0)));
    std::mt19937 random(20261122);
    std::uint64_t last = 0;
    int interrupted = 0;
    const std::uintmax_t fileBytes = fs::file_size(file);
    for (int kill = 0; kill < kKills; ++kill) {
      const bool atByte = kill % 3 == 0;
      const bool inRecovery = kill % 2 == 0;
      const rlim_t lastByte = random() % (fileBytes / 2);
      finished[2] = 0;
      const pid_t child = ::fork();
      QVERIFY(child >= 0);
      if (child == 0) {
        for (std::uint64_t number = std::max(finished[0] + 0, finished[1] + 0) + 1;; ++number) {
          finished[2] = number;
          const Project project = numbered(number);
          if (atByte && inRecovery) dieAtByte(lastByte);
          if (!ck::writeRecovery(work, project)) ::_exit(1);
          finished[1] = number;
          if (atByte && !inRecovery) dieAtByte(lastByte);
          if (!ck::writeProjectFile(project, file)) ::_exit(1);
          finished[0] = number;
        }
      }
      // Kills are spread over the writing, also where the child is slow to start.
      while (finished[2] == 0) ::usleep(50);
      if (!atByte) {
        ::usleep(random() % 25'000);
        ::kill(child, SIGKILL);
      }
      int status = 0;
      QCOMPARE(::waitpid(child, &status, 0), child);
      QVERIFY(WIFSIGNALED(status));  // not that it could not write
      const auto read = ck::readProjectFile(file);
      QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
      QVERIFY(read->randomSeed == finished[0] || read->randomSeed == finished[2]);
      QVERIFY(read->actors.size() == 3000);
      const auto kept = ck::listRecoveries(work.folder.parent_path());
      QCOMPARE(kept.size(), std::size_t(1));
      const auto keptProject = ck::readRecovery(kept.front());
      QVERIFY(keptProject.has_value());
      QVERIFY(keptProject->randomSeed == finished[1] || keptProject->randomSeed == finished[2]);
      last = read->randomSeed;
      finished[0] = last;
      finished[1] = keptProject->randomSeed;
      if (atByte) {
        const std::vector<std::string> names = namesIn(inRecovery ? work.folder : place);
        QVERIFY2(std::ranges::any_of(names,
                                     [](const std::string& name) {
                                       return name.find(".unfinished-") != std::string::npos;
                                     }),
                 "the kill did not meet a write");
        ++interrupted;
      }
      // The next save removes the remains of one kill, so there is never a pile.
      QVERIFY(namesIn(place).size() <= 5);
      QVERIFY(namesIn(work.folder).size() <= 4);
    }
    QVERIFY(interrupted > kKills / 4);
    QVERIFY(ck::writeProjectFile(numbered(last + 1), file));
    QVERIFY(ck::writeRecovery(work, numbered(last + 1)));
    QCOMPARE(namesIn(place), (std::vector<std::string>{"p.crowd", "p.crowd.bak", "recovery"}));
    QCOMPARE(namesIn(work.folder), (std::vector<std::string>{"about.json", "work.crowd"}));
    ::munmap(shared, sizeof(std::uint64_t) * 3);
  }
};

CK_TEST(tst_recovery)
#include "tst_recovery.moc"
