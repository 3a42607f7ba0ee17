// ck_table_times: how long the actors panel takes with a hundred thousand actors, in milliseconds:
//   xvfb-run -a build/release/bin/ck_table_times [ACTORS]
// Each step is timed until the window has been painted again; the best of five is printed.
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QUndoStack>
#include <cstdio>
#include <functional>

#include "core/crowd/crowd_spawn.h"
#include "tests/support/rigs.h"
#include "ui/actors/actor_filter.h"
#include "ui/actors/actor_model.h"
#include "ui/actors/actor_table.h"
#include "ui/actors/actors_panel.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/parts/number_edit.h"
#include "ui/theme/theme.h"

using namespace ck::ui;

namespace {

ck::Project crowdOf(int count) {
  ck::Project project;
  for (const char* name : {"idle", "walk", "run", "wave", "cheer", "dance", "fall"}) {
    project.characters.front().clips.push_back({.name = name});
  }
  project.crowds.front().spawn.count = count;
  project.crowds.front().spawn.clipCount = int(project.characters.front().clips.size());
  project.actors = ck::ActorList(ck::spawnActors(project.crowds.front().spawn));
  return project;
}

void measure(const char* name, QWidget& window, const std::function<void()>& step,
             const std::function<void()>& back) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    QElapsedTimer timer;
    timer.start();
    step();
    window.repaint();
    QApplication::processEvents();
    best = std::min(best, double(timer.nsecsElapsed()) / 1e6);
    back();
    QApplication::processEvents();
  }
  std::printf("%-34s %8.1f ms\n", name, best);
}

NumberEdit* fieldOf(ActorsPanel& panel, const QString& name) {
  for (NumberEdit* edit : panel.findChildren<NumberEdit*>()) {
    if (edit->accessibleName() == name) return edit;
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  applyTheme(app);
  const int count = argc > 1 ? std::atoi(argv[1]) : 100'000;
  Document document;
  TaskRunner tasks;
  Session session(document, tasks);
  Selection selection(document);
  ActorsPanel panel(document, session, selection);
  panel.resize(420, 900);
  panel.show();
  document.replace(crowdOf(count), {});
  QApplication::processEvents();
  ActorTable& table = panel.table();
  QLineEdit& filter = panel.filterField();
  const auto nothing = [] {};
  const auto none = [&] { selection.clear(); };
  const auto undo = [&] { document.undoStack().undo(); };
  const auto unsorted = [&] { table.sortByColumn(-1, Qt::AscendingOrder); };
  const auto type = [&](const char* field, const char* text) {
    emit fieldOf(panel, QString::fromLatin1(field))->entered(QString::fromLatin1(text));
  };

  std::printf("%d actors\n", count);
  measure(
      "filter clip:run rate>1", panel, [&] { filter.setText("clip:run rate>1"); },
      [&] { filter.clear(); });
  measure(
      "sort by rate", panel,
      [&] { table.sortByColumn(panel.model().sectionOf("Rate"), Qt::AscendingOrder); }, unsorted);
  measure(
      "sort by clip", panel,
      [&] { table.sortByColumn(panel.model().sectionOf("Clip"), Qt::AscendingOrder); }, unsorted);
  measure(
      "select all", panel, [&] { selection.selectAll(); }, none);
  measure(
      "select every seventh (scattered)", panel,
      [&] {
        std::vector<int> some;
        for (int i = 0; i < count; i += 7) some.push_back(i);
        selection.set(some);
      },
      none);
  selection.selectAll();
  measure(
      "edit offset of all: R(0,1)", panel, [&] { type("Offset", "R(0,1)"); }, undo);
  measure(
      "edit rate of all: *= L(0.5,1)", panel, [&] { type("Rate", "*=L(0.5,1)"); }, undo);
  measure(
      "set clip of all", panel,
      [&] { panel.model().setActors(selection.actors(), panel.model().columnOf("Clip"), 1); },
      undo);
  type("Offset", "R(0,1)");
  measure("undo that", panel, undo, [&] { document.undoStack().redo(); });
  measure(
      "redo that", panel, [&] { document.undoStack().redo(); }, undo);
  selection.set({5});
  measure(
      "edit one actor", panel, [&] { type("Rate", "1.5"); }, undo);
  int row = 0;
  measure(
      "scroll by a thousand rows", panel,
      [&] { table.scrollTo(table.model()->index((row += 1000) % count, 0)); }, nothing);
  return 0;
}
