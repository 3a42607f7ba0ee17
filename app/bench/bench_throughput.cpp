#include "app/bench/bench_throughput.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>

#include "core/base/assert.h"
#include "core/crowd/crowd.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

// Seconds of the ticks that a crowd is moved on by: as programs make them that wait for the screen,
// and as windows do whose frames take longer and shorter. The changing ones share no divisor.
constexpr std::array<double, 1> kEqualTicks = {1.0 / 60.0};
constexpr std::array<double, 7> kChangingTicks = {0.0167, 0.0171, 0.0311, 0.0163,
                                                  0.0169, 0.0502, 0.0127};

// The speed of bringing a crowd up to date, by CPU time, so that other load on the machine does not
// count.
Result<BenchRow> measureCrowd(std::size_t actors, const JobContext& job,
                              const std::function<void()>& update) {
  const auto runs = measure(job, 21, [&update]() -> Result<void> {
    update();
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  const auto count = static_cast<double>(actors);
  BenchRow row = throughputRow("crowd update", count, "actors", *runs);
  row.actors = static_cast<int>(actors);
  row.unitsPerSecond = count / median(runs->processor);
  row.spread = spreadOf(runs->processor);
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
  const auto steps = static_cast<float>(std::max(clip.lastInterval() + 1, 1));
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

Result<BenchRow> measureBook(const CrowdClip& clip, int count, const JobContext& job) {
  std::vector<BookActor> actors(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < actors.size(); ++i) {
    actors[i].seconds = static_cast<float>(i % 97) * 0.01f;
  }
  auto row = measureCrowd(actors.size(), job, [&] {
    advanceBook(actors, clip, 1.0f / 60.0f);
    CK_ASSERT(actors.back().frame < clip.frameCount);
  });
  if (row) row->method = "book";
  return row;
}

// The number of actors that walk.
std::size_t walkersAmong(std::span<const Actor> actors, std::span<const CrowdClip> clips) {
  return static_cast<std::size_t>(std::count_if(actors.begin(), actors.end(), [&](const Actor& a) {
    return a.travels && clips[static_cast<std::size_t>(a.clip)].groundSpeedMetersPerSecond != 0.0;
  }));
}

}  // namespace

Result<void> benchImport(BenchRun& run) {
  double bytes = 0.0;
  for (const std::string& file : run.options.input.import.files) {
    std::error_code failed;
    bytes += static_cast<double>(std::filesystem::file_size(pathFromText(file), failed));
    if (failed) bytes = 0.0;
  }
  const auto input = projectFrom(run.options.input, run.job);
  if (!input) return tl::unexpected(input.error().error);
  const ProjectCharacter& character = input->project.characters.front();
  std::vector<ImportFile> files;
  for (const SourceFile& each : character.sources) {
    files.emplace_back(pathFromText(each.path), each.fit);
  }
  const auto runs = measure(run.job, 5, [&]() -> Result<void> {
    return importWithClips(files, character.import, {}, run.job).map([](const Character&) {});
  });
  if (!runs) return tl::unexpected(runs.error());
  run.result.rows.push_back(throughputRow("import", bytes, "bytes", *runs));
  return {};
}

Result<void> benchCrowd(BenchRun& run) {
  const auto copy = copyRate(run.job);
  if (!copy) return tl::unexpected(copy.error());
  run.result.copyGBs = *copy;
  for (const int count : {10'000, 100'000, 1'000'000}) {
    auto book = measureBook(run.clips.front(), count, run.job);
    if (!book) return tl::unexpected(book.error());
    std::vector<Actor> actors = benchActors(run, count, *run.character, run.clips);
    const auto measured = [&](std::string variant, std::size_t walking,
                              std::span<const double> ticks) -> Result<void> {
      Crowd crowd(actors, run.clips);
      std::size_t tick = 0;
      auto row = measureCrowd(actors.size(), run.job, [&] {
        crowd.advance(ticks[tick++ % ticks.size()]);
        CK_ASSERT(crowd.instances().size() == crowd.size());
      });
      if (!row) return tl::unexpected(row.error());
      const std::size_t bytes =
          actors.size() * sizeof(gpu::CkFrames) + walking * sizeof(gpu::CkPlace);
      row->variant = std::move(variant);
      row->ratioToLimit = *row->unitsPerSecond / count * static_cast<double>(bytes) * 1e-9 / *copy;
      row->ratioToBook = *row->unitsPerSecond / *book->unitsPerSecond;
      run.result.rows.push_back(*row);
      return {};
    };
    const auto measuredTwice = [&](const std::string& variant, std::size_t walking) {
      auto done = measured(variant, walking, kEqualTicks);
      return done ? measured(variant + ", changing ticks", walking, kChangingTicks) : done;
    };
    if (const std::size_t walkers = walkersAmong(actors, run.clips); walkers > 0) {
      if (auto done = measuredTwice("walking", walkers); !done) return done;
    }
    for (Actor& actor : actors) actor.travels = false;
    if (auto done = measuredTwice("standing", 0); !done) return done;
    run.result.rows.push_back(*book);
  }
  return {};
}

}  // namespace ck::cli
