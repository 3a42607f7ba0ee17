#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/scene_options.h"
#include "core/base/job.h"

namespace ck::cli {

// One line of a benchmark; what does not apply is left out. Times are medians over the runs.
struct BenchRow {
  std::string name;
  std::string method;
  std::string encoding;
  std::string variant;
  std::optional<int> actors;
  std::optional<int> fetches;           // texel fetches of poses for a vertex
  std::optional<double> errorMm;        // the furthest that a vertex is from the source
  std::optional<double> frameMs;        // processor time of the whole program per finished frame
  std::optional<double> wallMs;         // the same by the clock on the wall
  std::optional<double> vertexStageMs;  // frameMs of the crowd with the rasteriser switched off
  std::optional<double> ratioToBook;    // how many times faster than method book: whole frames
  std::optional<double> vertexRatioToBook;  // and vertex stages
  std::optional<double> unitsPerSecond;
  std::string unit;  // of unitsPerSecond: "joint samples", "actors", "bytes"
  std::optional<double> ratioToLimit;
  int runs = 0;
  double spread = 0.0;  // (largest - smallest) / median
};

// What the machine can do at best, measured in the same run.
struct BenchLimits {
  std::optional<double> copyGBs;  // plain copying of memory, read and write counted once
};

struct BenchResult {
  std::vector<BenchRow> rows;
  BenchLimits limits;
  std::string renderer;  // empty where nothing was drawn
  std::string gl;
};

// Each measures on its own and adds rows; fails as what it measures does.
Result<void> benchImport(const ImportOptions& import, const JobContext& job, BenchResult& result);
Result<void> benchBake(const Character& character, const BakeSettings& settings,
                       const JobContext& job, BenchResult& result);
Result<void> benchCrowd(const Stage& stage, const CrowdOptions& crowd, const JobContext& job,
                        BenchResult& result);
// The methods and every variant of the method atlas (two clips by four influences alone) at 64 and
// 256 actors; with `allEncodingsToo` for atlases of the
// other encodings as well, baked with `settings`.
Result<void> benchMethods(const Stage& stage, const CrowdOptions& crowd,
                          const BakeSettings& settings, bool allEncodingsToo, const JobContext& job,
                          BenchResult& result);

}  // namespace ck::cli
