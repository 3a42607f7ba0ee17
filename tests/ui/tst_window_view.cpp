#include <QActionGroup>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "render/scene/camera.h"
#include "render/view/blend_errors.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_stage.h"
#include "ui/actors/actors_panel.h"
#include "ui/windows/view_menus.h"

using namespace ck::ui;
using ck::Project;
using ck::test::differences;
using ck::test::kPatienceMs;
using ck::test::WindowStage;

// The view within the whole editor: what it shows, and what mouse and keys do in it.
class tst_window_view : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(stage_.open());
    window_ = stage_.window;
    viewport_ = stage_.viewport;
    // Simpler meshes come when they are made, and pictures are compared here.
    window_->document().setView(
        [](Project& project) { project.view.detail.mode = ck::DetailMode::Full; });
    usual_ = window_->document().project().view;
  }

  void init() {
    QVERIFY(stage_.activate());
    // Undo leaves the view as it is.
    window_->document().setView([this](Project& project) { project.view = usual_; });
  }

  void cleanupTestCase() { stage_.close(); }

  // While actors dissolve the view is drawn again by itself, and it rests afterwards.
  void actorsDissolveUntilTheViewRests() {
    const auto allow = [this](double pixels) {
      window_->document().setView([pixels](Project& project) {
        project.view.detail = {.mode = ck::DetailMode::Auto, .pixels = pixels, .keepsUp = false};
      });
    };
    const auto stats = [this] {
      return viewport_->renderer()->stats().detail.value_or(ck::render::DetailStats{});
    };
    allow(ck::kFewestDetailPixels);
    QTRY_VERIFY_WITH_TIMEOUT(stats().inView > 0 && !stats().isPending, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(stats().dissolving, std::size_t(0), kPatienceMs);
    std::vector<std::size_t> dissolving;  // in every picture
    connect(viewport_, &ViewportWidget::framePainted, this,
            [&] { dissolving.push_back(stats().dissolving); });
    allow(ck::kMostDetailPixels);
    const auto hasEnded = [&] {
      return dissolving.size() > 1 && dissolving.front() > 0 && dissolving.back() == 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), kPatienceMs);
    const std::size_t painted = dissolving.size();
    QTest::qWait(300);
    QVERIFY(dissolving.size() <= painted + 1);
    disconnect(viewport_, &ViewportWidget::framePainted, this, nullptr);
  }

  void theShownPictureIsNotDrawnAgain() {
    window_->playback().setPlaying(false);
    window_->playback().seek(0.3);
    const QImage drawn = viewport_->grabFramebuffer();
    window_->playback().seek(0.8);  // to be painted later
    QSignalSpy painted(viewport_, &ViewportWidget::framePainted);
    const QImage shown = viewport_->shownPicture();
    QCOMPARE(painted.count(), 0);
    QCOMPARE(shown.size(), drawn.size());
    QCOMPARE(differences(shown, drawn.convertToFormat(shown.format())), 0);
    // A view that was never painted in this size is drawn.
    const QSize before = window_->size();
    window_->resize(before - QSize(80, 60));
    QTRY_COMPARE_WITH_TIMEOUT(viewport_->shownPicture().size(), viewport_->grabFramebuffer().size(),
                              kPatienceMs);
    window_->resize(before);
  }

  void theCrowdIsThereAndMoves() {
    window_->playback().seek(0.3);
    const QImage first = viewport_->grabFramebuffer();
    window_->playback().seek(0.8);
    const QImage later = viewport_->grabFramebuffer();
    QVERIFY(differences(first, later) > 1000);
    QCOMPARE(viewport_->renderer()->stats().drawCalls, 1);
    window_->document().edit("All off", [](Project& p) {
      for (std::size_t i = 0; i < p.actors.size(); ++i) {
        ck::Actor actor = p.actors[i];
        actor.on = false;
        p.actors.set(i, actor);
      }
    });
    const QImage nobody = viewport_->grabFramebuffer();
    window_->document().undoStack().undo();
    QVERIFY(differences(later, nobody) > 5000);
  }

  void theViewIsMovedByMouse() {
    const QPoint middle = viewport_->rect().center();
    const ck::render::Camera before = viewport_->camera();
    QTest::mousePress(viewport_, Qt::MiddleButton, {}, middle);
    QTest::mouseMove(viewport_, middle + QPoint(40, 10));
    QTest::mouseRelease(viewport_, Qt::MiddleButton, {}, middle + QPoint(40, 10));
    QVERIFY(viewport_->camera().yaw != before.yaw);
    const auto orbited = viewport_->camera();
    QTest::mousePress(viewport_, Qt::MiddleButton, Qt::ShiftModifier, middle);
    QTest::mouseMove(viewport_, middle + QPoint(30, 0));
    QTest::mouseRelease(viewport_, Qt::MiddleButton, Qt::ShiftModifier, middle);
    QVERIFY(viewport_->camera().target != orbited.target);
    QCOMPARE(viewport_->camera().yaw, orbited.yaw);
    const double distance = viewport_->camera().distance;
    QWheelEvent wheel(middle, viewport_->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(viewport_, &wheel);
    QVERIFY(viewport_->camera().distance < distance);
    const double closer = viewport_->camera().distance;
    QTest::keyClick(viewport_, Qt::Key_Home);
    QVERIFY(viewport_->camera().distance != closer);
  }

  void aClickSelectsTheActorUnderIt() {
    window_->playback().seek(0.0);
    window_->selection().clear();
    viewport_->frameAll();
    const ck::MixedCrowd& crowd = *window_->playback().crowd();
    std::vector<ck::gpu::CkActor> records;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      records.push_back(crowd.crowdOf(i).instances()[crowd.placeOf(i).index]);
    }
    const ck::render::Camera& camera = viewport_->camera();
    const double aspect = double(viewport_->width()) / viewport_->height();
    const glm::mat4 toClip =
        ck::render::projectionMatrix(camera, aspect) * ck::render::viewMatrix(camera);
    // The one nearest to the eye has nobody in front.
    std::size_t nearest = 0;
    float least = 1e30f;
    glm::vec4 place(0.0f);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const glm::vec3 waist = glm::vec3(records[i].positionAlphaA) + glm::vec3(0, 1.0f, 0);
      const glm::vec4 clip = toClip * glm::vec4(waist, 1.0f);
      if (clip.w >= least || window_->document()
                                     .project()
                                     .characters.front()
                                     .clips[std::size_t(crowd.crowds()[0].clipOf(i))]
                                     .name == "fall")
        continue;
      least = clip.w;
      nearest = i;
      place = clip;
    }
    const QPoint pixel(int((place.x / place.w * 0.5f + 0.5f) * float(viewport_->width())),
                       int((0.5f - place.y / place.w * 0.5f) * float(viewport_->height())));
    // Asked before the click: what is selected counts for which actors are shown on a slow machine.
    const int actor = window_->playback().actorOf(nearest);
    QTest::mouseClick(viewport_, Qt::LeftButton, {}, pixel);
    QCOMPARE(window_->selection().actors(), std::vector<int>{actor});
    QTest::mouseClick(viewport_, Qt::LeftButton, Qt::ControlModifier, pixel);
    QVERIFY(window_->selection().actors().empty());
    // A box around everything.
    QTest::mousePress(viewport_, Qt::LeftButton, {}, QPoint(2, 2));
    QTest::mouseMove(viewport_, viewport_->rect().center());
    QTest::mouseMove(viewport_, viewport_->rect().bottomRight() - QPoint(2, 2));
    const std::size_t shown = window_->playback().crowd()->size();
    QTest::mouseRelease(viewport_, Qt::LeftButton, {},
                        viewport_->rect().bottomRight() - QPoint(2, 2));
    QCOMPARE(window_->selection().actors().size(), shown);
    QTest::keyClick(viewport_, Qt::Key_Escape);
    QVERIFY(window_->selection().actors().empty());
  }

  void bareKeysWorkInTheViewportOnly() {
    Playback& playback = window_->playback();
    viewport_->setFocus();
    QTest::keyClick(viewport_, Qt::Key_Space);
    QVERIFY(playback.isPlaying());
    QTest::keyClick(viewport_, Qt::Key_Space);
    QVERIFY(!playback.isPlaying());
    QLineEdit& filter = window_->panel<ActorsPanel>().filterField();
    filter.setFocus();
    QTest::keyClicks(&filter, "f ");
    QCOMPARE(filter.text(), QString("f "));
    QVERIFY(!playback.isPlaying());
    filter.clear();
  }

  void everyWayToReadThePaletteDraws() {
    ViewportWidget& viewport = *viewport_;
    // Software renderers would get vertices that the processor has skinned.
    window_->document().edit("On the GPU",
                             [](Project& p) { p.view.pose.skinOn = ck::SkinOn::Gpu; });
    const QImage before = viewport.grabFramebuffer();
    const auto reads = {ck::PaletteRead::TextureBuffer, ck::PaletteRead::StorageBuffer,
                        ck::PaletteRead::Auto};
    for (const auto read : reads) {
      window_->document().edit("Read", [read](Project& p) { p.view.pose.paletteRead = read; });
      QVERIFY(differences(viewport.grabFramebuffer(), before) < 50);
    }
    QCOMPARE(viewport.renderer()->stats().fetchesPerVertex, 12);
  }

  void timeLineStepsByFrames() {
    auto* ruler = window_->findChild<TimelineRuler*>();
    QVERIFY(ruler);
    ruler->scrubTo(0.0);
    QVERIFY(std::abs(ruler->frame()) < 0.01);
    ruler->step(1);
    ruler->step(1);
    QVERIFY(std::abs(ruler->frame() - 2.0) < 0.01);
    ruler->step(-1);
    QVERIFY(std::abs(ruler->frame() - 1.0) < 0.01);
    QTest::mouseClick(ruler, Qt::LeftButton, {}, QPoint(ruler->width() / 2, 30));
    const auto clip = window_->playback().shownClip();
    QVERIFY(std::abs(ruler->frame() - (clip->frameCount - 1) / 2.0) < 1.0);
  }

  void theViewReadsTheAtlasInOtherWays() {
    auto* menu = window_->findChild<VariantMenu*>();
    QVERIFY(menu);
    const auto fetches = [this] {
      viewport_->grabFramebuffer();
      return viewport_->renderer()->stats().fetchesPerVertex;
    };
    // Software renderers get vertices that the processor has skinned, one texel each.
    const auto groups = menu->findChildren<QActionGroup*>();
    QCOMPARE(groups.size(), 4);
    const QList<QAction*> samplings = groups[0]->actions();
    const QList<QAction*> processors = groups[2]->actions();
    QVERIFY(processors[0]->isChecked());
    QStringList headings;
    for (const QLabel* label : menu->findChildren<QLabel*>()) headings << label->text();
    QCOMPARE(headings.size(), 4);
    QCOMPARE(headings[0], QString("Between frames"));
    QVERIFY(!groups[3]->actions()[1]->isEnabled());
    if (viewport_->renderer()->facts().software) QCOMPARE(fetches(), 1);
    if (viewport_->renderer()->facts().software) {
      QCOMPARE(samplings[1]->toolTip(), QString("1 texel fetch per vertex"));
    }
    processors[1]->trigger();
    const ck::ViewSettings onGpu = window_->document().project().view;
    QCOMPARE(samplings[1]->toolTip(), QString("12 texel fetches per vertex"));
    // The palette has three rows an influence, and is not read by the texture unit.
    QCOMPARE(fetches(), 12);
    QVERIFY(!samplings[2]->isEnabled());
    QVERIFY(samplings[2]->toolTip().contains("methods atlas and matrix"));
    window_->document().edit("Method", [](Project& p) { p.view.pose.method = ck::Method::Atlas; });
    QCOMPARE(fetches(), 16);
    const int steps = window_->document().undoStack().count();
    samplings[2]->trigger();
    QVERIFY(window_->document().project().view.pose.sampling == ck::Sampling::HardwareLinear);
    QCOMPARE(window_->document().undoStack().count(), steps);
    QCOMPARE(fetches(), 8);
    QVERIFY(samplings[2]->toolTip().startsWith("8 texel fetches"));
    groups[1]->actions()[3]->trigger();
    QCOMPARE(fetches(), 2);
    QAction& compact = *stage_.action("&Compact records");
    compact.trigger();
    QCOMPARE(fetches(), 2);
    // A crowd that fades has no place in the compact record.
    window_->document().edit("Fade", [](Project& p) {
      // All of them: not every actor may be shown.
      for (std::size_t i = 0; i < p.actors.size(); ++i) {
        ck::Actor actor = p.actors[i];
        actor.fadeClip = 1;
        actor.fade = 0.5f;
        p.actors.set(i, actor);
      }
    });
    QVERIFY(compact.toolTip().contains("second clip"));
    QVERIFY(!viewport_->drawable().samplingRefusal.empty());
    QVERIFY(fetches() > 0);
    window_->document().undoStack().undo();
    window_->document().setView([&onGpu](Project& project) { project.view = onGpu; });
    QCOMPARE(fetches(), 12);
  }

  void bookTimingIsShownBesideOurs() {
    viewport_->setViewMode(ck::ViewMode::Compared);
    window_->playback().seek(0.51);
    const QImage picture = viewport_->grabFramebuffer();
    viewport_->setViewMode(ck::ViewMode::Baked);
    const QImage ours = viewport_->grabFramebuffer();
    const int half = picture.width() / 2;
    // Between them is the line with its handle.
    constexpr int kLine = 24;
    const QRect left(0, 0, half - kLine, picture.height());
    const QRect right(half + kLine, 0, half - kLine, picture.height());
    QVERIFY(differences(picture.copy(left), ours.copy(left)) < 20);
    QVERIFY(differences(picture.copy(right), ours.copy(right)) > 100);
  }

  void rejectsBlendFiguresOfNobody() {
    viewport_->setViewMode(ck::ViewMode::Blends);
    QTRY_VERIFY(figures("Relative to the parent").contains("nobody fades now"));
    QVERIFY(figures("In the world").contains("Edit > Fade"));
    window_->playback().seek(0.0);
    window_->document().edit("Fade", [](Project& p) {
      ck::Actor actor = p.actors[1];
      actor.fadeClip = 1;
      actor.fadeAtSeconds = 3.5f;
      actor.fadeSeconds = 0.25f;
      p.actors.set(1, actor);
    });
    QTRY_VERIFY(figures("In the world").contains("actor 2 does from 3.50 to 3.75 s"));
    window_->document().undoStack().undo();
    viewport_->setViewMode(ck::ViewMode::Baked);
    QTRY_VERIFY(figures("Relative to the parent").isEmpty());
  }

  // Of the doe's own rig and atlas, not of the person's.
  void blendsSayWhatTheyCostForAnyCharacter() {
    const int steps = window_->document().undoStack().index();
    ck::ui::Session& session = window_->session();
    session.addCharacters({ck::test::sample("animal.glb")});
    QTRY_VERIFY_WITH_TIMEOUT(window_->document().project().characters.size() == 2, kPatienceMs);
    window_->playback().seek(0.4);
    window_->document().edit("Fade", [](Project& p) {
      for (std::size_t i = 0; i < p.actors.size(); ++i) {
        ck::Actor actor = p.actors[i];
        if (actor.character != 1) continue;
        actor.clip = 2;
        actor.fadeClip = 3;
        actor.fade = 0.5f;
        p.actors.set(i, actor);
      }
    });
    viewport_->setViewMode(ck::ViewMode::Blends);
    QTRY_VERIFY(figures("Relative to the parent").contains("mm off at worst"));
    const ck::MixedCrowd& crowd = *window_->playback().crowd();
    const auto known =
        ck::render::blendErrors(*session.character(1), *session.atlas(1), crowd.crowds()[1],
                                *ck::render::fadingActor(crowd.crowds()[1], {}));
    QVERIFY(known.world.worstMm > known.relative.worstMm);
    const auto mm = [](double figure) { return QLocale().toString(figure, 'f', 2) + " mm off"; };
    QVERIFY(figures("Relative to the parent").contains(mm(known.relative.worstMm)));
    QVERIFY(figures("In the world").contains(mm(known.world.worstMm)));
    viewport_->setViewMode(ck::ViewMode::Baked);
    window_->document().undoStack().setIndex(steps);
  }

  void coloursOfTheErrorHaveFigures() {
    const auto scale = [this](double mm) {
      window_->document().edit(QStringLiteral("scale"),
                               [mm](ck::Project& p) { p.view.errorScaleMm = mm; });
    };
    const int steps = window_->document().undoStack().index();
    viewport_->setViewMode(ck::ViewMode::Error);
    // Colours end at the artist's figure, whatever the vertices do ...
    scale(8000.0);
    for (const QString& text : {QStringLiteral("0 mm"), QLocale().toString(4000.0) + " mm",
                                QLocale().toString(8000.0) + " mm"}) {
      QTRY_COMPARE(figures(text), text);
    }
    scale(1e-6);
    QTRY_VERIFY(figures(QLocale().toString(1e-6) + " mm or more") != QString());
    // ... or at a round one that the worst vertex does not exceed.
    scale(0.0);
    const auto worst = [this] { return viewport_->renderer()->stats().errorView; };
    QTRY_VERIFY(worst() && worst()->scaleMm >= worst()->maxMm && worst()->scaleMm > 1e-3);
    QTRY_COMPARE(figures(QLocale().toString(worst()->scaleMm)),
                 QLocale().toString(worst()->scaleMm) + " mm");
    viewport_->setViewMode(ck::ViewMode::Baked);
    QTRY_VERIFY(figures("0 mm").isEmpty());
    QVERIFY(!viewport_->renderer()->stats().errorView);
    window_->document().undoStack().setIndex(steps);
  }

 private:
  // The text of the label over the view that begins so; empty where it is not shown.
  QString figures(const QString& beginning) {
    viewport_->update();
    for (const QLabel* label : window_->viewportFrame().findChildren<QLabel*>()) {
      if (label->isVisible() && label->text().startsWith(beginning)) return label->text();
    }
    return {};
  }

  WindowStage stage_;
  MainWindow* window_ = nullptr;
  ViewportWidget* viewport_ = nullptr;
  ck::ViewSettings usual_;
};

CK_TEST(tst_window_view, ck::test::EditorApplication)
#include "tst_window_view.moc"
