#pragma once

#include <filesystem>

namespace ck::test {

// The kiln-import of this build; also names it in the environment, so that imports of this process
// find it.
std::filesystem::path useBuiltImportWorker();

}  // namespace ck::test
