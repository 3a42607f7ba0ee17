#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "tests/support/rigs.h"
#include "tests/support/test_program.h"
#include "tests/ui/both_characters.h"
#include "tests/ui/window_stage.h"
#include "ui/characters/match_dialog.h"
#include "ui/clips/clip_model.h"
#include "ui/clips/clips_panel.h"
#include "ui/doctor/doctor_panel.h"
#include "ui/doctor/examination.h"
#include "ui/viewport/notification_bar.h"

using namespace ck::ui;
using ck::ClipFinding;
using ck::FindingKind;
using ck::Project;
using ck::SeamChoice;
using ck::test::Desk;
using ck::test::kPatienceMs;
using ck::test::sample;
using ck::test::tested;
using ck::test::testedIn;
using ck::test::WindowStage;

namespace {

// A desk with the doctor and its panel.
struct Practice : Desk {
  Examination examination{document, session, playback};
  DoctorPanel panel{examination, playback};

  bool settle() {
    return QTest::qWaitFor([this] { return examination.isCurrent(); }, kPatienceMs);
  }
  int clipCalled(const char* name) const {
    const auto& clips = testedIn(project()).clips;
    const auto found = std::ranges::find(clips, name, &ck::ProjectClip::name);
    return found == clips.end() ? -1 : int(found - clips.begin());
  }
  const ck::ProjectClip& clip(const char* name) const {
    return testedIn(project()).clips[std::size_t(clipCalled(name))];
  }
  // A seam that plays the end pose twice, where the file's clip closes by itself.
  void playTwice(const std::vector<const char*>& names) {
    document.edit("Seam", [&](Project& p) {
      for (const char* name : names) {
        testedIn(p).clips[std::size_t(clipCalled(name))].seam = SeamChoice::Exclusive;
      }
    });
  }
  // The row of a finding about a clip, or -1.
  int rowOf(const char* name, FindingKind kind) const {
    const auto& all = examination.findings();
    const auto found = std::ranges::find_if(all, [&](const ClipFinding& one) {
      return one.clip == clipCalled(name) && one.kind == kind;
    });
    return found == all.end() ? -1 : int(found - all.begin());
  }
  QPushButton* fixOf(int row) {
    DoctorPanel& shown = panel;
    return qobject_cast<QPushButton*>(
        shown.table().indexWidget(shown.model().index(row, FindingModel::Fix)));
  }
};

QString allText(QWidget& panel) {
  QString text;
  for (QLabel* label : panel.findChildren<QLabel*>()) {
    if (label->isVisible()) text += label->text() + '\n';
  }
  return text;
}

void keep(QWidget& widget, const char* name) {
  QTest::qWait(350);
  QVERIFY(widget.grab().save(QStringLiteral(CK_PICTURES_DIR "/") + name));
}

}  // namespace

class tst_doctor : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase_data() { ck::test::addBothCharacters(); }
  void initTestCase() { ck::test::startWithSamples(); }

  void withoutARigThereIsNothingToExamine() {
    Practice desk;
    desk.panel.show();
    QVERIFY(!desk.examination.hasPatient());
    QVERIFY(!desk.panel.fixAllButton().isVisible());
    QVERIFY2(allText(desk.panel).contains("Import a rig"), qPrintable(allText(desk.panel)));
    desk.examination.fixAll();
    QCOMPARE(desk.document.undoStack().count(), 0);
  }

  void aFixIsOneStepAndTheFindingGoes() {
    Practice desk;
    QVERIFY(openBoth(desk));
    QVERIFY(desk.settle());
    desk.panel.resize(900, 240);
    desk.panel.show();
    QCOMPARE(desk.rowOf("walk", FindingKind::DoubledEnd), -1);
    desk.playTwice({"walk"});
    // Nothing is fixed by what was found before.
    QVERIFY(!desk.examination.isCurrent());
    QVERIFY(!desk.examination.whyNotFixed().isEmpty());
    QVERIFY(desk.settle());
    const int row = desk.rowOf("walk", FindingKind::DoubledEnd);
    QVERIFY(row >= 0);
    QPushButton* fix = desk.fixOf(row);
    QVERIFY(fix && fix->isEnabled());
    const Project before = desk.project();
    const int steps = desk.document.undoStack().index();
    QTest::mouseClick(fix, Qt::LeftButton);
    QCOMPARE(desk.document.undoStack().index(), steps + 1);
    QVERIFY(desk.clip("walk").seam == SeamChoice::Auto);
    QVERIFY(desk.settle());
    QCOMPARE(desk.rowOf("walk", FindingKind::DoubledEnd), -1);
    desk.document.undoStack().undo();
    QVERIFY(desk.project() == before);
    QVERIFY(desk.settle());
    QVERIFY(desk.rowOf("walk", FindingKind::DoubledEnd) >= 0);
    // By the keyboard, too.
    desk.panel.table().setFocus();
    desk.panel.table().selectRow(desk.rowOf("walk", FindingKind::DoubledEnd));
    QCOMPARE(desk.playback.shownIndex(), desk.clipCalled("walk"));
    QTest::keyClick(&desk.panel.table(), Qt::Key_Return);
    QVERIFY(desk.clip("walk").seam == SeamChoice::Auto);
  }

  void allIsFixedInOneStep() {
    Practice desk;
    QVERIFY(openBoth(desk));
    QVERIFY(desk.settle());
    desk.playTwice({"walk", "run"});
    QVERIFY(desk.settle());
    QVERIFY(desk.rowOf("run", FindingKind::DoubledEnd) >= 0);
    const int steps = desk.document.undoStack().index();
    desk.panel.show();
    QTest::mouseClick(&desk.panel.fixAllButton(), Qt::LeftButton);
    QCOMPARE(desk.document.undoStack().index(), steps + 1);
    QVERIFY(desk.clip("walk").seam == SeamChoice::Auto &&
            desk.clip("run").seam == SeamChoice::Auto);
    QVERIFY(QTest::qWaitFor(
        [&] { return desk.session.character(tested()) && desk.examination.isCurrent(); },
        kPatienceMs));
    QCOMPARE(desk.examination.fixable(), 0);
    desk.document.undoStack().undo();
    QVERIFY(desk.clip("walk").seam == SeamChoice::Exclusive);
  }

  void theClipListMarksWhatIsFound() {
    Practice desk;
    QVERIFY(openBoth(desk));
    QVERIFY(desk.settle());
    ClipsPanel clips(desk.document, desk.session, desk.playback, selection_, nullptr);
    clips.setExamination(desk.examination);
    clips.resize(520, 400);
    clips.show();
    QVERIFY(QTest::qWaitForWindowExposed(&clips));
    desk.playTwice({"walk"});
    QVERIFY(desk.settle());
    const int row = desk.clipCalled("walk");
    const QModelIndex mark = clips.model().index(row, ClipModel::Findings);
    QVERIFY(mark.data().toInt() >= 1);
    const std::string& message =
        desk.examination.findings()[std::size_t(desk.rowOf("walk", FindingKind::DoubledEnd))]
            .message;
    QVERIFY2(mark.data(Qt::ToolTipRole).toString().contains(QString::fromStdString(message).mid(1)),
             qPrintable(mark.data(Qt::ToolTipRole).toString()));
    QVERIFY(!clips.view().isColumnHidden(ClipModel::Findings));
    QSignalSpy asked(&clips, &ClipsPanel::doctorAsked);
    const QRect cell =
        clips.view().visualRect(clips.view().model()->index(row, ClipModel::Findings));
    QTest::mouseClick(clips.view().viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().toInt(), row);
    desk.panel.choose(row);
    QCOMPARE(desk.examination.findings()[std::size_t(desk.panel.table().currentIndex().row())].clip,
             row);
    QTest::mouseClick(&clips.doctorButton(), Qt::LeftButton);
    QCOMPARE(asked.last().first().toInt(), -1);
  }

  // The clips of another project are its own.
  void clipsOfAnotherProjectAreNotMendedHere() {
    Practice desk;
    QVERIFY(desk.open());
    desk.session.addCharacters({sample("meadow/meadow.crowd")});
    QVERIFY(QTest::qWaitFor([&] { return desk.project().characters.size() == 2; }, kPatienceMs));
    desk.playback.setShownCharacter(1);
    QVERIFY(desk.settle());
    QVERIFY2(desk.examination.whyNotFixed().contains("own project"),
             qPrintable(desk.examination.whyNotFixed()));
    QVERIFY(!desk.panel.fixAllButton().isEnabled());
    const Project before = desk.project();
    desk.examination.fixAll();
    for (const ClipFinding& one : std::vector(desk.examination.findings())) {
      desk.examination.fix(one);
    }
    QVERIFY(desk.project() == before);
  }

  void aClipOfOneFrameIsCalledAPose() {
    const auto file = ck::test::sharedModel("own_odd_clips/own_odd_clips.gltf");
    if (!file) QSKIP("the shared test rigs are not there: own_odd_clips");
    Practice desk;
    desk.session.importRig({QString::fromStdString(file->string())});
    QVERIFY(QTest::qWaitFor([&] { return desk.session.atlas(0) != nullptr; }, kPatienceMs));
    ClipModel model(desk.document, desk.session);
    const ck::Character& rig = *desk.session.character(0);
    int poses = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
      const auto source = std::ranges::find(rig.clips, model.clip(row).name, &ck::Clip::name);
      // By hand: all keys at one time.
      std::vector<double> times;
      for (const ck::JointTracks& tracks : source->jointTracks) {
        for (const auto* one :
             {&tracks.translation.times, &tracks.rotation.times, &tracks.scale.times}) {
          times.insert(times.end(), one->begin(), one->end());
        }
      }
      const bool onePose = !times.empty() && std::ranges::max(times) == std::ranges::min(times);
      if (!onePose) continue;
      ++poses;
      QCOMPARE(model.index(row, ClipModel::Length).data().toString(), QString("Pose"));
      QCOMPARE(model.index(row, ClipModel::Loop).data().toString(), QString("Pose"));
      QVERIFY(model.clip(row).ticked);
    }
    QVERIFY(poses >= 1);
  }

  void theWindowShowsItAtBothSizes() {
    WindowStage stage;
    QVERIFY(stage.open());
    MainWindow& window = *stage.window;
    const auto file = ck::test::sharedModel("own_odd_clips/own_odd_clips.gltf");
    window.document().edit("Seams", [](Project& p) {
      for (ck::ProjectClip& clip : p.characters.front().clips) clip.seam = SeamChoice::Exclusive;
    });
    QVERIFY(stage.activate());
    QTest::qWait(100);
    QTRY_VERIFY_WITH_TIMEOUT(window.examination().isCurrent(), kPatienceMs);
    QTest::mouseClick(&window.panel<ClipsPanel>().doctorButton(), Qt::LeftButton);
    QVERIFY(!window.panel<DoctorPanel>().visibleRegion().isEmpty());
    keep(window, "doctor.png");
    window.resize(1024, 640);
    // The time line comes first where panels share a place.
    QTest::qWait(350);
    QTest::mouseClick(&window.panel<ClipsPanel>().doctorButton(), Qt::LeftButton);
    QVERIFY(!window.panel<DoctorPanel>().visibleRegion().isEmpty());
    keep(window, "doctor-small.png");
    const QPushButton& all = window.panel<DoctorPanel>().fixAllButton();
    QVERIFY(all.width() > 0 && all.visibleRegion().boundingRect().width() == all.width());
    QAction* fit = stage.action("&Fit files...");
    QVERIFY(fit && fit->isEnabled());
    fit->trigger();
    auto* dialog = window.findChild<MatchDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(dialog->width() <= 1024 && dialog->height() <= 640);
    keep(*dialog, "fit-rig.png");
    dialog->close();
    window.resize(1600, 960);
    if (file) {
      window.document().markSaved({});
      window.files().open({QString::fromStdString(file->string())});
      QTRY_VERIFY_WITH_TIMEOUT(window.session().character(0)->clips.size() > 20 &&
                                   !window.tasks().isBusy() && window.examination().isCurrent(),
                               kPatienceMs);
      keep(window, "doctor-odd.png");
    }
    stage.close();
  }

 private:
  ClipSelection selection_;
};

CK_TEST(tst_doctor, ck::test::EditorApplication)
#include "tst_doctor.moc"
