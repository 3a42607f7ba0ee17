#include "app/bench/bench_command.h"

#include <fmt/format.h>

#include <memory>

#include "app/bench/bench_bake.h"
#include "app/bench/bench_container.h"
#include "app/bench/bench_growth.h"
#include "app/bench/bench_methods.h"
#include "app/bench/bench_morphs.h"
#include "app/bench/bench_scale.h"
#include "app/bench/bench_throughput.h"
#include "app/commands/scene_stage.h"
#include "app/options/choices.h"
#include "app/options/shell.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

struct Subject {
  const char* name;
  Result<void> (*measure)(BenchRun& run);
  bool ofAll;  // whether `all` includes it; not every rig has morphs, and packing is no question of
               // drawing
};
constexpr Subject kSubjects[] = {
    {"import", benchImport, true},        {"bake", benchBake, true},
    {"crowd", benchCrowd, true},          {"methods", benchMethods, true},
    {"morphs", benchMorphs, false},       {"growth", benchGrowth, false},
    {"container", benchContainer, false}, {"scale", benchScale, false}};

// Loads the first character, or that of the sample.
UsageResult<void> loadSubject(BenchRun& run, const JobContext& job) {
  std::vector<std::string>& files = run.options.input.import.files;
  if (files.empty()) {
    const std::filesystem::path sample = findSample();
    if (sample.empty()) {
      return fail(ErrorCode::Internal, "the bundled sample is missing; name a rig file");
    }
    files = {pathText(sample)};
  }
  auto scene = makeScene(run.options, job);
  if (!scene) return tl::unexpected(scene.error());
  const SceneCharacter& first = scene->characters.front();
  run.character = first.stage->source.character;
  run.atlas = first.stage->atlas;
  run.clips = first.clips;
  run.bake = bakeInputs(first.stage->settings);
  return {};
}

UsageResult<void> measureWanted(BenchRun& run, const JobContext& job) {
  const auto& files = run.options.input.import.files;
  if (run.what == "growth" && !files.empty()) {
    return tl::unexpected(fmt::format(
        "bench growth measures characters that it makes itself; leave {} out", files.front()));
  }
  if (run.what != "growth") {
    if (auto ok = loadSubject(run, job); !ok) return ok;
  }
  run.job = job;
  run.announce = job.report;
  run.job.report = [](float, std::string_view) {};
  for (const Subject& subject : kSubjects) {
    if (run.what != subject.name && !(run.what == "all" && subject.ofAll)) continue;
    if (auto ok = subject.measure(run); !ok) return tl::unexpected(ok.error());
  }
  return {};
}

}  // namespace

Command addBench(CLI::App& root, Shell& shell) {
  auto run = std::make_shared<BenchRun>();
  SceneOptions& options = run->options;
  CLI::App* app = root.add_subcommand(
      "bench", "Measure this machine on a rig or the sample; growth on characters of its own");
  offer(app->add_option("WHAT", run->what, "What to measure")->required(),
        {"bake", "container", "crowd", "growth", "import", "methods", "morphs", "scale", "all"});
  addImportOptions(*app, options.input.import);
  app->get_option("FILE")->required(false);
  addCrowdOptions(*app, options);
  app->remove_option(app->get_option("--actors"));  // each row has its own number of actors
  app->add_flag("--quick", run->quick,
                "methods, growth, morphs and scale: few actors and the main variants alone");
  addBakeOptions(*app, options.input.bake);
  app->remove_option(app->get_option("--event"));  // nothing is measured of them
  addShellOptions(*app, shell, true);
  return {app, [run, app, &shell] {
            run->everyVariant = app->count("--encoding") > 0;
            if (auto ok = measureWanted(*run, shell.job()); !ok) return shell.fail(ok.error());
            return shell.finish(benchDocument(run->result), benchText(run->result));
          }};
}

}  // namespace ck::cli
