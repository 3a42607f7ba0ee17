#include "core/import/worker/confinement/escape_attempts.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>

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

// The walls of a program's prison that stop an attempt, each of them alone. A reader may call
// nothing that opens or changes a file by its name, so there the filter of calls stops all.
enum class StoppedBy { SystemCalls, Landlock, Either };

// An attempt, which returns whether it succeeded.
struct Trial {
  const char* what;
  bool (*tried)(const Place& place);
  StoppedBy stop = StoppedBy::SystemCalls;
  bool isOfPrograms = false;  // what a program is started for, in its own prison
};

// Whether no wall is left that would stop the attempt.
bool isOpen(const Trial& trial, Prison prison, std::span<const Wall> missing) {
  const auto isMissing = [missing](Wall wall) {
    return std::ranges::find(missing, wall) != missing.end();
  };
  const bool landlockStops = trial.stop != StoppedBy::SystemCalls;
  const bool callsStop = prison == Prison::OfReaders || trial.stop != StoppedBy::Landlock;
  return (!landlockStops || isMissing(Wall::Landlock)) &&
         (!callsStop || isMissing(Wall::SystemCalls));
}

bool opens(const std::string& path, int flags) {
  return ::open(path.c_str(), flags | O_CLOEXEC, 0600) >= 0;
}

long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
  return ::syscall(number, a, b, c, d, e);
}
// Whether a file of its parent in /proc opens.
bool opensOf(const Place& place, const char* file) {
  return opens("/proc/" + std::to_string(place.other) + "/" + file, O_RDONLY);
}
long at(const std::string& path) {
  return reinterpret_cast<long>(path.c_str());
}

const Trial kTrials[] = {
    {"read a file outside of the folder", [](const Place& p) { return opens(p.outside, O_RDONLY); },
     StoppedBy::Landlock},
    {"read the accounts of the system", [](const Place&) { return opens("/etc/passwd", O_RDONLY); },
     StoppedBy::Landlock},
    {"see that a file outside is there",
     [](const Place& p) {
       struct stat facts = {};
       return ::stat(p.outside.c_str(), &facts) == 0;
     },
     StoppedBy::SystemCalls, true},
    {"read the rig by its name", [](const Place& p) { return opens(p.inside, O_RDONLY); },
     StoppedBy::Landlock, true},
    {"hold a file outside by its name", [](const Place& p) { return opens(p.outside, O_PATH); }},
    {"open a file outside by a newer call",
     [](const Place& p) {
       const std::uint64_t how[3] = {O_RDONLY, 0, 0};
       return call(SYS_openat2, AT_FDCWD, at(p.outside), reinterpret_cast<long>(how), sizeof how) >=
              0;
     },
     StoppedBy::Either},
    {"take the number of a file",
     [](const Place& p) {
       alignas(8) unsigned handle[34] = {128};
       int mount = 0;
       return call(SYS_name_to_handle_at, AT_FDCWD, at(p.inside), reinterpret_cast<long>(handle),
                   reinterpret_cast<long>(&mount)) == 0;
     }},
    {"empty a file outside by opening it",
     [](const Place& p) { return opens(p.outside, O_RDONLY | O_TRUNC); }, StoppedBy::Either},
    {"shorten a file outside",
     [](const Place& p) { return ::truncate(p.outside.c_str(), 1) == 0; }},
    {"write to a file outside", [](const Place& p) { return opens(p.outside, O_WRONLY); },
     StoppedBy::Landlock},
    {"write to memory that all share",
     [](const Place&) { return opens("/dev/shm/crowdkiln-self-test", O_CREAT | O_WRONLY); },
     StoppedBy::Landlock},
    {"write to the folder of temporary files",
     [](const Place& p) { return opens(p.outside + ".new", O_CREAT | O_WRONLY); },
     StoppedBy::Landlock},
    {"write its memory as a file", [](const Place&) { return opens("/proc/self/mem", O_RDWR); },
     StoppedBy::Landlock},
    {"read the memory of its parent as a file", [](const Place& p) { return opensOf(p, "mem"); },
     StoppedBy::Landlock},
    {"read the environment of its parent", [](const Place& p) { return opensOf(p, "environ"); },
     StoppedBy::Landlock},
    {"read the map of its parent", [](const Place& p) { return opensOf(p, "maps"); },
     StoppedBy::Landlock},
    {"open a stream of its parent", [](const Place& p) { return opensOf(p, "fd/1"); },
     StoppedBy::Landlock},
    {"read through the root folder of its parent",
     [](const Place& p) { return opensOf(p, "root/etc/passwd"); }, StoppedBy::Landlock},
    {"type into a terminal",
     [](const Place&) {
       char key = 'i';
       return ::ioctl(::open("/dev/tty", O_RDONLY | O_NOCTTY), TIOCSTI, &key) == 0;
     },
     StoppedBy::Either},
    {"watch a folder",
     [](const Place& p) {
       return ::inotify_add_watch(::inotify_init1(0), p.inside.c_str(), IN_ALL_EVENTS) >= 0;
     }},
    {"watch a file system", [](const Place&) { return call(SYS_fanotify_init, 0, 0) >= 0; }},
    {"set the flags of a file",
     [](const Place& p) {
       int flags = FS_NODUMP_FL;
       return ::ioctl(::open(p.inside.c_str(), O_RDONLY), FS_IOC_SETFLAGS, &flags) == 0;
     }},
    {"list another folder", [](const Place&) { return opens("/", O_RDONLY | O_DIRECTORY); },
     StoppedBy::Landlock},
    {"create a file", [](const Place& p) { return opens(p.fresh, O_CREAT | O_WRONLY); },
     StoppedBy::Landlock},
    {"create a file without a name",
     [](const Place& p) {
       return opens(fs::path(p.inside).parent_path().string(), O_TMPFILE | O_RDWR);
     },
     StoppedBy::Landlock},
    {"write to the rig", [](const Place& p) { return opens(p.inside, O_WRONLY); },
     StoppedBy::Landlock},
    {"empty the rig by opening it",
     [](const Place& p) { return opens(p.inside, O_RDONLY | O_TRUNC); }},
    {"shorten the rig", [](const Place& p) { return ::truncate(p.inside.c_str(), 1) == 0; }},
    {"shorten an open file",
     [](const Place& p) { return ::ftruncate(::open(p.inside.c_str(), O_RDONLY), 1) == 0; },
     StoppedBy::Either},
    {"change the rights of a file",
     [](const Place& p) { return ::chmod(p.inside.c_str(), 0777) == 0; }},
    {"change the rights of an open file",
     [](const Place& p) { return ::fchmod(::open(p.inside.c_str(), O_RDONLY), 0777) == 0; }},
    {"change the rights of a file outside",
     [](const Place& p) { return ::fchmodat(AT_FDCWD, p.outside.c_str(), 0777, 0) == 0; }},
    {"change the rights of a file by a newer call",
     [](const Place& p) { return call(452, AT_FDCWD, at(p.inside), 0777, 0) == 0; }},
    {"change the owner of a file",
     [](const Place& p) { return ::chown(p.inside.c_str(), ::getuid(), ::getgid()) == 0; }},
    {"change the times of a file",
     [](const Place& p) { return ::utimensat(AT_FDCWD, p.inside.c_str(), nullptr, 0) == 0; }},
    {"mark a file",
     [](const Place& p) { return ::setxattr(p.inside.c_str(), "user.x", "x", 1, 0) == 0; }},
    {"rename a file",
     [](const Place& p) { return ::rename(p.inside.c_str(), p.fresh.c_str()) == 0; },
     StoppedBy::Landlock},
    {"remove a file", [](const Place& p) { return ::unlink(p.inside.c_str()) == 0; },
     StoppedBy::Landlock},
    {"link a file", [](const Place& p) { return ::link(p.inside.c_str(), p.fresh.c_str()) == 0; },
     StoppedBy::Either},
    {"make a symbolic link", [](const Place& p) { return ::symlink("/", p.fresh.c_str()) == 0; },
     StoppedBy::Either},
    {"make a folder", [](const Place& p) { return ::mkdir(p.fresh.c_str(), 0700) == 0; },
     StoppedBy::Landlock},
    {"change the root folder", [](const Place&) { return ::chroot("/") == 0; }},
    {"signal its parent", [](const Place& p) { return ::kill(p.other, 0) == 0; }},
    {"signal a thread of its parent",
     [](const Place& p) { return call(SYS_tgkill, p.other, p.other, 0) == 0; }},
    {"signal a thread by number", [](const Place& p) { return call(SYS_tkill, p.other, 0) == 0; }},
    {"queue a signal for its parent",
     [](const Place& p) { return ::sigqueue(p.other, 0, sigval{}) == 0; }},
    {"queue a signal for a thread of its parent",
     [](const Place& p) {
       siginfo_t facts = {};
       facts.si_code = SI_QUEUE;
       return call(SYS_rt_tgsigqueueinfo, p.other, p.other, 0, reinterpret_cast<long>(&facts)) == 0;
     }},
    {"signal every process", [](const Place&) { return ::kill(-1, 0) == 0; }},
    {"compare itself with its parent",
     [](const Place& p) { return call(SYS_kcmp, ::getpid(), p.other, 0, 1, 1) >= 0; }},
    {"leave its session", [](const Place&) { return ::setsid() >= 0; }},
    {"leave its group", [](const Place&) { return ::setpgid(0, 0) == 0; }},
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
    {"start a process by a newer call",
     [](const Place&) {
       std::uint64_t how[11] = {};
       how[4] = SIGCHLD;
       const long child = call(SYS_clone3, reinterpret_cast<long>(how), sizeof how);
       if (child == 0) std::_Exit(0);
       return child > 0;
     }},
    {"start a program",
     [](const Place&) {
       char name[] = "/bin/true";
       char* arguments[] = {name, nullptr};
       ::execv(name, arguments);
       return false;  // a started program ends with 0, which is told apart
     },
     StoppedBy::SystemCalls, true},
    {"start a program from its memory",
     [](const Place&) {
       char name[] = "x";
       char* arguments[] = {name, nullptr};
       const long file = call(SYS_memfd_create, at(name), 0);
       std::ifstream program("/bin/true", std::ios::binary);
       const std::string bytes((std::istreambuf_iterator<char>(program)), {});
       if (::write(static_cast<int>(file), bytes.data(), bytes.size()) < 0) return false;
       call(SYS_execveat, file, at(""), reinterpret_cast<long>(arguments), 0, AT_EMPTY_PATH);
       return false;
     }},
    {"make memory that can be run",
     [](const Place&) {
       return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
              MAP_FAILED;
     },
     StoppedBy::SystemCalls, true},
    {"open a local socket", [](const Place&) { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }},
    {"talk to the kernel", [](const Place&) { return ::socket(AF_NETLINK, SOCK_RAW, 0) >= 0; }},
    {"queue messages",
     [](const Place&) {
       return call(SYS_mq_open, at("crowdkiln-self-test"), O_CREAT | O_RDWR, 0600, 0) >= 0;
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
    {"change a mount",
     [](const Place&) {
       const std::uint64_t wanted[4] = {1, 0, 0, 0};
       return call(SYS_mount_setattr, AT_FDCWD, at("/"), 0, reinterpret_cast<long>(wanted),
                   sizeof wanted) == 0;
     }},
    {"set the clock",
     [](const Place&) {
       timespec now = {};
       return ::clock_gettime(CLOCK_REALTIME, &now) == 0 &&
              ::clock_settime(CLOCK_REALTIME, &now) == 0;
     }},
    {"name the machine",
     [](const Place&) {
       utsname facts = {};
       return ::uname(&facts) == 0 &&
              ::sethostname(facts.nodename, std::strlen(facts.nodename)) == 0;
     }},
    {"load a module",
     [](const Place&) {
       return call(SYS_init_module, 0, 0, at("")) == 0 || errno == EFAULT || errno == ENOEXEC;
     }},
    {"restart the machine by its keys",
     [](const Place&) { return ::reboot(static_cast<int>(0x89abcdef)) == 0; }},
    {"load another kernel", [](const Place&) { return call(SYS_kexec_load, 0, 0, 0, 0) == 0; }},
    {"swap to a file",
     [](const Place&) { return ::swapon("/nowhere", 0) == 0 || errno == ENOENT; }},
#ifdef SYS_iopl
    {"reach the ports of the machine", [](const Place&) { return call(SYS_iopl, 3) == 0; }},
#endif
    {"enter another name space",
     [](const Place&) { return ::setns(::open("/proc/1/ns/mnt", O_RDONLY), 0) == 0; },
     StoppedBy::Either},
    {"leave its name spaces", [](const Place&) { return ::unshare(CLONE_NEWUSER) == 0; }},
    {"load a filter into the kernel", [](const Place&) { return call(SYS_bpf, 0, 0, 0) >= 0; }},
    {"watch the processor",
     [](const Place&) { return call(SYS_perf_event_open, 0, 0, -1, -1, 0) >= 0; }},
    {"ask the kernel for a ring", [](const Place&) { return call(SYS_io_uring_setup, 1, 0) >= 0; }},
    {"handle faults of memory", [](const Place&) { return call(SYS_userfaultfd, 1) >= 0; }},
    {"give the kernel a key",
     [](const Place&) { return call(SYS_add_key, at("user"), at("k"), at("v"), 1, -3) >= 0; }},
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
constexpr int kOpen = 42;

AttemptEnd endOf(pid_t child) {
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return AttemptEnd::NotTried;
  if (WIFSIGNALED(status)) {
    return WTERMSIG(status) == SIGSYS ? AttemptEnd::Killed : AttemptEnd::NotTried;
  }
  if (WEXITSTATUS(status) == kOpen) return AttemptEnd::Open;
  // A program that was started has replaced the code that would end with kRefused.
  return WEXITSTATUS(status) == kRefused ? AttemptEnd::Refused : AttemptEnd::Succeeded;
}

}  // namespace

std::vector<Attempt> attemptEscapes(Prison prison, const Confine& confine) {
  std::string name = (fs::temp_directory_path() / "crowdkiln-self-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return {};
  const fs::path whole(name);
  const fs::path folder = whole / "rig";
  const fs::path own = whole / "own";
  std::error_code failed;
  for (const fs::path& made : {folder, own}) fs::create_directory(made, failed);
  const Place place{(folder / "rig.gltf").string(), (whole / "other.txt").string(),
                    (folder / "new.txt").string(), ::getpid()};
  std::vector<Attempt> attempts;
  for (const Trial& trial : kTrials) {
    if (trial.isOfPrograms && prison == Prison::OfPrograms) continue;
    for (const std::string& file : {place.inside, place.outside}) std::ofstream(file) << "content";
    const pid_t child = ::fork();
    if (child == 0) {
      const std::vector<Wall> missing = confine(folder, own);
      if (isOpen(trial, prison, missing)) std::_Exit(kOpen);
      std::_Exit(trial.tried(place) ? kSucceeded : kRefused);
    }
    attempts.push_back({trial.what, endOf(child)});
  }
  fs::remove_all(whole, failed);
  return attempts;
}

}  // namespace ck::worker
