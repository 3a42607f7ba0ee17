#include <QTest>

#include "core/crowd/actor.h"
#include "core/import/import_process.h"
#include "core/morph/morph_set.h"
#include "core/system/files.h"
#include "render/gl/handle.h"
#include "tests/support/gl_stage.h"
#include "tests/support/import_worker.h"
#include "tests/support/test_program.h"

using ck::test::BakedRig;
using ck::test::GlStage;

namespace {

constexpr int kSide = 160;

// A way to draw the sample.
struct Way {
  const char* name = "";
  ck::Method method = ck::Method::Cpu;
  ck::SkinOn skinOn = ck::SkinOn::Gpu;
  bool matrix = false;  // from an atlas of matrices
  bool byBook = false;  // by the write-up's formulation, not by `method`
};
const Way kWays[] = {{"palette", ck::Method::Palette},
                     {"palette on the processor", ck::Method::Palette, ck::SkinOn::Cpu},
                     {"atlas", ck::Method::Atlas},
                     {"matrix", ck::Method::Matrix, ck::SkinOn::Gpu, true},
                     {"live", ck::Method::Live},
                     {"prepass", ck::Method::Prepass},
                     {"prepass on the processor", ck::Method::Prepass, ck::SkinOn::Cpu},
                     {"pool", ck::Method::Pool},
                     {"book", ck::Method::Atlas, ck::SkinOn::Gpu, false, true}};

// Which pixels differ, row by row.
std::vector<char> changed(const ck::render::Frame& a, const ck::render::Frame& b) {
  std::vector<char> mask(a.rgba.size() / 4, 0);
  for (std::size_t i = 0; i < mask.size() * 4; ++i) {
    if (std::abs(int(a.rgba[i]) - int(b.rgba[i])) > 6) mask[i / 4] = 1;
  }
  return mask;
}

// Pixels of either mask that have none of the other's among themselves and their neighbours.
int strays(const std::vector<char>& a, const std::vector<char>& b) {
  const auto near = [](const std::vector<char>& mask, int x, int y) {
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, kSide - 1); ++v) {
      for (int u = std::max(x - 1, 0); u <= std::min(x + 1, kSide - 1); ++u) {
        if (mask[static_cast<std::size_t>(v * kSide + u)] != 0) return true;
      }
    }
    return false;
  };
  int count = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const auto at = static_cast<std::size_t>(y * kSide + x);
      if (a[at] != 0 && !near(b, x, y)) ++count;
      if (b[at] != 0 && !near(a, x, y)) ++count;
    }
  }
  return count;
}

int countOf(const std::vector<char>& mask) {
  return static_cast<int>(std::count(mask.begin(), mask.end(), 1));
}

}  // namespace

// The sample's face while it walks, close up.
class tst_morph_images : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    ck::test::useBuiltImportWorker();
    if (!stage_.missing().empty()) return;
    auto sample =
        ck::importCharacter(ck::pathFromText(CK_SOURCE_DIR) / "resources/samples/humanoid.glb");
    QVERIFY(sample);
    const ck::Character& character = *sample;
    for (std::size_t i = 0; i < character.clips.size(); ++i) {
      if (character.clips[i].name == "walk") walk_ = static_cast<int>(i);
    }
    QVERIFY(walk_ >= 0);
    ck::BakeSettings matrices;
    matrices.encoding = ck::Encoding::M32;
    matrices_ = ck::test::bakedRig(character, matrices);
    usual_ = ck::test::bakedRig(std::move(*sample));
  }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void facesChangeWhereThoseOfTheProcessorDo_data() {
    QTest::addColumn<int>("way");
    QTest::addColumn<QString>("shape");
    for (std::size_t i = 0; i < std::size(kWays); ++i) {
      for (const char* shape : {"smile", "blink"}) {
        QTest::addRow("%s, %s", kWays[i].name, shape) << static_cast<int>(i) << QString(shape);
      }
    }
  }
  void facesChangeWhereThoseOfTheProcessorDo() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, way);
    QFETCH(QString, shape);
    const Way& asked = kWays[way];
    const BakedRig& rig = asked.matrix ? matrices_ : usual_;
    const Way reference{"cpu", ck::Method::Cpu};
    const auto due =
        changed(picture(rig, reference, shape, 0.0f), picture(rig, reference, shape, 1.0f));
    QVERIFY2(countOf(due) > 60, qPrintable(QString::number(countOf(due))));
    const auto drawn = changed(picture(rig, asked, shape, 0.0f), picture(rig, asked, shape, 1.0f));
    QVERIFY2(countOf(drawn) > countOf(due) * 9 / 10 && countOf(drawn) < countOf(due) * 11 / 10,
             qPrintable(QString("%1 and %2").arg(countOf(drawn)).arg(countOf(due))));
    // Poses between frames are read in two ways, which moves edges by less than a pixel.
    QVERIFY2(strays(drawn, due) <= countOf(due) / 100,
             qPrintable(QString::number(strays(drawn, due))));
  }

  // Its clips move the face too: where a clip shuts the eyes the picture is another than with eyes
  // that an actor keeps open.
  void clipsMoveTheFace_data() {
    QTest::addColumn<int>("way");
    for (std::size_t i = 0; i < std::size(kWays); ++i) {
      QTest::newRow(kWays[i].name) << static_cast<int>(i);
    }
  }
  void clipsMoveTheFace() {
    CK_NEEDS_GL(stage_);
    QFETCH(int, way);
    const Way& asked = kWays[way];
    const BakedRig& rig = asked.matrix ? matrices_ : usual_;
    const ck::Clip& clip = rig.character->clips[static_cast<std::size_t>(blinking(rig))];
    const auto shown = changed(picture(rig, asked, {}, 0.0f, shutAt(rig), blinking(rig)),
                               picture(rig, asked, "blink", 0.0f, shutAt(rig), blinking(rig)));
    QVERIFY2(countOf(shown) > 40, clip.name.c_str());
  }

 private:
  // The first clip with a key of the eyes shut, and when that is.
  static int blinking(const BakedRig& rig) {
    const ck::MorphSet set = ck::morphSetOf(*rig.character);
    const auto blink = static_cast<std::size_t>(ck::findMorph(set, "blink"));
    for (std::size_t c = 0; c < rig.character->clips.size(); ++c) {
      const ck::Clip& clip = rig.character->clips[c];
      for (int i = 0; i <= 100; ++i) {
        const double at = clip.startSeconds + clip.durationSeconds * 0.01 * i;
        if (ck::sampleMorphs(set, clip, at)[blink] > 0.8f) return static_cast<int>(c);
      }
    }
    return 0;
  }
  static float shutAt(const BakedRig& rig) {
    const ck::MorphSet set = ck::morphSetOf(*rig.character);
    const auto blink = static_cast<std::size_t>(ck::findMorph(set, "blink"));
    const ck::Clip& clip = rig.character->clips[static_cast<std::size_t>(blinking(rig))];
    float most = 0.0f;
    float unit = 0.0f;
    for (int i = 0; i <= 100; ++i) {
      const double at = clip.startSeconds + clip.durationSeconds * 0.01 * i;
      const float weight = ck::sampleMorphs(set, clip, at)[blink];
      if (weight > most) {
        most = weight;
        unit = 0.01f * static_cast<float>(i);
      }
    }
    return unit;
  }

  ck::render::Frame picture(const BakedRig& rig, const Way& way, const QString& shape, float weight,
                            float unit = 0.3f, int clip = -1) const {
    const auto renderer = ck::test::rendererFor(rig);
    std::vector<ck::Actor> actors(1);
    actors[0].clip = clip < 0 ? walk_ : clip;
    actors[0].offset = unit;
    actors[0].rate = 0.0f;
    if (!shape.isEmpty()) ck::setMorph(actors[0], shape.toStdString(), weight);
    const ck::Crowd crowd(actors, rig.clips);
    ck::render::RenderSettings settings = ck::test::plainSettings();
    settings.view.pose.method = way.method;
    if (way.byBook) ck::test::drawBy(ck::test::kBook, settings);
    settings.view.pose.skinOn = way.skinOn;
    settings.view.pose.influences = 4;
    const auto camera = ck::render::lookFrom({0.0, 1.6, 0.75}, {0.0, 1.6, 0.0});
    auto frame = renderer->drawToFrame(crowd, camera, settings, kSide, kSide);
    // No picture is no picture of nothing.
    if (!frame) qFatal("%s", frame.error().message.c_str());
    return std::move(*frame);
  }

  GlStage stage_;
  int walk_ = -1;
  BakedRig usual_;
  BakedRig matrices_;
};

CK_TEST(tst_morph_images)
#include "tst_morph_images.moc"
