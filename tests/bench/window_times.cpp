// ck_window_times: how long single events hold the window with a hundred thousand actors:
//   xvfb-run -a -s "-screen 0 2560x1600x24" build/release/bin/ck_window_times [ACTORS [RIG]]
// A row for each step of work: how many events it took, the longest one in milliseconds of the GUI
// thread's processor time and by the clock on the wall, and which object got it. On software OpenGL
// the clock on the wall includes the threads that draw. Then 5,000 actors play while a setting of
// the bake is dragged; there, the longest event that does not draw is what counts. With
// 0 actors only that is measured. With another rig than the bundled one, the crowds are of that.
#include <time.h>

#include <QLineEdit>
#include <QMouseEvent>
#include <QUndoStack>
#include <cstdio>
#include <functional>
#include <numeric>

#include "core/crowd/crowd_spawn.h"
#include "core/project/actors/actor_moves.h"
#include "core/project/project_json.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/document/live_bake.h"
#include "ui/document/session.h"
#include "ui/windows/main_window.h"

using namespace ck::ui;

namespace {

double threadMs() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

// Times every event that the event loop hands out.
class TimedApplication : public ck::test::EditorApplication {
 public:
  using EditorApplication::EditorApplication;

  struct Hold {
    double threadMs = 0.0;
    double wallMs = 0.0;
    const char* receiver = "";
    int type = 0;
  };
  int events = 0;
  Hold longest = {};
  Hold longestWithoutDrawing = {};

  bool notify(QObject* receiver, QEvent* event) override {
    if (depth_ > 0) return EditorApplication::notify(receiver, event);
    ++depth_;
    Hold hold{0.0, 0.0, receiver->metaObject()->className(), int(event->type())};
    QElapsedTimer wall;
    wall.start();
    const double before = threadMs();
    const bool done = EditorApplication::notify(receiver, event);
    hold.threadMs = threadMs() - before;
    hold.wallMs = double(wall.nsecsElapsed()) / 1e6;
    --depth_;
    ++events;
    if (hold.threadMs > longest.threadMs) longest = hold;
    const bool draws = hold.type == QEvent::UpdateRequest || hold.type == QEvent::Paint;
    if (!draws && hold.threadMs > longestWithoutDrawing.threadMs) longestWithoutDrawing = hold;
    return done;
  }

 private:
  int depth_ = 0;
};

class Steps {
 public:
  Steps(TimedApplication& application, ck::test::WindowStage& stage)
      : application_(application), stage_(stage) {}

  // Until the window is idle: no task runs, and nothing was drawn for a moment.
  void settle(int quietMs = 400) {
    QElapsedTimer quiet;
    quiet.start();
    const auto painted = QObject::connect(stage_.viewport, &ViewportWidget::framePainted,
                                          [&quiet] { quiet.restart(); });
    QElapsedTimer all;
    all.start();
    while ((quiet.elapsed() < quietMs || stage_.window->tasks().isBusy()) &&
           all.elapsed() < ck::test::kPatienceMs) {
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
      QTest::qWait(1);
    }
    QObject::disconnect(painted);
  }

  void wait(int ms) { QTest::qWait(ms); }

  // `act` is run by the event loop.
  void post(const std::function<void()>& act) {
    QMetaObject::invokeMethod(stage_.window, act, Qt::QueuedConnection);
  }

  void step(const char* name, const std::function<void()>& act) {
    application_.events = 0;
    application_.longest = {};
    application_.longestWithoutDrawing = {};
    act();
    settle();
    std::printf("%-28s %6d events, longest", name, application_.events);
    print(application_.longest);
    std::printf("%35s without drawing", "");
    print(application_.longestWithoutDrawing);
    std::fflush(stdout);
  }

 private:
  static void print(const TimedApplication::Hold& one) {
    std::printf(" %8.1f ms, by the wall %8.1f ms: %s, event %d\n", one.threadMs, one.wallMs,
                one.receiver, one.type);
  }

  TimedApplication& application_;
  ck::test::WindowStage& stage_;
};

void drag(QWidget* view, const QPoint& from, const QPoint& to) {
  QTest::mousePress(view, Qt::LeftButton, Qt::NoModifier, from);
  for (int i = 1; i <= 5; ++i) {
    QMouseEvent move(QEvent::MouseMove, from + (to - from) * i / 5,
                     view->mapToGlobal(from + (to - from) * i / 5), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(view, &move);
    QTest::qWait(1);
  }
  QTest::mouseRelease(view, Qt::LeftButton, Qt::NoModifier, to);
}

void moveAll(ck::test::WindowStage& stage, Steps& steps) {
  Document& document = stage.window->document();
  std::vector<int> all(document.project().actors.size());
  std::iota(all.begin(), all.end(), 0);
  for (int i = 0; i < 5; ++i) {
    steps.post([&document, &all] {
      document.edit(
          "Move",
          [&all](ck::Project& project) {
            for (const int actor : all) {
              const auto index = std::size_t(actor);
              project.actors.set(index, ck::moved(project.actors[index], {0.1, 0.0, 0.0}));
            }
          },
          "move");
    });
    steps.wait(50);
  }
  document.endMerge();
}

// Prints how long it takes from a setting to the new atlas, and to its first picture: medians of
// five.
void changeRate(ck::test::WindowStage& stage) {
  Document& document = stage.window->document();
  Session& session = stage.window->session();
  session.live().setOn(true);
  std::vector<qint64> baked;
  std::vector<qint64> shown;
  for (int i = 0; i < 5; ++i) {
    const auto before = session.atlas(0);
    QElapsedTimer clock;
    clock.start();
    document.edit("Rate",
                  [i](ck::Project& project) { project.characters.front().bake.rateHz = 29.0 - i; });
    (void)QTest::qWaitFor([&] { return session.atlas(0) != before; }, 60'000);
    baked.push_back(clock.elapsed());
    bool isPainted = false;
    const auto painted = QObject::connect(stage.viewport, &ViewportWidget::framePainted,
                                          [&isPainted] { isPainted = true; });
    (void)QTest::qWaitFor([&isPainted] { return isPainted; }, 10'000);
    QObject::disconnect(painted);
    shown.push_back(clock.elapsed());
    (void)QTest::qWaitFor([&session] { return session.error(0) && !session.isMeasuring(0); },
                          60'000);
  }
  std::ranges::sort(baked);
  std::ranges::sort(shown);
  std::printf("from a setting to the new atlas: %lld ms (%lld to %lld), in the view: %lld\n",
              baked[2], baked.front(), baked.back(), shown[2]);
  session.live().setOn(false);
}

// As the box of the rate does it while it is dragged, with live bake. Prints how many atlases were
// shown meanwhile, and when the figures of the last one were there.
void dragRate(ck::test::WindowStage& stage, Steps& steps) {
  Document& document = stage.window->document();
  Session& session = stage.window->session();
  session.live().setOn(true);
  int atlases = 0;
  const auto counting =
      QObject::connect(&session, &Session::changed, [&, shown = session.atlas(0)]() mutable {
        atlases += std::exchange(shown, session.atlas(0)) != session.atlas(0) ? 1 : 0;
      });
  for (int i = 0; i < 40; ++i) {
    steps.post([&document, i] {
      document.edit(
          "Rate",
          [i](ck::Project& project) { project.characters.front().bake.rateHz = 10.0 + 0.5 * i; },
          "rate");
    });
    steps.wait(50);
  }
  document.endMerge();
  QElapsedTimer clock;
  clock.start();
  (void)QTest::qWaitFor(
      [&] {
        const bool isBaked = session.bakeState(0) == BakeState::UpToDate;
        return isBaked && session.error(0) && !session.isMeasuring(0);
      },
      10'000);
  std::printf("%d atlases shown, figures of the last one after %lld ms\n", atlases,
              clock.elapsed());
  QObject::disconnect(counting);
  session.live().setOn(false);
}

void measure(TimedApplication& application, ck::test::WindowStage& stage, const QString& file) {
  Steps steps(application, stage);
  MainWindow& window = *stage.window;
  Document& document = window.document();
  ActorsPanel& panel = *window.findChild<ActorsPanel*>();
  ActorTable& table = panel.table();
  steps.settle();
  // The first time programs are compiled, which software OpenGL does on this thread.
  for (const char* name : {"open", "open again"}) {
    steps.step(name, [&] { steps.post([&] { window.files().open({file}); }); });
  }
  steps.step("play for 5 s", [&] {
    steps.post([&] { window.playback().setPlaying(true); });
    steps.wait(5000);
    steps.post([&] { window.playback().setPlaying(false); });
  });
  steps.step("filter", [&] { QTest::keyClicks(&panel.filterField(), "run rate>1"); });
  steps.step("no filter", [&] { steps.post([&] { panel.filterField().clear(); }); });
  steps.step("sort by rate", [&] {
    steps.post([&] { table.sortByColumn(panel.model().sectionOf("Rate"), Qt::AscendingOrder); });
  });
  steps.step("sort by clip", [&] {
    steps.post([&] { table.sortByColumn(panel.model().sectionOf("Clip"), Qt::AscendingOrder); });
  });
  steps.step("unsorted", [&] { steps.post([&] { table.sortByColumn(-1, Qt::AscendingOrder); }); });
  steps.step("select all", [&] { QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier); });
  steps.step("deselect", [&] { QTest::keyClick(stage.viewport, Qt::Key_Escape); });
  const QSize size = stage.viewport->size();
  steps.step("select by a box", [&] {
    drag(stage.viewport, {size.width() / 8, size.height() / 8},
         {size.width() * 7 / 8, size.height() * 7 / 8});
  });
  steps.step("select one", [&] { steps.post([&] { window.selection().set({777}); }); });
  const auto editOne = [&document](const std::function<void(ck::Actor&)>& change) {
    document.edit("Edit", [&change](ck::Project& project) {
      ck::Actor actor = project.actors[777];
      change(actor);
      project.actors.set(777, actor);
    });
  };
  const auto editSteps = [&](const char* name, const std::function<void(ck::Actor&)>& change) {
    steps.step(name, [&] { steps.post([&] { editOne(change); }); });
    steps.step("undo it", [&] { steps.post([&] { document.undoStack().undo(); }); });
  };
  editSteps("move one", [](ck::Actor& actor) { actor.position.x += 0.5f; });
  editSteps("another clip for one", [](ck::Actor& actor) { actor.clip = actor.clip == 0 ? 1 : 0; });
  editSteps("hide one", [](ck::Actor& actor) { actor.on = !actor.on; });
  steps.step("select all in the view", [&] {
    stage.viewport->setFocus();
    QTest::keyClick(stage.viewport, Qt::Key_A, Qt::ControlModifier);
  });
  steps.step("move the selection", [&] { moveAll(stage, steps); });
  steps.step("undo", [&] { steps.post([&] { document.undoStack().undo(); }); });
  steps.step("redo", [&] { steps.post([&] { document.undoStack().redo(); }); });
  steps.step("save", [&] { steps.post([&] { (void)window.files().save(); }); });
}

void measureBaking(TimedApplication& application, ck::test::WindowStage& stage,
                   const QString& file) {
  Steps steps(application, stage);
  MainWindow& window = *stage.window;
  steps.post([&] { window.files().open({file}); });
  steps.settle();
  const auto playing = [&](const std::function<void()>& act) {
    return [&window, act] {
      window.playback().setPlaying(true);
      act();
      window.playback().setPlaying(false);
    };
  };
  playing([&] { steps.wait(3000); })();  // programs are compiled, simpler meshes made
  steps.step("5,000 play", playing([&] { steps.wait(2000); }));
  steps.step("drag the rate under them", playing([&] { dragRate(stage, steps); }));
  steps.step("change the rate, paused", [&] { changeRate(stage); });
  steps.step("change the rate, playing", playing([&] { changeRate(stage); }));
}

// A saved project of the bundled rig.
void writeCrowd(const ck::test::WindowStage& stage, int count, const QString& file) {
  ck::Project project = stage.window->document().project();
  project.crowds.front().spawn.count = count;
  project.crowds.front().spawn.clipCount = int(project.characters.front().clips.size());
  project.actors = ck::ActorList(ck::spawnActors(project.crowds.front().spawn));
  if (const auto written = ck::writeProjectFile(project, file.toStdString()); !written) {
    qFatal("%s", written.error().message.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  TimedApplication application(argc, argv);
  const int count = argc > 1 ? std::atoi(argv[1]) : 100'000;
  ck::test::WindowStage stage;
  if (!stage.open()) return 1;
  const QTemporaryDir folder;
  const QString file = folder.filePath("crowd.crowd");
  if (argc > 2) {
    stage.window->files().open({QString::fromLocal8Bit(argv[2])});
    QTest::qWait(500);
    const Session& session = stage.window->session();
    (void)QTest::qWaitFor([&] { return session.atlas(0) && !stage.window->tasks().isBusy(); },
                          120'000);
  }
  // Nothing is left that opening another project would ask about.
  if (!stage.window->files().saveTo(folder.filePath("small.crowd"))) return 1;
  if (count > 0) {
    std::printf("%d actors\n", count);
    writeCrowd(stage, count, file);
    measure(application, stage, file);
  }
  const QString smaller = folder.filePath("5000.crowd");
  writeCrowd(stage, 5000, smaller);
  stage.window->document().markSaved(file);
  measureBaking(application, stage, smaller);
  stage.window->document().markSaved(smaller);
  stage.close();
  return 0;
}
