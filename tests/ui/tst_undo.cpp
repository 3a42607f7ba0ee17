#include <QAction>
#include <QSlider>
#include <QTest>
#include <map>
#include <random>

#include "core/base/log.h"
#include "core/crowd/crowd_spawn.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/actors/actors_panel.h"
#include "ui/actors/spawn_bar.h"
#include "ui/characters/character_model.h"
#include "ui/clips/clip_model.h"
#include "ui/morphs/morphs_panel.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_ruler.h"
#include "ui/windows/main_window.h"

using namespace ck::ui;
using ck::Project;
using ck::test::kPatienceMs;

// Random edits through the panels of a whole window, with several characters, and the way back.
class tst_undo : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::startWithSamples(); }

  void rejectsEditsThatAreHalfUndone_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 4; ++seed) QTest::addRow("seed %d", seed) << seed;
  }
  void rejectsEditsThatAreHalfUndone() {
    QFETCH(int, seed);
    random_.seed(unsigned(seed));
    MainWindow window("no OpenGL in this test");
    window_ = &window;
    window.show();
    window.files().open({ck::test::sample("humanoid.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(window.session().atlas(0), kPatienceMs);
    window.session().addCharacters({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(project().characters.size() == 2, kPatienceMs);
    QUndoStack& stack = window.document().undoStack();
    std::map<int, Project> states{{stack.index(), project()}};
    for (int step = 0; step < 150; ++step) {
      act(below(14));
      // An undo may be among them: what it drops is forgotten.
      states.erase(states.upper_bound(stack.index()), states.end());
      states[stack.index()] = project();
      if (step % 10 == 0) QCoreApplication::processEvents();
    }
    QVERIFY(states.size() > 20);
    for (auto it = states.rbegin(); it != states.rend(); ++it) {
      stack.setIndex(it->first);
      QVERIFY2(project() == it->second, qPrintable(stack.redoText()));
      QVERIFY(window.playback().shownCharacter() < ck::characterCount(project()));
    }
    for (const auto& [index, state] : states) {
      stack.setIndex(index);
      QVERIFY2(project() == state, qPrintable(stack.undoText()));
    }
    window.tasks().cancelAll();
  }

 private:
  const Project& project() const { return window_->document().project(); }
  int below(int count) { return count > 0 ? int(random_() % unsigned(count)) : 0; }
  int character() { return below(ck::characterCount(project())); }

  void act(int which) {
    const int actors = int(project().actors.size());
    auto& session = window_->session();
    auto& clips = *window_->findChild<ClipModel*>();
    switch (which) {
      case 0:
        session.addVariant(character(), QString("variant %1").arg(below(5)), {});
        break;
      case 1:
        if (below(3) == 0) session.remove(character());
        break;
      case 2:
        window_->playback().setShownCharacter(character());
        break;
      case 3: {
        std::vector<int> chosen;
        for (int i = below(4); i > 0; --i) chosen.push_back(below(actors));
        window_->selection().set(chosen);
        break;
      }
      case 4:
        window_->playback().setSolo(below(4) - 1);
        break;
      case 5: {
        const int of = character();
        const int to = below(int(ck::clipsOf(project(), of).size()));
        window_->playback().fade(window_->selection().actors(), {.clip = to, .seconds = 0.5}, of);
        break;
      }
      case 6:
        editMorphs();
        break;
      case 7: {
        auto& shares = *window_->findChild<CharacterModel*>();
        shares.setData(shares.index(character(), CharacterModel::Share), double(below(4)),
                       Qt::EditRole);
        break;
      }
      case 8:
        window_->document().edit("Count", [this](Project& p) {
          p.crowds.front().spawn.count = 5 + below(60);
          std::vector<ck::Actor> some;
          for (int i = 0; i < p.crowds.front().spawn.count; ++i) {
            some.push_back(p.actors.size() > 0 ? p.actors[std::size_t(i) % p.actors.size()]
                                               : ck::Actor{});
          }
          p.actors = ck::ActorList(some);
        });
        break;
      case 9:
        clips.tickOnly({below(clips.rowCount())});
        break;
      case 10:
        // An undo may have taken the rig away.
        if (clips.rowCount() == 0) break;
        clips.move({below(clips.rowCount())}, below(clips.rowCount() + 1));
        break;
      case 11: {
        auto* ruler = window_->findChild<TimelineRuler*>();
        ruler->addClipEvent("step", 0.1 * below(10));
        ruler->moveClipEvent(0, 0.1 * below(10));
        ruler->removeClipEvent(below(3));
        break;
      }
      case 12:
        window_->panel<ActorsPanel>().spawnBar().reseed();
        break;
      default:
        if (below(2) == 0) window_->document().undoStack().undo();
        window_->playback().seek(0.1 * below(50));
    }
  }

  void editMorphs() {
    MorphsPanel& panel = window_->panel<MorphsPanel>();
    if (panel.rows().empty() || !panel.isEnabled()) return;
    MorphRow& row = *panel.rows()[std::size_t(below(int(panel.rows().size())))];
    row.slider().setSliderDown(true);
    row.slider().setValue(below(100));
    row.slider().setValue(below(100));
    row.slider().setSliderDown(false);
  }

  std::mt19937 random_;
  MainWindow* window_ = nullptr;
};

CK_TEST(tst_undo, QApplication)
#include "tst_undo.moc"
