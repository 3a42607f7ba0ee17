#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/export/export_format.h"
#include "core/export/sidecar_json.h"

namespace ck {

// The files of a set that lie in a folder already.
struct EarlierSet {
  std::string setId;                    // of its export; empty if unknown
  ExportKinds kinds;                    // formats that are there
  std::vector<ExportedFile> files;      // of formats, as its sidecar lists them
  std::vector<ExportedTarget> targets;  // as its sidecar lists them
  std::vector<ExportedTarget> stale;    // the same
};

// Reads what a folder has of the set `name`. A missing folder has nothing; a sidecar that cannot be
// read lists nothing, and counts as a format that is there.
EarlierSet readEarlierSet(const std::filesystem::path& folder, const std::string& name);

// The files of targets that an earlier export wrote, by their paths below the folder.
std::set<std::string> targetFilesOf(const EarlierSet& earlier);

}  // namespace ck
