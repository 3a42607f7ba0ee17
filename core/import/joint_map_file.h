#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/base/json_fields.h"
#include "core/base/result.h"
#include "core/import/clip_fit.h"

namespace ck {

// The content of a joint map (docs/cli.md, --map): how files are fitted to a rig. `kiln` reads it,
// and the editor saves and opens it.
struct JointMap {
  ClipFit fit;                           // of every file that is not in `files`
  std::map<std::string, ClipFit> files;  // by file name without folders, in any letter case

  // The choices for a file.
  const ClipFit& fitOf(const std::filesystem::path& file) const;
  bool operator==(const JointMap&) const = default;
};

// Reads a joint map. Errors: FileNotFound, FileUnreadable, and InvalidInput or Unsupported with the
// key that is wrong. A key that no map has is wrong, too.
Result<JointMap> readJointMap(const std::filesystem::path& file);
Result<JointMap> jointMapFromText(std::string_view text);

std::string jointMapText(const JointMap& map);
// Errors: CannotWrite.
Result<void> writeJointMap(const std::filesystem::path& file, const JointMap& map);

// The entries of one ClipFit in an object: "joints", "rest", "up" and "metersPerUnit". Values that
// are found by themselves are not written. Projects and sidecars have the same entries.
void describeClipFit(JsonFields& fields, ClipFit& fit);

}  // namespace ck
