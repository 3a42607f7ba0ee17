#include "core/import/import_worker.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "core/base/json_fields.h"
#include "core/base/log.h"
#include "core/import/host/file_requests.h"
#include "core/import/host/sandbox.h"
#include "core/import/rig_format.h"
#include "core/system/files.h"
#include "core/system/free_memory.h"
#include "core/system/process.h"

namespace ck {
namespace fs = std::filesystem;
namespace {

// The worker may not pass through the folders of a path like `private/../rig.glb`.
fs::path pathWithoutLinks(const fs::path& file) {
  std::error_code ignored;
  const fs::path full = fs::absolute(file, ignored);
  return fs::weakly_canonical(full.parent_path(), ignored) / full.filename();
}

// The limit of each file beside the one that is read.
constexpr std::uint64_t kFileLimitBytes = 2'000'000'000;
constexpr std::uint64_t kErrorLimitBytes = std::uint64_t{64} * 1024;
constexpr std::uint64_t kGibi = 1ull << 30;
// The memory that a worker may take for every byte that it reads, beyond that for any file.
constexpr std::uint64_t kMemoryPerByte = 256;
constexpr std::uint64_t kLeastMemory = kGibi * 3 / 2;

// About the bytes that a worker can read: the rig file and what lies beside it.
std::uint64_t readableBytes(const fs::path& file) {
  constexpr int kMostFiles = 2'000;
  std::error_code failed;
  std::uint64_t bytes = fs::file_size(file, failed);
  if (failed) bytes = 0;
  const fs::path folder = fs::canonical(file, failed).parent_path();
  int files = 0;
  for (fs::recursive_directory_iterator at(folder, failed), end;
       !failed && at != end && ++files <= kMostFiles; at.increment(failed)) {
    std::error_code unknown;
    const std::uint64_t size = at->is_regular_file(unknown) ? at->file_size(unknown) : 0;
    if (!unknown) bytes += std::min(size, kFileLimitBytes);
  }
  return bytes;
}

// A small file has no use for gigabytes, whatever it says.
std::uint64_t memoryLimit(const ImportLimits& limits, const fs::path& file) {
  if (limits.memoryBytes > 0) return limits.memoryBytes;
  return std::min(mostMemory(limits), kLeastMemory + readableBytes(file) * kMemoryPerByte);
}

// The messages of the worker on standard error.
struct WorkerTalk {
  std::mutex mutex;
  bool hasBegun = false;  // the first message was heard
  std::optional<Error> error;
  std::string lastWords;  // the last line that is not a message of ours, e.g. a library's assertion
};

ErrorCode codeOf(const std::string& name) {
  constexpr std::array kAllowed = {ErrorCode::FileNotFound,  ErrorCode::FileUnreadable,
                                   ErrorCode::Unsupported,   ErrorCode::InvalidInput,
                                   ErrorCode::LimitExceeded, ErrorCode::ImportMemory,
                                   ErrorCode::ImportNoWorker};
  for (const ErrorCode code : kAllowed) {
    if (errorCodeName(code) == name) return code;
  }
  return ErrorCode::ImportFailed;
}

// Logs each distinct message once, however many files are imported.
void logOnce(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.size() < 100 && said.insert(text).second) log().warn("{}", text);
}

void hear(std::string_view line, WorkerTalk& talk, const JobContext& job) {
  const auto document = JsonDocument::parse(line);
  const std::lock_guard lock(talk.mutex);
  if (!document || !line.starts_with('{')) {
    talk.lastWords = line.substr(0, 300);
    return;
  }
  std::optional<Error> problem;
  JsonFields fields(document->root(), "", problem);
  const bool isFirst = !std::exchange(talk.hasBegun, true);
  if (fields.has("progress")) {
    double fraction = 0.0;
    std::string step;
    fields.number("progress", fraction, 0.0, 1.0);
    fields.text("step", step);
    if (!problem) job.report(static_cast<float>(fraction), step);
  } else if (fields.has("error")) {
    std::string code;
    std::string message;
    JsonFields error = fields.object("error");
    error.text("code", code);
    error.text("message", message);
    if (!problem) talk.error = Error{codeOf(code), message};
  } else if (isFirst && fields.has("missing")) {
    hearMissingWalls(fields);
  } else if (fields.has("log")) {
    std::string text;
    fields.text("log", text);
    logOnce(text);
  }
}

tl::unexpected<Error> crashed(const fs::path& file, const WorkerTalk& talk) {
  if (!talk.lastWords.empty()) log().info("import worker, last words: {}", talk.lastWords);
  const RigFormat* format = rigFormatByEnding(file);
  const bool gltf = format != nullptr && format->kind <= RigKind::Glb;
  return refuseFile(
      file, ErrorCode::ImportCrashed,
      fmt::format("the {} reader failed on this file; nothing in the project has changed. "
                  "{}",
                  format == nullptr ? "rig" : format->name,
                  gltf ? "Check the file or export it again" : "Export it again, or as glTF"));
}

Result<std::vector<std::byte>> conclude(const fs::path& file, ProcessOutcome outcome,
                                        const WorkerTalk& talk, const ImportLimits& limits,
                                        std::uint64_t memoryBytes) {
  const auto timeout = [&file](int seconds, const char* kind) {
    return refuseFile(
        file, ErrorCode::ImportTimeout,
        fmt::format("reading it was not finished after {} s{}; nothing in the project has "
                    "changed",
                    seconds, kind));
  };
  switch (outcome.end) {
    case ProcessOutcome::End::Stopped:
      return refuseFile(file, ErrorCode::Cancelled, "the import was stopped");
    case ProcessOutcome::End::TimedOut:
      return timeout(limits.wallSeconds, "");
    case ProcessOutcome::End::OutputTooLarge:
      return refuseFile(
          file, ErrorCode::ImportBadResult,
          "the reader sent more than any rig holds; nothing in the project has changed");
    case ProcessOutcome::End::Signalled:
      if (outcome.signalNumber == SIGXCPU) return timeout(limits.cpuSeconds, " of computing");
      if (outcome.signalNumber == SIGSYS) {
        return refuseFile(
            file, ErrorCode::ImportCrashed,
            "reading it was ended, because the reader tried what no rig file needs; the "
            "file may be made to attack this computer; nothing in the project has "
            "changed");
      }
      if (outcome.signalNumber == SIGSTOP) {
        return refuseFile(file, ErrorCode::ImportCrashed,
                          "its reader was suspended by another program; nothing in the project has "
                          "changed");
      }
      return crashed(file, talk);
    case ProcessOutcome::End::Exited:
      break;
  }
  if (outcome.exitCode == 0) return std::move(outcome.output);
  if (isSandboxRequired() && outcome.exitCode == kSandboxOpen) {
    return refuseFile(file, ErrorCode::ImportNoWorker, sandboxRefusal());
  }
  // The exit code that a shell uses for a program that cannot be executed.
  if (!talk.error && (outcome.exitCode == 126 || outcome.exitCode == 127)) {
    return refuseFile(
        file, ErrorCode::ImportNoWorker,
        "it cannot be read because kiln-import is not a program of this system; install it "
        "again");
  }
  if (!talk.error) return crashed(file, talk);
  if (talk.error->code == ErrorCode::ImportMemory) {
    return refuseFile(file, ErrorCode::ImportMemory,
                      fmt::format("reading it needs more than {:.1f} GB of memory",
                                  static_cast<double>(memoryBytes) / kGibi));
  }
  return refuseFile(file, talk.error->code, talk.error->message);
}

}  // namespace

std::uint64_t mostMemory(const ImportLimits& limits) {
  if (limits.memoryBytes > 0) return limits.memoryBytes;
  return std::clamp(freeMemoryBytes() / 10 * 8, kGibi, 8 * kGibi);
}

Result<std::vector<std::byte>> runImportWorker(const WorkerTask& task, const ImportLimits& limits,
                                               const JobContext& job) {
  const auto worker = importWorkerFor(task.file);
  if (!worker) return tl::unexpected(worker.error());
  const std::uint64_t memoryBytes = memoryLimit(limits, task.path);
  ProcessRequest request;
  request.program = *worker;
  request.arguments = {"--memory", fmt::format("{}", memoryBytes), "--cpu-seconds",
                       fmt::format("{}", limits.cpuSeconds)};
  if (isSandboxRequired()) request.arguments.emplace_back("--require-sandbox");
  request.arguments.insert(request.arguments.end(), task.options.begin(), task.options.end());
  request.arguments.insert(request.arguments.end(), {"--", pathWithoutLinks(task.path).string()});
  // A result is never larger than what the worker had to make it.
  request.outputLimitBytes = std::min(task.outputLimitBytes, memoryBytes);
  request.announced = task.announced;
  request.announcementBytes = task.announcementBytes;
  request.errorLimitBytes = kErrorLimitBytes;
  request.wallSeconds = limits.wallSeconds;
  const auto unstarted = [&](const Error& why) {
    return refuseFile(task.file, ErrorCode::ImportNoWorker,
                      fmt::format("it cannot be read because {} does not start: {}",
                                  pathText(*worker), why.message));
  };
  const auto files = FileServer::start(task.path);
  if (!files) return unstarted(files.error());
  request.input = (*files)->workersEnd();
  WorkerTalk talk;
  auto outcome = runProcess(
      request, [&](std::string_view line) { hear(line, talk, job); }, job.stop);
  if (!outcome) return unstarted(outcome.error());
  return conclude(task.file, std::move(*outcome), talk, limits, memoryBytes);
}

Result<fs::path> importWorkerFor(const fs::path& file) {
  const auto missing = [&file] {
    return refuseFile(file, ErrorCode::ImportNoWorker,
                      "it cannot be read because kiln-import was not found beside the program or "
                      "in ../libexec/crowdkiln; install it again");
  };
  std::error_code error;
  const auto runnable = [&error](const fs::path& path) {
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
  };
#ifdef CK_WORKER_FAULTS
  if (const char* named = std::getenv("CROWDKILN_IMPORT_WORKER"); named != nullptr && *named != 0) {
    const fs::path path(named);
    if (!path.is_absolute() || !fs::exists(path, error)) return missing();
    return path;
  }
#endif
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return missing();
  const fs::path folder = program.parent_path();
  for (const fs::path& candidate :
       {folder / "kiln-import", folder / ".." / "libexec" / "crowdkiln" / "kiln-import"}) {
    if (runnable(candidate)) return candidate.lexically_normal();
  }
  return missing();
}

tl::unexpected<Error> refuseFile(const fs::path& file, ErrorCode code, std::string_view why) {
  const std::string name = pathText(file.filename());
  return fail(code, fmt::format("{}: {}", name.empty() ? pathText(file) : name, why),
              pathText(file));
}

}  // namespace ck
