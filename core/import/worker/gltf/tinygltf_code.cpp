// The implementation of tinygltf. It has its own file because its header affects later includes,
// and because it uses <fstream> without including it if file access is disabled.
#include "core/import/worker/gltf/tinygltf_code.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace ck::worker {
namespace {
thread_local nlohmann::json handed;

nlohmann::json takeHanded() {
  return std::exchange(handed, {});
}
}  // namespace

void handToTinygltf(nlohmann::json document) {
  handed = std::move(document);
}

}  // namespace ck::worker

// All that the implementation includes comes before the macro below.
#include <tiny_gltf.h>

// tinygltf has no function for a parsed document. The only call of json::parse() in its code
// becomes a conversion of the document that was handed over.
#define parse(...) value_type(ck::worker::takeHanded())
#define TINYGLTF_NO_INCLUDE_JSON
#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>
#undef parse
