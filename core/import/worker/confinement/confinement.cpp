#include "core/import/worker/confinement/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstring>

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

void setLimits(const ConfinementLimits& limits, std::vector<std::string>& missing) {
  limit(RLIMIT_CORE, 0, 0, missing);
#ifndef CK_SANITIZED
  if (limits.memoryBytes > 0) limit(RLIMIT_AS, limits.memoryBytes, limits.memoryBytes, missing);
#endif
  const auto cpu = static_cast<std::uint64_t>(limits.cpuSeconds);
  if (cpu > 0) limit(RLIMIT_CPU, cpu, cpu + 2, missing);
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

bool landlockFolder(const std::filesystem::path& folder) {
  landlock_ruleset_attr rules = {};
  rules.handled_access_fs =
      LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
      LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
      LANDLOCK_ACCESS_FS_MAKE_SYM;
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
  if (ruleset < 0) return false;
  landlock_path_beneath_attr beneath = {};
  beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  beneath.parent_fd = ::open(folder.c_str(), O_PATH | O_CLOEXEC);
  bool ok = beneath.parent_fd >= 0 &&
            ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
  ok = ok && ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  if (beneath.parent_fd >= 0) ::close(beneath.parent_fd);
  ::close(static_cast<int>(ruleset));
  return ok;
}

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

// System calls that no file reader needs. They fail with EPERM instead of killing the process, so
// that a library that merely tries one continues.
const int kDenied[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_sendto,
    SYS_sendmsg,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_userfaultfd,
    SYS_perf_event_open,
    SYS_memfd_create,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_open_by_handle_at,
    SYS_truncate,
    SYS_ftruncate,
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
#endif
};

sock_filter step(std::uint16_t code, std::uint32_t k, std::uint8_t yes, std::uint8_t no) {
  return sock_filter{code, yes, no, k};
}

std::vector<sock_filter> filterProgram() {
  constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
  constexpr std::uint16_t kEqual = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr std::uint16_t kReturn = BPF_RET | BPF_K;
  const auto refuse = [](int code) {
    return static_cast<std::uint32_t>(SECCOMP_RET_ERRNO) | static_cast<std::uint32_t>(code);
  };
  std::vector<sock_filter> program = {
      step(kLoad, offsetof(seccomp_data, arch), 0, 0),
      step(kEqual, kArchitecture, 1, 0),
      step(kReturn, SECCOMP_RET_KILL_PROCESS, 0, 0),
      step(kLoad, offsetof(seccomp_data, nr), 0, 0),
      // clone3 passes its flags in memory, where the filter cannot see them. With ENOSYS glibc
      // falls back to clone.
      step(kEqual, SYS_clone3, 0, 1),
      step(kReturn, refuse(ENOSYS), 0, 0),
      // A clone without CLONE_THREAD creates a process.
      step(kEqual, SYS_clone, 0, 4),
      step(kLoad, offsetof(seccomp_data, args), 0, 0),
      step(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      step(kReturn, refuse(EPERM), 0, 0),
      step(kReturn, SECCOMP_RET_ALLOW, 0, 0),
  };
  for (const int call : kDenied) {
    program.push_back(step(kEqual, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(step(kReturn, refuse(EPERM), 0, 0));
  }
  program.push_back(step(kReturn, SECCOMP_RET_ALLOW, 0, 0));
  return program;
}

bool denyCalls() {
  if (kArchitecture == 0) return false;
  std::vector<sock_filter> program = filterProgram();
  sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

#endif

}  // namespace

std::vector<std::string> confineTo(const std::filesystem::path& folder,
                                   const ConfinementLimits& limits) {
  std::vector<std::string> missing;
  std::setlocale(LC_ALL, "C");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  setLimits(limits, missing);
#ifdef CK_SANITIZED
  // The sanitizers use ptrace on the process and read system files when it exits.
  static_cast<void>(folder);
  missing.push_back("import worker: sanitizer build, process limits only");
#else
  ::prctl(PR_SET_DUMPABLE, 0);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    missing.push_back("import worker: new privileges cannot be ruled out on this system");
  }
  if (!landlockFolder(folder)) {
    missing.push_back(
        "import worker: this system has no Landlock; only the worker's own rules keep "
        "it inside the folder of the rig");
  }
  if (!denyCalls()) {
    missing.push_back("import worker: this system has no seccomp filter; process limits only");
  }
#endif
  return missing;
}

}  // namespace ck::worker
