#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/anim/pose.h"
#include "core/import/host/file_requests.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "core/system/process.h"
#include "tests/support/import_worker.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

namespace {

namespace fs = std::filesystem;
using ck::ErrorCode;

// A rig with one triangle and one joint, written by hand.
const char* const kSmallRig = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],
 "nodes":[{"mesh":0,"skin":0,"name":"Body"},{"name":"Hips"}],"skins":[{"joints":[1]}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
 "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},
  {"componentType":5121,"type":"VEC4","count":3},
  {"bufferView":1,"componentType":5121,"normalized":true,"type":"VEC4","count":3}],
 "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12}],
 "buffers":[{"byteLength":48,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA/wAAAP8AAAD/AAAA"}]})";

// Sets an environment variable for the length of a scope.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value, 1);
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

bool noChildIsLeft() {
  return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

}  // namespace

// The host's answers to files that are no rigs, and to a worker that misbehaves.
class tst_import_process : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  fs::path write(const char* name, const std::string& content) const {
    const fs::path path = fs::path(folder_.path().toStdString()) / ck::pathFromText(name);
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  static void expectError(const ck::Result<ck::Character>& result, ErrorCode code) {
    QVERIFY(!result.has_value());
    qInfo("%s: %s", std::string(ck::errorCodeName(result.error().code)).c_str(),
          result.error().message.c_str());
    QCOMPARE(std::string(ck::errorCodeName(result.error().code)),
             std::string(ck::errorCodeName(code)));
    QVERIFY(!result.error().file.empty());
    QCOMPARE(result.error().message.find('\n'), std::string::npos);
  }

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }
  void cleanup() { QVERIFY(noChildIsLeft()); }

  void unusualHeightsAreTold() {
    const auto heightNote = [](const fs::path& file, const ck::ImportSettings& settings) {
      const auto read = ck::importCharacter(file, settings);
      if (!read) return std::string("not read");
      const auto note = std::ranges::find(read->notes, "HeightUnusual", &ck::Note::code);
      return note == read->notes.end() ? std::string() : note->message;
    };
    const fs::path sample = ck::test::sampleHumanoid();
    QCOMPARE(heightNote(sample, {}), std::string());
    QVERIFY(heightNote(sample, {.unitScale = 0.01}).find("is 17.7 mm tall") != std::string::npos);
    QVERIFY(heightNote(sample, {.unitScale = 10.0}).find("is 17.7 m tall") != std::string::npos);
    QCOMPARE(heightNote(sample, {.heightMeters = 0.05}), std::string());
    const fs::path field = fs::path(CK_SHARED_DIR) / "field" / "fbx" / "09_18mm_tall.fbx";
    if (!fs::exists(field)) QSKIP("the folder of field cases is not there");
    QVERIFY(heightNote(field, {}).find("is 18 mm tall") != std::string::npos);
  }

  void rejectsWhatIsNotARigFile() {
    const fs::path folder = folder_.path().toStdString();
    expectError(ck::importCharacter(folder / "missing.glb"), ErrorCode::FileNotFound);
    expectError(ck::importCharacter(folder), ErrorCode::FileUnreadable);
    expectError(ck::importCharacter(write("empty.fbx", "")), ErrorCode::InvalidInput);
    expectError(ck::importCharacter("/dev/null"), ErrorCode::FileUnreadable);
    expectError(ck::importCharacter("/dev/full"), ErrorCode::FileUnreadable);
    ::mkfifo((folder / "pipe.glb").c_str(), 0600);
    expectError(ck::importCharacter(folder / "pipe.glb"), ErrorCode::FileUnreadable);
    expectError(ck::importCharacter(write("one.glb", "x")), ErrorCode::InvalidInput);
    expectError(ck::importCharacter(write("text.obj", "v 0 0 0\n")), ErrorCode::Unsupported);
    expectError(ck::importCharacter(folder / std::string(300, 'a')), ErrorCode::FileNotFound);
    expectError(ck::importCharacter(fs::path(std::string(5'000, '/'))), ErrorCode::FileNotFound);
    ck::Result<ck::Character> none = ck::importWithClips({});
    QVERIFY(!none.has_value());
  }

  void rejectsATruncatedFbxInOneSentence() {
    const auto whole = ck::test::sharedModel("own_pilgrim/pilgrim.fbx");
    if (!whole) QSKIP("the folder of shared models is not there");
    const auto bytes = ck::readFile(*whole, 1u << 30);
    QVERIFY(bytes.has_value());
    for (const std::size_t part : {1, 8, 32, 63}) {
      const std::size_t size = bytes->size() * part / 64;
      const std::string text(reinterpret_cast<const char*>(bytes->data()), size);
      const auto result = ck::importCharacter(write("cut.fbx", text));
      QVERIFY(!result.has_value());
      qInfo("%zu/64: %s", part, result.error().message.c_str());
      QVERIFY(QString::fromStdString(result.error().message).startsWith("cut.fbx: "));
      QVERIFY(result.error().code == ErrorCode::InvalidInput);
    }
  }

  void importsUnderAnyName() {
    for (const char* name :
         {"plain.gltf", "GROSS.GLTF", "no ending", "wrong.fbx", "H\u00fcfte '$(x)' \u9aa8.gltf"}) {
      const auto character = ck::importCharacter(write(name, kSmallRig));
      QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
      QCOMPARE(character->source.format, std::string("glTF"));
      QCOMPARE(character->rig.joints.size(), std::size_t{1});
      QCOMPARE(character->meshes[0].positions.size(), std::size_t{3});
    }
  }

  void scalesToTheHeightThatIsAskedFor() {
    const fs::path file = write("small.gltf", kSmallRig);
    const auto tall = ck::importCharacter(file, {.heightMeters = 2.0});
    QVERIFY(tall.has_value());
    const ck::Bounds bounds = ck::bindBounds(*tall);
    QVERIFY(std::abs(bounds.high.y - bounds.low.y - 2.0) < 1e-6);
    QVERIFY(std::abs(tall->source.sourceToModel[0][0] - 2.0) < 1e-9);
    const auto inches = ck::importCharacter(file, {.unitScale = 0.0254});
    QVERIFY(inches.has_value());
    QVERIFY(std::abs(inches->source.unitScale - 0.0254) < 1e-12);
  }

  void aWorkerThatMisbehavesBecomesOneSentence_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<int>("code");
    QTest::newRow("crash") << "crash" << int(ErrorCode::ImportCrashed);
    QTest::newRow("abort") << "abort" << int(ErrorCode::ImportCrashed);
    QTest::newRow("killed half-way") << "half" << int(ErrorCode::ImportCrashed);
    QTest::newRow("garbage") << "garbage" << int(ErrorCode::ImportBadResult);
    QTest::newRow("flood of output") << "flood-output" << int(ErrorCode::ImportBadResult);
    QTest::newRow("forbidden call") << "forbidden" << int(ErrorCode::ImportCrashed);
    QTest::newRow("suspended") << "suspend" << int(ErrorCode::ImportCrashed);
    QTest::newRow("flood of errors") << "flood-errors" << int(ErrorCode::ImportBadResult);
    QTest::newRow("out of memory") << "memory" << int(ErrorCode::ImportMemory);
    QTest::newRow("hang") << "hang" << int(ErrorCode::ImportTimeout);
    QTest::newRow("endless computing") << "busy" << int(ErrorCode::ImportTimeout);
  }
  void aWorkerThatMisbehavesBecomesOneSentence() {
#ifndef CK_WORKER_FAULTS
    QSKIP("built without CROWDKILN_WORKER_FAULTS");
#endif
    QFETCH(QString, fault);
    QFETCH(int, code);
    const fs::path file = write("small.gltf", kSmallRig);
    const Environment provoke("CROWDKILN_IMPORT_FAULT", fault.toUtf8().constData());
    ck::ImportLimits limits;
    limits.cpuSeconds = 1;
    limits.wallSeconds = fault == "hang" ? 1 : 20;
    expectError(ck::importCharacter(file, {}, limits), ErrorCode(code));
  }

  void aRigBehindALinkHasThePicturesOfItsFolder() {
    const fs::path there = fs::path(folder_.path().toStdString()) / "there";
    const fs::path here = fs::path(folder_.path().toStdString()) / "here";
    fs::create_directory(there);
    fs::create_directory(here);
    std::string rig = kSmallRig;
    const std::string inlined = "data:application/octet-stream;base64,";
    const std::size_t uri = rig.find(inlined);
    const std::size_t end = rig.find('"', uri);
    const QByteArray base64(rig.data() + uri + inlined.size(),
                            static_cast<qsizetype>(end - uri - inlined.size()));
    rig.replace(uri, end - uri, "data.bin");
    const QByteArray bytes = QByteArray::fromBase64(base64);
    std::ofstream(there / "rig.gltf") << rig;
    std::ofstream(there / "data.bin", std::ios::binary).write(bytes.data(), bytes.size());
    fs::create_symlink(there / "rig.gltf", here / "rig.gltf");
    const auto character = ck::importCharacter(here / "rig.gltf");
    QVERIFY2(character.has_value(), character ? "" : character.error().message.c_str());
    QCOMPARE(character->meshes[0].positions.size(), std::size_t{3});
  }

  // A program that leaves another one behind, which holds its output open.
  void whatAProgramLeavesBehindIsNotWaitedFor() {
    ck::ProcessRequest request;
    request.program = "/bin/sh";
    request.arguments = {"-c", "sleep 600 & echo $!"};
    request.outputLimitBytes = 1 << 16;
    request.errorLimitBytes = 1 << 16;
    const auto outcome = ck::runProcess(request, [](std::string_view) {});
    QVERIFY(outcome.has_value());
    QCOMPARE(int(outcome->end), int(ck::ProcessOutcome::End::Exited));
    const std::string said(reinterpret_cast<const char*>(outcome->output.data()),
                           outcome->output.size());
    const int left = std::stoi(said);
    QVERIFY(::kill(left, SIGKILL) == 0);
  }

  void aProgramSendsNoMoreThanItAnnounced() {
    ck::ProcessRequest request;
    request.program = "/bin/sh";
    request.arguments = {"-c", "printf 20; yes"};
    request.outputLimitBytes = 1ull << 40;
    request.errorLimitBytes = 1 << 16;
    request.announcementBytes = 2;
    request.announced = [](std::span<const std::byte> first) {
      return std::uint64_t(int(first[0]) - '0') * 10 + std::uint64_t(int(first[1]) - '0');
    };
    const auto outcome = ck::runProcess(request, [](std::string_view) {});
    QVERIFY(outcome.has_value());
    QCOMPARE(int(outcome->end), int(ck::ProcessOutcome::End::OutputTooLarge));
    QVERIFY(outcome->output.empty());
  }

  // Not on the thread that reads, where nothing could catch it.
  void memoryThatIsMissingIsToldToWhoWaits() {
    ck::ProcessRequest request;
    request.program = "/bin/sh";
    request.arguments = {"-c", "printf 20; yes"};
    request.outputLimitBytes = 1ull << 60;
    request.errorLimitBytes = 1 << 16;
    request.announcementBytes = 2;
    request.announced = [](std::span<const std::byte>) { return std::uint64_t{1} << 55; };
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, ck::runProcess(request, [](std::string_view) {}));
  }

  void aMissingWorkerIsNamed() {
    const fs::path file = write("small.gltf", kSmallRig);
    {
      const Environment gone("CROWDKILN_IMPORT_WORKER", "/nowhere/kiln-import");
      expectError(ck::importCharacter(file), ErrorCode::ImportNoWorker);
    }
    const fs::path fake = write("kiln-import", "not a program");
    const Environment notExecutable("CROWDKILN_IMPORT_WORKER", fake.c_str());
    expectError(ck::importCharacter(file), ErrorCode::ImportNoWorker);
    fs::permissions(fake, fs::perms::owner_all);
    expectError(ck::importCharacter(file), ErrorCode::ImportNoWorker);
  }

  void stopEndsAHangingWorkerAtOnce() {
#ifndef CK_WORKER_FAULTS
    QSKIP("built without CROWDKILN_WORKER_FAULTS");
#endif
    const fs::path file = write("small.gltf", kSmallRig);
    const Environment provoke("CROWDKILN_IMPORT_FAULT", "hang");
    std::stop_source stop;
    QElapsedTimer timer;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      timer.start();
      stop.request_stop();
    });
    ck::JobContext job;
    job.stop = stop.get_token();
    const auto result = ck::importCharacter(file, {}, {}, job);
    stopper.join();
    qInfo("stopped after %lld ms", timer.elapsed());
    expectError(result, ErrorCode::Cancelled);
    // The promise is 200 ms; a machine under load may take longer, a hang would take 120 s.
    QVERIFY(timer.elapsed() < 2'000);
  }

  void theWallsOfBothPrisonsHold_data() {
    QTest::addColumn<bool>("isRoot");
    QTest::addColumn<QString>("landlock");
    for (const bool isRoot : {false, true}) {
      for (const char* landlock : {"2", "1000"}) {
        QTest::addRow("%s, Landlock up to %s", isRoot ? "root" : "user", landlock)
            << isRoot << landlock;
      }
    }
  }
  void theWallsOfBothPrisonsHold() {
    QFETCH(bool, isRoot);
    QFETCH(QString, landlock);
    if (isRoot && ::geteuid() != 0) QSKIP("this is not root");
    ck::ProcessRequest request;
    request.program = ck::test::useBuiltImportWorker();
    if (!isRoot && ::geteuid() == 0) {
      request.arguments = {"--reuid", "65534",          "--regid",
                           "65534",   "--clear-groups", request.program.string()};
      request.program = "/usr/bin/setpriv";
    }
    request.arguments.insert(request.arguments.end(),
                             {"--self-test", "--landlock", landlock.toStdString()});
    request.outputLimitBytes = 1 << 16;
    request.errorLimitBytes = 1 << 16;
    const auto outcome = ck::runProcess(request, [](std::string_view) {});
    QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().message.c_str());
    const std::string said(reinterpret_cast<const char*>(outcome->output.data()),
                           outcome->output.size());
    qInfo("%s", said.c_str());
    QCOMPARE(int(outcome->end), int(ck::ProcessOutcome::End::Exited));
    QCOMPARE(outcome->exitCode, 0);
    // Every attempt is listed with how it ended, but for sanitizers, which have no walls.
    const QString list = QString::fromStdString(said);
    if (list.contains("sanitizer build")) return;
    const auto open = list.count(": NOT PREVENTED\n");
    for (const char* prison : {"reader: ", "other program: "}) {
      QVERIFY(list.count(prison) >= 90);
    }
    QVERIFY(open == 0 || list.contains("this system has no"));
  }

  void readersGetOnlyFilesThatRigsHave_data() {
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("refusal");  // a part of it; empty: the file is opened
    QTest::newRow("buffer") << "near.bin"
                            << "";
    QTest::newRow("picture below") << ".\\below\\near.PNG"
                                   << "";
    QTest::newRow("link within") << "within.bin"
                                 << "";
    QTest::newRow("link out") << "out.bin"
                              << "leads out";
    QTest::newRow("folder above") << "../far.bin"
                                  << "outside";
    QTest::newRow("absolute") << "/etc/far.bin"
                              << "absolute";
    QTest::newRow("drive") << "c:/far.bin"
                           << "drive";
    QTest::newRow("hidden") << ".hidden/near.bin"
                            << "hidden";
    QTest::newRow("link to a hidden file") << "hidden.bin"
                                           << "hidden";
    QTest::newRow("buffer without an ending") << "buffer0"
                                              << "";
    QTest::newRow("document") << "notes.txt"
                              << "ending";
    QTest::newRow("link to a document") << "notes.bin"
                                        << "ending";
    QTest::newRow("pipe") << "pipe.bin"
                          << "regular";
    QTest::newRow("folder") << "below"
                            << "regular";
  }
  void readersGetOnlyFilesThatRigsHave() {
    QFETCH(QString, reference);
    QFETCH(QString, refusal);
    QTemporaryDir top;
    const fs::path rig = fs::path(top.path().toStdString()) / "rig";
    for (const char* each : {"below", ".hidden"}) fs::create_directories(rig / each);
    for (const char* each :
         {"near.bin", "below/near.PNG", ".hidden/near.bin", "notes.txt", "buffer0", "../far.bin"}) {
      std::ofstream(rig / each) << "content";
    }
    fs::create_symlink("near.bin", rig / "within.bin");
    fs::create_symlink("../far.bin", rig / "out.bin");
    fs::create_symlink(".hidden/near.bin", rig / "hidden.bin");
    fs::create_symlink("notes.txt", rig / "notes.bin");
    QCOMPARE(::mkfifo((rig / "pipe.bin").c_str(), 0600), 0);
    // As a worker requests it.
    const auto server = ck::FileServer::start(rig / "rig.gltf");
    QVERIFY(server.has_value());
    const ck::FileAnswer answer =
        ck::requestFile((*server)->workersEnd(), ck::FileRequest::Open, reference.toStdString());
    QCOMPARE(answer.descriptor >= 0, refusal.isEmpty());
    if (answer.descriptor >= 0) {
      QCOMPARE(::fcntl(answer.descriptor, F_GETFL) & O_ACCMODE, O_RDONLY);
      QCOMPARE(ck::readAndClose(answer.descriptor, 7)->size(), std::size_t{7});
    } else {
      QVERIFY2(QString::fromStdString(answer.text).contains(refusal), answer.text.c_str());
    }
  }

  void filesThatAreSwappedAreNotThoseOutside() {
    QTemporaryDir top;
    const fs::path rig = fs::path(top.path().toStdString()) / "rig";
    fs::create_directories(rig);
    std::ofstream(rig / "near.bin") << "near";
    std::ofstream(rig / "../far.bin") << "far.";
    fs::create_symlink("near.bin", rig / "swap.bin");
    const ck::RigFolder folder(rig / "rig.gltf");
    std::atomic<bool> isOver = false;
    std::jthread swapping([&] {
      for (int i = 0; !isOver; ++i) {
        if (i % 2 == 0) {
          fs::create_symlink("../far.bin", rig / "next.bin");
        } else {
          fs::create_hard_link(rig / "near.bin", rig / "next.bin");
        }
        fs::rename(rig / "next.bin", rig / "swap.bin");
      }
    });
    int opened = 0;
    int refused = 0;
    bool isOutside = false;
    while (!isOutside && (opened < 5'000 || refused < 5'000)) {
      const auto descriptor = folder.open("swap.bin");
      if (!descriptor) {
        ++refused;
        continue;
      }
      ++opened;
      const auto bytes = ck::readAndClose(*descriptor, 4);
      isOutside = !bytes || bytes->size() != 4 || bytes->front() != std::byte{'n'};
    }
    isOver = true;
    swapping.join();
    QVERIFY(!isOutside);
  }

  void severalImportsAtOnceDoNotDisturbEachOther() {
    const fs::path file = write("small.gltf", kSmallRig);
    std::vector<ck::Result<ck::Character>> results(8, ck::Character());
    {
      std::vector<std::jthread> threads;
      for (auto& result : results) {
        threads.emplace_back([&result, &file] { result = ck::importCharacter(file); });
      }
    }
    for (const auto& result : results) {
      QVERIFY(result.has_value());
      QVERIFY(*result == *results[0]);
    }
  }

  void progressRisesToOne() {
    const fs::path file = write("small.gltf", kSmallRig);
    std::vector<float> fractions;
    ck::JobContext job;
    job.report = [&fractions](float fraction, std::string_view) { fractions.push_back(fraction); };
    QVERIFY(ck::importCharacter(file, {}, {}, job).has_value());
    QVERIFY(fractions.size() >= 4);
    QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
    QCOMPARE(fractions.back(), 1.0f);
  }
};

CK_TEST(tst_import_process)
#include "tst_import_process.moc"
