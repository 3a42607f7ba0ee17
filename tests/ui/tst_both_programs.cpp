#include <QDir>
#include <QProcess>
#include <QTest>

#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"

using ck::Project;
using ck::test::differences;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

// The window and `kiln render` draw the same picture of a project: of one size, at one time, by the
// camera that frames all actors.
class tst_both_programs : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    stage_.window->playback().setFixedStep(1.0 / 30.0);
  }

  void cleanupTestCase() { stage_.close(); }

  void drawTheSamePicture_data() {
    QTest::addColumn<QString>("project");
    QTest::newRow("plaza") << CK_SOURCE_DIR "/resources/samples/plaza/plaza.crowd";
    QTest::newRow("meadow") << CK_SOURCE_DIR "/resources/samples/meadow/meadow.crowd";
    QTest::newRow("as the view asks")
        << written("asked.crowd", R"("method": "atlas", "sampling": "nearest", "influences": 1)");
    QTest::newRow("not as the view asks")
        << written("fallen.crowd", R"("method": "matrix", "sampling": "compact", "grid": false)");
    QTest::newRow("live") << written("live.crowd", R"("method": "live", "packedInfluences": true)");
  }

  void drawTheSamePicture() {
    QFETCH(QString, project);
    QVERIFY(QFile::exists(project));
    ck::ui::MainWindow& window = *stage_.window;
    window.document().markSaved({});  // else a dialog asks to save
    window.files().open({project});
    const auto isReady = [&window] {
      if (window.tasks().isBusy() || !window.session().atlas(0)) return false;
      const auto entries = window.session().entries();
      return std::all_of(entries.begin(), entries.end(), [](const auto& one) { return one.atlas; });
    };
    QVERIFY(QTest::qWaitFor(isReady, kPatienceMs));
    window.playback().setPlaying(false);
    window.playback().seek(kSeconds);
    // A picture is dear once, a window at every frame: each program resolves Auto for itself.
    window.document().edit("Shadows", [](Project& p) { p.view.shadows = ck::Shadows::Soft; });
    // Nothing that far actors are drawn with is left to be made later, and no actor is left out for
    // a slow machine, which would frame the others.
    window.playback().setFixedStep(1.0 / 60.0);
    stage_.viewport->frameAll();
    const QImage shown = stage_.viewport->grabFramebuffer();
    window.playback().setFixedStep(0.0);

    const QString picture = folder_.filePath("kiln.png");
    QProcess kiln;
    kiln.start(CK_BIN_DIR "/kiln",
               {"render", project, "-o", picture, "--time", QString::number(kSeconds), "--size",
                QString("%1x%2").arg(shown.width()).arg(shown.height()), "--shadows", "soft"});
    QVERIFY(kiln.waitForFinished(kPatienceMs));
    QVERIFY2(kiln.exitCode() == 0, kiln.readAllStandardError().constData());
    const QImage drawn(picture);
    QCOMPARE(drawn.size(), shown.size());
    const int differing = differences(shown, drawn);
    // Edges of bodies may fall to one side or the other.
    if (differing > 50) {
      shown.save(folder_.filePath("window.png"));
      QFAIL(qPrintable(QString("%1 pixels differ; see %2").arg(differing).arg(folder_.path())));
    }
  }

 private:
  static constexpr double kSeconds = 0.7;

  // A small project of the bundled rig with these settings of the view.
  QString written(const QString& name, const QString& view) {
    const QString path = folder_.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    QString text = R"({"format": "crowdkiln-project", "version": 1, "minReader": 1, "needs": "0.1",
      "characters": [{"sources": [{"path": "%1"}],
                      "clips": [{"name": "idle"}, {"name": "walk"}, {"name": "run"}]}],
      "view": {%2},
      "actors": {"count": 3, "clip": [1, 2, 0], "position": [0, 0, 0, 1, 0, 0, 2, 0, 0]}})";
    file.write(text.arg(ck::test::humanoid(), view).toUtf8());
    return path;
  }

  QTemporaryDir folder_;
  WindowStage stage_;
};

CK_TEST(tst_both_programs, ck::test::EditorApplication)
#include "tst_both_programs.moc"
