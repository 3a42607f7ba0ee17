#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job.h"
#include "core/base/result.h"

namespace ck {

// kiln-import, the program that decodes files of others within limits, as a function.

struct ImportLimits {
  // 0: by the sizes of the files, at most 80 % of the free memory and 8 GiB.
  std::uint64_t memoryBytes = 0;
  int cpuSeconds = 60;
  int wallSeconds = 120;
};
// The memory that a worker may have at most, whatever the sizes of its files are.
std::uint64_t mostMemory(const ImportLimits& limits);

// The request to a worker.
struct WorkerTask {
  std::filesystem::path file;             // in messages
  std::filesystem::path path;             // that is read, a stand-in for `file` or `file` itself
  std::vector<std::string> options = {};  // of kiln-import, before the path
  std::uint64_t outputLimitBytes = 0;
  // As in ProcessRequest.
  std::function<std::uint64_t(std::span<const std::byte> first)> announced = {};
  std::size_t announcementBytes = 0;
};

// The bytes that the worker wrote to standard output, which the caller must check: a worker may
// have been taken over by its file. Blocks; a stop request ends the worker within 200 ms. Errors:
// FileNotFound, FileUnreadable, Unsupported, InvalidInput, LimitExceeded, ImportFailed,
// ImportCrashed, ImportTimeout, ImportMemory, ImportBadResult (too much output), ImportNoWorker,
// Cancelled. Each message is one sentence that names the file.
Result<std::vector<std::byte>> runImportWorker(const WorkerTask& task, const ImportLimits& limits,
                                               const JobContext& job);

// The worker's program: in the folder of the running program, else in ../libexec/crowdkiln relative
// to it. Builds for tests (CROWDKILN_WORKER_FAULTS) take that of $CROWDKILN_IMPORT_WORKER instead
// if it is set. Fails with ImportNoWorker; the sentence names `file`, which cannot be read.
Result<std::filesystem::path> importWorkerFor(const std::filesystem::path& file);

// An error message about a file: "walk.fbx: why".
tl::unexpected<Error> refuseFile(const std::filesystem::path& file, ErrorCode code,
                                 std::string_view why);

}  // namespace ck
