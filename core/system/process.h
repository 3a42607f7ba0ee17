#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ck {

// A program to run, with its limits. The program inherits the environment of this process.
struct ProcessRequest {
  std::filesystem::path program;       // absolute; PATH is not searched
  std::vector<std::string> arguments;  // without the program's own name; UTF-8
  int input = -1;                      // the descriptor that becomes its standard input, if any
  std::uint64_t outputLimitBytes = 0;  // of standard output
  // If set: how long the whole output is by its own account, from its first announcementBytes
  // bytes; 0 if they make no sense. More than that is too much.
  std::function<std::uint64_t(std::span<const std::byte> first)> announced = {};
  std::size_t announcementBytes = 0;
  std::uint64_t errorLimitBytes = 0;  // of standard error; further lines are dropped
  double wallSeconds = 0.0;           // 0: no limit
  // The program leads a group of processes, none of which outlives it.
  bool endsGroup = false;
};

struct ProcessOutcome {
  enum class End { Exited, Signalled, TimedOut, Stopped, OutputTooLarge };
  End end = End::Exited;
  int exitCode = 0;               // where Exited
  int signalNumber = 0;           // where Signalled
  std::vector<std::byte> output;  // nothing where OutputTooLarge
};

// Runs the program and waits until it ends. Each line of its standard error goes to `onErrorLine`,
// on another thread, one call at a time. A stop request, the time limit and too much output kill
// the program at once; so does that it is suspended (SIGSTOP), within 3 s. Output of a process that
// the program left behind is not waited for longer than 1 s after its end. No child process remains
// in any case. Fails with Internal if the program cannot be started; the message is the system's
// reason. Throws std::bad_alloc where memory does not hold the output.
Result<ProcessOutcome> runProcess(const ProcessRequest& request,
                                  const std::function<void(std::string_view line)>& onErrorLine,
                                  std::stop_token stop = {});

}  // namespace ck
