#include "core/import/worker/x/x_read.h"
#include "tests/fuzz/rig_target.h"
#include "tests/fuzz/target_list.h"

namespace {

// Reads any bytes as an X file. Built and run by scripts/fuzz.sh.
int feedX(const std::uint8_t* data, std::size_t size) {
  ck::fuzz::feedReader(ck::worker::readX, data, size);
  return 0;
}

}  // namespace

CK_FUZZ_TARGET(x, feedX, ck::fuzz::mutateBytes)
