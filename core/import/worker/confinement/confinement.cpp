#include "core/import/worker/confinement/confinement.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <span>
#include <string>

#include "core/import/worker/confinement/system_calls.h"

namespace ck::worker {
namespace {

void limit(decltype(RLIMIT_CORE) what, std::uint64_t soft, std::uint64_t hard,
           std::vector<Wall>& missing) {
  rlimit old = {};
  ::getrlimit(what, &old);
  rlimit wanted = {};
  wanted.rlim_max = std::min<rlim_t>(hard, old.rlim_max);
  wanted.rlim_cur = std::min<rlim_t>(soft, wanted.rlim_max);
  const bool isKnown = std::ranges::find(missing, Wall::Limits) != missing.end();
  if (::setrlimit(what, &wanted) != 0 && !isKnown) missing.push_back(Wall::Limits);
}

// Limits of every confined process.
void setCommonLimits(const ConfinementLimits& limits, std::vector<Wall>& missing) {
  limit(RLIMIT_CORE, 0, 0, missing);
#ifndef CK_SANITIZED
  if (limits.memoryBytes > 0) limit(RLIMIT_AS, limits.memoryBytes, limits.memoryBytes, missing);
#endif
  const auto cpu = static_cast<std::uint64_t>(limits.cpuSeconds);
  if (cpu > 0) limit(RLIMIT_CPU, cpu, cpu + 2, missing);
}

void setReaderLimits(const ConfinementLimits& limits, std::vector<Wall>& missing) {
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

// Rights that later kernels know and the headers here may not (linux/landlock.h of Linux 5.19, 6.2
// and 6.10).
constexpr std::uint64_t kRefer = 1ull << 13;
constexpr std::uint64_t kTruncate = 1ull << 14;
constexpr std::uint64_t kDeviceControl = 1ull << 15;

constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                   LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kDeviceControl;
constexpr std::uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kWriting =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM | kRefer | kTruncate;

struct AllowedPath {
  std::filesystem::path path;
  std::uint64_t access = 0;
};

// The rights that Landlock up to this version can refuse on this system; 0 if it has none.
std::uint64_t knownRights(int most) {
  const long version = std::min<long>(::syscall(SYS_landlock_create_ruleset, nullptr, 0, 1), most);
  if (version < 1) return 0;
  std::uint64_t known = kRefer - 1;
  if (version >= 2) known |= kRefer;
  if (version >= 3) known |= kTruncate;
  if (version >= 5) known |= kDeviceControl;
  return known;
}

// From now on all file rights are refused everywhere but below the paths that allow them. Paths
// that do not exist are skipped.
bool landlock(std::span<const AllowedPath> allowed, int mostVersion) {
  const std::uint64_t known = knownRights(mostVersion);
  landlock_ruleset_attr rules = {};
  rules.handled_access_fs =
      (LANDLOCK_ACCESS_FS_EXECUTE | kReading | kWriting | kDeviceControl) & known;
  const long ruleset =
      known == 0 ? -1 : ::syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
  if (ruleset < 0) return false;
  bool ok = true;
  for (const auto& [path, access] : allowed) {
    landlock_path_beneath_attr beneath = {};
    beneath.parent_fd = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    struct stat facts = {};
    if (beneath.parent_fd < 0 || ::fstat(beneath.parent_fd, &facts) != 0) continue;
    beneath.allowed_access = access & known & (S_ISDIR(facts.st_mode) ? ~0ull : kOfFiles);
    ok = ok &&
         ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
    ::close(beneath.parent_fd);
  }
  ok = ok && ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  ::close(static_cast<int>(ruleset));
  return ok;
}

// No program that this process becomes gets them back, because new privileges are ruled out. False
// if it still has them.
bool loseCapabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  return ::syscall(SYS_capset, &header, none) == 0;
}

// The number of a user without an account.
constexpr uid_t kNobodys = 0x7FFE'C0DE;

// Gives up the rights of root: the process becomes a user without an account, or, where the system
// does not allow that, the owner of root's files. No user keeps a capability. False if this one
// does.
bool stopBeingRoot() {
  if (::geteuid() != 0) return loseCapabilities();
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  // Without CAP_KILL this system's root could not end a worker of another id.
  const bool mayKill =
      ::syscall(SYS_capget, &header, sets) == 0 && (sets[0].effective & (1u << CAP_KILL)) != 0;
  const bool isStillRoot = mayKill && ::setgroups(0, nullptr) == 0 &&
                           ::setresgid(kNobodys, kNobodys, kNobodys) == 0 &&
                           ::setresuid(kNobodys, kNobodys, kNobodys) != 0;
  return loseCapabilities() && !isStillRoot;
}

// The files of the system that programs need: their own and those of libraries, and what the C
// library, memory and threads ask about the machine. Accounts and settings are not among them.
constexpr const char* kOfTheSystem[] = {"/usr",
                                        "/bin",
                                        "/lib",
                                        "/lib64",
                                        "/nix/store",
                                        "/gnu/store",
                                        "/run/current-system",
                                        "/run/opengl-driver",
                                        "/etc/ld.so.cache",
                                        "/etc/fonts",
                                        "/etc/mime.types",
                                        "/etc/localtime",
                                        "/etc/alternatives",
                                        "/dev/null",
                                        "/dev/zero",
                                        "/dev/urandom",
                                        "/proc/self",
                                        "/proc/cpuinfo",
                                        "/proc/meminfo",
                                        "/proc/filesystems",
                                        "/proc/sys/vm",
                                        "/sys/devices/system",
                                        "/sys/kernel/mm"};

// The program and what lies in its folder if it was unpacked there: its libraries, and folders that
// are named by versions ("4.2").
std::vector<std::filesystem::path> partsOf(const std::filesystem::path& program) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path real = fs::canonical(program, failed);
  std::vector<fs::path> parts = {real, real.parent_path() / "lib"};
  for (fs::directory_iterator at(real.parent_path(), failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.find_first_not_of("0123456789.") == std::string::npos) parts.push_back(at->path());
  }
  return parts;
}

#endif

}  // namespace

std::vector<Wall> confineReader(const ConfinementLimits& limits) {
  std::vector<Wall> missing;
  std::setlocale(LC_ALL, "C");
  setReaderLimits(limits, missing);
#ifdef CK_SANITIZED
  // The sanitizers use ptrace on the process and read system files when it exits.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  missing.push_back(Wall::All);
#else
  if (!stopBeingRoot()) missing.push_back(Wall::Rights);
  // After that, because a change of the user clears it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_DUMPABLE, 0);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) missing.push_back(Wall::Privileges);
  if (!landlock({}, limits.landlockVersion)) missing.push_back(Wall::Landlock);
  if (!allowReadingOnly()) missing.push_back(Wall::SystemCalls);
#endif
  return missing;
}

std::vector<Wall> confineProgram(const ConfinedProgram& confined, const ConfinementLimits& limits) {
  std::vector<Wall> missing;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  setCommonLimits(limits, missing);
#ifdef CK_SANITIZED
  static_cast<void>(confined);
  missing.push_back(Wall::All);
#else
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) missing.push_back(Wall::Privileges);
  if (!loseCapabilities()) missing.push_back(Wall::Rights);
  constexpr std::uint64_t kUsing = LANDLOCK_ACCESS_FS_EXECUTE | kReading;
  std::vector<AllowedPath> allowed = {{confined.folder, kReading | kWriting},
                                      {"/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate}};
  for (const char* path : kOfTheSystem) allowed.push_back({path, kUsing});
  for (const std::filesystem::path& path : partsOf(confined.program)) {
    allowed.push_back({path, kUsing});
  }
  for (const std::filesystem::path& path : confined.readable) allowed.push_back({path, kReading});
  if (!landlock(allowed, limits.landlockVersion)) missing.push_back(Wall::Landlock);
  if (!allowOwnFilesOnly()) missing.push_back(Wall::SystemCalls);
#endif
  return missing;
}

}  // namespace ck::worker
