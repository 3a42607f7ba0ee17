#include "core/export/writer/set_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <span>
#include <utility>

#include "core/base/assert.h"
#include "core/export/writer/process_mark.h"
#include "core/export/writer/set_journal.h"
#include "core/system/files.h"

namespace ck {
namespace {

namespace fs = std::filesystem;

// Work folders are called PREFIX MARK - six letters. The mark names the process that made them.
constexpr std::string_view kPrefix = ".crowdkiln-";
constexpr std::size_t kRandomLetters = 6;
constexpr const char* kAside = "old";
constexpr const char* kJournal = "journal";
constexpr const char* kUnfinishedJournal = "journal.unfinished";
constexpr mode_t kPrivate = 0700;

tl::unexpected<Error> cannotWrite(const fs::path& path, const std::string& reason) {
  const std::string name = pathText(path);
  return fail(ErrorCode::CannotWrite, fmt::format("{}: cannot be written: {}", name, reason), name);
}

// The mark of a work folder's name; nothing for other names.
std::optional<std::string> markIn(std::string_view name) {
  if (!name.starts_with(kPrefix) || name.size() < kPrefix.size() + 1 + kRandomLetters) return {};
  name.remove_prefix(kPrefix.size());
  if (name[name.size() - kRandomLetters - 1] != '-') return {};
  name.remove_suffix(kRandomLetters + 1);
  return markFromText(name) ? std::optional(std::string(name)) : std::nullopt;
}

// Opens a work folder that an ended process of this user made. The handle is closed for anything
// else.
FolderHandle openAbandoned(const FolderHandle& folder, const std::string& name, std::int64_t now) {
  const auto mark = markIn(name);
  const auto found = mark ? folder.facts(name) : std::nullopt;
  if (!found || !S_ISDIR(found->st_mode) || found->st_uid != ::geteuid() ||
      (found->st_mode & 0777) != kPrivate || !isAbandoned(*mark, found->st_mtim.tv_sec, now)) {
    return {};
  }
  std::error_code problem;
  return folder.openFolder(name, problem);
}

bool hasJournal(const FolderHandle& work) {
  return work.facts(kJournal).has_value();
}

// The journal of a work folder, if it was written for exactly these two folders.
std::optional<SetJournal> journalOf(const FolderHandle& folder, const FolderHandle& work) {
  const auto text = work.read(kJournal, kLargestJournal);
  if (!text) return {};
  auto journal = journalFromText(*text);
  if (!journal || journal->folder != identityOf(folder) || journal->work != identityOf(work)) {
    return {};
  }
  return std::move(*journal);
}

bool isSameEntry(const std::optional<struct stat>& found, std::uint64_t inode) {
  return found && inode != 0 && found->st_ino == inode;
}

// Puts one name back as it was before an export. Files that others have put there stay.
std::error_code restoreOne(const FolderHandle& folder, const FolderHandle& aside,
                           const JournalEntry& entry) {
  const auto now = folder.facts(entry.name);
  const auto old = aside.isOpen() ? aside.facts(entry.name) : std::nullopt;
  const bool isNew = isSameEntry(now, entry.inode);
  if (!old) {
    // It is new, or it was not touched yet.
    return !entry.wasThere && isNew ? folder.removeTree(entry.name) : std::error_code();
  }
  const bool isOld = now && isSameEntry(now, old->st_ino);
  if (now && !isNew && !isOld) return {};
  if (isNew && S_ISDIR(now->st_mode)) {
    if (const auto problem = folder.removeTree(entry.name)) return problem;
  }
  return aside.rename(entry.name, folder, entry.name);
}

std::error_code restore(const FolderHandle& folder, const FolderHandle& work,
                        const SetJournal& journal, SetFolder::IsSetName isSetName) {
  std::error_code problem;
  const FolderHandle aside = work.openFolder(kAside, problem);
  problem.clear();
  for (const JournalEntry& entry : journal.entries) {
    if (!isSetName(entry.name)) continue;
    if (const auto failed = restoreOne(folder, aside, entry)) problem = failed;
  }
  return problem;
}

// Removes what ended processes left, after their old files are back.
Result<Notes> mendLeftovers(const FolderHandle& folder, const fs::path& shown, std::int64_t now,
                            SetFolder::IsSetName isSetName) {
  Notes notes;
  for (const std::string& name : folder.names()) {
    const FolderHandle work = openAbandoned(folder, name, now);
    if (!work.isOpen()) continue;
    const auto journal = journalOf(folder, work);
    // A journal that was not written here is none of ours, and neither is its folder.
    if (hasJournal(work) && !journal) continue;
    if (journal) {
      if (const auto problem = restore(folder, work, *journal, isSetName)) {
        return fail(ErrorCode::CannotWrite,
                    fmt::format("{}: an earlier export was interrupted, and its old files cannot "
                                "be put back: {}",
                                pathText(shown), problem.message()),
                    pathText(shown));
      }
    }
    if (folder.removeTree(name)) continue;
    notes.push_back(
        {Note::Level::Warning, journal ? "ExportRestored" : "ExportLeftover",
         fmt::format("{}: an earlier export into this folder was interrupted; {}", pathText(shown),
                     journal ? "the files from before it were put back"
                             : "its temporary files were removed, and no others had changed")});
  }
  return notes;
}

// Moves or links the old entry aside and puts the new one in its place.
std::error_code replaceOne(const FolderHandle& folder, const FolderHandle& work,
                           const FolderHandle& aside, const SetChange& change,
                           const std::function<void()>& step) {
  const bool isThere = folder.facts(change.name).has_value();
  const bool isKept = aside.facts(change.name).has_value();
  if (isThere && !isKept) {
    step();
    if (const auto problem = folder.rename(change.name, aside, change.name)) return problem;
  }
  step();
  if (work.facts(change.name)) return work.rename(change.name, folder, change.name);
  return isThere && isKept ? folder.remove(change.name) : std::error_code();
}

}  // namespace

Result<std::unique_ptr<SetFolder>> SetFolder::open(const fs::path& folder, IsSetName isSetName) {
  std::unique_ptr<SetFolder> made(new SetFolder);
  made->folder_ = folder;
  made->isSetName_ = isSetName;
  std::error_code problem;
  made->isNew_ = fs::create_directories(folder, problem);
  if (problem) return cannotWrite(folder, problem.message());
  made->folderHandle_ = FolderHandle::open(folder, problem);
  if (problem) return cannotWrite(folder, problem.message());
  const std::string name = fmt::format("{}{}-XXXXXX", kPrefix, markText(markOfThisProcess()));
  std::string pattern = (folder / name).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    return cannotWrite(folder, std::generic_category().message(errno));
  }
  made->work_ = pattern;
  made->workHandle_ = made->folderHandle_.openFolder(made->work_.filename().string(), problem);
  if (problem) return cannotWrite(folder, problem.message());
  return made;
}

SetFolder::~SetFolder() {
  if (!work_.empty() && !keepsWork_) folderHandle_.removeTree(work_.filename().string());
  lock_.reset();
  std::error_code ignored;
  if (isNew_) fs::remove(folder_, ignored);  // fails if it is not empty
}

Result<void> SetFolder::lock(const JobContext& job) {
  auto held = FolderLock::take(folderHandle_, workHandle_, folder_, job);
  if (!held) return tl::unexpected(held.error());
  lock_ = std::move(*held);
  const auto now = folderHandle_.facts(FolderLock::kFile);
  auto mended = mendLeftovers(folderHandle_, folder_, now ? now->st_mtim.tv_sec : 0, isSetName_);
  if (!mended) return tl::unexpected(mended.error());
  notes_ = std::move(*mended);
  return {};
}

Result<void> SetFolder::publish(const std::vector<SetChange>& changes,
                                const std::function<void()>& beforeStep) {
  CK_ASSERT(lock_.has_value());
  const auto step = [&beforeStep] {
    if (beforeStep) beforeStep();
  };
  SetJournal journal{.folder = identityOf(folderHandle_), .work = identityOf(workHandle_)};
  for (const SetChange& change : changes) {
    CK_ASSERT(isSetName_(change.name));
    const auto old = folderHandle_.facts(change.name);
    if (old && S_ISDIR(old->st_mode) && !change.isFolder) {
      return cannotWrite(folder_ / pathFromText(change.name), "a folder has that name");
    }
    const auto made = workHandle_.facts(change.name);
    journal.entries.push_back({change.name, old.has_value(), made ? made->st_ino : 0});
  }
  if (const auto problem = workHandle_.createFolder(kAside)) {
    return cannotWrite(folder_, problem.message());
  }
  std::error_code problem;
  const FolderHandle aside = workHandle_.openFolder(kAside, problem);
  if (problem) return cannotWrite(folder_, problem.message());
  // Second names of the old files, so that their names are never missing. Where the file system has
  // none, files are moved aside later. Until the journal is written nothing has changed.
  for (const SetChange& change : changes) {
    if (change.isFolder) continue;
    step();
    folderHandle_.link(change.name, aside, change.name);
  }
  step();
  const std::string text = journalText(journal);
  // It takes its name when it is complete: half a journal would be no one's.
  problem = workHandle_.create(kUnfinishedJournal, std::as_bytes(std::span(text)));
  if (!problem) problem = workHandle_.rename(kUnfinishedJournal, workHandle_, kJournal);
  if (problem) return cannotWrite(folder_, problem.message());
  workHandle_.flush();
  const auto undo = [&](const fs::path& path) {
    const std::string reason = problem.message();
    keepsWork_ = bool(restore(folderHandle_, workHandle_, journal, isSetName_));
    if (!keepsWork_) workHandle_.remove(kJournal);
    return cannotWrite(path, reason);
  };
  for (const SetChange& change : changes) {
    problem = replaceOne(folderHandle_, workHandle_, aside, change, step);
    if (problem) return undo(folder_ / pathFromText(change.name));
  }
  folderHandle_.flush();
  step();
  problem = workHandle_.remove(kJournal);
  // With the journal still there, the next export would take this one for an interrupted one.
  if (problem) return undo(folder_);
  return {};
}

bool wasInterrupted(const fs::path& folder) {
  std::error_code problem;
  const FolderHandle handle = FolderHandle::open(folder, problem);
  if (problem) return false;
  const auto facts = handle.facts();
  return std::ranges::any_of(handle.names(), [&](const std::string& name) {
    const FolderHandle work = openAbandoned(handle, name, facts ? facts->st_mtim.tv_sec : 0);
    return work.isOpen() && journalOf(handle, work).has_value();
  });
}

}  // namespace ck
