#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/scene_options.h"
#include "core/base/job.h"

namespace ck::cli {

// One line of a benchmark. Values that do not apply are empty. Times are medians over the runs.
struct BenchRow {
  std::string name;
  std::string method;
  std::string encoding;
  std::string variant;
  std::optional<int> actors;
  std::optional<int> fetches;                  // texel fetches for poses per vertex
  std::optional<double> errorMm;               // largest distance of a vertex from the source
  std::optional<double> frameMs;               // CPU time of the whole program per frame
  std::optional<double> wallMs;                // wall time per frame
  std::optional<double> vertexStageMs;         // frameMs of the crowd without rasterisation
  std::optional<double> ratioToBook;           // speed relative to method book: whole frames
  std::optional<double> vertexRatioToBook;     // speed relative to method book: vertex stage
  std::optional<std::size_t> pixelsDiffering;  // from the book's image, by more than 24 of 255
  std::optional<std::size_t> pixelsCovered;    // by the crowd, in the book's image
  std::optional<std::size_t> storedDiffering;  // as pixelsDiffering, with actors on stored frames
  std::optional<double> verticesPerSecond;     // merged vertices, by vertexStageMs
  std::optional<double> trianglesPerSecond;    // by frameMs
  std::optional<double> vertexRatioToLimit;    // relative to the trivial shader; 1 is equal
  std::optional<int> actorsAtBookTime;         // that take as long as the book's smallest crowd
  std::string axis;                            // the varied quantity: "actors", "joints", ...
  std::optional<double> along;                 // its value
  std::optional<std::size_t> atlasBytes;
  std::optional<double> unitsPerSecond;
  std::optional<int> changed;  // number of morphs with changed weights
  std::optional<int> batch;    // maximum number of morphs per pass
  std::optional<int> passes;
  std::string unit;  // of unitsPerSecond: "joint samples", "actors", "bytes"
  // Relative to copying, or to the trivial shader's whole frame.
  std::optional<double> ratioToLimit;
  int runs = 0;
  double spread = 0.0;  // (largest - smallest) / median
};

// Limits of the machine, measured in the same run.
struct BenchLimits {
  std::optional<double> copyGBs;  // copying memory; read and write counted once
};

struct BenchResult {
  std::vector<BenchRow> rows;
  BenchLimits limits;
  std::string renderer;  // empty if nothing was drawn
  std::string gl;
  std::optional<int> morphPlaces;  // number of vertices that morphs move
  std::string computeMissing;      // why morphs cannot be added up by compute shader; or empty
};

// Each function measures one subject and adds rows. Fails as the measured functions do.
Result<void> benchImport(const ImportOptions& import, const JobContext& job, BenchResult& result);
Result<void> benchBake(const Character& character, const BakeSettings& settings,
                       const JobContext& job, BenchResult& result);
Result<void> benchCrowd(const Stage& stage, const CrowdOptions& crowd, const JobContext& job,
                        BenchResult& result);

// The extent of `bench methods` and `bench growth`.
struct BenchDepth {
  bool quick = false;  // only the smallest crowd and the main variants
  // Every variant of the given atlas (two clips with four influences only), without matrix atlases.
  bool everyVariant = false;
};

// Measures every method and its main variants, with the book and a trivial shader, at 80, 256 and
// 1,000 actors (on a GPU also 10,000 and 100,000). The method matrix has its own atlases, baked
// with `settings`.
Result<void> benchMethods(const Stage& stage, const CrowdOptions& crowd,
                          const BakeSettings& settings, const BenchDepth& depth,
                          const JobContext& job, BenchResult& result);

// Measures the frame time of the methods as a function of actors, joints, vertices, clips and atlas
// size, one at a time, on generated characters.
Result<void> benchGrowth(const BenchDepth& depth, const JobContext& job, BenchResult& result);

// Measures adding up changed morphs: transform feedback in batches of 1 to 7, compute, CPU, and all
// morphs again. The character's morphs are repeated until there are 50. Then runs benchFaces().
Result<void> benchMorphs(const Stage& stage, const BenchDepth& depth, const JobContext& job,
                         BenchResult& result);

// Measures what the morphs of a thousand near actors cost the tick and the vertex stage of the
// methods, compared with default weights. Needs a context and morphs.
Result<void> benchFaces(const Stage& stage, const BenchDepth& depth, const JobContext& job,
                        BenchResult& result);

}  // namespace ck::cli
