#include "core/import/worker/gltf/gltf_vrm.h"

#include <tiny_gltf.h>

#include <set>
#include <string>

namespace ck::worker {
namespace {

// The numbers under `key` of the annotations whose `flag` says that only the figure itself sees
// them.
std::set<int> firstPersonOnly(const tinygltf::Model& model, const char* extension, const char* key,
                              const char* flag, const char* only) {
  std::set<int> numbers;
  const auto found = model.extensions.find(extension);
  if (found == model.extensions.end() || !found->second.IsObject()) return numbers;
  const tinygltf::Value& person = found->second.Get("firstPerson");
  if (!person.IsObject() || !person.Get("meshAnnotations").IsArray()) return numbers;
  const tinygltf::Value& list = person.Get("meshAnnotations");
  for (std::size_t i = 0; i < list.ArrayLen(); ++i) {
    const tinygltf::Value& entry = list.Get(static_cast<int>(i));
    if (!entry.IsObject() || !entry.Get(flag).IsString() || !entry.Get(key).IsInt()) continue;
    if (entry.Get(flag).Get<std::string>() == only) numbers.insert(entry.Get(key).Get<int>());
  }
  return numbers;
}

}  // namespace

bool looksBackwards(const tinygltf::Model& model) {
  return model.extensions.contains("VRM") && !model.extensions.contains("VRMC_vrm");
}

std::vector<bool> firstPersonNodes(const tinygltf::Model& model) {
  const std::set<int> meshes =
      firstPersonOnly(model, "VRM", "mesh", "firstPersonFlag", "FirstPersonOnly");
  const std::set<int> nodes = firstPersonOnly(model, "VRMC_vrm", "node", "type", "firstPersonOnly");
  std::vector<bool> result;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    result.push_back(nodes.contains(static_cast<int>(n)) || meshes.contains(model.nodes[n].mesh));
  }
  return result;
}

}  // namespace ck::worker
