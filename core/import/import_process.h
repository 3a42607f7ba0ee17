#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

struct ImportLimits {
  std::uint64_t memoryBytes = 0;  // 0: 80 % of what is free, at most 8 GiB
  int cpuSeconds = 60;
  int wallSeconds = 120;
};

struct ImportSettings {
  double heightMeters = 0.0;  // > 0: scale so that the bind pose is this tall
  double unitScale = 0.0;     // > 0: metres per file unit, instead of what the file says
  bool operator==(const ImportSettings&) const = default;
};

// Reads a rig file in a separate, limited process (kiln-import) and checks what comes back. The
// file is never parsed in this process. Blocks the calling thread; stop ends the worker within
// 200 ms. Errors: FileNotFound, FileUnreadable, Unsupported, ImportFailed, ImportCrashed,
// ImportTimeout, ImportMemory, ImportBadResult, ImportNoWorker, Cancelled; each message is one
// sentence that names the file.
Result<Character> importCharacter(const std::filesystem::path& file,
                                  const ImportSettings& settings = {},
                                  const ImportLimits& limits = {}, JobContext job = {});

// The rig of the first file and the clips of all: clips of further files are matched to the rig by
// joint name (joint_names.h) and fitted to its units, axes and proportions (clip_fitting.h); what
// was done and which joints do not match is listed in the notes. The settings apply to the rig.
Result<Character> importWithClips(const std::vector<std::filesystem::path>& files,
                                  const ImportSettings& settings = {},
                                  const ImportLimits& limits = {}, JobContext job = {});

// Adds the clips of `from` to a copy of `rig`, as importWithClips does.
Result<Character> addClips(const Character& rig, const Character& from);

// Where kiln-import is looked for: $CROWDKILN_IMPORT_WORKER, beside the running program, then
// ../libexec/crowdkiln beside it. Empty where it is in none of these.
std::filesystem::path findImportWorker();

}  // namespace ck
