#include "app/bench/bench_container.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/container/atlas_file.h"

namespace ck::cli {
namespace {

constexpr std::size_t kRuns = 9;

// Seconds of copying bytes, often enough that a run is long.
Result<double> copySeconds(std::span<const std::byte> bytes, const JobContext& job) {
  constexpr int kCopies = 50;
  std::vector<std::byte> to(bytes.size());
  const auto runs = measure(job, kRuns, [&]() -> Result<void> {
    for (int copy = 0; copy < kCopies; ++copy) {
      std::memcpy(to.data(), bytes.data(), bytes.size());
      to[0] ^= to[bytes.size() - 1];  // prevents the compiler from removing the copy
    }
    return {};
  });
  if (!runs) return tl::unexpected(runs.error());
  return median(runs->processor) / kCopies;
}

BenchRow rowFor(const char* name, const Runs& runs, double bytes, std::size_t fileBytes,
                double copySeconds) {
  BenchRow row = rowOf(name, runs);
  row.variant = "fast";
  row.atlasBytes = fileBytes;
  row.unit = "bytes";
  const double seconds = median(runs.processor);
  row.unitsPerSecond = bytes / seconds;
  row.ratioToLimit = copySeconds / seconds;
  row.spread = spreadOf(runs.processor);
  return row;
}

}  // namespace

Result<void> benchContainer(BenchRun& run) {
  const Atlas& atlas = *run.atlas;
  const auto copy = copySeconds(atlas.texels, run.job);
  if (!copy) return tl::unexpected(copy.error());
  const auto bytes = static_cast<double>(atlas.texels.size());
  std::vector<std::byte> file;
  const auto writing = measure(run.job, kRuns, [&]() -> Result<void> {
    file = atlasToBytes(atlas, {}, 1);
    return {};
  });
  if (!writing) return tl::unexpected(writing.error());
  const auto reading = measure(run.job, kRuns, [&]() -> Result<void> {
    const auto read = atlasFromBytes(file);
    if (!read) return tl::unexpected(read.error());
    return {};
  });
  if (!reading) return tl::unexpected(reading.error());
  run.result.rows.push_back(rowFor("container write", *writing, bytes, file.size(), *copy));
  run.result.rows.push_back(rowFor("container read", *reading, bytes, file.size(), *copy));
  return {};
}

}  // namespace ck::cli
