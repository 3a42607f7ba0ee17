#pragma once

#include <filesystem>

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {

// Reads a rig file of any supported format. The format is determined by the content, or by the
// ending if the content is ambiguous. Messages do not name the file. Errors: FileNotFound,
// FileUnreadable, Unsupported, InvalidInput, LimitExceeded, ImportFailed.
Result<Character> importFile(const std::filesystem::path& file, const Progress& progress);

}  // namespace ck::worker
