#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/import/host/sandbox.h"

namespace ck::worker {

struct ConfinementLimits {
  std::uint64_t memoryBytes =
      0;  // address space; ignored in sanitizer builds, which reserve terabytes
  int cpuSeconds = 60;
  int landlockVersion =
      1'000;  // the newest version of Landlock's interface that is used; for tests
};

// Removes from this process all rights that decoding open files does not need: memory and CPU time
// above the limits, core dumps, new privileges, the rights of root, every file that is not open,
// and every system call but those of allowReadingOnly(). Called after the rig file is opened and
// before it is read; cannot be undone. Returns the restrictions that this system does not support;
// the others are in force.
std::vector<Wall> confineReader(const ConfinementLimits& limits);

// A program that this process is about to become.
struct ConfinedProgram {
  std::filesystem::path program;
  std::filesystem::path folder;                 // the only one that it may write
  std::vector<std::filesystem::path> readable;  // beside its own folders and those of the system
};

// The same for such a program: it reads, writes and executes in its folders only (Landlock), starts
// no process, opens no socket, and keeps only the calls of allowOwnFilesOnly(). It can still see
// which other files there are, and how large they are.
std::vector<Wall> confineProgram(const ConfinedProgram& confined, const ConfinementLimits& limits);

}  // namespace ck::worker
