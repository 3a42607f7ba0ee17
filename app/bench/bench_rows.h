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
  std::optional<double> vertexRatioToBook;     // and vertex stages
  std::optional<std::size_t> pixelsDiffering;  // from the book's picture, by more than 24 of 255
  std::optional<std::size_t> pixelsCovered;    // by the crowd in the book's picture
  std::optional<std::size_t> storedDiffering;  // the same for actors that stand on stored frames
  std::optional<double> verticesPerSecond;     // welded vertices, by vertexStageMs
  std::optional<double> trianglesPerSecond;    // by frameMs
  std::optional<double> vertexRatioToLimit;    // of the trivial shader: 1 is as fast
  std::optional<int> actorsAtBookTime;  // that are drawn in the time of the book's smallest crowd
  std::string axis;                     // what grows: "actors", "joints", ...
  std::optional<double> along;          // and how far
  std::optional<std::size_t> atlasBytes;
  std::optional<double> unitsPerSecond;
  std::optional<int> changed;  // morph targets that have another weight
  std::optional<int> batch;    // of these in one pass, at most
  std::optional<int> passes;
  std::string unit;                    // of unitsPerSecond: "joint samples", "actors", "bytes"
  std::optional<double> ratioToLimit;  // of copying, or of the trivial shader's whole frame
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
  std::optional<int> morphPlaces;  // vertices that morph targets move
  std::string computeMissing;      // why targets are not added up by compute shader; or empty
};

// Each measures on its own and adds rows; fails as what it measures does.
Result<void> benchImport(const ImportOptions& import, const JobContext& job, BenchResult& result);
Result<void> benchBake(const Character& character, const BakeSettings& settings,
                       const JobContext& job, BenchResult& result);
Result<void> benchCrowd(const Stage& stage, const CrowdOptions& crowd, const JobContext& job,
                        BenchResult& result);

// How much of `bench methods` and `bench growth` is measured.
struct BenchDepth {
  bool quick = false;         // the smallest crowd and the main variants alone
  bool everyVariant = false;  // of the atlas at hand (two clips by four influences alone), and no
                              // atlases of matrices beside it
};

// Every method and its main variants beside the book and beside a trivial shader, at 80, 256 and
// 1,000 actors, on hardware 10,000 and 100,000 too. The method matrix gets atlases of its own,
// baked with `settings`.
Result<void> benchMethods(const Stage& stage, const CrowdOptions& crowd,
                          const BakeSettings& settings, const BenchDepth& depth,
                          const JobContext& job, BenchResult& result);

// Frame time of the methods against actors, joints, vertices, clips and atlas size, on characters
// made in code; one of these grows at a time.
Result<void> benchGrowth(const BenchDepth& depth, const JobContext& job, BenchResult& result);

// Adding changed morph targets up: transform feedback in batches of 1 to 7, compute, processor, and
// all targets anew. The character's own targets are repeated until there are 50. Then benchFaces().
Result<void> benchMorphs(const Stage& stage, const BenchDepth& depth, const JobContext& job,
                         BenchResult& result);

// What a thousand near faces cost the tick and the vertex stage of the methods, beside the same
// crowd in its default shape. Needs a context and morph targets.
Result<void> benchFaces(const Stage& stage, const BenchDepth& depth, const JobContext& job,
                        BenchResult& result);

}  // namespace ck::cli
