#include <cstring>

#include "core/import/worker/gltf/gltf_import.h"
#include "tests/fuzz/gltf_mutation.h"
#include "tests/fuzz/rig_target.h"
#include "tests/fuzz/target_list.h"

namespace {

// Reads any bytes as glTF or GLB. Most mutations keep the file whole. Built and run by
// scripts/fuzz.sh.

int feedGltf(const std::uint8_t* data, std::size_t size) {
  ck::fuzz::feedReader(ck::worker::readGltf, data, size);
  return 0;
}

std::size_t mutateGltf(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (random() % 8 == 0) return LLVMFuzzerMutate(data, size, maxSize);
  const std::string changed = ck::fuzz::mutatedGltf(input, random);
  if (changed == input || changed.size() > maxSize) return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

}  // namespace

CK_FUZZ_TARGET(gltf, feedGltf, mutateGltf)
