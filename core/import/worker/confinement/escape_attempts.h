#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/import/host/sandbox.h"

namespace ck::worker {

// How an attempt of a confined process to do something forbidden ended.
enum class AttemptEnd {
  Refused,
  Killed,
  Succeeded,
  NotTried,
  Open  // not tried, because all walls that would stop it are missing on this system
};

struct Attempt {
  std::string what;  // "truncate a file beside the rig"
  AttemptEnd end = AttemptEnd::NotTried;
};

// The prison that is tried: that of readers, or that of other programs (Blender), which may run
// code and see which files there are.
enum class Prison { OfReaders, OfPrograms };
// Confines the process and returns the walls that are missing; `folder` has the rig, and a program
// writes to `own`.
using Confine = std::function<std::vector<Wall>(const std::filesystem::path& folder,
                                                const std::filesystem::path& own)>;

// Makes a folder with a file, and for every attempt a process that calls `confine` with that folder
// and then tries it. The attempts are those of code that has taken over the reader: on files in and
// outside of the folder, on other processes, on the network and on the kernel. Blocks.
std::vector<Attempt> attemptEscapes(Prison prison, const Confine& confine);

}  // namespace ck::worker
