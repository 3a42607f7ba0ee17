#include "core/import/worker/confinement/system_calls.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>

namespace ck::worker {
namespace {

// Allowed whatever their arguments are.
const int kAllowed[] = {
    // open files
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(close), SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(fadvise64),
    // memory
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(membarrier),
    // threads and signals of this process
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall), SCMP_SYS(sched_yield), SCMP_SYS(pause), SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    // time and facts
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage),
    SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getpid), SCMP_SYS(gettid),
    SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getrlimit), SCMP_SYS(sched_getaffinity)};

// Calls that the C library or a kernel in between may try before an older one: as if this system
// did not have them. clone3 and openat2 pass their flags in memory, where no filter sees them.
const int kUnknown[] = {SCMP_SYS(clone3), SCMP_SYS(openat2), SCMP_SYS(faccessat2),
                        SCMP_SYS(close_range)};

// Calls that look at files by their names. Libraries try them and go on where they fail.
const int kOfNames[] = {SCMP_SYS(newfstatat), SCMP_SYS(stat),      SCMP_SYS(lstat),
                        SCMP_SYS(statx),      SCMP_SYS(access),    SCMP_SYS(faccessat),
                        SCMP_SYS(readlink),   SCMP_SYS(readlinkat)};

// Allowed beside those for a program that writes files of its own. None of them reaches another
// process or changes the rights of a file. A child process could outlive its parent, so there is
// none.
const int kOfPrograms[] = {
    // files; Landlock decides which can be written
    SCMP_SYS(pwrite64), SCMP_SYS(preadv), SCMP_SYS(pwritev), SCMP_SYS(ftruncate),
    SCMP_SYS(fallocate), SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(mkdir), SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat),
    SCMP_SYS(renameat2), SCMP_SYS(chdir), SCMP_SYS(umask), SCMP_SYS(statfs), SCMP_SYS(fstatfs),
    SCMP_SYS(getcwd), SCMP_SYS(getdents64), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
    SCMP_SYS(flock),
    // waiting
    SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(rt_sigtimedwait),
    // memory, also with code
    SCMP_SYS(mmap), SCMP_SYS(mprotect), SCMP_SYS(mincore), SCMP_SYS(msync),
    // the start of the program, which inherits all of this
    SCMP_SYS(execve), SCMP_SYS(arch_prctl), SCMP_SYS(getgroups), SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler)};

class Filter {
 public:
  // `otherwise` is what happens to calls without a rule.
  explicit Filter(std::uint32_t otherwise) : filter_(seccomp_init(otherwise), seccomp_release) {
    good_ = filter_ != nullptr &&
            seccomp_attr_set(filter_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
  }

  void allow(int call) { add(SCMP_ACT_ALLOW, call, 0, nullptr); }
  void refuse(int call, int error) {
    add(SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), call, 0, nullptr);
  }
  template <class... Checks>
  void allowIf(int call, Checks... checks) {
    const scmp_arg_cmp all[] = {checks...};
    add(SCMP_ACT_ALLOW, call, sizeof...(checks), all);
  }
  bool load() { return good_ && seccomp_load(filter_.get()) == 0; }

 private:
  void add(std::uint32_t action, int call, unsigned count, const scmp_arg_cmp* checks) {
    good_ = good_ && seccomp_rule_add_array(filter_.get(), action, call, count, checks) == 0;
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter_;
  bool good_ = false;
};

// An argument of 32 bits that has none of the bits outside of `bits`.
scmp_arg_cmp within(unsigned argument, int bits) {
  const std::uint64_t others = ~static_cast<std::uint32_t>(bits);
  return {argument, SCMP_CMP_MASKED_EQ, others & 0xFFFF'FFFFu, 0};
}
scmp_arg_cmp equals(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp equals32(unsigned argument, int value) {
  return {argument, SCMP_CMP_MASKED_EQ, 0xFFFF'FFFFu, static_cast<std::uint32_t>(value)};
}
scmp_arg_cmp masked(unsigned argument, int bits, int value) {
  return {argument, SCMP_CMP_MASKED_EQ, static_cast<std::uint32_t>(bits),
          static_cast<std::uint32_t>(value)};
}
scmp_arg_cmp holds(unsigned argument, int bits) {
  return masked(argument, bits, bits);
}

// The calls of every confined process.
void allowBasics(Filter& filter) {
  for (const int call : kAllowed) filter.allow(call);
  for (const int call : kUnknown) filter.refuse(call, ENOSYS);
  // Whether a stream is a terminal, which libraries ask, and nothing else.
  filter.refuse(SCMP_SYS(ioctl), ENOTTY);
  filter.allowIf(SCMP_SYS(clone), holds(0, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND));
  // abort() and raise().
  filter.allowIf(SCMP_SYS(tgkill), equals32(0, ::getpid()));
  for (const int command : {F_GETFD, F_SETFD, F_GETFL}) {
    filter.allowIf(SCMP_SYS(fcntl), equals32(1, command));
  }
  // Reading a limit of its own.
  filter.allowIf(SCMP_SYS(prlimit64), equals32(0, 0), equals(2, 0));
  // Names of threads and of memory, which the C library gives.
  for (const int option : {PR_SET_NAME, PR_GET_NAME, 0x53564d41 /* PR_SET_VMA */}) {
    filter.allowIf(SCMP_SYS(prctl), equals32(0, option));
  }
}

}  // namespace

bool allowReadingOnly() {
  Filter filter(SCMP_ACT_KILL_PROCESS);
  allowBasics(filter);
  for (const int call : kOfNames) filter.refuse(call, EACCES);
  for (const int call : {SCMP_SYS(openat), SCMP_SYS(open)}) filter.refuse(call, EACCES);
  // Answers of the host.
  filter.allow(SCMP_SYS(recvmsg));
  constexpr int kData = PROT_READ | PROT_WRITE;
  filter.allowIf(SCMP_SYS(mmap), within(2, kData));
  filter.allowIf(SCMP_SYS(mprotect), within(2, kData));
  return filter.load();
}

bool allowOwnFilesOnly() {
  Filter filter(SCMP_ACT_ERRNO(EPERM));
  allowBasics(filter);
  for (const int call : kOfNames) filter.allow(call);
  for (const int call : kOfPrograms) filter.allow(call);
  for (const auto& [call, argument] : {std::pair(SCMP_SYS(openat), 2u), {SCMP_SYS(open), 1u}}) {
    filter.allowIf(call, within(argument, ~(O_PATH | O_TRUNC)));
    // Before ABI 3 Landlock lets whoever may read a file empty it; writing it is refused by all.
    for (const int access : {O_WRONLY, O_RDWR}) {
      filter.allowIf(call, masked(argument, O_PATH | O_ACCMODE, access));
    }
  }
  // Limits of its own, of which the hard ones stay.
  filter.allowIf(SCMP_SYS(prlimit64), equals32(0, 0));
  for (const int command : {F_SETFL, F_DUPFD, F_DUPFD_CLOEXEC, F_GETLK, F_SETLK, F_SETLKW}) {
    filter.allowIf(SCMP_SYS(fcntl), equals32(1, command));
  }
  return filter.load();
}

}  // namespace ck::worker
