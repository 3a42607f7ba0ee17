#include <QTest>
#include <cmath>
#include <stop_token>

#include "core/bake/bake.h"
#include "core/error/bake_error.h"
#include "core/fit/fit.h"
#include "core/fit/fit_bounds.h"
#include "core/fit/fit_candidates.h"
#include "core/fit/fit_front.h"
#include "tests/support/bake_rigs.h"
#include "tests/support/rigs.h"
#include "tests/support/test_program.h"

using ck::FitAdvice;
using ck::FitResult;
using ck::FitWish;
using ck::Reading;

namespace {

// The bake of some settings, found by baking and measuring.
struct Known {
  ck::BakeSettings settings;
  std::size_t bytes = 0;  // in the smallest layout
  ck::BakeError error;
};

const ck::ErrorFigures& figures(const Known& known, Reading reading) {
  return reading == Reading::Direct ? known.error.direct : known.error.palette;
}

FitWish smallWish() {
  FitWish wish;
  wish.choices.encodings = {ck::Encoding::P16, ck::Encoding::T16, ck::Encoding::T8};
  wish.choices.influences = {4, 1};
  wish.choices.rates = {{}, {.rateHz = 15.0}, {.frames = 7}};
  wish.choices.reductions = {0.0};
  return wish;
}

// Every combination of smallWish(), written out, baked and measured.
std::vector<Known> bakeAll(const ck::Character& character) {
  std::vector<ck::BakeSettings> all;
  for (const ck::Encoding encoding : {ck::Encoding::P16, ck::Encoding::T16, ck::Encoding::T8}) {
    for (const auto components : {ck::Components::Trs, ck::Components::Tr, ck::Components::R}) {
      if (encoding == ck::Encoding::P16 && components != ck::Components::Trs) continue;
      for (const auto range :
           {ck::RangeMode::Atlas, ck::RangeMode::Joint, ck::RangeMode::JointClip}) {
        for (const int influences : {1, 4}) {
          ck::BakeSettings settings;
          settings.encoding = encoding;
          settings.rangeMode = range;
          if (encoding != ck::Encoding::P16) settings.components = components;
          settings.influences = influences;
          all.push_back(settings);
          settings.rateHz = 15.0;
          all.push_back(settings);
          settings.rateHz = 0.0;
          settings.frames = 7;
          all.push_back(settings);
        }
      }
    }
  }
  std::vector<Known> known;
  for (ck::BakeSettings& settings : all) {
    Known one{settings, 0, {}};
    for (const auto layout :
         {ck::LayoutKind::Rows, ck::LayoutKind::Tiles, ck::LayoutKind::Linear}) {
      settings.layout = layout;
      const std::size_t bytes = ck::bakeCost(character, settings)->bytes;
      one.bytes = one.bytes == 0 ? bytes : std::min(one.bytes, bytes);
    }
    one.error = *ck::measureBakeError(character, ck::bake(character, one.settings)->atlas);
    known.push_back(one);
  }
  return known;
}

bool sameRow(const ck::FitRow& a, const ck::FitRow& b) {
  return a.settings == b.settings && a.bytes == b.bytes && a.error == b.error &&
         a.isFront == b.isFront && a.isKnee == b.isKnee && a.isWithin == b.isWithin;
}

}  // namespace

class tst_fit : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    limb_ = ck::test::swingingLimb();
    known_ = bakeAll(limb_);
    QCOMPARE(known_.size(), std::size_t{21 * 3 * 2});
  }

  void everyCombinationIsPlannedWithItsBytes() {
    const auto plan = ck::planFit(limb_, smallWish(), {});
    QVERIFY(plan);
    QCOMPARE(plan->candidates.size(), known_.size());
    for (const ck::FitCandidate& candidate : plan->candidates) {
      const auto cost = ck::bakeCost(limb_, candidate.settings);
      QCOMPARE(candidate.bytes, cost->bytes);
      QCOMPARE(candidate.width, cost->width);
      QCOMPARE(candidate.height, cost->height);
      QCOMPARE(candidate.fetches, cost->fetchesInterpolated);
      const Known* same = knownOf(candidate.settings);
      QVERIFY(same != nullptr);
      QCOMPARE(candidate.bytes, same->bytes);
    }
    // All there is: 46 kinds of texels, with 3 counts of influences.
    const auto all = ck::planFit(limb_, {}, {});
    QCOMPARE(all->candidates.size(), all->rates.size() * 46 * 3);
    QVERIFY(all->rates.size() >= 8);
  }

  void boundsAreBelowAndNear_data() {
    QTest::addColumn<bool>("direct");
    QTest::addColumn<bool>("interpolate");
    QTest::newRow("palette") << false << true;
    QTest::newRow("direct") << true << true;
    QTest::newRow("nearest") << false << false;
  }
  void boundsAreBelowAndNear() {
    QFETCH(bool, direct);
    QFETCH(bool, interpolate);
    FitWish wish = smallWish();
    wish.settings.reading = direct ? Reading::Direct : Reading::Palette;
    wish.settings.interpolate = interpolate;
    auto plan = ck::planFit(limb_, wish, {});
    QVERIFY(ck::boundErrors(limb_, wish, *plan, {}));
    int near = 0;
    for (const ck::FitCandidate& candidate : plan->candidates) {
      const auto atlas = ck::bake(limb_, candidate.settings)->atlas;
      const auto error = *ck::measureBakeError(limb_, atlas);
      const double mm = (direct ? error.direct : error.palette).vertices.max;
      QVERIFY2(candidate.leastMm <= 1.03 * mm + 0.001,
               qPrintable(QStringLiteral("%1 > %2").arg(candidate.leastMm).arg(mm)));
      QVERIFY(candidate.leastMm > 0.3 * mm);
      if (candidate.leastMm > 0.9 * mm) ++near;
    }
    QVERIFY2(2 * static_cast<std::size_t>(near) > plan->candidates.size(),
             qPrintable(QString::number(near)));
  }

  void findsWhatBakingAllFinds_data() {
    QTest::addColumn<double>("mm");
    QTest::addColumn<bool>("direct");
    for (const bool direct : {false, true}) {
      for (const double mm : {0.1, 1.0, 5.0, 20.0, 50.0}) {
        QTest::addRow("%g mm %s", mm, direct ? "direct" : "palette") << mm << direct;
      }
    }
  }
  void findsWhatBakingAllFinds() {
    QFETCH(double, mm);
    QFETCH(bool, direct);
    FitWish wish = smallWish();
    wish.limits.error.vertexMm = mm;
    wish.settings.reading = direct ? Reading::Direct : Reading::Palette;
    const Known* best = nullptr;
    for (const Known& each : known_) {
      if (figures(each, wish.settings.reading).vertices.max > mm) continue;
      if (!best || each.bytes < best->bytes) best = &each;
    }
    const auto result = ck::findAtlas(limb_, wish);
    QVERIFY(result);
    QCOMPARE(result->candidates, known_.size());
    QCOMPARE(result->best.has_value(), best != nullptr);
    if (!best) return;
    const ck::FitRow& row = result->rows[*result->best];
    QCOMPARE(row.bytes, best->bytes);
    QVERIFY(row.isWithin);
    QVERIFY(result->advice.empty());
    QVERIFY2(4 * result->rows.size() < known_.size(),
             qPrintable(QString::number(result->rows.size())));
    for (const ck::FitRow& each : result->rows) {
      const Known* same = knownOf(each.settings);
      QCOMPARE(each.error, same->error);
      QCOMPARE(each.bytes, same->bytes);
      QCOMPARE(each.isWithin, ck::figuresOf(each).vertices.max <= mm);
    }
  }

  void framesAreLeftOutOfTheSmallestRows() {
    const ck::Character limb = ck::test::slowLimb();
    FitWish wish = smallWish();
    wish.choices.rates = {ck::FitRate{}};
    wish.limits.error.vertexMm = 25.0;
    const auto even = ck::findAtlas(limb, wish);
    QVERIFY(even && even->best);
    const ck::FitRow& whole = even->rows[*even->best];
    for (const std::vector<double>& reductions : {std::vector<double>{}, {8.0}}) {
      wish.choices.reductions = reductions;
      // It is no setting of the search.
      wish.settings.reduceMm = 3.0;
      const auto result = ck::findAtlas(limb, wish);
      QVERIFY(result && result->best);
      QCOMPARE(result->candidates, even->candidates);
      const ck::FitRow& row = result->rows[*result->best];
      QVERIFY(row.isWithin && row.settings.reduceMm > 0.0);
      QVERIFY(row.bytes < whole.bytes);
      if (!reductions.empty()) QCOMPARE(row.settings.reduceMm, 8.0);
      const auto baked = ck::bake(limb, row.settings);
      QVERIFY(baked);
      QCOMPARE(baked->atlas.texels.size(), row.bytes);
      QCOMPARE(*ck::measureBakeError(limb, baked->atlas), row.error);
      QVERIFY(ck::figuresOf(row).vertices.max <= 25.0);
      int frames = 0;
      for (const ck::AtlasClip& clip : baked->atlas.clips) frames += clip.frameCount;
      QCOMPARE(frames, row.frames);
    }
  }

  void pixelsAreALimitToo() {
    FitWish wish = smallWish();
    wish.screen.distanceMeters = 12.0;
    wish.limits.error.pixels = 2.0;
    const auto result = ck::findAtlas(limb_, wish);
    QVERIFY(result && result->best);
    const double mm = 2.0 * 1000.0 / ck::pixelsPerMeter(wish.screen);
    std::size_t fewest = 0;
    for (const Known& each : known_) {
      if (each.error.palette.vertices.max > mm) continue;
      fewest = fewest == 0 ? each.bytes : std::min(fewest, each.bytes);
    }
    QCOMPARE(result->rows[*result->best].bytes, fewest);
    QVERIFY(ck::figuresOf(result->rows[*result->best]).screen.max <= 2.0);
  }

  void bytesAloneAskForTheSmallestError_data() {
    QTest::addColumn<double>("share");
    QTest::newRow("few") << 0.2;
    QTest::newRow("half") << 0.5;
    QTest::newRow("all") << 1.0;
  }
  void bytesAloneAskForTheSmallestError() {
    QFETCH(double, share);
    std::size_t most = 0;
    for (const Known& each : known_) most = std::max(most, each.bytes);
    FitWish wish = smallWish();
    wish.limits.bytes = static_cast<std::size_t>(share * static_cast<double>(most));
    double least = 1e9;
    for (const Known& each : known_) {
      if (each.bytes <= wish.limits.bytes) {
        least = std::min(least, each.error.palette.vertices.max);
      }
    }
    const auto result = ck::findAtlas(limb_, wish);
    QVERIFY(result && result->best);
    const ck::FitRow& row = result->rows[*result->best];
    QVERIFY(row.bytes <= wish.limits.bytes);
    QVERIFY(ck::figuresOf(row).vertices.max <= 1.03 * least);
  }

  void rowsDoNotDependOnThreads() {
    FitWish wish = smallWish();
    wish.limits.error.vertexMm = 2.0;
    wish.limits.bytes = 1000;  // with advice
    std::vector<FitResult> results;
    for (const int threads : {1, 2, 4}) {
      ck::JobContext job;
      job.threadCount = threads;
      results.push_back(*ck::findAtlas(limb_, wish, job));
    }
    for (const FitResult& each : results) {
      QCOMPARE(each.best, results[0].best);
      QVERIFY(std::ranges::equal(each.rows, results[0].rows, sameRow));
      QCOMPARE(each.advice.size(), results[0].advice.size());
      for (std::size_t i = 0; i < each.advice.size(); ++i) {
        QCOMPARE(each.advice[i].text, results[0].advice[i].text);
      }
    }
  }

  void stoppingKeepsWhatWasFound() {
    FitWish wish = smallWish();
    wish.limits.bytes = 1 << 30;
    std::stop_source stop;
    ck::JobContext job;
    job.stop = stop.get_token();
    std::vector<ck::FitRow> found;
    const auto result = ck::findAtlas(limb_, wish, job, [&](const ck::FitRow& row) {
      found.push_back(row);
      if (found.size() == 2) stop.request_stop();
    });
    QVERIFY(result);
    QVERIFY(result->stopped);
    QCOMPARE(found.size(), std::size_t{2});
    QCOMPARE(result->rows.size(), std::size_t{2});
    for (const ck::FitRow& row : result->rows) {
      QCOMPARE(row.error, knownOf(row.settings)->error);
    }
    stop = {};
    stop.request_stop();
    job.stop = stop.get_token();
    const auto nothing = ck::findAtlas(limb_, wish, job);
    QVERIFY(nothing && nothing->stopped && nothing->rows.empty() && !nothing->best);
  }

  void saysWhatWouldFit() {
    FitWish wish = smallWish();
    wish.limits.error.vertexMm = 1.0;
    const auto free = ck::findAtlas(limb_, wish);
    QVERIFY(free->best);
    wish.limits.bytes = free->rows[*free->best].bytes * 9 / 10;
    const auto result = ck::findAtlas(limb_, wish);
    QVERIFY(result && !result->best && !result->stopped);
    std::vector<FitAdvice::Kind> kinds;
    for (const FitAdvice& advice : result->advice) {
      kinds.push_back(advice.kind);
      const ck::Atlas atlas = ck::bake(limb_, advice.row.settings)->atlas;
      const double mm = ck::measureBakeError(limb_, atlas)->palette.vertices.max;
      const bool isSmall = atlas.texels.size() <= wish.limits.bytes;
      QCOMPARE(advice.row.bytes, atlas.texels.size());
      QCOMPARE(isSmall, advice.kind != FitAdvice::Kind::AllowBytes);
      QCOMPARE(mm <= 1.0, advice.kind != FitAdvice::Kind::AllowError);
      QCOMPARE(atlas.clips.size(), limb_.clips.size() - (advice.clip.empty() ? 0 : 1));
    }
    const std::vector<FitAdvice::Kind> all = {
        FitAdvice::Kind::AllowError, FitAdvice::Kind::AllowBytes, FitAdvice::Kind::DropClip};
    QVERIFY(kinds == all);
    QCOMPARE(result->advice[1].row.bytes, free->rows[*free->best].bytes);
    const std::string sentence = ck::adviceSentence(*result, wish.limits);
    QVERIFY2(sentence.starts_with("Nothing within 1 mm takes at most "), sentence.c_str());
    QVERIFY2(sentence.find(": allow ") != std::string::npos, sentence.c_str());
    QVERIFY2(sentence.find(", or drop '") != std::string::npos, sentence.c_str());
  }

  void saysSoWhereNoErrorIsSoSmall() {
    FitWish wish = smallWish();
    wish.limits.error.vertexMm = 1e-6;
    const auto result = ck::findAtlas(limb_, wish);
    QVERIFY(result && !result->best);
    QCOMPARE(result->advice.size(), std::size_t{1});
    QCOMPARE(result->advice[0].kind, FitAdvice::Kind::AllowError);
    double least = 1e9;
    for (const Known& each : known_) least = std::min(least, each.error.palette.vertices.max);
    const double allowed = ck::figuresOf(result->advice[0].row).vertices.max;
    QVERIFY(allowed <= 1.03 * least);
    QVERIFY(allowedBy(result->advice[0]) >= allowed);
  }

  // A limit as the advice states it is met, in the fewest bytes there are, whatever is limited.
  void allowingTheErrorTakesTheFewestBytes_data() {
    QTest::addColumn<bool>("shell");
    QTest::addColumn<double>("share");
    for (const bool shell : {false, true}) {
      for (const double share : {0.0, 0.3, 0.6}) {
        QTest::addRow("%s, %g of the bytes", shell ? "shell" : "vertices", share) << shell << share;
      }
    }
  }
  void allowingTheErrorTakesTheFewestBytes() {
    QFETCH(bool, shell);
    QFETCH(double, share);
    std::size_t most = 0;
    for (const Known& each : known_) most = std::max(most, each.bytes);
    FitWish wish = smallWish();
    double& limit = shell ? wish.limits.error.shellMm : wish.limits.error.vertexMm;
    limit = 1e-6;
    wish.limits.bytes = static_cast<std::size_t>(share * static_cast<double>(most));
    const auto errorOf = [shell](const Known& each) {
      return shell ? each.error.palette.shell.max : each.error.palette.vertices.max;
    };
    const auto isSmall = [&wish](const Known& each) {
      return wish.limits.bytes == 0 || each.bytes <= wish.limits.bytes;
    };
    double least = 1e9;
    for (const Known& each : known_) {
      if (isSmall(each)) least = std::min(least, errorOf(each));
    }
    const auto result = ck::findAtlas(limb_, wish);
    QVERIFY(result && !result->best);
    QCOMPARE(result->advice[0].kind, FitAdvice::Kind::AllowError);
    limit = allowedBy(result->advice[0]);
    QVERIFY2(limit >= least && limit <= 1.04 * least, result->advice[0].text.c_str());
    std::size_t fewest = most;
    for (const Known& each : known_) {
      if (isSmall(each) && errorOf(each) <= limit) fewest = std::min(fewest, each.bytes);
    }
    QCOMPARE(result->advice[0].row.bytes, fewest);
    const auto there = ck::findAtlas(limb_, wish);
    QVERIFY(there && there->best);
    QCOMPARE(there->rows[*there->best].bytes, fewest);
  }

  // Or, where the front has none, the row with the smallest error.
  void withoutALimitItIsTheKnee() {
    FitWish wish = smallWish();
    wish.choices.rates.push_back({.rateHz = 60.0});
    const auto result = ck::findAtlas(limb_, wish);
    QVERIFY(result && result->best);
    QVERIFY(result->rows[*result->best].isFront);
    const auto knee = std::ranges::find_if(result->rows, &ck::FitRow::isKnee);
    const auto nearest = std::ranges::min_element(
        result->rows, {}, [](const ck::FitRow& row) { return ck::figuresOf(row).vertices.max; });
    const auto expected = knee != result->rows.end() ? knee : nearest;
    QCOMPARE(std::ptrdiff_t(*result->best), expected - result->rows.begin());
  }

  void refusesWhatCannotBe() {
    FitWish wish = smallWish();
    wish.choices.encodings = {ck::Encoding::P16};
    wish.choices.components = {ck::Components::Tr};
    const auto none = ck::findAtlas(limb_, wish);
    QVERIFY(!none);
    QCOMPARE(none.error().code, ck::ErrorCode::InvalidInput);
    wish = smallWish();
    wish.settings.maxTextureSize = 4;
    const auto small = ck::findAtlas(limb_, wish);
    QVERIFY(!small);
    QCOMPARE(small.error().code, ck::ErrorCode::LimitExceeded);
    wish = smallWish();
    wish.choices.layouts = {ck::LayoutKind::Tiles};
    wish.settings.tile = 4;
    const auto tiles = ck::findAtlas(limb_, wish);
    QVERIFY(!tiles);
    QCOMPARE(tiles.error().code, ck::ErrorCode::LimitExceeded);
    ck::Character still = limb_;
    still.clips.clear();
    QVERIFY(!ck::findAtlas(still, smallWish()));
    still = limb_;
    still.rig.skinJoints.clear();
    const auto boneless = ck::findAtlas(still, smallWish());
    QVERIFY(!boneless);
    QCOMPARE(boneless.error().code, ck::ErrorCode::InvalidInput);
  }

  void theFrontAndItsKnee() {
    const std::vector<ck::FrontPoint> points = {{100, 100}, {200, 10}, {200, 12}, {150, 100},
                                                {400, 8},   {800, 9},  {1600, 5}};
    const std::vector<std::size_t> front = ck::frontOf(points);
    QVERIFY((front == std::vector<std::size_t>{0, 1, 4, 6}));
    QCOMPARE(ck::kneeOf(points, front), std::optional<std::size_t>(1));
    // On one line of logarithms there is no knee.
    const std::vector<ck::FrontPoint> even = {{1, 100}, {10, 10}, {100, 1}};
    QVERIFY(!ck::kneeOf(even, ck::frontOf(even)));
    QVERIFY((ck::thinnedFront(points, 2) == std::vector<std::size_t>{0, 6}));
    QVERIFY((ck::thinnedFront(points, 3) == std::vector<std::size_t>{0, 4, 6}));
    QCOMPARE(ck::upText(1.2345), std::string("1.24"));
    QCOMPARE(ck::upText(0.0123), std::string("0.0123"));
    QCOMPARE(ck::bytesText(1025, true), std::string("1.1 KB"));
    QCOMPARE(ck::bytesText(1025, false), std::string("1 KB"));
    QCOMPARE(ck::bytesText(3 * 1024 * 1024, false), std::string("3 MB"));
  }

 private:
  // The number of "allow 1.3 mm".
  static double allowedBy(const FitAdvice& advice) { return std::stod(advice.text.substr(6)); }

  // The one with the same texels and frames.
  const Known* knownOf(ck::BakeSettings settings) const {
    settings.layout = ck::LayoutKind::Rows;
    for (const Known& each : known_) {
      if (each.settings.encoding == settings.encoding &&
          each.settings.components == settings.components &&
          each.settings.rangeMode == settings.rangeMode &&
          each.settings.influences == settings.influences &&
          each.settings.rateHz == settings.rateHz && each.settings.frames == settings.frames) {
        return &each;
      }
    }
    return nullptr;
  }

  ck::Character limb_;
  std::vector<Known> known_;
};

CK_TEST(tst_fit)
#include "tst_fit.moc"
