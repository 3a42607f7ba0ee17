#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck {

// A program to run and when to cut it short. It gets no standard input and the environment of this
// process.
struct ProcessRequest {
  std::filesystem::path program;       // absolute; nothing is searched along PATH
  std::vector<std::string> arguments;  // without the program's own name; UTF-8
  std::uint64_t outputLimitBytes = 0;  // of standard output
  std::uint64_t errorLimitBytes = 0;   // of standard error; lines beyond are dropped
  double wallSeconds = 0.0;            // 0: no limit
};

struct ProcessOutcome {
  enum class End { Exited, Signalled, TimedOut, Stopped, OutputTooLarge };
  End end = End::Exited;
  int exitCode = 0;      // where Exited
  int signalNumber = 0;  // where Signalled
  std::vector<std::byte> output;
};

// Runs the program and waits for its end. Each line of its standard error goes to `onErrorLine`,
// on another thread, one at a time. A request to stop, the time limit or too much output kill it at
// once; no process is left behind in any case. Fails with Internal where the program cannot be
// started; the message is the system's reason.
Result<ProcessOutcome> runProcess(const ProcessRequest& request,
                                  const std::function<void(std::string_view line)>& onErrorLine,
                                  std::stop_token stop = {});

}  // namespace ck
