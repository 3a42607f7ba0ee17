#include "core/import/worker/confinement/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace ck::worker {
namespace {

void limit(decltype(RLIMIT_CORE) what, std::uint64_t soft, std::uint64_t hard,
           std::vector<std::string>& missing) {
  rlimit old = {};
  ::getrlimit(what, &old);
  rlimit wanted = {};
  wanted.rlim_max = std::min<rlim_t>(hard, old.rlim_max);
  wanted.rlim_cur = std::min<rlim_t>(soft, wanted.rlim_max);
  if (::setrlimit(what, &wanted) != 0) {
    missing.push_back(fmt::format("a limit could not be set: {}", std::strerror(errno)));
  }
}

// Limits of every confined process.
void setCommonLimits(const ConfinementLimits& limits, std::vector<std::string>& missing) {
  limit(RLIMIT_CORE, 0, 0, missing);
#ifndef CK_SANITIZED
  if (limits.memoryBytes > 0) limit(RLIMIT_AS, limits.memoryBytes, limits.memoryBytes, missing);
#endif
  const auto cpu = static_cast<std::uint64_t>(limits.cpuSeconds);
  if (cpu > 0) limit(RLIMIT_CPU, cpu, cpu + 2, missing);
}

void setReaderLimits(const ConfinementLimits& limits, std::vector<std::string>& missing) {
  setCommonLimits(limits, missing);
  limit(RLIMIT_NOFILE, 64, 64, missing);
  // The host reads from pipes; standard output is a file only if a user redirects it.
  bool toFile = false;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat facts = {};
    toFile = toFile || (::fstat(stream, &facts) == 0 && S_ISREG(facts.st_mode));
  }
  if (!toFile) limit(RLIMIT_FSIZE, 0, 0, missing);
}

#ifndef CK_SANITIZED

constexpr std::uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

struct AllowedPath {
  std::filesystem::path path;
  std::uint64_t access = 0;
};

// From now on `handled` is refused everywhere but below the paths that allow it.
bool landlock(std::uint64_t handled, const std::vector<AllowedPath>& allowed) {
  landlock_ruleset_attr rules = {};
  rules.handled_access_fs = handled;
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
  if (ruleset < 0) return false;
  bool ok = true;
  for (const auto& [path, access] : allowed) {
    landlock_path_beneath_attr beneath = {};
    beneath.allowed_access = access;
    beneath.parent_fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    ok = ok && beneath.parent_fd >= 0 &&
         ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
    if (beneath.parent_fd >= 0) ::close(beneath.parent_fd);
  }
  ok = ok && ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  ::close(static_cast<int>(ruleset));
  return ok;
}

// System calls that no confined process needs. They fail with EPERM instead of killing the process,
// so that a library that merely tries one continues.
const int kDenied[] = {
    // sockets
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
    SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendto), SCMP_SYS(sendmsg),
    // other processes and their memory
    SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev), SCMP_SYS(userfaultfd),
    // mounts and namespaces
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(unshare),
    SCMP_SYS(setns),
    // the kernel
    SCMP_SYS(bpf), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
    SCMP_SYS(perf_event_open), SCMP_SYS(open_by_handle_at)};

// Those that a reader of files does not need either: programs, processes, files that change.
const int kDeniedToReaders[] = {SCMP_SYS(execve),   SCMP_SYS(execveat),     SCMP_SYS(fork),
                                SCMP_SYS(vfork),    SCMP_SYS(memfd_create), SCMP_SYS(truncate),
                                SCMP_SYS(ftruncate)};

bool denyCalls(bool toReader) {
  const std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                seccomp_release);
  if (!filter) return false;
  const std::uint32_t refused = SCMP_ACT_ERRNO(EPERM);
  bool ok = seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
  const auto deny = [&](std::span<const int> calls) {
    for (const int call : calls) {
      ok = ok && seccomp_rule_add(filter.get(), refused, call, 0) == 0;
    }
  };
  deny(kDenied);
  if (toReader) {
    deny(kDeniedToReaders);
    // clone3 passes its flags in memory, where the filter cannot see them. With ENOSYS glibc falls
    // back to clone.
    ok = ok && seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    // A clone without CLONE_THREAD creates a process.
    ok = ok && seccomp_rule_add(filter.get(), refused, SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) == 0;
  }
  return ok && seccomp_load(filter.get()) == 0;
}

#endif

}  // namespace

std::vector<std::string> confineTo(const std::filesystem::path& folder,
                                   const ConfinementLimits& limits) {
  std::vector<std::string> missing;
  std::setlocale(LC_ALL, "C");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  setReaderLimits(limits, missing);
#ifdef CK_SANITIZED
  // The sanitizers use ptrace on the process and read system files when it exits.
  static_cast<void>(folder);
  missing.push_back("import worker: sanitizer build, process limits only");
#else
  ::prctl(PR_SET_DUMPABLE, 0);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    missing.push_back("import worker: new privileges cannot be ruled out on this system");
  }
  if (!landlock(LANDLOCK_ACCESS_FS_EXECUTE | kReading | kWriting, {{folder, kReading}})) {
    missing.push_back(
        "import worker: this system has no Landlock; only the worker's own rules keep "
        "it inside the folder of the rig");
  }
  if (!denyCalls(true)) {
    missing.push_back("import worker: this system has no seccomp filter; process limits only");
  }
#endif
  return missing;
}

std::vector<std::string> confineProgramTo(const std::filesystem::path& folder,
                                          const ConfinementLimits& limits) {
  std::vector<std::string> missing;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  setCommonLimits(limits, missing);
#ifdef CK_SANITIZED
  static_cast<void>(folder);
#else
  constexpr std::string_view kWhat = "confined program";
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    missing.push_back(fmt::format("{}: new privileges cannot be ruled out on this system", kWhat));
  }
  if (!landlock(kWriting, {{folder, kWriting}, {"/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE}})) {
    missing.push_back(
        fmt::format("{}: this system has no Landlock; it may write wherever its user may", kWhat));
  }
  if (!denyCalls(false)) {
    missing.push_back(
        fmt::format("{}: this system has no seccomp filter; process limits only", kWhat));
  }
#endif
  return missing;
}

}  // namespace ck::worker
