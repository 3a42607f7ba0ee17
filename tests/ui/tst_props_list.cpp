#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/characters/props_box.h"
#include "ui/document/document.h"
#include "ui/document/prop_session.h"
#include "ui/document/task_runner.h"

using namespace ck::ui;
using ck::test::kPatienceMs;
using ck::test::sample;

namespace {

// The parts of the editor that props need, without a rig.
struct Scene {
  Document document;
  TaskRunner tasks;
  PropSession props{document, tasks};
  QSignalSpy notices{&props, &PropSession::noticed};

  const std::vector<ck::Prop>& all() const { return document.project().props; }
  bool add(const QStringList& paths, const glm::vec3& place) {
    const std::size_t before = all().size();
    props.addFiles(paths, place);
    return QTest::qWaitFor(
        [&] { return all().size() == before + std::size_t(paths.size()) && !tasks.isBusy(); },
        kPatienceMs);
  }
};

}  // namespace

class tst_props_list : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::startWithSamples(); }

  void rejectsAFileThatIsNotThere() {
    Scene desk;
    desk.props.addFiles({"/nowhere/tree.glb"}, {});
    QVERIFY(QTest::qWaitFor([&] { return desk.notices.count() == 1; }, kPatienceMs));
    QVERIFY(desk.notices[0][0].value<Notice>().text.contains("tree.glb"));
    QVERIFY(desk.all().empty());
    QCOMPARE(desk.document.undoStack().count(), 0);
  }

  void aPropIsPlacedAsOneStepAndReadOnce() {
    Scene desk;
    QVERIFY(desk.add({sample("animal.glb")}, {1.0f, 0.0f, -2.0f}));
    QCOMPARE(desk.document.undoStack().count(), 1);
    QCOMPARE(desk.all()[0].position, glm::vec3(1.0f, 0.0f, -2.0f));
    // The second of the same file needs no reading, so it is there at once.
    desk.props.addFiles({sample("animal.glb")}, {4.0f, 0.0f, 0.0f});
    QCOMPARE(desk.all().size(), std::size_t{2});
    const auto placed = desk.props.placed();
    QCOMPARE(placed.size(), std::size_t{2});
    QVERIFY(placed[0].shape == placed[1].shape);
    desk.document.undoStack().undo();
    desk.document.undoStack().undo();
    QVERIFY(desk.props.placed().empty());
    desk.document.undoStack().redo();
    QCOMPARE(desk.props.placed().size(), std::size_t{1});
  }

  void severalFilesStandBesideOneAnother() {
    Scene desk;
    QVERIFY(desk.add({sample("animal.glb"), sample("humanoid.glb")}, {}));
    QVERIFY(desk.all()[0].position != desk.all()[1].position);
  }

  void theListMovesAndRemovesThem() {
    Scene desk;
    PropsBox box(desk.document, desk.props);
    QVERIFY(box.isHidden());
    QVERIFY(desk.add({sample("animal.glb")}, {}));
    QVERIFY(!box.isHidden());
    QAbstractItemModel& model = *box.table().model();
    QVERIFY(model.setData(model.index(0, PropModel::Z), 3.5, Qt::EditRole));
    QVERIFY(model.setData(model.index(0, PropModel::Yaw), -90.0, Qt::EditRole));
    QCOMPARE(desk.all()[0].position.z, 3.5f);
    QCOMPARE(desk.props.placed()[0].yawDegrees, -90.0f);
    QVERIFY(!model.setData(model.index(0, PropModel::Scale), 0.0, Qt::EditRole));
    QVERIFY(!model.setData(model.index(0, PropModel::X), "far", Qt::EditRole));
    QVERIFY(!(model.flags(model.index(0, PropModel::Name)) & Qt::ItemIsEditable));
    QVERIFY(!box.removeButton().isEnabled());
    box.table().selectRow(0);
    QVERIFY(box.removeButton().isEnabled());
    box.removeButton().click();
    QVERIFY(desk.all().empty());
    QVERIFY(box.isHidden());
    desk.document.undoStack().undo();
    QCOMPARE(desk.props.placed().size(), std::size_t{1});
  }

  void aMissingFileKeepsItsPlace() {
    Scene desk;
    PropsBox box(desk.document, desk.props);
    ck::Project project;
    project.props = {{{"/nowhere/tree.glb"}, {1.0f, 0.0f, 0.0f}},
                     {{sample("animal.glb").toStdString()}, {}}};
    desk.document.replace(project, {});
    QVERIFY(QTest::qWaitFor(
        [&] { return desk.notices.count() == 1 && desk.props.placed().size() == 1; }, kPatienceMs));
    QCOMPARE(desk.all().size(), std::size_t{2});
    QVERIFY(!desk.props.isThere(0) && desk.props.isThere(1));
    const QModelIndex name = box.table().model()->index(0, PropModel::Name);
    QVERIFY(name.data(Qt::ToolTipRole).toString().contains("tree.glb"));
    QVERIFY(!name.data(Qt::DecorationRole).isNull());
  }
};

CK_TEST(tst_props_list, QApplication)
#include "tst_props_list.moc"
