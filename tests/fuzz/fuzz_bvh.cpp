#include "core/import/worker/bvh/bvh_read.h"
#include "tests/fuzz/rig_target.h"

// Reads any bytes as BVH. Built and run by scripts/fuzz.sh.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ck::fuzz::feedReader(ck::worker::readBvh, data, size);
  return 0;
}
