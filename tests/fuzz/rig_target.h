#pragma once

#include <cstddef>
#include <cstdint>

#include "core/import/worker/formats/rig_reader.h"

// The code that the targets of rig formats share. Each is fed through one reader as kiln-import
// does it, without its limits and in this process.
namespace ck::fuzz {

// The bytes of an input as a rig file without a name. Files that it refers to do not exist.
using RigReader = Result<worker::SourceScene> (*)(const worker::RigSource& source);

// Reads an input, puts the rig together, and gives it to the host in the worker's form. Traps if a
// rig that passes is not valid, or if the host refuses or changes it.
void feedReader(RigReader read, const std::uint8_t* data, std::size_t size);

// The second half of it.
void assembleAndSend(worker::SourceScene scene);

}  // namespace ck::fuzz
