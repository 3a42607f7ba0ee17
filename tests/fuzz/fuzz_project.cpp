#include <cstdio>

#include "core/project/project_json.h"
#include "tests/fuzz/text_target.h"

// Reads any text as a .crowd file. What passes is written, read again, and then the same text.
// Built and run by scripts/fuzz.sh.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path folder("/crowds/town");
  const auto project = ck::projectFromJson({reinterpret_cast<const char*>(data), size}, folder);
  if (!project) return 0;
  const std::string written = ck::projectToJson(*project, folder);
  const auto again = ck::projectFromJson(written, folder);
  if (!again) {
    std::fprintf(stderr, "not read again: %s\n%s\n", again.error().message.c_str(),
                 written.c_str());
    __builtin_trap();
  }
  if (const std::string second = ck::projectToJson(*again, folder); second != written) {
    std::fprintf(stderr, "%s\nbecame\n%s\n", written.c_str(), second.c_str());
    __builtin_trap();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t maxSize, unsigned seed) {
  return ck::fuzz::mutateJsonInput(data, size, maxSize, seed);
}
