#include "app/bench/bench_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/bench/bench_frames.h"
#include "app/commands/scene_stage.h"
#include "core/project/actors/spawn.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"
#include "render/view/framing.h"

namespace ck::cli {
namespace {

// Larger crowds would be drawn for minutes.
struct MostActors {
  std::size_t whole;
  std::size_t byTheBook;
};
constexpr MostActors kMostInSoftware{10'000, 1'000};
constexpr MostActors kMostOnACard{100'000, 10'000};

constexpr float kAboutRows = 36.0f;

struct Place {
  const char* name;
  render::Camera camera;
};

PictureError errorOf(const render::Frame& drawn, const render::Frame& whole) {
  std::vector<std::size_t> histogram(256, 0);
  PictureError error;
  double sum = 0.0;
  for (std::size_t p = 0; p + 3 < whole.rgba.size(); p += 4) {
    int most = 0;
    for (std::size_t c = p; c < p + 3; ++c) {
      most = std::max(most, std::abs(int{drawn.rgba[c]} - int{whole.rgba[c]}));
    }
    sum += most;
    ++histogram[static_cast<std::size_t>(most)];
    constexpr int kSeen = 24;
    error.over24 += most > kSeen ? 1u : 0u;
  }
  const double pixels = static_cast<double>(whole.rgba.size() / 4);
  error.mean = sum / pixels;
  double below = 0.0;
  for (std::size_t step = 0; step < histogram.size(); ++step) {
    below += static_cast<double>(histogram[step]);
    error.p99 = static_cast<int>(step);
    if (below >= 0.99 * pixels) break;
  }
  return error;
}

class ScaleBench {
 public:
  ScaleBench(BenchRun& run, Scene scene, render::CrowdRenderer& renderer)
      : run_(run), scene_(std::move(scene)), renderer_(renderer) {}

  Result<void> measure() {
    const std::vector<render::CharacterEntry> entries = entriesOf(scene_);
    if (auto set = renderer_.setCharacters(entries); !set) return set;
    std::vector<int> counts = {1'000, 10'000};
    if (!run_.quick) counts.insert(counts.end(), {100'000, 1'000'000});
    for (const int count : counts) {
      MixedCrowd crowd = crowdOf(count);
      for (const Place& place : placesFor(crowd, entries)) {
        if (auto done = measurePlace(crowd, place); !done) return done;
      }
    }
    return {};
  }

 private:
  MixedCrowd crowdOf(int count) const {
    std::vector<CharacterPtr> characters;
    std::vector<std::vector<CrowdClip>> clips;
    for (const SceneCharacter& one : scene_.characters) {
      characters.push_back(one.stage->source.character);
      clips.push_back(one.clips);
    }
    SpawnSettings settings = spawnSettings(run_.options);
    settings.count = count;
    settings.spacingMeters = spacingFor(*characters.front());
    return MixedCrowd(spawnCrowd(spawnParts(scene_.project, characters), settings), clips);
  }

  // Near: a passer-by at the edge. The middle: from a balcony. Far: all of the crowd.
  std::vector<Place> placesFor(const MixedCrowd& crowd,
                               std::span<const render::CharacterEntry> entries) const {
    render::Camera all;
    render::frameActors(all, crowd, entries, double{kBenchImage.width} / kBenchImage.height);
    const double half =
        0.5 * std::sqrt(static_cast<double>(crowd.size())) * spacingFor(*entries.front().character);
    return {{"near", render::lookFrom({0.0, 1.7, half + 2.0}, {0.0, 1.0, half - 8.0})},
            {"middle", render::lookFrom({0.0, 12.0, half + 10.0}, {0.0, 0.0, half - 30.0})},
            {"far", all}};
  }

  Result<void> measurePlace(MixedCrowd& crowd, const Place& place) {
    const MostActors most = renderer_.facts().software ? kMostInSoftware : kMostOnACard;
    render::RenderSettings whole;
    whole.view.pose.sampling = Sampling::AsBaked;
    whole.view.pose.influences = 0;
    whole.view.pose.skinOn = SkinOn::Auto;
    whole.view.shadows = Shadows::Soft;
    render::RenderSettings detailed = whole;
    detailed.view.detail = DetailSettings{};
    if (auto row = measureRow(crowd, place, detailed, "levels of detail"); !row) return row;
    if (crowd.size() > most.whole) return {};
    const std::size_t index = run_.result.rows.size() - 1;
    if (auto row = measureRow(crowd, place, whole, "whole"); !row) return row;
    auto error = compare(crowd, place, detailed, whole);
    if (!error) return tl::unexpected(error.error());
    run_.result.rows[index].pictureError = *error;
    if (crowd.size() > most.byTheBook) return {};
    render::RenderSettings book = whole;
    book.view.pose.method = Method::Atlas;
    book.reference = bookCase("").settings.reference;
    if (auto row = measureRow(crowd, place, book, "book"); !row) return row;
    std::vector<BenchRow>& rows = run_.result.rows;
    for (std::size_t i = index; i + 1 < rows.size(); ++i) {
      rows[i].ratioToBook = *rows.back().frameMs / *rows[i].frameMs;
    }
    return {};
  }

  Result<void> measureRow(MixedCrowd& crowd, const Place& place,
                          const render::RenderSettings& settings, const char* variant) {
    run_.announce(static_cast<float>(run_.result.rows.size()) / kAboutRows,
                  fmt::format("{} actors, {}, {}", crowd.size(), place.name, variant));
    const auto draw = [&] {
      crowd.advance(kBenchTickSeconds);
      return renderer_.drawAndFinish(crowd, place.camera, settings, kBenchImage.width,
                                     kBenchImage.height);
    };
    // Before anything is measured, all that far actors are drawn with is made.
    if (auto first = draw(); !first) return first;
    renderer_.completeDetail();
    constexpr std::size_t kFewest = 3;
    const auto runs = ck::cli::measure(run_.job, kFewest, draw);
    if (!runs) return tl::unexpected(runs.error());
    BenchRow row = rowOf("scale", *runs);
    row.method = variant;
    row.variant = place.name;
    row.actors = static_cast<int>(crowd.size());
    row.frameMs = median(runs->processor) * 1e3;
    row.spread = spreadOf(runs->processor);
    const render::FrameStats& stats = renderer_.stats();
    row.triangles = stats.triangles;
    row.uploadedBytes = stats.uploadedBytes;
    row.detail = stats.detail;
    run_.result.rows.push_back(std::move(row));
    return {};
  }

  Result<PictureError> compare(MixedCrowd& crowd, const Place& place,
                               const render::RenderSettings& detailed,
                               const render::RenderSettings& whole) {
    const auto picture = [&](const render::RenderSettings& settings) {
      return renderer_.drawToFrame(crowd, place.camera, settings, kBenchImage.width,
                                   kBenchImage.height);
    };
    const auto drawn = picture(detailed);
    if (!drawn) return tl::unexpected(drawn.error());
    const auto all = picture(whole);
    if (!all) return tl::unexpected(all.error());
    return errorOf(*drawn, *all);
  }

  BenchRun& run_;
  Scene scene_;
  render::CrowdRenderer& renderer_;
};

}  // namespace

Result<void> benchScale(BenchRun& run) {
  SceneOptions options = run.options;
  for (const char* sample : {"humanoid.glb", "animal.glb"}) {
    const std::string file = pathText(findSample(sample));
    if (!file.empty() && file != options.input.import.files.front())
      options.further.push_back(file);
  }
  options.actors = 1;
  auto scene = makeScene(options, run.job);
  if (!scene) return tl::unexpected(scene.error().error);
  auto made = makeRenderer(run.result);
  if (!made) return tl::unexpected(made.error());
  return ScaleBench(run, std::move(*scene), *made->renderer).measure();
}

}  // namespace ck::cli
