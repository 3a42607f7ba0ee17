#include "core/system/free_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace ck {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t ofSystem() {
  std::ifstream facts("/proc/meminfo");
  std::string word;
  std::uint64_t kibi = 0;
  while (facts >> word) {
    if (word == "MemAvailable:" && facts >> kibi) return kibi * 1024;
  }
  return std::uint64_t{2} << 30;
}

std::uint64_t ofProcess() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t taken = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
}

// The number in a file of a control group; none where it says "max" or is missing.
std::optional<std::uint64_t> numberIn(const std::filesystem::path& file) {
  std::uint64_t number = 0;
  if (std::ifstream(file) >> number) return number;
  return std::nullopt;
}

// Each group above this process's own may have a limit, too.
std::uint64_t ofGroup() {
  namespace fs = std::filesystem;
  std::ifstream groups("/proc/self/cgroup");
  std::uint64_t least = kUnlimited;
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    const fs::path top = "/sys/fs/cgroup";
    for (fs::path group = top / line.substr(4);; group = group.parent_path()) {
      const auto most = numberIn(group / "memory.max");
      const auto taken = numberIn(group / "memory.current");
      if (most && taken) least = std::min(least, *most > *taken ? *most - *taken : 0);
      if (group == top || group == group.parent_path()) break;
    }
  }
  return least;
}

}  // namespace

std::uint64_t freeMemoryBytes() {
  return std::min({ofSystem(), ofProcess(), ofGroup()});
}

}  // namespace ck
