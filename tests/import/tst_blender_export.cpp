#include <sys/stat.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>

#include "core/import/blender_export.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "core/system/process.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::ErrorCode;
using ck::test::hasNote;

namespace {

namespace fs = std::filesystem;

// Sets an environment variable for the length of a scope.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (old_.empty()) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, old_.c_str(), 1);
    }
  }

 private:
  const char* name_;
  std::string old_;
};

// Whether a process runs whose command line or working folder lies below a folder.
bool someoneRunsIn(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::error_code error;
    const fs::path place = fs::read_symlink(entry.path() / "cwd", error);
    if (!error && place.string().starts_with(folder.string())) return true;
  }
  return false;
}

}  // namespace

// How Blender is run, with shell scripts in its place; tst_blender_files asks the real one.
class tst_blender_export : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  fs::path rig_;
  fs::path temporary_;

  fs::path path(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

  // A program that stands for Blender. $in and $out are the files that it is given.
  std::string blender(const std::string& script) const {
    const fs::path program = path("blender");
    std::ofstream(program) << "#!/bin/sh\n"
                              "while [ \"$1\" != -- ]; do shift; done\nin=$2 out=$3\n"
                           << script << "\n";
    ::chmod(program.c_str(), 0700);
    return program.string();
  }

  ck::Result<ck::Character> import(const std::string& script, ck::JobContext job = {}) const {
    const Environment program("CROWDKILN_BLENDER", blender(script));
    const Environment temporary("TMPDIR", temporary_.string());
    auto character = ck::importCharacter(rig_, {}, {}, job);
    if (!character) qInfo("%s", character.error().message.c_str());
    return character;
  }

  static void expectError(const ck::Result<ck::Character>& result, ErrorCode code,
                          const std::string& says) {
    QVERIFY(!result.has_value());
    QCOMPARE(std::string(ck::errorCodeName(result.error().code)),
             std::string(ck::errorCodeName(code)));
    QVERIFY2(result.error().message.starts_with("figure.blend: "), result.error().message.c_str());
    QVERIFY2(result.error().message.find(says) != std::string::npos,
             result.error().message.c_str());
    QCOMPARE(result.error().message.find('\n'), std::string::npos);
  }

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    rig_ = path("figure.blend");
    std::ofstream(rig_) << "BLENDER-v304 and what Blender would read";
    temporary_ = path("temporary");
    fs::create_directory(temporary_);
    // Files that scripts copy must be where they may read.
    fs::copy_file(ck::test::sampleHumanoid(), path("humanoid.glb"));
  }

  void cleanup() {
    QVERIFY(fs::is_empty(temporary_));
    QTRY_VERIFY(!someoneRunsIn(temporary_));
  }

  void rejectsWithASentenceThatHelps_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("its own reason")
        << R"sh(printf 'noise\n{"error": "Blender cannot open it (no\\nDNA)"}\n' >&2; exit 1)sh"
        << int(ErrorCode::ImportFailed) << "Blender cannot open it (no DNA)";
    QTest::newRow("silence") << "exit 0" << int(ErrorCode::ImportFailed) << "exported nothing";
    QTest::newRow("no reason") << "echo Traceback >&2; exit 1" << int(ErrorCode::ImportCrashed)
                               << "Blender failed on this file";
    QTest::newRow("computing without end") << "ulimit -S -t 1; while true; do :; done"
                                           << int(ErrorCode::ImportTimeout) << "300 s of computing";
    QTest::newRow("rubbish") << "echo rubbish > $out" << int(ErrorCode::InvalidInput)
                             << "neither like a GLB";
  }
  void rejectsWithASentenceThatHelps() {
    QFETCH(QString, script);
    QFETCH(int, code);
    QFETCH(QString, says);
    expectError(import(script.toStdString()), ErrorCode(code), says.toStdString());
  }

  void withoutBlenderASentenceSaysWhatToDo() {
    {
      const Environment named("CROWDKILN_BLENDER", "/nowhere/blender");
      expectError(ck::importCharacter(rig_), ErrorCode::Unsupported,
                  "install Blender (CROWDKILN_BLENDER names no program), or export it as glTF");
    }
    ::unsetenv("CROWDKILN_BLENDER");
    const Environment nowhere("PATH", "/nowhere");
    QVERIFY(ck::findBlender().empty());
    expectError(ck::importCharacter(rig_), ErrorCode::Unsupported,
                "install Blender (blender was not found in PATH), or export it as glTF (File > "
                "Export > glTF 2.0)");
  }

  // Files are Blender's by their first bytes; the ending only decides about packed ones.
  void filesAreRecognisedByTheirContent() {
    const auto is = [this](const char* name, const std::string& content) {
      std::ofstream(path(name), std::ios::binary) << content;
      return ck::isBlenderFile(path(name));
    };
    QVERIFY(is("a.dat", "BLENDER_v293"));
    QVERIFY(is("zstd.blend", "\x28\xB5\x2F\xFD more"));
    QVERIFY(is("gzip.BLEND", "\x1F\x8B more"));
    QVERIFY(!is("zstd.glb", "\x28\xB5\x2F\xFD more"));
    QVERIFY(!is("glb.blend", "glTF and so on"));
    QVERIFY(!is("short.blend", "BLEND"));
    QVERIFY(!is("empty.blend", ""));
    const auto other = ck::importCharacter(path("short.blend"));
    QVERIFY(!other.has_value());
    QVERIFY(other.error().message.find("does not begin like a file of Blender") !=
            std::string::npos);
  }

  void theExportIsReadAsTheFile() {
    std::vector<std::string> steps;
    std::mutex mutex;
    ck::JobContext job;
    job.report = [&](float, std::string_view step) {
      const std::lock_guard lock(mutex);
      steps.emplace_back(step);
    };
    const auto character = import(
        R"(printf '{"progress": 0.5, "step": "Half"}\n{"note": {"level": "warning", "code": "Lost",)"
        R"( "message": "one\\nline"}}\n{"note": {"level": "info", "code": "not a code", "message": "x"}}\n' >&2)"
        "\ntest -r $in && echo ignored; exec cp " +
            path("humanoid.glb").string() + " $out",
        job);
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    const auto plain = ck::importCharacter(ck::test::sampleHumanoid());
    QVERIFY(character->clips == plain->clips);
    QVERIFY(character->meshes == plain->meshes);
    QCOMPARE(character->name, std::string("figure"));
    QCOMPARE(character->source.format, std::string("Blender"));
    QCOMPARE(character->source.path, ck::pathText(rig_));
    QCOMPARE(character->source.hash, ck::hashBytes(*ck::readFile(rig_, 1'000)));
    QVERIFY(hasNote(character->notes, "Lost", "one line"));
    QVERIFY(!hasNote(character->notes, "not a code"));
    QVERIFY(std::find(steps.begin(), steps.end(), "Half") != steps.end());
  }

  // It has a home of its own, writes nowhere else, and starts no process.
  void blenderIsConfined() {
    const fs::path outside = path("outside");
    const auto character =
        import("{ echo > " + outside.string() + R"sh(; } 2>/dev/null && wrote=yes || wrote=no
      ulimit -c > $out.tmp && read -r limit < $out.tmp && own=yes || own=no
      printf '{"note": {"level": "info", "code": "Said", "message": "%s %s %s %s"}}\n' \
        "$wrote" "$own" "$limit" "$HOME" >&2
      test "$out" = "$HOME/figure.glb" && test "$TMPDIR" = "$HOME" && exec cp )sh" +
               path("humanoid.glb").string() + " $out");
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QVERIFY2(hasNote(character->notes, "Said", "no yes 0 " + temporary_.string()),
             character->notes.empty() ? "" : character->notes[0].message.c_str());
    QVERIFY(!fs::exists(outside));
    expectError(import("(true); exec cp " + path("humanoid.glb").string() + " $out"),
                ErrorCode::ImportCrashed, "Blender failed on this file");
  }

  void aStopEndsBlender() {
    std::stop_source stop;
    ck::JobContext job;
    job.stop = stop.get_token();
    std::thread stopper([&stop] {
      std::this_thread::sleep_for(std::chrono::milliseconds(400));
      stop.request_stop();
    });
    QElapsedTimer timer;
    timer.start();
    expectError(import("exec sleep 60", job), ErrorCode::Cancelled, "stopped");
    stopper.join();
    QVERIFY(timer.elapsed() < 5'000);
  }

  // On systems where a program can start others.
  void whatAProgramLeavesBehindEndsWithIt() {
    ck::ProcessRequest request{.program = "/bin/sh",
                               .arguments = {"-c", "cd '" + temporary_.string() + "'; sleep 60 &"}};
    request.errorLimitBytes = 1'000;
    request.endsGroup = true;
    QElapsedTimer timer;
    timer.start();
    QVERIFY(ck::runProcess(request, {}).has_value());
    QVERIFY(timer.elapsed() < 20'000);
  }
};

CK_TEST(tst_blender_export)
#include "tst_blender_export.moc"
