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

// Removes from this process all rights that reading one rig file does not need: memory and CPU time
// above the limits, core dumps, new privileges, the rights of root, writing files, reading outside
// of `folders`, and every system call but those of allowReadingOnly(). Called before the file is
// opened; cannot be undone. Returns one line for each restriction that this system does not
// support; the others are in force.
std::vector<std::string> confineTo(const std::vector<std::filesystem::path>& folders,
                                   const ConfinementLimits& limits);

// The same for another program that this process is about to become. It may read files, execute
// programs and start processes, but writes only below `folder`, and opens no sockets.
std::vector<std::string> confineProgramTo(const std::filesystem::path& folder,
                                          const ConfinementLimits& limits);

}  // namespace ck::worker
