#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/cast.h"
#include "app/commands/commands.h"
#include "app/commands/found_report.h"
#include "app/options/shell.h"
#include "core/atlas/recipe_settings.h"
#include "core/fit/fit.h"
#include "core/stage/pipeline.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

struct FitCommandOptions {
  InputOptions input;
  LimitOptions limits;
  ScreenOptions screen;
};

// The options that a search decides, unless they are given.
std::vector<std::string> searchedOptions() {
  std::vector<std::string> names = {"--rate", "--frames"};
  forEachSetting([&names](const auto& setting) {
    if (setting.isSearched) names.emplace_back(setting.option);
  });
  return names;
}

// Resets the settings that are searched, as if the project said nothing about them.
void forgetSearched(const BakeOptions& options, BakeSettings& settings) {
  BakeSettings usual;
  // Components that are given are for the encodings that can leave some out.
  if (isGiven(options.app, "--components")) usual.encoding = Encoding::T16;
  if (isGiven(options.app, "--encoding")) usual.encoding = options.settings.encoding;
  takeSearched(usual, settings);
}

FitChoices choicesFrom(const CLI::App* app, const BakeSettings& settings) {
  FitChoices choices;
  if (isGiven(app, "--encoding") && settings.encoding) choices.encodings = {*settings.encoding};
  if (settings.components) choices.components = {*settings.components};
  if (settings.rangeMode) choices.ranges = {*settings.rangeMode};
  if (isGiven(app, "--layout")) choices.layouts = {settings.layout};
  if (isGiven(app, "--reduce")) choices.reductions = {settings.reduceMm};
  if (isGiven(app, "--influences")) choices.influences = {settings.influences};
  if (isGiven(app, "--rate") || isGiven(app, "--frames")) {
    choices.rates = {{.rateHz = settings.rateHz, .frames = settings.frames}};
  }
  return choices;
}

// The call of `kiln bake` that makes a row: the words of this call, with what was searched.
std::vector<std::string> bakeCommand(const FitCommandOptions& options, const ProjectInput& input,
                                     const BakeSettings& settings) {
  std::vector<std::string> words = {"kiln", "bake"};
  const std::vector<std::string>& files = options.input.import.files;
  words.insert(words.end(), files.begin(), files.end());
  if (input.isFirstOfSeveral) words.insert(words.end(), {"--character", "#0"});
  const std::vector<std::string> searched = searchedOptions();
  for (const CLI::Option* option : options.input.import.app->get_options()) {
    const std::string name = option->get_name();
    const bool isOfTheCall = name == "FILE" || name == "--json" || name == "--quiet" ||
                             name == "--threads" || name == "--settings" || name == "--help,-h";
    if (option->count() == 0 || isOfTheCall) continue;
    if (std::ranges::find(searched, name) != searched.end()) continue;
    if (name == "--power-of-two" && settings.layout != LayoutKind::Rows) continue;
    for (const std::string& value : option->results()) {
      words.push_back(name);
      if (option->get_expected_max() > 0) words.push_back(value);
    }
  }
  const bool isRig = input.kind == InputKind::Rig;
  const std::vector<std::string> found = foundArguments(settings, isRig);
  words.insert(words.end(), found.begin(), found.end());
  words.insert(words.end(), {"-o", "out"});
  return words;
}

// The notes of the import, and of the bake of the answer or of the first advice.
Notes notesOf(const Notes& imported, const FitResult& result) {
  Notes notes = imported;
  const FitRow* row = nullptr;
  if (result.best) {
    row = &result.rows[*result.best];
  } else if (!result.advice.empty()) {
    row = &result.advice.front().row;
  }
  if (row != nullptr) notes.insert(notes.end(), row->notes.begin(), row->notes.end());
  return notes;
}

int run(const FitCommandOptions& options, const Shell& shell) {
  const CLI::App* app = options.input.import.app;
  ScreenOptions screen = options.screen;
  FitWish wish;
  const auto limits = limitsFrom(options.limits, screen);
  if (!limits) return shell.fail(limits.error());
  wish.limits = *limits;
  if (wish.limits == FitLimits{}) {
    return shell.fail(std::string(
        "a search needs a limit: --max-error MM, --max-pixels PX@METRES or --max-bytes N"));
  }
  const JobContext job = shell.job();
  auto input = projectFrom(options.input, job.part(0.0f, 0.05f));
  if (!input) return shell.fail(input.error());
  Notes notes = input->notes;
  keepFirstCharacter(*input, options.input, notes);
  const CastPlan plan = {.atlases = CastPlan::Atlases::None,
                         .example = "kiln fit rig.glb walk.fbx --max-error 2",
                         .before = [&](ProjectCharacter& settings, int) {
                           forgetSearched(options.input.bake, settings.bake);
                         }};
  const auto stage = loadFirst(*input, options.input, plan, job.part(0.05f, 0.1f));
  if (!stage) return shell.fail(stage.error());
  const Character& character = *(*stage)->source.character;
  notes.insert(notes.end(), (*stage)->notes.begin(), (*stage)->notes.end());
  const auto failWith = [&notes, &shell](Refusal why) {
    why.notes = notes;
    return shell.fail(std::move(why));
  };
  if (auto ok = checkTicked((*stage)->settings, character); !ok) return failWith(ok.error());
  wish.settings = bakeInputs((*stage)->settings);
  wish.choices = choicesFrom(app, wish.settings);
  wish.screen = screenView(screen, input->project.view.screen);
  const auto result = findAtlas(character, wish, job.part(0.1f, 1.0f));
  if (!result) return failWith(result.error());

  notes = notesOf(notes, *result);
  shell.remark(notes);
  std::vector<std::string> command;
  if (result->best) command = bakeCommand(options, *input, result->rows[*result->best].settings);
  const std::string name = pathText(input->path.stem());
  const int code = result->stopped ? kInterrupted : result->best ? kDone : kLimitNotMet;
  Json document = foundJson(*result, wish.limits, command, notes);
  document["overridden"] = input->overridden;
  return shell.finish(document, foundText(*result, wish.limits, name, command), code);
}

}  // namespace

Command addFit(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<FitCommandOptions>();
  CLI::App* app = root.add_subcommand(
      "fit", "Search the settings of the smallest atlas within a limit, and measure it");
  addInputOptions(*app, options->input);
  addBakeOptions(*app, options->input.bake);
  addLimitOptions(*app, options->limits);
  app->get_option("--max-error")
      ->description("The fewest bytes with all vertices at most so many millimetres off");
  app->get_option("--max-shell")->description("The same, within 3 cm from joints");
  app->get_option("--max-pixels")
      ->description("The same on the screen; METRES stands for --screen-distance");
  app->get_option("--max-bytes")
      ->description(
          "At most so many bytes of texels, by itself with the smallest error; K is "
          "1024, M 1024 K");
  for (const std::string& name : searchedOptions()) {
    CLI::Option* option = app->get_option(name);
    option->description(option->get_description() + "; given: not searched");
  }
  addScreenOptions(*app, options->screen, ", or as the project has it");
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [options, &shell] { return run(*options, shell); }};
}

}  // namespace ck::cli
