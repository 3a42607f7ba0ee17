#include <QAccessible>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QRegularExpression>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <QWindow>

#include "core/atlas/atlas_map.h"
#include "core/bake/bake.h"
#include "core/base/log.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"
#include "tests/ui/desk.h"
#include "ui/atlas_view/atlas_canvas.h"
#include "ui/atlas_view/atlas_panel.h"
#include "ui/atlas_view/atlas_readout.h"
#include "ui/document/document.h"
#include "ui/document/selection.h"
#include "ui/document/session.h"
#include "ui/playback/playback.h"
#include "ui/theme/theme.h"

using namespace ck::ui;

namespace {

ck::AtlasPtr bakedBar() {
  auto baked = ck::bake(ck::test::barCharacter(), {});
  return baked ? std::make_shared<ck::Atlas>(std::move(baked->atlas)) : nullptr;
}

// 10,000 x 1,000 texels: one clip of 1,000 frames, 5,000 joints.
ck::AtlasPtr hugeAtlas() {
  constexpr int kWidth = 10000;
  constexpr int kHeight = 1000;
  auto atlas = std::make_shared<ck::Atlas>();
  atlas->shape.block = glm::ivec4(2, kWidth, kHeight, 1);
  atlas->shape.extent = glm::ivec4(kWidth, kHeight, kWidth, 0);
  atlas->joints.resize(kWidth / 2);
  ck::AtlasClip clip;
  clip.name = "long";
  clip.frameCount = kHeight;
  atlas->clips.push_back(clip);
  atlas->texels.resize(std::size_t{8} * kWidth * kHeight);
  return atlas;
}

// Clips of ten frames each, 64 texels wide.
ck::AtlasPtr clipsAtlas(int count) {
  constexpr int kWidth = 64;
  constexpr int kFrames = 10;
  auto atlas = std::make_shared<ck::Atlas>();
  atlas->shape.block = glm::ivec4(2, kWidth, kFrames * count, 1);
  atlas->shape.extent = glm::ivec4(kWidth, kFrames * count, kWidth, 0);
  atlas->joints.resize(kWidth / 2);
  for (int i = 0; i < count; ++i) {
    ck::AtlasClip clip;
    clip.name = "Walk " + std::to_string(i);
    clip.firstFrame = i * kFrames;
    clip.frameCount = kFrames;
    atlas->clips.push_back(clip);
  }
  atlas->texels.resize(std::size_t{8} * kWidth * kFrames * std::size_t(count));
  return atlas;
}

// Pixels of a part of two pictures that are not the same.
int changedPixels(const QImage& a, const QImage& b, const QRect& part) {
  int count = 0;
  for (int y = part.top(); y <= part.bottom(); ++y) {
    for (int x = part.left(); x <= part.right(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  }
  return count;
}

QImage pictureOf(QWidget& widget) {
  return widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

void wheel(QWidget& widget, const QPointF& at, int notches) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

}  // namespace

class tst_atlas_view : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    ck::setLogToStderr(false);
    applyTheme(*qApp);
    QLocale::setDefault(QLocale::c());
    bar_ = bakedBar();
    QVERIFY(bar_);
  }

  void init() {
    canvas_ = std::make_unique<AtlasCanvas>();
    canvas_->resize(400, 300);
    canvas_->setAtlas(bar_);
    canvas_->show();
    QVERIFY(QTest::qWaitForWindowExposed(canvas_.get()));
  }
  void cleanup() { canvas_.reset(); }

  void rejectsTexelsOutsideOfTheTexture() {
    const AtlasReadout beside = atlasReadout(*bar_, {ck::atlasWidth(*bar_), 0});
    QVERIFY(beside.where.isEmpty() && beside.value.isEmpty() && beside.raw.isEmpty());
    QVERIFY(atlasReadout(*bar_, {0, -1}).where.isEmpty());
    canvas_->setCursorTexel({-5, 100000});
    QCOMPARE(*canvas_->cursorTexel(), QPoint(0, ck::atlasHeight(*bar_) - 1));
  }

  void theReadoutSaysClipFrameJointAndValue() {
    // Bend, frame 15 of 30 in one second: the upper joint is turned by 90 degrees.
    const glm::ivec2 at = ck::gpu::ck_atlasTexel(bar_->shape, 15, 1, 1);
    const AtlasReadout turn = atlasReadout(*bar_, {at.x, at.y});
    const QString joint = QString::fromStdString(bar_->joints[1].name);
    QCOMPARE(turn.where, QStringLiteral("Bend, frame 15 (0.50 s), %1, rotation").arg(joint));
    QVERIFY2(turn.value.contains("(90.0 degrees)"), qPrintable(turn.value));
    // The joint's place in the bind pose, which it does not leave.
    const glm::vec3 pivot = bar_->joints[1].pivot;
    const AtlasReadout place = atlasReadout(*bar_, {at.x - 1, at.y});
    QCOMPARE(place.value, QStringLiteral("x %1 m  y %2 m  z %3 m  scale 1.000")
                              .arg(pivot.x, 0, 'f', 3)
                              .arg(pivot.y, 0, 'f', 3)
                              .arg(pivot.z, 0, 'f', 3));
    const QStringList raw = turn.raw.split(' ');
    QCOMPARE(raw.size(), 4);
    // 0x8000 or a step beside it is the middle of -1..1: no turn about y.
    const int middle = raw[1].toInt(nullptr, 16);
    QVERIFY2(middle >= 0x7fff && middle <= 0x8000, qPrintable(turn.raw));
  }

  void packedTexelsAreReadAsWords() {
    ck::BakeSettings settings;
    settings.encoding = ck::Encoding::U64;
    const auto baked = ck::bake(ck::test::barCharacter(), settings);
    QVERIFY(baked);
    const glm::ivec2 at = ck::gpu::ck_atlasTexel(baked->atlas.shape, 15, 1, 0);
    const AtlasReadout readout = atlasReadout(baked->atlas, {at.x, at.y});
    QVERIFY2(readout.where.endsWith(", position, scale and rotation"), qPrintable(readout.where));
    // Ten bits are up to 0.275 degrees off.
    const QRegularExpression turned("scale 1\\.000, .*\\((89\\.[7-9]|90\\.[0-3]) degrees\\)");
    QVERIFY2(turned.match(readout.value).hasMatch(), qPrintable(readout.value));
    const QStringList raw = readout.raw.split(' ');
    QCOMPARE(raw.size(), 2);
    for (const QString& word : raw) QCOMPARE(word.size(), 10);
    QCOMPARE(texelFigures(baked->atlas, {at.x, at.y}), raw);
  }

  void placesRoundTripAtEveryZoom() {
    for (int step = 0; step < 30; ++step) {
      const QPointF at(123.0, 77.0);
      const QPointF back = canvas_->fromTexels(canvas_->toTexels(at));
      QVERIFY(QLineF(at, back).length() < 1e-6);
      wheel(*canvas_, {200, 150}, 1);
    }
  }

  void zoomKeepsTheTexelUnderTheCursor() {
    const QPointF at(260.0, 190.0);
    // From the whole on, an axis that needs no more room stands still.
    while (canvas_->scale().x() != canvas_->scale().y()) wheel(*canvas_, {200, 150}, 1);
    const QPointF before = canvas_->toTexels(at);
    wheel(*canvas_, at, 2);
    QVERIFY(QLineF(before, canvas_->toTexels(at)).length() < 1e-6);
    for (int i = 0; i < 40; ++i) wheel(*canvas_, at, 1);
    QVERIFY(QLineF(before, canvas_->toTexels(at)).length() < 1e-6);
    QVERIFY2(canvas_->scale().x() >= 32.0, "single texels");
    for (int i = 0; i < 80; ++i) wheel(*canvas_, at, -1);
    const QPointF low = canvas_->fromTexels({0, 0});
    const QPointF high =
        canvas_->fromTexels(QPointF(ck::atlasWidth(*bar_), ck::atlasHeight(*bar_)));
    QVERIFY2(low.x() >= 0 && low.y() >= 0 && high.x() <= 400 && high.y() <= 300, "the whole");
  }

  void theKeyboardMovesZoomsAndShowsTheWhole() {
    canvas_->setCursorTexel({2, 3});
    QTest::keyClick(canvas_.get(), Qt::Key_Right);
    QTest::keyClick(canvas_.get(), Qt::Key_Down);
    QCOMPARE(*canvas_->cursorTexel(), QPoint(3, 4));
    QTest::keyClick(canvas_.get(), Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(*canvas_->cursorTexel(), QPoint(3, 12));
    QTest::keyClick(canvas_.get(), Qt::Key_Left);
    QTest::keyClick(canvas_.get(), Qt::Key_Up);
    QCOMPARE(*canvas_->cursorTexel(), QPoint(2, 11));
    const QPointF whole = canvas_->scale();
    for (int i = 0; i < 30; ++i) QTest::keyClick(canvas_.get(), Qt::Key_Plus);
    QVERIFY(canvas_->scale().y() > whole.y());
    // The cursor leads the lens.
    for (int i = 0; i < 20; ++i) QTest::keyClick(canvas_.get(), Qt::Key_Down);
    const QPointF cursor = canvas_->fromTexels(*canvas_->cursorTexel());
    QVERIFY(canvas_->rect().contains(cursor.toPoint()));
    QVERIFY(canvas_->accessibleDescription().contains("frame"));
    QVERIFY(!canvas_->accessibleName().isEmpty());
    QTest::keyClick(canvas_.get(), Qt::Key_F);
    QCOMPARE(canvas_->scale(), whole);
    QTest::keyClick(canvas_.get(), Qt::Key_Escape);
    QVERIFY(!canvas_->cursorTexel());
  }

  void draggingPansAndAClickKeepsATexel() {
    for (int i = 0; i < 25; ++i) wheel(*canvas_, {200, 150}, 1);
    const QPointF before = canvas_->toTexels({100, 100});
    QTest::mousePress(canvas_.get(), Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(canvas_.get(), {110, 100});
    QTest::mouseMove(canvas_.get(), {140, 130});
    QTest::mouseRelease(canvas_.get(), Qt::LeftButton, {}, {140, 130});
    QVERIFY(QLineF(before, canvas_->toTexels({140, 130})).length() < 1e-6);
    const QPointF texel = canvas_->toTexels({50, 60});
    QTest::mouseClick(canvas_.get(), Qt::LeftButton, {}, {50, 60});
    QTest::mouseMove(canvas_.get(), {300, 200});
    QCOMPARE(*canvas_->cursorTexel(), QPoint(int(texel.x()), int(texel.y())));
  }

  void channelsAndRangeMakeTheColours() {
    const QRectF one(1, 15, 1, 1);
    const glm::vec4 value = ck::texelValue(*bar_, 1, 15);
    AtlasLook look;
    const QColor rgb = atlasImage(*bar_, look, one, {1, 1}).pixelColor(0, 0);
    QCOMPARE(rgb.red(), int(std::lround(value.x * 255.0f)));
    QCOMPARE(rgb.blue(), int(std::lround(value.z * 255.0f)));
    look = soloed(look, 3);
    const QColor alpha = atlasImage(*bar_, look, one, {1, 1}).pixelColor(0, 0);
    QCOMPARE(alpha.red(), int(std::lround(value.w * 255.0f)));
    QCOMPARE(alpha.green(), alpha.red());
    look.low = value.w;
    look.high = value.w + 1.0f;
    QCOMPARE(atlasImage(*bar_, look, one, {1, 1}).pixelColor(0, 0), QColor(0, 0, 0));
    look.low = value.w - 1.0f;
    look.high = value.w;
    QCOMPARE(atlasImage(*bar_, look, one, {1, 1}).pixelColor(0, 0), QColor(255, 255, 255));
    QCOMPARE(atlasImage(*bar_, look, {-1, 0, 1, 1}, {1, 1}).pixelColor(0, 0).alpha(), 0);
  }

  void oneChannelStaysAndAlphaStandsAlone() {
    AtlasLook look;
    look = toggled(toggled(toggled(look, 0), 1), 2);
    QVERIFY2(look.channels[2], "the last one does not go out");
    look = toggled(look, 3);
    QVERIFY((look.channels == std::array{false, false, false, true}));
    look = toggled(look, 0);
    QVERIFY((look.channels == std::array{true, false, false, false}));
  }

  void aHugeAtlasCostsWhatTheViewShows() {
    const ck::AtlasPtr huge = hugeAtlas();
    canvas_->setAtlas(huge);
    canvas_->grab();
    QVERIFY(canvas_->convertedPixels() > 0);
    QVERIFY(canvas_->convertedPixels() <= 401 * 301);
    for (int i = 0; i < 80; ++i) wheel(*canvas_, {200, 150}, 1);
    canvas_->grab();
    QVERIFY(canvas_->convertedPixels() <= 401 * 301);
    QVERIFY(canvas_->scale().x() >= 32.0);
  }

  void thePanelSolosFitsAndFollowsTheAtlas() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    Playback playback(document, session);
    Selection selection(document);
    AtlasPanel panel(document, session, playback, selection);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QVERIFY(!panel.canvas().atlas());
    QToolButton* green = nullptr;
    for (QToolButton* button : panel.findChildren<QToolButton*>()) {
      QVERIFY(!button->accessibleName().isEmpty());
      if (button->accessibleName() == "Green") green = button;
    }
    QVERIFY(green);
    QContextMenuEvent menu(QContextMenuEvent::Mouse, {3, 3}, green->mapToGlobal(QPoint(3, 3)));
    QApplication::sendEvent(green, &menu);
    QVERIFY((panel.canvas().look().channels == std::array{false, true, false, false}));
    QVERIFY(green->isChecked());
    auto limits = panel.findChildren<QDoubleSpinBox*>();
    QCOMPARE(limits.size(), 2);
    limits[0]->setValue(0.25);
    QCOMPARE(panel.canvas().look().low, 0.25f);
  }

  void clipsAreNamedOnlyWhereTheirNameFits() {
    // 20 clips: 4 pixels each in a canvas of 100, 25 in one of 500.
    canvas_->setAtlas(clipsAtlas(20));
    const auto named = [this](int height) {
      canvas_->resize(400, height);
      canvas_->setClipsVisible(true);
      const QImage with = pictureOf(*canvas_);
      canvas_->setClipsVisible(false);
      // Behind the strip at the left, by which clips are told apart at any size.
      return changedPixels(with, pictureOf(*canvas_), QRect(20, 20, 120, height - 40));
    };
    QCOMPARE(named(100), 0);
    QVERIFY(named(500) > 1000);
    // A narrow canvas has no room for a name inside, and none beside.
    canvas_->resize(60, 500);
    canvas_->setClipsVisible(true);
    const QImage with = pictureOf(*canvas_);
    canvas_->setClipsVisible(false);
    // The frames of 25 clips are lines of one pixel at their edges.
    QVERIFY(changedPixels(with, pictureOf(*canvas_), QRect(12, 12, 36, 476)) <= 36 * 2 * 20);
  }

  void markersAreOutlinesAndLeaveTheNumbersReadable() {
    canvas_->setFocusPolicy(Qt::NoFocus);
    canvas_->clearFocus();
    for (int i = 0; i < 40; ++i) wheel(*canvas_, {200, 150}, 1);
    canvas_->setClipsVisible(false);
    const QPointF texel = canvas_->toTexels({200, 150});
    const QImage without = pictureOf(*canvas_);
    const auto frame = double(int(texel.y()));
    const QPointF low = canvas_->fromTexels({std::floor(texel.x()), frame});
    const QPointF high = canvas_->fromTexels({std::floor(texel.x()) + 1.0, frame + 1.0});
    const QRect box(low.toPoint(), high.toPoint());
    const QRect inside = box.adjusted(3, 3, -4, -4);
    QVERIFY(inside.height() > 20);
    for (const bool actor : {false, true}) {
      canvas_->setMarkers({{frame, actor}});
      const QImage with = pictureOf(*canvas_);
      QCOMPARE(changedPixels(without, with, inside), 0);
      QVERIFY(changedPixels(without, with, QRect(box.left(), box.top() - 2, box.width(), 5)) > 20);
      canvas_->setMarkers({});
    }
  }

  void thePanelIsReadableAtEverySize() {
    ck::test::startWithSamples();
    ck::test::Desk desk;
    QVERIFY(desk.open());
    // In a dock, the window decides the size.
    QWidget host;
    AtlasPanel panel(desk.document, desk.session, desk.playback, desk.selection, &host);
    host.resize(1200, 800);
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host));
    desk.selection.set({3, 8});
    for (const QSize size : {QSize(900, 100), QSize(420, 240), QSize(345, 500), QSize(1100, 760)}) {
      panel.resize(size);
      QCoreApplication::processEvents();
      QCOMPARE(panel.size(), size);
      QVERIFY(panel.canvas().height() >= 80);
      for (QWidget* part : panel.findChildren<QWidget*>()) {
        if (!part->isVisible()) continue;
        const QRect at(part->mapTo(&panel, QPoint()), part->size());
        QVERIFY2(panel.rect().contains(at), part->metaObject()->className());
      }
      // No button lies on the texture.
      QVERIFY(panel.canvas().findChildren<QWidget*>().isEmpty());
      panel.canvas().setCursorTexel({5, 12});
      panel.grab().save(QStringLiteral(CK_PICTURES_DIR "/atlas-%1.png").arg(size.height()));
    }
  }

  void aNewWindowMarksTheSelectionAndPlaysOnSpace() {
    ck::test::startWithSamples();
    ck::test::Desk desk;
    QVERIFY(desk.open());
    QWidget host;
    AtlasPanel panel(desk.document, desk.session, desk.playback, desk.selection, &host);
    host.setGeometry(400, 300, 900, 600);
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host));
    desk.selection.set({3, 8});
    panel.openWindow();
    AtlasPanel* apart = nullptr;
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      if (auto* one = qobject_cast<AtlasPanel*>(widget)) apart = one;
    }
    QVERIFY(apart && QTest::qWaitForWindowExposed(apart));
    int actors = 0;
    for (const AtlasMarker& marker : apart->canvas().markers()) actors += marker.actor ? 1 : 0;
    QCOMPARE(actors, 2);
    // Not in the corner of the screen, and above its window.
    QVERIFY(apart->screen()->availableGeometry().contains(apart->geometry()));
    QVERIFY(apart->pos().x() > 0);
    QVERIFY(apart->windowHandle()->transientParent() == host.windowHandle());
    QVERIFY(apart->windowFlags().testFlag(Qt::Tool));
    QSignalSpy asked(&panel, &AtlasPanel::playAsked);
    QTest::keyClick(&apart->canvas(), Qt::Key_Space);
    QCOMPARE(asked.size(), 1);
  }

  void aDoubleClickOpensAWindowThatGoesWithThePanel() {
    Document document;
    TaskRunner tasks;
    Session session(document, tasks);
    Playback playback(document, session);
    Selection selection(document);
    auto panel = std::make_unique<AtlasPanel>(document, session, playback, selection);
    panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
    const auto apart = [&]() -> AtlasPanel* {
      for (QWidget* widget : QApplication::topLevelWidgets()) {
        auto* one = qobject_cast<AtlasPanel*>(widget);
        if (one && one != panel.get()) return one;
      }
      return nullptr;
    };
    panel->canvas().setAtlas(bar_);
    QTest::mouseDClick(&panel->canvas(), Qt::LeftButton, {}, {20, 20});
    QVERIFY(apart() && apart()->isVisible());
    QVERIFY(!apart()->windowTitle().isEmpty());
    apart()->canvas().setAtlas(bar_);
    QTest::mouseDClick(&apart()->canvas(), Qt::LeftButton, {}, {20, 20});
    QTest::mouseDClick(&panel->canvas(), Qt::LeftButton, {}, {20, 20});
    int windows = 0;
    for (QWidget* widget : QApplication::topLevelWidgets()) {
      windows += qobject_cast<AtlasPanel*>(widget) ? 1 : 0;
    }
    QCOMPARE(windows, 2);
    panel.reset();
    QVERIFY(!apart());
  }

 private:
  ck::AtlasPtr bar_;
  std::unique_ptr<AtlasCanvas> canvas_;
};

CK_TEST(tst_atlas_view, QApplication)
#include "tst_atlas_view.moc"
