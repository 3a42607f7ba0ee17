#include <QTest>

#include "core/error/bake_error.h"
#include "core/import/import_process.h"
#include "core/system/files.h"
#include "render/gl/handle.h"
#include "tests/support/gl_agreement.h"
#include "tests/support/import_worker.h"
#include "tests/support/rig_files.h"
#include "tests/support/test_program.h"

using ck::test::BakedRig;
using ck::test::GlStage;

namespace {

// For actors of two metres that stand within a few metres: what float adds on stored frames.
constexpr double kFloats = 3e-5;
// The error that the polynomial of the live poser's arcs adds where keys lie half a turn apart
// (core/anim/live_poser.h).
constexpr double kLive = 5e-4;
// The largest scale of an actor (variedActors), and what a measured error may be too small by.
constexpr double kLargestScale = 1.05;
constexpr double kMeasured = 1.03;

struct Case {
  QString rig;  // a file, or the number of a coded rig
  ck::Encoding encoding = ck::Encoding::P16;
  ck::LayoutKind layout = ck::LayoutKind::Rows;
  int influences = 4;
  bool interpolate = true;
};

void addRow(const Case& one, const QString& rigName) {
  const QString name =
      QString("%1, %2, %3, %4 influences, %5")
          .arg(rigName)
          .arg(QString::fromStdString(std::string(ck::encodingInfo(one.encoding).name)))
          .arg(QString::fromStdString(std::string(ck::layoutKindName(one.layout))))
          .arg(one.influences)
          .arg(one.interpolate ? "interpolated" : "nearest");
  QTest::newRow(qPrintable(name)) << one.rig << static_cast<int>(one.encoding)
                                  << static_cast<int>(one.layout) << one.influences
                                  << one.interpolate;
}

// Every pair of two of these values is in some row: the first two run through all combinations, the
// others go round beside them at other speeds.
void addPairwise(const QString& rig, const QString& rigName) {
  int row = 0;
  for (const ck::EncodingInfo& encoding : ck::allEncodings()) {
    for (const auto layout :
         {ck::LayoutKind::Rows, ck::LayoutKind::Tiles, ck::LayoutKind::Linear}) {
      constexpr int kInfluences[] = {4, 1, 2};
      addRow({rig, encoding.encoding, layout, kInfluences[(row + row / 3) % 3], row % 2 == 0},
             rigName);
      ++row;
    }
  }
}

}  // namespace

// The full matrix of what methods must agree on (label slow): every combination on coded rigs, and
// on the samples and the shared rigs every pair of them.
class tst_skinners_matrix : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }
  void cleanup() { QCOMPARE(stage_.complaints(), std::string()); }
  void cleanupTestCase() { QCOMPARE(ck::render::liveGlObjects(), 0); }

  void agree_data() {
    QTest::addColumn<QString>("rig");
    QTest::addColumn<int>("encoding");
    QTest::addColumn<int>("layout");
    QTest::addColumn<int>("influences");
    QTest::addColumn<bool>("interpolate");
    const auto coded = ck::test::codedRigs();
    for (std::size_t r = 0; r < coded.size(); ++r) {
      for (const ck::EncodingInfo& encoding : ck::allEncodings()) {
        for (const auto layout :
             {ck::LayoutKind::Rows, ck::LayoutKind::Tiles, ck::LayoutKind::Linear}) {
          for (const int influences : {1, 2, 4}) {
            for (const bool interpolate : {false, true}) {
              addRow({QString::number(r), encoding.encoding, layout, influences, interpolate},
                     QString::fromStdString(coded[r].name));
            }
          }
        }
      }
    }
    for (const ck::test::RigFile& file : ck::test::rigFiles()) {
      const bool manyAlike = file.path.extension() == ".gltf" && file.name != "strip.gltf";
      if (manyAlike || !file.whyNotBaked.empty()) continue;
      addPairwise(QString::fromStdString(ck::pathText(file.path)),
                  QString::fromStdString(file.name));
    }
  }

  void agree() {
    CK_NEEDS_GL(stage_);
    QFETCH(QString, rig);
    QFETCH(int, encoding);
    QFETCH(int, layout);
    QFETCH(int, influences);
    QFETCH(bool, interpolate);
    const ck::Character* character = characterOf(rig);
    QVERIFY2(character != nullptr, qPrintable(problem_));
    ck::BakeSettings settings;
    settings.encoding = static_cast<ck::Encoding>(encoding);
    settings.layout = static_cast<ck::LayoutKind>(layout);
    settings.maxTextureSize = 16384;
    auto cost = ck::bakeCost(*character, settings);
    // The smallest tiles that hold a clip each.
    for (settings.tile = 64; settings.layout == ck::LayoutKind::Tiles && settings.tile <= 4096;
         settings.tile *= 2) {
      cost = ck::bakeCost(*character, settings);
      if (cost) break;
    }
    // Rigs whose joints mostly move, or change their scales, are for other encodings.
    if (!cost && ck::isLocal(ck::encodingInfo(settings))) {
      QCOMPARE(cost.error().code, ck::ErrorCode::InvalidInput);
      QVERIFY(cost.error().message.find("; bake as ") != std::string::npos);
      return;
    }
    QVERIFY2(cost, cost ? "" : cost.error().message.c_str());
    const BakedRig baked = ck::test::bakedRig(*character, settings);
    auto renderer = ck::render::CrowdRenderer::make();
    QVERIFY(renderer.has_value());
    QVERIFY((*renderer)->setCharacter(baked.character).has_value());
    const auto taken = (*renderer)->setAtlas(baked.atlas);
    QVERIFY2(taken.has_value(), taken ? "" : taken.error().message.c_str());
    ck::render::RenderSettings view = ck::test::plainSettings();
    view.view.pose.influences = influences;
    view.view.pose.sampling = ck::samplingFor(interpolate);
    const auto agreement = ck::test::agreementOf(
        **renderer, baked, ck::test::momentsOf(baked, rig.size() == 1 ? 6 : 2), view);
    QVERIFY2(agreement.problem.empty(), agreement.problem.c_str());
    QVERIFY2(agreement.worstMeters < agreement.toleranceMeters(),
             qPrintable(QString("%1 m: %2")
                            .arg(agreement.worstMeters)
                            .arg(QString::fromStdString(agreement.where))));
    QVERIFY2(agreement.worstLiveMeters < kLive,
             qPrintable(QString("%1 m by live").arg(agreement.worstLiveMeters)));
    // The source is the same wherever texels lie.
    if (settings.layout == ck::LayoutKind::Rows) {
      checkSource(rig, baked, agreement, influences, interpolate);
    }
  }

 private:
  // How far an atlas is from its source is what was measured of it as it is drawn. On stored frames
  // it is the rounding that is documented of its encoding, where nothing else is lost: of humans.
  void checkSource(const QString& rig, const BakedRig& baked, const ck::test::Agreement& agreement,
                   int influences, bool interpolate) {
    const ck::EncodingInfo& encoding = ck::encodingInfo(baked.atlas->recipe);
    const auto error = ck::measureBakeError(*baked.character, *baked.atlas,
                                            {.influences = influences, .interpolate = interpolate});
    QVERIFY2(error.has_value(), error ? "" : error.error().message.c_str());
    const double measured =
        0.001 * std::max(error->palette.vertices.max, error->direct.vertices.max);
    QVERIFY2(agreement.worstOfSourceMeters < kLargestScale * kMeasured * measured + kLive,
             qPrintable(QString("%1 m from the source, %2 m measured")
                            .arg(agreement.worstOfSourceMeters)
                            .arg(measured)));
    if (!rig.endsWith(QStringLiteral("humanoid.glb")) || influences != 4) return;
    const auto rounding = ck::test::documentedRoundingMm(encoding.encoding);
    QVERIFY2(rounding.has_value(), "docs/techniques.md 3.2 does not say what the encoding loses");
    QVERIFY2(agreement.worstOnFramesMeters < kLargestScale * 0.001 * *rounding + kFloats,
             qPrintable(QString("%1 m on stored frames, %2 mm documented")
                            .arg(agreement.worstOnFramesMeters)
                            .arg(*rounding)));
  }

  // The rows of a rig follow one another. Null where it cannot be read; problem_ says why.
  const ck::Character* characterOf(const QString& rig) {
    if (rig != known_) {
      known_ = rig;
      loaded_.reset();
      bool coded = false;
      const auto number = static_cast<std::size_t>(rig.toInt(&coded));
      if (coded) {
        loaded_ = std::move(ck::test::codedRigs()[number].character);
      } else if (auto read = ck::importCharacter(ck::pathFromText(rig.toStdString()),
                                                 {.heightMeters = 2.0})) {
        loaded_ = std::move(*read);
      } else {
        problem_ = QString::fromStdString(read.error().message);
      }
    }
    return loaded_ ? &*loaded_ : nullptr;
  }

  GlStage stage_;
  QString known_;
  QString problem_;
  std::optional<ck::Character> loaded_;
};

CK_TEST(tst_skinners_matrix)
#include "tst_skinners_matrix.moc"
