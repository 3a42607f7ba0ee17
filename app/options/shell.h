#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "core/base/job.h"
#include "core/base/result.h"

namespace ck::cli {

// Exit codes are stable (docs/cli.md).
inline constexpr int kDone = 0;
inline constexpr int kLimitNotMet = 1;
inline constexpr int kMisuse = 2;
inline constexpr int kInterrupted = 130;

// Why a command ends without a result: a failure, or wrong usage, which has exit code 2. A sentence
// alone is about wrong usage.
struct Refusal {
  Refusal(Error why, bool isMisuse = false)  // NOLINT(google-explicit-constructor)
      : error(std::move(why)), misuse(isMisuse) {}
  Refusal(std::string sentence)  // NOLINT(google-explicit-constructor)
      : Refusal({ErrorCode::InvalidInput, std::move(sentence)}, true) {}

  Error error;
  bool misuse;
  Notes notes = {};  // of the import, if that was done; they may tell the cause
};

// A value, or why there is none.
template <class T>
using UsageResult = tl::expected<T, Refusal>;

// The input and output of a command: one document or text on standard output, everything else on
// standard error, and stop requests.
class Shell {
 public:
  bool json = false;
  bool quiet = false;
  int threads = 0;                            // 0: all cores
  std::vector<std::filesystem::path> inputs;  // that no command names: a settings file

  // From here on, the first SIGINT or SIGTERM stops the running job, and a second one ends the
  // program. Must be called before any thread starts.
  static void watchSignals();

  // A job that stops on a signal. On a terminal it shows its progress, unless --quiet is given.
  JobContext job() const;

  // Ends a command: writes `document` with --json (documentText()), else `text` unless --quiet is
  // given, and sandboxNotes(). Returns `exitCode`, or the code for "cannot write" if standard
  // output is closed.
  int finish(nlohmann::ordered_json document, const std::string& text, int exitCode = kDone,
             int indent = 1) const;

  // Writes a line per note to standard error, unless a document contains them or --quiet is given.
  void remark(const Notes& notes) const;

  // Ends a command without a result: writes the notes (unless --quiet is given) and the message to
  // standard error, or {"error": ...} with --json. Returns the exit code.
  int fail(Refusal why) const;
};

}  // namespace ck::cli
