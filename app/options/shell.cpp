#include "app/options/shell.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>

#include "app/options/json.h"
#include "core/base/utf8.h"
#include "core/import/host/sandbox.h"

namespace ck::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::stop_source& interrupt() {
  static std::stop_source source;
  return source;
}

// The progress line on a terminal.
class ProgressLine {
 public:
  void show(float fraction, std::string_view step) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    shown_ = true;
    const std::string line = fmt::format("\r\x1b[2K{:3.0f} %  {}", fraction * 100.0f, step);
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
  }

  // Erases the progress line before other output.
  void erase() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!shown_) return;
    shown_ = false;
    std::fputs("\r\x1b[2K", stderr);
    std::fflush(stderr);
  }

 private:
  std::mutex mutex_;
  Clock::time_point last_ = {};
  bool shown_ = false;
};

ProgressLine& progressLine() {
  static ProgressLine line;
  return line;
}

// Says on standard error why the text could not be written, if it could not.
bool writeOut(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return true;
  const char* why = errno == EBADF ? "it is closed" : std::strerror(errno);
  std::fprintf(stderr, "kiln: the result cannot be written to standard output: %s\n", why);
  return false;
}

int exitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::FileNotFound:
    case ErrorCode::FileUnreadable:
    case ErrorCode::Unsupported:
    case ErrorCode::InvalidInput:
    case ErrorCode::LimitExceeded:
    case ErrorCode::ImportFailed:
    case ErrorCode::ImportCrashed:
    case ErrorCode::ImportTimeout:
    case ErrorCode::ImportMemory:
    case ErrorCode::ImportBadResult:
      return 3;
    case ErrorCode::CannotWrite:
      return 4;
    case ErrorCode::NoGraphics:
      return 5;
    case ErrorCode::ImportNoWorker:
    case ErrorCode::Internal:
      return 6;
    case ErrorCode::Cancelled:
      return kInterrupted;
  }
  return 6;
}

}  // namespace

void Shell::watchSignals() {
  // A closed pipe makes the write fail, which is reported.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow makes the write fail as well
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    std::thread([signals] {
      int received = 0;
      sigwait(&signals, &received);
      interrupt().request_stop();
      sigwait(&signals, &received);
      _exit(kInterrupted);
    }).detach();
  } catch (const std::system_error&) {
    // Without a thread that waits, the first signal ends the program.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      std::signal(signal, [](int) { _exit(kInterrupted); });
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

JobContext Shell::job() const {
  JobContext job;
  job.stop = interrupt().get_token();
  job.threadCount = threads;
  if (!quiet && ::isatty(STDERR_FILENO) == 1) {
    job.report = [](float fraction, std::string_view step) { progressLine().show(fraction, step); };
  }
  return job;
}

int Shell::finish(Json document, const std::string& text, int exitCode, int indent) const {
  progressLine().erase();
  const Notes walls = sandboxNotes();
  remark(walls);
  bool written = true;
  if (json) {
    for (const Json& note : notesJson(walls)) document["notes"].push_back(note);
    written = writeOut(documentText(document, indent) + "\n");
  } else if (!quiet) {
    written = writeOut(visibleText(text, true));
  }
  return written ? exitCode : exitCodeOf(ErrorCode::CannotWrite);
}

void Shell::remark(const Notes& notes) const {
  if (json || quiet) return;  // a document contains the notes
  progressLine().erase();
  for (const Note& note : notes) {
    const std::string level(noteLevelName(note.level));
    std::fprintf(stderr, "%s: %s [%s]\n", level.c_str(), visibleText(note.message).c_str(),
                 note.code.c_str());
  }
}

int Shell::fail(Refusal why) const {
  progressLine().erase();
  // A worker that was killed by the terminal's Ctrl-C looks as if it had crashed.
  if (!why.misuse && interrupt().stop_requested()) {
    why.error.code = ErrorCode::Cancelled;
    why.error.message = "interrupted; nothing was written";
  }
  const Notes walls = sandboxNotes();
  why.notes.insert(why.notes.end(), walls.begin(), walls.end());
  const auto& [code, message, file] = why.error;
  if (json) {
    Json inner = {{"code", errorCodeName(code)}, {"message", message}};
    if (!file.empty()) inner["file"] = file;
    if (!why.notes.empty()) inner["notes"] = notesJson(why.notes);
    writeOut(documentText({{"error", inner}}, -1) + "\n");
  } else {
    remark(why.notes);
    std::fprintf(stderr, "kiln: %s\n", visibleText(message).c_str());
  }
  return why.misuse ? kMisuse : exitCodeOf(code);
}

}  // namespace ck::cli
