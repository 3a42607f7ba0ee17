#pragma once

#include <filesystem>

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Reads a rig file of any supported format, chosen by what the file holds and, where that does not
// tell, by its ending. Messages do not name the file. Errors: FileNotFound, FileUnreadable,
// Unsupported, InvalidInput, LimitExceeded, ImportFailed.
Result<Character> importFile(const std::filesystem::path& file, const Progress& progress);

}  // namespace ck::worker
