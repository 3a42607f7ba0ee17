#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/commands/commands.h"
#include "app/options/options.h"
#include "app/options/shell.h"
#include "core/base/version.h"
#include "core/system/files.h"
#include "core/system/memory_reserve.h"
#include "core/system/standard_streams.h"
#if __has_include("app/bench/bench_command.h")
#include "app/bench/bench_command.h"
#include "app/options/settings_file.h"
#define CK_WITH_BENCH
#endif

namespace {

using ck::cli::Command;
using ck::cli::Shell;

// The message for a first word that is not a command.
std::string noCommandSentence(const CLI::App& root, const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({})) names.push_back(command->get_name());
  const auto word = std::ranges::find_if_not(
      arguments, [](const std::string& each) { return each.starts_with("-"); });
  const std::string start = word == arguments.end()
                                ? "kiln needs a command"
                                : fmt::format("'{}' is not a command of kiln", *word);
  return fmt::format("{}; there is: {}", start, fmt::join(names, ", "));
}

// "--tile is not offered by this version of 'kiln bake'; it takes --clips, ..."
std::string unexpectedSentence(const CLI::App& command, const std::vector<std::string>& extras) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  std::string first = extras.empty() ? "this" : extras.front();
  if (first.starts_with("--")) first.resize(std::min(first.size(), first.find('=')));
  return fmt::format("{} is not offered by this version of 'kiln {}'; it takes {}", first,
                     command.get_name(), fmt::join(options, ", "));
}

int run(const std::vector<std::string>& arguments, Shell& shell) {
  // Set before parsing, so that a parse error is written as JSON as well.
  shell.json = std::ranges::find(arguments, "--json") != arguments.end();

  CLI::App root("Bakes skinned clips into a texture and plays crowds from it.", "kiln");
  root.require_subcommand(1);
  root.set_version_flag("--version", std::string("kiln ") + ck::version());
  root.failure_message(CLI::FailureMessage::simple);
  std::vector<Command> commands = {ck::cli::addInfo(root, shell),   ck::cli::addPose(root, shell),
                                   ck::cli::addBake(root, shell),   ck::cli::addFit(root, shell),
                                   ck::cli::addExport(root, shell), ck::cli::addVerify(root, shell),
                                   ck::cli::addRender(root, shell)};
#ifdef CK_WITH_BENCH
  commands.push_back(ck::cli::addBench(root, shell));
#endif
  const auto call = ck::cli::withSettingsFile(arguments);
  if (!call) return shell.fail(call.error());
  if (!call->file.empty()) shell.inputs.push_back(ck::pathFromText(call->file));
  try {
    // The parser takes its arguments in reverse order.
    std::vector<std::string> reversed(call->arguments.rbegin(), call->arguments.rend());
    root.parse(std::move(reversed));
  } catch (const CLI::Success& success) {
    return root.exit(success);
  } catch (const CLI::ParseError& error) {
    const auto chosen = root.get_subcommands();
    if (chosen.empty()) return shell.fail(noCommandSentence(root, arguments));
    const std::vector<std::string> extras = root.remaining(true);
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
      const std::string origin = extras.empty() ? "" : call->originOf(extras.front());
      return shell.fail(origin + unexpectedSentence(*chosen.front(), extras));
    }
    return shell.fail(fmt::format("{}{} (see kiln {} --help)", call->originOf(error.what()),
                                  error.what(), chosen.front()->get_name()));
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return ck::cli::kMisuse;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    ck::holdStandardStreams();
    ck::keepMemoryReserve("kiln: ");
    Shell::watchSignals();
    Shell shell;
    try {
      return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), shell);
    } catch (...) {
      return shell.fail(ck::errorOfException());
    }
  } catch (...) {
    return ck::lastWords("kiln: ");
  }
}
