#include <cstring>

#include "core/import/worker/fbx/fbx_import.h"
#include "tests/fuzz/fbx_records.h"
#include "tests/fuzz/rig_target.h"
#include "tests/fuzz/target_list.h"

namespace {

// Reads any bytes as FBX. Of binary files most mutations keep the tree whole. Built and run by
// scripts/fuzz.sh.

int feedFbx(const std::uint8_t* data, std::size_t size) {
  ck::fuzz::feedReader(ck::worker::readFbx, data, size);
  return 0;
}

std::size_t mutateFbx(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  ck::fuzz::FbxRecords records;
  if (random() % 4 == 0 || !ck::fuzz::takeApart(input, records)) {
    return LLVMFuzzerMutate(data, size, maxSize);
  }
  ck::fuzz::change(records, random);
  const std::string changed = ck::fuzz::putTogether(records);
  if (changed == input || changed.size() > maxSize) return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

}  // namespace

CK_FUZZ_TARGET(fbx, feedFbx, mutateFbx)
