#pragma once

#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/export/set/earlier_set.h"
#include "core/export/writer/set_folder.h"

// The files that lie where a set is exported to and are not the set's own.
namespace ck {

// Fails with CannotWrite if one of `inputs`, the files that an export reads, lies at one of the
// changed names in `folder` or below it: what is there is replaced or removed.
Result<void> checkInputsStay(const std::filesystem::path& folder,
                             std::span<const SetChange> changes,
                             std::span<const std::filesystem::path> inputs);

// Puts files at changed names in `folder`, or below them, that no export of the set wrote, into
// `work` as well, so that they stay when its content takes their place. `earlier` lists what the
// set wrote; a file that `work` has is not replaced. Files of formats count as the set's own.
// Symbolic links stay links. Fails with CannotWrite.
Result<void> keepForeignFiles(const std::filesystem::path& folder, const EarlierSet& earlier,
                              std::span<const SetChange> changes,
                              const std::filesystem::path& work);

}  // namespace ck
