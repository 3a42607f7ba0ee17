#include "app/commands/bench_rows.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "core/bake/bake.h"
#include "core/base/files.h"
#include "core/crowd/crowd.h"
#include "render/headless.h"
#include "render/view/crowd_renderer.h"

namespace ck::cli {
namespace {

using Clock = std::chrono::steady_clock;

double processSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Seconds of several runs of one thing.
struct Runs {
  std::vector<double> wall;
  std::vector<double> processor;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) * 0.5;
}

double spreadOf(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double middle = median(values);
  return middle > 0.0 ? (*high - *low) / middle : 0.0;
}

// Runs `work` once to warm up and then until there are `fewest` runs and half a second is spent, at
// most 200 times.
Result<Runs> measure(const JobContext& job, std::size_t fewest,
                     const std::function<Result<void>()>& work) {
  if (auto ok = work(); !ok) return tl::unexpected(ok.error());
  Runs runs;
  const Clock::time_point start = Clock::now();
  while (runs.wall.size() < fewest ||
         (Clock::now() - start < std::chrono::milliseconds(500) && runs.wall.size() < 200)) {
    if (job.stopRequested()) return fail(ErrorCode::Cancelled, "interrupted");
    const double processor = processSeconds();
    const Clock::time_point wall = Clock::now();
    if (auto ok = work(); !ok) return tl::unexpected(ok.error());
    runs.wall.push_back(std::chrono::duration<double>(Clock::now() - wall).count());
    runs.processor.push_back(processSeconds() - processor);
  }
  return runs;
}

BenchRow throughputRow(std::string name, double units, std::string unit, const Runs& runs) {
  BenchRow row;
  row.name = std::move(name);
  row.unit = std::move(unit);
  row.unitsPerSecond = units / median(runs.wall);
  row.runs = static_cast<int>(runs.wall.size());
  row.spread = spreadOf(runs.wall);
  return row;
}

// Gigabytes a second of copying much more than the caches hold.
Result<double> copyRate(const JobContext& job) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  std::vector<std::byte> from(kBytes, std::byte{1});
  std::vector<std::byte> to(kBytes);
  const auto runs = measure(job, 7, [&]() -> Result<void> {
    std::memcpy(to.data(), from.data(), kBytes);
    from[0] = to[kBytes - 1];  // so that the copy is not left out
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  return static_cast<double>(kBytes) / median(runs->wall) * 1e-9;
}

// Frames of the crowd, one after another in time, drawn to the end and read back.
Result<Runs> frameRuns(render::CrowdRenderer& renderer, Crowd& crowd, const render::Camera& camera,
                       const render::RenderSettings& settings, PixelSize size,
                       const JobContext& job) {
  return measure(job, 7, [&]() -> Result<void> {
    crowd.advance(1.0 / 60.0);
    const auto frame = renderer.drawToFrame(crowd, camera, settings, size.width, size.height);
    if (!frame) return tl::unexpected(frame.error());
    return {};
  });
}

}  // namespace

Result<void> benchImport(const ImportOptions& import, const JobContext& job, BenchResult& result) {
  double bytes = 0.0;
  for (const std::string& file : import.files) {
    std::error_code failed;
    bytes += static_cast<double>(std::filesystem::file_size(pathFromText(file), failed));
    if (failed) bytes = 0.0;
  }
  const auto runs = measure(job, 5, [&]() -> Result<void> {
    const auto character = importFiles(import, job);
    if (!character) return tl::unexpected(character.error());
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  BenchRow row = throughputRow("import", bytes, "bytes", *runs);
  row.wallMs = median(runs->wall) * 1e3;
  result.rows.push_back(row);
  return {};
}

Result<void> benchBake(const Character& character, const BakeSettings& settings,
                       const JobContext& job, BenchResult& result) {
  double samples = 0.0;
  const auto runs = measure(job, 5, [&]() -> Result<void> {
    const auto baked = bake(character, settings, job);
    if (!baked) return tl::unexpected(baked.error());
    double frames = 0.0;
    for (const AtlasClip& clip : baked->atlas.clips) frames += clip.frameCount;
    samples = frames * static_cast<double>(baked->atlas.joints.size());
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  BenchRow row = throughputRow("bake", samples, "joint samples", *runs);
  row.variant = std::string(encodingInfo(settings.encoding).name);
  row.wallMs = median(runs->wall) * 1e3;
  result.rows.push_back(row);
  return {};
}

Result<void> benchCrowd(const Stage& stage, const CrowdOptions& crowdOptions, const JobContext& job,
                        BenchResult& result) {
  const auto copy = copyRate(job);
  if (!copy) return tl::unexpected(copy.error());
  result.limits.copyGBs = *copy;
  const auto names = clipNamesOf(*stage.atlas);
  for (const int count : {10'000, 100'000}) {
    CrowdOptions options = crowdOptions;
    options.actors = count;
    Crowd crowd(actorsFor(options, *stage.character, names), crowdClips(*stage.atlas, names));
    std::vector<gpu::CkActor> records(crowd.size());
    const auto runs = measure(job, 21, [&]() -> Result<void> {
      crowd.advance(1.0 / 60.0);
      crowd.writeInstances(records);
      return {};
    });
    if (!runs) return tl::unexpected(runs.error());
    BenchRow row = throughputRow("crowd update", count, "actors", *runs);
    row.actors = count;
    row.wallMs = median(runs->wall) * 1e3;
    row.ratioToLimit = *row.unitsPerSecond * sizeof(gpu::CkActor) * 1e-9 / *copy;
    result.rows.push_back(row);
  }
  return {};
}

Result<void> benchMethods(const Stage& stage, const CrowdOptions& crowdOptions,
                          const JobContext& job, BenchResult& result) {
  const auto context = render::HeadlessContext::make();
  if (!context) return tl::unexpected(context.error());
  const auto renderer = render::CrowdRenderer::make();
  if (!renderer) return tl::unexpected(renderer.error());
  if (auto ok = (*renderer)->setCharacter(stage.character); !ok) return ok;
  if (auto ok = (*renderer)->setAtlas(stage.atlas); !ok) return ok;
  result.renderer = (*renderer)->facts().renderer;
  result.gl = (*renderer)->facts().version;

  constexpr PixelSize kPicture{1280, 720};
  constexpr PixelSize kTiny{8, 8};
  const auto names = clipNamesOf(*stage.atlas);
  for (const Method method : {Method::Atlas, Method::Cpu}) {
    for (const int count : {64, 256}) {
      CrowdOptions options = crowdOptions;
      options.actors = count;
      Crowd crowd(actorsFor(options, *stage.character, names), crowdClips(*stage.atlas, names));
      render::Camera camera;
      render::frameBox(camera, render::crowdBounds(crowd, *stage.character), 1280.0 / 720.0);
      render::RenderSettings settings;
      settings.method = method;
      settings.influences = stage.atlas->influences;
      settings.sampling = render::samplingFor(stage.atlas->interpolate);
      const auto whole = frameRuns(**renderer, crowd, camera, settings, kPicture, job);
      if (!whole) return tl::unexpected(whole.error());
      const auto tiny = frameRuns(**renderer, crowd, camera, settings, kTiny, job);
      if (!tiny) return tl::unexpected(tiny.error());
      BenchRow row;
      row.name = "frame";
      row.method = std::string(methodName(method));
      row.variant = std::string(render::samplingName(settings.sampling));
      row.actors = count;
      row.frameMs = median(whole->processor) * 1e3;
      row.wallMs = median(whole->wall) * 1e3;
      row.vertexStageMs = median(tiny->processor) * 1e3;
      row.runs = static_cast<int>(whole->processor.size());
      row.spread = spreadOf(whole->processor);
      result.rows.push_back(row);
    }
  }
  return {};
}

}  // namespace ck::cli
