#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/anim/pose.h"
#include "core/import/clip_fit.h"
#include "core/import/joint_map_file.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/characters/characters_panel.h"
#include "ui/characters/files_box.h"
#include "ui/characters/match_dialog.h"
#include "ui/characters/match_model.h"

using namespace ck::ui;
using ck::ClipFit;
using ck::ClipFitReport;
using ck::MatchRule;
using ck::Project;
using ck::test::Desk;
using ck::test::kPatienceMs;

namespace {

ck::Rig chainOf(const std::vector<std::string>& names) {
  ck::Rig rig;
  for (const std::string& name : names) {
    ck::Joint joint;
    joint.name = name;
    joint.parent = int(rig.joints.size()) - 1;
    joint.rest.translation = {0.0, 0.5, 0.0};
    rig.joints.push_back(joint);
  }
  return rig;
}

// Of a file with four joints, of which three move and two are matched.
ClipFitReport reportOfFour() {
  ClipFitReport report;
  report.path = "/nowhere/walk.bvh";
  report.skeleton = chainOf({"Hips", "spine", "Becken", "Ende"});
  report.rows = {{0, MatchRule::Exact, true, 12.5},
                 {1, MatchRule::Case, true, 0.0},
                 {-1, MatchRule::None, true, 0.0},
                 {-1, MatchRule::None, false, 0.0}};
  return report;
}

// A motion of two joints whose names no rule knows. The first turns and walks.
QByteArray strangeMotion() {
  return "HIERARCHY\nROOT Rumpf\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition "
         "Zrotation Xrotation Yrotation\n JOINT Oberteil\n {\n  OFFSET 0 0.2 0\n  CHANNELS 3 "
         "Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 0.6 0\n  }\n }\n}\nMOTION\n"
         "Frames: 3\nFrame Time: 0.1\n0 1 0 0 0 0 0 0 0\n0 1 0.1 0 20 0 0 30 0\n"
         "0 1 0.2 0 40 0 0 0 0\n";
}

QString writtenTo(const QTemporaryDir& folder, const char* name, const QByteArray& bytes) {
  QFile file(folder.filePath(name));
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName()
                                                                              : QString();
}

// The action of a notice, or null.
const Notice::Action* actionOf(const Notice& notice, const QString& label) {
  const auto found = std::ranges::find(notice.actions, label, &Notice::Action::label);
  return found == notice.actions.end() ? nullptr : &*found;
}

template <class Widget>
Widget* childCalled(QWidget& parent, const QString& name) {
  for (Widget* one : parent.findChildren<Widget*>()) {
    if (one->accessibleName() == name) return one;
  }
  return nullptr;
}

QPushButton* buttonOf(QWidget& parent, const QString& text) {
  for (QPushButton* one : parent.findChildren<QPushButton*>()) {
    if (one->text().remove('&') == text) return one;
  }
  return nullptr;
}

// Chooses a joint for a row of the table by the keyboard.
void typeJoint(MatchDialog& dialog, int row, const QString& text) {
  QTableView& table = dialog.table();
  table.setFocus();
  table.setCurrentIndex(table.model()->index(row, MatchModel::Matched));
  QTest::keyClick(&table, Qt::Key_F2);
  auto* box = table.findChild<QComboBox*>();
  QVERIFY(box);
  box->lineEdit()->selectAll();
  QTest::keyClicks(box->lineEdit(), text);
  QTest::keyClick(box->lineEdit(), Qt::Key_Return);
  QTRY_VERIFY(!table.findChild<QComboBox*>());
}

MatchDialog* shownDialog(Desk& desk, const LoadedPtr& loaded, int source = -1) {
  auto* dialog = new MatchDialog(desk.document, desk.session, desk.tasks, nullptr);
  dialog->showFiles(loaded, source);
  dialog->show();
  dialog->activateWindow();
  return QTest::qWaitForWindowExposed(dialog) ? dialog : nullptr;
}

void keep(QWidget& widget, const char* name) {
  QTest::qWait(100);
  QVERIFY(widget.grab().save(QStringLiteral(CK_PICTURES_DIR "/") + name));
}

}  // namespace

class tst_match_dialog : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::startWithSamples(); }

  void rejectsAJointThatTheRigDoesNotHave() {
    MatchModel model;
    model.show(reportOfFour(), chainOf({"Hips", "Spine", "Head"}), {});
    const QModelIndex cell = model.index(2, MatchModel::Matched);
    QVERIFY(!model.setData(cell, "Tail", Qt::EditRole));
    QVERIFY(!model.setData(model.index(2, MatchModel::Rule), "Head", Qt::EditRole));
    QVERIFY(model.draft() == ClipFit{});
  }

  void theTableSaysWhatIsMatched() {
    MatchModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(reportOfFour(), chainOf({"Hips", "Spine", "Head"}), {});
    const auto text = [&](int row, int column) {
      return model.index(row, column).data().toString();
    };
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.summary(), QString("2 of 3 joints that move are matched"));
    QCOMPARE(text(1, MatchModel::Matched), QString("Spine"));
    QCOMPARE(text(1, MatchModel::Rule), QString("But for case"));
    QVERIFY(text(0, MatchModel::Rest).startsWith("12.5"));
    QCOMPARE(model.largestRest().first, 12.5);
    QCOMPARE(text(2, MatchModel::Matched), QString("none"));
    QVERIFY(model.isLeftOut(2));
    QVERIFY(!model.isLeftOut(3));  // it does not move
    MatchFilter filter(model);
    filter.setOnlyLeftOut(true);
    QCOMPARE(filter.rowCount(), 1);
    filter.setOnlyLeftOut(false);
    filter.setWord("SPI");
    QCOMPARE(filter.rowCount(), 1);
    QCOMPARE(filter.index(0, 0).data().toString(), QString("spine"));
  }

  void aJointOfTheRigHasOneMatch() {
    MatchModel model;
    model.show(reportOfFour(), chainOf({"Hips", "Spine", "Head"}), {});
    const auto set = [&](int row, const QVariant& joint) {
      return model.setData(model.index(row, MatchModel::Matched), joint, Qt::EditRole);
    };
    // Taken from the row that a rule gave it to.
    QVERIFY(set(2, "Hips"));
    QCOMPARE(model.matched(2), QString("Hips"));
    QVERIFY(model.matched(0).isEmpty());
    QVERIFY(model.isLeftOut(0));
    QCOMPARE(model.summary(), QString("2 of 3 joints that move are matched"));
    // Taken from the row that it was chosen for.
    QVERIFY(set(3, "Hips"));
    QVERIFY(model.matched(2).isEmpty());
    QCOMPARE(model.draft().joints, (std::map<std::string, std::string>{{"Ende", "Hips"}}));
    // None by choice is not left out.
    QVERIFY(set(2, ""));
    QVERIFY(!model.isLeftOut(2));
    QVERIFY(set(2, MatchModel::byRules()));
    QVERIFY(set(3, MatchModel::byRules()));
    QVERIFY(model.draft() == ClipFit{});
    QCOMPARE(model.matched(0), QString("Hips"));
  }

  void aRefusalOpensTheTableAndTheKeyboardRepairsIt() {
    Desk desk;
    QVERIFY(desk.open());
    const Project before = desk.project();
    const int steps = desk.document.undoStack().count();
    QTemporaryDir folder;
    const QString path = writtenTo(folder, "nod.bvh", strangeMotion());
    desk.notices.clear();
    QSignalSpy asked(&desk.session, &Session::fitAsked);
    desk.session.addClips(0, {path});
    QVERIFY(QTest::qWaitFor([&] { return !desk.notices.isEmpty(); }, kPatienceMs));
    const auto notice = desk.notices.first().first().value<Notice>();
    QVERIFY(notice.level == Notice::Level::Error);
    QVERIFY2(notice.text.contains("nod"), qPrintable(notice.text));
    QVERIFY(desk.project() == before);
    const Notice::Action* action = actionOf(notice, "Match joints...");
    QVERIFY(action);
    action->run();
    QCOMPARE(asked.size(), 1);
    MatchDialog* dialog = shownDialog(desk, asked.first().first().value<LoadedPtr>());
    QVERIFY(dialog);
    MatchModel& model = dialog->model();
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.summary(), QString("0 of 2 joints that move are matched"));
    QVERIFY(model.rigJoints().contains("hips"));
    auto* apply = buttonOf(*dialog, "Apply");
    QVERIFY(!apply->isEnabled());
    typeJoint(*dialog, 0, "hips");
    QCOMPARE(model.matched(0), QString("hips"));
    // A word that one joint only has is enough.
    typeJoint(*dialog, 1, "ches");
    QCOMPARE(model.matched(1), QString("chest"));
    // One that several have names none.
    typeJoint(*dialog, 1, "arm");
    QCOMPARE(model.matched(1), QString("chest"));
    keep(*dialog, "match.png");
    QVERIFY(apply->isEnabled());
    QTest::mouseClick(apply, Qt::LeftButton);
    const std::size_t clips = before.characters.front().clips.size();
    QVERIFY(QTest::qWaitFor(
        [&] { return desk.project().characters.front().clips.size() == clips + 1; }, kPatienceMs));
    QCOMPARE(desk.document.undoStack().count(), steps + 1);
    const auto& sources = desk.project().characters.front().sources;
    QCOMPARE(sources.size(), std::size_t{2});
    QCOMPARE(sources[1].fit.joints,
             (std::map<std::string, std::string>{{"Rumpf", "hips"}, {"Oberteil", "chest"}}));
    // Now it is the character's, and the table shows what was read.
    QVERIFY(!dialog->isChanged());
    QCOMPARE(model.summary(), QString("2 of 2 joints that move are matched"));
    QCOMPARE(model.index(0, MatchModel::Rule).data().toString(), QString("By hand"));
    desk.document.undoStack().undo();
    QVERIFY(desk.project() == before);
    desk.document.undoStack().redo();
    QCOMPARE(desk.project().characters.front().clips.size(), clips + 1);
    dialog->close();
  }

  // The clip moves what it is said to move, as the artist sees at once.
  void anotherMatchIsOneStepAndMovesAnotherJoint() {
    Desk desk;
    QVERIFY(desk.open());
    QTemporaryDir folder;
    QByteArray motion = strangeMotion();
    motion.replace("Rumpf", "hips").replace("Oberteil", "head");
    const QString path = writtenTo(folder, "nod.bvh", motion);
    desk.session.addClips(0, {path});
    const auto sources = [&] { return desk.project().characters.front().sources; };
    QVERIFY(QTest::qWaitFor([&] { return sources().size() == 2; }, kPatienceMs));
    const auto movedJoints = [&] {
      QStringList names;
      const ck::Character& rig = *desk.session.character(0);
      for (const ck::JointTracks& tracks : rig.clips.back().jointTracks) {
        if (tracks.rotation.times.size() < 2) continue;
        names << QString::fromStdString(rig.rig.joints[std::size_t(tracks.joint)].name);
      }
      return names;
    };
    QVERIFY2(movedJoints().contains("head"), qPrintable(movedJoints().join(' ')));
    const Project before = desk.project();
    const int steps = desk.document.undoStack().index();
    MatchDialog* dialog = shownDialog(desk, desk.session.loaded(0));
    QVERIFY(dialog);
    QCOMPARE(dialog->fileBox().currentText(), QString("nod.bvh"));
    typeJoint(*dialog, 1, "neck");
    // Until it is read, the crowd plays on.
    QTest::mouseClick(buttonOf(*dialog, "Apply"), Qt::LeftButton);
    QVERIFY(desk.playback.crowd() != nullptr);
    QVERIFY(desk.session.character(0) != nullptr);
    QVERIFY(QTest::qWaitFor([&] { return sources()[1].fit.joints.size() == 1; }, kPatienceMs));
    QCOMPARE(desk.document.undoStack().index(), steps + 1);
    QVERIFY2(movedJoints().contains("neck"), qPrintable(movedJoints().join(' ')));
    QVERIFY2(!movedJoints().contains("head"), qPrintable(movedJoints().join(' ')));
    desk.document.undoStack().undo();
    QVERIFY(desk.project() == before);
    QVERIFY(movedJoints().contains("head"));
    QCOMPARE(dialog->model().matched(1), QString("head"));
    desk.document.undoStack().redo();
    QVERIFY(movedJoints().contains("neck"));
    QCOMPARE(dialog->model().matched(1), QString("neck"));
    dialog->close();
  }

  void choicesThatAreRefusedChangeNothing() {
    Desk desk;
    QVERIFY(desk.open());
    QTemporaryDir folder;
    QByteArray motion = strangeMotion();
    motion.replace("Rumpf", "hips").replace("Oberteil", "head");
    desk.session.addClips(0, {writtenTo(folder, "nod.bvh", motion)});
    QVERIFY(QTest::qWaitFor([&] { return desk.project().characters.front().sources.size() == 2; },
                            kPatienceMs));
    const Project before = desk.project();
    const ck::CharacterPtr rig = desk.session.character(0);
    MatchDialog* dialog = shownDialog(desk, desk.session.loaded(0));
    QVERIFY(dialog);
    typeJoint(*dialog, 0, "none");
    typeJoint(*dialog, 1, "none");
    desk.notices.clear();
    QTest::mouseClick(buttonOf(*dialog, "Apply"), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !desk.notices.isEmpty(); }, kPatienceMs));
    QVERIFY(desk.notices.first().first().value<Notice>().level == Notice::Level::Error);
    QVERIFY(desk.project() == before);
    QVERIFY(desk.session.character(0) == rig);
    QCOMPARE(dialog->model().summary(), QString("0 of 2 joints that move are matched"));
    // It can be repaired where it was made.
    typeJoint(*dialog, 1, "head");
    QTest::mouseClick(buttonOf(*dialog, "Apply"), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !(desk.project() == before); }, kPatienceMs));
    QCOMPARE(desk.project().characters.front().sources[1].fit.joints,
             (std::map<std::string, std::string>{{"hips", ""}, {"head", "head"}}));
    dialog->close();
  }

  // Motion capture that states neither axes nor unit, on a figure with names of its own.
  void axesAndRestPosesAreFoundAndCanBeChosen() {
    const auto rig = ck::test::sharedModel("own_pilgrim/pilgrim.glb");
    const auto motion = ck::test::sharedModel("bvh_cmu/01_01.bvh");
    if (!rig || !motion) QSKIP("the shared test rigs are not there: own_pilgrim, bvh_cmu");
    QFile file(QString::fromStdString(motion->string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    Desk desk;
    desk.session.importRig({QString::fromStdString(rig->string()), file.fileName()});
    QVERIFY(QTest::qWaitFor([&] { return desk.session.atlas(0) != nullptr; }, kPatienceMs));
    const auto fit = [&] { return desk.project().characters.front().sources[1].fit; };
    QVERIFY(fit() == ClipFit{});
    MatchDialog* dialog = shownDialog(desk, desk.session.loaded(0));
    QVERIFY(dialog);
    MatchModel& model = dialog->model();
    QCOMPARE(model.rowCount(), int(text.count("JOINT ") + text.count("ROOT ")));
    // The names that both have are matched, whatever else is.
    for (const char* name : {"Hips", "Spine", "LeftArm", "RightFoot"}) {
      bool found = false;
      for (int row = 0; row < model.rowCount(); ++row) {
        const bool here = model.index(row, MatchModel::Joint).data().toString() == name;
        found = found || (here && model.matched(row) == name);
      }
      QVERIFY2(found, name);
    }
    keep(*dialog, "match-cmu.png");
    dialog->resize(640, 480);
    keep(*dialog, "match-small.png");
    auto* up = childCalled<QComboBox>(*dialog, "Up axis");
    auto* rest = childCalled<QComboBox>(*dialog, "Rest poses");
    auto* unit = childCalled<QDoubleSpinBox>(*dialog, "Metres per unit");
    QVERIFY(up->isEnabled() && unit->isEnabled());
    const Project before = desk.project();
    const int steps = desk.document.undoStack().index();
    up->setFocus();
    QTest::keyClicks(up, "X");
    emit up->activated(up->currentIndex());
    rest->setFocus();
    QTest::keyClicks(rest, "Keep");
    emit rest->activated(rest->currentIndex());
    unit->setFocus();
    unit->selectAll();
    QTest::keyClicks(unit, QLocale().toString(0.05));
    QTest::keyClick(unit, Qt::Key_Tab);
    QVERIFY(desk.project() == before);
    QTest::mouseClick(buttonOf(*dialog, "Apply"), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !(fit() == ClipFit{}); }, kPatienceMs));
    QVERIFY(fit().up == ck::UpAxis::X);
    QVERIFY(fit().rest == ck::RestFit::KeepRotations);
    QCOMPARE(fit().metersPerUnit, 0.05);
    QCOMPARE(desk.document.undoStack().index(), steps + 1);
    desk.document.undoStack().undo();
    QVERIFY(desk.project() == before);
    QCOMPARE(up->currentIndex(), 0);
    dialog->close();
  }

  // X files state no up axis. Their unit is a metre.
  void theUpAxisOfAnXRigIsChosen() {
    Desk desk;
    desk.session.importRig({QStringLiteral(CK_SOURCE_DIR "/tests/data/rigs/strip.x")});
    const auto upRead = [&]() -> std::string {
      const auto character = desk.session.character(0);
      return character == nullptr ? std::string() : character->source.upAxis;
    };
    QTRY_COMPARE_WITH_TIMEOUT(upRead(), std::string("Y"), kPatienceMs);
    MatchDialog* dialog = shownDialog(desk, desk.session.loaded(0), 0);
    QVERIFY(dialog);
    auto* up = childCalled<QComboBox>(*dialog, "Up axis");
    QVERIFY(up->isEnabled());
    QCOMPARE(up->itemText(0), QString("As found: Y"));
    up->setCurrentIndex(up->findText("Z"));
    emit up->activated(up->currentIndex());
    QTest::mouseClick(buttonOf(*dialog, "Apply"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(upRead(), std::string("Z"), kPatienceMs);
    QVERIFY(desk.project().characters.front().import.upAxis == ck::UpAxis::Z);
    dialog->close();
  }

  // The size of the rig itself, which its file may state wrongly.
  void theRigIsMadeLargerAsOneStep() {
    Desk desk;
    QVERIFY(desk.open());
    const auto height = [&] {
      const ck::Bounds box = ck::bindBounds(*desk.session.character(0));
      return double(box.high.y) - double(box.low.y);
    };
    const double before = height();
    const Project project = desk.project();
    const int steps = desk.document.undoStack().index();
    MatchDialog* dialog = shownDialog(desk, desk.session.loaded(0), 0);
    QVERIFY(dialog);
    QVERIFY(!dialog->table().isVisible());
    auto* unit = childCalled<QDoubleSpinBox>(*dialog, "Metres per unit");
    QVERIFY(!childCalled<QComboBox>(*dialog, "Up axis")->isEnabled());  // the file states it
    unit->setFocus();
    // A number is taken over as the field loses the focus, which a busy machine gives late.
    QTRY_VERIFY(unit->hasFocus());
    unit->selectAll();
    QTest::keyClicks(unit, "2");
    QTest::keyClick(unit, Qt::Key_Tab);
    QStringList words;
    for (const QLabel* one : dialog->findChildren<QLabel*>()) words << one->text();
    QVERIFY2(words.join('|').contains(QLocale().toString(2.0 * before, 'f', 2) + " m tall"),
             qPrintable(words.join('|')));
    QTest::mouseClick(buttonOf(*dialog, "Apply"), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !(desk.project() == project); }, kPatienceMs));
    QVERIFY(std::abs(height() - 2.0 * before) < 1e-3);
    QCOMPARE(desk.document.undoStack().index(), steps + 1);
    desk.document.undoStack().undo();
    QVERIFY(std::abs(height() - before) < 1e-6);
    dialog->close();
  }

  void mapsAreSavedAndOpened() {
    Desk desk;
    QVERIFY(desk.open());
    QTemporaryDir folder;
    const QString path = writtenTo(folder, "nod.bvh", strangeMotion());
    desk.session.addClips(0, {path});
    QVERIFY(QTest::qWaitFor([&] { return !desk.notices.isEmpty(); }, kPatienceMs));
    QSignalSpy asked(&desk.session, &Session::fitAsked);
    const auto refusal = desk.notices.last().first().value<Notice>();
    QVERIFY(actionOf(refusal, "Match joints..."));
    actionOf(refusal, "Match joints...")->run();
    MatchDialog* dialog = shownDialog(desk, asked.first().first().value<LoadedPtr>());
    QVERIFY(dialog);
    typeJoint(*dialog, 0, "hips");
    const QString map = folder.filePath("tanz.json");
    QVERIFY(dialog->saveMap(map));
    const auto written = ck::readJointMap(map.toStdString());
    QVERIFY(written.has_value());
    QCOMPARE(written->fitOf(path.toStdString()).joints,
             (std::map<std::string, std::string>{{"Rumpf", "hips"}}));
    typeJoint(*dialog, 0, "by the rules");
    typeJoint(*dialog, 1, "neck");
    QVERIFY(dialog->openMap(map));
    QCOMPARE(dialog->model().matched(0), QString("hips"));
    QVERIFY(dialog->model().matched(1).isEmpty());
    // A file that is no map changes nothing and says why.
    QVERIFY(!dialog->openMap(path));
    QCOMPARE(dialog->model().matched(0), QString("hips"));
    dialog->close();
  }

  void thePanelListsTheFilesAndSaysHowTheyFit() {
    Desk desk;
    QVERIFY(desk.open());
    CharactersPanel panel(desk.document, desk.session, desk.playback);
    panel.resize(420, 500);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QVERIFY(panel.files().isHidden());
    QTemporaryDir folder;
    QByteArray motion = strangeMotion();
    motion.replace("Rumpf", "hips");
    desk.session.addClips(0, {writtenTo(folder, "nod.bvh", motion)});
    QTRY_VERIFY_WITH_TIMEOUT(!panel.files().isHidden(), kPatienceMs);
    const auto text = [&](int row, int column) {
      return panel.files().table().model()->index(row, column).data().toString();
    };
    QCOMPARE(text(0, FileModel::File), QString("humanoid.glb"));
    QCOMPARE(text(0, FileModel::Matched), QString("the rig"));
    QCOMPARE(text(1, FileModel::Matched), QString("1 of 2"));
    // The import says so, with the way to the table.
    const auto said = [](const auto& one) {
      return actionOf(one.first().template value<Notice>(), "Match joints...") != nullptr;
    };
    QVERIFY(std::ranges::any_of(desk.notices, said));
    QSignalSpy asked(&panel, &CharactersPanel::fitAsked);
    QTest::mouseClick(&panel.files().fitButton(), Qt::LeftButton);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first(), (QList<QVariant>{0, 1}));
    desk.document.undoStack().undo();
    QVERIFY(panel.files().isHidden());
  }
};

CK_TEST(tst_match_dialog, QApplication)
#include "tst_match_dialog.moc"
