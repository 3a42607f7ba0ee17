#include "app/bench/bench_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/bench/bench_rows.h"
#include "app/commands/scene_options.h"
#include "app/commands/shell.h"
#include "core/base/files.h"
#include "core/project/pipeline.h"

namespace ck::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchOptions {
  std::string what;
  ImportOptions import;
  BakeOptions bake;
  CrowdOptions crowd;
  BenchDepth depth;
};

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

Json rowJson(const BenchRow& row) {
  Json json = {{"name", row.name}};
  if (!row.method.empty()) json["method"] = row.method;
  if (!row.encoding.empty()) json["encoding"] = row.encoding;
  if (!row.variant.empty()) json["variant"] = row.variant;
  if (row.actors) json["actors"] = *row.actors;
  if (row.fetches) json["fetches"] = *row.fetches;
  if (row.errorMm) json["errorMm"] = *row.errorMm;
  if (row.frameMs) json["frameMs"] = *row.frameMs;
  if (row.wallMs) json["wallMs"] = *row.wallMs;
  if (row.vertexStageMs) json["vertexStageMs"] = *row.vertexStageMs;
  if (row.ratioToBook) json["ratioToBook"] = *row.ratioToBook;
  if (row.vertexRatioToBook) json["vertexRatioToBook"] = *row.vertexRatioToBook;
  if (row.pixelsDiffering) json["pixelsDiffering"] = *row.pixelsDiffering;
  if (row.pixelsCovered) json["pixelsCovered"] = *row.pixelsCovered;
  if (row.storedDiffering) json["storedDiffering"] = *row.storedDiffering;
  if (row.verticesPerSecond) json["verticesPerSecond"] = *row.verticesPerSecond;
  if (row.trianglesPerSecond) json["trianglesPerSecond"] = *row.trianglesPerSecond;
  if (row.vertexRatioToLimit) json["vertexRatioToLimit"] = *row.vertexRatioToLimit;
  if (row.actorsAtBookTime) json["actorsAtBookTime"] = *row.actorsAtBookTime;
  if (!row.axis.empty()) json["axis"] = row.axis;
  if (row.along) json["along"] = *row.along;
  if (row.atlasBytes) json["atlasBytes"] = *row.atlasBytes;
  if (row.changed) json["changed"] = *row.changed;
  if (row.batch) json["batch"] = *row.batch;
  if (row.passes) json["passes"] = *row.passes;
  if (row.unitsPerSecond) json["unitsPerSecond"] = *row.unitsPerSecond;
  if (!row.unit.empty()) json["unit"] = row.unit;
  if (row.ratioToLimit) json["ratioToLimit"] = *row.ratioToLimit;
  json["runs"] = row.runs;
  json["spread"] = row.spread;
  return json;
}

std::string document(const BenchResult& result) {
  Json json;
  json["machine"] = {{"cpu", processorName()}, {"cores", std::thread::hardware_concurrency()}};
  if (!result.renderer.empty()) {
    json["machine"]["renderer"] = result.renderer;
    json["machine"]["gl"] = result.gl;
  }
  json["limits"] = Json::object();
  if (result.limits.copyGBs) json["limits"]["copyGBs"] = *result.limits.copyGBs;
  if (result.morphPlaces) json["morphPlaces"] = *result.morphPlaces;
  if (!result.computeMissing.empty()) json["computeMissing"] = result.computeMissing;
  json["rows"] = Json::array();
  for (const BenchRow& row : result.rows) json["rows"].push_back(rowJson(row));
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string drawingText(const BenchRow& row) {
  std::string words = fmt::format(", {:.3g} million triangles/s", *row.trianglesPerSecond * 1e-6);
  if (row.ratioToLimit && row.vertexRatioToLimit) {
    words += fmt::format(", {:.2f} and {:.2f} of the trivial shader's speed", *row.ratioToLimit,
                         *row.vertexRatioToLimit);
  }
  if (row.pixelsDiffering && row.pixelsCovered && row.storedDiffering) {
    words += fmt::format(", {} of {} pixels unlike the book's, {} on stored frames",
                         *row.pixelsDiffering, *row.pixelsCovered, *row.storedDiffering);
  }
  if (row.actorsAtBookTime) {
    words += fmt::format(", {} actors in the book's time", *row.actorsAtBookTime);
  }
  return words;
}

std::string text(const BenchResult& result) {
  std::string lines =
      fmt::format("{}, {} cores\n", processorName(), std::thread::hardware_concurrency());
  if (!result.renderer.empty()) lines += fmt::format("{}, OpenGL {}\n", result.renderer, result.gl);
  if (result.limits.copyGBs) lines += fmt::format("copying: {:.2f} GB/s\n", *result.limits.copyGBs);
  if (!result.computeMissing.empty()) lines += result.computeMissing + "\n";
  for (const BenchRow& row : result.rows) {
    lines += row.name;
    for (const std::string& word : {row.method, row.encoding, row.variant}) {
      if (!word.empty()) lines += " " + word;
    }
    if (row.along) lines += fmt::format(", {} {}", *row.along, row.axis);
    if (row.actors && row.axis != "actors") lines += fmt::format(", {} actors", *row.actors);
    if (row.changed) lines += fmt::format(", {} targets changed", *row.changed);
    if (row.batch) lines += fmt::format(", {} a pass", *row.batch);
    if (row.passes) lines += fmt::format(", {} passes", *row.passes);
    if (row.fetches) lines += fmt::format(", {} fetches", *row.fetches);
    if (row.errorMm) lines += fmt::format(", {:.3g} mm from the source", *row.errorMm);
    if (row.frameMs) lines += fmt::format(", {:.2f} ms of processor a frame", *row.frameMs);
    if (row.wallMs) lines += fmt::format(", {:.2f} ms", *row.wallMs);
    if (row.vertexStageMs) lines += fmt::format(", {:.2f} ms of it vertices", *row.vertexStageMs);
    if (row.ratioToBook && row.vertexRatioToBook) {
      lines += fmt::format(", {:.2f} and {:.2f} times the book's speed", *row.ratioToBook,
                           *row.vertexRatioToBook);
    }
    if (row.ratioToBook && !row.vertexRatioToBook) {
      lines += fmt::format(", {:.2f} times the book's speed", *row.ratioToBook);
    }
    if (row.unitsPerSecond) lines += fmt::format(", {:.4g} {}/s", *row.unitsPerSecond, row.unit);
    if (row.ratioToLimit && row.unitsPerSecond) {
      lines += fmt::format(" ({:.2f} of copying)", *row.ratioToLimit);
    }
    if (row.trianglesPerSecond) lines += drawingText(row);
    lines += fmt::format("; {} runs, spread {:.2f}\n", row.runs, row.spread);
  }
  return lines;
}

Result<void> measureAll(const BenchOptions& options, const Stage& stage,
                        const BakeSettings& settings, const JobContext& job, BenchResult& result) {
  const auto wanted = [&options](const char* what) {
    return options.what == what || options.what == "all";
  };
  if (wanted("import")) {
    if (auto ok = benchImport(options.import, job, result); !ok) return ok;
  }
  if (wanted("bake")) {
    if (auto ok = benchBake(*stage.character, settings, job, result); !ok) return ok;
  }
  if (wanted("crowd")) {
    if (auto ok = benchCrowd(stage, options.crowd, job, result); !ok) return ok;
  }
  if (wanted("methods")) {
    if (auto ok = benchMethods(stage, options.crowd, settings, options.depth, job, result); !ok) {
      return ok;
    }
  }
  // Not every rig has morphs, so a missing one is reported only if morphs were requested.
  if (options.what == "morphs") return benchMorphs(stage, options.depth, job, result);
  return {};
}

tl::expected<void, StageRefusal> measureRig(BenchOptions options, const JobContext& job,
                                            const JobContext& measured, BenchResult& result) {
  const auto refuse = [](const Error& error) { return tl::unexpected(StageRefusal{error}); };
  if (options.import.files.empty()) {
    const std::filesystem::path sample = findSample();
    if (sample.empty()) {
      return refuse({ErrorCode::Internal, "the bundled sample is missing; name a rig file"});
    }
    options.import.files = {pathText(sample)};
  }
  const auto stage = makeStage(options.import, options.bake, job);
  if (!stage) return tl::unexpected(stage.error());
  const auto settings = bakeSettings(options.bake, *stage->character);
  if (!settings) {
    return tl::unexpected(StageRefusal{{ErrorCode::InvalidInput, settings.error()}, true});
  }
  auto done = measureAll(options, *stage, *settings, measured, result);
  if (!done) return refuse(done.error());
  return {};
}

// For rig files; characters for growth are generated.
tl::expected<void, StageRefusal> measure(const BenchOptions& options, const JobContext& job,
                                         BenchResult& result) {
  // Progress lines would affect the measurement.
  JobContext measured = job;
  measured.report = [](float, std::string_view) {};
  if (options.what != "growth") return measureRig(options, job, measured, result);
  if (!options.import.files.empty()) {
    return tl::unexpected(StageRefusal{
        {ErrorCode::InvalidInput,
         fmt::format("bench growth measures characters that it makes itself; leave {} out",
                     options.import.files.front())},
        true});
  }
  auto done = benchGrowth(options.depth, measured, result);
  if (!done) return tl::unexpected(StageRefusal{done.error()});
  return {};
}

int run(const BenchOptions& options, const Shell& shell) {
  BenchResult result;
  const auto done = measure(options, shell.job(), result);
  if (!done) {
    return done.error().misuse ? shell.misuse(done.error().error) : shell.fail(done.error().error);
  }
  return shell.finish(document(result), text(result));
}

}  // namespace

Command addBench(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* app = root.add_subcommand(
      "bench", "Measure this machine on a rig or the sample; growth on characters of its own");
  offer(app->add_option("WHAT", options->what, "What to measure")->required(),
        {"bake", "crowd", "growth", "import", "methods", "morphs", "all"});
  addImportOptions(*app, options->import);
  app->get_option("FILE")->required(false);
  addCrowdOptions(*app, options->crowd);
  app->remove_option(app->get_option("--actors"));  // each row has its own number of actors
  app->add_flag("--quick", options->depth.quick,
                "methods, growth and morphs: few actors and the main variants alone");
  addBakeOptions(*app, options->bake);
  addShellOptions(*app, shell, true);
  return {app, [options, app, &shell] {
            options->depth.everyVariant = app->count("--encoding") > 0;
            return run(*options, shell);
          }};
}

}  // namespace ck::cli
