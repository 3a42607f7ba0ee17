#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ck::worker {

struct ConfinementLimits {
  std::uint64_t memoryBytes =
      0;  // address space; ignored in sanitizer builds, which reserve terabytes
  int cpuSeconds = 60;
};

// Takes from this process what reading one rig file does not need: more memory and time than the
// limits, core dumps, new privileges, writing files, reading outside `folder`, other programs,
// sockets, other processes. Called before the file is touched; cannot be undone. Returns one line
// for each wall that this system does not offer; the others stand all the same.
std::vector<std::string> confineTo(const std::filesystem::path& folder,
                                   const ConfinementLimits& limits);

}  // namespace ck::worker
