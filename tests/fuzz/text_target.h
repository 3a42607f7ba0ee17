#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace ck::fuzz {

// For LLVMFuzzerCustomMutator of targets that read JSON: of two mutations one keeps the JSON whole
// (json_mutation.h), the other is libFuzzer's own. `kept` bytes at the beginning are no JSON.
// Returns the new size, at most `maxSize`.
std::size_t mutateJsonInput(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                            unsigned seed, std::size_t kept = 0);

// A folder of this process for files, removed when it ends.
const std::filesystem::path& ownFolder();

}  // namespace ck::fuzz
