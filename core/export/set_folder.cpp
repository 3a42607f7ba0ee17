#include "core/export/set_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "core/base/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".crowdkiln-";
constexpr const char* kAside = "old";
// Exists as long as a set is neither the old nor the new one.
constexpr const char* kJournal = "journal";
constexpr auto kLongestWait = std::chrono::seconds(10);

tl::unexpected<Error> cannotWrite(const fs::path& path, const std::string& reason) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite, fmt::format("{}: cannot be written: {}", name, reason), name);
}

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// The names of a set, each behind a letter that says whether the old set had it, ended by zeros.
std::string journalText(const fs::path& folder, const std::vector<fs::path>& names) {
  std::string text;
  for (const fs::path& name : names) {
    text += isThere(folder / name) ? 'o' : 'n';
    text += pathText(name);
    text += '\0';
  }
  return text;
}

// Puts one name of the old set back. What is not aside was not moved, or is back already.
void restoreOne(const fs::path& folder, const fs::path& aside, const fs::path& name,
                bool wasThere) {
  std::error_code ignored;
  if (!isThere(aside / name)) {
    if (!wasThere) fs::remove_all(folder / name, ignored);
    return;
  }
  if (fs::is_directory(aside / name, ignored)) fs::remove_all(folder / name, ignored);
  fs::rename(aside / name, folder / name, ignored);
}

// Puts back the set that a journal names. False if there is none.
bool restoreFrom(const fs::path& folder, const fs::path& work) {
  constexpr std::uint64_t kLongest = 1 << 20;
  const auto journal = readFile(work / kJournal, kLongest);
  if (!journal) return false;
  const std::string_view text(reinterpret_cast<const char*>(journal->data()), journal->size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    const fs::path name = pathFromText(std::string(text.substr(at + 1, end - at - 1)));
    // Names come from a file that anybody may have written.
    if (!name.empty() && name == name.filename() && name != "." && name != "..") {
      restoreOne(folder, work / kAside, name, text[at] == 'o');
    }
    at = end + 1;
  }
  return true;
}

// Waits for the lock of the folder. Where a file system has no locks, none is held.
bool waitForLock(int folder, const JobContext& job,
                 std::optional<std::chrono::milliseconds> longest = {}) {
  const auto begin = std::chrono::steady_clock::now();
  bool told = false;
  while (::flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (job.stopRequested()) return false;
    if (longest && std::chrono::steady_clock::now() - begin > *longest) return false;
    if (!told) job.report(0.0f, "Waiting for another export into this folder");
    told = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// The temporary folders of exports.
std::vector<fs::path> workFolders(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code ignored;
    if (pathText(at->path().filename()).starts_with(kPrefix) &&
        fs::is_directory(fs::symlink_status(at->path(), ignored))) {
      found.push_back(at->path());
    }
  }
  std::ranges::sort(found);
  return found;
}

bool isReplacing(const fs::path& folder) {
  return std::ranges::any_of(workFolders(folder),
                             [](const fs::path& work) { return isThere(work / kJournal); });
}

// Removes what killed exports left.
Notes mendLeftovers(const fs::path& folder) {
  Notes notes;
  for (const fs::path& left : workFolders(folder)) {
    std::error_code ignored;
    const bool restored = restoreFrom(folder, left);
    fs::remove_all(left, ignored);
    notes.push_back(
        {Note::Level::Warning, restored ? "ExportRestored" : "ExportLeftover",
         fmt::format("{}: an earlier export into this folder was interrupted; {}", pathText(folder),
                     restored ? "the files from before it were put back"
                              : "its temporary files were removed, and no others had changed")});
  }
  return notes;
}

}  // namespace

Result<Notes> mendSets(const fs::path& folder, const JobContext& job) {
  if (!isReplacing(folder)) return Notes{};
  const int lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool mine = lock >= 0 && waitForLock(lock, job, kLongestWait);
  Notes notes;
  if (mine && isReplacing(folder)) notes = mendLeftovers(folder);
  if (lock >= 0) ::close(lock);
  if (job.stopRequested()) return fail(ErrorCode::Cancelled, "the reading was stopped");
  if (!isReplacing(folder)) return notes;
  return fail(ErrorCode::CannotWrite,
              fmt::format("{}: an export into this folder was interrupted, and its old files could "
                          "not be put back; export the set again",
                          pathText(folder)),
              pathText(folder));
}

Result<std::unique_ptr<SetFolder>> SetFolder::open(const fs::path& folder, const JobContext& job) {
  std::unique_ptr<SetFolder> made(new SetFolder);
  made->folder_ = folder;
  std::error_code problem;
  made->isNew_ = fs::create_directories(folder, problem);
  if (problem) return cannotWrite(folder, problem.message());
  made->lock_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (made->lock_ >= 0 && !waitForLock(made->lock_, job)) {
    return fail(ErrorCode::Cancelled, "the export was stopped");
  }
  made->notes_ = mendLeftovers(folder);
  std::string pattern = (folder / fmt::format("{}XXXXXX", kPrefix)).string();
  if (::mkdtemp(pattern.data()) == nullptr) return cannotWrite(folder, std::strerror(errno));
  made->work_ = pattern;
  return made;
}

SetFolder::~SetFolder() {
  std::error_code ignored;
  if (!work_.empty()) fs::remove_all(work_, ignored);
  if (isNew_) fs::remove(folder_, ignored);  // fails if it is not empty
  if (lock_ >= 0) ::close(lock_);
}

Result<void> SetFolder::publish(const std::vector<fs::path>& names,
                                const std::function<bool(const fs::path&)>& isFolder,
                                const std::function<void()>& beforeStep) {
  const auto step = [&beforeStep] {
    if (beforeStep) beforeStep();
  };
  std::error_code problem;
  for (const fs::path& name : names) {
    if (isFolder(name) || !fs::is_directory(folder_ / name, problem)) continue;
    return cannotWrite(folder_ / name, "a folder has that name");
  }
  const fs::path aside = work_ / kAside;
  fs::create_directory(aside, problem);
  if (problem) return cannotWrite(folder_, problem.message());
  // Second names of the old files. Until the journal is written nothing has changed.
  for (const fs::path& name : names) {
    if (isFolder(name) || !isThere(folder_ / name)) continue;
    step();
    problem.clear();
    fs::create_hard_link(folder_ / name, aside / name, problem);
    if (problem) fs::copy_file(folder_ / name, aside / name, problem);
    if (problem) return cannotWrite(folder_ / name, problem.message());
  }
  step();
  const std::string journal = journalText(folder_, names);
  if (auto ok = writeFileAtomically(work_ / kJournal, std::as_bytes(std::span(journal))); !ok) {
    return tl::unexpected(ok.error());
  }
  const auto undo = [&](const fs::path& name) {
    const std::string reason = problem.message();
    restoreFrom(folder_, work_);
    return cannotWrite(name.empty() ? folder_ : folder_ / name, reason);
  };
  for (const fs::path& name : names) {
    problem.clear();
    // A folder cannot be replaced by a rename.
    if (isFolder(name) && isThere(folder_ / name)) {
      step();
      fs::rename(folder_ / name, aside / name, problem);
      if (problem) return undo(name);
    }
    step();
    if (isThere(work_ / name)) {
      fs::rename(work_ / name, folder_ / name, problem);
      if (problem) return undo(name);
    } else {
      fs::remove(folder_ / name, problem);  // an old file that the new set does not have
      if (problem) return undo(name);
    }
  }
  step();
  fs::remove(work_ / kJournal, problem);
  if (!problem) return {};
  // With the journal still there, the next reader would take this export for an interrupted one.
  return undo({});
}

}  // namespace ck
