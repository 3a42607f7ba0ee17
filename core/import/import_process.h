#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/job.h"
#include "core/scene/character.h"

namespace ck {

struct ImportLimits {
  std::uint64_t memoryBytes = 0;  // 0: 80 % of the free memory, at most 8 GiB
  int cpuSeconds = 60;
  int wallSeconds = 120;
};

struct ImportSettings {
  double heightMeters = 0.0;  // > 0: scale so that the bind pose has this height
  double unitScale = 0.0;     // > 0: metres per file unit, overrides the file
  // Morph targets of one name share one weight in all meshes (joinEqualMorphs()).
  bool joinMorphs = false;
  bool operator==(const ImportSettings&) const = default;
};

// Reads a rig file in a separate process with limits (kiln-import) and checks its output. The file
// is never parsed in this process. Blocks the calling thread. A stop request ends the worker within
// 200 ms. Errors: FileNotFound, FileUnreadable, Unsupported, ImportFailed, ImportCrashed,
// ImportTimeout, ImportMemory, ImportBadResult, ImportNoWorker, Cancelled. Each message is one
// sentence that names the file.
Result<Character> importCharacter(const std::filesystem::path& file,
                                  const ImportSettings& settings = {},
                                  const ImportLimits& limits = {}, JobContext job = {});

// Reads the rig of the first file and the clips of all files. Clips of further files are matched to
// the rig by joint name (joint_names.h) and adapted to its units, axes and proportions
// (add_clips.h). Notes list the changes and the unmatched joints. The settings apply to the rig.
Result<Character> importWithClips(const std::vector<std::filesystem::path>& files,
                                  const ImportSettings& settings = {},
                                  const ImportLimits& limits = {}, JobContext job = {});

// Searches kiln-import: first $CROWDKILN_IMPORT_WORKER, then the folder of the running program,
// then ../libexec/crowdkiln relative to it. Empty if it is not found.
std::filesystem::path findImportWorker();

}  // namespace ck
