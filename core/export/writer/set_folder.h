#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job.h"
#include "core/base/result.h"
#include "core/export/writer/folder_lock.h"
#include "core/system/folder_handle.h"

namespace ck {

// One name that an export changes in a folder of sets.
struct SetChange {
  std::string name;       // a file or folder directly in the folder
  bool isFolder = false;  // of what replaces it
};

// A folder that sets of files are exported into. An export prepares its files in a private work
// folder inside and then replaces all of them together. While it replaces them, a journal in the
// work folder says what was there before: if the process is killed, the next export into the folder
// puts the old files back. Readers never change the folder. A folder of sets is not swapped as a
// whole, because it is an engine's folder of assets, which other programs write to and watch.
class SetFolder {
 public:
  // Whether a set can have an entry of that name. Names for which this is false are neither
  // replaced nor put back.
  using IsSetName = bool (*)(std::string_view name);

  // Makes `folder` where it is missing, and the work folder. Fails with CannotWrite.
  static Result<std::unique_ptr<SetFolder>> open(const std::filesystem::path& folder,
                                                 IsSetName isSetName);
  // Removes the work folder, and the folder if it was made and is empty.
  ~SetFolder();
  SetFolder(const SetFolder&) = delete;
  SetFolder& operator=(const SetFolder&) = delete;

  // A new, empty folder inside, in which sets are prepared. It is on the same file system, so that
  // files can be moved out of it.
  const std::filesystem::path& work() const { return work_; }

  // Waits until no other process replaces files here, and puts back the old files of exports that
  // were killed: notes() say so. Until publish() no other process changes sets of this folder.
  // Fails with CannotWrite (the holder or the system's reason) and Cancelled.
  Result<void> lock(const JobContext& job);

  // Replaces the names by the entries of work(), all or none. A name that work() does not have is
  // removed. lock() must have succeeded. On failure the old files are back; if this process is
  // killed meanwhile, the next lock() puts them back. Symbolic links in the folder are replaced and
  // never followed. `beforeStep` is called before every change, for tests. Fails with CannotWrite.
  Result<void> publish(const std::vector<SetChange>& changes,
                       const std::function<void()>& beforeStep = {});

  const Notes& notes() const { return notes_; }

 private:
  SetFolder() = default;

  std::filesystem::path folder_;
  std::filesystem::path work_;
  FolderHandle folderHandle_;
  FolderHandle workHandle_;
  IsSetName isSetName_ = nullptr;
  bool isNew_ = false;
  bool keepsWork_ = false;  // holds old files that could not be put back
  std::optional<FolderLock> lock_;
  Notes notes_;
};

// Whether an export into the folder was killed while it replaced files, so that files of two
// exports may be mixed until the next export. Changes nothing.
bool wasInterrupted(const std::filesystem::path& folder);

}  // namespace ck
