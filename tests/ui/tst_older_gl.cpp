#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include "core/atlas/atlas.h"
#include "render/scene/camera.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/windows/main_window.h"

using namespace ck::ui;
using ck::Project;
using ck::test::differences;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

namespace {

// The version that the test's environment has Mesa offer; empty where it offers all it has.
QByteArray offeredVersion() {
  return qgetenv("MESA_GL_VERSION_OVERRIDE");
}

}  // namespace

// The whole editor on the context that the driver offers; run again where Mesa hides what OpenGL
// 4.1 and 3.3 do not have.
class tst_older_gl : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    viewport_ = stage_.viewport;
    facts_ = viewport_->renderer()->facts();
  }
  void cleanupTestCase() { stage_.close(); }

  void theViewportTakesTheContextThatIsOffered() {
    if (offeredVersion().isEmpty()) QSKIP("Mesa is not told to hide anything");
    QVERIFY2(facts_.version.starts_with(offeredVersion().toStdString()), facts_.version.c_str());
    QVERIFY(!facts_.compute);
    QVERIFY(!facts_.multiDrawIndirect);
    const QString shown = "OpenGL " + offeredVersion();
    const auto labels = window_->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [&](const QLabel* label) { return label->text().contains(shown); }));
  }

  // Atlas P16 holds rotations, which matrix alone cannot blend: that is said, and all others draw
  // the same crowd.
  void everyMethodDrawsOrSaysWhyNot() {
    auto* box = boxCalled("Skinning method");
    QVERIFY(box != nullptr);
    QCOMPARE(box->count(), int(ck::kMethods.size()));
    for (const ck::MethodInfo& info : ck::kMethods) {
      QVERIFY(box->itemText(int(info.method)).startsWith(QString::fromUtf8(info.title.data())));
    }
    window_->playback().seek(0.3);
    const QImage nobody = withActors(0);
    const QImage first = viewport_->grabFramebuffer();
    QVERIFY(differences(first, nobody) > 5000);
    QSignalSpy refused(viewport_, &ViewportWidget::drawRefused);
    QStringList greyed;
    for (int i = 0; i < box->count(); ++i) {
      if (!(box->model()->flags(box->model()->index(i, 0)) & Qt::ItemIsEnabled)) {
        greyed << box->itemText(i);
        const QString reason = box->itemData(i, Qt::ToolTipRole).toString();
        QVERIFY2(reason.size() > 20 && reason[0].isUpper(), qPrintable(reason));
        continue;
      }
      box->setCurrentIndex(i);
      emit box->activated(i);
      QCOMPARE(int(window_->document().project().view.pose.method), box->itemData(i).toInt());
      const QImage drawn = viewport_->grabFramebuffer();
      // The pool shows the nearest frame, the others between two.
      const int others = differences(drawn, first);
      QVERIFY2(others < differences(first, nobody) / 4,
               qPrintable(QString("%1: %2 pixels").arg(box->itemText(i)).arg(others)));
    }
    QCOMPARE(greyed, QStringList{"Matrix (vertex fetch)"});
    QCOMPARE(refused.size(), 0);
    box->setCurrentIndex(0);
    emit box->activated(0);
  }

  void whatTheContextLacksIsGreyedWithTheReason() {
    QAction* compute = stage_.action("&Compute");
    QVERIFY(compute != nullptr);
    QCOMPARE(compute->isEnabled(), facts_.compute);
    QCOMPARE(compute->toolTip().contains('\n'), !facts_.compute);
    QAction* storage = stage_.action("From a &storage buffer");
    QVERIFY(storage != nullptr);
    QCOMPARE(storage->isEnabled(), facts_.compute);
    QCOMPARE(storage->toolTip().contains(QString::fromStdString(facts_.version)), !facts_.compute);
  }

  void theFiguresAreShownOverThePicture() {
    const auto figures = window_->viewportFrame().findChildren<QLabel*>("hud");
    QVERIFY(QTest::qWaitFor(
        [&] {
          viewport_->update();
          return std::any_of(figures.begin(), figures.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains("actors");
          });
        },
        kPatienceMs));
  }

  void aClickSelectsTheActorUnderIt() {
    withActors(1);
    QVERIFY(stage_.activate());
    viewport_->frameAll();
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, QPoint(3, 3));
    QVERIFY(window_->selection().actors().empty());
    const ck::Bounds body = window_->session().atlas(0)->clips.front().bounds;
    const double chest = body.low.y + 0.7 * (body.high.y - body.low.y);
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, pixelOf({0.0, chest, 0.0}));
    QCOMPARE(window_->selection().actors(), std::vector<int>{0});
    window_->document().undoStack().undo();
  }

  void aBoxSelectsWhatIsSeenInIt() {
    window_->selection().clear();
    viewport_->frameAll();
    viewport_->grabFramebuffer();
    const QPoint last = viewport_->rect().bottomRight() - QPoint(2, 2);
    QTest::mousePress(viewport_, Qt::LeftButton, {}, QPoint(2, 2));
    QTest::mouseMove(viewport_, viewport_->rect().center());
    QTest::mouseMove(viewport_, last);
    const std::size_t shown = window_->playback().crowd()->size();
    QVERIFY(shown > 1);
    QTest::mouseRelease(viewport_, Qt::LeftButton, {}, last);
    QCOMPARE(window_->selection().actors().size(), shown);
  }

 private:
  QComboBox* boxCalled(const char* name) {
    for (QComboBox* box : window_->findChildren<QComboBox*>()) {
      if (box->accessibleName() == name) return box;
    }
    return nullptr;
  }

  // The pixel of a place beside the first actor, which is given from the actor's own, in metres.
  QPoint pixelOf(const glm::dvec3& place) {
    const glm::dvec3 world = place + glm::dvec3(window_->document().project().actors[0].position);
    const ck::render::Camera& camera = viewport_->camera();
    const double aspect = double(viewport_->width()) / viewport_->height();
    const glm::vec4 seen = ck::render::projectionMatrix(camera, aspect) *
                           ck::render::viewMatrix(camera) * glm::vec4(glm::vec3(world), 1.0f);
    return QPointF((seen.x / seen.w + 1.0) * 0.5 * viewport_->width(),
                   (1.0 - seen.y / seen.w) * 0.5 * viewport_->height())
        .toPoint();
  }

  // The picture of the first so many actors alone. For none, what was is back afterwards.
  QImage withActors(std::size_t count) {
    window_->document().edit("Few", [count](Project& p) {
      for (std::size_t i = count; i < p.actors.size(); ++i) {
        ck::Actor actor = p.actors[i];
        actor.on = false;
        p.actors.set(i, actor);
      }
    });
    QImage picture = viewport_->grabFramebuffer();
    if (count == 0) window_->document().undoStack().undo();
    return picture;
  }

  WindowStage stage_;
  MainWindow* window_ = nullptr;
  ViewportWidget* viewport_ = nullptr;
  ck::render::ContextFacts facts_;
};

CK_TEST(tst_older_gl, ck::test::EditorApplication)

#include "tst_older_gl.moc"
