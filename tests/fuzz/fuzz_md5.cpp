#include "core/import/worker/md5/md5_read.h"
#include "tests/fuzz/rig_target.h"
#include "tests/fuzz/target_list.h"

namespace {

// Reads any bytes as a mesh of MD5, and as a clip. Built and run by scripts/fuzz.sh.
int feedMd5(const std::uint8_t* data, std::size_t size) {
  ck::fuzz::feedReader(ck::worker::readMd5Mesh, data, size);
  ck::fuzz::feedReader(ck::worker::readMd5Anim, data, size);
  return 0;
}

}  // namespace

CK_FUZZ_TARGET(md5, feedMd5, ck::fuzz::mutateBytes)
