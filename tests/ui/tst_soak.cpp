#include <dlfcn.h>
#include <malloc.h>

#include <QCloseEvent>
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <fstream>
#include <random>

#include "core/project/actors/actor_edits.h"
#include "core/skinning/method.h"
#include "render/gl/handle.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"

using namespace ck::ui;
using ck::Project;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

// Works the whole editor at random for hours of the crowd's time: imports, bakes, edits, undo,
// saves, exports, cameras, views. Where all is as at the begin again, so is the memory, and nothing
// is left behind.
//
// Memory is what the program has asked the heap for and not given back, without what the driver of
// OpenGL has (tests/support/heap_by_owner.cpp, which ctest preloads): software OpenGL keeps what it
// compiled for up to a thousand variants of shaders, so its part follows what was drawn lately.
// Objects of OpenGL, which we have made, are counted.
//
// CK_SOAK_STEPS is how many steps are made, CK_SOAK_SEED the seed of what is random, which is
// printed. A step is a minute of the crowd's time: of the usual 960, a third or more lets caches
// fill, and the eight hours and more that are left are judged. With CK_SOAK_MINUTES there are as
// many steps as begin within these minutes by the clock on the wall; QTEST_FUNCTION_TIMEOUT, in
// milliseconds, must be longer.
class tst_soak : public QObject {
  Q_OBJECT

  static constexpr int kStepsOfARound = 24;
  static constexpr double kMinute = 60.0;

  WindowStage stage_;
  QTemporaryDir folder_;
  std::optional<ck::test::DialogCloser> closer_;
  std::mt19937 random_;
  std::map<QString, int> done_;
  std::size_t actors_ = 0;  // of the project that each round begins with

  MainWindow& window() { return *stage_.window; }
  Document& document() { return window().document(); }
  const Project& project() { return document().project(); }

  int any(int count) { return std::uniform_int_distribution(0, count - 1)(random_); }

  static long numberOf(const char* variable, long usual) {
    bool isNumber = false;
    const long number = qEnvironmentVariable(variable).toLong(&isNumber);
    return isNumber ? number : usual;
  }

  // MiB that a function of the preloaded library tells.
  static double heapMiB(const char* function) {
    const auto bytes = reinterpret_cast<long long (*)()>(::dlsym(RTLD_DEFAULT, function));
    return static_cast<double>(bytes()) / (1 << 20);
  }

  static double residentMiB() {
    ::malloc_trim(0);
    long size = 0;
    long resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
  }

  static double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  // Processes that this one has started and that still are there.
  static int childProcesses() {
    int count = 0;
    const QString own = QString::number(::getpid());
    for (const QString& name : QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
      std::ifstream file(("/proc/" + name + "/stat").toStdString());
      std::string line;
      if (!std::getline(file, line)) continue;
      const std::size_t end = line.rfind(')');
      if (end == std::string::npos) continue;
      const QStringList facts = QString::fromStdString(line.substr(end + 2)).split(' ');
      count += facts.size() > 1 && facts[1] == own ? 1 : 0;
    }
    return count;
  }

  static int openFiles() {
    return static_cast<int>(QDir("/proc/self/fd").entryList(QDir::Files | QDir::System).size());
  }

  bool settles() {
    return QTest::qWaitFor([this] { return !window().tasks().isBusy(); }, kPatienceMs);
  }

  void edit(const std::function<void(Project&)>& change) { document().edit("Soak", change); }

  void importRig() {
    const char* names[] = {"animal.glb", "humanoid.glb", "meadow/meadow.crowd"};
    window().files().open({ck::test::sample(names[any(3)])});
  }

  void addCharacter() {
    if (project().characters.size() < 3) {
      window().session().addCharacters(
          {ck::test::sample(any(2) == 0 ? "animal.glb" : "humanoid.glb")});
    }
  }

  void bake() {
    edit([&](Project& project) {
      if (project.characters.empty()) return;
      ck::BakeSettings& bake = project.characters.front().bake;
      const auto encodings = ck::allEncodings();
      bake.encoding = encodings[std::size_t(any(int(encodings.size())))].encoding;
      bake.layout = ck::usualLayout(encodingOf(bake));
      bake.components.reset();
      bake.rateHz = any(2) == 0 ? 0.0 : 10.0 + any(50);
    });
    QTest::keyClick(&window(), Qt::Key_B, Qt::ControlModifier);
  }

  void duplicate() {
    const int count = int(project().actors.size());
    if (count == 0 || count > 400) return;
    std::vector<int> some;
    for (int i = 0; i < count; i += 1 + any(7)) some.push_back(i);
    edit([&](Project& project) { (void)ck::duplicateActors(project, some); });
  }

  void remove() {
    const int count = int(project().actors.size());
    if (count < 8) return;
    std::vector<int> some;
    for (int i = any(3); i < count; i += 3) some.push_back(i);
    edit([&](Project& project) { ck::removeActors(project, some); });
  }

  void move() {
    edit([&](Project& project) {
      for (std::size_t i = 0; i < project.actors.size(); ++i) {
        ck::Actor actor = project.actors[i];
        actor.position.x += 0.1f * float(any(20) - 10);
        actor.rate = 0.5f + 0.1f * float(any(10));
        project.actors.set(i, actor);
      }
    });
  }

  void undo() {
    QUndoStack& stack = document().undoStack();
    for (int n = any(8); n > 0 && stack.canUndo(); --n) stack.undo();
    for (int n = any(5); n > 0 && stack.canRedo(); --n) stack.redo();
  }

  void save() {
    const QString path = folder_.filePath(QString("p%1.crowd").arg(any(2)));
    QVERIFY(window().files().saveTo(path));
    window().files().open({path});
  }

  void exportAll() {
    QTest::keyClick(&window(), Qt::Key_E, Qt::ControlModifier);
    QTest::qWait(50);  // the dialog is closed by closer_
  }

  void look() {
    ViewportWidget* view = window().viewportFrame().viewport();
    const QPoint from = view->rect().center();
    QTest::mousePress(view, Qt::MiddleButton, {}, from);
    QTest::mouseMove(view, from + QPoint(any(200) - 100, any(80) - 40));
    QTest::mouseRelease(view, Qt::MiddleButton, {}, from);
    QTest::keyClick(view, any(2) == 0 ? Qt::Key_Home : Qt::Key_F);
  }

  void choose() {
    document().setView([&](Project& project) {
      project.view.pose.method = ck::kMethods[std::size_t(any(int(ck::kMethods.size())))].method;
    });
    const int count = int(project().actors.size());
    if (count > 0) window().selection().set({any(count)});
  }

  void resize() { window().resize(900 + any(700), 560 + any(400)); }

  void step() {
    struct Action {
      const char* name;
      void (tst_soak::*act)();
      int weight;
    };
    static constexpr Action kActions[] = {
        {"import", &tst_soak::importRig, 2}, {"add", &tst_soak::addCharacter, 2},
        {"bake", &tst_soak::bake, 4},        {"duplicate", &tst_soak::duplicate, 3},
        {"remove", &tst_soak::remove, 3},    {"move", &tst_soak::move, 3},
        {"undo", &tst_soak::undo, 4},        {"save", &tst_soak::save, 2},
        {"export", &tst_soak::exportAll, 1}, {"look", &tst_soak::look, 3},
        {"choose", &tst_soak::choose, 3},    {"resize", &tst_soak::resize, 1}};
    int total = 0;
    for (const Action& action : kActions) total += action.weight;
    int left = any(total);
    for (const Action& action : kActions) {
      left -= action.weight;
      if (left >= 0) continue;
      ++done_[action.name];
      (this->*action.act)();
      break;
    }
    // Sometimes the next step comes while this one still works.
    if (any(4) > 0) QVERIFY(settles());
    window().playback().seek(window().playback().timeSeconds() + kMinute);
    QTest::qWait(20);
  }

  // The project that each round begins and ends with, all background work done and no history.
  void startAgain() {
    QVERIFY(settles());
    document().markSaved(folder_.filePath("p0.crowd"));
    window().resize(1200, 800);
    document().setView([](Project& project) { project.view = {}; });
    document().markSaved({});
    window().files().newProject();
    QTRY_VERIFY(!window().session().atlas(0) && !window().tasks().isBusy());
    window().files().open({ck::test::humanoid()});
    QTRY_VERIFY_WITH_TIMEOUT(window().session().atlas(0) && !window().tasks().isBusy(),
                             kPatienceMs);
    // The project that was open is gone, whatever the last step was.
    QCOMPARE(project().characters.size(), std::size_t{1});
    if (actors_ == 0) actors_ = project().actors.size();
    QCOMPARE(project().actors.size(), actors_);
    document().undoStack().clear();
    window().playback().setPlaying(true);
    QTest::qWait(300);
    window().playback().setPlaying(false);
    QVERIFY(settles());
  }

 private slots:
  void initTestCase() {
    const auto findDriver = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "ckFindDriver"));
    QVERIFY2(findDriver != nullptr, "run this by ctest, which preloads what watches the heap");
    QVERIFY(stage_.open());
    findDriver();
    // Dialogs that ask are answered by taking nothing.
    closer_.emplace(15);
  }

  void hoursLeaveNothingBehind() {
    const long seed = numberOf("CK_SOAK_SEED", 20);
    const long steps = numberOf("CK_SOAK_STEPS", 960);
    const long minutes = numberOf("CK_SOAK_MINUTES", 0);
    random_.seed(static_cast<unsigned>(seed));
    if (minutes > 0) {
      qInfo("seed %ld, %ld minutes", seed, minutes);
    } else {
      qInfo("seed %ld, %ld steps", seed, steps);
    }
    QElapsedTimer clock;
    clock.start();
    const auto goesOn = [&](long done) {
      return minutes > 0 ? clock.elapsed() < minutes * 60'000 : done < steps;
    };
    // One round differs from the next by what is kept for later.
    std::vector<double> memory;
    std::vector<double> resident;
    std::vector<int> files;
    std::vector<int> objects;
    for (long done = 0; goesOn(done);) {
      for (int i = 0; i < kStepsOfARound; ++i, ++done) {
        step();
        if (QTest::currentTestFailed()) return;
      }
      startAgain();
      if (QTest::currentTestFailed()) return;
      memory.push_back(heapMiB("ckHeapOfProgram"));
      resident.push_back(residentMiB());
      files.push_back(openFiles());
      objects.push_back(ck::render::liveGlObjects());
      qInfo(
          "after %ld steps, %lld minutes: heap %.1f MiB and the driver's %.1f, resident %.0f, "
          "%d objects of OpenGL, %d files",
          done, clock.elapsed() / 60'000, memory.back(), heapMiB("ckHeapOfDriver"), resident.back(),
          objects.back(), files.back());
      QCOMPARE(childProcesses(), 0);
    }
    for (const auto& [name, count] : done_) qInfo("%s: %d", qPrintable(name), count);
    // Fonts and up to 64 programs of shaders, which are kept once, come in the first rounds.
    const auto rounds = std::ptrdiff_t(memory.size());
    QVERIFY2(rounds >= 10, "too few steps to see what grows");
    const std::ptrdiff_t first = std::min<std::ptrdiff_t>(20, rounds * 5 / 12);
    const auto growth = [&](const char* what, const std::vector<double>& values) {
      const auto begin = values.begin() + first;
      const auto middle = begin + (values.end() - begin) / 2;
      const double before = median({begin, middle});
      const double after = median({middle, values.end()});
      qInfo("%s: median of the first half %.1f MiB, of the second %.1f MiB", what, before, after);
      return after / before;
    };
    // The median of few rounds trembles more, and the caches of a short run still fill.
    const double most = rounds - first < 15 ? 1.12 : 1.05;
    QVERIFY2(growth("heap", memory) < most, "memory grows from round to round");
    // With the driver's caches and what the heap has not given back: for mappings that stay.
    QVERIFY2(growth("resident", resident) < 1.25, "resident memory grows from round to round");
    // Which panels and levels of detail drew last makes a few more or less.
    QVERIFY(objects.back() <= objects[std::size_t(first)] + 8);
    QVERIFY(files.back() <= files.front() + 3);
  }

  void cleanupTestCase() {
    closer_.reset();
    document().markSaved(folder_.filePath("p0.crowd"));
    stage_.close();
    QCOMPARE(ck::render::liveGlObjects(), 0);
    QCOMPARE(childProcesses(), 0);
  }
};

CK_TEST(tst_soak, ck::test::EditorApplication)
#include "tst_soak.moc"
