#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

// Walls that the prisons of workers (core/import/worker/confinement) lack on this system. All of it
// holds for all imports of a process.
namespace ck {

// From now on this process reads no file of others where a wall of the prison is missing.
void requireSandbox();
bool isSandboxRequired();

// The exit code of a worker that has ended because of that.
inline constexpr int kSandboxOpen = 7;

// A worker's words about a wall that its prison does not have.
void addMissingWall(std::string_view wall);

// The warning SandboxMissing, once a worker of this process has missed a wall. It is about the
// machine, so it stands in reports and in the window, and in no file.
Notes sandboxNotes();

// Why a file is not read where the sandbox is required: a sentence without the file's name.
std::string sandboxRefusal();

}  // namespace ck
