#include "app/bench/bench_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "app/bench/bench_frames.h"
#include "core/bake/bake.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/reference/triangle_limit.h"
#include "render/skinning/method_offers.h"

namespace ck::cli {
namespace {

constexpr double kImageSeconds = 1.7;  // the moment that images are compared at

// Crowds of the same actors with and without a second clip on the way.
struct Crowds {
  Crowd plain;
  Crowd fading;
  Crowd stored;  // without second clips, everybody standing on a frame of the atlas
  render::Camera camera;
  Crowd& forCase(const FrameCase& one) { return one.settings.view.pose.fades ? fading : plain; }
};

// Stands on the nearest frame of its clip for all times.
void standOnFrame(Actor& actor, const CrowdClip& clip) {
  const float steps = static_cast<float>(std::max(clip.lastInterval() + 1, 1));
  actor.offset = std::round(actor.offset * steps) / steps;
  actor.rate = 0.0f;
}

Crowds crowdsOf(const BenchRun& run, int count) {
  std::vector<Actor> actors = benchActors(run, count, *run.character, run.clips);
  Crowd plain(actors, run.clips);
  std::vector<Actor> standing = actors;
  for (Actor& actor : standing) {
    standOnFrame(actor, run.clips[static_cast<std::size_t>(actor.clip)]);
  }
  for (Actor& actor : actors) {
    actor.fadeClip = (actor.clip + 1) % static_cast<int>(run.clips.size());
    actor.fade = 0.5f;
  }
  const render::Camera camera = benchCamera(plain, run.character);
  return {std::move(plain), Crowd(actors, run.clips), Crowd(standing, run.clips), camera};
}

// "nearest, 4 influences" in the words of the method atlas.
FrameCase fetchCase(const Atlas& atlas, Method method, const render::AtlasVariant& variant) {
  std::string name =
      fmt::format("{}, {} influence{}{}", samplingName(variant.sampling), variant.influences,
                  variant.influences == 1 ? "" : "s", variant.blend ? ", two clips" : "");
  if (storesMatrices(encodingInfo(atlas.recipe))) {
    name += fmt::format(", {}", layoutKindName(atlas.recipe.layout));
  }
  return frameCase(method, variant, std::move(name));
}

// Everything that the atlas allows; two clips with four influences alone, because fewer cost in the
// same proportion.
std::vector<FrameCase> everyVariant(const Atlas& atlas, Method method) {
  std::vector<FrameCase> cases;
  for (const render::VariantOffer& offer : render::atlasVariants(atlas)) {
    if (!offer.refusal.empty() || (offer.variant.blend && offer.variant.influences != 4)) continue;
    if (!render::whyNotSampled(method, offer.variant.sampling).empty()) continue;
    cases.push_back(fetchCase(atlas, method, offer.variant));
  }
  return cases;
}

std::vector<FrameCase> mainVariants(const Atlas& atlas, Method method) {
  constexpr render::AtlasVariant kMain[] = {
      {Sampling::Interpolated, 4, false}, {Sampling::HardwareLinear, 4, false},
      {Sampling::Nearest, 4, false},      {Sampling::Interpolated, 2, false},
      {Sampling::Nearest, 1, false},      {Sampling::Interpolated, 4, true}};
  std::vector<FrameCase> cases;
  // Smaller matrices cost what those at the origin do but for the size of a texel.
  const EncodingInfo& info = encodingInfo(atlas.recipe);
  const bool few = storesMatrices(info) && !info.atOrigin;
  for (const render::AtlasVariant& variant : std::span(kMain).first(few ? 3 : 6)) {
    if (!render::whyNotSampled(atlas, variant).empty()) continue;
    cases.push_back(fetchCase(atlas, method, variant));
  }
  return cases;
}

// Rows name the encoding of the atlas that is read.
bool readsAtlas(const render::RenderSettings& settings) {
  return settings.reference == nullptr && !methodInfo(settings.view.pose.method).posesClips &&
         settings.view.pose.method != Method::Cpu;
}

// The cases that only the methods prepass and pool have: vertices skinned on the processor, and as
// many passes over the crowd as shadow maps take, or the nearest frame.
void addOwnCases(Method method, std::vector<FrameCase>& cases) {
  if (method == Method::Prepass) {
    cases.push_back(frameCase(method, "interpolated, 4 influences, on the processor"));
    cases.back().settings.view.pose.skinOn = SkinOn::Cpu;
  }
  if (method == Method::Prepass || method == Method::Palette) {
    cases.push_back(frameCase(method, "interpolated, 4 influences, three shadow maps"));
    cases.back().settings.view.shadows = Shadows::Cascades;
  }
  if (method == Method::Pool) {
    cases.push_back(frameCase(method, "nearest frame, 4 influences"));
    cases.back().settings.view.pose.sampling = Sampling::Nearest;
  }
}

// The cases of a method that are measured.
std::vector<FrameCase> casesOf(const Atlas& atlas, Method method, const BenchRun& run) {
  if (methodInfo(method).reads == VertexReads::Atlas) {
    std::vector<FrameCase> cases =
        run.everyVariant ? everyVariant(atlas, method) : mainVariants(atlas, method);
    if (run.quick) cases.resize(std::min<std::size_t>(cases.size(), 1));
    return cases;
  }
  std::vector<FrameCase> cases = {frameCase(method, "interpolated, 4 influences")};
  if (run.quick || method == Method::Cpu) return cases;
  cases.push_back(frameCase(method, "interpolated, 4 influences, two clips", true));
  addOwnCases(method, cases);
  return cases;
}

// The furthest that a vertex is from the source, over some moments of a few actors, millimetres.
class ErrorMeter {
 public:
  explicit ErrorMeter(const BenchRun& run) : run_(run), crowds_(crowdsOf(run, 12)) {}

  Result<double> worstMm(render::CrowdRenderer& renderer, const FrameCase& one) {
    double worst = 0.0;
    for (const double seconds : {0.11, 0.47, 1.93, 3.31}) {
      Crowd& crowd = crowds_.forCase(one);
      crowd.seek(seconds);
      auto& expected = source_[{one.settings.view.pose.fades, seconds}];
      if (expected.empty()) {
        // The clips themselves with every influence, fading in the joints' own spaces whatever the
        // method does; without morph targets, which no row shows.
        render::RenderSettings clips = one.settings;
        clips.view.pose.method = Method::Live;
        clips.view.pose.influences = 0;
        expected = render::referencePositions(*run_.character, nullptr, crowd, clips, false);
      }
      const auto drawn = render::readBackPositions(renderer, crowd, one.settings);
      if (!drawn) return tl::unexpected(drawn.error());
      for (std::size_t i = 0; i < drawn->size(); ++i) {
        worst = std::max(worst, glm::distance(glm::dvec3((*drawn)[i]), expected[i]));
      }
    }
    return worst * 1e3;
  }

 private:
  const BenchRun& run_;
  Crowds crowds_;
  std::map<std::pair<bool, double>, std::vector<glm::dvec3>> source_;
};

std::size_t unlikePixels(const render::Frame& a, const render::Frame& b, int step) {
  std::size_t count = 0;
  for (std::size_t p = 0; p + 3 < std::min(a.rgba.size(), b.rgba.size()); p += 4) {
    bool unlike = false;
    for (std::size_t c = p; c < p + 3; ++c) {
      unlike = unlike || std::abs(int{a.rgba[c]} - int{b.rgba[c]}) > step;
    }
    count += unlike ? 1u : 0u;
  }
  return count;
}

// The crowds `plain` and `stored` at one moment.
struct Images {
  render::Frame plain;
  render::Frame stored;
};

// A crowd of one size, and what the others are compared with there.
struct Yardstick {
  int actors = 0;
  Crowds crowds;
  BenchRow book = {};
  BenchRow limit = {};
  Images bookImages = {};
  std::size_t covered = 0;
};

class MethodBench {
 public:
  MethodBench(BenchRun& run, render::CrowdRenderer& renderer)
      : run_(run), renderer_(renderer), errors_(run) {
    std::vector<int> counts = {80};
    if (!run.quick) counts.insert(counts.end(), {256, 1'000});
    if (!run.quick && !renderer.facts().software) counts.insert(counts.end(), {10'000, 100'000});
    for (const int count : counts) yards_.push_back({count, crowdsOf(run, count)});
  }

  // The trivial shader, and what every frame has besides the crowd: ground and sky.
  Result<void> measureLimit() {
    auto limit = render::TriangleLimit::make(run_.character);
    if (!limit) return tl::unexpected(limit.error());
    const FrameCase still = frameCase(Method::Palette, "bind pose");
    for (Yardstick& yard : yards_) {
      Crowds& crowds = yard.crowds;
      auto row = measureDrawing(run_.job, [&](bool vertexStageOnly) {
        crowds.plain.advance(kBenchTickSeconds);
        return (*limit)->drawAndFinish(crowds.plain, crowds.camera, kBenchImage.width,
                                       kBenchImage.height, vertexStageOnly);
      });
      if (!row) return tl::unexpected(row.error());
      Crowd noActors({}, run_.clips);
      const auto empty = measureFrames(renderer_, noActors, crowds.camera, still, run_.job);
      if (!empty) return tl::unexpected(empty.error());
      emptyMs_ = *empty->frameMs;
      *row->frameMs += emptyMs_;
      row->name = "limit";
      row->method = "trivial";
      row->variant = still.name;
      row->actors = yard.actors;
      yard.limit = std::move(*row);
    }
    return {};
  }

  Result<void> measureAtlas(const AtlasPtr& atlas, bool first) {
    if (auto ok = renderer_.setAtlas(atlas); !ok) return ok;
    encoding_ = encodingOf(atlas->recipe);
    if (auto ok = measureBook(first); !ok) return ok;
    if (first) {
      for (const Yardstick& yard : yards_) run_.result.rows.push_back(compared(yard, yard.limit));
    }
    for (const MethodInfo& info : kMethods) {
      // Methods that read a further atlas of matrices as any other need not be measured again.
      if (!first && !info.matricesOnly) continue;
      if (!render::whyNotDrawn(info.method, encodingOf(atlas->recipe)).empty()) continue;
      for (const FrameCase& one : casesOf(*atlas, info.method, run_)) {
        if (auto ok = measureCase(one); !ok) return ok;
      }
    }
    return {};
  }

 private:
  Result<Images> imagesOf(Crowds& crowds, const FrameCase& one) {
    Images images;
    for (const auto& [crowd, image] :
         {std::pair(&crowds.plain, &images.plain), std::pair(&crowds.stored, &images.stored)}) {
      const double seconds = crowd->timeSeconds();
      crowd->seek(kImageSeconds);
      auto frame = renderer_.drawToFrame(*crowd, crowds.camera, one.settings, kBenchImage.width,
                                         kBenchImage.height);
      crowd->seek(seconds);
      if (!frame) return tl::unexpected(frame.error());
      *image = std::move(*frame);
    }
    return images;
  }

  Result<void> measureBook(bool reported) {
    const FrameCase book = bookCase("as written");
    const FrameCase timed = bookCase("as written", -1.0);
    const auto error = errors_.worstMm(renderer_, book);
    if (!error) return tl::unexpected(error.error());
    for (Yardstick& yard : yards_) {
      Crowds& crowds = yard.crowds;
      auto row = measureFrames(renderer_, crowds.plain, crowds.camera, book, run_.job);
      if (!row) return tl::unexpected(row.error());
      yard.book = *row;
      auto images = imagesOf(crowds, timed);
      if (!images) return tl::unexpected(images.error());
      yard.bookImages = std::move(*images);
      const auto noActors =
          renderer_.drawToFrame(Crowd({}, run_.clips), crowds.camera, book.settings,
                                kBenchImage.width, kBenchImage.height);
      if (!noActors) return tl::unexpected(noActors.error());
      yard.covered = unlikePixels(yard.bookImages.plain, *noActors, 0);
      if (reported) addRow(yard, book, *row, *error);
    }
    return {};
  }

  Result<void> measureCase(const FrameCase& one) {
    const auto error = errors_.worstMm(renderer_, one);
    if (!error) return tl::unexpected(error.error());
    std::vector<std::pair<double, double>> curve = {{emptyMs_, 0.0}};
    const std::size_t firstRow = run_.result.rows.size();
    for (Yardstick& yard : yards_) {
      Crowds& crowds = yard.crowds;
      auto row = measureFrames(renderer_, crowds.forCase(one), crowds.camera, one, run_.job);
      if (!row) return tl::unexpected(row.error());
      curve.emplace_back(*row->frameMs, yard.actors);
      addRow(yard, one, *row, *error);
      if (one.settings.view.pose.fades || one.settings.view.shadows != Shadows::Off) continue;
      if (auto ok = compareImages(yard, one, run_.result.rows.back()); !ok) return ok;
    }
    if (run_.quick) return {};
    const auto sustained = actorsAtBookTime(one, curve);
    if (!sustained) return tl::unexpected(sustained.error());
    run_.result.rows[firstRow].actorsAtBookTime = *sustained;
    return {};
  }

  Result<void> compareImages(Yardstick& yard, const FrameCase& one, BenchRow& row) {
    const auto images = imagesOf(yard.crowds, one);
    if (!images) return tl::unexpected(images.error());
    row.pixelsDiffering = unlikePixels(images->plain, yard.bookImages.plain, 24);
    row.storedDiffering = unlikePixels(images->stored, yard.bookImages.stored, 24);
    row.pixelsCovered = yard.covered;
    return {};
  }

  // Where the line through what was measured meets the time of the book's smallest crowd, then put
  // right by measuring a crowd of that size.
  Result<int> actorsAtBookTime(const FrameCase& one,
                               const std::vector<std::pair<double, double>>& curve) {
    const double wanted = *yards_.front().book.frameMs;
    std::size_t i = 1;
    while (i + 1 < curve.size() && curve[i].first < wanted) ++i;
    const auto& [fromMs, fromActors] = curve[i - 1];
    const auto& [toMs, toActors] = curve[i];
    const double slope = (toActors - fromActors) / std::max(toMs - fromMs, 1e-6);
    const double guess = std::clamp(fromActors + (wanted - fromMs) * slope, 1.0, 200'000.0);
    Crowds crowds = crowdsOf(run_, static_cast<int>(std::lround(guess)));
    const auto row = measureFrames(renderer_, crowds.forCase(one), crowds.camera, one, run_.job);
    if (!row) return tl::unexpected(row.error());
    const double right = guess + (wanted - *row->frameMs) * slope;
    return static_cast<int>(std::lround(std::max(right, 1.0)));
  }

  // The row with its speed, also relative to the book.
  BenchRow compared(const Yardstick& yard, BenchRow row) const {
    const render::FrameStats& stats = renderer_.stats();
    const auto actors = static_cast<double>(yard.actors);
    row.verticesPerSecond =
        1e3 * actors * static_cast<double>(stats.verticesPerActor) / *row.vertexStageMs;
    row.trianglesPerSecond =
        1e3 * actors * static_cast<double>(stats.trianglesPerActor) / *row.frameMs;
    row.ratioToBook = *yard.book.frameMs / *row.frameMs;
    row.vertexRatioToBook = *yard.book.vertexStageMs / *row.vertexStageMs;
    return row;
  }

  void addRow(const Yardstick& yard, const FrameCase& one, const BenchRow& measured,
              double errorMm) {
    BenchRow& row = run_.result.rows.emplace_back(compared(yard, measured));
    if (readsAtlas(one.settings)) row.encoding = std::string(encodingInfo(encoding_).name);
    row.variant = one.name;
    row.errorMm = errorMm;
    row.ratioToLimit = *yard.limit.frameMs / *row.frameMs;
    row.vertexRatioToLimit = *yard.limit.vertexStageMs / *row.vertexStageMs;
  }

  BenchRun& run_;
  render::CrowdRenderer& renderer_;
  ErrorMeter errors_;
  std::vector<Yardstick> yards_;
  double emptyMs_ = 0.0;
  Encoding encoding_ = Encoding::P16;
};

// The atlases that the method matrix is measured with: the write-up's in one line, and those whose
// rows the texture unit can mix.
std::vector<BakeSettings> matrixBakes(const BenchRun& run) {
  std::vector<BakeSettings> bakes;
  for (const EncodingInfo& info : allEncodings()) {
    if (!storesMatrices(info) || (run.quick && !bakes.empty())) continue;
    BakeSettings bake = run.bake;
    bake.encoding = info.encoding;
    bake.layout = info.atOrigin ? LayoutKind::Linear : LayoutKind::Rows;
    bake.components.reset();
    if (info.ranged == RangedTexels::None) bake.rangeMode.reset();
    bakes.push_back(bake);
  }
  return bakes;
}

}  // namespace

Result<void> benchMethods(BenchRun& run) {
  const auto drawing = makeRenderer(run.result);
  if (!drawing) return tl::unexpected(drawing.error());
  render::CrowdRenderer& renderer = *drawing->renderer;
  if (auto ok = renderer.setCharacter(run.character); !ok) return ok;
  if (auto ok = renderer.setAtlas(run.atlas); !ok) return ok;
  MethodBench bench(run, renderer);
  if (auto ok = bench.measureLimit(); !ok) return ok;
  if (auto ok = bench.measureAtlas(run.atlas, true); !ok) return ok;
  if (run.everyVariant) return {};
  for (const BakeSettings& other : matrixBakes(run)) {
    auto baked = bake(*run.character, other, run.job);
    if (!baked) return tl::unexpected(baked.error());
    const auto atlas = std::make_shared<const Atlas>(std::move(baked->atlas));
    if (auto ok = bench.measureAtlas(atlas, false); !ok) return ok;
  }
  return {};
}

}  // namespace ck::cli
