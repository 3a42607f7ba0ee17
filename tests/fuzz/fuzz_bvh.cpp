#include "core/import/worker/bvh/bvh_read.h"
#include "tests/fuzz/rig_target.h"
#include "tests/fuzz/target_list.h"

namespace {

// Reads any bytes as BVH. Built and run by scripts/fuzz.sh.
int feedBvh(const std::uint8_t* data, std::size_t size) {
  ck::fuzz::feedReader(ck::worker::readBvh, data, size);
  return 0;
}

}  // namespace

CK_FUZZ_TARGET(bvh, feedBvh, ck::fuzz::mutateBytes)
