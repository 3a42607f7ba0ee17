#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/found_report.h"
#include "app/commands/options.h"
#include "app/commands/shell.h"
#include "core/base/files.h"
#include "core/fit/fit.h"
#include "core/project/characters.h"

namespace ck::cli {
namespace {

struct FitCommandOptions {
  ImportOptions import;
  BakeOptions bake;
  LimitOptions limits;
  ScreenOptions screen;
};

const char* const kExample = "kiln fit rig.glb walk.fbx --max-error 2";

// What a search decides, unless it is given.
constexpr std::array<const char*, 8> kSearched = {"--encoding", "--components", "--range",
                                                  "--layout",   "--rate",       "--frames",
                                                  "--reduce",   "--influences"};

bool isGiven(const CLI::App& app, const char* name) {
  return app.get_option(name)->count() > 0;
}

FitChoices choicesFrom(const CLI::App& app, const BakeSettings& settings) {
  FitChoices choices;
  if (isGiven(app, "--encoding")) choices.encodings = {settings.encoding};
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
std::vector<std::string> bakeCommand(const CLI::App& app, const FitCommandOptions& options,
                                     const BakeSettings& settings) {
  std::vector<std::string> words = {"kiln", "bake"};
  words.insert(words.end(), options.import.files.begin(), options.import.files.end());
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    const bool isOfTheCall = name == "FILE" || name == "--json" || name == "--quiet" ||
                             name == "--threads" || name == "--settings" || name == "--help,-h";
    if (option->count() == 0 || isOfTheCall) continue;
    if (std::ranges::find(kSearched, name) != kSearched.end()) continue;
    if (name == "--power-of-two" && settings.layout != LayoutKind::Rows) continue;
    for (const std::string& value : option->results()) {
      words.push_back(name);
      if (option->get_expected_max() > 0) words.push_back(value);
    }
  }
  const std::vector<std::string> found = foundArguments(settings);
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

int run(const CLI::App& app, FitCommandOptions options, const Shell& shell) {
  ScreenOptions screen = options.screen;
  const auto limits = limitsFrom(options.limits, screen);
  if (!limits) return shell.fail(limits.error());
  FitWish wish;
  wish.limits = {limits->error, static_cast<std::size_t>(limits->bytes)};
  if (wish.limits == FitLimits{}) {
    return shell.fail(std::string(
        "a search needs a limit: --max-error MM, --max-pixels PX@METRES or --max-bytes N"));
  }
  if (isProjectPath(options.import.files.front())) {
    return shell.fail(
        fmt::format("{} is a project; kiln fit searches for rig files, and the "
                    "editor's Atlas finder for projects",
                    options.import.files.front()));
  }
  const JobContext job = shell.job();
  const auto character = importFiles(options.import, job.part(0.0f, 0.1f));
  if (!character) return shell.fail(character.error());
  const auto failWith = [&](Refusal why) {
    why.notes = character->notes;
    return shell.fail(std::move(why));
  };
  if (auto ok = checkClips(options.import, *character, kExample); !ok) return failWith(ok.error());
  // Components that are given are for the encodings that can leave some out.
  if (!isGiven(app, "--encoding") && options.bake.settings.components) {
    options.bake.settings.encoding = Encoding::T16;
  }
  // Layouts that are searched have rows among them.
  if (!isGiven(app, "--layout")) options.bake.layout = LayoutKind::Rows;
  const auto settings = bakeSettings(options.bake, *character);
  if (!settings) return failWith(settings.error());
  wish.settings = *settings;
  wish.choices = choicesFrom(app, *settings);
  wish.screen = screenView(screen);
  const auto result = findAtlas(*character, wish, job.part(0.1f, 1.0f));
  if (!result) return failWith(result.error());

  const Notes notes = notesOf(character->notes, *result);
  shell.remark(notes);
  std::vector<std::string> command;
  if (result->best) command = bakeCommand(app, options, result->rows[*result->best].settings);
  const std::string name = pathText(pathFromText(options.import.files.front()).stem());
  const int code = result->stopped ? kInterrupted : result->best ? kDone : kLimitNotMet;
  return shell.finish(documentText(foundJson(*result, wish.limits, command, notes)),
                      foundText(*result, wish.limits, name, command), code);
}

}  // namespace

Command addFit(CLI::App& root, Shell& shell) {
  auto options = std::make_shared<FitCommandOptions>();
  CLI::App* app = root.add_subcommand(
      "fit", "Search the settings of the smallest atlas within a limit, and measure it");
  addImportOptions(*app, options->import);
  addBakeOptions(*app, options->bake);
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
  for (const char* name : kSearched) {
    CLI::Option* option = app->get_option(name);
    option->description(option->get_description() + "; given: not searched");
  }
  addScreenOptions(*app, options->screen);
  addSettingsOption(*app);
  addShellOptions(*app, shell, true);
  return {app, [app, options, &shell] { return run(*app, *options, shell); }};
}

}  // namespace ck::cli
