#include "app/bench/bench_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>

#include "app/bench/bench_timing.h"
#include "core/bake/bake.h"
#include "core/base/assert.h"
#include "core/base/files.h"
#include "core/crowd/crowd.h"

namespace ck::cli {
namespace {

BenchRow throughputRow(std::string name, double units, std::string unit, const Runs& runs) {
  BenchRow row;
  row.name = std::move(name);
  row.unit = std::move(unit);
  row.unitsPerSecond = units / median(runs.wall);
  row.runs = static_cast<int>(runs.wall.size());
  row.spread = spreadOf(runs.wall);
  return row;
}

// The speed in GB/s at which one core copies memory much larger than its caches.
Result<double> copyRate(const JobContext& job) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  std::vector<std::byte> from(kBytes, std::byte{1});
  std::vector<std::byte> to(kBytes);
  const auto runs = measure(job, 7, [&]() -> Result<void> {
    std::memcpy(to.data(), from.data(), kBytes);
    from[0] = to[kBytes - 1];  // prevents the compiler from removing the copy
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  return static_cast<double>(kBytes) / median(runs->processor) * 1e-9;
}

// The book's update: all actors play one clip at one rate, each at its own time, wrapped by fmod.
// The frames are those of render/reference/book_timing.h.
struct BookActor {
  float seconds = 0.0f;
  float weight = 0.0f;
  std::int32_t frame = 0;
  std::int32_t next = 0;
};

void advanceBook(std::span<BookActor> actors, const CrowdClip& clip, float tickSeconds) {
  const auto duration = static_cast<float>(std::max(clip.durationSeconds, 1e-3));
  const auto steps = static_cast<float>(std::max(clip.frameCount - 1, 1));
  const float framesPerSecond = steps / duration;
  for (BookActor& actor : actors) {
    actor.seconds = std::fmod(actor.seconds + tickSeconds, duration);
    const float at = actor.seconds * framesPerSecond;
    const float nextAt = std::fmod(actor.seconds + tickSeconds, duration) * framesPerSecond;
    actor.frame = static_cast<std::int32_t>(at);
    actor.next = static_cast<std::int32_t>(nextAt);
    actor.weight = at - static_cast<float>(actor.frame);
  }
}

Result<BenchRow> bookCrowdRow(const CrowdClip& clip, int count, const JobContext& job) {
  std::vector<BookActor> actors(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].seconds = static_cast<float>(i % 97) * 0.01f;
  }
  const auto runs = measure(job, 21, [&]() -> Result<void> {
    advanceBook(actors, clip, 1.0f / 60.0f);
    CK_ASSERT(actors.back().frame < clip.frameCount);
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  BenchRow row = throughputRow("crowd update", count, "actors", *runs);
  row.method = "book";
  row.actors = count;
  row.unitsPerSecond = count / median(runs->processor);
  row.spread = spreadOf(runs->processor);
  row.wallMs = median(runs->wall) * 1e3;
  return row;
}

// The number of actors that walk.
std::size_t walkersAmong(std::span<const Actor> actors, std::span<const CrowdClip> clips) {
  return static_cast<std::size_t>(std::count_if(actors.begin(), actors.end(), [&](const Actor& a) {
    return a.travels && clips[static_cast<std::size_t>(a.clip)].groundSpeedMetersPerSecond != 0.0;
  }));
}

Result<BenchRow> crowdRow(std::span<const Actor> actors, std::span<const CrowdClip> clips,
                          const JobContext& job) {
  Crowd crowd(actors, clips);
  const auto runs = measure(job, 21, [&]() -> Result<void> {
    crowd.advance(1.0 / 60.0);
    CK_ASSERT(crowd.instances().size() == crowd.size());
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  const auto count = static_cast<double>(actors.size());
  BenchRow row = throughputRow("crowd update", count, "actors", *runs);
  row.actors = static_cast<int>(actors.size());
  // CPU time, so that other load on the machine does not count.
  row.unitsPerSecond = count / median(runs->processor);
  row.spread = spreadOf(runs->processor);
  row.wallMs = median(runs->wall) * 1e3;
  return row;
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
  const std::vector<CrowdClip> clips = crowdClips(*stage.atlas, names);
  for (const int count : {10'000, 100'000, 1'000'000}) {
    auto book = bookCrowdRow(clips.front(), count, job);
    if (!book) return tl::unexpected(book.error());
    CrowdOptions options = crowdOptions;
    options.actors = count;
    std::vector<Actor> actors = actorsFor(options, *stage.character, names);
    const std::size_t walkers = walkersAmong(actors, clips);
    const auto measured = [&](std::string variant, std::size_t walking) -> Result<void> {
      auto row = crowdRow(actors, clips, job);
      if (!row) return tl::unexpected(row.error());
      const std::size_t bytes =
          actors.size() * sizeof(gpu::CkFrames) + walking * sizeof(gpu::CkPlace);
      row->variant = std::move(variant);
      row->ratioToLimit = *row->unitsPerSecond / count * static_cast<double>(bytes) * 1e-9 / *copy;
      row->ratioToBook = *row->unitsPerSecond / *book->unitsPerSecond;
      result.rows.push_back(*row);
      return {};
    };
    if (walkers > 0) {
      if (auto done = measured("walking", walkers); !done) return done;
    }
    for (Actor& actor : actors) actor.travels = false;
    if (auto done = measured("standing", 0); !done) return done;
    result.rows.push_back(*book);
  }
  return {};
}

}  // namespace ck::cli
