#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/job.h"
#include "core/base/result.h"

namespace ck {

// What keeps the files of a set together when an export is killed: a journal. While it exists, the
// old set counts, and the journal's folder holds every old file that is replaced. Removing the
// journal makes the new set count. A process that finds a journal without a running export puts the
// old files back before it reads or exports. A folder of sets is not swapped as a whole, because it
// is an engine's folder of assets, which other programs write to and watch.

// Puts right what exports into `folder` left that were killed while they replaced files, and says
// so. To be called before a set is read; waits for an export that is replacing files now, at most
// 10 s. Fails with CannotWrite where this process may not put the old files back, and with
// Cancelled.
Result<Notes> mendSets(const std::filesystem::path& folder, const JobContext& job = {});

// A folder that sets of files are exported into. As long as this object lives, no other process
// exports into it.
class SetFolder {
 public:
  // Makes the folder where it is missing, waits until no other process exports into it, and puts
  // right what exports left that were killed: notes say what. Fails with CannotWrite (the system's
  // reason) and Cancelled.
  static Result<std::unique_ptr<SetFolder>> open(const std::filesystem::path& folder,
                                                 const JobContext& job);
  // Removes the temporary files, and the folder if it was made and is empty.
  ~SetFolder();
  SetFolder(const SetFolder&) = delete;
  SetFolder& operator=(const SetFolder&) = delete;

  // A new, empty folder inside, in which a set is prepared. On the same file system, so that files
  // can be moved out of it at once.
  const std::filesystem::path& work() const { return work_; }

  // Replaces `names`, files and folders of this folder, by those that work() has: the old set is
  // replaced as a whole, and what the new set does not have is removed. `isFolder` tells which
  // names are folders. On failure the old set is back. If this process is killed meanwhile, the
  // next open() puts it back. `beforeStep` is called before every change, for tests.
  Result<void> publish(const std::vector<std::filesystem::path>& names,
                       const std::function<bool(const std::filesystem::path&)>& isFolder,
                       const std::function<void()>& beforeStep = {});

  const Notes& notes() const { return notes_; }

 private:
  SetFolder() = default;

  std::filesystem::path folder_;
  std::filesystem::path work_;
  bool isNew_ = false;
  int lock_ = -1;  // descriptor of the folder
  Notes notes_;
};

}  // namespace ck
