#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/project/project.h"

namespace ck {

// Unsaved work is kept in a folder per running window, below one folder of the user. Only files of
// the names below are ever written or removed there.

// Unsaved work that lies in a folder.
struct RecoveredWork {
  std::filesystem::path folder;
  std::string origin;        // the project's own file, UTF-8; empty if it was never saved
  std::string title;         // what the window called it
  std::int64_t savedAt = 0;  // seconds since 1970, UTC
};

// The file that a running window holds locked in its folder.
inline constexpr const char* kRecoveryLock = "lock";

// Writes the project into the folder `work.folder`, which is made if it is missing, each file
// atomically. Errors: CannotWrite.
Result<void> writeRecovery(const RecoveredWork& work, const Project& project);

// The work in the folders below `root`, the latest first. Folders without readable work are left
// out.
std::vector<RecoveredWork> listRecoveries(const std::filesystem::path& root);

// Fails as readProjectFile() does.
Result<Project> readRecovery(const RecoveredWork& work);

// Removes the work, and the folder if nothing else is in it.
void removeRecovery(const std::filesystem::path& folder);

}  // namespace ck
