#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/base/files.h"
#include "core/container/atlas_file.h"

// Reads any bytes as a .ckatlas, sealed: the size and the checksum are made right, so that
// mutations reach what is behind them. Built and run by scripts/fuzz.sh.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kSizeAt = 16;
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  if (size >= 32) {
    const std::uint64_t total = size;
    std::memcpy(bytes.data() + kSizeAt, &total, sizeof total);
    const std::uint64_t hash = ck::hashBytes(std::span(bytes).first(size - sizeof total));
    std::memcpy(bytes.data() + size - sizeof hash, &hash, sizeof hash);
  }
  const auto file = ck::atlasFileFromBytes(bytes);
  if (!file) return 0;
  // What passes is an atlas: it can be packed, and is the same again.
  const auto again = ck::atlasFromBytes(ck::atlasToBytes(file->atlas, nullptr, ck::Pack::Small, 1));
  if (!again || *again != file->atlas) __builtin_trap();
  return 0;
}
