#include "core/import/worker/assimp/assimp_library.h"

#include <dlfcn.h>

#include <cstring>

#include "core/base/version.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

namespace fs = std::filesystem;

// nullptr until loadAssimp() has found it.
const AssimpReader* g_assimp = nullptr;

}  // namespace

void loadAssimp() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return;
  void* library =
      ::dlopen((program.parent_path() / "kiln-assimp.so").c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return;
  const auto* reader = static_cast<const AssimpReader*>(::dlsym(library, "kAssimpReader"));
  if (reader != nullptr && std::strcmp(reader->version, version()) == 0) g_assimp = reader;
}

bool looksLikeCollada(const RigHead& head) {
  return head.holds("<COLLADA");
}
Result<SourceScene> readCollada(const RigSource& source) {
  if (g_assimp == nullptr) {
    return fail(ErrorCode::ImportNoWorker,
                "it cannot be read because kiln-assimp.so, which this format needs, was not found "
                "beside kiln-import or is of another version; install the program again");
  }
  return g_assimp->read(source);
}

}  // namespace ck::worker
