#include "core/export/writer/folder_lock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "core/export/writer/process_mark.h"
#include "core/system/files.h"

namespace ck {
namespace {

constexpr std::size_t kLargestLock = 4096;
constexpr const char* kPrepared = "lock";
constexpr const char* kTakenOver = "stale-lock";
constexpr auto kPause = std::chrono::milliseconds(20);

// A lock file that another process made: "MARK HOST".
struct Holder {
  std::string mark = {};
  std::string host = {};
  std::uint64_t inode = 0;
  std::int64_t changed = 0;
};

std::optional<Holder> holderOf(const FolderHandle& folder) {
  const auto found = folder.facts(FolderLock::kFile);
  if (!found) return {};
  Holder holder{.inode = found->st_ino, .changed = found->st_mtim.tv_sec};
  const std::string text = folder.read(FolderLock::kFile, kLargestLock).value_or("");
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos) return holder;
  holder.mark = text.substr(0, blank);
  holder.host = safeFileName(text.substr(blank + 1));
  return holder;
}

std::string ownText() {
  char host[256] = {};
  ::gethostname(host, sizeof(host) - 1);
  return fmt::format("{} {}", markText(markOfThisProcess()), host);
}

tl::unexpected<Error> heldBy(const Holder& holder, const std::filesystem::path& shown) {
  const std::string name = pathText(shown / FolderLock::kFile);
  const auto mark = markFromText(holder.mark);
  const std::string who = mark ? fmt::format("process {} on {}", mark->pid, holder.host)
                               : std::string("an unknown program");
  const auto since = holder.changed == 0 ? std::string()
                                         : fmt::format(" since {:%Y-%m-%d %H:%M} UTC",
                                                       fmt::gmtime(std::time_t{holder.changed}));
  return fail(ErrorCode::CannotWrite,
              fmt::format("{}: {} writes into this folder{}; wait for it, or remove this file if "
                          "it does not run any more",
                          name, who, since),
              name);
}

// The lock of the system, which processes of one machine take before they look at the lock file.
// Where the file system has none, nothing is locked.
bool lockOnThisMachine(const FolderHandle& folder) {
  return ::flock(folder.descriptor(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

// Removes the lock file of a process that has ended. If another process was quicker, its lock is
// given back.
void takeOver(const FolderHandle& folder, const FolderHandle& work, const Holder& ended) {
  if (folder.rename(FolderLock::kFile, work, kTakenOver)) return;
  const auto moved = work.facts(kTakenOver);
  if (moved && moved->st_ino != ended.inode) work.link(kTakenOver, folder, FolderLock::kFile);
  work.remove(kTakenOver);
}

enum class Attempt { Taken, Busy, Failed };
Attempt tryOnce(const FolderHandle& folder, const FolderHandle& work, std::int64_t now,
                std::error_code& problem) {
  problem = work.link(kPrepared, folder, FolderLock::kFile);
  // File systems without second names.
  if (problem == std::errc::operation_not_permitted ||
      problem == std::errc::operation_not_supported || problem == std::errc::too_many_links) {
    const std::string text = work.read(kPrepared, kLargestLock).value_or("");
    problem = folder.create(FolderLock::kFile, std::as_bytes(std::span(text)));
  }
  if (!problem) return Attempt::Taken;
  if (problem != std::errc::file_exists) return Attempt::Failed;
  const auto holder = holderOf(folder);
  // A network folder can report a failure although it has made the name.
  const auto prepared = work.facts(kPrepared);
  if (holder && prepared && holder->inode == prepared->st_ino) return Attempt::Taken;
  if (holder && isAbandoned(holder->mark, holder->changed, now)) takeOver(folder, work, *holder);
  return Attempt::Busy;
}

}  // namespace

Result<FolderLock> FolderLock::take(const FolderHandle& folder, const FolderHandle& work,
                                    const std::filesystem::path& shown, const JobContext& job,
                                    std::chrono::milliseconds longest) {
  const auto cannot = [&](const std::error_code& problem) {
    const std::string name = pathText(shown);
    return fail(ErrorCode::CannotWrite,
                fmt::format("{}: cannot be written: {}", name, problem.message()), name);
  };
  const std::string text = ownText();
  if (const auto problem = work.create(kPrepared, std::as_bytes(std::span(text)))) {
    return cannot(problem);
  }
  const std::int64_t now = work.facts(kPrepared)->st_mtim.tv_sec;
  const auto begin = std::chrono::steady_clock::now();
  Result<FolderLock> result = fail(ErrorCode::Cancelled, "the export was stopped");
  for (bool told = false; !job.stopRequested(); told = true) {
    std::error_code problem;
    const Attempt attempt =
        lockOnThisMachine(folder) ? tryOnce(folder, work, now, problem) : Attempt::Busy;
    if (attempt == Attempt::Taken) {
      result = FolderLock(folder, folder.facts(kFile)->st_ino);
      break;
    }
    if (attempt == Attempt::Failed) {
      result = cannot(problem);
      break;
    }
    if (std::chrono::steady_clock::now() - begin > longest) {
      result = heldBy(holderOf(folder).value_or(Holder()), shown);
      break;
    }
    if (!told) job.report(0.0f, "Waiting for another export into this folder");
    std::this_thread::sleep_for(kPause);
  }
  work.remove(kPrepared);
  if (!result) ::flock(folder.descriptor(), LOCK_UN);
  return result;
}

FolderLock::~FolderLock() {
  if (folder_ == nullptr) return;
  const auto found = folder_->facts(kFile);
  if (found && found->st_ino == inode_) folder_->remove(kFile);
  ::flock(folder_->descriptor(), LOCK_UN);
}
FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::exchange(other.folder_, nullptr)), inode_(other.inode_) {}
FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(inode_, other.inode_);
  return *this;
}

bool FolderLock::isHeld(const std::filesystem::path& folder) {
  std::error_code problem;
  const FolderHandle handle = FolderHandle::open(folder, problem);
  const auto holder = problem ? std::nullopt : holderOf(handle);
  if (!holder) return false;
  const auto mark = markFromText(holder->mark);
  if (!mark) return false;
  const ProcessState state = stateOf(*mark);
  return state == ProcessState::Running || state == ProcessState::Elsewhere;
}

bool isAbandoned(const std::string& mark, std::int64_t changed, std::int64_t now) {
  const auto owner = markFromText(mark);
  if (!owner) return false;
  const ProcessState state = stateOf(*owner);
  if (state == ProcessState::Rebooted) return now - changed > kAbandonedAfter.count();
  return state == ProcessState::Ended;
}

}  // namespace ck
