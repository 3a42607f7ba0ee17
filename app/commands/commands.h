#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace ck::cli {

class Shell;

// A sub-command: its parser, and the function that runs it and returns the exit code.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

Command addInfo(CLI::App& root, Shell& shell);
Command addPose(CLI::App& root, Shell& shell);
Command addBake(CLI::App& root, Shell& shell);
Command addFit(CLI::App& root, Shell& shell);
Command addExport(CLI::App& root, Shell& shell);
Command addVerify(CLI::App& root, Shell& shell);
Command addRender(CLI::App& root, Shell& shell);

}  // namespace ck::cli
