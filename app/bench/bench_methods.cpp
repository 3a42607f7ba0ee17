#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "app/bench/bench_frames.h"
#include "app/bench/bench_rows.h"
#include "core/bake/bake.h"
#include "render/headless.h"
#include "render/reference/read_back.h"
#include "render/reference/reference_positions.h"
#include "render/reference/triangle_limit.h"
#include "render/skinning/method_offers.h"
#include "render/view/framing.h"

namespace ck::cli {
namespace {


constexpr double kPictureSeconds = 1.7;  // the time at which images are compared

// Crowds of the same actors with and without a fade in progress.
struct Crowds {
  Crowd plain;
  Crowd fading;
  Crowd stored;  // without second clips; every actor at a stored frame
  render::Camera camera;
  Crowd& forCase(const FrameCase& one) { return one.settings.pose.fades ? fading : plain; }
};

// Sets all actors to the nearest frame of their clip.
void standOnFrame(Actor& actor, const CrowdClip& clip) {
  const float steps = static_cast<float>(std::max(clip.frameCount - 1, 1));
  actor.offset = std::round(actor.offset * steps) / steps;
  actor.rate = 0.0f;
}

Crowds crowdsOf(const Stage& stage, const CrowdOptions& crowdOptions, int count) {
  CrowdOptions options = crowdOptions;
  options.actors = count;
  const auto names = clipNamesOf(*stage.atlas);
  std::vector<Actor> actors = actorsFor(options, *stage.character, names);
  const auto clips = crowdClips(*stage.atlas, names);
  Crowds crowds{Crowd(actors, clips), Crowd({}, clips), Crowd({}, clips), {}};
  std::vector<Actor> standing = actors;
  for (Actor& actor : standing) {
    standOnFrame(actor, clips[static_cast<std::size_t>(actor.clip)]);
  }
  crowds.stored = Crowd(standing, clips);
  for (Actor& actor : actors) {
    actor.fadeClip = (actor.clip + 1) % static_cast<int>(names.size());
    actor.fade = 0.5f;
  }
  crowds.fading = Crowd(actors, clips);
  render::frameBox(crowds.camera, render::crowdBounds(crowds.plain, *stage.character),
                   static_cast<double>(kBenchPicture.width) / kBenchPicture.height);
  return crowds;
}

// "nearest, 4 influences", as for the method atlas.
FrameCase fetchCase(const Atlas& atlas, Method method, const render::AtlasVariant& variant) {
  std::string name =
      fmt::format("{}, {} influence{}{}", samplingName(variant.sampling), variant.influences,
                  variant.influences == 1 ? "" : "s", variant.blend ? ", two clips" : "");
  if (storesMatrices(encodingInfo(atlas.encoding))) {
    name += fmt::format(", {}", layoutKindName(atlas.layout));
  }
  return frameCase(method, variant, std::move(name));
}

// All variants that the atlas supports. Two clips only with four influences, because fewer
// influences cost proportionally less.
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
  const EncodingInfo& info = encodingInfo(atlas.encoding);
  const bool few = storesMatrices(info) && !info.atOrigin;
  for (const render::AtlasVariant& variant : std::span(kMain).first(few ? 3 : 6)) {
    if (!render::whyNotSampled(atlas, variant).empty()) continue;
    cases.push_back(fetchCase(atlas, method, variant));
  }
  return cases;
}

// Rows name the encoding of the atlas that is read.
bool readsAtlas(const render::RenderSettings& settings) {
  return settings.reference == nullptr && !methodInfo(settings.pose.method).posesClips &&
         settings.pose.method != Method::Cpu;
}

// Variants of the methods prepass and pool only: skinning on the CPU, as many passes as shadow maps
// need, or the nearest frame.
void addOwnCases(Method method, std::vector<FrameCase>& cases) {
  if (method == Method::Prepass) {
    cases.push_back(frameCase(method, "interpolated, 4 influences, on the processor"));
    cases.back().settings.pose.skinOn = SkinOn::Cpu;
  }
  if (method == Method::Prepass || method == Method::Palette) {
    cases.push_back(frameCase(method, "interpolated, 4 influences, three shadow maps"));
    cases.back().settings.shadows = Shadows::Cascades;
  }
  if (method == Method::Pool) {
    cases.push_back(frameCase(method, "nearest frame, 4 influences"));
    cases.back().settings.pose.sampling = Sampling::Nearest;
  }
}

// The measured variants of a method.
std::vector<FrameCase> casesOf(const Atlas& atlas, Method method, const BenchDepth& depth) {
  if (methodInfo(method).reads == VertexReads::Atlas) {
    std::vector<FrameCase> cases =
        depth.everyVariant ? everyVariant(atlas, method) : mainVariants(atlas, method);
    if (depth.quick) cases.resize(std::min<std::size_t>(cases.size(), 1));
    return cases;
  }
  std::vector<FrameCase> cases = {frameCase(method, "interpolated, 4 influences")};
  if (depth.quick || method == Method::Cpu) return cases;
  cases.push_back(frameCase(method, "interpolated, 4 influences, two clips", true));
  addOwnCases(method, cases);
  return cases;
}

// The largest distance of a vertex from the source, for some times of a few actors, in millimetres.
class ErrorMeter {
 public:
  ErrorMeter(const Stage& stage, const CrowdOptions& options)
      : stage_(stage), crowds_(crowdsOf(stage, options, 12)) {}

  Result<double> worstMm(render::CrowdRenderer& renderer, const FrameCase& one) {
    double worst = 0.0;
    for (const double seconds : {0.11, 0.47, 1.93, 3.31}) {
      Crowd& crowd = crowds_.forCase(one);
      crowd.seek(seconds);
      auto& expected = source_[{one.settings.pose.fades, seconds}];
      if (expected.empty()) {
        // The reference is the clips with all influences, faded in local space for every method,
        // without morphs, which no row shows.
        render::RenderSettings truth = one.settings;
        truth.pose.method = Method::Live;
        truth.pose.influences = 0;
        expected = render::referencePositions(*stage_.character, nullptr, crowd, truth, false);
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
  const Stage& stage_;
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

// A crowd of one size, and the reference measurements for it.
struct Yardstick {
  int actors = 0;
  Crowds crowds;
  FrameTimes book;
  FrameTimes limit;
  render::Frame bookPicture;
  render::Frame bookOnFrames;
  std::size_t covered = 0;
};

class MethodBench {
 public:
  MethodBench(const Stage& stage, const CrowdOptions& options, const BenchDepth& depth,
              const JobContext& job, BenchResult& result)
      : stage_(stage),
        options_(options),
        depth_(depth),
        job_(job),
        result_(result),
        errors_(stage, options) {}

  void makeCrowds(bool software) {
    std::vector<int> counts = {80};
    if (!depth_.quick) counts.insert(counts.end(), {256, 1'000});
    if (!depth_.quick && !software) counts.insert(counts.end(), {10'000, 100'000});
    for (const int count : counts) {
      yards_.push_back({count, crowdsOf(stage_, options_, count), {}, {}, {}, {}, 0});
    }
  }

  // The trivial shader, and the parts of a frame besides the crowd: ground and sky.
  Result<void> measureLimit(render::CrowdRenderer& renderer) {
    auto limit = render::TriangleLimit::make(stage_.character);
    if (!limit) return tl::unexpected(limit.error());
    const FrameCase still = frameCase(Method::Palette, "bind pose");
    for (Yardstick& yard : yards_) {
      auto times = measureDrawing(job_, [&](bool vertexStageOnly) {
        yard.crowds.plain.advance(kBenchTickSeconds);
        return (*limit)->drawAndFinish(yard.crowds.plain, yard.crowds.camera, kBenchPicture.width,
                                       kBenchPicture.height, vertexStageOnly);
      });
      if (!times) return tl::unexpected(times.error());
      Crowd nobody({}, yard.crowds.plain.clips());
      const auto empty = measureFrames(renderer, nobody, yard.crowds.camera, still, job_);
      if (!empty) return tl::unexpected(empty.error());
      times->frameMs += empty->frameMs;
      yard.limit = *times;
      emptyMs_ = empty->frameMs;
    }
    return {};
  }

  Result<void> measureAtlas(render::CrowdRenderer& renderer, const AtlasPtr& atlas, bool first) {
    if (auto ok = renderer.setAtlas(atlas); !ok) return ok;
    encoding_ = atlas->encoding;
    if (auto ok = measureBook(renderer, first); !ok) return ok;
    if (first) {
      for (const Yardstick& yard : yards_) addLimitRow(renderer, yard);
    }
    for (const MethodInfo& info : kMethods) {
      // Variants that read another matrix atlas in the same way are skipped.
      if (!first && !info.matricesOnly) continue;
      if (!render::whyNotDrawn(info.method, atlas->encoding).empty()) continue;
      for (const FrameCase& one : casesOf(*atlas, info.method, depth_)) {
        if (auto ok = measureCase(renderer, one); !ok) return ok;
      }
    }
    return {};
  }

 private:
  static Result<render::Frame> picture(render::CrowdRenderer& renderer, Crowd& crowd,
                                       const render::Camera& camera, const FrameCase& one) {
    const double seconds = crowd.timeSeconds();
    crowd.seek(kPictureSeconds);
    auto frame = renderer.drawToFrame(crowd, camera, one.settings, kBenchPicture.width,
                                      kBenchPicture.height);
    crowd.seek(seconds);
    return frame;
  }

  Result<void> measureBook(render::CrowdRenderer& renderer, bool reported) {
    const FrameCase book = bookCase("as written");
    const auto error = errors_.worstMm(renderer, book);
    if (!error) return tl::unexpected(error.error());
    for (Yardstick& yard : yards_) {
      const auto times = measureFrames(renderer, yard.crowds.plain, yard.crowds.camera, book, job_);
      if (!times) return tl::unexpected(times.error());
      yard.book = *times;
      const FrameCase timed = bookCase("as written", -1.0);
      Crowds& crowds = yard.crowds;
      auto drawn = picture(renderer, crowds.plain, crowds.camera, timed);
      if (!drawn) return tl::unexpected(drawn.error());
      yard.bookPicture = std::move(*drawn);
      auto onFrames = picture(renderer, crowds.stored, crowds.camera, timed);
      if (!onFrames) return tl::unexpected(onFrames.error());
      yard.bookOnFrames = std::move(*onFrames);
      const auto nobody =
          renderer.drawToFrame(Crowd({}, yard.crowds.plain.clips()), yard.crowds.camera,
                               book.settings, kBenchPicture.width, kBenchPicture.height);
      if (!nobody) return tl::unexpected(nobody.error());
      yard.covered = unlikePixels(yard.bookPicture, *nobody, 0);
      if (!reported) continue;
      BenchRow row = rowOf(renderer, yard, book, *times);
      row.errorMm = *error;
      result_.rows.push_back(row);
    }
    return {};
  }

  Result<void> measureCase(render::CrowdRenderer& renderer, const FrameCase& one) {
    const auto error = errors_.worstMm(renderer, one);
    if (!error) return tl::unexpected(error.error());
    std::vector<std::pair<double, double>> curve = {{emptyMs_, 0.0}};
    const std::size_t firstRow = result_.rows.size();
    for (Yardstick& yard : yards_) {
      const auto times =
          measureFrames(renderer, yard.crowds.forCase(one), yard.crowds.camera, one, job_);
      if (!times) return tl::unexpected(times.error());
      curve.emplace_back(times->frameMs, yard.actors);
      BenchRow row = rowOf(renderer, yard, one, *times);
      row.errorMm = *error;
      if (!one.settings.pose.fades && one.settings.shadows == Shadows::Off) {
        if (auto ok = compare(renderer, yard, one, row); !ok) return ok;
      }
      result_.rows.push_back(row);
    }
    if (depth_.quick) return {};
    const auto sustained = actorsAtBookTime(renderer, one, curve);
    if (!sustained) return tl::unexpected(sustained.error());
    result_.rows[firstRow].actorsAtBookTime = *sustained;
    return {};
  }

  static Result<void> compare(render::CrowdRenderer& renderer, Yardstick& yard,
                              const FrameCase& one, BenchRow& row) {
    Crowds& crowds = yard.crowds;
    const auto drawn = picture(renderer, crowds.plain, crowds.camera, one);
    if (!drawn) return tl::unexpected(drawn.error());
    const auto onFrames = picture(renderer, crowds.stored, crowds.camera, one);
    if (!onFrames) return tl::unexpected(onFrames.error());
    row.pixelsDiffering = unlikePixels(*drawn, yard.bookPicture, 24);
    row.storedDiffering = unlikePixels(*onFrames, yard.bookOnFrames, 24);
    row.pixelsCovered = yard.covered;
    return {};
  }

  // Estimated from a line through the measurements, then corrected by measuring a crowd of that
  // size.
  Result<int> actorsAtBookTime(render::CrowdRenderer& renderer, const FrameCase& one,
                               const std::vector<std::pair<double, double>>& curve) {
    const double wanted = yards_.front().book.frameMs;
    std::size_t i = 1;
    while (i + 1 < curve.size() && curve[i].first < wanted) ++i;
    const auto& [fromMs, fromActors] = curve[i - 1];
    const auto& [toMs, toActors] = curve[i];
    const double slope = (toActors - fromActors) / std::max(toMs - fromMs, 1e-6);
    const double guess = std::clamp(fromActors + (wanted - fromMs) * slope, 1.0, 200'000.0);
    Crowds crowds = crowdsOf(stage_, options_, static_cast<int>(std::lround(guess)));
    const auto times = measureFrames(renderer, crowds.forCase(one), crowds.camera, one, job_);
    if (!times) return tl::unexpected(times.error());
    const double right = guess + (wanted - times->frameMs) * slope;
    return static_cast<int>(std::lround(std::max(right, 1.0)));
  }

  BenchRow rowOf(const render::CrowdRenderer& renderer, const Yardstick& yard, const FrameCase& one,
                 const FrameTimes& times) const {
    BenchRow row;
    row.name = "frame";
    row.method = one.method;
    if (readsAtlas(one.settings)) row.encoding = std::string(encodingInfo(encoding_).name);
    row.variant = one.name;
    row.fetches = renderer.stats().fetchesPerVertex;
    row.ratioToBook = yard.book.frameMs / times.frameMs;
    row.vertexRatioToBook = yard.book.vertexStageMs / times.vertexStageMs;
    row.ratioToLimit = yard.limit.frameMs / times.frameMs;
    row.vertexRatioToLimit = yard.limit.vertexStageMs / times.vertexStageMs;
    addTimes(renderer, yard, times, row);
    return row;
  }

  static void addTimes(const render::CrowdRenderer& renderer, const Yardstick& yard,
                       const FrameTimes& times, BenchRow& row) {
    const render::FrameStats& stats = renderer.stats();
    const auto actors = static_cast<double>(yard.actors);
    row.actors = yard.actors;
    row.frameMs = times.frameMs;
    row.wallMs = times.wallMs;
    row.vertexStageMs = times.vertexStageMs;
    row.verticesPerSecond =
        1e3 * actors * static_cast<double>(stats.verticesPerActor) / times.vertexStageMs;
    row.trianglesPerSecond =
        1e3 * actors * static_cast<double>(stats.trianglesPerActor) / times.frameMs;
    row.runs = times.runs;
    row.spread = times.spread;
  }

  void addLimitRow(const render::CrowdRenderer& renderer, const Yardstick& yard) {
    BenchRow row;
    row.name = "limit";
    row.method = "trivial";
    row.variant = "bind pose";
    addTimes(renderer, yard, yard.limit, row);
    row.ratioToBook = yard.book.frameMs / yard.limit.frameMs;
    row.vertexRatioToBook = yard.book.vertexStageMs / yard.limit.vertexStageMs;
    result_.rows.push_back(row);
  }

  const Stage& stage_;
  const CrowdOptions& options_;
  const BenchDepth& depth_;
  const JobContext& job_;
  BenchResult& result_;
  ErrorMeter errors_;
  std::vector<Yardstick> yards_;
  double emptyMs_ = 0.0;
  Encoding encoding_ = Encoding::P16;
};

// The atlases for the method matrix: one in the linear layout, as in the write-up, and those that
// the texture unit can filter.
std::vector<BakeSettings> matrixBakes(const BakeSettings& settings, const BenchDepth& depth) {
  std::vector<BakeSettings> bakes;
  for (const EncodingInfo& info : allEncodings()) {
    if (!storesMatrices(info) || (depth.quick && !bakes.empty())) continue;
    BakeSettings bake = settings;
    bake.encoding = info.encoding;
    bake.layout = info.atOrigin ? LayoutKind::Linear : LayoutKind::Rows;
    bake.components.reset();
    if (info.ranged == RangedTexels::None) bake.rangeMode.reset();
    bakes.push_back(bake);
  }
  return bakes;
}

}  // namespace

Result<void> benchMethods(const Stage& stage, const CrowdOptions& crowdOptions,
                          const BakeSettings& settings, const BenchDepth& depth,
                          const JobContext& job, BenchResult& result) {
  const auto context = render::HeadlessContext::make();
  if (!context) return tl::unexpected(context.error());
  const auto renderer = render::CrowdRenderer::make();
  if (!renderer) return tl::unexpected(renderer.error());
  if (auto ok = (*renderer)->setCharacter(stage.character); !ok) return ok;
  if (auto ok = (*renderer)->setAtlas(stage.atlas); !ok) return ok;
  result.renderer = (*renderer)->facts().renderer;
  result.gl = (*renderer)->facts().version;
  MethodBench bench(stage, crowdOptions, depth, job, result);
  bench.makeCrowds((*renderer)->facts().software);
  if (auto ok = bench.measureLimit(**renderer); !ok) return ok;
  if (auto ok = bench.measureAtlas(**renderer, stage.atlas, true); !ok) return ok;
  if (depth.everyVariant) return {};
  for (const BakeSettings& other : matrixBakes(settings, depth)) {
    auto baked = bake(*stage.character, other, job);
    if (!baked) return tl::unexpected(baked.error());
    const auto atlas = std::make_shared<const Atlas>(std::move(baked->atlas));
    if (auto ok = bench.measureAtlas(**renderer, atlas, false); !ok) return ok;
  }
  return {};
}

}  // namespace ck::cli
