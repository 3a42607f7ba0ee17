#pragma once

#include <string>
#include <string_view>

#include "core/base/job.h"
#include "core/base/result.h"

namespace ck::cli {

// Exit codes are stable (docs/cli.md).
inline constexpr int kDone = 0;
inline constexpr int kLimitNotMet = 1;
inline constexpr int kMisuse = 2;
inline constexpr int kInterrupted = 130;
int exitCodeOf(ErrorCode code);

// The input and output of a command: one document or text on standard output, everything else on
// standard error, and stop requests.
class Shell {
 public:
  bool json = false;
  bool quiet = false;
  int threads = 0;  // 0: all cores

  // From here on, the first SIGINT or SIGTERM stops the running job, and a second one ends the
  // program. Must be called before any thread starts.
  static void watchSignals();

  // A job that stops on a signal. On a terminal it shows its progress, unless --quiet is given.
  JobContext job() const;

  // Ends a command: writes `document` with --json, else `text` unless --quiet is given. Returns
  // `exitCode`, or the code for "cannot write" if standard output is closed.
  int finish(const std::string& document, const std::string& text, int exitCode = kDone) const;

  // Writes one line to standard error.
  void remark(std::string_view line) const;
  void remark(const Notes& notes) const;

  // Ends a failed command: writes the message to standard error, or {"error": ...} with --json.
  int fail(const Error& error) const;
  int misuse(const std::string& sentence) const;
  int misuse(const Error& error) const;

 private:
  int failed(const Error& error, int exitCode) const;
};

}  // namespace ck::cli
