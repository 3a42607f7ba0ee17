#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/commands/bench_rows.h"
#include "app/commands/bench_timing.h"
#include "core/bake/bake.h"
#include "core/crowd/crowd.h"
#include "render/headless.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {
namespace {

constexpr PixelSize kPicture{1280, 720};
constexpr int kCounts[] = {64, 256};

// One way to draw that is measured.
struct Case {
  Method method = Method::Atlas;
  std::string name;
  render::RenderSettings settings;
};

// Crowds of the same actors with and without a second clip on the way.
struct Crowds {
  Crowd plain;
  Crowd fading;
  render::Camera camera;
  Crowd& forCase(const Case& one) { return one.settings.fades ? fading : plain; }
};

Crowds crowdsOf(const Stage& stage, const CrowdOptions& crowdOptions, int count) {
  CrowdOptions options = crowdOptions;
  options.actors = count;
  const auto names = clipNamesOf(*stage.atlas);
  std::vector<Actor> actors = actorsFor(options, *stage.character, names);
  const auto clips = crowdClips(*stage.atlas, names);
  Crowds crowds{Crowd(actors, clips), Crowd({}, clips), {}};
  for (Actor& actor : actors) {
    actor.fadeClip = (actor.clip + 1) % static_cast<int>(names.size());
    actor.fade = 0.5f;
  }
  crowds.fading = Crowd(actors, clips);
  render::frameBox(crowds.camera, render::crowdBounds(crowds.plain, *stage.character),
                   1280.0 / 720.0);
  return crowds;
}

Case caseOf(const render::AtlasVariant& variant, std::string name) {
  Case one{Method::Atlas, std::move(name), {}};
  one.settings.method = Method::Atlas;
  one.settings.sampling = variant.sampling;
  one.settings.influences = variant.influences;
  one.settings.fades = variant.blend;
  return one;
}

Case caseOf(Method method, std::string name, bool fades = false) {
  Case one{method, std::move(name), {}};
  one.settings.method = method;
  one.settings.fades = fades;
  return one;
}

// Everything that the atlas allows; two clips with four influences alone, because fewer cost in the
// same proportion.
std::vector<Case> casesOf(const Atlas& atlas) {
  std::vector<Case> cases;
  for (const render::VariantOffer& offer : render::atlasVariants(atlas)) {
    if (!offer.refusal.empty()) continue;
    if (offer.variant.blend && offer.variant.influences != 4) continue;
    cases.push_back(caseOf(offer.variant, offer.name));
  }
  return cases;
}

// The furthest that a vertex is from the source, over some moments of a few actors, millimetres.
class ErrorMeter {
 public:
  ErrorMeter(const Stage& stage, const CrowdOptions& options)
      : stage_(stage), crowds_(crowdsOf(stage, options, 12)) {}

  Result<double> worstMm(render::CrowdRenderer& renderer, const Case& one) {
    double worst = 0.0;
    for (const double seconds : {0.11, 0.47, 1.93, 3.31}) {
      Crowd& crowd = crowds_.forCase(one);
      crowd.seek(seconds);
      auto& expected = source_[{one.settings.fades, seconds}];
      if (expected.empty()) {
        // The clips themselves with every influence, fading in the joints' own spaces whatever the
        // method does; without morph targets, which no method plays.
        render::RenderSettings truth = one.settings;
        truth.method = Method::Live;
        truth.influences = 0;
        expected = render::oraclePositions(*stage_.character, nullptr, crowd, truth, false);
      }
      const auto drawn = renderer.readBackPositions(crowd, one.settings);
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

bool readsAtlas(Method method) {
  return method == Method::Atlas || method == Method::Palette;
}

class MethodBench {
 public:
  MethodBench(const Stage& stage, const CrowdOptions& options, const JobContext& job,
              BenchResult& result)
      : job_(job), result_(result), errors_(stage, options) {
    for (const int count : kCounts) crowds_.push_back(crowdsOf(stage, options, count));
  }

  Result<void> measureAtlas(render::CrowdRenderer& renderer, const AtlasPtr& atlas, bool first) {
    if (auto ok = renderer.setAtlas(atlas); !ok) return ok;
    encoding_ = std::string(encodingInfo(atlas->encoding).name);
    book_.assign(crowds_.size(), {});
    if (auto ok = measureCase(renderer, caseOf(Method::Book, "as written"), first); !ok) {
      return ok;
    }
    const char* const between = "interpolated, 4 influences";
    const char* const fading = "interpolated, 4 influences, two clips";
    std::vector<Case> cases = {caseOf(Method::Palette, between),
                               caseOf(Method::Palette, fading, true)};
    for (Case& one : casesOf(*atlas)) cases.push_back(std::move(one));
    if (first) {
      cases.push_back(caseOf(Method::Live, "4 influences"));
      cases.push_back(caseOf(Method::Live, "4 influences, two clips", true));
      cases.push_back(caseOf(Method::Cpu, between));
    }
    for (const Case& one : cases) {
      if (auto ok = measureCase(renderer, one, true); !ok) return ok;
    }
    return {};
  }

 private:
  struct Times {
    double frameMs = 0.0;
    double vertexMs = 0.0;
  };

  Result<Runs> frames(render::CrowdRenderer& renderer, Crowds& crowds, const Case& one,
                      bool vertexStageOnly) {
    Crowd& crowd = crowds.forCase(one);
    return measure(job_, 3, [&]() -> Result<void> {
      crowd.advance(1.0 / 60.0);
      return renderer.drawAndFinish(crowd, crowds.camera, one.settings, kPicture.width,
                                    kPicture.height, vertexStageOnly);
    });
  }

  // The first case of an atlas is the book, which the others are compared with.
  Result<void> measureCase(render::CrowdRenderer& renderer, const Case& one, bool reported) {
    const auto error = errors_.worstMm(renderer, one);
    if (!error) return tl::unexpected(error.error());
    for (std::size_t i = 0; i < crowds_.size(); ++i) {
      const auto whole = frames(renderer, crowds_[i], one, false);
      if (!whole) return tl::unexpected(whole.error());
      const auto vertices = frames(renderer, crowds_[i], one, true);
      if (!vertices) return tl::unexpected(vertices.error());
      const Times times{median(whole->processor) * 1e3, median(vertices->processor) * 1e3};
      if (one.method == Method::Book) book_[i] = times;
      if (!reported) continue;
      BenchRow row;
      row.name = "frame";
      row.method = std::string(methodName(one.method));
      row.encoding = readsAtlas(one.method) ? encoding_ : std::string();
      row.variant = one.name;
      row.actors = kCounts[i];
      row.fetches = renderer.stats().fetchesPerVertex;
      row.errorMm = *error;
      row.frameMs = times.frameMs;
      row.wallMs = median(whole->wall) * 1e3;
      row.vertexStageMs = times.vertexMs;
      row.ratioToBook = book_[i].frameMs / times.frameMs;
      row.vertexRatioToBook = book_[i].vertexMs / times.vertexMs;
      row.runs = static_cast<int>(whole->processor.size());
      row.spread = spreadOf(whole->processor);
      result_.rows.push_back(row);
    }
    return {};
  }

  const JobContext& job_;
  BenchResult& result_;
  ErrorMeter errors_;
  std::vector<Crowds> crowds_;
  std::vector<Times> book_;  // by the number of actors, for the atlas at hand
  std::string encoding_;
};

}  // namespace

Result<void> benchMethods(const Stage& stage, const CrowdOptions& crowdOptions,
                          const BakeSettings& settings, bool allEncodingsToo, const JobContext& job,
                          BenchResult& result) {
  const auto context = render::HeadlessContext::make();
  if (!context) return tl::unexpected(context.error());
  const auto renderer = render::CrowdRenderer::make();
  if (!renderer) return tl::unexpected(renderer.error());
  if (auto ok = (*renderer)->setCharacter(stage.character); !ok) return ok;
  result.renderer = (*renderer)->facts().renderer;
  result.gl = (*renderer)->facts().version;
  MethodBench bench(stage, crowdOptions, job, result);
  if (auto ok = bench.measureAtlas(**renderer, stage.atlas, true); !ok) return ok;
  for (const EncodingInfo& info : allEncodings()) {
    if (!allEncodingsToo || info.encoding == stage.atlas->encoding) continue;
    BakeSettings other = settings;
    other.encoding = info.encoding;
    auto baked = bake(*stage.character, other, job);
    if (!baked) return tl::unexpected(baked.error());
    const auto atlas = std::make_shared<const Atlas>(std::move(baked->atlas));
    if (auto ok = bench.measureAtlas(**renderer, atlas, false); !ok) return ok;
  }
  return {};
}

}  // namespace ck::cli
