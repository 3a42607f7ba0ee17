#pragma once

#include <string>
#include <string_view>

#include "core/base/job.h"
#include "core/base/result.h"

namespace ck::cli {

// Exit codes are a contract (docs/cli.md).
inline constexpr int kDone = 0;
inline constexpr int kLimitNotMet = 1;
inline constexpr int kMisuse = 2;
inline constexpr int kInterrupted = 130;
int exitCodeOf(ErrorCode code);

// What a command says and hears: one document or text on standard output, everything else on
// standard error, and the wish to stop.
class Shell {
 public:
  bool json = false;
  bool quiet = false;
  int threads = 0;  // 0: all cores

  // From here on, SIGINT and SIGTERM ask the running job to stop; a second one ends the program.
  // Called before any thread is started.
  static void watchSignals();

  // A job that stops on a signal and, on a terminal and without --quiet, shows how far it is.
  JobContext job() const;

  // Ends a command: writes `document` with --json, else `text` unless --quiet, and gives `exitCode`
  // back, or the code for "cannot write" where standard output is closed.
  int finish(const std::string& document, const std::string& text, int exitCode = kDone) const;

  // One line for people on standard error.
  void remark(std::string_view line) const;
  void remark(const Notes& notes) const;

  // End a command that failed: the sentence on standard error, or {"error": ...} with --json.
  int fail(const Error& error) const;
  int misuse(const std::string& sentence) const;
  int misuse(const Error& error) const;

 private:
  int failed(const Error& error, int exitCode) const;
};

}  // namespace ck::cli
