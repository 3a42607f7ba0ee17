#include "tests/fuzz/target_list.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace ck::fuzz {
namespace {

std::map<std::string, Target>& allTargets() {
  static std::map<std::string, Target> targets;
  return targets;
}

Target chosen;

}  // namespace

bool addTarget(const char* name, const Target& target) {
  return allTargets().emplace(name, target).second;
}

}  // namespace ck::fuzz

// The program has a name for every target (CMakeLists.txt): fuzz_gltf and so on.
extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  using namespace ck::fuzz;
  const std::string program = (*argv)[0];
  const auto found = allTargets().find(program.substr(program.rfind("fuzz_") + 5));
  if (found == allTargets().end()) {
    std::fprintf(stderr, "%s: start this as fuzz_NAME, where NAME is one of\n", program.c_str());
    for (const auto& [name, target] : allTargets()) std::fprintf(stderr, "  %s\n", name.c_str());
    std::exit(2);
  }
  chosen = found->second;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ck::fuzz::chosen.feed(data, size);
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t maxSize, unsigned seed) {
  return ck::fuzz::chosen.mutate(data, size, maxSize, seed);
}
