#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_program.h"
#include "ui/document/document.h"

using ck::Project;
using ck::ui::Document;

class tst_document : public QObject {
  Q_OBJECT

 private slots:
  void rejectsAStepThatChangesNothing() {
    Document document;
    QSignalSpy changed(&document, &Document::changed);
    document.edit("Nothing", [](Project& p) { p.characters.front().bake.influences = 4; });
    QCOMPARE(document.undoStack().count(), 0);
    QCOMPARE(changed.count(), 0);
    QVERIFY(!document.isModified());
  }

  void anEditIsOneStepThereAndBack() {
    Document document;
    const Project start = document.project();
    document.edit("Influences", [](Project& p) { p.characters.front().bake.influences = 2; });
    QCOMPARE(document.project().characters.front().bake.influences, 2);
    QCOMPARE(document.undoStack().undoText(), QString("Influences"));
    document.undoStack().undo();
    QVERIFY(document.project() == start);
    document.undoStack().redo();
    QCOMPARE(document.project().characters.front().bake.influences, 2);
  }

  void aDragOfTwoHundredMovesIsOneStep() {
    Document document;
    for (int i = 1; i <= 200; ++i) {
      document.edit(
          "Speed", [i](Project& p) { p.errorLimits.vertexMm = 1.0 + i * 0.01; }, "speed");
    }
    QCOMPARE(document.undoStack().count(), 1);
    document.undoStack().undo();
    QCOMPARE(document.project().errorLimits.vertexMm, 0.0);
  }

  void twoDragsAreTwoSteps() {
    Document document;
    document.edit(
        "Speed", [](Project& p) { p.errorLimits.vertexMm = 2.0; }, "speed");
    document.endMerge();
    document.edit(
        "Speed", [](Project& p) { p.errorLimits.vertexMm = 3.0; }, "speed");
    QCOMPARE(document.undoStack().count(), 2);
    document.undoStack().undo();
    QCOMPARE(document.project().errorLimits.vertexMm, 2.0);
  }

  void aDragThatComesBackLeavesNothing() {
    Document document;
    document.edit(
        "Speed", [](Project& p) { p.errorLimits.vertexMm = 2.0; }, "speed");
    document.edit(
        "Speed", [](Project& p) { p.errorLimits.vertexMm = 0.0; }, "speed");
    QCOMPARE(document.undoStack().count(), 0);
  }

  void changedCarriesBothSides() {
    Document document;
    double before = 0.0;
    double now = 0.0;
    connect(&document, &Document::changed, this, [&](const Project& was, const Project& is) {
      before = was.errorLimits.vertexMm;
      now = is.errorLimits.vertexMm;
    });
    document.edit("Speed", [](Project& p) { p.errorLimits.vertexMm = 2.5; });
    QCOMPARE(before, 0.0);
    QCOMPARE(now, 2.5);
    document.undoStack().undo();
    QCOMPARE(before, 2.5);
    QCOMPARE(now, 0.0);
  }

  void savingMakesItCleanAndUndoingPastItDirty() {
    Document document;
    document.edit("Speed", [](Project& p) { p.errorLimits.vertexMm = 2.5; });
    QVERIFY(document.isModified());
    document.markSaved("/somewhere/crowd.crowd");
    QVERIFY(!document.isModified());
    QCOMPARE(document.displayName(), QString("crowd.crowd"));
    document.undoStack().undo();
    QVERIFY(document.isModified());
    document.undoStack().redo();
    QVERIFY(!document.isModified());
  }

  void anotherProjectCannotBeUndoneAway() {
    Document document;
    document.edit("Speed", [](Project& p) { p.errorLimits.vertexMm = 2.5; });
    Project other;
    other.errorLimits.vertexMm = 4.0;
    document.replace(other, "/samples/plaza.crowd", "sample");
    QVERIFY(!document.undoStack().canUndo());
    QVERIFY(!document.isModified());
    // A sample is read from its file but never saved over it.
    QVERIFY(document.path().isEmpty());
    QCOMPARE(document.readFrom(), QString("/samples/plaza.crowd"));
  }

  void randomEditsAllComeUndone() {
    Document document;
    std::vector<ck::Actor> actors(3000);
    Project start;
    start.actors = ck::ActorList(actors);
    document.replace(start, {});
    quint32 random = 12345;
    const auto next = [&random](quint32 below) {
      random = random * 1664525u + 1013904223u;
      return (random >> 8) % below;
    };
    for (int i = 0; i < 300; ++i) {
      document.edit("Edit", [&](Project& p) {
        for (quint32 n = next(40); n > 0; --n) {
          const std::size_t row = next(3000);
          ck::Actor actor = p.actors[row];
          actor.offset = float(next(1000)) / 1000.0f;
          p.actors.set(row, actor);
        }
        p.characters.front().bake.influences = next(2) ? 4 : 2;
      });
    }
    QVERIFY(!(document.project() == start));
    while (document.undoStack().canUndo()) document.undoStack().undo();
    QVERIFY(document.project() == start);
  }
};

CK_TEST(tst_document)
#include "tst_document.moc"
