#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <cstring>
#include <functional>

#include "core/base/log.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"
#include "ui/actors/mask_dialog.h"
#include "ui/clips/clip_model.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/document/task_runner.h"
#include "ui/playback/playback.h"
#include "ui/playback/visible_crowd.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_ruler.h"
#include "ui/windows/dialogs.h"

using namespace ck::ui;
using ck::ClipEvent;
using ck::Project;

namespace {

constexpr int kPatienceMs = 60000;

struct Desk {
  Document document;
  TaskRunner tasks;
  Session session{document, tasks};
  Playback playback{document, session};
  ClipModel clips{document, session};
  TimelineRuler ruler{playback, clips, nullptr};
};

}  // namespace

// Fades, events and masks as the editor has them.
class tst_play : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    applyTheme(*qApp);
    qRegisterMetaType<std::vector<ck::FiredEvent>>();
    ck::setLogToStderr(false);
    qputenv("CROWDKILN_IMPORT_WORKER", CK_BIN_DIR "/kiln-import");
    desk_ = std::make_unique<Desk>();
    desk_->session.importRig({QString::fromStdString(ck::test::sampleHumanoid().string())});
    QTRY_VERIFY_WITH_TIMEOUT(desk_->session.atlas(0), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!desk_->tasks.isBusy(), kPatienceMs);
    desk_->ruler.resize(600, 104);
    desk_->ruler.show();
    QVERIFY(QTest::qWaitForWindowExposed(&desk_->ruler));
    // One actor that plays the shown clip as the time line does.
    desk_->document.edit("One actor",
                         [](Project& p) { p.actors = ck::ActorList(std::vector<ck::Actor>(1)); });
    start_ = desk_->document.undoStack().index();
  }
  void cleanupTestCase() { desk_.reset(); }
  void cleanup() {
    desk_->playback.setFixedStep(0.0);
    desk_->playback.setPlaying(false);
    while (desk_->document.undoStack().index() > start_) desk_->document.undoStack().undo();
    desk_->playback.seek(0.0);
  }

  // Building a crowd of a hundred thousand holds the window.
  void aCrowdThatWouldBeTheSameStays() {
    Project project = desk_->document.project();
    project.actors = ck::ActorList(std::vector<ck::Actor>(3));
    const auto clips = desk_->session.clips();
    VisibleCrowd crowd;
    const auto built = [&](const SoloClip& solo) {
      crowd.build(project, clips, solo, 0.5);
      return crowd.crowd()->crowds().front().steadyStamp();
    };
    const std::uint64_t first = built({});
    crowd.seek(2.0);
    QCOMPARE(built({}), first);
    QCOMPARE(crowd.crowd()->timeSeconds(), 0.5);
    ck::Actor actor = project.actors[1];
    actor.on = false;
    project.actors.set(1, actor);
    const std::uint64_t second = built({});
    QVERIFY(second != first);
    QCOMPARE(crowd.crowd()->size(), std::size_t(2));
    const std::uint64_t alone = built({1, 0});
    QVERIFY(alone != second);
    QCOMPARE(crowd.crowd()->crowds().front().clipOf(0), 1);
    QVERIFY(built({}) != alone);
    QCOMPARE(crowd.crowd()->crowds().front().clipOf(0), 0);
  }

  // Actors are edited one after the other, and undone in other order.
  void anEditedCrowdIsTheOneMadeAnew_data() {
    using Edit = std::function<void(std::vector<ck::Actor>&)>;
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<bool>("stays");
    const auto row = [](const char* name, bool stays, const Edit& edit) {
      QTest::newRow(name) << edit << stays;
    };
    row("clip", true, [](auto& all) { all[1].clip = 2; });
    row("offset", true, [](auto& all) { all[1].offset = 0.4f; });
    row("rate", true, [](auto& all) { all[1].rate = 1.7f; });
    row("position", true, [](auto& all) { all[1].position.x = 4.0f; });
    row("tint", true, [](auto& all) { all[1].tint = 0x2255ff; });
    row("of one that is hidden", true, [](auto& all) { all[2].tint = 0x2255ff; });
    row("hidden", false, [](auto& all) { all[1].on = false; });
    row("shown", false, [](auto& all) { all[2].on = true; });
    row("character", false, [](auto& all) { all[1].character = 7; });
    row("added", false, [](auto& all) { all.emplace(all.begin() + 1)->position.z = 3.0f; });
    row("removed", false, [](auto& all) { all.erase(all.begin()); });
    row("many", false, [](auto& all) {
      for (ck::Actor& actor : all) actor.position.y = 1.0f;
    });
  }
  void anEditedCrowdIsTheOneMadeAnew() {
    QFETCH(const std::function<void(std::vector<ck::Actor>&)>, edit);
    QFETCH(const bool, stays);
    Project project = desk_->document.project();
    std::vector<ck::Actor> actors(150);
    for (std::size_t i = 0; i < actors.size(); ++i) actors[i].position.x = float(i);
    actors[2].on = false;
    project.actors = ck::ActorList(actors);
    const auto clips = desk_->session.clips();
    const ck::ActorList before = project.actors;
    VisibleCrowd crowd;
    crowd.setAllAtOnce(true);
    crowd.build(project, clips, {}, 0.5);
    edit(actors);
    for (const ck::ActorList& now : {ck::ActorList(actors), before}) {
      project.actors = now;
      const std::uint64_t stamp = crowd.crowd()->crowds().front().steadyStamp();
      crowd.build(project, clips, {}, 1.25);
      QCOMPARE(crowd.crowd()->crowds().front().changedSince(stamp).has_value(), stays);
      VisibleCrowd anew;
      anew.setAllAtOnce(true);
      anew.build(project, clips, {}, 1.25);
      QCOMPARE(crowd.wanted(), anew.wanted());
      QCOMPARE(crowd.crowd()->size(), anew.crowd()->size());
      for (std::size_t i = 0; i < anew.crowd()->size(); ++i) {
        QCOMPARE(crowd.actorOf(i), anew.actorOf(i));
        const ck::ActorPlace place = anew.crowd()->placeOf(i);
        QVERIFY(crowd.crowd()->placeOf(i) == place);
        const ck::gpu::CkActor one = crowd.crowd()->crowdOf(i).instances()[place.index];
        const ck::gpu::CkActor due = anew.crowd()->crowdOf(i).instances()[place.index];
        QCOMPARE(std::memcmp(&one, &due, sizeof(one)), 0);
      }
    }
  }

  void anEditEndsFlashes() {
    Project project = desk_->document.project();
    project.actors = ck::ActorList(std::vector<ck::Actor>(150));
    std::vector<std::vector<ck::CrowdClip>> clips = desk_->session.clips();
    clips.front().front().events = {{"step", 0.0}};
    VisibleCrowd crowd;
    crowd.build(project, clips, {}, 0.0);
    const auto tint = [&] { return crowd.crowd()->crowds().front().instances().places()[3].look; };
    const int own = tint();
    QVERIFY(!crowd.advance(0.01, project.actors).empty());
    QVERIFY(tint() != own);
    ck::Actor moved = project.actors[5];
    moved.position.x = 2.0f;
    project.actors.set(5, moved);
    crowd.build(project, clips, {}, 0.01);
    QCOMPARE(tint(), own);
  }

  void aWindowWithoutARigRests() {
    Desk empty;
    const QSignalSpy times(&empty.playback, &Playback::timeChanged);
    empty.playback.setPlaying(true);
    QTest::qWait(100);
    QVERIFY(empty.playback.isPlaying());
    QCOMPARE(times.size(), 0);
    QCOMPARE(empty.playback.timeSeconds(), 0.0);
  }

  void rejectsFadesOfNobody() {
    desk_->playback.fade({}, {.clip = 1}, 0);
    desk_->playback.fade({77}, {.clip = 1}, 0);
    desk_->playback.fade({0}, {.clip = 1000}, 0);
    QCOMPARE(desk_->document.undoStack().index(), start_);
  }

  void fadingIsOneStepFromNowOn() {
    desk_->playback.seek(1.5);
    const double before = desk_->playback.crowd()->crowds()[0].unitOf(0);
    desk_->playback.fade({0}, {.clip = 1, .seconds = 0.5, .phase = ck::FadePhase::Synced}, 0);
    QCOMPARE(desk_->document.undoStack().index(), start_ + 1);
    QCOMPARE(desk_->playback.timeSeconds(), 1.5);
    QVERIFY(std::abs(desk_->playback.crowd()->crowds()[0].unitOf(0) - before) < 1e-6);
    desk_->playback.seek(1.75);
    QVERIFY(std::abs(desk_->playback.crowd()->crowds()[0].fadeOf(0)->blend - 0.5) < 0.001);
    desk_->playback.seek(2.5);
    QCOMPARE(desk_->playback.crowd()->crowds()[0].clipOf(0), 1);
    desk_->playback.seek(1.0);
    QCOMPARE(desk_->playback.crowd()->crowds()[0].clipOf(0), 0);
    desk_->document.undoStack().undo();
    desk_->playback.seek(2.5);
    QCOMPARE(desk_->playback.crowd()->crowds()[0].clipOf(0), 0);
  }

  void fadeDialogAsksForTheRequest() {
    FadeDialog dialog({"idle", "walk"}, 3);
    const ck::FadeRequest request = dialog.request();
    QCOMPARE(request.clip, 0);
    QCOMPARE(request.seconds, 0.5);
    QVERIFY(request.phase == ck::FadePhase::Synced);
    QVERIFY(request.eased);
  }

  void eventsAreEditedOnTheTimeLine() {
    const auto events = [this] {
      return desk_->document.project().characters.front().clips[0].events;
    };
    const ck::Clip& source = desk_->session.character(0)->clips[0];
    const double middle = source.startSeconds + 0.5 * source.durationSeconds;
    desk_->ruler.addClipEvent("step", middle);
    QCOMPARE(events(), (std::vector<ClipEvent>{{"step", middle}}));
    desk_->ruler.renameClipEvent(0, "land");
    QCOMPARE(events()[0].name, std::string("land"));
    // Past the end it stays at the end, which a closing step may lie behind.
    desk_->ruler.moveClipEvent(0, source.startSeconds + 100.0);
    const double end = source.startSeconds + source.durationSeconds;
    QVERIFY(events()[0].seconds >= end && events()[0].seconds < end + 0.2);
    const double quarter = source.startSeconds + 0.25 * source.durationSeconds;
    desk_->ruler.moveClipEvent(0, quarter);
    QCOMPARE(desk_->document.undoStack().index(), start_ + 3);
    desk_->ruler.removeClipEvent(0);
    QVERIFY(events().empty());
    desk_->document.undoStack().undo();
    QCOMPARE(events(), (std::vector<ClipEvent>{{"land", quarter}}));
  }

  void marksAreDraggedFromKeyToKey() {
    const ck::Clip& source = desk_->session.character(0)->clips[0];
    const double middle = source.startSeconds + 0.5 * source.durationSeconds;
    desk_->ruler.addClipEvent("step", middle);
    const auto placeOf = [this](double seconds) {
      return QPoint(int(std::lround(desk_->ruler.xOfSeconds(seconds))), 20);
    };
    const double wanted = source.startSeconds + 0.7513 * source.durationSeconds;
    QTest::mousePress(&desk_->ruler, Qt::LeftButton, {}, placeOf(middle));
    QTest::mouseMove(&desk_->ruler, placeOf(wanted - 0.05));
    QTest::mouseMove(&desk_->ruler, placeOf(wanted));
    QTest::mouseRelease(&desk_->ruler, Qt::LeftButton, {}, placeOf(wanted));
    const double now = desk_->document.project().characters.front().clips[0].events[0].seconds;
    const std::vector<double> keys = ck::keyTimes(source);
    QVERIFY(std::find(keys.begin(), keys.end(), now) != keys.end());
    QVERIFY(std::abs(now - wanted) < 0.1);
    QCOMPARE(desk_->document.undoStack().index(), start_ + 2);
  }

  void eventsFireAndFlashWhilePlaying() {
    const ck::Clip& source = desk_->session.character(0)->clips[0];
    desk_->ruler.addClipEvent("step", source.startSeconds + 0.05);
    QSignalSpy fired(&desk_->playback, &Playback::eventsFired);
    const int before = desk_->playback.crowd()->crowds()[0].instances()[0].look;
    desk_->playback.setFixedStep(0.02);
    desk_->playback.setPlaying(true);
    QTRY_COMPARE_WITH_TIMEOUT(fired.count(), 1, kPatienceMs);
    QVERIFY(desk_->playback.crowd()->crowds()[0].instances()[0].look != before);
    const auto events = fired[0][0].value<std::vector<ck::FiredEvent>>();
    QCOMPARE(events.size(), std::size_t{1});
    QCOMPARE(events[0].clip, 0);
    QVERIFY(std::abs(events[0].seconds - 0.05) < 1e-6);
    // The flash goes by itself.
    QTRY_COMPARE_WITH_TIMEOUT(desk_->playback.crowd()->crowds()[0].instances()[0].look, before,
                              kPatienceMs);
  }

  void masksAreEditedByJoint() {
    MaskDialog dialog(desk_->document, desk_->session, 0);
    QCOMPARE(dialog.currentMask(), -1);
    dialog.addMask();
    QCOMPARE(dialog.currentMask(), 0);
    const ck::Rig& rig = desk_->session.character(0)->rig;
    const auto chest = ck::findJoint(rig, "chest");
    const auto head = ck::findJoint(rig, "head");
    QVERIFY(chest && head);
    dialog.setWeight(*chest, 1.0f);
    dialog.setWeight(*head, 0.25f);
    const std::vector<float> weights = ck::maskWeights(rig, desk_->document.project().masks[0]);
    QCOMPARE(weights[std::size_t(*chest)], 1.0f);
    QCOMPARE(weights[std::size_t(*head)], 0.25f);
    QCOMPARE(weights[0], 0.0f);
    // Actors lose a mask that is removed.
    desk_->document.edit("Mask", [](Project& p) {
      ck::Actor actor = p.actors[0];
      actor.mask = 0;
      p.actors.set(0, actor);
    });
    QCOMPARE(desk_->playback.crowd()->crowds()[0].maskOf(0), 0);
    dialog.removeCurrent();
    QVERIFY(desk_->document.project().masks.empty());
    QCOMPARE(desk_->document.project().actors[0].mask, -1);
    desk_->document.undoStack().undo();
    QCOMPARE(desk_->document.project().actors[0].mask, 0);
  }

  void masksListTheJointsOfTheRigThatIsThere() {
    Desk desk;
    MaskDialog dialog(desk.document, desk.session, 0);
    auto* tree = dialog.findChild<QTreeWidget*>();
    QVERIFY(tree);
    QCOMPARE(tree->topLevelItemCount(), 0);
    const auto joints = [tree] {
      QStringList names;
      for (QTreeWidgetItemIterator item(tree); *item; ++item) names << (*item)->text(0);
      names.sort();
      return names;
    };
    const auto samples = ck::test::sampleHumanoid().parent_path();
    for (const char* file : {"humanoid.glb", "animal.glb"}) {
      desk.session.importRig({QString::fromStdString((samples / file).string())});
      QTRY_VERIFY_WITH_TIMEOUT(desk.session.character(0) && !desk.tasks.isBusy(), kPatienceMs);
      QStringList due;
      for (const ck::Joint& joint : desk.session.character(0)->rig.joints) {
        due << QString::fromStdString(joint.name);
      }
      due.sort();
      QCOMPARE(joints(), due);
    }
    // The first row is a joint of this rig now.
    dialog.addMask();
    dialog.setWeight(0, 1.0f);
    QCOMPARE(desk.document.project().masks[0].parts[0].joint,
             desk.session.character(0)->rig.joints[0].name);
  }

 private:
  std::unique_ptr<Desk> desk_;
  int start_ = 0;
};

CK_TEST(tst_play, QApplication)
#include "tst_play.moc"
