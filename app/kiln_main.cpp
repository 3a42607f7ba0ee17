#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>

#include "app/commands/commands.h"
#include "app/commands/options.h"
#include "app/commands/shell.h"

namespace {

using ck::cli::Command;
using ck::cli::Shell;

// "--tile is not offered by this version of 'kiln bake'; it takes --clips, ..."
std::string unexpectedSentence(const CLI::App& root, const std::vector<std::string>& extras) {
  const auto commands = root.get_subcommands();
  if (commands.empty()) {
    std::string names;
    for (const CLI::App* command : root.get_subcommands({})) {
      names += (names.empty() ? "" : ", ") + command->get_name();
    }
    return fmt::format("'{}' is not a command of kiln; there is: {}",
                       extras.empty() ? "" : extras.front(), names);
  }
  std::string options;
  for (const CLI::Option* option : commands.front()->get_options()) {
    if (option->get_lnames().empty()) continue;
    options += fmt::format("{}--{}", options.empty() ? "" : ", ", option->get_lnames().front());
  }
  return fmt::format("{} is not offered by this version of 'kiln {}'; it takes {}",
                     extras.empty() ? "this" : extras.front(), commands.front()->get_name(),
                     options);
}

int run(std::vector<std::string> arguments, Shell& shell) {
  // Said before anything is parsed, so that a parse error comes as a document as well.
  shell.json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();

  CLI::App root("Bakes skinned clips into a texture and plays crowds from it.", "kiln");
  root.require_subcommand(1);
  root.set_version_flag("--version", "kiln 0.1.0");
  root.failure_message(CLI::FailureMessage::simple);
  const std::vector<Command> commands = {
      ck::cli::addInfo(root, shell),   ck::cli::addPose(root, shell),
      ck::cli::addBake(root, shell),   ck::cli::addVerify(root, shell),
      ck::cli::addRender(root, shell), ck::cli::addBench(root, shell)};
  auto complete = ck::cli::withSettingsFile(std::move(arguments));
  if (!complete) return shell.misuse(complete.error());
  try {
    // The parser takes its arguments from the back.
    std::reverse(complete->begin(), complete->end());
    root.parse(*complete);
  } catch (const CLI::Success& success) {
    return root.exit(success);
  } catch (const CLI::ExtrasError&) {
    return shell.misuse(unexpectedSentence(root, root.remaining(true)));
  } catch (const CLI::ParseError& error) {
    return shell.misuse(fmt::format("{} (see kiln --help)", error.what()));
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return ck::cli::kMisuse;
}

}  // namespace

int main(int argc, char** argv) {
  Shell::watchSignals();
  Shell shell;
  try {
    return run(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), shell);
  } catch (const std::bad_alloc&) {
    return shell.fail({ck::ErrorCode::LimitExceeded, "the machine has not enough memory for this"});
  } catch (const std::exception& fault) {
    return shell.fail({ck::ErrorCode::Internal, fmt::format("internal fault: {}", fault.what())});
  }
}
