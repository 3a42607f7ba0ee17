#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/job.h"
#include "core/import/clip_fit.h"
#include "core/import/import_worker.h"
#include "core/scene/character.h"

namespace ck {

struct ImportSettings {
  // > 0: scale so that the bind pose has this height. The result is to the bit that of an import
  // with the unitScale that it gets.
  double heightMeters = 0.0;
  double unitScale = 0.0;  // > 0: metres per file unit, overrides the file
  // Morph targets of one name share one weight in all meshes (joinEqualMorphs()).
  bool joinMorphs = false;
  // Nodes without weights (Character::socketCandidates) that are baked beside the joints.
  std::vector<std::string> sockets = {};
  // Joints that no clip moves against their parents give their weights to these.
  bool mergeStillJoints = false;
  UpAxis upAxis = UpAxis::Auto;  // of a rig whose file does not say
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

// A file to import, and how its clips are fitted to the rig if it is not the first.
struct ImportFile {
  ImportFile(std::filesystem::path file, ClipFit how = {})
      : path(std::move(file)), fit(std::move(how)) {}
  std::filesystem::path path;
  ClipFit fit;
};

// Reads the rig of the first file and the clips of all files. Clips of further files are matched to
// the rig by joint name (joint_names.h) and adapted to its units, axes and proportions
// (add_clips.h). Notes list the changes and the unmatched joints. The settings apply to the rig.
// `reports`, if given, gets one report for every further file that was read, even if the import
// fails.
Result<Character> importWithClips(const std::vector<ImportFile>& files,
                                  const ImportSettings& settings = {},
                                  const ImportLimits& limits = {}, JobContext job = {},
                                  std::vector<ClipFitReport>* reports = nullptr);

}  // namespace ck
