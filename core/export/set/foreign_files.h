#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"

// What lies where a set is exported to and is not the set's own.
namespace ck {

// Fails with CannotWrite if one of `inputs`, the files that an export reads, lies at one of `names`
// in `folder` or below it: what is there is replaced or removed.
Result<void> checkInputsStay(const std::filesystem::path& folder,
                             std::span<const std::filesystem::path> names,
                             std::span<const std::filesystem::path> inputs);

// Puts files at `names` in `folder`, or below them, that no export of the set `name` wrote, into
// `work` as well, so that they stay when its content takes their place. What the set wrote is
// listed in its old sidecar; a file that `work` has is not replaced. Files of `formats` count as
// the set's own. Symbolic links stay links. Fails with CannotWrite.
Result<void> keepForeignFiles(const std::filesystem::path& folder, const std::string& name,
                              std::span<const std::filesystem::path> names,
                              std::span<const std::filesystem::path> formats,
                              const std::filesystem::path& work);

}  // namespace ck
