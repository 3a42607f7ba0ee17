#include "core/import/worker/confinement/escape_attempts.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace ck::worker {
namespace {

namespace fs = std::filesystem;

// Where an attempt takes place.
struct Place {
  std::string inside;   // a file in the folder of the rig
  std::string outside;  // a file in another folder
  std::string fresh;    // a name in the folder that no file has
  pid_t other = 0;      // a process that is not its own: its parent
};

// An attempt, which returns whether it succeeded.
struct Trial {
  const char* what;
  bool (*tried)(const Place& place);
};

bool opens(const std::string& path, int flags) {
  return ::open(path.c_str(), flags | O_CLOEXEC, 0600) >= 0;
}

long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
  return ::syscall(number, a, b, c, d, e);
}
long at(const std::string& path) {
  return reinterpret_cast<long>(path.c_str());
}

const Trial kTrials[] = {
    {"read a file outside of the folder",
     [](const Place& p) { return opens(p.outside, O_RDONLY); }},
    {"read the accounts of the system",
     [](const Place&) { return opens("/etc/passwd", O_RDONLY); }},
    {"list another folder", [](const Place&) { return opens("/", O_RDONLY | O_DIRECTORY); }},
    {"create a file", [](const Place& p) { return opens(p.fresh, O_CREAT | O_WRONLY); }},
    {"create a file without a name",
     [](const Place& p) {
       return opens(fs::path(p.inside).parent_path().string(), O_TMPFILE | O_RDWR);
     }},
    {"write to the rig", [](const Place& p) { return opens(p.inside, O_WRONLY); }},
    {"empty the rig by opening it",
     [](const Place& p) { return opens(p.inside, O_RDONLY | O_TRUNC); }},
    {"shorten the rig", [](const Place& p) { return ::truncate(p.inside.c_str(), 1) == 0; }},
    {"shorten an open file",
     [](const Place& p) { return ::ftruncate(::open(p.inside.c_str(), O_RDONLY), 1) == 0; }},
    {"change the rights of a file",
     [](const Place& p) { return ::chmod(p.inside.c_str(), 0777) == 0; }},
    {"change the rights of an open file",
     [](const Place& p) { return ::fchmod(::open(p.inside.c_str(), O_RDONLY), 0777) == 0; }},
    {"change the rights of a file outside",
     [](const Place& p) { return ::fchmodat(AT_FDCWD, p.outside.c_str(), 0777, 0) == 0; }},
    {"change the owner of a file",
     [](const Place& p) { return ::chown(p.inside.c_str(), ::getuid(), ::getgid()) == 0; }},
    {"change the times of a file",
     [](const Place& p) { return ::utimensat(AT_FDCWD, p.inside.c_str(), nullptr, 0) == 0; }},
    {"mark a file",
     [](const Place& p) { return ::setxattr(p.inside.c_str(), "user.x", "x", 1, 0) == 0; }},
    {"rename a file",
     [](const Place& p) { return ::rename(p.inside.c_str(), p.fresh.c_str()) == 0; }},
    {"remove a file", [](const Place& p) { return ::unlink(p.inside.c_str()) == 0; }},
    {"link a file", [](const Place& p) { return ::link(p.inside.c_str(), p.fresh.c_str()) == 0; }},
    {"make a symbolic link", [](const Place& p) { return ::symlink("/", p.fresh.c_str()) == 0; }},
    {"make a folder", [](const Place& p) { return ::mkdir(p.fresh.c_str(), 0700) == 0; }},
    {"change the root folder", [](const Place&) { return ::chroot("/") == 0; }},
    {"signal its parent", [](const Place& p) { return ::kill(p.other, 0) == 0; }},
    {"signal a thread of its parent",
     [](const Place& p) { return call(SYS_tgkill, p.other, p.other, 0) == 0; }},
    {"signal a thread by number", [](const Place& p) { return call(SYS_tkill, p.other, 0) == 0; }},
    {"queue a signal for its parent",
     [](const Place& p) { return ::sigqueue(p.other, 0, sigval{}) == 0; }},
    {"hold its parent by a descriptor",
     [](const Place& p) { return call(SYS_pidfd_open, p.other, 0) >= 0; }},
    {"read the limits of its parent",
     [](const Place& p) {
       rlimit limit = {};
       return ::prlimit(p.other, RLIMIT_NOFILE, nullptr, &limit) == 0;
     }},
    {"limit its parent",
     [](const Place& p) {
       const rlimit limit = {8, 8};
       return ::prlimit(p.other, RLIMIT_NOFILE, &limit, nullptr) == 0;
     }},
    {"slow its parent down",
     [](const Place& p) {
       return ::setpriority(PRIO_PROCESS, static_cast<id_t>(p.other), 19) == 0;
     }},
    {"bind its parent to a processor",
     [](const Place& p) {
       cpu_set_t set;
       CPU_ZERO(&set);
       CPU_SET(0, &set);
       return ::sched_setaffinity(p.other, sizeof set, &set) == 0;
     }},
    {"schedule its parent",
     [](const Place& p) {
       const sched_param parameters = {};
       return ::sched_setscheduler(p.other, SCHED_BATCH, &parameters) == 0;
     }},
    {"trace its parent",
     [](const Place& p) { return ::ptrace(PTRACE_SEIZE, p.other, nullptr, nullptr) == 0; }},
    {"read the memory of its parent",
     [](const Place& p) { return call(SYS_process_vm_readv, p.other) == 0; }},
    {"start a process",
     [](const Place&) {
       const pid_t child = ::fork();
       if (child == 0) std::_Exit(0);
       return child > 0;
     }},
    {"start a process by clone",
     [](const Place&) {
       const long child = call(SYS_clone, SIGCHLD);
       if (child == 0) std::_Exit(0);
       return child > 0;
     }},
    {"start a program",
     [](const Place&) {
       char name[] = "/bin/true";
       char* arguments[] = {name, nullptr};
       ::execv(name, arguments);
       return false;  // a started program ends with 0, which is told apart
     }},
    {"make memory that can be run",
     [](const Place&) {
       return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
              MAP_FAILED;
     }},
    {"open a socket", [](const Place&) { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
    {"open a pair of sockets",
     [](const Place&) {
       int pair[2];
       return ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
     }},
    {"share memory",
     [](const Place&) { return ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0; }},
    {"make a file in memory", [](const Place&) { return call(SYS_memfd_create, at("x"), 0) >= 0; }},
    {"send messages", [](const Place&) { return call(SYS_msgget, 0, IPC_CREAT | 0600) >= 0; }},
    {"mount", [](const Place&) { return ::mount("none", "/", "tmpfs", 0, nullptr) == 0; }},
    {"open a file system", [](const Place&) { return call(SYS_fsopen, at("tmpfs"), 0) >= 0; }},
    {"open a tree of folders",
     [](const Place&) { return call(SYS_open_tree, AT_FDCWD, at("/"), 0) >= 0; }},
    {"leave its name spaces", [](const Place&) { return ::unshare(CLONE_NEWUSER) == 0; }},
    {"load a filter into the kernel", [](const Place&) { return call(SYS_bpf, 0, 0, 0) >= 0; }},
    {"watch the processor",
     [](const Place&) { return call(SYS_perf_event_open, 0, 0, -1, -1, 0) >= 0; }},
    {"ask the kernel for a ring", [](const Place&) { return call(SYS_io_uring_setup, 1, 0) >= 0; }},
    {"handle faults of memory", [](const Place&) { return call(SYS_userfaultfd, 1) >= 0; }},
    {"use the kernel's keys", [](const Place&) { return call(SYS_keyctl, 0, -3, 1) >= 0; }},
    {"become another user", [](const Place&) { return ::setuid(::getuid()) == 0; }},
    {"be traced again", [](const Place&) { return ::prctl(PR_SET_DUMPABLE, 1) == 0; }},
    {"survive its parent", [](const Place&) { return ::prctl(PR_SET_PDEATHSIG, 0) == 0; }},
    {"raise its limits",
     [](const Place&) {
       const rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
       return ::setrlimit(RLIMIT_CPU, &limit) == 0;
     }},
};

constexpr int kSucceeded = 40;
constexpr int kRefused = 41;

AttemptEnd endOf(pid_t child) {
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return AttemptEnd::NotTried;
  if (WIFSIGNALED(status)) {
    return WTERMSIG(status) == SIGSYS ? AttemptEnd::Killed : AttemptEnd::NotTried;
  }
  // A program that was started has replaced the code that would end with kRefused.
  return WEXITSTATUS(status) == kRefused ? AttemptEnd::Refused : AttemptEnd::Succeeded;
}

}  // namespace

std::vector<Attempt> attemptEscapes(const std::function<void(const fs::path& folder)>& confine) {
  std::string name = (fs::temp_directory_path() / "crowdkiln-self-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return {};
  const fs::path whole(name);
  const fs::path folder = whole / "rig";
  std::error_code failed;
  fs::create_directory(folder, failed);
  const Place place{(folder / "rig.gltf").string(), (whole / "other.txt").string(),
                    (folder / "new.txt").string(), ::getpid()};
  std::vector<Attempt> attempts;
  for (const Trial& trial : kTrials) {
    for (const std::string& file : {place.inside, place.outside}) std::ofstream(file) << "content";
    const pid_t child = ::fork();
    if (child == 0) {
      confine(folder);
      std::_Exit(trial.tried(place) ? kSucceeded : kRefused);
    }
    attempts.push_back({trial.what, endOf(child)});
  }
  fs::remove_all(whole, failed);
  return attempts;
}

}  // namespace ck::worker
