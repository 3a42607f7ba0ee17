#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/options/json.h"
#include "app/options/scene_options.h"
#include "core/atlas/atlas.h"
#include "core/base/job.h"
#include "render/frame/frame_stats.h"

namespace ck::cli {

// How far a picture is from the same at full detail: the largest difference of a channel at each
// pixel, of 255.
struct PictureError {
  double mean = 0.0;
  int p99 = 0;
  std::size_t over24 = 0;  // pixels
};

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
  std::optional<int> threads;
  std::optional<double> processorMs;               // CPU time of the whole program per run
  std::optional<double> share;                     // of the time of the whole, in [0, 1]
  std::optional<std::size_t> triangles;            // of a pass
  std::optional<std::size_t> uploadedBytes;        // for the last frame
  std::optional<render::DetailStats> detail = {};  // how many actors were drawn in which way
  std::optional<PictureError> pictureError = {};
  std::string unit;  // of unitsPerSecond: "joint samples", "actors", "bytes"
  // Relative to copying, or to the trivial shader's whole frame.
  std::optional<double> ratioToLimit;
  int runs = 0;
  double spread = 0.0;  // (largest - smallest) / median
};

struct BenchResult {
  std::vector<BenchRow> rows;
  // Copying memory, measured in the same run; read and write count once.
  std::optional<double> copyGBs;
  std::string renderer;  // empty if nothing was drawn
  std::string gl;
  std::optional<int> morphPlaces;  // number of vertices that morphs move
  std::string computeMissing;      // why morphs cannot be added up by compute shader; or empty
};
Json benchDocument(const BenchResult& result);
std::string benchText(const BenchResult& result);

// The input of all benches. Each adds rows to the result, and fails as the code that it measures.
struct BenchRun {
  std::string what;      // name of a bench, or "all"
  SceneOptions options;  // each bench has its own numbers of actors
  bool quick = false;    // only the smallest crowd and the main variants
  // Every variant of the given atlas (two clips with four influences only), without matrix atlases.
  bool everyVariant = false;
  JobContext job = {};  // reports no progress, because that would take time
  // Tells between measurements what is measured next.
  std::function<void(float fraction, std::string_view step)> announce = [](float,
                                                                           std::string_view) {};
  // The first character of the scene; none for a bench that makes its own.
  CharacterPtr character = {};
  AtlasPtr atlas = {};
  std::vector<CrowdClip> clips = {};
  BakeSettings bake = {};
  BenchResult result = {};
};

// Actors for the clips of a character, spaced by its size.
std::vector<Actor> benchActors(const BenchRun& run, int count, const Character& character,
                               const std::vector<CrowdClip>& clips);

// Seconds of several runs: wall time, and CPU time of the whole program.
struct Runs {
  std::vector<double> wall;
  std::vector<double> processor;
};

double median(std::vector<double> values);
double spreadOf(const std::vector<double>& values);  // (largest - smallest) / median

// Runs `work` once to warm up, then until there are `fewest` runs and 0.25 s have passed, at most
// 200 times. Fails as `work` does, and with Cancelled.
Result<Runs> measure(const JobContext& job, std::size_t fewest,
                     const std::function<Result<void>()>& work);

// A row with wall times and their spread.
BenchRow rowOf(std::string name, const Runs& runs);

// The same for so many units a run.
BenchRow throughputRow(std::string name, double units, std::string unit, const Runs& runs);

}  // namespace ck::cli
