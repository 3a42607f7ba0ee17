#include "tests/support/import_worker.h"

#include <cstdlib>

namespace ck::test {

std::filesystem::path useBuiltImportWorker() {
  const std::filesystem::path worker = std::filesystem::path(CK_BIN_DIR) / "kiln-import";
  ::setenv("CROWDKILN_IMPORT_WORKER", worker.c_str(), 1);
  return worker;
}

}  // namespace ck::test
