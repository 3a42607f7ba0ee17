#include <cstdio>
#include <fstream>

#include "core/project/recovery.h"
#include "tests/fuzz/target_list.h"
#include "tests/fuzz/text_target.h"

namespace {

// Reads any text as what stands beside unsaved work. A text that passes is written, read again, and
// then the same. Built and run by scripts/fuzz.sh.
int feedRecovery(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path root = ck::fuzz::ownFolder() / "recovery";
  static const bool isMade = ck::writeRecovery({root / "work", "", "", 0}, {}).has_value();
  if (!isMade) __builtin_trap();
  std::ofstream(root / "work" / "about.json", std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto all = ck::listRecoveries(root);
  if (all.empty()) return 0;
  if (!ck::readRecovery(all.front())) __builtin_trap();
  if (!ck::writeRecovery(all.front(), {})) __builtin_trap();
  const auto again = ck::listRecoveries(root);
  if (again.size() != 1 || again.front().origin != all.front().origin ||
      again.front().title != all.front().title || again.front().savedAt != all.front().savedAt) {
    std::fprintf(stderr, "%s became another\n", all.front().title.c_str());
    __builtin_trap();
  }
  return 0;
}

std::size_t mutateRecovery(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                           unsigned seed) {
  return ck::fuzz::mutateJsonInput(data, size, maxSize, seed);
}

}  // namespace

CK_FUZZ_TARGET(recovery, feedRecovery, mutateRecovery)
