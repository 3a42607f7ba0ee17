#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

// Walls that the prisons of workers (core/import/worker/confinement) lack on this system. All of it
// holds for all imports of a process.
namespace ck {

class JsonFields;

enum class Wall {
  Landlock,     // files are closed
  SystemCalls,  // seccomp: other processes, the network and the kernel are closed
  Privileges,   // a program cannot gain rights when it starts
  Rights,       // those of root are given up
  Limits,       // of memory, time, files and core dumps
  All,          // sanitizers need to see more than a prison allows
};
// The word for it in a worker's message: "landlock".
std::string_view wallName(Wall wall);
std::optional<Wall> wallFromName(std::string_view name);
// "this system has no Landlock".
std::string_view wallIsMissing(Wall wall);

// From now on this process reads no file of others where a wall of the prison is missing: for good
// by the command line, and as the user's setting says.
void requireSandbox();
void setSandboxRequired(bool isRequired);
bool isSandboxRequired();
bool isSandboxRequiredForGood();

// The exit code of a worker that has ended because of that.
inline constexpr int kSandboxOpen = 7;

// A wall that a worker has missed. The log tells each of them once.
void addMissingWall(Wall wall);
// The walls that the first message of a worker names; other words are ignored. Later messages must
// not be heard, because by then the file may have taken over the worker.
void hearMissingWalls(JsonFields& firstMessage);

// The warning SandboxMissing, once a worker of this process has missed a wall. It is about the
// machine, so it stands in reports and in the window, and in no file.
Notes sandboxNotes();

// Why a file is not read where the sandbox is required: a sentence without the file's name.
std::string sandboxRefusal();

}  // namespace ck
