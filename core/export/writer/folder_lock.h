#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/job.h"
#include "core/base/result.h"
#include "core/system/folder_handle.h"

namespace ck {

// Lets one process at a time replace files of a folder, also where the folder is shared by several
// machines. The lock is a file in the folder that names its holder: locks of the system (flock) on
// a network folder do not reach other machines. A lock is taken over only from a process that has
// certainly ended.
class FolderLock {
 public:
  // The name of the file, which exists while a process holds the lock.
  static constexpr const char* kFile = ".crowdkiln-lock";
  static constexpr auto kLongestWait = std::chrono::seconds(60);

  // Waits until the lock is free, for at most `longest`, and takes it. `work` is a private folder
  // on the same file system, in which the file is prepared; both handles must outlive the lock.
  // `shown` is the folder's path for messages. Fails with CannotWrite (the holder and
  // since when, or the system's reason) and Cancelled.
  static Result<FolderLock> take(const FolderHandle& folder, const FolderHandle& work,
                                 const std::filesystem::path& shown, const JobContext& job,
                                 std::chrono::milliseconds longest = kLongestWait);
  ~FolderLock();  // releases it
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

  // Whether a process that may still run holds the lock of a folder. Changes nothing.
  static bool isHeld(const std::filesystem::path& folder);

 private:
  FolderLock(const FolderHandle& folder, std::uint64_t inode) : folder_(&folder), inode_(inode) {}

  const FolderHandle* folder_ = nullptr;  // null after a move
  std::uint64_t inode_ = 0;               // of the lock file
};

// A lock of an earlier boot of this machine counts as abandoned at this age, by the clock of the
// file system. A copy of the machine may share its id and be running.
inline constexpr std::chrono::seconds kAbandonedAfter = std::chrono::hours(1);

// Whether what a process left in a folder may be removed or taken over. `changed` is when it
// changed last and `now` the time of the same file system, both in seconds since 1970.
bool isAbandoned(const std::string& mark, std::int64_t changed, std::int64_t now);

}  // namespace ck
